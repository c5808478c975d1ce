//===- MatrixKernels.h - Vectorised parts of matrix instructions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled once per instruction set extension (ExecCommon.h) and reached through IsaTable::matrix.
//
// Numbers are f64 inside: products of two f16, bf16, tf32, fp8 or 8-bit integer elements are exact, and so is any sum
// of such integers.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MATRIX_MATRIXKERNELS_H
#define TILEIRAS_EMULATOR_MACHINE_MATRIX_MATRIXKERNELS_H

#include "tileiras/Emulator/PTX/Types.h"

#include <cstddef>
#include <cstdint>

namespace tileiras::emu {

/// D = A * B + C of one warp group instruction, D and C in the registers of four warps.
struct WarpgroupProduct {
  uint32_t n = 0, k = 0;
  const double *a = nullptr;             ///< [64][k]
  const double *b = nullptr;             ///< [n][k], or [k][n] if bMnMajor
  bool bMnMajor = false, negate = false; ///< negate: the product
  bool scale = false;                    ///< C = D; else 0
  bool saturate = false;                 ///< integers
  Type d = Type::None;                   ///< F32, F16, S32
  /// Not zero: every sum is made as fp8 tensor cores make it, with so many fraction bits (see product()).
  int fractionBits = 0;
  int minExponentA = 0, minExponentB = 0; ///< smallest normal exponents, for fractionBits
  /// Register rows of 32 lanes; null: a warp that has gone.
  uint8_t *const *rows[4] = {};
};

/// C += A * B of a tcgen05.mma, in f64. With `index`, A is sparse: element [i][j] belongs to row index[i][j] of B.
struct TensorProduct {
  uint32_t m = 0, n = 0, k = 0;    ///< n: a multiple of 8
  const double *a = nullptr;       ///< [m][k]
  const double *b = nullptr;       ///< [k or more][ldb]
  const uint16_t *index = nullptr; ///< [m][k]
  double *c = nullptr;             ///< [m][ldc]
  uint32_t ldb = 0, ldc = 0;
};

struct MatrixKernels {
  /// Values of `count` elements. Type::None: single bits, from the low end of each byte.
  void (*decode)(Type type, const uint8_t *from, size_t count, double *to);
  /// PTX ISA, wgmma.mma_async: register i of D holds row 16v + l/4 + 8*((i/2)&1), column 8*(i/4) + 2*(l%4) + (i&1).
  void (*product)(const WarpgroupProduct &p);
  void (*multiply)(const TensorProduct &p);
  /// f64 to f32 or f16 (a word each), nearest even, canonical NaNs.
  void (*roundTo)(Type type, const double *from, size_t count, uint32_t *to);
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MATRIX_MATRIXKERNELS_H
