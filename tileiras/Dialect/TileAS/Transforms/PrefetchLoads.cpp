//===- PrefetchLoads.cpp - tileas-prefetch-loads --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a loop loads into registers is loaded an iteration ahead (docs/pipelines.md, "Loads ahead in registers").
//
//     for i { x = load i; use x }   ->   x = load lb, if there is a round
//                                        for i iter_args(x) { next = load i + 1, if there is a next round; use x; yield
//                                        next }
//
// That is for loops whose tiles no ring in shared memory can take: their operands come through registers because they
// are converted, not aligned, masked, or for multiply-adds; or they feed no product; or the ring has no room, and then
// copies past the registers become loads that are written to the shared tile where the copies were waited for.
//
// Where the products of a loop go on into the next iteration by themselves (wgmma), loads are under way with them
// anyway.
//
// A load may take part if its address can be computed ahead (LoadsAhead.h) and no token orders it after something that
// the loop writes. The tile lives for a whole iteration more, so a budget of registers decides how many loads do.
// Elements of less than 32 bits go round the loop in words, as registers have no halves that last.
//
// What stmatrix writes to shared memory as it comes (bytes that it turns: tileas-stage-loads) has left the registers
// before a product begins, and the loads of the next iteration take the same ones:
//
//     for i iter_args(x) { copy x to tile; next = load i + 1, if there is a next round; multiply tile; yield next }
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PrefetchLoads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsInRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PREFETCHLOADSPASS
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

/// Operations that the address of a load may take to compute: they are there once more, before the loop.
constexpr size_t kMostOperations = 192;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Whether the products of a loop go on into its next round, so that its loads are made meanwhile as they stand: their
/// unit works by itself, and the loop only adds up (tileas-overlap-products).
bool overlapsProducts(CountedLoop loop) {
  bool all = true, any = false;
  loop->walk([&](DotOp dot) {
    auto carried = dyn_cast<BlockArgument>(dot.getC());
    any = true;
    all &= dot->getParentOp() == loop && goesOn(dot) && isIn(dot.getA().getType(), MemoryKind::Shared) && carried &&
           carried.getOwner() == loop.getBody() && carried.hasOneUse() && dot.getResult().hasOneUse() &&
           loop.getTiedLoopYieldedValue(carried)->get() == dot.getResult();
  });
  return any && all;
}

/// Whether a load finds by itself that there is no round for its tile, which is outside of the array as a whole then:
/// the loop counts the tiles of an array that extends as far, and the load asks where each access is. Nobody has to ask
/// before it whether there is a round.
bool isOutsideWithoutRound(CountedLoop loop, const LoadAhead &ahead) {
  auto load = dyn_cast<TiledLoadOp>(*ahead.load);
  auto count = loop.getUpperBound().getDefiningOp<aa::GetDimSizeOp>();
  APInt lower, step;
  if (!load || load.getInBounds() || !count || !isa<aa::TiledViewType>(count.getSource().getType()) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isOne() ||
      !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) || lower.isNegative())
    return false;
  auto view = cast<aa::TiledViewType>(load.getView().getType()),
       counted = cast<aa::TiledViewType>(count.getSource().getType());
  for (auto [t, index] : llvm::enumerate(load.getIndices())) {
    if (index != loop.getInductionVar())
      continue;
    int64_t stride = view.getTraversalStrides()[t];
    // Of a whole number of tiles none is asked about.
    return stride == counted.getTraversalStrides()[count.getAxis()] &&
           aa::haveSameExtent(load.getView(), t, count.getSource(), count.getAxis()) &&
           aa::getExtentDivisor(load.getView(), t) % view.getTileShape()[t] != 0;
  }
  return false;
}

