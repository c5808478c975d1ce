//===- TmaTileTest.cpp - Shared tiles that TMA copies ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The oracle is the PTX ISA's account of a tensor copy ("Tensors", "Swizzling modes"), written out element by element
// from box, order and swizzle alone: the layout must have every element where the copy puts it.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/TmaTile.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/SmemDescriptor.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace tileiras;

namespace {

/// Copies a tile into shared memory as the hardware does and compares with the layout; elements that differ or are
/// missing.
int64_t differences(const LinearLayout &memory, const TmaTile &tile, int32_t elementBytes) {
  std::vector<int32_t> shape = memory.shape();
  int rank = int(shape.size());
  LinearLayout inverse = *memory.invert();
  std::vector<char> seen(size_t(memory.inSize(kOffset)));
  const uint32_t base = 3 * 1024; // what any swizzle needs
  uint32_t mask = tile.swizzleBytes == 128 ? 0x70 : tile.swizzleBytes == 64 ? 0x30 : tile.swizzleBytes == 32 ? 0x10 : 0;
  int64_t wrong = 0;
  for (const TmaTile::Copy &copy : tile.copies) {
    EXPECT_EQ((base + copy.bytes) % 128, 0u);
    for (int64_t i = 0; i < tile.boxElements(); ++i) {
      std::vector<int32_t> at = copy.coords;
      int64_t rest = i;
      for (int k = 0; k < rank; ++k) {
        int d = tile.order[k];
        at[d] += int32_t(rest % tile.box[d]);
        rest /= tile.box[d];
      }
      uint32_t address = base + copy.bytes + uint32_t(i) * elementBytes;
      address ^= tile.atomBytes == 32 ? (address >> 2) & 0x60 : (address >> 3) & mask;
      LinearLayout::Point point;
      for (int d = 0; d < rank; ++d) {
        EXPECT_LT(at[d], shape[d]);
        point.push_back({dimName(d), at[d]});
      }
      uint32_t offset = uint32_t(inverse.coords(point)[0]);
      wrong += address != base + offset * elementBytes || seen[offset]++;
    }
  }
  return wrong + std::count(seen.begin(), seen.end(), 0);
}

void expectBoxes(const TmaTile &tile, int dense, int32_t elementBytes) {
  EXPECT_EQ(tile.order.front(), dense);
  int64_t row = int64_t(tile.box[dense]) * elementBytes;
  EXPECT_EQ(row % 16, 0);
  if (tile.swizzleBytes)
    EXPECT_EQ(row, tile.swizzleBytes);
  for (int32_t b : tile.box)
    EXPECT_LE(b, 256);
}

TEST(TmaTile, EveryModeTypeAndOrder) {
  std::vector<std::vector<int32_t>> shapes = {{64},      {512},        {2048},        {64, 64},      {128, 256},
                                              {8, 512},  {4, 16, 64},  {1, 128, 64},  {2, 4, 8, 64}, {2, 2, 4, 8, 32},
                                              {512, 16}, {256, 1, 32}, {1, 2, 1, 128}};
  int described = 0;
  for (const std::vector<int32_t> &shape : shapes)
    for (int32_t bytes : {1, 2, 4, 8})
      for (int32_t width : {0, 32, 64, 128}) {
        int rank = int(shape.size());
        std::vector<int32_t> order(rank);
        std::iota(order.begin(), order.end(), 0);
        do {
          int dense = order.front();
          int32_t inner = width / bytes;
          if (shape[dense] * bytes < std::max(width, 16))
            continue;
          LinearLayout memory = sharedLayout(shape, order, Swizzle::hardware(width, bytes), inner);
          std::string error;
          std::optional<TmaTile> tile = describeTmaTile(memory, dense, bytes, &error);
          // Images smaller than 128 bytes cannot follow each other.
          int64_t rows = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()) / shape[dense];
          if (!tile && width && shape[dense] * bytes > width && rows * width < 128)
            continue;
          ASSERT_TRUE(tile) << error << "\n" << memory.toString();
          ++described;
          expectBoxes(*tile, dense, bytes);
          EXPECT_EQ(differences(memory, *tile, bytes), 0) << memory.toString();
        } while (std::next_permutation(order.begin(), order.end()));
      }
  EXPECT_GT(described, 1000);
}

