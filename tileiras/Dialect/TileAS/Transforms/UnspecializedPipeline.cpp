//===- UnspecializedPipeline.cpp - tileas-unspecialized-pipeline ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Software pipelining by one agent (docs/pipelines.md). MLIR's scf::pipelineForLoop moves what has a lower
// `pipeline_stage` into earlier iterations. The first iterations of the low stages stand before the loop; in the last
// iterations of the loop they are switched off by a predicate, so that the products, of which there may be many, stand
// in the program once.
//
// A ring that has no stage more than it is filled ahead is filled as soon as its stage has been released, and its wait
// stays where it is (tileas-materialize-async makes such rings of one stage). Where rings have one place in turns
// (kSharedPlaceAttr), that is behind the first wait after the last of them has been released.
//
// Where tileas-extend-rings has an iteration fill a stage for the next one, that counts as one iteration ahead.
//
// In an iteration the consumer's wait comes first: all threads meet there, and behind it nobody reads the stage that
// the iteration before has read, which is the one that the producer fills next. Products that the threads issue one by
// one (mma.sync) are read before that: behind the meeting all warps want the factors at once, and copies, which have
// two iterations to arrive, would stand in their way. With one iteration to arrive they come first.
//
// Predicates compare counters of other iterations with the upper bound. A loop whose counter could leave its type on
// the way counts in 64 bits.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PipelineMisses.h"
#include "tileiras/Dialect/TileAS/Transforms/TokenIndex.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_UNSPECIALIZEDPIPELINEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;

namespace {

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

bool isProducing(Operation *op) {
  return isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ProduceOneOp, ProduceOneAsyncOp>(op);
}
/// Whether the operation waits for an empty stage, or gives one back.
bool isAcquiring(Operation *op) { return isa<ProducerAcquireOp, ProduceOneOp, ProduceOneAsyncOp>(op); }
bool isReleasing(Operation *op) { return isa<ConsumerReleaseOp, ConsumeOneOp>(op); }
bool isConsuming(Operation *op) { return isa<ConsumerWaitOp, ConsumeOneOp, ConsumeOneAsyncOp>(op); }

/// i32 each, what a schedule written by hand says of an operation (seed 004): the stage, and how many iterations back
/// the one is that it belongs to, which is the same with a sign.
constexpr llvm::StringLiteral kStageNameAttr = "stage", kIterOffsetAttr = "iter_offset";

/// Such a schedule as `pipeline_stage`. False if an operation of the loop has none, or one that contradicts itself.
bool takeOverSchedule(CountedLoop loop, SmallVectorImpl<std::pair<Operation *, int64_t>> &stages) {
  auto number = [](Operation &op, StringRef name) {
    auto attr = op.getAttrOfType<IntegerAttr>(name);
    return attr ? std::optional(attr.getInt()) : std::nullopt;
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    std::optional<int64_t> stage = number(op, kStageNameAttr), offset = number(op, kIterOffsetAttr);
    if (!stage || *stage < 0 || (offset && *offset != -*stage))
      return false;
    stages.emplace_back(&op, *stage);
  }
  return true;
}

/// Whether a loop multiplies, by mma.sync alone: the tensor cores work while the threads copy. (Multiply-adds are the
/// threads' own, and a gemma attention of f32 spills if its copies come last.)
bool multipliesAtOnce(CountedLoop loop) {
  bool any = false, all = true;
  loop->walk([&](DotOp dot) {
    any = true;
    all &= dot.getAtom() && isa<MmaAtomAttr>(Attribute(*dot.getAtom()));
  });
  return any && all;
}

/// Where all threads have met behind the last release of the place that a ring shares with others: the next wait of the
/// loop. Null if the ring has a place of its own, or there is no such wait.
Operation *waitBehindTurns(CountedLoop loop, CreatePipelineOp ring) {
  std::optional<int64_t> place = getSharedPlace(ring);
  Operation *released = nullptr;
  for (Operation &op : *loop.getBody())
    if (place && isReleasing(&op) && getSharedPlace(op.getOperand(0).getDefiningOp<CreatePipelineOp>()) == place)
      released = &op;
  for (Operation *op = released; op; op = op->getNextNode())
    if (isa<ConsumerWaitOp>(op))
      return op;
  return nullptr;
}

/// Whether an iteration fills a stage for the next one (tileas-extend-rings), behind its own wait for the same ring.
bool fillsForNext(Operation *acquire) {
  for (Operation *op = acquire->getPrevNode(); op; op = op->getPrevNode())
    if (isa<ConsumerWaitOp>(op) && op->getOperand(0) == acquire->getOperand(0))
      return true;
  return false;
}

/// The operations of a loop's body in the order of the pipelined iteration, and how late each runs.
struct Schedule {
  std::vector<std::pair<Operation *, unsigned>> order;
  unsigned last = 0; ///< stage

