//===- TimingPredictTest.cpp - Machines, grids, reports ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TimingTestUtil.h"

#include "tileiras/Emulator/Timing/Balance.h"
#include "tileiras/Emulator/Timing/Toolkit.h"
#include "tileiras/Emulator/Timing/Traffic.h"

#include <cmath>
#include <fstream>

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::timing;

namespace {

TEST(TimingMachine, AllHaveEverythingWithASource) {
  const std::vector<std::string> names = machineNames();
  for (const char *wanted : {"a100", "h100", "h200", "rtx4090", "b200", "rtx5090"})
    EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
  for (const std::string &name : names) {
    MachineDescription m = machineOf(name);
    EXPECT_EQ(m.sources.size(), machineFields().size()) << name;
    EXPECT_GT(m.peakMatrixFlops(16) * m.sms * m.clock_mhz * 1e-6, 100) << name; // TFLOP/s
    EXPECT_GE(m.peakMatrixFlops(4), m.peakMatrixFlops(8)) << name;
    if (m.tcgen05_flops) // kind::mxf4nvf4 has K = 64 where kind::f8f6f4 has 32 (PTX ISA, "tcgen05.mma")
      EXPECT_EQ(m.peakMatrixFlops(4), 2 * m.peakMatrixFlops(8)) << name;
    EXPECT_GE(m.dram_gbs, m.dram_best_gbs) << name;
  }
}

TEST(TimingMachine, BadFiles) {
  std::string error;
  EXPECT_FALSE(findMachine("voodoo", error));
  EXPECT_NE(error.find("known: a100"), std::string::npos) << error;
  EXPECT_FALSE(parseMachine("sms = 4  # [V] a\nsms = 5  # [V] b\n", "x", error));
  EXPECT_NE(error.find("x:2: 'sms' is given twice"), std::string::npos) << error;
  EXPECT_FALSE(parseMachine("sms = 4\n", "x", error));
  EXPECT_NE(error.find("expected"), std::string::npos) << error;
  EXPECT_FALSE(parseMachine("sms = 4  # nobody\n", "x", error));
  EXPECT_NE(error.find("has no source"), std::string::npos) << error;
  EXPECT_FALSE(parseMachine("sms = many  # [V] a\n", "x", error));
  EXPECT_FALSE(parseMachine("teeth = 32  # [V] a\n", "x", error));
  EXPECT_NE(error.find("no such key 'teeth'"), std::string::npos) << error;
  EXPECT_FALSE(parseMachine("sms = 4  # [V] a\n", "x", error));
  EXPECT_NE(error.find("is missing"), std::string::npos) << error;
}

TEST(TimingToolkit, ReadsTheAssembler) {
  const char *text = "ptxas info    : 0 bytes gmem\n"
                     "ptxas info    : Compiling entry function 'other' for 'sm_90a'\n"
                     "ptxas info    : Function properties for other\n"
                     "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                     "ptxas info    : Used 12 registers, used 0 barriers\n"
                     "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
                     "ptxas info    : Function properties for k\n"
                     "    96 bytes stack frame, 8 bytes spill stores, 24 bytes spill loads\n"
                     "ptxas info    : Used 168 registers, used 1 barriers, 380 bytes cmem[0]\n";
  auto facts = readAssemblerOutput(text, "k");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->registers, 168u);
  EXPECT_EQ(facts->spillStores, 8u);
  EXPECT_EQ(facts->spillLoads, 24u);
  EXPECT_FALSE(facts->wgmmaSerialised);
  EXPECT_FALSE(readAssemblerOutput(text, "absent"));
}

TEST(TimingToolkit, NamesItsOwnLines) {
  EXPECT_EQ(
      withOwnLines(
          ".version 8.0\n.target sm_80\n.address_size 64\n.loc 1 7 0\nadd;\n\tmul;\n.section .debug_info\n{\n}\n",
          {5, 6}),
      ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"kernel.ptx\"\n.loc 1 5 0\nadd;\n.loc 1 6 0\n\tmul;\n");
  EXPECT_TRUE(readLineCounts("", "k").empty());
  EXPECT_TRUE(readLineCounts(std::string(200, '\x7f'), "k").empty());
  // Damaged files end in nothing worse than few lines.
  std::string elf = "\x7f"
                    "ELF" +
                    std::string(400, '\0');
  for (size_t at : {0x28, 0x3a, 0x3c, 0x3e})
    for (int v = 0; v < 256; v += 15) {
      std::string bad = elf;
      bad[at] = char(v);
      EXPECT_TRUE(readLineCounts(bad, "k").empty());
    }
}

