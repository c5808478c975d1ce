//===- EmulatorResourcesTest.cpp - Registers, launches, counters -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Machine/Occupancy.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// Runs `body` in one block of `threads`; %w is the warp, %p0.. are predicates.
LaunchResult run(const std::string &body, unsigned threads, const std::string &bounds,
                 Schedule schedule = Schedule::RoundRobin) {
  std::unique_ptr<Module> m = parse(ptx(".visible .entry k() " + bounds + R"( {
  .reg .pred %p<4>; .reg .b32 %w;
  mov.u32 %w, %tid.x; shr.u32 %w, %w, 5; setp.ge.u32 %p0, %w, 4;
)" + body + "\n  ret;\n}\n"));
  if (!m)
    return LaunchResult();
  Memory memory;
  LaunchConfig config;
  config.block = {threads};
  config.options.schedule = schedule;
  return launch(*m, memory, config);
}
std::string firstOf(const LaunchResult &r, ReportKind kind) {
  const Report *report = findReport(r, kind);
  return report ? report->message : "no such report: " + reports(r);
}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

const char *exchange = R"(  @%p0 bra CONSUMER;
  setmaxnreg.dec.sync.aligned.u32 40;
  ret;
CONSUMER:
  setmaxnreg.inc.sync.aligned.u32 %u;
)";
std::string exchanged(const std::string &count) {
  std::string s = exchange;
  return s.replace(s.find("%u"), 2, count);
}

TEST(EmulatorSetmaxnreg, PoolOfTheBlock) {
  // Three warpgroups of 168: the first gives 128 back, two others take 64 each.
  for (Schedule s : {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse}) {
    LaunchResult r = run(exchanged("232"), 384, ".reqntid 384 .maxnreg 168", s);
    EXPECT_TRUE(r.ok) << reports(r);
    EXPECT_EQ(r.stats.registerWaits, s == Schedule::Reverse ? 8u : 0u); // who comes first waits
  }
  // 8 more for each than there are.
  LaunchResult r = run(exchanged("240"), 384, ".reqntid 384 .maxnreg 168");
  const std::string text = firstOf(r, ReportKind::Deadlock);
  EXPECT_NE(text.find("72 more registers per thread (setmaxnreg.inc); the block's pool has "), std::string::npos)
      << text;
  // Launch bounds leave room for 65536 / 384 = 170, in eights 168.
  EXPECT_TRUE(run(exchanged("232"), 384, ".maxntid 384").ok);
  EXPECT_TRUE(hasReport(run(exchanged("240"), 384, ".maxntid 384"), ReportKind::Deadlock));
  EXPECT_TRUE(hasReport(run(exchanged("240"), 384, ".maxntid 384 .minnctapersm 2"), ReportKind::Deadlock));
  // Nothing is known: no effect.
  EXPECT_TRUE(run(exchanged("256"), 384, "").ok);
}

