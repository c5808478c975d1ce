//===- TimingMechanismsTest.cpp - Maps, fences, banks, limiters -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTmaUtil.h"
#include "TimingTestUtil.h"

#include "tileiras/Emulator/Timing/Limiter.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using timing::Stall;
using timing::Unit;

namespace {

std::string entry(const std::string &declarations, const std::string &body, const std::string &params = "") {
  return ".visible .entry k(" + params + ")\n{\n" + declarations + body + "\nret;\n}\n";
}

//===----------------------------------------------------------------------===//
// Copies and their maps
//===----------------------------------------------------------------------===//

/// `n` tensor copies of one box, one after another, each waited for; before each of the first `acquires` the map is
/// acquired. `between` stands before every one. A box has `rows` rows of `words` words.
double boxes(unsigned n, unsigned acquires, const timing::MachineDescription &machine, double missRatio = 0,
             const std::string &between = "", unsigned words = 32, unsigned rows = 8) {
  Memory memory;
  const uint64_t tensor = memory.allocate(1 << 16, "tensor", Memory::Init::Zero);
  Tensormap map;
  map.type = TensorType::U32;
  map.rank = 2;
  map.dims[0] = 32, map.dims[1] = 64;
  map.box[0] = words, map.box[1] = rows;
  map.strides[0] = 128;
  map.address = tensor;
  const MapBytes bytes = encoded(map);
  const uint64_t at = upload(memory, std::vector<uint8_t>(bytes.begin(), bytes.end()), "map");
  std::string body = "ld.param.u64 %rd0, [map]; mov.u32 %r0, bar; mov.u32 %r1, data; mov.u32 %r2, %tid.x;\n"
                     "setp.ne.u32 %p0, %r2, 0; @%p0 bra DONE;\n"
                     "mbarrier.init.shared::cta.b64 [%r0], 1; fence.mbarrier_init.release.cluster;\n";
  for (unsigned k = 0; k != n; ++k) {
    body += between;
    if (k < acquires)
      body += "fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;\n";
    body +=
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], " + std::to_string(4 * words * rows) +
        ";\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0, {0, 0}], [%r0];\n"
        "W" +
        std::to_string(k) + ": mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r0], " + std::to_string(k % 2) +
        "; @!%p1 bra W" + std::to_string(k) + ";\n";
  }
  TimedSetup s;
  s.memory = &memory;
  s.args.add(at);
  s.description = &machine;
  s.missRatio = missRatio;
  return timeOf(entry(".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .align 8 .b64 bar; .shared .align "
                      "1024 .b8 data[8192];\n",
                      body + "DONE:\n", ".param .u64 map"),
                s)
      .cycles;
}

TEST(TimingCopy, OneTensorBox) {
  // Each of them after the one before: what L2 and the engine take, the data's way into shared memory, and the wait.
  const timing::MachineDescription m = machineOf("h200");
  auto one = [&](unsigned words, unsigned rows) {
    return (boxes(12, 0, m, 0, "", words, rows) - boxes(4, 0, m, 0, "", words, rows)) / 8;
  };
  for (unsigned rows : {8u, 32u, 64u}) {
    const double by = m.lat_l2 + m.tma_latency + 128 * rows / m.tma_bytes + m.mbar_wait;
    EXPECT_NEAR(one(32, rows), by, 8) << rows; // and the instructions that issue it
  }
  // The same bytes in twice as many rows of 64 come in at the rate of narrow rows, those of rows of 32 at half of that.
  EXPECT_NEAR(one(16, 64) - one(32, 32), 4096 / m.tma_narrow_bytes - 4096 / m.tma_bytes, 1);
  EXPECT_NEAR(one(8, 64) - one(16, 32), 2048 / (m.tma_narrow_bytes / 2) - 2048 / m.tma_narrow_bytes, 1);
}

TEST(TimingMaps, AcquiredMapsAreFetchedAgain) {
  const timing::MachineDescription m = machineOf("h200");
  // A fence at gpu scope, and the copy behind it waits for L2 to give the map.
  const double none = boxes(8, 0, m), one = boxes(8, 1, m), five = boxes(8, 5, m);
  EXPECT_NEAR(one - none, m.membar_gl + m.lat_l2, 6);
  EXPECT_NEAR((five - one) / 4, m.membar_gl + m.lat_l2, 6);
}