TEST(TimingToolkit, AsksTheAssembler) {
  const std::string text =
      ptx(".visible .entry k(.param .u64 p)\n{\n.reg .f32 %f<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\n"
          "ld.global.f32 %f1, [%rd1];\ndiv.rn.f32 %f2, %f1, 0f40400000;\nst.global.f32 [%rd1], %f2;\nret;\n}\n",
          "sm_80");
  std::string reason;
  auto facts = askAssembler(text, "k", "sm_80", {7, 8, 9, 10, 11}, reason);
  if (!facts && reason == "there is no ptxas")
    GTEST_SKIP() << reason;
  ASSERT_TRUE(facts) << reason;
  EXPECT_GT(facts->registers, 3u);
  EXPECT_GE(facts->lines[8].instructions, 1u); // the load
  EXPECT_GT(facts->lines[9].instructions, 5u); // a division is many instructions
  EXPECT_GE(facts->lines[10].instructions, 1u);
  EXPECT_FALSE(askAssembler("nonsense", "k", "sm_80", {}, reason));
}

TEST(TimingToolkit, FindsSpills) {
  // 64 values at a time and 32 registers.
  std::string body = ".visible .entry k(.param .u64 p)\n.maxnreg 32\n{\n.reg .f32 %f<64>; .reg .b64 "
                     "%rd<4>;\nld.param.u64 %rd1, [p];\n";
  auto each = [&](auto line) {
    for (unsigned i = 0; i != 64; ++i)
      body += line(std::to_string(i), std::to_string(4 * i)) + ";\n";
  };
  each([](auto i, auto at) { return "ld.global.f32 %f" + i + ", [%rd1+" + at + "]"; });
  for (unsigned round = 0; round != 2; ++round)
    each([](auto i, auto) {
      const unsigned k = unsigned(std::stoul(i));
      return "fma.rn.f32 %f" + i + ", %f" + i + ", %f" + std::to_string((k + 7) % 64) + ", %f" +
             std::to_string(k * 5 % 64);
    });
  each([](auto i, auto at) { return "st.global.f32 [%rd1+" + at + "], %f" + i; });
  body += "ret;\n}\n";
  std::vector<uint32_t> lines;
  for (uint32_t line = 8; line != 8 + 64 * 4 + 1; ++line)
    lines.push_back(line);
  for (const char *target : {"sm_80", "sm_90a", "sm_120a"}) {
    std::string reason;
    auto facts = askAssembler(ptx(body, target), "k", target, lines, reason);
    if (!facts)
      GTEST_SKIP() << reason;
    uint32_t loads = 0, stores = 0;
    for (auto &[line, count] : facts->lines)
      loads += count.localLoads, stores += count.localStores;
    EXPECT_GT(facts->spillStores, 0u) << target;
    EXPECT_EQ(loads, facts->spillLoads) << target;
    EXPECT_EQ(stores, facts->spillStores) << target;
    EXPECT_GE(facts->stack, facts->spillStores / 2) << target;
  }
}

/// Blocks of one warp: `work` dependent fmas each, then the next cluster that has not begun, if there is one.
std::string takingOver(unsigned work) {
  return ptx(R"(.visible .entry k()
.reqntid 32
{
.reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b128 %q;
.shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mov.u32 %r1, 0;
@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster; bar.sync 0;
L:
)" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", work) +
                 R"(
setp.gt.u32 %p3, %r0, 31; @%p3 bra A; // ends the block: the request is not put before the work
A: @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
@%p0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [bar];
W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], %r1; @!%p1 bra W;
xor.b32 %r1, %r1, 1; ld.shared.b128 %q, [answer]; fence.proxy.async.shared::cta;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q;
bar.warp.sync -1;
@%p2 bra L;
ret;
}
)",
             "sm_100a");
}

