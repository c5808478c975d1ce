//===- EmulatorWgmmaTest.cpp - wgmma.mma_async and its rules ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One instruction at a time: operands are placed element by element by the formulas of this file, which share nothing
// with the emulator's walk over 16-byte units; values are small integers, so every correct sum is exact.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Machine/SmemDescriptor.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

unsigned bitsOf(const std::string &t) {
  return t == "b1" ? 1 : t == "tf32" ? 32 : t == "f16" || t == "bf16" ? 16 : 8;
}

/// Bits of a small integer (or multiple of 1/8) in a format; exact for all values used here.
uint32_t encode(const std::string &t, double v) {
  if (t == "s8" || t == "u8" || t == "b1")
    return uint32_t(int(v)) & 0xff;
  float f = float(v);
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if (t == "tf32")
    return u;
  if (t == "bf16")
    return u >> 16;
  int exponentBits = t == "f16" || t == "e5m2" ? 5 : 4, fraction = t == "f16" ? 10 : t == "e5m2" ? 2 : 3;
  uint32_t sign = (u >> 31) << (exponentBits + fraction);
  if ((u << 1) == 0)
    return sign;
  int e = int(u >> 23 & 255) - 127 + (1 << (exponentBits - 1)) - 1;
  EXPECT_GT(e, 0) << v;
  EXPECT_EQ(u & ((1u << (23 - fraction)) - 1), 0u) << v << " is not a value of " << t;
  return sign | uint32_t(e) << fraction | (u >> (23 - fraction) & ((1u << fraction) - 1));
}

double halfValue(uint16_t h) {
  int e = h >> 10 & 31;
  double m = e ? 1 + (h & 1023) / 1024.0 : (h & 1023) / 1024.0;
  double v = e == 31 ? (h & 1023 ? NAN : INFINITY) : std::ldexp(m, (e ? e : 1) - 15);
  return h >> 15 ? -v : v;
}

/// A value every format of its kind can hold: integers of few bits.
double smallValue(const std::string &t, Rng &rng) {
  uint64_t r = rng.next() >> 20;
  if (t == "b1")
    return double(r & 1);
  if (t == "u8")
    return double(r % 200);
  if (t == "s8")
    return double(r % 200) - 100;
  if (t == "f16" || t == "bf16" || t == "tf32")
    return double(r % 128) - 64;
  double v = double(r % 8);
  return r & 8 ? -v : v;
}

//===----------------------------------------------------------------------===//
// Layouts, from the tables of the PTX ISA: address of an element, XOR included
//===----------------------------------------------------------------------===//

enum Swizzle { None = 0, S128 = 1, S64 = 2, S32 = 3 }; // the codes of bits 63:62

struct Layout {
  Swizzle swizzle = None;
  bool mnMajor = false;
  uint32_t leading = 0, stride = 0; // bytes
  uint32_t start = 0;               // bytes behind the image's first byte

  uint32_t width() const { return swizzle == None ? 16 : swizzle == S128 ? 128 : swizzle == S64 ? 64 : 32; }
  uint32_t bitAddress(uint32_t base, uint32_t mn, uint32_t k, uint32_t bits) const {
    uint32_t a, bit = 0;
    if (!mnMajor) {
      uint32_t kb = k * bits / 8;
      bit = k * bits % 8;
      if (swizzle == None)
        a = (mn % 8) * 16 + (mn / 8) * stride + kb / 16 * leading + kb % 16;
      else
        a = (mn % 8) * width() + (mn / 8) * stride + kb;
    } else {
      uint32_t b = mn * bits / 8;
      if (swizzle == None)
        a = b / 16 * stride + b % 16 + (k % 8) * 16 + k / 8 * leading;
      else
        a = b / width() * leading + b % width() + (k % 8) * width() + k / 8 * stride;
    }
    a += base + start;
    switch (swizzle) {
    case None: break;
    case S32: a ^= (a >> 3) & 0x10; break;
    case S64: a ^= (a >> 3) & 0x30; break;
    case S128: a ^= (a >> 3) & 0x70; break;
    }
    return a * 8 + bit;
  }
  /// Without the start address of the image.
  uint64_t descriptor() const {
    return uint64_t(swizzle) << 62 | uint64_t(stride >> 4) << 32 | uint64_t(leading >> 4) << 16 | start >> 4;
  }
};

