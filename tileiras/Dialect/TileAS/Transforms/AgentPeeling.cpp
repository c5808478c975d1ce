//===- AgentPeeling.cpp - Iterations of an agent overlap ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AgentPeeling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

bool isRingOp(Operation *op) { return isa<ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp>(op); }

/// What an operation uses from around it, itself and in its regions.
void forEachUse(Operation *op, function_ref<void(Value)> use) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (inner == op || !op->isAncestor(operand.getParentRegion()->getParentOp()))
        use(operand);
  });
}

class Peeling {
public:
  explicit Peeling(CountedLoop loop) : loop(loop), body(loop.getBody()) {}

  bool run() {
    if (!readStages() || !isLegal())
      return false;
    splitReads();
    expand();
    return true;
  }

private:
  //===--------------------------------------------------------------------===//
  // Stages
  //===--------------------------------------------------------------------===//

  /// The operations that have stages: those of the body, and those inside of consumer_read instead of it.
  SmallVector<Operation *> nodes() {
    SmallVector<Operation *> found;
    for (Operation &op : body->without_terminator())
      if (auto read = dyn_cast<ConsumerReadOp>(op))
        for (Operation &inner : read.getBody().front().without_terminator())
          found.push_back(&inner);
      else
        found.push_back(&op);
    return found;
  }

  /// False where everything is in one stage, as far as products are concerned.
  bool readStages() {
    std::optional<int64_t> first, last;
    SmallVector<Operation *> all = nodes();
    for (Operation *op : all) {
      auto tag = op->getAttrOfType<IntegerAttr>(kStageAttr);
      if (!tag)
        return false;
      stageOf[op] = int(tag.getInt());
      if (auto dot = dyn_cast<DotOp>(op)) {
        if (dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier)
          return false; // one thread issues them, in an agent of its own
        first = std::min(first.value_or(tag.getInt()), tag.getInt());
        last = std::max(last.value_or(tag.getInt()), tag.getInt());
      }
    }
    if (!first || *first == *last)
      return false;
    // What comes before the first product, or after the last one, takes their stages: numbers and waits of a round more
    // would gain nothing.
    for (auto &[op, stage] : stageOf)
      stage = int(std::clamp<int64_t>(stage, *first, *last) - *first);
    stages = int(*last - *first) + 1;
    return true;
  }

