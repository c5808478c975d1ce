//===- DotLayouts.h - Who holds what in a matrix product --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product [batch x] M x K times [batch x] K x N is cut three times: into steps of one instruction
// (or of one multiply-add per result), the steps of one pass over the warps, and passes. All three
// cuts are along coordinate bits, so the layouts of A, B and C are lists of bases:
//
//     fragment bits | warps | repetitions in further registers
//
// Fragments of mma.sync (PTX ISA, "Matrix Fragments for mma.m8n8k4 ... m16n8k32"). With w elements
// per 32-bit register (1 for tf32 and f64), lane = 4 g + t:
//
//     A  register: k 1..w/2, row 8 (m16 only), k 4w..      lane: t -> k w, 2w    g -> row 1, 2, 4
//     B  register: k 1..w/2, k 4w..                        lane: t -> k w, 2w    g -> column 1, 2, 4
//     C  register: column 1, row 8 (m16 only)              lane: t -> column 2, 4   g -> row 1, 2, 4
//
// The same three lines describe every dense shape, from m8n8k4 of f64 to m16n8k32 of bytes.
//
// Where the tile is smaller than what the cuts cover, rows and columns wrap around: registers,
// lanes and warps hold (and compute) copies. Along K nothing may wrap, a copy would be added twice;
// so K is at least that of the instruction.
//
// Repetitions stand in the order K, N, M, batch from the lowest register bit; fragment registers
// that hold copies of others are kept here, so that register numbers are plain arithmetic.
// Layouts of values leave them out (`removeRedundantBasesAlongDim`).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_DOTLAYOUTS_H
#define TILEIRAS_SUPPORT_DOTLAYOUTS_H

#include <cstdint>
#include <string>
#include <utility>

namespace tileiras {

class LinearLayout;

enum class DotOperand { A, B, C };

struct DotShape {
  int32_t batch = 1, m = 1, n = 1, k = 1;
  bool batched = false; ///< tiles have three dimensions
};

struct DotTiling {
  /// One instruction; without instruction the box of results of one thread, with k = 1.
  int32_t m = 16, n = 8, k = 16;
  int32_t elementBits = 16; ///< of the operands as the instruction takes them
  /// Lanes along m and n (32 together) where there is no instruction; both 0 otherwise.
  int32_t lanesM = 0, lanesN = 0;
  int32_t warpsBatch = 1, warpsM = 1, warpsN = 1;

  bool usesInstruction() const { return lanesM == 0; }
  /// Rows and columns one warp covers in one pass.
  int32_t warpRows() const { return usesInstruction() ? m : m * lanesM; }
  int32_t warpColumns() const { return usesInstruction() ? n : n * lanesN; }
  /// Registers of one fragment.
  int32_t fragmentSize(DotOperand operand) const;

  // How often the pass repeats.
  int32_t stepsK(const DotShape &shape) const { return shape.k / k; }
  int32_t passesM(const DotShape &shape) const;
  int32_t passesN(const DotShape &shape) const;
  int32_t passesBatch(const DotShape &shape) const;

  /// Nothing if the tiling can carry out a product of this shape, else why not.
  std::string whyNot(const DotShape &shape) const;
};

/// (register, lane, warp, block) -> ([batch,] row, column) of an operand, with the register bits that are copies.
LinearLayout dotLayout(const DotTiling &tiling, const DotShape &shape, DotOperand operand);

/// The layout of the scales of A ([batch x] M x K/block) or B ([batch x] K/block x N): register r holds the scale of
/// what register r of the operand holds.
LinearLayout dotScaleLayout(const DotTiling &tiling, const DotShape &shape, DotOperand operand, int32_t block);

/// Powers of two that multiply to `warps`, along m and n: as square a part for each warp as possible, or all along m
/// (`rowsOnly`: what one product gives is the left operand of another, and then nothing has to change warps). Surplus
/// warps go to n.
std::pair<int32_t, int32_t> distributeWarps(const DotTiling &tiling, const DotShape &shape, int32_t warps,
                                            bool rowsOnly);

/// A tiling without instruction, for `warps` warps in all.
DotTiling multiplyAddTiling(const DotShape &shape, int32_t elementBits, int32_t warps);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_DOTLAYOUTS_H
