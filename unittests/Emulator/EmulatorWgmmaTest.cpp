//===- EmulatorWgmmaTest.cpp - wgmma.mma_async ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WgmmaTestUtil.h"

#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"

#include <cstdlib>
#include <fstream>

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::wgmma;

namespace {

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Address of the byte of element (mn, k) by the emulator's walk.
uint32_t walked(uint64_t descriptor, bool mnMajor, uint32_t mn, uint32_t k, uint32_t bits, uint32_t tileMn,
                uint32_t tileK) {
  std::vector<uint32_t> units;
  std::string fault;
  EXPECT_TRUE(smemUnits(wgmmaDescriptor(descriptor), {mnMajor, tileMn, tileK, bits}, units, fault)) << fault;
  uint32_t byte = mnMajor ? mn * bits / 8 : k * bits / 8;
  uint32_t perLine = (mnMajor ? tileMn : tileK) * bits / 8 / 16;
  return units[(mnMajor ? k : mn) * perLine + byte / 16] + byte % 16;
}
uint64_t descriptor(uint32_t start, uint32_t leading, uint32_t stride, Swizzle s) {
  return uint64_t(s) << 62 | uint64_t(stride >> 4) << 32 | uint64_t(leading >> 4) << 16 | start >> 4;
}

TEST(WgmmaDescriptor, Fields) {
  EXPECT_EQ(descriptor(0x8400, 16, 1024, S128), 0x4000004000010840ull);
  SmemDescriptor d = wgmmaDescriptor(0x4000004000010840ull);
  EXPECT_EQ(d.start, 0x8400u);
  EXPECT_EQ(d.leading, 16u);
  EXPECT_EQ(d.stride, 1024u);
  EXPECT_EQ(d.swizzle, SmemSwizzle::B128);
  EXPECT_EQ(d.fault, "");
  EXPECT_EQ(wgmmaDescriptor(uint64_t(2) << 62).swizzle, SmemSwizzle::B64);
  EXPECT_EQ(wgmmaDescriptor(uint64_t(3) << 62).swizzle, SmemSwizzle::B32);
  for (int bit : {14, 15, 30, 31, 46, 47, 48, 52, 53, 61})
    EXPECT_NE(wgmmaDescriptor(uint64_t(1) << bit).fault, "") << bit;
  // tcgen05: the constant in 48:46, the mode in 63:61.
  d = tcgen05Descriptor(0x4000404000010040ull);
  EXPECT_EQ(d.start, 0x400u);
  EXPECT_EQ(d.leading, 16u);
  EXPECT_EQ(d.stride, 1024u);
  EXPECT_EQ(d.swizzle, SmemSwizzle::B128);
  EXPECT_EQ(d.fault, "");
  EXPECT_EQ(tcgen05Descriptor(0x2000404002000200ull).swizzle, SmemSwizzle::B128Atom32);
  EXPECT_EQ(tcgen05Descriptor(uint64_t(4) << 61).swizzle, SmemSwizzle::B64);
  EXPECT_EQ(tcgen05Descriptor(uint64_t(6) << 61).swizzle, SmemSwizzle::B32);
  EXPECT_NE(tcgen05Descriptor(uint64_t(3) << 61).fault, "");
  EXPECT_NE(tcgen05Descriptor(uint64_t(1) << 53).fault, "");
}

TEST(WgmmaDescriptor, KnownAddresses) {
  EXPECT_EQ(walked(descriptor(0x400, 16, 1024, S128), false, 5, 20, 16, 64, 64), 0x6F8u);
  EXPECT_EQ(walked(descriptor(0x400, 16, 1024, S128), false, 13, 50, 16, 64, 64), 0xAB4u);
  // A buffer aligned to 128 bytes: the pattern goes by absolute addresses, as it does for the tensor copy that fills
  // it.
  EXPECT_EQ(walked(descriptor(0x480, 16, 1024, S128), false, 5, 20, 16, 64, 64), 0x748u);
  EXPECT_EQ(walked(descriptor(0x480, 16, 1024, S128), false, 13, 50, 16, 64, 64), 0xB04u);
  EXPECT_EQ(walked(descriptor(0x480, 16, 1024, S128), false, 7, 8, 16, 64, 64), 0x810u); // in the next pattern
  EXPECT_EQ(walked(descriptor(0x200, 16, 512, S64), false, 6, 9, 32, 64, 16), 0x394u);
  EXPECT_EQ(walked(descriptor(0, 512, 128, None), false, 11, 12, 16, 64, 16), 0x2B8u);
  EXPECT_EQ(walked(descriptor(0, 8192, 1024, S128), true, 70, 11, 16, 128, 16), 0x25BCu);
  EXPECT_EQ(walked(descriptor(0, 2048, 256, None), true, 13, 11, 16, 64, 16), 0x93Au);
}

TEST(WgmmaDescriptor, Faults) {
  std::vector<uint32_t> units;
  std::string fault;
  SmemTile a{false, 64, 16, 16}, t{true, 64, 16, 16};
  auto bad = [&](uint64_t bits, const SmemTile &tile) { return !smemUnits(wgmmaDescriptor(bits), tile, units, fault); };
  EXPECT_FALSE(bad(descriptor(0x400, 16, 1024, S128), a));
  EXPECT_FALSE(bad(descriptor(0x460, 16, 1024, S128), a)); // the last 32 bytes of the row
  EXPECT_TRUE(bad(descriptor(0x470, 16, 1024, S128), a));  // runs over the row's end
  EXPECT_FALSE(bad(descriptor(0x480, 16, 1024, S128), a)); // second row of the pattern: a buffer aligned to 128 bytes
  EXPECT_TRUE(bad(descriptor(0x480, 16, 1024, S128) | uint64_t(1) << 49, a)); // the same, with the base offset
  EXPECT_TRUE(bad(descriptor(0x4F0, 16, 1024, S128), a));                     // runs over the end of that row
  EXPECT_FALSE(bad(descriptor(0x480, 16, 512, S64), a));
  EXPECT_TRUE(bad(descriptor(0x440, 16, 512, S64), a)); // no tensor copy can have begun there
  EXPECT_TRUE(bad(descriptor(0x420, 16, 256, S32), a));
  EXPECT_TRUE(bad(descriptor(0x400, 16, 512, S128), a)); // groups of rows not at patterns
  EXPECT_TRUE(bad(descriptor(0x400, 16, 1024, S128) | uint64_t(1) << 49, a));
  EXPECT_FALSE(bad(descriptor(0x410, 16, 128, None), a));
  EXPECT_FALSE(bad(descriptor(0x400, 1024, 1024, S128), t));
  EXPECT_FALSE(bad(descriptor(0x480, 1024, 1024, S128), t));
  EXPECT_TRUE(bad(descriptor(0x420, 1024, 1024, S128), t));
  EXPECT_TRUE(bad(descriptor(0x400, 1024, 128, S128), t));
  // 64 bytes along K do not fit the 32-byte pattern (sparse B).
  EXPECT_TRUE(bad(descriptor(0x400, 16, 256, S32), {false, 64, 32, 16}));
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

/// D = one-hot A * B puts the number of an element of B into its home.
TEST(Wgmma, AccumulatorHomes) {
  auto [r, t] = homeOf(43, 42);
  EXPECT_EQ(r, 22u);
  EXPECT_EQ(t, 2 * 32 + 13u);
  Case c = plain(64, "s8", "u8", "s32");
  Rng rng(1);
  Operands o = randomOperands(c, rng);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned k = 0; k != 32; ++k)
      o.a[row * 32 + k] = o.stored[row * 32 + k] = k == (row * 5) % 32 ? 1 : 0;
  for (unsigned col = 0; col != 64; ++col)
    for (unsigned k = 0; k != 32; ++k)
      o.b[col * 32 + k] = (col * 3 + k * 7) % 256;
  for (unsigned i = 0; i != o.d.size(); ++i)
    o.d[i] = i * 1000; // names the element
  placeAll(c, o);
  Outcome out = run(c, o, kernel(c, standard(c)));
  ASSERT_TRUE(out.result.ok) << reports(out.result);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned col = 0; col != 64; ++col)
      ASSERT_EQ(out.d[row * 64 + col], (row * 64 + col) * 1000.0 + (col * 3 + (row * 5) % 32 * 7) % 256)
          << row << " " << col;
}

