//===- Linear.cpp - CuTe layouts as linear maps over bits -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Linear.h"

#include <bit>

namespace tileiras::cute {

static std::nullopt_t fail(std::string *error, std::string message) {
  if (error)
    *error = std::move(message);
  return std::nullopt;
}

/// Values of the bits of each mode's number, before offset and swizzle. No two have a bit in common.
static std::optional<std::vector<std::vector<uint64_t>>> basesOf(const Layout &layout, std::string *error) {
  if (!layout.isStatic())
    return fail(error, layout.toString() + " is known only at run time");
  std::vector<std::vector<uint64_t>> result;
  uint64_t seen = 0;
  int bits = 0;
  for (const Layout &mode : layout.modes()) {
    std::vector<uint64_t> &bases = result.emplace_back();
    std::vector<Int> shapes = mode.shape.leaves(), strides = mode.stride.leaves();
    for (size_t i = 0; i < shapes.size(); ++i) {
      if (!strides[i].basis().empty())
        return fail(error, "a layout of coordinates has no offsets");
      int64_t extent = shapes[i].constant(), stride = strides[i].constant();
      if (extent < 1 || !std::has_single_bit(uint64_t(extent)))
        return fail(error, "the extent " + std::to_string(extent) + " is not a power of two");
      for (int64_t step = 1; step < extent; step *= 2) {
        int64_t value;
        if (stride < 0 || __builtin_mul_overflow(stride, step, &value) || value >> 40 || ++bits > 60)
          return fail(error, "the stride " + std::to_string(stride) + " is negative or too large");
        if (uint64_t(value) & seen)
          return fail(error, "the mode " + shapes[i].toString() + ":" + strides[i].toString() +
                                 " adds to bits that something else sets: sums and XORs differ");
        seen |= uint64_t(value);
        bases.push_back(uint64_t(value));
      }
    }
  }
  return result;
}

std::optional<LinearLayout> toLinear(const ComposedLayout &layout, const std::vector<DimName> &ins,
                                     const std::vector<LinearLayout::OutDim> &outs, std::string *error) {
  if (!layout.offset.isLeaf() || !layout.offset.asInt().is(0))
    return fail(error, "a linear map has no offset");
  std::optional<std::vector<std::vector<uint64_t>>> bases = basesOf(layout.layout, error);
  if (!bases)
    return std::nullopt;
  if (bases->size() != ins.size())
    return fail(error, "expected " + std::to_string(ins.size()) + " modes, one for each of the inputs, but got " +
                           std::to_string(bases->size()));
  std::optional<LinearLayout> result = LinearLayout::create({}, outs, error);
  if (!result)
    return std::nullopt;
  uint64_t elements = uint64_t(1) << result->totalOutBits();
  for (size_t i = 0; i < ins.size(); ++i) {
    if (result->hasIn(ins[i]))
      return fail(error, "two inputs are named '" + ins[i].str() + "'");
    for (uint64_t &basis : (*bases)[i]) {
      if (!layout.swizzle.isNone())
        basis = layout.swizzle.apply(basis);
      if (basis >= elements)
        return fail(error, "the value " + std::to_string(basis) + " leaves the tile of " + std::to_string(elements) +
                               " elements");
    }
    if ((*bases)[i].size() > 30)
      return fail(error, "mode too large");
    result = result->extendIn(ins[i], (*bases)[i]);
  }
  return result;
}

std::optional<LinearLayout> toLinear(const ComposedLayout &layout, const std::vector<DimName> &ins,
                                     std::string *error) {
  std::optional<std::vector<std::vector<uint64_t>>> bases = basesOf(layout.layout, error);
  if (!bases)
    return std::nullopt;
  uint64_t all = 0;
  for (const std::vector<uint64_t> &mode : *bases)
    for (uint64_t basis : mode)
      all |= layout.swizzle.isNone() ? basis : layout.swizzle.apply(basis);
  int bits = std::bit_width(all);
  if (bits > 30)
    return fail(error, "layout too large");
  return toLinear(layout, ins, {{kOffset, int32_t(1) << bits}}, error);
}

std::optional<ComposedLayout> fromLinear(const LinearLayout &layout, std::string *error) {
  std::vector<DimName> ins = layout.inNames();
  auto build = [&](const Swizzle &swizzle) -> std::optional<Layout> {
    uint64_t seen = 0;
    std::vector<Layout> modes;
    for (DimName in : ins) {
      std::vector<IntTuple> shapes, strides;
      int64_t last = 0, extent = 1;
      for (uint64_t flat : layout.flatBases(in)) {
        // A swizzle undoes itself.
        uint64_t basis = swizzle.isNone() ? flat : swizzle.apply(flat);
        if (basis & seen)
          return std::nullopt;
        seen |= basis;
        if (!shapes.empty() && int64_t(basis) == last * extent) {
          extent *= 2;
          shapes.back() = IntTuple(extent);
          continue;
        }
        last = int64_t(basis);
        extent = 2;
        shapes.push_back(IntTuple(extent));
        strides.push_back(IntTuple(last));
      }
      if (shapes.empty())
        modes.push_back({});
      else if (shapes.size() == 1)
        modes.push_back({shapes[0], strides[0]});
      else
        modes.push_back({IntTuple(shapes), IntTuple(strides)});
    }
    return modes.size() == 1 ? modes.front() : makeLayout(modes);
  };
  if (std::optional<Layout> plain = build({}))
    return ComposedLayout(*plain);
  int bits = layout.totalOutBits();
  for (int b = 1; 2 * b <= bits; ++b)
    for (int m = 0; m + 2 * b <= bits; ++m)
      for (int s = b; m + s + b <= bits; ++s)
        if (std::optional<Layout> under = build({b, m, s}))
          return ComposedLayout({b, m, s}, 0, *under);
  return fail(error, "XORs of this layout are no swizzle");
}

} // namespace tileiras::cute
