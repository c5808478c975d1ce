//===- StructurizeTest.cpp - Early exits mean the same after lowering -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random kernels with nested loops, ifs, breaks, continues and returns over scalars are run before and after
// convert-cudatile-to-tileaa; both runs must print the same numbers. One small interpreter knows both
// sets of operations.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

namespace {

//===----------------------------------------------------------------------===//
// Random kernels
//===----------------------------------------------------------------------===//

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string kernel() {
    text = "cuda_tile.module @m { entry @k(%a: tile<i32>, %b: tile<i32>) {\n";
    Frame frame;
    SmallVector<std::string> scope{"%a", "%b"};
    for (int i = 0; i < 4; ++i) {
      std::string name = fresh();
      text += name + " = constant <i32: " + std::to_string(i) + "> : tile<i32>\n";
      constants.push_back(name);
    }
    statements(frame, scope, 0, 5);
    text += "return\n} }\n";
    return text;
  }

private:
  struct Frame {
    enum { Kernel, For, Loop } kind = Kernel;
    unsigned carried = 0, results = 0; ///< loop: carried[0] counts iterations
    std::string next;                  ///< loop: the count after this iteration
    bool inFor = false;                ///< return is not allowed
  };

  unsigned pick(unsigned n) { return random() % n; }
  std::string fresh() { return "%v" + std::to_string(counter++); }
  std::string any(ArrayRef<std::string> scope) {
    return pick(4) == 0 ? constants[pick(constants.size())]
                        : scope[scope.size() - 1 - std::min(pick(scope.size()), pick(scope.size()))];
  }
  std::string list(ArrayRef<std::string> scope, unsigned n, StringRef first = "") {
    SmallVector<std::string> names, types(n, "tile<i32>");
    for (unsigned i = 0; i < n; ++i)
      names.push_back(i == 0 && !first.empty() ? first.str() : any(scope));
    return n == 0 ? "" : " " + llvm::join(names, ", ") + " : " + llvm::join(types, ", ");
  }
  static std::string types(unsigned n) { return llvm::join(SmallVector<std::string>(n, "tile<i32>"), ", "); }

  std::string condition(ArrayRef<std::string> scope) {
    std::string masked = fresh(), result = fresh();
    text += masked + " = andi " + any(scope) + ", " + constants[1 + 2 * pick(2)] + " : tile<i32>\n";
    text += result + " = cmpi " + (pick(2) ? "equal " : "less_than ") + masked + ", " + constants[pick(4)] +
            ", signed : tile<i32> -> tile<i1>\n";
    return result;
  }
  void print(ArrayRef<std::string> scope) {
    text += fresh() + " = print_tko \"%d\", " + any(scope) + " : tile<i32> -> token\n";
  }

  /// Ends a branch: yields, or leaves.
  void leaveOrYield(const Frame &frame, ArrayRef<std::string> scope, unsigned yields, bool mayLeave) {
    unsigned choice = mayLeave ? pick(8) : 0;
    if (choice == 1 && frame.kind == Frame::Loop)
      text += "break" + list(scope, frame.results) + "\n";
    else if (choice == 2 && frame.kind != Frame::Kernel)
      endIteration(frame, scope);
    else if (choice == 3 && !frame.inFor)
      text += "return\n";
    else
      text += "yield" + list(scope, yields) + "\n";
  }
  void endIteration(const Frame &frame, ArrayRef<std::string> scope) {
    text += "continue" + list(scope, frame.carried, frame.kind == Frame::Loop ? frame.next : "") + "\n";
  }

