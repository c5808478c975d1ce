//===- Module.h - Pictures of the layouts in a module ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TOOLS_TILEIRAS_LAYOUT_MODULE_H
#define TILEIRAS_TOOLS_TILEIRAS_LAYOUT_MODULE_H

#include "tileiras/Layout/Picture.h"

namespace tileiras {

struct ModuleRequest {
  std::string file, gpuName = "sm_90";
  /// cuda_tile is compiled up to this pass; everything else is taken as it is.
  std::string before = "tileas-materialize-convert-layout";
  int operation = -1; ///< number in the list; -1 lists
  cute::ViewOptions view;
};

/// Prints the list of operations with layouts to standard output, or fills the picture. Diagnostics go to standard
/// error.
bool drawModule(const ModuleRequest &request, cute::Picture &picture);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_LAYOUT_MODULE_H
