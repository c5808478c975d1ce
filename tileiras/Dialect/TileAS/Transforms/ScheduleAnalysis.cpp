//===- ScheduleAnalysis.cpp - The schedules of a function's loops ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ScheduleAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/ElementwiseCost.h"
#include "tileiras/Dialect/TileAS/Transforms/RingStreams.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace schedule = tileiras::schedule;
using schedule::EdgeKind;
using schedule::Slot;

namespace mlir::nv_tile_ir::as::schedule_utils {

bool LoopSchedule::wantsTwoAgents() const {
  return tileiras::schedule::isDualSimtWorthIt(schedule.stageCount, schedule.totalWork, iterations);
}

namespace {

bool isRingOp(Operation *op) {
  return isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp>(
      op);
}

Value pipelineOf(Operation *op) { return isRingOp(op) ? op->getOperand(0) : Value(); }

int64_t bytesOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getNumElements() * getStorageBytes(tile.getElementType()) : 0;
}

/// What an operation costs, in cycles.
struct Work {
  schedule::RowMask rows;
  double cycles;
  double latency = 0;        ///< beyond the cycles
  bool inBackground = false; ///< the threads that start it do something else meanwhile
};

class GraphBuilder {
public:
  GraphBuilder(LoopSchedule &result, const schedule::TargetCosts &costs) : result(result), costs(costs) {}

  void build() {
    for (Operation &op : result.loop.getBody()->without_terminator())
      collect(&op);
    // From the last one back: a user has its node before what it uses.
    for (Operation *op : llvm::reverse(fused)) {
      int node = nodeOf.lookup(*op->user_begin());
      nodeOf[op] = node;
      work[node].cycles += workOf(op).cycles;
      result.fused.emplace_back(op, node);
    }
    double most = 1;
    for (const Work &one : work)
      most = std::max(most, one.cycles);
    // Fine enough to tell operations apart, coarse enough for a short table.
    result.cyclesPerUnit = std::max(1, int(most / 24));
    for (auto [op, one] : llvm::zip_equal(result.ops, work))
      addNode(op, one);
    for (Operation *op : result.ops)
      connectOperands(op);
    for (Operation *op : fused)
      connectOperands(op);
    connectRings();
    connectEffects();
  }

private:
  /// Whether an operation shares the node of its only user.
  bool joinsUser(Operation *op) const {
    return op->hasAttr(kSliceAndFuseAttr) && op->hasOneUse() && op->user_begin()->getBlock() == op->getBlock() &&
           !op->user_begin()->hasTrait<OpTrait::IsTerminator>() && // which has no node
           workOf(op).rows == workOf(*op->user_begin()).rows;
  }

  void collect(Operation *op) {
    if (joinsUser(op)) {
      fused.push_back(op);
      return;
    }
    nodeOf[op] = int(result.ops.size());
    result.ops.push_back(op);
    work.push_back(workOf(op));
    if (auto read = dyn_cast<ConsumerReadOp>(op))
      for (Operation &inner : read.getBody().front().without_terminator())
        collect(&inner);
  }

  Work workOf(Operation *op) const {
    auto rows = [](Slot slot) { return schedule::row(slot); };
    if (auto write = dyn_cast<ProducerWriteOp>(op)) {
      double bytes = 0;
      for (BlockArgument tile : write.getBody().getArguments())
        bytes += bytesOf(tile.getType());
      return {rows(costs.tensorCopies ? Slot::Tma : Slot::Lsu) | rows(Slot::TpGnicRd), bytes / costs.memoryBytes,
              double(costs.memoryLatency + costs.copyLatency), true};
    }
    if (auto dot = dyn_cast<DotOp>(op)) {
      tileiras::DotShape shape = getDotShape(dot);
      double elements = double(shape.m) * shape.n * shape.k * shape.batch;
      auto wgmma = dyn_cast_or_null<WgmmaAtomAttr>(dot.getAtomAttr());
      if (!dot.getAtomAttr())
        return {rows(Slot::Fp32x2Fp16Ultra), elements / costs.f32Operations};
      double bits = dot.getA().getType().getElementType().getIntOrFloatBitWidth();
      double cycles = elements * bits / 16 / (costs.f16MultiplyAdds * (wgmma ? 1 : costs.syncShare));
      // The threads wait for each span, and add it.
      int32_t span = wgmma ? wgmma.getSpan() : 0;
      if (span)
        cycles += double(shape.m) * shape.n * shape.batch * llvm::divideCeil(shape.k, span) / costs.f32Operations;
      return {rows(Slot::TcAndMma), cycles, double(costs.productTail), wgmma && !span};
    }
    double elements = 0, bytes = 0;
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        elements = std::max(elements, double(tile.getNumElements()));
    for (Value operand : op->getOperands())
      if (auto tile = dyn_cast<RankedTensorType>(operand.getType())) {
        elements = std::max(elements, double(tile.getNumElements()));
        bytes = std::max(bytes, double(bytesOf(tile)));
      }
    for (Type type : op->getResultTypes())
      bytes = std::max(bytes, double(bytesOf(type)));
    if (isRingOp(op) || !elements || isa<AllocTensorOp>(op))
      return {rows(Slot::Issue), 1, isa<ConsumerWaitOp, ProducerAcquireOp>(op) ? double(costs.handOver) : 0};
    StringRef name = op->getName().stripDialect();
    if (name.contains("load"))
      return {rows(Slot::TpGnicRd), bytes / costs.memoryBytes, double(costs.memoryLatency)};
    if (name.contains("store") || name.contains("atomic"))
      return {rows(Slot::TpGnicWr), bytes / costs.memoryBytes};
    if (isa<CopyOp, ConvertLayoutOp>(op))
      return {rows(isa<CopyOp>(op) ? Slot::TpSmemWr : Slot::TpSmemRd), bytes / costs.sharedBytes};
    ElementwiseCost cost = getElementwiseCost(op, elements, costs);
    return {rows(cost.unit), cost.cycles};
  }

