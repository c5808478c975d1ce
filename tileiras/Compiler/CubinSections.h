//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The table of sections of a cubin: a 64-bit ELF file (System V ABI) in memory, whose offsets are all checked before
// they are used. ".text.<kernel>" is a kernel's code, ".nv.shared.<kernel>" its static shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_CUBINSECTIONS_H
#define TILEIRAS_COMPILER_CUBINSECTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tileiras {

class CubinSections {
public:
  /// None, and a reason ("is no 64-bit ELF file"), if it is not an ELF file for a GPU. Refers to `cubin`.
  static std::optional<CubinSections> of(llvm::StringRef cubin, std::string &error);

  uint64_t count() const { return number; }
  /// Empty if it has none that the file holds.
  llvm::StringRef name(uint64_t section) const;
  uint32_t type(uint64_t section) const;
  uint64_t size(uint64_t section) const;
  /// Where in the file the size stands, 64 bits.
  uint64_t placeOfSize(uint64_t section) const;

private:
  llvm::StringRef file;
  uint64_t table = 0, entry = 0, number = 0, strings = 0, length = 0;
};

/// Bytes of machine code of `kernel`; 0 if the cubin has no such section.
uint64_t codeBytes(llvm::StringRef cubin, llvm::StringRef kernel);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_CUBINSECTIONS_H
