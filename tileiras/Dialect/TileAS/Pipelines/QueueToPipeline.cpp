//===- QueueToPipeline.cpp - tileas-queue-to-pipeline ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//     %q = create_queue                     %p = create_pipeline (stages in shared memory)
//     execute {                             agent_switch {
//       for: queue.put %q { ...; v }   ->     for (iterator): produce_one { acquire; write { ...; copy v }; commit;
//       next }
//     }, {                                  }, {
//       for: %v = queue.get %q                for (iterator): %v = consume_one { wait; read { ... }; release; next }
//     }                                     }
//
// An entry of the queue is a stage; scalars are tiles of one element. Entries are taken in the order in which they were
// put, by every agent that takes any: each of them is a consumer of its own, and has an iterator of its own.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_QUEUETOPIPELINEPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
namespace aa = mlir::nv_tileaa;

namespace {

constexpr int32_t kDefaultStages = 2;

/// Where the code of an agent is; the function's body outside of agents.
Region *agentAround(Operation *op) {
  Region *region = op->getParentRegion();
  while (!isa<AgentSwitchOp, aa::FuncOp>(region->getParentOp()))
    region = region->getParentOp()->getParentRegion();
  return region;
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

/// execute becomes agent_switch, its regions those of the agents, in their order.
LogicalResult rewriteExecute(IRRewriter &rewriter, aa::ExecuteOp execute, SmallVectorImpl<int32_t> &ids) {
  int32_t warps = getNumWarps(execute);
  unsigned agents = execute.getAgents().size();
  if (warps * agents > 32)
    return execute.emitOpError("needs ") << warps * agents << " warps, " << warps << " for each of its " << agents
                                         << " agents; a block has 32 at most";
  rewriter.setInsertionPoint(execute);
  auto agentSwitch = AgentSwitchOp::create(rewriter, execute.getLoc(), ValueRange(),
                                           rewriter.getDenseI32ArrayAttr(SmallVector<int32_t>(agents, warps)),
                                           /*warp_id=*/{}, /*agent_strides=*/{}, execute.getMaxRegsAttr(),
                                           /*barrier_ids=*/{}, /*num_agents_per_group=*/rewriter.getI32IntegerAttr(1),
                                           /*isolated=*/UnitAttr(), agents);
  for (auto [from, to] : llvm::zip_equal(execute.getAgents(), agentSwitch.getAgents())) {
    to.takeBody(from);
    Operation *yield = to.front().getTerminator();
    rewriter.setInsertionPoint(yield);
    rewriter.replaceOpWithNewOp<PipelineYieldOp>(yield, ValueRange());
    // Constants are tiles of those who use them.
    rewriter.setInsertionPointToStart(&to.front());
    DenseMap<Operation *, Operation *> own;
    to.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *def = operand.get().getDefiningOp();
        if (!def || to.isAncestor(def->getParentRegion()) || !matchPattern(def, m_Constant()))
          continue;
        Operation *&copy = own[def];
        if (!copy)
          copy = rewriter.clone(*def);
        operand.set(copy->getResult(0));
      }
    });
  }
  ids.assign(execute.getAgentIds().begin(), execute.getAgentIds().end());
  rewriter.eraseOp(execute);
  return success();
}

//===----------------------------------------------------------------------===//
// A queue
//===----------------------------------------------------------------------===//

class QueueRewriter {
public:
  QueueRewriter(IRRewriter &rewriter, aa::CreateQueueOp queue, ArrayRef<int32_t> agentIds)
      : rewriter(rewriter), queue(queue), agentIds(agentIds) {}

  LogicalResult run() {
    if (failed(collect()) || failed(createPipeline()))
      return failure();
    for (auto &[region, sites] : puts)
      if (failed(thread(region, sites)))
        return failure();
    for (auto &[region, sites] : gets) {
      if (failed(thread(region, sites)))
        return failure();
      ++consumer;
    }
    rewriter.eraseOp(queue);
    return success();
  }

private:
  using Sites = SmallVector<Operation *>;

  LogicalResult collect() {
    // In the order of the program, in which consumers are numbered.
    for (Operation *user : llvm::reverse(llvm::to_vector(queue->getUsers()))) {
      if (!isa<aa::QueuePutOp, aa::QueueGetOp>(user))
        return user->emitOpError("uses a queue in a way that has no pipeline");
      for (Operation *around = user->getParentOp(); around; around = around->getParentOp())
        if (isa<aa::QueuePutOp, aa::QueueGetOp>(around))
          return user->emitOpError("inside of another queue operation has no pipeline");
      bool put = isa<aa::QueuePutOp>(user);
      Region *agent = agentAround(user);
      auto named = user->getAttrOfType<IntegerAttr>(put ? "producer_group" : "consumer_group");
      if (named && isa<AgentSwitchOp>(agent->getParentOp()) && agentIds[agent->getRegionNumber()] != named.getInt())
        return user->emitOpError("names group ")
               << named.getInt() << ", but stands in agent " << agentIds[agent->getRegionNumber()];
      (put ? puts : gets)[agent].push_back(user);
    }
    if (puts.size() > 1)
      return queue.emitOpError("is filled by several agents, which a pipeline has no order for");
    return success();
  }

