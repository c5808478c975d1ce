//===- SmemDescriptor.h - Shared tiles that matrix units read ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wgmma and tcgen05.mma read operands from shared memory through a 64-bit descriptor (PTX ISA, "Asynchronous
// warpgroup-level matrix shared memory layout" and "Matrix Descriptor Format"). An operand is a matrix of mn (rows of
// A, columns of B) by k. It is K-major if neighbours along k lie side by side, else MN-major. In bytes, before the
// swizzle, with W the swizzle's width and s the bytes of an element:
//
//     K-major    mn % 8 -> W        mn / 8 -> SBO            k -> s, inside W
//     MN-major   mn -> s, inside W  mn s / W -> LBO          k % 8 -> W   k / 8 -> SBO
//
// and without swizzle, where 16-byte pieces take the place of W:
//
//     K-major    mn % 8 -> 16       mn / 8 -> SBO            k s / 16 -> LBO
//     MN-major   mn -> s, inside 16 mn s / 16 -> SBO         k % 8 -> 16  k / 8 -> LBO
//
// The swizzle is an XOR of absolute address bits, so what repeats must lie at a multiple of 8 W.
//
// MN-major elements of four bytes (tf32, of tcgen05.mma alone) have a swizzle of their own, of 128 bytes whose atoms
// have 32 instead of 16 (address bits 5 and 6 are XORed with 7 and 8). Its pattern repeats after four rows:
//
//     MN-major   mn -> 4, inside W  mn 4 / W -> LBO          k % 4 -> W   k / 4 -> SBO
//
// A shared layout is a linear map (LinearLayout.h), and so is the table above: a layout can be described if, after the
// XOR is taken back, its bases are those of a row of the table.
//
// Example: a tile of 128 x 64 f16, K-major with the 128-byte swizzle:
//     smemOperandLayout({128, 64}, /*mnDim=*/0, /*kDim=*/1, /*mnExtent=*/64, /*elementBytes=*/2, /*kMajor=*/true)
// is described, for instructions of 64 x 16, by W = 128, SBO = 1024; the instruction at (64, 16) starts 64 * 128 + 32
// bytes behind the first.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_SMEMDESCRIPTOR_H
#define TILEIRAS_SUPPORT_SMEMDESCRIPTOR_H

#include "tileiras/Support/LayoutBuilders.h"
#include "tileiras/Support/LinearLayout.h"

namespace tileiras {

/// The swizzle of 128 bytes with atoms of 32 bytes, of element offsets.
Swizzle wideAtoms(int32_t elementBytes);

struct SmemDescriptor {
  bool kMajor = true;
  int32_t swizzleBytes = 0; ///< 0, 32, 64 or 128
  int32_t atomBytes = 16;   ///< what the swizzle moves as a whole: 16, or 32 of the swizzle of 128 bytes
  int32_t leadingBytes = 0; ///< LBO; 0 where the hardware ignores it
  int32_t strideBytes = 0;  ///< SBO; 0 where there is nothing to stride over
  /// Coordinates of the tile -> bytes from its start, the swizzle taken back.
  LinearLayout bytes;

  /// At which multiple of bytes the tile must start.
  int32_t alignment() const { return swizzleBytes ? patternRows() * swizzleBytes : 16; }
  /// After how many rows the swizzle repeats.
  int32_t patternRows() const { return atomBytes == 32 ? 4 : 8; }
  /// The descriptor's fields except the start address; of wgmma, which has atoms of 16 bytes only.
  uint64_t fields() const;
  /// The same for tcgen05 (PTX ISA, "Shared memory descriptor"): three bits for the swizzle, of which the highest two
  /// are those of wgmma for all swizzles but the one that it does not have, and a constant 1 in bits 46 to 48.
  uint64_t fieldsOfTcgen05() const;
  /// What to add to the start address (in bytes) for the instruction whose first element is at `coords`.
  int32_t startOf(const std::vector<int32_t> &coords) const;
};

/// How instructions that read `mnExtent` x `kExtent` elements each are to be told about a tile in shared memory.
/// `memory` maps offsets in elements to coordinates, of which `mnDim` and `kDim` are the matrix (others are batches).
/// MN-major is only taken for elements of two bytes, the only ones that wgmma can transpose (PTX ISA,
/// "wgmma.mma_async"), and of one or four where `across` says so: tcgen05.mma transposes these, too ("Instruction
/// descriptor"). Nothing if no descriptor fits; `error` then says why.
std::optional<SmemDescriptor> describeSmemOperand(const LinearLayout &memory, int mnDim, int kDim, int32_t mnExtent,
                                                  int32_t kExtent, int32_t elementBytes, std::string *error = nullptr,
                                                  bool across = false);

/// A layout that can be described, with the widest swizzle that the tile has room for; MN-major, an instruction reads
/// its rows as a whole, so that they are no longer than its `mnExtent` (which has at least kLeastWordsAcross elements
/// of four bytes).
constexpr int32_t kLeastWordsAcross = 32;
LinearLayout smemOperandLayout(const std::vector<int32_t> &shape, int mnDim, int kDim, int32_t mnExtent,
                               int32_t elementBytes, bool kMajor);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_SMEMDESCRIPTOR_H
