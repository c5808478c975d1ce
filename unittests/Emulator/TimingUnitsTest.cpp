//===- TimingUnitsTest.cpp - Each mechanism against arithmetic --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Differences of two runs that differ in one thing, against what the machine's numbers give by hand.
//
//===----------------------------------------------------------------------===//
#include "TimingTestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using timing::Stall;

namespace {

std::string entry(const std::string &declarations, const std::string &body, const std::string &params = "") {
  return ".visible .entry k(" + params + ")\n{\n" + declarations + body + "\nret;\n}\n";
}

//===----------------------------------------------------------------------===//
// Pipes and latencies
//===----------------------------------------------------------------------===//

TEST(TimingPipes, DependentFmas) {
  for (const char *name : {"a100", "h200", "b200", "rtx5090"}) {
    auto cycles = [&](unsigned n) {
      TimedSetup s;
      s.machine = name;
      s.target = "sm_80";
      return timeOf(entry(".reg .f32 %f<4>;\n", repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", n)), s).cycles;
    };
    EXPECT_DOUBLE_EQ(cycles(300) - cycles(100), 200 * machineOf(name).lat_fma) << name;
  }
}

TEST(TimingPipes, IndependentFmasFillThePipe) {
  // Sixteen warps, four on each sub-core: the pipe takes one warp instruction a clock (sm_80: every second clock).
  std::string body;
  for (unsigned i = 0; i != 64; ++i)
    body += "fma.rn.f32 %f" + std::to_string(i % 8 + 1) + ", %f0, %f0, %f0;\n";
  for (const char *name : {"a100", "h200"}) {
    TimedSetup s;
    s.machine = name;
    s.target = "sm_80";
    s.threads = 512;
    double once = timeOf(entry(".reg .f32 %f<16>;\n", body), s).cycles;
    double twice = timeOf(entry(".reg .f32 %f<16>;\n", body + body), s).cycles;
    EXPECT_NEAR(twice - once, 64 * 4 * machineOf(name).fma_interval, 8) << name;
  }
}

TEST(TimingPipes, SpecialFunctions) {
  auto cycles = [&](unsigned n) {
    std::string body;
    for (unsigned i = 0; i != n; ++i)
      body += "ex2.approx.ftz.f32 %f" + std::to_string(i % 8 + 1) + ", %f0;\n";
    TimedSetup s;
    s.threads = 128;
    return timeOf(entry(".reg .f32 %f<16>;\n", body), s).cycles;
  };
  EXPECT_NEAR(cycles(96) - cycles(32), 64 * machineOf("h200").xu_interval, 1);
}

TEST(TimingPipes, IssueIsOneAClock) {
  // Movs are free, adds of integers use two pipes of half width at most: issue and ALU decide.
  auto cycles = [&](unsigned threads) {
    std::string body;
    for (unsigned i = 0; i != 128; ++i)
      body += i % 2 ? "fma.rn.f32 %f" + std::to_string(i % 8 + 1) + ", %f0, %f0, %f0;\n"
                    : "xor.b32 %r" + std::to_string(i % 8 + 1) + ", %r0, 5;\n";
    TimedSetup s;
    s.threads = threads;
    return timeOf(entry(".reg .f32 %f<16>; .reg .b32 %r<16>;\n", body), s).cycles;
  };
  EXPECT_NEAR(cycles(1024) - cycles(512), 128 * 4, 12); // four more warps on each sub-core
}

TEST(TimingPipes, MmaSync) {
  auto cycles = [&](unsigned n, unsigned threads) {
    std::string body;
    for (unsigned i = 0; i != n; ++i) {
      std::string d = std::to_string(4 * (i % 8) + 16);
      std::string regs = "{%f" + d + ", %f" + std::to_string(4 * (i % 8) + 17) + ", %f" +
                         std::to_string(4 * (i % 8) + 18) + ", %f" + std::to_string(4 * (i % 8) + 19) + "}";
      body += "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + regs + ", {%r0, %r1, %r2, %r3}, {%r4, %r5}, " +
              regs + ";\n";
    }
    TimedSetup s;
    s.machine = "a100";
    s.target = "sm_80";
    s.threads = threads;
    return timeOf(entry(".reg .f32 %f<64>; .reg .b32 %r<8>;\n", body), s).cycles;
  };
  // 4096 FLOP at 2048 per clock and SM: 8 clocks of a sub-core, with eight independent accumulators.
  EXPECT_NEAR(cycles(96, 128) - cycles(32, 128), 64 * 8, 2);
  // One accumulator after another: the latency.
  std::string chain = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, "
                      "{%r4, %r5}, {%f0, %f1, %f2, %f3};\n";
  TimedSetup s;
  s.machine = "a100";
  s.target = "sm_80";
  double ten = timeOf(entry(".reg .f32 %f<4>; .reg .b32 %r<8>;\n", repeated(chain, 10)), s).cycles;
  double thirty = timeOf(entry(".reg .f32 %f<4>; .reg .b32 %r<8>;\n", repeated(chain, 30)), s).cycles;
  EXPECT_NEAR(thirty - ten, 20 * machineOf("a100").lat_mma, 1);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST(TimingShared, BankWavefronts) {
  uint64_t at[32];
  auto fill = [&](uint64_t stride) {
    for (unsigned l = 0; l != 32; ++l)
      at[l] = 1024 + l * stride;
  };
  fill(4);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 4), 1u);
  fill(128);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 4), 32u);
  EXPECT_EQ(timing::bankWavefronts(0xff, at, 4), 8u);
  fill(0);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 4), 1u); // a broadcast
  fill(8);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 4), 2u);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 8), 2u);
  fill(16);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 16), 4u);
  fill(132);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 4), 1u); // padded rows
  fill(1);
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 1), 1u); // bytes of eight words
}