  /// Who makes a value in the iteration that it is of, and how many iterations ago; null for what is from outside, and
  /// for the counter.
  std::pair<Operation *, int> sourceOf(Value value) {
    int ago = 0;
    while (true) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() != body || argument == loop.getInductionVar())
          return {nullptr, ago};
        value = loop.getTiedLoopYieldedValue(argument)->get();
        ++ago;
        continue;
      }
      Operation *def = value.getDefiningOp();
      if (!loop->isProperAncestor(def))
        return {nullptr, ago};
      auto read = dyn_cast<ConsumerReadOp>(def);
      if (!read)
        return {def, ago};
      value = value == read.getConsumed()
                  ? read.getToken()
                  : read.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber() - 1);
    }
  }

  bool isLegal() {
    // Counters of other iterations are sums that cannot overflow.
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           step = getConstantIntValue(loop.getStep());
    Type counter = loop.getInductionVar().getType();
    if (!lower || !step || *step < 1 || *lower < 0 || counter.isInteger(8) || counter.isInteger(16) ||
        *lower + stages * *step > std::numeric_limits<int32_t>::max())
      return false;
    for (Value yielded : loop.getYieldedValues())
      if (!yielded.getDefiningOp() || !loop->isProperAncestor(yielded.getDefiningOp()))
        return false;
    int order = 0; // of effects
    for (Operation *op : nodes()) {
      if (isa<AllocTensorOp>(op))
        return false;
      bool legal = true;
      forEachUse(op, [&](Value value) {
        if (auto [def, ago] = sourceOf(value); def && stageOf.lookup(def) > stageOf[op] + ago)
          legal = false;
        // Stages of a ring that are in use at the same time.
        if (auto tile = dyn_cast<BlockArgument>(value))
          if (auto read = dyn_cast<ConsumerReadOp>(tile.getOwner()->getParentOp()); read && !keeps(read, stageOf[op]))
            legal = false;
      });
      if (!legal)
        return false;
      if (isMemoryEffectFree(op) || isRingOp(op))
        continue;
      if (stageOf[op] < order)
        return false;
      order = stageOf[op];
    }
    return true;
  }

  /// Whether a stage of a ring is there for operations of the agent's stage `stage`.
  bool keeps(ConsumerReadOp read, int stage) {
    auto wait = read.getToken().getDefiningOp<ConsumerWaitOp>();
    if (!wait || wait->getBlock() != body || !read.getConsumed().hasOneUse())
      return false;
    auto release = dyn_cast<ConsumerReleaseOp>(*read.getConsumed().user_begin());
    if (!release || release->getBlock() != body)
      return false;
    int held = stageOf[release] - stageOf[wait] + 1;
    return stageOf[wait] <= stage && stage <= stageOf[release] &&
           held <= cast<PipelineType>(read.getPipeline().getType()).getStages();
  }

  //===--------------------------------------------------------------------===//
  // A consumer_read for each stage
  //===--------------------------------------------------------------------===//

  void splitReads() {
    for (auto read : llvm::make_early_inc_range(body->getOps<ConsumerReadOp>()))
      split(read);
  }

  void split(ConsumerReadOp read) {
    OpBuilder builder(read);
    Block &old = read.getBody().front();
    Operation *yield = old.getTerminator();
    llvm::MapVector<int, SmallVector<Operation *>> parts;
    int wait = stageOf[read.getToken().getDefiningOp()];
    parts[wait]; // the token is read, whatever else is
    for (Operation &op : old.without_terminator())
      parts[stageOf[&op]].push_back(&op);
    auto sorted = parts.takeVector();
    llvm::sort(sorted, [](const auto &a, const auto &b) { return a.first < b.first; });
    Value token = read.getToken();
    for (auto &[stage, ops] : sorted) {
      // Results: what others use.
      SmallVector<Value> given;
      for (Operation *op : ops)
        for (Value result : op->getResults())
          if (llvm::any_of(result.getUsers(), [&](Operation *user) {
                Operation *top = old.findAncestorOpInBlock(*user);
                return top == yield || !llvm::is_contained(ops, top);
              }))
            given.push_back(result);
      OperationState state(read.getLoc(), ConsumerReadOp::getOperationName());
      state.addOperands({read.getPipeline(), token});
      state.addTypes(read.getConsumed().getType());
      state.addTypes(ValueRange(given).getTypes());
      state.addAttributes(read->getAttrs());
      state.addRegion();
      auto part = cast<ConsumerReadOp>(builder.create(state));
      stageOf[part] = stage;
      token = part.getConsumed();
      OpBuilder::InsertionGuard guard(builder);
      Block *block = builder.createBlock(&part.getBody());
      for (BlockArgument argument : old.getArguments()) {
        Value own = block->addArgument(argument.getType(), argument.getLoc());
        argument.replaceUsesWithIf(own, [&, &ops = ops](OpOperand &use) {
          return llvm::is_contained(ops, old.findAncestorOpInBlock(*use.getOwner()));
        });
      }
      for (auto [number, value] : llvm::enumerate(given))
        value.replaceUsesWithIf(part.getResults()[number], [&, &ops = ops](OpOperand &use) {
          return !llvm::is_contained(ops, old.findAncestorOpInBlock(*use.getOwner()));
        });
      for (Operation *op : ops)
        op->moveBefore(block, block->end());
      builder.setInsertionPointToEnd(block);
      PipelineYieldOp::create(builder, read.getLoc(), given);
    }
    read.getConsumed().replaceAllUsesWith(token);
    for (auto [result, value] : llvm::zip_equal(read.getResults(), yield->getOperands()))
      result.replaceAllUsesWith(value);
    read.erase();
  }

  //===--------------------------------------------------------------------===//
  // Prologue, steady state, epilogue
  //===--------------------------------------------------------------------===//

  /// A value that goes round the loop: `value` of so many rounds ago. An iteration argument of the loop stands for what
  /// is yielded for it, as in the first iterations it is something else.
  struct Carried {
    Value value;
    int rounds;
  };

  static bool isArgument(Value value) { return isa<BlockArgument>(value); }
  Value yieldedFor(Value argument) { return loop.getTiedLoopYieldedValue(cast<BlockArgument>(argument))->get(); }
  int stageOfValue(Value value) {
    return stageOf.lookup((isArgument(value) ? yieldedFor(value) : value).getDefiningOp());
  }

  /// How many rounds ago a user in `stage` finds `value`; none for what is the same in all of them.
  std::optional<int> roundsTo(Value value, int stage) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != body || argument == loop.getInductionVar())
        return std::nullopt;
      return stage - stageOfValue(value) + 1;
    }
    if (!loop->isProperAncestor(value.getDefiningOp()) || value.getParentBlock() != body)
      return std::nullopt;
    return stage - stageOfValue(value);
  }

  /// The longest way of each value.
  llvm::MapVector<Value, int> lifetimes() {
    llvm::MapVector<Value, int> rounds;
    for (BlockArgument argument : loop.getRegionIterArgs())
      rounds[argument] = stageOfValue(argument) == 0 ? 1 : 0; // of the last iteration, behind the loop
    for (Operation &op : body->without_terminator())
      forEachUse(&op, [&](Value value) {
        if (std::optional<int> ago = roundsTo(value, stageOf.lookup(&op)))
          rounds[value] = std::max(rounds[value], *ago);
      });
    return rounds;
  }

  /// Clones the operations of one stage at `builder`. `at`: the counter of their iteration; `find`: what a value is
  /// that was made some rounds ago.
  void emit(OpBuilder &builder, int stage, Value at, IRMapping &made, function_ref<Value(Value, int)> find) {
    for (Operation &op : body->without_terminator()) {
      if (stageOf.lookup(&op) != stage)
        continue;
      IRMapping map;
      map.map(loop.getInductionVar(), at);
      forEachUse(&op, [&](Value value) {
        std::optional<int> ago = roundsTo(value, stage);
        if (!ago)
          return;
        // Of this round, unless it is what an argument begins with.
        Value own = *ago ? Value() : made.lookupOrNull(isArgument(value) ? yieldedFor(value) : value);
        map.map(value, own ? own : find(value, *ago));
      });
      Operation *copy = builder.clone(op, map);
      for (auto [from, to] : llvm::zip_equal(op.getResults(), copy->getResults()))
        made.map(from, to);
    }
  }

  Value counter(OpBuilder &builder, int64_t value) {
    return arith::ConstantOp::create(builder, loop.getLoc(),
                                     builder.getIntegerAttr(loop.getInductionVar().getType(), value));
  }

  /// Prologue, loop and epilogue at `builder`; returns what the loop did.
  SmallVector<Value> pieces(OpBuilder &builder) {
    Location loc = loop.getLoc();
    int64_t lower = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep());
    SmallVector<Carried> carried;
    llvm::DenseMap<Value, unsigned> firstOf;
    for (auto [value, rounds] : lifetimes()) {
      firstOf[value] = carried.size();
      for (int ago = 1; ago <= rounds; ++ago)
        carried.push_back({value, ago});
    }

    // Rounds are numbered by the iteration that begins in them; those from S - 1 on are of the loop.
    SmallVector<IRMapping> made(stages - 1);
    auto before = [&](Value value, int round) -> Value {
      Value source = isArgument(value) ? yieldedFor(value) : value;
      int iteration = round - stageOfValue(value);
      if (iteration < 0) // what an argument begins with
        return loop.getTiedLoopInit(cast<BlockArgument>(value))->get();
      return made[round].lookup(source);
    };
    for (int round = 0; round < stages - 1; ++round)
      for (int stage = round; stage >= 0; --stage)
        emit(builder, stage, counter(builder, lower + (round - stage) * step), made[round],
             [&](Value value, int ago) { return before(value, round - ago); });

    SmallVector<Value> inits;
    for (Carried &entry : carried)
      inits.push_back(before(entry.value, stages - 1 - entry.rounds));
    auto steady = scf::ForOp::create(builder, loc, counter(builder, lower + (stages - 1) * step), loop.getUpperBound(),
                                     loop.getStep(), inits);
    steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    steady.setUnsignedCmp(loop.getUnsignedCmp());
    if (!steady.getBody()->empty())
      steady.getBody()->back().erase();
    auto inside = OpBuilder::atBlockEnd(steady.getBody());
    IRMapping now;
    for (int stage = stages - 1; stage >= 0; --stage) {
      Value at = steady.getInductionVar();
      if (stage)
        at = arith::SubIOp::create(inside, loc, at, counter(inside, stage * step));
      emit(inside, stage, at, now,
           [&](Value value, int ago) { return steady.getRegionIterArgs()[firstOf[value] + ago - 1]; });
    }
    SmallVector<Value> yielded;
    for (auto [number, entry] : llvm::enumerate(carried))
      yielded.push_back(entry.rounds == 1 ? now.lookup(isArgument(entry.value) ? yieldedFor(entry.value) : entry.value)
                                          : Value(steady.getRegionIterArgs()[number - 1]));
    scf::YieldOp::create(inside, loc, yielded);

    // The iteration that begins in round e behind the loop would be the e-th one too many.
    SmallVector<IRMapping> after(stages);
    auto find = [&](Value value, int round) -> Value {
      if (round > 0)
        return after[round].lookup(isArgument(value) ? yieldedFor(value) : value);
      return steady.getResult(firstOf[value] - round);
    };
    Value distance = arith::SubIOp::create(builder, loc, loop.getUpperBound(), counter(builder, lower + 1));
    if (step != 1) {
      Value beyond = arith::RemUIOp::create(builder, loc, distance, counter(builder, step));
      distance = arith::SubIOp::create(builder, loc, distance, beyond);
    }
    Value last = arith::AddIOp::create(builder, loc, distance, counter(builder, lower));
    for (int round = 1; round < stages; ++round)
      for (int stage = stages - 1; stage >= round; --stage) {
        Value at = last;
        if (stage != round)
          at = arith::SubIOp::create(builder, loc, last, counter(builder, (stage - round) * step));
        emit(builder, stage, at, after[round], [&](Value value, int ago) { return find(value, round - ago); });
      }
    SmallVector<Value> results;
    for (BlockArgument argument : loop.getRegionIterArgs())
      results.push_back(find(argument, stageOfValue(argument)));
    return results;
  }

  void expand() {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    int64_t lower = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep());
    std::optional<APInt> count = loop.getStaticTripCount();
    SmallVector<Value> results;
    if (count && count->uge(stages - 1)) {
      results = pieces(builder);
    } else {
      Value enough = loop.isBelow(builder, loc, counter(builder, lower + (stages - 2) * step), loop.getUpperBound());
      auto choice = scf::IfOp::create(builder, loc, loop.getResultTypes(), enough, /*addThenBlock=*/true,
                                      /*addElseBlock=*/true);
      for (Block *block : {choice.thenBlock(), choice.elseBlock()})
        if (!block->empty())
          block->back().erase();
      auto some = OpBuilder::atBlockEnd(choice.thenBlock());
      scf::YieldOp::create(some, loc, pieces(some));
      auto few = OpBuilder::atBlockEnd(choice.elseBlock());
      // With two stages there is no iteration here.
      if (stages == 2)
        scf::YieldOp::create(few, loc, loop.getInits());
      else
        scf::YieldOp::create(few, loc, few.clone(*loop)->getResults());
      results = choice.getResults();
    }
    loop->replaceAllUsesWith(results);
    loop.erase();
  }

  CountedLoop loop;
  Block *body;
  llvm::DenseMap<Operation *, int> stageOf; ///< relative to the first of the loop
  int stages = 1;
};

} // namespace

unsigned nv_tileas::peelWithinAgents(AgentSwitchOp agents) {
  unsigned peeled = 0;
  SmallVector<CountedLoop> loops;
  agents->walk([&](CountedLoop loop) {
    if (llvm::any_of(*loop.getBody(), llvm::IsaPred<ConsumerWaitOp>))
      loops.push_back(loop);
  });
  for (CountedLoop loop : loops)
    peeled += Peeling(loop).run();
  return peeled;
}
