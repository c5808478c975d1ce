//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of nv_tileas.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD

include "tileiras/Dialect/TileAS/IR/TileAS.td"
include "tileiras/Dialect/TileAS/IR/TileASAsyncOps.td"
include "tileiras/Dialect/TileAS/IR/TileASOperands.td"
include "tileiras/Dialect/TileAA/IR/MemoryAccessOpInterface.td"
include "tileiras/Dialect/TileAA/IR/ShapeTraits.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_Op<string mnemonic, list<Trait> traits = []> : Op<TileAS_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Memory through pointers and views; operands as in nv_tileaa
//===----------------------------------------------------------------------===//

def TileAS_LoadOp : TileAS_Op<"load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise load; all tensors share one layout";
  let description = [{
    Where `mask` is false nothing is read and the result is `other`, or zero. `vec`: neighbouring registers (a power of two,
    along the contiguous dimension) that one access moves.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    nv_tileaa.func @example(%p: tensor<64x!nv_tileaa.ptr<f32>, #l>, %m: tensor<64xi1, #l>) {
      %x, %t = nv_tileas.load %p, mask %m {vec = 2 : i32} : tensor<64x!nv_tileaa.ptr<f32>, #l>, mask tensor<64xi1, #l> -> tensor<64xf32, #l>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Pointers:$ptrs, Optional<TileAS_Mask>:$mask, Optional<TileAS_Value>:$other,
                       Optional<TileAA_MemTokenType>:$token,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<I32Attr>:$latency,
                       OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAS_Value:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs custom<NamedOperands>($mask, $other, $token) attr-dict `:`
    type($ptrs) (`,` `mask` type($mask)^)? `->` type($result) custom<SameTypeOptional>(ref($other), ref(type($result)), type($other))
  }];
  let hasVerifier = 1;
}
def TileAS_StoreOp : TileAS_Op<"store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "element-wise store; one owner thread writes each element";
  let description = [{
    What is masked out stays as it was. Where a layout makes several threads hold an element, one of them, its owner,
    writes it. `vec` as for `load`.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    nv_tileaa.func @example(%p: tensor<64x!nv_tileaa.ptr<f32>, #l>, %x: tensor<64xf32, #l>, %after: !nv_tileaa.mem_token) {
      %t = nv_tileas.store %p, %x, token %after {mem_semantic = #nv_tileaa.mem_semantic<release>, mem_scope = #nv_tileaa.mem_scope<gpu>} : tensor<64x!nv_tileaa.ptr<f32>, #l>, tensor<64xf32, #l>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Pointers:$ptrs, TileAS_Value:$value, Optional<TileAS_Mask>:$mask, Optional<TileAA_MemTokenType>:$token,
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
def TileAS_TiledLoadOp : TileAS_Op<"tiled_load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load a tile of a view into registers";
  let description = [{
    Elements outside the memref are the view's padding; `in_bounds` promises, dimension by dimension, that there are none.
    `vec`: elements along the tile's contiguous dimension that one access may move (alignment proven). `valid`: where it
    is false, all elements count as outside, wherever the indices are.

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %i: i32) {
      %x, %t = nv_tileas.tiled_load %v[%i, %i] {in_bounds = array<i1: false, true>} : !view, (i32, i32) -> tensor<8x16xf32, #b>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices, Optional<TileAA_MemTokenType>:$token,
                       Optional<I1>:$valid,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<BoolAttr>:$allow_tma, OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAS_Tile:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? (`if` $valid^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->`
    type($result)
  }];
  let hasVerifier = 1;
}
def TileAS_TiledStoreOp : TileAS_Op<"tiled_store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile to a view; one owner thread writes each element";
  let description = [{
    Elements outside the memref are not written. Where a layout makes several threads hold an element, its owner writes
    it. `in_bounds` and `vec` as for `tiled_load`.

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
      %t = nv_tileas.tiled_store %v[%i, %i], %x {vec = 2 : i32} : !view, (i32, i32), tensor<8x16xf32, #b>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, TileAS_Tile:$value, Variadic<AnySignlessInteger>:$indices,
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

def TileAS_TiledAtomicRMWOp : TileAS_Op<"tiled_atomic_rmw", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomic reduction of a tile into a view; one owner thread does each element";
  let description = [{
    Elements outside the memref are dropped. Every element is done once, by its owner. `vec` as for `tiled_load`, of what
    `red` has vectors for (nv_tileaa::widestReduction).

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
      %t = nv_tileas.tiled_atomic_rmw %v[%i, %i], %x {rmw_mode = #nv_tileaa.rmw_mode<addf>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !view, (i32, i32), tensor<8x16xf32, #b>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, TileAS_Tile:$value, Variadic<AnySignlessInteger>:$indices,
                       Optional<TileAA_MemTokenType>:$token, TileAA_RMWModeAttr:$rmw_mode,
                       TileAA_MemSemanticAttr:$mem_semantic, TileAA_MemScopeAttr:$mem_scope, OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $value (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($value)
  }];
  let hasVerifier = 1;
}
def TileAS_GatherLoadOp : TileAS_Op<"gather_load", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "load a tile whose slices along `axis` are chosen one by one";
  let description = [{
    Index `axis` is a rank-1 tile of coordinates (unsigned, in elements), one for each slice of the tile. Its layout is the
    tile's without the other dimensions, so that every thread has the coordinates of what it loads. The other indices are
    those of `tiled_load`.

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    #rows = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [1], [2]], warp = [[0], [4]]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %rows: tensor<8xi32, #rows>, %i: i32) {
      %x, %t = nv_tileas.gather_load %v[%rows, %i] {axis = 0 : i32} : !view, (tensor<8xi32, #rows>, i32) -> tensor<8x16xf32, #b>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<TileAS_Coordinate>:$indices, Optional<TileAA_MemTokenType>:$token,
                       I32Attr:$axis,
                       DefaultValuedAttr<TileAA_MemSemanticAttr, "::mlir::nv_tileaa::MemSemantic::Weak">:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<I32Attr>:$latency, OptionalAttr<I32Attr>:$vec);
  let results = (outs TileAS_Tile:$result, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}
def TileAS_ScatterStoreOp : TileAS_Op<"scatter_store", [AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "store a tile whose slices along `axis` go where a tensor of coordinates says";
  let description = [{
    Indices as for `gather_load`. Slices outside the memref are dropped; if two slices have one coordinate, either of them
    stays.

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    #rows = #nv_tileas.linear<rank = 1, register = [], lane = [[0], [0], [0], [1], [2]], warp = [[0], [4]]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %rows: tensor<8xi32, #rows>, %i: i32, %x: tensor<8x16xf32, #b>) {
      %t = nv_tileas.scatter_store %v[%rows, %i], %x {axis = 0 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x16xf32, #b>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, TileAS_Tile:$value, Variadic<TileAS_Coordinate>:$indices,
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

def TileAS_ConvertLayoutOp : TileAS_Op<"convert_layout", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TileAA_KeepsElements]> {
  let summary = "the same tile in another layout";
  let description = [{
    Register to register, and then pure, until tileas-materialize-convert-layout
    has run. After it, only shared memory to registers remains, marked with
    `atom_plan`: a read of memory, which must not move past a later write.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #k = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %y = nv_tileas.convert_layout %x : tensor<64xf32, #l> -> tensor<64xf32, #k>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan, UnitAttr:$reinterpret_byte);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def TileAS_AllocTensorOp : TileAS_Op<"alloc_tensor", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a tile in shared or tensor memory; `offset` in bytes of global_smem, or in columns, once assigned";
  let description = [{
    The tile is a place, not a value: what it holds is what was copied into it last. tileas-optimize-alloc-tensor gives it
    its `offset`, which may be that of another tile whose time is over.

    ```mlir
    #s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    nv_tileaa.func @example() {
      %tile = nv_tileas.alloc_tensor {offset = 128 : i64} : tensor<64xf32, #s>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TileAS_CopyOp : TileAS_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "move a tile between registers of one thread, into shared or tensor memory, or by way of shared memory";
  let description = [{
    Without `dest`: a register permutation inside each thread (source and
    result layouts agree in lane and warp). With `dest` (a shared tile) and no
    result: every element is written once, by its owner. A barrier follows the
    writes; one precedes them unless `no_war_barrier` says that no thread can
    still be reading what the buffer held before. No barrier
    follows writes to a `dest` in tensor memory.

    With both: a conversion between any two layouts, in rounds. `dest` is a
    shared tile of rank 1 that holds the part of one round (its number of
    elements divides that of the source); in each round the threads write what
    they have of one part and, after a barrier, read what they want of it.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %tile = nv_tileas.alloc_tensor : tensor<64xf32, #s>
      nv_tileas.copy %x, %tile : tensor<64xf32, #l>, tensor<64xf32, #s>
      %y = nv_tileas.convert_layout %tile {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 8>} : tensor<64xf32, #s> -> tensor<64xf32, #l>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, Optional<TileAS_Tile>:$dest, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan,
                       UnitAttr:$no_war_barrier);
  let results = (outs Optional<TileAS_Tile>:$result);
  let assemblyFormat = "$source (`,` $dest^)? attr-dict `:` type($source) (`,` type($dest)^)? (`->` type($result)^)?";
  let hasVerifier = 1;
}
def TileAS_ShuffleOp : TileAS_Op<"shuffle", [Pure]> {
  let summary = "layout conversion inside each warp, by lane shuffles";
  let description = [{
    Source and result differ in register and lane bits only, so no data leave a warp.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #k = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %y = nv_tileas.shuffle %x : tensor<64xf32, #l> -> tensor<64xf32, #k>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def TileAS_ViewOp : TileAS_Op<"view", [Pure, TileAA_ReshapesRowMajor]> {
  let summary = "reshape in row-major order without data movement: the result layout is the source's, reshaped";
  let description = [{
    Number n of the source in row-major order is number n of the result. The result's layout is the source's, reshaped, so
    no register moves.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #h = #nv_tileas.linear<rank = 2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %y = nv_tileas.view %x : tensor<64xf32, #l> -> tensor<8x8xf32, #h>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_ReinterpretOp : TileAS_Op<"reinterpret", [Pure]> {
  let summary = "the bytes that a rank-1 tile has in memory, read as elements of another width, inside each thread";
  let description = [{
    The low bits of a wide element come first. What belongs together must lie in one thread, in neighbouring registers.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #w = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xf16, #l>) {
      %y = nv_tileas.reinterpret %x : tensor<64xf16, #l> -> tensor<32xi32, #w>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_ExtractSliceOp : TileAS_Op<"extract_slice", [Pure, TileAA_TakesBlock]> {
  let summary = "the block number `indices` of the source; constant indices only move registers, run-time ones choose between all blocks";
  let description = [{
    The source is cut into blocks of the result's shape; there is an index per dimension. Constant indices only choose
    registers, run-time ones select between those of all blocks.

    ```mlir
    #k = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
    #half = #nv_tileas.linear<rank = 1, register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #k>) {
      %one = arith.constant 1 : i32
      %y = nv_tileas.extract_slice %x[%one] : tensor<64xf32, #k> -> tensor<32xf32, #half>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, Variadic<I32>:$indices);
  let results = (outs TileAS_Tile:$result);
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

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    #s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %sum = nv_tileas.reduce %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> f32 {
      ^bb0(%element: f32, %all: f32):
        %next = arith.addf %element, %all : f32
        nv_tileas.yield %next : f32
      }
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Tile>:$sources, Variadic<TileAS_Tile>:$scratch, I32Attr:$axis, ArrayAttr:$identities,
                       UnitAttr:$no_war_barrier);
  let results = (outs Variadic<TileAS_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sources (`scratch` $scratch^ `:` type($scratch))? attr-dict `:` type($sources) `->` type($results) $body";
  let hasVerifier = 1;
}
def TileAS_ScanOp : TileAS_Op<"scan", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "inclusive prefix along `axis`; across warps inside nv_tileas.with_scratch";
  let description = [{
    Result k is the body applied to the identity and the first k + 1 elements in order; from the other end with `reverse`.
    All sources and results share one shape and layout.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xf32, #l>) {
      %sums = nv_tileas.scan %x {axis = 0 : i32, identities = [0.0 : f32]} : tensor<64xf32, #l> -> tensor<64xf32, #l> {
      ^bb0(%element: f32, %all: f32):
        %next = arith.addf %element, %all : f32
        nv_tileas.yield %next : f32
      }
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Tile>:$sources, I32Attr:$axis, UnitAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<TileAS_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($results) $body";
}
def TileAS_YieldOp : TileAS_Op<"yield", [Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp", "WithScratchOp"]>]> {
  let summary = "results of a region";
  let description = [{
    What the operations of a region give the operation that it belongs to.

    ```mlir
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
    nv_tileaa.func @example(%x: tensor<64xi32, #l>) {
      %most = nv_tileas.reduce %x {axis = 0 : i32, identities = [0 : i32]} : tensor<64xi32, #l> -> i32 {
      ^bb0(%element: i32, %all: i32):
        %next = arith.maxui %element, %all : i32
        nv_tileas.yield %next : i32
      }
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Yielded>:$operands);
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

    c may be a tile in tensor memory, if the atom adds up there. The sums then take
    the place of c, and the result stands for the same place. Where `if` a condition
    is given and false, the product is not added to what is there but replaces it.

    Scales that the unit reads from tensor memory may be shared tiles, as tcgen05.cp copies them
    (tileiras/Support/Tcgen05Scales.h). Then `columns` is the tile in tensor memory that they are copied to, by the
    thread that issues the product, right before it: those of a, and behind them those of b.

    ```mlir
    nv_tileaa.func @example(%a: tensor<16x32xf8E5M2>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>) {
      %d = nv_tileas.dot %a, %b, %c {fast_acc} : tensor<16x32xf8E5M2>, tensor<32x8xf8E5M2>, tensor<16x8xf32>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$a, TileAS_Tile:$b, TileAS_Tile:$c, Optional<TileAS_Tile>:$sfa,
                       Optional<TileAS_Tile>:$sfb, Optional<I1>:$accumulate, Optional<TileAS_Tile>:$columns, OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, UnitAttr:$fast_acc, OptionalAttr<TileAS_MmaAtomAttrInterface>:$atom,
                       OptionalAttr<TileAS_CopyAtomAttrInterface>:$fetch_a, OptionalAttr<TileAS_CopyAtomAttrInterface>:$fetch_b);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`scales` `(` $sfa^ `:` type($sfa) `,` $sfb `:` type($sfb) `)`)? (`columns` `(` $columns^ `:` type($columns) `)`)? (`if` $accumulate^)? attr-dict `:` type($a) `,` type($b) `,` type($c)
  }];
  let hasVerifier = 1;
}

include "tileiras/Dialect/TileAS/IR/TileASProductOps.td"

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASOPS_TD
