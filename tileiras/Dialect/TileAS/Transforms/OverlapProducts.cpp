//===- OverlapProducts.cpp - Products go on into the next round -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-overlap-products, for products whose unit works by itself (Completion::WaitGroup) and reads both factors from
// shared memory. Where a loop does nothing with the sums but add the next product to them,
//
//     for .. iter_args(%s = %zero) {                  for .. iter_args(%p = poison) {
//       copies into %a, %b                              %s = async.dot_wait %p
//       %t = dot %a, %b, %s                             copies into %a, %b
//       yield %t                                        %q = async.dot %a, %b, %s if iv != lb
//     }                                                 yield %q
//                                                     }
//                                                     %w = async.dot_wait
//                                                     if lb < ub { %w } else { %zero }
//
// * The wait stands before the first operation that may let somebody write what the product reads: a write of shared
//   memory with the barrier before it, or anything that is not known to be harmless. What comes before it in the next
//   round (addresses, bounds, loads into registers) no longer waits. If such an operation follows the product in the
//   same round, the wait is there.
// * Sums that begin as zero are not written: the first product does not read them. A loop without a round has no
//   product that would write them, hence the branch.
// * The factors of a product may be the stage of a ring. The stage is released when the product is done, in the next
//   round: the loop carries the stage's token.
//
//       %w = consumer_wait                                %w = consumer_wait
//       %c, %t = consumer_read { dot }                    %c, %q = consumer_read { async.dot }
//       consumer_release %c                               async.dot_wait {pending = 1}
//                                                         consumer_release %previous, but in the first round
//
//   So one product is under way while the next stage is waited for. Where the loop itself fills the ring, nothing that
//   fills it may pass before the release: there the wait is for all products and stands before. A ring of groups has no
//   barriers to arrive at; its stages are filled again behind the barrier of a later consumer_wait, and the wait for
//   the product stands before that. The product itself stands behind its own consumer_wait, so that the copies of later
//   rounds are issued while it goes on.
// * A thread that waits for its copies of a stage, and writes the other factor, has one fence between the proxies,
// behind
//   what it writes: it is for all that came before (PTX ISA, "membar/fence", .proxy.async).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_OVERLAPPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// A product that its loop only adds up.
struct Sum {
  CountedLoop loop;
  DotOp dot;
  unsigned index;         ///< of the sums among what the loop carries
  ConsumerReadOp read;    ///< around the product, if it reads a stage
  ConsumerReleaseOp last; ///< of that stage
};

/// Whether the threads can do something else while the product is done.
bool isAsynchronous(DotOp dot) { return goesOn(dot) && isIn(dot.getB().getType(), MemoryKind::Shared); }

std::optional<Sum> findSum(DotOp dot) {
  if (!isAsynchronous(dot) || !isIn(dot.getA().getType(), MemoryKind::Shared))
    return std::nullopt;
  Sum sum;
  sum.dot = dot;
  sum.read = dyn_cast<ConsumerReadOp>(dot->getParentOp());
  sum.loop = dyn_cast<CountedLoop>(sum.read ? sum.read->getParentOp() : dot->getParentOp());
  std::optional<unsigned> number = sum.loop ? sum.loop.getCarriedNumber(dot.getC()) : std::nullopt;
  if (!number || !dot.getC().hasOneUse() || !dot.getResult().hasOneUse())
    return std::nullopt;
  sum.index = *number;
  OpOperand *use = &*dot.getResult().use_begin();
  if (sum.read) {
    // Through the end of the region.
    if (use->getOwner() != sum.read.getBody().front().getTerminator())
      return std::nullopt;
    Value result = sum.read.getResults()[use->getOperandNumber()];
    if (!result.hasOneUse())
      return std::nullopt;
    use = &*result.use_begin();
    if (sum.read.getConsumed().hasOneUse())
      sum.last = dyn_cast<ConsumerReleaseOp>(*sum.read.getConsumed().user_begin());
  }
  if (use->getOwner() != sum.loop.getBody()->getTerminator() || use->getOperandNumber() != sum.index)
    return std::nullopt;
  return sum;
}

