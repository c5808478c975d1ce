//===- GeneratorStructure.cpp - Control flow and aggregates ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

void Generator::operation() {
  struct Choice {
    uint32_t features;
    unsigned weight;
    void (Generator::*make)();
    bool allowed = true;
  };
  bool nest = depth < options.maxDepth;
  const Choice choices[] = {
      {Options::Integers, 20, &Generator::integerOperation},
      {Options::Floats, 20, &Generator::floatOperation},
      {Options::Math, 8, options.exact ? &Generator::leafMath : &Generator::mathOperation,
       !options.exact || loops.empty()},
      {Options::Conversions, 14, &Generator::conversion},
      {Options::SmallFloats, 9, &Generator::floatToFloat, has(Options::Floats)},
      {Options::Conversions, 4, &Generator::convertInteger},
      {Options::Shapes, 12, &Generator::shapeOperation},
      {Options::Shapes, 3, &Generator::anySelect},
      {Options::ControlFlow, 3, &Generator::forLoop, nest},
      {Options::ControlFlow, 2, &Generator::endlessLoop, nest},
      {Options::ControlFlow, 4, &Generator::branch, nest},
      {Options::ControlFlow, 3, &Generator::earlyExit, nest && !loops.empty()},
      {Options::ControlFlow, options.parameters, &Generator::earlyReturn, depth == 0 && chance(30)},
      {Options::Aggregates, 5, &Generator::aggregate},
      {Options::Aggregates, 4, &Generator::aggregateWithBody},
      {Options::Aggregates, 3, &Generator::smallAggregate},
      {Options::Pointers, 5, &Generator::load},
      {Options::Pointers, 4, &Generator::store},
      {Options::Views, 8, &Generator::view},
      {Options::Views, 4, &Generator::gather, version(3)},
      {Options::Views, 4, &Generator::gridLoad, options.maxBlocks > 1},
      {Options::SmallFloats, 2, &Generator::fourBitFloats,
       options.parameters && has(Options::Views) && has(Options::Floats) && version(3)},
      {Options::Atomics, 4, &Generator::atomic},
      {Options::Atomics, 2, &Generator::sharedAtomic, options.maxBlocks > 1},
      {Options::Atomics, 1, &Generator::compareFloats, has(Options::Floats) && options.parameters},
      {Options::Pointers, 2, &Generator::tokens},
      {Options::Matrix, 3, &Generator::matrixOperation},
      {Options::Matrix, 4, &Generator::exactMatrix, has(Options::Floats)},
      {Options::Matrix, 3, &Generator::matrixLoop,
       has(Options::Floats) && has(Options::Views) && options.maxBlocks > 1 && depth < 2},
      {Options::Matrix, 2, &Generator::matrixChain, has(Options::Floats)},
      {Options::Matrix, 3, &Generator::scaledLoop,
       has(Options::SmallFloats) && has(Options::Views) && version(3) && options.parameters && options.maxBlocks > 1 &&
           depth < 2},
      {Options::Views, 2, &Generator::streamLoop, options.maxBlocks > 1 && depth < 2},
      {Options::Assumes, 4, &Generator::assumption},
      {Options::Prints, 3, &Generator::print},
  };
  unsigned total = 0;
  for (const Choice &choice : choices)
    total += choice.allowed && has(choice.features) ? choice.weight : 0;
  if (total == 0)
    return;
  int64_t at = below(total);
  for (const Choice &choice : choices) {
    at -= choice.allowed && has(choice.features) ? choice.weight : 0;
    if (at < 0)
      return (this->*choice.make)();
  }
}

void Generator::body(unsigned operations) {
  while (operations-- > 0)
    operation();
}

//===----------------------------------------------------------------------===//
// Carried values: some from the pool, and always the memory token
//===----------------------------------------------------------------------===//

Generator::Carried Generator::carriedValues() {
  Carried carried;
  for (int64_t i = below(3); i > 0; --i) {
    TileTy any{"", anyShape()};
    any.element = anyElement(any.shape);
    Value init = pool.empty() || chance(30) ? operand(any) : pick(pool);
    carried.tiles.push_back(init.type);
    carried.types.push_back(init.type.str());
    carried.inits.push_back(init.name);
    carried.args.push_back(fresh());
  }
  carried.types.push_back("token");
  carried.inits.push_back(token);
  carried.args.push_back(fresh());
  return carried;
}

/// Names of values of the carried types, from what the body knows.
std::string Generator::yieldedValues(const Carried &carried) {
  std::vector<std::string> names;
  for (const TileTy &type : carried.tiles)
    names.push_back(operand(type).name);
  names.push_back(token);
  return join(names);
}

/// Opens a body in which the arguments stand for the carried values.
size_t Generator::enterBody(const Carried &carried, bool withArguments) {
  indent += "  ";
  ++depth;
  size_t mark = pool.size();
  if (withArguments) {
    for (size_t i = 0; i < carried.tiles.size(); ++i)
      pool.push_back({carried.args[i], carried.tiles[i]});
    token = carried.args.back();
  }
  return mark;
}

void Generator::leaveBody(size_t mark) {
  --depth;
  indent.resize(indent.size() - 2);
  pool.resize(mark);
}

