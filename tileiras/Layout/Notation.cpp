//===- Notation.cpp - Layouts in any of the usual notations ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Notation.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>

namespace tileiras::cute {

namespace {
/// #name<{key = value, ...}>, [list], number or word.
struct Value {
  enum class Kind { Word, Number, List, Attribute } kind = Kind::Word;
  std::string name; ///< word, or name of an attribute
  int64_t number = 0;
  std::vector<Value> list;
  std::map<std::string, Value> parameters;
};

class ValueReader {
public:
  ValueReader(std::string_view text, std::string *error) : text(text), error(error) {}

  bool fail(const std::string &message) {
    if (error)
      *error = "at column " + std::to_string(at + 1) + ": " + message;
    return false;
  }
  bool accept(char c) {
    while (at < text.size() && std::isspace(uint8_t(text[at])))
      ++at;
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool atEnd() {
    accept('\0');
    return at >= text.size();
  }
  std::string word() {
    accept('\0');
    size_t from = at;
    while (at < text.size() && (std::isalnum(uint8_t(text[at])) || text[at] == '_' || text[at] == '.'))
      ++at;
    return std::string(text.substr(from, at - from));
  }

  bool value(Value &result, int depth = 0) {
    if (depth > 8)
      return fail("nested too deeply");
    if (accept('#')) {
      result.kind = Value::Kind::Attribute;
      result.name = word();
      if (!accept('<'))
        return fail("expected '<'");
      bool braces = accept('{');
      if (!(braces && accept('}')) && !(!braces && accept('>'))) {
        do {
          std::string key = word();
          if (key.empty())
            return fail("expected a parameter");
          if (!accept('='))
            return fail("expected '=' after '" + key + "'");
          if (!value(result.parameters[key], depth + 1))
            return false;
        } while (accept(','));
        if (braces && !accept('}'))
          return fail("expected '}'");
      } else if (!braces) {
        return true;
      }
      return accept('>') || fail("expected '>'");
    }
    if (accept('[')) {
      result.kind = Value::Kind::List;
      if (accept(']'))
        return true;
      do
        if (!value(result.list.emplace_back(), depth + 1))
          return false;
      while (accept(','));
      return accept(']') || fail("expected ']'");
    }
    std::string token = word();
    if (token.empty())
      return fail("expected a value");
    result.name = token;
    if (std::all_of(token.begin(), token.end(), [](char c) { return std::isdigit(uint8_t(c)); })) {
      if (token.size() > 9)
        return fail("number too large");
      result.kind = Value::Kind::Number;
      result.number = std::stoll(token);
    }
    return true;
  }

private:
  std::string_view text;
  std::string *error;
  size_t at = 0;
};

using Ints = std::vector<int32_t>;

/// Reads parameters and remembers the first fault.
class Parameters {
public:
  Parameters(const Value &value, std::string *error) : value(value), error(error) {}

  std::nullopt_t fail(const std::string &message) {
    if (error && fine)
      *error = "'" + value.name + "': " + message;
    fine = false;
    return std::nullopt;
  }
  const Value *get(const std::string &key) {
    auto it = value.parameters.find(key);
    return it == value.parameters.end() ? nullptr : &it->second;
  }
  int32_t number(const std::string &key, std::optional<int32_t> otherwise = {}) {
    const Value *v = get(key);
    if (v && v->kind == Value::Kind::Number)
      return int32_t(v->number);
    if (!v && otherwise)
      return *otherwise;
    fail("expects a number '" + key + "'");
    return 1;
  }
  bool flag(const std::string &key) {
    const Value *v = get(key);
    return v && v->name == "true";
  }
  Ints numbers(const std::string &key) {
    const Value *v = get(key);
    Ints result;
    if (!v || v->kind != Value::Kind::List) {
      fail("expects a list '" + key + "'");
      return result;
    }
    for (const Value &element : v->list) {
      if (element.kind != Value::Kind::Number)
        fail("expects numbers in '" + key + "'");
      result.push_back(int32_t(element.number));
    }
    return result;
  }
  /// One power of two for each dimension.
  Ints powers(const std::string &key, size_t rank) {
    Ints result = numbers(key);
    if (fine && result.size() != rank)
      fail("expects " + std::to_string(rank) + " numbers in '" + key + "', one for each dimension of the tile");
    for (int32_t v : result)
      if (v < 1 || !std::has_single_bit(uint32_t(v)) || v > 1 << 20)
        fail("expects powers of two in '" + key + "', got " + std::to_string(v));
    return result;
  }
  Ints order(size_t rank) {
    Ints result = numbers("order"), sorted = result;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] != int32_t(i))
        fail("expects a permutation as 'order'");
    if (result.size() != rank)
      fail("expects " + std::to_string(rank) + " numbers in 'order', one for each dimension of the tile");
    return result;
  }
  /// [[0, 1], ...]: coordinates per bit.
  LinearLayout::InDim bases(const std::string &key, std::string_view in, size_t rank, bool optional = false) {
    LinearLayout::InDim result{in, {}};
    const Value *v = get(key);
    if (!v && optional)
      return result;
    if (!v || v->kind != Value::Kind::List) {
      fail("expects lists of coordinates '" + key + "'");
      return result;
    }
    for (const Value &basis : v->list) {
      std::vector<int32_t> coordinates;
      for (const Value &c : basis.list)
        coordinates.push_back(int32_t(c.number));
      if (coordinates.size() != rank)
        fail("expects " + std::to_string(rank) + " coordinates per basis");
      result.bases.push_back(coordinates);
    }
    return result;
  }

