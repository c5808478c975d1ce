//===- GeneratorKernels.cpp - What makes a module a kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Grids, numbers that only the launch knows, early exits, and operations whose
// results are only exact, or only near, for operands chosen for them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// The block's ids, and a number that every block has for itself.
void Generator::makeGrid() {
  int64_t left = options.maxBlocks;
  for (int64_t &extent : grid) {
    extent = 1 + below(std::min<int64_t>(left, 3));
    left /= extent;
  }
  if (blocks() == 1 && !chance(40))
    return;
  std::vector<std::string> where{fresh(), fresh(), fresh()}, all{fresh(), fresh(), fresh()};
  const std::string end = " : tile<i32>\n";
  prologue += "    " + join(where) + " = get_tile_block_id" + end + "    " + join(all) + " = get_num_tile_blocks" + end;
  for (int i = 0; i < 3; ++i) {
    pool.push_back({where[i], {"i32", {}}, grid[i]});
    pool.push_back({all[i], {"i32", {}}, grid[i] + 1});
  }
  blockIds = where;
  prologue += "    %row = muli " + where[2] + ", " + all[1] + end + "    %column = addi %row, " + where[1] + end +
              "    %plane = muli %column, " + all[0] + end + "    %block = addi %plane, " + where[0] + end;
  pool.push_back({"%block", {"i32", {}}, blocks()});
}

/// A number: a constant, or a parameter of the kernel, which the compiler does not know.
Value Generator::known(const std::string &element, int64_t number) {
  if (!options.parameters || chance(40))
    return splat({element, {}}, element == "i1" ? number ? "true" : "false" : std::to_string(number));
  std::string name = "n" + std::to_string(parameters.size());
  arguments.push_back(name + ":" + element + "=" +
                      (element != "i1" ? std::to_string(number)
                       : number        ? "true"
                                       : "false"));
  parameters.push_back("%" + name + ": tile<" + element + ">");
  return {"%" + name, {element, {}}, number >= 0 ? number + 1 : 0};
}

/// A tile whose elements differ, made from their places.
Value Generator::varied(const TileTy &type) {
  TileTy line{"i32", {countOf(type.shape)}}, places{"i32", type.shape};
  Value value = define(line, "iota : " + line.str());
  if (line.shape != places.shape)
    value = define(places, "reshape " + value.name + " : " + line.str() + " -> " + places.str());
  const std::string end = " : " + places.str();
  if (chance(50)) {
    Value factor = splat(places, word({"5", "-3", "1025", "40503"}));
    value = define(places, "muli " + value.name + ", " + factor.name + end);
  }
  const std::string &element = type.element;
  std::string to = end + " -> " + type.str();
  if (element == "i32")
    return value;
  if (element == "f8E8M0FNU") { // made of its bits: 0xFF would be a NaN
    TileTy bytes = type.with("i8");
    Value low = define(bytes, "trunci " + value.name + end + " -> " + bytes.str());
    Value bits = mask(low, 127);
    return define(type, "bitcast " + bits.name + " : " + bytes.str() + " -> " + type.str());
  }
  if (element == "i64")
    return define(type, "exti " + value.name + " " + sign() + to);
  if (element[0] == 'i')
    return define(type, "trunci " + value.name + to);
  Value few = mask(value, 31), middle = splat(places, "11");
  Value number = define(places, "subi " + few.name + ", " + middle.name + end);
  number = define(type, "itof " + number.name + " signed" + to);
  bool isBase = element == "f16" || element == "bf16" || element == "f32" || element == "f64";
  if (!isBase || chance(40))
    return number;
  // Numbers of many bits, so that what is computed of them is rounded.
  Value factor = splat(type, word({"0.1", "-0.7", "3.14159", "0.0077", "33.3"}));
  return define(type, "mulf " + number.name + ", " + factor.name + " : " + type.str());
}

