//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;

const ::tileiras::TargetInfo *nv_tileaa::getTarget(Operation *op) {
  if (FailureOr<StringRef> spec = getTargetSpec(op); succeeded(spec))
    return ::tileiras::lookupTarget(std::string_view(spec->data(), spec->size()));
  if (FailureOr<int64_t> capability = getComputeCapability(op); succeeded(capability))
    return ::tileiras::lookupTarget(std::to_string(*capability));
  return &::tileiras::allTargets().front();
}
