//===- AlternateTiles.h - Every other tile block for an agent ---*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An agent of four warps that computes one tile block after the other becomes two, each of which computes every other
// one, so that one multiplies while the other one stores its sums (CUTLASS's "pingpong"):
//
//     agents {4, 4}: { for t in (first, end, step) { for k { wait %p; read; release };  store } }
//                    { for t in (first, end, step) { for k { acquire, write, commit } } }
//
//     agents {4, 4, 4}:
//       { %i0 = create_iterator %p
//         for t in (first, end, 2 * step) { for k { wait %p; read; release };  inc_iter by K;  store } }
//       { %i0 = inc_iter (create_iterator %p) by K
//         for t in (first + step, end, 2 * step) { for k { wait %p {consumer_idx = 1}; ... };  inc_iter by K;  store }
//         }
//       { the agent that copies: as before }
//
// One ring has the factors of all tile blocks; of each filling one of the two is the consumer (kInTurnAttr), which the
// other one passes over: K, the rounds of a loop over k, is the same for all tile blocks. Waits tell two phases of a
// barrier from each other, not three (PTX ISA, "mbarrier.test_wait"), so nobody may wait for a filling while the one
// before it in the same stage has not been waited for. Turns see to that (kTileTurnsAttr, TakeTurns.cpp): each agent
// has the loop over k to itself, and hands the turn on when its last wait is behind it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALTERNATETILES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALTERNATETILES_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Unit, on kernels: two agents of four warps are to have every other tile block (tileas-choose-turns). Slices, blocks
/// that divide the tile blocks, and agents go by it.
inline constexpr llvm::StringLiteral kAlternatesAttr = "nv_tileas.alternates";

/// The words of the sums, if the kernel has one product in a loop and nothing is done to its sums but what takes them
/// element by element, and so their registers; otherwise nothing. Before tiles have layouts.
std::optional<int64_t> wordsOfSumsInPlace(nv_tileaa::FuncOp func);

/// Makes two of the first agent. `turns`: the named barriers of their turns. Returns why that is not possible, or
/// nothing; in the first case the function may have been changed in part.
StringRef alternateTiles(AgentSwitchOp &agents, ArrayRef<int32_t> turns);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALTERNATETILES_H
