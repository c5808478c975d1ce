//===- PrefetchBranchLoads.cpp - tileas-prefetch-branch-loads -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A persistent loop over the tiles of grouped products asks the sizes of the groups which tile a round has, and
// multiplies if there is one (docs/pipelines.md, "Loads ahead in branches"). The question is asked a round ahead, too:
//
//     for i {                               place, tiles = if there is a round { ask lb; if found { load } }
//       place = ask i (loads, loops)        for i iter_args(place, tiles) {
//       if found {                            next = if there is a next round { ask i + 1; if found { load } }
//         x = load place               ->     if found {
//         use x, place                          use tiles, place
//       }                                     }
//     }                                       yield next }
//
// What is asked may read memory, in loops and branches of its own, where no token orders it after something that the
// loop writes; what follows from the answers by arithmetic is computed on both sides, so that little is carried: the
// answers and the tiles. All loads of the branch take part, or none.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsInRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PREFETCHBRANCHLOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// Operations that finding the place of a round's tiles may take: they are there once more, before the loop.
constexpr size_t kMostOperations = 160;

/// What the loads of a branch of a loop depend on.
struct Question {
  CountedLoop loop;
  Branch branch;
  SmallVector<LoadAhead> loads;
  llvm::SetVector<Operation *> around, inside; ///< in the loop's body and in the branch, each behind what it needs
  size_t operations = 0;                       ///< with those of their regions
  StringRef why;

  /// Finds the branch with the loop's products and all that its loads need. False if there is none, or, and then says
  /// why, if it cannot be asked in an earlier round.
  bool find();
  /// Answers that are carried: what is asked of memory, by whomever, and what regions give.
  SmallVector<Value> answers() const;
  /// Whether a tile is loaded in the branch, or such a tile under another shape.
  bool isLoaded(Value tile) const;

private:
  LogicalResult collect(Value value);
  LogicalResult mayBeAsked(Operation *op);
};

/// Whether an operation is asked once for each round: it reads memory, or takes a while.
bool isHeavy(Operation *op) { return op->getNumRegions() || isa<aa::MemoryAccessOpInterface>(op); }

bool touchesSharedTile(Operation *op) {
  auto isShared = [](Type type) { return isa<RankedTensorType>(type) && !isIn(type, MemoryKind::Registers); };
  return llvm::any_of(op->getOperandTypes(), isShared) || llvm::any_of(op->getResultTypes(), isShared);
}

LogicalResult Question::mayBeAsked(Operation *op) {
  bool may = true;
  op->walk([&](Operation *inner) {
    ++operations;
    if (touchesSharedTile(inner)) {
      may = false;
    } else if (auto access = dyn_cast<aa::MemoryAccessOpInterface>(inner)) {
      may &= !access.writesMemory() && !access.isAtomic() && access.getMemSemantic() == aa::MemSemantic::Weak;
    } else if (!isa<CountedLoop, Branch>(inner)) {
      may &= isMemoryEffectFree(inner);
    }
  });
  if (!may)
    why = "where they come from depends on what the loop computes";
  return success(may);
}

LogicalResult Question::collect(Value value) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return success();
  Operation *def = value.getDefiningOp();
  if (!def) {
    why = "where they come from depends on the round before";
    return failure();
  }
  bool isInside = def->getBlock() == branch.thenBlock();
  if (!isInside && def->getBlock() != loop.getBody()) {
    why = "where they come from depends on what the loop computes";
    return failure();
  }
  auto &set = isInside ? inside : around;
  if (set.contains(def))
    return success();
  if (failed(mayBeAsked(def)))
    return failure();
  llvm::SetVector<Value> inputs(def->operand_begin(), def->operand_end());
  def->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *of = operand.getDefiningOp() ? operand.getDefiningOp() : operand.getParentBlock()->getParentOp();
      if (inner != def && !def->isAncestor(of))
        inputs.insert(operand);
    }
  });
  for (Value input : inputs)
    if (failed(collect(input)))
      return failure();
  set.insert(def);
  return success();
}

