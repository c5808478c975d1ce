//===- MemoryAccess.h - One load or store instruction -----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_MEMORYACCESS_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_MEMORYACCESS_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

namespace mlir::tilellvm {

/// Ordering of a global access (PTX ISA, "Memory Consistency Model"): weak or .sem.scope.
struct AccessOrder {
  nv_tileaa::MemSemantic semantic = nv_tileaa::MemSemantic::Weak;
  std::optional<nv_tileaa::MemScope> scope;
  bool isWeak() const { return semantic == nv_tileaa::MemSemantic::Weak; }
  /// ".relaxed.gpu", empty for weak.
  std::string suffix() const;
};

/// Bits an element of a converted type takes in shared memory, and in global memory where it can be addressed there: i1
/// and 4-bit elements take a byte. 0 if it cannot be stored.
unsigned memoryBits(Type element);

/// Loads `count` neighbouring elements from global memory, at most 16 bytes together and aligned to their size. Where
/// `predicate` (may be null) is false nothing is read and the result is `other` (empty: zero).
SmallVector<Value> loadGlobal(Emitter &e, Value address, Type element, unsigned count, Value predicate,
                              ArrayRef<Value> other, AccessOrder order = {});

/// Stores neighbouring elements where `predicate` (may be null) holds.
void storeGlobal(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, AccessOrder order = {});

/// The same for shared memory, without predicates.
SmallVector<Value> loadShared(Emitter &e, Value address, Type element, unsigned count);
void storeShared(Emitter &e, Value address, ArrayRef<Value> values);

/// The elements of a converted type that 32-bit words hold one after the other, lowest bits first.
SmallVector<Value> elementsOfWords(Emitter &e, ArrayRef<Value> words, Type element);

/// The other way round: elements of 16 or 32 bits, as many as fill the words.
SmallVector<Value> wordsOfElements(Emitter &e, ArrayRef<Value> elements);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_MEMORYACCESS_H
