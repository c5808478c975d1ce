//===- LoadsAhead.cpp - What may be loaded in an earlier iteration --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

struct TokenWalk {
  CountedLoop loop;
  llvm::SetVector<Value> &found;
  llvm::SmallPtrSet<Operation *, 8> visited;
  llvm::SmallDenseSet<Value> arguments;

  LogicalResult follow(Value token) {
    if (!token)
      return success();
    if (loop.isDefinedOutsideOfLoop(token)) {
      found.insert(token);
      return success();
    }
    if (auto argument = dyn_cast<BlockArgument>(token)) {
      if (argument.getOwner() != loop.getBody())
        return failure();
      if (!arguments.insert(argument).second)
        return success();
      if (failed(follow(loop.getTiedLoopInit(argument)->get())))
        return failure();
      return follow(loop.getTiedLoopYieldedValue(argument)->get());
    }
    Operation *def = token.getDefiningOp();
    if (!visited.insert(def).second || isa<nv_tileaa::CreateMemTokenOp>(def))
      return success();
    if (auto join = dyn_cast<nv_tileaa::JoinMemTokenOp>(def)) {
      for (Value operand : join.getTokens())
        if (failed(follow(operand)))
          return failure();
      return success();
    }
    auto load = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(def);
    if (!load || load.getStored() || load.isAtomic() || load.getMemSemantic() != nv_tileaa::MemSemantic::Weak)
      return failure();
    return follow(load.getToken());
  }
};

} // namespace

LogicalResult nv_tileas::collectTokens(CountedLoop loop, Value token, llvm::SetVector<Value> &found) {
  return TokenWalk{loop, found, {}, {}}.follow(token);
}

Value nv_tileas::joinTokens(OpBuilder &builder, CountedLoop loop, ArrayRef<Value> tokens) {
  if (tokens.size() == 1)
    return tokens.front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  Type type = nv_tileaa::MemTokenType::get(builder.getContext());
  if (tokens.empty())
    return nv_tileaa::CreateMemTokenOp::create(builder, loop.getLoc(), type);
  return nv_tileaa::JoinMemTokenOp::create(builder, loop.getLoc(), type, tokens);
}

StringRef LoadedTile::find(CountedLoop loop, Value tile, llvm::function_ref<bool(Operation *)> isBetween) {
  for (Operation *def; (def = tile.getDefiningOp()); tile = def->getOperand(0)) {
    if (def->getBlock() != loop.getBody() || !tile.hasOneUse())
      return "is used elsewhere";
    if ((load = dyn_cast<TiledLoadOp>(def)))
      return {};
    if (!isBetween(def))
      return "is not loaded from a view";
    shapes.insert(shapes.begin(), def);
  }
  return "is not loaded in the loop";
}

Value LoadedTile::clone(OpBuilder &builder, IRMapping &map, Value valid) const {
  auto again = cast<TiledLoadOp>(builder.clone(*TiledLoadOp(load), map));
  if (valid) {
    if (Value before = again.getValid()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(again);
      valid = arith::AndIOp::create(builder, again.getLoc(), before, valid);
    }
    again.getValidMutable().assign(valid);
  }
  Value tile = again.getResult();
  for (Operation *shape : shapes)
    tile = builder.clone(*shape, map)->getResult(0);
  return tile;
}

int64_t nv_tileas::countProducts(Operation *loop) {
  int64_t products = 0;
  loop->walk([&](DotOp dot) { products += dot->getParentOfType<LoopLikeOpInterface>() == loop; });
  return products;
}

int64_t nv_tileas::wordsOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return type.isIntOrIndexOrFloat() ? 1 : isa<nv_tileaa::PtrType>(type) ? 2 : 0;
  if (!isIn(tile, MemoryKind::Registers))
    return 0;
  int64_t elements = int64_t(1) << getLinearLayout(tile).inBits(tileiras::kRegister);
  return nv_tileaa::wordsOf(elements, tile.getElementType(), /*packed=*/true);
}

