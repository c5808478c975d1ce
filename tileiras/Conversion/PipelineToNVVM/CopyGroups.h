//===- CopyGroups.h - Rings that groups of cp.async fill --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A ring with `groups` has no barriers that say which stage is full or empty. Two things take their place, and both are
// checked here and not assumed:
//
//   full    The commits are numbered in the order in which they happen, so "the stage's copies are done" is "at most so
//           many later groups are under way", a number known when the program is compiled. Groups of other rings that
//           stand beside this one count, too.
//   empty   Between the release of a stage and the next acquire of it all threads meet, in some wait. Where they do
//           not, the acquire makes them.
//
// For that, all operations of the ring stand in one block or in loops directly inside of it, where iterators move on by
// one stage in every iteration.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_PIPELINETONVVM_COPYGROUPS_H
#define TILEIRAS_CONVERSION_PIPELINETONVVM_COPYGROUPS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

namespace tileiras {

struct CopyGroups {
  /// By consumer_wait: groups that may still be under way behind it.
  llvm::DenseMap<mlir::Operation *, int64_t> pending;
  /// producer_acquires before which all threads have to meet.
  llvm::DenseSet<mlir::Operation *> meet;

  /// Of a ring with `groups`. Fails with a diagnostic at the operation that does not fit.
  static mlir::FailureOr<CopyGroups> of(mlir::nv_tileas::CreatePipelineOp ring);
};

} // namespace tileiras

#endif // TILEIRAS_CONVERSION_PIPELINETONVVM_COPYGROUPS_H