// The swizzle with atoms of 32 bytes, in which four rows of 128 bytes are a pattern.
TEST(TmaTile, WideAtoms) {
  for (int32_t bytes : {1, 2, 4, 8})
    for (const std::vector<int32_t> &shape : {std::vector<int32_t>{64, 256}, {8, 512}, {2, 32, 128}}) {
      int dense = int(shape.size()) - 1;
      std::vector<int32_t> order(shape.size());
      for (int d = 0; d <= dense; ++d)
        order[d] = dense - d;
      LinearLayout memory = sharedLayout(shape, order, wideAtoms(bytes), 128 / bytes);
      std::string error;
      std::optional<TmaTile> tile = describeTmaTile(memory, dense, bytes, &error);
      ASSERT_TRUE(tile) << error << memory.toString();
      EXPECT_EQ(tile->swizzleBytes, 128);
      EXPECT_EQ(tile->atomBytes, 32);
      EXPECT_EQ(tile->alignment(), 512);
      expectBoxes(*tile, dense, bytes);
      EXPECT_EQ(differences(memory, *tile, bytes), 0) << memory.toString();
      tile->atomBytes = 16;
      EXPECT_GT(differences(memory, *tile, bytes), 0);
    }
}

TEST(TmaTile, TilesOfProducts) {
  // 128 x 64 of f16 with k fastest: one box. 64 x 256 with n fastest: four panels of 64 columns.
  LinearLayout a = sharedLayout({128, 64}, {1, 0}, Swizzle::hardware(128, 2), 64);
  std::optional<TmaTile> tile = describeTmaTile(a, 1, 2);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->swizzleBytes, 128);
  EXPECT_EQ(tile->box, (std::vector<int32_t>{128, 64}));
  EXPECT_EQ(tile->order, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(tile->copies.size(), 1u);
  EXPECT_EQ(tile->alignment(), 1024);
  LinearLayout b = sharedLayout({64, 256}, {1, 0}, Swizzle::hardware(128, 2), 64);
  tile = describeTmaTile(b, 1, 2);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->box, (std::vector<int32_t>{64, 64}));
  ASSERT_EQ(tile->copies.size(), 4u);
  EXPECT_EQ(tile->copies[3].coords, (std::vector<int32_t>{0, 192}));
  EXPECT_EQ(tile->copies[3].bytes, 3 * 8192);
  // 512 rows are two boxes of 256.
  LinearLayout tall = sharedLayout({512, 64}, {1, 0}, Swizzle::hardware(128, 2), 64);
  tile = describeTmaTile(tall, 1, 2);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->box, (std::vector<int32_t>{256, 64}));
  EXPECT_EQ(tile->copies.size(), 2u);
}

TEST(TmaTile, WhatCannotBeCopied) {
  auto whyNot = [](const LinearLayout &memory, int dense, int32_t bytes) {
    std::string error;
    EXPECT_FALSE(describeTmaTile(memory, dense, bytes, &error)) << memory.toString();
    return error;
  };
  const char *layout = "smem layout is not TMA compatible";
  // The other dimension is the dense one.
  EXPECT_EQ(whyNot(sharedLayout({64, 64}, {0, 1}), 1, 2),
            "tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes");
  // Rows of 8 bytes.
  EXPECT_EQ(whyNot(sharedLayout({64, 4}, {1, 0}), 1, 2),
            "tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes");
  // A swizzle of other bits: rows of 256 bytes, XORed with bits 8 to 10.
  EXPECT_EQ(whyNot(sharedLayout({64, 128}, {1, 0}, Swizzle{3, 3, 4}), 1, 2), layout);
  // A swizzle of elements and not of 16 bytes.
  EXPECT_EQ(whyNot(sharedLayout({64, 64}, {1, 0}, Swizzle{3, 0, 6}), 1, 2), layout);
  // Several images of 64 bytes: boxes of 2 x 32 bytes of which every other row is missing.
  LinearLayout holes({{std::string(kOffset), {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {2, 0}, {1, 0}, {4, 0}}}},
                     std::vector<int32_t>{8, 16});
  EXPECT_EQ(whyNot(holes, 1, 2), layout);
  EXPECT_EQ(whyNot(sharedLayout({2, 2, 2, 2, 2, 64}, rowMajorOrder(6)), 5, 2),
            "a tensor map has from 1 to 5 dimensions");
}

} // namespace
