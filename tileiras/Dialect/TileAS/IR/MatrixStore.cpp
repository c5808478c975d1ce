//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/MatrixStore.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/LinearLayout.h"
#include <numeric>

using namespace mlir;

std::optional<tileiras::MatrixFetch> nv_tileas::getMatrixStore(RankedTensorType source, bool transposed) {
  tileiras::LinearLayout layout = getLinearLayout(source);
  int bits = layout.inBits(tileiras::kRegister) + layout.inBits(tileiras::kLane) + layout.inBits(tileiras::kWarp);
  Type element = source.getElementType(); // pointers have tiles too
  if (!element.isIntOrFloat() || getMemoryBits(element) != 16 || layout.inBits(tileiras::kBlock) != 0 ||
      int64_t(1) << bits != source.getNumElements())
    return std::nullopt;
  std::vector<int> order(layout.inBits(tileiras::kRegister));
  std::iota(order.begin(), order.end(), 0);
  return tileiras::matrixFetch(layout, /*elementBytes=*/2, transposed, order);
}

nv_tileas::StsmAttr nv_tileas::getMatrixStoreInto(RankedTensorType held, const tileiras::LinearLayout &memory) {
  for (bool transposed : {false, true}) {
    std::optional<tileiras::MatrixFetch> rows = getMatrixStore(held, transposed);
    if (!rows)
      continue;
    std::optional<tileiras::LinearLayout> offsets = rows->rows.invertAndCompose(memory);
    if (offsets && rows->readsFrom(offsets->sublayout(offsets->inNames(), {tileiras::kOffset})))
      return StsmAttr::get(held.getContext(), rows->matrices(), transposed);
  }
  return {};
}
