//===- Tcgen05Left.h - Left factors in tensor memory ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tcgen05.mma of 128 rows may read A from tensor memory instead of shared memory (PTX ISA, "tcgen05.mma", a-tmem): row
// r of A is row r there, and the elements of a row follow each other along k, as many in a column as 32 bits hold. The
// next 128 rows follow in further columns, next to them or as far away as sums of the same rows are, whose columns they
// may have when these have been read: then the columns between have no elements.
//
// Example: 128 x 64 of f16 are 32 columns. An instruction (k = 16) reads 8 of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_TCGEN05LEFT_H
#define TILEIRAS_SUPPORT_TCGEN05LEFT_H

#include "tileiras/Support/Tcgen05.h"

namespace tileiras {

/// (row, column, block) -> (row, k) of A; a column counts elements, not 32 bits. Nothing if the instructions of
/// `tiling` take A from shared memory only. `stride`: elements from the columns of 128 rows to those of the next; 0: k.
std::optional<LinearLayout> tcgen05LeftInTensorMemory(const Tcgen05Tiling &tiling, const DotShape &shape,
                                                      int32_t stride = 0);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TCGEN05LEFT_H
