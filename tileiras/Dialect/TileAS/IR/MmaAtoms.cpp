//===- MmaAtoms.cpp - mma.sync and multiply-adds --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the two families whose operands end up in registers answer. Both cut a product as DotLayouts.h says, so they
// share everything but the cut and its speed.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
using tileiras::DotShape;
using tileiras::DotTiling;
using tileiras::LinearLayout;

//===----------------------------------------------------------------------===//
// What both have in common
//===----------------------------------------------------------------------===//

/// Sums are in registers; what is multiplied may be fetched from shared memory fragment by fragment.
static MemorySet memoriesOf(DotOperand operand) {
  if (operand == DotOperand::C)
    return MemoryKind::Registers;
  return {MemoryKind::Registers, MemoryKind::Shared};
}

/// Threads fetch what they need wherever it lies, so any order will do that has all of it.
static bool acceptsShared(const DotTiling &tiling, const DotShape &shape, DotOperand operand, MemoryKind memory,
                          const LinearLayout &layout) {
  if (memory != MemoryKind::Shared || operand == DotOperand::C)
    return false;
  LinearLayout wanted = tileiras::dotLayout(tiling, shape, operand);
  return wanted.shape() == layout.shape() && wanted.invertAndCompose(layout).has_value();
}

static std::optional<LinearLayout> scaleLayout(const DotTiling &tiling, const DotShape &shape, DotOperand operand,
                                               int32_t block) {
  if (operand == DotOperand::C)
    return std::nullopt;
  return tileiras::dotScaleLayout(tiling, shape, operand, block);
}

static int64_t wordsOf(int64_t elements, int64_t bits) { return (elements * bits + 31) / 32; }

/// Words of one step along k: all columns of B and one row of fragments of A.
static int64_t fragmentWords(const DotTiling &t, const DotShape &shape) {
  return wordsOf(t.passesN(shape) * t.fragmentSize(DotOperand::B) + t.fragmentSize(DotOperand::A), t.elementBits);
}

static int64_t accumulators(const DotTiling &t, const DotShape &shape) {
  return int64_t(t.passesBatch(shape)) * t.passesM(shape) * t.passesN(shape) * t.fragmentSize(DotOperand::C);
}

static int64_t steps(const DotTiling &t, const DotShape &shape) {
  return int64_t(t.passesBatch(shape)) * t.passesM(shape) * t.passesN(shape) * t.stepsK(shape);
}

static LogicalResult verifyLists(function_ref<InFlightDiagnostic()> emitError, Type element,
                                 std::initializer_list<ArrayRef<int32_t>> lists) {
  if (!element.isIntOrFloat())
    return emitError() << "expects an element type, got " << element;
  for (ArrayRef<int32_t> list : lists)
    for (int32_t v : list)
      if (v <= 0 || !llvm::isPowerOf2_32(v))
        return emitError() << "expects powers of two, got " << v;
  return success();
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

StringRef MmaAtomAttr::getAtomName() const {
  return getBlockScaled() ? "SM120.mma_bs" : isF8(getElement()) ? "sm89.mma" : "sm80.mma";
}

LogicalResult MmaAtomAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type element, ArrayRef<int32_t> shape,
                                  ArrayRef<int32_t> warps, bool blockScaled) {
  if (shape.size() != 3 || warps.size() != 3)
    return emitError() << "expects shape = [m, n, k] and warps = [batch, m, n]";
  if (blockScaled && !isF8(element) && !isa<Float4E2M1FNType>(element))
    return emitError() << "multiplies no scaled " << element;
  return verifyLists(emitError, element, {shape, warps});
}

DotTiling MmaAtomAttr::getTiling() const {
  DotTiling tiling;
  tiling.m = getShape()[0], tiling.n = getShape()[1], tiling.k = getShape()[2];
  // Four bits stand in bytes where they may be mixed with eight (k = 32), else eight of them in a register.
  tiling.elementBits = isa<Float4E2M1FNType>(getElement()) && tiling.k == 64 ? 4 : getStorageBytes(getElement()) * 8;
  tiling.warpsBatch = getWarps()[0], tiling.warpsM = getWarps()[1], tiling.warpsN = getWarps()[2];
  return tiling;
}

