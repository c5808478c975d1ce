//===- Occupancy.cpp - How many blocks fit on one SM ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Occupancy.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tileiras;
using namespace tileiras::emu;

namespace {

uint32_t roundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

const SmLimits *tileiras::emu::limitsOf(const std::string &target) {
  return target.rfind("sm_", 0) == 0 ? lookupSmLimits(std::atoi(target.c_str() + 3)) : nullptr;
}

uint32_t tileiras::emu::sharedBytesPerBlock(const std::string &target) {
  const SmLimits *l = limitsOf(target);
  return l ? l->sharedKiB * 1024 - l->reservedPerBlock : 227 * 1024;
}

Occupancy tileiras::emu::occupancyOf(const Module &module, const KernelInfo &kernel, uint32_t threads,
                                     uint32_t sharedBytes, const std::string &device) {
  Occupancy result;
  result.target = device.empty() ? module.target() : device;
  result.minimum = kernel.minnctapersm;
  const SmLimits *found = limitsOf(result.target);
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
  uint32_t shared = roundUp(sharedBytes + found->reservedPerBlock, found->sharedGranularity);
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

std::string tileiras::emu::utilisationOf(const Module &module, const Stats &stats) {
  const SmLimits *l = limitsOf(module.target());
  if (!l || !l->f16MultiplyAdds || !stats.matrixWork)
    return "";
  const double tensor = double(stats.matrixWork) / 16 / l->f16MultiplyAdds, issue = double(stats.warpInstructions) / 4;
  char buffer[200];
  std::snprintf(buffer, sizeof buffer,
                "tensor cores busy at most: %.1f %% (%s: %.0f SM cycles of products, %.0f of instruction issue)",
                100 * tensor / std::max(tensor, issue), module.target().c_str(), tensor, issue);
  return buffer;
}
