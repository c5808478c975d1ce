//===- AgentSlices.h - The part of a function that an agent runs -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program slice: some operations of a function (roots), what they are computed from, and the loops and branches they
// stand in, with those iteration arguments that anything of it needs. Cloning a slice gives a program that does what
// the roots did, in the same order, and nothing else:
//
//     scf.for %k iter_args(%acc, %in, %out) {         the slice of `fetch`:   scf.for %k iter_args(%in) {
//       fetch %in                                                               fetch %in
//       %in1 = next %in                                                         %in1 = next %in
//       %new = multiply %out, %acc                                              scf.yield %in1
//       %out1 = next %out                                                     }
//       scf.yield %new, %in1, %out1
//     }
//
// Loops (LoopLikeOpInterface) and branches (RegionBranchOpInterface, regions without arguments) are divided, by the
// ways that values take through their regions (RegionFlow.h); what is in any other operation with regions belongs to
// that operation as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSLICES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSLICES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {

class AgentSlice {
public:
  /// `shared`: operations of `body` that stay outside and that every slice may use. `mayTake` says which operations
  /// that are no roots may be part of the slice (usually: those without effects).
  AgentSlice(Block *body, const llvm::SetVector<Operation *> &shared, bool (*mayTake)(Operation *))
      : body(body), shared(shared), mayTake(mayTake) {}

  /// Adds a root and what it needs. Fails if that takes in something it may not; `obstacle()` is what.
  LogicalResult addRoot(Operation *op);
  Operation *obstacle() const { return blocked; }
  bool contains(Operation *op) const { return ops.contains(op); }

  /// Clones the slice of `body` at `builder`, whose `map` gives values another name.
  void clone(OpBuilder &builder, IRMapping &map) const { cloneBlock(body, builder, map); }

private:
  LogicalResult need(Value value);
  LogicalResult needOp(Operation *op, bool isRoot);
  LogicalResult needCarried(Operation *op, Value value);
  LogicalResult needAround(Operation *op);
  /// Whether what a loop or a branch passes on by this operand is part of the slice, or the operand says something else
  /// (a bound, a condition).
  bool isKept(OpOperand &operand) const;
  void cloneBlock(Block *block, OpBuilder &builder, IRMapping &map) const;
  void cloneDivided(Operation *op, OpBuilder &builder, IRMapping &map) const;
  Operation *cloneKept(Operation *op, OpBuilder &builder, IRMapping &map) const;

  Block *body;
  const llvm::SetVector<Operation *> &shared;
  bool (*mayTake)(Operation *);
  llvm::DenseSet<Operation *> ops;
  /// Arguments and results of loops and branches that are part of the slice, all that one value becomes together.
  llvm::DenseSet<Value> carried;
  Operation *blocked = nullptr;
};

/// An agent_switch in front of `agents` with its operands and attributes and one agent more, all of them empty.
AgentSwitchOp createWithOneMore(OpBuilder &builder, AgentSwitchOp agents);

/// The same agents, of which the first one, whose warps are named, is there twice: the second of them is consumer 1 of
/// the rings that it reads, with as many warps and registers. `map` says what is what in it. Erases `agents`.
AgentSwitchOp makeTwoOfFirst(AgentSwitchOp agents, IRMapping &map);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_AGENTSLICES_H
