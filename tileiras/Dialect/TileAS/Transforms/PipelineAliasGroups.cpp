//===- PipelineAliasGroups.cpp - Names of the same stages -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PipelineAliasGroups.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// A tile, or one of the tiles that a stage of a pipeline has.
using Name = std::pair<const void *, unsigned>;

class Names {
public:
  explicit Names(nv_tileaa::FuncOp func) {
    func.walk([&](CreatePipelineOp create) {
      size_t elements = create.getPipeline().getType().getElements().size();
      for (auto [i, stage] : llvm::enumerate(create.getStages())) {
        join({create.getPipeline(), unsigned(i % elements)}, {stage, 0});
        follow(stage);
      }
      follow(create.getPipeline());
    });
  }

  Name leaderOf(Value value, unsigned element) { return classes.getLeaderValue({value.getAsOpaquePointer(), element}); }
  ArrayRef<Value> getTiles() const { return tiles.getArrayRef(); }

private:
  static unsigned elementsOf(Type type) {
    if (auto pipeline = dyn_cast<PipelineType>(type))
      return pipeline.getElements().size();
    if (auto iterator = dyn_cast<PipelineIteratorType>(type))
      return iterator.getElements().size();
    return isa<RankedTensorType>(type) ? 1 : 0;
  }
  void join(std::pair<Value, unsigned> a, std::pair<Value, unsigned> b) {
    classes.unionSets({a.first.getAsOpaquePointer(), a.second}, {b.first.getAsOpaquePointer(), b.second});
  }
  void joinAll(Value from, Value to) {
    unsigned elements = elementsOf(from.getType());
    if (elements != elementsOf(to.getType()))
      return;
    for (unsigned i = 0; i < elements; ++i)
      join({from, i}, {to, i});
    follow(to);
  }
  void joinArguments(Value place, Block &body) {
    for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
      join({place, unsigned(i)}, {argument, 0});
      follow(argument);
    }
  }

  /// What is the same bytes by another name. What reads or writes them is none; what loops and branches carry goes
  /// where getDestinations says, and they carry other tiles beside it.
  void follow(Value from) {
    if (isa<RankedTensorType>(from.getType()) ? !tiles.insert(from) : !places.insert(from).second)
      return;
    for (OpOperand &use : from.getUses()) {
      Operation *user = use.getOwner();
      for (Value to : nv_tileaa::getDestinations(use))
        joinAll(from, to);
      llvm::TypeSwitch<Operation *>(user)
          .Case<ProducerWriteOp, ConsumerReadOp>([&](auto op) {
            if (from == op.getPipeline())
              joinArguments(from, op.getBody().front());
          })
          .Case<CreateIteratorOp, IncIterOp>([&](Operation *op) { joinAll(from, op->getResult(0)); })
          .Case([&](AgentSwitchOp op) {
            for (Region &agent : op.getAgents())
              joinAll(from, agent.getArgument(use.getOperandNumber()));
          })
          .Default([&](Operation *op) {
            if (isa<RankedTensorType>(from.getType()) && op->getNumRegions() == 0 && isMemoryEffectFree(op))
              for (Value result : op->getResults())
                joinAll(from, result);
          });
    }
  }

  llvm::EquivalenceClasses<Name> classes;
  llvm::SetVector<Value> tiles;
  llvm::SmallPtrSet<Value, 8> places;
};

} // namespace

FailureOr<SmallVector<PipelineAliasGroup>> nv_tileas::findPipelineAliasGroups(nv_tileaa::FuncOp func) {
  SmallVector<CreatePipelineOp> pipelines;
  func.walk([&](CreatePipelineOp op) { pipelines.push_back(op); });
  if (pipelines.empty())
    return SmallVector<PipelineAliasGroup>();
  Names names(func);
  llvm::MapVector<Name, SmallVector<Value>> tilesOf;
  for (Value tile : names.getTiles())
    if (getMemory(tile.getType()))
      tilesOf[names.leaderOf(tile, 0)].push_back(tile);
  SmallVector<PipelineAliasGroup> groups;
  llvm::SmallDenseSet<Name, 8> seen;
  for (CreatePipelineOp op : pipelines)
    for (unsigned i = 0, n = op.getPipeline().getType().getElements().size(); i < n; ++i) {
      Name leader = names.leaderOf(op.getPipeline(), i);
      if (!seen.insert(leader).second)
        continue;
      ArrayRef<Value> tiles = tilesOf[leader];
      if (tiles.empty())
        continue;
      MemoryKind memory = *getMemory(tiles.front().getType());
      const Value *other = llvm::find_if(tiles, [&](Value tile) { return *getMemory(tile.getType()) != memory; });
      if (other != tiles.end()) {
        InFlightDiagnostic diagnostic = op.emitError(" can not find common memKind among pipeline alias group\n");
        for (Value tile : {tiles.front(), *other})
          diagnostic.attachNote(tile.getLoc()) << "one of its tiles is of type " << tile.getType();
        return failure();
      }
      groups.push_back({op, int64_t(tiles.size()), memory});
    }
  return groups;
}
