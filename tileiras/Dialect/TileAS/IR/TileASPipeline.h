//===- TileASPipeline.h - Agents and asynchronous pipelines -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The operations nv_tileas.async.pipeline.*. A header of their own: few files know them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINE_H
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINE_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {
/// Operations that make mbarriers in the bytes of a shared tile, their first operand: nothing else may ever be there
/// (PTX ISA, "mbarrier").
template <typename Op> class MakesMbarriers : public OpTrait::TraitBase<Op, MakesMbarriers> {};
} // namespace mlir::nv_tileas

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASPipelineOps.h.inc"

namespace mlir::nv_tileas {

// Attributes of pipelined code, by their contract names (seed 004).

/// i32, on the operations of a loop: how many iterations later than stage 0 they are going to run.
/// tileas-materialize-async writes it, tileas-unspecialized-pipeline does it and takes it away.
inline constexpr llvm::StringLiteral kPipelineStageAttr = "pipeline_stage";
/// String, on producer_write: "async_copy" (cp.async), "tma" or "sync" (through registers).
inline constexpr llvm::StringLiteral kProducerKindAttr = "producer_kind";
/// Unit, on loops that tileas-materialize-async leaves as they are.
inline constexpr llvm::StringLiteral kNotPipelinedAttr = "tileas.not_pipelined";

/// i32, on create_pipeline: rings of one stage with the same number have one place in shared memory, which they fill
/// in turns.
inline constexpr llvm::StringLiteral kSharedPlaceAttr = "nv_tileas.shared_place";
/// Unit, on loads: of tiles for which there is no room one beside the other, so that they are to take turns.
inline constexpr llvm::StringLiteral kTakesTurnsAttr = "nv_tileas.takes_turns";

/// The number of the place that a ring shares with others; nothing if it has places of its own.
inline std::optional<int64_t> getSharedPlace(CreatePipelineOp ring) {
  auto turns = ring ? ring->getAttrOfType<IntegerAttr>(kSharedPlaceAttr) : IntegerAttr();
  return turns ? std::optional(turns.getInt()) : std::nullopt;
}

/// The agent_switch around `op` inside the same function, if there is one.
inline AgentSwitchOp getAgentSwitch(Operation *op) { return op->getParentOfType<AgentSwitchOp>(); }

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINE_H
