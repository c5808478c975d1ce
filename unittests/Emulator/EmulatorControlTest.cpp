//===- EmulatorControlTest.cpp - Divergence, warps, barriers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// Runs a kernel `k(.param .u64 out)` in one block; `out` has `words` zeroed words.
struct Outcome {
  LaunchResult result;
  std::vector<uint32_t> out;
};
Outcome runKernel(const std::string &body, uint32_t threads, uint32_t words, LaunchOptions options = {},
                  const std::string &functions = "", const std::string &target = "sm_90a", uint32_t blocks = 1) {
  Outcome r;
  auto m =
      parse(ptx(functions +
                    "\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<8>; "
                    ".reg .f32 %f<8>;\nld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; "
                    "add.u64 %rd1, %rd0, %rd1;\n" +
                    body + "\n}\n",
                target));
  if (!m)
    return r;
  Memory memory;
  uint64_t out = upload(memory, std::vector<uint32_t>(words), "out");
  LaunchConfig c;
  c.kernel = "k";
  c.block = {threads};
  c.grid = {blocks};
  c.args.add(out);
  c.options = options;
  c.options.hostThreads = 1;
  r.result = launch(*m, memory, c);
  r.out = download<uint32_t>(memory, out, words);
  return r;
}
const Schedule allSchedules[] = {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse, Schedule::Random};

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

TEST(EmulatorControl, NestedIfs) {
  // activemask at the join shows that the warp has come together again.
  Outcome r = runKernel(R"(
    and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0;
    and.b32 %r2, %r0, 2; setp.eq.u32 %p2, %r2, 0;
    @%p1 bra A;
    mov.u32 %r3, 10;
    @%p2 bra B;
    add.u32 %r3, %r3, 1;
    bra B2;
B:  add.u32 %r3, %r3, 2;
B2: activemask.b32 %r4;
    bra J;
A:  mov.u32 %r3, 20;
    @!%p2 add.u32 %r3, %r3, 3;
    activemask.b32 %r4;
J:  activemask.b32 %r5;
    shl.b32 %r6, %r3, 8;
    setp.eq.u32 %p3, %r5, -1;
    selp.u32 %r7, 1, 0, %p3;
    or.b32 %r6, %r6, %r7;
    setp.eq.u32 %p3, %r4, 0x55555555; selp.u32 %r7, 2, 0, %p3; or.b32 %r6, %r6, %r7;
    setp.eq.u32 %p3, %r4, 0xaaaaaaaa; selp.u32 %r7, 4, 0, %p3; or.b32 %r6, %r6, %r7;
    st.global.u32 [%rd1], %r6; ret;)",
                        64, 64);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 64; ++t) {
    uint32_t v = t & 1 ? (t & 2 ? 11 : 12) : (t & 2 ? 23 : 20);
    EXPECT_EQ(r.out[t], v << 8 | 1 | (t & 1 ? 4 : 2)) << t;
  }
  EXPECT_EQ(r.result.stats.divergentBranches, 4u); // two in each warp: p1, and p2 on one side
}

TEST(EmulatorControl, LoopsWithDifferentTripCountsAndBreaks) {
  // Inner loop with a break out of both loops; sums computed on the host alike.
  Outcome r = runKernel(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 0;
OUTER:
    setp.ge.u32 %p1, %r1, %r0; @%p1 bra DONE;
    mov.u32 %r3, 0;
INNER:
    add.u32 %r2, %r2, %r3;
    setp.gt.u32 %p2, %r2, 200; @%p2 bra BROKEN;
    add.u32 %r3, %r3, 1;
    setp.le.u32 %p3, %r3, %r1; @%p3 bra INNER;
    add.u32 %r1, %r1, 1;
    bra OUTER;
BROKEN:
    add.u32 %r2, %r2, 1000;
DONE:
    activemask.b32 %r5; setp.ne.u32 %p4, %r5, -1; @%p4 trap;
    st.global.u32 [%rd1], %r2; ret;)",
                        96, 96);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 96; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < t; ++i)
      for (uint32_t k = 0; k <= i; ++k) {
        sum += k;
        if (sum > 200) {
          sum += 1000;
          goto done;
        }
      }
  done:
    EXPECT_EQ(r.out[t], sum) << t;
  }
}

