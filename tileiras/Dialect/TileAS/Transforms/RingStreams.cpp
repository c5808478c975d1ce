//===- RingStreams.cpp - Tiles of a ring that are read apart --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/RingStreams.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

/// From so many stages on the copies of a stage have whole rounds to arrive in, and one wait costs less than two: by
/// the model of H200, attention of 16,384 rows is 5 to 9 % faster with rings of their own where there are two stages,
/// and from 2 % slower to 2 % faster where there are four (docs/scheduler.md).
constexpr int32_t kStagesTogether = 3;

/// A ring that one loop fills and reads, once each in a round, as tileas-materialize-async makes it.
struct LoopRing {
  explicit LoopRing(CreatePipelineOp ring) : ring(ring) {}

  CreatePipelineOp ring;
  CreateIteratorOp first; ///< where both sides begin
  CountedLoop loop;
  ProducerAcquireOp acquire;
  ProducerWriteOp write;
  ProducerCommitOp commit;
  ConsumerWaitOp wait;
  ConsumerReadOp read;
  ConsumerReleaseOp release;

  /// False if the ring is something else.
  bool find();
  /// What advances the iterator of an operation.
  IncIterOp advance(Value iterator) const {
    return loop.getTiedLoopYieldedValue(cast<BlockArgument>(iterator))->get().getDefiningOp<IncIterOp>();
  }

private:
  template <typename T> static bool set(T &place, Operation *user) {
    auto op = dyn_cast<T>(user);
    if (!op || place)
      return false;
    place = op;
    return true;
  }
  bool isCarried(Value iterator) const;
};

bool LoopRing::isCarried(Value iterator) const {
  auto argument = dyn_cast<BlockArgument>(iterator);
  if (!argument || argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
    return false;
  IncIterOp next = advance(argument);
  return next && !next.getCount() && next.getIterator() == argument && next.getNext().hasOneUse() &&
         argument.hasNUses(2) && loop.getTiedLoopInit(argument)->get() == CreateIteratorOp(first).getIterator() &&
         loop.getTiedLoopResult(argument).use_empty();
}

bool LoopRing::find() {
  for (Operation *user : ring->getUsers())
    if (!set(first, user) && !set(acquire, user) && !set(write, user) && !set(commit, user) && !set(wait, user) &&
        !set(read, user) && !set(release, user))
      return false;
  if (!first || !acquire || !write || !commit || !wait || !read || !release || ring.getBarriers() || ring.getTma())
    return false;
  loop = dyn_cast<CountedLoop>(acquire->getParentOp());
  if (!loop || !first.getIterator().hasNUses(2) || first->getBlock() != ring->getBlock())
    return false;
  for (Operation *op :
       {write.getOperation(), commit.getOperation(), wait.getOperation(), read.getOperation(), release.getOperation()})
    if (op->getBlock() != loop.getBody())
      return false;
  if (acquire.getPredicate() || write.getPredicate() || commit.getPredicate() ||
      write.getToken() != acquire.getToken() || commit.getToken() != write.getWritten() ||
      read.getToken() != wait.getToken() || release.getToken() != read.getConsumed() ||
      acquire.getIterator() == wait.getIterator())
    return false;
  return isCarried(acquire.getIterator()) && isCarried(wait.getIterator());
}

/// The operations of the region that read a tile of the stage, and those that give it another shape before.
void collectReaders(Value tile, Block *region, llvm::SetVector<Operation *> &shapes,
                    llvm::SetVector<Operation *> &readers) {
  SmallVector<Value> names = {tile};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isReshape(user) && user->getBlock() == region) {
        if (shapes.insert(user))
          names.push_back(user->getResult(0));
        continue;
      }
      readers.insert(region->findAncestorOpInBlock(*user));
    }
}

