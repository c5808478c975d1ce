//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileiras-translate: from and to MLIR text and Tile IR bytecode, for tests and for people.
//
//===----------------------------------------------------------------------===//

#include "mlir/InitAllTranslations.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tileiras/Bytecode/Bytecode.h"

#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"
#include "tileiras/Support/TextFault.h"
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
        if (failed(tileiras::emitPTX(module, tileiras::emissionOptions(options, tileiras::Stage::PTX), ptx)))
          return failure();
        output << ptx;
        return success();
      },
      [](DialectRegistry &registry) { tileiras::registerCompilerDialects(registry); });
}

//===----------------------------------------------------------------------===//
// Tile IR bytecode
//===----------------------------------------------------------------------===//

static llvm::cl::opt<std::string> bytecodeVersion("bytecode-version",
                                                  llvm::cl::desc("Version of Tile IR bytecode to write"),
                                                  llvm::cl::init(cuda_tile::BytecodeVersion::latest().str()),
                                                  llvm::cl::value_desc("major.minor"));
static llvm::cl::opt<bool> genericForm("generic-form", llvm::cl::desc("--test-cudatile-roundtrip prints generic ops"));
static llvm::cl::opt<bool> listVersions("list-versions", llvm::cl::desc("List the versions of Tile IR bytecode"),
                                        llvm::cl::ValueDisallowed, llvm::cl::callback([](const bool &) {
                                          for (cuda_tile::BytecodeVersion version : cuda_tile::BytecodeVersion::all())
                                            llvm::outs() << version.str() << "\n";
                                          llvm::outs().flush();
                                          std::exit(0);
                                        }));

static llvm::cl::opt<bool> testingOps(llvm::StringRef(cuda_tile::testingOpsFlag),
                                      llvm::cl::desc("Allow cuda_tile.testing$func in text"));

/// The cuda_tile module that `op` is, or the only one it holds.
static FailureOr<cuda_tile::ModuleOp> findKernels(Operation *op) {
  if (auto kernels = dyn_cast<cuda_tile::ModuleOp>(op))
    return kernels;
  if (auto module = dyn_cast<ModuleOp>(op); module && llvm::hasSingleElement(*module.getBody()))
    if (auto kernels = dyn_cast<cuda_tile::ModuleOp>(module.getBody()->front()))
      return kernels;
  op->emitError("expected a single CUDA Tile IR module in the MLIR module");
  return failure();
}

static LogicalResult writeKernels(Operation *op, llvm::raw_ostream &output) {
  // The request first: it is wrong whatever the module is.
  std::optional<cuda_tile::BytecodeVersion> version = cuda_tile::BytecodeVersion::parse(bytecodeVersion);
  if (!version)
    return emitError(UnknownLoc::get(op->getContext()))
           << "Invalid argument '" << bytecodeVersion.getValue() << "': the supported versions are ["
           << cuda_tile::BytecodeVersion::supportedRange() << "]";
  FailureOr<cuda_tile::ModuleOp> kernels = findKernels(op);
  if (failed(kernels))
    return failure();
  return cuda_tile::writeBytecode(output, *kernels, *version);
}

static void registerBytecode() {
  auto registerDialects = [](DialectRegistry &registry) {
    registry.insert<cuda_tile::CudaTileDialect>();
    if (testingOps)
      cuda_tile::addTestingOps(registry);
  };
  static TranslateFromMLIRRegistration toBytecode("mlir-to-cudatilebc", "cuda_tile text to Tile IR bytecode",
                                                  writeKernels, registerDialects);
  static TranslateToMLIRRegistration fromBytecode(
      "cudatilebc-to-mlir", "Tile IR bytecode to cuda_tile text",
      [](llvm::StringRef bytes, MLIRContext *context) -> OwningOpRef<Operation *> {
        return cuda_tile::readBytecode(ArrayRef(bytes.data(), bytes.size()), context).release().getOperation();
      },
      registerDialects);
  static TranslateFromMLIRRegistration roundTrip(
      "test-cudatile-roundtrip", "cuda_tile text to bytecode and back to text",
      [](Operation *op, llvm::raw_ostream &output) -> LogicalResult {
        std::string bytes;
        llvm::raw_string_ostream os(bytes);
        if (failed(writeKernels(op, os)))
          return failure();
        auto kernels = cuda_tile::readBytecode(ArrayRef(bytes.data(), bytes.size()), op->getContext());
        if (!kernels)
          return failure();
        OpPrintingFlags flags; // honours --mlir-print-debuginfo and its kin
        if (genericForm)
          flags.printGenericOpForm();
        kernels->print(output, flags);
        output << "\n";
        return success();
      },
      registerDialects);
}

int main(int argc, char **argv) {
  if (std::string error = tileiras::checkTextFiles(argc, argv); !error.empty()) {
    llvm::errs() << error << "\n";
    return 1;
  }
  registerToLLVMIRTranslation();
  registerLLVMToPTX();
  registerBytecode();
  cuda_tile::registerHintOptions();
  tileiras::OutputOfTool output(argc, argv);
  return output.finish(failed(mlirTranslateMain(argc, argv, "open-tileiras translation tool")));
}
