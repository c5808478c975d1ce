//===- ReduceModule.cpp - Makes a module smaller that shows a fault -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// usage: ReduceModule FILE
//
// FILE is a module as GenerateModule prints it. Candidates, each smaller than what was last accepted, go to standard
// output in the same form, each followed by a line `// end`; for each one line is read: `yes` if it still shows the
// fault, else anything. The caller keeps the last accepted candidate, and is done when no more come.
//
// Candidates are valid. So that a candidate does not show a fault of its own, whatever keeps an operation defined
// stays: how divisors, amounts of shifts, operands of conversions to integers and of arithmetic that must not overflow
// are made.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>
#include <iostream>

using namespace mlir;
namespace ct = mlir::cuda_tile;

namespace {

/// A module with what is needed to run it.
struct Sample {
  OwningOpRef<ModuleOp> module;
  std::string grid = "1,1,1";
  bool exact = true;
  std::vector<std::string> arguments;

  Sample clone() { return {OwningOpRef<ModuleOp>(cast<ModuleOp>(module.get()->clone())), grid, exact, arguments}; }
  ct::EntryOp entry() {
    ct::EntryOp found;
    module.get().walk([&](ct::EntryOp entry) { found = entry; });
    return found;
  }
};

bool isTerminator(Operation *op) { return op->hasTrait<OpTrait::IsTerminator>(); }
bool isFrame(Operation *op) { return isa<ModuleOp, ct::ModuleOp, ct::EntryOp>(op); }

/// The kernel that runs is the last one.
bool isOtherEntry(Operation *op) { return isa<ct::EntryOp>(op) && op != &op->getBlock()->back(); }

/// What can be removed, in the order of the text. Bodies of reductions and scans stay: another body may depend on the
/// order in which elements are combined, or on whether the identity takes part.
std::vector<Operation *> candidates(Sample &sample, bool topLevelOnly) {
  std::vector<Operation *> list;
  sample.module.get().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isOtherEntry(op))
      list.push_back(op);
    if (isFrame(op) || isa<ct::ReduceOp, ct::ScanOp>(op->getParentOp()))
      return;
    bool top = isFrame(op->getParentOp());
    if ((top || !topLevelOnly) && !(isTerminator(op) && (top || !isa<ct::IfOp>(op->getParentOp()))))
      list.push_back(op);
  });
  return list;
}

//===----------------------------------------------------------------------===//
// What must not be replaced
//===----------------------------------------------------------------------===//

void guard(Value value, llvm::DenseSet<Operation *> &guards, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0 || !isa<ct::AndIOp, ct::OrIOp, ct::MaxFOp, ct::MinFOp, ct::ConstantOp, ct::SubIOp>(op) ||
      !guards.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    guard(operand, guards, depth - 1);
}

/// How a NaN becomes one whose bits are known: a select by a comparison of the value with itself.
void guardBits(Value value, llvm::DenseSet<Operation *> &guards) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  guards.insert(op);
  if (isa<ct::SelectOp>(op))
    for (Value operand : op->getOperands())
      if (Operation *other = operand.getDefiningOp(); other && isa<ct::CmpFOp, ct::ConstantOp>(other))
        guards.insert(other);
}

/// Operations that keep others defined.
llvm::DenseSet<Operation *> findGuards(Sample &sample) {
  llvm::DenseSet<Operation *> guards;
  sample.module.get().walk([&](Operation *op) {
    if (isa<ct::DivIOp, ct::RemIOp, ct::ShLIOp, ct::ShRIOp>(op))
      guard(op->getOperand(1), guards, 3);
    else if (isa<ct::FToIOp, ct::AssumeOp>(op) || op->hasAttr("overflow"))
      for (Value operand : op->getOperands())
        guard(operand, guards, 3);
    else if (isa<ct::BitcastOp, ct::PackOp>(op) && isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
      guardBits(op->getOperand(0), guards);
  });
  return guards;
}

//===----------------------------------------------------------------------===//
// Changes. Each says whether it did something.
//===----------------------------------------------------------------------===//

/// A constant that nothing minds: one, or true.
Value makeConstant(OpBuilder &builder, Location loc, Type type) {
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile)
    return {};
  auto shaped = cast<ShapedType>(type);
  Type element = tile.getElementType();
  Attribute one;
  if (auto integer = dyn_cast<IntegerType>(element))
    one = IntegerAttr::get(integer, 1);
  else if (auto real = dyn_cast<FloatType>(element))
    one = FloatAttr::get(real, 1.0);
  else
    return {};
  if (element.isInteger(4))
    return {};
  return ct::ConstantOp::create(builder, loc, cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(shaped, one)));
}

/// Replaces the results by other values, and the operation is gone.
bool removeOp(Operation *op) {
  if (op->getNumResults() == 0 && isTerminator(op)) {
    // `if` without results: its branch may as well end by itself.
    if (!isa<ct::IfOp>(op->getParentOp()) || isa<ct::YieldOp>(op) || op->getParentOp()->getNumResults())
      return false;
    OpBuilder builder(op);
    ct::YieldOp::create(builder, op->getLoc(), ValueRange());
    op->erase();
    return true;
  }
  OpBuilder builder(op);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other;
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType())
        other = operand;
    if (!other && isa<ct::TokenType>(result.getType()))
      other = ct::MakeTokenOp::create(builder, op->getLoc(), result.getType());
    if (!other)
      other = makeConstant(builder, op->getLoc(), result.getType());
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

