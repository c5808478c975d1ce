//===- DotLayoutsTest.cpp - Layouts of matrix products ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/DotLayouts.h"
#include "RandomLayouts.h"
#include "tileiras/Support/LinearLayout.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace tileiras;

using Ints = std::vector<int32_t>;

static Ints at(const LinearLayout &layout, int32_t reg, int32_t lane, int32_t warp = 0) {
  return layout.coords({{"register", reg}, {"lane", lane}, {"warp", warp}});
}

static DotTiling instruction(int m, int k, int bits) {
  DotTiling t;
  t.m = m, t.n = 8, t.k = k, t.elementBits = bits;
  return t;
}

// Row and column of element i of a lane, as the figures of the PTX ISA give them for each shape.
TEST(DotLayouts, FragmentsAreThoseOfThePtxIsa) {
  for (int lane = 0; lane < 32; ++lane) {
    int g = lane / 4, t = lane % 4;
    { // mma.m16n8k16 of f16 and bf16
      DotTiling tiling = instruction(16, 16, 16);
      DotShape shape{1, 16, 8, 16};
      LinearLayout a = dotLayout(tiling, shape, DotOperand::A), b = dotLayout(tiling, shape, DotOperand::B),
                   c = dotLayout(tiling, shape, DotOperand::C);
      ASSERT_EQ(a.inSize("register"), 8);
      ASSERT_EQ(b.inSize("register"), 4);
      ASSERT_EQ(c.inSize("register"), 4);
      for (int i = 0; i < 8; ++i)
        EXPECT_EQ(at(a, i, lane), (Ints{(i < 2 || (i >= 4 && i < 6)) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)}));
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(at(b, i, lane), (Ints{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g}));
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(at(c, i, lane), (Ints{i < 2 ? g : g + 8, t * 2 + (i & 1)}));
    }
    { // mma.m16n8k32 of bytes
      DotTiling tiling = instruction(16, 32, 8);
      DotShape shape{1, 16, 8, 32};
      LinearLayout a = dotLayout(tiling, shape, DotOperand::A), b = dotLayout(tiling, shape, DotOperand::B);
      for (int i = 0; i < 16; ++i)
        EXPECT_EQ(at(a, i, lane),
                  (Ints{(i < 4 || (i >= 8 && i < 12)) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)}));
      for (int i = 0; i < 8; ++i)
        EXPECT_EQ(at(b, i, lane), (Ints{t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g}));
    }
    { // mma.m16n8k8 of tf32
      DotTiling tiling = instruction(16, 8, 32);
      DotShape shape{1, 16, 8, 8};
      LinearLayout a = dotLayout(tiling, shape, DotOperand::A), b = dotLayout(tiling, shape, DotOperand::B);
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(at(a, i, lane), (Ints{(i == 0 || i == 2) ? g : g + 8, i < 2 ? t : t + 4}));
      for (int i = 0; i < 2; ++i)
        EXPECT_EQ(at(b, i, lane), (Ints{i == 0 ? t : t + 4, g}));
    }
    { // mma.m8n8k4 of f64
      DotTiling tiling = instruction(8, 4, 64);
      DotShape shape{1, 8, 8, 4};
      EXPECT_EQ(at(dotLayout(tiling, shape, DotOperand::A), 0, lane), (Ints{g, t}));
      EXPECT_EQ(at(dotLayout(tiling, shape, DotOperand::B), 0, lane), (Ints{t, g}));
      LinearLayout c = dotLayout(tiling, shape, DotOperand::C);
      for (int i = 0; i < 2; ++i)
        EXPECT_EQ(at(c, i, lane), (Ints{g, t * 2 + i}));
    }
  }
}

namespace {

DotTiling randomTiling(Random &rng, const DotShape &shape, int warps) {
  static const DotTiling shapes[] = {instruction(16, 16, 16), instruction(16, 8, 16), instruction(16, 8, 32),
                                     instruction(8, 4, 64),   instruction(16, 32, 8), instruction(16, 16, 8)};
  DotTiling t = shapes[rng.below(6)];
  if (t.k > shape.k)
    return multiplyAddTiling(shape, 32, warps);
  t.warpsBatch = std::min(warps, shape.batch);
  std::tie(t.warpsM, t.warpsN) = distributeWarps(t, shape, warps / t.warpsBatch, rng.below(2));
  return t;
}

} // namespace

