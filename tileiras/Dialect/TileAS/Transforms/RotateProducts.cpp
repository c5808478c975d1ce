//===- RotateProducts.cpp - tileas-rotate-products ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop that multiplies, computes with the sums, and multiplies the result, as attention does:
//
//     for i iter_args(%o = 0) {                     %v' = load V(last i)
//       %s = dot q, K(i)                            for i iter_args(%c = 0, %p = 0) {
//       %x = softmax of %s                            %s = dot q, K(i)
//       %p = round %x                                 %d = dot %p, V(i - 1), %c
//       %c = rescale %o                      ->       %x = softmax of %s
//       %o' = dot %p, V(i), %c                        %c' = rescale %d
//       yield %o'                                     %p' = round %x
//     }                                               yield %c', %p'
//                                                   }
//                                                   %o' = dot %p, %v', %c
//
// The second product stands beside the first one of the next iteration, and neither needs the other: the unit has work
// while the threads compute. In the first iteration there is nothing to multiply, but a branch around the product would
// have the assembler wait for every instruction: it is done with zeros, which it adds to sums that are zero. Both
// factors have to be, as a zero times what stands in an array might be no number; so there %v is a tile whose elements
// all count as outside (`if` of the load), for which nothing is read. The same goes for the product behind a loop
// without a round.
//
// What is computed from the second product's sums stands at the end of the iteration, and its left factor is rounded
// behind that: registers of a product under way are not written (docs/pipelines.md). It is rounded before the next
// iteration, whose first product has its sums beside half as many words then.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ROTATEPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// The fewest bytes that a copy past the registers moves at a time (PTX ISA, "cp.async").
constexpr int64_t kAsyncBytes = 4;

/// Blocks of so many warps have a multiprocessor almost for themselves.
constexpr int32_t kWarpsAlone = 8;

/// A product whose left factor follows from another one of the same iteration, and what is around it.
struct Candidate {
  CountedLoop loop;
  DotOp first, second;
  unsigned index;                        ///< of the sums among what the loop carries
  BlockArgument sums;                    ///< of the second product, from the iteration before
  llvm::SetVector<Operation *> fromSums; ///< what is computed from them, in order
  SmallVector<Operation *> rounding;     ///< of the left factor, with views, in order
  LoadedTile right;                      ///< its right factor
  llvm::SetVector<Value> tokens;         ///< that it comes after
  int64_t words = 0, room = 0;           ///< of a thread: needed, and there
};

/// Whether a tile says where its elements are, as masks compare them: each is a constant beside what a thread has once.
bool isPlace(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return !tile || (tile.getElementType().isInteger() && followsFromPlaces(value));
}

/// Whether all that becomes of a place is one condition by which something is selected. Of conditions that are joined,
/// ptxas has all of both sides at once (measured: windows of attention then spill). `visits` bounds the work: a value
/// may be reached in many ways.
bool isComparedAlone(Value place, int &visits) {
  return llvm::all_of(place.getUsers(), [&](Operation *user) {
    if (--visits < 0 || user->getNumResults() != 1 || user->getNumRegions() != 0)
      return false;
    Value result = user->getResult(0);
    if (isReshape(user) || isa<aa::BroadcastOp, aa::ExpandDimsOp, arith::CmpIOp>(user))
      return isComparedAlone(result, visits);
    bool isCondition = getElementTypeOrSelf(place.getType()).isInteger(1);
    if (isCondition)
      return isa<arith::SelectOp>(user) && user->getOperand(0) == place;
    return isPlace(result) && isComparedAlone(result, visits);
  });
}

/// Whether a tile is no more than a place for a mask.
bool isPlaceOfMask(Value value) {
  int visits = 256;
  return isPlace(value) && isComparedAlone(value, visits);
}

/// Words of a value where products take their factors from shared memory, what is the same in a row or a column is
/// there once, and the left factor of the second product replaces what it is rounded from. Places that a mask compares
/// are computed where they are needed.
int64_t wordsBesideProducts(Value value) {
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<aa::BroadcastOp, aa::SplatOp, aa::MakeRangeOp, arith::ConstantOp>(def) ||
      (isa<RankedTensorType>(value.getType()) && (isPlaceOfMask(value) || isReducedAsMade(value))))
    return 0;
  bool isFactor = !value.use_empty() && llvm::all_of(value.getUses(), [](OpOperand &use) {
    if (isReshape(use.getOwner()))
      return wordsBesideProducts(use.getOwner()->getResult(0)) == 0;
    return isa<DotOp>(use.getOwner()) && use.getOperandNumber() < 2;
  });
  return isFactor ? 0 : wordsOf(value.getType());
}

