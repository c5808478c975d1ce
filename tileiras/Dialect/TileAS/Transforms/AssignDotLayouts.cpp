//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-assign-dot-layouts: an atom and layouts for every matrix product.
//
// The atom is the largest mma.sync shape of the target for the operands' type
// whose k is not larger than the product's. What has no instruction is
// multiplied and added by each thread for itself:
//
//   operands            instruction          multiplied as
//   f16, bf16           m16n8k16, m16n8k8    they are
//   tf32                m16n8k8, m16n8k4     they are
//   f64                 m8n8k4               they are
//   i8                  m16n8k32, m16n8k16   they are
//   e4m3, e5m2          m16n8k32             they are; f16 where the target has no fp8 product (exact)
//   with scales         m8n8k4               f64: every scaled element and every product is exact
//   f32                 none                 f32: tf32 would round the operands
//   K too small         none                 f32, i32 or f64
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
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/SetVector.h"
#include <tuple>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNDOTLAYOUTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotShape;
using tileiras::DotTiling;
using tileiras::TargetInfo;

namespace {

/// m, n, k of an instruction and what its operands are; k = 0: none.
struct Instruction {
  int m, n, k;
  Type element;
};

Instruction chooseInstruction(DotOp op, const TargetInfo &target) {
  MLIRContext *context = op.getContext();
  Type in = op.getA().getType().getElementType();
  int64_t k = getDotShape(op).k;
  auto largest = [&](Type element, std::initializer_list<int> sizes, int m = 16) -> Instruction {
    for (int size : sizes)
      if (size <= k)
        return {m, 8, size, element};
    return {0, 0, 0, element};
  };
  if (op.getSfa())
    return largest(Float64Type::get(context), {4}, 8);
  if (in.isF16() || in.isBF16())
    return largest(in, {16, 8});
  if (isa<FloatTF32Type>(in))
    return largest(in, {8, 4});
  if (in.isF64())
    return largest(in, {4}, 8);
  if (in.isInteger(8))
    return largest(in, {32, 16});
  if (isa<Float8E4M3FNType, Float8E5M2Type>(in)) {
    if (target.fp8MmaSync && k >= 32)
      return largest(in, {32});
    return largest(Float16Type::get(context), {16, 8});
  }
  return {0, 0, 0, in};
}

/// What multiply-adds compute in.
Type multiplyAddType(DotOp op) {
  Builder b(op.getContext());
  Type in = op.getA().getType().getElementType();
  if (op.getSfa() || in.isF64())
    return b.getF64Type();
  return isa<IntegerType>(in) ? Type(b.getI32Type()) : Type(b.getF32Type());
}

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

  static MmaAtomAttrInterface chooseAtom(DotOp op, const TargetInfo &target, int numWarps, bool rowsOnly) {
    DotShape shape = getDotShape(op);
    MLIRContext *context = op.getContext();
    Instruction instruction = chooseInstruction(op, target);
    if (!instruction.k) {
      Type element = multiplyAddType(op);
      DotTiling t = tileiras::multiplyAddTiling(shape, element.getIntOrFloatBitWidth(), numWarps);
      return FmaAtomAttr::get(context, element, {t.m, t.n}, {t.lanesM, t.lanesN}, {t.warpsBatch, t.warpsM, t.warpsN});
    }
    DotTiling t;
    t.m = instruction.m, t.n = instruction.n, t.k = instruction.k;
    t.warpsBatch = std::min(numWarps, shape.batch);
    std::tie(t.warpsM, t.warpsN) = tileiras::distributeWarps(t, shape, numWarps / t.warpsBatch, rowsOnly);
    return MmaAtomAttr::get(context, instruction.element, {t.m, t.n, t.k}, {t.warpsBatch, t.warpsM, t.warpsN});
  }

  static void assign(DotOp op, const TargetInfo &target, int numWarps, bool rowsOnly) {
    op.setAtomAttr(chooseAtom(op, target, numWarps, rowsOnly));
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
