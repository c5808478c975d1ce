//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of nv_tileas: verifiers, folds, canonicalisation.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/AccessOrder.h"
#include "tileiras/Dialect/TileAA/IR/AsmDirectives.h"
#include "tileiras/Dialect/TileAS/IR/AccessRuns.h"
#include "tileiras/Dialect/TileAS/IR/ReduceAtoms.h"
#include "tileiras/Dialect/TileAS/IR/ShapeLayouts.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::MemScope;
using nv_tileaa::MemScopeAttr;
using nv_tileaa::MemSemantic;
using nv_tileaa::MemSemanticAttr;
using nv_tileaa::TiledViewType;

using namespace mlir::nv_tileaa::detail;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASOps.cpp.inc"
#include "tileiras/Support/LinearLayout.h"

static RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
static bool isSharedTensor(Value v) { return isIn(v.getType(), MemoryKind::Shared); }
/// In a memory that threads share.
static bool isOutsideRegisters(Value v) { return isSharedTensor(v) || isIn(v.getType(), MemoryKind::Tensor); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool mlir::nv_tileas::hasRuns(const tileiras::LinearLayout &layout, unsigned d, uint32_t vec) {
  uint32_t found = 0;
  for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock})
    for (int bit = 0; layout.hasIn(name) && bit < layout.inBits(name); ++bit) {
      auto basis = layout.basis(name, bit);
      uint32_t low = uint32_t(basis[d]) & (vec - 1);
      if (!low)
        continue;
      bool alone =
          name == tileiras::kRegister && llvm::isPowerOf2_32(low) && uint32_t(basis[d]) == low && !(found & low);
      for (int other = 0; other < layout.numOuts(); ++other)
        alone &= other == int(d) || basis[other] == 0;
      if (!alone)
        return false;
      found |= low;
    }
  return found == vec - 1;
}

/// `vec` neighbours in one access: what every access needs. `dims`: along which dimensions of the tile they may lie.
static LogicalResult verifyVec(Operation *op, std::optional<uint32_t> vec, MemSemantic semantic, Type tile,
                               ArrayRef<unsigned> dims) {
  if (!vec || *vec == 1)
    return success();
  auto error = [&] { return op->emitOpError("'vec' (") << int32_t(*vec) << ") "; };
  if (int32_t(*vec) < 1 || !llvm::isPowerOf2_32(*vec))
    return error() << "must be a power of two";
  auto reduction = dyn_cast<TiledAtomicRMWOp>(op);
  if (reduction &&
      nv_tileaa::widestReduction(reduction.getRmwMode(), semantic, reduction.getView().getType().getElementType()) == 1)
    return error() << "is for relaxed sums of f32, f16 and bf16; others are done one by one";
  if (!reduction && semantic != MemSemantic::Weak)
    return error() << "is for weak accesses; an ordered one moves one element";
  auto tensor = dyn_cast<RankedTensorType>(tile);
  if (!tensor)
    return error() << "needs a tile; the access moves one element";
  if (int64_t bytes = getStorageBytes(tensor.getElementType()); *vec * bytes > 16)
    return error() << "times " << bytes << " bytes is more than the 16 bytes that one access moves";
  if (dims.empty())
    return error() << "needs a dimension along which the elements lie next to each other in memory";
  if (llvm::none_of(dims, [&](unsigned d) { return tensor.getDimSize(d) >= int64_t(*vec); }))
    return error() << "is more than the " << tensor.getDimSize(dims.front()) << " elements along dimension "
                   << dims.front();
  LayoutAttrInterface layout = getLayout(tensor);
  if (!layout || layout.getMemory() != MemoryKind::Registers)
    return success();
  tileiras::LinearLayout linear = getLinearLayout(tensor);
  if (llvm::none_of(dims, [&](unsigned d) { return hasRuns(linear, d, *vec); }))
    return error() << "needs " << *vec << " neighbours along dimension " << dims.front()
                   << " in the registers of one thread, which the layout does not have";
  return success();
}

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

/// Semantics and scope, by the rules of nv_tileaa.
template <typename Op> static LogicalResult verifyOrder(Op op, bool isLoad) {
  return nv_tileaa::verifyAccessOrder(op, op.getMemSemantic(), op.getMemScope(), isLoad);
}

