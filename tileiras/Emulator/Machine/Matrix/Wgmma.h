//===- Wgmma.h - Warpgroup matrix multiplications in flight -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". A wgmma.mma_async belongs to the four warps of a
// warpgroup. Each of them executes it when it gets there; the operation exists when the fourth one has. Nobody waits
// for that except wgmma.wait_group. The operations of a warpgroup are performed in the order of issue.
//
// Since the warps do not wait for each other, the first one may make the hardware read shared memory before the others
// have come. With early and random timing that happens: B is read when the first warp executes the instruction, and the
// 16 rows of A that are a warp's own when that warp does. (Programs rely on the rows being private: each warp stores
// its rows of A and needs no barrier with the others.)
//
// Numerics. Products are exact. f16, bf16 and tf32: all products of an instruction and the accumulator are summed in
// f64 and rounded once, to nearest even; tensor cores add with fewer bits and truncate, so compare with a tolerance.
// fp8: the adder that is known of sm_90 (13 fraction bits, see WarpgroupProduct), for its loss of accuracy over long K
// is what programs must cope with. Integers wrap, or saturate at the end.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_MATRIX_WGMMA_H
#define TILEIRAS_EMULATOR_MACHINE_MATRIX_WGMMA_H

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Matrix/SmemDescriptor.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <array>

namespace tileiras::emu {

class WgmmaOp : public AsyncOp {
public:
  WgmmaOp(Warp &first, const Inst &inst, uint32_t lane);
  bool step() override;

  struct Part {
    Warp *warp = nullptr;   ///< null: has not come yet
    Frame *frame = nullptr; ///< null: the warp has left it
    std::array<uint32_t, 32> meta{};
  };
  Part parts[4];
  uint32_t joined = 0; ///< bit per warp
  uint64_t aDescriptor = 0, bDescriptor = 0;
  bool scale = false;
  bool submitted = false;
  const WgmmaAux &aux;

  /// Reads operands from shared memory that have not been read yet: the rows of A of `warps` (bit mask), and B.
  void readOperands(uint32_t warps, bool b);

private:
  SmemTile tileA() const { return {aux.aMnMajor, 64, aux.sparse ? aux.k / 2 : aux.k, aux.aBits()}; }
  SmemTile tileB() const { return {aux.bMnMajor, aux.n, aux.k, aux.aBits()}; }
  /// The warp whose rows unit i of A belongs to: a K-major row has two units, an MN-major line of 64 rows eight.
  uint32_t warpOf(size_t i) const { return uint32_t(aux.aMnMajor ? i % 8 / 2 : i / 32); }
  /// Units of an operand; false, and D will stay as it is, after a report.
  bool locate(char which, uint64_t descriptor, const SmemTile &tile, std::vector<uint32_t> &units);
  /// Copies units to `to`, 16 bytes each, those of `warps` only.
  void copy(char which, uint64_t descriptor, const std::vector<uint32_t> &units, uint32_t warps, uint8_t *to);
  void observeUnits(std::vector<uint32_t> units);
  bool expandSparse(const std::vector<double> &stored, std::vector<double> &a);
  std::vector<uint8_t> bytesA, bytesB;
  uint32_t readA = 0; ///< warps whose rows have been read
  bool readB = false, faulty = false;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_MATRIX_WGMMA_H
