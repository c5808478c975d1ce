//===- TileFuncToLLVM.cpp - The convert-nv-tile-func-to-llvm pass ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The function boundary goes first: body patterns that read arguments need them LLVM-typed (docs/contract.md, "The
// lowering to LLVM"). Kernel attributes, with the types MLIR 22 wants:
//
//   cute.kernel               unit                 always
//   nvvm.reqntid              array<i32: 32*W>     always; W = warps of the block
//   nvvm.cluster_dim          array<i32: x, y, z>  sm > 89 and more than one CTA per cluster
//   nvvm.blocksareclusters    unit                 same
//   nvvm.minctasm             i32                  the requested occupancy as far as an SM holds it, else 1
//   nvvm.maxnreg              i32                  with a requested occupancy, where the register file sets a limit
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/TileTypesToLLVM/PdlPatterns.h"
#include "tileiras/Conversion/TileTypesToLLVM/TypeConverter.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Remark/Remark.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEFUNCTOLLVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace {

/// Registers per thread that still let `occupancy` blocks of `threads` share the register file; nothing if that is no
/// limit.
std::optional<int64_t> registerLimit(const ::tileiras::TargetInfo *target, int64_t threads, int64_t occupancy) {
  int64_t file = target ? target->registersPerSm : 65536;
  int64_t most = target ? target->maxRegistersPerThread : 255;
  int64_t limit = file / (threads * occupancy) / 8 * 8;
  if (limit <= 0 || limit > most)
    return std::nullopt;
  return limit;
}

/// The most blocks of `threads` that one SM holds. ptxas warns of more (".minnctapersm is out of range"), and with
/// fewer than 24 registers, which it then raises; some instructions need 28.
int64_t mostBlocks(const ::tileiras::TargetInfo *target, int64_t threads) {
  constexpr int64_t fewestRegisters = 32;
  int64_t file = target ? target->registersPerSm : 65536;
  int64_t most =
      std::min<int64_t>(target ? target->maxBlocksPerSm : 16, (target ? target->maxWarpsPerSm : 48) * 32 / threads);
  return std::max<int64_t>(std::min(most, file / (threads * fewestRegisters)), 1);
}

void addKernelAttributes(nv_tileaa::FuncOp source, func::FuncOp target, nv_tileaa::KernelSpecAttr spec,
                         const ::tileiras::TargetInfo *info) {
  Builder b(source.getContext());
  int32_t threads = 32 * spec.getNumWarps();
  target->setAttr("cute.kernel", b.getUnitAttr());
  target->setAttr("nvvm.reqntid", b.getDenseI32ArrayAttr({threads}));
  int64_t product = int64_t(spec.getClusterDimX()) * spec.getClusterDimY() * spec.getClusterDimZ();
  if (info && info->clusters && product > 1) {
    target->setAttr("nvvm.cluster_dim",
                    b.getDenseI32ArrayAttr({spec.getClusterDimX(), spec.getClusterDimY(), spec.getClusterDimZ()}));
    target->setAttr("nvvm.blocksareclusters", b.getUnitAttr());
  }
  int64_t occupancy = 0, asked = 0;
  if (auto attr = source->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr)) {
    asked = attr.getInt();
    occupancy = std::min(asked, mostBlocks(info, threads));
  }
  target->setAttr("nvvm.minctasm", b.getI32IntegerAttr(std::max<int64_t>(occupancy, 1)));
  std::optional<int64_t> limit = occupancy > 0 ? registerLimit(info, threads, occupancy) : std::nullopt;
  if (limit)
    target->setAttr("nvvm.maxnreg", b.getI32IntegerAttr(*limit));

  namespace remarks = ::tileiras::remarks;
  auto remark = occupancy < asked ? remarks::missed(source, remarks::kResources, "Occupancy")
                                  : remarks::analysis(source, remarks::kResources, "Occupancy");
  remark << remarks::figure("Blocks", occupancy) << remarks::figure("Asked", asked)
         << remarks::figure("Threads", threads);
  if (limit)
    remark << remarks::figure("RegisterLimit", *limit);
  remark << remarks::because(occupancy < asked ? "a multiprocessor does not hold more blocks of so many threads"
                             : asked           ? "so many blocks of a multiprocessor divide its registers"
                                               : "nothing was asked for: a thread may have all registers");
}

