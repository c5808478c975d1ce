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

namespace tileiras {

/// Writes all of `bytes` to `file` or fails. A regular file appears under its name only when it is complete: on a full
/// disk, beyond a file size limit or after a signal there is neither a part of it nor a temporary file, and what had
/// the name before keeps it. Devices and pipes (`/dev/null`) are written in place, `-` is standard output.
llvm::Error writeOutputFile(llvm::StringRef file, llvm::StringRef bytes);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_OUTPUTFILE_H
