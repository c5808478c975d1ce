//===- AxisInfoTransfer.cpp - Axis information through arithmetic ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Notation in the comments: x is the first element of an aligned block of s elements that counts up, so the block
// is x, x+1, ..., x+s-1. "Exact" blocks have x divisible by s and never wrap (see AxisInfo.h).
//
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

int64_t nv_tileaa::largestPowerOfTwoDivisor(int64_t value) {
  if (value == 0)
    return AxisInfo::kMaxDivisibility;
  return std::min(AxisInfo::kMaxDivisibility, int64_t(1) << std::min(llvm::countr_zero(uint64_t(value)), 62));
}

static int64_t saturatingProduct(int64_t a, int64_t b) {
  return a > AxisInfo::kMaxDivisibility / b ? AxisInfo::kMaxDivisibility : a * b;
}

int64_t nv_tileaa::getAddressUnit(Type elementType) {
  auto ptr = dyn_cast<PtrType>(elementType);
  if (!ptr)
    return 1;
  if (isa<PtrType>(ptr.getPointee()))
    return 8;
  unsigned bits = ptr.getPointee().getIntOrFloatBitWidth();
  if (bits == 1)
    return 1; // i1 takes a byte in memory
  if (bits < 8)
    return 0;
  return llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8)); // tf32 has 19 bits and takes 4 bytes
}

/// Width of an integer element; index counts as 64.
static unsigned widthOf(Type type) {
  Type element = nv_tileaa::getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.isSignlessInteger() ? element.getIntOrFloatBitWidth() : 0;
}

/// `value` cut to `width` bits and sign-extended.
static int64_t wrap(int64_t value, unsigned width) { return width < 64 ? llvm::SignExtend64(value, width) : value; }

static void setConstant(AxisInfo &info, int64_t value) {
  info.constantValue = value;
  info.nonNegative = value >= 0;
  for (int64_t &d : info.divisibility)
    d = largestPowerOfTwoDivisor(value);
}

std::optional<AxisInfo> nv_tileaa::constantAxisInfo(Attribute value, Type type) {
  AxisInfo info = AxisInfo::getPessimistic(type);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    setConstant(info, integer.getValue().getSExtValue());
    return info;
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor)
    return std::nullopt;
  if (elements.isSplat()) {
    info.constancy.assign(tensor.getShape().begin(), tensor.getShape().end());
    if (info.constancy.empty())
      info.constancy.push_back(1);
    if (elements.getElementType().isIntOrIndex())
      setConstant(info, elements.getSplatValue<APInt>().getSExtValue());
    return info;
  }
  // A table of moderate size is looked at element by element.
  constexpr int64_t kMaxElements = 4096;
  if (!elements.getElementType().isIntOrIndex() || tensor.getNumElements() > kMaxElements)
    return info;
  SmallVector<int64_t> numbers;
  for (APInt number : elements.getValues<APInt>())
    numbers.push_back(number.getSExtValue());
  info.nonNegative = llvm::all_of(numbers, [](int64_t n) { return n >= 0; });
  int64_t stride = 1;
  for (int64_t d = tensor.getRank(); d-- > 0; stride *= tensor.getDimSize(d)) {
    int64_t contiguity = tensor.getDimSize(d), constancy = contiguity;
    for (int64_t i = 0; i < int64_t(numbers.size()); ++i) {
      int64_t pos = i / stride % tensor.getDimSize(d);
      if (pos == 0)
        continue;
      // Where the step from the left neighbour is wrong a block must begin.
      int64_t step = wrap(numbers[i] - numbers[i - stride], widthOf(type));
      if (step != 1)
        contiguity = std::min(contiguity, largestPowerOfTwoDivisor(pos));
      if (step != 0)
        constancy = std::min(constancy, largestPowerOfTwoDivisor(pos));
    }
    int64_t divisibility = AxisInfo::kMaxDivisibility;
    for (int64_t i = 0; i < int64_t(numbers.size()); ++i)
      if (i / stride % tensor.getDimSize(d) % contiguity == 0)
        divisibility = std::min(divisibility, largestPowerOfTwoDivisor(numbers[i]));
    info.contiguity[d] = contiguity;
    info.constancy[d] = constancy;
    info.divisibility[d] = divisibility;
  }
  return info;
}

