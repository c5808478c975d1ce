//===- GeneratorArithmetic.cpp - Elementwise, shape and matrix operations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

/// A rounding mode of IEEE arithmetic, with a blank before it; the default is left out or spelled.
std::string Generator::ieeeRounding() {
  if (chance(60))
    return "";
  return " rounding<" + word({"nearest_even", "zero", "negative_inf", "positive_inf"}) + ">";
}

void Generator::floatOperation() {
  TileTy type{anyFloat(), anyShape()};
  bool isF32 = type.element == "f32";
  std::string flush = isF32 && chance(20) ? " flush_to_zero" : "", end = " : " + type.str();
  Value a = operand(type), b = operand(type);
  std::string both = a.name + ", " + b.name;
  switch (below(9)) {
  case 0:
    define(type, word({"absf ", "negf ", "ceil ", "floor "}) + a.name + end);
    return;
  case 1: {
    bool approximate = isF32 && !options.exact && chance(20);
    define(type, "sqrt " + a.name + (approximate ? " rounding<approx>" : ieeeRounding()) + flush + end);
    return;
  }
  case 2:
    define(type, word({"addf ", "subf ", "mulf "}) + both + ieeeRounding() + flush + end);
    return;
  case 3: {
    std::string rounding =
        isF32 && !options.exact && chance(30) ? " rounding<" + word({"approx", "full"}) + ">" : ieeeRounding();
    define(type, "divf " + both + rounding + flush + end);
    return;
  }
  case 4:
    define(type, word({"maxf ", "minf "}) + both + flush + (chance(40) ? " propagate_nan" : "") + end);
    return;
  case 5:
    define(type, "fma " + both + ", " + operand(type).name + ieeeRounding() + flush + end);
    return;
  case 6:
    define(type, "remf " + both + end);
    return;
  case 7: {
    std::string predicate =
        word({"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"});
    TileTy result = type.with("i1");
    define(result, "cmpf " + predicate + " " + word({"ordered ", "unordered "}) + both + end + " -> " + result.str());
    return;
  }
  default: {
    Value condition = operand(type.with("i1"));
    define(type, "select " + condition.name + ", " + both + " : " + condition.type.str() + ", " + type.str());
  }
  }
}

void Generator::mathOperation() {
  TileTy type{anyFloat(), anyShape()};
  bool isF32 = type.element == "f32";
  std::string end = " : " + type.str();
  Value a = operand(type);
  switch (below(5)) {
  case 0:
    define(type, word({"cos ", "sin ", "tan ", "cosh ", "sinh ", "log ", "log2 "}) + a.name + end);
    return;
  case 1: { // older files have no rounding of tanh and exp
    bool isExp = chance(50), approximate = isF32 && version(isExp ? 3 : 2) && chance(40);
    define(type, (isExp ? "exp " : "tanh ") + a.name + (approximate ? " rounding<approx>" : "") + end);
    return;
  }
  case 2:
    define(type, word({"exp2 ", "rsqrt "}) + a.name + (isF32 && chance(30) ? " flush_to_zero" : "") + end);
    return;
  case 3: {
    std::string op = version(2) ? word({"fpowf ", "atan2 "}) : "fpowf ";
    define(type, op + a.name + ", " + operand(type).name + end);
    return;
  }
  default: {
    TileTy exponent = type.with(word({"i8", "i16", "i32"}));
    if (!version(4))
      define(type, "negf " + a.name + end);
    else
      define(type, "fpowi " + a.name + ", " + operand(exponent).name + end + ", " + exponent.str());
  }
  }
}

