//===- LowerGpuOps.cpp - The tileir-lower-gpu-ops pass --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The gpu operations that have no instruction of their own become some that have: a reduction over a block one over
// warps and shared memory, a reduction over a warp shuffles, a global id block ids, a shuffle of anything shuffles of
// 32 bits. Uniform reductions of i32 are one redux.sync.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "tileiras/Conversion/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_LOWERGPUOPSPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

constexpr unsigned kLanes = 32, kShuffleBits = 32;

/// What redux.sync computes (PTX ISA, "redux.sync"; sm_80 and later).
bool isRedux(gpu::SubgroupReduceOp op) {
  return op.getUniform() && op.getType().isInteger(32) && !op.getClusterSize() &&
         op.getOp() != gpu::AllReduceOperation::MUL;
}

/// MLIR's conversion leaves the unsigned ones out.
std::optional<NVVM::ReduxKind> unsignedRedux(gpu::SubgroupReduceOp op) {
  if (op.getOp() == gpu::AllReduceOperation::MINUI)
    return NVVM::ReduxKind::UMIN;
  if (op.getOp() == gpu::AllReduceOperation::MAXUI)
    return NVVM::ReduxKind::UMAX;
  return std::nullopt;
}

/// MLIR converts shuffles of 32 bits and takes 64 bits apart. Narrow values travel in the low bits of 32, vectors as
/// one number or element by element.
struct ShuffleAsWords : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    auto vectorType = dyn_cast<VectorType>(type);
    unsigned elementBits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if ((!vectorType && (elementBits == 32 || elementBits == 64)) || elementBits > 64 ||
        (vectorType && vectorType.isScalable()))
      return failure();
    Location loc = op.getLoc();
    Value valid;
    auto shuffle = [&](Value value) {
      auto moved = gpu::ShuffleOp::create(rewriter, loc, value, op.getOffset(), op.getWidth(), op.getMode());
      valid = moved.getValid();
      return moved.getShuffleResult();
    };
    auto narrow = [&](Value value) -> Value { // at most 64 bits
      Type integer = rewriter.getIntegerType(value.getType().getIntOrFloatBitWidth());
      Value bits = value.getType() == integer ? value : arith::BitcastOp::create(rewriter, loc, integer, value);
      if (integer.getIntOrFloatBitWidth() < 32) {
        Value wide = shuffle(arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), bits));
        bits = arith::TruncIOp::create(rewriter, loc, integer, wide);
      } else if (integer.getIntOrFloatBitWidth() == 32 || integer.getIntOrFloatBitWidth() == 64) {
        bits = shuffle(bits);
      } else {
        Value wide = shuffle(arith::ExtUIOp::create(rewriter, loc, rewriter.getI64Type(), bits));
        bits = arith::TruncIOp::create(rewriter, loc, integer, wide);
      }
      return value.getType() == integer ? bits : arith::BitcastOp::create(rewriter, loc, value.getType(), bits);
    };
    Value result;
    int64_t total = vectorType ? vectorType.getNumElements() * elementBits : 0;
    if (!vectorType) {
      result = narrow(op.getValue());
    } else if (elementBits >= 8 && (total == 16 || total == 32 || total == 64)) {
      auto one = VectorType::get(1, rewriter.getIntegerType(total));
      Value whole = vector::BitCastOp::create(rewriter, loc, one, op.getValue());
      Value moved = narrow(vector::ExtractOp::create(rewriter, loc, whole, int64_t(0)));
      result =
          vector::BitCastOp::create(rewriter, loc, vectorType, vector::BroadcastOp::create(rewriter, loc, one, moved));
    } else {
      result = op.getValue();
      for (int64_t i = 0; i != vectorType.getNumElements(); ++i)
        result = vector::InsertOp::create(
            rewriter, loc, narrow(vector::ExtractOp::create(rewriter, loc, op.getValue(), i)), result, i);
      if (!valid)
        return failure();
    }
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

/// MLIR makes `32 - width` the clamp of an upward shuffle, which is the lowest source lane (PTX ISA, "shfl.sync"):
/// below 32 lanes no lane has a source. The first lanes take part, so the lowest source is lane 0.
struct ShuffleUp : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (op.getMode() != gpu::ShuffleMode::UP || !(type.isInteger(32) || type.isF32()))
      return failure();
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(rewriter, loc, i32, value); };
    Value idle = arith::SubIOp::create(rewriter, loc, constant(kLanes), op.getWidth());
    Value members = arith::ShRUIOp::create(rewriter, loc, constant(-1), idle);
    Type result = LLVM::LLVMStructType::getLiteral(rewriter.getContext(), {type, rewriter.getI1Type()});
    Value moved = NVVM::ShflOp::create(rewriter, loc, result, members, op.getValue(), op.getOffset(), constant(0),
                                       NVVM::ShflKind::up, rewriter.getUnitAttr());
    Value value = LLVM::ExtractValueOp::create(rewriter, loc, moved, ArrayRef<int64_t>{0});
    Value valid = LLVM::ExtractValueOp::create(rewriter, loc, moved, ArrayRef<int64_t>{1});
    rewriter.replaceOp(op, {value, valid});
    return success();
  }
};

