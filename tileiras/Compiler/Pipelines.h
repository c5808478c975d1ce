//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The named pipeline `tileir{...}`: the order of the passes, as data.
//
// The order is one table in Pipelines.cpp. A pass is named there as on the
// command line and found through MLIR's pass registry, so this library knows
// no conversion by its C++ name and a table row is a line of --pass-pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PIPELINES_H
#define TILEIRAS_COMPILER_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "tileiras/Compiler/Compiler.h"

namespace tileiras {

/// Names and defaults are those of the reference tool's textual pipeline; the driver's default opt-level is 3.
struct TileIRPipelineOptions : public mlir::PassPipelineOptions<TileIRPipelineOptions> {
  Option<std::string> computeCapability{*this, "compute-capability",
                                        llvm::cl::desc("GPU target: sm_90, sm_100a, 90, ...")};
  Option<int> optLevel{*this, "opt-level",
                       llvm::cl::desc("0 verifies only, 1 stops at nv_tileaa, 2 after the LLVM conversion of tiles, 3 "
                                      "goes to the end"),
                       llvm::cl::init(2)};
  Option<int> v2OptLevel{*this, "v2-opt-level",
                         llvm::cl::desc("effort of clean-up and scheduling, 0 to 3; 0 takes opt-level"),
                         llvm::cl::init(0)};
  Option<int> numWarps{*this, "num-warps", llvm::cl::desc("warps per block; 0: by the size of the kernel's tiles"),
                       llvm::cl::init(0)};
  Option<int> numCtas{*this, "num-ctas", llvm::cl::desc("blocks per tile block (cluster size)"), llvm::cl::init(1)};
  Option<std::string> pipelineStrategy{
      *this, "pipeline-strategy",
      llvm::cl::desc("none, unspecialize, warp-specialize, or auto: whichever is expected to be faster"),
      llvm::cl::init("none")};
  Option<int> numStages{*this, "unspecialized-pipeline-num-stages", llvm::cl::desc("ring stages of a pipelined loop"),
                        llvm::cl::init(4)};
  Option<bool> dynamicPersistent{*this, "dynamic-persistent", llvm::cl::desc("persistent kernels by work stealing"),
                                 llvm::cl::init(false)};
  Option<std::string> emitLineInfo{
      *this, "emit-line-info", llvm::cl::desc("none, FromInput, Frontend or TileasBoundary"), llvm::cl::init("none")};
  Option<std::string> scheduleTraceFile{*this, "schedule-trace-file", llvm::cl::desc("scheduler trace as Chrome JSON"),
                                        llvm::cl::init("")};
  Option<std::string> dumpHost{*this, "dump-host", llvm::cl::desc("file for the host module"), llvm::cl::init("")};
  Option<std::string> hostTriple{*this, "host-triple", llvm::cl::desc("triple of the host module"),
                                 llvm::cl::init("native")};
  Option<int> rrtSizeThreshold{*this, "rrt-size-threshold",
                               llvm::cl::desc("largest resource reservation table the scheduler may build"),
                               llvm::cl::init(4096)};
  Option<int> maxConstraintIterations{*this, "max-constraint-iterations",
                                      llvm::cl::desc("rounds of schedule constraint refinement"), llvm::cl::init(10)};
  Option<bool> approx{*this, "approx", llvm::cl::desc("allow approximate division and roots"), llvm::cl::init(false)};
  Option<bool> ftz{*this, "ftz", llvm::cl::desc("flush subnormal f32 to zero"), llvm::cl::init(false)};
  Option<int> indexBitwidth{*this, "index-bitwidth", llvm::cl::desc("bits of index; 0 takes the host word"),
                            llvm::cl::init(32)};
  Option<bool> enableRandomDelay{*this, "enable-random-delay",
                                 llvm::cl::desc("insert random delays to shake out races"), llvm::cl::init(false)};
  Option<bool> enableDebugLogging{*this, "enable-debug-logging", llvm::cl::desc("log pass decisions"),
                                  llvm::cl::init(false)};
  Option<bool> useNvGpuComp{*this, "use-nvgpucomp-libnvvm", llvm::cl::desc("recorded in the NVVM target"),
                            llvm::cl::init(false)};
  // Our own.
  Option<bool> cleanUp{
      *this, "clean-up",
      llvm::cl::desc("canonicalize and merge equal operations between the steps; the driver's -O0 does not"),
      llvm::cl::init(true)};
  Option<bool> deviceDebug{*this, "device-debug", llvm::cl::desc("keep variables for a debugger"),
                           llvm::cl::init(false)};
  Option<bool> libdevice{*this, "libdevice", llvm::cl::desc("libdevice will be linked; otherwise math is expanded"),
                         llvm::cl::init(true)};
  Option<std::string> persistentBlocks{
      *this, "persistent-blocks",
      llvm::cl::desc("without dynamic-persistent, whether blocks divide the tile blocks all the same: never, or auto: "
                     "with pipeline-strategy=auto, where that is expected to be faster; take-over: as with "
                     "dynamic-persistent, and blocks take over tile blocks that have not started in agents, too"),
      llvm::cl::init("auto")};
  Option<std::string> turns{
      *this, "turns",
      llvm::cl::desc(
          "whether two warpgroups that compute issue the products of a loop in turns: always, never, or auto: "
          "as the matrix unit serves them; tile-blocks: of a persistent kernel of four warps two agents have every "
          "other tile block each, one multiplies while the other one stores, which auto chooses, too, where that is "
          "expected to be faster"),
      llvm::cl::init("auto")};
  Option<std::string> clusterLoads{
      *this, "cluster-loads",
      llvm::cl::desc("auto: what all blocks of a cluster need is loaded once; own: each block loads it"),
      llvm::cl::init("auto")};
  Option<int> tileRoom{
      *this, "tile-room",
      llvm::cl::desc("words of tiles a block can hold before they are sliced; 0: by the register file"),
      llvm::cl::init(0)};
  Option<bool> tightTiles{
      *this, "tight-tiles",
      llvm::cl::desc("tiles that may have room in registers stay whole, whether ptxas spills them or not; a cubin is "
                     "made with and, if it spills, without (false)"),
      llvm::cl::init(false)};
  Option<std::string> fp8Sums{
      *this, "fp8-sums",
      llvm::cl::desc("f32 sums of 8-bit floats without fast_acc on sm_90: promoted (the unit's own, added up in f32 "
                     "every 128 of k) or exact (multiplied as f16)"),
      llvm::cl::init("promoted")};
  Option<std::string> exponentials{
      *this, "exponentials",
      llvm::cl::desc(
          "auto: where special functions hold a loop back, multiply-adds compute a part of its powers of two; "
          "special: special functions compute all"),
      llvm::cl::init("auto")};
  Option<bool> dynamicShared{*this, "dynamic-shared", llvm::cl::desc("shared memory may exceed a static array"),
                             llvm::cl::init(false)};
  Option<std::string> launchAbi{*this, "launch-abi", llvm::cl::desc("reqntid, blocksareclusters or simt"),
                                llvm::cl::init("reqntid")};
  Option<std::string> tmaDescriptors{*this, "tma-descriptors",
                                     llvm::cl::desc("device: kernels make tensor maps; host: they are parameters"),
                                     llvm::cl::init("device")};
  Option<bool> skipPipeline{
      *this, "skip-pipeline",
      llvm::cl::desc("leave operations of pipelines as they are (to look at what is before them)"),
      llvm::cl::init(false)};
  Option<bool> ocgKnobs{*this, "ocg-knobs", llvm::cl::desc("write directives for NVIDIA's assembler to the PTX"),
                        llvm::cl::init(false)};
  Option<std::string> pdlFiles{
      *this, "pdl-files",
      llvm::cl::desc("files with PDL patterns for what no pattern of the conversions to LLVM takes, with commas")};
  Option<std::string> ptxVersion{*this, "ptx-version",
                                 llvm::cl::desc("8.0, ...: what nvgpu operations may need; empty: as they need")};

