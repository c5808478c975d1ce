//===- EmulatorIntegerTest.cpp - Integer instructions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every integer, logic, shift, comparison and selection instruction on random and extreme operands, against host
// arithmetic written from the ISA's definitions, mostly bit by bit or in 128 bits.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// Extreme values, small values and random ones.
template <typename T> std::vector<T> operands(uint64_t seed, size_t n = 500) {
  Rng rng(seed);
  const uint64_t special[] = {
      0,     1,           2,           31,         32,         33,     63,     64,
      ~0ull, ~0ull << 31, ~0ull << 63, 0x7fffffff, 0x80000000, 0x7fff, 0x8000, 0x7fffffffffffffff};
  std::vector<T> v(n);
  for (size_t i = 0; i != n; ++i) {
    uint64_t r = rng.next();
    v[i] = T(rng.next() % 3 == 0 ? special[r % 16] : r >> (rng.next() % 64));
    if (rng.next() % 2)
      v[i] = T(0 - v[i]);
  }
  return v;
}

/// Runs `code` on two operands of T (PTX type `t`) and compares with f.
template <typename D, typename T, typename F>
void check2(const std::string &code, const std::string &d, const std::string &t, F f,
            const std::string &target = "sm_90") {
  std::vector<T> a = operands<T>(1), b = operands<T>(2);
  std::vector<D> r = runElementwise<D>(code, d, {t, t}, target, a, b);
  for (size_t i = 0; i != a.size(); ++i)
    ASSERT_EQ(r[i], D(f(a[i], b[i]))) << code << " of " << +a[i] << ", " << +b[i];
}
template <typename D, typename T, typename C, typename F>
void check3(const std::string &code, const std::string &d, const std::string &t, const std::string &c, F f,
            const std::string &target = "sm_90") {
  std::vector<T> x = operands<T>(3), y = operands<T>(4);
  std::vector<C> z = operands<C>(5);
  std::vector<D> r = runElementwise<D>(code, d, {t, t, c}, target, x, y, z);
  for (size_t i = 0; i != x.size(); ++i)
    ASSERT_EQ(r[i], D(f(x[i], y[i], z[i]))) << code << " of " << +x[i] << ", " << +y[i] << ", " << +z[i];
}
template <typename D, typename T, typename F>
void check1(const std::string &code, const std::string &d, const std::string &t, F f) {
  std::vector<T> a = operands<T>(6);
  std::vector<D> r = runElementwise<D>(code, d, {t}, "sm_90", a);
  for (size_t i = 0; i != a.size(); ++i)
    ASSERT_EQ(r[i], D(f(a[i]))) << code << " of " << +a[i];
}

using i128 = __int128;
using u128 = unsigned __int128;

/// The arithmetic of one integer type in 128 bits.
template <typename T> void arithmetic(const std::string &t, const std::string &reg) {
  using W = std::conditional_t<std::is_signed_v<T>, i128, u128>;
  constexpr int bits = 8 * sizeof(T);
  check2<T, T>("add." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return T(u128(a) + u128(b)); });
  check2<T, T>("sub." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return T(u128(a) - u128(b)); });
  check2<T, T>("mul.lo." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return T(u128(a) * u128(b)); });
  check2<T, T>("mul.hi." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return T((W(a) * W(b)) >> bits); });
  check3<T, T, T>("mad.lo." + t + " %d, %a0, %a1, %a2;", reg, reg, reg,
                  [](T a, T b, T c) { return T(u128(a) * u128(b) + u128(c)); });
  check3<T, T, T>("mad.hi." + t + " %d, %a0, %a1, %a2;", reg, reg, reg,
                  [](T a, T b, T c) { return T(u128((W(a) * W(b)) >> bits) + u128(c)); });
  check3<T, T, T>("sad." + t + " %d, %a0, %a1, %a2;", reg, reg, reg,
                  [](T a, T b, T c) { return T(u128(c) + u128(W(a) < W(b) ? W(b) - W(a) : W(a) - W(b))); });
  check2<T, T>("min." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return std::min(a, b); });
  check2<T, T>("max." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return std::max(a, b); });
  check2<T, T>("div." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return b == 0 ? T(~T(0)) : T(W(a) / W(b)); });
  check2<T, T>("rem." + t + " %d, %a0, %a1;", reg, reg, [](T a, T b) { return b == 0 ? a : T(W(a) % W(b)); });
}

TEST(EmulatorInteger, ArithmeticU16) { arithmetic<uint16_t>("u16", "b16"); }
TEST(EmulatorInteger, ArithmeticS16) { arithmetic<int16_t>("s16", "b16"); }
TEST(EmulatorInteger, ArithmeticU32) { arithmetic<uint32_t>("u32", "b32"); }
TEST(EmulatorInteger, ArithmeticS32) { arithmetic<int32_t>("s32", "b32"); }
TEST(EmulatorInteger, ArithmeticU64) { arithmetic<uint64_t>("u64", "b64"); }
TEST(EmulatorInteger, ArithmeticS64) { arithmetic<int64_t>("s64", "b64"); }

