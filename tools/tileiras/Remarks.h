//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// --remarks, --remark-format, --remarks-output-file: the optimization remarks of
// the passes, for people (on standard error) or for front ends (YAML file).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_TILEIRAS_REMARKS_H
#define TOOLS_TILEIRAS_REMARKS_H

#include "tileiras/Compiler/Compiler.h"
#include "llvm/Support/CommandLine.h"
#include <optional>

namespace tileiras {

/// The three flags; must exist before the command line is parsed.
struct RemarkFlags {
  explicit RemarkFlags(llvm::cl::OptionCategory &category);

  /// Turns the remark engine of `context` on, as the flags say; `verbose` prints all of them for people, if no flag
  /// says otherwise.
  Status enable(mlir::MLIRContext &context, bool verbose, std::string &error);
  bool any() const { return !categories.empty(); }
  /// Writes the file, if there is to be one: also of a compilation that failed.
  Status write(std::string &error) const;

private:
  llvm::cl::opt<std::string> categories, format, file;
  std::optional<std::string> yaml; ///< what goes into the file
};

} // namespace tileiras

#endif // TOOLS_TILEIRAS_REMARKS_H
