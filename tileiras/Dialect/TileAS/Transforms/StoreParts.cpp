//===- StoreParts.cpp - Sums that are stored part by part -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/StoreParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/WarpHints.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SlicedDimension.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
namespace remarks = tileiras::remarks;
namespace aa = mlir::nv_tileaa;

namespace {

/// 128 bytes of a row of 16-bit elements, which is what memory moves at once; 64 words of a thread that has a row.
constexpr int64_t kColumnsOfPart = 64;

int64_t columnsOf(Value tile) { return tensorOf(tile).getShape().back(); }

/// The same elements under a shape with the same columns, or a row for each of the rows.
bool keepsColumns(Operation *op) {
  return isa<aa::ViewOp, aa::ExpandDimsOp, aa::BroadcastOp>(op) && tensorOf(op->getOperand(0)).getRank() > 0 &&
         tensorOf(op->getResult(0)).getRank() > 0 && columnsOf(op->getOperand(0)) == columnsOf(op->getResult(0));
}

/// A store, and what is made of sums, and loaded, for it and nobody else.
struct Store {
  aa::TiledStoreOp op;
  SmallVector<Operation *> steps; ///< in order: loads and joins of their tokens, and arithmetic
  Value sums;

  bool contains(Operation *user) const { return user == op || llvm::is_contained(steps, user); }
};

/// What a part is made of as the whole is, without registers for all parts. A row that is broadcast a thread would have
/// whole while it makes the first part.
bool isMadeAnew(Value tile) {
  Operation *def = tile.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<aa::BroadcastOp>(def))
    return columnsOf(broadcast.getSource()) == 1;
  DenseElementsAttr elements;
  return isa_and_nonnull<aa::SplatOp>(def) ||
         (isa_and_nonnull<aa::ConstantTensorOp, arith::ConstantOp>(def) &&
          (elements = dyn_cast<DenseElementsAttr>(def->getAttr("value"))) && elements.isSplat());
}

/// A load that parts of the tile may be loaded by, each in front of the store of the same part: none of them sees what
/// the store of another part has written.
bool isLoadedInParts(aa::TiledLoadOp load, aa::TiledStoreOp store) {
  auto access = cast<aa::MemoryAccessOpInterface>(load.getOperation());
  return isPlain(access) && !access.getCoordinateAxis() && load.getView().getDefiningOp<aa::BlockTileOp>() &&
         tensorOf(load.getResult()).getRank() > 0 &&
         (!mayShareArray(load.getView(), store.getView()) ||
          meetInOneSlice(access, tensorOf(load.getResult()).getRank() - 1,
                         cast<aa::MemoryAccessOpInterface>(store.getOperation()),
                         tensorOf(store.getValue()).getRank() - 1));
}

/// Adds the joins of a load's token in front of the store; false if something else is ordered behind the load there,
/// which must not come between loads of parts.
bool addJoins(Value token, aa::TiledStoreOp store, llvm::SmallSetVector<Operation *, 8> &steps) {
  return llvm::all_of(token.getUsers(), [&](Operation *user) {
    Operation *here = store->getBlock()->findAncestorOpInBlock(*user);
    if (user == store || steps.contains(user) || (here && store->isBeforeInBlock(here)))
      return true;
    auto join = dyn_cast<aa::JoinMemTokenOp>(user);
    return join && join == here && steps.insert(join) && addJoins(join.getToken(), store, steps);
  });
}

/// Loads begin first, all of a part; what is computed comes just before it is used.
void order(Store &store) {
  llvm::SmallSetVector<Operation *, 8> ordered;
  llvm::sort(store.steps, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *step : store.steps)
    if (isa<aa::TiledLoadOp, aa::JoinMemTokenOp>(step))
      ordered.insert(step);
  SmallVector<Operation *> todo = {store.op};
  while (!todo.empty()) {
    auto isMissing = [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && llvm::is_contained(store.steps, def) && !ordered.contains(def);
    };
    auto missing = llvm::find_if(todo.back()->getOperands(), isMissing);
    if (missing != todo.back()->operand_end())
      todo.push_back((*missing).getDefiningOp());
    else
      ordered.insert(todo.pop_back_val());
  }
  ordered.remove(store.op);
  store.steps = ordered.takeVector();
}

