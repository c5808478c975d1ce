//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileiras-translate: from and to MLIR text, for tests and for people.
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllTranslations.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tileiras/Compiler/PTXEmission.h"
#include "tileiras/Compiler/Register.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

static llvm::cl::opt<std::string> gpuName("gpu-name", llvm::cl::desc("GPU for --llvm-to-ptx"),
                                          llvm::cl::init("sm_100"));

/// The back end alone: a module in the llvm dialect, as tileiras --emit=llvm prints it, to PTX.
static void registerLLVMToPTX() {
  static TranslateFromMLIRRegistration registration(
      "llvm-to-ptx", "PTX of the GPU modules of a module in the llvm dialect",
      [](Operation *op, llvm::raw_ostream &output) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError("expected a builtin.module");
        tileiras::CompileOptions options;
        options.gpuName = gpuName;
        std::string ptx;
        if (failed(tileiras::emitPTX(module, tileiras::Stage::PTX, options, ptx)))
          return failure();
        output << ptx;
        return success();
      },
      [](DialectRegistry &registry) { tileiras::registerCompilerDialects(registry); });
}

int main(int argc, char **argv) {
  registerToLLVMIRTranslation();
  registerLLVMToPTX();
  return failed(mlirTranslateMain(argc, argv, "open-tileiras translation tool"));
}
