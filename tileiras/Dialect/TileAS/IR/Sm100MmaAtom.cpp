//===- Sm100MmaAtom.cpp - Products with sums in tensor memory -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the family of tcgen05.mma answers.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/Tcgen05Left.h"
#include "tileiras/Support/Tcgen05Scales.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
using tileiras::DotShape;
using tileiras::LinearLayout;
using tileiras::Tcgen05Tiling;

LogicalResult Sm100MmaAtomAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type element, int32_t m, int32_t n,
                                       int32_t warps) {
  if (!element.isF16() && !element.isBF16() && !element.isInteger(8) &&
      !isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(element))
    return emitError() << "tcgen05.mma does not multiply " << element;
  for (int32_t v : {m, n, warps})
    if (v <= 0 || !llvm::isPowerOf2_32(v))
      return emitError() << "expects powers of two, got " << v;
  return success();
}

Tcgen05Tiling nv_tileas::getTcgen05Tiling(Sm100MmaAtomAttr atom) {
  Tcgen05Tiling tiling;
  tiling.m = atom.getM(), tiling.n = atom.getN();
  tiling.elementBits = getStorageBytes(atom.getElement()) * 8; // of f4E2M1FN, bytes with a pair each
  tiling.warps = atom.getWarps();
  return tiling;
}

/// The whole block's product counts as that of one warp: nothing of it is divided among warps.
tileiras::DotTiling Sm100MmaAtomAttr::getTiling() const {
  tileiras::DotTiling tiling;
  tiling.m = getM(), tiling.n = getN(), tiling.k = getTcgen05Tiling(*this).k();
  tiling.elementBits = getTcgen05Tiling(*this).elementBits;
  return tiling;
}

std::array<int32_t, 3> Sm100MmaAtomAttr::getInstructionShape() const {
  return {getM(), getN(), getTcgen05Tiling(*this).k()};
}

MemorySet Sm100MmaAtomAttr::getMemories(DotOperand operand) const {
  if (operand == DotOperand::C)
    return {MemoryKind::Registers, MemoryKind::Tensor};
  if (operand == DotOperand::A && getM() == 128)
    return {MemoryKind::Shared, MemoryKind::Tensor};
  return MemoryKind::Shared;
}

std::optional<LinearLayout> Sm100MmaAtomAttr::getRegisterLayout(const DotShape &shape, DotOperand operand) const {
  if (operand != DotOperand::C)
    return std::nullopt;
  return tileiras::tensorMemoryRegisters(tileiras::tcgen05SumsInTensorMemory(getTcgen05Tiling(*this), shape),
                                         getWarps());
}

std::optional<LinearLayout> Sm100MmaAtomAttr::getScaleLayout(const DotShape &shape, DotOperand operand,
                                                             int32_t block) const {
  if (operand == DotOperand::C || shape.batched)
    return std::nullopt;
  bool isA = operand == DotOperand::A;
  return tileiras::Tcgen05Scales{isA ? shape.m : shape.n, shape.k / block}.registers(isA ? 0 : 1, getWarps());
}

bool Sm100MmaAtomAttr::acceptsLayout(const DotShape &shape, DotOperand operand, MemoryKind memory,
                                     const LinearLayout &layout) const {
  if (operand == DotOperand::C)
    return memory == MemoryKind::Tensor &&
           layout == tileiras::tcgen05SumsInTensorMemory(getTcgen05Tiling(*this), shape);
  if (operand == DotOperand::A && memory == MemoryKind::Tensor)
    return tileiras::tcgen05LeftInTensorMemory(getTcgen05Tiling(*this), shape,
                                               layout.inSize(kColumn) * 128 / std::max(shape.m, 128)) == layout;
  return memory == MemoryKind::Shared && describeOperand(*this, shape, operand, layout).has_value();
}

std::optional<LinearLayout> Sm100MmaAtomAttr::getStagingLayout(const DotShape &shape, DotOperand operand,
                                                               int32_t elementBytes,
                                                               const LinearLayout &registers) const {
  if (operand == DotOperand::C)
    return std::nullopt;
  return stagingLayout(shape, operand, operand == DotOperand::A ? getM() : getN(), elementBytes, registers,
                       readsAcross(*this));
}

bool nv_tileas::readsAcross(Sm100MmaAtomAttr atom) {
  return isa<Float8E4M3FNType, Float8E5M2Type, FloatTF32Type>(atom.getElement()) || atom.getElement().isInteger(8);
}

Completion Sm100MmaAtomAttr::getCompletion() const { return Completion::Mbarrier; }

MmaCost Sm100MmaAtomAttr::getCost(const DotShape &shape) const {
  Tcgen05Tiling t = getTcgen05Tiling(*this);
  MmaCost cost;
  // 4,096 multiply-adds of 16 bits per cycle and multiprocessor, narrower and wider ones in proportion: an instruction
  // of 128 rows takes half as many cycles as it has columns, and one of 64 rows no fewer.
  cost.cycles = int64_t(t.passesM(shape)) * t.passesN(shape) * t.stepsK(shape) * t.n / 2;
  cost.accumulatorWords = std::max<int64_t>(1, int64_t(shape.m) * shape.n / (32 * t.warps));
  return cost;
}

std::string Sm100MmaAtomAttr::whyNot(const DotShape &shape) const { return getTcgen05Tiling(*this).whyNot(shape); }