/// A dense tile in the given mode. `bytesBefore`: K-major swizzled only, where in the row K begins.
Layout tile(Swizzle s, bool mnMajor, uint32_t mn, uint32_t k, uint32_t bits, uint32_t bytesBefore = 0) {
  Layout l;
  l.swizzle = s;
  l.mnMajor = mnMajor;
  uint32_t w = l.width();
  if (!mnMajor) {
    l.stride = s == None ? 128 : 8 * w;
    l.leading = s == None ? (mn / 8) * 128 + 64 * 16 : 16;
    l.start = bytesBefore;
  } else if (s == None) {
    l.leading = 128;              // next 8 k
    l.stride = k / 8 * 128 + 256; // next 16 bytes of MN
  } else {
    l.stride = 8 * w;             // next 8 k
    l.leading = k / 8 * 8 * w;    // next w bytes of MN
  }
  (void)bits;
  return l;
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

struct Case {
  unsigned n = 8;
  std::string a = "f16", b = "f16", d = "f32";
  bool sparse = false, satfinite = false, aRegisters = false, scale = true;
  int selector = 0, scaleA = 1, scaleB = 1;
  Layout la, lb;
  AsyncTiming timing = AsyncTiming::Late;

  unsigned k() const { return 256 / bitsOf(a) * (sparse ? 2 : 1); }
  unsigned storedK() const { return 256 / bitsOf(a); }
  bool transposable() const { return bitsOf(a) == 16; }
  bool integer() const { return d == "s32"; }
  unsigned registers() const { return d == "f16" ? n / 4 : n / 2; }
  std::string opcode() const {
    return std::string("wgmma.mma_async") + (sparse ? ".sp" : "") + ".sync.aligned.m64n" + std::to_string(n) + "k" +
           std::to_string(k()) + (satfinite ? ".satfinite." : ".") + d + "." + a + "." + b + (a == "b1" ? ".and.popc" : "");
  }
  /// The instruction with accumulators %d0..., fragments %a0..%a3, descriptors %rda, %rdb, metadata %meta, scale %p.
  std::string text() const {
    std::string s = opcode() + " {";
    for (unsigned i = 0; i != registers(); ++i)
      s += (i ? ", %d" : "%d") + std::to_string(i);
    s += aRegisters ? "}, {%a0, %a1, %a2, %a3}, %rdb" : "}, %rda, %rdb";
    if (sparse)
      s += ", %meta, " + std::to_string(selector);
    s += ", %p";
    if (!integer())
      s += ", " + std::to_string(scaleA) + ", " + std::to_string(scaleB);
    if (transposable()) {
      if (!aRegisters)
        s += la.mnMajor ? ", 1" : ", 0";
      s += lb.mnMajor ? ", 1" : ", 0";
    }
    return s + ";";
  }
};

constexpr uint32_t ImageBytes = 49152 - 1024;

/// Kernel: copies `image` to shared memory, loads accumulators, fragments and metadata, executes `middle`, stores D.
std::string kernel(const Case &c, const std::string &middle, const std::string &name = "k") {
  std::string n = std::to_string(c.registers());
  std::string s = ".visible .entry " + name + R"((.param .u64 image, .param .u64 din, .param .u64 dout, .param .u64 afrag,
  .param .u64 meta, .param .u64 adesc, .param .u64 bdesc, .param .u32 scale)
.reqntid 128
{
  .reg .pred %p, %q; .reg .b32 %r<8>, %a<4>, %meta; .reg .b64 %rd<12>, %rda, %rdb;
  .shared .align 1024 .b8 s[)" + std::to_string(ImageBytes) + "];\n  .reg ." + (c.d == "f32" ? "f32" : "b32") + " %d<" + n + R"(>;
  ld.param.u64 %rd1, [image]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 4;
$copy:
  cvt.u64.u32 %rd2, %r3; add.u64 %rd3, %rd1, %rd2; add.u32 %r5, %r2, %r3;
  .reg .b32 %v<4>;
  ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd3]; st.shared.v4.b32 [%r5], {%v0, %v1, %v2, %v3};
  add.u32 %r3, %r3, 2048; setp.lt.u32 %q, %r3, )" + std::to_string(ImageBytes) + R"(; @%q bra $copy;
  fence.proxy.async.shared::cta; bar.sync 0;
  ld.param.u64 %rda, [adesc]; ld.param.u64 %rdb, [bdesc]; shr.u32 %r4, %r2, 4; cvt.u64.u32 %rd4, %r4;
  add.u64 %rda, %rda, %rd4; add.u64 %rdb, %rdb, %rd4;
  ld.param.u32 %r6, [scale]; setp.ne.u32 %p, %r6, 0;
  mul.wide.u32 %rd5, %r1, 4;
  ld.param.u64 %rd6, [din]; add.u64 %rd6, %rd6, %rd5; ld.param.u64 %rd7, [dout]; add.u64 %rd7, %rd7, %rd5;
  ld.param.u64 %rd8, [afrag]; add.u64 %rd8, %rd8, %rd5; ld.param.u64 %rd9, [meta]; add.u64 %rd9, %rd9, %rd5;
  ld.global.b32 %a0, [%rd8]; ld.global.b32 %a1, [%rd8+512]; ld.global.b32 %a2, [%rd8+1024]; ld.global.b32 %a3, [%rd8+1536];
  ld.global.b32 %meta, [%rd9];
)";
  for (unsigned i = 0; i != c.registers(); ++i)
    s += "  ld.global.b32 %d" + std::to_string(i) + ", [%rd6+" + std::to_string(512 * i) + "];\n";
  s += middle;
  for (unsigned i = 0; i != c.registers(); ++i)
    s += "  st.global.b32 [%rd7+" + std::to_string(512 * i) + "], %d" + std::to_string(i) + ";\n";
  return s + "  ret;\n}\n";
}
std::string standard(const Case &c) {
  return "  wgmma.fence.sync.aligned;\n  " + c.text() +
         "\n  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n";
}

