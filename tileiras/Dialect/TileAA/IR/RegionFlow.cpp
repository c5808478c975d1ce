//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// The operation whose regions `op` enters or ends; null if there is none.
static RegionBranchOpInterface regionOpOf(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return branch;
  return isa<RegionBranchTerminatorOpInterface>(op) ? dyn_cast_if_present<RegionBranchOpInterface>(op->getParentOp())
                                                    : RegionBranchOpInterface();
}

namespace {
using Visit = function_ref<void(OpOperand &, Value)>;

/// A loop whose results are its arguments after the last round. RegionBranchOpInterface leaves out the ways of loops
/// with few rounds.
struct CountedLoop {
  explicit CountedLoop(Operation *op) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop || !loop.getLoopResults() || !loop.getYieldedValuesMutable())
      return;
    inits = loop.getInitsMutable();
    yielded = *loop.getYieldedValuesMutable();
    arguments = loop.getRegionIterArgs();
    results = *loop.getLoopResults();
    found = true;
  }
  bool found = false;
  MutableArrayRef<OpOperand> inits, yielded;
  ValueRange arguments, results;
};
} // namespace

/// Visits every way from an operand to an argument or result.
static void forEachWay(RegionBranchOpInterface op, Visit visit) {
  if (CountedLoop loop(op); loop.found) {
    for (auto operands : {loop.inits, loop.yielded})
      for (auto [operand, argument, result] : llvm::zip_equal(operands, loop.arguments, loop.results)) {
        visit(operand, argument);
        visit(operand, result);
      }
    return;
  }
  for (RegionBranchPoint point : op.getAllRegionBranchPoints()) {
    Operation *source = point.isParent() ? op.getOperation() : point.getTerminatorPredecessorOrNull();
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    llvm::stable_sort(successors, [](auto &a, auto &b) { return a.isParent() < b.isParent(); });
    for (RegionSuccessor successor : successors) {
      OperandRange passed = op.getSuccessorOperands(point, successor);
      for (auto [i, input] : llvm::enumerate(successor.getSuccessorInputs()))
        visit(source->getOpOperand(passed.getBeginOperandIndex() + i), input);
    }
  }
}

bool nv_tileaa::passesThroughRegions(Operation *op) { return bool(regionOpOf(op)); }

SmallVector<Value, 2> nv_tileaa::getDestinations(OpOperand &operand) {
  SmallVector<Value, 2> destinations;
  if (RegionBranchOpInterface op = regionOpOf(operand.getOwner()))
    forEachWay(op, [&](OpOperand &from, Value to) {
      if (&from == &operand)
        destinations.push_back(to);
    });
  return destinations;
}

/// The operation that `value` is a result of, or an argument of whose regions.
static RegionBranchOpInterface holderOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  return dyn_cast_if_present<RegionBranchOpInterface>(op);
}

SmallVector<OpOperand *, 2> nv_tileaa::getSources(Value value) {
  SmallVector<OpOperand *, 2> sources;
  if (RegionBranchOpInterface op = holderOf(value))
    forEachWay(op, [&](OpOperand &from, Value to) {
      if (to == value)
        sources.push_back(&from);
    });
  return sources;
}

SmallVector<Value, 2> nv_tileaa::getTwins(Value value) {
  SmallVector<Value, 2> twins;
  RegionBranchOpInterface op = holderOf(value);
  SmallVector<OpOperand *, 2> sources = getSources(value);
  if (sources.empty())
    return {value};
  forEachWay(op, [&](OpOperand &from, Value to) {
    if (&from == sources.front())
      twins.push_back(to);
  });
  return twins;
}

SmallVector<SmallVector<Value>> nv_tileaa::getPassedTogether(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return {};
  // By operand and not by value: one value may be passed in two places.
  llvm::EquivalenceClasses<void *> classes;
  forEachWay(branch, [&](OpOperand &from, Value to) { classes.unionSets(&from, to.getAsOpaquePointer()); });
  llvm::MapVector<void *, llvm::SmallSetVector<Value, 4>> groups;
  forEachWay(branch, [&](OpOperand &from, Value to) {
    auto &group = groups[classes.getLeaderValue(&from)];
    group.insert(from.get());
    group.insert(to);
  });
  SmallVector<SmallVector<Value>> result;
  for (auto &[leader, group] : groups)
    result.emplace_back(group.begin(), group.end());
  return result;
}
