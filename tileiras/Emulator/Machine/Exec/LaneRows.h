//===- LaneRows.h - Values of lanes, of any width ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_LANEROWS_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_LANEROWS_H

#include "tileiras/Emulator/Machine/Warp.h"

namespace tileiras::emu {

/// The value of one lane of a row with `bytes` per lane.
inline uint64_t readLane(const Warp &w, Row r, unsigned bytes, unsigned l) {
  switch (bytes) {
  case 2:
    return w.row<uint16_t>(r)[l];
  case 4:
    return w.row<uint32_t>(r)[l];
  default:
    return w.row<uint64_t>(r)[l];
  }
}
inline void writeLane(const Warp &w, Row r, unsigned bytes, unsigned l, uint64_t v) {
  switch (bytes) {
  case 2:
    w.row<uint16_t>(r)[l] = uint16_t(v);
    break;
  case 4:
    w.row<uint32_t>(r)[l] = uint32_t(v);
    break;
  default:
    w.row<uint64_t>(r)[l] = v;
    break;
  }
}

/// Stores `v(l)` in the lanes of `mask` of a row with `bytes` per lane.
template <typename F> inline void fillRow(Warp &w, Row r, unsigned bytes, uint32_t mask, F v) {
  for (unsigned l = 0; l != 32; ++l)
    if (mask >> l & 1)
      writeLane(w, r, bytes, l, v(l));
}

/// The predicate that is an instruction's operand a, flipped where its flag 1 says so.
inline uint32_t predA(Warp &w, const Inst &i) { return w.preds[i.a] ^ (i.flags & 1 ? ~0u : 0u); }

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_LANEROWS_H
