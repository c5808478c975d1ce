//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the tool does as a process: it never dies without a message and a
// documented exit code, and it can tell which build it is.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_TILEIRAS_PROCESS_H
#define TOOLS_TILEIRAS_PROCESS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tileiras {

/// CPU time this process has used so far.
double processMilliseconds();

/// A signal that would kill the process, a stack overflow, LLVM's fatal errors and running out of memory become
/// "error: ..." on standard error and an exit code.
void installCrashHandlers();

/// The text of --version. Its last line differs between any two builds: front ends use the text as a cache key.
void printVersion(llvm::raw_ostream &os, llvm::StringRef tool, llvm::StringRef what);

} // namespace tileiras

#endif // TOOLS_TILEIRAS_PROCESS_H
