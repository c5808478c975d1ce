//===- PackFactors.cpp - Pairs of 4-bit elements --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PackFactors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::nv_tileas;
namespace aa = mlir::nv_tileaa;

static RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }

/// The type of pairs of neighbours along k.
static RankedTensorType pairsOf(RankedTensorType type, int k) {
  SmallVector<int64_t> shape(type.getShape());
  shape[k] /= 2;
  return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 8));
}

/// The dimension along which neighbours lie side by side in row-major order: the last one that has any.
static int fastest(RankedTensorType type) {
  int d = type.getRank() - 1;
  while (d > 0 && type.getDimSize(d) == 1)
    --d;
  return d;
}

int FactorPacking::pack(aa::MmaBlockScaleOp op) {
  if (!axes)
    axes.emplace(func.getOperation());
  inRegisters = 0;
  int rank = op.getType().getRank();
  Value a = packed(op.getA(), rank - 1), b = packed(op.getB(), rank - 2);
  builder.setInsertionPoint(op);
  auto product =
      aa::MmaBlockScaleOp::create(builder, op.getLoc(), op.getType(), a, b, op.getC(), op.getSfa(), op.getSfb());
  for (Value factor : {op.getA(), op.getB()})
    if (Operation *def = factor.getDefiningOp())
      old.push_back(def);
  op.getResult().replaceAllUsesWith(product.getResult());
  op.erase();
  eraseDead();
  return inRegisters;
}

/// Tiles that only the product has used. Loads have effects, but nobody knows of one whose tile and token nobody takes.
void FactorPacking::eraseDead() {
  while (!old.empty()) {
    Operation *op = old.pop_back_val();
    if (!op->use_empty() || !(isMemoryEffectFree(op) || isa<aa::TiledLoadOp>(op)))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (isa<RankedTensorType>(operand.getType()) && !llvm::is_contained(old, def))
          old.push_back(def);
    for (Value result : op->getResults())
      for (int k = 0, rank = isa<RankedTensorType>(result.getType()) ? tensorOf(result).getRank() : 0; k < rank; ++k)
        done.erase({result, k});
    if (auto load = dyn_cast<aa::TiledLoadOp>(op))
      twice.erase(load);
    op->erase();
  }
}

void FactorPacking::chainLoads() {
  for (auto [op, bytes] : twice) {
    auto load = cast<aa::TiledLoadOp>(op);
    bytes->moveAfter(load);
    bytes.getTokenMutable().assign(load.getResultToken());
  }
  twice.clear();
}

Value FactorPacking::packed(Value tile, int k) {
  if (Value before = done.lookup({tile, k}))
    return before;
  RankedTensorType type = tensorOf(tile);
  Operation *def = tile.getDefiningOp();
  Value result;
  if (auto permute = dyn_cast_if_present<aa::PermuteOp>(def)) {
    Value source = packed(permute.getSource(), permute.getPermutation()[k]);
    builder.setInsertionPointAfter(permute);
    result = aa::PermuteOp::create(builder, tile.getLoc(), pairsOf(type, k), source, permute.getPermutation());
  } else if (auto view = dyn_cast_if_present<aa::ViewOp>(def); view && fastest(type) == k) {
    Value source = packed(view.getSource(), fastest(tensorOf(view.getSource())));
    builder.setInsertionPointAfter(view);
    result = viewAs(source, pairsOf(type, k).getShape());
  } else if (auto bytes = dyn_cast_if_present<aa::ReinterpretOp>(def);
             bytes && tensorOf(bytes.getSource()).getElementType().isInteger(8)) {
    result = bytes.getSource();
  } else if (auto load = dyn_cast_if_present<aa::TiledLoadOp>(def)) {
    result = packedLoad(load, k);
  }
  if (!result)
    result = packedInRegisters(tile, k);
  done[{tile, k}] = result;
  return result;
}

/// The same elements in another shape; of what is one already, without the shape between.
Value FactorPacking::viewAs(Value source, ArrayRef<int64_t> shape) {
  Location loc = source.getLoc();
  while (auto view = source.getDefiningOp<aa::ViewOp>())
    source = view.getSource();
  if (tensorOf(source).getShape() == shape)
    return source;
  return aa::ViewOp::create(builder, loc, tensorOf(source).clone(shape), source);
}

