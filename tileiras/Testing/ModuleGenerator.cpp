//===- ModuleGenerator.cpp - Random cuda_tile modules: choices and frame --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>
#include <cstdio>

using namespace tileiras;
using namespace tileiras::generator;

std::string generator::join(const std::vector<std::string> &words, const char *separator) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string generator::dims(const Shape &shape, const char *separator) {
  std::vector<std::string> words;
  for (int64_t extent : shape)
    words.push_back(std::to_string(extent));
  return join(words, separator);
}

std::string TileTy::str() const { return "tile<" + dims(shape) + (shape.empty() ? "" : "x") + element + ">"; }

/// splitmix64
uint64_t Generator::random() {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

void Generator::line(const std::string &words) { text += indent + words + "\n"; }

Value Generator::define(const TileTy &type, const std::string &operation, int64_t below) {
  Value value{fresh(), type, below};
  line(value.name + " = " + operation);
  pool.push_back(value);
  return value;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

namespace {
unsigned intWidth(const std::string &element) { return std::stoul(element.substr(1)); }

std::string hex(uint64_t bits, unsigned digits) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%0*llX", static_cast<int>(digits), static_cast<unsigned long long>(bits));
  return buffer;
}
} // namespace

std::string Generator::literal(const std::string &element) {
  if (element == "i1")
    return word({"true", "false"});
  if (element[0] == 'i') {
    unsigned width = intWidth(element);
    int64_t min = width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1)), max = ~min;
    switch (below(6)) {
    case 0:
      return std::to_string(min);
    case 1:
      return std::to_string(max);
    case 2: // any bits
      return std::to_string(static_cast<int64_t>(random()) >> (64 - width));
    default:
      return std::to_string(below(20) - 8);
    }
  }
  if (element == "f8E8M0FNU")
    return word({"0.5", "1.0", "2.0", "4.0"});
  if (element == "f4E2M1FN")
    return word({"0.0", "0.5", "1.0", "-1.5", "2.0", "-3.0", "4.0", "-6.0"});
  struct Format {
    const char *name;
    unsigned digits;
    uint64_t infinity, nan, least; ///< least: the smallest subnormal is 1, this is the smallest normal number
  };
  static constexpr Format formats[] = {{"f16", 4, 0x7C00, 0x7E00, 0x0400},
                                       {"bf16", 4, 0x7F80, 0x7FC0, 0x0080},
                                       {"f32", 8, 0x7F800000, 0x7FC00000, 0x00800000},
                                       {"f64", 16, 0x7FF0000000000000, 0x7FF8000000000000, 0x0010000000000000},
                                       {"f8E5M2", 2, 0x7C, 0x7E, 0x04}};
  const Format *format =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format &f) { return element == f.name; });
  if (format != std::end(formats) && chance(20)) {
    uint64_t minus = uint64_t(1) << (format->digits * 4 - 1);
    uint64_t bits = 0;
    switch (below(7)) {
    case 0:
      bits = format->infinity;
      break;
    case 1:
      return hex(format->nan, format->digits);
    case 2:
      bits = 1;
      break;
    case 3:
      bits = format->least;
      break;
    case 4:
      bits = format->infinity - 1; // the largest number
      break;
    case 5: // any bits, but NaNs with other bits only if nobody minds
      bits = random() & (minus - 1);
      if (options.exact && bits > format->infinity)
        bits = format->infinity - 1;
      break;
    default: // zero
      break;
    }
    return hex(bits | (chance(50) ? minus : 0), format->digits);
  }
  bool isBase = element == "f16" || element == "bf16" || element == "f32" || element == "f64";
  if (isBase && chance(40)) // what has no short binary form: results are rounded
    return word({"0.1", "-0.3", "3.14159", "-1000.7", "0.0123", "7.7", "-0.999"});
  return word({"0.0", "1.0", "-1.0", "0.5", "-2.0", "1.5", "3.0", "-0.25", "6.0", "-7.5", "0.75", "12.0"});
}

Value Generator::splat(const TileTy &type, const std::string &literal) {
  return define(type, "constant <" + type.element + ": " + literal + "> : " + type.str());
}

Value Generator::constant(const TileTy &type) {
  if (type.element == "i4" || type.element[0] == 'p')
    return made(type);
  if (options.parameters && !type.shape.empty() && chance(70) && isPlain(type.element))
    return varied(type);
  if (type.shape.empty() || countOf(type.shape) > 64 || chance(30))
    return splat(type, literal(type.element));
  std::vector<std::string> parts;
  for (int64_t i = countOf(type.shape); i > 0; --i)
    parts.push_back(literal(type.element));
  return splat(type, nested(std::move(parts), type.shape));
}

/// Nested lists, from the innermost dimension outwards.
std::string Generator::nested(std::vector<std::string> parts, const Shape &shape) {
  for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
    std::vector<std::string> outer;
    for (size_t i = 0; i < parts.size(); i += *extent)
      outer.push_back("[" + join({parts.begin() + i, parts.begin() + i + *extent}) + "]");
    parts = std::move(outer);
  }
  return parts.front();
}

