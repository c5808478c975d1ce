//===- LayoutBuildersTest.cpp - Builders and notation of layouts ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"
#include "tileiras/Support/LayoutText.h"

#include <gtest/gtest.h>

#include <set>

using namespace tileiras;

using Ints = std::vector<int32_t>;

/// Splits a number into coordinates of a box, numbered in `order`.
static Ints unbox(int64_t number, const Ints &box, const Ints &order) {
  Ints result(box.size());
  for (int32_t d : order) {
    result[d] = int32_t(number % box[d]);
    number /= box[d];
  }
  return result;
}

static int64_t volume(const Ints &box) {
  int64_t v = 1;
  for (int32_t extent : box)
    v *= extent;
  return v;
}

TEST(BlockedLayout, AgreesWithIndexArithmetic) {
  Random rng(11);
  int wrapped = 0, repeated = 0;
  for (int round = 0; round < 300; ++round) {
    int rank = 1 + rng.below(3);
    Ints shape = randomShape(rng, rng.below(11), rank), perThread = randomShape(rng, rng.below(4), rank),
         perWarp = randomShape(rng, 5, rank), perCta = randomShape(rng, rng.below(3), rank),
         ctas = randomShape(rng, rng.below(2), rank), order(rank);
    for (int i = 0; i < rank; ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), rng.engine);
    LinearLayout layout = blockedLayout(shape, perThread, perWarp, perCta, order, ctas);
    ASSERT_TRUE(layout.isSurjective());
    ASSERT_EQ(layout.shape(), shape);
    ASSERT_EQ(layout.inNames(), (std::vector<DimName>{"register", "lane", "warp", "block"}));
    ASSERT_EQ(layout.inSize("lane"), 32);
    ASSERT_EQ(layout.inSize("warp"), volume(perCta));
    ASSERT_EQ(layout.inSize("block"), volume(ctas));

    Ints ctaShape(rank), pass(rank), passes(rank), threadBox(rank);
    for (int d = 0; d < rank; ++d) {
      ctaShape[d] = std::max(1, shape[d] / ctas[d]);
      pass[d] = perThread[d] * perWarp[d] * perCta[d];
      passes[d] = std::max(1, ctaShape[d] / pass[d]);
      threadBox[d] = perThread[d];
      wrapped += pass[d] > ctaShape[d];
      repeated += passes[d] > 1;
    }
    // All elements a thread holds, by arithmetic: every position of its box in every pass, modulo
    // the tile.
    for (int block = 0; block < volume(ctas); ++block)
      for (int warp = 0; warp < volume(perCta); ++warp)
        for (int lane = 0; lane < 32; lane += 1 + rng.below(7)) {
          std::vector<Ints> expected;
          Ints l = unbox(lane, perWarp, order), w = unbox(warp, perCta, order), b = unbox(block, ctas, order);
          for (int64_t p = 0; p < volume(passes); ++p)
            for (int64_t r = 0; r < volume(perThread); ++r) {
              Ints box = unbox(r, perThread, order), pp = unbox(p, passes, order), c(rank);
              bool surplus = false;
              for (int d = 0; d < rank; ++d) {
                // Registers that would wrap on their own are left out.
                surplus |= box[d] >= ctaShape[d];
                int inCta = box[d] + perThread[d] * (l[d] + perWarp[d] * (w[d] + perCta[d] * pp[d]));
                c[d] = (inCta % ctaShape[d] + ctaShape[d] * b[d]) % shape[d];
              }
              if (!surplus)
                expected.push_back(c);
            }
          std::vector<Ints> got;
          for (int r = 0; r < layout.inSize("register"); ++r)
            got.push_back(layout.coords({{"register", r}, {"lane", lane}, {"warp", warp}, {"block", block}}));
          EXPECT_EQ(got, expected);
        }
  }
  EXPECT_GT(wrapped, 50);
  EXPECT_GT(repeated, 50);
}

