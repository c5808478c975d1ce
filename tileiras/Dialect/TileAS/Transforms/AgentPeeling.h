//===- AgentPeeling.h - Iterations of an agent overlap ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Agents run the same loops as far apart as the rings between them allow. What is left of a schedule is how the
// operations of one agent overlap: by their stages, counted from the agent's first one (seed 004, "Peel-Piece
// Emission"); operations before its first product and behind its last one have the stages of these. With the stages 0
// for x and 1 for y
//
//     for i { x(i); y(i) }      ->      if there is an iteration {
//                                         x(first)                                  prologue
//                                         for i but the first { y(i - 1); x(i) }    steady state
//                                         y(last)                                   epilogue
//                                       }
//
// In general S stages: iterations overlap S deep, the prologue begins S - 1 of them, the epilogue ends as many, and the
// loop has N - (S - 1) rounds; a loop that may have fewer iterations is there unpeeled, too. In a round the operations
// of earlier iterations come first, so everything with effects happens in the order that it had. Values go from stage
// to stage as iteration arguments. A stage of a ring is read once for each of the agent's stages that uses it, and held
// until the last one has.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTPEELING_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTPEELING_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Peels the loops of agents whose products the schedule (kStageAttr) puts into different stages. What cannot be peeled
/// (counters that do not begin at a constant or step by one, effects that would change places, rings that are not deep
/// enough) stays as it is. Returns how many loops were peeled.
unsigned peelWithinAgents(AgentSwitchOp agents);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTPEELING_H
