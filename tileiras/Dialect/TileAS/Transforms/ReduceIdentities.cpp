//===- ReduceIdentities.cpp - Identities that change nothing --------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The identity of a reduction comes in front of its elements, once for each result (Reduce.cpp): body(identity, x). It
// is often meant to be none, and is an instruction all the same, since not every bit stays what it was:
//
//   0 + x        is +0 where x is -0. A sum is -0 only if all of its elements are, and what exp2 gives never is one.
//   max(c, x)    is c where x is a NaN or less. A running maximum, m = max(m, max(c, x)), does not show that, as it
//                began with c or more.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ReduceIdentities.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace aa = mlir::nv_tileaa;

namespace {

constexpr int kMostSteps = 64;

/// Whether every element of the result is one of the operand.
bool movesElements(Operation *op) {
  return isReshape(op) || isa<aa::BroadcastOp, aa::SplatOp, aa::ExpandDimsOp, ConvertLayoutOp>(op);
}

/// The one float that a constant consists of.
std::optional<APFloat> constantOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue();
  auto splat = dyn_cast<SplatElementsAttr>(attribute);
  if (splat && isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>();
  return std::nullopt;
}

/// Whether no element can be -0.
bool isNeverNegativeZero(Value value, int &steps) {
  if (std::optional<APFloat> number = constantOf(value))
    return !number->isNegZero();
  Operation *def = value.getDefiningOp();
  if (!def || --steps < 0)
    return false;
  // What is too small for a result is +0.
  if (isa<aa::Exp2Op, math::ExpOp, math::Exp2Op, math::AbsFOp, arith::SIToFPOp, arith::UIToFPOp>(def))
    return true;
  if (movesElements(def) || isa<arith::ExtFOp>(def))
    return isNeverNegativeZero(def->getOperand(0), steps);
  if (auto select = dyn_cast<arith::SelectOp>(def))
    return isNeverNegativeZero(select.getTrueValue(), steps) && isNeverNegativeZero(select.getFalseValue(), steps);
  // To nearest, a sum is -0 only if both are.
  if (isa<arith::AddFOp>(def))
    return isNeverNegativeZero(def->getOperand(0), steps) || isNeverNegativeZero(def->getOperand(1), steps);
  return false;
}

/// A maximum or minimum in which a NaN loses.
struct Extremum {
  bool isMaximum;

  static std::optional<Extremum> of(Operation *op) {
    if (!isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
      return std::nullopt;
    return Extremum{isa<arith::MaxNumFOp>(op)};
  }
  bool isSame(Operation *op) const {
    std::optional<Extremum> other = of(op);
    return other && other->isMaximum == isMaximum;
  }
  /// Whether `number` wins over `bound`, or is as good.
  bool beats(const APFloat &number, const APFloat &bound) const {
    APFloat::cmpResult result = number.compare(bound);
    return result == APFloat::cmpEqual || result == (isMaximum ? APFloat::cmpGreaterThan : APFloat::cmpLessThan);
  }
};

/// What a loop carries, taken to be proved.
using Assumed = llvm::SmallDenseSet<Value, 4>;

/// Whether every element is a number that beats `bound`. What a loop carries is so if it begins and ends every
/// iteration like that, and may be taken for granted in between (`assumed`).
bool alwaysBeats(Value value, Extremum of, const APFloat &bound, Assumed &assumed, int &steps) {
  if (--steps < 0)
    return false;
  if (std::optional<APFloat> number = constantOf(value))
    return &number->getSemantics() == &bound.getSemantics() && of.beats(*number, bound);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<CountedLoop>(argument.getOwner()->getParentOp());
    std::optional<unsigned> number = loop ? loop.getCarriedNumber(argument) : std::nullopt;
    if (!number)
      return false;
    if (assumed.contains(argument))
      return true;
    Assumed before = assumed;
    assumed.insert(argument);
    if (alwaysBeats(loop.getInits()[*number], of, bound, assumed, steps) &&
        alwaysBeats(loop.getYieldedValues()[*number], of, bound, assumed, steps))
      return true;
    // Nor does anything hold that followed from it.
    assumed = before;
    return false;
  }
  Operation *def = value.getDefiningOp();
  if (movesElements(def))
    return alwaysBeats(def->getOperand(0), of, bound, assumed, steps);
  return of.isSame(def) &&
         llvm::any_of(def->getOperands(), [&](Value v) { return alwaysBeats(v, of, bound, assumed, steps); });
}

/// Whether all that becomes of a result is the extremum with something that beats `bound` anyway.
bool isOutdone(Value result, Extremum of, const APFloat &bound) {
  return !result.use_empty() && llvm::all_of(result.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (movesElements(user))
      return isOutdone(user->getResult(0), of, bound);
    if (!of.isSame(user))
      return false;
    int steps = kMostSteps;
    Assumed assumed;
    return alwaysBeats(user->getOperand(1 - use.getOperandNumber()), of, bound, assumed, steps);
  });
}

} // namespace

bool nv_tileas::relaxIdentity(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getSources().size() != 1 || !llvm::hasNItems(body, 2))
    return false;
  Operation &only = body.front();
  auto identity = dyn_cast<FloatAttr>(op.getIdentities()[0]);
  if (!identity || body.back().getOperand(0) != only.getResult(0) || only.getOperand(0) == only.getOperand(1) ||
      !llvm::all_of(only.getOperands(), [&](Value v) { return v.getParentBlock() == &body; }))
    return false;
  APFloat number = identity.getValue();
  const llvm::fltSemantics &semantics = number.getSemantics();
  int steps = kMostSteps;
  if (isa<arith::AddFOp>(only) && number.isPosZero() && isNeverNegativeZero(op.getSources()[0], steps))
    number = APFloat::getZero(semantics, /*Negative=*/true);
  // Of two zeros the extremum is a certain one, though they are equal.
  else if (std::optional<Extremum> extremum = Extremum::of(&only); extremum && APFloat::semanticsHasNaN(semantics) &&
                                                                   !number.isNaN() && !number.isZero() &&
                                                                   isOutdone(op.getResult(0), *extremum, number))
    number = APFloat::getNaN(semantics);
  else
    return false;
  op.setIdentitiesAttr(ArrayAttr::get(op.getContext(), FloatAttr::get(identity.getType(), number)));
  return true;
}
