//===- TileASPipelineOps.cpp - Agents and asynchronous pipelines ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

using namespace mlir;
using namespace mlir::nv_tileas;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASPipelineOps.cpp.inc"

//===----------------------------------------------------------------------===//
// agent_switch: interfaces
//===----------------------------------------------------------------------===//

ExecutionContext AgentSwitchOp::getExecutionContext(Region &region) {
  ExecutionContext context = ExecutionContext::of(getOperation());
  unsigned agent = region.getRegionNumber();
  auto entry = [agent](std::optional<ArrayRef<int32_t>> list) {
    return list && agent < list->size() ? (*list)[agent] : 0;
  };
  context.isWholeBlock = false;
  context.barrierId = std::nullopt;
  if (int32_t warps = entry(getNumWarps())) {
    context.numWarps = warps;
    context.isDeclared = true;
  }
  context.firstWarp += entry(getWarpId());
  context.maxRegisters = entry(getMaxRegs());
  if (int32_t id = entry(getBarrierIds()))
    context.barrierId = id;
  return context;
}

int AgentSwitchOp::agentOf(Operation *op) {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion())
    if (region->getParentOp() == getOperation())
      return region->getRegionNumber();
  return -1;
}

/// All regions run, at the same time; to a walk that follows one path each of them is a path.
void AgentSwitchOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(getOperation(), getOperation()->getResults());
    return;
  }
  for (Region &agent : getAgents())
    successors.emplace_back(&agent, agent.getArguments());
}

OperandRange AgentSwitchOp::getEntrySuccessorOperands(RegionSuccessor) { return getCaptures(); }

//===----------------------------------------------------------------------===//
// agent_switch: verification
//===----------------------------------------------------------------------===//

namespace {

using List = std::optional<ArrayRef<int32_t>>;

/// The warps from `first` on, `count` of them, as bits.
uint64_t warpBits(int32_t first, int32_t count) { return ((uint64_t(1) << count) - 1) << first; }

LogicalResult verifyWarps(AgentSwitchOp op, const ExecutionContext &outside) {
  List counts = op.getNumWarps(), starts = op.getWarpId();
  if (counts)
    for (auto [i, warps] : llvm::enumerate(*counts))
      if (warps < 1 || warps > 32)
        return op.emitOpError("expects from 1 to 32 warps for each agent, got ") << warps << " for agent " << i;
  if (!starts)
    return success();
  if (!counts)
    return op.emitOpError("expects 'num_warps' where there is 'warp_id'");
  uint64_t taken = 0;
  for (auto [i, first, warps] : llvm::enumerate(*starts, *counts)) {
    if (first < 0 || first + warps > 32)
      return op.emitOpError("expects warps from 0 to 31, agent ") << i << " begins with " << first;
    if (taken & warpBits(first, warps))
      return op.emitOpError("expects every warp in at most one agent, agent ")
             << i << " shares warps with one before it";
    taken |= warpBits(first, warps);
    if (outside.isDeclared && first + warps > outside.numWarps)
      return op.emitOpError("agent ") << i << " needs warps up to " << first + warps - 1 << ", the kernel has "
                                      << outside.numWarps;
  }
  return success();
}

LogicalResult verifyRegisters(AgentSwitchOp op) {
  if (!op.getMaxRegs())
    return success();
  ArrayRef<int32_t> budgets = *op.getMaxRegs();
  // PTX ISA, setmaxnreg.
  for (int32_t registers : budgets)
    if (registers != 0 && (registers < 24 || registers > 256 || registers % 8 != 0))
      return op.emitOpError("expects 'max_regs' in steps of 8 from 24 to 256, or 0, got ") << registers;
  if (!op.getWarpId())
    return success();
  for (auto [i, first, warps] : llvm::enumerate(*op.getWarpId(), *op.getNumWarps()))
    for (size_t j = 0; j < i; ++j) {
      int32_t otherFirst = (*op.getWarpId())[j], otherLast = otherFirst + (*op.getNumWarps())[j] - 1;
      bool share = first / 4 <= otherLast / 4 && otherFirst / 4 <= (first + warps - 1) / 4;
      if (share && budgets[i] != budgets[j])
        return op.emitOpError("expects the same 'max_regs' for agents ")
               << j << " and " << i << ", which have warps of one warpgroup";
    }
  return success();
}

LogicalResult verifyBarriers(AgentSwitchOp op) {
  if (!op.getBarrierIds())
    return success();
  ArrayRef<int32_t> ids = *op.getBarrierIds();
  uint32_t taken = 0;
  for (int32_t id : ids) {
    if (id < 0 || id > 15)
      return op.emitOpError("expects 'barrier_ids' from 1 to 15, or 0 for none, got ") << id;
    if (id != 0 && ((taken >> id) & 1))
      return op.emitOpError("expects different 'barrier_ids', ") << id << " stands twice";
    taken |= 1u << id;
  }
  return success();
}

} // namespace

LogicalResult AgentSwitchOp::verify() {
  size_t agents = getAgents().size();
  if (agents == 0)
    return emitOpError("expects at least one agent");
  for (auto [name, list] : {std::pair("num_warps", getNumWarps()), std::pair("warp_id", getWarpId()),
                            std::pair("agent_strides", getAgentStrides()), std::pair("max_regs", getMaxRegs()),
                            std::pair("barrier_ids", getBarrierIds())})
    if (list && list->size() != agents)
      return emitOpError("expects one entry of '") << name << "' per agent, got " << list->size() << " for " << agents;
  if (int32_t group = getNumAgentsPerGroup(); group < 1 || agents % group != 0)
    return emitOpError("expects the number of agents, ")
           << agents << ", to be a multiple of 'num_agents_per_group', got " << group;
  if (getAgentSwitch(*this))
    return emitOpError("expects to be run by all warps of the block, not inside another agent");
  if (failed(verifyWarps(*this, ExecutionContext::of(getOperation()))) || failed(verifyRegisters(*this)))
    return failure();
  return verifyBarriers(*this);
}

/// That arguments are the captures and nothing is yielded is what RegionBranchOpInterface verifies.
LogicalResult AgentSwitchOp::verifyRegions() {
  for (Region &agent : getAgents()) {
    if (!getIsolated())
      continue;
    WalkResult walk = agent.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!agent.isAncestor(operand.getParentRegion()) && !matchPattern(operand, m_Constant()))
          return inner->emitOpError("uses a value from outside of an isolated agent"), WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}
