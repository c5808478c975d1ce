//===- CudaTileToTileAA.cpp - The pass ------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Order of work: make control flow structured (still in cuda_tile types), turn
// modules into gpu.modules, then one dialect conversion for operations and types together.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Conversion/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTCUDATILETOTILEAAPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static aa::MemRefType convertTensorView(ct::TensorViewType type) {
  return aa::MemRefType::get(type.getContext(), type.getElementType(), type.getShape(), type.getStrides());
}

static std::optional<aa::PaddingValue> convertPadding(ct::PaddingValueAttr padding) {
  if (!padding)
    return std::nullopt;
  // One numbering.
  return static_cast<aa::PaddingValue>(static_cast<uint32_t>(padding.getValue()));
}

static SmallVector<int64_t> widen(ArrayRef<int32_t> values) {
  return SmallVector<int64_t>(values.begin(), values.end());
}

TileTypeConverter::TileTypeConverter() {
  addConversion([](Type type) -> std::optional<Type> {
    if (isa<ct::CudaTileDialect>(type.getDialect()))
      return Type(); // whatever comes later
    return type;
  });
  addConversion(
      [](ct::PointerType type) -> Type { return aa::PtrType::get(type.getContext(), type.getPointeeType()); });
  addConversion([this](ct::TileType type) -> Type {
    Type element = convertType(type.getElementType());
    if (!element || type.getShape().empty())
      return element;
    return RankedTensorType::get(type.getShape(), element);
  });
  addConversion([](ct::TokenType type) -> Type { return aa::MemTokenType::get(type.getContext()); });
  addConversion([](ct::TensorViewType type) -> Type { return convertTensorView(type); });
  addConversion([](ct::PartitionViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    return aa::TiledViewType::get(type.getContext(), tile, widen(type.getDimMap()), tile,
                                  convertPadding(type.getPaddingValue()), convertTensorView(type.getTensorView()));
  });
  addConversion([](ct::StridedViewType type) -> Type {
    return aa::TiledViewType::get(type.getContext(), widen(type.getTileShape()), widen(type.getDimMap()),
                                  widen(type.getTraversalStrides()), convertPadding(type.getPaddingValue()),
                                  convertTensorView(type.getTensorView()));
  });
  // Coordinates of elements: along the sparse dimension a tile of them, along the others where the tile starts. (CUDA
  // Tile C++, "Gather Scatter View": "scalar indices that specify the starting position of each chunk"; cuTile's
  // Slice(start, length).)
  addConversion([](ct::GatherScatterViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape()), steps(tile.size(), 1), dims;
    for (int64_t d = 0; d < int64_t(tile.size()); ++d)
      dims.push_back(d);
    return aa::TiledViewType::get(type.getContext(), tile, dims, steps, convertPadding(type.getPaddingValue()),
                                  convertTensorView(type.getTensorView()));
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertCudaTileToTileAAPass : tileiras::impl::ConvertCudaTileToTileAAPassBase<ConvertCudaTileToTileAAPass> {
  using Base::Base;

  void runOnOperation() override;

private:
  LogicalResult checkOptions(Context &context);
  void convertModule(ct::ModuleOp module, const Context &context);
  LogicalResult convertOperations(const Context &context);
};
} // namespace

LogicalResult ConvertCudaTileToTileAAPass::checkOptions(Context &context) {
  std::string why;
  context.target = computeCapability.empty() ? nullptr : ::tileiras::lookupTarget(computeCapability.getValue(), &why);
  if (!context.target) {
    InFlightDiagnostic diag = getOperation()->emitError("invalid or missing --compute-capability option");
    if (!why.empty())
      diag << ": " << why;
    return diag;
  }
  if (numWarps != 0 && (numWarps < 1 || numWarps > 32 || !llvm::isPowerOf2_32(numWarps)))
    return getOperation()->emitError("invalid num-warps option: expected a power of two up to 32, got ")
           << int(numWarps);
  if (numCTAs < 1 || numCTAs > 16 || !llvm::isPowerOf2_32(numCTAs))
    return getOperation()->emitError("invalid num-ctas option: expected a power of two up to 16, got ") << int(numCTAs);
  context.numWarps = numWarps;
  context.numCTAs = numCTAs;
  context.alternate = alternate;
  return success();
}

/// cuda_tile.module to gpu.module; the entries move as they are.
void ConvertCudaTileToTileAAPass::convertModule(ct::ModuleOp module, const Context &context) {
  OpBuilder builder(module);
  auto gpuModule = gpu::GPUModuleOp::create(builder, module.getLoc(), module.getSymName());
  gpuModule->setAttr(aa::kComputeCapabilityAttr, builder.getI32IntegerAttr(context.target->computeCapability));
  gpuModule->setAttr(aa::kTargetSpecAttr, builder.getStringAttr(context.target->compiledAs));
  Block *body = gpuModule.getBody();
  body->getOperations().splice(body->end(), module.getBodyRegion().front().getOperations());
  module.erase();
}

LogicalResult ConvertCudaTileToTileAAPass::convertOperations(const Context &context) {
  TileTypeConverter types;
  RewritePatternSet patterns(&getContext());
  populateIntegerPatterns(types, patterns);
  populateFloatPatterns(types, patterns);
  populateCastPatterns(types, patterns);
  populateShapePatterns(types, patterns);
  populateAggregatePatterns(types, patterns);
  populateMatrixPatterns(types, patterns);
  populateMemoryPatterns(types, patterns, context);
  populateAtomicPatterns(types, patterns);
  populateStoragePatterns(types, patterns, context);
  populateFunctionPatterns(types, patterns, context);

  ConversionTarget target(getContext());
  target.addIllegalDialect<ct::CudaTileDialect>();
  target.addLegalDialect<arith::ArithDialect, math::MathDialect, gpu::GPUDialect, aa::TileAADialect>();
  target.addDynamicallyLegalOp<UnrealizedConversionCastOp>([&](Operation *op) { return types.isLegal(op); });
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  return applyPartialConversion(getOperation(), target, std::move(patterns));
}

void ConvertCudaTileToTileAAPass::runOnOperation() {
  ModuleOp top = getOperation();
  Context context;
  if (failed(checkOptions(context)))
    return signalPassFailure();
  auto fail = [&] {
    top.emitError("failed to convert cuda_tile to nv_tileaa");
    signalPassFailure();
  };

  SmallVector<ct::ModuleOp> modules(top.getOps<ct::ModuleOp>());
  for (ct::ModuleOp module : modules) {
    for (auto inner : module.getBodyRegion().front().getOps<ct::ModuleOp>()) {
      inner.emitOpError("inside another module is not supported: entries and globals belong to one module");
      return fail();
    }
    if (failed(checkModule(module)))
      return fail();
    for (auto entry : module.getBodyRegion().front().getOps<ct::EntryOp>()) {
      passNibblesAsBytes(entry);
      if (failed(structurizeControlFlow(entry)))
        return fail();
    }
    convertModule(module, context);
  }
  if (failed(convertOperations(context)))
    return fail();

  // Locations stay where they were; the scopes of cuda_tile's own location attribute are not known downstream.
  AttrTypeReplacer replacer;
  replacer.addReplacement([](ct::DILocAttr loc) -> Attribute { return loc.getSourceLoc(); });
  replacer.recursivelyReplaceElementsIn(top, /*replaceAttrs=*/false, /*replaceLocs=*/true);
}
