//===- EmulatorTcgen05RaceTest.cpp - Order in tensor memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Memory Consistency Model for 5th generation of TensorCore operations": for each rule a kernel that keeps it
// and gets no report under any timing, and the same with one instruction missing, which is reported in every run.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

using Text = std::string;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

// Operands: A 128 rows of 32 bytes at buf, B 16 rows after it, bf16, without swizzle. D: columns 0 to 15.
const Text fill = R"(  shl.b32 %r0, %t, 5; add.u32 %r0, %s, %r0; mov.b32 %r1, 0x3f803f80;
  st.shared.v4.b32 [%r0], {%r1, %r1, %r1, %r1}; st.shared.v4.b32 [%r0+16], {%r1, %r1, %r1, %r1};
  shl.b32 %r0, %t, 2; add.u32 %r0, %s, %r0; st.shared.b32 [%r0+4096], %r1;
)";
const Text proxy = "  fence.proxy.async.shared::cta;\n", sync = "  bar.sync 0;\n";
const Text before = "  tcgen05.fence::before_thread_sync;\n", after = "  tcgen05.fence::after_thread_sync;\n";
const Text ld = "  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%x0}, [%tw];\n",
           waitLd = "  tcgen05.wait::ld.sync.aligned;\n";
const Text st = "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%tw], {%t};\n", waitSt = "  tcgen05.wait::st.sync.aligned;\n";

/// By thread `lane` of warp 0.
Text mma(const Text &d = "%ta", const Text &a = "%da", const Text &enable = "%no", const Text &id = "%id",
         const Text &who = "%one", unsigned group = 1) {
  return "  @" + who + " tcgen05.mma.cta_group::" + std::to_string(group) + ".kind::f16 [" + d + "], " + a + ", %db, " +
         id + ", " + enable + ";\n";
}
Text commit(unsigned bar = 0, const Text &who = "%one") {
  return "  @" + who + " tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar+" +
         std::to_string(8 * bar) + "];\n";
}
Text wait(unsigned bar = 0, unsigned parity = 0) {
  static unsigned number = 0;
  const Text label = "W" + std::to_string(number++);
  return label + ":\n  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar+" + std::to_string(8 * bar) + "], " +
         std::to_string(parity) + ";\n  @!%done bra " + label + ";\n";
}
/// The accumulator is there and complete for everybody.
Text product() { return fill + proxy + sync + mma() + commit() + wait(); }

Text kernel(const Text &middle, unsigned group, const Text &end) {
  const Text g = ".cta_group::" + std::to_string(group),
             all = group == 2 ? "  barrier.cluster.arrive; barrier.cluster.wait;\n" : sync;
  return ".visible .entry k() .reqntid 128" + Text(group == 2 ? " .reqnctapercluster 2" : "") + R"( {
  .reg .pred %one, %two, %w0, %done, %no, %even, %odd; .reg .b16 %h; .reg .b32 %t, %s, %bar, %ta, %tw, %tn, %id, %r<16>, %x<8>; .reg .b64 %da, %db, %rd<4>;
  .shared .align 1024 .b8 buf[8192]; .shared .align 8 .b64 bar[4]; .shared .align 4 .b32 where;
  mov.u32 %t, %tid.x; mov.u32 %s, buf; mov.u32 %bar, bar; mov.u16 %h, 3;
  setp.eq.u32 %one, %t, 0; setp.eq.u32 %two, %t, 64; setp.lt.u32 %w0, %t, 32; setp.ne.u32 %no, %t, %t;
  mov.u32 %r0, %cluster_ctarank; setp.eq.and.u32 %even, %r0, 0, %one; setp.ne.and.u32 %odd, %r0, 0, %one;
  @%one mbarrier.init.shared::cta.b64 [%bar], 1;
  @%one mbarrier.init.shared::cta.b64 [%bar+8], 1;
  @%one mbarrier.init.shared::cta.b64 [%bar+16], 128;
  mov.u32 %r0, where;
  @%w0 tcgen05.alloc)" +
         g + R"(.sync.aligned.shared::cta.b32 [%r0], 64;
)" + all +
         R"(  ld.shared.b32 %ta, [where];
  shr.u32 %r0, %t, 5; shl.b32 %r0, %r0, 21; add.u32 %tw, %ta, %r0; add.u32 %tn, %ta, 32;
  and.b32 %r0, %s, 0x3ffff; shr.u32 %r0, %r0, 4; cvt.u64.u32 %da, %r0; or.b64 %da, %da, 0x401000080000; add.u64 %db, %da, 256;
  mov.u32 %id, )" +
         (group == 2 ? "0x10080490" : "0x08040490") + ";\n" + middle + end + R"(  @%w0 tcgen05.dealloc)" + g +
         R"(.sync.aligned.b32 %ta, 64;
  ret;
}
)";
}