TEST(TimingShared, CopiesAreWrittenRowByRow) {
  uint64_t at[32];
  auto fill = [&](uint64_t row) { // eight lanes of sixteen bytes a row
    for (unsigned l = 0; l != 32; ++l)
      at[l] = 1024 + l / 8 * row + l % 8 * 16;
  };
  fill(128);
  EXPECT_EQ(timing::copyWavefronts(~0u, at, 16), 4u);
  fill(144); // padded: all but the first begin inside a row of all banks and end in the next
  EXPECT_EQ(timing::bankWavefronts(~0u, at, 16), 4u);
  EXPECT_EQ(timing::copyWavefronts(~0u, at, 16), 7u);
  EXPECT_EQ(timing::copyWavefronts(0xff00, at, 16), 2u);
  for (unsigned l = 0; l != 32; ++l) // swizzled rows
    at[l] = 1024 + l / 8 * 128 + (l % 8 ^ l / 8) * 16;
  EXPECT_EQ(timing::copyWavefronts(~0u, at, 16), 4u);
  for (unsigned l = 0; l != 32; ++l)
    at[l] = 1024 + l * 4;
  EXPECT_EQ(timing::copyWavefronts(~0u, at, 4), 1u);
  for (unsigned l = 0; l != 32; ++l)
    at[l] = 1024 + l * 128;
  EXPECT_EQ(timing::copyWavefronts(~0u, at, 4), 32u);
}

double sharedLoads(unsigned n, unsigned stride, unsigned threads, const char *machine = "h200") {
  std::string body = "mov.u32 %r0, %tid.x; and.b32 %r0, %r0, 31; mul.lo.u32 %r1, %r0, " + std::to_string(stride) +
                     "; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;\n";
  for (unsigned i = 0; i != n; ++i)
    body += "ld.shared.b32 %r" + std::to_string(8 + i % 32) + ", [%r2];\n";
  TimedSetup s;
  s.machine = machine;
  s.target = "sm_80";
  s.threads = threads;
  return timeOf(entry(".reg .b32 %r<48>; .shared .align 128 .b8 s[4096];\n", body), s).cycles;
}

TEST(TimingShared, Conflict32Ways) {
  // 64 more loads of 32 wavefronts each.
  EXPECT_DOUBLE_EQ(sharedLoads(224, 128, 32) - sharedLoads(160, 128, 32), 64 * 32); // more than are let in at a time
  // Without conflicts one warp is admitted every second clock, four warps together every clock.
  EXPECT_DOUBLE_EQ(sharedLoads(96, 4, 32) - sharedLoads(32, 4, 32), 64 * 2);
  EXPECT_NEAR(sharedLoads(96, 4, 128) - sharedLoads(32, 4, 128), 64 * 4, 2);
  // sm_120 takes a request every second clock.
  EXPECT_NEAR(sharedLoads(96, 4, 128, "rtx5090") - sharedLoads(32, 4, 128, "rtx5090"), 64 * 4 * 2, 2);
}

TEST(TimingShared, LoadsThatTheAssemblerPutsTogether) {
  // Four words beside each other of every thread, as four loads (conflicts of four) or as one of 128 bits; k of them
  // are unrolled.
  auto exchange = [&](bool together, unsigned unrolled) {
    TimedSetup s;
    s.counts = [&](const Program &program) {
      timing::MachineCounts counts;
      unsigned loads = 0;
      for (const Instruction &inst : program.functions[0].ast->body)
        counts[inst.loc.line] = {inst.row->op == Op::Ld && together && loads++ % 4 ? 0 : unrolled, 0, 0, 0};
      return counts;
    };
    std::string body = "mov.u32 %r0, %tid.x;\nshl.b32 %r0, %r0, 4;\nmov.u32 %r1, s;\nadd.u32 %r0, %r0, %r1;\n";
    for (unsigned i = 0; i != 32; ++i)
      body += "ld.shared.f32 %f" + std::to_string(i % 4) + ", [%r0+" + std::to_string(i % 4 * 4) +
              "];\nfma.rn.f32 %f5, %f" + std::to_string(i % 4) + ", %f5, %f5;\n";
    return timeOf(entry(".reg .b32 %r<4>; .reg .f32 %f<8>; .shared .align 16 .b8 s[512];\n", body), s)
        .busy[unsigned(timing::Unit::Exchange)];
  };
  EXPECT_NEAR(exchange(false, 1), 32 * 4, 1);
  EXPECT_NEAR(exchange(true, 1), 8 * 4, 1);
  EXPECT_NEAR(exchange(true, 8), 8 * 4, 1);
  EXPECT_NEAR(exchange(false, 8), 32 * 4, 1);
}

