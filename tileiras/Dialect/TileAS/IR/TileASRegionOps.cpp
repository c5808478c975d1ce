//===- TileASRegionOps.cpp - One stage of a pipeline at a time ------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"

using namespace mlir;
using namespace mlir::nv_tileas;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASRegionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// produce_one, consume_one
//===----------------------------------------------------------------------===//

static LogicalResult verifyOneStage(Operation *op, PipelineType pipeline, PipelineIteratorType iterator) {
  if (pipeline.getStages() == iterator.getStages() && pipeline.getElements() == iterator.getElements())
    return success();
  return op->emitOpError("expects an iterator of ") << pipeline << ", got " << iterator;
}

static std::string listOf(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  return text;
}

/// Before what RegionBranchOpInterface verifies, which says the same in other words.
static LogicalResult verifyBody(Operation *op, Region &body, StringRef side, bool async) {
  Block &block = body.front();
  if (block.getNumArguments())
    return op->emitOpError("expects region arguement types to match with ")
           << side << " types [], but got: [" << listOf(block.getArgumentTypes()) << "]";
  auto yield = block.empty() ? PipelineYieldOp() : dyn_cast<PipelineYieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expects the region to end with nv_tileas.async.pipeline.yield");
  if (!llvm::equal(yield.getOperandTypes(), op->getResultTypes()))
    return op->emitOpError("expects region result types to be match with operation result types [")
           << listOf(op->getResultTypes()) << "], but got: [" << listOf(yield.getOperandTypes()) << "]";
  if (async && (op->getNumResults() == 0 || !isa<AsyncTokenType>(op->getResults().back().getType())))
    return op->emitOpError("expects a token of what is under way as its last result");
  return success();
}

// Into the region, once, and out of it.
#define TILEIRAS_ONE_STAGE(Op, side, async)                                                                            \
  LogicalResult Op::verify() {                                                                                         \
    return failed(verifyOneStage(*this, getPipeline().getType(), getIterator().getType()))                             \
               ? failure()                                                                                             \
               : verifyBody(*this, getBody(), side, async);                                                            \
  }                                                                                                                    \
  void Op::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {                \
    if (point.isParent())                                                                                              \
      successors.emplace_back(&getBody(), getBody().getArguments());                                                   \
    else                                                                                                               \
      successors.emplace_back(getOperation(), getOperation()->getResults());                                           \
  }                                                                                                                    \
  ExecutionContext Op::getExecutionContext(Region &) { return ExecutionContext::of(getOperation()); }
TILEIRAS_ONE_STAGE(ProduceOneOp, "producer", false)
TILEIRAS_ONE_STAGE(ProduceOneAsyncOp, "producer", true)
TILEIRAS_ONE_STAGE(ConsumeOneOp, "consumer", false)
TILEIRAS_ONE_STAGE(ConsumeOneAsyncOp, "consumer", true)
#undef TILEIRAS_ONE_STAGE

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

LogicalResult ToAsyncOp::verify() {
  bool storage = getKind() == "storage";
  if (!storage && getKind() != "token")
    return emitOpError("expects the kind 'storage' or 'token', got '") << getKind() << "'";
  if (storage ? getResult().getType() != getSource().getType() : !isa<AsyncTokenType>(getResult().getType()))
    return emitOpError(storage ? "as storage expects a result of the type of the source"
                               : "as token expects an asynchronous token as result");
  return success();
}

LogicalResult AsyncExtractSliceOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), result = cast<RankedTensorType>(getResult().getType());
  if (!isIn(source, MemoryKind::Shared) || !isIn(result, MemoryKind::Shared))
    return emitOpError("expects tiles in shared memory");
  if (source.getElementType() != result.getElementType() || source.getRank() != result.getRank() ||
      size_t(source.getRank()) != getIndices().size())
    return emitOpError("expects a slice of the rank and element type of the source, and an index for each dimension");
  for (auto [whole, part] : llvm::zip_equal(source.getShape(), result.getShape()))
    if (whole % part != 0)
      return emitOpError("expects a source that whole slices make up");
  return success();
}

LogicalResult MbarrierInitOp::verify() {
  auto barrier = cast<RankedTensorType>(getBarrier().getType());
  if (!isIn(barrier, MemoryKind::Shared))
    return emitOpError("expects an mbarrier in shared memory, got ") << barrier;
  if (!barrier.getElementType().isInteger(64) || barrier.getNumElements() != 1)
    return emitOpError("expects one i64 as mbarrier, got ") << barrier;
  return success();
}
