//===- LinearLayoutTest.cpp - The layout algebra against brute force ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomLayouts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

using namespace tileiras;

namespace {
using Names = std::vector<DimName>;

/// The accumulator of mma.m16n8, as in the essay of LinearLayout.h.
LinearLayout mmaAccumulator() {
  return LinearLayout({{"register", {{0, 1}, {8, 0}}}, {"lane", {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}}, {16, 8});
}

uint64_t points(const LinearLayout &layout) { return uint64_t(1) << layout.totalInBits(); }

std::set<uint64_t> image(const LinearLayout &layout) {
  std::set<uint64_t> result;
  for (uint64_t x = 0; x < points(layout); ++x)
    result.insert(layout.applyFlat(x));
  return result;
}
} // namespace

TEST(DimName, EqualTextIsOneName) {
  EXPECT_EQ(DimName("lane"), kLane);
  EXPECT_EQ(DimName(std::string("offset")), kOffset);
  EXPECT_EQ(DimName("row"), DimName(DimName::Row));
  EXPECT_EQ(DimName("column"), DimName(DimName::Column));
  EXPECT_NE(kLane, kWarp);
  EXPECT_EQ(kRegister.str() + kLane.str() + kWarp.str() + kBlock.str() + kOffset.str(), "registerlanewarpblockoffset");
  EXPECT_EQ(DimName("of another tool"), DimName("of another tool"));
  EXPECT_EQ(DimName("of another tool").str(), "of another tool");
  for (int i : {0, 1, 15, 16, 40}) { // 16 of them are constants
    EXPECT_EQ(dimName(i).str(), "dim" + std::to_string(i));
    EXPECT_EQ(dimName(i), DimName("dim" + std::to_string(i)));
    EXPECT_TRUE(dimName(i).isTileDim());
  }
  EXPECT_FALSE(kLane.isTileDim());
}

TEST(DimName, ThreadsAgreeOnNewNames) {
  std::vector<std::vector<DimName>> seen(4);
  std::vector<std::thread> threads;
  for (std::vector<DimName> &names : seen)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        names.push_back("thread test " + std::to_string(i));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<DimName> &names : seen)
    EXPECT_EQ(names, seen.front());
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(seen.front()[size_t(i)].str(), "thread test " + std::to_string(i));
}

TEST(LinearLayout, WorkedExample) {
  LinearLayout mma = mmaAccumulator();
  EXPECT_EQ(mma.coords({{"register", 2}, {"lane", 13}}), (std::vector<int32_t>{11, 2}));
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(mma.coords({{"register", i}, {"lane", lane}}),
                (std::vector<int32_t>{lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2}));
  EXPECT_TRUE(mma.isPermutation());
  LinearLayout::Point owner = mma.invert()->apply({{"dim0", 11}, {"dim1", 2}});
  EXPECT_EQ(owner, (LinearLayout::Point{{"register", 2}, {"lane", 13}}));
}

TEST(LinearLayout, Accessors) {
  LinearLayout mma = mmaAccumulator();
  EXPECT_EQ(mma.inNames(), (Names{"register", "lane"}));
  EXPECT_EQ(mma.inSize("lane"), 32);
  EXPECT_EQ(mma.inSize("nothing"), 1);
  EXPECT_EQ(mma.basis("lane", 3), (std::vector<int32_t>{2, 0}));
  EXPECT_EQ(mma.basis("lane", 1, "dim1"), 4);
  EXPECT_EQ(mma.flatBasis("lane", 3), 16u);
  EXPECT_EQ(mma.shape(), (std::vector<int32_t>{16, 8}));
  EXPECT_EQ(mma.toString(), "register: 1->(0, 1) 2->(8, 0)\n"
                            "lane: 1->(0, 2) 2->(0, 4) 4->(1, 0) 8->(2, 0) 16->(4, 0)\n"
                            "to dim0:16 x dim1:8\n");
  EXPECT_EQ(mma, mmaAccumulator());
  EXPECT_EQ(mma.hash(), mmaAccumulator().hash());
  EXPECT_NE(mma, mma.transposeOuts({1, 0}));
  EXPECT_NE(mma.hash(), mma.transposeOuts({1, 0}).hash());
}

