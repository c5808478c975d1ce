//===- Occupancy.h - How many blocks fit on one SM ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_OCCUPANCY_H
#define TILEIRAS_EMULATOR_MACHINE_OCCUPANCY_H

#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Support/TargetTable.h"

#include <string>

namespace tileiras::emu {

/// An upper bound: PTX has virtual registers, so their number is known only as far as .maxnreg gives it.
struct Occupancy {
  uint32_t blocks = 0;    ///< per SM; 0: the block does not fit, or the target is unknown
  const char *limit = ""; ///< "threads", "shared memory", "registers", "blocks per SM"
  bool targetKnown = false, registersKnown = false;
  uint32_t minimum = 0; ///< .minnctapersm: as many must fit
  std::string target;
  /// "blocks per SM: 4 (sm_90, limited by shared memory)"
  std::string str() const;
};

/// A bound from the mix of instructions alone: an SM issues four warp instructions a cycle and its tensor cores have a
/// peak rate by type; the longer of the two is the least a kernel can take. "" for a kernel without matrix instructions
/// or a target without a known rate.
std::string utilisationOf(const Module &module, const Stats &stats);

/// `threads` of a block, `sharedBytes` static and dynamic. `device`: where it runs; empty: what it was compiled for.
Occupancy occupancyOf(const Module &module, const KernelInfo &kernel, uint32_t threads, uint32_t sharedBytes,
                      const std::string &device = "");

using tileiras::SmLimits;
/// What an SM of a target ("sm_90a") has room for, or null.
const SmLimits *limitsOf(const std::string &target);

/// The most shared memory that a block may have, if it asks for it.
uint32_t sharedBytesPerBlock(const std::string &target);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_OCCUPANCY_H
