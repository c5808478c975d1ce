//===- Occupancy.cpp - How many blocks fit on one SM ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Occupancy.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tileiras::emu;

namespace {

/// CUDA C++ Programming Guide, Technical Specifications per Compute Capability. All have 65536 registers.
/// `products`: dense f16 multiply-adds a cycle, from the data sheets' peak rate, boost clock and number of SMs (0: not
/// known). Other types go by the bits of an element: twice as many of 8 bits, half as many of tf32.
/// `multiprocessors`: of V100, Xavier, T4, A100, RTX 3090, Orin, RTX 4090, H100 SXM, B200, B300, Thor, RTX PRO 6000,
/// GB10.
constexpr SmLimits limits[] = {
    {70, 64, 32, 96, 512, 80},     {72, 64, 32, 96, 512, 8},     {75, 32, 16, 64, 512, 40},
    {80, 64, 32, 164, 1024, 108},  {86, 48, 16, 100, 512, 82},   {87, 48, 16, 164, 1024, 16},
    {89, 48, 24, 100, 512, 128},   {90, 64, 32, 228, 2048, 132}, {100, 64, 32, 228, 4096, 148},
    {103, 64, 32, 228, 4096, 148}, {110, 48, 24, 228, 0, 20},    {120, 48, 24, 100, 512, 188},
    {121, 48, 24, 100, 512, 48}};

uint32_t roundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

} // namespace

const SmLimits *tileiras::emu::limitsOf(const std::string &target) {
  unsigned sm = target.rfind("sm_", 0) == 0 ? unsigned(std::atoi(target.c_str() + 3)) : 0;
  for (const SmLimits &l : limits)
    if (l.sm == sm)
      return &l;
  return nullptr;
}

uint32_t tileiras::emu::sharedBytesPerBlock(const std::string &target) {
  const SmLimits *l = limitsOf(target);
  // The driver keeps 1 KiB for itself from sm_80 on.
  return l ? (l->sharedKiB - (l->sm >= 80 ? 1 : 0)) * 1024 : 227 * 1024;
}

Occupancy tileiras::emu::occupancyOf(const Module &module, const KernelInfo &kernel, uint32_t threads,
                                     uint32_t sharedBytes, const std::string &device) {
  Occupancy result;
  result.target = device.empty() ? module.target() : device;
  result.minimum = kernel.minnctapersm;
  const SmLimits *found = limitsOf(result.target);
  if (!found || !threads)
    return result;
  const unsigned sm = found->sm;
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

std::string tileiras::emu::utilisationOf(const Module &module, const Stats &stats) {
  const SmLimits *l = limitsOf(module.target());
  if (!l || !l->products || !stats.matrixWork)
    return "";
  const double tensor = double(stats.matrixWork) / 16 / l->products, issue = double(stats.warpInstructions) / 4;
  char buffer[200];
  std::snprintf(buffer, sizeof buffer,
                "tensor cores busy at most: %.1f %% (%s: %.0f SM cycles of products, %.0f of instruction issue)",
                100 * tensor / std::max(tensor, issue), module.target().c_str(), tensor, issue);
  return buffer;
}
