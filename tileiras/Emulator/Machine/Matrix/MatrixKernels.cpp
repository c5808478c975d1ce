//===- MatrixKernels.cpp - Vectorised parts of matrix instructions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Matrix/MatrixKernels.h"

#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"
#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace tileiras::emu {
namespace {
/// Values of an 8-bit format.
[[maybe_unused]] const std::array<double, 256> &table8(const Format &f) {
  auto make = [](const Format &format) {
    std::array<double, 256> t;
    for (unsigned i = 0; i != 256; ++i)
      t[i] = std::bit_cast<double>(pack(unpack(i, format), FormatF64, Rounding::NearestEven, false));
    return t;
  };
  static const std::array<double, 256> e4m3 = make(FormatE4M3), e5m2 = make(FormatE5M2);
  return f.exponentBits == 4 ? e4m3 : e5m2;
}
} // namespace
} // namespace tileiras::emu

TILEIRAS_ISA_BEGIN

// Four and eight f64. Wider than the machine's vectors is fine: the compiler cuts them.
typedef double D4 __attribute__((vector_size(32)));
typedef double D8 __attribute__((vector_size(64)));

static void decode(Type type, const uint8_t *from, size_t count, double *to) {
  auto as16 = [&](size_t i) {
    uint16_t v;
    __builtin_memcpy(&v, from + 2 * i, 2);
    return v;
  };
  switch (type) {
  case Type::F16:
    for (size_t i = 0; i != count; ++i)
      to[i] = halfToFloat(as16(i));
    break;
  case Type::BF16:
    for (size_t i = 0; i != count; ++i)
      to[i] = bits<float>(uint32_t(as16(i)) << 16);
    break;
  case Type::TF32:
    for (size_t i = 0; i != count; ++i) {
      uint32_t v;
      __builtin_memcpy(&v, from + 4 * i, 4);
      to[i] = bits<float>(v & 0xffffe000u); // the low 13 bits are ignored
    }
    break;
  case Type::S8:
    for (size_t i = 0; i != count; ++i)
      to[i] = int8_t(from[i]);
    break;
  case Type::U8:
    for (size_t i = 0; i != count; ++i)
      to[i] = from[i];
    break;
  case Type::None:
    for (size_t i = 0; i != count; ++i)
      to[i] = from[i / 8] >> (i % 8) & 1;
    break;
  default: {
    const double *table = table8(type == Type::E4M3 ? FormatE4M3 : FormatE5M2).data();
    for (size_t i = 0; i != count; ++i)
      to[i] = table[from[i]];
  }
  }
}

// A warp's part of D is cut into 16 rows by 8 columns, which are four registers (two for f16): index [p][h][lane],
// p = column & 1, h = row / 8, lane = 4 * (row % 8) + column / 2. A is spread over lanes once per warp, B once per
// instruction.

/// Sums over k: acc[p][h][lane] += ax[k][h][lane] * bx[k][p][lane % 4]. P and H: how many of p and h in one go, as many
/// as fit the vector registers.
template <unsigned P, unsigned H> static inline void sums(const double *ax, const double *bx, uint32_t k, double *acc) {
  // Products are exact, so that fused or not makes no difference.
#if defined(__clang__)
#pragma clang fp contract(fast)
#endif
  for (unsigned p0 = 0; p0 != 2; p0 += P)
    for (unsigned h0 = 0; h0 != 2; h0 += H) {
      D8 s[P][H][4];
      for (unsigned p = 0; p != P; ++p)
        for (unsigned h = 0; h != H; ++h)
          for (unsigned q = 0; q != 4; ++q)
            __builtin_memcpy(&s[p][h][q], acc + ((p0 + p) * 2 + h0 + h) * 32 + 8 * q, 64);
      for (uint32_t kk = 0; kk != k; ++kk) {
        D8 b[P];
        for (unsigned p = 0; p != P; ++p) {
          D4 half;
          __builtin_memcpy(&half, bx + kk * 8 + (p0 + p) * 4, 32);
          b[p] = __builtin_shufflevector(half, half, 0, 1, 2, 3, 0, 1, 2, 3);
        }
        for (unsigned h = 0; h != H; ++h)
          for (unsigned q = 0; q != 4; ++q) {
            D8 a;
            __builtin_memcpy(&a, ax + (kk * 2 + h0 + h) * 32 + 8 * q, 64);
            for (unsigned p = 0; p != P; ++p)
              s[p][h][q] = a * b[p] + s[p][h][q];
          }
      }
      for (unsigned p = 0; p != P; ++p)
        for (unsigned h = 0; h != H; ++h)
          for (unsigned q = 0; q != 4; ++q)
            __builtin_memcpy(acc + ((p0 + p) * 2 + h0 + h) * 32 + 8 * q, &s[p][h][q], 64);
    }
}

