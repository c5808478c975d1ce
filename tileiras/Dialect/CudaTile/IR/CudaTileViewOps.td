//===- CudaTileViewOps.td - Tensor views and tile views ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_VIEWOPS_TD
#define TILEIRAS_CUDATILE_VIEWOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

class ViewNamed<list<Trait> traits> {
  list<Trait> all = traits # [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>];
}

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view",
    ViewNamed<[NoMemoryEffect, AttrSizedOperandSegments]>.all> {
  let summary = "A pointer with a shape and strides";
  let arguments = (ins CudaTile_PtrScalar:$base, Variadic<CudaTile_IntScalar>:$dynamicShape,
                       Variadic<CudaTile_IntScalar>:$dynamicStrides);
  let results = (outs CudaTile_TensorView:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class MakeViewOp<string mnemonic, TypeConstraint view> : CudaTile_Op<mnemonic, ViewNamed<[Pure]>.all> {
  let arguments = (ins CudaTile_TensorView:$tensor_view);
  let results = (outs view:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_MakePartitionViewOp : MakeViewOp<"make_partition_view", CudaTile_PartitionView>;
def CudaTile_MakeStridedViewOp : MakeViewOp<"make_strided_view", CudaTile_StridedView>;
def CudaTile_MakeGatherScatterViewOp : MakeViewOp<"make_gather_scatter_view", CudaTile_GatherScatterView>;

class ShapeQueryOp<string mnemonic, TypeConstraint type> : CudaTile_Op<mnemonic, [NoMemoryEffect]> {
  let arguments = (ins type:$src);
  let results = (outs Variadic<CudaTile_IntScalar>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_GetTensorShapeOp : ShapeQueryOp<"get_tensor_shape", CudaTile_TensorView>;
def CudaTile_GetIndexSpaceShapeOp : ShapeQueryOp<"get_index_space_shape", CudaTile_TileView> {
  let summary = "How many tiles a view has along each index";
}

def CudaTile_LoadViewTkoOp : CudaTile_Op<"load_view_tko", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_TileView:$view,
                       Variadic<AnyType>:$index, Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
                       OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_Tile:$tile, CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_StoreViewTkoOp : CudaTile_Op<"store_view_tko", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScope>:$memory_scope, CudaTile_Tile:$tile,
                       CudaTile_TileView:$view, Variadic<AnyType>:$index, Optional<CudaTile_Token>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
                       OptionalAttr<DenseBoolArrayAttr>:$inbounds);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def CudaTile_AtomicRedViewTkoOp : CudaTile_Op<"atomic_red_view_tko", [AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins CudaTile_MemoryOrderingSemantics:$memory_ordering_semantics,
                       CudaTile_MemoryScope:$memory_scope, CudaTile_TileView:$view, Variadic<AnyType>:$index,
                       CudaTile_AtomicRMWMode:$mode, CudaTile_Number:$value, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
