//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts through operations; see the table in the header.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/ShapeLayouts.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

static std::vector<int32_t> toVector(ArrayRef<int64_t> v) { return std::vector<int32_t>(v.begin(), v.end()); }
static ArrayRef<int64_t> shapeOf(Value v) { return cast<RankedTensorType>(v.getType()).getShape(); }

/// Layouts of values have no redundant register bits.
static LinearLayout clean(const LinearLayout &layout) {
  return layout.removeRedundantBasesAlongDim(tileiras::kRegister);
}

Value nv_tileas::getMemoryTile(nv_tileaa::MemoryAccessOpInterface access) {
  Value tile = access.getTile();
  return tile && isa<RankedTensorType>(tile.getType()) ? tile : Value();
}

LinearLayout nv_tileas::getMemoryOperandLayout(nv_tileaa::MemoryAccessOpInterface access, Value value,
                                               const LinearLayout &tile) {
  std::optional<unsigned> axis = access.getCoordinateAxis();
  if (!axis || value != access.getCoordinates() || value == access.getTile())
    return tile;
  LinearLayout coordinates = tile;
  for (int d = tile.numOuts() - 1; d >= 0; --d)
    if (unsigned(d) != *axis)
      coordinates = coordinates.dropOutDim(d);
  return clean(coordinates);
}

/// Elements of the narrower type in one of the wider, as a power of two; positive when the result has more elements.
static int reinterpretShift(RankedTensorType source, RankedTensorType result) {
  return int(llvm::Log2_64(result.getNumElements())) - int(llvm::Log2_64(source.getNumElements()));
}

/// The layout of 2^shift as many elements, the new low coordinate bits in new low registers.
static LinearLayout splitElements(const LinearLayout &layout, int shift) {
  std::vector<LinearLayout::InDim> ins;
  for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
    LinearLayout::InDim in{name, {}};
    if (name == tileiras::kRegister)
      for (int bit = 0; bit < shift; ++bit)
        in.bases.push_back({1 << bit});
    for (int bit = 0; layout.hasIn(name) && bit < layout.inBits(name); ++bit)
      in.bases.push_back({layout.basis(name, bit)[0] << shift});
    if (layout.hasIn(name) || !in.bases.empty())
      ins.push_back(in);
  }
  return LinearLayout(std::move(ins), std::vector<int32_t>{layout.shape()[0] << shift});
}

/// The layout of the elements that 2^shift neighbours make; nothing unless each thread holds all of them.
static std::optional<LinearLayout> joinElements(const LinearLayout &layout, int shift) {
  std::vector<LinearLayout::InDim> ins;
  int found = 0;
  for (tileiras::DimName name : {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
    if (!layout.hasIn(name))
      continue;
    LinearLayout::InDim in{name, {}};
    for (int bit = 0; bit < layout.inBits(name); ++bit) {
      int32_t basis = layout.basis(name, bit)[0];
      int32_t low = basis & ((1 << shift) - 1);
      if (low == 0) {
        in.bases.push_back({basis >> shift});
        continue;
      }
      if (name != tileiras::kRegister || basis != low || !llvm::isPowerOf2_32(low))
        return std::nullopt;
      found |= low;
    }
    ins.push_back(in);
  }
  if (found != (1 << shift) - 1)
    return std::nullopt;
  return LinearLayout(std::move(ins), std::vector<int32_t>{layout.shape()[0] >> shift});
}

static std::optional<LinearLayout> reinterpretLayout(const LinearLayout &layout, int shift) {
  if (shift >= 0)
    return splitElements(layout, shift);
  return joinElements(layout, -shift);
}

bool nv_tileas::isElementwise(Operation *op) {
  if (isa<nv_tileaa::AddPtrOp, nv_tileaa::IntToPtrOp, nv_tileaa::PtrToIntOp, nv_tileaa::BitcastOp, nv_tileaa::AssumeOp,
          nv_tileaa::AddFOp, nv_tileaa::SubFOp, nv_tileaa::MulFOp, nv_tileaa::DivFOp, nv_tileaa::FmaOp,
          nv_tileaa::SqrtOp, nv_tileaa::RsqrtOp, nv_tileaa::Exp2Op, nv_tileaa::MaxFOp, nv_tileaa::MinFOp,
          nv_tileaa::FpToFpOp, nv_tileaa::MulhiUIOp>(op))
    return true;
  Dialect *dialect = op->getDialect();
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(dialect) && !isa<arith::ConstantOp>(op);
}

std::optional<LinearLayout> nv_tileas::inferResultLayout(Operation *op, unsigned index, const LinearLayout &layout) {
  if (isElementwise(op))
    return layout;
  if (isa<nv_tileaa::ViewOp, ViewOp, nv_tileaa::ExpandDimsOp>(op))
    return layout.reshapeOuts(toVector(shapeOf(op->getResult(0))));
  if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(op))
    return layout.transposeOuts(std::vector<int32_t>(permute.getPermutation().begin(), permute.getPermutation().end()));
  if (auto cat = dyn_cast<nv_tileaa::CatOp>(op)) {
    int axis = cat.getAxis();
    int32_t extent = shapeOf(cat.getResult())[axis];
    LinearLayout grown = layout.resizeOutDim(axis, extent);
    std::vector<int32_t> top(grown.numOuts());
    top[axis] = extent / 2;
    return grown.extendIn(tileiras::kRegister, {grown.flattenOut(top)});
  }
  if (isa<ExtractSliceOp, nv_tileaa::ExtractSliceOp>(op)) {
    if (index != 0)
      return std::nullopt;
    // Coordinate bits above the slice must come from register bits that do nothing else.
    ArrayRef<int64_t> slice = shapeOf(op->getResult(0));
    LinearLayout result = layout;
    for (auto [d, extent] : llvm::enumerate(slice))
      result = result.resizeOutDim(d, extent);
    result = clean(result);
    auto back = inferOperandLayout(op, 0, result);
    if (back && *back == layout)
      return result;
    return std::nullopt;
  }
  if (isa<ReinterpretOp, nv_tileaa::ReinterpretOp>(op))
    return reinterpretLayout(layout, reinterpretShift(cast<RankedTensorType>(op->getOperand(0).getType()),
                                                      cast<RankedTensorType>(op->getResult(0).getType())));
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    if (index >= reduce.getSources().size() || layout.numOuts() == 1)
      return std::nullopt;
    return clean(layout.dropOutDim(reduce.getAxis()));
  }
  if (auto scan = dyn_cast<ScanOp>(op))
    return index < scan.getSources().size() ? std::optional(layout) : std::nullopt;
  return std::nullopt;
}

