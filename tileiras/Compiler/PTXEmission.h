//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// llvm dialect -> LLVM IR -> PTX.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PTXEMISSION_H
#define TILEIRAS_COMPILER_PTXEMISSION_H

#include "tileiras/Compiler/Compiler.h"

namespace tileiras {

/// Translates the code of every gpu.module in `module` (in the llvm dialect), links what it needs of libdevice,
/// optimizes, and prints PTX; with stage LLVMIR the optimized LLVM IR instead.
mlir::LogicalResult emitPTX(mlir::ModuleOp module, Stage stage, const CompileOptions &options, std::string &text);

/// The lowest PTX version, times ten, that has what the operations in `module` use; 0 when nothing asks for one.
int requiredPtxVersion(mlir::ModuleOp module);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PTXEMISSION_H
