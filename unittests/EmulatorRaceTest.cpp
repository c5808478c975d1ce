//===- EmulatorRaceTest.cpp - The race checker ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels come in pairs: one that is right, which must stay without a report, and one with a synchronisation removed
// or weakened, which must be reported whatever the schedule.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <algorithm>
#include <cstdio>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

struct Shape {
  uint32_t threads = 64, blocks = 1;
  Dim3 cluster = {};
  std::string target = "sm_90a";
};

/// %r0 = tid, %r1 = block, %rd0 = out, %rd1 = in, %rd2 = &out[global thread], `buf` 1024 words, `bar` 4 mbarriers.
LaunchResult run(const std::string &body, LaunchOptions options, Shape s = {}, bool checkRaces = true) {
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
.reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<8>;
.shared .align 8 .b64 bar[4];
.shared .align 128 .b32 buf[1024];
ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [in];
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd0, %rd2;
mov.u32 %r4, buf; shl.b32 %r5, %r0, 2; add.u32 %r4, %r4, %r5;
xor.b32 %r6, %r0, 33; shl.b32 %r6, %r6, 2; mov.u32 %r7, buf; add.u32 %r6, %r7, %r6;
)" + body + "\n}\n",
                     s.target, "8.7"));
  if (!m)
    return {};
  Memory memory;
  uint64_t out = upload(memory, std::vector<uint32_t>(4096), "out");
  std::vector<uint32_t> source(4096);
  for (size_t i = 0; i != source.size(); ++i)
    source[i] = uint32_t(1000 + i);
  uint64_t in = upload(memory, source, "in");
  LaunchConfig c;
  c.block = {s.threads};
  c.grid = {s.blocks};
  c.cluster = s.cluster;
  c.args.add(out).add(in);
  c.options = options;
  c.options.checkRaces = checkRaces;
  c.options.checkUninitialized = false; // the checker must do without
  return launch(*m, memory, c);
}

template <typename F> void everySchedule(F f) {
  for (Schedule schedule : {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse, Schedule::Random})
    for (AsyncTiming timing : {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random}) {
      LaunchOptions o;
      o.schedule = schedule;
      o.asyncTiming = timing;
      o.seed = 7;
      f(o);
    }
}

void clean(const std::string &body, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    EXPECT_TRUE(r.ok) << reports(r) << body;
  });
}

/// Some report has this kind and these words in it.
void reported(const std::string &body, ReportKind kind, const std::string &words, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    bool found = false;
    for (const Report &report : r.reports)
      found |= report.kind == kind && report.str().find(words) != std::string::npos;
    EXPECT_TRUE(found) << scheduleName(o.schedule) << ", timing " << int(o.asyncTiming) << ": expected '" << words
                       << "', got:\n"
                       << reports(r) << body;
  });
}

/// Some report says that a copy and a thread touch the same bytes without order, whoever comes second.
void conflict(const std::string &body, Shape s = {}) {
  everySchedule([&](LaunchOptions o) {
    LaunchResult r = run(body, o, s);
    bool found = false;
    for (const Report &report : r.reports)
      found |= (report.kind == ReportKind::Async || report.kind == ReportKind::Race) &&
               report.str().find("cp.async.bulk") != std::string::npos;
    EXPECT_TRUE(found) << scheduleName(o.schedule) << ", timing " << int(o.asyncTiming) << ", got:\n" << reports(r) << body;
  });
}

std::string without(std::string text, const std::string &what) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.erase(at, what.size());
}
std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

//===----------------------------------------------------------------------===//
// Threads of a block
//===----------------------------------------------------------------------===//

// Each thread reads what another warp's thread wrote, then all overwrite.
const char *const exchange = R"(
    st.shared.u32 [%r4], %r0;
    bar.sync 0; // A
    ld.shared.u32 %r10, [%r6];
    bar.sync 0; // B
    st.shared.u32 [%r4], %r10;
    ret;
)";

TEST(EmulatorRace, Barrier) {
  clean(exchange);
  reported(without(exchange, "bar.sync 0; // A"), ReportKind::Race, "no barrier or other synchronisation");
  reported(without(exchange, "bar.sync 0; // B"), ReportKind::Race, "no barrier or other synchronisation");
}

