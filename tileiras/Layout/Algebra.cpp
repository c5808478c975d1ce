//===- Algebra.cpp - Composition, division and products of layouts --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Layout.h"

#include <algorithm>
#include <numeric>

namespace tileiras::cute {

static std::nullopt_t fail(std::string *error, std::string message) {
  if (error)
    *error = std::move(message);
  return std::nullopt;
}

/// Reports what the arithmetic could not do.
static std::optional<Layout> checked(Layout layout, std::string *error) {
  if (!layout.isValid())
    return fail(error, "a number of the result does not fit into 64 bits or is not defined");
  return layout;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

namespace {
/// The outer layout of a composition, its modes seen as digits of a number. Every leaf of the inner layout adds
/// something to some of the digits; the sum of layouts is the layout of the sum as long as no digit overflows.
class Digits {
public:
  explicit Digits(const Layout &outer) : outer(outer) {
    Layout flat = coalesce(outer);
    shapes = flat.shape.leaves();
    strides = flat.stride.leaves();
    reached.assign(shapes.size(), Int(0));
  }

  std::optional<Layout> compose(const Int &extent, const Int &step, std::string *error);
  std::optional<Layout> compose(const IntTuple &shape, const IntTuple &stride, std::string *error) {
    if (shape.isLeaf())
      return compose(shape.asInt(), stride.asInt(), error);
    std::vector<Layout> result;
    for (int i = 0; i < shape.rank(); ++i) {
      std::optional<Layout> mode = compose(shape.mode(i), stride.mode(i), error);
      if (!mode)
        return std::nullopt;
      result.push_back(*mode);
    }
    return makeLayout(result);
  }

private:
  bool add(size_t digit, const Int &count, const Int &step, std::string *error) {
    reached[digit] = reached[digit] + (count - 1) * step;
    const Int &most = reached[digit], &extent = shapes[digit];
    if (digit + 1 == shapes.size() || !most.isStatic() || !extent.isStatic() || most.constant() < extent.constant())
      return true;
    fail(error, "the inner layout crosses the end of a mode of size " + extent.toString() + " of " + outer.toString());
    return false;
  }

  const Layout &outer;
  std::vector<Int> shapes, strides, reached;
};
} // namespace

/// min(a, b) of extents, the second a static one that the first is known to be a multiple of.
static Int smallerExtent(const Int &a, const Int &b) {
  if (a.isDynamic() && b.isStatic() && b.constant() > 0 && a.divisor() % b.constant() == 0)
    return b;
  return min(a, b);
}

/// The step in the next digit: 1 where the digit is longer than the step.
static Int stepBeyond(const Int &step, const Int &shape) {
  if (step.isStatic() && (shape.isStatic() ? shape.constant() : shape.divisor()) >= step.constant())
    return 1;
  return ceilDiv(step, shape);
}

std::optional<Layout> Digits::compose(const Int &extent, const Int &step, std::string *error) {
  if (!step.basis().empty()) {
    // A basis names a mode of the outer layout.
    Layout mode = outer;
    for (int component : step.basis()) {
      if (mode.shape.isLeaf() ? component != 0 : component >= mode.rank())
        return fail(error, "the stride " + step.toString() + " names no mode of " + outer.toString());
      mode = mode.mode(component);
    }
    return composition(mode, Layout(IntTuple(extent), IntTuple(step.withoutBasis())), error);
  }
  if (extent.is(1) || step.is(0))
    return Layout(IntTuple(extent), IntTuple(0));
  bool backwards = step.isStatic() && step.constant() < 0;
  if (backwards && shapes.size() > 1)
    return fail(error, "a negative stride needs an outer layout of one mode, not " + outer.toString());
  std::vector<Layout> pieces;
  Int restExtent = extent, restStep = step;
  for (size_t i = 0; i + 1 < shapes.size(); ++i) {
    const Int &shape = shapes[i];
    // The step skips the mode.
    bool skips = shape.isStatic() && restStep.isStatic() && restStep.constant() >= shape.constant();
    if (!skips && shape == restStep)
      skips = true;
    if (skips) {
      if (!mayDivide(shape, restStep))
        return fail(error, "the stride " + restStep.toString() + " is not a multiple of the mode of size " +
                               shape.toString() + " that it passes in " + outer.toString());
      restStep = restStep / shape;
      continue;
    }
    Int available = ceilDiv(shape, restStep);
    if (available.is(1)) {
      restStep = ceilDiv(restStep, shape);
      continue;
    }
    Int count = smallerExtent(available, restExtent);
    if (count != restExtent && !mayDivide(restStep, shape))
      return fail(error, "the mode of size " + shape.toString() + " of " + outer.toString() +
                             " is not a multiple of the stride " + restStep.toString());
    if (!mayDivide(count, restExtent))
      return fail(error, "the extent " + restExtent.toString() + " is not a multiple of " + count.toString() +
                             ", which is what fits into a mode of " + outer.toString());
    if (!add(i, count, restStep, error))
      return std::nullopt;
    pieces.push_back({IntTuple(count), IntTuple(restStep * strides[i])});
    restExtent = restExtent / count;
    restStep = stepBeyond(restStep, shape);
    if (restExtent.is(1))
      break;
  }
  if (!restExtent.is(1) && !shapes.empty()) {
    if (!add(shapes.size() - 1, restExtent, restStep, error))
      return std::nullopt;
    pieces.push_back({IntTuple(restExtent), IntTuple(restStep * strides.back())});
  }
  Layout result = pieces.size() == 1 ? pieces.front() : makeLayout(pieces);
  return checked(result, error);
}

std::optional<Layout> composition(const Layout &a, const Layout &b, std::string *error) {
  return Digits(a).compose(b.shape, b.stride, error);
}

/// fn(mode, tiler) for each mode that has a tiler, the others as they are.
template <typename Fn>
static std::optional<Layout> byMode(const Layout &layout, const Tiler &tiler, std::string *error, Fn fn) {
  if (int(tiler.modes.size()) > layout.rank())
    return fail(error, "expects rank(tiler) <= rank(input), but got input=" + layout.toString() +
                           ", tiler=" + tiler.toString());
  std::vector<Layout> result;
  for (int i = 0; i < layout.rank(); ++i) {
    if (size_t(i) >= tiler.modes.size()) {
      result.push_back(layout.mode(i));
      continue;
    }
    std::optional<Layout> mode = fn(layout.mode(i), tiler.modes[size_t(i)]);
    if (!mode)
      return std::nullopt;
    result.push_back(*mode);
  }
  return makeLayout(result);
}

std::optional<Layout> composition(const Layout &a, const Tiler &b, std::string *error) {
  if (b.any)
    return a;
  if (b.layout)
    return composition(a, *b.layout, error);
  return byMode(a, b, error, [&](const Layout &mode, const Tiler &tiler) { return composition(mode, tiler, error); });
}

std::optional<ComposedLayout> composition(const ComposedLayout &a, const Tiler &b, std::string *error) {
  std::optional<Layout> inner = composition(a.layout, b, error);
  if (!inner)
    return std::nullopt;
  return ComposedLayout(a.swizzle, a.offset, *inner);
}

//===----------------------------------------------------------------------===//
// Complement and inverses
//===----------------------------------------------------------------------===//

std::optional<Layout> complement(const Layout &layout, const Int &cotarget, std::string *error) {
  Layout flat = filter(layout);
  std::vector<Int> shapes = flat.shape.leaves(), strides = flat.stride.leaves();
  if (shapes.size() == 1 && strides[0].is(0))
    return checked(coalesce(Layout(IntTuple(cotarget), IntTuple(1))), error);
  std::vector<size_t> order(shapes.size());
  std::iota(order.begin(), order.end(), size_t(0));
  if (shapes.size() > 1) {
    for (const Int &stride : strides)
      if (!stride.isStatic() || !stride.basis().empty())
        return fail(error, "unable to compute a complement for input " + layout.toString() +
                               ": strides of several modes have to be static");
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return strides[a].constant() < strides[b].constant(); });
  }
  std::vector<Layout> modes;
  Int reach = 1;
  for (size_t i : order) {
    Int gap = strides[i] / reach;
    if (!mayDivide(reach, strides[i]) || (gap.isStatic() && gap.constant() < 1))
      return fail(error, "unable to compute a complement for input " + layout.toString() +
                             ": its modes overlap or interleave");
    modes.push_back({IntTuple(gap), IntTuple(reach)});
    reach = strides[i] * shapes[i];
  }
  modes.push_back({IntTuple(ceilDiv(cotarget, reach)), IntTuple(reach)});
  return checked(coalesce(makeLayout(modes)), error);
}