  void statements(const Frame &frame, SmallVector<std::string> &scope, unsigned depth, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      unsigned choice = pick(depth > 4 ? 4 : 9);
      if (choice < 2)
        print(scope);
      else if (choice < 4)
        arithmetic(scope);
      else if (choice < 7)
        ifStatement(frame, scope, depth);
      else if (choice == 7)
        forLoop(frame, scope, depth);
      else
        loop(frame, scope, depth);
    }
  }

  void arithmetic(SmallVector<std::string> &scope) {
    std::string x = any(scope), y = any(scope), name = fresh();
    text += name + (pick(2) ? " = addi " : " = muli ") + x + ", " + y + " : tile<i32>\n";
    scope.push_back(name);
  }

  /// Names of n results, added to the scope.
  std::string bind(SmallVector<std::string> &scope, unsigned n) {
    if (n == 0)
      return "";
    std::string name = fresh();
    for (unsigned i = 0; i < n; ++i)
      scope.push_back(n == 1 ? name : name + "#" + std::to_string(i));
    return name + (n == 1 ? "" : ":" + std::to_string(n)) + " = ";
  }

  void ifStatement(const Frame &frame, SmallVector<std::string> &scope, unsigned depth) {
    unsigned results = pick(3);
    bool hasElse = results > 0 || pick(2);
    std::string c = condition(scope);
    SmallVector<std::string> before = scope;
    std::string bound = bind(scope, results);
    text += bound + "if " + c + (results ? " -> (" + types(results) + ")" : "") + " {\n";
    branch(frame, before, depth, results);
    text += "}";
    if (hasElse) {
      text += " else {\n";
      branch(frame, before, depth, results);
      text += "}";
    }
    text += "\n";
  }
  void branch(const Frame &frame, SmallVector<std::string> scope, unsigned depth, unsigned results) {
    statements(frame, scope, depth + 1, pick(3));
    leaveOrYield(frame, scope, results, true);
  }

  void forLoop(const Frame &outer, SmallVector<std::string> &scope, unsigned depth) {
    Frame frame;
    frame.kind = Frame::For;
    frame.carried = pick(3);
    frame.inFor = true;
    std::string iv = fresh();
    SmallVector<std::string> inner = scope, inits;
    for (unsigned i = 0; i < frame.carried; ++i) {
      std::string arg = fresh();
      inits.push_back(arg + " = " + any(scope));
      inner.push_back(arg);
    }
    inner.push_back(iv);
    std::string head = "for " + iv + " in (" + constants[pick(2)] + " to " + constants[2 + pick(2)] + ", step " +
                       constants[1] + ") : tile<i32> ";
    if (frame.carried)
      head += "iter_values(" + llvm::join(inits, ", ") + ") -> (" + types(frame.carried) + ") ";
    text += bind(scope, frame.carried) + head + "{\n";
    statements(frame, inner, depth + 1, 1 + pick(3));
    endIteration(frame, inner);
    text += "}\n";
    (void)outer;
  }

  void loop(const Frame &outer, SmallVector<std::string> &scope, unsigned depth) {
    Frame frame;
    frame.kind = Frame::Loop;
    frame.carried = 1 + pick(3);
    frame.results = pick(3);
    frame.inFor = outer.inFor;
    SmallVector<std::string> inner = scope, inits;
    std::string count = fresh();
    inits.push_back(count + " = " + constants[0]);
    for (unsigned i = 1; i < frame.carried; ++i) {
      std::string arg = fresh();
      inits.push_back(arg + " = " + any(scope));
      inner.push_back(arg);
    }
    std::string head = "loop iter_values(" + llvm::join(inits, ", ") + ") : " + types(frame.carried);
    if (frame.results)
      head += " -> " + types(frame.results);
    text += bind(scope, frame.results) + head + " {\n";
    frame.next = fresh();
    text += frame.next + " = addi " + count + ", " + constants[1] + " : tile<i32>\n";
    std::string done = fresh();
    text += done + " = cmpi greater_than " + count + ", " + constants[2] + ", signed : tile<i32> -> tile<i1>\n";
    text += "if " + done + " {\nbreak" + list(inner, frame.results) + "\n}\n";
    statements(frame, inner, depth + 1, 1 + pick(3));
    if (pick(4) == 0)
      text += "break" + list(inner, frame.results) + "\n";
    else
      endIteration(frame, inner);
    text += "}\n";
  }

  std::mt19937 random;
  std::string text;
  unsigned counter = 0;
  SmallVector<std::string> constants;
};

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

