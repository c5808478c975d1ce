//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on nv_tileas, in the order in which they run. Names, options and defaults of passes of the reference tool
// are contract.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SinkNegFPass : Pass<"sink-negf-through-shapes", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Move negf before shape operations";
  let description = [{
    `negf(broadcast(x))` becomes `broadcast(negf(x))`, likewise for the other operations that only move elements.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LegalizeFmaDotPass : Pass<"tileas-legalize-fma-dot", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Bring products that no matrix instruction takes into a form that one takes";
  let description = [{
    A k shorter than that of the smallest instruction is filled up with zeros; so are blocks of less than 32 elements
    that share a scale, where the target has scales for 32; other scaled products become one for each block, times its
    scales. Where that is cheaper than multiply-adds or f64; before tiles have layouts. Factors of a type that mma.sync
    multiplies as a wider one are widened. Factors of f4E2M1FN that tcgen05.mma multiplies in pairs become tiles of
    bytes, from where they are loaded on if they lie there so, else in registers. Where scales go to tensor memory,
    those that lie in blocks of 128 rows are loaded in rows of 256 elements.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numLengthened", "num-lengthened", "Products that get zeros along k">,
                    Statistic<"numSpread", "num-spread", "Scaled products that get zeros between blocks">,
                    Statistic<"numWidened", "num-widened", "Products whose factors are widened">,
                    Statistic<"numByBlocks", "num-by-blocks", "Scaled products that become one for each block">];
}

def OptimizeDotAccumulationPass : Pass<"tileas-optimize-dot-accumulation", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Let products add to what their results are added to";
  let description = [{
    `dot(a, b, 0) + c` becomes `dot(a, b, c)`, but for products of f32, whose order of additions is kept.
  }];
}

def UnrollRegisterLoopsPass : Pass<"tileas-unroll-register-loops", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Unroll loops that access slices of register tensors";
  let description = [{
    A loop of constant length that takes slices of tiles at places computed from its counter is unrolled completely:
    which registers a slice is has to be known here.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SliceTilesPass : Pass<"tileas-slice-tiles", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Compute tiles that exceed the register file slice by slice";
  let description = [{
    Runs before tiles have layouts. A kernel whose tiles exceed the register file becomes a loop over slices along a
    dimension that nothing reduces; the blocks of a cluster take one slice each.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::nv_tileaa::TileAADialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"room", "room", "int", /*default=*/"0",
                        "Words of tiles a block can hold; 0: what the register file of the target has">,
                 Option<"fixedWarps", "fixed-warps", "bool", /*default=*/"false",
                        "The number of warps was asked for: do not raise it">,
                 Option<"alternate", "alternate", "bool", /*default=*/"false",
                        "Two agents of four warps are to have every other tile block, each with most of the registers of four warps: "
                        "what is computed of sums element by element takes no others">,
                 Option<"tight", "tight", "bool", /*default=*/"false",
                        "Leave tiles whole that may have room though the estimate exceeds it (the kernel gets `nv_tileas.tight`)">];
  let statistics = [Statistic<"numSliced", "num-sliced", "Kernels computed in slices">,
                    Statistic<"numLowered", "num-lowered", "Kernels whose occupancy was lowered">];
}

def AssignDotLayoutsPass : Pass<"tileas-assign-dot-layouts", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Choose instructions and layouts of matrix products";
  let description = [{
    Every `nv_tileas.dot` gets an atom that the target has, and with it the layouts of its accumulator and operands,
    with conversions around it.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numInstructions", "num-instructions", "Products by instructions of matrix units">,
                    Statistic<"numMultiplyAdds", "num-multiply-adds", "Products by multiply-adds">];
}

def AssignLoadStoreLayoutsPass : Pass<"tileas-assign-load-store-layouts", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Choose layouts and vector widths of loads and stores";
  let description = [{
    From what is known of their addresses (contiguity, alignment, order), memory operations get blocked layouts whose
    threads access up to 16 bytes each, neighbours side by side, with conversions around them. Those whose tiles are
    computed from each other (alias groups) get one layout where that costs less than the conversions. Comparisons whose results
    are the same in blocks of neighbours are marked (`nv_tileas.equal_blocks`), beside products those that only select. Names of the same stages of pipelines
    that are in two memories are an error.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numWide", "num-wide", "Accesses that move several elements at once">,
                    Statistic<"numSingle", "num-single", "Accesses that move single elements">,
                    Statistic<"numGroups", "num-groups", "Groups of accesses with one layout">];
}

def RemoveLayoutConversionsPass : Pass<"tileas-remove-layout-conversions", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Propagate the layouts of memory operations";
  let description = [{
    Throws default layouts away and lets those of products and memory operations spread through the function. Where two
    meet, a conversion stays, where it is cheapest and out of loops if it can, or a cheap value is computed twice. Every
    layout is `linear` afterwards.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRemoved", "num-removed", "Conversions that go">,
                    Statistic<"numComputedAgain", "num-computed-again", "Conversions in whose place a cheap value is computed twice">,
                    Statistic<"numHoisted", "num-hoisted", "Conversions that leave loops">,
                    Statistic<"numLeft", "num-left", "Conversions that stay">];
}

def OptimizeReducePass : Pass<"tileas-optimize-reduce", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Let threads meet less often for reductions";
  let description = [{
    What a loop reduces in each iteration and adds to what it carries, by an operation whose order does not matter, is
    carried element by element and reduced once behind the loop. Reductions across warps of tiles in one layout along
    one axis become one reduction of several tiles, whose parts meet in shared memory once. Identities that cannot be
    told from one of every value (+0 of sums that are never -0, what a running maximum began with) become such, which
    takes no instruction.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numBehindLoops", "num-behind-loops", "Reductions that moved behind a loop">,
                    Statistic<"numJoined", "num-joined", "Reductions that joined another">,
                    Statistic<"numRelaxed", "num-relaxed", "Identities that became one of every value">];
}

def OptimizeExecutionUnitMappingPass : Pass<"optimize-execution-unit-mapping"> {
  let summary = "Optimize the numWarps and warpId alignment for each agent";
  let description = [{
    Every agent of an agent_switch gets warps of the block (`warp_id`, `agent_strides`) for its `num_warps`, aligned as
    warps that act together need it; the kernel's `kernel_spec` gets their sum.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

def ResolveAgentBoundaryPass : Pass<"tileas-resolve-agent-boundary", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Hand tiles in registers over to agents by way of shared memory";
  let description = [{
    What is computed before an agent_switch lies in the registers of the whole block. An agent that uses it gets it in a
    layout for its own warps, by way of a shared tile (its convert_layout says which); splats it computes itself. Before agents have their warps
    (`warp_id`) such uses are allowed.
  }];
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numResolved", "num-resolved", "Tiles that are handed over">];
}

def LegalizeReducePass : Pass<"tileas-legalize-reduce", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Give reductions across warps their shared scratch tiles";
  let description = [{
    A reduction along an axis that several warps hold gets a shared tile per operand, in rounds where they are large;
    a scan whose axis lies in many registers of many threads gets a layout with neighbours in one thread.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numAcrossWarps", "num-across-warps", "Reductions whose parts go through shared memory">];
}

def PlaceSumsPass : Pass<"tileas-place-sums", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Keep sums of products in tensor memory";
  let description = [{
    Products whose atom adds up in tensor memory get their tiles there. What a loop carries from one product to itself
    stays there for the whole loop, also if the loop changes it between products; other sums are copied there before the
    product, unless they are zero, and back. So are left factors that are computed from such sums.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
}

def LegalizeTmemCopyPass : Pass<"tileas-legalize-tmem-copy", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Give copies from and to tensor memory layouts that its instructions have";
  let description = [{
    A warp reaches 32 of the 128 rows of tensor memory. A copy between a tile there and registers that are spread
    otherwise becomes a copy in the layout that follows from the tile's, and a conversion.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

def AdvanceProductsPass : Pass<"tileas-advance-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Issue products in tensor memory an iteration before their sums are used";
  let description = [{
    A product whose sums a loop reads, computes with and multiplies again, and whose factors depend on nothing that the
    loop computes, is issued one iteration ahead, behind the copy that takes the sums of this iteration out of tensor
    memory. The first one stands before the loop; the last iteration repeats its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numAdvanced", "num-advanced", "Products that are issued an iteration ahead">];
}

def RefineAtomByResourcePass : Pass<"tileas-refine-atom-by-resource", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Multiply slice by slice where tiles exceed the registers";
  let description = [{
    Where the tiles of a kernel exceed its registers, a product whose factor shared memory has no room for, and which
    would be held in registers as its instruction takes it, becomes several of the same atom along k. Their factors come
    through shared memory, one after the other, where a copy atom fetches fragments step by step.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a ring at most; with one, no loads take turns">];
  let statistics = [Statistic<"numRefined", "num-refined", "Products that were divided along k">];
}

def MaterializeConvertLayoutPass : Pass<"tileas-materialize-convert-layout", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Decompose layout conversions into copies, shuffles and shared memory";
  let description = [{
    Each conversion becomes register renaming, lane shuffles or a trip through shared memory, whichever is cheapest,
    and in rounds where the tile exceeds shared memory. What is loaded for a product alone is copied to shared memory
    past the registers; so are scales that tcgen05.mma reads from tensor memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [
    Option<"reg2regVecSize", "reg2reg-vec-size", "unsigned", /*default=*/"16",
           "Cap on the width in bytes of register-to-register copies">,
    Option<"reinterpretToI8", "reinterpret-to-i8", "bool", /*default=*/"false",
           "Stage sub-byte float tiles through shared memory as bytes">,
    Option<"numStages", "num-stages", "int", /*default=*/"0",
           "The most stages that rings are going to have; 0: as many as they need">];
  let statistics = [Statistic<"numRenamed", "num-renamed", "Conversions that rename registers">,
                    Statistic<"numShuffled", "num-shuffled", "Conversions by shuffles">,
                    Statistic<"numShared", "num-shared", "Tiles written to shared memory">,
                    Statistic<"numAsync", "num-async", "Tiles copied to shared memory past the registers">];
}

def OrderTileBlocksPass : Pass<"tileas-order-tile-blocks", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Tile blocks with the most to do begin first";
  let description = [{
    Where the loops of a kernel have more and more rounds along one axis of the grid, as in causal attention, blocks work on tile blocks in
    another order: the longest first, 16 tile blocks of the other axes at a time, if a launch has more blocks than the GPU multiprocessors.
    Kernels of fewer than eight warps, those whose blocks synchronise through memory or ask for their numbers otherwise, and those of
    clusters stay as they are, with a remark.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect"];
}

def DynamicPersistentPass : Pass<"tileas-dynamic-persistent", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Make the kernel into dynamic persistent kernels";
  let description = [{
    A block that has finished takes over a tile block that has not started (cluster launch control), or, with
    `static-stride`, as many blocks as the GPU has room for divide the tile blocks and the others leave. So do clusters
    whose blocks divide a tile block, in any case. Kernels whose blocks synchronise through memory or ask for their
    numbers otherwise, and those of clusters whose first block does all the work, stay as they are, with a remark.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let options = [
    Option<"staticStride", "static-stride", "bool", /*default=*/"false",
           "Divide tile blocks among the blocks that stay, instead of taking over what has not started">,
    Option<"takeOver", "take-over", "bool", /*default=*/"false",
           "With static-stride: until tileas-take-over-blocks has blocks take over what has not started">,
    Option<"blocks", "blocks", "unsigned", /*default=*/"0",
           "With static-stride: blocks that stay; 0: as many as the target's multiprocessors hold">,
    Option<"onlyWhereFaster", "only-where-faster", "bool", /*default=*/"false",
           "Only kernels whose products go on while sums are stored">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"4",
           "With only-where-faster: stages that rings are to have">,
    Option<"alternate", "alternate", "bool", /*default=*/"false",
           "With only-where-faster: kernels of four warps, too, where two agents are to have every other tile block">];
}

def TakeOverBlocksPass : Pass<"tileas-take-over-blocks", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Have persistent agents take over tile blocks that have not started";
  let description = [{
    In loops over tile blocks that count (`nv_tileas.takes_over`), one agent asks for a tile block that has not started,
    a round ahead, and all agents read the answer (docs/scheduler.md). Loops that use their counter for something else stay
    as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "Loops that take over tile blocks">];
}

def GenerateSchedulePass : Pass<"tileas-generate-schedule", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Schedule the loops that have rings, for tileas-materialize-schedule";
  let description = [{
    Publishes ScheduleAnalysis and changes nothing. The analysis is gone as soon as a pass runs that does not keep it
    (docs/scheduler.md).
  }];
  let options = [
    Option<"kind", "kind", "std::string", /*default=*/"\"DEFAULT\"", "NONE, SERIAL, COST_BASED, FAST or DEFAULT">,
    Option<"rrtSizeThreshold", "rrt-size-threshold", "unsigned", /*default=*/"4096",
           "Operations of a loop up to which units are told apart; longer loops are run in sequence">,
    Option<"maxConstraintIterations", "max-constraint-iterations", "unsigned", /*default=*/"10",
           "Rounds of schedule constraint refinement">,
    Option<"traceFile", "schedule-trace-file", "std::string", /*default=*/"\"\"", "Scheduler trace as Chrome JSON">];
}

def MaterializeSchedulePass : Pass<"tileas-materialize-schedule", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Meterialize the pipeline schedule to generate warp-specialized or unspecialized IR";
  let description = [{
    Runs right behind tileas-generate-schedule. A function whose loops have rings becomes one `agent_switch`: an agent that
    fills the stages and one that uses them, each with its own copy of the loops. Where the warps cannot be divided, or
    what is fetched depends on what is computed, the function stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::nv_tileaa::TileAADialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [
    Option<"useAUS", "use-AUS", "bool", /*default=*/"false",
           "One agent does everything: tag operations, tileas-unspecialized-pipeline does the rest">,
    Option<"useDualSimt", "use-dual-simt", "bool", /*default=*/"true",
           "Two agents of four warps each compute where that pays">,
    Option<"enableScheduleRewrite", "enable-schedule-rewrite", "bool", /*default=*/"true",
           "Rewrite loops; false: only tag operations with their stage and order">,
    Option<"onlyWhereFaster", "only-where-faster", "bool", /*default=*/"false",
           "Divide only functions that are expected to gain by it (docs/scheduler.md)">,
    Option<"turns", "turns", "std::string", /*default=*/"\"auto\"",
           "Two warpgroups issue the products of a loop in turns: always, never, auto (as the matrix unit serves them); "
           "tile-blocks: two agents of four warps have every other tile block of a persistent kernel">,
    Option<"peelWithinAgents", "peel-within-agents", "bool", /*default=*/"false",
           "Overlap iterations of one agent by the stages of their operations (docs/scheduler.md)">];
}

def ExtractThroughSharedPass : Pass<"tileas-extract-through-shared", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Read small slices of large tiles from shared memory";
  let description = [{
    Where each thread would have to hold more than 128 words of a tile, and twice as many as there are of it for a
    thread, to choose a slice among them by an index, the tile is put into shared memory, if there is room, and the
    slice is read from there.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numSlices", "num-slices", "Slices that are read from shared memory">];
}

def KeepInvariantTilesPass : Pass<"tileas-keep-invariant-tiles", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Write shared tiles that are the same in every round of a loop once before it";
  let description = [{
    Operands of products that come from outside of a loop are written to shared memory before it, if there is room for
    them beside the other tiles.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numInvariant", "num-invariant", "Tiles that are written once before a loop">];
}

def StageLoadsPass : Pass<"tileas-stage-loads", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Copy what a loop over products loads into registers to shared memory first, where a ring has room";
  let description = [{
    Tiles that a loop loads into registers, to be converted before they are multiplied, and that registers cannot hold an
    iteration ahead (`tileas-prefetch-loads`), are copied into shared tiles that only who copied them reads, if two stages of
    them have room, or one of each. `tileas-materialize-async` makes a ring of them. `num-stages` of one switches it off.

    Bytes that a product wants along the other dimension than they lie in memory are turned: by `stmatrix`, out of the
    registers that hold them an iteration ahead, beside a factor that is copied as it is; or by `ldmatrix`, out of a ring.
    With `agents` by the latter, as an agent that copies for others has no registers of theirs.

    With TILEIR_PREFER_TMA_FOR_LOAD_STORE=true in the environment, and on targets with TMA, so are the tiles that loops
    without products load, as tensor copies write them. If a view's padding is not zero, which is what copies leave outside of
    it, `nv_tileas.pad` puts it there.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a ring at most">,
                 Option<"agents", "agents", "bool", /*default=*/"false", "Another agent copies for products, for sure">];
  let statistics = [Statistic<"numStaged", "num-staged", "Loads that go through a ring of shared tiles">];
}

def MaterializeAsyncPass : Pass<"tileas-materialize-async", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Make the tiles that a loop copies into shared memory the stages of a ring";
  let description = [{
    A loop over `async.tiled_load` whose addresses depend on the loop's counter alone becomes a loop of one producer and
    one consumer of a pipeline, still in the same iteration (docs/pipelines.md). As many stages as shared memory has room
    for, `latency` hints ask for and `num-stages` allows, and two where products of wgmma take so long that copies arrive in a round. Where two have no room, or the copies cannot be made ahead, the
    loop stays as it is, with a remark; a loop that copies nothing is marked `tileas.not_pipelined`.

    A factor that threads write for a product that goes on by itself (wgmma) gets a place in each stage, if a
    multiprocessor has one block and shared memory the time. Such a ring has `nv_tileas.spare_stage` and is filled one
    stage less ahead: tileas-overlap-products leaves the product under way while the next factor is written.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a ring at most">];
  let statistics = [Statistic<"numRings", "num-rings", "Loops that got a ring of stages">];
}

def ExtendRingsPass : Pass<"tileas-extend-rings", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "A tile that is multiplied behind a loop is one more round of the loop's ring";
  let description = [{
    In functions of one agent. The loop of a ring fills each stage for its next round then, the first one before it, and
    its last round fills one with what is copied for a product behind it, which needs no place of its own in shared
    memory. `tileas-materialize-schedule` does so for agents. Where the ring cannot be filled ahead by its counter alone,
    nothing is changed, with a remark.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRounds", "num-rounds", "Products behind loops that read a stage of a ring">];
}

def LowerTMALoadStoreToAsyncPass : Pass<"lower-tma-load-store-to-async", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "lowering TiledLoad or TiledStore which with tma atom to async tiled load or tiled store";
  let description = [{
    Where the target has TMA, rings that `async.tiled_load` fills are filled by `async.tiled_tma_load`, if all their
    tiles lie in shared memory as tensor copies write them; `make_tiled_tma_desc` says at run time whether there are tensor
    maps, and without them everything is as it was. A load with `allow_tma = false` is left alone, and so is, in a ring of
    one agent, a loop that copies too little to gain by the time that tensor maps take. TILEIR_PREFER_TMA_FOR_LOAD_STORE
    in the environment: `true` fills such loops, too, `false` does nothing, for agents that fill rings for others
    (`tileas-materialize-schedule`) neither.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRings", "num-rings", "Rings filled by TMA">,
                    Statistic<"numStores", "num-stores", "Tensor maps of stores">];
}

def StageStoresPass : Pass<"tileas-stage-stores", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Tiles that go through shared memory in order to be stored leave from there by TMA";
  let description = [{
    Where the target has TMA, a `tiled_store` of a converted tile becomes `scf.if` on whether there is a tensor map: the tile
    written to shared memory and stored by `async.tiled_tma_store`, slice by slice if it is large, or what was there.
    `lower-tma-load-store-to-async` takes that back in kernels whose loops TMA does not fill, and on targets with tensor
    memory. A store with
    `allow_tma = false` is left alone; TILEIR_PREFER_TMA_FOR_LOAD_STORE=false in the environment leaves all.

    With `true` there, a `tiled_atomic_rmw` leaves the same way, by a reduction of TMA, if tensor copies combine its elements so and
    all accesses of the kernel that are not weak can be done by TMA.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numStaged", "num-staged", "Stores that leave by TMA if they can">];
}

def DeferStoreWaitsPass : Pass<"tileas-defer-store-waits", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Tensor stores of a loop are waited for before their tile is written again";
  let description = [{
    In a loop that stores a tile by TMA in every round, the wait until shared memory has been read moves to where the next round writes
    it, and the tile out of the loop, behind which it is waited for once more. Not where that takes more shared memory, or, between products, keeps out a block.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "Waits for tensor stores that are done a round later">];
}

def AttachTMADescArgsPass : Pass<"tileas-attach-tma-desc-args", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Attach TMA descriptor arguments and separate host TMA bookkeeping";
  let description = [{
    Tensor maps that the host makes (`tileas-separate-host-tma`) become parameters behind those that the kernel declares,
    of 128 bytes each, and behind them one of 64 bits that says which of them there are. What the kernel makes itself
    needs none: it has a table of its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nv_tileas::TileASDialect"];
}

def UnspecializedPipelinePass : Pass<"tileas-unspecialized-pipeline", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Software-pipeline loops of one agent";
  let description = [{
    Operations of stage 0 run ahead of those of later stages, by `pipeline_stage` or, if that is less, by `num-stages`
    less one iterations. Loops without stages, and functions with agents, stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a loop at most">];
}

def RoundLoadsPass : Pass<"tileas-round-loads", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Have tensor copies round the f32 that products take as tf32";
  let description = [{
    A tile of f32 that a loop loads and only multiplies, rounded to the nearest tf32, is loaded as tiles of tf32, of a view
    that rounds (`rounded = tf32`): a tensor copy does so on the way to shared memory, where a conversion would take the
    tile there by way of registers. On targets with TMA, where a tensor map can describe the view and the loop copies
    enough. Before tiles have layouts. `num-stages` of one switches it off.
  }];
  let dependentDialects = ["::mlir::nv_tileaa::TileAADialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a loop at most">];
  let statistics = [Statistic<"numRounded", "num-rounded", "Loads that round">];
}

def ChooseWarpsPass : Pass<"tileas-choose-warps", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Have four warps multiply with mma.sync what eight would, where they fetch less from shared memory";
  let description = [{
    Each warp fetches the factors of its own sums from shared memory. Four warps of 64 x 64 sums fetch two thirds of what
    eight of 32 x 64 do, and are as many as registers have room for: 128 sums of each thread and fragments beside them.
    A kernel that was given eight warps for its tiles, by no hint, gets four if it has one product, in a loop, by
    mma.sync, whose factors cp.async brings in runs of 16 bytes and ldmatrix fetches as the product takes them (16-bit
    ones in either order; wider and narrower ones with k dense, and 8-bit ones in either order where ldmatrix turns
    these). Others with at most 64 sums of a thread get `nv_tileas.sharing_blocks`, unless so few stages are asked for that
    these are to be whole: rings of eight warps leave room for a second block, those of four for three where shared
    memory is large enough. Before tiles have layouts,
    which depend on it.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"fixedWarps", "fixed-warps", "bool", /*default=*/"false",
                        "The number of warps was asked for: do not change it">,
                 Option<"numStages", "num-stages", "unsigned", /*default=*/"4", "Stages that rings are to have">];
  let statistics = [Statistic<"numChanged", "num-changed", "Kernels that have four warps instead of eight">,
                    Statistic<"numSharing", "num-sharing", "Kernels whose rings leave room for a second block">];
}

def DivideStepsPass : Pass<"tileas-divide-steps", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Divide the iterations of loops over products whose tiles have no room twice in shared memory";
  let description = [{
    A loop that adds up products of tiles that it loads for them, and whose counter says where these are and nothing
    else, gets as many more and shorter iterations along k as it takes for the tiles of two to have room. Where several
    blocks share a multiprocessor and multiply by mma.sync, and there is room for two iterations and not for three,
    iterations are halved, too, if `num-stages` allows for more than two. Before tiles have layouts. `num-stages` of one
    switches it off.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileaa::TileAADialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a loop at most">];
  let statistics = [Statistic<"numDivided", "num-divided", "Loops whose iterations are divided">];
}

def PrefetchLoadsPass : Pass<"tileas-prefetch-loads", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Load into registers what the next iteration of a loop needs";
  let description = [{
    Loads of a loop that no ring takes are made an iteration ahead, into registers, as far as there are registers for
    them (docs/pipelines.md): their addresses follow from the counter and what the loop carries, and no token orders them
    after what the loop writes. `num-stages` of one switches it off.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::nv_tileaa::TileAADialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a loop at most">];
  let statistics = [Statistic<"numAhead", "num-ahead", "Loads that are made an iteration ahead">];
}

def PrefetchBranchLoadsPass : Pass<"tileas-prefetch-branch-loads", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Ask a round ahead which tiles a branch of a loop multiplies, and load them";
  let description = [{
    The loads of a branch with a loop's products are made an iteration ahead, into registers, with all that is asked of
    memory in order to know whether there are some, and where (docs/pipelines.md, "Loads ahead in branches"). `num-stages`
    of one switches it off.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::nv_tileaa::TileAADialect", "::mlir::nv_tileas::TileASDialect"];
  let options = [Option<"numStages", "num-stages", "unsigned", /*default=*/"2", "Stages of a loop at most">];
  let statistics = [Statistic<"numAhead", "num-ahead", "Loads that are made an iteration ahead">];
}

def AllocPipelineBarriersPass : Pass<"tileas-alloc-pipeline-barriers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Allocate the full and empty barriers of pipelines";
  let description = [{
    Two mbarriers per stage are shared memory like any other: every create_pipeline without `barriers` gets a tile of i64,
    unless groups of copies do without.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numBarriers", "num-barriers", "Barriers of pipelines">];
}

def OptimizeAllocTensorPass : Pass<"tileas-optimize-alloc-tensor", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Assign shared-memory offsets to alloc_tensor";
  let description = [{
    Tiles that are not in use at the same time share memory; writes that need no barrier before them are marked.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"sharedBytes", "shared-bytes", "Bytes of shared memory that tiles take">,
                    Statistic<"numShared", "num-shared-barriers", "Writes that share the barriers of others">];
}

def MulticastLoadsPass : Pass<"tileas-multicast-loads", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Load once what all blocks of a cluster load";
  let description = [{
    In a kernel whose tiles the blocks of a cluster divide, tensor copies with the same coordinates in all blocks become
    multicast copies of a part each (`nv_tileas.multicast`), and their ring one of the cluster
    (`nv_tileas.cluster_ring`): its stages are full when all parts are there, and empty when all blocks have released
    them. Where the target has no fast multicast, or blocks may not come to a copy equally often, nothing changes, with
    a remark.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRings", "num-rings", "Rings that several blocks fill">];
}
def PlanCTAPass : Pass<"tileas-plan-cta", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "propagate CTA related layouts";
  let description = [{
    Nothing in kernels of one block per tile block. In others, a `convert_layout` with `plancta.direction`, "backward" or
    "forward", moves to what computes its operand or to who uses its result, operation by operation, until it meets
    another one or what has no layout of its own. Where two blocks divide the rows of products in tensor memory, and
    rings hold both factors, the products become those of pairs (`nv_tileas.cta_pair`): each block has half of the right
    factor, in a layout with a basis of `block` that goes from the product to the loads, and the even block issues the
    products of both. In agents the ring of the sums becomes one of the pair, too, rings get as many stages as fit in
    the bytes that they had, and who fills them waits behind its loops until the last stages have been released.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numPairs", "num-pairs", "Products of two blocks">,
                    Statistic<"numMoved", "num-moved", "Operations that conversions have passed">];
}
def ReleaseByProductsPass : Pass<"tileas-release-by-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Let products in tensor memory say when their stage is empty";
  let description = [{
    Where the stages of a ring are read by products whose atom completes at an mbarrier, and by nobody else, the loop no
    longer waits for them (`nv_tileas.under_way`): the stage is released when they are done (`nv_tileas.by_products`),
    and behind the loop an acquire of the stage that was read last waits for the last of them.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numReleased", "num-released", "Rings whose stages products release">];
}

def RotateProductsPass : Pass<"tileas-rotate-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Multiply what a product has given an iteration later, beside the next product";
  let description = [{
    A loop that multiplies, computes with the sums, and multiplies the result again, as attention does, waits for both
    products. Rotated, it does the second product of an iteration in the next one, beside that one's first product,
    where `tileas-overlap-products` lets it go on during the arithmetic. The last one follows the loop. Where that is
    not done, a remark says why.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numRotated", "num-rotated", "Products that are done an iteration later">];
}

def DeferProductsPass : Pass<"tileas-defer-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Wait for products in tensor memory where somebody needs them";
  let description = [{
    The wait for a product of a loop whose atom completes at an mbarrier moves to the first operation that touches its
    sums or writes its factors, in the next iteration if need be (`nv_tileas.awaited_as`, with an mbarrier for each such
    product). Stages of rings that nobody else reads are released by the products.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numDeferred", "num-deferred", "Products that are waited for later">];
}

def SeparateCorrectionsPass : Pass<"tileas-separate-corrections", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Another warpgroup multiplies sums in tensor memory between their products";
  let description = [{
    Where two warpgroups issue the products of their rows in tensor memory and multiply the sums by a factor of each row
    in every round, as attention does, an agent of four warps does the latter while they compute: the factors go there
    through shared memory (`async.give_factors`, `async.scale_sums`). The agents begin and end with the loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numCorrections", "num-corrections", "Loops whose sums another warpgroup multiplies">];
}

def OverlapProductsPass : Pass<"tileas-overlap-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Let products of a loop go on into the next round";
  let description = [{
    A product that a loop only adds to its sums becomes `nv_tileas.async.dot`: its wait moves to where its operands are
    written again or their stage is released, in the next round if need be. Sums that begin as zero are not written;
    the first product does not read them. Products of a loop that do not need each other go on side by side until the
    first operation that needs their sums.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
                           "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numUnderWay", "num-under-way", "Products that go on into the next round">];
}

def TakeTurnsPass : Pass<"tileas-take-turns", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Have two warpgroups issue the products of a loop in turns";
  let description = [{
    Loops that `nv_tileas.turns` names (tileas-materialize-schedule): while the products of one warpgroup are done, the
    other one computes. Each waits for its turn before the first product of a round, and gives the turn away behind the
    last one. Loops over tile blocks that `nv_tileas.tile_turns` names, of two agents that have every other one: each
    has what waits for stages of rings to itself. That these have turns is a matter of their being right, so it is an
    error where they cannot.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numLoops", "num-loops", "Loops whose products are issued in turns">];
}
def ScaleMaximaPass : Pass<"tileas-scale-maxima", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Maxima of scaled elements are scaled maxima of elements";
  let description = [{
    `reduce<max>(x * s)` becomes `reduce<max>(x) * s` for a number `s` that is positive, where nothing else needs the products. Rounding never turns the order of two
    products round, so no bit of the result changes. A number that is known at run time only is compared, before the loop, and a branch in it has both forms.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numMaxima", "num-maxima", "Maxima that are scaled once">];
}
def ShareExponentialsPass : Pass<"tileas-share-exponentials", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "A part of the powers of a tile is computed by multiply-adds";
  let description = [{
    In loops whose products add up in tensor memory and whose powers take the special functions about as long as the products take the matrix
    unit, `nv_tileaa.exp2 {ftz}` of f32 is marked: of `pairs` pairs of registers one is computed by a polynomial of two floats at a time.
  }];
  let options = [Option<"pairs", "pairs", "int", /*default=*/"-1", "Of so many pairs one; 0: none; -1: of four, or of three by counts of the round">];
  let statistics = [Statistic<"numShared", "num-shared", "Powers of tiles that two pipes compute">];
}
def SkipMasksPass : Pass<"tileas-skip-masks", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Masks of positions are computed only for tiles of which they hide something";
  let description = [{
    In loops, a selection by comparisons of positions, as of causal attention or beyond the end of an array, becomes a branch on whether
    the first and the last position of both sides decide it for the whole tile.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numMasks", "num-masks", "Selections that most tiles do without">];
}

def AssignNamedBarriersPass : Pass<"tileas-assign-named-barriers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Give every agent a barrier of its own";
  let description = [{
    Agents of more than one warp get one of the barriers 1 to 15 each that no `nvvm.barrier` of the kernel names.
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let statistics = [Statistic<"numBarriers", "num-barriers", "Barriers of agents">];
}

def InsertOCGKnobsPass : Pass<"tileas-insert-OCG-knobs", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "This pass emits OCG knobs as specific optimization hints for the backend OCG compiler";
  let description = [{
    Directives of `nv_tileaa.pragma`, which tileaa-expand-ops has left as marks, become `.pragma` lines of inline PTX.
    Without `emit` they go: they are knobs of one assembler.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [Option<"emit", "emit", "bool", /*default=*/"false", "Emit the directives instead of dropping them">];
  let statistics = [Statistic<"numEmitted", "num-emitted", "Directives that were written">,
                    Statistic<"numDropped", "num-dropped", "Directives that were dropped">];
}

def PrintDecomposedTVLayoutPass : Pass<"tileas-print-decomposed-tv-layout", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Print the thread/value layout of every tensor";
  let description = [{
    For people: one remark per tensor value with its layout in CuTe's `(shape):(stride)` text, thread and value modes
    apart. Layouts that this notation cannot express are written as bases.
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PASSES
