//===- Views.cpp - Tensor views, tile views and accesses through them ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/ViewAccess.h"

#include <limits>

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

ViewGeometry::ViewGeometry(const View &view) : tensor(*view.tensor) {
  TypeSwitch<Type>(view.type)
      .Case<PartitionViewType>([&](PartitionViewType type) {
        tileShape.assign(type.getTileShape().begin(), type.getTileShape().end());
        tensorDim.assign(type.getDimMap().begin(), type.getDimMap().end());
        step = tileShape;
      })
      .Case<StridedViewType>([&](StridedViewType type) {
        tileShape.assign(type.getTileShape().begin(), type.getTileShape().end());
        tensorDim.assign(type.getDimMap().begin(), type.getDimMap().end());
        step.assign(type.getTraversalStrides().begin(), type.getTraversalStrides().end());
      })
      .Case<GatherScatterViewType>([&](GatherScatterViewType type) {
        tileShape.assign(type.getTileShape().begin(), type.getTileShape().end());
        step.assign(tileShape.size(), 1); // indices are coordinates of elements
        sparseDim = type.getSparseDim();
      });
  if (tensorDim.empty()) // the identity may be left out
    for (size_t d = 0; d < tileShape.size(); ++d)
      tensorDim.push_back(int64_t(d));
}

int64_t ViewGeometry::indexSpace(unsigned dim) const {
  int64_t extent = tensor.shape[size_t(tensorDim[dim])];
  return int64_t(dim) == sparseDim ? extent : extent / step[dim] + (extent % step[dim] != 0);
}

LogicalResult reference::forEachViewElement(Evaluator &e, Operation *op, const View &view, ValueRange indices,
                                            llvm::function_ref<LogicalResult(const ViewElement &)> visit) {
  ViewGeometry geometry(view);
  const TensorView &tensor = geometry.tensor;
  size_t rank = geometry.tileShape.size();

  // First tensor coordinate of the tile along each tile dimension. Indices are unsigned; a
  // coordinate beyond 2^62 is outside of every tensor.
  constexpr int64_t kFar = int64_t(1) << 62;
  auto clamp = [&](unsigned __int128 value) { return value > (unsigned __int128)kFar ? kFar : int64_t(value); };
  SmallVector<int64_t> start(rank, 0);
  const Tile *rows = nullptr;
  for (size_t d = 0; d < rank; ++d) {
    if (int64_t(d) == geometry.sparseDim) {
      rows = &e.tile(indices[d]);
      continue;
    }
    uint64_t index = e.scalar(indices[d]);
    if (index >= uint64_t(geometry.indexSpace(unsigned(d)))) // undefined: compilers rely on it
      return op->emitError("index ") << index << " along dimension " << d << " is outside the index space of the view ("
                                     << geometry.indexSpace(unsigned(d)) << " tiles)";
    start[d] = clamp((unsigned __int128)index * uint64_t(geometry.step[d]));
  }

  int64_t count = 1;
  for (int64_t dim : geometry.tileShape)
    count *= dim;
  SmallVector<int64_t> index(rank, 0);
  unsigned bits = storageBits(tensor.type);
  // A base of 4-bit elements may be the high half of a byte itself (Evaluator.h).
  int64_t firstHalf = bits == 4 ? int64_t(tensor.base >> 63) : 0;
  uint64_t base = bits == 4 ? tensor.base & ~(uint64_t(1) << 63) : tensor.base;
  for (int64_t position = 0; position < count; ++position) {
    ViewElement element{position, true, -1, 0, 0};
    __int128 offset = 0; // in elements; a huge stride must not wrap
    for (size_t d = 0; d < rank; ++d) {
      int64_t coordinate = int64_t(d) == geometry.sparseDim ? clamp(rows->asUnsigned(index[d])) : start[d] + index[d];
      size_t tensorDim = size_t(geometry.tensorDim[d]);
      if (coordinate >= tensor.shape[tensorDim] && element.inside) {
        element.inside = false;
        element.outsideDim = int64_t(d);
      }
      offset += (__int128)coordinate * tensor.strides[tensorDim];
    }
    offset += firstHalf;
    element.nibble = bits == 4 ? int64_t(offset & 1) : 0;
    element.address = base + uint64_t((offset * bits) >> 3);
    if (failed(visit(element)))
      return failure();
    for (size_t d = rank; d-- > 0;) { // odometer
      if (++index[d] < geometry.tileShape[d])
        break;
      index[d] = 0;
    }
  }
  return success();
}

/// What an element outside the tensor reads as: the padding value, or 0 where none is given.
static uint64_t paddingBits(DType type, PaddingValueAttr padding) {
  if (!padding || !tileiras::isFloat(type))
    return 0;
  const FloatFormat &format = floatFormat(type);
  switch (padding.getValue()) {
  case PaddingValue::Zero:
    return 0;
  case PaddingValue::NegZero:
    return format.signBit();
  case PaddingValue::NaN:
    return format.canonicalNaN();
  case PaddingValue::PosInf:
    return encodeFloat(type, std::numeric_limits<double>::infinity());
  case PaddingValue::NegInf:
    return encodeFloat(type, -std::numeric_limits<double>::infinity());
  }
  return 0;
}

