//===- EmulatorTcgen05Test.cpp - Tensor memory and its products -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Tcgen05TestUtil.h"

#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05Layout.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::tcgen05;

namespace {

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

struct Case {
  std::string kind = "f16", a = "f16", b = "f16", d = "f32";
  unsigned m = 128, n = 64, group = 1;
  bool ws = false, sparse = false, aTensor = false, enable = true, negateA = false;
  wgmma::Swizzle swizzle = wgmma::S128;
  bool aMn = false, bMn = false;
  unsigned base = 0; ///< lane of D: 0 or 16
  int sd = -1;
  bool mask = false, ashift = false;
  uint64_t zeroMask = 0;
  unsigned maxShift = 0;
  std::string vec;     ///< .scale_vec::..., .block32, ...
  unsigned scales = 0; ///< per instruction
  bool e4m3 = false;
  unsigned selector = 0, sfaId = 0, sfbId = 0;
  bool saturate = false, k96 = false;
  std::string target = "sm_100a";

  bool fp4() const { return kind == "mxf4" || kind == "mxf4nvf4"; }
  unsigned storage(const std::string &t) const { return fp4() ? 4 : isNarrow(t) ? 8 : wgmma::bitsOf(t); }
  unsigned storedK() const { return k96 ? 96 : 256 / storage(a); }
  unsigned k() const { return storedK() * (sparse ? 2 : 1); }
  unsigned rows() const { return m / group; }
  char layout() const {
    return group == 2 ? m == 256 ? 'A' : sparse ? 'C' : 'B' : m == 128 ? 'D' : m == 32 ? 'G' : ws ? 'E' : 'F';
  }
  /// Lane and column of D's element, from the address.
  std::pair<uint32_t, uint32_t> place(uint32_t r, uint32_t c) const {
    switch (layout()) {
    case 'B':
    case 'E':
      return {r + (c >= n / 2 ? 64 : 0), c % (n / 2)};
    case 'C':
    case 'F':
      return {r / 16 * 32 + r % 16 + base, c};
    case 'G':
      return {r + c / (n / 4) * 32, c % (n / 4)};
    default:
      return {r, c};
    }
  }
  /// All lanes that hold row r of A.
  std::vector<uint32_t> lanesOfA(uint32_t r) const {
    std::vector<uint32_t> lanes;
    for (uint32_t c = 0; c != n; ++c)
      if (uint32_t l = place(r, c).first; lanes.empty() || lanes.back() != l)
        lanes.push_back(l);
    return lanes;
  }
  uint32_t idesc() const {
    auto code = [&](const std::string &t) -> uint32_t {
      if (fp4())
        return 1;
      if (t == "tf32")
        return 2;
      if (kind == "f16" || kind == "i8")
        return t == "bf16" || t == "s8";
      return t == "e4m3" ? 0 : t == "e5m2" ? 1 : t == "e2m3" ? 3 : t == "e3m2" ? 4 : 5;
    };
    uint32_t v = uint32_t(sparse) << 2 | code(a) << 7 | code(b) << 10 | uint32_t(negateA) << 13 | uint32_t(aMn) << 15 |
                 uint32_t(bMn) << 16 | n / 8 << 17 | m / 16 << 24;
    if (scales)
      return v | uint32_t(k96) << 31 | uint32_t(!e4m3) << 23 | sfbId << 4 | sfaId << 29;
    uint32_t shift = maxShift == 0 ? 0 : maxShift == 8 ? 1 : maxShift == 16 ? 2 : 3;
    return v | selector | uint32_t(saturate) << 3 | (d == "f16" ? 0u : d == "f32" ? 1u : 2u) << 4 | shift << 30;
  }
  std::string text() const {
    std::string s;
    for (unsigned i = 0; mask && i != 4 * group; ++i)
      s += "mov.b32 %mk" + std::to_string(i) + ", " + std::to_string(maskWord(i)) + "; ";
    s += std::string("tcgen05.mma") + (ws ? ".ws" : "") + (sparse ? ".sp" : "") +
         ".cta_group::" + std::to_string(group) + ".kind::" + kind + (scales ? ".block_scale" : "") + vec +
         (ashift ? ".ashift" : "") + " [%x0], " + (aTensor ? "[%x1]" : "%rda") + ", %rdb, " +
         (sparse ? "[%x2], " : "") + "%id, " + (scales ? "[%x3], [%x4], " : "");
    if (mask) {
      s += "{";
      for (unsigned i = 0; i != 4 * group; ++i)
        s += (i ? ", %mk" : "%mk") + std::to_string(i);
      s += "}, ";
    }
    s += "%en";
    if (sd >= 0)
      s += ", " + std::to_string(sd);
    if (zeroMask)
      s += ", %y0";
    return s + ";";
  }
  static uint32_t maskWord(unsigned i) { return 0x12488421u * (i + 1); }
};

/// Runs one product and compares all of tensor memory. The reason it is wrong, or "".
std::string runCase(const Case &c, AsyncTiming timing = AsyncTiming::Late, uint64_t seed = 1) {
  Rng rng(seed * 1000 + c.m + c.n);
  State s(c.group, seed);
  s.timing = timing;
  const unsigned rows = c.rows(), nEach = c.n / c.group, k = c.k(), stored = c.storedK();
  const unsigned dColumn = 96, aColumn = 400, metaColumn = 420, sfaColumn = 440, sfbColumn = 460;
  const unsigned aBits = c.storage(c.a), bBits = c.storage(c.b);
  // Layouts; B is after A.
  auto layoutOf = [&](bool mn, unsigned extent, unsigned depth, unsigned bits) {
    wgmma::Swizzle sw = c.swizzle;
    Layout l = wgmma::tile(sw, mn, extent, depth, bits);
    if (!mn && sw == wgmma::None)
      l.leading = (extent + 7) / 8 * 128 + 16 * 8;
    if (!mn && sw != wgmma::None && l.width() >= 2 * depth * bits / 8)
      l.start = depth * bits / 8; // the second K block of the row
    return l;
  };
  Layout la = layoutOf(c.aMn, rows, stored, aBits), lb = layoutOf(c.bMn, nEach, k, bBits);
  const uint32_t aAt = 0, bAt = 20480;
  s.descriptors[0] = descriptor(la, aAt);
  s.descriptors[1] = descriptor(lb, bAt);
  s.idesc = c.idesc();
  s.enable = c.enable;
  s.y = c.zeroMask;
  s.x[0] = dColumn | c.base << 16;
  s.x[1] = aColumn | c.base << 16;
  s.x[2] = metaColumn | c.base << 16;
  s.x[3] = sfaColumn | c.sfaId << 30;
  s.x[4] = sfbColumn | c.sfbId << 30;

  auto put = [&](unsigned cta, const Layout &l, uint32_t at, uint32_t mn, uint32_t kk, const std::string &t,
                 unsigned storage, uint32_t code) {
    unsigned width = isNarrow(t) ? t == "e2m1" ? 4 : 6 : storage;
    // Four- and six-bit elements: 16 of them at the low end of 16 bytes.
    uint32_t bit = storage == 8 && width < 8 ? l.bitAddress(at, mn, kk / 16 * 16, 8) + kk % 16 * width
                                             : l.bitAddress(at, mn, kk, storage);
    for (unsigned b = 0; b != width; ++b) {
      uint8_t &byte = s.image[cta][(bit + b) / 8];
      byte = uint8_t((byte & ~(1u << (bit + b) % 8)) | (code >> b & 1) << (bit + b) % 8);
    }
  };
  std::vector<double> a[2], b(size_t(c.n) * k);
  std::vector<double> sfa[2], sfb;
  const unsigned blocks = c.scales ? c.scales : 1;
  for (unsigned h = 0; h != c.group; ++h) {
    a[h].assign(size_t(rows) * k, 0);
    for (uint32_t r = 0; r != rows; ++r) {
      std::vector<uint32_t> lanes = c.lanesOfA(r);
      for (uint32_t x = 0; x != stored; ++x) {
        Element e = randomElement(c.a, rng);
        uint32_t to = x;
        if (c.sparse) {
          // Choose positions when a group begins; the code goes to the metadata of every copy of the row.
          static thread_local uint32_t p0, p1;
          const bool tf32 = c.kind == "tf32", pairs = c.fp4();
          const unsigned per = tf32 ? 1 : pairs ? 4 : 2; // stored elements per group
          if (x % per == 0) {
            p0 = uint32_t(rng.next() >> 30) % 3;
            p1 = p0 + 1 + uint32_t(rng.next() >> 30) % (3 - p0);
            uint32_t code = p0 | p1 << 2;
            if (tf32) {
              p0 = uint32_t(rng.next() >> 30) & 1;
              code = p0 ? 14 : 4;
            }
            const uint32_t kk = x * 2;
            for (uint32_t l : lanes) {
              uint32_t lane, column, bit;
              if (c.kind == "f16") {
                lane = l % 8 + l / 16 * 16 + kk / 16 * 8;
                column = c.selector;
                bit = l / 8 % 2 * 16 + kk % 16;
              } else if (tf32) {
                lane = l % 8 + l / 16 * 16 + kk / 8 * 8;
                column = c.selector;
                bit = l / 8 % 2 * 16 + kk % 8 * 2;
              } else if (pairs) {
                lane = l;
                column = kk / 64;
                bit = kk / 2 % 32;
              } else {
                lane = l;
                column = kk / 32;
                bit = kk % 32;
              }
              uint32_t &cell = s.cell(h, lane, metaColumn + column);
              cell = (cell & ~(15u << bit)) | code << bit;
            }
          }
          const uint32_t g = x / per, inside = x % per;
          to = tf32 ? 2 * g + p0 : pairs ? 8 * g + 2 * (inside < 2 ? p0 : p1) + inside % 2 : 4 * g + (inside ? p1 : p0);
        }
        a[h][size_t(r) * k + to] = c.negateA ? -e.value : e.value;
        if (!c.aTensor) {
          put(h, la, aAt, r, x, c.a, aBits, e.code);
          continue;
        }
        uint32_t code = c.fp4() ? e.code : c.a == "e2m1" ? e.code << 2 : e.code;
        for (uint32_t l : lanes) {
          uint32_t bit = x * aBits, &cell = s.cell(h, l, aColumn + bit / 32);
          uint32_t field = aBits == 32 ? ~0u : ((1u << aBits) - 1) << bit % 32;
          cell = (cell & ~field) | code << bit % 32;
        }
      }
    }
    for (uint32_t x = 0; x != nEach; ++x)
      for (uint32_t kk = 0; kk != k; ++kk) {
        Element e = randomElement(c.b, rng);
        b[size_t(h * nEach + x) * k + kk] = e.value;
        put(h, lb, bAt, x, kk, c.b, bBits, e.code);
      }
  }
  // Scale factors.
  auto scale = [&](uint32_t &code) {
    code = c.e4m3 ? uint32_t(5 + (rng.next() >> 30) % 4) << 3 | uint32_t((rng.next() >> 30) & 7)
                  : 124 + uint32_t((rng.next() >> 30) % 7);
    return c.e4m3 ? std::ldexp(1 + (code & 7) / 8.0, int(code >> 3) - 7) : std::ldexp(1.0, int(code) - 127);
  };
  auto setByte = [&](unsigned h, uint32_t lane, uint32_t column, uint32_t byte, uint32_t code) {
    uint32_t &cell = s.cell(h, lane, column);
    cell = (cell & ~(255u << 8 * byte)) | code << 8 * byte;
  };
  if (c.scales) {
    uint32_t code = 0;
    for (unsigned h = 0; h != c.group; ++h) {
      sfa[h].resize(size_t(rows) * blocks);
      for (uint32_t r = 0; r != rows; ++r)
        for (unsigned j = 0; j != blocks; ++j) {
          sfa[h][r * blocks + j] = scale(code);
          for (unsigned p = 0; p != 4; ++p)
            setByte(h, 32 * p + r % 32, sfaColumn + r / 32 + (c.sfaId + j) / 4 * 4, (c.sfaId + j) % 4, code);
        }
    }
    sfb.resize(size_t(c.n) * blocks);
    for (uint32_t x = 0; x != c.n; ++x)
      for (unsigned j = 0; j != blocks; ++j) {
        sfb[x * blocks + j] = scale(code);
        for (unsigned h = 0; h != c.group; ++h)
          for (unsigned p = 0; p != (c.layout() == 'B' ? 2u : 4u); ++p)
            if (c.layout() == 'B')
              setByte(h, (x >= c.n / 2 ? 64 : 0) + 32 * p + x % (c.n / 2) % 32, sfbColumn + x % (c.n / 2) / 32,
                      c.sfbId + j, code);
            else
              setByte(h, 32 * p + x % 32, sfbColumn + x / 32 + (c.sfbId + j) / 4 * (c.n > 128 ? 8 : 4),
                      (c.sfbId + j) % 4, code);
      }
  }
  // The accumulator.
  std::vector<uint32_t> want[2];
  for (unsigned h = 0; h != c.group; ++h)
    for (uint32_t r = 0; r != rows; ++r)
      for (uint32_t x = 0; x != c.n; ++x) {
        auto [lane, column] = c.place(r, x);
        double v = double(int(rng.next() >> 40 & 127)) - 64;
        uint32_t &cell = s.cell(h, lane, dColumn + column);
        if (c.d == "s32")
          cell = c.saturate && r % 2 ? 0x7fffffffu - uint32_t(rng.next() >> 60) : uint32_t(int32_t(v));
        else
          cell = c.d == "f32" ? wgmma::encode("tf32", v) : wgmma::encode("f16", v) | uint32_t(rng.next()) << 16;
      }
  for (unsigned h = 0; h != c.group; ++h)
    want[h] = s.cells[h];
  for (unsigned h = 0; h != c.group; ++h)
    for (uint32_t r = 0; r != rows; ++r)
      for (uint32_t x = 0; x != c.n; ++x) {
        auto [lane, column] = c.place(r, x);
        uint32_t &cell = want[h][lane * 512 + dColumn + column];
        if (c.mask && Case::maskWord(4 * h + lane / 32) >> lane % 32 & 1)
          continue;
        const uint32_t banks = c.layout() == 'G' ? 4 : c.layout() == 'E' ? 2 : 1, inBank = x % (c.n / banks);
        bool zero = c.zeroMask && tensorColumnZeroed(c.zeroMask, x / (c.n / banks), inBank); // tested by itself above
        double sum = 0;
        for (uint32_t kk = 0; kk != k && !zero; ++kk) {
          double p = a[h][size_t(r) * k + kk] * b[size_t(x) * k + kk];
          if (c.scales)
            p *= sfa[h][r * blocks + kk / (k / blocks)] * sfb[x * blocks + kk / (k / blocks)];
          sum += p;
        }
        if (c.d == "s32") {
          int64_t v = int64_t(sum) + (c.enable ? int64_t(int32_t(cell)) : 0);
          if (c.saturate)
            v = std::clamp<int64_t>(v, INT32_MIN, INT32_MAX);
          cell = uint32_t(v);
          continue;
        }
        float old;
        std::memcpy(&old, &cell, 4);
        double in = c.d == "f32" ? double(old) : wgmma::halfValue(uint16_t(cell));
        if (c.sd > 0)
          in = std::ldexp(in, -c.sd);
        float result = float(sum + (c.enable ? in : 0));
        if (c.d == "f32") {
          std::memcpy(&cell, &result, 4);
        } else { // to nearest f16: sums here are multiples of 1/64 below 2^16
          double q = std::ldexp(1.0, std::max(-24, std::ilogb(result == 0 ? 1 : result) - 10)),
                 rounded = std::nearbyint(double(result) / q) * q;
          cell = wgmma::encode("f16", rounded);
        }
      }
  if (c.ashift)
    for (unsigned h = 0; h != c.group; ++h)
      for (uint32_t lane = 0; lane != 128; ++lane)
        if (lane % 32 != 31)
          for (uint32_t x = 0; x != 8; ++x)
            want[h][lane * 512 + aColumn + x] = s.cell(h, lane + 1, aColumn + x);
  std::vector<uint32_t> got[2];
  LaunchResult r = s.run(c.text(), got, c.target);
  if (!r.ok)
    return reports(r);
  for (unsigned h = 0; h != c.group; ++h)
    for (uint32_t i = 0; i != 65536; ++i)
      if (got[h][i] != want[h][i]) {
        char text[160];
        std::snprintf(text, sizeof text, "block %u, lane %u, column %u: %08x, not %08x", h, i / 512, i % 512, got[h][i],
                      want[h][i]);
        return text;
      }
  return "";
}

#define EXPECT_CASE(...)                                                                                               \
  do {                                                                                                                 \
    Case c{};                                                                                                          \
    __VA_ARGS__;                                                                                                       \
    EXPECT_EQ(runCase(c), "") << c.text() << " M " << c.m << " N " << c.n << " " << c.a << " " << c.b;                 \
  } while (0)

TEST(Tcgen05Mma, DenseLayouts) {
  EXPECT_CASE();                                // D
  EXPECT_CASE(c.m = 64; c.n = 24; c.base = 16); // F
  EXPECT_CASE(c.m = 64; c.n = 8; c.swizzle = wgmma::None);
  EXPECT_CASE(c.m = 64; c.ws = true; c.n = 128); // E
  EXPECT_CASE(c.m = 32; c.ws = true; c.n = 64);  // G
  EXPECT_CASE(c.m = 128; c.ws = true; c.n = 256; c.enable = false; c.swizzle = wgmma::S32);
  EXPECT_CASE(c.group = 2; c.m = 256; c.n = 80);                         // A
  EXPECT_CASE(c.group = 2; c.m = 128; c.n = 48; c.swizzle = wgmma::S64); // B
}

TEST(Tcgen05Mma, Types) {
  EXPECT_CASE(c.a = c.b = "bf16"; c.negateA = true);
  EXPECT_CASE(c.d = "f16"; c.n = 40; c.enable = false);
  EXPECT_CASE(c.kind = "tf32"; c.a = c.b = "tf32"; c.swizzle = wgmma::S32);
  const char *eights[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
  for (const char *a : eights)
    for (const char *b : eights)
      EXPECT_CASE(c.kind = "f8f6f4"; c.a = a; c.b = b; c.n = 16);
  EXPECT_CASE(c.kind = "f8f6f4"; c.a = "e4m3"; c.b = "e5m2"; c.d = "f16"; c.swizzle = wgmma::None);
  EXPECT_CASE(c.kind = "i8"; c.a = "u8"; c.b = "s8"; c.d = "s32"; c.n = 48);
  EXPECT_CASE(c.kind = "i8"; c.a = "s8"; c.b = "s8"; c.d = "s32"; c.saturate = true);
  EXPECT_CASE(c.sd = 3);
  EXPECT_CASE(c.kind = "tf32"; c.a = c.b = "tf32"; c.sd = 1);
  EXPECT_CASE(c.mask = true);
  EXPECT_CASE(c.group = 2; c.m = 256; c.mask = true; c.n = 32);
}

TEST(Tcgen05Mma, Swizzles) {
  for (wgmma::Swizzle s : {wgmma::None, wgmma::S32, wgmma::S64, wgmma::S128})
    for (int t = 0; t != 4; ++t) {
      EXPECT_CASE(c.swizzle = s; c.aMn = t & 1; c.bMn = t & 2; c.n = 128);
      EXPECT_CASE(c.kind = "f8f6f4"; c.a = "e5m2"; c.b = "e4m3"; c.swizzle = s; c.aMn = t & 1; c.bMn = t & 2;
                  c.n = 128);
    }
}

/// PTX ISA, shared memory layout of tf32 and 32-bit types: MN-major only with 128-byte swizzling in atoms of 32 bytes.
TEST(Tcgen05Mma, WideAtoms) {
  EXPECT_CASE(c.kind = "tf32"; c.a = c.b = "tf32"; c.swizzle = wgmma::S128Atom32; c.aMn = c.bMn = true; c.n = 64);
  // By hand: bits 6:5 of the address are inverted where bits 8:7 are set.
  for (auto [from, to] : {std::pair(0x80u, 0xa0u), std::pair(0x100u, 0x140u), std::pair(0x180u, 0x1e0u),
                          std::pair(0x1ffu, 0x19fu), std::pair(0x21fu, 0x21fu)})
    EXPECT_EQ(smemSwizzled(SmemSwizzle::B128Atom32, from), to) << std::hex << from;
  for (auto [from, to] :
       {std::pair(0x80u, 0x90u), std::pair(0x3f0u, 0x380u), std::pair(0x2a3u, 0x2f3u), std::pair(0x40fu, 0x40fu)})
    EXPECT_EQ(smemSwizzled(SmemSwizzle::B128, from), to) << std::hex << from;
  for (auto [from, to] : {std::pair(0x80u, 0x90u), std::pair(0x1b0u, 0x180u), std::pair(0x100u, 0x120u)})
    EXPECT_EQ(smemSwizzled(SmemSwizzle::B64, from), to) << std::hex << from;
  for (auto [from, to] : {std::pair(0x80u, 0x90u), std::pair(0x90u, 0x80u), std::pair(0x100u, 0x100u)})
    EXPECT_EQ(smemSwizzled(SmemSwizzle::B32, from), to) << std::hex << from;
}

TEST(Tcgen05Mma, AInTensorMemory) {
  EXPECT_CASE(c.aTensor = true);
  EXPECT_CASE(c.aTensor = true; c.m = 64; c.base = 16);
  EXPECT_CASE(c.aTensor = true; c.m = 64; c.ws = true);
  EXPECT_CASE(c.aTensor = true; c.m = 32; c.ws = true);
  EXPECT_CASE(c.aTensor = true; c.group = 2; c.m = 256);
  EXPECT_CASE(c.aTensor = true; c.group = 2; c.m = 128; c.n = 32);
  EXPECT_CASE(c.aTensor = true; c.kind = "tf32"; c.a = c.b = "tf32");
  for (const char *a : {"e4m3", "e2m3", "e2m1"})
    EXPECT_CASE(c.aTensor = true; c.kind = "f8f6f4"; c.a = a; c.b = "e4m3");
  EXPECT_CASE(c.aTensor = true; c.ashift = true);
}

TEST(Tcgen05Mma, Sparse) {
  for (unsigned selector = 0; selector != 2; ++selector) {
    EXPECT_CASE(c.sparse = true; c.selector = selector);
    EXPECT_CASE(c.sparse = true; c.selector = selector; c.kind = "tf32"; c.a = c.b = "tf32");
    EXPECT_CASE(c.sparse = true; c.selector = selector; c.m = 64; c.base = 16);
  }
  EXPECT_CASE(c.sparse = true; c.kind = "f8f6f4"; c.a = "e4m3"; c.b = "e5m2");
  EXPECT_CASE(c.sparse = true; c.kind = "i8"; c.a = "s8"; c.b = "u8"; c.d = "s32");
  EXPECT_CASE(c.sparse = true; c.m = 64; c.ws = true);
  EXPECT_CASE(c.sparse = true; c.m = 32; c.ws = true; c.kind = "f8f6f4"; c.a = c.b = "e4m3");
  EXPECT_CASE(c.sparse = true; c.group = 2; c.m = 256);
  EXPECT_CASE(c.sparse = true; c.group = 2; c.m = 128; c.base = 16);
  EXPECT_CASE(c.sparse = true; c.aTensor = true);
}

TEST(Tcgen05Mma, BlockScaled) {
  for (unsigned id = 0; id != 4; ++id) {
    EXPECT_CASE(c.kind = "mxf8f6f4"; c.a = "e4m3"; c.b = "e5m2"; c.scales = 1; c.sfaId = id; c.sfbId = 3 - id;
                c.vec = ".scale_vec::1X");
    EXPECT_CASE(c.kind = "mxf8f6f4"; c.a = "e2m3"; c.b = "e2m1"; c.scales = 1; c.sfaId = id; c.n = 136;
                c.vec = ".block32");
  }
  for (unsigned id = 0; id != 4; id += 2)
    EXPECT_CASE(c.kind = "mxf4"; c.a = c.b = "e2m1"; c.scales = 2; c.sfaId = id; c.sfbId = 2 - id);
  EXPECT_CASE(c.kind = "mxf4nvf4"; c.a = c.b = "e2m1"; c.scales = 4; c.e4m3 = true; c.vec = ".block16"; c.n = 96);
  EXPECT_CASE(c.kind = "mxf4nvf4"; c.a = c.b = "e2m1"; c.scales = 4; c.vec = ".scale_vec::4X");
  EXPECT_CASE(c.kind = "mxf4nvf4"; c.a = c.b = "e2m1"; c.scales = 2; c.vec = ".block32"; c.aTensor = true);
  EXPECT_CASE(c.kind = "mxf8f6f4"; c.a = c.b = "e4m3"; c.scales = 1; c.group = 2; c.m = 256; c.n = 144);
  EXPECT_CASE(c.kind = "mxf8f6f4"; c.a = c.b = "e4m3"; c.scales = 1; c.group = 2; c.m = 128; c.n = 64);
  EXPECT_CASE(c.kind = "mxf4nvf4"; c.a = c.b = "e2m1"; c.scales = 4; c.e4m3 = true; c.vec = ".block16"; c.group = 2;
              c.m = 256; c.n = 256);
  EXPECT_CASE(c.kind = "mxf8f6f4"; c.a = c.b = "e4m3"; c.scales = 1; c.sparse = true; c.vec = ".block32");
  EXPECT_CASE(c.kind = "mxf4"; c.a = c.b = "e2m1"; c.scales = 2; c.sparse = true);
}

TEST(Tcgen05Mma, K96) {
  for (unsigned id = 0; id != 4; ++id)
    EXPECT_CASE(c.kind = "mxf4"; c.a = c.b = "e2m1"; c.scales = 3; c.k96 = true; c.sfaId = id; c.sfbId = 3 - id;
                c.swizzle = wgmma::None; c.target = "sm_103a");
  for (unsigned id = 0; id != 4; id += 2)
    EXPECT_CASE(c.kind = "mxf4nvf4"; c.a = c.b = "e2m1"; c.scales = 6; c.e4m3 = true; c.k96 = true; c.vec = ".block16";
                c.sfbId = id; c.n = 160; c.swizzle = wgmma::None; c.target = "sm_103a");
}

TEST(Tcgen05Mma, ZeroColumns) {
  const uint64_t spans = uint64_t(1) << 39 | uint64_t(4) << 40 | uint64_t(6) << 48;
  EXPECT_CASE(c.ws = true; c.zeroMask = spans | 3);
  EXPECT_CASE(c.ws = true; c.m = 64; c.zeroMask = spans | uint64_t(1) << 33 | 0x0502);
  EXPECT_CASE(c.ws = true; c.m = 32; c.zeroMask = spans | uint64_t(5) << 32 | 0x01020304);
}

//===----------------------------------------------------------------------===//
// cp and shift
//===----------------------------------------------------------------------===//

TEST(Tcgen05Copy, Shapes) {
  struct Copy {
    const char *name;
    unsigned rows, bytes;
  } copies[] = {{"128x256b", 128, 32},
                {"128x128b", 128, 16},
                {"4x256b", 4, 32},
                {"64x128b.warpx2::02_13", 64, 16},
                {"64x128b.warpx2::01_23", 64, 16},
                {"32x128b.warpx4", 32, 16}};
  for (const Copy &copy : copies)
    for (unsigned group = 1; group <= 2; ++group)
      for (unsigned bits : {0u, 4u, 6u})
        for (wgmma::Swizzle sw : {wgmma::None, wgmma::S128}) {
          State s(group, copy.rows + bits + group);
          Layout l = wgmma::tile(sw, false, copy.rows, copy.bytes, 8);
          if (sw == wgmma::None)
            l.leading = copy.rows / 8 * 128 + 128;
          s.descriptors[2] = descriptor(l, 1024);
          const unsigned column = 76;
          s.x[0] = column;
          std::vector<uint32_t> want[2] = {s.cells[0], s.cells[1]}, got[2];
          for (unsigned h = 0; h != group; ++h)
            for (unsigned row = 0; row != copy.rows; ++row)
              for (unsigned b = 0; b != copy.bytes; ++b) {
                uint32_t value = s.image[h][l.bitAddress(1024, row, b, 8) / 8];
                if (bits) {
                  uint32_t unit = l.bitAddress(1024, row, b / 16 * 16, 8), at = b % 16 * bits;
                  value = 0;
                  for (unsigned x = 0; x != bits; ++x)
                    value |= uint32_t(s.image[h][(unit + at + x) / 8] >> (unit + at + x) % 8 & 1) << x;
                  if (bits == 4)
                    value <<= 2;
                }
                std::string name = copy.name;
                std::vector<uint32_t> lanes = {row};
                if (copy.rows == 4)
                  lanes = {32 * row};
                else if (name == "64x128b.warpx2::02_13")
                  lanes = {row, row + 64};
                else if (name == "64x128b.warpx2::01_23")
                  lanes = row < 32 ? std::vector<uint32_t>{row, row + 32} : std::vector<uint32_t>{row + 32, row + 64};
                else if (copy.rows == 32)
                  lanes = {row, row + 32, row + 64, row + 96};
                for (uint32_t lane : lanes) {
                  uint32_t &cell = want[h][lane * 512 + column + b / 4];
                  cell = (cell & ~(255u << 8 * (b % 4))) | value << 8 * (b % 4);
                }
              }
          std::string text = "tcgen05.cp.cta_group::" + std::to_string(group) + "." + copy.name +
                             (bits == 4 ? ".b8x16.b4x16_p64"
                              : bits    ? ".b8x16.b6x16_p32"
                                        : "") +
                             " [%x0], %rdc;";
          LaunchResult r = s.run(text, got);
          ASSERT_TRUE(r.ok) << reports(r) << text;
          for (unsigned h = 0; h != group; ++h)
            EXPECT_TRUE(got[h] == want[h]) << text << " block " << h;
        }
}

TEST(Tcgen05Copy, Shift) {
  for (unsigned group = 1; group <= 2; ++group) {
    State s(group, 9);
    s.x[0] = 40;
    std::vector<uint32_t> want[2] = {s.cells[0], s.cells[1]}, got[2];
    for (unsigned h = 0; h != group; ++h)
      for (unsigned lane = 0; lane != 128; ++lane)
        for (unsigned c = 40; c != 48 && lane % 32 != 31; ++c)
          want[h][lane * 512 + c] = s.cell(h, lane + 1, c);
    LaunchResult r = s.run("tcgen05.shift.cta_group::" + std::to_string(group) + ".down [%x0];", got);
    ASSERT_TRUE(r.ok) << reports(r);
    for (unsigned h = 0; h != group; ++h)
      EXPECT_TRUE(got[h] == want[h]);
  }
}

//===----------------------------------------------------------------------===//
// Misuse
//===----------------------------------------------------------------------===//

/// The report of a product with altered descriptors or addresses.
std::string misuse(const std::function<void(State &, std::string &)> &change, ReportKind kind) {
  State s;
  Layout l = wgmma::tile(wgmma::S128, false, 128, 16, 16);
  s.descriptors[0] = s.descriptors[2] = descriptor(l, 0);
  s.descriptors[1] = descriptor(l, 20480);
  s.idesc = 0x08200010;
  s.enable = 0;
  s.x[0] = 0;
  s.x[1] = 256;
  std::string text = "tcgen05.mma.cta_group::1.kind::f16 [%x0], %rda, %rdb, %id, %en;";
  change(s, text);
  std::vector<uint32_t> out[2];
  LaunchResult r = s.run(text, out);
  const Report *report = findReport(r, kind);
  return report ? report->message : "no such report: " + reports(r);
}
using Text = std::string;

TEST(Tcgen05Misuse, Products) {
  auto contains = [](const Text &message, const char *what) {
    return message.find(what) != Text::npos ? Text() : message;
  };
  EXPECT_NE(misuse([](State &, Text &) {}, ReportKind::Descriptor).find("no such report: "), Text::npos);
  auto descriptorFault = [&](const std::function<void(State &, Text &)> &f) {
    return misuse(f, ReportKind::Descriptor);
  };
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.idesc |= 1u << 23; }), "bits 0x00800000 must be zero"),
            "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.idesc |= 4; }), "sparsity bit is set"), "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.idesc |= 1u << 7; }), "types of A (1) and B (0)"), "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.idesc ^= 3u << 4; }), "type 2 of D"), "");
  EXPECT_EQ(
      contains(descriptorFault([](State &s, Text &) { s.idesc = (s.idesc & ~(31u << 24)) | 6u << 24; }), "M = 96"), "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.idesc |= 63u << 17; }), "N = 504"), "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.descriptors[0] |= uint64_t(1) << 53; }), "reserved bits"),
            "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.descriptors[1] |= uint64_t(3) << 61; }), "layout type 3"),
            "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.descriptors[0] ^= uint64_t(3) << 61; }), "32-byte atoms"),
            "");
  EXPECT_EQ(contains(descriptorFault([](State &s, Text &) { s.descriptors[0] |= uint64_t(1) << 49; }), "base offset"),
            "");
  auto tensor = [&](const std::function<void(State &, Text &)> &f) { return misuse(f, ReportKind::TensorMemory); };
  EXPECT_EQ(contains(tensor([](State &s, Text &) { s.x[0] = 448; }), "beyond column 511"), "");
  EXPECT_EQ(contains(tensor([](State &s, Text &) { s.x[0] = 16 << 16; }), "lane must be 0"), "");
  EXPECT_EQ(contains(tensor([](State &s, Text &t) {
                       s.x[0] = 2;
                       t = "tcgen05.cp.cta_group::1.128x256b [%x0], %rdc;";
                     }),
                     "multiple of 4"),
            "");
  EXPECT_EQ(contains(tensor([](State &s, Text &t) {
                       s.x[0] = 5 << 16;
                       t = "tcgen05.shift.cta_group::1.down [%x0];";
                     }),
                     "multiple of 32"),
            "");
  auto operation = [&](const char *text) {
    return misuse([&](State &, Text &t) { t = text; }, ReportKind::InvalidOperation);
  };
  EXPECT_EQ(contains(operation("tcgen05.mma.cta_group::1.kind::f16.collector::a::use [%x0], %rda, %rdb, %id, %en;"),
                     "no instruction has filled it"),
            "");
  EXPECT_EQ(contains(operation("tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%x0], %rda, %rdb, %id, %en; "
                               "tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [%x0], %rda, %rdb, %id, %en;"),
                     "no such report"),
            "");
  EXPECT_EQ(contains(misuse([](State &s, Text &) { s.descriptors[0] += 0x2000; }, ReportKind::OutOfBounds),
                     "reaches shared address"),
            "");
}

