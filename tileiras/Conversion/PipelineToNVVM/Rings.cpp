//===- Rings.cpp - The pipelines of a function and who uses them ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/Rings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using tileiras::agentOf;
using tileiras::Filling;
using tileiras::Ring;
using tileiras::Rings;

//===----------------------------------------------------------------------===//
// Which pipeline an operation is of
//===----------------------------------------------------------------------===//

/// Pipelines are made outside of agents and captured by them.
static CreatePipelineOp findPipeline(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto agents = dyn_cast<AgentSwitchOp>(argument.getOwner()->getParentOp());
    if (!agents)
      return {};
    value = agents.getCaptures()[argument.getArgNumber()];
  }
  return value.getDefiningOp<CreatePipelineOp>();
}

static FailureOr<int64_t> offsetOf(CreatePipelineOp op, Value tile) {
  auto alloc = tile.getDefiningOp<AllocTensorOp>();
  if (!alloc)
    return op.emitOpError("expects tiles that nv_tileas.alloc_tensor has made");
  if (!alloc.getOffset())
    return alloc.emitOpError("has no offset in shared memory");
  return *alloc.getOffset();
}

std::pair<Operation *, int> tileiras::agentOf(Operation *op) {
  if (AgentSwitchOp agents = getAgentSwitch(op))
    return {agents, agents.agentOf(op)};
  return {op->getParentOfType<func::FuncOp>(), -1};
}

static LogicalResult addRelease(Ring &ring, Operation *op) {
  bool byProducts = op->hasAttr(kByProductsAttr);
  if (!ring.consumers.empty() && byProducts != ring.byProducts)
    return op->emitOpError("expects products to release all stages of a ring, or none");
  if (byProducts && !ring.op.getBarriers())
    return op->emitOpError("by products expects a ring with barriers");
  ring.byProducts = byProducts;
  ring.consumers.insert(agentOf(op));
  if (byProducts && ring.consumers.size() > 1)
    return op->emitOpError("expects one agent whose products release the stages of a ring");
  return success();
}

LogicalResult Rings::add(CreatePipelineOp op) {
  if (op.getDynamic())
    return op.emitOpError("with a run-time number of stages is not supported yet");
  if (!op.getBarriers() && !op.getGroups())
    return op.emitOpError("has no barriers; tileas-alloc-pipeline-barriers gives it two per stage");
  // An agent may have rings of its own.
  auto isOthers = [&](Operation *user) { return agentOf(user) != agentOf(op); };
  if (getAgentSwitch(op) && llvm::any_of(op->getUsers(), isOthers))
    return op.emitOpError("expects to be run by all warps of the block, before the agents that use the pipeline");
  Ring ring;
  ring.op = op;
  ring.elements = op.getPipeline().getType().getElements();
  FailureOr<int64_t> offset = 0;
  if (op.getBarriers()) {
    ring.barriers = cast<RankedTensorType>(op.getBarriers().getType());
    offset = offsetOf(op, op.getBarriers());
    if (failed(offset))
      return failure();
    ring.barrierOffset = *offset;
  }
  size_t elements = ring.elements.size();
  ring.tileOffsets.resize(elements);
  for (auto [i, stage] : llvm::enumerate(op.getStages())) {
    offset = offsetOf(op, stage);
    if (failed(offset))
      return failure();
    ring.tileOffsets[i % elements].push_back(*offset);
  }
  numbers[op] = rings.size();
  op->setAttr(kPipelineNumberAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 64), rings.size()));
  rings.push_back(std::move(ring));
  return success();
}

