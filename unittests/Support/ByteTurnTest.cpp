//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Tiles of bytes that ldmatrix and prmt turn, or prmt and stmatrix: every byte of every register is what the layout
// says, and every byte that is written lies where it should, computed from the PTX ISA's description of the
// instructions; and neither way has a bank conflict.
//===----------------------------------------------------------------------===//

#include "tileiras/Support/ByteTurn.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "gtest/gtest.h"

using namespace tileiras;

namespace {

/// Registers that do not hold what the layout says. `plant`: the selector of the prmt does not depend on the lane.
int wrong(const LinearLayout &layout, const ByteTurn &turn, const LinearLayout &memory, bool plant = false) {
  const MatrixFetch &fetch = turn.fetch;
  LinearLayout offsets = fetch.rows.invertAndCompose(memory)->sublayout(fetch.rows.inNames(), {kOffset});
  EXPECT_TRUE(fetch.readsFrom(offsets));
  int count = 0;
  for (int warp = 0; warp < layout.inSize(kWarp); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int instruction = 0; instruction < 1 << fetch.otherBits.size(); ++instruction)
        for (int pair = 0; pair < fetch.matrices(); ++pair)
          for (int which = 0; which < 2; ++which)
            for (int i = 0; i < 4; ++i) {
              // prmt: byte i is byte 2 i (+ 1) of the eight that two words have.
              bool odd = which ^ (turn.alternates && lane >= 16 && !plant);
              int byte = 2 * i + odd, matrix = 2 * pair + byte / 4;
              // ldmatrix: the two elements of 16 bits of a word are column lane / 4 of two rows.
              int row = 8 * matrix + 2 * (lane % 4) + byte % 4 / 2;
              int offset = offsets.coords({{kRegister, instruction << fetch.rowBits}, {kLane, row}, {kWarp, warp}})[0] +
                           2 * (lane / 4) + byte % 2;
              int32_t r = fetch.registerOf(instruction, pair, which << turn.pairBit) | i;
              count +=
                  memory.coords({{kOffset, offset}}) != layout.coords({{kRegister, r}, {kLane, lane}, {kWarp, warp}});
            }
  return count;
}

struct Case {
  std::vector<int32_t> shape;
  int dense, along, warpBits, swizzle;
};

TEST(ByteTurn, HoldsWhatItsLayoutSays) {
  for (const Case &c : {Case{{128, 128}, 1, 0, 3, 128}, Case{{128, 64}, 1, 0, 2, 128}, Case{{64, 128}, 1, 0, 2, 64},
                        Case{{32, 256}, 1, 0, 3, 32}, Case{{64, 128}, 0, 1, 2, 128}, Case{{2, 64, 64}, 2, 1, 3, 64},
                        Case{{32, 32}, 1, 0, 2, 32}, Case{{16, 16}, 1, 0, 0, 16}}) {
    std::optional<LinearLayout> layout = turnedBytes(c.shape, c.dense, c.along, c.warpBits);
    ASSERT_TRUE(layout);
    std::optional<ByteTurn> turn = byteTurn(*layout);
    ASSERT_TRUE(turn);
    EXPECT_TRUE(turn->alternates);
    int32_t elements = 1;
    for (int32_t extent : c.shape)
      elements *= extent;
    EXPECT_EQ(layout->inSize(kRegister) * 32 * layout->inSize(kWarp), elements);
    EXPECT_TRUE(layout->isPermutation());

    std::vector<int32_t> order = {c.dense};
    for (int d = int(c.shape.size()) - 1; d >= 0; --d)
      if (d != c.dense)
        order.push_back(d);
    EXPECT_EQ(wrong(*layout, *turn, sharedLayout(c.shape, order)), 0);
    EXPECT_NE(wrong(*layout, *turn, sharedLayout(c.shape, order), /*plant=*/true), 0);

    // What is written lies along the other dimension, as wgmma reads it.
    std::vector<int32_t> turned = {c.along, c.dense};
    for (int d = int(c.shape.size()) - 1; d >= 0; --d)
      if (d != c.dense && d != c.along)
        turned.push_back(d);
    LinearLayout operand = c.swizzle > 16 ? sharedLayout(c.shape, turned, Swizzle::hardware(c.swizzle, 1), c.swizzle)
                                          : sharedLayout(c.shape, turned);
    std::optional<SharedPlan> written = planSharedThrough(operand, *layout, *layout, 1);
    ASSERT_TRUE(written);
    EXPECT_EQ(written->store.vectorBits, 2);
    if (c.swizzle > 16)
      EXPECT_EQ(written->store.wavefronts, written->store.idealWavefronts);
  }
}

TEST(ByteTurn, CopiesAndMatricesMeetInNoBank) {
  // As tiled_load has a tile of 128 x 128 bytes by eight warps: 16 bytes of a row to a lane.
  LinearLayout::InDim registers{kRegister, {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {32, 0}, {64, 0}}};
  LinearLayout::InDim lanes{kLane, {{0, 16}, {0, 32}, {0, 64}, {1, 0}, {2, 0}}};
  LinearLayout::InDim warps{kWarp, {{4, 0}, {8, 0}, {16, 0}}};
  LinearLayout loads({registers, lanes, warps, LinearLayout::InDim{kBlock, {}}}, {128, 128});
  std::optional<LinearLayout> layout = turnedBytes({128, 128}, 1, 0, 3);
  std::optional<ByteTurn> turn = byteTurn(*layout);
  std::optional<SharedPlan> plan = planMatrixFetch(loads, turn->fetch, 1);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->load.wavefronts, plan->load.idealWavefronts);
  EXPECT_EQ(plan->store.wavefronts, plan->store.idealWavefronts);
  EXPECT_EQ(wrong(*layout, *turn, plan->memory), 0);
}

