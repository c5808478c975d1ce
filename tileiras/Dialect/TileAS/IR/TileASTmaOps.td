//===- TileASTmaOps.td - Tensor copies (TMA) -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASTMAOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASTMAOPS_TD

include "tileiras/Dialect/TileAS/IR/TileASOperands.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_TmaOp<string mnemonic, list<Trait> traits = []>
    : Op<TileAS_Dialect, mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)> {
  let hasVerifier = 1;
}

def TileAS_MakeTiledTmaDescOp : TileAS_TmaOp<"make_tiled_tma_desc"> {
  let summary = "a tensor map: what TMA has to know of a view";
  let description = [{
    128 bytes in global memory that describe the view's memref and the box that one copy moves (PTX ISA, "Tensor-map").
    They are built on the device, once for every different content, and kept in a table of the module; later blocks and
    later launches find them there. The threads that run the operation meet.

    With the option `tma-descriptors=host` of the pipeline they are parameters of the kernel instead, as far as its
    parameters say what the views are (`tileas-separate-host-tma`).

    `usable` is false where there is no tensor map: the base is not a multiple of 16 bytes or a stride is none, an
    extent is 0 or too large, or the table is full; and where `wanted` is false, in which case nobody looks. It is the same in all threads, and what cannot be known before
    is the reason that it exists: the copies stand where it is true, and something else where it is not.

    `signed` makes i32 and i64 numbers with sign, which matters to stores that keep the larger or the smaller one.

    `atom` says box, order of dimensions and swizzle as the copies do. The dimension of the view that comes first in the
    order must have the constant stride 1, constant strides of the others are multiples of 16 bytes.

    ```mlir
    !view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    nv_tileaa.func @example(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<64x64xf16, #tile>, %i: i32, %k: i32) {
      %map, %usable = nv_tileas.make_tiled_tma_desc %view {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tmaIdx = 0 : i32} : !view
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Optional<I1>:$wanted, TileAS_CopyAtomAttrInterface:$atom,
                       OptionalAttr<I32Attr>:$tmaIdx, UnitAttr:$is_signed);
  let results = (outs TileAS_TmaDescriptorIterType:$desc, I1:$usable);
  let assemblyFormat = "$view (`if` $wanted^)? (`signed` $is_signed^)? attr-dict `:` type($view)";
}

def TileAS_AsyncTiledTmaLoadOp : TileAS_TmaOp<"async.tiled_tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy a tile of a view into shared memory by TMA";
  let description = [{
    One thread issues the copies, one for each box of the tile (tileiras/Support/TmaTile.h), and all go on. The copies
    complete on an mbarrier: `barrier`, a shared tile of one i64, or, in the region of a producer_write that yields
    `done`, that of the stage. `tx_count` is what they add up to there in bytes; parts of the tile outside of the view
    are counted and zero. Who reads the tile waits for the mbarrier; the tile may be read by matrix units and by threads
    alike. In a ring, who wrote or read the stage before has been waited for.

    With a `barrier` of its own, all threads meet before the load, so that nobody uses the tile any more. The load
    arrives there once in each phase, for its bytes (`mbarrier.arrive.expect_tx`): such a barrier is initialised with the
    number of loads that a phase has, and `async.wait ... on` waits there.

    What a token orders before the load, threads have written through another proxy, and tell this one about it right
    behind their write (`fence.proxy.async`).

    Coordinates are those of the view (tiles, outermost first); the instruction has elements, innermost first.

    With an atom #nv_tileas.tma_im2col_load the tile is a run of pixels: `indices` are the first one, which may lie
    outside of the view, and `offsets`, by dimensions of pixels, are added to every pixel, as the place in a filter of
    which the pixels are wanted. The tensor map is one that the host makes. Steps of the view are 1 along images and
    pixels.

    `cache_hint` is an eviction priority that `createpolicy` has made (PTX ISA, "createpolicy").

    ```mlir
    !view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    nv_tileaa.func @example(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<64x64xf16, #tile>, %i: i32, %k: i32) {
      %done, %t = nv_tileas.async.tiled_tma_load %desc, %view[%i, %k] into %tile {atom = #nv_tileas.tma_load<box = [64, 64], order = [1, 0], swizzle = 128>, tx_count = 8192 : i32} : !view, (i32, i32), tensor<64x64xf16, #tile>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_TmaDescriptorIterType:$desc, TileAA_TiledViewType:$view,
                       Variadic<AnySignlessInteger>:$indices, TileAS_Tile:$dest, Optional<TileAS_Tile>:$barrier,
                       Optional<TileAA_MemTokenType>:$token, Variadic<AnySignlessInteger>:$offsets,
                       Optional<I64>:$cache_hint, TileAS_CopyAtomAttrInterface:$atom, I32Attr:$tx_count,
                       OptionalAttr<I32Attr>:$tmaIdx, OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $desc `,` $view `[` $indices `]` `into` $dest (`barrier` $barrier^ `:` type($barrier))? (`,` `token` $token^)?
    (`offsets` `[` $offsets^ `:` type($offsets) `]`)? (`cache_hint` $cache_hint^)? attr-dict
    `:` type($view) `,` `(` type($indices) `)` `,` type($dest)
  }];
  let builders = [
    // Of a tile, without a hint.
    OpBuilder<(ins "::mlir::Type":$done, "::mlir::Type":$resultToken, "::mlir::Value":$desc, "::mlir::Value":$view,
                   "::mlir::ValueRange":$indices, "::mlir::Value":$dest, "::mlir::Value":$barrier,
                   "::mlir::Value":$token, "::mlir::nv_tileas::CopyAtomAttrInterface":$atom,
                   "::mlir::IntegerAttr":$txCount, "::mlir::IntegerAttr":$tmaIdx,
                   "::mlir::DenseBoolArrayAttr":$inBounds), [{
      build($_builder, $_state, done, resultToken, desc, view, indices, dest, barrier, token, ::mlir::ValueRange(),
            ::mlir::Value(), atom, txCount, tmaIdx, inBounds);
    }]>];
}

def TileAS_AsyncTiledTmaStoreOp : TileAS_TmaOp<"async.tiled_tma_store", [AttrSizedOperandSegments]> {
  let summary = "copy a shared tile to its place in a view by TMA";
  let description = [{
    All threads meet, then one of them issues the copies, one for each box, and all go on. `async.wait` on `done`, by
    the same threads, waits until global memory has been written; the shared tile must not change before. What lies
    outside of the view is not written. The copies read the tile through the async proxy: who wrote it says so
    (`nv_tileas.async_proxy` on the copy into it).

    With `rmw_mode` the elements are combined with those of the view, each one atomically (relaxed, at the scope of the
    device): and, or, xor, add of integers, add of f16, bf16 and f32, and max, min, umax, umin of integers; `max` and
    `min` with a tensor map that is `signed`, the others with one that is not.

    ```mlir
    !view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    nv_tileaa.func @example(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<64x64xf16, #tile>, %i: i32, %k: i32) {
      %done, %t = nv_tileas.async.tiled_tma_store %desc, %tile, %view[%i, %k] {atom = #nv_tileas.tma_store<box = [64, 64], order = [1, 0], swizzle = 128>} : tensor<64x64xf16, #tile>, !view, (i32, i32)
      nv_tileas.async.wait %done
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_TmaDescriptorIterType:$desc, TileAS_Tile:$src, TileAA_TiledViewType:$view,
                       Variadic<AnySignlessInteger>:$indices, Optional<TileAA_MemTokenType>:$token,
                       TileAS_CopyAtomAttrInterface:$atom, OptionalAttr<TileAA_RMWModeAttr>:$rmw_mode,
                       OptionalAttr<I32Attr>:$tmaIdx, OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $desc `,` $src `,` $view `[` $indices `]` (`,` `token` $token^)? attr-dict
    `:` type($src) `,` type($view) `,` `(` type($indices) `)`
  }];
}

def TileAS_AsyncGatherTmaLoadOp : TileAS_TmaOp<"async.gather_tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy rows of a view that are chosen one by one into shared memory by TMA";
  let description = [{
    Row i of the tile is row `rows`[i] of the view's memref, in elements, without sign, from tile `column` on; rows
    outside of it are zero. `rows` is a tile of i32 in shared memory that all threads have done with writing. One thread
    reads it and issues a copy for four rows each (PTX ISA, "tile::gather4"), from sm_100 on. All else is as for
    `async.tiled_tma_load`; the box is one row.

    ```mlir
    !view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    #rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
    nv_tileaa.func @example(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<8x64xf16, #tile>, %rows: tensor<8xi32, #rows>, %k: i32) {
      %done, %t = nv_tileas.async.gather_tma_load %desc, %view[%rows, %k] into %tile {atom = #nv_tileas.tma_load<box = [1, 64], order = [1, 0], swizzle = 128>, tx_count = 1024 : i32} : !view, (tensor<8xi32, #rows>, i32), tensor<8x64xf16, #tile>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_TmaDescriptorIterType:$desc, TileAA_TiledViewType:$view, TileAS_Tile:$rows,
                       AnySignlessInteger:$column, TileAS_Tile:$dest, Optional<TileAS_Tile>:$barrier,
                       Optional<TileAA_MemTokenType>:$token, Optional<I64>:$cache_hint,
                       TileAS_CopyAtomAttrInterface:$atom, I32Attr:$tx_count, OptionalAttr<I32Attr>:$tmaIdx);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $desc `,` $view `[` $rows `,` $column `]` `into` $dest (`barrier` $barrier^ `:` type($barrier))? (`,` `token` $token^)?
    (`cache_hint` $cache_hint^)? attr-dict `:` type($view) `,` `(` type($rows) `,` type($column) `)` `,` type($dest)
  }];
}

def TileAS_AsyncScatterTmaStoreOp : TileAS_TmaOp<"async.scatter_tma_store"> {
  let summary = "copy a shared tile to rows of a view that are chosen one by one by TMA";
  let description = [{
    The way back of `async.gather_tma_load` (PTX ISA, "tile::scatter4"), on targets with tensor memory: all threads
    meet, then one of them issues the copies. Rows outside of the view are not written; of a row that is chosen twice
    any of the two stays. `async.wait` on `done` waits as for `async.tiled_tma_store`.

    ```mlir
    !view = !nv_tileaa.tiled_view<[8, 64], padding = zero, !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
    #rows = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4]]>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]]>
    nv_tileaa.func @example(%view: !view, %desc: !nv_tileas.tma_descriptor_iter, %tile: tensor<8x64xf16, #tile>, %rows: tensor<8xi32, #rows>, %k: i32) {
      %done, %t = nv_tileas.async.scatter_tma_store %desc, %tile, %view[%rows, %k] {atom = #nv_tileas.tma_store<box = [1, 64], order = [1, 0], swizzle = 128>} : tensor<8x64xf16, #tile>, !view, (tensor<8xi32, #rows>, i32)
      nv_tileas.async.wait %done
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_TmaDescriptorIterType:$desc, TileAS_Tile:$src, TileAA_TiledViewType:$view,
                       TileAS_Tile:$rows, AnySignlessInteger:$column, Optional<TileAA_MemTokenType>:$token,
                       TileAS_CopyAtomAttrInterface:$atom, OptionalAttr<I32Attr>:$tmaIdx);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $desc `,` $src `,` $view `[` $rows `,` $column `]` (`,` `token` $token^)? attr-dict
    `:` type($src) `,` type($view) `,` `(` type($rows) `,` type($column) `)`
  }];
}

def TileAS_PadOp : Op<TileAS_Dialect, "pad", [Pure, AllTypesMatch<["tile", "result"]>]> {
  let summary = "the tile with the view's padding where it lies outside of the view";
  let description = [{
    Copies past the registers (`async.tiled_load`, `async.tiled_tma_load`) leave zero outside of a view. Where the
    padding of the view is another value, it is put there when the tile is in registers: in tiles that cross the edge,
    which all threads ask about once for each tile. `in_bounds` promises of dimensions that the tile does not.

    ```mlir
    #b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 2], order = [1, 0]>
    !view = !nv_tileaa.tiled_view<[8, 16], padding = neg_inf, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    nv_tileaa.func @example(%v: !view, %i: i32, %x: tensor<8x16xf32, #b>) {
      %y = nv_tileas.pad %x outside %v[%i, %i] : tensor<8x16xf32, #b>, !view, (i32, i32)
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$tile, TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices,
                       OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $tile `outside` $view `[` $indices `]` attr-dict `:` type($tile) `,` type($view) `,` `(` type($indices) `)`
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASTMAOPS_TD
