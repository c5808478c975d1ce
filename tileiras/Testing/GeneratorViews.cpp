//===- GeneratorViews.cpp - Memory through views --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/GeneratorImpl.h"

#include <algorithm>

using namespace tileiras;
using namespace tileiras::generator;

/// An array to be seen through a view: any, or a new one, since those there are have few types.
const Buffer &Generator::viewedBuffer() {
  if (!options.parameters || chance(75))
    return anyBuffer(false, memoryElements());
  std::string element = pick(memoryElements());
  int64_t count = options.maxElements + 2 * below(32);
  return addBuffer(element, element == "f4E2M1FN" ? std::max<int64_t>(count / 2 * 2, 2) : count, /*output=*/false);
}

/// Loads what was loaded through a view once more, with other numbers for what lies outside. `at`: the indices in
/// brackets.
void Generator::loadAgain(const std::string &make, const std::string &viewType, const std::string &tensor,
                          const std::string &at, const std::string &indexTypes, const TileTy &type) {
  const std::string key = "padding_value = ";
  size_t begin = viewType.find(key);
  if (begin == std::string::npos || type.element[0] == 'i' || !options.parameters)
    return;
  size_t end = viewType.find(',', begin);
  for (int64_t i = below(4); i > 0; --i) {
    std::string other = viewType.substr(0, begin) + key + padding(type.element) + viewType.substr(end);
    std::string view = fresh();
    line(view + " = " + make + " " + tensor + " : " + other);
    accessView(/*isStore=*/false, view + at, other + ", " + indexTypes, type, fresh());
  }
}

void Generator::view() {
  // Some for atomic reductions, which have types of their own.
  bool wantsReduction = version(3) && has(Options::Atomics) && chance(20);
  std::vector<std::string> reducible{"i32", "i64"};
  if (has(Options::Floats))
    reducible.insert(reducible.end(), {"f16", "bf16", "f32", "f64"});
  const Buffer buffer = wantsReduction ? anyBuffer(true, reducible) : viewedBuffer();
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
  int64_t largest =
      std::max(*std::max_element(extents.begin(), extents.end()), *std::max_element(strides.begin(), strides.end()));
  auto holding = [&](int64_t number) { // an integer type
    return number < 128 && chance(25) ? "i8" : number < 32768 && chance(25) ? "i16" : word({"i32", "i32", "i64"});
  };
  std::string number = holding(largest);
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
  std::string mark, base = buffer.name;
  if (version(4) && options.parameters && chance(5)) {
    mark = ", #cuda_tile.ptr_attr<none>";
    base = fresh();
    line(base + " = ptr_to_ptr " + buffer.name + " : tile<ptr<" + buffer.element + ">> -> tile<ptr<" + buffer.element +
         mark + ">>");
  }
  std::string tensorType = "tensor_view<" + join(shapeTypes, "x") + "x" + buffer.element + ", strides=[" +
                           join(strideTypes, ",") + "]" + mark + ">";
  std::string tensor = fresh();
  line(tensor + " = make_tensor_view " + base + ", shape = [" + join(shapeWords) + "], strides = [" +
       join(strideWords) + "] : " + (anyDynamic ? "tile<" + number + "> -> " : "") + tensorType);

  if (has(Options::Assumes) && chance(10)) { // its address, in bytes
    std::string same = fresh();
    line(same + " = assume div_by<" + std::to_string(byteSize(buffer.element)) + ">, " + tensor + " : " + tensorType);
    tensor = same;
  }

  // Tiles of it.
  bool strided = version(3) && chance(45);
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
  }
  if (!allowed(type))
    type.shape.back() = 2;
  for (int64_t extent : type.shape)
    steps.push_back(strided ? 1 + below(extent + 2) : extent);
  // What is loaded beyond the edges has to be said; atomic reductions take no such views.
  bool isInt = buffer.element[0] == 'i';
  bool reduces = wantsReduction, stores = !reduces && buffer.writable && chance(40);
  // Where it is known that the tile lies inside, this can be said, and no padding is needed.
  std::string indexType = word({"i32", "i32", "i32", "i64", "i16", "i8", "i1"});
  std::vector<std::string> indices, inside;
  bool isFixed = chance(35), isInside = true;
  for (size_t i = 0; i < rank; ++i) {
    int64_t count = (extents[order[i]] + steps[i] - 1) / steps[i];
    if (indexType != "i32" && indexType != "i64")
      count = std::min<int64_t>(count, indexType == "i1" ? 1 : indexType == "i8" ? 128 : 32768);
    if (isFixed) {
      int64_t at = below(count), end = at * steps[i] + type.shape[i];
      inside.push_back(end <= extents[order[i]] ? "true" : "false");
      isInside &= end <= extents[order[i]];
      indices.push_back(splat({indexType, {}}, indexType == "i1" ? "false" : std::to_string(at)).name);
    } else {
      indices.push_back(indexType == "i1" ? splat({"i1", {}}, "false").name : index(count, indexType).name);
    }
  }
  bool isBare = reduces || (stores && chance(50)) || (isFixed && isInside && chance(50));
  std::string viewType = std::string(strided ? "strided_view" : "partition_view") + "<tile=(" + dims(type.shape) +
                         "), " + (strided ? "traversal_strides=[" + dims(steps, ",") + "], " : "") +
                         (isBare ? "" : "padding_value = " + padding(buffer.element) + ", ") + tensorType +
                         (identity ? "" : ", dim_map=[" + dims(order, ", ") + "]") + ">";
  std::string view = fresh();
  line(view + " = " + (strided ? "make_strided_view " : "make_partition_view ") + tensor + " : " + viewType);
  if (chance(25)) {
    bool ofTensor = chance(50);
    std::string sizes = fresh();
    int64_t most = *std::max_element(extents.begin(), extents.end());
    TileTy scalar{most == 1 && chance(50) ? "i1" : holding(most), {}};
    line(sizes + (rank > 1 ? ":" + std::to_string(rank) : "") + " = " +
         (ofTensor ? "get_tensor_shape " + tensor + " : " + tensorType
                   : "get_index_space_shape " + view + " : " + viewType) +
         " -> " + scalar.str());
    for (size_t i = 0; i < rank; ++i)
      pool.push_back({rank > 1 ? sizes + "#" + std::to_string(i) : sizes, scalar});
  }
  std::string at = view + "[" + join(indices) + "]", bounds;
  if (isFixed && !reduces && version(4) && chance(50) &&
      std::find(inside.begin(), inside.end(), "true") != inside.end())
    bounds = " inbounds = [" + join(inside) + "]";
  std::string next = fresh(), last = ", tile<" + indexType + "> -> ";
  if (reduces) {
    Value value = operand(type);
    line(next + " = atomic_red_view_tko relaxed " + word({"device ", "tl_blk "}) + at + ", " +
         (isInt ? word({"add", "and", "or", "xor", "max", "min", "umax", "umin"}) : "addf") + ", " + value.name +
         tokenOperand(" = ") + " : " + type.str() + ", " + viewType + last + "token");
  } else if (stores) {
    Value value = operand(type);
    line(next + " = store_view_tko " + this->order(false) + " " + value.name + ", " + at + bounds +
         tokenOperand(" = ") + hints(/*ofView=*/true) + " : " + type.str() + ", " + viewType + last + "token");
  } else {
    std::string result = fresh();
    line(result + ", " + next + " = load_view_tko " + this->order(true) + " " + at + bounds + tokenOperand(" = ") +
         hints(/*ofView=*/true) + " : " + viewType + last + type.str() + ", token");
    pool.push_back({result, type});
    token = next;
    return loadAgain(strided ? "make_strided_view" : "make_partition_view", viewType, tensor, "[" + join(indices) + "]",
                     "tile<" + indexType + ">", type);
  }
  token = next;
}

