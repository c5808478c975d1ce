//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-materialize-convert-layout (D08, seed 004).
//
// Decides for every layout conversion how the elements travel and writes that
// down as operations: register to register (tag 0: `copy` inside a thread, `shuffle`
// between the lanes of a warp) or through shared memory (tag 1: alloc_tensor, `copy` into it, and
// a terminal convert_layout out of it that carries the atom_plan). The plans and their costs
// are plain mathematics on the two layouts, see tileiras/Support/ConvertPlan.h; they are sorted stably by
// cost and the first feasible one is taken.
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/ConvertPlan.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::ConvertKind;
using tileiras::ConvertPlan;
using tileiras::LinearLayout;

namespace {

struct MaterializeConvertLayoutPass : PassWrapper<MaterializeConvertLayoutPass, OperationPass<nv_tileaa::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MaterializeConvertLayoutPass)
  MaterializeConvertLayoutPass() = default;
  MaterializeConvertLayoutPass(const MaterializeConvertLayoutPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "tileas-materialize-convert-layout"; }
  StringRef getDescription() const override { return "Decompose layout conversions into copies, shuffles and shared memory"; }

  Option<unsigned> reg2regVecSize{*this, "reg2reg-vec-size", llvm::cl::init(16),
                                  llvm::cl::desc("Cap on the width in bytes of register-to-register copies")};
  Option<bool> reinterpretToI8{*this, "reinterpret-to-i8", llvm::cl::init(false),
                               llvm::cl::desc("Stage sub-byte float tiles through shared memory as bytes")};

  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    SmallVector<ConvertLayoutOp> conversions;
    getOperation().walk([&](ConvertLayoutOp op) {
      auto source = getLayout(op.getSource().getType());
      if (source && !source.isShared())
        conversions.push_back(op);
    });
    for (ConvertLayoutOp op : llvm::reverse(conversions))
      if (failed(materialize(op)))
        return signalPassFailure();
  }

  /// Candidate plans, cheapest first.
  SmallVector<ConvertPlan, 2> candidates(const LinearLayout &source, const LinearLayout &target, int64_t elementBytes,
                                      std::string &error) {
    SmallVector<ConvertPlan, 2> plans;
    tileiras::ConvertOptions options;
    options.elementBits = elementBytes * 8;
    options.maxVectorBytes = std::clamp<unsigned>(llvm::bit_floor(reg2regVecSize.getValue()), 1, 16);
    options.allowSharedMemory = false;
    if (auto plan = tileiras::planConvert(source, target, options, &error))
      plans.push_back(std::move(*plan));
    options.allowSharedMemory = true;
    options.allowShuffles = false;
    if (auto plan = tileiras::planConvert(source, target, options, &error))
      plans.push_back(std::move(*plan));
    llvm::stable_sort(plans, [](const ConvertPlan &a, const ConvertPlan &b) { return a.cost < b.cost; });
    return plans;
  }

  LogicalResult materialize(ConvertLayoutOp op) {
    auto sourceType = cast<RankedTensorType>(op.getSource().getType());
    auto targetType = cast<RankedTensorType>(op.getType());
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    std::string error;
    SmallVector<ConvertPlan, 2> plans = candidates(getLinearLayout(sourceType), getLinearLayout(targetType), bytes, error);
    if (plans.empty()) {
      InFlightDiagnostic diagnostic = op.emitError("failed to query target spec for convert_layout");
      if (!error.empty())
        diagnostic.attachNote() << error;
      return diagnostic;
    }
    const ConvertPlan &plan = plans.front();
    OpBuilder builder(op);
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    switch (plan.kind) {
    case ConvertKind::NoOp:
    case ConvertKind::SameThread: {
      auto atom = AtomPlanAttr::get(context, /*tag=*/0, bytes);
      auto copy = CopyOp::create(builder, loc, targetType, op.getSource(), Value(), atom, UnitAttr());
      if (reg2regVecSize <= 15)
        copy->setAttr("nv_tileas.root_reg_to_reg_copy_op", builder.getUnitAttr());
      op.replaceAllUsesWith(copy.getResult());
      break;
    }
    case ConvertKind::IntraWarp: {
      auto atom = AtomPlanAttr::get(context, /*tag=*/0, bytes);
      op.replaceAllUsesWith(ShuffleOp::create(builder, loc, targetType, op.getSource(), atom).getResult());
      break;
    }
    case ConvertKind::SharedMemory: {
      auto sharedType = withLayout(sourceType, getSharedLayoutAttr(context, plan.shared->memory));
      Value tile = AllocTensorOp::create(builder, loc, sharedType, IntegerAttr());
      auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << plan.shared->store.vectorBits);
      auto load = AtomPlanAttr::get(context, /*tag=*/1, bytes << plan.shared->load.vectorBits);
      CopyOp::create(builder, loc, Type(), op.getSource(), tile, store, UnitAttr());
      auto read = ConvertLayoutOp::create(builder, loc, targetType, tile, load, reinterpretToI8 && bytes == 1);
      op.replaceAllUsesWith(read.getResult());
      break;
    }
    }
    op.erase();
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> nv_tileas::createMaterializeConvertLayoutPass() {
  return std::make_unique<MaterializeConvertLayoutPass>();
}
