//===- AssignPipelineLayouts.cpp - tileas-assign-pipeline-layouts ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the tiles of a stage lie in shared memory follows from how their writer and their first reader hold them in
// registers (Support/ConvertPlan.h). The type of a pipeline is that of its tiles, and so is that of everything that
// stands for a place in it: the new type is carried on through agents, loops and branches. Where iterators of two
// pipelines meet, theirs would differ, and the pass fails.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNPIPELINELAYOUTSPASS
#include "tileiras/Dialect/TileAS/Pipelines/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// What stands for a pipeline or for a place in it.
class PipelineValues {
public:
  explicit PipelineValues(CreatePipelineOp create) : create(create) {
    add(create.getPipeline());
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        follow(use);
  }

  SmallVector<ProducerWriteOp> writes;
  SmallVector<ConsumerReadOp> reads;

  /// Gives all of them the types of a pipeline of these tiles.
  LogicalResult retype(ArrayRef<Type> elements) {
    MLIRContext *context = create.getContext();
    int32_t stages = create.getNumStages();
    for (auto [i, tile] : llvm::enumerate(create.getStages()))
      tile.setType(elements[i % elements.size()]);
    for (Value value : values)
      value.setType(isa<PipelineType>(value.getType()) ? Type(PipelineType::get(context, stages, elements))
                                                       : PipelineIteratorType::get(context, stages, elements));
    auto retypeStage = [&](Operation *op) {
      for (auto [argument, type] : llvm::zip_equal(op->getRegion(0).getArguments(), elements))
        argument.setType(type);
    };
    llvm::for_each(writes, retypeStage);
    llvm::for_each(reads, retypeStage);
    for (Value value : values)
      for (OpOperand *source : nv_tileaa::getSources(value))
        if (source->get().getType() != value.getType())
          return source->getOwner()->emitOpError(
                     "passes on the iterator of one pipeline where that of another arrives, ")
                 << source->get().getType() << " and " << value.getType();
    return success();
  }

private:
  void add(Value value) {
    if (isa<PipelineType, PipelineIteratorType>(value.getType()))
      values.insert(value);
  }
  void follow(OpOperand &use) {
    llvm::TypeSwitch<Operation *>(use.getOwner())
        .Case([&](ProducerWriteOp op) { writes.push_back(op); })
        .Case([&](ConsumerReadOp op) { reads.push_back(op); })
        .Case<CreateIteratorOp, IncIterOp>([&](Operation *op) { add(op->getResult(0)); })
        .Case([&](AgentSwitchOp op) {
          for (Region &agent : op.getAgents())
            add(agent.getArgument(use.getOperandNumber()));
        })
        .Default([&](Operation *) { llvm::for_each(nv_tileaa::getDestinations(use), [&](Value v) { add(v); }); });
  }

  CreatePipelineOp create;
  llvm::SetVector<Value> values;
};

struct AssignPipelineLayoutsPass : nv_tileas::impl::AssignPipelineLayoutsPassBase<AssignPipelineLayoutsPass> {
  void runOnOperation() override {
    SmallVector<CreatePipelineOp> pipelines;
    getOperation().walk([&](CreatePipelineOp op) { pipelines.push_back(op); });
    for (CreatePipelineOp op : pipelines)
      if (failed(assign(op)))
        return signalPassFailure();
  }

private:
  /// The copies into a tile of the stage and those out of it. Nothing if it is used in another way, or a plan has been
  /// made.
  struct Traffic {
    SmallVector<CopyOp> in;
    SmallVector<ConvertLayoutOp> out;
  };
  static std::optional<Traffic> trafficOf(const PipelineValues &pipeline, unsigned element) {
    Traffic traffic;
    for (ProducerWriteOp write : pipeline.writes)
      for (Operation *user : write.getBody().getArgument(element).getUsers()) {
        auto copy = dyn_cast<CopyOp>(user);
        if (!copy || copy.getAtomPlan() || copy.getResult() || !isIn(copy.getSource().getType(), MemoryKind::Registers))
          return std::nullopt;
        traffic.in.push_back(copy);
      }
    for (ConsumerReadOp read : pipeline.reads)
      for (Operation *user : read.getBody().getArgument(element).getUsers()) {
        auto convert = dyn_cast<ConvertLayoutOp>(user);
        if (!convert || convert.getAtomPlan() || !isIn(convert.getType(), MemoryKind::Registers))
          return std::nullopt;
        traffic.out.push_back(convert);
      }
    if (traffic.in.empty() || traffic.out.empty())
      return std::nullopt;
    return traffic;
  }

  LogicalResult assign(CreatePipelineOp create) {
    PipelineType type = create.getPipeline().getType();
    PipelineValues pipeline(create);
    SmallVector<Type> elements(type.getElements());
    bool changed = false;
    for (auto [i, element] : llvm::enumerate(elements)) {
      // Tiles that have this name in all stages, and no other.
      bool own = true;
      for (size_t tile = i; tile < create.getStages().size(); tile += elements.size()) {
        auto alloc = create.getStages()[tile].getDefiningOp<AllocTensorOp>();
        own &= alloc && alloc.getResult().hasOneUse() && !alloc.getOffset();
      }
      std::optional<Traffic> traffic = own ? trafficOf(pipeline, i) : std::nullopt;
      if (!traffic)
        continue;
      auto from = cast<RankedTensorType>(traffic->in.front().getSource().getType());
      int64_t bytes = getStorageBytes(from.getElementType());
      std::optional<tileiras::SharedPlan> plan =
          tileiras::planSharedConvert(getLinearLayout(from), getLinearLayout(traffic->out.front().getType()), bytes);
      if (!plan)
        continue;
      element = withLayout(from, getSharedLayoutAttr(&getContext(), plan->memory));
      changed = true;
      ++numChosen;
      // The plan is that of the first of either side; others find their own widths.
      auto planOf = [&](const tileiras::SharedAccess &access) {
        return AtomPlanAttr::get(&getContext(), /*tag=*/1, bytes << access.vectorBits);
      };
      traffic->in.front().setAtomPlanAttr(planOf(plan->store));
      traffic->out.front().setAtomPlanAttr(planOf(plan->load));
    }
    return changed ? pipeline.retype(elements) : success();
  }
};

} // namespace
