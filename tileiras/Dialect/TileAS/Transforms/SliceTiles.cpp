//===- SliceTiles.cpp - Tiles larger than the register file ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-slice-tiles: kernels whose tiles do not fit in the register file are
// computed slice by slice.
//
// A product of 256 x 64 by 64 x 256 has as many sums as a multiprocessor has
// registers; attention with 256 queries keeps scores, output and operands at
// once. But rows of such a tile have nothing to do with each other: from the loads
// to the store everything happens for the upper half of the rows and for the lower half
// independently. So the kernel becomes
//
//     for s in 0 .. n-1:  the same kernel, on slice s of every tile along that dimension
//
// where tiles that do not have the dimension (the other operand of the product) are loaded
// again in each round. That costs loads, mostly from the second-level cache; spills would cost
// as much in every step of the inner loop.
//
// Operands of a product by multiply-adds that have no room in shared memory together are a reason, too: what goes
// through it in pieces is held in registers.
//
// Which dimension: starting from one dimension of a large tile, "the same dimension" is followed through operations in
// both directions. It must never be reduced, summed over, concatenated or taken apart along itself, and every write
// must have it. Of the dimensions that remain, and 2, 4, 8 ... slices, the first that fits is taken, by the estimate of
// LiveWords.h; among equals the one that loads least again.
//
// When it is allowed: operations without a common token are unordered (MemoryOrder.cpp), so slices may be done one
// after the other although, of one array, slice 0 is written before slice 1 is read. Where a token does order two
// operations, and one of them writes, both must be tiles of one memref sliced along the same dimension, or go through
// the same pointers, all different: then slices never meet.
//
// What a write stores was loaded before: loads that its data come from must not meet it in another slice, either.
// Accesses through different arguments of the kernel are assumed not to overlap.
//
// A tile block that has a cluster of blocks (num_cta_in_cga) is divided the same way, one slice for each of them. They
// run at the same time, and an operation that a token or its data order after another waits until all of them have done
// the other one, unless both are the same slices.
//
// A kernel of less than eight warps that cannot be sliced enough gets eight, unless it has room if of factors that
// come from shared memory only the parts are counted that are in registers at a time. A requested occupancy that leaves
// too few registers for the tiles is lowered here, too: it is a hint, and spilled tiles would cost more than it gains.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/WarpHints.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SlicedDimension.h"
#include "tileiras/Dialect/TileAS/Transforms/StoreParts.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SLICETILESPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
namespace remarks = tileiras::remarks;
namespace aa = mlir::nv_tileaa;

