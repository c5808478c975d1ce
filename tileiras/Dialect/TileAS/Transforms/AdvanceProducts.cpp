//===- AdvanceProducts.cpp - tileas-advance-products ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a loop multiplies, computes with the sums, and multiplies again (scores, softmax and output of attention), the
// matrix unit and the others take turns. The first product depends on nothing that the loop computes, so it can be
// issued an iteration ahead, as soon as its sums have been taken out of tensor memory:
//
//     for i {                              if there is a first round { dot %q, k(0), %s }
//       dot %q, k(i), %s                   for i {
//       %x = convert_layout %s      ->       %x = convert_layout %s
//       f(%x)                                dot %q, k(i + 1), %s
//     }                                      f(%x)
//                                          }
//
// The last iteration loads nothing, which leaves zeros in shared memory, and multiplies them in vain: the loop stays
// free of branches. tileas-defer-products has the threads not wait for the product where it stands.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ADVANCEPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// A factor that the loop loads.
struct LoadedFactor : LoadedTile {
  llvm::SetVector<Value> tokens; ///< from outside of the loop, that the load comes after
};

/// A product that is issued an iteration ahead.
struct Advance {
  CountedLoop loop;
  DotOp dot;
  AllocTensorOp sums;
  ConvertLayoutOp read; ///< takes the sums out of tensor memory
  SmallVector<LoadedFactor, 2> factors;
};

bool isShape(Operation *op) { return isReshape(op) || isa<ConvertLayoutOp>(op); }

/// Whether what the loop computes from `value` reaches a product, directly or by way of a tile that is written.
bool reachesProduct(CountedLoop loop, Value value) {
  SmallVector<Value> todo{value};
  llvm::SmallPtrSet<Operation *, 32> seen;
  while (!todo.empty())
    for (Operation *user : todo.pop_back_val().getUsers()) {
      if (!loop->isAncestor(user) || !seen.insert(user).second)
        continue;
      if (isa<DotOp, CopyOp>(user))
        return true;
      llvm::append_range(todo, user->getResults());
    }
  return false;
}

/// Why a product has to stay where it is, or nothing. Fills it as far as it gets.
StringRef find(Advance &r) {
  DotOp dot = r.dot;
  r.loop = dyn_cast<CountedLoop>(dot->getParentOp());
  r.sums = dot.getC().getDefiningOp<AllocTensorOp>();
  if (!r.loop || !r.sums || r.sums->getBlock() != dot->getBlock())
    return "its sums do not belong to one iteration";
  for (Operation *user : r.sums->getUsers()) {
    if (user == dot)
      continue;
    auto read = dyn_cast<ConvertLayoutOp>(user);
    if (!read || r.read || read->getBlock() != dot->getBlock() || read->isBeforeInBlock(dot))
      return "its sums are not read once";
    r.read = read;
  }
  if (!r.read || !dot.getAccumulate() || !matchPattern(dot.getAccumulate(), m_Zero()) || dot.getSfa())
    return "it does not begin with nothing";
  if (!reachesProduct(r.loop, r.read.getResult()))
    return "no other product depends on it";
  if (std::optional<APInt> rounds = r.loop.getStaticTripCount(); rounds && rounds->ult(2))
    return "the loop has one round";
  OtherIteration ahead(r.loop);
  for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()}) {
    if (r.loop.isDefinedOutsideOfLoop(operand->get()))
      continue;
    LoadedFactor factor;
    StringRef whyNoLoad = factor.find(r.loop, operand->get(), isShape);
    TiledLoadOp load = factor.load;
    if (!whyNoLoad.empty() || load.getMemSemantic() != nv_tileaa::MemSemantic::Weak)
      return "a factor is not loaded for it alone";
    if (!r.loop.isDefinedOutsideOfLoop(load.getView()))
      return "the view that a factor is loaded from is made in the loop";
    StringRef why;
    for (Value index : load.getIndices())
      if (failed(ahead.check(index, OtherIteration::This, why)) ||
          failed(ahead.check(index, OtherIteration::Next, why)))
        return why;
    if (failed(collectTokens(r.loop, load.getToken(), factor.tokens)))
      return "a token orders a load after what the loop writes";
    r.factors.push_back(std::move(factor));
  }
  return r.factors.empty() ? "its factors do not change" : StringRef();
}

/// The load that a factor of a product of the loop comes from, if it is in the loop.
TiledLoadOp loadInLoop(CountedLoop loop, Value factor) {
  Operation *def = factor.getDefiningOp();
  while (def && loop->isAncestor(def) && isShape(def))
    def = def->getOperand(0).getDefiningOp();
  return def && loop->isAncestor(def) ? dyn_cast<TiledLoadOp>(def) : TiledLoadOp();
}

/// Whether the loop's loads will have two stages: of each stream one is read by its product, in this round or since the
/// one before, and one is filled (tileas-materialize-async gives streams rings of their own where there are no more).
bool hasRoomForTwoStages(CountedLoop loop, int64_t room) {
  int64_t stage = 0;
  llvm::SmallPtrSet<Operation *, 4> loads;
  for (auto dot : loop.getBody()->getOps<DotOp>())
    for (Value factor : {Value(dot.getA()), Value(dot.getB())}) {
      if (!isIn(factor.getType(), MemoryKind::Registers))
        continue;
      int64_t bytes = getSharedBytes(cast<RankedTensorType>(factor.getType()));
      TiledLoadOp load = loadInLoop(loop, factor);
      if (!load)
        room -= bytes;
      else if (loads.insert(load).second)
        stage += bytes;
    }
  return 2 * stage <= room;
}

