//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-print-decomposed-tv-layout: for people. One remark per tensor value with its
// layout in CuTe's (shape):(stride) text, thread and value modes apart; layouts that
// this notation cannot express are written as bases.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Support/LayoutText.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PRINTDECOMPOSEDTVLAYOUTPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct PrintDecomposedTVLayoutPass : nv_tileas::impl::PrintDecomposedTVLayoutPassBase<PrintDecomposedTVLayoutPass> {
  static std::string text(RankedTensorType type) {
    tileiras::LinearLayout layout = getLinearLayout(type);
    bool shared = isIn(type, MemoryKind::Shared);
    if (auto cute = shared ? tileiras::printShared(layout) : tileiras::printDistributed(layout))
      return *cute;
    return "bases " + layout.toString();
  }

  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpResult result : op->getResults())
        if (auto type = dyn_cast<RankedTensorType>(result.getType()); type && getLayout(type))
          op->emitRemark() << "layout of result #" << result.getResultNumber() << ": " << text(type);
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
