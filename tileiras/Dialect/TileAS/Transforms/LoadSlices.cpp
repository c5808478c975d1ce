//===- LoadSlices.cpp - Loads of a tile's slices --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/LoadSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::TiledViewType;
using tileiras::LinearLayout;
namespace aa = mlir::nv_tileaa;

namespace {

RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }

RankedTensorType shorter(RankedTensorType type, unsigned dim, int64_t extent, const LinearLayout &layout) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return RankedTensorType::get(shape, type.getElementType(), getLayoutAttr(type.getContext(), layout));
}

/// A load of slices, and what stands between it and them.
struct SlicedLoad {
  TiledLoadOp load;
  SmallVector<std::pair<Operation *, unsigned>> shapes; ///< with the sliced dimension of the result, the last one first
  unsigned dim;                                         ///< of the load
  SmallVector<ExtractSliceOp> slices;
  int64_t extent; ///< of a slice

  bool find(Value tile, unsigned of);
  bool isAsWide() const;
  void rewrite(StringRef mark);
};

/// Which slice along `dim` it is; nothing if it is one along another dimension, too, or that is not known.
std::optional<int64_t> numberOf(ExtractSliceOp slice, unsigned dim) {
  for (auto [d, index] : llvm::enumerate(slice.getIndices())) {
    bool whole = tensorOf(slice.getSource()).getDimSize(d) == tensorOf(slice.getResult()).getDimSize(d);
    if (d != dim && !whole)
      return std::nullopt;
  }
  return getConstantIntValue(slice.getIndices()[dim]);
}

bool SlicedLoad::find(Value tile, unsigned of) {
  extent = 0;
  for (Operation *user : tile.getUsers()) {
    auto slice = dyn_cast<ExtractSliceOp>(user);
    int64_t its = slice ? tensorOf(slice.getResult()).getDimSize(of) : 0;
    if (!slice || !numberOf(slice, of) || (extent && its != extent) || its == tensorOf(tile).getDimSize(of))
      return false;
    extent = its;
    slices.push_back(slice);
  }
  dim = of;
  for (Value value = tile; !slices.empty();) {
    Operation *def = value.getDefiningOp();
    if (value != tile && !value.hasOneUse())
      return false;
    if ((load = dyn_cast_if_present<TiledLoadOp>(def))) {
      auto access = cast<aa::MemoryAccessOpInterface>(def);
      int64_t step = load.getView().getType().getTraversalStrides()[dim];
      return value == load.getResult() && isPlain(access) && !access.getCoordinateAxis() &&
             load.getView().getDefiningOp<aa::BlockTileOp>() && step % extent == 0 && extent % 2 == 0;
    }
    if (!isReshape(def))
      return false;
    shapes.push_back({def, dim});
    std::optional<unsigned> source = throughShape(def, dim);
    if (!source)
      return false;
    dim = *source;
    value = def->getOperand(0);
  }
  return false;
}

/// Whether threads load slices in accesses as wide.
bool SlicedLoad::isAsWide() const {
  TiledLoadOp from = load;
  LinearLayout whole = getLinearLayout(from.getResult().getType());
  LinearLayout layout = whole.resizeOutDim(int(dim), int32_t(extent)).removeRedundantBasesAlongDim(tileiras::kRegister);
  for (int bit = 0; (int64_t(1) << bit) < from.getVec().value_or(1); ++bit)
    if (layout.inBits(tileiras::kRegister) <= bit || whole.inBits(tileiras::kRegister) <= bit ||
        layout.basis(tileiras::kRegister, bit) != whole.basis(tileiras::kRegister, bit))
      return false;
  return true;
}

