//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How values pass through regions, for each operation of scf that kernels have, and one
// that no pass knows.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

struct RegionFlow : testing::Test {
  RegionFlow() { context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>(); }

  /// The first operation of a kind in a function with %a, %b : f32, %c : i1, %n : i32 and %0, %1, %5 : i32.
  template <typename Op> Op parse(const std::string &body) {
    std::string text = "func.func @f(%a: f32, %b: f32, %c: i1, %n: i32) {\n"
                       "%0 = arith.constant 0 : i32\n%1 = arith.constant 1 : i32\n%5 = arith.constant 5 : i32\n" +
                       body + "\nreturn\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    Op found;
    if (module)
      module->walk([&](Op op) { found = found ? found : op; });
    EXPECT_TRUE(bool(found)) << text;
    return found;
  }
  static std::vector<Value> valuesOf(ArrayRef<OpOperand *> operands) {
    std::vector<Value> values;
    for (OpOperand *operand : operands)
      values.push_back(operand->get());
    return values;
  }
  static std::vector<Value> list(ArrayRef<Value> values) { return values.vec(); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RegionFlow, For) {
  // The last two have so few rounds that control flow leaves out some ways; types agree along all.
  for (const char *end : {"%n", "%1", "%0"}) {
    auto loop = parse<scf::ForOp>(std::string("%r = scf.for %i = %0 to ") + end +
                                  " step %1 iter_args(%x = %a) -> (f32) : i32 {\n"
                                  "%y = arith.addf %x, %b : f32\nscf.yield %y : f32\n}");
    Value argument = loop.getRegionIterArg(0), result = loop.getResult(0);
    Value init = loop.getInitArgs()[0], yielded = loop.getYieldedValues()[0];
    std::vector<Value> inside = {argument, result}, sources = {init, yielded};
    EXPECT_EQ(list(getDestinations(loop.getInitsMutable()[0])), inside) << end;
    EXPECT_EQ(list(getDestinations(loop.getBody()->getTerminator()->getOpOperand(0))), inside) << end;
    EXPECT_TRUE(getDestinations(loop->getOpOperand(1)).empty()) << "a bound goes nowhere";
    EXPECT_EQ(valuesOf(getSources(argument)), sources) << end;
    EXPECT_EQ(valuesOf(getSources(result)), sources) << end;
    EXPECT_TRUE(getSources(loop.getInductionVar()).empty());
    EXPECT_EQ(list(getTwins(result)), inside) << end;
    ASSERT_EQ(getPassedTogether(loop).size(), 1u) << end;
    EXPECT_EQ(getPassedTogether(loop)[0].size(), 4u) << end;
  }
}

TEST_F(RegionFlow, ForPassesOneValueTwice) {
  auto loop =
      parse<scf::ForOp>("%r:2 = scf.for %i = %0 to %n step %1 iter_args(%x = %a, %y = %a) -> (f32, f32) : i32 {\n"
                        "scf.yield %y, %x : f32, f32\n}");
  // Each is yielded as the other, so all four belong together; an exchange of places alone must not lose one.
  std::vector<Value> first = {loop.getRegionIterArg(0), loop.getResult(0)};
  EXPECT_EQ(list(getDestinations(loop.getInitsMutable()[0])), first);
  std::vector<Value> second = {loop.getRegionIterArg(1), loop.getResult(1)};
  EXPECT_EQ(list(getDestinations(loop.getInitsMutable()[1])), second);
}

TEST_F(RegionFlow, If) {
  auto branch = parse<scf::IfOp>("%r = scf.if %c -> (f32) {\nscf.yield %a : f32\n} else {\nscf.yield %b : f32\n}");
  std::vector<Value> result = {branch.getResult(0)};
  EXPECT_EQ(list(getDestinations(branch.thenYield()->getOpOperand(0))), result);
  EXPECT_EQ(list(getDestinations(branch.elseYield()->getOpOperand(0))), result);
  EXPECT_TRUE(getDestinations(branch->getOpOperand(0)).empty());
  std::vector<Value> sources = {branch.thenYield().getOperand(0), branch.elseYield().getOperand(0)};
  EXPECT_EQ(valuesOf(getSources(branch.getResult(0))), sources);
  EXPECT_EQ(list(getTwins(branch.getResult(0))), result);
}

TEST_F(RegionFlow, While) {
  auto loop = parse<scf::WhileOp>("%r = scf.while (%x = %a) : (f32) -> i32 {\nscf.condition(%c) %n : i32\n} do {\n"
                                  "^bb0(%k: i32):\n%y = arith.sitofp %k : i32 to f32\nscf.yield %y : f32\n}");
  Value before = loop.getBeforeArguments()[0], after = loop.getAfterArguments()[0], result = loop.getResult(0);
  EXPECT_EQ(list(getDestinations(loop.getInitsMutable()[0])), std::vector<Value>{before});
  EXPECT_EQ(list(getDestinations(loop.getYieldOp()->getOpOperand(0))), std::vector<Value>{before});
  Operation *condition = loop.getConditionOp();
  EXPECT_TRUE(getDestinations(condition->getOpOperand(0)).empty()) << "the condition goes nowhere";
  std::vector<Value> passed = {after, result};
  EXPECT_EQ(list(getDestinations(condition->getOpOperand(1))), passed);
  EXPECT_EQ(list(getTwins(result)), passed);
  std::vector<Value> sources = {loop.getInits()[0], loop.getYieldOp().getOperand(0)};
  EXPECT_EQ(valuesOf(getSources(before)), sources);
  EXPECT_EQ(valuesOf(getSources(after)), std::vector<Value>{condition->getOperand(1)});
  EXPECT_EQ(getPassedTogether(loop).size(), 2u);
}

TEST_F(RegionFlow, OperationNoPassKnows) {
  auto op = parse<scf::ExecuteRegionOp>("%r = scf.execute_region -> f32 {\nscf.yield %a : f32\n}");
  Operation *yield = op.getRegion().front().getTerminator();
  EXPECT_TRUE(passesThroughRegions(op));
  EXPECT_TRUE(passesThroughRegions(yield));
  EXPECT_EQ(list(getDestinations(yield->getOpOperand(0))), std::vector<Value>{op.getResult(0)});
  EXPECT_FALSE(passesThroughRegions(op->getParentOp()));
}

} // namespace
