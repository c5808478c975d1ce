//===- MaterializeAsync.cpp - tileas-materialize-async --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The shared tiles that a loop fills by async.tiled_load become the stages of a ring (docs/pipelines.md).
//
//     for i:  load a, load b into tiles      for i:  acquire, write { addresses, load a, load b }, commit
//             wait                     ->            wait
//             products                               read { products }, release
//
// The order stays; tileas-unspecialized-pipeline makes the producing side run ahead. So a load may take part if it can
// be done in an earlier iteration: its address depends on the counter and on values from outside of the loop alone, and
// no token orders it after something that the loop writes (operations without a common token are unordered). All loads
// of a loop share one ring, whose stage they fill together.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Transforms/AsyncPatterns.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsInRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/ProducerKinds.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Dialect/TileAS/Transforms/TokenIndex.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/SetVector.h"
#include <deque>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_MATERIALIZEASYNCPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

/// How many iterations later than the first an operation is going to run.
void setStage(Operation *op, int32_t stage) {
  op->setAttr(kPipelineStageAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 32), stage));
}

/// Builds the ring of a candidate and the handshakes around its loads and their readers, which run `distance`
/// iterations later.
class RingBuilder {
public:
  RingBuilder(RingCandidate &candidate, int32_t stages, int32_t distance)
      : candidate(candidate), stages(stages), distance(distance), rewriter(candidate.loop.getContext()),
        loc(candidate.loop.getLoc()) {}

  /// Of the ring that has been built.
  CreatePipelineOp pipeline;
  SmallVector<Operation *> producers;
  ConsumerWaitOp consumerWait;

  CountedLoop build() {
    createRing();
    CountedLoop loop = addIterators();
    Operation *firstWait = candidate.waits.front();
    rewriter.setInsertionPoint(firstWait);
    produce(loop, loop.getRegionIterArgs().end()[-2]);
    consume(firstWait, loop.getRegionIterArgs().back());
    return loop;
  }

private:
  void createRing() {
    rewriter.setInsertionPoint(candidate.loop);
    size_t elements = candidate.elements().size();
    SmallVector<Type> types;
    SmallVector<Value> tiles(elements * stages);
    for (auto [element, tile] : llvm::enumerate(candidate.elements())) {
      types.push_back(tile.getType());
      for (int32_t stage = 0; stage < stages; ++stage)
        tiles[stage * elements + element] =
            AllocTensorOp::create(rewriter, tile.getLoc(), tile.getType(), IntegerAttr());
    }
    MLIRContext *context = rewriter.getContext();
    auto create = CreatePipelineOp::create(rewriter, loc, PipelineType::get(context, stages, types), tiles,
                                           /*barriers=*/Value(), /*tma=*/Value(), stages,
                                           /*producerGroupId=*/IntegerAttr(), /*consumerGroupId=*/IntegerAttr());
    create.setGroups(true);
    if (distance < stages - 1)
      create->setAttr(kSpareStageAttr, rewriter.getUnitAttr());
    pipeline = create;
    ring = create;
    first = CreateIteratorOp::create(rewriter, loc, PipelineIteratorType::get(context, stages, types), ring);
  }

