//===- SynthesizeDebugInfoScopes.cpp - Scopes for plain source positions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// synthesize-debug-info-scopes: a front end that only says loc("a.py":3:4) gets
// a line table all the same. Every entry without debug information becomes a
// subprogram of its file, and the positions inside become positions in it.
//
// Positions from another file (helpers that the front end inlined) stand in a
// lexical block of that file. Names are dropped, of several positions the
// first is kept, and of a call site the caller, which is the line of the entry
// itself. An entry without any position is a subprogram all the same, of the
// module's file or of <unknown>. Entries that have scopes already stay as they
// are.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h"

#include "llvm/Support/Path.h"

namespace mlir::cuda_tile {
#define GEN_PASS_DEF_SYNTHESIZEDEBUGINFOSCOPESPASS
#include "tileiras/Dialect/CudaTile/Transforms/Passes.h.inc"
} // namespace mlir::cuda_tile

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

bool hasScope(LocationAttr loc) {
  return loc.walk([](Location part) { return isa<DILocAttr>(part) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// The first plain position that a location stands for and that lies in the function itself.
FileLineColLoc findPosition(LocationAttr loc) {
  if (auto position = dyn_cast<FileLineColLoc>(loc))
    return position;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findPosition(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findPosition(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc position = findPosition(part))
        return position;
  return {};
}

DIFileAttr getFile(StringAttr path) {
  return DIFileAttr::get(path.getContext(),
                         StringAttr::get(path.getContext(), llvm::sys::path::filename(path.getValue())),
                         StringAttr::get(path.getContext(), llvm::sys::path::parent_path(path.getValue())));
}

struct SynthesizeDebugInfoScopesPass
    : cuda_tile::impl::SynthesizeDebugInfoScopesPassBase<SynthesizeDebugInfoScopesPass> {
  void runOnOperation() override {
    // One compile unit: the module's file, or for want of one each entry's.
    FileLineColLoc moduleLoc = findPosition(getOperation().getLoc());
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      addScopes(function, moduleLoc);
  }

  static FileLineColLoc getFunctionPosition(FunctionOpInterface function) {
    if (FileLineColLoc position = findPosition(function.getLoc()))
      return position;
    FileLineColLoc position;
    function.getFunctionBody().walk([&](Operation *op) {
      position = findPosition(op->getLoc());
      return position ? WalkResult::interrupt() : WalkResult::advance();
    });
    return position;
  }

  static void addScopes(FunctionOpInterface function, FileLineColLoc moduleLoc) {
    // A scope on an operation of a function without one does not verify, but a subprogram made up here might not be
    // the one that it means.
    if (function
            ->walk(
                [](Operation *op) { return hasScope(op->getLoc()) ? WalkResult::interrupt() : WalkResult::advance(); })
            .wasInterrupted())
      return;
    FileLineColLoc position = getFunctionPosition(function);
    if (!position) {
      auto path = moduleLoc ? moduleLoc.getFilename() : StringAttr::get(function.getContext(), "<unknown>");
      position = FileLineColLoc::get(path, 1, 1);
    }
    DIFileAttr file = getFile(position.getFilename());
    auto name = StringAttr::get(function.getContext(), function.getName());
    auto unit = DICompileUnitAttr::get(function.getContext(), moduleLoc ? getFile(moduleLoc.getFilename()) : file);
    auto subprogram =
        DISubprogramAttr::get(function.getContext(), file, position.getLine(), name, name, unit, position.getLine());
    function->setLoc(DILocAttr::get(function.getContext(), position, subprogram));
    for (Block &block : function.getFunctionBody())
      scopeBlock(block, subprogram);
  }

  static void scopeBlock(Block &block, DISubprogramAttr subprogram) {
    for (Operation &op : block) {
      op.setLoc(addScope(op.getLoc(), subprogram));
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          scopeBlock(inner, subprogram);
    }
  }

  static Location addScope(Location loc, DISubprogramAttr subprogram) {
    MLIRContext *context = loc.getContext();
    if (auto position = dyn_cast<FileLineColLoc>(loc)) {
      DIFileAttr file = getFile(position.getFilename());
      Attribute scope = subprogram;
      if (file != subprogram.getFile())
        scope = DILexicalBlockAttr::get(context, subprogram, file, position.getLine(), position.getColumn());
      return DILocAttr::get(context, position, scope);
    }
    if (auto name = dyn_cast<NameLoc>(loc))
      return addScope(name.getChildLoc(), subprogram);
    if (auto call = dyn_cast<CallSiteLoc>(loc))
      return addScope(findPosition(call.getCaller()) ? call.getCaller() : call.getCallee(), subprogram);
    if (auto fused = dyn_cast<FusedLoc>(loc))
      for (Location part : fused.getLocations())
        if (findPosition(part))
          return addScope(part, subprogram);
    return loc;
  }
};

} // namespace