/// An array of which every block reads or writes one tile, through a view that hangs over its edges.
void Generator::gridTile(bool isStore, const std::string &ofType) {
  TileTy type{"", {int64_t(1) << below(6), int64_t(1) << below(6)}};
  while (countOf(type.shape) > options.maxElements)
    type.shape[type.shape[0] > 1 ? 0 : 1] /= 2;
  type.element = ofType.empty() ? pick(plainElements()) : ofType;
  if (type.element == "f4E2M1FN")
    type.shape[1] = std::max<int64_t>(type.shape[1], 2);
  Value stored;
  if (isStore && !ofType.empty()) {
    TileTy from = type.with(anyFloat());
    stored = define(type, "ftof " + operand(from).name + " : " + from.str() + " -> " + type.str());
  } else if (isStore) { // something that was computed, if there is one
    std::vector<Value> found;
    for (const Value &value : pool)
      if (value.type.shape.size() == 2 && isPlain(value.type.element))
        found.push_back(value);
    stored = found.empty() ? operand(type) : pick(found);
    type = stored.type;
  }
  bool swapped = chance(25); // dim_map
  Shape extents(2);
  for (int64_t d = 0; d < 2; ++d) {
    int64_t tile = type.shape[swapped ? 1 - d : d], count = grid[swapped ? 1 - d : d];
    // In the last tile of the grid lies at least one element.
    extents[d] = (count - 1) * tile + 1 + below(tile + (isStore ? 0 : 3));
  }
  int64_t pitch = extents[1] + (chance(40) ? below(9) : 0);
  std::string name = "g" + std::to_string(parameters.size());
  parameters.push_back("%" + name + ": tile<ptr<" + type.element + ">>");
  arguments.push_back((isStore ? "out:" : "") + name + ":" + type.element + "[" + dims(extents) +
                      "]{strides=" + std::to_string(pitch) + "x1}=" + (isStore ? "zeros" : inputInit(type.element)));
  Value rows = known("i32", extents[0]), columns = known("i32", extents[1]), step = known("i32", pitch);
  bool dynamic[3] = {chance(50), chance(50), chance(50)};
  const Value *numbers[3] = {&rows, &columns, &step};
  const int64_t fixed[3] = {extents[0], extents[1], pitch};
  std::string operands[3], types[3];
  for (int i = 0; i < 3; ++i) {
    operands[i] = dynamic[i] ? numbers[i]->name : std::to_string(fixed[i]);
    types[i] = dynamic[i] ? "?" : std::to_string(fixed[i]);
  }
  bool any = dynamic[0] || dynamic[1] || dynamic[2];
  std::string tensorType =
      "tensor_view<" + types[0] + "x" + types[1] + "x" + type.element + ", strides=[" + types[2] + ",1]>";
  std::string viewType = "partition_view<tile=(" + dims(type.shape) + "), " +
                         (isStore ? "" : "padding_value = " + padding(type.element) + ", ") + tensorType +
                         (swapped ? ", dim_map=[1, 0]" : "") + ">";
  std::string tensor = fresh(), view = fresh(), next = fresh();
  line(tensor + " = make_tensor_view %" + name + ", shape = [" + operands[0] + ", " + operands[1] + "], strides = [" +
       operands[2] + ", 1] : " + (any ? "tile<i32> -> " : "") + tensorType);
  line(view + " = make_partition_view " + tensor + " : " + viewType);
  std::string at = view + "[" + (blockIds.empty() ? splat({"i32", {}}, "0").name : blockIds[0]) + ", " +
                   (blockIds.empty() ? splat({"i32", {}}, "0").name : blockIds[1]) + "]";
  if (isStore) {
    // Blocks that differ in z only would write the same elements.
    line(next + " = store_view_tko weak " + stored.name + ", " + at + tokenOperand(" = ") + hints() + " : " +
         type.str() + ", " + viewType + ", tile<i32> -> token");
  } else {
    std::string result = fresh();
    line(result + ", " + next + " = load_view_tko weak " + at + tokenOperand(" = ") + hints() + " : " + viewType +
         ", tile<i32> -> " + type.str() + ", token");
    pool.push_back({result, type});
  }
  token = next;
}

void Generator::gridLoad() { gridTile(false); }

/// Two numbers of a byte: read by all blocks, or written by the one there is.
void Generator::fourBitFloats() {
  gridTile(false, "f4E2M1FN");
  Value loaded = pool.back();
  TileTy wide = loaded.type.with(anyFloat());
  define(wide, "ftof " + loaded.name + " : " + loaded.type.str() + " -> " + wide.str());
  if (blocks() == 1 && loops.empty())
    gridTile(true, "f4E2M1FN");
}

