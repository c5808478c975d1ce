//===- TurnedLoads.cpp - Words that a product wants turned ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/TurnedLoads.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

/// Which dimension of `tile` is k of the only product that it is a factor of, by wgmma, through arithmetic on elements and
/// permutations. -1 if there is none.
static int findK(Value tile) {
  int rank = int(cast<RankedTensorType>(tile.getType()).getRank());
  SmallVector<int> from = llvm::to_vector(llvm::seq(rank)); // dimensions of the load
  while (tile.hasOneUse()) {
    OpOperand &use = *tile.use_begin();
    Operation *user = use.getOwner();
    if (auto dot = dyn_cast<DotOp>(user)) {
      bool isA = dot.getA() == tile;
      if (!isa_and_present<WgmmaAtomAttr>(Attribute(dot.getAtomAttr())) || (!isA && dot.getB() != tile) || from.size() < 2)
        return -1;
      return from[from.size() - (isA ? 1 : 2)];
    }
    if (user->getNumResults() != 1 || user->getNumRegions())
      return -1;
    if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(user)) {
      SmallVector<int> before = from;
      for (auto [i, d] : llvm::enumerate(permute.getPermutation()))
        from[i] = before[d];
    } else if (!isa<ConvertLayoutOp>(user) && !isElementwise(user)) {
      return -1;
    }
    tile = user->getResult(0);
  }
  return -1;
}

std::optional<LinearLayout> nv_tileas::getTurnedLayout(TiledLoadOp load, ArrayRef<int32_t> order, int64_t vec) {
  RankedTensorType type = load.getResult().getType();
  constexpr int64_t square = 4;
  int k = findK(load.getResult());
  if (k < 0 || order.empty() || order.front() == k || vec < square || getStorageBytes(type.getElementType()) != 4)
    return std::nullopt;
  int n = order.front(), warps = llvm::Log2_64(getNumWarps(load));
  SmallVector<int> next(type.getRank()), bits;
  for (int64_t extent : type.getShape())
    bits.push_back(int(llvm::Log2_64(extent)));
  LinearLayout::InDim registers{tileiras::kRegister, {}}, lanes{tileiras::kLane, {}}, warp{tileiras::kWarp, {}};
  auto take = [&](LinearLayout::InDim &in, int dim) {
    if (next[dim] == bits[dim])
      return false;
    in.bases.emplace_back(type.getRank());
    in.bases.back()[dim] = 1 << next[dim]++;
    return true;
  };
  for (int dim : {n, n, k, k})
    if (!take(registers, dim))
      return std::nullopt;
  for (int dim : {k, k, n, n, n})
    if (!take(lanes, dim) && !take(lanes, n))
      return std::nullopt;
  // Warps take rows, and what they leave a thread has more registers for.
  SmallVector<int> rest = {k, n};
  for (int dim = 0; dim < type.getRank(); ++dim)
    if (dim != k && dim != n)
      rest.push_back(dim);
  for (int dim : rest)
    while (int(warp.bases.size()) < warps && take(warp, dim)) {
    }
  if (int(warp.bases.size()) < warps)
    return std::nullopt;
  for (int dim : rest)
    while (take(registers, dim)) {
    }
  return LinearLayout({registers, lanes, warp},
                      std::vector<int32_t>(type.getShape().begin(), type.getShape().end()));
}
