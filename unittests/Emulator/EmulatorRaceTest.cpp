//===- EmulatorRaceTest.cpp - The race checker ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels come in pairs: one that is right, which must stay without a report, and one with a synchronisation removed
// or weakened, which must be reported whatever the schedule.
//
//===----------------------------------------------------------------------===//
#include "RaceTestUtil.h"

#include <algorithm>

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::race;

namespace {

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
  // By the ISA no other instruction of a warp orders memory; on the hardware one that all lanes execute does, for its
  // lanes.
  for (const char *meet : {"vote.sync.ballot.b32 %r11, %p0, 0xffffffff;", "match.any.sync.b32 %r11, %r1, 0xffffffff;",
                           "redux.sync.add.u32 %r11, %r0, 0xffffffff;"}) {
    std::string met =
        replaced(lanes, "bar.warp.sync 0xffffffff; // A", std::string("setp.eq.u32 %p0, %r0, 0; ") + meet);
    reported(met, ReportKind::Race, "lanes of one warp");
    LaunchOptions hardware;
    hardware.rules = Rules::Hardware;
    LaunchResult r = run(met, hardware);
    EXPECT_TRUE(r.ok) << meet << "\n" << reports(r);
    // Not for those of another warp.
    r = run(replaced(met, "xor.b32 %r10, %r0, 1", "xor.b32 %r10, %r0, 33"), hardware);
    EXPECT_TRUE(hasReport(r, ReportKind::Race)) << meet;
  }
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
  std::string fences =
      replaced(replaced(flag, "st.release.cta.shared.u32", "fence.acq_rel.cta; st.relaxed.cta.shared.u32"),
               "ld.acquire.cta", "ld.relaxed.cta");
  fences = replaced(fences, "ld.shared.u32 %r11", "fence.acq_rel.cta; ld.shared.u32 %r11");
  clean(fences);
  reported(replaced(fences, "fence.acq_rel.cta; st", "st"), ReportKind::Race, "no barrier");
  reported(replaced(fences, "fence.acq_rel.cta; ld.shared", "ld.shared"), ReportKind::Race, "no barrier");
  // Volatile accesses with membar, as older CUDA code has it.
  std::string old = replaced(replaced(fences, "st.relaxed.cta.shared", "st.volatile.shared"), "ld.relaxed.cta.shared",
                             "ld.volatile.shared");
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

/// A vector is as many scalar accesses (PTX ISA, "Memory Consistency Model", vector and packed types), and each of them
/// counts.
TEST(EmulatorRace, VectorReductions) {
  Shape blocks{.threads = 1, .blocks = 3};
  const std::string sums[] = {"red.relaxed.gpu.global.add.v4.f32 [%rd0], {%f0, %f0, %f0, %f0};",
                              "red.relaxed.gpu.global.add.noftz.v4.f16x2 [%rd0], {%r20, %r20, %r20, %r20};"};
  for (const std::string &sum : sums) {
    const std::string vector = "mov.f32 %f0, 0f3f800000; mov.u32 %r20, 0x3c003c00; setp.eq.u32 %p0, %r1, 1;\n";
    clean(vector + sum + " ret;", blocks);
    for (const char *at : {"%rd0", "%rd0+4", "%rd0+8", "%rd0+12"}) {
      // Another block at one of the elements: scalar reductions of the same scope go with it, plain accesses do not.
      auto other = [&](const std::string &access) { return vector + "@%p0 " + access + "\n@!%p0 " + sum + "\nret;"; };
      clean(other("red.relaxed.gpu.global.add.f32 [" + std::string(at) + "], %f0;"), blocks);
      reported(other("red.relaxed.cta.global.add.f32 [" + std::string(at) + "], %f0;"), ReportKind::Race, "scopes",
               blocks);
      reported(other("st.global.f32 [" + std::string(at) + "], %f0;"), ReportKind::Race, "blocks of a grid", blocks);
      reported(other("ld.global.f32 %f1, [" + std::string(at) + "];"), ReportKind::Race, "", blocks);
    }
    clean(vector + "@%p0 st.global.f32 [%rd0+16], %f0;\n@!%p0 " + sum + "\nret;", blocks);
  }
}

/// Halves of bytes, merged into words whose other bytes belong to other blocks (ExecAtomic.cpp, Part).
TEST(EmulatorRace, PartsOfWords) {
  Shape blocks{.threads = 1, .blocks = 16};
  const std::string merge = R"(
    shr.u32 %r8, %r1, 3; mul.wide.u32 %rd3, %r8, 4; add.u64 %rd3, %rd0, %rd3;
    and.b32 %r8, %r1, 7; shl.b32 %r8, %r8, 2; mov.u32 %r9, 15; shl.b32 %r9, %r9, %r8; not.b32 %r9, %r9;
    and.b32 %r10, %r1, 15; shl.b32 %r10, %r10, %r8;
    red.relaxed.gpu.global.and.b32 [%rd3], %r9;
    red.relaxed.gpu.global.or.b32 [%rd3], %r10;
    ret;
)";
  clean(merge, blocks);
  // Scopes count for halves of one byte.
  reported(replaced(merge, "red.relaxed.gpu.global.or", "red.relaxed.cta.global.or"), ReportKind::Race, "scopes",
           blocks);
  // Without atomics the other half may get lost.
  reported(replaced(merge, "red.relaxed.gpu.global.and.b32 [%rd3], %r9;",
                    "ld.global.u32 %r11, [%rd3]; and.b32 %r11, %r11, %r9; st.global.u32 [%rd3], %r11;"),
           ReportKind::Race, "blocks of a grid", blocks);
  // Whole bytes next to it may be written in any way, the byte itself may not.
  std::string plain = "setp.eq.u32 %p0, %r1, 2; @%p0 st.global.u8 [%rd0+BYTE], 7; @%p0 ret;" + merge;
  reported(replaced(plain, "BYTE", "1"), ReportKind::Race, "blocks of a grid", blocks);
  clean(replaced(plain, "BYTE", "1"), {.threads = 1, .blocks = 3});
  // Relaxed loads of a byte see its halves.
  clean("ld.relaxed.gpu.global.u8 %r20, [%rd0+3];" + merge, blocks);
  reported("ld.global.u8 %r20, [%rd0+3];" + merge, ReportKind::Race, "", blocks);
  // What an operation returns is read.
  reported("setp.eq.u32 %p0, %r1, 2; @%p0 st.global.u8 [%rd0+1], 7; @%p0 ret; atom.relaxed.gpu.global.or.b32 %r20, "
           "[%rd0], 0; ret;",
           ReportKind::Race, "blocks of a grid", {.threads = 1, .blocks = 3});
  // A compare-and-swap of higher bytes synchronises with accesses to the word.
  const char *const lock = R"(
TAKE:
    atom.acquire.gpu.global.cas.b32 %r11, [%rd0], 0, 256;
    setp.ne.u32 %p2, %r11, 0; @%p2 bra TAKE;
    ld.global.u32 %r12, [%rd0+4]; add.u32 %r12, %r12, 1; st.global.u32 [%rd0+4], %r12;
    st.release.gpu.global.u32 [%rd0], 0;
    ret;
)";
  clean(lock, {.threads = 1, .blocks = 4});
  reported(replaced(lock, "atom.acquire", "atom.relaxed"), ReportKind::Race, "blocks of a grid",
           {.threads = 1, .blocks = 4});
}

