//===- EmulatorMatrixTest.cpp - mma.sync, ldmatrix, cp.async ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// Kernel text of one warp with parameters out, a, b.
std::string kernel(const std::string &body) {
  return ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b)\n{\n.reg .pred %p<4>; .reg .b32 %r<64>, "
         "%x<16>, %y<16>, %z<16>; .reg .b64 %rd<16>; .reg .f64 %fd<32>;\n"
         "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r0, %tid.x;\n" +
         body + "\nret;\n}\n";
}

LaunchResult run(Memory &memory, const std::string &body, uint64_t out, uint64_t a, uint64_t b, uint32_t threads = 32,
                 LaunchOptions options = {}, const std::string &target = "sm_90a") {
  auto m = parse(ptx(kernel(body), target));
  if (!m)
    return {};
  LaunchConfig c;
  c.block = {threads};
  c.args.add(out).add(a).add(b);
  c.options = options;
  c.options.hostThreads = 1;
  return launch(*m, memory, c);
}

std::string list(const std::string &prefix, int n) {
  std::string s = "{";
  for (int i = 0; i != n; ++i)
    s += (i ? "," : "") + prefix + std::to_string(i);
  return s + "}";
}

/// One mma whose fragments are loaded from arrays of 32 lanes x registers; returns the D registers.
std::vector<uint32_t> oneMma(const std::string &op, const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
                             const std::vector<uint32_t> &c, int na, int nb, int nd,
                             const std::string &target = "sm_90a") {
  Memory memory;
  std::vector<uint32_t> bc = b;
  bc.insert(bc.end(), c.begin(), c.end());
  uint64_t pa = upload(memory, a, "a"), pb = upload(memory, bc, "b"), out = memory.allocate(32 * nd * 4, "out");
  std::string s = "mul.wide.u32 %rd3, %r0, " + std::to_string(4 * na) +
                  "; add.u64 %rd3, %rd1, %rd3; mul.wide.u32 %rd4, %r0, " + std::to_string(4 * nb) +
                  "; add.u64 %rd4, %rd2, %rd4; mul.wide.u32 %rd5, %r0, " + std::to_string(4 * nd) +
                  "; add.u64 %rd6, %rd2, %rd5; add.u64 %rd5, %rd0, %rd5;\n";
  for (int i = 0; i != na; ++i)
    s += "ld.global.b32 %x" + std::to_string(i) + ", [%rd3+" + std::to_string(4 * i) + "];";
  for (int i = 0; i != nb; ++i)
    s += "ld.global.b32 %y" + std::to_string(i) + ", [%rd4+" + std::to_string(4 * i) + "];";
  for (int i = 0; i != nd; ++i)
    s += "ld.global.b32 %z" + std::to_string(i) + ", [%rd6+" + std::to_string(128 * nb + 4 * i) + "];";
  s += op + " " + list("%z", nd) + ", " + list("%x", na) + ", " + list("%y", nb) + ", " + list("%z", nd) + ";\n";
  for (int i = 0; i != nd; ++i)
    s += "st.global.b32 [%rd5+" + std::to_string(4 * i) + "], %z" + std::to_string(i) + ";";
  LaunchResult r = run(memory, s, out, pa, pb, 32, {}, target);
  EXPECT_TRUE(r.ok) << reports(r);
  return download<uint32_t>(memory, out, size_t(32 * nd));
}

/// The points of the fact sheet, (lane, register, element) -> (row, column): a single one in A at (row, k) and a
/// single one in B at (k, n) must give a single one in C at (row, n). Each place is found from the documented point.
TEST(EmulatorMatrix, FragmentPoints) {
  auto single = [](int lane, int reg, uint32_t bits, int regs) {
    std::vector<uint32_t> v(32 * regs);
    v[lane * regs + reg] = bits;
    return v;
  };
  auto expectOnly = [](const std::vector<uint32_t> &d, int lane, int reg, int regs, uint32_t bits) {
    for (int i = 0; i != 32 * regs; ++i)
      EXPECT_EQ(d[i], i == lane * regs + reg ? bits : 0u) << "lane " << i / regs << " register " << i % regs;
  };
  uint32_t one = std::bit_cast<uint32_t>(1.0f);
  std::vector<uint32_t> zero(128);
  // f16 m16n8k16: A lane 13 r2 e1 is (3, k11); B lane 13 r1 e0 is (k10, n3), so its e1 is (k11, n3). C (3, 3): g = 3,
  // t = 1, odd column: lane 13, register 1.
  expectOnly(oneMma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", single(13, 2, 0x3c000000, 4),
                    single(13, 1, 0x3c000000, 2), zero, 4, 2, 4),
             13, 1, 4, one);
  // A lane 13 r3 e0 is (11, k10): C (11, 3) is lane 13 register 3.
  expectOnly(oneMma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", single(13, 3, 0x3c00, 4),
                    single(13, 1, 0x3c00, 2), zero, 4, 2, 4),
             13, 3, 4, one);
  // The wrong k gives nothing.
  expectOnly(oneMma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", single(13, 3, 0x3c00, 4),
                    single(13, 1, 0x3c000000, 2), zero, 4, 2, 4),
             0, 0, 4, 0);
  // s8 m16n8k32: A lane 30 r3 e3 is (15, k27); B lane 30 r1 e2 is (k26, n7), e3 (k27, n7). C (15, 7): lane 31,
  // register 3.
  expectOnly(oneMma("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", single(30, 3, 0xff000000, 4),
                    single(30, 1, 0x05000000, 2), zero, 4, 2, 4),
             31, 3, 4, uint32_t(-5));
  // tf32 m16n8k8: A lane 5 r2 is (1, k5); B: k = 4r + t, n = g, so (k5, n0) is lane 1 r1. C (1, 0): lane 4 register 0.
  expectOnly(oneMma("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", single(5, 2, one | 0x1fff, 4),
                    single(1, 1, one, 2), zero, 4, 2, 4),
             4, 0, 4, one);
}

