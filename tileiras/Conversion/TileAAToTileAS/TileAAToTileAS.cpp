//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The convert-tileaa-to-tileas pass: type converter, target, driver.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEAATOTILEASPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::nv_tileas;

TileASTypeConverter::TileASTypeConverter(MLIRContext *context, int numWarps) : numWarps(numWarps) {
  addConversion([](Type type) { return type; });
  addConversion([=](RankedTensorType type) -> Type {
    if (type.getEncoding() || type.getRank() == 0)
      return type;
    return withLayout(type, getDefaultLayout(context, type.getShape(), numWarps));
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

namespace {

struct ConvertTileAAToTileASPass : tileiras::impl::ConvertTileAAToTileASPassBase<ConvertTileAAToTileASPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    MLIRContext *context = &getContext();
    int numWarps = nv_tileas::getNumWarps(func);
    if (failed(checkTiles(func, /*needLayouts=*/false)) || failed(checkSizes(func, numWarps)))
      return signalPassFailure();
    TileASTypeConverter converter(context, numWarps);

    ConversionTarget target(*context);
    target.addLegalDialect<TileASDialect>();
    // Pipelines of queues: shared tiles have layouts already, what is copied to them and read from them gets its own.
    target.addDynamicallyLegalOp<CopyOp, ConvertLayoutOp, ConsumerReadOp, ProduceOneOp, ConsumeOneOp, PipelineYieldOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addLegalOp<UnrealizedConversionCastOp>();
    // What becomes an operation of nv_tileas is illegal; the rest stays, once its types have layouts.
    target.markUnknownOpDynamicallyLegal([&](Operation *op) { return converter.isLegal(op); });

    RewritePatternSet patterns(context);
    populateArithBank(converter, patterns);
    populateMathPatterns(converter, patterns);
    populateCorePatterns(converter, patterns, target);
    populateDotPatterns(converter, patterns, target);
    patterns.add<PoisonPattern>(converter, context);
    patterns.add<SameOpPattern<CopyOp>, SameOpPattern<ConvertLayoutOp>, SameOpPattern<ConsumerReadOp>,
                 SameOpPattern<ProduceOneOp>, SameOpPattern<ConsumeOneOp>, SameOpPattern<PipelineYieldOp>>(converter,
                                                                                                           context);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    if (failed(applyPartialConversion(func, target, std::move(patterns)))) {
      func.emitError("failed to convert nv_tileaa to nv_tileas");
      return signalPassFailure();
    }
  }

  /// A tile is held in registers whole; what exceeds the 255 a thread has lies in local memory. Every element is code:
  /// beyond this many per thread compile time would be without bound.
  static constexpr int64_t kMaxElementsPerThread = 4096;

  /// Constants that folding made have no place of their own: that of a user.
  static Location placeOf(Operation *op) {
    if (isa<UnknownLoc>(op->getLoc()))
      for (Operation *user : op->getUsers())
        if (!isa<UnknownLoc>(user->getLoc()))
          return user->getLoc();
    return op->getLoc();
  }

  static LogicalResult checkSizes(nv_tileaa::FuncOp func, int numWarps) {
    WalkResult result = func.walk([&](Operation *op) -> WalkResult {
      for (Type type : op->getResultTypes()) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        int64_t perThread = tensor ? tensor.getNumElements() / (32 * numWarps) : 0;
        if (perThread > kMaxElementsPerThread)
          return emitError(placeOf(op), "tile of ") << tensor.getNumElements() << " elements needs " << perThread
                                                    << " registers in each of " << 32 * numWarps << " threads; at most "
                                                    << kMaxElementsPerThread << " elements per thread are supported";
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// The same operation, of values with layouts.
  template <typename Op> struct SameOpPattern : OpConversionPattern<Op> {
    using OpConversionPattern<Op>::OpConversionPattern;
    LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                  ConversionPatternRewriter &rewriter) const override {
      SmallVector<Type> types;
      if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(), types)))
        return rewriter.notifyMatchFailure(op, "result type has no conversion");
      Operation *same = Operation::create(op.getLoc(), op->getName(), types, adaptor.getOperands(),
                                          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), BlockRange(),
                                          op->getNumRegions());
      rewriter.insert(same);
      for (auto [from, to] : llvm::zip_equal(op->getRegions(), same->getRegions()))
        rewriter.inlineRegionBefore(from, to, to.end());
      rewriter.replaceOp(op, same->getResults());
      return success();
    }
  };

  /// ub.poison stands for values that are never used (after early exits).
  struct PoisonPattern : OpConversionPattern<ub::PoisonOp> {
    using OpConversionPattern::OpConversionPattern;
    LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
      rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, getTypeConverter()->convertType(op.getType()), op.getValue());
      return success();
    }
  };
};

} // namespace
