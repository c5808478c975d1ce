//===- TileAAMemoryOps.cpp - Verifiers of atomics, gathers and the like ----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/AccessOrder.h"

#include "tileiras/Dialect/TileAA/IR/MemoryAccessOpInterface.cpp.inc"

using namespace mlir;
using namespace mlir::nv_tileaa;

static Type elementOf(Value v) { return nv_tileaa::getElementTypeOrSelf(v.getType()); }

static bool sameShape(Value a, Value b) {
  auto x = dyn_cast<RankedTensorType>(a.getType()), y = dyn_cast<RankedTensorType>(b.getType());
  if (!x || !y)
    return !x && !y;
  return x.getShape() == y.getShape() && x.getEncoding() == y.getEncoding();
}

/// Pointers to the element type; one shape and, once there are layouts, one layout.
static LogicalResult verifyAtomicOperands(Operation *op, Value ptrs, ValueRange values, Value mask) {
  auto ptr = dyn_cast<PtrType>(elementOf(ptrs));
  if (!ptr)
    return op->emitOpError("expects a pointer or a tensor of pointers");
  for (Value value : values) {
    if (ptr.getPointee() != elementOf(value))
      return op->emitOpError("expects the pointee to be the value's element type");
    if (!sameShape(ptrs, value))
      return op->emitOpError("expects all operands and the result in one shape and layout");
  }
  if (!mask)
    return success();
  if (!elementOf(mask).isInteger(1))
    return op->emitOpError("expects an i1 mask");
  if (!sameShape(ptrs, mask))
    return op->emitOpError("expects all operands and the result in one shape and layout");
  return success();
}

LogicalResult nv_tileaa::verifyAtomicOrder(Operation *op, MemSemantic semantic) {
  if (semantic == MemSemantic::Weak)
    return op->emitOpError("unsupported memSemantic: ") << stringifyMemSemantic(semantic);
  return success();
}

LogicalResult nv_tileaa::verifyAtomicMode(Operation *op, RMWMode mode, Type element) {
  bool ok;
  if (mode == RMWMode::AddF)
    ok = element.isF16() || element.isBF16() || element.isF32() || element.isF64();
  else if (mode == RMWMode::Xchg)
    ok = element.isInteger(32) || element.isInteger(64) || element.isF32() || element.isF64();
  else
    ok = element.isInteger(32) || element.isInteger(64);
  if (!ok)
    return op->emitOpError("rmw_mode ") << stringifyRMWMode(mode) << " is not defined for " << element;
  return success();
}

int64_t nv_tileaa::widestReduction(RMWMode mode, MemSemantic semantic, Type element) {
  if (mode != RMWMode::AddF || semantic != MemSemantic::Relaxed || element.isF64())
    return 1;
  return 128 / element.getIntOrFloatBitWidth();
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyAtomicOperands(*this, getPtrs(), {getValue(), getResult()}, getMask())) ||
      failed(verifyAtomicMode(*this, getRmwMode(), elementOf(getValue()))) ||
      failed(verifyAtomicOrder(*this, getMemSemantic())))
    return failure();
  int64_t vec = int32_t(getVec().value_or(1));
  int64_t widest = isa<RankedTensorType>(getValue().getType())
                       ? widestReduction(getRmwMode(), getMemSemantic(), elementOf(getValue()))
                       : 1;
  if (vec < 1 || vec > widest || !llvm::isPowerOf2_64(vec))
    return emitOpError("'vec' (") << vec << ") must be a power of two, here at most " << widest;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyAtomicOperands(*this, getPtrs(), {getCmp(), getValue(), getResult()}, getMask())) ||
      failed(verifyAtomicMode(*this, RMWMode::Xchg, elementOf(getValue()))))
    return failure();
  return verifyAtomicOrder(*this, getMemSemantic());
}