/// Counters that all blocks change at once, at places that may be the same: what was there before is not looked at.
void Generator::sharedAtomic() {
  std::string element = word({"i32", "i64"}), mode = word({"add", "xor", "or", "and", "max", "umin"});
  int64_t count = int64_t(1) << below(7);
  std::string name = "c" + std::to_string(parameters.size());
  parameters.push_back("%" + name + ": tile<ptr<" + element + ">>");
  arguments.push_back(name + ":" + element + "[" + std::to_string(count) + "]=" + inputInit(element));
  TileTy type{element, anyShape()};
  Value value = operand(type), where = mask(operand(type.with("i32")), count - 1);
  Value address = pointers({"%" + name, element, count, true}, where);
  std::string rest, restTypes;
  if (chance(40)) {
    Value ok = operand(type.with("i1"));
    rest = ", " + ok.name;
    restTypes = ", " + ok.type.str();
  }
  std::string next = fresh();
  line(fresh() + ", " + next + " = atomic_rmw_tko relaxed " + word({"device ", "sys "}) + address.name + ", " + mode +
       ", " + value.name + rest + tokenOperand("=") + " : " + address.type.str() + ", " + type.str() + restTypes +
       " -> " + type.str() + ", token");
  token = next;
}

//===----------------------------------------------------------------------===//
// Early exits
//===----------------------------------------------------------------------===//

/// `if` that leaves the loop around it, or goes on with its next round.
void Generator::earlyExit() {
  Value condition = operand({"i1", {}});
  std::string before = token;
  line("if " + condition.name + " {");
  if (chance(25))
    line("} else {");
  size_t mark = enterBody({}, false);
  body(below(3));
  leaveLoop();
  leaveBody(mark);
  line("}");
  token = before;
}

/// `if` that ends the kernel, for all blocks or some.
void Generator::earlyReturn() {
  Value condition = operand({"i1", {}});
  std::string before = token;
  line("if " + condition.name + " {");
  size_t mark = enterBody({}, false);
  body(below(3));
  line("return");
  leaveBody(mark);
  line("}");
  token = before;
}

/// The last operation of a branch: on to the next round, or out of the loop.
void Generator::leaveLoop() {
  const LoopFrame frame = loops.back();
  if (frame.counter.empty()) {
    line("continue " + yieldedValues(frame.carried) + " : " + join(frame.carried.types));
  } else if (version(4) && chance(25) &&
             std::none_of(loops.begin(), loops.end(), [](const LoopFrame &f) { return f.counter.empty(); })) {
    line("return");
  } else if (chance(50)) {
    line("break " + yieldedValues(frame.results) + " : " + join(frame.results.types));
  } else {
    std::string next = fresh();
    line(next + " = addi " + frame.counter + ", " + frame.one + " : tile<i32>");
    line("continue " + next + ", " + yieldedValues(frame.carried) + " : tile<i32>, " + join(frame.carried.types));
  }
}

//===----------------------------------------------------------------------===//
// Operands for which results are exact
//===----------------------------------------------------------------------===//

/// Small whole numbers from -least to `most`, as any type.
Value Generator::smallNumbers(const TileTy &type, int64_t bits, bool negative) {
  TileTy ints = type.with(word({"i8", "i16", "i32"}));
  std::vector<Value> reals;
  if (options.parameters && version(4) && chance(30))
    for (const Value &value : pool)
      if (value.type.shape == type.shape && (value.type.element == "f32" || value.type.element == "f64"))
        reals.push_back(value);
  Value source;
  if (reals.empty()) {
    source = operand(ints);
  } else { // what was computed goes on
    source = pick(reals);
    source = define(ints, "ftoi " + source.name + " signed saturating : " + source.type.str() + " -> " + ints.str());
  }
  Value small = mask(source, bits);
  if (negative) {
    Value middle = splat(ints, std::to_string((bits + 1) / 2));
    small = define(ints, "subi " + small.name + ", " + middle.name + " : " + ints.str());
  }
  if (type.element == ints.element)
    return small;
  if (type.element[0] == 'i') {
    bool wider = std::stoi(type.element.substr(1)) > std::stoi(ints.element.substr(1));
    return define(type, (wider ? "exti " : "trunci ") + small.name + (wider ? " signed" : "") + " : " + ints.str() +
                            " -> " + type.str());
  }
  return define(type, "itof " + small.name + " signed : " + ints.str() + " -> " + type.str());
}

