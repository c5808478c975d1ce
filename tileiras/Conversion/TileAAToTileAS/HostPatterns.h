//===- HostPatterns.h - Tile operations as host code ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a tensor map is made from, as code of the host: scalars, pointers, memrefs and views. A tensor is a scalar
// there: all that tensor maps are made from has the same value in every element.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEAATOTILEAS_HOSTPATTERNS_H
#define TILEIRAS_CONVERSION_TILEAATOTILEAS_HOSTPATTERNS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"

namespace mlir::nv_tileas {

/// How a tensor map lies in what the host function fills.
inline constexpr int64_t kTensorMapBytes = 128;

/// Pointers are those of the device, as numbers of the host's size; memrefs and views a struct of the base, the dynamic
/// extents and the dynamic strides, as kernels take them.
class HostTypeConverter : public LLVMTypeConverter {
public:
  explicit HostTypeConverter(MLIRContext *context);
};

void populateHostPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns, ConversionTarget &target);

/// Whether a pattern takes the operation, which has no regions. Division is code of the host only by numbers that are
/// known not to be zero: there it would trap.
bool hasHostPattern(Operation *op);

/// What L2 fetches for each row of the map's boxes, in bytes: 0, 64 or 128. Only the host can say so.
int32_t getL2Promotion(MakeTiledTmaDescOp make);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_CONVERSION_TILEAATOTILEAS_HOSTPATTERNS_H
