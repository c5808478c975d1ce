//===- LayoutText.cpp - Layouts in the CuTe notation ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/LayoutText.h"

#include <bit>
#include <cctype>

namespace tileiras {

std::vector<DimName> threadValueOrder() { return {kLane, kWarp, kBlock, kRegister}; }

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
struct Mode {
  int64_t size;
  int64_t stride;
};
} // namespace

/// Bits that continue each other form one mode.
static std::vector<Mode> toModes(const std::vector<uint64_t> &bases) {
  std::vector<Mode> modes;
  for (uint64_t basis : bases) {
    int64_t stride = int64_t(basis);
    if (!modes.empty() && modes.back().stride * modes.back().size == stride)
      modes.back().size *= 2;
    else
      modes.push_back({2, stride});
  }
  if (modes.empty())
    modes.push_back({1, 0});
  return modes;
}

static std::string tuple(const std::vector<std::string> &parts) {
  if (parts.size() == 1)
    return parts.front();
  std::string text = "(";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? "," : "") + parts[i];
  return text + ")";
}

std::optional<std::string> printModes(const LinearLayout &layout, const std::vector<DimName> &inOrder) {
  uint64_t seen = 0;
  for (uint64_t basis : layout.flatBases()) {
    if (basis == 0)
      continue;
    if (!std::has_single_bit(basis) || (seen & basis))
      return std::nullopt;
    seen |= basis;
  }
  if (int(inOrder.size()) != layout.numIns() || inOrder.empty())
    return std::nullopt;
  std::vector<std::string> shapes, strides;
  for (DimName in : inOrder) {
    if (!layout.hasIn(in))
      return std::nullopt;
    std::vector<std::string> sizeOf, strideOf;
    for (const Mode &mode : toModes(layout.flatBases(in))) {
      sizeOf.push_back(std::to_string(mode.size));
      strideOf.push_back(std::to_string(mode.stride));
    }
    shapes.push_back(tuple(sizeOf));
    strides.push_back(tuple(strideOf));
  }
  auto outer = [](const std::vector<std::string> &parts) {
    std::string text = "(";
    for (size_t i = 0; i < parts.size(); ++i)
      text += (i ? "," : "") + parts[i];
    return text + ")";
  };
  return outer(shapes) + ":" + outer(strides);
}

std::optional<std::string> printDistributed(const LinearLayout &layout) {
  return printModes(layout, threadValueOrder());
}

std::optional<SwizzledShared> splitSwizzle(const LinearLayout &layout) {
  int bits = layout.inBits(kOffset);
  if (layout.numIns() != 1 || !layout.isPermutation())
    return std::nullopt;
  auto isPlain = [](const LinearLayout &candidate) {
    for (uint64_t basis : candidate.flatBases())
      if (!std::has_single_bit(basis))
        return false;
    return true;
  };
  if (isPlain(layout))
    return SwizzledShared{layout, {}};
  for (int b = 1; 2 * b <= bits; ++b)
    for (int m = 0; m + 2 * b <= bits; ++m)
      for (int s = b; m + s + b <= bits; ++s) {
        Swizzle swizzle{b, m, s};
        // A swizzle undoes itself.
        LinearLayout candidate = applySwizzle(layout, swizzle);
        if (isPlain(candidate))
          return SwizzledShared{candidate, swizzle};
      }
  return std::nullopt;
}

std::optional<std::string> printShared(const LinearLayout &layout) {
  std::optional<SwizzledShared> split = splitSwizzle(layout);
  if (!split)
    return std::nullopt;
  std::optional<LinearLayout> inverse = split->linear.invert();
  std::optional<std::string> text = printModes(*inverse, inverse->inNames());
  if (text && !split->swizzle.isNone())
    *text += ",swizzle<" + std::to_string(split->swizzle.bits) + "," + std::to_string(split->swizzle.base) + "," +
             std::to_string(split->swizzle.shift) + ">";
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
using Tuple = std::vector<std::vector<int64_t>>;

class Parser {
public:
  Parser(std::string_view text, std::string *error) : text(text), error(error) {}

  bool fail(const std::string &message) {
    if (error)
      *error = "at column " + std::to_string(at + 1) + " of '" + std::string(text) + "': " + message;
    return false;
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  bool expect(std::string_view token) { return accept(token) || fail("expected '" + std::string(token) + "'"); }
  bool atEnd() {
    skipSpace();
    return at == text.size();
  }
  bool number(int64_t &value) {
    skipSpace();
    if (at == text.size() || !std::isdigit(uint8_t(text[at])))
      return fail("expected a number");
    value = 0;
    for (; at < text.size() && std::isdigit(uint8_t(text[at])); ++at) {
      value = value * 10 + (text[at] - '0');
      if (value > int64_t(1) << 40)
        return fail("number too large");
    }
    return true;
  }
  /// entry ::= number | '(' number (',' number)* ')'
  bool entry(std::vector<int64_t> &values) {
    int64_t value;
    if (!accept("(")) {
      if (!number(value))
        return false;
      values.push_back(value);
      return true;
    }
    do {
      if (!number(value))
        return false;
      values.push_back(value);
    } while (accept(","));
    return expect(")");
  }
  /// tuple ::= '(' entry (',' entry)* ')'
  bool entries(Tuple &result) {
    if (!expect("("))
      return false;
    do {
      if (!entry(result.emplace_back()))
        return false;
    } while (accept(","));
    return expect(")");
  }
  /// modes ::= tuple ':' tuple, of equal profile; every mode a power of two with a stride that is
  /// one or zero.
  bool modes(std::vector<std::vector<Mode>> &result) {
    Tuple sizes, strides;
    if (!entries(sizes) || !expect(":") || !entries(strides))
      return false;
    if (sizes.size() != strides.size())
      return fail("shape and stride differ in rank");
    int64_t seen = 0;
    int bits = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i].size() != strides[i].size())
        return fail("shape and stride differ in profile");
      std::vector<Mode> &modes = result.emplace_back();
      for (size_t k = 0; k < sizes[i].size(); ++k) {
        int64_t size = sizes[i][k], stride = strides[i][k];
        if (size <= 0 || !std::has_single_bit(uint64_t(size)))
          return fail("size " + std::to_string(size) + " is not a power of two");
        if (stride != 0 && !std::has_single_bit(uint64_t(stride)))
          return fail("stride " + std::to_string(stride) + " is neither zero nor a power of two");
        bits += std::countr_zero(uint64_t(size));
        if (bits > 60 || (stride && std::countr_zero(uint64_t(stride)) + std::countr_zero(uint64_t(size)) > 60))
          return fail("layout too large");
        int64_t covered = (size - 1) * stride;
        if (covered & seen)
          return fail("two modes reach the same element");
        seen |= covered;
        modes.push_back({size, stride});
      }
    }
    return true;
  }

