//===- LinearLayout.h - Where every element of a tile lives -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// # Layouts are linear maps over bits
//
// A tile of 16x8 elements is computed by threads. Somebody has to know, for register 2 of lane 13
// of warp 1, which element (row, column) it holds; and a pass that moves the tile to other threads
// has to know the same for the target and how to get from the one to the other. In this compiler
// there is one answer to all such questions.
//
// Every extent that occurs (tile dimensions, lanes, warps, registers, bytes of a buffer) is a power
// of two, so an index is a string of bits. And all layouts that GPUs use, from "blocked" over
// tensor-core fragments to swizzled shared memory, have a simple property: **each bit of the
// hardware index, when set, flips a fixed set of bits of the tile coordinate, independent of the
// other bits.** So a layout L is determined by what it does to single bits, its *bases*, and
//
//     L(x xor y) = L(x) xor L(y)              L(0) = 0
//
// which is linear algebra where numbers are bits, addition is XOR and multiplication is AND: the
// field GF(2).
//
// ## A worked example
//
// The accumulator of mma.m16n8 (PTX ISA, "Matrix Fragments for mma.m16n8k16"): lane l holds four
// values; with g = l / 4 and t = l % 4, value i is at row g + 8 * (i / 2), column 2 * t + i % 2.
// Bit by bit:
//
//     register bit 0  (1) -> (0, 1)
//     register bit 1  (2) -> (8, 0)
//     lane bit 0      (1) -> (0, 2)
//     lane bit 1      (2) -> (0, 4)
//     lane bit 2      (4) -> (1, 0)
//     lane bit 3      (8) -> (2, 0)
//     lane bit 4     (16) -> (4, 0)
//
// Where is register 2 of lane 13 = 8 + 4 + 1?  (8,0) xor (2,0) xor (1,0) xor (0,2) = (11, 2). The
// table of seven bases is the whole layout: the inverse question ("who holds (11, 2)?") is solving
// seven equations over GF(2), and its answer is again a linear layout.
//
// ## What follows from that
//
// * Moving a tile from layout A to layout B, for each thread, is the map B^-1 . A of
//   `A.invertAndCompose(B)`. Look at its bases: if no lane or warp bit is involved, it is a
//   renaming of registers; if no warp bit is, it is a shuffle.
// * A basis that is zero (or a sum of earlier ones) means *replication*: flipping that bit does not
//   change the element, or is made up for elsewhere. Reads from replicas are free; writes must come
//   from one owner (`freeVariableMasks`).
// * Shared memory is a layout from "offset" to coordinates. A swizzle is nothing but a basis with
//   several bits set: in a 128-byte swizzle row bit 0 flips an address bit of the column.
//   Composition, inversion and vectorisation need no special case for it.
// * A reduction along a dimension forgets that coordinate (`dropOutDim`), a transposition permutes
//   coordinates (`transposeOuts`), a reshape regroups the same bits (`reshapeOuts`: row-major, the
//   last dimension runs fastest).
//
// ## Names and conventions
//
// Input dimensions have names (DimName.h): "register", "lane", "warp", "block" (the CTA of a cluster) for
// distributed tiles and "offset" (in elements) for memory. Output dimensions are the tile's:
// "dim0", "dim1", ... A layout that maps the other way round (an inverse) simply has those names on
// the other side.
//
// Where a point is written as one number ("flat"), input dimensions count from the first (register
// is least significant), output dimensions from the last (row-major). "Smallest" solution always
// refers to the flat input, so solutions prefer low registers, then low lanes, then low warps.
//
// Distributed layouts made in this project have all four of register, lane, warp, block, in this
// order, some possibly of size 1.
//
// A LinearLayout is an immutable value: copy it, compare it, hash it. Operations that can fail on
// legitimate data return std::optional; misuse (unknown dimension name) is an assertion.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_LINEARLAYOUT_H
#define TILEIRAS_SUPPORT_LINEARLAYOUT_H

#include "tileiras/Support/DimName.h"

#include <optional>
#include <utility>
#include <vector>

namespace tileiras {

class LinearLayout {
public:
  /// One input dimension: for each bit, the coordinates it flips (one number per output dimension).
  struct InDim {
    DimName name;
    std::vector<std::vector<int32_t>> bases;
  };
  struct OutDim {
    DimName name;
    int32_t size;
  };
  /// Coordinates with names.
  using Point = std::vector<std::pair<DimName, int32_t>>;

