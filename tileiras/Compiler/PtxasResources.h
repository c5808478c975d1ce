//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What ptxas has made of a kernel: registers, spills, shared memory, barriers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PTXASRESOURCES_H
#define TILEIRAS_COMPILER_PTXASRESOURCES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tileiras {

/// Of one function.
struct PtxasResources {
  std::string function;
  unsigned registers = 0;   ///< of a thread
  unsigned barriers = 0;    ///< named barriers
  unsigned shared = 0;      ///< bytes of a block
  unsigned stack = 0;       ///< bytes of a thread
  unsigned spillStores = 0; ///< bytes of a thread
  unsigned spillLoads = 0;  ///< bytes of a thread
};

/// Reads the output of `ptxas -v`, as of CUDA 12 and 13:
///
///     ptxas info    : Compiling entry function 'k' for 'sm_90a'
///     ptxas info    : Function properties for k
///         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///     ptxas info    : Used 108 registers, used 1 barriers, 10240 bytes smem
std::vector<PtxasResources> parsePtxasResources(llvm::StringRef said);

/// A remark in the category `resources` for every kernel of `module` (in the llvm dialect).
void remarkResources(mlir::ModuleOp module, llvm::StringRef said);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PTXASRESOURCES_H
