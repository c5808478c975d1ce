//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Operations of nv_tileas.
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD

include "tileiras/Dialect/TileAS/IR/TileAS.td"
include "tileiras/Dialect/TileAS/IR/TileASAsyncOps.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_Op<string mnemonic, list<Trait> traits = []> : Op<TileAS_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Memory through pointers and views; operands as in nv_tileaa
//===----------------------------------------------------------------------===//

def TileAS_LoadOp : TileAS_Op<"load", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise load; all tensors share one layout";
  let arguments = (ins AnyType:$ptrs, Optional<AnyType>:$mask, Optional<AnyType>:$other,
                       Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<I32Attr>:$latency,
                       OptionalAttr<I32Attr>:$vec);
  let description = [{ vec: neighbouring registers (a power of two, along the contiguous dimension) that one access moves. }];
  let results = (outs AnyType:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs custom<NamedOperands>($mask, $other, $token) attr-dict `:`
    type($ptrs) (`,` `mask` type($mask)^)? `->` type($result) custom<SameTypeOptional>(ref($other), ref(type($result)), type($other))
  }];
  let hasVerifier = 1;
}
def TileAS_StoreOp : TileAS_Op<"store", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise store; one owner thread writes each element";
  let arguments = (ins AnyType:$ptrs, AnyType:$value, Optional<AnyType>:$mask, Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<I32Attr>:$latency,
                       OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs `,` $value custom<NamedOperands>($mask, $token) attr-dict `:`
    type($ptrs) `,` type($value) (`,` `mask` type($mask)^)?
  }];
  let hasVerifier = 1;
}
def TileAS_TiledLoadOp : TileAS_Op<"tiled_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load a tile of a view into registers";
  let description = [{ vec: elements along the tile's contiguous dimension that one access may move (alignment proven). }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices, Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<BoolAttr>:$allow_tma, OptionalAttr<I32Attr>:$vec);
  let results = (outs AnyRankedTensor:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAS_TiledStoreOp : TileAS_Op<"tiled_store", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile to a view; one owner thread writes each element";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnySignlessInteger>:$indices,
                       Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<BoolAttr>:$allow_tma, OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}

def TileAS_TiledAtomicRMWOp : TileAS_Op<"tiled_atomic_rmw", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic reduction of a tile into a view; one owner thread does each element";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnySignlessInteger>:$indices,
                       Optional<TileAA_MemTokenType>:$token, TileAA_RMWModeAttr:$rmw_mode,
                       TileAA_MemSemanticAttr:$mem_semantic, TileAA_MemScopeAttr:$mem_scope);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}
