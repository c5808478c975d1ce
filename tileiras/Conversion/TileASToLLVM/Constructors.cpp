//===- Constructors.cpp - Tiles out of nothing and pointer arithmetic -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/NibbleMemory.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::tilellvm;

FailureOr<Value> tilellvm::scalarConstant(Emitter &e, Attribute value, Type element) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (!element.isInteger(integer.getValue().getBitWidth()))
      return failure();
    return Value(LLVM::ConstantOp::create(e.b, e.loc, element, IntegerAttr::get(element, integer.getValue())));
  }
  auto number = dyn_cast<FloatAttr>(value);
  if (!number)
    return failure();
  if (isa<FloatType>(element) && element == number.getType())
    return e.constantFloat(element, number.getValue());
  if (isa<FloatTF32Type>(number.getType())) {
    APFloat wide = number.getValue();
    bool lost;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return e.constantFloat(element, wide);
  }
  // The small formats: their bits.
  APInt bits = number.getValue().bitcastToAPInt().zextOrTrunc(element.getIntOrFloatBitWidth());
  return Value(LLVM::ConstantOp::create(e.b, e.loc, element, IntegerAttr::get(element, bits)));
}

LogicalResult tilellvm::appendElement(std::string &bytes, Attribute value, unsigned width) {
  APInt bits;
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    bits = integer.getValue();
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat v = number.getValue();
    bool lost;
    if (isa<FloatTF32Type>(number.getType()))
      v.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    bits = v.bitcastToAPInt();
  } else {
    return failure();
  }
  bits = bits.zextOrTrunc(width);
  for (unsigned i = 0; i < width; i += 8)
    bytes.push_back(char(bits.extractBitsAsZExtValue(8, i)));
  return success();
}

namespace {

struct Splat : TilePattern<nv_tileaa::SplatOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = types().convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "result type has no conversion");
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, mapElements(e, type, adaptor.getSource(), [&](ValueRange v) { return v[0]; }));
    return success();
  }
};

/// Dense constants live in a read-only global array; a thread reads its elements. Splats are immediate.
LogicalResult lowerDense(Operation *op, ElementsAttr value, RankedTensorType type, const TileLLVMTypeConverter &types,
                         ConversionPatternRewriter &rewriter) {
  Emitter e(rewriter, op->getLoc());
  Type converted = types.convertType(type), element = types.convertElementType(type.getElementType());
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!converted || !element || !dense)
    return op->emitOpError("constant of this type is not supported");
  if (dense.isSplat()) {
    FailureOr<Value> scalar = scalarConstant(e, dense.getSplatValue<Attribute>(), element);
    if (failed(scalar))
      return op->emitOpError("constant of this type is not supported");
    rewriter.replaceOp(op, mapElements(e, converted, *scalar, [&](ValueRange v) { return v[0]; }));
    return success();
  }
  unsigned width = memoryBits(element);
  if (!width)
    return op->emitOpError("constant of this type is not supported");
  std::string bytes;
  for (Attribute attribute : dense.getValues<Attribute>())
    if (failed(appendElement(bytes, attribute, width)))
      return op->emitOpError("constant of this type is not supported");
  Operation *table = e.symbolTable();
  std::string name = "constant_" + llvm::utohexstr(llvm::xxh3_64bits(bytes), true);
  if (!SymbolTable::lookupSymbolIn(table, name)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&table->getRegion(0).front());
    LLVM::GlobalOp::create(rewriter, op->getLoc(), LLVM::LLVMArrayType::get(e.intTy(8), bytes.size()),
                           /*isConstant=*/true, LLVM::Linkage::Internal, name, rewriter.getStringAttr(bytes),
                           /*alignment=*/16, kGlobal);
  }
  Value base = LLVM::AddressOfOp::create(rewriter, op->getLoc(), e.ptrTy(kGlobal), name);
  ThreadLayout layout(e, nv_tileas::getLinearLayout(type));
  SmallVector<Value> values;
  for (unsigned r = 0; r < layout.numRegisters(); ++r) {
    Value offset = e.mul(layout.flatIndex(r), e.i32(width / 8));
    values.push_back(loadGlobal(e, e.offsetBytes(base, offset), element, 1, Value(), {}).front());
  }
  rewriter.replaceOp(op, e.pack(converted, values));
  return success();
}