TEST(TimingShared, QueueOfRequests) {
  // As many requests as the queue has room for are away in no time, however many wavefronts each has; then one leaves
  // in 32 clocks.
  auto stalled = [&](unsigned n) {
    std::string body = "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 7; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;\n";
    for (unsigned i = 0; i != n; ++i)
      body += "ld.shared.b32 %r" + std::to_string(8 + i) + ", [%r2];\n";
    return timeOf(entry(".reg .b32 %r<128>; .shared .align 128 .b8 s[4096];\n", body), {})
        .warp[0][unsigned(Stall::MemoryQueue)];
  };
  const unsigned queue = unsigned(machineOf("h200").exchange_queue);
  EXPECT_LT(stalled(queue), 2 * queue); // one warp alone has a request every second clock
  EXPECT_NEAR(stalled(queue + 16) - stalled(queue), 16 * 32 - 2 * queue, 2 * 32);
}

TEST(TimingShared, LatencyOfDependentLoads) {
  std::string body = "mov.u32 %r0, s; st.shared.b32 [%r0], %r0;\n";
  auto cycles = [&](unsigned n) {
    return timeOf(
               entry(".reg .b32 %r<4>; .shared .align 4 .b32 s;\n", body + repeated("ld.shared.b32 %r0, [%r0];\n", n)),
               {})
        .cycles;
  };
  EXPECT_NEAR(cycles(60) - cycles(20), 40 * machineOf("h200").lat_shared, 1);
}

TEST(TimingShared, ShufflesTakeTheSamePath) {
  auto cycles = [&](unsigned loads, unsigned shuffles) {
    std::string body = "mov.u32 %r2, s;\n";
    for (unsigned i = 0; i != loads; ++i)
      body += "ld.shared.b32 %r" + std::to_string(8 + i % 16) + ", [%r2];\n";
    for (unsigned i = 0; i != shuffles; ++i)
      body += "shfl.sync.bfly.b32 %r" + std::to_string(24 + i % 16) + ", %r0, 1, 31, -1;\n";
    TimedSetup s;
    s.threads = 256;
    return timeOf(entry(".reg .b32 %r<48>; .shared .align 128 .b8 s[4096];\n", body), s).cycles;
  };
  EXPECT_NEAR(cycles(64, 64) - cycles(64, 0), 64 * 8, 16); // eight warps, one a clock
}

