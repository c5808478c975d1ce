//===- KernelLoops.h - Inner loops of kernels as dependence graphs -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_UNITTESTS_SCHEDULE_KERNELLOOPS_H
#define TILEIRAS_UNITTESTS_SCHEDULE_KERNELLOOPS_H

#include "tileiras/Schedule/DependenceGraph.h"

namespace tileiras::schedule {

struct KernelLoop {
  std::string name;
  int computeCapability;
  DependenceGraph graph;
  /// Stages by which values may outlive theirs, as in SchedulerOptions.
  int maxDepth;
};

/// The loops of the kernel set. Costs follow from costsFor(), rounded up to units that keep intervals short.
std::vector<KernelLoop> kernelLoops();

/// Forward attention with two parts of the rows, head dimension 128, as published for Hopper and Blackwell.
KernelLoop hopperAttention();
KernelLoop blackwellAttention();

} // namespace tileiras::schedule

#endif // TILEIRAS_UNITTESTS_SCHEDULE_KERNELLOOPS_H
