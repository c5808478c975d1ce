//===- EmulatorMmaFormsTest.cpp - Sub-byte, sparse, scaled mma --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every element of a fragment is found by name: in turn, each is the only one of its row of A (column of B) that is not
// zero. The result then is a row of B (a column of A), and says where the element stands. After that whole random
// products, with faults planted in what the kernel is given, all of which must show.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <cmath>
#include <functional>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// The value of an element's code, from the formats' definitions.
double decode(const std::string &type, uint64_t v) {
  auto fields = [&](int e, int m, int bias) {
    double fraction = double(v & ((1u << m) - 1)) / (1 << m);
    int exponent = int(v >> m & ((1u << e) - 1));
    double x = exponent ? std::ldexp(1 + fraction, exponent - bias) : std::ldexp(fraction, 1 - bias);
    return v >> (e + m) & 1 ? -x : x;
  };
  if (type == "f16")
    return fields(5, 10, 15);
  if (type == "bf16")
    return fields(8, 7, 127);
  if (type == "tf32" || type == "f32")
    return fields(8, 23, 127);
  if (type == "e4m3")
    return fields(4, 3, 7);
  if (type == "e5m2")
    return fields(5, 2, 15);
  if (type == "e2m3")
    return fields(2, 3, 1);
  if (type == "e3m2")
    return fields(3, 2, 3);
  if (type == "e2m1")
    return fields(2, 1, 1);
  if (type == "ue8m0")
    return std::ldexp(1.0, int(v) - 127);
  if (type == "ue4m3")
    return std::fabs(fields(4, 3, 7));
  if (type == "s4")
    return double(int(v & 7) - int(v & 8));
  if (type == "s8")
    return double(int8_t(v));
  if (type == "s32")
    return double(int32_t(v));
  return double(v);
}
unsigned bitsOf(const std::string &type) {
  if (type == "f32" || type == "tf32" || type == "s32")
    return 32;
  if (type == "f16" || type == "bf16")
    return 16;
  if (type == "e2m3" || type == "e3m2")
    return 6;
  if (type == "s4" || type == "u4" || type == "e2m1")
    return 4;
  return type == "b1" ? 1 : 8;
}
/// Codes of -2, -1.5, ... 2: sums of a few hundred products are exact everywhere.
const std::vector<uint64_t> &smallCodes(const std::string &type) {
  static std::map<std::string, std::vector<uint64_t>> known;
  std::vector<uint64_t> &codes = known[type];
  if (codes.empty())
    for (uint64_t v = 0, n = bitsOf(type); v != (n == 32 ? 0 : 1ull << n); ++v) {
      double x = decode(type, v);
      if (std::fabs(x) <= 2 && x * 2 == std::floor(x * 2))
        codes.push_back(v);
    }
  if (codes.empty()) // 32 bits
    for (float x : {-2.f, -1.5f, -1.f, -.5f, 0.f, .5f, 1.f, 1.5f, 2.f}) {
      uint32_t b;
      std::memcpy(&b, &x, 4);
      codes.push_back(b);
    }
  return codes;
}
uint64_t codeOfOne(const std::string &type) {
  for (uint64_t c : smallCodes(type))
    if (decode(type, c) == 1)
      return c;
  return 1; // b1
}

struct Form {
  std::string words, a, b, c; ///< everything after "mma"; types
  unsigned m, k;
  bool bytes = false; ///< narrow types stand in bytes
  bool sparse = false, ordered = false;
  unsigned selector = 0, scaleVec = 0;
  std::string scaleType = "";
  unsigned byteA = 0, threadA = 0, byteB = 0, threadB = 0;
  std::string target = "sm_80";

  unsigned container(const std::string &t) const { return bytes ? 8 : bitsOf(t); }
  unsigned registersA() const { return std::max(1u, m * (sparse ? k / 2 : k) * container(a) / 1024); }
  unsigned registersB() const { return std::max(1u, 8 * k * container(b) / 1024); }
  unsigned registersC() const { return std::max(1u, m * 8 * bitsOf(c) / 1024); }
  unsigned storedK() const { return sparse ? k / 2 : k; }
};

