//===- SharedPlan.cpp - Which shared tiles live when, and where -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;

SmallVector<Operation *> nv_tileas::usersOfSharedTile(Value tile) {
  constexpr unsigned none = ~0u;
  MemoryKind memory = isIn(tile.getType(), MemoryKind::Tensor) ? MemoryKind::Tensor : MemoryKind::Shared;
  SmallVector<Operation *> users;
  /// Names of the tile, and of pipelines with the number of the element that it is a stage of.
  llvm::SetVector<std::pair<Value, unsigned>> names;
  names.insert({tile, none});
  for (size_t i = 0; i < names.size(); ++i) {
    auto [name, element] = names[i];
    for (OpOperand &use : name.getUses()) {
      Operation *user = use.getOwner();
      users.push_back(user);
      if (auto pipeline = dyn_cast<CreatePipelineOp>(user)) {
        bool isStage = use.get() != pipeline.getBarriers();
        unsigned elements = pipeline.getPipeline().getType().getElements().size();
        names.insert({pipeline.getPipeline(), isStage ? use.getOperandNumber() % elements : none});
        continue;
      }
      if (isa<PipelineType>(name.getType()) && isa<ProducerWriteOp, ConsumerReadOp>(user)) {
        if (element != none)
          names.insert({user->getRegion(0).getArgument(element), none});
        continue;
      }
      SmallVector<Value, 2> next = nv_tileaa::getDestinations(use);
      if (next.empty())
        llvm::copy_if(user->getResults(), std::back_inserter(next),
                      [&](Value result) { return isIn(result.getType(), memory); });
      for (Value value : next)
        names.insert({value, element});
    }
  }
  return users;
}

/// Swizzles that matrix units and tensor copies undo are made of absolute addresses: the tile begins where the pattern
/// does.
static int64_t alignmentOf(ArrayRef<Operation *> users, int64_t size) {
  int64_t alignment = size >= 128 ? 128 : 16;
  for (Operation *user : users) {
    if (auto load = dyn_cast<AsyncTiledTmaLoadOp>(user))
      alignment = std::max<int64_t>(alignment, getTmaAlignment(load.getAtom()));
    if (auto store = dyn_cast<AsyncTiledTmaStoreOp>(user))
      alignment = std::max<int64_t>(alignment, getTmaAlignment(store.getAtom()));
    if (auto load = dyn_cast<AsyncGatherTmaLoadOp>(user))
      alignment = std::max<int64_t>(alignment, getTmaAlignment(load.getAtom()));
    if (auto store = dyn_cast<AsyncScatterTmaStoreOp>(user))
      alignment = std::max<int64_t>(alignment, getTmaAlignment(store.getAtom()));
    if (auto dot = dyn_cast<DotOp>(user); dot && dot.getAtom())
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
        if (auto type = cast<RankedTensorType>(operand->get().getType()); isIn(type, MemoryKind::Shared))
          if (auto descriptor =
                  describeOperand(*dot.getAtom(), getDotShape(dot), getDotOperand(*operand), getLinearLayout(type)))
            alignment = std::max<int64_t>(alignment, descriptor->alignment());
  }
  return alignment;
}

/// The ring whose stages a tile is one of, and the number of the element.
static std::pair<CreatePipelineOp, unsigned> ringOf(AllocTensorOp op) {
  for (OpOperand &use : op->getUses())
    if (auto pipeline = dyn_cast<CreatePipelineOp>(use.getOwner()); pipeline && use.get() != pipeline.getBarriers())
      return {pipeline, use.getOperandNumber() % pipeline.getPipeline().getType().getElements().size()};
  return {CreatePipelineOp(), 0};
}

/// Columns of 4 bytes that a tile in tensor memory takes: of one for the scales of products those that they use, which
/// need not be a power of two.
static int64_t columnsOf(RankedTensorType type, ArrayRef<Operation *> users) {
  int64_t scales = 0;
  for (Operation *user : users)
    if (auto dot = dyn_cast<DotOp>(user); dot && dot.getColumns() && dot.getColumns().getType() == type) {
      auto [a, b] = getScales(dot);
      scales = std::max<int64_t>(scales, a.columns() + b.columns());
    }
  return scales ? scales
                : llvm::divideCeil(getLinearLayout(type).inSize(kColumn) * getStorageBytes(type.getElementType()), 4);
}

