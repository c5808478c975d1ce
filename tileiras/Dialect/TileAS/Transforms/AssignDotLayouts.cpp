//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-assign-dot-layouts: an atom and layouts for every matrix product.
//
// Which atom: SelectMma.cpp.
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

#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNDOTLAYOUTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
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
    DenseSet<Operation *> chained;
    for (DotOp op : dots)
      findChain(op, chained);
    for (DotOp op : dots)
      assign(op, *target, getNumWarps(op), chained.contains(op));
  }

  /// Marks `op` and the products that take what is computed from its result as an operand.
  static void findChain(DotOp op, DenseSet<Operation *> &chained) {
    llvm::SetVector<Operation *> reached;
    reached.insert(op);
    for (size_t i = 0; i < reached.size(); ++i)
      for (OpOperand &use : reached[i]->getUses()) {
        Operation *user = use.getOwner();
        if (isa<DotOp>(user)) {
          if (use.getOperandNumber() != 2) {
            chained.insert(op);
            chained.insert(user);
          }
        } else if (user->getNumRegions() == 0 && user->getBlock() == op->getBlock()) {
          reached.insert(user);
        }
      }
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
    if (op.getSfa())
      why = target.blockScaledMma ? "scaled elements and their products are exact in f64; the target's block-scaled "
                                    "products are not used yet"
                                  : "scaled elements and their products are exact in f64";
    else if (!instruction && in.isF32())
      why = "tf32 would round the operands";
    else if (!instruction)
      why = "the smallest instruction takes more than K = " + std::to_string(getDotShape(op).k);
    else if (instruction.getElement() != in)
      why = "the target has no product of this type; it is exact in the other";
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

  static void assign(DotOp op, const TargetInfo &target, int numWarps, bool rowsOnly) {
    op.setAtomAttr(selectMmaAtom(*MmaProblem::of(op), target, numWarps, rowsOnly));
    report(op, target);
    OpBuilder builder(op);
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