TEST(EmulatorInteger, Wide) {
  check2<uint32_t, uint16_t>("mul.wide.u16 %d, %a0, %a1;", "b32", "b16", [](uint32_t a, uint32_t b) { return a * b; });
  check2<int32_t, int16_t>("mul.wide.s16 %d, %a0, %a1;", "b32", "b16", [](int32_t a, int32_t b) { return a * b; });
  check2<uint64_t, uint32_t>("mul.wide.u32 %d, %a0, %a1;", "b64", "b32", [](uint64_t a, uint64_t b) { return a * b; });
  check2<int64_t, int32_t>("mul.wide.s32 %d, %a0, %a1;", "b64", "b32", [](int64_t a, int64_t b) { return a * b; });
  check3<uint64_t, uint32_t, uint64_t>("mad.wide.u32 %d, %a0, %a1, %a2;", "b64", "b32", "b64",
                                       [](uint64_t a, uint64_t b, uint64_t c) { return a * b + c; });
  check3<int64_t, int32_t, int64_t>(
      "mad.wide.s32 %d, %a0, %a1, %a2;", "b64", "b32", "b64",
      [](int64_t a, int64_t b, int64_t c) { return int64_t(uint64_t(a * b) + uint64_t(c)); });
}

int64_t clamp32(int64_t v) { return std::min<int64_t>(std::max<int64_t>(v, INT32_MIN), INT32_MAX); }

TEST(EmulatorInteger, Saturation) {
  using S = int32_t;
  check2<S, S>("add.sat.s32 %d, %a0, %a1;", "b32", "b32", [](int64_t a, int64_t b) { return clamp32(a + b); });
  check2<S, S>("sub.sat.s32 %d, %a0, %a1;", "b32", "b32", [](int64_t a, int64_t b) { return clamp32(a - b); });
  check3<S, S, S>("mad.hi.sat.s32 %d, %a0, %a1, %a2;", "b32", "b32", "b32",
                  [](int64_t a, int64_t b, int64_t c) { return clamp32((a * b >> 32) + c); });
  check2<S, S>("min.relu.s32 %d, %a0, %a1;", "b32", "b32", [](S a, S b) { return std::max(0, std::min(a, b)); });
  check2<S, S>("max.relu.s32 %d, %a0, %a1;", "b32", "b32", [](S a, S b) { return std::max(0, std::max(a, b)); });
  check1<S, S>("abs.s32 %d, %a0;", "b32", "b32", [](int64_t a) { return a < 0 ? -a : a; });
  check1<int64_t, int64_t>("abs.s64 %d, %a0;", "b64", "b64",
                           [](int64_t a) { return a < 0 ? int64_t(0 - uint64_t(a)) : a; });
  check1<int16_t, int16_t>("neg.s16 %d, %a0;", "b16", "b16", [](int a) { return -a; });
}

TEST(EmulatorInteger, Mul24) {
  auto low = [](int32_t v) { return int64_t(int32_t(uint32_t(v) << 8)) >> 8; };
  check2<int32_t, int32_t>("mul24.lo.s32 %d, %a0, %a1;", "b32", "b32",
                           [&](int32_t a, int32_t b) { return low(a) * low(b); });
  check2<int32_t, int32_t>("mul24.hi.s32 %d, %a0, %a1;", "b32", "b32",
                           [&](int32_t a, int32_t b) { return low(a) * low(b) >> 16; });
  check2<uint32_t, uint32_t>("mul24.hi.u32 %d, %a0, %a1;", "b32", "b32",
                             [](uint64_t a, uint64_t b) { return (a & 0xffffff) * (b & 0xffffff) >> 16; });
  check3<uint32_t, uint32_t, uint32_t>(
      "mad24.lo.u32 %d, %a0, %a1, %a2;", "b32", "b32", "b32",
      [](uint64_t a, uint64_t b, uint64_t c) { return (a & 0xffffff) * (b & 0xffffff) + c; });
}

TEST(EmulatorInteger, Packed) {
  auto halves = [](uint32_t a, uint32_t b, auto f) {
    return uint32_t(uint16_t(f(int16_t(a), int16_t(b)))) | uint32_t(uint16_t(f(int16_t(a >> 16), int16_t(b >> 16))))
                                                               << 16;
  };
  check2<uint32_t, uint32_t>("add.u16x2 %d, %a0, %a1;", "b32", "b32",
                             [&](uint32_t a, uint32_t b) { return halves(a, b, [](int x, int y) { return x + y; }); });
  check2<uint32_t, uint32_t>("min.s16x2 %d, %a0, %a1;", "b32", "b32", [&](uint32_t a, uint32_t b) {
    return halves(a, b, [](int x, int y) { return std::min(x, y); });
  });
  check2<uint32_t, uint32_t>("max.u16x2 %d, %a0, %a1;", "b32", "b32", [&](uint32_t a, uint32_t b) {
    return halves(a, b, [](int x, int y) { return std::max(x & 0xffff, y & 0xffff); });
  });
  check2<uint32_t, uint32_t>("max.relu.s16x2 %d, %a0, %a1;", "b32", "b32", [&](uint32_t a, uint32_t b) {
    return halves(a, b, [](int x, int y) { return std::max(0, std::max(x, y)); });
  });
}

