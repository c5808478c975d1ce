//===- AgentsPay.cpp - What agents are expected to gain -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AgentsPay.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/PairAgents.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/TensorMapCost.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;

namespace {

/// Whether rings are emptied by loops in the loop, too.
bool isAroundOthers(CountedLoop loop) {
  return loop
      ->walk([&](ConsumerReadOp read) {
        return read->getParentOfType<CountedLoop>() != loop ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether all that reads rings are products that add up in tensor memory, until the loop that they are in ends.
bool addUpInTensorMemory(nv_tileaa::FuncOp func) {
  bool some = false, all = true;
  func.walk([&](ConsumerReadOp read) {
    some = true;
    for (Operation &op : read.getBody().front().without_terminator()) {
      auto dot = dyn_cast<DotOp>(op);
      bool inTensorMemory = dot && dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier;
      all &= inTensorMemory || isReshape(&op);
      if (!inTensorMemory)
        continue;
      // What computes with the sums of a round, as attention does, has them in registers: the agent's, too.
      auto loop = dot->getParentOfType<CountedLoop>();
      all &= loop && llvm::all_of(dot.getC().getUsers(),
                                  [&](Operation *user) { return isa<DotOp>(user) || !loop->isAncestor(user); });
    }
  });
  return some && all;
}

/// Whether there are two stages of each ring. An agent that only copies begins with a stage when the products that have
/// read it are done; one that does everything comes to it later, and has nothing else under way. (By the model of B200
/// bf16 128x256x128 takes 20.8 us instead of 26.5 for 2048x2048x2048; with four stages of half the size, or of tiles of
/// which a multiprocessor has two blocks, agents gain nothing, or lose.)
bool isShortOfStages(ArrayRef<CreatePipelineOp> rings) {
  return llvm::all_of(rings, [](CreatePipelineOp ring) { return ring.getNumStages() == 2; });
}

/// Whether the loops that read rings are in a loop over tiles that the kernel has itself, and tensor memory has room
/// for the sums of two tiles. What is loaded, computed and stored behind the products of a tile, one agent does before
/// the next ones begin, and nothing is copied meanwhile; of several one multiplies for the next tile.
/// (docs/scheduler.md. Of blocks that divide a tile block, and of products with scales, which take columns, too, that
/// is not known.)
bool goesOnWithNextTile(nv_tileaa::FuncOp func) {
  auto occupancy = func->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr);
  if (func->hasAttr(kStayingBlocksAttr) || func->hasAttr(kDividedClusterAttr) || (occupancy && occupancy.getInt() > 1))
    return false;
  bool all = true;
  int64_t columns = 0;
  func.walk([&](ConsumerReadOp read) {
    auto loop = read->getParentOfType<CountedLoop>();
    all &= loop && loop->getParentOfType<CountedLoop>();
    read.walk([&](DotOp dot) {
      all &= !dot.getSfa();
      constexpr int64_t bytesOfColumn = 128 * 4;
      columns += llvm::divideCeil(getSharedBytes(dot.getType()), bytesOfColumn);
    });
  });
  return all && 2 * columns <= getTensorRoom(func);
}

/// Whether products read what is loaded as their scales, and nobody else does.
bool isForScales(AsyncTiledLoadOp load) {
  auto stage = dyn_cast<BlockArgument>(load.getDest());
  auto write = stage ? dyn_cast<ProducerWriteOp>(stage.getOwner()->getParentOp()) : ProducerWriteOp();
  if (!write)
    return false;
  bool some = false;
  for (Operation *user : write.getPipeline().getUsers()) {
    auto read = dyn_cast<ConsumerReadOp>(user);
    SmallVector<Value> forms;
    if (read)
      forms.push_back(read.getBody().getArgument(stage.getArgNumber()));
    while (!forms.empty()) {
      Value form = forms.pop_back_val();
      for (Operation *reader : form.getUsers()) {
        auto dot = dyn_cast<DotOp>(reader);
        if (isReshape(reader))
          forms.push_back(reader->getResult(0));
        else if (!dot || (dot.getSfa() != form && dot.getSfb() != form))
          return false;
        some |= dot != nullptr;
      }
    }
  }
  return some;
}

/// What is copied into all rings; nothing if it is known at run time only.
std::optional<int64_t> bytesCopied(nv_tileaa::FuncOp func, ArrayRef<CreatePipelineOp> rings) {
  int64_t bytes = 0;
  for (CreatePipelineOp ring : rings) {
    int64_t stage = 0;
    for (Type tile : ring.getPipeline().getType().getElements())
      stage += getSharedBytes(cast<RankedTensorType>(tile));
    for (Operation *user : ring->getUsers()) {
      if (!isa<ProducerWriteOp>(user))
        continue;
      int64_t times = 1;
      for (Operation *around = user->getParentOp(); around != func; around = around->getParentOp())
        if (auto loop = dyn_cast<CountedLoop>(around)) {
          std::optional<APInt> trips = loop.getStaticTripCount();
          if (!trips || trips->getActiveBits() > 31)
            return std::nullopt;
          times = std::min<int64_t>(times * trips->getZExtValue(), INT32_MAX);
        } else if (!isa<Branch>(around)) {
          return std::nullopt;
        }
      bytes += stage * times;
    }
  }
  return bytes;
}

} // namespace

bool nv_tileas::isFilledSeldom(CreatePipelineOp ring) {
  return llvm::all_of(ring->getUsers(), [](Operation *user) {
    auto loop = user->getParentOfType<CountedLoop>();
    return !isa<ConsumerReadOp>(user) || (loop && isAroundOthers(loop));
  });
}

StringRef nv_tileas::whyOneAgentIsAsFast(nv_tileaa::FuncOp func, ArrayRef<CreatePipelineOp> rings,
                                         bool movesRegisters) {
  if (!movesRegisters)
    return "one agent is as fast: there are no two warpgroups that compute, or no registers to move to them";
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
  if (!target->hasTma() || !target->tensormapReplace || getTmaPreference() == TmaPreference::Never)
    return "one agent is as fast: nothing but threads could fill the rings";
  // What the agent that computes loads itself nobody loads ahead for it. Between the rounds of a loop around loops
  // that empty rings it may: they take long.
  bool loads = false;
  func.walk([&](ConsumerReadOp read) {
    if (auto loop = read->getParentOfType<CountedLoop>(); loop && !isAroundOthers(loop))
      loop.walk([&](nv_tileaa::MemoryAccessOpInterface access) {
        loads |= access.getLoaded() && isa<RankedTensorType>(access.getLoaded().getType()) &&
                 !access->getParentOfType<ProducerWriteOp>();
      });
  });
  if (loads)
    return "one agent is as fast: the one that computes would load tiles itself";
  bool inTensorMemory = addUpInTensorMemory(func), nextTile = inTensorMemory && goesOnWithNextTile(func);
  // What is computed with a stage beside products takes time, too: less has to be under way.
  bool more = nextTile;
  func.walk([&](ReduceOp reduce) {
    if (auto loop = reduce->getParentOfType<CountedLoop>())
      more |= llvm::any_of(rings, [&](CreatePipelineOp ring) {
        return llvm::any_of(ring->getUsers(), [&](Operation *user) { return loop->isAncestor(user); });
      });
  });
  int64_t underWay = 0;
  for (CreatePipelineOp ring : rings)
    for (Type tile : ring.getPipeline().getType().getElements())
      underWay += stagesUnderWay(ring.getNumStages(), more) * getSharedBytes(cast<RankedTensorType>(tile));
  if (underWay < leastBytesUnderWay(more))
    return "one agent is as fast: the stages of the rings hold too little";
  // Only products of warpgroups come further: the size of stages does not matter to them.
  if (std::optional<int64_t> bytes = bytesCopied(func, rings);
      bytes && *bytes < leastBytesForTensorMaps(func, /*stage=*/0))
    return "one agent is as fast: the loops have too few rounds to gain from tensor maps";
  bool products = true, byTma = true;
  func.walk([&](ConsumerReadOp read) {
    bool some = false;
    read.walk([&](DotOp dot) { some |= dot.getAtom() && dot.getAtom()->getCompletion() == Completion::WaitGroup; });
    products &= some;
  });
  bool pairs = !products && fillsMultiprocessorInPairs(func);
  func.walk([&](ProducerWriteOp write) {
    write.walk([&](AsyncTiledLoadOp load) {
      if (pairs && isForScales(load))
        return; // a few bytes, by threads in any case
      auto allowed = load->getAttrOfType<BoolAttr>("allow_tma");
      byTma &= (!allowed || allowed.getValue()) && describeTma(load).has_value();
    });
    write.walk([&](AsyncLoadOp) { byTma = false; });
  });
  if (!products && !pairs && !nextTile && !(inTensorMemory && isShortOfStages(rings)))
    return "one agent is as fast: what reads the stages are not products of an asynchronous unit";
  return byTma ? "" : "one agent is as fast: the tiles do not lie as tensor copies write them";
}