  int units(double cycles) const { return std::max(1, int(std::ceil(cycles / result.cyclesPerUnit - 1e-9))); }

  void addNode(Operation *op, const Work &one) {
    schedule::Node node;
    node.name = op->getName().getStringRef().str();
    node.reservations = {{one.rows, units(one.cycles)}};
    node.busy = one.inBackground ? 1 : units(one.cycles);
    if (isa<ProducerWriteOp>(op)) {
      node.role = schedule::Role::AsyncCopy;
      for (BlockArgument tile : cast<ProducerWriteOp>(op).getBody().getArguments())
        node.sharedBytes += bytesOf(tile.getType());
    }
    for (Type type : op->getResultTypes())
      if (isIn(type, MemoryKind::Registers))
        node.registerBytes += bytesOf(type);
    int number = result.graph.add(std::move(node));
    latency.push_back(units(one.cycles) + (one.latency ? units(one.latency) : 0));
    (void)number;
  }

  void connect(int from, int to, int distance, EdgeKind kind) {
    if (distance || from < to)
      result.graph.connect(from, to, latency[from], distance, kind);
  }

  /// The node that makes a value, and how many iterations before; nothing for values from outside of the loop.
  std::optional<std::pair<int, int>> sourceOf(Value value) {
    CountedLoop loop = result.loop;
    int distance = 0;
    for (int step = 0; step < 8; ++step) {
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        Operation *owner = argument.getOwner()->getParentOp();
        if (auto read = dyn_cast<ConsumerReadOp>(owner))
          return std::pair(nodeOf.lookup(read), distance);
        if (owner != loop || argument == loop.getInductionVar())
          return std::nullopt;
        value = loop.getTiedLoopYieldedValue(argument)->get();
        ++distance;
        continue;
      }
      Operation *def = value.getDefiningOp();
      // What consumer_read yields comes from inside.
      if (auto read = dyn_cast<ConsumerReadOp>(def); read && nodeOf.contains(read) && value != read.getConsumed()) {
        value = read.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber() - 1);
        continue;
      }
      auto found = nodeOf.find(def);
      if (found == nodeOf.end())
        return std::nullopt;
      return std::pair(found->second, distance);
    }
    return std::nullopt;
  }

  void connectOperands(Operation *op) {
    int to = nodeOf[op];
    auto use = [&](Value operand) {
      if (std::optional<std::pair<int, int>> source = sourceOf(operand))
        connect(source->first, to, source->second, EdgeKind::Value);
    };
    for (Value operand : op->getOperands())
      use(operand);
    if (!isa<ConsumerReadOp>(op))
      op->walk([&](Operation *inner) {
        if (inner != op)
          for (Value operand : inner->getOperands())
            if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
              use(operand);
      });
  }

  void connectRings() {
    for (auto [from, op] : llvm::enumerate(result.ops)) {
      for (auto [to, other] : llvm::enumerate(result.ops)) {
        if (pipelineOf(op) != pipelineOf(other) || !pipelineOf(op))
          continue;
        if (isa<ProducerWriteOp>(op) && isa<ConsumerWaitOp>(other))
          connect(from, to, 0, EdgeKind::Token);
        if (isa<ConsumerReleaseOp>(op) && isa<ProducerAcquireOp>(other)) {
          auto type = cast<PipelineType>(pipelineOf(op).getType());
          result.graph.connect(from, to, units(costs.handOver), type.getStages(), EdgeKind::Token);
        }
      }
      // A stage is released behind all that is done with it.
      if (auto release = dyn_cast<ConsumerReleaseOp>(op))
        if (auto read = release.getToken().getDefiningOp<ConsumerReadOp>())
          for (Operation &inner : read.getBody().front().without_terminator())
            connect(nodeOf[&inner], int(from), 0, EdgeKind::Token);
    }
  }

  void connectEffects() {
    int first = -1, last = -1;
    for (auto [node, op] : llvm::enumerate(result.ops)) {
      if (isRingOp(op) || isMemoryEffectFree(op) || isa<AllocTensorOp>(op))
        continue;
      if (last >= 0)
        result.graph.connect(last, int(node), 1, 0, EdgeKind::Token);
      first = first < 0 ? int(node) : first;
      last = int(node);
    }
    if (last > first)
      result.graph.connect(last, first, 1, 1, EdgeKind::Token);
  }

  LoopSchedule &result;
  const schedule::TargetCosts &costs;
  SmallVector<Work> work;
  SmallVector<Operation *> fused; ///< in program order
  SmallVector<int> latency;
  llvm::DenseMap<Operation *, int> nodeOf;
};

