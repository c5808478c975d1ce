//===- ClusterRings.cpp - Rings that several blocks fill ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/ClusterRings.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using mlir::tilellvm::Emitter;

/// The last operation of `block` in which something uses one of the rings; null if none does.
static Operation *lastUse(Block *block, ArrayRef<CreatePipelineOp> rings) {
  Operation *last = nullptr;
  block->walk([&](Operation *op) {
    bool uses = llvm::any_of(op->getOperands(), [](Value v) { return isa<PipelineType>(v.getType()); });
    if (!uses && !llvm::is_contained(rings, dyn_cast<CreatePipelineOp>(op)))
      return;
    Operation *top = block->findAncestorOpInBlock(*op);
    if (top && (!last || last->isBeforeInBlock(top)))
      last = top;
  });
  return last;
}

/// The blocks meet behind `last`, in its block, or do so already.
static void meetBehind(Operation *last, Operation *where) {
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    if (isa<NVVM::ClusterWaitOp>(op))
      return;
  OpBuilder builder(where);
  Emitter e(builder, last->getLoc());
  tileiras::meetInCluster(e);
}

LogicalResult tileiras::meetAtEnd(func::FuncOp func, ArrayRef<CreatePipelineOp> rings) {
  SmallVector<CreatePipelineOp> ofCluster;
  llvm::copy_if(rings, std::back_inserter(ofCluster), [](CreatePipelineOp op) { return getBlocksTogether(op) > 1; });
  if (ofCluster.empty())
    return success();
  if (!llvm::hasSingleElement(func.getBody()))
    return ofCluster.front().emitOpError("of a cluster expects a kernel of one block");
  Block *body = &func.getBody().front();
  Operation *last = lastUse(body, ofCluster);
  auto agents = dyn_cast<AgentSwitchOp>(last);
  bool endsHere = agents && agents->getNextNode() == body->getTerminator() && !func->hasAttr(kTensorMemoryAttr);
  if (!endsHere) {
    meetBehind(last, body->getTerminator());
    return success();
  }
  // The agents that consume; those that fill stages leave, and who has left is waited for no more.
  for (Region &agent : agents.getAgents()) {
    bool consumes = agent.walk([](ConsumerReleaseOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (consumes)
      meetBehind(lastUse(&agent.front(), ofCluster), agent.front().getTerminator());
  }
  return success();
}
