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

#include "tileiras/Compiler/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

class LegalizeMath : public PassWrapper<LegalizeMath, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LegalizeMath)

  LegalizeMath() = default;
  LegalizeMath(const LegalizeMath &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "tileir-legalize-math"; }
  StringRef getDescription() const override { return "Choose instructions, libdevice or expansions for math"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
    if (!libdevice)
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

  Option<bool> libdevice{*this, "libdevice", llvm::cl::desc("libdevice will be linked"), llvm::cl::init(true)};

private:
  void expandWithoutLibdevice(ArrayRef<Operation *> functions) {
    RewritePatternSet patterns(&getContext());
    static constexpr StringRef byFormula[] = {"tan",  "sinh", "cosh",  "asinh", "acosh", "atanh",
                                              "exp2", "powf", "fpowi", "ipowi", "rsqrt", "clampf"};
    math::populateExpansionPatterns(patterns, byFormula);
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

void registerLegalizeMathPass() { PassRegistration<LegalizeMath>(); }

} // namespace tileiras
