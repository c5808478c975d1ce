//===- SkipMasks.cpp - tileas-skip-masks ----------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mask that compares positions hides nothing of most tiles:
//
//     %m = cmpi sle, %keys, %rows                    %all = last key <= first row
//     %x = select %m, %y, %hidden        becomes     %x = scf.if %all { %y } else { %m = cmpi ...; select %m, ... }
//
// In causal attention that is every tile of keys but those on the diagonal, and where keys beyond the end are hidden
// every tile but the last. The condition is one number for all threads, so the branch is uniform; it saves a comparison
// and a selection for each element.
//
// The same mask the other way round, select (cmpi sgt, %keys, %rows), %hidden, %y, hides nothing where it is false for
// all elements. What is hidden is replaced by one number: which side of the selection that is tells which way round it
// is.
//
// Positions are sums of numbers that are the same for the whole tile and of ranges, of which the least and the largest
// are known. Such a sum may wrap around: the condition is computed in 64 bits, and is false where one would.
//
// This runs when layouts, products and barriers are final, so nobody before it has to look into the branch.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SkipScaling.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SKIPMASKSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// Fewer elements of a thread are selected as fast as a branch is taken.
constexpr int64_t kLeastElements = 16;

/// The elements of a tile of i32: the sum of `bases`, which may wrap around, and something from `low` to `high`.
struct Positions {
  SmallVector<Value, 2> bases;
  int64_t low = 0, high = 0;
};

std::optional<Positions> positionsOf(Value tile) {
  constexpr int64_t most = 1 << 30;
  Operation *def = tile.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto splat = dyn_cast<nv_tileaa::SplatOp>(def))
    return Positions{{splat->getOperand(0)}, 0, 0};
  if (auto range = dyn_cast<nv_tileaa::MakeRangeOp>(def))
    return Positions{{}, int64_t(range.getStart()), int64_t(range.getEnd()) - 1};
  DenseIntElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)) && constant.isSplat()) {
    int64_t value = constant.getSplatValue<APInt>().getSExtValue();
    if (value < -most || value > most)
      return std::nullopt;
    return Positions{{}, value, value};
  }
  if (isReshape(def) || isa<nv_tileaa::BroadcastOp, nv_tileaa::ExpandDimsOp>(def))
    return positionsOf(def->getOperand(0));
  if (!isa<arith::AddIOp>(def))
    return std::nullopt;
  std::optional<Positions> a = positionsOf(def->getOperand(0)), b = positionsOf(def->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  a->bases.append(b->bases);
  a->low += b->low;
  a->high += b->high;
  return a->low < -most || a->high > most ? std::nullopt : a;
}

/// The operations that make a mask of comparisons. False if it is made of something else.
bool collectMask(Value mask, SmallVectorImpl<Operation *> &ops) {
  Operation *def = mask.getDefiningOp();
  if (!def)
    return false;
  ops.push_back(def);
  if (isa<arith::AndIOp, arith::OrIOp>(def))
    return collectMask(def->getOperand(0), ops) && collectMask(def->getOperand(1), ops);
  if (isReshape(def) || isa<nv_tileaa::BroadcastOp, nv_tileaa::ExpandDimsOp>(def))
    return collectMask(def->getOperand(0), ops);
  return isa<arith::CmpIOp>(def);
}

/// Whether comparisons of two tiles are true, or false, for all elements, as code.
class Condition {
public:
  Condition(OpBuilder &builder, Location loc, bool wanted) : builder(builder), loc(loc), wanted(wanted) {}

  /// Whether that can be said by two numbers of each comparison.
  static bool isKnown(Value mask, bool wanted) {
    if (Operation *both = bothOf(mask, wanted))
      return isKnown(both->getOperand(0), wanted) && isKnown(both->getOperand(1), wanted);
    if (Operation *shape = spreadOf(mask))
      return isKnown(shape->getOperand(0), wanted);
    auto compare = mask.getDefiningOp<arith::CmpIOp>();
    if (!compare || !cast<ShapedType>(compare.getLhs().getType()).getElementType().isInteger(32))
      return false;
    switch (compare.getPredicate()) { // the inverse of any of them is one of them
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::sgt:
      return positionsOf(compare.getLhs()) && positionsOf(compare.getRhs());
    default:
      return false;
    }
  }

