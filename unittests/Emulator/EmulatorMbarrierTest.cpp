//===- EmulatorMbarrierTest.cpp - mbarrier, clusters, async core -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

struct Outcome {
  LaunchResult result;
  std::vector<uint32_t> out;
};
struct Config {
  uint32_t threads = 64, words = 64, blocks = 1;
  Dim3 cluster;
  LaunchOptions options;
  std::string target = "sm_90a";
};
/// Kernel with 4 mbarriers `bar` and 1024 words `buf` in shared memory; %r0 = tid, %rd1 = &out[global thread].
Outcome runKernel(const std::string &body, Config s = {}) {
  Outcome r;
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<8>;
.shared .align 8 .b64 bar[4];
.shared .align 16 .b32 buf[1024];
ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r30, %ctaid.x; mov.u32 %r31, %ntid.x; mad.lo.u32 %r29, %r30, %r31, %r0;
mul.wide.u32 %rd1, %r29, 4; add.u64 %rd1, %rd0, %rd1;
mov.u32 %r28, buf; shl.b32 %r27, %r0, 2; add.u32 %r28, %r28, %r27;
)" + body + "\n}\n",
                     s.target, "8.7"));
  if (!m)
    return r;
  Memory memory;
  uint64_t out = upload(memory, std::vector<uint32_t>(s.words), "out");
  std::vector<uint32_t> source(4096);
  for (size_t i = 0; i != source.size(); ++i)
    source[i] = uint32_t(1000 + i);
  uint64_t in = upload(memory, source, "in");
  LaunchConfig c;
  c.block = {s.threads};
  c.grid = {s.blocks};
  c.cluster = s.cluster;
  c.args.add(out).add(in);
  c.options = s.options;
  c.options.hostThreads = 1;
  r.result = launch(*m, memory, c);
  r.out = download<uint32_t>(memory, out, s.words);
  return r;
}

const Schedule allSchedules[] = {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse, Schedule::Random};
const AsyncTiming allTimings[] = {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random};

template <typename F> void everySchedule(F f) {
  for (Schedule schedule : allSchedules)
    for (AsyncTiming timing : allTimings)
      for (uint64_t seed = 0; seed != 3; ++seed) {
        LaunchOptions o;
        o.schedule = schedule;
        o.asyncTiming = timing;
        o.seed = seed;
        f(o);
      }
}

// Warp 0 produces into buf, warp 1 consumes, over four phases of a full and an empty barrier.
const char *const producerConsumer = R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared::cta.b64 [bar], 32;
    mbarrier.init.shared::cta.b64 [bar+8], 32;
READY: bar.sync 0;
    mov.u32 %r1, 0;
    mov.u32 %r5, 0;
    setp.ge.u32 %p1, %r0, 32;
    and.b32 %r10, %r0, 31; shl.b32 %r11, %r10, 2; mov.u32 %r12, buf; add.u32 %r11, %r12, %r11;
    @%p1 bra CONSUME;
PRODUCE:
    and.b32 %r2, %r1, 1; xor.b32 %r2, %r2, 1;
W0: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar+8], %r2;
    @!%p2 bra W0;
    mad.lo.u32 %r3, %r1, 100, %r10;
    st.shared.u32 [%r11], %r3;
    mbarrier.arrive.shared::cta.b64 %rd2, [bar];
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, 4;
    @%p3 bra PRODUCE;
    bra END;
CONSUME:
    and.b32 %r2, %r1, 1;
W1: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %r2;
    @!%p2 bra W1;
    sub.u32 %r13, 31, %r10; shl.b32 %r13, %r13, 2; add.u32 %r13, %r12, %r13;
    ld.shared.u32 %r3, [%r13];
    add.u32 %r5, %r5, %r3;
    mbarrier.arrive.shared::cta.b64 _, [bar+8];
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p3, %r1, 4;
    @%p3 bra CONSUME;
END:
    st.global.u32 [%rd1], %r5;
    ret;
)";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(EmulatorMbarrier, ProducerConsumer) {
  everySchedule([&](LaunchOptions o) {
    Config s;
    s.options = o;
    Outcome r = runKernel(producerConsumer, s);
    EXPECT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t l = 0; l != 32; ++l)
      EXPECT_EQ(r.out[32 + l], 600 + 4 * (31 - l));
  });
}

TEST(EmulatorMbarrier, WrongArriveCountDeadlocks) {
  std::string bad = replaced(producerConsumer, "[bar], 32", "[bar], 33");
  Outcome r = runKernel(bad);
  const Report *d = findReport(r.result, ReportKind::Deadlock);
  ASSERT_TRUE(d) << reports(r.result);
  EXPECT_NE(d->message.find("1 of 33 arrivals pending"), std::string::npos) << d->message;
  bad = replaced(producerConsumer, "[bar], 32", "[bar], 16");
  // Half the arrivals: two phases pass where the consumer sees none.
  bool caught = false;
  everySchedule([&](LaunchOptions o) {
    Config s;
    s.options = o;
    Outcome r = runKernel(bad, s);
    caught |= !r.result.ok;
    for (uint32_t l = 0; l != 32; ++l)
      caught |= r.out[32 + l] != 600 + 4 * (31 - l);
  });
  EXPECT_TRUE(caught);
}

