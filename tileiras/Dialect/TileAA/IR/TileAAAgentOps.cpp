//===- TileAAAgentOps.cpp - Agents and queues -------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

LogicalResult CreateQueueOp::verify() {
  if (std::optional<int32_t> stages = getNumStages(); stages && *stages < 1)
    return emitOpError("expects at least one stage, got ") << *stages;
  return success();
}

/// An isolated queue's regions use nothing from outside.
static LogicalResult verifyIsolation(Operation *op, QueueType queue, Region &region) {
  if (!queue.getIsolated())
    return success();
  WalkResult walk = region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!region.isAncestor(operand.getParentRegion()))
        return inner->emitOpError("uses a value from outside the region of an isolated queue"), WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The terminator of a region of queue.put or queue.get; null after an error.
static QueueYieldOp yieldOf(Operation *op, Region &region) {
  Block &block = region.front();
  auto yield = block.empty() ? QueueYieldOp() : dyn_cast<QueueYieldOp>(block.back());
  if (!yield)
    op->emitOpError("expects the region to end with nv_tileaa.queue.yield");
  return yield;
}

static LogicalResult verifyTypes(Operation *op, TypeRange got, ArrayRef<Type> wanted, StringRef what) {
  if (llvm::equal(got, wanted))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expects ") << what << " of types (";
  llvm::interleaveComma(wanted, diagnostic);
  diagnostic << "), but got (";
  llvm::interleaveComma(got, diagnostic);
  return diagnostic << ")";
}

LogicalResult QueuePutOp::verify() { return success(); }
LogicalResult QueuePutOp::verifyRegions() {
  if (getBody().front().getNumArguments())
    return emitOpError("expects no block arguments");
  QueueYieldOp yield = yieldOf(*this, getBody());
  if (!yield || failed(verifyTypes(*this, yield.getOperandTypes(), getQueue().getType().getTypes(), "yielded values")))
    return failure();
  return verifyIsolation(*this, getQueue().getType(), getBody());
}

LogicalResult QueueGetOp::verify() {
  if (!getBody().empty())
    return success();
  return verifyTypes(*this, getResultTypes(), getQueue().getType().getTypes(), "results");
}
LogicalResult QueueGetOp::verifyRegions() {
  if (getBody().empty())
    return success();
  if (failed(
          verifyTypes(*this, getBody().front().getArgumentTypes(), getQueue().getType().getTypes(), "block arguments")))
    return failure();
  QueueYieldOp yield = yieldOf(*this, getBody());
  if (!yield ||
      failed(verifyTypes(*this, yield.getOperandTypes(), SmallVector<Type>(getResultTypes()), "yielded values")))
    return failure();
  return verifyIsolation(*this, getQueue().getType(), getBody());
}

namespace {
/// The entry is taken all the same: only what nobody looks at is not computed.
struct DeadResultsOfGet : OpRewritePattern<QueueGetOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(QueueGetOp op, PatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    for (Value result : op.getResults())
      if (!result.use_empty())
        types.push_back(result.getType());
    if (types.size() == op.getNumResults())
      return failure();
    auto get =
        QueueGetOp::create(rewriter, op.getLoc(), types, op.getQueue(), op.getIndex(), op.getConsumerGroupAttr());
    if (op.getBody().empty()) {
      ArrayRef<Type> entry = op.getQueue().getType().getTypes();
      SmallVector<Location> locations(entry.size(), op.getLoc());
      Block *block = rewriter.createBlock(&get.getBody(), {}, entry, locations);
      QueueYieldOp::create(rewriter, op.getLoc(), SmallVector<Value>(block->getArguments()));
    } else {
      rewriter.inlineRegionBefore(op.getBody(), get.getBody(), get.getBody().end());
    }
    auto yield = cast<QueueYieldOp>(get.getBody().front().getTerminator());
    SmallVector<Value> kept, replacements;
    for (auto [result, value] : llvm::zip_equal(op.getResults(), SmallVector<Value>(yield.getOperands()))) {
      replacements.push_back(result.use_empty() ? Value() : Value(get.getResult(kept.size())));
      if (!result.use_empty())
        kept.push_back(value);
    }
    rewriter.modifyOpInPlace(yield, [&] { yield.getOperandsMutable().assign(kept); });
    rewriter.replaceOp(op, replacements);
    return success();
  }
};
} // namespace

void QueueGetOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DeadResultsOfGet>(context);
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

LogicalResult ExecuteOp::verify() {
  if (getAgents().empty())
    return emitOpError("expects at least one agent");
  if (getAgentIds().size() != getAgents().size())
    return emitOpError("expects one agent id per region, got ")
           << getAgentIds().size() << " for " << getAgents().size();
  llvm::SmallDenseSet<int32_t> seen;
  for (int32_t id : getAgentIds())
    if (id < 0 || !seen.insert(id).second)
      return emitOpError("expects agent ids that are different and not negative, got ") << id;
  for (Region &agent : getAgents()) {
    // Other terminators are the trait's business, which comes later.
    auto yield = agent.front().empty() ? YieldOp() : dyn_cast<YieldOp>(agent.front().back());
    if (agent.getNumArguments() || (yield && yield.getNumOperands()))
      return emitOpError("expects agents without arguments and results");
  }
  if (!getMaxRegs())
    return success();
  ArrayRef<int32_t> budgets = *getMaxRegs();
  if (budgets.size() != getAgents().size())
    return emitOpError("expects one register budget per region");
  // What setmaxnreg takes (PTX ISA 9.7.19.5).
  for (int32_t registers : budgets)
    if (registers < 24 || registers > 256 || registers % 8 != 0)
      return emitOpError("expects register budgets in steps of 8 from 24 to 256, got ") << registers;
  return success();
}
