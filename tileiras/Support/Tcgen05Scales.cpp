//===- Tcgen05Scales.cpp - Scales of products in tensor memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Tcgen05Scales.h"

namespace tileiras {

LinearLayout Tcgen05Scales::registers(int dim, int32_t warps) const {
  auto basis = [&](int which, int32_t value) {
    std::vector<int32_t> coords(2);
    coords[which] = value;
    return coords;
  };
  LinearLayout::InDim registers{kRegister, {}}, lanes{kLane, {}}, warpBits{kWarp, {}};
  for (int32_t s = 1; s < count; s *= 2)
    registers.bases.push_back(basis(1 - dim, s));
  for (int32_t x = 32; x < extent; x *= 2)
    registers.bases.push_back(basis(dim, x));
  for (int32_t x = 1; x < 32; x *= 2)
    lanes.bases.push_back(basis(dim, x < extent ? x : 0));
  for (int32_t w = 1; w < warps; w *= 2)
    warpBits.bases.push_back(basis(dim, 0));
  std::vector<int32_t> shape(2);
  shape[dim] = extent, shape[1 - dim] = count;
  return LinearLayout({std::move(registers), std::move(lanes), std::move(warpBits), {kBlock, {}}}, shape);
}

LinearLayout Tcgen05Scales::image(int dim) const {
  LinearLayout::InDim offset{kOffset, {}};
  auto take = [&](int which, int32_t from, int32_t to) {
    for (int32_t value = from; value < to; value *= 2) {
      offset.bases.emplace_back(2);
      offset.bases.back()[which] = value;
    }
  };
  take(1 - dim, 1, 4);
  take(dim, 32, 128);
  take(dim, 1, 32);
  take(dim, 128, extent);
  take(1 - dim, 4, count);
  std::vector<int32_t> shape(2);
  shape[dim] = extent, shape[1 - dim] = count;
  return LinearLayout({std::move(offset), {kBlock, {}}}, shape);
}

std::vector<Tcgen05PairStep> tcgen05PairSteps(int32_t bytes, int32_t panel, bool may96) {
  constexpr int32_t swizzled = 128, whole = 32;
  std::vector<Tcgen05PairStep> steps;
  for (int32_t k = 0; k < bytes;) {
    // Not beyond the bytes that the swizzle keeps together: what lies there is elsewhere.
    bool longer = may96 && panel == swizzled && bytes % swizzled == 0 && k % swizzled < 96;
    steps.push_back({k, longer ? 96 : 64});
    k += longer ? whole * 3 / 2 : whole;
  }
  return steps;
}

std::string Tcgen05Scaling::suffix() const {
  if (elements == 32)
    return "mxf8f6f4.block_scale.scale_vec::1X";
  // .scale_vec has no word for k = 96.
  if (elements == 96)
    return block == 32 ? "mxf4.block_scale.block32" : "mxf4nvf4.block_scale.block16";
  return block == 32 ? "mxf4.block_scale.scale_vec::2X" : "mxf4nvf4.block_scale.scale_vec::4X";
}

uint32_t scaledDescriptor(const Tcgen05Instruction &i, const Tcgen05Scaling &s) {
  Tcgen05Instruction plain = i;
  plain.typeD = 0; // the sums are f32 always; the place is that of the byte
  return plain.descriptor() | uint32_t(s.byteB) << 4 | uint32_t(s.powers) << 23 | uint32_t(s.byteA) << 29 |
         uint32_t(s.elements == 96) << 31;
}

} // namespace tileiras
