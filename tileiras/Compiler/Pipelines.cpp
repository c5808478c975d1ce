//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"
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

bool optimizing(const Options &o) { return o.effort() >= 1; }
bool withLineInfo(const Options &o) { return o.emitLineInfo != "none" || o.deviceDebug; }

std::string targetOptions(const Options &o) {
  return "compute-capability=" + o.computeCapability + " num-warps=" + std::to_string(o.numWarps) +
         " num-ctas=" + std::to_string(o.numCtas);
}
std::string nvvmTargetOptions(const Options &o) {
  return "opt-level=" + std::to_string(o.effort()) + " device-debug=" + (o.deviceDebug ? "true" : "false") +
         " use-nvgpucomp=" + (o.useNvGpuComp ? "true" : "false");
}
std::string mathOptions(const Options &o) { return std::string("libdevice=") + (o.libdevice ? "true" : "false"); }
std::string indexOptions(const Options &o) { return "index-bitwidth=" + std::to_string(o.indexBitwidth); }
std::string bodyOptions(const Options &o) {
  return mathOptions(o) + " " + indexOptions(o) + " dynamic-shared=" + (o.dynamicShared ? "true" : "false");
}
std::string launchOptions(const Options &o) {
  return "abi=" + o.launchAbi + " compute-capability=" + o.computeCapability;
}
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
    {Stage::TileAA, 1, "cse", optimizing},

    {Stage::TileAS, 2, "convert-tileaa-to-tileas"},
    {Stage::TileAS, 2, "tileas-assign-dot-layouts"},
    {Stage::TileAS, 2, "tileas-assign-load-store-layouts"},
    {Stage::TileAS, 2, "tileas-remove-layout-conversions", optimizing},
    {Stage::TileAS, 2, "canonicalize", optimizing},
    {Stage::TileAS, 2, "cse", optimizing},
    {Stage::TileAS, 2, "tileas-legalize-reduce"},
    {Stage::TileAS, 2, "tileas-materialize-convert-layout"},
    {Stage::TileAS, 2, "tileas-optimize-alloc-tensor"},

    {Stage::LLVM, 2, "convert-nv-tile-func-to-llvm"},
    {Stage::LLVM, 2, "convert-nv-tileas-to-llvm", nullptr, bodyOptions},

    {Stage::LLVM, 3, "convert-scf-to-cf"},
    {Stage::LLVM, 3, "tileir-legalize-math", nullptr, mathOptions},
    {Stage::LLVM, 3, "tileir-convert-to-nvvm", nullptr, indexOptions},
    // NVVM operations that are inline PTX.
    {Stage::LLVM, 3, "convert-nvvm-to-llvm"},
    {Stage::LLVM, 3, "reconcile-unrealized-casts"},
    // After functions have become llvm.func, the only place for nvvm.kernel.
    {Stage::LLVM, 3, "cute-kernel-to-nvvm"},
    {Stage::LLVM, 3, "tileir-launch-abi", nullptr, launchOptions},
    {Stage::LLVM, 3, "ensure-debug-info-scope-on-llvm-func", withLineInfo, debugScopeOptions},
    {Stage::LLVM, 3, "nv-tile-ir-convert-target-to-nvvm", nullptr, nvvmTargetOptions},
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

LogicalResult buildTileIRPipeline(OpPassManager &manager, const TileIRPipelineOptions &options, Stage from, Stage to,
                                  function_ref<LogicalResult(const Twine &)> onError) {
  std::string error;
  if (!lookupTarget(options.computeCapability.getValue(), &error))
    return onError("invalid or missing --compute-capability option: " + error);
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
}

} // namespace tileiras
