//===- GeneratorScales.cpp - Products of blocks with scales ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mmaf_scaled over a loop, as kernels of mxfp8, mxfp4 and nvfp4 have it: factors of 8 bits, or bytes of two elements of
// 4 bits, with k dense; scales in rows, or in blocks of 128 rows and four along k, as libraries keep them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

using namespace tileiras;
using namespace tileiras::generator;

/// A view of an array of numbers that are exact in all types, of whose last dimensions a tile has all: its name and
/// type. `tile` and `extents` have as many dimensions.
std::pair<std::string, std::string> Generator::scaledArray(const std::string &element, const Shape &tile,
                                                           const Shape &extents, const std::string &values) {
  std::string name = "s" + std::to_string(parameters.size()), pointer = "%" + name;
  parameters.push_back("%" + name + ": tile<ptr<" + element + ">>");
  arguments.push_back(name + ":" + element + "[" + dims(extents) + "]=" + values +
                      ",seed=" + std::to_string(1 + below(1000)) + ")");
  if (chance(80)) {
    pointer = fresh();
    line(pointer + " = assume div_by<16>, %" + name + " : tile<ptr<" + element + ">>");
  }
  Shape strides(extents.size(), 1);
  for (size_t d = extents.size() - 1; d-- > 0;)
    strides[d] = strides[d + 1] * extents[d + 1];
  // How long the first dimension is, and how far apart what it counts lies, may be known at run time only.
  Value length = known("i32", extents[0]), step = known("i32", strides[0]);
  bool dynamic = chance(40);
  std::string numbers[2], types[2];
  for (size_t d = 0; d < extents.size(); ++d) {
    std::string before = d ? ", " : "", between = d ? "x" : "";
    numbers[0] += before + (dynamic && !d ? length.name : std::to_string(extents[d]));
    numbers[1] += before + (dynamic && !d ? step.name : std::to_string(strides[d]));
    types[0] += between + (dynamic && !d ? "?" : std::to_string(extents[d]));
    types[1] += (d ? "," : "") + (dynamic && !d ? "?" : std::to_string(strides[d]));
  }
  std::string tensorType = "tensor_view<" + types[0] + "x" + element + ", strides=[" + types[1] + "]>",
              viewType = "partition_view<tile=(" + dims(tile) + "), padding_value = zero, " + tensorType + ">",
              tensor = fresh(), view = fresh();
  line(tensor + " = make_tensor_view " + pointer + ", shape = [" + numbers[0] + "], strides = [" + numbers[1] +
       "] : " + (dynamic ? "tile<i32> -> " : "") + tensorType);
  line(view + " = make_partition_view " + tensor + " : " + viewType);
  return {view, viewType};
}

