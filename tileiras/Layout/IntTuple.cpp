//===- IntTuple.cpp - Nested tuples of integers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/IntTuple.h"

#include <algorithm>

namespace tileiras::cute {

int IntTuple::depth() const {
  if (leaf)
    return 0;
  int deepest = 0;
  for (const IntTuple &element : elements)
    deepest = std::max(deepest, element.depth());
  return deepest + 1;
}

static void collect(const IntTuple &tuple, std::vector<Int> &result) {
  if (tuple.isLeaf()) {
    result.push_back(tuple.asInt());
    return;
  }
  for (int i = 0; i < tuple.rank(); ++i)
    collect(tuple.mode(i), result);
}

std::vector<Int> IntTuple::leaves() const {
  std::vector<Int> result;
  collect(*this, result);
  return result;
}

IntTuple IntTuple::map(const std::function<Int(const Int &)> &fn) const {
  if (leaf)
    return IntTuple(fn(value));
  IntTuple result;
  for (const IntTuple &element : elements)
    result.elements.push_back(element.map(fn));
  return result;
}

IntTuple IntTuple::withLeaves(const std::vector<Int> &values) const {
  size_t next = 0;
  return map([&](const Int &old) { return next < values.size() ? values[next++] : old; });
}

bool IntTuple::isStatic() const {
  if (leaf)
    return value.isStatic();
  return std::all_of(elements.begin(), elements.end(), [](const IntTuple &e) { return e.isStatic(); });
}

bool IntTuple::isValid() const {
  if (leaf)
    return value.isValid();
  return std::all_of(elements.begin(), elements.end(), [](const IntTuple &e) { return e.isValid(); });
}

bool IntTuple::hasAny() const {
  if (leaf)
    return value.isAny();
  return std::any_of(elements.begin(), elements.end(), [](const IntTuple &e) { return e.hasAny(); });
}

bool IntTuple::operator==(const IntTuple &other) const {
  if (leaf != other.leaf)
    return false;
  return leaf ? value == other.value : elements == other.elements;
}

std::string IntTuple::toString() const {
  if (leaf)
    return value.toString();
  std::string text = "(";
  for (size_t i = 0; i < elements.size(); ++i)
    text += (i ? "," : "") + elements[i].toString();
  return text + ")";
}

Int product(const IntTuple &tuple) {
  Int result = 1;
  for (const Int &value : tuple.leaves())
    result = result * value;
  return result;
}

bool congruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() || b.isLeaf())
    return a.isLeaf() && b.isLeaf();
  if (a.rank() != b.rank())
    return false;
  for (int i = 0; i < a.rank(); ++i)
    if (!congruent(a.mode(i), b.mode(i)))
      return false;
  return true;
}

bool weaklyCongruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf())
    return true;
  if (b.isLeaf() || a.rank() != b.rank())
    return false;
  for (int i = 0; i < a.rank(); ++i)
    if (!weaklyCongruent(a.mode(i), b.mode(i)))
      return false;
  return true;
}

std::optional<IntTuple> elementwise(IntOp op, const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() && b.isLeaf())
    return IntTuple(fold(op, a.asInt(), b.asInt()));
  if (a.isLeaf() || b.isLeaf() || a.rank() != b.rank())
    return std::nullopt;
  std::vector<IntTuple> result;
  for (int i = 0; i < a.rank(); ++i) {
    std::optional<IntTuple> element = elementwise(op, a.mode(i), b.mode(i));
    if (!element)
      return std::nullopt;
    result.push_back(std::move(*element));
  }
  return IntTuple(std::move(result));
}

IntTuple idx2crd(const Int &index, const IntTuple &shape) {
  if (shape.isLeaf())
    return IntTuple(index);
  std::vector<IntTuple> result;
  Int rest = index;
  for (int i = 0; i < shape.rank(); ++i) {
    bool last = i + 1 == shape.rank();
    Int extent = size(shape.mode(i));
    result.push_back(idx2crd(last ? rest : rest % extent, shape.mode(i)));
    if (!last)
      rest = rest / extent;
  }
  return IntTuple(std::move(result));
}

static IntTuple compact(const IntTuple &shape, Int &current, bool rowMajor) {
  if (shape.isLeaf()) {
    // A mode of one element has no direction.
    Int stride = shape.asInt().is(1) ? Int(0) : current;
    current = current * shape.asInt();
    return IntTuple(stride);
  }
  std::vector<IntTuple> result(size_t(shape.rank()));
  for (int i = 0; i < shape.rank(); ++i) {
    int at = rowMajor ? shape.rank() - 1 - i : i;
    result[size_t(at)] = compact(shape.mode(at), current, rowMajor);
  }
  return IntTuple(std::move(result));
}

