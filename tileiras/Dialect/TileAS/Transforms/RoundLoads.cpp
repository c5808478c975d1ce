//===- RoundLoads.cpp - tileas-round-loads --------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Front ends multiply f32 as tf32 by converting what they load. A tensor copy whose map has the type .tf32 rounds on
// the way to shared memory, to the nearest, ties to even (docs/emulator-tma.md), where products find the factor as it
// is:
//
//     %x = tiled_load %view[...]                           %r = block_tile %array, tiles of tf32
//     %p = permute %x                        ->            %x = tiled_load %r[...]
//     %f = fp_to_fp %p : f32 -> tf32                       %p = permute %x
//     dot %f, ...                                          dot %p, ...
//
// Without tensor copies threads round what they load, into registers or on its way to shared memory. The latter waits
// for memory, so only loops round that can be expected to have tensor copies: where the view's type lets a tensor map
// describe it, and the loop copies enough in a round. Whether the array's address and strides are aligned is known at
// run time, and other arrays are right and slow.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/TmaLoads.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ROUNDLOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// A load, shapes of its tile, the innermost first, and the conversion at their end.
struct Rounded {
  aa::TiledLoadOp load;
  SmallVector<Operation *> shapes;
  aa::FpToFpOp conversion;

  int64_t bytes() { return cast<RankedTensorType>(load.getResult().getType()).getNumElements() * 4; }
};

/// The conversion and what it converts, if nobody has it otherwise.
std::optional<Rounded> findLoad(aa::FpToFpOp conversion) {
  auto element = [](Value value) { return getElementTypeOrSelf(value.getType()); };
  if (conversion.getRoundingMode() != aa::RoundingMode::NearestEven || !element(conversion.getSource()).isF32() ||
      !isa<FloatTF32Type>(element(conversion.getResult())))
    return std::nullopt;
  Rounded found{{}, {}, conversion};
  for (Value value = conversion.getSource();;) {
    Operation *def = value.getDefiningOp();
    if (!def || !value.hasOneUse())
      return std::nullopt;
    found.load = dyn_cast<aa::TiledLoadOp>(def);
    if (found.load) {
      std::reverse(found.shapes.begin(), found.shapes.end());
      return found;
    }
    if (!isa<aa::PermuteOp, aa::ViewOp>(def))
      return std::nullopt;
    found.shapes.push_back(def);
    value = def->getOperand(0);
  }
}

/// Whether products are all that has the factor, under whatever shape.
bool isFactor(Value tile) {
  return !tile.use_empty() && llvm::all_of(tile.getUsers(), [&](Operation *user) {
    if (auto dot = dyn_cast<aa::DotOp>(user))
      return dot.getC() != tile;
    return isa<aa::PermuteOp, aa::ViewOp>(user) && isFactor(user->getResult(0));
  });
}

/// Whether the numbers that lie side by side in memory are neighbours along k in every product.
bool isKMajor(Rounded &rounded) {
  int dim = getDenseDimension(rounded.load.getView().getType());
  auto isAlongK = [](auto &self, Value tile, int dim) -> bool {
    return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
      int rank = int(cast<RankedTensorType>(tile.getType()).getRank());
      if (auto dot = dyn_cast<aa::DotOp>(use.getOwner()))
        return dim == (dot.getA() == tile ? rank - 1 : rank - 2);
      if (isa<aa::FpToFpOp>(use.getOwner()))
        return self(self, use.getOwner()->getResult(0), dim);
      auto permute = dyn_cast<aa::PermuteOp>(use.getOwner());
      if (!permute) // another shape, whose last dimension the last one is a part of
        return dim == rank - 1 &&
               self(self, use.getOwner()->getResult(0),
                    int(cast<RankedTensorType>(use.getOwner()->getResult(0).getType()).getRank()) - 1);
      ArrayRef<int32_t> from = permute.getPermutation();
      return self(self, permute.getResult(), int(llvm::find(from, dim) - from.begin()));
    });
  };
  return dim >= 0 && isAlongK(isAlongK, rounded.load.getResult(), dim);
}