/// Operations of the loop's body that compute `value`.
llvm::SetVector<Operation *> sourcesOf(CountedLoop loop, Value value) {
  llvm::SetVector<Operation *> found;
  auto include = [&](Value v) {
    if (Operation *def = v.getDefiningOp())
      if (Operation *op = loop.getBody()->findAncestorOpInBlock(*def))
        found.insert(op);
  };
  include(value);
  for (size_t i = 0; i < found.size(); ++i)
    found[i]->walk([&](Operation *op) { llvm::for_each(op->getOperands(), include); });
  return found;
}

/// Collects what is computed from `sums` in the iteration; false if that is more than arithmetic.
bool collectUsers(Candidate &found) {
  Block *body = found.loop.getBody();
  SmallVector<Value> values = {found.sums};
  llvm::SmallPtrSet<Operation *, 16> users;
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      Operation *op = body->findAncestorOpInBlock(*user);
      if (op == found.second || op == body->getTerminator() || !users.insert(op).second)
        continue;
      if (!isMemoryEffectFree(op))
        return false;
      llvm::append_range(values, op->getResults());
    }
  for (Operation &op : *body)
    if (users.contains(&op))
      found.fromSums.insert(&op);
  return true;
}

/// Whether something in the loop that writes, or that nobody knows, comes after what gives `token`, in this round or a
/// later one.
bool isFollowedByWrites(CountedLoop loop, Value token) {
  SmallVector<Value> tokens = {token};
  llvm::SmallPtrSet<Value, 8> known;
  while (!tokens.empty()) {
    Value next = tokens.pop_back_val();
    if (!known.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (!loop->isProperAncestor(user))
        continue;
      if (user == loop.getBody()->getTerminator()) {
        for (BlockArgument carried : loop.getRegionIterArgs())
          if (loop.getTiedLoopYieldedValue(carried) == &use)
            tokens.push_back(carried);
        continue;
      }
      auto access = dyn_cast<aa::MemoryAccessOpInterface>(user);
      bool isLoad = access && !access.writesMemory() && access.getMemSemantic() == aa::MemSemantic::Weak;
      if (!isLoad && !isa<aa::JoinMemTokenOp>(user))
        return true;
      for (Value result : user->getResults())
        if (isa<aa::MemTokenType>(result.getType()))
          tokens.push_back(result);
    }
  }
  return false;
}

