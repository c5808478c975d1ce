//===- CuteNvgpuTypes.cpp - Atoms -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cute_nvgpu;

#include "tileiras/Dialect/Cute/IR/CuteNvgpuDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuTypes.cpp.inc"

void CuteNvgpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/Cute/IR/CuteNvgpuTypes.cpp.inc"
      >();
}

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult UniversalCopyType::verify(Emit emitError, int64_t bits) {
  if (!llvm::is_contained({8, 16, 32, 64, 128}, bits))
    return emitError() << "expects 8, 16, 32, 64 or 128 bits, got " << bits;
  return success();
}
LogicalResult SimtAsyncCopyType::verify(Emit emitError, int64_t bits) {
  if (!llvm::is_contained({32, 64, 128}, bits))
    return emitError() << "cp.async copies 32, 64 or 128 bits, not " << bits;
  return success();
}
LogicalResult UniversalFmaType::verify(Emit emitError, Type element) {
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return emitError() << "expects f16, bf16, f32 or f64, got " << element;
  return success();
}

Type Sm80MmaType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type a, b, c;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseComma() || parser.parseType(a) || parser.parseComma() || parser.parseType(b) || parser.parseComma() ||
      parser.parseType(c) || parser.parseGreater())
    return {};
  if (shape.size() != 3) {
    parser.emitError(loc, "expects three extents: 16x8x16");
    return {};
  }
  return parser.getChecked<Sm80MmaType>(parser.getContext(), shape[0], shape[1], shape[2], a, b, c);
}
void Sm80MmaType::print(AsmPrinter &printer) const {
  printer << '<' << getM() << 'x' << getN() << 'x' << getK() << ", " << getA() << ", " << getB() << ", " << getC()
          << '>';
}
LogicalResult Sm80MmaType::verify(Emit emitError, int64_t m, int64_t n, int64_t k, Type a, Type b, Type c) {
  bool sixteen = isa<Float16Type, BFloat16Type>(a) && a == b;
  if (m != 16 || n != 8 || (k != 16 && k != 8) || !sixteen || !(c.isF32() || (c.isF16() && a.isF16())))
    return emitError()
           << "mma.sync of this kind: 16x8x16 and 16x8x8 of f16 or bf16, with f32 (or f16 for f16) sums; got " << m
           << "x" << n << "x" << k << " of " << a << ", " << b << ", " << c;
  return success();
}