class Interpreter {
public:
  std::vector<int32_t> trace;
  int steps = 0;
  std::string trouble;

  void run(Block &body, ArrayRef<int32_t> args) {
    for (auto [arg, value] : llvm::zip_equal(body.getArguments(), args))
      values[arg] = value;
    block(body);
  }

private:
  /// The terminator that ended a block, with its operands.
  struct Exit {
    Operation *op = nullptr;
    SmallVector<int32_t> operands;
  };

  int32_t get(Value v) {
    auto it = values.find(v);
    if (it == values.end()) {
      trouble = "use of an undefined value";
      return 0;
    }
    return it->second;
  }
  void set(ValueRange targets, ArrayRef<int32_t> numbers) {
    for (auto [target, number] : llvm::zip(targets, numbers))
      values[target] = number;
  }

  Exit block(Block &b) {
    for (Operation &op : b) {
      if (++steps > 100000)
        trouble = "runs for ever";
      if (!trouble.empty())
        return {};
      if (op.hasTrait<OpTrait::IsTerminator>()) {
        Exit exit{&op, {}};
        for (Value v : op.getOperands())
          exit.operands.push_back(get(v));
        return exit;
      }
      Exit left = operation(op);
      if (left.op)
        return left;
    }
    return {};
  }

  /// Runs one operation; returns the exit when it leaves the block it stands in.
  Exit operation(Operation &op) {
    auto number = [&](int i) { return get(op.getOperand(i)); };
    auto give = [&](int32_t n) {
      values[op.getResult(0)] = n;
      return Exit();
    };
    auto carry = [&](ValueRange targets, ValueRange from) {
      SmallVector<int32_t> numbers;
      for (Value v : from)
        numbers.push_back(get(v));
      set(targets, numbers);
    };
    return llvm::TypeSwitch<Operation *, Exit>(&op)
        .Case([&](ct::ConstantOp c) {
          return give(cast<DenseElementsAttr>(c.getValue()).getSplatValue<APInt>().getSExtValue());
        })
        .Case([&](arith::ConstantOp c) { return give(cast<IntegerAttr>(c.getValue()).getValue().getZExtValue()); })
        .Case<ct::AddIOp, arith::AddIOp>([&](auto) { return give(uint32_t(number(0)) + uint32_t(number(1))); })
        .Case<ct::MulIOp, arith::MulIOp>([&](auto) { return give(uint32_t(number(0)) * uint32_t(number(1))); })
        .Case<ct::AndIOp, arith::AndIOp>([&](auto) { return give(number(0) & number(1)); })
        .Case([&](arith::XOrIOp) { return give(number(0) ^ number(1)); })
        .Case([&](ct::CmpIOp c) {
          switch (c.getComparisonPredicate()) {
          case ct::ComparisonPredicate::Equal:
            return give(number(0) == number(1));
          case ct::ComparisonPredicate::LessThan:
            return give(number(0) < number(1));
          default:
            return give(number(0) > number(1));
          }
        })
        .Case([&](arith::CmpIOp c) {
          return give(arith::applyCmpPredicate(c.getPredicate(), APInt(32, uint32_t(number(0))),
                                               APInt(32, uint32_t(number(1)))));
        })
        .Case<ct::PrintTkoOp, aa::PrintOp>([&](auto) {
          trace.push_back(number(0));
          return Exit();
        })
        .Case([&](ct::IfOp c) {
          Block *taken = number(0) & 1 ? c.getThenBlock() : c.getElseBlock();
          if (!taken)
            return Exit();
          Exit exit = block(*taken);
          if (!isa_and_nonnull<ct::YieldOp>(exit.op))
            return exit;
          set(c.getResults(), exit.operands);
          return Exit();
        })
        .Case([&](scf::IfOp c) {
          Region &taken = number(0) & 1 ? c.getThenRegion() : c.getElseRegion();
          if (!taken.empty())
            set(c.getResults(), block(taken.front()).operands);
          return Exit();
        })
        .Case([&](ct::ForOp c) {
          carry(c.getRegionIterValues(), c.getInitValues());
          for (int32_t i = get(c.getLowerBound()), e = get(c.getUpperBound()); i < e && trouble.empty();
               i += get(c.getStep())) {
            values[c.getInductionVar()] = i;
            set(c.getRegionIterValues(), block(*c.getBody()).operands);
          }
          carry(c.getResults(), c.getRegionIterValues());
          return Exit();
        })
        .Case([&](scf::ForOp c) {
          carry(c.getRegionIterArgs(), c.getInitArgs());
          for (int32_t i = get(c.getLowerBound()), e = get(c.getUpperBound()); i < e && trouble.empty();
               i += get(c.getStep())) {
            values[c.getInductionVar()] = i;
            set(c.getRegionIterArgs(), block(*c.getBody()).operands);
          }
          carry(c.getResults(), c.getRegionIterArgs());
          return Exit();
        })
        .Case([&](ct::LoopOp c) {
          carry(c.getRegionIterValues(), c.getInitValues());
          while (trouble.empty()) {
            Exit exit = block(*c.getBody());
            if (isa_and_nonnull<ct::ContinueOp>(exit.op)) {
              set(c.getRegionIterValues(), exit.operands);
              continue;
            }
            if (!isa_and_nonnull<ct::BreakOp>(exit.op))
              return exit; // return
            set(c.getResults(), exit.operands);
            break;
          }
          return Exit();
        })
        .Case([&](scf::WhileOp c) {
          carry(c.getBeforeArguments(), c.getInits());
          while (trouble.empty()) {
            Exit exit = block(*c.getBeforeBody());
            if (exit.operands.empty())
              break;
            ArrayRef<int32_t> passed = ArrayRef<int32_t>(exit.operands).drop_front();
            if (!(exit.operands.front() & 1)) {
              set(c.getResults(), passed);
              break;
            }
            set(c.getAfterArguments(), passed);
            set(c.getBeforeArguments(), block(*c.getAfterBody()).operands);
          }
          return Exit();
        })
        .Default([&](Operation *unknown) {
          trouble = "unknown operation " + unknown->getName().getStringRef().str();
          return Exit();
        });
  }

