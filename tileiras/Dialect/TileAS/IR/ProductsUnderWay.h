//===- ProductsUnderWay.h - Products that their stage waits for -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products whose atoms complete at an mbarrier (Completion::Mbarrier) need not be waited for where they stand: the
// thread that issues them has the hardware arrive at the mbarrier that says the stage is empty, when they are done
// (tileas-release-by-products). Whoever waits for that may write the stage again and read the sums.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H
#define TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nv_tileas {

/// Unit, on nv_tileas.dot in a consumer_read: nobody waits for the product here; the release of the stage is
/// kByProductsAttr. Before it the threads have met since they last touched its operands and sums.
inline constexpr llvm::StringLiteral kUnderWayAttr = "nv_tileas.under_way";

/// Unit, on consumer_release, all of a ring or none: the stage is released when the products are done that were issued
/// before, one arrival by tcgen05.commit. On producer_commit likewise: the stage is full then.
inline constexpr llvm::StringLiteral kByProductsAttr = "nv_tileas.by_products";

/// Array of i32, on agent_switch, an entry for each agent: 1 if one thread of its warp runs all of it.
inline constexpr llvm::StringLiteral kSingleThreadAttr = "nv_tileas.single_thread";

/// Whether one thread runs an agent.
inline bool isSingleThread(Operation *agents, unsigned number) {
  auto single = agents->getAttrOfType<DenseI32ArrayAttr>(kSingleThreadAttr);
  return single && int64_t(number) < single.size() && single[number];
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H