struct SubgroupSize : OpRewritePattern<gpu::SubgroupSizeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, kLanes);
    return success();
  }
};

struct NumSubgroups : OpRewritePattern<gpu::NumSubgroupsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value threads;
    for (gpu::Dimension dimension : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
      Value extent = gpu::BlockDimOp::create(rewriter, loc, dimension);
      threads = threads ? arith::MulIOp::create(rewriter, loc, threads, extent) : extent;
    }
    Value lanes = arith::ConstantIndexOp::create(rewriter, loc, kLanes);
    Value most = arith::ConstantIndexOp::create(rewriter, loc, kLanes - 1);
    rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, arith::AddIOp::create(rewriter, loc, threads, most), lanes);
    return success();
  }
};

/// A declaration of shared memory whose size is not known: `.extern .shared`. MLIR makes it an internal variable of no
/// bytes, for which LLVM reserves one byte among the static ones, so what follows it is overwritten.
struct DynamicSharedMemory : OpRewritePattern<gpu::DynamicSharedMemoryOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::DynamicSharedMemoryOp op, PatternRewriter &rewriter) const override {
    constexpr StringLiteral name = "__dynamic_shmem__0"; // MLIR's
    constexpr int64_t alignment = 16;
    MemRefType type = op.getResultMemref().getType();
    auto empty = MemRefType::get({0}, type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace());
    Operation *module = SymbolTable::getNearestSymbolTable(op);
    auto global = dyn_cast_or_null<memref::GlobalOp>(SymbolTable::lookupSymbolIn(module, name));
    if (!global) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&module->getRegion(0).front());
      global = memref::GlobalOp::create(rewriter, op.getLoc(), name, /*sym_visibility=*/StringAttr(), empty,
                                        /*initial_value=*/Attribute(), /*constant=*/false,
                                        rewriter.getI64IntegerAttr(alignment));
    }
    Value base = memref::GetGlobalOp::create(rewriter, op.getLoc(), global.getType(), name);
    rewriter.replaceOpWithNewOp<memref::CastOp>(op, type, base);
    return success();
  }
};

struct LowerGpuOpsPass : impl::LowerGpuOpsPassBase<LowerGpuOpsPass> {
  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);

    // The reduction over a block rewrites its whole function, so it goes first and alone.
    RewritePatternSet blocks(&getContext());
    populateGpuRewritePatterns(blocks);
    populateGpuSubgroupIdPatterns(blocks);
    (void)applyPatternsGreedily(getOperation(), std::move(blocks), config);

    SmallVector<Operation *> reductions;
    getOperation()->walk([&](gpu::SubgroupReduceOp op) {
      if (!isRedux(op)) {
        reductions.push_back(op);
      } else if (std::optional<NVVM::ReduxKind> kind = unsignedRedux(op)) {
        OpBuilder builder(op);
        Value all = arith::ConstantIntOp::create(builder, op.getLoc(), builder.getI32Type(), -1);
        op.replaceAllUsesWith(
            NVVM::ReduxOp::create(builder, op.getLoc(), op.getType(), op.getValue(), *kind, all).getResult());
        op.erase();
      }
    });
    RewritePatternSet warps(&getContext());
    populateGpuBreakDownSubgroupReducePatterns(warps, kShuffleBits, PatternBenefit(2));
    populateGpuLowerSubgroupReduceToShufflePatterns(warps, kLanes, kShuffleBits);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(warps, kLanes, kShuffleBits);
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(reductions, std::move(warps), config);

    // Last, for the above make shuffles.
    RewritePatternSet shuffles(&getContext());
    populateGpuRewritePatterns(shuffles);
    shuffles.add<ShuffleAsWords, ShuffleUp, SubgroupSize, NumSubgroups, DynamicSharedMemory>(&getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(shuffles),
                                GreedyRewriteConfig(config).setStrictness(GreedyRewriteStrictness::AnyOp));
  }
};

} // namespace

} // namespace tileiras
