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

struct TakeTurnsPass : nv_tileas::impl::TakeTurnsPassBase<TakeTurnsPass> {
  void runOnOperation() override {
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
};

} // namespace
