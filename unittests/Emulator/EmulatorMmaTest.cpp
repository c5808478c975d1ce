//===- EmulatorMmaTest.cpp - Every dense mma.sync shape ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random matrices are spread over lanes and registers by position -> (lane, register, element), the inverse of what
// the emulator computes, and the result is compared with a triple loop. Each shape is run again with planted faults,
// all of which must show.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cfenv>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

enum class Values { Small, Wide };
enum class Fault { None, SwapA, SwapB, SwapD, LaneA, LaneB, LaneC };

/// An element type: its size in a register and the value of its bits, from the formats' definitions.
struct Element {
  std::string name;
  unsigned bits;
  double value(uint64_t v) const {
    auto fields = [&](int exponentBits, int mantissaBits, int bias) {
      int sign = int(v >> (exponentBits + mantissaBits) & 1);
      int exponent = int(v >> mantissaBits & ((1u << exponentBits) - 1));
      double mantissa = double(v & ((uint64_t(1) << mantissaBits) - 1)) / double(uint64_t(1) << mantissaBits);
      double magnitude = exponent ? std::ldexp(1 + mantissa, exponent - bias) : std::ldexp(mantissa, 1 - bias);
      return sign ? -magnitude : magnitude;
    };
    if (name == "f16")
      return fields(5, 10, 15);
    if (name == "bf16")
      return fields(8, 7, 127);
    if (name == "tf32")
      return fields(8, 23, 127);
    if (name == "f32")
      return fields(8, 23, 127);
    if (name == "e4m3")
      return fields(4, 3, 7);
    if (name == "e5m2")
      return fields(5, 2, 15);
    if (name == "f64")
      return std::bit_cast<double>(v);
    if (name == "u8")
      return double(v);
    if (name == "s8")
      return double(v) - (v >= 128 ? 256 : 0);
    return double(int32_t(uint32_t(v))); // s32
  }
  unsigned perRegister() const { return bits >= 32 ? 1 : 32 / bits; }
  unsigned registerBytes() const { return bits == 64 ? 8 : 4; }

  /// Finite bits. Small: sums of a few products are exact in every accumulator format.
  uint64_t random(Rng &rng, Values which) const {
    uint64_t r = rng.next();
    if (name == "s8" || name == "u8")
      return r & 255;
    if (name == "s32" && which == Values::Wide) // often near the limits
      return uint32_t((r >> 40) % 3 == 0   ? 0x7fffffffu - r % 100000
                      : (r >> 40) % 3 == 1 ? 0x80000000u + r % 100000
                                           : r);
    if (name == "s32")
      return uint32_t(r % 2001 - 1000);
    if (name == "f64")
      return std::bit_cast<uint64_t>(double(int64_t(r)) * 1e-18);
    uint64_t sign = r >> 63;
    if (which == Values::Small) { // -2 .. 2 in steps of 1/4, exact in all formats
      uint64_t quarter = r % 9;
      for (uint64_t v = 0;; ++v) // the code with this value: formats are monotonic, so the first one is it
        if (v == 0 ? quarter == 0 : quarter != 0 && value(step() * v) == double(quarter) / 4)
          return (v ? step() * v : 0) | sign << (bits - 1);
    }
    if (name == "e4m3")
      return (r & 0x7f) == 0x7f ? 0 : r & 0xff;
    if (name == "e5m2")
      return (r & 0x7c) == 0x7c ? 0 : r & 0xff;
    if (name == "f16")
      return (r & 0x7c00) == 0x7c00 ? 0 : r & 0xffff;
    // Exponents around one, so that products and sums stay finite.
    uint64_t f = (sign << 31) | (127 - 12 + (r >> 40) % 24) << 23 | (r & 0x7fffff);
    return name == "bf16" ? f >> 16 : f;
  }
  /// Distance of codes that random() walks through in search of a small value.
  uint64_t step() const { return bits == 32 ? 1u << 21 : name == "bf16" ? 1u << 5 : name == "f16" ? 1u << 8 : 1; }
};

