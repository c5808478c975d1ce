//===- PipelineToNVVM.cpp - The convert-pipeline-to-nvvm pass -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A stage of a pipeline has two mbarriers, which follow each other in the tile `barriers`: full and empty.
//
//     create_pipeline      one thread initialises all of them, the block meets
//     producer_acquire     wait for empty[stage], the phase of the other parity (in the first round: at once)
//     producer_write       the region, on the stage's tiles; its copies need no barriers
//     producer_commit      each thread of the producer arrives at full[stage]: at once, or when its cp.async are done
//     consumer_wait        wait for full[stage], the phase of this parity
//     consumer_read        the region
//     consumer_release     one thread of each warp of the consumer arrives at empty[stage], for its lanes
//
// Tensor copies are issued by one thread of the producer, which alone waits for empty[stage] and arrives at
// full[stage], for the bytes that they will write there: all that is in the place of producer_write. Where it is known
// at run time only whether there are tensor maps, so is the count of full, and on the other side all threads do what
// they would do otherwise, and wait for it. A producer that finds that out itself does one or the other in loops of
// their own; where these are full of cp.async the threads meet behind the copies of an earlier round, and one of them
// arrives for its stage. Loops in which a producer does nothing but tensor copies have one thread altogether
// (ElectedProducer.h).
//
// An mbarrier counts arrivals, as many as the producer has threads (full) or all consumers together have warps (empty).
// Waits acquire and arrivals release at the scope of the block, so what threads read and write in a stage is ordered;
// lanes that have read it themselves meet before one of them arrives.
// Iterators and tokens are two i32, the stage and the parity. They are the same in all threads of a warp, and all that
// is computed from them can stay in uniform registers as long as nothing in the loop makes ptxas doubt that the warp is
// together: whoever waits does so with the whole warp, and only what has no loop in it is for an elected thread.
//
// A ring with `groups`, which one agent fills by cp.async and reads, needs none of this (CopyGroups.h):
//
//     create_pipeline      the block meets
//     producer_commit      the copies of each thread are a group
//     consumer_wait        each thread waits until the stage's group is done, and for the others
//     producer_acquire     the block meets, unless it has since the stage was released
//
// Where products of tensor memory release the stages (ProductsUnderWay.h), empty[stage] gets one arrival, by the commit
// of the thread that issues them, and producer_acquire waits for that in a ring of groups, too. An acquire that nothing
// follows is for the products alone: behind it all threads may read the sums. In a ring that is not of groups the
// issuing thread waits for both kinds of barriers, and the others meet it there.
//
// What has a predicate happens if that is true; the groups are committed in any case, so that they can be counted.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/PipelineToNVVM/CopyGroups.h"
#include "tileiras/Conversion/PipelineToNVVM/ElectedProducer.h"
#include "tileiras/Conversion/PipelineToNVVM/StagePlaces.h"
#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/StructuralConversion.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTPIPELINETONVVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::nv_tileas;
using mlir::tilellvm::Emitter;

namespace {

constexpr int64_t kBarrierBytes = 8;

/// Who fills the stages.
enum class Filling { Threads, Copies, Tma, TmaOrOthers };

/// What the lowering knows of a pipeline.
struct Ring {
  CreatePipelineOp op;
  Filling filling = Filling::Threads;
  bool byTma() const { return filling == Filling::Tma || filling == Filling::TmaOrOthers; }
  SmallVector<ProducerWriteOp> writes;
  RankedTensorType barriers;
  ArrayRef<Type> elements;
  int64_t barrierOffset = 0;
  SmallVector<SmallVector<int64_t>> tileOffsets; ///< per element: of each stage, in global_smem
  llvm::SetVector<std::pair<Operation *, int>> producers,
      consumers; ///< agent_switch (null: none) and number of the agent
  llvm::DenseMap<int32_t, std::pair<Operation *, int>> consumerNumbers;
  int32_t fullCount = 0, emptyCount = 0;      ///< arrivals
  bool readByThreads = false;                 ///< not by matrix units alone
  bool noStage = false;                       ///< there is a barrier for the release of none
  std::optional<tileiras::CopyGroups> groups; ///< of a ring that does without barriers for full stages
  bool byProducts = false;                    ///< products release the stages
  bool filledByProducts = false;              ///< products fill the stages, which are tiles in tensor memory
};

//===----------------------------------------------------------------------===//
// Which pipeline an operation is of
//===----------------------------------------------------------------------===//

/// Pipelines are made outside of agents and captured by them.
CreatePipelineOp findPipeline(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto agents = dyn_cast<AgentSwitchOp>(argument.getOwner()->getParentOp());
    if (!agents)
      return {};
    value = agents.getCaptures()[argument.getArgNumber()];
  }
  return value.getDefiningOp<CreatePipelineOp>();
}

