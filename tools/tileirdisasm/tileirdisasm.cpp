//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileirdisasm: prints Tile IR bytecode as text. Front ends that show the code
// they generate look for a tool of this name beside tileiras.
//
//===----------------------------------------------------------------------===//

#include "../tileiras/Process.h"
#include "../tileiras/Tools.h"
#include "mlir/IR/AsmState.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tileiras;
namespace cl = llvm::cl;

static int fail(Status status, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return static_cast<int>(status);
}

int tileiras::tileirdisasmMain(int argc, char **argv) {
  installCrashHandlers();
  cl::OptionCategory category("tileirdisasm options");
  cl::opt<std::string> inputFile(cl::Positional, cl::desc("<bytecode file, or - for standard input>"), cl::init("-"),
                                 cl::cat(category));
  cl::opt<std::string> outputFile("o", cl::desc("Output file"), cl::init("-"), cl::value_desc("file"),
                                  cl::cat(category));
  cl::opt<bool> debugInfo("print-debug-info", cl::desc("Print locations"), cl::cat(category));
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { printVersion(os, "tileirdisasm", "disassembler"); });
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, "Tile IR disassembler\n", &llvm::errs()))
    return static_cast<int>(Status::AllocationFailure);

  auto input = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!input)
    return fail(Status::AllocationFailure, "cannot read '" + inputFile + "': " + input.getError().message());
  DialectRegistry registry;
  registry.insert<cuda_tile::CudaTileDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(context, llvm::errs(), **input);
  OwningOpRef<ModuleOp> module;
  if (Status status = parseInput(**input, context, module, CompileOptions()); status != Status::Success)
    return static_cast<int>(status);

  OpPrintingFlags flags;
  if (debugInfo)
    flags.enableDebugInfo(true, /*prettyForm=*/false);
  std::string text;
  llvm::raw_string_ostream os(text);
  // The bytecode has no builtin.module around its kernels.
  for (Operation &op : *module->getBody()) {
    op.print(os, flags);
    os << "\n";
  }
  if (llvm::Error error = writeOutputFile(outputFile, text))
    return fail(Status::AllocationFailure, "cannot write '" + outputFile + "': " + llvm::toString(std::move(error)));
  return 0;
}
