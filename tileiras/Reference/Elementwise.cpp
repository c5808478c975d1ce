//===- Elementwise.cpp - Arithmetic, comparisons and selection ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"
#include "tileiras/Reference/Rounding.h"
#include "tileiras/Support/FloatArithmetic.h"
#include <bit>

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

template <typename OpT, auto fn> static void addRoundedBinary(HandlerTable &table) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    FloatMode mode{roundingOf(op.getRoundingMode()), op.getFlushToZero()};
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x, uint64_t y) { return fn(a.type, x, y, mode); }, a, b));
    return success();
  });
}

template <typename OpT, auto fn> static void addMinMaxF(HandlerTable &table) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    NaNRule rule = op.getPropagateNan() ? NaNRule::Propagate : NaNRule::Number;
    bool ftz = op.getFlushToZero();
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x, uint64_t y) { return fn(a.type, x, y, rule, ftz); }, a, b));
    return success();
  });
}

template <typename OpT> static bool flushes(OpT op) {
  if constexpr (requires { op.getFlushToZero(); })
    return op.getFlushToZero();
  return false;
}

template <typename OpT, MathFunction function> static void addMath(HandlerTable &table) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    const Tile &a = e.tile(op.getSource());
    bool ftz = flushes(op);
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x) { return evalMath(function, a.type, x, ftz); }, a));
    return success();
  });
}

static void addFloatHandlers(HandlerTable &table) {
  addRoundedBinary<AddFOp, addFloat>(table);
  addRoundedBinary<SubFOp, subFloat>(table);
  addRoundedBinary<MulFOp, mulFloat>(table);
  addRoundedBinary<DivFOp, divFloat>(table);
  addMinMaxF<MaxFOp, maxFloat>(table);
  addMinMaxF<MinFOp, minFloat>(table);
  addMath<CeilOp, MathFunction::Ceil>(table);
  addMath<FloorOp, MathFunction::Floor>(table);
  addMath<ExpOp, MathFunction::Exp>(table);
  addMath<Exp2Op, MathFunction::Exp2>(table);
  addMath<LogOp, MathFunction::Log>(table);
  addMath<Log2Op, MathFunction::Log2>(table);
  addMath<SinOp, MathFunction::Sin>(table);
  addMath<CosOp, MathFunction::Cos>(table);
  addMath<TanOp, MathFunction::Tan>(table);
  addMath<SinHOp, MathFunction::Sinh>(table);
  addMath<CosHOp, MathFunction::Cosh>(table);
  addMath<TanHOp, MathFunction::Tanh>(table);
  addMath<RsqrtOp, MathFunction::Rsqrt>(table);

  table.addElementwise<AbsFOp>([](Evaluator &e, AbsFOp op) {
    const Tile &a = e.tile(op.getSource());
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x) { return absFloat(a.type, x); }, a));
    return success();
  });
  table.addElementwise<NegFOp>([](Evaluator &e, NegFOp op) {
    const Tile &a = e.tile(op.getSource());
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x) { return negFloat(a.type, x); }, a));
    return success();
  });
  table.addElementwise<SqrtOp>([](Evaluator &e, SqrtOp op) {
    const Tile &a = e.tile(op.getSource());
    FloatMode mode{roundingOf(op.getRoundingMode()), op.getFlushToZero()};
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x) { return sqrtFloat(a.type, x, mode); }, a));
    return success();
  });
  table.addElementwise<RemFOp>([](Evaluator &e, RemFOp op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x, uint64_t y) { return remFloat(a.type, x, y); }, a, b));
    return success();
  });
  table.addElementwise<FmaOp>([](Evaluator &e, FmaOp op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs()), &c = e.tile(op.getAcc());
    FloatMode mode{roundingOf(op.getRoundingMode()), op.getFlushToZero()};
    auto fn = [&](uint64_t x, uint64_t y, uint64_t z) { return fmaFloat(a.type, x, y, z, mode); };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b, c));
    return success();
  });
  table.addElementwise<FPowFOp>([](Evaluator &e, FPowFOp op) {
    const Tile &a = e.tile(op.getSource()), &b = e.tile(op.getExponent());
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x, uint64_t y) { return powFloat(a.type, x, y); }, a, b));
    return success();
  });
  table.addElementwise<FPowIOp>([](Evaluator &e, FPowIOp op) {
    const Tile &a = e.tile(op.getSource()), &b = e.tile(op.getExponent());
    unsigned width = bitWidth(b.type); // always signed, even i1
    auto fn = [&](uint64_t x, uint64_t n) { return powIntFloat(a.type, x, signExtend(n, width)); };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b));
    return success();
  });
  table.addElementwise<Atan2Op>([](Evaluator &e, Atan2Op op) {
    const Tile &a = e.tile(op.getX()), &b = e.tile(op.getY());
    // Operands come in the order of C's atan2: ordinate first.
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x, uint64_t y) { return atan2Float(a.type, x, y); }, a, b));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Integers: wrap-around, two's complement; signedness is the operation's
//===----------------------------------------------------------------------===//

