//===- Dot.cpp - Matrix products ------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
using tileiras::DotShape;
using tileiras::DotTiling;
using tileiras::LinearLayout;

DotShape nv_tileas::getDotShape(RankedTensorType a, RankedTensorType b) {
  int64_t rank = a.getRank();
  DotShape shape;
  shape.batched = rank == 3;
  shape.batch = shape.batched ? a.getDimSize(0) : 1;
  shape.m = a.getDimSize(rank - 2);
  shape.k = a.getDimSize(rank - 1);
  shape.n = b.getDimSize(rank - 1);
  return shape;
}

DotTiling nv_tileas::getDotTiling(MmaAtomAttr atom) {
  DotTiling tiling;
  tiling.m = atom.getShape()[0];
  tiling.n = atom.getShape()[1];
  tiling.k = atom.getShape()[2];
  tiling.elementBits = getStorageBytes(atom.getElement()) * 8;
  if (!atom.getLanes().empty()) {
    tiling.lanesM = atom.getLanes()[0];
    tiling.lanesN = atom.getLanes()[1];
  }
  tiling.warpsBatch = atom.getWarps()[0];
  tiling.warpsM = atom.getWarps()[1];
  tiling.warpsN = atom.getWarps()[2];
  return tiling;
}

LinearLayout nv_tileas::getDotOperandLayout(DotOp op, OpOperand &operand) {
  DotShape shape = getDotShape(op);
  DotTiling tiling = getDotTiling(*op.getAtom());
  Value value = operand.get();
  if (operand.getOperandNumber() == 2)
    return tileiras::dotLayout(tiling, shape, DotOperand::C);
  bool isA = operand.getOperandNumber() == 0 || operand.getOperandNumber() == 3;
  DotOperand which = isA ? DotOperand::A : DotOperand::B;
  if (operand.getOperandNumber() < 2)
    return tileiras::dotLayout(tiling, shape, which);
  auto type = cast<RankedTensorType>(value.getType());
  return tileiras::dotScaleLayout(tiling, shape, which, shape.k / type.getDimSize(type.getRank() - (isA ? 1 : 2)));
}

LogicalResult MmaAtomAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type element, ArrayRef<int32_t> shape,
                                  ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps) {
  if (!element.isIntOrFloat())
    return emitError() << "expects an element type, got " << element;
  if (shape.size() != 3 || warps.size() != 3 || (!lanes.empty() && lanes.size() != 2))
    return emitError() << "expects shape = [m, n, k], warps = [batch, m, n] and lanes = [m, n]";
  for (ArrayRef<int32_t> list : {shape, lanes, warps})
    for (int32_t v : list)
      if (v <= 0 || !llvm::isPowerOf2_32(v))
        return emitError() << "expects powers of two, got " << v;
  return success();
}

LogicalResult DotOp::verify() {
  auto typeOf = [](Value v) { return v ? cast<RankedTensorType>(v.getType()) : RankedTensorType(); };
  if (failed(nv_tileaa::verifyDot(*this, typeOf(getA()), typeOf(getB()), typeOf(getC()), typeOf(getSfa()),
                                  typeOf(getSfb()))))
    return failure();
  if (auto layout = getLayout(getC().getType()); layout && layout.isShared())
    return emitOpError("expects the accumulator in registers");
  if (!getAtom())
    return success();
  if (std::string why = getDotTiling(*getAtom()).whyNot(getDotShape(*this)); !why.empty())
    return emitOpError("atom does not fit: ") << why;
  return success();
}

void DotOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (auto layout = getLayout(operand.get().getType()); layout && layout.isShared())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}
