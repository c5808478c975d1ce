//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "tileiras/Compiler/PassOrder.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;

namespace tileiras {

namespace {

using Options = TileIRPipelineOptions;

/// One line of the pipeline. A row without `when` always runs; a row without `options` takes the defaults.
struct Step {
  Stage stage;   ///< the last row of a stage ends it for --emit
  int textLevel; ///< the opt-level of the textual pipeline that includes the row
  const char *pass;
  bool (*when)(const Options &) = nullptr;
  std::string (*options)(const Options &) = nullptr;
};

/// Steps that only make code better.
bool optimizing(const Options &o) { return o.effort() >= 1; }
bool pipelined(const Options &o) { return o.pipelineStrategy != "none"; }
bool optimizingPipelined(const Options &o) { return optimizing(o) && pipelined(o); }
bool warpSpecialized(const Options &o) {
  return o.pipelineStrategy == "warp-specialize" || o.pipelineStrategy == "auto";
}
bool sharesLoads(const Options &o) { return pipelined(o) && o.clusterLoads == "auto"; }
bool lowersPipelines(const Options &o) { return !o.skipPipeline; }
bool hostTensorMaps(const Options &o) { return o.tmaDescriptors == "host"; }
bool persistenceAsked(const Options &o) { return o.dynamicPersistent || o.persistentBlocks == "take-over"; }
bool persistent(const Options &o) {
  return persistenceAsked(o) || (o.pipelineStrategy == "auto" && o.persistentBlocks == "auto");
}
bool alternates(const Options &o) { return warpSpecialized(o) && o.turns == "tile-blocks"; }
/// Whether the compiler chooses if two agents have every other tile block.
bool choosesTurns(const Options &o) {
  return optimizing(o) && warpSpecialized(o) && persistent(o) && o.turns == "auto" &&
         o.persistentBlocks != "take-over" && !o.tileRoom;
}
bool choosesWarps(const Options &o) { return optimizingPipelined(o) && !o.tileRoom; }
bool withLineInfo(const Options &o) { return o.emitLineInfo != "none" || o.deviceDebug; }

std::string targetOptions(const Options &o) {
  return "compute-capability=" + o.computeCapability + " num-warps=" + std::to_string(o.numWarps) +
         " num-ctas=" + std::to_string(o.numCtas) + " alternate=" + (alternates(o) ? "true" : "false");
}
/// What pairs of packing and unpacking leave is gone after one walk; branches and blocks are LLVM's to simplify.
std::string onceOptions(const Options &) { return "max-iterations=1 region-simplify=disabled"; }
std::string nvvmTargetOptions(const Options &o) {
  return "opt-level=" + std::to_string(o.effort()) + " device-debug=" + (o.deviceDebug ? "true" : "false") +
         " use-nvgpucomp=" + (o.useNvGpuComp ? "true" : "false");
}
std::string mathOptions(const Options &o) { return std::string("libdevice=") + (o.libdevice ? "true" : "false"); }
std::string indexOptions(const Options &o) { return "index-bitwidth=" + std::to_string(o.indexBitwidth); }
std::string pdlOptions(const Options &o) { return o.pdlFiles.empty() ? "" : " pdl-files=" + o.pdlFiles; }
std::string pluginOptions(const Options &o) { return o.pdlFiles.empty() ? "" : "pdl-files=" + o.pdlFiles; }
std::string signatureOptions(const Options &o) { return indexOptions(o) + pdlOptions(o); }
std::string bodyOptions(const Options &o) {
  return mathOptions(o) + " " + indexOptions(o) + " dynamic-shared=" + (o.dynamicShared ? "true" : "false") +
         pdlOptions(o);
}
std::string exponentialOptions(const Options &o) {
  return std::string("pairs=") + (o.exponentials == "auto" ? "-1" : "0");
}
std::string expandOptions(const Options &o) { return "fp8-sums=" + o.fp8Sums; }
std::string sliceOptions(const Options &o) {
  return "room=" + std::to_string(o.tileRoom) + " fixed-warps=" + (o.numWarps ? "true" : "false") +
         " alternate=" + (alternates(o) ? "true" : "false") + " tight=" + (o.tightTiles ? "true" : "false");
}
std::string stageOptions(const Options &o) {
  return "num-stages=" + std::to_string(pipelined(o) ? o.numStages.getValue() : 1);
}
std::string loadOptions(const Options &o) {
  return std::string("agents=") + (o.pipelineStrategy == "warp-specialize" ? "true" : "false") + " " + stageOptions(o);
}
std::string warpOptions(const Options &o) {
  return std::string("fixed-warps=") + (o.numWarps ? "true" : "false") + " " + stageOptions(o);
}
std::string scheduleOptions(const Options &o) {
  return "rrt-size-threshold=" + std::to_string(o.rrtSizeThreshold) +
         " max-constraint-iterations=" + std::to_string(o.maxConstraintIterations) +
         (o.scheduleTraceFile.empty() ? "" : " schedule-trace-file=" + o.scheduleTraceFile);
}
std::string agentOptions(const Options &o) {
  return std::string("only-where-faster=") + (o.pipelineStrategy == "auto" ? "true" : "false") + " turns=" + o.turns;
}
/// Blocks take over the work of others where the target has launch control, else they divide it beforehand. So they do
/// where agents are asked for, unless these are to take over, too: by the model neither is faster (docs/scheduler.md).
std::string persistentOptions(const Options &o) {
  const TargetInfo *target = lookupTarget(o.computeCapability);
  // Agents divide loops that count.
  bool takesOver = target && target->launchControl, counts = !takesOver || o.pipelineStrategy == "warp-specialize";
  return std::string("static-stride=") + (counts ? "true" : "false") +
         " take-over=" + (counts && o.persistentBlocks == "take-over" ? "true" : "false") +
         " only-where-faster=" + (persistenceAsked(o) ? "false" : "true") +
         " alternate=" + (alternates(o) ? "true" : "false") + " " + stageOptions(o);
}
std::string knobOptions(const Options &o) { return std::string("emit=") + (o.ocgKnobs ? "true" : "false"); }
std::string launchOptions(const Options &o) {
  return "abi=" + o.launchAbi + " compute-capability=" + o.computeCapability;
}
std::string transferOptions(const Options &) { return "full-unroll=true"; }
std::string hostIndexOptions(const Options &) { return "index-bitwidth=0"; }
std::string verifyTargetOptions(const Options &o) {
  return "chip=" + o.computeCapability + " ptx-version=" + o.ptxVersion;
}
std::string cuteOptions(const Options &o) { return "chip=" + o.computeCapability; }
std::string debugScopeOptions(const Options &o) {
  // Line tables without DWARF sections: `.loc` lines, and no `debug` on `.target`, which would switch ptxas's
  // optimizer off.
  return o.deviceDebug ? "emission-kind=Full" : "emission-kind=DebugDirectivesOnly";
}

/// The order. Why it is so: function signatures before bodies (bodies look at the converted arguments); layouts are
/// final before reductions and conversions are spelled out, and those before shared memory is assigned; the
/// target is attached last, when nothing can change the module's needs any more.
const Step steps[] = {
    {Stage::TileAA, 1, "convert-cudatile-to-tileaa", nullptr, targetOptions},
    {Stage::TileAA, 1, "canonicalize", optimizing},
    // Masks that promises decide (nv_tileaa.assume of bounds) become constants here and go with the next
    // canonicalization.
    {Stage::TileAA, 1, "tileaa-int-range-optimizations", optimizing},
    {Stage::TileAA, 1, "tileaa-simplify-divisions", optimizing},
    {Stage::TileAA, 1, "canonicalize", optimizing},
    {Stage::TileAA, 1, "cse", optimizing},

    {Stage::Layouts, 2, "tileaa-expand-ops", nullptr, expandOptions},
    {Stage::Layouts, 2, "tileas-legalize-fma-dot", optimizing},
    {Stage::Layouts, 2, "sink-negf-through-shapes", optimizing},
    {Stage::Layouts, 2, "tileas-optimize-dot-accumulation", optimizing},
    {Stage::Layouts, 2, "tileas-unroll-register-loops", optimizing},
    // Before anybody counts registers for what is converted.
    {Stage::Layouts, 2, "tileas-round-loads", optimizingPipelined, stageOptions},
    // It changes how many warps there are, which slices depend on.
    {Stage::Layouts, 2, "tileas-choose-turns", choosesTurns, warpOptions},
    {Stage::Layouts, 2, "tileas-choose-warps", choosesWarps, warpOptions},
    {Stage::Layouts, 2, "tileas-slice-tiles", nullptr, sliceOptions},
    // Slices are a loop, too. Equal views become one now.
    {Stage::Layouts, 2, "tileaa-hoist-views", optimizing},
    {Stage::Layouts, 2, "canonicalize", optimizing},
    {Stage::Layouts, 2, "cse", optimizing},
    // Of slices, not of what they are taken from.
    {Stage::Layouts, 2, "tileas-divide-steps", pipelined, stageOptions},
    {Stage::Layouts, 2, "tileas-queue-to-pipeline"},
    {Stage::Layouts, 2, "convert-tileaa-to-tileas"},
    // Before layouts that have a whole tile in each thread spread to where it is computed.
    {Stage::Layouts, 2, "tileas-extract-through-shared"},
    {Stage::Layouts, 2, "tileas-assign-dot-layouts"},
    {Stage::Layouts, 2, "tileas-assign-load-store-layouts"},
    // From here on every layout is `linear`.
    {Stage::Layouts, 2, "tileas-remove-layout-conversions"},
    {Stage::Layouts, 2, "tileas-assign-pipeline-layouts"},
    {Stage::Layouts, 2, "canonicalize", optimizing},
    {Stage::Layouts, 2, "cse", optimizing},
    // Layouts say which reductions threads have to meet for.
    {Stage::Layouts, 2, "tileas-optimize-reduce", optimizing},
    // Instructions and layouts are chosen; what is loaded still has no place in shared memory.
    {Stage::Layouts, 2, "tileas-rotate-products", optimizingPipelined},
    {Stage::Layouts, 2, "tileas-order-tile-blocks", optimizing},
    {Stage::Layouts, 2, "tileas-dynamic-persistent", persistent, persistentOptions},
    {Stage::TileAS, 2, "tileas-resolve-agent-boundary"},
    {Stage::TileAS, 2, "optimize-execution-unit-mapping"},
    {Stage::TileAS, 2, "tileas-legalize-reduce"},
    {Stage::TileAS, 2, "tileas-allocate-scratch"},
    {Stage::TileAS, 2, "tileas-place-sums"},
    {Stage::TileAS, 2, "tileas-legalize-tmem-copy"},
    {Stage::TileAS, 2, "tileas-advance-products", optimizing},
    {Stage::TileAS, 2, "tileas-stage-stores", pipelined},
    // Layouts are final, and what shared memory has no room for can still be changed.
    {Stage::TileAS, 2, "tileas-refine-atom-by-resource", optimizing, stageOptions},
    {Stage::TileAS, 2, "tileas-materialize-convert-layout", nullptr, stageOptions},
    {Stage::TileAS, 2, "tileas-keep-invariant-tiles"},
    // Behind what puts operands into shared memory, which leaves room or not.
    {Stage::TileAS, 2, "tileas-stage-loads", pipelined, loadOptions},
    {Stage::TileAS, 2, "tileas-materialize-async", nullptr, stageOptions},
    {Stage::TileAS, 2, "tileas-prepare-for-scheduling", pipelined},
    {Stage::TileAS, 2, "tileas-recompute-for-scheduling", pipelined},
    // Nothing may come between these two.
    {Stage::TileAS, 2, "tileas-generate-schedule", warpSpecialized, scheduleOptions},
    {Stage::TileAS, 2, "tileas-materialize-schedule", warpSpecialized, agentOptions},
    {Stage::TileAS, 2, "optimize-execution-unit-mapping", warpSpecialized},
    // Loops that have not been given to agents, while a stage is filled by threads or TMA alike.
    {Stage::TileAS, 2, "tileas-extend-rings", optimizingPipelined},
    {Stage::TileAS, 2, "lower-tma-load-store-to-async", pipelined},
    {Stage::TileAS, 2, "tileas-allocate-scratch", pipelined}, // of tensor maps
    // Loops that have not been given to agents.
    {Stage::TileAS, 2, "tileas-unspecialized-pipeline", nullptr, stageOptions},
    {Stage::TileAS, 2, "tileas-optimize-pipeline-region", optimizing},
    {Stage::TileAS, 2, "tileas-expand-pipeline-regions"},
    {Stage::TileAS, 2, "tileas-remove-buffer-alias"},
    {Stage::TileAS, 2, "tileas-remove-dead-args", optimizing},
    {Stage::TileAS, 2, "tileas-defer-products", optimizing},
    {Stage::TileAS, 2, "tileas-release-by-products", optimizing},
    // What the blocks of a cluster multiply together, and what else all of them load.
    {Stage::TileAS, 2, "tileas-plan-cta", pipelined},
    {Stage::TileAS, 2, "tileas-multicast-loads", sharesLoads},
    // What no ring takes. Behind the rings, which decide.
    {Stage::TileAS, 2, "tileas-prefetch-loads", pipelined, stageOptions},
    {Stage::TileAS, 2, "tileas-prefetch-branch-loads", pipelined, stageOptions},
    // Rings and agents have their shared memory; stores by TMA are decided.
    {Stage::TileAS, 2, "tileas-defer-store-waits", optimizingPipelined},
    // Boxes of tensor maps are final.
    {Stage::TileAS, 2, "tileas-separate-host-tma", hostTensorMaps},
    {Stage::TileAS, 2, "tileas-attach-tma-desc-args", hostTensorMaps},
    // Whatever divides loops that count has done so.
    {Stage::TileAS, 2, "tileas-take-over-blocks"},
    // The order of products and their waits is final, and its places in shared memory are still to be assigned.
    {Stage::TileAS, 2, "tileas-separate-corrections", optimizing},
    {Stage::TileAS, 2, "tileas-alloc-pipeline-barriers"},
    {Stage::TileAS, 2, "tileas-optimize-alloc-tensor"},
    // Behind the assignment of shared memory: operands are written again where that says.
    {Stage::TileAS, 2, "tileas-overlap-products", optimizing},
    {Stage::TileAS, 2, "tileas-take-turns", warpSpecialized},
    {Stage::TileAS, 2, "tileas-skip-masks", optimizing},
    {Stage::TileAS, 2, "tileas-scale-maxima", optimizing},
    {Stage::TileAS, 2, "tileas-share-exponentials", optimizing, exponentialOptions},
    {Stage::TileAS, 2, "tileas-assign-named-barriers"},
    {Stage::TileAS, 2, "tileas-insert-OCG-knobs", nullptr, knobOptions},

    {Stage::LLVM, 2, "convert-nv-tile-func-to-llvm", nullptr, signatureOptions},
    {Stage::LLVM, 2, "convert-pipeline-to-nvvm", lowersPipelines},
    {Stage::LLVM, 2, "convert-nv-tileas-to-llvm", nullptr, bodyOptions},
    {Stage::LLVM, 2, "tileas-lower-plugins", nullptr, pluginOptions},
    // What the warps of a hand-written kernel tell each other, and the tiles that a scheduler has given it.
    {Stage::LLVM, 2, "convert-cutlass-to-nvvm", nullptr, cuteOptions},
    // Numbers and addresses that a hand-written kernel has computed by layouts.
    {Stage::LLVM, 2, "convert-cute-to-llvm", nullptr, cuteOptions},

    {Stage::LLVM, 3, "tileir-guard-loop-counters"},
    {Stage::LLVM, 3, "convert-scf-to-cf"},
    {Stage::LLVM, 3, "tileir-legalize-math", nullptr, mathOptions},
    {Stage::LLVM, 3, "tileir-convert-to-nvvm", nullptr, indexOptions},
    {Stage::LLVM, 3, "tileir-record-ptx-needs"},
    // NVVM operations that are inline PTX.
    {Stage::LLVM, 3, "convert-nvvm-to-llvm"},
    {Stage::LLVM, 3, "reconcile-unrealized-casts"},
    // After functions have become llvm.func, the only place for nvvm.kernel.
    {Stage::LLVM, 3, "cute-kernel-to-nvvm"},
    {Stage::LLVM, 3, "tileir-launch-abi", nullptr, launchOptions},
    {Stage::LLVM, 3, "tileir-plain-debug-locations", withLineInfo},
    {Stage::LLVM, 3, "ensure-debug-info-scope-on-llvm-func", withLineInfo, debugScopeOptions},
    {Stage::LLVM, 3, "nv-tile-ir-convert-target-to-nvvm", nullptr, nvvmTargetOptions},
    // LLVM unifies expressions.
    {Stage::LLVM, 3, "canonicalize", optimizing, onceOptions},
};

/// A gpu.module of gpu, nvgpu, cute and the general dialects. Why this order: cute leaves loops and prints to others;
/// views of memory and vectors are taken apart while memref and vector are still there; nvgpu goes before the general
/// conversion, whose casts it shares.
const Step nvgpuSteps[] = {
    {Stage::LLVM, 3, "nvgpu-verify-target", nullptr, verifyTargetOptions},
    {Stage::LLVM, 3, "convert-cutlass-to-nvvm", nullptr, cuteOptions},
    {Stage::LLVM, 3, "convert-cute-to-llvm", nullptr, cuteOptions},
    {Stage::LLVM, 3, "tileir-lower-gpu-ops"},
    {Stage::LLVM, 3, "expand-strided-metadata"},
    {Stage::LLVM, 3, "convert-nvgpu-to-nvvm"},
    {Stage::LLVM, 3, "convert-vector-to-scf", nullptr, transferOptions},
    {Stage::LLVM, 3, "tileir-lower-vectors"},
    {Stage::LLVM, 3, "lower-affine"},
    {Stage::LLVM, 3, "convert-scf-to-cf"},
    {Stage::LLVM, 3, "tileir-legalize-math", nullptr, mathOptions},
    {Stage::LLVM, 3, "tileir-convert-to-nvvm", nullptr, hostIndexOptions},
    {Stage::LLVM, 3, "tileir-record-ptx-needs"},
    {Stage::LLVM, 3, "convert-nvvm-to-llvm"},
    {Stage::LLVM, 3, "reconcile-unrealized-casts"},
    {Stage::LLVM, 3, "tileir-plain-debug-locations", withLineInfo},
    {Stage::LLVM, 3, "ensure-debug-info-scope-on-llvm-func", withLineInfo, debugScopeOptions},
    {Stage::LLVM, 3, "canonicalize", optimizing},
    {Stage::LLVM, 3, "cse", optimizing},
};

} // namespace

/// The operation a pass wants to run on, or none.
static std::optional<std::string> anchorOf(const PassInfo &info, StringRef options) {
  OpPassManager scratch(OpPassManager::getAnyOpAnchorName());
  if (failed(info.addToPipeline(scratch, options, [](const Twine &) { return failure(); })))
    return std::nullopt;
  for (Pass &pass : scratch.getPasses())
    if (std::optional<StringRef> name = pass.getOpName())
      return name->str();
  return std::nullopt;
}

static LogicalResult addSteps(ArrayRef<Step> steps, OpPassManager &manager, const TileIRPipelineOptions &options,
                              Stage from, Stage to, function_ref<LogicalResult(const Twine &)> onError) {
  for (const Step &step : steps) {
    if (step.stage <= from || step.stage > to || step.textLevel > options.optLevel ||
        (step.when && !step.when(options)))
      continue;
    const PassInfo *info = PassInfo::lookup(step.pass);
    if (!info)
      return onError(Twine("the pass '") + step.pass + "' is not part of this build");
    std::string text = step.options ? step.options(options) : "";
    // Passes on functions or on nothing in particular run inside the gpu.module, where all code is once
    // convert-cudatile-to-tileaa has run.
    std::optional<std::string> anchor = anchorOf(*info, text);
    OpPassManager *where = &manager;
    if (anchor != "builtin.module") {
      where = &manager.nest("gpu.module");
      if (anchor && *anchor != "gpu.module")
        where = &where->nest(*anchor);
    }
    if (failed(info->addToPipeline(*where, text, onError)))
      return failure();
  }
  return success();
}

LogicalResult buildTileIRPipeline(OpPassManager &manager, const TileIRPipelineOptions &options, Stage from, Stage to,
                                  function_ref<LogicalResult(const Twine &)> onError) {
  std::string error;
  if (!lookupTarget(options.computeCapability.getValue(), &error))
    return onError("invalid or missing --compute-capability option: " + error);
  if (failed(checkPipelineOptions(options, /*ofTiles=*/true, onError)))
    return failure();
  if (failed(addSteps(steps, manager, options, from, to, onError)))
    return failure();
  return checkPassOrder(manager, onError);
}

LogicalResult buildNVGPUPipeline(OpPassManager &manager, const TileIRPipelineOptions &options,
                                 function_ref<LogicalResult(const Twine &)> onError) {
  if (failed(checkPipelineOptions(options, /*ofTiles=*/false, onError)))
    return failure();
  return addSteps(nvgpuSteps, manager, options, Stage::TileAS, Stage::LLVM, onError);
}

Stage inputStage(ModuleOp module) {
  auto ofDialect = [](Operation *op, StringRef name) { return op->getName().getDialectNamespace() == name; };
  if (llvm::any_of(*module.getBody(), [&](Operation &op) { return ofDialect(&op, "cuda_tile"); }))
    return Stage::CudaTile;
  auto has = [&](StringRef dialect) {
    return module
        .walk([&](Operation *op) { return ofDialect(op, dialect) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  };
  return has("nv_tileas") ? Stage::Layouts : has("nv_tileaa") ? Stage::TileAA : Stage::CudaTile;
}

bool isGpuModuleInput(ModuleOp module) {
  if (inputStage(module) != Stage::CudaTile)
    return false;
  bool found = false;
  for (Operation &op : *module.getBody()) {
    if (op.getName().getDialectNamespace() == "cuda_tile")
      return false;
    if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(op)) {
      // A later stage of a tile kernel says so.
      auto ofTiles = [](NamedAttribute attr) { return attr.getName().strref().starts_with("nv_tile"); };
      if (llvm::any_of(gpuModule->getAttrs(), ofTiles))
        return false;
      found = true;
    }
  }
  return found;
}

namespace {
/// What `nvgpu-to-nvvm{...}` understands.
struct NVGPUPipelineOptions : public PassPipelineOptions<NVGPUPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("sm_90a, ...; else what the module's #nvvm.target says")};
  Option<std::string> ptxVersion{*this, "ptx-version", llvm::cl::desc("8.0, ...; else as the module needs")};
  Option<int> optLevel{*this, "opt-level", llvm::cl::desc("0 leaves out clean-up"), llvm::cl::init(3)};
  Option<bool> libdevice{*this, "libdevice", llvm::cl::desc("libdevice will be linked; otherwise math is expanded"),
                         llvm::cl::init(true)};
};
} // namespace