TEST(Wgmma, AllColumnCounts) {
  for (unsigned n = 8; n <= 256; n += 8) {
    check(plain(n, "bf16", "bf16", "f32"), n);
    check(plain(n, "f16", "f16", "f16"), n);
    if (n <= 32 || n % 16 == 0)
      check(plain(n, "s8", "s8", "s32"), n);
    else
      EXPECT_NE(
          parseError(ptx(kernel(plain(n, "s8", "s8", "s32"), standard(plain(n, "s8", "s8", "s32"))))).find("no shape"),
          std::string::npos);
  }
}

struct Types {
  const char *a, *b, *d;
};
const Types denseTypes[] = {{"f16", "f16", "f32"},   {"f16", "f16", "f16"},   {"bf16", "bf16", "f32"},
                            {"tf32", "tf32", "f32"}, {"e4m3", "e4m3", "f32"}, {"e4m3", "e5m2", "f16"},
                            {"e5m2", "e4m3", "f32"}, {"e5m2", "e5m2", "f16"}, {"s8", "s8", "s32"},
                            {"s8", "u8", "s32"},     {"u8", "s8", "s32"},     {"u8", "u8", "s32"},
                            {"b1", "b1", "s32"}};

TEST(Wgmma, TypesMajorsAndSwizzles) {
  uint64_t seed = 100;
  for (const Types &t : denseTypes)
    for (Swizzle s : {None, S32, S64, S128})
      for (bool major : {false, true}) {
        if (major && bitsOf(t.a) != 16)
          continue;
        Case c = plain(24, t.a, t.b, t.d);
        c.la = tile(s, major, 64, c.k(), bitsOf(t.a));
        for (Swizzle sb : {None, S32, S64, S128})
          for (bool bMajor : {false, true}) {
            if (bMajor && bitsOf(t.b) != 16)
              continue;
            c.lb = tile(sb, bMajor, 24, c.k(), bitsOf(t.b));
            c.lb.start += 16384;
            check(c, seed++);
          }
      }
}