void SlicedLoad::rewrite(StringRef mark) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  TiledViewType view = load.getView().getType();
  SmallVector<int64_t> shape(view.getTileShape()), steps(view.getTraversalStrides());
  // Of a tile at the edge slices may be outside of the array, even where it is a whole number of slices long: views
  // whose tiles lie half over each other do not promise that tiles are inside.
  constexpr int64_t kHalves = 2;
  int64_t perStep = kHalves * (steps[dim] / extent);
  shape[dim] = extent;
  steps[dim] = extent / kHalves;
  TiledViewType type = view.withTiles(shape, steps);
  auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
  builder.setInsertionPointAfter(block);
  Value narrow = aa::BlockTileOp::create(builder, block.getLoc(), type, block->getOperand(0));
  builder.setInsertionPoint(load);
  // Places of tiles have one type, and no sign; so many slices may be more than it counts.
  Type wide = builder.getI64Type();
  SmallVector<Value> indices;
  for (Value index : load.getIndices())
    indices.push_back(index.getType() == wide ? index : arith::ExtUIOp::create(builder, loc, wide, index));
  Value first =
      arith::MulIOp::create(builder, loc, indices[dim], arith::ConstantIntOp::create(builder, loc, wide, perStep));
  LinearLayout whole = getLinearLayout(load.getResult().getType());
  RankedTensorType loaded =
      shorter(load.getResult().getType(), dim, extent,
              whole.resizeOutDim(int(dim), int32_t(extent)).removeRedundantBasesAlongDim(tileiras::kRegister));
  unsigned sliced = shapes.empty() ? dim : shapes.front().second;
  llvm::stable_sort(slices, [&](auto a, auto b) { return *numberOf(a, sliced) < *numberOf(b, sliced); });
  SmallVector<Value> tokens;
  for (ExtractSliceOp slice : slices) {
    indices[dim] = arith::AddIOp::create(
        builder, loc, first, arith::ConstantIntOp::create(builder, loc, wide, kHalves * *numberOf(slice, sliced)));
    auto part =
        TiledLoadOp::create(builder, loc, loaded, load.getResultToken().getType(), narrow, indices, load.getToken(),
                            load.getValid(), load.getMemSemantic(), load.getMemScopeAttr(), load.getInBoundsAttr(),
                            load.getLatencyAttr(), load.getAllowTmaAttr(), load.getVecAttr());
    part->setAttr(mark, builder.getUnitAttr());
    tokens.push_back(part.getResultToken());
    Value value = part.getResult();
    for (auto [reshape, its] : llvm::reverse(shapes)) {
      IRMapping map;
      map.map(reshape->getOperand(0), value);
      Operation *again = builder.clone(*reshape, map);
      auto result = tensorOf(again->getResult(0));
      SmallVector<int64_t> extents(result.getShape());
      extents[its] = extent;
      again->getResult(0).setType(RankedTensorType::get(extents, result.getElementType()));
      LinearLayout layout = *inferResultLayout(again, 0, getLinearLayout(tensorOf(value)));
      again->getResult(0).setType(shorter(result, its, extent, layout));
      value = again->getResult(0);
    }
    if (value.getType() != slice.getType())
      value = ConvertLayoutOp::create(builder, loc, slice.getType(), value);
    slice.replaceAllUsesWith(value);
    slice.erase();
  }
  if (!load.getResultToken().use_empty())
    load.getResultToken().replaceAllUsesWith(
        aa::JoinMemTokenOp::create(builder, loc, tokens.front().getType(), tokens));
  for (auto [reshape, its] : shapes)
    reshape->erase();
  load.erase();
  if (block->use_empty())
    block.erase();
}

} // namespace

std::optional<unsigned> nv_tileas::throughShape(Operation *shape, unsigned dim) {
  if (auto permute = dyn_cast<aa::PermuteOp>(shape))
    return permute.getPermutation()[dim];
  ArrayRef<int64_t> source = tensorOf(shape->getOperand(0)).getShape(),
                    result = tensorOf(shape->getResult(0)).getShape();
  SmallVector<unsigned> from, to;
  for (auto [extents, dims] : {std::pair(source, &from), std::pair(result, &to)})
    for (auto [d, extent] : llvm::enumerate(extents))
      if (extent != 1)
        dims->push_back(d);
  if (from.size() != to.size() || !llvm::all_of(llvm::zip(from, to), [&](auto pair) {
        return source[std::get<0>(pair)] == result[std::get<1>(pair)];
      }))
    return std::nullopt;
  auto at = llvm::find(to, dim);
  return at == to.end() ? std::nullopt : std::optional(from[at - to.begin()]);
}

bool nv_tileas::loadSlices(Value tile, unsigned dim, StringRef mark) {
  SlicedLoad sliced;
  if (!sliced.find(tile, dim) || !sliced.isAsWide())
    return false;
  sliced.rewrite(mark);
  return true;
}