TEST(EmulatorControl, UnstructuredGoto) {
  // An irreducible loop: entered at two places. The host interprets the same little program per thread.
  Outcome r = runKernel(R"(
    mov.u32 %r1, %r0; mov.u32 %r2, 0;
    and.b32 %r3, %r0, 3; setp.lt.u32 %p1, %r3, 2; @%p1 bra SECOND;
FIRST:
    add.u32 %r2, %r2, 1; add.u32 %r1, %r1, 3;
    and.b32 %r4, %r1, 4; setp.ne.u32 %p2, %r4, 0; @%p2 bra THIRD;
SECOND:
    add.u32 %r2, %r2, 100; mad.lo.u32 %r1, %r1, 5, 1;
    setp.gt.u32 %p3, %r2, 1500; @%p3 bra END;
    and.b32 %r4, %r1, 2; setp.ne.u32 %p2, %r4, 0; @%p2 bra FIRST;
THIRD:
    add.u32 %r2, %r2, 10; add.u32 %r1, %r1, 7;
    setp.gt.u32 %p3, %r2, 1500; @%p3 bra END;
    and.b32 %r4, %r1, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra SECOND;
    bra FIRST;
END: st.global.u32 [%rd1], %r2; ret;)",
                        128, 128);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 128; ++t) {
    uint32_t x = t, s = 0;
    int pc = (t & 3) < 2 ? 2 : 1;
    while (pc) {
      if (pc == 1) {
        s += 1;
        x += 3;
        pc = x & 4 ? 3 : 2;
      } else if (pc == 2) {
        s += 100;
        x = x * 5 + 1;
        pc = s > 1500 ? 0 : x & 2 ? 1 : 3;
      } else {
        s += 10;
        x += 7;
        pc = s > 1500 ? 0 : x & 1 ? 2 : 1;
      }
    }
    EXPECT_EQ(r.out[t], s) << t;
  }
}

TEST(EmulatorControl, IndexedBranches) {
  Outcome r = runKernel(R"(
    rem.u32 %r1, %r0, 5; mov.u32 %r2, 0;
TARGETS: .branchtargets L0, L1, L2, L1, L3;
    brx.idx %r1, TARGETS;
L0: mov.u32 %r2, 5; bra E;
L1: mov.u32 %r2, 6; bra E;
L2: mov.u32 %r2, 7;
L3: add.u32 %r2, %r2, 20;
E:  activemask.b32 %r3; setp.ne.u32 %p1, %r3, -1; @%p1 trap;
    st.global.u32 [%rd1], %r2; ret;)",
                        64, 64);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  const uint32_t expect[] = {5, 6, 27, 6, 20};
  for (uint32_t t = 0; t != 64; ++t)
    EXPECT_EQ(r.out[t], expect[t % 5]);
  Outcome bad = runKernel("T: .branchtargets L0, L1; brx.idx %r0, T; L0: ret; L1: ret;", 3, 3);
  EXPECT_TRUE(hasReport(bad.result, ReportKind::InvalidOperation));
}

TEST(EmulatorControl, CallsFromDivergentCode) {
  // A recursive function (depth depends on the thread), called from two places; early return inside a loop.
  Outcome r = runKernel(R"(
    rem.u32 %r1, %r0, 7;
    { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), fact, (a); ld.param.b32 %r2, [b]; }
    and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra SKIP;
    { .param .b32 a; .param .b32 b; st.param.b32 [a], 3; call (b), fact, (a); ld.param.b32 %r4, [b]; add.u32 %r2, %r2, %r4; }
SKIP:
    call (%r5), search, (%r0);
    add.u32 %r2, %r2, %r5;
    activemask.b32 %r6; setp.ne.u32 %p2, %r6, -1; @%p2 trap;
    st.global.u32 [%rd1], %r2; ret;)",
                        64, 64, {}, R"(
