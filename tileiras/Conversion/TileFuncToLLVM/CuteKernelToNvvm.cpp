//===- CuteKernelToNvvm.cpp - The cute-kernel-to-nvvm pass ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The second step of the kernel marker (docs/contract.md). It is a pass of its own because nvvm.kernel may
// only stand on llvm.func, and because it also lifts grid constants, which needs LLVM-typed arguments.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Conversion/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_CUTEKERNELTONVVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace {

struct CuteKernelToNvvmPass : tileiras::impl::CuteKernelToNvvmPassBase<CuteKernelToNvvmPass> {
  void runOnOperation() override {
    getOperation().walk([&](LLVM::LLVMFuncOp func) {
      Builder b(func.getContext());
      if (!func->removeAttr("cute.kernel"))
        return;
      func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
      for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
        if (!func.getArgAttr(i, "cute_nvgpu.grid_constant"))
          continue;
        func.removeArgAttr(i, b.getStringAttr("cute_nvgpu.grid_constant"));
        // A TMA descriptor: .param .align 64 .b8 p[128].
        func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
        func.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128)));
        func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
      }
    });
  }
};

} // namespace
