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
#include "tileiras/Dialect/TileAA/IR/Loops.h"
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
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using nv_tileaa::eraseCarried;
using nv_tileaa::eraseResults;

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
bool isCarriedForNothing(CountedLoop loop, unsigned number, llvm::SetVector<Operation *> &circle) {
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

int64_t removeCarried(RewriterBase &rewriter, CountedLoop loop) {
  llvm::SetVector<Operation *> circles;
  llvm::BitVector dead(loop.getNumRegionIterArgs());
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    if (llvm::SetVector<Operation *> circle; isCarriedForNothing(loop, i, circle)) {
      dead.set(i);
      circles.insert_range(circle);
    }
  if (dead.none())
    return 0;
  CountedLoop fresh = eraseCarried(rewriter, loop, dead);
  // From the last to the first.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*fresh.getBody())))
    if (circles.contains(&op))
      op.erase();
  updateTokenIndex(fresh);
  return dead.count();
}

/// Results of a branch that nobody uses.
int64_t removeResults(RewriterBase &rewriter, Branch branch) {
  llvm::BitVector dead(branch.getNumResults());
  for (OpResult result : branch.getResults())
    if (result.use_empty())
      dead.set(result.getResultNumber());
  if (dead.any())
    eraseResults(rewriter, branch, dead);
  return dead.count();
}

struct RemoveDeadArgsPass : nv_tileas::impl::RemoveDeadArgsPassBase<RemoveDeadArgsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Users before what they use, outer ones before inner ones: what is no longer yielded may be carried for nothing.
    SmallVector<Operation *> work;
    getOperation().walk([&](Operation *op) {
      if (isa<Branch, CountedLoop>(op))
        work.push_back(op);
    });
    for (Operation *op : llvm::reverse(work))
      if (auto branch = dyn_cast<Branch>(op))
        numRemoved += removeResults(rewriter, branch);
      else if (auto loop = dyn_cast<CountedLoop>(op))
        numRemoved += removeCarried(rewriter, loop);
    // Captures last, when nobody is left who only passed them on.
    getOperation().walk([&](AgentSwitchOp op) { numRemoved += removeCaptures(op); });
  }
};

} // namespace
