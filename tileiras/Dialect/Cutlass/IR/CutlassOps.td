//===- CutlassOps.td - Operations of cutlass ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads are counted along x. An operation is executed by all lanes of a warp together.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSOPS_TD
#define TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSOPS_TD

include "tileiras/Dialect/Cutlass/IR/Cutlass.td"

class Cutlass_Op<string mnemonic, string what, list<Trait> traits = []> : Op<Cutlass_Dialect, mnemonic, traits> {
  let summary = what;
}
/// Barriers order memory, so nothing is known about them.
class Cutlass_EffectOp<string mnemonic, string what, list<Trait> traits = []>
    : Cutlass_Op<mnemonic, what, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;
class Cutlass_RegionOp<string mnemonic, string what, list<Trait> traits = []>
    : Cutlass_Op<mnemonic, what, !listconcat([NoTerminator, SingleBlock, RecursiveMemoryEffects], traits)>;

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def Cutlass_MakeParticipantsOp : Cutlass_Op<"pipeline.make_participants", "who fills a pipeline and who empties it", [Pure]> {
  let description = [{
    ```mlir
    %p = cutlass.pipeline.make_participants : !cutlass.participants<producer = <warp_specialized, warps = 1>, consumer = <cooperative, warps = 4 from 1>>
    ```
  }];
  let results = (outs Cutlass_ParticipantsType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}
def Cutlass_PipelineCreateOp : Cutlass_Op<"pipeline.create", "a pipeline, with its mbarriers in shared memory", [MemoryEffects<[MemAlloc]>]> {
  let description = [{
    ```mlir
    %pipe = cutlass.pipeline.create %p : !participants -> !cutlass.pipeline<async, 3, producer = <warp_specialized, warps = 1>, consumer = <cooperative, warps = 4 from 1>>
    ```
  }];
  let arguments = (ins Cutlass_ParticipantsType:$participants);
  let results = (outs Cutlass_PipelineType:$result);
  let assemblyFormat = "$participants attr-dict `:` qualified(type($participants)) `->` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_PipelineInitOp : Cutlass_EffectOp<"pipeline.init", "initialises the mbarriers; all threads of the block (of the cluster) execute it, and meet"> {
  let arguments = (ins Cutlass_PipelineType:$pipeline);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline))";
}

def Cutlass_StateCreateOp : Cutlass_Op<"pipeline.state.create", "a state; consumers begin with phase 0, producers with 1, as all stages are empty", [Pure]> {
  let description = [{
    ```mlir
    %s = cutlass.pipeline.state.create %index, %phase, %count : !cutlass.pipeline_state<3>
    ```
  }];
  let arguments = (ins I32:$index, I32:$phase, I32:$count);
  let results = (outs Cutlass_PipelineStateType:$result);
  let assemblyFormat = "$index `,` $phase `,` $count attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}
class Cutlass_StateGetOp<string what> : Cutlass_Op<"pipeline.state.get_" # what, "the " # what # " of a state", [Pure]> {
  let arguments = (ins Cutlass_PipelineStateType:$state);
  let results = (outs I32:$result);
  let assemblyFormat = "$state attr-dict `:` qualified(type($state))";
}
def Cutlass_StateGetIndexOp : Cutlass_StateGetOp<"index">;
def Cutlass_StateGetPhaseOp : Cutlass_StateGetOp<"phase">;
def Cutlass_StateGetCountOp : Cutlass_StateGetOp<"count">;
def Cutlass_StateIncrementOp : Cutlass_Op<"pipeline.state.increment", "the next stage, and behind the last one the first, in the other phase",
                                          [Pure, AllTypesMatch<["state", "result"]>]> {
  let arguments = (ins Cutlass_PipelineStateType:$state);
  let results = (outs Cutlass_PipelineStateType:$result);
  let assemblyFormat = "$state attr-dict `:` qualified(type($state))";
}