LogicalResult Rings::visit(Operation *op) {
  if (auto create = dyn_cast<CreatePipelineOp>(op))
    return add(create);
  Value pipeline = llvm::TypeSwitch<Operation *, Value>(op)
                       .Case<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp,
                             ConsumerReleaseOp>([](auto access) { return access.getPipeline(); })
                       .Default(Value());
  if (!pipeline)
    return success();
  CreatePipelineOp create = findPipeline(pipeline);
  auto found = create ? numbers.find(create) : numbers.end();
  if (found == numbers.end())
    return op->emitOpError("expects a pipeline that create_pipeline has made before, directly or as a capture");
  op->setAttr(kPipelineNumberAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 64), found->second));
  if (isa<ProducerCommitOp>(op)) {
    rings[found->second].producers.insert(agentOf(op));
    rings[found->second].filledByProducts |= op->hasAttr(kByProductsAttr);
  } else if (auto write = dyn_cast<ProducerWriteOp>(op))
    rings[found->second].writes.push_back(write);
  else if (isa<ConsumerReleaseOp>(op))
    return addRelease(rings[found->second], op);
  else if (auto wait = dyn_cast<ConsumerWaitOp>(op))
    indices.emplace_back(op, wait.getConsumerIdx());
  if (auto read = dyn_cast<ConsumerReadOp>(op)) {
    rings[found->second].readByThreads |= tileiras::isReadByThreads(read);
    indices.emplace_back(op, read.getConsumerIdx());
  }
  return success();
}

const Ring &Rings::of(Operation *op) const {
  return rings[op->getAttrOfType<IntegerAttr>(kPipelineNumberAttr).getInt()];
}

bool Rings::tokensHaveAddresses() const {
  return llvm::any_of(rings, [](const Ring &ring) { return ring.noStage; });
}

//===----------------------------------------------------------------------===//
// Who fills the stages, and how
//===----------------------------------------------------------------------===//

static int32_t threadsOf(std::pair<Operation *, int> agent) {
  return ExecutionContext::of(&agent.first->getRegion(std::max(agent.second, 0))).numThreads();
}

static int32_t count(const Ring::Agents &agents) {
  int32_t threads = 0;
  for (std::pair<Operation *, int> agent : agents)
    threads += threadsOf(agent);
  return threads;
}

static bool areAlike(const Ring::Agents &agents) {
  return llvm::all_of(agents, [&](auto agent) { return threadsOf(agent) == threadsOf(agents.front()); });
}

/// Agents of a side of the pipeline are of the group that it names; the code outside of agents is group 0.
static LogicalResult checkGroups(Ring &ring, const Ring::Agents &agents, std::optional<uint8_t> group, StringRef does) {
  for (auto [op, number] : agents) {
    auto agentSwitch = dyn_cast<AgentSwitchOp>(op);
    int of = agentSwitch ? number / int(agentSwitch.getNumAgentsPerGroup()) : 0;
    if (group && of != *group)
      return ring.op.emitOpError("names group ") << unsigned(*group) << " of agents, but agent " << std::max(number, 0)
                                                 << ", of group " << of << ", " << does << " its stages";
  }
  return success();
}

static bool isTensorCopy(Operation &op) { return isTensorLoad(&op); }

static bool branchesOnTma(Operation &op) {
  auto branch = dyn_cast<Branch>(op);
  return branch && branch.elseBlock() && llvm::any_of(*branch.thenBlock(), isTensorCopy) &&
         llvm::none_of(*branch.elseBlock(), isTensorCopy) &&
         llvm::all_of(*branch.thenBlock(), [](Operation &op) { return isTensorCopy(op) || isMemoryEffectFree(&op); });
}