/// Whole product through ldmatrix, with A and B as plain row-major arrays in shared memory and D stored by the
/// documented accumulator layout.
TEST(EmulatorMatrix, ProductThroughLdmatrix) {
  for (bool bf : {false, true})
    for (bool trans : {false, true}) {
      Rng rng(bf * 2 + trans);
      std::vector<uint16_t> a(16 * 16), b(16 * 8);
      std::vector<double> va(256), vb(128);
      auto random = [&](uint16_t &bits, double &value) {
        int n = int(rng.next() % 33) - 16;
        value = n / 8.0;
        if (bf) {
          bits = uint16_t(std::bit_cast<uint32_t>(float(value)) >> 16);
        } else {
          _Float16 h = _Float16(value);
          std::memcpy(&bits, &h, 2);
        }
      };
      for (int i = 0; i != 256; ++i)
        random(a[i], va[i]);
      for (int i = 0; i != 128; ++i)
        random(b[i], vb[i]); // [k][n] if trans, else [n][k]
      Memory memory;
      uint64_t pa = upload(memory, a, "a"), pb = upload(memory, b, "b"), out = memory.allocate(16 * 8 * 4, "out");
      std::string type = bf ? "bf16" : "f16";
      // 512 + 256 bytes to shared memory by cp.async, 16 bytes per thread and round.
      std::string s = R"(
        .shared .align 128 .b8 sa[512]; .shared .align 128 .b8 sb[256];
        mov.u32 %r1, sa; mov.u32 %r2, sb; shl.b32 %r3, %r0, 4; cvt.u64.u32 %rd3, %r3;
        add.u32 %r4, %r1, %r3; add.u64 %rd4, %rd1, %rd3; cp.async.cg.shared.global [%r4], [%rd4], 16;
        setp.lt.u32 %p1, %r0, 16; add.u32 %r4, %r2, %r3; add.u64 %rd4, %rd2, %rd3; @%p1 cp.async.ca.shared.global [%r4], [%rd4], 16;
        cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
        // A: lanes 0-15 rows 0-15 of the left half, lanes 16-31 of the right half
        and.b32 %r5, %r0, 15; shl.b32 %r5, %r5, 5; shr.u32 %r6, %r0, 4; shl.b32 %r6, %r6, 4; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r1;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x0,%x1,%x2,%x3}, [%r5];
)";
      if (trans) // 16 rows (k) of 8 columns
        s += "and.b32 %r7, %r0, 15; shl.b32 %r7, %r7, 4; add.u32 %r7, %r7, %r2; "
             "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%y0,%y1}, [%r7];\n";
      else // 8 rows (n) of 16 k
        s += "and.b32 %r7, %r0, 7; shl.b32 %r7, %r7, 5; and.b32 %r8, %r0, 8; shl.b32 %r8, %r8, 1; add.u32 %r7, %r7, "
             "%r8; add.u32 %r7, %r7, %r2;"
             "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%y0,%y1}, [%r7];\n";
      s += "mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type +
           ".f32 {%z0,%z1,%z2,%z3}, {%x0,%x1,%x2,%x3}, {%y0,%y1}, {0f00000000,0f00000000,0f3F800000,0f00000000};\n"
           "shr.u32 %r9, %r0, 2; and.b32 %r10, %r0, 3; mad.lo.u32 %r11, %r9, 8, 0; mad.lo.u32 %r11, %r10, 2, %r11; "
           "mul.wide.u32 %rd5, %r11, 4; add.u64 %rd5, %rd0, %rd5;"
           "st.global.v2.b32 [%rd5], {%z0,%z1}; st.global.v2.b32 [%rd5+256], {%z2,%z3};";
      LaunchResult r = run(memory, s, out, pa, pb);
      ASSERT_TRUE(r.ok) << reports(r);
      auto d = download<float>(memory, out, 128);
      for (int row = 0; row != 16; ++row)
        for (int n = 0; n != 8; ++n) {
          double sum = row >= 8 && n % 2 == 0; // the constant in C's third register
          for (int k = 0; k != 16; ++k)
            sum += va[16 * row + k] * (trans ? vb[8 * k + n] : vb[16 * n + k]);
          ASSERT_EQ(d[8 * row + n], float(sum)) << type << trans << " at " << row << "," << n;
        }
    }
}

