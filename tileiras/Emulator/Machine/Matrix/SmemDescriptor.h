//===- SmemDescriptor.h - Matrices in shared memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wgmma and tcgen05 find their operands in shared memory through 64-bit matrix descriptors (PTX ISA, "Matrix
// Descriptor Format" and "Shared memory descriptor"): a start address, two byte offsets and a swizzle mode. The fields
// are the same, their places differ slightly; the walk over the matrix is one.
//
// A matrix is stored either K-major (the elements of one row along K are adjacent) or MN-major. Everything happens
// in units of 16 bytes, which swizzling never tears apart: it exchanges units, by an XOR on bits of the absolute
// shared-memory address after all offsets have been added.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MATRIX_SMEMDESCRIPTOR_H
#define TILEIRAS_EMULATOR_MACHINE_MATRIX_SMEMDESCRIPTOR_H

#include <cstdint>
#include <string>
#include <vector>

namespace tileiras::emu {

enum class SmemSwizzle : uint8_t {
  None,
  B32,
  B64,
  B128,
  B128Atom32, ///< tcgen05: 128 bytes in atoms of 32
};
const char *smemSwizzleName(SmemSwizzle s);
/// Bytes of one row of the pattern: 16, 32, 64, 128.
uint32_t smemSwizzleWidth(SmemSwizzle s);
/// Bytes after which the pattern repeats.
uint32_t smemSwizzlePattern(SmemSwizzle s);
uint32_t smemSwizzled(SmemSwizzle s, uint32_t address);

struct SmemDescriptor {
  uint32_t start = 0;               ///< byte offset in the block's shared memory
  uint32_t leading = 0, stride = 0; ///< bytes
  uint8_t baseOffset = 0;
  SmemSwizzle swizzle = SmemSwizzle::None;
  bool leadingAbsolute = false; ///< tcgen05, sm_103a: `leading` is an address
  std::string fault;            ///< what is wrong with the bits themselves; empty: nothing
};
/// Fields of a wgmma descriptor.
SmemDescriptor wgmmaDescriptor(uint64_t bits);
/// Fields of a tcgen05 descriptor. A missing version constant is not a fault (`fault` stays empty).
SmemDescriptor tcgen05Descriptor(uint64_t bits);

/// The part of a matrix one instruction reads.
struct SmemTile {
  bool mnMajor = false;
  uint32_t mn = 0; ///< rows of A, columns of B
  uint32_t k = 0;  ///< elements
  uint32_t elementBits = 0;
  uint32_t paddedBytes = 0; ///< tcgen05: bytes of a unit that mean something, if not all do; 0: all
};

/// Addresses of the 16-byte units of a tile. K-major: units along K, row after row. MN-major: units along MN, for one
/// k after the other. False, with `fault`, if the descriptor does not describe such a tile.
bool smemUnits(const SmemDescriptor &d, const SmemTile &tile, std::vector<uint32_t> &units, std::string &fault);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MATRIX_SMEMDESCRIPTOR_H
