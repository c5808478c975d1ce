//===- PackedFloat.cpp - Two f32 at a time --------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::tilellvm;

/// With fewer registers the pairs cost moves and gain nothing.
static constexpr size_t kLeastRegisters = 4;

bool tilellvm::packsFloats(Operation *op, size_t registers) {
  // sm_120 has the instructions, of which its assembler makes two each.
  const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  return registers >= kLeastRegisters && registers % 2 == 0 && target && target->f32x2 && target->tensorMemoryColumns;
}

Value tilellvm::packFloats(Emitter &e, Value low, Value high) {
  Value pair = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(2, e.f32Ty()));
  pair = LLVM::InsertElementOp::create(e.b, e.loc, pair, low, e.i32(0));
  return LLVM::InsertElementOp::create(e.b, e.loc, pair, high, e.i32(1));
}

Value tilellvm::unpackFloat(Emitter &e, Value pair, unsigned which) {
  return LLVM::ExtractElementOp::create(e.b, e.loc, pair, e.i32(which));
}

namespace {

/// Whether an operand is widened for the operation, which the instruction for one f32 does by itself (PTX ISA, mixed
/// precision "add", "sub" and "fma" of f16 and bf16).
bool widensByItself(Operation *op) {
  return !isa<arith::MulFOp>(op) && llvm::any_of(op->getOperands(), [](Value operand) {
    auto extend = operand.getDefiningOp<arith::ExtFOp>();
    Type from = extend ? getElementTypeOrSelf(extend.getIn()) : Type();
    return from && (from.isF16() || from.isBF16());
  });
}

/// An operation on tiles of f32, two registers at a time.
template <typename Op, typename LLVMOp> struct Packed : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !type.getElementType().isF32() || op.getFastmath() != arith::FastMathFlags::none ||
        op->hasAttr(nv_tileas::kEqualBlocksAttr))
      return failure();
    size_t registers = nv_tileas::getLinearLayout(type).inSize(::tileiras::kRegister);
    if (!packsFloats(op, registers) || widensByItself(op))
      return failure();
    Emitter e(rewriter, op.getLoc());
    SmallVector<SmallVector<Value>> columns;
    for (Value operand : adaptor.getOperands())
      columns.push_back(e.unpack(operand));
    SmallVector<Value> results;
    for (size_t i = 0; i < registers; i += 2) {
      SmallVector<Value> pairs;
      for (ArrayRef<Value> column : columns)
        pairs.push_back(packFloats(e, column[i], column[i + 1]));
      Value pair = LLVMOp::create(e.b, e.loc, pairs.front().getType(), pairs);
      results.push_back(unpackFloat(e, pair, 0));
      results.push_back(unpackFloat(e, pair, 1));
    }
    rewriter.replaceOp(op, e.pack(this->types().convertType(type), results));
    return success();
  }
};

} // namespace

void tilellvm::populatePackedFloatPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  // Before those that take one register after the other.
  patterns.add<Packed<arith::AddFOp, LLVM::FAddOp>, Packed<arith::SubFOp, LLVM::FSubOp>,
               Packed<arith::MulFOp, LLVM::FMulOp>, Packed<math::FmaOp, LLVM::FMAOp>>(converter, patterns.getContext(),
                                                                                      options, /*benefit=*/3);
}
