//===- ProductsUnderWay.h - Products that their stage waits for -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products whose atoms complete at an mbarrier (Completion::Mbarrier) need not be waited for where they stand: the
// thread that issues them has the hardware arrive at the mbarrier that says the stage is empty, when they are done
// (tileas-release-by-products). Whoever waits for that may write the stage again and read the sums.
//
// Others are waited for later (tileas-defer-products): the product has a number, from 1 on, and an mbarrier of its own,
// and all threads wait for it in an `async.await_product`, or in a copy into tensor memory, that has the number. A loop
// that waits for the product of the iteration before waits for nothing in the first one; behind it an
// `async.await_product` is for the last product, if there was one, so that the loop can be run again:
//
//     for {
//       ...                                            what touches neither %o nor what the product reads
//       copy %p, %l {nv_tileas.awaits = 2}             when %p has been computed
//       dot %l, %v, %o {nv_tileas.awaited_as = 2}
//     }
//     async.await_product 2 behind_loop
//
// Where each of two warpgroups has 128 of 256 rows, it may issue the products of its rows itself, wait for these and
// meet without the other one (Transforms/ProductsByWarpgroup.h): then each has mbarriers of its own for all numbers,
// and what waits for a number waits for that product of the warpgroup. A stage is empty when the products of both are
// done. With turns, what is between the wait for the number of the turns and the copy that ends a turn is done by one
// after the other: the first turn is that of the first warpgroup.
//
// Sums that are multiplied between two products of theirs may be left to another agent
// (Transforms/SeparateCorrections.cpp): it waits at one more mbarrier of each warpgroup for the factors, and arrives at
// another one when it has multiplied, at which the warpgroup waits before its product.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H
#define TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"

namespace mlir::nv_tileas {

/// i64, on nv_tileas.dot: the number of the product in its kernel. Between two products of one number all threads wait
/// for the first, and meet behind that.
inline constexpr llvm::StringLiteral kAwaitedAsAttr = "nv_tileas.awaited_as";
/// i64, on nv_tileas.copy: the number of the product that it waits for before it writes.
inline constexpr llvm::StringLiteral kAwaitsAttr = "nv_tileas.awaits";

/// i64, on a function: each of two warpgroups issues the products in tensor memory of its own 128 rows, and has so many
/// mbarriers for them.
inline constexpr llvm::StringLiteral kByWarpgroupAttr = "nv_tileas.by_warpgroup";
/// The named barrier at which the first of them meets; the other one has the next.
inline constexpr int32_t kWarpgroupBarrier = 14;
/// Unit, on nv_tileas.dot of such a function: the threads of a warpgroup meet before it, without the others.
inline constexpr llvm::StringLiteral kMeetsByWarpgroupAttr = "nv_tileas.meets_by_warpgroup";

/// i64, on a function: the number of the mbarriers by which its warpgroups take turns. That of a warpgroup says that it
/// is its turn, and the other one arrives there.
inline constexpr llvm::StringLiteral kTurnNumberAttr = "nv_tileas.turn_number";
/// Unit, on nv_tileas.copy: behind it, it is the other warpgroup's turn.
inline constexpr llvm::StringLiteral kEndsTurnAttr = "nv_tileas.ends_turn";

/// i64, on a function: the number of the mbarriers at which the warps that give factors arrive; those at which the sums
/// have been multiplied have the next one (nv_tileas.async.give_factors, scale_sums).
inline constexpr llvm::StringLiteral kCorrectionsAttr = "nv_tileas.corrections";

/// How many mbarriers the products of a kernel need: one for those that are waited for at once, and one for each
/// number.
inline int64_t countProductBarriers(Operation *func) {
  int64_t most = 0;
  func->walk([&](Operation *op) {
    if (auto number = op->getAttrOfType<IntegerAttr>(kAwaitedAsAttr))
      most = std::max(most, number.getInt());
  });
  return most + 1;
}

/// How many of them there are in all.
inline int64_t countAllProductBarriers(Operation *func) {
  auto each = func->getAttrOfType<IntegerAttr>(kByWarpgroupAttr);
  return each ? 2 * each.getInt() : countProductBarriers(func);
}

/// Whether thread 32 w + l of the layout, lane l of warp w, has elements of row 32 w + l and of no other one, all warps
/// together as many rows as there are threads.
bool hasRowPerThread(RankedTensorType type);

/// Whether one thread runs an agent.
inline bool isSingleThread(Operation *agents, unsigned number) {
  auto single = agents->getAttrOfType<DenseI32ArrayAttr>(kSingleThreadAttr);
  return single && int64_t(number) < single.size() && single[number];
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H