bool Question::find() {
  for (Operation &op : *loop.getBody())
    if (auto found = dyn_cast<Branch>(op);
        found && found.thenBlock()->walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted()) {
      if (branch)
        return false;
      branch = found;
    }
  // A tile that is loaded ahead of a loop inside would occupy its registers through all of that.
  if (!branch || branch->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted())
    return false;
  for (Operation &op : *branch.thenBlock())
    if (std::optional<LoadAhead> load = asLoadAhead(op))
      loads.push_back(*load);
  if (loads.empty() || failed(collect(branch.getCondition())))
    return false;
  for (LoadAhead &load : loads) {
    SmallVector<Value> needed = addressOf(*load.load);
    if (Value token = cast<aa::MemoryAccessOpInterface>(load.load).getToken())
      needed.push_back(token);
    for (Value value : needed)
      if (failed(collect(value)))
        return false;
  }
  // When all is collected: one may be what says where another one is.
  if (llvm::any_of(loads, [&](const LoadAhead &load) { return load.isFollowed() || inside.contains(load.load); })) {
    why = "others in the loop come after them";
    return false;
  }
  // A token of what asks, by itself or joined with others.
  llvm::SmallPtrSet<Operation *, 8> ordering;
  for (Operation *op : llvm::concat<Operation *const>(around, inside))
    if (isHeavy(op) || (isa<aa::JoinMemTokenOp>(op) && llvm::any_of(op->getOperands(), [&](Value token) {
                          return token.getDefiningOp() && ordering.contains(token.getDefiningOp());
                        })))
      ordering.insert(op);
  for (Operation *op : llvm::concat<Operation *const>(around, inside))
    for (Value result : op->getResults())
      if (isa<aa::MemTokenType>(result.getType()) && ordering.contains(op) &&
          llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !around.contains(loop.getBody()->findAncestorOpInBlock(*user));
          })) {
        why = "others in the loop come after what says where they are";
        return false;
      }
  if (llvm::none_of(around, isHeavy)) {
    why = "nothing but a condition keeps them from the loop's body";
    return false;
  }
  if (operations > kMostOperations) {
    why = "where they come from takes too long to compute";
    return false;
  }
  return true;
}

SmallVector<Value> Question::answers() const {
  SmallVector<Value> values;
  for (Operation *op : around) {
    if (!isHeavy(op))
      continue;
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *here = CountedLoop(loop).getBody()->findAncestorOpInBlock(*user);
            return !around.contains(here) || !isHeavy(here);
          }))
        values.push_back(result);
  }
  return values;
}

bool Question::isLoaded(Value tile) const {
  Operation *def = tile.getDefiningOp();
  while (def && isReshape(def))
    def = def->getOperand(0).getDefiningOp();
  return def && llvm::any_of(loads, [&](const LoadAhead &load) { return load.load == def; });
}

struct PrefetchBranchLoadsPass : nv_tileas::impl::PrefetchBranchLoadsPassBase<PrefetchBranchLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1 || getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    for (CountedLoop loop : aa::getCountedLoops(getOperation())) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      if (!trips || trips->ugt(1))
        prefetch(loop);
    }
  }