/// Exponent of a value as the adder sees it: that of the format's smallest normal number for subnormals, -126 for zero.
static inline double exponentOf(double v, double least) {
  uint64_t magnitude = bits<uint64_t>(v) << 1;
  double e = double(int(magnitude >> 53)) - 1023;
  e = e < least ? least : e;
  return magnitude == 0 ? -126 : e;
}

/// As sums, in the way of fp8 tensor cores: all terms, C among them, are aligned to the largest exponent (that of a
/// product is the sum of its factors') and truncated to `fraction` bits after the point; their sum is exact.
static void alignedSums(const double *ax, const double *ae, const double *bx, const double *be, uint32_t k,
                        int fraction, double *acc) {
  for (unsigned p = 0; p != 2; ++p)
    for (unsigned h = 0; h != 2; ++h) {
      double *c = acc + (p * 2 + h) * 32;
      double most[32], scale[32], back[32], s[32];
      TILEIRAS_LANES(l, 32) most[l] = exponentOf(c[l], -126);
      for (uint32_t kk = 0; kk != k; ++kk) {
        const double *ea = ae + (kk * 2 + h) * 32, *eb = be + kk * 8 + p * 4;
        TILEIRAS_LANES(l, 32) {
          double e = ea[l] + eb[l % 4];
          most[l] = e > most[l] ? e : most[l];
        }
      }
      TILEIRAS_LANES(l, 32) {
        double e = most[l] > 900 ? 900 : most[l]; // infinities
        scale[l] = bits<double>(uint64_t(int64_t(1023 + fraction - int(e))) << 52);
        back[l] = bits<double>(uint64_t(int64_t(1023 - fraction + int(e))) << 52);
        s[l] = __builtin_trunc(c[l] * scale[l]);
      }
      for (uint32_t kk = 0; kk != k; ++kk) {
        const double *a = ax + (kk * 2 + h) * 32, *b = bx + kk * 8 + p * 4;
        TILEIRAS_LANES(l, 32) s[l] += __builtin_trunc(a[l] * b[l % 4] * scale[l]);
      }
      TILEIRAS_LANES(l, 32) c[l] = s[l] * back[l];
    }
}

static void product(const WarpgroupProduct &x) {
  // Scratch memory, kept from call to call.
  static thread_local std::vector<double> storage;
  const uint32_t k = x.k, columns = x.n / 8;
  const bool aligned = x.fractionBits != 0;
  size_t bSize = size_t(x.n) * k, aSize = size_t(k) * 64;
  storage.resize((bSize + aSize) * (aligned ? 2 : 1) + 8);
  double *bx = storage.data();
  bx += (64 - (reinterpret_cast<uintptr_t>(bx) & 63)) % 64 / 8;
  double *ax = bx + bSize, *be = ax + aSize, *ae = be + bSize;
  // B: [column / 8][k][column & 1][column % 8 / 2].
  for (uint32_t j = 0; j != columns; ++j)
    if (x.bMnMajor) {
      for (uint32_t kk = 0; kk != k; ++kk) {
        const double *from = x.b + size_t(kk) * x.n + 8 * j;
        double *to = bx + (size_t(j) * k + kk) * 8;
        for (unsigned t = 0; t != 4; ++t) {
          to[t] = from[2 * t];
          to[4 + t] = from[2 * t + 1];
        }
      }
    } else {
      for (unsigned c = 0; c != 8; ++c) {
        const double *from = x.b + size_t(8 * j + c) * k;
        double *to = bx + size_t(j) * k * 8 + (c & 1) * 4 + c / 2;
        for (uint32_t kk = 0; kk != k; ++kk)
          to[kk * 8] = from[kk];
      }
    }
  if (aligned)
    for (size_t i = 0; i != bSize; ++i)
      be[i] = exponentOf(bx[i], x.minExponentB);
  const double sign = x.negate ? -1.0 : 1.0;
  const float nan = bits<float>(0x7fffffffu);
  for (unsigned v = 0; v != 4; ++v) {
    if (!x.rows[v])
      continue;
    for (uint32_t kk = 0; kk != k; ++kk)
      for (unsigned row = 0; row != 16; ++row) {
        double value = sign * x.a[size_t(16 * v + row) * k + kk];
        double *to = ax + size_t(kk) * 64 + 4 * row;
        to[0] = to[1] = to[2] = to[3] = value;
      }
    if (aligned)
      for (size_t i = 0; i != aSize; ++i)
        ae[i] = exponentOf(ax[i], x.minExponentA);
    for (uint32_t j = 0; j != columns; ++j) {
      alignas(64) double acc[4 * 32]; // [p][h][lane]
      if (!x.scale) {
        for (unsigned i = 0; i != 128; ++i)
          acc[i] = 0;
      } else if (x.d == Type::F16) {
        for (unsigned h = 0; h != 2; ++h) {
          const uint32_t *from = reinterpret_cast<const uint32_t *>(x.rows[v][2 * j + h]);
          TILEIRAS_LANES(l, 32) {
            acc[h * 32 + l] = halfToFloat(uint16_t(from[l]));
            acc[64 + h * 32 + l] = halfToFloat(uint16_t(from[l] >> 16));
          }
        }
      } else {
        for (unsigned i = 0; i != 4; ++i) { // register: p = i & 1, h = i >> 1
          double *to = acc + ((i & 1) * 2 + (i >> 1)) * 32;
          if (x.d == Type::F32) {
            const float *from = reinterpret_cast<const float *>(x.rows[v][4 * j + i]);
            TILEIRAS_LANES(l, 32) to[l] = from[l];
          } else {
            const int32_t *from = reinterpret_cast<const int32_t *>(x.rows[v][4 * j + i]);
            TILEIRAS_LANES(l, 32) to[l] = from[l];
          }
        }
      }
      if (aligned)
        alignedSums(ax, ae, bx + size_t(j) * k * 8, be + size_t(j) * k * 8, k, x.fractionBits, acc);
      else if (TILEIRAS_ISA == 2)
        sums<2, 2>(ax, bx + size_t(j) * k * 8, k, acc);
      else
        sums<1, 1>(ax, bx + size_t(j) * k * 8, k, acc);
      if (x.d == Type::F16) {
        for (unsigned h = 0; h != 2; ++h) {
          uint32_t *to = reinterpret_cast<uint32_t *>(x.rows[v][2 * j + h]);
          TILEIRAS_LANES(l, 32) {
            to[l] = floatToHalf(doubleToFloatOdd(acc[h * 32 + l])) |
                    uint32_t(floatToHalf(doubleToFloatOdd(acc[64 + h * 32 + l]))) << 16;
          }
        }
        continue;
      }
      for (unsigned i = 0; i != 4; ++i) {
        const double *from = acc + ((i & 1) * 2 + (i >> 1)) * 32;
        if (x.d == Type::F32) {
          float *to = reinterpret_cast<float *>(x.rows[v][4 * j + i]);
          // With the aligned sums, the accumulator keeps as many bits as the sum has; more are cut off.
          const uint64_t keep = aligned ? ~uint64_t(0) << (52 - x.fractionBits) : ~uint64_t(0);
          TILEIRAS_LANES(l, 32) {
            float f = float(bits<double>(bits<uint64_t>(from[l]) & keep));
            to[l] = f == f ? f : nan;
          }
        } else {
          int32_t *to = reinterpret_cast<int32_t *>(x.rows[v][4 * j + i]);
          for (unsigned l = 0; l != 32; ++l) {
            int64_t s = int64_t(from[l]);
            if (x.saturate)
              s = s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s;
            to[l] = int32_t(uint32_t(uint64_t(s)));
          }
        }
      }
    }
  }
}

