//===- MatrixFetch.h - Fragments by ldmatrix --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ldmatrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix") reads 1, 2 or 4 matrices of 8 rows of 16 bytes
// from shared memory. Lane 8 j + i gives the address of row i of matrix j; register j of lane 4 g + t receives bytes
// 4 t .. 4 t + 3 of row g. With .trans elements have 16 bits, and lane 4 g + t receives column g of rows 2 t and 2 t
// + 1.
//
// So an operand in fragments (DotLayouts.h) can be fetched this way if, in memory,
//
//     as it is     register bits inside a 32-bit word, then lane bits 0 and 1     are the 16 bytes of a row
//                  lane bits 2, 3, 4                                              select the row
//     transposed   lane bits 2, 3, 4                                              are the 16 bytes of a row
//                  the register bit inside a word, then lane bits 0 and 1         select the row
//
// and two of the other register bits select the matrix.
//
// Elements of 8 bits are transposed by m16n16 (targets with ldmatrixB8), in matrices of 16 rows of 16 bytes: lane 16 j
// + i gives the address of row i of matrix j, and byte k of register 2 j + q of lane 4 g + t is byte g + 8 q of row 4 t
// + k. So here
//
//                  lane bits 2, 3, 4, and the register bit that goes on from there   are the 16 bytes of a row
//                  register bits inside a 32-bit word, then lane bits 0 and 1        select the row
//
// and one other register bit selects the matrix; a `matrix` below is a register that the instruction brings.
//
// What the lanes give addresses of is a layout of its own, in
// which a lane has a row of 16 bytes in registers: for banks, swizzles and addresses ldmatrix is a load of 16 bytes per
// lane with that layout, and everything that is known of those (ConvertPlan.h) holds.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_MATRIXFETCH_H
#define TILEIRAS_SUPPORT_MATRIXFETCH_H

#include "tileiras/Support/ConvertPlan.h"

namespace tileiras {

struct MatrixFetch {
  bool transposed = false;
  /// Bits of the register number inside a 32-bit word: the lowest ones.
  int wordBits = 0;
  /// Bits of the register number that say which matrix; 2^n matrices.
  std::vector<int> matrixBits;
  /// All others: which instruction.
  std::vector<int> otherBits;
  /// (register, lane, warp, block) -> coordinates of what the lanes give addresses of. The lowest register bits are the
  /// elements of a row in memory order, the others are `otherBits`.
  LinearLayout rows;
  /// Register bits that are elements of a row.
  int rowBits = 0;

  int matrices() const { return 1 << matrixBits.size(); }
  /// The instruction that brings register r of the fragments, and which of its words.
  int instructionOf(int32_t r) const;
  int matrixOf(int32_t r) const;
  /// The register of the fragments that is element `i` of word `matrix` of an instruction.
  int32_t registerOf(int instruction, int matrix, int i) const;
  /// Whether rows lie in memory as ldmatrix reads them: 16 aligned bytes, in the same order in all rows. `offsets` says
  /// where what `rows` speaks of lies: (register, lane, warp, block) -> offset. A swizzle inside rows is no good.
  bool readsFrom(const LinearLayout &offsets) const;
};

/// How to fetch `fragments` (without register bits that are copies); `order` are the register bits in the order in
/// which matrices are to be formed, those inside a word left out. Nothing if the layout is not made of fragments.
std::optional<MatrixFetch> matrixFetch(const LinearLayout &fragments, int elementBytes, bool transposed,
                                       const std::vector<int> &order);

/// Shared memory through which a tile goes from `src` to fragments: rows of 16 bytes as `fetch` wants them. Nothing if
/// a fetch would have bank conflicts, or if `src` is written without conflicts only into rows in another order.
std::optional<SharedPlan> planMatrixFetch(const LinearLayout &src, const MatrixFetch &fetch, int elementBytes);

/// Shared memory through which a tile goes from fragments, written by stmatrix in rows of 16 bytes (`rows`, of the
/// fragments), to `dst`. Nothing if the writes would have bank conflicts.
std::optional<SharedPlan> planMatrixStore(const MatrixFetch &rows, const LinearLayout &dst, int elementBytes);

/// The trip from `src` to `dst` through shared memory in a given layout, offsets to coordinates. Nothing if elements
/// would have to move between blocks.
std::optional<SharedPlan> planSharedThrough(const LinearLayout &memory, const LinearLayout &src,
                                            const LinearLayout &dst, int elementBytes);

/// planMatrixFetch through shared memory in a given layout. Nothing if `fetch` cannot read that, or only with
/// conflicts.
std::optional<SharedPlan> planMatrixFetchThrough(const LinearLayout &memory, const LinearLayout &src,
                                                 const MatrixFetch &fetch, int elementBytes);

/// planMatrixFetch through shared memory as TMA writes it (TmaTile.h), `dense` being the dimension that is dense in
/// global memory: with the widest hardware swizzle that the tile has room for. Nothing if `fetch` cannot read that, or
/// not without bank conflicts.
std::optional<SharedPlan> planMatrixFetchOfTma(const LinearLayout &src, const MatrixFetch &fetch, int elementBytes,
                                               int dense);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_MATRIXFETCH_H