struct Operands {
  std::vector<double> a, b, d; ///< [64][k], [n][k], [64][n]
  std::vector<uint32_t> meta = std::vector<uint32_t>(128, 0), fragments = std::vector<uint32_t>(512, 0);
  std::vector<uint8_t> image = std::vector<uint8_t>(ImageBytes, 0x55);
  std::vector<double> stored; ///< A as stored, [64][storedK]
};

constexpr uint32_t SharedStart = 1024; ///< of the image: the first user byte of shared memory on sm_90

void place(std::vector<uint8_t> &image, const Layout &l, const std::string &type, uint32_t mn, uint32_t k, double v) {
  uint32_t bits = bitsOf(type), at = l.bitAddress(SharedStart, mn, k, bits) - SharedStart * 8, value = encode(type, v);
  ASSERT_LE(at / 8 + std::max(1u, bits / 8), image.size());
  if (bits == 1) {
    image[at / 8] = uint8_t((image[at / 8] & ~(1u << at % 8)) | value << at % 8);
    return;
  }
  std::memcpy(&image[at / 8], &value, bits / 8);
}

/// A fragment register of A (PTX ISA, figures of the A fragments): which lane, register and bit hold (row, k).
void placeFragment(std::vector<uint32_t> &fragments, const std::string &type, uint32_t row, uint32_t k, double v) {
  uint32_t bits = bitsOf(type), per = 32 / bits;
  uint32_t r = (row % 16 / 8) + 2 * (k / (4 * per)), lane = 4 * (row % 8) + k / per % 4, e = k % per;
  uint32_t thread = 32 * (row / 16) + lane;
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  uint32_t &reg = fragments[r * 128 + thread];
  reg = (reg & ~(mask << (e * bits))) | (encode(type, v) & mask) << (e * bits);
}

void placeAll(const Case &c, Operands &o) {
  for (uint32_t row = 0; row != 64; ++row)
    for (uint32_t k = 0; k != c.storedK(); ++k) {
      double v = o.stored[row * c.storedK() + k];
      if (c.aRegisters)
        placeFragment(o.fragments, c.a, row, k, v);
      else
        place(o.image, c.la, c.a, row, k, v);
    }
  for (uint32_t col = 0; col != c.n; ++col)
    for (uint32_t k = 0; k != c.k(); ++k)
      place(o.image, c.lb, c.b, col, k, o.b[col * c.k() + k]);
}