/// Whether an operation lets nobody write what a product under way reads. Loads into registers may have a barrier, but
/// who writes shared memory behind it has one of his own.
bool isHarmless(Operation &op) {
  if (auto branch = dyn_cast<Branch>(op))
    return llvm::all_of(branch->getRegions(), [](Region &region) { return llvm::all_of(region.getOps(), isHarmless); });
  if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op))
    return access.getLoaded() && !access.writesMemory() && !access.isAtomic();
  if (isa<AllocTensorOp, AsyncDotOp, AsyncDotWaitOp>(op))
    return true;
  return isMemoryEffectFree(&op);
}

/// Whether an operation of a region that reads a stage stays within the stage: it writes a factor to its place there,
/// or reads what it writes.
bool staysInStage(Operation &op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getDest() && isOfStage(copy.getDest(), op.getBlock());
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  return convert && isIn(convert.getSource().getType(), MemoryKind::Shared) &&
         isOfStage(convert.getSource(), op.getBlock());
}

/// Whether the factors of a product are tiles of its stage, and others that nobody in the loop writes, and no operation
/// beside it in the region does more than compute, or write factors to their places in the stage.
bool readsStage(Sum sum) {
  Block &region = sum.read.getBody().front();
  for (Operation &op : region.without_terminator())
    if (&op != sum.dot && !isMemoryEffectFree(&op) && !staysInStage(op))
      return false;
  DotOp dot = sum.dot;
  CountedLoop loop = sum.loop;
  return llvm::all_of(ArrayRef<Value>{dot.getA(), dot.getB()}, [&](Value factor) {
    while (Operation *def = factor.getDefiningOp()) {
      if (!loop->isAncestor(def))
        return llvm::all_of(factor.getUsers(), [&](Operation *user) {
          return user == dot || !loop->isAncestor(user) || isMemoryEffectFree(user);
        });
      if (!isReshape(def))
        return false;
      factor = def->getOperand(0);
    }
    return cast<BlockArgument>(factor).getOwner() == &region;
  });
}

/// Whether stages of the ring are filled again behind a barrier of the threads that read them, and not when they have
/// been released.
bool refilledBehindBarrier(ConsumerReadOp read) {
  auto ring = read.getPipeline().getDefiningOp<CreatePipelineOp>();
  return ring && ring->hasAttr("groups");
}

/// Whether the stage of the round before is left alone in this one: it is filled again in the next.
bool hasSpareStage(ConsumerReadOp read) {
  auto ring = read.getPipeline().getDefiningOp<CreatePipelineOp>();
  return ring && ring->hasAttr(kSpareStageAttr);
}

/// Whether an operation fills a stage of a ring.
bool fillsStage(Operation &op, Value pipeline) {
  return isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(op) && op.getOperand(0) == pipeline;
}

