//===- GeneratorTypes.cpp - Every element type, every conversion ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of any element type: i4, the small floats and pointers live in the
// pool beside the numbers of arithmetic, so that loops and branches carry them
// and shape operations move them. A pointer in the pool points nowhere: its
// address is a number that was computed, and it is only looked at as a number.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

static bool isPointer(const std::string &element) { return element[0] == 'p'; }
static bool isInteger(const std::string &element) { return element[0] == 'i'; }
static bool isBaseFloat(const std::string &element) {
  return element == "f16" || element == "bf16" || element == "f32" || element == "f64";
}

std::vector<std::string> Generator::floatElements() const {
  std::vector<std::string> list{"f16", "bf16", "f32", "f64"};
  if (has(Options::SmallFloats)) {
    list.insert(list.end(), {"tf32", "f8E4M3FN", "f8E5M2"});
    if (version(2))
      list.push_back("f8E8M0FNU");
    if (version(3))
      list.push_back("f4E2M1FN");
  }
  return list;
}

/// Any element type that a tile of this shape may have.
std::string Generator::anyElement(const Shape &shape) {
  std::vector<std::string> list{"i1", "i8", "i16", "i32", "i64"};
  if (has(Options::Conversions) && version(3))
    list.push_back("i4");
  if (has(Options::Floats))
    for (const std::string &element : floatElements())
      list.push_back(element);
  if (has(Options::Pointers) && has(Options::Floats) && chance(50))
    list.push_back("ptr<" + word({"f32", "i8", "f16", "i64"}) + ">");
  std::string element = pick(list);
  return allowed({element, shape}) ? element : "i32";
}

/// 4-bit floats come in pairs.
bool Generator::allowed(const TileTy &type) { return type.element != "f4E2M1FN" || countOf(type.shape) >= 2; }

/// One of the shapes that tiles of such elements may have.
Shape Generator::shapeFor(const std::string &element) {
  TileTy type{element, anyShape()};
  for (int tries = 0; !allowed(type) && tries < 10; ++tries)
    type.shape = anyShape();
  return allowed(type) ? type.shape : Shape{2};
}

/// A new value of a type for which there are no literals.
Value Generator::made(const TileTy &type) {
  if (type.element == "i4") {
    TileTy wide = type.with(word({"i8", "i16", "i32", "i64"}));
    Value source = operand(wide);
    return define(type, "trunci " + source.name + " : " + wide.str() + " -> " + type.str());
  }
  TileTy number = type.with("i64");
  Value source = operand(number);
  return define(type, "int_to_ptr " + source.name + " : " + number.str() + " -> " + type.str());
}