/// Whether another product multiplies what a product gives, or what is made of it, in this round or a later one. Sums
/// that are only added up keep no tile waiting.
bool isMultipliedOn(DotOp dot, LoopRing &of) {
  Operation *read = of.read.getBody().front().getTerminator(), *yield = of.loop.getBody()->getTerminator();
  SmallVector<Value> names = {dot.getResult()};
  llvm::DenseSet<Value> known;
  while (!names.empty()) {
    Value name = names.pop_back_val();
    if (!known.insert(name).second)
      continue;
    for (OpOperand &use : name.getUses()) {
      Operation *user = use.getOwner();
      if (auto other = dyn_cast<DotOp>(user); other && (use.get() == other.getA() || use.get() == other.getB()))
        return true;
      if (user == read) {
        names.push_back(of.read.getResults()[use.getOperandNumber()]);
      } else if (user == yield) {
        for (BlockArgument argument : of.loop.getRegionIterArgs())
          if (of.loop.getTiedLoopYieldedValue(argument) == &use)
            names.push_back(argument);
      } else {
        llvm::append_range(names, (user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user)->getResults());
      }
    }
  }
  return false;
}

/// Whether each tile of the stage is what one copy, which nobody else has to do with, is made into.
bool isFilledByTile(ProducerWriteOp write) {
  Block &region = write.getBody().front();
  for (BlockArgument tile : region.getArguments())
    if (!tile.hasOneUse() || !isa<AsyncCopyOpInterface>(*tile.user_begin()))
      return false;
  for (Operation &op : region.without_terminator()) {
    auto load = dyn_cast<AsyncCopyOpInterface>(op);
    if (!load && !isMemoryEffectFree(&op))
      return false;
    if (load && (!load.getResultToken().use_empty() || !load.getDone().hasOneUse() ||
                 *load.getDone().user_begin() != region.getTerminator() || !isa<BlockArgument>(load.getDest())))
      return false;
  }
  return region.getTerminator()->getNumOperands() == region.getNumArguments();
}

} // namespace

SmallVector<RingStream, 2> nv_tileas::streamsOf(CreatePipelineOp ring) {
  size_t elements = ring.getPipeline().getType().getElements().size();
  RingStream all = llvm::to_vector_of<unsigned, 4>(llvm::seq<unsigned>(0, elements));
  LoopRing of(ring);
  if (elements < 2 || int32_t(ring.getNumStages()) >= kStagesTogether || !of.find() || !isFilledByTile(of.write))
    return {all};
  Block &region = of.read.getBody().front();
  llvm::DenseMap<Operation *, int> position;
  for (auto [number, op] : llvm::enumerate(region))
    position[&op] = int(number);

  struct Life {
    int first, last;
    unsigned element;
  };
  SmallVector<Life> lives;
  for (auto [number, tile] : llvm::enumerate(region.getArguments())) {
    llvm::SetVector<Operation *> shapes, readers;
    collectReaders(tile, &region, shapes, readers);
    if (readers.empty() || readers.contains(region.getTerminator()))
      return {all};
    auto [least, most] = std::minmax_element(readers.begin(), readers.end(), [&](Operation *a, Operation *b) {
      return position.lookup(a) < position.lookup(b);
    });
    lives.push_back({position.lookup(*least), position.lookup(*most), unsigned(number)});
  }
  llvm::stable_sort(lives, [](const Life &a, const Life &b) { return a.first < b.first; });

  SmallVector<RingStream, 2> streams;
  int end = -1;
  for (const Life &life : lives) {
    if (life.first > end)
      streams.emplace_back();
    streams.back().push_back(life.element);
    end = std::max(end, life.last);
  }
  // Products alone follow each other at once, and those in tensor memory release their stages themselves.
  bool computes = false;
  for (auto dot : region.getOps<DotOp>()) {
    if (!dot.getAtom() || dot.getAtom()->getCompletion() == Completion::Mbarrier)
      return {all};
    computes |= isMultipliedOn(dot, of);
  }
  if (!computes)
    return {all};
  for (RingStream &stream : streams)
    llvm::sort(stream);
  return streams;
}

namespace {

/// Makes the rings of a ring's streams, and has the loop use them.
class Dividing {
public:
  Dividing(const LoopRing &of, ArrayRef<RingStream> streams)
      : of(of), streams(streams), rewriter(CreatePipelineOp(of.ring).getContext()),
        loc(CreatePipelineOp(of.ring).getLoc()), type(CreatePipelineOp(of.ring).getPipeline().getType()) {}

