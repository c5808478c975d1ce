//===- tileiras-layout.cpp - Draws layouts --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Module.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

using namespace tileiras;
using namespace tileiras::cute;

static const char kUsage[] =
    R"(usage: tileiras-layout [options] LAYOUT
       tileiras-layout [options] FILE.mlir|FILE.tileirbc|-

Draws who owns which element of a tile, and where shared memory has it.

LAYOUT is CuTe's  (8,64):(64,1)  or  S<3,4,3> o 0 o (8,64):(64,1),
ours  #nv_tileas.blocked<...>, linear, shared,  or Triton's  #ttg.blocked<{...}>,
linear, nvidia_mma, dot_op, swizzled_shared, nvmma_shared.

  --shape 16x32         the tile, for layouts that do not name it
  --tile '(16,8)'       LAYOUT is CuTe's (thread, value) -> column-major number in this tile
  --to LAYOUT           draw the conversion to this layout, with the path taken
  --apply OP:TILER      the CuTe layout before and after composition, logical_divide,
                        zipped_divide, logical_product, blocked_product, raked_product,
                        complement (a size instead of a tiler) or right_inverse (nothing)
  --element-bits N      8 to 64, where the layout does not say (default 16)
  --colour WHAT         lane, warp or register (default: warp if there are several)
  --max-rows N          cells of a panel, downwards (default 32)
  --max-columns N       and across (default 32)
  --svg FILE            write a picture instead of text
  --title TEXT          above the picture
  --op N                of a module: draw this operation; without it, list those with layouts,
                        as (registers,lanes,warps,blocks) -> row-major number of the element
  --gpu-name SM         cuda_tile is compiled for this target (default sm_90)
  --before PASS         and shown as it is before this pass
                        (default tileas-materialize-convert-layout)
  --help                this text
)";

static int complain(const std::string &message) {
  std::cerr << "tileiras-layout: " << message << "\n";
  return 1;
}

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

static std::optional<Layout> apply(const Layout &layout, const std::string &op, const std::string &argument,
                                   std::string &error) {
  if (op == "right_inverse")
    return rightInverse(layout, &error);
  if (op == "coalesce")
    return coalesce(layout);
  std::optional<Tiler> tiler = parseTiler(argument, &error);
  if (!tiler)
    return std::nullopt;
  if (op == "composition")
    return composition(layout, *tiler, &error);
  if (op == "logical_divide")
    return logicalDivide(layout, *tiler, &error);
  if (op == "zipped_divide")
    return zippedDivide(layout, *tiler, &error);
  if (op == "logical_product")
    return logicalProduct(layout, *tiler, &error);
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

int main(int argc, char **argv) {
  ModuleRequest request;
  ViewOptions &view = request.view;
  std::vector<int32_t> shape;
  std::string input, to, tile, svg, title, operation;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help") {
      std::cout << kUsage;
      return 0;
    }
    if (!argument.starts_with("--")) {
      if (!input.empty())
        return complain("one layout or file, please: '" + input + "' and '" + argument + "'");
      input = argument;
      continue;
    }
    std::string name = argument.substr(2), value;
    if (size_t equal = name.find('='); equal != std::string::npos) {
      value = name.substr(equal + 1);
      name = name.substr(0, equal);
    } else if (i + 1 < argc) {
      value = argv[++i];
    } else {
      return complain("--" + name + " needs a value");
    }
    bool fine = true;
    if (name == "shape")
      fine = parseShape(value, shape);
    else if (name == "tile")
      tile = value;
    else if (name == "to")
      to = value;
    else if (name == "apply")
      operation = value;
    else if (name == "element-bits")
      fine = parseNumber(value, 8, 64, view.elementBits) && (view.elementBits & (view.elementBits - 1)) == 0;
    else if (name == "max-rows")
      fine = parseNumber(value, 1, 256, view.maxRows);
    else if (name == "max-columns")
      fine = parseNumber(value, 1, 256, view.maxColumns);
    else if (name == "op")
      fine = parseNumber(value, 0, 1 << 30, request.operation);
    else if (name == "svg")
      svg = value;
    else if (name == "title")
      title = value;
    else if (name == "gpu-name")
      request.gpuName = value;
    else if (name == "before")
      request.before = value;
    else if (name == "colour" || name == "color")
      view.colour = value == "lane"       ? ViewOptions::Colour::Lane
                    : value == "warp"     ? ViewOptions::Colour::Warp
                    : value == "register" ? ViewOptions::Colour::Register
                                          : (fine = false, view.colour);
    else
      return complain("no option --" + name + "; --help lists them");
    if (!fine)
      return complain("--" + name + ": '" + value + "' is no value for it; --help says what is");
  }
  if (input.empty())
    return complain("no layout and no file; --help tells more");

  Picture picture;
  std::string error;
  if (input == "-" || input.ends_with(".mlir") || input.ends_with(".tileirbc")) {
    request.file = input;
    if (!drawModule(request, picture))
      return 1;
    if (request.operation < 0)
      return 0;
  } else {
    std::optional<AnyLayout> layout = parseAnyLayout(input, shape, &error);
    if (!layout)
      return complain(error);
    std::optional<std::vector<Panel>> panels;
    if (!to.empty()) {
      std::optional<AnyLayout> target = parseAnyLayout(to, shape, &error);
      if (!target)
        return complain(error);
      if (layout->kind != AnyLayout::Kind::Distributed || target->kind != AnyLayout::Kind::Distributed)
        return complain("a conversion needs two layouts of registers");
      std::optional<Picture> conversion = conversionPicture(layout->linear, target->linear, view, &error);
      if (!conversion)
        return complain(error);
      picture = *conversion;
      panels = picture.panels;
    } else if (!tile.empty()) {
      std::optional<IntTuple> extent = parseIntTuple(tile, &error);
      if (!extent)
        return complain(error);
      if (layout->kind != AnyLayout::Kind::Function || !layout->function.isPlain())
        return complain("--tile is for CuTe's layouts of threads and values");
      std::optional<Panel> panel =
          threadValuePanel(layout->function.layout, *extent, "Tile " + extent->toString(), view, &error);
      if (!panel)
        return complain(error);
      panels = {*panel};
    } else {
      panels = panelsOf(*layout,
                        !operation.empty()                             ? "Before"
                        : layout->kind == AnyLayout::Kind::Distributed ? "Who owns which element"
                        : layout->kind == AnyLayout::Kind::Shared      ? "Shared memory"
                                                                       : "Offsets",
                        view, &error);
      if (panels && !operation.empty()) {
        size_t colon = operation.find(':');
        std::string argument = colon == std::string::npos ? "" : operation.substr(colon + 1);
        if (layout->kind != AnyLayout::Kind::Function)
          return complain("--apply is for CuTe's layouts");
        std::optional<Layout> result = apply(layout->function.layout, operation.substr(0, colon), argument, error);
        if (!result)
          return complain(error);
        ComposedLayout composed = layout->function;
        composed.layout = *result;
        std::optional<Panel> after = functionPanel(composed, "After " + operation, view, &error);
        if (!after)
          return complain(error);
        panels->push_back(*after);
      }
    }
    if (!panels)
      return complain(error);
    picture.panels = *panels;
  }
  if (!title.empty())
    picture.title = title;
  if (svg.empty()) {
    std::cout << picture.toText();
    return 0;
  }
  std::ofstream file(svg);
  file << picture.toSVG();
  if (!file.flush())
    return complain("cannot write '" + svg + "': " + std::strerror(errno));
  return 0;
}
