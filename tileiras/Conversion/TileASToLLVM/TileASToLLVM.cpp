//===- TileASToLLVM.cpp - The convert-nv-tileas-to-llvm pass --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// docs/contract.md, "The lowering to LLVM": preparation (prints, shared memory, memory
// order), the shared-memory globals, one partial conversion with all pattern sets and one type converter,
// reconciliation of casts, and a walk that lets no tile operation pass.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/TileASToLLVM/AsyncTokens.h"
#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"
#include "tileiras/Conversion/TileASToLLVM/LeavingBlocks.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "tileiras/Conversion/TileASToLLVM/PrintPhase.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Conversion/TileTypesToLLVM/PdlPatterns.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/OrderInvariants.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/LoweringFacts.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEASTOLLVMPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

/// What somebody else lowers stays, and gets operands and results of LLVM's types. Later patterns, of whoever knows it,
/// see those.
struct Plugin : TilePattern<nv_tileaa::PluginOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::PluginOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> results;
    if (failed(types().convertTypes(op.getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "has results of a type that has no counterpart in LLVM");
    rewriter.replaceOpWithNewOp<nv_tileaa::PluginOp>(op, results, adaptor.getOperands(), op->getAttrs());
    return success();
  }
};

struct ConvertTileASToLLVMPass : tileiras::impl::ConvertTileASToLLVMPassBase<ConvertTileASToLLVMPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    tilellvm::registerPdlDialects(registry, pdlFiles);
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    WalkResult walk = getOperation().walk([&](func::FuncOp func) {
      if (func.isDeclaration())
        return WalkResult::advance();
      // A kernel needs both; other functions what their operations ask for.
      bool kernel = func->hasAttr("cute.kernel") || func->hasAttr(nv_tileaa::kKernelSpecAttr);
      if (failed(nv_tileaa::getComputeCapability(func)) || (kernel && failed(nv_tileaa::getTargetSpec(func)))) {
        func.emitError("Failed to get ComputeCapability");
        return WalkResult::interrupt();
      }
      kernels.push_back(func);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    for (func::FuncOp func : kernels)
      if (failed(checkPrints(func)) || failed(nv_tileas::checkScaledProducts(func)) || failed(openScratch(func)))
        return signalPassFailure();
    for (func::FuncOp func : kernels) {
      planMemoryOrder(func);
      planWaits(func);
      planTensorMaps(func);
      planProductBarriers(func);
      planHalves(func);
    }
    for (func::FuncOp func : kernels)
      if (failed(planSharedMemory(func, kernels.size() > 1)) || failed(openTensorMemory(func)))
        return signalPassFailure();
    SmallVector<func::FuncOp> clustered;
    llvm::copy_if(kernels, std::back_inserter(clustered), [](func::FuncOp func) { return isForOneBlockOfMany(func); });
    if (failed(convert()))
      return signalPassFailure();
    for (func::FuncOp func : kernels)
      if (failed(lowerAgentSwitches(func)))
        return signalPassFailure();
    if (failed(checkSurvivors()))
      return signalPassFailure();
    for (func::FuncOp func : clustered)
      leaveToFirstBlock(func);
    for (func::FuncOp func : kernels)
      leaveToStayingBlocks(func);
    for (func::FuncOp func : kernels) {
      func->removeAttr(kSmemSymbolAttr);
      closeTensorMemory(func);
      func->removeAttr(kStoresHalvesAttr);
      func->removeAttr(nv_tileas::kSharedBytesAttr);
      func->removeAttr(nv_tileas::kDividedClusterAttr);
    }
  }

  /// The operations of nv_tileas.with_scratch stand for themselves again and know where their scratch memory is.
  static LogicalResult openScratch(func::FuncOp func) {
    SmallVector<nv_tileas::WithScratchOp> regions;
    func.walk([&](nv_tileas::WithScratchOp op) { regions.push_back(op); });
    for (nv_tileas::WithScratchOp op : regions) {
      auto alloc = op.getScratch().getDefiningOp<nv_tileas::AllocTensorOp>();
      if (!alloc || !alloc.getOffset())
        return op.emitOpError("scratch tile has no offset in shared memory");
      int64_t bytes = cast<RankedTensorType>(alloc.getType()).getNumElements();
      for (Operation &inner : op.getBody().front().without_terminator()) {
        if (int64_t needed = exchangeBytes(&inner); needed > bytes)
          return inner.emitOpError("needs ") << needed << " bytes of scratch memory, but got " << bytes;
        inner.setAttr(nv_tileas::kScratchOffsetAttr, alloc.getOffsetAttr());
      }
      Operation *yield = op.getBody().front().getTerminator();
      op->getBlock()->getOperations().splice(op->getIterator(), op.getBody().front().getOperations(),
                                             op.getBody().front().begin(), yield->getIterator());
      op->replaceAllUsesWith(yield->getOperands());
      op.erase();
    }
    WalkResult walk = func.walk([](Operation *op) {
      int64_t needed = exchangeBytes(op);
      if (!needed || op->hasAttr(nv_tileas::kScratchOffsetAttr))
        return WalkResult::advance();
      op->emitOpError("needs ") << needed << " bytes of scratch memory (tileas-allocate-scratch)";
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }

  /// Sizes the kernel's shared memory, checks it against the target and makes the global.
  LogicalResult planSharedMemory(func::FuncOp func, bool several) {
    int64_t bytes = 0, alignment = 16;
    if (auto planned = func->getAttrOfType<IntegerAttr>(nv_tileas::kSharedBytesAttr))
      bytes = planned.getInt();
    bool missing = false;
    func.walk([&](Operation *op) {
      if (nv_tileas::isTensorLoad(op) || nv_tileas::isTensorStore(op))
        alignment = 1024; // where the widest swizzle begins, however small the tile
      if (auto alloc = dyn_cast<nv_tileas::AllocTensorOp>(op)) {
        if (!alloc.getOffset()) {
          alloc.emitOpError("has no offset in shared memory");
          missing = true;
          return;
        }
        if (!nv_tileas::isIn(alloc.getType(), nv_tileas::MemoryKind::Shared))
          return;
        auto type = cast<RankedTensorType>(alloc.getType());
        int64_t size = type.getNumElements() * nv_tileas::getStorageBytes(type.getElementType());
        bytes = std::max<int64_t>(bytes, *alloc.getOffset() + size);
        // Tiles of 128 bytes and more expect their rows at 128-byte boundaries, large ones TMA's 1024.
        alignment = std::max<int64_t>(alignment, size >= 1024 ? 1024 : size >= 128 ? 128 : 16);
      }
    });
    if (missing)
      return func.emitError("fails to do bufferization analysis");
    Builder builder(&getContext());
    if (extendedSharedBytes && bytes > extendedSharedBytes)
      return func.emitError("fails to assign smem buffer: the kernel needs ")
             << bytes << " bytes of shared memory, and " << extendedSharedBytes.getValue() << " are planned for it";
    bytes = std::max<int64_t>(bytes, extendedSharedBytes);
    if (bytes == 0)
      return success();

    const ::tileiras::TargetInfo *info = nv_tileaa::getTarget(func);
    if (!info)
      return func.emitError("failed to get the target spec");
    int64_t limit = dynamicShared || nv_tileas::getSharedBytes(func) > info->maxStaticShared ? info->maxDynamicShared
                                                                                             : info->maxStaticShared;
    if (bytes > limit)
      return func.emitError("fails to assign smem buffer: the kernel needs ")
             << bytes << " bytes of shared memory, " << info->compiledAs << " has " << limit;
    // `.extern .shared` without a size: the launch says how much there is.
    bool dynamic = bytes > info->maxStaticShared;
    if (dynamic)
      func->setAttr(::tileiras::kDynamicSharedBytesAttr, builder.getI64IntegerAttr(bytes));

    std::string name = several ? ("global_smem_" + func.getName()).str() : "global_smem";
    Operation *table = SymbolTable::getNearestSymbolTable(func);
    if (Operation *existing = SymbolTable::lookupSymbolIn(table, name)) {
      if (failed(checkExisting(existing, func, bytes, dynamic, alignment)))
        return failure();
    } else {
      OpBuilder b = OpBuilder::atBlockBegin(&table->getRegion(0).front());
      Type array = LLVM::LLVMArrayType::get(b.getI8Type(), dynamic ? 0 : bytes);
      LLVM::GlobalOp::create(b, func.getLoc(), array, /*isConstant=*/false,
                             dynamic ? LLVM::Linkage::External : LLVM::Linkage::Internal, name, Attribute(), alignment,
                             kShared);
    }
    func->setAttr(kSmemSymbolAttr, FlatSymbolRefAttr::get(&getContext(), name));
    return success();
  }

  /// Whether a global that is there already can hold the kernel's shared memory.
  static LogicalResult checkExisting(Operation *existing, func::FuncOp func, int64_t bytes, bool dynamic,
                                     int64_t alignment) {
    auto refuse = [&](const Twine &why) -> LogicalResult {
      InFlightDiagnostic error = existing->emitOpError("cannot hold the shared memory of '")
                                 << func.getName() << "': " << why;
      error.attachNote(func.getLoc()) << "which needs " << bytes << " bytes";
      return failure();
    };
    auto global = dyn_cast<LLVM::GlobalOp>(existing);
    if (!global || global.getAddrSpace() != kShared)
      return refuse("it is no variable in shared memory");
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (!array || !array.getElementType().isInteger(8))
      return refuse("it is no array of bytes");
    bool external = global.getLinkage() == LLVM::Linkage::External && array.getNumElements() == 0;
    if (external != dynamic)
      return refuse(dynamic
                        ? "more than a static array may have is needed, which the launch gives to an external array "
                          "without a size"
                        : "its size comes with the launch");
    if (!dynamic && int64_t(array.getNumElements()) < bytes)
      return refuse("it has " + Twine(array.getNumElements()) + " bytes");
    if (int64_t(global.getAlignment().value_or(1)) < alignment)
      return refuse("it is aligned to " + Twine(global.getAlignment().value_or(1)) + " bytes, and " + Twine(alignment) +
                    " are needed");
    return success();
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    TileLLVMTypeConverter converter(context, indexBitwidth);
    // Lowered behind this pass; until then its values go through loops as they are.
    converter.addConversion([](Type type) -> std::optional<Type> {
      return isa<cutlass::CutlassDialect>(type.getDialect()) ? std::optional(type) : std::nullopt;
    });
    LoweringOptions options;
    options.libdevice = libdevice;

    auto setNear = [&](auto op, int64_t ahead) {
      SmallVector<bool> near;
      for (auto [t, index] : llvm::enumerate(op.getIndices()))
        near.push_back(nv_tileaa::isNearArray(op.getView(), t, index, ahead));
      op->setAttr(kNearAttr, DenseBoolArrayAttr::get(context, near));
    };
    auto compare = [&](auto op) {
      SmallVector<int32_t> comparisons;
      for (auto [t, index] : llvm::enumerate(op.getIndices()))
        comparisons.push_back(int32_t(nv_tileaa::getComparison(op.getView(), t, index)));
      op->setAttr(kComparisonsAttr, DenseI32ArrayAttr::get(context, comparisons));
      setNear(op, 0);
    };
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<nv_tileas::TiledLoadOp>(op))
        compare(load);
      else if (auto store = dyn_cast<nv_tileas::TiledStoreOp>(op))
        compare(store);
      else if (auto copy = dyn_cast<nv_tileas::AsyncTiledLoadOp>(op))
        // Copies for a later round, which have products beside them. Others are as fast either way, and ptxas has been
        // seen to spill a few bytes beside 128 sums of a thread that are added up twice.
        setNear(copy, 1);
    });

    RewritePatternSet patterns(context);
    populatePrintAssertPatterns(converter, patterns, options);
    populatePointerMemoryPatterns(converter, patterns, options);
    populateTiledMemoryPatterns(converter, patterns, options);
    populateAtomicPatterns(converter, patterns, options);
    populateStoragePatterns(converter, patterns, options);
    populateSharedMemoryPatterns(converter, patterns, options);
    populateTensorMemoryPatterns(converter, patterns, options);
    populateAsyncCopyPatterns(converter, patterns, options);
    populateAsyncTokenPatterns(converter, patterns, options);
    populateLaunchControlPatterns(converter, patterns, options);
    populateTmaCopyPatterns(converter, patterns, options);
    populateTmaDescriptorPatterns(converter, patterns, options);
    populateDotPatterns(converter, patterns, options);
    populateReducePatterns(converter, patterns, options);
    populateScanPatterns(converter, patterns, options);
    populateShapePatterns(converter, patterns, options);
    populateConstructorPatterns(converter, patterns, options);
    populateControlAndIdPatterns(converter, patterns, options);
    populateElementwisePatterns(converter, patterns, options);
    populatePackedFloatPatterns(converter, patterns, options);
    populateFloatPatterns(converter, patterns, options);
    populateFloatConversionPatterns(converter, patterns, options);
    populateMathPatterns(converter, patterns, options);
    patterns.add<Plugin>(converter, context, options);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);

    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect, cf::ControlFlowDialect, cutlass::CutlassDialect>();
    target.addIllegalDialect<nv_tileaa::TileAADialect, nv_tileas::TileASDialect, arith::ArithDialect,
                             math::MathDialect>();
    if (!libdevice) {
      // Functions on scalars are left for the pass that expands them.
      auto expandable = [](Operation *op) {
        Type type = op->getResult(0).getType();
        if (!type.isF32() && !type.isF64())
          return false;
        auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
        return !flags || !flags.getFastMathFlagsAttr() ||
               flags.getFastMathFlagsAttr().getValue() == arith::FastMathFlags::none;
      };
      target.addDynamicallyLegalDialect<math::MathDialect>(expandable);
    }
    target.addDynamicallyLegalOp<nv_tileaa::PluginOp>([](Operation *op) {
      return llvm::all_of(op->getOperandTypes(), LLVM::isCompatibleType) &&
             llvm::all_of(op->getResultTypes(), LLVM::isCompatibleType);
    });
    target.addIllegalOp<ub::PoisonOp>();
    target.addLegalOp<UnrealizedConversionCastOp>();
    populateAgentPatterns(converter, patterns, target, options);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });

    if (failed(addPdlPatterns(getOperation().getLoc(), pdlFiles, converter, patterns)) ||
        failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return failure();
    SmallVector<UnrealizedConversionCastOp> casts;
    getOperation().walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
    reconcileUnrealizedCasts(casts);
    return success();
  }

  LogicalResult checkSurvivors() {
    WalkResult walk = getOperation().walk([](Operation *op) {
      if (isa<UnrealizedConversionCastOp>(op)) {
        // What is in another memory is another object: to read a shared tile, an mbarrier or a tensor map through a
        // pointer of another space somebody has to say so.
        auto from = op->getNumOperands() == 1 ? dyn_cast<LLVM::LLVMPointerType>(op->getOperand(0).getType())
                                              : LLVM::LLVMPointerType();
        auto to = op->getNumResults() == 1 ? dyn_cast<LLVM::LLVMPointerType>(op->getResult(0).getType())
                                           : LLVM::LLVMPointerType();
        if (from && to && from != to)
          op->emitOpError("changes the address space of a pointer from ")
              << from.getAddressSpace() << " to " << to.getAddressSpace()
              << " implicitly; llvm.addrspacecast would say so";
        else
          op->emitOpError("survived the conversion to LLVM");
        return WalkResult::interrupt();
      }
      Dialect *dialect = op->getDialect();
      if (isa_and_nonnull<nv_tileaa::TileAADialect, nv_tileas::TileASDialect>(dialect) &&
          !isa<nv_tileaa::FuncOp, nv_tileaa::PluginOp>(op)) {
        op->emitOpError("survived the conversion to LLVM");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }
};

} // namespace