std::vector<LaunchResult> runs(const Text &middle, unsigned group, const Text &end) {
  std::vector<LaunchResult> results;
  std::unique_ptr<Module> m = parse(ptx(kernel(middle, group, end), "sm_100a", "8.8"));
  if (!m)
    return results;
  for (unsigned seed = 0; seed != 6; ++seed) {
    Memory memory;
    LaunchConfig config;
    config.grid = {group};
    config.block = {128};
    config.options.checkRaces = true;
    config.options.seed = seed;
    config.options.asyncTiming = seed == 0 ? AsyncTiming::Late : seed == 1 ? AsyncTiming::Early : AsyncTiming::Random;
    config.options.schedule = seed == 0 ? Schedule::RoundRobin : seed == 1 ? Schedule::Reverse : Schedule::Random;
    config.options.maxWarpInstructionsPerBlock = 20000;
    results.push_back(launch(*m, memory, config));
  }
  return results;
}

/// Reports of the first run that has any, or "".
Text right(const Text &middle, unsigned group = 1, const Text &end = sync) {
  for (const LaunchResult &r : runs(middle, group, end))
    if (!r.ok)
      return reports(r);
  return "";
}
/// "" if every run has a report of this kind whose text contains `words`. Which of two operations reports the other
/// depends on the run: without `words` any report of two accesses without order will do, or of memory that is gone
/// already.
Text wrong(const Text &middle, ReportKind kind = ReportKind::Async, const Text &words = "", unsigned group = 1,
           const Text &end = sync) {
  unsigned n = 0;
  for (const LaunchResult &r : runs(middle, group, end)) {
    bool found = false;
    for (const Report &report : r.reports)
      found |= words.empty() ? report.kind == ReportKind::Async || report.kind == ReportKind::Race ||
                                   report.kind == ReportKind::TensorMemory ||
                                   (kind == ReportKind::Deadlock && report.kind == kind)
                             : report.kind == kind && report.message.find(words) != Text::npos;
    if (!found)
      return "run " + std::to_string(n) + " lacks it: " + reports(r);
    ++n;
  }
  return n ? "" : "did not run";
}

#define EXPECT_RIGHT(...) EXPECT_EQ(right(__VA_ARGS__), "")
#define EXPECT_WRONG(...) EXPECT_EQ(wrong(__VA_ARGS__), "")
const Text noFences = "no pair of tcgen05.fence";

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

TEST(Tcgen05Race, ProductsAreReadAfterTheirCommit) {
  EXPECT_RIGHT(product() + after + ld + waitLd);
  EXPECT_WRONG(product() + ld + waitLd, ReportKind::Proxy, noFences);
  EXPECT_WRONG(fill + proxy + sync + mma() + commit() + after + ld + waitLd + wait());
  // Another operation's commit says nothing about this one.
  EXPECT_WRONG(fill + proxy + sync + commit() + mma() + wait() + after + ld + waitLd + commit(1) + wait(1));
  // The commit of another thread neither.
  EXPECT_WRONG(fill + proxy + sync + mma() + commit(0, "%two") + wait() + after + ld + waitLd + commit(1) + wait(1));
  // Handed on by a barrier: the other warps need fences of their own.
  const Text one = fill + proxy + sync + mma() + commit() + "  @!%w0 bra LATER;\n" + wait() + after + "LATER:\n";
  EXPECT_RIGHT(one + before + sync + after + ld + waitLd);
  EXPECT_WRONG(one + before + sync + ld + waitLd, ReportKind::Proxy, noFences);
}

