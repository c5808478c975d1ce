//===- PipelineToNVVM.cpp - The convert-pipeline-to-nvvm pass -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A stage of a pipeline has two mbarriers, which follow each other in the tile `barriers`: full and empty.
//
//     create_pipeline      one thread initialises all of them, the block meets
//     producer_acquire     wait for empty[stage], the phase of the other parity (in the first round: at once)
//     producer_write       the region, on the stage's tiles; its copies need no barriers
//     producer_commit      each thread of the producer arrives at full[stage]: at once, or when its cp.async are done
//     consumer_wait        wait for full[stage], the phase of this parity
//     consumer_read        the region
//     consumer_release     one thread of each warp of the consumer arrives at empty[stage], for its lanes
//
// What is different where the blocks of a cluster fill the stages together: ClusterRings.h.
//
// Tensor copies are issued by one thread of the producer, which alone waits for empty[stage] and arrives at
// full[stage], for the bytes that they will write there: all that is in the place of producer_write. Where it is known
// at run time only whether there are tensor maps, so is the count of full, and on the other side all threads do what
// they would do otherwise, and wait for it. A producer that finds that out itself does one or the other in loops of
// their own; where these are full of cp.async the threads meet behind the copies of an earlier round, and one of them
// arrives for its stage. Loops in which a producer does nothing but tensor copies have one thread altogether
// (ElectedProducer.h).
//
// An mbarrier counts arrivals, as many as the producer has threads (full) or all consumers together have warps (empty).
// Waits acquire and arrivals release at the scope of the block, so what threads read and write in a stage is ordered;
// lanes that have read it themselves meet before one of them arrives.
// Tokens are two i32, the stage and the parity, and so are iterators, unless the number of stages is a power of two
// (Stages.h). They are the same in all threads of a warp, and all that
// is computed from them can stay in uniform registers as long as nothing in the loop makes ptxas doubt that the warp is
// together: whoever waits does so with the whole warp, and only what has no loop in it is for an elected thread.
//
// A ring with `groups`, which one agent fills by cp.async and reads, needs none of this (CopyGroups.h):
//
//     create_pipeline      the block meets
//     producer_commit      the copies of each thread are a group
//     consumer_wait        each thread waits until the stage's group is done, and for the others
//     producer_acquire     the block meets, unless it has since the stage was released
//
// Where products of tensor memory release the stages (ProductsUnderWay.h), empty[stage] gets one arrival, by the commit
// of the thread that issues them, and producer_acquire waits for that in a ring of groups, too. An acquire that nothing
// follows is for the products alone: behind it all threads may read the sums. In a ring that is not of groups the
// issuing thread waits for both kinds of barriers, and the others meet it there. In an agent that does not multiply it
// is for the end of the block, and each thread that fills stages waits for itself.
//
// What has a predicate happens if that is true; the groups are committed in any case, so that they can be counted.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/PipelineToNVVM/ClusterRings.h"
#include "tileiras/Conversion/PipelineToNVVM/StageFills.h"
#include "tileiras/Conversion/PipelineToNVVM/StagePlaces.h"
#include "tileiras/Conversion/PipelineToNVVM/Stages.h"
#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/StructuralConversion.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTPIPELINETONVVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::nv_tileas;
using mlir::tilellvm::Emitter;
using nv_tileaa::Branch;
using tileiras::announce;
using tileiras::arriveForAll;
using tileiras::arriveOnce;
using tileiras::Barrier;
using tileiras::barrierOf;
using tileiras::barriersOf;
using tileiras::fillByThreads;
using tileiras::Filling;
using tileiras::fillTogether;
using tileiras::kBarrierBytes;
using tileiras::meet;
using tileiras::meetBehindCopies;
using tileiras::placeBefore;
using tileiras::Ring;
using tileiras::Rings;
using tileiras::sharedAddress;
using tileiras::Stage;
using tileiras::stageTile;
using tileiras::waitUntilEmpty;