TEST(TimingShared, GlobalLoadsTakeTheSamePath) {
  // 512 bytes of a request that hit in L1: four clocks of the path, as four more loads of shared memory.
  auto cycles = [&](unsigned shared, bool global) {
    Memory memory;
    uint64_t a = memory.allocate(1 << 12, "a");
    memory.fill(a, 0, 1 << 12);
    TimedSetup s;
    s.memory = &memory;
    s.threads = 256;
    s.args.add(a);
    std::string body = "ld.param.u64 %rd0, [a]; mov.u32 %r0, %laneid; mul.wide.u32 %rd1, %r0, 16; add.u64 %rd0, %rd0, "
                       "%rd1; mov.u32 %r2, s;\n"
                       "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd0]; xor.b32 %r4, %r4, 1; bar.sync 0;\n";
    for (unsigned i = 0; i != 32; ++i) {
      for (unsigned k = 0; k != shared; ++k)
        body += "ld.shared.b32 %r" + std::to_string(8 + k) + ", [%r2];\n";
      if (global)
        body += "ld.global.v4.b32 {%r24, %r25, %r26, %r27}, [%rd0];\n";
    }
    return timeOf(entry(".reg .b32 %r<48>; .reg .b64 %rd<4>; .shared .align 128 .b8 s[4096];\n", body, ".param .u64 a"),
                  s)
        .cycles;
  };
  EXPECT_NEAR(cycles(6, true) - cycles(6, false), 32 * 4 * 8, 100); // eight warps
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

TEST(TimingGlobal, SectorsAndLatency) {
  auto cycles = [&](unsigned stride, unsigned n, double miss) {
    Memory memory;
    uint64_t a = memory.allocate(1 << 20, "a");
    memory.fill(a, 0, 1 << 20);
    TimedSetup s;
    s.memory = &memory;
    s.args.add(a);
    s.missRatio = miss;
    std::string body = "ld.param.u64 %rd0, [a]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, " +
                       std::to_string(stride) + "; add.u64 %rd0, %rd0, %rd1;\n";
    for (unsigned i = 0; i != n; ++i) // each to lines of its own
      body += "ld.global.b32 %r" + std::to_string(1 + i) + ", [%rd0+" + std::to_string(8192 * i) + "];\n";
    for (unsigned i = 1; i < n; ++i) // somebody wants them
      body += "xor.b32 %r1, %r1, %r" + std::to_string(1 + i) + ";\n";
    body += "xor.b32 %r1, %r1, 1;\n";
    return timeOf(entry(".reg .b32 %r<80>; .reg .b64 %rd<4>;\n", body, ".param .u64 a"), s).cycles;
  };
  const timing::MachineDescription m = machineOf("h200");
  // One load: address arithmetic, then L2, or DRAM.
  EXPECT_NEAR(cycles(4, 1, 1) - cycles(4, 1, 0), m.lat_dram - m.lat_l2, 3);
  // 32 lines instead of one: 32 sectors through the port of the SM.
  EXPECT_NEAR(cycles(128, 40, 0) - cycles(128, 20, 0), 20 * 32, 20 * 32 * 0.03);
}

TEST(TimingGlobal, OneRequestInSomeClocks) {
  // Loads of one word by all lanes hit L1 and move next to nothing: four warps on four sub-cores are admitted as fast
  // as the SM takes requests, every second clock on sm_86 (CORE), every clock on sm_80.
  auto cycles = [&](const char *machine, unsigned n) {
    Memory memory;
    uint64_t a = memory.allocate(4096, "a");
    memory.fill(a, 0, 4096);
    TimedSetup s;
    s.machine = machine;
    s.target = "sm_80";
    s.threads = 128;
    s.memory = &memory;
    s.args.add(a);
    std::string body = "ld.param.u64 %rd0, [a]; ld.global.b32 %r1, [%rd0]; xor.b32 %r1, %r1, 1; bar.sync 0;\n";
    for (unsigned i = 0; i != n; ++i)
      body += "ld.global.b32 %r" + std::to_string(2 + i % 32) + ", [%rd0];\n";
    return timeOf(entry(".reg .b32 %r<40>; .reg .b64 %rd<4>;\n", body, ".param .u64 a"), s).cycles;
  };
  EXPECT_NEAR(cycles("rtxa6000", 192) - cycles("rtxa6000", 64), 128 * 4 * 2, 8);
  EXPECT_NEAR(cycles("a100", 192) - cycles("a100", 64), 128 * 4, 8);
}

TEST(TimingGlobal, ReadsDoNotWaitForWhatIsWritten) {
  // One of 132 SMs writes 64 KB, which DRAM takes its time for, and then reads a line of it: L2 has what was written.
  Memory memory;
  uint64_t a = memory.allocate(1 << 20, "a");
  memory.fill(a, 0, 1 << 20);
  auto cycles = [&](unsigned kilobytes, bool read) {
    TimedSetup s;
    s.memory = &memory;
    s.missRatio = s.writeRatio = 1;
    s.activeSms = 132;
    s.args.add(a);
    std::string body = "ld.param.u64 %rd0, [a]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 16; add.u64 %rd0, %rd0, "
                       "%rd1; mov.u32 %r1, 0;\n";
    for (unsigned i = 0; i != 2 * kilobytes; ++i)
      body += "st.global.v4.b32 [%rd0+" + std::to_string(512 * i) + "], {%r0, %r0, %r0, %r0};\n";
    body += "bar.sync 0;\n";
    if (read)
      body += "ld.global.b32 %r1, [%rd0+524288];\n";
    return timeOf(entry(".reg .b32 %r<8>; .reg .b64 %rd<4>;\n", body + "xor.b32 %r1, %r1, 1;\n", ".param .u64 a"), s);
  };
  const timing::MachineDescription m = machineOf("h200");
  const double write = 1 / (2 / m.dram_best_gbs - 1 / m.dram_read_gbs) * 1e3 / m.clock_mhz / 132;
  // The kernel is over when all has been written,
  EXPECT_NEAR(cycles(64, false).cycles - cycles(32, false).cycles, 32768 / write, 0.02 * 32768 / write);
  // but the load has waited for its own line only (and for the stores' way to L2, 512 bytes each at this SM's share).
  const double l2 = std::min(m.l2_sm_bytes, m.l2_bytes / 132);
  const double waited = cycles(64, true).warp[0][unsigned(Stall::Global)];
  EXPECT_LT(waited, m.lat_dram + 65536 / l2 + 60);
  EXPECT_LT(waited, 0.6 * 65536 / write);
}

TEST(TimingGlobal, WhatIsWrittenHasTheRoomOfL2) {
  // More than the SM's share of half of L2: from then on stores wait for DRAM.
  timing::MachineDescription m = machineOf("h200");
  const double write = 1 / (2 / m.dram_best_gbs - 1 / m.dram_read_gbs) * 1e3 / m.clock_mhz / 132;
  const double room = m.l2_mib * 1048576 / 2 / 132;
  Memory memory;
  uint64_t a = memory.allocate(1 << 20, "a");
  auto busy = [&](double bytes) { // of a warp, until its last store
    TimedSetup s;
    s.memory = &memory;
    s.writeRatio = 1;
    s.activeSms = 132;
    s.threads = 512;
    s.args.add(a);
    const unsigned steps = unsigned(bytes / 8192);
    std::string body = "ld.param.u64 %rd0, [a]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 16; add.u64 %rd0, %rd0, "
                       "%rd1; mov.u32 %r1, 0;\nL: st.global.v4.b32 [%rd0], {%r0, %r0, %r0, %r0};\nadd.u64 %rd0, %rd0, "
                       "8192; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, " +
                       std::to_string(steps) + "; @%p0 bra L;\n";
    Timed t = timeOf(entry(".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n", body, ".param .u64 a"), s);
    double sum = 0;
    for (double clocks : t.warp[0])
      sum += clocks;
    return sum;
  };
  const double l2 = std::min(m.l2_sm_bytes, m.l2_bytes / 132);
  EXPECT_NEAR(busy(2 * room), room / write, 0.1 * room / write);
  EXPECT_NEAR(busy(room / 2), room / 2 / l2 - 1000, 300);
}

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

TEST(TimingLocal, ThroughL1AndBeyond) {
  auto cycles = [&](unsigned n, unsigned threads, double misses) {
    TimedSetup s;
    s.threads = threads;
    s.localMisses = misses;
    return timeOf(entry(".reg .b32 %r<4>; .local .align 4 .b8 depot[64];\n",
                        "mov.u32 %r0, depot; st.local.b32 [%r0], %r0;\n" + repeated("ld.local.b32 %r0, [%r0];\n", n)),
                  s)
        .cycles;
  };
  const timing::MachineDescription m = machineOf("h200");
  EXPECT_NEAR(cycles(60, 32, 0) - cycles(20, 32, 0), 40 * m.lat_l1, 1);
  // Half of it has no room: 64 of a warp's 128 bytes come from L2.
  EXPECT_NEAR(cycles(60, 32, 0.5) - cycles(20, 32, 0.5), 40 * (m.lat_l2 + 64 / m.l2_sm_bytes), 2);
}

TEST(TimingLocal, BandwidthOfL1) {
  auto cycles = [&](unsigned n) {
    std::string body;
    for (unsigned i = 0; i != n; ++i)
      body += "st.local.v4.b32 [depot+" + std::to_string(i % 8 * 16) + "], {%r0, %r1, %r2, %r3};\n";
    TimedSetup s;
    s.threads = 512;
    return timeOf(entry(".reg .b32 %r<4>; .local .align 16 .b8 depot[128];\n",
                        "mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;\n" + body),
                  s)
        .busy[unsigned(timing::Unit::L1)];
  };
  EXPECT_NEAR(cycles(48) - cycles(16), 32 * 16 * 4, 1); // sixteen warps, four registers each, a line of L1 a clock
}

TEST(TimingLocal, SpillsOfTheAssembler) {
  // A chain of fmas, by each of which the assembler has put a reload that another instruction needs: it takes an issue
  // slot in the shadow of the fma's latency and a line of L1, and the fma does not wait for it.
  auto run = [&](unsigned n, bool spills, unsigned threads) {
    TimedSetup s;
    s.threads = threads;
    s.counts = [&](const Program &program) {
      timing::MachineCounts counts;
      for (const Instruction &inst : program.functions[0].ast->body)
        counts[inst.loc.line] =
            spills && inst.opcode == "fma" ? timing::MachineCount{2, 1, 4, 0} : timing::MachineCount{1, 0, 0, 0};
      return counts;
    };
    return timeOf(entry(".reg .f32 %f<4>;\n", repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", n)), s);
  };
  const timing::MachineDescription m = machineOf("h200");
  EXPECT_NEAR(run(300, false, 32).cycles - run(100, false, 32).cycles, 200 * m.lat_fma, 1);
  EXPECT_NEAR(run(300, true, 32).cycles - run(100, true, 32).cycles, 200 * m.lat_fma, 1);
  EXPECT_NEAR(run(50, true, 512).busy[unsigned(timing::Unit::L1)], 50 * 16, 1);
  // Eight warps of a sub-core have sixteen instructions where four clocks have passed: issue decides.
  EXPECT_NEAR(run(300, true, 1024).cycles - run(100, true, 1024).cycles, 200 * 8 * 2, 40);
  // What the program itself loads from local memory is waited for.
  auto own = [&](unsigned n) {
    return timeOf(
               entry(".reg .b32 %r<4>; .local .align 4 .b8 depot[4];\n",
                     "mov.u32 %r0, 0; st.local.u32 [depot], %r0;\n" +
                         repeated("ld.local.u32 %r1, [depot];\nadd.u32 %r0, %r1, 1;\nst.local.u32 [depot], %r0;\n", n)),
               {})
        .cycles;
  };
  EXPECT_GE(own(30) - own(10), 20 * m.lat_l1);
}

TEST(TimingSleep, AsLongAsAsked) {
  auto run = [&](unsigned n, const std::string &time) {
    return timeOf(entry(".reg .b32 %r<4>;\n", "mov.u32 %r0, %laneid; mul.lo.u32 %r0, %r0, 100;\n" +
                                                  repeated("nanosleep.u32 " + time + ";\n", n)),
                  {});
  };
  const double clock = machineOf("h200").clock_mhz * 1e-3; // clocks of a nanosecond
  EXPECT_NEAR(run(5, "1000").cycles - run(2, "1000").cycles, 3 * 1000 * clock, 10);
  // A warp sleeps as long as the lane that asks for most.
  EXPECT_NEAR(run(5, "%r0").cycles - run(2, "%r0").cycles, 3 * 3100 * clock, 10);
  EXPECT_NEAR(run(5, "1000").warp[0][unsigned(Stall::Sleep)], 5 * 1000 * clock, 10);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

TEST(TimingBarrier, FourToThirtyTwoWarps) {
  // QRC: 30, 38, 54, 86 clocks at 4, 8, 16, 32 warps.
  for (unsigned warps : {4u, 8u, 16u, 32u}) {
    auto cycles = [&](unsigned n) {
      TimedSetup s;
      s.threads = warps * 32;
      return timeOf(entry("", repeated("bar.sync 0;\n", n)), s).cycles;
    };
    EXPECT_NEAR((cycles(30) - cycles(10)) / 20, 22 + 2 * warps, 3) << warps;
  }
}

TEST(TimingBarrier, OneLateWarp) {
  std::string body = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra J;\n" +
                     repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 1000) + "J: bar.sync 0;\n";
  TimedSetup s;
  s.threads = 128;
  Timed t = timeOf(entry(".reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<4>;\n", body), s);
  EXPECT_NEAR(t.cycles, 4000 + 24, 20);
  for (unsigned w = 1; w != 4; ++w)
    EXPECT_NEAR(t.warp[w][unsigned(Stall::Barrier)], 4000 + 12, 30) << w;
  EXPECT_LT(t.warp[0][unsigned(Stall::Barrier)], 30);
  EXPECT_NEAR(t.warp[0][unsigned(Stall::Fixed)], 3000, 20);
}

//===----------------------------------------------------------------------===//
// Bulk copies and rings
//===----------------------------------------------------------------------===//

/// One thread copies `steps` times `bytes` into a ring of `stages`; a warp waits for each, works through a chain of
/// `work` fmas and gives the stage back.
double ring(unsigned stages, unsigned steps, unsigned bytes, unsigned work, Timed *out = nullptr,
            const timing::MachineDescription *machine = nullptr, const timing::Slowdown &slower = {}) {
  Memory memory;
  uint64_t a = memory.allocate(1 << 20, "a");
  memory.fill(a, 0, 1 << 20);
  std::string S = std::to_string(stages), B = std::to_string(bytes);
  std::string body = R"(
mov.u32 %r0, %tid.x; mov.u32 %r1, full; mov.u32 %r2, empty; mov.u32 %r3, data; ld.param.u64 %rd0, [a];
setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
mov.u32 %r4, 0;
INIT: shl.b32 %r5, %r4, 3; add.u32 %r6, %r1, %r5; add.u32 %r7, %r2, %r5;
mbarrier.init.shared::cta.b64 [%r6], 1; mbarrier.init.shared::cta.b64 [%r7], 32;
add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, )" +
                     S + R"(; @%p1 bra INIT;
fence.mbarrier_init.release.cluster;
READY: bar.sync 0;
mov.u32 %r8, 0; mov.u32 %r9, 0; mov.u32 %r10, 0;
setp.lt.u32 %p2, %r0, 32; @%p2 bra CONSUME;
setp.ne.u32 %p3, %r0, 32; @%p3 bra DONE;
mov.u32 %r10, 1;
PRODUCE: shl.b32 %r5, %r9, 3; add.u32 %r6, %r1, %r5; add.u32 %r7, %r2, %r5;
WE: mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r7], %r10; @!%p4 bra WE;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6], )" +
                     B + R"(;