void Generator::scaledLoop() {
  // 128 rows are what tensor memory multiplies.
  bool large = options.maxElements >= 8192;
  std::string in = word({"f8E4M3FN", "f8E5M2", "f4E2M1FN"});
  bool pairs = in == "f4E2M1FN";
  int64_t block = pairs && chance(50) ? 16 : 32;
  std::string scale = block == 16 && chance(60) ? "f8E4M3FN" : "f8E8M0FNU";
  int64_t m = large ? 128 : int64_t(8) << below(4), n = large ? int64_t(64) << below(2) : int64_t(8) << below(4);
  int64_t k = block * (large ? int64_t(4) << below(3) : int64_t(1) << below(3));
  while (pairs && k > 256)
    k /= 2;
  bool inBlocks = m % 128 == 0 && n % 128 == 0 && k / block % 4 == 0 && chance(60);
  int64_t rounds = 1 + below(6), inner = (rounds - 1) * k + block * (1 + below(k / block));
  int64_t blocksX = blockIds.empty() ? 1 : grid[0], blocksY = blockIds.empty() ? 1 : grid[1];
  int64_t rows = blocksX * m - below(m), columns = blocksY * n - below(n);

  struct Operand {
    std::string view, type;
    Shape tile;
  };
  auto factor = [&](int64_t high, int64_t all) {
    Shape tile{high, pairs ? k / 2 : k};
    // Bytes of two elements are any; -4 to 4 otherwise.
    auto [view, type] = scaledArray(pairs ? "i8" : in, tile, {all, pairs ? inner / 2 : inner},
                                    pairs ? "random(lo=-128,hi=127" : "integers(lo=-4,hi=4");
    return Operand{view, type, tile};
  };
  Shape shape = chance(40) ? Shape{32, 4, 4} : chance(50) ? Shape{2, 256} : Shape{512};
  auto scales = [&](int64_t high, int64_t all) {
    int64_t along = inner / block;
    Shape tile{high, k / block}, extents{all, along};
    if (inBlocks) {
      tile = {high / 128, k / block / 4}, extents = {(all + 127) / 128, (along + 3) / 4};
      for (int64_t extent : shape)
        tile.push_back(extent), extents.push_back(extent);
    }
    auto [view, type] = scaledArray(scale, tile, extents, "integers(lo=1,hi=4");
    return Operand{view, type, tile};
  };
  Operand a = factor(m, rows), b = factor(n, columns), sa = scales(m, rows), sb = scales(n, columns);
  Value zero = known("i32", 0), one = known("i32", 1), trips = known("i32", rounds);
  std::string origin = splat({"i32", {}}, "0").name; // known to be: what the tile has whole
  TileTy type{"f32", {m, n}};
  Value start = smallNumbers(type, 7, true);
  std::string row = blockIds.empty() ? zero.name : blockIds[0], column = blockIds.empty() ? zero.name : blockIds[1];
  std::string sum = fresh(), iv = fresh(), acc = fresh(), inToken = fresh(), tokens;
  line(sum + ":2 = for " + iv + " in (" + zero.name + " to " + trips.name + ", step " + one.name +
       ") : tile<i32> iter_values(" + acc + " = " + start.name + ", " + inToken + " = " + token + ") -> (" +
       type.str() + ", token) {");
  auto load = [&](const Operand &operand, const std::string &element, const std::string &at) {
    std::string tile = fresh(), done = fresh(), places = at + ", " + iv;
    for (size_t d = 2; d < operand.tile.size(); ++d)
      places += ", " + origin;
    line("  " + tile + ", " + done + " = load_view_tko weak " + operand.view + "[" + places + "] token = " + inToken +
         hints(/*ofView=*/true) + " : " + operand.type + ", tile<i32> -> " + TileTy{element, operand.tile}.str() +
         ", token");
    tokens += (tokens.empty() ? "" : ", ") + done;
    return tile;
  };
  auto as = [&](const char *operation, const std::string &from, const TileTy &is, const TileTy &becomes) {
    std::string result = fresh();
    line("  " + result + " = " + operation + " " + from + " : " + is.str() + " -> " + becomes.str());
    return result;
  };
  auto turned = [&](const std::string &from, const TileTy &is) {
    std::string result = fresh();
    line("  " + result + " = permute " + from + " [1, 0] : " + is.str() + " -> " +
         TileTy{is.element, {is.shape[1], is.shape[0]}}.str());
    return result;
  };
  auto elements = [&](const Operand &operand, int64_t high, const std::string &at) {
    std::string tile = load(operand, pairs ? "i8" : in, at);
    if (!pairs)
      return tile;
    TileTy bytes{"i8", {high * k / 2}}, flat{in, {high * k}};
    tile = as("reshape", tile, {"i8", operand.tile}, bytes);
    return as("reshape", as("unpack", tile, bytes, flat), flat, {in, {high, k}});
  };
  auto factors = [&](const Operand &operand, int64_t high, const std::string &at) {
    std::string tile = load(operand, scale, at);
    if (!inBlocks)
      return tile;
    TileTy five{scale, {operand.tile[0], operand.tile[1], 32, 4, 4}},
        other{scale, {operand.tile[0], 4, 32, operand.tile[1], 4}};
    if (operand.tile != five.shape)
      tile = as("reshape", tile, {scale, operand.tile}, five);
    std::string result = fresh();
    line("  " + result + " = permute " + tile + " [0, 3, 2, 1, 4] : " + five.str() + " -> " + other.str());
    return as("reshape", result, other, {scale, {high, k / block}});
  };
  std::string left = elements(a, m, row), right = turned(elements(b, n, column), {in, {n, k}});
  std::string ofLeft = factors(sa, m, row), ofRight = turned(factors(sb, n, column), {scale, {n, k / block}});
  std::string product = fresh(), both = fresh();
  line("  " + product + " = mmaf_scaled " + join({left, right, acc, ofLeft, ofRight}) + " : " +
       join({TileTy{in, {m, k}}.str(), TileTy{in, {k, n}}.str(), type.str(), TileTy{scale, {m, k / block}}.str(),
             TileTy{scale, {k / block, n}}.str()}));
  line("  " + both + " = join_tokens " + tokens + " : token");
  line("  continue " + product + ", " + both + " : " + type.str() + ", token");
  line("}");
  pool.push_back({sum + "#0", type});
  token = sum + "#1";
}