FailureOr<int64_t> offsetOf(CreatePipelineOp op, Value tile) {
  auto alloc = tile.getDefiningOp<AllocTensorOp>();
  if (!alloc)
    return op.emitOpError("expects tiles that nv_tileas.alloc_tensor has made");
  if (!alloc.getOffset())
    return alloc.emitOpError("has no offset in shared memory");
  return *alloc.getOffset();
}

class Rings {
public:
  /// Finds all pipelines of a function and who uses them. Fails with a diagnostic.
  LogicalResult collect(func::FuncOp func) {
    WalkResult walk = func.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { return succeeded(visit(op)) ? WalkResult::advance() : WalkResult::interrupt(); });
    if (walk.wasInterrupted())
      return failure();
    for (Ring &ring : rings) {
      if (ring.producers.size() > 1)
        return ring.op.emitOpError("expects one agent that commits to the pipeline, got ") << ring.producers.size();
      if (failed(checkGroups(ring, ring.producers, ring.op.getProducerGroupId(), "fills")) ||
          failed(checkGroups(ring, ring.consumers, ring.op.getConsumerGroupId(), "releases")) ||
          failed(findFilling(ring)))
        return failure();
      ring.fullCount = ring.filledByProducts ? 1 : count(ring.producers);
      ring.emptyCount = ring.byProducts ? 1 : count(ring.consumers) / 32;
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
  const Ring &of(Operation *op) const { return rings[op->getAttrOfType<IntegerAttr>(kPipelineNumberAttr).getInt()]; }
  bool empty() const { return rings.empty(); }
  ArrayRef<Ring> all() const { return rings; }
  /// Whether tokens of consumers say where the barriers of their stage are.
  bool tokensHaveAddresses() const {
    return llvm::any_of(rings, [](const Ring &ring) { return ring.noStage; });
  }
  /// In whose loops threads arrive for stages of earlier rounds.
  llvm::DenseMap<Operation *, tileiras::LaggingArrival> lagging;
  /// When a release happens; null: always.
  Value conditionOf(ConsumerReleaseOp release) const { return conditions.lookup(release); }

  /// Releases that stand alone in a branch leave it: their arrivals have a predicate anyway. Where a loop releases the
  /// stage of the round before, the first round arrives at a barrier that nobody waits for, behind those of the stages.
  void takeReleasesOutOfBranches() {
    SmallVector<ConsumerReleaseOp> releases;
    for (Ring &ring : rings)
      for (auto [op, number] : ring.consumers)
        op->walk([&](ConsumerReleaseOp release) {
          auto branch = dyn_cast<scf::IfOp>(release->getParentOp());
          if (branch && !branch.elseBlock() && llvm::hasSingleElement(branch.thenBlock()->without_terminator()))
            releases.push_back(release);
        });
    for (ConsumerReleaseOp release : releases) {
      auto branch = dyn_cast<scf::IfOp>(release->getParentOp());
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

private:
  static int32_t count(const llvm::SetVector<std::pair<Operation *, int>> &agents) {
    int32_t threads = 0;
    for (auto [op, number] : agents)
      threads += ExecutionContext::of(&op->getRegion(std::max(number, 0))).numThreads();
    return threads;
  }

  /// Agents of a side of the pipeline are of the group that it names; the code outside of agents is group 0.
  static LogicalResult checkGroups(Ring &ring, const llvm::SetVector<std::pair<Operation *, int>> &agents,
                                   std::optional<uint8_t> group, StringRef does) {
    for (auto [op, number] : agents) {
      auto agentSwitch = dyn_cast<AgentSwitchOp>(op);
      int of = agentSwitch ? number / int(agentSwitch.getNumAgentsPerGroup()) : 0;
      if (group && of != *group)
        return ring.op.emitOpError("names group ")
               << unsigned(*group) << " of agents, but agent " << std::max(number, 0) << ", of group " << of << ", "
               << does << " its stages";
    }
    return success();
  }

  static bool isTensorCopy(Operation &op) { return isa<AsyncTiledTmaLoadOp>(op); }

  /// Tensor copies stand alone in the region, or in one of the two branches.
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
      if (copies && llvm::any_of(body, isOther))
        return write.emitOpError("expects nothing but tensor copies in a stage that they fill");
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

  static bool branchesOnTma(Operation &op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    return branch && branch.elseBlock() && llvm::any_of(*branch.thenBlock(), isTensorCopy) &&
           llvm::none_of(*branch.elseBlock(), isTensorCopy) &&
           llvm::all_of(*branch.thenBlock(), [](Operation &op) { return isTensorCopy(op) || isMemoryEffectFree(&op); });
  }

  /// Consumers of a pipeline are numbered from 0, in any order, one number for each agent.
  LogicalResult checkConsumer(Operation *op, int32_t index) {
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

  static std::pair<Operation *, int> agentOf(Operation *op) {
    if (AgentSwitchOp agents = getAgentSwitch(op))
      return {agents, agents.agentOf(op)};
    return {op->getParentOfType<func::FuncOp>(), -1};
  }

  /// What a loop begins with whose rounds release the stage of the round before, all but the first: `condition`.
  static ub::PoisonOp tokenOfNoStage(ConsumerReleaseOp release, Value condition) {
    auto last = dyn_cast<BlockArgument>(release.getToken());
    auto loop = last ? dyn_cast<scf::ForOp>(last.getOwner()->getParentOp()) : scf::ForOp();
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!loop || !compare || !last.hasOneUse() || compare.getPredicate() != arith::CmpIPredicate::ne ||
        compare.getLhs() != loop.getInductionVar() || compare.getRhs() != loop.getLowerBound())
      return {};
    auto none = loop.getTiedLoopInit(last)->get().getDefiningOp<ub::PoisonOp>();
    return none && none->hasOneUse() ? none : ub::PoisonOp();
  }

  LogicalResult visit(Operation *op) {
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

  LogicalResult add(CreatePipelineOp op) {
    if (op.getDynamic())
      return op.emitOpError("with a run-time number of stages is not supported yet");
    if (!op.getBarriers() && !op.getGroups())
      return op.emitOpError("has no barriers; tileas-alloc-pipeline-barriers gives it two per stage");
    if (getAgentSwitch(op))
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

  std::vector<Ring> rings;
  llvm::DenseMap<Operation *, int64_t> numbers;
  llvm::DenseMap<Operation *, Value> conditions;        ///< of releases
  SmallVector<std::pair<Operation *, int32_t>> indices; ///< of consumers
};

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The address of a place in global_smem. An alloc_tensor that has its offset is a constant; made anew wherever it is
/// needed, it crosses no edge of an agent.
Value sharedAddress(Emitter &e, RankedTensorType type, int64_t offset) {
  Value tile = AllocTensorOp::create(e.b, e.loc, type, e.b.getI64IntegerAttr(offset));
  return UnrealizedConversionCastOp::create(e.b, e.loc, e.ptrTy(3), tile).getResult(0);
}

/// An iterator or a token: i32 each, and for tokens of consumers, where rings have a barrier for the release of no
/// stage, where the stage's barriers are, so that a loop that releases a round later does not compute it again.
struct Stage {
  Stage(ValueRange words) : number(words[0]), parity(words[1]), barriers(words.size() > 2 ? words[2] : Value()) {}
  Value number, parity, barriers;
};

/// A barrier, at a constant distance from an address that all barriers of a stage have in common.
struct Barrier {
  Value stage; ///< pointer to shared memory
  int64_t offset;

  /// As assembly names it, if `stage` is operand $`number`. LLVM would not put the constant into the instruction.
  std::string text(int number) const { return "[$" + std::to_string(number) + "+" + std::to_string(offset) + "]"; }
  Value address(Emitter &e) const { return e.offsetBytes(stage, offset); }
};

Barrier barrierOf(Emitter &e, const Ring &ring, Stage at, bool full) {
  if (!at.barriers)
    at.barriers = e.offsetBytes(sharedAddress(e, ring.barriers, 0), e.mul(at.number, e.i32(2 * kBarrierBytes)));
  return {at.barriers, ring.barrierOffset + (full ? 0 : kBarrierBytes)};
}

/// The tile of element `number` in the stage.
Value stageTile(Emitter &e, const Ring &ring, unsigned number, Stage at) {
  auto type = cast<RankedTensorType>(ring.elements[number]);
  ArrayRef<int64_t> offsets = ring.tileOffsets[number];
  Value base = sharedAddress(e, type, offsets[0]), distance = e.i32(0);
  int64_t stride = offsets.size() > 1 ? offsets[1] - offsets[0] : 0;
  bool even = true;
  for (auto [i, offset] : llvm::enumerate(offsets))
    even &= offset == offsets[0] + int64_t(i) * stride;
  if (even) {
    distance = e.mul(at.number, e.i32(stride));
  } else {
    for (size_t i = 1; i < offsets.size(); ++i)
      distance =
          e.select(e.icmp(LLVM::ICmpPredicate::eq, at.number, e.i32(i)), e.i32(offsets[i] - offsets[0]), distance);
  }
  Value address = e.offsetBytes(base, distance);
  return UnrealizedConversionCastOp::create(e.b, e.loc, type, address).getResult(0);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Of an operand that becomes one value, or is not there.
Value single(ValueRange values) { return values.empty() ? Value() : values.front(); }

template <typename Op> struct RingPattern : OpConversionPattern<Op> {
  using OneToNOpAdaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  RingPattern(const TypeConverter &converter, MLIRContext *context, const Rings &rings)
      : OpConversionPattern<Op>(converter, context), rings(rings) {}
  const Rings &rings;
};

struct CreatePipeline : RingPattern<CreatePipelineOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(CreatePipelineOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = rings.of(op);
    Emitter e(rewriter, op.getLoc());
    if (ring.groups) {
      if (!op.getNoWarBarrier())
        e.barrier();
      if (ring.byProducts) {
        e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
          Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
          for (int32_t i = 1, n = 2 * op.getNumStages(); i < n; i += 2)
            LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.init.shared"),
                                          ValueRange{one.offsetBytes(base, i * kBarrierBytes), one.i32(1)});
          // Commits arrive through the async proxy.
          NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
        });
        e.barrier();
      }
      rewriter.replaceOp(op, e.i32(0));
      return success();
    }
    auto fullCount = [&](Emitter &one) {
      Value threads = one.i32(ring.filling == Filling::Tma ? 1 : ring.fullCount);
      Value tma = single(adaptor.getTma());
      return tma ? one.select(tma, one.i32(1), threads) : threads;
    };
    if (ring.byTma()) {
      // What the bytes of barriers and stages held before is in use no more, and tensor copies come after it.
      e.asyncProxyFence();
      e.barrier();
    }
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
      for (int32_t i = 0, n = 2 * op.getNumStages(); i < n; ++i)
        LLVM::CallIntrinsicOp::create(
            one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.init.shared"),
            ValueRange{one.offsetBytes(base, i * kBarrierBytes), i % 2 ? one.i32(ring.emptyCount) : fullCount(one)});
      if (ring.noStage)
        LLVM::CallIntrinsicOp::create(
            one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.init.shared"),
            ValueRange{one.offsetBytes(base, (2 * op.getNumStages() + 1) * kBarrierBytes), one.i32(ring.emptyCount)});
      // Tensor copies and commits complete on them through the async proxy.
      if (ring.byTma() || ring.byProducts || ring.filledByProducts)
        NVVM::FenceMbarrierInitOp::create(one.b, one.loc);
    });
    e.barrier();
    rewriter.replaceOp(op, e.i32(0)); // what users need to know of it is constant
    return success();
  }
};