/// mmaf and mmaf_scaled of numbers whose sums are exact in the accumulator.
void Generator::exactMatrix() {
  std::string in =
      has(Options::SmallFloats) ? word({"f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2"}) : anyFloat();
  auto extent = [&](int64_t most) {
    int64_t n = 1;
    while (n < most && chance(85))
      n *= 2;
    return n;
  };
  int64_t side = options.maxElements >= 1024 ? 64 : 16;
  int64_t m = extent(side), n = extent(side), k = extent(32);
  Shape batch;
  if (chance(20))
    batch.push_back(int64_t(1) << below(3));
  auto tile = [&](const std::string &element, int64_t rows, int64_t columns) {
    TileTy type{element, batch};
    type.shape.insert(type.shape.end(), {rows, columns});
    return type;
  };
  if (has(Options::SmallFloats) && version(3) && chance(25)) {
    // Scaled: values and scales from lists, and numbers of f8.
    in = word({"f8E4M3FN", "f8E5M2", "f4E2M1FN"});
    int64_t block = in == "f4E2M1FN" && chance(50) ? 16 : 32;
    std::string scale = in == "f4E2M1FN" && block == 16 && chance(50) ? "f8E4M3FN" : "f8E8M0FNU";
    k = block << below(3);
    m = std::max<int64_t>(m, 2);
    n = in == "f4E2M1FN" ? std::max<int64_t>(n, 2) : n;
    TileTy a = tile(in, m, k), b = tile(in, k, n), c = tile("f32", m, n);
    TileTy sa = tile(scale, m, k / block), sb = tile(scale, k / block, n);
    auto values = [&](const TileTy &type) {
      return type.element == "f4E2M1FN" ? listed(type, {"0.0", "0.5", "1.0", "-1.5", "2.0", "-3.0", "4.0", "-6.0"})
                                        : smallNumbers(type, 3, true);
    };
    Value lhs = values(a), rhs = values(b), sum = smallNumbers(c, 15, true);
    Value left = listed(sa, {"0.5", "1.0", "2.0", "4.0"}), right = listed(sb, {"0.5", "1.0", "2.0", "4.0"});
    define(c, "mmaf_scaled " + join({lhs.name, rhs.name, sum.name, left.name, right.name}) + " : " +
                  join({a.str(), b.str(), c.str(), sa.str(), sb.str()}));
    return;
  }
  std::string out = in == "f64" ? "f64" : "f32";
  int64_t bits = 7;
  if ((in == "f16" || in[1] == '8') && chance(30)) { // at most 32 * 4 * 4 + 8 < 2048
    out = "f16";
    bits = 3;
  }
  TileTy a = tile(in, m, k), b = tile(in, k, n), c = tile(out, m, n);
  Value lhs = smallNumbers(a, bits, true), rhs = smallNumbers(b, bits, true), sum = smallNumbers(c, bits, true);
  // In a loop or once: sums that go round stay exact for a few rounds only, so the accumulator is always fresh.
  define(c, "mmaf " + lhs.name + ", " + rhs.name + ", " + sum.name +
                (version(3) && in[1] == '8' && chance(40) ? " fast_acc" : "") + " : " + a.str() + ", " + b.str() +
                ", " + c.str());
}

/// A tile of a matrix through pointers, zero outside of it: `at` says which tile, `steps` how far elements lie apart.
void Generator::gatherTile(const std::string &tile, const std::string &done, const std::string &after,
                           const TileTy &type, const std::string &pointer, const std::array<std::string, 2> &at,
                           const Shape &extents, const Shape &steps) {
  const TileTy numbers = type.with("i32"), mask = type.with("i1"), pointers = type.with("ptr<" + type.element + ">");
  auto spread = [&](const std::string &value, const TileTy &of, const TileTy &to) {
    TileTy ones{of.element, Shape(to.shape.size(), 1)};
    std::string one = fresh(), all = fresh();
    line("  " + one + " = reshape " + value + " : " + of.str() + " -> " + ones.str());
    line("  " + all + " = broadcast " + one + " : " + ones.str() + " -> " + to.str());
    return all;
  };
  auto number = [&](int64_t value, const TileTy &of) {
    std::string name = fresh();
    line("  " + name + " = constant <" + of.element + ": " + std::to_string(value) + "> : " + of.str());
    return name;
  };
  auto binary = [&](const std::string &op, const std::string &a, const std::string &b, const TileTy &of) {
    std::string name = fresh();
    line("  " + name + " = " + op + " " + a + ", " + b + " : " + of.str());
    return name;
  };
  const TileTy scalar{"i32", {}};
  std::string offset, inside;
  for (int d = 0; d < 2; ++d) {
    TileTy line1{"i32", {type.shape[d]}};
    Shape wide(2, 1);
    wide[d] = type.shape[d];
    TileTy stretched{"i32", wide};
    std::string first = binary("muli", at[d], number(type.shape[d], scalar), scalar), iota = fresh();
    line("  " + iota + " = iota : " + line1.str());
    std::string here = binary("addi", spread(first, scalar, line1), iota, line1), turned = fresh(), all = fresh(),
                in = fresh();
    line("  " + turned + " = reshape " + here + " : " + line1.str() + " -> " + stretched.str());
    line("  " + all + " = broadcast " + turned + " : " + stretched.str() + " -> " + numbers.str());
    line("  " + in + " = cmpi less_than " + all + ", " + number(extents[d], numbers) + ", signed : " + numbers.str() +
         " -> " + mask.str());
    std::string step = binary("muli", all, number(steps[d], numbers), numbers);
    offset = d ? binary("addi", offset, step, numbers) : step;
    inside = d ? binary("andi", inside, in, mask) : in;
  }
  std::string address = fresh(), zero = fresh();
  line("  " + address + " = offset " + spread(pointer, {"ptr<" + type.element + ">", {}}, pointers) + ", " + offset +
       " : " + pointers.str() + ", " + numbers.str() + " -> " + pointers.str());
  line("  " + zero + " = constant <" + type.element + ": " + (type.element[0] == 'i' ? "0" : "0.0") +
       "> : " + type.str());
  line("  " + tile + ", " + done + " = load_ptr_tko weak " + address + ", " + inside + ", " + zero + " token=" + after +
       " : " + pointers.str() + ", " + mask.str() + ", " + type.str() + " -> " + type.str() + ", token");
}