/// The copy by stmatrix to a tile of its own in shared memory that is all that becomes of a load, in the body of the
/// loop or among the readers of a stage; null if there is none. (Where threads store registers as they are, of factors
/// of 32 bits, ptxas 13.0 takes 100 of them instead of 86 for a loop in that order: tf32 64x64x32 of four warps.)
CopyOp copyOfAll(CountedLoop loop, const LoadAhead &ahead) {
  if (!isa<TiledLoadOp>(ahead.load))
    return {};
  Value tile = ahead.load->getResult(0);
  while (tile.hasOneUse() && isReshape(*tile.user_begin()))
    tile = tile.user_begin()->getResult(0);
  auto copy = tile.hasOneUse() ? dyn_cast<CopyOp>(*tile.user_begin()) : CopyOp();
  auto dest = copy && copy.getDest() ? copy.getDest().getDefiningOp<AllocTensorOp>() : AllocTensorOp();
  if (!dest || !copy->hasAttr(kStoreAtomAttr) || !isIn(dest.getType(), MemoryKind::Shared) ||
      dest->getBlock() != copy->getBlock() || llvm::count_if(dest->getUsers(), llvm::IsaPred<CopyOp>) != 1)
    return {};
  Operation *around = copy->getParentOp();
  return around == loop || (isa<ConsumerReadOp>(around) && around->getParentOp() == loop) ? copy : CopyOp();
}

/// Unit, on a load that is made ahead in the body of a loop: not to be made ahead again.
constexpr llvm::StringLiteral kMadeAheadAttr = "nv_tileas.made_ahead";

/// The loads of a loop that are to be made ahead.
struct Choice {
  SmallVector<LoadAhead> ahead;
  llvm::SetVector<Value> tokens; ///< from outside of the loop, that they come after
  int64_t loads = 0;             ///< all that could be
  int64_t words = 0, room = 0;   ///< of a thread: what is needed, and what there is
  StringRef why;                 ///< of the last one that is not made ahead
};

/// `sparing`: see LoadBudget. `only`: of all loads this one, as if the others were copied past the registers.
Choice choose(CountedLoop loop, bool sparing, Operation *only = nullptr) {
  Choice choice;
  // What is loaded is alive for a moment only as the loop stands.
  int64_t needed = -1, kernel = 0, brought = 0, more = 0, words = 0, products = countProducts(loop);
  bool copies = !only && !loop.getBody()->getOps<AsyncCopyOpInterface>().empty();
  for (Operation &op : *loop.getBody())
    if (std::optional<LoadAhead> load = asLoadAhead(op); load && (!only || &op == only))
      brought += wordsOf(load->type);
  bool inPlace = llvm::all_of(*loop.getBody(), [&](Operation &op) {
    std::optional<LoadAhead> load = asLoadAhead(op);
    return !load || (only && isa<AsyncCopyOpInterface>(op)) || copyOfAll(loop, *load);
  });
  LoadBudget budget(loop, products, sparing);
  choice.room = budget.room();
  for (Operation &op : *loop.getBody()) {
    std::optional<LoadAhead> load = asLoadAhead(op);
    if (!load || op.hasAttr(kMadeAheadAttr) || (only && &op != only))
      continue;
    ++choice.loads;
    if (needed < 0) {
      needed = wordsIn(loop, wordsHeld);
      kernel = aa::peakLiveWords(loop->getParentOfType<aa::FuncOp>().getBody(), [](Value v) { return wordsHeld(v); });
    }
    llvm::SetVector<Value> after = choice.tokens;
    if (failed(collectTokens(loop, cast<aa::MemoryAccessOpInterface>(op).getToken(), after))) {
      choice.why = "a token orders them after what the loop writes";
      continue;
    }
    OtherIteration probe(loop);
    if (!llvm::all_of(addressOf(op), [&](Value v) {
          return succeeded(probe.check(v, OtherIteration::First, choice.why)) &&
                 succeeded(probe.check(v, OtherIteration::Next, choice.why));
        }))
      continue;
    if (probe.numOperations() > kMostOperations) {
      choice.why = "their addresses take too long to compute";
      continue;
    }
    int64_t its = budget.costOf(*load), brings = isa<AsyncCopyOpInterface>(op) ? its : wordsOf(load->type);
    // What is loaded takes the registers of what was.
    if (inPlace)
      its -= brings, brings = 0;
    if (!budget.hasRoom(needed, more + its, words + brings)) {
      choice.why = "there are no registers for them";
      continue;
    }
    // Other blocks hide what a load takes as well, of which there are no more than have registers for all of the
    // kernel.
    bool ofKernel = products && !sparing && !copies;
    int64_t now = ofKernel ? std::max(needed, kernel) : needed - brought, then = needed + more + its;
    if ((ofKernel ? budget.blocksWith(now, std::max<int64_t>(0, then - now)) : budget.blocksWith(needed, more + its)) <
        budget.blocksWith(now, 0)) {
      choice.why = "a multiprocessor would have registers for fewer blocks";
      continue;
    }
    words += brings;
    more += its;
    choice.tokens = std::move(after);
    choice.ahead.push_back(*load);
  }
  choice.words = needed + more;
  return choice;
}

