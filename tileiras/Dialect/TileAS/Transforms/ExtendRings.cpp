//===- ExtendRings.cpp - tileas-extend-rings ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that is copied for a product behind a loop, as tileas-rotate-products leaves the last right factor of
// attention, is one more round of the loop's ring, if that has stages of its kind (functions that are divided among
// agents: AddRingRounds.h). The loop fills each stage for its next round, the first one before it, and the last round
// fills one for the product behind:
//
//     copy view_b[%last] into %tile                     acquire, write { copy a(lower), copy b(lower) }, commit
//     for i {                                           for i {
//       acquire, write { copy a(i), copy b(i) }, commit   wait
//       wait                                              acquire, write {
//       read { products }                           ->      copy a(i + step) if there is a next round
//       release                                             copy b(i + step), or view_b[%last]
//     }                                                   }, commit
//                                                         read { products }
//                                                         release
//                                                       }
//     async.wait                                        wait
//     product of %tile                                  read { product of the stage's tile }
//                                                       release
//
// The tile needs no shared memory of its own then, is filled as far ahead as any other, and by TMA if the others are. A
// tile that is copied behind the loop has bytes of the ring anyway, and stays there: the loop would only be longer.
// tileas-unspecialized-pipeline has the filling side run ahead by a round less, which is as many stages as before. Of
// the tiles of a stage that the product behind does not read nothing is loaded in the last round, and without a round
// of the loop in the first one.
//
// What tileas-rotate-products leaves follows from the loop's own copies: b(i) is the tile of the round before, so
// b(i + step) is b's tile number i, which is the last one in the last round. That is seen, and needs no choice.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/RingRound.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_EXTENDRINGSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// Whether both are one value, or one number.
bool same(Value a, Value b) {
  std::optional<int64_t> number = getConstantIntValue(a);
  return a == b || (a.getType() == b.getType() && number && number == getConstantIntValue(b));
}

std::optional<bool> constantCondition(Value value) {
  std::optional<int64_t> number = value ? getConstantIntValue(value) : 1;
  return number ? std::optional(*number != 0) : std::nullopt;
}

/// A loop, its ring, and the tiles of a product behind it.
struct Extension {
  DotOp product;
  SmallVector<TileOfRound> tiles;
  CountedLoop loop;
  CreatePipelineOp ring;
  ProducerAcquireOp acquire;
  ProducerWriteOp write;
  ProducerCommitOp commit;
  ConsumerWaitOp wait;
  unsigned fills = 0, reads = 0; ///< numbers of the iterators that the loop carries

  const TileOfRound *tileOf(AsyncTiledLoadOp copy) const {
    auto tile = llvm::find_if(tiles, [&](const TileOfRound &tile) { return tile.like == copy; });
    return tile == tiles.end() ? nullptr : tile;
  }
};

int64_t stageOf(Operation *op) {
  auto stage = op->getAttrOfType<IntegerAttr>(kPipelineStageAttr);
  return stage ? stage.getInt() : -1;
}

//===----------------------------------------------------------------------===//
// Which loop it is
//===----------------------------------------------------------------------===//

/// Whether the loop alone uses the ring, and nobody goes on with it behind the loop.
bool isOfLoopAlone(CreatePipelineOp ring, CountedLoop loop) {
  for (Operation *user : ring->getUsers())
    if (!isa<CreateIteratorOp>(user) && user->getParentOp() != loop)
      return false;
  for (OpResult result : loop.getResults())
    if (isa<PipelineIteratorType>(result.getType()) && !result.use_empty())
      return false;
  return ring->getBlock() == loop->getBlock();
}

