//===- Schedulers.cpp - Tile schedulers of cutlass ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stream-K, of `tiles` tiles with k_tiles steps each, by `units` blocks: if the tiles can be divided evenly, every
// block gets as many; otherwise those of the last two rounds (all, if there are fewer than blocks) are divided by their
// steps, one piece of consecutive steps to a block, whose lengths differ by one at most. `Left` says how many steps of
// its piece a block has to do yet, and it does the last ones first.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CutlassToNVVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"

using namespace mlir;
using namespace mlir::cutlass;
using namespace tileiras;
using namespace tileiras::cutlassllvm;
using mlir::tilellvm::Access;
using mlir::tilellvm::inlinePtx;
using mlir::tilellvm::kAnswerBytes;
using Predicate = LLVM::ICmpPredicate;
using Words = SmallVector<Value>;

static Value udiv(Emitter &e, Value a, Value b) { return LLVM::UDivOp::create(e.b, e.loc, a, b); }
static Value urem(Emitter &e, Value a, Value b) { return LLVM::URemOp::create(e.b, e.loc, a, b); }
/// At least one, to divide by.
static Value positive(Emitter &e, Value a) { return e.select(e.icmp(Predicate::eq, a, e.i32(0)), e.i32(1), a); }
static Value umax(Emitter &e, Value a, Value b) { return e.select(e.icmp(Predicate::ult, a, b), b, a); }

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static Value allTiles(Emitter &e, ValueRange params) {
  return e.mul(e.mul(params[TilesM], params[TilesN]), params[TilesL]);
}

static Words makeParams(Emitter &e, SchedulerKind kind, Value m, Value n, Value l, Value k, ValueRange units) {
  Words params = {m, n, l, k, Value(), e.i32(0)};
  Value tiles = allTiles(e, params);
  params[Units] = units.empty() ? tiles : positive(e, units[0]);
  if (kind != SchedulerKind::StreamK)
    return params;
  Value over = urem(e, tiles, params[Units]);
  Value divided = e.umin(tiles, e.add(params[Units], over));
  // Without steps nothing can be divided by them.
  Value none = e.icmp(Predicate::eq, over, e.i32(0));
  none = LLVM::OrOp::create(e.b, e.loc, none, e.icmp(Predicate::eq, k, e.i32(0)));
  params[StreamKTiles] = e.select(none, e.i32(0), divided);
  return params;
}