TEST(ByteTurn, RefusesWhatItCannotTurn) {
  EXPECT_FALSE(turnedBytes({128, 8}, 1, 0, 2));
  EXPECT_FALSE(turnedBytes({8, 128}, 1, 0, 2));
  EXPECT_FALSE(turnedBytes({16, 16}, 1, 0, 1)); // a warp would have nothing
  EXPECT_FALSE(turnedBytes({16, 16}, 0, 0, 0));
  LinearLayout layout = *turnedBytes({64, 64}, 1, 0, 2);
  // Another order of the lanes is not what the instructions bring.
  std::vector<uint64_t> lanes = layout.flatBases(kLane);
  std::swap(lanes[0], lanes[1]);
  LinearLayout none = layout.sublayout({}, layout.outNames());
  EXPECT_FALSE(byteTurn(none.extendIn(kRegister, layout.flatBases(kRegister))
                            .extendIn(kLane, lanes)
                            .extendIn(kWarp, layout.flatBases(kWarp))
                            .extendIn(kBlock, {})));
}

/// Bytes that stmatrix writes elsewhere than the layout says. `plant`: the selector of the prmt does not depend on the
/// lane.
int misplaced(const LinearLayout &layout, const ByteStore &store, const LinearLayout &memory, bool plant = false) {
  const MatrixFetch &rows = store.rows;
  LinearLayout offsets = rows.rows.invertAndCompose(memory)->sublayout(rows.rows.inNames(), {kOffset});
  EXPECT_TRUE(rows.readsFrom(offsets));
  int count = 0;
  for (int warp = 0; warp < layout.inSize(kWarp); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int instruction = 0; instruction < 1 << rows.otherBits.size(); ++instruction)
        for (int matrix = 0; matrix < rows.matrices(); ++matrix)
          for (int i = 0; i < 4; ++i) {
            // prmt 0x5140 or 0x7362: byte i of the word comes of row i % 2, and is byte i / 2 of the first or the
            // second pair there.
            bool second = (matrix & 1) ^ (lane % 2 && !plant);
            int32_t r = rows.registerOf(instruction, matrix & ~1, 0) | (i % 2) << store.rowBit | second << 1 | i / 2;
            // stmatrix.trans: the halves of a word are number lane / 4 of rows 2 (lane % 4) and 2 (lane % 4) + 1.
            int row = 8 * matrix + 2 * (lane % 4) + i / 2;
            int offset = offsets.coords({{kRegister, instruction << rows.rowBits}, {kLane, row}, {kWarp, warp}})[0] +
                         2 * (lane / 4) + i % 2;
            count +=
                memory.coords({{kOffset, offset}}) != layout.coords({{kRegister, r}, {kLane, lane}, {kWarp, warp}});
          }
  return count;
}

TEST(ByteTurn, StoresWhatItsLayoutSays) {
  for (const Case &c : {Case{{128, 128}, 1, 0, 3, 128}, Case{{128, 64}, 1, 0, 2, 128}, Case{{64, 128}, 1, 0, 2, 64},
                        Case{{32, 256}, 1, 0, 3, 32}, Case{{64, 128}, 0, 1, 2, 128}, Case{{4, 64, 64}, 2, 1, 3, 64},
                        Case{{256, 128}, 1, 0, 2, 128}, Case{{32, 32}, 1, 0, 0, 32}}) {
    std::optional<LinearLayout> layout = loadedBytes(c.shape, c.dense, c.along, c.warpBits);
    ASSERT_TRUE(layout);
    EXPECT_TRUE(layout->isPermutation());
    std::optional<ByteStore> store = byteStore(*layout);
    ASSERT_TRUE(store);
    std::vector<int32_t> turned = {c.along, c.dense};
    for (int d = int(c.shape.size()) - 1; d >= 0; --d)
      if (d != c.dense && d != c.along)
        turned.push_back(d);
    LinearLayout operand = sharedLayout(c.shape, turned, Swizzle::hardware(c.swizzle, 1), c.swizzle);
    EXPECT_EQ(misplaced(*layout, *store, operand), 0);
    EXPECT_NE(misplaced(*layout, *store, operand, /*plant=*/true), 0);
    std::optional<SharedPlan> plan = planSharedThrough(operand, store->rows.rows, store->rows.rows, 1);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->store.vectorBits, 4);
    EXPECT_EQ(plan->store.conflicts(), 0);
  }
}

TEST(ByteTurn, RefusesWhatItCannotStore) {
  EXPECT_FALSE(loadedBytes({128, 16}, 1, 0, 2));
  EXPECT_FALSE(loadedBytes({16, 128}, 1, 0, 2));
  EXPECT_FALSE(loadedBytes({32, 32}, 1, 0, 1)); // a warp would have nothing
  EXPECT_FALSE(loadedBytes({32, 32}, 0, 0, 0));
  LinearLayout layout = *loadedBytes({64, 64}, 1, 0, 2), none = layout.sublayout({}, layout.outNames());
  auto with = [&](std::vector<uint64_t> registers, std::vector<uint64_t> lanes) {
    return none.extendIn(kRegister, registers)
        .extendIn(kLane, lanes)
        .extendIn(kWarp, layout.flatBases(kWarp))
        .extendIn(kBlock, {});
  };
  std::vector<uint64_t> registers = layout.flatBases(kRegister), lanes = layout.flatBases(kLane);
  EXPECT_TRUE(byteStore(with(registers, lanes)));
  std::swap(lanes[2], lanes[3]);
  EXPECT_FALSE(byteStore(with(registers, lanes)));
  std::swap(lanes[2], lanes[3]);
  registers.push_back(0); // copies
  EXPECT_FALSE(byteStore(with(registers, lanes)));
}

} // namespace