struct Place {
  unsigned lane, reg, shift;
};
// The inverse of the ISA's fragment formulas; w elements per register.
Place placeA(const Form &f, unsigned row, unsigned k) {
  unsigned bits = f.container(f.a), w = 32 / bits, chunk = k / (4 * w), inside = k % (4 * w);
  return {4 * (row % 8) + inside / w, f.m == 16 ? 2 * chunk + row / 8 : chunk, inside % w * bits};
}
Place placeB(const Form &f, unsigned k, unsigned n) {
  unsigned bits = f.container(f.b), w = 32 / bits;
  return {4 * n + k % (4 * w) / w, k / (4 * w), k % w * bits};
}
Place placeC(const Form &f, unsigned row, unsigned n) {
  unsigned index = 2 * (row / 8) + n % 2, half = bitsOf(f.c) == 16;
  return {4 * (row % 8) + n / 2, half ? index / 2 : index, half ? index % 2 * 16 : 0};
}

/// Which lane and bit hold the metadata of the chunk (fact sheet of mma.sp; written per shape, as the ISA draws it).
Place placeMeta(const Form &f, unsigned row, unsigned chunk) {
  unsigned g = row % 8, h = row / 8, F = f.selector, bits = f.container(f.a);
  if (bits == 16 && f.k == 16)
    return {4 * g + F, 0, 16 * h + 4 * chunk};
  if (bits == 16 && f.k == 32)
    return {4 * g + 2 * F + chunk / 4, 0, 16 * h + 4 * (chunk % 4)};
  if (bits == 32 && f.k == 8)
    return {4 * g + F, 0, 16 * h + 4 * chunk};
  if (bits == 32 && f.k == 16)
    return {4 * g + 2 * F + chunk / 4, 0, 16 * h + 4 * (chunk % 4)};
  if (bits == 8 && f.k == 32)
    return {4 * g + 2 * F + h, 0, 4 * chunk};
  if (bits == 4 && f.k == 64)
    return {4 * g + 2 * F + h, 0, 4 * chunk};
  return {4 * g + 2 * (chunk / 8) + h, 0, 4 * (chunk % 8)}; // 8 bits k64, 4 bits k128
}

TEST(EmulatorMmaForms, PlacesOfThisTest) {
  // Points read off the ISA's figures.
  Form s4{"", "s4", "s4", "s32", 16, 64};
  Place p = placeA(s4, 12, 23);
  EXPECT_EQ(p.lane, 18u);
  EXPECT_EQ(p.reg, 1u);
  EXPECT_EQ(p.shift, 28u);
  Form b1{"", "b1", "b1", "s32", 16, 256};
  p = placeA(b1, 2, 191);
  EXPECT_EQ(p.lane, 9u);
  EXPECT_EQ(p.reg, 2u);
  EXPECT_EQ(p.shift, 31u);
  Form i8{"", "s8", "s8", "s32", 16, 64, false, true};
  p = placeMeta(i8, 11, 10);
  EXPECT_EQ(p.lane, 15u);
  EXPECT_EQ(p.shift, 8u);
  Form f16{"", "f16", "f16", "f32", 16, 32, false, true, false, 1};
  p = placeMeta(f16, 11, 5);
  EXPECT_EQ(p.lane, 15u);
  EXPECT_EQ(p.shift, 20u);
}

/// Registers of many products: [product][lane][register].
struct Batch {
  unsigned registers;
  std::vector<uint32_t> words;
  Batch(unsigned count, unsigned registers) : registers(registers), words(size_t(count) * 32 * registers) {}
  void put(unsigned product, Place p, uint64_t bits) {
    words[(size_t(product) * 32 + p.lane) * registers + p.reg] |= uint32_t(bits) << p.shift;
  }
  uint32_t get(unsigned product, Place p) const {
    return words[(size_t(product) * 32 + p.lane) * registers + p.reg] >> p.shift;
  }
};

std::string list(const std::string &name, unsigned n) {
  std::string s;
  for (unsigned i = 0; i != n; ++i)
    s += (i ? ", " : "{") + name + std::to_string(i);
  return s + "}";
}