TEST(EmulatorInteger, CarryChains) {
  // 128-bit sums, differences and products out of 32- and 64-bit pieces.
  check2<uint64_t, uint64_t>("add.cc.u64 %w1, %a0, %a1; addc.u64 %d, %a0, 0;", "b64", "b64",
                             [](uint64_t a, uint64_t b) { return a + uint64_t((u128(a) + b) >> 64); });
  check2<uint64_t, uint64_t>("sub.cc.u64 %w1, %a0, %a1; subc.u64 %d, %a0, %a1;", "b64", "b64",
                             [](uint64_t a, uint64_t b) { return a - b - (a < b); });
  check2<uint64_t, uint64_t>("mov.b64 {%t4, %t5}, %a0; mov.b64 {%t6, %t7}, %a1;"
                             "add.cc.u32 %t4, %t4, %t6; addc.cc.u32 %t5, %t5, %t7; addc.u32 %t8, 0, 0;"
                             "xor.b32 %t4, %t4, %t8; mov.b64 %d, {%t4, %t5};",
                             "b64", "b64",
                             [](uint64_t a, uint64_t b) { return (a + b) ^ uint64_t((u128(a) + b) >> 64); });
  // Upper 64 bits of a 64 x 64 product by schoolbook multiplication.
  check2<uint64_t, uint64_t>(
      "mov.b64 {%t4, %t5}, %a0; mov.b64 {%t6, %t7}, %a1; mul.hi.u32 %t9, %t4, %t6;"
      "mad.lo.cc.u32 %t9, %t4, %t7, %t9; madc.hi.cc.u32 %t10, %t4, %t7, 0; addc.u32 %t11, 0, 0;"
      "mad.lo.cc.u32 %t9, %t5, %t6, %t9; madc.hi.cc.u32 %t10, %t5, %t6, %t10; addc.u32 %t11, %t11, 0;"
      "mad.lo.cc.u32 %t10, %t5, %t7, %t10; madc.hi.u32 %t11, %t5, %t7, %t11; mov.b64 %d, {%t10, %t11};",
      "b64", "b64", [](uint64_t a, uint64_t b) { return uint64_t((u128(a) * b) >> 64); });
  check3<int32_t, int32_t, int32_t>(
      "mad.hi.cc.s32 %t4, %a0, %a1, %a2; addc.u32 %d, 0, 0;", "b32", "b32", "b32",
      [](int64_t a, int64_t b, int32_t c) { return (uint64_t(uint32_t(a * b >> 32)) + uint32_t(c)) >> 32; });
}

TEST(EmulatorInteger, Bits) {
  auto reverse = [](uint64_t v, int n) {
    uint64_t r = 0;
    for (int i = 0; i != n; ++i)
      r |= (v >> i & 1) << (n - 1 - i);
    return r;
  };
  check1<uint32_t, uint32_t>("popc.b32 %d, %a0;", "b32", "b32", [](uint32_t a) { return std::popcount(a); });
  check1<uint32_t, uint64_t>("popc.b64 %d, %a0;", "b32", "b64", [](uint64_t a) { return std::popcount(a); });
  check1<uint32_t, uint32_t>("clz.b32 %d, %a0;", "b32", "b32", [](uint32_t a) { return std::countl_zero(a); });
  check1<uint32_t, uint64_t>("clz.b64 %d, %a0;", "b32", "b64", [](uint64_t a) { return std::countl_zero(a); });
  check1<uint32_t, uint32_t>("brev.b32 %d, %a0;", "b32", "b32", [&](uint32_t a) { return reverse(a, 32); });
  check1<uint64_t, uint64_t>("brev.b64 %d, %a0;", "b64", "b64", [&](uint64_t a) { return reverse(a, 64); });
  auto bfind = [](int64_t v, int width, bool isSigned, bool shift) -> uint32_t {
    uint64_t u = uint64_t(v);
    if (isSigned && (u >> (width - 1) & 1))
      u = ~u;
    for (int i = width - 1; i >= 0; --i)
      if (u >> i & 1)
        return uint32_t(shift ? width - 1 - i : i);
    return ~0u;
  };
  check1<uint32_t, uint32_t>("bfind.u32 %d, %a0;", "b32", "b32",
                             [&](uint32_t a) { return bfind(a, 32, false, false); });
  check1<uint32_t, uint32_t>("bfind.s32 %d, %a0;", "b32", "b32",
                             [&](uint32_t a) { return bfind(int64_t(a), 32, true, false); });
  check1<uint32_t, uint64_t>("bfind.shiftamt.u64 %d, %a0;", "b32", "b64",
                             [&](uint64_t a) { return bfind(int64_t(a), 64, false, true); });
  check1<uint32_t, uint64_t>("bfind.s64 %d, %a0;", "b32", "b64",
                             [&](uint64_t a) { return bfind(int64_t(a), 64, true, false); });
  check1<uint32_t, uint32_t>("cnot.b32 %d, %a0;", "b32", "b32", [](uint32_t a) { return a == 0; });
  check1<uint16_t, uint16_t>("not.b16 %d, %a0;", "b16", "b16", [](uint16_t a) { return ~a; });
}

