//===- DotPatterns.cpp - Matrix products ----------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nv_tileaa.dot and mma_block_scale become nv_tileas.dot in default layouts; tileas-assign-dot-layouts gives it an atom
// and the layouts that go with it.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct DotPattern : OpConversionPattern<nv_tileaa::DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(nv_tileaa::DotOp op, OpAdaptor a, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<DotOp>(op, a.getC().getType(), a.getA(), a.getB(), a.getC(), Value(), Value(), Value(),
                                       Value(), op.getSignednessAAttr(), op.getSignednessBAttr(), op.getFastAccAttr(),
                                       MmaAtomAttrInterface(), CopyAtomAttrInterface(), CopyAtomAttrInterface());
    return success();
  }
};

struct MmaBlockScalePattern : OpConversionPattern<nv_tileaa::MmaBlockScaleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(nv_tileaa::MmaBlockScaleOp op, OpAdaptor a,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<DotOp>(op, a.getC().getType(), a.getA(), a.getB(), a.getC(), a.getSfa(), a.getSfb(),
                                       Value(), Value(), nv_tileaa::SignednessAttr(), nv_tileaa::SignednessAttr(),
                                       UnitAttr(), MmaAtomAttrInterface(), CopyAtomAttrInterface(),
                                       CopyAtomAttrInterface());
    return success();
  }
};

} // namespace

void nv_tileas::populateDotPatterns(const TypeConverter &converter, RewritePatternSet &patterns,
                                    ConversionTarget &target) {
  addReplacing<DotPattern, MmaBlockScalePattern>(converter, patterns, target);
}
