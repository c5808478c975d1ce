//===- PairAgents.cpp - Products of two blocks in agents ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PairAgents.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;

/// The ring that has a tile of sums as its stage; null if there is none.
static CreatePipelineOp ringOfSums(Value sums) {
  if (auto argument = dyn_cast<BlockArgument>(sums)) {
    auto write = dyn_cast<ProducerWriteOp>(argument.getOwner()->getParentOp());
    return write ? write.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
  }
  for (Operation *user : sums.getUsers())
    if (auto ring = dyn_cast<CreatePipelineOp>(user))
      return ring;
  return {};
}

/// What an iterator has become behind all loops that carry it. Null if more than one value goes on from it, or if a
/// stage is filled at that place: what is behind the last filling is not known then.
static Value lastOf(Value iterator) {
  for (;;) {
    SmallVector<Value> next;
    for (OpOperand &use : iterator.getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<CountedLoop>(user)) {
        std::optional<unsigned> carried = loop.getCarriedNumber(use);
        next.push_back(carried ? Value(loop.getResult(*carried)) : Value());
      } else if (auto increment = dyn_cast<IncIterOp>(user)) {
        next.push_back(increment.getCount() ? Value() : increment.getNext());
      } else if (user->hasTrait<OpTrait::IsTerminator>()) {
        auto branch = dyn_cast<Branch>(user->getParentOp());
        next.push_back(branch ? Value(branch.getResult(use.getOperandNumber())) : Value());
      }
    }
    if (next.empty())
      return llvm::any_of(iterator.getUsers(), llvm::IsaPred<ProducerAcquireOp>) ? Value() : iterator;
    if (next.size() > 1 || !next.front())
      return {};
    iterator = next.front();
  }
}

/// The loads of a tile of a ring's stages: whether all of them have the same coordinates in all blocks. Nothing if
/// other operations fill it.
static std::optional<bool> isLoadedAlike(CreatePipelineOp ring, unsigned element) {
  bool same = true, found = false;
  for (Operation *user : ring->getUsers()) {
    auto write = dyn_cast<ProducerWriteOp>(user);
    if (!write)
      continue;
    for (Operation *filler : write.getBody().getArgument(element).getUsers()) {
      auto load = dyn_cast<AsyncTiledLoadOp>(filler);
      if (!load)
        return std::nullopt;
      found = true;
      same &= llvm::all_of(load.getIndices(), isSameInAllBlocks) &&
              (!load.getValid() || isSameInAllBlocks(load.getValid()));
    }
  }
  return found ? std::optional(same) : std::nullopt;
}

