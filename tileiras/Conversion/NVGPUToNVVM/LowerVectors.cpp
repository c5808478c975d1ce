//===- LowerVectors.cpp - The tileir-lower-vectors pass -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fragments of matrices are vectors of two dimensions, registers are vectors of one. What reshapes, reduces or
// contracts the former, or moves them from and to memory, becomes operations on rows, which the conversion to llvm has
// patterns for.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "tileiras/Conversion/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Calls `row` for each of the rows of a vector of `type` at `indices`, with the row's position in the vector and its
/// place in memory.
void forEachRow(OpBuilder &b, Location loc, VectorType type, ValueRange indices,
                function_ref<void(int64_t, ArrayRef<Value>)> row) {
  unsigned dim = indices.size() - type.getRank();
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    SmallVector<Value> at(indices);
    Value step = arith::ConstantIndexOp::create(b, loc, i);
    at[dim] = arith::AddIOp::create(b, loc, at[dim], step);
    row(i, at);
  }
}

bool hasRows(VectorType type, ValueRange indices) {
  return type.getRank() > 1 && !type.isScalable() && int64_t(indices.size()) >= type.getRank();
}

struct LoadRows : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::LoadOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!hasRows(type, op.getIndices()))
      return failure();
    Location loc = op.getLoc();
    auto rowType = VectorType::get(type.getShape().drop_front(), type.getElementType());
    Value result = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    forEachRow(rewriter, loc, type, op.getIndices(), [&](int64_t i, ArrayRef<Value> at) {
      Value row = vector::LoadOp::create(rewriter, loc, rowType, op.getBase(), at);
      result = vector::InsertOp::create(rewriter, loc, row, result, i);
    });
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct StoreRows : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::StoreOp op, PatternRewriter &rewriter) const override {
    if (!hasRows(op.getVectorType(), op.getIndices()))
      return failure();
    Location loc = op.getLoc();
    forEachRow(rewriter, loc, op.getVectorType(), op.getIndices(), [&](int64_t i, ArrayRef<Value> at) {
      Value row = vector::ExtractOp::create(rewriter, loc, op.getValueToStore(), i);
      vector::StoreOp::create(rewriter, loc, row, op.getBase(), at);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerVectorsPass : impl::LowerVectorsPassBase<LowerVectorsPass> {
  void runOnOperation() override {
    using namespace vector;
    VectorTransformsOptions options;
    RewritePatternSet patterns(&getContext());
    patterns.add<LoadRows, StoreRows>(&getContext());
    populateVectorBitCastLoweringPatterns(patterns);
    populateVectorBroadcastLoweringPatterns(patterns);
    populateVectorContractLoweringPatterns(patterns, options.vectorContractLowering);
    populateVectorInterleaveLoweringPatterns(patterns);
    populateVectorInterleaveToShufflePatterns(patterns);
    populateVectorMaskOpLoweringPatterns(patterns);
    populateVectorRankReducingFMAPattern(patterns);
    populateVectorShapeCastLoweringPatterns(patterns);
    populateVectorStepLoweringPatterns(patterns);
    populateVectorTransposeLoweringPatterns(patterns, options.vectorTransposeLowering);
    populateVectorInsertExtractStridedSliceTransforms(patterns);
    populateVectorMultiReductionLoweringPatterns(patterns, options.vectorMultiReductionLowering);
    populateVectorOuterProductLoweringPatterns(patterns);
    populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    populateVectorFromElementsUnrollPatterns(patterns);
    populateVectorToElementsUnrollPatterns(patterns);
    // Only these: what folds or dies otherwise stays as the user wrote it at -O0.
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

} // namespace tileiras