TEST(Wgmma, StartInsideTheRow) {
  for (Swizzle s : {S64, S128})
    for (uint32_t before = 0; before + 32 <= (s == S64 ? 64u : 128u); before += 32) {
      Case c = plain(48, "bf16", "bf16", "f32");
      c.la = tile(s, false, 64, 16, 16, before);
      c.lb = tile(s, false, 48, 16, 16, before);
      c.lb.start += 16384;
      check(c, 300 + before);
    }
}

TEST(Wgmma, RegistersOfA) {
  uint64_t seed = 400;
  for (const Types &t : denseTypes)
    for (unsigned n : {8u, 32u, 128u}) {
      Case c = plain(n, t.a, t.b, t.d);
      c.aRegisters = true;
      check(c, seed++);
      if (c.transposable()) {
        c.lb = tile(S128, true, n, 16, 16);
        check(c, seed++);
      }
    }
}

TEST(Wgmma, Scales) {
  for (const Types &t : denseTypes)
    for (int mask = 0; mask != 8; ++mask) {
      Case c = plain(16, t.a, t.b, t.d);
      c.scale = mask & 1;
      if (!c.integer()) {
        c.scaleA = mask & 2 ? -1 : 1;
        c.scaleB = mask & 4 ? -1 : 1;
      }
      c.aRegisters = mask == 3;
      check(c, 500 + unsigned(mask));
    }
}

