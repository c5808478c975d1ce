//===- ShapeOps.cpp - Operations that only rename registers ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A shape operation says where an element of the result comes from: result coordinate -> source coordinate. That map is
// linear on bits too, so composing it with the result's layout gives a layout in source coordinates, and mapRegisters
// tells which source register holds each element. Lanes and warps must agree; layout assignment has seen to that with
// convert_layout.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

/// Applies a map to the flat output of every basis; the results are coordinates in a tile of `shape`.
LinearLayout mapOutputs(const LinearLayout &layout, ArrayRef<int64_t> shape,
                        function_ref<uint64_t(ArrayRef<int32_t>)> map) {
  std::vector<LinearLayout::InDim> ins;
  std::vector<int32_t> extents(shape.begin(), shape.end());
  LinearLayout target({}, extents);
  for (tileiras::DimName name : layout.inNames()) {
    LinearLayout::InDim in{name, {}};
    for (int bit = 0; bit < layout.inBits(name); ++bit)
      in.bases.push_back(target.unflattenOut(map(layout.basis(name, bit))));
    ins.push_back(std::move(in));
  }
  return LinearLayout(std::move(ins), extents);
}

uint64_t flatten(ArrayRef<int32_t> coords, ArrayRef<int64_t> shape) {
  uint64_t flat = 0;
  for (auto [c, extent] : llvm::zip_equal(coords, shape))
    flat = flat * extent + c;
  return flat;
}

/// The registers of `source` that make up the result, whose layout in source coordinates is `wanted`.
LogicalResult renameRegisters(Operation *op, Value source, RankedTensorType sourceType, const LinearLayout &wanted,
                              Type resultType, ConversionPatternRewriter &rewriter) {
  auto map = mapRegisters(nv_tileas::getLinearLayout(sourceType), wanted);
  if (!map)
    return op->emitOpError("layouts of operand and result disagree between threads");
  Emitter e(rewriter, op->getLoc());
  SmallVector<Value> fields = e.unpack(source), values;
  for (unsigned r : *map)
    values.push_back(fields[r]);
  rewriter.replaceOp(op, e.pack(resultType, values));
  return success();
}

template <typename Op> struct ShapePattern : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op->getOperand(0).getType());
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    Type type = this->types().convertType(result);
    if (!type || !this->types().convertType(source))
      return rewriter.notifyMatchFailure(op, "type has no conversion");
    LinearLayout layout = nv_tileas::getLinearLayout(result);
    ArrayRef<int64_t> shape = source.getShape();
    LinearLayout wanted =
        mapOutputs(layout, shape, [&](ArrayRef<int32_t> c) { return sourceOf(op, c, source, result); });
    return renameRegisters(op, adaptor.getOperands().front(), source, wanted, type, rewriter);
  }

  /// Flat source coordinate of a result coordinate.
  static uint64_t sourceOf(Op op, ArrayRef<int32_t> c, RankedTensorType source, RankedTensorType result) {
    if constexpr (std::is_same_v<Op, nv_tileaa::BroadcastOp>) {
      SmallVector<int32_t> projected(c);
      for (auto [value, extent] : llvm::zip_equal(projected, source.getShape()))
        if (extent == 1)
          value = 0;
      return flatten(projected, source.getShape());
    } else if constexpr (std::is_same_v<Op, nv_tileaa::PermuteOp>) {
      SmallVector<int32_t> coords(c.size());
      for (auto [i, d] : llvm::enumerate(op.getPermutation()))
        coords[d] = c[i];
      return flatten(coords, source.getShape());
    } else {
      // view and expand_dims keep the row-major order.
      return flatten(c, result.getShape());
    }
  }
};

/// The scalar in a tile of one element; every thread has it.
struct Extract : TilePattern<nv_tileaa::ExtractOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, e.unpack(adaptor.getSource()).front());
    return success();
  }
};

/// cat: the top coordinate bit along the axis picks the operand; it must be a register bit.
struct Cat : TilePattern<nv_tileaa::CatOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::CatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getLhs().getType());
    auto result = cast<RankedTensorType>(op.getType());
    Emitter e(rewriter, op.getLoc());
    FlatLayout from(nv_tileas::getLinearLayout(source)), to(nv_tileas::getLinearLayout(result));
    LinearLayout narrow = nv_tileas::getLinearLayout(result);
    int32_t axis = op.getAxis(), half = source.getDimSize(axis);
    LinearLayout wanted = mapOutputs(narrow, source.getShape(), [&](ArrayRef<int32_t> c) {
      SmallVector<int32_t> coords(c);
      coords[axis] &= half - 1;
      return flatten(coords, source.getShape());
    });
    auto inTop = [&](uint64_t flat) { return (to.dims[axis].of(flat) & half) != 0; };
    if (inTop(to.threadBits()))
      return op.emitOpError("layout puts the two halves into different threads");
    auto map = mapRegisters(nv_tileas::getLinearLayout(source), wanted);
    if (!map)
      return op.emitOpError("layouts of operand and result disagree between threads");
    SmallVector<Value> lhs = e.unpack(adaptor.getLhs()), rhs = e.unpack(adaptor.getRhs()), values;
    for (unsigned r = 0; r < to.numRegisters(); ++r)
      values.push_back(inTop(to.ofRegister(r)) ? rhs[(*map)[r]] : lhs[(*map)[r]]);
    rewriter.replaceOp(op, e.pack(types().convertType(result), values));
    return success();
  }
};

