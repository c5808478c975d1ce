//===- ControlAndIds.cpp - Program ids and tokens -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

using namespace mlir;
using namespace mlir::tilellvm;

/// With several CTAs per cluster a tile block is a cluster, and the grid counts clusters (.blocksareclusters,
/// docs/contract.md).
static bool hasClusters(Operation *op) {
  auto func = op->getParentOfType<FunctionOpInterface>();
  auto dims = func ? func->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim") : DenseI32ArrayAttr();
  return dims && llvm::any_of(dims.asArrayRef(), [](int32_t d) { return d != 1; });
}

namespace {

template <typename X, typename Y, typename Z> SmallVector<Value> read(Emitter &e) {
  Type i32 = e.intTy(32);
  return {X::create(e.b, e.loc, i32), Y::create(e.b, e.loc, i32), Z::create(e.b, e.loc, i32)};
}

struct GetProgramId : TilePattern<nv_tileaa::GetProgramIdOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GetProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, hasClusters(op) ? read<NVVM::ClusterIdXOp, NVVM::ClusterIdYOp, NVVM::ClusterIdZOp>(e)
                                           : read<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(e));
    return success();
  }
};

struct GetNumPrograms : TilePattern<nv_tileaa::GetNumProgramsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GetNumProgramsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, hasClusters(op) ? read<NVVM::ClusterDimXOp, NVVM::ClusterDimYOp, NVVM::ClusterDimZOp>(e)
                                           : read<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(e));
    return success();
  }
};

/// Tokens carry no data; the order they asked for is in the barriers (MemoryOrder.cpp).
template <typename Op> struct Token : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

} // namespace

void tilellvm::populateControlAndIdPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                            const LoweringOptions &options) {
  patterns.add<GetProgramId, GetNumPrograms, Token<nv_tileaa::CreateMemTokenOp>, Token<nv_tileaa::JoinMemTokenOp>>(
      converter, patterns.getContext(), options);
}
