//===- ExecRegisters.cpp - setmaxnreg ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Miscellaneous Instructions: setmaxnreg. Virtual registers have no numbers, so that only the count matters: a
// block has a pool of registers that its warps have given back, and .inc waits until the pool has enough. Without a
// limit at launch the instruction has no effect.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Matrix/WarpMatrix.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

static std::string changeText(uint32_t registers, bool inc) {
  return std::string("setmaxnreg.") + (inc ? "inc " : "dec ") + std::to_string(registers);
}

void tileiras::emu::handlers::setMaxRegisters(Warp &w, const Inst &i, uint32_t m) {
  m = wholeWarp(w, i, m);
  if (!m)
    return;
  Cta &cta = *w.cta;
  const uint32_t lane = uint32_t(std::countr_zero(m)), count = uint32_t(i.imm);
  const bool inc = i.flags & 1;
  if (!w.wantsRegisters) {
    std::vector<RegisterChange> &changes = cta.warpgroups[w.index / 4].registerChanges;
    const uint32_t number = w.registerChanges++;
    if (number == changes.size())
      changes.push_back({count, inc, &w, &i, w.frame->fn->ast});
    else if (const RegisterChange &other = changes[number]; other.registers != count || other.inc != inc)
      w.report(ReportKind::InvalidOperation, i, lane,
               "all warps of a warpgroup must execute the same setmaxnreg; warp " + std::to_string(other.warp->index) +
                   " has executed " + changeText(other.registers, other.inc) + " at line " +
                   std::to_string(other.function->body[other.inst->source].loc.line));
  }
  if (!w.registers)
    return;
  if (inc ? count < w.registers : count > w.registers) {
    // What launch bounds give is an estimate, too weak to accuse anybody.
    if (cta.launch->registersExact)
      w.report(ReportKind::InvalidOperation, i, lane,
               changeText(count, inc) + ", but the warp has " + std::to_string(w.registers) + " registers per thread");
    return;
  }
  if (!inc) {
    cta.registerPool += w.registers - count;
    w.registers = count;
    cta.cluster->wake(RegisterKey | cta.rank);
    return;
  }
  const uint32_t need = count - w.registers;
  if (need > cta.registerPool) {
    if (!w.wantsRegisters)
      ++w.stats->registerWaits;
    w.wantsRegisters = true;
    w.waitFor(i, m, RegisterKey | cta.rank);
    return;
  }
  w.wantsRegisters = false;
  cta.registerPool -= need;
  w.registers = count;
}

void Cta::checkRegisterChanges() {
  for (size_t g = 0; g != warpgroups.size() && !failed; ++g)
    for (uint32_t k = uint32_t(4 * g); k != std::min(uint32_t(4 * g + 4), warpCount); ++k)
      if (uint32_t done = warps[k]->registerChanges; done < warpgroups[g].registerChanges.size()) {
        const RegisterChange &c = warpgroups[g].registerChanges[done];
        c.warp->reportAt(*c.function, ReportKind::InvalidOperation, *c.inst, 0,
                         changeText(c.registers, c.inc) + " is executed by warp " + std::to_string(c.warp->index) +
                             ", but not by warp " + std::to_string(k) + " of its warpgroup");
        break;
      }
}