TEST(LinearLayout, CreateReportsWhatIsWrong) {
  std::string error;
  auto bad = [&](std::vector<LinearLayout::InDim> ins, std::vector<LinearLayout::OutDim> outs) {
    error.clear();
    EXPECT_FALSE(LinearLayout::create(std::move(ins), std::move(outs), &error));
    return error;
  };
  EXPECT_EQ(bad({}, {{"dim0", 3}}), "size 3 of 'dim0' is not a power of two");
  EXPECT_EQ(bad({}, {{"dim0", 2}, {"dim0", 2}}), "output dimension 'dim0' occurs twice");
  EXPECT_EQ(bad({{"lane", {}}, {"lane", {}}}, {}), "input dimension 'lane' occurs twice");
  EXPECT_EQ(bad({{"lane", {{1, 0}}}}, {{"dim0", 2}}), "a basis of 'lane' has 2 coordinates, expected 1");
  EXPECT_EQ(bad({{"lane", {{2}}}}, {{"dim0", 2}}),
            "coordinate 2 of a basis of 'lane' is outside of its dimension of size 2");
  EXPECT_NE(bad({}, {{"a", 1 << 30}, {"b", 1 << 30}, {"c", 1 << 30}}).find("output points"), std::string::npos);
}

TEST(LinearLayout, Linearity) {
  Random rng(1);
  for (int round = 0; round < 50; ++round) {
    LinearLayout layout = randomAny(rng, {{"register", rng.below(4)}, {"lane", rng.below(4)}},
                                    randomShape(rng, rng.below(7), 1 + rng.below(3)));
    for (uint64_t x = 0; x < points(layout); ++x) {
      uint64_t y = rng.bits(layout.totalInBits());
      EXPECT_EQ(layout.applyFlat(x ^ y), layout.applyFlat(x) ^ layout.applyFlat(y));
      EXPECT_EQ(layout.flattenIn(layout.unflattenIn(x)), x);
      EXPECT_EQ(layout.flattenOut(layout.unflattenOut(layout.applyFlat(x))), layout.applyFlat(x));
    }
    EXPECT_EQ(image(layout).size(), size_t(1) << layout.rank());
    EXPECT_EQ(layout.isInjective(), image(layout).size() == points(layout));
    EXPECT_EQ(layout.isSurjective(), image(layout).size() == size_t(1) << layout.totalOutBits());
  }
}

TEST(LinearLayout, ComposeIsFunctionComposition) {
  Random rng(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<int32_t> middle = randomShape(rng, rng.below(6), 2);
    LinearLayout inner = randomAny(rng, {{"register", rng.below(4)}, {"lane", rng.below(4)}}, middle);
    // Outer's inputs may come in another order and be larger.
    LinearLayout outer =
        randomAny(rng, {{"dim1", inner.outBits("dim1") + rng.below(2)}, {"dim0", inner.outBits("dim0") + rng.below(2)}},
                  randomShape(rng, rng.below(6), 3));
    LinearLayout both = inner.compose(outer);
    for (uint64_t x = 0; x < points(inner); ++x)
      EXPECT_EQ(both.applyFlat(x), outer.applyFlat(outer.flattenIn(inner.apply(inner.unflattenIn(x)))));
  }
}

TEST(LinearLayout, InvertPseudoInvert) {
  Random rng(3);
  int inverted = 0, pseudo = 0;
  for (int round = 0; round < 600; ++round) {
    LinearLayout layout = randomAny(rng, {{"register", rng.below(3)}, {"lane", rng.below(4)}, {"warp", rng.below(3)}},
                                    randomShape(rng, rng.below(5), 2));
    std::map<uint64_t, uint64_t> smallest; // by brute force
    for (uint64_t x = points(layout); x-- > 0;)
      smallest[layout.applyFlat(x)] = x;
    bool surjective = smallest.size() == size_t(1) << layout.totalOutBits();
    std::optional<LinearLayout> inverse = layout.pseudoInvert();
    ASSERT_EQ(inverse.has_value(), surjective);
    ASSERT_EQ(layout.invert().has_value(), surjective && smallest.size() == points(layout));
    if (!inverse)
      continue;
    ++pseudo;
    for (auto [y, x] : smallest) {
      std::vector<int32_t> coords = layout.unflattenOut(y);
      LinearLayout::Point back = inverse->apply({{"dim0", coords[0]}, {"dim1", coords[1]}});
      EXPECT_EQ(layout.flattenIn(back), x);
    }
    if (layout.isPermutation()) {
      ++inverted;
      EXPECT_EQ(layout.invert()->invert()->transposeIns(layout.inNames()), layout);
    }
  }
  EXPECT_GT(pseudo, 20);
  EXPECT_GT(inverted, 3);
}