/// R rows of C by eight columns at a time.
template <unsigned R> static inline void multiplyRows(const TensorProduct &p, uint32_t row) {
#if defined(__clang__)
#pragma clang fp contract(fast)
#endif
  for (uint32_t j = 0; j != p.n; j += 8) {
    D8 s[R];
    for (unsigned r = 0; r != R; ++r)
      __builtin_memcpy(&s[r], p.c + size_t(row + r) * p.ldc + j, 64);
    const double *a = p.a + size_t(row) * p.k;
    for (uint32_t k = 0; k != p.k; ++k) {
      D8 b;
      if (R != 1 || !p.index)
        __builtin_memcpy(&b, p.b + size_t(k) * p.ldb + j, 64);
      for (unsigned r = 0; r != R; ++r) {
        if (R == 1 && p.index)
          __builtin_memcpy(&b, p.b + size_t(p.index[size_t(row) * p.k + k]) * p.ldb + j, 64);
        s[r] = b * a[size_t(r) * p.k + k] + s[r];
      }
    }
    for (unsigned r = 0; r != R; ++r)
      __builtin_memcpy(p.c + size_t(row + r) * p.ldc + j, &s[r], 64);
  }
}

static void multiply(const TensorProduct &p) {
  constexpr unsigned R = TILEIRAS_ISA == 2 ? 8 : 4;
  uint32_t row = 0;
  if (!p.index)
    for (; row + R <= p.m; row += R)
      multiplyRows<R>(p, row);
  for (; row != p.m; ++row)
    multiplyRows<1>(p, row);
}

static void roundTo(Type type, const double *from, size_t count, uint32_t *to) {
  if (type == Type::F16) {
    TILEIRAS_LANES(i, unsigned(count)) to[i] = floatToHalf(doubleToFloatOdd(from[i]));
    return;
  }
  TILEIRAS_LANES(i, unsigned(count)) {
    float f = float(from[i]);
    to[i] = f == f ? bits<uint32_t>(f) : 0x7fffffffu;
  }
}

extern const MatrixKernels matrixKernels;
const MatrixKernels matrixKernels = {decode, product, multiply, roundTo};

TILEIRAS_ISA_END