class Cutlass_AtStageOp<string mnemonic, string what> : Cutlass_EffectOp<mnemonic, what> {
  let arguments = (ins Cutlass_PipelineType:$pipeline, Cutlass_PipelineStateType:$state);
  let assemblyFormat = "$pipeline `,` $state attr-dict `:` qualified(type($pipeline)) `,` qualified(type($state))";
  let hasVerifier = 1;
}
class Cutlass_TryOp<string mnemonic, string what> : Cutlass_AtStageOp<mnemonic, what> {
  let results = (outs I1:$done);
}
class Cutlass_WaitOp<string mnemonic, string what> : Cutlass_AtStageOp<mnemonic, what> {
  let arguments = (ins Cutlass_PipelineType:$pipeline, Cutlass_PipelineStateType:$state, Optional<I1>:$done);
  let assemblyFormat = "$pipeline `,` $state (`unless` $done^)? attr-dict `:` qualified(type($pipeline)) `,` qualified(type($state))";
}
def Cutlass_ProducerTryAcquireOp : Cutlass_TryOp<"pipeline.producer_try_acquire", "whether the stage is empty, without waiting for long">;
def Cutlass_ProducerAcquireOp : Cutlass_WaitOp<"pipeline.producer_acquire", "waits until the stage is empty"> {
  let description = [{
    `unless %done` leaves the wait out where a `producer_try_acquire` has said that it is. In a pipeline of kind `tma` one lane then arrives at
    the full barrier, for all bytes of the stage: what tensor copies bring completes the phase. In one of kind `tma_store` the thread
    waits until at most `stages - 1` of its bulk groups still read.

    ```mlir
    cutlass.pipeline.producer_acquire %pipe, %state unless %done : !pipe, !cutlass.pipeline_state<3>
    ```
  }];
}
def Cutlass_ProducerCommitOp : Cutlass_AtStageOp<"pipeline.producer_commit", "the stage is full"> {
  let description = [{
    The producers arrive at the full barrier; with `cp_async` each thread's arrival comes when its `cp.async` are done, for which the
    producers must be `cooperative`. Of kind `tma` it does nothing, as bytes arrive by themselves; of kind `tma_store` it makes a bulk group.
  }];
  let arguments = (ins Cutlass_PipelineType:$pipeline, Cutlass_PipelineStateType:$state, UnitAttr:$cp_async);
  let assemblyFormat = "$pipeline `,` $state (`cp_async` $cp_async^)? attr-dict `:` qualified(type($pipeline)) `,` qualified(type($state))";
}
def Cutlass_ProducerTailOp : Cutlass_AtStageOp<"pipeline.producer_tail", "waits until all stages are empty (tma_store: until all bulk groups are done)"> {
  let description = [{
    `state` is that of the stage that would be filled next. No block may leave before others have arrived at its barriers for the last time.
  }];
}
def Cutlass_GetProducerBarrierOp : Cutlass_Op<"pipeline.get_producer_barrier", "the full barrier of the stage, for tensor copies", [Pure]> {
  let arguments = (ins Cutlass_PipelineType:$pipeline, Cutlass_PipelineStateType:$state);
  let results = (outs LLVM_PointerInAddressSpace<3>:$barrier);
  let assemblyFormat = "$pipeline `,` $state attr-dict `:` qualified(type($pipeline)) `,` qualified(type($state)) `->` qualified(type($barrier))";
  let hasVerifier = 1;
}
def Cutlass_GetProducerMaskOp : Cutlass_Op<"pipeline.get_producer_mask", "the blocks of the cluster that empty the stages, a bit for each: whom multicast copies are for", [Pure]> {
  let arguments = (ins Cutlass_PipelineType:$pipeline);
  let results = (outs I16:$mask);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline))";
}
def Cutlass_ConsumerTryWaitOp : Cutlass_TryOp<"pipeline.consumer_try_wait", "whether the stage is full, without waiting for long">;
def Cutlass_ConsumerWaitOp : Cutlass_WaitOp<"pipeline.consumer_wait", "waits until the stage is full">;
def Cutlass_ConsumerReleaseOp : Cutlass_AtStageOp<"pipeline.consumer_release", "the consumers have no more use for the stage"> {
  let description = [{
    Consumers arrive at the empty barrier as their group says: all threads, or one lane of a warp behind all lanes; `cluster`: at that of every
    block, as a multicast copy fills the stage in all of them.
  }];
}

