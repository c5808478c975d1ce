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
#include "tileiras/Dialect/TileAS/IR/Attributes.h"

namespace mlir::nv_tileas {

/// Whether one thread runs an agent.
inline bool isSingleThread(Operation *agents, unsigned number) {
  auto single = agents->getAttrOfType<DenseI32ArrayAttr>(kSingleThreadAttr);
  return single && int64_t(number) < single.size() && single[number];
}

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_PRODUCTSUNDERWAY_H
