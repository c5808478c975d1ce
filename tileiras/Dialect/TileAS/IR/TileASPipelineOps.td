//===- TileASPipelineOps.td - Agents and asynchronous pipelines -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD

include "tileiras/Dialect/TileAS/IR/TileASPipelineClasses.td"

def TileAS_AgentSwitchOp : TileAS_PipelineOp<"agent_switch", [
    DeclareOpInterfaceMethods<TileAS_AgentLikeOpInterface>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"PipelineYieldOp">]> {
  let summary = "agents that run side by side, one per region, each on warps of its own";
  let description = [{
    Fork and join: the warps that reach the operation (all warps of the block) divide. Agent i, region i, is run by
    `num_warps[i]` warps, the first of which is warp `warp_id[i]` of the block; warps that belong to no agent wait.
    What comes before the operation happens before everything in the agents, and what the agents do before everything
    after it. Between the agents nothing is ordered but by barriers they both take part in.

    Inside an agent, layouts number its warps from 0; they need not be as many as those of the kernel or of another
    agent, nor a power of two. Barriers that operations of an agent imply are named barriers of its own
    (`barrier_ids`, given by `tileas-assign-named-barriers`; one warp needs none, and its entry is 0). Barriers between
    agents are explicit: `nvvm.barrier id = %i number_of_threads = %n` waits, `nvvm.barrier.arrive` only arrives, both
    with the threads of all agents concerned; their ids are constants from 1 to 15, and nobody else gets them. A shared
    tile that two agents use is allocated before the operation.

    A tile in registers stays where it is: what one agent has computed, or the code outside, another gets by way of
    shared memory. `captures` are the block arguments of every region. An `isolated` operation uses nothing else from outside but
    constants (which canonicalisation moves).
    Regions end with `nv_tileas.async.pipeline.yield` without operands.

    `max_regs`: registers per thread of each agent, 0 for those the kernel starts with; where the target has
    `setmaxnreg`. What it takes: multiples of 8 from 24 to 256, the same for all agents of one warpgroup (four warps in
    a row from a multiple of four), and no more for all warps together than the block was started with.
    `num_agents_per_group`: agents in a row that form a group; the number of regions is a multiple of it. Group g are
    the agents from g * `num_agents_per_group` on; a pipeline says by these numbers which groups its two sides come from. `agent_strides`: warps from the first of each agent to where the next one may begin, those left
    unused for alignment included (optimize-execution-unit-mapping writes `warp_id` and `agent_strides` from
    `num_warps`). Source: docs/seeds.md (S3-027, S4-104).

    In a kernel of 12 warps, one agent loads what the other uses:

    ```mlir
    !view = !nv_tileaa.tiled_view<[64, 64], padding = zero, !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
    #shared = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
    #of_four_warps = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [4, 1], order = [1, 0]>
    #of_eight_warps = #nv_tileas.blocked<size_per_thread = [1, 4], threads_per_warp = [2, 16], warps_per_cta = [8, 1], order = [1, 0]>
    nv_tileaa.func @example(%view: !view, %row: i32)
        attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 12, clusterDim = [1, 1, 1], numCTAs = 1>} {
      %shared = nv_tileas.alloc_tensor : tensor<64x64xf32, #shared>
      nv_tileas.async.pipeline.agent_switch %view, %row : !view, i32
          attributes {num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>, max_regs = array<i32: 40, 232>} {
      ^bb0(%v: !view, %i: i32):
        %one = arith.constant 1 : i32
        %threads = arith.constant 384 : i32
        %tile, %t = nv_tileas.tiled_load %v[%i, %i] : !view, (i32, i32) -> tensor<64x64xf32, #of_four_warps>
        nv_tileas.copy %tile, %shared : tensor<64x64xf32, #of_four_warps>, tensor<64x64xf32, #shared>
        nvvm.barrier.arrive id = %one number_of_threads = %threads
      }, {
      ^bb0(%v: !view, %i: i32):
        %one = arith.constant 1 : i32
        %threads = arith.constant 384 : i32
        nvvm.barrier id = %one number_of_threads = %threads
        %tile = nv_tileas.convert_layout %shared {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<64x64xf32, #shared> -> tensor<64x64xf32, #of_eight_warps>
      }
      nv_tileaa.return
    }
    ```
  }];
  // Captures may be anything that a function has, and become LLVM's types while the operation stands.
  let arguments = (ins Variadic<AnyType>:$captures, OptionalAttr<DenseI32ArrayAttr>:$num_warps,
                       OptionalAttr<DenseI32ArrayAttr>:$warp_id, OptionalAttr<DenseI32ArrayAttr>:$agent_strides,
                       OptionalAttr<DenseI32ArrayAttr>:$max_regs, OptionalAttr<DenseI32ArrayAttr>:$barrier_ids,
                       DefaultValuedAttr<I32Attr, "1">:$num_agents_per_group, UnitAttr:$isolated);
  let regions = (region VariadicRegion<SizedRegion<1>>:$agents);
  let assemblyFormat = "($captures^ `:` type($captures))? attr-dict-with-keyword $agents";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of the agent whose region holds `op`; -1 if none does.
    int agentOf(::mlir::Operation *op);
  }];
}

