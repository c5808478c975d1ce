//===- MachineModel.cpp - What a schedule competes for --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/MachineModel.h"

namespace tileiras::schedule {

namespace {

// Latencies: dual ALU 2, ALU and FMA 4, transports 7, matrix units and TMA issue 8.
constexpr SlotInfo slots[kNumSlots] = {
    {"issue", 0},        {"xu", 0},
    {"xu64", 0},         {"fp32x2_fp16ultra", 4},
    {"alu", 4},          {"alu_or_fmaheavy", 4},
    {"dual_alu", 2},     {"lsu", 0},
    {"tmem", 0},         {"mma", 8},
    {"tc_and_mma", 8},   {"tma", 8},
    {"tp_gnic_rd", 7},   {"tp_gnic_wr", 7},
    {"tp_smem_rd", 7},   {"tp_smem_wr", 7},
    {"tp_tmem_rd", 7},   {"tp_tmem_wr", 7},
    {"tp_mma", 7},       {"unknown", 0},
    {"omitted_simt", 0}, {"test_simt", 0},
    {"test_mma", 0},     {"test_dma", 0},
};

// A100, L40, H100 SXM, B200, RTX 5090; public measurements, see docs/scheduler.md. Where sources differ, their middle.
// mma.sync reaches 63 % of what wgmma does on sm_90, a quarter of tcgen05 on sm_100.
constexpr TargetCosts costs[] = {
    // cc  mem  l2  copy  memB  smemB tmemB  mma   f32  alu  xu  tail hand TMA mma.sync
    {80, 510, 207, 20, 35, 128, 0, 1024, 64, 64, 16, 33, 30, false, 1},
    {89, 580, 273, 20, 15, 128, 0, 256, 128, 64, 16, 33, 30, false, 1},
    {90, 560, 265, 170, 78, 128, 0, 2048, 128, 64, 16, 64, 90, true, 0.63},
    {100, 789, 300, 170, 120, 128, 1024, 4096, 128, 64, 16, 136, 92, true, 0.25},
    {120, 877, 310, 170, 20, 128, 0, 256, 128, 64, 16, 34, 90, true, 1},
};

} // namespace

const SlotInfo &info(Slot slot) { return slots[unsigned(slot) - 1]; }

const TargetCosts &costsFor(int computeCapability) {
  const TargetCosts *found = costs;
  for (const TargetCosts &candidate : costs)
    if (candidate.computeCapability <= computeCapability)
      found = &candidate;
  return *found;
}

double powersOfTwo(int computeCapability) {
  return costsFor(computeCapability).functions * (computeCapability == 103 ? 2 : 1);
}

} // namespace tileiras::schedule