AxisInfo nv_tileaa::inductionAxisInfo(const AxisInfo &lower, const AxisInfo &step, bool isSigned) {
  AxisInfo info;
  info.contiguity = {1};
  info.constancy = {1};
  info.divisibility = {std::min(lower.divisibility[0], step.divisibility[0])};
  // Below the upper bound in every iteration, so never past the largest signed value.
  info.nonNegative = isSigned && lower.nonNegative;
  return info;
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

namespace {
/// Works out one binary operation, dimension by dimension. Starts from what holds for any elementwise
/// operation: equal operands give equal results.
struct Binary {
  const AxisInfo &a, &b;
  Type type;
  AxisInfo info;

  Binary(Operation *op, const AxisInfo &a, const AxisInfo &b)
      : a(a), b(b), type(op->getResult(0).getType()), info(AxisInfo::getPessimistic(type)) {
    for (unsigned d = 0; d < rank(); ++d)
      info.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }

  unsigned rank() const { return info.getRank(); }
  unsigned width() const { return widthOf(type); }

  void setBlock(unsigned d, int64_t contiguity) {
    info.contiguity[d] = contiguity;
    info.divisibility[d] = std::min(a.getDivisibility(d, contiguity), b.getDivisibility(d, contiguity));
  }
  std::optional<int64_t> constants(function_ref<int64_t(int64_t, int64_t)> fold) const {
    if (!a.constantValue || !b.constantValue)
      return std::nullopt;
    return wrap(fold(*a.constantValue, *b.constantValue), width());
  }
  /// The common factor of all elements of both.
  void setElementDivisibility(int64_t value) { info.divisibility.assign(rank(), value); }
};
} // namespace

/// Largest exact block of `info` that a later comparison or sign extension of `width` bits sees as counting
/// up: the upper half of the range is negative.
static int64_t exactSigned(const AxisInfo &info, unsigned d, unsigned width) {
  int64_t block = info.getExactContiguity(d);
  return width == 0 || width > 62 ? block : std::min(block, int64_t(1) << (width - 1));
}

static AxisInfo transferAdd(Operation *op, const AxisInfo &a, const AxisInfo &b, bool noSignedWrap) {
  Binary t(op, a, b);
  for (unsigned d = 0; d < t.rank(); ++d)
    t.setBlock(d, std::max(std::min(a.contiguity[d], b.constancy[d]), std::min(a.constancy[d], b.contiguity[d])));
  t.info.nonNegative = noSignedWrap && a.nonNegative && b.nonNegative;
  if (auto c = t.constants([](int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); }))
    setConstant(t.info, *c);
  return t.info;
}

static AxisInfo transferSub(Operation *op, const AxisInfo &a, const AxisInfo &b) {
  Binary t(op, a, b);
  for (unsigned d = 0; d < t.rank(); ++d)
    t.setBlock(d, std::min(a.contiguity[d], b.constancy[d]));
  if (auto c = t.constants([](int64_t x, int64_t y) { return int64_t(uint64_t(x) - uint64_t(y)); }))
    setConstant(t.info, *c);
  return t.info;
}

static AxisInfo transferMul(Operation *op, const AxisInfo &a, const AxisInfo &b, bool noSignedWrap) {
  if (a.constantValue == 1)
    return b;
  if (b.constantValue == 1)
    return a;
  Binary t(op, a, b);
  t.setElementDivisibility(saturatingProduct(a.getElementDivisibility(), b.getElementDivisibility()));
  t.info.nonNegative = noSignedWrap && a.nonNegative && b.nonNegative;
  if (auto c = t.constants([](int64_t x, int64_t y) { return int64_t(uint64_t(x) * uint64_t(y)); }))
    setConstant(t.info, *c);
  return t.info;
}