def TileAS_PipelineYieldOp : TileAS_PipelineOp<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a region of a pipeline operation; what it yields";
  let description = [{
    The operation around it says what it expects: tokens of copies that are still under way (producer_write), results
    (consumer_read), nothing (agent_switch).
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
      ^bb0(%stage: !stage):
        nv_tileas.copy %x, %stage : tensor<64xf32, #tile>, !stage
        nv_tileas.async.pipeline.yield
      }
}]>.text;
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ (void)$_builder; }]>];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def TileAS_CreatePipelineOp : TileAS_PipelineOp<"create_pipeline", [AttrSizedOperandSegments, MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "a ring of stages: the tiles of stage 0, then those of stage 1, ...";
  let description = [{
    All warps of the block make it, before the agents that use it begin. The tiles are `alloc_tensor`s. `barriers`, given
    by `tileas-alloc-pipeline-barriers`, is a shared tile of i64 with room for two mbarriers per stage: full, empty.

    `groups`: one agent fills the stages by `cp.async` and reads them. A stage is full when the groups of copies that its
    threads have committed are done and the threads have met, so there are no mbarriers. The commits, each of one group,
    stand one after the other, at most one of them in an iteration of a loop, in no other branch or region.
    All threads meet before the first copies, unless `no_war_barrier` says that nobody can still be reading what the
    tiles held before.

    Producers: the agent whose code commits to the pipeline; all its threads arrive at `full`. Consumers: the agents whose
    code releases stages; all their threads arrive at `empty`. `producerGroupId` and `consumerGroupId` name the groups of
    agents (`num_agents_per_group` of agent_switch) that the two sides come from; the lowering refuses a pipeline that
    an agent of another group fills or releases.

    Stages that tensor copies fill (`async.tiled_tma_load`) are full when these have written their bytes; one thread of
    the producer issues them, and it alone waits for empty stages. Where it is known at run time only whether there are
    tensor maps, `tma` says so, the same in all threads; the producer's region then has an `scf.if` on it with tensor
    copies in one branch and other copies in the other.
  }] # TileAS_RingExample<[{
      %ring = nv_tileas.async.pipeline.create_pipeline %a, %b {numStages = 2 : i32, producerGroupId = 0 : i8, consumerGroupId = 1 : i8} : (!stage, !stage) -> !pipe
}]>.text;
  let arguments = (ins Variadic<TileAS_Tile>:$stages, Optional<TileAS_Tile>:$barriers, Optional<I1>:$tma, I32Attr:$numStages,
                       OptionalAttr<I8Attr>:$producerGroupId, OptionalAttr<I8Attr>:$consumerGroupId,
                       DefaultValuedAttr<BoolAttr, "true">:$sharedMem, DefaultValuedAttr<BoolAttr, "false">:$dynamic,
                       UnitAttr:$groups, UnitAttr:$no_war_barrier);
  let results = (outs TileAS_PipelineType:$pipeline);
  let assemblyFormat = [{
    $stages (`barriers` $barriers^ `:` type($barriers))? (`tma` $tma^)? attr-dict `:` `(` type($stages) `)` `->` qualified(type($pipeline))
  }];
  let hasVerifier = 1;
}