static LogicalResult verifyTile(Operation *op, TiledViewType view, RankedTensorType tile, size_t indices) {
  if (indices != size_t(view.getRank()))
    return op->emitOpError("expects ") << view.getRank() << " coordinates, but got " << indices;
  if (tile.getShape() != view.getTileShape())
    return op->emitOpError("requires the same shape for tileSize and tensor value");
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("view elementType not equal with tensor element type: ")
           << view.getElementType() << " vs " << tile.getElementType();
  return success();
}

LogicalResult TiledAtomicRMWOp::verify() {
  if (failed(verifyTile(*this, getView().getType(), cast<RankedTensorType>(getValue().getType()), getIndices().size())))
    return failure();
  if (getRmwMode() == RMWMode::Xchg)
    return emitOpError("tiled_atomic_rmw op cannot use xchg operation");
  if (failed(verifyAtomicMode(*this, getRmwMode(), getView().getType().getElementType())))
    return failure();
  return verifyAtomicOrder(*this, getMemSemantic());
}

/// What gather_load and scatter_store have in common.
template <typename Op> static LogicalResult verifyGather(Op op, RankedTensorType tile, bool isLoad) {
  TiledViewType view = op.getView().getType();
  if (failed(verifyTile(op, view, tile, op.getIndices().size())))
    return failure();
  int64_t axis = op.getAxis();
  if (axis >= view.getRank())
    return op.emitOpError("axis ") << axis << " is out of bound [0, " << view.getRank() << ")";
  for (auto [i, index] : llvm::enumerate(op.getIndices())) {
    auto tensor = dyn_cast<RankedTensorType>(index.getType());
    if (int64_t(i) != axis) {
      if (!index.getType().isSignlessInteger())
        return op.emitOpError("expects an integer as coordinate ") << i;
      continue;
    }
    if (!tensor || tensor.getRank() != 1 || !tensor.getElementType().isSignlessInteger() ||
        tensor.getDimSize(0) != tile.getDimSize(axis))
      return op.emitOpError("expects a tensor of ") << tile.getDimSize(axis) << " integers as coordinate " << i;
  }
  if (op.getInBounds() && int64_t(op.getInBounds()->size()) != view.getRank())
    return op.emitOpError("incorrect number of in_bounds elements: expected ") << view.getRank();
  return verifyAccessOrder(op, op.getMemSemantic(), op.getMemScope(), isLoad);
}

LogicalResult GatherLoadOp::verify() {
  return verifyGather(*this, cast<RankedTensorType>(getResult().getType()), /*isLoad=*/true);
}
LogicalResult ScatterStoreOp::verify() {
  return verifyGather(*this, cast<RankedTensorType>(getValue().getType()), /*isLoad=*/false);
}

/// Bits of an element: one for i1, 32 for tf32.
static unsigned packedBits(Type element) { return isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth(); }

LogicalResult ReinterpretOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()), result = cast<RankedTensorType>(getResult().getType());
  if (source.getRank() != 1 || result.getRank() != 1)
    return emitOpError("expects source and result to be rank-1 tiles");
  for (Type element : {source.getElementType(), result.getElementType()})
    if (!element.isIntOrFloat())
      return emitOpError("expects numbers, but got ") << element;
  if (source.getNumElements() * packedBits(source.getElementType()) !=
      result.getNumElements() * packedBits(result.getElementType()))
    return emitOpError("expects source and result with the same size in bytes");
  return success();
}

LogicalResult GlobalOp::verify() {
  auto type = dyn_cast<ShapedType>(getValue().getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return emitOpError("expects numbers as value");
  // 0: that of the elements.
  if (getAlignment() && !llvm::isPowerOf2_64(getAlignment()))
    return emitOpError("expects alignment to be a power of two, got ") << getAlignment();
  return success();
}

LogicalResult AllocaOp::verify() {
  if (int64_t(getNumElem()) < 1)
    return emitOpError("expects at least one element, got ") << int64_t(getNumElem());
  // 0: that of the elements.
  if (getAlignment() && !llvm::isPowerOf2_64(getAlignment()))
    return emitOpError("expects alignment to be a power of two, got ") << getAlignment();
  return success();
}
