//===- StoreParts.cpp - Sums that are stored part by part -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/StoreParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
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

/// The same elements under a shape with the same columns.
bool keepsColumns(Operation *op) {
  return isa<aa::ViewOp>(op) && tensorOf(op->getOperand(0)).getRank() > 0 && tensorOf(op->getResult(0)).getRank() > 0 &&
         columnsOf(op->getOperand(0)) == columnsOf(op->getResult(0));
}

/// A store, and what is made of sums for it and nobody else.
struct Store {
  aa::TiledStoreOp op;
  SmallVector<Operation *> steps; ///< in order
  Value sums;
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

/// The store of sums that a loop leaves behind; nothing if it stores something else, too.
std::optional<Store> storeOfSums(aa::TiledStoreOp op) {
  RankedTensorType stored = tensorOf(op.getValue());
  if (!stored || stored.getRank() == 0 || !op.getView().getDefiningOp<aa::BlockTileOp>() ||
      op.getMemSemantic() != aa::MemSemantic::Weak)
    return std::nullopt;
  Store store{op, {}, {}};
  llvm::SmallSetVector<Operation *, 8> steps;
  SmallVector<Value> todo = {op.getValue()};
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
    if (def->getNumResults() != 1 || !isPure(def) || !(isElementwise(def) || keepsColumns(def)))
      return std::nullopt;
    if (steps.insert(def))
      llvm::append_range(todo, def->getOperands());
  }
  if (!store.sums)
    return std::nullopt;
  auto isForStore = [&](Operation *user) { return user == op || steps.contains(user); };
  if (!llvm::all_of(store.sums.getUsers(), isForStore) ||
      !llvm::all_of(steps, [&](Operation *step) { return llvm::all_of(step->getUsers(), isForStore); }))
    return std::nullopt;
  store.steps = steps.takeVector();
  llvm::sort(store.steps, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
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
  SmallVector<Value> tokens;
  for (int64_t number = 0; number < parts; ++number) {
    IRMapping map;
    auto mapTiles = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (tensorOf(operand) && !map.contains(operand))
          map.map(operand, takePart(b, loc, operand, number, parts));
    };
    for (Operation *step : store.steps) {
      mapTiles(step);
      b.clone(*step, map)->getResult(0).setType(partOf(step->getResult(0), parts));
    }
    mapTiles(store.op);
    Value index = arith::ConstantIntOp::create(b, loc, number, 32);
    auto part = cast<aa::TiledStoreOp>(b.clone(*store.op, map));
    cutAccess(b, part, tensorOf(store.op.getValue()).getRank() - 1, parts, index);
    b.setInsertionPoint(store.op);
    first = first ? first : part;
    tokens.push_back(part.getResultToken());
  }
  store.op.getResultToken().replaceAllUsesWith(aa::JoinMemTokenOp::create(b, loc, tokens).getToken());
  store.op.erase();
  for (Operation *step : llvm::reverse(store.steps))
    step->erase();
  return first;
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

std::optional<int64_t> nv_tileas::storeInParts(aa::FuncOp func, const tileiras::TargetInfo *target, int64_t room,
                                               int64_t shared) {
  // Sums of several products, and scales, would share tensor memory.
  SmallVector<Operation *> products;
  func.walk([&](Operation *op) {
    if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
      products.push_back(op);
  });
  if (!target || !target->hasTcgen05() || products.size() != 1 || !isa<aa::DotOp>(products.front()) ||
      storesOfSums(func).empty())
    return std::nullopt;
  aa::FuncOp trial = func.clone();
  SmallVector<aa::TiledStoreOp> divided;
  for (Store &store : storesOfSums(trial))
    if (int64_t columns = columnsOf(store.sums); columns % kColumnsOfPart == 0 && columns > kColumnsOfPart)
      divided.push_back(divide(store, columns / kColumnsOfPart));
  ResourceModel resources(trial, target);
  Demand demand = resources.demand();
  int64_t needed = ResourceModel::wordsWith(demand, shared);
  bool fits = needed <= room && demand.tensorColumns <= target->tensorMemoryColumns;
  if (fits) {
    func.getBody().takeBody(trial.getBody());
    for (aa::TiledStoreOp store : divided)
      remarks::passed(store, remarks::kSlice, "StoreParts")
          << remarks::figure("ColumnsOfPart", kColumnsOfPart) << remarks::figure("Words", needed)
          << remarks::figure("Room", room) << remarks::figure("TensorColumns", demand.tensorColumns)
          << remarks::because("sums are read from tensor memory, and stored, part by part");
  }
  trial.erase();
  return fits ? std::optional(needed) : std::nullopt;
}
