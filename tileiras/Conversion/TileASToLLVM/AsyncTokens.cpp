//===- AsyncTokens.cpp - Tokens of asynchronous operations, mbarriers ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A token is an i32 that nobody reads: waits count what threads have issued. A token of nothing is poison.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/AsyncTokens.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

struct CreateNone : TilePattern<nv_tileas::CreateNoneOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::CreateNoneOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, types().convertType(op.getToken().getType()));
    return success();
  }
};

/// The token of what is under way into a tile is where the tile is.
struct ToAsync : TilePattern<nv_tileas::ToAsyncOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ToAsyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getKind() == "storage") {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    if (!isa<LLVM::LLVMPointerType>(adaptor.getSource().getType()))
      return op.emitOpError("of a tile in registers, into which nothing is under way");
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, rewriter.getI32Type(), adaptor.getSource());
    return success();
  }
};

struct MbarrierInit : TilePattern<nv_tileas::MbarrierInitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::MbarrierInitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      NVVM::MBarrierInitOp::create(one.b, one.loc, adaptor.getBarrier(), adaptor.getCount(), /*predicate=*/Value());
      // Tensor copies complete on it through the async proxy (PTX ISA, "fence.mbarrier_init").
      if (const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op); target && target->hasTma())
        NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    e.barrier();
    rewriter.replaceOp(op, e.i32(0)); // what tokens of memory are
    return success();
  }
};

} // namespace

void tilellvm::populateAsyncTokenPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                          const LoweringOptions &options) {
  patterns.add<CreateNone, ToAsync, MbarrierInit>(converter, patterns.getContext(), options);
}
