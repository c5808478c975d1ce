//===- Layout.cpp - CuTe layouts: queries and rearrangement ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Layout.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tileiras::cute {

std::vector<Layout> Layout::modes() const {
  std::vector<Layout> result;
  for (int i = 0; i < rank(); ++i)
    result.push_back(mode(i));
  return result;
}

std::string ComposedLayout::toString() const {
  if (isPlain())
    return layout.toString();
  std::string text;
  if (!swizzle.isNone())
    text = "S<" + std::to_string(swizzle.bits) + "," + std::to_string(swizzle.base) + "," +
           std::to_string(swizzle.shift) + "> o ";
  return text + offset.toString() + " o " + layout.toString();
}

Tiler::Tiler(const IntTuple &shape) {
  if (!shape.isLeaf()) {
    for (const IntTuple &element : shape.modes())
      modes.emplace_back(element);
  } else if (shape.asInt().isAny()) {
    any = true;
  } else {
    layout = Layout(shape, IntTuple(1));
  }
}

std::string Tiler::toString() const {
  if (any)
    return "_";
  if (layout)
    return layout->toString();
  std::string text = "[";
  for (size_t i = 0; i < modes.size(); ++i)
    text += (i ? ";" : "") + modes[i].toString();
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Int cosize(const Layout &layout) {
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  Int last = 1;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].is(0))
      return 0;
    // Steps backwards do not make the last offset smaller.
    if (!(strides[i].isStatic() && strides[i].constant() < 0))
      last = last + (shapes[i] - 1) * strides[i].withoutBasis();
  }
  return last;
}

using Components = std::map<std::vector<int>, Int>;

static void addUp(const IntTuple &coord, const IntTuple &shape, const IntTuple &stride, Components &sums) {
  if (shape.isLeaf()) {
    // A tuple where a number is meant: its flat value is not defined without a shape.
    Int value = coord.isLeaf() ? coord.asInt() : coord.rank() == 1 ? coord.mode(0).asInt() : Int::invalid();
    Int &sum = sums.try_emplace(stride.asInt().basis(), Int(0)).first->second;
    sum = sum + value * stride.asInt().withoutBasis();
    return;
  }
  if (coord.isLeaf()) {
    addUp(idx2crd(coord.asInt(), shape), shape, stride, sums);
    return;
  }
  for (int i = 0; i < shape.rank(); ++i)
    addUp(i < coord.rank() ? coord.mode(i) : IntTuple(0), shape.mode(i), stride.mode(i), sums);
}

/// The tuple with the given components below `path`.
static IntTuple build(const Components &sums, const std::vector<int> &path) {
  if (auto it = sums.find(path); it != sums.end())
    return IntTuple(it->second);
  int last = -1;
  for (const auto &[key, value] : sums)
    if (key.size() > path.size() && std::equal(path.begin(), path.end(), key.begin()))
      last = std::max(last, key[path.size()]);
  if (last < 0)
    return IntTuple(0);
  std::vector<IntTuple> elements;
  for (int i = 0; i <= last; ++i) {
    std::vector<int> below = path;
    below.push_back(i);
    elements.push_back(build(sums, below));
  }
  return IntTuple(std::move(elements));
}

IntTuple crd2idx(const IntTuple &coord, const Layout &layout) {
  Components sums;
  addUp(coord, layout.shape, layout.stride, sums);
  // Plain terms beside bases can only be zeros.
  if (sums.size() > 1)
    if (auto plain = sums.find({}); plain != sums.end()) {
      if (!plain->second.is(0))
        return IntTuple(Int::invalid());
      sums.erase(plain);
    }
  return build(sums, {});
}

std::optional<Int> crd2idx(const IntTuple &coord, const ComposedLayout &layout) {
  IntTuple index = crd2idx(coord, layout.layout);
  if (!index.isLeaf() || !layout.offset.isLeaf())
    return std::nullopt;
  Int sum = index.asInt() + layout.offset.asInt();
  if (!layout.swizzle.isNone()) {
    const Swizzle &s = layout.swizzle;
    if (sum.isStatic())
      return sum.constant() < 0 ? Int::invalid() : Int(int64_t(s.apply(uint64_t(sum.constant()))));
    Int field = (sum / Int(int64_t(1) << (s.base + s.shift))) % Int(int64_t(1) << s.bits);
    sum = fold(IntOp::Xor, sum, field * Int(int64_t(1) << s.base));
  }
  return sum.isValid() ? std::optional(sum) : std::nullopt;
}

int64_t offsetOf(const Layout &layout, int64_t index) {
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  int64_t result = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    int64_t extent = shapes[i].constant();
    bool last = i + 1 == shapes.size();
    result += (last ? index : index % extent) * strides[i].constant();
    index = last ? 0 : index / extent;
  }
  return result;
}

int64_t offsetOf(const ComposedLayout &layout, int64_t index) {
  int64_t offset = offsetOf(layout.layout, index);
  if (layout.offset.isLeaf())
    offset += layout.offset.asInt().constant();
  return layout.swizzle.isNone() ? offset : int64_t(layout.swizzle.apply(uint64_t(offset)));
}

bool isInjective(const Layout &layout) {
  // Modes in ascending order of strides, each beginning after what those before it reach, cannot meet. Others are
  // looked at element by element.
  std::vector<std::pair<int64_t, int64_t>> modes;
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  for (size_t i = 0; i < shapes.size(); ++i)
    if (!shapes[i].is(1))
      modes.push_back({std::abs(strides[i].constant()), shapes[i].constant()});
  std::sort(modes.begin(), modes.end());
  int64_t reach = 0;
  bool apart = true;
  for (auto [stride, extent] : modes) {
    if (stride == 0)
      return false;
    apart &= stride > reach;
    reach += stride * (extent - 1);
  }
  if (apart)
    return true;
  Int count = size(layout);
  if (!count.isStatic() || count.constant() > (1 << 22))
    return false;
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < count.constant(); ++i)
    offsets.push_back(offsetOf(layout, i));
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
}

