//===- TakeOverBlocks.cpp - tileas-take-over-blocks -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Agents of a persistent kernel go through tile blocks by loops that count, as those are what passes divide, pipeline
// and widen. When all that is done the loops need not count any more: a block takes over tile blocks that have not
// started (PTX ISA, "clusterlaunchcontrol"):
//
//     for t in its share {                        block = own
//       x, y, z = program_id_of_round t           while there is one {
//       ...                                         ask for the next one           the agent that copies
//       if there is a next round                    ... of x, y, z
//     }                                             next = answer                  at its end, or where it is needed
//                                                   if next is one ...
//                                                 }
//
// The agent that copies is ahead of the others, so it asks; the answer is there long before anybody needs it. Every
// agent reads every answer, and so all of them go through the same tile blocks. Who asks has read the answer before,
// and so nobody asks again behind the one that says that nothing is left, which would be undefined.
//
// What a loop may do with its counter: ask which tile block it is for, whether it is in the first round, and whether
// there is another one. All loops of a kernel are changed, or none.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_TAKEOVERBLOCKSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// What a loop does with its counter.
struct CounterUses {
  SmallVector<ProgramIdOfRoundOp> ids;
  SmallVector<arith::CmpIOp> notFirst, hasNext;
};

bool compares(arith::CmpIOp compare, arith::CmpIPredicate predicate, Value a, Value b) {
  return compare && compare.getPredicate() == predicate && compare.getLhs() == a && compare.getRhs() == b;
}

/// Nothing if it does something else, too.
std::optional<CounterUses> usesOfCounter(CountedLoop loop) {
  CounterUses uses;
  for (Operation *user : loop.getInductionVar().getUsers()) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    auto left = dyn_cast<arith::SubIOp>(user);
    if (auto id = dyn_cast<ProgramIdOfRoundOp>(user)) {
      uses.ids.push_back(id);
    } else if (compares(compare, arith::CmpIPredicate::ne, loop.getInductionVar(), loop.getLowerBound())) {
      uses.notFirst.push_back(compare);
    } else if (left && left.getLhs() == loop.getUpperBound()) {
      for (Operation *asks : left->getUsers()) {
        auto more = dyn_cast<arith::CmpIOp>(asks);
        if (!compares(more, arith::CmpIPredicate::ugt, left, loop.getStep()))
          return std::nullopt;
        uses.hasNext.push_back(more);
      }
    } else {
      return std::nullopt;
    }
  }
  return uses;
}

/// How many of the loops a thread comes to in `block`, whichever way it takes; nothing if that depends on the way.
std::optional<int> loopsOnWay(Block &block) {
  int count = 0;
  for (Operation &op : block) {
    if (isa<AgentSwitchOp>(op))
      continue;
    if (op.hasAttr(kTakesOverAttr)) {
      ++count;
      continue;
    }
    SmallVector<int> inside;
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        std::optional<int> its = loopsOnWay(inner);
        if (!its)
          return std::nullopt;
        inside.push_back(*its);
      }
    if (llvm::all_of(inside, [](int its) { return its == 0; }))
      continue;
    if (!isa<Branch>(op) || inside.size() != 2 || inside[0] != inside[1])
      return std::nullopt;
    count += inside[0];
  }
  return count;
}

class TakeOver {
public:
  explicit TakeOver(nv_tileaa::FuncOp func) : func(func), body(&func.getBody().front()) {}

  /// Why the loops stay as they are, or nothing.
  StringRef find(ArrayRef<CountedLoop> loops) {
    agents = getAgentSwitch(loops.front());
    if (agents && agents->getBlock() != body)
      return "the agents are made in a loop or a branch";
    for (CountedLoop loop : loops) {
      if (getAgentSwitch(loop) != agents)
        return "not all loops over tile blocks are those of agents";
      std::optional<CounterUses> its = usesOfCounter(loop);
      if (!its)
        return "the loop counts for more than its tile blocks";
      uses.push_back(*its);
    }
    SmallVector<Region *> runs;
    if (agents)
      for (Region &agent : agents.getAgents())
        runs.push_back(&agent);
    else
      runs.push_back(&func.getBody());
    for (Region *run : runs)
      if (!llvm::hasSingleElement(*run) || loopsOnWay(run->front()) != 1)
        return "an agent has no part in the loop over tile blocks, or several";
    return "";
  }

