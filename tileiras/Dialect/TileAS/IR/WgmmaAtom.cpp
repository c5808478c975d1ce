//===- WgmmaAtom.cpp - Products by warpgroups -----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the family of wgmma.mma_async answers.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/SmemDescriptor.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
using tileiras::DotShape;
using tileiras::LinearLayout;
using tileiras::WgmmaTiling;

StringRef WgmmaAtomAttr::getAtomName() const { return "sm90.mma"; }

LogicalResult WgmmaAtomAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type element, int32_t n,
                                    ArrayRef<int32_t> groups, bool, int32_t span) {
  if (!element.isF16() && !element.isBF16() && !element.isInteger(8) &&
      !isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(element))
    return emitError() << "wgmma does not multiply " << element;
  if (groups.size() != 2)
    return emitError() << "expects groups = [m, n]";
  for (int32_t v : {n, groups[0], groups[1]})
    if (v <= 0 || !llvm::isPowerOf2_32(v))
      return emitError() << "expects powers of two, got " << v;
  if (span == 0)
    return success();
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return emitError() << "sums of " << element << " need no promotion";
  if (span < 32 || !llvm::isPowerOf2_32(span))
    return emitError() << "expects spans of 32 times a power of two along k, got " << span;
  return success();
}

WgmmaTiling nv_tileas::getWgmmaTiling(WgmmaAtomAttr atom) {
  WgmmaTiling tiling;
  tiling.n = atom.getN();
  tiling.elementBits = getStorageBytes(atom.getElement()) * 8;
  tiling.groupsM = atom.getGroups()[0], tiling.groupsN = atom.getGroups()[1];
  return tiling;
}

std::array<int, 2> nv_tileas::getMatrixDims(const DotShape &shape, DotOperand operand) {
  int first = shape.batched ? 1 : 0;
  // A is m x k, B is k x n.
  return operand == DotOperand::A ? std::array{first, first + 1} : std::array{first + 1, first};
}

/// What each warp has of a product, as far as it can be said in the words of mma.sync.
tileiras::DotTiling WgmmaAtomAttr::getTiling() const {
  WgmmaTiling wgmma = getWgmmaTiling(*this);
  tileiras::DotTiling tiling;
  tiling.m = 16, tiling.n = 8, tiling.k = wgmma.k();
  tiling.elementBits = wgmma.elementBits;
  tiling.warpsM = 4 * wgmma.groupsM, tiling.warpsN = wgmma.groupsN;
  return tiling;
}

std::array<int32_t, 3> WgmmaAtomAttr::getInstructionShape() const {
  return {WgmmaTiling::m, getN(), getWgmmaTiling(*this).k()};
}

MemorySet WgmmaAtomAttr::getMemories(DotOperand operand) const {
  return operand == DotOperand::C || (operand == DotOperand::A && getRegistersA()) ? MemoryKind::Registers
                                                                                   : MemoryKind::Shared;
}

std::optional<LinearLayout> WgmmaAtomAttr::getRegisterLayout(const DotShape &shape, DotOperand operand) const {
  if (!getMemories(operand).contains(MemoryKind::Registers))
    return std::nullopt;
  return tileiras::wgmmaLayout(getWgmmaTiling(*this), shape, operand);
}

std::optional<LinearLayout> WgmmaAtomAttr::getScaleLayout(const DotShape &, DotOperand, int32_t) const {
  return std::nullopt;
}

std::optional<tileiras::SmemDescriptor> nv_tileas::describeWgmmaOperand(WgmmaAtomAttr atom, const DotShape &shape,
                                                                        DotOperand operand, const LinearLayout &memory,
                                                                        std::string *error) {
  WgmmaTiling tiling = getWgmmaTiling(atom);
  auto [mnDim, kDim] = getMatrixDims(shape, operand);
  return tileiras::describeSmemOperand(memory, mnDim, kDim, operand == DotOperand::A ? WgmmaTiling::m : tiling.n,
                                       tiling.k(), tiling.elementBits / 8, error);
}

bool WgmmaAtomAttr::acceptsLayout(const DotShape &shape, DotOperand operand, MemoryKind memory,
                                  const LinearLayout &layout) const {
  return memory == MemoryKind::Shared && getMemories(operand).contains(memory) &&
         describeWgmmaOperand(*this, shape, operand, layout).has_value();
}

std::optional<LinearLayout> WgmmaAtomAttr::getStagingLayout(const DotShape &shape, DotOperand operand,
                                                            int32_t elementBytes, const LinearLayout &registers) const {
  if (!getMemories(operand).contains(MemoryKind::Shared))
    return std::nullopt;
  return stagingLayout(shape, operand, operand == DotOperand::A ? WgmmaTiling::m : getN(), elementBytes, registers);
}

int32_t WgmmaAtomAttr::getWarpsTogether() const { return 4; }

Completion WgmmaAtomAttr::getCompletion() const { return Completion::WaitGroup; }

int32_t nv_tileas::getSpanTiles(WgmmaAtomAttr atom, const DotShape &shape) {
  WgmmaTiling t = getWgmmaTiling(atom);
  int32_t sets = shape.batch * t.passesM(shape) * t.passesN(shape), spans = llvm::divideCeil(shape.k, atom.getSpan());
  return sets * spans > 1 && (sets + 2) * (t.n / 2) <= kWordsForSpans ? 2 : 1;
}

MmaCost WgmmaAtomAttr::getCost(const DotShape &shape) const {
  WgmmaTiling t = getWgmmaTiling(*this);
  MmaCost cost;
  // 2,048 multiply-adds of 16 bits per cycle and multiprocessor, narrower and wider ones in proportion: an instruction
  // takes half as many cycles as it has columns.
  int64_t sets = int64_t(shape.batch) * t.passesM(shape) * t.passesN(shape);
  cost.cycles = sets * t.stepsK(shape) * t.n / 2;
  cost.accumulatorWords = sets * t.n / 2;
  cost.fragmentWords = getRegistersA() ? 4 * t.stepsK(shape) : 0;
  cost.temporaryWords = getSpan() ? getSpanTiles(*this, shape) * t.n / 2 : 0;
  return cost;
}

std::string WgmmaAtomAttr::whyNot(const DotShape &shape) const { return getWgmmaTiling(*this).whyNot(shape); }
