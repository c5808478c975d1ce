//===- GeneratorMemory.cpp - Buffers, pointers, atomics -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every operation takes the current token and leaves its own, so that the
// order in the text is the order in memory.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

std::string Generator::tokenOperand(const char *equals) { return std::string(" token") + equals + token; }

std::string Generator::order(bool isLoad) {
  if (chance(60))
    return "weak";
  return word({"relaxed ", isLoad ? "acquire " : "release "}) + word({"tl_blk", "device", "sys"});
}

std::string Generator::hints(bool ofView) {
  if (!has(Options::Hints) || chance(70))
    return "";
  std::vector<std::string> list;
  if (chance(60))
    list.push_back("latency = " + std::to_string(1 + below(10)));
  if (ofView && (list.empty() || chance(40)))
    list.push_back("allow_tma = " + word({"true", "false"}));
  if (list.empty())
    list.push_back("latency = 3");
  return " optimization_hints = <" + word({"sm_80", "sm_90", "sm_100", "sm_120", "default"}) + " = {" + join(list) +
         "}>";
}

/// Hints of the kernel, which change how fast it is and nothing else.
std::string Generator::entryHints() {
  if (!has(Options::Hints) || chance(50))
    return "";
  auto some = [&] {
    std::vector<std::string> list;
    if (chance(50))
      list.push_back("occupancy = " + std::to_string(int64_t(1) << below(6)));
    if (chance(40))
      list.push_back("num_cta_in_cga = " + std::to_string(int64_t(1) << below(4)));
    if (list.empty() || chance(40))
      list.push_back("num_worker_warps_per_cta = " + std::to_string(int64_t(4) << below(2)));
    return "{" + join(list) + "}";
  };
  std::string text = word({"sm_80", "sm_89", "sm_90", "sm_100", "sm_120"}) + " = " + some();
  return " optimization_hints=<" + text + (chance(60) ? ", default = " + some() : "") + ">";
}

