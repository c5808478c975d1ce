//===- VerifyTarget.cpp - The nvgpu-verify-target pass --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Before anything is converted: is every operation legal, and does the target have it? What slips through here comes
// back as a failed instruction selection or a line of ptxas, without a location.
//
// The target is the option `chip`, or the gpu.module's #nvvm.target; with neither only legality is checked. The PTX
// version is the option `ptx-version`, or a feature "+ptx83" of the #nvvm.target; with neither the version that is
// needed is noted on the module for the back end.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Dialect/NVGPU/Transforms/Passes.h"
#include "tileiras/Support/TargetTable.h"

namespace tileiras {
#define GEN_PASS_DEF_VERIFYTARGETPASS
#include "tileiras/Dialect/NVGPU/Transforms/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

struct Target {
  std::optional<Chip> chip;
  int ptxVersion = 0;
};

NVVM::NVVMTargetAttr targetOf(gpu::GPUModuleOp module) {
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute attr : targets)
      if (auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr))
        return target;
  return {};
}

/// The two names of one target: sm_90 is compiled as sm_90a.
bool sameTarget(StringRef left, StringRef right) {
  const TargetInfo *target = lookupTarget(left);
  return left == right || (target && target == lookupTarget(right));
}

/// The operations of tensor memory are NVVM's own, and go through to PTX as they are: LLVM has no instruction for them
/// on other targets (PTX ISA, "tcgen05").
LogicalResult checkTensorMemory(Operation *op, const Chip &chip) {
  if (!op->getName().getStringRef().starts_with("nvvm.tcgen05."))
    return success();
  const TargetInfo *target = lookupTarget(chip.str());
  if (!target || target->mmaFamily == MmaFamily::Tcgen05)
    return success();
  return op->emitError() << "'" << op->getName() << "' needs a target with tensor memory; the target is " << chip.str();
}

struct VerifyTargetPass : impl::VerifyTargetPassBase<VerifyTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    FailureOr<Target> target = findTarget(module);
    if (failed(target))
      return signalPassFailure();
    bool failed = false;
    int needs = 0;
    // What products of cute need their own conversion says, which comes next.
    bool ofCute = module
                      ->walk([](Operation *op) {
                        return op->getName().getDialectNamespace().starts_with("cute") ? WalkResult::interrupt()
                                                                                       : WalkResult::advance();
                      })
                      .wasInterrupted();
    module->walk([&](Operation *op) {
      if (!ofCute && target->chip && mlir::failed(checkTensorMemory(op, *target->chip)))
        failed = true;
      // One error per operation: that it does not exist says more than that it is used wrongly.
      if ((target->chip && mlir::failed(checkAvailability(op, *target->chip, target->ptxVersion, needs))) ||
          mlir::failed(verifySemantics(op)))
        failed = true;
    });
    if (failed)
      return signalPassFailure();
    if (target->chip)
      module->setAttr(kChipAttr, StringAttr::get(&getContext(), target->chip->str()));
    if (target->ptxVersion || needs)
      module->setAttr(kPtxVersionAttr,
                      IntegerAttr::get(IntegerType::get(&getContext(), 32), std::max(target->ptxVersion, needs)));
  }

private:
  FailureOr<Target> findTarget(gpu::GPUModuleOp module) {
    Target target;
    std::string name = chip;
    NVVM::NVVMTargetAttr attached = targetOf(module);
    if (attached && !name.empty() && !sameTarget(attached.getChip(), name))
      return module.emitError() << "the module is for " << attached.getChip() << ", but the target is " << name;
    if (attached && name.empty())
      name = attached.getChip().str();
    if (!name.empty() && !(target.chip = Chip::parse(name)))
      return module.emitError() << "'" << name << "' is no chip; expected sm_80, sm_90a, sm_100f, ...";

    std::string version = ptxVersion;
    if (version.empty() && attached)
      for (StringRef feature : llvm::split(attached.getFeatures(), ','))
        if (feature.consume_front("+ptx") && feature.size() >= 2)
          version = (feature.drop_back() + "." + feature.take_back()).str();
    if (version.empty())
      return target;
    std::optional<int> parsed = parsePtxVersion(version);
    if (!parsed)
      return module.emitError() << "'" << version << "' is no PTX version; expected 8.0, ...";
    target.ptxVersion = *parsed;
    return target;
  }
};

} // namespace

} // namespace tileiras