/// Pointers may run along any dimension.
template <typename Op> static LogicalResult verifyPointerVec(Op op, Type tile) {
  SmallVector<unsigned> dims;
  if (auto tensor = dyn_cast<RankedTensorType>(tile))
    for (unsigned d = tensor.getRank(); d-- > 0;)
      dims.push_back(d);
  return verifyVec(op, op.getVec(), op.getMemSemantic(), tile, dims);
}

LogicalResult LoadOp::verify() {
  if (failed(verifyPointerAccess(*this, getPtrs(), getResult(), getMask(), getOther())) ||
      failed(verifyOrder(*this, /*isLoad=*/true)))
    return failure();
  return verifyPointerVec(*this, getResult().getType());
}
LogicalResult StoreOp::verify() {
  if (failed(verifyPointerAccess(*this, getPtrs(), getValue(), getMask(), Value())) ||
      failed(verifyOrder(*this, /*isLoad=*/false)))
    return failure();
  return verifyPointerVec(*this, getValue().getType());
}

static LogicalResult verifyTiled(Operation *op, TiledViewType view, RankedTensorType tile, ValueRange indices) {
  if (indices.size() != size_t(view.getRank()))
    return op->emitOpError("expects ") << view.getRank() << " coordinates, but got " << indices.size();
  if (tile.getShape() != view.getTileShape())
    return op->emitOpError("requires the same shape for tileSize and tensor value");
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError("view elementType not equal with tensor element type: ")
           << view.getElementType() << " vs " << tile.getElementType();
  if (view.getRounded() && !isa<TiledLoadOp>(op))
    return op->emitOpError("expects a view whose tiles are not rounded: those are for tiled_load only");
  return success();
}

/// Elements of a view are neighbours along the tile dimension whose stride is 1, if a gather (`axis`) does not scatter
/// that one. Every run must begin at a multiple of its length: so must tiles, and rows.
template <typename Op> static LogicalResult verifyViewVec(Op op, RankedTensorType tile, int64_t axis = -1) {
  TiledViewType view = op.getView().getType();
  ArrayRef<int64_t> strides = view.getSource().getStrides();
  SmallVector<unsigned> dims;
  for (unsigned t = 0; t < unsigned(view.getRank()); ++t)
    if (strides[view.getDimMap()[t]] == 1 && int64_t(t) != axis)
      dims.assign(1, t);
  if (failed(verifyVec(op, op.getVec(), op.getMemSemantic(), tile, dims)))
    return failure();
  int64_t vec = op.getVec().value_or(1);
  if (vec == 1)
    return success();
  auto error = [&] { return op.emitOpError("'vec' (") << vec << ") "; };
  for (unsigned t = 0; t < unsigned(view.getRank()); ++t) {
    if (t == dims.front() && axis >= 0)
      continue; // tiles of a gather begin where the index says
    int64_t step = t == dims.front() ? view.getTraversalStrides()[t] : strides[view.getDimMap()[t]];
    if (!ShapedType::isDynamic(step) && step % vec != 0)
      return error() << (t == dims.front() ? "needs tiles that begin at multiples of it"
                                           : "needs a stride that is a multiple of it")
                     << " along dimension " << t << ", but got " << step;
  }
  return success();
}

LogicalResult TiledLoadOp::verify() {
  if (failed(verifyTiled(*this, getView().getType(), tensorOf(getResult()), getIndices())) ||
      failed(verifyOrder(*this, /*isLoad=*/true)))
    return failure();
  return verifyViewVec(*this, tensorOf(getResult()));
}
LogicalResult TiledStoreOp::verify() {
  if (failed(verifyTiled(*this, getView().getType(), tensorOf(getValue()), getIndices())) ||
      failed(verifyOrder(*this, /*isLoad=*/false)))
    return failure();
  return verifyViewVec(*this, tensorOf(getValue()));
}

LogicalResult TiledAtomicRMWOp::verify() {
  if (failed(verifyTiled(*this, getView().getType(), tensorOf(getValue()), getIndices())))
    return failure();
  if (getRmwMode() == nv_tileaa::RMWMode::Xchg)
    return emitOpError("tiled_atomic_rmw op cannot use xchg operation");
  if (failed(nv_tileaa::verifyAtomicMode(*this, getRmwMode(), getView().getType().getElementType())) ||
      failed(nv_tileaa::verifyAtomicOrder(*this, getMemSemantic())))
    return failure();
  return verifyViewVec(*this, tensorOf(getValue()));
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
  if (failed(verifyGather(*this, getView().getType(), tensorOf(getResult()), getIndices(), getAxis())) ||
      failed(verifyOrder(*this, /*isLoad=*/true)))
    return failure();
  return verifyViewVec(*this, tensorOf(getResult()), getAxis());
}
LogicalResult ScatterStoreOp::verify() {
  if (failed(verifyGather(*this, getView().getType(), tensorOf(getValue()), getIndices(), getAxis())) ||
      failed(verifyOrder(*this, /*isLoad=*/false)))
    return failure();
  return verifyViewVec(*this, tensorOf(getValue()), getAxis());
}

