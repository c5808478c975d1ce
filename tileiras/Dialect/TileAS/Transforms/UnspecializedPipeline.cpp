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
// stays where it is (tileas-materialize-async makes such rings of one stage).
//
// In an iteration the consumer's wait comes first: all threads meet there, and behind it nobody reads the stage that
// the iteration before has read, which is the one that the producer fills next.
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
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_UNSPECIALIZEDPIPELINEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

bool isProducing(Operation *op) { return isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(op); }

/// The operations of a loop's body in the order of the pipelined iteration, and how late each runs.
struct Schedule {
  std::vector<std::pair<Operation *, unsigned>> order;
  unsigned last = 0; ///< stage

  /// What carries no stage runs in the last one.
  static Schedule of(scf::ForOp loop, unsigned stagesAtMost) {
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
    llvm::SmallDenseSet<Value> filledInTurn;
    for (auto acquire : loop.getBody()->getOps<ProducerAcquireOp>()) {
      auto ring = acquire.getPipeline().getDefiningOp<CreatePipelineOp>();
      unsigned ahead = most - stageOf(*acquire);
      if (ahead == 0)
        filledInTurn.insert(acquire.getPipeline());
      else if (ring && ring.getNumStages() <= int64_t(ahead) &&
               llvm::any_of(loop.getBody()->getOps<ConsumerReleaseOp>(),
                            [&](ConsumerReleaseOp op) { return op.getPipeline() == acquire.getPipeline(); }))
        filledBehindRelease[acquire.getPipeline()];
    }
    auto isEarlyWait = [&](Operation &op) {
      auto wait = dyn_cast<ConsumerWaitOp>(op);
      return wait && !filledInTurn.contains(wait.getPipeline()) && llvm::all_of(op.getOperands(), [&](Value operand) {
               return !operand.getDefiningOp() || operand.getDefiningOp()->getBlock() != op.getBlock();
             });
    };
    for (bool waits : {true, false})
      for (bool early : {true, false})
        for (Operation &op : loop.getBody()->without_terminator()) {
          unsigned stage = stageOf(op);
          if (isEarlyWait(op) != waits || (stage == 0) != early)
            continue;
          if (auto late = isProducing(&op) ? filledBehindRelease.find(op.getOperand(0)) : filledBehindRelease.end();
              late != filledBehindRelease.end()) {
            late->second.push_back(&op);
            continue;
          }
          schedule.order.emplace_back(&op, stage);
          if (auto release = dyn_cast<ConsumerReleaseOp>(op))
            for (Operation *producer : filledBehindRelease.lookup(release.getPipeline()))
              schedule.order.emplace_back(producer, stageOf(*producer));
        }
    schedule.last = most;
    return schedule;
  }

  bool isEmpty() const {
    return last == 0 || llvm::none_of(order, [](const auto &entry) { return entry.second == 0; });
  }

  /// Whether every value is there when it is used.
  bool isValid(scf::ForOp loop) const {
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
bool canExpand(scf::ForOp loop, const Schedule &schedule) {
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
  llvm::TypeSwitch<Operation *>(op).Case<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>([&](auto producing) {
    rewriter.modifyOpInPlace(op, [&] { producing.getPredicateMutable().assign(predicate); });
  });
  return op;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Whether counter, bounds and `ahead` steps more or less stay in the counter's type, given that the upper bound is not
/// below the lower one.
bool hasRoom(scf::ForOp loop, unsigned ahead) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), step = getConstantIntValue(loop.getStep());
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  if (!lower || !step || !type || loop.getUnsignedCmp())
    return false;
  unsigned width = std::min(type.getWidth(), 64u);
  int64_t most = llvm::maxIntN(width) / 4;
  return *step > 0 && *step <= most / int64_t(ahead) && std::abs(*lower) <= most;
}

/// The same loop, counting in 64 bits.
scf::ForOp widen(RewriterBase &rewriter, scf::ForOp loop) {
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
  auto wideLoop = scf::ForOp::create(rewriter, loc, lower, upper, step, loop.getInitArgs());
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
    bool agents = getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (numStages <= 1 || agents)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      Schedule schedule = Schedule::of(loop, numStages);
      if (loop->hasAttr(kNotPipelinedAttr) || schedule.isEmpty() || !schedule.isValid(loop))
        continue;
      if (!canExpand(loop, schedule) || failed(expand(loop, schedule)))
        loop.emitRemark("Failed to pipeline loop");
    }
  }

private:
  LogicalResult expand(scf::ForOp loop, const Schedule &schedule) {
    IRRewriter rewriter(&getContext());
    bool narrow = loop.getInductionVar().getType().isIntOrFloat() &&
                  loop.getInductionVar().getType().getIntOrFloatBitWidth() < 64;
    bool room = hasRoom(loop, schedule.last);
    if (!room && !narrow)
      return failure();
    Operation *bound = nullptr;
    if (!room) {
      loop = widen(rewriter, loop);
    } else if (!getConstantIntValue(loop.getUpperBound())) {
      // No further below the lower bound than the steps that predicates take back.
      rewriter.setInsertionPoint(loop);
      bound = arith::MaxSIOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound());
      loop.setUpperBound(bound->getResult(0));
    }
    scf::PipeliningOption options;
    unsigned most = numStages;
    options.getScheduleFn = [most](scf::ForOp loop, std::vector<std::pair<Operation *, unsigned>> &order) {
      order = Schedule::of(loop, most).order;
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
