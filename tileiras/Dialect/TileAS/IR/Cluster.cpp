//===- Cluster.cpp - What the blocks of a cluster share -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;
using tileiras::TmaTile;

int32_t nv_tileas::getBlocksTogether(Operation *op) {
  for (StringRef name : {StringRef(kClusterRingAttr), StringRef(kMulticastAttr)})
    if (auto blocks = op->getAttrOfType<IntegerAttr>(name))
      return int32_t(blocks.getInt());
  return 1;
}

bool nv_tileas::hasFastMulticast(const tileiras::TargetInfo &target) {
  return target.clusters && target.hasTma() &&
         (target.mmaFamily == tileiras::MmaFamily::Wgmma || target.mmaFamily == tileiras::MmaFamily::Tcgen05);
}

std::optional<TmaTile> nv_tileas::divideAmongBlocks(TmaTile tile, int32_t blocks, int32_t elementBytes) {
  while (tile.copies.size() % blocks != 0) {
    // The image of half a box: half of what it was, and still where images and swizzles may begin.
    int64_t half = tile.boxElements() * elementBytes / 2;
    int last = -1;
    for (int32_t d : ArrayRef(tile.order).drop_front())
      if (tile.box[d] > 1)
        last = d;
    if (last < 0 || half % tile.alignment() != 0)
      return std::nullopt;
    tile.box[last] /= 2;
    std::vector<TmaTile::Copy> copies;
    for (const TmaTile::Copy &copy : tile.copies) {
      copies.push_back(copy);
      copies.push_back(copy);
      copies.back().coords[last] += tile.box[last];
      copies.back().bytes += int32_t(half);
    }
    tile.copies = std::move(copies);
  }
  return tile;
}

std::optional<LinearLayout> nv_tileas::partOfBlock(const LinearLayout &memory) {
  if (memory.inBits(tileiras::kBlock) == 0)
    return memory;
  std::vector<int32_t> shape = memory.shape();
  for (int bit = memory.inBits(tileiras::kBlock); bit-- > 0;) {
    std::vector<int32_t> basis = memory.basis(tileiras::kBlock, bit);
    int last = -1;
    for (int d = 0; d < int(basis.size()); ++d) {
      if (basis[d] == 0)
        continue;
      if (last >= 0 || basis[d] * 2 != shape[d])
        return std::nullopt;
      last = d;
    }
    if (last < 0)
      return std::nullopt;
    shape[last] /= 2;
  }
  LinearLayout::InDim offsets{tileiras::kOffset, {}};
  for (int bit = 0; bit < memory.inBits(tileiras::kOffset); ++bit) {
    offsets.bases.push_back(memory.basis(tileiras::kOffset, bit));
    for (auto [coordinate, extent] : llvm::zip_equal(offsets.bases.back(), shape))
      if (coordinate >= extent)
        return std::nullopt;
  }
  return LinearLayout({offsets}, shape);
}

std::optional<LinearLayout> nv_tileas::divideBetweenBlocks(const LinearLayout &memory, int d) {
  std::vector<int32_t> last(memory.numOuts(), 0);
  last[d] = memory.shape()[d] / 2;
  if (last[d] == 0)
    return std::nullopt;
  LinearLayout::InDim offsets{tileiras::kOffset, {}};
  bool found = false;
  for (int bit = 0; bit < memory.inBits(tileiras::kOffset); ++bit) {
    std::vector<int32_t> basis = memory.basis(tileiras::kOffset, bit);
    if (basis == last)
      found = true;
    else if (basis[d] >= last[d])
      return std::nullopt;
    else
      offsets.bases.push_back(basis);
  }
  if (!found || memory.inBits(tileiras::kBlock))
    return std::nullopt;
  return LinearLayout({offsets, {tileiras::kBlock, {last}}}, memory.shape());
}

int64_t nv_tileas::elementsOfBlock(RankedTensorType tile) {
  return tile.getNumElements() >> getLinearLayout(tile).inBits(tileiras::kBlock);
}

