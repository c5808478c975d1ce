//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How diagnostics are printed. Front ends read them line by line:
//
//   loc("kernel.py":12:5): error: message
//   error: message without a location
//
// so every location, however it is nested, is reduced to one file position.
// When the position is in the input text, the line and a caret follow. Only
// valid UTF-8 is printed; front ends decode strictly.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_DIAGNOSTICS_H
#define TILEIRAS_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "tileiras/Remark/FilePosition.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tileiras {

/// Prints the diagnostics of a context while alive. Remarks only when `remarks` is set.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(mlir::MLIRContext &context, llvm::raw_ostream &os, llvm::MemoryBufferRef input = {},
                    bool remarks = false);

  unsigned errorCount() const { return errors; }

private:
  void print(mlir::Diagnostic &diagnostic);
  void printLine(mlir::Location loc, llvm::StringRef severity, llvm::StringRef message);

  llvm::raw_ostream &os;
  llvm::MemoryBufferRef input;
  bool remarks;
  unsigned errors = 0;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_DIAGNOSTICS_H