struct Shape {
  unsigned m, k;
  std::string d, a, b;
  std::string suffix = "", prefix = ""; ///< words after and before the types
  std::string target = "sm_90a";
};

struct Place {
  unsigned lane, reg, element;
  bool operator==(const Place &) const = default;
};

/// Where an element stands; w elements share a register.
Place placeA(unsigned m, unsigned w, unsigned row, unsigned k) {
  unsigned chunk = k / (4 * w), inside = k % (4 * w);
  return {4 * (row % 8) + inside / w, m == 16 ? 2 * chunk + row / 8 : chunk, inside % w};
}
Place placeB(unsigned w, unsigned k, unsigned n) { return {4 * n + k % (4 * w) / w, k / (4 * w), k % w}; }
Place placeC(unsigned w, unsigned row, unsigned n) {
  unsigned index = 2 * (row / 8) + n % 2;
  return {4 * (row % 8) + n / 2, index / w, index % w};
}

TEST(EmulatorMma, PlacesOfThisTest) {
  // Single points of the ISA's fragment figures, so that this file and the emulator do not share a wrong formula.
  EXPECT_EQ(placeA(16, 2, 3, 11), (Place{13, 2, 1})); // f16 m16n8k16
  EXPECT_EQ(placeA(16, 2, 11, 10), (Place{13, 3, 0}));
  EXPECT_EQ(placeB(2, 10, 3), (Place{13, 1, 0}));
  EXPECT_EQ(placeC(1, 11, 3), (Place{13, 3, 0}));
  EXPECT_EQ(placeA(16, 4, 15, 27), (Place{30, 3, 3})); // s8 m16n8k32
  EXPECT_EQ(placeB(4, 26, 7), (Place{30, 1, 2}));
  EXPECT_EQ(placeA(16, 1, 1, 5), (Place{5, 2, 0}));  // tf32 m16n8k8
  EXPECT_EQ(placeA(16, 1, 9, 13), (Place{5, 7, 0})); // f64 m16n8k16
  EXPECT_EQ(placeB(1, 13, 1), (Place{5, 3, 0}));
}

class Fragment {
public:
  Fragment(unsigned elements, const Element &type)
      : type(type), registers(std::max(1u, elements / 32 / type.perRegister())), words(32 * registers) {}
  void set(Place p, uint64_t bits) { words[p.lane * registers + p.reg] |= bits << (p.element * type.bits); }
  uint64_t get(Place p) const {
    uint64_t v = words[p.lane * registers + p.reg] >> (p.element * type.bits);
    return type.bits == 64 ? v : v & ((uint64_t(1) << type.bits) - 1);
  }
  /// Bytes as the kernel loads and stores them: lane after lane, register after register.
  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> v;
    for (uint64_t word : words)
      for (unsigned i = 0; i != type.registerBytes(); ++i)
        v.push_back(uint8_t(word >> 8 * i));
    return v;
  }
  void fromBytes(const std::vector<uint8_t> &v) {
    std::fill(words.begin(), words.end(), 0);
    for (size_t i = 0; i != v.size(); ++i)
      words[i / type.registerBytes()] |= uint64_t(v[i]) << 8 * (i % type.registerBytes());
  }
  Element type;
  unsigned registers;
  std::vector<uint64_t> words;
};

std::string list(const std::string &name, unsigned n, bool swap) {
  std::string s;
  for (unsigned i = 0; i != n; ++i)
    s += (i ? ", " : "{") + name + std::to_string(swap && i < 2 ? 1 - i : i);
  return s + "}";
}

Element elementOf(const std::string &name) {
  unsigned bits = name == "f64"                                      ? 64
                  : name == "tf32" || name == "f32" || name == "s32" ? 32
                  : name == "f16" || name == "bf16"                  ? 16
                                                                     : 8;
  return {name, bits};
}

