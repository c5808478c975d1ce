//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles that are names of the same stages.
//
//   %p = create_pipeline %s0, %s1             %s0 ~ %s1 ~ %stage ~ %view, and so are the stages of every pipeline
//   producer_write %p, %t {                   whose place arrives where one of %p's does
//   ^bb0(%stage):
//     %view = view %stage
//     ...
//
// A copy begins another group: convert_layout reads a stage, copy and the loads fill one. All names of a group stand
// for the same bytes, so there is one memory for all.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEALIASGROUPS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEALIASGROUPS_H

#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// The memory of one group of names.
struct PipelineAliasGroup {
  Operation *pipeline; ///< the first that has stages in it
  int64_t names;
  MemoryKind memory;
};

/// The groups of a function's pipelines, in their order; a diagnostic where names of one group are in two memories.
FailureOr<SmallVector<PipelineAliasGroup>> findPipelineAliasGroups(nv_tileaa::FuncOp func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEALIASGROUPS_H