.func (.param .b32 result) fact(.param .b32 n)
{
  .reg .b32 %r<8>; .reg .pred %p;
  ld.param.b32 %r1, [n];
  setp.gt.u32 %p, %r1, 1; @%p bra REC;
  st.param.b32 [result], 1;
  ret;
REC:
  sub.u32 %r2, %r1, 1;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), fact, (x); ld.param.b32 %r3, [y]; }
  mul.lo.u32 %r4, %r3, %r1;
  st.param.b32 [result], %r4;
  ret;
}
.func (.reg .b32 %out) search(.reg .b32 %in)
{
  .reg .b32 %r<4>; .reg .pred %p;
  mov.u32 %r1, 0; mov.u32 %out, 0;
LOOP:
  mul.lo.u32 %r2, %r1, %r1;
  mov.u32 %out, %r1;
  setp.gt.u32 %p, %r2, %in; @%p ret;
  add.u32 %r1, %r1, 1;
  bra LOOP;
}
)");
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 64; ++t) {
    uint32_t f = 1, s = 0;
    for (uint32_t i = 2; i <= t % 7; ++i)
      f *= i;
    while (s * s <= t)
      ++s;
    EXPECT_EQ(r.out[t], f + (t & 1 ? 6 : 0) + s) << t;
  }
}

TEST(EmulatorControl, ThreadsOfOneWarpCanWaitForEachOther) {
  // Lane 0 spins until lane 1 has written; needs progress of both sides of a branch.
  for (Schedule s : allSchedules) {
    LaunchOptions o;
    o.schedule = s;
    Outcome r = runKernel(R"(
    setp.ne.u32 %p1, %r0, 0; @%p1 bra OTHER;
SPIN: ld.volatile.global.u32 %r1, [%rd0+128]; setp.eq.u32 %p2, %r1, 0; @%p2 bra SPIN;
    bra END;
OTHER: setp.ne.u32 %p3, %r0, 1; @%p3 bra END;
    mov.u32 %r2, 7; st.volatile.global.u32 [%rd0+128], %r2;
END: mov.u32 %r3, 1; st.global.u32 [%rd1], %r3; ret;)",
                          32, 33, o);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
  }
}

TEST(EmulatorControl, EarlyExitAndPartialWarp) {
  Outcome r = runKernel(R"(
    setp.lt.u32 %p1, %r0, 5; @%p1 exit;
    bar.sync 0;
    activemask.b32 %r1; st.global.u32 [%rd1], %r1; ret;)",
                        40, 40);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 40; ++t)
    EXPECT_EQ(r.out[t], t < 5 ? 0 : t < 32 ? 0xffffffe0u : 0xffu);
}

//===----------------------------------------------------------------------===//
// Warp-wide instructions
//===----------------------------------------------------------------------===//

TEST(EmulatorWarp, ShuffleModes) {
  Rng rng(1);
  std::vector<uint32_t> a(64), b(64);
  for (auto &v : a)
    v = uint32_t(rng.next());
  for (uint32_t width : {32u, 16u, 8u, 4u, 2u})
    for (std::string mode : {"up", "down", "bfly", "idx"}) {
      for (auto &v : b)
        v = uint32_t(rng.next() % 40);
      uint32_t c = (32 - width) << 8 | (mode == "up" ? 0 : 31);
      auto d = runElementwise<uint32_t>("shfl.sync." + mode + ".b32 %t4|%p, %a0, %a1, " + std::to_string(c) +
                                            ", 0xffffffff; selp.u32 %t5, 1, 0, %p; xor.b32 %d, %t4, %t5;",
                                        "b32", {"b32", "b32"}, "sm_80", a, b);
      for (uint32_t t = 0; t != 64; ++t) {
        // The CUDA programming guide's view: sub-warps of `width` lanes.
        int lane = int(t % 32), base = lane - lane % int(width), n = int(b[t] & 31), src;
        bool ok;
        if (mode == "up")
          src = lane - n, ok = src >= base;
        else if (mode == "down")
          src = lane + n, ok = src < base + int(width);
        else if (mode == "bfly")
          src = lane ^ n, ok = src < base + int(width);
        else
          src = base + n % int(width), ok = true;
        ASSERT_EQ(d[t], a[t / 32 * 32 + uint32_t(ok ? src : lane)] ^ unsigned(ok))
            << mode << width << " lane " << lane << " by " << n;
      }
    }
}

