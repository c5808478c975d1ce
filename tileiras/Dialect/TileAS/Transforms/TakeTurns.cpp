//===- TakeTurns.cpp - tileas-take-turns ----------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two warpgroups that multiply and compute share one matrix unit. Left to themselves they wait for it together and then
// compute together. In turns one computes while the products of the other one are done:
//
//     before the loop:  the second one hands the turn to the first, if there is a round
//     each round:       wait for the own turn;  products;  hand the turn on;  what is computed with them
//     the last round:   the second one keeps the turn
//
// A turn is a named barrier at which one side arrives and the other one waits (PTX ISA, "barrier": an arrival does not
// wait, and the barrier is reset when all its threads have come). Nobody arrives a second time before the other side
// has come for the first, also where the loop stands in another one: who hands a turn on has waited for his own, which
// the other side has handed on behind its wait. A turn says nothing about memory: whoever reads what the other one
// writes has barriers of his own.
//
// Two agents of which each has every other tile block (AlternateTiles.h) have the loops that wait for stages in turns:
//
//     for each tile block:
//       wait for the own turn, but for the very first tile block;  loop over k
//       hand the turn on, if there is another tile block;  wait for the last products, store
//
// Here turns are more than a matter of speed, so what cannot have them is an error.
//
// Which loops, and which barriers, nv_tileas.turns says (tileas-materialize-schedule). This pass runs behind
// tileas-overlap-products, as only then it is known where the products of a round stand. Where they are waited for one
// by one the loop stays as it is.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_TAKETURNSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

constexpr int32_t kWarpgroup = 4;

/// The products of a round that go on by themselves, as operations of the loop's body: the first and the last. Null if
/// there are none.
std::pair<Operation *, Operation *> productsOf(CountedLoop loop) {
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : *loop.getBody())
    if (op.walk([](AsyncDotOp) { return WalkResult::interrupt(); }).wasInterrupted()) {
      first = first ? first : &op;
      last = &op;
    }
  return {first, last};
}

/// The turns of one agent of two.
class Turns {
public:
  Turns(CountedLoop loop, ArrayRef<int32_t> barriers)
      : loop(loop), barriers(barriers), builder(loop->getContext()),
        number(ExecutionContext::of(loop.getOperation()).firstLayoutWarp / kWarpgroup) {}

  /// Whether the loop is that of an agent of one warpgroup beside another one that runs the same code.
  static bool isOfTwo(CountedLoop loop) {
    ExecutionContext threads = ExecutionContext::of(loop.getOperation());
    return threads.teamWarps == 2 * kWarpgroup && threads.numWarps == kWarpgroup;
  }

  void run(Operation *first, Operation *last) {
    builder.setInsertionPoint(loop);
    if (number == 1)
      arriveIf(loop.hasRound(builder, loop.getLoc()));
    builder.setInsertionPoint(first);
    NVVM::BarrierOp::create(builder, loop.getLoc(), TypeRange(), constant(barriers[number]), constant(kThreads),
                            NVVM::BarrierReductionAttr(), Value());
    builder.setInsertionPointAfter(last);
    if (number == 1)
      arriveIf(loop.hasNext(builder, loop.getLoc()));
    else
      arrive();
  }

private:
  Value constant(int32_t value) {
    return arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(value));
  }
  /// Hands the turn to the other agent.
  void arrive() {
    NVVM::BarrierArriveOp::create(builder, loop.getLoc(), constant(barriers[1 - number]), constant(kThreads));
  }
  void arriveIf(Value condition) {
    auto branch = scf::IfOp::create(builder, loop.getLoc(), condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    arrive();
  }
  static constexpr int32_t kThreads = 2 * kWarpgroup * 32;

  CountedLoop loop;
  ArrayRef<int32_t> barriers;
  OpBuilder builder;
  int32_t number;
};

/// The turns of an agent that has every other tile block.
class TileTurns {
public:
  TileTurns(CountedLoop loop, ArrayRef<int32_t> barriers)
      : loop(loop), barriers(barriers), agents(getAgentSwitch(loop)), number(agents ? agents.agentOf(loop) : -1) {}

