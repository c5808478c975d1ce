//===- HostEmission.h - Code of the host ------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_HOSTEMISSION_H
#define TILEIRAS_CODEGEN_HOSTEMISSION_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tileiras {

/// "x86_64-unknown-linux-gnu" and the like, of what --host-arch and --host-os say.
std::string hostTriple(llvm::StringRef arch, llvm::StringRef os);

/// LLVM IR of what stands beside the kernels in `module` for the host (tileas-separate-host-tma), as text. The
/// functions are C functions; a compiler of the host makes objects of it.
mlir::LogicalResult emitHostCode(mlir::ModuleOp module, llvm::StringRef triple, std::string &text);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_HOSTEMISSION_H
