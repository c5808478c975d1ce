//===- EmulatorWmmaTest.cpp - wmma, 8-bit ldmatrix, st.bulk -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wmma through memory: the spread of a fragment over the threads is nobody's business, so whole products are compared,
// in both layouts and with padded strides. The 8-bit matrix loads and stores are checked byte by byte against the
// ISA's figures.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

struct Shape {
  unsigned m, n, k;
  std::string a, b, c;
};
unsigned bitsOf(const std::string &t) {
  return t == "f64"                                ? 64
         : t == "f32" || t == "tf32" || t == "s32" ? 32
         : t == "f16" || t == "bf16"               ? 16
         : t == "s8" || t == "u8"                  ? 8
         : t == "b1"                               ? 1
                                                   : 4;
}
/// Small whole numbers, encoded.
uint64_t encode(const std::string &t, int v) {
  if (t == "f64")
    return std::bit_cast<uint64_t>(double(v));
  if (t == "f32" || t == "tf32")
    return std::bit_cast<uint32_t>(float(v));
  if (t == "bf16")
    return std::bit_cast<uint32_t>(float(v)) >> 16;
  if (t == "f16") {
    if (v == 0)
      return 0;
    int e = int(std::log2(std::abs(v)));
    return uint64_t(v < 0) << 15 | uint64_t(15 + e) << 10 | (uint64_t(std::abs(v)) << (10 - e) & 0x3ff);
  }
  return uint64_t(int64_t(v)) & (bitsOf(t) == 64 ? ~0ull : (1ull << bitsOf(t)) - 1);
}
/// A matrix in memory, with its leading dimension in elements.
std::vector<uint8_t> image(const std::vector<int> &values, unsigned rows, unsigned cols, bool rowMajor, unsigned stride,
                           const std::string &type) {
  unsigned bits = bitsOf(type);
  std::vector<uint8_t> out(size_t(rowMajor ? rows : cols) * stride * bits / 8 + 8, 0);
  for (unsigned r = 0; r != rows; ++r)
    for (unsigned c = 0; c != cols; ++c) {
      size_t at = size_t(rowMajor ? r * stride + c : c * stride + r) * bits;
      uint64_t v = encode(type, values[r * cols + c]);
      for (unsigned b = 0; b < std::max(bits, 1u); b += 8)
        out[at / 8 + b / 8] |= uint8_t((v >> b & (bits < 8 ? (1u << bits) - 1 : 255)) << at % 8);
    }
  return out;
}
std::string list(const std::string &name, unsigned n) {
  std::string s;
  for (unsigned i = 0; i != n; ++i)
    s += (i ? ", " : "{") + name + std::to_string(i);
  return s + "}";
}

