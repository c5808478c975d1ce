//===- GenerateSchedule.cpp - tileas-generate-schedule --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes schedules of the loops that have rings and publishes them as ScheduleAnalysis; changes nothing. With a trace
// file, what was tried and what came out of it is written for chrome://tracing.
//
//===----------------------------------------------------------------------===//

#include "mlir/Support/FileUtilities.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ScheduleAnalysis.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Schedule/Trace.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_GENERATESCHEDULEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tile_ir::as::schedule_utils::LoopSchedule;
using nv_tile_ir::as::schedule_utils::ScheduleAnalysis;
namespace schedule = tileiras::schedule;
namespace remarks = tileiras::remarks;

namespace {

struct GenerateSchedulePass : nv_tileas::impl::GenerateSchedulePassBase<GenerateSchedulePass> {
  using GenerateSchedulePassBase::GenerateSchedulePassBase;

  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    FailureOr<int64_t> capability = nv_tileaa::getComputeCapability(func);
    if (failed(capability)) {
      func.emitOpError("failed to get compute capability");
      return signalPassFailure();
    }
    std::optional<schedule::Kind> parsed = schedule::parseKind(kind);
    if (!parsed) {
      func.emitOpError("expects a kind of schedule that there is, got '") << kind << "'";
      return signalPassFailure();
    }
    schedule::SchedulerOptions options;
    options.kind = *parsed;
    options.computeCapability = int(*capability);
    options.rrtSizeThreshold = int(rrtSizeThreshold);
    options.maxConstraintIterations = int(maxConstraintIterations);
    auto &analysis = getAnalysis<ScheduleAnalysis>();
    if (failed(analysis.generate(options, !traceFile.empty())))
      return signalPassFailure();
    for (LoopSchedule &loop : analysis.loops())
      report(loop);
    if (!traceFile.empty() && !analysis.loops().empty() && failed(writeTrace(analysis)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static void report(const LoopSchedule &loop) {
    const schedule::Schedule &its = loop.schedule;
    remarks::analysis(loop.loop, remarks::kSchedule, "Schedule")
        << remarks::figure("Kind", schedule::toString(its.kind))
        << remarks::figure("Interval", its.interval * loop.cyclesPerUnit)
        << remarks::figure("Bound", its.minimumInterval * loop.cyclesPerUnit)
        << remarks::figure("Stages", its.stageCount) << remarks::figure("Agents", loop.agents.size())
        << remarks::because(its.interval == its.minimumInterval  ? "no shorter interval is possible"
                            : its.kind == schedule::Kind::Serial ? "one iteration after the other"
                                                                 : "no shorter interval was found");
  }

  /// Kernels of one module write files of their own: what follows the first is told apart by the kernel's name.
  LogicalResult writeTrace(ScheduleAnalysis &analysis) {
    nv_tileaa::FuncOp func = getOperation();
    SmallString<128> path(traceFile);
    bool alone = true;
    if (auto module = func->getParentOfType<gpu::GPUModuleOp>())
      alone = llvm::hasSingleElement(module.getOps<nv_tileaa::FuncOp>());
    if (!alone) {
      std::string extension = llvm::sys::path::extension(path).str();
      llvm::sys::path::replace_extension(path, "");
      path += ("-" + func.getName() + extension).str();
    }
    std::vector<schedule::TracedLoop> loops;
    for (LoopSchedule &loop : analysis.loops())
      loops.push_back(
          {func.getName().str() + ", loop " + std::to_string(loops.size()), &loop.graph, &loop.schedule, &loop.tried});
    std::string error;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
    if (!file)
      return func.emitError("cannot write the trace of schedules: ") << error;
    file->os() << schedule::chromeTrace(loops);
    file->keep();
    return success();
  }
};

} // namespace