TEST(EmulatorRace, ReportNamesBothSides) {
  LaunchResult r = run(without(exchange, "bar.sync 0; // A"), {});
  const Report *report = findReport(r, ReportKind::Race);
  ASSERT_TRUE(report);
  std::string text = report->str();
  for (const char *part : {"shared address 0x", "of 'buf')", "thread (", "of warp ", "st.shared.u32 [%r4], %r0",
                           "ld.shared.u32 %r10, [%r6]", "block (0,0,0)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(EmulatorRace, Loops) {
  // A double buffer needs one barrier per iteration, a single one two.
  const char *const twice = R"(
    mov.u32 %r10, 0; mov.u32 %r12, 0;
LOOP:
    and.b32 %r11, %r10, 1; shl.b32 %r11, %r11, 8;
    add.u32 %r13, %r4, %r11; add.u32 %r14, %r6, %r11;
    add.u32 %r20, %r10, %r0;
    st.shared.u32 [%r13], %r20;
    bar.sync 0; // A
    ld.shared.u32 %r15, [%r14];
    add.u32 %r12, %r12, %r15;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p0, %r10, 6; @%p0 bra LOOP;
    st.global.u32 [%rd2], %r12;
    ret;
)";
  clean(twice);
  reported(without(twice, "bar.sync 0; // A"), ReportKind::Race, "no barrier");
  reported(replaced(twice, "shl.b32 %r11, %r11, 8", "mov.u32 %r11, 0"), ReportKind::Race, "no barrier");
}

TEST(EmulatorRace, LanesOfAWarp) {
  const char *const lanes = R"(
    xor.b32 %r10, %r0, 1; shl.b32 %r10, %r10, 2; add.u32 %r10, %r7, %r10;
    st.shared.u32 [%r4], %r0;
    bar.warp.sync 0xffffffff; // A
    ld.shared.u32 %r11, [%r10];
    st.global.u32 [%rd2], %r11;
    ret;
)";
  clean(lanes);
  reported(without(lanes, "bar.warp.sync 0xffffffff; // A"), ReportKind::Race, "lanes of one warp");
  // Half of the warp meets: enough for pairs inside of a half, not for pairs across.
  const char *const halves = R"(
    and.b32 %r12, %r0, 16; setp.ne.u32 %p0, %r12, 0;
    xor.b32 %r10, %r0, 1; shl.b32 %r10, %r10, 2; add.u32 %r10, %r7, %r10;
    st.shared.u32 [%r4], %r0;
    @%p0 bra UPPER;
    bar.warp.sync 0x0000ffff;
    bra JOIN;
UPPER:
    bar.warp.sync 0xffff0000;
JOIN:
    ld.shared.u32 %r11, [%r10];
    ret;
)";
  clean(halves);
  reported(replaced(halves, "xor.b32 %r10, %r0, 1", "xor.b32 %r10, %r0, 16"), ReportKind::Race, "lanes of one warp");
}

TEST(EmulatorRace, BytesOfAWord) {
  // Neighbours in one word do not conflict.
  const char *const bytes = R"(
    add.u32 %r10, %r7, %r0; shl.b32 %r11, %r0, 1; add.u32 %r11, %r7, %r11;
    st.shared.u8 [%r10], %r0;
    st.shared.u16 [%r11+512], %r0;
    bar.sync 0;
    ld.shared.u32 %r12, [%r7];
    ret;
)";
  clean(bytes);
  reported(replaced(bytes, "[%r11+512]", "[%r11+60]"), ReportKind::Race, "no");
}

TEST(EmulatorRace, SameValue) {
  clean("st.shared.u32 [%r7], 5; bar.sync 0; ld.shared.u32 %r10, [%r7]; ret;");
  reported("st.shared.u32 [%r7], %r0; ret;", ReportKind::Race, "lanes of one warp");
  reported("shr.u32 %r10, %r0, 5; st.shared.u32 [%r7], %r10; ret;", ReportKind::Race, "no barrier");
  clean("and.b32 %r10, %r0, 0; mov.b64 %rd5, {%r10, %r10}; st.shared.v2.b32 [%r7], {%r10, %r10}; ret;");
}

TEST(EmulatorRace, NamedBarriers) {
  // Warp 0 produces, warp 1 consumes: bar.arrive and bar.sync with a count, in both directions.
  const char *const named = R"(
    setp.ge.u32 %p1, %r0, 32; and.b32 %r20, %r0, 31; shl.b32 %r21, %r20, 2; add.u32 %r21, %r7, %r21;
    xor.b32 %r22, %r20, 3; shl.b32 %r22, %r22, 2; add.u32 %r22, %r7, %r22;
    mov.u32 %r10, 0;
    @%p1 bra CONSUME;
PRODUCE:
    bar.sync 2, 64; // empty
    add.u32 %r11, %r10, %r20;
    st.shared.u32 [%r21], %r11;
    bar.arrive 1, 64; // full
    add.u32 %r10, %r10, 1; setp.lt.u32 %p0, %r10, 4; @%p0 bra PRODUCE;
    bra END;
CONSUME:
    bar.arrive 2, 64;
    bar.sync 1, 64;
    ld.shared.u32 %r12, [%r22];
    add.u32 %r10, %r10, 1; setp.lt.u32 %p0, %r10, 4; @%p0 bra CONSUME;
END:
    ret;
)";
  clean(named);
  // The consumer says too early that the buffer is empty.
  reported(replaced(replaced(named, "ld.shared.u32 %r12, [%r22];", ""), "bar.sync 1, 64;",
                    "bar.sync 1, 64; bar.arrive 2, 64; ld.shared.u32 %r12, [%r22];"),
           ReportKind::Race, "no barrier");
}