/// Neighbours along k are made neighbours in row-major order, whose bytes a rank-1 tile has.
Value FactorPacking::packedInRegisters(Value tile, int k) {
  builder.setInsertionPointAfterValue(tile);
  Location loc = tile.getLoc();
  RankedTensorType type = tensorOf(tile);
  int rank = type.getRank();
  ++inRegisters;
  SmallVector<int32_t> order = llvm::to_vector(llvm::seq<int32_t>(0, rank));
  std::swap(order[k], order[rank - 1]); // its own inverse
  auto turned = [&](Value v) -> Value {
    if (k == rank - 1)
      return v;
    SmallVector<int64_t> shape;
    for (int32_t d : order)
      shape.push_back(tensorOf(v).getDimSize(d));
    return aa::PermuteOp::create(builder, loc, tensorOf(v).clone(shape), v, order);
  };
  Value rows = turned(tile);
  RankedTensorType of = tensorOf(rows);
  int64_t count = of.getNumElements();
  Value flat = aa::ViewOp::create(builder, loc, of.clone(ArrayRef<int64_t>{count}), rows);
  auto bytes = RankedTensorType::get({count / 2}, builder.getI8Type());
  Value pairs = aa::ReinterpretOp::create(builder, loc, bytes, flat);
  return turned(aa::ViewOp::create(builder, loc, pairsOf(of, rank - 1), pairs));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

Value FactorPacking::packedLoad(aa::TiledLoadOp load, int k) {
  auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
  // What others have as elements is loaded once.
  if (!block || load.getMemSemantic() != aa::MemSemantic::Weak || !load.getResult().hasOneUse())
    return {};
  Value view = bytesOf(block, k);
  if (!view)
    return {};
  builder.setInsertionPoint(load);
  auto bytes = aa::TiledLoadOp::create(
      builder, load.getLoc(), TypeRange{pairsOf(tensorOf(load.getResult()), k), load.getResultToken().getType()}, view,
      load.getIndices(), load.getToken(), load.getMemSemanticAttr(), load.getMemScopeAttr(), load.getInBoundsAttr(),
      load.getLatencyAttr(), load.getAllowTmaAttr());
  bytes->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  load.getResultToken().replaceAllUsesWith(bytes.getResultToken());
  twice[load] = bytes;
  return bytes.getResult();
}

int64_t FactorPacking::divisor(Value number) {
  const aa::AxisInfo *info = axes->get(number);
  return info && !info->isUninitialized() ? info->getElementDivisibility() : 1;
}

/// The same view in bytes, halved along dimension `k` of its tiles; nothing where a row may begin or end in the middle
/// of a byte, or where k is not dense.
Value FactorPacking::bytesOf(aa::BlockTileOp block, int k) {
  aa::TiledViewType view = block.getType();
  aa::MemRefType memref = view.getSource();
  auto make = block.getSource().getDefiningOp<aa::MakeMemRefOp>();
  int dense = view.getDimMap()[k];
  if (!make || memref.getStrides()[dense] != 1 || !axes->beginsWithByte(make.getBase()) ||
      (view.getPadding() && *view.getPadding() != aa::PaddingValue::Zero) || view.getTraversalStrides()[k] % 2 ||
      view.getTileShape()[k] % 2)
    return {};
  SmallVector<int64_t> shape(memref.getShape()), strides(memref.getStrides()), tile(view.getTileShape()),
      steps(view.getTraversalStrides());
  // First the questions.
  SmallVector<bool> halved; // of run-time extents and strides, in their order
  for (auto [list, values] : {std::pair(&shape, make.getSizes()), std::pair(&strides, make.getStrides())}) {
    unsigned next = 0;
    for (auto [d, number] : llvm::enumerate(*list)) {
      bool wanted = (list == &shape) == (int(d) == dense);
      if (ShapedType::isDynamic(number)) {
        Value value = values[next++];
        if (wanted && divisor(value) % 2)
          return {};
        halved.push_back(wanted);
      } else if (wanted) {
        if (number % 2)
          return {};
        number /= 2;
      }
    }
  }
  tile[k] /= 2, steps[k] /= 2;
  builder.setInsertionPointAfter(make);
  Location loc = make.getLoc();
  Type byte = builder.getI8Type();
  auto promised = [&](Value value, int64_t by) -> Value {
    by = std::min<int64_t>(by, int64_t(1) << 30);
    return by < 2 ? value
                  : aa::AssumeOp::create(builder, loc, value,
                                         aa::DivByAttr::get(builder.getContext(), by, std::nullopt, std::nullopt));
  };
  Value base = aa::BitcastOp::create(builder, loc, aa::PtrType::get(builder.getContext(), byte), make.getBase());
  base = promised(base, divisor(make.getBase()));
  SmallVector<Value> sizes(make.getSizes()), apart(make.getStrides());
  for (auto [i, isHalved] : llvm::enumerate(halved)) {
    Value &number = i < sizes.size() ? sizes[i] : apart[i - sizes.size()];
    if (!isHalved)
      continue;
    int64_t by = divisor(number) / 2;
    Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(number.getType(), 1));
    number = promised(arith::ShRSIOp::create(builder, loc, number, one), by);
  }
  auto type = aa::MemRefType::get(builder.getContext(), byte, shape, strides);
  Value bytes = aa::MakeMemRefOp::create(builder, loc, type, base, sizes, apart);
  auto tiles = aa::TiledViewType::get(builder.getContext(), tile, view.getDimMap(), steps, view.getPadding(), type);
  builder.setInsertionPointAfter(block);
  return aa::BlockTileOp::create(builder, block.getLoc(), tiles, bytes);
}
