//===- SkipScaling.cpp - Sums that need no factor -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attention multiplies its sums by how far the largest logit of their row has grown, in every round, and in most rounds
// it has not: then the factor is 1. Out of tensor memory, times 1, and back is what a warp can do without:
//
//     %x = convert_layout %sums                      %any = reduce or (%factors != 1) {of_warp}
//     %y = mulf %x, broadcast %factors      ->       scf.if %any { the same }
//     copy %y, %sums
//
// x * 1 is x for every x but a subnormal one that the multiplication flushes to zero, so one that flushes stays as it
// is. NaN is not 1. Each warp decides for its own rows: there must be no barrier between the threads in what it leaves
// out, and it has to be what the warp itself has in tensor memory, which it is as long as the tile is read and written
// in one layout.
//
// With random logits some row of 32 has a larger one in most rounds of attention, so most rounds take the branch. A
// kernel that keeps its maximum until it has grown far,
//
//     %far = cmpf greater_than (%new - %old), 8        %top = select %far, %new, %old
//
// takes it seldom (FlashAttention-4): the branches of others say that they are usual, for who counts.
//
// Part of tileas-skip-masks, which runs when layouts, products and barriers are final, so nobody before it has to look
// into the branch.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SkipScaling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/ReduceAtoms.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductsByWarpgroup.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// With fewer registers of a thread the vote and the branch cost as much as they save.
constexpr int64_t kLeastElements = 16;
/// A thread cannot have two rows of so many registers.
constexpr int64_t kMostBeside = 128;

/// What a region that reads a stage yields as this, or what is the same behind a wait.
Value yieldedAs(Value value) {
  if (auto read = value.getDefiningOp<ConsumerReadOp>(); read && value != read.getConsumed())
    value = read.getBody().front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber() - 1);
  if (Operation *same = value.getDefiningOp(); same && same->hasAttr(kSameAttr))
    value = same->getOperand(0);
  return value;
}

bool isShape(Operation *op) {
  return isa_and_nonnull<ViewOp, nv_tileaa::ViewOp, nv_tileaa::BroadcastOp, nv_tileaa::ExpandDimsOp>(op);
}

/// How deep a factor is looked into: a difference, a scale and a conversion.
constexpr unsigned kDeepest = 6;

/// Whether `value` is computed in the loop from a maximum with something that the loop carries.
bool isOfRunningMaximum(CountedLoop loop, Value value, unsigned depth) {
  value = yieldedAs(value);
  Operation *def = value.getDefiningOp();
  if (!def || !loop->isAncestor(def) || depth > kDeepest)
    return false;
  if (isa<arith::MaxNumFOp, arith::MaximumFOp, nv_tileaa::MaxFOp>(def))
    return llvm::any_of(def->getOperands(), [&](Value operand) {
      while (Operation *shape = operand.getDefiningOp()) {
        if (!isShape(shape))
          return false;
        operand = shape->getOperand(0);
      }
      auto argument = dyn_cast<BlockArgument>(operand);
      return argument && argument.getOwner() == loop.getBody();
    });
  if (!isElementwise(def) && !isShape(def))
    return false;
  return llvm::any_of(def->getOperands(), [&](Value operand) { return isOfRunningMaximum(loop, operand, depth + 1); });
}

