//===- Tcgen05.h - Products with sums in tensor memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product M x K times K x N by tcgen05.mma (PTX ISA, "tcgen05.mma"), by one block of threads: one thread has m rows
// (128, or 64) by n columns multiplied, 32 bytes of k at a time. A and B are read from shared memory
// (SmemDescriptor.h), the sums are in tensor memory: 128 rows (PTX: lanes) of 512 columns of 32 bits.
//
// Row r of 128 is row r of tensor memory. Of 64 rows, row r is row 32 (r / 16) + r % 16, which leaves every other 16
// rows free: there are the sums of a second instruction, for the next n columns. Further columns and rows of the
// product follow in further columns of tensor memory, n first.
//
// A warp copies 32 rows from and to registers, those of its number modulo 4 (PTX ISA, "tcgen05.ld"), a row to a lane
// (.32x32b). So with 4 warps each thread has one row of every 128, and where there are more, they divide the columns,
// the last columns to the last warps.
//
// Example: 128 x 256 x 64 of f16 by eight warps is {m = 128, n = 256, warps = 8}: four instructions, 256 columns of
// tensor memory, and 128 registers per thread when the sums are copied.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_TCGEN05_H
#define TILEIRAS_SUPPORT_TCGEN05_H

#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/LinearLayout.h"

namespace tileiras {

struct Tcgen05Tiling {
  int32_t m = 128;          ///< rows of one instruction: 64 or 128
  int32_t n = 256;          ///< columns of one instruction
  int32_t elementBits = 16; ///< of A and B
  int32_t warps = 4;        ///< that copy the sums from and to registers: a multiple of 4

  int32_t k() const { return 256 / elementBits; }
  /// Columns of the product that lie one below the other in tensor memory.
  int32_t columnsTogether() const { return m == 64 ? 2 * n : n; }
  int32_t stepsK(const DotShape &shape) const { return shape.k / k(); }
  int32_t passesM(const DotShape &shape) const { return shape.m / m; }
  int32_t passesN(const DotShape &shape) const { return shape.n / n; }
  /// Columns of tensor memory, of 32 bits, that the sums take.
  int32_t columns(const DotShape &shape) const { return shape.m * shape.n / 128; }

  /// Nothing if the tiling can carry out a product of this shape, else why not.
  std::string whyNot(const DotShape &shape) const;
  /// The tiling for so many warps; nothing if tcgen05 does not fit the shape, and `why` then says why.
  static std::optional<Tcgen05Tiling> choose(const DotShape &shape, int32_t elementBits, int32_t warps,
                                             std::string *why = nullptr);
};

/// (row, column, block) -> (row, column) of the product: where the sums are in tensor memory.
LinearLayout tcgen05SumsInTensorMemory(const Tcgen05Tiling &tiling, const DotShape &shape);

/// (register, lane, warp, block) -> coordinates of a tile that is in tensor memory in the layout `memory`: who holds
/// what after a copy by `warps` warps. Nothing if the tile does not fill the 32 rows of each of four warps.
std::optional<LinearLayout> tensorMemoryRegisters(const LinearLayout &memory, int32_t warps);

/// How the registers of a warp are copied from and to tensor memory.
struct TensorMemoryCopy {
  std::vector<int32_t> registers; ///< of each bit of a register's number: columns
  std::vector<int32_t> warps;     ///< likewise of a warp's number divided by 4
  int32_t width = 1;              ///< registers, neighbours by number, that lie in neighbouring columns
  int32_t columnOf(int32_t reg) const;
};

/// Nothing if lanes and warps do not have the rows that tcgen05.ld and st give them.
std::optional<TensorMemoryCopy> planTensorMemoryCopy(const LinearLayout &registers, const LinearLayout &memory);

/// What an instruction is told about types and sizes (PTX ISA, "Instruction descriptor").
struct Tcgen05Instruction {
  enum class Kind { F16, Tf32, F8F6F4, I8 };
  Kind kind = Kind::F16;
  uint32_t typeD = 1; ///< 0: f16, 1: f32, 2: s32
  uint32_t typeA = 0,
           typeB = 0; ///< by kind: f16 0, bf16 1 | tf32 2 | e4m3 0, e5m2 1, e2m3 3, e3m2 4, e2m1 5 | u8 0, s8 1
  bool negateA = false, negateB = false;
  bool mnMajorA = false, mnMajorB = false;
  bool saturate = false; ///< i8 only
  int32_t m = 128, n = 128;

  uint32_t descriptor() const;
  /// "f16", ...: as the instruction writes it behind "kind::".
  const char *kindName() const;
};

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_TCGEN05_H
