//===- Elementwise.cpp - arith on tiles, register by register -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All tensors of an element-wise operation share one layout, so register i of the result comes from registers i of the
// operands. A tile operation becomes the same arith operation on scalars, once per register; MLIR's arith-to-llvm
// patterns, which are part of the same conversion, take it from there. What they do not do exactly is spelled out here.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include <map>

using namespace mlir;
using namespace mlir::tilellvm;

Value tilellvm::mapElements(Emitter &e, Type resultType, ValueRange operands, function_ref<Value(ValueRange)> compute) {
  auto structure = dyn_cast<LLVM::LLVMStructType>(resultType);
  size_t count = structure ? structure.getBody().size() : 1;
  SmallVector<SmallVector<Value>> columns;
  for (Value operand : operands)
    columns.push_back(e.unpack(operand));
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Value> row;
    for (ArrayRef<Value> column : columns)
      row.push_back(column.size() == 1 ? column.front() : column[i]);
    results.push_back(compute(row));
  }
  return e.pack(resultType, results);
}

namespace {

bool onTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

/// For each register of the result of `op` the first one that is known to hold the same (kEqualBlocksAttr). A tile that
/// is a slice of the one that was marked may be smaller than a block, all of it one then.
SmallVector<unsigned> firstOfEqual(Operation *op, DenseI64ArrayAttr blocks) {
  FlatLayout flat(nv_tileas::getLinearLayout(cast<RankedTensorType>(op->getResult(0).getType())));
  if (flat.dims.size() != size_t(blocks.size()))
    return {};
  std::map<uint64_t, unsigned> first;
  SmallVector<unsigned> registers;
  for (unsigned r = 0; r < flat.numRegisters(); ++r) {
    uint64_t place = flat.ofRegister(r);
    for (auto [field, block] : llvm::zip_equal(flat.dims, blocks.asArrayRef()))
      place &= ~(uint64_t(std::clamp<int64_t>(block, 1, int64_t(1) << field.bits) - 1) << field.shift);
    registers.push_back(first.try_emplace(place, r).first->second);
  }
  return registers;
}

/// The same operation on scalars.
template <typename Op> struct PerRegister : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!onTensors(op))
      return failure(); // MLIR's own pattern
    Type type = this->types().convertType(op.getType());
    Type element = this->types().convertElementType(elementOf(op.getType()));
    if (!type || !element)
      return rewriter.notifyMatchFailure(op, "result type has no conversion");
    Emitter e(rewriter, op.getLoc());
    Operation *source = op;
    NamedAttrList attributes(source->getDiscardableAttrDictionary());
    SmallVector<unsigned> same;
    if (auto blocks = dyn_cast_or_null<DenseI64ArrayAttr>(attributes.erase(nv_tileas::kEqualBlocksAttr)))
      same = firstOfEqual(op, blocks);
    SmallVector<Value> made;
    rewriter.replaceOp(op, mapElements(e, type, adaptor.getOperands(), [&](ValueRange operands) {
                         if (!same.empty() && same[made.size()] < made.size()) {
                           made.push_back(made[same[made.size()]]);
                           return made.back();
                         }
                         Operation *copy = Operation::create(op.getLoc(), source->getName(), TypeRange{element},
                                                             operands, attributes.getDictionary(op.getContext()),
                                                             source->getPropertiesStorage(), BlockRange(), 0);
                         rewriter.insert(copy);
                         made.push_back(copy->getResult(0));
                         return made.back();
                       }));
    return success();
  }
};

/// Division rounded up or down, from the truncated one: q = x / y, then a correction where the division was not exact.
template <typename Op> struct RoundedDivision : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    using P = LLVM::ICmpPredicate;
    constexpr bool isSigned = !std::is_same_v<Op, arith::CeilDivUIOp>;
    constexpr bool up = !std::is_same_v<Op, arith::FloorDivSIOp>;
    rewriter.replaceOp(
        op, mapElements(e, this->types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) -> Value {
          Value x = v[0], y = v[1], zero = e.zero(x.getType()), one = e.constant(x.getType(), 1);
          Value quotient, inexact;
          if constexpr (isSigned)
            quotient = LLVM::SDivOp::create(e.b, e.loc, x, y);
          else
            quotient = LLVM::UDivOp::create(e.b, e.loc, x, y);
          Value rest = e.sub(x, e.mul(quotient, y));
          inexact = e.icmp(P::ne, rest, zero);
          if constexpr (isSigned) {
            // The truncated quotient lies above the exact one iff the signs differ, below it iff they agree.
            Value differ = e.icmp(P::slt, e.xori(x, y), zero);
            inexact = e.andi(inexact, up ? e.xori(differ, e.i1(true)) : differ);
          }
          return e.select(inexact, up ? e.add(quotient, one) : e.sub(quotient, one), quotient);
        }));
    return success();
  }
};

/// fmod is exact; LLVM's frem on this target is x - trunc(x/y) * y, which is not.
struct RemF : TilePattern<arith::RemFOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!options.libdevice)
      return op.emitOpError("needs libdevice (the exact remainder has no expansion); give a CUDA toolkit");
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         return computeInF32(e, v, [&](ValueRange w) { return callLibdevice(e, "fmod", w); });
                       }));
    return success();
  }
};

