//===- ControlFlow.h - Basic blocks of a PTX function -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order computed here is what makes divergent warps come together again. Code is laid out in it, and a warp
// whose threads are at different places always runs the threads that are earliest. That reconverges at the first
// possible point if (1) every edge that does not close a loop leads forward, and (2) every loop is contiguous: its
// exits come after all of its blocks, so threads that leave the loop wait until the last one has left. Both hold for
// an order made by topologically sorting strongly connected components, recursively inside each component without
// the edges back to its entry. Irreducible loops only lose some convergence, never correctness.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_CONTROLFLOW_H
#define TILEIRAS_EMULATOR_PTX_CONTROLFLOW_H

#include "tileiras/Emulator/PTX/AST.h"

#include <vector>

namespace tileiras::emu {

struct BasicBlock {
  uint32_t begin = 0, end = 0; ///< instructions
  std::vector<uint32_t> successors;
  /// Block that follows when no branch is taken, or ~0u.
  uint32_t fallthrough = ~0u;
};

struct ControlFlow {
  /// In source order. The last one is empty and stands for running off the end of the body.
  std::vector<BasicBlock> blocks;
  /// Reachable blocks in the order described above; the entry is first.
  std::vector<uint32_t> order;
  std::vector<uint32_t> blockOfLabel;
};

/// Needs a verified function.
ControlFlow buildControlFlow(const Function &fn);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_CONTROLFLOW_H