bool nv_tileas::fillsMultiprocessorInPairs(nv_tileaa::FuncOp func) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
  if (!target || !target->hasTcgen05() || !func->hasAttr(kDividedClusterAttr) ||
      ExecutionContext::of(func.getOperation()).numCtas != 2)
    return false;
  // Where threads bring scales one agent has four stages, agents have as many as there is room for.
  constexpr int64_t kStagesOfOneAgent = 4;
  bool pairs = true, some = false, scaled = false;
  llvm::SmallDenseMap<CreatePipelineOp, int64_t> halves; ///< bytes of a stage that go to the other block
  auto find = [](Value factor) -> std::pair<CreatePipelineOp, unsigned> {
    while (isReshape(factor.getDefiningOp()))
      factor = factor.getDefiningOp()->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(factor);
    auto read = argument ? dyn_cast<ConsumerReadOp>(argument.getOwner()->getParentOp()) : ConsumerReadOp();
    return {read ? read.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp(),
            argument ? argument.getArgNumber() : 0};
  };
  func.walk([&](DotOp dot) {
    auto atom = dot.getAtom() ? dyn_cast<Sm100MmaAtomAttr>(Attribute(*dot.getAtom())) : Sm100MmaAtomAttr();
    tileiras::DotShape shape = getDotShape(dot);
    auto [ringA, a] = find(dot.getA());
    auto [ringB, b] = find(dot.getB());
    // Scales that threads store keep the blocks apart.
    bool stored = dot.getSfa() && !isIn(dot.getSfa().getType(), MemoryKind::Shared);
    some = true;
    scaled |= bool(dot.getSfa());
    if (!atom || stored || shape.batched || atom.getM() != 128 || shape.n != atom.getN() || shape.n % 32 || !ringA ||
        !ringB || isLoadedAlike(ringA, a) != false || isLoadedAlike(ringB, b) != true) {
      pairs = false;
      return;
    }
    halves[ringA] += 0;
    halves[ringB] = getSharedBytes(cast<RankedTensorType>(ringB.getPipeline().getType().getElements()[b])) / 2;
  });
  int64_t bytes = 0;
  for (auto [ring, half] : halves) {
    int64_t stage = -half;
    for (Type tile : CreatePipelineOp(ring).getPipeline().getType().getElements())
      if (!isIn(tile, MemoryKind::Tensor)) // columns of scales
        stage += getSharedBytes(cast<RankedTensorType>(tile));
    int64_t stages = CreatePipelineOp(ring).getNumStages();
    bytes += stage * (scaled ? std::min(stages, kStagesOfOneAgent) : stages);
  }
  // Of clusters that stay a multiprocessor has one block, whatever room there is.
  auto staying = func->getAttrOfType<DenseI64ArrayAttr>(kStayingBlocksAttr);
  bool alone = staying && staying.size() == 3 && staying[1] == 1;
  return pairs && some && (alone || 2 * bytes > target->sharedPerSm);
}

