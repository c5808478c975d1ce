//===- RingCandidate.h - What a loop's ring is made from --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The copies of a loop that may be made in an earlier iteration, and which of them are read apart from each other.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGCANDIDATE_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGCANDIDATE_H

#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {

struct RingCandidate {
  nv_tileaa::CountedLoop loop;
  SmallVector<AsyncCopyOpInterface> loads;
  SmallVector<AllocTensorOp> tiles;       ///< of the loads
  SmallVector<AllocTensorOp> columns;     ///< in tensor memory, to which products copy tiles of the loads
  SmallVector<AllocTensorOp> written;     ///< factors that threads write, of a product that goes on meanwhile
  SmallVector<AsyncWaitOp> waits;         ///< for the loads, in order
  llvm::SetVector<Operation *> addresses; ///< what the loads compute from the counter, in order
  llvm::SetVector<unsigned> counters;     ///< what the loop carries and they use: it grows by the same in every round
  llvm::SetVector<Value> tokens;          ///< from outside of the loop, that the loads come after

  /// Adds a load to the ring of its loop; if it cannot be done ahead, says why.
  StringRef add(AsyncCopyOpInterface load);
  /// Adds what `value` is computed from inside of the loop. Fails, and says why, if that is more than arithmetic on the
  /// counter and on what grows with it.
  LogicalResult addAddress(Value value, StringRef &why);
  /// Each stage has columns of its own for its scales: they are copied there while products of other stages read
  /// theirs.
  void findColumns();
  /// Each stage has a place of its own for factors that threads convert and write, if all that the loop does with the
  /// sums of its only product is to add the next ones: the product of the stage before goes on while they are written.
  void findWritten();
  /// How long shared memory and L1 are busy in a round of the loop with what copies, threads and products read and
  /// write, in percent of what the products take.
  int64_t percentOfSharedMemory() const;
  /// Whether the copies for the next round are sure to have arrived when a round is over: the unit that its products
  /// and its arithmetic keep busiest is busy for twice as long. Of products of wgmma alone, beside which copies come
  /// first with any number of stages (tileas-unspecialized-pipeline).
  bool arriveInARound(int computeCapability) const;

  /// What a stage has: tiles of the loads, and places of others.
  SmallVector<AllocTensorOp> elements() const {
    SmallVector<AllocTensorOp> all(tiles);
    llvm::append_range(all, columns);
    llvm::append_range(all, written);
    return all;
  }
};

/// How many stages the ring of these loads has, if there is room and the loop goes round as often: `numStages`, or as
/// many as the largest `latency` of them, two at the least; and which of both says so.
std::pair<unsigned, StringRef> stagesAskedFor(ArrayRef<Operation *> loads, unsigned numStages);

/// By how much an integer or a pointer that a loop carries, or each of a tile of them, grows in every round; null if it
/// is not always the same. Pointers grow by elements that they point to.
Value growthOf(nv_tileaa::CountedLoop loop, BlockArgument argument);

/// The last operation of the loop's body, behind `wait`, that reads one of the tiles; null if none does. No shared tile
/// leaves what ends with it.
Operation *lastReader(ArrayRef<AllocTensorOp> tiles, Operation *wait);

/// The loads of a candidate as streams, one after the other: the tiles of one are read before those of the next one are
/// waited for.
SmallVector<RingCandidate, 0> streamsOf(const RingCandidate &candidate);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGCANDIDATE_H