struct CreateIterator : OpConversionPattern<CreateIteratorOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(CreateIteratorOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{{e.i32(0), e.i32(0)}});
    return success();
  }
};

/// The token that a loop begins with which carries those of its stages on to the next round: that of the stage before
/// the first, so that it is what an iterator of the producing side begins with.
struct NoToken : RingPattern<ub::PoisonOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    auto stages = op->getAttrOfType<IntegerAttr>(kBeforeFirstAttr);
    SmallVector<Value> words = {e.i32(stages ? stages.getInt() - 1 : 0), e.i32(stages ? 1 : 0)};
    if (op->hasAttr(kPipelineNumberAttr)) { // of the release of no stage
      const Ring &ring = rings.of(op);
      words = {e.i32(CreatePipelineOp(ring.op).getNumStages()), e.i32(0)};
      words.push_back(barrierOf(e, ring, Stage(words), /*full=*/false).stage);
    } else if (rings.tokensHaveAddresses() && isa<PipelineConsumerTokenType>(op.getType())) {
      words.push_back(LLVM::ZeroOp::create(e.b, e.loc, e.ptrTy(3)));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{words});
    return success();
  }
};

struct IncIter : OpConversionPattern<IncIterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IncIterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    int32_t stages = op.getIterator().getType().getStages();
    Stage now(adaptor.getIterator());
    SmallVector<Value> next;
    if (op->hasAttr(kWholeRoundAttr) || stages == 1) {
      next = {now.number, e.xori(now.parity, e.i32(1))};
    } else if (stages == 2) {
      next = {e.xori(now.number, e.i32(1)), e.xori(now.parity, now.number)};
    } else {
      Value number = e.add(now.number, e.i32(1));
      Value wraps = e.icmp(LLVM::ICmpPredicate::eq, number, e.i32(stages));
      next = {e.select(wraps, e.i32(0), number), e.xori(now.parity, e.resize(wraps, e.intTy(32)))};
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{next});
    return success();
  }
};

