//===- PrintPhase.h - Prints come first -------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_PRINTPHASE_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_PRINTPHASE_H

#include "mlir/IR/Operation.h"

namespace mlir::tilellvm {

/// Whether the prints of a kernel can be taken apart into pieces for printf, which is asked before anything else is
/// converted. If not, says which one, and "fails to decompose print ops".
LogicalResult checkPrints(Operation *func);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_PRINTPHASE_H
