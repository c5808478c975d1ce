//===- LowerTMALoadStoreToAsync.cpp - lower-tma-load-store-to-async -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stages of a ring that cp.async fills are filled by TMA, where the target has it and the tiles lie as it writes them.
//
// Tensor maps are made where the views are, once for each view and box, outside of loops. Whether there is one for what
// the kernel is given (alignment, extents, room in the table) is known at run time; it is the same in all threads. A
// loop with few operations is there twice, so that the one with tensor copies has nothing else in it:
//
//     if usable { ring; loop { write { tma load a, tma load b } ... } } else { ring of groups; loop { ... } }
//
// In a longer one only the producing side asks; the ring gets mbarriers whose count says who fills it, and the
// consumers are the same:
//
//     write { if usable { tma load a, tma load b } else { load a, load b } }
//
// Where an agent fills the ring (tileas-materialize-schedule) it alone knows, and does all that it does twice:
//
//     agent_switch { for { wait, products, release } },
//                  { maps; if usable { for { write { tma load a, tma load b } } } else { for { write { load a, load b }
//                  } } }
//
// Tensor maps take time before the first copy, as long as some rounds of a loop: where it is known to have fewer, it
// stays as it is, and where that is known at run time only, so is whether anybody looks for them.
// TILEIR_PREFER_TMA_FOR_LOAD_STORE in the environment switches all that on (`true`) and TMA off (`false`).
//
// Stores that tileas-stage-stores has prepared look for tensor maps if loads do, beside them and under the same
// condition. In a kernel whose loops are not filled by TMA the maps alone would take longer than they save, and where
// sums come out of tensor memory the model of B200 sees no gain (docs/pipelines.md): there stores become what they
// were.
//
// In phases: the kernel's spec; which rings, and which of their loads TMA can do, all of them or none; numbers of the
// tensor maps (`tmaIdx`, in program order); tensor maps, each made once; the copies, with their bytes (`tx_count`); the
// mbarriers, by tileas-alloc-pipeline-barriers.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TensorCoordinates.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/TensorMapCost.h"
#include "tileiras/Dialect/TileAS/Transforms/TmaLoads.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_LOWERTMALOADSTORETOASYNCPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// A view's tensor map with one box.
struct TensorMap {
  Value desc, usable;
  int32_t index;
};

using Maps = llvm::MapVector<std::pair<Value, Attribute>, TensorMap>;
/// How many rings need it.
using MapCounts = llvm::DenseMap<std::pair<Value, Attribute>, int>;

/// What a loop has to copy in every round to gain from tensor copies, by the model of H200, B200 and RTX 5090
/// (docs/pipelines.md).
constexpr int64_t kLeastBytesOfStage = 24 << 10;
/// Rounds in which threads wait as long as tensor maps take.
constexpr int64_t kLeastRoundedRounds = 3;
constexpr const char *kTooLong = "threads copy a part of each stage, in a loop that is too long to be there twice";

class RingLowering {
public:
  RingLowering(CreatePipelineOp ring) : ring(ring) {
    for (Operation *user : ring->getUsers())
      if (auto write = dyn_cast<ProducerWriteOp>(user)) {
        writes.push_back(write);
        for (auto load : write.getBody().front().getOps<AsyncTiledLoadOp>())
          (staysWithThreads(load) ? others : loads).push_back(load);
      }
  }

  CreatePipelineOp pipeline() { return ring; }

