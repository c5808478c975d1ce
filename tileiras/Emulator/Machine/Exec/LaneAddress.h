//===- LaneAddress.h - Address operands, lane by lane -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_LANEADDRESS_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_LANEADDRESS_H

#include "tileiras/Emulator/Machine/Cta.h"

namespace tileiras::emu {

/// Address of lane l, in x.space. `row` and `offset` are the base register and the constant part.
inline uint64_t laneAddress(Warp &w, const MemAux &x, Row row, uint64_t offset, unsigned l) {
  if (x.frameRelative)
    offset += w.frame->localBase;
  if (x.ownShared)
    offset += uint64_t(w.cta->rank) << 24;
  if (x.uniform)
    return offset;
  return x.wideAddress ? w.row<uint64_t>(row)[l] + offset : uint32_t(w.row<uint32_t>(row)[l] + uint32_t(offset));
}

/// As laneAddress, for operands that must name shared memory, if need be by a generic address. The result is an
/// address in the cluster's window. False after a report.
inline bool laneSharedAddress(Warp &w, const Inst &i, const MemAux &x, Row row, uint64_t offset, unsigned l,
                              uint64_t &address) {
  address = laneAddress(w, x, row, offset, l);
  if (x.space == Space::Shared)
    return true;
  if (x.space == Space::Generic && address - SharedWindow < WindowSize) {
    address -= SharedWindow;
    return true;
  }
  w.report(ReportKind::OutOfBounds, i, l, "the address does not lie in shared memory", address);
  return false;
}

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_LANEADDRESS_H