Value Generator::operand(const TileTy &type) {
  std::vector<Value> found;
  for (const Value &value : pool)
    if (value.type == type)
      found.push_back(value);
  if (found.empty() || chance(10))
    return constant(type);
  // The youngest first: what nobody uses is not compiled.
  int64_t count = found.size();
  return chance(55) ? found[count - 1 - below(std::min<int64_t>(count, 3))] : pick(found);
}

Value Generator::index(int64_t limit, const std::string &element) {
  std::vector<Value> found;
  for (const Value &value : pool)
    if (value.below > 0 && value.below <= limit && value.type == TileTy{element, {}})
      found.push_back(value);
  if (!found.empty() && chance(60))
    return pick(found);
  int64_t number = below(limit);
  Value value = splat({element, {}}, std::to_string(number));
  pool.back().below = number + 1;
  return value;
}

Value Generator::mask(const Value &value, int64_t bits) {
  Value ones = splat(value.type, value.type.element != "i1" ? std::to_string(bits) : bits & 1 ? "true" : "false");
  return define(value.type, "andi " + value.name + ", " + ones.name + " : " + value.type.str());
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

Shape Generator::reshaped(int64_t count) {
  Shape shape(below(options.maxRank > 3 && chance(30) ? options.maxRank + 1 : std::min(options.maxRank, 3u) + 1), 1);
  if (shape.empty() && count > 1)
    shape.push_back(1);
  for (; count > 1; count /= 2)
    shape[below(shape.size())] *= 2;
  return shape;
}

GeneratedModule Generator::run() {
  shapes.push_back({});
  for (int i = 0; i < 4; ++i) {
    int64_t count = 1;
    bool largest = i == 0 && options.parameters && chance(50); // each doubling by chance rarely gets that far
    while (count * 2 <= options.maxElements && (largest || chance(80)))
      count *= 2;
    shapes.push_back(reshaped(count));
  }

  for (int64_t i = below(3); i > 0; --i) {
    // Numbers whose spelling as an argument is that of the constant.
    std::string element = anyElement({}), name = "s" + std::to_string(i), number = "1.5";
    if (element == "i1" || element == "i4")
      number = std::to_string(below(2));
    else if (element[0] == 'i')
      number = std::to_string(below(100));
    else if (element[0] == 'p')
      number = std::to_string(below(100) * 16);
    else if (element == "f8E8M0FNU")
      number = "2";
    arguments.push_back(name + ":" + (element[0] == 'p' ? "ptr" : element) + "=" + number);
    parameters.push_back("%" + name + ": tile<" + element + ">");
    pool.push_back({"%" + name, {element, {}}});
  }
  makeGrid();
  for (int64_t i = has(Options::Globals) && chance(50) ? 1 + below(2) : 0; i > 0; --i)
    addGlobal();
  if (has(Options::Locals) && version(3) && chance(40))
    addLocal();

  if (options.parameters) { // numbers that nobody can fold
    for (int64_t i = below(3); i > 0 && has(Options::Pointers); --i)
      load();
    if (options.maxBlocks > 1 && has(Options::Views))
      gridLoad();
  }
  body(options.numOperations);

  // What was computed leaves the kernel: the youngest values of every kind.
  std::vector<std::string> seen;
  std::vector<Value> values(pool.rbegin(), pool.rend());
  for (const Value &value : values) {
    std::string kind = value.type.str(), element = value.type.element;
    bool known = std::find(seen.begin(), seen.end(), kind) != seen.end();
    if (known || seen.size() >= 8)
      continue;
    seen.push_back(kind);
    Value stored = value;
    if (element[0] == 'p' || element == "i4") { // memory does not hold these
      TileTy number = value.type.with(element[0] == 'p' ? "i64" : "i8");
      stored = define(number, (element[0] == 'p' ? "ptr_to_int " + value.name : "exti " + value.name + " signed") +
                                  " : " + value.type.str() + " -> " + number.str());
    }
    storeTo(addBuffer(stored.type.element, countOf(stored.type.shape), /*output=*/true), stored);
  }
  if (options.parameters && has(Options::Conversions) && has(Options::Pointers) && has(Options::Floats) && chance(80))
    digest();
  if (options.maxBlocks > 1 && has(Options::Views) && grid[2] == 1)
    gridTile(/*isStore=*/true);

  GeneratedModule module;
  module.entry = "kernel";
  // Bytecode does not keep the name of a module: readers call it so.
  module.arguments = arguments;
  module.grid = grid;
  initTokens.push_back("%tok0");
  if (options.parameters && has(Options::Pointers) && has(Options::Floats) && chance(12))
    extraEntry();
  module.text = "cuda_tile.module @kernels " +
                std::string(version(3) && chance(10) ? "attributes {producer = \"generator\"} " : "") + "{\n" +
                globals + "  entry @kernel(" + join(parameters) + ")" + entryHints();
  module.text += " {\n    %tok0 = make_token : token\n" + prologue +
                 "    %tok = " + (initTokens.size() > 1 ? "join_tokens " + join(initTokens) : "make_token") +
                 " : token\n" + text + "    return\n  }\n}\n";
  return module;
}

GeneratedModule tileiras::generateModule(const GeneratorOptions &options) { return Generator(options).run(); }