  /// Nothing if TMA can fill the stages, else why not.
  std::string whyNot() {
    if (loads.empty())
      return "nothing is copied into its stages";
    if (getSharedPlace(ring))
      return "its place is that of other rings in turns, which the block meets for";
    if (ring.getGroups() && copiedByThreads() && !loopOfItsOwn(ring))
      return kTooLong;
    for (ProducerWriteOp write : writes)
      for (Operation &op : write.getBody().front())
        if (!isa<AsyncTiledLoadOp>(op) && !isMemoryEffectFree(&op))
          return "a stage is not filled by copies alone";
    for (AsyncTiledLoadOp load : loads) {
      if (auto allowed = load->getAttrOfType<BoolAttr>("allow_tma"); allowed && !allowed.getValue())
        return "allow_tma is false";
      std::string error;
      if (!describeTma(load, &error))
        return error;
      if (load.getValid() && dimensionToLeave(load) < 0)
        return "a tile may count as outside, which its narrow indices cannot say";
      Operation *where = load.getView().getDefiningOp();
      if (!where || where->getParentOfType<LoopLikeOpInterface>())
        return "the view is made in a loop";
      if (getAgentSwitch(where))
        return "the view is made in an agent";
      if (!comesAfterLoadsOnly(load.getToken()) || !load.getResultToken().use_empty())
        return "tokens order it after or before what other operations do";
    }
    if (getTmaPreference() == TmaPreference::WherePays && ring.getGroups()) {
      if (roundBytes() < kLeastBytesOfStage && !isRounded())
        return "its stages are too small to gain from tensor copies";
      if (CountedLoop loop = loopOf())
        if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && rounds->ult(leastRounds()))
          return "the loop has too few rounds to gain from tensor maps";
    }
    return {};
  }

  int64_t stageBytes() const {
    int64_t bytes = 0;
    for (AsyncTiledLoadOp load : loads)
      if (load->getParentOp() == writes.front())
        bytes += bytesOf(load);
    return bytes;
  }

  /// What the loop copies in every round: streams have rings of their own. Those of one stage are found to gain as if
  /// each were alone, as copies into such a stage are waited for in the round that they are made in, unless another one
  /// gains: where threads copy into one ring, they meet for it.
  int64_t roundBytes() const {
    int64_t bytes = stageBytes(), others = 0, largest = 0;
    if (CountedLoop loop = loopOf())
      for (auto write : loop.getBody()->getOps<ProducerWriteOp>())
        if (write.getPipeline() != CreatePipelineOp(ring).getPipeline()) {
          int64_t its = 0;
          for (auto load : write.getBody().front().getOps<AsyncTiledLoadOp>())
            its += bytesOf(load);
          others += its;
          largest = std::max(largest, its);
        }
    bool together = CreatePipelineOp(ring).getNumStages() > 1 || largest >= kLeastBytesOfStage;
    return together ? bytes + others : bytes;
  }

  /// Whether it rounds what it copies (tileas-round-loads): threads that do so wait in every round for what they load.
  bool isRounded() const {
    return llvm::any_of(loads, [](AsyncTiledLoadOp load) { return bool(load.getView().getType().getRounded()); });
  }

  int64_t leastRounds() const {
    if (isRounded())
      return kLeastRoundedRounds;
    return llvm::divideCeil(leastBytesForTensorMaps(CreatePipelineOp(ring), roundBytes()), roundBytes());
  }

  /// The tensor maps that it needs, counted.
  void count(MapCounts &counts) const {
    llvm::SmallDenseSet<std::pair<Value, Attribute>> own;
    for (AsyncTiledLoadOp load : loads)
      if (own.insert({load.getView(), atomOf(load)}).second)
        ++counts[{load.getView(), atomOf(load)}];
  }

  /// Whether threads copy a part of each stage: stages that TMA fills have other consumers then.
  bool copiedByThreads() const { return !others.empty(); }

  /// `branched`: rings that can be filled either way in one loop. False, and nothing is done, if the loop cannot be
  /// there twice: another ring may have made it so, or has to stay beside it.
  bool lower(Maps &maps, const MapCounts &counts, SmallVector<CreatePipelineOp> branched) {
    branched.push_back(ring);
    CountedLoop own = loopOfItsOwn(ring);
    if (own && usesOtherGroups(own, branched))
      own = {};
    if (copiedByThreads() && !own)
      return false;
    OpBuilder builder(ring);
    Value wanted = hasRounds(builder, counts);
    llvm::SetVector<Value> all = makeMaps(maps, wanted ? &builder : nullptr, wanted);
    builder.setInsertionPoint(ring);
    Value usable = all.front();
    for (Value other : all.getArrayRef().drop_front())
      usable = arith::AndIOp::create(builder, ring.getLoc(), usable, other);
    if (own)
      return duplicate(own, *this, usable, maps), true;
    ring.getTmaMutable().assign(usable);
    fillByMbarriers();
    for (ProducerWriteOp write : writes)
      branch(write, usable, maps);
    return true;
  }

  /// Streams of one loop, which is there twice for all of them. False, and nothing is done, if it cannot be, or they
  /// have one stage: nobody goes on with the round while such a stage is filled.
  static bool lowerTogether(MutableArrayRef<RingLowering> rings, Maps &maps, const MapCounts &counts) {
    SmallVector<CreatePipelineOp> all = llvm::map_to_vector(rings, [](RingLowering &r) { return r.ring; });
    CountedLoop own = loopOfItsOwn(all.front());
    if (!own || usesOtherGroups(own, all) || llvm::any_of(rings, [&](RingLowering &r) {
          return loopOfItsOwn(r.ring) != own || r.ring.getNumStages() < 2 || r.ring->getBlock() != own->getBlock();
        }))
      return false;
    OpBuilder builder(own);
    Value wanted = rings.front().hasRounds(builder, counts);
    llvm::SetVector<Value> maybe;
    for (RingLowering &ring : rings)
      maybe.insert_range(ring.makeMaps(maps, wanted ? &builder : nullptr, wanted));
    builder.setInsertionPoint(own);
    Value usable = maybe.front();
    for (Value other : maybe.getArrayRef().drop_front())
      usable = arith::AndIOp::create(builder, own.getLoc(), usable, other);
    duplicate(own, rings, usable, maps);
    return true;
  }

  /// The agent that fills the ring, if one does and nobody but the agents around it uses the ring.
  Region *producer() {
    AgentSwitchOp agents = writes.empty() ? AgentSwitchOp() : getAgentSwitch(writes.front());
    if (!agents || agents->getBlock() != ring->getBlock() ||
        llvm::any_of(ring->getUsers(), [&](Operation *user) { return !agents->isProperAncestor(user); }))
      return nullptr;
    return &agents.getAgents()[agents.agentOf(writes.front())];
  }

  /// Makes tensor maps of all views, at `where` or right behind them, only if they are `wanted` where that is a value;
  /// whether there are, of each.
  llvm::SetVector<Value> makeMaps(Maps &maps, OpBuilder *where = nullptr, Value wanted = {}) {
    OpBuilder behind(ring), &builder = where ? *where : behind;
    llvm::SetVector<Value> all;
    for (AsyncTiledLoadOp load : loads) {
      TensorMap &map = maps[{load.getView(), atomOf(load)}];
      if (!map.desc) {
        if (!where)
          builder.setInsertionPointAfterValue(load.getView());
        int32_t index = maps.size() - 1;
        auto make = MakeTiledTmaDescOp::create(
            builder, load.getLoc(), TypeRange{TmaDescriptorIterType::get(load.getContext()), builder.getI1Type()},
            load.getView(), wanted, cast<CopyAtomAttrInterface>(atomOf(load)), builder.getI32IntegerAttr(index));
        map = {make.getDesc(), make.getUsable(), index};
      }
      all.insert(map.usable);
    }
    return all;
  }

  /// The rings that one agent fills, all of them by TMA or none: it looks for the tensor maps, and what it does is
  /// there twice. Nobody else need know.
  static void lowerAgent(Region &agent, MutableArrayRef<RingLowering> rings) {
    Block &body = agent.front();
    Location loc = agent.getLoc();
    OpBuilder builder(&body, body.begin());
    Maps maps;
    llvm::SetVector<Value> all;
    Value wanted = haveRounds(builder, agent, rings);
    for (RingLowering &ring : rings) {
      all.insert_range(ring.makeMaps(maps, &builder, wanted));
      ring.fillByMbarriers();
    }
    Value usable = all.front();
    for (Value other : all.getArrayRef().drop_front())
      usable = arith::AndIOp::create(builder, loc, usable, other);
    auto both = scf::IfOp::create(builder, loc, usable, /*withElseRegion=*/true);
    Block::OpListType &others = both.elseBlock()->getOperations();
    others.splice(others.begin(), body.getOperations(), std::next(both->getIterator()),
                  body.getTerminator()->getIterator());
    IRMapping map;
    builder.setInsertionPoint(both.thenBlock()->getTerminator());
    for (Operation &op : both.elseBlock()->without_terminator())
      builder.clone(op, map);
    for (RingLowering &ring : rings)
      for (ProducerWriteOp write : ring.writes)
        copyByTma(cast<ProducerWriteOp>(map.lookup(write.getWritten()).getDefiningOp()), maps);
  }

