//===- WarpMatrix.h - Shared by the warp-wide matrix handlers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Element formats and helpers of mma.sync, wmma, ldmatrix and stmatrix. The order and precision in which tensor cores
// add is not specified. Here products are exact and summed in f64, C is added last, and the sum is rounded once;
// integers wrap (or saturate) at the end; f64 is a chain of fma over ascending k.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MATRIX_WARPMATRIX_H
#define TILEIRAS_EMULATOR_MACHINE_MATRIX_WARPMATRIX_H

#include "tileiras/Emulator/Machine/Program.h"

#include <array>

namespace tileiras::emu {

/// The number that an element's bits stand for.
double elementValue(Type t, uint64_t bits);
/// Values of all bit patterns of a container of 4, 8 or 16 bits that holds a `t`. The narrow formats may stand in
/// bytes (kind::f8f6f4): six bits in bits 5..0, e2m1 in bits 5..2.
const double *elementTable(Type t, unsigned containerBits);
/// Bits an element takes in a register when nothing else is said.
unsigned elementBits(Type t);

/// Rounds an accumulator to the bits of f64, f32, f16 or s32 (which wraps, or clamps if `saturate`).
uint64_t accumulatorBits(Type t, double v, bool saturate);
/// An accumulator's value from its bits.
double accumulatorValue(Type t, uint64_t bits);

/// D = A * B + C, all row by row, `m` <= 32 rows, `n` <= 32 columns, B transposed to k rows of n. For sparse A, row
/// r's j-th value belongs to k = where[r][j]. f64: a chain of fma in rounding mode `rounding` (directedFlags).
struct Product {
  unsigned m = 0, n = 0, k = 0;
  const double *a = nullptr, *b = nullptr, *c = nullptr;
  double *d = nullptr;
  const uint8_t *where = nullptr; ///< null: dense
  bool isF64 = false;
  unsigned rounding = 0;
};
void multiply(const Product &p);

/// Warp-wide .aligned instructions need all 32 lanes. The lanes that execute now; 0 if they are not all here yet.
uint32_t wholeWarp(Warp &w, const Inst &i, uint32_t m);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MATRIX_WARPMATRIX_H
