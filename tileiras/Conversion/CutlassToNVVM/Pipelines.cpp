//===- Pipelines.cpp - Pipelines and sequence barriers of cutlass ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//     init                one thread initialises the mbarriers, and the block (the cluster) meets
//     producer_acquire    wait for empty[stage], the phase of the state; tma: arrive.expect_tx at full[stage] by one
//     lane producer_commit     arrive at full[stage] consumer_wait       wait for full[stage] consumer_release arrive
//     at empty[stage]
//
// A producer's phase begins as 1: waiting for the phase before the first one of a fresh mbarrier does not wait (PTX
// ISA, "mbarrier.test_wait"). One lane that arrives for its warp does so behind all its lanes (bar.warp.sync).
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CutlassToNVVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"

using namespace mlir;
using namespace mlir::cutlass;
using namespace tileiras;
using namespace tileiras::cutlassllvm;
using mlir::tilellvm::Access;
using mlir::tilellvm::inlinePtx;

Value cutlassllvm::warpNumber(Emitter &e) { return e.lshr(NVVM::ThreadIdXOp::create(e.b, e.loc, e.intTy(32)), 5); }

Value cutlassllvm::takesPart(Emitter &e, GroupAttr group, bool asked) {
  if (!asked && !group.isStrided())
    return {};
  Value number = e.sub(warpNumber(e), e.i32(group.getFrom()));
  Value member = e.icmp(LLVM::ICmpPredicate::ult, number, e.i32(group.getWarps()));
  if (!group.isStrided())
    return member;
  Value stride = e.i32(group.getStride());
  Value which = group.getMode() == ParticipantMode::StridedMod
                    ? Value(LLVM::URemOp::create(e.b, e.loc, number, stride))
                    : Value(LLVM::UDivOp::create(e.b, e.loc, number, stride));
  return e.both(member, e.icmp(LLVM::ICmpPredicate::eq, which, e.i32(group.getWhich())));
}

/// The barrier of the stage that a state names.
static Barrier barrierAt(Emitter &e, ValueRange pipeline, ValueRange state, bool full) {
  return {e.offsetBytes(pipeline[0], e.mul(state[0], e.i32(2 * kBarrierBytes))), full ? 0 : kBarrierBytes};
}

static bool ofCluster(PipelineType type) { return type.getConsumer().getMode() == ParticipantMode::Cluster; }

static Value isFirstLane(Emitter &e) { return e.icmp(LLVM::ICmpPredicate::eq, e.lane(), e.i32(0)); }

static void arrive(Emitter &e, const Barrier &barrier, GroupAttr group) {
  Value member = takesPart(e, group, /*asked=*/false);
  if (group.getMode() == ParticipantMode::Cooperative) {
    e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), barrier.address(e));
    return;
  }
  NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
  if (group.getMode() == ParticipantMode::Cluster)
    arriveInCluster(e, barrier.stage, barrier.offset, group.getBlocks(), member);
  else
    arriveOnce(e, barrier, isFirstLane(e), member);
}

/// One lane arrives at full[stage] for the bytes that tensor copies will bring.
static void expectBytes(Emitter &e, const Barrier &full, int32_t bytes, Value member) {
  e.onlyIf(member, [&](Emitter &in) {
    inlinePtx(in, Type(), {full.stage, in.lane(), in.i32(bytes)},
              "{\n\t.reg .pred one;\n\tsetp.eq.u32 one, $1, 0;\n\t@one mbarrier.arrive.expect_tx.shared.b64 _, " +
                  full.text(0) + ", $2;\n\t}",
              "r,r,r,~{memory}", Access::Any);
  });
}

static void waitAt(Emitter &e, PipelineType type, const Barrier &barrier, Value phase, const Facts &facts, Value member,
                   bool full) {
  e.onlyIf(member, [&](Emitter &in) { spinOn(in, barrier, phase, facts.clusters, !full && ofCluster(type)); });
}

/// `condition` and not `done`, which is none or a predicate.
static Value unless(Emitter &e, Value condition, ValueRange done) {
  return done.empty() ? condition : e.both(condition, e.xori(done[0], e.i1(true)));
}

