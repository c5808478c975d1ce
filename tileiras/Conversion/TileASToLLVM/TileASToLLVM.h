//===- TileASToLLVM.h - The terminal conversion -----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_TILEASTOLLVM_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_TILEASTOLLVM_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace mlir {

struct ConvertTileASToLLVMOptions {
  unsigned indexBitwidth = 32;
  /// Call libdevice for mathematical functions; else they stay math operations on scalars.
  bool libdevice = true;
};

/// convert-nv-tileas-to-llvm: bodies of functions whose signatures convert-nv-tile-func-to-llvm has converted. Leaves
/// func, scf, llvm and nvvm.
std::unique_ptr<Pass> createConvertTileASToLLVMPass(const ConvertTileASToLLVMOptions &options = {});
void registerConvertTileASToLLVMPass();

} // namespace mlir

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_TILEASTOLLVM_H