mul.lo.u32 %r11, %r9, )" +
                     B + R"(; add.u32 %r11, %r3, %r11;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd0], )" +
                     B + R"(, [%r6];
add.u32 %r9, %r9, 1; setp.eq.u32 %p5, %r9, )" +
                     S + R"(; @%p5 mov.u32 %r9, 0; @%p5 xor.b32 %r10, %r10, 1;
add.u32 %r8, %r8, 1; setp.lt.u32 %p6, %r8, )" +
                     std::to_string(steps) + R"(; @%p6 bra PRODUCE;
bra DONE;
CONSUME: shl.b32 %r5, %r9, 3; add.u32 %r6, %r1, %r5; add.u32 %r7, %r2, %r5;
WF: mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r6], %r10; @!%p4 bra WF;
)" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", work) +
                     R"(
mbarrier.arrive.shared::cta.b64 _, [%r7];
add.u32 %r9, %r9, 1; setp.eq.u32 %p5, %r9, )" +
                     S + R"(; @%p5 mov.u32 %r9, 0; @%p5 xor.b32 %r10, %r10, 1;
add.u32 %r8, %r8, 1; setp.lt.u32 %p6, %r8, )" +
                     std::to_string(steps) + R"(; @%p6 bra CONSUME;
DONE:)";
  TimedSetup s;
  s.threads = 64;
  s.memory = &memory;
  s.args.add(a);
  s.description = machine;
  s.slower = slower;
  Timed t =
      timeOf(entry(".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n.shared .align 8 .b64 "
                   "full[" +
                       S + "]; .shared .align 8 .b64 empty[" + S + "]; .shared .align 128 .b8 data[" +
                       std::to_string(stages * bytes) + "];\n",
                   body, ".param .u64 a"),
             s);
  if (out)
    *out = t;
  return t.cycles;
}

