//===- Int.h - Integers that are known, or will be --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The extents and strides of a CuTe layout are partly known when a kernel is compiled and partly not. The algebra is
// the same for both: here an Int is a number, or an expression over numbers that come at run time. Arithmetic folds
// whatever is known (x * 0, x / x, sums of constants), and what remains can be evaluated, or turned into code, leaf by
// leaf. So one implementation of composition or division is the folder of the dialect, its type inference and its
// lowering.
//
//     Int m = Int::dynamic(0, /*divisor=*/8);     // argument 0, a multiple of 8
//     ceilDiv(m * 4, 32)                          // argument 0 / 8, exact
//
// An Int may carry a basis: `3@1` is 3 in component 1 of a coordinate (CuTe's ScaledBasis), a stride of layouts whose
// values are coordinates instead of offsets.
//
// Arithmetic that leaves 64 bits, or divides by zero, gives an invalid Int, which spreads; the algebra reports it once.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_INT_H
#define TILEIRAS_LAYOUT_INT_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tileiras::cute {

enum class IntOp { Leaf, Add, Sub, Mul, FloorDiv, CeilDiv, Mod, ShapeDiv, Min, Max, Xor };

class Int {
public:
  /// An operation over Ints, at least one of them dynamic; or a leaf.
  struct Expr;

  Int(int64_t value = 0) : value(value) {}
  /// The leaf with this number, known to be a multiple of `divisor`.
  static Int dynamic(unsigned leaf, int64_t divisor = 1, int width = 32);
  /// `_`: every coordinate.
  static Int any();
  static Int invalid();

  bool isStatic() const { return kind == Kind::Static; }
  bool isDynamic() const { return kind == Kind::Dynamic; }
  bool isAny() const { return kind == Kind::Any; }
  bool isValid() const { return kind != Kind::Invalid; }
  /// Known to be this number.
  bool is(int64_t number) const { return isStatic() && value == number && basisPath.empty(); }
  int64_t constant() const { return value; }
  /// The largest known divisor; 0 for the constant 0.
  int64_t divisor() const;
  /// Bits of a dynamic value: 32 or 64.
  int width() const;
  const Expr &expr() const { return *node; }

  /// Component of a coordinate that a stride counts in, outermost first; empty for plain numbers.
  const std::vector<int> &basis() const { return basisPath; }
  Int withBasis(std::vector<int> path) const;
  Int withoutBasis() const { return withBasis({}); }

  /// The value for given leaves; nothing if it is invalid for them.
  std::optional<int64_t> eval(const std::function<int64_t(unsigned)> &leaf) const;

  /// Structurally equal: the same number, or the same expression of the same leaves.
  bool operator==(const Int &other) const;
  bool operator!=(const Int &other) const { return !(*this == other); }

  /// `12`, `?`, `?{div=8}`, `?{i64 div=8}`, `_`, `3@1@0`.
  std::string toString() const;

private:
  friend Int fold(IntOp op, const Int &a, const Int &b);
  enum class Kind : uint8_t { Static, Dynamic, Any, Invalid };
  Kind kind = Kind::Static;
  int64_t value = 0;
  std::shared_ptr<const Expr> node;
  std::vector<int> basisPath;
};

struct Int::Expr {
  IntOp op;
  Int a, b;        ///< operands, unless a leaf
  unsigned leaf;   ///< number of a leaf
  int64_t divisor; ///< known divisor of the value
  int width;       ///< 32 or 64 bits
};

/// a op b, as far as it is known.
Int fold(IntOp op, const Int &a, const Int &b);

inline Int operator+(const Int &a, const Int &b) { return fold(IntOp::Add, a, b); }
inline Int operator-(const Int &a, const Int &b) { return fold(IntOp::Sub, a, b); }
inline Int operator*(const Int &a, const Int &b) { return fold(IntOp::Mul, a, b); }
/// Rounded towards minus infinity; operands of compiled code are never negative.
inline Int operator/(const Int &a, const Int &b) { return fold(IntOp::FloorDiv, a, b); }
inline Int operator%(const Int &a, const Int &b) { return fold(IntOp::Mod, a, b); }
inline Int ceilDiv(const Int &a, const Int &b) { return fold(IntOp::CeilDiv, a, b); }
/// a / b if b divides a, 1 if a divides b (CuTe's shape_div); invalid if neither is so.
inline Int shapeDiv(const Int &a, const Int &b) { return fold(IntOp::ShapeDiv, a, b); }
inline Int min(const Int &a, const Int &b) { return fold(IntOp::Min, a, b); }
inline Int max(const Int &a, const Int &b) { return fold(IntOp::Max, a, b); }

/// Division that is known to leave nothing, or, with run-time operands, relied on to.
bool mayDivide(const Int &divisor, const Int &value);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_INT_H
