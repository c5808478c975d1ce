//===- MatrixProducts.cpp - mma.sync and mma.sp.sync ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In place of MLIR's patterns, which know no bf16 and write the sparse product as inline PTX that LLVM does not know to
// be executed by whole warps (docs/upstream-mlir.md).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "tileiras/Conversion/NVGPUToNVVM/Overrides.h"

using namespace mlir;

namespace tileiras {
namespace {

/// What the elements of a multiplicand are for the instruction; f32 is read as tf32.
std::optional<NVVM::MMATypes> multiplicandType(Type element) {
  if (element.isF16())
    return NVVM::MMATypes::f16;
  if (element.isBF16())
    return NVVM::MMATypes::bf16;
  if (element.isF32())
    return NVVM::MMATypes::tf32;
  if (element.isF64())
    return NVVM::MMATypes::f64;
  if (element.isInteger(8))
    return NVVM::MMATypes::s8;
  if (element.isInteger(4))
    return NVVM::MMATypes::s4;
  return std::nullopt;
}

/// Accumulators keep their types; pairs of f16 share a register.
bool isAccumulator(Type element) {
  return element.isF16() || element.isF32() || element.isF64() || element.isInteger(32);
}

/// The registers of a fragment, whose rows are registers or, with elements as wide as a register, pairs of them.
SmallVector<Value> registersOf(OpBuilder &builder, Location loc, Value fragment) {
  SmallVector<Value> registers;
  auto rows = cast<LLVM::LLVMArrayType>(fragment.getType());
  auto rowType = cast<VectorType>(rows.getElementType());
  Type element = rowType.getElementType(), word = builder.getI32Type();
  bool scalars = element.getIntOrFloatBitWidth() >= 32;
  for (unsigned i = 0; i != rows.getNumElements(); ++i) {
    Value row = LLVM::ExtractValueOp::create(builder, loc, fragment, ArrayRef<int64_t>{i});
    if (!scalars) {
      registers.push_back(element.isF16() ? row : LLVM::BitcastOp::create(builder, loc, word, row));
      continue;
    }
    for (int64_t k = 0; k != rowType.getNumElements(); ++k) {
      Value position = LLVM::ConstantOp::create(builder, loc, word, k);
      registers.push_back(LLVM::ExtractElementOp::create(builder, loc, row, position));
    }
  }
  return registers;
}

/// tf32 operands travel as integers.
void asWords(OpBuilder &builder, Location loc, SmallVectorImpl<Value> &registers) {
  for (Value &value : registers)
    if (value.getType().isF32())
      value = LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), value);
}

Value fragmentOf(OpBuilder &builder, Location loc, LLVM::LLVMArrayType type, ArrayRef<Value> registers) {
  auto rowType = cast<VectorType>(type.getElementType());
  Type element = rowType.getElementType();
  Value fragment = LLVM::PoisonOp::create(builder, loc, type);
  const Value *next = registers.begin();
  for (unsigned i = 0; i != type.getNumElements(); ++i) {
    Value row;
    if (element.getIntOrFloatBitWidth() < 32) {
      row = *next++;
      if (row.getType() != rowType)
        row = LLVM::BitcastOp::create(builder, loc, rowType, row);
    } else {
      row = LLVM::PoisonOp::create(builder, loc, rowType);
      for (int64_t k = 0; k != rowType.getNumElements(); ++k) {
        Value position = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), k);
        row = LLVM::InsertElementOp::create(builder, loc, row, *next++, position);
      }
    }
    fragment = LLVM::InsertValueOp::create(builder, loc, fragment, row, ArrayRef<int64_t>{i});
  }
  return fragment;
}

SmallVector<Value> fieldsOf(OpBuilder &builder, Location loc, Value structure) {
  SmallVector<Value> fields;
  for (unsigned i = 0, n = cast<LLVM::LLVMStructType>(structure.getType()).getBody().size(); i != n; ++i)
    fields.push_back(LLVM::ExtractValueOp::create(builder, loc, structure, ArrayRef<int64_t>{i}));
  return fields;
}