  llvm::DenseMap<Value, int32_t> values;
};

TEST(Structurize, SameTrace) {
  MLIRContext context;
  context.loadDialect<ct::CudaTileDialect>();
  int finished = 0;
  size_t printed = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::string text = Generator(seed).kernel();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << "seed " << seed << "\n" << text;

    const int32_t inputs[3][2] = {{0, 1}, {3, 2}, {int32_t(seed * 2654435761u), 7}};
    std::vector<int32_t> expected[3];
    bool fine = true;
    for (int i = 0; i < 3; ++i) {
      Interpreter before;
      module->walk([&](ct::EntryOp entry) { before.run(entry.getBody().front(), inputs[i]); });
      fine &= before.trouble.empty();
      expected[i] = before.trace;
      ASSERT_TRUE(before.trouble.empty() || before.trouble == "runs for ever") << before.trouble << "\n" << text;
    }

    PassManager pm(&context);
    tileiras::ConvertCudaTileToTileAAPassOptions options;
    options.computeCapability = "sm_90";
    pm.addPass(tileiras::createConvertCudaTileToTileAAPass(options));
    ASSERT_TRUE(succeeded(pm.run(*module))) << "seed " << seed << "\n" << text;
    if (!fine)
      continue;
    ++finished;
    for (int i = 0; i < 3; ++i) {
      Interpreter after;
      module->walk([&](aa::FuncOp func) { after.run(func.getBody().front(), inputs[i]); });
      ASSERT_EQ(after.trouble, "") << "seed " << seed << "\n" << text;
      ASSERT_EQ(after.trace, expected[i]) << "seed " << seed << "\n" << text;
      printed += after.trace.size();
    }
  }
  // The kernels must really run and print.
  EXPECT_GT(finished, 400);
  EXPECT_GT(printed, 5000u);
}

} // namespace