Operands randomOperands(const Case &c, Rng &rng) {
  Operands o;
  unsigned k = c.k(), kept = c.storedK();
  o.a.assign(64 * k, 0);
  o.stored.resize(64 * kept);
  for (double &v : o.stored)
    v = smallValue(c.a, rng);
  if (!c.sparse) {
    o.a = o.stored;
  } else {
    for (unsigned row = 0; row != 64; ++row)
      for (unsigned i = 0; i != kept; ++i) {
        double v = o.stored[row * kept + i];
        unsigned g = row % 8, h = row / 8 % 2, warp = row / 16;
        // Indices of the two stored elements of a chunk (f32: of the one).
        unsigned chunk = c.a == "tf32" ? i : i / 2, nibble = 0;
        if (c.a == "tf32") {
          bool second = rng.next() >> 40 & 1;
          nibble = second ? 14 : 4;
          o.a[row * k + 2 * chunk + second] = v;
        } else if (i % 2 == 0) {
          unsigned p = unsigned(rng.next() >> 40) % 4, q = (p + 1 + unsigned(rng.next() >> 40) % 3) % 4;
          nibble = p | q << 2;
          o.a[row * k + 4 * chunk + p] = v;
          o.a[row * k + 4 * chunk + q] = o.stored[row * kept + i + 1];
        } else {
          continue;
        }
        unsigned lane, shift;
        if (bitsOf(c.a) == 8) { // all 32 bits of a lane for one row; 8 chunks
          lane = 4 * g + 2 * (chunk / 8) + h;
          shift = 4 * (chunk % 8);
        } else {
          lane = 4 * g + 2 * unsigned(c.selector) + chunk / 4;
          shift = 16 * h + 4 * (chunk % 4);
        }
        o.meta[32 * warp + lane] |= nibble << shift;
      }
  }
  o.b.resize(c.n * k);
  for (double &v : o.b)
    v = smallValue(c.b, rng);
  o.d.resize(64 * c.n);
  for (double &v : o.d)
    v = double(rng.next() >> 40 & 63) - 32;
  placeAll(c, o);
  return o;
}

/// Where D's element lives (PTX ISA, figures of the D fragments): register and thread.
std::pair<unsigned, unsigned> homeOf(unsigned row, unsigned col) {
  unsigned warp = row / 16, g = row % 8, h = row / 8 % 2;
  return {4 * (col / 8) + 2 * h + col % 2, 32 * warp + 4 * g + col % 8 / 2};
}

struct Outcome {
  std::vector<double> d; ///< [64][n]
  LaunchResult result;
};

Outcome run(const Case &c, const Operands &o, const std::string &text) {
  Outcome out;
  std::unique_ptr<Module> m = parse(ptx(text));
  if (!m)
    return out;
  Memory memory;
  std::vector<uint32_t> registers(c.registers() * 128);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned col = 0; col != c.n; ++col) {
      auto [r, t] = homeOf(row, col);
      double v = o.d[row * c.n + col];
      if (c.d == "f16") {
        registers[r / 2 * 128 + t] |= encode("f16", v) << 16 * (r & 1);
      } else if (c.d == "f32") {
        registers[r * 128 + t] = encode("tf32", v);
      } else {
        registers[r * 128 + t] = uint32_t(int32_t(v));
      }
    }
  LaunchConfig config;
  config.grid = {1};
  config.block = {128};
  config.options.hostThreads = 1;
  config.options.asyncTiming = c.timing;
  uint64_t dout = memory.allocate(registers.size() * 4, "dout");
  config.args.add(upload(memory, o.image, "image")).add(upload(memory, registers, "din")).add(dout);
  config.args.add(upload(memory, o.fragments, "afrag")).add(upload(memory, o.meta, "meta"));
  config.args.add(c.la.descriptor()).add(c.lb.descriptor()).add(uint32_t(c.scale));
  out.result = launch(*m, memory, config);
  memory.copyOut(dout, registers.data(), registers.size() * 4);
  out.d.resize(64 * c.n);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned col = 0; col != c.n; ++col) {
      auto [r, t] = homeOf(row, col);
      double &v = out.d[row * c.n + col];
      if (c.d == "f16") {
        v = halfValue(uint16_t(registers[r / 2 * 128 + t] >> 16 * (r & 1)));
      } else if (c.d == "f32") {
        float f;
        std::memcpy(&f, &registers[r * 128 + t], 4);
        v = f;
      } else {
        v = int32_t(registers[r * 128 + t]);
      }
    }
  return out;
}

