//===- OptimizeReduce.cpp - tileas-optimize-reduce ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A reduction whose axis is spread over threads ends in shuffles, and over warps in a trip through shared memory with
// two barriers. Two rewritings let threads meet less often, and neither changes a bit of a result:
//
//   behind the loop   for { c = max(c, reduce<max> x) }   becomes   for { t = max(t, x) };  c = max(c, reduce<max> t)
//                     where the order does not matter: integers, bits, extrema. (Sums of floats are rounded where the
//                     program says so and stay.) t begins with the reduction's identity, and takes as many registers as
//                     x, which must be few.
//   together          reductions across warps along one axis of tiles in one layout, none of which depends on another,
//                     become one of several tiles: their parts are written before one barrier and read behind it. The
//                     order within each is what it was. They must be neighbours as far as effects go: what
//                     the later ones are computed from moves up to the first, or what is computed from the first has
//                     not been used before the last.
//
//
// Last, identities that nobody can tell from one of every value become such (ReduceIdentities.h).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ReduceIdentities.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OPTIMIZEREDUCEPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;
using tileiras::LinearLayout;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

RankedTensorType sourceType(ReduceOp op) { return cast<RankedTensorType>(op.getSources().front().getType()); }

/// Whether bits of `name` tell elements of the axis apart.
bool isSpread(ReduceOp op, tileiras::DimName name) {
  LinearLayout layout = getLinearLayout(sourceType(op));
  for (int bit = 0; bit < layout.inBits(name); ++bit)
    if (layout.basis(name, bit)[op.getAxis()] != 0)
      return true;
  return false;
}

/// The one operation of a body, if the order in which it is applied does not matter.
Operation *orderlessBody(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getSources().size() != 1 || !llvm::hasNItems(body, 2))
    return nullptr;
  Operation &only = body.front();
  if (!isa<arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MaxUIOp,
           arith::MinSIOp, arith::MinUIOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
          only) ||
      body.back().getOperand(0) != only.getResult(0) || only.getOperand(0) == only.getOperand(1) ||
      !llvm::all_of(only.getOperands(), [&](Value v) { return v.getParentBlock() == &body; }))
    return nullptr;
  return &only;
}

/// `like` of other operands. In another order sums may pass a limit that they have not passed in the one that the
/// program has: nothing is promised of them.
Value combine(OpBuilder &b, Operation *like, Value x, Value y) {
  OperationState state(like->getLoc(), like->getName().getStringRef(), ValueRange{x, y}, TypeRange{x.getType()});
  return b.create(state)->getResult(0);
}

/// Whether `identity` changes nothing by `op`, however often and also where there is nothing else: then the maximum of
/// a NaN, which loses, and the identity is not the NaN, so what is there before the loop must be a number.
bool isNeutral(Operation *op, Attribute identity, Value before) {
  if (auto number = dyn_cast<IntegerAttr>(identity)) {
    const APInt &v = number.getValue();
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>([&](auto) { return v.isZero(); })
        .Case<arith::MulIOp>([&](auto) { return v.isOne(); })
        .Case<arith::AndIOp, arith::MinUIOp>([&](auto) { return v.isAllOnes(); })
        .Case<arith::MaxSIOp>([&](auto) { return v.isMinSignedValue(); })
        .Case<arith::MinSIOp>([&](auto) { return v.isMaxSignedValue(); })
        .Default([](auto) { return false; });
  }
  auto number = dyn_cast<FloatAttr>(identity);
  if (!number || !number.getValue().isInfinity())
    return false;
  bool isMaximum = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op)) {
    while (auto splat = before.getDefiningOp<aa::SplatOp>())
      before = splat->getOperand(0);
    FloatAttr first;
    if (!matchPattern(before, m_Constant(&first)) || first.getValue().isNaN())
      return false;
  }
  return number.getValue().isNegative() == isMaximum;
}

struct OptimizeReducePass : nv_tileas::impl::OptimizeReducePassBase<OptimizeReducePass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    for (CountedLoop loop : getCountedLoops(getOperation())) {
      IRRewriter rewriter(loop);
      bool moved = true;
      while (moved) {
        moved = false;
        for (unsigned i = 0; i < loop.getNumRegionIterArgs() && !moved; ++i)
          if (std::optional<CountedLoop> with = moveBehind(rewriter, loop, i)) {
            loop = *with;
            moved = true;
          }
      }
    }
    SmallVector<ReduceOp> reductions;
    getOperation().walk([&](ReduceOp op) {
      numRelaxed += relaxIdentity(op);
      if (op.getScratch().empty() && isSpread(op, tileiras::kWarp))
        reductions.push_back(op);
    });
    join(reductions);
  }

