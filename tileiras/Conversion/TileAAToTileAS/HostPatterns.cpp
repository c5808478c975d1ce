//===- HostPatterns.cpp - Tile operations as host code --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// make_tiled_tma_desc becomes a call of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col (CUDA Driver API, "Tensor Map
// Object Management"), whose result says whether there is a tensor map; the rest is arithmetic.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileAAToTileAS/HostPatterns.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;

HostTypeConverter::HostTypeConverter(MLIRContext *context) : LLVMTypeConverter(context) {
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto memref = [=](nv_tileaa::MemRefType type) -> Type {
    SmallVector<Type> fields = {pointer};
    for (ArrayRef<int64_t> list : {type.getShape(), type.getStrides()})
      fields.append(llvm::count_if(list, ShapedType::isDynamic), IntegerType::get(context, 64));
    return LLVM::LLVMStructType::getLiteral(context, fields);
  };
  addConversion([=](nv_tileaa::PtrType) -> Type { return pointer; });
  addConversion([=](TmaDescriptorIterType) -> Type { return pointer; });
  addConversion(memref);
  addConversion([=](nv_tileaa::TiledViewType type) -> Type { return memref(type.getSource()); });
  addConversion([this](RankedTensorType type) -> Type { return convertType(type.getElementType()); });
}

int32_t nv_tileas::getL2Promotion(MakeTiledTmaDescOp make) {
  TmaAtom atom = *getTmaAtom(make.getAtom());
  int64_t row = atom.box[atom.order.front()] * getStorageBytes(make.getView().getType().getElementType());
  return row >= 128 ? 128 : row >= 64 ? 64 : 0;
}

namespace {

/// CUtensorMapDataType, from the number that stands for the type in PTX (tensormap.replace). The two part where PTX has
/// its types of f32 that flush.
std::optional<int32_t> driverType(MakeTiledTmaDescOp make) {
  std::optional<int32_t> code = getTmaElementCode(make.getView().getType(), make.getIsSigned());
  if (!code)
    return std::nullopt;
  return *code == 9 ? 8 /* FLOAT64 */ : *code == 10 ? 9 /* BFLOAT16 */ : *code;
}

struct MakeTiledTMADescOpHostConversion : ConvertOpToLLVMPattern<MakeTiledTmaDescOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(MakeTiledTmaDescOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto func = op->getParentOfType<LLVM::LLVMFuncOp>();
    auto number = op->getAttrOfType<IntegerAttr>(kHostTmaAttr);
    nv_tileaa::TiledViewType view = op.getView().getType();
    std::optional<int32_t> type = driverType(op);
    if (!func || !number || !type)
      return rewriter.notifyMatchFailure(op, "not in host code");
    TmaAtom atom = *getTmaAtom(op.getAtom());
    Builder b(rewriter, op.getLoc());
    nv_tileaa::MemRefType memref = view.getSource();

    // The fields of the struct, in the order of the type.
    int64_t field = 0;
    Value base = b.field(adaptor.getView(), field++);
    auto readFields = [&](ArrayRef<int64_t> list) {
      return llvm::map_to_vector(list, [&](int64_t known) -> Value {
        return ShapedType::isDynamic(known) ? b.field(adaptor.getView(), field++) : b.i64(known);
      });
    };
    SmallVector<Value> extents = readFields(memref.getShape()), strides = readFields(memref.getStrides());

    int64_t bytes = getStorageBytes(memref.getElementType());
    SmallVector<Value> dims, byteStrides;
    SmallVector<int32_t> box, steps;
    // Coordinates are cut to 32 bits with sign: the kernel cannot use a tensor that the driver still takes.
    Value usable = b.i1(true);
    for (auto [k, t] : llvm::enumerate(atom.order)) {
      unsigned d = view.getDimMap()[t];
      dims.push_back(extents[d]);
      box.push_back(atom.box[t]);
      steps.push_back(atom.steps.empty() ? 1 : atom.steps[t]);
      Value places = LLVM::SubOp::create(rewriter, op.getLoc(), extents[d], b.i64(1));
      Value fits = LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::ult, places, b.i64(kMaxTmaExtent));
      usable = LLVM::AndOp::create(rewriter, op.getLoc(), usable, fits);
      // Nobody steps along a dimension of one element; its stride has to be one that a tensor map takes.
      if (k > 0)
        byteStrides.push_back(memref.getShape()[d] == 1 && !ShapedType::isDynamic(memref.getStrides()[d])
                                  ? b.i64(16)
                                  : LLVM::MulOp::create(rewriter, op.getLoc(), strides[d], b.i64(bytes)));
    }

