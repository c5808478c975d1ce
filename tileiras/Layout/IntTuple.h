//===- IntTuple.h - Nested tuples of integers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shapes, strides, coordinates and tiles of CuTe are tuples of integers, nested to any depth: `(4,(2,8))`. Coordinates
// are counted colexicographically, the first mode fastest.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_INTTUPLE_H
#define TILEIRAS_LAYOUT_INTTUPLE_H

#include "tileiras/Layout/Int.h"

namespace tileiras::cute {

class IntTuple {
public:
  /// The empty tuple `()`.
  IntTuple() = default;
  IntTuple(Int value) : leaf(true), value(std::move(value)) {}
  IntTuple(int64_t value) : leaf(true), value(value) {}
  IntTuple(int value) : leaf(true), value(int64_t(value)) {}
  IntTuple(std::vector<IntTuple> elements) : elements(std::move(elements)) {}
  IntTuple(std::initializer_list<IntTuple> list) : elements(list) {}

  bool isLeaf() const { return leaf; }
  const Int &asInt() const { return value; }
  /// Modes; a leaf is its own only mode.
  int rank() const { return leaf ? 1 : int(elements.size()); }
  int depth() const;
  const IntTuple &mode(int index) const { return leaf ? *this : elements[size_t(index)]; }
  std::vector<IntTuple> modes() const { return leaf ? std::vector<IntTuple>{*this} : elements; }

  std::vector<Int> leaves() const;
  /// The same tree with other leaves, taken in order.
  IntTuple withLeaves(const std::vector<Int> &values) const;
  IntTuple map(const std::function<Int(const Int &)> &fn) const;

  bool isStatic() const;
  bool isValid() const;
  /// Some leaf is `_`.
  bool hasAny() const;

  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }
  std::string toString() const;

private:
  bool leaf = false;
  Int value;
  std::vector<IntTuple> elements;
};

/// Product and sum of all leaves.
Int product(const IntTuple &tuple);
inline Int size(const IntTuple &shape) { return product(shape); }

/// Trees of the same form.
bool congruent(const IntTuple &a, const IntTuple &b);
/// `b` refines `a`: where `a` has a leaf, `b` may have a tree.
bool weaklyCongruent(const IntTuple &a, const IntTuple &b);

/// op on corresponding leaves; nothing unless congruent.
std::optional<IntTuple> elementwise(IntOp op, const IntTuple &a, const IntTuple &b);

/// Coordinate of a shape for a number, first mode fastest; the last mode takes what is left over.
IntTuple idx2crd(const Int &index, const IntTuple &shape);

/// Strides of a compact layout of the shape: first mode fastest, or last mode fastest.
IntTuple compactColMajor(const IntTuple &shape, const Int &start = 1);
IntTuple compactRowMajor(const IntTuple &shape, const Int &start = 1);

/// shape_div by tuples, or of a tuple by a number that is used up mode by mode; nothing if a division is not exact.
std::optional<IntTuple> shapeDiv(const IntTuple &shape, const IntTuple &divisor);
/// Rounded up, mode by mode; a number divides the first modes as far as it goes.
IntTuple ceilDiv(const IntTuple &shape, const IntTuple &divisor);

/// Elements begin..end of the tuple become one mode. Negative numbers count from the end.
std::optional<IntTuple> groupModes(const IntTuple &tuple, int begin, int end, std::string *error = nullptr);

/// `(4,(2,?))`; nothing, and where in `error`, if the text is not that.
std::optional<IntTuple> parseIntTuple(std::string_view text, std::string *error = nullptr);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_INTTUPLE_H
