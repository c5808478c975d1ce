//===- LayoutPropertyTest.cpp - The algebra against its definitions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// 100,000 random expressions. Each is checked element by element against the definition of its operation, on layouts
// that are powers of two also against LinearLayout, and once more with some of the numbers unknown until the result is
// evaluated.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Linear.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace tileiras;
using namespace tileiras::cute;

namespace {
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t below(int64_t n) { return int64_t(engine() % uint64_t(n)); }
  bool chance(int percent) { return below(100) < percent; }

  /// A layout of at most `most` elements; compact modes in random order, or random strides.
  Layout layout(bool binary, int64_t most) {
    std::vector<int64_t> extents;
    int count = int(1 + below(4));
    int64_t total = 1;
    for (int i = 0; i < count; ++i) {
      int64_t extent = binary ? int64_t(1) << below(4) : 1 + below(6);
      if (total * extent > most)
        continue;
      total *= extent;
      extents.push_back(extent);
    }
    if (extents.empty())
      extents.push_back(1);
    std::vector<int64_t> strides(extents.size());
    if (chance(75)) {
      std::vector<size_t> order(extents.size());
      for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
      std::shuffle(order.begin(), order.end(), engine);
      int64_t stride = chance(70) ? 1 : binary ? int64_t(1) << below(3) : 1 + below(4);
      for (size_t i : order) {
        strides[i] = stride;
        stride *= extents[i];
        if (chance(15))
          stride *= binary ? 2 : 1 + below(3);
      }
    } else {
      for (int64_t &stride : strides)
        stride = chance(15) ? 0 : binary ? int64_t(1) << below(7) : below(20);
    }
    return nest(extents, strides);
  }

private:
  Layout nest(const std::vector<int64_t> &extents, const std::vector<int64_t> &strides) {
    std::vector<IntTuple> shapes, steps;
    for (size_t i = 0; i < extents.size(); ++i) {
      if (chance(25) && i + 1 < extents.size()) {
        shapes.push_back(IntTuple{IntTuple(extents[i]), IntTuple(extents[i + 1])});
        steps.push_back(IntTuple{IntTuple(strides[i]), IntTuple(strides[i + 1])});
        ++i;
        continue;
      }
      shapes.push_back(IntTuple(extents[i]));
      steps.push_back(IntTuple(strides[i]));
    }
    if (shapes.size() == 1 && chance(50))
      return {shapes[0], steps[0]};
    return {IntTuple(shapes), IntTuple(steps)};
  }
  std::mt19937_64 engine;
};

std::vector<int64_t> table(const Layout &layout) {
  std::vector<int64_t> result;
  int64_t count = cute::size(layout).constant();
  for (int64_t i = 0; i < count; ++i)
    result.push_back(offsetOf(layout, i));
  return result;
}

/// The layout with the numbers at `unknown` leaves dynamic, numbered from `first`, and what they are.
Layout hide(const Layout &layout, Random &random, unsigned &next, std::map<unsigned, int64_t> &values, bool strides) {
  auto hideLeaf = [&](const Int &value) -> Int {
    if (!random.chance(40) || value.constant() <= 1)
      return value;
    values[next] = value.constant();
    return Int::dynamic(next++, random.chance(50) ? value.constant() : 1);
  };
  return {layout.shape.map(hideLeaf), strides ? layout.stride.map(hideLeaf) : layout.stride};
}

std::optional<Layout> evaluate(const Layout &layout, const std::map<unsigned, int64_t> &values) {
  bool fine = true;
  auto leaf = [&](const Int &value) -> Int {
    std::optional<int64_t> number = value.eval([&](unsigned leaf) { return values.at(leaf); });
    fine &= number.has_value();
    return number.value_or(1);
  };
  Layout result(layout.shape.map(leaf), layout.stride.map(leaf));
  return fine ? std::optional(result) : std::nullopt;
}

std::vector<DimName> names(const Layout &layout) {
  std::vector<DimName> result;
  for (int i = 0; i < layout.rank(); ++i)
    result.push_back("in" + std::to_string(i));
  return result;
}