/// One place for the tiles of two buffers.
static void takeTurns(SharedBuffer &place, const SharedBuffer &other) {
  place.inTurns.append(other.ops);
  place.size = std::max(place.size, other.size);
  place.alignment = std::max(place.alignment, other.alignment);
  place.begin = std::min(place.begin, other.begin);
  place.end = std::max(place.end, other.end);
  place.inLoop |= other.inLoop;
  place.drained.clear();
  place.sides.clear();
}

SharedPlan::SharedPlan(nv_tileaa::FuncOp func, MemoryKind memory) {
  int64_t now = 0;
  std::function<void(Operation *)> number = [&](Operation *op) {
    int64_t first = now++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          number(&inner);
    lives[op] = {first, now++};
  };
  number(func);

  if (memory == MemoryKind::Tensor)
    func.walk([&](DotOp dot) { scales = std::max(scales, getScaleColumns(dot)); });
  DenseMap<std::pair<Operation *, unsigned>, size_t> rings;
  DenseMap<int64_t, size_t> turns;
  func.walk<WalkOrder::PreOrder>([&](AllocTensorOp op) {
    if (!isIn(op.getType(), memory))
      return;
    SmallVector<Operation *> users = usersOfSharedTile(op);
    // Tensor copies read the tile until somebody has waited for them.
    for (size_t i = 0, count = users.size(); i < count; ++i)
      if (isTensorStore(users[i]))
        llvm::append_range(users, users[i]->getResult(0).getUsers());
    bool isShared = memory == MemoryKind::Shared;
    auto type = cast<RankedTensorType>(op.getType());
    int64_t size = isShared ? getSharedBytes(type) : columnsOf(type, users);
    SharedBuffer buffer{{op},
                        size,
                        isShared ? alignmentOf(users, size) : 4,
                        lives[op].first,
                        lives[op].first,
                        bool(op->getParentOfType<LoopLikeOpInterface>())};
    // Nothing else may be where an mbarrier is (PTX ISA, "mbarrier").
    for (Operation *user : op->getUsers())
      if (auto pipeline = dyn_cast<CreatePipelineOp>(user);
          user->hasTrait<MakesMbarriers>() || (pipeline && pipeline.getBarriers() == op.getResult())) {
        buffer.end = lives[func].second;
        buffer.isBarriers = true;
      }
    buffer.isScratch = llvm::any_of(op->getUsers(), llvm::IsaPred<ReduceOp>);
    for (Operation *user : users) {
      // What a loop takes into its next round meets all that the round makes.
      if (auto loop = dyn_cast<LoopLikeOpInterface>(user->getParentOp());
          loop && user->hasTrait<OpTrait::IsTerminator>() && loop->isAncestor(op)) {
        buffer.begin = std::min(buffer.begin, lives[loop].first);
        buffer.end = std::max(buffer.end, lives[loop].second);
      }
      // A use deeper inside a loop keeps the tile alive for the whole loop.
      Operation *top = user, *loop = nullptr;
      for (Operation *p = user; p && p->getParentRegion() != op->getParentRegion(); p = p->getParentOp())
        if (isa_and_nonnull<LoopLikeOpInterface, AgentSwitchOp>(p->getParentOp())) {
          top = p->getParentOp();
          loop = isa<LoopLikeOpInterface>(top) ? top : loop;
        }
      buffer.end = std::max(buffer.end, lives[top].second);
      buffer.inLoop |= loop != nullptr;
      // Tensor stores read until somebody has waited for them, in the same block of operations.
      if (auto store = dyn_cast<AsyncTiledTmaStoreOp>(user))
        for (Operation *wait : store.getDone().getUsers())
          if (wait->getBlock() == user->getBlock())
            buffer.end = std::max(buffer.end, lives[wait].second);
    }
    findSides(users, buffer);
    if (auto [pipeline, element] = ringOf(op); pipeline) {
      findDrain(pipeline, buffer);
      if (std::optional<int64_t> place = getSharedPlace(pipeline)) {
        auto [known, isNew] = turns.try_emplace(*place, buffers.size());
        if (!isNew) {
          takeTurns(buffers[known->second], buffer);
          return;
        }
      }
      auto [known, isNew] = rings.try_emplace({pipeline, element}, buffers.size());
      if (!isNew) {
        SharedBuffer &ring = buffers[known->second];
        ring.ops.push_back(op);
        ring.end = std::max(ring.end, buffer.end);
        return;
      }
    }
    buffers.push_back(std::move(buffer));
  });
}

