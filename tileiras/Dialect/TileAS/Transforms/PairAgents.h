//===- PairAgents.h - Products of two blocks in agents ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Agents of two blocks that multiply together (PairProducts.h): each block has all of them, and runs
//
//     the agent that fills rings        in both blocks; its copies complete on the even block's mbarriers
//     the agent that multiplies         in the even block alone; it releases stages and commits sums in both blocks
//     the agent that reads the sums     in both blocks; it releases them to the even one
//
// So the ring of the sums is one of the pair, too. Before a block ends it has seen all releases of its stages: the
// agent that fills them waits for the last ones, which no other filling waits for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRAGENTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRAGENTS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {

class PairAgents {
public:
  /// Why a product is not one of two blocks, or nothing; likewise a ring of factors. Both are in agents.
  std::string checkProduct(DotOp dot);
  std::string checkRing(CreatePipelineOp ring);

  /// Of the rings that have passed.
  void apply();

private:
  struct Filler {
    CreatePipelineOp ring;
    Value last; ///< iterator of the agent that fills it, behind all of its loops
  };
  AgentSwitchOp agents;
  int number = -1; ///< of the agent that multiplies
  llvm::SetVector<CreatePipelineOp> sums;
  SmallVector<Filler> fillers;
};

/// Blocks of a cluster meet before they store what others may still load. Where they would in a loop, which agents go
/// through at their own pace, the ring of the sums says as much: a stage of it is full when the products of all blocks
/// are done, which have all been loaded then. Returns why that is not so, or nothing: then nobody meets there.
StringRef orderBlocksBySums(AgentSwitchOp agents);

/// Whether all products of a kernel are going to be those of two blocks, as far as that is known of loops whose rings
/// nobody has given to agents or to TMA, and a multiprocessor has no room for two blocks with such rings. Then nothing
/// but agents has copies and products go on beside what one of them waits for.
bool fillsMultiprocessorInPairs(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRAGENTS_H
