//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Output files that are complete or not there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_OUTPUTFILE_H
#define TILEIRAS_COMPILER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <thread>

namespace tileiras {

/// Writes all of `bytes` to `file` or fails. A regular file appears under its name only when it is complete: on a full
/// disk, beyond a file size limit or after a signal there is neither a part of it nor a temporary file, and what had
/// the name before keeps it. Devices and pipes (`/dev/null`) are written in place, `-` is standard output.
llvm::Error writeOutputFile(llvm::StringRef file, llvm::StringRef bytes);

/// The same for tools whose `main` is MLIR's, which opens the file of `-o` itself. It gets a pipe instead, and the file
/// is written when the tool has succeeded:
///
///     tileiras::OutputOfTool output(argc, argv);
///     return output.finish(toolMain(argc, argv));
class OutputOfTool {
public:
  /// Replaces the file of `-o` in the command line, if there is one.
  OutputOfTool(int argc, char **argv);
  ~OutputOfTool();
  /// Writes the file if `status` is 0. The exit status of the process; what went wrong is on standard error.
  int finish(int status);

private:
  void close();

  std::string file, pipe, option, bytes;
  int writeEnd = -1;
  std::thread reader;
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_OUTPUTFILE_H
