//===- Dot.cpp - Matrix products ------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
using tileiras::DotShape;
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

std::optional<LinearLayout> nv_tileas::getDotOperandLayout(DotOp op, OpOperand &operand) {
  DotShape shape = getDotShape(op);
  MmaAtomAttrInterface atom = *op.getAtom();
  DotOperand which = getDotOperand(operand);
  if (operand.getOperandNumber() <= 2)
    return atom.getRegisterLayout(shape, which);
  auto type = cast<RankedTensorType>(operand.get().getType());
  int64_t scales = type.getDimSize(type.getRank() - (which == DotOperand::A ? 1 : 2));
  return atom.getScaleLayout(shape, which, shape.k / scales);
}

std::optional<tileiras::MatrixFetch> nv_tileas::getMatrixFetch(DotOp op, OpOperand &operand, bool transposed) {
  std::optional<LinearLayout> layout = getDotOperandLayout(op, operand);
  if (!layout || operand.getOperandNumber() > 1)
    return std::nullopt;
  LinearLayout held = layout->removeRedundantBasesAlongDim(tileiras::kRegister);
  int k = held.numOuts() - (operand.getOperandNumber() == 0 ? 1 : 2), step = op.getAtom()->getInstructionShape()[2];
  std::vector<int> order;
  for (bool later : {false, true})
    for (int bit = 0; bit < held.inBits(tileiras::kRegister); ++bit)
      if ((held.basis(tileiras::kRegister, bit)[k] >= step) == later)
        order.push_back(bit);
  Type element = cast<RankedTensorType>(operand.get().getType()).getElementType();
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  if (transposed && getStorageBytes(element) == 1 && (!target || !target->ldmatrixB8))
    return std::nullopt;
  return tileiras::matrixFetch(held, getStorageBytes(element), transposed, order);
}

std::optional<tileiras::SmemDescriptor> nv_tileas::describeOperand(MmaAtomAttrInterface atom, const DotShape &shape,
                                                                   DotOperand operand, const LinearLayout &memory,
                                                                   std::string *error) {
  if (auto wgmma = dyn_cast<WgmmaAtomAttr>(Attribute(atom)))
    return describeWgmmaOperand(wgmma, shape, operand, memory, error);
  auto sm100 = dyn_cast<Sm100MmaAtomAttr>(Attribute(atom));
  if (!sm100 || operand == DotOperand::C)
    return std::nullopt;
  tileiras::Tcgen05Tiling tiling = getTcgen05Tiling(sm100);
  auto [mnDim, kDim] = getMatrixDims(shape, operand);
  if (memory.inBits(tileiras::kBlock)) {
    // Of a pair of blocks each has half of B's columns (.cta_group::2).
    std::optional<LinearLayout> part = partOfBlock(memory);
    if (!part || operand != DotOperand::B || memory.inBits(tileiras::kBlock) != 1 ||
        part->shape()[mnDim] * 2 != memory.shape()[mnDim] || shape.n != tiling.n || tiling.m != 128) {
      if (error)
        *error = "the blocks of a cluster divide it in another way than pairs do";
      return std::nullopt;
    }
    return tileiras::describeSmemOperand(*part, mnDim, kDim, tiling.n / 2, tiling.k(), tiling.elementBits / 8, error,
                                         readsAcross(sm100));
  }
  return tileiras::describeSmemOperand(memory, mnDim, kDim, operand == DotOperand::A ? tiling.m : tiling.n, tiling.k(),
                                       tiling.elementBits / 8, error, readsAcross(sm100));
}

/// Whether neighbours along `k` rather than along `mn` are side by side in a thread, or, where it has neither, in the
/// threads that access memory together.
static bool liesAlong(const LinearLayout &registers, int k, int mn) {
  auto neighbours = [&](tileiras::DimName in, int dim) {
    for (int bit = 0; bit < registers.inBits(in); ++bit)
      if (registers.basis(in, bit)[dim] == 1)
        return bit;
    return registers.inBits(in);
  };
  if (neighbours(tileiras::kRegister, k) < registers.inBits(tileiras::kRegister))
    return true;
  if (neighbours(tileiras::kRegister, mn) < registers.inBits(tileiras::kRegister) || !registers.hasIn(tileiras::kLane))
    return false;
  return neighbours(tileiras::kLane, k) < neighbours(tileiras::kLane, mn);
}

