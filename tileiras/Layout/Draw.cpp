//===- Draw.cpp - From a layout's text to its picture ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/Draw.h"

#include <cstdlib>

namespace tileiras::cute {

/// 16x32
static bool parseShape(const std::string &text, std::vector<int32_t> &shape) {
  const char *at = text.c_str();
  while (true) {
    char *end;
    long extent = std::strtol(at, &end, 10);
    if (end == at || extent < 1 || extent > 1 << 24)
      return false;
    shape.push_back(int32_t(extent));
    if (*end == 0)
      return true;
    if (*end != 'x')
      return false;
    at = end + 1;
  }
}

static bool parseNumber(const std::string &text, int low, int high, int &value) {
  char *end;
  long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end || number < low || number > high)
    return false;
  value = int(number);
  return true;
}

bool DrawRequest::set(std::string_view option, const std::string &value) {
  if (option == "shape") {
    shape.clear();
    return parseShape(value, shape);
  }
  if (option == "tile")
    tile = value;
  else if (option == "to")
    to = value;
  else if (option == "apply")
    apply = value;
  else if (option == "title")
    title = value;
  else if (option == "element-bits")
    return parseNumber(value, 8, 64, view.elementBits) && (view.elementBits & (view.elementBits - 1)) == 0;
  else if (option == "max-rows")
    return parseNumber(value, 1, 256, view.maxRows);
  else if (option == "max-columns")
    return parseNumber(value, 1, 256, view.maxColumns);
  else if (option == "colour" && (value == "lane" || value == "warp" || value == "register"))
    view.colour = value == "lane"   ? ViewOptions::Colour::Lane
                  : value == "warp" ? ViewOptions::Colour::Warp
                                    : ViewOptions::Colour::Register;
  else
    return false;
  return true;
}

std::optional<Layout> applyOperation(const Layout &layout, const std::string &op, const std::string &argument,
                                     std::string &error) {
  if (op == "right_inverse")
    return rightInverse(layout, &error);
  if (op == "left_inverse")
    return leftInverse(layout, &error);
  if (op == "coalesce")
    return coalesce(layout);
  if (op == "flatten")
    return flatten(layout);
  if (op == "filter")
    return filter(layout);
  std::optional<Tiler> tiler = parseTiler(argument, &error);
  if (!tiler)
    return std::nullopt;
  using Operation = std::optional<Layout> (*)(const Layout &, const Tiler &, std::string *);
  static constexpr std::pair<const char *, Operation> operations[] = {
      {"composition", composition},      {"logical_divide", logicalDivide}, {"zipped_divide", zippedDivide},
      {"tiled_divide", tiledDivide},     {"flat_divide", flatDivide},       {"logical_product", logicalProduct},
      {"zipped_product", zippedProduct}, {"tiled_product", tiledProduct},   {"flat_product", flatProduct}};
  for (auto [name, operation] : operations)
    if (op == name)
      return operation(layout, *tiler, &error);
  if (!tiler->layout) {
    error = op + " needs a layout, not a tuple of tilers";
    return std::nullopt;
  }
  if (op == "blocked_product")
    return blockedProduct(layout, *tiler->layout, &error);
  if (op == "raked_product")
    return rakedProduct(layout, *tiler->layout, &error);
  if (op == "complement")
    return complement(layout, cute::size(*tiler->layout), &error);
  error = "--apply: no operation '" + op + "'";
  return std::nullopt;
}

std::optional<AnyLayout> DrawRequest::evaluate(std::string &error) const {
  std::optional<AnyLayout> any = parseAnyLayout(layout, shape, &error);
  if (!any || apply.empty())
    return any;
  size_t colon = apply.find(':');
  if (any->kind != AnyLayout::Kind::Function) {
    error = "--apply is for CuTe's layouts";
    return std::nullopt;
  }
  std::optional<Layout> result = applyOperation(any->function.layout, apply.substr(0, colon),
                                                colon == apply.npos ? "" : apply.substr(colon + 1), error);
  if (!result)
    return std::nullopt;
  any->function.layout = *result;
  return any;
}

std::optional<Picture> DrawRequest::draw(std::string &error) const {
  std::optional<AnyLayout> any = parseAnyLayout(layout, shape, &error);
  if (!any)
    return std::nullopt;
  Picture picture;
  if (!to.empty()) {
    std::optional<AnyLayout> target = parseAnyLayout(to, shape, &error);
    if (!target)
      return std::nullopt;
    if (any->kind != AnyLayout::Kind::Distributed || target->kind != AnyLayout::Kind::Distributed) {
      error = "a conversion needs two layouts of registers";
      return std::nullopt;
    }
    std::optional<Picture> conversion = conversionPicture(any->linear, target->linear, view, &error);
    if (!conversion)
      return std::nullopt;
    picture = *conversion;
  } else if (!tile.empty()) {
    std::optional<IntTuple> extent = parseIntTuple(tile, &error);
    if (!extent)
      return std::nullopt;
    if (any->kind != AnyLayout::Kind::Function || !any->function.isPlain()) {
      error = "--tile is for CuTe's layouts of threads and values";
      return std::nullopt;
    }
    std::optional<Panel> panel =
        threadValuePanel(any->function.layout, *extent, "Tile " + extent->toString(), view, &error);
    if (!panel)
      return std::nullopt;
    picture.panels = {*panel};
  } else {
    std::optional<std::vector<Panel>> panels =
        panelsOf(*any,
                 !apply.empty()                              ? "Before"
                 : any->kind == AnyLayout::Kind::Distributed ? "Who owns which element"
                 : any->kind == AnyLayout::Kind::Shared      ? "Shared memory"
                                                             : "Offsets",
                 view, &error);
    if (!panels)
      return std::nullopt;
    if (!apply.empty()) {
      std::optional<AnyLayout> result = evaluate(error);
      if (!result)
        return std::nullopt;
      std::optional<Panel> after = functionPanel(result->function, "After " + apply, view, &error);
      if (!after)
        return std::nullopt;
      panels->push_back(*after);
    }
    picture.panels = *panels;
  }
  if (!title.empty())
    picture.title = title;
  return picture;
}

} // namespace tileiras::cute