TEST(TimingPredict, ClustersTakeOverOthers) {
  auto predicted = [](unsigned work, unsigned blocks) {
    auto module = parse(takingOver(work));
    Memory memory;
    LaunchConfig c;
    c.dynamicSharedBytes = 150000; // one block on an SM
    c.grid = {blocks};
    c.options.checkUninitialized = false;
    PredictOptions options;
    options.machine = "b200";
    options.useAssembler = false;
    return predict(*module, memory, c, options);
  };
  const MachineDescription m = machineOf("b200");
  const unsigned slots = 148;
  // Each turn: the chain, then the request and its answer.
  auto turn = [&](unsigned work) {
    return m.lat_fma * work + m.mbar_arrive + m.cancel_latency + m.mbar_wait + m.lat_shared;
  };
  for (unsigned work : {400u, 800u}) {
    Prediction two = predicted(work, 2 * slots), eight = predicted(work, 8 * slots),
               twenty = predicted(work, 20 * slots);
    ASSERT_TRUE(two.ok && eight.ok && twenty.ok) << two.error << eight.error << twenty.error;
    EXPECT_TRUE(twenty.unmodelled.empty()) << twenty.unmodelled.front();
    const double each = turn(work);
    EXPECT_NEAR((eight.cycles - two.cycles) / 6, each, 0.08 * each) << work;
    EXPECT_NEAR((twenty.cycles - eight.cycles) / 12, each, 0.08 * each) << work;
    EXPECT_NE(twenty.extrapolation.find("takes over"), std::string::npos) << twenty.extrapolation;
  }
  // Nothing to take over: one turn, and one request that fails.
  Prediction one = predicted(400, slots);
  ASSERT_TRUE(one.ok) << one.error;
  EXPECT_NEAR(one.cycles, turn(400), 0.15 * one.cycles);
}

/// Sixteen bytes per thread: x to y through `fmas` dependent operations.
std::string streaming(unsigned fmas) {
  return ptx(R"(.visible .entry k(.param .u64 x, .param .u64 y)
.reqntid 256
{
.reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .f32 %f<8>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; shl.b32 %r2, %r0, 8; add.u32 %r2, %r2, %r1; mul.wide.u32 %rd0, %r2, 16;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; add.u64 %rd1, %rd1, %rd0; add.u64 %rd2, %rd2, %rd0;
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
)" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", fmas) +
                 "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};\nret;\n}\n",
             "sm_80");
}

Prediction predictStream(unsigned fmas, unsigned blocks, PredictOptions options = {}) {
  auto module = parse(streaming(fmas));
  Memory memory;
  uint64_t x = memory.allocate(blocks * 4096ull, "x"), y = memory.allocate(blocks * 4096ull, "y");
  memory.fill(x, 0, blocks * 4096ull);
  LaunchConfig c;
  c.grid = {blocks};
  c.args.add(x).add(y);
  options.useAssembler = false;
  return predict(*module, memory, c, options);
}

TEST(TimingPredict, AStreamIsLimitedByDram) {
  Prediction p = predictStream(1, 32768); // 134 MB in, 134 MB out
  ASSERT_TRUE(p.ok) << p.error;
  EXPECT_NE(p.limiter.find("DRAM"), std::string::npos) << p.text();
  const MachineDescription m = machineOf("h200");
  // Nearly the best bandwidth that was measured.
  EXPECT_NEAR(p.gbs, m.dram_best_gbs, 0.1 * m.dram_best_gbs) << p.text();
  EXPECT_NEAR(p.dramBytes, 2 * 134.2e6, 0.15 * 268e6);
  EXPECT_LT(p.simulatedClusters, 10u);
}

