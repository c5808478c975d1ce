//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Operations of nv_tileas: verifiers, folds, canonicalisation.
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/AsmDirectives.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::MemScope;
using nv_tileaa::MemSemantic;
using nv_tileaa::MemSemanticAttr;
using nv_tileaa::MemScopeAttr;
using nv_tileaa::TiledViewType;

using namespace mlir::nv_tileaa::detail;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASOps.cpp.inc"

static RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
static bool isSharedTensor(Value v) {
  auto layout = getLayout(v.getType());
  return layout && layout.isShared();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyPointerAccess(Operation *op, Value ptrs, Value value, Value mask, Value other) {
  auto ptr = dyn_cast<nv_tileaa::PtrType>(nv_tileaa::getElementTypeOrSelf(ptrs.getType()));
  if (!ptr)
    return op->emitOpError("expects a pointer or a tensor of pointers");
  if (ptr.getPointee() != nv_tileaa::getElementTypeOrSelf(value.getType()))
    return op->emitOpError("expects the pointee to be the value's element type");
  auto pt = dyn_cast<RankedTensorType>(ptrs.getType());
  for (Value v : {value, mask, other}) {
    if (!v)
      continue;
    auto vt = dyn_cast<RankedTensorType>(v.getType());
    if (bool(pt) != bool(vt) || (pt && (pt.getShape() != vt.getShape() || pt.getEncoding() != vt.getEncoding())))
      return op->emitOpError("expects all operands and the value in one shape and layout");
  }
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyPointerAccess(*this, getPtrs(), getResult(), getMask(), getOther());
}
LogicalResult StoreOp::verify() { return verifyPointerAccess(*this, getPtrs(), getValue(), getMask(), Value()); }

static LogicalResult verifyTiled(Operation *op, TiledViewType view, RankedTensorType tile, ValueRange indices) {
  if (indices.size() != size_t(view.getRank()))
    return op->emitOpError("expects ") << view.getRank() << " coordinates, but got " << indices.size();
  if (tile.getShape() != view.getTileShape())
    return op->emitOpError("requires the same shape for tileSize and tensor value");
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("view elementType not equal with tensor element type: ")
           << view.getElementType() << " vs " << tile.getElementType();
  return success();
}
LogicalResult TiledLoadOp::verify() {
  return verifyTiled(*this, getView().getType(), tensorOf(getResult()), getIndices());
}
LogicalResult TiledStoreOp::verify() {
  return verifyTiled(*this, getView().getType(), tensorOf(getValue()), getIndices());
}

LogicalResult TiledAtomicRMWOp::verify() {
  return verifyTiled(*this, getView().getType(), tensorOf(getValue()), getIndices());
}

/// The coordinates along the axis: as many as the tile has slices.
static LogicalResult verifyGather(Operation *op, TiledViewType view, RankedTensorType tile, ValueRange indices,
                                  int64_t axis) {
  if (failed(verifyTiled(op, view, tile, indices)))
    return failure();
  if (axis >= view.getRank())
    return op->emitOpError("axis ") << axis << " is out of bound [0, " << view.getRank() << ")";
  for (auto [i, index] : llvm::enumerate(indices)) {
    auto tensor = dyn_cast<RankedTensorType>(index.getType());
    if (int64_t(i) != axis && tensor)
      return op->emitOpError("expects an integer as coordinate ") << i;
    if (int64_t(i) == axis && (!tensor || tensor.getRank() != 1 || tensor.getDimSize(0) != tile.getDimSize(axis) ||
                               !tensor.getElementType().isSignlessInteger()))
      return op->emitOpError("expects a tensor of ") << tile.getDimSize(axis) << " integers as coordinate " << i;
  }
  return success();
}
LogicalResult GatherLoadOp::verify() {
  return verifyGather(*this, getView().getType(), tensorOf(getResult()), getIndices(), getAxis());
}
LogicalResult ScatterStoreOp::verify() {
  return verifyGather(*this, getView().getType(), tensorOf(getValue()), getIndices(), getAxis());
}

//===----------------------------------------------------------------------===//
// Layout conversion
//===----------------------------------------------------------------------===//

static LogicalResult verifySameTile(Operation *op, RankedTensorType a, RankedTensorType b) {
  if (a.getShape() != b.getShape() || a.getElementType() != b.getElementType())
    return op->emitOpError("expects source and result of one shape and element type");
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  if (isSharedTensor(getResult()))
    return emitOpError("expects a register layout as result");
  return verifySameTile(*this, tensorOf(getSource()), tensorOf(getResult()));
}

void ConvertLayoutOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isSharedTensor(getSource()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return {};
}

namespace {
/// convert(convert(x)) is one conversion; a conversion of something that costs nothing to make anew is that thing.
struct SimplifyConvertLayout : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    Operation *def = op.getSource().getDefiningOp();
    if (auto inner = dyn_cast_or_null<ConvertLayoutOp>(def); inner && !isSharedTensor(inner.getSource())) {
      rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), inner.getSource());
      return success();
    }
    if (isa_and_nonnull<nv_tileaa::SplatOp, nv_tileaa::ConstantTensorOp, nv_tileaa::MakeRangeOp>(def)) {
      Operation *copy = rewriter.clone(*def);
      copy->getResult(0).setType(op.getType());
      rewriter.replaceOp(op, copy->getResults());
      return success();
    }
    return failure();
  }
};
} // namespace

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyConvertLayout>(context);
}

