//===- StructuralConversion.cpp - Types of values that agents capture -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/StructuralConversion.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct Captures : OpConversionPattern<AgentSwitchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AgentSwitchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto converted = cast<AgentSwitchOp>(rewriter.cloneWithoutRegions(*op));
    SmallVector<Value> captures;
    for (ValueRange values : adaptor.getCaptures())
      llvm::append_range(captures, values);
    converted->setOperands(captures);
    for (auto [from, to] : llvm::zip_equal(op.getAgents(), converted.getAgents())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      if (failed(rewriter.convertRegionTypes(&to, *getTypeConverter())))
        return rewriter.notifyMatchFailure(op, "a capture has no conversion");
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nv_tileas::populateAgentTypeConversionsAndLegality(const TypeConverter &converter, RewritePatternSet &patterns,
                                                        ConversionTarget &target) {
  patterns.add<Captures>(converter, patterns.getContext());
  target.addDynamicallyLegalOp<AgentSwitchOp>([&](AgentSwitchOp op) {
    return converter.isLegal(op.getCaptures().getTypes()) &&
           llvm::all_of(op.getAgents(), [&](Region &agent) { return converter.isLegal(agent.getArgumentTypes()); });
  });
}