void Generator::integerOperation() {
  TileTy type{anyInt(true), anyShape()};
  bool isBool = type.element == "i1";
  std::string end = " : " + type.str();
  Value a = operand(type), b = operand(type);
  std::string both = a.name + ", " + b.name;
  switch (below(isBool ? 5 : 9)) {
  case 0:
    define(type, word({"andi ", "ori ", "xori "}) + both + end);
    return;
  case 1: {
    std::string predicate =
        word({"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"});
    TileTy result = type.with("i1");
    define(result, "cmpi " + predicate + " " + both + ", " + sign() + end + " -> " + result.str());
    return;
  }
  case 2: {
    Value condition = operand(type.with("i1"));
    define(type, "select " + condition.name + ", " + both + " : " + condition.type.str() + ", " + type.str());
    return;
  }
  case 3:
    define(type, word({"maxi ", "mini "}) + both + " " + sign() + end);
    return;
  case 4:
    define(type, word({"addi ", "subi ", "muli "}) + both + end);
    return;
  case 5: { // promises about overflow have to be kept: small numbers
    Value x = mask(a, 7), y = mask(b, 3);
    bool negates = version(2) && chance(20);
    if (negates)
      define(type, "negi " + x.name + " overflow<no_signed_wrap>" + end);
    else if (chance(20))
      define(type, "subi " + x.name + ", " + y.name + " overflow<no_signed_wrap>" + end);
    else
      define(type, word({"addi ", "muli ", "shli "}) + x.name + ", " + y.name + " overflow<" +
                       word({"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"}) + ">" + end);
    return;
  }
  case 6: { // from 1 to 7, so that neither zero nor the least number divided by -1 comes up
    Value small = mask(b, 6), one = splat(type, "1");
    Value divisor = define(type, "ori " + small.name + ", " + one.name + end);
    bool isSigned = chance(50);
    if (options.parameters && chance(60)) {
      // Any number but 0; signed ones are even, so that none is -1.
      Value some = isSigned ? mask(b, -2) : b, bit = splat(type, isSigned ? "2" : "1");
      divisor = define(type, "ori " + some.name + ", " + bit.name + end);
    }
    std::string how = isSigned ? " signed" : " unsigned", operands = a.name + ", " + divisor.name + how;
    if (chance(40))
      define(type, "remi " + operands + end);
    else if (chance(50))
      define(type, "divi " + operands + end);
    else
      define(type, "divi " + operands + " rounding<" + (isSigned && chance(50) ? "negative_inf" : "positive_inf") +
                       ">" + end);
    return;
  }
  case 7: {
    Value amount = mask(b, std::stoi(type.element.substr(1)) - 1);
    if (chance(50))
      define(type, "shli " + a.name + ", " + amount.name + end);
    else
      define(type, "shri " + a.name + ", " + amount.name + " " + sign() + end);
    return;
  }
  default:
    if (chance(50))
      define(type, "mulhii " + both + end);
    else
      define(type, word({"absi ", "negi "}) + a.name + end);
  }
}

