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

/// The agent_switch around `op` inside the same function, if there is one.
inline AgentSwitchOp getAgentSwitch(Operation *op) { return op->getParentOfType<AgentSwitchOp>(); }

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINE_H
