//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Diagnostics and remarks of a compilation as JSON, for programs:
//
//   {"severity": "error", "message": "...", "file": "k.py", "line": 12, "column": 5, "notes": [...]}
//   {"kind": "missed", "category": "vectorise", "name": "AccessWidth", "function": "softmax", "file": ..., "line": ...,
//    "column": ..., "args": {"Reason": "...", "Bytes": "4"}}
//
// Lines and columns count from 1; where there is no location, the three keys are missing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EXPLORER_REMARKCOLLECTOR_H
#define TILEIRAS_EXPLORER_REMARKCOLLECTOR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace tileiras::explorer {

/// Valid UTF-8, whatever it was.
std::string utf8(llvm::StringRef text);

/// Adds "file", "line" and "column" of `loc`, if it has them.
void addPosition(llvm::json::Object &object, mlir::Location loc);

/// Keeps the diagnostics of a context while alive, and hands them on to the handler that was there before.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext &context);
  llvm::json::Array take() { return std::move(diagnostics); }

private:
  llvm::json::Array diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

/// "all", or "schedule,layout" -> ^(schedule|layout)$, which categories of remarks are matched with. Nothing, and why,
/// for a category that does not exist.
std::optional<std::string> remarkPattern(llvm::StringRef list, std::string &error);

/// Makes the context keep its remarks in `remarks`, which must outlive the context. `categories`: as for
/// remarkPattern, or nothing for none. False, and why, for a category that does not exist.
bool collectRemarks(mlir::MLIRContext &context, llvm::StringRef categories, llvm::json::Array &remarks,
                    std::string &error);

} // namespace tileiras::explorer

#endif // TILEIRAS_EXPLORER_REMARKCOLLECTOR_H
