//===- tileiras-lsp-server.cpp - cuda_tile and our dialects in editors ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// MLIR's language server over standard input and output, knowing our dialects (docs/editor.md).
//===----------------------------------------------------------------------===//
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

int main(int argc, char **argv) {
  // -Wunsupported-hints shows hints that are ignored while one types them.
  mlir::cuda_tile::registerHintOptions();
  mlir::DialectRegistry registry;
  tileiras::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