struct FuncOpConversion : OpConversionPattern<nv_tileaa::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(nv_tileaa::FuncOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    const auto &types = *static_cast<const TileLLVMTypeConverter *>(getTypeConverter());
    TypeConverter::SignatureConversion conversion(op.getFunctionType().getNumInputs());
    FailureOr<FunctionType> type = types.convertTileSignature(op.getLoc(), op.getFunctionType(), conversion);
    if (failed(type))
      return failure();

    auto func = func::FuncOp::create(rewriter, op.getLoc(), op.getSymName(), *type);
    auto spec = op->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
    bool kernel = spec && succeeded(nv_tileaa::getComputeCapability(op)) && succeeded(nv_tileaa::getTargetSpec(op));
    // Other attributes stay; kernel_spec and occupancy are consumed. The target stays for the conversion of the body.
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (!kernel ||
          (attribute.getName() != nv_tileaa::kKernelSpecAttr && attribute.getName() != nv_tileaa::kOccupancyAttr))
        func->setAttr(attribute.getName(), attribute.getValue());
    if (op.getSymVisibilityAttr())
      func.setSymVisibilityAttr(op.getSymVisibilityAttr());
    if (op.getArgAttrsAttr())
      func.setArgAttrsAttr(op.getArgAttrsAttr());
    if (op.getResAttrsAttr())
      func.setResAttrsAttr(op.getResAttrsAttr());
    if (kernel)
      addKernelAttributes(op, func, spec, nv_tileaa::getTarget(op));

    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (!func.getBody().empty() && failed(rewriter.convertRegionTypes(&func.getBody(), types, &conversion))) {
      op.emitError("region types conversion failed");
      return failure();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReturnOpConversion : OpConversionPattern<nv_tileaa::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(nv_tileaa::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Operation *parent = op->getParentOp();
    bool kernel = parent->hasAttr(nv_tileaa::kKernelSpecAttr) || parent->hasAttr("cute.kernel");
    if (kernel && op->getNumOperands())
      return op.emitError("Kernel functions do not support return with operands");
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

/// A cast between a type and its converted form is nothing once both sides are converted.
struct CastOpElimination : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
        getTypeConverter()->convertType(op.getType(0)) != adaptor.getOperands().front().getType())
      return failure();
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};

struct ConvertTileFuncToLLVMPass : tileiras::impl::ConvertTileFuncToLLVMPassBase<ConvertTileFuncToLLVMPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    tilellvm::registerPdlDialects(registry, pdlFiles);
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TileLLVMTypeConverter converter(context, indexBitwidth);
    RewritePatternSet patterns(context);
    patterns.add<FuncOpConversion, ReturnOpConversion, CastOpElimination>(converter, context);
    ConversionTarget target(*context);
    target.addIllegalOp<nv_tileaa::FuncOp, nv_tileaa::ReturnOp>();
    target.addDynamicallyLegalOp<UnrealizedConversionCastOp>([&](UnrealizedConversionCastOp op) {
      return op->getNumOperands() != 1 || op->getNumResults() != 1 ||
             converter.convertType(op.getType(0)) != op.getOperand(0).getType();
    });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(tilellvm::addPdlPatterns(getOperation().getLoc(), pdlFiles, converter, patterns)) ||
        failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    // Chains of casts that the new signatures made into round trips.
    SmallVector<UnrealizedConversionCastOp> casts;
    getOperation().walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
    reconcileUnrealizedCasts(casts);
  }
};

} // namespace