TEST(EmulatorWarp, ShuffleInTilesWithDifferentMasks) {
  // Two halves of the warp, each with its own membermask, at the same instruction and in divergent code.
  Outcome r = runKernel(R"(
    setp.lt.u32 %p1, %r0, 16; selp.u32 %r1, 0x0000ffff, 0xffff0000, %p1;
    shfl.sync.bfly.b32 %r2, %r0, 1, 31, %r1;
    @%p1 bra LOW;
    shfl.sync.idx.b32 %r3, %r0, 20, 31, 0xffff0000;
    bra END;
LOW: shfl.sync.idx.b32 %r3, %r0, 3, 31, 0x0000ffff;
END: shl.b32 %r3, %r3, 8; or.b32 %r3, %r3, %r2; st.global.u32 [%rd1], %r3; ret;)",
                        32, 32);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 32; ++t)
    EXPECT_EQ(r.out[t], (t < 16 ? 3u : 20u) << 8 | (t ^ 1));
}

TEST(EmulatorWarp, SyncWaitsForLateLanes) {
  // Lanes take loops of different lengths, then all shuffle: the early ones must wait, whatever the block order.
  Outcome r = runKernel(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 1;
    setp.lt.u32 %p2, %r0, 8; @%p2 bra SYNC;
LOOP: add.u32 %r1, %r1, 1; mad.lo.u32 %r2, %r2, 3, %r0; setp.lt.u32 %p1, %r1, %r0; @%p1 bra LOOP;
SYNC: shfl.sync.idx.b32 %r3, %r2, 31, 31, -1; st.global.u32 [%rd1], %r3; ret;)",
                        32, 32);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  uint32_t v = 1;
  for (uint32_t i = 0; i != 31; ++i)
    v = v * 3 + 31;
  for (uint32_t t = 0; t != 32; ++t)
    EXPECT_EQ(r.out[t], v);
}

TEST(EmulatorWarp, VotesMatchesReductions) {
  std::vector<uint32_t> a(96);
  Rng rng(3);
  for (auto &v : a)
    v = uint32_t(rng.next() % 6) - 2;
  auto run = [&](const char *code) { return runElementwise<uint32_t>(code, "b32", {"b32"}, "sm_100", a); };
  auto ballot = run("setp.gt.s32 %p, %a0, 1; vote.sync.ballot.b32 %d, %p, -1;");
  auto all = run("setp.gt.s32 %p, %a0, -3; vote.sync.all.pred %q, %p, -1; selp.u32 %d, 1, 0, %q;");
  auto any = run("setp.eq.s32 %p, %a0, 77; vote.sync.any.pred %q, !%p, -1; selp.u32 %d, 1, 0, %q;");
  auto uni = run("setp.gt.s32 %p, %a0, 0; vote.sync.uni.pred %q, %p, -1; selp.u32 %d, 1, 0, %q;");
  auto match = run("match.any.sync.b32 %d, %a0, -1;");
  auto matchAll = run("and.b32 %t4, %a0, 0; match.all.sync.b32 %d|%p, %t4, -1;");
  auto add = run("redux.sync.add.s32 %d, %a0, -1;"), mn = run("redux.sync.min.s32 %d, %a0, -1;"),
       mx = run("redux.sync.max.u32 %d, %a0, -1;"), orr = run("redux.sync.or.b32 %d, %a0, -1;");
  auto elected = run("elect.sync %t4|%p, -1; selp.u32 %d, 1, 0, %p;");
  auto fmax = run("cvt.rn.f32.s32 %t5, %a0; redux.sync.max.abs.f32 %t4, %t5, -1; mov.b32 %d, %t4;");
  for (uint32_t w = 0; w != 3; ++w) {
    uint32_t b = 0, sum = 0, o = 0, umax = 0, leaders = 0;
    int32_t smin = INT32_MAX;
    float fm = 0;
    for (uint32_t l = 0; l != 32; ++l) {
      uint32_t v = a[32 * w + l];
      b |= uint32_t(int32_t(v) > 1) << l;
      sum += v;
      o |= v;
      umax = std::max(umax, v);
      smin = std::min(smin, int32_t(v));
      fm = std::max(fm, std::fabs(float(int32_t(v))));
      leaders += elected[32 * w + l];
    }
    EXPECT_EQ(leaders, 1u);
    for (uint32_t l = 0; l != 32; ++l) {
      uint32_t i = 32 * w + l, m = 0;
      for (uint32_t k = 0; k != 32; ++k)
        m |= uint32_t(a[32 * w + k] == a[i]) << k;
      EXPECT_EQ(ballot[i], b);
      EXPECT_EQ(all[i], 1u);
      EXPECT_EQ(any[i], 1u);
      EXPECT_EQ(uni[i], 0u);
      EXPECT_EQ(match[i], m);
      EXPECT_EQ(matchAll[i], 0xffffffffu);
      EXPECT_EQ(add[i], sum);
      EXPECT_EQ(int32_t(mn[i]), smin);
      EXPECT_EQ(mx[i], umax);
      EXPECT_EQ(orr[i], o);
      EXPECT_EQ(fmax[i], std::bit_cast<uint32_t>(fm));
    }
  }
}