/// Whether a load's place is promised something that may hold in the loop's rounds alone: it is loaded behind a loop
/// without any, too.
bool isPromisedInRounds(CountedLoop loop, TiledLoadOp load) {
  std::optional<ArrayRef<bool>> inBounds = load.getInBounds();
  if (inBounds && llvm::is_contained(*inBounds, true))
    return true;
  for (Value index : load.getIndices())
    for (Operation *source : sourcesOf(loop, index))
      if (source->walk([](aa::AssumeOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return true;
  return false;
}

/// Why the product has to stay where it is, or nothing. Nothing to say of products that follow from no other one.
std::string find(Candidate &found, bool &isChain) {
  DotOp second = found.second;
  auto loop = dyn_cast<CountedLoop>(second->getParentOp());
  isChain = false;
  if (!loop || !goesOn(second))
    return "";
  found.loop = loop;
  Block *body = loop.getBody();
  llvm::SetVector<Operation *> sources = sourcesOf(loop, second.getA());
  for (Operation &op : *body)
    if (auto dot = dyn_cast<DotOp>(op); dot && sources.contains(dot) && goesOn(dot) && !found.first)
      found.first = dot;
  if (!found.first)
    return "";
  isChain = true;
  if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && rounds->ule(1))
    return "there is one iteration";
  if (!loop.getInductionVar().getType().isIntOrIndex())
    return "the counter is no number";
  if (second.getAtom()->getMemories(tileiras::DotOperand::A) != MemorySet(MemoryKind::Registers))
    return "its left factor goes through shared memory";

  // The sums.
  if (!second.getResult().hasOneUse() || *second.getResult().user_begin() != body->getTerminator())
    return "the iteration reads its sums";
  found.index = second.getResult().use_begin()->getOperandNumber();
  found.sums = loop.getRegionIterArg(found.index);
  if (!isZeroTile(loop.getInits()[found.index]))
    return "its sums begin with something";
  if (!collectUsers(found))
    return "its sums do more than arithmetic";
  if (second.getC() != found.sums && !found.fromSums.contains(second.getC().getDefiningOp()))
    return "it adds to something else than its sums";
  for (Value factor : {second.getA(), second.getB()})
    if (Operation *def = factor.getDefiningOp(); factor == found.sums || found.fromSums.contains(def))
      return "its factors depend on its sums";
  if (found.fromSums.contains(found.first) ||
      llvm::any_of(sources, [&](Operation *op) { return found.fromSums.contains(op); }))
    return "the product before it depends on its sums";

  // The left factor: rounded, in the registers where it is needed.
  Value value = second.getA();
  for (Operation *def;; value = def->getOperand(0)) {
    def = value.getDefiningOp();
    if (!def || def->getBlock() != body || !value.hasOneUse() || def->getNumOperands() != 1 ||
        !(isReshape(def) || (isElementwise(def) && isMemoryEffectFree(def))))
      return "its left factor is not rounded last";
    found.rounding.insert(found.rounding.begin(), def);
    if (!isReshape(def))
      break;
  }
  auto bits = [](Value v) { return getStorageBytes(getElementTypeOrSelf(v.getType())); };
  if (Operation *round = found.rounding.front(); bits(round->getOperand(0)) <= bits(round->getResult(0)))
    return "its left factor is not rounded last";

  // The right factor.
  if (StringRef whyNoLoad = found.right.find(loop, second.getB(), isReshape); !whyNoLoad.empty())
    return ("its right factor " + whyNoLoad).str();
  TiledLoadOp load = found.right.load;
  aa::TiledViewType view = load.getView().getType();
  if ((view.getPadding() && *view.getPadding() != aa::PaddingValue::Zero) ||
      load.getMemSemantic() != aa::MemSemantic::Weak ||
      load.getVec().value_or(1) * bits(load.getResult()) < kAsyncBytes)
    return "its right factor comes through registers";
  StringRef why;
  OtherIteration another(loop, loop.getInductionVar());
  for (Value operand : load->getOperands())
    if (operand != load.getToken() && failed(another.check(operand, OtherIteration::At, why)))
      return "where its right factor comes from depends on more than the counter";
  if (failed(collectTokens(loop, load.getToken(), found.tokens)))
    return "a token orders its right factor behind what the loop writes";
  if (isFollowedByWrites(loop, load.getResultToken()))
    return "others in the loop come after its right factor";
  if (!loop.getStaticTripCount() && isPromisedInRounds(loop, load))
    return "what is promised of its right factor's place may hold in an iteration only";

  // A factor more is alive.
  auto func = loop->getParentOfType<aa::FuncOp>();
  const tileiras::TargetInfo *target = aa::getTarget(func);
  auto occupancy = func->getAttrOfType<IntegerAttr>(aa::kOccupancyAttr);
  int64_t warps = getNumWarps(func), blocks = occupancy ? occupancy.getInt() : 1;
  found.words = wordsIn(loop, wordsBesideProducts) + wordsOf(second.getA().getType());
  found.room = (target ? aa::roomForTiles(warps, blocks, aa::Products::Direct, target->registersPerSm,
                                          target->maxRegistersPerThread)
                       : aa::roomForTiles(warps, blocks, aa::Products::Direct)) /
               (32 * warps);
  if (found.words > found.room)
    return "there are no registers for it";
  return "";
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

Value number(OpBuilder &b, Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

/// The counter of the last iteration, or of the first if there is none. The distance of the bounds has no sign.
Value lastCounter(OpBuilder &b, CountedLoop loop, Value some) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
  Value last = arith::SubIOp::create(b, loc, upper, number(b, loc, upper.getType(), 1));
  if (getConstantIntValue(step) != 1) {
    Value distance = arith::SubIOp::create(b, loc, last, lower);
    Value beyond = arith::RemUIOp::create(b, loc, distance, step);
    last = arith::SubIOp::create(b, loc, last, beyond);
  }
  return arith::SelectOp::create(b, loc, some, last, lower);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct RotateProductsPass : nv_tileas::impl::RotateProductsPassBase<RotateProductsPass> {
  void runOnOperation() override {
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) { dots.push_back(dot); });
    for (DotOp dot : dots) {
      Candidate candidate;
      candidate.second = dot;
      bool isChain = false;
      std::string why = find(candidate, isChain);
      if (!isChain)
        continue;
      if (!why.empty()) {
        remarks::missed(dot, remarks::kProduct, "Rotate")
            << remarks::figure("Words", candidate.words) << remarks::figure("Room", candidate.room)
            << remarks::because(why);
        continue;
      }
      remarks::passed(dot, remarks::kProduct, "Rotate")
          << remarks::figure("Words", candidate.words) << remarks::figure("Room", candidate.room)
          << remarks::because("it is done beside the first product of the next iteration");
      ++numRotated;
      rotate(candidate);
    }
  }

  /// The right factor that the counter `at` stands for; zero where `valid` is there and false.
  static Value factorAt(OpBuilder &b, const Candidate &from, Value at, Value token, Value valid) {
    OtherIteration another(from.loop, at);
    TiledLoadOp load = from.right.load;
    IRMapping map;
    for (Value operand : load->getOperands())
      map.map(operand, operand == load.getToken() ? token : another.compute(b, operand, OtherIteration::At));
    return from.right.clone(b, map, valid);
  }

  void rotate(Candidate &from) {
    DotOp second = from.second;
    Location loc = second.getLoc();
    IRRewriter rewriter(from.loop);
    auto multiply = [&](Value a, Value b, Value c) -> Value {
      IRMapping map;
      map.map(second.getA(), a);
      map.map(second.getB(), b);
      map.map(second.getC(), c);
      return rewriter.clone(*second, map)->getResult(0);
    };

    // Before the loop: a left factor for the first iteration; and the last right one, where few warps would have
    // something to do while it comes behind the loop, else there, as it takes shared memory from another block.
    bool isEarly = getNumWarps(from.loop->getParentOfType<aa::FuncOp>()) >= kWarpsAlone;
    Value token = from.right.load.getToken() ? joinTokens(rewriter, from.loop, from.tokens.getArrayRef()) : Value();
    Value some = from.loop.hasRound(rewriter, from.loop.getLoc());
    Value at = lastCounter(rewriter, from.loop, some), last, ifSome = from.loop.getStaticTripCount() ? Value() : some;
    if (isEarly)
      last = factorAt(rewriter, from, at, token, ifSome);
    auto factor = cast<RankedTensorType>(from.rounding.front()->getOperand(0).getType());
    Value zero = aa::SplatOp::create(
        rewriter, loc, factor, arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(factor.getElementType())));

    Value wide = from.rounding.front()->getOperand(0);
    bool asTheyAre = second.getC() == from.sums; // arguments of the loop are others below
    auto round = [&](Value value) {
      for (Operation *op : from.rounding) {
        IRMapping map;
        map.map(op->getOperand(0), value);
        value = rewriter.clone(*op, map)->getResult(0);
      }
      return value;
    };
    auto carryFactor = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
      return SmallVector<Value>{second.getA()};
    };
    from.loop = *from.loop.replaceWithAdditionalYields(rewriter, round(zero), carryFactor);
    CountedLoop loop = from.loop;
    Block *body = loop.getBody();
    from.sums = loop.getRegionIterArg(from.index);

    // Beside the first product, that of the iteration before.
    Value rounded = loop.getRegionIterArgs().back();
    rewriter.setInsertionPoint(from.first);
    Value counter = loop.getInductionVar(), lower = loop.getLowerBound();
    Value notFirst = loop.isNotFirst(rewriter, loc);
    Value before = arith::SubIOp::create(rewriter, loc, counter, loop.getStep());
    before = arith::SelectOp::create(rewriter, loc, notFirst, before, lower);
    Value tile = factorAt(rewriter, from, before, token, notFirst);
    rewriter.setInsertionPointAfter(from.first);
    Value sums = multiply(rounded, tile, from.sums);

    // At the end what follows from its sums.
    Operation *end = body->getTerminator();
    from.sums.replaceUsesWithIf(sums, [&](OpOperand &use) { return use.getOwner() != sums.getDefiningOp(); });
    for (Operation *op : from.fromSums)
      op->moveBefore(end);
    end->setOperand(from.index, asTheyAre ? sums : second.getC());

    // The product that reads the same registers has been waited for.
    rewriter.setInsertionPoint(end);
    end->setOperand(end->getNumOperands() - 1, round(wide));

    // Behind the loop the last one.
    rewriter.setInsertionPointAfter(loop);
    OpResult carried = loop->getResult(from.index);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : carried.getUses())
      uses.push_back(&use);
    if (!isEarly)
      last = factorAt(rewriter, from, at, token, ifSome);
    Value result = multiply(loop->getResults().back(), last, carried);
    for (OpOperand *use : uses)
      use->set(result);

    if (!from.right.load.getResultToken().use_empty()) {
      rewriter.setInsertionPoint(from.right.load);
      Value nothing =
          token ? token : aa::CreateMemTokenOp::create(rewriter, loc, from.right.load.getResultToken().getType());
      from.right.load.getResultToken().replaceAllUsesWith(nothing);
    }
    second.erase();
    for (Operation *op : llvm::reverse(from.rounding))
      op->erase();
    for (Operation *shape : llvm::reverse(from.right.shapes))
      shape->erase();
    from.right.load.erase();
  }
};

} // namespace