TEST(TimingPredict, BlocksWithoutWorkAmongTheSamples) {
  // Three quarters of the blocks read 256 KB each, once; the others nothing. All of it comes from DRAM, whichever are
  // sampled.
  auto module = parse(ptx(R"(.visible .entry k(.param .u64 x, .param .u64 y)
.reqntid 256
{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; shr.u32 %r1, %r1, 2; mul.lo.u32 %r1, %r1, 3; setp.ge.u32 %p0, %r0, %r1; @%p0 bra DONE;
mov.u32 %r2, %tid.x; shl.b32 %r3, %r0, 14; add.u32 %r3, %r3, %r2; mul.wide.u32 %rd0, %r3, 16; ld.param.u64 %rd1, [x]; add.u64 %rd1, %rd1, %rd0;
mov.u32 %r4, 0; mov.u32 %r9, 0;
L: ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%rd1]; add.u32 %r9, %r9, %r5; add.u64 %rd1, %rd1, 4096; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 64; @%p1 bra L;
ld.param.u64 %rd2, [y]; st.global.b32 [%rd2], %r9;
DONE: ret;
}
)",
                          "sm_80"));
  const unsigned blocks = 128;
  for (unsigned samples : {1u, 2u, 4u, 16u}) {
    Memory memory;
    uint64_t x = memory.allocate(96 * 262144ull, "x"), y = memory.allocate(64, "y");
    memory.fill(x, 0, 96 * 262144ull);
    LaunchConfig c;
    c.grid = {blocks};
    c.args.add(x).add(y);
    PredictOptions options;
    options.samples = samples;
    options.useAssembler = false;
    Prediction p = predict(*module, memory, c, options);
    ASSERT_TRUE(p.ok) << p.error;
    EXPECT_NEAR(p.missRatio, 1, 0.02) << samples; // every byte once
  }
}

TEST(TimingTraffic, WhatIsReadAgainTooLate) {
  // Two clusters go through the same lines, one after the other's first half, over and over: with room for all of them
  // each line comes once; with room for half of them none is there any more when it is read again (what was used last
  // stays).
  const uint64_t lines = 1 << 16;
  auto trace = [&](unsigned rounds, bool writes) {
    auto t = std::make_unique<ClusterTrace>();
    uint64_t at = 0;
    for (unsigned round = 0; round != rounds; ++round)
      for (uint64_t line = 0; line != lines; ++line, ++at)
        if (LineTouch::sampled(line))
          t->touches.push_back({at, line, writes});
    return t;
  };
  std::vector<std::unique_ptr<ClusterTrace>> two;
  two.push_back(trace(4, false));
  two.push_back(trace(4, false));
  const double all = double(lines);
  Reuse fits = reuseOf(two, 1.1 * 128 * all, false), half = reuseOf(two, 0.5 * 128 * all, false);
  EXPECT_FALSE(fits.overflows);
  EXPECT_NEAR(fits.reads, 8 * all, 0.05 * 8 * all);
  EXPECT_NEAR(fits.misses, all, 0.05 * all);
  EXPECT_NEAR(fits.readAgain, 4 * all, 0.05 * 4 * all); // of the second half: everything
  EXPECT_EQ(fits.lost, 0);
  EXPECT_TRUE(half.overflows);
  EXPECT_NEAR(half.misses, 4 * all, 0.05 * 4 * all); // the other cluster is beside it and finds what it brought
  EXPECT_NEAR(half.lost / half.readAgain, 0.5, 0.02);
  // Only new lines in the second half: nothing is known of what is read again.
  std::vector<std::unique_ptr<ClusterTrace>> once;
  once.push_back(trace(1, false));
  Reuse fresh = reuseOf(once, 0.5 * 128 * all, false);
  EXPECT_TRUE(fresh.overflows);
  EXPECT_NEAR(fresh.misses, all, 0.05 * all);
  EXPECT_EQ(fresh.readAgain, 0);
  // A second launch finds what the first has left.
  EXPECT_EQ(reuseOf(two, 1.1 * 128 * all, true).misses, 0);
  // Writes need room and are not misses.
  two.push_back(trace(1, true));
  EXPECT_NEAR(reuseOf(two, 1.1 * 128 * all, false).misses, all, 0.05 * all);
}