/// Spins until the phase with `parity` has completed.
void wait(Emitter &e, const Barrier &barrier, Value parity) {
  auto loop = scf::WhileOp::create(e.b, e.loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(e.b);
  e.b.createBlock(&loop.getBefore());
  // The predicate leaves as a word: inline assembly has no predicates. try_wait, which may sleep, came with clusters.
  const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(loop);
  std::string instruction = target && target->clusters ? "try_wait" : "test_wait";
  std::string text = "{\n\t.reg .pred done;\n\tmbarrier." + instruction + ".parity.shared.b64 done, " +
                     barrier.text(1) + ", $2;\n\tselp.b32 $0, 1, 0, done;\n\t}";
  auto test = LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange{e.intTy(32)}, ValueRange{barrier.stage, parity}, text,
                                        "=r,r,r,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
                                        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  Value open = e.icmp(LLVM::ICmpPredicate::eq, test.getResult(0), e.i32(0));
  scf::ConditionOp::create(e.b, e.loc, open, ValueRange());
  e.b.createBlock(&loop.getAfter());
  scf::YieldOp::create(e.b, e.loc);
}

void waitUntilEmpty(Emitter &e, const Ring &ring, Stage at) {
  wait(e, barrierOf(e, ring, at, /*full=*/false), e.xori(at.parity, e.i32(1)));
}

struct Acquire : RingPattern<ProducerAcquireOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerAcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    Stage at(adaptor.getIterator());
    bool notFilled = op->hasAttr(kNotFilledAttr);
    if (ring.groups && !ring.byProducts) {
      if (ring.groups->meet.contains(op))
        e.barrier();
    } else if (ring.groups && !ring.groups->meet.contains(op) && !op->getParentOfType<LoopLikeOpInterface>()) {
      // The first round finds the stages empty.
    } else if (!ring.byTma() || notFilled) { // else by the write, in the threads that fill the stage
      bool onlyIssuer = ring.byProducts && !ring.groups && notFilled;
      e.onlyIf(onlyIssuer ? tilellvm::issuingThread(e) : single(adaptor.getPredicate()),
               [&](Emitter &e) { waitUntilEmpty(e, ring, at); });
      if (onlyIssuer) {
        tilellvm::beforeThreadSync(e);
        e.barrier();
      }
      if (ring.byProducts && notFilled)
        tilellvm::afterThreadSync(e);
    }
    rewriter.replaceOpWithMultiple(op, {adaptor.getIterator()});
    return success();
  }
};

