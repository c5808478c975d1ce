//===- LoadsInRegisters.h - What waits a round in registers -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads that a loop makes an iteration ahead, into registers: what tileas-prefetch-loads and
// tileas-prefetch-branch-loads have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSINREGISTERS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSINREGISTERS_H

#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {

/// A load that is made ahead.
struct LoadAhead {
  Operation *load;
  Type type;        ///< of what is loaded
  AsyncWaitOp wait; ///< of a copy past the registers

  /// Whether others come after it by its token: a store has to wait for all threads to have loaded.
  bool isFollowed() const;
  /// The tile as it goes round the loop, elements of less than 32 bits in words, and back.
  Value pack(OpBuilder &b, Value value) const;
  Value unpack(OpBuilder &b, Value value) const;
};

/// What `op` loads into registers, or could; none if it is no such load.
std::optional<LoadAhead> asLoadAhead(Operation &op);

/// What the place of a load is computed from.
SmallVector<Value> addressOf(Operation &load);

/// Another load of the same elements into registers: they, and the token.
std::pair<Value, Value> loadAgain(OpBuilder &b, const LoadAhead &ahead, IRMapping &map);

/// What was loaded is what the iteration before has loaded, in words. The load goes.
void replaceLoad(const LoadAhead &ahead, Value words, Value token);

/// What the tiles of a loop may take in a thread's registers.
class LoadBudget {
public:
  /// `sparing`: where a ring could have what has no room for sure.
  LoadBudget(nv_tileaa::CountedLoop loop, int64_t products, bool sparing = false);

  /// Words that a thread may keep if so many blocks share a multiprocessor.
  int64_t room(int64_t blocks) const;
  int64_t room() const { return room(blocks); }

  /// How many blocks a multiprocessor has registers for, of a loop that needs `needed` words as it stands and `more`
  /// for what is loaded ahead; more blocks than are of use do not count. What products have beside their tiles grows
  /// with these: small tiles have few fragments. (Measured on the corpus: 67 to 85 registers beside 7 to 11 words,
  /// 103 beside 64.)
  int64_t blocksWith(int64_t needed, int64_t more) const;

  /// Registers of a thread that a load takes for an iteration.
  int64_t costOf(const LoadAhead &ahead) const;
  /// Whether a loop that needs `needed` words as it stands has registers for loads that cost `cost` and bring `words`.
  bool hasRoom(int64_t needed, int64_t cost, int64_t words) const;

private:
  /// What a loop around this one has besides: its counter and bounds, the tile's place, offsets that hold for all of it
  /// (a persistent product of f32 on sm_80 spills without them).
  static constexpr int64_t kOfOuterLoop = 16;
  /// Registers of a thread beside the tiles of widened products: what roomForTiles leaves them, and what the smallest
  /// need.
  static constexpr int64_t kMostOthers = 128, kLeastOthers = 72;

  /// Where the tiles of a loop take so many words of a thread, those that are loaded do, and not the fragments of
  /// products: other registers than those of tiles are kAtLoads then. (Measured on the corpus: 46 to 62 beside 128 to
  /// 168 words of loops with one or two products. Loops with three spill.)
  static constexpr int64_t kManyWords = 120, kAtLoads = 40;

  const tileiras::TargetInfo *target;
  nv_tileaa::Products kind;
  int64_t products, warps, blocks, mostBlocks;
  bool isNested, sparing;
  bool inRanges = false; ///< sums of products that take whole ranges of registers, which ptxas moves others around
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSINREGISTERS_H