TEST(TimingPredict, WhatIsReadAfterTheProbeComesFromDramToo) {
  // 128 blocks that are there at once: each reads 384 KB of its own (48 MB in all, more than L2 keeps), then 64 KB that
  // all of them share 64 times, then another 384 KB of its own. The probe of the addresses ends among the shared ones,
  // all of which L2 has; 96 MB come from DRAM all the same.
  auto module = parse(ptx(R"(.visible .entry k(.param .u64 x, .param .u64 s, .param .u64 y)
.reqntid 32
{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mul.wide.u32 %rd0, %r0, 786432; mul.wide.u32 %rd1, %r1, 16;
ld.param.u64 %rd2, [x]; add.u64 %rd2, %rd2, %rd0; add.u64 %rd2, %rd2, %rd1; ld.param.u64 %rd3, [s]; add.u64 %rd3, %rd3, %rd1;
mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r8, 0;
A: ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2]; add.u32 %r3, %r3, %r4; add.u64 %rd2, %rd2, 512; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 768; @%p0 bra A;
mov.u32 %r2, 0;
B: and.b32 %r9, %r2, 127; mul.wide.u32 %rd4, %r9, 512; add.u64 %rd4, %rd4, %rd3;
ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd4]; add.u32 %r3, %r3, %r4; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 8192; @%p0 bra B;
mov.u32 %r2, 0; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 2; @%p1 bra A;
ld.param.u64 %rd5, [y]; st.global.b32 [%rd5], %r3;
ret;
}
)",
                          "sm_80"));
  ASSERT_TRUE(module);
  Memory memory;
  const uint64_t own = 128 * 786432ull;
  uint64_t x = memory.allocate(own, "x"), s = memory.allocate(65536, "s"), y = memory.allocate(64, "y");
  memory.fill(x, 0, own);
  memory.fill(s, 0, 65536);
  LaunchConfig c;
  c.grid = {128};
  c.args.add(x).add(s).add(y);
  PredictOptions options;
  options.useAssembler = false;
  Prediction p = predict(*module, memory, c, options);
  ASSERT_TRUE(p.ok) << p.error;
  EXPECT_NEAR(p.dramBytes, double(own), 0.05 * double(own));
}

TEST(TimingPredict, ArithmeticIsLimitedByThePipe) {
  Prediction p = predictStream(2000, 132 * 8 * 20);
  ASSERT_TRUE(p.ok) << p.error;
  EXPECT_NE(p.limiter.find("fma"), std::string::npos) << p.text();
  EXPECT_GT(p.tflops, 0.85 * p.peakTflops);
  EXPECT_LE(p.tflops, p.peakTflops);
}

TEST(TimingPredict, WavesAndTails) {
  // A whole number of waves; then one block more takes about one wave longer.
  const unsigned wave = 132 * 8;
  Prediction two = predictStream(500, 2 * wave), more = predictStream(500, 2 * wave + 1),
             four = predictStream(500, 4 * wave);
  ASSERT_TRUE(two.ok && more.ok && four.ok);
  EXPECT_NEAR(four.cycles / two.cycles, 2, 0.15);
  EXPECT_GT(more.cycles, 1.02 * two.cycles);
  EXPECT_EQ(two.waves, 2);
  // One block alone.
  Prediction one = predictStream(500, 1);
  EXPECT_NEAR(one.cycles, 500 * 4 + 686, 200) << one.text();
  EXPECT_NE(one.limiter.find("launch"), std::string::npos) << one.limiter;
}