TEST(LinearLayout, InvertAndCompose) {
  Random rng(4);
  int found = 0, missing = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<int32_t> shape = randomShape(rng, rng.below(5), 2);
    LinearLayout a = randomAny(rng, {{"register", rng.below(3)}, {"lane", rng.below(3)}}, shape);
    LinearLayout b = randomAny(rng, {{"offset", rng.below(6)}, {"block", rng.below(3)}}, shape);
    std::map<uint64_t, uint64_t> smallest;
    for (uint64_t x = points(b); x-- > 0;)
      smallest[b.applyFlat(x)] = x;
    bool reached = true;
    for (uint64_t x = 0; x < points(a); ++x)
      reached &= smallest.count(a.applyFlat(x)) > 0;
    std::optional<LinearLayout> map = a.invertAndCompose(b);
    ASSERT_EQ(map.has_value(), reached);
    (reached ? found : missing)++;
    for (uint64_t x = 0; map && x < points(a); ++x)
      EXPECT_EQ(b.flattenIn(map->apply(map->unflattenIn(x))), smallest[a.applyFlat(x)]);
  }
  EXPECT_GT(found, 30);
  EXPECT_GT(missing, 30);
}

TEST(LinearLayout, ProductAndDivision) {
  Random rng(5);
  for (int round = 0; round < 200; ++round) {
    LinearLayout a =
        randomAny(rng, {{"register", rng.below(3)}, {"lane", rng.below(3)}}, randomShape(rng, rng.below(4), 2));
    LinearLayout b = randomAny(rng, {{"register", rng.below(3)}, {"lane", rng.below(3)}, {"warp", rng.below(2)}},
                               randomShape(rng, rng.below(4), 3));
    LinearLayout product = a * b;
    EXPECT_EQ(product.totalInBits(), a.totalInBits() + b.totalInBits());
    for (uint64_t x = 0; x < points(product); ++x) {
      LinearLayout::Point whole = product.unflattenIn(x), low, high;
      for (auto [name, value] : whole) {
        int split = a.inBits(name);
        if (a.hasIn(name))
          low.emplace_back(name, value & ((1 << split) - 1));
        high.emplace_back(name, value >> split);
      }
      std::vector<int32_t> fromA = a.coords(low), fromB = b.coords(high), got = product.coords(whole);
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(got[i], (i < 2 ? fromA[i] : 0) + (fromB[i] << (i < 2 ? a.outBits(dimName(i)) : 0)));
    }
    std::optional<LinearLayout> q = product.divideLeft(a);
    ASSERT_TRUE(q);
    EXPECT_EQ(*q, b);
    // A planted difference in the divisor must not divide.
    if (a.totalInBits() > 0 && a.totalOutBits() > 0) {
      std::vector<LinearLayout::InDim> ins;
      for (DimName name : a.inNames()) {
        LinearLayout::InDim in{name, {}};
        for (int bit = 0; bit < a.inBits(name); ++bit)
          in.bases.push_back(a.basis(name, bit));
        ins.push_back(in);
      }
      auto &bases = ins[0].bases.empty() ? ins[1].bases : ins[0].bases;
      bases[0][a.outBits("dim0") ? 0 : 1] ^= 1;
      EXPECT_FALSE(product.divideLeft(LinearLayout(ins, a.shape())));
    }
  }
}

TEST(LinearLayout, Quotient) {
  LinearLayout inner = mmaAccumulator();
  LinearLayout layout = inner * LinearLayout::identity1D(4, "block", "block");
  ASSERT_TRUE(layout.quotient({"block"}));
  EXPECT_EQ(*layout.quotient({"block"}), inner);
  EXPECT_FALSE(layout.quotient({"lane"}));
  LinearLayout twisted({{"lane", {{1, 0}, {0, 1}}}, {"block", {{1, 1}}}}, {{"dim0", 2}, {"block", 2}});
  EXPECT_FALSE(twisted.quotient({"block"}));
}

TEST(LinearLayout, FreeVariables) {
  Random rng(6);
  for (int round = 0; round < 100; ++round) {
    LinearLayout layout = randomAny(rng, {{"register", rng.below(3)}, {"lane", rng.below(4)}, {"warp", rng.below(3)}},
                                    randomShape(rng, rng.below(5), 2));
    for (const Names &order : {Names{}, Names{"lane", "warp", "register"}, Names{"warp"}}) {
      auto masks = layout.freeVariableMasks(order);
      // Points with all free bits zero: one for each point of the image.
      std::set<uint64_t> seen;
      size_t owners = 0;
      for (uint64_t x = 0; x < points(layout); ++x) {
        bool owner = true;
        LinearLayout::Point point = layout.unflattenIn(x);
        for (size_t i = 0; i < point.size(); ++i)
          owner &= (point[i].second & masks[i].second) == 0;
        owners += owner;
        if (owner)
          EXPECT_TRUE(seen.insert(layout.applyFlat(x)).second);
      }
      EXPECT_EQ(seen, image(layout));
      EXPECT_EQ(owners, seen.size());
    }
  }
  LinearLayout twice({{"register", {{1}}}, {"lane", {{1}, {2}}}}, {4});
  using Masks = std::vector<std::pair<DimName, int32_t>>;
  EXPECT_EQ(twice.freeVariableMasks(), (Masks{{"register", 0}, {"lane", 1}}));
  EXPECT_EQ(twice.freeVariableMasks({"lane"}), (Masks{{"register", 1}, {"lane", 0}}));
}

