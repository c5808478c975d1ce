//===- TileFuncToLLVM.h - The function boundary -----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEFUNCTOLLVM_TILEFUNCTOLLVM_H
#define TILEIRAS_CONVERSION_TILEFUNCTOLLVM_TILEFUNCTOLLVM_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir {

/// convert-nv-tile-func-to-llvm: nv_tileaa.func and return to func.func and return with LLVM-typed signatures; kernels
/// get their launch shape as nvvm attributes and the marker cute.kernel.
std::unique_ptr<Pass> createConvertTileFuncToLLVMPass();
void registerConvertTileFuncToLLVMPass();

/// cute-kernel-to-nvvm, after func-to-llvm: cute.kernel becomes nvvm.kernel, an argument's cute_nvgpu.grid_constant
/// becomes {llvm.align = 64, llvm.byval, nvvm.grid_constant}.
std::unique_ptr<Pass> createCuteKernelToNvvmPass();
void registerCuteKernelToNvvmPass();

} // namespace mlir

#endif // TILEIRAS_CONVERSION_TILEFUNCTOLLVM_TILEFUNCTOLLVM_H