std::optional<LinearLayout> nv_tileas::inferOperandLayout(Operation *op, unsigned index, const LinearLayout &layout) {
  if (isElementwise(op))
    return layout;
  if (isa<nv_tileaa::ViewOp, ViewOp, nv_tileaa::ExpandDimsOp>(op))
    return layout.reshapeOuts(toVector(shapeOf(op->getOperand(0))));
  if (isa<ReinterpretOp, nv_tileaa::ReinterpretOp>(op))
    return reinterpretLayout(layout, -reinterpretShift(cast<RankedTensorType>(op->getOperand(0).getType()),
                                                       cast<RankedTensorType>(op->getResult(0).getType())));
  if (auto permute = dyn_cast<nv_tileaa::PermuteOp>(op)) {
    std::vector<int32_t> inverse(permute.getPermutation().size());
    for (auto [i, p] : llvm::enumerate(permute.getPermutation()))
      inverse[p] = i;
    return layout.transposeOuts(inverse);
  }
  if (auto broadcast = dyn_cast<nv_tileaa::BroadcastOp>(op)) {
    LinearLayout result = layout;
    for (auto [d, extent] : llvm::enumerate(shapeOf(broadcast.getSource())))
      result = result.resizeOutDim(d, extent);
    return clean(result);
  }
  if (auto cat = dyn_cast<nv_tileaa::CatOp>(op)) {
    int axis = cat.getAxis();
    LinearLayout half = clean(layout.resizeOutDim(axis, layout.shape()[axis] / 2));
    auto forward = inferResultLayout(op, 0, half);
    if (forward && *forward == layout)
      return half;
    return std::nullopt;
  }
  if (isa<ExtractSliceOp, nv_tileaa::ExtractSliceOp>(op)) {
    if (index != 0)
      return std::nullopt;
    LinearLayout result = layout;
    ArrayRef<int64_t> source = shapeOf(op->getOperand(0)), slice = shapeOf(op->getResult(0));
    for (int d = source.size() - 1; d >= 0; --d) {
      result = result.resizeOutDim(d, source[d]);
      for (int64_t bit = slice[d]; bit < source[d]; bit *= 2) {
        std::vector<int32_t> basis(source.size());
        basis[d] = bit;
        result = result.extendIn(tileiras::kRegister, {result.flattenOut(basis)});
      }
    }
    return result;
  }
  if (auto scan = dyn_cast<ScanOp>(op))
    return index < scan.getSources().size() ? std::optional(layout) : std::nullopt;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Blocked layouts
//===----------------------------------------------------------------------===//

Attribute nv_tileas::getCoalescedLayout(MLIRContext *context, ArrayRef<int64_t> shape, ArrayRef<int32_t> order,
                                        int64_t vec, int numWarps, bool warpsApart) {
  size_t rank = shape.size();
  SmallVector<int32_t> size(rank, 1), lanes(rank, 1), warps(rank, 1);
  int64_t elements = 1;
  for (int64_t d : shape)
    elements *= d;
  int64_t perThread = std::max<int64_t>(1, elements / (32 * numWarps));
  size[order[0]] = std::min({vec, perThread, shape[order[0]]});
  // Fill lanes, then warps, along the fastest dimensions; what is left over repeats elements (copies).
  int32_t slowest = order.back();
  auto fill = [&](SmallVectorImpl<int32_t> &out, ArrayRef<int32_t> order, int64_t count, auto used) {
    for (int32_t d : order) {
      int64_t n = std::clamp<int64_t>(shape[d] / used(d), 1, count);
      out[d] = n;
      count /= n;
    }
    out[slowest] *= count;
  };
  fill(lanes, order, 32, [&](int d) { return size[d]; });
  SmallVector<int32_t> warpOrder(order);
  if (warpsApart && lanes[order[0]] == 32)
    std::reverse(warpOrder.begin(), warpOrder.end());
  fill(warps, warpOrder, numWarps, [&](int d) { return size[d] * lanes[d]; });
  return BlockedAttr::get(context, size, lanes, warps, order);
}

Attribute nv_tileas::getDefaultLayout(MLIRContext *context, ArrayRef<int64_t> shape, int numWarps) {
  SmallVector<int32_t> order;
  for (int d = shape.size() - 1; d >= 0; --d)
    order.push_back(d);
  return getCoalescedLayout(context, shape, order, 1, numWarps);
}

int64_t nv_tileas::getSharedBytes(Operation *op) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  if (!target)
    return 48 * 1024;
  for (Operation *at = op; at; at = at->getParentOp())
    if (auto room = at->getAttrOfType<StringAttr>(tileiras::kStaticSharedAttr))
      return room == "device" ? target->maxDynamicShared : target->maxStaticShared;
  return target->maxStaticShared;
}

