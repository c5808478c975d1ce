//===- AddRingRounds.h - Tiles behind a loop in the loop's ring -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that an agent copies before a loop and multiplies behind it, as tileas-rotate-products leaves the last right
// factor of attention, is one more round of the loop's ring if that has stages of its kind:
//
//     agent_switch {                                   agent_switch {
//       %tile = alloc_tensor
//       copy view[%last] into %tile
//       for { wait, products, release }                  for { wait, products, release }
//       async.wait                                       wait, products of %tile's stage, release
//       products of %tile
//     }, {                                             }, {
//       for { acquire, write { copy, copy }, commit }    for { acquire, write { copy, copy }, commit }
//                                                        acquire, write { copy view[%last] }, commit
//     }                                                }
//
// It needs no shared memory of its own then, is copied by TMA if the loop's tiles are, and does not stand before the
// first of these. The stage is filled as far ahead as any other. Both tiles of a product are one round, if a stage has
// places for both; other tiles of the stage are not written in this round and not read.
//
// The agent that fills the ring has to know which tile it is: indices, and whether there is anything to read, come from
// outside of the agents, or it computes them, too. Where loops over tile blocks stand around that, it cannot, and
// nothing is changed.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRINGROUNDS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRINGROUNDS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

struct RingRounds {
  unsigned added = 0;  ///< tiles that are a round of a ring now
  llvm::StringRef why; ///< why one of them is not; empty if there is none
};

/// Does so for the tiles of the agents. The ring has to be filled and read by one agent each, in loops that follow each
/// other.
RingRounds addRingRounds(AgentSwitchOp agents);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ADDRINGROUNDS_H
