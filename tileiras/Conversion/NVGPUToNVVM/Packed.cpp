//===- Packed.cpp - nvgpu.cvt_*, *.packed.f32x2 to NVVM -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX writes the upper element first: `cvt.rn.f16x2.f32 d, a, b` puts a above b. Element 0 of our vectors is the lower
// one.
//
// There is one instruction per pair of formats, and not for every pair: what is missing goes through a format in
// between that holds every value of the source (f16 for fp8, fp6 and fp4, bf16 for ue8m0), so nothing is rounded twice.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

using namespace mlir;

namespace tileiras {
namespace {

using nvgpu::PackedKind;

Type narrowType(PackedKind kind, MLIRContext *context) {
  switch (kind) {
  case PackedKind::E4M3x2:
    return Float8E4M3FNType::get(context);
  case PackedKind::E5M2x2:
    return Float8E5M2Type::get(context);
  case PackedKind::E2M3x2:
    return Float6E2M3FNType::get(context);
  case PackedKind::E3M2x2:
    return Float6E3M2FNType::get(context);
  case PackedKind::E2M1x2:
    return Float4E2M1FNType::get(context);
  case PackedKind::UE8M0x2:
    return Float8E8M0FNUType::get(context);
  case PackedKind::F16x2:
    return Float16Type::get(context);
  case PackedKind::BF16x2:
    return BFloat16Type::get(context);
  }
  llvm_unreachable("all kinds are named");
}

struct CvtFpExt : ConvertOpToLLVMPattern<nvgpu::CvtFpExtOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::CvtFpExtOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = rewriter.getContext();
    PackedKind kind = op.getPackedKind();
    auto resultType = cast<VectorType>(op.getRes().getType());
    auto pairOf = [](Type element) { return VectorType::get(2, element); };
    Type narrow = narrowType(kind, context);
    auto low = [&](unsigned bits) -> Value {
      return LLVM::TruncOp::create(rewriter, loc, rewriter.getIntegerType(bits), adaptor.getSrc());
    };
    auto bytes = [&]() -> Value {
      return LLVM::BitcastOp::create(rewriter, loc, pairOf(rewriter.getI8Type()), low(16));
    };

    VectorType halves = pairOf(rewriter.getF16Type());
    Value wide;
    if (nvgpu::isFp8(kind))
      wide = NVVM::ConvertF8x2ToF16x2Op::create(rewriter, loc, halves, bytes(), op.getRelu(), narrow);
    else if (nvgpu::isFp6(kind))
      wide = NVVM::ConvertF6x2ToF16x2Op::create(rewriter, loc, halves, bytes(), op.getRelu(), narrow);
    else if (nvgpu::isFp4(kind))
      wide = NVVM::ConvertF4x2ToF16x2Op::create(rewriter, loc, halves, low(8), op.getRelu(), narrow);
    else if (kind == PackedKind::UE8M0x2)
      wide = NVVM::ConvertF8x2ToBF16x2Op::create(rewriter, loc, pairOf(rewriter.getBF16Type()), bytes(), narrow);
    else
      wide = LLVM::BitcastOp::create(rewriter, loc, pairOf(narrow), adaptor.getSrc());
    if (wide.getType() != resultType)
      wide = LLVM::FPExtOp::create(rewriter, loc, resultType, wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

struct CvtFpTrunc : ConvertOpToLLVMPattern<nvgpu::CvtFpTruncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::CvtFpTruncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    PackedKind kind = op.getPackedKind();
    Type narrow = narrowType(kind, rewriter.getContext()), i16 = rewriter.getI16Type();
    Value source = adaptor.getSrc();
    Type element = cast<VectorType>(op.getSrc().getType()).getElementType();

    Value packed;
    if (nvgpu::isFp8(kind) && element.isF16()) {
      packed = NVVM::ConvertF16x2ToF8x2Op::create(rewriter, loc, i16, source, op.getRelu(), narrow);
    } else {
      if (!element.isF32())
        source = LLVM::FPExtOp::create(rewriter, loc, VectorType::get(2, rewriter.getF32Type()), source);
      Value lower = lane(rewriter, loc, source, 0), upper = lane(rewriter, loc, source, 1);
      NVVM::FPRoundingMode rounding = nvvmRounding(op.getRnd());
      NVVM::SaturationMode saturate = NVVM::SaturationMode::SATFINITE;
      if (kind == PackedKind::UE8M0x2 || nvgpu::isFp8(kind))
        packed = NVVM::ConvertF32x2ToF8x2Op::create(rewriter, loc, i16, upper, lower, rounding, saturate, op.getRelu(),
                                                    narrow);
      else if (nvgpu::isFp6(kind))
        packed = NVVM::ConvertF32x2ToF6x2Op::create(rewriter, loc, i16, upper, lower, op.getRelu(), narrow);
      else if (nvgpu::isFp4(kind))
        packed =
            NVVM::ConvertF32x2ToF4x2Op::create(rewriter, loc, rewriter.getI8Type(), upper, lower, op.getRelu(), narrow);
      else
        packed = halfPair(rewriter, op, upper, lower, rounding);
    }
    Type i32 = rewriter.getI32Type();
    if (isa<VectorType>(packed.getType()))
      packed = LLVM::BitcastOp::create(rewriter, loc, i32, packed);
    else
      packed = LLVM::ZExtOp::create(rewriter, loc, i32, packed);
    rewriter.replaceOp(op, packed);
    return success();
  }

private:
  static Value lane(OpBuilder &b, Location loc, Value vector, int64_t index) {
    Value position = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(index));
    return LLVM::ExtractElementOp::create(b, loc, vector, position);
  }

