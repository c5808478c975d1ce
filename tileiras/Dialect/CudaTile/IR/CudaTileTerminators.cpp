//===- CudaTileTerminators.cpp - break, continue, return ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"

using namespace mlir;
using namespace mlir::cuda_tile;

/// `(a, b)` as public diagnostics write lists of types.
static std::string joinTypes(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(types, os, [&](Type type) { os << '\'' << type << '\''; });
  os << ')';
  return text;
}

/// The nearest ancestor out of `TargetTs` that is reached through `if` ops only.
template <typename... TargetTs> static Operation *findTarget(Operation *op, StringRef allowed) {
  Operation *parent = op->getParentOp();
  while (isa_and_nonnull<IfOp>(parent))
    parent = parent->getParentOp();
  if (isa_and_nonnull<TargetTs...>(parent))
    return parent;
  InFlightDiagnostic diag = op->emitOpError("can only be nested within a ancestor chain of ")
                            << allowed << " operations";
  if (parent)
    diag.attachNote(parent->getLoc()) << "see unexpected ancestor operation";
  return nullptr;
}

LogicalResult BreakOp::verify() {
  auto loop = cast_or_null<LoopOp>(findTarget<LoopOp>(*this, "'cuda_tile.loop', 'cuda_tile.if'"));
  if (!loop)
    return failure();
  if (getOperandTypes() != loop.getResultTypes())
    return emitOpError("operand types must correspond to the parent loop result types: ")
           << joinTypes(getOperandTypes()) << " vs " << joinTypes(loop.getResultTypes());
  return success();
}

/// A `continue` that ends the body itself is the loop's own terminator: the loop reports it (verifyRegions).
LogicalResult ContinueOp::verify() {
  Operation *target = findTarget<ForOp, LoopOp>(*this, "'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'");
  if (!target)
    return failure();
  auto loop = dyn_cast<LoopOp>(target);
  TypeRange expected = loop ? TypeRange(loop.getInitValues().getTypes()) : TypeRange(target->getResultTypes());
  TypeRange found = getOperandTypes();
  if (expected == found)
    return success();
  return emitError("`") << (loop ? "loop" : "for")
                        << "` is missing a valid terminator. `continue` op should have operand types that match the "
                           "parent loop "
                        << (loop ? "iter_values: " : "return types: ") << joinTypes(expected)
                        << ", but found: " << joinTypes(found);
}

LogicalResult ReturnOp::verify() {
  // `return` leaves the kernel from below `if` and `loop`, but not from a `for`.
  Operation *parent = (*this)->getParentOp();
  while (isa_and_nonnull<IfOp, LoopOp>(parent))
    parent = parent->getParentOp();
  auto function = dyn_cast_or_null<FunctionOpInterface>(parent);
  if (!function || !isa<CudaTileDialect>(function->getDialect())) {
    bool testing = RegisteredOperationName::lookup(TestingFuncOp::getOperationName(), getContext()).has_value();
    InFlightDiagnostic diag = emitOpError("must be used within a ") << (testing ? "cuda_tile.testing$func, " : "")
                                                                    << "cuda_tile.entry, or cuda_tile.if operation";
    if (parent)
      diag.attachNote(parent->getLoc()) << "see unexpected ancestor operation";
    return diag;
  }
  if (getNumOperands() != function.getNumResults())
    return emitOpError("has ") << getNumOperands() << " operands, but enclosing function (@" << function.getName()
                               << ") returns " << function.getNumResults();
  for (auto [index, found, expected] : llvm::enumerate(getOperandTypes(), function.getResultTypes()))
    if (found != expected)
      return emitOpError("type of return operand ")
             << index << " (" << found << ") doesn't match function result type (" << expected << ") in function @"
             << function.getName();
  return success();
}
