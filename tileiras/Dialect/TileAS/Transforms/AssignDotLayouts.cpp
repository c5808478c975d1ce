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

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Support/TargetTable.h"
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
    FailureOr<StringRef> spec = nv_tileaa::getTargetSpec(getOperation());
    const TargetInfo *target = tileiras::lookupTarget(succeeded(spec) ? spec->str() : "sm_80");
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

  static void assign(DotOp op, const TargetInfo &target, int numWarps, bool rowsOnly) {
    op.setAtomAttr(selectMmaAtom(*MmaProblem::of(op), target, numWarps, rowsOnly));
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