  static NVVM::FPRoundingMode nvvmRounding(nvgpu::PackedRounding rounding) {
    switch (rounding) {
    case nvgpu::PackedRounding::RN:
      return NVVM::FPRoundingMode::RN;
    case nvgpu::PackedRounding::RZ:
      return NVVM::FPRoundingMode::RZ;
    case nvgpu::PackedRounding::RM:
      return NVVM::FPRoundingMode::RM;
    case nvgpu::PackedRounding::RP:
      return NVVM::FPRoundingMode::RP;
    }
    llvm_unreachable("all modes are named");
  }

  static Value halfPair(OpBuilder &b, nvgpu::CvtFpTruncOp op, Value upper, Value lower, NVVM::FPRoundingMode rounding) {
    Location loc = op.getLoc();
    NVVM::SaturationMode none = NVVM::SaturationMode::NONE;
    if (op.getPackedKind() == PackedKind::F16x2)
      return NVVM::ConvertF32x2ToF16x2Op::create(b, loc, VectorType::get(2, b.getF16Type()), upper, lower, Value(),
                                                 rounding, none, op.getRelu());
    return NVVM::ConvertF32x2ToBF16x2Op::create(b, loc, VectorType::get(2, b.getBF16Type()), upper, lower, Value(),
                                                rounding, none, op.getRelu());
  }
};

/// LLVM selects fma.rn.f32x2 for vectors in its own time and has no other rounding; the instruction is written out.
template <typename Op> struct PackedArithmetic : ConvertOpToLLVMPattern<Op> {
  PackedArithmetic(const LLVMTypeConverter &converter, StringRef mnemonic)
      : ConvertOpToLLVMPattern<Op>(converter), mnemonic(mnemonic) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    SmallVector<Value> operands;
    std::string text =
        (mnemonic + "." + nvgpu::stringifyPackedRounding(op.getRnd()) + (op.getFtz() ? ".ftz" : "") + ".f32x2 $0")
            .str();
    std::string constraints = "=l";
    for (Value operand : adaptor.getOperands()) {
      operands.push_back(LLVM::BitcastOp::create(rewriter, loc, i64, operand));
      text += ", $" + std::to_string(operands.size());
      constraints += ",l";
    }
    auto packed = LLVM::InlineAsmOp::create(
        rewriter, loc, TypeRange(i64), operands, text + ";", constraints,
        /*has_side_effects=*/false, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(rewriter.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
    packed->setAttr(kPtxVersionAttr, rewriter.getI32IntegerAttr(86));
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getRes().getType(), packed.getResult(0));
    return success();
  }

  StringRef mnemonic;
};

} // namespace

void populatePackedPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<CvtFpExt, CvtFpTrunc>(converter);
  patterns.add<PackedArithmetic<nvgpu::FmaPackedF32x2Op>>(converter, "fma");
  patterns.add<PackedArithmetic<nvgpu::MulPackedF32x2Op>>(converter, "mul");
}

} // namespace tileiras