/// The store of sums that a loop leaves behind; nothing if it stores something else, too.
std::optional<Store> storeOfSums(aa::TiledStoreOp op) {
  RankedTensorType stored = tensorOf(op.getValue());
  if (!stored || stored.getRank() == 0 || !op.getView().getDefiningOp<aa::BlockTileOp>() ||
      op.getMemSemantic() != aa::MemSemantic::Weak)
    return std::nullopt;
  Store store{op, {}, {}};
  llvm::SmallSetVector<Operation *, 8> steps;
  SmallVector<Value> todo = {op.getValue()};
  SmallVector<aa::TiledLoadOp> loads;
  while (!todo.empty()) {
    Value tile = todo.pop_back_val();
    if (!tensorOf(tile) || isMadeAnew(tile) || tile == store.sums)
      continue;
    Operation *def = tile.getDefiningOp();
    if (!def || def->getBlock() != op->getBlock())
      return std::nullopt;
    if (isa<LoopLikeOpInterface>(def)) {
      if (store.sums)
        return std::nullopt;
      store.sums = tile;
      continue;
    }
    if (auto load = dyn_cast<aa::TiledLoadOp>(def); load && isLoadedInParts(load, op)) {
      if (steps.insert(load))
        loads.push_back(load);
      continue;
    }
    if (def->getNumResults() != 1 || !isPure(def) || !(isElementwise(def) || keepsColumns(def)))
      return std::nullopt;
    if (steps.insert(def))
      llvm::append_range(todo, def->getOperands());
  }
  if (!store.sums)
    return std::nullopt;
  for (aa::TiledLoadOp load : loads)
    if (!addJoins(load.getResultToken(), op, steps))
      return std::nullopt;
  store.steps = steps.takeVector();
  auto isForStore = [&](Operation *user) { return store.contains(user); };
  if (!llvm::all_of(store.sums.getUsers(), isForStore))
    return std::nullopt;
  for (Operation *step : store.steps)
    if (tensorOf(step->getResult(0)) && !llvm::all_of(step->getResult(0).getUsers(), isForStore))
      return std::nullopt;
  order(store);
  return store;
}

RankedTensorType partOf(Value tile, int64_t parts) {
  SmallVector<int64_t> shape(tensorOf(tile).getShape());
  shape.back() /= parts;
  return tensorOf(tile).clone(shape);
}

/// Part `number` of a tile.
Value takePart(OpBuilder &b, Location loc, Value tile, int64_t number, int64_t parts) {
  RankedTensorType type = partOf(tile, parts);
  if (isMadeAnew(tile)) {
    Operation *part = b.clone(*tile.getDefiningOp());
    if (!isa<aa::BroadcastOp, aa::SplatOp>(part))
      part->setAttr("value", cast<DenseElementsAttr>(part->getAttr("value")).resizeSplat(type));
    part->getResult(0).setType(type);
    return part->getResult(0);
  }
  SmallVector<Value> indices;
  for (int64_t d = 0, rank = type.getRank(); d < rank; ++d)
    indices.push_back(arith::ConstantIntOp::create(b, loc, d == rank - 1 ? number : 0, 32));
  return aa::ExtractSliceOp::create(b, loc, type, tile, indices);
}

/// Returns the store of the first part.
aa::TiledStoreOp divide(Store &store, int64_t parts) {
  OpBuilder b(store.op);
  Location loc = store.op.getLoc();
  aa::TiledStoreOp first;
  SmallVector<IRMapping> maps(parts);
  for (auto [number, map] : llvm::enumerate(maps)) {
    Value index = arith::ConstantIntOp::create(b, loc, number, 32);
    auto mapTiles = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (tensorOf(operand) && !map.contains(operand))
          map.map(operand, takePart(b, loc, operand, number, parts));
    };
    auto cut = [&](Operation *access, Value tile) {
      cutAccess(b, cast<aa::MemoryAccessOpInterface>(access), tensorOf(tile).getRank() - 1, parts, index);
      b.setInsertionPoint(store.op);
    };
    for (Operation *step : store.steps) {
      mapTiles(step);
      Operation *part = b.clone(*step, map);
      if (tensorOf(step->getResult(0)))
        part->getResult(0).setType(partOf(step->getResult(0), parts));
      if (isa<aa::TiledLoadOp>(step))
        cut(part, step->getResult(0));
    }
    mapTiles(store.op);
    auto part = cast<aa::TiledStoreOp>(b.clone(*store.op, map));
    cut(part, store.op.getValue());
    first = first ? first : part;
  }
  // What came after the store, or after a load, comes after all parts.
  auto join = [&](Value token) {
    auto isOther = [&](OpOperand &use) { return !store.contains(use.getOwner()); };
    if (!isa<aa::MemTokenType>(token.getType()) || llvm::none_of(token.getUses(), isOther))
      return;
    SmallVector<Value> tokens = llvm::map_to_vector(maps, [&](IRMapping &map) { return map.lookup(token); });
    token.replaceUsesWithIf(aa::JoinMemTokenOp::create(b, loc, tokens).getToken(), isOther);
  };
  join(store.op.getResultToken());
  for (Operation *step : store.steps)
    for (Value result : step->getResults())
      join(result);
  store.op.erase();
  for (Operation *step : llvm::reverse(store.steps))
    step->erase();
  return first;
}