private:
  static int64_t bytesOf(AsyncTiledLoadOp load) {
    auto tile = cast<RankedTensorType>(load.getDest().getType());
    return tile.getNumElements() * getStorageBytes(tile.getElementType());
  }

  /// The loop that fills the ring.
  CountedLoop loopOf() const {
    for (ProducerWriteOp write : writes)
      if (auto loop = dyn_cast<CountedLoop>(write->getParentOp()))
        return loop;
    return {};
  }

  /// Whether the loop has enough rounds, where that is known at run time only. Null if it is not asked: whoever wants
  /// TMA gets it; in an outer loop tensor maps are made once for many; others have the same ones.
  Value hasRounds(OpBuilder &builder, const MapCounts &counts) const {
    CountedLoop loop = loopOf();
    if (!loop || loop->getBlock() != ring->getBlock() || ring->getParentOfType<LoopLikeOpInterface>() ||
        llvm::any_of(loads, [&](AsyncTiledLoadOp load) { return counts.lookup({load.getView(), atomOf(load)}) > 1; }))
      return {};
    return hasRounds(builder, loop, leastRounds(), CreatePipelineOp(ring));
  }

  /// The same of an agent that begins where `builder` is: whether one of its loops has.
  static Value haveRounds(OpBuilder &builder, Region &agent, ArrayRef<RingLowering> rings) {
    Value any;
    for (const RingLowering &ring : rings) {
      CountedLoop loop = ring.loopOf();
      if (!loop || agent.isAncestor(loop.getUpperBound().getParentRegion()))
        return {};
      CountedLoop blocks;
      if (loop->getParentRegion() != &agent) {
        blocks = dyn_cast<CountedLoop>(loop->getParentOp());
        if (!blocks || !blocks->hasAttr(kPersistentAttr) || blocks->getParentRegion() != &agent)
          return {};
      }
      Value enough = hasRounds(builder, loop, ring.leastRoundsOfAgent(), agent.getParentOp());
      if (enough && blocks) {
        // A block that has more than one tile block to do has enough in any case.
        Value ahead = blocks.getStep();
        std::optional<int64_t> step = getConstantIntValue(ahead);
        Location loc = blocks.getLoc();
        if (step)
          ahead = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(ahead.getType(), *step));
        else if (agent.isAncestor(ahead.getParentRegion()))
          return {};
        if (agent.isAncestor(blocks.getLowerBound().getParentRegion()) ||
            agent.isAncestor(blocks.getUpperBound().getParentRegion()))
          return {};
        Value second = arith::AddIOp::create(builder, loc, blocks.getLowerBound(), ahead);
        enough =
            arith::OrIOp::create(builder, loc, enough, blocks.isBelow(builder, loc, second, blocks.getUpperBound()));
      }
      if (!enough)
        return {};
      any = any ? arith::OrIOp::create(builder, loop.getLoc(), any, enough).getResult() : enough;
    }
    return any;
  }

  /// Of a loop that an agent fills the ring in. Its threads copy beside those that compute: as fast as TMA while the
  /// stages are being filled for the first time, and longer where they are large enough for few hand-overs.
  int64_t leastRoundsOfAgent() const {
    constexpr int64_t largeStage = 48 << 10, rounds = 7;
    return stageBytes() < largeStage && !isRounded() ? rounds : leastRounds();
  }

  /// In front of `place`.
  static Value hasRounds(OpBuilder &builder, CountedLoop loop, int64_t rounds, Operation *place) {
    DominanceInfo dominance;
    auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           step = getConstantIntValue(loop.getStep());
    if (getTmaPreference() != TmaPreference::WherePays || loop.getUnsignedCmp() || !lower || !step ||
        std::abs(*lower) > (1 << 20) || *step < 1 || *step > (1 << 20) || getConstantIntValue(loop.getUpperBound()) ||
        !type || type.getWidth() < 32 || !dominance.properlyDominates(loop.getUpperBound(), place))
      return {};
    Value beforeLast =
        arith::ConstantOp::create(builder, loop.getLoc(), builder.getIntegerAttr(type, *lower + (rounds - 1) * *step));
    return arith::CmpIOp::create(builder, loop.getLoc(), arith::CmpIPredicate::sgt, loop.getUpperBound(), beforeLast);
  }

  static Attribute atomOf(AsyncTiledLoadOp load) { return getTmaLoad(load.getContext(), *describeTma(load)); }

  void fillByMbarriers() {
    ring.setGroups(false);
    ring.setNoWarBarrier(false);
    // Tensor copies write by the async proxy, and threads that fill a stage fence themselves, unless they go on when
    // their copies have begun.
    for (Operation *user : ring->getUsers())
      if (isa<ConsumerWaitOp>(user) && others.empty())
        user->removeAttr(kAsyncProxyAttr);
  }

  /// The dimension along which a tile is to be outside: one whose index is wide enough to name a tile beyond all tensor
  /// maps, if there is a choice one that is computed round by round, which may be one instruction then.
  static int dimensionToLeave(AsyncTiledLoadOp load) {
    int found = -1;
    for (auto [d, index] : llvm::enumerate(load.getIndices()))
      if (index.getType().getIntOrFloatBitWidth() >= 32 &&
          (found < 0 || (index.getDefiningOp<arith::SelectOp>() && index.getParentBlock() == load->getBlock())))
        found = int(d);
    return found;
  }

  static Value createCopy(OpBuilder &builder, AsyncTiledLoadOp load, Maps &maps) {
    auto tile = cast<RankedTensorType>(load.getDest().getType());
    int64_t bytes = tile.getNumElements() * getStorageBytes(tile.getElementType());
    TensorMap map = maps[{load.getView(), atomOf(load)}];
    SmallVector<Value> indices(load.getIndices());
    DenseBoolArrayAttr inBounds = load.getInBoundsAttr();
    int beyond = -1;
    if (load.getValid()) {
      // A tile that counts as outside is the last one that an index can name, which no tensor map reaches.
      beyond = dimensionToLeave(load);
      Value index = indices[beyond];
      Value last = arith::ConstantOp::create(builder, load.getLoc(), builder.getIntegerAttr(index.getType(), -1));
      if (auto choice = index.getDefiningOp<arith::SelectOp>(); choice && choice.getCondition() == load.getValid())
        index = choice.getTrueValue();
      indices[beyond] = arith::SelectOp::create(builder, load.getLoc(), load.getValid(), index, last);
      if (inBounds) {
        SmallVector<bool> promised(inBounds.asArrayRef());
        promised[beyond] = false;
        inBounds = builder.getDenseBoolArrayAttr(promised);
      }
    }
    auto copy = AsyncTiledTmaLoadOp::create(
        builder, load.getLoc(), load.getDone().getType(), load.getResultToken().getType(), map.desc, load.getView(),
        indices, load.getDest(), Value(), Value(), cast<CopyAtomAttrInterface>(atomOf(load)),
        builder.getI32IntegerAttr(bytes), builder.getI32IntegerAttr(map.index), inBounds);
    SmallVector<bool> inRange;
    for (auto [d, index] : llvm::enumerate(indices))
      inRange.push_back(int(d) != beyond && isInRange(load.getView().getType(), int(d), index));
    if (llvm::is_contained(inRange, true))
      copy->setAttr(kInRangeAttr, builder.getDenseBoolArrayAttr(inRange));
    return copy.getDone();
  }

  /// Tensor copies in one branch, what was there in the other.
  static void branch(ProducerWriteOp write, Value usable, Maps &maps) {
    Block &body = write.getBody().front();
    SmallVector<AsyncTiledLoadOp> copies(body.getOps<AsyncTiledLoadOp>());
    Operation *yield = body.getTerminator();
    yield->setOperands(ValueRange());
    OpBuilder builder(yield);
    auto both = scf::IfOp::create(builder, write.getLoc(), usable, /*withElseRegion=*/true);
    builder.setInsertionPoint(both.thenBlock()->getTerminator());
    for (AsyncTiledLoadOp copy : copies) {
      createCopy(builder, copy, maps);
      copy->moveBefore(both.elseBlock()->getTerminator());
    }
  }

  /// Rings and their loop, once filled by TMA and once as they are.
  static void duplicate(CountedLoop loop, ArrayRef<RingLowering> rings, Value usable, Maps &maps) {
    llvm::SetVector<Operation *> parts;
    for (const RingLowering &of : rings) {
      CreatePipelineOp ring = of.ring;
      for (Value stage : ring.getStages())
        parts.insert(stage.getDefiningOp());
      parts.insert(ring);
      parts.insert_range(fillsBefore(loop, ring));
    }
    parts.insert(loop);
    SmallVector<Operation *> behind;
    for (const RingLowering &of : rings)
      behind.append(readsBehind(loop, of.ring));
    llvm::sort(behind, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    parts.insert_range(behind);
    auto usedBehind = [&](OpOperand &use) {
      return !parts.contains(loop->getBlock()->findAncestorOpInBlock(*use.getOwner()));
    };
    SmallVector<Value> results;
    llvm::copy_if(loop.getResults(), std::back_inserter(results), [&](Value v) {
      return !isa<PipelineIteratorType>(v.getType()) && (v.use_empty() || llvm::any_of(v.getUses(), usedBehind));
    });
    for (Operation *op : behind)
      llvm::copy_if(op->getResults(), std::back_inserter(results),
                    [&](Value v) { return llvm::any_of(v.getUses(), usedBehind); });
    OpBuilder builder(loop);
    auto both = scf::IfOp::create(builder, loop.getLoc(), ValueRange(results).getTypes(), usable,
                                  /*withElseRegion=*/true);
    // Without results the branches come with their ends: sums in tensor memory are none of the loop.
    for (Block *block : {both.thenBlock(), both.elseBlock()})
      block->clear();
    auto yield = [&](Block *block, ArrayRef<Value> values) {
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, loop.getLoc(), values);
    };
    for (auto [from, to] : llvm::zip_equal(results, both.getResults()))
      from.replaceUsesWithIf(to, usedBehind);
    IRMapping map;
    builder.setInsertionPointToStart(both.thenBlock());
    for (Operation *part : parts)
      builder.clone(*part, map);
    yield(both.thenBlock(), llvm::map_to_vector(results, [&](Value v) { return map.lookup(v); }));
    for (Operation *part : parts)
      part->moveBefore(both.elseBlock(), both.elseBlock()->end());
    yield(both.elseBlock(), results);

    for (const RingLowering &of : rings) {
      for (AsyncTiledLoadOp load : of.loads) // This one has been decided.
        load->setAttr("allow_tma", builder.getBoolAttr(false));
      RingLowering copy(cast<CreatePipelineOp>(map.lookup(CreatePipelineOp(of.ring).getPipeline()).getDefiningOp()));
      copy.fillByMbarriers();
      for (ProducerWriteOp write : copy.writes)
        copyByTma(write, maps);
    }
  }

  static void copyByTma(ProducerWriteOp write, Maps &maps) {
    OpBuilder builder(write);
    for (AsyncTiledLoadOp load : llvm::make_early_inc_range(write.getBody().front().getOps<AsyncTiledLoadOp>())) {
      if (staysWithThreads(load))
        continue;
      builder.setInsertionPoint(load);
      load.getDone().replaceAllUsesWith(createCopy(builder, load, maps));
      load.erase();
    }
    write->setAttr("producer_kind", builder.getStringAttr("tma_bulk"));
  }

  CreatePipelineOp ring;
  SmallVector<ProducerWriteOp> writes;
  SmallVector<AsyncTiledLoadOp> loads;  ///< that tensor copies can make
  SmallVector<AsyncTiledLoadOp> others; ///< by threads, beside them
};