TEST(Tcgen05Race, StoresBeforeProducts) {
  const Text ready = fill + proxy;
  const Text others = "  tcgen05.st.sync.aligned.32x32b.x16.b32 [%tw], {%t, %t, %t, %t, %t, %t, %t, %t, %t, %t, %t, "
                      "%t, %t, %t, %t, %t};\n";
  auto all = [&](const Text &w, const Text &b, const Text &s, const Text &a) {
    return ready + others + w + b + s + a + mma("%ta", "%da", "!%no") + commit() + wait() + after;
  };
  EXPECT_RIGHT(all(waitSt, before, sync, after));
  EXPECT_WRONG(all("", before, sync, after));
  EXPECT_WRONG(all(waitSt, "", sync, after), ReportKind::Proxy, noFences);
  EXPECT_WRONG(all(waitSt, before, sync, ""), ReportKind::Proxy, noFences);
  EXPECT_WRONG(all(waitSt, before, "", after));
  EXPECT_WRONG(all(waitLd, before, sync, after)); // the wrong wait
}

TEST(Tcgen05Race, LoadsBeforeTheAccumulatorIsOverwritten) {
  auto twice = [&](const Text &w, const Text &b, const Text &s, const Text &a) {
    return product() + after + ld + w + b + s + a + mma() + commit(1) + wait(1) + after + waitLd;
  };
  EXPECT_RIGHT(twice(waitLd, before, sync, after));
  EXPECT_WRONG(twice("", before, sync, after));
  EXPECT_WRONG(twice(waitLd, "", sync, after), ReportKind::Proxy, noFences);
  EXPECT_WRONG(twice(waitLd, before, sync, ""), ReportKind::Proxy, noFences);
  EXPECT_WRONG(twice(waitLd, before, "", after));
  // By an mbarrier instead of a barrier.
  const Text arrive = "  mbarrier.arrive.shared::cta.b64 _, [%bar+16];\n";
  EXPECT_RIGHT(twice(waitLd, before, arrive + wait(2), after));
  EXPECT_WRONG(twice(waitLd, before, arrive, after));
}

TEST(Tcgen05Race, OwnOperations) {
  // In one thread, what has been waited for needs no fence.
  const Text zero = "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%tw], {%t};\n";
  EXPECT_RIGHT(zero + waitSt + ld + waitLd);
  EXPECT_WRONG(zero + ld + waitLd + waitSt);
  EXPECT_RIGHT(zero + waitSt + ld + waitLd + zero + waitSt);
  EXPECT_WRONG(zero + waitSt + ld + zero + waitLd + waitSt);
}

TEST(Tcgen05Race, PipelinedInOneThread) {
  const Text ready = fill + proxy + sync, finish = commit() + wait() + after;
  const Text cp = "  @%one tcgen05.cp.cta_group::1.128x256b [%tn], %da;\n",
             cpOther = "  @%two tcgen05.cp.cta_group::1.128x256b [%tn], %da;\n";
  const Text shift = "  @%one tcgen05.shift.cta_group::1.down [%tn];\n",
             refill = "  @%one tcgen05.cp.cta_group::1.4x256b [%tn], %da;\n";
  // Products with one accumulator, of one shape.
  EXPECT_RIGHT(ready + mma() + mma("%ta", "%da", "!%no") + finish);
  EXPECT_WRONG(ready + "  mov.u32 %r2, 0x08020490;\n" + mma() + mma("%ta", "%da", "!%no", "%r2") + finish); // N = 8
  EXPECT_WRONG(ready + "  add.u32 %r2, %ta, 8;\n" + mma() + mma("%r2") + finish); // overlapping columns
  EXPECT_RIGHT(ready + "  add.u32 %r2, %ta, 16;\n" + mma() + mma("%r2") + finish);
  EXPECT_WRONG(ready + mma() + mma("%ta", "%da", "!%no", "%id", "%two") + commit(1, "%two") + wait(1) + finish);
  // cp -> mma, mma -> shift, shift -> cp.4x256b.
  EXPECT_RIGHT(ready + cp + mma("%ta", "[%tn]") + finish);
  EXPECT_WRONG(ready + cpOther + mma("%ta", "[%tn]") + commit(1, "%two") + wait(1) + finish);
  EXPECT_RIGHT(ready + cp + mma("%ta", "[%tn]") + shift + refill + mma("%ta", "[%tn]", "!%no") + finish);
  // mma -> cp and cp -> shift have no order.
  EXPECT_WRONG(ready + cp + mma("%ta", "[%tn]") + cp + finish);
  EXPECT_RIGHT(ready + cp + mma("%ta", "[%tn]") + commit() + wait() + after + cp + commit(1) + wait(1) + after);
  EXPECT_WRONG(ready + cp + shift + finish);
}