/// A block whose first warp executes `code`, and all warps `after` after a barrier.
LaunchResult small(const std::string &code, const std::string &after = "", AsyncTiming timing = AsyncTiming::Late) {
  std::string text = R"(.visible .entry k() .reqntid 128 {
  .reg .pred %p; .reg .b32 %r<40>, %ta, %tb; .reg .b64 %rd<4>;
  .shared .align 4 .b32 where; .shared .align 4 .b32 where2; .shared .align 8 .b64 bar;
  mov.u32 %r0, %tid.x; mov.u32 %r1, where; mov.u32 %r2, where2; setp.ge.u32 %p, %r0, 32; @%p bra $over;
)" + code + "\n$over:\n  bar.sync 0;\n" +
                     after + "\n  ret;\n}\n";
  std::unique_ptr<Module> m = parse(ptx(text, "sm_100a", "8.6"));
  Memory memory;
  LaunchConfig config;
  config.block = {128};
  config.options.asyncTiming = timing;
  config.options.checkRaces = true;
  return m ? launch(*m, memory, config) : LaunchResult();
}
const std::string alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 ",
                  dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 ";
std::string firstReport(const LaunchResult &r) {
  return r.reports.empty() ? r.ok ? "" : "failed" : r.reports[0].message;
}

TEST(Tcgen05Misuse, Allocation) {
  const std::string take = alloc + "[%r1], 64; bar.warp.sync 0xffffffff; ld.shared.b32 %ta, [where];\n";
  EXPECT_EQ(firstReport(small(take + dealloc + "%ta, 64;")), "");
  EXPECT_EQ(firstReport(small(take + alloc + "[%r2], 32; bar.warp.sync 0xffffffff; ld.shared.b32 %tb, [where2];\n" +
                              dealloc + "%ta, 64;" + dealloc + "%tb, 32;")),
            "");
  auto has = [](const LaunchResult &r, const char *what) {
    for (const Report &t : r.reports)
      if (t.kind == ReportKind::TensorMemory && t.message.find(what) != std::string::npos)
        return std::string();
    return "no such report: " + reports(r);
  };
  EXPECT_EQ(has(small(take), "without freeing the 64 columns"), "");
  EXPECT_EQ(has(small(take + dealloc + "%ta, 32;"), "not an allocation"), "");
  EXPECT_EQ(has(small(take + dealloc + "%ta, 64;" + dealloc + "%ta, 64;"), "not an allocation"), "");
  EXPECT_EQ(has(small(alloc + "[%r1], 48;"), "power of two"), "");
  EXPECT_EQ(has(small(take + alloc + "[%r2], 128;" + dealloc + "%ta, 64;"), "must not ask for more"), "");
  EXPECT_EQ(
      has(small("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" + take), "after tcgen05.relinquish"),
      "");
  // Nobody frees what a second allocation needs.
  LaunchResult r = small(alloc + "[%r1], 512;" + alloc + "[%r2], 512;");
  ASSERT_TRUE(hasReport(r, ReportKind::Deadlock)) << reports(r);
  EXPECT_NE(findReport(r, ReportKind::Deadlock)->message.find("free columns of tensor memory"), std::string::npos);
}

