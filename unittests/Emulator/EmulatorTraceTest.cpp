//===- EmulatorTraceTest.cpp - Timelines ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"
#include "tileiras/Emulator/Machine/Trace.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

TEST(EmulatorTrace, WaitsAndUnits) {
  // Warp 0 copies, both wait for the mbarrier, then meet at a barrier.
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 in)
{
.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
.shared .align 8 .b64 bar;
.shared .align 16 .b32 buf[64];
mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32;
@%p0 bra READY;
mbarrier.init.shared::cta.b64 [bar], 32;
READY: bar.sync 0;
ld.param.u64 %rd3, [in]; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd3, %rd3, %rd4;
mov.u32 %r1, buf; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2;
@%p1 bra WAIT;
cp.async.ca.shared.global [%r1], [%rd3], 4;
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
@!%p2 bra WAIT;
bar.sync 1;
ret;
}
)"));
  ASSERT_TRUE(m);
  Memory memory;
  uint64_t in = upload(memory, std::vector<uint32_t>(64, 7), "in");
  TraceRecorder trace(1);
  LaunchConfig c;
  c.block = {64};
  c.grid = {3};
  c.args.add(in);
  c.options.observers.push_back(trace.factory());
  LaunchResult r = launch(*m, memory, c);
  ASSERT_TRUE(r.ok) << reports(r);
  std::string json = trace.json();
  for (const char *part : {"\"name\": \"warp 1\"", "\"name\": \"run\"", "wait for mbarrier 0x", "wait for barrier 0",
                           "cp.async.mbarrier.arrive", "\"name\": \"block 0\"", "\"PTX line\": "})
    EXPECT_NE(json.find(part), std::string::npos) << part;
  // Blocks that nobody asked for are not there, and braces balance.
  EXPECT_EQ(json.find("\"pid\": 1"), std::string::npos);
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), std::count(json.begin(), json.end(), '}'));
  EXPECT_GT(trace.eventCount(), 6u);
}

TEST(EmulatorTrace, EventsOfATrackDoNotOverlap) {
  auto m = parse(ptx(R"(
.visible .entry k()
{
.reg .pred %p<4>; .reg .b32 %r<8>;
mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; mov.u32 %r2, 0;
L: bar.sync 0;
add.u32 %r2, %r2, 1;
mul.lo.u32 %r3, %r1, 3;
I: sub.u32 %r3, %r3, 1; setp.gt.s32 %p1, %r3, 0; @%p1 bra I;
setp.lt.u32 %p0, %r2, 5; @%p0 bra L;
ret;
}
)"));
  ASSERT_TRUE(m);
  Memory memory;
  TraceRecorder trace;
  LaunchConfig c;
  c.block = {128};
  c.options.observers.push_back(trace.factory());
  ASSERT_TRUE(launch(*m, memory, c).ok);
  auto sorted = trace.recorded();
  std::sort(sorted.begin(), sorted.end(),
            [](auto &a, auto &b) { return std::tie(a.track, a.begin) < std::tie(b.track, b.begin); });
  uint64_t waits = 0;
  for (size_t i = 0; i != sorted.size(); ++i) {
    waits += sorted[i].category == "barrier";
    if (i && sorted[i].track == sorted[i - 1].track)
      EXPECT_LE(sorted[i - 1].begin + sorted[i - 1].duration, sorted[i].begin);
  }
  // The slowest warp never waits, the others four times.
  EXPECT_GE(waits, 12u);
}

} // namespace