TEST(BlockedLayout, Default) {
  for (Ints shape : {Ints{}, Ints{1}, Ints{16}, Ints{4096}, Ints{64, 128}, Ints{128, 4}, Ints{2, 2, 8}})
    for (int bits : {1, 8, 16, 32, 64}) {
      LinearLayout layout = defaultBlockedLayout(shape, bits, 4, rowMajorOrder(int(shape.size())));
      EXPECT_TRUE(layout.isSurjective());
      EXPECT_EQ(layout.shape(), shape);
      EXPECT_EQ(layout.inSize("lane"), 32);
      EXPECT_EQ(layout.inSize("warp"), 4);
    }
  LinearLayout layout = defaultBlockedLayout({64, 128}, 16, 4, {1, 0});
  // Eight f16 are 16 bytes; sixteen lanes cover a row of 128.
  for (int bit = 0; bit < 3; ++bit)
    EXPECT_EQ(layout.basis("register", bit), (Ints{0, 1 << bit}));
  EXPECT_EQ(layout.basis("lane", 0), (Ints{0, 8}));
  EXPECT_EQ(layout.basis("lane", 4), (Ints{1, 0}));
  EXPECT_EQ(replicatedLayout({4, 2}, 32, 4).rank(), 3);
}

TEST(SharedLayout, SwizzledOffsets) {
  Random rng(12);
  for (int round = 0; round < 100; ++round) {
    int rank = 1 + rng.below(3);
    Ints shape = randomShape(rng, 4 + rng.below(6), rank), order = rowMajorOrder(rank);
    std::shuffle(order.begin(), order.end(), rng.engine);
    int bits = rng.below(3), base = rng.below(2), shift = bits + rng.below(2);
    if (base + shift + bits > 4)
      continue;
    Swizzle swizzle{bits, base, shift};
    LinearLayout layout = sharedLayout(shape, order, swizzle);
    ASSERT_TRUE(layout.isPermutation());
    for (int64_t linear = 0; linear < volume(shape); ++linear) {
      uint64_t field = (uint64_t(linear) >> (base + shift)) & ((1u << bits) - 1);
      uint64_t offset = uint64_t(linear) ^ (field << base);
      EXPECT_EQ(layout.coords({{"offset", int32_t(offset)}}), unbox(linear, shape, order));
    }
  }
}

TEST(SharedLayout, HardwareModes) {
  // PTX ISA swizzling: the 16-byte chunk of a row is XORed with the row, 128 bytes per row.
  LinearLayout layout = sharedLayout({64, 64}, {1, 0}, Swizzle::hardware(128, 2));
  std::optional<LinearLayout> toOffset = layout.invert();
  for (int row = 0; row < 64; ++row)
    for (int col = 0; col < 64; ++col)
      EXPECT_EQ(toOffset->coords({{"dim0", row}, {"dim1", col}})[0],
                row * 64 + (((col / 8) ^ (row % 8)) * 8 + col % 8));
  // Panels: 128 columns of f16 are two panels of 128 bytes, one after the other.
  std::optional<LinearLayout> panels = sharedLayout({16, 128}, {1, 0}, Swizzle::hardware(128, 2), 64).invert();
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 128; ++col)
      EXPECT_EQ(panels->coords({{"dim0", row}, {"dim1", col}})[0],
                (col / 64) * 1024 + row * 64 + ((((col % 64) / 8) ^ (row % 8)) * 8 + col % 8));
}

TEST(LayoutText, Examples) {
  LinearLayout mma({{"register", {{0, 1}, {8, 0}}},
                    {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
                    {"warp", {{16, 0}, {0, 0}}},
                    {"block", {}}},
                   {32, 8});
  std::optional<std::string> text = printDistributed(mma);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "(32,(2,2),1,(2,2)):(2,(128,0),0,(1,64))");
  EXPECT_EQ(parseDistributed(*text, {32, 8}), mma);
  EXPECT_EQ(printShared(sharedLayout({64, 64}, {1, 0}, {3, 3, 3})), "(64,64):(64,1),swizzle<3,3,3>");
  EXPECT_EQ(printShared(sharedLayout({64, 64}, {1, 0}, {3, 3, 3}, 32)), "(64,(32,2)):(32,(1,2048)),swizzle<3,3,3>");
  EXPECT_EQ(printShared(sharedLayout({32, 16}, {0, 1})), "(32,16):(1,32)");
}