def TileAS_CreateIteratorOp : TileAS_PipelineOp<"create_iterator", [Pure]> {
  let summary = "the first stage of a pipeline, in its first round";
  let description = [{
    Producers and consumers begin with the same place, and each advances its own.
  }] # TileAS_RingExample<[{
      %first = nv_tileas.async.pipeline.create_iterator %p : !pipe -> !iter
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline);
  let results = (outs TileAS_PipelineIteratorType:$iterator);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline)) `->` qualified(type($iterator))";
  let hasVerifier = 1;
}
def TileAS_IncIterOp : TileAS_PipelineOp<"inc_iter", [Pure, AllTypesMatch<["iterator", "next"]>]> {
  let summary = "the next stage; after the last comes the first, of a round of the other parity";
  let description = [{
    A place is a stage and the parity of the round, which tells waits from each other that are for one mbarrier.
    `by`: so many fillings further, a number without a sign, as where the stages between are somebody else's.
  }] # TileAS_RingExample<[{
      %next = nv_tileas.async.pipeline.inc_iter %i : !iter
}]>.text;
  let arguments = (ins TileAS_PipelineIteratorType:$iterator, Optional<I32>:$count);
  let results = (outs TileAS_PipelineIteratorType:$next);
  let assemblyFormat = "$iterator (`by` $count^)? attr-dict `:` qualified(type($iterator))";
  let builders = [OpBuilder<(ins "::mlir::Type":$next, "::mlir::Value":$iterator),
                            [{ build($_builder, $_state, next, iterator, ::mlir::Value()); }]>];
}

// The effects are coarse on purpose: these operations order memory accesses around them. Where a producing operation has a
// `predicate` it happens only if that is true; it is the same in all threads.
class TileAS_PrimitiveOp<string mnemonic, list<Trait> traits = []>
    : TileAS_PipelineOp<mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;

