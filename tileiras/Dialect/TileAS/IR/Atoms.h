//===- Atoms.h - Words in which atoms and memories answer -------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a tile can be, what tells that an instruction is done, and what it costs: what the interfaces of layouts,
// matrix atoms and copy atoms (TileAS.td) return.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_ATOMS_H
#define TILEIRAS_DIALECT_TILEAS_IR_ATOMS_H

#include "tileiras/Support/DimName.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <initializer_list>

namespace mlir::nv_tileas {

/// Inputs of a layout of tensor memory; a column is as wide as an element.
inline constexpr tileiras::DimName kRow = tileiras::DimName::Row;
inline constexpr tileiras::DimName kColumn = tileiras::DimName::Column;

enum class MemoryKind : uint8_t { Registers, Shared, Tensor, Global };

/// "registers", "shared memory", ...: for diagnostics.
llvm::StringRef toString(MemoryKind memory);

/// Some of the memories.
class MemorySet {
public:
  constexpr MemorySet() = default;
  constexpr MemorySet(MemoryKind memory) : bits(1u << unsigned(memory)) {}
  constexpr MemorySet(std::initializer_list<MemoryKind> memories) {
    for (MemoryKind memory : memories)
      bits |= 1u << unsigned(memory);
  }
  constexpr bool contains(MemoryKind memory) const { return (bits >> unsigned(memory)) & 1; }
  constexpr bool operator==(const MemorySet &) const = default;

private:
  unsigned bits = 0;
};

/// What tells that the effects of an instruction are there.
enum class Completion : uint8_t {
  AtOnce,    ///< the next instruction of the thread
  WaitGroup, ///< commit_group and wait_group of the threads that issued it
  Mbarrier,  ///< an mbarrier that the instruction, or a commit behind it, arrives at
};

/// Of a matrix product.
struct MmaCost {
  /// Cycles that the unit is busy for one warp (or the warps that multiply together).
  int64_t cycles = 0;
  /// Words per thread of the accumulators, and of the operands of one step along k, that are in registers at once.
  int64_t accumulatorWords = 0, fragmentWords = 0;
  /// Words per thread that are taken while the product is done, beside the accumulators.
  int64_t temporaryWords = 0;
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_ATOMS_H
