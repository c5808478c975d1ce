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
    bool full = !approximate && version(isExp ? 3 : 2) && chance(30);
    define(type, (isExp ? "exp " : "tanh ") + a.name +
                     (approximate ? " rounding<approx>"
                      : full      ? " rounding<full>"
                                  : "") +
                     end);
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
    TileTy exponent = type.with(word({"i1", "i8", "i16", "i32"}));
    if (!version(4))
      define(type, "negf " + a.name + end);
    else
      define(type, "fpowi " + a.name + ", " + operand(exponent).name + end + ", " + exponent.str());
  }
  }
}

/// A promise about overflow, kept by small numbers.
void Generator::overflow(const Value &a, const Value &b) {
  const TileTy &type = a.type;
  bool isBool = type.element == "i1";
  std::string end = " : " + type.str(),
              flags = " overflow<" + word({"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"}) + ">";
  Value x = mask(a, isBool ? 0 : 7), y = mask(b, isBool ? 0 : 3);
  if (version(2) && chance(20)) {
    define(type, "negi " + x.name + " overflow<" + word({"none", "no_signed_wrap"}) + ">" + end);
  } else if (chance(25)) { // at least 3
    Value three = splat(type, isBool ? "false" : "3");
    x = define(type, "ori " + x.name + ", " + three.name + end);
    define(type, "subi " + x.name + ", " + y.name + flags + end);
  } else {
    define(type, word({"addi ", "muli ", "shli "}) + x.name + ", " + y.name + flags + end);
  }
}

/// A quotient or a remainder whose divisor is not zero, nor -1 where the dividend may be the least number.
void Generator::division(const Value &a, const Value &b) {
  const TileTy &type = a.type;
  const std::string end = " : " + type.str();
  bool isSigned = chance(50);
  Value dividend = a, divisor = b;
  if (type.element == "i1") {
    divisor = splat(type, "true");
    if (isSigned)
      dividend = mask(a, 0);
  } else if (options.parameters && chance(60)) {
    // Any number but 0; signed ones are even, so that none is -1.
    Value some = isSigned ? mask(b, -2) : b, bit = splat(type, isSigned ? "2" : "1");
    divisor = define(type, "ori " + some.name + ", " + bit.name + end);
  } else { // from 1 to 7
    Value small = mask(b, 6), one = splat(type, "1");
    divisor = define(type, "ori " + small.name + ", " + one.name + end);
  }
  std::string how = isSigned ? " signed" : " unsigned", operands = dividend.name + ", " + divisor.name + how;
  if (chance(40))
    define(type, "remi " + operands + end);
  else if (chance(40))
    define(type, "divi " + operands + end);
  else
    define(type, "divi " + operands + " rounding<" +
                     (isSigned ? word({"negative_inf", "positive_inf", "zero"}) : "positive_inf") + ">" + end);
}

void Generator::integerOperation() {
  TileTy type{anyInt(true), anyShape()};
  bool isBool = type.element == "i1";
  std::string end = " : " + type.str();
  Value a = operand(type), b = operand(type);
  std::string both = a.name + ", " + b.name;
  switch (below(9)) {
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
  case 5:
    return overflow(a, b);
  case 6:
    return division(a, b);
  case 7: {
    Value amount = mask(b, isBool ? 0 : std::stoi(type.element.substr(1)) - 1);
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

void Generator::shapeOperation() {
  TileTy type{"", anyShape()};
  type.element = anyElement(type.shape);
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
    if (!allowed(from))
      return;
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
    TileTy block = type; // at least two elements of four bits
    std::vector<std::string> indices;
    for (int64_t &extent : block.shape) {
      int64_t pieces = chance(50) ? std::min<int64_t>(extent, 2) : extent;
      extent /= pieces;
      indices.push_back(index(pieces).name);
    }
    if (!allowed(block))
      return;
    if (version(4) && chance(50))
      define(type, "insert " + operand(block).name + ", " + operand(type).name + "[" + join(indices) +
                       "] : " + block.str() + ", " + type.str());
    else
      define(block, "extract " + operand(type).name + "[" + join(indices) + "]" + arrow(type, block));
    return;
  }
  default: {
    int64_t count = countOf(shape);
    TileTy line{count <= 2 ? anyInt(true) : count <= 128 ? anyInt(false) : word({"i16", "i32", "i64"}), {count}};
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
