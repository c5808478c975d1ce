//===- ScaleViews.cpp - Scales that lie in blocks -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ScaleViews.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Support/TmaTile.h"

using namespace mlir;
using namespace mlir::nv_tileas;
namespace aa = mlir::nv_tileaa;

namespace {

/// The load of a tile that is nobody else's, under other shapes perhaps.
aa::TiledLoadOp loadOf(Value tile) {
  while (tile.hasOneUse()) {
    Operation *def = tile.getDefiningOp();
    if (auto load = dyn_cast_if_present<aa::TiledLoadOp>(def))
      return load;
    if (!def || !isReshape(def))
      return {};
    tile = def->getOperand(0);
  }
  return {};
}

/// How many of the last dimensions of the load's tile are one run of memory, and the tile has whole.
int wholeDimensions(aa::TiledLoadOp load) {
  aa::TiledViewType view = load.getView().getType();
  aa::MemRefType memref = view.getSource();
  int64_t run = 1;
  int rank = int(view.getRank()), d = rank;
  while (d > 0) {
    int64_t extent = memref.getShape()[d - 1];
    if (view.getDimMap()[d - 1] != d - 1 || memref.getStrides()[d - 1] != run || view.getTileShape()[d - 1] != extent ||
        view.getTraversalStrides()[d - 1] != extent || getConstantIntValue(load.getIndices()[d - 1]) != 0)
      break;
    run *= extent;
    --d;
  }
  return rank - d;
}

bool loadInRows(aa::TiledLoadOp load) {
  auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
  auto make = block ? block.getSource().getDefiningOp<aa::MakeMemRefOp>() : aa::MakeMemRefOp();
  if (!make || load.getMemSemantic() != aa::MemSemantic::Weak)
    return false;
  aa::TiledViewType view = block.getType();
  aa::MemRefType memref = view.getSource();
  size_t first = view.getRank() - wholeDimensions(load);
  auto type = cast<RankedTensorType>(load.getResult().getType());
  int64_t run = ShapedType::getNumElements(type.getShape().drop_front(first));
  SmallVector<int64_t> rows;
  if (run > tileiras::TmaTile::maxBox) // powers of two, both
    rows.push_back(run / tileiras::TmaTile::maxBox);
  rows.push_back(std::min<int64_t>(run, tileiras::TmaTile::maxBox));
  if (run == 1 || type.getShape().drop_front(first) == ArrayRef(rows))
    return false;

  auto with = [&](ArrayRef<int64_t> numbers, ArrayRef<int64_t> instead) {
    SmallVector<int64_t> all(numbers.take_front(first));
    llvm::append_range(all, instead);
    return all;
  };
  SmallVector<int64_t> apart = {1};
  if (rows.size() == 2)
    apart.insert(apart.begin(), rows.back());
  MLIRContext *context = load.getContext();
  OpBuilder builder(make);
  builder.setInsertionPointAfter(make);
  auto array = aa::MemRefType::get(context, memref.getElementType(), with(memref.getShape(), rows),
                                   with(memref.getStrides(), apart));
  Value memory =
      aa::MakeMemRefOp::create(builder, make.getLoc(), array, make.getBase(), make.getSizes(), make.getStrides());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, first + rows.size()));
  auto tiles = aa::TiledViewType::get(context, with(view.getTileShape(), rows), dims,
                                      with(view.getTraversalStrides(), rows), view.getPadding(), array);
  builder.setInsertionPointAfter(block);
  Value blocks = aa::BlockTileOp::create(builder, block.getLoc(), tiles, memory);

  builder.setInsertionPoint(load);
  SmallVector<Value> indices(load.getIndices().take_front(first));
  Value zero = load.getIndices().back();
  indices.append(rows.size(), zero);
  DenseBoolArrayAttr inBounds;
  if (std::optional<ArrayRef<bool>> known = load.getInBounds()) {
    SmallVector<bool> all(known->take_front(first));
    all.append(rows.size(), true);
    inBounds = builder.getDenseBoolArrayAttr(all);
  }
  auto again = aa::TiledLoadOp::create(builder, load.getLoc(),
                                       TypeRange{type.clone(tiles.getTileShape()), load.getResultToken().getType()},
                                       blocks, indices, load.getToken(), load.getMemSemanticAttr(),
                                       load.getMemScopeAttr(), inBounds, load.getLatencyAttr(), load.getAllowTmaAttr());
  again->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  load.getResult().replaceAllUsesWith(aa::ViewOp::create(builder, load.getLoc(), type, again.getResult()).getResult());
  load.getResultToken().replaceAllUsesWith(again.getResultToken());
  load.erase();
  return true;
}

} // namespace

int nv_tileas::loadScalesInRows(aa::MmaBlockScaleOp product) {
  int count = 0;
  for (Value scales : {product.getSfa(), product.getSfb()})
    if (aa::TiledLoadOp load = loadOf(scales))
      count += loadInRows(load);
  return count;
}
