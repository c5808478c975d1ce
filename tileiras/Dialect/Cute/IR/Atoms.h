//===- Atoms.h - What atoms of copies and products are ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An atom is a type. Verifiers, partitions and the lowering ask here what it does, and know no atom by name.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_ATOMS_H
#define TILEIRAS_DIALECT_CUTE_IR_ATOMS_H

#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "tileiras/Layout/Layout.h"

namespace mlir::cute {

/// Of a tiled copy or product its atom; others are their own.
Type getAtom(Type type);

/// universal_copy, simt_async_copy, ldsm, stsm, tma_load or tma_store.
bool isCopyAtom(Type atom);
/// Bits that one copy of universal_copy or simt_async_copy moves, 0 for others.
int64_t getCopyBits(Type atom);

/// ldsm and stsm: 8x8 matrices of 16-bit elements. One side are rows, eight elements whose address a lane gives; on the
/// other side a lane has two elements of each matrix.
struct Matrices {
  int64_t count;
  bool transposed, load;
  int64_t fragment() const { return 2 * count; } ///< elements in a lane
};
std::optional<Matrices> getMatrices(Type atom);

/// The extents of a TMA copy, contiguous first; nothing for other atoms.
std::optional<llvm::SmallVector<int64_t>> getBox(Type atom);

/// A product: m x n x k, the elements its operands have in memory (tf32 are f32), and who executes one.
struct Product {
  int64_t m = 1, n = 1, k = 1;
  Type a, b, c; ///< as the instruction calls them
  int64_t threads = 1;
  bool shared = false; ///< A and B are in shared memory
  bool scaled = false; ///< one scale for each row of A and column of B

  /// What elements of operand 'A', 'B' or 'C' are in memory.
  Type element(char operand) const;
};
/// Nothing if the type is no mma atom.
std::optional<Product> getProduct(Type atom);

/// (threads, values) -> column-major number, and the tile, of an operand of an mma atom: 'A', 'B', 'C', or the scales
/// of A ('S') and of B ('T').
struct MmaFragment {
  ::tileiras::cute::Layout layout;
  ::tileiras::cute::IntTuple tile;
};
std::optional<MmaFragment> getMmaFragment(Type atom, char operand);

/// What wgmma is told of a matrix in shared memory, whose first mode is (rows or columns, k) of one instruction.
/// Nothing, and why in `error`, if no descriptor says it.
std::optional<DescIterType> describeMatrix(CuteMemRefType tensor, std::string &error);

} // namespace mlir::cute

#endif // TILEIRAS_DIALECT_CUTE_IR_ATOMS_H