  LogicalResult run() {
    if (barriers.size() != 2 || number < 0 || number > 1)
      return loop->emitOpError("of every other tile block expects to be that of the first agent or the second, and two "
                               "barriers");
    // What waits for stages.
    Operation *first = nullptr, *last = nullptr;
    auto waits = [](Operation &op) {
      return op.walk([](ConsumerWaitOp) { return WalkResult::interrupt(); }).wasInterrupted();
    };
    for (Operation &op : loop.getBody()->without_terminator())
      if (waits(op)) {
        first = first ? first : &op;
        last = &op;
      }
    WalkResult walk = agents->getRegion(number).walk(
        [&](ConsumerWaitOp wait) { return loop->isAncestor(wait) ? WalkResult::advance() : WalkResult::interrupt(); });
    if (!first || walk.wasInterrupted())
      return loop->emitOpError(
          "of every other tile block expects its agent to wait for stages in it, and nowhere else");
    Location loc = loop.getLoc();
    OpBuilder builder(first);
    Value threads = constant(builder, 32 * (agents.getNumWarps().value()[0] + agents.getNumWarps().value()[1]));
    auto take = [&](OpBuilder &b) {
      NVVM::BarrierOp::create(b, loc, TypeRange(), constant(b, barriers[number]), threads, NVVM::BarrierReductionAttr(),
                              Value());
    };
    if (number == 0)
      inBranch(builder, loop.isNotFirst(builder, loc), take);
    else
      take(builder);
    builder.setInsertionPointAfter(last);
    // The next tile block is half a step away.
    Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), loop.getInductionVar());
    Value half = arith::ShRUIOp::create(builder, loc, loop.getStep(), constant(builder, 1));
    Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left, half);
    inBranch(builder, more,
             [&](OpBuilder &b) { NVVM::BarrierArriveOp::create(b, loc, constant(b, barriers[1 - number]), threads); });
    return success();
  }

private:
  Value constant(OpBuilder &builder, int32_t value) {
    return arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(value));
  }
  void inBranch(OpBuilder &builder, Value condition, function_ref<void(OpBuilder &)> make) {
    auto branch = scf::IfOp::create(builder, loop.getLoc(), condition, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    make(inside);
  }

  CountedLoop loop;
  ArrayRef<int32_t> barriers;
  AgentSwitchOp agents;
  int number;
};

struct TakeTurnsPass : nv_tileas::impl::TakeTurnsPassBase<TakeTurnsPass> {
  void runOnOperation() override {
    if (failed(takeTileTurns()))
      return signalPassFailure();
    SmallVector<std::pair<CountedLoop, DenseI32ArrayAttr>> loops;
    getOperation().walk([&](CountedLoop loop) {
      if (auto barriers = loop->getAttrOfType<DenseI32ArrayAttr>(kTurnsAttr))
        loops.push_back({loop, barriers});
    });
    for (auto [loop, barriers] : loops) {
      loop->removeAttr(kTurnsAttr);
      auto [first, last] = productsOf(loop);
      StringRef why = barriers.size() != 2    ? "there are not two barriers"
                      : !Turns::isOfTwo(loop) ? "there are not two agents of a warpgroup each"
                      : !first                ? "its products are waited for one by one"
                                              : "";
      if (!why.empty()) {
        remarks::missed(loop, remarks::kSchedule, "Turns") << remarks::because(why);
        continue;
      }
      Turns(loop, barriers.asArrayRef()).run(first, last);
      ++numLoops;
      remarks::passed(loop, remarks::kSchedule, "Turns")
          << remarks::figure("Alternatives", "turns=never")
          << remarks::because("one warpgroup computes while the products of the other one are done");
    }
  }

private:
  /// The rings are told that their consumers have turns.
  LogicalResult takeTileTurns() {
    SmallVector<std::pair<CountedLoop, DenseI32ArrayAttr>> loops;
    SmallVector<CreatePipelineOp> rings;
    getOperation().walk([&](Operation *op) {
      if (auto barriers = op->getAttrOfType<DenseI32ArrayAttr>(kTileTurnsAttr)) {
        if (auto loop = dyn_cast<CountedLoop>(op))
          loops.push_back({loop, barriers});
        else if (auto ring = dyn_cast<CreatePipelineOp>(op))
          rings.push_back(ring);
      }
    });
    for (auto [loop, barriers] : loops) {
      loop->removeAttr(kTileTurnsAttr);
      if (failed(TileTurns(loop, barriers.asArrayRef()).run()))
        return failure();
      ++numLoops;
    }
    if (rings.empty() || loops.size() != 2)
      return success(); // the lowering of a ring that is left asks for turns
    for (CreatePipelineOp ring : rings)
      ring->removeAttr(kTileTurnsAttr);
    return success();
  }
};

} // namespace
