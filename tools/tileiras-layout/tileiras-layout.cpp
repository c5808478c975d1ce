//===- tileiras-layout.cpp - Draws layouts --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "tileiras/Layout/Draw.h"

#include <algorithm>
#include <charconv>
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
                        zipped_divide, tiled_divide, flat_divide, logical_product,
                        zipped_product, tiled_product, flat_product, blocked_product,
                        raked_product, complement (a size instead of a tiler),
                        right_inverse, left_inverse, coalesce, flatten or filter (nothing)
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

/// A number in the list of operations.
static bool parseOperation(const std::string &text, int &value) {
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 1 << 30;
}

int main(int argc, char **argv) {
  ModuleRequest request;
  DrawRequest draw;
  std::string input, svg;
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
    if (name == "color")
      name = "colour";
    bool fine = true;
    if (name == "op")
      fine = parseOperation(value, request.operation);
    else if (name == "svg")
      svg = value;
    else if (name == "gpu-name")
      request.gpuName = value;
    else if (name == "before")
      request.before = value;
    else if (std::find(std::begin(kDrawOptions), std::end(kDrawOptions), name) != std::end(kDrawOptions))
      fine = draw.set(name, value);
    else
      return complain("no option --" + name + "; --help lists them");
    if (!fine)
      return complain("--" + name + ": '" + value + "' is no value for it; --help says what is");
  }
  if (input.empty())
    return complain("no layout and no file; --help tells more");

  Picture picture;
  if (input == "-" || input.ends_with(".mlir") || input.ends_with(".tileirbc")) {
    request.file = input;
    request.view = draw.view;
    if (!drawModule(request, picture))
      return 1;
    if (request.operation < 0)
      return 0;
    if (!draw.title.empty())
      picture.title = draw.title;
  } else {
    std::string error;
    draw.layout = input;
    std::optional<Picture> drawn = draw.draw(error);
    if (!drawn)
      return complain(error);
    picture = *drawn;
  }
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