bool hasRing(CountedLoop loop) {
  return llvm::any_of(loop.getBody()->without_terminator(), [](Operation &op) { return isa<ProducerCommitOp>(op); });
}

} // namespace

/// Two warpgroups that multiply by a unit which works by itself, and compute with what it gives, share it. They take
/// turns in the inner loop: in those around it a turn would go on for all of its rounds.
static void findMutexes(LoopSchedule &loop, const ExecutionContext &threads) {
  for (Operation &op : *loop.loop.getBody())
    if (op.walk([](CountedLoop) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
  constexpr int32_t warps = 8;
  Operation *first = nullptr;
  bool computes = false;
  for (auto [node, op] : llvm::enumerate(loop.ops)) {
    auto dot = dyn_cast<DotOp>(op);
    if (!dot || !goesOn(dot))
      continue;
    first = first ? first : op;
    computes |= llvm::any_of(loop.graph.edgesFrom(int(node)), [&](int number) {
      const schedule::Edge &edge = loop.graph.edge(number);
      return edge.distance == 0 && edge.kind == EdgeKind::Value && !isa<DotOp>(loop.ops[edge.to]);
    });
  }
  if (threads.numWarps != warps || !computes)
    return;
  for (int turn : {0, 1})
    loop.mutexes.push_back({"Mutex_" + std::to_string(turn), first, /*depth=*/1, /*slack=*/0, {}});
}

LogicalResult ScheduleAnalysis::generate(const schedule::SchedulerOptions &given, bool withTrace) {
  options = given;
  schedules.clear();
  WalkResult walk = function->walk([&](CountedLoop loop) {
    if (!hasRing(loop))
      return WalkResult::advance();
    LoopSchedule &result = schedules.emplace_back();
    result.loop = loop;
    GraphBuilder(result, schedule::costsFor(options.computeCapability)).build();
    schedule::SchedulerOptions own = options;
    // What a ring holds may be as many stages old as the ring has; all else one.
    for (auto [node, op] : llvm::enumerate(result.ops))
      if (Value ring = pipelineOf(op); ring && !result.graph.edgesFrom(node).empty())
        own.constraints.push_back(
            {schedule::ConstraintFamily::MaxDepth, {int(node)}, cast<PipelineType>(ring.getType()).getStages()});
    // How deep rings are is theirs to say; they have been made to fit.
    own.caps = {INT64_MAX, INT64_MAX, INT64_MAX, 0};
    own.trace = withTrace ? &result.tried : nullptr;
    schedule::Result found = schedule::findSchedule(result.graph, own);
    if (!found.schedule) {
      loop.emitError("failed to find a schedule") << ": " << found.error;
      return WalkResult::interrupt();
    }
    result.schedule = std::move(*found.schedule);
    if (result.schedule.interval) {
      if (std::string error = schedule::verify(result.graph, result.schedule, own.constraints, own.caps);
          !error.empty()) {
        loop.emitError("failed to legalize schedule") << ": " << error;
        return WalkResult::interrupt();
      }
      schedule::PartitionOptions limits;
      limits.registerBytesPerAgent = int64_t(ExecutionContext::of(function).numThreads()) * 232 * 4;
      result.agents = schedule::partition(result.graph, result.schedule, limits);
    }
    if (std::optional<APInt> count = loop.getStaticTripCount())
      result.iterations = int64_t(count->getLimitedValue());
    findMutexes(result, ExecutionContext::of(function));
    llvm::SmallPtrSet<Operation *, 4> known;
    for (Operation *op : result.ops)
      if (Value ring = pipelineOf(op))
        if (auto create = ring.getDefiningOp<CreatePipelineOp>(); create && known.insert(create).second) {
          int depth = cast<PipelineType>(ring.getType()).getStages();
          for (const RingStream &stream : streamsOf(create))
            result.pipes.push_back({"Pipe_" + std::to_string(result.pipes.size()), create, depth, depth - 1, stream});
        }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  fingerprint.emplace(function);
  return success();
}

} // namespace mlir::nv_tile_ir::as::schedule_utils
