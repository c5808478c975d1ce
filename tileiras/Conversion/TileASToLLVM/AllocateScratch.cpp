//===- AllocateScratch.cpp - Shared memory for exchanges between threads --===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-allocate-scratch: an operation whose lowering hands values from thread to thread through shared memory stands
// in an nv_tileas.with_scratch with a tile for it. So every byte of shared memory is an alloc_tensor before addresses
// are assigned, and the assignment lets such tiles share their bytes with whatever is not in use at the same time.
//
// How many bytes an operation needs is a matter of its lowering (`exchangeBytes`), which is why this pass stands here.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace tileiras {
#define GEN_PASS_DEF_ALLOCATESCRATCHPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct AllocateScratchPass : ::tileiras::impl::AllocateScratchPassBase<AllocateScratchPass> {
  void runOnOperation() override {
    if (isa<FunctionOpInterface>(getOperation()))
      return allocate(getOperation());
    getOperation()->walk([&](FunctionOpInterface func) { allocate(func); });
  }

  static int64_t bytesOf(AllocTensorOp alloc) {
    auto type = cast<RankedTensorType>(alloc.getType());
    return type.getNumElements() * getStorageBytes(type.getElementType());
  }

  static void allocate(Operation *func) {
    SmallVector<Operation *> exchanges;
    bool placed = true; // addresses have been assigned already
    int64_t end = 0;
    func->walk([&](Operation *op) {
      if (auto alloc = dyn_cast<AllocTensorOp>(op)) {
        placed &= alloc.getOffset().has_value();
        end = std::max<int64_t>(end, alloc.getOffset().value_or(0) + bytesOf(alloc));
      }
      if (!isa<WithScratchOp>(op->getParentOp()) && tilellvm::exchangeBytes(op))
        exchanges.push_back(op);
    });
    DenseMap<Region *, int64_t> behind; // of each agent, and of the code outside
    for (Operation *op : exchanges) {
      auto alloc = wrap(op, tilellvm::exchangeBytes(op)).getScratch().getDefiningOp<AllocTensorOp>();
      if (!placed)
        continue;
      // Behind everything else; one after the other they may have the same bytes, but not in agents, which run at once.
      AgentSwitchOp agents = getAgentSwitch(op);
      Region *agent = agents ? &agents.getAgents()[agents.agentOf(op)] : nullptr;
      auto [where, fresh] = behind.try_emplace(agent, 0);
      if (fresh) {
        where->second = llvm::alignTo(end, 16);
        int64_t most = 0;
        for (Operation *other : exchanges)
          if (AgentSwitchOp its = getAgentSwitch(other);
              (its ? &its.getAgents()[its.agentOf(other)] : nullptr) == agent)
            most = std::max(most, tileBytes(tilellvm::exchangeBytes(other)));
        end = where->second + most;
      }
      alloc.setOffset(where->second);
    }
  }

  static int64_t tileBytes(int64_t needed) { return llvm::PowerOf2Ceil(std::max<int64_t>(needed, 8)); }

  static WithScratchOp wrap(Operation *op, int64_t needed) {
    OpBuilder b(op);
    int64_t bytes = tileBytes(needed);
    Attribute layout = getSharedLayoutAttr(b.getContext(), ::tileiras::sharedLayout({int32_t(bytes)}, {0}));
    Value tile =
        AllocTensorOp::create(b, op->getLoc(), RankedTensorType::get({bytes}, b.getI8Type(), layout), IntegerAttr());
    auto scratch = WithScratchOp::create(b, op->getLoc(), op->getResultTypes(), tile);
    Block *body = b.createBlock(&scratch.getBody());
    op->replaceAllUsesWith(scratch.getResults());
    op->moveBefore(body, body->end());
    b.setInsertionPointToEnd(body);
    YieldOp::create(b, op->getLoc(), op->getResults());
    return scratch;
  }
};

} // namespace