  /// The tile that holds a value of an entry in registers; null if there is none.
  RankedTensorType tileOf(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : type;
    if (!element.isSignlessInteger() && !isa<FloatType, aa::PtrType>(element))
      return {};
    if (!tensor) {
      // Where tiles have layouts already, this one has, too.
      bool layouts = llvm::any_of(queue.getQueue().getType().getTypes(), [](Type t) { return bool(getLayout(t)); });
      Attribute layout = layouts ? getDefaultLayout(queue.getContext(), {1}, getNumWarps(queue)) : Attribute();
      return RankedTensorType::get({1}, element, layout);
    }
    if (tensor.getRank() == 0 || !tensor.hasStaticShape() ||
        (getLayout(tensor) && !isIn(tensor, MemoryKind::Registers)))
      return {};
    return tensor;
  }

  LogicalResult createPipeline() {
    rewriter.setInsertionPoint(queue);
    Location loc = queue.getLoc();
    MLIRContext *context = queue.getContext();
    SmallVector<Type> elements;
    for (Type type : queue.getQueue().getType().getTypes()) {
      RankedTensorType tile = tileOf(type);
      if (!tile)
        return queue.emitOpError("has entries of type ") << type << ", which has no place in shared memory";
      tiles.push_back(tile);
      std::vector<int32_t> shape(tile.getShape().begin(), tile.getShape().end()), order(shape.size());
      std::iota(order.rbegin(), order.rend(), 0);
      elements.push_back(withLayout(tile, getSharedLayoutAttr(context, tileiras::sharedLayout(shape, order))));
    }
    int32_t stages = queue.getNumStages().value_or(kDefaultStages);
    SmallVector<Value> allocated;
    for (int32_t stage = 0; stage < stages; ++stage)
      for (Type type : elements)
        allocated.push_back(AllocTensorOp::create(rewriter, loc, type, IntegerAttr()));
    auto group = [&](const llvm::MapVector<Region *, Sites> &side) -> IntegerAttr {
      if (side.size() != 1 || !isa<AgentSwitchOp>(side.front().first->getParentOp()))
        return {};
      return rewriter.getI8IntegerAttr(side.front().first->getRegionNumber());
    };
    pipeline = CreatePipelineOp::create(rewriter, loc, PipelineType::get(context, stages, elements), allocated,
                                        /*barriers=*/Value(), /*tma=*/Value(), stages, group(puts), group(gets));
    iteratorType = PipelineIteratorType::get(context, stages, elements);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Iterators through control flow
  //===--------------------------------------------------------------------===//

  LogicalResult thread(Region *agent, ArrayRef<Operation *> sites) {
    isSite.clear();
    isSite.insert(sites.begin(), sites.end());
    Block &block = agent->front();
    if (agent == queue->getParentRegion())
      rewriter.setInsertionPointAfter(pipeline.getDefiningOp());
    else
      rewriter.setInsertionPointToStart(&block);
    Value iterator = CreateIteratorOp::create(rewriter, queue.getLoc(), iteratorType, pipeline);
    return thread(block, iterator);
  }

  bool holdsSites(Operation &op) {
    return op.getNumRegions() && op.walk([&](Operation *inner) {
                                     return isSite.contains(inner) ? WalkResult::interrupt() : WalkResult::advance();
                                   }).wasInterrupted();
  }

  /// Rewrites what stands in a block, the iterator being `iterator` at its start and at its end.
  LogicalResult thread(Block &block, Value &iterator) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isSite.contains(&op)) {
        iterator = isa<aa::QueuePutOp>(op) ? rewritePut(cast<aa::QueuePutOp>(op), iterator)
                                           : rewriteGet(cast<aa::QueueGetOp>(op), iterator);
        continue;
      }
      if (!holdsSites(op))
        continue;
      FailureOr<Value> behind = nv_tileaa::passThrough(
          rewriter, &op, iterator, [&](Block &inner, Value &inside) { return thread(inner, inside); });
      if (failed(behind))
        return failure();
      iterator = *behind;
    }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Handshakes
  //===--------------------------------------------------------------------===//

  /// The arguments of a stage's region.
  SmallVector<Value> addStage(Block &block) {
    SmallVector<Value> stage;
    for (Type type : iteratorType.getElements())
      stage.push_back(block.addArgument(type, queue.getLoc()));
    return stage;
  }

  Value next(Location loc, Value iterator) { return IncIterOp::create(rewriter, loc, iteratorType, iterator); }

  Value rewritePut(aa::QueuePutOp put, Value iterator) {
    Location loc = put.getLoc();
    rewriter.setInsertionPoint(put);
    auto produce = ProduceOneOp::create(rewriter, loc, TypeRange{iteratorType}, pipeline, iterator, Value());
    rewriter.createBlock(&produce.getBody());
    Type token = PipelineProducerTokenType::get(rewriter.getContext());
    auto acquire = ProducerAcquireOp::create(rewriter, loc, token, pipeline, iterator, Value());
    auto write = ProducerWriteOp::create(rewriter, loc, token, pipeline, acquire.getToken(), Value());
    ProducerCommitOp::create(rewriter, loc, pipeline, write.getWritten(), Value());
    PipelineYieldOp::create(rewriter, loc, next(loc, iterator));

    write.getBody().takeBody(put.getBody());
    Block &body = write.getBody().front();
    Operation *yield = body.getTerminator();
    rewriter.setInsertionPoint(yield);
    for (auto [value, stage, tile] : llvm::zip_equal(yield->getOperands(), addStage(body), tiles)) {
      Value source = value;
      if (!isa<RankedTensorType>(source.getType()))
        source = aa::SplatOp::create(rewriter, loc, tile, source);
      CopyOp::create(rewriter, loc, Type(), source, stage, AtomPlanAttr(), UnitAttr());
    }
    rewriter.replaceOpWithNewOp<PipelineYieldOp>(yield, ValueRange());
    rewriter.eraseOp(put);
    return produce.getResult(0);
  }

  Value rewriteGet(aa::QueueGetOp get, Value iterator) {
    Location loc = get.getLoc();
    rewriter.setInsertionPoint(get);
    SmallVector<Type> types(get.getResultTypes());
    types.push_back(iteratorType);
    auto consume = ConsumeOneOp::create(rewriter, loc, types, pipeline, iterator, consumer);
    rewriter.createBlock(&consume.getBody());
    Type token = PipelineConsumerTokenType::get(rewriter.getContext());
    auto wait = ConsumerWaitOp::create(rewriter, loc, token, pipeline, iterator, consumer);
    auto read = ConsumerReadOp::create(rewriter, loc, token, get.getResultTypes(), pipeline, wait.getToken(), consumer);
    ConsumerReleaseOp::create(rewriter, loc, pipeline, read.getConsumed());
    SmallVector<Value> results(read.getResults());
    results.push_back(next(loc, iterator));
    PipelineYieldOp::create(rewriter, loc, results);

    Block *body = rewriter.createBlock(&read.getBody());
    SmallVector<Value> entry;
    for (auto [stage, tile, type] : llvm::zip_equal(addStage(*body), tiles, queue.getQueue().getType().getTypes())) {
      Value value = ConvertLayoutOp::create(rewriter, loc, tile, stage, AtomPlanAttr(), UnitAttr());
      entry.push_back(type == tile ? value : aa::ExtractOp::create(rewriter, loc, type, value).getResult());
    }
    if (get.getBody().empty()) {
      PipelineYieldOp::create(rewriter, loc, entry);
    } else {
      rewriter.inlineBlockBefore(&get.getBody().front(), body, body->end(), entry);
      Operation *yield = &body->back();
      rewriter.setInsertionPoint(yield);
      rewriter.replaceOpWithNewOp<PipelineYieldOp>(yield, yield->getOperands());
    }
    rewriter.replaceOp(get, consume.getResults().drop_back());
    return consume.getResults().back();
  }

  IRRewriter &rewriter;
  aa::CreateQueueOp queue;
  ArrayRef<int32_t> agentIds;
  llvm::MapVector<Region *, Sites> puts, gets; ///< by agent
  llvm::SmallPtrSet<Operation *, 8> isSite;    ///< of the agent at hand
  SmallVector<RankedTensorType> tiles;         ///< values of an entry in registers
  Value pipeline;
  PipelineIteratorType iteratorType;
  uint32_t consumer = 0;
};