static bool followsFromPlaces(Value value, int depth) {
  Operation *def = value.getDefiningOp();
  if (!isa<RankedTensorType>(value.getType()))
    return true;
  if (!def || depth == 0)
    return false;
  if (isa<nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp, nv_tileaa::ConstantTensorOp, nv_tileaa::BroadcastOp,
          arith::ConstantOp>(def))
    return true;
  bool passesOn = isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::ExpandDimsOp, nv_tileaa::AddPtrOp>(def) ||
                  (isa<arith::ArithDialect>(def->getDialect()) && isElementwise(def));
  return passesOn && llvm::all_of(def->getOperands(), [&](Value v) { return followsFromPlaces(v, depth - 1); });
}

bool nv_tileas::followsFromPlaces(Value tile) {
  constexpr int depth = 8;
  return ::followsFromPlaces(tile, depth);
}

int64_t nv_tileas::wordsHeld(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!tile)
    return wordsOf(value.getType());
  if (auto broadcast = value.getDefiningOp<nv_tileaa::BroadcastOp>())
    return wordsOf(broadcast.getSource().getType()); // registers are shared, not copied
  bool isPlace = !isa<FloatType>(tile.getElementType());
  return isPlace && followsFromPlaces(value) ? 0 : wordsOf(tile);
}

int64_t nv_tileas::wordsIn(CountedLoop loop, llvm::function_ref<int64_t(Value)> words) {
  int64_t total = nv_tileaa::peakLiveWords(loop.getRegion(), [&](Value v) { return words(v); });
  llvm::SmallDenseSet<Value> across;
  loop.getBody()->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (loop.isDefinedOutsideOfLoop(operand) && isa<RankedTensorType>(operand.getType()) &&
          !isa_and_nonnull<arith::ConstantOp, nv_tileaa::ConstantTensorOp, nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp>(
              operand.getDefiningOp()) &&
          across.insert(operand).second)
        total += words(operand);
  });
  return total;
}

llvm::SetVector<Value> OtherIteration::inputs(Operation *op) {
  llvm::SetVector<Value> values;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *def = operand.getDefiningOp() ? operand.getDefiningOp() : operand.getParentBlock()->getParentOp();
          inner == op || !op->isAncestor(def))
        values.insert(operand);
  });
  return values;
}

LogicalResult OtherIteration::check(Value value, When when, StringRef &why) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return success();
  Operation *def = value.getDefiningOp();
  if (!def) {
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() != loop.getBody() || when == At) {
      why = "where they come from depends on what the loop computes";
      return failure();
    }
    return when == Next ? check(loop.getTiedLoopYieldedValue(argument)->get(), This, why) : success();
  }
  if (met.contains({def, when}))
    return success();
  if (isa<nv_tileaa::MemoryAccessOpInterface>(def)) {
    why = "where they come from depends on what the loop loads";
    return failure();
  }
  if (def->getBlock() != loop.getBody() || !isMemoryEffectFree(def) ||
      def->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted()) {
    why = "where they come from depends on what the loop computes";
    return failure();
  }
  for (Value operand : inputs(def))
    if (failed(check(operand, when, why)))
      return failure();
  met.insert({def, when});
  return success();
}

Value OtherIteration::compute(OpBuilder &builder, Value value, When when) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  // No reference into the map: what the value is computed from enters it, too.
  if (Value computed = known.lookup({value, when}))
    return computed;
  Value result;
  Operation *def = value.getDefiningOp();
  if (value == loop.getInductionVar()) {
    result = when == First  ? loop.getLowerBound()
             : when == At   ? counter
             : when == This ? value
                            : arith::AddIOp::create(builder, loop.getLoc(), value, loop.getStep()).getResult();
  } else if (!def) {
    auto argument = cast<BlockArgument>(value);
    result = when == First  ? loop.getTiedLoopInit(argument)->get()
             : when == This ? value
                            : compute(builder, loop.getTiedLoopYieldedValue(argument)->get(), This);
  } else {
    IRMapping map;
    for (Value operand : inputs(def))
      map.map(operand, compute(builder, operand, when));
    Operation *again = builder.clone(*def, map);
    for (auto [was, is] : llvm::zip_equal(def->getResults(), again->getResults()))
      known[{was, when}] = is;
    return known.lookup({value, when});
  }
  known[{value, when}] = result;
  return result;
}