/// Whether a kernel loads nothing but factors of products that agents hand on: of other rings full sums do not say that
/// they have been filled.
static bool loadsFactorsOnly(AgentSwitchOp agents) {
  auto isFactor = [](Operation *load) {
    auto write = load->getParentOfType<ProducerWriteOp>();
    auto ring = write ? write.getPipeline().getDefiningOp<CreatePipelineOp>() : CreatePipelineOp();
    return ring && llvm::any_of(ring->getUsers(), [](Operation *user) {
             return isa<ConsumerReleaseOp>(user) && user->hasAttr(kByProductsAttr);
           });
  };
  return !agents->getParentOfType<nv_tileaa::FuncOp>()
              .walk([&](Operation *op) {
                bool loads = isa<AsyncCopyOpInterface, AsyncTiledTmaLoadOp>(op);
                auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op);
                loads |= access && access.readsMemory();
                return loads && !isFactor(op) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether blocks meet only because all of them have to have loaded something: full sums say nothing of stores.
static bool meetsForLoadsOnly(AgentSwitchOp agents) {
  return !agents->getParentOfType<nv_tileaa::FuncOp>()
              .walk([](Operation *op) {
                bool meets = isa<NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op);
                return meets && !op->hasAttr(kAfterLoadsAttr) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The operations behind `wait` in its block by which the blocks of the cluster meet.
static SmallVector<Operation *> meetingsBehind(ConsumerWaitOp wait) {
  SmallVector<Operation *> meetings;
  for (Operation *op = wait; op; op = op->getNextNode())
    if (isa<NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op))
      meetings.push_back(op);
  return meetings;
}

StringRef nv_tileas::orderBlocksBySums(AgentSwitchOp agents) {
  int32_t blocks = ExecutionContext::of(agents->getParentOfType<nv_tileaa::FuncOp>().getOperation()).numCtas;
  llvm::SetVector<CreatePipelineOp> sums;
  agents.walk([&](ProducerCommitOp commit) {
    if (commit->hasAttr(kByProductsAttr))
      sums.insert(commit.getPipeline().getDefiningOp<CreatePipelineOp>());
  });
  if (sums.size() != 1 || !sums.front() || blocks > kMostBlocksTogether)
    return "blocks of the cluster meet in a loop, for more than the sums of one product";
  if (!loadsFactorsOnly(agents))
    return "blocks of the cluster meet in a loop, for more than factors";
  if (!meetsForLoadsOnly(agents))
    return "blocks of the cluster meet in a loop, for what another one has stored";
  llvm::SetVector<Operation *> meetings;
  for (Operation *user : sums.front()->getUsers()) {
    if (getAgentSwitch(user) != agents || !isRunByAllBlocks(user))
      return "blocks of the cluster meet in a loop, and do not multiply as often";
    if (auto wait = dyn_cast<ConsumerWaitOp>(user))
      meetings.insert_range(meetingsBehind(wait));
  }
  WalkResult others = agents.walk([&](Operation *op) {
    bool meets = isa<NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op);
    return meets && !meetings.contains(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (others.wasInterrupted())
    return "blocks of the cluster meet in a loop before there are sums";
  for (Operation *op : meetings)
    op->erase();
  sums.front()->setAttr(kClusterRingAttr, IntegerAttr::get(IntegerType::get(agents.getContext(), 32), blocks));
  return {};
}

std::string PairAgents::checkProduct(DotOp dot) {
  AgentSwitchOp around = getAgentSwitch(dot);
  int agent = around.agentOf(dot);
  if (!isSingleThread(around, agent))
    return "products have no agent of one thread";
  if (agents && (agents != around || number != agent))
    return "several agents multiply";
  agents = around, number = agent;
  CreatePipelineOp ring = ringOfSums(dot.getC());
  if (!ring)
    return "the sums are no ring's";
  sums.insert(ring);
  for (Operation *user : ring->getUsers()) {
    if (getAgentSwitch(user) != agents || !isRunByAllBlocks(user))
      return "not all blocks use sums as often";
    if (isa<ProducerCommitOp>(user) && !user->hasAttr(kByProductsAttr))
      return "others write the sums";
    if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user) && agents.agentOf(user) != number)
      return "others write the sums";
  }
  return {};
}

std::string PairAgents::checkRing(CreatePipelineOp ring) {
  bool filledByTma = false;
  for (Operation *user : ring->getUsers()) {
    if (getAgentSwitch(user) != agents || !isRunByAllBlocks(user))
      return "not all blocks use a ring as often";
    int agent = agents.agentOf(user);
    bool fills = isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user);
    if (fills == (agent == number) && !isa<CreateIteratorOp>(user))
      return "an agent fills the stages that it multiplies";
    if (auto write = dyn_cast<ProducerWriteOp>(user)) {
      filledByTma |= !write.getBody().front().getOps<AsyncTiledTmaLoadOp>().empty();
    }
    auto first = dyn_cast<CreateIteratorOp>(user);
    if (!first || agent == number)
      continue;
    Value last = lastOf(first);
    if (!last)
      return "where the filling of a ring ends is not known";
    fillers.push_back({ring, last});
  }
  return filledByTma ? "" : "TMA does not fill a ring";
}

void PairAgents::apply() {
  // The blocks meet before they store, so that both have loaded. When sums are full, they have loaded the factors.
  if (agents && sums.size() == 1 && loadsFactorsOnly(agents) && meetsForLoadsOnly(agents))
    for (Operation *user : sums.front()->getUsers())
      if (auto wait = dyn_cast<ConsumerWaitOp>(user))
        for (Operation *op : meetingsBehind(wait))
          op->erase();
  for (CreatePipelineOp ring : sums) {
    ring->setAttr(kCtaPairAttr, UnitAttr::get(ring.getContext()));
    ring->setAttr(kClusterRingAttr, IntegerAttr::get(IntegerType::get(ring.getContext(), 32), 2));
  }
  for (auto [ring, last] : fillers) {
    // The places of the next round: each of them is empty when the filling before it has been read.
    OpBuilder builder(ring.getContext());
    builder.setInsertionPointAfterValue(last);
    Location loc = ring.getLoc();
    Value place = last;
    for (int32_t i = 1, n = ring.getPipeline().getType().getStages(); i < n; ++i)
      place = IncIterOp::create(builder, loc, place.getType(), place);
    ProducerAcquireOp::create(builder, loc, PipelineProducerTokenType::get(ring.getContext()), ring, place, Value());
  }
}
