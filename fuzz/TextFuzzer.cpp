//===- TextFuzzer.cpp - Any text as a cuda_tile module --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Parser and verifier of the dialect. What they accept must print, and the text must mean the same again.
//===----------------------------------------------------------------------===//
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

using namespace mlir;

static std::string print(Operation *op, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  // Nested brackets recurse in MLIR's own parser, which is not what is tested here.
  if (size > 65536 || text.count('{') + text.count('<') + text.count('[') + text.count('(') > 512)
    return 0;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  // The parser wants a terminating NUL.
  std::string copy = text.str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(copy, ParserConfig(&context));
  if (!module)
    return 0;
  std::string generic = print(*module, true);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(print(*module, false), ParserConfig(&context));
  if (!again || print(*again, true) != generic)
    __builtin_trap();
  return 0;
}
