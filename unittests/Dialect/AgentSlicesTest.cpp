//===- AgentSlicesTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {
struct AgentSlices : testing::Test {
  AgentSlices() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
    context.allowUnregisteredDialects();
  }

  /// The function of the slice whose roots are the operations called `root`, or why there is none.
  std::string slice(StringRef body, StringRef root) {
    auto module =
        parseSourceString<ModuleOp>(("func.func @f(%n: i32, %c: i1) {\n" + body + "return\n}").str(), &context);
    EXPECT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    llvm::SetVector<Operation *> shared;
    nv_tileas::AgentSlice slice(&function.getBody().front(), shared,
                                [](Operation *op) { return isMemoryEffectFree(op); });
    bool fits = true;
    function.walk([&](Operation *op) {
      if (op->getName().getStringRef() == root)
        fits &= succeeded(slice.addRoot(op));
    });
    if (!fits)
      return slice.obstacle()->getName().getStringRef().str();
    auto copy = func::FuncOp::create(function.getLoc(), "slice", function.getFunctionType());
    OpBuilder builder = OpBuilder::atBlockEnd(copy.addEntryBlock());
    IRMapping map;
    map.map(function.getArguments(), copy.getArguments());
    slice.clone(builder, map);
    func::ReturnOp::create(builder, copy.getLoc());
    EXPECT_TRUE(succeeded(verify(copy)));
    std::string text;
    llvm::raw_string_ostream(text) << copy;
    copy.erase();
    return text;
  }

  /// Of the slice's operations, those called `name`.
  static size_t count(const std::string &text, const std::string &name) {
    size_t found = 0;
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
      ++found;
    return found;
  }

  MLIRContext context;
};
} // namespace

TEST_F(AgentSlices, CountedLoop) {
  const char *body = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one, %d = %two) -> (i32, i32, i32) : i32 {
      "x.root"(%b) : (i32) -> ()
      "x.other"(%a, %i) : (i32, i32) -> ()
      %a1 = arith.addi %a, %one : i32
      %b1 = arith.addi %b, %d : i32
      scf.yield %a1, %b1, %d : i32, i32, i32
    }
    "x.last"(%r#0) : (i32) -> ()
  )";
  std::string text = slice(body, "x.root");
  EXPECT_NE(text.find("-> (i32, i32)  : i32"), std::string::npos) << text; // %b, and %d, which it needs
  EXPECT_EQ(count(text, "arith.addi"), 1u) << text;
  EXPECT_EQ(count(text, "x.other"), 0u) << text;
  text = slice(body, "x.last");
  EXPECT_NE(text.find("-> (i32)  : i32"), std::string::npos) << text;
}

TEST_F(AgentSlices, While) {
  const char *body = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r:2 = scf.while (%a = %zero, %b = %one) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi slt, %a, %n : i32
      scf.condition(%more) %a, %b : i32, i32
    } do {
    ^bb0(%a: i32, %b: i32):
      "x.root"(%a) : (i32) -> ()
      "x.other"(%b) : (i32) -> ()
      %a1 = arith.addi %a, %one : i32
      %b1 = arith.muli %b, %one : i32
      scf.yield %a1, %b1 : i32, i32
    }
  )";
  std::string text = slice(body, "x.root");
  EXPECT_NE(text.find(": (i32) -> i32"), std::string::npos) << text;
  EXPECT_EQ(count(text, "arith.cmpi"), 1u) << text; // whether there is another round
  EXPECT_EQ(count(text, "arith.addi"), 1u) << text;
  EXPECT_EQ(count(text, "arith.muli"), 0u) << text;
  // The other one counts rounds, too, and what it counts comes through both regions.
  text = slice(body, "x.other");
  EXPECT_NE(text.find(": (i32, i32) -> (i32, i32)"), std::string::npos) << text;
  EXPECT_EQ(count(text, "arith.addi"), 1u) << text;
}

TEST_F(AgentSlices, Branches) {
  const char *body = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %which = arith.index_cast %n : i32 to index
    %r:2 = scf.index_switch %which -> i32, i32
    case 2 {
      %x = arith.addi %n, %one : i32
      %y = arith.muli %n, %one : i32
      scf.yield %x, %y : i32, i32
    }
    default {
      scf.yield %zero, %one : i32, i32
    }
    %s = scf.if %c -> i32 {
      scf.yield %r#0 : i32
    } else {
      scf.yield %zero : i32
    }
    "x.root"(%s) : (i32) -> ()
  )";
  std::string text = slice(body, "x.root");
  EXPECT_EQ(count(text, "scf.index_switch"), 1u) << text;
  EXPECT_EQ(count(text, "arith.addi"), 1u) << text;
  EXPECT_EQ(count(text, "arith.muli"), 0u) << text;
}

TEST_F(AgentSlices, Obstacle) {
  EXPECT_EQ(slice("%x = \"x.read\"() : () -> i32\n \"x.root\"(%x) : (i32) -> ()\n", "x.root"), "x.read");
}