std::string opcode(const Shape &s) {
  return "mma.sync.aligned.m" + std::to_string(s.m) + "n8k" + std::to_string(s.k) + ".row.col" + s.prefix + "." + s.d +
         "." + s.a + "." + s.b + "." + s.d + s.suffix;
}

/// Runs one mma; false (with a failure) if it does not run.
bool runMma(const Shape &s, const Fragment &a, const Fragment &b, const Fragment &c, Fragment &d,
            Fault fault = Fault::None) {
  Memory memory;
  uint64_t pa = upload(memory, a.bytes(), "a"), pb = upload(memory, b.bytes(), "b"),
           pc = upload(memory, c.bytes(), "c");
  uint64_t out = memory.allocate(c.bytes().size(), "out");
  auto kind = [](const Fragment &f) { return f.type.bits == 64 ? std::string("b64") : std::string("b32"); };
  std::string text = ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c)\n{\n.reg .b32 "
                     "%t, %u; .reg .b64 %p<8>;\n.reg ." +
                     kind(a) + " %a<8>; .reg ." + kind(b) + " %b<8>; .reg ." + kind(c) +
                     " %c<8>, %d<8>;\nmov.u32 %t, %tid.x;\n";
  auto address = [&](const std::string &param, const Fragment &f, unsigned laneXor) {
    text += "xor.b32 %u, %t, " + std::to_string(laneXor) + "; mul.wide.u32 %p1, %u, " +
            std::to_string(f.registers * f.type.registerBytes()) + "; ld.param.u64 %p0, [" + param +
            "]; add.u64 %p0, %p0, %p1;\n";
  };
  auto load = [&](const std::string &param, const Fragment &f, bool wrongLane) {
    address(param, f, wrongLane ? 5 : 0);
    for (unsigned i = 0; i != f.registers; ++i)
      text += "ld.global." + kind(f) + " %" + param + std::to_string(i) + ", [%p0+" +
              std::to_string(i * f.type.registerBytes()) + "];\n";
  };
  load("a", a, fault == Fault::LaneA);
  load("b", b, fault == Fault::LaneB);
  load("c", c, fault == Fault::LaneC);
  text += opcode(s) + " " + list("%d", c.registers, fault == Fault::SwapD) + ", " +
          list("%a", a.registers, fault == Fault::SwapA) + ", " + list("%b", b.registers, fault == Fault::SwapB) +
          ", " + list("%c", c.registers, false) + ";\n";
  address("out", c, 0);
  for (unsigned i = 0; i != c.registers; ++i)
    text += "st.global." + kind(c) + " [%p0+" + std::to_string(i * c.type.registerBytes()) + "], %d" +
            std::to_string(i) + ";\n";
  auto module = parse(ptx(text + "ret;\n}\n", s.target));
  if (!module)
    return false;
  LaunchConfig config;
  config.block = {32};
  config.args.add(out).add(pa).add(pb).add(pc);
  config.options.hostThreads = 1;
  LaunchResult r = launch(*module, memory, config);
  EXPECT_TRUE(r.ok) << reports(r) << text;
  d.fromBytes(download<uint8_t>(memory, out, c.bytes().size()));
  return r.ok;
}

/// D of the f64 forms: a chain of fma in the given rounding mode.
[[gnu::noinline]] double chain(const std::vector<double> &a, const std::vector<double> &b, double c, int mode) {
  int before = std::fegetround();
  std::fesetround(mode);
  volatile double s = c;
  for (size_t k = 0; k != a.size(); ++k) {
    volatile double x = a[k], y = b[k];
    s = std::fma(x, y, s);
  }
  std::fesetround(before);
  return s;
}