namespace {

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Unit, on a producer_acquire that nothing follows: its agent is not the one that reads the stages.
constexpr StringLiteral kBeforeExitAttr = "nv_tileas.before_exit";

/// Of an operand that becomes one value, or is not there.
Value single(ValueRange values) { return values.empty() ? Value() : values.front(); }

template <typename Op> struct RingPattern : OpConversionPattern<Op> {
  using OneToNOpAdaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  RingPattern(const TypeConverter &converter, MLIRContext *context, const Rings &rings)
      : OpConversionPattern<Op>(converter, context), rings(rings) {}
  const Rings &rings;
};

struct CreatePipeline : RingPattern<CreatePipelineOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(CreatePipelineOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = rings.of(op);
    Emitter e(rewriter, op.getLoc());
    if (ring.groups) {
      if (!op.getNoWarBarrier())
        e.barrier();
      if (ring.byProducts) {
        e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
          Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
          for (int32_t i = 1, n = 2 * op.getNumStages(); i < n; i += 2)
            tileiras::initBarrier(one, base, i * kBarrierBytes, one.i32(ring.emptyCount));
          // Commits arrive through the async proxy.
          NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
        });
        meet(e, ring);
      }
      rewriter.replaceOp(op, e.i32(0));
      return success();
    }
    auto fullCount = [&](Emitter &one) {
      bool byOne = ring.filling == Filling::Tma, byAll = !byOne || ring.alsoByThreads;
      Value threads = one.i32((byOne || ring.oneArrives ? 1 : 0) + (byAll ? ring.fullCount : 0) + ring.arrivesFromBoth);
      if (ring.relays) // in the even block one thread announces bytes, another one arrives for the odd block
        threads = one.select(one.icmp(LLVM::ICmpPredicate::eq, one.block(), one.i32(0)), one.i32(ring.fullCount + 2),
                             one.i32(ring.fullCount));
      Value tma = single(adaptor.getTma());
      return tma ? one.select(tma, one.i32(1), threads) : threads;
    };
    if (ring.byTma()) {
      // What the bytes of barriers and stages held before is in use no more, and tensor copies come after it.
      e.asyncProxyFence();
      e.barrier();
    }
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
      for (int32_t i = 0, n = 2 * op.getNumStages(); i < n; ++i)
        tileiras::initBarrier(one, base, i * kBarrierBytes, i % 2 ? one.i32(ring.emptyCount) : fullCount(one));
      if (ring.noStage)
        tileiras::initBarrier(one, base, (2 * op.getNumStages() + 1) * kBarrierBytes, one.i32(ring.emptyCount));
      // Tensor copies and commits complete on them through the async proxy.
      if (ring.byTma() || ring.byProducts || ring.filledByProducts)
        NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    meet(e, ring);
    // Behind what single threads have done: before that, ptxas would not keep it in a uniform register.
    ring.barriersAt = tileiras::holdBarriers(e, ring);
    rewriter.replaceOp(op, e.i32(0)); // what users need to know of it is constant
    return success();
  }
};

struct CreateIterator : OpConversionPattern<CreateIteratorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CreateIteratorOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{{e.i32(0), e.i32(0)}});
    return success();
  }
};

/// The token that a loop begins with which carries those of its stages on to the next round: that of the stage before
/// the first, so that it is what an iterator of the producing side begins with.
struct NoToken : RingPattern<ub::PoisonOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    auto stages = op->getAttrOfType<IntegerAttr>(kBeforeFirstAttr);
    SmallVector<Value> words = {e.i32(stages ? stages.getInt() - 1 : 0), e.i32(stages ? 1 : 0)};
    if (op->hasAttr(kPipelineNumberAttr)) { // of the release of no stage
      const Ring &ring = rings.of(op);
      words = {e.i32(CreatePipelineOp(ring.op).getNumStages()), e.i32(0)};
      words.push_back(barriersOf(e, ring, Stage(words)));
    } else if (rings.tokensHaveAddresses() && isa<PipelineConsumerTokenType>(op.getType())) {
      words.push_back(e.i32(0));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{words});
    return success();
  }
};

/// (stage << 1) | parity, as what the body's conversion makes of such tokens.
struct TokenToAsync : OpConversionPattern<TokenToAsyncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(TokenToAsyncOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Stage stage(adaptor.getSource());
    Value token = e.ori(e.shl(stage.number, 1), stage.parity);
    rewriter.replaceOpWithNewOp<UnrealizedConversionCastOp>(op, op.getToken().getType(), token);
    return success();
  }
};

