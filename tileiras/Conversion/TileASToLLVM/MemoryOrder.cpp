//===- MemoryOrder.cpp - Barriers that tokens ask for ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A token orders a memory operation after another one of the same tile block. Both are carried out by many threads: the
// thread that reads an element need not be the one that wrote it. So where a token leads from a write to a read, or
// from anything to a write, all threads meet in between (bar.sync orders the memory accesses of the block before and
// after it, PTX ISA "bar"). Only direct predecessors matter: an operation further back has been waited for by a nearer
// one, or is itself a direct predecessor of an operation that has.
//
// Operations without a common token are unordered by the memory model of cuda_tile, and nothing is done for them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

enum Access : unsigned { None = 0, Reads = 1, Writes = 2, Both = 3 };

Access accessOf(Operation *op) {
  if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op))
    return Access((access.readsMemory() ? Reads : None) | (access.writesMemory() ? Writes : None));
  // These end with all threads together.
  if (isa<nv_tileaa::FenceAliasOp, nv_tileaa::GdcWaitOp>(op))
    return None;
  return Both;
}

class TokenWalk {
public:
  /// For an operation of the agent whose region this is (null: of none). All warps meet where agents begin and end, so
  /// nothing outside precedes it directly.
  explicit TokenWalk(Region *agent) : agent(agent) {}

  /// What the operations that directly precede a token may have done.
  unsigned before(Value token) {
    if (!token || !seen.insert(token).second || (agent && !agent->isAncestor(token.getParentRegion())))
      return None;
    if (Operation *def = token.getDefiningOp()) {
      if (isa<nv_tileaa::CreateMemTokenOp>(def))
        return None;
      if (auto join = dyn_cast<nv_tileaa::JoinMemTokenOp>(def)) {
        unsigned all = None;
        for (Value v : join.getTokens())
          all |= before(v);
        return all;
      }
      // Orders nothing itself.
      if (auto launch = dyn_cast<nv_tileaa::GdcLaunchDependentsOp>(def))
        return before(launch.getToken());
      if (!nv_tileaa::passesThroughRegions(def))
        return accessOf(def);
    }
    if (auto argument = dyn_cast<BlockArgument>(token);
        argument && isa<nv_tileas::AgentSwitchOp>(argument.getOwner()->getParentOp()))
      return None;
    SmallVector<OpOperand *, 2> sources = nv_tileaa::getSources(token);
    if (sources.empty())
      return Both;
    unsigned all = None;
    for (OpOperand *source : sources)
      all |= before(source->get());
    return all;
  }

private:
  Region *agent;
  DenseSet<Value> seen;
};

} // namespace

void tilellvm::planMemoryOrder(Operation *func) {
  SmallVector<Operation *> marked;
  func->walk([&](Operation *op) {
    Value token;
    if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op))
      token = access.getToken();
    if (!token)
      return;
    nv_tileas::AgentSwitchOp agents = nv_tileas::getAgentSwitch(op);
    unsigned previous = TokenWalk(agents ? &agents.getAgents()[agents.agentOf(op)] : nullptr).before(token);
    unsigned mine = accessOf(op);
    if ((previous & Writes) || (previous != None && (mine & Writes)))
      marked.push_back(op);
  });
  for (Operation *op : marked)
    op->setAttr(kBarrierBeforeAttr, UnitAttr::get(op->getContext()));
}