//===----------------------------------------------------------------------===//
// Layout conversion
//===----------------------------------------------------------------------===//

static LogicalResult verifySameTile(Operation *op, RankedTensorType a, RankedTensorType b) {
  if (a.getShape() != b.getShape() || a.getElementType() != b.getElementType())
    return op->emitOpError("expects source and result of one shape and element type");
  return success();
}

/// A plan's tag says where the elements pass, and that has to be where the operands are; its accesses hold whole
/// elements.
static LogicalResult verifyPlan(Operation *op, std::optional<AtomPlanAttr> plan, RankedTensorType tile, bool shared) {
  if (!plan)
    return success();
  if (plan->getTag() != (shared ? 1 : 0))
    return op->emitOpError("has an atom_plan with tag ")
           << plan->getTag() << ", but its operands are " << (shared ? "in shared memory" : "all in registers");
  int64_t bytes = plan->getVectorBytes(), element = getStorageBytes(tile.getElementType());
  if (bytes < element || bytes > 16 || !llvm::isPowerOf2_64(bytes))
    return op->emitOpError("has an atom_plan with accesses of ")
           << bytes << " bytes, expected a power of two from " << element << " to 16";
  return success();
}

LogicalResult ConvertLayoutOp::verify() {
  if (isOutsideRegisters(getResult()))
    return emitOpError("expects a register layout as result");
  if (failed(verifyPlan(*this, getAtomPlan(), tensorOf(getResult()), isOutsideRegisters(getSource()))))
    return failure();
  return verifySameTile(*this, tensorOf(getSource()), tensorOf(getResult()));
}

void ConvertLayoutOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isOutsideRegisters(getSource()))
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
    if (auto inner = dyn_cast_or_null<ConvertLayoutOp>(def); inner && !isOutsideRegisters(inner.getSource())) {
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
  if (!isOutsideRegisters(getResult()))
    return emitOpError("expects a layout of shared or tensor memory");
  return success();
}

LogicalResult CopyOp::verify() {
  if (!getDest() && !getResult())
    return emitOpError("expects a destination or a result");
  bool toTensorMemory = getDest() && !getResult() && isIn(getDest().getType(), MemoryKind::Tensor);
  if (getDest() && ((!isSharedTensor(getDest()) && !toTensorMemory) || isOutsideRegisters(getSource())))
    return emitOpError("expects a source in registers and a destination in shared memory");
  if (failed(verifyPlan(*this, getAtomPlan(), tensorOf(getSource()), bool(getDest()))))
    return failure();
  if (!getDest() || !getResult())
    return verifySameTile(*this, tensorOf(getSource()), tensorOf(getDest() ? getDest() : getResult()));
  auto source = tensorOf(getSource()), part = tensorOf(getDest());
  if (part.getRank() != 1 || part.getElementType() != source.getElementType() ||
      part.getNumElements() > source.getNumElements() || isOutsideRegisters(getResult()))
    return emitOpError(
        "with a result expects a destination of rank 1 for a part of the source, and the result in registers");
  return verifySameTile(*this, source, tensorOf(getResult()));
}

void CopyOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getDest()) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
}

LogicalResult ShuffleOp::verify() {
  if (failed(verifyPlan(*this, getAtomPlan(), tensorOf(getSource()), /*shared=*/false)))
    return failure();
  return verifySameTile(*this, tensorOf(getSource()), tensorOf(getResult()));
}

//===----------------------------------------------------------------------===//
// Shape and aggregates
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  auto source = tensorOf(getSource()), result = tensorOf(getResult());
  if (source.getNumElements() != result.getNumElements() || source.getElementType() != result.getElementType())
    return emitOpError("expects source and result with the same elements");
  return verifyShapeLayouts(*this);
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
  return verifyReduceAtom(*this);
}
