//===- ExecutionContext.h - Which threads run this code ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel is run by all warps of a block, an agent of a kernel by some of them. Whoever chooses a layout, counts
// warps, numbers threads or emits a barrier asks the execution context of the code it works on:
//
//     ExecutionContext threads = ExecutionContext::of(op);
//     getDefaultLayout(context, shape, threads.numLayoutWarps());
//
// Warps are numbered twice. In layouts and in everything that follows from them (owners of elements, parts of
// reductions) warp 0 is the first warp of the agent; the hardware counts from the first warp of the block:
//
//     warp of the block = firstWarp + warp of the layout
//
// A kernel without agents is the case of one agent: firstWarp 0, all warps, barrier 0.
//
// Agents of a team run the same code on the same tiles, each the part that its warps hold: layouts count the warps of
// the whole team, and those of an agent begin with firstLayoutWarp. Its barrier is for its own warps.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_EXECUTIONCONTEXT_H
#define TILEIRAS_DIALECT_TILEAS_IR_EXECUTIONCONTEXT_H

#include "llvm/ADT/bit.h"
#include <cstdint>
#include <optional>

namespace mlir {
class Operation;
class Region;
} // namespace mlir

namespace mlir::nv_tileas {

struct ExecutionContext {
  int32_t firstWarp = 0;
  /// Need not be a power of two; layouts span the largest one in it, the other warps hold copies.
  int32_t numWarps = 4;
  /// Warps of the agent's team; 0 for an agent that has none, whose layouts count its own warps only.
  int32_t teamWarps = 0;
  /// The number that layouts give the first warp.
  int32_t firstLayoutWarp = 0;
  /// False where nothing says how many warps there are (functions that are no kernels) and four are taken for granted.
  bool isDeclared = false;
  /// True for code that all warps of the block run. It meets at barrier 0, which takes all threads there are.
  bool isWholeBlock = true;
  /// The named barrier (1..15) at which the threads of an agent meet, once tileas-assign-named-barriers has run. An
  /// agent of one warp needs none.
  std::optional<int32_t> barrierId;
  /// What setmaxnreg grants each thread; 0 if nothing does.
  int32_t maxRegisters = 0;
  /// Blocks of the cluster; which of them runs the code is only known at run time (%cluster_ctarank).
  int32_t numCtas = 1;

  int32_t numThreads() const { return 32 * numWarps; }
  /// The thread that layouts count as 0. In a team it may be one of another agent.
  int32_t firstThread() const { return 32 * (firstWarp - firstLayoutWarp); }
  /// The warps that hold a tile together.
  int32_t numTileWarps() const { return teamWarps ? teamWarps : numWarps; }
  /// The most warps over which a layout may spread a tile here.
  int32_t numLayoutWarps() const { return llvm::bit_floor(uint32_t(numTileWarps())); }
  bool needsNamedBarrier() const { return !isWholeBlock && numWarps > 1; }

  /// The threads that run `op`; for a function those that run its body.
  static ExecutionContext of(Operation *op);
  /// The threads that run the code of a region.
  static ExecutionContext of(Region *region);
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_EXECUTIONCONTEXT_H