std::optional<Layout> rightInverse(const Layout &layout, std::string *error) {
  Layout flat = coalesce(layout);
  std::vector<Int> shapes = flat.shape.leaves(), strides = flat.stride.leaves();
  for (const Int &stride : strides)
    if (!stride.basis().empty())
      return fail(error, "unable to compute a right inverse for input " + layout.toString());
  std::vector<Int> before(shapes.size());
  Int count = 1;
  for (size_t i = 0; i < shapes.size(); ++i) {
    before[i] = count;
    count = count * shapes[i];
  }
  std::vector<Layout> modes;
  std::vector<bool> used(shapes.size());
  Int wanted = 1;
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < shapes.size() && !found; ++i) {
      if (used[i] || strides[i] != wanted)
        continue;
      used[i] = found = true;
      modes.push_back({IntTuple(shapes[i]), IntTuple(before[i])});
      wanted = shapes[i] * strides[i];
    }
  }
  return checked(modes.empty() ? Layout() : coalesce(makeLayout(modes)), error);
}

std::optional<Layout> leftInverse(const Layout &layout, std::string *error) {
  std::optional<Layout> rest = complement(layout, cosize(layout), error);
  if (!rest)
    return std::nullopt;
  Layout both = makeLayout({layout, *rest});
  std::optional<Layout> inverse = rightInverse(both, error);
  if (!inverse)
    return std::nullopt;
  if (size(*inverse) != size(both))
    return fail(error, "unable to compute a left inverse for input " + layout.toString());
  return inverse;
}