/// Number of wrong elements of one random product.
unsigned mismatches(const Shape &s, Values which, uint64_t seed, Fault fault = Fault::None) {
  Element ta = elementOf(s.a), tb = elementOf(s.b), tc = elementOf(s.d);
  Rng rng(seed);
  Fragment a(s.m * s.k, ta), b(s.k * 8, tb), c(s.m * 8, tc), d(s.m * 8, tc);
  std::vector<std::vector<uint64_t>> A(s.m, std::vector<uint64_t>(s.k)), B(s.k, std::vector<uint64_t>(8)),
      C(s.m, std::vector<uint64_t>(8));
  for (unsigned i = 0; i != s.m; ++i)
    for (unsigned k = 0; k != s.k; ++k)
      a.set(placeA(s.m, ta.perRegister(), i, k), A[i][k] = ta.random(rng, which));
  for (unsigned k = 0; k != s.k; ++k)
    for (unsigned n = 0; n != 8; ++n)
      b.set(placeB(tb.perRegister(), k, n), B[k][n] = tb.random(rng, which));
  for (unsigned i = 0; i != s.m; ++i)
    for (unsigned n = 0; n != 8; ++n)
      c.set(placeC(tc.perRegister(), i, n), C[i][n] = tc.random(rng, which));
  if (!runMma(s, a, b, c, d, fault))
    return ~0u;
  unsigned wrong = 0;
  for (unsigned i = 0; i != s.m; ++i)
    for (unsigned n = 0; n != 8; ++n) {
      uint64_t got = d.get(placeC(tc.perRegister(), i, n));
      if (tc.name == "s32") {
        int64_t sum = int32_t(uint32_t(C[i][n]));
        for (unsigned k = 0; k != s.k; ++k)
          sum += int64_t(ta.value(A[i][k])) * int64_t(tb.value(B[k][n]));
        if (s.prefix == ".satfinite")
          sum = std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
        wrong += uint32_t(got) != uint32_t(sum);
        continue;
      }
      std::vector<double> x, y;
      for (unsigned k = 0; k != s.k; ++k) {
        // tf32 has ten bits of mantissa; the rest of the register is ignored.
        x.push_back(ta.value(ta.name == "tf32" ? A[i][k] & ~uint64_t(0x1fff) : A[i][k]));
        y.push_back(tb.value(tb.name == "tf32" ? B[k][n] & ~uint64_t(0x1fff) : B[k][n]));
      }
      if (tc.name == "f64") {
        int mode = s.suffix == ".rz"   ? FE_TOWARDZERO
                   : s.suffix == ".rm" ? FE_DOWNWARD
                   : s.suffix == ".rp" ? FE_UPWARD
                                       : FE_TONEAREST;
        wrong += got != std::bit_cast<uint64_t>(chain(x, y, tc.value(C[i][n]), mode));
        continue;
      }
      long double sum = tc.value(C[i][n]), magnitude = std::fabs(tc.value(C[i][n]));
      for (unsigned k = 0; k != s.k; ++k) {
        sum += (long double)x[k] * y[k];
        magnitude += std::fabs((long double)x[k] * y[k]);
      }
      // Small values: exact. Otherwise an accumulator format's rounding error, relative to the terms.
      long double tolerance = which == Values::Small ? 0 : magnitude * std::ldexp(1.0L, -23);
      wrong += !(std::fabs((long double)tc.value(got) - sum) <= tolerance);
    }
  return wrong;
}

std::vector<Shape> allShapes() {
  std::vector<Shape> v;
  for (unsigned k : {8, 16}) {
    v.push_back({16, k, "f32", "f16", "f16"});
    v.push_back({16, k, "f16", "f16", "f16"});
    v.push_back({16, k, "f32", "bf16", "bf16"});
  }
  for (unsigned k : {4, 8})
    v.push_back({16, k, "f32", "tf32", "tf32"});
  for (std::string a : {"s8", "u8"})
    for (std::string b : {"s8", "u8"})
      for (std::string sat : {"", ".satfinite"}) {
        v.push_back({8, 16, "s32", a, b, "", sat});
        v.push_back({16, 16, "s32", a, b, "", sat});
        v.push_back({16, 32, "s32", a, b, "", sat});
      }
  for (std::string a : {"e4m3", "e5m2"})
    for (std::string b : {"e4m3", "e5m2"})
      for (std::string d : {"f16", "f32"}) {
        v.push_back({16, 16, d, a, b});
        v.push_back({16, 32, d, a, b});
        v.push_back({16, 32, d, a, b, "", ".kind::f8f6f4", "sm_120a"});
      }
  for (std::string rounding : {"", ".rn", ".rz", ".rm", ".rp"}) {
    v.push_back({8, 4, "f64", "f64", "f64", rounding});
    for (unsigned k : {4, 8, 16})
      v.push_back({16, k, "f64", "f64", "f64", rounding});
  }
  return v;
}