LinearLayout nv_tileas::stagingLayout(const DotShape &shape, DotOperand operand, int32_t mnExtent, int32_t elementBytes,
                                      const LinearLayout &registers, bool across) {
  auto [mnDim, kDim] = getMatrixDims(shape, operand);
  // Only operands of 16 bits, and of 8 and 32 for some units, can be read across; others are turned by the writes.
  int32_t least = elementBytes == 4 ? tileiras::kLeastWordsAcross : 16;
  bool kMajor = elementBytes != 2 && !(across && elementBytes <= 4 && mnExtent >= least);
  if (!kMajor)
    kMajor = liesAlong(registers, kDim, mnDim);
  return tileiras::smemOperandLayout(registers.shape(), mnDim, kDim, mnExtent, elementBytes, kMajor);
}

/// A factor that a copy atom fetches is where the atom reads it, and lies there as it wants.
static LogicalResult verifyFetch(DotOp op, unsigned number, std::optional<CopyAtomAttrInterface> fetch) {
  if (!fetch)
    return success();
  OpOperand &operand = op->getOpOperand(number);
  std::optional<MemoryKind> memory = getMemory(operand.get().getType());
  if (!memory || !fetch->getSources().contains(*memory) || !fetch->getDestinations().contains(MemoryKind::Registers))
    return op.emitOpError("operand #") << number << " is not where its copy atom reads it";
  return success();
}

/// A product of one block and one of two have different instructions (tcgen05.mma, .cta_group::1 and ::2): of two
/// blocks each has 128 of 256 rows and half of the columns of B, of which an instruction of 256 rows has a multiple of
/// 32 (PTX ISA, "tcgen05.mma", shapes).
static LogicalResult verifyTwoBlocks(Operation *op, MmaAtomAttrInterface atom, const DotShape &shape,
                                     const LinearLayout &right) {
  auto sm100 = dyn_cast<Sm100MmaAtomAttr>(Attribute(atom));
  int bits = right.inBits(tileiras::kBlock);
  if (!sm100 || bits == 0)
    return success();
  auto complain = [&] { return op->emitOpError("one-CTA and two-CTA shapes do not go together: "); };
  if (bits != 1)
    return complain() << "operand #1 is divided among " << (1 << bits) << " blocks";
  if (sm100.getM() != 128)
    return complain() << "two blocks multiply 128 rows each, and this one's instruction has " << sm100.getM();
  if (sm100.getN() != shape.n || shape.n % 32 != 0)
    return complain() << "two blocks multiply all columns by one instruction, a multiple of 32, and this one has "
                      << sm100.getN() << " of " << shape.n;
  if (auto dot = dyn_cast<DotOp>(op); dot && dot.getSfa() && !dot.getColumns())
    return complain() << "scales that threads store are those of one block";
  return success();
}

/// Of scales, and of the columns that they are copied to.
static bool isScaleOperand(Operation *op, unsigned number) { return isa<DotOp>(op) && number > 2; }

/// Scales that have columns to be copied to are both in shared memory, as tcgen05.cp takes them. (Others are fetched by
/// threads, from where they are.)
static LogicalResult verifyScales(DotOp dot) {
  Value columns = dot.getColumns();
  if (!columns) {
    for (int number : {3, 4})
      if (dot.getSfa() && isIn(dot->getOperand(number).getType(), MemoryKind::Tensor))
        return dot.emitOpError("expects operand #")
               << number << " in registers or shared memory: where scales are in tensor memory is said by columns";
    return success();
  }
  if (!dot.getSfa() || !isa_and_present<Sm100MmaAtomAttr>(dot.getAtomAttr()))
    return dot.emitOpError("expects columns only for scales that its unit reads from tensor memory");
  RankedTensorType tile = getScaleTile(dot);
  if (!tile || columns.getType() != tile)
    return dot.emitOpError("expects ") << (tile ? "columns " : "no columns ") << tile << ", got " << columns.getType();
  auto [a, b] = getScales(dot);
  for (auto [number, scales] : {std::pair(3, &a), std::pair(4, &b)}) {
    auto type = cast<RankedTensorType>(dot->getOperand(number).getType());
    if (!isIn(type, MemoryKind::Shared) || getLinearLayout(type) != scales->image(number == 3 ? 0 : 1))
      return dot.emitOpError("expects operand #") << number << " in shared memory, as tcgen05.cp copies it";
  }
  return success();
}

