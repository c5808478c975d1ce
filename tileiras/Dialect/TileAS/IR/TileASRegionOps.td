//===- TileASRegionOps.td - One stage at a time, asynchronous values -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileas.async.pipeline.{produce_one, consume_one} and their asynchronous forms scope the work on one stage of a
// pipeline; what passes between them and the operations around them is a value or an asynchronous token.
// tileas-expand-pipeline-regions puts their regions in their place. A header of their own (TileASRegions.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONOPS_TD

include "tileiras/Dialect/TileAS/IR/TileASPipelineClasses.td"

/// Their regions are run once, by the threads that reach the operation; they use what is around them.
class TileAS_OneStageOp<string mnemonic, list<Trait> traits = []> : TileAS_PipelineOp<mnemonic, !listconcat([
    SingleBlock, RecursiveMemoryEffects, DeclareOpInterfaceMethods<RegionBranchOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AgentLikeOpInterface>], traits)> {
  let hasVerifier = 1;
}
class TileAS_ProduceOneBase<string mnemonic> : TileAS_OneStageOp<mnemonic> {
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator, Optional<I1>:$predicate);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $pipeline `,` $iterator (`if` $predicate^)? attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))
    (`->` type($results)^)? $body
  }];
}
class TileAS_ConsumeOneBase<string mnemonic> : TileAS_OneStageOp<mnemonic> {
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator,
                       DefaultValuedAttr<I32Attr, "0">:$consumer_idx);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $pipeline `,` $iterator attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))
    (`->` type($results)^)? $body
  }];
}

def TileAS_ProduceOneOp : TileAS_ProduceOneBase<"produce_one"> {
  let summary = "the work of a producer on one stage: acquire, write, commit";
  let description = [{
    The region fills the stage at `iterator`; it has the handshake in it, all of this pipeline, and yields the results,
    as a rule the next iterator. With `if` the handshake happens only if the condition, the same in all threads, is true.
    The scope of a stage: what stands in the region is done between the first and the last operation of the handshake,
    what need not be goes (`tileas-optimize-pipeline-region`). Source: docs/seeds.md (S3-019, S3-061).
  }] # TileAS_RingExample<[{
      %next = nv_tileas.async.pipeline.produce_one %p, %i : !pipe, !iter -> !iter {
        %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
        %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
        ^bb0(%stage: !stage):
          nv_tileas.copy %x, %stage : tensor<64xf32, #tile>, !stage
          nv_tileas.async.pipeline.yield
        }
        nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
        %j = nv_tileas.async.pipeline.inc_iter %i : !iter
        nv_tileas.async.pipeline.yield %j : !iter
      }
}]>.text;
}
def TileAS_ConsumeOneOp : TileAS_ConsumeOneBase<"consume_one"> {
  let summary = "the work of a consumer on one stage: wait, read, release";
  let description = [{
    The region uses the stage at `iterator` and gives it back; what it yields are the results. `consumer_idx`: which of the
    pipeline's consumers does. Source: docs/seeds.md (S3-020, S3-062).
  }] # TileAS_RingExample<[{
      %read, %next = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> tensor<64xf32, #tile>, !iter {
        %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
        %r, %y = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> tensor<64xf32, #tile> {
        ^bb0(%stage: !stage):
          %v = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !stage -> tensor<64xf32, #tile>
          nv_tileas.async.pipeline.yield %v : tensor<64xf32, #tile>
        }
        nv_tileas.async.pipeline.consumer_release %p, %r : !pipe
        %j = nv_tileas.async.pipeline.inc_iter %i : !iter
        nv_tileas.async.pipeline.yield %y, %j : tensor<64xf32, #tile>, !iter
      }
}]>.text;
}
def TileAS_ProduceOneAsyncOp : TileAS_ProduceOneBase<"produce_one_async"> {
  let summary = "a produce_one whose work may go on behind it: its last result is a token for that";
  let description = [{
    The stage may be committed outside, by way of a producer token that the region yields.
  }] # TileAS_RingExample<[{
      %w, %under_way = nv_tileas.async.pipeline.produce_one_async %p, %i : !pipe, !iter -> !nv_tileas.producer_token, !nv_tileas.async.token {
        %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
        %u = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
        ^bb0(%stage: !stage):
          nv_tileas.copy %x, %stage : tensor<64xf32, #tile>, !stage
          nv_tileas.async.pipeline.yield
        }
        %z = nv_tileas.async.token_to_async %u : !nv_tileas.producer_token
        nv_tileas.async.pipeline.yield %u, %z : !nv_tileas.producer_token, !nv_tileas.async.token
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
      nv_tileas.async.wait %under_way
}]>.text;
}
def TileAS_ConsumeOneAsyncOp : TileAS_ConsumeOneBase<"consume_one_async"> {
  let summary = "a consume_one whose work may go on behind it: its last result is a token for that";
  let description = [{
    The stage is given back outside, when the token has been waited for.
  }] # TileAS_RingExample<[{
      %t, %under_way = nv_tileas.async.pipeline.consume_one_async %p, %i : !pipe, !iter -> !nv_tileas.consumer_token, !nv_tileas.async.token {
        %u = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
        %none = nv_tileas.create_none
        nv_tileas.async.pipeline.yield %u, %none : !nv_tileas.consumer_token, !nv_tileas.async.token
      }
      nv_tileas.async.wait %under_way
      nv_tileas.async.pipeline.consumer_release %p, %t : !pipe
}]>.text;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