TEST(EmulatorMma, RandomProducts) {
  for (const Shape &s : allShapes()) {
    for (uint64_t seed = 0; seed != 4; ++seed)
      EXPECT_EQ(mismatches(s, Values::Small, seed), 0u) << opcode(s) << " seed " << seed;
    if (s.d != "f16") // f16 accumulators overflow with wide values
      for (uint64_t seed = 0; seed != 4; ++seed)
        EXPECT_EQ(mismatches(s, Values::Wide, seed), 0u) << opcode(s) << " wide, seed " << seed;
  }
}

TEST(EmulatorMma, PlantedFaultsShow) {
  for (const Shape &s : allShapes()) {
    Element ta = elementOf(s.a), tb = elementOf(s.b), tc = elementOf(s.d);
    std::vector<Fault> faults = {Fault::LaneA, Fault::LaneB, Fault::LaneC};
    if (Fragment(s.m * s.k, ta).registers > 1)
      faults.push_back(Fault::SwapA);
    if (Fragment(8 * s.k, tb).registers > 1)
      faults.push_back(Fault::SwapB);
    if (Fragment(s.m * 8, tc).registers > 1)
      faults.push_back(Fault::SwapD);
    for (Fault f : faults)
      EXPECT_GT(mismatches(s, Values::Small, 1, f), 2u) << opcode(s) << " fault " << int(f);
  }
}

TEST(EmulatorMma, SpecialValues) {
  // A row of infinities times zero, and infinity minus infinity, give the canonical NaN; infinity alone stays.
  auto one = [](const std::string &d, uint64_t a0, uint64_t b0, uint64_t c0) {
    Shape s{16, 8, d, "f16", "f16"};
    Element h = elementOf("f16"), tc = elementOf(d);
    Fragment a(128, h), b(64, h), c(128, tc), r(128, tc);
    a.set(placeA(16, 2, 9, 3), a0);
    b.set(placeB(2, 3, 5), b0);
    c.set(placeC(tc.perRegister(), 9, 5), c0);
    EXPECT_TRUE(runMma(s, a, b, c, r));
    return r.get(placeC(tc.perRegister(), 9, 5));
  };
  EXPECT_EQ(one("f32", 0x7c00, 0, 0), 0x7fffffffu);
  EXPECT_EQ(one("f16", 0x7c00, 0, 0), 0x7fffu);
  EXPECT_EQ(one("f32", 0x7c00, 0x3c00, 0xff800000), 0x7fffffffu);
  EXPECT_EQ(one("f32", 0x7e01, 0x3c00, 0), 0x7fffffffu);
  EXPECT_EQ(one("f32", 0x7c00, 0xbc00, 0x3f800000), 0xff800000u);
  EXPECT_EQ(one("f16", 0x7bff, 0x4000, 0), 0x7c00u); // overflow
  EXPECT_EQ(one("f16", 0x0001, 0x3c00, 0), 0x0001u); // subnormals are kept
  EXPECT_EQ(one("f16", 0x3c01, 0x3c01, 0), 0x3c02u); // rounded to nearest even
}