  void run() {
    createRings();
    carryIterators();
    for (auto [number, stream] : llvm::enumerate(streams))
      fill(number, stream);
    of.commit.erase();
    of.write.erase();
    of.acquire.erase();
    read();
    dropOld();
  }

private:
  void createRings() {
    MLIRContext *context = rewriter.getContext();
    rewriter.setInsertionPointAfter(of.first);
    size_t elements = type.getElements().size();
    for (const RingStream &stream : streams) {
      SmallVector<Type> types;
      SmallVector<Value> tiles;
      for (unsigned element : stream)
        types.push_back(type.getElements()[element]);
      for (int32_t stage = 0; stage < type.getStages(); ++stage)
        for (unsigned element : stream)
          tiles.push_back(of.ring.getStages()[stage * elements + element]);
      auto ring = CreatePipelineOp::create(rewriter, loc, PipelineType::get(context, type.getStages(), types), tiles,
                                           /*barriers=*/Value(), /*tma=*/Value(), type.getStages(),
                                           /*producerGroupId=*/IntegerAttr(), /*consumerGroupId=*/IntegerAttr());
      ring.setGroups(of.ring.getGroups());
      ring.setNoWarBarrier(of.ring.getNoWarBarrier());
      setLike(ring, of.ring);
      rings.push_back(ring);
      Value begin =
          CreateIteratorOp::create(rewriter, loc, PipelineIteratorType::get(context, type.getStages(), types), ring);
      begins.append(2, begin);
    }
  }

  /// The loop carries two iterators of each ring, that of the filling side first.
  void carryIterators() {
    IncIterOp old[] = {of.advance(of.acquire.getIterator()), of.advance(of.wait.getIterator())};
    auto advance = [&](OpBuilder &b, Location, ArrayRef<BlockArgument> args) {
      SmallVector<Value> values;
      for (auto [number, argument] : llvm::enumerate(args.take_back(begins.size()))) {
        auto next = IncIterOp::create(b, loc, argument.getType(), argument);
        setLike(next, old[number % 2]);
        nexts.push_back(next);
        values.push_back(next.getNext());
      }
      return values;
    };
    oldNumbers = {*of.loop.getCarriedNumber(of.acquire.getIterator()),
                  *of.loop.getCarriedNumber(of.wait.getIterator())};
    rewriter.setInsertionPoint(of.loop);
    of.loop = *of.loop.replaceWithAdditionalYields(rewriter, begins, advance);
    iterators = llvm::to_vector(of.loop.getRegionIterArgs().take_back(begins.size()));
  }

  /// The side that fills: one stream after the other, each with the addresses that its copies need.
  void fill(unsigned number, const RingStream &stream) {
    rewriter.setInsertionPoint(of.acquire);
    Block &filling = of.write.getBody().front();
    auto acquire = ProducerAcquireOp::create(rewriter, loc, of.acquire.getToken().getType(), rings[number],
                                             iterators[2 * number], Value());
    auto write = ProducerWriteOp::create(rewriter, loc, of.write.getWritten().getType(), rings[number],
                                         acquire.getToken(), Value());
    auto commit = ProducerCommitOp::create(rewriter, loc, rings[number], write.getWritten(), Value());
    setLike(acquire, of.acquire);
    setLike(write, of.write);
    setLike(commit, of.commit);
    nexts[2 * number]->moveAfter(commit);

    Block *body = rewriter.createBlock(&write.getBody());
    IRMapping map;
    for (unsigned element : stream)
      map.map(filling.getArgument(element),
              body->addArgument(type.getElements()[element], filling.getArgument(element).getLoc()));
    SmallVector<Value> copies;
    for (Operation &op : filling.without_terminator()) {
      auto load = dyn_cast<AsyncCopyOpInterface>(op);
      if (load && !map.contains(load.getDest()))
        continue;
      Operation *clone = rewriter.clone(op, map);
      if (load)
        copies.push_back(cast<AsyncCopyOpInterface>(clone).getDone());
    }
    PipelineYieldOp::create(rewriter, loc, copies);
    for (Operation *op = body->getTerminator()->getPrevNode(), *next = nullptr; op; op = next) {
      next = op->getPrevNode();
      if (isOpTriviallyDead(op))
        op->erase();
    }
  }