void SharedPlan::findSides(ArrayRef<Operation *> users, SharedBuffer &buffer) const {
  Operation *alloc = buffer.ops.front();
  if (llvm::any_of(users,
                   [](Operation *user) { return isa<CreatePipelineOp>(user) || user->hasTrait<MakesMbarriers>(); }))
    return; // Rings and mbarriers are initialized, wherever that stands.
  // One value of the condition for the whole life of the tile.
  auto isKnown = [&](Value condition) {
    Operation *def = condition.getDefiningOp();
    return condition.getParentRegion()->isAncestor(alloc->getParentRegion()) &&
           (!def || lives.lookup(def).first < lives.lookup(alloc).first);
  };
  for (auto [number, user] : llvm::enumerate(users)) {
    SmallVector<std::pair<Value, bool>, 1> its;
    for (Region *region = user->getParentRegion(); region; region = region->getParentRegion())
      if (auto branch = dyn_cast<nv_tileaa::Branch>(region->getParentOp()); branch && isKnown(branch.getCondition()))
        its.push_back({branch.getCondition(), region == &branch.getThenRegion()});
    if (number == 0)
      buffer.sides = its;
    else
      llvm::erase_if(buffer.sides, [&](auto side) { return !llvm::is_contained(its, side); });
  }
}

/// Whether one of the tiles is used only where the other one is not.
static bool onDifferentSides(const SharedBuffer &a, const SharedBuffer &b) {
  return llvm::any_of(a.sides, [&](const std::pair<Value, bool> &side) {
    return llvm::is_contained(b.sides, std::pair(side.first, !side.second));
  });
}

/// Where an agent has waited for the products of another one that release the stages of a ring: they have all read
/// them. Null where loops come back to it.
static ConsumerWaitOp waitForProducts(ConsumerReleaseOp release, Block *products) {
  for (Operation *op = products->findAncestorOpInBlock(*release); op; op = op->getNextNode()) {
    auto commit = dyn_cast<ProducerCommitOp>(op);
    if (!commit || !commit->hasAttr(kByProductsAttr))
      continue;
    for (Operation *user : commit.getPipeline().getUsers())
      if (auto wait = dyn_cast<ConsumerWaitOp>(user); wait && isa<AgentSwitchOp>(wait->getParentOp()))
        return wait;
  }
  return {};
}

void SharedPlan::findDrain(CreatePipelineOp ring, SharedBuffer &buffer) const {
  buffer.drained.clear();
  if (!ring->hasAttr(kDrainedAttr))
    return;
  llvm::MapVector<Region *, int64_t> last; // where an agent may read stages for the last time
  for (Operation *user : ring->getUsers()) {
    if (!isa<ConsumerReleaseOp>(user))
      continue;
    AgentSwitchOp agents = getAgentSwitch(user);
    if (!agents)
      return;
    Region *agent = &agents.getAgents()[agents.agentOf(user)];
    Operation *top = agent->front().findAncestorOpInBlock(*user);
    if (user->hasAttr(kByProductsAttr)) {
      ConsumerWaitOp wait = waitForProducts(cast<ConsumerReleaseOp>(user), &agent->front());
      if (!wait)
        return;
      agent = wait->getParentRegion();
      top = wait;
    }
    int64_t &position = last[agent];
    position = std::max(position, lives.lookup(top).second);
  }
  SmallVector<std::pair<Region *, int64_t>, 2> drained(last.begin(), last.end());
  // None of several may go on before the others have come as far.
  if (drained.size() > 1)
    for (auto &[agent, position] : drained) {
      auto meetings = agent->front().getOps<NVVM::BarrierOp>();
      auto meeting = llvm::find_if(meetings, [&, after = position](NVVM::BarrierOp barrier) {
        return barrier->hasAttr(kDrainedAttr) && lives.lookup(barrier).first > after;
      });
      if (meeting == meetings.end())
        return;
      position = lives.lookup(*meeting).second;
    }
  buffer.drained = std::move(drained);
}