    Value map = b.at(func.getArgument(1), number.getInt() * kTensorMapBytes);
    SmallVector<Value> arguments = {map,
                                    b.i32(*type),
                                    b.i32(atom.order.size()),
                                    base,
                                    b.array(dims, b.intTy(64)),
                                    b.array(byteStrides, b.intTy(64))};
    StringRef name = "cuTensorMapEncodeTiled";
    if (atom.isIm2col) {
      name = "cuTensorMapEncodeIm2col";
      // Of the dimensions of pixels, innermost first, as all arrays (the manual names them {D, H, W}).
      auto corners = [&](ArrayRef<int32_t> list) {
        return b.array(llvm::map_to_vector(llvm::reverse(list), [&](int32_t v) { return b.i32(v); }), b.intTy(32));
      };
      llvm::append_range(arguments,
                         SmallVector<Value>{corners(atom.lower), corners(atom.upper), b.i32(box[0]), b.i32(box[1])});
    } else {
      arguments.push_back(b.array(llvm::map_to_vector(box, [&](int32_t v) { return b.i32(v); }), b.intTy(32)));
    }
    enum { NoInterleave = 0, ZeroFill = 0, Swizzle128Atom32 = 4 };
    int32_t swizzle = atom.atomBytes == 32 ? Swizzle128Atom32 : atom.swizzle ? llvm::Log2_32(atom.swizzle) - 4 : 0;
    int32_t promotion = getL2Promotion(op);
    llvm::append_range(
        arguments,
        SmallVector<Value>{b.array(llvm::map_to_vector(steps, [&](int32_t v) { return b.i32(v); }), b.intTy(32)),
                           b.i32(NoInterleave), b.i32(swizzle), b.i32(promotion ? llvm::Log2_32(promotion) - 5 : 0),
                           b.i32(ZeroFill)});
    SmallVector<Type> types = llvm::map_to_vector(arguments, [](Value v) { return v.getType(); });
    FailureOr<LLVM::LLVMFuncOp> encode =
        LLVM::lookupOrCreateFn(rewriter, SymbolTable::getNearestSymbolTable(func), name, types, b.intTy(32));
    if (failed(encode))
      return op.emitOpError("the module has another ") << name;
    Value code = LLVM::CallOp::create(rewriter, op.getLoc(), *encode, arguments).getResult();
    Value made = LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::eq, code, b.i32(0));
    rewriter.replaceOp(op, {map, LLVM::AndOp::create(rewriter, op.getLoc(), usable, made)});
    return success();
  }

private:
  struct Builder {
    ConversionPatternRewriter &rewriter;
    Location loc;
    Builder(ConversionPatternRewriter &rewriter, Location loc) : rewriter(rewriter), loc(loc) {}
    Type intTy(unsigned width) { return rewriter.getIntegerType(width); }
    Value constant(unsigned width, int64_t value) {
      return LLVM::ConstantOp::create(rewriter, loc, intTy(width), rewriter.getIntegerAttr(intTy(width), value));
    }
    Value i1(bool value) { return constant(1, value); }
    Value i32(int64_t value) { return constant(32, value); }
    Value i64(int64_t value) { return constant(64, value); }
    Value field(Value structure, int64_t number) {
      return LLVM::ExtractValueOp::create(rewriter, loc, structure, ArrayRef<int64_t>{number});
    }
    Value at(Value pointer, int64_t bytes) {
      return LLVM::GEPOp::create(rewriter, loc, pointer.getType(), intTy(8), pointer,
                                 ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
    }
    /// On the stack; one element at least, so that there is an address.
    Value array(ArrayRef<Value> values, Type element) {
      auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
      Value place = LLVM::AllocaOp::create(rewriter, loc, pointer, element, i64(std::max<int64_t>(values.size(), 1)));
      for (auto [i, value] : llvm::enumerate(values))
        LLVM::StoreOp::create(rewriter, loc, value, at(place, i * element.getIntOrFloatBitWidth() / 8));
      return place;
    }
  };
};

struct MakeMemRefOpHostConversion : ConvertOpToLLVMPattern<nv_tileaa::MakeMemRefOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(nv_tileaa::MakeMemRefOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType()), word = rewriter.getI64Type();
    Value result = LLVM::PoisonOp::create(rewriter, op.getLoc(), type);
    int64_t field = 0;
    auto insert = [&](Value value) {
      if (value.getType().isInteger() && value.getType() != word)
        value = LLVM::SExtOp::create(rewriter, op.getLoc(), word, value);
      result = LLVM::InsertValueOp::create(rewriter, op.getLoc(), result, value, ArrayRef<int64_t>{field++});
    };
    insert(adaptor.getBase());
    llvm::for_each(adaptor.getSizes(), insert);
    llvm::for_each(adaptor.getStrides(), insert);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The result is the operand.