/// extract_slice: the slice's registers, displaced by the slice's origin; at run-time indices a choice between all
/// origins.
template <typename Op> struct ExtractSlice : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType());
    auto result = cast<RankedTensorType>(op.getType());
    SmallVector<std::optional<int32_t>> fixed; // block numbers that are constants
    for (auto [index, extent, whole] : llvm::zip_equal(op.getIndices(), result.getShape(), source.getShape())) {
      APInt value;
      if (!matchPattern(index, m_ConstantInt(&value))) {
        // A dimension with one block has no choice.
        fixed.push_back(whole == extent ? std::optional<int32_t>(0) : std::nullopt);
        continue;
      }
      // Outside of the tile the behaviour is undefined, but the code need not ever run: any slice will do.
      fixed.push_back(value.getZExtValue() % uint64_t(whole / extent));
    }
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> fields = e.unpack(adaptor.getSource());

    // The registers of the block at `origin`; nothing if another thread has them.
    auto block = [&](ArrayRef<int32_t> origin) {
      SmallVector<Value> values;
      for (unsigned r : registersOfBlock(source, result, origin).value_or(SmallVector<unsigned>()))
        values.push_back(fields[r]);
      return values;
    };
    // Blocks along a dimension with a run-time index: all of them, then one bit of the index after the other decides.
    std::function<SmallVector<Value>(SmallVector<int32_t>)> choose = [&](SmallVector<int32_t> origin) {
      unsigned d = origin.size();
      if (d == fixed.size())
        return block(origin);
      int32_t extent = result.getDimSize(d);
      origin.push_back(0);
      if (fixed[d]) {
        origin.back() = *fixed[d] * extent;
        return choose(origin);
      }
      SmallVector<SmallVector<Value>> blocks;
      for (origin.back() = 0; origin.back() < source.getDimSize(d); origin.back() += extent) {
        blocks.push_back(choose(origin));
        if (blocks.back().empty())
          return SmallVector<Value>();
      }
      Value index = adaptor.getIndices()[d];
      for (unsigned bit = 0; blocks.size() > 1; ++bit) {
        Value set = e.icmp(LLVM::ICmpPredicate::ne, e.andi(index, e.i32(1 << bit)), e.i32(0));
        SmallVector<SmallVector<Value>> next;
        for (size_t i = 0; i < blocks.size(); i += 2) {
          SmallVector<Value> &values = next.emplace_back();
          for (auto [low, high] : llvm::zip_equal(blocks[i], blocks[i + 1]))
            values.push_back(e.select(set, high, low));
        }
        blocks = std::move(next);
      }
      return blocks.front();
    };
    SmallVector<Value> values = choose({});
    if (values.empty())
      return op.emitOpError("layouts of operand and result disagree between threads");
    rewriter.replaceOp(op, e.pack(this->types().convertType(result), values));
    return success();
  }
};

/// copy without destination: the same tile, other registers.
struct RegisterCopy : TilePattern<nv_tileas::CopyOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getDest())
      return failure();
    auto source = cast<RankedTensorType>(op.getSource().getType());
    auto result = cast<RankedTensorType>(op.getResult().getType());
    tileiras::ConvertOptions planOptions;
    planOptions.allowSharedMemory = planOptions.allowShuffles = false;
    auto plan =
        tileiras::planConvert(nv_tileas::getLinearLayout(source), nv_tileas::getLinearLayout(result), planOptions);
    if (!plan)
      return op.emitOpError("layouts of operand and result disagree between threads");
    if (plan->kind == tileiras::ConvertKind::NoOp) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> fields = e.unpack(adaptor.getSource()), values;
    for (int32_t r : plan->registerMap)
      values.push_back(fields[r]);
    rewriter.replaceOp(op, e.pack(types().convertType(result), values));
    return success();
  }
};

} // namespace

void tilellvm::populateShapePatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                     const LoweringOptions &options) {
  patterns
      .add<ShapePattern<nv_tileaa::BroadcastOp>, ShapePattern<nv_tileaa::PermuteOp>, ShapePattern<nv_tileaa::ViewOp>,
           ShapePattern<nv_tileas::ViewOp>, ShapePattern<nv_tileaa::ExpandDimsOp>, Extract, Cat,
           ExtractSlice<nv_tileaa::ExtractSliceOp>, ExtractSlice<nv_tileas::ExtractSliceOp>, RegisterCopy>(
          converter, patterns.getContext(), options);
}
