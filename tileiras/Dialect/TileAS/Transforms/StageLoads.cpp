//===- StageLoads.cpp - tileas-stage-loads --------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles that a loop over products loads into registers, because they are converted first or lie in memory the other way
// round, cannot be loaded an iteration ahead where registers are short. Shared memory can hold them as they come:
//
//     x = load                     tile = alloc, copy into tile
//     use x                  ->    wait, x = convert_layout tile
//                                  use x
//
// so that tileas-materialize-async makes a ring of the tiles. A thread reads what it has copied itself, in accesses as
// wide, so the layout is free of conflicts both ways. It costs a trip through shared memory, and only pays where it is
// a ring of several stages, or of one for each stream, that comes of it; otherwise the loop stays as it is.
//
// Bytes that a product wants along the other dimension than they lie in memory (factors of wgmma of 8 bits) are turned
// on their way, where threads would write byte by byte what they have loaded (Support/ByteTurn.h). Beside a factor that
// is copied as it is, stmatrix turns what registers have held for an iteration (tileas-prefetch-loads): that takes one
// place in shared memory, where a ring has as many as stages. Where registers have no room for that, or both factors
// lie across, they come through a ring if two stages have room, and ldmatrix turns them.
//
// Where TMA is asked for (TILEIR_PREFER_TMA_FOR_LOAD_STORE=true), loops without products get rings, too, in the layout
// that tensor copies write: reductions over long rows, elementwise chains. Copies of either kind leave zero outside of
// an array; if the padding of a view is another value, the tile gets that when it is in registers,
//
//     x = pad (convert_layout tile) outside view[...]
//
// which is one branch for a tile inside of the array, and a selection for each element of one at its edge.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PrefetchLoads.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ByteTurn.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/MatrixFetch.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_STAGELOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::TiledViewType;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

/// A load and what takes its place, until it is decided which of both stays.
struct Staged {
  TiledLoadOp load;
  AllocTensorOp tile;
  AsyncTiledLoadOp copy;
  AsyncWaitOp wait;
  ConvertLayoutOp read;
  PadOp pad;                       ///< none where the padding is zero
  nv_tileaa::BlockTileOp of;       ///< with `pad`: the same view with zero outside
  SmallVector<Operation *> shapes; ///< of the tile in shared memory, the last one first
  CopyOp turned;                   ///< who reads bytes that are turned, in another layout than the load's
  Value before;                    ///< what that read

  Value result() { return pad ? pad.getResult() : read.getResult(); }
};

/// How a tile lies in shared memory, who reads it how, and how many bytes a copy has.
struct Place {
  tileiras::SharedPlan plan;
  int64_t run;
};

/// Bytes that a copy writes along another dimension (`along`) than they lie in memory (`dense`).
struct Across {
  LoadForOne found;
  CopyOp copy;
  RankedTensorType type; ///< of what is copied
  LinearLayout layout, written;
  int dense, along;
};

/// The same for bytes that are turned on their way, and how.
struct Turn : Place {
  LoadForOne found;
  CopyOp copy;
  RankedTensorType type;
  int matrices;
};

/// What is staged of a loop.
enum class What { Products, Turns, Streams };

/// Rows as tensor copies write them: as they come, or 128 bytes wide and swizzled.
SmallVector<LinearLayout> rowsForTma(ArrayRef<int64_t> shape, int dense, int64_t bytes) {
  SmallVector<LinearLayout> layouts;
  for (int64_t width : {int64_t(256), 128 / bytes}) {
    width = std::min(width, shape[dense]);
    LinearLayout::InDim offset{tileiras::kOffset, {}};
    auto take = [&](int dim, int64_t from, int64_t to) {
      for (int64_t value = from; value < to; value *= 2) {
        offset.bases.emplace_back(shape.size());
        offset.bases.back()[dim] = int32_t(value);
      }
    };
    take(dense, 1, width);
    for (int dim = int(shape.size()) - 1; dim >= 0; --dim)
      if (dim != dense)
        take(dim, 1, shape[dim]);
    take(dense, width, shape[dense]);
    LinearLayout plain({offset}, std::vector<int32_t>(shape.begin(), shape.end()));
    layouts.push_back(plain);
    if (width * bytes == 128)
      layouts.push_back(tileiras::applySwizzle(plain, tileiras::Swizzle::hardware(128, int(bytes))));
  }
  return layouts;
}

