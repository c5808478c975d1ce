//===- LaunchArgs.cpp - Kernel arguments as text -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/LaunchArgs.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <optional>

using namespace tileiras;

namespace {

/// Arrays larger than this are a typing error rather than a test.
constexpr int64_t kMaxArrayBytes = int64_t(1) << 34;

std::optional<int64_t> parseInteger(std::string_view text) {
  std::string copy(text);
  char *end = nullptr;
  errno = 0;
  if (copy.empty() || copy[0] == ' ')
    return std::nullopt;
  // Both -1 and 0xFFFFFFFFFFFFFFFF are good 64-bit patterns.
  int64_t value =
      copy[0] == '-' ? int64_t(std::strtoll(copy.c_str(), &end, 0)) : int64_t(std::strtoull(copy.c_str(), &end, 0));
  if (*end || errno)
    return std::nullopt;
  return value;
}

std::optional<double> parseNumber(std::string_view text) {
  std::string copy(text);
  char *end = nullptr;
  if (copy.empty() || copy[0] == ' ')
    return std::nullopt;
  double value = std::strtod(copy.c_str(), &end);
  if (*end)
    return std::nullopt;
  return value;
}

bool consume(std::string_view &text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix)
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool endsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

/// The text up to the next `separator` that is not inside brackets.
std::string_view takePart(std::string_view &text, char separator) {
  int depth = 0;
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{')
      ++depth;
    else if (text[i] == ')' || text[i] == ']' || text[i] == '}')
      --depth;
    else if (text[i] == separator && depth == 0)
      break;
  }
  std::string_view part = text.substr(0, i);
  text.remove_prefix(std::min(i + 1, text.size()));
  return part;
}

bool parseDims(std::string_view text, std::vector<int64_t> &dims) {
  while (!text.empty()) {
    std::optional<int64_t> dim = parseInteger(takePart(text, 'x'));
    if (!dim || *dim < 0 || *dim > (int64_t(1) << 40))
      return false;
    dims.push_back(*dim);
  }
  return true;
}

class ArgParser {
public:
  ArgParser(std::string_view spec, const ArgDefaults &defaults, LaunchRequest &request, std::string &error)
      : spec(spec), defaults(defaults), request(request), error(error) {}

  bool parse();

private:
  bool fail(const std::string &why) {
    error = "argument '" + std::string(spec) + "': " + why;
    return false;
  }
  bool parseScalar(std::string_view value);
  bool parseList(std::string_view names);
  bool parseOptions(std::string_view options);
  bool parseFill(std::string_view text);
  bool parseFillArguments(std::string_view text, const char *loKey, const char *hiKey);
  bool buildArray();
  bool initialise(std::string_view init);
  void pass();

  std::string_view spec;
  const ArgDefaults &defaults;
  LaunchRequest &request;
  std::string &error;

