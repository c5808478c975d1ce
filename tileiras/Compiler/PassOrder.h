//===- PassOrder.h - The order of the passes of pipelines -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which pass has to come before which, as data (docs/pipelines.md, "The order of the passes"). Asked wherever a list of
// passes is built: by buildTileIRPipeline, and by tileiras-opt for lists that somebody has written.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PASSORDER_H
#define TILEIRAS_COMPILER_PASSORDER_H

#include "mlir/Pass/PassManager.h"

namespace tileiras {

/// Refuses a list in which the second pass of a rule comes before the first one. A list that has only one of them is in
/// order: the module it is for may have been through the other.
mlir::LogicalResult checkPassOrder(mlir::OpPassManager &manager,
                                   llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PASSORDER_H