  /// What carries no stage runs in the last one.
  static Schedule of(CountedLoop loop, unsigned stagesAtMost) {
    Schedule schedule;
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto stage = op.getAttrOfType<IntegerAttr>(kPipelineStageAttr))
        schedule.last = std::max<unsigned>(schedule.last, std::max<int64_t>(stage.getInt(), 0));
    unsigned most = std::min(schedule.last, stagesAtMost - 1);
    auto stageOf = [most](Operation &op) {
      auto attr = op.getAttrOfType<IntegerAttr>(kPipelineStageAttr);
      return attr ? std::min<unsigned>(std::max<int64_t>(attr.getInt(), 0), most) : most;
    };
    // A stage of a ring that is filled as many iterations ahead as the ring has stages is free behind its release. And
    // who waits for what is filled in the same iteration does not begin with that.
    llvm::SmallDenseMap<Value, SmallVector<Operation *>> filledBehindRelease;
    llvm::SmallDenseMap<Operation *, SmallVector<Value>>
        filledBehindWait; ///< the wait behind which a ring that takes turns is filled
    llvm::SmallDenseSet<Value> filledInTurn, filledLast, waitsInPlace, filledForNext;
    bool atOnce = multipliesAtOnce(loop);
    for (Operation &acquire : loop.getBody()->without_terminator()) {
      if (!isAcquiring(&acquire))
        continue;
      Value pipeline = acquire.getOperand(0);
      auto ring = pipeline.getDefiningOp<CreatePipelineOp>();
      unsigned ahead = most - stageOf(acquire);
      if (fillsForNext(&acquire)) {
        ++ahead;
        filledForNext.insert(pipeline);
      }
      if (ring && getSharedPlace(ring))
        waitsInPlace.insert(pipeline);
      if (ahead == 0)
        filledInTurn.insert(pipeline);
      else if (Operation *wait = waitBehindTurns(loop, ring)) {
        filledBehindRelease[pipeline];
        filledBehindWait[wait].push_back(pipeline);
      } else if (ring && ring.getNumStages() <= int64_t(ahead) && llvm::any_of(*loop.getBody(), [&](Operation &op) {
                   return isReleasing(&op) && op.getOperand(0) == pipeline;
                 }))
        filledBehindRelease[pipeline]; // last anyway
      else if (ahead >= 2 && atOnce && ring && ring.getGroups())
        filledLast.insert(pipeline);
    }
    auto isEarlyWait = [&](Operation &op) {
      if (!isConsuming(&op) || filledInTurn.contains(op.getOperand(0)) || waitsInPlace.contains(op.getOperand(0)))
        return false;
      // What earlier iterations have left for a region is there at the start.
      unsigned stage = isa<ConsumerWaitOp>(op) ? 0 : stageOf(op);
      return !op.walk([&](Operation *inner) {
                  for (Value operand : inner->getOperands())
                    if (Operation *def = operand.getDefiningOp();
                        def && def->getBlock() == op.getBlock() && stageOf(*def) >= stage)
                      return WalkResult::interrupt();
                  return WalkResult::advance();
                }).wasInterrupted();
    };
    enum When { First, Then, Last };
    for (bool waits : {true, false})
      for (When when : {First, Then, Last})
        for (Operation &op : loop.getBody()->without_terminator()) {
          unsigned stage = stageOf(op);
          bool fills = isProducing(&op);
          When its = fills && filledLast.contains(op.getOperand(0))                      ? Last
                     : stage == 0 || (fills && filledForNext.contains(op.getOperand(0))) ? First
                                                                                         : Then;
          if (isEarlyWait(op) != waits || its != when)
            continue;
          if (auto late = isProducing(&op) ? filledBehindRelease.find(op.getOperand(0)) : filledBehindRelease.end();
              late != filledBehindRelease.end()) {
            late->second.push_back(&op);
            continue;
          }
          schedule.order.emplace_back(&op, stage);
          SmallVector<Value> behind = filledBehindWait.lookup(&op);
          if (isReleasing(&op) && !waitsInPlace.contains(op.getOperand(0)))
            behind.push_back(op.getOperand(0));
          for (Value pipeline : behind)
            for (Operation *producer : filledBehindRelease.lookup(pipeline))
              schedule.order.emplace_back(producer, stageOf(*producer));
        }
    schedule.last = most;
    return schedule;
  }

