//===- CudaTileTypes.td - Types and the TileView interface ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_TYPES_TD
#define TILEIRAS_CUDATILE_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileEnums.td"
include "tileiras/Dialect/CudaTile/IR/CudaTileInterfaces.td"

class CudaTile_TypeDef<string name, string mn, list<Trait> traits = []> : TypeDef<CudaTile_Dialect, name, traits> {
  let mnemonic = mn;
}

def CudaTile_TileType : CudaTile_TypeDef<"Tile", "tile", [ShapedTypeInterface]> {
  let summary = "A tile: an immutable array of static power-of-two shape";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), shape, elementType);
  }]>];
  let extraClassDeclaration = [{
    /// The largest number of elements of one tile.
    static constexpr int64_t maxNumElements = 16777216;
    bool hasRank() const { return true; }
    ::mlir::ShapedType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return TileType::get(shape ? *shape : getShape(), elementType);
    }
    /// The tile of the same shape with another element type.
    TileType withElementType(::mlir::Type elementType) const { return TileType::get(getShape(), elementType); }
  }];
}

def CudaTile_PointerType : CudaTile_TypeDef<"Pointer", "ptr"> {
  let summary = "A pointer to global memory; only seen as the element of a tile";
  let parameters = (ins "::mlir::Type":$pointeeType, OptionalParameter<"::mlir::cuda_tile::PtrAttrAttr">:$ptrAttr);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$pointeeType, CArg<"::mlir::cuda_tile::PtrAttrAttr", "{}">:$ptrAttr), [{
    return $_get(pointeeType.getContext(), pointeeType, ptrAttr);
  }]>];
}

def CudaTile_TokenType : CudaTile_TypeDef<"Token", "token"> {
  let summary = "An order between memory operations; no value at run time";
}

def CudaTile_TensorViewType : CudaTile_TypeDef<"TensorView", "tensor_view"> {
  let summary = "A strided tensor in global memory; kDynamic marks run-time extents";
  let parameters = (ins "::mlir::Type":$elementType, ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"int64_t">:$strides,
                        OptionalParameter<"::mlir::cuda_tile::PtrAttrAttr">:$ptrAttr);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int64_t>":$strides,
           CArg<"::mlir::cuda_tile::PtrAttrAttr", "{}">:$ptrAttr), [{
    return $_get(elementType.getContext(), elementType, shape, strides, ptrAttr);
  }]>];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    unsigned getNumDynamicShape() const { return ::llvm::count(getShape(), ::mlir::ShapedType::kDynamic); }
    unsigned getNumDynamicStrides() const { return ::llvm::count(getStrides(), ::mlir::ShapedType::kDynamic); }
    /// The element type as a pointer: what a base address must point to.
    ::mlir::cuda_tile::PointerType getPointerType() const {
      return ::mlir::cuda_tile::PointerType::get(getElementType(), getPtrAttr());
    }
  }];
}

class CudaTile_ViewType<string name, string mn> : CudaTile_TypeDef<name, mn,
    [DeclareTypeInterfaceMethods<CudaTile_TileViewInterface>]> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}
def CudaTile_PartitionViewType : CudaTile_ViewType<"PartitionView", "partition_view"> {
  let summary = "A tensor cut into a grid of adjacent tiles";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, "::mlir::cuda_tile::TensorViewType":$tensorView,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}
def CudaTile_StridedViewType : CudaTile_ViewType<"StridedView", "strided_view"> {
  let summary = "Tiles at a fixed distance, which may overlap or leave gaps";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, ArrayRefParameter<"int32_t">:$traversalStrides,
                        "::mlir::cuda_tile::TensorViewType":$tensorView, ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}
def CudaTile_GatherScatterViewType : CudaTile_ViewType<"GatherScatterView", "gather_scatter_view"> {
  let summary = "Tiles whose position along one dimension comes from a vector of indices";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, "::mlir::cuda_tile::TensorViewType":$tensorView,
                        "int32_t":$sparseDim, OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}

#endif