/// One block per product.
bool run(const Form &f, unsigned count, const Batch &a, const Batch &b, const Batch &c, const Batch &meta,
         const Batch &sfa, const Batch &sfb, Batch &d) {
  Memory memory;
  const Batch *in[] = {&a, &b, &c, &meta, &sfa, &sfb};
  std::string names = "abcmst";
  std::string text = ".visible .entry k(.param .u64 out";
  for (char n : names)
    text += std::string(", .param .u64 ") + n;
  text += ")\n{\n.reg .b32 %t, %u; .reg .b16 %h<4>; .reg .b64 %p<3>;\n";
  for (unsigned i = 0; i != 6; ++i)
    text += std::string(".reg .b32 %") + names[i] + "<" + std::to_string(in[i]->registers) + ">;\n";
  text += ".reg .b32 %d<" + std::to_string(d.registers) +
          ">;\nmov.u32 %t, %ctaid.x; shl.b32 %t, %t, 5; mov.u32 %u, %tid.x; add.u32 %t, %t, %u;\n";
  auto address = [&](const std::string &param, unsigned registers) {
    text += "mul.wide.u32 %p1, %t, " + std::to_string(registers * 4) + "; ld.param.u64 %p0, [" + param +
            "]; add.u64 %p0, %p0, %p1;\n";
  };
  LaunchConfig config;
  uint64_t out = memory.allocate(d.words.size() * 4, "out");
  config.args.add(out);
  for (unsigned i = 0; i != 6; ++i) {
    config.args.add(upload(memory, in[i]->words, std::string(1, names[i])));
    address(std::string(1, names[i]), in[i]->registers);
    for (unsigned r = 0; r != in[i]->registers; ++r)
      text +=
          std::string("ld.global.b32 %") + names[i] + std::to_string(r) + ", [%p0+" + std::to_string(4 * r) + "];\n";
  }
  text += "mov.u16 %h0, " + std::to_string(f.byteA) + "; mov.u16 %h1, " + std::to_string(f.threadA) + ";\n";
  text += "mma" + f.words + " " + list("%d", d.registers) + ", " + list("%a", a.registers) + ", " +
          list("%b", b.registers) + ", " + list("%c", c.registers);
  if (f.sparse)
    text += ", %m0, " + std::to_string(f.selector);
  if (f.scaleVec) // one pair of selectors in registers, the other one constant
    text += ", %s0, {%h0, %h1}, %t0, {" + std::to_string(f.byteB) + ", " + std::to_string(f.threadB) + "}";
  text += ";\n";
  address("out", d.registers);
  for (unsigned r = 0; r != d.registers; ++r)
    text += "st.global.b32 [%p0+" + std::to_string(4 * r) + "], %d" + std::to_string(r) + ";\n";
  auto module = parse(ptx(text + "ret;\n}\n", f.target, "9.0"));
  if (!module)
    return false;
  config.block = {32};
  config.grid = {count};
  config.options.hostThreads = 1;
  LaunchResult r = launch(*module, memory, config);
  EXPECT_TRUE(r.ok) << reports(r) << text;
  d.words = download<uint32_t>(memory, out, d.words.size());
  return r.ok;
}

enum class Fault { None, LaneA, LaneB, Metadata, ScaleA, ScaleB, Selector };

/// The sparse chunk codes of one row, and where each stored value belongs.
std::vector<unsigned> randomCodes(const Form &f, Rng &rng) {
  static const unsigned ordered[] = {4, 8, 9, 12, 13, 14}, any[] = {4, 8, 9, 12, 13, 14, 1, 2, 6, 3, 7, 11};
  unsigned per = f.container(f.a) == 32 ? 2 : f.container(f.a) == 4 ? 8 : 4;
  std::vector<unsigned> codes;
  for (unsigned c = 0; c != f.k / per; ++c)
    codes.push_back(per == 2 ? (rng.next() & 1 ? 14 : 4) : f.ordered ? ordered[rng.next() % 6] : any[rng.next() % 12]);
  return codes;
}
unsigned logicalK(const Form &f, const std::vector<unsigned> &codes, unsigned j) {
  if (!f.sparse)
    return j;
  unsigned bits = f.container(f.a);
  if (bits == 32)
    return 2 * j + (codes[j] == 14);
  if (bits == 4) // pairs of elements
    return 8 * (j / 4) + 2 * (codes[j / 4] >> (2 * (j / 2 % 2)) & 3) + j % 2;
  return 4 * (j / 2) + (codes[j / 2] >> (2 * (j % 2)) & 3);
}

