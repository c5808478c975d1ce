//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How values pass into the regions of an operation, between them, and out of them.
// Passes ask here and not the kind of loop or branch, so that an operation that
// implements RegionBranchOpInterface is walked through like all others.
//
// All ways count that the operation's form has, those that cannot be taken too (a loop of
// one round never goes back): types must agree along them all the same.
//
//   scf.for      init, yielded   ->  argument, result
//   scf.if       yielded         ->  result
//   scf.while    init, yielded   ->  argument of "before"
//                condition's     ->  argument of "after", result
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_REGIONFLOW_H
#define TILEIRAS_DIALECT_TILEAA_IR_REGIONFLOW_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::nv_tileaa {

/// Whether values pass through regions of `op`, or out of a region that it ends.
bool passesThroughRegions(Operation *op);

/// What `operand` becomes: arguments of regions, then results. Nothing if it goes nowhere (a bound, a condition), or if
/// its owner is not of the kind above.
SmallVector<Value, 2> getDestinations(OpOperand &operand);

/// What `value` may have been: operands of the operation, then of what ends its regions. Nothing if `value` is neither
/// an argument of a region nor a result of an operation with regions, or comes from nowhere (an induction variable).
SmallVector<OpOperand *, 2> getSources(Value value);

/// The results and arguments that pass on the same operands as `value`, itself among them: those of regions first.
SmallVector<Value, 2> getTwins(Value value);

/// All groups of values of `op`'s regions that are passed on to each other: in scf.for an init, the argument, what is
/// yielded, and the result. Those of one group have one type. In the order of their first operands.
SmallVector<SmallVector<Value>> getPassedTogether(Operation *op);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_REGIONFLOW_H