/// The first operation of the load's block that uses the tile, itself or what it contains; null if another block does.
Operation *firstUser(TiledLoadOp load) {
  Operation *first = nullptr;
  for (Operation *user : load.getResult().getUsers()) {
    Operation *here = load->getBlock()->findAncestorOpInBlock(*user);
    if (!here)
      return nullptr;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

struct StageLoadsPass : nv_tileas::impl::StageLoadsPassBase<StageLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1 || getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    bool asked = target && target->hasTma() && target->tensormapReplace && getTmaPreference() == TmaPreference::Always;
    for (CountedLoop loop : nv_tileaa::getCountedLoops(getOperation())) {
      if (needsStages(loop))
        stage(loop, What::Products);
      else if (hasTurns(loop))
        stage(loop, What::Turns);
      else if (asked && isStream(loop))
        stage(loop, What::Streams);
    }
  }

private:
  /// Whether no other loop is inside, and there may be a second round.
  static bool hasRoundsOfItsOwn(CountedLoop loop) {
    bool nested = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    std::optional<APInt> trips = loop.getStaticTripCount();
    return !nested && (!trips || trips->ugt(1));
  }

  /// Whether the loop has products of its own, loads tiles, and no way of its own to have them under way earlier.
  static bool needsStages(CountedLoop loop) {
    return hasRoundsOfItsOwn(loop) && countProducts(loop) && loop.getBody()->getOps<AsyncCopyOpInterface>().empty() &&
           !loop.getBody()->getOps<TiledLoadOp>().empty() && !loadsDuringProducts(loop) && !registersHoldLoads(loop);
  }

  /// Whether the loop has products of its own and loads bytes that they want turned.
  static bool hasTurns(CountedLoop loop) {
    return hasRoundsOfItsOwn(loop) && countProducts(loop) &&
           llvm::any_of(loop.getBody()->getOps<TiledLoadOp>(),
                        [](TiledLoadOp load) { return turnOf(load).has_value(); });
  }

  /// What lies in memory along another dimension than the copy that is its only user wants it, under whatever shape.
  static std::optional<Across> acrossOf(TiledLoadOp load) {
    Value tile = load.getResult();
    CopyOp copy;
    while (!copy && tile.hasOneUse()) {
      Operation *user = *tile.user_begin();
      copy = dyn_cast<CopyOp>(user);
      if (!copy && !isReshape(user))
        return std::nullopt;
      tile = copy ? tile : user->getResult(0);
    }
    if (!copy || copy.getResult() || !copy.getDest() || copy->hasAttr(kStoreAtomAttr) ||
        copy->getBlock() != load->getBlock() || !isIn(copy.getDest().getType(), MemoryKind::Shared))
      return std::nullopt;
    std::optional<LoadForOne> found = LoadForOne::of(copy.getSource());
    auto type = dyn_cast<RankedTensorType>(copy.getSource().getType());
    if (!found || !type || getMemoryBits(type.getElementType()) != 8)
      return std::nullopt;
    LinearLayout layout = getLinearLayout(type),
                 written = getLinearLayout(cast<RankedTensorType>(copy.getDest().getType()));
    auto dimensionOf = [](const LinearLayout &of, tileiras::DimName in) {
      std::vector<int32_t> first = of.inBits(in) ? of.basis(in, 0) : std::vector<int32_t>();
      auto one = llvm::find(first, 1);
      return one == first.end() ? -1 : int(one - first.begin());
    };
    int dense = dimensionOf(layout, tileiras::kRegister), along = dimensionOf(written, tileiras::kOffset);
    if (dense < 0 || along < 0 || along == dense || layout.inSize(tileiras::kBlock) > 1)
      return std::nullopt;
    return Across{*found, copy, type, layout, written, dense, along};
  }

  /// How ldmatrix turns the tile. None if it does not lie across, or not without bank conflicts.
  static std::optional<Turn> turnOf(TiledLoadOp load) {
    std::optional<Across> across = acrossOf(load);
    if (!across)
      return std::nullopt;
    const LinearLayout &layout = across->layout;
    std::optional<LinearLayout> turned =
        tileiras::turnedBytes(layout.shape(), across->dense, across->along, layout.inBits(tileiras::kWarp));
    std::optional<tileiras::ByteTurn> turn = turned ? tileiras::byteTurn(*turned) : std::nullopt;
    std::optional<tileiras::SharedPlan> plan =
        turn ? tileiras::planMatrixFetch(layout, turn->fetch, /*elementBytes=*/1) : std::nullopt;
    std::optional<tileiras::SharedPlan> words =
        plan ? tileiras::planSharedThrough(across->written, *turned, *turned, /*elementBytes=*/1) : std::nullopt;
    if (!words || words->store.vectorBits < 2)
      return std::nullopt;
    for (Operation *shape : across->found.shapes) {
      std::optional<LinearLayout> before = inferOperandLayout(shape, 0, plan->memory);
      if (!before)
        return std::nullopt;
      plan->memory = *before;
    }
    int64_t most = std::min<int64_t>(load.getVec().value_or(1), 16);
    int64_t run = across->found.runBytes(plan->memory, most, /*bytes=*/1);
    if (run < 4 || run < most)
      return std::nullopt;
    return Turn{{*plan, run},
                across->found,
                across->copy,
                withLayout(across->type, getLayoutAttr(load.getContext(), *turned)),
                2 * turn->fetch.matrices()};
  }

  /// Has threads load the tile so that stmatrix turns it, if registers hold it an iteration ahead. False if that is not
  /// so, and nothing has changed.
  bool turnOutOfRegisters(CountedLoop loop, TiledLoadOp load) {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    std::optional<Across> across = acrossOf(load);
    constexpr int64_t run = 16;
    if (!across || !target || !target->stmatrix || load.getVec().value_or(1) < run)
      return false;
    std::optional<LinearLayout> loaded = tileiras::loadedBytes(across->layout.shape(), across->dense, across->along,
                                                               across->layout.inBits(tileiras::kWarp));
    std::optional<tileiras::ByteStore> store = loaded ? tileiras::byteStore(*loaded) : std::nullopt;
    std::optional<tileiras::SharedPlan> plan =
        store ? tileiras::planSharedThrough(across->written, store->rows.rows, store->rows.rows, /*elementBytes=*/1)
              : std::nullopt;
    std::optional<LinearLayout> offsets = plan ? store->rows.rows.invertAndCompose(across->written) : std::nullopt;
    if (!offsets || plan->store.conflicts() ||
        !store->rows.readsFrom(offsets->sublayout(offsets->inNames(), {tileiras::kOffset})))
      return false;
    // From the copy to the load.
    SmallVector<std::pair<Value, LinearLayout>> layouts = {{across->copy.getSource(), *loaded}};
    for (Operation *shape : across->found.shapes) {
      std::optional<LinearLayout> before = inferOperandLayout(shape, 0, layouts.back().second);
      if (!before)
        return false;
      layouts.emplace_back(shape->getOperand(0), *before);
    }
    SmallVector<Type> before;
    for (auto &[value, layout] : layouts) {
      before.push_back(value.getType());
      value.setType(withLayout(cast<RankedTensorType>(value.getType()), getLayoutAttr(&getContext(), layout)));
    }
    std::optional<uint32_t> vec = load.getVec();
    load.setVec(run);
    across->copy->setAttr(kStoreAtomAttr, StsmAttr::get(&getContext(), store->rows.matrices(), /*transposed=*/true));
    if (registersHold(loop, load))
      return true;
    across->copy->removeAttr(kStoreAtomAttr);
    load.setVec(vec);
    for (auto [entry, type] : llvm::zip_equal(layouts, before))
      entry.first.setType(type);
    return false;
  }

  /// Whether the loop has no products, and loads tiles that may come by TMA.
  static bool isStream(CountedLoop loop) {
    return hasRoundsOfItsOwn(loop) && !countProducts(loop) && loop.getBody()->getOps<AsyncCopyOpInterface>().empty() &&
           !loop.getBody()->getOps<TiledLoadOp>().empty();
  }

  /// All loads of a loop with products that loads have to wait for, or none; of others those that are turned, or may
  /// come by TMA.
  void stage(CountedLoop loop, What what) {
    bool forTma = what == What::Streams;
    SmallVector<Staged> staged;
    SmallVector<AllocTensorOp> tiles;
    // Where no factor is copied as it is, there is no ring unless those that are turned have one; and what an agent
    // copies for others is in a ring.
    bool hasRing = !agents && !loop.getBody()->getOps<AsyncCopyOpInterface>().empty();
    bool whole = true;
    for (TiledLoadOp load : llvm::make_early_inc_range(loop.getBody()->getOps<TiledLoadOp>())) {
      if (load.getResult().use_empty())
        continue;
      StringRef why = "its address, its tokens or its elements do not allow copies ahead";
      if (what == What::Turns && (!turnOf(load) || (hasRing && turnOutOfRegisters(loop, load))))
        continue;
      std::optional<Staged> one = stageOne(loop, load, forTma, why);
      whole &= bool(one) || what != What::Products;
      if (!one && forTma)
        remarks::missed(load, remarks::kMemory, "Tma") << remarks::because(why);
      if (!one)
        continue;
      staged.push_back(*one);
      tiles.push_back(one->tile);
    }
    if (what == What::Turns)
      for (AsyncCopyOpInterface copy : loop.getBody()->getOps<AsyncCopyOpInterface>())
        if (auto tile = copy.getDest().getDefiningOp<AllocTensorOp>(); tile && !llvm::is_contained(tiles, tile))
          tiles.push_back(tile);
    if (!whole || staged.empty() || !haveRoom(loop, tiles)) {
      if (what == What::Turns && !staged.empty())
        remarks::missed(staged.front().load, remarks::kMemory, "Turn")
            << remarks::because("shared memory has no room for two stages of bytes that ldmatrix would turn: threads "
                                "write them one by one");
      return undo(staged);
    }
    for (Staged &one : staged) {
      // The shapes in registers, which nobody has any more.
      while (Operation *shape = one.before ? one.before.getDefiningOp() : nullptr) {
        if (shape == one.load)
          break;
        one.before = shape->getOperand(0);
        shape->erase();
      }
      one.load.erase();
    }
    numStaged += staged.size();
  }

  /// For two stages of all tiles, or for one of each, if one is read before the next one is waited for.
  bool haveRoom(CountedLoop loop, ArrayRef<AllocTensorOp> tiles) {
    SharedPlan plan(getOperation());
    int64_t room = SharedMemory(getOperation()).roomToKeep();
    return plan.bytesWithRing(loop, tiles, 2) <= room ||
           (tiles.size() > 1 && plan.bytesWithRing(loop, tiles, 1) <= room);
  }

  /// Where a tile can wait to be read as `load` has it. None if copies of four bytes or more, as wide as the load's
  /// accesses, cannot put it there.
  static std::optional<Place> placeOf(LoadForOne &found, bool forTma) {
    TiledLoadOp load = found.load;
    RankedTensorType type = load.getResult().getType();
    TiledViewType view = load.getView().getType();
    int64_t bytes = getStorageBytes(type.getElementType());
    int64_t most = std::min<int64_t>(load.getVec().value_or(1), 16 / bytes);
    LinearLayout layout = getLinearLayout(type);
    std::optional<Place> best;
    auto consider = [&](std::optional<tileiras::SharedPlan> plan) {
      int64_t run = plan ? found.runBytes(plan->memory, most, bytes) : 0;
      if (run >= 4 && run >= most * bytes && (!best || plan->cost() < best->plan.cost()))
        best = Place{*plan, run};
    };
    if (!forTma) {
      consider(tileiras::planSharedConvert(layout, layout, bytes));
      return best;
    }
    int dense = getDenseDimension(view);
    if (dense < 0 || layout.inSize(tileiras::kBlock) > 1)
      return best;
    for (const LinearLayout &memory : rowsForTma(type.getShape(), dense, bytes)) {
      auto tile = withLayout(type, getSharedLayoutAttr(load.getContext(), memory));
      if (describeTma(view.withPadding(nv_tileaa::PaddingValue::Zero), tile))
        consider(tileiras::planSharedThrough(memory, layout, layout, int(bytes)));
    }
    return best;
  }

  /// None if the load cannot be made ahead, and `why` if there is more to say about it.
  std::optional<Staged> stageOne(CountedLoop loop, TiledLoadOp load, bool forTma, StringRef &why) {
    Operation *user = firstUser(load);
    LoadForOne found{load, {}};
    auto type = load.getResult().getType();
    TiledViewType view = load.getView().getType();
    int64_t bytes = getStorageBytes(type.getElementType());
    bool pads = view.getPadding() && *view.getPadding() != nv_tileaa::PaddingValue::Zero;
    // Tensor maps are of views that are made outside of loops.
    auto block = load.getView().getDefiningOp<nv_tileaa::BlockTileOp>();
    if (forTma && block && !loop.isDefinedOutsideOfLoop(block) && loop.isDefinedOutsideOfLoop(block.getSource()))
      if (Operation *memref = block.getSource().getDefiningOp())
        block->moveAfter(memref);
    if (!user || !found.mayWaitUntil(user, /*anyPadding=*/forTma && block && loop.isDefinedOutsideOfLoop(block)) ||
        getMemoryBits(type.getElementType()) != 8 * bytes)
      return std::nullopt;
    llvm::SetVector<Value> tokens;
    OtherIteration other(loop, loop.getInductionVar());
    for (Value operand : load->getOperands())
      if (operand != load.getToken() && failed(other.check(operand, OtherIteration::At, why)))
        return std::nullopt;
    if (failed(collectTokens(loop, load.getToken(), tokens)))
      return std::nullopt;
    if (BoolAttr allowed = load.getAllowTmaAttr(); forTma && allowed && !allowed.getValue()) {
      why = "allow_tma is false";
      return std::nullopt;
    }
    std::optional<Turn> turn = forTma ? std::nullopt : turnOf(load);
    if (turn)
      found = turn->found, user = turn->copy;
    std::optional<Place> place = turn ? std::optional<Place>(*turn) : placeOf(found, forTma);
    if (!place) {
      why = "the tile does not lie in shared memory as tensor copies write it, or threads could not copy it instead";
      return std::nullopt;
    }

    OpBuilder builder(load);
    Staged one{load, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    Value tile = found.copyPastRegisters(builder, place->plan.memory, place->run, user, /*asyncProxy=*/false);
    Value whole = tile;
    for (; !whole.getDefiningOp<AllocTensorOp>(); whole = whole.getDefiningOp()->getOperand(0))
      one.shapes.push_back(whole.getDefiningOp());
    one.tile = whole.getDefiningOp<AllocTensorOp>();
    for (Operation *use : whole.getUsers())
      if (auto copy = dyn_cast<AsyncTiledLoadOp>(use))
        one.copy = copy;
    // Tensor copies and agents that copy for others are for tiles that a product reads as they come.
    if (!forTma)
      one.copy->setAttr("allow_tma", builder.getBoolAttr(false));
    one.wait = cast<AsyncWaitOp>(*one.copy.getDone().user_begin());
    auto atom = AtomPlanAttr::get(&getContext(), /*tag=*/1, bytes << place->plan.load.vectorBits);
    builder.setInsertionPoint(user);
    one.read = ConvertLayoutOp::create(builder, load.getLoc(), turn ? turn->type : type, tile, atom,
                                       /*reinterpret_byte=*/false);
    if (turn) {
      one.read->setAttr(kLoadAtomAttr, LdsmAttr::get(&getContext(), turn->matrices, /*transposed=*/true));
      one.turned = turn->copy;
      one.before = turn->copy.getSource();
      one.turned.getSourceMutable().assign(one.read);
      return one;
    }
    if (pads) {
      one.pad = PadOp::create(builder, load.getLoc(), type, one.read.getResult(), load.getView(), load.getIndices(),
                              load.getInBoundsAttr());
      one.of = withZeros[block];
      builder.setInsertionPointAfter(block);
      if (!one.of)
        one.of = nv_tileaa::BlockTileOp::create(builder, block.getLoc(),
                                                view.withPadding(nv_tileaa::PaddingValue::Zero), block.getSource());
      withZeros[block] = one.of;
      one.copy.getViewMutable().assign(one.of);
    }
    load.getResult().replaceAllUsesWith(one.result());
    return one;
  }

  void undo(ArrayRef<Staged> staged) {
    for (Staged one : staged) {
      if (one.turned)
        one.turned.getSourceMutable().assign(one.before);
      else
        one.result().replaceAllUsesWith(one.load.getResult());
      one.copy.getResultToken().replaceAllUsesWith(one.load.getResultToken());
      SmallVector<Operation *> made = {one.pad.getOperation(), one.read.getOperation(), one.wait.getOperation()};
      made.append(one.shapes);
      made.append({one.copy.getOperation(), one.tile.getOperation()});
      for (Operation *op : made)
        if (op)
          op->erase();
      if (one.of && one.of->use_empty()) {
        withZeros.erase(one.load.getView().getDefiningOp());
        one.of.erase();
      }
    }
  }

  /// The same views with zero outside, by the operations that make them.
  llvm::DenseMap<Operation *, nv_tileaa::BlockTileOp> withZeros;
};

} // namespace