  std::string name;
  DType type = DType::F32;
  bool isOutput = false;
  std::optional<std::vector<int64_t>> shape, strides;
  int64_t byteOffset = 0;
  PassMode passMode = PassMode::Pointer;
  FillSpec fillSpec;
  Buffer buffer;
};

bool ArgParser::parse() {
  std::string_view rest = spec;
  isOutput = consume(rest, "out:");
  passMode = defaults.pass;

  // [NAME:] TYPE, up to the first bracket or '='.
  size_t stop = std::min(rest.find_first_of("[{="), rest.size());
  std::string_view head = rest.substr(0, stop);
  rest.remove_prefix(stop);
  if (size_t colon = head.find(':'); colon != std::string_view::npos) {
    name = std::string(head.substr(0, colon));
    head.remove_prefix(colon + 1);
    if (name.empty())
      return fail("the name is empty");
    for (const Buffer &other : request.buffers)
      if (other.name == name)
        return fail("there is already an array '" + name + "'");
  }
  if (head == "map" && rest.substr(0, 1) == "=") {
    std::string why;
    return parseTensorMapArg(rest.substr(1), name, request, why) || fail(why);
  }
  if (head == "list" && rest.substr(0, 1) == "=")
    return parseList(rest.substr(1));
  if (head == "ptr") {
    type = DType::I64;
  } else if (std::optional<DType> parsed = parseDType(head)) {
    type = *parsed;
  } else {
    std::string known;
    for (unsigned i = 0; i < kNumDTypes; ++i)
      known += (i ? " " : "") + std::string(dtypeName(DType(i)));
    return fail("unknown type '" + std::string(head) + "' (known: " + known + ")");
  }

  if (!rest.empty() && rest[0] == '[') {
    size_t close = rest.find(']');
    shape.emplace();
    if (close == std::string_view::npos || !parseDims(rest.substr(1, close - 1), *shape))
      return fail("bad shape, expected for example [128x64]");
    rest.remove_prefix(close + 1);
  }
  if (!rest.empty() && rest[0] == '{') {
    size_t close = rest.find('}');
    if (close == std::string_view::npos)
      return fail("missing '}'");
    if (!parseOptions(rest.substr(1, close - 1)))
      return false;
    rest.remove_prefix(close + 1);
  }
  if (!rest.empty() && rest[0] != '=')
    return fail("expected '=' before '" + std::string(rest) + "'");
  bool hasInit = consume(rest, "=");

  if (!shape && !endsWith(rest, ".npy"))
    return hasInit ? parseScalar(rest) : fail("a scalar needs a value, an array needs a shape");
  if (head == "ptr")
    return fail("an array needs an element type");
  if (name.empty())
    name = "arg" + std::to_string(request.args.size());
  if (!hasInit)
    rest = isOutput ? "poison" : "random";
  if (!initialise(rest))
    return false;
  pass();
  return true;
}

bool ArgParser::parseScalar(std::string_view value) {
  if (isOutput)
    return fail("a scalar cannot be an output");
  KernelArg arg;
  arg.type = type;
  if (isFloat(type)) {
    std::optional<double> number = parseNumber(value);
    if (!number)
      return fail("'" + std::string(value) + "' is not a number");
    arg.bits = encodeFloat(type, *number);
  } else if (type == DType::I1 && (value == "true" || value == "false")) {
    arg.bits = value == "true";
  } else {
    std::optional<int64_t> number = parseInteger(value);
    if (!number)
      return fail("'" + std::string(value) + "' is not an integer");
    unsigned width = bitWidth(type);
    bool fits = width == 64 || maskBits(uint64_t(*number), width) == uint64_t(*number) ||
                signExtend(uint64_t(*number), width) == *number;
    if (!fits)
      return fail("'" + std::string(value) + "' does not fit in " + std::string(dtypeName(type)));
    arg.bits = maskBits(uint64_t(*number), width);
  }
  request.args.push_back(arg);
  return true;
}

/// cuTile's convention: 64-bit words (address, extents, strides) of every array, and their number.
bool ArgParser::parseList(std::string_view names) {
  std::vector<uint64_t> words;
  int count = 0;
  while (!names.empty()) {
    std::string_view wanted = takePart(names, ',');
    const Buffer *found = nullptr;
    for (const Buffer &other : request.buffers)
      if (other.name == wanted)
        found = &other;
    if (!found)
      return fail("no array '" + std::string(wanted) + "' before the list");
    buffer.relocations.push_back({words.size() * 8, int(found - request.buffers.data())});
    words.push_back(0);
    for (const std::vector<int64_t> *list : {&found->array.shape, &found->array.strides})
      words.insert(words.end(), list->begin(), list->end());
    ++count;
  }
  if (name.empty())
    name = "arg" + std::to_string(request.args.size());
  buffer.name = name;
  buffer.array = Array::dense(DType::I64, {int64_t(words.size())});
  for (size_t i = 0; i < words.size(); ++i)
    buffer.array.setAtOffset(int64_t(i), words[i]);
  passMode = PassMode::Pointer;
  pass();
  request.args.push_back({-1, DType::I32, uint64_t(count), -1});
  return true;
}

bool ArgParser::parseOptions(std::string_view options) {
  while (!options.empty()) {
    std::string_view option = takePart(options, ',');
    size_t equals = option.find('=');
    std::string_view key = option.substr(0, equals);
    std::string_view value = equals == std::string_view::npos ? "" : option.substr(equals + 1);
    std::optional<int64_t> number = parseInteger(value);
    if (key == "strides") {
      strides.emplace();
      if (!parseDims(value, *strides))
        return fail("bad strides, expected for example strides=400x1");
    } else if (key == "offset") {
      if (!number || *number < 0 || *number > (1 << 30))
        return fail("bad offset");
      byteOffset = *number;
    } else if (key == "align") {
      if (!number || *number < 1 || *number > (1 << 20) || (*number & (*number - 1)))
        return fail("align must be a power of two");
      buffer.alignment = uint64_t(*number);
    } else if (key == "pass") {
      if (!parsePassMode(value, passMode))
        return fail("pass must be ptr, array, array64 or none");
    } else if (key == "expect") {
      buffer.expectFile = std::string(value);
    } else if (key == "tol") {
      std::string why, text(value);
      std::replace(text.begin(), text.end(), '/', ','); // a comma would end the option
      if (!Tolerance::parse(text, buffer.tolerance, why))
        return fail(why);
      buffer.hasTolerance = true;
    } else {
      return fail("unknown option '" + std::string(key) + "' (known: strides offset align pass tol expect)");
    }
  }
  return true;
}

bool ArgParser::parseFillArguments(std::string_view text, const char *loKey, const char *hiKey) {
  if (text.empty())
    return true;
  if (!consume(text, "(") || !endsWith(text, ")"))
    return fail("expected '(...)' after the kind of initialisation");
  text.remove_suffix(1);
  while (!text.empty()) {
    std::string_view part = takePart(text, ',');
    size_t equals = part.find('=');
    std::string_view key = part.substr(0, equals);
    std::optional<double> number;
    if (equals != std::string_view::npos)
      number = parseNumber(part.substr(equals + 1));
    if (!number || !std::isfinite(*number))
      return fail("bad value in '" + std::string(part) + "'");
    if (key == loKey || key == hiKey) {
      (key == loKey ? fillSpec.lo : fillSpec.hi) = *number;
      fillSpec.hasBounds = true;
    } else if (key == "seed") {
      fillSpec.seed = uint64_t(*number);
    } else {
      return fail("unknown parameter '" + std::string(key) + "'");
    }
  }
  bool whole = fillSpec.kind == FillSpec::Kind::Integers;
  if ((fillSpec.kind == FillSpec::Kind::Uniform && fillSpec.hasBounds) || whole) {
    if (fillSpec.hi < fillSpec.lo || (whole && std::floor(fillSpec.hi) < std::ceil(fillSpec.lo)))
      return fail("hi is less than lo");
    if ((isInteger(type) || whole) && (std::fabs(fillSpec.lo) > 0x1p62 || std::fabs(fillSpec.hi) > 0x1p62))
      return fail("bounds are too large");
  }
  return true;
}

bool ArgParser::parseFill(std::string_view text) {
  using Kind = FillSpec::Kind;
  fillSpec.seed = defaults.seed + request.buffers.size();
  static const std::pair<std::string_view, Kind> kinds[] = {
      {"zeros", Kind::Zeros},    {"ones", Kind::Ones},       {"iota", Kind::Iota},
      {"poison", Kind::Poison},  {"special", Kind::Special}, {"bits", Kind::Bits},
      {"random", Kind::Uniform}, {"normal", Kind::Normal},   {"integers", Kind::Integers}};
  std::string_view word = text.substr(0, text.find('('));
  for (auto [keyword, kind] : kinds) {
    if (word != keyword)
      continue;
    fillSpec.kind = kind;
    bool normal = kind == Kind::Normal;
    if (normal) {
      fillSpec.lo = 0;
      fillSpec.hi = 1;
    } else if (kind == Kind::Integers) {
      fillSpec.lo = -4;
      fillSpec.hi = 4;
    } else if (kind == Kind::Uniform) {
      fillSpec.lo = isFloat(type) ? -1 : 0;
    }
    return parseFillArguments(text.substr(word.size()), normal ? "mean" : "lo", normal ? "std" : "hi");
  }
  std::optional<double> number = parseNumber(text);
  if (!number)
    return fail("unknown initialisation '" + std::string(text) +
                "' (known: zeros ones iota poison special bits random normal integers, a number, FILE.npy)");
  fillSpec.kind = Kind::Value;
  fillSpec.lo = *number;
  return true;
}

bool ArgParser::buildArray() {
  std::vector<int64_t> steps = strides ? *strides : Array::rowMajorStrides(*shape);
  if (steps.size() != shape->size())
    return fail("needs one stride per dimension");
  int64_t extent = 1;
  for (size_t i = 0; i < shape->size(); ++i) {
    int64_t span;
    if (__builtin_mul_overflow((*shape)[i], std::max<int64_t>(steps[i], 1), &span) ||
        __builtin_add_overflow(extent, span, &extent) || extent > kMaxArrayBytes)
      return fail("the array is too large");
  }
  buffer.array = Array::strided(type, *shape, steps, byteOffset);
  return true;
}

bool ArgParser::initialise(std::string_view init) {
  buffer.name = name;
  if (endsWith(init, ".npy")) {
    Array file;
    std::string why;
    if (!readNpy(std::string(init), type, file, why))
      return fail(why);
    if (shape && *shape != file.shape)
      return fail("the file has another shape");
    shape = file.shape;
    if (!buildArray())
      return false;
    fill(buffer.array, {FillSpec::Kind::Poison});
    buffer.array.forEach(
        [&](const std::vector<int64_t> &index, int64_t offset) { buffer.array.setAtOffset(offset, file.get(index)); });
    return true;
  }
  if (!parseFill(init) || !buildArray())
    return false;
  fill(buffer.array, {FillSpec::Kind::Poison}); // gaps between elements stay poisoned
  if (fillSpec.kind == FillSpec::Kind::Poison)
    buffer.poison = true;
  else
    fill(buffer.array, fillSpec);
  return true;
}

void ArgParser::pass() {
  KernelArg pointer;
  pointer.buffer = int(request.buffers.size());
  if (passMode != PassMode::None)
    request.args.push_back(pointer);
  if (passMode == PassMode::Array || passMode == PassMode::Array64) {
    DType width = passMode == PassMode::Array ? DType::I32 : DType::I64;
    for (const std::vector<int64_t> *list : {&buffer.array.shape, &buffer.array.strides})
      for (int64_t value : *list)
        request.args.push_back({-1, width, maskBits(uint64_t(value), bitWidth(width)), -1});
  }
  request.buffers.push_back(std::move(buffer));
}

} // namespace

