//===- LeavingBlocks.h - Blocks that have nothing to do ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Blocks that have nothing to do leave before anything is set up: mbarriers, tensor memory, tensor maps, registers of
// agents. While such a block runs, it holds the shared memory of one that works.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_LEAVINGBLOCKS_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_LEAVINGBLOCKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tilellvm {

/// Whether the kernel runs in clusters although no tile is spread over their blocks. To be asked of tiles.
bool isForOneBlockOfMany(func::FuncOp func);

/// The other blocks of the cluster would repeat the work of the first one. Repeating what it loads is not even right:
/// nothing orders their loads before its stores to the same array.
void leaveToFirstBlock(func::FuncOp func);

/// Of a kernel whose blocks divide the tile blocks (kStayingBlocksAttr) those leave that have none. All threads of a
/// block agree. Nobody waits for such a block: not those of a kernel with clusters, which all stay.
void leaveToStayingBlocks(func::FuncOp func);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_LEAVINGBLOCKS_H