/// Whether the running maximum that `value` is computed from is kept unless a comparison has it raised.
bool isRaisedSeldom(CountedLoop loop, Value value, unsigned depth = 0) {
  value = yieldedAs(value);
  Operation *def = value.getDefiningOp();
  if (!def || !loop->isAncestor(def) || depth > kDeepest)
    return false;
  // A comparison of both maxima themselves chooses the larger one: how far it has grown is a difference, or a sum.
  auto isFar = [](Value condition) {
    while (isShape(condition.getDefiningOp()))
      condition = condition.getDefiningOp()->getOperand(0);
    auto compare = condition.getDefiningOp<arith::CmpFOp>();
    return compare && llvm::any_of(compare->getOperands(), [](Value side) {
             return isa_and_nonnull<arith::SubFOp, arith::AddFOp, arith::MulFOp, math::FmaOp, nv_tileaa::SubFOp,
                                    nv_tileaa::AddFOp, nv_tileaa::MulFOp>(side.getDefiningOp());
           });
  };
  if (auto choice = dyn_cast<arith::SelectOp>(def); choice && isFar(choice.getCondition())) {
    auto isCarried = [&](Value side) {
      while (isShape(side.getDefiningOp()))
        side = side.getDefiningOp()->getOperand(0);
      auto argument = dyn_cast<BlockArgument>(side);
      return argument && argument.getOwner() == loop.getBody();
    };
    if ((isCarried(choice.getFalseValue()) && isOfRunningMaximum(loop, choice.getTrueValue(), 0)) ||
        (isCarried(choice.getTrueValue()) && isOfRunningMaximum(loop, choice.getFalseValue(), 0)))
      return true;
  }
  return (isElementwise(def) || isShape(def)) &&
         llvm::any_of(def->getOperands(), [&](Value operand) { return isRaisedSeldom(loop, operand, depth + 1); });
}

/// Powers: 1 where a maximum has not grown.
bool isPower(Operation *op) { return isa_and_nonnull<math::ExpOp, math::Exp2Op, nv_tileaa::Exp2Op>(op); }

bool isExactByOne(Operation *op) {
  if (auto product = dyn_cast<nv_tileaa::MulFOp>(op))
    return !product.getFtz();
  auto product = dyn_cast<arith::MulFOp>(op);
  return product && product.getFastmath() == arith::FastMathFlags::none;
}

} // namespace

StringRef nv_tileas::findScaling(Scaling &s) {
  s.product = s.copy.getSource().getDefiningOp();
  CountedLoop loop = s.copy->getParentOfType<CountedLoop>();
  Block *block = s.copy->getBlock();
  if (!loop || !s.product || s.product->getBlock() != block || !s.product->hasOneUse() ||
      !isa<arith::MulFOp, nv_tileaa::MulFOp>(s.product))
    return "it is no product";
  for (unsigned i : {0u, 1u}) {
    auto read = s.product->getOperand(i).getDefiningOp<ConvertLayoutOp>();
    if (read && read.getSource() == s.copy.getDest() && read->getBlock() == block && read->hasOneUse()) {
      s.read = read;
      s.factors = s.product->getOperand(1 - i);
    }
  }
  if (!s.read)
    return "it is no product of what is there";
  for (Operation *shape = s.factors.getDefiningOp(); isShape(shape); shape = s.factors.getDefiningOp()) {
    if (shape->getBlock() == block && shape->hasOneUse())
      s.shapes.push_back(shape);
    s.factors = shape->getOperand(0);
  }
  Value computed = yieldedAs(s.factors);
  while (isShape(computed.getDefiningOp()))
    computed = yieldedAs(computed.getDefiningOp()->getOperand(0));
  if (!isPower(computed.getDefiningOp()) || !isOfRunningMaximum(loop, computed, 0))
    return "the factors do not say how far a maximum has grown";
  s.isUsual = !isRaisedSeldom(loop, computed);
  if (!isExactByOne(s.product))
    return "a product by 1 flushes to zero";
  if (!s.copy.getNoWarBarrier() || s.copy->hasAttr(kAwaitsAttr))
    return "threads meet, or wait for a product, before the sums are written";
  if (getLinearLayout(s.read.getType()).inSize(tileiras::kRegister) < kLeastElements)
    return "a thread has few of them";
  // In between only arithmetic, which other operations may need, too.
  for (Operation *op = s.read->getNextNode(); op != s.copy; op = op->getNextNode())
    if (!op || !isMemoryEffectFree(op))
      return "something happens between reading and writing";
  return {};
}

