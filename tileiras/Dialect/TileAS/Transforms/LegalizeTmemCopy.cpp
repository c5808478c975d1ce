//===- LegalizeTmemCopy.cpp - Copies from and to tensor memory ------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-legalize-tmem-copy: tcgen05.ld and tcgen05.st give a warp 32 rows of tensor memory, a row to a lane. A copy
// whose registers are spread otherwise becomes one in the layout that follows from the tile's (Support/Tcgen05.h), and
// a conversion between registers, which is tileas-materialize-convert-layout's business.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Support/Tcgen05.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_LEGALIZETMEMCOPYPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct LegalizeTmemCopyPass : nv_tileas::impl::LegalizeTmemCopyPassBase<LegalizeTmemCopyPass> {
  void runOnOperation() override {
    SmallVector<ConvertLayoutOp> loads;
    SmallVector<CopyOp> stores;
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<ConvertLayoutOp>(op); load && isIn(load.getSource().getType(), MemoryKind::Tensor))
        loads.push_back(load);
      if (auto store = dyn_cast<CopyOp>(op);
          store && store.getDest() && isIn(store.getDest().getType(), MemoryKind::Tensor))
        stores.push_back(store);
    });
    for (ConvertLayoutOp load : loads)
      if (failed(legalize(load)))
        return signalPassFailure();
    for (CopyOp store : stores)
      if (failed(legalize(store)))
        return signalPassFailure();
  }

  static bool isLegal(Value registers, Value memory) {
    return tileiras::planTensorMemoryCopy(getLinearLayout(cast<RankedTensorType>(registers.getType())),
                                          getLinearLayout(cast<RankedTensorType>(memory.getType())))
        .has_value();
  }

  /// The registers that follow from the tile's layout; null if there are none.
  static RankedTensorType registersFor(Operation *op, Value memory) {
    auto type = cast<RankedTensorType>(memory.getType());
    auto layout = tileiras::tensorMemoryRegisters(getLinearLayout(type), getNumWarps(op));
    return layout ? withLayout(type, getLayoutAttr(op->getContext(), *layout)) : RankedTensorType();
  }

  static LogicalResult legalize(ConvertLayoutOp load) {
    if (isLegal(load.getResult(), load.getSource()))
      return success();
    RankedTensorType registers = registersFor(load, load.getSource());
    if (!registers)
      return load.emitOpError("failed to infer register layout from tmem layout");
    OpBuilder builder(load);
    auto copy = ConvertLayoutOp::create(builder, load.getLoc(), registers, load.getSource(), load.getAtomPlanAttr(),
                                        UnitAttr());
    load.getSourceMutable().assign(copy.getResult());
    load.removeAtomPlanAttr();
    return success();
  }

  static LogicalResult legalize(CopyOp store) {
    if (isLegal(store.getSource(), store.getDest()))
      return success();
    RankedTensorType registers = registersFor(store, store.getDest());
    if (!registers)
      return store.emitOpError("failed to infer source layout from tmem layout");
    OpBuilder builder(store);
    store.getSourceMutable().assign(
        ConvertLayoutOp::create(builder, store.getLoc(), registers, store.getSource(), AtomPlanAttr(), UnitAttr()));
    return success();
  }
};

} // namespace