namespace {

struct SliceTilesPass : nv_tileas::impl::SliceTilesPassBase<SliceTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    aa::FuncOp func = getOperation();
    if (func.isDeclaration() || !llvm::hasSingleElement(func.getBody()))
      return;
    const tileiras::TargetInfo *target = aa::getTarget(func);
    int64_t warps = getNumWarps(func);
    SmallVector<SlicedDimension::Wait> waits = divideCluster(func, target);
    ResourceModel resources(func, target);
    auto roomWith = [&](int64_t blocks) { return room > 0 ? int64_t(room) : resources.room(warps, blocks); };
    int64_t shared = room == 0 && target ? resources.sharedRoom() : std::numeric_limits<int64_t>::max();
    Demand demand = resources.demand();
    int64_t needed = ResourceModel::wordsWith(demand, shared);
    if (needed > roomWith(1) && resources.getOnlyProduct()) {
      resources.fetchInParts();
      demand = resources.demand();
      needed = ResourceModel::wordsWith(demand, shared);
    }
    remarks::analysis(func, remarks::kResources, "Demand")
        << remarks::figure("Words", demand.registerWords) << remarks::figure("WordsWithOperands", needed)
        << remarks::figure("Room", roomWith(1)) << remarks::figure("SharedBytes", demand.sharedBytes)
        << remarks::figure("SharedRoom", resources.sharedRoom())
        << remarks::figure("TensorColumns", demand.tensorColumns) << remarks::figure("Warps", warps)
        << remarks::because(needed > demand.registerWords
                                ? "operands of products that shared memory has no room for are held in registers"
                                : "what is alive at once, with the atoms that products are going to have");
    if ((alternate || func->hasAttr(kAlternatesAttr)) && warps == 4 && room == 0 && needed > roomWith(1))
      needed = wordsOfSumsInPlace(func).value_or(needed);
    // Threads that hold whole rows read all columns in parts; of more warps some divide the columns.
    constexpr int64_t warpsOfRows = 4;
    auto tryParts = [&](int64_t tried, int64_t available) {
      if (std::optional<int64_t> words = storeInParts(func, target, tried, available, shared)) {
        needed = *words;
        warps = tried;
      }
    };
    if (needed > roomWith(1))
      tryParts(warps, roomWith(1));
    if (needed > roomWith(1) && warps > warpsOfRows && mayChooseWarps(func))
      tryParts(warpsOfRows, resources.room(warpsOfRows, 1));
    if (needed > roomWith(1) && mayBeTight(func, target, warps, needed, roomWith(1))) {
      needed = roomWith(1);
      func->setAttr(kTightAttr, UnitAttr::get(func.getContext()));
    } else if (needed > roomWith(1)) {
      int64_t whole = needed;
      needed = slice(func, target, whole, roomWith(1), shared);
      numSliced += needed < whole;
    } else {
      remarks::analysis(func, remarks::kSlice, "Slices")
          << remarks::figure("Slices", 1) << remarks::figure("Words", needed) << remarks::figure("Room", roomWith(1))
          << remarks::because("the tiles fit in the register file");
    }
    for (auto [op, forLoads] : waits) {
      OpBuilder b(op);
      Operation *meeting[] = {NVVM::ClusterArriveOp::create(b, op->getLoc(), b.getUnitAttr()),
                              NVVM::ClusterWaitOp::create(b, op->getLoc(), b.getUnitAttr())};
      for (Operation *half : meeting)
        if (forLoads)
          half->setAttr(kAfterLoadsAttr, b.getUnitAttr());
    }
    // What is not in slices small enough gets the whole register file, which eight warps can have.
    constexpr int64_t warpsForAll = 8;
    // Four with all of it do better than eight, of which each fetches as much (tileas-choose-warps).
    if (warps < warpsForAll && room == 0 && needed > roomWith(1)) {
      ResourceModel inParts(func, target);
      inParts.fetchInParts();
      needed = std::min(needed, ResourceModel::wordsWith(inParts.demand(), shared));
    }
    if (warps < warpsForAll && room == 0 && needed > roomWith(1))
      if (auto spec = func->getAttrOfType<aa::KernelSpecAttr>(aa::kKernelSpecAttr); spec && !fixedWarps) {
        remarks::missed(func, remarks::kResources, "Warps")
            << remarks::figure("Warps", warpsForAll) << remarks::figure("Asked", warps)
            << remarks::figure("Words", needed) << remarks::figure("Room", roomWith(1))
            << remarks::because("the tiles need more registers than " + Twine(warps) + " warps have");
        warps = warpsForAll;
        aa::setNumWarps(func, warps);
      }
    auto occupancy = func->getAttrOfType<IntegerAttr>(aa::kOccupancyAttr);
    if (!occupancy)
      return;
    int64_t blocks = std::max<int64_t>(occupancy.getInt(), 1);
    // Loads that no ring takes are under way in registers while others are multiplied, if there are any to spare. Who
    // asks for blocks leaves as many as an address for each element would take (docs/performance.md).
    if (blocks > 1)
      needed += ResourceModel(func, target).wordsOfSharedAddresses();
    while (blocks > 1 && needed > roomWith(blocks))
      --blocks;
    if (blocks != occupancy.getInt())
      remarks::missed(func, remarks::kResources, "Occupancy")
          << remarks::figure("Blocks", blocks) << remarks::figure("Asked", occupancy.getInt())
          << remarks::figure("Words", needed) << remarks::figure("Room", roomWith(occupancy.getInt()))
          << remarks::because("so many blocks on a multiprocessor leave too few registers for the tiles");
    if (blocks != occupancy.getInt()) {
      ++numLowered;
      func->setAttr(aa::kOccupancyAttr, Builder(func.getContext()).getI32IntegerAttr(blocks));
    }
  }

  /// Whether tiles that exceed the estimate stay whole, since somebody looks if they are spilled. Of attention by
  /// mma.sync: exponentials become factors as they are made, which the estimate counts beside the scores. In slices
  /// keys and values would be loaded and fetched again for each.
  bool mayBeTight(aa::FuncOp func, const tileiras::TargetInfo *target, int64_t warps, int64_t needed,
                  int64_t available) const {
    constexpr int64_t warpsOfAll = 4;
    if (!tight || room != 0 || warps != warpsOfAll || !target || target->mmaFamily != tileiras::MmaFamily::MmaSync ||
        2 * needed > 3 * available)
      return false;
    SmallVector<aa::DotOp> dots;
    func.walk([&](aa::DotOp dot) { dots.push_back(dot); });
    ResourceModel resources(func, target);
    resources.fetchInParts();
    if (!isAttention(dots) ||
        !llvm::all_of(dots, [&](aa::DotOp dot) { return resources.isFetchedInParts(dot, tileiras::DotOperand::B); }))
      return false;
    remarks::analysis(func, remarks::kSlice, "Slices")
        << remarks::figure("Slices", 1) << remarks::figure("Words", needed) << remarks::figure("Room", available)
        << remarks::because("the tiles may fit in the register file, which the assembler tells");
    return true;
  }

  /// Whether nobody has said how many warps there are, and what is to fit in their registers.
  bool mayChooseWarps(aa::FuncOp func) const {
    return room == 0 && !fixedWarps && !func->hasAttr(aa::kHintedWarpsAttr) && func->hasAttr(aa::kKernelSpecAttr);
  }

  /// A slice for each block of the cluster, along the dimension that loads least again; if there is none, the first
  /// block does everything.
  static SmallVector<SlicedDimension::Wait> divideCluster(aa::FuncOp func, const tileiras::TargetInfo *target) {
    auto spec = func->getAttrOfType<aa::KernelSpecAttr>(aa::kKernelSpecAttr);
    if (!spec || spec.getNumCTAs() < 2 || !llvm::isPowerOf2_32(spec.getNumCTAs()))
      return {};
    ClusterDimension best = findClusterDimension(func, target, spec.getNumCTAs());
    if (!best.dimension) {
      remarks::missed(func, remarks::kSlice, "Cluster")
          << remarks::figure("Blocks", spec.getNumCTAs())
          << remarks::because(best.whyNot + "; the first block does all the work");
      return {};
    }
    remarks::passed(func, remarks::kSlice, "Cluster")
        << remarks::figure("Blocks", spec.getNumCTAs())
        << remarks::figure("WordsLoadedAgain", best.dimension->loadedAgain())
        << remarks::because("a slice of every tile for each block of the cluster");
    return SmallVector<SlicedDimension::Wait>(best.dimension->applyToCluster());
  }

  /// Returns how many words are needed afterwards.
  static int64_t slice(aa::FuncOp func, const tileiras::TargetInfo *target, int64_t needed, int64_t available,
                       int64_t shared) {
    separateConstants(func);
    ResourceModel resources(func, target);
    SmallVector<std::pair<Value, int>> seeds = findSeeds(func, resources);
    std::unique_ptr<SlicedDimension> best;
    int64_t bestPeak = needed, bestSlices = 1;
    // More than that only for tiles that would still not fit.
    int64_t most =
        needed <= 1024 * available ? std::max<int64_t>(64, 2 * llvm::bit_ceil(uint64_t(needed / available))) : 64;
    for (int64_t slices = 2; slices <= most && bestPeak > available; slices *= 2) {
      int64_t bestLoads = 0;
      SmallVector<std::unique_ptr<SlicedDimension>> tried;
      for (auto [seed, d] : seeds) {
        if (cast<RankedTensorType>(seed.getType()).getDimSize(d) % slices != 0 ||
            llvm::any_of(tried, [&](auto &other) { return other->contains(seed, d); }))
          continue;
        auto dimension = std::make_unique<SlicedDimension>(func, resources, slices);
        if (!dimension->follow(seed, d))
          continue;
        int64_t peak = ResourceModel::wordsWith(dimension->demand(), shared), loads = dimension->loadedAgain();
        // Half of the gain at least: more rounds of the same loads are not free.
        bool fits = peak <= available, same = best && peak == bestPeak && slices == bestSlices;
        bool better = (peak < bestPeak || (same && loads < bestLoads)) && peak * 4 <= needed * 3;
        if (better && (!best || bestPeak > available || (fits && loads < bestLoads))) {
          bestPeak = peak;
          bestSlices = slices;
          bestLoads = loads;
          tried.push_back(nullptr);
          best = std::move(dimension);
        } else {
          tried.push_back(std::move(dimension));
        }
        llvm::erase(tried, nullptr);
      }
    }
    if (bestPeak <= available)
      remarks::passed(func, remarks::kSlice, "Slices")
          << remarks::figure("Slices", bestSlices) << remarks::figure("Words", bestPeak)
          << remarks::figure("WordsWhole", needed) << remarks::figure("Room", available)
          << remarks::because("the tiles exceed the register file");
    else
      remarks::missed(func, remarks::kSlice, "Slices")
          << remarks::figure("Slices", bestSlices) << remarks::figure("Words", bestPeak)
          << remarks::figure("WordsWhole", needed) << remarks::figure("Room", available)
          << remarks::because(best ? "further slices of no dimension make the tiles fit"
                                   : "every dimension of the largest tiles is reduced, summed over or ordered");
    if (best)
      best->apply();
    return bestPeak;
  }
};

} // namespace