TEST(EmulatorRace, Reduction) {
  const char *const red = R"(
    st.shared.u32 [%r4], %r0;
    setp.eq.u32 %p0, %r0, 0;
    bar.red.popc.u32 %r10, 0, %p0;
    ld.shared.u32 %r11, [%r6];
    ret;
)";
  clean(red);
}

TEST(EmulatorRace, Global) {
  const char *const global = R"(
    xor.b32 %r10, %r0, 32; mul.wide.u32 %rd5, %r10, 4; add.u64 %rd5, %rd0, %rd5;
    st.global.u32 [%rd2], %r0;
    bar.sync 0;
    ld.global.u32 %r11, [%rd5];
    ret;
)";
  clean(global);
  reported(without(global, "bar.sync 0;"), ReportKind::Race, "of 'out'");
  // Generic addresses reach the same bytes.
  reported(replaced(without(global, "bar.sync 0;"), "ld.global.u32", "ld.u32"), ReportKind::Race, "of 'out'");
}

//===----------------------------------------------------------------------===//
// Synchronisation through memory
//===----------------------------------------------------------------------===//

// Warp 0 writes data and raises a flag, warp 1 waits for the flag and reads.
const char *const flag = R"(
    setp.eq.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32; setp.eq.u32 %p3, %r0, 32;
    mov.u32 %r9, bar;
    @%p0 st.shared.u32 [%r9], 0;
    bar.sync 0;
    @%p1 bra SPIN;
    @!%p0 bra END;
    st.shared.u32 [%r7], 42;
    st.release.cta.shared.u32 [%r9], 1;
    bra END;
SPIN:
    @!%p3 bra END;
AGAIN:
    ld.acquire.cta.shared.u32 %r10, [%r9];
    setp.eq.u32 %p2, %r10, 0; @%p2 bra AGAIN;
    ld.shared.u32 %r11, [%r7];
END:
    ret;
)";

TEST(EmulatorRace, ReleaseAcquire) {
  clean(flag);
  reported(replaced(flag, "st.release.cta", "st.relaxed.cta"), ReportKind::Race, "no barrier");
  reported(replaced(flag, "ld.acquire.cta", "ld.relaxed.cta"), ReportKind::Race, "no barrier");
  // A weak flag is a race itself.
  reported(replaced(flag, "st.release.cta.shared.u32", "st.shared.u32"), ReportKind::Race, "no barrier");
  // Fences around relaxed accesses (PTX ISA: release and acquire patterns).
  std::string fences = replaced(replaced(flag, "st.release.cta.shared.u32", "fence.acq_rel.cta; st.relaxed.cta.shared.u32"),
                                "ld.acquire.cta", "ld.relaxed.cta");
  fences = replaced(fences, "ld.shared.u32 %r11", "fence.acq_rel.cta; ld.shared.u32 %r11");
  clean(fences);
  reported(replaced(fences, "fence.acq_rel.cta; st", "st"), ReportKind::Race, "no barrier");
  reported(replaced(fences, "fence.acq_rel.cta; ld.shared", "ld.shared"), ReportKind::Race, "no barrier");
  // Volatile accesses with membar, as older CUDA code has it.
  std::string old = replaced(replaced(fences, "st.relaxed.cta.shared", "st.volatile.shared"), "ld.relaxed.cta.shared", "ld.volatile.shared");
  clean(replaced(replaced(old, "fence.acq_rel.cta; st", "membar.cta; st"), "fence.acq_rel.cta; ld", "membar.cta; ld"));
}

TEST(EmulatorRace, Atomics) {
  clean("atom.shared.add.u32 %r10, [%r7], 1; bar.sync 0; ld.shared.u32 %r11, [%r7]; ret;");
  clean("red.global.add.u32 [%rd0], 1; ret;", {.threads = 64, .blocks = 3});
  reported("atom.shared.add.u32 %r10, [%r7], 1; ld.shared.u32 %r11, [%r7]; ret;", ReportKind::Race, "");
  // Scopes must include each other.
  reported("red.relaxed.cta.global.add.u32 [%rd0], 1; ret;", ReportKind::Race, "scopes", {.threads = 32, .blocks = 3});
  // A lock around ordinary accesses, one thread of each warp.
  const char *const lock = R"(
    and.b32 %r10, %r0, 31; setp.ne.u32 %p0, %r10, 0; mov.u32 %r9, bar;
    setp.eq.u32 %p1, %r0, 0;
    @%p1 st.shared.u32 [%r9], 0;
    @%p1 st.shared.u32 [%r7], 0;
    bar.sync 0;
    @%p0 bra END;
TAKE:
    atom.acquire.cta.shared.cas.b32 %r11, [%r9], 0, 1;
    setp.ne.u32 %p2, %r11, 0; @%p2 bra TAKE;
    ld.shared.u32 %r12, [%r7]; add.u32 %r12, %r12, 1; st.shared.u32 [%r7], %r12;
    atom.release.cta.shared.exch.b32 %r13, [%r9], 0;
END:
    ret;
)";
  clean(lock);
  reported(replaced(lock, "atom.acquire.cta", "atom.relaxed.cta"), ReportKind::Race, "no barrier");
  reported(replaced(lock, "atom.release.cta", "atom.relaxed.cta"), ReportKind::Race, "no barrier");
}

