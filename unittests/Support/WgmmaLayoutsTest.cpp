//===- WgmmaLayoutsTest.cpp - Who holds what of a wgmma product -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle is the table of the PTX ISA ("Register Fragments and Shared Memory Matrix Layouts" of wgmma): register i
// of a lane, row 16 warp + lane / 4 + 8 (i / 2 % 2), column 8 (i / 4) + 2 (lane % 4) + i % 2; and for A the four
// registers of mma.m16n8k16.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/WgmmaLayouts.h"
#include "tileiras/Support/LinearLayout.h"
#include "gtest/gtest.h"

using namespace tileiras;

namespace {

std::vector<int32_t> at(const LinearLayout &layout, int32_t reg, int32_t lane, int32_t warp) {
  return layout.coords({{kRegister, reg}, {kLane, lane}, {kWarp, warp}});
}

TEST(WgmmaLayouts, Accumulators) {
  for (int32_t n : {8, 16, 64, 256})
    for (int32_t groupsM : {1, 2})
      for (int32_t groupsN : {1, 2})
        for (int32_t passesM : {1, 2})
          for (int32_t passesN : {1, 2}) {
            WgmmaTiling t{n, 16, groupsM, groupsN};
            DotShape shape;
            shape.m = 64 * groupsM * passesM, shape.n = n * groupsN * passesN, shape.k = 32;
            LinearLayout layout = wgmmaLayout(t, shape, DotOperand::C);
            ASSERT_TRUE(layout.isPermutation());
            for (int32_t pm = 0; pm < passesM; ++pm)
              for (int32_t pn = 0; pn < passesN; ++pn)
                for (int32_t warp = 0; warp < t.warps(); ++warp)
                  for (int32_t lane = 0; lane < 32; ++lane)
                    for (int32_t i = 0; i < n / 2; ++i) {
                      int32_t group = warp / 4, groupN = group % groupsN, groupM = group / groupsN;
                      int32_t row = 16 * (warp % 4) + lane / 4 + 8 * (i / 2 % 2) + 64 * (groupM + groupsM * pm);
                      int32_t column = 8 * (i / 4) + 2 * (lane % 4) + i % 2 + n * (groupN + groupsN * pn);
                      int32_t reg = i + n / 2 * (pn + passesN * pm);
                      ASSERT_EQ(at(layout, reg, lane, warp), (std::vector<int32_t>{row, column}));
                    }
          }
}

TEST(WgmmaLayouts, OperandInRegisters) {
  for (int32_t bits : {8, 16, 32}) {
    WgmmaTiling t{64, bits, 2, 1};
    DotShape shape;
    shape.m = 128, shape.n = 64, shape.k = 2 * t.k();
    LinearLayout layout = wgmmaLayout(t, shape, DotOperand::A);
    ASSERT_TRUE(layout.isPermutation());
    int32_t w = 32 / bits;
    for (int32_t warp = 0; warp < 8; ++warp)
      for (int32_t lane = 0; lane < 32; ++lane)
        for (int32_t r = 0; r < layout.inSize(kRegister); ++r) {
          int32_t step = r / (4 * w), word = r / w % 4;
          int32_t row = 16 * (warp % 4) + lane / 4 + 8 * (word % 2) + 64 * (warp / 4);
          int32_t k = r % w + w * (lane % 4) + 4 * w * (word / 2) + t.k() * step;
          ASSERT_EQ(at(layout, r, lane, warp), (std::vector<int32_t>{row, k}));
        }
  }
}

TEST(WgmmaLayouts, ChainedProductsNeedNoExchange) {
  // The sums of the first product, in 16 bits, are the left operand of the second where they are.
  DotShape first, second;
  first.m = 128, first.n = 64, first.k = 128;
  second.m = 128, second.n = 128, second.k = 64;
  WgmmaTiling t1 = *WgmmaTiling::choose(first, 16, 8), t2 = *WgmmaTiling::choose(second, 16, 8);
  EXPECT_EQ(wgmmaLayout(t1, first, DotOperand::C), wgmmaLayout(t2, second, DotOperand::A));
}

TEST(WgmmaLayouts, Choice) {
  DotShape shape;
  shape.m = 128, shape.n = 256, shape.k = 64;
  auto t = WgmmaTiling::choose(shape, 16, 8);
  ASSERT_TRUE(t);
  EXPECT_EQ(std::tuple(t->n, t->groupsM, t->groupsN), std::tuple(256, 2, 1));
  shape.m = 64;
  t = WgmmaTiling::choose(shape, 16, 8);
  ASSERT_TRUE(t);
  EXPECT_EQ(std::tuple(t->n, t->groupsM, t->groupsN), std::tuple(128, 1, 2));
  std::string why;
  EXPECT_FALSE(WgmmaTiling::choose(shape, 16, 2, &why));
  EXPECT_EQ(why, "2 warps are no warpgroups");
  shape.m = 32;
  EXPECT_FALSE(WgmmaTiling::choose(shape, 16, 4, &why));
  EXPECT_EQ(why, "the warpgroups have 64 rows, the product 32");
  shape.m = 64, shape.k = 8;
  EXPECT_FALSE(WgmmaTiling::choose(shape, 16, 4, &why));
  EXPECT_EQ(why, "an instruction has k = 16, the product 8");
  shape.k = 64, shape.n = 8;
  EXPECT_FALSE(WgmmaTiling::choose(shape, 16, 8, &why)); // 16 columns for two groups
}

} // namespace
