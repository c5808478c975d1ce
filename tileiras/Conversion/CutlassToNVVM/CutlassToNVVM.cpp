//===- CutlassToNVVM.cpp - The convert-cutlass-to-nvvm pass ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Regions go first, then names become numbers and memory, and patterns do the rest: Pipelines.cpp, Barriers.cpp,
// Schedulers.cpp. What a value becomes: Lowering.h.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CutlassToNVVM/CutlassToNVVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Conversion/CutlassToNVVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include <bitset>

namespace tileiras {
#define GEN_PASS_DEF_CONVERTCUTLASSTONVVMPASS
#include "tileiras/Conversion/CutlassToNVVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::cutlass;
using namespace tileiras;
using namespace tileiras::cutlassllvm;

static bool isCutlass(Operation *op) { return isa_and_present<CutlassDialect>(op->getDialect()); }
static bool isCutlassType(Type type) { return isa<CutlassDialect>(type.getDialect()); }

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Puts what is in the region where `b` stands.
static void inlineBody(IRRewriter &b, Region &region, ValueRange arguments) {
  Block *block = b.getInsertionBlock();
  b.inlineBlockBefore(&region.front(), block, b.getInsertionPoint(), arguments);
}

static void inlineFor(IRRewriter &b, Location loc, GroupAttr group, Region &region) {
  Emitter e(b, loc);
  auto branch = scf::IfOp::create(b, loc, takesPart(e, group, /*asked=*/true), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  inlineBody(b, region, {});
}

static void expandRegions(Operation *root) {
  SmallVector<Operation *> regions;
  root->walk([&](Operation *op) {
    if (isa<PipelineProduceOp, PipelineConsumeOp, SwitchByExecutorOp, AsyncExecOp>(op))
      regions.push_back(op);
  });
  IRRewriter b(root->getContext());
  for (Operation *any : regions) {
    b.setInsertionPoint(any);
    Location loc = any->getLoc();
    if (auto op = dyn_cast<PipelineProduceOp>(any)) {
      PipelineType type = op.getPipeline().getType();
      ProducerAcquireOp::create(b, loc, op.getPipeline(), op.getState(), Value());
      SmallVector<Value> arguments = {StateGetIndexOp::create(b, loc, b.getI32Type(), op.getState())};
      if (type.getKind() == PipelineKind::Tma)
        arguments.push_back(GetProducerBarrierOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext(), 3),
                                                         op.getPipeline(), op.getState()));
      inlineBody(b, op.getBody(), arguments);
      ProducerCommitOp::create(b, loc, op.getPipeline(), op.getState(), UnitAttr());
      b.replaceOp(op, StateIncrementOp::create(b, loc, op.getNext().getType(), op.getState()).getResult());
    } else if (auto op = dyn_cast<PipelineConsumeOp>(any)) {
      ConsumerWaitOp::create(b, loc, op.getPipeline(), op.getState(), Value());
      Value index = StateGetIndexOp::create(b, loc, b.getI32Type(), op.getState());
      inlineBody(b, op.getBody(), index);
      ConsumerReleaseOp::create(b, loc, op.getPipeline(), op.getState());
      b.replaceOp(op, StateIncrementOp::create(b, loc, op.getNext().getType(), op.getState()).getResult());
    } else if (auto op = dyn_cast<SwitchByExecutorOp>(any)) {
      PipelineType type = op.getPipeline().getType();
      inlineFor(b, loc, type.getProducer(), op.getProducer());
      inlineFor(b, loc, type.getConsumer(), op.getConsumer());
      b.eraseOp(op);
    } else if (auto op = dyn_cast<AsyncExecOp>(any)) {
      inlineFor(b, loc, op.getGroup(), op.getBody());
      b.eraseOp(op);
    }
  }
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Numbers of barriers that somebody names by a constant. The block's own is 0.
static std::bitset<16> takenBarriers(Operation *root) {
  std::bitset<16> taken(1);
  auto take = [&](Value id) {
    APInt number;
    if (id && matchPattern(id, m_ConstantInt(&number)) && number.ult(16))
      taken.set(number.getZExtValue());
  };
  root->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<NVVM::BarrierOp, NVVM::BarrierArriveOp>([&](auto barrier) { take(barrier.getBarrierId()); })
        .Case<NamedBarrierArriveOp, NamedBarrierArriveAndWaitOp, GenericBarrierSyncOp, GenericBarrierArriveIncrementOp,
              GenericBarrierWaitEqOp, GenericBarrierWaitLessThanOp>([&](auto barrier) { take(barrier.getId()); })
        .Case<FixupOp, FixupWaitOp, FixupIncrementOp>([&](auto op) { take(op.getSyncId()); });
  });
  return taken;
}