TEST(Tcgen05Race, OperandsInSharedMemory) {
  const Text finish = mma() + commit() + wait() + after;
  EXPECT_RIGHT(fill + proxy + sync + finish);
  EXPECT_RIGHT(fill + sync + proxy + finish); // anywhere on the way
  EXPECT_WRONG(fill + sync + finish, ReportKind::Proxy, "no fence.proxy.async");
  EXPECT_WRONG(fill + "  fence.proxy.async.global;\n" + sync + finish, ReportKind::Proxy, "no fence.proxy.async");
  EXPECT_WRONG(fill + proxy + finish);
  // Overwritten while the product may read them.
  EXPECT_RIGHT(product() + fill);
  EXPECT_WRONG(fill + proxy + sync + mma() + commit() + fill + wait());
  // tcgen05.cp reads shared memory as mma does.
  const Text cp = "  @%one tcgen05.cp.cta_group::1.128x256b [%tn], %da;\n" + commit() + wait();
  EXPECT_RIGHT(fill + proxy + sync + cp + fill);
  EXPECT_WRONG(fill + sync + cp, ReportKind::Proxy, "no fence.proxy.async");
  EXPECT_WRONG(fill + proxy + sync + "  @%one tcgen05.cp.cta_group::1.128x256b [%tn], %da;\n" + fill + commit() +
               wait());
}

/// A commit releases the operations, what their thread knew before them and fenced for them, but not its other writes.
TEST(Tcgen05Race, WhatACommitReleases) {
  const Text read = "  ld.shared.b32 %r2, [%s+6144];\n", write = "  @%one st.shared.b32 [%s+6144], %t;\n";
  EXPECT_RIGHT(fill + write + proxy + sync + mma() + commit() + wait() + read);
  EXPECT_RIGHT(fill + proxy + sync + write + proxy + mma() + commit() + wait() + read);
  EXPECT_WRONG(fill + proxy + sync + write + mma() + commit() + wait() + read);
}

TEST(Tcgen05Race, TheEndOfTheBlock) {
  // A stage's barrier nobody waits for, and the accumulator's, whose commit came later.
  EXPECT_RIGHT(fill + proxy + sync + mma() + commit(1) + commit() + wait());
  EXPECT_WRONG(fill + proxy + sync + mma() + commit() + commit(1) + wait(), ReportKind::Async, "exits while");
  EXPECT_WRONG(fill + proxy + sync + mma() + commit(1));
}

/// The arrival of a commit in a block that may have gone.
TEST(Tcgen05Race, TheEndOfTheOtherBlock) {
  const Text all = "  barrier.cluster.arrive; barrier.cluster.wait;\n",
             pair = mma("%ta", "%da", "%no", "%id", "%even", 2);
  const Text both =
      "  @%even tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar";
  const Text stage = both + "+8], %h;\n", last = both + "], %h;\n";
  EXPECT_RIGHT(fill + proxy + all + pair + stage + last + wait() + wait(1), 2, all);
  EXPECT_RIGHT(fill + proxy + all + pair + last + stage + wait(1) + wait(), 2, all);
  // Of the arrival at the other block a later commit says nothing.
  EXPECT_WRONG(fill + proxy + all + pair + stage + last + wait(), ReportKind::Async, "exits while", 2, all);
  EXPECT_WRONG(fill + proxy + all + pair + last + stage + wait(), ReportKind::Async, "exits while", 2, all);
  // What the even block waits for has come after what it has issued before, in the even block and nowhere else.
  auto only = [](const char *rank, const Text &text) {
    const Text label = "OTHER" + Text(rank);
    return "  mov.u32 %r0, %cluster_ctarank; setp.ne.u32 %done, %r0, " + Text(rank) + ";\n  @%done bra " + label +
           ";\n" + text + label + ":\n";
  };
  const Text invalid = "mbarrier.inval.shared::cta.b64 [%bar+8];\n";
  const Text issued = fill + proxy + all + pair + stage + last + wait();
  EXPECT_RIGHT(issued + only("1", wait(1)), 2, all);
  EXPECT_RIGHT(issued + "  @%even " + invalid + only("1", wait(1)), 2, all);
  EXPECT_RIGHT(issued + "  @%even " + invalid + only("1", wait(1)), 2, "");
  EXPECT_WRONG(issued + only("0", wait(1)), ReportKind::Async, "exits while", 2, sync);
  EXPECT_WRONG(issued + "  @%odd " + invalid + only("0", wait(1)), ReportKind::Async, "", 2, sync);
  EXPECT_WRONG(fill + proxy + all + pair + last + stage + wait() + only("1", wait(1)), ReportKind::Async, "exits while",
               2, sync);
  // The odd block does not wait for the last one.
  const Text skip =
      "  mov.u32 %r0, %cluster_ctarank; setp.ne.u32 %done, %r0, 0;\n  @%done bra OUT;\n" + wait() + "OUT:\n";
  EXPECT_WRONG(fill + proxy + all + pair + last + skip, ReportKind::Async, "", 2, sync);
}