/// Whether a stage is filled by copies that can be made again for another counter, wherever that is.
bool isFilledByCounter(ProducerWriteOp write, CountedLoop loop) {
  return !write
              .walk([&](Operation *op) {
                bool isCopy = isa<AsyncTiledLoadOp>(op), isEnd = op->hasTrait<OpTrait::IsTerminator>();
                if (op != write && !isCopy && !isEnd && (!isPure(op) || isa<nv_tileaa::AssumeOp>(op)))
                  return WalkResult::interrupt();
                if (op == write)
                  return WalkResult::advance();
                for (Value operand : op->getOperands()) {
                  Operation *around = operand.getParentRegion()->getParentOp();
                  if (operand != loop.getInductionVar() && !write->isAncestor(around) && loop->isAncestor(around))
                    return WalkResult::interrupt();
                }
                return WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether threads go on while the product reads its factors.
bool isReadLater(DotOp product) {
  return product.getAtom() && product.getAtom()->getCompletion() != Completion::AtOnce;
}

/// Why the tile's copy cannot be made in the ring's place of `like`, before the loop and in it; or nothing.
StringRef whyNot(const TileOfRound &tile) {
  AsyncTiledLoadOp load = tile.load, like = tile.like;
  if (!load.getResultToken().use_empty() || load.getToken() != like.getToken())
    return "something comes between its copy and those of the loop";
  return "";
}

/// Finds the last loop before the product whose ring has places for its tiles, or says why there is none.
StringRef findLoop(Extension &found, ArrayRef<TileOfRound> tiles) {
  Block *block = found.product->getBlock();
  StringRef why = "no loop before its products has stages of its kind";
  for (Operation &op : llvm::make_range(block->begin(), found.product->getIterator())) {
    auto loop = dyn_cast<CountedLoop>(&op);
    if (!loop)
      continue;
    for (auto wait : loop.getBody()->getOps<ConsumerWaitOp>()) {
      auto ring = wait.getPipeline().getDefiningOp<CreatePipelineOp>();
      Extension next{found.product, {}, loop, ring, {}, {}, {}, wait};
      next.write = ring ? onlyUserIn<ProducerWriteOp>(loop, ring) : ProducerWriteOp();
      if (!next.write)
        continue;
      next.tiles = tilesInStage(next.write, tiles);
      if (next.tiles.empty() || next.tiles.size() < found.tiles.size() ||
          llvm::any_of(next.tiles, [&](const TileOfRound &tile) { return !tile.isAround(loop); }))
        continue;
      next.acquire = onlyUserIn<ProducerAcquireOp>(loop, ring);
      next.commit = onlyUserIn<ProducerCommitOp>(loop, ring);
      auto read = onlyUserIn<ConsumerReadOp>(loop, ring);
      auto release = onlyUserIn<ConsumerReleaseOp>(loop, ring);
      std::optional<unsigned> fills = next.acquire ? loop.getCarriedNumber(next.acquire.getIterator()) : std::nullopt,
                              reads = loop.getCarriedNumber(wait.getIterator());
      if (!isOfLoopAlone(ring, loop)) {
        why = "others than the loop use its ring";
      } else if (!next.commit || !read || !release || !fills || !reads || fills == reads ||
                 next.acquire.getPredicate() || next.write.getPredicate() || next.commit.getPredicate() ||
                 release->hasAttr(kByProductsAttr) || onlyUserIn<ConsumerWaitOp>(loop, ring) != wait) {
        why = "a round of its ring is not done by threads alone";
      } else if (ring.getNumStages() < 2 || getSharedPlace(ring) || ring->hasAttr(kSpareStageAttr) ||
                 stageOf(next.acquire) < 0 || stageOf(wait) <= stageOf(next.acquire)) {
        why = "its ring is not filled a round ahead";
      } else if (ring.getNumStages() < 3 && isReadLater(found.product)) {
        why = "of two stages one is read until the next round, and nothing would be copied meanwhile";
      } else if (!isFilledByCounter(next.write, loop)) {
        why = "not all tiles of its ring follow from the loop's counter";
      } else if (llvm::any_of(next.write.getBody().getOps<AsyncTiledLoadOp>(), [&](AsyncTiledLoadOp copy) {
                   return !next.tileOf(copy) &&
                          llvm::none_of(copy.getIndices().getTypes(), [](Type type) { return type.isInteger(32); });
                 })) {
        // TMA leaves a tile out by an index that no tensor map reaches.
        why = "the indices of other tiles of its ring cannot say that there is none";
      } else {
        StringRef its;
        for (const TileOfRound &tile : next.tiles)
          its = its.empty() ? whyNot(tile) : its;
        if (!its.empty()) {
          why = its;
          continue;
        }
        next.fills = *fills;
        next.reads = *reads;
        found = next;
      }
    }
  }
  return found.loop ? "" : why;
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Whether `value` says that the loop has a round.
bool saysSome(Value value, CountedLoop loop) {
  auto compare = value ? value.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare)
    return false;
  bool isUnsigned = loop.getUnsignedCmp();
  auto is = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return compare.getPredicate() == predicate && same(compare.getLhs(), a) && same(compare.getRhs(), b);
  };
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  return is(isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, lower, upper) ||
         is(isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, upper, lower);
}

/// Whether `value` is the counter of the last round, if there is one.
bool isLastCounter(Value value, CountedLoop loop) {
  if (auto choice = value.getDefiningOp<arith::SelectOp>(); choice && saysSome(choice.getCondition(), loop))
    value = choice.getTrueValue();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
  if (value.getType() != upper.getType())
    return false;
  std::optional<APInt> rounds = loop.getStaticTripCount();
  std::optional<int64_t> number = getConstantIntValue(value), first = getConstantIntValue(lower),
                         by = getConstantIntValue(step);
  if (rounds && !rounds->isZero() && rounds->getActiveBits() < 32 && number && first && by)
    return *number == *first + int64_t(rounds->getZExtValue() - 1) * *by;
  auto isLess = [](Value value, Value from, std::optional<int64_t> by) {
    auto add = value.getDefiningOp<arith::AddIOp>();
    auto sub = value.getDefiningOp<arith::SubIOp>();
    return by && ((sub && same(sub.getLhs(), from) && getConstantIntValue(sub.getRhs()) == by) ||
                  (add && same(add.getLhs(), from) && getConstantIntValue(add.getRhs()) == -*by));
  };
  if (by == 1)
    return isLess(value, upper, 1);
  // upper - 1 - (upper - 1 - lower) % step, without a sign
  auto sub = value.getDefiningOp<arith::SubIOp>();
  auto beyond = sub ? sub.getRhs().getDefiningOp<arith::RemUIOp>() : arith::RemUIOp();
  if (!beyond || !same(beyond.getRhs(), step) || !isLess(sub.getLhs(), upper, 1))
    return false;
  auto distance = beyond.getLhs().getDefiningOp<arith::SubIOp>();
  return (distance && same(distance.getLhs(), sub.getLhs()) && same(distance.getRhs(), lower)) ||
         (first == 0 && same(beyond.getLhs(), sub.getLhs()));
}

//===----------------------------------------------------------------------===//
// The rounds of the side that fills
//===----------------------------------------------------------------------===//

/// Makes what the loop copies in a round anew, for another one.
class Filler {
public:
  Filler(const Extension &from, OpBuilder &builder) : from(from), b(builder), loc(from.product->getLoc()) {}

  /// Before the loop: its first round, or the one behind it if it has none. `some`: whether it has; null if it surely
  /// has.
  void fillFirst(ProducerWriteOp into, Value some) {
    begin(into);
    map.map(counter(), CountedLoop(from.loop).getLowerBound());
    fill([&](AsyncTiledLoadOp copy, const TileOfRound *tile) {
      if (!some)
        return;
      Value valid = copy.getValid();
      if (!tile)
        return setValid(copy, both(valid, some));
      AsyncTiledLoadOp load = tile->load;
      for (auto [d, index] : llvm::enumerate(load.getIndices())) {
        Value now = copy.getIndices()[d], otherwise = index;
        if (auto choice = index.getDefiningOp<arith::SelectOp>(); choice && saysSome(choice.getCondition(), from.loop))
          otherwise = choice.getFalseValue();
        if (!same(now, otherwise))
          copy.getIndicesMutable()[d].assign(arith::SelectOp::create(b, loc, some, now, otherwise));
      }
      bool nothing = saysSome(load.getValid(), from.loop);
      setValid(copy, choose(some, valid, nothing ? condition(false) : load.getValid()));
    });
  }

  /// In the loop: the next round, or the one behind the loop.
  void fillNext(ProducerWriteOp into) {
    begin(into);
    CountedLoop loop = from.loop;
    Value now = loop.getInductionVar();
    next = arith::AddIOp::create(b, loc, now, loop.getStep());
    more = {};
    map.map(now, next);
    fill([&](AsyncTiledLoadOp copy, const TileOfRound *tile) {
      if (!tile)
        return setValid(copy, both(copy.getValid(), hasNext()));
      AsyncTiledLoadOp load = tile->load;
      for (auto [d, index] : llvm::enumerate(load.getIndices()))
        if (Value its = copy.getIndices()[d]; !same(its, index) && !isInLastRound(its, index))
          copy.getIndicesMutable()[d].assign(arith::SelectOp::create(b, loc, hasNext(), its, index));
      Value valid = saysSome(load.getValid(), loop) ? Value() : load.getValid();
      if (constantCondition(copy.getValid()) == true && constantCondition(valid) == true)
        return setValid(copy, {});
      setValid(copy, choose(hasNext(), copy.getValid(), valid));
    });
  }

private:
  Value counter() const { return CountedLoop(from.loop).getInductionVar(); }

  void begin(ProducerWriteOp into) {
    Block &like = old();
    map.clear();
    next = {};
    body = b.createBlock(&into.getBody(), into.getBody().end(), like.getArgumentTypes(),
                         SmallVector<Location>(like.getNumArguments(), loc));
    map.map(like.getArguments(), body->getArguments());
  }

  Block &old() { return ProducerWriteOp(from.write).getBody().front(); }

  void fill(llvm::function_ref<void(AsyncTiledLoadOp, const TileOfRound *)> change) {
    for (Operation &op : old().without_terminator()) {
      Operation *copy = b.clone(op, map);
      if (auto load = dyn_cast<AsyncTiledLoadOp>(copy)) {
        const TileOfRound *tile = from.tileOf(cast<AsyncTiledLoadOp>(op));
        b.setInsertionPoint(load);
        change(load, tile);
        b.setInsertionPointAfter(load);
        if (tile && load.getInBoundsAttr() != AsyncTiledLoadOp(tile->load).getInBoundsAttr())
          load.removeInBoundsAttr();
      } else if (Value number = simpler(copy)) {
        map.map(op.getResult(0), number);
        copy->erase();
      }
    }
    b.clone(*old().getTerminator(), map);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  /// Whether what is computed for the next round is `index` in the last round.
  bool isInLastRound(Value its, Value index) const {
    CountedLoop loop = from.loop;
    return (its == counter() && isLastCounter(index, loop)) ||
           (its == next && same(index, loop.getUpperBound()) && getConstantIntValue(loop.getStep()) == 1);
  }

  /// What a number is without the operation: the counter of the next round is not the first, and so on.
  Value simpler(Operation *op) {
    if (op->getNumResults() != 1)
      return {};
    if (auto compare = dyn_cast<arith::CmpIOp>(op);
        compare && next && compare.getPredicate() == arith::CmpIPredicate::ne && compare.getLhs() == next &&
        same(compare.getRhs(), CountedLoop(from.loop).getLowerBound()))
      return condition(true);
    SmallVector<Value> results;
    return succeeded(b.tryFold(op, results)) && results.size() == 1 ? results.front() : Value();
  }

  Value condition(bool value) { return arith::ConstantOp::create(b, loc, b.getBoolAttr(value)); }

  Value hasNext() {
    if (more)
      return more;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    CountedLoop loop = from.loop;
    for (const TileOfRound &tile : from.tiles)
      for (Value index : AsyncTiledLoadOp(tile.load).getIndices())
        if (!more && isLastCounter(index, loop))
          more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, loop.getInductionVar(), index);
    return more = more ? more : loop.hasNext(b, loc);
  }

  // Conditions: null is true.
  Value both(Value a, Value c) {
    if (constantCondition(a) == true)
      return c;
    return constantCondition(c) == true ? a : arith::AndIOp::create(b, loc, a, c).getResult();
  }
  Value choose(Value which, Value a, Value c) {
    std::optional<bool> first = constantCondition(a), second = constantCondition(c);
    if (first && first == second)
      return a;
    a = a ? a : condition(true);
    c = c ? c : condition(true);
    return arith::SelectOp::create(b, loc, which, a, c);
  }

  static void setValid(AsyncTiledLoadOp copy, Value valid) {
    if (valid)
      copy.getValidMutable().assign(valid);
    else
      copy.getValidMutable().clear();
  }

  const Extension &from;
  OpBuilder &b;
  Location loc;
  IRMapping map;
  Block *body = nullptr;
  Value next, more;
};

/// The filling side runs a round less ahead, as it fills the next round's stage.
void setStages(const Extension &from, ArrayRef<Operation *> filling) {
  auto set = [](Operation *op, int64_t stage) {
    op->setAttr(kPipelineStageAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 32), stage));
  };
  for (Operation *op : filling)
    set(op, stageOf(op) + 1);
  Block *body = CountedLoop(from.loop).getBody();
  if (llvm::any_of(*body, [](Operation &op) { return stageOf(&op) == 0; }))
    return;
  for (Operation &op : *body)
    if (stageOf(&op) > 0)
      set(&op, stageOf(&op) - 1);
}

