//===- Tcgen05Scales.h - Scales of products in tensor memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tcgen05.mma of kind mxf8f6f4 multiplies 32 elements along k of a row of A, or a column of B, by a power of two, a
// byte in tensor memory (PTX ISA, "tcgen05.mma.block_scale", scale_vec::1X). The byte of row x for instruction s is in
// row x % 32 of each of the four warps' parts of tensor memory, and four instructions have theirs in one column of 32
// bits:
//
//     row 32 p + x % 32, p = 0..3     column x / 32 + group * (s / 4)     byte s % 4
//
// How far groups of four are apart is ours to choose: an instruction is told where its own begins, and which byte.
//
// Example: A of 128 x 256 by {128, 8}: four columns for instructions 0 to 3, and four for the others. Instruction 5 is
// told column 4 and byte 1.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_TCGEN05SCALES_H
#define TILEIRAS_SUPPORT_TCGEN05SCALES_H

#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/Tcgen05.h"

#include <algorithm>

namespace tileiras {

struct Tcgen05Scales {
  int32_t extent; ///< rows of A or columns of B
  int32_t count;  ///< scales along k

  /// Columns of 32 bits that four scales of all rows take.
  int32_t group() const { return std::max(4, extent / 32); }
  int32_t columns() const { return group() * ((count + 3) / 4); }
  int32_t columnOf(int32_t x, int32_t scale) const { return x / 32 + group() * (scale / 4); }

  /// Registers of this layout hold the bytes that their lanes' rows get: number scale + count * (x / 32), the same in
  /// all warps. `dim` is that of x in the tile of scales, which has two.
  LinearLayout registers(int dim, int32_t warps) const;
};

/// The descriptor of an instruction of kind mxf8f6f4 with power-of-two scales (PTX ISA, "Instruction descriptor"):
/// types and sizes as for f8f6f4, and which byte of their columns the scales of A and B are in.
uint32_t scaledDescriptor(const Tcgen05Instruction &instruction, int32_t byteA, int32_t byteB);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TCGEN05SCALES_H
