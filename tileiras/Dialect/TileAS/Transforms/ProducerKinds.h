//===- ProducerKinds.h - How stages of pipelines are filled -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCERKINDS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCERKINDS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace mlir::nv_tileas {

/// What `producer_kind` says of a producer_write: "tma" if it has tensor copies (and others where there are no tensor
/// maps), "async_copy" if cp.async fills the stage, "sync" if threads do, through registers.
StringRef getProducerKind(ProducerWriteOp write);

/// Whether all that fill one pipeline do so by the same instructions: who waits for a stage waits for one kind. Says so
/// at each pipeline that is filled in two ways.
LogicalResult checkProducers(Operation *func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PRODUCERKINDS_H
