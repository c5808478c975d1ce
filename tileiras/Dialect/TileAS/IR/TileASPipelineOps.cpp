//===- TileASPipelineOps.cpp - Agents and asynchronous pipelines ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
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
  auto entryOf = [](std::optional<ArrayRef<int32_t>> list, unsigned number) {
    return list && number < list->size() ? (*list)[number] : 0;
  };
  auto entry = [&](std::optional<ArrayRef<int32_t>> list) { return entryOf(list, agent); };
  context.isWholeBlock = false;
  context.barrierId = std::nullopt;
  if (int32_t warps = entry(getNumWarps())) {
    context.numWarps = warps;
    context.isDeclared = true;
  }
  context.firstWarp += entry(getWarpId());
  if (auto team = getOperation()->getAttrOfType<DenseI32ArrayAttr>(kTeamAttr); team && getNumWarps()) {
    context.firstLayoutWarp = entry(team.asArrayRef());
    context.teamWarps = context.firstLayoutWarp + context.numWarps;
    for (unsigned next = agent + 1; next < getAgents().size() && entryOf(team.asArrayRef(), next); ++next)
      context.teamWarps += (*getNumWarps())[next];
  }
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

/// Agents of a team continue the numbers of each other's warps.
LogicalResult verifyTeams(AgentSwitchOp op) {
  Attribute attr = op->getAttr(kTeamAttr);
  if (!attr)
    return success();
  auto team = dyn_cast<DenseI32ArrayAttr>(attr);
  if (!team || !op.getNumWarps() || team.size() != int64_t(op.getAgents().size()))
    return op.emitOpError("expects '") << kTeamAttr
                                       << "' to be an array of i32 with an entry for each agent, beside 'num_warps'";
  int32_t next = 0;
  for (auto [i, first, warps] : llvm::enumerate(team.asArrayRef(), *op.getNumWarps())) {
    if (first != 0 && first != next)
      return op.emitOpError("expects agent ")
             << i << " to begin a team, 0, or to continue one with warp " << next << ", got " << first;
    next = first + warps;
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
  if (failed(verifyWarps(*this, ExecutionContext::of(getOperation()))) || failed(verifyRegisters(*this)) ||
      failed(verifyTeams(*this)))
    return failure();
  return verifyBarriers(*this);
}

/// A tile in registers lies in those of the warps that made it: by the same layout, the warps of an agent would find
/// other elements, or none, in theirs. What is the same in every thread may be used anywhere.
static bool isInRegistersOfOthers(Value value) {
  DenseElementsAttr constant;
  return isIn(value.getType(), MemoryKind::Registers) &&
         !(matchPattern(value, m_Constant(&constant)) && constant.isSplat());
}

/// That arguments are the captures and nothing is yielded is what RegionBranchOpInterface verifies.
/// Before agents have their warps tileas-resolve-agent-boundary hands tiles over to them.
LogicalResult AgentSwitchOp::verifyRegions() {
  auto refuse = [](Operation *op) {
    return op->emitOpError("uses a tile in registers from outside of the agent; it must go through shared memory");
  };
  bool resolved = getWarpId().has_value();
  if (resolved && llvm::any_of(getCaptures(), isInRegistersOfOthers))
    return refuse(*this);
  for (Region &agent : getAgents()) {
    WalkResult walk = agent.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        if (agent.isAncestor(operand.getParentRegion()))
          continue;
        if (resolved && isInRegistersOfOthers(operand))
          return refuse(inner), WalkResult::interrupt();
        if (getIsolated() && !matchPattern(operand, m_Constant()))
          return inner->emitOpError("uses a value from outside of an isolated agent"), WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

LogicalResult PipelineType::verify(function_ref<InFlightDiagnostic()> emitError, int32_t stages,
                                   ArrayRef<Type> elements) {
  if (stages < 1)
    return emitError() << "expects a pipeline of at least one stage, got " << stages;
  if (elements.empty())
    return emitError() << "expects stages that hold at least one tile";
  for (Type type : elements) {
    if (!isIn(type, MemoryKind::Shared) && !isIn(type, MemoryKind::Tensor))
      return emitError() << "expects stages of tiles in shared memory, got " << type;
  }
  return success();
}

/// Types as the diagnostics list them.
static std::string listOf(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  return text;
}

LogicalResult CreatePipelineOp::verify() {
  PipelineType type = getPipeline().getType();
  if (type.getStages() != int32_t(getNumStages()))
    return emitOpError("expects a pipeline of ") << getNumStages() << " stages, the type has " << type.getStages();
  if (!getSharedMem() && !llvm::all_of(type.getElements(), [](Type t) { return isIn(t, MemoryKind::Tensor); }))
    return emitOpError("expects stages in shared memory");
  size_t elements = type.getElements().size();
  if (getStages().size() != elements * getNumStages())
    return emitOpError("expects ") << elements * getNumStages() << " tiles, " << elements << " for each of "
                                   << getNumStages() << " stages, got " << getStages().size();
  for (auto [i, stage] : llvm::enumerate(getStages()))
    if (stage.getType() != type.getElements()[i % elements])
      return emitOpError("expects tile ")
             << i << " of type " << type.getElements()[i % elements] << ", got " << stage.getType();
  if ((*this)->hasAttr(kSharedPlaceAttr) &&
      (!(*this)->getAttrOfType<IntegerAttr>(kSharedPlaceAttr) || getNumStages() != 1 || !getGroups() || elements != 1))
    return emitOpError("expects a ring of groups with one stage of one tile where '")
           << kSharedPlaceAttr << "' is a number";
  if (!getBarriers())
    return success();
  auto barriers = cast<RankedTensorType>(getBarriers().getType());
  if (!isIn(barriers, MemoryKind::Shared) || !barriers.getElementType().isInteger(64) ||
      barriers.getNumElements() < 2 * int64_t(getNumStages()))
    return emitOpError("expects two i64 in shared memory per stage as 'barriers', got ") << barriers;
  return success();
}

static LogicalResult verifyIterator(Operation *op, PipelineType pipeline, PipelineIteratorType iterator) {
  if (pipeline.getStages() == iterator.getStages() && pipeline.getElements() == iterator.getElements())
    return success();
  return op->emitOpError("expects an iterator of ") << pipeline << ", got " << iterator;
}
LogicalResult CreateIteratorOp::verify() {
  return verifyIterator(*this, getPipeline().getType(), getIterator().getType());
}
LogicalResult ProducerAcquireOp::verify() {
  return verifyIterator(*this, getPipeline().getType(), getIterator().getType());
}
LogicalResult ConsumerWaitOp::verify() {
  return verifyIterator(*this, getPipeline().getType(), getIterator().getType());
}

/// Diagnostics of seed 003, to the letter.
static LogicalResult verifyStageRegion(Operation *op, PipelineType pipeline, Region &body, StringRef side,
                                       TypeRange results) {
  Block &block = body.front();
  if (!llvm::equal(block.getArgumentTypes(), pipeline.getElements()))
    return op->emitOpError("expects region arguement types to match with ")
           << side << " types [" << listOf(pipeline.getElements()) << "], but got: ["
           << listOf(block.getArgumentTypes()) << "]";
  auto yield = block.empty() ? PipelineYieldOp() : dyn_cast<PipelineYieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expects the region to end with nv_tileas.async.pipeline.yield");
  if (!llvm::equal(yield.getOperandTypes(), results))
    return op->emitOpError("expects region result types to be match with operation result types [")
           << listOf(results) << "], but got: [" << listOf(yield.getOperandTypes()) << "]";
  return success();
}
LogicalResult ProducerWriteOp::verifyRegions() {
  // It may yield the copies that are still under way; nothing else leaves it.
  SmallVector<Type> tokens;
  if (auto yield = dyn_cast<PipelineYieldOp>(getBody().front().back()))
    llvm::copy_if(yield.getOperandTypes(), std::back_inserter(tokens), llvm::IsaPred<AsyncTokenType>);
  return verifyStageRegion(*this, getPipeline().getType(), getBody(), "producer", tokens);
}
LogicalResult ConsumerReadOp::verifyRegions() {
  return verifyStageRegion(*this, getPipeline().getType(), getBody(), "consumer", getResults().getTypes());
}

static LogicalResult verifyTakeover(Operation *op, Value memory, int64_t bytes, std::optional<int32_t> releases) {
  auto tile = cast<RankedTensorType>(memory.getType());
  if (!isIn(tile, MemoryKind::Shared) || !tile.getElementType().isInteger(8) || tile.getNumElements() != bytes)
    return op->emitOpError("expects ") << bytes << " bytes of shared memory, got " << tile;
  if (releases && (*releases < 0 || *releases > 32))
    return op->emitOpError("expects 0 to 32 releases, as many as a block has warps, got ") << *releases;
  return success();
}
LogicalResult TakeoverCreateOp::verify() { return verifyTakeover(*this, getMemory(), kBytes, getReleases()); }
LogicalResult TakeoverAskOp::verify() { return verifyTakeover(*this, getMemory(), kBytes, getReleases()); }
LogicalResult TakeoverAnswerOp::verify() { return verifyTakeover(*this, getMemory(), kBytes, std::nullopt); }
