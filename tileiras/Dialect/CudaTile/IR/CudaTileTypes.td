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
  let description = [{
    `tile<2x4xf32>`; `tile<i32>` has rank 0 and one element. A value, not memory: operations make new tiles. Who
    holds which element is the compiler's business.

    Extents are powers of two, at most 16777216 elements in all. Elements: i1, i8, i16, i32, i64, f16, bf16, f32,
    tf32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU (since 13.2), f4E2M1FN and i4 (since 13.3, i4 for few operations), or
    pointers. f4E2M1FN needs an even number of elements. In memory i1 is a byte, tf32 four bytes, and 4-bit elements
    lie two to a byte, the first in the low half. Errors: "all dimensions must be powers of two, got ..", "tile
    would exceed the maximum of 16777216 elements".

    Inside types and custom forms `!cuda_tile.` is left out; the generic form writes `!cuda_tile.tile<2x4xf32>`.
  }];
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
  let description = [{
    `ptr<f32>`: 64 bits, the address of a number of that type. Always the element of a tile: `tile<ptr<f32>>`,
    `tile<128xptr<f16>>`. Pointees are numbers, neither pointers nor i4. The second parameter (since 13.4) says what
    kind of memory it is: `ptr<f32, #cuda_tile.ptr_attr<none>>`.
  }];
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
  let description = [{
    What an operation returns so that others can come after it. Operations named `_tko` are ordered by data and by
    tokens, not by their place in the program. Tokens may be carried by loops and returned by `if`, not stored or
    passed to an entry.
  }];
}

def CudaTile_TensorViewType : CudaTile_TypeDef<"TensorView", "tensor_view"> {
  let summary = "A strided tensor in global memory; kDynamic marks run-time extents";
  let description = [{
    `tensor_view<?x16xf32, strides=[16,1]>`: element type, extents and strides, counted in elements; `?` is known at
    run time only. Extents need not be powers of two. Rank 0 is written `tensor_view<f32>`, without strides. Made by
    `make_tensor_view`; neither loops nor branches can carry it. The optional last parameter is that of the pointer.

    Errors: "expected 'strides'", "strides must not be provided for 0-d tiles", and extents or strides that are not
    positive.
  }];
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
  let description = [{
    `partition_view<tile=(4x2), padding_value = nan, tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>`. Along
    tile dimension d, tile i covers elements i * T to (i + 1) * T - 1 of tensor dimension dim_map[d] (d itself where
    `dim_map` is left out). There are ceil(extent / T) tiles. Elements outside the tensor load as the padding value,
    or undefined without one, and are not stored.

    Tile extents are powers of two, as many as the tensor has dimensions, at least one; `dim_map` is a permutation;
    a padding other than `zero` needs a float type.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, "::mlir::cuda_tile::TensorViewType":$tensorView,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}
def CudaTile_StridedViewType : CudaTile_ViewType<"StridedView", "strided_view"> {
  let summary = "Tiles at a fixed distance, which may overlap or leave gaps";
  let description = [{
    `strided_view<tile=(2x2), traversal_strides=[3,3], tensor_view<8x8xf32, strides=[8,1]>>`. Like a partition view,
    but tile i starts at element i * traversal stride, and there are ceil(extent / traversal stride) tiles.
    Traversal strides are positive, one per dimension, and need not be powers of two. Since 13.3.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, ArrayRefParameter<"int32_t">:$traversalStrides,
                        "::mlir::cuda_tile::TensorViewType":$tensorView, ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}
def CudaTile_GatherScatterViewType : CudaTile_ViewType<"GatherScatterView", "gather_scatter_view"> {
  let summary = "Tiles whose position along one dimension comes from a vector of indices";
  let description = [{
    `gather_scatter_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>`.
    Along `sparse_dim` an access gives the position of each slice of the tile, in elements, as a rank-1 tile; along
    the other dimensions an index is the position where the tile starts. Positions outside the tensor load as padding and are not stored. No
    `dim_map`, no atomics. Since 13.3.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape, "::mlir::cuda_tile::TensorViewType":$tensorView,
                        "int32_t":$sparseDim, OptionalParameter<"::mlir::cuda_tile::PaddingValueAttr">:$paddingValue);
}

#endif