/// Nothing if tensor copies can make the load, as far as that is known before tiles have layouts.
std::string whyNot(Rounded &rounded, const tileiras::TargetInfo *target) {
  aa::TiledLoadOp load = rounded.load;
  aa::TiledViewType view = load.getView().getType();
  if (!load.getView().getDefiningOp<aa::BlockTileOp>())
    return "the view is an argument";
  if (load.getAllowTma() && !*load.getAllowTma())
    return "allow_tma is false";
  if (std::string reason = whyNoTma(view); !reason.empty())
    return reason;
  if (int dense = getDenseDimension(view); view.getTileShape()[dense] * 4 < 16)
    return "rows of the tile are shorter than 16 bytes";
  if (load.getMemSemantic() != aa::MemSemantic::Weak || !comesAfterLoadsOnly(load.getToken()) ||
      !load.getResultToken().use_empty())
    return "tokens order it after or before what other operations do";
  // wgmma takes only 16-bit factors that lie across (PTX ISA, "wgmma.mma_async"), and mma.sync has no instruction that
  // fetches such words: threads turn the tile, which they have in registers then.
  if (!target->hasTcgen05() && !isKMajor(rounded))
    return "the product wants k side by side: threads have to turn the tile";
  return {};
}

struct RoundLoadsPass : nv_tileas::impl::RoundLoadsPassBase<RoundLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    const tileiras::TargetInfo *target = aa::getTarget(getOperation());
    if (numStages <= 1 || !target || !target->hasTma() || !target->tensormapReplace ||
        getTmaPreference() == TmaPreference::Never)
      return;
    for (CountedLoop loop : aa::getCountedLoops(getOperation()))
      round(loop, target);
  }

private:
  /// Bytes that a loop has to load in a round for tensor copies to pay (lower-tma-load-store-to-async), and rounds.
  static constexpr int64_t kLeastBytes = 16 << 10, kLeastRounds = 4;

  void round(CountedLoop loop, const tileiras::TargetInfo *target) {
    SmallVector<Rounded> all;
    int64_t bytes = 0;
    for (auto conversion : loop.getBody()->getOps<aa::FpToFpOp>())
      if (std::optional<Rounded> found = findLoad(conversion);
          found && found->load->getBlock() == loop.getBody() && isFactor(conversion.getResult())) {
        bytes += found->bytes();
        all.push_back(*found);
      }
    if (all.empty())
      return;
    std::optional<APInt> rounds = loop.getStaticTripCount();
    std::string reason = bytes < kLeastBytes                   ? "the loop loads too little to gain from tensor copies"
                         : rounds && rounds->ult(kLeastRounds) ? "the loop has too few rounds to gain from tensor maps"
                                                               : "";
    for (Rounded &one : all) {
      std::string its = reason.empty() ? whyNot(one, target) : reason;
      if (!its.empty()) {
        remarks::missed(one.load, remarks::kMemory, "RoundedLoad") << remarks::because(its);
        continue;
      }
      rewrite(one);
      ++numRounded;
    }
  }

  static void rewrite(Rounded &one) {
    aa::TiledLoadOp load = one.load;
    Type element = getElementTypeOrSelf(one.conversion.getType());
    auto rounded = [&](Value value) { return cast<RankedTensorType>(value.getType()).clone(element); };
    // A view of its own: others may load the array as it is.
    auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
    OpBuilder builder(block);
    Value view = aa::BlockTileOp::create(builder, block.getLoc(), load.getView().getType().withRounded(element),
                                         block.getSource());
    remarks::passed(load, remarks::kMemory, "RoundedLoad")
        << remarks::because("tensor copies round what products take as tf32");
    load.getViewMutable().assign(view);
    load.getResult().setType(rounded(load.getResult()));
    for (Operation *shape : one.shapes)
      shape->getResult(0).setType(rounded(shape->getResult(0)));
    one.conversion.getResult().replaceAllUsesWith(one.conversion.getSource());
    one.conversion.erase();
  }
};

} // namespace