TEST(LinearLayout, ReshapingAgreesWithCoordinates) {
  Random rng(7);
  for (int round = 0; round < 60; ++round) {
    std::vector<int32_t> shape = randomShape(rng, 6, 3);
    LinearLayout layout = randomAny(rng, {{"register", 3}, {"lane", 4}}, shape);
    LinearLayout transposed = layout.transposeOuts({2, 0, 1});
    std::vector<int32_t> flatShape = randomShape(rng, 6, 2);
    LinearLayout reshaped = layout.reshapeOuts(flatShape);
    LinearLayout dropped = layout.dropOutDim(1);
    LinearLayout shrunk = layout.resizeOutDim(2, std::max(1, shape[2] / 2));
    LinearLayout grown = layout.resizeOutDim(0, shape[0] * 2);
    LinearLayout part = layout.sublayout({"lane"}, {"dim2", "dim0"});
    LinearLayout joined = layout.sublayout({"lane"}, layout.outNames())
                              .concatIns(layout.sublayout({"register"}, layout.outNames()))
                              .transposeIns({"register", "lane"});
    LinearLayout outsJoined =
        layout.sublayout(layout.inNames(), {"dim0"}).concatOuts(layout.sublayout(layout.inNames(), {"dim1", "dim2"}));
    EXPECT_EQ(joined, layout);
    EXPECT_EQ(outsJoined, layout);
    for (uint64_t x = 0; x < points(layout); ++x) {
      LinearLayout::Point at = layout.unflattenIn(x);
      std::vector<int32_t> c = layout.coords(at);
      EXPECT_EQ(transposed.coords(at), (std::vector<int32_t>{c[2], c[0], c[1]}));
      int flat = (c[0] * shape[1] + c[1]) * shape[2] + c[2];
      EXPECT_EQ(reshaped.coords(at), (std::vector<int32_t>{flat / flatShape[1], flat % flatShape[1]}));
      EXPECT_EQ(dropped.coords(at), (std::vector<int32_t>{c[0], c[2]}));
      EXPECT_EQ(shrunk.coords(at), (std::vector<int32_t>{c[0], c[1], c[2] % std::max(1, shape[2] / 2)}));
      EXPECT_EQ(grown.coords(at), c);
      if (at[0].second == 0)
        EXPECT_EQ(part.coords({at[1]}), (std::vector<int32_t>{c[2], c[0]}));
    }
    EXPECT_EQ(transposed.shape(), (std::vector<int32_t>{shape[2], shape[0], shape[1]}));
    EXPECT_EQ(dropped.outNames(), (Names{"dim0", "dim1"}));
  }
}

TEST(LinearLayout, RemovingBases) {
  LinearLayout layout({{"register", {{0}, {1}, {0}, {3}, {2}}}, {"lane", {{0}}}}, {4});
  EXPECT_EQ(layout.removeZeroBasesAlongDim("register"),
            LinearLayout({{"register", {{1}, {3}, {2}}}, {"lane", {{0}}}}, {4}));
  EXPECT_EQ(layout.removeRedundantBasesAlongDim("register"),
            LinearLayout({{"register", {{1}, {3}}}, {"lane", {{0}}}}, {4}));
}

TEST(F2Basis, IntersectionOfSpans) {
  Random rng(8);
  for (int round = 0; round < 300; ++round) {
    int bits = 1 + rng.below(6);
    auto spanOf = [](const std::vector<uint64_t> &vectors) {
      std::set<uint64_t> span = {0};
      for (uint64_t v : vectors)
        for (uint64_t x : std::set<uint64_t>(span))
          span.insert(x ^ v);
      return span;
    };
    std::vector<uint64_t> a, b;
    for (int i = rng.below(5); i > 0; --i)
      a.push_back(rng.bits(bits));
    for (int i = rng.below(5); i > 0; --i)
      b.push_back(rng.bits(bits));
    std::set<uint64_t> expected, spanB = spanOf(b);
    for (uint64_t x : spanOf(a))
      if (spanB.count(x))
        expected.insert(x);
    std::vector<uint64_t> basis = intersectSpans(a, b);
    EXPECT_EQ(spanOf(basis), expected);
    EXPECT_EQ(expected.size(), size_t(1) << basis.size());
  }
}
