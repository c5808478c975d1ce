//===- RingCandidate.cpp - What a loop's ring is made from ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/ElementwiseCost.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include <map>

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

//===----------------------------------------------------------------------===//
// What may be done in an earlier iteration
//===----------------------------------------------------------------------===//

std::pair<unsigned, StringRef> nv_tileas::stagesAskedFor(ArrayRef<Operation *> loads, unsigned numStages) {
  int hint = 0;
  for (Operation *load : loads)
    if (auto latency = load->getAttrOfType<IntegerAttr>("latency"))
      hint = std::max<int>(hint, latency.getInt());
  if (hint && unsigned(std::max(hint, 2)) < numStages)
    return {std::max(hint, 2), "the latency hints"};
  return {numStages, "num-stages"};
}

Value nv_tileas::growthOf(CountedLoop loop, BlockArgument argument) {
  Operation *def = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp();
  if (auto moved = dyn_cast_if_present<nv_tileaa::AddPtrOp>(def))
    return moved.getPtr() == argument && loop.isDefinedOutsideOfLoop(moved.getOffset()) ? moved.getOffset() : Value();
  auto next = dyn_cast_if_present<arith::AddIOp>(def);
  if (!next)
    return {};
  for (auto [same, growth] : {std::pair(next.getLhs(), next.getRhs()), std::pair(next.getRhs(), next.getLhs())})
    if (same == argument && loop.isDefinedOutsideOfLoop(growth))
      return growth;
  return {};
}

LogicalResult RingCandidate::addAddress(Value value, StringRef &why) {
  if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
    return success();
  Operation *def = value.getDefiningOp();
  if (!def) {
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() != loop.getBody() || !growthOf(loop, argument)) {
      why = "where they come from depends on what the loop computes";
      return failure();
    }
    counters.insert(*loop.getCarriedNumber(argument));
    return success();
  }
  if (addresses.contains(def))
    return success();
  if (def->getBlock() != loop.getBody() || def->getNumRegions() != 0 || !isMemoryEffectFree(def)) {
    why = "where they come from depends on what the loop loads";
    return failure();
  }
  for (Value operand : def->getOperands())
    if (failed(addAddress(operand, why)))
      return failure();
  addresses.insert(def);
  return success();
}

StringRef RingCandidate::add(AsyncCopyOpInterface load) {
  auto tile = load.getDest().getDefiningOp<AllocTensorOp>();
  if (!tile || tile->getBlock() != loop.getBody() || !isa<SimtAsyncCopyAttr>(load.getAtom()))
    return "their tiles are not of the loop";
  for (Operation *user : tile->getUsers()) {
    auto copy = dyn_cast<CopyOp>(user);
    if ((isa<AsyncCopyOpInterface>(user) && user != load) || (copy && copy.getDest() == tile.getResult()))
      return "others write their tiles";
  }
  auto wait = load.getDone().hasOneUse() ? dyn_cast<AsyncWaitOp>(*load.getDone().user_begin()) : AsyncWaitOp();
  if (!wait || wait->getBlock() != loop.getBody())
    return "nobody waits for them in the loop";
  RingCandidate with = *this;
  StringRef why;
  for (Value value : load.getPlace())
    if (failed(with.addAddress(value, why)))
      return why;
  if (failed(collectTokens(loop, load.getToken(), with.tokens)))
    return "a token orders them after what the loop writes";
  *this = std::move(with);
  loads.push_back(load);
  tiles.push_back(tile);
  if (!llvm::is_contained(waits, wait))
    waits.push_back(wait);
  return {};
}

void RingCandidate::findColumns() {
  for (AllocTensorOp tile : tiles)
    for (Operation *user : usersOfSharedTile(tile.getResult()))
      if (auto dot = dyn_cast<DotOp>(user); dot && dot.getColumns() && dot->getBlock() == loop.getBody())
        if (auto its = dot.getColumns().getDefiningOp<AllocTensorOp>();
            its && its->hasOneUse() && its->getBlock() == dot->getBlock() && !llvm::is_contained(columns, its))
          columns.push_back(its);
}

int64_t RingCandidate::percentOfSharedMemory() const {
  auto bytesOf = [](Type type) {
    auto tile = cast<RankedTensorType>(type);
    return tile.getNumElements() * getStorageBytes(tile.getElementType());
  };
  int64_t clocks = 0, bytes = 0;
  CountedLoop(loop)->walk([&](Operation *op) {
    if (auto load = dyn_cast<AsyncCopyOpInterface>(op))
      bytes += bytesOf(load.getDest().getType());
    else if (auto load = dyn_cast<TiledLoadOp>(op))
      bytes += bytesOf(load.getResult().getType());
    else if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getDest())
      bytes += bytesOf(copy.getDest().getType());
    else if (auto read = dyn_cast<ConvertLayoutOp>(op); read && isIn(read.getSource().getType(), MemoryKind::Shared))
      bytes += bytesOf(read.getResult().getType());
    auto dot = dyn_cast<DotOp>(op);
    auto atom = dot && dot.getAtom() ? dyn_cast<WgmmaAtomAttr>(Attribute(*dot.getAtom())) : WgmmaAtomAttr();
    if (!atom)
      return;
    // An instruction multiplies 64 rows and N columns of 32 bytes along k in N / 2 clocks, and reads both.
    int64_t depth = bytesOf(dot.getA().getType()) / dot.getA().getType().getShape().drop_back().back() / 32;
    int64_t rows = dot.getType().getShape().drop_back().back(), columns = dot.getType().getShape().back();
    int64_t instructions = llvm::divideCeil(rows, 64) * llvm::divideCeil(columns, atom.getN()) * depth;
    clocks += instructions * atom.getN() / 2;
    bytes += instructions * 32 * (64 + atom.getN());
  });
  constexpr int64_t bytesOfClock = 128;
  return clocks ? 100 * bytes / (bytesOfClock * clocks) : 0;
}

