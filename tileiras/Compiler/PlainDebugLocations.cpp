//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileir-plain-debug-locations: what line tables are made from.
//
// Front ends nest locations (inlined functions, names) and passes nest them further (constants that are merged
// become a fused location). MLIR's ensure-debug-info-scope-on-llvm-func understands a position, and a call site of
// positions on an operation in a function; for any other location it looks at a null position. This pass reduces every
// location to one of these two:
//
//   fused locations     the first part that has a position
//   names, opaque ones  what they name
//   call sites          call sites of positions; of one that has a position on one side only, that side
//   outside functions   the position where the text stands: nothing is inlined into a global or a declaration
//
// A location without any position becomes unknown.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Passes.h"
#include "tileiras/Remark/FilePosition.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace tileiras {
#define GEN_PASS_DEF_PLAINDEBUGLOCATIONSPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// A position or a call site of positions; null without any.
LocationAttr plainLocation(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::optional<FileLineColLoc> callee = findFilePosition(call.getCallee());
    LocationAttr caller = plainLocation(call.getCaller());
    if (callee && caller)
      return CallSiteLoc::get(*callee, Location(caller));
    return callee ? LocationAttr(*callee) : caller;
  }
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (LocationAttr plain = plainLocation(part))
        return plain;
    return {};
  }
  if (auto named = dyn_cast<NameLoc>(loc))
    return plainLocation(named.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return plainLocation(opaque.getFallbackLocation());
  std::optional<FileLineColLoc> position = findFilePosition(loc);
  return position ? LocationAttr(*position) : LocationAttr();
}

struct PlainDebugLocationsPass : impl::PlainDebugLocationsPassBase<PlainDebugLocationsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      LocationAttr plain = plainLocation(op->getLoc());
      // Debug information that is there already: a scope is the metadata of a fused location.
      if (op->getLoc()->findInstanceOf<FusedLocWith<LLVM::DIScopeAttr>>())
        return;
      if (plain && !op->getParentOfType<LLVM::LLVMFuncOp>())
        if (std::optional<FileLineColLoc> position = findFilePosition(Location(plain)))
          plain = *position;
      op->setLoc(plain ? Location(plain) : UnknownLoc::get(op->getContext()));
    });
  }
};

} // namespace

} // namespace tileiras
