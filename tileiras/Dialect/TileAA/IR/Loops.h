//===- Loops.h - Loops that count, and branches -----------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes ask of the control flow around them that is more than the way of a value (RegionFlow.h): how often does a
// loop run, what does it carry from round to round, which of two regions does a condition choose. The answers come from
// LoopLikeOpInterface and RegionBranchOpInterface, so a pass names no kind of loop or branch, and what implements the
// interfaces is taken in; scripts/check_control_flow.py refuses passes that name one.
//
// CountedLoop and Branch are used as the classes of ODS are:
//
//     if (auto loop = dyn_cast<CountedLoop>(op->getParentOp()))
//       func.walk([](Branch branch) { ... });
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_LOOPS_H
#define TILEIRAS_DIALECT_TILEAA_IR_LOOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::nv_tileaa {

/// What CountedLoop and Branch have from being used like operations.
template <typename Derived> class OpView : public OpState {
public:
  OpView() : OpState(nullptr) {}
  OpView(std::nullptr_t) : OpState(nullptr) {}
  explicit OpView(Operation *op) : OpState(op) {}

  template <typename T> static std::enable_if_t<std::is_base_of_v<OpState, T>, bool> classof(const T *op) {
    return Derived::classof(const_cast<T *>(op)->getOperation());
  }
  static Derived getFromOpaquePointer(const void *pointer) {
    return Derived(reinterpret_cast<Operation *>(const_cast<void *>(pointer)));
  }
  const void *getAsOpaquePointer() const { return state(); }

  ResultRange getResults() const { return state()->getResults(); }
  OpResult getResult(unsigned number) const { return state()->getResult(number); }
  unsigned getNumResults() const { return state()->getNumResults(); }
  TypeRange getResultTypes() const { return state()->getResultTypes(); }

protected:
  Operation *state() const { return *this; }
};

/// A loop of one block that runs for the counters `lower`, `lower + step`, ... below `upper` and carries values from
/// round to round. All that it carries it ends with: the numbers of inits, arguments, yielded values and results agree.
class CountedLoop : public OpView<CountedLoop> {
public:
  using OpView::classof;
  using OpView::OpView;
  static bool classof(Operation *op);

  Block *getBody() const { return &state()->getRegion(0).front(); }
  Region &getRegion() const { return state()->getRegion(0); }

  Value getInductionVar() const { return getBody()->getArgument(0); }
  Value getLowerBound() const { return cast<Value>(*interface().getSingleLowerBound()); }
  Value getUpperBound() const { return cast<Value>(*interface().getSingleUpperBound()); }
  Value getStep() const { return cast<Value>(*interface().getSingleStep()); }
  /// Whether counter and bounds are compared as numbers without a sign. No interface says so.
  bool getUnsignedCmp() const;
  std::optional<APInt> getStaticTripCount() const { return interface().getStaticTripCount(); }
  bool isDefinedOutsideOfLoop(Value value) const { return interface().isDefinedOutsideOfLoop(value); }

  unsigned getNumRegionIterArgs() const { return getBody()->getNumArguments() - 1; }
  Block::BlockArgListType getRegionIterArgs() const { return getBody()->getArguments().drop_front(); }
  BlockArgument getRegionIterArg(unsigned number) const { return getBody()->getArgument(number + 1); }
  OperandRange getInits() const { return interface().getInits(); }
  MutableArrayRef<OpOperand> getInitsMutable() const { return interface().getInitsMutable(); }
  ValueRange getYieldedValues() const { return getBody()->getTerminator()->getOperands(); }
  /// Which of the values that the loop carries the argument or the operand is; nothing if it is none of them.
  std::optional<unsigned> getCarriedNumber(Value argument) const;
  std::optional<unsigned> getCarriedNumber(OpOperand &init) const;
  OpOperand *getTiedLoopInit(BlockArgument argument) const { return interface().getTiedLoopInit(argument); }
  OpOperand *getTiedLoopYieldedValue(BlockArgument argument) const {
    return interface().getTiedLoopYieldedValue(argument);
  }
  OpResult getTiedLoopResult(BlockArgument argument) const { return interface().getTiedLoopResult(argument); }
  BlockArgument getTiedLoopRegionIterArg(OpOperand *init) const { return interface().getTiedLoopRegionIterArg(init); }
  BlockArgument getTiedLoopRegionIterArg(OpResult result) const { return interface().getTiedLoopRegionIterArg(result); }

  /// The loop with more values to carry, in this one's place.
  FailureOr<CountedLoop> replaceWithAdditionalYields(RewriterBase &rewriter, ValueRange inits,
                                                     const NewYieldValuesFn &yielded) const;

  /// Has the loop begin with another counter, and go on by other steps. Fails where the kind of loop has no way to.
  LogicalResult setCounts(Value lower, Value step) const;

  /// a < b, as the counter is compared with the upper bound.
  Value isBelow(OpBuilder &builder, Location loc, Value a, Value b) const;
  /// Whether there is a round.
  Value hasRound(OpBuilder &builder, Location loc) const {
    return isBelow(builder, loc, getLowerBound(), getUpperBound());
  }
  /// In the body: counter != lower.
  Value isNotFirst(OpBuilder &builder, Location loc) const;
  /// In the body: upper - counter > step. As the counter is below the bound, the difference is right without a sign,
  /// whatever their type.
  Value hasNext(OpBuilder &builder, Location loc) const;

private:
  LoopLikeOpInterface interface() const { return cast<LoopLikeOpInterface>(state()); }
};

/// An operation of two regions, of which a condition chooses one: the first where it is true. The second may be empty;
/// what it hands on is its results.
class Branch : public OpView<Branch> {
public:
  using OpView::classof;
  using OpView::OpView;
  static bool classof(Operation *op);

  Value getCondition() const { return state()->getOperand(0); }
  Region &getThenRegion() const { return state()->getRegion(0); }
  Region &getElseRegion() const { return state()->getRegion(1); }
  Block *thenBlock() const { return &getThenRegion().front(); }
  /// Null if there is none.
  Block *elseBlock() const { return getElseRegion().empty() ? nullptr : &getElseRegion().front(); }
  /// What a result is in either case.
  Value getThenValue(unsigned number) const { return thenBlock()->getTerminator()->getOperand(number); }
  Value getElseValue(unsigned number) const { return elseBlock()->getTerminator()->getOperand(number); }
};

/// All counted loops in `root`, inner ones before those around them.
SmallVector<CountedLoop> getCountedLoops(Operation *root);

//===----------------------------------------------------------------------===//
// What passes through
//===----------------------------------------------------------------------===//

/// The loop without the values that it carries under the numbers `dead`; who uses their arguments or results gets what
/// the loop begins with.
CountedLoop eraseCarried(RewriterBase &rewriter, CountedLoop loop, const llvm::BitVector &dead);

/// The branch without the results `dead`, which nobody uses.
Branch eraseResults(RewriterBase &rewriter, Branch branch, const llvm::BitVector &dead);

/// Has one more value pass through the regions of `op`, a loop or a branch, and returns it behind the operation that
/// replaces `op`. `through` is called for every block with the value at its start, and leaves the one at its end.
/// Fails, with a diagnostic on `op`, if there is no way for it.
FailureOr<Value> passThrough(RewriterBase &rewriter, Operation *op, Value value,
                             function_ref<LogicalResult(Block &, Value &)> through);

} // namespace mlir::nv_tileaa

#endif // TILEIRAS_DIALECT_TILEAA_IR_LOOPS_H