/// The same with a constant even if an operand would do.
bool replaceByConstants(Operation *op) {
  if (isa<ct::ConstantOp>(op) || op->getNumResults() == 0)
    return false;
  OpBuilder builder(op);
  bool any = false;
  for (Value result : op->getResults()) {
    Value other = result.use_empty() ? Value() : makeConstant(builder, op->getLoc(), result.getType());
    if (other) {
      result.replaceAllUsesWith(other);
      any = true;
    }
  }
  return any;
}

bool removeDead(Sample &sample) {
  bool any = false, again = true;
  while (again) {
    again = false;
    std::vector<Operation *> list = candidates(sample, false);
    for (auto op = list.rbegin(); op != list.rend(); ++op)
      // `divi` and queries of views say that they do more than compute; here they do not.
      if ((*op)->use_empty() && !isTerminator(*op) && !isFrame(*op) &&
          (isMemoryEffectFree(*op) || isa<ct::AssumeOp, ct::GlobalOp>(*op)) &&
          (!isa<ct::GlobalOp>(*op) || SymbolTable::symbolKnownUseEmpty(*op, sample.module.get()))) {
        (*op)->erase();
        any = again = true;
        break;
      }
  }
  return any;
}

/// Puts the operations of a block in front of `op`; what its terminator gives becomes its results.
bool inlineBlock(Operation *op, Block *block, ValueRange arguments) {
  Operation *end = block->getTerminator();
  if (end->getNumOperands() != op->getNumResults())
    return false;
  for (auto [argument, value] : llvm::zip(block->getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  std::vector<Value> values(end->operand_begin(), end->operand_end());
  end->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op), block->getOperations());
  op->replaceAllUsesWith(values);
  op->erase();
  return true;
}

/// Terminators that belong to a loop, at any depth.
std::vector<Operation *> endsOf(Operation *loop) {
  std::vector<Operation *> ends;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != loop && isa<ct::ForOp, ct::LoopOp>(op))
      return WalkResult::skip();
    if (isa<ct::ContinueOp, ct::BreakOp>(op))
      ends.push_back(op);
    return WalkResult::advance();
  });
  return ends;
}

bool openRegion(Operation *op, bool second) {
  if (auto branch = dyn_cast<ct::IfOp>(op)) {
    Block *block = second ? branch.getElseBlock() : branch.getThenBlock();
    return block && isa<ct::YieldOp>(block->getTerminator()) && inlineBlock(op, block, {});
  }
  if (auto loop = dyn_cast<ct::ForOp>(op); loop && !second) {
    if (endsOf(op).size() != 1)
      return false;
    SmallVector<Value> values{loop.getLowerBound()};
    llvm::append_range(values, loop.getInitValues());
    return inlineBlock(op, loop.getBody(), values);
  }
  return false;
}

/// A loop or branch with one carried value or result less.
bool narrow(Operation *op, unsigned index) {
  auto forLoop = dyn_cast<ct::ForOp>(op);
  auto loop = dyn_cast<ct::LoopOp>(op);
  unsigned carried = forLoop ? forLoop.getInitValues().size() : loop ? loop.getInitValues().size() : 0;
  if (index >= std::max(carried, op->getNumResults()))
    return false;
  bool dropCarried = index < carried;
  bool dropResult = index < op->getNumResults() && (forLoop || op->getResult(index).use_empty());
  if (loop && dropCarried && dropResult)
    dropResult = false; // one at a time: they have nothing to do with each other
  if (!dropCarried && !dropResult)
    return false;
  unsigned firstInit = forLoop ? 3 : 0;
  Value init = dropCarried ? op->getOperand(firstInit + index) : Value();
  if (dropResult && !op->getResult(index).use_empty())
    op->getResult(index).replaceAllUsesWith(init);
  if (dropCarried) {
    Block &body = op->getRegion(0).front();
    unsigned argument = index + (forLoop ? 1 : 0);
    body.getArgument(argument).replaceAllUsesWith(init);
    body.eraseArgument(argument);
    op->eraseOperand(firstInit + index);
  }
  if (isa<ct::IfOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty() && isa<ct::YieldOp>(region.front().getTerminator()))
        region.front().getTerminator()->eraseOperand(index);
  } else {
    for (Operation *end : endsOf(op))
      if (isa<ct::ContinueOp>(end) ? dropCarried : dropResult)
        end->eraseOperand(index);
  }
  if (!dropResult)
    return true;
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addAttributes(op->getAttrs());
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (i != index)
      state.addTypes(op->getResult(i).getType());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *narrower = builder.create(state);
  for (unsigned i = 0, to = 0; i < op->getNumResults(); ++i)
    if (i != index)
      op->getResult(i).replaceAllUsesWith(narrower->getResult(to++));
  op->erase();
  return true;
}

