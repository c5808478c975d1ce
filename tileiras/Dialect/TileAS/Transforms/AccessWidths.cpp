//===- AccessWidths.cpp - How wide an access to memory may be -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAA/IR/AccessOrder.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::AxisInfo;
using nv_tileaa::MemoryAccessOpInterface;

static int64_t powerOfTwoDivisor(int64_t v) { return v == 0 ? int64_t(1) << 62 : v & -v; }

int64_t nv_tileas::widestReduction(MemoryAccessOpInterface op) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  if (!target || !target->vectorAtomics)
    return 1;
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<nv_tileaa::AtomicRMWOp, TiledAtomicRMWOp>([](auto rmw) -> int64_t {
        // Conversions of the old values that nobody uses have not gone yet.
        Value old = nv_tileaa::MemoryAccessOpInterface(rmw).getLoaded();
        bool isUsed = old && !llvm::all_of(old.getUsers(), [](Operation *user) {
                        return isa<ConvertLayoutOp>(user) && user->use_empty();
                      });
        return isUsed ? 1
                      : nv_tileaa::widestReduction(rmw.getRmwMode(), rmw.getMemSemantic(),
                                                   nv_tileaa::getElementTypeOrSelf(rmw.getValue().getType()));
      })
      .Default(int64_t(1));
}

/// Bounds the width of what is no plain access.
static void limitAtomic(AccessWidth &access, MemoryAccessOpInterface op) {
  if (!isPlain(op))
    access.atMost(widestReduction(op), "an ordered or atomic access moves one element");
}

static AccessWidth analyzePointers(MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis) {
  Value ptrs = op.getAddress();
  auto type = cast<RankedTensorType>(ptrs.getType());
  int64_t bytes = getStorageBytes(cast<nv_tileaa::PtrType>(type.getElementType()).getPointee());
  AccessWidth access;
  for (unsigned d : axis.getOrder(ptrs))
    access.order.push_back(d);
  access.vec = widestAccess(bytes);
  access.atMost(axis.maxVectorElements(ptrs, Value(), bytes),
                "as far as is known, no more pointers are neighbours whose first is aligned to all of them");
  access.atMost(axis.maxVectorElements(ptrs, op.getAccessMask(), bytes), "the mask may differ between neighbours");
  limitAtomic(access, op);
  access.uncut = access.vec;
  return access;
}

static AccessWidth analyzeView(MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis) {
  Value view = op.getAddress();
  auto viewType = cast<nv_tileaa::TiledViewType>(view.getType());
  nv_tileaa::MemRefType memref = viewType.getSource();
  int64_t rank = viewType.getRank();
  int64_t bytes = getStorageBytes(memref.getElementType());

  auto block = view.getDefiningOp<nv_tileaa::BlockTileOp>();
  auto make = block ? block.getSource().getDefiningOp<nv_tileaa::MakeMemRefOp>() : nv_tileaa::MakeMemRefOp();
  auto operandOf = [](ArrayRef<int64_t> list, OperandRange dynamic, int64_t d) -> Value {
    unsigned index = 0;
    for (int64_t i = 0; i < d; ++i)
      index += ShapedType::isDynamic(list[i]);
    return dynamic[index];
  };
  auto divisor = [&](ArrayRef<int64_t> list, bool strides, int64_t d) -> int64_t {
    if (!ShapedType::isDynamic(list[d]))
      return powerOfTwoDivisor(list[d]);
    if (!make)
      return 1;
    const AxisInfo *info = axis.get(operandOf(list, strides ? make.getStrides() : make.getSizes(), d));
    return info ? info->getElementDivisibility() : 1;
  };

  // Tile dimensions by growing static stride; unknown strides count as large, and row-major order breaks ties.
  AccessWidth access;
  for (int64_t t = rank - 1; t >= 0; --t)
    access.order.push_back(t);
  auto strideOf = [&](int32_t t) {
    int64_t s = memref.getStrides()[viewType.getDimMap()[t]];
    return ShapedType::isDynamic(s) ? std::numeric_limits<int64_t>::max() : s;
  };
  std::stable_sort(access.order.begin(), access.order.end(),
                   [&](int32_t a, int32_t b) { return strideOf(a) < strideOf(b); });

  int32_t inner = access.order.front();
  // Neighbours along the axis of a gather lie anywhere.
  std::optional<unsigned> gathered = op.getCoordinateAxis();
  access.vec = widestAccess(bytes);
  if (strideOf(inner) != 1)
    access.atMost(1, "no stride of the view is known to be 1");
  limitAtomic(access, op);
  if (gathered && int32_t(*gathered) == inner)
    access.atMost(1, "neighbours along the axis of a gather lie anywhere");
  if (access.vec == 1)
    return access;
  // A run of v elements is one access if every run starts aligned. It may cross the tensor's edge: only the last tile
  // can have such runs, and tiles that do not go a way of their own (TileAccess::cutsNone). Elements of 4 bits are
  // stored as halves there, one by one, which is worth it only where it is the exception.
  const AxisInfo *base = make ? axis.get(make.getBase()) : nullptr;
  int64_t aligned = base ? std::max<int64_t>(1, base->getElementDivisibility() / bytes) : 1;
  if (getMemoryBits(memref.getElementType()) == 4)
    aligned = make && axis.beginsWithByte(make.getBase()) ? 2 * aligned : 1; // two elements to a byte
  access.atMost(aligned, "the base is not known to be better aligned");
  // The tile of a gather starts at any element.
  const AxisInfo *start = gathered ? axis.get(op.getCoordinate(inner)) : nullptr;
  int64_t startDivisor =
      start ? start->getElementDivisibility() : powerOfTwoDivisor(viewType.getTraversalStrides()[inner]);
  for (int64_t t = 0; t < rank; ++t) {
    int64_t d = viewType.getDimMap()[t];
    if (t == inner)
      access.atMost(startDivisor, "tiles are not known to begin at larger multiples");
    else
      access.atMost(divisor(memref.getStrides(), true, d),
                    "the stride of dimension " + Twine(d) + " is not known to be a larger multiple");
  }
  std::optional<ArrayRef<bool>> inBounds = op.getPromisedInBounds();
  bool inside = inBounds && (*inBounds)[inner];
  int64_t extentDivisor = inside ? access.vec : divisor(memref.getShape(), false, viewType.getDimMap()[inner]);
  if (getMemoryBits(memref.getElementType()) < 8)
    access.atMost(extentDivisor, "an access must not cross the edge, and the extent of dimension " +
                                     Twine(viewType.getDimMap()[inner]) + " is not known to be a larger multiple");
  access.atMost(viewType.getTileShape()[inner], "the tile has no more elements along the dimension");
  access.uncut = std::min(access.vec, extentDivisor);
  return access;
}

AccessWidth nv_tileas::analyzeAccess(MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis) {
  return op.isThroughView() ? analyzeView(op, axis) : analyzePointers(op, axis);
}