/// bfe as the ISA's pseudo-code.
template <typename T> T bfe(T a, uint32_t b, uint32_t c) {
  int msb = 8 * sizeof(T) - 1, pos = int(b & 0xff), len = int(c & 0xff);
  std::make_unsigned_t<T> u = a, d = 0;
  bool sbit = std::is_signed_v<T> && len != 0 ? u >> std::min(pos + len - 1, msb) & 1 : false;
  for (int i = 0; i <= msb; ++i)
    if ((i < len && pos + i <= msb) ? u >> (pos + i) & 1 : sbit)
      d |= std::make_unsigned_t<T>(1) << i;
  return T(d);
}
template <typename T> T bfi(T a, T b, uint32_t c, uint32_t d) {
  int msb = 8 * sizeof(T) - 1, pos = int(c & 0xff), len = int(d & 0xff);
  T f = b;
  for (int i = 0; i < len && pos + i <= msb; ++i)
    f = (f & ~(T(1) << (pos + i))) | (a >> i & 1) << (pos + i);
  return f;
}

TEST(EmulatorInteger, BitFields) {
  auto small = [](uint64_t seed, size_t n) {
    std::vector<uint32_t> v(n);
    Rng rng(seed);
    for (uint32_t &x : v)
      x = uint32_t(rng.next() % 70 | (rng.next() % 4 == 0 ? rng.next() << 8 : 0)); // upper bits are ignored
    return v;
  };
  std::vector<uint32_t> a = operands<uint32_t>(8), b = operands<uint32_t>(9), pos = small(10, a.size()),
                        len = small(11, a.size());
  std::vector<uint64_t> a64 = operands<uint64_t>(12), b64 = operands<uint64_t>(13);
  auto r1 = runElementwise<uint32_t>("bfe.u32 %d, %a0, %a1, %a2;", "b32", {"b32", "b32", "b32"}, "sm_80", a, pos, len);
  auto r2 = runElementwise<int32_t>("bfe.s32 %d, %a0, %a1, %a2;", "b32", {"b32", "b32", "b32"}, "sm_80", a, pos, len);
  auto r3 =
      runElementwise<uint64_t>("bfe.u64 %d, %a0, %a1, %a2;", "b64", {"b64", "b32", "b32"}, "sm_80", a64, pos, len);
  auto r4 = runElementwise<int64_t>("bfe.s64 %d, %a0, %a1, %a2;", "b64", {"b64", "b32", "b32"}, "sm_80", a64, pos, len);
  auto r5 = runElementwise<uint32_t>("bfi.b32 %d, %a0, %a1, %a2, %a3;", "b32", {"b32", "b32", "b32", "b32"}, "sm_80", a,
                                     b, pos, len);
  auto r6 = runElementwise<uint64_t>("bfi.b64 %d, %a0, %a1, %a2, %a3;", "b64", {"b64", "b64", "b32", "b32"}, "sm_80",
                                     a64, b64, pos, len);
  for (size_t i = 0; i != a.size(); ++i) {
    ASSERT_EQ(r1[i], bfe<uint32_t>(a[i], pos[i], len[i])) << a[i] << " " << pos[i] << " " << len[i];
    ASSERT_EQ(r2[i], bfe<int32_t>(int32_t(a[i]), pos[i], len[i])) << a[i] << " " << pos[i] << " " << len[i];
    ASSERT_EQ(r3[i], bfe<uint64_t>(a64[i], pos[i], len[i]));
    ASSERT_EQ(r4[i], bfe<int64_t>(int64_t(a64[i]), pos[i], len[i]));
    ASSERT_EQ(r5[i], bfi<uint32_t>(a[i], b[i], pos[i], len[i]));
    ASSERT_EQ(r6[i], bfi<uint64_t>(a64[i], b64[i], pos[i], len[i]));
  }
}