TEST(EmulatorMma, Refused) {
  auto error = [](const std::string &instruction, const std::string &target = "sm_90a") {
    return parseError(ptx(".visible .entry k()\n{\n.reg .b32 %r<32>; .reg .f64 %d<32>; .reg .b64 %rd<4>;\n" +
                              instruction + "\nret;\n}\n",
                          target));
  };
  std::string regs = " {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, {%r0,%r1,%r2,%r3};";
  EXPECT_NE(error("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16" + regs), "");
  EXPECT_NE(error("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32" + regs), "");
  EXPECT_NE(error("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32" + regs, "sm_80"), "");
  EXPECT_NE(error("mma.sync.aligned.m16n8k64.row.col.s32.s4.s8.s32" + regs), "");
  EXPECT_NE(
      error("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%d0,%d1,%d2,%d3}, {%d4,%d5}, {%d6}, {%d0,%d1,%d2,%d3};",
            "sm_80"),
      "");
  EXPECT_NE(error("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%r0,%r1}, {%d4}, {%d6}, {%d0,%d1};"), "");
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix: rows at random places
//===----------------------------------------------------------------------===//

TEST(EmulatorMma, LoadAndStoreMatrices) {
  for (unsigned count : {1, 2, 4})
    for (bool trans : {false, true})
      for (bool store : {false, true})
        for (bool generic : {false, true}) {
          Rng rng(count * 8 + trans * 4 + store * 2 + generic);
          std::vector<uint16_t> image(64 * 8); // 64 slots of 16 bytes
          for (uint16_t &v : image)
            v = uint16_t(rng.next());
          std::vector<uint32_t> slot(64), fragments(32 * 4);
          for (unsigned i = 0; i != 64; ++i)
            slot[i] = i;
          for (unsigned i = 63; i; --i)
            std::swap(slot[i], slot[rng.next() % (i + 1)]);
          for (uint32_t &v : fragments)
            v = uint32_t(rng.next());
          std::vector<uint32_t> addresses(32);
          for (unsigned l = 0; l != 32; ++l) // the addresses of lanes that no matrix uses are not looked at
            addresses[l] = l < 8 * count ? slot[l] * 16 : 0x7ffffff1u;
          Memory memory;
          uint64_t pi = upload(memory, image, "image"), ps = upload(memory, addresses, "addresses"),
                   pf = upload(memory, fragments, "fragments");
          std::string body = R"(.visible .entry k(.param .u64 i, .param .u64 a, .param .u64 f) {
            .reg .b32 %r<16>, %f<4>; .reg .b64 %rd<16>; .shared .align 16 .b8 s[1024];
            mov.u32 %r0, %tid.x; mov.u32 %r1, s; ld.param.u64 %rd0, [i]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [f];
            mul.wide.u32 %rd3, %r0, 32; add.u64 %rd0, %rd0, %rd3; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd1, %rd1, %rd4; mul.wide.u32 %rd5, %r0, 16; add.u64 %rd2, %rd2, %rd5;
            shl.b32 %r2, %r0, 5; add.u32 %r2, %r2, %r1; ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%rd0]; st.shared.v4.b32 [%r2], {%r4,%r5,%r6,%r7};
            ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%rd0+16]; st.shared.v4.b32 [%r2+16], {%r4,%r5,%r6,%r7};
            ld.global.v4.b32 {%f0,%f1,%f2,%f3}, [%rd2]; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r1; cvt.u64.u32 %rd6, %r3; cvta.shared.u64 %rd6, %rd6;
            bar.warp.sync -1;
)";
          std::string list = "{%f0", addr = generic ? "[%rd6]" : "[%r3]";
          for (unsigned j = 1; j != count; ++j)
            list += ",%f" + std::to_string(j);
          list += "}";
          body += std::string(store ? "stmatrix" : "ldmatrix") + ".sync.aligned.m8n8.x" + std::to_string(count) +
                  (trans ? ".trans" : "") + (generic ? "" : ".shared") + ".b16 " +
                  (store ? addr + ", " + list : list + ", " + addr) + ";\n";
          body += R"(bar.warp.sync -1; st.global.v4.b32 [%rd2], {%f0,%f1,%f2,%f3};
            ld.shared.v4.b32 {%r4,%r5,%r6,%r7}, [%r2]; st.global.v4.b32 [%rd0], {%r4,%r5,%r6,%r7};
            ld.shared.v4.b32 {%r4,%r5,%r6,%r7}, [%r2+16]; st.global.v4.b32 [%rd0+16], {%r4,%r5,%r6,%r7}; ret; })";
          auto m = parse(ptx(body));
          ASSERT_TRUE(m);
          LaunchConfig c;
          c.block = {32};
          c.args.add(pi).add(ps).add(pf);
          LaunchResult r = launch(*m, memory, c);
          ASSERT_TRUE(r.ok) << reports(r);
          auto newImage = download<uint16_t>(memory, pi, image.size());
          auto newFragments = download<uint32_t>(memory, pf, fragments.size());
          for (unsigned j = 0; j != count; ++j)
            for (unsigned row = 0; row != 8; ++row)
              for (unsigned col = 0; col != 8; ++col) {
                // Element (row, col) is with the lane whose g is the row and t half the column; transposed, the
                // reverse.
                unsigned g = trans ? col : row, other = trans ? row : col;
                uint32_t &word = fragments[(4 * g + other / 2) * 4 + j];
                uint16_t &cell = image[slot[8 * j + row] * 8 + col];
                if (store)
                  cell = uint16_t(word >> (other % 2 * 16));
                else
                  word = (word & (other % 2 ? 0xffffu : 0xffff0000u)) | uint32_t(cell) << (other % 2 * 16);
              }
          EXPECT_EQ(newImage, image) << body;
          EXPECT_EQ(newFragments, fragments) << body;
        }
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