void cutlassllvm::populatePipelinePatterns(Patterns &patterns) {
  patterns.add<MakeParticipantsOp>([](MakeParticipantsOp, auto, Emitter &, const Facts &) { return Results{{}}; });
  patterns.add<PipelineCreateOp>([](PipelineCreateOp op, auto, Emitter &e, const Facts &) {
    if (op.getResult().getType().getKind() == PipelineKind::TmaStore)
      return Results{{}};
    return Results{{storageOf(e, op)}};
  });
  patterns.add<PipelineInitOp>([](PipelineInitOp op, auto a, Emitter &e, const Facts &) {
    PipelineType type = op.getPipeline().getType();
    if (type.getKind() == PipelineKind::TmaStore)
      return Results();
    bool tma = type.getKind() == PipelineKind::Tma;
    Value tid = NVVM::ThreadIdXOp::create(e.b, e.loc, e.intTy(32));
    e.onlyIf(e.icmp(LLVM::ICmpPredicate::eq, tid, e.i32(0)), [&](Emitter &one) {
      Value full = one.i32(tma ? 1 : type.getProducer().getArrivals()),
            empty = one.i32(type.getConsumer().getArrivals());
      for (int32_t stage = 0; stage < type.getStages(); ++stage) {
        initBarrier(one, a.getPipeline()[0], 2 * stage * kBarrierBytes, full);
        initBarrier(one, a.getPipeline()[0], (2 * stage + 1) * kBarrierBytes, empty);
      }
      // Tensor copies complete on them through the async proxy, and other blocks arrive.
      if (tma)
        NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    if (ofCluster(type))
      meetInCluster(e);
    else
      NVVM::Barrier0Op::create(e.b, e.loc);
    return Results();
  });

  patterns.add<StateCreateOp>([](StateCreateOp, auto a, Emitter &, const Facts &) {
    return Results{{a.getIndex()[0], a.getPhase()[0], a.getCount()[0]}};
  });
  patterns.add<StateGetIndexOp>(
      [](StateGetIndexOp, auto a, Emitter &, const Facts &) { return Results{{a.getState()[0]}}; });
  patterns.add<StateGetPhaseOp>(
      [](StateGetPhaseOp, auto a, Emitter &, const Facts &) { return Results{{a.getState()[1]}}; });
  patterns.add<StateGetCountOp>(
      [](StateGetCountOp, auto a, Emitter &, const Facts &) { return Results{{a.getState()[2]}}; });
  patterns.add<StateIncrementOp>([](StateIncrementOp op, auto a, Emitter &e, const Facts &) {
    auto [index, phase] = nextPlace(e, a.getState()[0], a.getState()[1], op.getState().getType().getStages());
    return Results{{index, phase, e.add(a.getState()[2], e.i32(1))}};
  });

  auto test = [](auto op, auto a, Emitter &e, const Facts &facts, bool full) {
    PipelineType type = op.getPipeline().getType();
    Value word = testBarrier(e, barrierAt(e, a.getPipeline(), a.getState(), full), a.getState()[1], facts.clusters,
                             !full && ofCluster(type));
    return Results{{e.icmp(LLVM::ICmpPredicate::ne, word, e.i32(0))}};
  };
  patterns.add<ProducerTryAcquireOp>([test](ProducerTryAcquireOp op, auto a, Emitter &e, const Facts &facts) {
    return test(op, a, e, facts, /*full=*/false);
  });
  patterns.add<ConsumerTryWaitOp>([test](ConsumerTryWaitOp op, auto a, Emitter &e, const Facts &facts) {
    return test(op, a, e, facts, /*full=*/true);
  });

  patterns.add<ProducerAcquireOp>([](ProducerAcquireOp op, auto a, Emitter &e, const Facts &facts) {
    PipelineType type = op.getPipeline().getType();
    if (type.getKind() == PipelineKind::TmaStore) {
      NVVM::CpAsyncBulkWaitGroupOp::create(e.b, e.loc, type.getStages() - 1, e.b.getUnitAttr());
      return Results();
    }
    Value member = takesPart(e, type.getProducer(), /*asked=*/false);
    waitAt(e, type, barrierAt(e, a.getPipeline(), a.getState(), /*full=*/false), a.getState()[1], facts,
           unless(e, member, a.getDone()), /*full=*/false);
    if (type.getKind() == PipelineKind::Tma)
      expectBytes(e, barrierAt(e, a.getPipeline(), a.getState(), /*full=*/true), type.getBytes(), member);
    return Results();
  });
  patterns.add<ProducerCommitOp>([](ProducerCommitOp op, auto a, Emitter &e, const Facts &) {
    PipelineType type = op.getPipeline().getType();
    if (type.getKind() == PipelineKind::TmaStore)
      NVVM::CpAsyncBulkCommitGroupOp::create(e.b, e.loc);
    if (type.getKind() != PipelineKind::Async)
      return Results();
    Barrier full = barrierAt(e, a.getPipeline(), a.getState(), /*full=*/true);
    if (op.getCpAsync())
      LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr("llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared"),
                                    full.address(e));
    else
      arrive(e, full, type.getProducer());
    return Results();
  });
  patterns.add<ProducerTailOp>([](ProducerTailOp op, auto a, Emitter &e, const Facts &facts) {
    PipelineType type = op.getPipeline().getType();
    if (type.getKind() == PipelineKind::TmaStore) {
      NVVM::CpAsyncBulkWaitGroupOp::create(e.b, e.loc, 0, UnitAttr());
      return Results();
    }
    Value member = takesPart(e, type.getProducer(), /*asked=*/false);
    auto loop = scf::ForOp::create(e.b, e.loc, e.i32(0), e.i32(type.getStages()), e.i32(1),
                                   ValueRange{a.getState()[0], a.getState()[1]});
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(loop.getBody());
    ValueRange place = loop.getRegionIterArgs();
    waitAt(e, type, barrierAt(e, a.getPipeline(), place, /*full=*/false), place[1], facts, member, /*full=*/false);
    auto [index, phase] = nextPlace(e, place[0], place[1], type.getStages());
    scf::YieldOp::create(e.b, e.loc, ValueRange{index, phase});
    return Results();
  });
  patterns.add<GetProducerBarrierOp>([](GetProducerBarrierOp, auto a, Emitter &e, const Facts &) {
    return Results{{barrierAt(e, a.getPipeline(), a.getState(), /*full=*/true).stage}};
  });
  patterns.add<GetProducerMaskOp>([](GetProducerMaskOp op, auto, Emitter &e, const Facts &) {
    int32_t blocks = op.getPipeline().getType().getConsumer().getBlocks();
    return Results{{e.constant(e.intTy(16), (int64_t(1) << blocks) - 1)}};
  });
  patterns.add<ConsumerWaitOp>([](ConsumerWaitOp op, auto a, Emitter &e, const Facts &facts) {
    PipelineType type = op.getPipeline().getType();
    Value member = takesPart(e, type.getConsumer(), /*asked=*/false);
    waitAt(e, type, barrierAt(e, a.getPipeline(), a.getState(), /*full=*/true), a.getState()[1], facts,
           unless(e, member, a.getDone()), /*full=*/true);
    return Results();
  });
  patterns.add<ConsumerReleaseOp>([](ConsumerReleaseOp op, auto a, Emitter &e, const Facts &) {
    arrive(e, barrierAt(e, a.getPipeline(), a.getState(), /*full=*/false), op.getPipeline().getType().getConsumer());
    return Results();
  });

  patterns.add<SeqBarCreateOp>(
      [](SeqBarCreateOp op, auto, Emitter &e, const Facts &) { return Results{{storageOf(e, op)}}; });
  patterns.add<SeqBarInitOp>([](SeqBarInitOp op, auto a, Emitter &e, const Facts &) {
    SeqBarType type = op.getBarrier().getType();
    Value tid = NVVM::ThreadIdXOp::create(e.b, e.loc, e.intTy(32));
    e.onlyIf(e.icmp(LLVM::ICmpPredicate::eq, tid, e.i32(0)), [&](Emitter &one) {
      for (int32_t i = 0; i < type.getDepth() * type.getLength(); ++i)
        initBarrier(one, a.getBarrier()[0], i * kBarrierBytes, one.i32(type.getWarps()));
    });
    NVVM::Barrier0Op::create(e.b, e.loc);
    return Results();
  });
  patterns.add<SeqBarStateCreateOp>([](SeqBarStateCreateOp, auto a, Emitter &e, const Facts &) {
    Value first = e.icmp(LLVM::ICmpPredicate::eq, a.getGroup()[0], e.i32(0));
    return Results{{e.i32(0), e.resize(first, e.intTy(32)), a.getGroup()[0]}};
  });
  auto turn = [](Emitter &e, SeqBarType type, ValueRange barrier, ValueRange state, Value group) {
    Value number = e.add(e.mul(state[0], e.i32(type.getLength())), group);
    return Barrier{e.offsetBytes(barrier[0], e.mul(number, e.i32(kBarrierBytes))), 0};
  };
  patterns.add<SeqBarWaitOp>([turn](SeqBarWaitOp op, auto a, Emitter &e, const Facts &facts) {
    spinOn(e, turn(e, op.getBarrier().getType(), a.getBarrier(), a.getState(), a.getState()[2]), a.getState()[1],
           facts.clusters);
    return Results();
  });
  patterns.add<SeqBarArriveOp>([turn](SeqBarArriveOp op, auto a, Emitter &e, const Facts &) {
    SeqBarType type = op.getBarrier().getType();
    Value next = e.add(a.getState()[2], e.i32(1));
    next = e.select(e.icmp(LLVM::ICmpPredicate::eq, next, e.i32(type.getLength())), e.i32(0), next);
    NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
    arriveOnce(e, turn(e, type, a.getBarrier(), a.getState(), next), isFirstLane(e));
    auto [index, phase] = nextPlace(e, a.getState()[0], a.getState()[1], type.getDepth());
    return Results{{index, phase, a.getState()[2]}};
  });
}