TEST(EmulatorMbarrier, DroppedWaitGivesWrongData) {
  // Without the consumer's wait some schedule reads what is not there yet.
  std::string bad = replaced(producerConsumer, "@!%p2 bra W1;", "");
  bool caught = false;
  everySchedule([&](LaunchOptions o) {
    Config s;
    s.options = o;
    Outcome r = runKernel(bad, s);
    uint64_t sum = 0;
    for (uint32_t l = 32; l != 64; ++l)
      sum += r.out[l];
    caught |= !r.result.ok || sum != 32 * 600 + 4 * 496;
  });
  EXPECT_TRUE(caught);
}

TEST(EmulatorMbarrier, TokensAndPendingCount) {
  Outcome r = runKernel(R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra END;
    mbarrier.init.shared::cta.b64 [bar], 5;
    mbarrier.arrive.shared::cta.b64 %rd2, [bar], 2;
    mbarrier.pending_count.b64 %r1, %rd2;
    mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %rd3, [bar], 1;
    mbarrier.pending_count.b64 %r2, %rd3;
    mbarrier.test_wait.shared::cta.b64 %p1, [bar], %rd3;
    selp.u32 %r3, 1, 0, %p1;
    mbarrier.arrive_drop.shared::cta.b64 %rd4, [bar], 2;
    mbarrier.test_wait.shared::cta.b64 %p1, [bar], %rd4;
    selp.u32 %r4, 1, 0, %p1;
    mbarrier.arrive.b64 %rd5, [bar], 3;
    mbarrier.pending_count.b64 %r5, %rd5;
    mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 1;
    selp.u32 %r6, 1, 0, %p1;
    mbarrier.inval.shared::cta.b64 [bar];
    st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;
    st.global.u32 [%rd1+12], %r4; st.global.u32 [%rd1+16], %r5; st.global.u32 [%rd1+20], %r6;
END: ret;
)");
  // The generic address of the last arrive is not one: `bar` without a space is a shared variable.
  EXPECT_TRUE(r.result.ok) << reports(r.result);
  EXPECT_EQ(std::vector<uint32_t>(r.out.begin(), r.out.begin() + 6), (std::vector<uint32_t>{5, 3, 0, 1, 3, 1}));
}

TEST(EmulatorMbarrier, TransactionBytes) {
  const std::string good = R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra END;
    mbarrier.init.shared::cta.b64 [bar], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 48;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;
    mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;
    selp.u32 %r1, 1, 0, %p1;
    mbarrier.complete_tx.shared::cta.b64 [bar], 32;
    mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;
    selp.u32 %r2, 1, 0, %p1;
    st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2;
END: ret;
)";
  Outcome r = runKernel(good);
  EXPECT_TRUE(r.result.ok) << reports(r.result);
  EXPECT_EQ(r.out[0], 0u);
  EXPECT_EQ(r.out[1], 1u);
}

TEST(EmulatorMbarrier, Misuse) {
  auto message = [&](const std::string &code, ReportKind kind = ReportKind::Mbarrier) {
    Outcome r = runKernel("setp.ne.u32 %p0, %r0, 0; @%p0 bra END;\n" + code + "\nEND: ret;");
    const Report *report = findReport(r.result, kind);
    EXPECT_TRUE(report) << code << reports(r.result);
    return report ? report->message : std::string();
  };
  auto has = [](const std::string &text, const char *part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(message("mbarrier.arrive.shared.b64 %rd2, [bar];"), "never initialised"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 1; mbarrier.init.shared.b64 [bar], 1;"),
                  "again without mbarrier.inval"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 0;"), "must be 1 to"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd2, [bar], 3;"),
                  "than its phase expects"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 1;"),
                  "noComplete"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 1; mov.u64 %rd2, 0; st.shared.u64 [bar], %rd2; "
                          "mbarrier.arrive.shared.b64 %rd2, [bar];"),
                  "overwritten"));
  EXPECT_TRUE(has(message("mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.shared.b64 [bar], 1048576;"),
                  "leaves the range"));
  message("mov.u32 %r1, bar; mbarrier.init.shared.b64 [%r1+4], 1;", ReportKind::Misaligned);
  message("mov.u64 %rd2, 4096; mbarrier.init.b64 [%rd2], 1;", ReportKind::OutOfBounds);
  EXPECT_NE(
      parseError(
          ptx(".entry k() { .reg .b64 %rd<2>; .shared .b64 b; mbarrier.arrive.shared::cluster.b64 %rd0, [b]; ret; }"))
          .find("returns no state"),
      std::string::npos);
}