/// All loads, if there may be registers for them; else as many as there are registers for.
Choice choose(CountedLoop loop) {
  Choice all = choose(loop, /*sparing=*/false);
  return int64_t(all.ahead.size()) == all.loads ? all : choose(loop, /*sparing=*/true);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct PrefetchLoadsPass : nv_tileas::impl::PrefetchLoadsPassBase<PrefetchLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1 || getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    for (CountedLoop loop : getCountedLoops(getOperation()))
      prefetch(loop);
  }

private:
  void prefetch(CountedLoop loop) {
    // A tile that is loaded ahead of a loop inside would occupy its registers through all of that.
    bool nested = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (nested || (trips && trips->ule(1)))
      return;
    int64_t products = countProducts(loop);
    if (overlapsProducts(loop)) {
      if (auto remark = remarks::passed(loop, remarks::kPipeline, "Prefetch"))
        remark << remarks::figure("Products", products)
               << remarks::because("its loads are made while the product of the iteration before goes on");
      return;
    }
    Choice choice = choose(loop);
    ArrayRef<LoadAhead> ahead = choice.ahead;
    bool all = int64_t(ahead.size()) == choice.loads;
    if (choice.loads && remarks::enabled(&getContext())) {
      auto remark = all ? remarks::passed(loop, remarks::kPipeline, "Prefetch")
                        : remarks::missed(loop, remarks::kPipeline, "Prefetch");
      if (remark)
        remark << remarks::figure("Products", products) << remarks::figure("Loads", choice.loads)
               << remarks::figure("Ahead", ahead.size()) << remarks::figure("Words", choice.words)
               << remarks::figure("Room", choice.room)
               << remarks::because(all ? Twine("loads of the next iteration are under way in registers")
                                       : "loads are not made ahead: " + choice.why);
    }
    if (ahead.empty())
      return;
    numAhead += ahead.size();
    rewrite(loop, ahead, choice.tokens.getArrayRef());
  }

  void rewrite(CountedLoop loop, ArrayRef<LoadAhead> ahead, ArrayRef<Value> tokens) {
    IRRewriter rewriter(loop);
    Location loc = loop.getLoc();
    bool ordered = llvm::any_of(
        ahead, [](const LoadAhead &a) { return bool(cast<aa::MemoryAccessOpInterface>(a.load).getToken()); });
    Value after = ordered ? joinTokens(rewriter, loop, tokens) : Value();

    bool always = llvm::all_of(ahead, [&](const LoadAhead &a) { return isOutsideWithoutRound(loop, a); });

    // The loads of one iteration, as words, by `when`; behind them the tokens of those that others come after.
    auto emit = [&](OpBuilder &b, OtherIteration::When when) {
      OtherIteration iteration(loop);
      SmallVector<Value> loaded, done;
      for (const LoadAhead &a : ahead) {
        IRMapping map;
        for (Value operand : addressOf(*a.load))
          map.map(operand, iteration.compute(b, operand, when));
        if (Value token = cast<aa::MemoryAccessOpInterface>(a.load).getToken())
          map.map(token, after);
        auto [value, token] = loadAgain(b, a, map);
        if (Operation *again = value.getDefiningOp(); always && when == OtherIteration::Next)
          again->setAttr(kMadeAheadAttr, b.getUnitAttr());
        loaded.push_back(a.pack(b, value));
        if (a.isFollowed())
          done.push_back(token);
      }
      loaded.append(done);
      return loaded;
    };
    // The same, where `condition` is true.
    auto emitIf = [&](OpBuilder &b, Value condition, OtherIteration::When when) -> SmallVector<Value> {
      Block scratch;
      OpBuilder inside(b.getContext());
      inside.setInsertionPointToEnd(&scratch);
      SmallVector<Value> loaded = emit(inside, when);
      auto branch = scf::IfOp::create(b, loc, ValueRange(loaded).getTypes(), condition, /*withElseRegion=*/true);
      branch.thenBlock()->getOperations().splice(branch.thenBlock()->begin(), scratch.getOperations());
      OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock()), otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
      scf::YieldOp::create(then, loc, loaded);
      SmallVector<Value> none;
      for (Value value : loaded)
        none.push_back(isa<aa::MemTokenType>(value.getType())
                           ? aa::CreateMemTokenOp::create(otherwise, loc, value.getType()).getResult()
                           : ub::PoisonOp::create(otherwise, loc, value.getType()).getResult());
      scf::YieldOp::create(otherwise, loc, none);
      return branch.getResults();
    };

    SmallVector<Value> inits;
    if (std::optional<APInt> trips = loop.getStaticTripCount(); always || (trips && !trips->isZero())) {
      inits = emit(rewriter, OtherIteration::First);
    } else {
      inits = emitIf(rewriter, loop.hasRound(rewriter, loc), OtherIteration::First);
    }
    // What goes into shared memory as it is has left the registers once it is written; what is loaded then takes them.
    Operation *behind = nullptr;
    if (llvm::all_of(ahead, [&](const LoadAhead &a) { return bool(copyOfAll(loop, a)); }))
      for (const LoadAhead &a : ahead) {
        CopyOp copy = copyOfAll(loop, a);
        if (Operation *region = copy->getParentOp(); region != loop) {
          for (Value tile = a.load->getResult(0); *tile.user_begin() != copy; tile = tile.user_begin()->getResult(0))
            if (tile.user_begin()->getParentOp() == region)
              tile.user_begin()->moveBefore(region);
          copy.getDest().getDefiningOp()->moveBefore(region);
          copy->moveBefore(region);
        }
        if (!behind || behind->isBeforeInBlock(copy))
          behind = copy;
      }
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
      OpBuilder top = OpBuilder::atBlockBegin(loop.getBody());
      if (behind)
        top.setInsertionPointAfter(behind);
      if (always)
        return emit(top, OtherIteration::Next);
      return emitIf(top, loop.hasNext(top, loc), OtherIteration::Next);
    };
    CountedLoop replaced = *loop.replaceWithAdditionalYields(rewriter, inits, next);
    Block::BlockArgListType carried = replaced.getRegionIterArgs().take_back(inits.size());
    size_t token = ahead.size();
    for (auto [i, a] : llvm::enumerate(ahead))
      replaceLoad(a, carried[i], a.isFollowed() ? carried[token++] : BlockArgument());
  }
};

} // namespace

bool nv_tileas::registersHoldLoads(CountedLoop loop) {
  Choice choice = choose(loop, /*sparing=*/true);
  return int64_t(choice.ahead.size()) == choice.loads;
}

bool nv_tileas::registersHold(CountedLoop loop, Operation *load) {
  return !choose(loop, /*sparing=*/false, load).ahead.empty();
}

bool nv_tileas::loadsDuringProducts(CountedLoop loop) { return overlapsProducts(loop); }
