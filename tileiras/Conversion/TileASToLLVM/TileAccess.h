//===- TileAccess.h - Addresses and bounds of a tile ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The element at tile coordinate c of tile i lies, per tile dimension t with memref dimension d = dimMap[t], at
//
//     index_d = i_t * step_t + c_t          address = base + sum of index_d * stride_d
//
// The part that is the same for the whole tile (base, i, step) is computed in 64 bits once; per dimension
// limit_t = extent_d - i_t * step_t, cut to [0, tile extent], is what a coordinate is compared with, in 32 bits. Where
// a thread asks about one or two places along a dimension, index_d itself is compared with extent_d: in 32 bits where
// it is known to have no more (nv_tileaa::getComparison), else in 64, two instructions a place; and none for the limit,
// which takes up to eight.
//
// Along the axis of a gather or scatter index_d is a run-time number per slice instead, and compared with the extent.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_TILEACCESS_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_TILEACCESS_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/NibbleMemory.h"
#include <map>

namespace mlir::tilellvm {

/// Array of nv_tileaa::Comparison, on accesses while their values are converted: it follows from operations around
/// them.
inline constexpr llvm::StringLiteral kComparisonsAttr = "nv_tileas.comparisons";

/// Array of bool, an entry for each dimension of the tile, on accesses while their values are converted:
/// whether nv_tileaa::isNearArray holds.
inline constexpr llvm::StringLiteral kNearAttr = "nv_tileas.near";

/// What kNearAttr says of `op`, or nothing.
ArrayRef<bool> nearOf(Operation *op);

/// A memref at run time: the fields of its struct and the constants of its type.
struct MemRefParts {
  Value base;
  SmallVector<Value> sizes, strides; ///< i64; null where the type has the number
  nv_tileaa::MemRefType type;

  MemRefParts(Emitter &e, Value structure, nv_tileaa::MemRefType type);
  Value size(Emitter &e, unsigned d) { return sizes[d] ? sizes[d] : e.i64(type.getShape()[d]); }
};

/// The coordinates of a gather or scatter: one for each register of the tile.
struct SliceCoordinates {
  int axis = -1;
  SmallVector<Value> ofRegister; ///< integers of any width, unsigned

  SliceCoordinates() = default;
  /// From the converted coordinate tensor, whose layout is that of the tile's axis.
  SliceCoordinates(Emitter &e, int axis, Value converted, RankedTensorType type, const LinearLayout &tile);
};

/// Addresses and bounds of one tile for the running thread.
class TileAccess {
public:
  /// `viewStruct` is the converted value, `viewValue` the original, whose definition tells what divides the extents.
  /// `comparisons`: what kComparisonsAttr says. Elements of 4 bits have no address of their own: `nibble` says where
  /// they are.
  TileAccess(Emitter &e, nv_tileaa::TiledViewType view, Value viewStruct, Value viewValue, ValueRange indices,
             std::optional<ArrayRef<bool>> inBounds, const LinearLayout &layout, unsigned elementBits, unsigned vec,
             SliceCoordinates slices = {}, ArrayRef<int32_t> comparisons = {});

  VectorGroups groups;
  /// A group is inside or outside as a whole.
  bool uniform = true;
  /// Bounds are compared in 32 bits even where a few comparisons in 64 would do: in a loop of copies what is the same
  /// for all threads is computed beside the products, a comparison is not.
  bool narrow = false;
  /// What kNearAttr says, or nothing.
  ArrayRef<bool> near;
  /// Where it is false, the same for all threads, everything is outside; null: never.
  Value valid;

  Value address(unsigned r);
  Nibble nibble(unsigned r);

  /// Whether register r is inside; null if it always is. `ahead` asks about the element that many places further along
  /// the contiguous dimension.
  Value predicate(unsigned r, unsigned ahead = 0);

  /// Whether all of the tile is inside, the same for all threads; null if it always is. Not of gathers.
  Value isInside();

  /// How many elements of the group that begins with register r are inside, i32; null if always all of them.
  Value elementsInside(unsigned r);

  /// Where the edge may cut groups (they are not `uniform`): whether it cuts none of this tile's, the same for all
  /// threads. That is so of every tile but the last, and there if the extent happens to be a multiple of the group.
  /// Null where nothing is cut anyway.
  Value cutsNone();
  /// The same tile where cutsNone() holds. Each has to be asked in its own branch.
  TileAccess uncut() const;

  /// One access of a thread: to the elements that some registers have, in this order, which lie next to each other. A
  /// null predicate: always.
  struct Piece {
    Value address, predicate;
    SmallVector<unsigned> registers;
  };
  /// The thread's accesses, but to registers with a bit of `copies`: one to each group, and, where the edge may cut it,
  /// one to each of its elements beside it. Not of elements of 4 bits.
  SmallVector<Piece> pieces(int32_t copies);

private:
  /// Whether coordinate t of register r (`shift` places further along) is inside; null if it always is.
  Value predicateAlong(unsigned t, unsigned r, unsigned shift);
  /// Stride of memref dimension d in bytes.
  Value scaled(unsigned d);
  /// What coordinate t is compared with, i32: elements from the tile's start to the end, or no fewer than the tile has;
  /// null: never outside.
  Value limit(unsigned t);
  /// The same with a sign, where tiles behind the last one need not have zero.
  Value signedLimit(unsigned t);
  /// Whether few places along t are asked about.
  bool fewPlaces(unsigned t) const;
  int64_t startDivisor(unsigned t, unsigned vec) const;
  void chooseVectors(unsigned vec);
  Value stepAlong(unsigned t, uint64_t part, Value from);

  Emitter &e;
  nv_tileaa::TiledViewType view;
  MemRefParts memref;
  ThreadLayout thread;
  int64_t bytes; ///< of an element; of 4 bits: what is called address here counts elements
  SliceCoordinates slices;
  int contiguous = -1;
  Value base, axisExtent;
  SmallVector<Value> rest;          ///< i64 per tile dimension: from the tile's start to the end; null: never outside
  SmallVector<Value> starts;        ///< i64: where the tile starts, for what `rest` has
  SmallVector<Value> limits;        ///< made of `rest` when asked for
  SmallVector<int64_t> divisors;    ///< of extent and tile origin
  SmallVector<int32_t> comparisons; ///< nv_tileaa::Comparison per tile dimension, or none: all wide
  std::map<unsigned, Value> byteStrides, room, places;
  std::map<unsigned, Value> tiles; ///< i32: number of the tile, where it and the extent have no more bits
  std::map<std::pair<unsigned, uint64_t>, Value> offsets, insides;
  std::map<std::tuple<unsigned, uint64_t, void *>, Value> steps;
  std::map<void *, Value> sliceOffsets, sliceInsides;
};

/// What `access` of a tile returns, by a way of its own for tiles of which the edge cuts no group: that is one wide
/// access for each, where the others need one for every element beside it.
SmallVector<Value> whereCut(Emitter &e, TileAccess &tile, TypeRange results,
                            function_ref<SmallVector<Value>(Emitter &, TileAccess &)> access);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_TILEACCESS_H