/// `count` products; element values by a function (row, stored k) or (k, column). Returns the number of wrong results.
unsigned mismatches(const Form &f, unsigned count, const std::function<uint64_t(unsigned, unsigned, unsigned)> &valueA,
                    const std::function<uint64_t(unsigned, unsigned, unsigned)> &valueB, uint64_t seed,
                    Fault fault = Fault::None) {
  Rng rng(seed);
  Batch a(count, f.registersA()), b(count, f.registersB()), c(count, f.registersC()), d(count, f.registersC()),
      meta(count, 1), sfa(count, 1), sfb(count, 1);
  std::vector<double> want(count * f.m * 8);
  auto twist = [&](Place p, bool on) {
    if (on)
      p.lane ^= 4; // another row or column
    return p;
  };
  for (unsigned p = 0; p != count; ++p) {
    std::vector<double> B(f.k * 8);
    std::vector<std::vector<unsigned>> codes(f.m);
    unsigned blocks = f.scaleVec ? f.scaleVec : 1;
    std::vector<double> scaleA(f.m * blocks, 1), scaleB(8 * blocks, 1);
    if (f.scaleVec) {
      std::vector<uint64_t> scales = f.scaleType == "ue8m0" ? std::vector<uint64_t>{126, 127, 128}
                                                            : std::vector<uint64_t>{0x30, 0x38, 0x40}; // 1/2, 1, 2
      for (unsigned l = 0; l != 32; ++l)
        for (unsigned byte = 0; byte != 4; ++byte) {
          sfa.put(p, {l, 0, 8 * byte}, scales[rng.next() % 3]);
          sfb.put(p, {l, 0, 8 * byte}, scales[rng.next() % 3]);
        }
      for (unsigned s = 0; s != f.scaleVec; ++s) {
        // Row g from lane 2 threadA of its quad, row g + 8 from the next one; column g from lane threadB.
        for (unsigned row = 0; row != 16; ++row)
          scaleA[row * blocks + s] =
              decode(f.scaleType, sfa.get(p, {4 * (row % 8) + 2 * f.threadA + row / 8, 0, 8 * (f.byteA + s)}) & 255);
        for (unsigned n = 0; n != 8; ++n)
          scaleB[n * blocks + s] = decode(f.scaleType, sfb.get(p, {4 * n + f.threadB, 0, 8 * (f.byteB + s)}) & 255);
      }
      if (fault == Fault::ScaleA)
        std::swap(sfa.words[size_t(p) * 32 + 2 * f.threadA], sfa.words[size_t(p) * 32 + 4 + 2 * f.threadA]);
      if (fault == Fault::ScaleB)
        std::swap(sfb.words[size_t(p) * 32 + f.threadB], sfb.words[size_t(p) * 32 + 8 + f.threadB]);
    }
    unsigned shiftA = f.bytes && f.a == "e2m1" ? 2 : 0, shiftB = f.bytes && f.b == "e2m1" ? 2 : 0;
    for (unsigned k = 0; k != f.k; ++k)
      for (unsigned n = 0; n != 8; ++n) {
        uint64_t v = valueB(p, k, n);
        B[k * 8 + n] = decode(f.b, v) * scaleB[n * blocks + k * blocks / f.k];
        b.put(p, twist(placeB(f, k, n), fault == Fault::LaneB), v << shiftB);
      }
    for (unsigned row = 0; row != f.m; ++row) {
      codes[row] = randomCodes(f, rng);
      if (f.sparse)
        for (unsigned ch = 0; ch != codes[row].size(); ++ch)
          meta.put(p, twist(placeMeta(f, row, ch), fault == Fault::Metadata), codes[row][ch]);
      for (unsigned j = 0; j != f.storedK(); ++j) {
        uint64_t v = valueA(p, row, j);
        a.put(p, twist(placeA(f, row, j), fault == Fault::LaneA), v << shiftA);
        unsigned k = logicalK(f, codes[row], j);
        double x = decode(f.a, v);
        for (unsigned n = 0; n != 8; ++n)
          want[(p * f.m + row) * 8 + n] += x * scaleA[row * blocks + k * blocks / f.k] * B[k * 8 + n];
      }
      for (unsigned n = 0; n != 8; ++n) {
        const auto &codesC = smallCodes(f.c == "s32" ? "s8" : f.c);
        uint64_t v = codesC[rng.next() % codesC.size()];
        double x = decode(f.c == "s32" ? "s8" : f.c, v);
        want[(p * f.m + row) * 8 + n] += x;
        c.put(p, placeC(f, row, n), f.c == "s32" ? uint32_t(int32_t(x)) : v);
      }
    }
  }
  if (!run(f, count, a, b, c, meta, sfa, sfb, d))
    return ~0u;
  unsigned wrong = 0;
  for (unsigned p = 0; p != count; ++p)
    for (unsigned row = 0; row != f.m; ++row)
      for (unsigned n = 0; n != 8; ++n) {
        uint64_t got = d.get(p, placeC(f, row, n));
        wrong += decode(f.c, f.c == "f16" ? got & 0xffff : got) != want[(p * f.m + row) * 8 + n];
      }
  return wrong;
}

