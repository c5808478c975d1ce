//===- CudaTileDebugInfo.cpp - Debug-info attributes and their rules ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static bool isLocalScope(Attribute scope) { return isa_and_nonnull<DISubprogramAttr, DILexicalBlockAttr>(scope); }

LogicalResult DILexicalBlockAttr::verify(EmitErrorFn emitError, Attribute scope, DIFileAttr, unsigned, unsigned) {
  if (!isLocalScope(scope))
    return emitError() << "expected the scope of a lexical block to be a subprogram or a lexical block";
  return success();
}

LogicalResult DILocAttr::verify(EmitErrorFn emitError, FileLineColLoc loc, Attribute scope) {
  if (!loc)
    return emitError() << "expected a file, line and column location";
  if (!isLocalScope(scope))
    return emitError() << "expected the scope of a location to be a subprogram or a lexical block";
  return success();
}

Attribute DILocAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute source, scope;
  if (parser.parseLess() || parser.parseAttribute(source) || parser.parseKeyword("in") ||
      parser.parseAttribute(scope) || parser.parseGreater())
    return {};
  FileLineColLoc position;
  if (auto location = dyn_cast<LocationAttr>(source))
    position = dyn_cast<FileLineColLoc>(location);
  return parser.getChecked<DILocAttr>(loc, parser.getContext(), position, scope);
}

void DILocAttr::print(AsmPrinter &printer) const {
  printer << '<' << Attribute(getSourceLoc()) << " in " << getScope() << '>';
}

/// The debug-info location behind a location. The position of an inlined op in its function is that of the call.
static DILocAttr findDILoc(LocationAttr loc) {
  if (auto di = dyn_cast<DILocAttr>(loc))
    return di;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findDILoc(call.getCaller());
  if (auto name = dyn_cast<NameLoc>(loc))
    return findDILoc(name.getChildLoc());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findDILoc(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (DILocAttr di = findDILoc(part))
        return di;
  return {};
}

static DISubprogramAttr getSubprogram(Attribute scope) {
  while (auto block = dyn_cast_or_null<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return dyn_cast_or_null<DISubprogramAttr>(scope);
}

LogicalResult cuda_tile::verifyFunctionDebugInfo(FunctionOpInterface function) {
  LocationAttr loc = function.getLoc();
  if (isa<CallSiteLoc>(loc))
    return function.emitOpError("invalid function debug info location: ")
           << loc << ". Function location must not be a CallSiteLoc.";
  DISubprogramAttr subprogram;
  if (DILocAttr di = findDILoc(loc)) {
    subprogram = dyn_cast<DISubprogramAttr>(di.getScope());
    if (!subprogram)
      return function.emitOpError("invalid function debug info scope: ")
             << di.getScope() << ". Function location must have cuda_tile.di_subprogram debug info scope.";
    if (subprogram.getLinkageName().getValue() != function.getName())
      return function.emitOpError("invalid function debug info scope: ")
             << subprogram << ". Function name \"" << function.getName()
             << "\" does not match subprogram scope linkage name " << subprogram.getLinkageName() << ".";
  }
  WalkResult result = function.getFunctionBody().walk([&](Operation *op) -> WalkResult {
    DILocAttr di = findDILoc(op->getLoc());
    if (!di)
      return WalkResult::advance();
    DISubprogramAttr found = getSubprogram(di.getScope());
    if (!subprogram) {
      op->emitOpError("invalid operation debug info scope: ")
          << found << ". Operation has debug info scope, but function debug info scope is undefined.";
      return WalkResult::interrupt();
    }
    if (found != subprogram) {
      op->emitError("invalid operation debug info scope: ")
          << found << ". Operation debug info scope does not match function debug info scope: " << subprogram << ".";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult cuda_tile::verifyNoDebugScope(Operation *op) {
  if (DILocAttr di = findDILoc(op->getLoc()))
    return op->emitOpError("invalid operation debug info scope: ")
           << Attribute(di) << ". Global variables must not have scope.";
  return success();
}