TEST(EmulatorInteger, MaskAndExtend) {
  check2<uint32_t, uint32_t>("bmsk.clamp.b32 %d, %a0, %a1;", "b32", "b32", [](uint64_t a, uint64_t b) {
    uint32_t r = 0;
    for (uint64_t i = a; i < a + b && i < 32; ++i)
      r |= 1u << i;
    return r;
  });
  check2<uint32_t, uint32_t>("bmsk.wrap.b32 %d, %a0, %a1;", "b32", "b32", [](uint32_t a, uint32_t b) {
    return uint32_t(((uint64_t(1) << (b & 31)) - 1) << (a & 31));
  });
  check2<uint32_t, uint32_t>("szext.wrap.u32 %d, %a0, %a1;", "b32", "b32",
                             [](uint32_t a, uint32_t b) { return a & uint32_t((uint64_t(1) << (b & 31)) - 1); });
  check2<int32_t, int32_t>("szext.clamp.s32 %d, %a0, %a1;", "b32", "b32", [](int32_t a, uint32_t b) -> int32_t {
    if (b >= 32)
      return a;
    if (b == 0)
      return 0;
    return int32_t(uint32_t(a) << (32 - b)) >> (32 - b);
  });
  check3<uint32_t, uint32_t, int32_t>("and.b32 %t4, %a1, 31; rem.s32 %t5, %a2, 9; fns.b32 %d, %a0, %t4, %t5;", "b32",
                                      "b32", "b32", [](uint32_t mask, uint32_t base, int32_t offset) -> uint32_t {
                                        base &= 31;
                                        offset %= 9;
                                        std::vector<uint32_t> set;
                                        if (offset == 0)
                                          return mask >> base & 1 ? base : ~0u;
                                        for (int b = int(base); b >= 0 && b < 32; b += offset > 0 ? 1 : -1)
                                          if (mask >> b & 1)
                                            set.push_back(uint32_t(b));
                                        size_t n = size_t(offset > 0 ? offset : -offset);
                                        return set.size() >= n ? set[n - 1] : ~0u;
                                      });
}

TEST(EmulatorInteger, Shifts) {
  auto amounts = [](size_t n) {
    Rng rng(20);
    std::vector<uint32_t> v(n);
    for (uint32_t &x : v)
      x = rng.next() % 8 ? uint32_t(rng.next() % 70) : uint32_t(rng.next());
    return v;
  };
  auto one = [&](auto zero, const std::string &t, const std::string &op, auto f) {
    using T = decltype(zero);
    std::vector<T> a = operands<T>(21);
    std::vector<uint32_t> n = amounts(a.size());
    std::string reg = "b" + std::to_string(8 * sizeof(T));
    std::vector<T> r = runElementwise<T>(op + "." + t + " %d, %a0, %a1;", reg, {reg, "b32"}, "sm_80", a, n);
    for (size_t i = 0; i != a.size(); ++i)
      ASSERT_EQ(r[i], f(a[i], n[i])) << op << t << " " << +a[i] << " by " << n[i];
  };
  // One bit at a time, so that no host shift is out of range.
  auto left = [](auto a, uint32_t n) {
    for (uint32_t k = 0; k != std::min(n, 64u); ++k)
      a = decltype(a)(std::make_unsigned_t<decltype(a)>(a) << 1);
    return a;
  };
  auto right = [](auto a, uint32_t n) {
    for (uint32_t k = 0; k != std::min(n, 64u); ++k)
      a = decltype(a)(a >> 1);
    return a;
  };
  one(uint16_t(), "b16", "shl", left);
  one(uint32_t(), "b32", "shl", left);
  one(uint64_t(), "b64", "shl", left);
  one(uint16_t(), "u16", "shr", right);
  one(int16_t(), "s16", "shr", right);
  one(uint32_t(), "b32", "shr", right);
  one(int32_t(), "s32", "shr", right);
  one(uint64_t(), "u64", "shr", right);
  one(int64_t(), "s64", "shr", right);
  auto funnel = [](bool l, bool wrap) {
    return [=](uint32_t a, uint32_t b, uint32_t c) {
      uint32_t n = wrap ? c & 31 : std::min(c, 32u);
      u128 v = u128(b) << 32 | a;
      return l ? uint32_t(v << n >> 32) : uint32_t(v >> n);
    };
  };
  using V = uint32_t;
  check3<V, V, V>("shf.l.wrap.b32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", funnel(true, true));
  check3<V, V, V>("shf.l.clamp.b32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", funnel(true, false));
  check3<V, V, V>("shf.r.wrap.b32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", funnel(false, true));
  check3<V, V, V>("shf.r.clamp.b32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", funnel(false, false));
}

TEST(EmulatorInteger, Permutes) {
  using V = uint32_t;
  auto bytes = [](V a, V b) {
    std::array<uint8_t, 8> p{};
    std::memcpy(p.data(), &a, 4);
    std::memcpy(p.data() + 4, &b, 4);
    return p;
  };
  check3<V, V, V>("prmt.b32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", [&](V a, V b, V c) {
    auto p = bytes(a, b);
    V r = 0;
    for (int k = 0; k != 4; ++k) {
      V sel = c >> (4 * k) & 15, byte = p[sel & 7];
      if (sel & 8)
        byte = byte & 0x80 ? 0xff : 0;
      r |= byte << (8 * k);
    }
    return r;
  });
  auto mode = [&](const std::string &name, auto index) {
    check3<V, V, V>("prmt.b32." + name + " %d, %a0, %a1, %a2;", "b32", "b32", "b32", [&](V a, V b, V c) {
      auto p = bytes(a, b);
      V r = 0;
      for (int k = 0; k != 4; ++k)
        r |= V(p[index(int(c & 3), k)]) << (8 * k);
      return r;
    });
  };
  mode("f4e", [](int s, int k) { return s + k; });
  mode("b4e", [](int s, int k) { return (s - k) & 7; });
  mode("rc8", [](int s, int) { return s; });
  mode("ecl", [](int s, int k) { return std::max(s, k); });
  mode("ecr", [](int s, int k) { return std::min(s, k); });
  mode("rc16", [](int s, int k) { return 2 * (s & 1) + (k & 1); });
}

