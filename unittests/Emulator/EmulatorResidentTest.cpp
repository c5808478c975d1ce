//===- EmulatorResidentTest.cpp - Blocks that wait for each other -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Grid barriers, spin locks and sums by turns run to their end, under every order of warps and with the race checker
// on; what can never go on is a deadlock. And what lives longer than a launch: the device heap.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/Check/LineCoverage.h"
#include "tileiras/Emulator/Check/Suppressions.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

// %r0 thread, %r1 block, %r2 blocks, %rd0 data, %rd1 a counter.
const char *const head = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 counter) {
  .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .pred %p<8>;
  .shared .align 16 .b8 tile[1024];
  ld.param.u64 %rd0, [data]; ld.param.u64 %rd1, [counter];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
  mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd0, %rd2;
)";

// Every block writes its number; after the barrier it reads its neighbour's.
const char *const gridBarrier = R"(
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra MEET;
  st.global.u32 [%rd2], %r1;
  fence.acq_rel.gpu; // release
  atom.relaxed.gpu.global.add.u32 %r5, [%rd1], 1;
SPIN:
  ld.relaxed.gpu.global.u32 %r6, [%rd1];
  setp.lt.u32 %p1, %r6, %r2;
  @%p1 bra SPIN;
  fence.acq_rel.gpu; // acquire
MEET:
  bar.sync 0;
  @%p0 bra END;
  add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r2;
  mul.wide.u32 %rd3, %r7, 4; add.u64 %rd3, %rd0, %rd3;
  ld.global.u32 %r8, [%rd3];
  mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, %rd2;
  st.global.u32 [%rd4], %r8;
END:
  ret;
}
)";

struct Outcome {
  LaunchResult result;
  std::vector<uint32_t> data;
};

Outcome run(const std::string &body, uint32_t blocks, const std::function<void(LaunchConfig &)> &change = {},
            size_t words = 0) {
  std::vector<Diagnostic> errors;
  auto module = Module::parse(head + body, "resident.ptx", errors);
  EXPECT_TRUE(module) << (errors.empty() ? "" : errors[0].str());
  Outcome r;
  if (!module)
    return r;
  Memory memory;
  r.data.assign(words ? words : 2 * blocks, 0);
  uint64_t data = memory.allocate(4 * r.data.size(), "data", Memory::Init::Zero);
  uint64_t counter = memory.allocate(64, "counter", Memory::Init::Zero);
  LaunchConfig config;
  config.grid = {blocks};
  config.block = {64};
  config.args.add(data).add(counter);
  config.options.hostThreads = 1;
  if (change)
    change(config);
  r.result = launch(*module, memory, config);
  memory.copyOut(data, r.data.data(), 4 * r.data.size());
  return r;
}

const Report *find(const LaunchResult &r, ReportKind kind) {
  for (const Report &report : r.reports)
    if (report.kind == kind)
      return &report;
  return nullptr;
}
std::string all(const LaunchResult &r) {
  std::string text;
  for (const Report &report : r.reports)
    text += report.str() + "\n";
  return text;
}
std::string without(std::string text, const std::string &line) {
  size_t at = text.find(line);
  EXPECT_NE(at, text.npos) << line;
  return at == text.npos ? text : text.erase(at, line.size());
}

TEST(EmulatorResident, GridBarrier) {
  for (Schedule schedule : {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse, Schedule::Random})
    for (bool races : {false, true})
      for (unsigned threads : {1u, 3u}) {
        Outcome r = run(gridBarrier, 40, [&](LaunchConfig &c) {
          c.options.schedule = schedule;
          c.options.checkRaces = races;
          c.options.hostThreads = threads;
        });
        EXPECT_TRUE(r.result.ok) << all(r.result);
        for (uint32_t b = 0; b != 40; ++b)
          EXPECT_EQ(r.data[40 + b], (b + 1) % 40);
      }
}

TEST(EmulatorResident, GridBarrierWithoutFencesIsARace) {
  for (const char *fence : {"fence.acq_rel.gpu; // release", "fence.acq_rel.gpu; // acquire"}) {
    Outcome r = run(without(gridBarrier, fence), 8, [](LaunchConfig &c) { c.options.checkRaces = true; });
    const Report *report = find(r.result, ReportKind::Race);
    ASSERT_TRUE(report) << fence << all(r.result);
    EXPECT_NE(report->message.find("release and acquire at gpu scope"), std::string::npos) << report->message;
    EXPECT_NE(report->message.find("of block ("), std::string::npos) << report->message;
  }
  // The scope is too narrow.
  std::string narrow = gridBarrier;
  for (size_t at; (at = narrow.find("fence.acq_rel.gpu")) != narrow.npos;)
    narrow.replace(at, 17, "fence.acq_rel.cta");
  Outcome r = run(narrow, 8, [](LaunchConfig &c) { c.options.checkRaces = true; });
  EXPECT_TRUE(find(r.result, ReportKind::Race)) << all(r.result);
}