/// Tensor copies stand alone in the region, beside copies by threads, or in one of the two branches.
static LogicalResult findFilling(Ring &ring) {
  bool either = bool(ring.op.getTma());
  for (ProducerWriteOp write : ring.writes) {
    Block &body = write.getBody().front();
    auto isOther = [](Operation &op) { return !isTensorCopy(op) && !isMemoryEffectFree(&op); };
    bool copies = llvm::any_of(body, isTensorCopy);
    if (either) {
      auto branches = llvm::make_filter_range(body, isOther);
      if (copies || !llvm::hasSingleElement(branches) || !branchesOnTma(*branches.begin()))
        return write.emitOpError("expects tensor copies in one branch of an scf.if, and others in the other");
      ring.filling = Filling::TmaOrOthers;
      continue;
    }
    if (copies && llvm::any_of(body, isOther)) {
      if (!llvm::all_of(llvm::make_filter_range(body, isOther),
                        [](Operation &op) { return isa<AsyncCopyOpInterface>(op); }))
        return write.emitOpError("expects nothing but copies in a stage that tensor copies fill");
      ring.alsoByThreads = true;
    }
    Filling filling = copies                                        ? Filling::Tma
                      : body.getTerminator()->getNumOperands() != 0 ? Filling::Copies
                                                                    : Filling::Threads;
    bool mixed = write != ring.writes.front() && filling != ring.filling;
    if (mixed && (filling == Filling::Threads || ring.filling == Filling::Threads))
      return write.emitOpError("fills a stage in another way than the pipeline's first producer");
    ring.filling = mixed ? Filling::Tma : filling;
  }
  return success();
}

/// Consumers of a pipeline are numbered from 0, in any order, one number for each agent.
LogicalResult Rings::checkConsumer(Operation *op, int32_t index) {
  Ring &ring = rings[op->getAttrOfType<IntegerAttr>(kPipelineNumberAttr).getInt()];
  if (index < 0 || index >= int32_t(ring.consumers.size()))
    return op->emitOpError("'consumer_idx' is ")
           << index << ", the pipeline has " << ring.consumers.size() << " consumers";
  std::pair<Operation *, int> agent = agentOf(op);
  auto [known, isNew] = ring.consumerNumbers.try_emplace(index, agent);
  if (known->second != agent)
    return op->emitOpError("'consumer_idx' ") << index << " is that of another agent";
  return success();
}