static LogicalResult numberBarriers(Operation *root) {
  SmallVector<BarrierIdOp> names;
  root->walk([&](BarrierIdOp op) { names.push_back(op); });
  if (names.empty())
    return success();
  std::bitset<16> taken = takenBarriers(root);
  llvm::StringMap<unsigned> numbers;
  for (BarrierIdOp op : names) {
    auto [known, isNew] = numbers.try_emplace(op.getName(), 0);
    if (isNew) {
      unsigned free = 0;
      while (free < taken.size() && taken[free])
        ++free;
      if (free == taken.size())
        return op.emitOpError("finds all 16 named barriers in use");
      taken.set(free);
      known->second = free;
    }
    OpBuilder b(op);
    op.replaceAllUsesWith(
        Value(LLVM::ConstantOp::create(b, op.getLoc(), b.getI32Type(), b.getI32IntegerAttr(known->second))));
    op.erase();
  }
  return success();
}

Value cutlassllvm::storageOf(Emitter &e, Operation *op) {
  return LLVM::AddressOfOp::create(e.b, e.loc, e.ptrTy(3),
                                   op->getAttrOfType<FlatSymbolRefAttr>(kStorageAttr).getAttr());
}

/// Bytes of shared memory that an operation makes its value of.
static int64_t storageBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](PipelineCreateOp create) {
        PipelineType type = create.getResult().getType();
        return type.getKind() == PipelineKind::TmaStore ? 0 : 2 * kBarrierBytes * type.getStages();
      })
      .Case([](SeqBarCreateOp create) {
        SeqBarType type = create.getResult().getType();
        return kBarrierBytes * type.getDepth() * type.getLength();
      })
      .Case([](CreateSM100SchedulerOp) { return tilellvm::kAnswerBytes + kBarrierBytes; })
      .Default(int64_t(0));
}

static void allocate(Operation *root) {
  root->walk([&](Operation *op) {
    int64_t bytes = isCutlass(op) ? storageBytes(op) : 0;
    if (!bytes)
      return;
    Operation *table = op->getParentWithTrait<OpTrait::SymbolTable>();
    OpBuilder b(op->getContext());
    auto array = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
    auto global = LLVM::GlobalOp::create(b, op->getLoc(), array, /*isConstant=*/false, LLVM::Linkage::Internal,
                                         "cutlass_barriers", LLVM::ZeroAttr(), /*alignment=*/16, /*addrSpace=*/3);
    // Shared memory has no initial value.
    global.removeValueAttr();
    SymbolTable(table).insert(global, table->getRegion(0).front().begin());
    op->setAttr(kStorageAttr, FlatSymbolRefAttr::get(global.getSymNameAttr()));
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Of an operation what its target must have.
static LogicalResult checkTarget(Operation *op, const TargetInfo &target) {
  auto need = [&](bool has, const char *what) -> LogicalResult {
    if (has)
      return success();
    return op->emitOpError("needs ") << what << ", which " << target.name << " does not have";
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](PipelineCreateOp create) {
        bool copies = create.getResult().getType().getKind() != PipelineKind::Async;
        return need(!copies || target.clusters, "tensor copies");
      })
      .Case([&](CreateSM100SchedulerOp) { return need(target.launchControl, "clusterlaunchcontrol"); })
      .Case([&](InfoToCtaCoordOp coord) {
        return need(coord.getCluster()[0] * coord.getCluster()[1] == 1 || target.clusters, "clusters");
      })
      .Case([&](AsyncExecOp exec) {
        return need(exec.getGroup().getMode() != ParticipantMode::Cluster || target.clusters, "clusters");
      })
      .Default(success());
}

/// Warps are counted along x.
static LogicalResult checkShape(Operation *op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> block = kernel ? kernel.getKnownBlockSize() : std::nullopt;
  if (block && block->size() == 3 && ((*block)[1] != 1 || (*block)[2] != 1))
    return op->emitOpError("counts threads along x, but the kernel's blocks have other dimensions");
  return success();
}

/// The hardware gives away clusters, and tells the block that has asked. In a kernel of clusters every block would get
/// another one, of which it does its own part only.
static LogicalResult checkClusters(Operation *op) {
  if (!isa<CreateSM100SchedulerOp>(op))
    return success();
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (!kernel)
    return success();
  SmallVector<int64_t> extents;
  for (StringRef name : {"known_cluster_size", "gpu.known_cluster_size", "nvvm.cluster_dim"})
    if (auto dims = kernel->getAttrOfType<DenseI32ArrayAttr>(name))
      llvm::append_range(extents, dims.asArrayRef());
  kernel->walk([&](InfoToCtaCoordOp coord) { llvm::append_range(extents, coord.getCluster()); });
  if (llvm::all_of(extents, [](int64_t extent) { return extent == 1; }))
    return success();
  return op->emitOpError("takes over single blocks, but the kernel's blocks are launched in clusters");
}

/// Others only pass values of cutlass on.
static LogicalResult checkUse(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isCutlassType) && llvm::none_of(op->getResultTypes(), isCutlassType))
    return success();
  if (isa_and_present<scf::SCFDialect, cf::ControlFlowDialect, func::FuncDialect>(op->getDialect()))
    return success();
  return op->emitOpError("cannot take or make a value of cutlass");
}