TEST(EmulatorResident, TooManyBlocks) {
  // Two multiprocessors hold 64 blocks of 64 threads.
  auto two = [](LaunchConfig &c) { c.options.multiprocessors = 2; };
  EXPECT_TRUE(run(gridBarrier, 64, two).result.ok);
  Outcome r = run(gridBarrier, 70, two);
  const Report *report = find(r.result, ReportKind::Deadlock);
  ASSERT_TRUE(report) << all(r.result);
  EXPECT_NE(report->message.find("the 6 left cannot begin because the device holds 64 at a time"), std::string::npos)
      << report->message;
  EXPECT_NE(report->message.find("for global memory to change"), std::string::npos) << report->message;
  // One arrival is missing, though all are there.
  r = run(without(gridBarrier, "atom.relaxed.gpu.global.add.u32 %r5, [%rd1], 1;"), 8);
  EXPECT_TRUE(find(r.result, ReportKind::Deadlock)) << all(r.result);
}

// Each block adds to the sum when it is its turn, the last first: block b waits for block b + 1.
const char *const turns = R"(
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra END;
  sub.u32 %r3, %r2, %r1; sub.u32 %r3, %r3, 1;
SPIN:
  ld.acquire.gpu.global.u32 %r6, [%rd1];
  setp.ne.u32 %p1, %r6, %r3;
  @%p1 bra SPIN;
  ld.global.u32 %r7, [%rd0];
  mad.lo.u32 %r7, %r7, 3, %r1;
  st.global.u32 [%rd0], %r7;
  add.u32 %r6, %r6, 1;
  st.release.gpu.global.u32 [%rd1], %r6;
END:
  ret;
}
)";

TEST(EmulatorResident, SumByTurns) {
  uint32_t want = 0;
  for (uint32_t b = 30; b-- != 0;)
    want = want * 3 + b;
  for (bool races : {false, true}) {
    Outcome r = run(turns, 30, [&](LaunchConfig &c) { c.options.checkRaces = races; });
    EXPECT_TRUE(r.result.ok) << all(r.result);
    EXPECT_EQ(r.data[0], want);
  }
  std::string weak = turns;
  weak.replace(weak.find("ld.acquire"), 10, "ld.relaxed");
  Outcome r = run(weak, 30, [&](LaunchConfig &c) { c.options.checkRaces = true; });
  EXPECT_TRUE(find(r.result, ReportKind::Race)) << all(r.result);
}

// A lock that block 0 holds until block 3 has set a flag.
const char *const lock = R"(
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra END;
LOCK:
  atom.acquire.gpu.global.cas.b32 %r6, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r6, 0;
  @%p1 nanosleep.u32 20;
  @%p1 bra LOCK;
  ld.global.u32 %r7, [%rd0];
  add.u32 %r7, %r7, 1;
  st.global.u32 [%rd0], %r7;
  atom.release.gpu.global.exch.b32 %r6, [%rd1], 0; // unlock
END:
  ret;
}
)";

TEST(EmulatorResident, SpinLock) {
  for (bool races : {false, true}) {
    Outcome r = run(lock, 50, [&](LaunchConfig &c) { c.options.checkRaces = races; });
    EXPECT_TRUE(r.result.ok) << all(r.result);
    EXPECT_EQ(r.data[0], 50u);
  }
  Outcome r = run(without(lock, "atom.release.gpu.global.exch.b32 %r6, [%rd1], 0; // unlock"), 50);
  EXPECT_TRUE(find(r.result, ReportKind::Deadlock)) << all(r.result);
}

TEST(EmulatorResident, SharedMemoryOfTheTarget) {
  auto bytes = [](uint32_t n, const char *device) {
    return run("ret;\n}", 1, [&](LaunchConfig &c) {
      c.dynamicSharedBytes = n;
      c.options.device = device;
    });
  };
  EXPECT_TRUE(bytes(163 * 1024, "sm_80").result.ok);
  EXPECT_NE(all(bytes(163 * 1024 + 16, "").result).find("166912 is the most that sm_80 has"), std::string::npos);
  EXPECT_FALSE(bytes(163 * 1024, "sm_120").result.ok);
  EXPECT_TRUE(bytes(227 * 1024, "sm_90").result.ok);
}