std::vector<Form> forms() {
  std::vector<Form> v;
  auto shape = [](unsigned m, unsigned k) { return ".m" + std::to_string(m) + "n8k" + std::to_string(k) + ".row.col"; };
  auto types = [](const Form &f) { return "." + f.c + "." + f.a + "." + f.b + "." + f.c; };
  auto add = [&](Form f, const std::string &before, const std::string &after = "") {
    f.words = (f.sparse ? f.ordered ? ".sp::ordered_metadata" : ".sp" : "") + std::string(".sync.aligned") + before +
              types(f) + after;
    v.push_back(f);
  };
  for (std::string a : {"s4", "u4"})
    for (std::string b : {"s4", "u4"}) {
      add({"", a, b, "s32", 8, 32}, shape(8, 32));
      add({"", a, b, "s32", 16, 32}, shape(16, 32));
      add({"", a, b, "s32", 16, 64}, shape(16, 64) + ".satfinite");
    }
  // Sparse: all selectors.
  for (bool ordered : {false, true})
    for (unsigned F : {0, 1, 2, 3}) {
      auto sparse = [&](const std::string &a, const std::string &b, const std::string &c, unsigned k,
                        std::string target = "sm_80", const std::string &words = "") {
        Form f{"", a, b, c, 16, k, false, true, ordered, F};
        f.target = target;
        add(f, shape(16, k) + words);
      };
      sparse("f16", "f16", "f32", 16);
      sparse("bf16", "bf16", "f32", 16);
      sparse("f16", "f16", "f16", 16);
      sparse("tf32", "tf32", "f32", 8);
      if (F > 1)
        continue;
      sparse("f16", "f16", "f32", 32);
      sparse("f16", "f16", "f16", 32);
      sparse("bf16", "bf16", "f32", 32);
      sparse("tf32", "tf32", "f32", 16);
      sparse("s8", "u8", "s32", 32);
      sparse("u4", "s4", "s32", 64);
      if (F)
        continue;
      sparse("u8", "s8", "s32", 64, "sm_80", ".satfinite");
      sparse("s4", "u4", "s32", 128);
      sparse("e4m3", "e5m2", "f32", 64, "sm_89");
      sparse("e5m2", "e4m3", "f16", 64, "sm_89");
    }
  for (std::string a : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"})
    for (std::string b : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}) {
      Form f{"", a, b, "f32", 16, 32, true};
      f.target = "sm_120a";
      add(f, ".kind::f8f6f4" + shape(16, 32));
      f.c = "f16";
      add(f, shape(16, 32) + ".kind::f8f6f4");
      f.sparse = f.ordered = true;
      f.k = 64;
      if (a == b)
        add(f, shape(16, 64) + ".kind::f8f6f4");
      add(f, ".kind::f8f6f4" + shape(16, 64));
      f = Form{"", a, b, "f32", 16, 32, true};
      f.target = "sm_120a";
      f.scaleVec = 1;
      f.scaleType = "ue8m0";
      f.byteA = 3, f.threadA = 1, f.byteB = 2, f.threadB = 3;
      // Both places of the kind.
      if (a == b)
        add(f, ".kind::mxf8f6f4.block_scale.scale_vec::1X" + shape(16, 32), ".ue8m0");
      add(f, shape(16, 32) + ".kind::mxf8f6f4.block_scale.scale_vec::1X", ".ue8m0");
      f.sparse = f.ordered = true;
      f.k = 64;
      f.threadA = 0;
      if (a == b)
        add(f, shape(16, 64) + ".kind::mxf8f6f4.block_scale", ".ue8m0");
      add(f, ".kind::mxf8f6f4.block_scale" + shape(16, 64), ".ue8m0");
    }
  for (bool sparse : {false, true})
    for (unsigned vec : {2, 4})
      for (unsigned thread : {0, 1}) {
        Form f{"", "e2m1", "e2m1", "f32", 16, sparse ? 128u : 64u};
        f.target = "sm_120a";
        f.sparse = f.ordered = sparse;
        f.scaleVec = vec;
        f.threadA = thread, f.threadB = 3 - thread;
        f.byteA = vec == 2 ? 2 * thread : 0, f.byteB = vec == 2 ? 2 - 2 * thread : 0;
        f.scaleType = vec == 4 ? "ue4m3" : "ue8m0";
        add(f, shape(16, f.k) + ".kind::mxf4nvf4.block_scale.scale_vec::" + std::to_string(vec) + "X",
            "." + f.scaleType);
        add(f, ".kind::mxf4nvf4.block_scale.scale_vec::" + std::to_string(vec) + "X" + shape(16, f.k),
            "." + f.scaleType);
        if (vec == 2) {
          add(f, ".kind::mxf4.block_scale" + shape(16, f.k), ".ue8m0");
          add(f, shape(16, f.k) + ".kind::mxf4.block_scale", ".ue8m0");
        }
      }
  return v;
}

