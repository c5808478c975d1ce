//===- RemoveDeadArgs.cpp - tileas-remove-dead-args -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An argument that a loop carries is dead if its result is not used and all that the body does with it is to compute
// what it carries next, in its own place. MLIR's own patterns keep such circles.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/TokenIndex.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_REMOVEDEADARGSPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

int64_t removeCaptures(AgentSwitchOp op) {
  int64_t removed = 0;
  for (unsigned i = op.getCaptures().size(); i-- > 0;) {
    if (llvm::any_of(op.getAgents(), [&](Region &agent) { return !agent.getArgument(i).use_empty(); }))
      continue;
    for (Region &agent : op.getAgents())
      agent.eraseArgument(i);
    op.getCapturesMutable().erase(i);
    ++removed;
  }
  return removed;
}

/// Collects what is computed from an argument, if that is for nothing but to carry it on.
bool isCarriedForNothing(scf::ForOp loop, unsigned number, llvm::SetVector<Operation *> &circle) {
  if (!loop.getResult(number).use_empty())
    return false;
  SmallVector<Value> work = {loop.getRegionIterArg(number)};
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == loop.getBody()->getTerminator()) {
        if (use.getOperandNumber() != number)
          return false;
        continue;
      }
      if (user->getBlock() != loop.getBody() || !isPure(user) || user->getNumRegions())
        return false;
      if (circle.insert(user))
        llvm::append_range(work, user->getResults());
    }
  return true;
}

int64_t removeCarried(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<unsigned> kept;
  llvm::SetVector<Operation *> circles;
  llvm::BitVector dead(loop.getNumRegionIterArgs());
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    llvm::SetVector<Operation *> circle;
    if (isCarriedForNothing(loop, i, circle)) {
      dead.set(i);
      circles.insert_range(circle);
    } else {
      kept.push_back(i);
    }
  }
  if (dead.none())
    return 0;
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits;
  for (unsigned i : kept)
    inits.push_back(loop.getInitArgs()[i]);
  auto fresh = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                  inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Operation *yield = loop.getBody()->getTerminator();
  yield->eraseOperands(dead);
  // From the last to the first.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (circles.contains(&op))
      op.erase();
  SmallVector<Value> arguments = {fresh.getInductionVar()};
  SmallVector<Value> results(loop.getNumResults());
  for (unsigned i = 0, next = 0; i < loop.getNumRegionIterArgs(); ++i) {
    // Of the dead ones nobody uses anything.
    arguments.push_back(dead[i] ? loop.getInitArgs()[i] : Value(fresh.getRegionIterArg(next)));
    results[i] = dead[i] ? loop.getInitArgs()[i] : Value(fresh.getResult(next));
    next += !dead[i];
  }
  if (!fresh.getBody()->empty())
    rewriter.eraseOp(fresh.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), fresh.getBody(), arguments);
  rewriter.replaceOp(loop, results);
  updateTokenIndex(fresh);
  return dead.count();
}

/// Results of a branch that nobody uses.
int64_t removeResults(RewriterBase &rewriter, scf::IfOp op) {
  llvm::BitVector dead(op.getNumResults());
  SmallVector<Type> types;
  for (OpResult result : op.getResults())
    if (result.use_empty())
      dead.set(result.getResultNumber());
    else
      types.push_back(result.getType());
  if (dead.none())
    return 0;
  rewriter.setInsertionPoint(op);
  auto fresh = scf::IfOp::create(rewriter, op.getLoc(), types, op.getCondition(), /*withElseRegion=*/true);
  fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    to.front().getTerminator()->eraseOperands(dead);
  }
  for (unsigned i = 0, next = 0; i < op.getNumResults(); ++i)
    if (!dead[i])
      rewriter.replaceAllUsesWith(op.getResult(i), fresh.getResult(next++));
  rewriter.eraseOp(op);
  return dead.count();
}

struct RemoveDeadArgsPass : nv_tileas::impl::RemoveDeadArgsPassBase<RemoveDeadArgsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Users before what they use, outer ones before inner ones: what is no longer yielded may be carried for nothing.
    SmallVector<Operation *> work;
    getOperation().walk([&](Operation *op) {
      if (isa<scf::IfOp, scf::ForOp, AgentSwitchOp>(op))
        work.push_back(op);
    });
    for (Operation *op : llvm::reverse(work))
      if (auto branch = dyn_cast<scf::IfOp>(op))
        numRemoved += removeResults(rewriter, branch);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        numRemoved += removeCarried(rewriter, loop);
    // Captures last, when nobody is left who only passed them on.
    getOperation().walk([&](AgentSwitchOp op) { numRemoved += removeCaptures(op); });
  }
};

} // namespace
