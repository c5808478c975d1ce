//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How layouts travel through operations. Shape operations move no data: a
// layout of the operand determines one of the result (forward), or a layout of
// the result asks for one of the operand (backward). Whoever assigns layouts
// (convert-tileaa-to-tileas, tileas-remove-layout-conversions) asks here, and
// the LLVM lowering relies on exactly these relations.
//
//   op             forward (operand -> result)      backward (result -> operand)
//   elementwise    same                             same
//   view           the bits regrouped row-major     the bits regrouped row-major
//   expand_dims    as view                          as view
//   permute        coordinates permuted             coordinates permuted back
//   broadcast      not unique: none                 broadcast dims forced to 0
//   cat            + top register bit along axis    - top bit, if it is a register
//   extract_slice  - block bits, if in registers    + register bits per block
//   reinterpret    the bits of the narrower element's place in the wider one are register bits, below all others
//   reduce         coordinate dropped               not unique: none
//   scan           same                             same
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_LAYOUTINFERENCE_H
#define TILEIRAS_DIALECT_TILEAS_IR_LAYOUTINFERENCE_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// True for operations that act on each element alone: all tensors have one shape and one layout.
bool isElementwise(Operation *op);

/// The layout of the tensor result that `op` computes for free when operand `index` has `layout`.
/// For nv_tileas.reduce: of every tensor result. None if there is no such layout.
std::optional<tileiras::LinearLayout> inferResultLayout(Operation *op, unsigned index,
                                                        const tileiras::LinearLayout &layout);

/// The layout that tensor operand `index` must have when the tensor result has `layout`.
std::optional<tileiras::LinearLayout> inferOperandLayout(Operation *op, unsigned index,
                                                         const tileiras::LinearLayout &layout);

// Accesses to memory (nv_tileaa::MemoryAccessOpInterface) choose a layout from their addresses; operands and results
// follow.

/// The tile that an access moves: what it loads or stores; null for scalars.
Value getMemoryTile(nv_tileaa::MemoryAccessOpInterface access);

/// The layout that tensor operand or result `value` of an access has when its tile has `tile`: the same, except for the
/// coordinates of gathers and scatters, which are spread like the tile's axis.
tileiras::LinearLayout getMemoryOperandLayout(nv_tileaa::MemoryAccessOpInterface access, Value value,
                                              const tileiras::LinearLayout &tile);

/// Layout for a tile of `shape` about which nothing else is known.
Attribute getDefaultLayout(MLIRContext *context, ArrayRef<int64_t> shape, int numWarps);

/// Blocked layout whose threads hold `vec` neighbours along order[0], as far as there are enough elements to keep every
/// thread busy. `warpsApart`: where one warp's access is all along order[0], warps go along the slowest dimensions
/// first, so that a thread has several vectors of a row.
Attribute getCoalescedLayout(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<int32_t> order, int64_t vec,
                             int numWarps, bool warpsApart = false);

/// What every pass here takes for granted, checked where a pipeline can start on IR written by hand: a power of two of
/// at most 32 warps (with agents any number of them, and no tile on more warps than its agent has); tensors with static
/// power-of-two extents and at least one dimension; and, with \p needLayouts, a layout on each. Emits a located error.
LogicalResult checkTiles(nv_tileaa::FuncOp func, bool needLayouts);

/// Bytes of shared memory that one conversion or reduction may take: so much that two operands of a product and a
/// conversion have room together. What needs more goes through it in rounds.
int64_t getSharedPieceBytes(Operation *op);
/// Shared memory that a block of the target of a kernel may declare, in bytes.
int64_t getSharedBytes(Operation *op);

/// Over how many warps a layout spreads a tile that `op` works on (ExecutionContext.h).
int getNumWarps(Operation *op);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_LAYOUTINFERENCE_H
