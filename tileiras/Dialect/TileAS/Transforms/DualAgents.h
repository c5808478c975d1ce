//===- DualAgents.h - One computing agent as two ----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An agent of eight warps that computes becomes a team of two agents of four (dual SIMT, seed 004):
//
//     agents {8, 4}: { wait %p; read; ... }   ->   agents {4, 4, 4}, team [0, 4, 0]:
//                    { acquire, write, commit }      { wait %p {consumer_idx = 0}; read; ... }
//                                                    { wait %p {consumer_idx = 1}; read; ... }
//                                                    { acquire, write, commit }
//
// Both run the same code on the same tiles, whose layouts go on counting eight warps; each has the part of its own
// warps, four of them, its own place in the ring and its own barrier (kTeamAttr). So warps of different agents may not
// hand elements to each other. Where a tile goes through shared memory to another layout, that layout is turned until
// the same half of the warps has the same half of the tile on both sides:
//
//     register = [..., [64, 0]], warp = [[1, 0], [2, 0], [4, 0]]   ->   register = [..., [4, 0]], warp = [[1, 0], [2,
//     0], [64, 0]]
//
// Where that cannot be done, and for factors of products that both read whole, they meet (named barrier 15) when the
// tile has been written, if that happens once, outside of loops; else the agent stays one. Shared tiles that products
// read or that they meet for are made once, for both; all others each agent has for itself, those behind the loops in
// the bytes of the rings, when both have met there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DUALAGENTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DUALAGENTS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Divides the first agent into two; `agents` becomes the new operation. Returns why that is not possible, or nothing;
/// in the first case the function may have been changed in part.
StringRef divideComputing(AgentSwitchOp &agents);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_DUALAGENTS_H
