//===- WritesTogether.cpp - Tiles that threads write, one behind the other ===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/WritesTogether.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "tileiras/Remark/Remark.h"

using namespace mlir;
using namespace mlir::nv_tileas;
namespace remarks = tileiras::remarks;

/// Operations that may have to move with a write.
static constexpr size_t kMostMoved = 4;

/// The tile of a copy from registers, if it is made beside it and read by nobody but products that are done with it
/// when a thread has gone past them; null if not.
static AllocTensorOp tileForProducts(CopyOp copy) {
  auto tile = copy.getDest() ? copy.getDest().getDefiningOp<AllocTensorOp>() : AllocTensorOp();
  if (!tile || copy.getResult() || tile->getBlock() != copy->getBlock() || getAgentSwitch(copy) ||
      !isIn(copy.getSource().getType(), MemoryKind::Registers) || !isIn(tile.getType(), MemoryKind::Shared))
    return {};
  bool isRead = false;
  for (Operation *user : usersOfSharedTile(tile)) {
    auto dot = dyn_cast<DotOp>(user);
    bool reads = dot && dot.getAtom() && dot.getAtom()->getCompletion() == Completion::AtOnce &&
                 dot->getBlock() == copy->getBlock();
    if (user != copy && !reads && !isReshape(user))
      return {};
    isRead |= reads;
  }
  return isRead ? tile : AllocTensorOp();
}

/// What has to move behind `place` for `value` to be known there, in order. Fails if that is not arithmetic, or too
/// much.
static LogicalResult collect(Value value, Operation *place, SmallVectorImpl<Operation *> &moved) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != place->getBlock() || def->isBeforeInBlock(place) || llvm::is_contained(moved, def))
    return success();
  if (def->getNumRegions() || !isMemoryEffectFree(def) || moved.size() == kMostMoved)
    return failure();
  for (Value operand : def->getOperands())
    if (failed(collect(operand, place, moved)))
      return failure();
  moved.push_back(def);
  return success();
}

/// Writes the tile of `later` behind `earlier`, if that takes no block from a multiprocessor.
static bool join(CopyOp earlier, CopyOp later, nv_tileaa::FuncOp func, int64_t columns) {
  Operation *place = earlier;
  for (Operation *op = place; op != later; op = op->getNextNode())
    if (isa<AgentSwitchOp>(op))
      return false;
  SmallVector<Operation *> moved;
  if (place->getNextNode() == later || failed(collect(later.getSource(), place, moved)))
    return false;
  if (Operation *tile = later.getDest().getDefiningOp(); !tile->isBeforeInBlock(place))
    moved.push_back(tile);
  moved.push_back(later);
  SharedMemory shared(func);
  const int64_t before = shared.blocksWith(SharedPlan(func).place(), columns);
  SmallVector<Operation *> behind;
  for (Operation *op : moved) {
    behind.push_back(op->getNextNode());
    op->moveAfter(place);
    place = op;
  }
  const int64_t bytes = SharedPlan(func).place();
  if (bytes <= shared.room() && shared.blocksWith(bytes, columns) >= before)
    return true;
  for (auto [op, next] : llvm::reverse(llvm::zip_equal(moved, behind)))
    op->moveBefore(next);
  return false;
}

int64_t nv_tileas::writeTogether(nv_tileaa::FuncOp func, int64_t columns) {
  SmallVector<CopyOp> writes;
  func.walk([&](CopyOp copy) {
    if (tileForProducts(copy))
      writes.push_back(copy);
  });
  int64_t count = 0;
  for (size_t i = 1; i < writes.size(); ++i)
    if (writes[i]->getBlock() == writes[i - 1]->getBlock() && join(writes[i - 1], writes[i], func, columns)) {
      remarks::passed(writes[i], remarks::kMemory, "WriteTogether")
          << remarks::because("it is known when the tile before it is written: threads meet once for both");
      ++count;
    }
  return count;
}
