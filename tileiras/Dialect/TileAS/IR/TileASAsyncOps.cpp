//===- TileASAsyncOps.cpp - Asynchronous copies, scratch memory -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"

using namespace mlir;
using namespace mlir::nv_tileas;

#include "tileiras/Dialect/TileAS/IR/AsyncCopyOpInterface.cpp.inc"

static LogicalResult verifyCopy(AsyncCopyOpInterface op) {
  if (!isIn(op.getDest().getType(), MemoryKind::Shared))
    return op->emitOpError("expects a destination in shared memory");
  CopyAtomAttrInterface atom = op.getAtom();
  if (!atom.getSources().contains(MemoryKind::Global) || !atom.getDestinations().contains(MemoryKind::Shared) ||
      atom.getCompletion() == Completion::AtOnce)
    return op->emitOpError("atom does not copy from global to shared memory on its own");
  return success();
}

LogicalResult AsyncLoadOp::verify() {
  auto dest = cast<RankedTensorType>(getDest().getType()), ptrs = cast<RankedTensorType>(getPtrs().getType());
  if (dest.getShape() != ptrs.getShape() ||
      dest.getElementType() != cast<nv_tileaa::PtrType>(ptrs.getElementType()).getPointee())
    return emitOpError("expects a destination of the shape of the pointers and of elements that they point to");
  if (failed(verifyCopy(*this)))
    return failure();
  if (!isIn(ptrs, MemoryKind::Registers))
    return emitOpError("expects pointers in registers: their layout says which thread copies what");
  if (getMask() && (cast<RankedTensorType>(getMask().getType()).getShape() != ptrs.getShape() ||
                    cast<RankedTensorType>(getMask().getType()).getEncoding() != ptrs.getEncoding()))
    return emitOpError("expects a mask of the shape and layout of the pointers");
  return success();
}

LogicalResult AsyncTiledLoadOp::verify() {
  auto dest = cast<RankedTensorType>(getDest().getType());
  nv_tileaa::TiledViewType view = getView().getType();
  if (getIndices().size() != size_t(view.getRank()))
    return emitOpError("expects ") << view.getRank() << " coordinates, but got " << getIndices().size();
  if (dest.getShape() != view.getTileShape() || dest.getElementType() != view.getElementType())
    return emitOpError("expects a destination of the shape and element type of the view's tiles");
  if (failed(verifyCopy(*this)))
    return failure();
  if (getCopies().getMemory() != MemoryKind::Registers)
    return emitOpError("expects `copies` to say which thread copies what");
  if (auto verifiable = dyn_cast<VerifiableTensorEncoding>(getCopies());
      verifiable &&
      failed(verifiable.verifyEncoding(dest.getShape(), dest.getElementType(), [&] { return emitOpError(); })))
    return failure();
  if (view.getPadding() && *view.getPadding() != nv_tileaa::PaddingValue::Zero)
    return emitOpError("pads with zero only");
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  if (int32_t(getPending()) < 0)
    return emitOpError("expects how many copies may be pending, got ") << int32_t(getPending());
  if (bool(getBarrier()) != bool(getPhase()))
    return emitOpError("expects an mbarrier and its phase, or neither");
  for (Value token : getTokens()) {
    auto tiled = token.getDefiningOp<AsyncTiledTmaLoadOp>();
    auto rows = token.getDefiningOp<AsyncGatherTmaLoadOp>();
    bool hasBarrier = (tiled && tiled.getBarrier()) || (rows && rows.getBarrier());
    if (!getBarrier() && hasBarrier)
      return emitOpError("expects the mbarrier on which the tensor copies complete, and its phase");
    if (getBarrier() && token.getDefiningOp() && !hasBarrier)
      return emitOpError("on an mbarrier expects tokens of tensor copies that complete on one");
  }
  if (!getBarrier())
    return success();
  auto barrier = cast<RankedTensorType>(getBarrier().getType());
  if (!isIn(barrier, MemoryKind::Shared) || !barrier.getElementType().isInteger(64) || barrier.getNumElements() != 1)
    return emitOpError("expects one i64 in shared memory as mbarrier, got ") << barrier;
  if (getPending())
    return emitOpError("on an mbarrier waits for all that completes on it");
  return success();
}

LogicalResult WithScratchOp::verify() {
  auto scratch = cast<RankedTensorType>(getScratch().getType());
  if (!isIn(scratch, MemoryKind::Shared) || scratch.getRank() != 1 || !scratch.getElementType().isInteger(8))
    return emitOpError("expects a rank-1 tile of bytes in shared memory");
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getOperandTypes() != getResultTypes())
    return emitOpError("expects the region to yield the results");
  return success();
}
