//===- ShareExponentials.cpp - tileas-share-exponentials ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A multiprocessor has 16 special functions a clock, and 128 multiply-adds. In attention on a target with tensor memory
// the powers of a tile take the special function unit as long as both products take the tensor core, and the pipe of
// multiply-adds is idle for most of that time. So a part of the powers is computed there:
//
//     2^x = 2^floor(x) * p(x - floor(x))          p: PolynomialExp2.h, no further off than the instruction
//
// Of every few pairs of a thread's registers one, so that both pipes have work at the same time. The pass marks the
// operation where special functions hold the round back, by counts of the round and the table of the target: where they
// take at least kLeastShare of what its products take (a target with twice as many has other limits), and where the
// threads have slots for the polynomials, which take eight times as many as the instruction, in the time that special
// functions take: a fourth of the powers, or a third, where that leaves neither pipe more to do than the other one.
// Where two warpgroups take turns at the special
// functions (ProductsByWarpgroup.h), one alone has the turn, nothing runs beside its polynomials, and the other one's
// arithmetic is under its powers already: such loops are left as they are (by the model of B200 they lose 1 %), unless
// a product is waited for where it stands, so that the way through a round is what limits. So are those with masks in
// some rounds (tileas-skip-masks): causal attention gains where it is long and loses where it is not. And it flushes to
// zero, as the polynomial has no subnormal results.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ShareExponentials.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SkipScaling.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Schedule/MachineModel.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SHAREEXPONENTIALSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// With fewer registers of a thread there are no pairs to choose from.
constexpr int64_t kLeastElements = 32;
/// Special functions that take less of the time of a round's products hide behind them.
constexpr double kLeastShare = 0.75;
/// One pair in so many, mostly, and at most. With more polynomials the way through a thread's powers grows, which no
/// count of slots says (256x128 that keeps its maxima, by the model of B200: 1,452 TFLOP/s with a third, 1,444 with a
/// fourth, 1,353 with a half).
constexpr int64_t kPairs = 4, kLeastPairs = 3;
/// What a warp issues for a pair of powers by multiply-adds (PolynomialExp2.h), instead of two instructions: the pairs
/// of registers are added, subtracted, multiplied and added up by one instruction each, and clamped and shifted one by
/// one.
constexpr double kPolynomialSlots = 16;
/// Lanes of the four schedulers.
constexpr double kLanes = 128;

/// Clocks of a round by unit. `threads`: slots of the schedulers; `scaling`: more of them, in most rounds, for sums
/// that are multiplied (SkipScaling.h).
struct Round {
  double products = 0, functions = 0, threads = 0, scaling = 0;
};

/// Whether all registers of a thread have one value: what is computed from it is computed once.
bool isOneRegister(Value value, unsigned depth = 0) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *def = value.getDefiningOp();
  if (!type || getLinearLayout(type).inSize(tileiras::kRegister) == 1)
    return true;
  if (!def || depth > 6)
    return false;
  if (isa<nv_tileaa::SplatOp, arith::ConstantOp>(def))
    return true;
  return (isa<nv_tileaa::BroadcastOp, ViewOp>(def) || OpTrait::hasElementwiseMappableTraits(def)) &&
         llvm::all_of(def->getOperands(), [&](Value operand) { return isOneRegister(operand, depth + 1); });
}

/// Instructions for an element of the tile that `op` computes, or takes together.
double slotsOf(Operation *op) {
  if (isa<ConvertLayoutOp, CopyOp, ViewOp, AllocTensorOp, nv_tileaa::BroadcastOp, nv_tileaa::SplatOp,
          nv_tileaa::PermuteOp, arith::ConstantOp>(op) ||
      llvm::all_of(op->getOperands(), [](Value v) { return isOneRegister(v); }))
    return 0;
  // Two at a time: packed arithmetic, conversions to 16 bits, and reductions (PackedFloat.h; maxima of three).
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp, arith::TruncFOp, ReduceOp>(op))
    return 0.5;
  return 1;
}

