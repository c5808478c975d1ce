//===- OrderInvariants.h - What has been done before a pass runs -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of pipelines have an order (docs/pipelines.md, "The order of the passes"). Compiler/PassOrder.h checks the
// order in which passes are asked for; these look at the function that a pass is given, and so find what was left out
// where somebody has written the function, or the list of passes, by hand. Each says which operation is not ready, and
// which pass it has been waiting for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ORDERINVARIANTS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ORDERINVARIANTS_H

#include "mlir/IR/Operation.h"

namespace mlir::nv_tileas {

/// Queues have become pipelines (tileas-queue-to-pipeline).
LogicalResult checkQueuesAreGone(Operation *func, StringRef pass);

/// Every loop that copies into shared tiles has a ring or is marked (tileas-materialize-async). Agents divide a
/// function for good: what they do in their loops is theirs.
LogicalResult checkCopiesHaveRings(Operation *func, StringRef pass);

/// Conversions between layouts in registers have a plan, and with it their shared tiles
/// (tileas-materialize-convert-layout): how many stages there is room for is final.
LogicalResult checkConversionsHavePlans(Operation *func, StringRef pass);

/// Nothing has been made to run ahead yet (tileas-unspecialized-pipeline): agents take loops as they are.
LogicalResult checkNothingRunsAhead(Operation *func, StringRef pass);

/// In every loop, what fills a ring has one stage, what empties it has one, and that is no earlier, and no more
/// iterations later than the ring has stages.
LogicalResult checkStagesAgree(Operation *func);

/// Products of scaled elements verify, also where verification between passes is off.
LogicalResult checkScaledProducts(Operation *func);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_ORDERINVARIANTS_H
