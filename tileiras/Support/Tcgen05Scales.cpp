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

uint32_t scaledDescriptor(const Tcgen05Instruction &i, int32_t byteA, int32_t byteB) {
  Tcgen05Instruction plain = i;
  plain.typeD = 0; // the sums are f32 always; the place is that of the byte
  return plain.descriptor() | uint32_t(byteB) << 4 | uint32_t(1) << 23 | uint32_t(byteA) << 29;
}

} // namespace tileiras
