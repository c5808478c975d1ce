//===- PipelineMisses.h - Loops that could not be pipelined -----*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEMISSES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEMISSES_H

#include "mlir/IR/Operation.h"
#include "mlir/Pass/AnalysisManager.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nv_tileas {

/// An analysis of functions: the loops that tileas-unspecialized-pipeline has refused ("Failed to pipeline loop"). The
/// loops themselves it leaves as they were, so it says so here, to tileas-optimize-pipeline-region, which runs next.
struct PipelineMisses {
  explicit PipelineMisses(Operation *) {}
  bool isInside(Operation *op) const {
    for (; op; op = op->getParentOp())
      if (loops.contains(op))
        return true;
    return false;
  }
  llvm::SmallPtrSet<Operation *, 4> loops;
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_PIPELINEMISSES_H
