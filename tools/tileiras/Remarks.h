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

namespace tileiras {

/// The three flags; must exist before the command line is parsed.
struct RemarkFlags {
  explicit RemarkFlags(llvm::cl::OptionCategory &category);

  /// Turns the remark engine of `context` on, as the flags say.
  Status enable(mlir::MLIRContext &context, std::string &error) const;
  bool any() const { return !categories.empty(); }

private:
  llvm::cl::opt<std::string> categories, format, file;
};

} // namespace tileiras

#endif // TOOLS_TILEIRAS_REMARKS_H
