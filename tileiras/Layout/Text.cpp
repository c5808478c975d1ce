//===- Text.cpp - Layouts read from text ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Layout.h"

#include <cctype>

namespace tileiras::cute {

namespace {
class Reader {
public:
  Reader(std::string_view text, std::string *error) : text(text), error(error) {}

  bool fail(const std::string &message) {
    if (error && !failed)
      *error = "at column " + std::to_string(at + 1) + " of '" + std::string(text) + "': " + message;
    failed = true;
    return false;
  }
  void skip() {
    while (at < text.size() && std::isspace(uint8_t(text[at])))
      ++at;
  }
  bool peek(std::string_view token) {
    skip();
    return text.substr(at).starts_with(token);
  }
  bool accept(std::string_view token) {
    if (!peek(token))
      return false;
    at += token.size();
    return true;
  }
  bool expect(std::string_view token) { return accept(token) || fail("expected '" + std::string(token) + "'"); }
  bool atEnd() {
    skip();
    return at == text.size() || fail("unexpected text after the layout");
  }

  bool number(int64_t &value) {
    skip();
    bool negative = at < text.size() && text[at] == '-';
    size_t from = at + negative;
    if (from >= text.size() || !std::isdigit(uint8_t(text[from])))
      return fail("expected a number");
    value = 0;
    for (at = from; at < text.size() && std::isdigit(uint8_t(text[at])); ++at)
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(text[at] - '0'), &value))
        return fail("number too large");
    value = negative ? -value : value;
    return true;
  }

  /// leaf ::= '_' | ('_'? number | '?' ('{' 'i64'? ('div' '=' number)? '}')?) ('@' number)*
  bool leaf(Int &value) {
    int64_t digits = 0;
    if (accept("?")) {
      int64_t divisor = 1;
      int width = 32;
      if (accept("{")) {
        if (accept("i")) {
          if (!number(digits))
            return false;
          if (digits != 32 && digits != 64)
            return fail("dynamic integers have 32 or 64 bits");
          width = int(digits);
          accept(",");
        }
        if (accept("div")) {
          if (!expect("=") || !number(divisor))
            return false;
          if (divisor < 1)
            return fail("a divisor is positive");
        }
        if (!expect("}"))
          return false;
      }
      value = Int::dynamic(leaves++, divisor, width);
    } else if (accept("_")) {
      if (at >= text.size() || !std::isdigit(uint8_t(text[at]))) {
        value = Int::any();
        return true;
      }
      if (!number(digits))
        return false;
      value = Int(digits);
    } else {
      if (!number(digits))
        return false;
      value = Int(digits);
    }
    std::vector<int> basis;
    while (accept("@")) {
      if (!number(digits))
        return false;
      if (digits < 0 || digits > 63 || basis.size() > 15)
        return fail("no such component of a coordinate");
      basis.push_back(int(digits));
    }
    value = value.withBasis(std::move(basis));
    return true;
  }

  /// tuple ::= leaf | '(' (tuple (',' tuple)*)? ')'
  bool tuple(IntTuple &result, int depth = 0) {
    if (depth > 30)
      return fail("nested too deeply");
    if (!accept("(")) {
      Int value;
      if (!leaf(value))
        return false;
      result = IntTuple(value);
      return true;
    }
    std::vector<IntTuple> elements;
    if (!accept(")")) {
      do {
        if (!tuple(elements.emplace_back(), depth + 1))
          return false;
      } while (accept(",") && !peek(")"));
      if (!expect(")"))
        return false;
    }
    result = IntTuple(std::move(elements));
    return true;
  }

  bool layoutFrom(IntTuple shape, Layout &result) {
    for (const Int &extent : shape.leaves())
      if (!extent.basis().empty() || extent.isAny() || (extent.isStatic() && extent.constant() < 1))
        return fail("an extent is a positive number, not " + extent.toString());
    if (!accept(":")) {
      result = Layout(std::move(shape));
      return result.isValid() || fail("layout too large");
    }
    IntTuple stride;
    if (!tuple(stride))
      return false;
    if (!congruent(shape, stride))
      return fail("shape and stride differ in profile");
    for (const Int &step : stride.leaves())
      if (step.isAny())
        return fail("a stride is a number, not _");
    result = Layout(std::move(shape), std::move(stride));
    return cosize(result).isValid() || fail("layout too large");
  }

  /// '<' number ',' number ',' number '>'
  bool swizzle(Swizzle &result) {
    int64_t b, m, s;
    if (!expect("<") || !number(b) || !expect(",") || !number(m) || !expect(",") || !number(s) || !expect(">"))
      return false;
    for (int64_t part : {b, m, s})
      if (part < 0 || part > 31)
        return fail("swizzle<B,M,S> needs S >= B and B+M+S <= 31");
    result = {int(b), int(m), int(s)};
    return result.isValid() || fail("swizzle<B,M,S> needs S >= B and B+M+S <= 31");
  }

  bool composed(ComposedLayout &result) {
    bool prefixed = false;
    if (accept("Swizzle") || accept("Sw") || accept("S")) {
      if (!swizzle(result.swizzle) || !expect("o"))
        return false;
      prefixed = true;
    }
    IntTuple first;
    if (!tuple(first))
      return false;
    if (accept("o")) {
      result.offset = first;
      if (!tuple(first))
        return false;
    }
    if (!layoutFrom(first, result.layout))
      return false;
    if (!prefixed && accept(","))
      if (!expect("swizzle") || !swizzle(result.swizzle))
        return false;
    return true;
  }

  bool tiler(std::vector<Tiler> &into, int depth = 0) {
    if (depth > 30)
      return fail("nested too deeply");
    if (accept("[") || accept("<")) {
      bool square = text[at - 1] == '[';
      std::vector<Tiler> modes;
      do
        if (!tiler(modes, depth + 1))
          return false;
      while (accept(";") || accept(","));
      if (!expect(square ? "]" : ">"))
        return false;
      into.emplace_back(std::move(modes));
      return true;
    }
    IntTuple shape;
    if (!tuple(shape))
      return false;
    if (peek(":")) {
      Layout layout;
      if (!layoutFrom(shape, layout))
        return false;
      into.emplace_back(layout);
      return true;
    }
    for (const Int &extent : shape.leaves())
      if (extent.isStatic() && extent.constant() < 1)
        return fail("an extent is a positive number, not " + extent.toString());
    into.push_back(Tiler(shape));
    return true;
  }

private:
  std::string_view text;
  std::string *error;
  size_t at = 0;
  unsigned leaves = 0;
  bool failed = false;
};
} // namespace

std::optional<IntTuple> parseIntTuple(std::string_view text, std::string *error) {
  Reader reader(text, error);
  IntTuple result;
  if (!reader.tuple(result) || !reader.atEnd())
    return std::nullopt;
  return result;
}

std::optional<ComposedLayout> parseLayout(std::string_view text, std::string *error) {
  Reader reader(text, error);
  ComposedLayout result;
  if (!reader.composed(result) || !reader.atEnd())
    return std::nullopt;
  return result;
}

std::optional<Tiler> parseTiler(std::string_view text, std::string *error) {
  Reader reader(text, error);
  std::vector<Tiler> result;
  if (!reader.tiler(result) || !reader.atEnd())
    return std::nullopt;
  return result.front();
}

} // namespace tileiras::cute