TEST(EmulatorRace, Blocks) {
  Shape three{.threads = 32, .blocks = 3};
  reported("mul.wide.u32 %rd5, %r0, 4; add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r3; ret;", ReportKind::Race,
           "blocks of a grid", three);
  clean("mul.wide.u32 %rd5, %r0, 4; add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r0; ret;", three);
  reported("st.global.u32 [%rd2], %r0; add.u64 %rd5, %rd2, 128; ld.global.u32 %r10, [%rd5]; ret;", ReportKind::Race, "", three);
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Blocks that learn of each other through many locations: what is known of earlier blocks must not multiply.
TEST(EmulatorRace, ManyLocationsManyBlocks) {
  const std::string body = R"(
and.b32 %r8, %r3, 31; mul.wide.u32 %rd3, %r8, 4; add.u64 %rd3, %rd0, %rd3;
atom.acq_rel.gpu.global.add.u32 %r9, [%rd3], 1;
shr.u32 %r10, %r3, 1; and.b32 %r10, %r10, 31; mul.wide.u32 %rd4, %r10, 4; add.u64 %rd4, %rd0, %rd4;
atom.acq_rel.gpu.global.add.u32 %r9, [%rd4], 1;
ret;)";
  LaunchOptions o;
  LaunchResult r = run(body, o, {64, 32});
  EXPECT_TRUE(r.ok) << reports(r);
}

TEST(EmulatorRace, CpAsync) {
  const char *const own = R"(
    mul.wide.u32 %rd5, %r0, 4; add.u64 %rd5, %rd1, %rd5;
    cp.async.ca.shared.global [%r4], [%rd5], 4;
    cp.async.commit_group;
    cp.async.wait_group 0;
    ld.shared.u32 %r10, [%r4];
    ret;
)";
  clean(own);
  reported(without(own, "cp.async.wait_group 0;"), ReportKind::Async, "cp.async.wait_group");
  reported(without(own, "cp.async.commit_group;"), ReportKind::Async, "cp.async.wait_group");
  // The wait speaks for the own thread only.
  reported(replaced(own, "ld.shared.u32 %r10, [%r4]", "ld.shared.u32 %r10, [%r6]"), ReportKind::Async, "a barrier for other threads");
  reported(replaced(own, "ld.shared.u32 %r10, [%r4]", "st.shared.u32 [%r6], %r0"), ReportKind::Async, "barrier");
  // What is copied must not be written meanwhile, nor be written without order before.
  reported(replaced(own, "cp.async.wait_group 0;", "st.global.u32 [%rd5], %r0; cp.async.wait_group 0;"), ReportKind::Async, "");
  reported(replaced(own, "cp.async.ca", "st.shared.u32 [%r6], %r0; cp.async.ca"), ReportKind::Race, "");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

TEST(EmulatorRace, Cluster) {
  Shape pair{.threads = 32, .blocks = 2, .cluster = {2}};
  const char *const exchange = R"(
    mov.u32 %r10, %cluster_ctarank; xor.b32 %r10, %r10, 1;
    mapa.shared::cluster.u32 %r11, %r4, %r10;
    barrier.cluster.arrive; barrier.cluster.wait; // start
    st.shared::cluster.u32 [%r11], %r0;
    barrier.cluster.arrive; // A
    barrier.cluster.wait;
    ld.shared.u32 %r12, [%r4];
    ret;
)";
  clean(exchange, pair);
  reported(replaced(exchange, "barrier.cluster.arrive; // A", "barrier.cluster.arrive.relaxed;"), ReportKind::Race, "barrier.cluster", pair);
  // A fence in front releases as well.
  clean(replaced(exchange, "barrier.cluster.arrive; // A", "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;"), pair);
  reported(replaced(exchange, "barrier.cluster.arrive; // A", "fence.acq_rel.cta; barrier.cluster.arrive.relaxed;"), ReportKind::Race, "", pair);
  // The other block may have exited.
  const char *const late = R"(
    mov.u32 %r10, %cluster_ctarank; xor.b32 %r10, %r10, 1;
    mapa.shared::cluster.u32 %r11, %r4, %r10;
    st.shared.u32 [%r4], %r0;
    barrier.cluster.arrive; barrier.cluster.wait;
    ld.shared::cluster.u32 %r12, [%r11];
    barrier.cluster.arrive; barrier.cluster.wait; // end
    ret;
)";
  clean(late, pair);
  reported(without(late, "barrier.cluster.arrive; barrier.cluster.wait; // end"), ReportKind::Race, "exit", pair);
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//

