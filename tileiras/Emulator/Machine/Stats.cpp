//===- Stats.cpp - Counters of an emulated launch ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Stats.h"

#include <cstdio>

using namespace tileiras::emu;

Stats &Stats::operator+=(const Stats &o) {
  warpInstructions += o.warpInstructions;
  threadInstructions += o.threadInstructions;
  for (unsigned i = 0; i != NumInstClasses; ++i) {
    warpByClass[i] += o.warpByClass[i];
    threadByClass[i] += o.threadByClass[i];
  }
  globalLoadBytes += o.globalLoadBytes;
  globalStoreBytes += o.globalStoreBytes;
  globalRequests += o.globalRequests;
  globalSectors += o.globalSectors;
  sharedLoadBytes += o.sharedLoadBytes;
  sharedStoreBytes += o.sharedStoreBytes;
  sharedRequests += o.sharedRequests;
  sharedBankConflicts += o.sharedBankConflicts;
  localBytes += o.localBytes;
  barriers += o.barriers;
  atomics += o.atomics;
  divergentBranches += o.divergentBranches;
  tmaCopies += o.tmaCopies;
  tmaLoadBytes += o.tmaLoadBytes;
  tmaStoreBytes += o.tmaStoreBytes;
  tmaSectors += o.tmaSectors;
  matrixInstructions += o.matrixInstructions;
  matrixProducts += o.matrixProducts;
  matrixWork += o.matrixWork;
  clusterBarriers += o.clusterBarriers;
  mbarrierWaits += o.mbarrierWaits;
  registerWaits += o.registerWaits;
  mbarrierBlocked += o.mbarrierBlocked;
  cancelledBlocks += o.cancelledBlocks;
  blocks += o.blocks;
  warps += o.warps;
  return *this;
}

std::string Stats::str() const {
  std::string s;
  auto line = [&](const char *name, uint64_t v) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "%-24s %14llu\n", name, static_cast<unsigned long long>(v));
    s += buffer;
  };
  line("blocks", blocks);
  if (cancelledBlocks)
    line("blocks cancelled", cancelledBlocks);
  line("warps", warps);
  line("warp instructions", warpInstructions);
  line("thread instructions", threadInstructions);
  for (unsigned i = 0; i != NumInstClasses; ++i)
    if (warpByClass[i])
      line((std::string("  ") + instClassName(InstClass(i))).c_str(), warpByClass[i]);
  line("divergent branches", divergentBranches);
  line("barriers", barriers);
  if (clusterBarriers)
    line("cluster barriers", clusterBarriers);
  if (mbarrierWaits) {
    line("mbarrier waits", mbarrierWaits);
    line("mbarrier waits blocked", mbarrierBlocked);
  }
  if (registerWaits)
    line("setmaxnreg waits", registerWaits);
  line("atomics", atomics);
  line("global load bytes", globalLoadBytes);
  line("global store bytes", globalStoreBytes);
  line("global requests", globalRequests);
  line("global sectors", globalSectors);
  if (globalRequests) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "%-24s %14.2f\n", "  sectors per request",
                  double(globalSectors) / double(globalRequests));
    s += buffer;
  }
  line("shared load bytes", sharedLoadBytes);
  line("shared store bytes", sharedStoreBytes);
  line("shared requests", sharedRequests);
  line("shared bank conflicts", sharedBankConflicts);
  line("local bytes", localBytes);
  if (matrixInstructions) {
    line("matrix instructions", matrixInstructions);
    line("matrix multiply-adds", matrixProducts);
  }
  if (tmaCopies) {
    line("TMA copies", tmaCopies);
    line("TMA load bytes", tmaLoadBytes);
    line("TMA store bytes", tmaStoreBytes);
    line("TMA sectors", tmaSectors);
  }
  if (!occupancy.empty())
    s += occupancy + "\n";
  if (!utilisation.empty())
    s += utilisation + "\n";
  return s;
}