/// Whether the sums may live as long as the loop, beside what else is in tensor memory then.
bool hasColumns(Advance &ahead) {
  auto func = ahead.loop->getParentOfType<nv_tileaa::FuncOp>();
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
  return target &&
         SharedPlan(func, MemoryKind::Tensor).bytesWithRing(ahead.loop, {ahead.sums}, 1) <= target->tensorMemoryColumns;
}

struct AdvanceProductsPass : nv_tileas::impl::AdvanceProductsPassBase<AdvanceProductsPass> {
  void runOnOperation() override {
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) {
      if (isIn(dot.getC().getType(), MemoryKind::Tensor) && isa<CountedLoop>(dot->getParentOp()))
        dots.push_back(dot);
    });
    namespace remarks = tileiras::remarks;
    for (DotOp dot : dots) {
      Advance ahead;
      ahead.dot = dot;
      StringRef why = find(ahead);
      if (why.empty() && !hasRoomForTwoStages(ahead.loop, SharedMemory(getOperation()).roomToKeep()))
        why = "two stages of the loop's factors have no room in shared memory";
      else if (why.empty() && !hasColumns(ahead))
        why = "a factor of another product has the columns of its sums";
      if (!why.empty()) {
        // Of products whose sums stay, as in a matrix product, nobody expects it.
        if (ahead.read)
          remarks::missed(dot, remarks::kProduct, "Advance") << remarks::because(why);
        continue;
      }
      remarks::passed(dot, remarks::kProduct, "Advance")
          << remarks::because("the product is issued an iteration before its sums are used");
      ++numAdvanced;
      advance(ahead);
    }
  }

private:
  /// A factor that does not change is put into shared memory once, for the first product and for all others.
  static void stage(OpBuilder &builder, DotOp dot, OpOperand &operand) {
    Value value = operand.get();
    if (auto convert = value.getDefiningOp<ConvertLayoutOp>();
        convert && isIn(convert.getSource().getType(), MemoryKind::Registers))
      value = convert.getSource(); // any layout will do
    auto type = cast<RankedTensorType>(value.getType());
    if (!isIn(type, MemoryKind::Registers))
      return;
    auto memory = dot.getAtom()->getStagingLayout(getDotShape(dot), getDotOperand(operand),
                                                  getStorageBytes(type.getElementType()), getLinearLayout(type));
    if (!memory)
      return;
    auto shared = withLayout(type, getSharedLayoutAttr(dot.getContext(), *memory));
    Value tile = AllocTensorOp::create(builder, dot.getLoc(), shared, IntegerAttr());
    auto plan = AtomPlanAttr::get(dot.getContext(), /*tag=*/1, /*vectorBytes=*/16);
    auto copy = CopyOp::create(builder, dot.getLoc(), Type(), value, tile, plan, UnitAttr());
    copy->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
    operand.set(tile);
  }

  static void advance(Advance &r) {
    CountedLoop loop = r.loop;
    DotOp dot = r.dot;
    Location loc = dot.getLoc();
    r.sums->moveBefore(loop);

    // The first round.
    OpBuilder builder(loop);
    for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
      if (loop.isDefinedOutsideOfLoop(operand->get()))
        stage(builder, dot, *operand);
    std::optional<APInt> rounds = loop.getStaticTripCount();
    if (!rounds || rounds->isZero())
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, loop.hasRound(builder, loop.getLoc()), /*withElseRegion=*/false).thenBlock());
    OtherIteration first(loop);
    IRMapping map;
    for (LoadedFactor &factor : r.factors) {
      for (Value index : factor.load.getIndices())
        map.map(index, first.compute(builder, index, OtherIteration::First));
      if (factor.load.getToken())
        map.map(factor.load.getToken(), joinTokens(builder, loop, factor.tokens.getArrayRef()));
      factor.clone(builder, map);
    }
    map.map(dot.getAccumulate(), arith::ConstantIntOp::create(builder, loc, 0, 1).getResult());
    builder.clone(*dot, map);

    // All others.
    r.read->moveBefore(&loop.getBody()->front());
    builder.setInsertionPointAfter(r.read);
    Value more = loop.hasNext(builder, loc);
    OtherIteration next(loop);
    Operation *last = nullptr;
    for (LoadedFactor &factor : r.factors) {
      SmallVector<Value> indices;
      for (Value index : factor.load.getIndices()) {
        if (loop.isDefinedOutsideOfLoop(index)) {
          indices.push_back(index);
          continue;
        }
        Value ahead = next.compute(builder, index, OtherIteration::Next),
              now = next.compute(builder, index, OtherIteration::This);
        indices.push_back(arith::SelectOp::create(builder, loc, more, ahead, now));
      }
      if (!factor.load.getResultToken().use_empty() || factor.load.getToken()) {
        Value after = joinTokens(builder, loop, factor.tokens.getArrayRef());
        factor.load.getResultToken().replaceAllUsesWith(after);
        if (factor.load.getToken())
          factor.load.getTokenMutable().assign(after);
      }
      factor.load.getIndicesMutable().assign(indices);
      Value valid = factor.load.getValid();
      factor.load.getValidMutable().assign(valid ? arith::AndIOp::create(builder, loc, valid, more).getResult() : more);
      // Needed an iteration earlier, it has to begin one earlier.
      if (std::optional<uint32_t> latency = factor.load.getLatency())
        factor.load.setLatency(*latency + 1);
    }
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    last = no.getDefiningOp();
    auto follow = [&](Operation *op) {
      op->moveAfter(last);
      last = op;
    };
    for (LoadedFactor &factor : r.factors) {
      follow(factor.load);
      for (Operation *shape : factor.shapes)
        follow(shape);
    }
    dot.getAccumulateMutable().assign(no);
    follow(dot);
  }
};

} // namespace