TEST(EmulatorMatrix, OtherShapes) {
  // f64 m8n8k4: A lane l is (g, t), B lane l is (k t, n g), C registers are (g, 2t + i).
  Memory memory;
  std::vector<double> a(32), b(32);
  Rng rng(9);
  for (int i = 0; i != 32; ++i) {
    a[i] = double(int64_t(rng.next())) / 1e18;
    b[i] = double(int64_t(rng.next())) / 1e18;
  }
  uint64_t pa = upload(memory, a, "a"), pb = upload(memory, b, "b"), out = memory.allocate(512, "out");
  LaunchResult r = run(
      memory,
      R"(mul.wide.u32 %rd3, %r0, 8; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; shl.b64 %rd3, %rd3, 1; add.u64 %rd0, %rd0, %rd3;
    ld.global.f64 %fd0, [%rd1]; ld.global.f64 %fd1, [%rd2]; mov.f64 %fd2, 0d3FF0000000000000; mov.f64 %fd3, 0d0000000000000000;
    mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd4,%fd5}, {%fd0}, {%fd1}, {%fd2,%fd3}; st.global.v2.f64 [%rd0], {%fd4,%fd5};)",
      out, pa, pb);
  ASSERT_TRUE(r.ok) << reports(r);
  auto d = download<double>(memory, out, 64);
  for (int g = 0; g != 8; ++g)
    for (int n = 0; n != 8; ++n) {
      double s = n % 2 == 0 ? 1 : 0;
      for (int k = 0; k != 4; ++k)
        s = std::fma(a[4 * g + k], b[4 * n + k], s);
      EXPECT_EQ(d[(4 * g + n / 2) * 2 + n % 2], s);
    }
  // f16 accumulators, fp8 inputs: all ones everywhere.
  std::vector<uint32_t> ones8(32 * 4, 0x38383838), ones8b(32 * 2, 0x38383838), c16(32 * 2, 0x3c003c00);
  for (uint32_t v : oneMma("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", ones8, ones8b, c16, 4, 2, 2))
    EXPECT_EQ(v, 0x50205020u); // 33 in f16
  std::vector<uint32_t> big(32 * 4, 0x7f7f7f7f), bigb(32 * 2, 0x7f7f7f7f), max(32 * 4, 0x7fffffff);
  EXPECT_EQ(oneMma("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", big, bigb, max, 4, 2, 4)[5],
            0x7fffffffu);
  EXPECT_EQ(oneMma("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", big, bigb, max, 4, 2, 4)[5],
            0x7fffffffu + 32 * 127 * 127);
}

TEST(EmulatorMatrix, MovAndStore) {
  // movmatrix transposes; stmatrix is the inverse of ldmatrix.
  Memory memory;
  std::vector<uint16_t> a(64);
  for (int i = 0; i != 64; ++i)
    a[i] = uint16_t(1000 + i);
  uint64_t pa = upload(memory, a, "a"), out = memory.allocate(256, "out");
  LaunchResult r = run(
      memory,
      R"(.shared .align 16 .b8 s[256]; mov.u32 %r1, s; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd4, %rd1, %rd3; ld.global.b32 %x0, [%rd4];
    movmatrix.sync.aligned.m8n8.trans.b16 %x1, %x0; and.b32 %r2, %r0, 7; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, %r1;
    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%x1}; stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r2+128], {%x1}; bar.warp.sync -1;
    shl.b32 %r3, %r0, 3; add.u32 %r3, %r1, %r3; ld.shared.v2.b32 {%x2,%x3}, [%r3]; shl.b64 %rd3, %rd3, 1; add.u64 %rd5, %rd0, %rd3; st.global.v2.b32 [%rd5], {%x2,%x3};)",
      out, pa, pa);
  ASSERT_TRUE(r.ok) << reports(r);
  auto v = download<uint16_t>(memory, out, 128);
  for (int i = 0; i != 8; ++i)
    for (int j = 0; j != 8; ++j) {
      EXPECT_EQ(v[8 * i + j], a[8 * j + i]);
      EXPECT_EQ(v[64 + 8 * i + j], a[8 * i + j]);
    }
}

