//===- DeferProducts.cpp - tileas-defer-products --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product in tensor memory is waited for where it stands. In a loop that does other things, too, the wait moves to
// the first operation that touches its sums or writes what it reads, in the next iteration if need be (with a mbarrier
// of its own, ProductsUnderWay.h):
//
//     for i {                                    for i {
//       %x = convert_layout %s                     wait 1                            for that of the iteration before
//       dot %q, %k, %s                             %x = convert_layout %s
//       %p = f(%x)                                 dot %q, %k, %s {awaited_as = 1}
//       copy %p, %l                       ->       %p = f(%x)
//       dot %l, %v, %o                             copy %p, %l {awaits = 2}
//     }                                            dot %l, %v, %o {awaited_as = 2}
//                                                }
//                                                wait 1, wait 2
//
// Where such products are all that reads the stages of a ring, they release them (tileas-release-by-products): then a
// stage is filled again behind the wait for the products of the iteration before, in the middle of the iteration, and
// the threads read tensor memory before they wait for the next stage, as that wait is a barrier that the next product
// needs.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductsByWarpgroup.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_DEFERPRODUCTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;

namespace {

/// The tile that a value is a shape of, which is no access, or that a region yields: what alloc_tensor has made, or a
/// stage.
Value tileOf(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isReshape(def))
      value = def->getOperand(0);
    else if (auto read = dyn_cast<ConsumerReadOp>(def); read && value != read.getConsumed())
      value = read.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber() - 1);
    else
      break;
  }
  return value;
}

/// A product of a loop, and where its wait may move to.
struct Product {
  DotOp dot;
  SmallVector<Value, 5> tiles;   ///< that it reads (the factors), adds to (the third), and has its scales copied from
  Operation *conflict = nullptr; ///< the operation that has to come behind it
  bool wraps = false;            ///< in the next iteration
  bool gains = false;            ///< there is something to do meanwhile
  bool uses(AllocTensorOp tile) {
    return llvm::is_contained(tiles, tile.getResult()) || Value(dot.getColumns()) == tile.getResult();
  }
  bool readsStage(ConsumerReadOp read) const {
    return llvm::any_of(tiles, [&](Value tile) {
      auto stage = dyn_cast<BlockArgument>(tile);
      return stage && stage.getOwner() == &read.getBody().front();
    });
  }
};

/// The products of one loop.
class LoopOfProducts {
public:
  LoopOfProducts(CountedLoop loop, int64_t room) : loop(loop), room(room) {}

  /// Finds the products and where their waits go. False if nothing is to be gained.
  bool find() {
    flatten();
    for (Operation *op : order)
      if (auto dot = dyn_cast<DotOp>(op))
        add(dot);
    if (products.empty())
      return false;
    findRings();
    place();
    // A ring whose products are not all waited for later is released by threads, and they wait before.
    for (bool again = true; again;) {
      again = false;
      for (ProductRing &ring : rings)
        if (!llvm::any_of(products, [&](Product &p) { return p.gains && p.wraps && p.readsStage(ring.read); }) ||
            !readByProductsAlone(ring)) {
          rings.erase(&ring);
          place();
          again = true;
          break;
        }
    }
    llvm::erase_if(products, [&](Product &p) { return !p.gains && !ofRing(p); });
    return llvm::any_of(products, [](Product &p) { return p.gains; });
  }

  void rewrite(int64_t &number) {
    OpBuilder builder(loop.getContext());
    for (AllocTensorOp tile : inside)
      if (llvm::any_of(products, [&](Product &p) { return p.uses(tile); }))
        tile->moveBefore(loop);
    for (ProductRing &ring : rings)
      reorder(ring);
    for (Product &p : products) {
      auto as = builder.getI64IntegerAttr(++number);
      p.dot->setAttr(kAwaitedAsAttr, as);
      Location loc = p.dot.getLoc();
      auto copy = dyn_cast<CopyOp>(p.conflict);
      if (p.wraps && copy && isIn(copy.getDest().getType(), MemoryKind::Tensor) && !copy->hasAttr(kAwaitsAttr)) {
        copy->setAttr(kAwaitsAttr, as);
      } else {
        builder.setInsertionPoint(p.conflict);
        AwaitProductOp::create(builder, loc, as, /*behindLoop=*/UnitAttr());
      }
      if (!p.wraps)
        continue;
      builder.setInsertionPointAfter(loop);
      AwaitProductOp::create(builder, loc, as, builder.getUnitAttr());
    }
  }

