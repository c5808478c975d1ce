//===- AliasGroups.h - Accesses whose tiles are one another's ---*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two accesses to memory are in one group if a layout goes from the tile of the one to that of the other without a
// conversion: through arithmetic on elements, changes of shape, broadcasts (from what is spread to its row), loops and
// branches. Alone, each of them takes the layout that is fastest for its own addresses: a load of f16 eight neighbours
// to a thread, the store of what is computed from it in f32 four; then the tile is converted in between. So the
// accesses of a group are given layouts together:
//
//   candidates   the blocked layout of every order and width that an access of the group has for itself, as it arrives
//                at all others; other families (of products, of shared memory) are no matter of accesses and end a
//                group
//   score        issue slots and lines of memory of the accesses of a warp, and what it costs to convert where an
//                access is better off in a layout of its own; what is in a loop counts more. Registers that one thread
//                would hold more than in its own layout, count, too.
//
// The best candidate is taken, if it is better than every access for itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALIASGROUPS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALIASGROUPS_H

#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {

/// An access that moves a tile, and how.
struct GroupedAccess {
  nv_tileaa::MemoryAccessOpInterface op;
  AccessWidth width;
  Attribute layout; ///< of its tile
  int64_t vec = 1;  ///< neighbours that move at once in it
};

class AliasGroups {
public:
  AliasGroups(nv_tileaa::FuncOp func, SmallVectorImpl<GroupedAccess> &accesses);

  /// Gives accesses, which have a layout of their own, that of their group where it is better. Returns how many groups
  /// got one.
  int64_t assign();

private:
  /// Layouts that arrive at tiles, of accesses by their number.
  using Arrivals = llvm::MapVector<unsigned, tileiras::LinearLayout>;

  void findComputed();
  void findProducts();
  Arrivals spread(unsigned from, const tileiras::LinearLayout &layout) const;
  bool isFixed(const GroupedAccess &access) const;
  int64_t weightOf(Operation *op) const;
  int64_t costOf(const GroupedAccess &access, const tileiras::LinearLayout &layout) const;
  int64_t costApart(const GroupedAccess &access, const tileiras::LinearLayout &arriving) const;
  int64_t costTogether(const GroupedAccess &access, const tileiras::LinearLayout &arriving) const;
  SmallVector<Attribute> candidatesOf(unsigned lead, const Arrivals &members) const;
  bool suits(const GroupedAccess &access, const tileiras::LinearLayout &layout) const;
  bool joins(unsigned member, unsigned lead, const tileiras::LinearLayout &arriving) const;
  bool assignGroup(unsigned lead, const Arrivals &members);
  void report(unsigned lead, size_t members, int64_t apart, int64_t together, bool taken) const;

  mutable nv_tileaa::FuncOp func;
  SmallVectorImpl<GroupedAccess> &accesses;
  llvm::DenseSet<Value> computed;                        ///< from what is loaded
  llvm::DenseSet<Value> ofProduct;                       ///< in the layout of a product's result
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> tiles; ///< accesses of a tile
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ALIASGROUPS_H
