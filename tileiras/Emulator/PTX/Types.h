//===- Types.h - PTX scalar types and state spaces --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_TYPES_H
#define TILEIRAS_EMULATOR_PTX_TYPES_H

#include <cstdint>
#include <string_view>

namespace tileiras::emu {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  E4M3x2,
  E5M2x2,
  UE8M0x2,
  E4M3,
  E5M2,
  E2M3x2,
  E3M2x2,
  E2M1x2,
  E4M3x4,
  E5M2x4,
  E2M3x4,
  E3M2x4,
  E2M1x4,
  E2M3,
  E3M2,
  E2M1,
  UE8M0,
  UE4M3,
  B1,
  S4,
  U4,
  Count
};

/// "u32", "f16x2", ... without the dot.
const char *typeName(Type t);
/// Type::None if `name` (without the dot) is not a type.
Type parseType(std::string_view name);
/// Width in bits; predicates count as 1.
unsigned typeBits(Type t);
bool isFloat(Type t);
bool isSignedInt(Type t);
/// .u or .s (also packed).
bool isInteger(Type t);
bool isBits(Type t);

/// Tensor: tensor memory of tcgen05, known to observers only. Address of a cell: bits 31:24 the rank of the block in
/// its cluster, below (lane * 512 + column) * 4.
enum class Space : uint8_t { Generic, Reg, Global, Shared, Local, Const, Param, Tex, Tensor };
const char *spaceName(Space s);

/// A position in the PTX text, 1-based.
struct Loc {
  uint32_t line = 0, column = 0;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_TYPES_H