struct IncIter : OpConversionPattern<IncIterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IncIterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    int32_t stages = op.getIterator().getType().getStages();
    Stage now(adaptor.getIterator());
    SmallVector<Value> next;
    Value count = single(adaptor.getCount());
    if (count && tileiras::countsFillings(stages)) {
      next = {e.add(adaptor.getIterator().front(), count), adaptor.getIterator().back()};
    } else if (count) {
      auto [number, parity] = tileiras::placeAfter(e, now.number, now.parity, count, stages);
      next = {number, parity};
    } else if (tileiras::countsFillings(stages)) {
      next = {e.add(adaptor.getIterator().front(), e.i32(op->hasAttr(kWholeRoundAttr) ? stages : 1)),
              adaptor.getIterator().back()};
    } else if (op->hasAttr(kWholeRoundAttr) || stages == 1) {
      next = {now.number, e.xori(now.parity, e.i32(1))};
    } else {
      auto [number, parity] = tileiras::nextPlace(e, now.number, now.parity, stages);
      next = {number, parity};
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{next});
    return success();
  }
};

struct Acquire : RingPattern<ProducerAcquireOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerAcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    Stage at = tileiras::stageOf(e, adaptor.getIterator(), op.getIterator().getType().getStages());
    bool notFilled = op->hasAttr(kNotFilledAttr);
    if (ring.groups && !ring.byProducts) {
      if (ring.groups->meet.contains(op))
        e.barrier();
    } else if (ring.groups && !ring.groups->meet.contains(op) && !op->getParentOfType<LoopLikeOpInterface>()) {
      // The first round finds the stages empty.
    } else if (!ring.byTma() || notFilled) { // else by the write, in the threads that fill the stage
      // An agent that fills the stages waits so before the block ends, one that multiplies before it reads the sums.
      bool forSums = ring.byProducts && notFilled && !op->hasAttr(kBeforeExitAttr),
           onlyIssuer = forSums && !ring.groups;
      // Of a pair one block issues, and products release the stages of both.
      Value issuer = !onlyIssuer ? Value() : ring.pair ? tilellvm::electedThread(e) : tilellvm::issuingThread(e);
      // Sums of a pair are released to the block that multiplies, where the same agent of the other one relays stages.
      Value predicate = single(adaptor.getPredicate());
      if (ring.filledByProducts && ring.pair)
        predicate = e.both(tilellvm::issuingThread(e), predicate);
      e.onlyIf(onlyIssuer ? issuer : predicate, [&](Emitter &e) {
        // What other blocks release here is on its way, perhaps, as long as this block has not seen all of it.
        for (int32_t ago = ring.blocks > 1 && notFilled ? CreatePipelineOp(ring.op).getNumStages() - 1 : 0; ago; --ago)
          waitUntilEmpty(e, ring, placeBefore(e, ring, at, ago));
        waitUntilEmpty(e, ring, at);
      });
      if (onlyIssuer && issuer) { // else the agent has one thread
        tilellvm::beforeThreadSync(e);
        e.barrier();
      }
      if (forSums)
        tilellvm::afterThreadSync(e);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{{at.number, at.parity}});
    return success();
  }
};

struct ConsumerWait : RingPattern<ConsumerWaitOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ConsumerWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    Stage at = tileiras::stageOf(e, adaptor.getIterator(), op.getIterator().getType().getStages());
    if (ring.groups) {
      NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), ring.groups->pending.lookup(op));
      // cp.async writes by the generic proxy (PTX ISA, "cp.async").
      if (op->hasAttr(kAsyncProxyAttr))
        e.asyncProxyFence();
      meet(e, ring);
    } else {
      // Threads that are not needed to release a stage could miss a round of its barriers, so they do not wait.
      Value who = !ring.byProducts ? Value() : ring.relays ? tilellvm::relayingThread(e) : tilellvm::issuingThread(e);
      e.onlyIf(who, [&](Emitter &e) {
        Barrier full = barrierOf(e, ring, at, /*full=*/true);
        tileiras::wait(e, full, at.parity, ring.filledByOthers());
        if (op->hasAttr(kAsyncProxyAttr))
          e.asyncProxyFence();
        if (ring.relays)
          tileiras::arriveAtFirstBlock(e, full, e.icmp(LLVM::ICmpPredicate::ne, e.block(), e.i32(0)), Value());
      });
      if (ring.filledByProducts)
        tilellvm::afterThreadSync(e);
    }
    SmallVector<Value> token = {at.number, at.parity};
    if (rings.tokensHaveAddresses())
      token.push_back(ring.groups ? e.i32(0) : barriersOf(e, ring, at));
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{token});
    return success();
  }
};

