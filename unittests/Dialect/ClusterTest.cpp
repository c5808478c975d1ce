//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// How the blocks of a cluster divide tiles: the parts are disjoint, and together they are the tile.
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
using tileiras::TmaTile;

namespace {

TmaTile describe(const LinearLayout &memory, int dense, int32_t elementBytes) {
  std::string error;
  std::optional<TmaTile> tile = tileiras::describeTmaTile(memory, dense, elementBytes, &error);
  EXPECT_TRUE(tile) << error;
  return *tile;
}

/// 64 x 128 elements of 2 bytes in panels of 64 columns with the 128-byte swizzle.
LinearLayout panels() {
  LinearLayout::InDim offset{
      tileiras::kOffset,
      {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}, {4, 32}, {8, 0}, {16, 0}, {32, 0}, {0, 64}}};
  return LinearLayout({offset}, {64, 128});
}

class Division : public ::testing::TestWithParam<int> {};

TEST_P(Division, PartsAreTheTile) {
  int32_t blocks = GetParam();
  TmaTile whole = describe(panels(), 1, 2);
  std::optional<TmaTile> divided = divideAmongBlocks(whole, blocks, 2);
  ASSERT_TRUE(divided);
  ASSERT_EQ(divided->copies.size() % blocks, 0u);
  EXPECT_EQ(divided->boxElements() * int64_t(divided->copies.size()), 64 * 128);
  // Every element is in one box, and its place is where the layout has it.
  LinearLayout offsets = *panels().pseudoInvert();
  std::set<std::pair<int, int>> seen;
  for (const TmaTile::Copy &copy : divided->copies) {
    EXPECT_EQ(copy.bytes % divided->alignment(), 0);
    EXPECT_EQ(offsets.coords({{tileiras::dimName(0), copy.coords[0]}, {tileiras::dimName(1), copy.coords[1]}})[0] * 2,
              copy.bytes);
    for (int row = 0; row < divided->box[0]; ++row)
      for (int column = 0; column < divided->box[1]; ++column)
        EXPECT_TRUE(seen.insert({copy.coords[0] + row, copy.coords[1] + column}).second);
  }
  EXPECT_EQ(seen.size(), 64u * 128u);
  // The copies of a block are those of block 0, moved by what each bit of its number stands for.
  size_t each = divided->copies.size() / blocks;
  for (int rank = 0; rank < blocks; ++rank)
    for (size_t i = 0; i < each; ++i) {
      int bytes = divided->copies[i].bytes, row = divided->copies[i].coords[0], column = divided->copies[i].coords[1];
      for (int bit = 0; 1 << bit < blocks; ++bit)
        if (rank >> bit & 1) {
          const TmaTile::Copy &step = divided->copies[each << bit];
          bytes += step.bytes, row += step.coords[0], column += step.coords[1];
        }
      const TmaTile::Copy &copy = divided->copies[rank * each + i];
      EXPECT_EQ(copy.bytes, bytes);
      EXPECT_EQ(copy.coords, (std::vector<int32_t>{row, column}));
    }
}
INSTANTIATE_TEST_SUITE_P(Blocks, Division, ::testing::Values(2, 4, 8));

TEST(ClusterTest, BoxesAreNotDividedBelowTheirPattern) {
  // 8 rows of 128 bytes are one round of the swizzle's pattern.
  LinearLayout::InDim offset{tileiras::kOffset,
                             {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 8}, {2, 16}, {4, 32}, {8, 0}}};
  TmaTile tile = describe(LinearLayout({offset}, {16, 64}), 1, 2);
  EXPECT_TRUE(divideAmongBlocks(tile, 2, 2));
  EXPECT_FALSE(divideAmongBlocks(tile, 4, 2));
}

TEST(ClusterTest, HalvesOfATile) {
  std::optional<LinearLayout> halves = divideBetweenBlocks(panels(), 1);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->basis(tileiras::kBlock, 0), (std::vector<int32_t>{0, 64}));
  std::optional<LinearLayout> part = partOfBlock(*halves);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->shape(), (std::vector<int32_t>{64, 64}));
  EXPECT_EQ(part->inBits(tileiras::kOffset), 12);
  // Rows: their last bit has a place of its own, too.
  EXPECT_TRUE(divideBetweenBlocks(panels(), 0));
  EXPECT_FALSE(divideBetweenBlocks(*halves, 0)) << "blocks divide it already";
  EXPECT_EQ(partOfBlock(panels()), panels());
}

TEST(ClusterTest, OtherDivisionsAreNone) {
  LinearLayout::InDim offset{tileiras::kOffset, {{0, 2}, {1, 0}}}, even{tileiras::kBlock, {{0, 1}}};
  EXPECT_FALSE(partOfBlock(LinearLayout({offset, even}, {2, 4})));
}

} // namespace