struct ConsumerWait : RingPattern<ConsumerWaitOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ConsumerWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    Stage at(adaptor.getIterator());
    if (ring.groups) {
      NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), ring.groups->pending.lookup(op));
      // cp.async writes by the generic proxy (PTX ISA, "cp.async").
      if (op->hasAttr(kAsyncProxyAttr))
        e.asyncProxyFence();
      e.barrier();
    } else {
      // Threads that are not needed to release a stage could miss a round of its barriers, so they do not wait.
      e.onlyIf(ring.byProducts ? tilellvm::issuingThread(e) : Value(), [&](Emitter &e) {
        wait(e, barrierOf(e, ring, at, /*full=*/true), at.parity);
        if (op->hasAttr(kAsyncProxyAttr))
          e.asyncProxyFence();
      });
      if (ring.filledByProducts)
        tilellvm::afterThreadSync(e);
    }
    SmallVector<Value> token = {at.number, at.parity};
    if (rings.tokensHaveAddresses())
      token.push_back(ring.groups ? Value(LLVM::ZeroOp::create(e.b, e.loc, e.ptrTy(3)))
                                  : barrierOf(e, ring, at, /*full=*/true).stage);
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>{token});
    return success();
  }
};

/// The thread with `number` 0 arrives, if `condition` holds. A predicate, not a branch: where lanes part in a loop,
/// ptxas keeps all that the loop computes in ordinary registers.
void arriveOnce(Emitter &e, const Barrier &barrier, Value number, Value condition = Value()) {
  SmallVector<Value> operands = {barrier.stage, number};
  std::string text = "{\n\t.reg .pred one;\n\tsetp.eq.u32 one, $1, 0;";
  if (condition) {
    operands.push_back(e.resize(condition, e.intTy(32)));
    text = "{\n\t.reg .pred one, wanted;\n\tsetp.ne.u32 wanted, $2, 0;\n\tsetp.eq.and.u32 one, $1, 0, wanted;";
  }
  tilellvm::inlinePtx(e, Type(), operands,
                      text + "\n\t@one mbarrier.arrive.shared.b64 _, " + barrier.text(0) + ";\n\t}",
                      condition ? "r,r,r,~{memory}" : "r,r,~{memory}", tilellvm::Access::Any);
}

/// The stage that was filled so many fillings before `at`; where nobody asks for the parity.
Stage stageBefore(Emitter &e, const Ring &ring, Stage at, int32_t ago) {
  Value wraps = e.icmp(LLVM::ICmpPredicate::ult, at.number, e.i32(ago));
  int32_t stages = CreatePipelineOp(ring.op).getNumStages();
  at.number = e.add(at.number, e.select(wraps, e.i32(stages - ago), e.i32(-ago)));
  at.barriers = Value();
  return at;
}

/// All threads of the producer have waited for their copies but those of the last `pending` groups; what they wrote is
/// there for matrix units, too.
void meetBehindCopies(Emitter &e, int32_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(e.b, e.loc, pending);
  e.asyncProxyFence();
  e.barrier();
}

