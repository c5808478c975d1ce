//===- ExpandPipelineRegions.cpp - tileas-expand-pipeline-regions ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//     produce_one, consume_one (and asynchronous)    the operations of their regions, with the predicate of a producer
//     async.future_wait                              async.wait
//     async.to_async of kind storage                 the tile
//     async.extract_slice                            extract_slice, and the token of the whole
//     create_null_token                              ub.poison
//
// create_none, token_to_async and to_async of kind token remain: what they are at run time the lowering knows.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_EXPANDPIPELINEREGIONSPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// The handshake happens only if the condition is true; what else there is in the region has no effect.
void predicate(Block &body, Value condition) {
  for (Operation &op : body)
    llvm::TypeSwitch<Operation *>(&op).Case<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>([&](auto producing) {
      if (!producing.getPredicate())
        producing.getPredicateMutable().assign(condition);
    });
}

struct ExpandPipelineRegionsPass : nv_tileas::impl::ExpandPipelineRegionsPassBase<ExpandPipelineRegionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> work;
    // Inner ones first.
    getOperation().walk([&](Operation *op) {
      if (isa<ProduceOneOp, ProduceOneAsyncOp, ConsumeOneOp, ConsumeOneAsyncOp, FutureWaitOp, ToAsyncOp,
              AsyncExtractSliceOp, CreateNullTokenOp>(op))
        work.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : work) {
      rewriter.setInsertionPoint(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case<ProduceOneOp, ProduceOneAsyncOp>([&](auto op) {
            if (op.getPredicate())
              predicate(op.getBody().front(), op.getPredicate());
            inPlace(rewriter, op);
          })
          .Case<ConsumeOneOp, ConsumeOneAsyncOp>([&](Operation *op) { inPlace(rewriter, op); })
          .Case([&](FutureWaitOp op) { rewriter.replaceOpWithNewOp<AsyncWaitOp>(op, op.getTokens(), /*pending=*/0); })
          .Case([&](ToAsyncOp op) {
            if (op.getKind() == "storage")
              rewriter.replaceOp(op, op.getSource());
          })
          .Case([&](AsyncExtractSliceOp op) {
            Value slice = ExtractSliceOp::create(rewriter, op.getLoc(), op.getResult().getType(), op.getSource(),
                                                 op.getIndices());
            rewriter.replaceOp(op, {slice, op.getToken()});
          })
          .Case([&](CreateNullTokenOp op) { rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, op.getToken().getType()); });
    }
  }

  static void inPlace(IRRewriter &rewriter, Operation *op) {
    Block *body = &op->getRegion(0).front();
    Operation *yield = body->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(body, op);
    rewriter.replaceOp(op, results);
  }
};

} // namespace
