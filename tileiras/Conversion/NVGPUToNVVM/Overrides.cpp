//===- Overrides.cpp - Our patterns in place of MLIR's --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/NVGPUToNVVM/Overrides.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

using namespace mlir;

namespace tileiras {

void overridePatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  RewritePatternSet ours(patterns.getContext());
  populateHostDescriptorPatterns(converter, ours);
  populateMatrixProductPatterns(converter, ours);
  populateWarpgroupPatterns(converter, ours);
  populateBarrierAndTmaPatterns(converter, ours);
  llvm::SmallPtrSet<void *, 8> roots;
  for (const std::unique_ptr<RewritePattern> &pattern : ours.getNativePatterns())
    roots.insert(pattern->getRootKind()->getAsOpaquePointer());
  llvm::erase_if(patterns.getNativePatterns(), [&](const std::unique_ptr<RewritePattern> &pattern) {
    std::optional<OperationName> root = pattern->getRootKind();
    return root && roots.contains(root->getAsOpaquePointer());
  });
  for (std::unique_ptr<RewritePattern> &pattern : ours.getNativePatterns())
    patterns.add(std::move(pattern));
}

void branchOnPredicates(Operation *root) {
  // NVVM writes them as inline PTX with a predicate operand. A predicate that turns out to be constant, here or in
  // LLVM, is then printed as `@0`, which no assembler takes.
  auto lift = [](auto op) {
    if (Value predicate = op.getPredicate()) {
      OpBuilder builder(op);
      auto branch = scf::IfOp::create(builder, op.getLoc(), predicate);
      op.getPredicateMutable().clear();
      op->moveBefore(branch.thenBlock()->getTerminator());
    }
  };
  root->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<nvgpu::MBarrierInitOp, nvgpu::MBarrierArriveExpectTxOp, nvgpu::MBarrierInvalOp, nvgpu::TmaPrefetchOp,
              nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp, nvgpu::TmaAsyncReduceOp>(lift);
  });
}

} // namespace tileiras
