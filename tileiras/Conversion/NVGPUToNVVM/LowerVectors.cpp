//===- LowerVectors.cpp - The tileir-lower-vectors pass -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fragments of matrices are vectors of two dimensions, registers are vectors of one. What reshapes, reduces or
// contracts the former becomes operations on rows, which the conversion to llvm has patterns for.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"

using namespace mlir;

namespace tileiras {
namespace {

class LowerVectors : public PassWrapper<LowerVectors, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerVectors)

  StringRef getArgument() const override { return "tileir-lower-vectors"; }
  StringRef getDescription() const override { return "Operations on vectors of several dimensions become ones on rows"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    using namespace vector;
    VectorTransformsOptions options;
    RewritePatternSet patterns(&getContext());
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
    // Only these: what folds or dies otherwise stays as the user wrote it at -O0.
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

void registerLowerVectorsPass() { PassRegistration<LowerVectors>(); }

} // namespace tileiras
