//===- SharedPlan.h - Which shared tiles live when, and where ---*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile's life runs from its allocation to its last use under any name, in program order (uses inside a loop extend
// over the whole loop when the tile was allocated outside of it, and so do those inside an agent_switch). Agents run at
// the same time, so tiles of two of them never share bytes. Tiles that are used on different sides of branches with one
// condition are never both used, whatever their lives. The stages of a ring lie one after the other, for each of
// its elements, so that the address of a stage is a product. First fit by start of life; 16-byte alignment, or 128 for
// tiles of at least 128 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDPLAN_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDPLAN_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// A shared tile, or as many in a row as a ring has stages.
struct SharedBuffer {
  SmallVector<AllocTensorOp> ops; ///< one after the other
  int64_t size, alignment;        ///< bytes of one
  int64_t begin, end;             ///< positions in program order, inclusive
  bool inLoop;                    ///< used in a loop that it is made outside of, or made in one
  /// Agents in which these stages are empty for good behind a position.
  SmallVector<std::pair<Region *, int64_t>, 2> drained = {};
  /// Conditions of branches that are known where the tile is made, and on which side of them all uses are.
  SmallVector<std::pair<Value, bool>, 1> sides = {};
  SmallVector<AllocTensorOp, 0> inTurns = {}; ///< stages of other rings that have the same place in turns
  bool isBarriers = false;                    ///< mbarriers, which are there until the kernel ends
  bool isScratch = false;                     ///< of a reduction
  int64_t offset = 0;

  Value firstTile() const { return AllocTensorOp(ops.front()).getResult(); }
  /// From one tile to the next.
  int64_t stride() const { return llvm::alignTo(size, alignment); }
  int64_t bytes() const { return stride() * (int64_t(ops.size()) - 1) + size; }
  bool overlapsInSpace(const SharedBuffer &other) const {
    return offset < other.offset + other.bytes() && other.offset < offset + bytes();
  }
};

/// All tiles of a function that are in one memory: shared, where sizes and offsets are bytes, or tensor, where they are
/// columns.
class SharedPlan {
public:
  explicit SharedPlan(nv_tileaa::FuncOp func, MemoryKind memory = MemoryKind::Shared);

  struct Places {
    bool barriersLast = false; ///< mbarriers behind all tiles, in nobody's way when the tiles before them are free
    bool scratchApart = false; ///< no bytes for two reductions of one loop
  };
  /// Gives every buffer its offset; returns how many bytes there are.
  int64_t place(Places places);
  int64_t place() { return place(Places()); }
  /// What is needed if the tiles of `ring`, allocated in `loop`, are rings of `stages`: what place() would return then
  /// and, behind all tiles in tensor memory, columns for scales in registers.
  int64_t bytesWithRing(Operation *loop, ArrayRef<AllocTensorOp> ring, int64_t stages) const;
  /// The same if the tiles have so many places, which they fill in turns, one after the other.
  int64_t bytesInTurns(Operation *loop, ArrayRef<AllocTensorOp> tiles, size_t places) const;

  SmallVector<SharedBuffer> buffers; ///< by start of life

private:
  /// When and by whom the stages of a ring have been emptied for good.
  void findDrain(CreatePipelineOp ring, SharedBuffer &buffer) const;
  void findSides(ArrayRef<Operation *> users, SharedBuffer &buffer) const;

  DenseMap<Operation *, std::pair<int64_t, int64_t>> lives; ///< positions of an operation and of the end of its regions
  int64_t scales = 0;                                       ///< columns for those of one product
};

/// Who uses a tile in shared (or tensor) memory, under whatever shape and name: views of it, what loops, branches and
/// agents make of it, and the pipelines whose stage it is.
SmallVector<Operation *> usersOfSharedTile(Value tile);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SHAREDPLAN_H