TEST(TimingPredict, PowerLowersTheClock) {
  // An A100 whose tensor cores may be busy half of the time: at full rate the clock is half.
  MachineDescription m = machineOf("a100");
  m.tensor_power_share = 0.5;
  const std::string path = testing::TempDir() + "half.gpu";
  std::string text;
#define X(key, doc) text += #key " = " + std::to_string(m.key) + "  # [D] test\n";
  TILEIRAS_MACHINE_FIELDS(X)
#undef X
  std::ofstream(path) << text;
  std::string body;
  for (unsigned i = 0; i != 512; ++i) {
    std::string d = "{";
    for (unsigned k = 0; k != 4; ++k)
      d += (k ? ", %f" : "%f") + std::to_string(4 * (i % 8) + k);
    body +=
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d + "}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, " + d + "};\n";
  }
  auto module = parse(
      ptx(".visible .entry k()\n.reqntid 256\n{\n.reg .f32 %f<32>; .reg .b32 %r<8>;\n" + body + "ret;\n}\n", "sm_80"));
  auto predicted = [&](const std::string &machine) {
    Memory memory;
    LaunchConfig c;
    c.grid = {108 * 8};
    c.options.checkUninitialized = false;
    PredictOptions options;
    options.machine = machine;
    options.useAssembler = false;
    return predict(*module, memory, c, options);
  };
  Prediction free = predicted("a100"), half = predicted(path);
  ASSERT_TRUE(free.ok && half.ok) << free.error << half.error;
  const auto busy =
      std::find_if(free.units.begin(), free.units.end(), [](const UnitUse &u) { return u.name.find("tensor") == 0; });
  ASSERT_NE(busy, free.units.end());
  EXPECT_GT(busy->share, 0.8) << free.text();
  EXPECT_EQ(half.cycles, free.cycles);
  EXPECT_NEAR(half.clockMhz, free.clockMhz * 0.5 / busy->share, 1);
  EXPECT_NE(half.clockReason.find("power"), std::string::npos);
}

TEST(TimingPredict, IdleTensorCoresRaiseTheClock) {
  // Four warps of an A100, each of which waits for its last product: busy for eight of some 25 clocks.
  auto module =
      parse(ptx(".visible .entry k()\n.reqntid 128\n{\n.reg .f32 %f<4>; .reg .b32 %r<8>;\n" +
                    repeated("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, "
                             "%r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n",
                             400) +
                    "ret;\n}\n",
                "sm_80"));
  auto predicted = [&](double exponent, double light, double given = 0) {
    MachineDescription m = machineOf("a100");
    m.clock_tensor_mhz = 1000;
    m.tensor_clock_exponent = exponent;
    m.clock_light_mhz = light;
    const std::string path = testing::TempDir() + "light.gpu";
    std::string text;
#define X(key, doc) text += #key " = " + std::to_string(m.key) + "  # [D] test\n";
    TILEIRAS_MACHINE_FIELDS(X)
#undef X
    std::ofstream(path) << text;
    Memory memory;
    LaunchConfig c;
    c.grid = {8};
    c.dynamicSharedBytes = 150000;
    c.options.checkUninitialized = false;
    PredictOptions options;
    options.machine = path;
    options.useAssembler = false;
    options.clockMhz = given;
    return predict(*module, memory, c, options);
  };
  const MachineDescription m = machineOf("a100");
  Prediction never = predicted(0, 3000), root = predicted(0.5, 3000), capped = predicted(0.5, 1200);
  ASSERT_TRUE(never.ok && root.ok && capped.ok) << never.error << root.error;
  EXPECT_EQ(never.clockMhz, 1000);
  EXPECT_NEAR(root.clockMhz, 1000 * std::sqrt(m.lat_mma / 8), 30);
  EXPECT_NE(root.clockReason.find("wait"), std::string::npos);
  EXPECT_EQ(capped.clockMhz, 1200);
  EXPECT_EQ(root.cycles, never.cycles); // nothing here comes from memory
  EXPECT_EQ(predicted(0.5, 3000, 1100).clockMhz, 1100);
}

