//===- DotOps.cpp - Matrix products ---------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Dot.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

/// Which elements, scales and numbers of elements per scale hardware has: K = 32 with 32 elements to a scale, of f8, f6
/// and f4 with f8E8M0FNU; K = 64 with 16 or 32 of f4, by 16 also with f8E4M3FN (PTX ISA, "Block Scaling for
/// mma.sync"). The same table as that of cuda_tile.mmaf_scaled, with f6. The k of the instruction, 0 if there is none.
static int64_t getBlockScaledK(Type element, Type scale, int64_t vector) {
  bool e8m0 = isa<Float8E8M0FNUType>(scale);
  if (isa<Float4E2M1FNType>(element))
    return (e8m0 && (vector == 16 || vector == 32)) || (isa<Float8E4M3FNType>(scale) && vector == 16) ? 64 : 0;
  bool narrow = isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType, Float6E3M2FNType>(element);
  return narrow && e8m0 && vector == 32 ? 32 : 0;
}

uint64_t nv_tileaa::verifyBlockScaled(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c,
                                      RankedTensorType sfa, RankedTensorType sfb) {
  auto invalid = [&] { return op->emitOpError(); };
  Type in = a.getElementType();
  if (!sfa)
    return invalid() << "fp4 mma should expect scaling factors", 0;
  if (sfa.getElementType() != sfb.getElementType())
    return invalid() << "sfa and sfb element type mismatch", 0;
  if (!c.getElementType().isF32())
    return invalid() << "expects c type to be Float32", 0;
  int64_t rank = a.getRank(), row = rank - 2, column = rank - 1;
  auto same = [&](RankedTensorType x, int64_t i, RankedTensorType y, int64_t j) {
    return x.getDimSize(i) == y.getDimSize(j);
  };
  if (sfa.getRank() != rank || sfb.getRank() != rank || !same(sfa, row, a, row) || !same(sfb, column, b, column) ||
      !same(sfa, column, sfb, row) || (rank == 3 && (!same(sfa, 0, a, 0) || !same(sfb, 0, b, 0))) ||
      sfa.getDimSize(column) > a.getDimSize(column) || a.getDimSize(column) % sfa.getDimSize(column) != 0)
    return invalid() << "Scale factor vector size mismatch: " << sfa << " and " << sfb, 0;
  int64_t vector = a.getDimSize(column) / sfa.getDimSize(column);
  if (isPairOfF4(in)) {
    in = Float4E2M1FNType::get(op->getContext());
    vector *= 2;
  }
  int64_t k = getBlockScaledK(in, sfa.getElementType(), vector);
  if (!k)
    return invalid() << "unsupported block-scaled mma configuration: " << in << " elements with one scale of type "
                     << sfa.getElementType() << " for " << vector,
           0;
  return uint64_t(k) << 32 | uint64_t(vector);
}

LogicalResult nv_tileaa::verifyDot(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c,
                                   RankedTensorType sfa, RankedTensorType sfb) {
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
    return op->emitOpError("expects operands of rank 2 or 3, all of one rank");
  int64_t row = rank - 2, column = rank - 1;
  auto same = [&](RankedTensorType x, int64_t i, RankedTensorType y, int64_t j) {
    return x.getDimSize(i) == y.getDimSize(j);
  };
  if (!same(a, row, c, row) || !same(b, column, c, column) || !same(a, column, b, row) ||
      (rank == 3 && (!same(a, 0, c, 0) || !same(b, 0, c, 0))))
    return op->emitOpError("expects M x K times K x N plus M x N, got ") << a << ", " << b << " and " << c;

  if (a.getElementType() != b.getElementType())
    return op->emitOpError("expects both factors to have one element type");
  if (bool(sfa) != bool(sfb))
    return op->emitOpError("expects scales for both factors or for none");
  Type in = a.getElementType(), out = c.getElementType();
  if (sfa || isa<Float4E2M1FNType>(in))
    return success(verifyBlockScaled(op, a, b, c, sfa, sfb) != 0);
  bool fits = isa<IntegerType>(in) ? in.isInteger(8) && out.isInteger(32)
                                   : isa<FloatType>(in) && isa<FloatType>(out) && (in.isF64() == out.isF64()) &&
                                         (out.isF16() || out.isF32() || out.isF64());
  if (!fits)
    return op->emitOpError("of ") << in << " elements cannot be summed in " << out;
  return success();
}

LogicalResult DotOp::verify() {
  if (failed(verifyDot(*this, getA().getType(), getB().getType(), getC().getType(), {}, {})))
    return failure();
  bool integers = isa<IntegerType>(getA().getType().getElementType());
  if (integers != getSignednessA().has_value() || integers != getSignednessB().has_value())
    return emitOpError("expects a signedness for each integer operand, and only there");
  return success();
}

/// Only of integers: a float product of zero may be a NaN, and adding it turns -0 into 0.
OpFoldResult DotOp::fold(FoldAdaptor adaptor) {
  for (Attribute factor : {adaptor.getA(), adaptor.getB()}) {
    auto zeros = dyn_cast_or_null<DenseIntElementsAttr>(factor);
    if (zeros && zeros.isSplat() && zeros.getSplatValue<APInt>().isZero())
      return getC();
  }
  return {};
}

LogicalResult MmaBlockScaleOp::verify() {
  return verifyDot(*this, getA().getType(), getB().getType(), getC().getType(), getSfa().getType(), getSfb().getType());
}