/// x / c, rounding down or to zero.
static AxisInfo transferDiv(Operation *op, const AxisInfo &a, const AxisInfo &b, bool roundsDown) {
  if (b.constantValue == 1)
    return a;
  Binary t(op, a, b);
  // All of x..x+s-1 have one quotient when x and the divisor are multiples of s.
  // Rounding to zero puts -s and -s+1 into different buckets.
  if (roundsDown || a.nonNegative)
    for (unsigned d = 0; d < t.rank(); ++d)
      t.info.constancy[d] =
          std::max(t.info.constancy[d],
                   std::min({exactSigned(a, d, t.width()), b.constancy[d], b.getDivisibility(d, b.constancy[d])}));
  if (b.constantValue && *b.constantValue > 0 && llvm::isPowerOf2_64(*b.constantValue) &&
      a.getElementDivisibility() >= *b.constantValue)
    t.setElementDivisibility(a.getElementDivisibility() / *b.constantValue);
  t.info.nonNegative = a.nonNegative && b.nonNegative;
  if (a.constantValue && b.constantValue && *a.constantValue >= 0 && *b.constantValue > 0)
    setConstant(t.info, *a.constantValue / *b.constantValue);
  return t.info;
}

/// x % c, sign of the dividend or unsigned.
static AxisInfo transferRem(Operation *op, const AxisInfo &a, const AxisInfo &b, bool isUnsigned) {
  Binary t(op, a, b);
  for (unsigned d = 0; d < t.rank(); ++d) {
    // x and c multiples of s: (x+i) % c == x % c + i. Not for negative x: -s % s is 0, (-s+1) % s is negative.
    int64_t block = 1;
    if (isUnsigned || a.nonNegative)
      block = std::min({a.getExactContiguity(d), b.constancy[d], b.getDivisibility(d, b.constancy[d])});
    t.setBlock(d, block);
  }
  t.info.nonNegative = a.nonNegative;
  if (a.constantValue && b.constantValue && *a.constantValue >= 0 && *b.constantValue > 0)
    setConstant(t.info, *a.constantValue % *b.constantValue);
  return t.info;
}

static AxisInfo transferShl(Operation *op, const AxisInfo &a, const AxisInfo &b) {
  Binary t(op, a, b);
  t.setElementDivisibility(a.getElementDivisibility());
  if (!b.constantValue || *b.constantValue < 0 || *b.constantValue >= t.width())
    return t.info;
  if (*b.constantValue == 0)
    return a;
  t.setElementDivisibility(
      saturatingProduct(a.getElementDivisibility(), int64_t(1) << std::min<int64_t>(*b.constantValue, 62)));
  if (auto c = t.constants([](int64_t x, int64_t y) { return int64_t(uint64_t(x) << y); }))
    setConstant(t.info, *c);
  return t.info;
}

static AxisInfo transferShr(Operation *op, const AxisInfo &a, const AxisInfo &b, bool isArithmetic) {
  Binary t(op, a, b);
  t.info.nonNegative = a.nonNegative;
  if (!b.constantValue || *b.constantValue < 0 || *b.constantValue >= std::min(t.width(), 62u))
    return t.info;
  if (*b.constantValue == 0)
    return a;
  // Shifting rounds down: the blocks of 2^k multiples become one value each.
  int64_t divisor = int64_t(1) << *b.constantValue;
  for (unsigned d = 0; d < t.rank(); ++d)
    t.info.constancy[d] = std::max(t.info.constancy[d], std::min(exactSigned(a, d, t.width()), divisor));
  if (a.getElementDivisibility() >= divisor)
    t.setElementDivisibility(a.getElementDivisibility() / divisor);
  if (a.constantValue && (isArithmetic || *a.constantValue >= 0))
    setConstant(t.info, *a.constantValue >> *b.constantValue);
  return t.info;
}