TEST(Wgmma, Sparse) {
  uint64_t seed = 600;
  for (const Types &t : denseTypes) {
    if (std::string(t.a) == "b1")
      continue;
    for (int selector : {0, 1})
      for (bool inRegisters : {false, true})
        for (Swizzle sb : {None, S64, S128}) {
          Case c = plain(40, t.a, t.b, t.d, true);
          if (c.integer())
            c.n = 48;
          if (selector && bitsOf(t.a) == 8)
            continue;
          c.selector = selector;
          c.aRegisters = inRegisters;
          c.la = tile(S64, false, 64, c.storedK(), bitsOf(t.a), 32);
          c.lb = tile(sb, false, c.n, c.k(), bitsOf(t.b));
          c.lb.start += 16384;
          check(c, seed++);
          if (c.transposable()) {
            c.la = tile(S128, true, 64, c.storedK(), 16);
            c.lb = tile(S32, true, c.n, c.k(), 16);
            c.lb.start += 16384;
            check(c, seed++);
          }
        }
  }
  // Row 11, columns 40..43 of an 8-bit A: lane 15, bits 11:8.
  Case c = plain(8, "s8", "s8", "s32", true);
  Rng rng(3);
  Operands o = randomOperands(c, rng);
  o.meta[15] = (o.meta[15] & ~0xf00u) | 0x500; // two equal indices
  Outcome out = run(c, o, kernel(c, standard(c)));
  const Report *r = findReport(out.result, ReportKind::InvalidOperation);
  ASSERT_TRUE(r);
  EXPECT_NE(r->message.find("row 11, chunk 10"), std::string::npos) << r->message;
}

TEST(Wgmma, IntegersWrapOrSaturate) {
  for (bool saturate : {false, true}) {
    Case c = plain(8, "u8", "u8", "s32");
    c.satfinite = saturate;
    Rng rng(5);
    Operands o = randomOperands(c, rng);
    o.d.assign(o.d.size(), 2147483600.0);
    std::vector<double> want = expected(c, o);
    Outcome out = run(c, o, kernel(c, standard(c)));
    ASSERT_TRUE(out.result.ok) << reports(out.result);
    for (unsigned i = 0; i != want.size(); ++i)
      EXPECT_EQ(out.d[i], want[i] <= 2147483647.0 ? want[i] : saturate ? 2147483647.0 : want[i] - 4294967296.0);
  }
}

/// sm_90's fp8 adder keeps 13 fraction bits of the largest term and cuts off what is below.
TEST(Wgmma, Fp8Adder) {
  Case c = plain(8, "e4m3", "e4m3", "f32");
  Rng rng(7);
  Operands o = randomOperands(c, rng);
  std::fill(o.stored.begin(), o.stored.end(), 0);
  std::fill(o.b.begin(), o.b.end(), 1);
  std::fill(o.d.begin(), o.d.end(), 0);
  auto set = [&](unsigned row, std::vector<double> values, double d) {
    std::copy(values.begin(), values.end(), &o.stored[row * 32]);
    for (unsigned col = 0; col != 8; ++col)
      o.d[row * 8 + col] = d;
  };
  set(0, {256, 1.0 / 32, 1.0 / 64}, 0);   // 2^8: unit 2^-5; 2^-6 is lost
  set(1, {256, 1.0 / 64, 1.0 / 64}, 0);   // each is cut off by itself
  set(2, {256, -1.0 / 64}, 0);            // towards zero, not down
  set(3, {1}, 16384 + 3);                 // C: unit 2
  set(4, {1, 1}, 8192);                   // 14 bits are kept
  set(5, {256, 256}, 1.0 / 32);           // sum 2^9 + 2^-5 has too many bits: the accumulator keeps 13 after the point
  set(6, {448, 448, 448, 448}, 1.0 / 16); // 1792 + 2^-4
  o.a = o.stored;
  placeAll(c, o);
  Outcome out = run(c, o, kernel(c, standard(c)));
  ASSERT_TRUE(out.result.ok) << reports(out.result);
  double want[] = {256 + 1.0 / 32, 256, 256, 16384 + 2, 8194, 512, 1792};
  for (unsigned row = 0; row != 7; ++row)
    for (unsigned col = 0; col != 8; ++col)
      EXPECT_EQ(out.d[row * 8 + col], want[row]) << row;
}

