//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on pipelines that are written down as such: queues, the regions of one stage, tiles under several names. In the
// order in which they run; names are contract.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES
#define TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def QueueToPipelinePass : Pass<"tileas-queue-to-pipeline", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Rewrite queues as pipelines, and the agents of nv_tileaa as those of nv_tileas";
  let description = [{
    `execute` becomes `agent_switch`, each agent with as many warps as the kernel had; `create_queue` a pipeline of its
    `num_stages` (2 by default) whose stages are shared tiles; `queue.put` becomes `produce_one`, `queue.get` `consume_one`, with an
    iterator for each agent and queue that `scf.for`, `scf.if` and `scf.while` carry on; `mark_for_reuse` gives way to its
    operand. Nothing of the queue is left (docs/pipelines.md, "Queues").
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numQueues", "num-queues", "Queues that became pipelines">];
}

def AssignPipelineLayoutsPass : Pass<"tileas-assign-pipeline-layouts", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Choose how the stages of pipelines lie in shared memory";
  let description = [{
    Stages that threads write and read, with no plan yet, get the layout in which both sides meet the fewest bank
    conflicts; the types of pipelines, iterators and arguments follow, through control flow.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numChosen", "num-chosen", "Tiles of stages whose layout was chosen">];
}

def PrepareForSchedulingPass : Pass<"tileas-prepare-for-scheduling", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Bring a function into the form that the scheduler is to find";
  let description = [{
    Six steps in this order: decomposeTiledLoadStoreView, refineVecSizeOfAtoms, sliceAndFuse (marks only),
    runCanonicalizer, compactMemLayout, refreshBoxDim (docs/scheduler.md, "What is prepared").
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numViews", "num-views", "Reshapes of reshapes that went">,
                    Statistic<"numWidened", "num-widened", "Accesses that became wider">,
                    Statistic<"numFused", "num-fused", "Operations that are one node with their user">,
                    Statistic<"numDropped", "num-dropped", "Loops, branches and waits that went">,
                    Statistic<"numBytes", "num-bytes", "Bytes of shared memory that tiles take less">,
                    Statistic<"numBoxes", "num-boxes", "Tensor maps whose box changed">];
}

def RecomputeForSchedulingPass : Pass<"tileas-recompute-for-scheduling", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Compute cheap values once in each stage of a loop that uses them";
  let description = [{
    In a loop whose operations have a `pipeline_stage`, a value of arithmetic on the counter and on what comes from
    outside that several stages use is computed in each: otherwise registers would carry it from one stage to the other,
    one for each iteration in between.
  }];
  let statistics = [Statistic<"numRecomputed", "num-recomputed", "Operations that were cloned into another stage">];
}

def OptimizePipelineRegionPass : Pass<"tileas-optimize-pipeline-region", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Optimize the region scope of tileas.async.pipeline.produce_one/consume_one ops";
  let description = [{
    Regions keep what their results are computed from and what has an effect, in its order; the rest goes, products that
    only read shared tiles included. From the last region of a function to the first. Regions of loops that
    tileas-unspecialized-pipeline refused stay as they are.
  }];
  let statistics = [Statistic<"numShrunk", "num-shrunk", "Regions that lost operations">];
}

def ExpandPipelineRegionsPass : Pass<"tileas-expand-pipeline-regions", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Put the regions of produce_one and consume_one in their place";
  let description = [{
    What is left are the operations of the handshakes, which `convert-pipeline-to-nvvm` lowers, and waits.
  }];
  let dependentDialects = ["::mlir::ub::UBDialect", "::mlir::nv_tileas::TileASDialect"];
}

def RemoveBufferAliasPass : Pass<"tileas-remove-buffer-alias", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Give every shared tile one name";
  let description = [{
    A tile that a loop only carries round is the tile it began with; of two tiles between which `arith.select` chooses
    both are read, and the one is written that was chosen. Where a loop exchanges its tiles the pass fails.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRemoved", "num-removed", "Names of tiles that went">];
}

def RemoveDeadArgsPass : Pass<"tileas-remove-dead-args", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Erase arguments of regions that nobody uses, with what is passed to them";
  let description = [{
    Captures of agents; what loops carry for nothing but to carry it on, and what is computed for that; results of branches.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numRemoved", "num-removed", "Arguments that were erased">];
}

#endif // TILEIRAS_DIALECT_TILEAS_PIPELINES_PASSES
