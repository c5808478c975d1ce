//===- PairProducts.h - Products of two blocks ------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two blocks of a cluster multiply together (PTX ISA, "tcgen05.mma", .cta_group::2): each has its rows of A and of the
// sums, and half of B's columns; one instruction reads both halves in both blocks.
//
//     block 0:  A of rows 0 .. 127,   B, columns 0 .. n/2 - 1      one thread issues the products of both
//     block 1:  A of rows 128 .. 255, B, columns n/2 .. n - 1
//
// Nobody loads B twice, and it takes half the room. In the types that is B's layout alone, which gets a basis of
// `block`; the products stay what they are.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRPRODUCTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRPRODUCTS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Has the two blocks of a cluster that divide the rows of all products of a kernel multiply together. Returns why it
/// cannot be done, and then nothing has changed; nothing if it has been, or if the kernel has no such products.
/// `numProducts`: how many have become those of pairs.
std::string pairProducts(nv_tileaa::FuncOp func, int64_t &numProducts);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PAIRPRODUCTS_H
