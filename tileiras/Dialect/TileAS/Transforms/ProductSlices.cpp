//===- ProductSlices.cpp - Products slice by slice ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ProductSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

namespace {

RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
LinearLayout clean(const LinearLayout &layout) { return layout.removeRedundantBasesAlongDim(tileiras::kRegister); }
RankedTensorType withLinear(RankedTensorType type, const LinearLayout &layout) {
  return withLayout(type, getLayoutAttr(type.getContext(), layout));
}

/// Whether an atom takes a factor from registers, and as well from shared memory, fragment by fragment.
bool mayFetch(DotOp dot, OpOperand &factor) {
  tileiras::DotOperand which = getDotOperand(factor);
  return dot.getAtom()->getMemories(which).contains(MemoryKind::Shared) && getDotOperandLayout(dot, factor);
}

/// The layout with the bits of dimension k from `low` on in registers of their own; nothing if there are not enough
/// registers to change places with. `keep`: the lowest register bits, which move together.
std::optional<LinearLayout> withSlices(const LinearLayout &layout, int k, int64_t low, int keep, StringRef &why) {
  const tileiras::DimName names[] = {tileiras::kRegister, tileiras::kLane, tileiras::kWarp, tileiras::kBlock};
  std::vector<LinearLayout::InDim> ins;
  for (tileiras::DimName name : names) {
    LinearLayout::InDim in{name, {}};
    for (int bit = 0; bit < layout.inBits(name); ++bit)
      in.bases.push_back(layout.basis(name, bit));
    ins.push_back(std::move(in));
  }
  auto isHigh = [&](const std::vector<int32_t> &basis) { return basis[k] >= low; };
  auto isAlone = [&](const std::vector<int32_t> &basis) {
    int64_t sum = 0;
    for (int32_t c : basis)
      sum += c;
    return llvm::isPowerOf2_64(sum) && sum == *llvm::max_element(basis);
  };
  size_t next = keep;
  for (size_t i = 0; i < ins.size(); ++i)
    for (std::vector<int32_t> &basis : ins[i].bases) {
      if (!isHigh(basis))
        continue;
      if (!isAlone(basis)) {
        why = "an element's place along k decides about another dimension, too";
        return std::nullopt;
      }
      if (i == 0)
        continue;
      auto &registers = ins[0].bases;
      while (next < registers.size() && (isHigh(registers[next]) || !isAlone(registers[next])))
        ++next;
      if (next == registers.size()) {
        why = "threads have too few registers of the tile to change places "
              "with lanes and warps";
        return std::nullopt;
      }
      std::swap(basis, registers[next++]);
    }
  return LinearLayout(std::move(ins), layout.shape());
}

std::optional<WayOfLoad> wayTo(Value tile, LinearLayout layout) {
  WayOfLoad way;
  while (tile.hasOneUse()) {
    Operation *def = tile.getDefiningOp();
    if (auto load = dyn_cast_if_present<TiledLoadOp>(def)) {
      auto access = cast<nv_tileaa::MemoryAccessOpInterface>(def);
      int64_t vec = load.getVec().value_or(1);
      LinearLayout now = clean(getLinearLayout(tensorOf(tile)));
      for (int bit = 0; (int64_t(1) << bit) < vec; ++bit)
        if (now.inBits(tileiras::kRegister) <= bit || layout.inBits(tileiras::kRegister) <= bit ||
            now.basis(tileiras::kRegister, bit) != layout.basis(tileiras::kRegister, bit))
          return std::nullopt;
      if (!isPlain(access) || access.getCoordinateAxis())
        return std::nullopt;
      way.load = load, way.loaded = layout;
      return way;
    }
    auto isTile = [](Value v) { return isa<RankedTensorType>(v.getType()); };
    if (!def || def->getNumRegions() || def->getNumResults() != 1 || isa<ConvertLayoutOp, DotOp>(def) ||
        llvm::count_if(def->getOperands(), isTile) != 1 || !isTile(def->getOperand(0)))
      return std::nullopt;
    std::optional<LinearLayout> before = inferOperandLayout(def, 0, layout);
    std::optional<LinearLayout> after = before ? inferResultLayout(def, 0, *before) : std::nullopt;
    if (!after || *after != layout)
      return std::nullopt;
    way.steps.push_back({def, layout});
    layout = *before;
    tile = def->getOperand(0);
  }
  return std::nullopt;
}

std::optional<SlicedFactor> findSlices(Value tile, int k, int64_t low, StringRef &why) {
  LinearLayout layout = clean(getLinearLayout(tensorOf(tile)));
  constexpr int widest = 4; // sixteen elements of a byte
  for (int keep = widest; keep >= 0; --keep) {
    if (keep > layout.inBits(tileiras::kRegister))
      continue;
    std::optional<LinearLayout> wanted = withSlices(layout, k, low, keep, why);
    if (!wanted)
      continue;
    if (*wanted == layout)
      return SlicedFactor{tile, std::nullopt, std::nullopt};
    std::optional<WayOfLoad> way = wayTo(tile, *wanted);
    if (way || !keep)
      return SlicedFactor{tile, wanted, way};
  }
  return std::nullopt;
}
Value takeSlices(OpBuilder &builder, const SlicedFactor &sliced) {
  Value tile = sliced.tile;
  if (!sliced.layout)
    return tile;
  if (!sliced.way) {
    RankedTensorType type = withLinear(tensorOf(tile), *sliced.layout);
    auto here = builder.getInsertionPoint();
    for (Operation *user : tile.getUsers()) // another product's
      if (auto there = dyn_cast<ConvertLayoutOp>(user);
          there && there.getType() == type && there->getBlock() == builder.getInsertionBlock() &&
          (here == there->getBlock()->end() || there->isBeforeInBlock(&*here)))
        return there;
    return ConvertLayoutOp::create(builder, tile.getLoc(), type, tile);
  }
  TiledLoadOp load = sliced.way->load;
  load.getResult().setType(withLinear(tensorOf(load.getResult()), sliced.way->loaded));
  for (auto &[op, result] : sliced.way->steps)
    op->getResult(0).setType(withLinear(tensorOf(op->getResult(0)), result));
  return tile;
}

/// Behind the tile, so that slices of what a loop does not change are none of the loop's; one that is there already,
/// if it stands before the product.
Value sliceOf(DotOp product, Value tile, int k, int64_t number, int64_t slices) {
  OpBuilder builder(product);
  builder.setInsertionPointAfterValue(tile);
  Operation *before = tile.getParentBlock()->findAncestorOpInBlock(*product);
  RankedTensorType type = tensorOf(tile);
  SmallVector<int64_t> shape(type.getShape());
  shape[k] /= slices;
  LinearLayout layout = clean(getLinearLayout(type).resizeOutDim(k, int32_t(shape[k])));
  auto sliceType = RankedTensorType::get(shape, type.getElementType(), getLayoutAttr(type.getContext(), layout));
  for (OpOperand &use : tile.getUses()) {
    ExtractSliceOp other = namedBy(use);
    if (other && other.getType() == sliceType && other->getBlock() == tile.getParentBlock() &&
        other->isBeforeInBlock(before) && llvm::all_of(llvm::enumerate(other.getIndices()), [&](auto index) {
          return getConstantIntValue(index.value()) == (int(index.index()) == k ? number : 0);
        }))
      return other;
  }
  Value zero = arith::ConstantIntOp::create(builder, tile.getLoc(), 0, 32),
        index = arith::ConstantIntOp::create(builder, tile.getLoc(), number, 32);
  SmallVector<Value> indices(shape.size(), zero);
  indices[k] = index;
  return ExtractSliceOp::create(builder, tile.getLoc(), sliceType, tile, indices);
}

} // namespace