struct QueueToPipelinePass : nv_tileas::impl::QueueToPipelinePassBase<QueueToPipelinePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<aa::ExecuteOp> executes;
    SmallVector<aa::CreateQueueOp> queues;
    SmallVector<aa::MarkForReuseOp> marks;
    WalkResult walk = getOperation().walk([&](Operation *op) {
      if (auto execute = dyn_cast<aa::ExecuteOp>(op))
        executes.push_back(execute);
      else if (auto queue = dyn_cast<aa::CreateQueueOp>(op))
        queues.push_back(queue);
      else if (auto mark = dyn_cast<aa::MarkForReuseOp>(op))
        marks.push_back(mark);
      else if (isa<aa::QueuePutOp, aa::QueueGetOp>(op) && !op->getOperand(0).getDefiningOp<aa::CreateQueueOp>())
        return op->emitOpError("expects a queue that nv_tileaa.create_queue has made"), WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (executes.size() > 1) {
      executes[1].emitOpError("is the second of its function: agents divide its warps once");
      return signalPassFailure();
    }
    for (aa::MarkForReuseOp mark : marks)
      rewriter.replaceOp(mark, mark.getSource());
    SmallVector<int32_t> ids;
    for (aa::ExecuteOp execute : executes)
      if (failed(rewriteExecute(rewriter, execute, ids)))
        return signalPassFailure();
    for (aa::CreateQueueOp queue : queues) {
      if (failed(QueueRewriter(rewriter, queue, ids).run()))
        return signalPassFailure();
      ++numQueues;
    }
  }
};

} // namespace
