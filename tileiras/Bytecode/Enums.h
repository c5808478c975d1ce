//===- Enums.h - Enumerations as bytecode stores them (internal) ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_ENUMS_H
#define TILEIRAS_BYTECODE_ENUMS_H

#include "mlir/IR/Attributes.h"
#include "tileiras/Bytecode/Version.h"

namespace mlir::cuda_tile::bytecode {

/// One enumeration: its codes are 0 .. numCodes-1.
struct EnumInfo {
  llvm::StringLiteral name; // what OpTable.def calls it
  uint32_t numCodes;
  /// Codes from here on exist only since `newSince` (equal to numCodes: all are as old as the format).
  uint32_t firstNew;
  BytecodeVersion newSince;
  Attribute (*build)(MLIRContext *context, uint32_t code);
  std::optional<uint32_t> (*getCode)(Attribute attr);

  bool hasCode(uint64_t code) const { return code < numCodes; }
  bool isAvailable(uint64_t code, BytecodeVersion version) const { return code < firstNew || version >= newSince; }
};

/// Null if there is no such enumeration.
const EnumInfo *findEnum(llvm::StringRef name);
/// The padding_value of view types and the ptr_attr of pointers: parameters of types, not of ops.
const EnumInfo &paddingEnum();
const EnumInfo &ptrAttrEnum();
const EnumInfo &visibilityEnum();

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_ENUMS_H