namespace {

class Uniformity {
public:
  bool same(Value value) {
    if (!seen.insert(value).second)
      return true; // of a loop: if all else is
    if (auto argument = dyn_cast<BlockArgument>(value))
      return sameArgument(argument);
    Operation *op = value.getDefiningOp();
    if (isa<NVVM::ClusterId, NVVM::BlockInClusterIdXOp, NVVM::BlockInClusterIdYOp, NVVM::BlockInClusterIdZOp>(op))
      return false;
    // Whether there is a tensor map is the same in all blocks: an entry of the table, once written, stays.
    if (isa<MakeTiledTmaDescOp>(op))
      return llvm::all_of(op->getOperands(), [&](Value v) { return same(v); });
    if (auto loop = dyn_cast<CountedLoop>(op))
      return sameCarried(loop, cast<OpResult>(value).getResultNumber());
    if (auto branch = dyn_cast<Branch>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      return same(branch.getCondition()) && same(branch.getThenValue(number)) && same(branch.getElseValue(number));
    }
    if (auto scratch = dyn_cast<WithScratchOp>(op))
      return same(scratch.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber()));
    // Special registers that are left tell tile blocks apart, not blocks of one.
    bool reads = isa<nv_tileaa::GetProgramIdOp>(op);
    return op->getNumRegions() == 0 && (reads || isMemoryEffectFree(op)) &&
           llvm::all_of(op->getOperands(), [&](Value v) { return same(v); });
  }

private:
  bool sameArgument(BlockArgument argument) {
    Operation *around = argument.getOwner()->getParentOp();
    if (isa<FunctionOpInterface>(around))
      return true;
    if (auto agents = dyn_cast<AgentSwitchOp>(around))
      return same(agents.getCaptures()[argument.getArgNumber()]);
    auto loop = dyn_cast<CountedLoop>(around);
    if (!loop)
      return false;
    std::optional<unsigned> number = loop.getCarriedNumber(argument);
    return number ? sameCarried(loop, *number) : sameBounds(loop);
  }
  bool sameBounds(CountedLoop loop) {
    return same(loop.getLowerBound()) && same(loop.getUpperBound()) && same(loop.getStep());
  }
  bool sameCarried(CountedLoop loop, unsigned number) {
    return sameBounds(loop) && same(loop.getInits()[number]) && same(loop.getYieldedValues()[number]);
  }

  llvm::DenseSet<Value> seen;
};

} // namespace

bool nv_tileas::isSameInAllBlocks(Value value) { return Uniformity().same(value); }

bool nv_tileas::isRunByAllBlocks(Operation *op) {
  for (Operation *around = op->getParentOp(); around && !isa<nv_tileaa::FuncOp>(around);
       around = around->getParentOp()) {
    if (auto loop = dyn_cast<CountedLoop>(around)) {
      if (!isSameInAllBlocks(loop.getInductionVar()))
        return false;
    } else if (auto branch = dyn_cast<Branch>(around)) {
      if (!isSameInAllBlocks(branch.getCondition()))
        return false;
    } else if (auto write = dyn_cast<ProducerWriteOp>(around)) {
      if (write.getPredicate() && !isSameInAllBlocks(write.getPredicate()))
        return false;
    } else if (!isa<AgentSwitchOp, ConsumerReadOp>(around)) {
      return false;
    }
  }
  return true;
}

MakeTiledTmaDescOp nv_tileas::getTensorMap(Value desc) {
  if (auto scratch = desc.getDefiningOp<WithScratchOp>())
    desc = scratch.getBody().front().getTerminator()->getOperand(cast<OpResult>(desc).getResultNumber());
  return desc.getDefiningOp<MakeTiledTmaDescOp>();
}

SmallVector<Operation *> nv_tileas::usersOfTensorMap(MakeTiledTmaDescOp make) {
  SmallVector<Operation *> users;
  for (OpOperand &use : make.getDesc().getUses()) {
    auto scratch = dyn_cast<WithScratchOp>(use.getOwner()->getParentOp());
    if (scratch && isa<YieldOp>(use.getOwner()))
      llvm::append_range(users, scratch->getResult(use.getOperandNumber()).getUsers());
    else
      users.push_back(use.getOwner());
  }
  return users;
}
