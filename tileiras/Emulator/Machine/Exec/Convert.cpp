//===- Convert.cpp - Conversions between any two types ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One lane at a time, through an exact intermediate value. Everything that ExecConvert.cpp does not vectorise comes
// here: other rounding modes, saturation, 8-bit formats, tf32, registers wider than the type.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/Convert.h"

#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneRows.h"
#include "tileiras/Emulator/Machine/Warp.h"

using namespace tileiras::emu;

namespace {

enum : uint8_t { Ftz = 1, Sat = 2, Relu = 4, SatFinite = 8, Integral = 16, Stochastic = 32 };

/// Packed in Inst::imm.
struct Plan {
  uint8_t dst, src, rounding, flags, dstBytes, srcBytes, elements, elementBits;
};
static_assert(sizeof(Plan) == 8);

const Format *formatOf(Type t) {
  switch (t) {
  case Type::F64:
    return &FormatF64;
  case Type::F32:
    return &FormatF32;
  case Type::TF32:
    return &FormatTF32;
  case Type::F16:
  case Type::F16x2:
    return &FormatF16;
  case Type::BF16:
  case Type::BF16x2:
    return &FormatBF16;
  case Type::E4M3x2:
  case Type::E4M3x4:
    return &FormatE4M3;
  case Type::E5M2x2:
  case Type::E5M2x4:
    return &FormatE5M2;
  case Type::E2M3x2:
  case Type::E2M3x4:
    return &FormatE2M3;
  case Type::E3M2x2:
  case Type::E3M2x4:
    return &FormatE3M2;
  case Type::E2M1x2:
  case Type::E2M1x4:
    return &FormatE2M1;
  default:
    return nullptr;
  }
}

uint64_t cut(uint64_t v, unsigned bits) { return bits >= 64 ? v : v & ((uint64_t(1) << bits) - 1); }
uint64_t extend(uint64_t v, unsigned bits, bool isSigned) {
  v = cut(v, bits);
  return isSigned && bits < 64 && (v >> (bits - 1) & 1) ? v | ~uint64_t(0) << bits : v;
}

/// Elements of a packed type, 1 for the others.
unsigned elementsOf(Type t) {
  switch (t) {
  case Type::F16x2:
  case Type::BF16x2:
  case Type::E4M3x2:
  case Type::E5M2x2:
  case Type::E2M3x2:
  case Type::E3M2x2:
  case Type::E2M1x2:
  case Type::UE8M0x2:
    return 2;
  case Type::E4M3x4:
  case Type::E5M2x4:
  case Type::E2M3x4:
  case Type::E3M2x4:
  case Type::E2M1x4:
    return 4;
  default:
    return 1;
  }
}

/// One value from bits of type `s` to bits of type `d`, both scalar or one element of a packed type. `random` and
/// `randomBits`: of stochastic rounding.
uint64_t convertOne(uint64_t v, Type d, const Format *df, Type s, const Format *sf, const Plan &p, uint32_t random = 0,
                    unsigned randomBits = 0) {
  Exact e;
  Rounding rounding = Rounding(p.rounding);
  if (s == Type::UE8M0x2) {
    e = unpackUE8M0(v);
  } else if (sf) {
    v = cut(v, unsigned(sf->width()));
    e = unpack(v, *sf);
    if ((p.flags & Ftz) && s == Type::F32 && e.kind == Exact::Finite && !(v & 0x7f800000))
      e.kind = Exact::Zero;
  } else {
    v = extend(v, typeBits(s), isSignedInt(s));
    e = fromInteger(v, isSignedInt(s));
  }
  if (d == Type::UE8M0x2)
    return packUE8M0(e, rounding, p.flags & SatFinite);
  if (!df) {
    bool isSigned = isSignedInt(d);
    unsigned width = typeBits(d);
    if (!sf && !(p.flags & Sat))
      return extend(v, width, isSigned);
    if (e.kind == Exact::NaN)
      return typeBits(s) <= 32 && width <= 32 ? 0 : extend(uint64_t(1) << (width - 1), width, isSigned);
    return extend(toInteger(e, width, isSigned, rounding), width, isSigned);
  }
  if (p.flags & Integral)
    e = roundToIntegral(e, rounding);
  if (p.flags & Sat) {
    if (e.kind == Exact::NaN || e.negative) {
      e = Exact(); // +0
    } else if (e.kind == Exact::Infinity ||
               (e.kind == Exact::Finite && toInteger(e, 64, false, Rounding::TowardZero) >= 1)) {
      e.kind = Exact::Finite;
      e.significand = 1;
      e.exponent = 0;
      e.sticky = false;
    }
  }
  if ((p.flags & Relu) && e.kind != Exact::NaN && e.negative)
    e = Exact();
  uint64_t r = randomBits ? packStochastic(e, *df, random, randomBits, p.flags & SatFinite)
                          : pack(e, *df, rounding, p.flags & SatFinite);
  if ((p.flags & Ftz) && d == Type::F32 && !(r & 0x7f800000))
    r &= 0x80000000u;
  if (d == Type::TF32)
    r <<= 13;
  return r;
}

void convert(Warp &w, const Inst &i, uint32_t m) {
  Plan p;
  std::memcpy(&p, &i.imm, 8);
  Type d = Type(p.dst), s = Type(p.src);
  const Format *df = formatOf(d), *sf = formatOf(s);
  unsigned n = p.elements, width = p.elementBits;
  bool packedSrc = elementsOf(s) > 1;
  unsigned srcWidth = packedSrc ? typeBits(s) / elementsOf(s) : 0;
  const Row rows[] = {i.a, i.b, i.c, i.e};
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    uint32_t random = p.flags & Stochastic ? w.row<uint32_t>(static_cast<const MemAux *>(i.aux)->rows[0])[l] : 0;
    uint64_t r = 0;
    for (unsigned k = 0; k != n; ++k) { // k = 0 is the upper end of the result
      // Sources in registers of their own: the first is uppermost. A packed source keeps its elements in place.
      uint64_t v = packedSrc ? cut(readLane(w, i.a, p.srcBytes, l) >> ((n - 1 - k) * srcWidth), srcWidth)
                             : readLane(w, rows[k], p.srcBytes, l);
      uint32_t mine = 0;
      unsigned bits = 0;
      if (p.flags & Stochastic) {
        // The upper half of the random bits is for the first elements, the lower half for the last ones; four 4-bit
        // results take a byte each, f16 13 bits of its half.
        bits = d == Type::F16x2 ? 13 : d == Type::E2M1x4 ? 8 : 16;
        mine = k < n / 2 ? random >> 16 : random & 0xffff;
        if (d == Type::E2M1x4 && k % 2 == 0)
          mine >>= 8;
        mine &= (1u << bits) - 1;
      }
      r = (n == 1 ? 0 : r << width) | convertOne(v, d, df, s, sf, p, mine, bits);
    }
    writeLane(w, i.d, p.dstBytes, l, r);
  }
}

