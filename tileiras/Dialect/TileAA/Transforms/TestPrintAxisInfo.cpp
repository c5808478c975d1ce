//===- TestPrintAxisInfo.cpp - Show the axis information ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"

namespace mlir::nv_tileaa {
#define GEN_PASS_DEF_TESTPRINTAXISINFOPASS
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileaa

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {
struct TestPrintAxisInfoPass : nv_tileaa::impl::TestPrintAxisInfoPassBase<TestPrintAxisInfoPass> {
  static bool isNumber(Type type) {
    Type element = nv_tileaa::getElementTypeOrSelf(type);
    return element.isIntOrIndex() || isa<PtrType>(element);
  }

  void runOnOperation() override {
    AxisInfoAnalysisResult result(getOperation());
    auto show = [&](StringRef what, Value value) {
      if (!isNumber(value.getType()))
        return;
      llvm::outs() << what << ": ";
      if (const AxisInfo *info = result.get(value))
        info->print(llvm::outs());
      else
        llvm::outs() << "unknown";
      llvm::outs() << '\n';
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        llvm::outs() << "@" << function.getName() << '\n';
      if (auto loop = dyn_cast<CountedLoop>(op)) {
        show("iv", loop.getInductionVar());
        for (Value arg : loop.getRegionIterArgs())
          show("iter_arg", arg);
      }
      for (Value value : op->getResults())
        show(op->getName().getStringRef(), value);
      auto access = dyn_cast<MemoryAccessOpInterface>(op);
      if (!access || access.isThroughView() || access.isAtomic())
        return;
      Value ptrs = access.getAddress(), mask = access.getAccessMask();
      Type pointee = cast<PtrType>(nv_tileaa::getElementTypeOrSelf(ptrs.getType())).getPointee();
      unsigned bytes = isa<PtrType>(pointee) ? 8 : llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
      llvm::outs() << "  vector of " << result.maxVectorElements(ptrs, mask, bytes) << ", order [";
      llvm::interleaveComma(result.getOrder(ptrs), llvm::outs());
      llvm::outs() << "]\n";
    });
  }
};
} // namespace