/// A block must not be gone when others arrive at its mbarrier, before or after: whoever comes first.
TEST(EmulatorRace, ArrivalAtABlockThatExits) {
  auto body = [](const std::string &end) {
    return R"(
setp.ne.u32 %p0, %r0, 0; mov.u32 %r8, bar; @!%p0 mbarrier.init.shared::cta.b64 [%r8], 8;
barrier.cluster.arrive; barrier.cluster.wait;
mov.u32 %r9, %cluster_ctarank; setp.eq.or.u32 %p1, %r9, 0, %p0; mov.u32 %r10, 0; mapa.shared::cluster.u32 %r11, %r8, %r10;
@!%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11];
)" + end + "ret;";
  };
  clean(body("barrier.cluster.arrive; barrier.cluster.wait;\n"), {64, 2, {2}});
  reported(body(""), ReportKind::Race, "exit", {64, 2, {2}});
}

TEST(EmulatorRace, Mbarrier) {
  const char *const arrive = R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared::cta.b64 [bar], 64;
    bar.sync 0; // init
    st.shared.u32 [%r4], %r0;
    mbarrier.arrive.shared::cta.b64 %rd5, [bar];
WAIT:
    mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd5;
    @!%p1 bra WAIT;
    ld.shared.u32 %r10, [%r6];
    ret;
)";
  clean(arrive);
  reported(replaced(arrive, "mbarrier.arrive.shared::cta.b64 %rd5, [bar];", "mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd5, [bar];"),
           ReportKind::Race, "");
  reported(replaced(arrive, "mbarrier.try_wait.shared::cta.b64", "mbarrier.try_wait.relaxed.cta.shared::cta.b64"), ReportKind::Race, "");
  // One lane of each warp arrives, and speaks for itself only.
  std::string elected = replaced(replaced(arrive, "[bar], 64;", "[bar], 2;"), "mbarrier.arrive.shared::cta.b64 %rd5, [bar];",
                                 "and.b32 %r12, %r0, 31; setp.eq.u32 %p2, %r12, 0; bar.warp.sync -1; // A\n"
                                 "@%p2 mbarrier.arrive.shared::cta.b64 _, [bar];");
  elected = replaced(elected, "mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd5", "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0");
  clean(elected);
  reported(without(elected, "bar.warp.sync -1;"), ReportKind::Race, "");
}

TEST(EmulatorRace, MbarrierInitIsNotOrdered) {
  // Warp 1 may come to the object before warp 0 has made it; only some schedules get that far.
  LaunchOptions o;
  o.schedule = Schedule::Forward;
  LaunchResult r = run(R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared::cta.b64 [bar], 63;
    @!%p0 mbarrier.arrive.shared::cta.b64 _, [bar];
    ret;
)",
                       o);
  EXPECT_TRUE(hasReport(r, ReportKind::Race)) << reports(r);
}

TEST(EmulatorRace, MbarrierMemoryReused) {
  const char *const reuse = R"(
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared::cta.b64 [bar], 64;
    bar.sync 0;
    mbarrier.arrive.shared::cta.b64 %rd5, [bar];
WAIT:
    mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd5;
    @!%p1 bra WAIT;
    bar.sync 0; // A
    @%p0 mbarrier.inval.shared::cta.b64 [bar];
    ret;
)";
  clean(reuse);
  LaunchOptions o;
  o.schedule = Schedule::Reverse;
  LaunchResult r = run(without(reuse, "bar.sync 0; // A"), o);
  EXPECT_TRUE(hasReport(r, ReportKind::Race) || hasReport(r, ReportKind::Mbarrier)) << reports(r);
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

const char *const bulkLoad = R"(
    setp.eq.u32 %p0, %r0, 0; mov.u32 %r9, bar;
    @!%p0 bra READY;
    mbarrier.init.shared::cta.b64 [bar], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%rd1], 256, [%r9];
READY:
    bar.sync 0;
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; // A
    @!%p1 bra WAIT;
    ld.shared.u32 %r10, [%r4];
    ret;
)";

TEST(EmulatorRace, BulkLoad) {
  clean(bulkLoad);
  reported(replaced(bulkLoad, "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; // A", "setp.eq.u32 %p1, 0, 0;"),
           ReportKind::Async, "");
  reported(without(bulkLoad, "fence.mbarrier_init.release.cluster;"), ReportKind::Proxy, "fence.mbarrier_init or fence.proxy.async");
  clean(replaced(bulkLoad, "fence.mbarrier_init.release.cluster;", "fence.proxy.async.shared::cta;"));
  // Memory that threads have written before needs the proxy fence, what they have read does not.
  reported(replaced(bulkLoad, "mov.u32 %r9, bar;", "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; bar.sync 0;"), ReportKind::Proxy,
           "fence.proxy.async");
  clean(replaced(bulkLoad, "mov.u32 %r9, bar;",
                 "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; ld.shared.u32 %r11, [%r6]; bar.sync 0;"));
  reported(replaced(bulkLoad, "mov.u32 %r9, bar;",
                    "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; ld.shared.u32 %r11, [%r6];"),
           ReportKind::Race, "must be waited for before the operation is issued");
  // The fence may also stand behind the barrier, in the thread that issues the copy.
  clean(replaced(bulkLoad, "fence.mbarrier_init.release.cluster;", "fence.proxy.async;"));
}