bool removeParameter(Sample &sample, unsigned index) {
  ct::EntryOp entry = sample.entry();
  if (index >= entry.getNumArguments() || !entry.getArgument(index).use_empty() ||
      sample.arguments.size() != entry.getNumArguments())
    return false;
  sample.arguments.erase(sample.arguments.begin() + index);
  return succeeded(cast<FunctionOpInterface>(entry.getOperation()).eraseArgument(index));
}

bool makeSplat(Operation *op) {
  auto constant = dyn_cast<ct::ConstantOp>(op);
  auto elements = constant ? dyn_cast<DenseElementsAttr>(Attribute(constant.getValue())) : DenseElementsAttr();
  if (!elements || elements.isSplat() || elements.getNumElements() == 0)
    return false;
  DenseElementsAttr splat = DenseElementsAttr::get(elements.getType(), *elements.value_begin<Attribute>());
  constant->setAttr("value", splat);
  return true;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

class Reducer {
public:
  explicit Reducer(Sample sample) : best(std::move(sample)) {}

  void run() {
    for (bool again = true; again && !finished;) {
      again = false;
      again |= attempt([](Sample &s) { return removeDead(s); });
      again |= chunks(/*topLevelOnly=*/true);
      again |= chunks(/*topLevelOnly=*/false);
      again |= each([](Operation *op) { return openRegion(op, false); });
      again |= each([](Operation *op) { return openRegion(op, true); });
      for (unsigned i = 0; i < 4; ++i)
        again |= each([i](Operation *op) { return narrow(op, i); });
      again |= each(replaceByConstants, /*respectGuards=*/true);
      again |= each(makeSplat, /*respectGuards=*/true);
      again |= attempt([](Sample &s) { return removeDead(s); });
      for (unsigned i = best.arguments.size(); i-- > 0;)
        again |= attempt([i](Sample &s) { return removeParameter(s, i); });
      again |= attempt([](Sample &s) { return std::exchange(s.grid, "1,1,1") != "1,1,1"; });
    }
  }

private:
  /// Asks about a changed copy, and keeps it if the answer is yes.
  template <typename Change> bool attempt(Change change) {
    if (finished)
      return false;
    Sample copy = best.clone();
    if (!change(copy))
      return false;
    if (failed(verify(*copy.module)))
      return false;
    std::string text;
    llvm::raw_string_ostream os(text);
    copy.module->getBody()->front().print(os);
    os << "\n// grid: " << copy.grid << "\n" << (copy.exact ? "" : "// inexact\n");
    for (const std::string &argument : copy.arguments)
      os << "// argument: " << argument << "\n";
    if (text == last)
      return false;
    std::cout << text << "// end\n" << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer)) {
      finished = true;
      return false;
    }
    if (answer != "yes")
      return false;
    last = text;
    best = std::move(copy);
    return true;
  }

  /// Groups of operations, fewer and fewer at a time, the last ones first.
  bool chunks(bool topLevelOnly) {
    bool any = false;
    size_t count = candidates(best, topLevelOnly).size();
    for (size_t size = std::max<size_t>(topLevelOnly ? count / 2 : 1, 1); size > 0 && !finished; size /= 2) {
      for (size_t end = candidates(best, topLevelOnly).size(); end > 0 && !finished;) {
        size_t begin = end > size ? end - size : 0;
        any |= attempt([&](Sample &sample) {
          std::vector<Operation *> list = candidates(sample, topLevelOnly);
          llvm::DenseSet<Operation *> guards = findGuards(sample);
          bool changed = false;
          for (size_t i = std::min(end, list.size()); i-- > begin;)
            if (list[i]->use_empty() || !guards.contains(list[i]))
              changed |= removeOp(list[i]);
          return changed;
        });
        end = begin;
      }
    }
    return any;
  }

  bool each(llvm::function_ref<bool(Operation *)> change, bool respectGuards = false) {
    bool any = false;
    for (size_t i = candidates(best, false).size(); i-- > 0 && !finished;)
      any |= attempt([&](Sample &sample) {
        std::vector<Operation *> list = candidates(sample, false);
        if (i >= list.size() || (respectGuards && findGuards(sample).contains(list[i])))
          return false;
        return change(list[i]);
      });
    return any;
  }

  Sample best;
  std::string last;
  bool finished = false;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: ReduceModule FILE\n";
    return 1;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1], /*IsText=*/true);
  if (!file) {
    std::cerr << "ReduceModule: cannot read " << argv[1] << "\n";
    return 1;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ct::CudaTileDialect>();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  Sample sample;
  sample.module = parseSourceString<ModuleOp>((*file)->getBuffer(), ParserConfig(&context));
  if (!sample.module || !sample.entry()) {
    std::cerr << "ReduceModule: " << argv[1] << " is no module with an entry\n";
    return 1;
  }
  for (StringRef rest = (*file)->getBuffer(); !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("// grid: "))
      sample.grid = line.str();
    else if (line == "// inexact")
      sample.exact = false;
    else if (line.consume_front("// argument: "))
      sample.arguments.push_back(line.str());
  }
  Reducer(std::move(sample)).run();
  return 0;
}
