//===- tileiras-opt.cpp - Runs passes on MLIR text ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileiras/Compiler/Register.h"

int main(int argc, char **argv) {
  tileiras::registerAllPasses();
  mlir::DialectRegistry registry;
  tileiras::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "open-tileiras optimizer\n", registry));
}