/// Of a branch the cheaper side counts: masks hide nothing in most rounds, and factors are 1 (tileas-skip-masks).
Round costOf(Region &region, int computeCapability) {
  const tileiras::schedule::TargetCosts &costs = tileiras::schedule::costsFor(computeCapability);
  Round round;
  auto add = [&](const Round &more) {
    round.products += more.products;
    round.functions += more.functions;
    round.threads += more.threads;
    round.scaling += more.scaling;
  };
  for (Operation &op : region.getOps()) {
    if (auto dot = dyn_cast<DotOp>(op)) {
      tileiras::DotShape shape = getDotShape(dot);
      double bits = dot.getA().getType().getElementType().getIntOrFloatBitWidth();
      round.products += double(shape.m) * shape.n * shape.k * shape.batch * bits / 16 / costs.f16MultiplyAdds;
      continue;
    }
    if (auto branch = dyn_cast<nv_tileaa::Branch>(op)) {
      Round one = costOf(branch.getThenRegion(), computeCapability);
      Round other = costOf(branch.getElseRegion(), computeCapability);
      if (branch->hasAttr(kUsualAttr))
        round.scaling += one.threads;
      add(one.threads < other.threads ? one : other);
      continue;
    }
    bool reduces = isa<ReduceOp>(op);
    if (!reduces)
      for (Region &inner : op.getRegions())
        add(costOf(inner, computeCapability));
    if ((!reduces && op.getNumRegions()) || !op.getNumOperands())
      continue;
    Value tile = reduces ? op.getOperand(0) : op.getNumResults() == 1 ? op.getResult(0) : Value();
    auto type = tile ? dyn_cast<RankedTensorType>(tile.getType()) : RankedTensorType();
    if (!type || isIn(type, MemoryKind::Tensor) || isIn(type, MemoryKind::Shared))
      continue;
    round.threads += type.getNumElements() * slotsOf(&op) / kLanes;
    if (isa<nv_tileaa::Exp2Op, math::Exp2Op>(op))
      round.functions += type.getNumElements() / tileiras::schedule::powersOfTwo(computeCapability);
  }
  return round;
}

struct ShareExponentialsPass : nv_tileas::impl::ShareExponentialsPassBase<ShareExponentialsPass> {
  using Base::Base;

  void runOnOperation() override {
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(getOperation());
    if (pairs == 0 || !target || !target->hasTcgen05() || !target->f32x2)
      return;
    SmallVector<nv_tileaa::Exp2Op> powers;
    getOperation().walk([&](nv_tileaa::Exp2Op power) {
      auto type = dyn_cast<RankedTensorType>(power.getType());
      if (type && type.getElementType().isF32() &&
          getLinearLayout(type).inSize(tileiras::kRegister) >= kLeastElements && loopOf(power))
        powers.push_back(power);
    });
    for (nv_tileaa::Exp2Op power : powers) {
      Round round = costOf(loopOf(power).getRegion(), target->computeCapability);
      double elements = cast<RankedTensorType>(power.getType()).getNumElements();
      auto slots = [&](int64_t in) { return elements / in * (kPolynomialSlots / 2 - 1) / kLanes; };
      double saved = elements / kLeastPairs / tileiras::schedule::powersOfTwo(target->computeCapability);
      bool hasRoom = round.threads + round.scaling + slots(kLeastPairs) <= round.functions - saved;
      int64_t in = pairs > 0 ? int64_t(pairs) : hasRoom ? kLeastPairs : kPairs;
      double more = slots(in);
      StringRef why = whyNot(power, round, more);
      auto remark = why.empty() ? remarks::passed(power, remarks::kSchedule, "Exponentials")
                                : remarks::missed(power, remarks::kSchedule, "Exponentials");
      if (remark)
        remark << remarks::figure("Functions", int64_t(round.functions))
               << remarks::figure("Products", int64_t(round.products))
               << remarks::figure("Threads", int64_t(round.threads)) << remarks::figure("More", int64_t(more))
               << remarks::figure("Pairs", in)
               << remarks::because(why.empty() ? "special functions hold the round back: multiply-adds do a part"
                                               : why);
      if (!why.empty())
        continue;
      power->setAttr(kPairsWithPolynomialAttr, Builder(&getContext()).getI64IntegerAttr(in));
      ++numShared;
    }
  }

private:
  /// The loop around, if products add up in tensor memory there.
  static CountedLoop loopOf(Operation *op) {
    auto loop = op->getParentOfType<CountedLoop>();
    bool multiplies = loop && loop->walk([](DotOp dot) {
                                    return isIn(dot.getC().getType(), MemoryKind::Tensor) ? WalkResult::interrupt()
                                                                                          : WalkResult::advance();
                                  })
                                  .wasInterrupted();
    return multiplies ? loop : CountedLoop();
  }

  /// `more`: slots that the polynomials would take beyond those of the instructions they stand for.
  static StringRef whyNot(nv_tileaa::Exp2Op power, const Round &round, double more) {
    if (!power.getFtz())
      return "results below the normal numbers are wanted";
    if (round.functions < kLeastShare * round.products)
      return "special functions hide behind the products";
    auto isAwaitedAtOnce = [](DotOp dot) {
      return dot->hasAttr(kAwaitedAsAttr) ? WalkResult::advance() : WalkResult::interrupt();
    };
    if (loopOf(power)
            ->walk([](CopyOp copy) {
              return copy->hasAttr(kEndsTurnAttr) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted() &&
        !loopOf(power)->walk(isAwaitedAtOnce).wasInterrupted())
      return "warpgroups take turns at the special functions";
    if (loopOf(power)
            ->walk([](arith::SelectOp select) {
              return isa<RankedTensorType>(select.getType()) && isa<nv_tileaa::Branch>(select->getParentOp())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted())
      return "only some rounds have masks";
    if (round.threads + more > round.functions)
      return "the threads have no slots for polynomials";
    return {};
  }
};

} // namespace
