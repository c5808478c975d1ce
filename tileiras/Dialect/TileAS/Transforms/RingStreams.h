//===- RingStreams.h - Tiles of a ring that are read apart ------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A ring holds all tiles that a round loads. Where a round multiplies by one of them, computes with the product, and
// multiplies by another one, as attention does with keys and values, each waits for the other: the first product for
// tiles that only the second one needs, and the copies for the next round of what the first product has long read until
// the second one is done. Agents can do better, as the two are streams:
//
//     wait, read { products with K and V }, release  ->  wait K, read { product with K }, release K
//                                                        wait V, read { product with V }, release V
//
// Each stream has a ring of its own, as deep as the old one and in the same bytes, with its own barriers. One agent
// that fills the rings itself gains nothing: it copies for all streams at one place of its round.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGSTREAMS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGSTREAMS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// Tiles of a stage, by number, whose readers stand together.
using RingStream = SmallVector<unsigned, 4>;

/// The streams of a ring, in the order in which a round reads them; one of all tiles where they are not read apart,
/// nothing is computed between one product and another, so that all are read at the same time, or the ring has as many
/// stages as make up for the waits.
SmallVector<RingStream, 2> streamsOf(CreatePipelineOp ring);

/// Gives each of several streams that `streamsOf` has found a ring of its own.
void divideRing(CreatePipelineOp ring, ArrayRef<RingStream> streams);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RINGSTREAMS_H