TEST(EmulatorWarp, MembermaskFaults) {
  // Lane 0 is not in the mask it gives.
  Outcome r = runKernel("shfl.sync.idx.b32 %r1, %r0, 1, 31, 0xfffffffe; st.global.u32 [%rd1], %r1; ret;", 32, 32);
  EXPECT_TRUE(hasReport(r.result, ReportKind::WarpSync)) << reports(r.result);
  // Half of the warp waits for the other half at an instruction which it never reaches.
  Outcome d = runKernel(R"(
    setp.lt.u32 %p1, %r0, 16; @%p1 bra A;
    shfl.sync.idx.b32 %r1, %r0, 1, 31, -1; bra E;
A:  bar.warp.sync -1;
E:  ret;)",
                        32, 32);
  const Report *report = findReport(d.result, ReportKind::Deadlock);
  ASSERT_TRUE(report) << reports(d.result);
  EXPECT_NE(report->message.find("threads of one warp wait for each other"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Barriers and schedules
//===----------------------------------------------------------------------===//

const char *reverseShared(bool barrier) {
  return barrier ? R"(
    .shared .align 4 .b8 s[1024];
    mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2;
    st.shared.u32 [%r3], %r0;
    bar.sync 0;
    sub.u32 %r4, 1020, %r2; add.u32 %r4, %r1, %r4; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd1], %r5; ret;)"
                 : R"(
    .shared .align 4 .b8 s[1024];
    mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2;
    mov.u32 %r6, 7777; st.shared.u32 [%r3], %r6; bar.sync 0;
    st.shared.u32 [%r3], %r0;
    sub.u32 %r4, 1020, %r2; add.u32 %r4, %r1, %r4; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd1], %r5; ret;)";
}

TEST(EmulatorBarrier, DroppedBarrierShows) {
  for (Schedule s : allSchedules) {
    LaunchOptions o;
    o.schedule = s;
    Outcome r = runKernel(reverseShared(true), 256, 256, o);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t t = 0; t != 256; ++t)
      ASSERT_EQ(r.out[t], 255 - t) << scheduleName(s);
  }
  // Without the barrier, running the warps one after another gives stale values, different ones in each direction.
  auto wrong = [&](Schedule s) {
    LaunchOptions o;
    o.schedule = s;
    Outcome r = runKernel(reverseShared(false), 256, 256, o);
    std::vector<uint32_t> bad;
    for (uint32_t t = 0; t != 256; ++t)
      if (r.out[t] != 255 - t)
        bad.push_back(t);
    return bad;
  };
  std::vector<uint32_t> forward = wrong(Schedule::Forward), reverse = wrong(Schedule::Reverse);
  EXPECT_EQ(forward.size(), 128u);
  EXPECT_EQ(reverse.size(), 128u);
  EXPECT_NE(forward, reverse);
}

TEST(EmulatorBarrier, RandomScheduleRepeats) {
  // The order in which warps take tickets depends on the seed only.
  auto tickets = [](uint64_t seed, unsigned threads) {
    LaunchOptions o;
    o.schedule = Schedule::Random;
    o.seed = seed;
    o.hostThreads = threads;
    return runKernel(R"(
      mov.u32 %r3, 0;
L:    atom.global.add.u32 %r1, [%rd0+4096], 1; st.global.u32 [%rd1], %r1;
      add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5; @%p1 bra L; ret;)",
                     256, 1025, o)
        .out;
  };
  EXPECT_EQ(tickets(1, 1), tickets(1, 1));
  EXPECT_NE(tickets(1, 1), tickets(2, 1));
}