TEST(EmulatorRace, BulkStore) {
  const char *const store = R"(
    setp.eq.u32 %p0, %r0, 0;
    st.shared.u32 [%r4], %r0;
    fence.proxy.async.shared::cta;
    bar.sync 0; // A
    @%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r7], 256;
    @%p0 cp.async.bulk.commit_group;
    @%p0 cp.async.bulk.wait_group.read 0;
    bar.sync 0; // B
    st.shared.u32 [%r4], %r0;
    ret;
)";
  clean(store);
  reported(without(store, "fence.proxy.async.shared::cta;"), ReportKind::Proxy, "fence.proxy.async");
  reported(without(store, "bar.sync 0; // A"), ReportKind::Race, "");
  // Which of the two sides comes second, and with it the wording, depends on the moment of the copy.
  conflict(without(store, "@%p0 cp.async.bulk.wait_group.read 0;"));
  conflict(without(store, "bar.sync 0; // B"));
  // The destination is complete only after the full wait.
  conflict(replaced(store, "bar.sync 0; // B", "bar.sync 0; ld.global.u32 %r10, [%rd2];"));
  clean(replaced(replaced(store, "wait_group.read", "wait_group"), "bar.sync 0; // B", "bar.sync 0; ld.global.u32 %r10, [%rd2];"));
  // No block may go while its shared memory is read.
  std::string last = without(store, "bar.sync 0; // B\n    st.shared.u32 [%r4], %r0;");
  clean(last);
  reported(without(last, "@%p0 cp.async.bulk.wait_group.read 0;"), ReportKind::Async, "exit");
}

//===----------------------------------------------------------------------===//
// Deadlocks
//===----------------------------------------------------------------------===//

TEST(EmulatorRace, DeadlockNamesTheMissing) {
  reported(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 ret;
    bar.sync 1, 64;
    ret;
)",
           ReportKind::Deadlock, "not there: warp 1, which has exited");
  reported(R"(
    setp.ge.u32 %p0, %r0, 32; setp.eq.u32 %p1, %r0, 0;
    @%p1 mbarrier.init.shared::cta.b64 [bar], 32;
    bar.sync 0;
    mov.u32 %r10, 0;
    @%p0 bra CONSUME;
    mbarrier.arrive.shared::cta.b64 _, [bar];
    ret;
CONSUME:
    and.b32 %r11, %r10, 1;
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %r11;
    @!%p2 bra WAIT;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 2; @%p3 bra CONSUME;
    ret;
)",
           ReportKind::Deadlock, "reached only in earlier phases by the arrival of line");
}