/// `inbounds = [..., true, ...]` promises that the tile stays inside along that dimension.
template <typename OpT> static LogicalResult checkPromise(OpT op, const ViewElement &element, ArrayRef<int64_t> shape) {
  std::optional<ArrayRef<bool>> promise = op.getInbounds();
  if (element.inside || !promise || promise->empty() || !(*promise)[size_t(element.outsideDim)])
    return success();
  return op.emitError("element ") << elementName(shape, element.position)
                                  << " of the tile is outside the tensor along dimension " << element.outsideDim
                                  << ", which 'inbounds' promises cannot happen";
}

static LogicalResult loadView(Evaluator &e, LoadViewTkoOp op) {
  const View &view = *std::get<ViewRef>(e.lookup(op.getView()));
  Tile result = makeTile(op.getTile().getType(), paddingBits(view.tensor->type, view.type.getViewPadding()));
  LogicalResult loaded =
      forEachViewElement(e, op, view, op.getIndex(), [&](const ViewElement &element) -> LogicalResult {
        if (!element.inside)
          return checkPromise(op, element, result.shape);
        uint8_t *bytes = e.access(op, "load", result.type, element.address, false, result.shape, element.position);
        if (!bytes)
          return failure();
        result.data[size_t(element.position)] = loadElement(result.type, bytes, element.nibble);
        return success();
      });
  if (failed(loaded))
    return failure();
  e.set(op.getTile(), std::move(result));
  e.set(op.getResultToken(), Token());
  return success();
}

static LogicalResult storeView(Evaluator &e, StoreViewTkoOp op) {
  const View &view = *std::get<ViewRef>(e.lookup(op.getView()));
  const Tile &value = e.tile(op.getTile());
  e.set(op.getResultToken(), Token());
  return forEachViewElement(e, op, view, op.getIndex(), [&](const ViewElement &element) -> LogicalResult {
    if (!element.inside) // the part that hangs over is not written
      return checkPromise(op, element, value.shape);
    uint8_t *bytes = e.access(op, "store", value.type, element.address, true, value.shape, element.position);
    if (!bytes)
      return failure();
    storeElement(value.type, bytes, element.nibble, value.data[size_t(element.position)]);
    return success();
  });
}

/// Static numbers come from the type; each `?` takes the next operand.
static LogicalResult fillExtents(Evaluator &e, MakeTensorViewOp op, ArrayRef<int64_t> fixed, ValueRange dynamic,
                                 StringRef what, SmallVectorImpl<int64_t> &extents) {
  size_t next = 0;
  for (int64_t value : fixed) {
    if (ShapedType::isDynamic(value)) {
      Value operand = dynamic[next++];
      value = e.signedScalar(operand);
      if (value < 0)
        return op.emitError(what) << " " << extents.size() << " is negative: " << value;
    }
    extents.push_back(value);
  }
  return success();
}

template <typename OpT> static void addMakeView(HandlerTable &table) {
  table.add<OpT>([](Evaluator &e, OpT op) {
    auto view = std::make_shared<View>();
    view->tensor = std::get<TensorViewRef>(e.lookup(op.getTensorView()));
    view->type = cast<TileView>(op.getResult().getType());
    e.set(op.getResult(), ViewRef(std::move(view)));
    return success();
  });
}

void reference::addViewHandlers(HandlerTable &table) {
  table.add<MakeTensorViewOp>([](Evaluator &e, MakeTensorViewOp op) -> LogicalResult {
    TensorViewType type = op.getResult().getType();
    auto view = std::make_shared<TensorView>();
    view->type = dtypeOf(type.getElementType());
    view->base = e.scalar(op.getBase());
    if (failed(fillExtents(e, op, type.getShape(), op.getDynamicShape(), "extent", view->shape)) ||
        failed(fillExtents(e, op, type.getStrides(), op.getDynamicStrides(), "stride", view->strides)))
      return failure();
    e.set(op.getResult(), TensorViewRef(std::move(view)));
    return success();
  });
  addMakeView<MakePartitionViewOp>(table);
  addMakeView<MakeStridedViewOp>(table);
  addMakeView<MakeGatherScatterViewOp>(table);

  table.add<GetTensorShapeOp>([](Evaluator &e, GetTensorShapeOp op) {
    const TensorView &view = e.tensorView(op.getSrc());
    for (auto [result, extent] : llvm::zip(op.getResults(), view.shape))
      e.setScalar(result, maskBits(uint64_t(extent), bitWidth(makeTile(result.getType()).type)));
    return success();
  });
  table.add<GetIndexSpaceShapeOp>([](Evaluator &e, GetIndexSpaceShapeOp op) {
    ViewGeometry geometry(*std::get<ViewRef>(e.lookup(op.getSrc())));
    for (auto [d, result] : llvm::enumerate(op.getResults()))
      e.setScalar(result,
                  maskBits(uint64_t(geometry.indexSpace(unsigned(d))), bitWidth(makeTile(result.getType()).type)));
    return success();
  });
  table.add<LoadViewTkoOp>([](Evaluator &e, LoadViewTkoOp op) { return loadView(e, op); });
  table.add<StoreViewTkoOp>([](Evaluator &e, StoreViewTkoOp op) { return storeView(e, op); });
}
