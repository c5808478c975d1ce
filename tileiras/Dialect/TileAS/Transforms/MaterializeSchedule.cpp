//===- MaterializeSchedule.cpp - tileas-materialize-schedule --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gives the loops of a function to agents, as ScheduleAnalysis says:
//
//     create_pipeline (a ring)                  create_pipeline
//     for k { acquire, write, commit            agent_switch { for k { acquire, write, commit } }
//             wait, read { product }, release }              , { for k { wait, read { product }, release }
//     store                                                      store }
//
// Both agents run the same loops; how far the first may be ahead is the ring's depth. Within an agent iterations
// overlap where peel-within-agents asks for it (AgentPeeling.h). What an agent does is a slice of the function
// (AgentSlices.h): the first does what fills stages, the second all the rest. What both may use stays in front of them:
// arithmetic on numbers, views, and rings. A ring that an outer loop makes is made before that loop, which then carries
// the ring's iterators.
//
// If some of it cannot be done the function becomes what it was, from a copy.
//
// Steps, in the order of the description they follow (docs/scheduler.md): producer regions, alias check, consumer
// regions, iterators, releases, barriers, aliases, agents, loops, epilogue.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/AddRingRounds.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentPeeling.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentsPay.h"
#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "tileiras/Dialect/TileAS/Transforms/DualAgents.h"
#include "tileiras/Dialect/TileAS/Transforms/MergeRings.h"
#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "tileiras/Dialect/TileAS/Transforms/PairAgents.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/RingStreams.h"
#include "tileiras/Dialect/TileAS/Transforms/ScheduleAnalysis.h"
#include "tileiras/Dialect/TileAS/Transforms/SeparateProducts.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_MATERIALIZESCHEDULEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tile_ir::as::schedule_utils::LoopSchedule;
using nv_tile_ir::as::schedule_utils::ScheduleAnalysis;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;
namespace schedule = tileiras::schedule;
namespace remarks = tileiras::remarks;

namespace {

constexpr int32_t kWarpgroup = 4;
/// What a thread that only starts copies needs; a multiple of 8 as setmaxnreg takes it.
constexpr int32_t kProducerRegisters = 40;
/// Below the one at which two agents that compute meet (DualAgents.cpp); agents get the low ones.
constexpr int32_t kFirstTurnBarrier = 13;

/// Of a ring: those of its tiles that are read together.
using Streams = SmallVector<RingStream, 2>;

/// What computes: one agent, two that share tile blocks, or two that have every other one.
enum class Computing { One, Two, Alternating };

bool fillsStages(Operation *op) { return isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(op); }

/// Divides one function. Where that fails halfway the function is to be thrown away.
class Division {
public:
  /// `onlyWhereFaster`: unless one agent that does everything is expected to be as fast.
  /// `computing`: how many agents that compute. `peel`: iterations of one agent overlap. `streams`: of each ring, in
  /// the order of the function, where they get rings of their own.
  Division(nv_tileaa::FuncOp func, bool onlyWhereFaster, Computing computing, bool peel, ArrayRef<Streams> streams)
      : func(func), body(&func.getBody().front()), onlyWhereFaster(onlyWhereFaster), computing(computing), peel(peel),
        streams(streams) {}

  /// Whether rings have lost stages.
  bool hasDroppedStages() const { return droppedStages; }

  RingRounds getRounds() const { return rounds; }

