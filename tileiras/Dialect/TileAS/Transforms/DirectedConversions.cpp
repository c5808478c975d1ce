//===- DirectedConversions.cpp - Conversions that are on their way --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/DirectedConversions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

namespace {

RankedTensorType tileType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isIn(type, MemoryKind::Registers) ? type : RankedTensorType();
}

RankedTensorType withLayout(RankedTensorType type, const LinearLayout &layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), getLayoutAttr(type.getContext(), layout));
}

class Propagation {
public:
  explicit Propagation(nv_tileaa::FuncOp func) : func(func) {}

  LogicalResult run() {
    WalkResult walk = func.walk([&](ConvertLayoutOp op) -> WalkResult {
      Attribute direction = op->getAttr(kDirectionAttr);
      if (!direction)
        return WalkResult::advance();
      auto text = dyn_cast<StringAttr>(direction);
      if (!text || (text != "backward" && text != "forward"))
        return op.emitOpError("expects '") << kDirectionAttr << "' to be \"backward\" or \"forward\"";
      if (tileType(op.getSource()) && tileType(op.getResult()))
        work.insert(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    while (!work.empty()) {
      ConvertLayoutOp op = work.pop_back_val();
      if (op.getSource().getType() == op.getType())
        replace(op, op.getSource());
      else if (cast<StringAttr>(op->getAttr(kDirectionAttr)) == "backward")
        stepBackward(op);
      else
        stepForward(op);
    }
    return success();
  }

  int64_t numMoved() const { return moved.size(); }

private:
  void replace(ConvertLayoutOp op, Value by) {
    op.getResult().replaceAllUsesWith(by);
    erase(op);
  }
  void erase(ConvertLayoutOp op) {
    work.remove(op);
    op.erase();
  }
  static void stop(ConvertLayoutOp op) { op->removeAttr(kDirectionAttr); }

  ConvertLayoutOp convert(OpBuilder &builder, Value value, RankedTensorType type, StringRef direction) {
    auto op = ConvertLayoutOp::create(builder, value.getLoc(), type, value);
    op->setAttr(kDirectionAttr, builder.getStringAttr(direction));
    work.insert(op);
    return op;
  }

  /// The types that the tiles of `op` have when its result has `layout`; nothing if it cannot be.
  std::optional<SmallVector<RankedTensorType>> operandTypes(Operation *op, const LinearLayout &layout) {
    if (op->getNumRegions() || moved.contains(op))
      return std::nullopt;
    auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op);
    if (access && (access.writesMemory() || getMemoryTile(access) != op->getResult(0)))
      return std::nullopt;
    if (!access && (op->getNumResults() != 1 || !isMemoryEffectFree(op)))
      return std::nullopt;
    if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && !isa<SplatElementsAttr>(constant.getValue()))
      return std::nullopt;
    SmallVector<RankedTensorType> types;
    bool tiles = false;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      types.push_back(RankedTensorType());
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      RankedTensorType type = tileType(operand);
      if (!type)
        return std::nullopt;
      tiles = true;
      std::optional<LinearLayout> needed =
          access ? getMemoryOperandLayout(access, operand, layout) : inferOperandLayout(op, i, layout);
      if (!needed)
        return std::nullopt;
      types.back() = withLayout(type, *needed);
    }
    // Without tiles it makes one from numbers, which is the same in every layout.
    bool fromNumbers =
        isa<arith::ConstantOp, nv_tileaa::ConstantTensorOp, nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp>(op);
    if (!tiles && !access && !fromNumbers)
      return std::nullopt;
    return types;
  }

  /// Gives `op` operands and a result of these types.
  void retype(Operation *op, ArrayRef<RankedTensorType> operands, RankedTensorType result) {
    moved.insert(op);
    OpBuilder builder(op);
    for (auto [i, type] : llvm::enumerate(operands))
      if (type && op->getOperand(i).getType() != type)
        op->setOperand(i, convert(builder, op->getOperand(i), type, "backward"));
    op->getResult(0).setType(result);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(result));
    if (auto constant = dyn_cast<nv_tileaa::ConstantTensorOp>(op))
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(splat.resizeSplat(result));
  }

  void stepBackward(ConvertLayoutOp op) {
    Value source = op.getSource();
    Operation *def = source.getDefiningOp();
    if (auto partner = dyn_cast_or_null<ConvertLayoutOp>(def); partner && tileType(partner.getSource())) {
      op.getSourceMutable().assign(partner.getSource());
      if (partner.use_empty())
        erase(partner);
      work.insert(op);
      return;
    }
    auto wanted = cast<RankedTensorType>(op.getType());
    auto types = def ? operandTypes(def, getLinearLayout(wanted)) : std::nullopt;
    if (!types)
      return stop(op);
    // Others go on with what they had.
    SmallVector<OpOperand *> others;
    for (OpOperand &use : source.getUses())
      if (use.getOwner() != op)
        others.push_back(&use);
    auto before = cast<RankedTensorType>(source.getType());
    retype(def, *types, wanted);
    replace(op, source);
    if (others.empty())
      return;
    OpBuilder builder(def->getContext());
    builder.setInsertionPointAfter(def);
    Value back = convert(builder, source, before, "forward");
    for (OpOperand *use : others)
      use->set(back);
  }

  void stepForward(ConvertLayoutOp op) {
    Value source = op.getSource();
    auto type = cast<RankedTensorType>(source.getType());
    LinearLayout layout = getLinearLayout(type);
    for (OpOperand &use : llvm::make_early_inc_range(op.getResult().getUses())) {
      Operation *user = use.getOwner();
      if (isa<ConvertLayoutOp>(user)) { // a partner
        use.set(source);
        if (user->hasAttr(kDirectionAttr))
          work.insert(cast<ConvertLayoutOp>(user));
        else if (user->getResult(0).getType() == type)
          replace(cast<ConvertLayoutOp>(user), source);
        continue;
      }
      std::optional<LinearLayout> result;
      if (user->getNumResults() == 1 && tileType(user->getResult(0)))
        result = inferResultLayout(user, use.getOperandNumber(), layout);
      auto types = result ? operandTypes(user, *result) : std::nullopt;
      if (!types || (*types)[use.getOperandNumber()] != type)
        continue;
      auto before = cast<RankedTensorType>(user->getResult(0).getType());
      use.set(source);
      OpBuilder builder(user->getContext());
      builder.setInsertionPointAfter(user);
      retype(user, *types, withLayout(before, *result));
      Value value = user->getResult(0);
      auto next = convert(builder, value, before, "forward");
      value.replaceAllUsesExcept(next, next);
    }
    if (op.use_empty())
      erase(op);
    else
      stop(op);
  }

  nv_tileaa::FuncOp func;
  llvm::SetVector<ConvertLayoutOp> work;
  llvm::SmallPtrSet<Operation *, 16> moved;
};

} // namespace

LogicalResult nv_tileas::moveDirectedConversions(nv_tileaa::FuncOp func, int64_t &numMoved) {
  Propagation propagation(func);
  LogicalResult result = propagation.run();
  numMoved = propagation.numMoved();
  return result;
}
