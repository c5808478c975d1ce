//===- TypeConverter.cpp - The one LLVM type converter --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileTypesToLLVM/TypeConverter.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;

static LowerToLLVMOptions optionsFor(MLIRContext *context, unsigned indexBitwidth) {
  LowerToLLVMOptions options(context);
  if (indexBitwidth)
    options.overrideIndexBitwidth(indexBitwidth);
  return options;
}

Type TileLLVMTypeConverter::convertElementType(Type type) const {
  if (isa<nv_tileaa::PtrType>(type))
    return LLVM::LLVMPointerType::get(type.getContext(), tilellvm::kGlobal);
  if (auto fp = dyn_cast<FloatType>(type)) {
    if (isa<FloatTF32Type>(fp))
      return Float32Type::get(type.getContext());
    if (fp.getWidth() <= 8)
      return IntegerType::get(type.getContext(), 8);
    return fp;
  }
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (isa<IndexType>(type))
    return getIndexType();
  return {};
}

TileLLVMTypeConverter::TileLLVMTypeConverter(MLIRContext *context, unsigned indexBitwidth)
    : LLVMTypeConverter(context, optionsFor(context, indexBitwidth)) {
  // Conversions added later are asked first.
  addConversion([this](FloatType type) -> Type { return convertElementType(type); });
  addConversion([this](nv_tileaa::PtrType type) -> Type { return convertElementType(type); });
  addConversion([](nv_tileaa::MemTokenType type) -> Type { return IntegerType::get(type.getContext(), 32); });
  // Of what functions take and give; no operation of ours makes one.
  addConversion([](NoneType type) -> Type { return LLVM::LLVMStructType::getLiteral(type.getContext(), {}); });
  addConversion([this](TupleType type) -> Type {
    SmallVector<Type> fields;
    if (failed(convertTypes(type.getTypes(), fields)))
      return {};
    return LLVM::LLVMStructType::getLiteral(type.getContext(), fields);
  });
  // What clusterlaunchcontrol has answered.
  addConversion([](nv_tileaa::ProgramIdType type) -> Type { return IntegerType::get(type.getContext(), 128); });
  addConversion([](nv_tileas::AsyncTokenType type) -> Type { return IntegerType::get(type.getContext(), 32); });
  addConversion([](nv_tileas::TmaDescriptorIterType type) -> Type {
    // In global memory, or a parameter of the kernel: copies take generic addresses.
    return LLVM::LLVMPointerType::get(type.getContext());
  });

  addConversion([this](RankedTensorType type) -> Type {
    MLIRContext *ctx = type.getContext();
    if (type.getRank() == 0 && !type.getEncoding())
      return convertElementType(type.getElementType());
    nv_tileas::LayoutAttrInterface layout = nv_tileas::getLayout(type);
    Type element = convertElementType(type.getElementType());
    if (!layout || !element || !type.hasStaticShape())
      return {};
    switch (layout.getMemory()) {
    case nv_tileas::MemoryKind::Shared:
      return LLVM::LLVMPointerType::get(ctx, tilellvm::kShared);
    case nv_tileas::MemoryKind::Tensor:
      return LLVM::LLVMPointerType::get(ctx, tilellvm::kTensor);
    default:
      break;
    }
    int64_t registers = nv_tileas::getLinearLayout(type).inSize(tileiras::kRegister);
    return LLVM::LLVMStructType::getLiteral(ctx, SmallVector<Type>(registers, element));
  });

  // As the matrix unit holds them: f16 in pairs.
  addConversion([this](nv_tileas::PendingType type) -> Type {
    auto tile = dyn_cast_or_null<LLVM::LLVMStructType>(convertType(type.getTile()));
    if (!tile || !type.getTile().getElementType().isF16())
      return tile;
    Type word = IntegerType::get(type.getContext(), 32);
    return LLVM::LLVMStructType::getLiteral(type.getContext(), SmallVector<Type>(tile.getBody().size() / 2, word));
  });

  auto memref = [](nv_tileaa::MemRefType type) -> Type {
    MLIRContext *ctx = type.getContext();
    SmallVector<Type> fields = {LLVM::LLVMPointerType::get(ctx, tilellvm::kGlobal)};
    for (ArrayRef<int64_t> list : {type.getShape(), type.getStrides()})
      fields.append(llvm::count_if(list, ShapedType::isDynamic), IntegerType::get(ctx, 64));
    return LLVM::LLVMStructType::getLiteral(ctx, fields);
  };
  addConversion(memref);
  addConversion([=](nv_tileaa::TiledViewType type) -> Type { return memref(type.getSource()); });
}

FailureOr<FunctionType> TileLLVMTypeConverter::convertTileSignature(Location loc, FunctionType type,
                                                                    SignatureConversion &conversion) const {
  SmallVector<Type> results;
  for (auto [index, input] : llvm::enumerate(type.getInputs())) {
    Type converted = convertType(input);
    if (!converted) {
      emitError(loc) << "failed to convert function signature type for: " << input;
      return failure();
    }
    conversion.addInputs(index, converted);
  }
  for (Type result : type.getResults()) {
    Type converted = convertType(result);
    if (!converted) {
      emitError(loc) << "failed to convert function signature type for: " << result;
      return failure();
    }
    results.push_back(converted);
  }
  return FunctionType::get(type.getContext(), conversion.getConvertedTypes(), results);
}