  /// Why it cannot be done, or nothing.
  StringRef run() {
    findRings();
    for (auto [ring, its] : llvm::zip(SmallVector<CreatePipelineOp>(rings), streams))
      if (its.size() > 1)
        divideRing(ring, its);
    mergeRings(func);
    findRings();
    if (func.walk([](AsyncLoadOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return "tiles are copied by the threads that hold their pointers";
    for (CreatePipelineOp ring : rings)
      if (StringRef why = hoistRing(ring); !why.empty())
        return why;
    insertReleases(); // before anybody asks what an agent does
    findShared();
    AgentSlice producer(body, shared, [](Operation *op) { return isMemoryEffectFree(op); });
    AgentSlice consumer(body, shared, [](Operation *) { return true; });
    if (StringRef why = addRoots(producer, consumer); !why.empty())
      return why;
    if (StringRef why = chooseWarps(); !why.empty())
      return why;
    if (computing == Computing::Alternating && budgets.empty())
      return "there are no registers for two agents with a tile block each";
    if (StringRef why = onlyWhereFaster ? whyOneAgentIsAsFast(func, rings, !budgets.empty()) : ""; !why.empty())
      return why;
    AgentSwitchOp agents = build(producer, consumer);
    if (peel)
      nv_tileas::peelWithinAgents(agents);
    if (StringRef why = computing == Computing::Two ? divideComputing(agents)
                        : computing == Computing::Alternating
                            ? alternateTiles(agents, {kFirstTurnBarrier, kFirstTurnBarrier + 1})
                            : separateProducts(agents, 0);
        !why.empty())
      return why;
    if (StringRef why = meetsInLoops ? orderBlocksBySums(agents) : ""; !why.empty())
      return why;
    rounds = addRingRounds(agents);
    // Before, what comes behind a loop could have the bytes of its ring; now the agents run at the same time.
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    int64_t barriers = 0;
    for (CreatePipelineOp ring : rings)
      barriers += 16 * llvm::bit_ceil(ring.getNumStages()) + 128;
    while (target && SharedPlan(func).place() + barriers > target->maxStaticShared)
      if (droppedStages = true; !dropStage())
        return "tiles of the agents do not fit in shared memory beside the rings";
      else if (StringRef why = onlyWhereFaster ? whyOneAgentIsAsFast(func, rings, !budgets.empty()) : ""; !why.empty())
        return why;
    return {};
  }

private:
  //===--------------------------------------------------------------------===//
  // Rings and their iterators
  //===--------------------------------------------------------------------===//

  void findRings() {
    rings.clear();
    func.walk([&](CreatePipelineOp op) { rings.push_back(op); });
  }

  /// Moves a ring, its tiles and its first iterator out of the loops around it, which then carry the iterators.
  StringRef hoistRing(CreatePipelineOp ring) {
    if (getSharedPlace(ring))
      return "rings have a place in turns, which the block meets for";
    SmallVector<CreateIteratorOp> firsts;
    for (Operation *user : ring->getUsers())
      if (auto first = dyn_cast<CreateIteratorOp>(user))
        firsts.push_back(first);
    while (ring->getBlock() != body) {
      auto loop = dyn_cast<CountedLoop>(ring->getParentOp());
      if (!loop)
        return "a ring is made in a branch";
      for (Value tile : ring.getStages()) {
        auto alloc = tile.getDefiningOp<AllocTensorOp>();
        if (!alloc)
          return "the tiles of a ring are not allocated for it";
        if (alloc->getParentOp() == loop)
          alloc->moveBefore(loop);
      }
      ring->moveBefore(loop);
      for (CreateIteratorOp &first : firsts) {
        if (first->getParentOp() != loop)
          return "a ring's iterator is made in a branch";
        first->moveBefore(loop);
        // Each loop that begins with it begins where the round before has ended.
        SmallVector<std::pair<CountedLoop, unsigned>> begins;
        for (OpOperand &use : first->getUses()) {
          auto inner = dyn_cast<CountedLoop>(use.getOwner());
          if (!inner || inner->getParentOp() != loop || !inner.getCarriedNumber(use))
            return "a ring's iterator is used by more than loops";
          begins.push_back({inner, *inner.getCarriedNumber(use)});
        }
        SmallVector<Value> inits(begins.size(), first.getIterator());
        auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
          SmallVector<Value> values;
          for (auto [inner, number] : begins)
            values.push_back(lastOf(inner.getResult(number)));
          return values;
        };
        IRRewriter rewriter(func.getContext());
        rewriter.setInsertionPoint(loop);
        FailureOr<CountedLoop> wider = loop.replaceWithAdditionalYields(rewriter, inits, yields);
        if (failed(wider))
          return "an outer loop cannot carry a ring's iterators";
        CountedLoop outer = *wider;
        for (auto [i, begin] : llvm::enumerate(begins))
          begin.first.getInitsMutable()[begin.second].assign(outer.getRegionIterArgs().take_back(begins.size())[i]);
        loop = outer;
      }
    }
    return {};
  }

  /// Where the last of the loops that go on with a place ends (MergeRings.h).
  static Value lastOf(Value place) {
    for (;;) {
      auto next = llvm::find_if(place.getUses(), [&](OpOperand &use) {
        auto loop = dyn_cast<CountedLoop>(use.getOwner());
        return loop && loop->getBlock() == place.getParentBlock() && loop.getCarriedNumber(use);
      });
      if (next == place.use_end())
        return place;
      auto loop = cast<CountedLoop>(next->getOwner());
      place = loop.getResult(*loop.getCarriedNumber(*next));
    }
  }

  /// Takes a stage from rings of more than two, all of one type, or of two that are filled seldom; false if there are
  /// none. One agent that does everything may have had room for it behind its loops.
  bool dropStage() {
    auto most = llvm::max_element(
        rings, [](CreatePipelineOp a, CreatePipelineOp b) { return a.getNumStages() < b.getNumStages(); });
    if (most == rings.end())
      return false;
    if (most->getNumStages() <= 2)
      most =
          llvm::find_if(rings, [](CreatePipelineOp ring) { return ring.getNumStages() == 2 && isFilledSeldom(ring); });
    if (most == rings.end())
      return false;
    MLIRContext *context = func.getContext();
    PipelineType old = most->getPipeline().getType();
    ArrayRef<Type> elements = old.getElements();
    int32_t stages = old.getStages() - 1;
    for (CreatePipelineOp ring : rings) {
      if (ring.getPipeline().getType() != old)
        continue;
      SmallVector<Value> dropped(ring.getStages().take_back(elements.size()));
      ring.getStagesMutable().erase(stages * elements.size(), elements.size());
      ring.setNumStages(stages);
      for (Value tile : dropped)
        if (tile.use_empty())
          tile.getDefiningOp()->erase();
    }
    auto retype = [&](Value value) {
      if (value.getType() == old)
        value.setType(PipelineType::get(context, stages, elements));
      else if (value.getType() == PipelineIteratorType::get(context, old.getStages(), elements))
        value.setType(PipelineIteratorType::get(context, stages, elements));
    };
    func.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), retype);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), retype);
    });
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Who does what
  //===--------------------------------------------------------------------===//

  /// What stays in front of the agents: rings and their tiles, and numbers, views and memory references that are
  /// computed from such.
  void findShared() {
    auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
    bool onlyReads = true;
    for (Operation &op : body->without_terminator()) {
      if (isa<CreatePipelineOp>(op) || (isa<AllocTensorOp>(op) && llvm::any_of(op.getUsers(), [](Operation *u) {
                                          return isa<CreatePipelineOp>(u);
                                        }))) {
        shared.insert(&op);
        continue;
      }
      bool plain = op.getNumRegions() == 0 && llvm::none_of(op.getResultTypes(), isTile) &&
                   llvm::none_of(op.getOperandTypes(), isTile) && !isa<CreateIteratorOp>(op) &&
                   llvm::all_of(op.getOperands(), [&](Value operand) {
                     return !operand.getDefiningOp() || shared.contains(operand.getDefiningOp());
                   });
      // A number that is loaded before anything else happens.
      bool free = isMemoryEffectFree(&op);
      bool reads = onlyReads && hasSingleEffect<MemoryEffects::Read>(&op);
      if (plain && (free || reads))
        shared.insert(&op);
      else if (!free && !isa<AllocTensorOp>(op))
        onlyReads = false;
    }
  }

  /// Why the threads of a cluster could not meet, or nothing. All of them have to come there, or to have left. The
  /// agent that fills rings leaves when its loops are done: not while others are in loops of theirs, unless sums that
  /// are handed on say what they meet for (orderBlocksBySums), and not before what it fills behind the meeting has been
  /// read, which those who wait there cannot do.
  StringRef whyNotApart() {
    auto fills = [](Operation *op) { return fillsStages(op) ? WalkResult::interrupt() : WalkResult::advance(); };
    StringRef why;
    func.walk([&](NVVM::ClusterWaitOp meeting) {
      if (meeting->getBlock() != body) {
        meetsInLoops = true;
        return;
      }
      for (Operation *op = meeting->getNextNode(); op && why.empty(); op = op->getNextNode())
        if (op->walk(fills).wasInterrupted())
          why = "blocks of the cluster meet before the last loop that fills rings";
    });
    return why;
  }

  StringRef addRoots(AgentSlice &producer, AgentSlice &consumer) {
    bool produces = false, consumes = false, blocked = false;
    if (StringRef why = whyNotApart(); !why.empty())
      return why;
    std::function<void(Block *)> visit = [&](Block *block) {
      for (Operation &op : block->without_terminator()) {
        if (shared.contains(&op))
          continue;
        if (isa<CountedLoop, Branch>(op)) {
          for (Region &region : op.getRegions())
            for (Block &inner : region)
              visit(&inner);
          continue;
        }
        if (fillsStages(&op)) {
          produces = true;
          blocked |= failed(producer.addRoot(&op));
          continue;
        }
        if (op.walk([](Operation *inner) {
                return fillsStages(inner) ? WalkResult::interrupt() : WalkResult::advance();
              }).wasInterrupted())
          blocked = true;
        if (isMemoryEffectFree(&op) || isa<AllocTensorOp>(op))
          continue;
        consumes |= isa<ConsumerReadOp>(op);
        blocked |= failed(consumer.addRoot(&op));
      }
    };
    visit(body);
    if (blocked)
      return "what is fetched depends on what is computed";
    return produces && consumes ? "" : "there is no ring with two sides";
  }

  //===--------------------------------------------------------------------===//
  // Warps and registers
  //===--------------------------------------------------------------------===//

  StringRef chooseWarps() {
    ExecutionContext threads = ExecutionContext::of(&func.getBody());
    consumerWarps = threads.numWarps;
    // Tiles that go through registers have a layout, whose warps there have to be.
    int32_t least = 1;
    func.walk([&](ProducerWriteOp write) {
      write.walk([&](Operation *op) {
        for (Type type : op->getResultTypes())
          if (isIn(type, MemoryKind::Registers))
            least = std::max(least, getLinearLayout(cast<RankedTensorType>(type)).inSize(tileiras::kWarp));
      });
    });
    const int32_t computingWarps = computing == Computing::Alternating ? 2 * consumerWarps : consumerWarps;
    for (producerWarps = std::max(kWarpgroup, least); producerWarps >= least; producerWarps /= 2)
      if (computingWarps + producerWarps <= 32 && producerWarps > 0)
        break;
      else if (producerWarps == 1)
        return "the block has no warps left for an agent that copies";
    if (producerWarps < least || computingWarps + producerWarps > 32)
      return "the block has no warps left for an agent that copies";
    // Registers: only where the agent that computes has several warpgroups to give them to.
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if (!target || !target->setMaxNReg || shareMultiprocessor(func) || producerWarps != kWarpgroup ||
        consumerWarps % kWarpgroup)
      return {};
    int32_t groups = computingWarps / kWarpgroup;
    int32_t atStart = target->registersPerSm / (32 * (computingWarps + producerWarps)) / 8 * 8;
    atStart = std::min(atStart, target->maxRegistersPerThread / 8 * 8);
    int32_t more = (atStart * (groups + 1) - kProducerRegisters) / groups / 8 * 8;
    more = std::min(more, 240);
    if (atStart > kProducerRegisters && more > atStart)
      budgets = {more, kProducerRegisters};
    return {};
  }

  /// A layout with the warps beyond the first `warps` folded into registers: each thread does the work of several.
  static Attribute onFewerWarps(Attribute layout, ArrayRef<int64_t> shape, int32_t warps) {
    LinearLayout linear = cast<LayoutAttrInterface>(layout).toLinearLayout(shape);
    std::vector<LinearLayout::InDim> dims;
    std::vector<std::vector<int32_t>> extra;
    for (int bit = llvm::Log2_32(warps); bit < linear.inBits(tileiras::kWarp); ++bit)
      extra.push_back(linear.basis(tileiras::kWarp, bit));
    for (tileiras::DimName name : linear.inNames()) {
      LinearLayout::InDim dim{name, {}};
      int bits = linear.inBits(name);
      if (name == tileiras::kWarp)
        bits = std::min<int>(bits, llvm::Log2_32(warps));
      for (int bit = 0; bit < bits; ++bit)
        dim.bases.push_back(linear.basis(name, bit));
      if (name == tileiras::kRegister)
        for (const std::vector<int32_t> &basis : extra)
          if (llvm::any_of(basis, [](int32_t c) { return c != 0; })) // copies of a tile are not made twice
            dim.bases.push_back(basis);
      dims.push_back(dim);
    }
    return getLayoutAttr(layout.getContext(), LinearLayout(dims, linear.shape()));
  }

  //===--------------------------------------------------------------------===//
  // The agents
  //===--------------------------------------------------------------------===//

  /// Whether the stage of a token is given back somewhere, also in a later round of loops, or behind them.
  static bool isReleased(Value token) {
    llvm::SmallSetVector<Value, 4> tokens;
    tokens.insert(token);
    for (size_t i = 0; i < tokens.size(); ++i)
      for (OpOperand &use : tokens[i].getUses()) {
        if (isa<ConsumerReleaseOp>(use.getOwner()))
          return true;
        for (Value destination : nv_tileaa::getDestinations(use))
          tokens.insert(destination);
      }
    return false;
  }

  /// Whoever reads a stage gives it back.
  void insertReleases() {
    func.walk([](ConsumerReadOp read) {
      if (isReleased(read.getConsumed()))
        return;
      OpBuilder builder(read->getContext());
      builder.setInsertionPointAfter(read);
      ConsumerReleaseOp::create(builder, read.getLoc(), read.getPipeline(), read.getConsumed());
    });
  }

  AgentSwitchOp build(const AgentSlice &producer, const AgentSlice &consumer) {
    OpBuilder builder(body->getTerminator());
    OperationState state(func.getLoc(), AgentSwitchOp::getOperationName());
    state.addRegion();
    state.addRegion();
    auto agents = cast<AgentSwitchOp>(builder.create(state));
    // The agent that computes first: its layouts count warps from the first warp of the block.
    agents.setNumWarps(ArrayRef<int32_t>{consumerWarps, producerWarps});
    if (!budgets.empty())
      agents.setMaxRegs(budgets);
    for (auto [number, slice] : llvm::enumerate(std::array{&consumer, &producer})) {
      Block *block = builder.createBlock(&agents->getRegion(number));
      IRMapping map;
      slice->clone(builder, map);
      builder.setInsertionPointToEnd(block);
      PipelineYieldOp::create(builder, func.getLoc(), ValueRange());
    }
    // Fewer threads make the same copies.
    agents->getRegion(1).walk([&](AsyncTiledLoadOp load) {
      if (load.getCopies().toLinearLayout(load.getDest().getType().getShape()).inSize(tileiras::kWarp) > producerWarps)
        load.setCopiesAttr(cast<LayoutAttrInterface>(
            onFewerWarps(load.getCopies(), load.getDest().getType().getShape(), producerWarps)));
    });
    // Who fills a stage and who reads it are not the same threads: its barriers say when it is full and when it is
    // empty.
    for (CreatePipelineOp ring : rings) {
      ring->removeAttr("groups");
      ring->setAttr(kDrainedAttr, builder.getUnitAttr());
    }
    SmallVector<Operation *> done;
    for (Operation &op : body->without_terminator())
      if (&op != agents && !shared.contains(&op))
        done.push_back(&op);
    for (Operation *op : llvm::reverse(done)) {
      op->dropAllUses();
      op->erase();
    }
    func.walk([](Operation *op) { op->removeAttr("pipeline_stage"); });
    return agents;
  }

  nv_tileaa::FuncOp func;
  Block *body;
  bool onlyWhereFaster;
  Computing computing;
  bool peel, droppedStages = false, meetsInLoops = false;
  ArrayRef<Streams> streams;
  SmallVector<CreatePipelineOp> rings;
  llvm::SetVector<Operation *> shared;
  int32_t producerWarps = 0, consumerWarps = 0;
  SmallVector<int32_t> budgets;
  RingRounds rounds;
};