void Generator::bindResults(const Carried &carried, const std::string &results) {
  bool alone = carried.tiles.empty();
  for (size_t i = 0; i < carried.tiles.size(); ++i)
    pool.push_back({results + "#" + std::to_string(i), carried.tiles[i]});
  token = alone ? results : results + "#" + std::to_string(carried.tiles.size());
}

static std::string assignments(const std::vector<std::string> &args, const std::vector<std::string> &inits) {
  std::vector<std::string> words;
  for (size_t i = 0; i < args.size(); ++i)
    words.push_back(args[i] + " = " + inits[i]);
  return join(words);
}

static std::string resultList(const std::string &name, size_t count) {
  return count == 1 ? name : name + ":" + std::to_string(count);
}

void Generator::forLoop() {
  std::string element = chance(70) ? "i32" : anyInt(false);
  int64_t lower = below(3), trips = below(4), step = 1 + below(3);
  bool isUnsigned = version(2) && chance(30);
  // Numbers that are negative, or large if they have no sign. The last step must not leave the type.
  if (chance(20))
    lower = isUnsigned ? -20 : -3;
  int64_t upper = lower + trips * step - (trips ? below(step) : 0);
  if (chance(5) && lower >= 0) // none at all
    upper = lower - 1 < 0 ? lower : lower - 1;
  if (chance(12)) { // the next counter would leave the type
    int width = std::stoi(element.substr(1)) - (isUnsigned && element != "i64" ? 0 : 1);
    int64_t most = isUnsigned && element == "i64" ? -1 : width == 63 ? INT64_MAX : (int64_t(1) << width) - 1;
    lower = most - 1 - below(6);
    upper = most - below(2);
    step = 1 + below(8);
    if (isUnsigned && element != "i64") { // written with its sign
      lower -= most + 1;
      upper -= most + 1;
    }
  }
  if (isUnsigned && chance(15)) { // one round, or none
    element = "i1";
    lower = 0;
    upper = below(2);
    step = 1;
  }
  Value lb = known(element, lower), ub = known(element, upper), by = known(element, step);
  Carried carried = carriedValues();
  std::string results = fresh(), iv = fresh();
  line(resultList(results, carried.types.size()) + " = for " + (isUnsigned ? "unsigned " : "") + iv + " in (" +
       lb.name + " to " + ub.name + ", step " + by.name + ") : tile<" + element + "> iter_values(" +
       assignments(carried.args, carried.inits) + ") -> (" + join(carried.types) + ") {");
  size_t mark = enterBody(carried, true);
  loops.push_back({carried, {}, "", "", {iv, {element, {}}}, isUnsigned});
  pool.push_back({iv, {element, {}}, lower < 0 || upper > 64 ? 0 : std::max<int64_t>(upper, 1)});
  body(2 + below(6));
  line("continue " + yieldedValues(carried) + " : " + join(carried.types));
  loops.pop_back();
  leaveBody(mark);
  line("}");
  bindResults(carried, results);
}

void Generator::endlessLoop() {
  Value zero = splat({"i32", {}}, "0"), one = splat({"i32", {}}, "1");
  Value limit = known("i32", below(4));
  Carried carried = carriedValues(), left = otherResults();
  std::string results = fresh(), counter = fresh(), done = fresh(), next = fresh();
  line(resultList(results, left.types.size()) + " = loop iter_values(" + counter + " = " + zero.name + ", " +
       assignments(carried.args, carried.inits) + ") : tile<i32>, " + join(carried.types) + " -> " + join(left.types) +
       " {");
  size_t mark = enterBody(carried, true);
  loops.push_back({carried, left, counter, one.name, {}, false});
  line(done + " = cmpi greater_than_or_equal " + counter + ", " + limit.name + ", signed : tile<i32> -> tile<i1>");
  // What leaves the loop is computed before it is known to be the last round.
  for (const TileTy &type : left.tiles)
    operand(type);
  line("if " + done + " {");
  size_t inner = enterBody({}, false);
  line("break " + yieldedValues(left) + " : " + join(left.types));
  leaveBody(inner);
  line("}");
  pool.push_back({counter, {"i32", {}}, 4});
  body(2 + below(5));
  line(next + " = addi " + counter + ", " + one.name + " : tile<i32>");
  line("continue " + next + ", " + yieldedValues(carried) + " : tile<i32>, " + join(carried.types));
  loops.pop_back();
  leaveBody(mark);
  line("}");
  bindResults(left, results);
}

/// What `break` gives need not be what is carried.
Generator::Carried Generator::otherResults() {
  Carried left;
  for (int64_t i = below(3); i > 0; --i) {
    TileTy any{"", anyShape()};
    any.element = anyElement(any.shape);
    left.tiles.push_back(pool.empty() || chance(40) ? any : pick(pool).type);
    left.types.push_back(left.tiles.back().str());
  }
  left.types.push_back("token");
  return left;
}