  bool isEmpty() const {
    return last == 0 || llvm::none_of(order, [](const auto &entry) { return entry.second == 0; });
  }

  /// Whether every value is there when it is used.
  bool isValid(CountedLoop loop) const {
    DenseMap<Operation *, unsigned> stages, positions;
    for (auto [i, entry] : llvm::enumerate(order)) {
      stages[entry.first] = entry.second;
      positions[entry.first] = i;
    }
    for (auto [op, stage] : order) {
      WalkResult walk = op->walk([&, op = op, stage = stage](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          Operation *def = operand.getDefiningOp();
          if (!def || def->getBlock() != loop.getBody())
            continue;
          if (stages.lookup(def) > stage || (stages.lookup(def) == stage && positions[def] > positions[op]))
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      });
      if (walk.wasInterrupted())
        return false;
    }
    return true;
  }
};

/// Whether what runs ahead can be switched off, and what goes round the loop is made by it.
bool canExpand(CountedLoop loop, const Schedule &schedule) {
  for (auto [op, stage] : schedule.order)
    if (stage < schedule.last && !isProducing(op) && !isPure(op))
      return false;
  return llvm::all_of(loop.getYieldedValues(), [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && (def->getBlock() == loop.getBody() || !loop->isAncestor(def));
  });
}

/// The operation, if `predicate` is true.
Operation *predicated(RewriterBase &rewriter, Operation *op, Value predicate) {
  if (!isProducing(op))
    return isPure(op) ? op : nullptr;
  llvm::TypeSwitch<Operation *>(op)
      .Case<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ProduceOneOp, ProduceOneAsyncOp>([&](auto producing) {
        rewriter.modifyOpInPlace(op, [&] { producing.getPredicateMutable().assign(predicate); });
      });
  return op;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Whether counter, bounds and `ahead` steps more or less stay in the counter's type, given that the upper bound is not
/// below the lower one.
bool hasRoom(CountedLoop loop, unsigned ahead) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), step = getConstantIntValue(loop.getStep());
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  if (!lower || !step || !type || loop.getUnsignedCmp())
    return false;
  unsigned width = std::min(type.getWidth(), 64u);
  int64_t most = llvm::maxIntN(width) / 4;
  return *step > 0 && *step <= most / int64_t(ahead) && std::abs(*lower) <= most;
}