// It waits and arrives, whatever its region does.
class Cutlass_StageRegionOp<string mnemonic, string what>
    : Cutlass_EffectOp<mnemonic, what, [NoTerminator, SingleBlock]> {
  let arguments = (ins Cutlass_PipelineType:$pipeline, Cutlass_PipelineStateType:$state);
  let results = (outs Cutlass_PipelineStateType:$next);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$pipeline `,` $state attr-dict `:` qualified(type($pipeline)) `,` qualified(type($state)) `->` qualified(type($next)) $body";
  let hasVerifier = 1;
}
def Cutlass_PipelineProduceOp : Cutlass_StageRegionOp<"pipeline.produce", "acquire, the region, commit, and the next state"> {
  let description = [{
    The region's argument is the number of the stage; of kind `tma` a second one is its full barrier.

    ```mlir
    %next = cutlass.pipeline.produce %pipe, %state : !pipe, !cutlass.pipeline_state<3> -> !cutlass.pipeline_state<3> {
    ^bb0(%stage: i32):
      "store.into"(%stage) : (i32) -> ()
    }
    ```
  }];
}
def Cutlass_PipelineConsumeOp : Cutlass_StageRegionOp<"pipeline.consume", "wait, the region with the number of the stage, release, and the next state">;

def Cutlass_SwitchByExecutorOp : Cutlass_RegionOp<"pipeline.switch_by_executor", "one region for the producers of a pipeline, and one for its consumers"> {
  let description = [{
    Warps of neither group execute none. Nobody meets behind it.

    ```mlir
    cutlass.pipeline.switch_by_executor %pipe : !pipe producer {
      ...
    } consumer {
      ...
    }
    ```
  }];
  let arguments = (ins Cutlass_PipelineType:$pipeline);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline)) `producer` $producer `consumer` $consumer";
  let hasVerifier = 1;
}
def Cutlass_AsyncExecOp : Cutlass_RegionOp<"async.exec", "the region, for a group of warps; the others go on"> {
  let description = [{
    ```mlir
    cutlass.async.exec <warp_specialized, warps = 2 from 4> {
      ...
    }
    ```
  }];
  let arguments = (ins Cutlass_GroupAttr:$group);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$group attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

def Cutlass_BarrierIdOp : Cutlass_Op<"barrier_id", "the number of a named barrier: one of 1 to 15 for each name in a kernel", [Pure]> {
  let description = [{
    Numbers that `nvvm.barrier` and `named_barrier.*` of the kernel name by a constant are not given away.

    ```mlir
    %id = cutlass.barrier_id "epilogue"
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs I32:$id);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}
class Cutlass_NamedBarrierOp<string mnemonic, string what> : Cutlass_EffectOp<mnemonic, what> {
  let arguments = (ins I32:$id, I32:$threads);
  let assemblyFormat = "$id `,` $threads attr-dict";
  let hasVerifier = 1;
}
def Cutlass_NamedBarrierArriveOp : Cutlass_NamedBarrierOp<"named_barrier.arrive", "arrives at barrier `id`, where so many threads arrive altogether, and goes on">;
def Cutlass_NamedBarrierArriveAndWaitOp : Cutlass_NamedBarrierOp<"named_barrier.arrive_and_wait", "arrives at barrier `id`, and waits until so many threads have">;

def Cutlass_GenericBarrierSyncOp : Cutlass_EffectOp<"generic_barrier_sync", "how the threads around a generic barrier meet: all of the block, or those of a named barrier", [AttrSizedOperandSegments]> {
  let arguments = (ins Optional<I32>:$id, Optional<I32>:$threads);
  let assemblyFormat = "($id^ `,` $threads)? attr-dict";
  let hasVerifier = 1;
}
class Cutlass_GenericBarrierOp<string mnemonic, string what> : Cutlass_EffectOp<mnemonic, what, [AttrSizedOperandSegments]> {
  let arguments = (ins LLVM_AnyPointer:$flags, I32:$index, I32:$thread, I32:$value, Optional<I32>:$id, Optional<I32>:$threads);
  let assemblyFormat = "$flags `[` $index `]` `by` $thread `,` $value (`sync` $id^ `,` $threads)? attr-dict `:` qualified(type($flags))";
  let hasVerifier = 1;
}
def Cutlass_GenericBarrierArriveIncrementOp : Cutlass_GenericBarrierOp<"generic_barrier.arrive_increment", "the threads meet, and thread 0 of them adds to a number in global memory: what they did is there for who sees it"> {
  let description = [{
    ```mlir
    cutlass.generic_barrier.arrive_increment %flags[%tile] by %thread, %one sync %id, %threads : !llvm.ptr<1>
    ```
  }];
}
def Cutlass_GenericBarrierWaitEqOp : Cutlass_GenericBarrierOp<"generic_barrier.wait_eq", "thread 0 waits until a number in global memory is `value`, and the others for it">;
def Cutlass_GenericBarrierWaitLessThanOp : Cutlass_GenericBarrierOp<"generic_barrier.wait_less_than", "thread 0 waits while a number in global memory is less than `value`, and the others for it">;

def Cutlass_SeqBarCreateOp : Cutlass_Op<"seq_bar.create", "barriers that let groups of warps pass in order", [MemoryEffects<[MemAlloc]>]> {
  let results = (outs Cutlass_SeqBarType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}
def Cutlass_SeqBarInitOp : Cutlass_EffectOp<"seq_bar.init", "initialises them; all threads of the block execute it, and meet"> {
  let arguments = (ins Cutlass_SeqBarType:$barrier);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}
def Cutlass_SeqBarStateCreateOp : Cutlass_Op<"seq_bar.state.create", "where group `group` begins: group 0 passes at once", [Pure]> {
  let arguments = (ins I32:$group);
  let results = (outs Cutlass_SeqBarStateType:$result);
  let assemblyFormat = "$group attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_SeqBarWaitOp : Cutlass_EffectOp<"seq_bar.wait", "waits for the group's turn"> {
  let arguments = (ins Cutlass_SeqBarType:$barrier, Cutlass_SeqBarStateType:$state);
  let assemblyFormat = "$barrier `,` $state attr-dict `:` qualified(type($barrier)) `,` qualified(type($state))";
  let hasVerifier = 1;
}
def Cutlass_SeqBarArriveOp : Cutlass_EffectOp<"seq_bar.arrive", "the turn is the next group's; the group's own next turn", [AllTypesMatch<["state", "result"]>]> {
  let arguments = (ins Cutlass_SeqBarType:$barrier, Cutlass_SeqBarStateType:$state);
  let results = (outs Cutlass_SeqBarStateType:$result);
  let assemblyFormat = "$barrier `,` $state attr-dict `:` qualified(type($barrier)) `,` qualified(type($state))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Block-striped access
//===----------------------------------------------------------------------===//

class Cutlass_BlockStripedOp<string mnemonic, string what, list<Trait> traits = []> : Cutlass_EffectOp<mnemonic, what, traits> {
  let hasVerifier = 1;
}
def Cutlass_BlockStripedLoadOp : Cutlass_BlockStripedOp<"block_striped.load", "a fragment of every thread, in pieces of up to 16 bytes: piece i of thread t is piece `threads` i + t of memory"> {
  let description = [{
    So the pieces that the threads of a warp move at once are neighbours. The address is a multiple of the size of a piece.

    ```mlir
    %v = cutlass.block_striped.load %p by %thread of 128 : !llvm.ptr<1> -> vector<16xf32>
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$base, I32:$thread, I32Attr:$threads);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$base `by` $thread `of` $threads attr-dict `:` qualified(type($base)) `->` qualified(type($result))";
}
class Cutlass_BlockStripedPutOp<string mnemonic, string what> : Cutlass_BlockStripedOp<mnemonic, what> {
  let arguments = (ins LLVM_AnyPointer:$base, I32:$thread, I32Attr:$threads, AnyVectorOfNonZeroRank:$value);
  let assemblyFormat = "$value `,` $base `by` $thread `of` $threads attr-dict `:` qualified(type($value)) `,` qualified(type($base))";
}
def Cutlass_BlockStripedStoreOp : Cutlass_BlockStripedPutOp<"block_striped.store", "the other way round">;
def Cutlass_BlockStripedReduceOp : Cutlass_BlockStripedPutOp<"block_striped.reduce", "adds every element atomically (relaxed, at the scope of the device)">;
def Cutlass_BlockStripedLoadAddOp : Cutlass_BlockStripedPutOp<"block_striped.load_add", "the fragment in memory plus `value`"> {
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = "$value `,` $base `by` $thread `of` $threads attr-dict `:` qualified(type($value)) `,` qualified(type($base)) `->` qualified(type($result))";
}

include "tileiras/Dialect/Cutlass/IR/CutlassSchedulerOps.td"

#endif // TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSOPS_TD
