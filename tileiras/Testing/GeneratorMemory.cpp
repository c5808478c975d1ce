//===- GeneratorMemory.cpp - Buffers, pointers, views, atomics ------------===//
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

std::string Generator::hints() {
  if (!has(Options::Hints) || chance(70))
    return "";
  return " optimization_hints = <" + word({"sm_90", "default"}) + " = {latency = " + std::to_string(1 + below(10)) +
         "}>";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

std::string Generator::inputInit(const std::string &element) {
  bool isFloat = element[0] != 'i';
  std::string kind = isFloat && chance(40) ? "special" : isFloat && chance(30) ? "normal" : "random";
  return kind + "(seed=" + std::to_string(1 + below(1000)) + ")";
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
  parameters.push_back(base + (aligned ? "_any" : "") + ": " + type);
  arguments.push_back((output ? "out:" : "") + name + ":" + element + "[" + std::to_string(count * blocks()) + "]" +
                      (facts.empty() ? "" : "{" + join(facts, ",") + "}") + (output ? "" : "=" + inputInit(element)));
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
  return addBuffer(pick(elements), options.maxElements + below(64), /*output=*/false);
}

void Generator::addGlobal() {
  std::string element = chance(50) && has(Options::Floats) ? anyFloat() : anyInt(false);
  int64_t count = int64_t(1) << below(5);
  std::vector<std::string> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(literal(element));
  // Blocks share it: several must not write to it.
  bool isConstant = version(3) && chance(50), isWritable = !isConstant && blocks() == 1;
  TileTy type{element, {count}};
  globals += "  global " + std::string(version(3) && chance(50) ? "private " : "") + (isConstant ? "constant " : "") +
             "@table " + (chance(50) ? "alignment = 64 " : "") + "<" + element + ": [" + join(values) +
             "]> : " + type.str() + "\n";
  prologue += "    %table = get_global @table : tile<ptr<" + element + ">>\n";
  buffers.push_back({"%table", element, count, isWritable});
}

void Generator::addLocal() {
  std::string element = chance(50) && has(Options::Floats) ? anyFloat() : anyInt(false);
  int64_t count = int64_t(1) << below(6);
  // All of it is written before anything is read.
  TileTy type{element, {count}}, numbers{"i32", {count}}, pointers{"ptr<" + element + ">", {count}};
  TileTy one{"ptr<" + element + ">", {1}};
  prologue += "    %local = alloca num_elem = " + std::to_string(count) + ", alignment = 16 : tile<ptr<" + element +
              ">>\n    %local_at = iota : " + numbers.str() + "\n    %local_1 = reshape %local : tile<ptr<" + element +
              ">> -> " + one.str() + "\n    %local_all = broadcast %local_1 : " + one.str() + " -> " + pointers.str() +
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
  if (chance(10)) {
    cast("ptr_to_ptr", type.with("ptr<i8>"));
    cast("ptr_to_ptr", type);
  }
  return result;
}

/// Different numbers in [0, room), one for each element.
Value Generator::distinctOffsets(const Shape &shape, int64_t room) {
  std::string element = word({"i32", "i64"});
  int64_t count = countOf(shape);
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
  return list;
}

bool Generator::isPlain(const std::string &element) const {
  std::vector<std::string> list = plainElements();
  return std::find(list.begin(), list.end(), element) != list.end();
}

void Generator::load() {
  const Buffer buffer = anyBuffer(false, plainElements());
  TileTy type{buffer.element, anyShape()};
  if (countOf(type.shape) > buffer.count)
    type.shape.clear();
  Value offsets;
  std::string rest, restTypes;
  if (chance(30)) { // anywhere, the same element more than once
    int64_t room = 1;
    while (room * 2 <= buffer.count)
      room *= 2;
    offsets = mask(operand(type.with("i32")), room - 1);
  } else if (chance(40)) { // too far, under a mask
    Value in = distinctOffsets(type.shape, buffer.count * 2);
    Value count = splat(in.type, std::to_string(buffer.count));
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
  const Buffer buffer = anyBuffer(true, plainElements());
  TileTy type{buffer.element, anyShape()};
  if (countOf(type.shape) > buffer.count)
    type.shape.clear();
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
    line(head + "atomic_rmw_tko " + how + address.name + ", " + mode + ", " + argument.name + tail);
  }
  pool.push_back({result, type});
  token = next;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void Generator::view() {
  const Buffer buffer = anyBuffer(false, plainElements());
  // A tensor of any extents that fits.
  size_t rank = 1 + below(options.maxRank > 3 && chance(20) ? 6 : 3);
  Shape extents(rank, 1), strides(rank, 1);
  int64_t room = buffer.count;
  for (size_t i = rank; i-- > 0;) {
    extents[i] = 1 + below(std::min<int64_t>(room, i == 0 ? room : 24));
    room /= extents[i];
  }
  // The last dimension lies innermost, or any other; with gaps if there is room for them.
  Shape place;
  for (size_t i = 0; i < rank; ++i)
    place.insert(place.begin() + (!options.parameters || chance(75) ? place.size() : below(place.size() + 1)), i);
  int64_t step = 1;
  for (size_t i = rank; i-- > 0;) {
    if (options.parameters && room > 1 && chance(25)) {
      int64_t gap = 1 + below(std::min<int64_t>(room, 4));
      step *= gap;
      room /= gap;
    }
    strides[place[i]] = step;
    step *= extents[place[i]];
  }
  std::vector<std::string> shapeWords, strideWords, shapeTypes, strideTypes;
  std::string number = word({"i32", "i64"});
  bool anyDynamic = false;
  for (size_t i = 0; i < rank; ++i)
    for (bool isShape : {true, false}) {
      int64_t extent = isShape ? extents[i] : strides[i];
      bool dynamic = chance(25);
      anyDynamic |= dynamic;
      std::string text = std::to_string(extent);
      (isShape ? shapeTypes : strideTypes).push_back(dynamic ? "?" : text);
      (isShape ? shapeWords : strideWords).push_back(dynamic ? known(number, extent).name : text);
    }
  std::string tensorType =
      "tensor_view<" + join(shapeTypes, "x") + "x" + buffer.element + ", strides=[" + join(strideTypes, ",") + "]>";
  std::string tensor = fresh();
  line(tensor + " = make_tensor_view " + buffer.name + ", shape = [" + join(shapeWords) + "], strides = [" +
       join(strideWords) + "] : " + (anyDynamic ? "tile<" + number + "> -> " : "") + tensorType);

  // Tiles of it.
  bool strided = version(3) && chance(30);
  Shape order;
  for (size_t i = 0; i < rank; ++i)
    order.insert(order.begin() + (chance(75) ? order.size() : below(order.size() + 1)), i);
  bool identity = std::is_sorted(order.begin(), order.end());
  TileTy type{buffer.element, {}};
  Shape steps;
  int64_t left = options.maxElements;
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = 1;
    while (extent < extents[order[i]] && extent * 2 <= left && chance(75))
      extent *= 2;
    left /= extent;
    type.shape.push_back(extent);
    steps.push_back(strided ? 1 + below(extent + 2) : extent);
  }
  // What is loaded beyond the edges has to be said; atomic reductions take no such views.
  bool isInt = buffer.element[0] == 'i';
  bool reduces = version(3) && has(Options::Atomics) && buffer.writable && chance(20) &&
                 (buffer.element == "i32" || buffer.element == "i64" || buffer.element == "f32");
  std::string viewType = std::string(strided ? "strided_view" : "partition_view") + "<tile=(" + dims(type.shape) +
                         "), " + (strided ? "traversal_strides=[" + dims(steps, ",") + "], " : "") +
                         (reduces ? "" : "padding_value = " + padding(buffer.element) + ", ") + tensorType +
                         (identity ? "" : ", dim_map=[" + dims(order, ", ") + "]") + ">";
  std::string view = fresh();
  line(view + " = " + (strided ? "make_strided_view " : "make_partition_view ") + tensor + " : " + viewType);
  if (chance(25)) {
    bool ofTensor = chance(50);
    std::string sizes = fresh();
    TileTy scalar{ofTensor ? "i64" : "i32", {}};
    line(sizes + (rank > 1 ? ":" + std::to_string(rank) : "") + " = " +
         (ofTensor ? "get_tensor_shape " + tensor + " : " + tensorType
                   : "get_index_space_shape " + view + " : " + viewType) +
         " -> " + scalar.str());
    for (size_t i = 0; i < rank; ++i)
      pool.push_back({rank > 1 ? sizes + "#" + std::to_string(i) : sizes, scalar});
  }
  std::vector<std::string> indices;
  for (size_t i = 0; i < rank; ++i)
    indices.push_back(index((extents[order[i]] + steps[i] - 1) / steps[i]).name);
  std::string at = view + "[" + join(indices) + "]";
  std::string next = fresh();
  if (reduces) {
    Value value = operand(type);
    line(next + " = atomic_red_view_tko relaxed " + word({"device ", "tl_blk "}) + at + ", " +
         (isInt ? word({"add", "and", "or", "xor", "max", "umin"}) : "addf") + ", " + value.name + tokenOperand(" = ") +
         " : " + type.str() + ", " + viewType + ", tile<i32> -> token");
  } else if (buffer.writable && chance(40)) {
    Value value = operand(type);
    line(next + " = store_view_tko " + this->order(false) + " " + value.name + ", " + at + tokenOperand(" = ") +
         hints() + " : " + type.str() + ", " + viewType + ", tile<i32> -> token");
  } else {
    std::string result = fresh();
    line(result + ", " + next + " = load_view_tko " + this->order(true) + " " + at + tokenOperand(" = ") + hints() +
         " : " + viewType + ", tile<i32> -> " + type.str() + ", token");
    pool.push_back({result, type});
  }
  token = next;
}

/// A store of an operand to the place `at` of a view, or a load from it into a new tile. `types` are those of the view and its indices.
void Generator::accessView(bool isStore, const std::string &at, const std::string &types, const TileTy &type,
                         const std::string &next) {
  if (isStore) {
    Value value = operand(type);
    line(next + " = store_view_tko weak " + value.name + ", " + at + tokenOperand(" = ") + " : " + type.str() + ", " +
         types + " -> token");
  } else {
    std::string result = fresh();
    line(result + ", " + next + " = load_view_tko weak " + at + tokenOperand(" = ") + " : " + types + " -> " +
         type.str() + ", token");
    pool.push_back({result, type});
  }
  token = next;
}

/// Rows of a matrix, all different, the last followed by the first.
void Generator::gather() {
  const Buffer buffer = anyBuffer(false, plainElements());
  if (options.parameters && chance(60))
    return gatherAnywhere(buffer);
  int64_t columns = std::min<int64_t>(buffer.count, 1 + below(16)), rows = buffer.count / columns;
  std::string tensorType = "tensor_view<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" +
                           buffer.element + ", strides=[" + std::to_string(columns) + ",1]>";
  int64_t height = 1, width = 1;
  while (height * 2 <= std::min<int64_t>(rows, options.maxElements) && chance(60))
    height *= 2;
  while (width < columns && width * height * 2 <= options.maxElements && chance(80))
    width *= 2;
  std::string viewType = "gather_scatter_view<tile=(" + std::to_string(height) + "x" + std::to_string(width) +
                         "), padding_value = zero, " + tensorType + ", sparse_dim=0>";
  std::string tensor = fresh(), view = fresh(), next = fresh();
  line(tensor + " = make_tensor_view " + buffer.name + ", shape = [" + std::to_string(rows) + ", " +
       std::to_string(columns) + "], strides = [" + std::to_string(columns) + ", 1] : " + tensorType);
  line(view + " = make_gather_scatter_view " + tensor + " : " + viewType);
  std::vector<std::string> numbers;
  int64_t first = below(rows);
  for (int64_t i = 0; i < height; ++i)
    numbers.push_back(std::to_string((first + i) % rows));
  Value which = splat({"i32", {height}}, "[" + join(numbers) + "]"), zero = splat({"i32", {}}, "0");
  std::string at = view + "[" + which.name + ", " + zero.name + "]";
  std::string types = viewType + ", " + which.type.str() + ", tile<i32>";
  TileTy type{buffer.element, {height, width}};
  accessView(buffer.writable && chance(40), at, types, type, next);
}

/// Any dimension, indices that are computed, repeated when nothing is written, and a tile that hangs over the other
/// dimensions.
void Generator::gatherAnywhere(const Buffer &buffer) {
  size_t rank = 1 + below(3), sparse = below(rank);
  Shape extents(rank, 1), strides(rank, 1);
  int64_t room = buffer.count;
  for (size_t i = rank; i-- > 0;) {
    extents[i] = 1 + below(std::min<int64_t>(room, i == 0 ? room : 20));
    room /= extents[i];
  }
  for (size_t i = rank - 1; i-- > 0;)
    strides[i] = strides[i + 1] * extents[i + 1];
  TileTy type{buffer.element, {}};
  int64_t left = std::max<int64_t>(options.maxElements, 1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = 1;
    while (extent * 2 <= left && extent < extents[i] && chance(75))
      extent *= 2;
    left /= extent;
    type.shape.push_back(extent);
  }
  // As many different numbers as fit, computed: iota times an odd number, modulo a power of two that does not exceed
  // the extent.
  int64_t range = 1;
  while (range * 2 <= extents[sparse])
    range *= 2;
  type.shape[sparse] = std::min(type.shape[sparse], range);
  bool isStore = buffer.writable && chance(40);
  TileTy numbers{word({"i32", "i64"}), {type.shape[sparse]}};
  Value which = define(numbers, "iota : " + numbers.str());
  if (isStore || chance(50)) {
    Value factor = splat(numbers, word({"1", "3", "5", "7"}));
    which = define(numbers, "muli " + which.name + ", " + factor.name + " : " + numbers.str());
  } else {
    which = operand(numbers);
  }
  which = mask(which, range - 1);
  std::string tensorType =
      "tensor_view<" + dims(extents) + "x" + buffer.element + ", strides=[" + dims(strides, ",") + "]>";
  std::string viewType = "gather_scatter_view<tile=(" + dims(type.shape) +
                         "), padding_value = " + padding(buffer.element) + ", " + tensorType +
                         ", sparse_dim=" + std::to_string(sparse) + ">";
  std::string tensor = fresh(), view = fresh(), next = fresh();
  line(tensor + " = make_tensor_view " + buffer.name + ", shape = [" + dims(extents, ", ") + "], strides = [" +
       dims(strides, ", ") + "] : " + tensorType);
  line(view + " = make_gather_scatter_view " + tensor + " : " + viewType);
  std::vector<std::string> indices, indexTypes;
  for (size_t i = 0; i < rank; ++i)
    indices.push_back(i == sparse ? which.name : index((extents[i] + type.shape[i] - 1) / type.shape[i]).name);
  for (size_t i = 0; i < rank; ++i)
    indexTypes.push_back(i == sparse ? numbers.str() : "tile<i32>");
  std::string at = view + "[" + join(indices) + "]", types = viewType + ", " + join(indexTypes);
  accessView(isStore, at, types, type, next);
}