struct MaterializeSchedulePass : nv_tileas::impl::MaterializeSchedulePassBase<MaterializeSchedulePass> {
  using MaterializeSchedulePassBase::MaterializeSchedulePassBase;

  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    std::optional<std::reference_wrapper<ScheduleAnalysis>> analysis = getCachedAnalysis<ScheduleAnalysis>();
    if (!analysis || !analysis->get().isPublished()) {
      func.emitOpError("has no schedule: tileas-generate-schedule has to run right before");
      return signalPassFailure();
    }
    if (!analysis->get().isOf(func)) {
      func.emitOpError("is not what it was when tileas-generate-schedule ran: nothing may run in between");
      return signalPassFailure();
    }
    if (failed(checkQueuesAreGone(func, getArgument())) || failed(checkCopiesHaveRings(func, getArgument())) ||
        failed(checkConversionsHavePlans(func, getArgument())) || failed(checkNothingRunsAhead(func, getArgument())) ||
        failed(checkAliases()) || failed(checkStagesAgree(func)))
      return signalPassFailure();
    if (turns != "auto" && turns != "always" && turns != "tile-blocks" && turns != "never") {
      func.emitOpError("expects 'turns' to be auto, always, tile-blocks or never, got '") << turns << "'";
      return signalPassFailure();
    }
    ScheduleAnalysis &schedules = analysis->get();
    if (schedules.kind() == schedule::Kind::None || schedules.loops().empty())
      return markAllAnalysesPreserved();
    if (useAUS || !enableScheduleRewrite) {
      for (LoopSchedule &loop : schedules.loops())
        tag(loop);
      return;
    }
    divide(schedules);
  }

