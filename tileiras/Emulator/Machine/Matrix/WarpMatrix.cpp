//===- WarpMatrix.cpp - Shared by the warp-wide matrix handlers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"

#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace tileiras::emu;

uint32_t tileiras::emu::wholeWarp(Warp &w, const Inst &i, uint32_t m) {
  if (m != w.live)
    m = w.converge(i, m, w.row<uint32_t>(i.e));
  if (m && m != ~0u)
    w.report(ReportKind::WarpSync, i, uint32_t(std::countr_zero(m)),
             "a warp-wide .aligned instruction is executed by some threads of the warp only");
  return m;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static double formatValue(const Format &f, uint64_t bits) {
  Exact e = unpack(bits & ((uint64_t(1) << f.width()) - 1), f);
  return std::bit_cast<double>(pack(e, FormatF64, Rounding::NearestEven, false));
}

double tileiras::emu::elementValue(Type t, uint64_t bits) {
  switch (t) {
  case Type::F64:
    return std::bit_cast<double>(bits);
  case Type::F32:
    return std::bit_cast<float>(uint32_t(bits));
  case Type::TF32:
    return std::bit_cast<float>(uint32_t(bits) & 0xffffe000u); // the low 13 bits are ignored
  case Type::BF16:
    return std::bit_cast<float>(uint32_t(bits) << 16);
  case Type::S8:
    return int8_t(bits);
  case Type::U8:
    return uint8_t(bits);
  case Type::S4:
    return int8_t(uint8_t(bits << 4)) >> 4;
  case Type::U4:
    return double(bits & 15);
  case Type::S32:
    return int32_t(bits);
  case Type::E5M2:
    return formatValue(FormatE5M2, bits);
  case Type::E2M3:
    return formatValue(FormatE2M3, bits);
  case Type::E3M2:
    return formatValue(FormatE3M2, bits);
  case Type::E2M1:
    return formatValue(FormatE2M1, bits);
  case Type::E4M3:
    return formatValue(FormatE4M3, bits);
  case Type::UE4M3:
    return formatValue(FormatE4M3, bits & 0x7f);
  case Type::UE8M0:
    return (bits & 255) == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, int(bits & 255) - 127);
  default:
    return formatValue(FormatF16, bits);
  }
}

unsigned tileiras::emu::elementBits(Type t) {
  switch (t) {
  case Type::E2M3:
  case Type::E3M2:
    return 8;
  default:
    return typeBits(t);
  }
}

const double *tileiras::emu::elementTable(Type t, unsigned containerBits) {
  auto make = [](Type type, unsigned bits) {
    std::vector<double> v(size_t(1) << bits);
    for (size_t i = 0; i != v.size(); ++i)
      v[i] = elementValue(type, type == Type::E2M1 && bits == 8 ? i >> 2 & 15 : i);
    return v;
  };
  static const std::vector<double> f16 = make(Type::F16, 16), bf16 = make(Type::BF16, 16), e4m3 = make(Type::E4M3, 8),
                                   e5m2 = make(Type::E5M2, 8), s8 = make(Type::S8, 8), u8 = make(Type::U8, 8),
                                   s4 = make(Type::S4, 4), u4 = make(Type::U4, 4), e2m3 = make(Type::E2M3, 8),
                                   e3m2 = make(Type::E3M2, 8), e2m1 = make(Type::E2M1, 4),
                                   e2m1Byte = make(Type::E2M1, 8), ue8m0 = make(Type::UE8M0, 8),
                                   ue4m3 = make(Type::UE4M3, 8);
  switch (t) {
  case Type::F16:
    return f16.data();
  case Type::BF16:
    return bf16.data();
  case Type::E4M3:
    return e4m3.data();
  case Type::E5M2:
    return e5m2.data();
  case Type::S8:
    return s8.data();
  case Type::U8:
    return u8.data();
  case Type::S4:
    return s4.data();
  case Type::U4:
    return u4.data();
  case Type::E2M3:
    return e2m3.data();
  case Type::E3M2:
    return e3m2.data();
  case Type::E2M1:
    return containerBits == 8 ? e2m1Byte.data() : e2m1.data();
  case Type::UE8M0:
    return ue8m0.data();
  case Type::UE4M3:
    return ue4m3.data();
  default:
    return nullptr;
  }
}

double tileiras::emu::accumulatorValue(Type t, uint64_t bits) {
  return t == Type::F16 ? elementTable(Type::F16, 16)[bits & 0xffff] : elementValue(t, bits);
}

uint64_t tileiras::emu::accumulatorBits(Type t, double v, bool saturate) {
  switch (t) {
  case Type::F64:
    return std::bit_cast<uint64_t>(v);
  case Type::F32:
    return v == v ? std::bit_cast<uint32_t>(float(v)) : 0x7fffffffu;
  case Type::S32: {
    int64_t n = int64_t(v); // exact: far below 2^53
    if (saturate)
      n = std::min<int64_t>(std::max<int64_t>(n, INT32_MIN), INT32_MAX);
    return uint32_t(n);
  }
  default:
    return pack(unpack(std::bit_cast<uint64_t>(v), FormatF64), FormatF16, Rounding::NearestEven, false);
  }
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

void tileiras::emu::multiply(const Product &p) {
  if (p.isF64) {
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int before = std::fegetround();
    std::fesetround(modes[p.rounding & 3]);
    for (unsigned row = 0; row != p.m; ++row)
      for (unsigned col = 0; col != p.n; ++col) {
        volatile double s = p.c[row * p.n + col];
        for (unsigned k = 0; k != p.k; ++k)
          s = std::fma(p.a[row * p.k + k], p.b[k * p.n + col], double(s));
        p.d[row * p.n + col] = s;
      }
    std::fesetround(before);
    return;
  }
  unsigned stored = p.where ? p.k / 2 : p.k;
  for (unsigned row = 0; row != p.m; ++row) {
    double sum[32] = {};
    for (unsigned j = 0; j != stored; ++j) {
      double a = p.a[row * stored + j];
      const double *b = p.b + (p.where ? p.where[row * stored + j] : j) * p.n;
      for (unsigned col = 0; col != p.n; col += 8) // all shapes have a multiple of 8 columns
        for (unsigned c = 0; c != 8; ++c)
          sum[col + c] += a * b[col + c];
    }
    for (unsigned col = 0; col != p.n; ++col)
      p.d[row * p.n + col] = sum[col] + p.c[row * p.n + col];
  }
}
