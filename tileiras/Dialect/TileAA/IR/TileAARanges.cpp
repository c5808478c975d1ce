//===- TileAARanges.cpp - Which numbers an operation may give --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For MLIR's range analysis: with it, a comparison that a promise decides is a constant, and the mask made of it goes.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

/// From `low` to `high`, both signed and included, in `width` bits.
static ConstantIntRanges signedRange(int64_t low, int64_t high, unsigned width) {
  return ConstantIntRanges::fromSigned(APInt(width, low, /*isSigned=*/true), APInt(width, high, /*isSigned=*/true));
}

static unsigned widthOf(Value value) {
  Type type = nv_tileaa::getElementTypeOrSelf(value.getType());
  return type.isSignlessInteger() ? type.getIntOrFloatBitWidth() : 0;
}

/// A grid of tile blocks has at most 2^24 - 1 of them per dimension (`cuda_tile.get_num_tile_blocks`).
static constexpr int64_t kMostPrograms = (1 << 24) - 1;

void GetProgramIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  for (Value result : getResults())
    set(result, signedRange(0, kMostPrograms - 1, 32));
}
void GetNumProgramsOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  for (Value result : getResults())
    set(result, signedRange(1, kMostPrograms, 32));
}

void MakeRangeOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  unsigned width = widthOf(getResult());
  int64_t first = getStart(), last = int64_t(getEnd()) - 1;
  if (width && first <= last && llvm::isIntN(width, first) && llvm::isIntN(width, last))
    set(getResult(), signedRange(first, last, width));
  else if (width)
    set(getResult(), ConstantIntRanges::maxRange(width));
}

void GetDimSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn set) {
  unsigned width = widthOf(getResult());
  // An extent that a narrow type cannot hold is cut off and may come out negative, as 1 does in one bit.
  if (width < 32)
    return set(getResult(), ConstantIntRanges::maxRange(width));
  // As many tiles as an extent of 32 bits has: numbers of their elements, (tiles - 1) * step + 0 .. step - 1, are
  // numbers of 32 bits, too.
  int64_t most = llvm::maxIntN(width);
  if (auto view = dyn_cast<TiledViewType>(getSource().getType()); view && getExtentBits(getSource(), getAxis()) <= 32)
    most = llvm::divideCeil(llvm::maxIntN(32), view.getTraversalStrides()[getAxis()]);
  set(getResult(), signedRange(0, most, width));
}

/// Rearranged elements are the same elements.
#define SAME_RANGE(Op)                                                                                                 \
  void Op::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn set) { set(getResult(), ranges[0]); }
SAME_RANGE(SplatOp)
SAME_RANGE(ViewOp)
SAME_RANGE(BroadcastOp)
SAME_RANGE(ExpandDimsOp)
SAME_RANGE(PermuteOp)
SAME_RANGE(ExtractSliceOp)
SAME_RANGE(ExtractOp)
#undef SAME_RANGE

void CatOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn set) {
  set(getResult(), ranges[0].rangeUnion(ranges[1]));
}

void AssumeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn set) {
  ConstantIntRanges range = ranges[0];
  unsigned width = widthOf(getValue());
  if (auto bounded = dyn_cast<BoundedAttr>(getPredicate()); bounded && width) {
    int64_t low = bounded.getLb().value_or(llvm::minIntN(width)), high = bounded.getUb().value_or(llvm::maxIntN(width));
    if (low <= high && llvm::isIntN(width, low) && llvm::isIntN(width, high)) {
      ConstantIntRanges promised = signedRange(low, high, width), both = range.intersection(promised);
      // A promise that contradicts what is known is undefined behaviour; the analysis needs some range all the same.
      bool empty = both.smin().sgt(both.smax()) || both.umin().ugt(both.umax());
      range = empty ? promised : both;
    }
  }
  set(getResult(), range);
}