TEST(TimingPredict, OneWaveTakesAsLongAsItsLongestBlock) {
  const MachineDescription m = machineOf("h200");
  ASSERT_EQ(m.sms, 132);
  auto expectUnits = [&](double wanted, const std::string &units, Dim3 grid) {
    Prediction p = predictUnequal(units, grid);
    ASSERT_TRUE(p.ok) << p.error;
    EXPECT_NEAR(p.cycles / (100 * m.lat_fma), wanted, 0.06 * wanted + 0.5)
        << units << ", grid " << grid.x << " x " << grid.y << ": " << p.extrapolation;
  };
  // The first block is the shortest, or the longest, along either axis.
  for (const char *units : {"add.u32 %r4, %r0, 1;", "sub.u32 %r4, %r2, %r0; add.u32 %r4, %r4, 1;"}) {
    expectUnits(16, units, {16, 8});
    expectUnits(132, units, {132});
    expectUnits(40, units, {40, 3}); // the middle of the grid's order is as long as its end
  }
  expectUnits(16, "add.u32 %r4, %r1, 1;", {8, 16});
  expectUnits(16, "sub.u32 %r4, %r3, %r1; add.u32 %r4, %r4, 1;", {8, 16});
  // Both axes: the last one is the longest.
  expectUnits(22, "add.u32 %r4, %r0, %r1; add.u32 %r4, %r4, 1;", {11, 12});
  // Two waves of 1 to 264 units. Shortest first: the SM of 132 units gets the longest, too. Longest first: who has 264
  // gets 1, who has 133 gets 132.
  expectUnits(132 + 264, "add.u32 %r4, %r0, 1;", {264});
  expectUnits(265, "sub.u32 %r4, %r2, %r0; add.u32 %r4, %r4, 1;", {264});
  // Heads one after another, each from 1 to 44 units, each block to the SM that is free first: 270 units are the mean,
  // and no SM is done later than that and its last block.
  std::array<unsigned, 132> sms{};
  for (unsigned head = 0; head != 36; ++head)
    for (unsigned x = 0; x != 44; ++x)
      *std::min_element(sms.begin(), sms.end()) += x + 1;
  const unsigned last = *std::max_element(sms.begin(), sms.end());
  ASSERT_GE(last, 270u);
  ASSERT_LE(last, 270u + 44);
  expectUnits(last, "add.u32 %r4, %r0, 1;", {44, 36});
}

TEST(TimingBalance, AlongTheAxisThatMatters) {
  // 8 x 4: the time is 10 times the row's number, and one.
  GridTimes times({8, 4});
  times.add(0, 10);
  times.add(31, 40);
  EXPECT_TRUE(times.differ());
  EXPECT_EQ(times.corners(), (std::vector<uint64_t>{7, 24}));
  times.add(7, 10);
  times.add(24, 40);
  EXPECT_EQ(times.along(4), (std::vector<uint64_t>{8, 16}));
  times.add(8, 20);
  EXPECT_DOUBLE_EQ(times.at(15), 20);
  EXPECT_DOUBLE_EQ(times.at(23), 30); // between its neighbours
  // Two SMs: 10, 10, ... in turn; four rows of eight, four of each row to each SM.
  EXPECT_EQ(slowestShare(times, 32, 2, 1).size(), 16u);
  // Three SMs, one slot each: the first row gives 30, 30, 20; the last blocks of 40 end at 280, 260 and 260.
  const std::vector<uint64_t> share = slowestShare(times, 32, 3, 1);
  double sum = 0;
  for (uint64_t k : share)
    sum += times.at(k);
  EXPECT_GE(sum, 800 / 3.0);
  EXPECT_LE(sum, 800 / 3.0 + 40);
  // A half of them has as many of each row.
  EXPECT_EQ(someOf(times, {0, 1, 8, 9, 24, 25}, 3), (std::vector<uint64_t>{1, 9, 25}));
  // Where both axes matter, the place in the order decides.
  GridTimes both({2, 2});
  both.add(0, 10);
  both.add(1, 20);
  both.add(2, 20);
  both.add(3, 30);
  EXPECT_TRUE(both.along(4).empty());
  EXPECT_DOUBLE_EQ(both.at(1), 20);
  EXPECT_EQ(both.nearest(3), 3u);
}

TEST(TimingPredict, BlocksWithDifferentNumbersOfProducts) {
  // The first half of the blocks multiplies twice as often. The SM that is replayed has a block of the first half; the
  // grid's FLOP, and what power makes of them, are those of all.
  auto module = parse(ptx(R"(.visible .entry k()
.reqntid 32
{
.reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<4>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; shr.u32 %r1, %r1, 1; setp.ge.u32 %p0, %r0, %r1; mov.u32 %r2, 0;
L: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, {%r4, %r5}, {%f0, %f1, %f2, %f3};
add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 40; @%p0 setp.lt.u32 %p1, %r2, 20; @%p1 bra L;
ret;
}
)",
                          "sm_80"));
  ASSERT_TRUE(module);
  Memory memory;
  LaunchConfig c;
  c.grid = {108};
  c.options.checkUninitialized = false;
  PredictOptions options;
  options.machine = "a100";
  options.useAssembler = false;
  Prediction p = predict(*module, memory, c, options);
  ASSERT_TRUE(p.ok) << p.error;
  EXPECT_DOUBLE_EQ(p.flops, 108 * 30 * 4096.0);
}