  void run(MutableArrayRef<CountedLoop> loops) {
    chooseWhoAsks();
    Location loc = loops.front().getLoc();
    OpBuilder builder(agents ? agents.getOperation() : &body->front());
    constexpr int64_t bytes = TakeoverCreateOp::kBytes;
    Attribute layout = getSharedLayoutAttr(builder.getContext(), tileiras::sharedLayout({int32_t(bytes)}, {0}));
    memory =
        AllocTensorOp::create(builder, loc, RankedTensorType::get({bytes}, builder.getI8Type(), layout), IntegerAttr());
    TakeoverCreateOp::create(builder, loc, memory, builder.getI32IntegerAttr(releases));
    for (auto [loop, its] : llvm::zip_equal(loops, uses))
      replace(loop, its);
    // Every block that starts has its own tile block, however many there are.
    func->removeAttr(kStayingBlocksAttr);
  }

private:
  /// The agent that fills rings and is not there for products alone: it is ahead of the others.
  void chooseWhoAsks() {
    if (!agents)
      return;
    std::optional<unsigned> copies;
    for (auto [number, agent] : llvm::enumerate(agents.getAgents())) {
      bool fills = agent.walk([](ProducerAcquireOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (fills && (!copies || isSingleThread(agents, *copies)))
        copies = number;
    }
    asks = copies.value_or(0);
    for (unsigned number = 0; number < agents.getAgents().size(); ++number)
      if (number != asks)
        releases += isSingleThread(agents, number) ? 1 : ExecutionContext::of(&agents.getAgents()[number]).numWarps;
  }

  bool isAsking(Operation *op) { return !agents || AgentSwitchOp(agents).agentOf(op) == int(asks); }

  void replace(CountedLoop loop, CounterUses &its) {
    Location loc = loop.getLoc();
    bool ids = !its.ids.empty(), here = isAsking(loop);
    OpBuilder builder(loop);
    auto word = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
    };
    // The round, the tile block, what the loop carries; and whether there is a tile block.
    SmallVector<Value> inits = {word(0)};
    if (ids)
      llvm::append_range(inits, nv_tileaa::GetProgramIdOp::create(builder, loc).getResults());
    unsigned own = inits.size();
    llvm::append_range(inits, loop.getInits());
    SmallVector<Type> types(ValueRange(inits).getTypes()), more = types;
    inits.push_back(arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
    more.push_back(builder.getI1Type());
    auto rounds = scf::WhileOp::create(builder, loc, types, inits);
    rounds->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    rounds->removeAttr(kTakesOverAttr);
    Block *before = builder.createBlock(&rounds.getBefore(), {}, more, SmallVector<Location>(more.size(), loc));
    scf::ConditionOp::create(builder, loc, before->getArguments().back(), before->getArguments().drop_back());
    Block *after = builder.createBlock(&rounds.getAfter(), {}, types, SmallVector<Location>(types.size(), loc));
    Value round = after->getArgument(0);
    if (here)
      TakeoverAskOp::create(builder, loc, memory, round, builder.getI32IntegerAttr(releases));

    Operation *last = loop.getBody()->getTerminator();
    SmallVector<Value> yielded(last->getOperands());
    Operation *needs = firstNeed(loop, its);
    for (auto [from, to] : llvm::zip_equal(loop.getRegionIterArgs(), after->getArguments().drop_front(own)))
      from.replaceAllUsesWith(to);
    for (Value &value : yielded)
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == loop.getBody())
        value = after->getArgument(argument.getArgNumber() - 1 + own);
    after->getOperations().splice(after->end(), loop.getBody()->getOperations(), loop.getBody()->begin(),
                                  last->getIterator());

    builder.setInsertionPointToEnd(after);
    if (needs)
      builder.setInsertionPoint(needs);
    Value next = TakeoverAnswerOp::create(builder, loc, nv_tileaa::ProgramIdType::get(builder.getContext()), memory,
                                          round, here);
    Value valid = nv_tileaa::IsValidProgramIdOp::create(builder, loc, builder.getI1Type(), next);
    builder.setInsertionPointToEnd(after);
    Value one = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    SmallVector<Value> values = {arith::AddIOp::create(builder, loc, round, one)};
    if (ids)
      llvm::append_range(
          values,
          ProgramIdCoordinatesOp::create(builder, loc, SmallVector<Type>(3, round.getType()), next).getResults());
    values.append(yielded);
    values.push_back(valid);
    scf::YieldOp::create(builder, loc, values);

    for (ProgramIdOfRoundOp id : its.ids)
      eraseFor(id, after->getArguments().slice(1, 3));
    for (arith::CmpIOp compare : its.hasNext)
      eraseFor(compare, valid);
    for (arith::CmpIOp compare : its.notFirst) {
      builder.setInsertionPoint(compare);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
      eraseFor(compare, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, round, zero).getResult());
    }
    for (Operation *user : llvm::make_early_inc_range(loop.getInductionVar().getUsers()))
      user->erase(); // what is left until the bound
    loop->replaceAllUsesWith(rounds.getResults().drop_front(own));
    loop->erase();
  }

