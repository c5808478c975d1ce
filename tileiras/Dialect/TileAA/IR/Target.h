//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The row of the target table that an operation is compiled for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TARGET_H
#define TILEIRAS_DIALECT_TILEAA_IR_TARGET_H

#include "mlir/IR/Operation.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileaa {

/// The target of `op`: what nv_tileaa.target_spec on it or the nearest parent names, else the target of
/// nv_tileaa.compute_capability. IR that names neither (a test of one pass) is compiled for the oldest target, whose
/// code runs everywhere. Null if the name is not in the table.
const ::tileiras::TargetInfo *getTarget(Operation *op);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_TARGET_H
