//===- StageStores.cpp - tileas-stage-stores ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile that would be converted through shared memory in order to be stored in long runs leaves from there by TMA,
// where there is a tensor map for the array:
//
//     %m, %usable = make_tiled_tma_desc %view
//     ...                                                     if %usable {
//     %c = convert_layout %sums                                 copy %sums into %tile; tiled_tma_store %tile; wait
//     tiled_store %view[...], %c            becomes           } else {
//                                                               convert_layout, tiled_store, as they were
//                                                             }
//
// Nothing is read back into registers, no thread computes an address or compares with the array's end. The tile lies as
// tensor copies read it, in rows of 128 bytes with the hardware's swizzle, which stmatrix writes without bank
// conflicts; tiles that threads would write with conflicts stay as they are, unless TMA is asked for. Parts of the tile
// that different warpgroups hold are boxes of their own, so that each of two agents that compute (DualAgents.h) can
// store what is its.
//
// Where the whole tile would take too much shared memory it goes in slices of the dimension that is dense in memory,
// through two buffers in turns. Before one of them is written again, whoever stores has waited until the copy before
// the last has read it (PTX ISA, "cp.async.bulk.wait_group", .read). Behind the last one the same, or, if a token
// orders anything after the store, until global memory has been written.
//
// Whether tensor maps are looked for at all is decided when it is known how loops load, by
// lower-tma-load-store-to-async, which otherwise puts back what was here.
//
// Tiles that are combined with a view atomically (tiled_atomic_rmw) leave the same way where TMA is asked for, by
// cp.reduce.async.bulk.tensor, one instruction for a box instead of one for each element. (The model sees no gain:
// docs/pipelines.md.) Its elements are relaxed atomics of the device, which is what the operation asks for.
// But they go through the async proxy, and accesses through different proxies are not morally strong (PTX ISA, "Memory
// Consistency Model"): so this is done if all accesses of the kernel that are not weak can be done by TMA, and at run
// time all of them are, or none.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_STAGESTORESPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::TiledViewType;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

