//===- AssignNamedBarriers.cpp - tileas-assign-named-barriers -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A block has sixteen barriers. Barrier 0 belongs to code that all warps run; every agent of more than one warp gets
// one of the others, and those that code names itself (`nvvm.barrier id = ...` between agents) are nobody else's.
// agent_switches of one kernel follow each other, with all warps meeting in between, so each may use all that are left.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNNAMEDBARRIERSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

constexpr int32_t kBarriers = 16;

struct AssignNamedBarriersPass : nv_tileas::impl::AssignNamedBarriersPassBase<AssignNamedBarriersPass> {
  void runOnOperation() override {
    SmallVector<AgentSwitchOp> switches;
    getOperation().walk([&](AgentSwitchOp op) { switches.push_back(op); });
    if (switches.empty())
      return;
    FailureOr<uint32_t> taken = namedByCode();
    if (failed(taken))
      return signalPassFailure();
    for (AgentSwitchOp op : switches)
      if (failed(assign(op, *taken)))
        return signalPassFailure();
  }

private:
  /// The barriers that operations name, as bits.
  FailureOr<uint32_t> namedByCode() {
    uint32_t taken = 1;
    if (getOperation()->hasAttr(kByWarpgroupAttr))
      taken |= 3u << kWarpgroupBarrier;
    WalkResult walk = getOperation().walk([&](Operation *op) {
      if (!isa<NVVM::BarrierOp, NVVM::BarrierArriveOp, NVVM::Barrier0Op>(op))
        return WalkResult::advance();
      Value id;
      if (auto barrier = dyn_cast<NVVM::BarrierOp>(op))
        id = barrier.getBarrierId();
      else if (auto arrive = dyn_cast<NVVM::BarrierArriveOp>(op))
        id = arrive.getBarrierId();
      APInt number(32, 0);
      if (id && !matchPattern(id, m_ConstantInt(&number))) {
        op->emitOpError("fails to assign named barrier: the id of a barrier must be a constant");
        return WalkResult::interrupt();
      }
      if (number.uge(kBarriers)) {
        op->emitOpError("expects a barrier from 0 to 15, got ") << number.getZExtValue();
        return WalkResult::interrupt();
      }
      if (number.isZero() && getAgentSwitch(op)) {
        op->emitOpError("inside an agent needs an id from 1 to 15: barrier 0 waits for all warps of the block");
        return WalkResult::interrupt();
      }
      taken |= 1u << number.getZExtValue();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    return taken;
  }

  LogicalResult assign(AgentSwitchOp op, uint32_t taken) {
    SmallVector<int32_t> ids;
    for (Region &agent : op.getAgents()) {
      int32_t id = 0;
      if (op.getExecutionContext(agent).needsNamedBarrier()) {
        id = llvm::countr_one(taken);
        ++numBarriers;
        if (id >= kBarriers)
          return op.emitOpError("fails to assign named barrier: the block has 15 of them, and agent ")
                 << agent.getRegionNumber() << " would need one more";
        taken |= 1u << id;
      }
      ids.push_back(id);
    }
    op.setBarrierIds(ids);
    return success();
  }
};

} // namespace
