//===- TensorMapArgs.cpp - Tensor maps as kernel arguments -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   map := ARRAY '{' option (',' option)* '}'
//
// Extents and strides are those of the array. Lists are written like the array's dimensions, outermost first.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/LaunchArgs.h"

#include <algorithm>
#include <charconv>
#include <optional>

using namespace tileiras;

namespace {

/// Positions are the values of the driver's enumerations.
constexpr std::string_view kTypes[] = {"u8",  "u16",  "u32",     "s32",  "u64",      "s64",   "f16",       "f32",
                                       "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32"};
constexpr unsigned kTypeBits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6};
constexpr std::string_view kSwizzles[] = {
    "none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"};
constexpr std::string_view kInterleaves[] = {"none", "16B", "32B"};
constexpr std::string_view kPromotions[] = {"none", "64B", "128B", "256B"};
constexpr std::string_view kFills[] = {"zero", "nan"};
constexpr std::string_view kModes[] = {"tile", "im2col", "im2col::w"};

template <size_t N> bool lookUp(const std::string_view (&names)[N], std::string_view text, unsigned &value) {
  const std::string_view *at = std::find(std::begin(names), std::end(names), text);
  value = unsigned(at - names);
  return value != N;
}

template <size_t N> std::string join(const std::string_view (&names)[N]) {
  std::string text;
  for (std::string_view name : names)
    text += (text.empty() ? "" : " ") + std::string(name);
  return text;
}

/// The element type a map of such an array has, unless it says another.
std::optional<std::string_view> typeOf(DType type) {
  switch (type) {
  case DType::I16:
    return "u16";
  case DType::I32:
    return "s32";
  case DType::I64:
    return "s64";
  case DType::F16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::TF32:
    return "tf32";
  case DType::F64:
    return "f64";
  default:
    break;
  }
  if (bitWidth(type) == 4)
    return "b4x16";
  return bitWidth(type) <= 8 ? std::optional<std::string_view>("u8") : std::nullopt;
}

template <typename T> bool parseList(std::string_view text, std::vector<T> &list) {
  list.clear();
  while (!text.empty()) {
    size_t stop = std::min(text.find('x'), text.size());
    T value{};
    auto [end, code] = std::from_chars(text.data(), text.data() + stop, value);
    if (code != std::errc() || end != text.data() + stop)
      return false;
    list.push_back(value);
    text.remove_prefix(std::min(stop + 1, text.size()));
  }
  return !list.empty();
}

} // namespace

bool tileiras::parseTensorMapArg(std::string_view text, const std::string &name, LaunchRequest &request,
                                 std::string &error) {
  auto fail = [&](std::string why) {
    error = std::move(why);
    return false;
  };
  size_t brace = std::min(text.find('{'), text.size());
  std::string_view arrayName = text.substr(0, brace), options = text.substr(brace);
  TensorMapArg map;
  for (size_t i = 0; i != request.buffers.size(); ++i)
    if (request.buffers[i].name == arrayName)
      map.buffer = int(i);
  if (map.buffer < 0)
    return fail("no array '" + std::string(arrayName) + "' before the tensor map");
  if (options.size() < 2 || options.back() != '}')
    return fail("expected {options} with at least box=... after the name of the array");
  options = options.substr(1, options.size() - 2);
  const Array &array = request.buffers[size_t(map.buffer)].array;
  std::string_view type = typeOf(array.type).value_or("");
  std::vector<uint32_t> box, steps;
  unsigned mode = 0;
  while (!options.empty()) {
    size_t stop = std::min(options.find(','), options.size());
    std::string_view option = options.substr(0, stop);
    options.remove_prefix(std::min(stop + 1, options.size()));
    size_t equals = std::min(option.find('='), option.size());
    std::string_view key = option.substr(0, equals), value = option.substr(std::min(equals + 1, option.size()));
    bool ok;
    std::string known;
    std::vector<uint32_t> single;
    if (key == "box") {
      ok = parseList(value, box);
    } else if (key == "steps") {
      ok = parseList(value, steps);
    } else if (key == "type") {
      unsigned ignored;
      ok = lookUp(kTypes, value, ignored);
      type = value;
      known = join(kTypes);
    } else if (key == "swizzle") {
      ok = lookUp(kSwizzles, value, map.swizzle);
      known = join(kSwizzles);
    } else if (key == "interleave") {
      ok = lookUp(kInterleaves, value, map.interleave);
      known = join(kInterleaves);
    } else if (key == "l2") {
      ok = lookUp(kPromotions, value, map.l2);
      known = join(kPromotions);
    } else if (key == "fill") {
      ok = lookUp(kFills, value, map.fill);
      known = join(kFills);
    } else if (key == "mode") {
      ok = lookUp(kModes, value, mode);
      known = join(kModes);
    } else if (key == "lower") {
      ok = parseList(value, map.lower);
    } else if (key == "upper") {
      ok = parseList(value, map.upper);
    } else if (key == "channels" || key == "pixels") {
      ok = parseList(value, single) && single.size() == 1;
      if (ok)
        (key == "channels" ? map.channels : map.pixels) = single[0];
    } else {
      return fail("unknown option '" + std::string(key) +
                  "' (known: box steps type swizzle interleave l2 fill mode channels pixels lower upper)");
    }
    if (!ok)
      return fail("bad value '" + std::string(value) + "' of '" + std::string(key) + "'" +
                  (known.empty() ? "" : " (known: " + known + ")"));
  }
  map.mode = TensorMapArg::Mode(mode);
  if (!lookUp(kTypes, type, map.type))
    return fail("an array of " + std::string(dtypeName(array.type)) +
                " has no element type for tensor maps: say type=");
  if (kTypeBits[map.type] != storageBits(array.type))
    return fail("elements of type " + std::string(type) + " are not as wide as those of the array, " +
                std::string(dtypeName(array.type)));
  size_t rank = array.shape.size(), spatial = map.mode == TensorMapArg::Mode::Im2colWide ? 1 : rank < 2 ? 0 : rank - 2;
  if (rank < 1 || rank > 5)
    return fail("a tensor map has 1 to 5 dimensions");
  if (array.strides.back() != 1)
    return fail("the innermost dimension must be dense");
  bool tiled = map.mode == TensorMapArg::Mode::Tiled;
  if (tiled && box.size() != rank)
    return fail("box= needs one extent per dimension, outermost first");
  if (!steps.empty() && steps.size() != rank)
    return fail("steps= needs one step per dimension");
  if (!tiled && (map.lower.size() != spatial || map.upper.size() != spatial || !map.channels || !map.pixels))
    return fail("im2col needs channels=, pixels=, and lower= and upper= with " + std::to_string(spatial) +
                " corner(s)");
  map.box.assign(box.rbegin(), box.rend());
  map.steps.assign(rank, 1);
  std::copy(steps.rbegin(), steps.rend(), map.steps.begin());
  for (size_t k = 0; k != rank; ++k) {
    map.dims.push_back(uint64_t(array.shape[rank - 1 - k]));
    if (k)
      map.strides.push_back(uint64_t(array.strides[rank - 1 - k]) * storageBits(array.type) / 8);
  }
  map.name = name.empty() ? "arg" + std::to_string(request.args.size()) : name;
  KernelArg arg;
  arg.map = int(request.maps.size());
  request.args.push_back(arg);
  request.maps.push_back(std::move(map));
  return true;
}