template <typename Op> static void addMake(Patterns &patterns, SchedulerKind kind) {
  patterns.add<Op>([kind](Op op, auto a, Emitter &e, const Facts &) {
    auto count = [&](Value extent, int32_t tile) { return udiv(e, e.add(extent, e.i32(tile - 1)), e.i32(tile)); };
    ArrayRef<int32_t> tile = op.getTile();
    return Results{makeParams(e, kind, count(a.getM()[0], tile[0]), count(a.getN()[0], tile[1]), a.getL()[0],
                              count(a.getK()[0], tile[2]), a.getUnits())};
  });
}
template <typename Op> static void addCreate(Patterns &patterns, SchedulerKind kind) {
  patterns.add<Op>([kind](Op, auto a, Emitter &e, const Facts &) {
    return Results{
        makeParams(e, kind, a.getTilesM()[0], a.getTilesN()[0], a.getTilesL()[0], a.getKTiles()[0], a.getUnits())};
  });
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// The work at a place: `left` steps, or whole tile `next`.
static Words workAt(Emitter &e, SchedulerKind kind, ValueRange params, Value left, Value next) {
  Words info(kNumInfo);
  Value tile = next, start = e.i32(0), count = params[KTiles], tiles = allTiles(e, params);
  Value valid = e.icmp(Predicate::ult, next, tiles);
  if (kind == SchedulerKind::StreamK) {
    Value unit = NVVM::BlockIdXOp::create(e.b, e.loc, e.intTy(32));
    Value steps = e.mul(params[StreamKTiles], params[KTiles]);
    Value each = udiv(e, steps, params[Units]), more = urem(e, steps, params[Units]);
    Value begin = e.add(e.mul(unit, each), e.umin(unit, more)), end = e.add(begin, left);
    Value some = e.icmp(Predicate::ne, left, e.i32(0));
    Value last = udiv(e, e.sub(end, e.i32(1)), positive(e, params[KTiles]));
    Value first = e.mul(last, params[KTiles]), from = umax(e, begin, first);
    tile = e.select(some, last, next);
    start = e.select(some, e.sub(from, first), start);
    count = e.select(some, e.sub(end, from), count);
    valid = LLVM::OrOp::create(e.b, e.loc, some, valid);
  }
  Value m = positive(e, params[TilesM]), n = positive(e, params[TilesN]);
  Value rest = udiv(e, tile, m);
  info[M] = urem(e, tile, m);
  info[N] = urem(e, rest, n);
  info[L] = udiv(e, rest, n);
  info[KStart] = start;
  info[KCount] = count;
  info[Valid] = e.resize(valid, e.intTy(32));
  info[Tile] = tile;
  info[Left] = left;
  info[Next] = next;
  return info;
}

/// The number of a tile.
static Value numberOf(Emitter &e, ValueRange params, ValueRange mnl) {
  return e.add(mnl[0], e.mul(params[TilesM], e.add(mnl[1], e.mul(params[TilesN], mnl[2]))));
}

/// A tile to a block of a grid of tiles; `valid` is a predicate.
static Words workOf(Emitter &e, ValueRange params, ValueRange mnl, Value valid, Value next) {
  Words info(kNumInfo);
  Value inside = valid;
  for (auto [coordinate, extent] : llvm::zip_equal(mnl, params.slice(TilesM, 3)))
    inside = e.both(inside, e.icmp(Predicate::ult, coordinate, extent));
  info[M] = mnl[0];
  info[N] = mnl[1];
  info[L] = mnl[2];
  info[KStart] = info[Left] = e.i32(0);
  info[KCount] = params[KTiles];
  info[Valid] = e.resize(inside, e.intTy(32));
  info[Tile] = numberOf(e, params, mnl);
  info[Next] = next;
  return info;
}

static Words blockIds(Emitter &e) {
  return {NVVM::BlockIdXOp::create(e.b, e.loc, e.intTy(32)), NVVM::BlockIdYOp::create(e.b, e.loc, e.intTy(32)),
          NVVM::BlockIdZOp::create(e.b, e.loc, e.intTy(32))};
}

/// Blocks beyond `units` have nothing to do.
static Words firstWork(Emitter &e, SchedulerKind kind, ValueRange params) {
  if (kind == SchedulerKind::DP)
    return workOf(e, params, blockIds(e), Value(), e.i32(0));
  Value unit = NVVM::BlockIdXOp::create(e.b, e.loc, e.intTy(32));
  Value is = e.icmp(Predicate::ult, unit, params[Units]), left = e.i32(0);
  if (kind == SchedulerKind::StreamK) {
    Value steps = e.mul(params[StreamKTiles], params[KTiles]);
    Value longer = e.icmp(Predicate::ult, unit, urem(e, steps, params[Units]));
    left = e.select(is, e.add(udiv(e, steps, params[Units]), e.resize(longer, e.intTy(32))), left);
  }
  Value next = e.select(is, e.add(params[StreamKTiles], unit), allTiles(e, params));
  return workAt(e, kind, params, left, next);
}

static Words advance(Emitter &e, SchedulerKind kind, ValueRange params, ValueRange info) {
  Words next(info.begin(), info.end());
  if (kind == SchedulerKind::StreamK) {
    Value some = e.icmp(Predicate::ne, info[Left], e.i32(0));
    next[Left] = e.select(some, e.sub(info[Left], info[KCount]), info[Left]);
    next[Next] = e.select(some, info[Next], e.add(info[Next], params[Units]));
  } else {
    next[Next] = e.add(info[Next], params[Units]);
  }
  return next;
}

static Words current(Emitter &e, SchedulerKind kind, ValueRange params, ValueRange info) {
  if (kind != SchedulerKind::DP)
    return workAt(e, kind, params, info[Left], info[Next]);
  return workOf(e, params, {info[M], info[N], info[L]}, e.icmp(Predicate::eq, info[Next], e.i32(0)), info[Next]);
}

//===----------------------------------------------------------------------===//
// SM100: PTX ISA, "clusterlaunchcontrol"
//===----------------------------------------------------------------------===//

static void ask(Emitter &e, Value answer) {
  Value tid = NVVM::ThreadIdXOp::create(e.b, e.loc, e.intTy(32));
  e.onlyIf(e.icmp(Predicate::eq, tid, e.i32(0)),
           [&](Emitter &one) { tilellvm::askForBlock(one, answer, one.offsetBytes(answer, kAnswerBytes)); });
}

/// `info[Next]` counts answers, so its last bit is the phase of the next one.
static Words answered(Emitter &e, ValueRange scheduler, ValueRange info, const Facts &facts) {
  Value answer = scheduler[0];
  spinOn(e, Barrier{answer, kAnswerBytes}, e.andi(info[Next], e.i32(1)), facts.clusters);
  Value id = tilellvm::readAnswer(e, answer);
  NVVM::Barrier0Op::create(e.b, e.loc);
  return workOf(e, scheduler.drop_front(), tilellvm::blockCoordinates(e, id), tilellvm::isBlock(e, id),
                e.add(info[Next], e.i32(1)));
}

static std::optional<SchedulerKind> kindOf(Value scheduler) {
  if (auto params = dyn_cast<SchedulerParamsType>(scheduler.getType()))
    return params.getKind();
  return std::nullopt;
}

static void populateWorkPatterns(Patterns &patterns) {
  patterns.add<InitialWorkTileInfoOp>([](InitialWorkTileInfoOp op, auto a, Emitter &e, const Facts &) {
    if (std::optional<SchedulerKind> kind = kindOf(op.getScheduler()))
      return Results{firstWork(e, *kind, a.getScheduler())};
    return Results{firstWork(e, SchedulerKind::DP, a.getScheduler().drop_front())};
  });
  patterns.add<AdvanceToNextWorkOp>([](AdvanceToNextWorkOp op, auto a, Emitter &e, const Facts &) {
    if (std::optional<SchedulerKind> kind = kindOf(op.getScheduler()))
      return Results{advance(e, *kind, a.getScheduler(), a.getInfo())};
    ask(e, a.getScheduler()[0]);
    return Results{Words(a.getInfo())};
  });
  patterns.add<GetCurrentWorkOp>([](GetCurrentWorkOp op, auto a, Emitter &e, const Facts &facts) {
    if (std::optional<SchedulerKind> kind = kindOf(op.getScheduler()))
      return Results{current(e, *kind, a.getScheduler(), a.getInfo())};
    return Results{answered(e, a.getScheduler(), a.getInfo(), facts)};
  });
  patterns.add<FetchNextWorkOp>([](FetchNextWorkOp op, auto a, Emitter &e, const Facts &facts) {
    if (std::optional<SchedulerKind> kind = kindOf(op.getScheduler()))
      return Results{current(e, *kind, a.getScheduler(), advance(e, *kind, a.getScheduler(), a.getInfo()))};
    ask(e, a.getScheduler()[0]);
    return Results{answered(e, a.getScheduler(), a.getInfo(), facts)};
  });
  patterns.add<QueryNextWorkOp>([](QueryNextWorkOp, auto a, Emitter &e, const Facts &facts) {
    return Results{answered(e, a.getScheduler(), a.getInfo(), facts)};
  });
  patterns.add<StaticFetchNextWorkOp>([](StaticFetchNextWorkOp, auto a, Emitter &e, const Facts &) {
    Words next = advance(e, SchedulerKind::StaticPersistent, a.getScheduler(), a.getInfo());
    return Results{workAt(e, SchedulerKind::StaticPersistent, a.getScheduler(), e.i32(0), next[Next])};
  });

  // A block of dp has no second tile; the others go on from the number of this one.
  auto create = [](auto op, auto a, Emitter &e, const Facts &) {
    Words info = {a.getM()[0], a.getN()[0], a.getL()[0], a.getKStart()[0], a.getKCount()[0]};
    Value tile = numberOf(e, a.getParams(), info);
    bool goesOn = op.getParams().getType().getKind() != SchedulerKind::DP;
    info.append({e.resize(a.getValid()[0], e.intTy(32)), tile, e.i32(0), goesOn ? tile : e.i32(0)});
    return Results{info};
  };
  patterns.add<CreateDPInfoOp, CreateStaticPersistentInfoOp, CreateStreamKInfoOp>(create);
  patterns.add<CreateSM100SchedulerOp>([](CreateSM100SchedulerOp op, auto a, Emitter &e, const Facts &) {
    Words scheduler = {storageOf(e, op)};
    Value tid = NVVM::ThreadIdXOp::create(e.b, e.loc, e.intTy(32));
    e.onlyIf(e.icmp(Predicate::eq, tid, e.i32(0)), [&](Emitter &one) {
      initBarrier(one, scheduler[0], kAnswerBytes, one.i32(1));
      NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    NVVM::Barrier0Op::create(e.b, e.loc);
    llvm::append_range(scheduler, a.getParams());
    return Results{scheduler};
  });
  patterns.add<GetWorkidResponsePtrOp>(
      [](GetWorkidResponsePtrOp, auto a, Emitter &, const Facts &) { return Results{{a.getScheduler()[0]}}; });

  patterns.add<GetWorkKTileStartOp>(
      [](GetWorkKTileStartOp, auto a, Emitter &, const Facts &) { return Results{{a.getInfo()[KStart]}}; });
  patterns.add<GetWorkKTileCountOp>(
      [](GetWorkKTileCountOp, auto a, Emitter &, const Facts &) { return Results{{a.getInfo()[KCount]}}; });
  patterns.add<InfoGetValueOp>([](InfoGetValueOp op, auto a, Emitter &, const Facts &) {
    return Results{{a.getInfo()[*getInfo(op.getName())]}};
  });
  patterns.add<InfoSetValueOp>([](InfoSetValueOp op, auto a, Emitter &, const Facts &) {
    Words info(a.getInfo());
    info[*getInfo(op.getName())] = a.getValue()[0];
    return Results{info};
  });
  patterns.add<InfoToCoordOp>([](InfoToCoordOp, auto a, Emitter &, const Facts &) {
    ValueRange info = a.getInfo();
    return Results{{info[M]}, {info[N]}, {info[KStart]}, {info[L]}};
  });
  patterns.add<InfoToCtaCoordOp>([](InfoToCtaCoordOp op, auto a, Emitter &e, const Facts &) {
    ValueRange info = a.getInfo();
    Value m = info[M], n = info[N];
    if (int32_t blocks = op.getCluster()[0]; blocks > 1)
      m = e.add(e.mul(m, e.i32(blocks)), NVVM::BlockInClusterIdXOp::create(e.b, e.loc, e.intTy(32)));
    if (int32_t blocks = op.getCluster()[1]; blocks > 1)
      n = e.add(e.mul(n, e.i32(blocks)), NVVM::BlockInClusterIdYOp::create(e.b, e.loc, e.intTy(32)));
    return Results{{m}, {n}, {info[L]}};
  });
  patterns.add<ComputeEpilogueOp>([](ComputeEpilogueOp, auto a, Emitter &e, const Facts &) {
    ValueRange info = a.getInfo();
    Value last = e.icmp(Predicate::eq, e.add(info[KStart], info[KCount]), a.getParams()[KTiles]);
    return Results{{e.both(last, e.icmp(Predicate::ne, info[Valid], e.i32(0)))}};
  });
}

//===----------------------------------------------------------------------===//
// Fix-up
//===----------------------------------------------------------------------===//

template <typename Op, typename Adaptor> static Value fixup(Op op, Adaptor a, Emitter &e) {
  ValueRange params = a.getParams(), info = a.getInfo();
  Value sums = a.getSums()[0], thread = a.getThread()[0], flags = a.getFlags()[0];
  auto type = cast<VectorType>(sums.getType());
  int64_t threads = op.getThreads();
  Value divided = e.icmp(Predicate::ne, info[KCount], params[KTiles]);
  auto outer = scf::IfOp::create(e.b, e.loc, type, divided, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToEnd(outer.elseBlock());
  scf::YieldOp::create(e.b, e.loc, sums);
  e.b.setInsertionPointToEnd(outer.thenBlock());

  int64_t bytes = threads * type.getNumElements() * type.getElementTypeBitWidth() / 8;
  Value tile = e.resize(info[Tile], e.intTy(64));
  Value place = e.offsetBytes(a.getWorkspace()[0], e.mul(tile, e.i64(bytes)));
  Value before = e.icmp(Predicate::ne, info[KStart], e.i32(0));
  auto inner = scf::IfOp::create(e.b, e.loc, type, before, /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard innerGuard(e.b);
    e.b.setInsertionPointToEnd(inner.elseBlock());
    scf::YieldOp::create(e.b, e.loc, sums);
    e.b.setInsertionPointToEnd(inner.thenBlock());
    waitForFlag(e, flags, info[Tile], thread, info[KStart], /*whileLess=*/false, a.getSyncId(), a.getSyncThreads());
    Value there = loadStriped(e, place, thread, threads, type);
    scf::YieldOp::create(e.b, e.loc, addFragments(e, there, sums));
  }
  Value sum = inner.getResult(0);
  Value last = e.icmp(Predicate::eq, e.add(info[KStart], info[KCount]), params[KTiles]);
  e.onlyIf(e.xori(last, e.i1(true)), [&](Emitter &in) {
    storeStriped(in, place, thread, threads, sum);
    addToFlag(in, flags, info[Tile], thread, info[KCount], a.getSyncId(), a.getSyncThreads());
  });
  scf::YieldOp::create(e.b, e.loc, sum);
  return outer.getResult(0);
}

static void populateFixupPatterns(Patterns &patterns) {
  patterns.add<FixupOp>([](FixupOp op, auto a, Emitter &e, const Facts &) { return Results{{fixup(op, a, e)}}; });
  patterns.add<FixupWaitOp>([](FixupWaitOp, auto a, Emitter &e, const Facts &) {
    waitForFlag(e, a.getFlags()[0], a.getInfo()[Tile], a.getThread()[0], a.getInfo()[KStart], /*whileLess=*/false,
                a.getSyncId(), a.getSyncThreads());
    return Results();
  });
  patterns.add<FixupIncrementOp>([](FixupIncrementOp, auto a, Emitter &e, const Facts &) {
    addToFlag(e, a.getFlags()[0], a.getInfo()[Tile], a.getThread()[0], a.getInfo()[KCount], a.getSyncId(),
              a.getSyncThreads());
    return Results();
  });
  patterns.add<InitializeWorkspaceOp>([](InitializeWorkspaceOp op, auto a, Emitter &e, const Facts &) {
    Value flags = a.getFlags()[0];
    auto loop = scf::ForOp::create(e.b, e.loc, a.getThread()[0], a.getParams()[StreamKTiles], e.i32(op.getThreads()));
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(loop.getBody());
    Value flag = LLVM::GEPOp::create(e.b, e.loc, flags.getType(), e.intTy(32), flags,
                                     ArrayRef<LLVM::GEPArg>{loop.getInductionVar()});
    LLVM::StoreOp::create(e.b, e.loc, e.i32(0), flag, 4);
    return Results();
  });
}

//===----------------------------------------------------------------------===//
// Observation
//===----------------------------------------------------------------------===//

static void populateReportPatterns(Patterns &patterns) {
  auto time = [](auto, auto a, Emitter &e, const Facts &) {
    Value now = inlinePtx(e, e.intTy(64), {}, "mov.u64 $0, %globaltimer;", "=l", Access::Any);
    LLVM::StoreOp::create(e.b, e.loc, now, a.getWhere()[0], 8);
    return Results();
  };
  patterns.add<ModsReportMainloopStartOp, ModsReportMainloopEndOp>(time);
  patterns.add<ModsReportSmidOp>([](ModsReportSmidOp, auto a, Emitter &e, const Facts &) {
    Value number = inlinePtx(e, e.intTy(32), {}, "mov.u32 $0, %smid;", "=r", Access::Any);
    LLVM::StoreOp::create(e.b, e.loc, number, a.getWhere()[0], 4);
    return Results();
  });
  patterns.add<ModsThrottleOp>([](ModsThrottleOp, auto a, Emitter &e, const Facts &) {
    inlinePtx(e, Type(), a.getNs()[0], "nanosleep.u32 $0;", "r", Access::Any);
    return Results();
  });
}

void cutlassllvm::populateSchedulerPatterns(Patterns &patterns) {
  addMake<MakeDPParamsOp>(patterns, SchedulerKind::DP);
  addMake<MakeStaticPersistentParamsOp>(patterns, SchedulerKind::StaticPersistent);
  addMake<MakeStreamKParamsOp>(patterns, SchedulerKind::StreamK);
  addCreate<CreateDPParamsOp>(patterns, SchedulerKind::DP);
  addCreate<CreateStaticPersistentParamsOp>(patterns, SchedulerKind::StaticPersistent);
  addCreate<CreateStreamKParamsOp>(patterns, SchedulerKind::StreamK);
  patterns.add<ParamsGetValueOp>([](ParamsGetValueOp op, auto a, Emitter &, const Facts &) {
    return Results{{a.getParams()[*getParam(op.getName())]}};
  });
  patterns.add<GetGridShapeOp>([](GetGridShapeOp op, auto a, Emitter &e, const Facts &) {
    ValueRange params = a.getParams();
    if (op.getParams().getType().getKind() == SchedulerKind::DP)
      return Results{{params[TilesM]}, {params[TilesN]}, {params[TilesL]}};
    return Results{{params[Units]}, {e.i32(1)}, {e.i32(1)}};
  });
  patterns.add<GetWorkspaceSizesOp>([](GetWorkspaceSizesOp op, auto a, Emitter &e, const Facts &) {
    Value tiles = e.resize(a.getParams()[StreamKTiles], e.intTy(64));
    return Results{{e.mul(tiles, e.i64(op.getTileBytes()))}, {e.mul(tiles, e.i64(4))}};
  });
  populateWorkPatterns(patterns);
  populateFixupPatterns(patterns);
  populateReportPatterns(patterns);
}
