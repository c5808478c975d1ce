//===- TimingLeavingTest.cpp - Blocks that leave at once ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TimingTestUtil.h"

#include "tileiras/Emulator/Timing/Balance.h"
#include "tileiras/Emulator/Timing/Leaving.h"

#include <algorithm>

using namespace tileiras::emu;
using namespace tileiras::emu::test;
using namespace tileiras::emu::timing;

namespace {

TEST(TimingLeaving, BlocksThatLeaveAtOnce) {
  const MachineDescription m = machineOf("h200");
  ASSERT_EQ(m.sms, 132);
  const double unit = 100 * m.lat_fma;
  auto leavingUnless = [](const std::string &works) { return works + " @!%p1 ret; mov.u32 %r4, 40;"; };
  // One that leaves, by itself.
  Prediction gone = predictUnequal(leavingUnless("setp.lt.u32 %p1, %r0, 0;"), {132});
  ASSERT_TRUE(gone.ok) << gone.error;
  const double one = gone.cycles + m.block_start;
  auto expectClocks = [&](double wanted, double blocks, const std::string &works, Dim3 grid) {
    Prediction p = predictUnequal(leavingUnless(works), grid);
    ASSERT_TRUE(p.ok) << p.error;
    EXPECT_NEAR(p.cycles, wanted, 0.02 * 40 * unit) << works << p.extrapolation;
    EXPECT_DOUBLE_EQ(p.flops, blocks * 40 * 100 * 64) << works;
  };
  // 1,000 blocks, a slot for each of 132 SMs. 868 leave: 6.6 for each SM, seven for the fullest, behind the others or
  // before them.
  ASSERT_GT(7 * one, 3 * 0.02 * 40 * unit); // that can be seen
  expectClocks(40 * unit + 7 * one, 132, "setp.lt.u32 %p1, %r0, 132;", {1000});
  expectClocks(40 * unit + 7 * one, 132, "setp.ge.u32 %p1, %r0, 868;", {1000});
  // 20,000, and the border is between two that are asked.
  expectClocks(40 * unit + 151 * one, 132, "setp.lt.u32 %p1, %r0, 132;", {20000});
  // None of the samples (0, 333, 666, 999) works: 400 blocks leave, three from each SM and one more from four of them;
  // 100 of the others get one that works.
  expectClocks(40 * unit + 3 * one, 100, "sub.u32 %r6, %r0, 400; setp.lt.u32 %p1, %r6, 100;", {1000});
  // Two for each SM: the first 264 of 792; 528 leave, four for each.
  expectClocks(80 * unit + m.block_start + 4 * one, 264, "setp.lt.u32 %p1, %r0, 264;", {792});
  // Columns of a plane: three of eight, 132 in all, each block to the SM that is free first.
  std::array<double, 132> sms{};
  for (unsigned k = 0; k != 8 * 44; ++k)
    *std::min_element(sms.begin(), sms.end()) += k % 8 >= 5 ? 40 * unit : one;
  expectClocks(*std::max_element(sms.begin(), sms.end()), 132, "setp.ge.u32 %p1, %r0, 5;", {8, 44});
}

TEST(TimingLeaving, WhereTheAnswerChanges) {
  std::vector<uint64_t> all;
  auto inBand = [&](const std::vector<uint64_t> &asked) {
    std::vector<bool> answers;
    for (uint64_t k : asked)
      answers.push_back(k >= 37 && k < 61), all.push_back(k);
    return answers;
  };
  std::vector<uint64_t> band;
  for (uint64_t k = 37; k != 61; ++k)
    band.push_back(k);
  // 0, 14, 28, 42, 56, 70, 84, 99: 37 lies between 28 and 42, 61 between 56 and 70; four more for each.
  EXPECT_EQ(whereTrue(100, 8, inBand), band);
  EXPECT_EQ(all.size(), 8u + 8u);
  EXPECT_EQ(whereTrue(100, 100, inBand), band);
  EXPECT_TRUE(whereTrue(30, 4, inBand).empty());
}

TEST(TimingLeaving, ThoseThatLeaveTakeASlot) {
  GridTimes times({6});
  times.add(1, 10);
  times.add(4, 10);
  times.onlyWorking({1, 4}, 1);
  EXPECT_EQ(times.at(0), 1);
  EXPECT_EQ(times.at(4), 10);
  EXPECT_TRUE(times.corners().empty());
  EXPECT_TRUE(times.along(4).empty());
  // Two SMs: 0, 2, 3 and 4 one after another end at 13; 1 and 5 at 11.
  double late = 0;
  EXPECT_EQ(slowestShare(times, 6, 2, 1, &late), (std::vector<uint64_t>{4}));
  EXPECT_DOUBLE_EQ(late, 3);
  // The first of five works for 3, the others leave after 2: behind it 3 to 5, on the other SM 0 to 2, 4 and 6, where
  // nobody works.
  GridTimes first({5});
  first.add(0, 3);
  first.onlyWorking({0}, 2);
  EXPECT_EQ(slowestShare(first, 5, 2, 1, &late), (std::vector<uint64_t>{0}));
  EXPECT_DOUBLE_EQ(late, 3);
}

TEST(TimingBalance, SamplesBesideThoseThatWork) {
  GridTimes times({20});
  times.add(2, 10, 5);
  times.add(6, 10, 6); // between two that work
  times.add(12, 10, 7);
  times.add(15, 10, 8); // behind the last one, which has been measured
  times.onlyWorking({2, 4, 8, 12}, 1);
  EXPECT_EQ(times.flopsOfSamples(), (std::map<uint64_t, double>{{0, 5}, {2, 6}, {3, 7}}));
  // In whatever order they come.
  GridTimes late({20});
  late.add(15, 10, 8);
  late.add(12, 10, 7);
  late.onlyWorking({2, 4, 8, 12}, 1);
  EXPECT_EQ(late.flopsOfSamples(), (std::map<uint64_t, double>{{3, 7}}));
  GridTimes all({4});
  all.add(3, 10, 2);
  EXPECT_EQ(all.flopsOfSamples(), (std::map<uint64_t, double>{{3, 2}}));
}

TEST(TimingBalance, ASumOfSteps) {
  // Ten clusters of 3 and 122 of 2: 274. Two ends say 330.
  auto steps = [](unsigned border, unsigned most, unsigned *asked) {
    return sumOfSteps({{0, 3}, {131, 2}}, 132, most, [=](uint64_t k) {
      ++*asked;
      return k < border ? 3.0 : 2.0;
    });
  };
  unsigned asked = 0;
  EXPECT_DOUBLE_EQ(steps(10, 0, &asked), 330);
  EXPECT_EQ(asked, 0u);
  // The border is between 0 and 131, 65, 32, 16, then between 8 and 16: 9 x 3 + 7 x 2.5 + 116 x 2 = 276.5, sure to 3.5
  // (more than three in a thousand); between 8 and 12: 9 x 3 + 3 x 2.5 + 120 x 2 = 274.5, sure to 1.5; between 10 and
  // 12 it is sure to a half.
  EXPECT_DOUBLE_EQ(steps(10, 4, &asked), 276.5);
  EXPECT_EQ(asked, 4u);
  asked = 0;
  EXPECT_NEAR(steps(10, 8, &asked), 274, 0.5);
  EXPECT_LE(asked, 6u);
  // Nothing is asked where they are equal, and beyond the last one it is as there.
  asked = 0;
  EXPECT_DOUBLE_EQ(sumOfSteps({{2, 5}, {7, 5}}, 10, 8, [&](uint64_t) { return ++asked, 0.0; }), 50);
  EXPECT_EQ(asked, 0u);
  EXPECT_EQ(sumOfSteps({}, 10, 8, nullptr), 0);
}

TEST(TimingPredict, PersistentBlocksOfUnequalWork) {
  // 250 tiles of 20 products for 108 blocks, one in 108 each: 34 blocks have three, the others two. Two samples, of
  // three and of two, have a mean of 2.5, which were 270 tiles. The same where the grid is as large as the work, and
  // all but 108 leave.
  const double tile = 20 * 4096.0;
  for (bool leave : {false, true}) {
    auto module = parse(ptx(R"(.visible .entry k()
.reqntid 32
{
.reg .pred %p<4>; .reg .b32 %r<8>; .reg .f32 %f<4>;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mad.lo.u32 %r0, %r1, 27, %r0; setp.ge.u32 %p2, %r0, 108; @%p2 bra E;
T: mov.u32 %r2, 0;
L: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, {%r4, %r5}, {%f0, %f1, %f2, %f3};
add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20; @%p1 bra L;
add.u32 %r0, %r0, 108; setp.lt.u32 %p0, %r0, 250; @%p0 bra T;
E: ret;
}
)",
                            "sm_80"));
    ASSERT_TRUE(module);
    for (unsigned samples : {2u, 4u}) {
      Memory memory;
      LaunchConfig c;
      c.grid = leave ? Dim3{27, 10} : Dim3{108};
      c.options.checkUninitialized = false;
      PredictOptions options;
      options.machine = "a100";
      options.useAssembler = false;
      options.samples = samples;
      Prediction p = predict(*module, memory, c, options);
      ASSERT_TRUE(p.ok) << p.error;
      EXPECT_NEAR(p.flops / tile, 250, 0.003 * 250) << samples << leave;
      // The SM that is done last has three tiles.
      const double longest = 60 * machineOf("a100").lat_mma;
      EXPECT_NEAR(p.cycles, longest, 0.1 * longest + (leave ? 700 : 0));
    }
  }
}

} // namespace
