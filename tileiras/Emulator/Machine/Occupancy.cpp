//===- Occupancy.cpp - How many blocks fit on one SM ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Occupancy.h"

#include <algorithm>
#include <cstdlib>

using namespace tileiras::emu;

namespace {

/// CUDA C++ Programming Guide, Technical Specifications per Compute Capability. All have 65536 registers.
struct SmLimits {
  unsigned sm;
  uint32_t warps, blocks, sharedKiB;
};
constexpr SmLimits limits[] = {{70, 64, 32, 96},  {72, 64, 32, 96},  {75, 32, 16, 64},  {80, 64, 32, 164}, {86, 48, 16, 100},
                               {87, 48, 16, 164}, {89, 48, 24, 100}, {90, 64, 32, 228}, {100, 64, 32, 228}, {103, 64, 32, 228},
                               {110, 48, 24, 228}, {120, 48, 24, 100}, {121, 48, 24, 100}};

uint32_t roundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

Occupancy tileiras::emu::occupancyOf(const Module &module, const KernelInfo &kernel, uint32_t threads, uint32_t sharedBytes) {
  Occupancy result;
  result.target = module.target();
  result.minimum = kernel.minnctapersm;
  unsigned sm = result.target.rfind("sm_", 0) == 0 ? unsigned(std::atoi(result.target.c_str() + 3)) : 0;
  const SmLimits *found = nullptr;
  for (const SmLimits &l : limits)
    if (l.sm == sm)
      found = &l;
  if (!found || !threads)
    return result;
  result.targetKnown = true;
  uint32_t warps = (threads + 31) / 32;
  result.blocks = found->blocks;
  result.limit = "blocks per SM";
  auto atMost = [&](uint32_t blocks, const char *what) {
    if (blocks >= result.blocks)
      return;
    result.blocks = blocks;
    result.limit = what;
  };
  atMost(found->warps / warps, "threads");
  // The driver keeps 1 KiB of each block's shared memory from sm_80 on.
  uint32_t shared = roundUp(sharedBytes + (sm >= 80 ? 1024 : 0), sm >= 80 ? 128 : 256);
  if (shared)
    atMost(found->sharedKiB * 1024 / shared, "shared memory");
  if (kernel.maxnreg) {
    result.registersKnown = true;
    // A warp's registers come in units of 256.
    atMost(65536 / (roundUp(std::min(kernel.maxnreg, 255u) * 32, 256) * warps), "registers");
  }
  return result;
}

std::string Occupancy::str() const {
  if (!targetKnown)
    return "blocks per SM: unknown for " + target;
  std::string s = "blocks per SM: " + std::to_string(blocks) + " (" + target + ", limited by " + limit;
  if (!registersKnown)
    s += minimum ? "; registers unknown, but .minnctapersm makes room for " + std::to_string(minimum)
                 : "; registers unknown";
  return s + ")";
}