Int maxCommonVector(const Layout &a, const Layout &b) {
  std::optional<Layout> inverse = rightInverse(b);
  if (!inverse)
    return 1;
  std::optional<Layout> common = composition(a, *inverse);
  if (!common)
    return 1;
  Layout flat = coalesce(*common);
  return flat.stride.leaves()[0].is(1) ? flat.shape.leaves()[0] : Int(1);
}

std::optional<Layout> recast(const Layout &layout, int64_t fromBits, int64_t toBits, std::string *error) {
  if (fromBits <= 0 || toBits <= 0 || (fromBits % toBits != 0 && toBits % fromBits != 0))
    return fail(error, "elements of " + std::to_string(fromBits) + " bits cannot be seen as elements of " +
                           std::to_string(toBits) + " bits");
  if (fromBits == toBits)
    return layout;
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (toBits < fromBits) {
      Int factor = fromBits / toBits;
      if (strides[i].is(1))
        shapes[i] = shapes[i] * factor;
      else
        strides[i] = strides[i] * factor;
      continue;
    }
    Int factor = toBits / fromBits;
    if (strides[i].is(0) || shapes[i].is(1))
      continue;
    if (strides[i].isDynamic()) {
      strides[i] = strides[i] / factor;
      continue;
    }
    Int together = shapeDiv(factor, strides[i]);
    Int extent = shapeDiv(shapes[i], together), stride = shapeDiv(strides[i], factor);
    if (!together.isValid() || !extent.isValid() || !stride.isValid())
      return fail(error, "the mode " + shapes[i].toString() + ":" + strides[i].toString() + " of " + layout.toString() +
                             " cannot be cut into vectors of " + factor.toString());
    shapes[i] = extent;
    strides[i] = stride;
  }
  return checked(Layout(layout.shape.withLeaves(shapes), layout.stride.withLeaves(strides)), error);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

std::optional<Layout> logicalDivide(const Layout &layout, const Tiler &tiler, std::string *error) {
  if (tiler.any)
    return makeLayout({layout, Layout()});
  if (!tiler.layout)
    return byMode(layout, tiler, error,
                  [&](const Layout &mode, const Tiler &part) { return logicalDivide(mode, part, error); });
  std::string why;
  std::optional<Layout> rest = complement(*tiler.layout, size(coalesce(layout)), &why);
  std::optional<Layout> result = rest ? composition(layout, makeLayout({*tiler.layout, *rest}), &why) : std::nullopt;
  if (!result)
    return fail(error, "failed to perform a valid division of " + layout.toString() + " by " +
                           tiler.layout->toString() + ": " + why);
  return result;
}

/// From modes (tile, rest) to ((tiles), (rests)), as the tiler says.
static Layout unzip(const Layout &divided, const Tiler &tiler) {
  if (!tiler.isTuple())
    return divided;
  std::vector<Layout> tiles, rests;
  for (int i = 0; i < divided.rank(); ++i) {
    if (size_t(i) >= tiler.modes.size()) {
      rests.push_back(divided.mode(i));
      continue;
    }
    Layout pair = unzip(divided.mode(i), tiler.modes[size_t(i)]);
    tiles.push_back(pair.mode(0));
    rests.push_back(pair.mode(1));
  }
  return makeLayout({makeLayout(tiles), makeLayout(rests)});
}