struct ConstantTensor : TilePattern<nv_tileaa::ConstantTensorOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::ConstantTensorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return lowerDense(op, op.getValue(), cast<RankedTensorType>(op.getType()), types(), rewriter);
  }
};

struct ArithConstant : TilePattern<arith::ConstantOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    if (auto type = dyn_cast<RankedTensorType>(op.getType()))
      return lowerDense(op, cast<ElementsAttr>(op.getValue()), type, types(), rewriter);
    if (types().convertType(op.getType()) == op.getType())
      return failure(); // MLIR's own pattern
    Emitter e(rewriter, op.getLoc());
    Type element = types().convertElementType(op.getType());
    FailureOr<Value> value = element ? scalarConstant(e, op.getValue(), element) : FailureOr<Value>(failure());
    if (failed(value))
      return op.emitOpError("constant of this type is not supported");
    rewriter.replaceOp(op, *value);
    return success();
  }
};

struct MakeRange : TilePattern<nv_tileaa::MakeRangeOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::MakeRangeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    Type element = types().convertElementType(type.getElementType());
    if (!isa<IntegerType>(element))
      return op.emitOpError("expects integers");
    Emitter e(rewriter, op.getLoc());
    ThreadLayout layout(e, nv_tileas::getLinearLayout(type));
    SmallVector<Value> values;
    for (unsigned r = 0; r < layout.numRegisters(); ++r) {
      Value index = e.resize(layout.coordinate(0, r), element);
      values.push_back(op.getStart() ? e.add(index, e.constant(element, op.getStart())) : index);
    }
    rewriter.replaceOp(op, e.pack(types().convertType(type), values));
    return success();
  }
};

/// ptr + offset * sizeof(pointee), 64-bit; half bytes are counted in another way.
struct AddPtr : TilePattern<nv_tileaa::AddPtrOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::AddPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Type pointee = cast<nv_tileaa::PtrType>(elementOf(op.getType())).getPointee();
    Type stored = types().convertElementType(pointee);
    unsigned bits = stored ? memoryBits(stored) : 0;
    if (!bits)
      return op.emitOpError("pointee ") << pointee << " has no size in bytes";
    Type i8 = e.intTy(8), i64 = e.intTy(64);
    if (isNibble(pointee)) {
      rewriter.replaceOp(op,
                         mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                           return offsetNibbles(e, v[0], e.resize(v[1], i64, /*isSigned=*/true));
                         }));
      return success();
    }
    // A GEP over the pointee's size keeps the multiplication where LLVM's address folding finds it.
    Type unit = bits == 8 ? i8 : Type(LLVM::LLVMArrayType::get(i8, bits / 8));
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         Value offset = e.resize(v[1], i64, /*isSigned=*/true);
                         return LLVM::GEPOp::create(e.b, e.loc, v[0].getType(), unit, v[0],
                                                    ArrayRef<LLVM::GEPArg>{offset});
                       }));
    return success();
  }
};

template <typename Op> struct PointerCast : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Type element = this->types().convertElementType(elementOf(op.getType()));
    Type type = this->types().convertType(op.getType());
    if (!element || !type)
      return rewriter.notifyMatchFailure(op, "result type has no conversion");
    rewriter.replaceOp(op, mapElements(e, type, adaptor.getOperands(), [&](ValueRange v) -> Value {
                         bool fromPtr = isa<LLVM::LLVMPointerType>(v[0].getType());
                         bool toPtr = isa<LLVM::LLVMPointerType>(element);
                         if (fromPtr && !toPtr)
                           return LLVM::PtrToIntOp::create(e.b, e.loc, element, v[0]);
                         if (!fromPtr && toPtr)
                           return LLVM::IntToPtrOp::create(e.b, e.loc, element, v[0]);
                         return e.bitcast(v[0], element);
                       }));
    return success();
  }
};

/// The promise has been used by earlier passes.
struct Assume : TilePattern<nv_tileaa::AssumeOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

} // namespace

void tilellvm::populateConstructorPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  patterns.add<Splat, ConstantTensor, MakeRange, AddPtr, PointerCast<nv_tileaa::IntToPtrOp>,
               PointerCast<nv_tileaa::PtrToIntOp>, PointerCast<nv_tileaa::BitcastOp>, Assume>(
      converter, patterns.getContext(), options);
  patterns.add<ArithConstant>(converter, patterns.getContext(), options, PatternBenefit(20));
}