/// Each thread of the producer arrives: at once, or, if the stage is filled by cp.async, when its copies are done.
struct Commit : RingPattern<ProducerCommitOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerCommitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    if (auto ago = op->getAttrOfType<IntegerAttr>(kLastArrivalAttr)) {
      if (ago.getInt() == int64_t(CreatePipelineOp(ring.op).getNumStages()) - 2) // the first of them
        meetBehindCopies(e, 0);
      Stage stage = placeBefore(e, ring, Stage(adaptor.getToken()), ago.getInt());
      arriveForAll(e, ring, stage, single(adaptor.getPredicate()));
      rewriter.eraseOp(op);
      return success();
    }
    if (ring.byTma()) { // by the write
      rewriter.eraseOp(op);
      return success();
    }
    if (ring.groups) {
      NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
      rewriter.eraseOp(op);
      return success();
    }
    e.onlyIf(single(adaptor.getPredicate()), [&](Emitter &e) {
      Barrier barrier = barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/true);
      Value full = barrier.address(e);
      if (ring.oneArrives)
        arriveOnce(e, barrier, e.isFirstThread(), Value());
      if (ring.filledByProducts)
        tilellvm::commitProducts(e, full, ring.blocks);
      else if (op->hasAttr(kFilledThroughRegistersAttr)) {
        // What the thread has stored itself is not among what cp.async.mbarrier.arrive waits for.
        NVVM::CpAsyncCommitGroupOp::create(e.b, e.loc);
        NVVM::CpAsyncWaitGroupOp::create(e.b, e.loc, 0);
        e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), full);
      } else if (op->hasAttr(kFilledByCopiesAttr))
        LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr("llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared"),
                                      full);
      else
        e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), full);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct Release : RingPattern<ConsumerReleaseOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ConsumerReleaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    if (ring.byProducts) {
      tilellvm::commitProducts(e, barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/false).address(e),
                               ring.blocks);
    } else if (!ring.groups) {
      if (ring.readByThreads)
        NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
      Barrier empty = barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/false);
      if (ring.blocks > 1)
        tileiras::arriveInCluster(e, empty.stage, empty.offset, ring.pair ? 1 : ring.blocks, rings.conditionOf(op));
      else
        arriveOnce(e, empty, tileiras::isFirstLane(e), rings.conditionOf(op));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// The region in place, on the tiles of the stage; the token first among the results.
