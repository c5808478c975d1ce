//===- PrepareForScheduling.cpp - tileas-prepare-for-scheduling -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the scheduler is to find, in six steps whose order is contract (spec of the reference tool):
//
//   decomposeTiledLoadStoreView   a tile that was reshaped several times on the way to who reads it is one view of what
//                                 was allocated or loaded
//   refineVecSizeOfAtoms          accesses as wide as the final layouts and the proven alignment allow; before, the
//                                 layout that they were given first has decided
//   sliceAndFuse                  marks arithmetic that goes with its only user: one node of the schedule
//   runCanonicalizer              loops of one round and tiny ones, branches that are decided or empty, waits for
//                                 nothing
//   compactMemLayout              tiles that threads exchange are allocated where they are first used, so that more of
//                                 them share bytes
//   refreshBoxDim                 boxes of tensor maps are those of the tiles that are copied; last, as the first and
//                                 the fifth step change what is copied
//
// Nothing here is done by another pass as well: widths are asked where they are chosen (AccessWidths.h), bytes where
// they are assigned (SharedPlan.h), boxes where they are described (TmaTile.h).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/AccessRuns.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/ScheduleAnalysis.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PREPAREFORSCHEDULINGPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using nv_tileaa::MemoryAccessOpInterface;
namespace remarks = tileiras::remarks;

