//===- Atoms.h - What atoms of copies and products are ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An atom is a type that has interfaces (AtomInterfaces.td). Verifiers, partitions and the lowering ask them, mostly
// through the functions here, and know no atom by name.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_ATOMS_H
#define TILEIRAS_DIALECT_CUTE_IR_ATOMS_H

#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "tileiras/Layout/Layout.h"

namespace mlir::cute {

/// Of a tiled copy or product its atom; others are their own.
Type getAtom(Type type);

/// Bits that one copy of a thread moves (universal_copy, simt_async_copy); 0 for others.
int64_t getCopyBits(Type atom);

/// What ldsm and stsm move; nothing for other atoms.
std::optional<Matrices> getMatrices(Type atom);

/// The extents of a TMA copy, contiguous first; nothing for other atoms.
std::optional<llvm::SmallVector<int64_t>> getBox(Type atom);

/// What a tensor map calls elements of this type (PTX ISA, "tensormap.replace", .elemtype); nothing if there is no
/// name.
std::optional<int32_t> tensorMapElement(Type element);

/// Nothing if the type is no mma atom.
std::optional<Product> getProduct(Type atom);

/// (threads, values) -> column-major number, and the tile, of an operand of an mma atom: 'A', 'B', 'C', the scales of A
/// ('S') and of B ('T'), or the words that say which elements of A are stored ('E').
struct MmaFragment {
  ::tileiras::cute::Layout layout;
  ::tileiras::cute::IntTuple tile;
};
std::optional<MmaFragment> getMmaFragment(Type atom, char operand);

/// What wgmma and tcgen05.mma are told of a matrix in shared memory, whose first mode is (rows or columns, k) of one
/// instruction. Nothing, and why in `error`, if no descriptor says it.
std::optional<DescIterType> describeMatrix(CuteMemRefType tensor, std::string &error);
/// The same of (rows or columns, k) in the memory of `tensor`, its swizzle and alignment.
std::optional<DescIterType> describeMatrix(CuteMemRefType tensor, const ::tileiras::cute::Layout &matrix,
                                           std::string &error);
/// Rows of tensor memory, 128 lanes or fewer, of so many neighbouring columns.
bool areRowsOfTensorMemory(const ::tileiras::cute::Layout &layout, int64_t rows, int64_t columns);

} // namespace mlir::cute

#endif // TILEIRAS_DIALECT_CUTE_IR_ATOMS_H