TEST(EmulatorInteger, Logic) {
  using V = uint32_t;
  check2<uint16_t, uint16_t>("and.b16 %d, %a0, %a1;", "b16", "b16", [](int a, int b) { return a & b; });
  check2<uint64_t, uint64_t>("or.b64 %d, %a0, %a1;", "b64", "b64", [](uint64_t a, uint64_t b) { return a | b; });
  check2<V, V>("xor.b32 %d, %a0, %a1;", "b32", "b32", [](V a, V b) { return a ^ b; });
  for (int table : {0x00, 0x01, 0x1e, 0x80, 0x96, 0xca, 0xe8, 0xf8, 0xff})
    check3<V, V, V>("lop3.b32 %d, %a0, %a1, %a2, " + std::to_string(table) + ";", "b32", "b32", "b32",
                    [&](V a, V b, V c) {
                      V r = 0;
                      for (int i = 0; i != 32; ++i)
                        r |= V(table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
                      return r;
                    });
  check3<V, V, V>("setp.lt.s32 %q, %a0, 0; lop3.or.b32 %t4|%p, %a0, %a1, %a2, 0x80, %q; selp.b32 %t5, 7, 0, %p; "
                  "add.u32 %d, %t4, %t5;",
                  "b32", "b32", "b32",
                  [](V a, V b, V c) { return (a & b & c) + ((a & b & c) != 0 || int32_t(a) < 0 ? 7 : 0); });
  check2<V, V>("setp.lt.s32 %p, %a0, %a1; setp.eq.u32 %q, %a0, 0; not.pred %p, %p; and.pred %r, %p, %q; xor.pred %r, "
               "%r, !%q; or.pred %r, %r, %p; selp.u32 %d, 1, 0, %r;",
               "b32", "b32", [](V a, V b) {
                 bool p = !(int32_t(a) < int32_t(b)), q = a == 0, r = p && q;
                 r = r != !q;
                 return r || p;
               });
}

TEST(EmulatorInteger, DotProducts) {
  auto dp4 = [](auto x, auto y) {
    return [=](uint32_t a, uint32_t b, uint32_t c) {
      int64_t s = c;
      for (int k = 0; k != 4; ++k)
        s += int64_t(decltype(x)(a >> 8 * k)) * int64_t(decltype(y)(b >> 8 * k));
      return uint32_t(s);
    };
  };
  using V = uint32_t;
  check3<V, V, V>("dp4a.u32.u32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp4(uint8_t(), uint8_t()));
  check3<V, V, V>("dp4a.s32.u32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp4(int8_t(), uint8_t()));
  check3<V, V, V>("dp4a.u32.s32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp4(uint8_t(), int8_t()));
  check3<V, V, V>("dp4a.s32.s32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp4(int8_t(), int8_t()));
  auto dp2 = [](bool hi) {
    return [=](uint32_t a, uint32_t b, uint32_t c) {
      int64_t s = c;
      for (int k = 0; k != 2; ++k)
        s += int64_t(int16_t(a >> 16 * k)) * int64_t(uint8_t(b >> (8 * k + (hi ? 16 : 0))));
      return uint32_t(s);
    };
  };
  check3<V, V, V>("dp2a.lo.s32.u32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp2(false));
  check3<V, V, V>("dp2a.hi.s32.u32 %d, %a0, %a1, %a2;", "b32", "b32", "b32", dp2(true));
}

TEST(EmulatorInteger, Comparisons) {
  auto all = [](auto zero, const std::string &t) {
    using T = decltype(zero);
    std::string reg = "b" + std::to_string(8 * sizeof(T));
    auto one = [&](const std::string &op, auto f) {
      std::vector<T> a = operands<T>(30), b = operands<T>(31);
      for (size_t i = 0; i < a.size(); i += 3)
        b[i] = a[i];
      auto r = runElementwise<uint32_t>("setp." + op + "." + t + " %p, %a0, %a1; selp.u32 %d, 1, 0, %p;", "b32",
                                        {reg, reg}, "sm_80", a, b);
      for (size_t i = 0; i != a.size(); ++i)
        ASSERT_EQ(r[i], uint32_t(f(a[i], b[i]))) << op << t << " " << +a[i] << " " << +b[i];
    };
    one("eq", [](T a, T b) { return a == b; });
    one("ne", [](T a, T b) { return a != b; });
    one("lt", [](T a, T b) { return a < b; });
    one("le", [](T a, T b) { return a <= b; });
    one("gt", [](T a, T b) { return a > b; });
    one("ge", [](T a, T b) { return a >= b; });
  };
  all(uint16_t(), "u16");
  all(int16_t(), "s16");
  all(uint32_t(), "u32");
  all(int32_t(), "s32");
  all(uint64_t(), "u64");
  all(int64_t(), "s64");
  using V = uint32_t;
  check2<V, V>("setp.lo.u32 %p, %a0, %a1; setp.hs.u32 %q, %a0, 77; selp.u32 %t4, 1, 0, %p; selp.u32 %t5, 2, 0, %q; "
               "add.u32 %d, %t4, %t5;",
               "b32", "b32", [](V a, V b) { return (a < b) + 2 * (a >= 77); });
  // Two predicates and a boolean combination: p = (a < b) op c, q = !(a < b) op c.
  check3<V, V, V>("setp.ne.u32 %r, %a2, 0; setp.lt.and.s32 %p|%q, %a0, %a1, !%r; selp.u32 %t4, 1, 0, %p; selp.u32 %t5, "
                  "2, 0, %q; add.u32 %d, %t4, %t5;",
                  "b32", "b32", "b32", [](V a, V b, V c) {
                    bool lt = int32_t(a) < int32_t(b), r = c != 0;
                    return (lt && !r) + 2 * (!lt && !r);
                  });
  check3<V, V, V>("setp.ne.u32 %r, %a2, 0; setp.gt.xor.u32 %p|%q, %a0, %a1, %r; selp.u32 %t4, 1, 0, %p; selp.u32 %t5, "
                  "2, 0, %q; add.u32 %d, %t4, %t5;",
                  "b32", "b32", "b32",
                  [](V a, V b, V c) { return ((a > b) != (c != 0)) + 2 * (!(a > b) != (c != 0)); });
  check2<V, V>("set.lt.u32.s32 %d, %a0, %a1;", "b32", "b32", [](int32_t a, int32_t b) { return a < b ? ~0u : 0; });
  check2<V, V>("set.ge.f32.u32 %t4, %a0, %a1; mov.b32 %d, %t4;", "b32", "b32",
               [](V a, V b) { return a >= b ? 0x3f800000u : 0; });
  check2<uint16_t, V>("set.eq.u16.u32 %d, %a0, %a1;", "b16", "b32", [](V a, V b) { return a == b ? 0xffff : 0; });
  check3<V, V, int32_t>("slct.b32.s32 %d, %a0, %a1, %a2;", "b32", "b32", "b32",
                        [](V a, V b, int32_t c) { return c >= 0 ? a : b; });
  check3<uint64_t, uint64_t, int32_t>("slct.u64.s32 %d, %a0, %a1, %a2;", "b64", "b64", "b32",
                                      [](uint64_t a, uint64_t b, int32_t c) { return c >= 0 ? a : b; });
}

TEST(EmulatorInteger, Moves) {
  check2<uint64_t, uint32_t>("mov.b64 %d, {%a0, %a1};", "b64", "b32",
                             [](uint64_t a, uint64_t b) { return a | b << 32; });
  check2<uint32_t, uint16_t>("mov.b32 %d, {%a0, %a1};", "b32", "b16",
                             [](uint32_t a, uint32_t b) { return a | b << 16; });
  check1<uint32_t, uint64_t>("mov.b64 {_, %d}, %a0;", "b32", "b64", [](uint64_t a) { return a >> 32; });
  check1<uint16_t, uint64_t>("mov.b64 {%h0, %h1, %d, %h3}, %a0;", "b16", "b64", [](uint64_t a) { return a >> 32; });
  check2<uint64_t, uint64_t>(
      "{ .reg .b128 %x, %y; mov.b128 %x, {%a0, %a1}; mov.b128 %y, %x; mov.b128 {%w1, %w2}, %y; sub.u64 %d, %w1, %w2; }",
      "b64", "b64", [](uint64_t a, uint64_t b) { return a - b; });
  check1<uint32_t, uint32_t>("{ .reg .v4 .b32 v; mov.b32 v.y, %a0; mov.b32 v.w, 5; add.u32 %d, v.y, v.w; }", "b32",
                             "b32", [](uint32_t a) { return a + 5; });
}

TEST(EmulatorInteger, Video) {
  auto run = [](const std::string &op, uint32_t a, uint32_t b, uint32_t c) {
    return runElementwise<uint32_t>(op + " %d, %a0, %a1, %a2;", "b32", {"b32", "b32", "b32"}, "sm_75",
                                    std::vector<uint32_t>{a}, std::vector<uint32_t>{b}, std::vector<uint32_t>{c})[0];
  };
  EXPECT_EQ(run("vabsdiff4.u32.u32.u32", 0x01ff8000, 0x02018001, 99), 0x01fe0001u);
  EXPECT_EQ(run("vabsdiff4.s32.s32.s32.sat", 0x807f0000, 0x7f800000, 0), 0x7f7f0000u);
  EXPECT_EQ(run("vabsdiff2.u32.u32.u32.add", 0x00050001, 0x00010004, 100), 107u);
  EXPECT_EQ(run("vadd4.u32.u32.u32.sat", 0xff80017f, 0x01800201, 0), 0xffff0380u);
  EXPECT_EQ(run("vadd2.s32.s32.s32.sat", 0x7fff8000, 0x0001ffff, 0), 0x7fff8000u);
  EXPECT_EQ(run("vavrg4.u32.u32.u32", 0x01020304, 0x02020506, 0), 0x02020405u);
  EXPECT_EQ(run("vmax4.s32.s32.s32", 0x80017f00, 0x01800001, 0), 0x01017f01u);
  EXPECT_EQ(run("vset4.u32.u32.lt", 0x01020304, 0x02020405, 0), 0x01000101u);
  EXPECT_EQ(run("vset2.s32.s32.ge.add", 0xffff0001, 0x00000001, 10), 11u);
  EXPECT_EQ(run("vadd.s32.s32.s32.sat.min", 0x7fffffff, 5, 3), 3u);
  EXPECT_EQ(run("vadd.u32.u32.s32.add", 10, uint32_t(-3), 100), 107u);
  EXPECT_EQ(run("vshl.u32.u32.u32.clamp.add", 1, 40, 7), 7u);
  EXPECT_EQ(run("vshl.u32.u32.u32.wrap.add", 1, 33, 7), 9u);
  EXPECT_EQ(run("vshr.s32.s32.u32.clamp.max", 0x80000000, 31, uint32_t(-5)), uint32_t(-1));
  EXPECT_EQ(run("vmad.s32.s32.s32.shr7", 1000, uint32_t(-3), 56), uint32_t(-23));
  EXPECT_EQ(run("vmad.u32.u32.u32.sat", 0x10000, 0x10000, 1), 0xffffffffu);
  EXPECT_EQ(run("vadd.s32.s32.s32", 5, 6, 99), 11u); // a third source that nothing is merged with
  EXPECT_NE(parseError(ptx(".visible .entry k()\n{\n.reg .b32 %r<4>;\nvadd.s32.s32.s32.add %r0, %r1, %r2;\nret;\n}\n"))
                .find("the third source"),
            std::string::npos);
}

TEST(EmulatorInteger, WordsInAnyOrder) {
  // Spellings of nvcc's headers.
  auto relu = runElementwise<uint32_t>("max.s32.relu %d, %a0, %a1;", "b32", {"b32", "b32"}, "sm_90",
                                       std::vector<uint32_t>{uint32_t(-5)}, std::vector<uint32_t>{uint32_t(-3)});
  EXPECT_EQ(relu[0], 0u);
  auto set = runElementwise<uint32_t>("set.gt.u32.f16x2 %d, %a0, %a1;", "b32", {"b32", "b32"}, "sm_80",
                                      std::vector<uint32_t>{0x40003c00}, std::vector<uint32_t>{0x3c003c00});
  EXPECT_EQ(set[0], 0xffff0000u);
  Memory memory;
  uint64_t p = upload(memory, std::vector<uint32_t>{5}, "p");
  auto m = parse(ptx(".visible .entry k(.param .u64 a)\n{\n.reg .b64 %p; .reg .b32 %r<3>;\nld.param.u64 %p, "
                     "[a];\natom.add.acquire.gpu.u32 %r0, [%p], 1;\n"
                     "atom.global.sys.add.u32 %r0, [%p], 2;\natom.cas.relaxed.gpu.b32 %r1, [%p], 8, "
                     "20;\nred.gpu.global.max.u32 [%p], 21;\nret;\n}\n"));
  ASSERT_TRUE(m);
  LaunchConfig config;
  config.args.add(p);
  LaunchResult r = launch(*m, memory, config);
  EXPECT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint32_t>(memory, p, 1)[0], 21u);
  auto root = runElementwise<float>("rsqrt.approx.f32.ftz %d, %a0;", "f32", {"f32"}, "sm_80", std::vector<float>{4});
  EXPECT_EQ(root[0], 0.5f);
  // Types stay in order.
  EXPECT_NE(parseError(ptx(".visible .entry k()\n{\n.reg .f32 %f; .reg .b32 %r;\ncvt.f32.s32.rn %r, %f;\nret;\n}\n")),
            "");
  EXPECT_NE(parseError(ptx(
                ".visible .entry k()\n{\n.reg .b64 %p; .reg .b32 %r<3>;\natom.add.add.u32 %r0, [%p], 1;\nret;\n}\n")),
            "");
  EXPECT_NE(parseError(ptx(
                ".visible .entry k()\n{\n.reg .b64 %p; .reg .b32 %r<3>;\natom.global.u32 %r0, [%p], 1;\nret;\n}\n")),
            "");
}

} // namespace
