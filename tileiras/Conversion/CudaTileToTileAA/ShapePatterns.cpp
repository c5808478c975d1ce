//===- ShapePatterns.cpp - Constants, shapes, pointers, promises ----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

namespace {

struct ConstantPattern : OpConversionPattern<ct::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto value = cast<DenseElementsAttr>(op.getValue());
    Type type = typeConverter->convertType(op.getType());
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value.reshape(tensor));
    else
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(value.getSplatValue<Attribute>()));
    return success();
  }
};

struct IotaPattern : OpConversionPattern<ct::IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::IotaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    rewriter.replaceOpWithNewOp<aa::MakeRangeOp>(op, type, 0, type.getDimSize(0));
    return success();
  }
};

struct ReshapePattern : OpConversionPattern<ct::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Type from = source.getType(), to = typeConverter->convertType(op.getType());
    if (from == to)
      rewriter.replaceOp(op, source);
    else if (!isa<RankedTensorType>(from))
      rewriter.replaceOpWithNewOp<aa::SplatOp>(op, to, source);
    else if (!isa<RankedTensorType>(to))
      rewriter.replaceOpWithNewOp<aa::ExtractOp>(op, to, source);
    else
      rewriter.replaceOpWithNewOp<aa::ViewOp>(op, to, source);
    return success();
  }
};

struct BroadcastPattern : OpConversionPattern<ct::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type to = typeConverter->convertType(op.getType());
    if (adaptor.getSource().getType() == to)
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<aa::BroadcastOp>(op, to, adaptor.getSource());
    return success();
  }
};

struct PermutePattern : OpConversionPattern<ct::PermuteOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::PermuteOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::PermuteOp>(op, typeConverter->convertType(op.getType()), adaptor.getSource(),
                                               op.getPermutation());
    return success();
  }
};

struct CatPattern : OpConversionPattern<ct::CatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::CatOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::CatOp>(op, typeConverter->convertType(op.getType()), adaptor.getLhs(),
                                           adaptor.getRhs(), static_cast<uint32_t>(op.getDim()));
    return success();
  }
};

struct ExtractPattern : OpConversionPattern<ct::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type to = typeConverter->convertType(op.getType());
    // The only block of a tile of that shape (rank 0 included) has index 0; another index is undefined.
    if (adaptor.getSource().getType() == to)
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<aa::ExtractSliceOp>(op, to, adaptor.getSource(), adaptor.getIndices());
    return success();
  }
};

/// insert has no operation of its own: the source is repeated over all blocks of the destination, and one block
/// of that is selected. Per dimension, with S extents of the source and N blocks:
///
///   repeated: [S] -> [1, S] -> [N, S] -> [N * S];  here: range(N) == index, [N] -> [N, 1] -> [N, S] -> [N * S]
struct InsertPattern : OpConversionPattern<ct::InsertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::InsertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getSource(), destination = adaptor.getDestination();
    if (source.getType() == destination.getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    auto small = cast<RankedTensorType>(source.getType()), large = cast<RankedTensorType>(destination.getType());
    SmallVector<int64_t> split, repeated;
    for (auto [s, d] : llvm::zip_equal(small.getShape(), large.getShape())) {
      split.append({1, s});
      repeated.append({d / s, s});
    }
    auto shaped = [](ArrayRef<int64_t> shape, Type element) { return RankedTensorType::get(shape, element); };
    Value wide = aa::ViewOp::create(rewriter, loc, shaped(split, small.getElementType()), source);
    wide = aa::BroadcastOp::create(rewriter, loc, shaped(repeated, small.getElementType()), wide);
    wide = aa::ViewOp::create(rewriter, loc, large, wide);

    Value here;
    Type i32 = rewriter.getI32Type(), i1 = rewriter.getI1Type();
    for (int64_t d = 0; d < large.getRank(); ++d) {
      int64_t blocks = large.getDimSize(d) / small.getDimSize(d);
      if (blocks == 1)
        continue;
      Value range = aa::MakeRangeOp::create(rewriter, loc, shaped({blocks}, i32), 0, blocks);
      Value index = aa::SplatOp::create(rewriter, loc, shaped({blocks}, i32), adaptor.getIndices()[d]);
      Value equal = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, range, index);
      // [blocks] along this dimension, extent 1 along the others, then out to the whole tile.
      SmallVector<int64_t> column(repeated.size(), 1);
      column[2 * d] = blocks;
      equal = aa::ViewOp::create(rewriter, loc, shaped(column, i1), equal);
      equal = aa::BroadcastOp::create(rewriter, loc, shaped(repeated, i1), equal);
      equal = aa::ViewOp::create(rewriter, loc, shaped(large.getShape(), i1), equal);
      here = here ? arith::AndIOp::create(rewriter, loc, here, equal).getResult() : equal;
    }
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, here, wide, destination);
    return success();
  }
};

struct OffsetPattern : OpConversionPattern<ct::OffsetOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::OffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AddPtrOp>(op, adaptor.getPtr().getType(), adaptor.getPtr(), adaptor.getOffset());
    return success();
  }
};

struct AssumePattern : OpConversionPattern<ct::AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    Attribute predicate;
    if (auto divBy = dyn_cast<ct::DivByAttr>(op.getPredicate()))
      predicate = aa::DivByAttr::get(context, divBy.getDivisor(), divBy.getEvery(), divBy.getAlong());
    else if (auto bounded = dyn_cast<ct::BoundedAttr>(op.getPredicate()))
      predicate = aa::BoundedAttr::get(context, bounded.getLb(), bounded.getUb());
    else if (auto same = dyn_cast<ct::SameElementsAttr>(op.getPredicate()))
      predicate = aa::SameElementsAttr::get(context, same.getValues());
    else
      return rewriter.notifyMatchFailure(op, "unknown predicate");
    Value value = adaptor.getValue();
    if (!isa<aa::MemRefType>(value.getType())) {
      rewriter.replaceOpWithNewOp<aa::AssumeOp>(op, value, predicate);
      return success();
    }
    // On a tensor view the promise is about the base pointer. Views are never carried through regions, so the
    // maker is at hand; a view made elsewhere would only lose the promise.
    auto maker = value.getDefiningOp<aa::MakeMemRefOp>();
    if (!maker) {
      rewriter.replaceOp(op, value);
      return success();
    }
    Value base = aa::AssumeOp::create(rewriter, op.getLoc(), maker.getBase(), predicate);
    rewriter.replaceOpWithNewOp<aa::MakeMemRefOp>(op, value.getType(), base, maker.getSizes(), maker.getStrides());
    return success();
  }
};

template <typename From, typename To> struct GridPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor, ConversionPatternRewriter &rewriter) const override {
    Type i32 = rewriter.getI32Type();
    rewriter.replaceOpWithNewOp<To>(op, i32, i32, i32);
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::populateShapePatterns(const TileTypeConverter &types, RewritePatternSet &patterns) {
  patterns
      .add<ConstantPattern, IotaPattern, ReshapePattern, BroadcastPattern, PermutePattern, CatPattern, ExtractPattern,
           InsertPattern, OffsetPattern, AssumePattern, GridPattern<ct::GetTileBlockIdOp, aa::GetProgramIdOp>,
           GridPattern<ct::GetNumTileBlocksOp, aa::GetNumProgramsOp>>(types, patterns.getContext());
}
