//===- SliceFolds.cpp - Slices of what is known ---------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A slice that is the whole tile; of equal elements, of a constant, and of tiles that were put together, where it is
// one of those. Slices are of values: no pattern moves what touches memory.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/AsyncPatterns.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct SimplifyExtractSlice : OpRewritePattern<ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractSliceOp op, PatternRewriter &rewriter) const override {
    if (op.getSource().getType() == op.getType()) {
      rewriter.replaceOp(op, op.getSource());
      return success();
    }
    Operation *def = op.getSource().getDefiningOp();
    if (auto splat = dyn_cast_or_null<nv_tileaa::SplatOp>(def)) {
      rewriter.replaceOpWithNewOp<nv_tileaa::SplatOp>(op, op.getType(), splat->getOperand(0));
      return success();
    }
    SmallVector<int64_t> block;
    for (Value index : op.getIndices()) {
      std::optional<int64_t> number = getConstantIntValue(index);
      if (!number)
        return failure();
      block.push_back(*number);
    }
    if (auto cat = dyn_cast_or_null<nv_tileaa::CatOp>(def)) {
      int64_t number = block[cat.getAxis()];
      if (cat.getLhs().getType() != op.getType() || number < 0 || number > 1)
        return failure(); // that there is no such block the lowering says
      rewriter.replaceOp(op, number ? cat.getRhs() : cat.getLhs());
      return success();
    }
    auto constant = dyn_cast_or_null<nv_tileaa::ConstantTensorOp>(def);
    auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
    return elements ? sliceOf(op, elements, block, rewriter) : failure();
  }

  static LogicalResult sliceOf(ExtractSliceOp op, DenseElementsAttr elements, ArrayRef<int64_t> block,
                               PatternRewriter &rewriter) {
    ArrayRef<int64_t> whole = elements.getType().getShape();
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getType()).getShape();
    for (auto [extent, size, number] : llvm::zip_equal(whole, shape, block))
      if (number < 0 || (number + 1) * size > extent)
        return failure();
    auto values = elements.getValues<Attribute>();
    SmallVector<Attribute> slice;
    SmallVector<int64_t> at(shape.size());
    for (int64_t i = 0, n = ShapedType::getNumElements(shape); i < n; ++i) {
      int64_t rest = i, flat = 0;
      for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
        at[d] = block[d] * shape[d] + rest % shape[d];
        rest /= shape[d];
      }
      for (auto [extent, coordinate] : llvm::zip_equal(whole, at))
        flat = flat * extent + coordinate;
      slice.push_back(values[flat]);
    }
    auto type = RankedTensorType::get(shape, elements.getElementType());
    rewriter.replaceOpWithNewOp<nv_tileaa::ConstantTensorOp>(op, op.getType(), DenseElementsAttr::get(type, slice));
    return success();
  }
};

} // namespace

void nv_tileas::populateSliceFolds(RewritePatternSet &patterns) {
  patterns.add<SimplifyExtractSlice>(patterns.getContext());
}