  bool fine = true;

private:
  const Value &value;
  std::string *error;
};
} // namespace

static LinearLayout::InDim input(std::string_view name) { return {std::string(name), {}}; }

/// Adds bits that count `extent` along dimension `dim` from `from` on. Beyond the tile they wrap: a register is left
/// out, a lane or warp holds a copy.
static void count(LinearLayout::InDim &in, const Ints &shape, size_t dim, int32_t from, int32_t extent) {
  for (int32_t step = from; step < from * extent; step *= 2) {
    std::vector<int32_t> basis(shape.size());
    basis[dim] = step < shape[dim] ? step : 0;
    if (step < shape[dim] || in.name != kRegister)
      in.bases.push_back(basis);
  }
}

/// Fragments of tensor cores: PTX ISA, "Matrix fragments". version 2 is mma.sync, 3 is wgmma; `operand` is 0 or 1 for a
/// left or right operand with `width` neighbours along K in a register, 2 for the accumulator.
static std::optional<LinearLayout> fragments(Parameters &mma, const Ints &shape, int operand, int32_t width) {
  if (shape.size() != 2)
    return mma.fail("expects a tile of two dimensions");
  int32_t version = mma.number("versionMajor");
  Ints warps = mma.powers("warpsPerCTA", 2);
  if (!mma.fine)
    return std::nullopt;
  if (version != 2 && version != 3)
    return mma.fail("expects versionMajor 2 or 3, got " + std::to_string(version));
  LinearLayout::InDim reg = input(kRegister), lane = input(kLane), warp = input(kWarp);
  int32_t reached[2] = {16, 8};
  if (operand == 2) {
    Ints instruction = mma.numbers("instrShape");
    if (instruction.size() < 2)
      return mma.fail("expects two or three numbers in 'instrShape'");
    int32_t n = version == 3 ? instruction[instruction.size() == 3 ? 1 : 1] : 8;
    if (n < 8 || n > 256 || !std::has_single_bit(uint32_t(n)))
      return mma.fail("expects a power of two of 8 to 256 columns in 'instrShape', got " + std::to_string(n));
    count(reg, shape, 1, 1, 2);
    count(reg, shape, 0, 8, 2);
    count(reg, shape, 1, 8, n / 8);
    count(lane, shape, 1, 2, 4);
    count(lane, shape, 0, 1, 8);
    reached[1] = n;
  } else {
    if (width < 1 || !std::has_single_bit(uint32_t(width)) || width > 16)
      return mma.fail("expects a power of two as 'kWidth'");
    size_t k = operand == 0 ? 1 : 0, other = 1 - k;
    count(reg, shape, k, 1, width);
    count(lane, shape, k, width, 4);
    count(lane, shape, other, 1, 8);
    if (operand == 0)
      count(reg, shape, other, 8, 2);
    count(reg, shape, k, 4 * width, 2);
    reached[k] = 8 * width;
    reached[other] = operand == 0 ? 16 : 8;
  }
  // Warps: row-major with mma.sync, along rows first with wgmma. Those along K hold copies.
  Ints sequence = version == 3 ? Ints{0, 1} : Ints{1, 0};
  for (int32_t dim : sequence) {
    bool along = operand == 2 || (operand == 0) == (dim == 0);
    for (int32_t step = 1; step < warps[size_t(dim)]; step *= 2) {
      if (!along) {
        warp.bases.push_back({0, 0});
        continue;
      }
      count(warp, shape, size_t(dim), reached[dim], 2);
      reached[dim] *= 2;
    }
  }
  for (int32_t dim : {1, 0})
    if (reached[dim] < shape[size_t(dim)])
      count(reg, shape, size_t(dim), reached[dim], shape[size_t(dim)] / reached[dim]);
  return LinearLayout({reg, lane, warp, input(kBlock)}, shape);
}