TEST(EmulatorMma, AsyncCopySizes) {
  for (bool late : {false, true})
    for (unsigned bytes : {4, 8, 16})
      for (std::string form : {"ca", "cg"}) {
        if (form == "cg" && bytes != 16)
          continue;
        Rng rng(bytes + late);
        std::vector<uint8_t> from(512), expect(512, 0xaa);
        std::vector<uint32_t> sizes(32);
        for (uint8_t &b : from)
          b = uint8_t(rng.next());
        for (unsigned l = 0; l != 32; ++l) {
          sizes[l] = uint32_t(rng.next() % (bytes + 1));
          for (unsigned i = 0; i != bytes; ++i)
            expect[16 * l + i] = i < sizes[l] ? from[16 * l + i] : 0;
        }
        Memory memory;
        uint64_t pf = upload(memory, from, "from"), ps = upload(memory, sizes, "sizes"),
                 out = memory.allocate(512, "out");
        auto m = parse(ptx(R"(.visible .entry k(.param .u64 o, .param .u64 a, .param .u64 n) {
          .reg .b32 %r<16>; .reg .b64 %rd<16>; .shared .align 16 .b8 s[512];
          mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r2, %r2, %r1; cvt.u64.u32 %rd3, %r1;
          ld.param.u64 %rd0, [o]; add.u64 %rd0, %rd0, %rd3; ld.param.u64 %rd1, [a]; add.u64 %rd1, %rd1, %rd3;
          ld.param.u64 %rd2, [n]; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd2, %rd2, %rd4; ld.global.u32 %r3, [%rd2];
          mov.u32 %r4, 0xaaaaaaaa; st.shared.v4.b32 [%r2], {%r4,%r4,%r4,%r4};
          cp.async.)" + form +
                           ".shared.global [%r2], [%rd1], " + std::to_string(bytes) + R"(, %r3; cp.async.wait_all;
          ld.shared.v4.b32 {%r5,%r6,%r7,%r8}, [%r2]; st.global.v4.b32 [%rd0], {%r5,%r6,%r7,%r8}; ret; })"));
        ASSERT_TRUE(m);
        LaunchConfig c;
        c.block = {32};
        c.args.add(out).add(pf).add(ps);
        c.options.asyncTiming = late ? AsyncTiming::Late : AsyncTiming::Early;
        LaunchResult r = launch(*m, memory, c);
        ASSERT_TRUE(r.ok) << reports(r);
        EXPECT_EQ(download<uint8_t>(memory, out, 512), expect) << form << bytes << (late ? " late" : " early");
      }
}