/// Whether the loop fills a stage behind the product: it might be the very stage that it reads.
bool fillsBehind(const Sum &sum) {
  for (Operation *op = ConsumerReadOp(sum.read)->getNextNode(); op; op = op->getNextNode())
    if (op->walk([&](ProducerAcquireOp acquire) {
            return acquire.getPipeline() == ConsumerReadOp(sum.read).getPipeline() ? WalkResult::interrupt()
                                                                                   : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

/// The first operation of [begin, end) that is not; null if all are.
Operation *firstHarm(Block::iterator begin, Block::iterator end) {
  for (Operation &op : llvm::make_range(begin, end))
    if (!isHarmless(op))
      return &op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Side by side
//===----------------------------------------------------------------------===//

/// A product that may go on beside others of its round.
struct Parallel {
  DotOp dot;
  ConsumerReadOp read;       ///< around it, if it reads a stage
  ConsumerReleaseOp release; ///< of that stage
  Operation *at;             ///< of the loop's body: itself or what it reads its stage in
  Value sums;                ///< as the loop's body sees them
  Operation *until;          ///< the first operation of the body that needs it done
  bool isUnderWay = false;
};

bool readsRegisters(DotOp dot) { return isIn(dot.getA().getType(), MemoryKind::Registers); }

/// Whether the threads compute between an earlier wait and `until` without a branch: in machine code both waits would
/// stand in one run of instructions.
bool followsWait(Operation *until) {
  for (Operation *op = until->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<AsyncDotOp, ConsumerReadOp>(op))
      return false;
    if (isa<AsyncDotWaitOp>(op))
      return op->getNextNode() != until;
    if (isa<RegionBranchOpInterface>(op))
      return false;
  }
  return false;
}

/// Whether an operation of the body leaves what products under way read as it is.
bool isHarmlessBeside(Operation &op) {
  if (auto read = dyn_cast<ConsumerReadOp>(op))
    return llvm::all_of(read.getBody().front(), [](Operation &inner) {
      return isa<DotOp>(inner) ? isAsynchronous(cast<DotOp>(inner)) : isHarmless(inner);
    });
  if (auto dot = dyn_cast<DotOp>(op))
    return isAsynchronous(dot);
  // A stage that has not been released is not written, whoever waits for another one; nor is a tile whose copies began
  // before the product.
  return isa<ConsumerWaitOp, ConsumerReleaseOp, AsyncWaitOp>(op) || isHarmless(op);
}

/// What a thread has fenced between the wait for a stage and the first product that reads it, with a barrier of all
/// before that product: a tile that it has written for the same product.
bool isFencedAgain(ConsumerWaitOp wait) {
  auto read = wait.getToken().hasOneUse() ? dyn_cast<ConsumerReadOp>(*wait.getToken().user_begin()) : ConsumerReadOp();
  if (!read || read->getBlock() != wait->getBlock())
    return false;
  llvm::SmallPtrSet<Value, 2> fenced;
  auto begins = [](Value factor) {
    while (Operation *def = factor.getDefiningOp()) {
      if (!isReshape(def))
        break;
      factor = def->getOperand(0);
    }
    return factor;
  };
  for (Operation &op : llvm::make_range(std::next(wait->getIterator()), read->getIterator()))
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy->hasAttr(kAsyncProxyAttr))
      fenced.insert(copy.getDest());
  for (Operation &op : read.getBody().front()) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      if (copy->hasAttr(kAsyncProxyAttr))
        fenced.insert(copy.getDest());
      continue;
    }
    if (isa<DotOp, AsyncDotOp>(op))
      return fenced.contains(begins(op.getOperand(0))) || fenced.contains(begins(op.getOperand(1)));
    // Bytes that are turned are read on their way to what is written.
    if (!isMemoryEffectFree(&op) && !isa<AllocTensorOp, ConvertLayoutOp>(op))
      return false;
  }
  return false;
}

struct OverlapProductsPass : nv_tileas::impl::OverlapProductsPassBase<OverlapProductsPass> {
  llvm::SetVector<Operation *> endings; ///< branches that choose between a loop's sums and what they would begin with

  void runOnOperation() override {
    endings.clear();
    SmallVector<DotOp> dots;
    getOperation().walk([&](DotOp dot) { dots.push_back(dot); });
    for (DotOp dot : dots)
      if (std::optional<Sum> sum = findSum(dot))
        overlap(*sum);
    getOperation().walk([&](CountedLoop loop) { overlapInRound(loop); });
    getOperation().walk([](ConsumerWaitOp wait) {
      auto ring = wait.getPipeline().getDefiningOp<CreatePipelineOp>();
      if (ring && ring.getGroups() && wait->hasAttr(kAsyncProxyAttr) && isFencedAgain(wait))
        wait->removeAttr(kAsyncProxyAttr);
    });
    for (Operation *choice : SmallVector<Operation *>(endings.getArrayRef()))
      if (endings.contains(choice))
        if (auto branch = dyn_cast<Branch>(choice->getParentOp()); branch && choice->getBlock() == branch.thenBlock())
          chooseBehind(branch, cast<Branch>(choice));
  }

  void overlap(Sum sum) {
    if (sum.read && sum.last && sum.last->getBlock() == sum.loop.getBody() && readsStage(sum) && !fillsBehind(sum))
      return overlapInRing(sum);
    auto [loop, dot, index, read, last] = sum;
    Location loc = dot.getLoc();
    Block *body = loop.getBody();
    RankedTensorType tile = dot.getType();
    Value init = loop.getInits()[index];
    bool fromZero = isZeroTile(init);

    // Of a region that reads a stage sums leave waited for: the stage is released behind it.
    Operation *end = dot->getBlock()->getTerminator(),
              *after = firstHarm(std::next(dot->getIterator()), Block::iterator(end));
    if (read && !after)
      after = end;
    bool intoNextRound = !after;
    report(dot, intoNextRound, after);
    if (!intoNextRound && !fromZero)
      return;

    OpBuilder builder(loop);
    BlockArgument carried = carry(loop, index, intoNextRound, fromZero);
    AsyncDotOp product = issue(dot, loop, carried, fromZero);
    auto wait = [&](Operation *before, Value sums) -> AsyncDotWaitOp {
      builder.setInsertionPoint(before);
      return AsyncDotWaitOp::create(builder, loc, TypeRange{tile}, sums, Value(), Value(), 0);
    };
    if (intoNextRound) {
      ++numUnderWay;
      dot.getResult().replaceAllUsesWith(product.getResult());
      if (Operation *harm = firstHarm(body->begin(), product->getIterator()))
        product.getCMutable().assign(wait(harm, carried).getResult(0));
      waitBehind(loop, index);
    } else {
      dot.getResult().replaceAllUsesWith(wait(after, product.getResult()).getResult(0));
    }
    dot.erase();
    if (fromZero)
      unlessEmpty(loop, index, init);
  }

  /// The same for a product that reads a stage of a ring: its release goes on to the next round, too.
  void overlapInRing(Sum sum) {
    auto [loop, dot, index, read, last] = sum;
    Location loc = dot.getLoc();
    Value init = loop.getInits()[index];
    bool fromZero = isZeroTile(init);
    auto pending = PendingType::get(&getContext(), dot.getType());
    bool groups = refilledBehindBarrier(read);
    report(dot, /*intoNextRound=*/true, nullptr);
    ++numUnderWay;

    // The loop carries the token of the stage that the product of the round before reads.
    Value pipeline = last.getPipeline();
    if (!groups) {
      IRRewriter rewriter(loop);
      Value token = read.getConsumed(), none = ub::PoisonOp::create(rewriter, loc, token.getType());
      loop = *loop.replaceWithAdditionalYields(
          rewriter, none, [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>{token}; });
      last.erase();
    }
    Block *body = loop.getBody();

    BlockArgument carried = carry(loop, index, /*underWay=*/true, fromZero);
    AsyncDotOp product = issue(dot, loop, carried, fromZero);
    unsigned number = dot.getResult().use_begin()->getOperandNumber();
    dot.getResult().replaceAllUsesWith(product.getResult());
    dot.erase();
    read.getResults()[number].setType(pending);

    // As soon as the stage is there.
    if (Operation *wait = read.getToken().getDefiningOp(); wait && wait->getBlock() == body && mayFollow(read, wait))
      read->moveAfter(wait);
    Operation *harm = nullptr;
    bool spare = hasSpareStage(read);
    for (Operation &op : llvm::make_range(body->begin(), read->getIterator()))
      if (!isHarmless(op) && !(isa<ConsumerWaitOp>(op) && (!groups || spare)) &&
          !(spare && fillsStage(op, read.getPipeline())) && !harm)
        harm = &op;
    // Whoever has waited for the stage knows that nobody reads it.
    for (auto copy : read.getBody().front().getOps<CopyOp>())
      copy.setNoWarBarrier(true);
    OpBuilder builder(&getContext());
    if (harm) {
      builder.setInsertionPoint(harm);
      auto wait = AsyncDotWaitOp::create(builder, loc, TypeRange{pending.getTile()}, carried, Value(), Value(), 0);
      product.getCMutable().assign(wait.getResult(0));
    } else {
      builder.setInsertionPointAfter(read);
      auto wait =
          AsyncDotWaitOp::create(builder, loc, TypeRange{pending}, read.getResults()[number], Value(), Value(), 1);
      body->getTerminator()->setOperand(index, wait.getResult(0));
    }
    if (!groups) {
      Value notFirst = loop.isNotFirst(builder, loc);
      auto release = scf::IfOp::create(builder, loc, notFirst, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(release.thenBlock());
      ConsumerReleaseOp::create(builder, loc, pipeline, loop.getRegionIterArgs().back());
    }

    AsyncDotWaitOp wait = waitBehind(loop, index);
    if (!groups) {
      builder.setInsertionPointAfter(wait);
      if (Value some = hasRound(builder, loop))
        builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false).thenBlock());
      ConsumerReleaseOp::create(builder, loc, pipeline, loop.getResults().back());
    }
    if (fromZero)
      unlessEmpty(loop, index, init);
  }

  /// Has who waits for copies between two products wait before the first of them, with others if they do.
  static void mergeWaits(Operation *first, Operation *last) {
    AsyncWaitOp wait;
    for (Operation *op = first->getPrevNode(); op && isHarmlessBeside(*op) && !wait; op = op->getPrevNode())
      if (auto other = dyn_cast<AsyncWaitOp>(op); other && !other.getBarrier() && !waitsForStores(other))
        wait = other;
    SmallVector<AsyncWaitOp> later;
    for (Operation *op = first; op != last; op = op->getNextNode())
      if (auto other = dyn_cast<AsyncWaitOp>(op); other && !other.getBarrier() && !waitsForStores(other))
        later.push_back(other);
    for (AsyncWaitOp other : later) {
      if (!wait || other.getPending() != wait.getPending() || llvm::any_of(other.getTokens(), [&](Value token) {
            Operation *def = token.getDefiningOp();
            return !def || (def->getBlock() == wait->getBlock() && !def->isBeforeInBlock(wait));
          }))
        continue;
      wait.getTokensMutable().append(other.getTokens());
      if (other->hasAttr(kAsyncProxyAttr))
        wait->setAttr(kAsyncProxyAttr, UnitAttr::get(other.getContext()));
      other.erase();
    }
  }

  /// Products of one round, side by side.
  void overlapInRound(CountedLoop loop) {
    Block *body = loop.getBody();
    SmallVector<Parallel> products;
    for (Operation &op : *body) {
      if (auto dot = dyn_cast<DotOp>(op); dot && isAsynchronous(dot))
        products.push_back({dot, {}, {}, &op, dot.getResult(), nullptr});
      auto read = dyn_cast<ConsumerReadOp>(op);
      if (!read || !isHarmlessBeside(op) || !read.getConsumed().hasOneUse())
        continue;
      auto release = dyn_cast<ConsumerReleaseOp>(*read.getConsumed().user_begin());
      if (!release || release->getBlock() != body)
        continue;
      Operation *yield = read.getBody().front().getTerminator();
      for (auto dot : read.getBody().front().getOps<DotOp>()) {
        // Sums leave the region, and a left factor in registers comes from outside of it.
        if (!dot.getResult().hasOneUse() || *dot.getResult().user_begin() != yield ||
            (readsRegisters(dot) && read->isAncestor(dot.getA().getParentBlock()->getParentOp())))
          continue;
        Value sums = read.getResults()[dot.getResult().use_begin()->getOperandNumber()];
        products.push_back({dot, read, release, &op, sums, nullptr});
      }
    }
    if (products.size() < 2)
      return;
    for (Parallel &product : products) {
      product.until = body->getTerminator();
      for (Operation *user : product.sums.getUsers())
        if (Operation *op = body->findAncestorOpInBlock(*user); op->isBeforeInBlock(product.until))
          product.until = op;
      for (Operation *op = product.at->getNextNode(); op != product.until; op = op->getNextNode())
        if (!isHarmlessBeside(*op)) {
          product.until = op;
          break;
        }
    }
    bool some = false;
    for (auto [i, product] : llvm::enumerate(products))
      for (Parallel &later : MutableArrayRef(products).drop_front(i + 1))
        if (later.at->isBeforeInBlock(product.until))
          some = product.isUnderWay = later.isUnderWay = true;
    llvm::erase_if(products, [](const Parallel &product) { return !product.isUnderWay; });
    if (!some)
      return;

    OpBuilder builder(&getContext());
    mergeWaits(products.front().at, products.back().at);
    for (Parallel &product : products) {
      ++numUnderWay;
      remarks::passed(product.dot, remarks::kProduct, "Overlap")
          << remarks::because("other products and arithmetic of the round go on beside it");
    }
    SmallVector<std::pair<unsigned, int>> order; ///< numbers, and products that may go on beyond the wait
    for (auto [i, product] : llvm::enumerate(products))
      order.emplace_back(i, llvm::count_if(ArrayRef(products).drop_front(i + 1), [&](const Parallel &later) {
                           return later.at->isBeforeInBlock(product.until);
                         }));
    // A wait stands before what is behind it: from the last to the first, those for one operation are in order.
    llvm::stable_sort(order, [&](auto a, auto b) {
      return products[a.first].until != products[b.first].until &&
             products[a.first].until->isBeforeInBlock(products[b.first].until);
    });
    SmallVector<Value> factors;
    for (Parallel &product : products)
      factors.push_back(product.dot.getA());
    for (auto [number, pending] : order) {
      Parallel &product = products[number];
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : product.sums.getUses())
        uses.push_back(&use);
      builder.setInsertionPoint(product.dot);
      auto under = AsyncDotOp::create(
          builder, product.dot.getLoc(), PendingType::get(&getContext(), product.dot.getType()), product.dot.getA(),
          product.dot.getB(), product.dot.getC(), Value(), product.dot.getSignednessAAttr(),
          product.dot.getSignednessBAttr(), product.dot.getFastAccAttr(), *product.dot.getAtom());
      Value sums = under.getResult();
      if (product.read) {
        product.dot.getResult().replaceAllUsesWith(sums);
        sums = product.sums;
        sums.setType(under.getType());
      }
      SmallVector<Value> waited = {sums};
      if (readsRegisters(product.dot))
        waited.push_back(factors[number]);
      SmallVector<Type> types = {product.dot.getType()};
      llvm::append_range(types, ValueRange(ArrayRef(waited).drop_front()).getTypes());
      builder.setInsertionPoint(product.until);
      Value apart = pending == 0 && followsWait(product.until) ? loop.isNotFirst(builder, loop.getLoc()) : Value();
      auto wait = AsyncDotWaitOp::create(builder, product.dot.getLoc(), types, waited, Value(), apart, pending);
      for (OpOperand *use : uses)
        use->set(wait.getResult(0));
      product.dot.erase();
      if (product.release && product.release->isBeforeInBlock(wait))
        product.release->moveAfter(wait);
    }
  }

  /// Whether `read` could stand right behind `wait`: nothing that it uses is computed between them.
  static bool mayFollow(ConsumerReadOp read, Operation *wait) {
    auto isThere = [&](Value value) {
      Operation *def = value.getDefiningOp();
      return !def || def->getBlock() != wait->getBlock() || def == wait || def->isBeforeInBlock(wait);
    };
    return !read->walk([&](Operation *op) {
                  return llvm::all_of(op->getOperands(), isThere) ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Has the loop carry sums under way, or tiles; what they begin with.
  static BlockArgument carry(CountedLoop loop, unsigned index, bool underWay, bool fromZero) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value init = loop.getInits()[index];
    auto tile = cast<RankedTensorType>(init.getType());
    Type type = underWay ? Type(PendingType::get(loop.getContext(), tile)) : Type(tile);
    if (fromZero)
      init = ub::PoisonOp::create(builder, loc, type);
    else if (underWay)
      init = AsyncDotBeginOp::create(builder, loc, type, init);
    loop.getInitsMutable()[index].assign(init);
    loop.getRegionIterArgs()[index].setType(type);
    loop.getResult(index).setType(type);
    return loop.getRegionIterArgs()[index];
  }

  /// The product, to be waited for, in front of `dot`.
  static AsyncDotOp issue(DotOp dot, CountedLoop loop, Value sums, bool fromZero) {
    OpBuilder builder(dot);
    Location loc = dot.getLoc();
    Value accumulate;
    if (fromZero)
      accumulate = loop.isNotFirst(builder, loc);
    return AsyncDotOp::create(builder, loc, PendingType::get(dot.getContext(), dot.getType()), dot.getA(), dot.getB(),
                              sums, accumulate, dot.getSignednessAAttr(), dot.getSignednessBAttr(),
                              dot.getFastAccAttr(), *dot.getAtom());
  }

  /// The wait behind a loop, whose result the users of the loop's get.
  static AsyncDotWaitOp waitBehind(CountedLoop loop, unsigned index) {
    OpResult result = loop->getResult(index);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses())
      uses.push_back(&use);
    OpBuilder builder(loop->getContext());
    builder.setInsertionPointAfter(loop);
    auto wait = AsyncDotWaitOp::create(builder, loop.getLoc(), TypeRange{cast<PendingType>(result.getType()).getTile()},
                                       result, Value(), Value(), 0);
    for (OpOperand *use : uses)
      use->set(wait.getResult(0));
    return wait;
  }

  /// Whether the loop has a round; null if it surely has.
  static Value hasRound(OpBuilder &builder, CountedLoop loop) {
    if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && !rounds->isZero())
      return {};
    Value upper = loop.getUpperBound();
    // Not below the lower bound (tileas-unspecialized-pipeline).
    if (auto most = upper.getDefiningOp<arith::MaxSIOp>();
        most && most.getLhs() == loop.getLowerBound() && !loop.getUnsignedCmp())
      upper = most.getRhs();
    return loop.isBelow(builder, loop.getLoc(), loop.getLowerBound(), upper);
  }

  /// The sums of a loop that may have no round: `init` then, which is zero. Where they are waited for behind the loop
  /// the wait says so: of a choice behind it, LLVM would convert the sums first, and ptxas 13.0 takes the conversions
  /// for reads of products under way, and then does one product after the other (C7514).
  void unlessEmpty(CountedLoop loop, unsigned index, Value init) {
    Location loc = loop.getLoc();
    OpResult sums = loop->getResult(index);
    auto wait = isa<PendingType>(sums.getType()) ? cast<AsyncDotWaitOp>(*sums.user_begin()) : AsyncDotWaitOp();
    OpBuilder builder(loop);
    builder.setInsertionPointAfter(loop);
    Value some = hasRound(builder, loop);
    if (!some)
      return;
    if (wait)
      return wait.getValidMutable().assign(some);
    auto branch = scf::IfOp::create(builder, loc, sums.getType(), some, /*withElseRegion=*/true);
    sums.replaceAllUsesWith(branch.getResult(0));
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, sums);
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, init);
    endings.insert(branch);
  }

  /// Where a loop is there twice, in the two sides of a branch, the choice between its sums and `init` follows behind
  /// the branch. In either side, the chosen sums would be others than those of the loops, and as many registers again.
  ///
  ///     if %tma { loop; yield if %some { %a } else { %zero } }     if %tma { loop; yield %a } else { loop; yield %b }
  ///     else    { loop; yield if %some { %b } else { %zero } }  -> if %some { %result } else { %zero }
  void chooseBehind(Branch branch, Branch first) {
    if (!branch.elseBlock() || !first->hasOneUse() || *first->user_begin() != branch.thenBlock()->getTerminator())
      return;
    unsigned number = first->use_begin()->getOperandNumber();
    auto second = branch.getElseValue(number).getDefiningOp<Branch>();
    auto some = first.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!second || !second->hasOneUse() || !endings.contains(second) || !some)
      return;
    auto other = second.getCondition().getDefiningOp<arith::CmpIOp>();
    Value init = first.getElseValue(0);
    auto same = [&](Value a, Value b) {
      std::optional<int64_t> constant = getConstantIntValue(a);
      return (a == b && a.getParentRegion()->isProperAncestor(&branch.getThenRegion())) ||
             (constant && constant == getConstantIntValue(b));
    };
    if (!other || other.getPredicate() != some.getPredicate() || !same(some.getLhs(), other.getLhs()) ||
        !same(some.getRhs(), other.getRhs()) || init != second.getElseValue(0) ||
        !init.getParentRegion()->isProperAncestor(&branch.getThenRegion()))
      return;
    OpBuilder builder(branch);
    Location loc = first.getLoc();
    auto bound = [&](Value v) -> Value {
      if (Operation *def = v.getDefiningOp(); def && getConstantIntValue(v))
        return builder.clone(*def)->getResult(cast<OpResult>(v).getResultNumber());
      return v;
    };
    Value hasSome =
        arith::CmpIOp::create(builder, loc, some.getPredicate(), bound(some.getLhs()), bound(some.getRhs()));
    builder.setInsertionPointAfter(branch);
    auto choice = scf::IfOp::create(builder, loc, first.getResultTypes(), hasSome, /*withElseRegion=*/true);
    branch.getResult(number).replaceAllUsesWith(choice.getResult(0));
    builder.setInsertionPointToEnd(choice.thenBlock());
    scf::YieldOp::create(builder, loc, branch.getResult(number));
    builder.setInsertionPointToEnd(choice.elseBlock());
    scf::YieldOp::create(builder, loc, init);
    for (Branch old : {first, second}) {
      old.getResult(0).replaceAllUsesWith(old.getThenValue(0));
      endings.remove(old);
      old.erase();
    }
  }

  static void report(DotOp dot, bool intoNextRound, Operation *after) {
    if (intoNextRound)
      remarks::passed(dot, remarks::kProduct, "Overlap")
          << remarks::because("the next round begins while the product is under way");
    else
      remarks::missed(dot, remarks::kProduct, "Overlap")
          << remarks::because(("'" + after->getName().getStringRef() + "' behind it waits for it").str());
  }
};

} // namespace