TEST(Wgmma, SpecialValues) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(9);
  Operands o = randomOperands(c, rng);
  o.stored[0] = o.a[0] = INFINITY;
  for (double &v : o.b)
    v = 1;
  o.b[0] = 0; // Inf * 0
  placeAll(c, o);
  Outcome out = run(c, o, kernel(c, standard(c)));
  ASSERT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_TRUE(std::isnan(out.d[0]));
  EXPECT_EQ(out.d[1], INFINITY);
  // tf32 ignores the low 13 bits.
  c = plain(8, "tf32", "tf32", "f32");
  c.scale = false;
  o = randomOperands(c, rng);
  for (double &v : o.stored)
    v = 1;
  o.a = o.stored;
  for (double &v : o.b)
    v = 1 + std::ldexp(1, -11);
  placeAll(c, o);
  out = run(c, o, kernel(c, standard(c)));
  EXPECT_EQ(out.d[5], 8);
}

/// Every instruction set extension of the host gives the same bits.
TEST(Wgmma, HostVectorUnitsAgree) {
  for (const Types &t : denseTypes) {
    Case c = plain(32, t.a, t.b, t.d);
    std::vector<double> first;
    for (const IsaTable *isa : availableIsas()) {
      setIsa(isa->name);
      Rng rng(11);
      Operands o = randomOperands(c, rng);
      Outcome out = run(c, o, kernel(c, standard(c)));
      EXPECT_TRUE(out.result.ok) << reports(out.result);
      if (first.empty())
        first = out.d;
      EXPECT_EQ(first, out.d) << isa->name << " " << c.text();
    }
    setIsa(availableIsas().front()->name);
  }
}

/// The vendor's assembler accepts the PTX of these tests.
TEST(Wgmma, AssemblerAccepts) {
  std::string ptxas = nextTo("ptxas");
  if (ptxas.empty())
    GTEST_SKIP() << "no ptxas";
  std::string text;
  unsigned number = 0;
  auto add = [&](const Case &c) { text += kernel(c, standard(c), "k" + std::to_string(number++)); };
  for (const Types &t : denseTypes)
    for (bool sparse : {false, true})
      for (bool inRegisters : {false, true}) {
        if (sparse && std::string(t.a) == "b1")
          continue;
        Case c = plain(16, t.a, t.b, t.d, sparse);
        c.aRegisters = inRegisters;
        c.satfinite = c.integer() && bitsOf(t.a) == 8 && inRegisters;
        c.scaleA = c.integer() ? 1 : -1;
        c.lb.mnMajor = c.transposable() && !inRegisters;
        c.selector = bitsOf(t.a) == 8 ? 0 : 1;
        add(c);
      }
  add(plain(256, "bf16", "bf16", "f32"));
  add(plain(240, "s8", "s8", "s32"));
  char dir[] = "/tmp/emulator-wgmma-XXXXXX";
  ASSERT_TRUE(mkdtemp(dir));
  std::string base = dir;
  std::ofstream(base + "/k.ptx") << ptx(text);
  EXPECT_EQ(std::system((ptxas + " -arch=sm_90a -O1 -o " + base + "/k.o " + base + "/k.ptx").c_str()), 0);
  std::system(("rm -rf " + base).c_str());
}

} // namespace
