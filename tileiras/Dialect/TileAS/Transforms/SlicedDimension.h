//===- SlicedDimension.h - One dimension of tiles through a kernel --*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel is cut along: a dimension that tiles have in common, and the rules that say whether slices of it may be
// computed one after the other, or side by side in the blocks of a cluster (SliceTiles.cpp says why they may).
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SLICEDDIMENSION_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SLICEDDIMENSION_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {

inline RankedTensorType tensorOf(Value v) { return dyn_cast<RankedTensorType>(v.getType()); }
/// Whether an operation of nv_tileaa loads from memory.
bool isLoad(Operation *op);
/// Dimension `d` of some tile and all that has to be cut with it.
class SlicedDimension {
public:
  SlicedDimension(nv_tileaa::FuncOp func, const ResourceModel &resources, int64_t slices)
      : func(func), resources(resources), slices(slices) {}

  /// Follows dimension `d` of `seed`; false if the kernel cannot be sliced along it. In a cluster slices are computed
  /// side by side.
  bool follow(Value seed, int d, bool inCluster = false);

  bool contains(Value v, int d) const { return dimOf(v) == d; }
  /// The dimension of a tile that is cut, if it is.
  std::optional<int> dimOf(Value v) const {
    auto it = dims.find(v);
    return it == dims.end() ? std::nullopt : std::optional<int>(it->second);
  }

  /// What a round needs.
  Demand demand() {
    return resources.demand([&](Value v) { return dims.contains(v) ? slices : 1; });
  }

  /// Words that are loaded in every round anew.
  int64_t loadedAgain();

  /// The kernel becomes a loop over slices.
  void apply();

  /// An access that must wait for the other blocks of the cluster, and whether all that it waits for are loads.
  using Wait = std::pair<Operation *, bool>;
  /// Each block of the cluster takes the slice of its number. Returns what must wait for the other blocks.
  ArrayRef<Wait> applyToCluster();

private:
  bool link(Value v, int d);

  /// All of `values` have the dimension if one of them has.
  bool together(ValueRange values) {
    for (Value v : values)
      if (std::optional<int> d = dimOf(v))
        return llvm::all_of(values, [&](Value other) { return link(other, *d); });
    return true;
  }

  bool relate(Operation *op);
  bool relateAccess(nv_tileaa::MemoryAccessOpInterface op);
  bool relateView(Value from, Value to);
  bool relateDot(Operation *op);
  bool relateRegions(Operation *op);
  bool mayReorder();
  bool neverMeet(Operation *a, Operation *b);
  bool isOrdered(Operation *op, Operation *before);
  void sliceAll(OpBuilder &b);

  // Rewriting
  Value sliceOfRange(OpBuilder &b, nv_tileaa::MakeRangeOp op);

  nv_tileaa::FuncOp func;
  const ResourceModel &resources;
  int64_t slices;
  bool sideBySide = false;
  llvm::MapVector<Operation *, bool, DenseMap<Operation *, unsigned>, SmallVector<Wait>> waits;
  DenseMap<Value, int> dims;
  SmallVector<Value> work;
  Value slice; ///< number of the current one, i32
};

/// Has an access through a view move slice number `slice`, an i32, of so many along dimension `d` of its tile, whose
/// type is up to the caller.
void cutAccess(OpBuilder &b, nv_tileaa::MemoryAccessOpInterface op, int d, int64_t slices, Value slice);

/// Whether two addresses may be of one array.
bool mayShareArray(Value a, Value b);
/// Whether slices of two tiles, along dimensions `ofA` and `ofB`, only meet in memory if they are of the same number:
/// the tiles are those of one memref, which do not overlap, along one of its dimensions.
bool meetInOneSlice(nv_tileaa::MemoryAccessOpInterface a, int ofA, nv_tileaa::MemoryAccessOpInterface b, int ofB);

/// One constant may stand for tiles of different meaning: every use gets its own.
void separateConstants(nv_tileaa::FuncOp func);

/// Dimensions of the largest tiles, results of products first.
SmallVector<std::pair<Value, int>> findSeeds(nv_tileaa::FuncOp func, const ResourceModel &resources);

/// The dimension that the blocks of a cluster divide: the one that loads least again. None, and why, if there is none.
struct ClusterDimension {
  std::unique_ptr<ResourceModel> resources; ///< that the dimension asks
  std::unique_ptr<SlicedDimension> dimension;
  StringRef whyNot;
};
/// Separates constants. `target` may be null.
ClusterDimension findClusterDimension(nv_tileaa::FuncOp func, const tileiras::TargetInfo *target, int64_t blocks);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SLICEDDIMENSION_H