namespace {

//===----------------------------------------------------------------------===//
// 1. Views
//===----------------------------------------------------------------------===//

/// Whether the elements of a tile keep their row-major order: a view, or a permutation that moves extents of one only.
bool keepsOrder(Operation *op) {
  auto permute = dyn_cast<nv_tileaa::PermuteOp>(op);
  if (!permute)
    return isa<ViewOp>(op);
  auto shape = cast<RankedTensorType>(permute.getSource().getType()).getShape();
  SmallVector<int32_t> moved;
  for (int32_t d : permute.getPermutation())
    if (shape[d] != 1)
      moved.push_back(d);
  return llvm::is_sorted(moved);
}

/// Makes `op`, which shows what `inner` shows, show the source of that; false if no single operation does.
bool showSourceOf(Operation *op, Operation *inner) {
  OpBuilder builder(op);
  Value source = inner->getOperand(0);
  Type type = op->getResult(0).getType();
  // Layouts that say the same may be written in different ways.
  auto sameElements = [&]() -> Value {
    return source.getType() == type ? source : ViewOp::create(builder, op->getLoc(), type, source).getResult();
  };
  Value direct;
  if (keepsOrder(op) && keepsOrder(inner)) {
    direct = sameElements();
  } else if (auto outer = dyn_cast<nv_tileaa::PermuteOp>(op), first = dyn_cast<nv_tileaa::PermuteOp>(inner);
             outer && first) {
    SmallVector<int32_t> both;
    for (int32_t d : outer.getPermutation())
      both.push_back(first.getPermutation()[d]);
    direct = llvm::is_sorted(both)
                 ? sameElements()
                 : nv_tileaa::PermuteOp::create(builder, op->getLoc(), type, source, both).getResult();
  }
  if (!direct)
    return false;
  op->getResult(0).replaceAllUsesWith(direct);
  op->erase();
  if (inner->use_empty())
    inner->erase();
  return true;
}

bool showsTile(Operation *op) {
  return op && isa<ViewOp, nv_tileaa::PermuteOp>(op) &&
         getLayout(cast<RankedTensorType>(op->getResult(0).getType())) != nullptr;
}

int64_t decomposeTiledLoadStoreView(nv_tileaa::FuncOp func) {
  int64_t removed = 0;
  for (bool changed = true; changed;) {
    changed = false;
    func.walk([&](Operation *op) {
      Operation *inner = showsTile(op) ? op->getOperand(0).getDefiningOp() : nullptr;
      if (!inner || !showsTile(inner) || !showSourceOf(op, inner))
        return WalkResult::advance();
      ++removed;
      changed = true;
      return WalkResult::interrupt();
    });
  }
  return removed;
}

//===----------------------------------------------------------------------===//
// 2. Widths
//===----------------------------------------------------------------------===//

int64_t vecOf(MemoryAccessOpInterface op) {
  auto vec = op->getAttrOfType<IntegerAttr>("vec");
  return vec ? vec.getInt() : 1;
}

/// Wider, where the edge of the array cuts nothing that it did not cut before. Never narrower: what is there has been
/// proven.
int64_t refineVecSizeOfAtoms(nv_tileaa::FuncOp func) {
  int64_t widened = 0;
  SmallVector<MemoryAccessOpInterface> accesses;
  func.walk([&](MemoryAccessOpInterface op) {
    auto type = op.getTile() ? dyn_cast<RankedTensorType>(op.getTile().getType()) : RankedTensorType();
    // Pointers have no bounds, and a layout of their own that was chosen by their neighbours.
    if (!type || !isIn(type, MemoryKind::Registers) || !op.isThroughView() || op.getCoordinateAxis() ||
        (!isPlain(op) && widestReduction(op) == 1) || getMemoryBits(type.getElementType()) < 8)
      return;
    int dense = getDenseDimension(cast<nv_tileaa::TiledViewType>(op.getAddress().getType()));
    if (dense >= 0 && hasRuns(getLinearLayout(type), dense, 2 * vecOf(op)))
      accesses.push_back(op);
  });
  if (accesses.empty())
    return 0;
  nv_tileaa::AxisInfoAnalysisResult axis(func);
  for (MemoryAccessOpInterface op : accesses) {
    auto type = cast<RankedTensorType>(op.getTile().getType());
    AccessWidth width = analyzeAccess(op, axis);
    int64_t vec = llvm::bit_floor(uint64_t(std::max<int64_t>(1, std::min(width.vec, width.uncut))));
    tileiras::LinearLayout layout = getLinearLayout(type);
    while (vec > 1 && !hasRuns(layout, width.order.front(), vec))
      vec /= 2;
    if (vec > vecOf(op) && op.setVectorWidth(vec))
      ++widened;
  }
  return widened;
}

//===----------------------------------------------------------------------===//
// 3. What goes together
//===----------------------------------------------------------------------===//

/// Arithmetic on tiles whose result one operation of the same kind and layout uses, right there.
int64_t markSliceAndFuse(nv_tileaa::FuncOp func) {
  int64_t marked = 0;
  auto isArithmetic = [](Operation *op) {
    return op->getNumResults() == 1 && op->getNumRegions() == 0 && isElementwise(op) && isPure(op) &&
           isa<RankedTensorType>(op->getResult(0).getType());
  };
  func.walk([&](Operation *op) {
    op->removeAttr(kSliceAndFuseAttr);
    if (!isArithmetic(op) || !op->getResult(0).hasOneUse() || !op->getParentOfType<CountedLoop>())
      return;
    Operation *user = *op->user_begin();
    auto layoutOf = [](Operation *of) { return cast<RankedTensorType>(of->getResult(0).getType()).getEncoding(); };
    if (user->getBlock() != op->getBlock() || !isArithmetic(user) || layoutOf(user) != layoutOf(op))
      return;
    op->setAttr(kSliceAndFuseAttr, UnitAttr::get(op->getContext()));
    ++marked;
  });
  return marked;
}

//===----------------------------------------------------------------------===//
// 4. Wrappers
//===----------------------------------------------------------------------===//

/// Tiny: no more than so many rounds and operations.
constexpr int64_t kMostRounds = 4, kMostOperations = 8;

/// The loop's rounds one after the other, in its place.
void unroll(CountedLoop loop, int64_t rounds) {
  OpBuilder builder(loop);
  Value counter = loop.getLowerBound();
  SmallVector<Value> carried(loop.getInits());
  for (int64_t round = 0; round < rounds; ++round) {
    if (round)
      counter = arith::AddIOp::create(builder, loop.getLoc(), counter, loop.getStep());
    IRMapping map;
    map.map(loop.getInductionVar(), counter);
    map.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, map);
    for (auto [value, yielded] : llvm::zip_equal(carried, loop.getYieldedValues()))
      value = map.lookupOrDefault(yielded);
  }
  loop->replaceAllUsesWith(carried);
  loop->erase();
}