/// What most kernels are: products of matrices in memory, tile by tile of the inner dimension, with edges that hang
/// over. One pair of matrices or two; tiles may be converted before they are multiplied, and their number may be
/// carried beside the counter.
void Generator::matrixLoop() {
  struct Kind {
    const char *in, *out;
  };
  static const Kind kinds[] = {{"f16", "f32"},      {"bf16", "f32"},   {"f32", "f32"}, {"f64", "f64"}, {"i8", "i32"},
                               {"f8E4M3FN", "f32"}, {"f8E5M2", "f32"}, {"f16", "f16"}, {"tf32", "f32"}};
  const Kind kind = kinds[below(has(Options::SmallFloats) ? 9 : 5)];
  bool isInt = kind.in[0] == 'i', isHalf = kind.out[1] == '1';
  auto extent = [&] { return int64_t(8) << below(options.maxElements >= 1024 ? 4 : 2); };
  int64_t m = extent(), n = extent(), k = extent();
  while (std::max({m * n, m * k, n * k}) > std::max<int64_t>(options.maxElements, 64))
    (m >= n && m >= k ? m : n >= k ? n : k) /= 2;
  int64_t rounds = 1 + below(isHalf ? 2 : 6); // f16 stays exact: two pairs are at most 2 * 2 * 16 * 4 * 4
  if (isHalf)
    k = std::min<int64_t>(k, 16);
  int64_t inner = (rounds - 1) * k + 1 + below(k);
  const std::string element = kind.in;
  // What is in memory: numbers that are exact in all types.
  std::string stored = element;
  if (chance(25) && (element == "f16" || element == "bf16" || element == "tf32"))
    stored = has(Options::SmallFloats) && element == "f16" && chance(50) ? word({"f8E4M3FN", "f8E5M2"}) : "f32";
  struct Operand {
    std::string view, viewType;
    TileTy type;
    bool swapped;
    bool gathered;       ///< loaded through a tile of pointers
    std::string pointer; ///< to the first element
    int64_t rows, columns, pitch;
  };
  auto matrix = [&](int64_t tileRows, int64_t tileColumns, int64_t rows, int64_t columns) {
    Operand result;
    result.type = {stored, {tileRows, tileColumns}};
    result.swapped = chance(30); // in memory the other way round
    Shape inMemory = result.swapped ? Shape{columns, rows} : Shape{rows, columns};
    int64_t pitch = (inMemory[1] + 15) / 16 * 16 + (chance(30) ? below(5) : 0);
    std::string name = "m" + std::to_string(parameters.size());
    parameters.push_back("%" + name + ": tile<ptr<" + stored + ">>");
    arguments.push_back(name + ":" + stored + "[" + dims(inMemory) + "]{strides=" + std::to_string(pitch) +
                        "x1}=integers(lo=-4,hi=4,seed=" + std::to_string(1 + below(1000)) + ")");
    Value stride = known("i32", pitch), length = known("i32", inMemory[0]);
    bool dynamic = chance(50);
    std::string tensorType = "tensor_view<" + (dynamic ? "?" : std::to_string(inMemory[0])) + "x" +
                             std::to_string(inMemory[1]) + "x" + stored + ", strides=[" +
                             (dynamic ? "?" : std::to_string(pitch)) + ",1]>";
    result.viewType = "partition_view<tile=(" + dims(result.type.shape) + "), padding_value = zero, " + tensorType +
                      (result.swapped ? ", dim_map=[1, 0]" : "") + ">";
    std::string tensor = fresh(), pointer = "%" + name;
    if (chance(60)) { // arrays are: then copies may be wide
      pointer = fresh();
      line(pointer + " = assume div_by<16>, %" + name + " : tile<ptr<" + stored + ">>");
    }
    result.gathered = chance(20);
    result.pointer = pointer;
    result.rows = rows, result.columns = columns, result.pitch = pitch;
    result.view = fresh();
    line(tensor + " = make_tensor_view " + pointer + ", shape = [" +
         (dynamic ? length.name : std::to_string(inMemory[0])) + ", " + std::to_string(inMemory[1]) + "], strides = [" +
         (dynamic ? stride.name : std::to_string(pitch)) + ", 1] : " + (dynamic ? "tile<i32> -> " : "") + tensorType);
    line(result.view + " = make_partition_view " + tensor + " : " + result.viewType);
    return result;
  };
  // Rows of blocks, columns of blocks.
  int64_t blocksX = blockIds.empty() ? 1 : grid[0], blocksY = blockIds.empty() ? 1 : grid[1];
  std::vector<std::pair<Operand, Operand>> pairs;
  for (int64_t i = chance(25) ? 2 : 1; i > 0; --i) {
    Operand a = matrix(m, k, blocksX * m - below(m), inner);
    pairs.emplace_back(a, matrix(k, n, inner, blocksY * n - below(n)));
  }
  Value zero = known("i32", 0), one = known("i32", 1), trips = known("i32", rounds);
  TileTy type{kind.out, {m, n}};
  Value start = smallNumbers(type, 7, true);
  std::string row = blockIds.empty() ? zero.name : blockIds[0], column = blockIds.empty() ? zero.name : blockIds[1];
  std::string sum = fresh(), iv = fresh(), acc = fresh(), inToken = fresh(), number = fresh(), nextNumber = fresh();
  bool counted = chance(20);
  line(sum + ":3 = for " + iv + " in (" + zero.name + " to " + trips.name + ", step " + one.name +
       ") : tile<i32> iter_values(" + acc + " = " + start.name + ", " + inToken + " = " + token + ", " + number +
       " = " + zero.name + ") -> (" + type.str() + ", token, tile<i32>) {");
  std::string total = acc, tokens;
  auto load = [&](const Operand &operand, const std::string &atRow, const std::string &atColumn) {
    std::string tile = fresh(), done = fresh();
    if (operand.gathered) {
      gatherTile(tile, done, inToken, operand.type, operand.pointer, {atRow, atColumn}, {operand.rows, operand.columns},
                 operand.swapped ? Shape{1, operand.pitch} : Shape{operand.pitch, 1});
    } else {
      line("  " + tile + ", " + done + " = load_view_tko weak " + operand.view + "[" + atRow + ", " + atColumn +
           "] token = " + inToken + hints(/*ofView=*/true) + " : " + operand.viewType + ", tile<i32> -> " +
           operand.type.str() + ", token");
    }
    tokens += (tokens.empty() ? "" : ", ") + done;
    if (stored == element)
      return tile;
    std::string converted = fresh();
    line("  " + converted + " = ftof " + tile + " : " + operand.type.str() + " -> " + operand.type.with(element).str());
    return converted;
  };
  std::string where = counted ? number : iv;
  for (const auto &[a, b] : pairs) {
    std::string left = load(a, row, where), right = load(b, where, column), product = fresh();
    line("  " + product + " = " + (isInt ? "mmai " : "mmaf ") + left + ", " + right + ", " + total +
         (isInt ? " signed signed" : "") + " : " + a.type.with(element).str() + ", " + b.type.with(element).str() +
         ", " + type.str());
    total = product;
  }
  std::string both = fresh();
  line("  " + both + " = join_tokens " + tokens + " : token");
  line("  " + nextNumber + " = addi " + number + ", " + one.name + " : tile<i32>");
  line("  continue " + total + ", " + both + ", " + nextNumber + " : " + type.str() + ", token, tile<i32>");
  line("}");
  pool.push_back({sum + "#0", type});
  token = sum + "#1";
}