TEST(EmulatorBarrier, NamedBarriersAndArrive) {
  // Producer warps arrive, consumers wait: 64 producers + 64 consumers on barrier 3.
  for (Schedule s : allSchedules) {
    LaunchOptions o;
    o.schedule = s;
    Outcome r = runKernel(R"(
    .shared .align 4 .b8 s[256];
    mov.u32 %r1, s; and.b32 %r2, %r0, 63; shl.b32 %r2, %r2, 2; add.u32 %r3, %r1, %r2;
    setp.ge.u32 %p1, %r0, 64; @%p1 bra CONSUMER;
    mul.lo.u32 %r4, %r0, 3; st.shared.u32 [%r3], %r4;
    barrier.cta.arrive 3, 128;
    bra END;
CONSUMER:
    barrier.cta.sync 3, 128;
    ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd1], %r5;
END: bar.sync 0; ret;)",
                          128, 128, o);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t t = 64; t != 128; ++t)
      ASSERT_EQ(r.out[t], (t - 64) * 3) << scheduleName(s);
  }
}

TEST(EmulatorBarrier, Reductions) {
  Outcome r = runKernel(R"(
    rem.u32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0;
    bar.red.popc.u32 %r2, 0, %p1;
    bar.red.and.pred %p2, 0, %p1;
    setp.lt.u32 %p4, %r0, 1000;
    bar.red.and.pred %p3, 1, 96, %p4;
    bar.red.or.pred %p5, 0, !%p4;
    selp.u32 %r3, 1000, 0, %p2; selp.u32 %r4, 2000, 0, %p3; selp.u32 %r5, 4000, 0, %p5;
    add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5;
    st.global.u32 [%rd1], %r2; ret;)",
                        96, 96);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t t = 0; t != 96; ++t)
    EXPECT_EQ(r.out[t], 32u + 2000);
  EXPECT_EQ(r.result.stats.barriers, 12u);
}

TEST(EmulatorBarrier, BarrierInDivergentButUniformCode) {
  // The barrier is laid out before code that half of the lanes still have to run.
  Outcome r = runKernel(R"(
    setp.lt.u32 %p1, %r0, 16; @%p1 bra LATE;
JOIN: bar.sync 0; activemask.b32 %r1; st.global.u32 [%rd1], %r1; ret;
LATE: add.u32 %r2, %r0, 1; bra JOIN;)",
                        64, 64);
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  for (uint32_t v : r.out)
    EXPECT_EQ(v, 0xffffffffu);
}

TEST(EmulatorBarrier, Faults) {
  // A barrier that expects 96 threads in a block of 64.
  Outcome r = runKernel("bar.sync 1, 96; ret;", 64, 64);
  const Report *report = findReport(r.result, ReportKind::Deadlock);
  ASSERT_TRUE(report) << reports(r.result);
  EXPECT_NE(report->message.find("64 of 96 threads have arrived"), std::string::npos) << report->message;
  EXPECT_EQ(report->line, 9u);
  // One warp exits although the barrier counts it.
  r = runKernel("setp.ge.u32 %p1, %r0, 32; @%p1 ret; bar.sync 0, 64; ret;", 64, 64);
  report = findReport(r.result, ReportKind::Deadlock);
  ASSERT_TRUE(report) << reports(r.result);
  EXPECT_NE(report->message.find("warps 1 have exited"), std::string::npos) << report->message;
  // Two warps at two barriers.
  r = runKernel("setp.ge.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 0; ret; A: bar.sync 1; ret;", 64, 64);
  EXPECT_TRUE(hasReport(r.result, ReportKind::Deadlock));
  // .aligned means that the warp executes it as one.
  r = runKernel("setp.ge.u32 %p1, %r0, 16; @%p1 bra A; bar.sync 0; ret; A: bar.sync 0; ret;", 32, 32);
  EXPECT_TRUE(hasReport(r.result, ReportKind::Barrier)) << reports(r.result);
  r = runKernel("setp.ge.u32 %p1, %r0, 16; @%p1 bra A; barrier.sync 0; ret; A: barrier.sync 0; ret;", 32, 32);
  EXPECT_TRUE(r.result.ok) << reports(r.result);
  EXPECT_TRUE(hasReport(runKernel("bar.sync 16; ret;", 32, 32).result, ReportKind::Barrier));
  EXPECT_TRUE(hasReport(runKernel("bar.sync 0, 33; ret;", 32, 32).result, ReportKind::Barrier));
  EXPECT_TRUE(hasReport(
      runKernel("setp.ge.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 0, 64; ret; A: bar.sync 0, 96; ret;", 96, 96).result,
      ReportKind::Barrier));
}