class TileAS_RegionOp<string mnemonic, list<Trait> traits = []> : Op<TileAS_Dialect, mnemonic, traits>;

def TileAS_CreateNoneOp : TileAS_RegionOp<"create_none", [Pure]> {
  let summary = "a token of nothing: what a loop over tokens begins with";
  let description = [{
    Whoever waits for it waits for nothing of its own. Undefined in LLVM (poison).

    ```mlir
    nv_tileaa.func @example() {
      %none = nv_tileas.create_none
      nv_tileas.async.wait %none
      nv_tileaa.return
    }
    ```
  }];
  let results = (outs TileAS_AsyncTokenType:$token);
  let assemblyFormat = "attr-dict";
}
def TileAS_CreateNullTokenOp : TileAS_PipelineOp<"create_null_token", [Pure]> {
  let summary = "a token of a stage that nobody uses";
  let description = [{
    What a loop over tokens of producers or consumers begins with. Undefined in LLVM (poison).

    ```mlir
    nv_tileaa.func @example() {
      %none = nv_tileas.async.pipeline.create_null_token : !nv_tileas.consumer_token
      nv_tileaa.return
    }
    ```
  }];
  let results = (outs AnyTypeOf<[TileAS_ProducerTokenType, TileAS_ConsumerTokenType]>:$token);
  let assemblyFormat = "attr-dict `:` type($token)";
}
def TileAS_ToAsyncOp : TileAS_RegionOp<"async.to_async", [Pure]> {
  let summary = "a tile that something asynchronous fills, as storage or as the token of that";
  let description = [{
    `kind = "storage"`: the tile itself, for those that go on with it asynchronously; its type stays. `kind = "token"`: a
    token of what is under way into the tile.

    ```mlir
    #tile = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
    nv_tileaa.func @example(%tile: tensor<8x16xf32, #tile>) {
      %storage = nv_tileas.async.to_async %tile {kind = "storage"} : tensor<8x16xf32, #tile> -> tensor<8x16xf32, #tile>
      %token = nv_tileas.async.to_async %tile {kind = "token"} : tensor<8x16xf32, #tile> -> !nv_tileas.async.token
      nv_tileas.async.wait %token
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, StrAttr:$kind);
  let results = (outs AnyTypeOf<[TileAS_Tile, TileAS_AsyncTokenType]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_TokenToAsyncOp : TileAS_RegionOp<"async.token_to_async", [Pure]> {
  let summary = "the token of a stage as an asynchronous token";
  let description = [{
    Whoever waits for it waits for what fills the stage, or reads it. At run time it is the number `(stage << 1) | parity`.

    ```mlir
    nv_tileaa.func @example(%stage: !nv_tileas.producer_token) {
      %token = nv_tileas.async.token_to_async %stage : !nv_tileas.producer_token
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileAS_ProducerTokenType, TileAS_ConsumerTokenType]>:$source);
  let results = (outs TileAS_AsyncTokenType:$token);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}
def TileAS_FutureWaitOp : TileAS_RegionOp<"async.future_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for what earlier iterations of a loop have left under way";
  let description = [{
    Stands behind a loop; becomes `async.wait`.

    ```mlir
    nv_tileaa.func @example(%last: !nv_tileas.async.token) {
      nv_tileas.async.future_wait %last
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_AsyncTokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
}
def TileAS_AsyncExtractSliceOp : TileAS_RegionOp<"async.extract_slice", [Pure]> {
  let summary = "a slice of a tile that something asynchronous fills, with its token";
  let description = [{
    Block number `indices` of a shared tile, as `extract_slice` has it; who reads the slice waits for the token.

    ```mlir
    #two = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    #one = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16]]>
    nv_tileaa.func @example(%tile: tensor<64xf32, #two>, %under_way: !nv_tileas.async.token, %i: i32) {
      %slice, %t = nv_tileas.async.extract_slice %tile[%i] after %under_way : tensor<64xf32, #two> -> tensor<32xf32, #one>
      nv_tileas.async.wait %t
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, Variadic<I32>:$indices, TileAS_AsyncTokenType:$token);
  let results = (outs TileAS_Tile:$result, TileAS_AsyncTokenType:$result_token);
  let assemblyFormat = "$source `[` $indices `]` `after` $token attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def TileAS_MbarrierInitOp : TileAS_RegionOp<"async.mbarrier_init", [MemoryEffects<[MemRead, MemWrite]>, TileAS_MakesMbarriers]> {
  let summary = "make an mbarrier in shared memory that waits for `count` arrivals in each phase";
  let description = [{
    One thread of those that run the code does; they meet behind it, so that everybody may use the mbarrier. The token
    orders what follows behind it.

    ```mlir
    #word = #nv_tileas.shared<rank = 1, offset = []>
    nv_tileaa.func @example(%count: i32) {
      %barrier = nv_tileas.alloc_tensor : tensor<1xi64, #word>
      %t = nv_tileas.async.mbarrier_init %barrier, %count : tensor<1xi64, #word>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$barrier, I32:$count);
  let results = (outs TileAA_MemTokenType:$token);
  let assemblyFormat = "$barrier `,` $count attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONOPS_TD
