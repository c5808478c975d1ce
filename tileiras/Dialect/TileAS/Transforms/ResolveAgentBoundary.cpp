//===- ResolveAgentBoundary.cpp - tileas-resolve-agent-boundary -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile in registers lies in those of the warps that made it. What an agent uses of the code before it
//
//     %x = ... : tensor<64x64xf32, #of_all>            %x = ... ; %t = alloc_tensor; copy %x, %t
//     agent_switch { %y = convert_layout %x }    ->    agent_switch { %y = convert_layout %t }
//
// All warps meet between the code before the operation and the agents, so there is no other barrier. Numbers, constants
// and splats of numbers are the same in every thread and stay values. Tiles in shared memory have no owner.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_RESOLVEAGENTBOUNDARYPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

bool isOfThreads(Value value) {
  DenseElementsAttr constant;
  return isIn(value.getType(), MemoryKind::Registers) &&
         !(matchPattern(value, m_Constant(&constant)) && constant.isSplat());
}

struct ResolveAgentBoundaryPass : nv_tileas::impl::ResolveAgentBoundaryPassBase<ResolveAgentBoundaryPass> {
  void runOnOperation() override {
    getOperation().walk([&](AgentSwitchOp agents) {
      // Agents that have their warps are as they are to be.
      if (agents.getNumWarps() && !agents.getWarpId())
        resolve(agents);
    });
  }

private:
  void resolve(AgentSwitchOp agents) {
    DenseMap<Value, Value> shared;
    for (auto [number, capture] : llvm::enumerate(agents.getCaptures())) {
      if (!isOfThreads(capture))
        continue;
      auto type = cast<RankedTensorType>(capture.getType());
      Value tile = write(agents, capture, shared);
      agents.getCapturesMutable()[number].assign(tile);
      for (Region &agent : agents.getAgents()) {
        BlockArgument argument = agent.getArgument(number);
        argument.setType(tile.getType());
        read(agent, argument, argument, type);
      }
    }
    for (Region &agent : agents.getAgents()) {
      llvm::SetVector<Value> used;
      agent.walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (!agent.isAncestor(operand.getParentRegion()) && isOfThreads(operand))
            used.insert(operand);
      });
      for (Value value : used) {
        if (auto splat = value.getDefiningOp<nv_tileaa::SplatOp>()) {
          auto builder = OpBuilder::atBlockBegin(&agent.front());
          Operation *own = builder.clone(*splat);
          value.replaceUsesWithIf(own->getResult(0),
                                  [&](OpOperand &use) { return agent.isAncestor(use.getOwner()->getParentRegion()); });
        } else {
          read(agent, value, write(agents, value, shared), cast<RankedTensorType>(value.getType()));
        }
      }
    }
  }

  /// The tile in shared memory, written before the agents begin.
  Value write(AgentSwitchOp agents, Value value, DenseMap<Value, Value> &shared) {
    Value &tile = shared[value];
    if (tile)
      return tile;
    ++numResolved;
    OpBuilder builder(agents);
    auto type = cast<RankedTensorType>(value.getType());
    std::vector<int32_t> shape(type.getShape().begin(), type.getShape().end()), order;
    for (int32_t dim = type.getRank(); dim-- > 0;)
      order.push_back(dim);
    Attribute layout = getSharedLayoutAttr(builder.getContext(), tileiras::sharedLayout(shape, order));
    tile = AllocTensorOp::create(builder, value.getLoc(), withLayout(type, layout), IntegerAttr());
    CopyOp::create(builder, value.getLoc(), Type(), value, tile, planFor(type), UnitAttr());
    return tile;
  }

  /// What an agent does with `value` it does with the tile `from` there: in the layout that it converts the value to,
  /// or in the value's own (tiles on more warps than the agent has are refused by whoever checks layouts).
  static void read(Region &agent, Value value, Value from, RankedTensorType type) {
    Value own;
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      Operation *user = use.getOwner();
      if (!agent.isAncestor(user->getParentRegion()))
        continue;
      if (auto convert = dyn_cast<ConvertLayoutOp>(user)) {
        convert.setAtomPlanAttr(planFor(type));
        use.set(from);
        continue;
      }
      if (!own) {
        auto builder = OpBuilder::atBlockBegin(&agent.front());
        own = ConvertLayoutOp::create(builder, value.getLoc(), type, from, planFor(type), UnitAttr());
      }
      if (user != own.getDefiningOp())
        use.set(own);
    }
  }

  /// An element at a time: the access that every layout allows.
  static AtomPlanAttr planFor(RankedTensorType type) {
    return AtomPlanAttr::get(type.getContext(), /*tag=*/1, getStorageBytes(type.getElementType()));
  }
};

} // namespace