  Value of(Value mask) {
    if (Operation *each = bothOf(mask, wanted)) {
      Value first = of(each->getOperand(0));
      return both(first, of(each->getOperand(1)));
    }
    if (Operation *shape = spreadOf(mask))
      return of(shape->getOperand(0));
    auto compare = mask.getDefiningOp<arith::CmpIOp>();
    Positions a = *positionsOf(compare.getLhs()), b = *positionsOf(compare.getRhs());
    arith::CmpIPredicate predicate = wanted ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
    if (predicate == arith::CmpIPredicate::sge || predicate == arith::CmpIPredicate::sgt) {
      std::swap(a, b);
      predicate = predicate == arith::CmpIPredicate::sge ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt;
    }
    // The largest of a below the least of b. Then a does not exceed what i32 holds if b does not.
    Value baseA = sum(a.bases), baseB = sum(b.bases);
    Value all = compareNumbers(predicate, add(baseA, a.high), add(baseB, b.low));
    if (b.high > 0)
      all = both(all, compareNumbers(arith::CmpIPredicate::sle, add(baseB, b.high), number(INT32_MAX)));
    if (a.low < 0)
      all = both(all, compareNumbers(arith::CmpIPredicate::sge, add(baseA, a.low), number(INT32_MIN)));
    return all;
  }

private:
  /// What is as wanted for all elements if both operands are.
  static Operation *bothOf(Value mask, bool wanted) {
    Operation *def = mask.getDefiningOp();
    return def && (wanted ? isa<arith::AndIOp>(def) : isa<arith::OrIOp>(def)) ? def : nullptr;
  }
  /// What gives a tile another shape, or repeats it.
  static Operation *spreadOf(Value tile) {
    Operation *def = tile.getDefiningOp();
    return def && (isReshape(def) || isa<nv_tileaa::BroadcastOp, nv_tileaa::ExpandDimsOp>(def)) ? def : nullptr;
  }
  Value number(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }
  Value add(Value a, int64_t b) { return b ? arith::AddIOp::create(builder, loc, a, number(b)).getResult() : a; }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value compareNumbers(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  /// In 32 bits, as the tile's elements are added, then exact.
  Value sum(ArrayRef<Value> bases) {
    if (bases.empty())
      return number(0);
    Value all = bases.front();
    for (Value base : bases.drop_front())
      all = arith::AddIOp::create(builder, loc, all, base);
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), all);
  }

  OpBuilder &builder;
  Location loc;
  bool wanted; ///< what all elements of the mask are to be
};

/// Whether all elements are the same number.
bool isOneNumber(Value tile) {
  DenseElementsAttr constant;
  return matchPattern(tile, m_Constant(&constant)) ? constant.isSplat()
                                                   : bool(tile.getDefiningOp<nv_tileaa::SplatOp>());
}

struct SkipMasksPass : nv_tileas::impl::SkipMasksPassBase<SkipMasksPass> {
  void runOnOperation() override {
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp select) {
      auto type = dyn_cast<RankedTensorType>(select.getType());
      if (type && isa<RankedTensorType>(select.getCondition().getType()) && isIn(type, MemoryKind::Registers) &&
          isa<CountedLoop>(select->getParentOp()) &&
          getLinearLayout(type).inSize(tileiras::kRegister) >= kLeastElements)
        selects.push_back(select);
    });
    for (arith::SelectOp select : selects) {
      SmallVector<Operation *> mask;
      bool hidesIfTrue = isOneNumber(select.getTrueValue());
      // Other selections are none of positions.
      if (!collectMask(select.getCondition(), mask) || (hidesIfTrue && isOneNumber(select.getFalseValue())))
        continue;
      StringRef why = "";
      if (!Condition::isKnown(select.getCondition(), !hidesIfTrue))
        why = "the mask is not a comparison of positions";
      else if (!llvm::all_of(mask, [](Operation *op) { return op->hasOneUse(); }))
        why = "the mask is used by other operations, too";
      if (!why.empty()) {
        remarks::missed(select, remarks::kSchedule, "Mask") << remarks::because(why);
        continue;
      }
      skip(select, hidesIfTrue);
      ++numMasks;
    }
    skipScaling(getOperation());
  }

private:
  static void skip(arith::SelectOp select, bool hidesIfTrue) {
    remarks::passed(select, remarks::kSchedule, "Mask")
        << remarks::because("tiles of which nothing is hidden are not compared");
    Location loc = select.getLoc();
    OpBuilder builder(select);
    Value all = Condition(builder, loc, !hidesIfTrue).of(select.getCondition());
    auto branch = scf::IfOp::create(builder, loc, TypeRange(select.getType()), all, /*withElseRegion=*/true);
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      block->clear();
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, hidesIfTrue ? select.getFalseValue() : select.getTrueValue());
    builder.setInsertionPointToEnd(branch.elseBlock());
    // What the mask is made of in this round, as far as it is tiles.
    llvm::SetVector<Operation *> parts;
    std::function<void(Value)> collect = [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (!def || def->getBlock() != select->getBlock() || !isa<RankedTensorType>(value.getType()) ||
          parts.contains(def))
        return;
      for (Value operand : def->getOperands())
        collect(operand);
      parts.insert(def);
    };
    collect(select.getCondition());
    IRMapping map;
    for (Operation *part : parts)
      builder.clone(*part, map);
    Value masked = builder.clone(*select, map)->getResult(0);
    scf::YieldOp::create(builder, loc, masked);
    select.replaceAllUsesWith(branch.getResult(0));
    select.erase();
    for (Operation *part : llvm::reverse(parts))
      if (isOpTriviallyDead(part))
        part->erase();
  }
};

} // namespace
