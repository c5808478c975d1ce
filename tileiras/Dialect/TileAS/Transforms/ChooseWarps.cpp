//===- ChooseWarps.cpp - tileas-choose-warps ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mma.sync takes its factors from registers, and each warp fetches those of its own sums from shared memory. For a step
// of 16 along k of a tile of 128 x 128 sums, in rows and columns of 16-bit numbers:
//
//     eight warps, 32 x 64 sums each:   8 * (32 + 64) = 768
//     four warps,  64 x 64 sums each:   4 * (64 + 64) = 512
//
// With eight, a multiprocessor of sm_80 is as busy fetching as it is multiplying (docs/performance.md has the figures).
// 128 sums of a thread, and the fragments of two steps beside them, are what its registers have room for; so it is four
// warps where factors come past the registers and are fetched by ldmatrix, and eight where something else would be
// needed beside the sums: factors that are loaded by threads, number by number, or turned in registers.
//
// Attention with 128 queries gets four warps, too, which go through them in slices of 64 (tileas-slice-tiles): the
// exponentials of one block hide behind the products of another one, where eight warps of one block wait for both.
//
// Blocks of eight warps with half as many sums for each thread take half of the register file. Their rings leave half
// of shared memory to a second block then: deeper ones would keep it out. Those of four warps leave room for three
// blocks where shared memory is large enough for that.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/WarpHints.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_CHOOSEWARPSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;
namespace remarks = tileiras::remarks;
namespace aa = mlir::nv_tileaa;

namespace {

constexpr int64_t kFewer = 4, kAll = 8;

/// Whether ldmatrix brings a factor as the product takes it. (Integers that it does not turn stay with eight warps: by
/// the model four are 8 % faster on A100 and 12 % slower on RTX 4090, whose products of integers are done before the
/// next factors are there.)
bool isFetchedAsItLies(aa::DotOp dot, DotOperand factor, const ResourceModel &resources,
                       const tileiras::TargetInfo &target) {
  Value tile = factor == DotOperand::A ? dot.getA() : dot.getB();
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  int64_t bytes = getStorageBytes(element);
  return bytes == 2 || (bytes == 1 && target.ldmatrixB8) ||
         (isa<FloatType>(element) && resources.isDenseAlongK(dot, factor));
}

struct ChooseWarpsPass : nv_tileas::impl::ChooseWarpsPassBase<ChooseWarpsPass> {
  using Base::Base;

  void runOnOperation() override {
    aa::FuncOp func = getOperation();
    const tileiras::TargetInfo *target = aa::getTarget(func);
    if (func.isDeclaration() || !target || target->mmaFamily != tileiras::MmaFamily::MmaSync ||
        !func->hasAttr(aa::kKernelSpecAttr) || func->hasAttr(kAlternatesAttr))
      return;
    bool mayChoose = !fixedWarps && !func->hasAttr(aa::kHintedWarpsAttr) && getNumWarps(func) == kAll;
    if (!mayChoose || !chooseFewer(func, *target))
      shareMultiprocessor(func, *target);
  }

private:
  bool chooseFewer(aa::FuncOp func, const tileiras::TargetInfo &target) {
    SmallVector<aa::DotOp> dots;
    bool scaled = false;
    func.walk([&](Operation *op) {
      scaled |= isa<aa::MmaBlockScaleOp>(op);
      if (auto dot = dyn_cast<aa::DotOp>(op))
        dots.push_back(dot);
    });
    if (scaled || dots.empty() ||
        !llvm::all_of(dots, [](aa::DotOp dot) { return isa<aa::CountedLoop>(dot->getParentOp()); }))
      return false;
    // Of others with eight warps the estimate does not tell whether they have room (docs/performance.md).
    if (dots.size() > 1 && !isAttention(dots))
      return false;
    aa::setNumWarps(func, kFewer);
    ResourceModel resources(func, &target);
    std::string why = whyNot(func, dots, resources, target);
    if (why.empty()) {
      ++numChanged;
      remarks::passed(dots.front(), remarks::kResources, "Warps")
          << remarks::figure("Warps", kFewer) << remarks::figure("Alternatives", kAll)
          << remarks::because("with more sums for each warp less is fetched from shared memory");
      return true;
    }
    aa::setNumWarps(func, kAll);
    remarks::missed(dots.front(), remarks::kResources, "Warps")
        << remarks::figure("Warps", kAll) << remarks::figure("Fewer", kFewer) << remarks::because(why);
    return false;
  }

  /// Of a kernel that has four warps for now.
  static std::string whyNot(aa::FuncOp func, ArrayRef<aa::DotOp> dots, ResourceModel &resources,
                            const tileiras::TargetInfo &target) {
    auto occupancy = func->getAttrOfType<IntegerAttr>(aa::kOccupancyAttr);
    int64_t blocks = std::max<int64_t>(occupancy ? occupancy.getInt() : 1, 1);
    int64_t whole = ResourceModel::wordsWith(resources.demand(), resources.sharedRoom());
    resources.fetchInParts();
    for (aa::DotOp dot : dots)
      for (DotOperand factor : {DotOperand::A, DotOperand::B}) {
        // Left factors may be what the loop computes.
        if (!resources.isFetchedInParts(dot, factor) && (factor == DotOperand::B || dots.size() == 1))
          return "a factor comes to shared memory by way of registers";
        if (resources.isFetchedInParts(dot, factor) && !isFetchedAsItLies(dot, factor, resources, target))
          return "a factor is fetched number by number";
      }
    // Two slices of 64 queries are computed one after the other (tileas-slice-tiles), whose factors are counted whole:
    // by parts, or in four slices, masks of causal attention of width 128 spill.
    int64_t words = dots.size() == 1 ? ResourceModel::wordsWith(resources.demand(), resources.sharedRoom()) : whole / 2;
    if (words > resources.room(kFewer, blocks))
      return "the tiles have no room in the registers of four warps";
    return "";
  }

  /// Rings leave room for those of another block, if registers have: 64 sums of a thread at most, and factors past the
  /// registers. For two of eight warps a cubin is assembled if that spills nothing (docs/tileiras.md, "Registers and
  /// blocks"); three of four warps are as many as have room for what is declared without asking for more.
  void shareMultiprocessor(aa::FuncOp func, const tileiras::TargetInfo &target) {
    constexpr int64_t sums = 64;
    int64_t warps = getNumWarps(func), blocks = warps == kAll ? 2 : 3;
    int64_t reserved = target.sharedPerSm - target.maxDynamicShared;
    // Who asks for so many stages wants them whole.
    if (numStages <= 2 || (warps != kAll && warps != kFewer) || func->hasAttr(aa::kOccupancyAttr) ||
        (warps == kFewer && target.sharedPerSm / blocks - reserved < target.maxStaticShared))
      return;
    ResourceModel resources(func, &target);
    // Of several products more than their sums is alive.
    aa::DotOp dot = resources.getOnlyProduct();
    if (!dot || cast<RankedTensorType>(dot.getType()).getNumElements() > sums * 32 * warps)
      return;
    resources.fetchInParts();
    for (DotOperand factor : {DotOperand::A, DotOperand::B})
      if (!resources.isFetchedInParts(dot, factor))
        return;
    ++numSharing;
    func->setAttr(kSharingBlocksAttr, Builder(func.getContext()).getI64IntegerAttr(blocks));
    remarks::passed(dot, remarks::kResources, "Blocks")
        << remarks::figure("Blocks", blocks) << remarks::figure("Alternatives", blocks - 1)
        << remarks::because(
               "registers may have room for so many blocks, and while one waits at a barrier another multiplies");
  }
};

} // namespace
