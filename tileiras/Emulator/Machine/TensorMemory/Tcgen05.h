//===- Tcgen05.h - Tensor memory operations in flight -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "TensorCore 5th Generation Family Instructions". Loads, stores, copies, shifts, products and commits are
// asynchronous operations.
//
// Order ("Memory Consistency Model for 5th generation of TensorCore operations"). Products with the same accumulator
// are performed in the order of issue (they share a queue). Further, in one thread: a product follows the copies and
// shifts before it; a shift or a copy to the rows a shift leaves free follows everything before it, and so does a
// commit, whose arrival also follows those of earlier commits of the thread that signal no other blocks. What must come
// first is in `after`. Everything else has no order: a copy may overtake a product.
//
// With .cta_group::2, an operation issued by the even block of a pair works on the shared and tensor memory of both.
//
// Numerics. Products are exact. All products of an instruction and the accumulator are summed in f64 and rounded once,
// to nearest even; scale factors are multiplied into the elements, exactly. The hardware adds fewer bits and truncates,
// so compare with a tolerance where sums are not exact. Integers wrap, or saturate at the end.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05_H
#define TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05_H

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <array>

namespace tileiras::emu {

class TensorOp : public AsyncOp {
public:
  TensorOp(Warp &w, const Inst &i, uint32_t lane) : AsyncOp(AsyncUnit::Tcgen05, w, i, lane) {}

protected:
  void finishEarlier();
  /// The blocks that take part: this one, or the pair beginning with the even one.
  std::vector<Cta *> blocks(uint8_t group) const;
  /// Whether the columns exist and are allocated; reports once.
  bool owned(Cta &where, uint32_t column, uint32_t count, const char *what);
  /// Cells of one lane. `need`: bytes of each cell that must have been written. False after a report.
  bool load(Cta &where, uint32_t lane, uint32_t column, uint32_t count, uint32_t *to, const char *what,
            uint8_t need = 15);
  void store(Cta &where, uint32_t lane, uint32_t column, uint32_t count, const uint32_t *from, uint8_t bytes = 15);
  void observeCells(Cta &where, uint32_t lane, uint32_t column, uint32_t count, bool isWrite);
  /// Reads a matrix in shared memory of `where`; 16-byte units in the order of smemUnits.
  bool readMatrix(Cta &where, uint64_t descriptor, const SmemTile &tile, const char *what, std::vector<uint8_t> &to);
  bool told = false; ///< one report of uninitialised cells is enough
};

/// tcgen05.ld and st, of one warp.
class TensorMoveOp : public TensorOp {
public:
  TensorMoveOp(Warp &w, const Inst &i, uint32_t lane, uint32_t address, bool isLoad);
  bool step() override;
  Frame *frame; ///< ld: null if the warp has left it
  const TensorAux &aux;
  uint32_t baseLane, baseColumn;
  bool isLoad;
  std::vector<uint32_t> values; ///< st: [register][thread]
private:
  void loadAll();
  void storeAll();
  void reduce();
  void observeAll();
};

class TensorCopyOp : public TensorOp {
public:
  TensorCopyOp(Warp &w, const Inst &i, uint32_t lane, uint32_t address, uint64_t descriptor);
  bool step() override;

private:
  const TensorAux &aux;
  uint32_t address;
  uint64_t descriptor;
};

class TensorShiftOp : public TensorOp {
public:
  TensorShiftOp(Warp &w, const Inst &i, uint32_t lane, uint32_t address, uint8_t group)
      : TensorOp(w, i, lane), address(address), group(group) {}
  bool step() override;

private:
  uint32_t address;
  uint8_t group;
};

/// The arrival of tcgen05.commit; `after` are the operations it covers.
class TensorCommitOp : public TensorOp {
public:
  TensorCommitOp(Warp &w, const Inst &i, uint32_t lane, std::vector<uint64_t> barriers, uint32_t ranks)
      : TensorOp(w, i, lane), ranks(ranks), barriers(std::move(barriers)) {}
  bool step() override;
  uint32_t ranks; ///< blocks it signals
  /// Earlier ones of the thread, which arrive at the block that issues them before this one does.
  std::vector<std::shared_ptr<TensorCommitOp>> earlierHere;

private:
  void arrive(bool here);
  std::vector<uint64_t> barriers; ///< in the cluster's window
  bool arrivedHere = false;
};

class TensorMmaOp : public TensorOp {
public:
  TensorMmaOp(Warp &w, const Inst &i, uint32_t lane);
  /// Checks descriptors and addresses; false after a report.
  bool check();
  bool step() override;

  const TensorAux &aux;
  uint32_t d = 0, aAddress = 0, meta = 0, sfa = 0, sfb = 0, idesc = 0;
  uint64_t aDescriptor = 0, bDescriptor = 0, zeroMask = 0;
  std::array<uint32_t, 8> laneMask{};
  bool enable = false;
  TensorProductShape shape;

private:
  uint32_t rows() const { return shape.layout.rows; }
  uint32_t storedK() const { return aux.sparse ? shape.k / 2 : shape.k; }
  bool fetchB(const std::vector<Cta *> &ctas, std::vector<double> &b);
  bool fetchA(Cta &where, uint32_t bank, std::vector<double> &a);
  bool fetchIndex(Cta &where, uint32_t bank, std::vector<uint16_t> &index);
  bool scaleFactors(Cta &where, bool isA, std::vector<double> &factors);
  bool compute(Cta &where, uint32_t half, const std::vector<double> &b);
  void decode(TensorElement e, const uint8_t *bytes, size_t count, bool inTensor, double *to) const;
  uint32_t bColumns = 0; ///< of B in all, with the column shift
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TENSORMEMORY_TCGEN05_H