/// Whether `tile` is allocated by an agent that has emptied a ring, behind all that reads it.
static bool comesAfterDrain(const SharedBuffer &ring, const SharedBuffer &tile) {
  return llvm::any_of(ring.drained, [&](const std::pair<Region *, int64_t> &drain) {
    return drain.first->isAncestor(AllocTensorOp(tile.ops.front())->getParentRegion()) && tile.begin > drain.second;
  });
}

static bool inDifferentAgents(Operation *a, Operation *b) {
  AgentSwitchOp agents = getAgentSwitch(a);
  return agents && agents == getAgentSwitch(b) && agents.agentOf(a) != agents.agentOf(b);
}

static bool overlapInTime(const SharedBuffer &a, const SharedBuffer &b) {
  if (comesAfterDrain(a, b) || comesAfterDrain(b, a) || onDifferentSides(a, b))
    return false;
  return (a.begin <= b.end && b.begin <= a.end) || inDifferentAgents(a.ops.front(), b.ops.front());
}

/// Whether reductions of one round of a loop use both tiles.
static bool areScratchOfOneLoop(const SharedBuffer &a, const SharedBuffer &b) {
  return a.isScratch && b.isScratch && a.inLoop && a.ops.front()->getBlock() == b.ops.front()->getBlock();
}

int64_t SharedPlan::place(Places places) {
  SmallVector<SharedBuffer *> order = llvm::to_vector(llvm::make_pointer_range(buffers));
  if (places.barriersLast)
    llvm::stable_sort(order, [](SharedBuffer *a, SharedBuffer *b) { return a->isBarriers < b->isBarriers; });
  int64_t total = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    SharedBuffer &buffer = *order[i];
    buffer.offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (const SharedBuffer *other : ArrayRef(order).take_front(i))
        if ((overlapInTime(*other, buffer) || (places.scratchApart && areScratchOfOneLoop(*other, buffer))) &&
            other->overlapsInSpace(buffer)) {
          buffer.offset = llvm::alignTo(other->offset + other->bytes(), buffer.alignment);
          moved = true;
        }
    }
    total = std::max(total, buffer.offset + buffer.bytes());
  }
  return total;
}

int64_t SharedPlan::bytesWithRing(Operation *loop, ArrayRef<AllocTensorOp> ring, int64_t stages) const {
  SharedPlan plan = *this;
  for (SharedBuffer &buffer : plan.buffers)
    if (llvm::is_contained(ring, buffer.ops.front())) {
      buffer.ops.resize(stages, buffer.ops.front());
      std::tie(buffer.begin, buffer.end) = lives.lookup(loop);
    }
  llvm::stable_sort(plan.buffers, [](const SharedBuffer &a, const SharedBuffer &b) { return a.begin < b.begin; });
  return plan.place() + scales;
}

int64_t SharedPlan::bytesInTurns(Operation *loop, ArrayRef<AllocTensorOp> tiles, size_t places) const {
  SharedPlan plan = *this;
  SmallVector<SharedBuffer> rings;
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    auto own = llvm::find_if(plan.buffers, [tile](const SharedBuffer &b) { return b.ops.front() == tile; });
    if (own == plan.buffers.end())
      continue;
    SharedBuffer ring = *own;
    plan.buffers.erase(own);
    std::tie(ring.begin, ring.end) = lives.lookup(loop);
    if (number < places)
      rings.push_back(ring);
    else
      takeTurns(rings[number % places], ring);
  }
  plan.buffers.append(rings);
  llvm::stable_sort(plan.buffers, [](const SharedBuffer &a, const SharedBuffer &b) { return a.begin < b.begin; });
  return plan.place();
}
