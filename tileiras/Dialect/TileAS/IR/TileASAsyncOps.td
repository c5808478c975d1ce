//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileas: copies that go on while the threads do something else, and shared
// memory that an operation needs for itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD

include "tileiras/Dialect/TileAS/IR/AsyncCopyOpInterface.td"
include "tileiras/Dialect/TileAS/IR/TileASOperands.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "tileiras/Dialect/TileAA/IR/MemoryAccessOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileAS_AsyncTiledLoadOp : Op<TileAS_Dialect, "async.tiled_load", [
    AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, TileAS_AsyncCopyOpInterface,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a tile of a view into shared memory past the registers";
  let description = [{
    The threads issue the copies and go on; `async.wait` on the token waits for
    them. Until then nobody may read or write `dest`. `copies` says which
    thread copies what: the layout that a tiled_load would have, whose registers
    come in runs of the atom's bytes that lie next to each other in the view and
    in `dest`. What the view does not have is zero, and where `valid` is false
    everything, wherever the indices are. All threads meet before
    the first copy, unless `no_war_barrier` says that no thread can still be
    reading what `dest` held before.

    ```mlir
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
    #copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
    nv_tileaa.func @example(%v: !view, %i: i32) {
      %tile = nv_tileas.alloc_tensor : tensor<8x16xf32, #tile>
      %copied, %t = nv_tileas.async.tiled_load %v[%i, %i] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x16xf32, #tile>
      nv_tileas.async.wait %copied
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices, TileAS_Tile:$dest,
                       Optional<TileAA_MemTokenType>:$token, Optional<I1>:$valid, TileAS_CopyAtomAttrInterface:$atom,
                       TileAS_LayoutAttrInterface:$copies, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       UnitAttr:$no_war_barrier);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `into` $dest (`,` `token` $token^)? (`if` $valid^)? attr-dict `:` type($view) `,` `(` type($indices) `)`
    `,` type($dest)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    // What an access to memory answers: the elements are not results, and nobody may write them meanwhile.
    ::mlir::Value getLoaded() { return {}; }
    ::mlir::Value getFilled() { return getDest(); }
    ::mlir::nv_tileaa::MemSemantic getMemSemantic() { return ::mlir::nv_tileaa::MemSemantic::Weak; }
    std::optional<::mlir::nv_tileaa::MemScope> getMemScope() { return std::nullopt; }
  }];
}

def TileAS_AsyncLoadOp : Op<TileAS_Dialect, "async.load", [
    AttrSizedOperandSegments, TileAA_MemoryAccessOpInterface, TileAS_AsyncCopyOpInterface,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy what a tile of pointers names into shared memory past the registers";
  let description = [{
    As `async.tiled_load`, through pointers: a window of an image, rows that a list names. Which thread copies what is
    who holds its pointer; registers come in runs of the atom's bytes that lie next to each other in memory, with one
    mask, and in `dest`. Where `mask` is false nothing is read and `dest` has zero.

    ```mlir
    #tile = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    #l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
    nv_tileaa.func @example(%p: tensor<64x!nv_tileaa.ptr<f32>, #l>, %m: tensor<64xi1, #l>) {
      %tile = nv_tileas.alloc_tensor : tensor<64xf32, #tile>
      %copied, %t = nv_tileas.async.load %p into %tile if %m {atom = #nv_tileas.simt_async_copy<bytes = 8>} : tensor<64x!nv_tileaa.ptr<f32>, #l>, tensor<64xf32, #tile>, mask tensor<64xi1, #l>
      nv_tileas.async.wait %copied
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[TileAA_PtrType], [], "tile of pointers">:$ptrs, TileAS_Tile:$dest,
                       Optional<RankedTensorOf<[I1]>>:$mask, Optional<TileAA_MemTokenType>:$token,
                       TileAS_CopyAtomAttrInterface:$atom, UnitAttr:$no_war_barrier);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $ptrs `into` $dest (`if` $mask^)? (`,` `token` $token^)? attr-dict `:` type($ptrs) `,` type($dest) (`,` `mask` type($mask)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getLoaded() { return {}; }
    ::mlir::Value getFilled() { return getDest(); }
    ::mlir::nv_tileaa::MemSemantic getMemSemantic() { return ::mlir::nv_tileaa::MemSemantic::Weak; }
    std::optional<::mlir::nv_tileaa::MemScope> getMemScope() { return std::nullopt; }
  }];
}

def TileAS_AsyncWaitOp : Op<TileAS_Dialect, "async.wait", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "wait until asynchronous operations are done, for all threads";
  let description = [{
    Every thread waits for what it has issued until at most `pending` of the
    asynchronous operations before this one are still under way (the latest
    ones, never those of `tokens`), and then for the other threads: after it
    every thread sees all that was copied.

    What completes on an mbarrier, tensor copies with one of their own, is waited for there: `on` says which mbarrier, and `phase` the parity
    of the phase that completes with them.

    ```mlir
    #word = #nv_tileas.shared<rank = 1, offset = []>
    nv_tileaa.func @example(%barrier: tensor<1xi64, #word>, %copied: !nv_tileas.async.token, %phase: i32) {
      nv_tileas.async.wait %copied on %barrier : tensor<1xi64, #word> phase %phase
      nv_tileaa.return
    }
    ```

    ```mlir
    !view = !nv_tileaa.tiled_view<[8, 16], padding = zero, !nv_tileaa.memref<?x16xf32, strides = [16, 1]>>
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
    #copies = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = []>
    nv_tileaa.func @example(%v: !view, %i: i32) {
      %tile = nv_tileas.alloc_tensor : tensor<8x16xf32, #tile>
      %copied, %t = nv_tileas.async.tiled_load %v[%i, %i] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>, copies = #copies} : !view, (i32, i32), tensor<8x16xf32, #tile>
      nv_tileas.async.wait %copied {pending = 2 : i32}
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_AsyncTokenType>:$tokens, Optional<TileAS_Tile>:$barrier, Optional<I32>:$phase,
                       DefaultValuedAttr<I32Attr, "0">:$pending);
  let assemblyFormat = "$tokens (`on` $barrier^ `:` type($barrier) `phase` $phase)? attr-dict";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$tokens, CArg<"int32_t", "0">:$pending), [{
    build($_builder, $_state, tokens, ::mlir::Value(), ::mlir::Value(), pending);
  }]>];
  let hasVerifier = 1;
}

def TileAS_WithScratchOp : Op<TileAS_Dialect, "with_scratch", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations that exchange data between threads through a shared tile";
  let description = [{
    The operations of the region may use the bytes of `scratch` while they run:
    values that one thread has and others need (atomics, ordered loads), totals
    of warps (scans), what one thread prints. They begin with a barrier and
    leave nothing behind. tileas-allocate-scratch puts them here.

    ```mlir
    #bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8]]>
    nv_tileaa.func @example(%p: !nv_tileaa.ptr<i32>, %x: i32) {
      %bytes = nv_tileas.alloc_tensor : tensor<16xi8, #bytes>
      %old = nv_tileas.with_scratch %bytes : tensor<16xi8, #bytes> -> i32 {
        %was, %t = nv_tileaa.atomic_rmw %p, %x {rmw_mode = #nv_tileaa.rmw_mode<add>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, mem_scope = #nv_tileaa.mem_scope<gpu>} : !nv_tileaa.ptr<i32> -> i32
        nv_tileas.yield %was : i32
      }
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$scratch);
  let results = (outs Variadic<TileAS_Yielded>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$scratch `:` type($scratch) (`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD
