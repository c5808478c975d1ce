//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Diagnostics.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tileiras {

/// An input with thousands of errors is one mistake seen thousands of times.
static constexpr unsigned kMaxErrors = 20;

DiagnosticPrinter::DiagnosticPrinter(MLIRContext &context, llvm::raw_ostream &os, llvm::MemoryBufferRef input,
                                     bool remarks)
    : os(os), input(input), remarks(remarks), handler(&context, [this](Diagnostic &diagnostic) {
        print(diagnostic);
        return success();
      }) {}

static std::string validUtf8(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

/// Line `number` (from 1) of `text`, empty when there is none.
static StringRef lineOf(StringRef text, unsigned number) {
  while (number > 1 && !text.empty()) {
    text = text.split('\n').second;
    --number;
  }
  return number == 1 ? text.split('\n').first.rtrim('\r') : StringRef();
}

void DiagnosticPrinter::printLine(Location loc, StringRef severity, StringRef message) {
  std::optional<FileLineColLoc> position = findFilePosition(loc);
  if (position)
    os << "loc(\"" << validUtf8(position->getFilename().getValue()) << "\":" << position->getLine() << ":"
       << position->getColumn() << "): ";
  os << severity << ": " << validUtf8(message) << "\n";
  if (!position || position->getFilename().getValue() != input.getBufferIdentifier())
    return;
  StringRef line = lineOf(input.getBuffer(), position->getLine());
  unsigned column = position->getColumn();
  // Nobody wants to see a page of a generated file.
  if (line.trim().empty() || line.size() > 200 || column == 0 || column > line.size() + 1)
    return;
  os << "  " << validUtf8(line) << "\n  ";
  for (char c : line.take_front(column - 1))
    os << (c == '\t' ? '\t' : ' ');
  os << "^\n";
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  StringRef severity;
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    severity = "error";
    // MLIR's own words after those of the pattern that gave up, which say why.
    if (errors != 0 && StringRef(diagnostic.str()).starts_with("failed to legalize operation"))
      return;
    if (++errors > kMaxErrors) {
      if (errors == kMaxErrors + 1)
        os << "note: further errors are not shown\n";
      return;
    }
    break;
  case DiagnosticSeverity::Warning:
    severity = "warning";
    break;
  case DiagnosticSeverity::Remark:
    if (!remarks)
      return;
    severity = "remark";
    break;
  case DiagnosticSeverity::Note:
    severity = "note";
    break;
  }
  printLine(diagnostic.getLocation(), severity, diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    printLine(note.getLocation(), "note", note.str());
  os.flush();
}

} // namespace tileiras