/// ((a), (b, ...)) -> ((a), b, ...) or (a..., b...).
static Layout spread(const Layout &zipped, bool first) {
  std::vector<Layout> modes;
  if (first)
    modes = zipped.mode(0).modes();
  else
    modes.push_back(zipped.mode(0));
  for (const Layout &mode : zipped.mode(1).modes())
    modes.push_back(mode);
  return makeLayout(modes);
}

std::optional<Layout> zippedDivide(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> divided = logicalDivide(layout, tiler, error);
  if (!divided)
    return std::nullopt;
  return unzip(*divided, tiler);
}

std::optional<Layout> tiledDivide(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> zipped = zippedDivide(layout, tiler, error);
  if (!zipped)
    return std::nullopt;
  return spread(*zipped, false);
}

std::optional<Layout> flatDivide(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> zipped = zippedDivide(layout, tiler, error);
  if (!zipped)
    return std::nullopt;
  return spread(*zipped, true);
}

std::optional<Layout> stencilDivide(const Layout &layout, const IntTuple &window, const IntTuple &strides,
                                    std::string *error) {
  if (!congruent(window, strides) || window.rank() > layout.rank())
    return fail(error, "Target and kernel shapes must be congruent.");
  if (window.isLeaf()) {
    Int extent = size(layout), size = window.asInt(), step = strides.asInt();
    if (size.isStatic() && step.isStatic() && (size.constant() < 1 || step.constant() < 1))
      return fail(error, "windows and their strides have to be positive");
    Int positions = (extent - size) / step + 1;
    if (positions.isStatic() && positions.constant() < 1)
      return fail(error, "no window of " + size.toString() + " fits into " + extent.toString());
    return composition(layout, Layout({IntTuple(size), IntTuple(positions)}, {IntTuple(1), IntTuple(step)}), error);
  }
  std::vector<Layout> result;
  for (int i = 0; i < layout.rank(); ++i) {
    if (i >= window.rank()) {
      result.push_back(layout.mode(i));
      continue;
    }
    std::optional<Layout> mode = stencilDivide(layout.mode(i), window.mode(i), strides.mode(i), error);
    if (!mode)
      return std::nullopt;
    result.push_back(*mode);
  }
  return makeLayout(result);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

std::optional<Layout> logicalProduct(const Layout &layout, const Tiler &tiler, std::string *error) {
  if (tiler.any)
    return makeLayout({layout, Layout()});
  if (!tiler.layout)
    return byMode(layout, tiler, error,
                  [&](const Layout &mode, const Tiler &part) { return logicalProduct(mode, part, error); });
  std::optional<Layout> rest = complement(layout, size(layout) * cosize(*tiler.layout), error);
  if (!rest)
    return std::nullopt;
  std::optional<Layout> copies = composition(*rest, *tiler.layout, error);
  if (!copies)
    return std::nullopt;
  return makeLayout({layout, *copies});
}

std::optional<Layout> zippedProduct(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> product = logicalProduct(layout, tiler, error);
  if (!product)
    return std::nullopt;
  return unzip(*product, tiler);
}

std::optional<Layout> tiledProduct(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> zipped = zippedProduct(layout, tiler, error);
  if (!zipped)
    return std::nullopt;
  return spread(*zipped, false);
}

std::optional<Layout> flatProduct(const Layout &layout, const Tiler &tiler, std::string *error) {
  std::optional<Layout> zipped = zippedProduct(layout, tiler, error);
  if (!zipped)
    return std::nullopt;
  return spread(*zipped, true);
}

/// At least `rank` modes, the new ones of one element.
static Layout padded(const Layout &layout, int rank) {
  if (rank <= 1 || layout.rank() >= rank)
    return layout;
  std::vector<Layout> modes = layout.modes();
  modes.resize(size_t(rank));
  return makeLayout(modes);
}

static std::optional<Layout> zipProduct(const Layout &block, const Layout &tiler, bool raked, std::string *error) {
  int rank = std::max(block.rank(), tiler.rank());
  std::optional<Layout> product = logicalProduct(padded(block, rank), padded(tiler, rank), error);
  if (!product)
    return std::nullopt;
  Layout first = product->mode(raked ? 1 : 0), second = product->mode(raked ? 0 : 1);
  std::vector<Layout> modes;
  for (int i = 0; i < rank; ++i)
    modes.push_back(coalesce(makeLayout({first.mode(i), second.mode(i)})));
  return makeLayout(modes);
}

std::optional<Layout> blockedProduct(const Layout &block, const Layout &tiler, std::string *error) {
  return zipProduct(block, tiler, false, error);
}

std::optional<Layout> rakedProduct(const Layout &block, const Layout &tiler, std::string *error) {
  return zipProduct(block, tiler, true, error);
}

std::optional<Layout> makeOrderedLayout(const IntTuple &shape, const IntTuple &order, std::string *error) {
  std::vector<Int> shapes, keys;
  std::function<bool(const IntTuple &, const IntTuple &)> collect = [&](const IntTuple &s, const IntTuple &o) {
    if (s.isLeaf()) {
      if (!o.isLeaf() || !o.asInt().isStatic())
        return false;
      shapes.push_back(s.asInt());
      keys.push_back(o.asInt());
      return true;
    }
    if (!o.isLeaf() && o.rank() != s.rank())
      return false;
    for (int i = 0; i < s.rank(); ++i)
      if (!collect(s.mode(i), o.isLeaf() ? o : o.mode(i)))
        return false;
    return true;
  };
  if (!collect(shape, order))
    return fail(error, "the order " + order.toString() + " does not fit the shape " + shape.toString());
  std::vector<size_t> sequence(shapes.size());
  std::iota(sequence.begin(), sequence.end(), size_t(0));
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](size_t a, size_t b) { return keys[a].constant() < keys[b].constant(); });
  std::vector<Int> strides(shapes.size());
  Int current = 1;
  for (size_t i : sequence) {
    strides[i] = shapes[i].is(1) ? Int(0) : current;
    current = current * shapes[i];
  }
  return checked(Layout(shape, shape.withLeaves(strides)), error);
}

