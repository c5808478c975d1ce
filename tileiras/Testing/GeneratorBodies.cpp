//===- GeneratorBodies.cpp - Reductions and scans with long bodies --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

void Generator::aggregateWithBody() {
  Shape shape;
  for (int tries = 0; shape.empty() && tries < 20; ++tries)
    shape = anyShape();
  if (shape.empty())
    return;
  bool isScan = chance(40);
  int64_t dim = below(shape.size());
  Shape reduced = shape;
  if (!isScan)
    reduced.erase(reduced.begin() + dim);
  std::vector<std::string> lines, identities, yielded;
  std::vector<Value> operands;
  auto add = [&](const std::string &text) {
    std::string name = fresh();
    lines.push_back("  " + name + " = " + text);
    return name;
  };
  // Two arguments per operand: what comes and what there is.
  auto argument = [](size_t i, bool second) { return "%e" + std::to_string(i) + (second ? "b" : "a"); };
  std::string e0 = argument(0, false), a0 = argument(0, true), e1 = argument(1, false), a1 = argument(1, true);
  switch (below(isScan ? 6 : 5)) {
  case 0: { // the greatest, and where it is: the smallest place wins
    std::string element = chance(50) || !has(Options::Floats) ? anyInt(false) : anyFloat();
    TileTy type{element, shape}, line{"i32", {countOf(shape)}}, places{"i32", shape};
    Value value = element[0] == 'i' ? operand(type) : smallNumbers(type, 15, true);
    Value place = define(line, "iota : " + line.str());
    if (line.shape != shape)
      place = define(places, "reshape " + place.name + " : " + line.str() + " -> " + places.str());
    operands = {value, place};
    bool isInt = element[0] == 'i';
    std::string t = " : tile<" + element + "> -> tile<i1>", sign = isInt ? ", signed" : "";
    std::string op = isInt ? "cmpi " : "cmpf ", order = isInt ? "" : "ordered ";
    std::string greater = add(op + "greater_than " + order + e0 + ", " + a0 + sign + t);
    std::string equal = add(op + "equal " + order + e0 + ", " + a0 + sign + t);
    std::string before = add("cmpi less_than " + e1 + ", " + a1 + ", signed : tile<i32> -> tile<i1>");
    std::string tie = add("andi " + equal + ", " + before + " : tile<i1>");
    std::string take = add("ori " + greater + ", " + tie + " : tile<i1>");
    yielded = {add("select " + take + ", " + e0 + ", " + a0 + " : tile<i1>, tile<" + element + ">"),
               add("select " + take + ", " + e1 + ", " + a1 + " : tile<i1>, tile<i32>")};
    static const std::pair<const char *, const char *> least[] = {
        {"i8", "-128"}, {"i16", "-32768"}, {"i32", "-2147483648"}, {"i64", "-9223372036854775808"}};
    std::string identity = "-1000.0";
    for (auto [name, text] : least)
      if (element == name)
        identity = text;
    identities = {identity + " : " + element, "2147483647 : i32"};
    break;
  }
  case 1: { // an unsigned sum that stops at the end of the type
    bool small = chance(50);
    std::string narrow = small ? "i8" : "i16", wide = small ? "i16" : "i32", n = "tile<" + narrow + ">",
                w = "tile<" + wide + ">";
    operands = {operand({narrow, shape})};
    std::string a = add("exti " + e0 + " unsigned : " + n + " -> " + w),
                b = add("exti " + a0 + " unsigned : " + n + " -> " + w);
    std::string sum = add("addi " + a + ", " + b + " : " + w);
    std::string top = add("constant <" + wide + ": " + (small ? "255" : "65535") + "> : " + w);
    yielded = {add("trunci " + add("mini " + sum + ", " + top + " unsigned : " + w) + " : " + w + " -> " + n)};
    identities = {"0 : " + narrow};
    break;
  }
  case 2: { // bits
    operands = {operand({"i1", shape}), operand({"i1", shape})};
    yielded = {add("andi " + e0 + ", " + a0 + " : tile<i1>"), add("xori " + e1 + ", " + a1 + " : tile<i1>")};
    identities = {"true", "false"};
    break;
  }
  case 3: { // different types side by side; sums of small whole numbers are exact
    std::string f = has(Options::Floats) ? word({"f16", "f32", "f64"}) : "i64";
    operands = {smallNumbers({f, shape},
                             countOf(shape) <= 128 ? 7
                             : f == "f16"          ? 0
                                                   : 7,
                             true),
                operand({"i64", shape})};
    yielded = {add((f[0] == 'f' ? "addf " : "addi ") + e0 + ", " + a0 + " : tile<" + f + ">"),
               add("muli " + e1 + ", " + a1 + " : tile<i64>")};
    identities = {(f[0] == 'f' ? "0.0 : " : "0 : ") + f, "1 : i64"};
    break;
  }
  case 4: { // the second greatest rides along: (greatest, second) of two pairs
    std::string element = word({"i16", "i32", "i64"}), t = " : tile<" + element + ">";
    Value first = operand({element, shape});
    std::string least = element == "i16" ? "-32768" : element == "i32" ? "-2147483648" : "-9223372036854775808";
    operands = {first, splat({element, shape}, least)};
    std::string high = add("maxi " + e0 + ", " + a0 + " signed" + t),
                low = add("mini " + e0 + ", " + a0 + " signed" + t);
    std::string rest = add("maxi " + e1 + ", " + a1 + " signed" + t);
    yielded = {high, add("maxi " + low + ", " + rest + " signed" + t)};
    identities = {least + " : " + element, least + " : " + element};
    break;
  }
  default: { // segmented sums: a flag starts anew. Associative, and the order of the operands matters.
    std::string element = word({"i32", "i64"}), t = " : tile<" + element + ">";
    operands = {operand({element, shape}), operand({"i1", shape})};
    std::string sum = add("addi " + a0 + ", " + e0 + t);
    // (accumulator, element) as the specification's example of scan: the first argument is what is before.
    yielded = {add("select " + a1 + ", " + a0 + ", " + sum + " : tile<i1>, tile<" + element + ">"),
               add("ori " + a1 + ", " + e1 + " : tile<i1>")};
    identities = {"0 : " + element, "false"};
  }
  }
  std::vector<std::string> names, types, results, declared, scalars;
  for (size_t i = 0; i < operands.size(); ++i) {
    TileTy type = operands[i].type, scalar{type.element, {}};
    names.push_back(operands[i].name);
    types.push_back(type.str());
    results.push_back(TileTy{type.element, reduced}.str());
    scalars.push_back(scalar.str());
    for (bool second : {false, true})
      declared.push_back(argument(i, second) + ": " + scalar.str());
  }
  std::string name = fresh();
  size_t count = operands.size();
  line((count == 1 ? name : name + ":" + std::to_string(count)) + (isScan ? " = scan " : " = reduce ") + join(names) +
       " dim=" + std::to_string(dim) + (isScan ? chance(50) ? " reverse=true" : " reverse=false" : "") +
       " identities=[" + join(identities) + "] : " + join(types) + " -> " + join(results));
  line("(" + join(declared) + ") {");
  for (const std::string &text : lines)
    line(text);
  line("  yield " + join(yielded) + " : " + join(scalars));
  line("}");
  for (size_t i = 0; i < count; ++i)
    pool.push_back({count == 1 ? name : name + "#" + std::to_string(i), {operands[i].type.element, reduced}});
}
