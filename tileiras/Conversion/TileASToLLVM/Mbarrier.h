//===- Mbarrier.h - Waiting for and arriving at mbarriers -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the lowerings of nv_tileas' pipelines (PipelineToNVVM) and of cutlass (CutlassToNVVM) are made of. Stages are
// filled round by round: a place is the number of a stage and the parity of its round.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_MBARRIER_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_MBARRIER_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"

namespace tileiras {

/// Of one mbarrier.
inline constexpr int64_t kBarrierBytes = 8;

/// A barrier, at a constant distance from an address that all barriers of a stage have in common.
struct Barrier {
  mlir::Value stage; ///< pointer to shared memory
  int64_t offset;

  /// As assembly names it, if `stage` is operand $`number`. LLVM would not put the constant into the instruction.
  std::string text(int number) const { return "[$" + std::to_string(number) + "+" + std::to_string(offset) + "]"; }
  mlir::Value address(mlir::tilellvm::Emitter &e) const { return e.offsetBytes(stage, offset); }
};

/// mbarrier.init of the barrier `offset` bytes behind `base`.
void initBarrier(mlir::tilellvm::Emitter &one, mlir::Value base, int64_t offset, mlir::Value count);

/// Whether the phase with `parity` has completed, as a word. `canSleep`: try_wait, which came with clusters, else
/// test_wait. `ofCluster`: other blocks arrive for what they did.
mlir::Value testBarrier(mlir::tilellvm::Emitter &e, const Barrier &barrier, mlir::Value parity, bool canSleep,
                        bool ofCluster = false);
/// Spins until it has.
void spinOn(mlir::tilellvm::Emitter &e, const Barrier &barrier, mlir::Value parity, bool canSleep,
            bool ofCluster = false);

/// The threads that are `first` arrive, if `condition` holds. A predicate, not a branch: where lanes part in a loop,
/// ptxas keeps all that the loop computes in ordinary registers.
void arriveOnce(mlir::tilellvm::Emitter &e, const Barrier &barrier, mlir::Value first, mlir::Value condition = {});

/// Lane r of a warp, for each r below `blocks`, arrives at the mbarrier `offset` bytes behind `stage` in block r, if
/// `condition` holds.
void arriveInCluster(mlir::tilellvm::Emitter &e, mlir::Value stage, int64_t offset, int32_t blocks,
                     mlir::Value condition);

/// The threads that are `first` arrive at the mbarrier in block 0, if `condition` holds.
void arriveAtFirstBlock(mlir::tilellvm::Emitter &e, const Barrier &barrier, mlir::Value first,
                        mlir::Value condition = {});

/// All threads of all blocks meet. What they did in memory before, all see behind it.
void meetInCluster(mlir::tilellvm::Emitter &e);

/// The place of the next filling, in a ring of `stages`.
std::pair<mlir::Value, mlir::Value> nextPlace(mlir::tilellvm::Emitter &e, mlir::Value number, mlir::Value parity,
                                              int32_t stages);

/// The place `count` fillings further, a number without a sign.
std::pair<mlir::Value, mlir::Value> placeAfter(mlir::tilellvm::Emitter &e, mlir::Value number, mlir::Value parity,
                                               mlir::Value count, int32_t stages);

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_MBARRIER_H
