//===- BytecodeTestUtil.h - Helpers of the bytecode tests -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_BYTECODE_BYTECODETESTUTIL_H
#define TILEIRAS_UNITTESTS_BYTECODE_BYTECODETESTUTIL_H

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace tileiras_test {
using namespace mlir;
namespace ct = mlir::cuda_tile;

/// A context whose diagnostics are collected as one text.
class BytecodeTest : public ::testing::Test {
protected:
  BytecodeTest()
      : context(MLIRContext::Threading::DISABLED), handler(&context, [this](Diagnostic &diag) {
          messages += diag.str() + "\n";
          if (diag.getSeverity() == DiagnosticSeverity::Error)
            ++numErrors;
          locations.push_back(diag.getLocation());
          return success();
        }) {
    context.loadDialect<ct::CudaTileDialect>();
  }

  OwningOpRef<ct::ModuleOp> read(StringRef bytes) {
    messages.clear();
    return ct::readBytecode(ArrayRef(bytes.data(), bytes.size()), &context);
  }

  OwningOpRef<ct::ModuleOp> parse(StringRef text) {
    messages.clear();
    OwningOpRef<mlir::ModuleOp> outer = parseSourceString<mlir::ModuleOp>(text, ParserConfig(&context));
    if (!outer || outer->getBody()->empty() || !isa<ct::ModuleOp>(outer->getBody()->front()))
      return {};
    auto module = cast<ct::ModuleOp>(outer->getBody()->front());
    module->remove();
    return OwningOpRef<ct::ModuleOp>(module);
  }

  /// The bytes, or an empty string on failure.
  std::string write(ct::ModuleOp module, ct::BytecodeVersion version) {
    messages.clear();
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    if (failed(ct::writeBytecode(os, module, version)))
      return {};
    return bytes;
  }

  static std::string print(Operation *op, OpPrintingFlags flags = {}) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, flags);
    return text;
  }

  /// Text -> bytes.
  std::string assemble(StringRef text, ct::BytecodeVersion version = ct::v13_4) {
    OwningOpRef<ct::ModuleOp> module = parse(text);
    return module ? write(*module, version) : std::string();
  }

  /// For test/Dialect/diagnostics.py: the diagnostics that a test has compared with what it expects.
  void logCompared(StringRef expected) const {
    const char *path = std::getenv("TILEIRAS_DIAGNOSTICS_LOG");
    if (!path || !StringRef(messages).contains(expected))
      return;
    std::error_code error;
    llvm::raw_fd_ostream(path, error, llvm::sys::fs::OF_Append) << messages;
  }

  MLIRContext context;
  std::string messages;
  SmallVector<Location> locations;
  unsigned numErrors = 0;
  ScopedDiagnosticHandler handler;
};

/// "7f 54 | 69" -> bytes. Everything that is not a hexadecimal digit separates; `cb*3` repeats.
inline std::string hexBytes(StringRef text) {
  std::string bytes;
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, false);
  for (StringRef word : words) {
    unsigned times = 1, value;
    auto [hex, repeat] = word.trim().split('*');
    if (!repeat.empty() && repeat.getAsInteger(10, times))
      ADD_FAILURE() << "bad repeat in " << word.str();
    if (hex.getAsInteger(16, value))
      ADD_FAILURE() << "bad byte in " << word.str();
    bytes.append(times, static_cast<char>(value));
  }
  return bytes;
}

inline std::string bytesHex(StringRef bytes) { return llvm::toHex(bytes, /*LowerCase=*/true); }

} // namespace tileiras_test

#endif // TILEIRAS_UNITTESTS_BYTECODE_BYTECODETESTUTIL_H