def TileAS_ProducerAcquireOp : TileAS_PrimitiveOp<"producer_acquire"> {
  let summary = "wait until all consumers have released the stage of the round before";
  let description = [{
    Waits for `empty` of the stage; in the first round at once. The stage is the producer's until it commits.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator, Optional<I1>:$predicate);
  let results = (outs TileAS_ProducerTokenType:$token);
  let assemblyFormat = [{
    $pipeline `,` $iterator (`if` $predicate^)? attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))
  }];
  let hasVerifier = 1;
}
def TileAS_ProducerWriteOp : TileAS_PrimitiveOp<"producer_write", [SingleBlock]> {
  let summary = "fill the stage; the region's arguments are its shared tiles";
  let description = [{
    Copies into the stage need no barriers of the agent: the stage is the producer's own until it commits, and every
    thread arrives for what it has written itself. Asynchronous copies (`async.tiled_load`) are yielded: the stage is
    full when they are done, and nobody waits for them before. A stage is filled in one way or the other.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
      %w = nv_tileas.async.pipeline.producer_write %p, %t : !pipe {
      ^bb0(%stage: !stage):
        nv_tileas.copy %x, %stage : tensor<64xf32, #tile>, !stage
        nv_tileas.async.pipeline.yield
      }
      nv_tileas.async.pipeline.producer_commit %p, %w : !pipe
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$token, Optional<I1>:$predicate);
  let results = (outs TileAS_ProducerTokenType:$written);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$pipeline `,` $token (`if` $predicate^)? attr-dict `:` qualified(type($pipeline)) $body";
  let hasRegionVerifier = 1;
}
def TileAS_ProducerCommitOp : TileAS_PrimitiveOp<"producer_commit"> {
  let summary = "the stage is full: each thread of the producer arrives for what it has written";
  let description = [{
    Arrives at `full` of the stage: at once, or, for copies that producer_write yields, when they are done.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.producer_acquire %p, %i : !pipe, !iter
      nv_tileas.async.pipeline.producer_commit %p, %t : !pipe
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$token, Optional<I1>:$predicate);
  let assemblyFormat = "$pipeline `,` $token (`if` $predicate^)? attr-dict `:` qualified(type($pipeline))";
}
def TileAS_ConsumerWaitOp : TileAS_PrimitiveOp<"consumer_wait"> {
  let summary = "wait until the stage is full";
  let description = [{
    Waits for `full` of the stage in the iterator's round. `consumer_idx`: which of the pipeline's consumers waits.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator,
                       DefaultValuedAttr<I32Attr, "0">:$consumer_idx);
  let results = (outs TileAS_ConsumerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $iterator attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))";
  let hasVerifier = 1;
}
def TileAS_ConsumerReadOp : TileAS_PrimitiveOp<"consumer_read", [SingleBlock]> {
  let summary = "use the stage; the region's arguments are its shared tiles, its results what it yields";
  let description = [{
    Reads of the stage need no barriers: it is full, and nobody fills it again before it is released.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.consumer_wait %p, %i {consumer_idx = 0 : i32} : !pipe, !iter
      %r, %y = nv_tileas.async.pipeline.consumer_read %p, %t {consumer_idx = 0 : i32} : !pipe -> tensor<64xf32, #tile> {
      ^bb0(%stage: !stage):
        %read = nv_tileas.convert_layout %stage {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !stage -> tensor<64xf32, #tile>
        nv_tileas.async.pipeline.yield %read : tensor<64xf32, #tile>
      }
      nv_tileas.async.pipeline.consumer_release %p, %r : !pipe
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$token,
                       DefaultValuedAttr<I32Attr, "0">:$consumer_idx);
  let results = (outs TileAS_ConsumerTokenType:$consumed, Variadic<TileAS_Yielded>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline)) (`->` type($results)^)? $body";
  let hasRegionVerifier = 1;
}
def TileAS_ConsumerReleaseOp : TileAS_PrimitiveOp<"consumer_release"> {
  let summary = "the stage may be filled again as far as this consumer is concerned: each of its threads arrives";
  let description = [{
    Arrives at `empty` of the stage. What was read from it must be in registers, or the product that reads it done.
  }] # TileAS_RingExample<[{
      %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
      nv_tileas.async.pipeline.consumer_release %p, %t : !pipe
}]>.text;
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline))";
}

//===----------------------------------------------------------------------===//
// Persistent kernels
//===----------------------------------------------------------------------===//