namespace {

/// Slices are not larger than this: of two that take turns one is filled while the other is stored.
constexpr int64_t kSliceBytes = 32 << 10;

/// How one store is done.
struct Plan {
  Value held;                ///< what is stored, in registers
  ConvertLayoutOp convert;   ///< what threads would do with it before they store it; null: nothing
  nv_tileaa::BlockTileOp of; ///< where the view is made
  int dense = 0;             ///< the dimension of the tile that is dense in memory
  int slices = 1;            ///< along that dimension
  TiledViewType view;        ///< of slices
  RankedTensorType part;     ///< a slice in registers
  RankedTensorType tile;     ///< a slice in shared memory
  TmaStoreAttr atom;
  StsmAttr stsm; ///< what writes the tile; null: st
};

/// Whether a bit of a coordinate is a bit of the registers' number alone.
bool isRegisterBit(const LinearLayout &layout, int dim, int32_t value) {
  bool found = false;
  for (tileiras::DimName in : layout.inNames())
    for (int bit = 0; bit < layout.inBits(in); ++bit) {
      std::vector<int32_t> basis = layout.basis(in, bit);
      if (!(basis[dim] & value))
        continue;
      bool alone = llvm::all_of(llvm::enumerate(basis),
                                [&](auto entry) { return entry.value() == (int(entry.index()) == dim ? value : 0); });
      if (found || in != tileiras::kRegister || !alone)
        return false;
      found = true;
    }
  return found;
}

/// The tile in shared memory: rows of at most 128 bytes, and what different warpgroups of `held` have one after the
/// other. Nothing if rows would be shorter than 16 bytes.
std::optional<LinearLayout> rowsForTma(ArrayRef<int64_t> shape, int dense, int64_t bytes, const LinearLayout &held) {
  int64_t width = std::min<int64_t>(shape[dense] * bytes, 128);
  if (width < 16)
    return std::nullopt;
  llvm::SmallSet<std::pair<int, int32_t>, 4> apart;
  constexpr int warpgroupBit = 2;
  for (int bit = warpgroupBit; bit < held.inBits(tileiras::kWarp); ++bit) {
    std::vector<int32_t> basis = held.basis(tileiras::kWarp, bit);
    auto first = llvm::find_if(basis, [](int32_t c) { return c != 0; });
    if (first != basis.end() && first - basis.begin() != dense && llvm::isPowerOf2_32(*first) &&
        std::all_of(first + 1, basis.end(), [](int32_t c) { return c == 0; }))
      apart.insert({int(first - basis.begin()), *first});
  }
  LinearLayout::InDim offset{tileiras::kOffset, {}};
  auto take = [&](int dim, int64_t from, int64_t to, bool whichApart) {
    for (int64_t value = from; value < to; value *= 2)
      if (apart.contains({dim, int32_t(value)}) == whichApart) {
        std::vector<int32_t> basis(shape.size());
        basis[dim] = int32_t(value);
        offset.bases.push_back(std::move(basis));
      }
  };
  take(dense, 1, width / bytes, false);
  for (int dim = int(shape.size()) - 1; dim >= 0; --dim)
    if (dim != dense)
      take(dim, 1, shape[dim], false);
  take(dense, width / bytes, shape[dense], false);
  for (int dim = int(shape.size()) - 1; dim >= 0; --dim)
    take(dim, 1, shape[dim], true);
  LinearLayout plain({offset}, std::vector<int32_t>(shape.begin(), shape.end()));
  return width < 32 ? plain : tileiras::applySwizzle(plain, tileiras::Swizzle::hardware(int(width), int(bytes)));
}

struct StageStoresPass : nv_tileas::impl::StageStoresPassBase<StageStoresPass> {
  void runOnOperation() override {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    if (!target || !target->hasTma() || !target->tensormapReplace || getTmaPreference() == TmaPreference::Never)
      return;
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    stmatrix = target->stmatrix;
    SharedMemory shared(getOperation());
    room = shared.piece();
    SmallVector<TiledStoreOp> stores;
    getOperation().walk([&](TiledStoreOp store) { stores.push_back(store); });
    for (TiledStoreOp store : stores) {
      Plan plan;
      if (StringRef why = planFor(store, plan); !why.empty()) {
        remarks::missed(store, remarks::kMemory, "TmaStore") << remarks::because(why);
        continue;
      }
      MakeTiledTmaDescOp map = mapOf(plan, /*isSigned=*/false);
      map->setAttr(kWithLoadsAttr, UnitAttr::get(&getContext()));
      stage(store, plan, map, map.getUsable());
      ++numStaged;
    }
    stageReductions();
  }

private:
  /// Why the store stays as it is, or nothing.
  StringRef planFor(TiledStoreOp store, Plan &plan) const {
    if (BoolAttr allowed = store.getAllowTmaAttr(); allowed && !allowed.getValue())
      return "allow_tma is false";
    if (store.getMemSemantic() != nv_tileaa::MemSemantic::Weak)
      return "tensor copies are weak";
    auto convert = store.getValue().getDefiningOp<ConvertLayoutOp>();
    if (convert && !convert->hasOneUse())
      return "others use the tile as it is stored";
    if (!convert || !isIn(convert.getSource().getType(), MemoryKind::Registers))
      return "the tile does not go through shared memory in order to be stored";
    plan.held = convert.getSource();
    plan.convert = convert;
    LinearLayout from = getLinearLayout(cast<RankedTensorType>(plan.held.getType()));
    tileiras::ConvertOptions options;
    options.elementBits = getStorageBytes(convert.getType().getElementType()) * 8;
    std::optional<tileiras::ConvertPlan> conversion =
        tileiras::planConvert(from, getLinearLayout(convert.getType()), options);
    if (!conversion || conversion->kind != tileiras::ConvertKind::SharedMemory)
      return "the tile does not go through shared memory in order to be stored";
    if (StringRef why = planTile(store, store.getView(), plan); !why.empty())
      return why;
    // Words as mma leaves them, two of a row in a thread, meet in the banks whatever the swizzle.
    if (!plan.stsm && getTmaPreference() != TmaPreference::Always) {
      LinearLayout layout = getLinearLayout(plan.part);
      std::optional<tileiras::SharedPlan> writes = tileiras::planSharedThrough(
          getLinearLayout(plan.tile), layout, layout, int(getStorageBytes(plan.part.getElementType())));
      if (!writes || writes->store.conflicts())
        return "threads would write the tile with bank conflicts";
    }
    return {};
  }