  /// The loop carries where its producer and its consumer are.
  CountedLoop addIterators() {
    auto next = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> args) -> SmallVector<Value> {
      producerNext = IncIterOp::create(b, loc, first.getType(), args[args.size() - 2]);
      consumerNext = IncIterOp::create(b, loc, first.getType(), args.back());
      return {producerNext.getNext(), consumerNext.getNext()};
    };
    CountedLoop loop = *candidate.loop.replaceWithAdditionalYields(rewriter, {first, first}, next);
    updateTokenIndex(loop, /*always=*/true);
    return loop;
  }

  /// What the loop carries and adds to in every round, computed from its counter.
  Value counted(CountedLoop loop, BlockArgument argument) {
    Value rounds = loop.getInductionVar();
    rounds = arith::SubIOp::create(rewriter, loc, rounds, loop.getLowerBound());
    rounds = arith::DivUIOp::create(rewriter, loc, rounds, loop.getStep());
    Value growth = growthOf(loop, argument), first = loop.getTiedLoopInit(argument)->get();
    auto tile = dyn_cast<RankedTensorType>(argument.getType());
    // Pointers go on past what offsets of 32 bits reach.
    bool isPointer = isa<nv_tileaa::PtrType>(nv_tileaa::getElementTypeOrSelf(argument.getType()));
    Type type = isPointer ? rewriter.getI64Type() : nv_tileaa::getElementTypeOrSelf(argument.getType());
    if (rounds.getType().isIndex())
      rounds = arith::IndexCastUIOp::create(rewriter, loc, type, rounds);
    else if (rounds.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      rounds = arith::ExtUIOp::create(rewriter, loc, type, rounds);
    else if (rounds.getType() != type)
      rounds = arith::TruncIOp::create(rewriter, loc, type, rounds);
    // The same for all elements is one number.
    Value same = tile ? scalarOf(growth) : growth;
    if (tile && !same)
      rounds = nv_tileaa::SplatOp::create(rewriter, loc, tile.clone(type), rounds);
    Value its = same ? same : growth;
    if (its.getType() != rounds.getType())
      its = arith::ExtSIOp::create(rewriter, loc, rounds.getType(), its);
    Value grown = arith::MulIOp::create(rewriter, loc, rounds, its);
    if (tile && same)
      grown = nv_tileaa::SplatOp::create(rewriter, loc, tile.clone(type), grown);
    if (isPointer)
      return nv_tileaa::AddPtrOp::create(rewriter, loc, first.getType(), first, grown);
    return arith::AddIOp::create(rewriter, loc, first, grown);
  }

  /// The number that all elements of a tile are, if that is seen; null if not.
  Value scalarOf(Value tile) {
    DenseElementsAttr constant;
    if (matchPattern(tile, m_Constant(&constant)) && constant.isSplat())
      return arith::ConstantOp::create(rewriter, loc, constant.getSplatValue<TypedAttr>());
    auto splat = tile.getDefiningOp<nv_tileaa::SplatOp>();
    return splat ? splat.getSource() : Value();
  }

  void produce(CountedLoop loop, Value iterator) {
    Type token = PipelineProducerTokenType::get(rewriter.getContext());
    auto acquire = ProducerAcquireOp::create(rewriter, loc, token, ring, iterator, Value());
    auto write = ProducerWriteOp::create(rewriter, loc, token, ring, acquire.getToken(), Value());
    write->setAttr(kProducerKindAttr, rewriter.getStringAttr("async_copy"));
    auto commit = ProducerCommitOp::create(rewriter, loc, ring, write.getWritten(), Value());
    producerNext->moveAfter(commit);
    producers = {acquire, write, commit, producerNext};
    for (Operation *op : producers)
      setStage(op, 0);

    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&write.getBody());
    IRMapping map;
    for (unsigned number : candidate.counters)
      map.map(loop.getRegionIterArg(number), counted(loop, loop.getRegionIterArg(number)));
    for (Operation *op : candidate.addresses)
      rewriter.clone(*op, map);
    Value after = joinTokens(rewriter, loop, candidate.tokens.getArrayRef());
    SmallVector<Value> copies;
    for (auto [load, tile] : llvm::zip_equal(candidate.loads, candidate.tiles)) {
      map.map(load.getDest(), body->addArgument(tile.getType(), load.getLoc()));
      if (load.getToken())
        map.map(load.getToken(), after);
      auto copy = cast<AsyncCopyOpInterface>(rewriter.clone(*load, map));
      copies.push_back(copy.getDone());
    }
    for (AllocTensorOp tile : llvm::concat<AllocTensorOp>(candidate.columns, candidate.written))
      body->addArgument(tile.getType(), tile.getLoc());
    PipelineYieldOp::create(rewriter, loc, copies);
  }

  void consume(Operation *firstWait, Value iterator) {
    Type token = PipelineConsumerTokenType::get(rewriter.getContext());
    auto wait = ConsumerWaitOp::create(rewriter, loc, token, ring, iterator);
    consumerWait = wait;
    retireWaits(wait);
    Operation *last = lastReader(candidate.tiles, wait);
    SmallVector<Operation *> readers;
    if (last)
      for (Operation *op = wait->getNextNode(), *end = last->getNextNode(); op != end; op = op->getNextNode())
        readers.push_back(op);
    // What leaves the region.
    llvm::SmallPtrSet<Operation *, 32> inside(readers.begin(), readers.end());
    Block *body = wait->getBlock();
    SmallVector<Value> results;
    for (Operation *op : readers)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(),
                         [&](Operation *user) { return !inside.contains(body->findAncestorOpInBlock(*user)); }))
          results.push_back(result);

    rewriter.setInsertionPointAfter(last ? last : wait.getOperation());
    SmallVector<Type> types = {token};
    llvm::append_range(types, ValueRange(results).getTypes());
    auto read = ConsumerReadOp::create(rewriter, loc, types, ring, wait.getToken());
    auto release = ConsumerReleaseOp::create(rewriter, loc, ring, read.getConsumed());
    consumerNext->moveAfter(release);
    for (Operation *op :
         {wait.getOperation(), read.getOperation(), release.getOperation(), consumerNext.getOperation()})
      setStage(op, distance);

    Block *region = rewriter.createBlock(&read.getBody());
    for (AllocTensorOp tile : candidate.elements())
      tile.getResult().replaceAllUsesWith(region->addArgument(tile.getType(), tile.getLoc()));
    for (Operation *op : readers)
      op->moveBefore(region, region->end());
    for (auto [inner, outer] : llvm::zip_equal(results, read.getResults()))
      inner.replaceUsesWithIf(outer, [&](OpOperand &use) { return !read->isAncestor(use.getOwner()); });
    rewriter.setInsertionPointToEnd(region);
    PipelineYieldOp::create(rewriter, loc, results);
    for (AllocTensorOp tile : candidate.elements())
      tile->erase();
    for (Operation *op : llvm::reverse(candidate.addresses.getArrayRef()))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  /// The loads and what waited for them go.
  void retireWaits(ConsumerWaitOp ringWait) {
    for (AsyncCopyOpInterface load : candidate.loads) {
      Value before = load.getToken();
      if (!load.getResultToken().use_empty() && !before) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(load);
        before = nv_tileaa::CreateMemTokenOp::create(rewriter, loc, load.getResultToken().getType());
      }
      if (before)
        load.getResultToken().replaceAllUsesWith(before);
    }
    for (AsyncWaitOp wait : candidate.waits) {
      SmallVector<Value> others;
      for (Value token : wait.getTokens())
        if (!llvm::is_contained(candidate.loads, token.getDefiningOp()))
          others.push_back(token);
      if (wait->hasAttr(kAsyncProxyAttr))
        ringWait->setAttr(kAsyncProxyAttr, rewriter.getUnitAttr());
      if (others.empty())
        wait.erase();
      else
        wait.getTokensMutable().assign(others);
    }
    for (AsyncCopyOpInterface load : candidate.loads)
      load.erase();
  }

  RingCandidate &candidate;
  int32_t stages, distance;
  IRRewriter rewriter;
  Location loc;
  Value ring, first;
  IncIterOp producerNext, consumerNext;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct MaterializeAsyncPass : nv_tileas::impl::MaterializeAsyncPassBase<MaterializeAsyncPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(checkQueuesAreGone(getOperation(), getArgument())))
      return signalPassFailure();
    bool agents = getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    SmallVector<CountedLoop> loops;
    getOperation().walk([&](CountedLoop loop) { loops.push_back(loop); });
    if (numStages <= 1 || agents) {
      for (CountedLoop loop : loops)
        reportLoads(loop, agents ? "its work is divided among agents" : "software pipelining is off");
      // Loops that could have had a ring: whoever comes next knows that they get none.
      for (CountedLoop loop : loops)
        if (!agents && !loop.getBody()->getOps<AsyncCopyOpInterface>().empty()) {
          loop->setAttr(kNotPipelinedAttr, UnitAttr::get(&getContext()));
          sinkCopies(loop);
        }
      if (failed(checkProducers(getOperation())))
        signalPassFailure();
      return;
    }
    if (remarks::enabled(&getContext()))
      getOperation().walk([](LoopLikeOpInterface loop) {
        if (!isa<CountedLoop>(loop.getOperation()) && countProducts(loop))
          missed(loop) << remarks::because("how often it runs is decided inside of it");
      });
    for (CountedLoop loop : loops)
      if (!loop->hasAttr(kNotPipelinedAttr) && !materialize(loop))
        loop->setAttr(kNotPipelinedAttr, UnitAttr::get(&getContext()));
    simplifyAsync(getOperation());
    if (failed(checkProducers(getOperation())))
      signalPassFailure();
  }