MemorySet MmaAtomAttr::getMemories(DotOperand operand) const { return memoriesOf(operand); }

std::optional<LinearLayout> MmaAtomAttr::getRegisterLayout(const DotShape &shape, DotOperand operand) const {
  return tileiras::dotLayout(getTiling(), shape, operand);
}

std::optional<LinearLayout> MmaAtomAttr::getScaleLayout(const DotShape &shape, DotOperand operand,
                                                        int32_t block) const {
  return scaleLayout(getTiling(), shape, operand, block);
}

bool MmaAtomAttr::acceptsLayout(const DotShape &shape, DotOperand operand, MemoryKind memory,
                                const LinearLayout &layout) const {
  return acceptsShared(getTiling(), shape, operand, memory, layout);
}

MmaCost MmaAtomAttr::getCost(const DotShape &shape) const {
  DotTiling t = getTiling();
  // A quarter of a multiprocessor of sm_80 multiplies and adds 256 pairs of 16 bits in a cycle, and narrower and wider
  // ones in proportion; f64 has a sixteenth of it (CUDA C++ Programming Guide, "Arithmetic Instructions").
  int64_t perCycle = getElement().isF64() ? 16 : 256 * 16 / t.elementBits;
  MmaCost cost;
  cost.cycles = steps(t, shape) * std::max<int64_t>(1, int64_t(t.m) * t.n * t.k / perCycle);
  cost.accumulatorWords = wordsOf(accumulators(t, shape), getElement().isF64() ? 64 : 32);
  cost.fragmentWords = fragmentWords(t, shape);
  return cost;
}

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

StringRef FmaAtomAttr::getAtomName() const { return "universal_fma"; }

LogicalResult FmaAtomAttr::verify(function_ref<InFlightDiagnostic()> emitError, Type element, ArrayRef<int32_t> box,
                                  ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps) {
  if (box.size() != 2 || lanes.size() != 2 || warps.size() != 3)
    return emitError() << "expects box = [m, n], lanes = [m, n] and warps = [batch, m, n]";
  return verifyLists(emitError, element, {box, lanes, warps});
}

DotTiling FmaAtomAttr::getTiling() const {
  DotTiling tiling;
  tiling.m = getBox()[0], tiling.n = getBox()[1], tiling.k = 1;
  tiling.elementBits = getStorageBytes(getElement()) * 8;
  tiling.lanesM = getLanes()[0], tiling.lanesN = getLanes()[1];
  tiling.warpsBatch = getWarps()[0], tiling.warpsM = getWarps()[1], tiling.warpsN = getWarps()[2];
  return tiling;
}

MemorySet FmaAtomAttr::getMemories(DotOperand operand) const { return memoriesOf(operand); }

std::optional<LinearLayout> FmaAtomAttr::getRegisterLayout(const DotShape &shape, DotOperand operand) const {
  return tileiras::dotLayout(getTiling(), shape, operand);
}

std::optional<LinearLayout> FmaAtomAttr::getScaleLayout(const DotShape &shape, DotOperand operand,
                                                        int32_t block) const {
  return scaleLayout(getTiling(), shape, operand, block);
}

bool FmaAtomAttr::acceptsLayout(const DotShape &shape, DotOperand operand, MemoryKind memory,
                                const LinearLayout &layout) const {
  return acceptsShared(getTiling(), shape, operand, memory, layout);
}

MmaCost FmaAtomAttr::getCost(const DotShape &shape) const {
  DotTiling t = getTiling();
  MmaCost cost;
  // One instruction for all lanes of a warp, in two cycles of sixteen lanes; f64 has a quarter of the lanes at best.
  cost.cycles = steps(t, shape) * t.m * t.n * (getElement().isF64() ? 8 : 2);
  cost.accumulatorWords = wordsOf(accumulators(t, shape), t.elementBits);
  cost.fragmentWords = fragmentWords(t, shape);
  return cost;
}