std::vector<double> expected(const Case &c, const Operands &o) {
  std::vector<double> d(64 * c.n);
  for (unsigned row = 0; row != 64; ++row)
    for (unsigned col = 0; col != c.n; ++col) {
      double s = 0;
      for (unsigned k = 0; k != c.k(); ++k)
        s += o.a[row * c.k() + k] * o.b[col * c.k() + k];
      s = s * c.scaleA * c.scaleB + (c.scale ? o.d[row * c.n + col] : 0);
      if (c.d == "f16") { // exact integers below 2048, else round to nearest even
        double unit = std::ldexp(1, std::max(0, std::ilogb(std::max(1.0, std::fabs(s))) - 10));
        s = std::nearbyint(s / unit) * unit;
        if (std::fabs(s) >= 65520)
          s = std::copysign(INFINITY, s);
      }
      d[row * c.n + col] = s;
    }
  return d;
}

void check(const Case &c, uint64_t seed) {
  Rng rng(seed);
  Operands o = randomOperands(c, rng);
  Outcome out = run(c, o, kernel(c, standard(c)));
  ASSERT_TRUE(out.result.ok) << c.text() << reports(out.result);
  std::vector<double> want = expected(c, o);
  for (unsigned i = 0; i != want.size(); ++i)
    ASSERT_EQ(out.d[i], want[i]) << c.text() << " row " << i / c.n << " column " << i % c.n << " seed " << seed;
}

/// Operands in their plainest form.
Case plain(unsigned n, const std::string &a, const std::string &b, const std::string &d, bool sparse = false) {
  Case c;
  c.n = n;
  c.a = a;
  c.b = b;
  c.d = d;
  c.sparse = sparse;
  c.la = tile(S128, false, 64, c.storedK(), bitsOf(a));
  c.lb = tile(n * 128 > 32768 ? S64 : S128, false, n, c.k(), bitsOf(b));
  c.lb.start += 8192;
  return c;
}