/// Whether unrolling costs nothing: one round at the most, or a few of arithmetic alone.
std::optional<int64_t> roundsToUnroll(CountedLoop loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->ugt(kMostRounds))
    return std::nullopt;
  // What fills and reads a ring counts its stages.
  bool rings = loop.getBody()
                   ->walk([](Operation *op) {
                     return isa<ProducerAcquireOp, ConsumerWaitOp, IncIterOp>(op) ? WalkResult::interrupt()
                                                                                  : WalkResult::advance();
                   })
                   .wasInterrupted();
  if (rings)
    return std::nullopt;
  int64_t rounds = trips->getZExtValue(), operations = 0;
  bool pure = true;
  for (Operation &op : loop.getBody()->without_terminator()) {
    ++operations;
    pure &= isMemoryEffectFree(&op) && op.getNumRegions() == 0 && !isa<DotOp>(op);
  }
  if (rounds <= 1 || (pure && operations <= kMostOperations))
    return rounds;
  return std::nullopt;
}

/// Puts the region that is taken in the branch's place, or drops a branch that does nothing.
bool inlineBranch(Branch branch) {
  APInt condition;
  Block *taken = nullptr;
  if (matchPattern(branch.getCondition(), m_ConstantInt(&condition))) {
    taken = condition.isZero() ? branch.elseBlock() : branch.thenBlock();
  } else {
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      if (block && (branch.getNumResults() ||
                    !llvm::all_of(block->without_terminator(), [](Operation &op) { return isMemoryEffectFree(&op); })))
        return false;
  }
  if (taken) {
    branch->replaceAllUsesWith(taken->getTerminator()->getOperands());
    taken->getTerminator()->erase();
    branch->getBlock()->getOperations().splice(branch->getIterator(), taken->getOperations());
  }
  branch->erase();
  return true;
}

int64_t runCanonicalizer(nv_tileaa::FuncOp func) {
  int64_t dropped = 0;
  for (CountedLoop loop : nv_tileaa::getCountedLoops(func))
    if (std::optional<int64_t> rounds = roundsToUnroll(loop)) {
      unroll(loop, *rounds);
      ++dropped;
    }
  SmallVector<Branch> branches;
  func.walk([&](Branch branch) { branches.push_back(branch); });
  for (Branch branch : branches)
    dropped += inlineBranch(branch);
  SmallVector<AsyncWaitOp> waits;
  func.walk([&](AsyncWaitOp wait) {
    if (wait.getTokens().empty() && !wait.getBarrier())
      waits.push_back(wait);
  });
  for (AsyncWaitOp wait : waits)
    wait->erase();
  return dropped + waits.size();
}

//===----------------------------------------------------------------------===//
// 5. Shared memory
//===----------------------------------------------------------------------===//

/// Whether the threads alone write and read a tile, and are done when they go on. What copies and products do by
/// themselves may last longer than the operation, and who allocated their tiles has seen to it that they lie apart.
bool isOfThreads(AllocTensorOp tile) {
  return llvm::all_of(usersOfSharedTile(tile.getResult()),
                      [](Operation *user) { return isa<CopyOp, ConvertLayoutOp, ReduceOp>(user) || isReshape(user); });
}

/// Moves allocations to their first use. Back again, should first fit then need more.
std::pair<int64_t, int64_t> compactMemLayout(nv_tileaa::FuncOp func) {
  SmallVector<AllocTensorOp> tiles;
  func.walk([&](AllocTensorOp tile) { tiles.push_back(tile); });
  SmallVector<std::pair<AllocTensorOp, Operation *>> sinking; ///< and where to
  for (AllocTensorOp tile : tiles) {
    Operation *first = nullptr;
    for (Operation *user : tile->getUsers()) {
      Operation *here = tile->getBlock()->findAncestorOpInBlock(*user);
      if (here && (!first || here->isBeforeInBlock(first)))
        first = here;
    }
    // Tiles that are allocated in a row stay in that order.
    Operation *next = tile->getNextNode();
    while (next && next != first && isa<AllocTensorOp>(next))
      next = next->getNextNode();
    if (!first || next == first || !isOfThreads(tile))
      continue;
    sinking.emplace_back(tile, first);
  }
  // The plan is only asked where somebody wants to know.
  if (sinking.empty() && !remarks::enabled(func.getContext()))
    return {0, 0};
  int64_t before = SharedPlan(func).place();
  SmallVector<std::pair<Operation *, Operation *>> moved; ///< and what stood behind it
  for (auto [tile, first] : sinking) {
    moved.emplace_back(tile, tile->getNextNode());
    tile->moveBefore(first);
  }
  int64_t after = SharedPlan(func).place();
  if (after <= before)
    return {before, after};
  for (auto [tile, behind] : llvm::reverse(moved))
    tile->moveBefore(behind);
  return {before, before};
}

