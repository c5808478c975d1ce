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

#include "tileiras/Compiler/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Support/TargetTable.h"

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

class ConvertTargetToNVVM : public PassWrapper<ConvertTargetToNVVM, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertTargetToNVVM)

  ConvertTargetToNVVM() = default;
  ConvertTargetToNVVM(const ConvertTargetToNVVM &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "nv-tile-ir-convert-target-to-nvvm"; }
  StringRef getDescription() const override { return "Attach #nvvm.target to GPU modules"; }
  void getDependentDialects(DialectRegistry &registry) const override { registry.insert<NVVM::NVVMDialect>(); }

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    const TargetInfo *target = nullptr;
    std::string error;
    if (auto spec = findAround<StringAttr>(module, "nv_tileaa.target_spec")) {
      target = lookupTarget(spec.getValue(), &error);
    } else if (auto capability = findAround<IntegerAttr>(module, "nv_tileaa.compute_capability")) {
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

  Option<int> optLevel{*this, "opt-level", llvm::cl::desc("optimization level recorded in the target"),
                       llvm::cl::init(3)};
  Option<bool> deviceDebug{*this, "device-debug", llvm::cl::desc("record -g"), llvm::cl::init(false)};
  Option<bool> useNvGpuComp{*this, "use-nvgpucomp", llvm::cl::desc("record libNVVMUseNVGpuComp"),
                            llvm::cl::init(false)};
};

} // namespace

void registerConvertTargetToNVVMPass() { PassRegistration<ConvertTargetToNVVM>(); }

} // namespace tileiras