TEST(TimingCopy, OneBox) {
  // Twice the bytes: as long as the ingest takes for them.
  const timing::MachineDescription m = machineOf("h200");
  EXPECT_NEAR(ring(1, 1, 16384, 1) - ring(1, 1, 8192, 1), 8192 / m.tma_bytes, 2);
  // A small one: the latency of L2 and of the engine.
  double small = ring(1, 1, 128, 1);
  EXPECT_NEAR(small, m.lat_l2 + m.tma_latency + 128 / m.tma_bytes + m.mbar_wait + 4 + 130, 60);
}

TEST(TimingCopy, AClusterHasOneShareOfL2) {
  // One block of a pair copies: it may use what is its neighbour's of L2, as far as its own port and ingest go.
  auto cycles = [&](unsigned n) {
    Memory memory;
    uint64_t a = memory.allocate(1 << 20, "a");
    memory.fill(a, 0, 1 << 20);
    std::string body =
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; add.u32 %r0, %r0, %r1; setp.ne.u32 %p0, %r0, 0; @%p0 bra "
        "DONE;\n"
        "mov.u32 %r2, bar; mov.u32 %r3, data; ld.param.u64 %rd0, [a]; mbarrier.init.shared::cta.b64 [%r2], 1;\n"
        "fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " +
        std::to_string(n * 16384) + ";\n" +
        repeated("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd0], 16384, [%r2];\n",
                 n) +
        "W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra W;\nDONE:\n";
    TimedSetup s;
    s.memory = &memory;
    s.args.add(a);
    s.activeSms = 132;
    s.blocks = 2;
    return timeOf(".visible .entry k(.param .u64 a) .reqnctapercluster 2\n{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg "
                  ".b64 %rd<4>; .shared .align 8 .b64 bar; "
                  ".shared .align 128 .b8 data[16384];\n" +
                      body + "barrier.cluster.arrive; barrier.cluster.wait;\nret;\n}\n",
                  s)
        .cycles;
  };
  const timing::MachineDescription m = machineOf("h200");
  const double rate = std::min({2 * m.l2_bytes / 132, m.l2_sm_bytes, m.tma_bytes});
  ASSERT_GT(rate, 1.2 * m.l2_bytes / 132);
  EXPECT_NEAR((cycles(24) - cycles(8)) / 16, 16384 / rate, 0.03 * 16384 / rate);
}