/// A long row, tile by tile: what it adds up to, or their exclusive or, of 32-bit integers.
void Generator::streamLoop() {
  TileTy type{"i32", {int64_t(16) << below(options.maxElements >= 1024 ? 6 : 3)}};
  int64_t rounds = 1 + below(7), length = (rounds - 1) * type.shape[0] + 1 + below(type.shape[0]);
  std::string name = "row" + std::to_string(parameters.size()), tensor = fresh(), view = fresh();
  parameters.push_back("%" + name + ": tile<ptr<i32>>");
  arguments.push_back(name + ":i32[" + std::to_string(length) + "]=random(seed=" + std::to_string(1 + below(1000)) +
                      ")");
  std::string tensorType = "tensor_view<" + std::to_string(length) + "xi32, strides=[1]>";
  std::string viewType = "partition_view<tile=(" + dims(type.shape) + "), padding_value = zero, " + tensorType + ">";
  line(tensor + " = make_tensor_view %" + name + ", shape = [" + std::to_string(length) +
       "], strides = [1] : " + tensorType);
  line(view + " = make_partition_view " + tensor + " : " + viewType);
  Value zero = known("i32", 0), one = known("i32", 1), trips = known("i32", rounds), start = splat(type, "0");
  std::string sum = fresh(), iv = fresh(), acc = fresh(), inToken = fresh(), tile = fresh(), done = fresh(),
              next = fresh();
  line(sum + ":2 = for " + iv + " in (" + zero.name + " to " + trips.name + ", step " + one.name +
       ") : tile<i32> iter_values(" + acc + " = " + start.name + ", " + inToken + " = " + token + ") -> (" +
       type.str() + ", token) {");
  line("  " + tile + ", " + done + " = load_view_tko weak " + view + "[" + iv + "] token = " + inToken +
       hints(/*ofView=*/true) + " : " + viewType + ", tile<i32> -> " + type.str() + ", token");
  line("  " + next + " = " + word({"addi ", "xori "}) + acc + ", " + tile + " : " + type.str());
  line("  continue " + next + ", " + done + " : " + type.str() + ", token");
  line("}");
  pool.push_back({sum + "#0", type});
  token = sum + "#1";
}