TEST(EmulatorResident, HeapOutlivesTheLaunch) {
  const char *const text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 n);
.visible .entry make(.param .u64 place) {
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [place];
  { .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call.uni (r), malloc, (n); ld.param.b64 %rd1, [r]; }
  st.u64 [%rd1+8], %rd0;
  st.global.u64 [%rd0], %rd1;
  ret;
}
.visible .entry use(.param .u64 place) {
  .reg .b64 %rd<8>;
  ld.param.u64 %rd0, [place];
  ld.global.u64 %rd1, [%rd0];
  ld.u64 %rd2, [%rd1+8];
  st.global.u64 [%rd0+8], %rd2;
  ret;
}
)";
  std::vector<Diagnostic> errors;
  auto module = Module::parse(text, "heap.ptx", errors);
  ASSERT_TRUE(module) << errors[0].str();
  Memory memory;
  uint64_t place = memory.allocate(16, "place"), out[2];
  for (const char *kernel : {"make", "use"}) {
    LaunchConfig config;
    config.kernel = kernel;
    config.args.add(place);
    LaunchResult r = launch(*module, memory, config);
    ASSERT_TRUE(r.ok) << all(r);
  }
  ASSERT_TRUE(memory.copyOut(place, out, 16));
  EXPECT_EQ(out[1], place);
}

TEST(EmulatorResident, FreedMemory) {
  Memory memory;
  uint64_t a = memory.allocate(100, "a");
  ASSERT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_NE(memory.describe(a + 4).find("of 'a' (100 bytes), which has been freed"), std::string::npos);
}

TEST(EmulatorResident, LineCoverage) {
  const char *const text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  .loc 1 10 0
  ld.param.u32 %r0, [n];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra ELSE;
  .loc 1 12 0
  bar.sync 0;
  ret;
ELSE:
  .loc 1 14 0
  bar.sync 1;
  ret;
}
.file 1 "cover.cu"
)";
  std::vector<Diagnostic> errors;
  auto module = Module::parse(text, "cover.ptx", errors);
  ASSERT_TRUE(module) << errors[0].str();
  LineCoverage coverage;
  auto run = [&](uint32_t n) {
    Memory memory;
    LaunchConfig config;
    config.grid = {3};
    config.block = {64};
    config.args.add(n);
    config.options.observers.push_back(coverage.watch(*module));
    EXPECT_TRUE(launch(*module, memory, config).ok);
  };
  run(1);
  EXPECT_EQ(coverage.lcov(), "TN:tileiras\nSF:cover.cu\nDA:10,6\nDA:12,6\nDA:14,0\nLF:3\nLH:2\nend_of_record\n");
  EXPECT_EQ(coverage.unreachedSynchronisation(), std::vector<std::string>{"cover.cu:14: bar.sync 1"});
  EXPECT_NE(coverage.html().find("2 of 3 lines reached"), std::string::npos);
  run(0);
  EXPECT_TRUE(coverage.unreachedSynchronisation().empty());
  uint64_t reached, all;
  coverage.totals(reached, all);
  EXPECT_EQ(reached, 3u);
  EXPECT_EQ(all, 3u);
}

TEST(EmulatorResident, Suppressions) {
  Suppressions s;
  std::string error;
  EXPECT_FALSE(s.parse("kind=race\nknid=race\n", error));
  EXPECT_EQ(error, "line 2: 'knid' is none of kind, kernel, file and line");
  EXPECT_FALSE(s.parse("kind=rice", error));
  EXPECT_FALSE(s.parse("line=0x10", error));
  EXPECT_TRUE(s.empty());
  ASSERT_TRUE(s.parse("# nothing\n\nkind=deadlock kernel=k  # known\nfile=*/x.cu line=7", error)) << error;
  Report r;
  r.kind = ReportKind::Race;
  r.kernel = "k";
  EXPECT_FALSE(s.covers(r));
  r.sourceFile = "/a/b/x.cu";
  r.sourceLine = 7;
  EXPECT_TRUE(s.covers(r));
  r.sourceLine = 8;
  EXPECT_FALSE(s.covers(r));
  Outcome all = run("{ .reg .b32 %z<2>; ld.global.u32 %z0, [%rd0+65536]; }\nret;\n}", 4, [](LaunchConfig &c) {
    auto list = std::make_shared<Suppressions>();
    std::string why;
    EXPECT_TRUE(list->parse("kind=out-of-bounds", why));
    c.options.suppressions = list;
  });
  EXPECT_TRUE(all.result.ok);
  EXPECT_NE(all.result.suppressed, 0u);
}

} // namespace
