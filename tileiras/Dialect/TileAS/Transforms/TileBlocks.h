//===- TileBlocks.h - Which block does which tile block ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes share that give the blocks of a kernel other tile blocks than those of their own numbers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TILEBLOCKS_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TILEBLOCKS_H

#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::nv_tileas {

/// Why a block may not do a tile block of another number, or nothing: blocks of a cluster share theirs; blocks may wait
/// for each other, and programs rely on it that earlier ones have begun; or something that is no tile operation may ask
/// for the number of the block by itself. `clustersGo`: clusters whose blocks divide theirs may do one of another
/// number.
StringRef whyTileBlocksStay(nv_tileaa::FuncOp func, bool clustersGo = false);

/// Whether a hint asks for several blocks of a multiprocessor at a time. One that asks for one block says what is so
/// without it.
bool shareMultiprocessor(nv_tileaa::FuncOp func);

/// Whether a value may differ from tile block to tile block.
bool dependsOnTileBlock(Value value);

/// Multiprocessors of the largest GPU of the target; 0 if nobody knows.
int64_t multiprocessorsOfTarget(Operation *op);

/// How many multiprocessors the GPU has (i64). There are smaller GPUs of a target: 114 or 78 where the largest one has
/// 132. %nsmid is at least what there are (PTX ISA, "Special Registers"). `made` is told what is made.
Value countMultiprocessors(OpBuilder &builder, Location loc, llvm::function_ref<void(Operation *)> made);

/// How blocks of a grid, or clusters of them, divide its tile blocks: one begins with that of its own number and goes
/// on in steps.
struct DividedGrid {
  Value own;    ///< the number of this block (i64)
  Value all;    ///< how many tile blocks there are (i64)
  Value step;   ///< how many blocks stay (i64)
  Value divide; ///< whether they divide them: otherwise each block does its own (i1)
};

/// Of a block's number and the grid along its three axes (i32). `staying` is as of kStayingBlocksAttr.
DividedGrid divideGrid(OpBuilder &builder, Location loc, ValueRange id, ValueRange grid, ArrayRef<int64_t> staying,
                       llvm::function_ref<void(Operation *)> made);

/// x, y, z of the tile block with the number `round` in `grid`, x counted first, where the tile blocks are `divided`;
/// `own` otherwise. A branch and divisions.
SmallVector<Value> programIdOfRound(OpBuilder &builder, Location loc, Value round, Value divided, ValueRange grid,
                                    ValueRange own);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TILEBLOCKS_H
