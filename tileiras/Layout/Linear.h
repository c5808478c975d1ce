//===- Linear.h - CuTe layouts as linear maps over bits ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two notations of this project meet here. A CuTe layout adds, a LinearLayout (Support/LinearLayout.h) takes XORs;
// they are the same where extents are powers of two and no two of the terms have a bit in common, so that nothing
// carries. A swizzle is linear, too. Of what tensor cores, TMA and shared memory use, all is in the common part; an
// offset that is not zero, an extent of 3 or a stride that overlaps another are CuTe's only, XORs that are no swizzle
// ours only.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_LINEAR_H
#define TILEIRAS_LAYOUT_LINEAR_H

#include "tileiras/Layout/Layout.h"
#include "tileiras/Support/LinearLayout.h"

namespace tileiras::cute {

/// Mode i of the layout becomes the input ins[i], its values the row-major numbers of elements of a tile of `shape`
/// (or, of one dimension, the offsets themselves). Fails where sums are no XORs, or leave the tile.
std::optional<LinearLayout> toLinear(const ComposedLayout &layout, const std::vector<DimName> &ins,
                                     const std::vector<LinearLayout::OutDim> &outs, std::string *error = nullptr);
/// The same with one output, "offset", large enough.
std::optional<LinearLayout> toLinear(const ComposedLayout &layout, const std::vector<DimName> &ins,
                                     std::string *error = nullptr);

/// Each input a mode, values as above; with the smallest swizzle that is needed, if any.
std::optional<ComposedLayout> fromLinear(const LinearLayout &layout, std::string *error = nullptr);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_LINEAR_H
