//===- EmulatorRaceProgramsTest.cpp - The race checker on many programs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RaceTestUtil.h"

#include <algorithm>
#include <cstdio>

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::test::race;

namespace {

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
      s += x.kind == Step::Barrier       ? "bar.sync 0;\n"
           : x.kind == Step::WarpBarrier ? "bar.warp.sync -1;\n"
                                         : "@%p2 bar.sync 1, 64;\n";
      continue;
    }
    s += "mad.lo.u32 %r10, %r0, " + str(x.mul) + ", " + str(x.add) + "; rem.u32 %r10, %r10, " + str(x.range) +
         "; mul.lo.u32 %r10, %r10, " + str(x.bytes) + "; and.b32 %r11, %r0, " + str(x.laneMask) +
         "; setp.eq.u32 %p1, %r11, " + str(x.laneValue) + "; shr.u32 %r11, " + str(x.blocks) +
         ", %r1; and.b32 %r11, %r11, 1; setp.ne.and.u32 %p1, %r11, 0, %p1;\n";
    std::string at = x.global ? "[%rd12]" : "[%r13]";
    s += x.global ? "cvt.u64.u32 %rd11, %r10; add.u64 %rd12, %rd0, %rd11;\n" : "add.u32 %r13, %r7, %r10;\n";
    std::string type =
        std::string(x.global ? "global." : "shared.") + (x.bytes == 16 ? "v4.b32 " : "b" + str(8 * x.bytes) + " ");
    if (x.kind == Step::Store)
      s += "@%p1 st." + type + at + ", " +
           (x.bytes == 16  ? "{%r12, %r12, %r12, %r12}"
            : x.bytes == 8 ? "%rd10"
                           : "%r12") +
           ";\n";
    else
      s += "@%p1 ld." + type +
           (x.bytes == 16  ? "{%r14, %r15, %r16, %r17}"
            : x.bytes == 8 ? "%rd13"
                           : "%r14") +
           ", " + at + ";\n";
  }
  return s + "ret;\n";
}

bool hasRace(const std::vector<Step> &steps, unsigned threads, unsigned blocks) {
  for (size_t i = 0; i != steps.size(); ++i)
    for (size_t j = i; j != steps.size(); ++j) {
      const Step &a = steps[i], &b = steps[j];
      if (a.kind > Step::Store || b.kind > Step::Store || a.global != b.global ||
          (a.kind == Step::Load && b.kind == Step::Load))
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
      s.kind = what < 3                         ? Step::Load
               : what < 5                       ? Step::Store
               : what < 5 + barriers            ? Step::Barrier
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
