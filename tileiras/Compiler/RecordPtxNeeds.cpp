//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "tileiras/CodeGen/PtxNeeds.h"
#include "tileiras/Compiler/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_RECORDPTXNEEDSPASS
#include "tileiras/Compiler/Passes.h.inc"
} // namespace tileiras

namespace tileiras {
namespace {

struct RecordPtxNeedsPass : impl::RecordPtxNeedsPassBase<RecordPtxNeedsPass> {
  void runOnOperation() override {
    recordPtxNeeds(getOperation());
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tileiras