// Words of many lines at once; the lines have been touched before.
TEST(EmulatorRace, ScatteredWords) {
  // Lanes 0, 8, 16 and 24 meet.
  const char *meet = R"(
    shl.b32 %r10, %r0, 7; and.b32 %r10, %r10, 1023; add.u32 %r10, %r7, %r10;
    ld.shared.u32 %r11, [%r10+4];
    ld.shared.u32 %r11, [%r10];
    setp.eq.u32 %p1, %r0, 24;
    bar.warp.sync -1;
    @%p1 st.shared.u32 [%r10], %r0;
    ret;
)";
  clean(meet, {.threads = 32});
  reported(without(meet, "bar.warp.sync -1;"), ReportKind::Race, "line 18", {.threads = 32});
  // The second block reads, and then overwrites, what the first one has read.
  const char *blocks = R"(
    mul.wide.u32 %rd3, %r0, 128; add.u64 %rd3, %rd0, %rd3;
    ld.global.u32 %r10, [%rd3];
    setp.eq.u32 %p1, %r1, 1;
    @%p1 st.global.u32 [%rd3], %r0;
    ret;
)";
  clean(without(blocks, "@%p1 st.global.u32 [%rd3], %r0;"), {.threads = 32, .blocks = 2});
  reported(blocks, ReportKind::Race, "of block (0,0,0)", {.threads = 32, .blocks = 2});
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// Variables of different kernels share addresses, unsized arrays always do.
TEST(EmulatorRace, NamesWhatTheKernelUses) {
  auto m = parse(ptx(R"(
.shared .align 4 .b32 foreign[64];
.shared .align 4 .b32 mine[64];
.extern .shared .align 16 .b8 front[];
.extern .shared .align 16 .b8 back[];
.visible .entry other() { .reg .b32 %r<2>; st.shared.b32 [foreign], 1; ret; }
.visible .entry k() {
.reg .b32 %r<8>; .reg .pred %p;
mov.u32 %r0, %tid.x;
setp.ge.u32 %p, %r0, 32;
@%p st.shared.b32 [mine+8], %r0;
@%p st.shared.b32 [front+4], %r0;
@!%p ld.shared.b32 %r1, [mine+8];
@!%p ld.shared.b32 %r2, [back+4];
ret; }
)"));
  ASSERT_TRUE(m);
  Memory memory;
  LaunchConfig c;
  c.kernel = "k";
  c.block = {64};
  c.dynamicSharedBytes = 64;
  c.options.checkRaces = true;
  c.options.checkUninitialized = false;
  LaunchResult r = launch(*m, memory, c);
  std::string text = reports(r);
  EXPECT_NE(text.find("(byte 8 of 'mine')"), std::string::npos) << text;
  EXPECT_NE(text.find("(byte 4 of dynamic shared memory 'front', 'back')"), std::string::npos) << text;
  EXPECT_EQ(text.find("foreign"), std::string::npos) << text;
}

//===----------------------------------------------------------------------===//
// Memory use
//===----------------------------------------------------------------------===//

/// Resident bytes of this process; 0 where the system does not tell.
size_t resident() {
  size_t all = 0, here = 0;
  if (FILE *f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu %zu", &all, &here) != 2)
      here = 0;
    std::fclose(f);
  }
  return here * 4096;
}

// Memory grows with what is used, not with the grid.
TEST(EmulatorRace, HugeGrid) {
  const char *body = R"(
    st.shared.u32 [%r4], %r0;
    bar.sync 0;
    ld.shared.u32 %r10, [%r4];
    ld.global.u32 %r11, [%rd1];
    red.relaxed.gpu.global.add.u32 [%rd0+64], %r11;
    setp.ne.u32 %p1, %r0, 0;
    @%p1 ret;
    st.global.u32 [%rd0], 7;
    ret;
)";
  for (bool check : {false, true}) {
    // What a tenth of the grid needs is enough for all.
    size_t tenth = 0, most = 0;
    LaunchOptions o;
    o.hostThreads = 1;
    o.progress = [&](uint64_t done, uint64_t total) {
      if (done % 64)
        return;
      most = std::max(most, resident());
      if (done <= total / 10)
        tenth = most;
    };
    Shape s;
    s.threads = 32;
    s.blocks = 1 << 17;
    LaunchResult r = run(body, o, s, check);
    EXPECT_TRUE(r.ok) << reports(r);
    EXPECT_EQ(r.stats.blocks, s.blocks);
    EXPECT_LT(most, tenth + (1 << 20)) << (check ? "with" : "without") << " the race checker";
  }
}

//===----------------------------------------------------------------------===//
// Random programs against the definition of a race
//===----------------------------------------------------------------------===//

/// Every thread executes the same steps. Two accesses of different threads to one byte, one of them a store, race if
/// they are in one step, or if no barrier of both threads is between their steps. No two threads store equal bytes.
struct Step {
  enum Kind { Load, Store, Barrier, WarpBarrier, PairBarrier } kind; ///< PairBarrier: warps 0 and 1
  unsigned bytes, mul, add, range, laneMask, laneValue, blocks;      ///< blocks: a bit for each that takes part
  bool global;
  uint32_t address(uint32_t tid) const { return (tid * mul + add) % range * bytes; }
  bool active(uint32_t tid, uint32_t block) const { return (tid & laneMask) == laneValue && blocks >> block & 1; }
};

std::string text(const std::vector<Step> &steps, unsigned threads) {
  // %r20: different for all threads of the grid.
  std::string s = "setp.lt.u32 %p2, %r0, 64; mad.lo.u32 %r20, %r1, " + std::to_string(threads) +
                  ", %r0; mul.lo.u32 %r12, %r20, 0x01010101; mov.b64 %rd10, {%r12, %r12};\n";
  auto str = [](unsigned v) { return std::to_string(v); };
  for (const Step &x : steps) {
    if (x.kind >= Step::Barrier) {
      s += x.kind == Step::Barrier ? "bar.sync 0;\n" : x.kind == Step::WarpBarrier ? "bar.warp.sync -1;\n" : "@%p2 bar.sync 1, 64;\n";
      continue;
    }
    s += "mad.lo.u32 %r10, %r0, " + str(x.mul) + ", " + str(x.add) + "; rem.u32 %r10, %r10, " + str(x.range) +
         "; mul.lo.u32 %r10, %r10, " + str(x.bytes) + "; and.b32 %r11, %r0, " + str(x.laneMask) + "; setp.eq.u32 %p1, %r11, " +
         str(x.laneValue) + "; shr.u32 %r11, " + str(x.blocks) + ", %r1; and.b32 %r11, %r11, 1; setp.ne.and.u32 %p1, %r11, 0, %p1;\n";
    std::string at = x.global ? "[%rd12]" : "[%r13]";
    s += x.global ? "cvt.u64.u32 %rd11, %r10; add.u64 %rd12, %rd0, %rd11;\n" : "add.u32 %r13, %r7, %r10;\n";
    std::string type = std::string(x.global ? "global." : "shared.") + (x.bytes == 16 ? "v4.b32 " : "b" + str(8 * x.bytes) + " ");
    if (x.kind == Step::Store)
      s += "@%p1 st." + type + at + ", " + (x.bytes == 16 ? "{%r12, %r12, %r12, %r12}" : x.bytes == 8 ? "%rd10" : "%r12") + ";\n";
    else
      s += "@%p1 ld." + type + (x.bytes == 16 ? "{%r14, %r15, %r16, %r17}" : x.bytes == 8 ? "%rd13" : "%r14") + ", " + at + ";\n";
  }
  return s + "ret;\n";
}