TEST(TimingPredict, RefusesWhatTheMachineLacks) {
  auto module = parse(ptx(".visible .entry k() { ret; }\n", "sm_90a"));
  Memory memory;
  LaunchConfig c;
  PredictOptions options;
  options.machine = "b200";
  Prediction p = predict(*module, memory, c, options);
  EXPECT_FALSE(p.ok);
  EXPECT_NE(p.error.find("sm_90a, which does not run on b200"), std::string::npos) << p.error;
}

TEST(TimingPredict, EstimatedRegistersLetABlockStart) {
  // Three hundred values that live at the same time; an assembler would spill rather than give a thread more than its
  // share.
  for (unsigned threads : {384u, 352u, 513u, 1024u}) {
    std::string body = ".visible .entry k(.param .u64 x)\n.reqntid " + std::to_string(threads) +
                       "\n{\n.reg .b64 %rd<2>; .reg .b32 %r<301>;\nld.param.u64 %rd0, [x];\n";
    for (unsigned i = 0; i != 300; ++i)
      body += "ld.global.u32 %r" + std::to_string(i) + ", [%rd0+" + std::to_string(4 * i) + "];\n";
    body += "mov.u32 %r300, 0;\n";
    for (unsigned i = 0; i != 300; ++i)
      body += "xor.b32 %r300, %r300, %r" + std::to_string(i) + ";\n";
    auto module = parse(ptx(body + "st.global.u32 [%rd0], %r300;\nret;\n}\n", "sm_90a"));
    ASSERT_TRUE(module);
    Memory memory;
    uint64_t x = memory.allocate(1200, "x");
    memory.fill(x, 0, 1200);
    LaunchConfig c;
    c.args.add(x);
    PredictOptions options;
    options.useAssembler = false;
    Prediction p = predict(*module, memory, c, options);
    EXPECT_TRUE(p.ok) << threads << ": " << p.error;
    EXPECT_EQ(p.registers % 8, 0u) << threads;
    EXPECT_LE((p.registers + 7) / 8 * 8 * ((threads + 31) / 32 * 32), 65536u) << threads;
  }
}

TEST(TimingPredict, Reports) {
  PredictOptions options;
  options.timeline = true;
  Prediction p = predictStream(20, 4096, options);
  ASSERT_TRUE(p.ok) << p.error;
  for (const char *part : {"k on h200", "cycles", "limited by", "blocks per SM", "waves", "error bar", "PTX line"})
    EXPECT_NE(p.text().find(part), std::string::npos) << part << "\n" << p.text();
  const std::string html = p.html();
  for (const char *part : {"<!doctype html>", "id=\"roofline\"", "id=\"units\"", "id=\"stalls\"", "id=\"lines\"",
                           "id=\"trust\"", "</html>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("http"), std::string::npos) << "the page must need no other file";
  EXPECT_EQ(html.find("nan"), std::string::npos);
  const std::string json = p.trace();
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), std::count(json.begin(), json.end(), '}'));
  EXPECT_NE(json.find("\"global memory\""), std::string::npos);
  EXPECT_GT(p.timeline.size(), 8u);
  double sum = 0;
  for (const StallRow &row : p.stalls)
    for (double v : row.share)
      sum += v;
  EXPECT_NEAR(sum, double(p.stalls.size()), 1e-6);
  EXPECT_NE(compareText(p, "a", predictStream(2000, 4096), "b").find("a is faster by"), std::string::npos);
  EXPECT_NE(compareText(p, "a", p, "b").find("no difference"), std::string::npos);
}

} // namespace