struct LowerTMALoadStoreToAsyncPass : nv_tileas::impl::LowerTMALoadStoreToAsyncPassBase<LowerTMALoadStoreToAsyncPass> {
  void runOnOperation() override {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    if (!target || !target->hasTma() || !target->tensormapReplace)
      return;
    if (getTmaPreference() == TmaPreference::Never)
      return;
    lowerLoads();
    placeStores();
  }

private:
  /// Whether anything behind a token has to be told to the async proxy.
  static void dropTokensOfLoads(MakeTiledTmaDescOp map) {
    for (Operation *user : map.getDesc().getUsers())
      if (auto store = dyn_cast<AsyncTiledTmaStoreOp>(user); store && comesAfterLoadsOnly(store.getToken()))
        store.getTokenMutable().clear();
  }

  void placeStores() {
    SmallVector<MakeTiledTmaDescOp> maps, others;
    llvm::MapVector<Block *, SmallVector<MakeTiledTmaDescOp>> ofLoads; // in order
    int32_t index = 0;
    bool loadsByTma = getOperation().walk([](AsyncTiledTmaLoadOp) { return WalkResult::interrupt(); }).wasInterrupted();
    getOperation().walk([&](MakeTiledTmaDescOp map) {
      if (map->hasAttr(kWithLoadsAttr))
        maps.push_back(map);
      else if (map.getTmaIdx())
        ofLoads[map->getBlock()].push_back(map);
      else // of reductions, which have been decided
        others.push_back(map);
      index = std::max(index, map.getTmaIdx() ? int32_t(*map.getTmaIdx()) + 1 : 0);
    });
    for (MakeTiledTmaDescOp map : others) {
      map.setTmaIdxAttr(Builder(&getContext()).getI32IntegerAttr(index++));
      dropTokensOfLoads(map);
    }
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    StringRef why = !loadsByTma            ? "no loop is filled by TMA: tensor maps for stores alone do not pay"
                    : target->hasTcgen05() ? "threads that hold rows of sums store them as fast"
                                           : "";
    for (MakeTiledTmaDescOp map : maps) {
      if (!why.empty() && getTmaPreference() != TmaPreference::Always) {
        undoStores(map, why);
        continue;
      }
      map->removeAttr(kWithLoadsAttr);
      map.setTmaIdxAttr(Builder(&getContext()).getI32IntegerAttr(index++));
      dropTokensOfLoads(map);
      // The last one of those that stand before whoever needs the map.
      MakeTiledTmaDescOp beside;
      for (MakeTiledTmaDescOp other : ofLoads.lookup(map->getBlock()))
        if (llvm::all_of(map->getUsers(), [&](Operation *user) {
              Operation *here = map->getBlock()->findAncestorOpInBlock(*user);
              return here && other->isBeforeInBlock(here);
            }))
          beside = other;
      if (beside) {
        map->moveAfter(beside->isBeforeInBlock(map) ? map.getOperation() : beside.getOperation());
        if (!map.getWanted() && beside.getWanted() && beside->isBeforeInBlock(map))
          map.getWantedMutable().assign(beside.getWanted());
      }
      for (Operation *user : map.getUsable().getUsers())
        remarks::passed(user, remarks::kMemory, "TmaStore")
            << remarks::because("the tile leaves shared memory as tensor copies read it");
      ++numStores;
    }
  }

