//===- Warpgroup.cpp - warpgroup.mma, .init.accumulator and .store --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In place of MLIR's patterns, which walk along a tile as if it had 64 rows and store as if it had 128 columns
// (docs/upstream-mlir.md). The tiles lie in shared memory as TMA leaves them with the swizzle of 128 bytes, the only
// one the dialect takes for them: 128 bytes of the dense dimension are an atom, whose rows follow each other at 128
// bytes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "tileiras/Conversion/NVGPUToNVVM/Overrides.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr int64_t kAtomBytes = 128, kStepBytes = 32, kWarpgroupRows = 64;

std::optional<NVVM::WGMMATypes> multiplicandType(Type element) {
  if (element.isF16())
    return NVVM::WGMMATypes::f16;
  if (element.isBF16())
    return NVVM::WGMMATypes::bf16;
  if (element.isTF32() || element.isF32())
    return NVVM::WGMMATypes::tf32;
  if (isa<Float8E4M3FNType>(element))
    return NVVM::WGMMATypes::e4m3;
  if (isa<Float8E5M2Type>(element))
    return NVVM::WGMMATypes::e5m2;
  if (element.isInteger(8))
    return NVVM::WGMMATypes::s8;
  return std::nullopt;
}

std::optional<NVVM::WGMMATypes> accumulatorType(Type element) {
  if (element.isF16())
    return NVVM::WGMMATypes::f16;
  if (element.isF32())
    return NVVM::WGMMATypes::f32;
  if (element.isInteger(32))
    return NVVM::WGMMATypes::s32;
  return std::nullopt;
}

/// Bytes of an element in memory.
int64_t bytesOf(Type element) { return llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth()) / 8; }

/// How far into a tile of `rows` x `depth` elements (rows of the product, its K) the part lies that begins at `row` and
/// at K byte `step`: PTX ISA, "Strides", K-major and MN-major.
int64_t offsetInTile(bool transposed, int64_t depth, int64_t rows, int64_t row, int64_t step, int64_t elementBytes) {
  if (transposed) // K counts rows of the atoms, and atoms lie side by side along the other dimension
    return step / elementBytes * kAtomBytes + row * elementBytes / kAtomBytes * depth * kAtomBytes;
  return row * kAtomBytes + step % kAtomBytes + step / kAtomBytes * rows * kAtomBytes;
}

Value advance(OpBuilder &builder, Location loc, Value descriptor, int64_t bytes) {
  if (bytes == 0)
    return descriptor;
  // The address field counts 16 bytes (PTX ISA, "Matrix Descriptor Format"); tiles do not reach over its end.
  Value distance = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), bytes >> 4);
  return LLVM::AddOp::create(builder, loc, descriptor, distance);
}

struct WarpgroupMma : ConvertOpToLLVMPattern<nvgpu::WarpgroupMmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::WarpgroupMmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    Type elementA = op.getDescriptorA().getType().getTensor().getElementType();
    Type elementB = op.getDescriptorB().getType().getTensor().getElementType();
    VectorType shape = op.getMatrixC().getType().getFragmented();
    std::optional<NVVM::WGMMATypes> typeA = multiplicandType(elementA), typeB = multiplicandType(elementB),
                                    typeD = accumulatorType(shape.getElementType());
    if (!typeA || !typeB || !typeD)
      return rewriter.notifyMatchFailure(op, "no wgmma has these types");
    int64_t bytes = bytesOf(elementA);
    int64_t m = shape.getDimSize(0), n = shape.getDimSize(1);
    int64_t depth = op.getDescriptorA().getType().getTensor().getDimSize(1), k = kStepBytes / bytes;
    bool transposeA = op.getTransposeA().value_or(false), transposeB = op.getTransposeB().value_or(false);
    if (m % kWarpgroupRows || depth % k || depth < k)
      return op.emitOpError() << "has extents that are no multiples of " << kWarpgroupRows << " rows and " << k
                              << " of the contracted dimension";

    auto attribute = [&](NVVM::WGMMATypes type) { return NVVM::WGMMATypesAttr::get(context, type); };
    auto layout = [&](bool column) {
      return NVVM::MMALayoutAttr::get(context, column ? NVVM::MMALayout::col : NVVM::MMALayout::row);
    };
    auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);
    Value accumulator = adaptor.getMatrixC();
    for (int64_t slice = 0; slice != m / kWarpgroupRows; ++slice) {
      Value part = LLVM::ExtractValueOp::create(rewriter, loc, accumulator, ArrayRef<int64_t>{slice});
      for (int64_t step = 0; step < depth * bytes; step += kStepBytes) {
        Value a = advance(rewriter, loc, adaptor.getDescriptorA(),
                          offsetInTile(transposeA, depth, m, slice * kWarpgroupRows, step, bytes));
        Value b = advance(rewriter, loc, adaptor.getDescriptorB(), offsetInTile(transposeB, depth, n, 0, step, bytes));
        part = NVVM::WgmmaMmaAsyncOp::create(rewriter, loc, part.getType(), part, a, b,
                                             NVVM::MMAShapeAttr::get(context, kWarpgroupRows, n, k), attribute(*typeA),
                                             attribute(*typeB), attribute(*typeD),
                                             NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one), one, one,
                                             layout(transposeA), layout(!transposeB), NVVM::MMAIntOverflowAttr());
      }
      accumulator = LLVM::InsertValueOp::create(rewriter, loc, accumulator, part, ArrayRef<int64_t>{slice});
    }
    NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, loc);
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, loc, op.getWaitGroup());
    rewriter.replaceOp(op, accumulator);
    return success();
  }
};

