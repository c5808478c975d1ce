//===- ProductRing.h - Rings whose stages products read ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes ask that have products in tensor memory say when a stage is empty (ProductsUnderWay.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTRING_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTRING_H

#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Whether a tile is one of those that a region reads a stage as.
bool isOfStage(Value tile, Block *region);
/// Whether the stage has columns for the scales of a product, and of no other: nobody writes there before the product
/// is done that reads them.
bool hasColumnsOfStage(DotOp dot, Block *region);

/// A ring and the one loop that reads its stages.
struct ProductRing {
  CreatePipelineOp ring;
  nv_tileaa::CountedLoop loop;
  ConsumerWaitOp wait;
  ConsumerReadOp read;
  ConsumerReleaseOp release;

  /// Finds who uses `ring`. Returns why its stages are not read in one place of one loop, one after the other, or
  /// nothing.
  StringRef find();
  /// Has the products release the stages, and waits behind the loop for those that were issued last.
  void releaseByProducts();
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCTRING_H