TEST(EmulatorMmaForms, EveryElementsHome) {
  for (const Form &f : forms()) {
    auto small = [&](const std::string &type, unsigned p, unsigned i, unsigned j) {
      Rng rng(p * 0x10001u + i * 131 + j);
      rng.next();
      const auto &codes = smallCodes(type);
      return codes[rng.next() % codes.size()];
    };
    // One element of each row of A at a time, another one in each row.
    unsigned n = f.storedK();
    unsigned wrong = mismatches(
        f, n, [&](unsigned p, unsigned row, unsigned j) { return j == (p + 5 * row) % n ? codeOfOne(f.a) : 0; },
        [&](unsigned p, unsigned k, unsigned col) { return small(f.b, p, k, col); }, 1);
    EXPECT_EQ(wrong, 0u) << "A of mma" << f.words;
    wrong = mismatches(
        f, f.k, [&](unsigned p, unsigned row, unsigned j) { return small(f.a, p, row, j); },
        [&](unsigned p, unsigned k, unsigned col) { return k == (p + 3 * col) % f.k ? codeOfOne(f.b) : 0; }, 2);
    EXPECT_EQ(wrong, 0u) << "B of mma" << f.words;
  }
}

TEST(EmulatorMmaForms, ProductsAndPlantedFaults) {
  uint64_t seed = 10;
  for (const Form &f : forms()) {
    ++seed;
    auto random = [&](const std::string &type, uint64_t salt) {
      return [type, salt, seed](unsigned p, unsigned i, unsigned j) {
        Rng rng(seed * 7919 + salt + p * 65537 + i * 257 + j);
        rng.next();
        const auto &codes = smallCodes(type);
        return codes[rng.next() % codes.size()];
      };
    };
    // Two scales are equal in one case out of three, so one product is not enough to show that they were exchanged.
    auto count = [&](Fault fault) {
      return mismatches(f, f.scaleVec ? 6 : 2, random(f.a, 1), random(f.b, 2), seed, fault);
    };
    EXPECT_EQ(count(Fault::None), 0u) << f.words;
    EXPECT_GT(count(Fault::LaneA), 0u) << f.words;
    EXPECT_GT(count(Fault::LaneB), 0u) << f.words;
    if (f.sparse)
      EXPECT_GT(count(Fault::Metadata), 0u) << f.words;
    if (f.scaleVec) {
      EXPECT_GT(count(Fault::ScaleA), 0u) << f.words;
      EXPECT_GT(count(Fault::ScaleB), 0u) << f.words;
    }
  }
}