private:
  void prefetch(CountedLoop loop) {
    Question question{loop, {}, {}, {}, {}, 0, {}};
    bool found = question.find();
    if (!question.branch || question.loads.empty())
      return;
    int64_t products = countProducts(loop), words = 0, room = 0;
    StringRef why = question.why;
    if (found) {
      LoadBudget budget(loop, products);
      // At the loads there are two rounds' tiles, and little else; at the products the next round's, with what the loop
      // needs beside its tiles.
      int64_t brought = 0, atLoads = 0, carried = 0;
      for (const LoadAhead &load : question.loads) {
        brought += wordsOf(load.type);
        atLoads += wordsOf(load.type) + budget.costOf(load);
      }
      for (Value answer : question.answers())
        carried += wordsOf(answer.getType());
      int64_t needed = wordsIn(loop, [&](Value v) { return question.isLoaded(v) ? 0 : wordsHeld(v); });
      words = std::max(needed + brought, atLoads) + carried;
      room = budget.room();
      // Kernels whose rounds ask for their tile are persistent, with a block to a multiprocessor: how many blocks have
      // registers there is not asked.
      if (words > room)
        why = "there are no registers for them";
    }
    bool may = found && why.empty();
    if (remarks::enabled(&getContext()) && (may || !why.empty())) {
      auto remark = may ? remarks::passed(loop, remarks::kPipeline, "Prefetch")
                        : remarks::missed(loop, remarks::kPipeline, "Prefetch");
      if (remark)
        remark << remarks::figure("Products", products) << remarks::figure("Loads", question.loads.size())
               << remarks::figure("Ahead", may ? question.loads.size() : 0) << remarks::figure("Words", words)
               << remarks::figure("Room", room)
               << remarks::because(
                      may ? Twine("where the next iteration loads from is asked an iteration ahead, and its "
                                  "loads are under way in registers")
                          : "loads are not made ahead: " + why);
    }
    if (!may)
      return;
    numAhead += question.loads.size();
    rewrite(question);
  }

  /// What is asked and loaded in the round of `counter`: the answers, then the tiles in words.
  static SmallVector<Value> ask(OpBuilder &b, const Question &question, ArrayRef<Value> answers, Value counter) {
    IRMapping map;
    map.map(CountedLoop(question.loop).getInductionVar(), counter);
    for (Operation *op : question.around)
      b.clone(*op, map);
    SmallVector<Value> values;
    for (Value answer : answers)
      values.push_back(map.lookup(answer));
    Location loc = Branch(question.branch).getLoc();
    Block scratch;
    OpBuilder then(b.getContext());
    then.setInsertionPointToEnd(&scratch);
    for (Operation *op : question.inside)
      then.clone(*op, map);
    SmallVector<Value> tiles;
    for (const LoadAhead &load : question.loads)
      tiles.push_back(load.pack(then, loadAgain(then, load, map).first));
    scf::YieldOp::create(then, loc, tiles);
    Value condition = map.lookupOrDefault(Branch(question.branch).getCondition());
    llvm::append_range(values, branchOf(b, loc, condition, scratch, ValueRange(tiles).getTypes()));
    return values;
  }

  /// A branch that gives what `then` yields, or nothing that anybody may look at.
  static ValueRange branchOf(OpBuilder &b, Location loc, Value condition, Block &then, TypeRange types) {
    auto branch = scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
    Block *block = branch.thenBlock();
    block->getOperations().splice(block->begin(), then.getOperations());
    OpBuilder otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
    SmallVector<Value> none;
    for (Type type : types)
      none.push_back(ub::PoisonOp::create(otherwise, loc, type));
    scf::YieldOp::create(otherwise, loc, none);
    return branch.getResults();
  }

  static void rewrite(const Question &question) {
    CountedLoop loop = question.loop;
    IRRewriter rewriter(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> answers = question.answers();
    auto askIf = [&](OpBuilder &b, Value condition, llvm::function_ref<Value(OpBuilder &)> counter) {
      Block scratch;
      OpBuilder then(b.getContext());
      then.setInsertionPointToEnd(&scratch);
      SmallVector<Value> values = ask(then, question, answers, counter(then));
      scf::YieldOp::create(then, loc, values);
      SmallVector<Type> types(ValueRange(values).getTypes());
      return SmallVector<Value>(branchOf(b, loc, condition, scratch, types));
    };
    SmallVector<Value> inits;
    if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && !trips->isZero())
      inits = ask(rewriter, question, answers, loop.getLowerBound());
    else
      inits = askIf(rewriter, loop.hasRound(rewriter, loc), [&](OpBuilder &) { return loop.getLowerBound(); });
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
      OpBuilder top = OpBuilder::atBlockBegin(loop.getBody());
      return askIf(top, loop.hasNext(top, loc), [&](OpBuilder &b) -> Value {
        return arith::AddIOp::create(b, loc, loop.getInductionVar(), loop.getStep());
      });
    };
    CountedLoop replaced = *loop.replaceWithAdditionalYields(rewriter, inits, next);
    Block::BlockArgListType carried = replaced.getRegionIterArgs().take_back(inits.size());
    for (auto [answer, argument] : llvm::zip(answers, carried))
      answer.replaceAllUsesWith(argument);
    for (auto [load, tile] : llvm::zip_equal(question.loads, carried.drop_front(answers.size())))
      replaceLoad(load, tile, Value());
    for (auto *ops : {&question.inside, &question.around})
      for (Operation *op : llvm::reverse(*ops))
        if (op->use_empty() && (isHeavy(op) || isMemoryEffectFree(op)))
          op->erase();
  }
};

} // namespace
