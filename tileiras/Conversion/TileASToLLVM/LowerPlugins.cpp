//===- LowerPlugins.cpp - The tileas-lower-plugins pass -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An nv_tileaa.plugin is foreign: the conversion of the bodies only gives it LLVM's types. Here those who know a plugin
// have their turn, by patterns on the operation and its name.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/TileTypesToLLVM/PdlPatterns.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace tileiras {
#define GEN_PASS_DEF_LOWERPLUGINSPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace {
struct LowerPluginsPass : tileiras::impl::LowerPluginsPassBase<LowerPluginsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    tilellvm::registerPdlDialects(registry, pdlFiles);
  }

  void runOnOperation() override {
    WalkResult some = getOperation().walk([](nv_tileaa::PluginOp) { return WalkResult::interrupt(); });
    if (!some.wasInterrupted())
      return markAllAnalysesPreserved();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    RewritePatternSet patterns(&getContext());
    if (failed(tilellvm::addPdlPatterns(getOperation().getLoc(), pdlFiles, converter, patterns)))
      return signalPassFailure();
    ConversionTarget target(getContext());
    // Neither legal nor illegal: what no pattern takes stays.
    target.markUnknownOpDynamicallyLegal([](Operation *op) -> std::optional<bool> {
      return isa<nv_tileaa::PluginOp>(op) ? std::nullopt : std::optional(true);
    });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