private:
  //===--------------------------------------------------------------------===//
  // Behind the loop
  //===--------------------------------------------------------------------===//

  /// The loop with what it carries as number `i` reduced behind it.
  std::optional<CountedLoop> moveBehind(IRRewriter &rewriter, CountedLoop loop, unsigned i) {
    constexpr int64_t mostWords = 16;
    BlockArgument carried = loop.getRegionIterArg(i);
    Operation *update = loop.getYieldedValues()[i].getDefiningOp();
    if (!update || update->getBlock() != loop.getBody() || update->getNumOperands() != 2 || !carried.hasOneUse() ||
        *carried.user_begin() != update || !update->hasOneUse())
      return std::nullopt;
    unsigned side = update->getOperand(0) == carried ? 1 : 0;
    auto reduce = update->getOperand(side).getDefiningOp<ReduceOp>();
    if (!reduce || reduce->getBlock() != loop.getBody() || !reduce->hasOneUse() || !reduce.getScratch().empty())
      return std::nullopt;
    Operation *body = orderlessBody(reduce);
    if (!body || body->getName() != update->getName())
      return std::nullopt;
    if (!isSpread(reduce, tileiras::kLane) && !isSpread(reduce, tileiras::kWarp))
      return std::nullopt;
    RankedTensorType type = sourceType(reduce);
    int64_t words = aa::wordsOf(getLinearLayout(type).inSize(tileiras::kRegister), type.getElementType(), false);
    auto identity = dyn_cast<TypedAttr>(reduce.getIdentities()[0]);
    if (!identity || identity.getType() != type.getElementType() || !isNeutral(body, identity, loop.getInits()[i]))
      return std::nullopt;
    if (words > mostWords) {
      remarks::missed(reduce, remarks::kMemory, "ReduceInLoop")
          << remarks::figure("Words", words) << remarks::because("the tile takes too many registers to be carried");
      return std::nullopt;
    }
    Location loc = reduce.getLoc();
    rewriter.setInsertionPoint(loop);
    Value first = aa::SplatOp::create(rewriter, loc, type, arith::ConstantOp::create(rewriter, loc, identity));
    Value before = loop.getInits()[i];
    FailureOr<CountedLoop> with = loop.replaceWithAdditionalYields(
        rewriter, ValueRange{first}, [&](OpBuilder &b, Location, ArrayRef<BlockArgument> arguments) {
          b.setInsertionPoint(reduce);
          return SmallVector<Value>{combine(b, body, arguments.front(), reduce.getSources().front())};
        });
    if (failed(with))
      return std::nullopt;
    rewriter.setInsertionPointAfter(*with);
    auto behind = cast<ReduceOp>(rewriter.clone(*reduce));
    behind.getSourcesMutable().assign(ValueRange{with->getResults().back()});
    Value all = combine(rewriter, update, before, behind.getResult(0));
    rewriter.replaceAllUsesWith(with->getResult(i), all);
    // What was carried goes round unchanged, and is folded.
    with->getBody()->getTerminator()->setOperand(i, with->getRegionIterArg(i));
    rewriter.eraseOp(update);
    rewriter.eraseOp(reduce);
    ++numBehindLoops;
    remarks::passed(behind, remarks::kMemory, "ReduceBehindLoop")
        << remarks::figure("Words", words) << remarks::because("the order of the operation does not matter");
    return with;
  }

  //===--------------------------------------------------------------------===//
  // Together
  //===--------------------------------------------------------------------===//

  /// Scratch memory that the parts of a reduction take.
  static int64_t partBytes(ReduceOp op) {
    LinearLayout layout = getLinearLayout(sourceType(op));
    int64_t warps = 1, bytes = 0;
    for (int bit = 0; bit < layout.inBits(tileiras::kWarp); ++bit)
      warps *= layout.basis(tileiras::kWarp, bit)[op.getAxis()] ? 2 : 1;
    for (Value source : op.getSources())
      bytes += getStorageBytes(cast<RankedTensorType>(source.getType()).getElementType());
    return bytes * warps * sourceType(op).getNumElements() / sourceType(op).getDimSize(op.getAxis());
  }

  static bool agree(ReduceOp a, ReduceOp b) {
    return a->getBlock() == b->getBlock() && a.getAxis() == b.getAxis() &&
           sourceType(a).getShape() == sourceType(b).getShape() &&
           sourceType(a).getEncoding() == sourceType(b).getEncoding();
  }

  /// What `op` is computed from behind `first`, in order, if all of it may move up there.
  static std::optional<SmallVector<Operation *>> movable(ReduceOp first, ReduceOp op) {
    llvm::SetVector<Operation *> needed;
    needed.insert(op);
    for (size_t i = 0; i < needed.size(); ++i) {
      if (needed[i] == first || (i && !isMemoryEffectFree(needed[i])))
        return std::nullopt;
      bool allowed = true;
      needed[i]->walk([&](Operation *inner) {
        for (Value v : inner->getOperands()) {
          Operation *def = v.getDefiningOp();
          if (!def || needed[i]->isProperAncestor(def) || def->getBlock() != first->getBlock() ||
              def->isBeforeInBlock(first))
            continue;
          if (def == first)
            allowed = false;
          needed.insert(def);
        }
      });
      if (!allowed)
        return std::nullopt;
    }
    needed.remove(op);
    SmallVector<Operation *> sorted = needed.takeVector();
    llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return sorted;
  }

  void join(ArrayRef<ReduceOp> reductions) {
    constexpr size_t mostSources = 4;
    constexpr int64_t mostBytes = 4096; // what more has is read in rounds, one tile after the other
    llvm::DenseSet<Operation *> gone;
    for (size_t i = 0; i < reductions.size(); ++i) {
      if (gone.contains(reductions[i]))
        continue;
      ReduceOp first = reductions[i];
      for (size_t j = i + 1; j < reductions.size(); ++j) {
        ReduceOp other = reductions[j];
        if (gone.contains(other) || !agree(first, other) ||
            first.getSources().size() + other.getSources().size() > mostSources ||
            partBytes(first) + partBytes(other) > mostBytes)
          continue;
        // At the later one, if nobody has used the earlier one by then; else at the earlier one.
        auto usedBefore = [&](Operation *user) {
          Operation *here = first->getBlock()->findAncestorOpInBlock(*user);
          return here && (here == other || here->isBeforeInBlock(other));
        };
        bool later = llvm::none_of(first->getUsers(), usedBefore);
        if (!later) {
          std::optional<SmallVector<Operation *>> needed = movable(first, other);
          if (!needed)
            continue;
          for (Operation *op : *needed)
            op->moveBefore(first);
        }
        ReduceOp both = merge(first, other, later ? other : first);
        gone.insert(first), gone.insert(other);
        first->erase();
        other->erase();
        first = both;
      }
    }
  }

  ReduceOp merge(ReduceOp a, ReduceOp b, Operation *at) {
    OpBuilder builder(at);
    SmallVector<Value> sources(a.getSources());
    llvm::append_range(sources, b.getSources());
    SmallVector<Attribute> identities(a.getIdentities().getValue());
    llvm::append_range(identities, b.getIdentities().getValue());
    SmallVector<Type> types(a->getResultTypes());
    llvm::append_range(types, b->getResultTypes());
    auto both = ReduceOp::create(builder, builder.getFusedLoc({a.getLoc(), b.getLoc()}), types, sources, ValueRange(),
                                 a.getAxisAttr(), builder.getArrayAttr(identities), UnitAttr());
    Block &body = both.getBody().emplaceBlock();
    builder.setInsertionPointToEnd(&body);
    SmallVector<Value> yielded;
    for (ReduceOp op : {a, b}) {
      IRMapping mapping;
      for (BlockArgument argument : op.getBody().front().getArguments())
        mapping.map(argument, body.addArgument(argument.getType(), argument.getLoc()));
      for (Operation &inner : op.getBody().front().without_terminator())
        builder.clone(inner, mapping);
      for (Value v : op.getBody().front().getTerminator()->getOperands())
        yielded.push_back(mapping.lookupOrDefault(v));
    }
    YieldOp::create(builder, both.getLoc(), yielded);
    unsigned next = 0;
    for (ReduceOp op : {a, b})
      for (Value result : op->getResults())
        result.replaceAllUsesWith(both->getResult(next++));
    ++numJoined;
    remarks::passed(both, remarks::kMemory, "ReduceTogether")
        << remarks::figure("Tiles", sources.size())
        << remarks::because("they are spread over the same warps and do not depend on each other");
    return both;
  }
};

} // namespace