private:
  /// The tiles of a ring are nobody else's.
  LogicalResult checkAliases() {
    WalkResult walk = getOperation().walk([](CreatePipelineOp ring) {
      llvm::SmallDenseSet<Value> seen;
      for (Value tile : ring.getStages()) {
        bool others = llvm::any_of(tile.getUsers(), [&](Operation *user) { return user != ring; });
        if (!seen.insert(tile).second || others) {
          ring.emitOpError("Alias is not expected here.");
          return WalkResult::interrupt();
        }
      }
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }

  static void tag(LoopSchedule &loop) {
    Builder builder(loop.loop.getContext());
    for (auto [node, op] : llvm::enumerate(loop.ops)) {
      if (loop.schedule.stage.empty())
        continue;
      op->setAttr(kStageAttr, builder.getI32IntegerAttr(loop.schedule.stage[node]));
      op->setAttr(kOrderAttr, builder.getI32IntegerAttr(loop.schedule.order[node]));
    }
    for (auto [op, node] : loop.fused)
      if (!loop.schedule.stage.empty()) {
        op->setAttr(kStageAttr, loop.ops[node]->getAttr(kStageAttr));
        op->setAttr(kOrderAttr, loop.ops[node]->getAttr(kOrderAttr));
      }
  }

  void divide(ScheduleAnalysis &schedules) {
    nv_tileaa::FuncOp func = getOperation();
    if (hasAgents(func))
      return markAllAnalysesPreserved();
    IRMapping map;
    Region before;
    func.getBody().cloneInto(&before, map);
    // Turns that are asked for are those of two agents: each has its own code, in which the barriers are constants.
    bool two = useDualSimt && schedule::costsFor(schedules.computeCapability()).tensorCopies &&
               llvm::any_of(schedules.loops(), [&](const LoopSchedule &loop) {
                 return loop.wantsTwoAgents() || (turns == "always" && !loop.mutexes.empty());
               });
    for (LoopSchedule &loop : schedules.loops()) {
      tag(loop);
      takeMutexes(loop);
    }
    SmallVector<Streams> streams = streamsOfRings(schedules);
    bool apart = llvm::any_of(streams, [](const Streams &its) { return its.size() > 1; });
    const bool alternates = turns == "tile-blocks" || func->hasAttr(kAlternatesAttr);
    const Computing asked = alternates ? Computing::Alternating : two ? Computing::Two : Computing::One;
    Region tagged;
    if (asked != Computing::One || apart) {
      IRMapping again;
      func.getBody().cloneInto(&tagged, again);
    }
    auto restore = [&] {
      IRMapping again;
      Region copy;
      tagged.cloneInto(&copy, again);
      func.getBody().takeBody(copy);
    };
    RingRounds rounds;
    // More barriers must not cost a stage.
    auto run = [&](Computing computing) {
      Division division(func, onlyWhereFaster, computing, peelWithinAgents, streams);
      StringRef why = division.run();
      rounds = division.getRounds();
      if (!apart || (why.empty() && !division.hasDroppedStages()))
        return why;
      restore();
      Division together(func, onlyWhereFaster, computing, peelWithinAgents, {});
      StringRef whyTogether = together.run();
      rounds = together.getRounds();
      apart &= !whyTogether.empty();
      return whyTogether;
    };
    StringRef why = run(asked), whyNotTwo;
    const bool alternating = asked == Computing::Alternating && why.empty();
    if (asked == Computing::Alternating) {
      if (alternating)
        remarks::passed(func, remarks::kSchedule, "Turns")
            << remarks::figure("Alternatives", "turns=never")
            << remarks::because(
                   "one agent stores the sums of a tile block while the other one multiplies for the next");
      else
        remarks::missed(func, remarks::kSchedule, "Turns") << remarks::because(why);
    }
    if (asked == Computing::Alternating && !alternating) {
      restore();
      why = run(two ? Computing::Two : Computing::One);
    }
    if (two && !alternating && !why.empty()) {
      whyNotTwo = why;
      restore();
      why = run(Computing::One);
    }
    if (!why.empty()) {
      func.getBody().takeBody(before);
      remarks::missed(func, remarks::kSchedule, "Agents") << remarks::because(why);
      return;
    }
    if (rounds.added)
      remarks::passed(func, remarks::kPipeline, "RingRound")
          << remarks::figure("Tiles", rounds.added)
          << remarks::because("what is multiplied behind a loop is one more round of its ring");
    else if (!rounds.why.empty())
      remarks::missed(func, remarks::kPipeline, "RingRound") << remarks::because(rounds.why);
    two &= whyNotTwo.empty();
    std::string because = "one agent fills rings, " + std::string(alternating ? "two compute every other tile block"
                                                                  : two       ? "two compute"
                                                                              : "another computes");
    if (!whyNotTwo.empty())
      because += "; two would keep each other busy, but " + whyNotTwo.str();
    if (apart)
      because += "; tiles that are read apart have rings of their own";
    remarks::passed(func, remarks::kSchedule, "Agents")
        << remarks::figure("Computing", two || alternating ? 2 : 1)
        << remarks::figure("Alternatives", "pipeline-strategy=unspecialize, pipeline-strategy=none")
        << remarks::because(because);
  }

  /// Gives each mutex of a loop a named barrier: the two warpgroups that compute have the matrix unit in turns.
  void takeMutexes(LoopSchedule &loop) {
    if (loop.mutexes.empty() || turns == "never")
      return;
    if (turns != "always") {
      remarks::missed(loop.loop, remarks::kSchedule, "Turns")
          << remarks::figure("Alternatives", "turns=always")
          << remarks::because("a matrix unit that serves its warpgroups as they come has them in turns by itself");
      return;
    }
    SmallVector<int32_t> barriers;
    for (size_t i = 0; i < loop.mutexes.size(); ++i)
      barriers.push_back(kFirstTurnBarrier + int32_t(i));
    loop.loop->setAttr(kTurnsAttr, Builder(loop.loop.getContext()).getDenseI32ArrayAttr(barriers));
  }

  /// The pipes of the schedules, by rings in the order of the function.
  SmallVector<Streams> streamsOfRings(ScheduleAnalysis &schedules) {
    llvm::MapVector<Operation *, Streams> streams;
    getOperation().walk([&](CreatePipelineOp ring) { streams[ring]; });
    for (LoopSchedule &loop : schedules.loops())
      for (const auto &pipe : loop.pipes)
        // What several loops use has one stream, of all tiles, in each of them.
        if (Streams &its = streams[pipe.op]; !llvm::is_contained(its, pipe.tiles))
          its.push_back(pipe.tiles);
    return llvm::map_to_vector(streams, [](auto &its) { return its.second; });
  }

  static bool hasAgents(nv_tileaa::FuncOp func) {
    return func.walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }
};

} // namespace