/// A value of any float type without NaNs and infinities: small whole numbers, or powers of two.
Value Generator::plainNumbers(const TileTy &type) {
  if (type.element != "f8E8M0FNU")
    return smallNumbers(type, type.element == "f4E2M1FN" ? 7 : 15, true);
  TileTy bytes = type.with("i8");
  Value bits = mask(operand(bytes), 127);
  return define(type, "bitcast " + bits.name + " : " + bytes.str() + " -> " + type.str());
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void Generator::convertInteger() {
  const Shape &shape = anyShape();
  std::vector<std::string> ints{"i1", "i4", "i8", "i16", "i32", "i64"};
  if (!version(3))
    ints.erase(ints.begin() + 1);
  int64_t count = ints.size(), narrow = below(count - 1), wide = narrow + 1 + below(count - narrow - 1);
  TileTy small{ints[narrow], shape}, large{ints[wide], shape};
  bool isSmall = version(3) && chance(10); // the one pair of i4's
  if (isSmall) {
    small.element = "i1";
    large.element = "i4";
  }
  if (chance(40)) {
    define(large, "exti " + operand(small).name + " " + sign() + " : " + small.str() + " -> " + large.str());
    return;
  }
  Value source = operand(large);
  std::string flags;
  if (chance(65)) { // a promise: nothing is lost
    flags = " overflow<" + word({"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"}) + ">";
    if (large.element == "i4") { // to i1: zero is the one number that both signs keep
      TileTy wider = large.with("i8");
      Value zero = mask(operand(wider), 0);
      source = define(large, "trunci " + zero.name + " : " + wider.str() + " -> " + large.str());
    } else {
      source = mask(source, small.element == "i1" ? 0 : 7);
    }
  }
  define(small, "trunci " + source.name + flags + " : " + large.str() + " -> " + small.str());
}

void Generator::integerToFloat() {
  std::vector<std::string> list = floatElements();
  std::erase(list, "f8E8M0FNU");
  TileTy to{pick(list), {}};
  to.shape = shapeFor(to.element);
  TileTy from = to.with(anyInt(true));
  define(to, "itof " + operand(from).name + " " + sign() + (chance(20) ? " rounding<nearest_even>" : "") + " : " +
                 from.str() + " -> " + to.str());
}

void Generator::floatToInteger() {
  TileTy from{pick(floatElements()), {}};
  from.shape = shapeFor(from.element);
  TileTy to = from.with(anyInt(true));
  std::string how = sign(), rounding = chance(20) ? " rounding<nearest_int_to_zero>" : "";
  bool isSigned = how == "signed", isBool = to.element == "i1";
  if (version(4) && chance(60)) {
    define(to, "ftoi " + operand(from).name + " " + how + rounding + " saturating : " + from.str() + " -> " + to.str());
    return;
  }
  // Without `saturating` only numbers that fit are defined.
  Value value;
  if (from.element == "f8E8M0FNU") { // 2^-7 to 2^-4, or 2^-3 to 1
    TileTy bytes = from.with("i8");
    Value low = mask(operand(bytes), 3), bias = splat(bytes, isBool ? "120" : "124");
    Value bits = define(bytes, "ori " + low.name + ", " + bias.name + " : " + bytes.str());
    value = define(from, "bitcast " + bits.name + " : " + bytes.str() + " -> " + from.str());
  } else { // a NaN loses against a number
    TileTy real = isBaseFloat(from.element) ? from : from.with(anyFloat());
    Value low = splat(real, !isSigned ? "0.0"
                            : isBool  ? "-1.0"
                                      : "-100.0"),
          high = splat(real, !isBool    ? "100.0"
                             : isSigned ? "0.0"
                                        : "1.0");
    value = define(real, "maxf " + operand(real).name + ", " + low.name + " : " + real.str());
    value = define(real, "minf " + value.name + ", " + high.name + " : " + real.str());
    if (real != from)
      value = define(from, "ftof " + value.name + " : " + real.str() + " -> " + from.str());
  }
  define(to, "ftoi " + value.name + " " + how + rounding + " : " + from.str() + " -> " + to.str());
}

/// The rounding modes of a conversion (13.4), by the table of `ftof`.
std::vector<std::string> Generator::modesOf(const std::string &from, const std::string &to) const {
  if (to == "f8E8M0FNU")
    return {"zero", "positive_inf"};
  if (!version(4) || to == "f8E4M3FN" || to == "f8E5M2" || to == "f4E2M1FN")
    return {"nearest_even"};
  // In this order a type further on holds all values of one before, where the exceptions below say nothing else.
  static const std::vector<std::string> order{"f4E2M1FN", "f8E4M3FN", "f8E5M2", "f16", "bf16", "tf32", "f32", "f64"};
  auto place = [&](const std::string &name) { return std::find(order.begin(), order.end(), name) - order.begin(); };
  bool widens = from == "f8E8M0FNU" ? to == "f64" : place(from) < place(to) && !(from == "f16" && to == "bf16");
  if (widens)
    return {"nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away"};
  if (from == "f64" && to == "f32")
    return {"nearest_even", "zero", "negative_inf", "positive_inf"};
  if (from == "f32" && to == "tf32")
    return {"nearest_even", "zero", "nearest_away"};
  return {"nearest_even", "zero"};
}

void Generator::floatToFloat() {
  TileTy from{pick(floatElements()), {}}, to = from;
  while (to == from)
    to.element = pick(floatElements());
  from.shape = to.shape = shapeFor(from.element == "f4E2M1FN" ? from.element : to.element);
  std::string mode = pick(modesOf(from.element, to.element));
  bool spelled = mode != "nearest_even" || chance(15);
  define(to, "ftof " + operand(from).name + (spelled ? " rounding<" + mode + ">" : "") + " : " + from.str() + " -> " +
                 to.str());
}

void Generator::bitcast() {
  static const std::vector<std::vector<std::string>> groups{{"i16", "f16", "bf16"},
                                                            {"i32", "f32"},
                                                            {"i64", "f64"},
                                                            {"i1"},
                                                            {"i8", "f8E4M3FN", "f8E5M2"},
                                                            {"i8", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"},
                                                            {"f4E2M1FN"},
                                                            {"tf32"}};
  const std::vector<std::string> &group = groups[below(!has(Options::SmallFloats) ? 4
                                                       : version(3)               ? 8
                                                       : version(2)               ? 6
                                                                                  : 5)];
  TileTy from{pick(group), {}};
  from.shape = shapeFor(from.element);
  TileTy to = from.with(pick(group));
  // The bits of a NaN are nobody's promise.
  bool any = isInteger(from.element) || !options.exact;
  Value source = any ? operand(from) : plainNumbers(from);
  define(to, "bitcast " + source.name + " : " + from.str() + " -> " + to.str());
}

/// Through bytes.
void Generator::repack() {
  std::vector<std::string> list = floatElements();
  std::erase_if(list, [](const std::string &element) { return element.starts_with("f8"); });
  list.insert(list.end(), {"i1", "i4", "i16", "i32", "i64"});
  std::string element = pick(list);
  int64_t bits = element == "tf32" ? 32 : std::stoi(element.substr(element.find_first_of("0123456789")));
  int64_t bytes = int64_t(8) << below(6);
  while (bytes * 8 / bits > std::max<int64_t>(options.maxElements, 64))
    bytes /= 2;
  TileTy tile{element, {bytes * 8 / bits}}, packed{"i8", {bytes}};
  if (chance(50)) {
    Value source = isInteger(element) || !options.exact ? operand(tile) : plainNumbers(tile);
    define(packed, "pack " + source.name + " : " + tile.str() + " -> " + packed.str());
  } else {
    define(tile, "unpack " + operand(packed).name + " : " + packed.str() + " -> " + tile.str());
  }
}

void Generator::conversion() {
  for (int i = 0; i < 3; ++i) // there are many
    oneConversion();
}

void Generator::oneConversion() {
  switch (below(has(Options::Floats) ? 12 : 2)) {
  case 0:
  case 1:
    return convertInteger();
  case 2:
  case 3:
    return integerToFloat();
  case 4:
  case 5:
  case 6:
    return floatToInteger();
  case 7:
  case 8:
  case 9:
    return floatToFloat();
  case 10:
    return bitcast();
  default:
    return version(3) ? repack() : bitcast();
  }
}

//===----------------------------------------------------------------------===//
// Other operations that take every type
//===----------------------------------------------------------------------===//

void Generator::anySelect() {
  TileTy type{"", anyShape()};
  type.element = anyElement(type.shape);
  if (type.element == "f4E2M1FN") // has no select
    type.element = "f8E4M3FN";
  Value condition = operand(type.with("i1")), yes = operand(type), no = operand(type);
  define(type, "select " + condition.name + ", " + yes.name + ", " + no.name + " : " + condition.type.str() + ", " +
                   type.str());
}

/// The largest of elements that have no arithmetic of their own, compared as wider numbers.
void Generator::smallAggregate() {
  Shape shape;
  for (int tries = 0; shape.empty() && tries < 20; ++tries)
    shape = anyShape();
  std::vector<std::string> list;
  if (version(3) && has(Options::Conversions))
    list.push_back("i4");
  if (has(Options::SmallFloats) && has(Options::Floats)) {
    list.insert(list.end(), {"tf32", "f8E4M3FN", "f8E5M2"});
    if (version(2))
      list.push_back("f8E8M0FNU");
  }
  if (shape.empty() || list.empty())
    return;
  TileTy type{pick(list), shape}, scalar{type.element, {}}, result = type;
  bool isScan = chance(45), isInt = type.element == "i4";
  int64_t dim = below(shape.size());
  if (!isScan)
    result.shape.erase(result.shape.begin() + dim);
  Value source = isInt ? operand(type) : plainNumbers(type);
  std::string identity = isInt ? "-8" : type.element == "f8E8M0FNU" ? "0x00" : "-128.0";
  std::string name = fresh();
  line(name + (isScan ? " = scan " : " = reduce ") + source.name + " dim=" + std::to_string(dim) +
       (isScan ? chance(50) ? " reverse=true" : " reverse=false" : "") + " identities=[" + identity + " : " +
       type.element + "] : " + type.str() + " -> " + result.str());
  line("(%ea: " + scalar.str() + ", %eb: " + scalar.str() + ") {");
  std::string a = fresh(), b = fresh(), t = scalar.str(), wide = isInt ? "tile<i32>" : "tile<f32>", out = fresh();
  const std::string convert = isInt ? "exti " : "ftof ", after = isInt ? " signed" : "";
  line("  " + a + " = " + convert + "%ea" + after + " : " + t + " -> " + wide);
  line("  " + b + " = " + convert + "%eb" + after + " : " + t + " -> " + wide);
  if (isInt && chance(50)) {
    std::string larger = fresh();
    line("  " + larger + " = maxi " + a + ", " + b + " signed : " + wide);
    line("  " + out + " = trunci " + larger + " : " + wide + " -> " + t);
  } else {
    std::string less = fresh();
    line("  " + less + " = " +
         (isInt ? "cmpi less_than " + a + ", " + b + ", signed" : "cmpf less_than ordered " + a + ", " + b) + " : " +
         wide + " -> tile<i1>");
    line("  " + out + " = select " + less + ", %eb, %ea : tile<i1>, " + t);
  }
  line("  yield " + out + " : " + t);
  line("}");
  pool.push_back({name, result});
}

/// Operations that only order others.
void Generator::tokens() {
  std::string next = fresh(), other = fresh();
  switch (below(version(4) ? 4 : 1)) {
  case 0:
    line(other + " = make_token : token");
    line(next + " = join_tokens " + token + ", " + other + (chance(30) ? ", " + token : "") + " : token");
    break;
  case 1:
    line(next + " = memory_fence_alias_tko token=" + token + " -> token");
    break;
  default:
    line(next + " = " + word({"gdc_wait_tko", "gdc_launch_dependents_tko"}) + " token=" + token + " -> token");
  }
  token = next;
}

/// Facts that are true because of how the value is made.
void Generator::assumption() {
  TileTy type{anyInt(true), anyShape()};
  if (version(3) && has(Options::Conversions) && chance(20))
    type.element = "i4";
  if (has(Options::Pointers) && has(Options::Floats) && chance(15))
    type.element = "ptr<" + word({"f32", "i8"}) + ">";
  bool isOne = type.element == "i1", isFour = type.element == "i4", isPlace = isPointer(type.element);
  auto promise = [&](const std::string &predicate, const Value &value) {
    define(type, "assume " + predicate + ", " + value.name + " : " + type.str());
  };
  // Same in every block of this shape: the value is repeated from a tile of extent 1.
  if (chance(30) && !type.shape.empty() && allowed(type)) {
    TileTy one = type;
    one.shape.assign(type.shape.size(), 1);
    Shape blocks = type.shape;
    for (int64_t &extent : blocks)
      extent = chance(60) ? extent : 1;
    Value value = operand(one);
    value = define(type, "broadcast " + value.name + " : " + one.str() + " -> " + type.str());
    return promise("same_elements<[" + dims(blocks, ", ") + "]>", value);
  }
  if (isPlace) {
    TileTy number = type.with("i64");
    Value address = mask(operand(number), -16);
    Value value = define(type, "int_to_ptr " + address.name + " : " + number.str() + " -> " + type.str());
    return promise("div_by<" + word({"16", "8", "1"}) + ">", value);
  }
  if (chance(20) && !isOne && !isFour && type.shape.size() == 1 && type.shape[0] >= 4 && type.shape[0] <= 64) {
    // Groups that count up from a multiple.
    Value numbers = define(type, "iota : " + type.str());
    return promise("div_by<4, every 4 along 0>", numbers);
  }
  if (isFour) {
    TileTy bytes = type.with("i8");
    bool bounds = chance(50);
    Value small = mask(operand(bytes), bounds ? 3 : 4);
    Value value = define(type, "trunci " + small.name + " : " + bytes.str() + " -> " + type.str());
    return promise(
        bounds ? word({"bounded<0, 3>", "bounded<?, 3>", "bounded<-8, ?>"}) : word({"div_by<4>", "div_by<2>"}), value);
  }
  Value any = operand(type);
  if (isOne)
    return promise(word({"bounded<-1, 0>", "bounded<?, 0>", "div_by<1>"}), any);
  if (chance(50))
    return promise("bounded<" + word({"0, 7", "?, 7", "0, ?", "-8, 100"}) + ">", mask(any, 7));
  promise("div_by<" + word({"16", "8", "2", "1"}) + ">", mask(any, -16));
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

void Generator::print() {
  if (chance(35)) {
    Value value = operand({anyInt(true), anyShape()});
    Value same = define(value.type.with("i1"), "cmpi equal " + value.name + ", " + value.name + ", signed : " +
                                                   value.type.str() + " -> " + value.type.with("i1").str());
    line("assert " + same.name + ", \"equal to itself\" : " + same.type.str());
    return;
  }
  std::vector<std::string> formats, names, types;
  for (int64_t i = chance(8) ? 0 : chance(25) ? 2 : 1; i > 0; --i) {
    TileTy type{"", chance(50) ? Shape{} : anyShape()};
    if (countOf(type.shape) > 16)
      type.shape.clear();
    type.element = anyElement(type.shape);
    bool isFloat = !isInteger(type.element) && !isPointer(type.element);
    if (!has(Options::Integers) && !isFloat)
      type.element = "i32";
    // How a NaN is written is nobody's promise.
    Value value = isFloat ? plainNumbers(type) : operand(type);
    formats.push_back(isFloat                    ? word({"%f", "%g", "%.3e", "%e", "%8.2f"})
                      : isPointer(type.element)  ? word({"%llx", "%lld"})
                      : type.element == "i64"    ? word({"%lld", "%llx", "%d", "%x"})
                      : type.element == "i8"     ? word({"%d", "%u", "%x", "%i"})
                      : type.element.size() == 2 ? word({"%d", "%u", "%i"})
                                                 : word({"%i", "%x", "%u", "%d", "%5d"}));
    if (isInteger(type.element) && type.element.size() > 2 && type.element != "i64" && chance(10)) { // a letter
      Value few = mask(value, 15), letters = splat(type, "64");
      value = define(type, "ori " + few.name + ", " + letters.name + " : " + type.str());
      formats.back() = "%c";
    }
    names.push_back(", " + value.name);
    types.push_back(type.str());
  }
  std::string next = fresh();
  bool hasToken = version(2);
  line(next + " = print_tko \"value " + join(formats, " and ") + (chance(20) ? " %%" : "") + "\\n\"" + join(names, "") +
       (hasToken ? tokenOperand("=") : "") + (types.empty() ? "" : " : " + join(types)) + " -> token");
  if (hasToken)
    token = next;
}

/// Makes everything that was computed matter: values of one shape are folded into one number per element, whose bits
/// are all that leaves the kernel. All NaNs count as one.
void Generator::digest() {
  std::vector<Value> values = pool;
  std::vector<Shape> done;
  for (const Value &first : values) {
    const Shape shape = first.type.shape;
    if (std::find(done.begin(), done.end(), shape) != done.end() || countOf(shape) > 4096)
      continue;
    done.push_back(shape);
    TileTy sum{"i64", shape};
    Value total;
    int64_t left = countOf(shape) <= 1024 ? 30 : 12;
    for (auto value = values.rbegin(); value != values.rend() && left > 0; ++value) {
      if (value->type.shape != shape || value->name == total.name)
        continue;
      Value bits = *value;
      auto step = [&](const std::string &op, const std::string &how, const std::string &element) {
        TileTy to = bits.type.with(element);
        bits = define(to, op + " " + bits.name + how + " : " + bits.type.str() + " -> " + to.str());
      };
      if (isPointer(bits.type.element)) {
        step("ptr_to_int", "", "i64");
      } else if (!isInteger(bits.type.element)) {
        if (!isBaseFloat(bits.type.element))
          step("ftof", "", "f32");
        const std::string &element = bits.type.element;
        Value nan = splat(bits.type, element == "f16"    ? "0x7E00"
                                     : element == "bf16" ? "0x7FC0"
                                     : element == "f32"  ? "0x7FC00000"
                                                         : "0x7FF8000000000000");
        TileTy truth = bits.type.with("i1");
        Value isNan = define(truth, "cmpf not_equal unordered " + bits.name + ", " + bits.name + " : " +
                                        bits.type.str() + " -> " + truth.str());
        bits = define(bits.type, "select " + isNan.name + ", " + nan.name + ", " + bits.name + " : " + truth.str() +
                                     ", " + bits.type.str());
        step("bitcast", "", element == "f64" ? "i64" : element == "f32" ? "i32" : "i16");
      }
      if (bits.type.element != "i64")
        step("exti", " " + sign(), "i64");
      if (total.name.empty()) {
        total = bits;
      } else { // the order matters, so that two equal values do not cancel
        Value factor = splat(sum, "31");
        total = define(sum, "muli " + total.name + ", " + factor.name + " : " + sum.str());
        total = define(sum, word({"addi ", "xori "}) + total.name + ", " + bits.name + " : " + sum.str());
      }
      --left;
    }
    if (!total.name.empty())
      storeTo(addBuffer("i64", countOf(shape), /*output=*/true), total);
  }
}
