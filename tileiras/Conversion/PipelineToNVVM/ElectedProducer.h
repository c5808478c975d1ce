//===- ElectedProducer.h - Producers that are one thread --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An agent that fills rings by tensor copies alone needs one thread, which runs its loops; the others go to their end.
//
//     agent { for k { acquire, write { tma load }, commit } }
//  -> agent { if elected { for k { acquire, write { tma load }, commit } } }
//
// So nobody is elected in every round, and the loop has one wait, one announcement of bytes and the copies in it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_ELECTEDPRODUCER_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_ELECTEDPRODUCER_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras {

/// Gives the blocks of agents that do nothing but fill rings by tensor copies to an elected thread; marks their
/// producer_writes with `nv_tileas.elected` (TileASToLLVM/Tma.h).
void electProducers(mlir::Operation *func);

/// When the threads that fill a stage by cp.async arrive for it: some rounds later, when its copies have had time.
struct LaggingArrival {
  int32_t rounds = 0;
  mlir::Value begun; ///< i1: the loop has had as many rounds
};

/// In rings that tensor copies fill elsewhere, the loops that fill them by cp.async instead wait for the copies of an
/// earlier round and arrive for its stage; behind the loop they arrive for the rest. Two stages less than the ring has
/// lie between: a consumer gives a stage back when the next one is full. Returns the writes of such loops.
llvm::DenseMap<mlir::Operation *, LaggingArrival> lagArrivals(mlir::Operation *func);

/// Whether threads, and not only matrix units, read the stage in the region of `read`.
bool isReadByThreads(mlir::nv_tileas::ConsumerReadOp read);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_ELECTEDPRODUCER_H