static AxisInfo transferAnd(Operation *op, const AxisInfo &x, const AxisInfo &y) {
  const bool swap = x.constantValue && !y.constantValue;
  const AxisInfo &a = swap ? y : x, &b = swap ? x : y;
  Binary t(op, a, b);
  t.setElementDivisibility(std::max(a.getElementDivisibility(), b.getElementDivisibility()));
  t.info.nonNegative = a.nonNegative || b.nonNegative;
  if (auto c = t.constants([](int64_t p, int64_t q) { return p & q; })) {
    setConstant(t.info, *c);
    return t.info;
  }
  if (!b.constantValue || t.width() == 1)
    return t.info;
  int64_t mask = *b.constantValue;
  // Clears the low bits: blocks of one value. Keeps all of the low bits: the remainder by a power of two.
  int64_t cleared = largestPowerOfTwoDivisor(mask);
  int64_t kept = mask == -1 ? AxisInfo::kMaxDivisibility : largestPowerOfTwoDivisor(mask + 1);
  for (unsigned d = 0; d < t.rank(); ++d) {
    int64_t exact = a.getExactContiguity(d);
    t.info.constancy[d] = std::max(t.info.constancy[d], std::min(exact, cleared));
    int64_t block = std::min(exact, kept);
    if (block > 1) {
      t.info.contiguity[d] = block;
      t.info.divisibility[d] = a.getDivisibility(d, block);
    }
  }
  return t.info;
}

/// or, xor: like an addition where the low bits of one side are free.
static AxisInfo transferOrXor(Operation *op, const AxisInfo &a, const AxisInfo &b, bool isXor) {
  Binary t(op, a, b);
  for (unsigned d = 0; d < t.rank(); ++d) {
    auto block = [&](const AxisInfo &x, const AxisInfo &y) {
      return std::min({x.getExactContiguity(d), y.constancy[d], y.getDivisibility(d, y.constancy[d])});
    };
    t.setBlock(d, std::max(block(a, b), block(b, a)));
  }
  t.info.nonNegative = a.nonNegative && b.nonNegative;
  if (auto c = t.constants([&](int64_t p, int64_t q) { return isXor ? p ^ q : p | q; }))
    setConstant(t.info, *c);
  return t.info;
}

static AxisInfo transferMinMax(Operation *op, const AxisInfo &a, const AxisInfo &b) {
  Binary t(op, a, b);
  t.setElementDivisibility(std::min(a.getElementDivisibility(), b.getElementDivisibility()));
  t.info.nonNegative = a.nonNegative && b.nonNegative;
  return t.info;
}

static AxisInfo transferCmp(arith::CmpIOp op, const AxisInfo &a, const AxisInfo &b) {
  using P = arith::CmpIPredicate;
  Binary t(op, a, b);
  unsigned width = widthOf(op.getLhs().getType());
  // All of x..x+s-1 lie on one side of a bound that is a multiple of s.
  auto oneSide = [&](const AxisInfo &counting, const AxisInfo &bound, bool strictlyBelow, bool isSigned) {
    for (unsigned d = 0; d < t.rank(); ++d) {
      int64_t multiple = bound.getDivisibility(d, bound.constancy[d]);
      if (!strictlyBelow) // x <= c is x < c + 1
        multiple = bound.constantValue && *bound.constantValue != -1 && *bound.constantValue != INT64_MAX
                       ? largestPowerOfTwoDivisor(*bound.constantValue + 1)
                       : 1;
      int64_t exact = isSigned ? exactSigned(counting, d, width) : counting.getExactContiguity(d);
      t.info.constancy[d] = std::max(t.info.constancy[d], std::min({exact, bound.constancy[d], multiple}));
    }
  };
  P predicate = op.getPredicate();
  bool isSigned = predicate == P::slt || predicate == P::sle || predicate == P::sgt || predicate == P::sge;
  switch (predicate) {
  case P::slt:
  case P::ult:
  case P::sge:
  case P::uge: // the left side strictly below, or not
    oneSide(a, b, true, isSigned);
    oneSide(b, a, false, isSigned);
    break;
  case P::sle:
  case P::ule:
  case P::sgt:
  case P::ugt:
    oneSide(a, b, false, isSigned);
    oneSide(b, a, true, isSigned);
    break;
  case P::eq:
  case P::ne:
    break;
  }
  return t.info;
}

