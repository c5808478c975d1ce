//===- GuardLoopCounters.cpp - Loops that end near the last number ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileir-guard-loop-counters: the counter of a `for` goes through lower, lower + step, ... as long as it is below
// upper, as numbers. scf.for adds the step and then compares, which wraps around when upper is within a step of the
// type's largest number, and such a loop never ends (0 to 255 by 2 in eight bits). Here these loops become scf.while
// loops whose last step is shortened to end at upper: counter + min(step, upper - counter), unsigned. Inside the loop
// upper - counter is positive, so its bits are right whether the counter is signed or not.
//
// Loops that cannot wrap stay as they are: those by one, and those with constants that leave room for the last step.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

namespace tileiras {
#define GEN_PASS_DEF_GUARDLOOPCOUNTERSPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Whether adding the step to a counter below upper may leave the type.
bool mayWrap(scf::ForOp loop) {
  APInt step, upper;
  if (!isa<IntegerType>(loop.getStep().getType())) // index: 64 bits of addresses
    return false;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return true;
  if (step.isOne())
    return false;
  if (!matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return true;
  bool overflow = false;
  APInt last = upper - 1; // of no interest if upper is the least number: the loop does not run
  (void)(loop.getUnsignedCmp() ? last.uadd_ov(step, overflow) : last.sadd_ov(step, overflow));
  return overflow;
}

void becomeWhile(scf::ForOp loop) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value upper = loop.getUpperBound(), step = loop.getStep();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  auto before = [&](OpBuilder &inner, Location at, ValueRange state) {
    auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    scf::ConditionOp::create(inner, at, arith::CmpIOp::create(inner, at, less, state.front(), upper), state);
  };
  auto after = [&](OpBuilder &inner, Location at, ValueRange state) {
    Block *body = loop.getBody();
    auto yield = cast<scf::YieldOp>(body->getTerminator());
    SmallVector<Value> next(yield.getOperands());
    Block *block = inner.getInsertionBlock();
    // Arguments: the counter, then the values, on both sides.
    for (auto [from, to] : llvm::zip_equal(body->getArguments(), state)) {
      for (Value &value : next)
        value = value == from ? to : value;
      from.replaceAllUsesWith(to);
    }
    yield.erase();
    block->getOperations().splice(block->end(), body->getOperations());
    inner.setInsertionPointToEnd(block);
    Value room = arith::SubIOp::create(inner, at, upper, state.front());
    Value stride = arith::MinUIOp::create(inner, at, step, room);
    next.insert(next.begin(), arith::AddIOp::create(inner, at, state.front(), stride));
    scf::YieldOp::create(inner, at, next);
  };
  auto result = scf::WhileOp::create(b, loc, ValueRange(inits).getTypes(), inits, before, after);
  loop.replaceAllUsesWith(result.getResults().drop_front());
  loop.erase();
}

struct GuardLoopCountersPass : impl::GuardLoopCountersPassBase<GuardLoopCountersPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner ones first
    getOperation().walk([&](scf::ForOp loop) {
      if (mayWrap(loop))
        loops.push_back(loop);
    });
    llvm::for_each(loops, becomeWhile);
    numGuarded += loops.size();
  }
};

} // namespace

} // namespace tileiras
