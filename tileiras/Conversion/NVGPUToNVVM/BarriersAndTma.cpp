//===- BarriersAndTma.cpp - mbarrier.inval, tma.async.reduce, stmatrix ----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

using namespace mlir;

namespace tileiras {

void predicated(OpBuilder &builder, Location loc, Value predicate, function_ref<void(OpBuilder &)> body) {
  if (!predicate)
    return body(builder);
  scf::IfOp::create(builder, loc, predicate, [&](OpBuilder &inside, Location) {
    body(inside);
    scf::YieldOp::create(inside, loc);
  });
}

namespace {

struct MBarrierInval : ConvertOpToLLVMPattern<nvgpu::MBarrierInvalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MBarrierInvalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The group's address space becomes the pointer's: shared memory selects the shared form of the instruction.
    MemRefType type = nvgpu::getMBarrierMemrefType(rewriter.getContext(), op.getBarriers().getType());
    Value pointer = getStridedElementPtr(rewriter, op.getLoc(), type, adaptor.getBarriers(), {adaptor.getMbarId()});
    predicated(rewriter, op.getLoc(), adaptor.getPredicate(),
               [&](OpBuilder &b) { NVVM::MBarrierInvalOp::create(b, op.getLoc(), pointer); });
    rewriter.eraseOp(op);
    return success();
  }
};

NVVM::TMAReduxKind nvvmKind(nvgpu::TmaReduxKind kind) {
  switch (kind) {
  case nvgpu::TmaReduxKind::Add:
    return NVVM::TMAReduxKind::ADD;
  case nvgpu::TmaReduxKind::Min:
    return NVVM::TMAReduxKind::MIN;
  case nvgpu::TmaReduxKind::Max:
    return NVVM::TMAReduxKind::MAX;
  case nvgpu::TmaReduxKind::Inc:
    return NVVM::TMAReduxKind::INC;
  case nvgpu::TmaReduxKind::Dec:
    return NVVM::TMAReduxKind::DEC;
  case nvgpu::TmaReduxKind::And:
    return NVVM::TMAReduxKind::AND;
  case nvgpu::TmaReduxKind::Or:
    return NVVM::TMAReduxKind::OR;
  case nvgpu::TmaReduxKind::Xor:
    return NVVM::TMAReduxKind::XOR;
  }
  llvm_unreachable("all kinds are named");
}

struct TmaAsyncReduce : ConvertOpToLLVMPattern<nvgpu::TmaAsyncReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::TmaAsyncReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, op.getSrc().getType(), adaptor.getSrc(), {});
    SmallVector<Value> coordinates;
    for (Value coordinate : adaptor.getCoordinates())
      coordinates.push_back(LLVM::TruncOp::create(rewriter, loc, rewriter.getI32Type(), coordinate));
    predicated(rewriter, loc, adaptor.getPredicate(), [&](OpBuilder &b) {
      NVVM::CpAsyncBulkTensorReduceOp::create(b, loc, adaptor.getTensorMapDescriptor(), source,
                                              nvvmKind(op.getRedop()), NVVM::TMAStoreMode::TILE, coordinates,
                                              adaptor.getL2CacheHint());
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct StMatrix : ConvertOpToLLVMPattern<nvgpu::StMatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::StMatrixOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pointer = getStridedElementPtr(rewriter, loc, op.getDst().getType(), adaptor.getDst(), adaptor.getIndices());
    // A vector of rank 2 is an array of vectors; each of those is one register.
    SmallVector<Value> registers;
    for (int64_t i = 0, e = cast<VectorType>(op.getSrc().getType()).getDimSize(0); i < e; ++i) {
      Value row = LLVM::ExtractValueOp::create(rewriter, loc, adaptor.getSrc(), i);
      registers.push_back(LLVM::BitcastOp::create(rewriter, loc, rewriter.getI32Type(), row));
    }
    MLIRContext *context = rewriter.getContext();
    NVVM::StMatrixOp::create(rewriter, loc, pointer, registers,
                             op.getTranspose() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                             NVVM::LdStMatrixShapeAttr::get(context, 8, 8), NVVM::LdStMatrixEltType::B16);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateBarrierAndTmaPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MBarrierInval, TmaAsyncReduce, StMatrix>(converter);
}

} // namespace tileiras
