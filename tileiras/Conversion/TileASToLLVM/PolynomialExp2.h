//===- PolynomialExp2.h - Powers of two by multiply-adds --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// 2^x = 2^n p(f), n = floor(x), f = x - n in [0, 1), for two f32 at a time:
//
//     x = min(max(x, -127), 128)      of NaN: NaN
//     t = x + (1.5 * 2^23 + 127), rounded down: n + 127 in the low bits of t
//     f = x - (t - (1.5 * 2^23 + 127)), rounded for -1 < x < 0 only
//     p = 1 + f (c1 + f (c2 + ...))
//     2^x = p * (t << 23 as a float), which flushes to zero
//
// The last factor is 2^n; for n = -127 it is 0 and for n = 128 infinity, which are what ex2.approx.ftz gives (PTX ISA,
// "ex2": results below the normal numbers are flushed). Since p is in [1, 2], no result that is a number becomes
// infinite before the last float, and none below 2^-126 is left over.
//
// ex2.approx is within 2 ulp (PTX ISA, "ex2"), and so is the polynomial: PolynomialExp2Test tries every f. (With one
// coefficient less it would be 2.3 ulp just below x = 0, where f is rounded, too.)
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_POLYNOMIALEXP2_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_POLYNOMIALEXP2_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"

namespace mlir::tilellvm {

/// Coefficients of p, the constant one first.
inline constexpr float kExp2Polynomial[] = {1.0f,           0x1.62e42cp-1f,  0x1.ebfd58p-3f, 0x1.c68912p-5f,
                                            0x1.3d0b92p-7f, 0x1.46d646p-10f, 0x1.c54188p-13f};

/// 2 to the power of `low` and of `high`, f32.
std::pair<Value, Value> polynomialExp2(Emitter &e, Value low, Value high);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_POLYNOMIALEXP2_H