TEST(Tcgen05Misuse, Access) {
  const std::string take = alloc + "[%r1], 32;", read = "ld.shared.b32 %ta, [where]; ";
  const std::string give = "  bar.sync 0; @%p bra $end; " + dealloc + "%ta, 32;\n$end:\n";
  const std::string st = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%ta], {%r0}; tcgen05.wait::st.sync.aligned;";
  const std::string ld = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r5}, [%ta]; ",
                    wait = "tcgen05.wait::ld.sync.aligned; ";
  EXPECT_EQ(firstReport(small(take, read + st + ld + wait + "add.u32 %r6, %r5, 1;" + give)), "");
  auto kindOf = [](const LaunchResult &r) {
    return r.reports.empty() ? std::string("none") : std::string(reportKindName(r.reports[0].kind));
  };
  EXPECT_EQ(kindOf(small(take, read + ld + wait + give)), "uninitialized");
  for (AsyncTiming t : {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random}) {
    EXPECT_EQ(kindOf(small(take, read + st + ld + "add.u32 %r6, %r5, 1;" + wait + give, t)), "async"); // read too early
    EXPECT_EQ(kindOf(small(take, read + st + ld + "mov.u32 %r5, 1;" + wait + give, t)), "async");      // written
    EXPECT_TRUE(hasReport(small(take, read + st + ld + give, t), ReportKind::Async)); // never waited for
  }
  const std::string other = "add.u32 %tb, %ta, 32; ";
  EXPECT_EQ(kindOf(small(
                take, read + other +
                          "tcgen05.st.sync.aligned.32x32b.x1.b32 [%tb], {%r0}; tcgen05.wait::st.sync.aligned;" + give)),
            "tensor-memory");
  // Another warp's lanes.
  EXPECT_EQ(kindOf(small(
                take, read + "add.u32 %tb, %ta, 0x200000; tcgen05.st.sync.aligned.32x32b.x1.b32 [%tb], {%r0};" + give)),
            "tensor-memory");
  EXPECT_EQ(kindOf(small(
                take, read + "add.u32 %tb, %ta, 0x100000; tcgen05.st.sync.aligned.32x32b.x1.b32 [%tb], {%r0};" + give)),
            "tensor-memory");
}

