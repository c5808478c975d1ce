//===- PolynomialExp2.cpp - Powers of two by multiply-adds ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/PolynomialExp2.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/PackedFloat.h"
#include "llvm/ADT/ArrayRef.h"

using namespace mlir;
using namespace mlir::tilellvm;

/// Two equal numbers.
static Value both(Emitter &e, double value) {
  Value number = e.constantFloat(e.f32Ty(), value);
  return packFloats(e, number, number);
}

/// An instruction on pairs that LLVM has no operation for: another rounding, or flushing.
static Value onPairs(Emitter &e, StringRef instruction, Value a, Value b) {
  Type word = e.intTy(64);
  auto wordOf = [&](Value pair) -> Value { return LLVM::BitcastOp::create(e.b, e.loc, word, pair); };
  Value result = inlinePtx(e, word, {wordOf(a), wordOf(b)}, instruction + " $0, $1, $2;", "=l,l,l", Access::None);
  return LLVM::BitcastOp::create(e.b, e.loc, a.getType(), result);
}

std::pair<Value, Value> tilellvm::polynomialExp2(Emitter &e, Value low, Value high) {
  // Adding it leaves whole numbers in the low bits, with the exponent's bias in them.
  constexpr double shift = 0x1.8p23 + 127;
  auto clamp = [&](Value x) {
    x = e.intrinsic("llvm.maximum.f32", e.f32Ty(), {x, e.constantFloat(e.f32Ty(), -127.0)});
    return e.intrinsic("llvm.minimum.f32", e.f32Ty(), {x, e.constantFloat(e.f32Ty(), 128.0)});
  };
  Value x = packFloats(e, clamp(low), clamp(high));
  Value t = onPairs(e, "add.rm.f32x2", x, both(e, shift));
  Value whole = LLVM::FAddOp::create(e.b, e.loc, t, both(e, -shift));
  Value f = LLVM::FMAOp::create(e.b, e.loc, whole.getType(), ValueRange{whole, both(e, -1.0), x});
  auto coefficients = llvm::ArrayRef(kExp2Polynomial);
  Value p = both(e, coefficients.back());
  for (float c : llvm::reverse(coefficients.drop_back()))
    p = LLVM::FMAOp::create(e.b, e.loc, p.getType(), ValueRange{p, f, both(e, c)});
  auto power = [&](unsigned which) -> Value {
    Value bits = LLVM::BitcastOp::create(e.b, e.loc, e.intTy(32), unpackFloat(e, t, which));
    bits = LLVM::ShlOp::create(e.b, e.loc, bits, e.i32(23));
    return LLVM::BitcastOp::create(e.b, e.loc, e.f32Ty(), bits);
  };
  Value result = onPairs(e, "mul.rn.ftz.f32x2", p, packFloats(e, power(0), power(1)));
  return {unpackFloat(e, result, 0), unpackFloat(e, result, 1)};
}
