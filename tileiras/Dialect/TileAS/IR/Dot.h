//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts of nv_tileas.dot, from its atom.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_DOT_H
#define TILEIRAS_DIALECT_TILEAS_IR_DOT_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/MatrixFetch.h"
#include "tileiras/Support/SmemDescriptor.h"
#include "tileiras/Support/Tcgen05.h"
#include "tileiras/Support/WgmmaLayouts.h"

namespace mlir::nv_tileas {

tileiras::DotShape getDotShape(RankedTensorType a, RankedTensorType b);
inline tileiras::DotShape getDotShape(DotOp op) { return getDotShape(op.getA().getType(), op.getB().getType()); }

inline tileiras::DotShape getDotShape(AsyncDotOp op) { return getDotShape(op.getA().getType(), op.getB().getType()); }

/// What an operand of a product is to its atom: scales count as what they scale.
inline tileiras::DotOperand getDotOperand(OpOperand &operand) {
  unsigned number = operand.getOperandNumber();
  return number == 2                  ? tileiras::DotOperand::C
         : number == 0 || number == 3 ? tileiras::DotOperand::A
                                      : tileiras::DotOperand::B;
}

/// The layout an operand of a product with an atom has to have in registers, with the register bits that are copies
/// (DotLayouts.h); nothing if the atom does not take it from registers.
std::optional<tileiras::LinearLayout> getDotOperandLayout(DotOp op, OpOperand &operand);

/// Checks that the operands of a product are where its atom takes them, in layouts that it takes.
LogicalResult verifyAtomOperands(Operation *op, MmaAtomAttrInterface atom, const tileiras::DotShape &shape);

/// Whether the unit that multiplies `element` keeps sums of the type that the result has: only such sums may be under
/// way, the others are rounded behind the wait.
bool keepsSumsAs(Type element, Type result);

/// Whether an operation gives the same elements another shape, and moves none of them. Null is none.
bool isReshape(Operation *op);

/// Whether a tile is known to be +0 everywhere.
bool isZeroTile(Value tile);

/// How ldmatrix fetches a factor of a product (operand 0 or 1) from shared memory, the matrices of one step along k
/// together; nothing if the operand's layout is not made of its fragments.
std::optional<tileiras::MatrixFetch> getMatrixFetch(DotOp op, OpOperand &operand, bool transposed);

//===----------------------------------------------------------------------===//
// Atoms that read shared memory by descriptors
//===----------------------------------------------------------------------===//

/// How the instructions of an atom find operand A or B in shared memory; nothing if its layout has no descriptor, or if
/// the atom uses none.
std::optional<tileiras::SmemDescriptor> describeOperand(MmaAtomAttrInterface atom, const tileiras::DotShape &shape,
                                                        tileiras::DotOperand operand,
                                                        const tileiras::LinearLayout &memory,
                                                        std::string *error = nullptr);

/// Where an operand that arrives in `registers` is put for such an atom: as it comes where it may be, so that what a
/// thread has side by side is written side by side. `mnExtent`: rows of A or columns of B of one instruction.
/// `across`: whether it may read elements of one byte or four across.
tileiras::LinearLayout stagingLayout(const tileiras::DotShape &shape, tileiras::DotOperand operand, int32_t mnExtent,
                                     int32_t elementBytes, const tileiras::LinearLayout &registers,
                                     bool across = false);

//===----------------------------------------------------------------------===//
// tcgen05.mma
//===----------------------------------------------------------------------===//

tileiras::Tcgen05Tiling getTcgen05Tiling(Sm100MmaAtomAttr atom);

/// Whether factors of one byte or four may lie across, too (PTX ISA, "Instruction descriptor", transpose): those of 4
/// bits in pairs may not.
bool readsAcross(Sm100MmaAtomAttr atom);

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

tileiras::WgmmaTiling getWgmmaTiling(WgmmaAtomAttr atom);

/// Whether the threads can do something else while a product is done: its unit works by itself, and its sums are what
/// the unit adds up.
bool goesOn(DotOp dot);

/// Of an atom with a span: registers of a thread that sums, and what the unit adds up meanwhile, may take together, so
/// that the rest of a kernel has room beside them (roomForTiles).
inline constexpr int32_t kWordsForSpans = 176;
/// How many instructions' worth of sums are under way or being added at once: two where there are registers for them
/// and something to do beside each other, else one.
int32_t getSpanTiles(WgmmaAtomAttr atom, const tileiras::DotShape &shape);

/// The dimensions of an operand's tile that its instructions read: rows of A or columns of B, and k.
std::array<int, 2> getMatrixDims(const tileiras::DotShape &shape, tileiras::DotOperand operand);

/// How the instructions find operand A or B in shared memory; nothing if its layout has no descriptor.
std::optional<tileiras::SmemDescriptor> describeWgmmaOperand(WgmmaAtomAttr atom, const tileiras::DotShape &shape,
                                                             tileiras::DotOperand operand,
                                                             const tileiras::LinearLayout &memory,
                                                             std::string *error = nullptr);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_DOT_H