std::string nextTo(const std::string &tool) {
  for (std::string dir : {std::string("/usr/local/cuda/bin"), std::string("/usr/bin")})
    if (access((dir + "/" + tool).c_str(), X_OK) == 0)
      return dir + "/" + tool;
  return "";
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// Address of the byte of element (mn, k) by the emulator's walk.
uint32_t walked(uint64_t descriptor, bool mnMajor, uint32_t mn, uint32_t k, uint32_t bits, uint32_t tileMn, uint32_t tileK) {
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
  EXPECT_TRUE(bad(descriptor(0x480, 16, 1024, S128), a));  // second row of the pattern
  EXPECT_TRUE(bad(descriptor(0x400, 16, 512, S128), a));   // groups of rows not at patterns
  EXPECT_TRUE(bad(descriptor(0x400, 16, 1024, S128) | uint64_t(1) << 49, a));
  EXPECT_FALSE(bad(descriptor(0x410, 16, 128, None), a));
  EXPECT_FALSE(bad(descriptor(0x400, 1024, 1024, S128), t));
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
      ASSERT_EQ(out.d[row * 64 + col], (row * 64 + col) * 1000.0 + (col * 3 + (row * 5) % 32 * 7) % 256) << row << " " << col;
}

TEST(Wgmma, AllColumnCounts) {
  for (unsigned n = 8; n <= 256; n += 8) {
    check(plain(n, "bf16", "bf16", "f32"), n);
    check(plain(n, "f16", "f16", "f16"), n);
    if (n <= 32 || n % 16 == 0)
      check(plain(n, "s8", "s8", "s32"), n);
    else
      EXPECT_NE(parseError(ptx(kernel(plain(n, "s8", "s8", "s32"), standard(plain(n, "s8", "s8", "s32"))))).find("no shape"),
                std::string::npos);
  }
}

struct Types {
  const char *a, *b, *d;
};
const Types denseTypes[] = {{"f16", "f16", "f32"},   {"f16", "f16", "f16"},   {"bf16", "bf16", "f32"}, {"tf32", "tf32", "f32"},
                            {"e4m3", "e4m3", "f32"}, {"e4m3", "e5m2", "f16"}, {"e5m2", "e4m3", "f32"}, {"e5m2", "e5m2", "f16"},
                            {"s8", "s8", "s32"},     {"s8", "u8", "s32"},     {"u8", "s8", "s32"},     {"u8", "u8", "s32"},
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
  set(0, {256, 1.0 / 32, 1.0 / 64}, 0);      // 2^8: unit 2^-5; 2^-6 is lost
  set(1, {256, 1.0 / 64, 1.0 / 64}, 0);      // each is cut off by itself
  set(2, {256, -1.0 / 64}, 0);               // towards zero, not down
  set(3, {1}, 16384 + 3);                    // C: unit 2
  set(4, {1, 1}, 8192);                      // 14 bits are kept
  set(5, {256, 256}, 1.0 / 32);              // sum 2^9 + 2^-5 has too many bits: the accumulator keeps 13 behind the point
  set(6, {448, 448, 448, 448}, 1.0 / 16);    // 1792 + 2^-4
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

//===----------------------------------------------------------------------===//
// Groups and rules
//===----------------------------------------------------------------------===//

const AsyncTiming timings[] = {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random};

/// Runs `middle` for a plain m64n8 bf16 case and returns the outcome.
Outcome runMiddle(const std::string &middle, AsyncTiming timing, Case *used = nullptr) {
  Case c = plain(8, "bf16", "bf16", "f32");
  c.timing = timing;
  Rng rng(21);
  Operands o = randomOperands(c, rng);
  if (used)
    *used = c;
  return run(c, o, kernel(c, middle));
}
const std::string mma1 = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
                  mma2 = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%e0, %e1, %e2, %e3}, %rda, %rdb, %p, 1, 1, 0, 0;\n",
                  rs = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %rdb, %p, 1, 1, 0;\n",
                  fence = "wgmma.fence.sync.aligned;\n", commit = "wgmma.commit_group.sync.aligned;\n",
                  wait0 = "wgmma.wait_group.sync.aligned 0;\n", wait1 = "wgmma.wait_group.sync.aligned 1;\n",
                  more = ".reg .f32 %e<4>; mov.f32 %e0, 0f00000000; mov.f32 %e1, %e0; mov.f32 %e2, %e0; mov.f32 %e3, %e0;\n";

void clean(const std::string &middle) {
  for (AsyncTiming t : timings) {
    Outcome out = runMiddle(middle, t);
    EXPECT_TRUE(out.result.ok) << reports(out.result) << middle;
  }
}
void caught(const std::string &middle, ReportKind kind, const std::string &text) {
  for (AsyncTiming t : timings) {
    Outcome out = runMiddle(middle, t);
    const Report *r = findReport(out.result, kind);
    ASSERT_TRUE(r) << middle << reports(out.result);
    EXPECT_NE(r->message.find(text), std::string::npos) << r->message;
  }
}

TEST(WgmmaRules, Clean) {
  clean(fence + mma1 + mma1 + commit + wait0);
  clean(more + fence + mma1 + commit + mma2 + commit + wait1 + "add.f32 %d0, %d0, %d1;\n" + wait0 + "add.f32 %d0, %e0, %d0;\n");
  clean(fence + rs + commit + wait0);
  clean(fence + rs + rs + commit + wait0 + "add.u32 %a0, %a0, 1;\n" + fence + rs + commit + wait0);
  clean(fence + commit + wait0);                       // empty group
  clean(fence + mma1 + commit + commit + wait1 + "add.f32 %d0, %d0, %d0;\n"); // the older group is complete
  clean(fence + mma1 + commit + wait1 + wait0);
  clean(fence + "mov.f32 %d1, 0f3F800000;\n" + mma1 + commit + wait0); // moves need no fence
}

TEST(WgmmaRules, MissingWait) {
  caught(fence + mma1 + commit + "st.global.f32 [%rd7], %d1;\n" + wait0, ReportKind::Async, "'%d1' is read while");
  caught(fence + mma1 + commit + wait1 + "mov.f32 %d2, 0f00000000;\n" + wait0, ReportKind::Async, "'%d2' is written while");
  caught(fence + mma1 + wait0, ReportKind::Async, "wgmma.wait_group is missing"); // never committed
  caught(fence + rs + commit + "mov.b32 %a3, 0;\n" + wait0, ReportKind::Async, "as matrix A");
  caught(more + fence + mma1 + commit + mma2 + commit + wait1 + "add.f32 %d0, %d0, %e0;\n" + wait0, ReportKind::Async, "'%e0' is read");
  caught(fence + mma1 + commit + "ret;\n", ReportKind::Async, "the warp exits while the wgmma.mma_async");
}

TEST(WgmmaRules, MissingFence) {
  caught(mma1 + commit + wait0, ReportKind::Async, "no wgmma.fence before the warp's first");
  caught(fence + mma1 + commit + wait0 + "add.f32 %d0, %d0, %d1;\n" + mma1 + commit + wait0, ReportKind::Async, "since the last wgmma.fence");
  caught(fence + "add.u32 %a1, %a1, 1;\n" + rs + commit + wait0, ReportKind::Async, "'%a1' has been accessed");
  caught(more + fence + mma1 + "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3, %e0, %e1, %e2, "
         "%e3}, %rda, %rdb, %p, 1, 1, 0, 0;\n" + commit + wait0, ReportKind::Async, "with another shape");
}

/// With the wait gone, late timing shows old values, and with early timing nothing but the report tells.
TEST(WgmmaRules, LateMeansLate) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(21);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  for (AsyncTiming t : {AsyncTiming::Early, AsyncTiming::Late}) {
    Outcome out = runMiddle(fence + mma1 + commit + "bar.sync 0;\n", t);
    EXPECT_FALSE(out.result.ok);
    EXPECT_EQ(out.d == want, t == AsyncTiming::Early);
    // At the latest, the operation is performed when the first warp exits.
    EXPECT_EQ(std::equal(out.d.begin(), out.d.begin() + 16 * c.n, o.d.begin()), t == AsyncTiming::Late);
  }
}