/// A buffer that holds old data is filled again: without the wait the old data must not pass as the new, neither
/// with the check of uninitialised memory nor, by value, without it.
TEST(EmulatorMma, AsyncCopyWithoutWait) {
  auto run = [](const std::string &wait, bool late, bool check) {
    auto m = parse(ptx(R"(.visible .entry k(.param .u64 o, .param .u64 a) {
      .reg .b32 %r<16>; .reg .b64 %rd<8>; .shared .align 16 .b8 s[16];
      ld.param.u64 %rd0, [o]; ld.param.u64 %rd1, [a]; mov.u32 %r1, s; mov.u32 %r2, 7; st.shared.u32 [%r1], %r2;
      cp.async.ca.shared.global [%r1], [%rd1], 4; cp.async.commit_group;
      cp.async.ca.shared.global [%r1+4], [%rd1+4], 4; cp.async.commit_group;
      )" + wait + R"( ld.shared.u32 %r3, [%r1]; st.global.u32 [%rd0], %r3; mov.u32 %r4, 99; st.global.u32 [%rd1+4], %r4;
      cp.async.wait_group 0; ld.shared.u32 %r5, [%r1+4]; st.global.u32 [%rd0+4], %r5; ret; })"));
    Memory memory;
    uint64_t a = upload(memory, std::vector<uint32_t>{40, 41}, "a"), o = memory.allocate(8, "o");
    LaunchConfig c;
    c.block = {1};
    c.args.add(o).add(a);
    c.options.asyncTiming = late ? AsyncTiming::Late : AsyncTiming::Early;
    c.options.checkUninitialized = check;
    LaunchResult r = launch(*m, memory, c);
    return std::pair(hasReport(r, ReportKind::Uninitialized), download<uint32_t>(memory, o, 2));
  };
  using Words = std::vector<uint32_t>;
  EXPECT_EQ(run("cp.async.wait_group 1;", true, true), std::pair(false, Words{40, 99})); // the second one reads late
  EXPECT_EQ(run("cp.async.wait_group 1;", false, true), std::pair(false, Words{40, 41}));
  EXPECT_EQ(run("cp.async.wait_all;", true, true), std::pair(false, Words{40, 41}));
  for (std::string wait : {"", "cp.async.wait_group 2;"}) {
    EXPECT_TRUE(run(wait, true, true).first);
    EXPECT_EQ(run(wait, true, false).second[0], 7u);  // the old data
    EXPECT_EQ(run(wait, false, true).second[0], 40u); // early completion hides it
  }
}

TEST(EmulatorMma, AsyncCopyForms) {
  auto text = [](const std::string &instruction) {
    return ptx(".visible .entry k()\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n" + instruction +
               "\nret;\n}\n");
  };
  for (const char *form : {"cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd2;",
                           "cp.async.cg.shared.global.L2::cache_hint.L2::128B [%r1], [%rd1], 16, %r2, %rd2;",
                           "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 16, %p1, %rd2;",
                           "cp.async.ca.shared::cta.global.L2::256B [%r1], [%rd1], 8;",
                           "cp.async.ca.shared.global [%r1], [%rd1], 16, !%p1;"})
    EXPECT_TRUE(parse(text(form))) << form;
  for (const char *form : {"cp.async.ca.shared.global [%r1], [%rd1], 2;", "cp.async.cg.shared.global [%r1], [%rd1], 8;",
                           "cp.async.ca.shared::cluster.global [%r1], [%rd1], 16;"})
    EXPECT_NE(parseError(text(form)), "") << form;
}

} // namespace
