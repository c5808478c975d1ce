//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Remark/Remark.h"
#include "tileiras/Remark/FilePosition.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tileiras::remarks {

using Emit = InFlight (remark::detail::RemarkEngine::*)(Location, remark::RemarkOpts);

static InFlight emit(Operation *op, StringRef category, StringRef name, Emit how) {
  remark::detail::RemarkEngine *engine = op->getContext()->getRemarkEngine();
  if (!engine)
    return {};
  StringRef function;
  for (Operation *parent = op; parent && function.empty(); parent = parent->getParentOp())
    if (isa<FunctionOpInterface>(parent))
      if (auto symbol = parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        function = symbol.getValue();
  // The engine knows plain positions only.
  Location loc = op->getLoc();
  if (std::optional<FileLineColLoc> position = findFilePosition(loc))
    loc = *position;
  return (engine->*how)(loc, remark::RemarkOpts::name(name).category(category).function(function));
}

InFlight passed(Operation *op, StringRef category, StringRef name) {
  return emit(op, category, name, &remark::detail::RemarkEngine::emitOptimizationRemark);
}
InFlight missed(Operation *op, StringRef category, StringRef name) {
  return emit(op, category, name, &remark::detail::RemarkEngine::emitOptimizationRemarkMiss);
}
InFlight analysis(Operation *op, StringRef category, StringRef name) {
  return emit(op, category, name, &remark::detail::RemarkEngine::emitOptimizationRemarkAnalysis);
}

} // namespace tileiras::remarks