TEST(EmulatorSetmaxnreg, Misuse) {
  EXPECT_NE(firstOf(run("  setmaxnreg.dec.sync.aligned.u32 176;", 128, ".maxnreg 168"), ReportKind::InvalidOperation)
                .find("setmaxnreg.dec 176, but the warp has 168 registers"),
            std::string::npos);
  EXPECT_NE(firstOf(run("  setmaxnreg.inc.sync.aligned.u32 160;", 128, ".maxnreg 168"), ReportKind::InvalidOperation)
                .find("setmaxnreg.inc 160, but the warp has 168 registers"),
            std::string::npos);
  EXPECT_TRUE(run("  setmaxnreg.inc.sync.aligned.u32 168;", 128, ".maxnreg 168").ok);
  const std::string half =
      "  setp.ge.u32 %p1, %w, 2;\n  @%p1 bra OVER;\n  setmaxnreg.dec.sync.aligned.u32 40;\nOVER:\n";
  EXPECT_NE(
      firstOf(run(half, 128, ".maxnreg 168"), ReportKind::InvalidOperation).find("but not by warp 2 of its warpgroup"),
      std::string::npos);
  EXPECT_NE(firstOf(run(half + "  @!%p1 bra END;\n  setmaxnreg.dec.sync.aligned.u32 48;\nEND:", 128, ".maxnreg 168"),
                    ReportKind::InvalidOperation)
                .find("the same setmaxnreg; warp 0 has executed setmaxnreg.dec 40"),
            std::string::npos);
  // One thread of a warp.
  EXPECT_TRUE(hasReport(
      run("  mov.u32 %w, %tid.x; setp.ne.u32 %p1, %w, 0; @%p1 bra OVER; setmaxnreg.dec.sync.aligned.u32 40;\nOVER:", 32,
          ".maxnreg 168"),
      ReportKind::WarpSync));
  auto refused = [](const std::string &count, const std::string &target = "sm_90a") {
    return parseError(ptx(".visible .entry k() { setmaxnreg.dec.sync.aligned.u32 " + count + "; ret; }", target));
  };
  for (const char *count : {"16", "23", "36", "260", "264"})
    EXPECT_NE(refused(count).find("multiple of 8 from 24 to 256"), std::string::npos) << count;
  EXPECT_NE(refused("40", "sm_90").find("architecture- or family-specific"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// griddepcontrol: a launch by itself depends on nobody
//===----------------------------------------------------------------------===//

TEST(EmulatorGriddepcontrol, SingleLaunch) {
  std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k(.param .u64 out) {
  .reg .b64 %rd; .reg .b32 %r;
  griddepcontrol.wait;
  ld.param.u64 %rd, [out]; ld.global.u32 %r, [%rd]; add.u32 %r, %r, 1; st.global.u32 [%rd], %r;
  griddepcontrol.launch_dependents;
  ret;
})",
                                        "sm_90"));
  ASSERT_TRUE(m);
  Memory memory;
  LaunchConfig config;
  uint64_t out = upload(memory, std::vector<uint32_t>{41}, "out");
  config.args.add(out);
  config.options.checkRaces = true;
  LaunchResult r = launch(*m, memory, config);
  EXPECT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(download<uint32_t>(memory, out, 1)[0], 42u);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

TEST(EmulatorStats, MatrixUtilisation) {
  // Four warps: 16x8x16 of f16 and the same of tf32 with k = 8, 1024 products in each.
  std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k() {
  .reg .b32 %r<8>; .reg .f32 %f<4>;
  mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; mov.b32 %r5, 0;
  mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};
  mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};
  ret;
})",
                                        "sm_80"));
  ASSERT_TRUE(m);
  Memory memory;
  LaunchConfig config;
  config.block = {128};
  LaunchResult r = launch(*m, memory, config);
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(r.stats.matrixInstructions, 8u);
  EXPECT_EQ(r.stats.matrixProducts, 4u * (2048 + 1024));
  EXPECT_EQ(r.stats.matrixWork, 4u * (2048 * 16 + 1024 * 32));
  // sm_80 does 1024 f16 products a cycle: 4 * (2 + 2) cycles. 13 instructions in each of 4 warps, 4 at a time.
  EXPECT_NE(r.stats.str().find(
                "tensor cores busy at most: 100.0 % (sm_80: 16 SM cycles of products, 13 of instruction issue)"),
            std::string::npos)
      << r.stats.str();
  // No products, no line.
  std::unique_ptr<Module> none = parse(ptx(".visible .entry k() { ret; }", "sm_80"));
  EXPECT_EQ(launch(*none, memory, config).stats.str().find("tensor cores"), std::string::npos);
}

TEST(EmulatorStats, Waits) {
  std::unique_ptr<Module> m = parse(ptx(R"(.visible .entry k(.param .u64 in) .reqnctapercluster 2 {
  .reg .pred %p, %q; .reg .b32 %r<4>; .reg .b64 %rd<3>; .shared .align 8 .b64 bar;
  mov.u32 %r0, %tid.x; setp.ne.u32 %p, %r0, 0; mov.u32 %r1, bar;
  @!%p mbarrier.init.shared::cta.b64 [%r1], 32;
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  ld.param.u64 %rd0, [in]; mul.wide.u32 %rd1, %r0, 128; add.u64 %rd0, %rd0, %rd1; ld.global.u32 %r2, [%rd0];
  mbarrier.arrive.shared::cta.b64 _, [%r1];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [%r1], 0; @!%q bra WAIT;
  ret;
})"));
  ASSERT_TRUE(m);
  Memory memory;
  LaunchConfig config;
  config.grid = {2};
  config.block = {32};
  config.args.add(upload(memory, std::vector<uint32_t>(32 * 32), "in"));
  LaunchResult r = launch(*m, memory, config);
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(r.stats.clusterBarriers, 2u);
  EXPECT_EQ(r.stats.mbarrierWaits, 2u);
  EXPECT_EQ(r.stats.mbarrierBlocked, 0u);
  EXPECT_EQ(r.stats.globalRequests, 2u);
  EXPECT_EQ(r.stats.globalSectors, 64u); // every lane its own
  const std::string text = r.stats.str();
  for (const char *line : {"cluster barriers", "mbarrier waits", "sectors per request             32.00"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

} // namespace