LogicalResult Rings::collect(func::FuncOp func) {
  WalkResult walk = func.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return succeeded(visit(op)) ? WalkResult::advance() : WalkResult::interrupt(); });
  if (walk.wasInterrupted())
    return failure();
  for (Ring &ring : rings) {
    if (failed(checkGroups(ring, ring.producers, ring.op.getProducerGroupId(), "fills")) ||
        failed(checkGroups(ring, ring.consumers, ring.op.getConsumerGroupId(), "releases")) ||
        failed(findFilling(ring)))
      return failure();
    // Several agents fill a stage together, each its part: it is full when the threads of all of them have arrived. Of
    // tensor copies one thread says how many bytes are to come, once for the whole stage.
    bool byThreads = ring.filling == Filling::Threads || ring.filling == Filling::Copies;
    if (ring.producers.size() > 1 && (!byThreads || ring.filledByProducts || ring.op.getGroups()))
      return ring.op.emitOpError("expects one agent that commits to the pipeline, got ")
             << ring.producers.size() << ": only threads can fill a stage together";
    ring.blocks = getBlocksTogether(ring.op);
    ring.pair = ring.op->hasAttr(kCtaPairAttr);
    ring.fullCount = !ring.filledByProducts ? count(ring.producers) : ring.pair ? 1 : ring.blocks;
    ring.oneArrives = ring.filling == Filling::Copies && !ring.op.getGroups() &&
                      llvm::any_of(ring.elements, [](Type tile) { return isIn(tile, MemoryKind::Tensor); });
    // Products of a pair are committed once, to both; its sums are released to the block that multiplies.
    // Each of two warpgroups commits its own (ProductsUnderWay.h).
    int32_t commits = func->hasAttr(kByWarpgroupAttr) ? 2 : 1;
    // Where consumers have fillings in turn, one of them releases each.
    int32_t releasing = count(ring.consumers) / 32;
    if (ring.op->hasAttr(kTileTurnsAttr))
      return ring.op.emitOpError("has consumers of every other tile block, whose turns tileas-take-turns gives them");
    if (ring.op->hasAttr(kInTurnAttr)) {
      if (!areAlike(ring.consumers) || ring.byProducts || ring.op.getGroups())
        return ring.op.emitOpError(
            "in turn expects consumers of as many warps each, which release its stages by threads");
      releasing /= std::max<int32_t>(ring.consumers.size(), 1);
    }
    ring.emptyCount = (ring.byProducts ? commits : releasing) * (ring.pair && ring.byProducts ? 1 : ring.blocks);
    if (ring.pair && !ring.byProducts && !ring.filledByProducts)
      return ring.op.emitOpError("of a pair of blocks expects stages that products fill or release");
    ring.arrivesFromBoth = ring.pair && ring.filling == Filling::Tma && !ring.alsoByThreads &&
                           llvm::any_of(ring.writes, [](ProducerWriteOp write) {
                             return llvm::none_of(write.getBody().front(), isTensorCopy);
                           });
    ring.relays = ring.pair && ring.alsoByThreads;
    if (ring.relays && !func->hasAttr(kPairRelaysAttr))
      return ring.op.emitOpError(
          "of a pair of blocks has stages that threads fill, too, which its kernel does not say");
    if (ring.blocks > 1 && !ring.pair && !ring.filledByProducts &&
        (ring.filling != Filling::Tma || ring.op.getGroups()))
      return ring.op.emitOpError("of a cluster expects stages that tensor copies fill");
    if (!ring.fullCount || !ring.emptyCount)
      return ring.op.emitOpError("expects a producer that commits and consumers that release");
    if (!ring.op.getGroups())
      continue;
    if (ring.consumers != ring.producers)
      return ring.op.emitOpError("of groups expects one agent that produces and consumes");
    FailureOr<tileiras::CopyGroups> groups = tileiras::CopyGroups::of(ring.op);
    if (failed(groups))
      return failure();
    ring.groups = std::move(*groups);
  }
  for (auto [op, index] : indices)
    if (failed(checkConsumer(op, index)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Releases
//===----------------------------------------------------------------------===//

/// What a loop begins with whose rounds release the stage of the round before, all but the first: `condition`.
static ub::PoisonOp tokenOfNoStage(ConsumerReleaseOp release, Value condition) {
  auto last = dyn_cast<BlockArgument>(release.getToken());
  auto loop = last ? dyn_cast<CountedLoop>(last.getOwner()->getParentOp()) : CountedLoop();
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!loop || !compare || !last.hasOneUse() || compare.getPredicate() != arith::CmpIPredicate::ne ||
      compare.getLhs() != loop.getInductionVar() || compare.getRhs() != loop.getLowerBound())
    return {};
  auto none = loop.getTiedLoopInit(last)->get().getDefiningOp<ub::PoisonOp>();
  return none && none->hasOneUse() ? none : ub::PoisonOp();
}

void Rings::takeReleasesOutOfBranches() {
  SmallVector<ConsumerReleaseOp> releases;
  for (Ring &ring : rings)
    for (auto [op, number] : ring.consumers)
      op->walk([&](ConsumerReleaseOp release) {
        auto branch = dyn_cast<Branch>(release->getParentOp());
        if (branch && !branch.elseBlock() && llvm::hasSingleElement(branch.thenBlock()->without_terminator()))
          releases.push_back(release);
      });
  for (ConsumerReleaseOp release : releases) {
    auto branch = dyn_cast<Branch>(release->getParentOp());
    Ring &ring = rings[release->getAttrOfType<IntegerAttr>(kPipelineNumberAttr).getInt()];
    if (!branch || conditions.contains(release) || ring.groups || ring.byProducts)
      continue;
    ub::PoisonOp none = tokenOfNoStage(release, branch.getCondition());
    if (none && ring.barriers.getNumElements() > 2 * ring.op.getNumStages() + 1) {
      none->setAttr(kPipelineNumberAttr, release->getAttr(kPipelineNumberAttr));
      ring.noStage = true;
    } else {
      conditions[release] = branch.getCondition();
    }
    release->moveBefore(branch);
    branch.erase();
  }
}
