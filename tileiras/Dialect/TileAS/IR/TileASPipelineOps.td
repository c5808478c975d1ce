//===- TileASPipelineOps.td - Agents and asynchronous pipelines -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD

include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.td"
include "tileiras/Dialect/TileAS/IR/TileAS.td"
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

    `captures` are the block arguments of every region. An `isolated` operation uses nothing else from outside but
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

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINEOPS_TD