LogicalResult nv_tileas::verifyAtomOperands(Operation *op, MmaAtomAttrInterface atom, const DotShape &shape) {
  if (std::string why = atom.whyNot(shape); !why.empty())
    return op->emitOpError("atom does not fit: ") << why;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    std::optional<MemoryKind> memory = getMemory(operand.get().getType());
    if (!memory) // no tile, or none with a layout
      continue;
    DotOperand which = getDotOperand(operand);
    if (isScaleOperand(op, operand.getOperandNumber()) && *memory != MemoryKind::Registers)
      continue; // verifyScales
    // Operands arrive in registers; tileas-materialize-convert-layout puts them where the instruction reads them.
    bool arrives = *memory == MemoryKind::Registers && operand.getOperandNumber() != 2;
    if (which == DotOperand::B && operand.getOperandNumber() == 1 &&
        failed(verifyTwoBlocks(op, atom, shape, getLinearLayout(type))))
      return failure();
    if (!arrives && !atom.getMemories(which).contains(*memory))
      return op->emitOpError("atom does not take operand #")
             << operand.getOperandNumber() << " from " << toString(*memory);
    if (*memory != MemoryKind::Registers && operand.getOperandNumber() <= 2 &&
        !atom.acceptsLayout(shape, which, *memory, getLinearLayout(type))) {
      std::string error;
      describeOperand(atom, shape, which, getLinearLayout(type), &error);
      return op->emitOpError("atom does not take operand #")
             << operand.getOperandNumber() << " in this layout" << (error.empty() ? "" : ": ") << error;
    }
  }
  return success();
}

bool nv_tileas::keepsSumsAs(Type element, Type result) { return element.isF16() || !result.isF16(); }

bool nv_tileas::isReshape(Operation *op) {
  return isa_and_nonnull<ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(op);
}

bool nv_tileas::goesOn(DotOp dot) {
  if (!dot.getAtom() || dot.getSfa() || dot.getAccumulate())
    return false;
  auto wgmma = dyn_cast<WgmmaAtomAttr>(Attribute(*dot.getAtom()));
  return dot.getAtom()->getCompletion() == Completion::WaitGroup && !(wgmma && wgmma.getSpan()) &&
         keepsSumsAs(dot.getAtom()->getElement(), dot.getType().getElementType());
}

bool nv_tileas::isZeroTile(Value tile) {
  for (;;) {
    if (matchPattern(tile, m_PosZeroFloat()) || matchPattern(tile, m_Zero()))
      return true;
    Operation *def = tile.getDefiningOp();
    if (!isa_and_nonnull<nv_tileaa::SplatOp, nv_tileaa::BroadcastOp, nv_tileaa::ViewOp, ViewOp, ConvertLayoutOp>(def))
      return false;
    tile = def->getOperand(0);
  }
}

LogicalResult DotOp::verify() {
  auto typeOf = [](Value v) { return v ? cast<RankedTensorType>(v.getType()) : RankedTensorType(); };
  if (failed(nv_tileaa::verifyDot(*this, typeOf(getA()), typeOf(getB()), typeOf(getC()), typeOf(getSfa()),
                                  typeOf(getSfb()))))
    return failure();
  if (!getAtom()) {
    for (OpOperand &operand : getOperation()->getOpOperands())
      if (std::optional<MemoryKind> memory = getMemory(operand.get().getType());
          memory && *memory != MemoryKind::Registers)
        return emitOpError("expects operand #") << operand.getOperandNumber() << " in registers, as it has no atom";
    return success();
  }
  if (getAccumulate() && getMemory(getC().getType()) != MemoryKind::Tensor)
    return emitOpError("expects sums in tensor memory where a condition says whether to add to them");
  if (failed(verifyAtomOperands(*this, *getAtom(), getDotShape(*this))) || failed(verifyScales(*this)))
    return failure();
  return failure(failed(verifyFetch(*this, 0, getFetchA())) || failed(verifyFetch(*this, 1, getFetchB())));
}

void DotOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (std::optional<MemoryKind> memory = getMemory(operand.get().getType());
        memory && *memory != MemoryKind::Registers) {
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      if (operand.getOperandNumber() == 2 || operand.get() == getColumns())
        effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
}
