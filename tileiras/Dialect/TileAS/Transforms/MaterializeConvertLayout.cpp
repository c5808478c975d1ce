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
// cost and the first feasible one is taken. Operands of matrix products stay in shared memory. A tile that would take
// too much of it goes in rounds, part by part through one buffer (a `copy` with a destination and a result).
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/ConvertPlan.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

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
    pieceBytes = getSharedPieceBytes(getOperation());
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

  /// Matrix products take operands from shared memory, part by part; then the whole is never in registers. A product in a
  /// loop that the conversion is outside of does not: the tile would be occupied for the whole loop.
  static bool feedsProducts(ConvertLayoutOp op) {
    return !op->use_empty() && llvm::all_of(op->getUses(), [&](OpOperand &use) {
      auto dot = dyn_cast<DotOp>(use.getOwner());
      return dot && dot.getAtom() && &use != &dot.getCMutable() && dot->getBlock() == op->getBlock();
    });
  }

  LogicalResult materialize(ConvertLayoutOp op) {
    OpBuilder builder(op);
    std::string error;
    OpOperand *product = feedsProducts(op) ? &*op->getUses().begin() : nullptr;
    Value result = convert(builder, op.getLoc(), op.getSource(), cast<RankedTensorType>(op.getType()), product, error);
    if (!result) {
      InFlightDiagnostic diagnostic = op.emitError("failed to query target spec for convert_layout");
      if (!error.empty())
        diagnostic.attachNote() << error;
      return diagnostic;
    }
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }

  /// A product reads one step along k after the other: registers of different steps should not come with one access, they would
  /// all be live from the first step on. So for the plan they count as different warps.
  static LinearLayout withStepsApart(const LinearLayout &layout, OpOperand &operand) {
    auto dot = cast<DotOp>(operand.getOwner());
    unsigned number = operand.getOperandNumber();
    if (number > 1)
      return layout;
    int32_t dim = layout.numOuts() - (number == 0 ? 1 : 2), step = getDotTiling(*dot.getAtom()).k;
    std::vector<LinearLayout::InDim> ins;
    for (std::string_view name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
      LinearLayout::InDim in{std::string(name), {}};
      for (int bit = 0; bit < layout.inBits(name); ++bit) {
        std::vector<int32_t> basis = layout.basis(name, bit);
        if (name != tileiras::kRegister || basis[dim] < step)
          in.bases.push_back(basis);
      }
      if (name == tileiras::kWarp)
        for (int bit = 0; bit < layout.inBits(tileiras::kRegister); ++bit)
          if (std::vector<int32_t> basis = layout.basis(tileiras::kRegister, bit); basis[dim] >= step)
            in.bases.push_back(basis);
      ins.push_back(std::move(in));
    }
    return LinearLayout(std::move(ins), layout.shape());
  }

  /// `source` in the layout of `targetType`, or the shared tile it went to if it is for a `product`. Null on failure.
  Value convert(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType, OpOperand *product,
                std::string &error) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    LinearLayout from = getLinearLayout(sourceType), to = getLinearLayout(targetType);
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    SmallVector<ConvertPlan, 2> plans = candidates(from, to, bytes, error);
    if (plans.empty())
      return {};
    const ConvertPlan &plan = plans.front();
    MLIRContext *context = builder.getContext();
    switch (plan.kind) {
    case ConvertKind::NoOp:
    case ConvertKind::SameThread:
      return rename(builder, loc, source, targetType);
    case ConvertKind::IntraWarp: {
      auto atom = AtomPlanAttr::get(context, /*tag=*/0, bytes);
      return ShuffleOp::create(builder, loc, targetType, source, atom);
    }
    case ConvertKind::SharedMemory:
      break;
    }
    int bits = 0;
    while ((sourceType.getNumElements() * bytes) >> bits > pieceBytes)
      ++bits;
    if (bits)
      return convertInRounds(builder, loc, source, targetType, bits);
    tileiras::SharedPlan shared = *plan.shared;
    if (product)
      if (auto better = tileiras::planSharedConvert(from, withStepsApart(to, *product), bytes))
        shared = std::move(*better);
    auto sharedType = withLayout(sourceType, getSharedLayoutAttr(context, shared.memory));
    Value tile = AllocTensorOp::create(builder, loc, sharedType, IntegerAttr());
    auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << shared.store.vectorBits);
    auto load = AtomPlanAttr::get(context, /*tag=*/1, bytes << shared.load.vectorBits);
    CopyOp::create(builder, loc, Type(), source, tile, store, UnitAttr());
    if (product)
      return tile;
    return ConvertLayoutOp::create(builder, loc, targetType, tile, load, reinterpretToI8 && bytes == 1);
  }

  /// The same elements in every thread, in other registers.
  Value rename(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType) {
    auto atom = AtomPlanAttr::get(builder.getContext(), /*tag=*/0, getStorageBytes(targetType.getElementType()));
    auto copy = CopyOp::create(builder, loc, targetType, source, Value(), atom, UnitAttr());
    if (reg2regVecSize <= 15)
      copy->setAttr("nv_tileas.root_reg_to_reg_copy_op", builder.getUnitAttr());
    return copy.getResult();
  }

  /// A tile too large for shared memory goes part by part, through a buffer of one part.
  Value convertInRounds(OpBuilder &builder, Location loc, Value source, RankedTensorType targetType, int bits) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    LinearLayout from = getLinearLayout(sourceType), to = getLinearLayout(targetType);
    int64_t bytes = getStorageBytes(sourceType.getElementType());
    tileiras::ConvertRounds rounds = tileiras::cutIntoRounds(from, to, bits);
    std::optional<tileiras::SharedPlan> plan = tileiras::planSharedConvert(rounds.source, rounds.target, bytes);
    if (!plan)
      return {};
    MLIRContext *context = builder.getContext();
    auto type = RankedTensorType::get({plan->memory.shape()[0]}, sourceType.getElementType(), getSharedLayoutAttr(context, plan->memory));
    Value part = AllocTensorOp::create(builder, loc, type, IntegerAttr());
    auto store = AtomPlanAttr::get(context, /*tag=*/1, bytes << plan->store.vectorBits);
    return CopyOp::create(builder, loc, targetType, source, part, store, UnitAttr()).getResult();
  }

  int64_t pieceBytes = 0;
};

} // namespace

std::unique_ptr<Pass> nv_tileas::createMaterializeConvertLayoutPass() {
  return std::make_unique<MaterializeConvertLayoutPass>();
}
