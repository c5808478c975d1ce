//===- AccessRuns.h - Neighbours in the registers of a thread ---*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_ACCESSRUNS_H
#define TILEIRAS_DIALECT_TILEAS_IR_ACCESSRUNS_H

#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {

/// Whether each thread holds aligned groups of `vec` neighbours along dimension d in registers: what an access needs
/// that moves so many at once.
bool hasRuns(const tileiras::LinearLayout &layout, unsigned d, uint32_t vec);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_ACCESSRUNS_H
