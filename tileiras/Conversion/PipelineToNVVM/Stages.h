//===- Stages.h - Barriers and tiles of a ring's stages ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the barriers and the tiles of a stage are, how threads wait for a barrier and how they arrive there: what the
// patterns of PipelineToNVVM.cpp are made of. Offsets are bytes from the beginning of global_smem.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_STAGES_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_STAGES_H

#include "tileiras/Conversion/PipelineToNVVM/Rings.h"
#include "tileiras/Conversion/PipelineToNVVM/StagePlaces.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"

namespace tileiras {

/// The address of a place in global_smem. An alloc_tensor that has its offset is a constant; made anew wherever it is
/// needed, it crosses no edge of an agent.
mlir::Value sharedAddress(mlir::tilellvm::Emitter &e, mlir::RankedTensorType type, int64_t offset);

/// A token: i32 each, and for tokens of consumers, where rings have a barrier for the release of no
/// stage, where the stage's barriers are, so that a loop that releases a round later does not compute it again.
struct Stage {
  Stage(mlir::ValueRange words)
      : number(words[0]), parity(words[1]), barriers(words.size() > 2 ? words[2] : mlir::Value()) {}
  mlir::Value number, parity, barriers;
};

/// Where an iterator is. Its two words are the stage and the parity, or, of a ring whose number of stages is a power of
/// two (countsFillings), the number of the filling and nothing: its last bits are the stage, the next one is the
/// parity, which takes less to count and to carry than two numbers that wrap around.
Stage stageOf(mlir::tilellvm::Emitter &e, mlir::ValueRange iterator, int64_t stages);

/// Where the barriers of a ring begin, as a word in a register of its own. Of an address that LLVM can compute, it
/// would keep the constant for the instruction, where it has no room: SYNCS takes small offsets only, so that ptxas
/// adds the constant for each barrier of each round. Not in agents: those that multiply have no register to spare.
mlir::Value holdBarriers(mlir::tilellvm::Emitter &e, const Ring &ring);

/// Where the barriers of a stage are in shared memory, as a word: full and empty, one behind the other.
mlir::Value barriersOf(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at);
Barrier barrierOf(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at, bool full);

/// The tile of element `number` in the stage.
mlir::Value stageTile(mlir::tilellvm::Emitter &e, const Ring &ring, unsigned number, Stage at);

/// The place so many fillings before `at`, fewer than there are stages.
Stage placeBefore(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at, int32_t ago);

/// Spins until the phase with `parity` has completed (spinOn, as the target of the module can).
void wait(mlir::tilellvm::Emitter &e, const Barrier &barrier, mlir::Value parity, bool ofCluster = false);
void waitUntilEmpty(mlir::tilellvm::Emitter &e, const Ring &ring, Stage at);

/// Whether this is the first lane of its warp: a predicate that is made where the kernel or the agent begins. LLVM
/// would put a comparison of its own back into the loops that use it (CodeGenPrepare), and leave assembly there.
mlir::Value isFirstLane(mlir::tilellvm::Emitter &e);

/// Who uses the ring meets: the block, or the cluster.
void meet(mlir::tilellvm::Emitter &e, const Ring &ring);

/// All threads of the producer have waited for their copies but those of the last `pending` groups; what they wrote is
/// there for matrix units, too.
void meetBehindCopies(mlir::tilellvm::Emitter &e, int32_t pending);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_STAGES_H
