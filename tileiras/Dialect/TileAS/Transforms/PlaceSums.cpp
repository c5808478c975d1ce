//===- PlaceSums.cpp - Sums of products in tensor memory ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-place-sums: where products add up in tensor memory (tcgen05.mma), their sums get a tile there.
//
//     %r = scf.for ... iter_args(%c = %zero) {        %t = alloc_tensor : tensor memory
//       %d = dot %a, %b, %c                           scf.for %i = %lb ... {
//       yield %d                                 ->     dot %a, %b, %t if (%i != %lb)
//     }                                               }
//                                                     %r = convert_layout %t
//
// What a loop carries from products to products and nobody else sees stays in its tile for the whole loop. It begins at
// zero by the first product that does not add, or with a copy. A loop that may have no rounds leaves nothing in the
// tile, so what comes after it asks.
//
// What else happens to them between two products (attention multiplies its sums by a factor for each row) is done to a
// copy in registers, which comes late and goes back at once:
//
//     %r = scf.for ... iter_args(%c = %init) {        copy %init, %t
//       %e = f(%c)                                    scf.for ... {
//       %d = dot %a, %b, %e                    ->       copy f(convert_layout %t), %t
//       yield %d                                        dot %a, %b, %t
//     }                                               }
//                                                     %r = convert_layout %t
//
// A second loop that goes on with what the first one has left takes its tile over, and nothing is copied in between.
//
// Of all others each product, or several of which one adds to the sums of another, has a tile of its own: what it adds
// to is copied there, unless it is zero, and the sums are copied back.
//
// A left factor that is computed where the sums of 128 rows are read, a row to a thread, goes to tensor memory, too,
// from where tcgen05.mma reads it (Support/Tcgen05Left.h): no other thread has to have it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/StoreParts.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "tileiras/Support/Tcgen05Left.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PLACESUMSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;

namespace {

/// The same elements under another shape.
bool isView(Operation *op) { return isa_and_nonnull<ViewOp, nv_tileaa::ViewOp>(op); }

/// The type of a product's sums in tensor memory; null if its atom adds up elsewhere.
RankedTensorType placeOf(DotOp dot) {
  auto atom = dyn_cast_if_present<Sm100MmaAtomAttr>(dot.getAtomAttr());
  if (!atom || !isIn(dot.getC().getType(), MemoryKind::Registers))
    return {};
  return withLayout(dot.getType(),
                    getTensorMemoryLayoutAttr(dot.getContext(), tileiras::tcgen05SumsInTensorMemory(
                                                                    getTcgen05Tiling(atom), getDotShape(dot))));
}

int64_t columnsOf(RankedTensorType place) {
  return llvm::divideCeil(getLinearLayout(place).inSize(kColumn) * getStorageBytes(place.getElementType()), 4);
}

struct PlaceSumsPass : nv_tileas::impl::PlaceSumsPassBase<PlaceSumsPass> {
  void runOnOperation() override {
    dots.clear();
    int64_t largest = 0;
    getOperation().walk([&](DotOp dot) {
      if (RankedTensorType place = placeOf(dot)) {
        dots.push_back(dot);
        largest = std::max(largest, columnsOf(place) + getScaleColumns(dot));
      }
    });
    if (dots.empty())
      return;
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    columns = target ? target->tensorMemoryColumns : 0;
    room = columns - largest;
    kept = 0;
    changed.clear();
    takenOver.clear();
    // Outer loops first: what they carry passes through inner ones.
    SmallVector<CountedLoop> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](CountedLoop loop) { loops.push_back(loop); });
    for (CountedLoop loop : loops)
      for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
        Sums sums;
        if (followLoop(loop, i, sums) && !sums.dots.empty())
          keep(loop, i, sums);
        else
          keepChanged(loop, i);
      }
    // Beside what stays, sums come and go of one product at a time, those that are left.
    int64_t copied = 0;
    for (DotOp dot : dots)
      if (RankedTensorType place = placeOf(dot))
        copied = std::max(copied, columnsOf(place) + getScaleColumns(dot));
    for (DotOp dot : dots)
      if (placeOf(dot))
        copyAround(dot);
    room = std::max(room, columns - kept - copied);
    for (DotOp dot : dots)
      placeLeft(dot);
    // Nobody carries anything in what the loops were relieved of.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet folders(std::move(patterns));
    for (Operation *loop : llvm::reverse(changed)) // inner ones first: a loop that is replaced keeps what is in it
      (void)applyOpPatternsGreedily({loop}, folders,
                                    GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingOps));
    for (Operation *out : takenOver)
      if (out->use_empty())
        out->erase();
  }