void Generator::conversion() {
  const Shape &shape = anyShape();
  static const std::vector<std::string> ints{"i1", "i8", "i16", "i32", "i64"};
  switch (below(7)) {
  case 0:
  case 1: {
    int64_t narrow = below(4), wide = narrow + 1 + below(4 - narrow);
    TileTy small{ints[narrow], shape}, large{ints[wide], shape};
    if (chance(50))
      define(large, "exti " + operand(small).name + " " + sign() + " : " + small.str() + " -> " + large.str());
    else
      define(small, "trunci " + operand(large).name + " : " + large.str() + " -> " + small.str());
    return;
  }
  case 2: {
    TileTy from{anyInt(true), shape}, to{anyFloat(), shape};
    define(to, "itof " + operand(from).name + " " + sign() + " : " + from.str() + " -> " + to.str());
    return;
  }
  case 3: {
    TileTy from{anyFloat(), shape}, to{anyInt(false), shape};
    Value value = operand(from);
    std::string how = sign();
    if (!version(4) || chance(30)) {
      // Without `saturating` only numbers that fit are defined. A NaN loses against a number.
      Value low = splat(from, how == "signed" ? "-100.0" : "0.0"), high = splat(from, "100.0");
      value = define(from, "maxf " + value.name + ", " + low.name + " : " + from.str());
      value = define(from, "minf " + value.name + ", " + high.name + " : " + from.str());
    } else {
      how += " saturating";
    }
    define(to, "ftoi " + value.name + " " + how + " : " + from.str() + " -> " + to.str());
    return;
  }
  case 4: {
    TileTy from{anyFloat(), shape}, to = from;
    while (to == from)
      to.element = anyFloat();
    std::string rounding = chance(30) ? " rounding<" + word({"nearest_even", "zero"}) + ">" : "";
    define(to, "ftof " + operand(from).name + rounding + " : " + from.str() + " -> " + to.str());
    return;
  }
  case 5: { // through bytes
    if (!version(3))
      return;
    TileTy from{anyInt(false), {2 << below(4)}}, to{word({"i16", "i32", "i64"}), {}};
    int64_t bytes = from.shape[0] * std::stoi(from.element.substr(1)) / 8, width = std::stoi(to.element.substr(1)) / 8;
    TileTy packed{"i8", {bytes}};
    to.shape.push_back(bytes / width);
    if (from.element == "i8" || bytes < width)
      return;
    Value raw = define(packed, "pack " + operand(from).name + " : " + from.str() + " -> " + packed.str());
    define(to, "unpack " + raw.name + " : " + packed.str() + " -> " + to.str());
    return;
  }
  default: { // the bits of a NaN are nobody's promise
    if (options.exact) {
      static const std::pair<const char *, const char *> pairs[] = {
          {"i16", "f16"}, {"i16", "bf16"}, {"i32", "f32"}, {"i64", "f64"}};
      auto [whole, real] = pairs[below(4)];
      TileTy bits{whole, shape}, number{real, shape};
      if (chance(50)) {
        define(number, "bitcast " + operand(bits).name + " : " + bits.str() + " -> " + number.str());
      } else { // no NaN is among these
        Value small = smallNumbers(number, 15, true);
        define(bits, "bitcast " + small.name + " : " + number.str() + " -> " + bits.str());
      }
      return;
    }
    static const std::vector<std::vector<std::string>> groups{
        {"i16", "f16", "bf16"}, {"i32", "f32"}, {"i64", "f64"}, {"i8", "f8E4M3FN", "f8E5M2"}};
    const std::vector<std::string> &group = pick(groups);
    TileTy from{pick(group), shape}, to{pick(group), shape};
    if ((from.element[1] == '8' || to.element[1] == '8') && !has(Options::SmallFloats))
      return;
    define(to, "bitcast " + operand(from).name + " : " + from.str() + " -> " + to.str());
  }
  }
}

void Generator::floatToFloat() {
  TileTy small{smallFloat(), anyShape()}, plain{anyFloat(), small.shape};
  // 4-bit tiles have an even number of elements.
  if (small.element == "f4E2M1FN" && countOf(small.shape) < 2)
    small.element = "f8E4M3FN";
  if (small.element == "f8E8M0FNU") {
    // It holds powers of two only; what becomes of zero and negative numbers is not asked.
    define(plain, "ftof " + constant(small).name + " : " + small.str() + " -> " + plain.str());
    return;
  }
  if (chance(40)) {
    define(plain, "ftof " + constant(small).name + " : " + small.str() + " -> " + plain.str());
    return;
  }
  Value narrow = define(small, "ftof " + operand(plain).name + " : " + plain.str() + " -> " + small.str());
  define(plain, "ftof " + narrow.name + " : " + small.str() + " -> " + plain.str());
}