  /// How `plan.held` gets to its place in the view; or why it cannot.
  StringRef planTile(Operation *op, Value of, Plan &plan) const {
    auto view = cast<TiledViewType>(of.getType());
    plan.of = of.getDefiningOp<nv_tileaa::BlockTileOp>();
    if (!plan.of || plan.of->getParentOfType<LoopLikeOpInterface>() || plan.of->getParentOfType<nv_tileaa::Branch>())
      return "the view is made in a loop or a branch";
    if (getAgentSwitch(op))
      return "an agent stores it";
    if (!whyNoTma(view, /*isLoad=*/false).empty())
      return "no tensor map describes the view";
    auto held = cast<RankedTensorType>(plan.held.getType());
    LinearLayout layout = getLinearLayout(held);
    int64_t bytes = getStorageBytes(held.getElementType());
    if (layout.inBits(tileiras::kBlock))
      return "blocks of a cluster have parts of the tile";

    plan.dense = getDenseDimension(view);
    SmallVector<int64_t> shape(held.getShape());
    SmallVector<int64_t> steps(view.getTraversalStrides());
    bool isPartition = steps[plan.dense] == shape[plan.dense];
    while (held.getNumElements() / plan.slices * bytes > std::min(kSliceBytes, room / 2)) {
      int64_t half = shape[plan.dense] / 2;
      if (!isPartition || half * bytes < 128 || !isRegisterBit(layout, plan.dense, int32_t(half)))
        break;
      shape[plan.dense] = steps[plan.dense] = half;
      layout = layout.resizeOutDim(plan.dense, int32_t(half));
      plan.slices *= 2;
    }
    if (int64_t buffers = std::min(plan.slices, 2) * (held.getNumElements() / plan.slices) * bytes; buffers > room)
      return "shared memory has no room for the tile";
    MLIRContext *context = op->getContext();
    plan.view = view.withTiles(shape, steps);
    plan.part = RankedTensorType::get(shape, held.getElementType(), getLayoutAttr(context, layout));
    std::optional<LinearLayout> memory = rowsForTma(shape, plan.dense, bytes, layout);
    if (!memory || !memory->isPermutation())
      return "rows of the tile are shorter than 16 bytes";
    plan.tile = withLayout(plan.part, getSharedLayoutAttr(context, *memory));
    std::optional<tileiras::TmaTile> boxes = describeTma(plan.view, plan.tile, nullptr, /*isLoad=*/false);
    if (!boxes)
      return "the tile cannot lie in shared memory as tensor copies read it";
    plan.atom = TmaStoreAttr::get(context, boxes->box, boxes->order, boxes->swizzleBytes);
    plan.stsm = stmatrix ? getMatrixStoreInto(plan.part, *memory) : StsmAttr();
    return {};
  }

  //===--------------------------------------------------------------------===//
  // Reductions
  //===--------------------------------------------------------------------===//

  /// Why the tile is not combined by TMA, or nothing.
  StringRef planFor(TiledAtomicRMWOp op, Plan &plan) const {
    auto type = cast<RankedTensorType>(op.getValue().getType());
    if (op.getMemSemantic() != nv_tileaa::MemSemantic::Relaxed || op.getMemScope() == nv_tileaa::MemScope::Sys)
      return "tensor copies are relaxed, at the scope of the device";
    if (!isTensorReduction(op.getRmwMode(), type.getElementType()))
      return "tensor copies do not combine such elements this way";
    if (getTmaPreference() != TmaPreference::Always)
      return "threads combine elements that lie side by side as fast";
    plan.held = op.getValue();
    auto convert = op.getValue().getDefiningOp<ConvertLayoutOp>();
    if (convert && convert->hasOneUse() && isIn(convert.getSource().getType(), MemoryKind::Registers)) {
      plan.held = convert.getSource();
      plan.convert = convert;
    }
    return planTile(op, op.getView(), plan);
  }

  /// What the kernel does with memory that is not weak: reductions, and the first operation that is none.
  Operation *collectStrong(SmallVectorImpl<TiledAtomicRMWOp> &reductions) {
    Operation *other = nullptr;
    getOperation().walk([&](nv_tileaa::MemoryAccessOpInterface access) {
      if (auto reduction = dyn_cast<TiledAtomicRMWOp>(access.getOperation()))
        reductions.push_back(reduction);
      else if (!other && (access.isAtomic() || !access.isWeak()))
        other = access;
    });
    return other;
  }