void registerTileIRPipelines() {
  // Not PassPipelineRegistration: its builder cannot fail, and this one can.
  registerPassPipeline(
      "tileir", "From cuda_tile to the llvm dialect; opt-level selects where to stop",
      [](OpPassManager &manager, StringRef text, function_ref<LogicalResult(const Twine &)> onError) -> LogicalResult {
        TileIRPipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        return buildTileIRPipeline(manager, options, Stage::CudaTile, Stage::LLVM, onError);
      },
      [](function_ref<void(const detail::PassOptions &)> handle) { handle(TileIRPipelineOptions()); });
  registerPassPipeline(
      "nvgpu-to-nvvm", "From gpu and nvgpu in a gpu.module to the llvm dialect",
      [](OpPassManager &manager, StringRef text, function_ref<LogicalResult(const Twine &)> onError) -> LogicalResult {
        NVGPUPipelineOptions given;
        if (failed(given.parseFromString(text)))
          return failure();
        TileIRPipelineOptions options;
        options.computeCapability = given.chip.getValue();
        options.ptxVersion = given.ptxVersion.getValue();
        options.optLevel = 3;
        options.v2OptLevel = given.optLevel.getValue();
        options.cleanUp = given.optLevel > 0;
        options.libdevice = given.libdevice.getValue();
        return buildNVGPUPipeline(manager, options, onError);
      },
      [](function_ref<void(const detail::PassOptions &)> handle) { handle(NVGPUPipelineOptions()); });
}

} // namespace tileiras