/// cvt.pack.sat: two saturated integers side by side, the first one above; with c, above c's low part.
void convertPack(Warp &w, const Inst &i, uint32_t m) {
  unsigned width = i.count;
  bool isSigned = i.flags & 1, withC = i.flags & 2;
  uint32_t *d = w.row<uint32_t>(i.d);
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  auto clamp = [&](uint32_t v) {
    return uint32_t(
        cut(toInteger(fromInteger(uint64_t(int64_t(int32_t(v))), true), width, isSigned, Rounding::TowardZero), width));
  };
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    uint32_t low = clamp(b[l]) | clamp(a[l]) << width;
    d[l] = withC ? low | c[l] << (2 * width) : low;
  }
}

} // namespace

void tileiras::emu::handlers::widenHalf(Warp &w, const Inst &i, uint32_t m) {
  const uint16_t *a = w.row<uint16_t>(i.a);
  uint32_t *d = w.row<uint32_t>(i.d);
  const Format &f = i.flags & 1 ? FormatBF16 : FormatF16;
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1)
      d[l] = uint32_t(pack(unpack(a[l], f), FormatF32, Rounding::NearestEven, false));
}

Handler tileiras::emu::selectGeneralConvert(const Instruction &inst, unsigned dstBits, unsigned srcBits,
                                            uint64_t &imm) {
  Plan p{};
  p.dst = uint8_t(inst.type(0));
  p.src = uint8_t(inst.type(1));
  Rounding r = Rounding::NearestEven;
  bool integral = inst.has("rni") || inst.has("rzi") || inst.has("rmi") || inst.has("rpi");
  if (inst.has("rz") || inst.has("rzi"))
    r = Rounding::TowardZero;
  if (inst.has("rm") || inst.has("rmi"))
    r = Rounding::Down;
  if (inst.has("rp") || inst.has("rpi"))
    r = Rounding::Up;
  if (inst.has("rna"))
    r = Rounding::NearestAway;
  p.rounding = uint8_t(r);
  p.flags =
      uint8_t((inst.has("ftz") ? Ftz : 0) | (inst.has("sat") ? Sat : 0) | (inst.has("relu") ? Relu : 0) |
              (inst.has("satfinite") ? SatFinite : 0) | (integral ? Integral : 0) | (inst.has("rs") ? Stochastic : 0));
  p.elements = uint8_t(elementsOf(inst.type(0)));
  p.elementBits = uint8_t(typeBits(inst.type(0)) / p.elements);
  p.dstBytes = uint8_t(dstBits / 8);
  p.srcBytes = uint8_t(srcBits / 8);
  std::memcpy(&imm, &p, 8);
  return convert;
}

Handler tileiras::emu::selectConvertPack() { return convertPack; }