TEST(EmulatorBarrier, Budget) {
  LaunchOptions o;
  o.maxWarpInstructionsPerBlock = 100000;
  for (Schedule s : allSchedules) {
    o.schedule = s;
    Outcome r = runKernel("L: add.u32 %r1, %r1, 1; bra L;", 64, 64, o);
    EXPECT_TRUE(hasReport(r.result, ReportKind::Budget)) << reports(r.result);
    EXPECT_EQ(r.result.reports.size(), 1u);
  }
}

TEST(EmulatorBarrier, WarpsCanSpinOnEachOther) {
  for (Schedule s : allSchedules) {
    LaunchOptions o;
    o.schedule = s;
    // Warp 0 waits for warp 3, warp 3 for warp 1.
    Outcome r = runKernel(R"(
    shr.u32 %r1, %r0, 5;
    setp.eq.u32 %p1, %r1, 0; @%p1 bra W0; setp.eq.u32 %p1, %r1, 3; @%p1 bra W3; setp.eq.u32 %p1, %r1, 1; @%p1 bra W1; ret;
W0: ld.relaxed.gpu.global.u32 %r2, [%rd0+512]; setp.ne.u32 %p2, %r2, 2; @%p2 bra W0; ret;
W3: ld.acquire.gpu.global.u32 %r2, [%rd0+512]; setp.ne.u32 %p2, %r2, 1; @%p2 bra W3; mov.u32 %r3, 2; bar.warp.sync -1; st.release.gpu.global.u32 [%rd0+512], %r3; ret;
W1: mov.u32 %r3, 1; st.release.gpu.global.u32 [%rd0+512], %r3; ret;)",
                          128, 129, o);
    EXPECT_TRUE(r.result.ok) << scheduleName(s) << reports(r.result);
  }
}

TEST(EmulatorControl, SpecialRegisters) {
  auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .pred %p;
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;
  mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
  mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %nctaid.x; mad.lo.u32 %r7, %r8, %r9, %r7; mad.lo.u32 %r6, %r7, 60, %r6;
  mul.wide.u32 %rd1, %r6, 32; ld.param.u64 %rd2, [out]; add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r10, %laneid; mov.u32 %r11, %warpid; mov.u32 %r12, %nwarpid; mov.u32 %r13, %lanemask_lt;
  st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};
  mov.u32 %r14, %lanemask_ge; mov.u32 %r15, %dynamic_smem_size; add.u32 %r16, %nctaid.y, %nctaid.z; mov.u32 %r17, %ntid.z;
  st.global.v4.u32 [%rd1+16], {%r14, %r15, %r16, %r17};
  mov.u64 %rd3, %clock64; mov.u64 %rd4, %globaltimer; mov.u32 %r18, %clock; mov.u32 %r19, %envreg3; mov.u32 %r20, %cluster_ctarank;
  mov.pred %p, %is_explicit_cluster;
  ret;
})"));
  Memory memory;
  uint64_t out = memory.allocate(60 * 6 * 32, "out");
  LaunchConfig c;
  c.block = {3, 4, 5};
  c.grid = {3, 2};
  c.dynamicSharedBytes = 48;
  c.args.add(out);
  LaunchResult r = launch(*m, memory, c);
  ASSERT_TRUE(r.ok) << reports(r);
  auto v = download<uint32_t>(memory, out, 60 * 6 * 8);
  for (uint32_t i = 0; i != 360; ++i) {
    uint32_t t = i % 60, l = t % 32;
    const uint32_t expect[8] = {l, t / 32, 2, (1u << l) - 1, ~((1u << l) - 1), 48, 3, 5};
    for (int k = 0; k != 8; ++k)
      ASSERT_EQ(v[8 * i + k], expect[k]) << i << " " << k;
  }
}

