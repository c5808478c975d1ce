//===- ElectedProducer.cpp - Producers that are one thread ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/ElectedProducer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;

static bool copiesTensors(ProducerWriteOp write) {
  return llvm::any_of(write.getBody().front(), [](Operation &op) { return isTensorLoad(&op); });
}

/// Whether threads copy a part of the stage, each its own.
static bool copiesByThreads(ProducerWriteOp write) {
  return !write.getBody().front().getOps<AsyncCopyOpInterface>().empty();
}

/// Whether one thread may run `op` in the place of all: it fills stages by tensor copies, or computes numbers.
static bool isForOneThread(Operation &op) {
  if (isa<ProducerAcquireOp, ProducerCommitOp, TakeoverAskOp, TakeoverAnswerOp>(op))
    return true;
  if (auto write = dyn_cast<ProducerWriteOp>(op))
    return copiesTensors(write) && !copiesByThreads(write);
  if (isa<LoopLikeOpInterface, Branch>(op))
    return llvm::all_of(op.getRegions(), [](Region &region) {
      return llvm::all_of(region, [](Block &block) { return llvm::all_of(block, isForOneThread); });
    });
  // Tiles are spread over threads.
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         llvm::none_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); }) &&
         llvm::none_of(op.getOperandTypes(), [](Type type) { return isa<RankedTensorType>(type); });
}

/// The outermost block around `write`, in its agent, all of which one thread may run; null if there is none.
static Block *blockForOneThread(ProducerWriteOp write) {
  Block *found = nullptr;
  for (Block *block = write->getBlock(); llvm::all_of(*block, isForOneThread);
       block = block->getParentOp()->getBlock()) {
    Operation *parent = block->getParentOp();
    if (block->getTerminator()->getNumOperands() == 0 && isa<Branch, AgentSwitchOp>(parent))
      found = block;
    if (!isa<LoopLikeOpInterface, Branch>(parent))
      break;
  }
  return found;
}

void tileiras::electProducers(Operation *func) {
  SmallVector<ProducerWriteOp> writes;
  func->walk([&](ProducerWriteOp write) {
    if (getAgentSwitch(write))
      writes.push_back(write);
  });
  for (ProducerWriteOp write : writes) {
    if (write->hasAttr(kElectedAttr))
      continue;
    Block *block = blockForOneThread(write);
    if (!block)
      continue;
    OpBuilder builder(block, block->begin());
    tilellvm::Emitter e(builder, write.getLoc());
    Value elected = tilellvm::electedThread(e);
    auto one = scf::IfOp::create(builder, write.getLoc(), elected, /*withElseRegion=*/false);
    Block *inner = one.thenBlock();
    inner->getOperations().splice(inner->begin(), block->getOperations(), std::next(one->getIterator()),
                                  block->getTerminator()->getIterator());
    one.walk([](Operation *op) {
      if (isa<ProducerWriteOp, TakeoverAskOp, TakeoverAnswerOp>(op))
        op->setAttr(kElectedAttr, UnitAttr::get(op->getContext()));
    });
  }
}

