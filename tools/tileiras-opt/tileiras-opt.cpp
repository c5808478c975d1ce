//===- tileiras-opt.cpp - Runs passes on MLIR text ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/PassOrder.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"
#include "tileiras/Support/TextFault.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

static llvm::cl::opt<bool> testingOps(llvm::StringRef(mlir::cuda_tile::testingOpsFlag),
                                      llvm::cl::desc("Allow cuda_tile.testing$func"));

/// MlirOptMain, with lists of passes refused that no order of pipelines allows.
static mlir::LogicalResult run(int argc, char **argv, llvm::StringRef inputFile, llvm::StringRef outputFile,
                               mlir::DialectRegistry &registry) {
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, inputFile, outputFile, registry);
  llvm::InitLLVM init(argc, argv);
  config.setPassPipelineSetupFn([asked = config](mlir::PassManager &manager) -> mlir::LogicalResult {
    if (failed(asked.setupPassPipeline(manager)))
      return mlir::failure();
    return tileiras::checkPassOrder(manager, [](const llvm::Twine &message) {
      llvm::errs() << "error: pass pipeline: " << message << "\n";
      return mlir::failure();
    });
  });
  if (inputFile == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(reading from the terminal; end with control-D)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = mlir::openInputFile(inputFile, &error);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? mlir::openOutputFile(outputFile, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (failed(mlir::MlirOptMain(output->os(), std::move(input), registry, config)))
    return mlir::failure();
  output->keep();
  return mlir::success();
}

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
  return output.finish(failed(run(argc, argv, inputFile, outputFile, registry)));
}
