//===- StageFills.cpp - How a stage is filled -----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/StageFills.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/LayoutBuilders.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using mlir::tilellvm::Emitter;
using tileiras::Barrier;
using tileiras::Filling;
using tileiras::Ring;
using tileiras::Stage;

static void announceCopies(Emitter &one, const Ring &ring, Stage at, ArrayRef<Operation *> copies,
                           ConversionPatternRewriter &rewriter) {
  Barrier full = barrierOf(one, ring, at, /*full=*/true);
  auto word =
      RankedTensorType::get({1}, one.intTy(64), getSharedLayoutAttr(one.context(), tileiras::sharedLayout({1}, {0})));
  Value barrier = UnrealizedConversionCastOp::create(one.b, one.loc, word, full.address(one)).getResult(0);
  int64_t bytes = 0;
  for (Operation *copy : copies)
    rewriter.modifyOpInPlace(copy, [&] {
      bytes += completeOn(copy, barrier);
      copy->setAttr(kElectedAttr, rewriter.getUnitAttr());
    });
  if (ring.pair) {
    // The copies of both blocks complete on the mbarrier of the even one.
    tilellvm::inlinePtx(
        one, Type(), ValueRange{full.stage, one.i32(2 * bytes), one.block()},
        "{\n\t.reg .pred even;\n\tsetp.eq.u32 even, $2, 0;\n\t"
        "@even mbarrier.arrive.expect_tx.shared.b64 _, " +
            full.text(0) + ", $1;" +
            // For the other block.
            (ring.arrivesFromBoth ? "\n\t@even mbarrier.arrive.shared.b64 _, " + full.text(0) + ";" : "") + "\n\t}",
        "r,r,r,~{memory}", tilellvm::Access::Any);
    return;
  }
  tilellvm::inlinePtx(one, Type(), ValueRange{full.stage, one.i32(bytes)},
                      "mbarrier.arrive.expect_tx.shared.b64 _, " + full.text(0) + ", $1;", "r,r,~{memory}",
                      tilellvm::Access::Any);
}

void tileiras::arriveForAll(Emitter &e, const Ring &ring, Stage at, Value condition) {
  Barrier full = barrierOf(e, ring, at, /*full=*/true);
  if (ring.arrivesFromBoth)
    arriveAtFirstBlock(e, full, e.isFirstThread(), condition);
  else
    arriveOnce(e, full, e.isFirstThread(), condition);
}

void tileiras::announce(Emitter &one, const Ring &ring, Stage at, Block &copies, ConversionPatternRewriter &rewriter) {
  SmallVector<Operation *> tensorCopies;
  for (Operation &op : copies)
    if (isTensorLoad(&op))
      tensorCopies.push_back(&op);
  announceCopies(one, ring, at, tensorCopies, rewriter);
}

void tileiras::fillByThreads(Emitter &e, const Ring &ring, Stage at, Block &block, ValueRange tiles,
                             ConversionPatternRewriter &rewriter, LaggingArrival lagging) {
  bool copies = !block.getOps<AsyncCopyOpInterface>().empty();
  rewriter.inlineBlockBefore(&block, e.b.getInsertionBlock(), e.b.getInsertionPoint(), tiles);
  if (copies)
    NVVM::CpAsyncCommitGroupOp::create(e.b, e.loc);
  if (ring.filling == Filling::Tma) {
    meetBehindCopies(e, lagging.rounds);
    Stage stage = lagging.rounds ? placeBefore(e, ring, at, lagging.rounds) : at;
    arriveForAll(e, ring, stage, lagging.begun);
    return;
  }
  if (copies)
    NVVM::CpAsyncWaitGroupOp::create(e.b, e.loc, 0);
  e.asyncProxyFence();
  e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), barrierOf(e, ring, at, /*full=*/true).address(e));
}

void tileiras::fillTogether(Emitter &e, const Ring &ring, Stage at, Block &body, ValueRange tiles,
                            ConversionPatternRewriter &rewriter) {
  SmallVector<Operation *> tensorCopies, copies;
  for (Operation &op : body)
    if (isTensorLoad(&op))
      tensorCopies.push_back(&op);
    else if (isa<AsyncCopyOpInterface>(op))
      copies.push_back(&op);
  Block *block = e.b.getInsertionBlock();
  Block::iterator place = e.b.getInsertionPoint();
  rewriter.inlineBlockBefore(&body, block, place, tiles);
  rewriter.setInsertionPoint(block, place);
  e.onlyIf(tilellvm::firstWarp(e), [&](Emitter &warp) {
    warp.onlyIf(tilellvm::electedLane(warp), [&](Emitter &one) {
      if (tensorCopies.empty()) {
        Barrier full = barrierOf(one, ring, at, /*full=*/true);
        if (ring.relays)
          arriveOnce(one, full, one.icmp(LLVM::ICmpPredicate::eq, one.block(), one.i32(0)), Value());
        else
          one.intrinsic("llvm.nvvm.mbarrier.arrive.shared", one.intTy(64), full.address(one));
        return;
      }
      announceCopies(one, ring, at, tensorCopies, rewriter);
      Block *inside = one.b.getInsertionBlock();
      Block::iterator end = one.b.getInsertionPoint();
      for (Operation *copy : tensorCopies)
        rewriter.moveOpBefore(copy, inside, end);
    });
  });
  // Behind the longer ones.
  for (Operation *copy : copies)
    rewriter.moveOpBefore(copy, block, place);
  rewriter.setInsertionPoint(block, place);
  LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr("llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared"),
                                barrierOf(e, ring, at, /*full=*/true).address(e));
}