def TileAS_GatherLoadOp : TileAS_Op<"gather_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load a tile whose slices along `axis` are chosen one by one";
  let description = [{
    Index `axis` is a rank-1 tensor of coordinates. Its layout is the tile's
    without the other dimensions, so that every thread has the coordinates of what it loads.
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnyType>:$indices, Optional<TileAA_MemTokenType>:$token,
                       I32Attr:$axis,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<I32Attr>:$vec);
  let results = (outs AnyRankedTensor:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAS_ScatterStoreOp : TileAS_Op<"scatter_store", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile whose slices along `axis` go where a tensor of coordinates says";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnyType>:$indices,
                       Optional<TileAA_MemTokenType>:$token, I32Attr:$axis,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Layout conversion and shared memory
//===----------------------------------------------------------------------===//

def TileAS_ConvertLayoutOp : TileAS_Op<"convert_layout", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the same tile in another layout";
  let description = [{
    Register to register, and then pure, until tileas-materialize-convert-layout
    has run. After it, only shared memory to registers remains, marked with
    `atom_plan`: a read of memory, which must not move past a later write.
  }];
  let arguments = (ins AnyRankedTensor:$source, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan, UnitAttr:$reinterpret_byte);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def TileAS_AllocTensorOp : TileAS_Op<"alloc_tensor", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a tile in shared or tensor memory; `offset` in bytes of global_smem, or in columns, once assigned";
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TileAS_CopyOp : TileAS_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "move a tile between registers of one thread, into shared memory, or by way of it";
  let description = [{
    Without `dest`: a register permutation inside each thread (source and
    result layouts agree in lane and warp). With `dest` (a shared tile) and no
    result: every element is written once, by its owner. A barrier follows the
    writes; one precedes them unless `no_war_barrier` says that no thread can
    still be reading what the buffer held before.

    With both: a conversion between any two layouts, in rounds. `dest` is a
    shared tile of rank 1 that holds the part of one round (its number of
    elements divides that of the source); in each round the threads write what
    they have of one part and, after a barrier, read what they want of it.
  }];
  let arguments = (ins AnyRankedTensor:$source, Optional<AnyRankedTensor>:$dest, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan,
                       UnitAttr:$no_war_barrier);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = "$source (`,` $dest^)? attr-dict `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?";
  let hasVerifier = 1;
}
def TileAS_ShuffleOp : TileAS_Op<"shuffle", [Pure]> {
  let summary = "layout conversion inside each warp, by lane shuffles";
  let arguments = (ins AnyRankedTensor:$source, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def TileAS_ViewOp : TileAS_Op<"view", [Pure]> {
  let summary = "reshape in row-major order without data movement: the result layout is the source's, reshaped";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_ReinterpretOp : TileAS_Op<"reinterpret", [Pure]> {
  let summary = "the bytes that a rank-1 tile has in memory, read as elements of another width, inside each thread";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_ExtractSliceOp : TileAS_Op<"extract_slice", [Pure]> {
  let summary = "the block number `indices` of the source; constant indices only move registers, run-time ones choose between all blocks";
  let arguments = (ins AnyRankedTensor:$source, Variadic<I32>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

def TileAS_ReduceOp : TileAS_Op<"reduce", [AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "reduction along `axis`: inside threads, across lanes, across warps";
  let description = [{
    All sources share one layout; every result has that layout without the
    reduced dimension (or is a scalar). When warps hold different parts of the
    axis the op needs one shared scratch tile per source, in `scratch`
    (tileas-legalize-reduce provides them): rank-1 tiles of
    (result elements x warps along the axis).
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, Variadic<AnyRankedTensor>:$scratch, I32Attr:$axis, ArrayAttr:$identities,
                       UnitAttr:$no_war_barrier);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sources (`scratch` $scratch^ `:` type($scratch))? attr-dict `:` type($sources) `->` type($results) $body";
  let hasVerifier = 1;
}
def TileAS_ScanOp : TileAS_Op<"scan", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "inclusive prefix along `axis`; across warps inside nv_tileas.with_scratch";
  let arguments = (ins Variadic<AnyRankedTensor>:$sources, I32Attr:$axis, UnitAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results) $body";
}
def TileAS_YieldOp : TileAS_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp", "WithScratchOp"]>]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

def TileAS_DotOp : TileAS_Op<"dot", [AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a x b + c, or with scales (a * sfa) x (b * sfb) + c";
  let description = [{
    tileas-assign-dot-layouts chooses the `atom`; from then on c and the result
    have the atom's accumulator layout, the others its operand layouts. After
    tileas-materialize-convert-layout an operand (not c) may be a shared tile
    instead: the product then fetches from it what it needs when it needs it, by
    the copy atom `fetch_a` or `fetch_b` (without one: ld).
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c, Optional<AnyRankedTensor>:$sfa,
                       Optional<AnyRankedTensor>:$sfb, OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, UnitAttr:$fast_acc, OptionalAttr<TileAS_MmaAtomAttrInterface>:$atom,
                       OptionalAttr<TileAS_CopyAtomAttrInterface>:$fetch_a, OptionalAttr<TileAS_CopyAtomAttrInterface>:$fetch_b);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`scales` `(` $sfa^ `:` type($sfa) `,` $sfb `:` type($sfb) `)`)? attr-dict `:` type($a) `,` type($b) `,` type($c)
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD
