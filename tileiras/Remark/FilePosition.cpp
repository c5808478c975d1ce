//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Remark/FilePosition.h"

using namespace mlir;

std::optional<FileLineColLoc> tileiras::findFilePosition(Location loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return FileLineColLoc::get(range.getContext(), range.getFilename().getValue(), range.getStartLine(),
                               range.getStartColumn());
  if (auto named = dyn_cast<NameLoc>(loc))
    return findFilePosition(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    if (auto callee = findFilePosition(call.getCallee()))
      return callee;
    return findFilePosition(call.getCaller());
  }
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFilePosition(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto position = findFilePosition(part))
        return position;
  return std::nullopt;
}