/// Wrong elements of D = A B + C; `op`: of single bits.
unsigned product(const Shape &s, bool rowA, bool rowB, bool rowC, unsigned pad, const std::string &op = "",
                 bool fault = false) {
  Rng rng(s.m * 100 + s.n + s.k + pad);
  bool isUnsigned = s.a[0] == 'u' || s.b[0] == 'u', one = s.a == "b1";
  auto values = [&](unsigned n) {
    std::vector<int> v(n);
    for (int &x : v)
      x = one ? int(rng.next() & 1) : isUnsigned ? int(rng.next() % 4) : int(rng.next() % 7) - 3;
    return v;
  };
  std::vector<int> A = values(s.m * s.k), B = values(s.k * s.n), C = values(s.m * s.n);
  unsigned subA = bitsOf(s.a) < 8 ? 32 : 1;
  unsigned lda = (rowA ? s.k : s.m) + pad * subA, ldb = (rowB ? s.n : s.k) + pad * subA, ldc = (rowC ? s.n : s.m) + pad;
  Memory memory;
  uint64_t pa = upload(memory, image(A, s.m, s.k, rowA, lda, s.a), "a"),
           pb = upload(memory, image(B, s.k, s.n, rowB, ldb, s.b), "b"),
           pc = upload(memory, image(C, s.m, s.n, rowC, ldc, s.c), "c");
  size_t bytes = size_t(rowC ? s.m : s.n) * ldc * bitsOf(s.c) / 8;
  uint64_t out = memory.allocate(bytes, "out");
  auto count = [&](const std::string &t, unsigned n, bool operand) {
    return t == "f16" ? operand ? 8u : 4u : bitsOf(t) == 64 ? n / 32 : std::max(1u, n * bitsOf(t) / 1024);
  };
  unsigned na = count(s.a, s.m * s.k, true), nb = count(s.b, s.k * s.n, true), nc = count(s.c, s.m * s.n, false);
  std::string shape = ".m" + std::to_string(s.m) + "n" + std::to_string(s.n) + "k" + std::to_string(s.k);
  auto lay = [](bool row) { return std::string(row ? ".row" : ".col"); };
  std::string reg = s.a == "f64" ? ".f64" : ".b32";
  std::string text =
      ".visible .entry k(.param .u64 o, .param .u64 a, .param .u64 b, .param .u64 c)\n{\n.reg .b64 %p<4>; .reg .b32 "
      "%s; .reg " +
      reg +
      " %a<8>, %b<8>, %c<8>, %d<8>;\n"
      "ld.param.u64 %p0, [o]; ld.param.u64 %p1, [a]; ld.param.u64 %p2, [b]; ld.param.u64 %p3, [c]; mov.u32 %s, " +
      std::to_string(lda) + ";\n";
  text += "wmma.load.a.sync.aligned" + lay(fault ? !rowA : rowA) + shape + ".global." + s.a + " " + list("%a", na) +
          ", [%p1], %s;\n";
  text += "wmma.load.b.sync.aligned" + lay(rowB) + shape + ".global." + s.b + " " + list("%b", nb) + ", [%p2]" +
          (pad ? ", " + std::to_string(ldb) : "") + ";\n";
  text += "wmma.load.c.sync.aligned" + lay(rowC) + shape + "." + s.c + " " + list("%c", nc) + ", [%p3], " +
          std::to_string(ldc) + ";\n";
  std::string types = s.a == "f16" ? "." + s.c + "." + s.c : "." + s.c + "." + s.a + "." + s.b + "." + s.c;
  text += "wmma.mma" + (one ? "." + op + ".popc" : "") + ".sync.aligned" + lay(rowA) + lay(rowB) + shape + types + " " +
          list("%d", nc) + ", " + list("%a", na) + ", " + list("%b", nb) + ", " + list("%c", nc) + ";\n";
  text += "wmma.store.d.sync.aligned" + lay(rowC) + shape + ".global." + s.c + " [%p0], " + list("%d", nc) + ", " +
          std::to_string(ldc) + ";\nret;\n}\n";
  auto m = parse(ptx(text));
  if (!m)
    return ~0u;
  LaunchConfig config;
  config.block = {32};
  config.args.add(out).add(pa).add(pb).add(pc);
  LaunchResult r = launch(*m, memory, config);
  if (!fault)
    EXPECT_TRUE(r.ok) << reports(r) << text;
  std::vector<uint8_t> got = download<uint8_t>(memory, out, bytes);
  unsigned wrong = 0;
  for (unsigned i = 0; i != s.m; ++i)
    for (unsigned j = 0; j != s.n; ++j) {
      int want = C[i * s.n + j];
      for (unsigned k = 0; k != s.k; ++k)
        want += op == "xor" ? A[i * s.k + k] ^ B[k * s.n + j] : A[i * s.k + k] * B[k * s.n + j];
      uint64_t w = encode(s.c, want), g = 0;
      std::memcpy(&g, &got[(rowC ? i * ldc + j : j * ldc + i) * bitsOf(s.c) / 8], bitsOf(s.c) / 8);
      wrong += w != g;
    }
  return wrong;
}

