//===- ElectedProducer.cpp - Producers that are one thread ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/ElectedProducer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"

using namespace mlir;
using namespace mlir::nv_tileas;

/// Whether one thread may run `op` in the place of all: it fills stages by tensor copies, or computes numbers.
static bool isForOneThread(Operation &op) {
  if (isa<ProducerAcquireOp, ProducerCommitOp>(op))
    return true;
  if (auto write = dyn_cast<ProducerWriteOp>(op))
    return !write.getBody().front().getOps<AsyncTiledTmaLoadOp>().empty();
  if (isa<scf::ForOp, scf::IfOp>(op))
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
    if (block->getTerminator()->getNumOperands() == 0 && isa<scf::IfOp, AgentSwitchOp>(parent))
      found = block;
    if (!isa<scf::ForOp, scf::IfOp>(parent))
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
    if (write->hasAttr(tilellvm::kElectedAttr))
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
    one.walk([](ProducerWriteOp other) { other->setAttr(tilellvm::kElectedAttr, UnitAttr::get(other.getContext())); });
  }
}

bool tileiras::isReadByThreads(ConsumerReadOp read) {
  auto isShared = [](Type type) { return isIn(type, MemoryKind::Shared); };
  return read
      .walk([&](Operation *op) {
        // Another shape is not an access.
        if (llvm::none_of(op->getOperandTypes(), isShared) || isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp>(op))
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
