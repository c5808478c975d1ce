//===- Leaving.h - Clusters that leave at once ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which clusters of a grid do its work, and which are done before they reach any of it: where a grid is as large as its
// work and a few blocks divide that work among them, the others take a slot for a moment. The rules are those of "The
// grid" in docs/timing.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_LEAVING_H
#define TILEIRAS_EMULATOR_TIMING_LEAVING_H

#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Timing/Costs.h"
#include "tileiras/Emulator/Timing/Trace.h"

#include <functional>
#include <memory>
#include <vector>

namespace tileiras::emu::timing {

/// What a cluster does when it works: the basic blocks in which the longest of some spends three of four instructions.
class Work {
public:
  Work(const std::vector<std::unique_ptr<ClusterTrace>> &traces, const Costs &costs);
  /// It is done, has executed nothing of that, and a quarter of the instructions at most.
  bool absentFrom(const ClusterTrace &trace) const;
  uint64_t instructionsOf(const ClusterTrace &trace) const;

private:
  std::vector<uint64_t> sizes; ///< instructions, by basic block
  std::vector<bool> hot;
  uint64_t longest = 0;
};

/// FLOP of a cluster's matrix instructions.
double matrixFlopsOf(const ClusterTrace &trace, const Costs &costs);

/// Clusters 0 to `clusters` - 1, in order, of which `works` is true. It is asked about `surveyed` of them at most, at
/// equal distances, and about those that it takes to find where the answer changes in between. It gets clusters by the
/// list and answers by the list.
using Asked = std::function<std::vector<bool>(const std::vector<uint64_t> &)>;
std::vector<uint64_t> whereTrue(uint64_t clusters, uint64_t surveyed, const Asked &works);

/// The clusters of a launch.
struct Leaving {
  std::vector<uint64_t> working;                     ///< in order; empty: all of them
  std::vector<std::unique_ptr<ClusterTrace>> traces; ///< of those that leave
};

/// Takes those samples that leave at once out of `store`, asks the rest of the grid, and runs more that work, so that
/// there are `samples` of them. `config` is what the samples were run with.
Leaving findLeaving(const Module &module, Memory &memory, LaunchConfig config, const Costs &costs, TraceStore &store,
                    uint64_t clusters, unsigned samples,
                    const std::function<uint64_t(const ClusterTrace &)> &clusterOf);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_LEAVING_H