TEST(Tcgen05Misuse, Text) {
  auto bad = [](const std::string &code, const std::string &target = "sm_100a", const std::string &version = "8.8") {
    return parseError(
        ptx(".visible .entry k() {\n .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n" + code + "\n ret;\n}\n",
            target, version));
  };
  auto has = [](const std::string &text, const char *what) {
    return text.find(what) != std::string::npos ? std::string() : text;
  };
  const std::string mma = "[%r0], %rd0, %rd1, %r1, %p;";
  EXPECT_EQ(has(bad("tcgen05.wait::ld.sync.aligned;", "sm_100"), "needs target sm_100a"), "");
  EXPECT_EQ(has(bad("tcgen05.wait::ld.sync.aligned;", "sm_120a"), "needs target"), "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::i8 " + mma, "sm_103a"), "'.kind::i8' needs target"), "");
  EXPECT_EQ(has(bad("tcgen05.shift.cta_group::1.down [%r0];", "sm_100f"), "'tcgen05.shift' needs"), "");
  EXPECT_EQ(has(bad("tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%r0, %r1}, %r2, [%r3];"), "'tcgen05.ld.red' needs"),
            "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%r0], %rd0, %rd1, %r1, [%r2], [%r3], %p;",
                    "sm_100a", "8.6"),
                "8.8"),
            "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::f16 " + mma + " tcgen05.shift.cta_group::2.down [%r0];"),
                "in one function"),
            "");
  EXPECT_EQ(has(bad("tcgen05.ld.sync.aligned.16x256b.x64.b32 {%r0}, [%r1];"), "at most .x32"), "");
  EXPECT_EQ(has(bad("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0}, [%r1];"), "list of 2 registers"), "");
  EXPECT_EQ(has(bad("tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r0}, [%r1];"), "takes 3 operands"), "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::f16.ashift " + mma), "needs A in tensor memory"), "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::f16 [%r0], %rd0, %rd1, %r1;"), "at least 5 operands"), "");
  EXPECT_EQ(has(bad("tcgen05.mma.cta_group::1.kind::f16 [%r0], %rd0, %rd1, %r1, %p, 16;"), "0 to 15"), "");
  EXPECT_EQ(
      has(bad("tcgen05.mma.cta_group::2.kind::f16 [%r0], %rd0, %rd1, %r1, {%r2, %r3, %r4, %r5}, %p;"), "list of 8"),
      "");
}

