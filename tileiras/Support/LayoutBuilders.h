//===- LayoutBuilders.h - The usual layouts as linear maps ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recipes that turn the parameters people think in (elements per thread, threads per warp, swizzle
// mode, row-major or not) into a LinearLayout. Shapes list dim0 first; `order` lists dimensions
// from the fastest running to the slowest, so {1, 0} is row-major.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_LAYOUTBUILDERS_H
#define TILEIRAS_SUPPORT_LAYOUTBUILDERS_H

#include <cstdint>
#include <vector>

namespace tileiras {

class LinearLayout;

/// {rank-1, ..., 1, 0}: the last dimension runs fastest.
std::vector<int32_t> rowMajorOrder(int rank);

/// All parameters are powers of two and one per dimension (`ctasPerCluster` may be empty: one CTA).
///
/// A thread owns a box of `sizePerThread`, a warp a box of `threadsPerWarp` such boxes, a CTA a box
/// of `warpsPerCta` of these, and the cluster splits the tile between its CTAs (each a contiguous
/// part). Where the tile is larger than one pass over it, the pass repeats in more registers; where
/// it is smaller, it wraps around: the surplus lanes and warps hold copies (zero bases), and
/// surplus registers are left out.
LinearLayout blockedLayout(const std::vector<int32_t> &shape, const std::vector<int32_t> &sizePerThread,
                           const std::vector<int32_t> &threadsPerWarp, const std::vector<int32_t> &warpsPerCta,
                           const std::vector<int32_t> &order, const std::vector<int32_t> &ctasPerCluster = {});

/// Every thread holds the whole tile, row-major in its registers. The layout of scalars.
LinearLayout replicatedLayout(const std::vector<int32_t> &shape, int32_t lanes, int32_t warps, int32_t blocks = 1);

/// A plausible blockedLayout for elementwise work on a tile: 16-byte accesses along order[0] as far
/// as the tile is large enough to give every thread one, and the lanes along the fastest
/// dimensions.
LinearLayout defaultBlockedLayout(const std::vector<int32_t> &shape, int elementBits, int numWarps,
                                  const std::vector<int32_t> &order, int32_t lanes = 32);

/// CuTe's Swizzle<B, M, S>: bits [M+S, M+S+B) of an offset are XORed into bits [M, M+B). Undoes
/// itself as S >= B.
struct Swizzle {
  int bits = 0;  ///< B
  int base = 0;  ///< M
  int shift = 0; ///< S

  bool isNone() const { return bits == 0; }
  bool isValid() const { return bits >= 0 && base >= 0 && shift >= bits && base + shift + bits <= 31; }
  uint64_t apply(uint64_t offset) const {
    uint64_t field = ((uint64_t(1) << bits) - 1) << (base + shift);
    return offset ^ ((offset & field) >> shift);
  }
  bool operator==(const Swizzle &) const = default;

  /// The hardware's modes: `width` 32, 64 or 128 bytes, as a swizzle of element offsets; none for
  /// other widths. PTX ISA, "Swizzling modes": address bits 4.. are XORed with bits 7...
  static Swizzle hardware(int widthBytes, int elementBytes);
};

/// Shared memory: offset (in elements) -> coordinates, elements in the given order, then swizzled.
/// `innerExtent` > 0 cuts order[0] into panels of that extent, each panel complete before the next
/// starts: what a TMA box of one swizzle width leaves behind, and what wgmma and tcgen05
/// descriptors expect.
LinearLayout sharedLayout(const std::vector<int32_t> &shape, const std::vector<int32_t> &order, Swizzle swizzle = {},
                          int32_t innerExtent = 0);

/// Applies a swizzle on top of what `layout` (offset -> coordinates) already does.
LinearLayout applySwizzle(const LinearLayout &layout, Swizzle swizzle);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_LAYOUTBUILDERS_H