bool RingCandidate::arriveInARound(int computeCapability) const {
  using tileiras::schedule::Slot;
  const tileiras::schedule::TargetCosts &costs = tileiras::schedule::costsFor(computeCapability);
  double bytes = 0;
  for (AllocTensorOp tile : tiles)
    bytes += tile.getType().getNumElements() * getStorageBytes(tile.getType().getElementType());
  std::map<Slot, double> busy;
  bool others = false;
  CountedLoop(loop)->walk([&](Operation *op) {
    if (auto dot = dyn_cast<DotOp>(op)) {
      others |= !dot.getAtom() || !isa<WgmmaAtomAttr>(Attribute(*dot.getAtom()));
      tileiras::DotShape shape = getDotShape(dot);
      double bits = dot.getA().getType().getElementType().getIntOrFloatBitWidth();
      busy[Slot::TcAndMma] += double(shape.m) * shape.n * shape.k * shape.batch * bits / 16 / costs.f16MultiplyAdds;
    } else if (isElementwise(op) && op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType())) {
      double elements = cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
      ElementwiseCost cost = getElementwiseCost(op, elements, costs);
      busy[cost.unit] += cost.cycles;
    }
  });
  double most = 0;
  for (auto [unit, cycles] : busy)
    most = std::max(most, cycles);
  constexpr double margin = 2; // all multiprocessors load at the same time
  return !others && most >= margin * (costs.memoryLatency + costs.copyLatency + bytes / costs.memoryBytes);
}

void RingCandidate::findWritten() {
  DotOp dot;
  bool others = false;
  loop->walk([&](Operation *op) {
    others |= (dot && isa<DotOp>(op)) || (op != loop.getOperation() && isa<LoopLikeOpInterface>(op));
    if (auto its = dyn_cast<DotOp>(op))
      dot = its;
  });
  if (others || !dot || dot->getBlock() != loop.getBody() || !goesOn(dot) || waits.empty())
    return;
  std::optional<unsigned> sums = loop.getCarriedNumber(dot.getC());
  if (!sums || !dot.getC().hasOneUse() || !dot.getResult().hasOneUse() ||
      loop.getYieldedValues()[*sums] != dot.getResult())
    return;
  SmallVector<AllocTensorOp> found;
  for (Value factor : {dot.getA(), dot.getB()}) {
    Operation *user = dot;
    while (Operation *def = factor.getDefiningOp()) {
      if (!isReshape(def))
        break;
      user = def;
      factor = def->getOperand(0);
    }
    auto tile = factor.getDefiningOp<AllocTensorOp>();
    if (tile && llvm::is_contained(tiles, tile))
      continue;
    // Somebody fills it behind the wait for what is loaded, and nobody else has it.
    if (!tile || tile->getBlock() != loop.getBody() || !isIn(factor.getType(), MemoryKind::Shared))
      return;
    for (Operation *its : tile->getUsers()) {
      auto copy = dyn_cast<CopyOp>(its);
      bool fills = copy && copy.getDest() == factor && copy->hasAttr(kAsyncProxyAttr) &&
                   copy->getBlock() == loop.getBody() && waits.front()->isBeforeInBlock(copy);
      if (its != user && !fills)
        return;
    }
    found.push_back(tile);
  }
  written = std::move(found);
}

Operation *nv_tileas::lastReader(ArrayRef<AllocTensorOp> tiles, Operation *wait) {
  Block *body = wait->getBlock();
  Operation *last = nullptr;
  auto include = [&](Value tile) {
    bool more = false;
    for (Operation *user : usersOfSharedTile(tile))
      if (Operation *op = body->findAncestorOpInBlock(*user); op && (!last || last->isBeforeInBlock(op)))
        last = op, more = true;
    return more;
  };
  for (AllocTensorOp tile : tiles)
    include(tile.getResult());
  for (bool more = last != nullptr; more;) {
    more = false;
    for (Operation *op = wait->getNextNode(), *end = last->getNextNode(); op && op != end; op = op->getNextNode())
      for (Value result : op->getResults())
        if (isIn(result.getType(), MemoryKind::Shared))
          more |= include(result);
  }
  return last;
}

SmallVector<RingCandidate, 0> nv_tileas::streamsOf(const RingCandidate &candidate) {
  SmallVector<RingCandidate, 0> streams;
  Operation *end = nullptr;
  for (AsyncWaitOp wait : candidate.waits) {
    if (!end || end->isBeforeInBlock(wait))
      streams.emplace_back().loop = candidate.loop;
    SmallVector<AllocTensorOp> tiles;
    for (auto [load, tile] : llvm::zip_equal(candidate.loads, candidate.tiles))
      if (llvm::is_contained(wait.getTokens(), AsyncCopyOpInterface(load).getDone())) {
        streams.back().add(load);
        tiles.push_back(tile);
      }
    Operation *last = lastReader(tiles, wait);
    if (last && (!end || end->isBeforeInBlock(last)))
      end = last;
  }
  return streams;
}
