//===- ProductsByWarpgroup.h - Two halves of products -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attention of 256 rows has two times 128 rows that need nothing of each other: each of two warpgroups has 128 of them
// in tensor memory. As long as one thread issues the products of both, and both meet before, they compute at the same
// time and wait for the tensor core at the same time. With products, waits and meetings of their own they drift apart:
// the tensor core multiplies for one while the other one computes, and while one uses the special functions the other
// one does the rest (the "ping-pong" of FlashAttention-3 and 4).
//
//     meet (256 threads);  one thread: S = Q K^T           meet (128 threads);  one of 4 warps: S(g) = Q(g) K^T
//     all wait                                       ->    these 4 warps wait
//
// What the lowering does with it: ProductsUnderWay.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSBYWARPGROUP_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSBYWARPGROUP_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Unit, on an instruction that no compiler moves before the wait in front of it: its result is its operand.
inline constexpr llvm::StringLiteral kSameAttr = "nv_tileas.same";

/// Has two warpgroups issue the products of a function that are waited for later (tileas-defer-products), where it has
/// loops in which they do nothing else together. Says how many.
unsigned divideByWarpgroup(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTSBYWARPGROUP_H