  /// The empty layout: no dimensions, one point.
  LinearLayout() = default;

  /// From bases. Every size a power of two, every coordinate inside its dimension, no name twice,
  /// at most 62 bits on each side: asserted here, reported by `create`.
  LinearLayout(std::vector<InDim> ins, std::vector<OutDim> outs);

  /// The same with output dimensions dim0.. of the given shape.
  LinearLayout(std::vector<InDim> ins, const std::vector<int32_t> &shape);

  /// For data from outside: returns nothing and says why in `error` if it is not a layout.
  static std::optional<LinearLayout> create(std::vector<InDim> ins, std::vector<OutDim> outs,
                                            std::string *error = nullptr);

  /// x -> x for 0 <= x < size.
  static LinearLayout identity1D(int32_t size, DimName in, DimName out);
  /// x -> 0 for 0 <= x < size, into an output dimension of size `outSize`.
  static LinearLayout zeros1D(int32_t size, DimName in, DimName out, int32_t outSize = 1);
  /// x -> x * stride for 0 <= x < size (powers of two), into an output dimension of size * stride.
  static LinearLayout strided1D(int32_t size, int32_t stride, DimName in, DimName out);

  // Inspection ---------------------------------------------------------------

  int numIns() const { return int(ins.size()); }
  int numOuts() const { return int(outs.size()); }
  std::vector<DimName> inNames() const;
  std::vector<DimName> outNames() const;
  bool hasIn(DimName name) const { return inIndex(name) >= 0; }
  bool hasOut(DimName name) const { return outIndex(name) >= 0; }
  /// Sizes of dimensions; 1 for a dimension that is not there.
  int32_t inSize(DimName name) const;
  int32_t outSize(DimName name) const;
  int inBits(DimName name) const;
  int outBits(DimName name) const;
  int totalInBits() const;
  int totalOutBits() const;
  /// Sizes of all output dimensions in order: the tile's shape.
  std::vector<int32_t> shape() const;

  /// What bit `bit` of input `in` flips: all output coordinates, or one.
  std::vector<int32_t> basis(DimName in, int bit) const;
  int32_t basis(DimName in, int bit, DimName out) const;
  /// The same, flat.
  uint64_t flatBasis(DimName in, int bit) const;
  /// All bases of an input, flat; empty for a dimension that is not there.
  std::vector<uint64_t> flatBases(DimName in) const;
  /// All bases, flat, in the order of the flat input bits.
  std::vector<uint64_t> flatBases() const;

  int rank() const;
  /// Every output point has at least one input point.
  bool isSurjective() const { return rank() == totalOutBits(); }
  /// No output point has two.
  bool isInjective() const { return rank() == totalInBits(); }
  bool isPermutation() const { return isSurjective() && isInjective(); }
  /// True if the named inputs have no effect on the named outputs.
  bool isZero(const std::vector<DimName> &inSubset, const std::vector<DimName> &outSubset) const;

  /// For each input dimension the mask of its redundant bits: those whose basis is zero or a sum of
  /// the bases before it. Setting all redundant bits to zero picks exactly one representative of
  /// every output point in the image. `order` says which dimension comes first (default: the
  /// layout's order); dimensions not named follow in the layout's order.
  std::vector<std::pair<DimName, int32_t>> freeVariableMasks(const std::vector<DimName> &order = {}) const;

  // Application --------------------------------------------------------------

  /// Inputs that are not named are zero.
  Point apply(const Point &point) const;
  /// Only the coordinates, in the order of the output dimensions.
  std::vector<int32_t> coords(const Point &point) const;
  uint64_t applyFlat(uint64_t flatIn) const;
  uint64_t flattenIn(const Point &point) const;
  uint64_t flattenOut(const std::vector<int32_t> &coords) const;
  std::vector<int32_t> unflattenOut(uint64_t flat) const;
  Point unflattenIn(uint64_t flat) const;

  // Algebra ------------------------------------------------------------------

  /// Direct sum. A dimension in both: `b`'s bits come above `a`'s, on either side.
  friend LinearLayout operator*(const LinearLayout &a, const LinearLayout &b);
  LinearLayout &operator*=(const LinearLayout &b) { return *this = *this * b; }