//===----------------------------------------------------------------------===//
// Rearrangement and parts
//===----------------------------------------------------------------------===//

Layout makeLayout(const std::vector<Layout> &modes) {
  std::vector<IntTuple> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape);
    strides.push_back(mode.stride);
  }
  return {IntTuple(std::move(shapes)), IntTuple(std::move(strides))};
}

static Layout fromLeaves(const std::vector<Int> &shapes, const std::vector<Int> &strides) {
  if (shapes.empty())
    return {};
  if (shapes.size() == 1)
    return {IntTuple(shapes[0]), IntTuple(strides[0])};
  return {IntTuple(std::vector<IntTuple>(shapes.begin(), shapes.end())),
          IntTuple(std::vector<IntTuple>(strides.begin(), strides.end()))};
}

Layout flatten(const Layout &layout) {
  if (layout.shape.isLeaf())
    return layout;
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  return {IntTuple(std::vector<IntTuple>(shapes.begin(), shapes.end())),
          IntTuple(std::vector<IntTuple>(strides.begin(), strides.end()))};
}

Layout coalesce(const Layout &layout) {
  std::vector<Int> shapes, strides;
  std::vector<Int> oldShapes = layout.shape.leaves(), oldStrides = layout.stride.leaves();
  for (size_t i = 0; i < oldShapes.size(); ++i) {
    if (oldShapes[i].is(1))
      continue;
    if (!shapes.empty() && oldStrides[i] == shapes.back() * strides.back()) {
      shapes.back() = shapes.back() * oldShapes[i];
      continue;
    }
    shapes.push_back(oldShapes[i]);
    strides.push_back(oldStrides[i]);
  }
  return fromLeaves(shapes, strides);
}

std::optional<Layout> coalesce(const Layout &layout, const IntTuple &profile, std::string *error) {
  if (profile.isLeaf())
    return coalesce(layout);
  if (profile.rank() > layout.rank() || layout.shape.isLeaf()) {
    if (error)
      *error = "the profile " + profile.toString() + " has more modes than the layout " + layout.toString();
    return std::nullopt;
  }
  std::vector<Layout> result;
  for (int i = 0; i < layout.rank(); ++i) {
    if (i >= profile.rank()) {
      result.push_back(layout.mode(i));
      continue;
    }
    std::optional<Layout> mode = coalesce(layout.mode(i), profile.mode(i), error);
    if (!mode)
      return std::nullopt;
    result.push_back(*mode);
  }
  return makeLayout(result);
}

std::optional<Layout> groupModes(const Layout &layout, int begin, int end, std::string *error) {
  std::optional<IntTuple> shape = groupModes(layout.shape, begin, end, error);
  std::optional<IntTuple> stride = groupModes(layout.stride, begin, end, error);
  if (!shape || !stride)
    return std::nullopt;
  return Layout(*shape, *stride);
}

Layout filterZeros(const Layout &layout) {
  std::vector<Int> shapes = layout.shape.leaves(), strides = layout.stride.leaves();
  for (size_t i = 0; i < shapes.size(); ++i)
    if (strides[i].isStatic() && strides[i].constant() == 0)
      shapes[i] = 1;
  return {layout.shape.withLeaves(shapes), layout.stride};
}

Layout filter(const Layout &layout) { return coalesce(filterZeros(layout)); }

static void sliceInto(const IntTuple &coord, const Layout &layout, std::vector<Layout> &kept, Components &sums) {
  if (coord.isLeaf()) {
    if (coord.asInt().isAny())
      kept.push_back(layout);
    else
      addUp(coord, layout.shape, layout.stride, sums);
    return;
  }
  for (int i = 0; i < coord.rank(); ++i) {
    if (coord.mode(i).isLeaf() || !coord.mode(i).hasAny()) {
      sliceInto(coord.mode(i), layout.mode(i), kept, sums);
      continue;
    }
    std::vector<Layout> below;
    sliceInto(coord.mode(i), layout.mode(i), below, sums);
    kept.push_back(makeLayout(below));
  }
}

/// `_` and numbers fit modes of any form; tuples have to have as many elements.
static bool fits(const IntTuple &coord, const IntTuple &shape) {
  if (coord.isLeaf())
    return true;
  if (shape.isLeaf() || coord.rank() != shape.rank())
    return false;
  for (int i = 0; i < coord.rank(); ++i)
    if (!fits(coord.mode(i), shape.mode(i)))
      return false;
  return true;
}

std::optional<std::pair<Layout, IntTuple>> slice(const IntTuple &coord, const Layout &layout, std::string *error) {
  if (!fits(coord, layout.shape)) {
    if (error)
      *error = "the coordinate " + coord.toString() + " does not fit the shape " + layout.shape.toString();
    return std::nullopt;
  }
  std::vector<Layout> kept;
  Components sums;
  sliceInto(coord, layout, kept, sums);
  if (sums.size() > 1)
    if (auto plain = sums.find({}); plain != sums.end() && plain->second.is(0))
      sums.erase(plain);
  IntTuple offset = build(sums, {});
  Layout rest = kept.empty() ? Layout() : coord.isLeaf() ? kept.front() : makeLayout(kept);
  return std::pair(rest, offset);
}

} // namespace tileiras::cute
