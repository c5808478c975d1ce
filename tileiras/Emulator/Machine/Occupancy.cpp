//===- Occupancy.cpp - How many blocks fit on one SM ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Occupancy.h"
#include "tileiras/Support/Residency.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tileiras;
using namespace tileiras::emu;

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
  result.registersKnown = kernel.maxnreg != 0;
  Residency residency =
      residentBlocks({(threads + 31) / 32, std::min(kernel.maxnreg, 255u), sharedBytes}, BlockRoom(*found));
  result.blocks = residency.blocks;
  result.limit = residency.limit;
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