IntTuple compactColMajor(const IntTuple &shape, const Int &start) {
  Int current = start;
  return compact(shape, current, false);
}

IntTuple compactRowMajor(const IntTuple &shape, const Int &start) {
  Int current = start;
  return compact(shape, current, true);
}

/// What is left of `divisor` after a mode has taken its part.
static Int restOfDivisor(const Int &divisor, const Int &extent) {
  if (divisor.isStatic() && extent.isStatic() && extent.constant() > 0)
    return divisor.constant() % extent.constant() == 0 ? Int(divisor.constant() / extent.constant())
           : extent.constant() % std::max<int64_t>(divisor.constant(), 1) == 0 ? Int(1)
                                                                               : Int::invalid();
  return shapeDiv(divisor, extent);
}

std::optional<IntTuple> shapeDiv(const IntTuple &shape, const IntTuple &divisor) {
  if (!divisor.isLeaf()) {
    if (shape.isLeaf()) {
      Int result = shapeDiv(shape.asInt(), product(divisor));
      return result.isValid() ? std::optional(IntTuple(result)) : std::nullopt;
    }
    if (divisor.rank() > shape.rank())
      return std::nullopt;
    std::vector<IntTuple> result;
    for (int i = 0; i < shape.rank(); ++i) {
      if (i >= divisor.rank()) {
        result.push_back(shape.mode(i));
        continue;
      }
      std::optional<IntTuple> element = shapeDiv(shape.mode(i), divisor.mode(i));
      if (!element)
        return std::nullopt;
      result.push_back(std::move(*element));
    }
    return IntTuple(std::move(result));
  }
  if (shape.isLeaf()) {
    Int result = shapeDiv(shape.asInt(), divisor.asInt());
    return result.isValid() ? std::optional(IntTuple(result)) : std::nullopt;
  }
  Int rest = divisor.asInt();
  std::vector<IntTuple> result;
  for (int i = 0; i < shape.rank(); ++i) {
    std::optional<IntTuple> element = shapeDiv(shape.mode(i), IntTuple(rest));
    Int extent = size(shape.mode(i));
    rest = restOfDivisor(rest, extent);
    if (!element || !rest.isValid())
      return std::nullopt;
    result.push_back(std::move(*element));
  }
  return IntTuple(std::move(result));
}

IntTuple ceilDiv(const IntTuple &shape, const IntTuple &divisor) {
  if (divisor.isLeaf() && shape.isLeaf())
    return IntTuple(ceilDiv(shape.asInt(), divisor.asInt()));
  if (shape.isLeaf())
    return IntTuple(ceilDiv(shape.asInt(), product(divisor)));
  std::vector<IntTuple> result;
  Int rest = divisor.isLeaf() ? divisor.asInt() : Int(1);
  for (int i = 0; i < shape.rank(); ++i) {
    if (divisor.isLeaf()) {
      result.push_back(ceilDiv(shape.mode(i), IntTuple(rest)));
      rest = ceilDiv(rest, size(shape.mode(i)));
    } else {
      result.push_back(i < divisor.rank() ? ceilDiv(shape.mode(i), divisor.mode(i)) : shape.mode(i));
    }
  }
  return IntTuple(std::move(result));
}

std::optional<IntTuple> groupModes(const IntTuple &tuple, int begin, int end, std::string *error) {
  int rank = tuple.rank();
  auto bad = [&](const char *what, int value) -> std::optional<IntTuple> {
    if (error)
      *error = std::string("expects ") + what + " in the range of [-rank , rank-1], but got " + what + " [" +
               std::to_string(value) + "] and rank [" + std::to_string(rank) + "]";
    return std::nullopt;
  };
  if (begin < -rank || begin > rank - 1)
    return bad("begin", begin);
  if (begin < 0)
    begin += rank;
  if (end < 0)
    end += rank + 1;
  if (end < begin || end > rank)
    return bad("end", end);
  std::vector<IntTuple> modes = tuple.modes();
  std::vector<IntTuple> group(modes.begin() + begin, modes.begin() + end);
  std::vector<IntTuple> result(modes.begin(), modes.begin() + begin);
  result.push_back(IntTuple(std::move(group)));
  result.insert(result.end(), modes.begin() + end, modes.end());
  return IntTuple(std::move(result));
}

} // namespace tileiras::cute