/// Has the loop around `write` arrive `rounds` rounds later. Null if something else in the loop copies, or the stage is
/// not that of the round.
static std::optional<tileiras::LaggingArrival> lag(ProducerWriteOp write, int32_t rounds) {
  auto loop = dyn_cast<CountedLoop>(write->getParentOp());
  auto acquire = write.getToken().getDefiningOp<ProducerAcquireOp>();
  auto iterator = acquire ? dyn_cast<BlockArgument>(acquire.getIterator()) : BlockArgument();
  if (!loop || !iterator || iterator.getOwner() != loop.getBody() || write.getPredicate())
    return std::nullopt;
  WalkResult walk = loop.walk([&](Operation *op) {
    bool other = isa<ProducerWriteOp>(op) ? op != write : isa<LoopLikeOpInterface>(op) && op != loop;
    return other || isa<AsyncWaitOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  auto commit = llvm::find_if(write.getWritten().getUsers(), [](Operation *op) { return isa<ProducerCommitOp>(op); });
  if (walk.wasInterrupted() || commit == write.getWritten().getUsers().end())
    return std::nullopt;

  Location loc = write.getLoc();
  IRRewriter rewriter(loop);
  auto number = [&](OpBuilder &b, int32_t n) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(n));
  };
  // How many rounds there have been, up to `rounds`.
  auto count = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> args) -> SmallVector<Value> {
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, args.back(), number(b, rounds));
    Value next = arith::AddIOp::create(b, loc, args.back(), number(b, 1));
    return {arith::SelectOp::create(b, loc, more, next, args.back()).getResult()};
  };
  std::optional<unsigned> index = loop.getCarriedNumber(iterator);
  FailureOr<CountedLoop> wider = loop.replaceWithAdditionalYields(rewriter, number(rewriter, 0), count);
  if (failed(wider))
    return std::nullopt;
  loop = *wider;
  auto atLeast = [&](Value done, int32_t n) -> Value {
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge, done, number(rewriter, n));
  };
  rewriter.setInsertionPoint(write);
  tileiras::LaggingArrival lagging{rounds, atLeast(loop.getRegionIterArgs().back(), rounds)};
  rewriter.setInsertionPointAfter(loop);
  auto next = ProducerAcquireOp::create(rewriter, loc, acquire.getToken().getType(), acquire.getPipeline(),
                                        loop.getResult(*index), Value());
  next->setDiscardableAttrs((*commit)->getDiscardableAttrDictionary());
  for (int32_t ago = rounds; ago > 0; --ago) {
    auto last = ProducerCommitOp::create(rewriter, loc, acquire.getPipeline(), next.getToken(),
                                         atLeast(loop.getResults().back(), ago));
    last->setDiscardableAttrs((*commit)->getDiscardableAttrDictionary());
    last->setAttr(kLastArrivalAttr, rewriter.getI32IntegerAttr(ago));
  }
  return lagging;
}

llvm::DenseMap<Operation *, tileiras::LaggingArrival> tileiras::lagArrivals(Operation *func) {
  SmallVector<std::pair<ProducerWriteOp, int32_t>> writes;
  func->walk([&](CreatePipelineOp ring) {
    SmallVector<ProducerWriteOp> byTma, byThreads;
    for (Operation *user : ring->getUsers())
      if (auto write = dyn_cast<ProducerWriteOp>(user))
        (copiesTensors(write) ? byTma : byThreads).push_back(write);
    // Threads that copy beside tensor copies arrive when their copies are done, and so they do without.
    if (llvm::any_of(byTma, copiesByThreads))
      return;
    int32_t rounds = int32_t(ring.getNumStages()) - 2;
    for (ProducerWriteOp write : byThreads)
      if (!byTma.empty() && rounds > 0 && !write.getBody().front().getOps<AsyncCopyOpInterface>().empty())
        writes.push_back({write, rounds});
  });
  llvm::DenseMap<Operation *, LaggingArrival> lagging;
  for (auto [write, rounds] : writes)
    if (std::optional<LaggingArrival> arrival = lag(write, rounds))
      lagging[write] = *arrival;
  return lagging;
}

bool tileiras::isReadByThreads(ConsumerReadOp read) {
  auto isShared = [](Type type) { return isIn(type, MemoryKind::Shared); };
  return read
      .walk([&](Operation *op) {
        // Another shape is not an access.
        if (llvm::none_of(op->getOperandTypes(), isShared) || isReshape(op))
          return WalkResult::advance();
        std::optional<MmaAtomAttrInterface> atom;
        if (auto product = dyn_cast<AsyncDotOp>(op))
          atom = product.getAtom();
        else if (auto dot = dyn_cast<DotOp>(op))
          atom = dot.getAtom();
        return atom && atom->getCompletion() != Completion::AtOnce ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}