  /// How hard to try, 0 to 3. `v2-opt-level=0` is "as opt-level", so that 0 has a name of its own.
  int effort() const { return !cleanUp ? 0 : v2OptLevel ? v2OptLevel : optLevel; }
};

/// Refuses values that are none, and values that ask for something which is not implemented yet, by the option's name.
/// `ofTiles`: the module's operations are those of tiles, not of gpu and nvgpu.
mlir::LogicalResult checkPipelineOptions(const TileIRPipelineOptions &options, bool ofTiles,
                                         llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

/// Adds the passes that lead from stage `from` (exclusive) to stage `to` (inclusive, at most Stage::LLVM).
mlir::LogicalResult buildTileIRPipeline(mlir::OpPassManager &manager, const TileIRPipelineOptions &options, Stage from,
                                        Stage to, llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

/// The stage a module is in: Stage::CudaTile, Stage::TileAA if it has operations of nv_tileaa, Stage::Layouts if it has
/// some of nv_tileas.
Stage inputStage(mlir::ModuleOp module);

/// Whether the module is not of tiles: a gpu.module that somebody wrote in gpu, nvgpu, memref, ...
bool isGpuModuleInput(mlir::ModuleOp module);

/// For such a module: adds the passes that lead to Stage::LLVM.
mlir::LogicalResult buildNVGPUPipeline(mlir::OpPassManager &manager, const TileIRPipelineOptions &options,
                                       llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

/// Makes `tileir{...}` and `nvgpu-to-nvvm{...}` known to --pass-pipeline.
void registerTileIRPipelines();

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PIPELINES_H