TEST(TimingCopy, OneFromDramWaitsForItsSlowestLine) {
  timing::MachineDescription m = machineOf("h200");
  const double with = boxes(9, 0, m, 1) - boxes(1, 0, m, 1), hits = boxes(9, 0, m) - boxes(1, 0, m);
  m.tma_miss_latency = 0;
  const double without = boxes(9, 0, m, 1) - boxes(1, 0, m, 1);
  EXPECT_NEAR((with - without) / 8, machineOf("h200").tma_miss_latency, 2);
  // What comes from L2 has none of it.
  EXPECT_NEAR(boxes(9, 0, m) - boxes(1, 0, m), hits, 1e-6);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

TEST(TimingFence, BehindWritesTheyTakeLonger) {
  Memory memory;
  const uint64_t a = memory.allocate(4096, "a", Memory::Init::Zero);
  auto clocks = [&](const std::string &what) {
    auto run = [&](unsigned n) {
      TimedSetup s;
      s.memory = &memory;
      s.args.add(a);
      return timeOf(entry(".reg .b32 %r<4>; .reg .b64 %rd<4>;\n",
                          "ld.param.u64 %rd0, [a]; mov.u32 %r0, 1;\n" + repeated(what, n), ".param .u64 a"),
                    s)
          .cycles;
    };
    return (run(24) - run(8)) / 16;
  };
  const timing::MachineDescription m = machineOf("h200");
  const double fence = clocks("fence.acq_rel.gpu;\n"),
               written = clocks("st.global.u32 [%rd0], %r0; fence.acq_rel.gpu;\n");
  EXPECT_NEAR(fence, m.membar_gl, 4);
  EXPECT_NEAR(written, m.membar_gl + m.membar_write, 8);
  // Only the first fence after a write; and none within the block.
  EXPECT_NEAR(clocks("st.global.u32 [%rd0], %r0; fence.acq_rel.gpu; fence.acq_rel.gpu;\n"), written + fence, 8);
  EXPECT_LT(clocks("st.global.u32 [%rd0], %r0; fence.acq_rel.cta;\n"), 20);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

TEST(TimingBanks, RowsOfOneMatrixOrOfTwo) {
  uint64_t at[32] = {};
  auto rows = [&](uint64_t stride, uint64_t second) { // the rows of two matrices
    for (unsigned l = 0; l != 16; ++l)
      at[l] = l % 8 * stride + l / 8 * second;
  };
  // Eight rows that begin in one bank, and eight in the four banks beside: side by side or one after the other.
  rows(256, 16);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 8), 16u);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 16), 8u);
  // Sixteen rows in the same banks are sixteen either way; without conflicts two passes are needed for 256 bytes.
  rows(256, 8 * 256);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 8), 16u);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 16), 16u);
  rows(16, 128);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 8), 2u);
  EXPECT_EQ(timing::bankWavefronts(0xffff, at, 16, 16), 2u);
}

/// Clocks of the shared memory path for one `what`, whose address is in %r2 (%r0: tid, %r1: the memory).
double exchange(const std::string &address, const std::string &what, const timing::MachineDescription &m,
                std::function<timing::MachineCounts(const Program &)> counts = nullptr) {
  auto run = [&](unsigned n) {
    TimedSetup s;
    s.description = &m;
    s.target = m.sm >= 120 ? "sm_120" : "sm_90a";
    s.counts = counts;
    return timeOf(entry(".reg .b32 %r<16>; .reg .f32 %f<8>; .shared .align 128 .b8 s[8192];\n",
                        "mov.u32 %r0, %tid.x; mov.u32 %r1, s;\n" + address + repeated(what, n)),
                  s)
        .busy[unsigned(Unit::Exchange)];
  };
  return (run(12) - run(4)) / 8;
}

TEST(TimingBanks, MatrixLoadsOfMachines) {
  const std::string address = "and.b32 %r3, %r0, 7; shl.b32 %r3, %r3, 8; shr.u32 %r4, %r0, 3; and.b32 %r4, %r4, 1; "
                              "shl.b32 %r4, %r4, 4; add.u32 %r2, %r1, %r3; add.u32 %r2, %r2, %r4;\n";
  const std::string load = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r5, %r6}, [%r2];\n";
  timing::MachineDescription m = machineOf("rtx5090");
  EXPECT_EQ(m.ldmatrix_rows, 16);
  EXPECT_NEAR(exchange(address, load, m), 8, 0.01);
  m.ldmatrix_rows = 8;
  EXPECT_NEAR(exchange(address, load, m), 16, 0.01);
}

