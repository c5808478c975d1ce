//===- Extents.cpp - What is known of extents -----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

/// A power of two (at most 2^30) known to divide a run-time extent.
static int64_t knownDivisor(Value value) {
  for (int depth = 0; value && depth < 16; ++depth) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isZero() ? int64_t(1) << 30 : int64_t(1) << std::min<unsigned>(30, constant.countr_zero());
    Operation *def = value.getDefiningOp();
    if (!def)
      return 1;
    if (auto assume = dyn_cast<AssumeOp>(def)) {
      auto div = dyn_cast<DivByAttr>(assume.getPredicate());
      if (div && !div.getEvery() && div.getDivisor() > 1)
        return int64_t(1) << std::min<unsigned>(30, llvm::countr_zero(div.getDivisor()));
      value = assume.getValue();
    } else if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(def)) {
      value = def->getOperand(0);
    } else {
      return 1;
    }
  }
  return 1;
}

/// The extent along memref dimension d, which is not constant; null: nobody knows where it comes from.
static Value dynamicExtent(Value view, unsigned d) {
  auto tile = view.getDefiningOp<BlockTileOp>();
  auto make = tile ? tile.getSource().getDefiningOp<MakeMemRefOp>() : nullptr;
  if (!make)
    return {};
  ArrayRef<int64_t> shape = cast<TiledViewType>(view.getType()).getSource().getShape();
  return make.getSizes()[llvm::count_if(shape.take_front(d), ShapedType::isDynamic)];
}

int64_t nv_tileaa::getExtentDivisor(Value view, unsigned dim) {
  auto type = cast<TiledViewType>(view.getType());
  unsigned d = type.getDimMap()[dim];
  if (int64_t extent = type.getSource().getShape()[d]; !ShapedType::isDynamic(extent))
    return extent == 0 ? int64_t(1) << 30 : extent & -extent;
  Value extent = dynamicExtent(view, d);
  return extent ? knownDivisor(extent) : 1;
}

int64_t nv_tileaa::getRowDivisor(Value view, int64_t elementBytes) {
  auto tile = view.getDefiningOp<BlockTileOp>();
  auto make = tile ? tile.getSource().getDefiningOp<MakeMemRefOp>() : nullptr;
  if (!make)
    return 1;
  auto type = cast<TiledViewType>(view.getType());
  int64_t divisor = knownDivisor(make.getBase());
  for (Value stride : make.getStrides())
    divisor = std::min(divisor, knownDivisor(stride) * elementBytes);
  for (auto [d, stride] : llvm::enumerate(type.getSource().getStrides())) {
    if (stride == 1) {
      if (auto dims = type.getDimMap(); llvm::is_contained(dims, int64_t(d)))
        divisor = std::min(divisor, getExtentDivisor(view, unsigned(llvm::find(dims, int64_t(d)) - dims.begin())) *
                                        elementBytes);
    } else if (!ShapedType::isDynamic(stride) && stride != 0) {
      divisor = std::min(divisor, (stride & -stride) * elementBytes);
    }
  }
  return divisor;
}

unsigned nv_tileaa::getExtentBits(Value view, unsigned dim) {
  auto type = cast<TiledViewType>(view.getType());
  unsigned d = type.getDimMap()[dim];
  if (int64_t extent = type.getSource().getShape()[d]; !ShapedType::isDynamic(extent))
    return APInt(64, extent, /*isSigned=*/true).getSignificantBits();
  Value extent = dynamicExtent(view, d);
  while (extent) {
    Operation *def = extent.getDefiningOp();
    if (!isa_and_nonnull<AssumeOp, arith::ExtSIOp>(def))
      break;
    extent = def->getOperand(0);
  }
  return extent ? extent.getType().getIntOrFloatBitWidth() : 64;
}

bool nv_tileaa::haveSameExtent(Value view, unsigned dim, Value other, unsigned otherDim) {
  auto extent = [](Value view, unsigned dim) -> std::pair<int64_t, Value> {
    auto type = cast<TiledViewType>(view.getType());
    unsigned d = type.getDimMap()[dim];
    int64_t known = type.getSource().getShape()[d];
    return {known, ShapedType::isDynamic(known) ? dynamicExtent(view, d) : Value()};
  };
  auto [known, value] = extent(view, dim);
  return std::pair(known, value) == extent(other, otherDim) && (value || !ShapedType::isDynamic(known));
}

/// A constant, or a product of constants that nobody has folded.
static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  APInt other;
  auto product = value.getDefiningOp<arith::MulIOp>();
  if (!product || !matchPattern(product.getLhs(), m_ConstantInt(&number)) ||
      !matchPattern(product.getRhs(), m_ConstantInt(&other)))
    return std::nullopt;
  bool overflows = false;
  number = number.smul_ov(other, overflows);
  return overflows ? std::nullopt : std::optional(number.getSExtValue());
}

