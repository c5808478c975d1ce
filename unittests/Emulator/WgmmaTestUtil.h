//===- WgmmaTestUtil.h - One wgmma at a time --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operands are placed element by element by the formulas of this file, which share nothing with the emulator's walk
// over 16-byte units; values are small integers, so every correct sum is exact.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_EMULATOR_WGMMATESTUTIL_H
#define TILEIRAS_UNITTESTS_EMULATOR_WGMMATESTUTIL_H

#include "EmulatorTestUtil.h"

#include <cmath>
#include <functional>
#include <unistd.h>

namespace tileiras::emu::test::wgmma {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

inline unsigned bitsOf(const std::string &t) {
  return t == "b1" ? 1 : t == "tf32" ? 32 : t == "f16" || t == "bf16" ? 16 : 8;
}

/// Bits of a small integer (or multiple of 1/8) in a format; exact for all values used here.
inline uint32_t encode(const std::string &t, double v) {
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

inline double halfValue(uint16_t h) {
  int e = h >> 10 & 31;
  double m = e ? 1 + (h & 1023) / 1024.0 : (h & 1023) / 1024.0;
  double v = e == 31 ? (h & 1023 ? NAN : INFINITY) : std::ldexp(m, (e ? e : 1) - 15);
  return h >> 15 ? -v : v;
}

/// A value every format of its kind can hold: integers of few bits.
inline double smallValue(const std::string &t, Rng &rng) {
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

enum Swizzle {
  None = 0,
  S128 = 1,
  S64 = 2,
  S32 = 3,
  S128Atom32 = 4
}; // the codes of bits 63:62; the last of tcgen05 only

struct Layout {
  Swizzle swizzle = None;
  bool mnMajor = false;
  uint32_t leading = 0, stride = 0; // bytes
  uint32_t start = 0;               // bytes after the image's first byte

  uint32_t width() const {
    return swizzle == None ? 16 : swizzle == S128 || swizzle == S128Atom32 ? 128 : swizzle == S64 ? 64 : 32;
  }
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
      else if (swizzle == S128Atom32) // four rows of K in a block
        a = b / 128 * leading + b % 128 + (k % 4) * 128 + k / 4 * stride;
      else
        a = b / width() * leading + b % width() + (k % 8) * width() + k / 8 * stride;
    }
    a += base + start;
    switch (swizzle) {
    case None:
      break;
    case S32:
      a ^= (a >> 3) & 0x10;
      break;
    case S64:
      a ^= (a >> 3) & 0x30;
      break;
    case S128:
      a ^= (a >> 3) & 0x70;
      break;
    case S128Atom32:
      a ^= (a >> 2) & 0x60;
      break;
    }
    return a * 8 + bit;
  }
  /// Without the start address of the image.
  uint64_t descriptor() const {
    return uint64_t(swizzle) << 62 | uint64_t(stride >> 4) << 32 | uint64_t(leading >> 4) << 16 | start >> 4;
  }
};

/// A dense tile in the given mode. `bytesBefore`: K-major swizzled only, where in the row K begins.
inline Layout tile(Swizzle s, bool mnMajor, uint32_t mn, uint32_t k, uint32_t bits, uint32_t bytesBefore = 0) {
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
  } else if (s == S128Atom32) {
    l.stride = 512; // next 4 k
    l.leading = k / 4 * 512;
  } else {
    l.stride = 8 * w;          // next 8 k
    l.leading = k / 8 * 8 * w; // next w bytes of MN
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
           std::to_string(k()) + (satfinite ? ".satfinite." : ".") + d + "." + a + "." + b +
           (a == "b1" ? ".and.popc" : "");
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
inline std::string kernel(const Case &c, const std::string &middle, const std::string &name = "k") {
  std::string n = std::to_string(c.registers());
  std::string s = ".visible .entry " + name +
                  R"((.param .u64 image, .param .u64 din, .param .u64 dout, .param .u64 afrag,
  .param .u64 meta, .param .u64 adesc, .param .u64 bdesc, .param .u32 scale)
.reqntid 128
{
  .reg .pred %p, %q; .reg .b32 %r<8>, %a<4>, %meta; .reg .b64 %rd<12>, %rda, %rdb;
  .shared .align 1024 .b8 s[)" +
                  std::to_string(ImageBytes) + "];\n  .reg ." + (c.d == "f32" ? "f32" : "b32") + " %d<" + n + R"(>;
  ld.param.u64 %rd1, [image]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 4;
$copy:
  cvt.u64.u32 %rd2, %r3; add.u64 %rd3, %rd1, %rd2; add.u32 %r5, %r2, %r3;
  .reg .b32 %v<4>;
  ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%rd3]; st.shared.v4.b32 [%r5], {%v0, %v1, %v2, %v3};
  add.u32 %r3, %r3, 2048; setp.lt.u32 %q, %r3, )" +
                  std::to_string(ImageBytes) + R"(; @%q bra $copy;
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
inline std::string standard(const Case &c) {
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

inline void place(std::vector<uint8_t> &image, const Layout &l, const std::string &type, uint32_t mn, uint32_t k,
                  double v) {
  uint32_t bits = bitsOf(type), at = l.bitAddress(SharedStart, mn, k, bits) - SharedStart * 8, value = encode(type, v);
  ASSERT_LE(at / 8 + std::max(1u, bits / 8), image.size());
  if (bits == 1) {
    image[at / 8] = uint8_t((image[at / 8] & ~(1u << at % 8)) | value << at % 8);
    return;
  }
  std::memcpy(&image[at / 8], &value, bits / 8);
}

/// A fragment register of A (PTX ISA, figures of the A fragments): which lane, register and bit hold (row, k).
inline void placeFragment(std::vector<uint32_t> &fragments, const std::string &type, uint32_t row, uint32_t k,
                          double v) {
  uint32_t bits = bitsOf(type), per = 32 / bits;
  uint32_t r = (row % 16 / 8) + 2 * (k / (4 * per)), lane = 4 * (row % 8) + k / per % 4, e = k % per;
  uint32_t thread = 32 * (row / 16) + lane;
  uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  uint32_t &reg = fragments[r * 128 + thread];
  reg = (reg & ~(mask << (e * bits))) | (encode(type, v) & mask) << (e * bits);
}

inline void placeAll(const Case &c, Operands &o) {
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

inline Operands randomOperands(const Case &c, Rng &rng) {
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
inline std::pair<unsigned, unsigned> homeOf(unsigned row, unsigned col) {
  unsigned warp = row / 16, g = row % 8, h = row / 8 % 2;
  return {4 * (col / 8) + 2 * h + col % 2, 32 * warp + 4 * g + col % 8 / 2};
}

struct Outcome {
  std::vector<double> d; ///< [64][n]
  LaunchResult result;
};

inline std::vector<std::function<std::unique_ptr<Observer>()>> observers; ///< of the next run

inline Dim3 grid{1}; ///< of the next run

inline Outcome run(const Case &c, const Operands &o, const std::string &text) {
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
  config.grid = grid;
  config.block = {128};
  config.options.hostThreads = 1;
  config.options.asyncTiming = c.timing;
  config.options.observers = observers;
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

inline std::vector<double> expected(const Case &c, const Operands &o) {
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

inline void check(const Case &c, uint64_t seed) {
  Rng rng(seed);
  Operands o = randomOperands(c, rng);
  Outcome out = run(c, o, kernel(c, standard(c)));
  ASSERT_TRUE(out.result.ok) << c.text() << reports(out.result);
  std::vector<double> want = expected(c, o);
  for (unsigned i = 0; i != want.size(); ++i)
    ASSERT_EQ(out.d[i], want[i]) << c.text() << " row " << i / c.n << " column " << i % c.n << " seed " << seed;
}

/// Operands in their plainest form.
inline Case plain(unsigned n, const std::string &a, const std::string &b, const std::string &d, bool sparse = false) {
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

inline std::string nextTo(const std::string &tool) {
  for (std::string dir : {std::string("/usr/local/cuda/bin"), std::string("/usr/bin")})
    if (access((dir + "/" + tool).c_str(), X_OK) == 0)
      return dir + "/" + tool;
  return "";
}

} // namespace tileiras::emu::test::wgmma

#endif // TILEIRAS_UNITTESTS_EMULATOR_WGMMATESTUTIL_H