TEST(EmulatorMmaForms, SingleBits) {
  for (unsigned m : {8, 16})
    for (unsigned k : {128, 256})
      for (std::string op : {"and", "xor"}) {
        if (m == 8 && k == 256)
          continue;
        Form f{".sync.aligned.m" + std::to_string(m) + "n8k" + std::to_string(k) + ".row.col.s32.b1.b1.s32." + op +
                   ".popc",
               "b1",
               "b1",
               "s32",
               m,
               k};
        // Product p: A has one bit. and: the result is that bit of B. Then random ones.
        unsigned count = m * k + 4;
        Batch a(count, f.registersA()), b(count, f.registersB()), c(count, f.registersC()), d(count, f.registersC()),
            none(count, 1);
        std::vector<std::vector<uint8_t>> A(count, std::vector<uint8_t>(m * k)), B(count, std::vector<uint8_t>(k * 8));
        Rng rng(m + k);
        for (unsigned p = 0; p != count; ++p) {
          for (unsigned row = 0; row != m; ++row)
            for (unsigned j = 0; j != k; ++j) {
              A[p][row * k + j] = p < m * k ? p == row * k + j : rng.next() & 1;
              a.put(p, placeA(f, row, j), A[p][row * k + j]);
            }
          for (unsigned j = 0; j != k; ++j)
            for (unsigned n = 0; n != 8; ++n) {
              B[p][j * 8 + n] = rng.next() & 1;
              b.put(p, placeB(f, j, n), B[p][j * 8 + n]);
            }
          for (unsigned row = 0; row != m; ++row)
            for (unsigned n = 0; n != 8; ++n)
              c.put(p, placeC(f, row, n), row * 8 + n);
        }
        ASSERT_TRUE(run(f, count, a, b, c, none, none, none, d));
        unsigned wrong = 0;
        for (unsigned p = 0; p != count; ++p)
          for (unsigned row = 0; row != m; ++row)
            for (unsigned n = 0; n != 8; ++n) {
              unsigned want = row * 8 + n;
              for (unsigned j = 0; j != k; ++j)
                want += op == "and" ? A[p][row * k + j] & B[p][j * 8 + n] : A[p][row * k + j] ^ B[p][j * 8 + n];
              wrong += d.get(p, placeC(f, row, n)) != want;
            }
        EXPECT_EQ(wrong, 0u) << f.words;
      }
}

/// m8n8k4 of f16: four products side by side.
TEST(EmulatorMmaForms, Volta) {
  const auto &codes = smallCodes("f16");
  for (std::string la : {"row", "col"})
    for (std::string lb : {"row", "col"})
      for (std::string td : {"f16", "f32"})
        for (std::string tc : {"f16", "f32"}) {
          if (td == "f16" && tc == "f32")
            continue; // no such form
          Form f{".sync.aligned.m8n8k4." + la + "." + lb + "." + td + ".f16.f16." + tc, "f16", "f16", tc, 8, 4};
          Batch a(1, 2), b(1, 2), c(1, tc == "f16" ? 4 : 8), d(1, td == "f16" ? 4 : 8), none(1, 1);
          double A[4][8][4], B[4][4][8], C[4][8][8];
          Rng rng(77);
          auto cell = [](const std::string &type, unsigned l, unsigned i, unsigned &row, unsigned &col) {
            row = type == "f16" ? (l & 3) + (l >= 16 ? 4 : 0) : (l & 1) + (i & 2) + (l >= 16 ? 4 : 0);
            col = type == "f16" ? i : (i & 4) + (l & 2) + (i & 1);
          };
          for (unsigned l = 0; l != 32; ++l) {
            unsigned q = l / 4 % 4, h = l / 16, j = l & 3;
            for (unsigned i = 0; i != 4; ++i) {
              uint64_t va = codes[rng.next() % codes.size()], vb = codes[rng.next() % codes.size()];
              a.put(0, {l, i / 2, i % 2 * 16}, va);
              b.put(0, {l, i / 2, i % 2 * 16}, vb);
              (la == "row" ? A[q][j + 4 * h][i] : A[q][i + 4 * h][j]) = decode("f16", va);
              (lb == "row" ? B[q][j][i + 4 * h] : B[q][i][j + 4 * h]) = decode("f16", vb);
            }
            for (unsigned i = 0; i != 8; ++i) {
              unsigned row, col;
              cell(tc, l, i, row, col);
              uint64_t v = smallCodes(tc)[rng.next() % smallCodes(tc).size()];
              c.put(0, tc == "f16" ? Place{l, i / 2, i % 2 * 16} : Place{l, i, 0}, v);
              C[q][row][col] = decode(tc, v);
            }
          }
          f.target = "sm_75";
          ASSERT_TRUE(run(f, 1, a, b, c, none, none, none, d));
          for (unsigned l = 0; l != 32; ++l)
            for (unsigned i = 0; i != 8; ++i) {
              unsigned row, col, q = l / 4 % 4;
              cell(td, l, i, row, col);
              double want = C[q][row][col];
              for (unsigned k = 0; k != 4; ++k)
                want += A[q][row][k] * B[q][k][col];
              uint64_t got = d.get(0, td == "f16" ? Place{l, i / 2, i % 2 * 16} : Place{l, i, 0});
              ASSERT_EQ(decode(td, td == "f16" ? got & 0xffff : got), want) << f.words << " lane " << l << " " << i;
            }
        }
}