struct Counts {
  int64_t expressions = 0, results = 0, linear = 0, dynamic = 0;
};

class Checker {
public:
  Checker(Random &random, Counts &counts) : random(random), counts(counts) {}

  void coalesced(const Layout &a) {
    Layout r = coalesce(a);
    expect(table(r) == table(a), "coalesce", a, a, r);
    std::vector<Int> shapes = r.shape.leaves(), strides = r.stride.leaves();
    for (size_t i = 0; i + 1 < shapes.size(); ++i)
      expect(strides[i + 1] != shapes[i] * strides[i], "coalesce leaves nothing to merge", a, a, r);
    linear(a, r);
    ++counts.results;
  }

  void composed(const Layout &a, const Layout &b) {
    if (cosize(b).constant() > cute::size(a).constant())
      return;
    std::optional<Layout> r = composition(a, b);
    if (!r)
      return;
    ++counts.results;
    std::vector<int64_t> got = table(*r);
    for (int64_t i = 0; i < int64_t(got.size()); ++i)
      expect(got[size_t(i)] == offsetOf(a, offsetOf(b, i)), "composition", a, b, *r);
    expect(weaklyCongruent(b.shape, r->shape) && int64_t(got.size()) == cute::size(b).constant(), "shape", a, b, *r);
    // Linear: the composition of the maps.
    std::optional<LinearLayout> la = toLinear(coalesceToOne(a), {"offset"}), lb = toLinear(b, names(b));
    if (la && lb) {
      ++counts.linear;
      LinearLayout wide = *lb;
      if (wide.outSize("offset") < la->inSize("offset"))
        wide = wide.resizeOutDim(0, la->inSize("offset"));
      std::optional<LinearLayout> lr = toLinear(*r, names(*r));
      LinearLayout both = wide.compose(*la);
      expect(lr && lr->flatBases() == both.flatBases(), "composition of linear maps", a, b, *r);
    }
    hidden(a, b, *r, true, [](const Layout &x, const Layout &y) { return composition(x, y); });
  }

  void complemented(const Layout &a, int64_t cotarget) {
    std::optional<Layout> r = complement(a, cotarget);
    if (!r || cute::size(*r).constant() > 4096)
      return;
    ++counts.results;
    Layout kept = filter(a);
    std::vector<int64_t> reached;
    for (int64_t x : table(kept))
      for (int64_t y : table(*r))
        reached.push_back(x + y);
    std::sort(reached.begin(), reached.end());
    bool once = std::adjacent_find(reached.begin(), reached.end()) == reached.end();
    bool covers = true;
    for (size_t i = 0; i < reached.size(); ++i)
      covers &= reached[i] == int64_t(i);
    expect(once && covers && int64_t(reached.size()) >= cotarget, "complement", a, kept, *r);
    std::vector<Int> strides = r->stride.leaves();
    for (size_t i = 0; i + 1 < strides.size(); ++i)
      expect(strides[i].constant() < strides[i + 1].constant(), "complement is ordered", a, kept, *r);
    if (std::optional<LinearLayout> both = toLinear(makeLayout({kept, *r}), {"layout", "rest"})) {
      ++counts.linear;
      expect(both->isPermutation(), "complement of a linear map", a, kept, *r);
    }
  }

  void divided(const Layout &a, const Layout &b) {
    std::optional<Layout> r = logicalDivide(a, Tiler(b));
    if (!r)
      return;
    ++counts.results;
    std::vector<int64_t> tile = table(r->mode(0));
    if (cosize(b).constant() <= cute::size(a).constant())
      for (size_t i = 0; i < tile.size(); ++i)
        expect(tile[i] == offsetOf(a, offsetOf(b, int64_t(i))), "tile of a division", a, b, *r);
    // Every element of the layout is in one tile.
    if (cute::size(*r) == cute::size(a)) {
      std::vector<int64_t> before = table(a), after = table(*r);
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      expect(before == after, "division is a partition", a, b, *r);
    }
    std::optional<Layout> z = zippedDivide(a, Tiler(b)), f = flatDivide(a, Tiler(b)), t = tiledDivide(a, Tiler(b));
    expect(z && f && t && table(*z) == table(*r) && table(*f) == table(*r) && table(*t) == table(*r),
           "the four divisions agree", a, b, *r);
    hidden(a, b, *r, true, [](const Layout &x, const Layout &y) { return logicalDivide(x, Tiler(y)); });
  }