/// A store of an operand to the place `at` of a view, or a load from it into a new tile. `types` are those of the view
/// and its indices.
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
  const Buffer buffer = viewedBuffer();
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
  if (buffer.element == "f4E2M1FN")
    width = std::max<int64_t>(width, 2);
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
  if (!allowed(type)) {
    if (rank == 1)
      return;
    type.shape[sparse == 0 ? 1 : 0] = 2;
  }
  bool isStore = buffer.writable && chance(40), isOutside = chance(30);
  if (isOutside) // some positions have no element
    range *= 2;
  TileTy numbers{range <= 32768 && chance(25) ? "i16" : word({"i32", "i64"}), {type.shape[sparse]}};
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
  std::string viewType = "gather_scatter_view<tile=(" + dims(type.shape) + "), " +
                         (isStore && chance(50) ? "" : "padding_value = " + padding(buffer.element) + ", ") +
                         tensorType + ", sparse_dim=" + std::to_string(sparse) + ">";
  std::string tensor = fresh(), view = fresh(), next = fresh();
  line(tensor + " = make_tensor_view " + buffer.name + ", shape = [" + dims(extents, ", ") + "], strides = [" +
       dims(strides, ", ") + "] : " + tensorType);
  line(view + " = make_gather_scatter_view " + tensor + " : " + viewType);
  std::vector<std::string> indices, indexTypes;
  for (size_t i = 0; i < rank; ++i)
    indices.push_back(i == sparse ? which.name : index(extents[i]).name);
  for (size_t i = 0; i < rank; ++i)
    indexTypes.push_back(i == sparse ? numbers.str() : "tile<i32>");
  std::string at = view + "[" + join(indices) + "]", types = viewType + ", " + join(indexTypes);
  accessView(isStore, at, types, type, next);
  if (!isStore)
    loadAgain("make_gather_scatter_view", viewType, tensor, "[" + join(indices) + "]", join(indexTypes), type);
}