/// Adds an operation whose result is `fn(a, b, width)` modulo 2^width.
template <typename OpT, typename Fn> static void addWrapping(HandlerTable &table, Fn) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    unsigned width = bitWidth(a.type);
    auto fn = [&](uint64_t x, uint64_t y) { return maskBits(Fn{}(x, y, width), width); };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b));
    return success();
  });
}

/// Adds an operation with separate signed and unsigned meanings.
template <typename OpT, typename SignedFn, typename UnsignedFn>
static void addBySign(HandlerTable &table, SignedFn, UnsignedFn) {
  table.addElementwise<OpT>([](Evaluator &e, OpT op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    unsigned width = bitWidth(a.type);
    bool isSigned = op.getSignedness() == Signedness::Signed;
    auto fn = [&](uint64_t x, uint64_t y) {
      uint64_t result = isSigned ? uint64_t(SignedFn{}(signExtend(x, width), signExtend(y, width), width))
                                 : UnsignedFn{}(x, y, width);
      return maskBits(result, width);
    };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b));
    return success();
  });
}

static uint64_t divideSigned(int64_t a, int64_t b, RoundingMode mode) {
  if (b == 0)
    return ~uint64_t(0);
  if (b == -1)
    return 0 - uint64_t(a); // MIN / -1 wraps
  int64_t quotient = a / b, rest = a % b;
  if (mode == RoundingMode::NegativeInf && rest != 0 && (rest < 0) != (b < 0))
    --quotient;
  if (mode == RoundingMode::PositiveInf && rest != 0 && (rest < 0) == (b < 0))
    ++quotient;
  return uint64_t(quotient);
}

static uint64_t divideUnsigned(uint64_t a, uint64_t b, RoundingMode mode) {
  if (b == 0)
    return ~uint64_t(0);
  return a / b + (mode == RoundingMode::PositiveInf && a % b != 0);
}