def TileAS_ProgramIdCoordinatesOp : Op<TileAS_Dialect, "program_id_coordinates", [Pure]> {
  let summary = "which tile block has been taken over";
  let description = [{
    Undefined if `nv_tileaa.is_valid_program_id` says that there was none left.

    ```mlir
    nv_tileaa.func @example() {
      %id = nv_tileaa.cancel_next_program_id
      %any = nv_tileaa.is_valid_program_id %id
      %x, %y, %z = nv_tileas.program_id_coordinates %id
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAA_ProgramIdType:$id);
  let results = (outs I32:$x, I32:$y, I32:$z);
  let assemblyFormat = "$id attr-dict";
}

def TileAS_ProgramIdOfRoundOp : Op<TileAS_Dialect, "program_id_of_round", [Pure]> {
  let summary = "which tile block a round of a loop over tile blocks is for";
  let description = [{
    Where the tile blocks of the grid are `divided`, the one with the number `round`, x counted first; else the block's
    own. tileas-dynamic-persistent makes it in loops of agents, and tileas-take-over-blocks replaces it: by what cluster
    launch control has answered, or by arithmetic.

    ```mlir
    nv_tileaa.func @example(%round: i32, %divided: i1) {
      %x, %y, %z = nv_tileas.program_id_of_round %round, %divided
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins I32:$round, I1:$divided);
  let results = (outs I32:$x, I32:$y, I32:$z);
  let assemblyFormat = "$round `,` $divided attr-dict";
}

class TileAS_TakeoverOp<string name, list<Trait> traits = []>
    : Op<TileAS_Dialect, "takeover." # name, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)> {
  code extraClassDeclaration = [{
    /// Questions that may be under way or unread at a time. An agent is at most so many tile blocks ahead of another.
    static constexpr int32_t kQuestions = 4;
    /// Of shared memory: the answers, an mbarrier for each that says that it is there, and one that all have read it.
    static constexpr int64_t kAnswerBytes = 16, kBytes = kQuestions * (kAnswerBytes + 2 * 8);
  }];
  let hasVerifier = 1;
}

def TileAS_TakeoverCreateOp : TileAS_TakeoverOp<"create", [TileAS_MakesMbarriers]> {
  let summary = "prepare shared memory for questions which tile block comes next";
  let description = [{
    All warps of the block run it, before the agents. In every round of their loops over tile blocks one agent asks for
    a tile block that has not started (PTX ISA, "clusterlaunchcontrol.try_cancel"), and all agents read the answer.
    `releases` is how often an answer is released before the next one may have its bytes: by one lane of each warp
    that reads it in another agent than the one that asks.

    ```mlir
    #bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
    nv_tileaa.func @example() {
      %memory = nv_tileas.alloc_tensor : tensor<128xi8, #bytes>
      nv_tileas.takeover.create %memory {releases = 4 : i32} : tensor<128xi8, #bytes>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$memory, I32Attr:$releases);
  let assemblyFormat = "$memory attr-dict `:` type($memory)";
}

def TileAS_TakeoverAskOp : TileAS_TakeoverOp<"ask"> {
  let summary = "ask for a tile block that has not started, for the round behind `round`";
  let description = [{
    One thread waits until all agents have read the answer whose place it is, and asks. `releases` as of
    `takeover.create`. Rounds are counted from 0.

    ```mlir
    #bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
    nv_tileaa.func @example(%round: i32) {
      %memory = nv_tileas.alloc_tensor : tensor<128xi8, #bytes>
      nv_tileas.takeover.create %memory {releases = 0 : i32} : tensor<128xi8, #bytes>
      nv_tileas.takeover.ask %memory, %round {releases = 0 : i32} : tensor<128xi8, #bytes>
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$memory, I32:$round, I32Attr:$releases);
  let assemblyFormat = "$memory `,` $round attr-dict `:` type($memory)";
}

def TileAS_TakeoverAnswerOp : TileAS_TakeoverOp<"answer"> {
  let summary = "wait for the answer to the question of `round`, and release its place";
  let description = [{
    `asks`: the agent that reads is the one that asks; where many threads are that agent, they meet.

    ```mlir
    #bytes = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32], [64]]>
    nv_tileaa.func @example(%round: i32) {
      %memory = nv_tileas.alloc_tensor : tensor<128xi8, #bytes>
      nv_tileas.takeover.create %memory {releases = 0 : i32} : tensor<128xi8, #bytes>
      nv_tileas.takeover.ask %memory, %round {releases = 0 : i32} : tensor<128xi8, #bytes>
      %next = nv_tileas.takeover.answer %memory, %round {asks} : tensor<128xi8, #bytes>
      %any = nv_tileaa.is_valid_program_id %next
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins TileAS_Tile:$memory, I32:$round, UnitAttr:$asks);
  let results = (outs TileAA_ProgramIdType:$id);
  let assemblyFormat = "$memory `,` $round attr-dict `:` type($memory)";
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