/// A second kernel beside the one that is run, with a global of its own or none.
void Generator::extraEntry() {
  globals +=
      "  entry @other(%x: tile<ptr<f32>>, %n: tile<i32>) {\n    %v, %t = load_ptr_tko weak %x : tile<ptr<f32>> -> "
      "tile<f32>, token\n    %m = itof %n signed : tile<i32> -> tile<f32>\n    %s = addf %v, %m : tile<f32>\n"
      "    %u = store_ptr_tko weak %x, %s token=%t : tile<ptr<f32>>, tile<f32> -> token\n    return\n  }\n";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::string Generator::inputInit(const std::string &element) {
  bool isFloat = element[0] != 'i';
  std::string seed = "seed=" + std::to_string(1 + below(1000)) + ")";
  if (chance(10) && element != "f8E8M0FNU" && element != "i1")
    return "integers(lo=-2,hi=2," + seed;
  return (isFloat ? word({"special(", "special(", "normal(", "random(", "bits("}) : "random(") + seed;
}

std::string Generator::padding(const std::string &element) {
  return element[0] == 'i' ? "zero" : word({"zero", "neg_zero", "nan", "pos_inf", "neg_inf"});
}

const Buffer &Generator::addBuffer(const std::string &element, int64_t count, bool output,
                                   const std::string &tolerance) {
  std::string name = (output ? "o" : "b") + std::to_string(parameters.size());
  // Sometimes the compiler is told that the array is aligned, and sometimes it is not aligned to more than its
  // elements.
  bool aligned = options.parameters && has(Options::Assumes) && chance(30),
       shifted = options.parameters && !aligned && chance(30);
  std::string type = "tile<ptr<" + element + ">>", base = "%" + name + (blocks() > 1 ? "_all" : "");
  std::vector<std::string> facts;
  if (!tolerance.empty())
    facts.push_back("tol=" + tolerance);
  if (shifted)
    facts.push_back("offset=" + std::to_string((1 + below(15)) * byteSize(element)));
  bool isMarked = options.parameters && version(4) && !aligned && chance(5); // a pointer whose kind of memory is said
  std::string marked = "tile<ptr<" + element + ", #cuda_tile.ptr_attr<none>>>";
  parameters.push_back(base + (aligned || isMarked ? "_any" : "") + ": " + (isMarked ? marked : type));
  if (isMarked)
    prologue += "    " + base + " = ptr_to_ptr " + base + "_any : " + marked + " -> " + type + "\n";
  arguments.push_back((output ? "out:" : "") + name + ":" + element + "[" + std::to_string(count * blocks()) + "]" +
                      (facts.empty() ? "" : "{" + join(facts, ",") + "}") +
                      (output ? element == "f4E2M1FN" ? "=zeros" : "" // half a byte is stored by loading the other half
                              : "=" + inputInit(element)));
  if (aligned)
    prologue += "    " + base + " = assume div_by<16>, " + base + "_any : " + type + "\n";
  if (blocks() > 1) // every block has a part of its own
    prologue += "    %" + name + "_n = constant <i32: " + std::to_string(count) + "> : tile<i32>\n    %" + name +
                "_at = muli %block, %" + name + "_n : tile<i32>\n    %" + name + " = offset " + base + ", %" + name +
                "_at : " + type + ", tile<i32> -> " + type + "\n";
  buffers.push_back({"%" + name, element, count, !output}); // outputs are written once, at the end
  return buffers.back();
}

const Buffer &Generator::anyBuffer(bool writable, const std::vector<std::string> &elements) {
  std::vector<const Buffer *> found;
  for (const Buffer &buffer : buffers)
    if ((buffer.writable || !writable) && std::find(elements.begin(), elements.end(), buffer.element) != elements.end())
      found.push_back(&buffer);
  if (!found.empty() && (found.size() > 2 || chance(70)))
    return *pick(found);
  // Rows of 4-bit elements have no byte in common with others.
  std::string element = pick(elements);
  int64_t count = options.maxElements + below(64);
  return addBuffer(element, element == "f4E2M1FN" ? (count + 1) / 2 * 2 : count, /*output=*/false);
}

void Generator::addGlobal() {
  std::string element = pick(memoryElements()), name = "@table" + std::to_string(nextValue);
  int64_t count = int64_t(2) << below(5);
  std::vector<std::string> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(literal(element));
  // Blocks share it: several must not write to it.
  bool isConstant = version(3) && chance(50), isWritable = !isConstant && blocks() == 1;
  TileTy type{element, {count}};
  globals += "  global " + std::string(version(3) && chance(50) ? "private " : "") + (isConstant ? "constant " : "") +
             name + " " + (chance(50) ? "alignment = 64 " : "") + "<" + element + ": [" + join(values) +
             "]> : " + type.str() + "\n";
  std::string base = fresh();
  prologue += "    " + base + " = get_global " + name + " : tile<ptr<" + element + ">>\n";
  buffers.push_back({base, element, count, isWritable});
}

void Generator::addLocal() {
  std::string element = pick(memoryElements());
  int64_t count = int64_t(2) << below(6);
  // All of it is written before anything is read.
  TileTy type{element, {count}}, numbers{"i32", {count}}, pointers{"ptr<" + element + ">", {count}};
  TileTy one{"ptr<" + element + ">", {1}};
  prologue += "    %local = alloca num_elem = " + std::to_string(count) + ", alignment = " + word({"8", "16", "64"}) +
              (chance(40) ? " global" : "") + " : tile<ptr<" + element + ">>\n    %local_at = iota : " + numbers.str() +
              "\n    %local_1 = reshape %local : tile<ptr<" + element + ">> -> " + one.str() +
              "\n    %local_all = broadcast %local_1 : " + one.str() + " -> " + pointers.str() +
              "\n    %local_p = offset %local_all, %local_at : " + pointers.str() + ", " + numbers.str() + " -> " +
              pointers.str() + "\n    %local_v = constant <" + element + ": " + literal(element) + "> : " + type.str() +
              "\n    %local_t = store_ptr_tko weak %local_p, %local_v token=%tok0 : " + pointers.str() + ", " +
              type.str() + " -> token\n";
  initTokens.push_back("%local_t");
  buffers.push_back({"%local", element, count, true});
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// The addresses of elements of a buffer.
Value Generator::pointers(const Buffer &buffer, const Value &offsets) {
  TileTy type = offsets.type.with("ptr<" + buffer.element + ">");
  std::string name = buffer.name;
  TileTy scalar{type.element, {}};
  auto step = [&](const std::string &op, const TileTy &from, const TileTy &to) {
    std::string next = fresh();
    line(next + " = " + op + " " + name + " : " + from.str() + " -> " + to.str());
    name = next;
  };
  if (!type.shape.empty()) {
    TileTy ones{type.element, Shape(type.shape.size(), 1)};
    step("reshape", scalar, ones);
    step("broadcast", ones, type);
  }
  // Not into the pool: the pool holds numbers.
  Value result{fresh(), type};
  line(result.name + " = offset " + name + ", " + offsets.name + " : " + type.str() + ", " + offsets.type.str() +
       " -> " + type.str());
  if (chance(6)) { // far away and back
    static const std::pair<const char *, const char *> distances[] = {
        {"4294967296", "-4294967296"}, {"-1099511627776", "1099511627776"}, {"2147483648", "-2147483648"}};
    auto [there, back] = distances[below(3)];
    for (const char *distance : {there, back}) {
      Value by = splat(type.with("i64"), distance);
      std::string next = fresh();
      line(next + " = offset " + result.name + ", " + by.name + " : " + type.str() + ", " + by.type.str() + " -> " +
           type.str());
      result.name = next;
    }
  }
  // Addresses are numbers of 64 bits, whatever they point to.
  auto cast = [&](const char *op, const TileTy &to) {
    std::string next = fresh();
    line(next + " = " + op + " " + result.name + " : " + result.type.str() + " -> " + to.str());
    result = {next, to};
  };
  if (chance(10)) {
    cast("ptr_to_int", type.with("i64"));
    cast("int_to_ptr", type);
  }
  if (chance(10) && buffer.element != "f4E2M1FN") {
    cast("ptr_to_ptr", type.with("ptr<i8>"));
    cast("ptr_to_ptr", type);
  }
  return result;
}

/// Different numbers in [0, room), one for each element.
Value Generator::distinctOffsets(const Shape &shape, int64_t room) {
  int64_t count = countOf(shape);
  std::string element = word({"i32", "i32", "i64"});
  if (chance(20)) // narrow ones, which have a sign
    element = count == 1 && chance(50) ? "i1" : count <= 64 ? word({"i8", "i16"}) : count <= 16384 ? "i16" : "i32";
  int64_t most = element == "i1" ? 1 : element == "i8" ? 128 : element == "i16" ? 32768 : room;
  room = std::min(room, most);
  TileTy flat{element, {count}}, type{element, shape};
  Value offsets = define(flat, "iota : " + flat.str());
  if (flat != type)
    offsets = define(type, "reshape " + offsets.name + " : " + flat.str() + " -> " + type.str());
  if (room > count && chance(50)) {
    Value base = splat(type, std::to_string(below(room - count + 1)));
    offsets = define(type, "addi " + offsets.name + ", " + base.name + " : " + type.str());
  }
  return offsets;
}

int64_t Generator::byteSize(const std::string &element) {
  size_t digits = element.find_first_of("0123456789");
  int bits = std::stoi(element.substr(digits));
  return element == "tf32" ? 4 : std::max(bits / 8, 1);
}

std::vector<std::string> Generator::plainElements() const {
  std::vector<std::string> list{"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
  if (!has(Options::Floats))
    list.resize(5);
  else if (has(Options::SmallFloats) && options.maxBlocks > 1)
    list.insert(list.end(), {"f8E4M3FN", "f8E5M2", "tf32"});
  if (list.size() > 9 && version(2))
    list.push_back("f8E8M0FNU");
  return list;
}

/// What memory can hold; of 4-bit elements a tile needs two.
std::vector<std::string> Generator::memoryElements() const {
  std::vector<std::string> list = plainElements();
  if (list.size() > 9 && version(3))
    list.push_back("f4E2M1FN");
  return list;
}

/// The type of a tile of elements of a buffer.
TileTy Generator::accessed(const Buffer &buffer) {
  TileTy type{buffer.element, anyShape()};
  if (countOf(type.shape) > buffer.count)
    type.shape.clear();
  if (!allowed(type))
    type.shape = {2};
  return type;
}

bool Generator::isPlain(const std::string &element) const {
  std::vector<std::string> list = plainElements();
  return std::find(list.begin(), list.end(), element) != list.end();
}

void Generator::load() {
  const Buffer buffer = anyBuffer(false, memoryElements());
  TileTy type = accessed(buffer);
  Value offsets;
  std::string rest, restTypes;
  if (chance(30)) { // anywhere, the same element more than once
    int64_t room = 1;
    while (room * 2 <= buffer.count)
      room *= 2;
    offsets = mask(operand(type.with("i32")), room - 1);
  } else if (chance(40)) { // too far, under a mask
    Value in = distinctOffsets(type.shape, buffer.count * 2);
    bool isNarrow = in.type.element != "i32" && in.type.element != "i64";
    int64_t limit = isNarrow ? std::min<int64_t>(buffer.count, in.type.element == "i16" ? 30000 : 100) : buffer.count;
    Value count = in.type.element == "i1" ? splat(in.type, "true") : splat(in.type, std::to_string(limit));
    Value ok = define(type.with("i1"), "cmpi less_than " + in.name + ", " + count.name +
                                           ", unsigned : " + in.type.str() + " -> " + type.with("i1").str());
    offsets = in;
    rest = ", " + ok.name + ", " + operand(type).name;
    restTypes = ", " + ok.type.str() + ", " + type.str();
  } else {
    offsets = distinctOffsets(type.shape, buffer.count);
  }
  Value address = pointers(buffer, offsets);
  std::string next = fresh(), result = fresh();
  line(result + ", " + next + " = load_ptr_tko " + order(true) + " " + address.name + rest + tokenOperand("=") +
       hints() + " : " + address.type.str() + restTypes + " -> " + type.str() + ", token");
  pool.push_back({result, type});
  token = next;
}

void Generator::storeTo(const Buffer &target, const Value &value) {
  const Buffer buffer = target;
  bool output = !buffer.writable;
  Value offsets = distinctOffsets(value.type.shape, output ? 0 : buffer.count);
  Value address = pointers(buffer, offsets);
  std::string rest, restTypes;
  if (!output && chance(40)) {
    Value ok = operand(value.type.with("i1"));
    rest = ", " + ok.name;
    restTypes = ", " + ok.type.str();
  }
  std::string next = fresh();
  line(next + " = store_ptr_tko " + order(false) + " " + address.name + ", " + value.name + rest + tokenOperand("=") +
       hints() + " : " + address.type.str() + ", " + value.type.str() + restTypes + " -> token");
  token = next;
}

void Generator::store() {
  const Buffer buffer = anyBuffer(true, memoryElements());
  TileTy type = accessed(buffer);
  storeTo(buffer, operand(type));
}

void Generator::atomic() {
  std::vector<std::string> elements{"i32", "i64"};
  if (has(Options::Floats)) {
    elements.insert(elements.end(), {"f32", "f64", "f16"});
    if (version(3))
      elements.push_back("bf16");
  }
  const Buffer buffer = anyBuffer(true, elements);
  TileTy type{buffer.element, anyShape()};
  if (countOf(type.shape) > buffer.count)
    type.shape.clear();
  bool isInt = type.element[0] == 'i', is16 = type.element == "f16" || type.element == "bf16";
  Value address = pointers(buffer, distinctOffsets(type.shape, buffer.count));
  std::string how = word({"relaxed ", "acquire ", "release ", "acq_rel "}) + word({"tl_blk ", "device ", "sys "});
  std::string next = fresh(), result = fresh();
  Value argument = operand(type);
  std::string head = result + ", " + next + " = ", tail = tokenOperand("=") + " : " + address.type.str() + ", " +
                                                          type.str() + " -> " + type.str() + ", token";
  // Comparing and exchanging look at bits.
  if (!is16 && (isInt || !options.exact) && chance(25)) {
    Value compare = operand(type);
    std::string rest, restTypes;
    if (options.parameters && chance(40)) { // what is masked off gives what it is compared with
      Value ok = operand(type.with("i1"));
      rest = ", " + ok.name;
      restTypes = ", " + ok.type.str();
    }
    line(head + "atomic_cas_tko " + how + address.name + ", " + compare.name + ", " + argument.name + rest +
         tokenOperand("=") + " : " + address.type.str() + ", " + type.str() + restTypes + " -> " + type.str() +
         ", token");
  } else {
    std::string mode = isInt                ? word({"and", "or", "xor", "add", "max", "min", "umax", "umin", "xchg"})
                       : is16 || chance(70) ? "addf"
                                            : "xchg";
    if (options.parameters && chance(30)) { // what is masked off gives no number
      Value ok = operand(type.with("i1"));
      line(head + "atomic_rmw_tko " + how + address.name + ", " + mode + ", " + argument.name + ", " + ok.name +
           tokenOperand("=") + " : " + address.type.str() + ", " + type.str() + ", " + ok.type.str() + " -> " +
           type.str() + ", token");
      token = next;
      Value other = operand(type);
      define(type, "select " + ok.name + ", " + result + ", " + other.name + " : " + ok.type.str() + ", " + type.str());
      return;
    }
    line(head + "atomic_rmw_tko " + how + address.name + ", " + mode + ", " + argument.name + tail);
  }
  pool.push_back({result, type});
  token = next;
}

/// Comparing and exchanging floats: by their bits, so there are no NaNs in the array, which nothing else uses.
void Generator::compareFloats() {
  TileTy type{word({"f32", "f64"}), anyShape()};
  std::string name = "f" + std::to_string(parameters.size());
  int64_t count = countOf(type.shape);
  parameters.push_back("%" + name + (blocks() > 1 ? "_all" : "") + ": tile<ptr<" + type.element + ">>");
  arguments.push_back(name + ":" + type.element + "[" + std::to_string(count * blocks()) +
                      "]=integers(lo=-1,hi=1,seed=" + std::to_string(1 + below(1000)) + ")");
  if (blocks() > 1) {
    std::string scalar = "tile<ptr<" + type.element + ">>";
    prologue += "    %" + name + "_n = constant <i32: " + std::to_string(count) + "> : tile<i32>\n    %" + name +
                "_at = muli %block, %" + name + "_n : tile<i32>\n    %" + name + " = offset %" + name + "_all, %" +
                name + "_at : " + scalar + ", tile<i32> -> " + scalar + "\n";
  }
  Value compare = smallNumbers(type, 1, true), number = smallNumbers(type, 15, true);
  Value address = pointers({"%" + name, type.element, count, true}, distinctOffsets(type.shape, count));
  std::string next = fresh(), result = fresh(), rest, restTypes;
  if (chance(30)) {
    Value ok = operand(type.with("i1"));
    rest = ", " + ok.name;
    restTypes = ", " + ok.type.str();
  }
  line(result + ", " + next + " = atomic_cas_tko " + word({"relaxed ", "acquire ", "release ", "acq_rel "}) +
       word({"tl_blk ", "device ", "sys "}) + address.name + ", " + compare.name + ", " + number.name + rest +
       tokenOperand("=") + " : " + address.type.str() + ", " + type.str() + restTypes + " -> " + type.str() +
       ", token");
  pool.push_back({result, type});
  token = next;
}