template <typename Op> struct Inline : RingPattern<Op> {
  using RingPattern<Op>::RingPattern;
  LogicalResult matchAndRewrite(Op op, typename RingPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = this->rings.of(op);
    if (isa<ProducerWriteOp>(op) && ring.byTma())
      return failure();
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> tiles;
    SmallVector<SmallVector<Value>> results = {SmallVector<Value>(adaptor.getToken())};
    Block *body = &op.getBody().front();
    Operation *where = op;
    if constexpr (std::is_same_v<Op, ProducerWriteOp>)
      if (Value predicate = single(adaptor.getPredicate()))
        where =
            scf::IfOp::create(rewriter, op.getLoc(), predicate, /*withElseRegion=*/false).thenBlock()->getTerminator();
    rewriter.setInsertionPoint(where);
    for (unsigned i = 0; i < body->getNumArguments(); ++i)
      tiles.push_back(stageTile(e, ring, i, Stage(adaptor.getToken())));
    auto yield = cast<PipelineYieldOp>(body->getTerminator());
    if (isa<ConsumerReadOp>(op))
      for (Value value : yield.getOperands())
        results.push_back({value});
    rewriter.inlineBlockBefore(body, where, tiles);
    rewriter.eraseOp(yield);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// producer_write by tensor copies: acquire, copies and commit in one place. One warp waits, its elected thread goes
/// on.
struct WriteByTma : RingPattern<ProducerWriteOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerWriteOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = rings.of(op);
    if (!ring.byTma())
      return failure();
    Operation *where = op;
    Stage at(adaptor.getToken());
    bool isEmpty = op->hasAttr(kFirstRoundAttr);
    Value predicate = single(adaptor.getPredicate());
    bool tensorCopies = llvm::any_of(op.getBody().front(), [](Operation &inner) { return isTensorLoad(&inner); });
    bool isElected = op->hasAttr(kElectedAttr);
    if (ring.filling == Filling::Tma && tensorCopies && !isElected && !ring.alsoByThreads) {
      // One branch for both questions, both the same in all threads of a warp.
      Emitter e(rewriter, op.getLoc());
      Value chosen = tilellvm::fillingWarp(e);
      predicate = chosen && predicate ? e.andi(chosen, predicate) : chosen ? chosen : predicate;
    }
    if (predicate)
      where =
          scf::IfOp::create(rewriter, op.getLoc(), predicate, /*withElseRegion=*/false).thenBlock()->getTerminator();
    rewriter.setInsertionPoint(where);
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> tiles;
    Block *body = &op.getBody().front();
    for (unsigned i = 0; i < body->getNumArguments(); ++i)
      tiles.push_back(stageTile(e, ring, i, at));
    rewriter.eraseOp(body->getTerminator());
    if (ring.alsoByThreads) {
      if (!isEmpty)
        waitUntilEmpty(e, ring, at);
      fillTogether(e, ring, at, *body, tiles, rewriter);
    } else if (ring.filling == Filling::Tma && !tensorCopies) {
      if (!isEmpty)
        waitUntilEmpty(e, ring, at);
      fillByThreads(e, ring, at, *body, tiles, rewriter, rings.lagging.lookup(op));
    } else if (ring.filling == Filling::Tma) {
      if (!isEmpty)
        waitUntilEmpty(e, ring, at);
      e.onlyIf(isElected ? Value() : tilellvm::electedLane(e), [&](Emitter &one) {
        announce(one, ring, at, *body, rewriter);
        rewriter.inlineBlockBefore(body, one.b.getInsertionBlock(), one.b.getInsertionPoint(), tiles);
      });
    } else {
      auto old = *body->getOps<Branch>().begin();
      rewriter.inlineBlockBefore(body, where, tiles);
      rewriter.setInsertionPoint(where);
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), old.getCondition(), /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      Emitter first(rewriter, op.getLoc());
      first.onlyIf(tilellvm::firstWarp(first), [&](Emitter &warp) {
        if (!isEmpty)
          waitUntilEmpty(warp, ring, at);
        warp.onlyIf(tilellvm::electedLane(warp), [&](Emitter &one) {
          Block &copies = *old.thenBlock();
          announce(one, ring, at, copies, rewriter);
          rewriter.eraseOp(copies.getTerminator());
          rewriter.inlineBlockBefore(&copies, one.b.getInsertionBlock(), one.b.getInsertionPoint(), ValueRange());
        });
      });
      rewriter.setInsertionPointToStart(branch.elseBlock());
      Emitter other(rewriter, op.getLoc());
      if (!isEmpty)
        waitUntilEmpty(other, ring, at);
      rewriter.eraseOp(old.elseBlock()->getTerminator());
      fillByThreads(other, ring, at, *old.elseBlock(), ValueRange(), rewriter);
      rewriter.eraseOp(old);
    }
    rewriter.replaceOpWithMultiple(op, {adaptor.getToken()});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ConvertPipelineToNVVMPass : tileiras::impl::ConvertPipelineToNVVMPassBase<ConvertPipelineToNVVMPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk(
        [](func::FuncOp func) { return failed(convert(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Threads arrive for what they have written themselves, so that the producer need not meet. Copies that the region
  /// yields are waited for by the barrier of the stage.
  static LogicalResult prepare(ProducerWriteOp write, const Ring &ring) {
    auto unit = UnitAttr::get(write.getContext());
    bool copies = ring.filling == Filling::Copies;
    std::optional<tileiras::StagePlace> place = tileiras::placeOfToken(write.getToken());
    int32_t stages = cast<PipelineType>(write.getPipeline().getType()).getStages();
    if (place && !place->loop && place->offset < stages)
      write->setAttr(kFirstRoundAttr, unit);
    Operation *store = nullptr;
    write.walk([&](CopyOp copy) {
      copy.setNoWarBarrierAttr(unit);
      copy->setAttr(kNoRawBarrierAttr, unit);
      store = copy;
    });
    bool throughRegisters = false;
    write.walk([&](AsyncCopyOpInterface copy) {
      copy.markNoWarBarrier();
      throughRegisters |= copy.isRounded();
    });
    if (ring.groups && !copies)
      return write.emitOpError("of a ring of groups expects to yield asynchronous copies");
    if (copies && store)
      return store->emitOpError("in a stage that asynchronous copies fill is not supported");
    for (Operation *user : write.getWritten().getUsers())
      if (copies && isa<ProducerCommitOp>(user))
        user->setAttr(throughRegisters ? kFilledThroughRegistersAttr : kFilledByCopiesAttr, unit);
    return success();
  }

  /// A pipeline that a loop makes again and again: before the next one initialises its barriers, those of this one end
  /// (PTX ISA, "mbarrier.inval").
  static void endBarriers(const Ring &ring) {
    CreatePipelineOp op = ring.op;
    if ((ring.groups && !ring.byProducts) || !op->getParentOfType<LoopLikeOpInterface>())
      return;
    Operation *last = op;
    for (Operation *user : op->getUsers())
      if (Operation *here = op->getBlock()->findAncestorOpInBlock(*user); here && last->isBeforeInBlock(here))
        last = here;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(last);
    Emitter e(builder, op.getLoc());
    meet(e, ring);
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
      for (int32_t i = ring.groups ? 1 : 0, n = 2 * op.getNumStages(); i < n; i += ring.groups ? 2 : 1)
        LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                      one.offsetBytes(base, i * kBarrierBytes));
      if (ring.noStage)
        LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                      one.offsetBytes(base, (2 * op.getNumStages() + 1) * kBarrierBytes));
    });
  }

  static LogicalResult convert(func::FuncOp func) {
    Rings rings;
    if (failed(rings.collect(func)))
      return failure();
    if (rings.empty())
      return success();
    WalkResult walk = func.walk([&](ProducerWriteOp write) {
      return failed(prepare(write, rings.of(write))) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();

    rings.takeReleasesOutOfBranches();
    for (const Ring &ring : rings.all())
      endBarriers(ring);
    SmallVector<CreatePipelineOp> creations;
    for (const Ring &ring : rings.all())
      creations.push_back(ring.op);
    if (failed(tileiras::meetAtEnd(func, creations)))
      return failure();
    tileiras::electProducers(func);
    rings.lagging = tileiras::lagArrivals(func);
    tileiras::mergeIterators(func);
    func.walk([&](ProducerAcquireOp acquire) {
      if (!acquire.getToken().use_empty())
        return;
      auto unit = UnitAttr::get(acquire.getContext());
      acquire->setAttr(kNotFilledAttr, unit);
      if (getAgentSwitch(acquire) && !rings.of(acquire).consumers.contains(tileiras::agentOf(acquire)))
        acquire->setAttr(kBeforeExitAttr, unit);
    });

    MLIRContext *context = func.getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    Type word = IntegerType::get(context, 32);
    converter.addConversion([word](PipelineType) { return word; });
    bool addresses = rings.tokensHaveAddresses();
    converter.addConversion([word, addresses](Type type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      if (!isa<PipelineIteratorType, PipelineProducerTokenType, PipelineConsumerTokenType>(type))
        return std::nullopt;
      types.assign({word, word});
      if (addresses && isa<PipelineConsumerTokenType>(type))
        types.push_back(IntegerType::get(type.getContext(), 32));
      return success();
    });

    RewritePatternSet patterns(context);
    patterns
        .add<CreatePipeline, Acquire, ConsumerWait, Commit, Release, Inline<ProducerWriteOp>, Inline<ConsumerReadOp>>(
            converter, context, rings);
    patterns.add<WriteByTma>(converter, context, rings);
    patterns.add<NoToken>(converter, context, rings);
    patterns.add<CreateIterator, IncIter, TokenToAsync>(converter, context);
    ConversionTarget target(*context);
    target.addIllegalOp<CreatePipelineOp, CreateIteratorOp, IncIterOp, ProducerAcquireOp, ProducerWriteOp,
                        ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp, TokenToAsyncOp>();
    target.addDynamicallyLegalOp<ub::PoisonOp>([&](ub::PoisonOp op) { return converter.isLegal(op.getType()); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    populateAgentTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(func, target, std::move(patterns));
  }
};

} // namespace