Type structOf(ArrayRef<Value> values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(value.getType());
  return LLVM::LLVMStructType::getLiteral(values.front().getContext(), types);
}

/// What both kinds of product have in common: operands as registers, and the types' names.
struct Operands {
  NVVM::MMATypes type;
  LLVM::LLVMArrayType result;
  SmallVector<Value> a, b, c;

  std::optional<NVVM::MMAIntOverflow> overflow() const {
    bool integer = type == NVVM::MMATypes::s8 || type == NVVM::MMATypes::s4;
    return integer ? std::optional(NVVM::MMAIntOverflow::satfinite) : std::nullopt;
  }
};

template <typename Op, typename Adaptor>
FailureOr<Operands> operandsOf(Op op, Adaptor adaptor, const TypeConverter &converter,
                               ConversionPatternRewriter &rewriter) {
  Operands operands;
  std::optional<NVVM::MMATypes> type = multiplicandType(op.getMatrixA().getType().getElementType());
  operands.result = dyn_cast_or_null<LLVM::LLVMArrayType>(converter.convertType(op.getType()));
  auto isFragment = [](Value value) {
    auto rows = dyn_cast<LLVM::LLVMArrayType>(value.getType());
    return rows && isa<VectorType>(rows.getElementType());
  };
  if (!type || !isAccumulator(op.getMatrixC().getType().getElementType()) || !operands.result ||
      !isFragment(adaptor.getMatrixA()) || !isFragment(adaptor.getMatrixB()) || !isFragment(adaptor.getMatrixC()))
    return rewriter.notifyMatchFailure(op, "no instruction has these types");
  operands.type = *type;
  operands.a = registersOf(rewriter, op.getLoc(), adaptor.getMatrixA());
  operands.b = registersOf(rewriter, op.getLoc(), adaptor.getMatrixB());
  operands.c = registersOf(rewriter, op.getLoc(), adaptor.getMatrixC());
  asWords(rewriter, op.getLoc(), operands.a);
  asWords(rewriter, op.getLoc(), operands.b);
  return operands;
}

struct MmaSync : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<Operands> operands = operandsOf(op, adaptor, *getTypeConverter(), rewriter);
    if (failed(operands))
      return failure();
    Value product = NVVM::MmaOp::create(rewriter, op.getLoc(), structOf(operands->c), operands->a, operands->b,
                                        operands->c, op.getMmaShapeAsArray(), std::nullopt, operands->overflow(),
                                        std::array<NVVM::MMATypes, 2>{operands->type, operands->type},
                                        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
    rewriter.replaceOp(op,
                       fragmentOf(rewriter, op.getLoc(), operands->result, fieldsOf(rewriter, op.getLoc(), product)));
    return success();
  }
};

struct MmaSparseSync : ConvertOpToLLVMPattern<nvgpu::MmaSparseSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSparseSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Operands> operands = operandsOf(op, adaptor, *getTypeConverter(), rewriter);
    if (failed(operands))
      return failure();
    Value metadata = LLVM::BitcastOp::create(rewriter, loc, rewriter.getI32Type(), adaptor.getSparseMetadata());
    Value selector = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(op.getSparsitySelector()));
    Value product = NVVM::MmaSpOp::create(rewriter, loc, structOf(operands->c), operands->a, operands->b, operands->c,
                                          metadata, selector, op.getMmaShapeAsArray(), operands->overflow(),
                                          std::array<NVVM::MMATypes, 2>{operands->type, operands->type});
    rewriter.replaceOp(op, fragmentOf(rewriter, loc, operands->result, fieldsOf(rewriter, loc, product)));
    return success();
  }
};

} // namespace

void populateMatrixProductPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaSync, MmaSparseSync>(converter);
}

} // namespace tileiras