private:
  /// Products that add up in one place, one after the other.
  struct Sums {
    SmallVector<DotOp> dots;
    SmallVector<std::pair<CountedLoop, unsigned>> loops; ///< that carry the sums, outermost first
    RankedTensorType place;
  };

  //===--------------------------------------------------------------------===//
  // Following sums
  //===--------------------------------------------------------------------===//

  static bool add(DotOp dot, Sums &sums) {
    RankedTensorType place = placeOf(dot);
    if (!place || (sums.place && sums.place != place))
      return false;
    sums.place = place;
    sums.dots.push_back(dot);
    return true;
  }

  /// The argument of the loop goes to products, one after the other, and from the last to the next round.
  static bool followLoop(CountedLoop loop, unsigned index, Sums &sums) {
    sums.loops.push_back({loop, index});
    Value sum = loop.getRegionIterArg(index);
    for (;;) {
      if (!isa<RankedTensorType>(sum.getType()) || !sum.hasOneUse())
        return false;
      OpOperand &use = *sum.use_begin();
      Operation *user = use.getOwner();
      if (user->getBlock() != loop.getBody())
        return false;
      if (auto dot = dyn_cast<DotOp>(user)) {
        if (use.getOperandNumber() != 2 || !add(dot, sums))
          return false;
        sum = dot.getResult();
      } else if (isView(user)) {
        sum = user->getResult(0);
      } else if (auto inner = dyn_cast<CountedLoop>(user)) {
        BlockArgument argument = inner.getTiedLoopRegionIterArg(&use);
        if (!argument || !followLoop(inner, *inner.getCarriedNumber(argument), sums))
          return false;
        sum = inner.getTiedLoopResult(argument);
      } else {
        return user == loop.getBody()->getTerminator() && use.getOperandNumber() == index;
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  Value allocate(OpBuilder &builder, Location loc, RankedTensorType place) {
    return AllocTensorOp::create(builder, loc, place, IntegerAttr());
  }

  static Value shaped(OpBuilder &builder, Location loc, Value v, RankedTensorType type) {
    return v.getType() == type ? v : ViewOp::create(builder, loc, type, v).getResult();
  }

  static void moveIn(OpBuilder &builder, DotOp dot, Value sums, Value tile) {
    CopyOp::create(builder, dot.getLoc(), Type(), shaped(builder, dot.getLoc(), sums, dot.getType()), tile,
                   AtomPlanAttr(), UnitAttr());
  }

  static void addUpIn(DotOp dot, Value tile) {
    dot.getCMutable().assign(tile);
    dot.getResult().setType(cast<RankedTensorType>(tile.getType()));
  }

  /// False only if the loop surely has a round.
  static bool mayBeEmpty(CountedLoop loop) {
    APInt lower, upper;
    if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
        !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
      return true;
    return loop.getUnsignedCmp() ? lower.uge(upper) : lower.sge(upper);
  }

  /// The tile that a loop before this one has left the sums in, which this one goes on with; null if they come from
  /// elsewhere, or are wanted again: by somebody else, or by another run of the loop, which stands in a further one.
  static AllocTensorOp leftBy(CountedLoop loop, Value init, RankedTensorType place) {
    auto out = init.getDefiningOp<ConvertLayoutOp>();
    auto tile = out && out->hasOneUse() && out->getBlock() == loop->getBlock()
                    ? out.getSource().getDefiningOp<AllocTensorOp>()
                    : AllocTensorOp();
    return tile && tile.getType() == place ? tile : AllocTensorOp();
  }

  /// Sums that a loop carries stay in one tile.
  void keep(CountedLoop loop, unsigned index, Sums &sums) {
    DotOp first = sums.dots.front();
    auto report = [&](bool kept, StringRef why) {
      namespace remarks = tileiras::remarks;
      (kept ? remarks::passed(first, remarks::kProduct, "Sums") : remarks::missed(first, remarks::kProduct, "Sums"))
          << remarks::figure("Columns", columnsOf(sums.place)) << remarks::because(why);
    };
    // Beside those that stay, one product at a time is copied, and one at a time has scales.
    int64_t copied = 0, scales = 0;
    for (DotOp dot : dots) {
      scales = std::max(scales, getScaleColumns(dot));
      if (RankedTensorType place = placeOf(dot); place && !llvm::is_contained(sums.dots, dot))
        copied = std::max(copied, columnsOf(place));
    }
    if (kept + columnsOf(sums.place) + copied + scales > columns)
      return report(false, "sums are copied in every round: tensor memory has no room for those of all loops");
    kept += columnsOf(sums.place);
    room -= columnsOf(sums.place);
    report(true, "sums stay in tensor memory while the loop runs");
    Location loc = first.getLoc();
    OpBuilder builder(loop);
    Value tile = allocate(builder, loc, sums.place);
    Value init = loop.getInits()[index];
    RankedTensorType registers = first.getType(), carried = cast<RankedTensorType>(init.getType());
    // An inner loop begins many times, and only once with nothing.
    bool byCondition = isZeroTile(init) && sums.loops.size() == 1;
    if (!byCondition)
      moveIn(builder, first, init, tile);
    for (auto [carrier, i] : sums.loops)
      carrier.getBody()->getTerminator()->setOperand(i, carrier.getRegionIterArg(i));
    for (DotOp dot : sums.dots)
      addUpIn(dot, tile);
    if (byCondition) {
      builder.setInsertionPoint(first);
      first.getAccumulateMutable().assign(loop.isNotFirst(builder, loc));
    }
    // The loops carry what they were given, and canonicalization drops that.
    Value result = loop.getResult(index);
    builder.setInsertionPointAfter(loop);
    auto moveOut = [&](OpBuilder &b) -> Value {
      return shaped(b, loc, ConvertLayoutOp::create(b, loc, registers, tile, AtomPlanAttr(), UnitAttr()), carried);
    };
    // `read`, of the sums or of what the loop began with.
    auto orInit = [&](OpBuilder &b, Type type, function_ref<Value(OpBuilder &, Value)> read) -> Value {
      if (!byCondition || !mayBeEmpty(loop))
        return read(b, moveOut(b));
      Value any = loop.hasRound(b, loc);
      auto branch = scf::IfOp::create(b, loc, TypeRange{type}, any, /*withElseRegion=*/true);
      OpBuilder then = branch.getThenBodyBuilder(), otherwise = branch.getElseBodyBuilder();
      scf::YieldOp::create(then, loc, read(then, moveOut(then)));
      scf::YieldOp::create(otherwise, loc, read(otherwise, init));
      return branch.getResult(0);
    };
    // Parts are read where they are wanted (StoreParts.h).
    auto isHere = [&](Operation *user) { return user->getBlock() == loop->getBlock(); };
    if (isReadInParts(result) && llvm::all_of(result.getUsers(), isHere)) {
      for (Operation *part : llvm::make_early_inc_range(result.getUsers())) {
        builder.setInsertionPoint(part);
        part->getResult(0).replaceAllUsesWith(
            orInit(builder, part->getResult(0).getType(), [&](OpBuilder &b, Value whole) {
              IRMapping map;
              map.map(result, whole);
              return b.clone(*part, map)->getResult(0);
            }));
        part->erase();
      }
    } else
      result.replaceAllUsesWith(orInit(builder, carried, [](OpBuilder &, Value whole) { return whole; }));
    for (auto [carrier, i] : sums.loops)
      changed.insert(carrier);
  }

  /// The operations that `value` and nothing but memory-free arithmetic leads to, in order, if all of it ends in
  /// operand 2 of `dot`; else none.
  static SmallVector<Operation *> chainInto(DotOp dot, Value value) {
    llvm::SmallPtrSet<Operation *, 8> chain;
    SmallVector<Value> todo{value};
    while (!todo.empty())
      for (OpOperand &use : todo.pop_back_val().getUses()) {
        Operation *user = use.getOwner();
        if (user == dot && use.getOperandNumber() == 2)
          continue;
        if (user->getBlock() != dot->getBlock() || user->hasTrait<OpTrait::IsTerminator>() || !isPure(user) ||
            user->getNumRegions())
          return {};
        if (chain.insert(user).second)
          llvm::append_range(todo, user->getResults());
      }
    SmallVector<Operation *> inOrder;
    for (Operation &op : *dot->getBlock())
      if (chain.contains(&op))
        inOrder.push_back(&op);
    return inOrder;
  }

  /// Sums that a loop carries from product to product, and changes between them.
  void keepChanged(CountedLoop loop, unsigned index) {
    BlockArgument carried = loop.getRegionIterArg(index);
    auto dot = loop.getYieldedValues()[index].getDefiningOp<DotOp>();
    RankedTensorType place = dot ? placeOf(dot) : RankedTensorType();
    if (!place || dot->getBlock() != loop.getBody() || !dot.getResult().hasOneUse() || carried.use_empty())
      return;
    SmallVector<Operation *> chain = chainInto(dot, carried);
    AllocTensorOp before = leftBy(loop, loop.getInits()[index], place);
    if (chain.empty() || (!before && columnsOf(place) > room))
      return;
    if (!before) {
      room -= columnsOf(place);
      kept += columnsOf(place);
    }
    Location loc = dot.getLoc();
    namespace remarks = tileiras::remarks;
    remarks::passed(dot, remarks::kProduct, "Sums")
        << remarks::figure("Columns", columnsOf(place))
        << remarks::because("sums stay in tensor memory, and are changed there between products");
    OpBuilder builder(loop);
    Value init = loop.getInits()[index], tile = before ? before.getResult() : allocate(builder, loc, place);
    RankedTensorType registers = dot.getType();
    if (before)
      takenOver.push_back(init.getDefiningOp());
    else
      moveIn(builder, dot, init, tile);
    loop.getBody()->getTerminator()->setOperand(index, carried);
    builder.setInsertionPoint(dot);
    Value now = ConvertLayoutOp::create(builder, loc, registers, tile, AtomPlanAttr(), UnitAttr());
    carried.replaceUsesWithIf(now, [&](OpOperand &use) { return use.getOwner() != loop.getBody()->getTerminator(); });
    for (Operation *op : chain)
      op->moveBefore(dot);
    moveIn(builder, dot, dot.getC(), tile);
    addUpIn(dot, tile);
    builder.setInsertionPointAfter(loop);
    loop.getResult(index).replaceAllUsesWith(
        ConvertLayoutOp::create(builder, loc, registers, tile, AtomPlanAttr(), UnitAttr()));
    changed.insert(loop);
  }

  /// Sums that come and go, and have been read before `def` is computed from them: their columns are free until `dot`,
  /// for no sums come between. Null if there are none.
  static AllocTensorOp readBefore(DotOp dot, Operation *def) {
    auto own = dot.getC().getDefiningOp<AllocTensorOp>();
    if (!own || own->getBlock() == dot->getBlock())
      return {};
    for (Operation *op = def; op != dot; op = op->getNextNode())
      if (!op || op->walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return {};
    AllocTensorOp found;
    for (auto sums : dot->getBlock()->getOps<AllocTensorOp>()) {
      if (!isIn(sums.getType(), MemoryKind::Tensor))
        continue;
      auto isBefore = [&](Operation *user) {
        return user->getBlock() == def->getBlock() && user->isBeforeInBlock(def) && !isa<ViewOp>(user);
      };
      if (found || !llvm::all_of(sums->getUsers(), isBefore))
        return {};
      found = sums;
    }
    // The same rows in the same lanes.
    auto type = found ? dyn_cast<RankedTensorType>(found.getType()) : RankedTensorType();
    return type && type.getShape()[0] == getDotShape(dot).m && getLinearLayout(type).isInjective() ? found
                                                                                                   : AllocTensorOp();
  }

  /// The left factor of a product in tensor memory, where it is computed in the layout of a copy to there.
  void placeLeft(DotOp dot) {
    auto atom = dyn_cast_if_present<Sm100MmaAtomAttr>(dot.getAtomAttr());
    Value left = dot.getA();
    RankedTensorType type = dot.getA().getType();
    if (!atom || dot.getSfa() || !isIn(type, MemoryKind::Registers) || type.getElementType() != atom.getElement() ||
        isa<FloatTF32Type>(type.getElementType()))
      return;
    Operation *def = left.getDefiningOp();
    if (!def || def->getBlock() != dot->getBlock() || !isElementwise(def) || def->getNumOperands() == 0)
      return;
    auto layout = tileiras::tcgen05LeftInTensorMemory(getTcgen05Tiling(atom), getDotShape(dot));
    if (!layout)
      return;
    RankedTensorType place = withLayout(type, getTensorMemoryLayoutAttr(dot.getContext(), *layout));
    bool hasRoom = columnsOf(place) <= room;
    if (!hasRoom) {
      AllocTensorOp sums = readBefore(dot, def);
      if (!sums)
        return;
      // Of further rows in the columns of the same rows' sums, as these may be another warpgroup's.
      LinearLayout::Point next =
          getLinearLayout(cast<RankedTensorType>(sums.getType()))
              .invert()
              ->apply({{tileiras::dimName(0), 128 % getDotShape(dot).m}, {tileiras::dimName(1), 0}});
      int32_t stride = 0;
      for (auto [dim, value] : next)
        stride += dim == kColumn ? value * 4 / getStorageBytes(type.getElementType()) : 0;
      layout = tileiras::tcgen05LeftInTensorMemory(getTcgen05Tiling(atom), getDotShape(dot), stride);
      place = withLayout(type, getTensorMemoryLayoutAttr(dot.getContext(), *layout));
      if (columnsOf(place) > columnsOf(cast<RankedTensorType>(sums.getType())))
        return;
    }
    auto copy = tileiras::planTensorMemoryCopy(getLinearLayout(type), *layout);
    if (!copy || copy->width * getStorageBytes(type.getElementType()) < 4)
      return;
    if (hasRoom) {
      room -= columnsOf(place);
      kept += columnsOf(place);
    }
    OpBuilder builder(dot);
    Value tile = allocate(builder, dot.getLoc(), place);
    // Before the sums come and go: registers that held it are free then.
    auto write = CopyOp::create(builder, dot.getLoc(), Type(), left, tile, AtomPlanAttr(), UnitAttr());
    Operation *first = dot;
    for (Operation *op = dot->getPrevNode(); op && op != def; op = op->getPrevNode())
      if (isa<ConvertLayoutOp>(op) && isIn(cast<ConvertLayoutOp>(op).getSource().getType(), MemoryKind::Tensor) &&
          cast<ConvertLayoutOp>(op).getSource() == dot.getC())
        first = op;
    if (first != dot) {
      tile.getDefiningOp()->moveBefore(first);
      write->moveBefore(first);
    }
    dot.getAMutable().assign(tile);
  }

  /// The sums of one product, and of those that add to them at once, come and go.
  void copyAround(DotOp dot) {
    Sums sums;
    add(dot, sums);
    for (DotOp last = dot; last.getResult().hasOneUse();) {
      OpOperand &use = *last.getResult().use_begin();
      auto next = dyn_cast<DotOp>(use.getOwner());
      if (!next || use.getOperandNumber() != 2 || next->getBlock() != dot->getBlock() || !add(next, sums))
        break;
      last = next;
    }
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    Value tile = allocate(builder, loc, sums.place);
    if (isZeroTile(dot.getC()))
      dot.getAccumulateMutable().assign(arith::ConstantIntOp::create(builder, loc, 0, 1));
    else
      moveIn(builder, dot, dot.getC(), tile);
    DotOp last = sums.dots.back();
    RankedTensorType registers = last.getType();
    for (DotOp one : sums.dots)
      addUpIn(one, tile);
    builder.setInsertionPointAfter(last);
    auto out = ConvertLayoutOp::create(builder, loc, registers, tile, AtomPlanAttr(), UnitAttr());
    last.getResult().replaceAllUsesWith(out);
  }

  SmallVector<DotOp> dots;              ///< with sums in tensor memory
  int64_t columns = 0;                  ///< that the target has
  int64_t kept = 0;                     ///< columns of sums that stay
  int64_t room = 0;                     ///< columns for what else stays
  llvm::SetVector<Operation *> changed; ///< loops that carry one thing less
  SmallVector<Operation *> takenOver;   ///< what took sums out that another loop goes on with
};

} // namespace
