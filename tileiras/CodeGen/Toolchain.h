//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the two pieces of a CUDA toolkit that the compiler can use: the
// assembler ptxas and the bitcode library libdevice. Neither is needed for PTX
// output of kernels without libm-grade functions.
//
// The order: what the user names, next to our own executable (front ends
// remove CUDA_HOME from our environment), CUDA_HOME / CUDA_PATH / CUDA_ROOT,
// PATH, Python wheels (nvidia/cu13, nvidia/cuda_nvcc), /usr/local/cuda*,
// /opt/cuda.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_TOOLCHAIN_H
#define TILEIRAS_CODEGEN_TOOLCHAIN_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tileiras {

/// Toolkit roots (folders that may hold bin/ptxas and nvvm/libdevice), best first. Not all of them exist.
std::vector<std::string> toolkitRoots();

/// Path of ptxas, or empty. `named` is the user's choice: a file, or a folder holding it; if it is not empty, nothing
/// else is tried.
std::string findPtxas(llvm::StringRef named = "");

/// Path of libdevice.10.bc, or empty. `named` as above; "none" gives an empty result.
std::string findLibdevice(llvm::StringRef named = "");

struct ProcessResult {
  int exitCode = -1;         ///< -1: not started or killed by a signal
  std::string failure;       ///< why it could not be started, or which signal ended it
  std::string standardError; ///< what it wrote to both of its output streams
};

/// `program` with `arguments`, begun; `{in}` in an argument stands for a file that holds `input`, `{out}` for a file
/// whose bytes become `output` when it is waited for. Both are anonymous memory, so nothing is left behind however this
/// process ends, and the child is ended with the thread that began it. Several run at a time:
///
///     RunningTool one(ptxas, arguments, text), other(ptxas, arguments, otherText);
///     one.wait(cubin), other.wait(otherCubin);
class RunningTool {
public:
  RunningTool(llvm::StringRef program, const std::vector<std::string> &arguments, llvm::StringRef input);
  RunningTool(RunningTool &&other);
  RunningTool &operator=(RunningTool &&) = delete;
  /// Ends it if nobody has waited for it.
  ~RunningTool();

  /// Once.
  ProcessResult wait(std::string &output);

private:
  ProcessResult failed(const char *what);

  ProcessResult result;
  int child = -1;              ///< process
  int out = -1, messages = -1; ///< files: what it makes, and what it says
};

/// Begins it and waits for it.
ProcessResult runTool(llvm::StringRef program, const std::vector<std::string> &arguments, llvm::StringRef input,
                      std::string &output);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_TOOLCHAIN_H