static AxisInfo transferSelect(arith::SelectOp op, const AxisInfo &cond, const AxisInfo &a, const AxisInfo &b) {
  if (cond.constantValue)
    return *cond.constantValue != 0 ? a : b;
  AxisInfo info = AxisInfo::join(a, b);
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return info;
  for (unsigned d = 0; d < info.getRank(); ++d) {
    int64_t block = std::min(info.contiguity[d], cond.constancy[d]);
    info.divisibility[d] = std::min(a.getDivisibility(d, block), b.getDivisibility(d, block));
    info.contiguity[d] = block;
    // One constant on both sides needs no condition.
    if (!info.constantValue)
      info.constancy[d] = std::min(info.constancy[d], cond.constancy[d]);
  }
  return info;
}

/// Widening, narrowing, index casts.
static AxisInfo transferIntCast(Operation *op, const AxisInfo &a, bool isSigned) {
  AxisInfo info = a;
  unsigned from = widthOf(op->getOperand(0).getType()), to = widthOf(op->getResult(0).getType());
  if (to < from) {
    info.nonNegative = false;
    if (a.constantValue)
      setConstant(info, wrap(*a.constantValue, to));
    return info;
  }
  if (!isSigned) {
    info.nonNegative = a.nonNegative || to > from;
    if (a.constantValue && from < 64)
      setConstant(info, *a.constantValue & int64_t(llvm::maskTrailingOnes<uint64_t>(from)));
    return info;
  }
  for (unsigned d = 0; d < info.getRank() && from <= 62; ++d) {
    int64_t block = std::min(a.contiguity[d], int64_t(1) << (from - 1));
    info.contiguity[d] = block;
    info.divisibility[d] = a.getDivisibility(d, block);
  }
  return info;
}

//===----------------------------------------------------------------------===//
// Pointers and promises
//===----------------------------------------------------------------------===//

static AxisInfo transferAddPtr(AddPtrOp op, const AxisInfo &p, const AxisInfo &o) {
  AxisInfo info = AxisInfo::getPessimistic(op.getType());
  unsigned width = widthOf(op.getOffset().getType());
  for (unsigned d = 0; d < info.getRank(); ++d) {
    info.constancy[d] = std::min(p.constancy[d], o.constancy[d]);
    if (info.unit == 0)
      continue;
    // Offsets are sign-extended to 64 bits.
    int64_t counting = width <= 62 ? std::min(o.contiguity[d], int64_t(1) << (width - 1)) : o.contiguity[d];
    int64_t block = std::max(std::min(p.constancy[d], counting), std::min(p.contiguity[d], o.constancy[d]));
    info.contiguity[d] = block;
    info.divisibility[d] =
        std::min(p.getDivisibility(d, block), saturatingProduct(o.getDivisibility(d, block), info.unit));
  }
  return info;
}

/// Between integers and pointers, or pointers to different things: the same numbers, counted in other units.
static AxisInfo transferAddressCast(Operation *op, const AxisInfo &a) {
  AxisInfo info = AxisInfo::getPessimistic(op->getResult(0).getType());
  info.constancy = a.constancy;
  if (a.unit == info.unit && a.unit != 0) {
    info.contiguity = a.contiguity;
    info.divisibility = a.divisibility;
  } else {
    for (unsigned d = 0; d < info.getRank(); ++d)
      info.divisibility[d] = a.unit ? a.getDivisibility(d, 1) : 1;
  }
  return info;
}