/// Between the stores of the operands and the instruction there must be a barrier: nobody says that the first warp's
/// share of it waits for the last warp. A warp's own rows of A are its own affair.
TEST(WgmmaRules, WarpsDoNotWaitForEachOther) {
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(41);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  std::string text = kernel(c, standard(c)), barrier = "bar.sync 0;";
  text.erase(text.find(barrier), barrier.size());
  for (AsyncTiming t : {AsyncTiming::Early, AsyncTiming::Late}) {
    c.timing = t;
    Outcome out = run(c, o, text);
    EXPECT_EQ(out.result.ok, t == AsyncTiming::Late) << reports(out.result);
    EXPECT_EQ(out.d == want, t == AsyncTiming::Late);
  }
  // Each warp stores 16 rows of A (2048 bytes) itself, after the barrier.
  c.timing = AsyncTiming::Early;
  std::string mine = standard(c);
  mine.insert(0, R"(  .reg .b32 %w<8>; shr.u32 %w0, %r1, 5; shl.b32 %w0, %w0, 11; and.b32 %w1, %r1, 31; shl.b32 %w1, %w1, 4;
  add.u32 %w0, %w0, %w1; cvt.u64.u32 %rd10, %w0; add.u64 %rd10, %rd10, %rd1; add.u32 %w2, %r2, %w0;
)" + [] {
    std::string s;
    for (int i = 0; i != 4; ++i)
      s += "  ld.global.v4.b32 {%w3, %w4, %w5, %w6}, [%rd10+" + std::to_string(512 * i) + "]; st.shared.v4.b32 [%w2+" +
           std::to_string(512 * i) + "], {%w3, %w4, %w5, %w6};\n";
    return s;
  }() + "  fence.proxy.async.shared::cta; bar.warp.sync -1;\n");
  text = kernel(c, mine);
  text.insert(text.find("st.shared.v4.b32 [%r5]"), "setp.ge.u32 %q, %r3, 8192; @%q ");
  Outcome out = run(c, o, text);
  EXPECT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_EQ(out.d, want);
}

