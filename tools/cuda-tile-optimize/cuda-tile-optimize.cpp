//===- cuda-tile-optimize.cpp - cuda_tile to better cuda_tile -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Runs the optimizer pipeline on a module, text or bytecode, and writes text or bytecode.
// Exit status: 0, or 1 after a diagnostic.
//===----------------------------------------------------------------------===//
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"
#include "tileiras/Support/TextFault.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("cuda-tile-optimize");
cl::opt<std::string> inputFile(cl::Positional, cl::desc("<text or bytecode>"), cl::init("-"), cl::cat(category));
cl::opt<std::string> outputFile("output-file", cl::desc("Where to write"), cl::value_desc("file"), cl::init("-"),
                                cl::cat(category));
cl::alias outputFileShort("o", cl::desc("--output-file"), cl::aliasopt(outputFile), cl::cat(category));
cl::opt<bool> emitBytecode("emit-bytecode", cl::desc("Write Tile IR bytecode instead of text"), cl::cat(category));
cl::opt<std::string> bytecodeVersion("bytecode-version", cl::desc("Version of the bytecode written"),
                                     cl::value_desc("major.minor"), cl::init(cuda_tile::v13_3.str()),
                                     cl::cat(category));
cl::opt<bool> quiet("quiet", cl::desc("Errors only: no warnings or remarks"), cl::cat(category));
cl::alias quietShort("q", cl::desc("--quiet"), cl::aliasopt(quiet), cl::cat(category));
cl::opt<bool> verbose("verbose", cl::desc("Say which passes run"), cl::cat(category));
cl::alias verboseShort("v", cl::desc("--verbose"), cl::aliasopt(verbose), cl::cat(category));
cl::opt<int> optLevel("opt-level", cl::desc("0 to 3"), cl::init(3), cl::cat(category));
cl::alias optLevelShort("O", cl::desc("--opt-level"), cl::aliasopt(optLevel), cl::Prefix, cl::cat(category));
cl::opt<bool> fuseFma("fuse-fma", cl::desc("Fuse products and sums; changes rounding"), cl::cat(category));
cl::opt<std::string> before("run-before-default-pipeline", cl::desc("Passes to run first"), cl::value_desc("passes"),
                            cl::cat(category));
cl::alias beforeShort("before", cl::desc("--run-before-default-pipeline"), cl::aliasopt(before), cl::cat(category));
cl::opt<std::string> after("run-after-default-pipeline", cl::desc("Passes to run last"), cl::value_desc("passes"),
                           cl::cat(category));
cl::alias afterShort("after", cl::desc("--run-after-default-pipeline"), cl::aliasopt(after), cl::cat(category));
cl::opt<bool> multithread("enable-multithread", cl::desc("Let passes use several threads"), cl::cat(category));
} // namespace

static int fail(const llvm::Twine &text) {
  llvm::errs() << "cuda-tile-optimize: error: " << text << "\n";
  return 1;
}

static LogicalResult swallowIfQuiet(Diagnostic &diag) {
  return success(quiet && diag.getSeverity() != DiagnosticSeverity::Error);
}

static OwningOpRef<ModuleOp> read(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext *context) {
  if (!cuda_tile::isTileIRBytecode(buffer->getBuffer())) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    SourceMgrDiagnosticHandler handler(sources, context);
    ScopedDiagnosticHandler filter(context, swallowIfQuiet); // asked before the other one
    StringRef text = sources.getMemoryBuffer(1)->getBuffer(), name = sources.getMemoryBuffer(1)->getBufferIdentifier();
    if (std::optional<tileiras::TextFault> fault = tileiras::findTextFault(text)) {
      emitError(FileLineColLoc::get(context, name, fault->line, fault->column)) << fault->message;
      return {};
    }
    return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  }
  OwningOpRef<cuda_tile::ModuleOp> kernels = cuda_tile::readBytecode(buffer->getMemBufferRef(), context);
  if (!kernels)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  module->push_back(kernels.release());
  return module;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cuda_tile::registerHintOptions();
  registerAsmPrinterCLOptions();
  registerPassManagerCLOptions();
  tileiras::registerAllPasses();
  cl::ParseCommandLineOptions(argc, argv, "open-tileiras optimizer of cuda_tile modules\n");
  if (optLevel < 0 || optLevel > 3)
    return fail("--opt-level takes 0 to 3, got " + llvm::Twine(optLevel.getValue()));
  std::optional<cuda_tile::BytecodeVersion> version = cuda_tile::BytecodeVersion::parse(bytecodeVersion);
  if (!version)
    return fail("--bytecode-version takes one of " + cuda_tile::BytecodeVersion::supportedRange() + ", got " +
                bytecodeVersion);

  DialectRegistry registry;
  registry.insert<cuda_tile::CudaTileDialect>();
  MLIRContext context(registry, multithread ? MLIRContext::Threading::ENABLED : MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(inputFile, &error);
  if (!buffer)
    return fail(error);
  ScopedDiagnosticHandler filter(&context, swallowIfQuiet);
  OwningOpRef<ModuleOp> module = read(std::move(buffer), &context);
  if (!module)
    return 1;
  if (!llvm::hasSingleElement(*module->getBody()) || !isa<cuda_tile::ModuleOp>(module->getBody()->front()))
    return fail("expected a single CUDA Tile IR module in the MLIR module");

  PassManager manager(&context, ModuleOp::getOperationName(), PassManager::Nesting::Implicit);
  if (failed(applyPassManagerCLOptions(manager)) || (!before.empty() && failed(parsePassPipeline(before, manager))))
    return 1;
  cuda_tile::OptimizePipelineOptions options;
  options.optLevel = optLevel;
  options.fuseFma = fuseFma;
  cuda_tile::buildOptimizePipeline(manager, options);
  if (!after.empty() && failed(parsePassPipeline(after, manager)))
    return 1;
  if (verbose) {
    manager.printAsTextualPipeline(llvm::errs());
    llvm::errs() << "\n";
  }
  if (failed(manager.run(*module)))
    return 1;

  std::string text;
  llvm::raw_string_ostream os(text);
  auto kernels = cast<cuda_tile::ModuleOp>(module->getBody()->front());
  if (emitBytecode) {
    if (failed(cuda_tile::writeBytecode(os, kernels, *version)))
      return 1;
  } else {
    kernels->print(os);
    os << "\n";
  }
  if (llvm::Error failure = tileiras::writeOutputFile(outputFile, text))
    return fail("cannot write '" + outputFile + "': " + llvm::toString(std::move(failure)));
  return 0;
}