private:
  void skipSpace() {
    while (at < text.size() && std::isspace(uint8_t(text[at])))
      ++at;
  }

  std::string_view text;
  std::string *error;
  size_t at = 0;
};
} // namespace

static std::vector<uint64_t> toBases(const std::vector<Mode> &modes) {
  std::vector<uint64_t> bases;
  for (const Mode &mode : modes)
    for (int64_t step = 1; step < mode.size; step *= 2)
      bases.push_back(uint64_t(mode.stride * step));
  return bases;
}

std::optional<LinearLayout> parseModes(std::string_view text, const std::vector<DimName> &inOrder,
                                       const std::vector<int32_t> &shape, std::string *error) {
  Parser parser(text, error);
  std::vector<std::vector<Mode>> modes;
  if (!parser.modes(modes))
    return std::nullopt;
  if (!parser.atEnd()) {
    parser.fail("unexpected text after the strides");
    return std::nullopt;
  }
  if (modes.size() != inOrder.size()) {
    parser.fail("expected " + std::to_string(inOrder.size()) + " modes, one for each of the inputs");
    return std::nullopt;
  }
  std::vector<LinearLayout::OutDim> outs;
  for (size_t i = 0; i < shape.size(); ++i)
    outs.push_back({dimName(int(i)), shape[i]});
  std::optional<LinearLayout> layout = LinearLayout::create({}, outs, error);
  if (!layout)
    return std::nullopt;
  uint64_t elements = uint64_t(1) << layout->totalOutBits();
  for (size_t i = 0; i < modes.size(); ++i) {
    std::vector<uint64_t> bases = toBases(modes[i]);
    if (bases.size() > 31) {
      parser.fail("mode too large");
      return std::nullopt;
    }
    for (uint64_t basis : bases)
      if (basis >= elements) {
        parser.fail("stride " + std::to_string(basis) + " leaves the tile of " + std::to_string(elements) +
                    " elements");
        return std::nullopt;
      }
    layout = layout->extendIn(inOrder[i], bases);
  }
  return layout;
}

std::optional<LinearLayout> parseDistributed(std::string_view text, const std::vector<int32_t> &shape,
                                             std::string *error) {
  std::optional<LinearLayout> layout = parseModes(text, threadValueOrder(), shape, error);
  if (!layout)
    return std::nullopt;
  return layout->transposeIns({kRegister, kLane, kWarp, kBlock});
}

std::optional<LinearLayout> parseShared(std::string_view text, std::string *error) {
  Parser parser(text, error);
  auto fail = [&](const std::string &message) -> std::optional<LinearLayout> {
    parser.fail(message);
    return std::nullopt;
  };
  std::vector<std::vector<Mode>> modes;
  if (!parser.modes(modes))
    return std::nullopt;
  Swizzle swizzle;
  if (parser.accept(",")) {
    int64_t b, m, s;
    if (!parser.expect("swizzle") || !parser.expect("<") || !parser.number(b) || !parser.expect(",") ||
        !parser.number(m) || !parser.expect(",") || !parser.number(s) || !parser.expect(">"))
      return std::nullopt;
    if (b > 31 || m > 31 || s > 31 || !Swizzle{int(b), int(m), int(s)}.isValid())
      return fail("swizzle<B,M,S> needs S >= B and B+M+S <= 31");
    swizzle = {int(b), int(m), int(s)};
  }
  if (!parser.atEnd())
    return fail("unexpected text after the layout");
  int bits = 0;
  std::vector<std::vector<uint64_t>> bases;
  for (const std::vector<Mode> &dim : modes) {
    bases.push_back(toBases(dim));
    bits += int(bases.back().size());
  }
  if (bits > 31)
    return fail("layout too large");
  if (!swizzle.isNone() && swizzle.base + swizzle.shift + swizzle.bits > bits)
    return fail("swizzle reaches beyond the tile");
  std::vector<LinearLayout::InDim> ins;
  for (size_t i = 0; i < bases.size(); ++i) {
    LinearLayout::InDim in{dimName(int(i)), {}};
    for (uint64_t basis : bases[i]) {
      if (basis >> bits)
        return fail("the tile has holes: shared layouts cover every offset once");
      in.bases.push_back({int32_t(basis)});
    }
    ins.push_back(std::move(in));
  }
  std::optional<LinearLayout> toOffset = LinearLayout::create(std::move(ins), {{kOffset, int32_t(1) << bits}}, error);
  if (!toOffset)
    return std::nullopt;
  std::optional<LinearLayout> layout = toOffset->invert();
  if (!layout)
    return fail("the tile has holes: shared layouts cover every offset once");
  return applySwizzle(*layout, swizzle);
}

} // namespace tileiras