template <typename Op> struct SameValueHostConversion : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands().front());
    return success();
  }
};
using SplatOpHostConversion = SameValueHostConversion<nv_tileaa::SplatOp>;
using ExtractOpHostConversion = SameValueHostConversion<nv_tileaa::ExtractOp>;
using AssumeOpHostConversion = SameValueHostConversion<nv_tileaa::AssumeOp>;
using BlockTileOpHostConversion = SameValueHostConversion<nv_tileaa::BlockTileOp>;
using BitcastOpHostConversion = SameValueHostConversion<nv_tileaa::BitcastOp>;

/// A tensor of equal elements.
struct ConstantTensorOpHostConversion : ConvertOpToLLVMPattern<nv_tileaa::ConstantTensorOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(nv_tileaa::ConstantTensorOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat)
      return rewriter.notifyMatchFailure(op, "its elements differ");
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(op, getTypeConverter()->convertType(op.getType()),
                                                  splat.getSplatValue<TypedAttr>());
    return success();
  }
};

struct AddPtrOpHostConversion : ConvertOpToLLVMPattern<nv_tileaa::AddPtrOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(nv_tileaa::AddPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<nv_tileaa::PtrType>(getElementTypeOrSelf(op.getType()));
    int64_t elementBytes = getStorageBytes(pointer.getPointee());
    if (getMemoryBits(pointer.getPointee()) != 8 * elementBytes)
      return rewriter.notifyMatchFailure(op, "its elements have no addresses of their own");
    Type word = rewriter.getI64Type();
    Value offset = adaptor.getOffset();
    if (offset.getType() != word)
      offset = LLVM::SExtOp::create(rewriter, op.getLoc(), word, offset);
    Value bytes = LLVM::MulOp::create(rewriter, op.getLoc(), offset,
                                      LLVM::ConstantOp::create(rewriter, op.getLoc(), word, elementBytes));
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(op, adaptor.getPtr().getType(), rewriter.getI8Type(), adaptor.getPtr(),
                                             ArrayRef<LLVM::GEPArg>{bytes});
    return success();
  }
};

template <typename From, typename To> struct CastHostConversion : ConvertOpToLLVMPattern<From> {
  using ConvertOpToLLVMPattern<From>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, this->getTypeConverter()->convertType(op.getType()),
                                    adaptor.getOperands().front());
    return success();
  }
};

} // namespace

void nv_tileas::populateHostPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns,
                                     ConversionTarget &target) {
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  patterns
      .add<MakeTiledTMADescOpHostConversion, MakeMemRefOpHostConversion, SplatOpHostConversion, ExtractOpHostConversion,
           AssumeOpHostConversion, BlockTileOpHostConversion, BitcastOpHostConversion, ConstantTensorOpHostConversion,
           AddPtrOpHostConversion, CastHostConversion<nv_tileaa::IntToPtrOp, LLVM::IntToPtrOp>,
           CastHostConversion<nv_tileaa::PtrToIntOp, LLVM::PtrToIntOp>>(converter);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return false; });
}

bool nv_tileas::hasHostPattern(Operation *op) {
  if (op->getNumRegions())
    return false;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    // By -1 the least number overflows, which traps as well.
    std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
    return divisor && *divisor > 0;
  }
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return false;
  if (auto constant = dyn_cast<nv_tileaa::ConstantTensorOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto add = dyn_cast<nv_tileaa::AddPtrOp>(op)) {
    Type pointee = cast<nv_tileaa::PtrType>(getElementTypeOrSelf(add.getType())).getPointee();
    return getMemoryBits(pointee) == 8 * getStorageBytes(pointee);
  }
  if (isa<arith::ConstantOp>(op) && isa<ShapedType>(op->getResult(0).getType()))
    return false;
  if (isa<arith::ArithDialect>(op->getDialect()))
    return true;
  return isa<nv_tileaa::MakeMemRefOp, nv_tileaa::SplatOp, nv_tileaa::ExtractOp, nv_tileaa::AssumeOp,
             nv_tileaa::BlockTileOp, nv_tileaa::BitcastOp, nv_tileaa::IntToPtrOp, nv_tileaa::PtrToIntOp>(op);
}