TEST(TimingRing, Empty) {
  // The consumer has next to nothing to do: a stage comes round once per latency, so stages divide the time.
  const unsigned steps = 96;
  const double one = ring(1, steps, 1024, 1) / steps, two = ring(2, steps, 1024, 1) / steps,
               four = ring(4, steps, 1024, 1) / steps;
  const timing::MachineDescription m = machineOf("h200");
  const double latency = m.lat_l2 + m.tma_latency + 1024 / m.tma_bytes + 2 * m.mbar_wait + m.mbar_arrive + 4;
  EXPECT_NEAR(one, latency, latency * 0.08);
  EXPECT_NEAR(two, one / 2, one * 0.04);
  EXPECT_NEAR(four, one / 4, one * 0.05);
  Timed t;
  ring(2, steps, 1024, 1, &t);
  EXPECT_GT(t.warp[0][unsigned(Stall::CopyArrival)], 0.6 * t.cycles);
}

TEST(TimingRing, Full) {
  // The consumer needs 1200 clocks for a stage: stages change nothing, the producer waits for empty ones.
  const unsigned steps = 48;
  Timed t;
  const double two = ring(2, steps, 1024, 300, &t) / steps, four = ring(4, steps, 1024, 300) / steps;
  EXPECT_NEAR(two, 1200, 90);
  EXPECT_NEAR(four, two, 20);
  EXPECT_GT(t.warp[1][unsigned(Stall::Mbarrier)], 0.7 * t.cycles);
}

TEST(TimingRing, CopiesHoldTheirWarpAndWaitersWake) {
  // A ring of many stages and next to no work: the producer issues a copy as soon as it is let go on.
  timing::MachineDescription m = machineOf("h200");
  auto step = [&](unsigned stages, unsigned work) {
    return (ring(stages, 96, 128, work, nullptr, &m) - ring(stages, 48, 128, work, nullptr, &m)) / 48;
  };
  const double quick = step(16, 1), one = step(1, 1);
  m.tma_hold = 168;
  const double held = step(16, 1);
  EXPECT_GT(held, 168);
  EXPECT_NEAR(held, 168 + quick, quick); // what it does besides may overlap or not
  m.tma_hold = 0;
  // With one stage each waits for the other: both are suspended when the phase completes, and are woken later.
  m.mbar_wake = 110;
  EXPECT_NEAR(step(1, 1) - one, 2 * 110, 2);
  // Who comes when the phase has completed long since does not sleep: the consumer has much to do, only the producer
  // waits.
  m.mbar_wake = 0;
  const double busy = step(4, 400);
  m.mbar_wake = 110;
  EXPECT_NEAR(step(4, 400), busy, 2);
}