  void stageReductions() {
    SmallVector<TiledAtomicRMWOp> reductions;
    Operation *other = collectStrong(reductions);
    if (reductions.empty())
      return;
    SmallVector<Plan> plans(reductions.size());
    StringRef why = other ? "the kernel has other strong accesses, which go through another proxy" : "";
    for (auto [op, plan] : llvm::zip_equal(reductions, plans)) {
      StringRef whyNot = planFor(op, plan);
      if (why.empty() && !whyNot.empty())
        why = whyNot;
    }
    // All of them look for all maps, so these stand before the first.
    for (auto [i, op] : llvm::enumerate(reductions))
      for (const Plan &plan : plans) {
        Operation *here = plan.of ? plan.of->getBlock()->findAncestorOpInBlock(*op) : nullptr;
        if (why.empty() && (!here || !plan.of->isBeforeInBlock(here)))
          why = "the view of another tile is made behind it";
      }
    if (!why.empty()) {
      for (TiledAtomicRMWOp op : reductions)
        remarks::missed(op, remarks::kMemory, "TmaReduce") << remarks::because(why);
      return;
    }
    SmallVector<MakeTiledTmaDescOp> maps;
    for (auto [op, plan] : llvm::zip_equal(reductions, plans))
      maps.push_back(mapOf(plan, needsSign(op.getRmwMode())));
    for (auto [op, plan, map] : llvm::zip_equal(reductions, plans, maps)) {
      OpBuilder builder(op);
      Value usable = map.getUsable();
      for (MakeTiledTmaDescOp another : maps)
        if (another != map)
          usable = arith::AndIOp::create(builder, op.getLoc(), usable, another.getUsable());
      remarks::passed(op, remarks::kMemory, "TmaReduce")
          << remarks::because("tensor copies combine the tile as the operation asks");
      stage(op, plan, map, usable);
    }
  }

  //===--------------------------------------------------------------------===//
  // Both
  //===--------------------------------------------------------------------===//

  /// The tensor map of a view's slices, which is looked for where the view is made.
  MakeTiledTmaDescOp mapOf(const Plan &plan, bool isSigned) {
    nv_tileaa::BlockTileOp block = plan.of;
    MakeTiledTmaDescOp &map = maps[{block->getOperand(0), TypeAttr::get(plan.view), plan.atom, int(isSigned)}];
    if (map)
      return map;
    OpBuilder builder(block->getContext());
    builder.setInsertionPointAfter(block);
    Value view = block.getResult();
    if (view.getType() != plan.view)
      view = nv_tileaa::BlockTileOp::create(builder, block.getLoc(), plan.view, block->getOperand(0));
    map = MakeTiledTmaDescOp::create(builder, block.getLoc(),
                                     TypeRange{TmaDescriptorIterType::get(&getContext()), builder.getI1Type()}, view,
                                     Value(), plan.atom, IntegerAttr(), isSigned);
    return map;
  }

  template <typename Op> void stage(Op store, const Plan &plan, MakeTiledTmaDescOp map, Value usable) {
    if (auto narrow = plan.held.getDefiningOp<arith::TruncFOp>(); narrow && plan.stsm)
      narrow->setAttr(kInPairsAttr, UnitAttr::get(&getContext()));
    OpBuilder builder(store);
    bool isOrdered = !store.getResultToken().use_empty();
    SmallVector<Type> results;
    if (isOrdered)
      results.push_back(store.getResultToken().getType());
    auto both = scf::IfOp::create(builder, store.getLoc(), results, usable, /*withElseRegion=*/true);
    for (Block *block : {both.thenBlock(), both.elseBlock()})
      block->clear();
    if (isOrdered)
      store.getResultToken().replaceAllUsesWith(both.getResult(0));

    builder.setInsertionPointToEnd(both.thenBlock());
    Value token = storeByTma(builder, store, map, plan, isOrdered);
    scf::YieldOp::create(builder, store.getLoc(), isOrdered ? ValueRange(token) : ValueRange());
    Block *otherwise = both.elseBlock();
    if (plan.convert)
      ConvertLayoutOp(plan.convert)->moveBefore(otherwise, otherwise->end());
    store->moveBefore(otherwise, otherwise->end());
    builder.setInsertionPointToEnd(otherwise);
    scf::YieldOp::create(builder, store.getLoc(), isOrdered ? ValueRange(store.getResultToken()) : ValueRange());
  }