bool nv_tileas::bringsFactors(ConvertLayoutOp op) {
  return isIn(op.getSource().getType(), MemoryKind::Registers) && !op->use_empty() &&
         llvm::all_of(op->getUses(), [&](OpOperand &use) {
           auto dot = dyn_cast<DotOp>(use.getOwner());
           return dot && dot.getAtom() && use.getOperandNumber() < 2 && dot->getBlock() == op->getBlock() &&
                  mayFetch(dot, use);
         });
}

ExtractSliceOp nv_tileas::namedBy(OpOperand &use) {
  auto slice = dyn_cast<ExtractSliceOp>(use.getOwner());
  return slice && use.getOperandNumber() == 0 && isIn(slice.getType(), MemoryKind::Registers) &&
                 llvm::all_of(slice.getIndices(), [](Value v) { return matchPattern(v, m_Constant()); })
             ? slice
             : ExtractSliceOp();
}

int nv_tileas::kOf(OpOperand &factor) {
  int rank = tensorOf(factor.get()).getRank();
  return factor.getOperandNumber() == 0 ? rank - 1 : rank - 2;
}

std::optional<SlicedProduct> nv_tileas::planSlices(DotOp dot, int64_t slices, StringRef &why) {
  SlicedProduct plan{dot, slices};
  for (OpOperand &factor : dot->getOpOperands().take_front(2)) {
    auto convert = factor.get().getDefiningOp<ConvertLayoutOp>();
    bool moved = convert && bringsFactors(convert);
    Value source = moved ? convert.getSource() : factor.get();
    int k = kOf(factor);
    std::optional<SlicedFactor> sliced =
        slices ? findSlices(source, k, tensorOf(source).getDimSize(k) / slices, why) : std::nullopt;
    if (!sliced)
      return std::nullopt;
    plan.found.push_back(*sliced);
    plan.conversions.push_back(moved ? convert : ConvertLayoutOp());
  }
  return plan;
}

SmallVector<Value> nv_tileas::multiplySlices(const SlicedProduct &plan, function_ref<void(Operation *)> erases) {
  DotOp dot = plan.dot;
  OpBuilder builder(dot);
  SmallVector<Value> sources;
  for (auto [sliced, convert] : llvm::zip_equal(plan.found, plan.conversions)) {
    builder.setInsertionPoint(convert ? convert : dot.getOperation());
    sources.push_back(takeSlices(builder, sliced));
  }
  Value sums = dot.getC();
  Location loc = dot.getLoc();
  for (int64_t i = 0; i < plan.slices; ++i) {
    builder.setInsertionPoint(dot);
    auto part = cast<DotOp>(builder.clone(*dot));
    for (OpOperand &factor : part->getOpOperands().take_front(2)) {
      unsigned number = factor.getOperandNumber();
      factor.set(sliceOf(part, sources[number], kOf(factor), i, plan.slices));
    }
    part.getCMutable().assign(sums);
    for (OpOperand &factor : part->getOpOperands().take_front(2)) {
      std::optional<LinearLayout> wanted = getDotOperandLayout(part, factor);
      RankedTensorType type = tensorOf(factor.get());
      if (!wanted || type == withLinear(type, *wanted))
        continue;
      builder.setInsertionPoint(part);
      factor.set(ConvertLayoutOp::create(builder, loc, withLinear(type, *wanted), factor.get()));
    }
    sums = part.getResult();
  }
  dot.getResult().replaceAllUsesWith(sums);
  dot.erase();
  for (ConvertLayoutOp convert : plan.conversions)
    if (convert && convert.use_empty()) {
      erases(convert);
      convert.erase();
    }
  return sources;
}