TEST(EmulatorControl, ClusterOfTwoBlocks) {
  // Each block reads what the other one has put into its shared memory, by mapa and by generic address.
  for (Schedule schedule : allSchedules) {
    auto m = parse(ptx(R"(
.visible .entry k(.param .u64 out) .reqntid 64 .reqnctapercluster 2
{
  .reg .b32 %r<32>; .reg .b64 %rd<8>; .reg .pred %p;
  .shared .align 4 .b8 s[256];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u32 %r3, s; shl.b32 %r4, %r0, 2; add.u32 %r5, %r3, %r4;
  mad.lo.u32 %r6, %r1, 1000, %r0; st.shared.u32 [%r5], %r6;
  barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
  mapa.shared::cluster.u32 %r7, %r5, %r2; ld.shared::cluster.u32 %r8, [%r7]; getctarank.shared::cluster.u32 %r9, %r7;
  cvt.u64.u32 %rd1, %r7; cvta.shared::cluster.u64 %rd1, %rd1; ld.u32 %r10, [%rd1];
  mov.u32 %r11, %ctaid.x; mad.lo.u32 %r12, %r11, 64, %r0; mul.wide.u32 %rd2, %r12, 4; ld.param.u64 %rd3, [out]; add.u64 %rd3, %rd3, %rd2;
  setp.ne.u32 %p, %r8, %r10; @%p trap; setp.ne.u32 %p, %r9, %r2; @%p trap; ld.shared.u32 %r13, [%r5]; setp.ne.u32 %p, %r13, %r6; @%p trap;
  st.global.u32 [%rd3], %r8;
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  ret;
})"));
    ASSERT_TRUE(m);
    Memory memory;
    uint64_t out = memory.allocate(4 * 64 * 4, "out");
    LaunchConfig c;
    c.grid = {4};
    c.block = {64};
    c.args.add(out);
    c.options.schedule = schedule;
    LaunchResult r = launch(*m, memory, c);
    ASSERT_TRUE(r.ok) << reports(r);
    auto v = download<uint32_t>(memory, out, 256);
    for (uint32_t i = 0; i != 256; ++i)
      ASSERT_EQ(v[i], (i / 64 % 2 ? 0 : 1000) + i % 64);
  }
}

TEST(EmulatorControl, LaunchContract) {
  // Kernels of Tile IR carry their thread count; front ends launch one thread.
  std::string body =
      R"({ .reg .b32 %r<8>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r1, %r3, %r2; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r4, %nctaid.x;
    st.global.u32 [%rd1], %r4; ret; })";
  auto run = [&](const std::string &directives, Dim3 block, Dim3 cluster = {}) {
    auto m = parse(ptx(".visible .entry k(.param .u64 out)\n" + directives + body, "sm_90a", "9.0"));
    Memory memory;
    uint64_t out = memory.allocate(4096, "out", Memory::Init::Zero);
    LaunchConfig c;
    c.grid = {2};
    c.block = block;
    c.cluster = cluster;
    c.args.add(out);
    LaunchResult r = launch(*m, memory, c);
    if (!r.ok)
      return reports(r);
    auto v = download<uint32_t>(memory, out, 1024);
    size_t n = 0;
    while (n != v.size() && v[n])
      ++n;
    return std::to_string(n) + " threads, grid " + std::to_string(v[0]);
  };
  EXPECT_EQ(run("", {32}), "64 threads, grid 2");
  EXPECT_EQ(run(".reqntid 128", {1}), "256 threads, grid 2");
  EXPECT_EQ(run(".reqntid 128, 1, 1", {128}), "256 threads, grid 2");
  EXPECT_NE(run(".reqntid 128", {64}).find("requires a block of (128,1,1)"), std::string::npos);
  EXPECT_EQ(run(".reqntid 128 .reqnctapercluster 1 .blocksareclusters", {1}), "256 threads, grid 2");
  EXPECT_EQ(run(".reqntid 64 .reqnctapercluster 2 .blocksareclusters", {1}), "256 threads, grid 4");
  EXPECT_EQ(run(".explicitcluster .maxntid 64 .minnctapersm 2 .maxnreg 40", {64}, {2}), "128 threads, grid 2");
  EXPECT_NE(run(".maxntid 64", {128}).find("at most 64 threads"), std::string::npos);
}

} // namespace
