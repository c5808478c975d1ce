//===- LaunchControl.cpp - Taking over tile blocks that have not started --===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, clusterlaunchcontrol. One thread asks; the answer, 16 bytes that only query_cancel understands, arrives in
// shared memory as an mbarrier's transaction; all threads read it. The mbarrier lives for one question, so that no
// phase has to be remembered from round to round:
//
//     all meet              whoever used these bytes before is done
//     one thread:           mbarrier.init; fence; arrive.expect_tx 16; try_cancel
//     all meet, wait        for the phase 0; read the answer; meet
//     one thread:           mbarrier.inval
//
// A program id is that answer, an i128.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

using namespace mlir;
using namespace mlir::tilellvm;
using tileiras::initBarrier;

static void call(Emitter &e, StringRef name, ValueRange args) {
  LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr(name), args);
}

void tilellvm::askForBlock(Emitter &one, Value answer, Value barrier) {
  // The answer is written through the async proxy, over what threads may have read and written there.
  one.asyncProxyFence();
  inlinePtx(one, Type(), ValueRange{barrier, one.i32(kAnswerBytes)},
            "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,~{memory}", Access::Any);
  call(one, "llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared", {answer, barrier});
}

Value tilellvm::readAnswer(Emitter &e, Value answer) {
  return LLVM::LoadOp::create(e.b, e.loc, e.intTy(128), answer, kAnswerBytes);
}

Value tilellvm::isBlock(Emitter &e, Value id) {
  return e.intrinsic("llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled", e.intTy(1), id);
}

SmallVector<Value> tilellvm::blockCoordinates(Emitter &e, Value id) {
  SmallVector<Value> coordinates;
  for (StringRef axis : {"x", "y", "z"})
    coordinates.push_back(
        inlinePtx(e, e.intTy(32), id,
                  "{\n\t.reg .pred taken;\n\tclusterlaunchcontrol.query_cancel.is_canceled.pred.b128 taken, $1;\n\t"
                  "mov.b32 $0, 0;\n\t@taken clusterlaunchcontrol.query_cancel.get_first_ctaid::" +
                      axis + ".b32.b128 $0, $1;\n\t}",
                  "=r,q", Access::None));
  return coordinates;
}

namespace {

struct CancelNextProgramId : TilePattern<nv_tileaa::CancelNextProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::CancelNextProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value answer = exchangeAddress(e, op), barrier = e.offsetBytes(answer, kAnswerBytes);
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      initBarrier(one, barrier, 0, one.i32(1));
      askForBlock(one, answer, barrier);
    });
    e.barrier();
    NVVM::MBarrierTryWaitParityOp::create(rewriter, op.getLoc(), barrier, e.i32(0), e.i32(1000));
    Value id = readAnswer(e, answer);
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                    ValueRange{barrier});
    });
    rewriter.replaceOp(op, id);
    return success();
  }
};

struct IsValidProgramId : TilePattern<nv_tileaa::IsValidProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::IsValidProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, isBlock(e, adaptor.getId()));
    return success();
  }
};

struct ProgramIdCoordinates : TilePattern<nv_tileas::ProgramIdCoordinatesOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ProgramIdCoordinatesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, blockCoordinates(e, adaptor.getId()));
    return success();
  }
};

} // namespace

void tilellvm::populateLaunchControlPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                             const LoweringOptions &options) {
  patterns.add<CancelNextProgramId, IsValidProgramId, ProgramIdCoordinates>(converter, patterns.getContext(), options);
}