void Generator::shapeOperation() {
  TileTy type{chance(50) && has(Options::Floats) ? anyFloat() : anyInt(true), anyShape()};
  Shape shape = type.shape;
  auto arrow = [&](const TileTy &from, const TileTy &to) { return " : " + from.str() + " -> " + to.str(); };
  switch (below(7)) {
  case 0: {
    TileTy to{type.element, reshaped(countOf(shape))};
    define(to, "reshape " + operand(type).name + arrow(type, to));
    return;
  }
  case 1: {
    TileTy from = type;
    for (int64_t &extent : from.shape)
      extent = chance(60) ? 1 : extent;
    define(type, "broadcast " + operand(from).name + arrow(from, type));
    return;
  }
  case 2: {
    if (shape.size() < 2)
      return;
    std::vector<int64_t> order;
    for (size_t i = 0; i < shape.size(); ++i)
      order.insert(order.begin() + below(order.size() + 1), i);
    TileTy to = type;
    for (size_t i = 0; i < shape.size(); ++i)
      to.shape[i] = shape[order[i]];
    define(to, "permute " + operand(type).name + " [" + dims(order, ", ") + "]" + arrow(type, to));
    return;
  }
  case 3: {
    if (shape.empty() || countOf(shape) * 2 > options.maxElements)
      return;
    size_t dim = below(shape.size());
    TileTy to = type;
    to.shape[dim] *= 2;
    define(to, "cat " + operand(type).name + ", " + operand(type).name + " dim = " + std::to_string(dim) + " : " +
                   type.str() + ", " + type.str() + " -> " + to.str());
    return;
  }
  case 4:
  case 5: { // blocks out of a tile and back into one
    if (shape.empty())
      return;
    TileTy block = type;
    std::vector<std::string> indices;
    for (int64_t &extent : block.shape) {
      int64_t pieces = chance(50) ? std::min<int64_t>(extent, 2) : extent;
      extent /= pieces;
      indices.push_back(index(pieces).name);
    }
    if (version(4) && chance(50))
      define(type, "insert " + operand(block).name + ", " + operand(type).name + "[" + join(indices) +
                       "] : " + block.str() + ", " + type.str());
    else
      define(block, "extract " + operand(type).name + "[" + join(indices) + "]" + arrow(type, block));
    return;
  }
  default: {
    int64_t count = countOf(shape);
    TileTy line{count <= 128 ? anyInt(false) : word({"i16", "i32", "i64"}), {count}};
    Value numbers = define(line, "iota : " + line.str());
    if (line.shape != shape) {
      TileTy to{line.element, shape};
      define(to, "reshape " + numbers.name + arrow(line, to));
    }
  }
  }
}

void Generator::matrixOperation() {
  auto extent = [&] { return int64_t(8) << below(2); };
  int64_t m = extent(), n = extent(), k = extent();
  Shape batch;
  if (chance(20))
    batch.push_back(2);
  auto tile = [&](const std::string &element, int64_t rows, int64_t columns) {
    TileTy type{element, batch};
    type.shape.insert(type.shape.end(), {rows, columns});
    return type;
  };
  auto types = [](const TileTy &a, const TileTy &b, const TileTy &c) {
    return " : " + a.str() + ", " + b.str() + ", " + c.str();
  };
  if (options.exact || chance(30)) {
    TileTy a = tile("i8", m, k), b = tile("i8", k, n), c = tile("i32", m, n);
    define(c, "mmai " + operand(a).name + ", " + operand(b).name + ", " + operand(c).name + " " + sign() + " " +
                  sign() + types(a, b, c));
    return;
  }
  std::string in =
      has(Options::SmallFloats) ? word({"f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2"}) : anyFloat();
  std::string out = in == "f64" ? "f64" : "f32";
  if ((in == "f16" || in[1] == '8') && chance(30))
    out = "f16";
  TileTy a = tile(in, m, k), b = tile(in, k, n), c = tile(out, m, n);
  define(c, "mmaf " + operand(a).name + ", " + operand(b).name + ", " + operand(c).name +
                (version(3) && in[1] == '8' && chance(40) ? " fast_acc" : "") + types(a, b, c));
}

/// Facts that are true because of how the value is made.
void Generator::assumption() {
  TileTy type{anyInt(false), anyShape()};
  Value any = operand(type);
  if (chance(40)) {
    Value small = mask(any, 7);
    define(type,
           "assume bounded<" + word({"0, 7", "?, 7", "0, ?", "-8, 100"}) + ">, " + small.name + " : " + type.str());
  } else if (chance(60)) {
    Value even = mask(any, -16);
    define(type, "assume div_by<" + word({"16", "8", "2", "1"}) + ">, " + even.name + " : " + type.str());
  } else {
    Value same = splat(type, "5");
    define(type, "assume same_elements<[" + dims(type.shape, ", ") + "]>, " + same.name + " : " + type.str());
  }
}
