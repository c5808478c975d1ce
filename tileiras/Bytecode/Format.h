//===- Format.h - Constants of the file format (internal) -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// file    := magic version section* end
// version := u8 major, u8 minor, u16 tag
// section := u8 id | 0x80 if aligned, varint length, [varint alignment, padding up to it], payload
// end     := 00
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_FORMAT_H
#define TILEIRAS_BYTECODE_FORMAT_H

#include "tileiras/Bytecode/Version.h"

namespace mlir::cuda_tile::bytecode {

inline constexpr char magic[8] = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0};
inline constexpr uint8_t paddingByte = 0xCB;
inline constexpr uint8_t alignedFlag = 0x80;

enum class Section : uint8_t {
  End = 0,
  String = 1,
  Function = 2,
  Debug = 3,
  Constant = 4,
  Type = 5,
  Global = 6,
  Producer = 7,
};
inline constexpr unsigned numSections = 8;
/// What a section's alignment must be a multiple of; 1: none needed.
inline constexpr unsigned sectionAlignment[numSections] = {1, 4, 8, 8, 8, 4, 1, 1};

enum FunctionFlags : uint8_t { functionPrivate = 1, functionKernel = 2, functionHints = 4 };

/// The name that readers give to every module: bytecode does not store one.
inline constexpr llvm::StringLiteral moduleName = "kernels";

enum class TypeTag : uint64_t {
  I1 = 0,
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  F16 = 5,
  BF16 = 6,
  F32 = 7,
  TF32 = 8,
  F64 = 9,
  F8E4M3FN = 10,
  F8E5M2 = 11,
  Pointer = 12,
  Tile = 13,
  TensorView = 14,
  PartitionView = 15,
  Function = 16,
  Token = 17,
  F8E8M0FNU = 18,
  F4E2M1FN = 19,
  GatherScatterView = 20,
  StridedView = 21,
  I4 = 22,
  F8E5M3FNU = 130,
};
struct TypeRow {
  TypeTag tag;
  BytecodeVersion since;
  llvm::StringLiteral name; // as version errors spell it
};
/// Null for a number that no version assigns.
const TypeRow *findType(uint64_t tag);
const TypeRow &getTypeRow(TypeTag tag);

/// Attributes that say themselves what they are.
enum class AttrTag : uint64_t {
  Integer = 1,
  Float = 2,
  Bool = 3,
  Type = 4,
  String = 5,
  Array = 6,
  DenseElements = 7,
  DivBy = 8,
  SameElements = 9,
  Dictionary = 10,
  OptimizationHints = 11,
  Bounded = 12,
};

enum class DebugTag : uint64_t {
  Unknown = 0,
  CompileUnit = 1,
  File = 2,
  LexicalBlock = 3,
  Location = 4,
  Subprogram = 5,
  CallSite = 6,
};

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_FORMAT_H
