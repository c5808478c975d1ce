//===- AsyncPatterns.cpp - Waits and slices of what is under way ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AsyncPatterns.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// A wait behind another one of its block that has waited for all it waits for, with nothing in between that has an
/// effect or takes one of the tokens.
struct AsyncWaitOpRemoval : OpRewritePattern<AsyncWaitOp> {
  AsyncWaitOpRemoval(MLIRContext *context) : OpRewritePattern(context) { setDebugName("AsyncWaitOpRemoval"); }

  LogicalResult matchAndRewrite(AsyncWaitOp wait, PatternRewriter &rewriter) const override {
    // Another phase, or another barrier; or stores of an earlier round, which no token names.
    if (wait.getBarrier() || wait->hasAttr(kWaitsForStoresAttr))
      return failure();
    for (Operation *op = wait->getPrevNode(); op; op = op->getPrevNode()) {
      auto before = dyn_cast<AsyncWaitOp>(op);
      if (!before) {
        bool takes = llvm::any_of(op->getOperands(), [](Value v) { return isa<AsyncTokenType>(v.getType()); });
        if (takes || !isMemoryEffectFree(op))
          return failure();
        continue;
      }
      auto has = [&](Value token) { return llvm::is_contained(before.getTokens(), token); };
      // One without tokens is for everything that is loaded.
      bool covers = wait.getTokens().empty() ? before.getTokens().empty() && !before->hasAttr(kWaitsForStoresAttr)
                                             : llvm::all_of(wait.getTokens(), has);
      if (before.getBarrier() || !covers || before.getPending() > wait.getPending() ||
          (before->hasAttr(kSourceReadAttr) && !wait->hasAttr(kSourceReadAttr)) ||
          (wait->hasAttr(kAsyncProxyAttr) && !before->hasAttr(kAsyncProxyAttr)))
        return failure();
      rewriter.eraseOp(wait);
      return success();
    }
    return failure();
  }
};

/// A slice of a tile that something asynchronous fills carries the token of that.
struct ExtractSliceOpToAsync : OpRewritePattern<ExtractSliceOp> {
  ExtractSliceOpToAsync(MLIRContext *context) : OpRewritePattern(context) { setDebugName("ExtractSliceOpToAsync"); }

  LogicalResult matchAndRewrite(ExtractSliceOp slice, PatternRewriter &rewriter) const override {
    auto storage = slice.getSource().getDefiningOp<ToAsyncOp>();
    if (!storage || storage.getKind() != "storage" || !isIn(storage.getSource().getType(), MemoryKind::Shared))
      return failure();
    // The token of the same tile, where it is known already.
    Value token;
    for (Operation *user : storage.getSource().getUsers())
      if (auto other = dyn_cast<ToAsyncOp>(user); other && other.getKind() == "token" &&
                                                  other->getBlock() == slice->getBlock() &&
                                                  other->isBeforeInBlock(slice))
        token = other.getResult();
    if (!token)
      token = ToAsyncOp::create(rewriter, slice.getLoc(), AsyncTokenType::get(rewriter.getContext()),
                                storage.getSource(), rewriter.getStringAttr("token"));
    auto async = AsyncExtractSliceOp::create(rewriter, slice.getLoc(), slice.getType(), token.getType(),
                                             slice.getSource(), slice.getIndices(), token);
    // Who waited for the whole waits for the slice.
    rewriter.replaceUsesWithIf(token, async.getResultToken(), [&](OpOperand &use) {
      return isa<AsyncWaitOp>(use.getOwner()) && use.getOwner()->getBlock() == async->getBlock() &&
             async->isBeforeInBlock(use.getOwner());
    });
    rewriter.replaceOp(slice, async.getResult());
    return success();
  }
};

} // namespace

void nv_tileas::simplifyAsync(Operation *func) {
  SmallVector<Operation *> work;
  func->walk([&](Operation *op) {
    if (isa<AsyncWaitOp, ExtractSliceOp>(op))
      work.push_back(op);
  });
  RewritePatternSet patterns(func->getContext());
  patterns.add<AsyncWaitOpRemoval, ExtractSliceOpToAsync>(func->getContext());
  populateSliceFolds(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps).enableFolding(false).enableConstantCSE(false);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyOpPatternsGreedily(work, std::move(patterns), config); // what does not converge is simple enough
}
