//===- TileASProductOps.td - Products that go on by themselves -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Waits carry data. LLVM moves arithmetic over a wait that names no values, so a product under way has no tile: its
// sums are of a type that only another product and a wait take, and the wait makes tiles of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPRODUCTOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPRODUCTOPS_TD

// Part of TileASOps.td, which has the types of operands.

def TileAS_Sums : AnyTypeOf<[TileAS_Tile, TileAS_PendingType], "tile or sums under way">;

def TileAS_AsyncDotBeginOp : TileAS_Op<"async.dot_begin", [Pure]> {
  let summary = "a tile as sums under way, so that a loop can carry them";
  let description = [{
    What a loop whose products stay under way starts with. The registers are those of the tile.

    ```mlir
    #c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    nv_tileaa.func @example(%c: tensor<64x8xf32, #c>) {
      %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
      %d = nv_tileas.async.dot_wait %p : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source);
  let results = (outs TileAS_PendingType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TileAS_AsyncDotOp : TileAS_Op<"async.dot", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a x b + c that goes on while the threads do something else";
  let description = [{
    Issues the product as one group and does not wait for it. The factors stay as they are until a wait says that the
    product is done: in shared memory, or, where the atom takes a from registers, among what a wait is given. The result is sums under way: exactly one operation uses them, another product that adds to
    them or `async.dot_wait`, possibly by way of loops and branches. `accumulate`: if false, c counts as zero and what
    it holds does not matter (without it: true).

    ```mlir
    #a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
    #b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4], [8, 0]]>
    #c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    nv_tileaa.func @example(%a: tensor<64x16xf16, #a>, %b: tensor<16x8xf16, #b>, %c: tensor<64x8xf32, #c>) {
      %p = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.wgmma_atom<f16, n = 8, groups = [1, 1]>} : tensor<64x16xf16, #a>, tensor<16x8xf16, #b>, tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
      %d = nv_tileas.async.dot_wait %p : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$a, TileAS_Tile:$b, TileAS_Sums:$c, Optional<I1>:$accumulate,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a, OptionalAttr<TileAA_SignednessAttr>:$signedness_b,
                       UnitAttr:$fast_acc, TileAS_MmaAtomAttrInterface:$atom);
  let results = (outs TileAS_PendingType:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`if` $accumulate^)? attr-dict `:` type($a) `,` type($b) `,` type($c) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_AsyncDotWaitOp : TileAS_Op<"async.dot_wait", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for products under way, and have their sums";
  let description = [{
    Waits until at most `pending` products of the running warps, the latest ones, are under way; what the others have
    read may be written again. The result for sums is a tile if their product is done then: with `pending = 0`, and where
    `pending` products have been issued between theirs and the wait, in one run of operations. Else it is still sums under way.

    A tile among the operands comes out as it went in. What is computed from the result is computed behind the wait, and
    its registers are not touched before: the left factor of a product that has it in registers. `valid`: where it is
    false, sums that come out as tiles are zero, whatever the products gave. `apart`, of any value: the wait begins a run
    of instructions of its own in machine code, beyond which no assembler moves it up (ptxas would move it behind an
    earlier wait of the same run).

    ```mlir
    #c = #nv_tileas.linear<rank = 2, register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
    nv_tileaa.func @example(%c: tensor<64x8xf32, #c>) {
      %p = nv_tileas.async.dot_begin %c : tensor<64x8xf32, #c> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
      %q = nv_tileas.async.dot_wait %p {pending = 1 : i32} : !nv_tileas.pending<tensor<64x8xf32, #c>> -> !nv_tileas.pending<tensor<64x8xf32, #c>>
      %d = nv_tileas.async.dot_wait %q : !nv_tileas.pending<tensor<64x8xf32, #c>> -> tensor<64x8xf32, #c>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Sums>:$sums, Optional<I1>:$valid, Optional<I1>:$apart,
                       DefaultValuedAttr<I32Attr, "0">:$pending);
  let results = (outs Variadic<TileAS_Sums>:$results);
  let assemblyFormat = "$sums (`if` $valid^)? (`apart` $apart^)? attr-dict `:` qualified(type($sums)) `->` type($results)";
  let hasVerifier = 1;
}

def TileAS_AwaitProductOp : TileAS_Op<"async.await_product", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for the product of a number";
  let description = [{
    All threads wait until the product in tensor memory that has the number (`nv_tileas.awaited_as` of its
    `nv_tileas.dot`) is done: what it has read may be written again, and its sums may be read. A loop that waits for the
    product of the iteration before waits for nothing in its first iteration. `behind_loop`: the wait stands behind such a
    loop, and is for the last product, if there was one.

    Unlike `async.dot_wait` it hands on no values: the sums stay where they are, and whoever reads them does so by an
    operation on that tile. Numbers begin at 1 (`tileas-defer-products`).

    ```mlir
    nv_tileaa.func @example() {
      nv_tileas.async.await_product 1
      nv_tileas.async.await_product 2 behind_loop
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$product, UnitAttr:$behind_loop);
  let assemblyFormat = "$product (`behind_loop` $behind_loop^)? attr-dict";
}

def TileAS_GiveFactorsOp : TileAS_Op<"async.give_factors", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "say by what the sums of each row are to be multiplied, to the agent that does so";
  let description = [{
    Each thread writes the factor of its row, the only one it has, to its place in shared memory, `place[thread]`, and
    the warps of a warpgroup arrive at the mbarrier `number` of the kernel's products, of which each warpgroup has one.
    `async.scale_sums` of another agent waits there, and the mbarrier after it (`number + 1`) says that the sums have been
    multiplied: the threads wait for that (`async.await_product`) before they give the next factors or multiply.

    ```mlir
    #rows = #nv_tileas.linear<rank = 2, register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
    #place = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128]]>
    nv_tileaa.func @example(%factors: tensor<256x1xf32, #rows>) {
      %place = nv_tileas.alloc_tensor : tensor<256xf32, #place>
      nv_tileas.async.give_factors %factors, %place {number = 3 : i64} : tensor<256x1xf32, #rows>, tensor<256xf32, #place>
      nv_tileas.async.await_product 4
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$factors, TileAS_Tile:$place, ConfinedAttr<I64Attr, [IntPositive]>:$number);
  let assemblyFormat = "$factors `,` $place attr-dict `:` type($factors) `,` type($place)";
  let hasVerifier = 1;
}

def TileAS_ScaleSumsOp : TileAS_Op<"async.scale_sums", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "multiply sums in tensor memory by factors that other agents give";
  let description = [{
    Four warps, one warpgroup, take the rows of all the warpgroups that give factors by `async.give_factors`, those of
    the first one, then those of the next: they wait for the factors of 128 rows, multiply the sums of these where they
    are, and arrive at the mbarrier `number + 1` of the warpgroup whose rows they are. A warp all of whose factors are 1
    leaves its sums as they are, which they also would be if they were multiplied. `registers` is the tile with the
    layout of the threads that give the factors, in which each has one row.

    Who gives the factors has waited for the product that added up to these sums before.

    ```mlir
    #sums = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [128, 0]]>
    #place = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64], [128]]>
    #rows = #nv_tileas.linear<rank = 2, register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [128, 0]]>
    nv_tileaa.func @example(%sums: tensor<256x32xf32, #sums>) {
      %place = nv_tileas.alloc_tensor : tensor<256xf32, #place>
      nv_tileas.async.scale_sums %sums, %place {number = 3 : i64, registers = tensor<256x32xf32, #rows>} : tensor<256x32xf32, #sums>, tensor<256xf32, #place>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$sums, TileAS_Tile:$place, ConfinedAttr<I64Attr, [IntPositive]>:$number,
                       TypeAttrOf<AnyRankedTensor>:$registers);
  let assemblyFormat = "$sums `,` $place attr-dict `:` type($sums) `,` type($place)";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPRODUCTOPS_TD
