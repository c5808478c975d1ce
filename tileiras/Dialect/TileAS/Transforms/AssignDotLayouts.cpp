//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-assign-dot-layouts: an atom and layouts for every matrix product.
//
// Which atom: SelectMma.cpp.
//
// On a target with wgmma (sm_90a) products of f16, bf16, tf32, i8 and f8 of at least 64 rows, and 32 bytes along k, by
// whole warpgroups are wgmma's: B is read from shared memory, A too, unless it is computed from the result of another
// product and so in registers already. 8-bit floats are f16 there, too, unless the product says fast_acc.
//
// The result and the accumulator take the atom's accumulator layout, the
// operands its operand layouts, by conversions around the product. Warps cover
// as square a part of the result each as possible. Where one product's result
// leads to an operand of another (attention), all warps are put along
// the rows: then a row of the first result never leaves its warp.
//
//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNDOTLAYOUTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotShape;
using tileiras::TargetInfo;

namespace {

struct AssignDotLayoutsPass : nv_tileas::impl::AssignDotLayoutsPassBase<AssignDotLayoutsPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp op) {
      if (!op.getAtom())
        dots.push_back(op);
    });
    if (dots.empty())
      return;
    const TargetInfo *target = nv_tileaa::getTarget(getOperation());
    if (!target) {
      getOperation().emitError("failed to get the target spec");
      return signalPassFailure();
    }
    Chains chains;
    for (DotOp op : dots)
      findChain(op, chains);
    for (DotOp op : dots)
      assign(op, *target, getNumWarps(op), chains);
  }

  /// Products of which one takes what is computed from the result of another.
  struct Chains {
    DenseSet<Operation *> members;
    DenseSet<Operation *> asA; ///< they take it as their left operand
  };

  /// Marks `op` and the products that take what is computed from its result as an operand.
  static void findChain(DotOp op, Chains &chains) {
    llvm::SetVector<Operation *> reached;
    reached.insert(op);
    for (size_t i = 0; i < reached.size(); ++i)
      for (OpOperand &use : reached[i]->getUses()) {
        Operation *user = use.getOwner();
        if (isa<DotOp>(user)) {
          if (use.getOperandNumber() != 2) {
            chains.members.insert(op);
            chains.members.insert(user);
            if (use.getOperandNumber() == 0)
              chains.asA.insert(user);
          }
        } else if (user->getNumRegions() == 0 && user->getBlock() == op->getBlock()) {
          reached.insert(user);
        }
      }
  }

  /// Why a product that the target's wgmma could multiply by its type is not one.
  static std::string whyNotWgmma(DotOp op) {
    std::string why;
    Type in = op.getA().getType().getElementType();
    if (in.isF64())
      return "wgmma has no product of this type";
    if (!tileiras::WgmmaTiling::choose(getDotShape(op), getStorageBytes(in) * 8, getNumWarps(op), &why))
      return "no wgmma: " + why;
    return "no wgmma: its operands take too much shared memory";
  }

  /// The instruction, and why not another.
  static void report(DotOp op, const TargetInfo &target) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(op.getContext()))
      return;
    Attribute atom = *op.getAtom();
    auto instruction = dyn_cast<MmaAtomAttr>(atom);
    Type in = op.getA().getType().getElementType();
    bool best = false;
    std::string why;
    if (auto wgmma = dyn_cast<WgmmaAtomAttr>(atom))
      best = true, why = wgmma.getElement() == in ? "the target's matrix unit reads its operands from shared memory"
                                                  : "sums of 8-bit floats are exact only as f16";
    else if (op.getSfa())
      why = target.blockScaledMma ? "scaled elements and their products are exact in f64; the target's block-scaled "
                                    "products are not used yet"
                                  : "scaled elements and their products are exact in f64";
    else if (!instruction && in.isF32())
      why = "tf32 would round the operands";
    else if (!instruction)
      why = "the smallest instruction takes more than K = " + std::to_string(getDotShape(op).k);
    else if (instruction.getElement() != in)
      why = "the target has no product of this type; it is exact in the other";
    else if (target.hasWgmma())
      why = whyNotWgmma(op);
    else if (target.mmaFamily != tileiras::MmaFamily::MmaSync)
      why = std::string(tileiras::toString(target.mmaFamily)) + " is not used yet";
    else
      best = true, why = "the largest of the target for this type and K";
    tileiras::DotShape sizes = getDotShape(op);
    auto remark = best ? remarks::passed(op, remarks::kProduct, "Instruction")
                       : remarks::missed(op, remarks::kProduct, "Instruction");
    remark << remarks::figure("Atom", atom) << remarks::figure("M", sizes.m) << remarks::figure("N", sizes.n)
           << remarks::figure("K", sizes.k) << remarks::because(why);
  }

  /// wgmma, where the target has it and the product is large enough for it. Null otherwise.
  static WgmmaAtomAttr chooseWgmma(DotOp op, const TargetInfo &target, int numWarps, bool registersA) {
    Type in = op.getA().getType().getElementType();
    bool fits =
        in.isF16() || in.isBF16() || in.isInteger(8) || isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(in);
    if (!target.hasWgmma() || op.getSfa() || !fits || in != op.getB().getType().getElementType())
      return {};
    DotShape shape = getDotShape(op);
    // Sums of 8-bit floats lose digits in the unit; as f16, which holds them, they do not.
    Type element = in;
    if (isa<Float8E4M3FNType, Float8E5M2Type>(in) && !op.getFastAcc())
      element = Float16Type::get(op.getContext());
    int64_t bytes = getStorageBytes(element);
    std::optional<tileiras::WgmmaTiling> tiling = tileiras::WgmmaTiling::choose(shape, bytes * 8, numWarps);
    if (!tiling)
      return {};
    // Both operands are in shared memory at once, and other tiles want room beside them.
    int64_t elements = int64_t(shape.batch) * shape.k * (shape.n + (registersA ? 0 : shape.m));
    if (elements * bytes > target.maxStaticShared * 3 / 4)
      return {};
    return WgmmaAtomAttr::get(op.getContext(), element, tiling->n, {tiling->groupsM, tiling->groupsN}, registersA);
  }

  static MmaAtomAttrInterface chooseAtom(DotOp op, const TargetInfo &target, int numWarps, const Chains &chains) {
    if (WgmmaAtomAttr wgmma = chooseWgmma(op, target, numWarps, chains.asA.contains(op)))
      return wgmma;
    return selectMmaAtom(*MmaProblem::of(op), target, numWarps, chains.members.contains(op));
  }

  /// What is read from shared memory has to be there as what is multiplied.
  static void widenOperands(DotOp op, Type element) {
    OpBuilder builder(op);
    for (OpOperand *operand : {&op.getAMutable(), &op.getBMutable()}) {
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (type.getElementType() != element)
        operand->set(arith::ExtFOp::create(builder, op.getLoc(), type.clone(element), operand->get()));
    }
  }

  static void assign(DotOp op, const TargetInfo &target, int numWarps, const Chains &chains) {
    op.setAtomAttr(chooseAtom(op, target, numWarps, chains));
    report(op, target);
    OpBuilder builder(op);
    if (auto wgmma = dyn_cast<WgmmaAtomAttr>(Attribute(*op.getAtom())))
      widenOperands(op, wgmma.getElement());
    Type before = op.getType();
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      std::optional<tileiras::LinearLayout> layout = getDotOperandLayout(op, operand);
      if (!layout)
        continue; // the instruction reads it where it is
      auto wanted = withLayout(type, getLayoutAttr(op.getContext(), *layout));
      if (wanted != type)
        operand.set(ConvertLayoutOp::create(builder, op.getLoc(), wanted, operand.get()));
    }
    Type after = op.getC().getType();
    if (after == before)
      return;
    op.getResult().setType(cast<RankedTensorType>(after));
    builder.setInsertionPointAfter(op);
    auto back = ConvertLayoutOp::create(builder, op.getLoc(), before, op.getResult());
    op.getResult().replaceAllUsesExcept(back, back);
  }
};

} // namespace