/// tensor-typed bit casts between types that are the same in registers (f8 and i8) are nothing.
struct Bitcast : TilePattern<arith::BitcastOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(arith::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Type element = types().convertElementType(elementOf(op.getType()));
    if (!element || element.getIntOrFloatBitWidth() !=
                        types().convertElementType(elementOf(op.getIn().getType())).getIntOrFloatBitWidth())
      return op.emitOpError("between these types is not supported");
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(),
                                       [&](ValueRange v) { return e.bitcast(v[0], element); }));
    return success();
  }
};

struct Poison : TilePattern<ub::PoisonOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Type type = types().convertType(op.getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "type has no conversion");
    rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, type);
    return success();
  }
};

/// mulhiui: the upper half of a product in twice the width.
struct MulHi : TilePattern<nv_tileaa::MulhiUIOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::MulhiUIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    auto type = dyn_cast<IntegerType>(elementOf(op.getType()));
    if (!type)
      return op.emitOpError("expects integers");
    Type narrow = e.intTy(type.getWidth()), wide = e.intTy(2 * type.getWidth());
    rewriter.replaceOp(op, mapElements(e, types().convertType(op.getType()), adaptor.getOperands(), [&](ValueRange v) {
                         Value product = e.mul(e.resize(v[0], wide), e.resize(v[1], wide));
                         return e.resize(e.lshr(product, type.getWidth()), narrow);
                       }));
    return success();
  }
};

/// Operations that bring their own code, once per register.
template <typename Op> struct Escape : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->types().convertType(op.getResult().getType());
    Type element = this->types().convertElementType(elementOf(op.getResult().getType()));
    if (!type || !element)
      return rewriter.notifyMatchFailure(op, "result type has no conversion");
    if constexpr (std::is_same_v<Op, nv_tileaa::ExternElementwiseOp>)
      if (!op.getSymbol().starts_with("__nv_"))
        return op.emitOpError("'") << op.getSymbol() << "' of '" << op.getLibname() << "': only libdevice is linked";
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, mapElements(e, type, adaptor.getOperands(), [&](ValueRange v) -> Value {
          if constexpr (std::is_same_v<Op, nv_tileaa::ExternElementwiseOp>)
            return e.callExternal(op.getSymbol().str(), element, v);
          else if constexpr (std::is_same_v<Op, nv_tileaa::CallElementwiseIntrinsicOp>)
            return LLVM::CallIntrinsicOp::create(e.b, e.loc, element, op.getIntrinsicAttr(), v).getResult(0);
          else
            return LLVM::InlineAsmOp::create(e.b, e.loc, element, v, op.getAsmString(), op.getConstraints(),
                                             /*has_side_effects=*/!op.getPure(), /*is_align_stack=*/false,
                                             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
                .getResult(0);
        }));
    return success();
  }
};

} // namespace

void tilellvm::populateElementwisePatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  MLIRContext *context = patterns.getContext();
  patterns.add<
      PerRegister<arith::CmpFOp>, PerRegister<arith::CmpIOp>, PerRegister<arith::AddFOp>, PerRegister<arith::AddIOp>,
      PerRegister<arith::AndIOp>, PerRegister<arith::DivFOp>, PerRegister<arith::DivSIOp>, PerRegister<arith::DivUIOp>,
      PerRegister<arith::ExtSIOp>, PerRegister<arith::ExtUIOp>, PerRegister<arith::MaximumFOp>,
      PerRegister<arith::MaxNumFOp>, PerRegister<arith::MaxSIOp>, PerRegister<arith::MaxUIOp>,
      PerRegister<arith::MinimumFOp>, PerRegister<arith::MinNumFOp>, PerRegister<arith::MinSIOp>,
      PerRegister<arith::MinUIOp>, PerRegister<arith::MulFOp>, PerRegister<arith::MulIOp>, PerRegister<arith::NegFOp>,
      PerRegister<arith::OrIOp>, PerRegister<arith::RemSIOp>, PerRegister<arith::RemUIOp>, PerRegister<arith::SelectOp>,
      PerRegister<arith::ShLIOp>, PerRegister<arith::ShRSIOp>, PerRegister<arith::ShRUIOp>, PerRegister<arith::SubFOp>,
      PerRegister<arith::SubIOp>, PerRegister<arith::TruncIOp>, PerRegister<arith::XOrIOp>,
      PerRegister<arith::IndexCastOp>, PerRegister<arith::IndexCastUIOp>>(converter, context, options);
  patterns.add<RoundedDivision<arith::CeilDivSIOp>, RoundedDivision<arith::CeilDivUIOp>,
               RoundedDivision<arith::FloorDivSIOp>, RemF, Bitcast, MulHi, Poison,
               Escape<nv_tileaa::CallElementwiseIntrinsicOp>, Escape<nv_tileaa::ExternElementwiseOp>,
               Escape<nv_tileaa::ElementwiseInlineAsmOp>>(converter, context, options);
}
