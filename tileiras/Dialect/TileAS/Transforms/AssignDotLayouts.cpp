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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"

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
    if (failed(checkScaledProducts(getOperation())) || failed(checkTiles(getOperation(), /*needLayouts=*/true)))
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
    ProductChains chains(getOperation());
    for (DotOp op : dots) {
      if (failed(assign(op, *target, getNumWarps(op), chains)))
        return signalPassFailure();
      ++(isa<FmaAtomAttr>(Attribute(*op.getAtom())) ? numMultiplyAdds : numInstructions);
    }
  }

  /// The instruction, and why not another.
  static void report(DotOp op, const TargetInfo &target, const MmaProblem &problem) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(op.getContext()))
      return;
    Attribute atom = *op.getAtom();
    auto instruction = dyn_cast<MmaAtomAttr>(atom);
    Type in = op.getA().getType().getElementType();
    bool best = false;
    std::string why;
    // What else there is, and what it would cost.
    SmallVector<MmaAlternative, 3> alternatives = getMmaAlternatives(problem, target, getNumWarps(op));
    std::string others;
    int64_t cycles = 0, turning = 0;
    for (OpOperand *factor : {&op.getAMutable(), &op.getBMutable()}) {
      turning += getTurningCycles(*op.getAtom(), cast<RankedTensorType>(factor->get().getType()).getNumElements(),
                                  isKFastest(*factor), problem.turnedOnTheWay);
    }
    for (const MmaAlternative &alternative : alternatives) {
      if (alternative.atom && Attribute(alternative.atom) == atom && alternative.whyNot.empty()) {
        cycles = alternative.cycles;
        continue;
      }
      others += (others.empty() ? "" : "; ") + alternative.name + ": " +
                (alternative.whyNot.empty() ? std::to_string(alternative.cycles) + " cycles" : alternative.whyNot);
    }
    if (auto wgmma = dyn_cast<WgmmaAtomAttr>(atom))
      best = true, why = wgmma.getSpan()            ? "the unit's sums of 8-bit floats are added up in f32 every " +
                                                          std::to_string(wgmma.getSpan()) + " of k"
                         : wgmma.getElement() == in ? "the target's matrix unit reads its operands from shared memory"
                         : problem.across           ? "as f16, 8-bit floats need not be turned, and sums are exact"
                                                    : "sums of 8-bit floats are exact only as f16";
    else if (isa<Sm100MmaAtomAttr>(atom) && op.getSfa())
      best = true, why = "the target's matrix unit multiplies by the scales, in tensor memory";
    else if (isa<Sm100MmaAtomAttr>(atom))
      best = true, why = "the target's matrix unit reads shared memory and adds up in tensor memory";
    else if (op.getSfa() && instruction && instruction.getBlockScaled())
      best = true, why = "the target's instruction multiplies by the scales";
    else if (op.getSfa() && instruction && instruction.getElement().isF16())
      why = "scaled elements are exact in f16, and their products in f32";
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
    else if (target.mmaFamily != tileiras::MmaFamily::MmaSync)
      why = "no " + alternatives.front().name + ": " + alternatives.front().whyNot;
    else
      best = true, why = "the largest of the target for this type and K";
    tileiras::DotShape sizes = getDotShape(op);
    auto remark = best ? remarks::passed(op, remarks::kProduct, "Instruction")
                       : remarks::missed(op, remarks::kProduct, "Instruction");
    remark << remarks::figure("Atom", atom) << remarks::figure("M", sizes.m) << remarks::figure("N", sizes.n)
           << remarks::figure("K", sizes.k) << remarks::figure("Cycles", cycles) << remarks::figure("Turning", turning)
           << remarks::figure("Alternatives", others) << remarks::because(why);
  }

  /// The product as tensor memory knows it: of matrices, summed in 32 bits.
  static DotOp inTensorMemory(DotOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto reshape = [&](Value v, ArrayRef<int64_t> to) -> Value {
      auto type = cast<RankedTensorType>(v.getType());
      if (type.getShape() == to)
        return v;
      tileiras::LinearLayout layout = getLinearLayout(type).reshapeOuts(std::vector<int32_t>(to.begin(), to.end()));
      return ViewOp::create(
          builder, loc, RankedTensorType::get(to, type.getElementType(), getLayoutAttr(op.getContext(), layout)), v);
    };
    auto matrix = [&](Value v) { return reshape(v, cast<RankedTensorType>(v.getType()).getShape().take_back(2)); };
    RankedTensorType type = op.getType();
    Type sum = isa<IntegerType>(type.getElementType()) ? Type(builder.getI32Type()) : Type(builder.getF32Type());
    if (type.getRank() == 2 && type.getElementType() == sum)
      return op;
    Value c = matrix(op.getC());
    if (type.getElementType() != sum)
      c = arith::ExtFOp::create(builder, loc, cast<RankedTensorType>(c.getType()).clone(sum), c);
    auto product = DotOp::create(builder, loc, c.getType(), matrix(op.getA()), matrix(op.getB()), c, Value(), Value(),
                                 Value(), Value(), op.getSignednessAAttr(), op.getSignednessBAttr(),
                                 op.getFastAccAttr(), *op.getAtom(), CopyAtomAttrInterface(), CopyAtomAttrInterface());
    Value result = product.getResult();
    if (type.getElementType() != sum)
      result = arith::TruncFOp::create(builder, loc, product.getType().clone(type.getElementType()), result);
    result = reshape(result, type.getShape());
    if (result.getType() != type)
      result = ConvertLayoutOp::create(builder, loc, type, result);
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    return product;
  }

  /// What is read from shared memory has to be there as what is multiplied.
  static void widenOperands(DotOp op, Type element) {
    OpBuilder builder(op);
    for (OpOperand *operand : {&op.getAMutable(), &op.getBMutable()}) {
      auto type = cast<RankedTensorType>(operand->get().getType());
      if (type.getElementType() != element && !isa<Float4E2M1FNType>(element)) // of which they are pairs
        operand->set(arith::ExtFOp::create(builder, op.getLoc(), type.clone(element), operand->get()));
    }
  }

  static LogicalResult assign(DotOp &op, const TargetInfo &target, int numWarps, const ProductChains &chains) {
    MmaProblem problem = *MmaProblem::of(op, &chains);
    op.setAtomAttr(selectMmaAtom(problem, target, numWarps));
    if (!op.getAtom()) {
      InFlightDiagnostic error = op.emitOpError("of pairs of 4-bit elements has no instruction");
      for (const MmaAlternative &alternative : getMmaAlternatives(problem, target, numWarps))
        error.attachNote() << alternative.name << ": " << alternative.whyNot;
      return failure();
    }
    report(op, target, problem);
    if (isa<Sm100MmaAtomAttr>(Attribute(*op.getAtom())))
      op = inTensorMemory(op);
    OpBuilder builder(op);
    if (isa<WgmmaAtomAttr, Sm100MmaAtomAttr>(Attribute(*op.getAtom())))
      widenOperands(op, op.getAtom()->getElement());
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
      return success();
    op.getResult().setType(cast<RankedTensorType>(after));
    builder.setInsertionPointAfter(op);
    auto back = ConvertLayoutOp::create(builder, op.getLoc(), before, op.getResult());
    op.getResult().replaceAllUsesExcept(back, back);
    return success();
  }
};

} // namespace
