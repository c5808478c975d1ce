//===- Tcgen05Left.cpp - Left factors in tensor memory --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Tcgen05Left.h"

namespace tileiras {

std::optional<LinearLayout> tcgen05LeftInTensorMemory(const Tcgen05Tiling &t, const DotShape &shape, int32_t stride) {
  // Where 64 rows of A lie, PTX leaves to the layouts of half the lanes; nothing here makes those.
  if (t.m != 128 || shape.batched)
    return std::nullopt;
  std::vector<std::vector<int32_t>> rows, columns;
  for (int32_t row = 1; row < 128; row *= 2)
    rows.push_back({row, 0});
  for (int32_t k = 1; k < shape.k; k *= 2)
    columns.push_back({0, k});
  for (int32_t gap = shape.k; shape.m > 128 && gap < stride; gap *= 2)
    columns.push_back({0, 0});
  for (int32_t row = 128; row < shape.m; row *= 2)
    columns.push_back({row, 0});
  return LinearLayout({{DimName::Row, std::move(rows)}, {DimName::Column, std::move(columns)}, {kBlock, {}}},
                      std::vector<int32_t>{shape.m, shape.k});
}

} // namespace tileiras
