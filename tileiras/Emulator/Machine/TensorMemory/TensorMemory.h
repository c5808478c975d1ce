//===- TensorMemory.h - Tensor memory of a thread block ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Tensor Memory": 128 lanes by 512 columns of 32-bit cells per SM; a block owns the columns it has allocated
// with tcgen05.alloc. The allocator is first fit, so that a first allocation begins at column 0, as it does for a block
// that is alone on its SM.
//
// With .cta_group::2 the two blocks of a pair (cluster ranks that differ in bit 0) allocate, free and relinquish
// together: one warp of each executes the instruction, and the first one waits for the other.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TENSORMEMORY_H
#define TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TENSORMEMORY_H

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/TensorMemory/Tcgen05Layout.h"

#include <map>
#include <string>
#include <vector>

namespace tileiras::emu {

struct TensorAllocation {
  uint32_t column = 0, columns = 0;
  Warp *warp = nullptr; ///< who allocated it, for reports
  const Inst *inst = nullptr;
  const Function *function = nullptr;
};

/// How observers and reports name a cell.
inline uint64_t tensorCellAddress(uint32_t rank, uint32_t lane, uint32_t column) {
  return uint64_t(rank) << 24 | (lane * TensorColumns + column) * 4;
}

/// A warp at alloc, dealloc or relinquish_alloc_permit of a pair.
struct TensorRequest {
  enum State : uint8_t { None, Waiting, Done } state = None;
  uint32_t columns = 0, column = 0;
  Warp *warp = nullptr;
  const Inst *inst = nullptr;
};

class TensorMemory {
public:
  void reset();
  /// Whether every column of the range belongs to an allocation.
  bool owned(uint32_t column, uint32_t count) const;
  /// First column of a free range in this and (if not null) the peer's memory; ~0: there is none.
  uint32_t findFree(uint32_t columns, const TensorMemory *peer) const;
  void allocate(const TensorAllocation &a);
  void free(size_t index);

  uint32_t *cell(uint32_t lane, uint32_t column) { return &cells[lane * TensorColumns + column]; }
  /// Per cell: a bit for each byte that has been written.
  uint8_t *written(uint32_t lane, uint32_t column) { return &shadow[lane * TensorColumns + column]; }

  std::vector<TensorAllocation> allocations;
  bool relinquished = false;
  uint32_t smallest = 0;     ///< columns asked for by the last alloc; later ones may not ask for more
  uint8_t group = 0;         ///< .cta_group of the block's tcgen05 instructions; 0: none yet
  TensorRequest requests[3]; ///< alloc, dealloc, relinquish_alloc_permit
  /// What each thread has issued of mma, cp, shift and commit: all since its last commit, and older operations that are
  /// not done or not long ago, as later operations follow them even if the machine is done with them.
  struct Issued {
    std::vector<AsyncRef> ops;
    size_t committed = 0; ///< so many at the front are covered by a commit
    /// Commits: the blocks they signal, and their AsyncOp::checkerState, the last one of each of the checker's slots.
    std::vector<std::pair<uint32_t, uint64_t>> commits;
  };
  std::map<std::pair<uint32_t, uint32_t>, Issued> issued;
  bool collectorFilled[5] = {};

  /// All warps of the block have exited.
  void exit(Cta &cta);
  /// What a warp in TensorKey waits for.
  std::string waitText() const;

private:
  std::vector<uint32_t> cells;
  std::vector<uint8_t> shadow;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TENSORMEMORY_H
