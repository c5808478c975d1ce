//===- EmulatorLaunchControlTest.cpp - clusterlaunchcontrol -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTmaUtil.h"

#include "tileiras/Emulator/Machine/Occupancy.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// Statements in a kernel of 64 threads; %p0: thread 0. Blocks (%r1,%r2,%r3) of grid (%r4,%r5,...) count themselves at
/// counts[block], and all threads add block + 1 to counts[blocks].
std::string kernel(const std::string &body, const std::string &attributes = "") {
  return ptx(".visible .entry k(.param .u64 counts, .param .u32 blocks) " + attributes + R"(
{
.reg .pred %p<4>; .reg .b32 %r<24>; .reg .b64 %rd<12>; .reg .b128 %q;
.shared .align 16 .b8 resp[32];
.shared .align 8 .b64 bar;
ld.param.u64 %rd0, [counts]; ld.param.u32 %r6, [blocks]; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
mov.u32 %r7, 0;
@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster; bar.sync 0;
)" + body + "\nret;\n}\n",
             "sm_100a");
}
const char *work = R"(
mad.lo.u32 %r8, %r3, %r5, %r2; mad.lo.u32 %r8, %r8, %r4, %r1;
mul.wide.u32 %rd1, %r8, 4; add.u64 %rd1, %rd1, %rd0; @%p0 red.global.add.u32 [%rd1], 1;
mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd2, %rd0; add.u32 %r9, %r8, 1; red.global.add.u32 [%rd2], %r9;
)";
const char *wait = R"(
$W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], %r7; @!%p1 bra $W;
xor.b32 %r7, %r7, 1;
ld.shared.b128 %q, [resp];
fence.proxy.async.shared::cta;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;
)";
const char *request = R"(
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
@%p0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [resp], [bar];
)";
const char *ask = "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %q;\n";

std::string stealing() {
  return kernel(std::string("$L:\n") + work + request + wait + "@!%p2 bra $D;\n@%p2 " + ask +
                "bar.sync 0;\nbra $L;\n$D:\n");
}
/// Clusters of two; the first block asks for both.
std::string stealingClusters() {
  return kernel(std::string(R"(
mov.u32 %r10, %cluster_ctarank; setp.eq.u32 %p3, %r10, 0; and.pred %p3, %p3, %p0;
$L:
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
@%p3 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [resp], [bar];
)") + work + wait + R"(
@!%p2 bra $D;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %q;
clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r2, %q;
clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r3, %q;
add.u32 %r1, %r1, %r10;
bra $L;
$D:
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
)",
                ".reqnctapercluster 2, 1, 1");
}

LaunchResult run(const std::string &text, Dim3 grid, LaunchOptions options, std::vector<uint32_t> *counts = nullptr) {
  auto m = parse(text);
  if (!m)
    return {};
  modules().insert({"sm_100a", text});
  Memory memory;
  uint32_t blocks = uint32_t(grid.count());
  uint64_t out = memory.allocate((blocks + 1) * 4, "counts", Memory::Init::Zero);
  LaunchConfig c;
  c.grid = grid;
  c.block = {64};
  c.args.add(out).add(blocks);
  c.options = options;
  LaunchResult r = launch(*m, memory, c);
  if (counts)
    *counts = download<uint32_t>(memory, out, blocks + 1);
  return r;
}

void everyBlockOnce(const std::string &text, Dim3 grid) {
  everyTiming([&](LaunchOptions o) {
    for (unsigned threads : {1u, 2u})
      for (bool races : {false, true}) {
        o.hostThreads = threads;
        o.checkRaces = races;
        uint64_t last = 0, total = 0;
        o.progress = [&](uint64_t done, uint64_t all) { last = std::max(last, done), total = all; };
        std::vector<uint32_t> counts;
        LaunchResult r = run(text, grid, o, &counts);
        ASSERT_TRUE(r.ok) << reports(r);
        uint32_t blocks = uint32_t(grid.count());
        for (uint32_t b = 0; b != blocks; ++b)
          EXPECT_EQ(counts[b], 1u) << "block " << b;
        EXPECT_EQ(counts[blocks], 64 * blocks * (blocks + 1) / 2);
        EXPECT_EQ(r.stats.blocks + r.stats.cancelledBlocks, blocks);
        EXPECT_EQ(last, total);
        EXPECT_GT(r.stats.cancelledBlocks, 0u);
        // A cluster that asks until there are none left leaves nothing for others on its host thread.
        if (o.asyncTiming != AsyncTiming::Random && (threads == 1 || races))
          EXPECT_EQ(r.stats.blocks, blocks / total);
      }
  });
}

TEST(EmulatorLaunchControl, EveryBlockOnce) { everyBlockOnce(stealing(), {13, 5, 3}); }
TEST(EmulatorLaunchControl, EveryClusterOnce) { everyBlockOnce(stealingClusters(), {10, 3, 4}); }

TEST(EmulatorLaunchControl, RequestsMayFail) {
  // With random timing some requests fail although clusters are left: more than one block runs on one host thread.
  LaunchOptions o;
  o.asyncTiming = AsyncTiming::Random;
  o.hostThreads = 1;
  LaunchResult r = run(stealing(), {64}, o);
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_GT(r.stats.blocks, 1u);
  EXPECT_GT(r.stats.cancelledBlocks, 0u);
  EXPECT_GT(r.stats.mbarrierBlocked, 0u);
}

