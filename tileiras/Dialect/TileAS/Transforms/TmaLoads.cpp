//===- TmaLoads.cpp - Which loads tensor copies can make ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/TmaLoads.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TensorCoordinates.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

/// The same, for a token behind those in `seen`, which are answered where they were met first: one that comes after
/// something else ends it all.
static bool comesAfterLoadsOnly(Value token, llvm::SmallDenseSet<Value> &seen) {
  if (!token || !seen.insert(token).second)
    return true;
  Operation *def = token.getDefiningOp();
  if (!def)
    return false;
  if (isa<nv_tileaa::CreateMemTokenOp, nv_tileaa::GdcWaitOp>(def))
    return true;
  if (auto join = dyn_cast<nv_tileaa::JoinMemTokenOp>(def))
    return llvm::all_of(join.getTokens(), [&](Value joined) { return comesAfterLoadsOnly(joined, seen); });
  if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(def))
    return !access.writesMemory() && access.isWeak() && comesAfterLoadsOnly(access.getToken(), seen);
  return false;
}

bool nv_tileas::comesAfterLoadsOnly(Value token) {
  llvm::SmallDenseSet<Value> seen;
  return ::comesAfterLoadsOnly(token, seen);
}

bool nv_tileas::isInRange(nv_tileaa::TiledViewType view, int d, Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<CountedLoop>(argument.getOwner()->getParentOp()) : CountedLoop();
  if (!loop || argument != loop.getInductionVar() || loop.getUnsignedCmp())
    return false;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), step = getConstantIntValue(loop.getStep());
  auto tiles = loop.getUpperBound().getDefiningOp<nv_tileaa::GetDimSizeOp>();
  auto counted = tiles ? dyn_cast<nv_tileaa::TiledViewType>(tiles.getSource().getType()) : nv_tileaa::TiledViewType();
  if (!lower || *lower < 0 || !step || *step < 1 || !counted || !index.getType().isInteger(32))
    return false;
  int axis = int(tiles.getAxis());
  int64_t extent = view.getTileShape()[d];
  if (view.getTraversalStrides()[d] != extent || !llvm::isPowerOf2_64(extent) ||
      counted.getTraversalStrides()[axis] < extent)
    return false;
  auto block = tiles.getSource().getDefiningOp<nv_tileaa::BlockTileOp>();
  auto memref = block ? block->getOperand(0).getDefiningOp<nv_tileaa::MakeMemRefOp>() : nv_tileaa::MakeMemRefOp();
  return memref && llvm::all_of(memref.getSizes(), [](Value size) { return size.getType().isInteger(32); }) &&
         llvm::all_of(counted.getSource().getShape(),
                      [](int64_t extent) { return ShapedType::isDynamic(extent) || extent <= kMaxTmaExtent; });
}

CountedLoop nv_tileas::loopOfItsOwn(CreatePipelineOp ring) {
  constexpr int64_t mostOperations = 80;
  CountedLoop loop;
  SmallVector<Operation *> beside; ///< rounds before the loop and behind it
  for (Operation *user : ring->getUsers()) {
    if (isa<CreateIteratorOp>(user))
      continue;
    Operation *around = ring->getBlock()->findAncestorOpInBlock(*user);
    if (around == user) {
      beside.push_back(user);
      continue;
    }
    if (!isa_and_nonnull<CountedLoop>(around) || (loop && loop != around))
      return {};
    loop = cast<CountedLoop>(around);
  }
  if (!loop)
    return {};
  for (Operation *user : beside) {
    bool fills = isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user),
         reads = isa<ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp>(user);
    if (user->isBeforeInBlock(loop) ? !fills : !reads)
      return {};
  }
  if (llvm::any_of(readsBehind(loop, ring), [&](Operation *op) {
        return !llvm::is_contained(op->getOperands(), ring.getPipeline()) && !isMemoryEffectFree(op);
      }))
    return {};
  int64_t operations = 0;
  loop.walk([&](Operation *) { ++operations; });
  for (Value result : loop.getResults())
    if (isa<PipelineIteratorType>(result.getType()) &&
        llvm::any_of(result.getUsers(), [&](Operation *user) { return !llvm::is_contained(beside, user); }))
      return {};
  for (Value stage : ring.getStages())
    if (!stage.getDefiningOp<AllocTensorOp>() || !stage.hasOneUse() ||
        stage.getDefiningOp()->getBlock() != ring->getBlock())
      return {};
  return operations <= mostOperations ? loop : CountedLoop();
}

SmallVector<Operation *> nv_tileas::fillsBefore(CountedLoop loop, CreatePipelineOp ring) {
  llvm::SetVector<Operation *> found;
  for (Operation *op = ring->getNextNode(); op && op != loop; op = op->getNextNode())
    if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, CreateIteratorOp>(op)
            ? op->getOperand(0) == ring.getPipeline()
            : isa<IncIterOp>(op) && found.contains(op->getOperand(0).getDefiningOp()))
      found.insert(op);
  return found.takeVector();
}

SmallVector<Operation *> nv_tileas::readsBehind(CountedLoop loop, CreatePipelineOp ring) {
  llvm::SetVector<Operation *> found;
  Block *block = loop->getBlock();
  auto add = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == block && loop->isBeforeInBlock(def))
      found.insert(def);
  };
  for (Operation *user : ring->getUsers())
    if (user->getBlock() == block && loop->isBeforeInBlock(user))
      found.insert(user);
  for (size_t i = 0; i < found.size(); ++i)
    found[i]->walk([&](Operation *op) { llvm::for_each(op->getOperands(), add); });
  SmallVector<Operation *> parts = found.takeVector();
  llvm::sort(parts, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return parts;
}

bool nv_tileas::usesOtherGroups(CountedLoop loop, ArrayRef<CreatePipelineOp> but) {
  return loop
      ->walk([&](Operation *op) {
        return llvm::any_of(op->getOperands(),
                            [&](Value operand) {
                              auto ring = operand.getDefiningOp<CreatePipelineOp>();
                              return ring && ring.getGroups() && !loop->isAncestor(ring) &&
                                     !llvm::is_contained(but, ring);
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether products have a tile as scales, and nobody has it otherwise.
static bool areScales(Value tile) {
  return !tile.use_empty() && llvm::all_of(tile.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isReshape(user))
      return areScales(user->getResult(0));
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot.getColumns() && (use.get() == dot.getSfa() || use.get() == dot.getSfb());
  });
}

bool nv_tileas::staysWithThreads(AsyncTiledLoadOp load) {
  auto stage = dyn_cast<BlockArgument>(load.getDest());
  auto write = dyn_cast<ProducerWriteOp>(load->getParentOp());
  if (!stage || !write)
    return false;
  // So many instructions one thread issues in the time in which the threads have copied as much.
  constexpr size_t fewBoxes = 4;
  if (std::optional<tileiras::TmaTile> boxes = describeTma(load); boxes && boxes->copies.size() <= fewBoxes)
    return false;
  return llvm::any_of(write.getPipeline().getUsers(), [&](Operation *user) {
    auto read = dyn_cast<ConsumerReadOp>(user);
    return read && areScales(read.getBody().getArgument(stage.getArgNumber()));
  });
}
