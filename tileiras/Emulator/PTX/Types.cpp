//===- Types.cpp - PTX scalar types and state spaces ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/Types.h"

using namespace tileiras::emu;

namespace {
enum Kind : uint8_t { KNone, KPred, KBits, KUnsigned, KSigned, KFloat };
struct Row {
  Type type;
  const char *name;
  unsigned bits;
  Kind kind;
};
// In the order of the enumeration.
constexpr Row rows[] = {
    {Type::None, "", 0, KNone},
    {Type::Pred, "pred", 1, KPred},
    {Type::B8, "b8", 8, KBits},
    {Type::B16, "b16", 16, KBits},
    {Type::B32, "b32", 32, KBits},
    {Type::B64, "b64", 64, KBits},
    {Type::B128, "b128", 128, KBits},
    {Type::U8, "u8", 8, KUnsigned},
    {Type::U16, "u16", 16, KUnsigned},
    {Type::U32, "u32", 32, KUnsigned},
    {Type::U64, "u64", 64, KUnsigned},
    {Type::S8, "s8", 8, KSigned},
    {Type::S16, "s16", 16, KSigned},
    {Type::S32, "s32", 32, KSigned},
    {Type::S64, "s64", 64, KSigned},
    {Type::U16x2, "u16x2", 32, KUnsigned},
    {Type::S16x2, "s16x2", 32, KSigned},
    {Type::F16, "f16", 16, KFloat},
    {Type::F16x2, "f16x2", 32, KFloat},
    {Type::BF16, "bf16", 16, KFloat},
    {Type::BF16x2, "bf16x2", 32, KFloat},
    {Type::TF32, "tf32", 32, KFloat},
    {Type::F32, "f32", 32, KFloat},
    {Type::F32x2, "f32x2", 64, KFloat},
    {Type::F64, "f64", 64, KFloat},
    {Type::E4M3x2, "e4m3x2", 16, KFloat},
    {Type::E5M2x2, "e5m2x2", 16, KFloat},
    {Type::UE8M0x2, "ue8m0x2", 16, KFloat},
    {Type::E4M3, "e4m3", 8, KFloat},
    {Type::E5M2, "e5m2", 8, KFloat},
    // Six-bit types stand in bytes; four-bit pairs share one.
    {Type::E2M3x2, "e2m3x2", 16, KFloat},
    {Type::E3M2x2, "e3m2x2", 16, KFloat},
    {Type::E2M1x2, "e2m1x2", 8, KFloat},
    {Type::E4M3x4, "e4m3x4", 32, KFloat},
    {Type::E5M2x4, "e5m2x4", 32, KFloat},
    {Type::E2M3x4, "e2m3x4", 32, KFloat},
    {Type::E3M2x4, "e3m2x4", 32, KFloat},
    {Type::E2M1x4, "e2m1x4", 16, KFloat},
    {Type::E2M3, "e2m3", 6, KFloat},
    {Type::E3M2, "e3m2", 6, KFloat},
    {Type::E2M1, "e2m1", 4, KFloat},
    {Type::UE8M0, "ue8m0", 8, KFloat},
    {Type::UE4M3, "ue4m3", 8, KFloat},
    {Type::B1, "b1", 1, KBits},
    {Type::S4, "s4", 4, KSigned},
    {Type::U4, "u4", 4, KUnsigned},
};
static_assert(sizeof(rows) / sizeof(rows[0]) == unsigned(Type::Count));
const Row &row(Type t) { return rows[unsigned(t)]; }
} // namespace

const char *tileiras::emu::typeName(Type t) { return row(t).name; }

Type tileiras::emu::parseType(std::string_view name) {
  if (name.empty())
    return Type::None;
  for (const Row &r : rows)
    if (name == r.name)
      return r.type;
  return Type::None;
}

unsigned tileiras::emu::typeBits(Type t) { return row(t).bits; }
bool tileiras::emu::isFloat(Type t) { return row(t).kind == KFloat; }
bool tileiras::emu::isSignedInt(Type t) { return row(t).kind == KSigned; }
bool tileiras::emu::isInteger(Type t) { return row(t).kind == KSigned || row(t).kind == KUnsigned; }
bool tileiras::emu::isBits(Type t) { return row(t).kind == KBits; }

const char *tileiras::emu::spaceName(Space s) {
  switch (s) {
  case Space::Generic:
    return "generic";
  case Space::Reg:
    return "reg";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Const:
    return "const";
  case Space::Param:
    return "param";
  case Space::Tex:
    return "tex";
  case Space::Tensor:
    return "tensor";
  }
  return "?";
}