/// Everything the tests write is accepted by the assembler, where there is one.
TEST(Tcgen05Text, Assembles) {
  const char *ptxas = "/usr/local/cuda/bin/ptxas";
  if (access(ptxas, X_OK))
    GTEST_SKIP() << "no ptxas";
  char dir[] = "/tmp/emulator-tcgen05-XXXXXX";
  ASSERT_TRUE(mkdtemp(dir));
  std::vector<Case> cases;
  for (const char *kind : {"f16", "tf32", "f8f6f4", "i8"})
    for (int v = 0; v != 16; ++v) {
      Case c;
      c.kind = kind;
      c.ws = v & 1;
      c.sparse = v & 2;
      c.aTensor = v & 4;
      c.mask = (v & 8) && !c.ws;
      c.zeroMask = (v & 8) && c.ws;
      cases.push_back(c);
    }
  for (auto [kind, vec, scales] :
       {std::tuple("mxf8f6f4", "", 1), std::tuple("mxf8f6f4", ".scale_vec::1X", 1), std::tuple("mxf4", ".block32", 2),
        std::tuple("mxf4nvf4", ".block16", 4), std::tuple("mxf4nvf4", ".scale_vec::2X", 2)}) {
    Case c;
    c.kind = kind;
    c.vec = vec;
    c.scales = unsigned(scales);
    cases.push_back(c);
    c.sparse = true;
    cases.push_back(c);
  }
  std::string all, second;
  for (const Case &c : cases)
    all += c.text() + "\n  ";
  Case sd;
  sd.sd = 4;
  all += sd.text() + "\n  tcgen05.cp.cta_group::1.64x128b.warpx2::01_23.b8x16.b6x16_p32 [%x0], %rdc; "
                     "tcgen05.shift.cta_group::1.down [%x0];\n  "
                     "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%x0], %rda, %rdb, %id, %en;\n  "
                     "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b2::lastuse [%x0], %rda, %rdb, %id, %en;";
  Case pair;
  pair.group = 2;
  pair.mask = true;
  second = pair.text();
  unsigned number = 0;
  for (const std::string &text : {kernel(1, all), kernel(2, second)}) {
    std::string file = std::string(dir) + "/k" + std::to_string(number++) + ".ptx", log = std::string(dir) + "/log";
    std::string whole = ptx(text, "sm_100a", "8.8");
    std::vector<Diagnostic> errors;
    EXPECT_TRUE(Module::parse(whole, "k.ptx", errors)) << messages(errors);
    FILE *f = fopen(file.c_str(), "w");
    ASSERT_TRUE(f);
    fwrite(whole.data(), 1, whole.size(), f);
    fclose(f);
    std::string command = std::string(ptxas) + " -arch=sm_100a -o /dev/null " + file + " > " + log + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << [&] {
      std::string t;
      char buffer[4096];
      if (FILE *g = fopen(log.c_str(), "r")) {
        t.assign(buffer, fread(buffer, 1, sizeof buffer, g));
        fclose(g);
      }
      return t;
    }();
    unlink(file.c_str());
    unlink(log.c_str());
  }
  rmdir(dir);
}

} // namespace
