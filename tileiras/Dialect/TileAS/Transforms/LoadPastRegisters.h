//===- LoadPastRegisters.h - Tiles from global to shared memory -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that is loaded for one use in shared memory need not go through registers: cp.async brings it there, if it
// lies in shared memory in runs of at least 4 bytes as it does in global memory. And which half of a conversion is a
// matter of registers alone, for tiles that are too large for shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADPASTREGISTERS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADPASTREGISTERS_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// A load, and the shapes under which its only user has the tile (or its users, several products), the last one first.
struct LoadForOne {
  TiledLoadOp load; ///< null if it is through pointers
  SmallVector<Operation *> shapes;
  LoadOp gather = {}; ///< the load through pointers; null if it is not

  /// The load whose tile `value` is under another shape, if nobody else has it.
  static std::optional<LoadForOne> of(Value value);
  /// The same, or a load through pointers. `mayBeShared`: the value itself may have several users.
  static std::optional<LoadForOne> ofAny(Value value, bool mayBeShared = false);

  nv_tileaa::MemoryAccessOpInterface access() const {
    return load ? nv_tileaa::MemoryAccessOpInterface(TiledLoadOp(load).getOperation())
                : nv_tileaa::MemoryAccessOpInterface(LoadOp(gather).getOperation());
  }
  RankedTensorType getType() const { return cast<RankedTensorType>(access().getLoaded().getType()); }
  /// Neighbouring elements that one access moves.
  int64_t getVec() const { return (load ? TiledLoadOp(load).getVec() : LoadOp(gather).getVec()).value_or(1); }
  /// Whether it is one whose tile takes turns with others of its loop in shared memory (kTakesTurnsAttr).
  static bool takesTurns(Value value);

  /// Whether what the load reads may still be under way until `op`. Copies leave zero outside of the view, which has to
  /// be its padding unless somebody puts `anyPadding` there afterwards (nv_tileas.pad). Through pointers they leave
  /// zero where the mask is false, and are for rings only: in a loop of whose counter alone pointers and masks are
  /// computed.
  bool mayWaitUntil(Operation *op, bool anyPadding = false);
  /// The same for a product that reads the tile from shared memory, where nobody can put another padding; a remark if
  /// that is the reason why not.
  bool mayBeFetchedBy(Operation *op);

  /// Bytes that lie next to each other in the view and in shared memory, `most` elements of so many bytes or fewer.
  int64_t runBytes(const tileiras::LinearLayout &memory, int64_t most, int64_t bytes);

  /// The tile in shared memory, whose layout there, as the load has its dimensions, is `memory`: copies of `run` bytes
  /// in the place of the load, a wait before `user`, and the shapes in between. The load and the shapes are used no
  /// more.
  Value copyPastRegisters(OpBuilder &builder, const tileiras::LinearLayout &memory, int64_t run, Operation *user,
                          bool asyncProxy);
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADPASTREGISTERS_H
