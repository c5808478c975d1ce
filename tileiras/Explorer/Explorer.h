//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What became of a kernel, as one JSON object and as one page (docs/explorer.md).
//
//   explore    compiles a module and keeps the text of every stage with the source positions of its lines, remarks,
//              layouts and resources
//   makePage   that object, and perhaps the prediction of `tileiras-run --time-json` and its `--trace`, as one HTML
//              file that needs no other file and no network
//
// The object:
//
//   "version", "target" {"name", "compiled_as", ...}, "options" {...}, "status" (exit code of tileiras)
//   "files"      [{"name", "text"}]: the input, and files that locations name, if they can be read
//   "stages"     [{"name", "text", "locations": [[line of the text, file, line, column], ...]}], in the order of the
//                pipeline; "ptx" is the last. Lines count from 1, files from 0; a line may have several positions
//   "layouts"    [{"type", "shape", "memory", "bases": {"register": [[...]], ...}}]: of the stage tileas
//   "layout_uses" [[line of the stage tileas, layout], ...]
//   "remarks", "diagnostics"    as RemarkCollector.h has them
//   "resources"  [{"Function", "Registers", "SpillStoreBytes", ...}], where ptxas was asked
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EXPLORER_EXPLORER_H
#define TILEIRAS_EXPLORER_EXPLORER_H

#include "tileiras/Compiler/Compiler.h"
#include "llvm/Support/JSON.h"

namespace tileiras::explorer {

struct Request {
  llvm::MemoryBufferRef input;
  CompileOptions options; ///< `emit` is not asked: all stages up to PTX, and ptxas if `assemble`
  bool assemble = false;  ///< ask ptxas for registers and spills, where there is one
};

/// Never fails: what went wrong is among the diagnostics, and the stages end where it did.
llvm::json::Object explore(const Request &request);

/// `timing` and `trace` are JSON text, or empty; what is no JSON is an error in `error`, and there is no page.
std::string makePage(const llvm::json::Object &facts, llvm::StringRef timing, llvm::StringRef trace,
                     std::string &error);

} // namespace tileiras::explorer

#endif // TILEIRAS_EXPLORER_EXPLORER_H
