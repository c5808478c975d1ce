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
// Tensor copies read global memory through another proxy than loads and stores, for which that is not enough (PTX ISA,
// "membar/fence", .proxy.async): behind what a token orders before such a load, each thread fences the proxies for what
// it has written, or seen by an acquire, and then they meet. The load itself may be for one thread, which cannot do it
// for the others. Tensor stores fence where they stand (TmaCopy.cpp), since all threads execute them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

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

/// What comes before tensor loads by their tokens, near or far, and was not done by the async proxy.
class GenericAccesses {
public:
  llvm::SetVector<Operation *> found;

  void collect(Value token) {
    if (!token || !seen.insert(token).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(token))
      if (auto agents = dyn_cast<nv_tileas::AgentSwitchOp>(argument.getOwner()->getParentOp()))
        return collect(agents.getCaptures()[argument.getArgNumber()]);
    Operation *def = token.getDefiningOp();
    if (!def || nv_tileaa::passesThroughRegions(def)) {
      for (OpOperand *source : nv_tileaa::getSources(token))
        collect(source->get());
      return;
    }
    // Tensor copies before it have their own waits and fences, and initialised barriers are no data. What an earlier
    // grid has written, its end has told all proxies.
    if (nv_tileas::isTensorLoad(def) || nv_tileas::isTensorStore(def) ||
        isa<nv_tileas::MbarrierInitOp, nv_tileaa::GdcWaitOp>(def))
      return;
    auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(def);
    bool isOrder = isa<nv_tileaa::CreateMemTokenOp, nv_tileaa::JoinMemTokenOp, nv_tileaa::FenceAliasOp,
                       nv_tileaa::GdcLaunchDependentsOp>(def);
    if (access ? access.writesMemory() || !access.isWeak() : !isOrder)
      found.insert(def);
    for (Value operand : def->getOperands())
      if (isa<nv_tileaa::MemTokenType>(operand.getType()))
        collect(operand);
  }

private:
  DenseSet<Value> seen;
};

void fenceBeforeTensorLoads(Operation *func) {
  GenericAccesses accesses;
  func->walk([&](Operation *op) {
    if (!nv_tileas::isTensorLoad(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<nv_tileaa::MemTokenType>(operand.getType()))
        accesses.collect(operand);
  });
  for (Operation *op : accesses.found) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Emitter e(builder, op->getLoc());
    NVVM::FenceProxyOp::create(builder, op->getLoc(), NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
    e.barrier();
  }
}

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
  fenceBeforeTensorLoads(func);
}
