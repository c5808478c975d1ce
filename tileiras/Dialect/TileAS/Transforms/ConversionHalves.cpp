//===- ConversionHalves.cpp - Conversions half by half --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ConversionHalves.h"
#include <tuple>

using namespace mlir;
using nv_tileas::CoordinateBit;
using tileiras::LinearLayout;

std::optional<CoordinateBit> nv_tileas::splittableBit(const LinearLayout &from, const LinearLayout &to) {
  auto isRegister = [](const LinearLayout &layout, int dim, int32_t value) {
    int registers = 0;
    for (tileiras::DimName in : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock})
      for (int bit = 0; bit < layout.inBits(in); ++bit) {
        std::vector<int32_t> basis = layout.basis(in, bit);
        if (!(basis[dim] & value))
          continue;
        int64_t sum = 0;
        for (int32_t c : basis)
          sum += c;
        if (in != tileiras::kRegister || sum != value || ++registers > 1)
          return false;
      }
    return registers == 1;
  };
  std::optional<CoordinateBit> best;
  int32_t bestFirst = 0, bestSize = 0;
  for (int dim = 0; dim < from.numOuts(); ++dim)
    for (int bit = from.outBits(tileiras::dimName(dim)) - 1; bit >= 0; --bit) {
      int32_t size = from.shape()[dim], first = 2 << bit == size;
      if (!isRegister(from, dim, 1 << bit) || !isRegister(to, dim, 1 << bit))
        continue;
      if (!best || std::tie(first, size) > std::tie(bestFirst, bestSize)) {
        best = {dim, bit};
        bestFirst = first, bestSize = size;
      }
      break;
    }
  return best;
}