bool tileiras::parsePassMode(std::string_view text, PassMode &mode) {
  if (text == "ptr")
    mode = PassMode::Pointer;
  else if (text == "array")
    mode = PassMode::Array;
  else if (text == "array64")
    mode = PassMode::Array64;
  else if (text == "none")
    mode = PassMode::None;
  else
    return false;
  return true;
}

bool tileiras::parseLaunchArg(std::string_view spec, const ArgDefaults &defaults, LaunchRequest &request,
                              std::string &error) {
  return ArgParser(spec, defaults, request, error).parse();
}

bool tileiras::parseGrid(std::string_view text, Grid &grid, std::string &error) {
  uint32_t *axes[] = {&grid.x, &grid.y, &grid.z};
  std::string_view rest = text;
  for (unsigned i = 0; i < 3 && (i == 0 || !rest.empty()); ++i) {
    size_t stop = std::min(rest.find_first_of("x,"), rest.size());
    std::optional<int64_t> value = parseInteger(rest.substr(0, stop));
    if (!value || *value < 1 || *value > 0x7FFFFFFF) {
      rest = "?";
      break;
    }
    *axes[i] = uint32_t(*value);
    rest.remove_prefix(std::min(stop + 1, rest.size()));
  }
  if (rest.empty())
    return true;
  error = "bad grid '" + std::string(text) + "': expected X, X,Y or X,Y,Z with positive sizes";
  return false;
}