//===----------------------------------------------------------------------===//
// 6. Boxes
//===----------------------------------------------------------------------===//

/// The atom with which TMA copies the tile now; null if that is not for this to say.
CopyAtomAttrInterface atomOf(Operation *copy) {
  auto load = dyn_cast<AsyncTiledTmaLoadOp>(copy);
  auto store = dyn_cast<AsyncTiledTmaStoreOp>(copy);
  std::optional<TmaAtom> atom = load ? getTmaAtom(load.getAtom()) : store ? getTmaAtom(store.getAtom()) : std::nullopt;
  // A run of pixels is not a box, and blocks of a cluster have boxes of their own.
  if (!atom || atom->isIm2col || copy->hasAttr(kMulticastAttr))
    return {};
  auto tile = cast<RankedTensorType>(load ? load.getDest().getType() : store.getSrc().getType());
  nv_tileaa::TiledViewType view = load ? load.getView().getType() : store.getView().getType();
  std::optional<tileiras::TmaTile> boxes = describeTma(view, tile, nullptr, bool(load));
  if (!boxes)
    return {};
  MLIRContext *context = copy->getContext();
  if (load)
    return getTmaLoad(context, *boxes);
  return TmaStoreAttr::get(context, boxes->box, boxes->order, boxes->swizzleBytes);
}

int64_t refreshBoxDim(nv_tileaa::FuncOp func) {
  int64_t refreshed = 0;
  func.walk([&](MakeTiledTmaDescOp map) {
    CopyAtomAttrInterface common;
    SmallVector<Operation *> copies;
    for (Operation *user : map.getDesc().getUsers()) {
      CopyAtomAttrInterface atom = atomOf(user);
      if (!atom || (common && common != atom))
        return;
      common = atom;
      copies.push_back(user);
    }
    if (!common)
      return;
    bool changed = map.getAtom() != common;
    map.setAtomAttr(common);
    for (Operation *copy : copies)
      if (auto load = dyn_cast<AsyncTiledTmaLoadOp>(copy)) {
        changed |= load.getAtom() != common;
        load.setAtomAttr(common);
      } else {
        auto store = cast<AsyncTiledTmaStoreOp>(copy);
        changed |= store.getAtom() != common;
        store.setAtomAttr(common);
      }
    refreshed += changed;
  });
  return refreshed;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct PrepareForSchedulingPass : nv_tileas::impl::PrepareForSchedulingPassBase<PrepareForSchedulingPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    int64_t views = decomposeTiledLoadStoreView(func);
    int64_t wider = refineVecSizeOfAtoms(func);
    int64_t fused = markSliceAndFuse(func);
    int64_t dropped = runCanonicalizer(func);
    auto [before, after] = compactMemLayout(func);
    int64_t boxes = refreshBoxDim(func);
    numViews += views;
    numWidened += wider;
    numFused += fused;
    numDropped += dropped;
    numBytes += before - after;
    numBoxes += boxes;
    if (auto remark = remarks::analysis(func, remarks::kPipeline, "Prepared"))
      remark << remarks::figure("Views", views) << remarks::figure("Wider", wider) << remarks::figure("Fused", fused)
             << remarks::figure("Dropped", dropped) << remarks::figure("Bytes", after)
             << remarks::figure("BytesBefore", before) << remarks::figure("Boxes", boxes)
             << remarks::because("what the scheduler finds, in the order of the steps");
  }
};

} // namespace
