//===- CudaTileViewOps.cpp - Checks of the view ops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "tview"); }
void MakePartitionViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "pview"); }
void MakeStridedViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "sview"); }
void MakeGatherScatterViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "gsview"); }

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType type = getResult().getType();
  auto pointer = cast<PointerType>(getBase().getType().getElementType());
  if (pointer.getPointeeType() != type.getElementType())
    return emitOpError("expected pointer to ")
           << type.getElementType() << " to build tensor_view of this type, got " << pointer.getPointeeType();
  if (pointer != type.getPointerType())
    return emitOpError("expected the pointer attribute of the base (")
           << pointer << ") and of the tensor_view (" << type << ") to be the same";
  if (type.getNumDynamicShape() != getDynamicShape().size())
    return emitOpError("expected ") << type.getNumDynamicShape() << " dynamic shape operands, got "
                                    << getDynamicShape().size();
  if (type.getNumDynamicStrides() != getDynamicStrides().size())
    return emitOpError("expected ") << type.getNumDynamicStrides() << " dynamic stride operands, got "
                                    << getDynamicStrides().size();
  for (auto [what, values] : {std::pair{"shape", getDynamicShape()}, std::pair{"stride", getDynamicStrides()}})
    for (auto [i, value] : llvm::enumerate(values))
      if (Type first = getOperand(1).getType(); value.getType() != first)
        return emitOpError("expected dynamic ")
               << what << " index " << i << " to be of the same type as the other dynamic values (" << first
               << "), got " << value.getType();
  return success();
}

template <typename OpT> static LogicalResult verifyMakeView(OpT op) {
  TensorViewType given = op.getTensorView().getType();
  TensorViewType expected = cast<TileView>(op.getResult().getType()).getViewTensorView();
  if (given != expected)
    return op.emitOpError("expected the type of the provided tensor_view value (")
           << given << ") to be the same as the view's tensor_view type (" << expected << ")";
  return success();
}
LogicalResult MakePartitionViewOp::verify() { return verifyMakeView(*this); }
LogicalResult MakeStridedViewOp::verify() { return verifyMakeView(*this); }
LogicalResult MakeGatherScatterViewOp::verify() { return verifyMakeView(*this); }

//===----------------------------------------------------------------------===//
// Shape queries
//===----------------------------------------------------------------------===//

static LogicalResult verifySameResultTypes(Operation *op) {
  // The text writes one type for all results.
  if (op->getNumResults() && !llvm::all_equal(op->getResultTypes()))
    return op->emitOpError("expected all results to have the same type");
  return success();
}

LogicalResult GetTensorShapeOp::verify() {
  int64_t rank = getSrc().getType().getRank();
  if (rank != static_cast<int64_t>(getNumResults()))
    return emitOpError("expected ") << rank << " results due to tensor rank, but got " << getNumResults();
  return verifySameResultTypes(*this);
}

LogicalResult GetIndexSpaceShapeOp::verify() {
  unsigned rank = cast<TileView>(getSrc().getType()).getViewIndexRank();
  if (rank != getNumResults())
    return emitOpError("expected ") << rank << " results due to view index space rank, but got " << getNumResults();
  return verifySameResultTypes(*this);
}

//===----------------------------------------------------------------------===//
// Loads, stores, reductions
//===----------------------------------------------------------------------===//

/// Indices, tile type and the per-dimension promise of a view access.
template <typename OpT> static LogicalResult verifyViewAccess(OpT op) {
  auto view = cast<TileView>(op.getView().getType());
  if (op.getIndex().size() != view.getViewIndexRank())
    return op.emitOpError("expected ") << view.getViewIndexRank() << " index operands (based on view type), got "
                                       << op.getIndex().size();
  if (view.getViewTileType() != op.getTile().getType())
    return op.emitOpError("expected tile type to be ")
           << view.getViewTileType() << " (based on view type), got " << op.getTile().getType();
  if (failed(view.verifyIndices([&] { return op.emitOpError(); }, op.getIndex().getTypes())))
    return failure();
  if (std::optional<ArrayRef<bool>> inbounds = op.getInbounds(); inbounds && inbounds->size() != op.getIndex().size())
    return op.emitOpError("expected ") << op.getIndex().size() << " inbounds values (one per index), got "
                                       << inbounds->size();
  return verifyHints(op, op.getOptimizationHintsAttr(), {"allow_tma", "latency"});
}

void LoadViewTkoOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  getLoadEffects(getMemoryOrderingSemantics(), effects);
}

LogicalResult LoadViewTkoOp::verify() {
  if (failed(verifyViewAccess(*this)))
    return failure();
  return verifyAccessOrdering(*this, /*isLoad=*/true, getMemoryOrderingSemantics(), getMemoryScope());
}

LogicalResult StoreViewTkoOp::verify() {
  if (failed(verifyViewAccess(*this)))
    return failure();
  return verifyAccessOrdering(*this, /*isLoad=*/false, getMemoryOrderingSemantics(), getMemoryScope());
}

LogicalResult AtomicRedViewTkoOp::verify() {
  if (getMemoryOrderingSemantics() != MemoryOrderingSemantics::Relaxed)
    return emitOpError("only 'relaxed' memory ordering is supported for view-based atomic reductions");
  if (getMemoryScope() == MemoryScope::Sys)
    return emitOpError("memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or "
                       "'device' for TMA compatibility");
  auto view = cast<TileView>(getView().getType());
  if (isa<GatherScatterViewType>(view))
    return emitOpError("gather_scatter_view is not supported; use partition_view instead");
  if (view.getViewPadding())
    return emitOpError("views with padding_value are not supported for atomic reductions");
  if (getMode() == AtomicRMWMode::Xchg)
    return emitOpError("atomic_red_view_tko op cannot use xchg operation");
  TileType tile = view.getViewTileType(), value = getValue().getType();
  if (getIndex().size() != view.getViewIndexRank())
    return emitOpError("expected ") << view.getViewIndexRank() << " index operand(s) for view with tile rank "
                                    << tile.getRank() << ", got " << getIndex().size();
  if (failed(view.verifyIndices([&] { return emitOpError(); }, getIndex().getTypes())))
    return failure();
  if (tile.getElementType() != value.getElementType())
    return emitOpError("view element type (")
           << tile.getElementType() << ") must match value element type (" << value.getElementType() << ")";
  if (tile.getShape() != value.getShape())
    return emitOpError("view tile shape ") << joinInts(tile.getShape()) << " must match value shape "
                                           << joinInts(value.getShape()) << " for element-wise atomic operations";
  return verifyAtomicMode(*this, getMode(), value.getElementType());
}