  /// x -> outer(this(x)). Outer's inputs are named like our outputs and at least as large.
  LinearLayout compose(const LinearLayout &outer) const;
  /// The inverse map of a permutation; nothing otherwise.
  std::optional<LinearLayout> invert() const;
  /// For each output point its smallest input point; nothing unless surjective.
  /// compose(pseudoInvert) is the identity on outputs.
  std::optional<LinearLayout> pseudoInvert() const;
  /// C: our input -> input of `other` with other(C(x)) = this(x), smallest solution. Nothing if
  /// `other` does not reach one of our points. Both have the same output names and sizes.
  std::optional<LinearLayout> invertAndCompose(const LinearLayout &other) const;
  /// q with divisor * q == this (up to the order of dimensions); nothing if there is none.
  std::optional<LinearLayout> divideLeft(const LinearLayout &divisor) const;
  /// If this is "the identity on each of the named dimensions" (which occur on both sides) beside
  /// something else, that something else.
  std::optional<LinearLayout> quotient(const std::vector<DimName> &names) const;

  // Reshaping ----------------------------------------------------------------

  LinearLayout removeZeroBasesAlongDim(DimName in) const;
  /// Removes every redundant bit of an input (zero, or a sum of the bits before it in the same
  /// input).
  LinearLayout removeRedundantBasesAlongDim(DimName in) const;
  /// Output i of the result is our output perm[i]; names stay with positions.
  LinearLayout transposeOuts(const std::vector<int32_t> &perm) const;
  /// The same bits regrouped, row-major; outputs become dim0... Needs the same number of elements.
  LinearLayout reshapeOuts(const std::vector<int32_t> &newShape) const;
  /// Forgets a coordinate; outputs named dimN are renumbered.
  LinearLayout dropOutDim(int index) const;
  /// Changes the size of an output: growing leaves the bases, shrinking drops the high coordinate
  /// bits.
  LinearLayout resizeOutDim(int index, int32_t newSize) const;
  /// Only the named inputs and outputs, in the given order.
  LinearLayout sublayout(const std::vector<DimName> &inSubset, const std::vector<DimName> &outSubset) const;
  /// Inputs of both, which have the same outputs and no input in common.
  LinearLayout concatIns(const LinearLayout &other) const;
  /// Outputs of both, which have the same inputs and no output in common.
  LinearLayout concatOuts(const LinearLayout &other) const;
  /// Adds more bits on top of an input (creating it if need be), given flat.
  LinearLayout extendIn(DimName in, const std::vector<uint64_t> &flat) const;
  LinearLayout renameIn(DimName from, DimName to) const;
  LinearLayout renameOut(DimName from, DimName to) const;
  /// The same bits with inputs in another order.
  LinearLayout transposeIns(const std::vector<DimName> &order) const;

  bool operator==(const LinearLayout &other) const;
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  size_t hash() const;

  /// One line per input dimension:  `lane: 1->(0, 2) 2->(0, 4)`, then the outputs with their sizes.
  std::string toString() const;

private:
  struct In {
    DimName name;
    std::vector<uint64_t> bases; ///< flat outputs
    bool operator==(const In &) const = default;
  };
  struct Out {
    DimName name;
    int bits;
    bool operator==(const Out &) const = default;
  };

  struct Raw {};
  LinearLayout(Raw, std::vector<In> ins, std::vector<Out> outs) : ins(std::move(ins)), outs(std::move(outs)) {}

  int inIndex(DimName name) const;
  int outIndex(DimName name) const;
  int outShift(int index) const; ///< position of output `index` in a flat output
  uint64_t outMask(int index) const;
  int32_t outPart(uint64_t flat, int index) const;
  /// Rewrites every basis.
  template <typename Fn> LinearLayout mapBases(std::vector<Out> newOuts, Fn fn) const;
  static void renumber(std::vector<Out> &outs);

  std::vector<In> ins;
  std::vector<Out> outs;
};

} // namespace tileiras

template <> struct std::hash<tileiras::LinearLayout> {
  size_t operator()(const tileiras::LinearLayout &layout) const { return layout.hash(); }
};

#endif // TILEIRAS_SUPPORT_LINEARLAYOUT_H