static AxisInfo transferAssume(AssumeOp op, const AxisInfo &a) {
  AxisInfo info = a;
  auto tensor = dyn_cast<RankedTensorType>(op.getType());
  if (auto bounded = dyn_cast<BoundedAttr>(op.getPredicate())) {
    if (bounded.getLb() && bounded.getUb() && *bounded.getLb() == *bounded.getUb())
      setConstant(info, *bounded.getLb());
    info.nonNegative |= bounded.getLb() && *bounded.getLb() >= 0;
    return info;
  }
  if (auto same = dyn_cast<SameElementsAttr>(op.getPredicate())) {
    for (auto [d, count] : llvm::enumerate(same.getValues()))
      if (d < info.getRank() && count > 0)
        info.constancy[d] = std::max(info.constancy[d], largestPowerOfTwoDivisor(count));
    return info;
  }
  auto divBy = dyn_cast<DivByAttr>(op.getPredicate());
  // Pointers to sub-byte elements count in half bytes; only what holds for the address itself is derived for them.
  if (!divBy || divBy.getDivisor() == 0 || (info.unit == 0 && tensor && divBy.getEvery()))
    return info;
  int64_t divisor = largestPowerOfTwoDivisor(int64_t(divBy.getDivisor()));
  if (divisor == 1 && !divBy.getEvery())
    return info;
  if (!tensor || !divBy.getEvery()) {
    // Every element is a multiple.
    for (unsigned d = 0; d < info.getRank(); ++d) {
      info.divisibility[d] = std::max(info.getDivisibility(d, 1), divisor);
      info.contiguity[d] = 1;
    }
    return info;
  }
  // The first of each group is a multiple, the rest count up.
  int64_t d = divBy.getAlong().value_or(0), every = *divBy.getEvery();
  if (d < 0 || d >= info.getRank() || every <= 0)
    return info;
  int64_t group = std::min(largestPowerOfTwoDivisor(every), tensor.getDimSize(d));
  if (group != every)
    divisor = std::min(divisor, group * info.unit);
  info.contiguity[d] = std::max(info.contiguity[d], group);
  info.divisibility[d] = std::max(info.divisibility[d], divisor);
  return info;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Equal operands give equal results.
static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<nv_tileaa::AddFOp, nv_tileaa::SubFOp, nv_tileaa::MulFOp, nv_tileaa::DivFOp, FmaOp, nv_tileaa::SqrtOp,
             nv_tileaa::RsqrtOp, nv_tileaa::Exp2Op, MaxFOp, MinFOp, FpToFpOp, MulhiUIOp>(op);
}