void extend(Extension &from) {
  CountedLoop loop = from.loop;
  OpBuilder builder(loop);
  Location loc = from.product.getLoc();
  readInRing(from.product, from.tiles, from.wait, loop.getResults()[from.reads]);

  // Before the loop.
  Value some;
  if (std::optional<APInt> rounds = loop.getStaticTripCount(); !rounds || rounds->isZero()) {
    for (const TileOfRound &tile : from.tiles)
      if (Value valid = AsyncTiledLoadOp(tile.load).getValid(); saysSome(valid, loop))
        some = valid;
    some = some ? some : loop.hasRound(builder, loc);
  }
  IRMapping map;
  Value first = loop.getInits()[from.fills];
  map.map(from.acquire.getIterator(), first);
  cloneOutside(builder, from.acquire, map);
  auto written = cast<ProducerWriteOp>(cloneOutside(builder, from.write, map));
  cloneOutside(builder, from.commit, map);
  loop.getInitsMutable()[from.fills].assign(IncIterOp::create(builder, loc, first.getType(), first));
  Filler filler(from, builder);
  filler.fillFirst(written, some);

  // In it.
  filler.fillNext(from.write);
  from.write.getBody().front().erase();
  Operation *filled = loop.getYieldedValues()[from.fills].getDefiningOp();
  from.wait->moveBefore(loop.getBody(), loop.getBody()->begin());
  Operation *behind = from.wait;
  SmallVector<Operation *> filling = {from.acquire, from.write, from.commit, filled};
  for (Operation *op : filling) {
    op->moveAfter(behind);
    behind = op;
  }
  setStages(from, filling);
  for (TileOfRound &tile : from.tiles)
    tile.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ExtendRingsPass : nv_tileas::impl::ExtendRingsPassBase<ExtendRingsPass> {
  void runOnOperation() override {
    bool agents = getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (agents)
      return;
    llvm::MapVector<Operation *, SmallVector<TileOfRound>> products;
    getOperation().walk([&](AsyncTiledLoadOp load) {
      TileOfRound tile{load};
      DotOp product = isa<ProducerWriteOp>(load->getParentOp()) ? DotOp() : tile.findProduct();
      if (product && llvm::any_of(llvm::make_range(load->getIterator(), tile.wait->getIterator()),
                                  [](Operation &op) { return isa<CountedLoop>(&op); }))
        products[product].push_back(tile);
    });
    for (auto &[product, tiles] : products) {
      Extension extension;
      extension.product = cast<DotOp>(product);
      StringRef why = findLoop(extension, tiles);
      if (why.empty()) {
        remarks::passed(product, remarks::kPipeline, "RingRound")
            << remarks::figure("Tiles", extension.tiles.size())
            << remarks::because("what is multiplied behind a loop is one more round of its ring");
        extend(extension);
        ++numRounds;
      } else {
        remarks::missed(product, remarks::kPipeline, "RingRound") << remarks::because(why);
      }
    }
  }
};

} // namespace
