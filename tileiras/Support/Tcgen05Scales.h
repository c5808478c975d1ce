//===- Tcgen05Scales.h - Scales of products in tensor memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tcgen05.mma.block_scale multiplies 32 or 16 elements along k of a row of A, or a column of B, by a scale, a byte in
// tensor memory (PTX ISA, "tcgen05.mma.block_scale"). Scale s of row x is in row x % 32 of each of the four warps'
// parts of tensor memory, and four scales are in one column of 32 bits:
//
//     row 32 p + x % 32, p = 0..3     column x / 32 + group * (s / 4)     byte s % 4
//
// An instruction is told where its first scale is: the column, and which byte. How many it takes follows from its kind:
//
//     mxf8f6f4    k =  32    1 power of two for 32       scale_vec::1X, bytes 0 to 3
//     mxf4        k =  64    2 powers of two for 32      scale_vec::2X, bytes 0 and 2
//     mxf4nvf4    k =  64    4 e4m3 or powers for 16     scale_vec::4X, byte 0
//     these two   k =  96    3 and 6 (sm_103a)           block32 from any byte, block16 from bytes 0 and 2
//
// tcgen05.cp.32x128b.warpx4 (PTX ISA, "tcgen05.cp") copies 32 rows of 16 bytes from shared memory to four columns, the
// same to all four warps' parts. So the scales of 128 rows are there as
//
//     offset 512 i + 16 (x % 32) + 4 (x / 32 % 4) + s % 4      i counts 128 rows, and then groups of four scales
//
// How far groups of four are apart is ours to choose, but for k = 96, whose scales are in two of them: 4 columns for up
// to 128 rows, and 8 for more.
//
// Example: A of 128 x 256 by {128, 8}: four columns for instructions 0 to 3 of kind mxf8f6f4, and four for the others.
// Instruction 5 is told column 4 and byte 1.
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

  /// Whether tcgen05.cp fills whole columns with them (.32x128b: 512 bytes, four scales of 128 rows).
  bool fillsCopies() const { return extent >= 128 && count >= 4; }
  /// How they lie in shared memory for such copies, as offsets to (x, scale): copy number i fills the columns from 4 i
  /// on. `dim` as below.
  LinearLayout image(int dim) const;

  /// Registers of this layout hold the bytes that their lanes' rows get: number scale + count * (x / 32), the same in
  /// all warps. `dim` is that of x in the tile of scales, which has two.
  LinearLayout registers(int dim, int32_t warps) const;
};

/// What the instructions of a product of pairs of 4-bit elements are, one after the other along k.
struct Tcgen05PairStep {
  int32_t k;        ///< bytes before it
  int32_t elements; ///< that it multiplies: 64 or 96
};
/// `panel`: bytes of a row that lie side by side in shared memory. Where instructions may take 96 elements, 128 bytes
/// are 96, 96 and 64 of them.
std::vector<Tcgen05PairStep> tcgen05PairSteps(int32_t bytes, int32_t panel, bool may96);

/// Of an instruction with scales.
struct Tcgen05Scaling {
  bool powers = true;           ///< powers of two (ue8m0), or else ue4m3
  int32_t block = 32;           ///< elements with one scale
  int32_t elements = 32;        ///< that an instruction multiplies along k
  int32_t byteA = 0, byteB = 0; ///< in which byte of its column the first scale is

  /// What stands behind "kind::".
  std::string suffix() const;
};

/// The descriptor of an instruction with scales (PTX ISA, "Instruction descriptor"): types and sizes as for f8f6f4, of
/// pairs of e2m1 1 for both types, and where and what the scales are.
uint32_t scaledDescriptor(const Tcgen05Instruction &instruction, const Tcgen05Scaling &scaling);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TCGEN05SCALES_H