TEST(Tcgen05Race, ReportsSayWhatIsMissing) {
  EXPECT_WRONG(product() + after + ld + before + sync + after + mma() + commit(1) + wait(1) + after + waitLd,
               ReportKind::Async, "tcgen05.", 1, sync);
  for (const LaunchResult &r : runs(product() + after + st + ld + waitLd + waitSt, 1, sync))
    EXPECT_NE(reports(r).find("tcgen05.wait::"), std::string::npos) << reports(r);
}

TEST(Tcgen05Race, Deallocation) {
  const Text drained = product() + after + ld;
  EXPECT_RIGHT(drained + waitLd);
  EXPECT_WRONG(drained + waitLd, ReportKind::Async, "", 1, ""); // no barrier
  EXPECT_WRONG(drained + sync + waitLd, ReportKind::Async, "", 1, "");
  // Columns that were free for a while belong to whoever gets them next.
  const Text again = "  @%w0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %ta, 64;\n  mov.u32 %r0, where;\n" + sync +
                     "  @%two bra OVER;\nOVER:\n  setp.ge.u32 %done, %t, 96;\n  @%done "
                     "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r0], 64;\n" +
                     sync + "  ld.shared.b32 %ta, [where];\n";
  EXPECT_RIGHT(drained + waitLd + sync + again + st + waitSt);
}

TEST(Tcgen05Race, PairsOfBlocks) {
  const Text all = "  barrier.cluster.arrive; barrier.cluster.wait;\n";
  const Text both =
      "  @%even tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar], %h;\n";
  const Text own = "  @%even tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%bar];\n";
  const Text pair = mma("%ta", "%da", "%no", "%id", "%even", 2);
  EXPECT_RIGHT(fill + proxy + all + pair + both + wait() + after + ld + waitLd, 2, all);
  // The even block's product reads what the odd block's threads wrote: they need the fence, and a barrier for both
  // blocks.
  EXPECT_WRONG(fill + all + pair + both + wait() + after + ld + waitLd, ReportKind::Proxy, "no fence.proxy.async", 2,
               all);
  EXPECT_WRONG(fill + proxy + sync + pair + both + wait() + after + ld + waitLd, ReportKind::Async, "", 2, all);
  EXPECT_WRONG(fill + proxy + "  barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n" + pair + both + wait() +
                   after + ld + waitLd,
               ReportKind::Async, "", 2, all);
  // Without multicast the odd block learns nothing.
  EXPECT_WRONG(fill + proxy + all + pair + own + wait() + after + ld + waitLd, ReportKind::Deadlock, "", 2, all);
  // Its products are issued by the even block alone.
  EXPECT_WRONG(fill + proxy + all + mma("%ta", "%da", "%no", "%id", "%one", 2) + both + wait() + after + ld + waitLd,
               ReportKind::InvalidOperation, "a thread of the even block", 2, all);
  // The fences are each thread's own here too.
  EXPECT_WRONG(fill + proxy + all + pair + both + wait() + ld + waitLd, ReportKind::Proxy, noFences, 2, all);
}

} // namespace