namespace {

/// Whether something that the running warp has of a tile of i1 is true.
Value anyOf(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getRank() != 1) {
    int64_t count = type.getNumElements();
    auto flat = withLayout(RankedTensorType::get(count, type.getElementType()),
                           getLayoutAttr(builder.getContext(), getLinearLayout(type).reshapeOuts({int32_t(count)})));
    tile = ViewOp::create(builder, loc, flat, tile);
  }
  Type i1 = builder.getI1Type();
  auto any = ReduceOp::create(builder, loc, TypeRange{i1}, ValueRange{tile}, ValueRange(), builder.getI32IntegerAttr(0),
                              builder.getArrayAttr(builder.getBoolAttr(false)), UnitAttr());
  any->setAttr(kOfWarpAttr, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&any.getBody(), {}, {i1, i1}, {loc, loc});
  Value either = arith::OrIOp::create(builder, loc, body->getArgument(0), body->getArgument(1));
  YieldOp::create(builder, loc, either);
  return any.getResult(0);
}

/// Whether a factor of the running warp is not 1.
Value anyDiffers(OpBuilder &builder, Location loc, Value factors) {
  auto type = cast<RankedTensorType>(factors.getType());
  Value number = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type.getElementType(), 1.0));
  Value one = nv_tileaa::SplatOp::create(builder, loc, type, number);
  return anyOf(builder, loc, arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, factors, one));
}

/// Sums of whole rows in front of `before`, in its block or one around it, in the loop: those that a thread adds up
/// from as many registers as it needs for the sums in tensor memory.
Value rowSumBefore(Operation *before, int64_t registers) {
  for (Operation *at = before; at && !isa<CountedLoop>(at); at = at->getParentOp())
    for (Operation *op = at->getPrevNode(); op; op = op->getPrevNode())
      if (auto reduce = dyn_cast<ReduceOp>(op); reduce && reduce.getNumResults() == 1) {
        auto type = dyn_cast<RankedTensorType>(reduce.getResult(0).getType());
        auto source = cast<RankedTensorType>(reduce.getSources().front().getType());
        bool adds = !reduce.getBody().front().getOps<arith::AddFOp>().empty();
        if (type && adds && getLinearLayout(source).inSize(tileiras::kRegister) >= registers)
          return reduce.getResult(0);
      }
  return {};
}

void skip(Scaling &s) {
  Location loc = s.copy.getLoc();
  OpBuilder builder(s.copy);
  Value any = anyDiffers(builder, loc, s.factors);
  // A thread that has a whole row of one in registers has no room for a row of the other: the branch asks for the sum
  // of the row as well, so that no assembler adds up behind it. (Where that is NaN nothing is left out, which is no
  // harm.)
  if (getLinearLayout(s.read.getType()).inSize(tileiras::kRegister) >= kMostBeside)
    if (Value sum = rowSumBefore(s.copy, kMostBeside))
      any = arith::OrIOp::create(
          builder, loc, any,
          anyOf(builder, loc, arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, sum, sum)));
  auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  if (s.isUsual)
    branch->setAttr(kUsualAttr, builder.getUnitAttr());
  Operation *end = branch.thenBlock()->getTerminator();
  for (Operation *shape : llvm::reverse(s.shapes))
    shape->moveBefore(end);
  s.read->moveBefore(end);
  s.product->moveBefore(end);
  s.copy->moveBefore(end);
}

} // namespace

unsigned nv_tileas::skipScaling(Operation *func) {
  SmallVector<CopyOp> copies;
  func->walk([&](CopyOp copy) {
    if (copy.getDest() && isIn(copy.getDest().getType(), MemoryKind::Tensor))
      copies.push_back(copy);
  });
  unsigned skipped = 0;
  for (CopyOp copy : copies) {
    Scaling scaling;
    scaling.copy = copy;
    StringRef why = findScaling(scaling);
    if (!scaling.read) // nobody expects it
      continue;
    if (!why.empty()) {
      remarks::missed(copy, remarks::kSchedule, "Scaling") << remarks::because(why);
      continue;
    }
    remarks::passed(copy, remarks::kSchedule, "Scaling") << remarks::because(
        scaling.isUsual ? "warps all of whose factors are 1 leave the sums where they are"
                        : "warps all of whose factors are 1 leave the sums where they are, in most rounds: "
                          "the maximum is kept until it has grown far");
    skip(scaling);
    ++skipped;
  }
  return skipped;
}