  template <typename Op>
  Value storeByTma(OpBuilder &builder, Op store, MakeTiledTmaDescOp map, const Plan &plan, bool isOrdered) {
    Location loc = store.getLoc();
    nv_tileaa::RMWModeAttr mode;
    DenseBoolArrayAttr inBounds;
    if constexpr (std::is_same_v<Op, TiledAtomicRMWOp>)
      mode = store.getRmwModeAttr();
    else
      inBounds = store.getInBoundsAttr();
    auto atomPlan = AtomPlanAttr::get(&getContext(), /*tag=*/1, /*vectorBytes=*/16);
    SmallVector<Value, 2> tiles, done;
    Value token;
    for (int i = 0; i < std::min(plan.slices, 2); ++i)
      tiles.push_back(AllocTensorOp::create(builder, loc, plan.tile, IntegerAttr()));
    for (int slice = 0; slice < plan.slices; ++slice) {
      Value part = plan.held, tile = tiles[slice % 2];
      if (slice >= 2)
        wait(builder, loc, done[slice - 2], /*pending=*/1, /*isOrdered=*/false);
      if (plan.slices > 1) {
        SmallVector<Value> indices;
        for (int d = 0; d < int(plan.part.getRank()); ++d)
          indices.push_back(arith::ConstantIntOp::create(builder, loc, d == plan.dense ? slice : 0, 32));
        part = ExtractSliceOp::create(builder, loc, plan.part, plan.held, indices);
      }
      auto copy = CopyOp::create(builder, loc, Type(), part, tile, atomPlan, UnitAttr());
      copy->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
      if (plan.stsm)
        copy->setAttr(kStoreAtomAttr, plan.stsm);
      // The threads meet in the operation that stores.
      copy->setAttr(kNoRawBarrierAttr, builder.getUnitAttr());
      // Bytes that others had are free since they met before the first slice was written; those of a slice, since the
      // wait.
      if (slice > 0)
        copy.setNoWarBarrier(true);
      SmallVector<Value> indices = indicesOf(builder, loc, store.getIndices(), plan, slice);
      auto copied = AsyncTiledTmaStoreOp::create(
          builder, loc, TypeRange{AsyncTokenType::get(&getContext()), nv_tileaa::MemTokenType::get(&getContext())},
          map.getDesc(), tile, map.getView(), indices, slice == 0 ? store.getToken() : Value(), plan.atom, mode,
          IntegerAttr(), inBounds);
      done.push_back(copied.getDone());
      token = copied.getResultToken();
    }
    wait(builder, loc, done.back(), /*pending=*/0, isOrdered);
    return token;
  }

  static void wait(OpBuilder &builder, Location loc, Value done, int pending, bool isOrdered) {
    auto wait = AsyncWaitOp::create(builder, loc, done, pending);
    if (!isOrdered)
      wait->setAttr(kSourceReadAttr, builder.getUnitAttr());
  }

  /// Those of a slice. An index that lies beyond all arrays must not wrap around into one.
  static SmallVector<Value> indicesOf(OpBuilder &builder, Location loc, ValueRange given, const Plan &plan, int slice) {
    SmallVector<Value> indices(given);
    if (plan.slices == 1)
      return indices;
    Value &index = indices[plan.dense];
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(index.getType(), value));
    };
    if (cast<IntegerType>(index.getType()).getWidth() < 32)
      index = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), index);
    index = arith::MinUIOp::create(builder, loc, index, constant(kMaxTmaExtent / plan.slices));
    index = arith::MulIOp::create(builder, loc, index, constant(plan.slices));
    index = arith::AddIOp::create(builder, loc, index, constant(slice));
    return indices;
  }

  bool stmatrix = false;
  int64_t room = 0;
  llvm::MapVector<std::tuple<Value, Attribute, Attribute, int>, MakeTiledTmaDescOp> maps;
};

} // namespace
