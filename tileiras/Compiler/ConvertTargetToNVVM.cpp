//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv-tile-ir-convert-target-to-nvvm: gives a gpu.module its #nvvm.target.
//
// The chip comes from nv_tileaa.target_spec ("sm_90a") where there is one, else
// from nv_tileaa.compute_capability (90), on the module or a parent. The target
// table turns either into the name that is compiled for. An older target is
// overwritten, so the pass may run twice.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Support/TargetTable.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTARGETTONVVMPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

template <typename AttrT> AttrT findUp(Operation *op, StringRef name) {
  for (; op; op = op->getParentOp())
    if (auto attr = op->getAttrOfType<AttrT>(name))
      return attr;
  return {};
}

/// The attribute on the module, its parents, or (they are function attributes of kernels too) a function inside.
template <typename AttrT> AttrT findAround(gpu::GPUModuleOp module, StringRef name) {
  if (auto attr = findUp<AttrT>(module, name))
    return attr;
  for (Operation &op : *module.getBody())
    if (auto attr = op.getAttrOfType<AttrT>(name))
      return attr;
  return {};
}

struct ConvertTargetToNVVMPass : impl::ConvertTargetToNVVMPassBase<ConvertTargetToNVVMPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    const TargetInfo *target = nullptr;
    std::string error;
    if (auto spec = findAround<StringAttr>(module, nv_tileaa::kTargetSpecAttr)) {
      target = lookupTarget(spec.getValue(), &error);
    } else if (auto capability = findAround<IntegerAttr>(module, nv_tileaa::kComputeCapabilityAttr)) {
      target = lookupTarget(std::to_string(capability.getInt()), &error);
    } else {
      module.emitError("missing compute capability for NVVM target");
      return signalPassFailure();
    }
    if (!target) {
      module.emitError(error);
      return signalPassFailure();
    }

    // The flags record what the code generator must respect; -fma=0 is the promise never to contract mulf+addf.
    Builder builder(&getContext());
    SmallVector<NamedAttribute> flags;
    if (deviceDebug)
      flags.push_back(builder.getNamedAttr("-g", builder.getUnitAttr()));
    flags.push_back(builder.getNamedAttr("-Xopt", builder.getUnitAttr()));
    flags.push_back(builder.getNamedAttr("-pragma-unroll-threshold", builder.getI32IntegerAttr(9900000)));
    flags.push_back(builder.getNamedAttr("-fma", builder.getI32IntegerAttr(0)));
    if (useNvGpuComp)
      flags.push_back(builder.getNamedAttr("libNVVMUseNVGpuComp", builder.getBoolAttr(true)));

    Attribute attr = NVVM::NVVMTargetAttr::get(&getContext(), optLevel, "nvptx64-nvidia-cuda", target->compiledAs,
                                               /*features=*/"", builder.getDictionaryAttr(flags), /*link=*/nullptr);
    module.setTargetsAttr(builder.getArrayAttr(attr));
  }
};

} // namespace

} // namespace tileiras