TEST(EmulatorMmaForms, WrongOperands) {
  auto error = [](const std::string &instruction, const std::string &target = "sm_120a") {
    return parseError(ptx(".visible .entry k()\n{\n.reg .b32 %r<32>; .reg .b16 %h<4>;\n" + instruction + "\nret;\n}\n",
                          target, "9.0"));
  };
  std::string d = " {%r0,%r1,%r2,%r3}, ", a4 = "{%r4,%r5,%r6,%r7}, ", b4 = "{%r8,%r9,%r10,%r11}, ",
              c = "{%r0,%r1,%r2,%r3}";
  EXPECT_NE(error("mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32" + d + a4 + b4 + c + ", %r12, 1;")
                .find("sparsity selector of this form is 0"),
            std::string::npos);
  EXPECT_NE(
      error("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + d + a4 + b4 + c + ", %r12, 2;").find("0 to 1"),
      std::string::npos);
  EXPECT_NE(error("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + d + a4 + b4 + c + ", %r12, %r13;")
                .find("must be a constant"),
            std::string::npos);
  EXPECT_NE(
      error("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + d + a4 + b4 + c + ";").find("takes 6 operands"),
      std::string::npos);
  EXPECT_NE(error("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0" + d + a4 +
                  "{%r8,%r9}, " + c + ", %r12, {0,%r1}, %r13, {0,0};")
                .find("expected a 16-bit register"),
            std::string::npos);
  EXPECT_NE(error("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0" + d + a4 +
                  "{%r8,%r9}, " + c + ", %r12, 0, %r13, {0,0};")
                .find("{byte id, thread id}"),
            std::string::npos);
  EXPECT_NE(error("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e3m2.f32" + d + a4 + "{%r8,%r9}, " + c + ";",
                  "sm_90a")
                .find("needs sm_120"),
            std::string::npos);
  // At run time: metadata and selectors that mean nothing.
  auto report = [&](const std::string &before, const std::string &instruction) {
    auto m =
        parse(ptx(".visible .entry k()\n{\n.reg .b32 %r<32>; .reg .b16 %h<4>;\n" + before + instruction + "\nret;\n}\n",
                  "sm_120a", "9.0"));
    Memory memory;
    LaunchConfig config;
    config.block = {32};
    return m ? reports(launch(*m, memory, config)) : std::string();
  };
  EXPECT_NE(report("mov.u32 %r12, 0xeeee;", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d +
                                                "{%r4,%r5}, {%r8,%r9}, " + c + ", %r12, 0;")
                .find("sparsity metadata 0 of row 8"),
            std::string::npos);
  EXPECT_EQ(report("mov.u32 %r12, 0xbbbbbbbb;", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d +
                                                    "{%r4,%r5}, {%r8,%r9}, " + c + ", %r12, 0;"),
            "");
  EXPECT_NE(
      report("mov.u32 %r12, 0xbbbbbbbb;", "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d +
                                              "{%r4,%r5}, {%r8,%r9}, " + c + ", %r12, 0;")
          .find("ordered"),
      std::string::npos);
  EXPECT_NE(
      report("mov.u16 %h0, 1;", "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0" + d +
                                    a4 + "{%r8,%r9}, " + c + ", %r12, {%h0,0}, %r13, {0,0};")
          .find("byte id 1 of the scale of A"),
      std::string::npos);
  EXPECT_NE(report("", "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0" + d + a4 +
                           "{%r8,%r9}, " + c + ", %r12, {0,2}, %r13, {0,0};")
                .find("thread id 2 of the scale of A"),
            std::string::npos);
}

} // namespace