/// Products of products, as attention has them: what one gives is converted, transposed or reduced and goes into the
/// next. Numbers are small enough for every sum to be exact in f16.
void Generator::matrixChain() {
  std::string in = has(Options::SmallFloats) ? word({"f16", "f16", "bf16", "f32", "tf32"}) : word({"f16", "f32"});
  int64_t side = options.maxElements >= 1024 ? 4 : 2;
  auto extent = [&] { return int64_t(4) << below(side); };
  int64_t m = extent(), k = std::min<int64_t>(extent(), 16), n = std::min<int64_t>(extent(), 16), p = extent();
  auto tile = [](const std::string &element, int64_t rows, int64_t columns) {
    return TileTy{element, {rows, columns}};
  };
  auto product = [&](const Value &a, const Value &b, const Value &c) {
    return define(c.type, "mmaf " + a.name + ", " + b.name + ", " + c.name + " : " + a.type.str() + ", " +
                              b.type.str() + ", " + c.type.str());
  };
  auto transposed = [&](const Value &value) {
    TileTy to = tile(value.type.element, value.type.shape[1], value.type.shape[0]);
    return define(to, "permute " + value.name + " [1, 0] : " + value.type.str() + " -> " + to.str());
  };
  // [-1, 0] times [-1, 0], at most 16 of them.
  Value a = chance(50) ? smallNumbers(tile(in, m, k), 1, true) : transposed(smallNumbers(tile(in, k, m), 1, true));
  Value b = chance(50) ? smallNumbers(tile(in, k, n), 1, true) : transposed(smallNumbers(tile(in, n, k), 1, true));
  std::string sums = in == "f16" && chance(30) ? "f16" : "f32";
  Value first = product(a, b, splat(tile(sums, m, n), "0.0"));
  const std::string end = " : " + first.type.str();
  if (chance(50)) { // without what is common to a row
    TileTy row{sums, {m}}, column = tile(sums, m, 1);
    std::string name = fresh(), most = fresh(), scalar = "tile<" + sums + ">";
    line(name + " = reduce " + first.name + " dim=1 identities=[-1024.0 : " + sums + "]" + end + " -> " + row.str());
    line("(%ea: " + scalar + ", %eb: " + scalar + ") {");
    line("  " + most + " = maxf %ea, %eb : " + scalar);
    line("  yield " + most + " : " + scalar);
    line("}");
    Value flat = define(column, "reshape " + name + " : " + row.str() + " -> " + column.str());
    Value all = define(first.type, "broadcast " + flat.name + " : " + column.str() + " -> " + first.type.str());
    first = define(first.type, "subf " + first.name + ", " + all.name + end);
  }
  if (chance(30)) {
    Value condition = operand(first.type.with("i1")), one = splat(first.type, "1.0");
    first = define(first.type, "select " + condition.name + ", " + first.name + ", " + one.name + " : " +
                                   condition.type.str() + ", " + first.type.str());
  }
  if (sums != in) // at most 16: exact in all types
    first = define(first.type.with(in), "ftof " + first.name + end + " -> " + first.type.with(in).str());
  bool isRight = chance(35); // as the right operand, the transposed one
  TileTy other = tile(in, n, p);
  Value second = smallNumbers(other, 1, true), total = smallNumbers(tile(sums, m, p), 1, true);
  if (!isRight) {
    product(first, second, total);
    return;
  }
  Value left = transposed(second), right = transposed(first);
  product(left, right, smallNumbers(tile(sums, p, m), 1, true));
}

