//===- BytecodeReaderFuzzer.cpp - Any bytes as Tile IR bytecode -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Whatever the bytes are, reading reports an error or gives a module that prints and survives another trip.
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Bytecode.h"

using namespace mlir;

static std::string print(cuda_tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  unsigned numErrors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    numErrors += diag.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  ArrayRef<char> bytes(reinterpret_cast<const char *>(data), size);
  OwningOpRef<cuda_tile::ModuleOp> module = cuda_tile::readBytecode(bytes, &context);
  if (!module) {
    if (numErrors == 0)
      __builtin_trap(); // refused without a word
    return 0;
  }
  std::string text = print(*module), again;
  llvm::raw_string_ostream os(again);
  if (failed(cuda_tile::writeBytecode(os, *module, *cuda_tile::peekBytecodeVersion(StringRef(bytes.data(), size)))))
    __builtin_trap();
  OwningOpRef<cuda_tile::ModuleOp> decoded = cuda_tile::readBytecode(again, &context);
  if (!decoded || print(*decoded) != text)
    __builtin_trap();
  return 0;
}
