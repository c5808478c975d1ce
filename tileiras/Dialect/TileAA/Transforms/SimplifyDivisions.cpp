//===- SimplifyDivisions.cpp - Divisions by powers of two -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many tiles of 128 an array has is a division rounded up, which is taken apart into a division rounded towards
// zero and a correction by the remainder and both signs: nine instructions, and two registers through the whole kernel
// where loops end by it. Of numbers whose low bits a promise decides (AxisInfo) one shift is left:
//
//     %n = nv_tileaa.assume #nv_tileaa.div_by<128>, %size      %n = ...
//     %tiles = arith.ceildivsi %n, %c128                   ->  %tiles = arith.shrsi %n, %c7
//     %rest = arith.remsi %n, %c64                             %rest = arith.constant 0
//
// and of others rounding down is a shift as well, rounding up a shift and whether any of the low bits is set. Shifts of
// negative numbers round down, so what rounds towards zero stays where the number may be negative and something be
// left.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::nv_tileaa {
#define GEN_PASS_DEF_SIMPLIFYDIVISIONSPASS
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileaa

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::RemSIOp, arith::RemUIOp>(op);
}

Value constant(OpBuilder &b, Location loc, Type type, int64_t value) {
  auto element = cast<IntegerType>(nv_tileaa::getElementTypeOrSelf(type));
  TypedAttr attr = IntegerAttr::get(element, value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = SplatElementsAttr::get(shaped, cast<Attribute>(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

/// `op` divided by 2^log; `exact`: nothing is left; `down`: towards zero is down. Null if the division has to stay.
Value simplified(Operation *op, unsigned log, bool exact, bool down, OpBuilder &b) {
  Location loc = op->getLoc();
  Value x = op->getOperand(0);
  Type type = x.getType();
  auto shifted = [&](bool isSigned) -> Value {
    if (!log)
      return x;
    Value amount = constant(b, loc, type, log);
    return isSigned ? arith::ShRSIOp::create(b, loc, x, amount).getResult()
                    : arith::ShRUIOp::create(b, loc, x, amount).getResult();
  };
  auto roundedUp = [&](bool isSigned) -> Value {
    Value down = shifted(isSigned);
    if (exact)
      return down;
    Value low = arith::AndIOp::create(b, loc, x, constant(b, loc, type, (int64_t(1) << log) - 1));
    Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, low, constant(b, loc, type, 0));
    return arith::AddIOp::create(b, loc, down, arith::ExtUIOp::create(b, loc, type, some));
  };
  return TypeSwitch<Operation *, Value>(op)
      .Case<arith::RemSIOp, arith::RemUIOp>([&](Operation *rest) -> Value {
        if (exact)
          return constant(b, loc, type, 0);
        return down || isa<arith::RemUIOp>(rest)
                   ? arith::AndIOp::create(b, loc, x, constant(b, loc, type, (int64_t(1) << log) - 1)).getResult()
                   : Value();
      })
      .Case<arith::DivSIOp>([&](auto) { return exact || down ? shifted(true) : Value(); })
      .Case<arith::FloorDivSIOp>([&](auto) { return shifted(true); })
      .Case<arith::DivUIOp>([&](auto) { return shifted(false); })
      .Case<arith::CeilDivSIOp>([&](auto) { return roundedUp(true); })
      .Case<arith::CeilDivUIOp>([&](auto) { return roundedUp(false); });
}

struct SimplifyDivisionsPass : nv_tileaa::impl::SimplifyDivisionsPassBase<SimplifyDivisionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation()->walk([&](Operation *op) {
      if (isDivision(op) && isa<IntegerType>(nv_tileaa::getElementTypeOrSelf(op->getResult(0).getType())))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return markAllAnalysesPreserved();
    // All is asked before anything changes: the analysis knows values by their addresses, which new ones may get.
    struct Shift {
      Operation *op;
      unsigned log;
      bool exact, down;
    };
    SmallVector<Shift> shifts;
    AxisInfoAnalysisResult axes(getOperation());
    for (Operation *op : divisions) {
      const AxisInfo *divisor = axes.get(op->getOperand(1)), *number = axes.get(op->getOperand(0));
      std::optional<int64_t> by = divisor ? divisor->constantValue : std::nullopt;
      // The least signed number reads as negative here.
      if (by && *by > 0 && llvm::isPowerOf2_64(*by))
        shifts.push_back({op, llvm::Log2_64(*by), number && number->getElementDivisibility() % *by == 0,
                          number && number->nonNegative});
    }
    OpBuilder b(&getContext());
    for (auto [op, log, exact, down] : shifts) {
      b.setInsertionPoint(op);
      Value value = simplified(op, log, exact, down, b);
      if (!value)
        continue;
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
      ++numDivisions;
    }
  }
};

} // namespace
