//===- Int.cpp - Integers that are known, or will be ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Int.h"

#include <algorithm>
#include <numeric>

namespace tileiras::cute {

Int Int::dynamic(unsigned leaf, int64_t divisor, int width) {
  Int result;
  result.kind = Kind::Dynamic;
  result.node = std::make_shared<Expr>(Expr{IntOp::Leaf, {}, {}, leaf, std::max<int64_t>(divisor, 1), width});
  return result;
}

Int Int::any() {
  Int result;
  result.kind = Kind::Any;
  return result;
}

Int Int::invalid() {
  Int result;
  result.kind = Kind::Invalid;
  return result;
}

int64_t Int::divisor() const {
  if (isStatic())
    return value == INT64_MIN ? 1 : std::abs(value);
  return isDynamic() ? node->divisor : 1;
}

int Int::width() const {
  if (isDynamic())
    return node->width;
  return value == int64_t(int32_t(value)) ? 32 : 64;
}

Int Int::withBasis(std::vector<int> path) const {
  Int result = *this;
  result.basisPath = std::move(path);
  return result;
}

bool Int::operator==(const Int &other) const {
  if (kind != other.kind || basisPath != other.basisPath)
    return false;
  if (kind == Kind::Static)
    return value == other.value;
  if (kind != Kind::Dynamic || node == other.node)
    return true;
  if (node->op != other.node->op || node->divisor != other.node->divisor || node->width != other.node->width)
    return false;
  if (node->op == IntOp::Leaf)
    return node->leaf == other.node->leaf;
  return node->a == other.node->a && node->b == other.node->b;
}

std::string Int::toString() const {
  std::string text;
  switch (kind) {
  case Kind::Static:
    text = std::to_string(value);
    break;
  case Kind::Any:
    return "_";
  case Kind::Invalid:
    return "<invalid>";
  case Kind::Dynamic:
    text = "?";
    if (node->width != 32 || node->divisor != 1) {
      text += "{";
      if (node->width != 32)
        text += "i" + std::to_string(node->width);
      if (node->divisor != 1)
        text += std::string(node->width != 32 ? " " : "") + "div=" + std::to_string(node->divisor);
      text += "}";
    }
  }
  for (int component : basisPath)
    text += "@" + std::to_string(component);
  return text;
}

/// The operation on numbers; nothing where it has no value.
static std::optional<int64_t> compute(IntOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case IntOp::Leaf:
    return std::nullopt;
  case IntOp::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case IntOp::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case IntOp::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case IntOp::Min:
    return std::min(a, b);
  case IntOp::Max:
    return std::max(a, b);
  case IntOp::Xor:
    return a ^ b;
  default:
    break;
  }
  if (b == 0 || (a == INT64_MIN && b == -1) || b == INT64_MIN || a == INT64_MIN)
    return std::nullopt;
  int64_t quotient = a / b, remainder = a % b;
  switch (op) {
  case IntOp::FloorDiv:
    return quotient - (remainder != 0 && (remainder < 0) != (b < 0));
  case IntOp::Mod:
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  case IntOp::CeilDiv:
    return quotient + (remainder != 0 && (remainder < 0) == (b < 0));
  case IntOp::ShapeDiv:
    if (remainder == 0)
      return quotient;
    if (a != 0 && b % a == 0)
      return (a < 0) == (b < 0) ? 1 : -1;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Int fold(IntOp op, const Int &a, const Int &b) {
  if (!a.isValid() || !b.isValid() || a.isAny() || b.isAny())
    return Int::invalid();
  // Bases: sums of the same one, multiples and fractions of one.
  std::vector<int> basis = a.basisPath;
  if (!b.basisPath.empty()) {
    if (op == IntOp::Mul && basis.empty())
      basis = b.basisPath;
    else if (basis.empty() && a.is(0) && op == IntOp::Add)
      return b;
    else if (basis != b.basisPath || (op != IntOp::Add && op != IntOp::Sub && op != IntOp::Min && op != IntOp::Max))
      return Int::invalid();
  }
  auto with = [&](Int result) { return result.withBasis(basis); };
  if (a.isStatic() && b.isStatic()) {
    std::optional<int64_t> result = compute(op, a.value, b.value);
    return result ? with(*result) : Int::invalid();
  }

  bool aZero = a.isStatic() && a.value == 0, bZero = b.isStatic() && b.value == 0;
  bool aOne = a.isStatic() && a.value == 1, bOne = b.isStatic() && b.value == 1;
  int64_t divisor = 1;
  switch (op) {
  case IntOp::Leaf:
    return Int::invalid();
  case IntOp::Add:
  case IntOp::Xor:
    if (aZero)
      return with(b);
    [[fallthrough]];
  case IntOp::Sub:
    if (bZero)
      return with(a);
    if (op != IntOp::Add && a == b)
      return with(0);
    divisor = op == IntOp::Xor ? 1 : std::gcd(a.divisor(), b.divisor());
    break;
  case IntOp::Mul:
    if (aZero || bZero)
      return with(0);
    if (aOne)
      return with(b);
    if (bOne)
      return with(a);
    if (__builtin_mul_overflow(a.divisor(), b.divisor(), &divisor))
      divisor = 1;
    // (x / c) * c, where the division leaves nothing.
    if (b.isStatic() && a.isDynamic() && a.node->op == IntOp::FloorDiv && a.node->b == b.withoutBasis() &&
        b.value > 0 && a.node->a.divisor() % b.value == 0)
      return with(a.node->a);
    break;
  case IntOp::FloorDiv:
  case IntOp::CeilDiv:
  case IntOp::ShapeDiv:
    if (bZero)
      return Int::invalid();
    if (aZero)
      return with(0);
    if (bOne)
      return with(a);
    if (op == IntOp::CeilDiv && aOne)
      return with(1);
    if (a.withoutBasis() == b.withoutBasis())
      return with(1);
    if (a.isDynamic() && b.isStatic() && b.value > 0) {
      // (x * c) / d with d a divisor of c, or c of d, both exact.
      if (a.divisor() % b.value == 0) {
        divisor = a.divisor() / b.value;
        op = IntOp::FloorDiv;
        if (a.node->op == IntOp::Mul && a.node->b.isStatic() && a.node->b.value != 0) {
          if (a.node->b.value % b.value == 0)
            return with(a.node->a * Int(a.node->b.value / b.value));
          if (b.value % a.node->b.value == 0)
            return with(a.node->a / Int(b.value / a.node->b.value));
        }
      }
      // Quotients of quotients, rounded the same way.
      if (a.node->op == op && op != IntOp::ShapeDiv && a.node->b.isStatic() && a.node->b.value > 0)
        if (std::optional<int64_t> both = compute(IntOp::Mul, a.node->b.value, b.value))
          return with(fold(op, a.node->a, *both));
    }
    break;
  case IntOp::Mod:
    if (bZero)
      return Int::invalid();
    if (aZero || bOne || a == b)
      return with(0);
    if (b.isStatic() && b.value > 0 && a.divisor() % b.value == 0)
      return with(0);
    divisor = std::gcd(a.divisor(), b.divisor());
    break;
  case IntOp::Min:
  case IntOp::Max:
    if (a == b)
      return a;
    divisor = std::gcd(a.divisor(), b.divisor());
    break;
  }
  // Constants stand on the right where the order does not matter.
  Int left = a.withoutBasis(), right = b.withoutBasis();
  bool commutes = op == IntOp::Add || op == IntOp::Mul || op == IntOp::Min || op == IntOp::Max || op == IntOp::Xor;
  if (commutes && left.isStatic())
    std::swap(left, right);
  if (op == IntOp::Mul && right.isStatic() && left.node->op == IntOp::Mul && left.node->b.isStatic())
    if (std::optional<int64_t> both = compute(IntOp::Mul, left.node->b.value, right.value))
      return with(left.node->a * Int(*both));
  Int result;
  result.kind = Int::Kind::Dynamic;
  result.node = std::make_shared<Int::Expr>(
      Int::Expr{op, left, right, 0, std::max<int64_t>(divisor, 1), std::max(left.width(), right.width())});
  return with(result);
}

std::optional<int64_t> Int::eval(const std::function<int64_t(unsigned)> &leaf) const {
  if (isStatic())
    return value;
  if (!isDynamic())
    return std::nullopt;
  if (node->op == IntOp::Leaf)
    return leaf(node->leaf);
  std::optional<int64_t> a = node->a.eval(leaf), b = node->b.eval(leaf);
  if (!a || !b)
    return std::nullopt;
  return compute(node->op, *a, *b);
}

bool mayDivide(const Int &divisor, const Int &value) {
  if (!divisor.isValid() || !value.isValid() || divisor.is(0))
    return false;
  if (divisor.isStatic() && value.isStatic())
    return value.constant() % divisor.constant() == 0;
  return true;
}

} // namespace tileiras::cute