/// What a lowering relies on: in each step the lanes of a warp together hold, in the fragments numbered as the header
/// says, rows x k of A and k x columns of B such that the results they make are those of the fragment of C; over all
/// steps every k comes once, and every result exists.
TEST(DotLayouts, StepsMakeTheProduct) {
  Random rng(5);
  int instructions = 0, copies = 0, batches = 0;
  for (int round = 0; round < 300; ++round) {
    DotShape s;
    s.batched = rng.below(2);
    s.batch = s.batched ? 1 << rng.below(4) : 1;
    s.m = 1 << rng.below(8), s.n = 1 << rng.below(7), s.k = 1 << rng.below(7);
    int warps = 1 << rng.below(4);
    DotTiling t = randomTiling(rng, s, warps);
    ASSERT_EQ(t.whyNot(s), "");
    ASSERT_EQ(t.warpsBatch * t.warpsM * t.warpsN, warps);
    instructions += t.usesInstruction();
    LinearLayout a = dotLayout(t, s, DotOperand::A), b = dotLayout(t, s, DotOperand::B),
                 c = dotLayout(t, s, DotOperand::C);
    copies += !c.isInjective();
    batches += s.batch > 1;
    EXPECT_TRUE(a.isSurjective() && b.isSurjective() && c.isSurjective());
    int fa = t.fragmentSize(DotOperand::A), fb = t.fragmentSize(DotOperand::B), fc = t.fragmentSize(DotOperand::C);
    ASSERT_EQ(a.inSize("register"), fa * t.stepsK(s) * t.passesM(s) * t.passesBatch(s));
    ASSERT_EQ(b.inSize("register"), fb * t.stepsK(s) * t.passesN(s) * t.passesBatch(s));
    ASSERT_EQ(c.inSize("register"), fc * t.passesN(s) * t.passesM(s) * t.passesBatch(s));
    int d = s.batched ? 1 : 0; // position of the row
    for (int trial = 0; trial < 8; ++trial) {
      int warp = rng.below(warps), lane = rng.below(32);
      int pm = rng.below(t.passesM(s)), pn = rng.below(t.passesN(s)), pb = rng.below(t.passesBatch(s));
      // The k each result of one lane meets, from both sides.
      std::multiset<int> seen;
      std::set<Ints> rows, columns;
      for (int step = 0; step < t.stepsK(s); ++step) {
        std::set<int> ka, kb;
        for (int l = 0; l < 32; ++l) {
          if (!t.usesInstruction() && l != lane)
            continue; // without instruction nobody else's operands are seen
          for (int i = 0; i < fa; ++i) {
            Ints p = at(a, i + fa * (step + t.stepsK(s) * (pm + t.passesM(s) * pb)), l, warp);
            ka.insert(p[d + 1]);
            p.pop_back();
            rows.insert(p);
          }
          for (int i = 0; i < fb; ++i) {
            Ints p = at(b, i + fb * (step + t.stepsK(s) * (pn + t.passesN(s) * pb)), l, warp);
            kb.insert(p[d]);
            p.erase(p.begin() + d);
            columns.insert(p);
          }
        }
        EXPECT_EQ(ka, kb);
        EXPECT_EQ(int(ka.size()), t.k);
        seen.insert(ka.begin(), ka.end());
      }
      for (int k = 0; k < s.k; ++k)
        EXPECT_EQ(seen.count(k), 1u);
      std::set<Ints> expected, made;
      for (const Ints &row : rows)
        for (const Ints &column : columns) {
          ASSERT_EQ(s.batched ? row[0] : 0, s.batched ? column[0] : 0);
          Ints p = row;
          p.push_back(column.back());
          expected.insert(p);
        }
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < fc; ++i)
          if (t.usesInstruction() || l == lane)
            made.insert(at(c, i + fc * (pn + t.passesN(s) * (pm + t.passesM(s) * pb)), l, warp));
      EXPECT_EQ(made, expected) << c.toString();
    }
  }
  EXPECT_GT(instructions, 50);
  EXPECT_GT(copies, 20);
  EXPECT_GT(batches, 50);
}

TEST(DotLayouts, ScalesFollowTheirOperand) {
  DotShape s{1, 32, 16, 64};
  DotTiling t = instruction(8, 4, 64);
  t.warpsM = 2, t.warpsN = 2;
  for (int32_t block : {16, 32}) {
    LinearLayout a = dotLayout(t, s, DotOperand::A), sa = dotScaleLayout(t, s, DotOperand::A, block),
                 b = dotLayout(t, s, DotOperand::B), sb = dotScaleLayout(t, s, DotOperand::B, block);
    EXPECT_EQ(sa.shape(), (Ints{32, 64 / block}));
    EXPECT_EQ(sb.shape(), (Ints{64 / block, 16}));
    for (int warp = 0; warp < 4; ++warp)
      for (int lane = 0; lane < 32; ++lane) {
        for (int r = 0; r < a.inSize("register"); ++r) {
          Ints p = at(a, r, lane, warp);
          EXPECT_EQ(at(sa, r, lane, warp), (Ints{p[0], p[1] / block}));
        }
        for (int r = 0; r < b.inSize("register"); ++r) {
          Ints p = at(b, r, lane, warp);
          EXPECT_EQ(at(sb, r, lane, warp), (Ints{p[0] / block, p[1]}));
        }
      }
  }
}

TEST(DotLayouts, WarpsCoverSquares) {
  DotTiling t;
  EXPECT_EQ(distributeWarps(t, {1, 128, 128, 64}, 4, false), std::make_pair(2, 2));
  EXPECT_EQ(distributeWarps(t, {1, 128, 128, 64}, 4, true), std::make_pair(4, 1));
  EXPECT_EQ(distributeWarps(t, {1, 16, 128, 64}, 4, false), std::make_pair(1, 4));
  EXPECT_EQ(distributeWarps(t, {1, 128, 8, 64}, 8, false), std::make_pair(8, 1));
  EXPECT_EQ(distributeWarps(t, {1, 16, 8, 64}, 4, true), std::make_pair(1, 4)); // copies
}

TEST(DotLayouts, RefusesWhatDoesNotFit) {
  DotShape s{1, 16, 8, 8};
  EXPECT_NE(instruction(16, 16, 16).whyNot(s), "");
  EXPECT_NE(instruction(4, 8, 16).whyNot(s), "");
  EXPECT_NE(instruction(16, 4, 16).whyNot(s), "");
  EXPECT_NE(instruction(16, 3, 16).whyNot(s), "");
  EXPECT_EQ(instruction(16, 8, 16).whyNot(s), "");
}