TEST(LayoutText, RoundTrip) {
  Random rng(13);
  for (int round = 0; round < 200; ++round) {
    int rank = 1 + rng.below(3);
    Ints shape = randomShape(rng, rng.below(10), rank);
    LinearLayout tile({}, shape);
    int bits = tile.totalOutBits(), lanes = rng.below(6), warps = rng.below(3), blocks = rng.below(2);
    int registers = std::max(0, bits - lanes - warps - blocks) + rng.below(2);
    LinearLayout layout =
        randomSurjective(rng, {{"register", registers}, {"lane", lanes}, {"warp", warps}, {"block", blocks}}, shape,
                         BasisKind::UnitPermutation, false);
    std::optional<std::string> text = printDistributed(layout);
    ASSERT_TRUE(text);
    std::string error;
    std::optional<LinearLayout> back = parseDistributed(*text, shape, &error);
    ASSERT_TRUE(back) << error;
    EXPECT_EQ(*back, layout) << *text;
  }
  for (int round = 0; round < 200; ++round) {
    int rank = 1 + rng.below(3);
    Ints shape = randomShape(rng, 3 + rng.below(8), rank);
    LinearLayout layout = randomSurjective(rng, {{"offset", LinearLayout({}, shape).totalOutBits()}}, shape,
                                           BasisKind::UnitPermutation, false);
    int bits = layout.inBits("offset"), b = rng.below(bits / 2 + 1), m = rng.below(bits - 2 * b + 1);
    layout = applySwizzle(layout, {b, m, b});
    std::optional<std::string> text = printShared(layout);
    ASSERT_TRUE(text);
    std::string error;
    std::optional<LinearLayout> back = parseShared(*text, &error);
    ASSERT_TRUE(back) << *text << ": " << error;
    EXPECT_EQ(*back, layout) << *text;
  }
}

TEST(LayoutText, SaysNoToWhatItCannotWrite) {
  LinearLayout sum({{"register", {{3}, {1}}}, {"lane", {}}, {"warp", {}}, {"block", {}}}, {4});
  EXPECT_FALSE(printDistributed(sum));
  LinearLayout twice({{"register", {{1}}}, {"lane", {{1}, {2}}}, {"warp", {}}, {"block", {}}}, {4});
  EXPECT_FALSE(printDistributed(twice));
  EXPECT_FALSE(printShared(LinearLayout({{"offset", {{1}, {1}}}}, {4})));
  EXPECT_FALSE(printShared(LinearLayout({{"offset", {{1}, {3}, {6}}}}, {8})));
}

TEST(LayoutText, Errors) {
  std::string error;
  auto distributed = [&](const char *text) {
    error.clear();
    EXPECT_FALSE(parseDistributed(text, {8, 8}, &error)) << text;
    return error;
  };
  EXPECT_EQ(distributed("(32,1,1):(1,0,0)"),
            "at column 17 of '(32,1,1):(1,0,0)': expected 4 modes, one for each of the inputs");
  EXPECT_NE(distributed("(3,1,1,1):(1,0,0,0)").find("size 3 is not a power of two"), std::string::npos);
  EXPECT_NE(distributed("(2,1,1,1):(3,0,0,0)").find("stride 3 is neither"), std::string::npos);
  EXPECT_NE(distributed("(4,2,1,1):(1,2,0,0)").find("two modes reach"), std::string::npos);
  EXPECT_NE(distributed("(128,1,1,1):(1,0,0,0)").find("leaves the tile of 64 elements"), std::string::npos);
  EXPECT_NE(distributed("(2,(1,1),1,1):(1,0,0,0)").find("differ in profile"), std::string::npos);
  EXPECT_NE(distributed("(2,1,1,1):(1,0,0)").find("differ in rank"), std::string::npos);
  EXPECT_NE(distributed("(2,1,1,1)").find("expected ':'"), std::string::npos);
  EXPECT_NE(distributed("(2,1,1,1):(1,0,0,0)x").find("unexpected text"), std::string::npos);
  EXPECT_NE(distributed("(2,1,1,999999999999999999999999):(1,0,0,0)").find("number too large"), std::string::npos);
  EXPECT_NE(distributed("").find("expected '('"), std::string::npos);
  for (const char *text : {"(8,8):(1,16)", "(8,8):(8,1),swizzle<3,3,2>", "(8,8):(8,1),swizzle<3,3,3>", "(8,8):(8,0)",
                           "(8,8):(8,1),swizzle<1,1", "(8,8):(8,1),swozzle<1,1,1>", "(8,1099511627776):(1,8)"})
    EXPECT_FALSE(parseShared(text)) << text;
}