/// Each thread of the producer arrives: at once, or, if the stage is filled by cp.async, when its copies are done.
struct Commit : RingPattern<ProducerCommitOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerCommitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    if (auto ago = op->getAttrOfType<IntegerAttr>(tileiras::kLastArrivalAttr)) {
      if (ago.getInt() == int64_t(CreatePipelineOp(ring.op).getNumStages()) - 2) // the first of them
        meetBehindCopies(e, 0);
      Stage stage = stageBefore(e, ring, Stage(adaptor.getToken()), ago.getInt());
      arriveOnce(e, barrierOf(e, ring, stage, /*full=*/true), e.threadId(), single(adaptor.getPredicate()));
      rewriter.eraseOp(op);
      return success();
    }
    if (ring.byTma()) { // by the write
      rewriter.eraseOp(op);
      return success();
    }
    if (ring.groups) {
      NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
      rewriter.eraseOp(op);
      return success();
    }
    e.onlyIf(single(adaptor.getPredicate()), [&](Emitter &e) {
      Value full = barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/true).address(e);
      if (ring.filledByProducts)
        tilellvm::commitProducts(e, full);
      else if (op->hasAttr(kFilledByCopiesAttr))
        LLVM::CallIntrinsicOp::create(e.b, e.loc, e.b.getStringAttr("llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared"),
                                      full);
      else
        e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), full);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct Release : RingPattern<ConsumerReleaseOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ConsumerReleaseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    const Ring &ring = rings.of(op);
    if (ring.byProducts) {
      tilellvm::commitProducts(e, barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/false).address(e));
    } else if (!ring.groups) {
      if (ring.readByThreads)
        NVVM::SyncWarpOp::create(e.b, e.loc, e.i32(-1));
      arriveOnce(e, barrierOf(e, ring, Stage(adaptor.getToken()), /*full=*/false), e.lane(), rings.conditionOf(op));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// The region in place, on the tiles of the stage; the token first among the results.
template <typename Op> struct Inline : RingPattern<Op> {
  using RingPattern<Op>::RingPattern;
  LogicalResult matchAndRewrite(Op op, typename RingPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = this->rings.of(op);
    if (isa<ProducerWriteOp>(op) && ring.byTma())
      return failure();
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> tiles;
    SmallVector<SmallVector<Value>> results = {SmallVector<Value>(adaptor.getToken())};
    Block *body = &op.getBody().front();
    Operation *where = op;
    if constexpr (std::is_same_v<Op, ProducerWriteOp>)
      if (Value predicate = single(adaptor.getPredicate()))
        where =
            scf::IfOp::create(rewriter, op.getLoc(), predicate, /*withElseRegion=*/false).thenBlock()->getTerminator();
    rewriter.setInsertionPoint(where);
    for (unsigned i = 0; i < body->getNumArguments(); ++i)
      tiles.push_back(stageTile(e, ring, i, Stage(adaptor.getToken())));
    auto yield = cast<PipelineYieldOp>(body->getTerminator());
    if (isa<ConsumerReadOp>(op))
      for (Value value : yield.getOperands())
        results.push_back({value});
    rewriter.inlineBlockBefore(body, where, tiles);
    rewriter.eraseOp(yield);
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// producer_write by tensor copies: acquire, copies and commit in one place. One warp waits, its elected thread goes
/// on.
struct WriteByTma : RingPattern<ProducerWriteOp> {
  using RingPattern::RingPattern;
  LogicalResult matchAndRewrite(ProducerWriteOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const Ring &ring = rings.of(op);
    if (!ring.byTma())
      return failure();
    Operation *where = op;
    Stage at(adaptor.getToken());
    bool isEmpty = op->hasAttr(kFirstRoundAttr);
    Value predicate = single(adaptor.getPredicate());
    bool tensorCopies = !op.getBody().front().getOps<AsyncTiledTmaLoadOp>().empty();
    bool isElected = op->hasAttr(tilellvm::kElectedAttr);
    if (ring.filling == Filling::Tma && tensorCopies && !isElected) {
      // One branch for both questions, both the same in all threads of a warp.
      Emitter e(rewriter, op.getLoc());
      Value chosen = tilellvm::firstWarp(e);
      predicate = chosen && predicate ? e.andi(chosen, predicate) : chosen ? chosen : predicate;
    }
    if (predicate)
      where =
          scf::IfOp::create(rewriter, op.getLoc(), predicate, /*withElseRegion=*/false).thenBlock()->getTerminator();
    rewriter.setInsertionPoint(where);
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> tiles;
    Block *body = &op.getBody().front();
    for (unsigned i = 0; i < body->getNumArguments(); ++i)
      tiles.push_back(stageTile(e, ring, i, at));
    rewriter.eraseOp(body->getTerminator());
    if (ring.filling == Filling::Tma && !tensorCopies) {
      if (!isEmpty)
        waitUntilEmpty(e, ring, at);
      fillByThreads(e, ring, at, *body, tiles, rewriter, rings.lagging.lookup(op));
    } else if (ring.filling == Filling::Tma) {
      if (!isEmpty)
        waitUntilEmpty(e, ring, at);
      e.onlyIf(isElected ? Value() : tilellvm::electedLane(e), [&](Emitter &one) {
        announce(one, ring, at, *body, rewriter);
        rewriter.inlineBlockBefore(body, one.b.getInsertionBlock(), one.b.getInsertionPoint(), tiles);
      });
    } else {
      auto old = *body->getOps<scf::IfOp>().begin();
      rewriter.inlineBlockBefore(body, where, tiles);
      rewriter.setInsertionPoint(where);
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), old.getCondition(), /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      Emitter first(rewriter, op.getLoc());
      first.onlyIf(tilellvm::firstWarp(first), [&](Emitter &warp) {
        if (!isEmpty)
          waitUntilEmpty(warp, ring, at);
        warp.onlyIf(tilellvm::electedLane(warp), [&](Emitter &one) {
          announce(one, ring, at, *old.thenBlock(), rewriter);
          moveInto(one, *old.thenBlock(), rewriter);
        });
      });
      rewriter.setInsertionPointToStart(branch.elseBlock());
      Emitter other(rewriter, op.getLoc());
      if (!isEmpty)
        waitUntilEmpty(other, ring, at);
      rewriter.eraseOp(old.elseBlock()->getTerminator());
      fillByThreads(other, ring, at, *old.elseBlock(), ValueRange(), rewriter);
      rewriter.eraseOp(old);
    }
    rewriter.replaceOpWithMultiple(op, {adaptor.getToken()});
    return success();
  }

private:
  static void moveInto(Emitter &e, Block &block, ConversionPatternRewriter &rewriter) {
    rewriter.eraseOp(block.getTerminator());
    rewriter.inlineBlockBefore(&block, e.b.getInsertionBlock(), e.b.getInsertionPoint(), ValueRange());
  }

  /// Announces the bytes, and tells the copies where they complete.
  static void announce(Emitter &one, const Ring &ring, Stage at, Block &copies, ConversionPatternRewriter &rewriter) {
    Barrier full = barrierOf(one, ring, at, /*full=*/true);
    auto word = RankedTensorType::get({1}, one.intTy(64), oneWord(one.context()));
    Value barrier = UnrealizedConversionCastOp::create(one.b, one.loc, word, full.address(one)).getResult(0);
    int64_t bytes = 0;
    for (auto copy : copies.getOps<AsyncTiledTmaLoadOp>()) {
      bytes += copy.getTxCount();
      rewriter.modifyOpInPlace(copy, [&] {
        copy.getBarrierMutable().assign(barrier);
        copy->setAttr(tilellvm::kElectedAttr, rewriter.getUnitAttr());
      });
    }
    tilellvm::inlinePtx(one, Type(), ValueRange{full.stage, one.i32(bytes)},
                        "mbarrier.arrive.expect_tx.shared.b64 _, " + full.text(0) + ", $1;", "r,r,~{memory}",
                        tilellvm::Access::Any);
  }

  static Attribute oneWord(MLIRContext *context) {
    return getSharedLayoutAttr(context, ::tileiras::sharedLayout({1}, {0}));
  }

  /// What matrix units and others may read when every thread has arrived.
  static void fillByThreads(Emitter &e, const Ring &ring, Stage at, Block &block, ValueRange tiles,
                            ConversionPatternRewriter &rewriter, tileiras::LaggingArrival lagging = {}) {
    bool copies = !block.getOps<AsyncTiledLoadOp>().empty();
    rewriter.inlineBlockBefore(&block, e.b.getInsertionBlock(), e.b.getInsertionPoint(), tiles);
    if (copies)
      NVVM::CpAsyncCommitGroupOp::create(e.b, e.loc);
    if (ring.filling == Filling::Tma) {
      meetBehindCopies(e, lagging.rounds);
      Stage stage = lagging.rounds ? stageBefore(e, ring, at, lagging.rounds) : at;
      arriveOnce(e, barrierOf(e, ring, stage, /*full=*/true), e.threadId(), lagging.begun);
      return;
    }
    if (copies)
      NVVM::CpAsyncWaitGroupOp::create(e.b, e.loc, 0);
    e.asyncProxyFence();
    e.intrinsic("llvm.nvvm.mbarrier.arrive.shared", e.intTy(64), barrierOf(e, ring, at, /*full=*/true).address(e));
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ConvertPipelineToNVVMPass : tileiras::impl::ConvertPipelineToNVVMPassBase<ConvertPipelineToNVVMPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk(
        [](func::FuncOp func) { return failed(convert(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Threads arrive for what they have written themselves, so that the producer need not meet. Copies that the region
  /// yields are waited for by the barrier of the stage.
  static LogicalResult prepare(ProducerWriteOp write, const Ring &ring) {
    auto unit = UnitAttr::get(write.getContext());
    bool copies = ring.filling == Filling::Copies;
    std::optional<tileiras::StagePlace> place = tileiras::placeOfToken(write.getToken());
    int32_t stages = cast<PipelineType>(write.getPipeline().getType()).getStages();
    if (place && !place->loop && place->offset < stages)
      write->setAttr(kFirstRoundAttr, unit);
    Operation *store = nullptr;
    write.walk([&](CopyOp copy) {
      copy.setNoWarBarrierAttr(unit);
      copy->setAttr(kNoRawBarrierAttr, unit);
      store = copy;
    });
    write.walk([&](AsyncTiledLoadOp copy) { copy.setNoWarBarrierAttr(unit); });
    if (ring.groups && !copies)
      return write.emitOpError("of a ring of groups expects to yield asynchronous copies");
    if (copies && store)
      return store->emitOpError("in a stage that asynchronous copies fill is not supported");
    for (Operation *user : write.getWritten().getUsers())
      if (copies && isa<ProducerCommitOp>(user))
        user->setAttr(kFilledByCopiesAttr, unit);
    return success();
  }

  /// A pipeline that a loop makes again and again: before the next one initialises its barriers, those of this one end
  /// (PTX ISA, "mbarrier.inval").
  static void endBarriers(const Ring &ring) {
    CreatePipelineOp op = ring.op;
    if ((ring.groups && !ring.byProducts) || !op->getParentOfType<LoopLikeOpInterface>())
      return;
    Operation *last = op;
    for (Operation *user : op->getUsers())
      if (Operation *here = op->getBlock()->findAncestorOpInBlock(*user); here && last->isBeforeInBlock(here))
        last = here;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(last);
    Emitter e(builder, op.getLoc());
    e.barrier();
    e.onlyIf(e.isFirstThread(), [&](Emitter &one) {
      Value base = sharedAddress(one, ring.barriers, ring.barrierOffset);
      for (int32_t i = ring.groups ? 1 : 0, n = 2 * op.getNumStages(); i < n; i += ring.groups ? 2 : 1)
        LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                      one.offsetBytes(base, i * kBarrierBytes));
      if (ring.noStage)
        LLVM::CallIntrinsicOp::create(one.b, one.loc, one.b.getStringAttr("llvm.nvvm.mbarrier.inval.shared"),
                                      one.offsetBytes(base, (2 * op.getNumStages() + 1) * kBarrierBytes));
    });
  }

  static LogicalResult convert(func::FuncOp func) {
    Rings rings;
    if (failed(rings.collect(func)))
      return failure();
    if (rings.empty())
      return success();
    WalkResult walk = func.walk([&](ProducerWriteOp write) {
      return failed(prepare(write, rings.of(write))) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();

    rings.takeReleasesOutOfBranches();
    for (const Ring &ring : rings.all())
      endBarriers(ring);
    tileiras::electProducers(func);
    rings.lagging = tileiras::lagArrivals(func);
    tileiras::mergeIterators(func);
    func.walk([](ProducerAcquireOp acquire) {
      if (acquire.getToken().use_empty())
        acquire->setAttr(kNotFilledAttr, UnitAttr::get(acquire.getContext()));
    });

    MLIRContext *context = func.getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    Type word = IntegerType::get(context, 32);
    converter.addConversion([word](PipelineType) { return word; });
    bool addresses = rings.tokensHaveAddresses();
    converter.addConversion([word, addresses](Type type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      if (!isa<PipelineIteratorType, PipelineProducerTokenType, PipelineConsumerTokenType>(type))
        return std::nullopt;
      types.assign({word, word});
      if (addresses && isa<PipelineConsumerTokenType>(type))
        types.push_back(LLVM::LLVMPointerType::get(type.getContext(), 3));
      return success();
    });

    RewritePatternSet patterns(context);
    patterns
        .add<CreatePipeline, Acquire, ConsumerWait, Commit, Release, Inline<ProducerWriteOp>, Inline<ConsumerReadOp>>(
            converter, context, rings);
    patterns.add<WriteByTma>(converter, context, rings);
    patterns.add<NoToken>(converter, context, rings);
    patterns.add<CreateIterator, IncIter>(converter, context);
    ConversionTarget target(*context);
    target.addIllegalOp<CreatePipelineOp, CreateIteratorOp, IncIterOp, ProducerAcquireOp, ProducerWriteOp,
                        ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp>();
    target.addDynamicallyLegalOp<ub::PoisonOp>([&](ub::PoisonOp op) { return converter.isLegal(op.getType()); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    populateAgentTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(func, target, std::move(patterns));
  }
};

} // namespace
