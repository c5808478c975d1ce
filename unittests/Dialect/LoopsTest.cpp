//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops that count, and branches: scf's, and a loop that no pass has heard of.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace loops_test {

struct NextOp : Op<NextOp, OpTrait::ZeroRegions, OpTrait::ZeroResults, OpTrait::ZeroSuccessors,
                   OpTrait::VariadicOperands, OpTrait::IsTerminator> {
  using Op::Op;
  static StringRef getOperationName() { return "test.next"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

/// "test.count"(lower, upper, step, inits) ({ ^bb0(counter, arguments): "test.next"(yielded) }) : results
struct CountOp : Op<CountOp, OpTrait::OneRegion, OpTrait::VariadicResults, OpTrait::ZeroSuccessors,
                    OpTrait::AtLeastNOperands<3>::Impl, LoopLikeOpInterface::Trait> {
  using Op::Op;
  static StringRef getOperationName() { return "test.count"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }

  Block &body() { return getOperation()->getRegion(0).front(); }
  SmallVector<Region *> getLoopRegions() { return {&getOperation()->getRegion(0)}; }
  using Bounds = std::optional<SmallVector<OpFoldResult>>;
  std::optional<SmallVector<Value>> getLoopInductionVars() { return SmallVector<Value>{body().getArgument(0)}; }
  Bounds getLoopLowerBounds() { return SmallVector<OpFoldResult>{getOperation()->getOperand(0)}; }
  Bounds getLoopUpperBounds() { return SmallVector<OpFoldResult>{getOperation()->getOperand(1)}; }
  Bounds getLoopSteps() { return SmallVector<OpFoldResult>{getOperation()->getOperand(2)}; }
  MutableArrayRef<OpOperand> getInitsMutable() { return getOperation()->getOpOperands().drop_front(3); }
  Block::BlockArgListType getRegionIterArgs() { return body().getArguments().drop_front(); }
  std::optional<MutableArrayRef<OpOperand>> getYieldedValuesMutable() {
    return body().getTerminator()->getOpOperands();
  }
  std::optional<ResultRange> getLoopResults() { return getOperation()->getResults(); }
};

struct TestDialect : Dialect {
  explicit TestDialect(MLIRContext *context) : Dialect("test", context, TypeID::get<TestDialect>()) {
    addOperations<CountOp, NextOp>();
  }
  static StringRef getDialectNamespace() { return "test"; }
};

} // namespace loops_test

namespace {

struct Loops : testing::Test {
  Loops() { context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect, loops_test::TestDialect>(); }

  /// A function with %a, %b : f32, %c : i1, %n : i32 and %0, %1 : i32, and `body`.
  Operation *parse(const std::string &body) {
    module = parseSourceString<ModuleOp>("func.func @f(%a: f32, %b: f32, %c: i1, %n: i32) {\n%0 = arith.constant 0 : "
                                         "i32\n%1 = arith.constant 1 : i32\n" +
                                             body + "\nreturn\n}",
                                         &context);
    EXPECT_TRUE(module) << body;
    return module ? module->getOperation() : nullptr;
  }
  template <typename T> T first(const std::string &body) {
    T found;
    if (Operation *root = parse(body))
      root->walk([&](T op) { found = found ? found : op; });
    EXPECT_TRUE(bool(found)) << body;
    return found;
  }
  static std::string textOf(Value value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    value.print(stream);
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

const std::string kFor = "%r:2 = scf.for %i = %0 to %n step %1 iter_args(%x = %a, %y = %b) -> (f32, f32) : i32 {\n"
                         "%z = arith.addf %x, %x : f32\nscf.yield %z, %y : f32, f32\n}";
const std::string kCount = "%r:2 = \"test.count\"(%0, %n, %1, %a, %b) ({\n^bb0(%i: i32, %x: f32, %y: f32):\n"
                           "%z = arith.addf %x, %x : f32\n\"test.next\"(%z, %y) : (f32, f32) -> ()\n"
                           "}) : (i32, i32, i32, f32, f32) -> (f32, f32)";

TEST_F(Loops, AnswersAreThoseOfTheInterface) {
  for (const std::string &text : {kFor, kCount}) {
    auto loop = first<CountedLoop>(text);
    EXPECT_EQ(loop.getInductionVar(), loop.getBody()->getArgument(0));
    EXPECT_EQ(loop.getLowerBound(), loop->getOperand(0));
    EXPECT_EQ(loop.getUpperBound(), loop->getOperand(1));
    EXPECT_EQ(loop.getStep(), loop->getOperand(2));
    EXPECT_FALSE(loop.getUnsignedCmp());
    ASSERT_EQ(loop.getNumRegionIterArgs(), 2u);
    BlockArgument carried = loop.getRegionIterArg(1);
    EXPECT_EQ(loop.getCarriedNumber(carried), 1u);
    EXPECT_EQ(loop.getCarriedNumber(loop.getInductionVar()), std::nullopt);
    EXPECT_EQ(loop.getCarriedNumber(loop->getOpOperand(4)), 1u);
    EXPECT_EQ(loop.getCarriedNumber(loop->getOpOperand(1)), std::nullopt) << "a bound";
    EXPECT_EQ(loop.getTiedLoopInit(carried)->get(), loop->getOperand(4));
    EXPECT_EQ(loop.getTiedLoopYieldedValue(carried)->get(), carried);
    EXPECT_EQ(loop.getTiedLoopResult(carried), loop.getResult(1));
    EXPECT_TRUE(loop.isDefinedOutsideOfLoop(loop.getStep()));
    EXPECT_FALSE(loop.isDefinedOutsideOfLoop(carried));
    EXPECT_EQ(getCountedLoops(*module).size(), 1u);
  }
}

TEST_F(Loops, WhatCountsOtherwiseIsNone) {
  for (const char *text : {"%r = scf.while (%x = %a) : (f32) -> f32 {\nscf.condition(%c) %x : f32\n} do {\n"
                           "^bb0(%k: f32):\nscf.yield %k : f32\n}",
                           "%l = arith.constant 1 : index\nscf.parallel (%i) = (%l) to (%l) step (%l) {\n}",
                           "%l = arith.constant 1 : index\nscf.forall (%i) in (8) {\n}"}) {
    Operation *root = parse(text);
    ASSERT_TRUE(root);
    EXPECT_TRUE(getCountedLoops(root).empty()) << text;
  }
}

TEST_F(Loops, ComparesAsTheCounterDoes) {
  auto loop = first<CountedLoop>("scf.for unsigned %i = %0 to %n step %1 : i32 {\n}");
  EXPECT_TRUE(loop.getUnsignedCmp());
  OpBuilder builder(loop);
  EXPECT_NE(textOf(loop.hasRound(builder, loop.getLoc())).find("cmpi ult"), std::string::npos);
  auto other = first<CountedLoop>(kCount);
  OpBuilder before(other);
  EXPECT_NE(textOf(other.hasRound(before, other.getLoc())).find("cmpi slt"), std::string::npos);
  OpBuilder inside = OpBuilder::atBlockBegin(other.getBody());
  EXPECT_NE(textOf(other.isNotFirst(inside, other.getLoc())).find("cmpi ne"), std::string::npos);
  EXPECT_NE(textOf(other.hasNext(inside, other.getLoc())).find("cmpi ugt"), std::string::npos);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(Loops, Branches) {
  auto branch = first<Branch>("%r = scf.if %c -> (f32) {\nscf.yield %a : f32\n} else {\nscf.yield %b : f32\n}");
  EXPECT_EQ(branch.getCondition(), branch->getOperand(0));
  EXPECT_EQ(branch.getThenValue(0), branch.thenBlock()->getTerminator()->getOperand(0));
  EXPECT_NE(branch.getThenValue(0), branch.getElseValue(0));
  EXPECT_EQ(first<Branch>("scf.if %c {\n}").elseBlock(), nullptr);
  // A region that is always run is none, nor is a loop, which a condition ends.
  for (const char *text :
       {"%r = scf.execute_region -> f32 {\nscf.yield %a : f32\n}",
        "scf.while : () -> () {\nscf.condition(%c)\n} do {\nscf.yield\n}",
        "%l = arith.constant 1 : index\nscf.index_switch %l\ncase 1 {\nscf.yield\n}\ndefault {\n}"}) {
    Operation *root = parse(text);
    ASSERT_TRUE(root);
    root->walk([&](Branch) { ADD_FAILURE() << text; });
  }
}

TEST_F(Loops, EraseCarried) {
  for (const std::string &text : {kFor, kCount}) {
    auto loop = first<CountedLoop>(text + "\n%s = arith.addf %r#0, %r#1 : f32");
    Value init = loop.getInits()[1];
    IRRewriter rewriter(&context);
    llvm::BitVector dead(2);
    dead.set(1);
    CountedLoop fresh = eraseCarried(rewriter, loop, dead);
    EXPECT_EQ(fresh.getNumResults(), 1u);
    EXPECT_EQ(fresh.getNumRegionIterArgs(), 1u);
    Operation *sum = fresh->getNextNode();
    EXPECT_EQ(sum->getOperand(0), fresh.getResult(0));
    EXPECT_EQ(sum->getOperand(1), init) << "as if it had gone round the loop";
    EXPECT_TRUE(succeeded(verify(*module)));
  }
}

TEST_F(Loops, EraseResults) {
  auto branch =
      first<Branch>("%r:2 = scf.if %c -> (f32, f32) {\nscf.yield %a, %b : f32, f32\n} else {\nscf.yield %b, %a "
                    ": f32, f32\n}\n%s = arith.addf %r#1, %r#1 : f32");
  Value then = branch.getThenValue(1);
  IRRewriter rewriter(&context);
  llvm::BitVector dead(2);
  dead.set(0);
  Branch fresh = eraseResults(rewriter, branch, dead);
  EXPECT_EQ(fresh.getNumResults(), 1u);
  EXPECT_EQ(fresh.getThenValue(0), then);
  EXPECT_EQ(fresh->getNextNode()->getOperand(0), fresh.getResult(0));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(Loops, PassThrough) {
  for (const char *text : {"scf.for %i = %0 to %n step %1 : i32 {\n}", "scf.if %c {\n}",
                           "scf.while : () -> () {\nscf.condition(%c)\n} do {\nscf.yield\n}"}) {
    Operation *root = parse(text);
    ASSERT_TRUE(root);
    Operation *op = nullptr;
    root->walk([&](Operation *inner) {
      op = isa<scf::SCFDialect>(inner->getDialect()) && inner->getNumRegions() ? inner : op;
    });
    IRRewriter rewriter(&context);
    Value value = cast<func::FuncOp>(op->getParentOp()).getArgument(0);
    int blocks = 0;
    FailureOr<Value> behind = passThrough(rewriter, op, value, [&](Block &block, Value &inside) {
      OpBuilder builder(block.getTerminator());
      inside = arith::AddFOp::create(builder, inside.getLoc(), inside, inside);
      ++blocks;
      return success();
    });
    ASSERT_TRUE(succeeded(behind)) << text;
    EXPECT_EQ(blocks, std::string(text).find("for") != std::string::npos ? 1 : 2) << text;
    EXPECT_EQ(behind->getType(), value.getType());
    EXPECT_TRUE(succeeded(verify(*module))) << text;
  }
}

TEST_F(Loops, NoWayThrough) {
  // Its interface cannot carry one more value.
  auto loop = first<CountedLoop>(kCount);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  IRRewriter rewriter(&context);
  EXPECT_TRUE(failed(passThrough(rewriter, loop, loop.getInits()[0], [](Block &, Value &) { return success(); })));
  EXPECT_NE(message.find("'test.count' op cannot carry one more value"), std::string::npos) << message;
}

} // namespace