static void addIntegerHandlers(HandlerTable &table) {
  using U = uint64_t;
  using S = int64_t;
  addWrapping<AddIOp>(table, [](U a, U b, unsigned) { return a + b; });
  addWrapping<SubIOp>(table, [](U a, U b, unsigned) { return a - b; });
  addWrapping<MulIOp>(table, [](U a, U b, unsigned) { return a * b; });
  addWrapping<AndIOp>(table, [](U a, U b, unsigned) { return a & b; });
  addWrapping<OrIOp>(table, [](U a, U b, unsigned) { return a | b; });
  addWrapping<XOrIOp>(table, [](U a, U b, unsigned) { return a ^ b; });
  addWrapping<ShLIOp>(table, [](U a, U b, unsigned width) { return b >= width ? 0 : a << b; });
  // The shift amount is unsigned even when the value is not.
  addBySign<ShRIOp>(
      table,
      [](S a, S b, unsigned width) {
        U amount = maskBits(U(b), width);
        return a >> std::min<U>(amount, 63);
      },
      [](U a, U b, unsigned width) { return b >= width ? 0 : a >> b; });
  addBySign<MaxIOp>(
      table, [](S a, S b, unsigned) { return std::max(a, b); }, [](U a, U b, unsigned) { return std::max(a, b); });
  addBySign<MinIOp>(
      table, [](S a, S b, unsigned) { return std::min(a, b); }, [](U a, U b, unsigned) { return std::min(a, b); });
  addBySign<RemIOp>(
      table, [](S a, S b, unsigned) { return b == 0    ? a
                                             : b == -1 ? 0
                                                       : a % b; },
      [](U a, U b, unsigned) { return b == 0 ? a : a % b; });

  table.addElementwise<DivIOp>([](Evaluator &e, DivIOp op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    unsigned width = bitWidth(a.type);
    bool isSigned = op.getSignedness() == Signedness::Signed;
    RoundingMode mode = op.getRounding();
    auto fn = [&](uint64_t x, uint64_t y) {
      return maskBits(isSigned ? divideSigned(signExtend(x, width), signExtend(y, width), mode)
                               : divideUnsigned(x, y, mode),
                      width);
    };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b));
    return success();
  });
  table.addElementwise<MulhiIOp>([](Evaluator &e, MulhiIOp op) {
    const Tile &a = e.tile(op.getX()), &b = e.tile(op.getY());
    unsigned width = bitWidth(a.type);
    auto fn = [&](uint64_t x, uint64_t y) { return maskBits(uint64_t((unsigned __int128)x * y >> width), width); };
    e.set(op.getResult(), mapLanes(a.type, fn, a, b));
    return success();
  });
  table.addElementwise<AbsIOp>([](Evaluator &e, AbsIOp op) {
    const Tile &a = e.tile(op.getSource());
    unsigned width = bitWidth(a.type);
    auto fn = [&](uint64_t x) { return signExtend(x, width) < 0 ? maskBits(0 - x, width) : x; };
    e.set(op.getResult(), mapLanes(a.type, fn, a));
    return success();
  });
  table.addElementwise<NegIOp>([](Evaluator &e, NegIOp op) {
    const Tile &a = e.tile(op.getSource());
    unsigned width = bitWidth(a.type);
    e.set(op.getResult(), mapLanes(a.type, [&](uint64_t x) { return maskBits(0 - x, width); }, a));
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Comparisons and selection
//===----------------------------------------------------------------------===//

/// `order` of a to b is -1, 0 or 1.
static bool holds(ComparisonPredicate predicate, int order) {
  switch (predicate) {
  case ComparisonPredicate::Equal:
    return order == 0;
  case ComparisonPredicate::NotEqual:
    return order != 0;
  case ComparisonPredicate::LessThan:
    return order < 0;
  case ComparisonPredicate::LessThanOrEqual:
    return order <= 0;
  case ComparisonPredicate::GreaterThan:
    return order > 0;
  case ComparisonPredicate::GreaterThanOrEqual:
    return order >= 0;
  }
  return false;
}

void reference::addElementwiseHandlers(HandlerTable &table) {
  addFloatHandlers(table);
  addIntegerHandlers(table);

  table.addElementwise<CmpIOp>([](Evaluator &e, CmpIOp op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    unsigned width = bitWidth(a.type);
    bool isSigned = op.getSignedness() == Signedness::Signed;
    ComparisonPredicate predicate = op.getComparisonPredicate();
    auto fn = [&](uint64_t x, uint64_t y) -> uint64_t {
      int order = isSigned
                      ? (signExtend(x, width) > signExtend(y, width)) - (signExtend(x, width) < signExtend(y, width))
                      : (x > y) - (x < y);
      return holds(predicate, order);
    };
    e.set(op.getResult(), mapLanes(DType::I1, fn, a, b));
    return success();
  });
  table.addElementwise<CmpFOp>([](Evaluator &e, CmpFOp op) {
    const Tile &a = e.tile(op.getLhs()), &b = e.tile(op.getRhs());
    ComparisonPredicate predicate = op.getComparisonPredicate();
    bool withNaN = op.getComparisonOrdering() == ComparisonOrdering::Unordered;
    auto fn = [&](uint64_t x, uint64_t y) -> uint64_t {
      switch (compareFloat(a.type, x, y)) {
      case FloatOrder::Less:
        return holds(predicate, -1);
      case FloatOrder::Equal:
        return holds(predicate, 0);
      case FloatOrder::Greater:
        return holds(predicate, 1);
      case FloatOrder::Unordered:
        break;
      }
      return withNaN;
    };
    e.set(op.getResult(), mapLanes(DType::I1, fn, a, b));
    return success();
  });
  table.addElementwise<SelectOp>([](Evaluator &e, SelectOp op) {
    const Tile &c = e.tile(op.getCond());
    const Tile &a = e.tile(op.getValIfTrue()), &b = e.tile(op.getValIfFalse());
    auto fn = [](uint64_t c, uint64_t x, uint64_t y) { return c ? x : y; };
    e.set(op.getResult(), mapLanes(a.type, fn, c, a, b));
    return success();
  });
  table.addElementwise<OffsetOp>([](Evaluator &e, OffsetOp op) {
    const Tile &p = e.tile(op.getPtr()), &n = e.tile(op.getOffset());
    auto pointer = cast<PointerType>(op.getResult().getType().getElementType());
    int64_t bits = storageBits(dtypeOf(pointer.getPointeeType()));
    unsigned width = bitWidth(n.type);
    auto fn = [&](uint64_t address, uint64_t count) {
      // Half bytes: bit 63 of the address says which half (Evaluator.h).
      if (bits == 4)
        return std::rotr(std::rotl(address, 1) + uint64_t(signExtend(count, width)), 1);
      return address + uint64_t(signExtend(count, width) * bits / 8);
    };
    e.set(op.getResult(), mapLanes(DType::I64, fn, p, n));
    return success();
  });
}