  void multiplied(const Layout &a, const Layout &b) {
    std::optional<Layout> r = logicalProduct(a, Tiler(b));
    if (!r || cute::size(*r).constant() > 4096)
      return;
    ++counts.results;
    std::vector<int64_t> block = table(a), copies = table(r->mode(1)), all = table(*r);
    for (size_t i = 0; i < all.size(); ++i)
      expect(all[i] == block[i % block.size()] + copies[i / block.size()], "product", a, b, *r);
    // Copies differ exactly where the tiler's values do, and have no element in common.
    Layout kept = filter(a);
    std::map<int64_t, size_t> owner;
    std::vector<int64_t> which = table(b);
    for (size_t c = 0; c < copies.size(); ++c)
      for (int64_t x : table(kept)) {
        auto [it, fresh] = owner.try_emplace(x + copies[c], c);
        expect(fresh || which[it->second] == which[c], "copies are disjoint", a, b, *r);
      }
    std::optional<Layout> blocked = blockedProduct(a, b), raked = rakedProduct(a, b);
    if (blocked && raked) {
      std::vector<int64_t> x = table(*blocked), y = table(*raked);
      std::sort(x.begin(), x.end());
      std::sort(y.begin(), y.end());
      expect(x == y, "blocked and raked products have the same elements", a, b, *blocked);
    }
  }

  void inverted(const Layout &a) {
    if (std::optional<Layout> r = rightInverse(a)) {
      ++counts.results;
      std::vector<int64_t> inverse = table(*r);
      for (size_t i = 0; i < inverse.size(); ++i)
        expect(offsetOf(a, inverse[i]) == int64_t(i), "right inverse", a, a, *r);
      if (std::optional<LinearLayout> la = toLinear(coalesceToOne(a), {"in"}); la && la->isPermutation()) {
        ++counts.linear;
        std::optional<LinearLayout> lr = toLinear(coalesceToOne(*r), {"offset"});
        expect(lr && la->invert()->flatBases() == lr->flatBases(), "inverse of a linear map", a, a, *r);
      }
    }
    if (std::optional<Layout> r = leftInverse(a)) {
      std::vector<int64_t> values = table(a);
      for (size_t i = 0; i < values.size(); ++i)
        expect(offsetOf(*r, values[i]) == int64_t(i), "left inverse", a, a, *r);
      expect(isInjective(a), "only injective layouts have a left inverse", a, a, *r);
    }
  }

  void recasted(const Layout &a, int64_t factor) {
    std::optional<Layout> down = recast(a, 8 * factor, 8);
    if (down) {
      ++counts.results;
      std::vector<int64_t> wide, narrow = table(*down);
      for (int64_t x : table(a))
        for (int64_t part = 0; part < factor; ++part)
          wide.push_back(x * factor + part);
      bool contiguous = false;
      int ones = 0;
      std::vector<Int> strides = a.stride.leaves();
      for (const Int &stride : strides)
        ones += stride.is(1);
      contiguous = ones == 1;
      std::sort(wide.begin(), wide.end());
      std::sort(narrow.begin(), narrow.end());
      if (contiguous)
        expect(wide == narrow, "recast to narrower elements", a, a, *down);
      std::optional<Layout> back = recast(*down, 8, 8 * factor);
      if (contiguous)
        expect(back && table(*back) == table(a), "recast and back", a, a, *down);
    }
  }