/// What is alive at once where each thread has all columns of a row that all rows have.
int64_t wordsWithRows(aa::FuncOp func, const ResourceModel &resources) {
  return aa::peakLiveWords(func.getBody(), [&](Value tile) -> int64_t {
    auto broadcast = tile.getDefiningOp<aa::BroadcastOp>();
    return broadcast && keepsColumns(broadcast) ? tensorOf(tile).getNumElements() : resources.words(tile);
  });
}

/// Whether all that a loop loads may come to shared memory by asynchronous copies, which have four bytes at least (PTX
/// ISA, "cp.async"). What comes by way of registers there takes more of each thread the fewer of them there are.
bool loadsByCopies(Operation *loop) {
  constexpr int64_t least = 4;
  aa::AxisInfoAnalysisResult axis(loop->getParentOfType<aa::FuncOp>());
  return !loop->walk([&](aa::MemoryAccessOpInterface access) {
                RankedTensorType tile = access.getLoaded() ? tensorOf(access.getLoaded()) : RankedTensorType();
                return tile && analyzeAccess(access, axis).uncut * getStorageBytes(tile.getElementType()) < least
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

SmallVector<Store> storesOfSums(aa::FuncOp func) {
  SmallVector<Store> stores;
  func.walk([&](aa::TiledStoreOp op) {
    if (std::optional<Store> store = storeOfSums(op))
      stores.push_back(*store);
  });
  return stores;
}

} // namespace

bool nv_tileas::isReadInParts(Value tile) {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [](OpOperand &use) {
    return isa<aa::ExtractSliceOp, ExtractSliceOp>(use.getOwner()) && use.getOperandNumber() == 0 &&
           llvm::all_of(use.getOwner()->getOperands().drop_front(),
                        [](Value index) { return matchPattern(index, m_Constant()); });
  });
}

std::optional<int64_t> nv_tileas::storeInParts(aa::FuncOp func, const tileiras::TargetInfo *target, int64_t warps,
                                               int64_t room, int64_t shared) {
  // Sums of several products, and scales, would share tensor memory.
  SmallVector<Operation *> products;
  func.walk([&](Operation *op) {
    if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
      products.push_back(op);
  });
  if (!target || !target->hasTcgen05() || products.size() != 1 || !isa<aa::DotOp>(products.front()) ||
      storesOfSums(func).empty() || (warps < getNumWarps(func) && !loadsByCopies(products.front()->getParentOp())))
    return std::nullopt;
  aa::FuncOp trial = func.clone();
  aa::setNumWarps(trial, warps);
  SmallVector<aa::TiledStoreOp> divided;
  for (Store &store : storesOfSums(trial))
    if (int64_t columns = columnsOf(store.sums); columns % kColumnsOfPart == 0 && columns > kColumnsOfPart)
      divided.push_back(divide(store, columns / kColumnsOfPart));
  ResourceModel resources(trial, target);
  Demand demand = resources.demand();
  int64_t needed = std::max(ResourceModel::wordsWith(demand, shared), wordsWithRows(trial, resources));
  bool fits = needed <= room && demand.tensorColumns <= target->tensorMemoryColumns;
  if (fits) {
    func.getBody().takeBody(trial.getBody());
    aa::setNumWarps(func, warps);
    for (aa::TiledStoreOp store : divided)
      remarks::passed(store, remarks::kSlice, "StoreParts")
          << remarks::figure("ColumnsOfPart", kColumnsOfPart) << remarks::figure("Warps", warps)
          << remarks::figure("Words", needed) << remarks::figure("Room", room)
          << remarks::figure("TensorColumns", demand.tensorColumns)
          << remarks::because("sums are read from tensor memory, and stored, part by part");
  }
  trial.erase();
  return fits ? std::optional(needed) : std::nullopt;
}