TEST(EmulatorLaunchControl, Faults) {
  LaunchOptions o;
  o.hostThreads = 1;
  auto message = [&](const std::string &body, ReportKind kind) {
    LaunchResult r = run(kernel(body), {1}, o);
    const Report *report = findReport(r, kind);
    EXPECT_TRUE(report) << reports(r);
    return report ? report->message : "";
  };
  // The only block of the grid: every request fails.
  EXPECT_NE(message(std::string(request) + wait + ask, ReportKind::InvalidOperation).find("no cancelled cluster"),
            std::string::npos);
  EXPECT_NE(message(std::string(request) + wait + "bar.sync 0;" + request, ReportKind::InvalidOperation)
                .find("known to have failed"),
            std::string::npos);
  EXPECT_NE(message("@%p0 clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 [resp+8], [bar];",
                    ReportKind::Misaligned)
                .find("multiple of 16"),
            std::string::npos);
  // 16 bytes are completed, not 32.
  message("@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 32;\n"
          "@%p0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [resp], [bar];\n" +
              std::string(wait),
          ReportKind::Deadlock);
  // Nobody waits before the response is read.
  message(std::string(request) + "bar.sync 0; ld.shared.b128 %q, [resp];\n"
                                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;\n",
          ReportKind::Uninitialized);
}

TEST(EmulatorLaunchControl, ZerosAreNotCancelled) {
  std::vector<uint32_t> counts;
  LaunchResult r = run(kernel("mov.b64 %rd3, 0; mov.b128 %q, {%rd3, %rd3};\n"
                              "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;\n"
                              "selp.u32 %r8, 7, 9, %p2; @%p0 st.global.u32 [%rd0], %r8;\n"),
                       {1}, {}, &counts);
  ASSERT_TRUE(r.ok) << reports(r);
  EXPECT_EQ(counts[0], 9u);
}

TEST(EmulatorLaunchControl, Refused) {
  std::string text = kernel(request);
  text.replace(text.find("sm_100a"), 7, "sm_90a");
  EXPECT_NE(parseError(text).find("sm_100"), std::string::npos);
  parseError(kernel("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %rd1;"));
  // Only architecture- and family-specific targets can tell the whole cluster.
  const std::string all =
      ".visible .entry k() { .shared .b8 s[16]; .shared .b64 b;\nclusterlaunchcontrol.try_cancel.async.shared::cta."
      "mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [s], [b]; ret; }";
  EXPECT_NE(parseError(ptx(all, "sm_100"))
                .find("'.multicast::cluster::all' needs an architecture- or family-specific target"),
            std::string::npos);
  EXPECT_TRUE(parse(ptx(all, "sm_100f", "8.8")));
  parseError(kernel("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2}, %q;"));
  parseError(kernel("clusterlaunchcontrol.query_cancel.get_first_ctaid::w.b32.b128 %r1, %q;"));
}

TEST(EmulatorLaunchControl, AssemblerAgrees) {
  if (ptxasPath().empty())
    GTEST_SKIP() << "no ptxas";
  for (const std::string &text : {stealing(), stealingClusters()})
    modules().insert({"sm_100a", text});
  EXPECT_EQ(assembleAll(), "");
}

std::string occupancy(const std::string &target, const std::string &attributes, uint32_t threads,
                      uint32_t sharedBytes) {
  auto m = parse(ptx(".visible .entry k() " + attributes + "\n{ ret; }\n", target));
  return m ? occupancyOf(*m, m->kernels()[0], threads, sharedBytes).str() : "";
}

TEST(EmulatorOccupancy, Limits) {
  EXPECT_EQ(occupancy("sm_90a", "", 256, 0), "blocks per SM: 8 (sm_90a, limited by threads; registers unknown)");
  EXPECT_EQ(occupancy("sm_90a", "", 32, 0), "blocks per SM: 32 (sm_90a, limited by blocks per SM; registers unknown)");
  // 228 KiB, of which a block takes 56 + 1.
  EXPECT_EQ(occupancy("sm_90a", "", 128, 56 * 1024),
            "blocks per SM: 4 (sm_90a, limited by shared memory; registers unknown)");
  EXPECT_EQ(occupancy("sm_90a", "", 128, 56 * 1024 + 1),
            "blocks per SM: 3 (sm_90a, limited by shared memory; registers unknown)");
  EXPECT_EQ(occupancy("sm_120a", "", 256, 0), "blocks per SM: 6 (sm_120a, limited by threads; registers unknown)");
  // 65536 / (128 * 256).
  EXPECT_EQ(occupancy("sm_80", ".maxnreg 128", 256, 0), "blocks per SM: 2 (sm_80, limited by registers)");
  EXPECT_EQ(occupancy("sm_80", ".maxntid 256 .minnctapersm 3", 256, 0),
            "blocks per SM: 8 (sm_80, limited by threads; registers unknown, but .minnctapersm makes room for 3)");
}

TEST(EmulatorOccupancy, InStats) {
  LaunchOptions o;
  LaunchResult r = run(stealing(), {2}, o);
  // 64 threads, 40 bytes.
  EXPECT_NE(r.stats.str().find("blocks per SM: 32 (sm_100a, limited by"), std::string::npos) << r.stats.str();
  EXPECT_NE(r.stats.str().find("mbarrier waits blocked"), std::string::npos);
}

} // namespace