bool hasRace(const std::vector<Step> &steps, unsigned threads, unsigned blocks) {
  for (size_t i = 0; i != steps.size(); ++i)
    for (size_t j = i; j != steps.size(); ++j) {
      const Step &a = steps[i], &b = steps[j];
      if (a.kind > Step::Store || b.kind > Step::Store || a.global != b.global || (a.kind == Step::Load && b.kind == Step::Load))
        continue;
      bool block = false, warp = false, pair = false;
      for (size_t k = i; k < j; ++k) {
        block |= steps[k].kind == Step::Barrier;
        warp |= steps[k].kind == Step::WarpBarrier;
        pair |= steps[k].kind == Step::PairBarrier;
      }
      for (uint32_t s = 0; s != threads; ++s)
        for (uint32_t t = 0; t != threads; ++t) {
          if (a.address(s) >= b.address(t) + b.bytes || b.address(t) >= a.address(s) + a.bytes)
            continue;
          for (uint32_t g = 0; g != blocks; ++g)
            for (uint32_t h = 0; h != blocks; ++h) {
              if (!a.active(s, g) || !b.active(t, h))
                continue;
              if (g != h ? a.global : s != t && !block && !(warp && s / 32 == t / 32) && !(pair && s < 64 && t < 64))
                return true;
            }
        }
    }
  return false;
}

TEST(EmulatorRace, RandomPrograms) {
  Rng rng(2026);
  unsigned racy = 0, clean = 0;
  for (int round = 0; round != 6000; ++round) {
    unsigned threads = 32 << rng.next() % 3, blocks = rng.next() % 4 ? 1 : 2;
    // Few accesses by few threads: most programs with a race have only one.
    bool small = rng.next() % 4;
    std::vector<Step> steps;
    unsigned count = small ? 2 + rng.next() % 4 : 3 + rng.next() % 10, barriers = rng.next() % 4;
    for (unsigned k = 0; k != count; ++k) {
      Step s{};
      unsigned what = rng.next() % 8;
      s.kind = what < 3                     ? Step::Load
               : what < 5                   ? Step::Store
               : what < 5 + barriers        ? Step::Barrier
               : rng.next() % 2 || threads < 64 ? Step::WarpBarrier
                                            : Step::PairBarrier;
      s.bytes = rng.next() % 2 ? 4 : 1u << rng.next() % 5;
      // Mostly one place per thread, so that some programs are right.
      unsigned style = rng.next() % 8;
      s.mul = style < 4 ? 1 : style == 4 ? 0 : style == 5 ? 37 : unsigned(rng.next() % 8);
      s.add = style < 4 ? 0 : unsigned(rng.next() % 64);
      s.range = style < 6 ? 256 : 1 + unsigned(rng.next() % 200);
      s.laneMask = unsigned(rng.next() % 3 ? rng.next() % 128 : small ? 127 : 0);
      s.laneValue = s.laneMask & unsigned(rng.next()) & (threads - 1);
      s.blocks = rng.next() % 2 ? 3 : unsigned(1 + rng.next() % 2);
      s.global = rng.next() % 4 == 0;
      if (style == 5) {
        // Lanes of a warp meet at words of different lines.
        s.mul = 32u << rng.next() % 2;
        s.range = 256;
      }
      if (k && rng.next() % 3 == 0) {
        // Where the step before was, too, but a thread or two.
        const Step &last = steps.back();
        s.bytes = last.bytes;
        s.mul = last.mul;
        s.add = last.add;
        s.range = last.range;
        s.global = last.global;
        s.blocks = 3;
        s.laneMask = threads - 1 - unsigned(rng.next() % 2) * 8;
        s.laneValue = s.laneMask & unsigned(rng.next());
      }
      steps.push_back(s);
    }
    bool expected = hasRace(steps, threads, blocks);
    (expected ? racy : clean)++;
    LaunchOptions o;
    o.schedule = round % 2 ? Schedule::RoundRobin : Schedule::Random;
    o.seed = unsigned(round);
    Shape shape;
    shape.threads = threads;
    shape.blocks = blocks;
    LaunchResult r = run(text(steps, threads), o, shape);
    EXPECT_EQ(!r.ok, expected) << "round " << round << ", " << threads << " threads, " << blocks << " blocks\n"
                               << reports(r) << text(steps, threads);
    if (HasFailure())
      return;
  }
  EXPECT_GT(racy, 900u);
  EXPECT_GT(clean, 900u);
}

} // namespace
