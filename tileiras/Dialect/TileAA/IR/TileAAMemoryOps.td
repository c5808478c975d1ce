//===- TileAAMemoryOps.td - Atomics, gathers, globals, fences -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAAMEMORYOPS_TD
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAAMEMORYOPS_TD

// Included by TileAAOps.td.

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

def TileAA_AtomicRMWOp : TileAA_Op<"atomic_rmw", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise atomic read-modify-write through pointers; the result is what was there before";
  let description = [{
    Every element is done once, by one owner thread, also where a layout makes
    several threads hold it. Where the mask is false nothing happens and the
    result is zero. The operation survives into the nv_tileas stage, where all its tensors
    share one layout.

    `vec` neighbouring elements along the layout's registers lie next to each other in memory, the first aligned to all of
    them, and have one mask: one instruction may combine them, if nobody uses the result and `red` has vectors of them
    (widestReduction). Passes set it.
  }];
  let arguments = (ins AnyType:$ptrs, AnyType:$value, Optional<AnyType>:$mask, Optional<TileAA_MemTokenType>:$token,
                       TileAA_RMWModeAttr:$rmw_mode, TileAA_MemSemanticAttr:$mem_semantic, TileAA_MemScopeAttr:$mem_scope,
                       OptionalAttr<I32Attr>:$vec);
  let results = (outs AnyType:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs `,` $value custom<NamedOperands>($mask, $token) attr-dict `:`
    type($ptrs) (`,` `mask` type($mask)^)? `->` type($result) custom<SameType>(ref(type($result)), type($value))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}
def TileAA_AtomicCASOp : TileAA_Op<"atomic_cas", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise atomic compare-and-swap, of bits also for floats; the result is what was there before";
  let description = [{ Where the mask is false nothing happens and the result is `cmp`. }];
  let arguments = (ins AnyType:$ptrs, AnyType:$cmp, AnyType:$value, Optional<AnyType>:$mask,
                       Optional<TileAA_MemTokenType>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       TileAA_MemScopeAttr:$mem_scope);
  let results = (outs AnyType:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs `,` $cmp `,` $value custom<NamedOperands>($mask, $token) attr-dict `:`
    type($ptrs) (`,` `mask` type($mask)^)? `->` type($result)
    custom<SameType>(ref(type($result)), type($cmp)) custom<SameType>(ref(type($result)), type($value))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}
def TileAA_TiledAtomicRMWOp : TileAA_Op<"tiled_atomic_rmw", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic reduction of a tile into a view; elements outside the memref are dropped";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnySignlessInteger>:$indices,
                       Optional<TileAA_MemTokenType>:$token, TileAA_RMWModeAttr:$rmw_mode,
                       TileAA_MemSemanticAttr:$mem_semantic, TileAA_MemScopeAttr:$mem_scope);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

def TileAA_GatherLoadOp : TileAA_Op<"gather_load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load a tile whose slices along `axis` are chosen one by one";
  let description = [{
    Index `axis` is a rank-1 tensor of coordinates (unsigned, in elements), one
    for each slice of the tile; the others are tile indices as for tiled_load. Slices outside the memref are padding.
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnyType>:$indices, Optional<TileAA_MemTokenType>:$token,
                       I32Attr:$axis,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency);
  let results = (outs AnyRankedTensor:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAA_ScatterStoreOp : TileAA_Op<"scatter_store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile whose slices along `axis` go where a tensor of coordinates says";
  let arguments = (ins TileAA_TiledViewType:$view, AnyRankedTensor:$value, Variadic<AnyType>:$indices,
                       Optional<TileAA_MemTokenType>:$token, I32Attr:$axis,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory that is not an argument
//===----------------------------------------------------------------------===//

def TileAA_GlobalOp : TileAA_Op<"global", [Symbol]> {
  let summary = "initialised device memory that lives as long as the module";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility, ElementsAttr:$value,
                       I64Attr:$alignment, UnitAttr:$constant);
  let assemblyFormat = "($sym_visibility^)? $sym_name `align` $alignment (`constant` $constant^)? $value attr-dict";
  let hasVerifier = 1;
}
def TileAA_GetGlobalOp : TileAA_Op<"get_global", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "address of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}
def TileAA_AllocaOp : TileAA_Op<"alloca", [MemoryEffects<[MemAlloc]>]> {
  let summary = "device memory for the tile block, until the end of the block of operations it stands in";
  let arguments = (ins I64Attr:$num_elem, I64Attr:$alignment);
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = "$num_elem `align` $alignment attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Fences and dependent launches
//===----------------------------------------------------------------------===//

class TileAA_FenceOp<string mnemonic, string what> : TileAA_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = what;
  let arguments = (ins Optional<TileAA_MemTokenType>:$token);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = "(`token` $token^)? attr-dict";
}
def TileAA_FenceAliasOp : TileAA_FenceOp<"fence_alias", "orders accesses to one location through different virtual addresses">;
def TileAA_GdcWaitOp : TileAA_FenceOp<"gdc_wait", "wait for the grid this one depends on; its stores are visible afterwards">;
def TileAA_GdcLaunchDependentsOp : TileAA_FenceOp<"gdc_launch_dependents", "let the grid that depends on this one start">;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

def TileAA_ReinterpretOp : TileAA_Op<"reinterpret", [Pure]> {
  let summary = "the bytes that a rank-1 tile has in memory, read as elements of another width";
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAAMEMORYOPS_TD