int64_t nv_tileas::getSharedPieceBytes(Operation *op) { return llvm::bit_floor(uint64_t(getSharedBytes(op)) / 3); }

int nv_tileas::getNumWarps(Operation *op) { return ExecutionContext::of(op).numLayoutWarps(); }

LogicalResult nv_tileas::verifyShapeLayouts(Operation *op) {
  if (!isa<nv_tileaa::ViewOp, ViewOp, nv_tileaa::ExpandDimsOp, nv_tileaa::PermuteOp, nv_tileaa::BroadcastOp>(op))
    return success();
  Value source = op->getOperand(0), result = op->getResult(0);
  if (!isIn(source.getType(), MemoryKind::Registers) || !isIn(result.getType(), MemoryKind::Registers))
    return success();
  std::optional<LinearLayout> wanted =
      inferOperandLayout(op, 0, getLinearLayout(cast<RankedTensorType>(result.getType())));
  LinearLayout given = getLinearLayout(cast<RankedTensorType>(source.getType()));
  for (tileiras::DimName name : {tileiras::kLane, tileiras::kWarp, tileiras::kBlock}) {
    std::vector<uint64_t> has, needs;
    if (given.hasIn(name))
      has = given.flatBases(name);
    if (wanted && wanted->hasIn(name))
      needs = wanted->flatBases(name);
    size_t bits = std::max(has.size(), needs.size());
    has.resize(bits);
    needs.resize(bits);
    if (wanted && has != needs)
      return op->emitOpError("layouts of operand and result disagree between threads");
  }
  return success();
}

LogicalResult nv_tileas::checkTiles(nv_tileaa::FuncOp func, bool needLayouts) {
  bool agents = func.walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted();
  int numWarps = ExecutionContext::of(func).numWarps;
  if (numWarps < 1 || numWarps > 32 || (!agents && !llvm::isPowerOf2_32(numWarps)))
    return func.emitError("expects a power of two of at most 32 warps, got ") << numWarps;
  auto check = [&](Value value) -> LogicalResult {
    auto tensor = dyn_cast<TensorType>(value.getType());
    if (!tensor)
      return success();
    auto ranked = dyn_cast<RankedTensorType>(tensor);
    auto error = [&]() -> InFlightDiagnostic { return mlir::emitError(value.getLoc(), "tile of type ") << tensor; };
    if (!ranked || ranked.getRank() == 0 || !ranked.hasStaticShape() ||
        !llvm::all_of(ranked.getShape(), [](int64_t d) { return llvm::isPowerOf2_64(d); }))
      return error() << ": all dimensions must be constants and powers of two";
    if (needLayouts && !getLayout(ranked))
      return error() << " has no layout; convert-tileaa-to-tileas gives it one";
    if (agents && needLayouts && !isIn(ranked, MemoryKind::Shared))
      if (int32_t warps = 1 << getLinearLayout(ranked).inBits(tileiras::kWarp),
          there = ExecutionContext::of(value.getParentRegion()).numTileWarps();
          warps > there)
        return error() << " is spread over " << warps << " warps, the code that uses it is run by " << there;
    return success();
  };
  WalkResult result = func.walk([&](Operation *op) {
    for (Value v : op->getResults())
      if (failed(check(v)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value v : block.getArguments())
          if (failed(check(v)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
