//===- PipelineOps.cpp - Verifiers of pipelines and barriers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"

using namespace mlir;
using namespace mlir::cutlass;

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (value && matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

LogicalResult PipelineCreateOp::verify() {
  PipelineType pipeline = getResult().getType();
  ParticipantsType participants = getParticipants().getType();
  if (pipeline.getProducer() != participants.getProducer() || pipeline.getConsumer() != participants.getConsumer())
    return emitOpError("expects the participants of the pipeline");
  return success();
}

LogicalResult StateCreateOp::verify() {
  int32_t stages = getResult().getType().getStages();
  if (std::optional<int64_t> index = constantOf(getIndex()); index && (*index < 0 || *index >= stages))
    return emitOpError("expects one of ") << stages << " stages, got " << *index;
  if (std::optional<int64_t> phase = constantOf(getPhase()); phase && *phase != 0 && *phase != 1)
    return emitOpError("expects the phase 0 or 1, got ") << *phase;
  return success();
}

/// What all operations on a stage ask: a state of as many stages, and barriers, unless `producer` may do without.
static LogicalResult verifyStage(Operation *op, PipelineType pipeline, PipelineStateType state, bool producer = false) {
  if (state.getStages() != pipeline.getStages())
    return op->emitOpError("expects a state of ")
           << pipeline.getStages() << " stages, as the pipeline has, got one of " << state.getStages();
  if (pipeline.getKind() == PipelineKind::TmaStore && !producer)
    return op->emitOpError("expects a pipeline with barriers, of kind 'async' or 'tma'");
  return success();
}

LogicalResult ProducerTryAcquireOp::verify() {
  return verifyStage(*this, getPipeline().getType(), getState().getType());
}
LogicalResult ConsumerTryWaitOp::verify() { return verifyStage(*this, getPipeline().getType(), getState().getType()); }
LogicalResult ConsumerWaitOp::verify() { return verifyStage(*this, getPipeline().getType(), getState().getType()); }
LogicalResult ConsumerReleaseOp::verify() { return verifyStage(*this, getPipeline().getType(), getState().getType()); }
LogicalResult PipelineConsumeOp::verify() {
  if (failed(verifyStage(*this, getPipeline().getType(), getState().getType())))
    return failure();
  if (getNext().getType() != getState().getType())
    return emitOpError("expects the next state to be one of as many stages");
  if (getBody().getArgumentTypes() != TypeRange(IntegerType::get(getContext(), 32)))
    return emitOpError("expects a region that takes the number of the stage, an i32");
  return success();
}
LogicalResult ProducerTailOp::verify() {
  return verifyStage(*this, getPipeline().getType(), getState().getType(), true);
}

LogicalResult ProducerAcquireOp::verify() {
  if (failed(verifyStage(*this, getPipeline().getType(), getState().getType(), true)))
    return failure();
  if (getDone() && getPipeline().getType().getKind() == PipelineKind::TmaStore)
    return emitOpError("expects a pipeline with barriers where something has been tried before");
  return success();
}

LogicalResult ProducerCommitOp::verify() {
  PipelineType pipeline = getPipeline().getType();
  if (failed(verifyStage(*this, pipeline, getState().getType(), true)))
    return failure();
  if (getCpAsync() && pipeline.getKind() != PipelineKind::Async)
    return emitOpError("by cp.async expects a pipeline of kind 'async'");
  if (getCpAsync() && pipeline.getProducer().getMode() != ParticipantMode::Cooperative)
    return emitOpError("by cp.async expects cooperative producers: the copies of every thread arrive");
  return success();
}

LogicalResult GetProducerBarrierOp::verify() {
  return verifyStage(*this, getPipeline().getType(), getState().getType());
}

LogicalResult PipelineProduceOp::verify() {
  if (failed(verifyStage(*this, getPipeline().getType(), getState().getType())))
    return failure();
  if (getNext().getType() != getState().getType())
    return emitOpError("expects the next state to be one of as many stages");
  SmallVector<Type> arguments = {IntegerType::get(getContext(), 32)};
  if (getPipeline().getType().getKind() == PipelineKind::Tma)
    arguments.push_back(LLVM::LLVMPointerType::get(getContext(), 3));
  if (getBody().getArgumentTypes() != TypeRange(arguments))
    return emitOpError("expects a region that takes ") << arguments;
  return success();
}

LogicalResult AsyncExecOp::verify() {
  return getBody().getNumArguments() ? emitOpError("expects a region without arguments") : LogicalResult(success());
}

LogicalResult SwitchByExecutorOp::verify() {
  if (getProducer().getNumArguments() || getConsumer().getNumArguments())
    return emitOpError("expects regions without arguments");
  PipelineType pipeline = getPipeline().getType();
  GroupAttr one = pipeline.getProducer(), other = pipeline.getConsumer();
  if (pipeline.getKind() == PipelineKind::TmaStore)
    return emitOpError("expects a pipeline with consumers");
  if (one.isStrided() || other.isStrided())
    return success(); // may lie in between each other
  if (one.getFrom() < other.getFrom() + other.getWarps() && other.getFrom() < one.getFrom() + one.getWarps())
    return emitOpError("expects no warp to be producer and consumer");
  return success();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// A barrier has a number from 0 to 15, and whole warps arrive there (PTX ISA, "bar").
LogicalResult cutlass::verifyNamed(Operation *op, Value id, Value threads) {
  if (bool(id) != bool(threads))
    return op->emitOpError("expects a barrier and its threads, or neither");
  if (std::optional<int64_t> number = constantOf(id); number && (*number < 0 || *number > 15))
    return op->emitOpError("expects a barrier from 0 to 15, got ") << *number;
  if (std::optional<int64_t> count = constantOf(threads); count && (*count < 32 || *count > 1024 || *count % 32))
    return op->emitOpError("expects a multiple of 32 threads up to 1024, got ") << *count;
  return success();
}

LogicalResult BarrierIdOp::verify() {
  return getName().empty() ? emitOpError("expects the name of a barrier") : LogicalResult(success());
}
LogicalResult NamedBarrierArriveOp::verify() { return verifyNamed(*this, getId(), getThreads()); }
LogicalResult NamedBarrierArriveAndWaitOp::verify() { return verifyNamed(*this, getId(), getThreads()); }
LogicalResult GenericBarrierSyncOp::verify() { return verifyNamed(*this, getId(), getThreads()); }

LogicalResult cutlass::verifyGeneric(Operation *op, Value flags, Value id, Value threads) {
  unsigned space = cast<LLVM::LLVMPointerType>(flags.getType()).getAddressSpace();
  if (space > 1)
    return op->emitOpError("expects flags in global memory, got address space ") << space;
  return verifyNamed(op, id, threads);
}
LogicalResult GenericBarrierArriveIncrementOp::verify() {
  return verifyGeneric(*this, getFlags(), getId(), getThreads());
}
LogicalResult GenericBarrierWaitEqOp::verify() { return verifyGeneric(*this, getFlags(), getId(), getThreads()); }
LogicalResult GenericBarrierWaitLessThanOp::verify() { return verifyGeneric(*this, getFlags(), getId(), getThreads()); }

LogicalResult SeqBarStateCreateOp::verify() {
  int32_t length = getResult().getType().getLength();
  if (std::optional<int64_t> group = constantOf(getGroup()); group && (*group < 0 || *group >= length))
    return emitOpError("expects one of ") << length << " groups, got " << *group;
  return success();
}
static LogicalResult verifySequence(Operation *op, SeqBarType barrier, SeqBarStateType state) {
  if (barrier.getDepth() != state.getDepth() || barrier.getLength() != state.getLength())
    return op->emitOpError("expects a place in a sequence of depth ")
           << barrier.getDepth() << " and length " << barrier.getLength() << ", got one of " << state.getDepth()
           << " and " << state.getLength();
  return success();
}
LogicalResult SeqBarWaitOp::verify() { return verifySequence(*this, getBarrier().getType(), getState().getType()); }
LogicalResult SeqBarArriveOp::verify() { return verifySequence(*this, getBarrier().getType(), getState().getType()); }

//===----------------------------------------------------------------------===//
// Block-striped access
//===----------------------------------------------------------------------===//

static LogicalResult verifyStriped(Operation *op, Value base, int64_t threads, Type fragment) {
  auto vector = cast<VectorType>(fragment);
  if (threads < 1 || threads > 1024)
    return op->emitOpError("expects the threads of a block, 1 to 1024, got ") << threads;
  if (vector.getRank() != 1 || vector.isScalable())
    return op->emitOpError("expects a fragment of one dimension, got ") << fragment;
  Type element = vector.getElementType();
  if (!element.isIntOrFloat() ||
      (!element.isInteger(8) && !element.isInteger(16) && !element.isInteger(32) && !element.isInteger(64) &&
       !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element)))
    return op->emitOpError("expects elements of 8, 16, 32 or 64 bits, f16, bf16, f32 or f64, got ") << element;
  unsigned space = cast<LLVM::LLVMPointerType>(base.getType()).getAddressSpace();
  if (space != 0 && space != 1 && space != 3)
    return op->emitOpError("expects global or shared memory, got address space ") << space;
  return success();
}

LogicalResult BlockStripedLoadOp::verify() {
  return verifyStriped(*this, getBase(), getThreads(), getResult().getType());
}
LogicalResult BlockStripedStoreOp::verify() {
  return verifyStriped(*this, getBase(), getThreads(), getValue().getType());
}
LogicalResult BlockStripedLoadAddOp::verify() {
  if (getResult().getType() != getValue().getType())
    return emitOpError("expects a sum of the type of the value");
  return verifyStriped(*this, getBase(), getThreads(), getValue().getType());
}
LogicalResult BlockStripedReduceOp::verify() {
  Type element = cast<VectorType>(getValue().getType()).getElementType();
  if (!element.isF32() && !element.isF64() && !element.isInteger(32) && !element.isInteger(64))
    return emitOpError("expects elements that are added atomically: f32, f64, i32 or i64, got ") << element;
  return verifyStriped(*this, getBase(), getThreads(), getValue().getType());
}
