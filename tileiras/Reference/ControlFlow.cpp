//===- ControlFlow.cpp - Loops, branches and their terminators -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A terminator leaves its operands in `Evaluator::carried` and says how the block is left.
// `if` handles Yield and passes the rest on to the loop around it; loops handle Continue and
// Break; Return goes up to the entry.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

static void carry(Evaluator &e, ValueRange values) {
  SmallVector<RuntimeValue> list;
  for (Value value : values)
    list.push_back(e.lookup(value));
  e.carried = std::move(list);
}

static LogicalResult runIf(Evaluator &e, IfOp op) {
  Block *block = e.scalar(op.getCondition()) ? op.getThenBlock() : op.getElseBlock();
  if (!block)
    return success();
  FailureOr<Flow> flow = e.runBlock(*block);
  if (failed(flow))
    return failure();
  if (*flow != Flow::Yield)
    return e.propagate(*flow);
  e.bindCarried(op.getResults());
  return success();
}

static LogicalResult runFor(Evaluator &e, ForOp op) {
  DType type = e.tile(op.getLowerBound()).type;
  unsigned width = bitWidth(type);
  // Bounds as numbers: no wrap-around, whatever the signedness of the comparison.
  auto number = [&](Value value) -> __int128 {
    return op.getUnsignedCmp() ? __int128(e.scalar(value)) : __int128(e.signedScalar(value));
  };
  __int128 lower = number(op.getLowerBound()), upper = number(op.getUpperBound());
  __int128 step = number(op.getStep());
  if (step <= 0)
    return op.emitError("step must be positive, got ") << int64_t(step);
  carry(e, op.getInitValues());
  Block &body = op.getRegion().front();
  for (__int128 i = lower; i < upper; i += step) {
    e.setScalar(op.getInductionVar(), maskBits(uint64_t(i), width));
    e.bindCarried(op.getRegionIterValues());
    FailureOr<Flow> flow = e.runBlock(body);
    if (failed(flow))
      return failure();
    if (*flow == Flow::Break)
      break;
    if (*flow != Flow::Continue)
      return e.propagate(*flow);
  }
  e.bindCarried(op.getResultValues());
  return success();
}

static LogicalResult runLoop(Evaluator &e, LoopOp op) {
  carry(e, op.getInitValues());
  Block &body = op.getRegion().front();
  for (;;) { // the step budget ends a loop that nothing else ends
    e.bindCarried(op.getRegionIterValues());
    FailureOr<Flow> flow = e.runBlock(body);
    if (failed(flow))
      return failure();
    if (*flow == Flow::Break)
      break;
    if (*flow != Flow::Continue)
      return e.propagate(*flow);
  }
  e.bindCarried(op.getResultValues());
  return success();
}

void reference::addControlFlowHandlers(HandlerTable &table) {
  table.add<YieldOp>([](Evaluator &e, YieldOp op) { return e.leave(Flow::Yield, op.getOperands()); });
  table.add<ContinueOp>([](Evaluator &e, ContinueOp op) { return e.leave(Flow::Continue, op.getOperands()); });
  table.add<BreakOp>([](Evaluator &e, BreakOp op) { return e.leave(Flow::Break, op.getOperands()); });
  table.add<ReturnOp>([](Evaluator &e, ReturnOp op) { return e.leave(Flow::Return, {}); });
  table.add<IfOp>([](Evaluator &e, IfOp op) { return runIf(e, op); });
  table.add<ForOp>([](Evaluator &e, ForOp op) { return runFor(e, op); });
  table.add<LoopOp>([](Evaluator &e, LoopOp op) { return runLoop(e, op); });
}
