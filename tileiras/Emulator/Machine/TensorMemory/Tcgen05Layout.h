//===- Tcgen05Layout.h - Where tcgen05 keeps what ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The geometry of tensor memory as pure functions: which cells a register of tcgen05.ld stands for, where the elements
// of D, sparsity metadata and scale factors are, and what an instruction descriptor says. PTX ISA, "Tensor Memory",
// "Matrix and Data Movement Shape", "Instruction descriptor", "Data path layout organization", "Sparse matrices",
// "Block scaling".
//
// Tensor memory has 128 lanes and 512 columns of 32-bit cells. An address is lane << 16 | column.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05LAYOUT_H
#define TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05LAYOUT_H

#include "tileiras/Emulator/Machine/Program.h"

#include <string>

namespace tileiras::emu {

constexpr uint32_t TensorLanes = 128, TensorColumns = 512;

struct TensorCell {
  uint32_t lane = 0, column = 0;
  bool operator==(const TensorCell &) const = default;
};

/// Registers per repetition (.x1) of a shape.
uint32_t tensorShapeRegisters(TensorShape s);
/// Cell of register r of thread t, relative to the address; not packed. `half`: immHalfSplitoff.
TensorCell tensorCell(TensorShape s, uint32_t half, uint32_t t, uint32_t r);

/// .pack::16b, .unpack::16b: cell of the low half; that of the high half follows. The distance of the second half of
/// .16x32bx2 is not doubled.
inline TensorCell tensorPackedCell(TensorShape s, uint32_t half, uint32_t t, uint32_t r) {
  TensorCell c = tensorCell(s, 0, t, r);
  return {c.lane, 2 * c.column + (s == TensorShape::S16x32x2 && t >= 16 ? half : 0)};
}

/// Elements of A and B.
enum class TensorElement : uint8_t { F16, BF16, TF32, E4M3, E5M2, E2M3, E3M2, E2M1, U8, S8 };
const char *tensorElementName(TensorElement e);
/// Bits of one element as the instruction reads it from shared memory, padding included.
uint32_t tensorStorageBits(TensorKind kind, TensorElement e);

/// "Data path layout organization": columns are cut into `banks`, which lie in different lanes.
struct TensorLayout {
  char name = 'D';
  uint32_t rows = 128; ///< of D in one block
  uint32_t banks = 1, laneStep = 0;
  bool spread = false; ///< 16 rows per partition of 32 lanes, in its lower or upper half
  /// Lane of row m in `bank`; `base` is the lane of the address, 0 or 16.
  uint32_t lane(uint32_t m, uint32_t bank, uint32_t base) const {
    return (spread ? m / 16 * 32 + m % 16 + base : m) + bank * laneStep;
  }
};
TensorLayout tensorLayout(uint32_t m, uint8_t group, bool ws, bool sparse);

/// A decoded instruction descriptor.
struct TensorProductShape {
  uint32_t m = 0, n = 0, k = 0; ///< of both blocks of a pair together; k logical
  TensorElement a = TensorElement::F16, b = TensorElement::F16;
  Type d = Type::F32; ///< F32, F16, S32
  bool negate = false, aMnMajor = false, bMnMajor = false, saturate = false;
  bool k96 = false;
  uint32_t selector = 0, maxShift = 0, sfaId = 0, sfbId = 0;
  bool scaleE4M3 = false; ///< scale factors are ue4m3, not ue8m0
  TensorLayout layout;
};
/// False, with `fault`, if the bits are not a descriptor for this instruction. `sm`: of the target, 100.
bool decodeInstructionDescriptor(const TensorAux &x, uint32_t bits, unsigned sm, TensorProductShape &out,
                                 std::string &fault);

/// Where the 4 bits of sparsity metadata are that belong to the group of A's row m (in layouts C and F: its lane of D)
/// that begins at logical k. The column is relative to the even column of the address.
struct TensorBits {
  TensorCell cell;
  uint32_t bit = 0;
};
TensorBits tensorMetadata(TensorKind kind, uint32_t m, uint32_t k);

/// Where the scale factor number s of row (or column) x is, in partition p; rows counted in this block, `count` of
/// them. The bit is that of the byte's lowest.
TensorBits tensorScale(uint32_t count, uint32_t x, uint32_t s, uint32_t p);
/// SFB of layout B, copy q = 0, 1.
TensorBits tensorScaleSplit(uint32_t n, uint32_t x, uint32_t s, uint32_t q);

/// Zero-column mask descriptor of mma.ws: whether a column of a bank of `columns` is zeroed, and the column shift.
bool tensorColumnZeroed(uint64_t mask, uint32_t bank, uint32_t column);
inline uint32_t tensorColumnShift(uint64_t mask) { return mask >> 39 & 1 ? uint32_t(mask >> 56 & 63) : 0; }

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05LAYOUT_H
