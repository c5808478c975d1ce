//===- ScheduleAnalysis.h - The schedules of a function's loops -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What tileas-generate-schedule publishes and tileas-materialize-schedule consumes. The first changes nothing, the
// second invents nothing, and nothing runs in between: the analysis is dropped by whatever does not say that it keeps
// it, and knows the function it was made of (`isOf`).
//
// How a loop becomes a graph (tileiras/Schedule): its nodes are the operations of the body and those inside of
// consumer_read; a producer_write is one. Edges are SSA values, in the same iteration and through the loop's iteration
// arguments (distance 1); the ring's stages (write -> wait after the copies' latency; release -> acquire, as many
// iterations later as the ring has stages); and program order among what else has effects.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCHEDULEANALYSIS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCHEDULEANALYSIS_H

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/AnalysisManager.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Schedule/AgentPartition.h"
#include "tileiras/Schedule/ModuloScheduler.h"

namespace mlir::nv_tileas {
/// Unit, on arithmetic of a loop (tileas-prepare-for-scheduling): it is done right before its only user, whose node of
/// the schedule it shares where both need the same unit.
inline constexpr llvm::StringLiteral kSliceAndFuseAttr = "nv_tileas.slice_and_fuse";
} // namespace mlir::nv_tileas

// The analysis has the name that the reference tool keys it by.
namespace mlir::nv_tile_ir::as::schedule_utils {

/// A value that agents share, one side of it after the other.
struct SharedValue {
  /// "Pipe_<n>": a ring, whose producer may be `slack` stages ahead. "Mutex_<n>": the matrix unit, which one of two
  /// warpgroups has at a time; a named barrier says that it is the turn of the n-th.
  std::string name;
  Operation *op; ///< the create_pipeline; for a mutex the first product of a round
  int depth = 1, slack = 0;
  SmallVector<unsigned, 4> tiles; ///< of a ring's stages, by number: those that are read together (RingStreams.h)
};

/// The loop's operations as a graph, and their schedule.
struct LoopSchedule {
  nv_tileaa::CountedLoop loop;
  tileiras::schedule::DependenceGraph graph;
  SmallVector<Operation *> ops;                   ///< by node
  SmallVector<std::pair<Operation *, int>> fused; ///< what shares the node of its user
  int cyclesPerUnit = 1;                          ///< of the graph's cycles
  tileiras::schedule::Schedule schedule;
  std::vector<tileiras::schedule::Agent> agents;
  std::vector<tileiras::schedule::TraceEvent> tried; ///< only if a trace was asked for
  int64_t iterations = 0;                            ///< trip count; 0: not known
  SmallVector<SharedValue> pipes, mutexes;

  int64_t totalWork() const { return schedule.totalWork; }
  /// stages > work per iteration * 0.6, the division of integers first: two agents that compute keep each other busy.
  bool wantsTwoAgents() const;
};

class ScheduleAnalysis {
public:
  explicit ScheduleAnalysis(Operation *function) : function(function) {}

  /// Makes the schedules of all loops with rings. Fails with a diagnostic.
  LogicalResult generate(const tileiras::schedule::SchedulerOptions &options, bool withTrace);

  bool isPublished() const { return fingerprint.has_value(); }
  /// Whether the function is as it was when the schedules were made.
  bool isOf(Operation *op) const { return fingerprint && op == function && OperationFingerPrint(op) == *fingerprint; }
  tileiras::schedule::Kind kind() const { return options.kind; }
  int computeCapability() const { return options.computeCapability; }
  MutableArrayRef<LoopSchedule> loops() { return schedules; }

private:
  Operation *function;
  std::optional<OperationFingerPrint> fingerprint;
  tileiras::schedule::SchedulerOptions options;
  std::vector<LoopSchedule> schedules;
};

} // namespace mlir::nv_tile_ir::as::schedule_utils

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SCHEDULEANALYSIS_H
