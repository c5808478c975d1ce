//===- HostDescriptor.cpp - tma.create.descriptor -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Host code: a call of the runtime, which calls cuTensorMapEncodeTiled. In place of MLIR's pattern, which calls every
// type it does not know bfloat16, 8-bit and 16-bit integers among them (docs/upstream-mlir.md).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "tileiras/Conversion/NVGPUToNVVM/Overrides.h"

using namespace mlir;

namespace tileiras {
namespace {

/// CUtensorMapDataType (CUDA Driver API, "Tensor Map Object Management"). 8-bit floats are moved as bytes, as 16-bit
/// integers are whatever their sign.
std::optional<int64_t> driverType(Type element) {
  enum : int64_t { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32Ftz, TF32 };
  if (element.isF16())
    return F16;
  if (element.isBF16())
    return BF16;
  if (element.isF32())
    return F32;
  if (element.isTF32())
    return TF32;
  if (element.isF64())
    return F64;
  if (!element.isIntOrFloat())
    return std::nullopt;
  bool isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return U8;
  case 16:
    return isa<IntegerType>(element) ? std::optional(int64_t(U16)) : std::nullopt;
  case 32:
    return isUnsigned ? U32 : S32;
  case 64:
    return isUnsigned ? U64 : S64;
  }
  return std::nullopt;
}

struct TmaCreateDescriptor : ConvertOpToLLVMPattern<nvgpu::TmaCreateDescriptorOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::TmaCreateDescriptorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    nvgpu::TensorMapDescriptorType map = op.getTensorMap().getType();
    Type element = cast<BaseMemRefType>(op.getTensor().getType()).getElementType();
    std::optional<int64_t> type = driverType(element);
    if (!type)
      return op.emitOpError() << "a tensor map has no elements of " << element;
    Type i64 = rewriter.getI64Type();
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto constant = [&](int64_t value) -> Value { return LLVM::ConstantOp::create(rewriter, loc, i64, value); };
    Value rank = LLVM::ExtractValueOp::create(rewriter, loc, adaptor.getTensor(), ArrayRef<int64_t>{0});
    Value memref = LLVM::ExtractValueOp::create(rewriter, loc, adaptor.getTensor(), ArrayRef<int64_t>{1});
    // The runtime reads as many extents as the tensor has dimensions, outermost first.
    Value box = LLVM::AllocaOp::create(rewriter, loc, pointer, i64, constant(kMaxTMATensorDimension));
    for (auto [index, extent] : llvm::enumerate(adaptor.getBoxDimensions())) {
      Value place = LLVM::GEPOp::create(rewriter, loc, pointer, i64, box, ArrayRef<LLVM::GEPArg>{int32_t(index)});
      LLVM::StoreOp::create(rewriter, loc, extent, place);
    }

    SmallVector<Value> arguments = {rank,
                                    memref,
                                    constant(*type),
                                    constant(static_cast<int64_t>(map.getInterleave())),
                                    constant(static_cast<int64_t>(map.getSwizzle())),
                                    constant(static_cast<int64_t>(map.getL2promo())),
                                    constant(static_cast<int64_t>(map.getOob())),
                                    box};
    Operation *symbols = SymbolTable::getNearestSymbolTable(op);
    SmallVector<Type> types = llvm::map_to_vector(arguments, [](Value value) { return value.getType(); });
    FailureOr<LLVM::LLVMFuncOp> runtime =
        LLVM::lookupOrCreateFn(rewriter, symbols, "mgpuTensorMapEncodeTiledMemref", types, pointer);
    if (failed(runtime))
      return op.emitOpError("the module has another mgpuTensorMapEncodeTiledMemref");
    rewriter.replaceOp(op, LLVM::CallOp::create(rewriter, loc, *runtime, arguments).getResult());
    return success();
  }
};

} // namespace

void populateHostDescriptorPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<TmaCreateDescriptor>(converter);
}

} // namespace tileiras
