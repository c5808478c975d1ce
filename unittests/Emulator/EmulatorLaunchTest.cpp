//===- EmulatorLaunchTest.cpp - Kernels, launches, checks -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

const char *saxpy = R"(
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.f32 %f1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $L_end;
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mul.wide.s32 %rd5, %r5, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f4, %f2, %f1, %f3;
  st.global.f32 [%rd7], %f4;
$L_end:
  ret;
}
)";

LaunchConfig saxpyConfig(Memory &memory, uint32_t n, uint64_t &y) {
  std::vector<float> xs(n), ys(n);
  for (uint32_t i = 0; i != n; ++i) {
    xs[i] = float(i) * 0.25f;
    ys[i] = float(n - i);
  }
  uint64_t x = upload(memory, xs, "x");
  y = upload(memory, ys, "y");
  LaunchConfig c;
  c.kernel = "saxpy";
  c.block = {128};
  c.grid = {(n + 127) / 128};
  c.args.add(x).add(y).add(3.0f).add(n);
  return c;
}

TEST(EmulatorLaunch, Saxpy) {
  auto m = parse(ptx(saxpy));
  ASSERT_TRUE(m);
  ASSERT_EQ(m->kernels().size(), 1u);
  EXPECT_EQ(m->kernels()[0].params.size(), 4u);
  EXPECT_EQ(m->kernels()[0].paramBytes, 24u);
  Memory memory;
  uint64_t y;
  LaunchConfig c = saxpyConfig(memory, 1000, y);
  LaunchResult r = launch(*m, memory, c);
  ASSERT_TRUE(r.ok) << reports(r);
  std::vector<float> out = download<float>(memory, y, 1000);
  for (uint32_t i = 0; i != 1000; ++i)
    ASSERT_EQ(out[i], 3.0f * (float(i) * 0.25f) + float(1000 - i));
  EXPECT_EQ(r.stats.blocks, 8u);
  EXPECT_EQ(r.stats.warps, 32u);
  EXPECT_EQ(r.stats.globalLoadBytes, 8000u);
  EXPECT_EQ(r.stats.globalStoreBytes, 4000u);
  // 1000 floats are 125 sectors per array.
  EXPECT_EQ(r.stats.globalSectors, 375u);
  EXPECT_EQ(r.stats.divergentBranches, 1u);
}

TEST(EmulatorLaunch, OutOfBounds) {
  auto m = parse(ptx(saxpy));
  Memory memory;
  uint64_t y;
  LaunchConfig c = saxpyConfig(memory, 1000, y);
  c.args.clear();
  uint64_t shortX = upload(memory, std::vector<float>(990), "shortX");
  c.args.add(shortX).add(y).add(3.0f).add(1000u);
  LaunchResult r = launch(*m, memory, c);
  EXPECT_FALSE(r.ok);
  ASSERT_EQ(r.reports.size(), 1u);
  const Report &report = r.reports[0];
  EXPECT_EQ(report.kind, ReportKind::OutOfBounds);
  EXPECT_EQ(report.count, 10u);
  EXPECT_EQ(report.block.x, 7u);
  EXPECT_EQ(report.thread.x, 990u - 7 * 128);
  EXPECT_EQ(report.line, 23u);
  EXPECT_NE(report.message.find("0 bytes past the end of 'shortX' (3960 bytes)"), std::string::npos) << report.message;
  EXPECT_EQ(report.address, shortX + 3960);
}

TEST(EmulatorLaunch, BadLaunches) {
  auto m = parse(ptx(saxpy));
  Memory memory;
  auto refused = [&](auto change, const char *why) {
    uint64_t y;
    LaunchConfig c = saxpyConfig(memory, 100, y);
    change(c);
    LaunchResult r = launch(*m, memory, c);
    EXPECT_FALSE(r.ok);
    ASSERT_EQ(r.reports.size(), 1u);
    EXPECT_EQ(r.reports[0].kind, ReportKind::Launch);
    EXPECT_NE(r.reports[0].message.find(why), std::string::npos) << r.reports[0].message;
  };
  refused([](LaunchConfig &c) { c.kernel = "other"; }, "no kernel 'other'");
  refused([](LaunchConfig &c) { c.args.add(1); }, "4 parameters, not 5");
  refused(
      [](LaunchConfig &c) {
        c.args.clear();
        c.args.add(1).add(1).add(1).add(1);
      },
      "8 bytes, not 4");
  refused([](LaunchConfig &c) { c.block = {2048}; }, "1024 threads");
  refused([](LaunchConfig &c) { c.grid = {0}; }, "must not be empty");
  refused([](LaunchConfig &c) { c.dynamicSharedBytes = 300000; }, "shared memory");
  refused([](LaunchConfig &c) { c.packedParams.resize(20); }, "24 parameter bytes");
}

} // namespace