static void addTypes(TypeConverter &converter, MLIRContext *context) {
  Type word = IntegerType::get(context, 32), pointer = LLVM::LLVMPointerType::get(context, 3);
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([=](Type type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
    if (!isCutlassType(type))
      return std::nullopt;
    llvm::TypeSwitch<Type>(type)
        .Case([&](PipelineType pipeline) {
          if (pipeline.getKind() != PipelineKind::TmaStore)
            types.push_back(pointer);
        })
        .Case<PipelineStateType, SeqBarStateType>([&](auto) { types.append(3, word); })
        .Case([&](SeqBarType) { types.push_back(pointer); })
        .Case([&](SchedulerParamsType) { types.append(kNumParams, word); })
        .Case([&](WorkTileInfoType) { types.append(kNumInfo, word); })
        .Case([&](SchedulerType) {
          types.push_back(pointer);
          types.append(kNumParams, word);
        });
    return success();
  });
}

namespace {
struct ConvertCutlassToNVVM : tileiras::impl::ConvertCutlassToNVVMPassBase<ConvertCutlassToNVVM> {
  using ConvertCutlassToNVVMPassBase::ConvertCutlassToNVVMPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    SmallVector<Operation *> operations;
    bool any = false;
    WalkResult walk = root->walk([&](Operation *op) {
      auto function = dyn_cast<FunctionOpInterface>(op);
      bool ours = isCutlass(op);
      any |= ours || (function && (llvm::any_of(function.getArgumentTypes(), isCutlassType) ||
                                   llvm::any_of(function.getResultTypes(), isCutlassType)));
      if (ours)
        operations.push_back(op);
      return ours || succeeded(checkUse(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (!any)
      return markAllAnalysesPreserved();
    // test_wait, which every target has that has mbarriers, where it is not known which this is.
    Facts facts = {/*clusters=*/false};
    if (!chip.empty()) {
      std::string error;
      const TargetInfo *target = lookupTarget(chip.getValue(), &error);
      if (!target) {
        root->emitError() << error;
        return signalPassFailure();
      }
      facts.clusters = target->clusters;
      for (Operation *op : operations)
        if (failed(checkTarget(op, *target)))
          return signalPassFailure();
    }
    for (Operation *op : operations)
      if (failed(checkShape(op)) || failed(checkClusters(op)))
        return signalPassFailure();
    expandRegions(root);
    // Each kernel has 16 of them.
    WalkResult numbered = root->walk<WalkOrder::PreOrder>([](FunctionOpInterface func) {
      return failed(numberBarriers(func)) ? WalkResult::interrupt() : WalkResult::skip();
    });
    if (numbered.wasInterrupted())
      return signalPassFailure();
    allocate(root);
    if (failed(convert(root, facts)))
      signalPassFailure();
  }

  LogicalResult convert(Operation *root, const Facts &facts) {
    MLIRContext *context = root->getContext();
    TypeConverter converter;
    addTypes(converter, context);
    RewritePatternSet set(context);
    Patterns patterns = {set, converter, facts};
    populatePipelinePatterns(patterns);
    populateBarrierPatterns(patterns);
    populateSchedulerPatterns(patterns);

    ConversionTarget target(*context);
    target.addIllegalDialect<CutlassDialect>();
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, set, target);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(set, converter);
    populateFunctionOpInterfaceTypeConversionPattern<gpu::GPUFuncOp>(set, converter);
    populateCallOpTypeConversionPattern(set, converter);
    populateReturnOpTypeConversionPattern(set, converter);
    cf::populateCFStructuralTypeConversionsAndLegality(converter, set, target);
    target.addDynamicallyLegalOp<func::FuncOp, gpu::GPUFuncOp>([&](Operation *op) {
      auto function = cast<FunctionOpInterface>(op);
      return converter.isLegal(function.getArgumentTypes()) && converter.isLegal(function.getResultTypes());
    });
    target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>([&](Operation *op) { return converter.isLegal(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(root, target, std::move(set));
  }
};
} // namespace
