//===- LayoutText.h - Layouts in the CuTe notation --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The notation `(shape):(stride)` writes an index as a tuple of modes and gives each mode a stride;
// the index of a point is the sum over modes of coordinate times stride. Modes of one input are
// grouped and the first runs fastest.
//
// A distributed tile is written as the map from (lane, warp, block, register) to the row-major
// number of the element:
//
//     ((4,8),2,1,(2,2)):((2,16),128,0,(1,256))
//
// A shared tile is written the other way round, as CuTe does, from its coordinates to the offset in
// elements, with the swizzle behind:
//
//     (64,(32,2)):(32,(1,2048)),swizzle<3,3,3>
//
// Sums and XORs agree as long as no two bits meet, so exactly the layouts with at most one
// coordinate bit per basis, each coordinate bit hit at most once, have this form (before the
// swizzle); the printers say "no" to others.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_LAYOUTTEXT_H
#define TILEIRAS_SUPPORT_LAYOUTTEXT_H

#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/LinearLayout.h"

namespace tileiras {

/// {lane, warp, block, register}: how thread-value layouts list their inputs.
std::vector<DimName> threadValueOrder();

/// `layout` as a map from its inputs, in the order given, to the flat output. Nothing if the
/// notation cannot say it.
std::optional<std::string> printModes(const LinearLayout &layout, const std::vector<DimName> &inOrder);

/// The inverse of printModes: inputs are named as in `inOrder` (and come in that order), outputs
/// are dim0.. of `shape`.
std::optional<LinearLayout> parseModes(std::string_view text, const std::vector<DimName> &inOrder,
                                       const std::vector<int32_t> &shape, std::string *error = nullptr);

/// A distributed tile (register, lane, warp, block -> coordinates).
std::optional<std::string> printDistributed(const LinearLayout &layout);
std::optional<LinearLayout> parseDistributed(std::string_view text, const std::vector<int32_t> &shape,
                                             std::string *error = nullptr);

/// A shared tile (offset -> coordinates), a permutation, with its swizzle.
std::optional<std::string> printShared(const LinearLayout &layout);
std::optional<LinearLayout> parseShared(std::string_view text, std::string *error = nullptr);

/// Splits a shared layout into one without XORs and the swizzle on top of it; the smallest swizzle
/// that does it.
struct SwizzledShared {
  LinearLayout linear;
  Swizzle swizzle;
};
std::optional<SwizzledShared> splitSwizzle(const LinearLayout &layout);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_LAYOUTTEXT_H