TEST(WgmmaRules, Warpgroup) {
  // One warp of four does not execute it: the others wait for ever, and that is said.
  Outcome out = runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96; @%w bra $skip;\n" + fence + mma1 + commit + wait0 + "$skip:\n",
                          AsyncTiming::Late);
  const Report *r = findReport(out.result, ReportKind::Deadlock);
  ASSERT_TRUE(r) << reports(out.result);
  EXPECT_NE(r->message.find("warpgroup"), std::string::npos) << r->message;
  // Different instructions.
  out = runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96;\n" + fence + "@%w bra $other;\n" + mma1 + "bra $join;\n$other:\n" + mma1 +
                      "$join:\n" + commit + wait0, AsyncTiming::Late);
  ASSERT_TRUE(r = findReport(out.result, ReportKind::InvalidOperation)) << reports(out.result);
  EXPECT_NE(r->message.find("different wgmma.mma_async"), std::string::npos) << r->message;
  // Half a warp.
  out = runMiddle(".reg .pred %w; .reg .b32 %l; and.b32 %l, %r1, 16; setp.ne.u32 %w, %l, 0; @%w exit;\n" + fence + mma1 + commit + wait0,
                  AsyncTiming::Late);
  EXPECT_TRUE(hasReport(out.result, ReportKind::WarpSync)) << reports(out.result);
  // Different descriptors in the warps.
  out = runMiddle(".reg .pred %w; setp.ge.u32 %w, %r1, 96; @%w add.u64 %rdb, %rdb, 2;\n" + fence + mma1 + commit + wait0,
                  AsyncTiming::Late);
  EXPECT_TRUE(hasReport(out.result, ReportKind::Descriptor)) << reports(out.result);
  // Three warps.
  std::string text = kernel(plain(8, "bf16", "bf16", "f32"), fence + mma1 + commit + wait0);
  text.replace(text.find(".reqntid 128"), 12, ".reqntid 96");
  Memory memory;
  LaunchConfig config;
  config.block = {96};
  uint64_t big = memory.allocate(ImageBytes, "big");
  for (int k = 0; k != 5; ++k)
    config.args.add(big);
  config.args.add(uint64_t(0)).add(uint64_t(0)).add(uint32_t(0));
  LaunchResult result = launch(*parse(ptx(text)), memory, config);
  EXPECT_TRUE(hasReport(result, ReportKind::InvalidOperation)) << reports(result);
}

TEST(WgmmaRules, Descriptors) {
  caught(fence + "or.b64 %rda, %rda, 0x4000;\n" + mma1 + commit + wait0, ReportKind::Descriptor, "reserved bits");
  caught(fence + "add.u64 %rda, %rda, 8;\n" + mma1 + commit + wait0, ReportKind::Descriptor, "does not begin at a multiple of 1024");
  caught(fence + "or.b64 %rda, %rda, 0x3fc0;\n" + mma1 + commit + wait0, ReportKind::OutOfBounds, "matrix A");
  // Another swizzle reads other bytes.
  Case c = plain(8, "bf16", "bf16", "f32");
  Rng rng(31);
  Operands o = randomOperands(c, rng);
  std::vector<double> want = expected(c, o);
  c.lb.swizzle = S64;
  c.lb.stride = 512;
  Outcome out = run(c, o, kernel(c, standard(c)));
  EXPECT_TRUE(out.result.ok) << reports(out.result);
  EXPECT_NE(out.d, want);
  // Bytes nobody has written.
  c = plain(8, "bf16", "bf16", "f32");
  std::string text = kernel(c, standard(c)), copy = "st.shared.v4.b32 [%r5]";
  text.insert(text.find(copy), "setp.lt.u32 %q, %r3, 8192; @%q ");
  out = run(c, o, text);
  const Report *r = findReport(out.result, ReportKind::Uninitialized);
  ASSERT_TRUE(r) << reports(out.result);
  EXPECT_NE(r->message.find("matrix B has a byte nobody has written, at shared address 9216"), std::string::npos) << r->message;
}

TEST(WgmmaRules, Refused) {
  Case c = plain(8, "bf16", "bf16", "f32");
  auto refused = [&](const std::string &middle, const std::string &text, const std::string &target = "sm_90a") {
    std::string e = parseError(ptx(kernel(c, middle), target));
    EXPECT_NE(e.find(text), std::string::npos) << e;
  };
  refused(fence, "'wgmma' needs target sm_90a, the module's target is sm_90", "sm_90");
  refused(mma1, "needs target sm_90a, the module's target is sm_100a", "sm_100a");
  refused("wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n", "no shape .m64n12k16");
  refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n", "no shape .m64n8k8");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2}, %rda, %rdb, %p, 1, 1, 0, 0;\n", "a list of 4 registers");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %r1, %p, 1, 1, 0, 0;\n", "64-bit matrix descriptor");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 0, 1, 0, 0;\n", "expected the constant -1 or 1");
  refused("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p;\n", "at least 6 operands");
  refused("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%d0, %d1, %d2, %d3}, %rda, %rdb, %p, 1, 1, 0, 0;\n", "takes 6 operands");
  refused("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.xor.popc {%d0, %d1, %d2, %d3}, %rda, %rdb, %p;\n", "unsupported instruction");
  refused("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 {%d0, %d1, %d2, %d3}, %rda, %rdb, %meta, 2, %p, 1, 1, 0, 0;\n", "expected the constant 0 or 1");
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
