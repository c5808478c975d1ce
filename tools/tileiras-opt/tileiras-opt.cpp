//===- tileiras-opt.cpp - Runs passes on MLIR text ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"
#include "tileiras/Support/TextFault.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::opt<bool> testingOps(llvm::StringRef(mlir::cuda_tile::testingOpsFlag),
                                      llvm::cl::desc("Allow cuda_tile.testing$func"));

int main(int argc, char **argv) {
  if (std::string error = tileiras::checkTextFiles(argc, argv); !error.empty()) {
    llvm::errs() << error << "\n";
    return 1;
  }
  tileiras::registerAllPasses();
  mlir::DialectRegistry registry;
  tileiras::registerAllDialects(registry);
  tileiras::OutputOfTool output(argc, argv);
  auto [inputFile, outputFile] = mlir::registerAndParseCLIOptions(argc, argv, "open-tileiras optimizer\n", registry);
  if (testingOps)
    mlir::cuda_tile::addTestingOps(registry);
  return output.finish(failed(mlir::MlirOptMain(argc, argv, inputFile, outputFile, registry)));
}