  /// The side that reads. What stands between the readers of one stream and those of the next one leaves the region.
  void read() {
    Block &region = of.read.getBody().front();
    Operation *end = region.getTerminator();
    SmallVector<std::pair<Operation *, Operation *>> spans;
    for (const RingStream &stream : streams) {
      llvm::SetVector<Operation *> readers;
      for (unsigned element : stream) {
        llvm::SetVector<Operation *> shapes, own;
        collectReaders(region.getArgument(element), &region, shapes, own);
        // Another shape of a tile is computed where it is read.
        Operation *at = *llvm::min_element(own, before);
        for (Operation *shape : shapes)
          shape->moveBefore(at);
        for (Operation *shape : shapes)
          readers.insert(shape);
        readers.insert_range(own);
      }
      auto [least, most] = std::minmax_element(readers.begin(), readers.end(), before);
      spans.push_back({*least, *most});
    }
    for (auto [number, span] : llvm::enumerate(spans)) {
      while (&region.front() != span.first)
        region.front().moveBefore(of.read);
      readStream(unsigned(number), streams[number], span.second);
    }
    while (&region.front() != end)
      region.front().moveBefore(of.read);
    for (auto [inner, outer] : llvm::zip_equal(end->getOperands(), of.read.getResults()))
      outer.replaceAllUsesWith(inner);
    of.release.erase();
    of.read.erase();
    of.wait.erase();
  }

  static bool before(Operation *a, Operation *b) { return a->isBeforeInBlock(b); }

  /// Moves what stands at the start of the old region, up to `last`, into one of the stream's own.
  void readStream(unsigned number, const RingStream &stream, Operation *last) {
    Block &region = of.read.getBody().front();
    SmallVector<Operation *> ops;
    for (Operation &op : region) {
      ops.push_back(&op);
      if (&op == last)
        break;
    }
    SmallVector<Value> results;
    for (Operation *op : ops)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return llvm::none_of(ops, [&](Operation *mine) { return mine->isAncestor(user); });
            }))
          results.push_back(result);

    rewriter.setInsertionPoint(of.read);
    auto wait =
        ConsumerWaitOp::create(rewriter, loc, of.wait.getToken().getType(), rings[number], iterators[2 * number + 1]);
    SmallVector<Type> types = {of.read.getConsumed().getType()};
    llvm::append_range(types, ValueRange(results).getTypes());
    auto read = ConsumerReadOp::create(rewriter, loc, types, rings[number], wait.getToken());
    auto release = ConsumerReleaseOp::create(rewriter, loc, rings[number], read.getConsumed());
    setLike(wait, of.wait);
    setLike(read, of.read);
    setLike(release, of.release);
    nexts[2 * number + 1]->moveAfter(release);

    Block *body = rewriter.createBlock(&read.getBody());
    for (unsigned element : stream)
      region.getArgument(element).replaceAllUsesWith(
          body->addArgument(type.getElements()[element], region.getArgument(element).getLoc()));
    for (Operation *op : ops)
      op->moveBefore(body, body->end());
    for (auto [inner, outer] : llvm::zip_equal(results, read.getResults()))
      inner.replaceUsesWithIf(outer, [&](OpOperand &use) { return !read->isAncestor(use.getOwner()); });
    rewriter.setInsertionPointToEnd(body);
    PipelineYieldOp::create(rewriter, loc, results);
  }

  void dropOld() {
    llvm::BitVector dead(of.loop.getNumRegionIterArgs());
    for (unsigned number : oldNumbers)
      dead.set(number);
    rewriter.setInsertionPoint(of.loop);
    SmallVector<Operation *> steps;
    for (unsigned number : oldNumbers)
      steps.push_back(of.loop.getYieldedValues()[number].getDefiningOp());
    nv_tileaa::eraseCarried(rewriter, of.loop, dead);
    for (Operation *step : steps)
      step->erase();
    of.first.erase();
    of.ring.erase();
  }

  static void setLike(Operation *op, Operation *from) { op->setDiscardableAttrs(from->getDiscardableAttrDictionary()); }

  LoopRing of;
  ArrayRef<RingStream> streams;
  IRRewriter rewriter;
  Location loc;
  PipelineType type; ///< of the old ring
  SmallVector<CreatePipelineOp> rings;
  SmallVector<Value> begins; ///< two of each ring
  SmallVector<BlockArgument> iterators;
  SmallVector<IncIterOp> nexts;
  std::array<unsigned, 2> oldNumbers;
};

} // namespace

void nv_tileas::divideRing(CreatePipelineOp ring, ArrayRef<RingStream> streams) {
  LoopRing of(ring);
  if (of.find() && streams.size() > 1)
    Dividing(of, streams).run();
}
