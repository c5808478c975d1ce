//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileir-launch-abi: how a kernel says how many threads it wants.
//
// Front ends launch with block (1,1,1). A driver that knows tile kernels takes
// the thread count from .reqntid (the default). What the PTX ISA documents for such
// launches is .blocksareclusters, together with .reqntid and
// .reqnctapercluster, from sm_90 on ("Cluster Dimension Directives"). A launcher
// of one's own may want neither: then .maxntid only bounds its block size.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Support/TargetTable.h"

namespace tileiras {
#define GEN_PASS_DEF_LAUNCHABIPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

struct LaunchAbiPass : impl::LaunchAbiPassBase<LaunchAbiPass> {
  using Base::Base;

  void runOnOperation() override {
    if (abi == "reqntid")
      return;
    if (abi != "blocksareclusters" && abi != "simt") {
      getOperation().emitError() << "unknown launch ABI '" << abi << "'";
      return signalPassFailure();
    }
    const TargetInfo *target = lookupTarget(computeCapability.getValue());
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto threads = func->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getReqntidAttrName());
      if (!threads)
        continue;
      StringRef clusterName = NVVM::NVVMDialect::getClusterDimAttrName();
      if (abi == "simt") {
        // With clusters the grid counts clusters, which only the three directives together can say.
        if (func->hasAttr(clusterName))
          continue;
        func->removeAttr(NVVM::NVVMDialect::getReqntidAttrName());
        func->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), threads);
        continue;
      }
      if (!target || !target->clusters) {
        func.emitError() << "launch ABI 'blocksareclusters' needs sm_90 or later";
        return signalPassFailure();
      }
      Builder builder(&getContext());
      if (!func->hasAttr(clusterName))
        func->setAttr(clusterName, builder.getDenseI32ArrayAttr({1, 1, 1}));
      func->setAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName(), builder.getUnitAttr());
    }
  }
};

} // namespace

} // namespace tileiras