TEST(EmulatorRace, Blocks) {
  Shape three{.threads = 32, .blocks = 3};
  reported("mul.wide.u32 %rd5, %r0, 4; add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r3; ret;", ReportKind::Race,
           "blocks of a grid", three);
  clean("mul.wide.u32 %rd5, %r0, 4; add.u64 %rd5, %rd0, %rd5; st.global.u32 [%rd5], %r0; ret;", three);
  reported("st.global.u32 [%rd2], %r0; add.u64 %rd5, %rd2, 128; ld.global.u32 %r10, [%rd5]; ret;", ReportKind::Race, "",
           three);
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
  reported(replaced(own, "ld.shared.u32 %r10, [%r4]", "ld.shared.u32 %r10, [%r6]"), ReportKind::Async,
           "a barrier for other threads");
  reported(replaced(own, "ld.shared.u32 %r10, [%r4]", "st.shared.u32 [%r6], %r0"), ReportKind::Async, "barrier");
  // What is copied must not be written meanwhile, nor be written without order before.
  reported(replaced(own, "cp.async.wait_group 0;", "st.global.u32 [%rd5], %r0; cp.async.wait_group 0;"),
           ReportKind::Async, "");
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
  reported(replaced(exchange, "barrier.cluster.arrive; // A", "barrier.cluster.arrive.relaxed;"), ReportKind::Race,
           "barrier.cluster", pair);
  // A fence in front releases as well.
  clean(replaced(exchange, "barrier.cluster.arrive; // A", "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed;"),
        pair);
  reported(replaced(exchange, "barrier.cluster.arrive; // A", "fence.acq_rel.cta; barrier.cluster.arrive.relaxed;"),
           ReportKind::Race, "", pair);
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
  reported(replaced(arrive, "mbarrier.arrive.shared::cta.b64 %rd5, [bar];",
                    "mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd5, [bar];"),
           ReportKind::Race, "");
  reported(replaced(arrive, "mbarrier.try_wait.shared::cta.b64", "mbarrier.try_wait.relaxed.cta.shared::cta.b64"),
           ReportKind::Race, "");
  // One lane of each warp arrives, and speaks for itself only.
  std::string elected =
      replaced(replaced(arrive, "[bar], 64;", "[bar], 2;"), "mbarrier.arrive.shared::cta.b64 %rd5, [bar];",
               "and.b32 %r12, %r0, 31; setp.eq.u32 %p2, %r12, 0; bar.warp.sync -1; // A\n"
               "@%p2 mbarrier.arrive.shared::cta.b64 _, [bar];");
  elected = replaced(elected, "mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd5",
                     "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0");
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
  reported(without(bulkLoad, "fence.mbarrier_init.release.cluster;"), ReportKind::Proxy,
           "fence.mbarrier_init or fence.proxy.async");
  clean(replaced(bulkLoad, "fence.mbarrier_init.release.cluster;", "fence.proxy.async.shared::cta;"));
  // Memory that threads have written before needs the proxy fence, what they have read does not.
  reported(replaced(bulkLoad, "mov.u32 %r9, bar;", "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; bar.sync 0;"),
           ReportKind::Proxy, "fence.proxy.async");
  clean(replaced(bulkLoad, "mov.u32 %r9, bar;",
                 "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; ld.shared.u32 "
                 "%r11, [%r6]; bar.sync 0;"));
  reported(replaced(bulkLoad, "mov.u32 %r9, bar;",
                    "mov.u32 %r9, bar; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; "
                    "ld.shared.u32 %r11, [%r6];"),
           ReportKind::Race, "must be waited for before the operation is issued");
  // The fence may also stand after the barrier, in the thread that issues the copy.
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
  clean(replaced(replaced(store, "wait_group.read", "wait_group"), "bar.sync 0; // B",
                 "bar.sync 0; ld.global.u32 %r10, [%rd2];"));
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

} // namespace
