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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

enum Access : unsigned { None = 0, Reads = 1, Writes = 2, Both = 3 };

Access accessOf(Operation *op) {
  if (isa<nv_tileas::LoadOp, nv_tileas::TiledLoadOp, nv_tileas::GatherLoadOp>(op))
    return Reads;
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
      unsigned index = cast<OpResult>(token).getResultNumber();
      if (isa<scf::IfOp>(def)) {
        unsigned all = None;
        for (Region &region : def->getRegions())
          if (!region.empty())
            all |= before(region.front().getTerminator()->getOperand(index));
        return all;
      }
      if (auto loop = dyn_cast<scf::ForOp>(def))
        return before(loop.getInitArgs()[index]) | before(loop.getYieldedValues()[index]);
      if (auto loop = dyn_cast<scf::WhileOp>(def))
        return before(loop.getConditionOp().getArgs()[index]);
      return accessOf(def);
    }
    auto argument = cast<BlockArgument>(token);
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<nv_tileas::AgentSwitchOp>(parent))
      return None;
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      unsigned index = argument.getArgNumber() - 1;
      return before(loop.getInitArgs()[index]) | before(loop.getYieldedValues()[index]);
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      unsigned index = argument.getArgNumber();
      if (argument.getOwner()->getParent() == &loop.getAfter())
        return before(loop.getConditionOp().getArgs()[index]);
      return before(loop.getInits()[index]) | before(loop.getYieldOp().getOperand(index));
    }
    return Both;
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
    llvm::TypeSwitch<Operation *>(op)
        .Case<nv_tileas::LoadOp, nv_tileas::StoreOp, nv_tileas::TiledLoadOp, nv_tileas::TiledStoreOp,
              nv_tileas::TiledAtomicRMWOp, nv_tileas::GatherLoadOp, nv_tileas::ScatterStoreOp, nv_tileaa::AtomicRMWOp,
              nv_tileaa::AtomicCASOp>([&](auto access) { token = access.getToken(); });
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
