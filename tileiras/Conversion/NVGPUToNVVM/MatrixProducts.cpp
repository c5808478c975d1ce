//===- MatrixProducts.cpp - mma.sync and mma.sp.sync ----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In place of MLIR's patterns, which know no bf16 (docs/upstream-mlir.md). The sparse product is inline PTX, as the
// seed has it.
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
StringRef accumulatorName(Type element) {
  return element.isF16() ? "f16" : element.isF32() ? "f32" : element.isF64() ? "f64" : element.isInteger(32) ? "s32" : "";
}

/// The registers of a fragment, whose rows are registers or, with elements as wide as a register, pairs of them.
SmallVector<Value> registersOf(OpBuilder &builder, Location loc, Value fragment, bool packHalves) {
  SmallVector<Value> registers;
  auto rows = cast<LLVM::LLVMArrayType>(fragment.getType());
  auto rowType = cast<VectorType>(rows.getElementType());
  Type element = rowType.getElementType(), word = builder.getI32Type();
  bool scalars = element.getIntOrFloatBitWidth() >= 32;
  for (unsigned i = 0; i != rows.getNumElements(); ++i) {
    Value row = LLVM::ExtractValueOp::create(builder, loc, fragment, ArrayRef<int64_t>{i});
    if (!scalars) {
      registers.push_back(element.isF16() && !packHalves ? row : LLVM::BitcastOp::create(builder, loc, word, row));
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
  StringRef accumulator;
  LLVM::LLVMArrayType result;
  SmallVector<Value> a, b, c;
};

template <typename Op, typename Adaptor>
FailureOr<Operands> operandsOf(Op op, Adaptor adaptor, bool packHalves, const TypeConverter &converter,
                               ConversionPatternRewriter &rewriter) {
  Operands operands;
  std::optional<NVVM::MMATypes> type = multiplicandType(op.getMatrixA().getType().getElementType());
  operands.accumulator = accumulatorName(op.getMatrixC().getType().getElementType());
  operands.result = dyn_cast_or_null<LLVM::LLVMArrayType>(converter.convertType(op.getType()));
  auto isFragment = [](Value value) {
    auto rows = dyn_cast<LLVM::LLVMArrayType>(value.getType());
    return rows && isa<VectorType>(rows.getElementType());
  };
  if (!type || operands.accumulator.empty() || !operands.result || !isFragment(adaptor.getMatrixA()) ||
      !isFragment(adaptor.getMatrixB()) || !isFragment(adaptor.getMatrixC()))
    return rewriter.notifyMatchFailure(op, "no instruction has these types");
  operands.type = *type;
  operands.a = registersOf(rewriter, op.getLoc(), adaptor.getMatrixA(), packHalves);
  operands.b = registersOf(rewriter, op.getLoc(), adaptor.getMatrixB(), packHalves);
  operands.c = registersOf(rewriter, op.getLoc(), adaptor.getMatrixC(), packHalves);
  asWords(rewriter, op.getLoc(), operands.a);
  asWords(rewriter, op.getLoc(), operands.b);
  return operands;
}

bool isInteger(NVVM::MMATypes type) { return type == NVVM::MMATypes::s8 || type == NVVM::MMATypes::s4; }

struct MmaSync : ConvertOpToLLVMPattern<nvgpu::MmaSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FailureOr<Operands> operands = operandsOf(op, adaptor, /*packHalves=*/false, *getTypeConverter(), rewriter);
    if (failed(operands))
      return failure();
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (isInteger(operands->type))
      overflow = NVVM::MMAIntOverflow::satfinite;
    Value product = NVVM::MmaOp::create(
        rewriter, op.getLoc(), structOf(operands->c), operands->a, operands->b, operands->c, op.getMmaShapeAsArray(),
        std::nullopt, overflow, std::array<NVVM::MMATypes, 2>{operands->type, operands->type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
    rewriter.replaceOp(op, fragmentOf(rewriter, op.getLoc(), operands->result, fieldsOf(rewriter, op.getLoc(), product)));
    return success();
  }
};

struct MmaSparseSync : ConvertOpToLLVMPattern<nvgpu::MmaSparseSyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(nvgpu::MmaSparseSyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FailureOr<Operands> operands = operandsOf(op, adaptor, /*packHalves=*/true, *getTypeConverter(), rewriter);
    if (failed(operands))
      return failure();
    std::array<int64_t, 3> shape = op.getMmaShapeAsArray();
    StringRef type = NVVM::stringifyMMATypes(operands->type);
    std::string text, constraints;
    llvm::raw_string_ostream os(text);
    os << "mma.sp.sync.aligned.m" << shape[0] << "n" << shape[1] << "k" << shape[2] << ".row.col"
       << (isInteger(operands->type) ? ".satfinite." : ".") << operands->accumulator << "." << type << "." << type << "."
       << operands->accumulator;
    unsigned next = 0;
    auto list = [&](size_t count, const char *begin) {
      os << begin;
      for (size_t i = 0; i != count; ++i)
        os << (i ? "," : "") << "$" << next++;
      os << "}";
    };
    list(operands->c.size(), " {");
    list(operands->a.size(), ",{");
    list(operands->b.size(), ",{");
    list(operands->c.size(), ",{");
    os << ",$" << next << "," << op.getSparsitySelector() << ";";

    SmallVector<Value> inputs;
    for (ArrayRef<Value> part : {ArrayRef<Value>(operands->a), ArrayRef<Value>(operands->b), ArrayRef<Value>(operands->c)})
      inputs.append(part.begin(), part.end());
    inputs.push_back(LLVM::BitcastOp::create(rewriter, loc, rewriter.getI32Type(), adaptor.getSparseMetadata()));
    for (Value value : operands->c)
      constraints += value.getType().isF32() ? "=f," : "=r,";
    for (Value value : inputs)
      constraints += value.getType().isF32() ? "f," : "r,";
    constraints.pop_back();

    // All threads of the warp take part, so the product may not move under a condition.
    Value product = LLVM::InlineAsmOp::create(rewriter, loc, structOf(operands->c), inputs, text, constraints,
                                              /*has_side_effects=*/true, /*is_align_stack=*/false,
                                              LLVM::TailCallKind::None,
                                              LLVM::AsmDialectAttr::get(rewriter.getContext(), LLVM::AsmDialect::AD_ATT),
                                              ArrayAttr())
                        .getResult(0);
    rewriter.replaceOp(op, fragmentOf(rewriter, loc, operands->result, fieldsOf(rewriter, loc, product)));
    return success();
  }
};

} // namespace

void populateMatrixProductPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaSync, MmaSparseSync>(converter);
}

} // namespace tileiras