/// A tile of literals of a list: a dense constant if it is small.
Value Generator::listed(const TileTy &type, std::initializer_list<const char *> list) {
  if (countOf(type.shape) > 4096)
    return splat(type, word(list));
  std::vector<std::string> parts;
  for (int64_t i = countOf(type.shape); i > 0; --i)
    parts.push_back(word(list));
  return splat(type, nested(std::move(parts), type.shape));
}

/// Functions that are only near: the result leaves the kernel at once, compared with a tolerance.
void Generator::leafMath() {
  TileTy type{anyFloat(), anyShape()};
  bool isF32 = type.element == "f32", approximate = false;
  std::string end = " : " + type.str();
  auto clamp = [&](const Value &value, const char *low, const char *high) {
    Value bottom = splat(type, low), top = splat(type, high);
    Value over = define(type, "maxf " + value.name + ", " + bottom.name + end);
    return define(type, "minf " + over.name + ", " + top.name + end);
  };
  std::string text;
  switch (below(6)) {
  case 0:
    if (chance(25))
      text = "tan " + clamp(operand(type), "-1.25", "1.25").name;
    else
      text = word({"cos ", "sin ", "cosh ", "sinh "}) + clamp(operand(type), "-8.0", "8.0").name;
    break;
  case 1:
    text = word({"log ", "log2 ", "rsqrt "}) + clamp(operand(type), "0.125", "4096.0").name;
    if (isF32 && text.starts_with("rsqrt") && chance(40))
      text += " flush_to_zero";
    break;
  case 2: {
    bool isExp = chance(50);
    approximate = isF32 && version(isExp ? 3 : 2) && chance(40);
    text = (isExp ? "exp " : "tanh ") + clamp(operand(type), "-8.0", "8.0").name +
           (approximate                            ? " rounding<approx>"
            : version(isExp ? 3 : 2) && chance(30) ? " rounding<full>"
                                                   : "");
    break;
  }
  case 3:
    text = "exp2 " + clamp(operand(type), "-8.0", "8.0").name + (isF32 && chance(30) ? " flush_to_zero" : "");
    break;
  case 4:
    text = isF32 && chance(50) ? "sqrt " + clamp(operand(type), "0.125", "4096.0").name + " rounding<approx>"
                               : "divf " + operand(type).name + ", " + clamp(operand(type), "0.5", "64.0").name;
    if (isF32 && text.starts_with("divf"))
      text += " rounding<" + word({"approx", "full"}) + ">";
    approximate = isF32;
    break;
  default:
    if (version(4) && chance(35)) {
      TileTy exponent = type.with(word({"i1", "i8", "i16", "i32"}));
      Value power = mask(operand(exponent), exponent.element == "i1" ? -1 : 5);
      text = "fpowi " + clamp(operand(type), "0.5", "4.0").name + ", " + power.name;
      end += ", " + exponent.str();
    } else if (version(2) && chance(50))
      text = "atan2 " + clamp(operand(type), "-8.0", "8.0").name + ", " + clamp(operand(type), "0.5", "8.0").name;
    else
      text = "fpowf " + clamp(operand(type), "0.5", "4.0").name + ", " + clamp(operand(type), "-3.0", "3.0").name;
  }
  Value result{fresh(), type};
  line(result.name + " = " + text + end);
  const char *tolerance = type.element == "f16"    ? "rel:4e-3/abs:1e-3"
                          : type.element == "bf16" ? "rel:3e-2/abs:1e-2"
                          : type.element == "f64"  ? "rel:1e-11/abs:1e-12"
                          : approximate            ? "rel:2e-3/abs:1e-4"
                                                   : "rel:2e-5/abs:1e-6";
  storeTo(addBuffer(type.element, countOf(type.shape), /*output=*/true, tolerance), result);
  buffers.pop_back();
}