TEST(EmulatorMatrix, AsyncCopies) {
  auto run2 = [](const std::string &wait, bool late) {
    Memory memory;
    std::vector<uint32_t> a(128), o(32);
    for (uint32_t i = 0; i != 128; ++i)
      a[i] = i + 1;
    uint64_t pa = upload(memory, a, "a"), out = upload(memory, o, "out");
    LaunchOptions options;
    options.asyncTiming = late ? AsyncTiming::Late : AsyncTiming::Early;
    LaunchResult r = run(
        memory,
        R"(.shared .align 16 .b8 s[1024]; mov.u32 %r1, s; shl.b32 %r2, %r0, 4; add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd3, %r2; add.u64 %rd1, %rd1, %rd3;
      cp.async.ca.shared.global [%r1], [%rd1], 16, 4; cp.async.commit_group;
      setp.ge.u32 %p1, %r0, 16; cp.async.ca.shared.global [%r1+512], [%rd1], 4, %p1; cp.async.commit_group;)" +
            wait + R"(
      ld.shared.v2.u32 {%r3,%r4}, [%r1]; add.u32 %r3, %r3, %r4; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd0, %rd0, %rd4; st.global.u32 [%rd0], %r3;)",
        out, pa, pa, 32, options);
    return std::pair(r, download<uint32_t>(memory, out, 32));
  };
  for (bool late : {false, true}) {
    auto [r, v] = run2("cp.async.wait_group 1;", late);
    ASSERT_TRUE(r.ok) << reports(r);
    for (uint32_t t = 0; t != 32; ++t)
      EXPECT_EQ(v[t], 4 * t + 1); // the rest of the 16 bytes is zero
    auto [r2, v2] = run2(
        "cp.async.wait_all; ld.shared.u32 %r5, [%r1+512]; setp.ne.u32 %p2, %r5, 0; xor.pred %p2, %p2, %p1; @!%p2 trap;",
        late);
    EXPECT_TRUE(r2.ok) << reports(r2);
  }
  // Forgotten wait, or waiting for the wrong number of groups: the data is not there yet.
  EXPECT_TRUE(hasReport(run2("", true).first, ReportKind::Uninitialized));
  EXPECT_TRUE(hasReport(run2("cp.async.wait_group 2;", true).first, ReportKind::Uninitialized));
}

TEST(EmulatorMatrix, Faults) {
  Memory memory;
  uint64_t a = upload(memory, std::vector<uint32_t>(256), "a");
  auto kinds = [&](const std::string &body, uint32_t threads = 32) {
    LaunchResult r = run(memory,
                         ".shared .align 16 .b8 s[512]; mov.u32 %r1, s; shl.b32 %r2, %r0, 4; add.u32 %r3, %r1, %r2; "
                         "st.shared.v4.b32 [%r3], {%r0,%r0,%r0,%r0};" +
                             body,
                         a, a, a, threads);
    std::string s;
    for (const Report &report : r.reports)
      s += std::string(reportKindName(report.kind)) + " ";
    return s;
  };
  EXPECT_EQ(kinds("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x0,%x1,%x2,%x3}, [%r3];"), "");
  EXPECT_EQ(kinds("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x0}, [%r3+8];"), "misaligned ");
  EXPECT_EQ(kinds("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%x0,%x1,%x2,%x3}, [%r3+256];"), "out-of-bounds ");
  EXPECT_EQ(kinds("setp.lt.u32 %p1, %r0, 31; @%p1 exit; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x0}, [%r3];"),
            "warp-sync ");
  EXPECT_EQ(kinds("cp.async.ca.shared.global [%r3], [%rd1+4], 8;"), "misaligned ");
  EXPECT_EQ(kinds("cp.async.ca.shared.global [%r3], [%rd1+4096], 16;"), "out-of-bounds ");
  EXPECT_EQ(kinds("cp.async.ca.shared.global [%r3], [%rd1], 4, 9;"), "invalid ");
  EXPECT_NE(
      parseError(ptx(kernel("cp.async.cg.shared.global [%r3], [%rd1], 8;"))).find("cp.async copies 4, 8 or 16 bytes"),
      std::string::npos);
  EXPECT_NE(parseError(ptx(kernel("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%z0,%z1,%z2,%z3}, {%x0,%x1}, "
                                  "{%y0,%y1}, {%z0,%z1,%z2,%z3};")))
                .find("has 4 registers, found 2"),
            std::string::npos);
}

} // namespace