AxisInfo nv_tileaa::transferAxisInfo(Operation *op, ArrayRef<const AxisInfo *> in) {
  Type type = op->getResult(0).getType();
  Attribute constant;
  if (op->hasTrait<OpTrait::ConstantLike>() && matchPattern(op, m_Constant(&constant)))
    return constantAxisInfo(constant, type).value_or(AxisInfo::getPessimistic(type));
  // Only the encoding of the tensor changes (nv_tileas stage).
  if (op->hasTrait<KeepsElements>() && in.size() == 1)
    return *in[0];
  if (std::optional<AxisInfo> info = transferShapeOp(op, in))
    return *info;

  return llvm::TypeSwitch<Operation *, AxisInfo>(op)
      .Case<MakeRangeOp>([&](MakeRangeOp range) {
        AxisInfo info = AxisInfo::getPessimistic(type);
        int64_t start = range.getStart(), end = range.getEnd(), count = end - start;
        info.contiguity[0] = largestPowerOfTwoDivisor(count);
        info.divisibility[0] = largestPowerOfTwoDivisor(start);
        unsigned width = widthOf(type);
        info.nonNegative = start >= 0 && (width > 62 || end - 1 < int64_t(1) << (width - 1));
        if (count == 1)
          setConstant(info, wrap(start, width));
        return info;
      })
      .Case<arith::AddIOp>([&](arith::AddIOp add) {
        return transferAdd(op, *in[0], *in[1],
                           bitEnumContainsAny(add.getOverflowFlags(), arith::IntegerOverflowFlags::nsw));
      })
      .Case<arith::SubIOp>([&](auto) { return transferSub(op, *in[0], *in[1]); })
      .Case<arith::MulIOp>([&](arith::MulIOp mul) {
        return transferMul(op, *in[0], *in[1],
                           bitEnumContainsAny(mul.getOverflowFlags(), arith::IntegerOverflowFlags::nsw));
      })
      .Case<arith::DivUIOp>([&](auto) {
        // Constants are kept sign-extended; an unsigned reading of a negative one is not a multiple game.
        bool plain = !in[1]->constantValue || *in[1]->constantValue > 0;
        return plain ? transferDiv(op, *in[0], *in[1], /*roundsDown=*/true) : AxisInfo::getPessimistic(type);
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        // By a negative number x and x + 1 part at a multiple of the divisor already: 0 / -8 is 0, 1 / -8 is -1.
        if (!in[1]->nonNegative)
          return Binary(op, *in[0], *in[1]).info;
        return transferDiv(op, *in[0], *in[1], /*roundsDown=*/true);
      })
      .Case<arith::DivSIOp>([&](auto) { return transferDiv(op, *in[0], *in[1], /*roundsDown=*/false); })
      .Case<arith::RemSIOp>([&](auto) { return transferRem(op, *in[0], *in[1], /*isUnsigned=*/false); })
      .Case<arith::RemUIOp>([&](auto) { return transferRem(op, *in[0], *in[1], /*isUnsigned=*/true); })
      .Case<arith::ShLIOp>([&](auto) { return transferShl(op, *in[0], *in[1]); })
      .Case<arith::ShRSIOp>([&](auto) { return transferShr(op, *in[0], *in[1], /*isArithmetic=*/true); })
      .Case<arith::ShRUIOp>([&](auto) { return transferShr(op, *in[0], *in[1], /*isArithmetic=*/false); })
      .Case<arith::AndIOp>([&](auto) { return transferAnd(op, *in[0], *in[1]); })
      .Case<arith::OrIOp>([&](auto) { return transferOrXor(op, *in[0], *in[1], /*isXor=*/false); })
      .Case<arith::XOrIOp>([&](auto) { return transferOrXor(op, *in[0], *in[1], /*isXor=*/true); })
      .Case<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
          [&](auto) { return transferMinMax(op, *in[0], *in[1]); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp cmp) { return transferCmp(cmp, *in[0], *in[1]); })
      .Case<arith::SelectOp>([&](arith::SelectOp select) { return transferSelect(select, *in[0], *in[1], *in[2]); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return transferIntCast(op, *in[0], /*isSigned=*/true); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(
          [&](auto) { return transferIntCast(op, *in[0], /*isSigned=*/false); })
      .Case<AddPtrOp>([&](AddPtrOp add) { return transferAddPtr(add, *in[0], *in[1]); })
      .Case<IntToPtrOp, PtrToIntOp, nv_tileaa::BitcastOp>([&](auto) { return transferAddressCast(op, *in[0]); })
      .Case<AssumeOp>([&](AssumeOp assume) { return transferAssume(assume, *in[0]); })
      .Case<GetDimSizeOp>([&](auto) {
        AxisInfo info = AxisInfo::getPessimistic(type);
        info.nonNegative = true;
        return info;
      })
      .Default([&](Operation *) {
        AxisInfo info = AxisInfo::getPessimistic(type);
        if (isElementwise(op) && !in.empty())
          for (unsigned d = 0; d < info.getRank(); ++d) {
            int64_t block = in[0]->constancy[d];
            for (const AxisInfo *operand : in.drop_front())
              block = std::min(block, operand->constancy[d]);
            info.constancy[d] = block;
          }
        return info;
      });
}
