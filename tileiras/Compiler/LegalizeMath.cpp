//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileir-legalize-math: decides how each scalar math operation is computed.
//
//  * What the GPU has as an instruction becomes an LLVM intrinsic: sqrt (as
//    sqrt.rn, never approximate), fma, abs, floor, ceil, trunc, rint, copysign.
//    convert-gpu-to-nvvm would call libdevice for these, whose sqrt is only
//    as exact as its reflection parameters say.
//  * With libdevice the rest stays for convert-gpu-to-nvvm, which calls __nv_*.
//  * Without it the f32 functions become MLIR's polynomial approximations, f16
//    and bf16 through f32. An f64 function then has no implementation: an error.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tileiras {
#define GEN_PASS_DEF_LEGALIZEMATHPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// f16 and bf16 go through f32: exact for the rounding functions, and correctly rounded for sqrt, since f32 has
/// more than twice the digits of either.
template <typename MathOp, typename LLVMOp> bool replaceUnary(Operation *op) {
  auto math = dyn_cast<MathOp>(op);
  if (!math || !isa<FloatType>(math.getType()))
    return false;
  OpBuilder b(op);
  Location loc = op->getLoc();
  Type type = math.getType(), f32 = b.getF32Type();
  Value x = math.getOperand();
  bool widen = type.getIntOrFloatBitWidth() < 32;
  if (widen)
    x = LLVM::FPExtOp::create(b, loc, f32, x);
  Value result = LLVMOp::create(b, loc, x.getType(), ValueRange{x}, ArrayRef<NamedAttribute>{});
  if (widen)
    result = LLVM::FPTruncOp::create(b, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  return true;
}

bool replaceNative(Operation *op) {
  if (auto fma = dyn_cast<math::FmaOp>(op); fma && isa<FloatType>(fma.getType())) {
    OpBuilder b(op);
    Value result = LLVM::FMAOp::create(b, op->getLoc(), fma.getType(), fma->getOperands(), ArrayRef<NamedAttribute>{});
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return true;
  }
  if (auto sign = dyn_cast<math::CopySignOp>(op); sign && sign.getType().isF32()) {
    OpBuilder b(op);
    Value result =
        LLVM::CopySignOp::create(b, op->getLoc(), sign.getType(), sign->getOperands(), ArrayRef<NamedAttribute>{});
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return true;
  }
  return replaceUnary<math::SqrtOp, LLVM::SqrtOp>(op) || replaceUnary<math::AbsFOp, LLVM::FAbsOp>(op) ||
         replaceUnary<math::FloorOp, LLVM::FFloorOp>(op) || replaceUnary<math::CeilOp, LLVM::FCeilOp>(op) ||
         replaceUnary<math::TruncOp, LLVM::FTruncOp>(op) || replaceUnary<math::RoundEvenOp, LLVM::RintOp>(op);
}

/// x to the power of y on f32 as 2^(y log2 |x|), with the sign and the special cases of C's pow: a negative x is fine
/// with an integer y, 1 to any power and anything to the power of 0 are 1. (MLIR's own expansion gives NaN for every
/// negative x.)
struct ExpandPow : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    using P = arith::CmpFPredicate;
    Value x = op.getLhs(), y = op.getRhs();
    auto constant = [&](float v) { return arith::ConstantOp::create(b, b.getF32FloatAttr(v)); };
    auto compare = [&](P predicate, Value u, Value v) { return arith::CmpFOp::create(b, predicate, u, v); };
    auto isWhole = [&](Value v) { return compare(P::OEQ, math::FloorOp::create(b, v), v); };
    Value one = constant(1), zero = constant(0), size = math::AbsFOp::create(b, x);
    Value power = math::Exp2Op::create(b, arith::MulFOp::create(b, y, math::Log2Op::create(b, size)));
    Value isOne = arith::OrIOp::create(b, compare(P::OEQ, size, one), compare(P::OEQ, y, zero));
    // 1 to the power of NaN is 1, -1 is not.
    Value unordered =
        arith::AndIOp::create(b, compare(P::UNO, y, y), compare(P::OEQ, x, arith::NegFOp::create(b, one)));
    power = arith::SelectOp::create(b, isOne, one, power);
    power = arith::SelectOp::create(b, unordered, y, power);
    // Whole numbers that are not twice a whole number.
    Value whole = isWhole(y), even = isWhole(arith::MulFOp::create(b, y, constant(0.5)));
    Value odd = arith::AndIOp::create(
        b, whole, arith::XOrIOp::create(b, even, arith::ConstantOp::create(b, b.getBoolAttr(true))));
    power = arith::SelectOp::create(b, odd, math::CopySignOp::create(b, power, x), power);
    Value root = arith::AndIOp::create(b, compare(P::OLT, x, zero),
                                       compare(P::OGT, x, constant(-std::numeric_limits<float>::infinity())));
    root = arith::AndIOp::create(b, root, compare(P::UNE, math::FloorOp::create(b, y), y));
    root = arith::AndIOp::create(b, root, compare(P::ONE, y, zero));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, root, constant(std::numeric_limits<float>::quiet_NaN()), power);
    return success();
  }
};

struct LegalizeMathPass : impl::LegalizeMathPassBase<LegalizeMathPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    if (!libdevice) // what the expansions are made of
      registry.insert<arith::ArithDialect, math::MathDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> functions;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) && !replaceNative(op))
        functions.push_back(op);
    });
    if (libdevice || functions.empty())
      return;
    functions.front()->emitWarning("libdevice.10.bc is not in use: math functions become polynomial approximations");
    expandWithoutLibdevice(functions);
  }

private:
  void expandWithoutLibdevice(ArrayRef<Operation *> functions) {
    RewritePatternSet patterns(&getContext());
    static constexpr StringRef byFormula[] = {"tan",  "sinh",  "cosh",  "asinh", "acosh", "atanh",
                                              "exp2", "fpowi", "ipowi", "rsqrt", "clampf"};
    math::populateExpansionPatterns(patterns, byFormula);
    patterns.add<ExpandPow>(&getContext(), /*benefit=*/10);
    auto all = [](StringRef) { return true; };
    populateMathF32ExpansionPatterns(patterns, all);
    populateMathPolynomialApproximationPatterns(patterns, all);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(functions, std::move(patterns), config);

    // The expansions use further math operations that are instructions. Those on integers have LLVM intrinsics.
    bool missing = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) || replaceNative(op))
        return;
      if (!isa<FloatType>(op->getResult(0).getType()))
        return;
      op->emitError() << "'" << op->getName() << "' on " << op->getResult(0).getType()
                      << " needs libdevice.10.bc of a CUDA toolkit, which was not found; name it with --libdevice-path";
      missing = true;
    });
    if (missing)
      signalPassFailure();
  }
};

} // namespace

} // namespace tileiras
