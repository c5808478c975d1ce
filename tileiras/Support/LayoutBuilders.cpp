//===- LayoutBuilders.cpp - The usual layouts as linear maps --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/LinearLayout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace tileiras {

static int log2Of(int64_t size) {
  assert(size > 0 && std::has_single_bit(uint64_t(size)) && "layout parameters are powers of two");
  return std::countr_zero(uint64_t(size));
}

std::vector<int32_t> rowMajorOrder(int rank) {
  std::vector<int32_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

/// A box of `extent` whose points are numbered in `order` by input `in`, with all output dimensions
/// present.
static LinearLayout box(DimName in, const std::vector<int32_t> &extent, const std::vector<int32_t> &order) {
  LinearLayout result = LinearLayout::identity1D(1, in, dimName(0));
  for (size_t i = 1; i < extent.size(); ++i)
    result *= LinearLayout::identity1D(1, in, dimName(int(i)));
  for (int32_t d : order)
    result *= LinearLayout::identity1D(extent[d], in, dimName(d));
  return result;
}

LinearLayout blockedLayout(const std::vector<int32_t> &shape, const std::vector<int32_t> &sizePerThread,
                           const std::vector<int32_t> &threadsPerWarp, const std::vector<int32_t> &warpsPerCta,
                           const std::vector<int32_t> &order, const std::vector<int32_t> &ctasPerCluster) {
  size_t rank = shape.size();
  assert(sizePerThread.size() == rank && threadsPerWarp.size() == rank && warpsPerCta.size() == rank &&
         order.size() == rank && "one parameter per dimension");
  assert(rank > 0 && "a scalar has no blocks: use replicatedLayout");
  std::vector<int32_t> ctas = ctasPerCluster.empty() ? std::vector<int32_t>(rank, 1) : ctasPerCluster;
  std::vector<int32_t> perCta(rank);
  for (size_t d = 0; d < rank; ++d)
    perCta[d] = std::max(1, shape[d] / ctas[d]);

  // One pass, possibly larger than the CTA's part of the tile: then it wraps.
  LinearLayout layout =
      box(kRegister, sizePerThread, order) * box(kLane, threadsPerWarp, order) * box(kWarp, warpsPerCta, order);
  for (size_t d = 0; d < rank; ++d)
    if (layout.outSize(dimName(int(d))) > perCta[d])
      layout = layout.resizeOutDim(int(d), perCta[d]);
  layout = layout.removeZeroBasesAlongDim(kRegister);

  // More passes in more registers.
  std::vector<int32_t> repeat(rank);
  for (size_t d = 0; d < rank; ++d)
    repeat[d] = perCta[d] / layout.outSize(dimName(int(d)));
  layout *= box(kRegister, repeat, order);

  // The CTAs of the cluster; surplus CTAs wrap as well.
  layout *= box(kBlock, ctas, order);
  for (size_t d = 0; d < rank; ++d)
    if (layout.outSize(dimName(int(d))) > shape[d])
      layout = layout.resizeOutDim(int(d), shape[d]);
  return layout;
}

LinearLayout replicatedLayout(const std::vector<int32_t> &shape, int32_t lanes, int32_t warps, int32_t blocks) {
  LinearLayout layout({}, shape);
  std::vector<uint64_t> registers;
  for (int bit = 0; bit < layout.totalOutBits(); ++bit)
    registers.push_back(uint64_t(1) << bit);
  auto zeros = [](int32_t size) { return std::vector<uint64_t>(log2Of(size), 0); };
  return layout.extendIn(kRegister, registers)
      .extendIn(kLane, zeros(lanes))
      .extendIn(kWarp, zeros(warps))
      .extendIn(kBlock, zeros(blocks));
}

LinearLayout defaultBlockedLayout(const std::vector<int32_t> &shape, int elementBits, int numWarps,
                                  const std::vector<int32_t> &order, int32_t lanes) {
  size_t rank = shape.size();
  int64_t elements = 1;
  for (int32_t extent : shape)
    elements *= extent;
  std::vector<int32_t> perThread(rank, 1), perWarp(rank, 1), perCta(rank, 1);
  if (rank == 0)
    return replicatedLayout(shape, lanes, numWarps);
  int64_t share = std::max<int64_t>(1, elements / (int64_t(lanes) * numWarps));
  int32_t wide = std::max(1, 128 / std::max(1, elementBits));
  perThread[order[0]] = int32_t(std::min<int64_t>({share, wide, shape[order[0]]}));
  // Lanes, then warps, fill the dimensions from the fastest; what is left over wraps in the
  // slowest.
  auto spread = [&](int64_t count, std::vector<int32_t> &box, const std::vector<int32_t> &below) {
    for (size_t i = 0; i < rank; ++i) {
      int32_t d = order[i];
      int64_t room = std::max<int64_t>(1, shape[d] / below[d]);
      box[d] = int32_t(i + 1 == rank ? count : std::min(count, room));
      count /= box[d];
    }
  };
  spread(lanes, perWarp, perThread);
  std::vector<int32_t> below(rank);
  for (size_t d = 0; d < rank; ++d)
    below[d] = perThread[d] * perWarp[d];
  spread(numWarps, perCta, below);
  return blockedLayout(shape, perThread, perWarp, perCta, order);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Swizzle Swizzle::hardware(int widthBytes, int elementBytes) {
  int bits = widthBytes == 128 ? 3 : widthBytes == 64 ? 2 : widthBytes == 32 ? 1 : 0;
  if (bits == 0)
    return {};
  return {bits, 4 - log2Of(elementBytes), 3};
}

LinearLayout sharedLayout(const std::vector<int32_t> &shape, const std::vector<int32_t> &order, Swizzle swizzle,
                          int32_t innerExtent) {
  std::vector<int32_t> first = shape, rest(shape.size(), 1);
  if (innerExtent > 0 && !shape.empty() && innerExtent < shape[order[0]]) {
    first[order[0]] = innerExtent;
    rest[order[0]] = shape[order[0]] / innerExtent;
  }
  if (shape.empty())
    return LinearLayout({{kOffset, {}}}, std::vector<int32_t>{});
  return applySwizzle(box(kOffset, first, order) * box(kOffset, rest, order), swizzle);
}

LinearLayout applySwizzle(const LinearLayout &layout, Swizzle swizzle) {
  assert(swizzle.isValid() && "swizzle<B,M,S> needs S >= B");
  std::vector<uint64_t> bases;
  uint64_t mask = (uint64_t(1) << layout.inBits(kOffset)) - 1;
  for (int bit = 0; bit < layout.inBits(kOffset); ++bit)
    bases.push_back(layout.applyFlat(swizzle.apply(uint64_t(1) << bit) & mask));
  return layout.sublayout({}, layout.outNames()).extendIn(kOffset, bases);
}

} // namespace tileiras