static std::optional<AnyLayout> distributed(std::optional<LinearLayout> layout, Parameters &p) {
  if (!layout || !p.fine)
    return std::nullopt;
  if (!layout->isSurjective())
    return p.fail("the layout does not cover the tile");
  AnyLayout result;
  result.kind = AnyLayout::Kind::Distributed;
  result.linear = *layout;
  return result;
}

static std::optional<AnyLayout> shared(std::optional<LinearLayout> layout, Parameters &p, int elementBits = 0) {
  if (!layout || !p.fine)
    return std::nullopt;
  if (!layout->isPermutation())
    return p.fail("a shared layout has one place for each element");
  AnyLayout result;
  result.kind = AnyLayout::Kind::Shared;
  result.linear = *layout;
  result.elementBits = elementBits;
  return result;
}

static std::optional<AnyLayout> interpret(const Value &value, const Ints &shape, std::string *error) {
  std::string name = value.name.substr(value.name.find('.') + 1);
  bool triton = value.name.starts_with("ttg.") || value.name.starts_with("triton_gpu.");
  Parameters p(value, error);
  size_t rank = shape.size();
  if (rank == 0 && (name != "linear" && name != "shared"))
    return p.fail("does not name its tile: its shape is needed (--shape)");
  if (name == "blocked") {
    Ints size = p.powers(triton ? "sizePerThread" : "size_per_thread", rank);
    Ints threads = p.powers(triton ? "threadsPerWarp" : "threads_per_warp", rank);
    Ints warps = p.powers(triton ? "warpsPerCTA" : "warps_per_cta", rank);
    Ints order = p.order(rank);
    if (!p.fine)
      return std::nullopt;
    int64_t lanes = 1, all = 1;
    for (size_t d = 0; d < rank; ++d) {
      lanes *= threads[d];
      all *= int64_t(warps[d]) * size[d];
    }
    if (lanes != 32 || all > 1 << 16)
      return p.fail("expects 32 threads per warp and no more than 65536 registers times warps");
    return distributed(blockedLayout(shape, size, threads, warps, order), p);
  }
  if (name == "linear" || (name == "shared" && p.get("offset")) || name == "shared_linear") {
    bool memory = name != "linear";
    std::vector<LinearLayout::InDim> ins;
    size_t of = rank;
    if (const Value *r = p.get("rank"))
      of = size_t(r->number);
    else
      for (const char *key : {"register", "lane", "warp", "offset"})
        if (const Value *list = p.get(key); list && of == 0 && !list->list.empty())
          of = list->list[0].list.size();
    if (memory)
      ins.push_back(p.bases("offset", kOffset, of));
    else
      for (DimName in : {kRegister, kLane, kWarp, kBlock})
        ins.push_back(p.bases(std::string(in), in, of, in == kBlock));
    if (!p.fine)
      return std::nullopt;
    Ints extents = shape;
    if (extents.empty()) {
      extents.assign(of, 1);
      for (const LinearLayout::InDim &in : ins)
        for (const std::vector<int32_t> &basis : in.bases)
          for (size_t d = 0; d < of; ++d)
            while (extents[d] <= basis[d] && extents[d] < 1 << 24)
              extents[d] *= 2;
    }
    if (extents.size() != of)
      return p.fail("layout has rank " + std::to_string(of) + ", the tile " + std::to_string(extents.size()));
    std::vector<LinearLayout::OutDim> outs;
    for (size_t d = 0; d < of; ++d)
      outs.push_back({dimName(int(d)), extents[d]});
    std::string why;
    std::optional<LinearLayout> layout = LinearLayout::create(ins, outs, &why);
    if (!layout)
      return p.fail(why);
    return memory ? shared(layout, p) : distributed(layout, p);
  }
  if (name == "nvidia_mma")
    return distributed(fragments(p, shape, 2, 0), p);
  if (name == "dot_op") {
    const Value *parent = p.get("parent");
    int32_t operand = p.number("opIdx");
    if (!p.fine)
      return std::nullopt;
    if (!parent || !parent->name.ends_with("nvidia_mma") || operand < 0 || operand > 1)
      return p.fail("expects opIdx 0 or 1 and an nvidia_mma as 'parent'");
    Parameters mma(*parent, error);
    std::optional<LinearLayout> layout = fragments(mma, shape, operand, p.number("kWidth", 2));
    return layout && mma.fine ? distributed(layout, p) : std::nullopt;
  }
  if (name == "swizzled_shared" || name == "shared") {
    int32_t vec = p.number("vec"), perPhase = p.number("perPhase"), maxPhase = p.number("maxPhase");
    Ints order = p.order(rank);
    for (int32_t v : {vec, perPhase, maxPhase})
      if (p.fine && (v < 1 || !std::has_single_bit(uint32_t(v))))
        return p.fail("expects powers of two");
    if (!p.fine)
      return std::nullopt;
    if (rank < 2 && maxPhase > 1)
      return p.fail("a tile of one dimension has no phases");
    Swizzle swizzle;
    if (maxPhase > 1) {
      int inner = std::countr_zero(uint32_t(shape[size_t(order[0])]));
      swizzle.bits = std::countr_zero(uint32_t(maxPhase));
      swizzle.base = std::countr_zero(uint32_t(vec));
      swizzle.shift = inner + std::countr_zero(uint32_t(perPhase)) - swizzle.base;
      if (!swizzle.isValid() || swizzle.base + swizzle.bits > inner)
        return p.fail("the phases do not fit into a row of " + std::to_string(shape[size_t(order[0])]) + " elements");
    }
    return shared(sharedLayout(shape, order, swizzle), p);
  }
  if (name == "nvmma_shared") {
    int32_t width = p.number("swizzlingByteWidth"), bits = p.number("elementBitWidth");
    if (!p.fine)
      return std::nullopt;
    if (width != 0 && width != 32 && width != 64 && width != 128)
      return p.fail("expects a swizzle of 0, 32, 64 or 128 bytes, got " + std::to_string(width));
    if (bits != 8 && bits != 16 && bits != 32)
      return p.fail("expects elements of 8, 16 or 32 bits, got " + std::to_string(bits));
    Ints order = rowMajorOrder(int(rank));
    if (p.flag("transposed"))
      std::reverse(order.begin(), order.end());
    int32_t panel = width * 8 / bits;
    if (width && shape[size_t(order[0])] < panel)
      return p.fail("rows are narrower than the swizzle");
    return shared(sharedLayout(shape, order, Swizzle::hardware(width, bits / 8),
                               width && panel < shape[size_t(order[0])] ? panel : 0),
                  p, bits);
  }
  return p.fail("no layout of this name is known");
}

std::optional<AnyLayout> parseAnyLayout(std::string_view text, const std::vector<int32_t> &shape, std::string *error) {
  int64_t elements = 1;
  for (int32_t extent : shape) {
    if (extent < 1 || !std::has_single_bit(uint32_t(extent)) || (elements *= extent) > 1 << 24) {
      if (error)
        *error = "extents of a tile are powers of two, 2^24 elements at most";
      return std::nullopt;
    }
  }
  size_t start = text.find_first_not_of(" \t\n");
  if (start != std::string_view::npos && text[start] == '#') {
    ValueReader reader(text, error);
    Value value;
    if (!reader.value(value))
      return std::nullopt;
    if (!reader.atEnd()) {
      reader.fail("unexpected text after the layout");
      return std::nullopt;
    }
    return interpret(value, shape, error);
  }
  std::optional<ComposedLayout> layout = parseLayout(text, error);
  if (!layout)
    return std::nullopt;
  if (!layout->layout.isStatic() || !layout->offset.isStatic()) {
    if (error)
      *error = "a picture needs numbers, not ?";
    return std::nullopt;
  }
  AnyLayout result;
  result.function = *layout;
  return result;
}

} // namespace tileiras::cute