/// The same loop, counting in 64 bits.
scf::ForOp widen(RewriterBase &rewriter, CountedLoop loop) {
  Location loc = loop.getLoc();
  Type narrow = loop.getInductionVar().getType(), wide = rewriter.getI64Type();
  bool isUnsigned = loop.getUnsignedCmp();
  rewriter.setInsertionPoint(loop);
  auto extend = [&](Value v) -> Value {
    return isUnsigned ? arith::ExtUIOp::create(rewriter, loc, wide, v).getResult()
                      : arith::ExtSIOp::create(rewriter, loc, wide, v).getResult();
  };
  Value lower = extend(loop.getLowerBound()), upper = extend(loop.getUpperBound());
  // A step is positive, whatever its sign bit says.
  Value step = arith::ExtUIOp::create(rewriter, loc, wide, loop.getStep());
  auto wideLoop = scf::ForOp::create(rewriter, loc, lower, upper, step, loop.getInits());
  wideLoop->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = wideLoop.getBody();
  rewriter.setInsertionPointToStart(body);
  SmallVector<Value> arguments = {arith::TruncIOp::create(rewriter, loc, narrow, wideLoop.getInductionVar())};
  llvm::append_range(arguments, wideLoop.getRegionIterArgs());
  if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
    rewriter.eraseOp(&body->back());
  rewriter.mergeBlocks(loop.getBody(), body, arguments);
  // Arithmetic on the counter runs with whatever needs it.
  body->front().setAttr(kPipelineStageAttr, rewriter.getI32IntegerAttr(0));
  rewriter.replaceOp(loop, wideLoop.getResults());
  return wideLoop;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct UnspecializedPipelinePass : nv_tileas::impl::UnspecializedPipelinePassBase<UnspecializedPipelinePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkConversionsHavePlans(getOperation(), getArgument())))
      return signalPassFailure();
    // That there is the analysis says to tileas-optimize-pipeline-region that regions are final.
    PipelineMisses &misses = getAnalysis<PipelineMisses>();
    markAnalysesPreserved<PipelineMisses>();
    bool agents = getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (numStages <= 1 || agents)
      return;
    for (CountedLoop loop : getCountedLoops(getOperation())) {
      if (!takeOver(loop)) {
        miss(misses, loop);
        continue;
      }
      Schedule schedule = Schedule::of(loop, numStages);
      if (loop->hasAttr(kNotPipelinedAttr) || schedule.isEmpty() || !schedule.isValid(loop))
        continue;
      if (!canExpand(loop, schedule) || failed(expand(loop, schedule)))
        miss(misses, loop);
    }
    updateTokenIndices(getOperation());
  }

private:
  static void miss(PipelineMisses &misses, CountedLoop loop) {
    loop.emitRemark("Failed to pipeline loop");
    misses.loops.insert(loop);
  }

  /// A loop with a schedule of the other spelling gets ours. False, and nothing has changed, if that has no sense.
  static bool takeOver(CountedLoop loop) {
    if (loop->hasAttr(kNotPipelinedAttr) ||
        llvm::none_of(*loop.getBody(), [](Operation &op) { return op.hasAttr(kIterOffsetAttr); }))
      return true;
    SmallVector<std::pair<Operation *, int64_t>> stages;
    if (!takeOverSchedule(loop, stages))
      return false;
    for (auto [op, stage] : stages) {
      op->setAttr(kPipelineStageAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 32), stage));
      op->removeAttr(kStageNameAttr);
      op->removeAttr(kIterOffsetAttr);
    }
    return true;
  }

  /// By MLIR's pipeliner, which takes scf.for.
  LogicalResult expand(CountedLoop counted, const Schedule &schedule) {
    auto loop = dyn_cast<scf::ForOp>(counted.getOperation());
    if (!loop)
      return failure();
    IRRewriter rewriter(&getContext());
    bool narrow = loop.getInductionVar().getType().isIntOrFloat() &&
                  loop.getInductionVar().getType().getIntOrFloatBitWidth() < 64;
    bool room = hasRoom(counted, schedule.last);
    if (!room && !narrow)
      return failure();
    Operation *bound = nullptr;
    if (!room) {
      loop = widen(rewriter, counted);
    } else if (!getConstantIntValue(loop.getUpperBound())) {
      // No further below the lower bound than the steps that predicates take back.
      rewriter.setInsertionPoint(loop);
      bound = arith::MaxSIOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound());
      loop.setUpperBound(bound->getResult(0));
    }
    scf::PipeliningOption options;
    unsigned most = numStages;
    options.getScheduleFn = [most](scf::ForOp loop, std::vector<std::pair<Operation *, unsigned>> &order) {
      order = Schedule::of(CountedLoop(loop), most).order;
    };
    options.supportDynamicLoops = true;
    options.peelEpilogue = false;
    options.predicateFn = predicated;
    options.annotateFn = [](Operation *op, scf::PipeliningOption::PipelinerPart, unsigned) {
      op->removeAttr(kPipelineStageAttr);
    };
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, options);
    if (failed(pipelined)) {
      if (bound) {
        loop.setUpperBound(bound->getOperand(1));
        rewriter.eraseOp(bound);
      }
      return failure();
    }
    for (Operation &op : *pipelined->getBody())
      op.removeAttr(kPipelineStageAttr);
    return success();
  }
};

} // namespace