TEST(TimingBanks, PairsThatWantTheSameAreServedTogether) {
  const timing::MachineDescription m = machineOf("h200");
  const std::string load = "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2];\n";
  // 32 lanes of sixteen bytes are four passes; where lanes n and n ^ 1, or n and n ^ 2, or all, want the same: two.
  EXPECT_NEAR(exchange("shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1;\n", load, m), 4, 0.01);
  EXPECT_NEAR(exchange("shr.u32 %r2, %r0, 1; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, %r1;\n", load, m), 2, 0.01);
  EXPECT_NEAR(exchange("shr.u32 %r2, %r0, 2; shl.b32 %r2, %r2, 1; and.b32 %r3, %r0, 1; or.b32 %r2, %r2, %r3; shl.b32 "
                       "%r2, %r2, 4; add.u32 %r2, %r2, %r1;\n",
                       load, m),
              2, 0.01);
  EXPECT_NEAR(exchange("mov.u32 %r2, %r1;\n", load, m), 2, 0.01);
  // Neither lanes n and n ^ 4 nor stores, which bring nothing back.
  EXPECT_NEAR(exchange("and.b32 %r2, %r0, 27; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, %r1;\n", load, m), 4, 0.01);
  EXPECT_NEAR(exchange("shr.u32 %r2, %r0, 1; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, %r1;\n",
                       "st.shared.v4.f32 [%r2], {%f0, %f1, %f2, %f3};\n", m),
              4, 0.01);
}

TEST(TimingBanks, WhatIsPutTogetherHasOneBase) {
  // The assembler makes one load of four from the first address and leaves those from the second as they are.
  auto counts = [](const Program &program) {
    timing::MachineCounts c;
    unsigned loads = 0;
    for (const Instruction &inst : program.functions[0].ast->body) {
      const bool load = inst.row->op == Op::Ld;
      const unsigned k = load ? loads++ % 8 : 0;
      c[inst.loc.line] = {load && k < 4 && k ? 0u : 1u, 0, 0, 0};
    }
    return c;
  };
  std::string what;
  for (const char *base : {"%r2", "%r3"})
    for (unsigned k = 0; k != 4; ++k)
      what += "ld.shared.f32 %f" + std::to_string(k) + ", [" + base + "+" + std::to_string(4 * k) + "];\n";
  // Lanes are sixteen bytes apart: four words of each are four passes together, and four each by themselves.
  EXPECT_NEAR(exchange("shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1; add.u32 %r3, %r2, 1024;\n", what, machineOf("h200"),
                       counts),
              4 + 4 * 4, 0.01);
}

//===----------------------------------------------------------------------===//
// Limiters
//===----------------------------------------------------------------------===//

TEST(TimingLimiter, UnitsWithoutAQueueAreLatency) {
  auto named = [](double ingest, double tensor) {
    timing::Prediction p;
    p.seconds = 1;
    p.waves = 1;
    p.units = {{unitName(Unit::Tensor), tensor}, {unitName(Unit::TmaIn), ingest}};
    p.dependences = {
        {unitName(Unit::Tensor), 35, true},
        {unitName(Unit::TmaIn), 27, true},
        {"latency of bulk copies: the consumers wait for data, so more stages or larger ones would help", 33, false}};
    timing::nameLimiter(p);
    return p.limiter.substr(0, p.limiter.find(':'));
  };
  // Neither is full: a stage takes 27 + 33 of a hundred to come, 35 to be worked through.
  EXPECT_EQ(named(0.55, 0.69), "latency of bulk copies");
  // An ingest that is full is a rate of its own.
  EXPECT_EQ(named(0.95, 0.69), "tensor cores");
}

TEST(TimingLaunch, CodeIsGoneWhereCachesAreFlushed) {
  const std::string text =
      ptx(entry(".reg .f32 %f<2>;\n", repeated("fma.rn.f32 %f0, %f0, %f0, %f0;\n", 64)), "sm_90a", "8.7");
  auto module = parse(text);
  ASSERT_TRUE(module);
  auto launchOf = [&](timing::L2State state) {
    Memory memory;
    LaunchConfig c;
    c.grid = {132};
    c.block = {32};
    timing::PredictOptions o;
    o.machine = "h100";
    o.useAssembler = false;
    o.l2 = state;
    timing::Prediction p = timing::predict(*module, memory, c, o);
    EXPECT_TRUE(p.ok) << p.error;
    return p.launchSeconds * 1e6;
  };
  const timing::MachineDescription m = machineOf("h100");
  EXPECT_NEAR(launchOf(timing::L2State::Cold), m.launch_us, 1e-6);
  EXPECT_NEAR(launchOf(timing::L2State::Empty), m.launch_cold_us, 1e-6);
  EXPECT_GT(m.launch_cold_us, m.launch_us);
}

} // namespace