  static void eraseFor(Operation *op, ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }

  /// What asks first whether there is another round, of the operations of the loop's own block; null if nothing does.
  static Operation *firstNeed(CountedLoop loop, const CounterUses &its) {
    Operation *first = nullptr;
    for (arith::CmpIOp compare : its.hasNext) {
      Operation *top = loop.getBody()->findAncestorOpInBlock(*compare);
      if (!first || top->isBeforeInBlock(first))
        first = top;
    }
    return first;
  }

  nv_tileaa::FuncOp func;
  Block *body;
  AgentSwitchOp agents;
  unsigned asks = 0;
  int32_t releases = 0;
  Value memory;
  SmallVector<CounterUses> uses; ///< of each loop
};

struct TakeOverBlocksPass : nv_tileas::impl::TakeOverBlocksPassBase<TakeOverBlocksPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    SmallVector<CountedLoop> loops;
    func.walk([&](CountedLoop loop) {
      if (loop->hasAttr(kTakesOverAttr))
        loops.push_back(loop);
    });
    if (!loops.empty()) {
      TakeOver takeOver(func);
      StringRef why = takeOver.find(loops);
      if (why.empty()) {
        takeOver.run(loops);
        numLoops += loops.size();
        remarks::passed(func, remarks::kSchedule, "TakeOver")
            << remarks::because("a block takes over tile blocks that have not started");
      } else {
        remarks::missed(func, remarks::kSchedule, "TakeOver")
            << remarks::because("blocks divide the tile blocks: " + why.str());
      }
    }
    // Of loops that count after all.
    func.walk([](Operation *op) { op->removeAttr(kTakesOverAttr); });
    func.walk([](ProgramIdOfRoundOp id) {
      OpBuilder builder(id);
      Location loc = id.getLoc();
      auto grid = nv_tileaa::GetNumProgramsOp::create(builder, loc);
      auto own = nv_tileaa::GetProgramIdOp::create(builder, loc);
      id->replaceAllUsesWith(
          programIdOfRound(builder, loc, id.getRound(), id.getDivided(), grid->getResults(), own->getResults()));
      id.erase();
    });
  }
};

} // namespace
