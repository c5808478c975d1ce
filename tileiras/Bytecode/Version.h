//===- Version.h - Versions of Tile IR bytecode ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_VERSION_H
#define TILEIRAS_BYTECODE_VERSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::cuda_tile {

/// major.minor of a file; the third number of the header carries no meaning.
struct BytecodeVersion {
  uint8_t majorNumber = 0;
  uint8_t minorNumber = 0;

  constexpr auto operator<=>(const BytecodeVersion &) const = default;

  static constexpr BytecodeVersion oldest() { return {13, 1}; }
  static constexpr BytecodeVersion latest() { return {13, 4}; }
  /// Everything between the oldest and the latest.
  static llvm::ArrayRef<BytecodeVersion> all();
  /// "13.1 - 13.4"
  static std::string supportedRange();
  /// Parses "13.2"; nothing if that is not a supported version.
  static std::optional<BytecodeVersion> parse(llvm::StringRef text);

  bool isSupported() const { return *this >= oldest() && *this <= latest(); }
  std::string str() const;
};

inline constexpr BytecodeVersion v13_1{13, 1}, v13_2{13, 2}, v13_3{13, 3}, v13_4{13, 4};

} // namespace mlir::cuda_tile

#endif // TILEIRAS_BYTECODE_VERSION_H
