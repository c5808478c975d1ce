//===- TileASPipelineOps.td - Agents and asynchronous pipelines -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD

include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_PipelineOp<string mnemonic, list<Trait> traits = []>
    : Op<TileAS_Dialect, "async.pipeline." # mnemonic, traits>;

def TileAS_AgentSwitchOp : TileAS_PipelineOp<"agent_switch", [
    DeclareOpInterfaceMethods<TileAS_AgentLikeOpInterface>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"PipelineYieldOp">]> {
  let summary = "agents that run side by side, one per region, each on warps of its own";
  let description = [{
    Fork and join: the warps that reach the operation (all warps of the block) divide. Agent i, region i, is run by
    `num_warps[i]` warps, the first of which is warp `warp_id[i]` of the block; warps that belong to no agent wait.
    What comes before the operation happens before everything in the agents, and what the agents do before everything
    behind it. Between the agents nothing is ordered but by barriers they both take part in.

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
    `num_agents_per_group`: agents in a row that do the same work on different parts; the number of regions is a
    multiple of it. `agent_strides`: warps from the first of each agent to where the next one may begin, those left
    unused for alignment included (optimize-execution-unit-mapping writes `warp_id` and `agent_strides` from
    `num_warps`). Source: docs/seeds.md (S3-027, S4-104).

    Example, a kernel of 12 warps:

    ```mlir
    nv_tileas.async.pipeline.agent_switch %view : !view
        attributes {num_warps = array<i32: 4, 8>, warp_id = array<i32: 0, 4>, max_regs = array<i32: 40, 232>} {
    ^bb0(%v: !view):
      %tile, %t = nv_tileas.tiled_load %v[%i, %j] : !view, (i32, i32) -> tensor<64x64xf32, #of_four_warps>
      nv_tileas.copy %tile, %shared : tensor<64x64xf32, #of_four_warps>, tensor<64x64xf32, #shared>
      nvvm.barrier.arrive id = %one number_of_threads = %c384
    }, {
    ^bb0(%v: !view):
      nvvm.barrier id = %one number_of_threads = %c384
      %tile = nv_tileas.convert_layout %shared : tensor<64x64xf32, #shared> -> tensor<64x64xf32, #of_eight_warps>
    }
    ```
  }];
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

    Producers: the agent whose code commits to the pipeline; all its threads arrive at `full`. Consumers: the agents whose
    code releases stages; all their threads arrive at `empty`. `producerGroupId` and `consumerGroupId` name the groups of
    agents the two sides come from (seed 003); they do not change the lowering.

    ```mlir
    %p = nv_tileas.async.pipeline.create_pipeline %a0, %a1 {numStages = 2 : i32}
        : (tensor<64x64xf16, #shared>, tensor<64x64xf16, #shared>) -> !nv_tileas.pipeline<2 x (tensor<64x64xf16, #shared>)>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$stages, Optional<AnyRankedTensor>:$barriers, I32Attr:$numStages,
                       DefaultValuedAttr<I8Attr, "0">:$producerGroupId, DefaultValuedAttr<I8Attr, "0">:$consumerGroupId,
                       DefaultValuedAttr<BoolAttr, "true">:$sharedMem, DefaultValuedAttr<BoolAttr, "false">:$dynamic);
  let results = (outs TileAS_PipelineType:$pipeline);
  let assemblyFormat = [{
    $stages (`barriers` $barriers^ `:` type($barriers))? attr-dict `:` `(` type($stages) `)` `->` qualified(type($pipeline))
  }];
  let hasVerifier = 1;
}

def TileAS_CreateIteratorOp : TileAS_PipelineOp<"create_iterator", [Pure]> {
  let summary = "the first stage of a pipeline, in its first round";
  let arguments = (ins TileAS_PipelineType:$pipeline);
  let results = (outs TileAS_PipelineIteratorType:$iterator);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline)) `->` qualified(type($iterator))";
  let hasVerifier = 1;
}
def TileAS_IncIterOp : TileAS_PipelineOp<"inc_iter", [Pure, AllTypesMatch<["iterator", "next"]>]> {
  let summary = "the next stage; behind the last comes the first, of a round of the other parity";
  let arguments = (ins TileAS_PipelineIteratorType:$iterator);
  let results = (outs TileAS_PipelineIteratorType:$next);
  let assemblyFormat = "$iterator attr-dict `:` qualified(type($iterator))";
}

// The effects are coarse on purpose: these operations order memory accesses around them.
class TileAS_PrimitiveOp<string mnemonic, list<Trait> traits = []>
    : TileAS_PipelineOp<mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;

def TileAS_ProducerAcquireOp : TileAS_PrimitiveOp<"producer_acquire"> {
  let summary = "wait until all consumers have released the stage of the round before";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator);
  let results = (outs TileAS_ProducerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $iterator attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))";
  let hasVerifier = 1;
}
def TileAS_ProducerWriteOp : TileAS_PrimitiveOp<"producer_write", [SingleBlock]> {
  let summary = "fill the stage; the region's arguments are its shared tiles";
  let description = [{
    Copies into the stage need no barriers of the agent: the stage is the producer's own until it commits, and every
    thread arrives for what it has written itself. Asynchronous copies (`async.tiled_load`) are yielded: the stage is
    full when they are done, and nobody waits for them before. A stage is filled in one way or the other.

    ```mlir
    %t1 = nv_tileas.async.pipeline.producer_write %p, %t0 : !pipe {
    ^bb0(%stage: tensor<64x64xf16, #shared>):
      nv_tileas.copy %tile, %stage : tensor<64x64xf16, #blocked>, tensor<64x64xf16, #shared>
      nv_tileas.async.pipeline.yield
    }
    ```
  }];
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$token);
  let results = (outs TileAS_ProducerTokenType:$written);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline)) $body";
  let hasRegionVerifier = 1;
}
def TileAS_ProducerCommitOp : TileAS_PrimitiveOp<"producer_commit"> {
  let summary = "the stage is full: each thread of the producer arrives for what it has written";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ProducerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline))";
}
def TileAS_ConsumerWaitOp : TileAS_PrimitiveOp<"consumer_wait"> {
  let summary = "wait until the stage is full";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_PipelineIteratorType:$iterator,
                       DefaultValuedAttr<I32Attr, "0">:$consumer_idx);
  let results = (outs TileAS_ConsumerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $iterator attr-dict `:` qualified(type($pipeline)) `,` qualified(type($iterator))";
  let hasVerifier = 1;
}
def TileAS_ConsumerReadOp : TileAS_PrimitiveOp<"consumer_read", [SingleBlock]> {
  let summary = "use the stage; the region's arguments are its shared tiles, its results what it yields";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$token,
                       DefaultValuedAttr<I32Attr, "0">:$consumer_idx);
  let results = (outs TileAS_ConsumerTokenType:$consumed, Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline)) (`->` type($results)^)? $body";
  let hasRegionVerifier = 1;
}
def TileAS_ConsumerReleaseOp : TileAS_PrimitiveOp<"consumer_release"> {
  let summary = "the stage may be filled again as far as this consumer is concerned: each of its threads arrives";
  let arguments = (ins TileAS_PipelineType:$pipeline, TileAS_ConsumerTokenType:$token);
  let assemblyFormat = "$pipeline `,` $token attr-dict `:` qualified(type($pipeline))";
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
