//===- SelectMma.h - Which instruction multiplies ---------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The atom of a matrix product follows from its shape, its types and the target alone, so those who have to know it
// before tiles have layouts (tileas-slice-tiles) and tileas-assign-dot-layouts, which writes it down, ask the same
// function.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::nv_tileas {

/// Products of which one takes what is computed from the result of another, in the same block of operations.
class ProductChains {
public:
  explicit ProductChains(Operation *kernel);
  bool contains(Operation *product) const { return members.contains(product); }
  /// Whether the left factor is computed from the result of another product, and not turned on the way.
  bool takeLeft(Operation *product) const { return left.contains(product); }

private:
  llvm::DenseSet<Operation *> members, left;
};

/// What is multiplied.
struct MmaProblem {
  tileiras::DotShape shape;
  Type element;        ///< of the operands in memory
  bool scaled = false; ///< block-scaled
  int scaleBlock = 0;  ///< elements along K that share a scale
  Type scale;
  bool pairs = false;          ///< the factors are pairs of `element` in bytes (isPairOfF4), which the shape's k counts
  bool fastAcc = false;        ///< sums may lose digits
  bool exactSums = false;      ///< products of 8-bit floats lose none, either
  bool fromZero = false;       ///< it is added to nothing
  bool across = false;         ///< of a factor in memory, another dimension than k is the fastest
  bool rightAcross = false;    ///< ... of the right factor alone
  bool turnedOnTheWay = false; ///< bytes of what is across can be turned between global memory and the product
  Type sum;                    ///< elements of the result
  bool chained = false;        ///< with another product: rows of the result stay in their warps
  bool leftComputed = false;   ///< the left factor is computed from another product, in registers
  bool byAgent = false;        ///< some warps of the block carry it out

  /// Of nv_tileaa.dot, nv_tileaa.mma_block_scale or nv_tileas.dot; nothing for other operations.
  static std::optional<MmaProblem> of(Operation *product, const ProductChains *chains = nullptr);
};

/// One way to carry out a product.
struct MmaAlternative {
  MmaAtomAttrInterface atom; ///< null if the family has none for the product
  std::string name;          ///< "tcgen05", "wgmma", "mma.sync", "fma"
  std::string whyNot;        ///< nothing if it fits
  int64_t cycles = 0;        ///< of a warp, if there is an atom (MmaCost)
};

/// What the target has for a product by `warps` warps, the best first: the first one that fits is taken. But for pairs
/// of 4-bit elements there is always one, multiply-adds.
SmallVector<MmaAlternative, 3> getMmaAlternatives(const MmaProblem &problem, const tileiras::TargetInfo &target,
                                                  int warps);

/// The atom that is taken; null for pairs of 4-bit elements that do not fit in tensor memory, which nothing else
/// multiplies.
MmaAtomAttrInterface selectMmaAtom(const MmaProblem &problem, const tileiras::TargetInfo &target, int warps);

/// Whether k is the fastest dimension in memory of a product's left or right factor; of what is not loaded, that is not
/// known and counts as true.
bool isKFastest(OpOperand &factor);

/// Cycles that a block of `warps` warps takes to turn a factor that does not lie as the atom reads it: `kFastest` says
/// whether k is the fastest dimension in memory. Units that multiply 8-bit numbers and tf32 read k first, and what lies
/// across is written number by number, unless ldmatrix turns it `onTheWay` (MmaProblem::turnedOnTheWay).
int64_t getTurningCycles(MmaAtomAttrInterface atom, int64_t elements, bool kFastest, bool onTheWay);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_SELECTMMA_H