  SmallVector<Product> products;

private:
  //===--------------------------------------------------------------------===//
  // What is in the loop
  //===--------------------------------------------------------------------===//

  /// The operations in the order in which they run; those that read stages in the place of their region.
  void flatten() {
    order.clear();
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto read = dyn_cast<ConsumerReadOp>(op))
        for (Operation &inner : read.getBody().front().without_terminator())
          order.push_back(&inner);
      order.push_back(&op);
    }
  }

  void add(DotOp dot) {
    if (!dot.getAtom() || dot.getAtom()->getCompletion() != Completion::Mbarrier ||
        (writesCommonColumns(dot) && countWritersOfCommonColumns() > 1) || dot->hasAttr(kUnderWayAttr) ||
        dot->hasAttr(kAwaitedAsAttr) || !isIn(dot.getC().getType(), MemoryKind::Tensor))
      return;
    Product p{dot, {tileOf(dot.getA()), tileOf(dot.getB()), tileOf(dot.getC())}};
    // What copies them to their columns (tcgen05.cp) runs behind the threads' backs, as the product itself.
    for (Value scales : {Value(dot.getSfa()), Value(dot.getSfb())})
      if (scales && isIn(scales.getType(), MemoryKind::Shared))
        p.tiles.push_back(tileOf(scales));
    for (Value tile : p.tiles) {
      if (auto stage = dyn_cast<BlockArgument>(tile)) {
        if (!isa<ConsumerReadOp>(stage.getOwner()->getParentOp()))
          return;
        continue;
      }
      auto alloc = tile.getDefiningOp<AllocTensorOp>();
      if (!alloc || (loop->isAncestor(alloc) && !moveOut(alloc)))
        return;
    }
    if (auto columns = dot.getColumns() ? dot.getColumns().getDefiningOp<AllocTensorOp>() : AllocTensorOp();
        columns && loop->isAncestor(columns) && !moveOut(columns))
      return;
    products.push_back(p);
  }

  /// Whether a tile that the loop allocates may live as long as the loop.
  bool moveOut(AllocTensorOp tile) {
    if (llvm::is_contained(inside, tile))
      return true;
    if (isIn(tile.getType(), MemoryKind::Shared)) {
      // Behind all others, at worst.
      taken += getSharedBytes(cast<RankedTensorType>(tile.getType())) + 1024;
      if (taken > room)
        return false;
    }
    inside.push_back(tile);
    if (isIn(tile.getType(), MemoryKind::Tensor)) {
      auto func = loop->getParentOfType<nv_tileaa::FuncOp>();
      const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
      if (target && SharedPlan(func, MemoryKind::Tensor).bytesWithRing(loop, inside, 1) > target->tensorMemoryColumns) {
        inside.pop_back();
        return false;
      }
    }
    return true;
  }

  void findRings() {
    // Of fewer stages each is needed again before its products have been waited for, unless streams have rings of their
    // own: then what has read the stage is waited for in the middle of the round, and its copies have a round to
    // arrive.
    auto reads = loop.getBody()->getOps<ConsumerReadOp>();
    int32_t least = std::distance(reads.begin(), reads.end()) > 1 ? 2 : 3;
    for (ConsumerReadOp read : reads) {
      ProductRing ring;
      ring.ring = read.getPipeline().getDefiningOp<CreatePipelineOp>();
      if (ring.ring && int32_t(ring.ring.getNumStages()) >= least && ring.find().empty() && ring.loop == loop &&
          !ring.release->hasAttr(kByProductsAttr) && runsAhead(ring))
        rings.push_back(ring);
    }
  }

  /// Whether stages are filled in an iteration before that which waits for them.
  bool runsAhead(ProductRing &ring) {
    auto initOf = [&](Value iterator) -> Value {
      auto argument = dyn_cast<BlockArgument>(iterator);
      return argument && argument.getOwner() == loop.getBody() ? loop.getTiedLoopInit(argument)->get() : Value();
    };
    Value consumer = initOf(ring.wait.getIterator());
    for (Operation *user : ring.ring.getPipeline().getUsers()) {
      auto acquire = dyn_cast<ProducerAcquireOp>(user);
      if (!acquire || !loop->isAncestor(acquire))
        continue;
      Value producer = acquire->getBlock() == loop.getBody() ? initOf(acquire.getIterator()) : Value();
      if (!producer || producer == consumer)
        return false;
      for (auto step = producer.getDefiningOp<IncIterOp>(); step && !step.getCount();
           step = producer.getDefiningOp<IncIterOp>())
        producer = step.getIterator();
      if (producer != consumer)
        return false;
    }
    return true;
  }

  bool ofRing(const Product &p) {
    return llvm::any_of(rings, [&](ProductRing &ring) { return p.readsStage(ring.read); });
  }

  /// Whether nobody but products that are waited for later reads the stages.
  bool readByProductsAlone(ProductRing &ring) {
    SmallVector<Value> shapes(ring.read.getBody().getArguments());
    while (!shapes.empty())
      for (Operation *user : shapes.pop_back_val().getUsers())
        if (isReshape(user) && user->getBlock() == &ring.read.getBody().front())
          shapes.push_back(user->getResult(0));
        else if (llvm::none_of(products, [&](Product &p) { return p.dot == user && p.conflict; }))
          return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Where waits go
  //===--------------------------------------------------------------------===//

  /// Products whose scales come from registers all write them to the same columns.
  static bool writesCommonColumns(DotOp dot) { return dot.getSfa() && !dot.getColumns(); }

  int64_t countWritersOfCommonColumns() {
    int64_t count = 0;
    loop->walk([&](DotOp dot) { count += writesCommonColumns(dot); });
    return count;
  }

  /// Whether each round has other scales and other columns for them: those of a stage.
  static bool hasOwnColumns(Product &p) {
    auto columns = dyn_cast_if_present<BlockArgument>(p.dot.getColumns());
    return columns && llvm::all_of(ArrayRef(p.tiles).drop_front(3), [&](Value scales) {
             auto stage = dyn_cast<BlockArgument>(scales);
             return stage && stage.getOwner() == columns.getOwner();
           });
  }

  bool conflicts(Operation *op, Product &p) {
    if (isReshape(op) || isa<AllocTensorOp>(op))
      return false;
    Value sums = p.tiles[2];
    auto isOf = [&](Value v) { return llvm::is_contained(p.tiles, tileOf(v)); };
    if (auto dot = dyn_cast<DotOp>(op)) {
      // Products at the same sums follow each other; both may read a tile. Copies to columns do not follow products.
      for (Value read : {Value(dot.getA()), Value(dot.getB()), Value(dot.getSfa()), Value(dot.getSfb())})
        if (read && tileOf(read) == sums)
          return true;
      Value own = tileOf(dot.getC());
      return (own != sums && isOf(own)) || (dot.getColumns() && dot.getColumns() == p.dot.getColumns());
    }
    if (auto release = dyn_cast<ConsumerReleaseOp>(op))
      return p.readsStage(release.getToken().getDefiningOp<ConsumerReadOp>()) &&
             llvm::none_of(rings, [&](ProductRing &ring) { return ring.release == release; });
    if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp>(op))
      return false;
    // Reading a factor is no harm.
    if (isa<ConvertLayoutOp>(op))
      return tileOf(op->getOperand(0)) == sums;
    return op
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(), isOf) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// What takes a while.
  static bool isWork(Operation *op) {
    return !isReshape(op) && !isa<AllocTensorOp>(op) &&
           (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) || isa<DotOp, CopyOp>(op));
  }

  void place() {
    for (Product &p : products) {
      p.conflict = nullptr;
      p.wraps = p.gains = false;
      size_t at = llvm::find(order, p.dot.getOperation()) - order.begin(), count = order.size();
      for (size_t i = 1; i < count && !p.conflict; ++i) {
        Operation *op = order[(at + i) % count];
        p.wraps |= at + i >= count;
        if (conflicts(op, p))
          p.conflict = op;
        else
          p.gains |= isWork(op);
      }
      // It writes the scales that it reads itself, unless the stage has columns for them.
      if (!p.conflict && p.dot.getSfa() && !hasOwnColumns(p)) {
        p.conflict = p.dot;
        p.wraps = true;
      }
      // What nobody waits for in the loop, as its sums only grow: not here.
      p.gains &= p.conflict != nullptr;
    }
    llvm::erase_if(products, [](Product &p) { return !p.conflict; });
  }

  //===--------------------------------------------------------------------===//
  // Rings
  //===--------------------------------------------------------------------===//

  /// The threads read tensor memory before they wait for the stage. The stage of the iteration before is filled where
  /// its products have been waited for.
  void reorder(ProductRing &ring) {
    ring.releaseByProducts();
    ring.wait->moveBefore(ring.read);
    Operation *behind = ring.release, *split = nullptr;
    for (Product &p : products)
      if (p.wraps && p.readsStage(ring.read) && p.conflict->getBlock() == &ring.read.getBody().front() &&
          (!split || split->isBeforeInBlock(p.conflict)))
        split = p.conflict;
    // The wait may be part of the operation.
    if (split)
      split = split->getNextNode();
    if (split && !split->hasTrait<OpTrait::IsTerminator>())
      if (ConsumerReadOp second = divide(ring, split))
        behind = second->getPrevNode();
    SmallVector<Operation *> producers;
    for (Operation *user : ring.ring.getPipeline().getUsers())
      if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user) && user->getBlock() == loop.getBody() &&
          user->isBeforeInBlock(behind))
        producers.push_back(user);
    llvm::sort(producers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : producers) {
      op->moveAfter(behind);
      behind = op;
    }
  }

  /// Divides what reads a stage in two before `at`; null if shared tiles would have to pass.
  ConsumerReadOp divide(ProductRing &ring, Operation *at) {
    ConsumerReadOp read = ring.read;
    Block *block = &read.getBody().front();
    llvm::SetVector<Value> passed;
    for (Operation &op : llvm::make_range(at->getIterator(), std::prev(block->end())))
      op.walk([&](Operation *inner) {
        for (Value v : inner->getOperands())
          if (Operation *def = v.getDefiningOp();
              def && def->getBlock() == block && def->isBeforeInBlock(at) && !isReshape(def))
            passed.insert(v);
      });
    auto hasShape = [&](Operation &op) {
      return llvm::any_of(op.getOperands(), [&](Value v) {
        Operation *def = v.getDefiningOp();
        return def && def->getBlock() == block && isReshape(def) && def->isBeforeInBlock(at);
      });
    };
    for (Operation &op : llvm::make_range(at->getIterator(), std::prev(block->end())))
      if (hasShape(op) || op.walk([&](Operation *inner) {
                              return hasShape(*inner) ? WalkResult::interrupt() : WalkResult::advance();
                            }).wasInterrupted())
        return {};
    if (llvm::any_of(passed, [](Value v) {
          return isIn(v.getType(), MemoryKind::Shared) || isIn(v.getType(), MemoryKind::Tensor);
        }))
      return {};

    auto yield = cast<PipelineYieldOp>(block->getTerminator());
    SmallVector<Value> outOfFirst, outOfSecond;
    SmallVector<unsigned> secondAt; ///< numbers of results
    for (auto [i, v] : llvm::enumerate(yield.getOperands()))
      if (Operation *def = v.getDefiningOp(); def && def->getBlock() == block && !def->isBeforeInBlock(at)) {
        outOfSecond.push_back(v);
        secondAt.push_back(i);
      }
    // The first part: all results as before but those, and what passes.
    OpBuilder builder(read);
    Location loc = read.getLoc();
    for (auto [i, v] : llvm::enumerate(yield.getOperands()))
      if (!llvm::is_contained(secondAt, i))
        outOfFirst.push_back(v);
    llvm::append_range(outOfFirst, passed);
    Type token = read.getConsumed().getType();
    auto typesOf = [&](ArrayRef<Value> values) {
      SmallVector<Type> types{token};
      llvm::append_range(types, ValueRange(values).getTypes());
      return types;
    };
    auto first = ConsumerReadOp::create(builder, loc, typesOf(outOfFirst), read.getPipeline(), read.getToken(),
                                        read.getConsumerIdx());
    auto second = ConsumerReadOp::create(builder, loc, typesOf(outOfSecond), read.getPipeline(), first.getConsumed(),
                                         read.getConsumerIdx());
    Block *body = builder.createBlock(&first.getBody()), *rest = builder.createBlock(&second.getBody());
    for (BlockArgument stage : block->getArguments()) {
      BlockArgument in = body->addArgument(stage.getType(), stage.getLoc()),
                    later = rest->addArgument(stage.getType(), stage.getLoc());
      stage.replaceUsesWithIf(
          in, [&](OpOperand &use) { return block->findAncestorOpInBlock(*use.getOwner())->isBeforeInBlock(at); });
      stage.replaceAllUsesWith(later);
      for (Product &p : products)
        for (Value &tile : p.tiles)
          if (tile == stage)
            tile = block->findAncestorOpInBlock(*p.dot)->isBeforeInBlock(at) ? in : later;
    }
    for (unsigned i = 0, extra = outOfFirst.size() - passed.size(); i < passed.size(); ++i)
      Value(passed[i]).replaceUsesWithIf(first.getResults()[extra + i], [&](OpOperand &use) {
        Operation *user = block->findAncestorOpInBlock(*use.getOwner());
        return user && user != yield && !user->isBeforeInBlock(at);
      });
    unsigned nextFirst = 0, nextSecond = 0;
    for (auto [i, result] : llvm::enumerate(read.getResults()))
      result.replaceAllUsesWith(llvm::is_contained(secondAt, i) ? second.getResults()[nextSecond++]
                                                                : first.getResults()[nextFirst++]);
    read.getConsumed().replaceAllUsesWith(second.getConsumed());
    rest->getOperations().splice(rest->end(), block->getOperations(), at->getIterator(), yield->getIterator());
    body->getOperations().splice(body->end(), block->getOperations(), block->begin(), yield->getIterator());
    builder.setInsertionPointToEnd(body);
    PipelineYieldOp::create(builder, loc, outOfFirst);
    builder.setInsertionPointToEnd(rest);
    PipelineYieldOp::create(builder, loc, outOfSecond);
    read.erase();
    ring.read = second;
    return second;
  }

  CountedLoop loop;
  int64_t room, taken = 0;
  std::vector<Operation *> order;
  SmallVector<ProductRing, 2> rings;
  SmallVector<AllocTensorOp> inside; ///< tiles that have to move out
};

struct DeferProductsPass : nv_tileas::impl::DeferProductsPassBase<DeferProductsPass> {
  void runOnOperation() override {
    // Agents wait for products by rings.
    if (getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    int64_t number = countProductBarriers(getOperation()) - 1;
    for (CountedLoop loop : getCountedLoops(getOperation())) {
      bool hasAny = loop->walk([](DotOp dot) {
                          return dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
      if (!hasAny)
        continue;
      int64_t room = SharedMemory(getOperation()).roomToKeep() - SharedPlan(getOperation()).place();
      LoopOfProducts found(loop, room);
      if (!found.find())
        continue;
      namespace remarks = tileiras::remarks;
      for (Product &p : found.products)
        if (p.gains)
          remarks::passed(p.dot, remarks::kProduct, "Overlap")
              << remarks::because(p.wraps ? "the next round begins while the product is under way"
                                          : "the loop goes on while the product is under way");
      numDeferred += found.products.size();
      found.rewrite(number);
    }
    divideByWarpgroup(getOperation());
  }
};

} // namespace
