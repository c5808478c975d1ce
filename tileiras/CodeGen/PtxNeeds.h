//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a module's operations need of the code generator. Found where they are still
// operations with names, and kept on the gpu.module: convert-nvvm-to-llvm makes inline
// PTX of many of them, of which nobody wants to read the text again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_PTXNEEDS_H
#define TILEIRAS_CODEGEN_PTXNEEDS_H

#include "mlir/IR/Operation.h"

namespace tileiras {

struct PtxNeeds {
  /// The lowest PTX version, times ten, that has what is used. At least 8.0 (CUDA 12.0), which all drivers that take
  /// tile kernels know, and which has clusters, TMA, wgmma, mbarrier transactions and elect.sync.
  int version = 80;
  /// There are products of warpgroups, whose accumulators must not be moved before they have been waited for.
  bool asynchronousProducts = false;
};

/// What `root` and the operations in it need. Of a gpu.module with a record, only what the record does not know: what
/// became of functions and of memory accesses since.
PtxNeeds findPtxNeeds(mlir::Operation *root);

/// Keeps the above as attributes on `module` (kPtxVersionAttr, kAsyncProductsAttr in Dialect/NVGPU/Contract.h).
void recordPtxNeeds(mlir::Operation *module);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_PTXNEEDS_H
