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

    `usable` is false where there is no tensor map: the base is not a multiple of 16 bytes or a stride is none, an
    extent is 0 or too large, or the table is full; and where `wanted` is false, in which case nobody looks. It is the same in all threads, and what cannot be known before
    is the reason that it exists: the copies stand where it is true, and something else where it is not.

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
                       OptionalAttr<I32Attr>:$tmaIdx);
  let results = (outs TileAS_TmaDescriptorIterType:$desc, I1:$usable);
  let assemblyFormat = "$view (`if` $wanted^)? attr-dict `:` type($view)";
}

def TileAS_AsyncTiledTmaLoadOp : TileAS_TmaOp<"async.tiled_tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy a tile of a view into shared memory by TMA";
  let description = [{
    One thread issues the copies, one for each box of the tile (tileiras/Support/TmaTile.h), and all go on. The copies
    complete on an mbarrier: `barrier`, a shared tile of one i64, or, in the region of a producer_write that yields
    `done`, that of the stage. `tx_count` is what they add up to there in bytes; parts of the tile outside of the view
    are counted and zero. Who reads the tile waits for the mbarrier; the tile may be read by matrix units and by threads
    alike. Who wrote or read it before has to have been waited for: nothing here does.

    Coordinates are those of the view (tiles, outermost first); the instruction has elements, innermost first.

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
                       Optional<TileAA_MemTokenType>:$token, TileAS_CopyAtomAttrInterface:$atom, I32Attr:$tx_count,
                       OptionalAttr<I32Attr>:$tmaIdx, OptionalAttr<DenseBoolArrayAttr>:$in_bounds);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $desc `,` $view `[` $indices `]` `into` $dest (`barrier` $barrier^ `:` type($barrier))? (`,` `token` $token^)? attr-dict
    `:` type($view) `,` `(` type($indices) `)` `,` type($dest)
  }];
}

def TileAS_AsyncTiledTmaStoreOp : TileAS_TmaOp<"async.tiled_tma_store", [AttrSizedOperandSegments]> {
  let summary = "copy a shared tile to its place in a view by TMA";
  let description = [{
    All threads meet, then one of them issues the copies, one for each box, and all go on. `async.wait` on `done`, by
    the same threads, waits until global memory has been written; the shared tile must not change before. What lies
    outside of the view is not written. The copies read the tile through the async proxy: who wrote it says so
    (`nv_tileas.async_proxy` on the copy into it).

    With `rmw_mode` the elements are combined with those of the view, each one atomically (relaxed, at the scope of the
    device): add, and, or, xor.

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

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASTMAOPS_TD