TEST(TimingRing, WhatItsTimeHangsOn) {
  // One stage and next to no work: a fifth more latency of copies is a fifth of theirs more. With much work: nothing.
  const timing::MachineDescription m = machineOf("h200");
  timing::Slowdown slower;
  slower.latency[unsigned(Stall::CopyArrival)] = 1.2;
  const double more = (ring(1, 96, 1024, 1, nullptr, nullptr, slower) - ring(1, 96, 1024, 1)) / 96;
  EXPECT_NEAR(more, 0.2 * (m.lat_l2 + m.tma_latency), 2);
  EXPECT_NEAR(ring(4, 48, 1024, 300, nullptr, nullptr, slower), ring(4, 48, 1024, 300), 100);
  timing::Slowdown arithmetic;
  arithmetic.latency[unsigned(Stall::Fixed)] = 1.2;
  const double longer = (ring(4, 48, 1024, 300, nullptr, nullptr, arithmetic) - ring(4, 48, 1024, 300)) / 48;
  EXPECT_NEAR(longer, 0.2 * 300 * m.lat_fma, 20);
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

double wgmmas(unsigned n, unsigned count, bool aInRegisters = false) {
  std::string d;
  for (unsigned i = 0; i != n / 2; ++i)
    d += (i ? ", %f" : "%f") + std::to_string(i);
  std::string a = aInRegisters ? "{%r4, %r5, %r6, %r7}" : "%rd0";
  std::string one = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k16.f32.f16.f16 {" + d + "}, " + a +
                    ", %rd1, 1, 1, 1" + (aInRegisters ? ", 0;\n" : ", 0, 0;\n");
  std::string body = "mov.u32 %r0, s; and.b32 %r0, %r0, 0x3ffff; shr.u32 %r0, %r0, 4; cvt.u64.u32 %rd0, %r0;\n"
                     "or.b64 %rd0, %rd0, 0x4000004000010000; mov.u64 %rd1, %rd0;\nwgmma.fence.sync.aligned;\n" +
                     repeated(one, count) + "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  TimedSetup s;
  s.threads = 128;
  return timeOf(
             entry(".reg .f32 %f<128>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 1024 .b8 s[32768];\n", body),
             s)
      .cycles;
}

TEST(TimingTensor, WgmmasBackToBack) {
  // FVLA on an H100, both operands in shared memory.
  const std::pair<unsigned, double> measured[] = {{8, 18.9},  {16, 20.7},  {32, 24.7},  {64, 32.8},
                                                  {96, 48.7}, {128, 65.0}, {192, 97.1}, {256, 129.3}};
  for (auto &[n, clocks] : measured) {
    double mine = (wgmmas(n, 48) - wgmmas(n, 16)) / 32;
    EXPECT_NEAR(mine, clocks, 0.03 * clocks) << n;
  }
  // A in registers: B alone is read.
  EXPECT_NEAR((wgmmas(16, 48, true) - wgmmas(16, 16, true)) / 32, 9, 1);
}

double tcgen05(unsigned m, unsigned n, unsigned count, bool aInTensor = false) {
  const uint32_t idesc = 1u << 4 | n / 8 << 17 | m / 16 << 24;
  std::string one =
      "tcgen05.mma.cta_group::1.kind::f16 [%r4], " + std::string(aInTensor ? "[%r6]" : "%rd0") + ", %rd1, %r5, %p1;\n";
  std::string body = R"(
mov.u32 %r0, %tid.x; mov.u32 %r1, where; mov.u32 %r2, bar;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 512;
setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
mbarrier.init.shared::cta.b64 [%r2], 1; fence.mbarrier_init.release.cluster;
READY: bar.sync 0;
ld.shared.b32 %r4, [where]; add.u32 %r6, %r4, 256;
mov.u32 %r3, s; and.b32 %r3, %r3, 0x3ffff; shr.u32 %r3, %r3, 4; cvt.u64.u32 %rd0, %r3;
or.b64 %rd0, %rd0, 0x4000404000010000; mov.u64 %rd1, %rd0;
mov.u32 %r5, )" + std::to_string(idesc) +
                     R"(; setp.ne.u32 %p1, %r0, %r0;
@%p0 bra WAIT;
)" + repeated(one, count) +
                     R"(tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0; @!%p2 bra WAIT;
bar.warp.sync -1;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 512;)";
  TimedSetup s;
  s.machine = "b200";
  s.target = "sm_100a";
  s.version = "8.8";
  return timeOf(entry(".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 1024 .b8 s[40960]; .shared "
                      ".align 8 .b64 bar; .shared .align 4 .b32 where;\n",
                      body),
                s)
      .cycles;
}

TEST(TimingTensor, Tcgen05BackToBack) {
  // SEMI on a B200: one block, bf16.
  struct {
    unsigned m, n;
    double clocks;
  } measured[] = {{128, 64, 48},   {128, 80, 52}, {128, 96, 56}, {128, 128, 64},
                  {128, 256, 128}, {64, 64, 32},  {64, 128, 64}, {64, 256, 128}};
  for (auto &[m, n, clocks] : measured)
    EXPECT_NEAR((tcgen05(m, n, 24) - tcgen05(m, n, 8)) / 16, clocks, 0.03 * clocks) << m << "x" << n;
  for (unsigned n : {64u, 128u, 256u}) // A in tensor memory: N / 2
    EXPECT_NEAR((tcgen05(128, n, 24, true) - tcgen05(128, n, 8, true)) / 16, n / 2, 0.03 * n / 2) << n;
}

} // namespace