LogicalResult AllocTensorOp::verify() {
  if (!isSharedTensor(getResult()))
    return emitOpError("expects a shared layout");
  return success();
}

LogicalResult CopyOp::verify() {
  if (!getDest() && !getResult())
    return emitOpError("expects a destination or a result");
  if (getDest() && (!isSharedTensor(getDest()) || isSharedTensor(getSource())))
    return emitOpError("expects a source in registers and a destination in shared memory");
  if (!getDest() || !getResult())
    return verifySameTile(*this, tensorOf(getSource()), tensorOf(getDest() ? getDest() : getResult()));
  auto source = tensorOf(getSource()), part = tensorOf(getDest());
  if (part.getRank() != 1 || part.getElementType() != source.getElementType() || part.getNumElements() > source.getNumElements() ||
      isSharedTensor(getResult()))
    return emitOpError("with a result expects a destination of rank 1 for a part of the source, and the result in registers");
  return verifySameTile(*this, source, tensorOf(getResult()));
}

void CopyOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getDest()) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
}

LogicalResult ShuffleOp::verify() { return verifySameTile(*this, tensorOf(getSource()), tensorOf(getResult())); }

//===----------------------------------------------------------------------===//
// Shape and aggregates
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  auto source = tensorOf(getSource()), result = tensorOf(getResult());
  if (source.getNumElements() != result.getNumElements() || source.getElementType() != result.getElementType())
    return emitOpError("expects source and result with the same elements");
  return success();
}

LogicalResult ReinterpretOp::verify() {
  auto source = tensorOf(getSource()), result = tensorOf(getResult());
  if (source.getRank() != 1 || result.getRank() != 1)
    return emitOpError("expects source and result to be rank-1 tiles");
  for (Type element : {source.getElementType(), result.getElementType()})
    if (!element.isIntOrFloat())
      return emitOpError("expects numbers, but got ") << element;
  // A boolean is one bit here, unlike in memory.
  auto bits = [](RankedTensorType type) {
    Type element = type.getElementType();
    return type.getNumElements() * (element.isInteger(1) ? 1 : getMemoryBits(element));
  };
  if (bits(source) != bits(result))
    return emitOpError("expects source and result with the same size in bytes");
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  auto source = tensorOf(getSource()), result = tensorOf(getResult());
  if (source.getRank() != result.getRank() || getIndices().size() != size_t(source.getRank()))
    return emitOpError("expects equal ranks and one index per dimension");
  for (auto [s, r] : llvm::zip_equal(source.getShape(), result.getShape()))
    if (s % r != 0)
      return emitOpError("expects each source dimension to be a multiple of the result's");
  return success();
}

LogicalResult ReduceOp::verify() {
  size_t n = getSources().size();
  if (n == 0 || getNumResults() != n || getIdentities().size() != n || getBody().front().getNumArguments() != 2 * n)
    return emitOpError("expects one identity, one result and two block arguments per operand");
  auto first = tensorOf(getSources().front());
  if (int64_t(getAxis()) >= first.getRank())
    return emitOpError("dimension (") << getAxis() << ") is out of bound [0, " << first.getRank() << ")";
  for (Value v : getSources())
    if (tensorOf(v).getShape() != first.getShape() || tensorOf(v).getEncoding() != first.getEncoding())
      return emitOpError("expects all operands in one shape and layout");
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getNumOperands() != n)
    return emitOpError("expects the body to yield one value per operand");
  return success();
}