TEST(EmulatorMbarrier, LanesOfOneWarpWaitForEachOther) {
  // Lane 0 waits, lane 1 arrives: the warp must not block as a whole.
  everySchedule([&](LaunchOptions o) {
    Config s;
    s.threads = 32;
    s.options = o;
    Outcome r = runKernel(R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared::cta.b64 [bar], 1;
READY: bar.warp.sync 0xffffffff;
    setp.eq.u32 %p1, %r0, 1;
    @!%p1 bra WAIT;
    mov.u32 %r2, 77; st.shared.u32 [buf], %r2;
    mbarrier.arrive.shared::cta.b64 %rd2, [bar];
    bra END;
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
    @!%p2 bra WAIT;
    ld.shared.u32 %r3, [buf];
    st.global.u32 [%rd1], %r3;
END: ret;
)",
                          s);
    EXPECT_TRUE(r.result.ok) << reports(r.result);
    EXPECT_EQ(r.out[0], 77u);
    EXPECT_EQ(r.out[31], 77u);
  });
}

TEST(EmulatorMbarrier, CopiesArrive) {
  // cp.async completion through an mbarrier, with and without .noinc; the wait is what makes the data arrive.
  for (bool noinc : {false, true})
    for (bool wait : {true, false})
      for (AsyncTiming timing : allTimings) {
        Config s;
        s.options.asyncTiming = timing;
        s.options.schedule = Schedule::Random;
        std::string code = R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared::cta.b64 [bar], COUNT;
READY: bar.sync 0;
    ld.param.u64 %rd3, [in]; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd3, %rd3, %rd4;
    cp.async.ca.shared.global [%r28], [%rd3], 4;
    cp.async.mbarrier.arriveNOINC.shared::cta.b64 [bar];
    ARRIVE
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
    LOOP
    mov.u32 %r5, buf; mov.u32 %r6, 63; sub.u32 %r6, %r6, %r0; shl.b32 %r6, %r6, 2; add.u32 %r5, %r5, %r6;
    ld.shared.u32 %r3, [%r5];
    st.global.u32 [%rd1], %r3;
    ret;
)";
        code = replaced(code, "COUNT", "64");
        code = replaced(code, "NOINC", noinc ? ".noinc" : "");
        code = replaced(code, "ARRIVE", noinc ? "" : "mbarrier.arrive.shared::cta.b64 %rd5, [bar];");
        code = replaced(code, "LOOP", wait ? "@!%p2 bra WAIT;" : "");
        Outcome r = runKernel(code, s);
        if (wait) {
          EXPECT_TRUE(r.result.ok) << reports(r.result);
          for (uint32_t t = 0; t != 64; ++t)
            EXPECT_EQ(r.out[t], 1063 - t);
        } else if (timing == AsyncTiming::Late) {
          EXPECT_TRUE(hasReport(r.result, ReportKind::Uninitialized)) << reports(r.result);
        }
      }
}

TEST(EmulatorCluster, RemoteArriveAndDistributedSharedMemory) {
  // Block r writes into the shared memory of block r+1 and arrives at its mbarrier.
  everySchedule([&](LaunchOptions o) {
    Config s;
    s.threads = 32;
    s.blocks = 8;
    s.cluster = {4};
    s.words = 256;
    s.options = o;
    Outcome r = runKernel(R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared::cta.b64 [bar], 32;
    fence.mbarrier_init.release.cluster;
READY:
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r1, 1; and.b32 %r2, %r2, 3;
    mapa.shared::cluster.u32 %r3, %r28, %r2;
    mov.u32 %r4, bar; mapa.shared::cluster.u32 %r4, %r4, %r2;
    mad.lo.u32 %r5, %r1, 1000, %r0;
    st.shared::cluster.u32 [%r3], %r5;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0;
    @!%p2 bra WAIT;
    ld.shared.u32 %r6, [%r28];
    st.global.u32 [%rd1], %r6;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
)",
                          s);
    EXPECT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t b = 0; b != 8; ++b)
      for (uint32_t t = 0; t != 32; ++t)
        EXPECT_EQ(r.out[b * 32 + t], (b + 3) % 4 * 1000 + t);
  });
}

TEST(EmulatorCluster, BarrierMisuse) {
  Config s;
  s.threads = 32;
  s.blocks = 2;
  s.cluster = {2};
  EXPECT_TRUE(hasReport(runKernel("barrier.cluster.wait; ret;", s).result, ReportKind::Barrier));
  EXPECT_TRUE(
      hasReport(runKernel("barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait; ret;", s).result,
                ReportKind::Barrier));
  // One block never arrives but spins on an mbarrier that nobody completes.
  Outcome r = runKernel(R"(
    mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0;
    @%p1 bra ARRIVE;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra W;
    mbarrier.init.shared::cta.b64 [bar], 1;
W:  bar.sync 0;
W1: mbarrier.test_wait.parity.shared::cta.b64 %p2, [bar], 0;
    @!%p2 bra W1;
ARRIVE: barrier.cluster.arrive; barrier.cluster.wait; ret;
)",
                        s);
  EXPECT_TRUE(hasReport(r.result, ReportKind::Deadlock)) << reports(r.result);
}

} // namespace
