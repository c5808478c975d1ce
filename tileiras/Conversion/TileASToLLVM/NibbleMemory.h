//===- NibbleMemory.h - Elements of four bits in memory ---------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// f4E2M1FN lies two to a byte, element 2k in the low half, 2k+1 in the high half (spec cuda-tile 1.1). In registers it
// takes an i8 whose upper half is zero.
//
// A pointer to such an element must be able to name half a byte: bit 63, which no address uses, says that it is the
// high half. Moving it by n elements is an addition between two rotations.
//
// Whole bytes are moved where pairs of elements are known to lie in neighbouring registers. The halves of any other
// byte may belong to different threads, of this block or of another one, and no store is narrower than a byte. So half
// a byte is merged into the aligned 32-bit word around it, atomically: `red.and` clears it and `red.or` sets it;
// ordered stores, which others may watch, are compare-and-swaps. Neither changes a bit of anything else. The narrowest
// atomic would be a 16-bit compare-and-swap (PTX ISA, "atom"; sm_70), and that of 32 bits reaches no further:
// allocations are aligned to 256 bytes (CUDA C++ Programming Guide, "Size and Alignment Requirement"), so the word
// around a byte of an array is always addressable, whatever the array's size.
//
// In a kernel with such stores, loads of half a byte are relaxed: the other half may be changing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_NIBBLEMEMORY_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_NIBBLEMEMORY_H

#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"

namespace mlir::tilellvm {

/// Whether elements of this type share bytes in memory.
bool isNibble(Type original);

/// One element in memory.
struct Nibble {
  Value byte; ///< its address
  Value high; ///< i1: it is the high half
};

/// Element number `element` (i64) counted from the low half of the byte at `base`.
Nibble nibbleAt(Emitter &e, Value base, Value element);
/// The element a pointer names.
Nibble nibbleOf(Emitter &e, Value pointer);
/// The pointer `count` (i64) elements further on.
Value offsetNibbles(Emitter &e, Value pointer, Value count);

/// Where `predicate` (may be null) is false nothing is read and the result is `other` (null: zero).
Value loadNibble(Emitter &e, const Nibble &place, Value predicate, Value other, AccessOrder order);
/// `count` elements (even) from the low half of the byte at `address` on.
SmallVector<Value> loadNibblePairs(Emitter &e, Value address, unsigned count, Value predicate, ArrayRef<Value> other,
                                   AccessOrder order);

struct NibbleStore {
  Nibble place;
  Value value, predicate; ///< the predicate may be null
};
void storeNibbles(Emitter &e, ArrayRef<NibbleStore> stores, AccessOrder order);
void storeNibblePairs(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, AccessOrder order);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_NIBBLEMEMORY_H