  /// The branches of a map without the one that needs it.
  static void undoStores(MakeTiledTmaDescOp map, StringRef why) {
    for (Operation *user : llvm::make_early_inc_range(map.getUsable().getUsers())) {
      auto branch = cast<Branch>(user);
      remarks::missed(branch, remarks::kMemory, "TmaStore") << remarks::because(why);
      Block *otherwise = branch.elseBlock();
      branch->replaceAllUsesWith(otherwise->getTerminator()->getOperands());
      otherwise->getTerminator()->erase();
      branch->getBlock()->getOperations().splice(branch->getIterator(), otherwise->getOperations());
      branch.erase();
    }
    map.erase();
  }

  void lowerLoads() {
    SmallVector<CreatePipelineOp> rings;
    llvm::MapVector<Region *, SmallVector<CreatePipelineOp>> agents; // and what they fill
    getOperation().walk([&](CreatePipelineOp op) {
      if (op.getGroups())
        rings.push_back(op);
      if (!op.getGroups() && !op.getBarriers() && !op.getTma())
        if (Region *agent = RingLowering(op).producer())
          agents[agent].push_back(op);
    });
    if (rings.empty() && agents.empty())
      return;
    if (!getOperation()->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr)) {
      getOperation().emitError("LowerTMALoadStoreToAsync: missing or invalid KernelSpecAttr on function");
      return signalPassFailure();
    }
    Maps maps;
    MapCounts counts;
    SmallVector<CreatePipelineOp> chosen, branched;
    for (CreatePipelineOp op : rings) {
      RingLowering ring(op);
      if (std::string why = ring.whyNot(); !why.empty()) {
        remarks::missed(op, remarks::kMemory, "Tma") << remarks::because(why);
        continue;
      }
      ring.count(counts);
      chosen.push_back(op);
      if (!ring.copiedByThreads())
        branched.push_back(op);
    }
    // Those that need a loop of their own before it is there twice.
    llvm::stable_sort(chosen, [&](CreatePipelineOp a, CreatePipelineOp b) {
      return llvm::is_contained(branched, b) && !llvm::is_contained(branched, a);
    });
    llvm::MapVector<Operation *, SmallVector<RingLowering>> streams;
    for (CreatePipelineOp op : branched)
      if (CountedLoop loop = loopOfItsOwn(op))
        streams[loop].push_back(RingLowering(op));
    for (auto &[loop, rings] : streams)
      if (rings.size() > 1 && RingLowering::lowerTogether(rings, maps, counts))
        for (RingLowering &ring : rings) {
          llvm::erase(chosen, ring.pipeline());
          llvm::erase(branched, ring.pipeline());
          ++numRings;
          report(ring.pipeline());
        }
    for (CreatePipelineOp op : chosen) {
      // Anew: a loop that another ring is filled in may be there twice by now.
      if (!RingLowering(op).lower(maps, counts, branched)) {
        remarks::missed(op, remarks::kMemory, "Tma") << remarks::because(kTooLong);
        continue;
      }
      ++numRings;
      report(op);
    }
    for (auto &[agent, ops] : agents)
      lowerAgent(*agent, ops);
  }

  void lowerAgent(Region &agent, ArrayRef<CreatePipelineOp> ops) {
    SmallVector<RingLowering> able;
    for (CreatePipelineOp op : ops) {
      RingLowering ring(op);
      if (std::string why = ring.whyNot(); !why.empty())
        remarks::missed(op, remarks::kMemory, "Tma") << remarks::because(why);
      else
        able.push_back(ring);
    }
    if (able.size() != ops.size()) {
      for (RingLowering &ring : able)
        remarks::missed(ring.pipeline(), remarks::kMemory, "Tma")
            << remarks::because("the agent fills another ring that TMA cannot fill");
      return;
    }
    RingLowering::lowerAgent(agent, able);
    numRings += able.size();
    for (RingLowering &ring : able)
      report(ring.pipeline());
  }

  static void report(CreatePipelineOp op) {
    remarks::passed(op, remarks::kMemory, "Tma")
        << remarks::because("the tiles lie in shared memory as tensor copies write them");
  }
};

} // namespace
