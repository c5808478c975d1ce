//===- AtomKinds.h - What interfaces of atoms return ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_ATOMKINDS_H
#define TILEIRAS_DIALECT_CUTE_IR_ATOMKINDS_H

#include "mlir/IR/Types.h"
#include <optional>

namespace mlir::cute {

enum class AddressSpace;

/// ldsm and stsm: 8x8 matrices of 16-bit elements. One side are rows, eight elements whose address a lane gives; on the
/// other side a lane has two elements of each matrix.
struct Matrices {
  int64_t count;
  bool transposed, load;
  int64_t fragment() const { return 2 * count; } ///< elements in a lane
};

/// A product: m x n x k, the elements its operands have in memory (tf32 are f32), and who executes one.
struct Product {
  int64_t m = 1, n = 1, k = 1;
  Type a, b, c; ///< as the instruction calls them
  int64_t threads = 1;
  bool shared = false;     ///< A and B are in shared memory
  bool registersA = false; ///< all the same, A is in registers
  bool tensor = false;     ///< sums are in tensor memory, where D and C are one, and so are scales and metadata
  bool scaled = false;     ///< one scale for each row of A and column of B
  bool sparse = false;     ///< of four neighbours of A along k two are there (of two tf32, one), and codes which

  /// What elements of operand 'A', 'B' or 'C' are in memory.
  Type element(char operand) const;
  int64_t blocks = 1; ///< of a cluster that multiply together: each has a part of the rows of A and columns of B
  /// What one block has: rows of A and C, or columns of B.
  int64_t rowsOf(char operand) const { return (operand == 'B' ? n : m) / blocks; }
  /// Where 'A', 'B' or 'C' is, scales ('S', 'T') or metadata ('E').
  AddressSpace spaceOf(char operand) const;
  /// Words of 32 bits that a lane of tensor memory has for one instruction: of scales 'S' and 'T', of metadata 'E'.
  int64_t columnsOf(char operand) const;
  /// Extent of A along k.
  int64_t storedK() const { return sparse ? k / 2 : k; }
};

} // namespace mlir::cute

#endif // TILEIRAS_DIALECT_CUTE_IR_ATOMKINDS_H
