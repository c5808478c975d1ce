//===- TensorMaps.cpp - nvgpu.tensormap.* to NVVM -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensor maps made by a kernel: copied to shared memory, edited there field by field, and handed back to global memory
// with the fence that the tensormap proxy needs (PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy").
//
// NVVM has no operations for them, LLVM has intrinsics. tensormap.cp.async.shared (S2-114) is no PTX instruction;
// 128 bytes are eight loads and stores.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr int64_t kTensorMapBytes = 128;

template <typename Op> struct TensorMapPattern : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  /// The pointer to a tensor map: a descriptor is one, a memref holds one at its beginning. The instructions have no
  /// form for generic addresses that LLVM could select, so what is not in shared memory is in global memory.
  Value pointerTo(ConversionPatternRewriter &rewriter, Location loc, Value original, Value converted) const {
    Value pointer = converted;
    if (auto type = dyn_cast<MemRefType>(original.getType()))
      pointer = MemRefDescriptor(converted).bufferPtr(rewriter, loc, *this->getTypeConverter(), type);
    if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() != 0)
      return pointer;
    Type global =
        LLVM::LLVMPointerType::get(rewriter.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    return LLVM::AddrSpaceCastOp::create(rewriter, loc, global, pointer);
  }
};

struct Create : TensorMapPattern<nvgpu::TensorMapCreateDescriptorOp> {
  using TensorMapPattern::TensorMapPattern;

  LogicalResult matchAndRewrite(nvgpu::TensorMapCreateDescriptorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value from = pointerTo(rewriter, loc, op.getSrc(), adaptor.getSrc());
    Value to = pointerTo(rewriter, loc, op.getDst(), adaptor.getDst());
    Type chunk = VectorType::get(4, rewriter.getI32Type());
    constexpr int64_t kChunk = 16;
    auto at = [&](Value base, int64_t offset) -> Value {
      return LLVM::GEPOp::create(rewriter, loc, base.getType(), rewriter.getI8Type(), base,
                                 ArrayRef<LLVM::GEPArg>{int32_t(offset)});
    };
    for (int64_t offset = 0; offset < kTensorMapBytes; offset += kChunk) {
      Value data = LLVM::LoadOp::create(rewriter, loc, chunk, at(from, offset), kChunk);
      LLVM::StoreOp::create(rewriter, loc, data, at(to, offset), kChunk);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// `intrinsic` takes the pointer, `ord` if the field has one per dimension, and the value.
template <typename Op> struct Update : TensorMapPattern<Op> {
  Update(const LLVMTypeConverter &converter, StringRef intrinsic)
      : TensorMapPattern<Op>(converter), intrinsic(intrinsic) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments = {this->pointerTo(rewriter, loc, op.getDescriptor(), adaptor.getDescriptor())};
    if constexpr (requires { op.getOrd(); })
      arguments.push_back(LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(op.getOrd())));
    arguments.push_back(adaptor.getValue());
    LLVM::CallIntrinsicOp::create(rewriter, loc, rewriter.getStringAttr(intrinsic), arguments);
    rewriter.eraseOp(op);
    return success();
  }

  StringRef intrinsic;
};

struct Init : TensorMapPattern<nvgpu::TensorMapInitOp> {
  using TensorMapPattern::TensorMapPattern;

  LogicalResult matchAndRewrite(nvgpu::TensorMapInitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto map = cast<nvgpu::TensorMapDescriptorType>(op.getMap());
    MemRefType tensor = map.getTensor();
    Value to = pointerTo(rewriter, loc, op.getDst(), adaptor.getDst());
    auto number = [&](int64_t n) -> Value {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(n));
    };
    auto replace = [&](const Twine &field, ArrayRef<int64_t> values) {
      SmallVector<Value> arguments = {to};
      for (int64_t value : values)
        arguments.push_back(number(value));
      LLVM::CallIntrinsicOp::create(rewriter, loc, rewriter.getStringAttr("llvm.nvvm.tensormap.replace." + field),
                                    arguments);
    };
    replace("rank", {tensor.getRank() - 1});
    replace("elemtype", {*nvgpu::tensorMapElementCode(tensor.getElementType())});
    replace("interleave.layout", {static_cast<int64_t>(map.getInterleave())});
    replace("swizzle.mode", {static_cast<int64_t>(map.getSwizzle())});
    replace("fill.mode", {static_cast<int64_t>(map.getOob())});
    for (int64_t i = 0; i < tensor.getRank(); ++i) {
      replace("box.dim", {i, tensor.getDimSize(tensor.getRank() - 1 - i)});
      replace("element.stride", {i, 1});
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct Publish : TensorMapPattern<nvgpu::TensorMapPublishOp> {
  using TensorMapPattern::TensorMapPattern;

  LogicalResult matchAndRewrite(nvgpu::TensorMapPublishOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value from = pointerTo(rewriter, loc, op.getSrc(), adaptor.getSrc());
    Value to = pointerTo(rewriter, loc, op.getDst(), adaptor.getDst());
    auto publish = LLVM::InlineAsmOp::create(
        rewriter, loc, TypeRange(), ValueRange{to, from},
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;",
        "l,l,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(rewriter.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
    publish->setAttr(kPtxVersionAttr, rewriter.getI32IntegerAttr(83));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTensorMapPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<Create, Init, Publish>(converter);
  patterns.add<Update<nvgpu::TensorMapUpdateGlobalAddressOp>>(converter, "llvm.nvvm.tensormap.replace.global.address");
  patterns.add<Update<nvgpu::TensorMapUpdateBoxDimOp>>(converter, "llvm.nvvm.tensormap.replace.box.dim");
  patterns.add<Update<nvgpu::TensorMapUpdateGlobalDimOp>>(converter, "llvm.nvvm.tensormap.replace.global.dim");
  patterns.add<Update<nvgpu::TensorMapUpdateElementStrideOp>>(converter, "llvm.nvvm.tensormap.replace.element.stride");
  patterns.add<Update<nvgpu::TensorMapUpdateGlobalStrideOp>>(converter, "llvm.nvvm.tensormap.replace.global.stride");
}

} // namespace tileiras
