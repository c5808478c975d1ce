//===- AxisInfoShape.cpp - Axis information through shape operations ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {
/// One dimension of an AxisInfo, with its extent.
struct Axis {
  int64_t extent, contiguity, divisibility, constancy;
};
} // namespace

static SmallVector<Axis> getAxes(const AxisInfo &info, RankedTensorType type) {
  SmallVector<Axis> axes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    axes.push_back({type.getDimSize(d), info.contiguity[d], info.divisibility[d], info.constancy[d]});
  return axes;
}

/// A result that says of the elements what `source` says, with room for new dimensions.
static AxisInfo startFrom(const AxisInfo &source) {
  AxisInfo info;
  info.constantValue = source.constantValue;
  info.nonNegative = source.nonNegative;
  info.unit = source.unit;
  return info;
}

static void append(AxisInfo &info, int64_t contiguity, int64_t divisibility, int64_t constancy) {
  info.contiguity.push_back(contiguity);
  info.divisibility.push_back(divisibility);
  info.constancy.push_back(constancy);
}

/// Joins neighbouring dimensions into one, row-major: the last one decides what neighbours look like.
static Axis mergeAxes(ArrayRef<Axis> axes) {
  Axis merged = axes.back();
  for (const Axis &outer : llvm::reverse(axes.drop_back())) {
    // Constant all along the inner extent: blocks grow into the outer dimension.
    if (merged.constancy == merged.extent)
      merged.constancy = merged.extent * outer.constancy;
    merged.extent *= outer.extent;
  }
  return merged;
}

/// Row-major reshape. Dimensions are matched in groups of equal products, so that information on a
/// dimension that stays whole is kept.
static AxisInfo transferView(const AxisInfo &source, RankedTensorType from, RankedTensorType to) {
  AxisInfo info = startFrom(source);
  int64_t all = source.getElementDivisibility();
  SmallVector<Axis> in = getAxes(source, from);
  llvm::erase_if(in, [](const Axis &a) { return a.extent == 1; });
  SmallVector<int64_t> out;
  for (int64_t extent : to.getShape())
    if (extent != 1)
      out.push_back(extent);

  SmallVector<Axis> result;
  size_t i = 0, o = 0;
  while (i < in.size() && o < out.size()) {
    size_t firstIn = i, firstOut = o;
    int64_t inProduct = in[i++].extent, outProduct = out[o++];
    while (inProduct != outProduct) {
      if (inProduct < outProduct)
        inProduct *= in[i++].extent;
      else
        outProduct *= out[o++];
    }
    Axis merged = mergeAxes(ArrayRef<Axis>(in).slice(firstIn, i - firstIn));
    // Split again: an outer part takes steps of `stride` elements.
    SmallVector<Axis> parts;
    int64_t stride = 1;
    for (size_t k = o; k-- > firstOut;) {
      Axis part{out[k], 1, all, 1};
      part.constancy = std::clamp<int64_t>(merged.constancy / stride, 1, part.extent);
      if (stride == 1) {
        part.contiguity = std::min(merged.contiguity, part.extent);
        AxisInfo flat = startFrom(source);
        append(flat, merged.contiguity, merged.divisibility, merged.constancy);
        part.divisibility = flat.getDivisibility(0, part.contiguity);
        if (part.contiguity == 1)
          part.divisibility = std::max(part.divisibility, all);
      }
      parts.push_back(part);
      stride *= part.extent;
    }
    llvm::append_range(result, llvm::reverse(parts));
  }

  auto next = result.begin();
  for (int64_t extent : to.getShape()) {
    if (extent == 1) {
      append(info, 1, all, 1);
    } else {
      append(info, next->contiguity, next->divisibility, next->constancy);
      ++next;
    }
  }
  if (to.getRank() == 0)
    append(info, 1, all, 1);
  return info;
}

std::optional<AxisInfo> nv_tileaa::transferShapeOp(Operation *op, ArrayRef<const AxisInfo *> operands) {
  if (op->getNumResults() != 1 || operands.empty())
    return std::nullopt;
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const AxisInfo &source = *operands.front();

  // Scalar results.
  if (!to) {
    if (!isa<ExtractOp>(op))
      return std::nullopt;
    AxisInfo info = startFrom(source);
    append(info, 1, source.getElementDivisibility(), 1);
    return info;
  }
  if (isa<SplatOp>(op)) {
    AxisInfo info = startFrom(source);
    for (int64_t extent : to.getShape())
      append(info, 1, source.divisibility[0], extent);
    return info;
  }

  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!from)
    return std::nullopt;
  if (op->hasTrait<ReshapesRowMajor>())
    return transferView(source, from, to);
  if (op->hasTrait<TakesBlock>()) {
    // Slices start at multiples of their own extent, so blocks stay aligned.
    AxisInfo info = startFrom(source);
    for (int64_t d = 0; d < to.getRank(); ++d) {
      int64_t block = std::min(source.contiguity[d], to.getDimSize(d));
      append(info, block, source.getDivisibility(d, block), std::min(source.constancy[d], to.getDimSize(d)));
    }
    return info;
  }
  return llvm::TypeSwitch<Operation *, std::optional<AxisInfo>>(op)
      .Case<BroadcastOp>([&](BroadcastOp) {
        AxisInfo info = source;
        for (int64_t d = 0; d < to.getRank(); ++d)
          if (from.getDimSize(d) != to.getDimSize(d))
            info.constancy[d] = to.getDimSize(d);
        return info;
      })
      .Case<ExpandDimsOp>([&](ExpandDimsOp expand) {
        AxisInfo info = source;
        unsigned axis = expand.getAxis();
        // Every element is the first of its block along a dimension of extent 1.
        info.contiguity.insert(info.contiguity.begin() + axis, 1);
        info.divisibility.insert(info.divisibility.begin() + axis, source.getElementDivisibility());
        info.constancy.insert(info.constancy.begin() + axis, 1);
        return info;
      })
      .Case<PermuteOp>([&](PermuteOp permute) {
        AxisInfo info = startFrom(source);
        for (int32_t p : permute.getPermutation())
          append(info, source.contiguity[p], source.divisibility[p], source.constancy[p]);
        return info;
      })
      .Case<CatOp>([&](CatOp) { return AxisInfo::join(source, *operands[1]); })
      .Default([](Operation *) { return std::nullopt; });
}
