//===- BarriersAndTma.cpp - mbarrier.*, tma.async.*, stmatrix -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "tileiras/Conversion/NVGPUToNVVM/Patterns.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

using namespace mlir;

namespace tileiras {

namespace {

struct MBarrierInval : ConvertOpToLLVMPattern<nvgpu::MBarrierInvalOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MBarrierInvalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The group's address space becomes the pointer's: shared memory selects the shared form of the instruction.
    MemRefType type = nvgpu::getMBarrierMemrefType(rewriter.getContext(), op.getBarriers().getType());
    Value pointer = getStridedElementPtr(rewriter, op.getLoc(), type, adaptor.getBarriers(), {adaptor.getMbarId()});
    rewriter.replaceOpWithNewOp<NVVM::MBarrierInvalOp>(op, pointer);
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

/// Coordinates are 32 bits wide.
SmallVector<Value> words(OpBuilder &b, Location loc, ValueRange coordinates) {
  SmallVector<Value> result;
  for (Value coordinate : coordinates)
    result.push_back(LLVM::TruncOp::create(b, loc, b.getI32Type(), coordinate));
  return result;
}

/// The cache policy, an operand in S2-063 that MLIR's operations do not have: here it is an attribute.
Value cacheHint(OpBuilder &b, Operation *op) {
  auto hint = op->getAttrOfType<IntegerAttr>(kCacheHintAttr);
  return hint ? LLVM::ConstantOp::create(b, op->getLoc(), b.getI64IntegerAttr(hint.getInt())) : Value();
}

struct TmaAsyncLoad : ConvertOpToLLVMPattern<nvgpu::TmaAsyncLoadOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::TmaAsyncLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value destination = getStridedElementPtr(rewriter, loc, op.getDst().getType(), adaptor.getDst(), {});
    // The instruction may write to any block of the cluster.
    Type cluster =
        LLVM::LLVMPointerType::get(rewriter.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    destination = LLVM::AddrSpaceCastOp::create(rewriter, loc, cluster, destination);
    MemRefType barriers = nvgpu::getMBarrierMemrefType(rewriter.getContext(), op.getBarriers().getType());
    Value barrier = getStridedElementPtr(rewriter, loc, barriers, adaptor.getBarriers(), {adaptor.getMbarId()});
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(
        op, destination, adaptor.getTensorMapDescriptor(), words(rewriter, loc, adaptor.getCoordinates()), barrier,
        /*im2colOffsets=*/ValueRange(), adaptor.getMulticastMask(), cacheHint(rewriter, op), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), adaptor.getPredicate());
    return success();
  }
};

struct TmaAsyncStore : ConvertOpToLLVMPattern<nvgpu::TmaAsyncStoreOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::TmaAsyncStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, op.getSrc().getType(), adaptor.getSrc(), {});
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(
        op, adaptor.getTensorMapDescriptor(), source, words(rewriter, loc, adaptor.getCoordinates()),
        cacheHint(rewriter, op), NVVM::TMAStoreMode::TILE, adaptor.getPredicate());
    return success();
  }
};

struct TmaAsyncReduce : ConvertOpToLLVMPattern<nvgpu::TmaAsyncReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::TmaAsyncReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, op.getSrc().getType(), adaptor.getSrc(), {});
    SmallVector<Value> coordinates = words(rewriter, loc, adaptor.getCoordinates());
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkTensorReduceOp>(op, adaptor.getTensorMapDescriptor(), source,
                                                                 nvvmKind(op.getRedop()), NVVM::TMAStoreMode::TILE,
                                                                 coordinates, adaptor.getL2CacheHint());
    return success();
  }
};

/// sm_90 and later suspend the thread in mbarrier.try_wait; before, a loop asks. The chip is what nvgpu-verify-target
/// has noted on the module.
struct MBarrierTryWaitParity : ConvertOpToLLVMPattern<nvgpu::MBarrierTryWaitParityOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MBarrierTryWaitParityOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    MemRefType type = nvgpu::getMBarrierMemrefType(rewriter.getContext(), op.getBarriers().getType());
    Value pointer = getStridedElementPtr(rewriter, loc, type, adaptor.getBarriers(), {adaptor.getMbarId()});
    Value phase = LLVM::ZExtOp::create(rewriter, loc, i32, adaptor.getPhaseParity());
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    auto noted = module ? module->getAttrOfType<StringAttr>(kChipAttr) : StringAttr();
    std::optional<Chip> chip = noted ? Chip::parse(noted) : std::nullopt;
    constexpr int kFirstWithTryWait = 90;
    if (!chip || chip->number >= kFirstWithTryWait) {
      Value ticks = LLVM::TruncOp::create(rewriter, loc, i32, adaptor.getTicks());
      rewriter.replaceOpWithNewOp<NVVM::MBarrierTryWaitParityOp>(op, pointer, phase, ticks);
      return success();
    }
    auto loop = scf::WhileOp::create(rewriter, loc, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.createBlock(&loop.getBefore());
    Type i1 = rewriter.getI1Type();
    Value done = NVVM::MBarrierTestWaitOp::create(rewriter, loc, i1, pointer, phase);
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    scf::ConditionOp::create(rewriter, loc, arith::XOrIOp::create(rewriter, loc, done, one), ValueRange());
    rewriter.createBlock(&loop.getAfter());
    scf::YieldOp::create(rewriter, loc);
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
  patterns.add<MBarrierInval, MBarrierTryWaitParity, TmaAsyncLoad, TmaAsyncReduce, TmaAsyncStore, StMatrix>(converter);
}

} // namespace tileiras