void Generator::branch() {
  Value condition;
  if (!loops.empty() && !loops.back().index.name.empty() && chance(40)) {
    // A comparison at which the loop can be split.
    const LoopFrame frame = loops.back();
    Value limit = known(frame.index.type.element, frame.index.type.element == "i1" ? below(2) : below(8) - 1),
          flag{fresh(), {"i1", {}}};
    condition = flag;
    bool swapped = chance(30);
    line(flag.name + " = cmpi " +
         word({"greater_than", "greater_than_or_equal", "less_than", "less_than_or_equal", "equal"}) + " " +
         (swapped ? limit.name : frame.index.name) + ", " + (swapped ? frame.index.name : limit.name) + ", " +
         (frame.isUnsigned != chance(10) ? "unsigned" : "signed") + " : " + frame.index.type.str() + " -> tile<i1>");
  } else {
    condition = operand({"i1", {}});
  }
  Carried carried = carriedValues();
  std::string results = fresh(), before = token;
  // One of the branches may leave for good.
  int leaves = !loops.empty() && chance(15) ? below(2) : -1;
  line(resultList(results, carried.types.size()) + " = if " + condition.name + " -> (" + join(carried.types) + ") {");
  for (bool isElse : {false, true}) {
    if (isElse)
      line("} else {");
    token = before;
    size_t mark = enterBody(carried, false);
    body(1 + below(4));
    if (leaves == isElse)
      leaveLoop();
    else
      line("yield " + yieldedValues(carried) + " : " + join(carried.types));
    leaveBody(mark);
  }
  line("}");
  bindResults(carried, results);
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

void Generator::aggregate() {
  std::vector<Shape> candidates;
  for (const Shape &shape : shapes)
    if (!shape.empty())
      candidates.push_back(shape);
  if (candidates.empty())
    return;
  TileTy type{chance(60) || !has(Options::Floats) ? anyInt(false) : anyFloat(), pick(candidates)};
  bool isFloat = type.element[0] != 'i', isScan = chance(40);
  int64_t dim = below(type.shape.size());
  unsigned count = chance(20) ? 2 : 1;
  TileTy result = type, scalar{type.element, {}};
  if (!isScan)
    result.shape.erase(result.shape.begin() + dim);

  // An operation with its identity. Sums of floats depend on the order.
  struct Rule {
    const char *op, *identity;
    bool exact;
  };
  static const std::vector<Rule> ints{{"addi", "0", true},          {"muli", "1", true},  {"xori", "0", true},
                                      {"ori", "0", true},           {"andi", "-1", true}, {"maxi unsigned", "0", true},
                                      {"mini unsigned", "-1", true}};
  // NaNs have to win: infinity is no identity of a maximum in which they lose.
  static const std::vector<Rule> floats{{"maxf propagate_nan", "-inf", true},
                                        {"minf propagate_nan", "inf", true},
                                        {"maxf", "-inf", false},
                                        {"minf", "inf", false},
                                        {"addf", "0.0", false},
                                        {"mulf", "1.0", false}};
  std::vector<std::string> operands, identities, types(count, type.str()), results(count, result.str()), arguments;
  std::vector<Rule> rules;
  for (unsigned i = 0; i < count; ++i) {
    Rule rule = pick(isFloat ? floats : ints);
    while (options.exact && !rule.exact)
      rule = pick(floats);
    rules.push_back(rule);
    operands.push_back(operand(type).name);
    std::string identity = rule.identity;
    if (isFloat && identity.back() == 'f') { // hexadecimal, of the type's width
      bool minus = identity[0] == '-';
      identity = type.element == "f16"    ? (minus ? "0xFC00" : "0x7C00")
                 : type.element == "bf16" ? (minus ? "0xFF80" : "0x7F80")
                 : type.element == "f32"  ? (minus ? "0xFF800000" : "0x7F800000")
                                          : (minus ? "0xFFF0000000000000" : "0x7FF0000000000000");
    }
    identities.push_back(identity + " : " + type.element);
    for (int k = 0; k < 2; ++k)
      arguments.push_back(fresh());
  }
  std::vector<std::string> declared;
  for (const std::string &argument : arguments)
    declared.push_back(argument + ": " + scalar.str());
  std::string name = fresh();
  line(resultList(name, count) + (isScan ? " = scan " : " = reduce ") + join(operands) + " dim=" + std::to_string(dim) +
       (isScan ? chance(50) ? " reverse=true" : " reverse=false" : "") + " identities=[" + join(identities) +
       "] : " + join(types) + " -> " + join(results));
  line("(" + join(declared) + ") {");
  std::vector<std::string> yielded;
  for (unsigned i = 0; i < count; ++i) {
    std::string op = rules[i].op, after;
    if (size_t space = op.find(' '); space != std::string::npos) {
      after = op.substr(space);
      op.resize(space);
    }
    yielded.push_back(fresh());
    line("  " + yielded.back() + " = " + op + " " + arguments[2 * i] + ", " + arguments[2 * i + 1] + after + " : " +
         scalar.str());
  }
  line("  yield " + join(yielded) + " : " + join(std::vector<std::string>(count, scalar.str())));
  line("}");
  for (unsigned i = 0; i < count; ++i)
    pool.push_back({count == 1 ? name : name + "#" + std::to_string(i), result});
}
