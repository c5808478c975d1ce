//===- AgentsPay.h - What agents are expected to gain -----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSPAY_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSPAY_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Why one agent that does everything is expected to be as fast; nothing if it is not. `movesRegisters`: the agent that
/// computes gets registers of the one that copies. The timing model of H200 has agents ahead, by 5 to 25 %, where two
/// warpgroups or more multiply by an asynchronous unit, TMA fills the rings, and as much is under way as bandwidth
/// times latency asks for (docs/scheduler.md); smaller kernels lose by the warps and the tensor maps.
StringRef whyOneAgentIsAsFast(nv_tileaa::FuncOp func, ArrayRef<CreatePipelineOp> rings, bool movesRegisters);

/// Whether loops that empty other rings come between two fillings of the ring: one stage is filled in time.
bool isFilledSeldom(CreatePipelineOp ring);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSPAY_H
