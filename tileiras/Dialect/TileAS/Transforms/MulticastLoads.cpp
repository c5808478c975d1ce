//===- MulticastLoads.cpp - tileas-multicast-loads ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What all blocks of a cluster load is loaded once. Where the blocks divide the rows of a product, its right operand is
// the same for all:
//
//     block 0:  write { A of rows 0 .. 127, B }         write { A of rows 0 .. 127, upper half of B to both }
//     block 1:  write { A of rows 128 .. 255, B }       write { A of rows 128 .. 255, lower half of B to both }
//
// The L2 cache then answers for B once for the cluster, and each multiprocessor still gets all of it.
//
// A load can be shared if its coordinates are the same in all blocks, and all blocks run it as often: it stands in
// loops and branches whose bounds and conditions are the same in all of them. Its ring is then one of the cluster
// (Dialect/TileAS/IR/Cluster.h), and blocks keep step: none is further ahead than the ring has stages. So it is done
// for rings only that TMA alone fills.
//
// Where a tile is one box, or has fewer than there are blocks, boxes are divided, and the tensor map has the smaller
// one.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_MULTICASTLOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
namespace remarks = tileiras::remarks;

namespace {

CreatePipelineOp ringOf(ProducerWriteOp write) {
  Value ring = write.getPipeline();
  if (auto argument = dyn_cast<BlockArgument>(ring))
    if (auto agents = dyn_cast<AgentSwitchOp>(argument.getOwner()->getParentOp()))
      ring = agents.getCaptures()[argument.getArgNumber()];
  return ring.getDefiningOp<CreatePipelineOp>();
}

class Ring {
public:
  explicit Ring(CreatePipelineOp op) : op(op) {}
  CreatePipelineOp op;
  SmallVector<ProducerWriteOp> writes;

  /// Why its loads are not shared, or nothing: then `shared` are.
  std::string plan(int32_t blocks) {
    if (op.getTma())
      return "whether TMA fills a stage is asked in every round";
    for (ProducerWriteOp write : writes) {
      if (!isRunByAllBlocks(write) || (write.getPredicate() && !isSameInAllBlocks(write.getPredicate())))
        return "not all blocks fill it as often";
      for (auto load : write.getBody().front().getOps<AsyncTiledTmaLoadOp>())
        if (llvm::all_of(load.getIndices(), isSameInAllBlocks) && isSameInAllBlocks(load.getDesc()))
          shared.push_back(load);
    }
    if (!isRunByAllBlocks(op))
      return "not all blocks make it";
    for (Operation *user : op->getUsers())
      if (user->hasAttr(kByProductsAttr) && getAgentSwitch(user))
        return "products of an agent release its stages, and nobody waits for the last of them in other blocks";
    if (shared.empty())
      return "no tile of it is the same for all blocks";
    for (AsyncTiledTmaLoadOp load : shared) {
      auto tile = cast<RankedTensorType>(load.getDest().getType());
      int32_t bytes = int32_t(getStorageBytes(tile.getElementType()));
      auto divided = divideAmongBlocks(*describeTma(load.getView().getType(), tile), blocks, bytes);
      if (!divided)
        return "a tile has no parts for all blocks";
      auto atom = getTmaLoad(load.getContext(), *divided);
      atoms[load] = atom;
      if (atom == load.getAtom())
        continue;
      // Whoever else uses the tensor map would need one of its own.
      MakeTiledTmaDescOp make = getTensorMap(load.getDesc());
      if (!make)
        return "a tensor map comes from elsewhere";
      auto [known, isNew] = maps.try_emplace(make, atom);
      if (known->second != atom)
        return "a tensor map has other uses";
    }
    return {};
  }

  /// Whether the tensor maps that it changes are nobody else's but of `rings`, which change them in the same way.
  bool mapsAreOf(ArrayRef<Ring *> rings) {
    for (auto [make, atom] : maps)
      for (Operation *user : usersOfTensorMap(make))
        if (llvm::none_of(rings, [&, atom = atom](Ring *ring) { return ring->atoms.lookup(user) == atom; }))
          return false;
    return true;
  }

  void apply(int32_t blocks) {
    Builder builder(op.getContext());
    IntegerAttr number = builder.getI32IntegerAttr(blocks);
    for (auto [make, atom] : maps)
      make.setAtomAttr(cast<CopyAtomAttrInterface>(atom));
    int64_t bytes = 0, all = 0;
    for (AsyncTiledTmaLoadOp load : shared) {
      load.setAtomAttr(cast<CopyAtomAttrInterface>(atoms[load]));
      load->setAttr(kMulticastAttr, number);
    }
    // Of one filling: loops come after the first rounds, which are there as well.
    for (auto load : writes.front().getBody().front().getOps<AsyncTiledTmaLoadOp>()) {
      all += load.getTxCount();
      bytes += load->hasAttr(kMulticastAttr) ? load.getTxCount() : 0;
    }
    op->setAttr(kClusterRingAttr, number);
    remarks::passed(op, remarks::kMemory, "Multicast")
        << remarks::figure("Blocks", blocks) << remarks::figure("BytesShared", bytes)
        << remarks::figure("BytesOfStage", all) << remarks::figure("Alternatives", "every block loads it")
        << remarks::because("each block copies a part to all, and the cache reads it once for the cluster");
  }

private:
  SmallVector<AsyncTiledTmaLoadOp> shared;
  llvm::DenseMap<Operation *, Attribute> atoms;
  llvm::MapVector<MakeTiledTmaDescOp, Attribute> maps;
};

struct MulticastLoadsPass : nv_tileas::impl::MulticastLoadsPassBase<MulticastLoadsPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    int32_t blocks = ExecutionContext::of(func.getOperation()).numCtas;
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if (blocks < 2 || !func->hasAttr(kDividedClusterAttr) || !target)
      return markAllAnalysesPreserved();
    llvm::MapVector<CreatePipelineOp, Ring> rings;
    func.walk([&](ProducerWriteOp write) {
      if (write.getBody().front().getOps<AsyncTiledTmaLoadOp>().empty())
        return;
      if (CreatePipelineOp op = ringOf(write))
        rings.try_emplace(op, op).first->second.writes.push_back(write);
    });
    SmallVector<Ring *> chosen;
    auto refuse = [&](Ring &ring, StringRef why) {
      remarks::missed(ring.op, remarks::kMemory, "Multicast")
          << remarks::figure("Blocks", blocks) << remarks::because(why);
    };
    for (auto &[op, ring] : rings) {
      if (op->hasAttr(kCtaPairAttr)) // tileas-plan-cta has divided what both need.
        continue;
      std::string why = !hasFastMulticast(*target)      ? "the target copies to one block at a time"
                        : blocks > kMostBlocksTogether  ? "the cluster has more than eight blocks"
                        : op->hasAttr(kClusterRingAttr) ? "it is shared already"
                                                        : ring.plan(blocks);
      if (why.empty())
        chosen.push_back(&ring);
      else
        refuse(ring, why);
    }
    for (bool changes = true; changes;) {
      Ring **bad = llvm::find_if(chosen, [&](Ring *ring) { return !ring->mapsAreOf(chosen); });
      changes = bad != chosen.end();
      if (changes) {
        refuse(**bad, "a tensor map has other uses");
        chosen.erase(bad);
      }
    }
    for (Ring *ring : chosen) {
      ring->apply(blocks);
      ++numRings;
    }
  }
};

} // namespace
