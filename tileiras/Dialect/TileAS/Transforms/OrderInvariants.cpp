//===- OrderInvariants.cpp - What has been done before a pass runs --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "mlir/IR/Verifier.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace aa = mlir::nv_tileaa;

/// Visits all operations until one is not as it should be.
static LogicalResult forEach(Operation *func, function_ref<LogicalResult(Operation *)> check) {
  return failure(func->walk([&](Operation *op) { return WalkResult(check(op)); }).wasInterrupted());
}

static bool hasAgents(Operation *func) {
  return func->walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

static InFlightDiagnostic notYet(Operation *op, StringRef what, StringRef first, StringRef then) {
  return op->emitOpError() << what << ": '" << first << "' has to run before '" << then << "'";
}

LogicalResult nv_tileas::checkQueuesAreGone(Operation *func, StringRef pass) {
  return forEach(func, [&](Operation *op) -> LogicalResult {
    if (!isa<aa::CreateQueueOp, aa::QueuePutOp, aa::QueueGetOp, aa::ExecuteOp>(op))
      return success();
    return notYet(op, "has not become part of a pipeline", "tileas-queue-to-pipeline", pass);
  });
}

LogicalResult nv_tileas::checkCopiesHaveRings(Operation *func, StringRef pass) {
  if (hasAgents(func))
    return success();
  return forEach(func, [&](Operation *op) -> LogicalResult {
    auto loop = dyn_cast<CountedLoop>(op);
    auto ofRing = [](Operation &inner) {
      return llvm::any_of(inner.getOperandTypes(), [](Type type) { return isa<PipelineType>(type); });
    };
    // A ring may leave copies alone that cannot be made ahead.
    if (!loop || loop->hasAttr(kNotPipelinedAttr) || llvm::any_of(*loop.getBody(), ofRing))
      return success();
    for (AsyncCopyOpInterface load : loop.getBody()->getOps<AsyncCopyOpInterface>())
      return notYet(load, "has no ring, and nothing says that its loop gets none", "tileas-materialize-async", pass);
    return success();
  });
}

LogicalResult nv_tileas::checkConversionsHavePlans(Operation *func, StringRef pass) {
  return forEach(func, [&](Operation *op) -> LogicalResult {
    auto convert = dyn_cast<ConvertLayoutOp>(op);
    if (!convert || convert.getAtomPlan() || !isIn(convert.getSource().getType(), MemoryKind::Registers) ||
        !isIn(convert.getType(), MemoryKind::Registers))
      return success();
    return notYet(op, "has no plan and may take shared memory from rings", "tileas-materialize-convert-layout", pass);
  });
}

LogicalResult nv_tileas::checkNothingRunsAhead(Operation *func, StringRef pass) {
  return forEach(func, [&](Operation *op) -> LogicalResult {
    auto acquire = dyn_cast<ProducerAcquireOp>(op);
    if (!acquire || !acquire.getPredicate() || !acquire->getParentOfType<CountedLoop>())
      return success();
    return notYet(op, "runs ahead of the loop's counter already", pass, "tileas-unspecialized-pipeline");
  });
}

LogicalResult nv_tileas::checkStagesAgree(Operation *func) {
  /// What the two sides of a ring say in one loop.
  struct Sides {
    Operation *producer = nullptr, *consumer = nullptr;
  };
  auto stageOf = [](Operation *op) -> int64_t {
    auto stage = op->getAttrOfType<IntegerAttr>(kPipelineStageAttr);
    return stage ? stage.getInt() : -1;
  };
  // The wording is the contract's; what it is about is in the notes.
  auto refuse = [&](Operation *op, Operation *other, StringRef side) {
    InFlightDiagnostic error = op->emitOpError("Alias is not expected here.");
    auto say = [&](Operation *op) {
      Diagnostic &note = error.attachNote(op->getLoc());
      if (int64_t stage = stageOf(op); stage < 0)
        note << "this has no stage of the schedule";
      else
        note << "this is of stage " << stage;
    };
    error.attachNote(op->getLoc()) << "one stage of a pipeline has " << side;
    say(op);
    say(other);
    return failure();
  };
  auto ofLoop = [&](CountedLoop loop) -> LogicalResult {
    llvm::SmallMapVector<Value, Sides, 4> rings;
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool produces = isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ProduceOneOp, ProduceOneAsyncOp>(op);
      bool consumes = isa<ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp, ConsumeOneOp, ConsumeOneAsyncOp>(op);
      if (!produces && !consumes)
        continue;
      Sides &sides = rings[op.getOperand(0)];
      Operation *&first = produces ? sides.producer : sides.consumer;
      if (!first)
        first = &op;
      else if (stageOf(first) != stageOf(&op))
        return refuse(&op, first, produces ? "one that fills it" : "one that reads it");
    }
    for (auto &[pipeline, sides] : rings) {
      if (!sides.producer || !sides.consumer)
        continue;
      int64_t filled = stageOf(sides.producer), read = stageOf(sides.consumer);
      int64_t stages = cast<PipelineType>(pipeline.getType()).getStages();
      // A ring that is filled further ahead than it has stages would wait for itself.
      if ((filled < 0) != (read < 0) || read < filled || read - filled > stages)
        return refuse(sides.consumer, sides.producer, "a reader behind the one that fills it, by its depth at most");
    }
    return success();
  };
  return forEach(func, [&](Operation *op) -> LogicalResult {
    auto loop = dyn_cast<CountedLoop>(op);
    return loop ? ofLoop(loop) : success();
  });
}

LogicalResult nv_tileas::checkScaledProducts(Operation *func) {
  return forEach(func, [&](Operation *op) -> LogicalResult {
    auto dot = dyn_cast<DotOp>(op);
    bool scaled = isa<aa::MmaBlockScaleOp>(op) || (dot && dot.getSfa());
    return scaled ? verify(op, /*verifyRecursively=*/false) : success();
  });
}
