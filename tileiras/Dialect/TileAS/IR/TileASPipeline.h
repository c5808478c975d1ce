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

/// The agent_switch around `op` inside the same function, if there is one.
inline AgentSwitchOp getAgentSwitch(Operation *op) { return op->getParentOfType<AgentSwitchOp>(); }

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINE_H