std::optional<Layout> tileToShape(const Layout &block, const IntTuple &shape, const std::vector<int> &order,
                                  std::string *error) {
  int rank = std::max(block.rank(), shape.rank());
  if (block.rank() > shape.rank())
    return fail(error, "expects rank(tiler) <= rank(input), but got input=" + shape.toString() +
                           ", tiler=" + block.toString());
  Layout wide = padded(block, rank);
  std::vector<IntTuple> counts, keys;
  for (int i = 0; i < rank; ++i) {
    counts.push_back(IntTuple(ceilDiv(size(shape.mode(i)), size(wide.mode(i)))));
    keys.push_back(IntTuple(order.empty() ? i : size_t(i) < order.size() ? order[size_t(i)] : i));
  }
  if (rank == 1) {
    std::optional<Layout> product = logicalProduct(wide, Layout(counts[0], IntTuple(1)), error);
    return product ? std::optional(coalesce(*product)) : std::nullopt;
  }
  std::optional<Layout> blocks = makeOrderedLayout(IntTuple(counts), IntTuple(keys), error);
  if (!blocks)
    return std::nullopt;
  return blockedProduct(wide, *blocks, error);
}

static IntTuple bases(const IntTuple &shape, std::vector<int> path) {
  if (shape.isLeaf())
    return IntTuple(Int(1).withBasis(path));
  std::vector<IntTuple> result;
  for (int i = 0; i < shape.rank(); ++i) {
    std::vector<int> below = path;
    below.push_back(i);
    result.push_back(bases(shape.mode(i), below));
  }
  return IntTuple(std::move(result));
}

Layout makeIdentityLayout(const IntTuple &shape) { return {shape, bases(shape, {})}; }

std::optional<TVLayout> makeTVLayout(const Layout &threads, const Layout &values, std::string *error) {
  std::optional<Layout> both = rakedProduct(threads, values, error);
  if (!both)
    return std::nullopt;
  std::optional<Layout> inverse = rightInverse(*both, error);
  if (!inverse)
    return std::nullopt;
  if (size(*inverse) != size(*both))
    return fail(error, "unable to compute a right inverse for input " + both->toString());
  std::optional<Layout> layout =
      composition(*inverse, Layout(IntTuple{IntTuple(size(threads)), IntTuple(size(values))}), error);
  if (!layout)
    return std::nullopt;
  std::vector<IntTuple> tile;
  for (const Layout &mode : both->modes())
    tile.push_back(IntTuple(size(mode)));
  return TVLayout{IntTuple(std::move(tile)), *layout};
}

} // namespace tileiras::cute
