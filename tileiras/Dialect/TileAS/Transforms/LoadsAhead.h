//===- LoadsAhead.h - What may be loaded in an earlier iteration -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Questions of passes that have a loop load for a later iteration.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSAHEAD_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSAHEAD_H

#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {

/// Collects the tokens from outside of the loop that `token` (null: none) comes after. Fails if something in the loop
/// that is not a weak load comes before it.
LogicalResult collectTokens(nv_tileaa::CountedLoop loop, Value token, llvm::SetVector<Value> &found);

/// One token for all of `tokens`, made in front of `loop`.
Value joinTokens(OpBuilder &builder, nv_tileaa::CountedLoop loop, ArrayRef<Value> tokens);

/// A tile that a loop loads for one operation alone, and what stands between the two.
struct LoadedTile {
  TiledLoadOp load;
  SmallVector<Operation *> shapes; ///< of the same elements, from the load on

  /// Finds where `tile` comes from. `isBetween`: what may stand there. Why that is no load of the loop's body for this
  /// one user, or nothing.
  StringRef find(nv_tileaa::CountedLoop loop, Value tile, llvm::function_ref<bool(Operation *)> isBetween);
  /// The same tile again, the load with what `map` has for its operands; zero where `valid` is there and false.
  Value clone(OpBuilder &builder, IRMapping &map, Value valid = {}) const;
};

/// Matrix products whose innermost loop is `loop`.
int64_t countProducts(Operation *loop);

/// Registers that a value takes in a thread, if elements share them where they can.
int64_t wordsOf(Type type);

/// Whether a tile is no more than rows and columns put together (a splat, a range, rows or columns repeated): what each
/// element is takes a few instructions.
bool followsFromPlaces(Value tile);

/// wordsOf() a value that something else is computed from. Integers that follow from places alone are computed where
/// they are used, element by element: offsets, masks, pointers.
int64_t wordsHeld(Value value);

/// Words of a thread that a loop needs, by `words` of a value: what is alive at once inside, and what lives across it.
int64_t wordsIn(nv_tileaa::CountedLoop loop, llvm::function_ref<int64_t(Value)> words);

/// Values of a loop's body as another iteration has them, computed again at a place of one's own:
///
///     for i iter_args(p) { %x = f(p, i); yield g(p) }     x in the next iteration: f(g(p), i + step)
class OtherIteration {
public:
  /// At: where the counter has a value of one's own, and nothing that the loop carries is known.
  enum When { First, This, Next, At };

  explicit OtherIteration(nv_tileaa::CountedLoop loop, Value counter = {}) : loop(loop), counter(counter) {}

  /// Whether `value` is computed from the counter, what the loop carries and what comes from outside of it, without
  /// memory; if not, why.
  LogicalResult check(Value value, When when, StringRef &why);
  /// The value, computed by `builder` (whose place must be the same for all values of one object).
  Value compute(OpBuilder &builder, Value value, When when);

  /// Operations that check() has met.
  size_t numOperations() const { return met.size(); }

private:
  /// What an operation takes from outside of itself.
  static llvm::SetVector<Value> inputs(Operation *op);

  nv_tileaa::CountedLoop loop;
  Value counter; ///< for At
  llvm::SetVector<std::pair<Operation *, int>> met;
  DenseMap<std::pair<Value, int>, Value> known;
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_LOADSAHEAD_H