TEST(EmulatorWmma, Products) {
  std::vector<Shape> shapes;
  for (auto [m, n] : {std::pair(16u, 16u), {8u, 32u}, {32u, 8u}}) {
    shapes.push_back({m, n, 16, "f16", "f16", "f32"});
    shapes.push_back({m, n, 16, "f16", "f16", "f16"});
    shapes.push_back({m, n, 16, "bf16", "bf16", "f32"});
    shapes.push_back({m, n, 16, "s8", "s8", "s32"});
    shapes.push_back({m, n, 16, "u8", "u8", "s32"});
  }
  shapes.push_back({16, 16, 8, "tf32", "tf32", "f32"});
  shapes.push_back({8, 8, 4, "f64", "f64", "f64"});
  for (const Shape &s : shapes)
    for (unsigned layout = 0; layout != 8; ++layout)
      for (unsigned pad : {0, 8}) {
        EXPECT_EQ(product(s, layout & 1, layout & 2, layout & 4, pad), 0u)
            << s.m << "x" << s.n << " " << s.a << " " << layout << " " << pad;
        EXPECT_GT(product(s, layout & 1, layout & 2, layout & 4, 8, "", true), 0u) << s.m << "x" << s.n << " " << s.a;
      }
  for (unsigned pad : {0, 4}) {
    EXPECT_EQ(product({8, 8, 32, "s4", "s4", "s32"}, true, false, true, pad), 0u);
    EXPECT_EQ(product({8, 8, 32, "u4", "u4", "s32"}, true, false, false, pad), 0u);
    EXPECT_EQ(product({8, 8, 128, "b1", "b1", "s32"}, true, false, true, pad, "xor"), 0u);
    EXPECT_EQ(product({8, 8, 128, "b1", "b1", "s32"}, true, false, true, pad, "and"), 0u);
  }
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix of bytes
//===----------------------------------------------------------------------===//

/// Runs `code` with a 1 KB image in shared memory, row addresses in %x, registers %r0..%r3; returns image and
/// registers.
void matrices(const std::string &code, std::vector<uint8_t> &bytes, const std::vector<uint32_t> &slots,
              std::vector<uint32_t> &registers) {
  Memory memory;
  uint64_t img = upload(memory, bytes, "image"), reg = upload(memory, registers, "registers"),
           slot = upload(memory, slots, "slots");
  std::string text =
      ".visible .entry k(.param .u64 img, .param .u64 reg, .param .u64 slot)\n{\n.reg .b64 %p<6>; .reg .b32 %t, %x, "
      "%r<4>, %v<4>; .shared .align 16 .b8 sh[1024];\n"
      "mov.u32 %t, %tid.x; mul.wide.u32 %p3, %t, 16; ld.param.u64 %p0, [img]; ld.param.u64 %p1, [reg]; ld.param.u64 "
      "%p2, [slot];\n"
      "add.u64 %p0, %p0, %p3; add.u64 %p1, %p1, %p3; mul.wide.u32 %p4, %t, 4; add.u64 %p2, %p2, %p4; ld.global.u32 %x, "
      "[%p2]; shl.b32 %x, %x, 4;\n"
      "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%p1]; ld.global.v4.u32 {%v0,%v1,%v2,%v3}, [%p0]; mov.u32 %t, sh; "
      "cvt.u32.u64 %t, %p3; add.u32 %t, %t, sh;\n"
      "st.shared.v4.u32 [%t], {%v0,%v1,%v2,%v3}; ld.global.v4.u32 {%v0,%v1,%v2,%v3}, [%p0+512]; st.shared.v4.u32 "
      "[%t+512], {%v0,%v1,%v2,%v3};\n"
      "add.u32 %x, %x, sh; bar.sync 0;\n" +
      code +
      "\nbar.sync 0; st.global.v4.u32 [%p1], {%r0,%r1,%r2,%r3}; ld.shared.v4.u32 {%v0,%v1,%v2,%v3}, [%t]; "
      "st.global.v4.u32 [%p0], {%v0,%v1,%v2,%v3};\n"
      "ld.shared.v4.u32 {%v0,%v1,%v2,%v3}, [%t+512]; st.global.v4.u32 [%p0+512], {%v0,%v1,%v2,%v3};\nret;\n}\n";
  auto m = parse(ptx(text, "sm_100a", "8.8"));
  ASSERT_TRUE(m);
  LaunchConfig config;
  config.block = {32};
  config.args.add(img).add(reg).add(slot);
  LaunchResult r = launch(*m, memory, config);
  ASSERT_TRUE(r.ok) << reports(r) << text;
  bytes = download<uint8_t>(memory, img, bytes.size());
  registers = download<uint32_t>(memory, reg, registers.size());
}

TEST(EmulatorWmma, ByteMatrices) {
  Rng rng(3);
  std::vector<uint8_t> image(1024);
  for (uint8_t &v : image)
    v = uint8_t(rng.next());
  std::vector<uint32_t> slots(32), registers(128);
  for (unsigned l = 0; l != 32; ++l)
    slots[l] = (l * 29 + 7) % 64; // rows at different places
  for (uint32_t &v : registers)
    v = uint32_t(rng.next());
  auto byteOf = [](const std::vector<uint32_t> &r, unsigned l, unsigned reg, unsigned k) {
    return uint8_t(r[4 * l + reg] >> 8 * k);
  };
  auto rowByte = [&](unsigned lane, unsigned b) { return image[16 * slots[lane] + b]; };
  auto packed = [&](unsigned lane, unsigned e, unsigned bits) { // element e of a slot
    unsigned at = e * bits, v = rowByte(lane, at / 8) | (at / 8 + 1 < 16 ? rowByte(lane, at / 8 + 1) << 8 : 0);
    return uint8_t(v >> at % 8 & ((1u << bits) - 1));
  };
  for (unsigned n : {1, 2}) {
    std::string regs = n == 1 ? "{%r0,%r1}" : "{%r0,%r1,%r2,%r3}";
    for (unsigned bits : {8, 4, 6}) {
      std::string type = bits == 8 ? ".b8" : bits == 4 ? ".b8x16.b4x16_p64" : ".b8x16.b6x16_p32";
      std::vector<uint8_t> i = image;
      std::vector<uint32_t> r = registers;
      matrices("ldmatrix.sync.aligned.m16n16.x" + std::to_string(n) + ".trans.shared" + type + " " + regs + ", [%x];",
               i, slots, r);
      for (unsigned l = 0; l != 32; ++l)
        for (unsigned reg = 0; reg != 2 * n; ++reg)
          for (unsigned k = 0; k != 4; ++k) { // matrix reg/2: rows at lanes 16 (reg/2) + ...
            unsigned lane = 16 * (reg / 2) + 4 * (l % 4) + k, column = l / 4 + 8 * (reg % 2);
            ASSERT_EQ(byteOf(r, l, reg, k), bits == 8 ? rowByte(lane, column) : packed(lane, column, bits))
                << type << l << " " << reg;
          }
    }
  }
  for (unsigned n : {1, 2, 4})
    for (unsigned bits : {4, 6}) {
      std::vector<uint8_t> i = image;
      std::vector<uint32_t> r = registers;
      matrices("ldmatrix.sync.aligned.m8n16.x" + std::to_string(n) + ".shared.b8x16." +
                   (bits == 4 ? "b4x16_p64 " : "b6x16_p32 ") + list("%r", n) + ", [%x];",
               i, slots, r);
      for (unsigned l = 0; l != 32; ++l)
        for (unsigned reg = 0; reg != n; ++reg)
          for (unsigned k = 0; k != 4; ++k)
            ASSERT_EQ(byteOf(r, l, reg, k), packed(8 * reg + l / 4, 4 * (l % 4) + k, bits))
                << bits << " " << l << " " << reg;
    }
  for (unsigned n : {1, 2, 4}) {
    std::vector<uint8_t> i = image, want = image;
    std::vector<uint32_t> r = registers;
    matrices("stmatrix.sync.aligned.m16n8.x" + std::to_string(n) + ".trans.shared.b8 [%x], " + list("%r", n) + ";", i,
             slots, r);
    for (unsigned l = 0; l != 32; ++l)
      for (unsigned reg = 0; reg != n; ++reg)
        for (unsigned k = 0; k != 4; ++k)
          want[16 * slots[8 * reg + 2 * (l % 4) + k % 2] + l / 4 + 8 * (k / 2)] = byteOf(registers, l, reg, k);
    EXPECT_EQ(i, want) << n;
  }
  EXPECT_NE(parseError(ptx(".visible .entry k()\n{\n.reg .b32 %r<4>;\nldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 "
                           "{%r0}, [%r1];\nret;\n}\n",
                           "sm_100a"))
                .find("has 2 registers"),
            std::string::npos);
  EXPECT_NE(parseError(ptx(".visible .entry k()\n{\n.reg .b32 %r<4>;\nldmatrix.sync.aligned.m16n16.x1.shared.b8 "
                           "{%r0,%r1}, [%r1];\nret;\n}\n",
                           "sm_100a")),
            "");
}

TEST(EmulatorWmma, BulkStore) {
  std::vector<uint8_t> image(1024, 0xab);
  std::vector<uint32_t> slots(32), registers(128, 7);
  std::vector<uint8_t> i = image;
  matrices("{ .reg .pred %q; .reg .b64 %z; setp.eq.u32 %q, %x, %x; mov.u64 %z, 40; setp.eq.u32 %q, %t, sh; @%q "
           "st.bulk.weak.shared::cta [%t+16], %z, 0; }",
           i, slots, registers);
  for (unsigned b = 0; b != 1024; ++b)
    ASSERT_EQ(i[b], b >= 16 && b < 56 ? 0 : 0xab) << b;
  auto report = [](const std::string &code) {
    auto m = parse(ptx(".visible .entry k()\n{\n.reg .b64 %z; .shared .align 16 .b8 sh[64];\n" + code + "\nret;\n}\n",
                       "sm_100a", "8.6"));
    Memory memory;
    LaunchConfig config;
    return m ? reports(launch(*m, memory, config)) : std::string();
  };
  EXPECT_NE(report("st.bulk.weak.shared::cta [sh], 72, 0;").find("out-of-bounds"), std::string::npos);
  EXPECT_NE(report("st.bulk.weak.shared::cta [sh], 12, 0;").find("multiple of 8"), std::string::npos);
  EXPECT_NE(report("st.bulk.weak.shared::cta [sh+4], 16, 0;").find("misaligned"), std::string::npos);
  EXPECT_EQ(report("st.bulk.shared::cta [sh+8], 16, 0;"), "");
}

//===----------------------------------------------------------------------===//
// multimem on one device: the memory itself
//===----------------------------------------------------------------------===//

TEST(EmulatorWmma, Multimem) {
  Memory memory;
  std::vector<uint32_t> data = {5, 6, 0x3c003c00, 0x40004000, 9, 0, 0, 0, 0, 0, 0, 0};
  uint64_t p = upload(memory, data, "data");
  auto m = parse(ptx(
      ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %p; .reg .b32 %r<6>; .reg .f32 %f<4>;\nld.param.u64 %p, [a];\n"
      "multimem.ld_reduce.relaxed.sys.global.add.u32 %r0, [%p]; add.u32 %r0, %r0, 1; "
      "multimem.st.relaxed.sys.global.u32 [%p], %r0;\n"
      "multimem.red.release.gpu.global.max.u32 [%p+4], 10;\n"
      "multimem.red.relaxed.gpu.global.add.f16x2 [%p+8], 0x3c004000;\n"
      "multimem.ld_reduce.weak.global.add.acc::f32.v2.f16x2 {%r1, %r2}, [%p+8]; multimem.st.weak.global.v2.f16x2 "
      "[%p+16], {%r1, %r2};\n"
      "mov.f32 %f0, 0f3f800000; multimem.red.relaxed.gpu.global.add.v4.f32 [%p+32], {%f0, %f0, %f0, %f0};\nret;\n}\n"));
  ASSERT_TRUE(m);
  LaunchConfig config;
  config.args.add(p);
  LaunchResult r = launch(*m, memory, config);
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint32_t>(memory, p, 12),
            (std::vector<uint32_t>{6, 10, 0x40004200, 0x40004000, 0x40004200, 0x40004000, 0, 0, 0x3f800000, 0x3f800000,
                                   0x3f800000, 0x3f800000}));
}

} // namespace
