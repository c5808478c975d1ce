//===- TensorMemory.h - Tensor memory of a kernel ---------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel whose tiles are in tensor memory takes columns of it when it begins and gives them back when it ends. Beside
// the address of the columns its shared memory holds an mbarrier, at which products arrive when they are done. How many
// phases it has completed is a variable of each thread, which LLVM turns into registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// Takes and gives back the tensor memory of a kernel, if it has tiles there; `func` has its nv_tileas.global_smem.
/// Fails with a diagnostic.
LogicalResult openTensorMemory(func::FuncOp func);

/// Behind the conversion: drops the marks by which TensorMemory::of finds things.
void closeTensorMemory(func::FuncOp func);

/// Marks products before which the threads have to meet.
void planProductBarriers(Operation *func);

/// What a kernel knows of its tensor memory.
struct TensorMemory {
  Value base;    ///< i32: the address of its first column
  Value barrier; ///< i32: address of the mbarrier in shared memory
  Value phase;   ///< pointer to the variable: the parity of the phase that completes next

  /// Of the kernel that is being built.
  static TensorMemory of(Emitter &e);
  /// All threads wait until the product that was committed last is done.
  void wait(Emitter &e) const;
};

void populateTensorMemoryPatterns(const TileLLVMTypeConverter &, RewritePatternSet &, const LoweringOptions &);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_TENSORMEMORY_H