  void swizzled(const Layout &a) {
    int b = int(1 + random.below(3)), m = int(random.below(3)), s = b + int(random.below(2));
    ComposedLayout composed({b, m, s}, 0, a);
    std::optional<LinearLayout> l = toLinear(composed, names(a));
    if (!l)
      return;
    ++counts.results;
    ++counts.linear;
    int64_t count = cute::size(a).constant();
    for (int64_t i = 0; i < count; ++i)
      expect(int64_t(l->applyFlat(uint64_t(i))) == offsetOf(composed, i), "swizzle", a, a, a);
    std::optional<ComposedLayout> back = fromLinear(*l);
    expect(back.has_value(), "a swizzled layout is found again", a, a, a);
    if (back)
      for (int64_t i = 0; i < count; ++i)
        expect(offsetOf(*back, i) == offsetOf(composed, i), "swizzle and back", a, a, back->layout);
  }

  void texts(const Layout &a) {
    std::optional<ComposedLayout> back = parseLayout(a.toString());
    expect(back && back->layout == a, "text", a, a, a);
    ++counts.results;
  }

private:
  static Layout coalesceToOne(const Layout &a) { return makeLayout({a}); }

  /// The bases of the flat maps are the same.
  void linear(const Layout &a, const Layout &r) {
    std::optional<LinearLayout> la = toLinear(makeLayout({a}), {"in"}), lr = toLinear(makeLayout({r}), {"in"});
    if (!la || !lr)
      return;
    ++counts.linear;
    expect(la->flatBases() == lr->flatBases(), "linear maps", a, a, r);
  }

  /// With unknown numbers: where there is a result, it is the same function.
  template <typename Fn> void hidden(const Layout &a, const Layout &b, const Layout &known, bool strides, Fn fn) {
    std::map<unsigned, int64_t> values;
    unsigned next = 0;
    Layout x = hide(a, random, next, values, strides);
    if (values.empty())
      return;
    std::optional<Layout> r = fn(x, b);
    if (!r)
      return;
    // Relied on: that divisions of unknown numbers leave nothing. The known result shows that they do if the layout has
    // the same modes there; known numbers may let more of them coalesce.
    std::optional<Layout> e = evaluate(*r, values);
    if (coalesce(x).shape.leaves().size() != coalesce(a).shape.leaves().size())
      return;
    expect(e && cute::size(*e) == cute::size(known), "size with unknown numbers", x, b, *r);
    if (!e)
      return;
    ++counts.dynamic;
    expect(table(*e) == table(known), "unknown numbers", x, b, *r);
  }

  void expect(bool holds, const char *what, const Layout &a, const Layout &b, const Layout &r) {
    if (!holds && failures++ < 10)
      ADD_FAILURE() << what << ": a = " << a.toString() << ", b = " << b.toString() << ", result " << r.toString();
  }

  Random &random;
  Counts &counts;
  int failures = 0;
};
} // namespace

TEST(Properties, HundredThousandExpressions) {
  Random random(20261122);
  Counts counts;
  Checker check(random, counts);
  for (; counts.expressions < 100'000; ++counts.expressions) {
    bool binary = random.chance(60);
    Layout a = random.layout(binary, 128), b = random.layout(binary, 32);
    switch (random.below(10)) {
    case 0:
      check.coalesced(a);
      break;
    case 1:
    case 2:
    case 3:
      check.composed(a, b);
      break;
    case 4:
      check.complemented(b, 1 + random.below(200));
      break;
    case 5:
      check.divided(a, b);
      break;
    case 6:
      check.multiplied(a, b);
      break;
    case 7:
      check.inverted(a);
      break;
    case 8:
      check.recasted(a, int64_t(1) << random.below(4));
      check.texts(a);
      break;
    case 9:
      check.swizzled(a);
      break;
    }
  }
  RecordProperty("results", int(counts.results));
  std::printf("%ld expressions, %ld with a result, %ld compared with LinearLayout, %ld with unknown numbers\n",
              long(counts.expressions), long(counts.results), long(counts.linear), long(counts.dynamic));
  // Not everything may be refused.
  EXPECT_GT(counts.results, 50'000);
  EXPECT_GT(counts.linear, 20'000);
  EXPECT_GT(counts.dynamic, 2'000);
}