private:
  static remarks::InFlight missed(Operation *loop) {
    remarks::InFlight remark = remarks::missed(loop, remarks::kPipeline, "Loop");
    if (remark)
      remark << remarks::figure("Products", countProducts(loop));
    return remark;
  }

  bool materialize(CountedLoop loop) {
    RingCandidate candidate;
    candidate.loop = loop;
    for (auto load : loop.getBody()->getOps<AsyncCopyOpInterface>()) {
      if (StringRef why = candidate.add(load); !why.empty())
        missed(loop) << remarks::because("loads cannot be made ahead: " + why);
    }
    auto [wanted, limit] =
        stagesAskedFor(llvm::map_to_vector(candidate.loads, [](Operation *load) { return load; }), numStages);
    auto giveUp = [&] {
      sinkCopies(loop);
      return false;
    };
    if (candidate.loads.empty()) {
      if (isPipelined(loop))
        return true;
      reportLoads(loop, "its loads go through registers");
      return giveUp();
    }
    llvm::sort(candidate.waits, [](AsyncWaitOp a, AsyncWaitOp b) { return a->isBeforeInBlock(b); });
    if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && trips->ult(wanted))
      wanted = trips->getZExtValue(), limit = "the number of iterations";
    if (wanted < 2) {
      missed(loop) << remarks::because("there is one iteration");
      return giveUp();
    }
    candidate.findColumns();
    SharedPlan plan(getOperation()), tensorPlan(getOperation(), MemoryKind::Tensor);
    int64_t room = SharedMemory(getOperation()).roomToKeep(), more = 0;
    int32_t stages = wanted;
    auto columnsWith = [&](int32_t stages) { return tensorPlan.bytesWithRing(loop, candidate.columns, stages); };
    // Where two stages leave no room for as many blocks, it is one.
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    int64_t columns = getTensorRoom(getOperation()), most = target ? target->tensorMemoryColumns : 0;
    // Where two stages have no room at all, all share the columns that the loop has: each product waits for the last.
    if (columnsWith(2) > most)
      candidate.columns.clear();
    for (columns = columnsWith(2) > columns ? most : columns;
         !candidate.columns.empty() && stages > 2 && columnsWith(stages) > columns; --stages)
      limit = "tensor memory";
    for (int64_t bytes; (bytes = plan.bytesWithRing(loop, candidate.tiles, stages)) > room; --stages) {
      limit = "shared memory";
      more = bytes;
      if (stages == 2) {
        if (materializeTurns(candidate, plan, room) || materializeStreams(candidate, plan, room))
          return true;
        missed(loop) << remarks::figure("Bytes", bytes) << remarks::figure("Room", room)
                     << remarks::because("two stages have no room in shared memory");
        return giveUp();
      }
    }
    int64_t bytes = plan.bytesWithRing(loop, candidate.tiles, stages);
    int32_t ahead = stages - 1;
    if (int32_t with = placeWritten(candidate, plan, room, wanted, bytes)) {
      if (with < stages)
        limit = "places of factors that threads write";
      stages = with;
      ahead = stages - 2;
    } else if (stages > 2 && candidate.columns.empty() && target &&
               candidate.arriveInARound(target->computeCapability)) {
      // What waits longer has its bytes for nothing.
      limit = "the copies, which arrive in a round";
      ahead = 1;
      stages = 2;
      bytes = plan.bytesWithRing(loop, candidate.tiles, stages);
    }
    stepFirst(candidate);
    SmallVector<RingCandidate, 0> streams;
    if (stages == 2 && readByTensorCore(candidate))
      streams = streamsOf(candidate);
    // Each further ring begins where swizzled tiles may, and its stages have mbarriers: there may be no room for that.
    constexpr int64_t alignment = 1024, barriers = 16;
    int64_t further = streams.empty() ? 0 : int64_t(streams.size() - 1) * (alignment + stages * barriers);
    if (streams.size() < 2 || bytes + further > room) {
      streams.clear();
      streams.push_back(candidate);
    }
    // From the last stream to the first, so that regions of readers hold nothing of another stream.
    CountedLoop pipelined = loop;
    for (RingCandidate &stream : llvm::reverse(streams)) {
      stream.loop = pipelined;
      pipelined = RingBuilder(stream, stages, ahead).build();
      ++numRings;
    }
    auto remark = remarks::passed(pipelined, remarks::kPipeline, "Loop");
    if (remark)
      remark << remarks::figure("Products", countProducts(pipelined));
    remark << remarks::figure("Stages", stages) << remarks::figure("Bytes", bytes) << remarks::figure("Room", room);
    if (more)
      remark << remarks::figure("BytesOfOneMore", more);
    if (streams.size() > 1)
      remark << remarks::figure("Streams", streams.size());
    remark << remarks::because("the number of stages is limited by " + limit);
    return true;
  }

  /// Gives factors that threads write a place in each stage, where a multiprocessor has one block, so that no other one
  /// multiplies meanwhile, and time for what is written: how many stages there are then, one of which is the product's
  /// that goes on, so that they are filled one round less ahead; 0 if it is not done. `bytes` is what the kernel takes
  /// without and, if it is done, with them.
  int32_t placeWritten(RingCandidate &candidate, const SharedPlan &plan, int64_t room, int32_t most, int64_t &bytes) {
    // By the model of H200 loops of at most 138 % gain 14 to 57 %, and those of 150 % and more lose up to 35 %
    // (docs/pipelines.md, "Factors that threads write").
    constexpr int64_t mostPercent = 145;
    constexpr int32_t leastStages = 3;
    candidate.findWritten();
    if (candidate.written.empty())
      return 0;
    int64_t needed = wordsIn(candidate.loop, wordsHeld), percent = candidate.percentOfSharedMemory();
    bool isAlone = LoadBudget(candidate.loop, /*products=*/1).blocksWith(needed, 0) == 1 ||
                   SharedMemory(getOperation()).blocksWith(bytes, 0) == 1;
    int32_t stages = most;
    SmallVector<AllocTensorOp> elements = candidate.elements();
    while (stages >= leastStages && plan.bytesWithRing(candidate.loop, elements, stages) > room)
      --stages;
    StringRef why = !isAlone                ? "other blocks multiply while it is written"
                    : percent > mostPercent ? "shared memory has no time for it while products read theirs"
                    : stages < leastStages  ? "shared memory has no room for it in three stages"
                                            : "";
    auto remark = why.empty() ? remarks::passed(candidate.loop, remarks::kPipeline, "WrittenFactor")
                              : remarks::missed(candidate.loop, remarks::kPipeline, "WrittenFactor");
    remark << remarks::figure("SharedPercent", percent)
           << remarks::because(why.empty() ? "it is written while the product of the round before goes on" : why);
    if (!why.empty()) {
      candidate.written.clear();
      return 0;
    }
    bytes = plan.bytesWithRing(candidate.loop, elements, stages);
    return stages;
  }

  /// What grows in every round does so at its start, and not somewhere among the readers of a stage.
  static void stepFirst(const RingCandidate &candidate) {
    CountedLoop loop = candidate.loop;
    for (unsigned number : candidate.counters)
      loop.getYieldedValues()[number].getDefiningOp()->moveBefore(&loop.getBody()->front());
  }

  /// Whether products in tensor memory alone read the tiles. They read them behind the threads' backs, until the next
  /// round if it has something else to do: of two stages one is in use for most of the time, and streams, of which each
  /// is read for another part of the round, do not wait for each other's stages.
  static bool readByTensorCore(const RingCandidate &candidate) {
    return candidate.columns.empty() && llvm::all_of(candidate.tiles, [](AllocTensorOp tile) {
             return llvm::all_of(usersOfSharedTile(tile.getResult()), [](Operation *user) {
               auto dot = dyn_cast<DotOp>(user);
               return isa<AsyncCopyOpInterface>(user) || isReshape(user) ||
                      (dot && dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier &&
                       isIn(dot.getC().getType(), MemoryKind::Tensor));
             });
           });
  }

  /// A ring of one stage for each of several streams. While the tiles of one stream are read, the stages of the others
  /// are filled: that of the first stream for the next iteration as soon as it has been read, those of the others for
  /// the same iteration while the first is read.
  bool materializeStreams(RingCandidate &candidate, const SharedPlan &plan, int64_t room) {
    CountedLoop loop = candidate.loop;
    SmallVector<RingCandidate, 0> streams = streamsOf(candidate);
    int64_t bytes = plan.bytesWithRing(loop, candidate.tiles, 1);
    if (streams.size() < 2 || bytes > room)
      return false;
    stepFirst(candidate);
    // From the last stream to the first, so that regions of readers hold nothing of another stream.
    SmallVector<Operation *> later;
    for (RingCandidate &stream : llvm::reverse(streams)) {
      bool first = &stream == &streams.front();
      stream.loop = loop;
      RingBuilder ring(stream, /*stages=*/1, /*distance=*/1);
      loop = ring.build();
      ++numRings;
      if (!first) {
        for (Operation *op : ring.producers)
          setStage(op, 1);
        later.insert(later.begin(), ring.producers.begin(), ring.producers.end());
        continue;
      }
      Operation *behind = ring.consumerWait;
      for (Operation *op : later) {
        op->moveAfter(behind);
        behind = op;
      }
    }
    if (auto remark = remarks::passed(loop, remarks::kPipeline, "Loop"))
      remark << remarks::figure("Products", countProducts(loop)) << remarks::figure("Stages", 1)
             << remarks::figure("Streams", streams.size()) << remarks::figure("Bytes", bytes)
             << remarks::figure("Room", room)
             << remarks::because("two stages have no room: the stage of one stream is filled while another is read");
    return true;
  }

  /// Streams for which there is no room side by side, in a ring of one stage each: so many of them as have room, one
  /// after the other, share the places of the others. A stream is copied when the one whose place it takes has been
  /// read, which all threads know at the next wait: with P places, stream j behind the wait for stream j - P + 1, so
  /// that P - 1 are under way.
  bool materializeTurns(RingCandidate &candidate, const SharedPlan &plan, int64_t room) {
    if (llvm::none_of(candidate.loads, [](AsyncCopyOpInterface load) { return load->hasAttr(kTakesTurnsAttr); }))
      return false;
    SmallVector<RingCandidate, 0> streams = streamsOf(candidate);
    SmallVector<AllocTensorOp> tiles;
    for (RingCandidate &stream : streams) {
      if (stream.tiles.size() != 1 || !stream.columns.empty())
        return false;
      tiles.push_back(stream.tiles.front());
    }
    // The first places are free again when the round begins only if all are used equally often.
    CountedLoop loop = candidate.loop;
    size_t count = streams.size(), places = count;
    auto bytesWith = [&](size_t places) { return plan.bytesInTurns(loop, tiles, places); };
    while (places > 1 && (count % places || bytesWith(places) > room))
      --places;
    if (places < 2)
      return false;
    int64_t bytes = bytesWith(places);
    stepFirst(candidate);
    std::deque<RingBuilder> rings;
    for (RingCandidate &stream : llvm::reverse(streams)) {
      stream.loop = loop;
      loop = rings.emplace_front(stream, /*stages=*/1, /*distance=*/1).build();
      ++numRings;
    }
    Builder builder(&getContext());
    for (auto [number, ring] : llvm::enumerate(rings)) {
      ring.pipeline->setAttr(kSharedPlaceAttr, builder.getI32IntegerAttr(numPlaces + int32_t(number % places)));
      if (number + 1 < places)
        continue;
      Operation *behind = rings[number + 1 - places].consumerWait;
      for (Operation *op : ring.producers) {
        setStage(op, 1);
        op->moveAfter(behind);
        behind = op;
      }
    }
    numPlaces += int32_t(places);
    if (auto remark = remarks::passed(loop, remarks::kPipeline, "Loop"))
      remark << remarks::figure("Products", countProducts(loop)) << remarks::figure("Stages", 1)
             << remarks::figure("Streams", count) << remarks::figure("Places", places)
             << remarks::figure("Bytes", bytes) << remarks::figure("Room", room)
             << remarks::because("two stages have no room: the tiles of a round take turns in so many places");
    return true;
  }
  int32_t numPlaces = 0; ///< that rings have in turns, of the function

  /// Copies of tiles that should have taken turns begin when they are waited for: there is no room for all of them.
  static void sinkCopies(CountedLoop loop) {
    for (auto load : llvm::make_early_inc_range(loop.getBody()->getOps<AsyncCopyOpInterface>())) {
      auto wait = load.getDone().hasOneUse() ? dyn_cast<AsyncWaitOp>(*load.getDone().user_begin()) : AsyncWaitOp();
      auto tile = load.getDest().getDefiningOp<AllocTensorOp>();
      if (!load->hasAttr(kTakesTurnsAttr) || !wait || wait->getBlock() != loop.getBody() || !tile ||
          tile->getBlock() != loop.getBody() || !load.getResultToken().use_empty())
        continue;
      tile->moveBefore(wait);
      load->moveBefore(wait);
    }
  }

  /// Whether the place of a load is only known when something else that the loop loads is there, by way of whatever
  /// loops and branches.
  static bool comesFromLoaded(CountedLoop loop, nv_tileaa::MemoryAccessOpInterface load) {
    llvm::SetVector<Operation *> makers;
    auto add = [&](Value value) {
      Operation *def = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
      if (loop->isProperAncestor(def) && !def->isAncestor(load))
        makers.insert(def);
    };
    for (Value operand : load->getOperands())
      if (operand != load.getToken() && operand != load.getFilled())
        add(operand);
    for (size_t i = 0; i < makers.size(); ++i) {
      bool loads = false;
      makers[i]->walk([&](Operation *op) {
        auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op);
        loads |= access && access.readsMemory();
        llvm::for_each(op->getOperands(), add);
      });
      if (loads)
        return true;
    }
    return false;
  }

  /// Loads that are waited for in the round that uses them.
  static void reportLoads(CountedLoop loop, StringRef why) {
    if (!remarks::enabled(loop.getContext()))
      return;
    int64_t loads = 0, inBranches = 0;
    bool fromLoaded = false;
    loop->walk([&](Operation *op) {
      auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op);
      if (!access || access.writesMemory() || access.isAtomic() || op->getParentOfType<LoopLikeOpInterface>() != loop)
        return;
      ++(op->getParentOp() == loop ? loads : inBranches);
      fromLoaded |= op->getParentOp() != loop && comesFromLoaded(loop, access);
    });
    if (loads || countProducts(loop))
      missed(loop) << remarks::figure("Loads", loads)
                   << remarks::because(loads        ? why
                                       : fromLoaded ? "its loads are in branches, and where they come from depends on "
                                                      "what the loop loads"
                                       : inBranches ? "its loads are in branches"
                                                    : "it loads nothing");
  }

  static bool isPipelined(CountedLoop loop) {
    return llvm::any_of(*loop.getBody(), llvm::IsaPred<ConsumerWaitOp, ConsumeOneOp, ConsumeOneAsyncOp>);
  }
};

} // namespace