bool nv_tileaa::isNearArray(Value view, unsigned dim, Value index, int64_t ahead) {
  constexpr int64_t mostElementsAhead = 1 << 24;
  auto type = cast<TiledViewType>(view.getType());
  int64_t step = type.getTraversalStrides()[dim];
  if (getExtentBits(view, dim) > 32 || !index.getType().isInteger(32) || step > mostElementsAhead)
    return false;
  int64_t further = 0;
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> constant = constantOf(sum.getRhs());
    if (!constant)
      return false;
    further = *constant;
    index = sum.getLhs();
  }
  if (further < ahead || further > mostElementsAhead / step)
    return false;
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast_if_present<CountedLoop>(argument.getOwner()->getParentOp()) : CountedLoop();
  if (!loop || loop.getInductionVar() != index || loop.getUnsignedCmp())
    return false;
  std::optional<int64_t> first = constantOf(loop.getLowerBound()), by = constantOf(loop.getStep());
  if (!first || *first < 0 || !by || *by < 1)
    return false;
  // The number of tiles, or zero where that is negative: then there is no round either way.
  Value end = loop.getUpperBound();
  if (auto larger = end.getDefiningOp<arith::MaxSIOp>())
    for (auto [bound, other] : {std::pair(larger.getLhs(), larger.getRhs()), {larger.getRhs(), larger.getLhs()}})
      if (std::optional<int64_t> constant = constantOf(other); constant && *constant <= *first)
        end = bound;
  auto count = end.getDefiningOp<GetDimSizeOp>();
  auto counted = count ? dyn_cast<TiledViewType>(count.getSource().getType()) : TiledViewType();
  if (!counted || counted.getTraversalStrides()[count.getAxis()] != step)
    return false;
  // counter * step < extent + step, so what is left is more than -(constant + 1) * step, and not more than the extent.
  auto extentOf = [](Value view, unsigned dim) {
    Value extent = dynamicExtent(view, cast<TiledViewType>(view.getType()).getDimMap()[dim]);
    while (auto assume = extent ? extent.getDefiningOp<AssumeOp>() : nullptr)
      extent = assume.getValue();
    return extent;
  };
  if (haveSameExtent(view, dim, count.getSource(), count.getAxis()))
    return true;
  Value extent = extentOf(view, dim);
  auto isDynamic = [](Value view, unsigned dim) {
    auto type = cast<TiledViewType>(view.getType());
    return ShapedType::isDynamic(type.getSource().getShape()[type.getDimMap()[dim]]);
  };
  return isDynamic(view, dim) && isDynamic(count.getSource(), count.getAxis()) && extent &&
         extent == extentOf(count.getSource(), count.getAxis());
}

Comparison nv_tileaa::getComparison(Value view, unsigned dim, Value index) {
  constexpr int64_t end = int64_t(1) << 31;
  auto type = cast<TiledViewType>(view.getType());
  int64_t step = type.getTraversalStrides()[dim], extent = type.getTileShape()[dim];
  if (getExtentBits(view, dim) > 32 || step >= end || extent > step)
    return Comparison::Wide;
  APInt number;
  auto fits = [&](const APInt &last) {
    return last.isNonNegative() && last.getActiveBits() <= 31 && last.getSExtValue() * step + extent <= end;
  };
  if (matchPattern(index, m_ConstantInt(&number)))
    return fits(number) ? Comparison::Signed : Comparison::Wide;

  // The counter of a loop, or its next value.
  Value counter = index;
  if (auto next = index.getDefiningOp<arith::AddIOp>())
    if (matchPattern(next.getRhs(), m_ConstantInt(&number)) && number.isOne())
      counter = next.getLhs();
  auto argument = dyn_cast<BlockArgument>(counter);
  auto loop = argument ? dyn_cast_if_present<CountedLoop>(argument.getOwner()->getParentOp()) : CountedLoop();
  if (!loop || loop.getInductionVar() != counter || !matchPattern(loop.getLowerBound(), m_ConstantInt(&number)) ||
      number.isNegative() || !matchPattern(loop.getStep(), m_ConstantInt(&number)) || !number.isStrictlyPositive())
    return Comparison::Wide;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&number)))
    return fits(number) ? Comparison::Signed : Comparison::Wide;
  // Tiles of an array of less than 2^31 elements, which has some if there is a round: each begins inside, at a multiple
  // of a power of two below 2^31, and the one behind the last at 2^31 or below.
  auto count = loop.getUpperBound().getDefiningOp<GetDimSizeOp>();
  auto counted = count ? dyn_cast<TiledViewType>(count.getSource().getType()) : TiledViewType();
  if (!counted || !llvm::isPowerOf2_64(step) || counted.getTraversalStrides()[count.getAxis()] != step ||
      !haveSameExtent(view, dim, count.getSource(), count.getAxis()))
    return Comparison::Wide;
  return counter == index ? Comparison::Signed : Comparison::Unsigned;
}