/// PTX ISA, "Register Fragments for wgmma.mma_async", D: register i of lane l of warp v holds row
/// 16v + l/4 + 8(i/2 % 2), column 8(i/4) + 2(l % 4) + i % 2.
struct WarpgroupMmaStore : ConvertOpToLLVMPattern<nvgpu::WarpgroupMmaStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::WarpgroupMmaStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type index = rewriter.getIndexType(), word = rewriter.getI32Type();
    auto constant = [&](int64_t value) -> Value { return LLVM::ConstantOp::create(rewriter, loc, word, value); };
    Value thread = NVVM::ThreadIdXOp::create(rewriter, loc, word);
    Value lane = LLVM::URemOp::create(rewriter, loc, thread, constant(32));
    Value warp =
        LLVM::URemOp::create(rewriter, loc, LLVM::UDivOp::create(rewriter, loc, thread, constant(32)), constant(4));
    Value row = LLVM::AddOp::create(rewriter, loc, LLVM::MulOp::create(rewriter, loc, warp, constant(16)),
                                    LLVM::UDivOp::create(rewriter, loc, lane, constant(4)));
    Value column =
        LLVM::MulOp::create(rewriter, loc, LLVM::URemOp::create(rewriter, loc, lane, constant(4)), constant(2));
    auto asIndex = [&](Value base, int64_t offset) -> Value {
      Value sum = LLVM::AddOp::create(rewriter, loc, base, constant(offset));
      return arith::IndexCastUIOp::create(rewriter, loc, index, sum);
    };
    Value accumulator = adaptor.getMatrixD();
    auto slices = cast<LLVM::LLVMStructType>(accumulator.getType()).getBody();
    for (int64_t slice = 0; slice != int64_t(slices.size()); ++slice) {
      Value part = LLVM::ExtractValueOp::create(rewriter, loc, accumulator, ArrayRef<int64_t>{slice});
      int64_t registers = int64_t(cast<LLVM::LLVMStructType>(slices[slice]).getBody().size());
      Value rows[2] = {asIndex(row, slice * kWarpgroupRows), asIndex(row, slice * kWarpgroupRows + 8)};
      for (int64_t i = 0; i != registers; ++i) {
        Value value = LLVM::ExtractValueOp::create(rewriter, loc, part, ArrayRef<int64_t>{i});
        Value columnIndex = asIndex(column, 8 * (i / 4) + i % 2);
        memref::StoreOp::create(rewriter, loc, value, op.getDstMemref(), ValueRange{rows[i / 2 % 2], columnIndex});
      }
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct WarpgroupMmaInit : ConvertOpToLLVMPattern<nvgpu::WarpgroupMmaInitAccumulatorOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::WarpgroupMmaInitAccumulatorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(op, getTypeConverter()->convertType(op.getType()));
    return success();
  }
};

} // namespace

void populateWarpgroupPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<WarpgroupMma, WarpgroupMmaInit, WarpgroupMmaStore>(converter);
}

} // namespace tileiras
