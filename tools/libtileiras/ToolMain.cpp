//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../tileiras/Tools.h"
#include "tileiras/CAPI/open_tileiras.h"

#include <cstdio>
#include <cstring>

int tileiras_tool_main(const char *tool, int argc, char **argv) {
  static constexpr struct {
    const char *name;
    int (*run)(int, char **);
  } tools[] = {{"tileiras", tileiras::tileirasMain},
               {"tileiras-run", tileiras::tileirasRunMain},
               {"tileirdisasm", tileiras::tileirdisasmMain}};
  for (const auto &[name, run] : tools)
    if (tool && std::strcmp(tool, name) == 0)
      return run(argc, argv);
  std::fprintf(stderr, "error: no tool '%s'\n", tool ? tool : "");
  return 1;
}
