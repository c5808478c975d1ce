//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileas: copies that go on while the threads do something else, and shared
// memory that an operation needs for itself.
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD

include "tileiras/Dialect/TileAS/IR/TileAS.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileAS_AsyncTokenType : TypeDef<TileAS_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "an asynchronous operation that somebody has to wait for";
}

def TileAS_AsyncTiledLoadOp : Op<TileAS_Dialect, "async.tiled_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy a tile of a view into shared memory past the registers";
  let description = [{
    The threads issue the copies and go on; `async.wait` on the token waits for
    them. Until then nobody may read or write `dest`. `copies` says which
    thread copies what: the layout that a tiled_load would have, whose registers
    come in runs of the atom's bytes that lie next to each other in the view and
    in `dest`. What the view does not have is zero. All threads meet before
    the first copy, unless `no_war_barrier` says that no thread can still be
    reading what `dest` held before.

    ```mlir
    %t, %m = nv_tileas.async.tiled_load %view[%i, %k] into %tile {atom = #nv_tileas.simt_async_copy<bytes = 16>,
        copies = #layout} : !view, (i32, i32), tensor<128x64xf16, #shared>
    nv_tileas.async.wait %t
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, Variadic<AnySignlessInteger>:$indices, AnyRankedTensor:$dest,
                       Optional<TileAA_MemTokenType>:$token, TileAS_CopyAtomAttrInterface:$atom,
                       TileAS_LayoutAttrInterface:$copies, OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       UnitAttr:$no_war_barrier);
  let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $view `[` $indices `]` `into` $dest (`,` `token` $token^)? attr-dict `:` type($view) `,` `(` type($indices) `)` `,` type($dest)
  }];
  let hasVerifier = 1;
}

def TileAS_AsyncWaitOp : Op<TileAS_Dialect, "async.wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until asynchronous operations are done, for all threads";
  let description = [{
    Every thread waits for what it has issued until at most `pending` of the
    asynchronous operations before this one are still under way (the latest
    ones, never those of `tokens`), and then for the other threads: behind it
    every thread sees all that was copied.

    ```mlir
    nv_tileas.async.wait %a, %b {pending = 2 : i32}
    ```
  }];
  let arguments = (ins Variadic<TileAS_AsyncTokenType>:$tokens, DefaultValuedAttr<I32Attr, "0">:$pending);
  let assemblyFormat = "$tokens attr-dict";
}

def TileAS_WithScratchOp : Op<TileAS_Dialect, "with_scratch", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "operations that exchange data between threads through a shared tile";
  let description = [{
    The operations of the region may use the bytes of `scratch` while they run:
    values that one thread has and others need (atomics, ordered loads), totals
    of warps (scans), what one thread prints. They begin with a barrier and
    leave nothing behind. tileas-allocate-scratch puts them here.

    ```mlir
    %old, %t = nv_tileas.with_scratch %tile : tensor<512xi8, #shared> -> tensor<128xi32, #l>, !nv_tileaa.mem_token {
      %0, %1 = nv_tileaa.atomic_rmw ...
      nv_tileas.yield %0, %1 : tensor<128xi32, #l>, !nv_tileaa.mem_token
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$scratch);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$scratch `:` type($scratch) (`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASASYNCOPS_TD
