//===- AgentLikeOpInterface.h - Operations that say who runs their code -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_H
#define TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"

#include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.h.inc"

namespace mlir::nv_tileas {

/// Makes kernels agents: nv_tileaa.func by its kernel_spec, func.func (which it becomes on the way to LLVM) by the
/// block size it requires. Called once, when the dialect is loaded.
void attachKernelAgents(MLIRContext &context);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_H
