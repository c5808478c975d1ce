//===- AgentPartition.h - Who runs which operation of a schedule -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Divides the operations of a schedule among agents, groups of warps that run side by side. The rules:
//
//   - Copies that go on by themselves have an agent of their own: how long one takes nobody knows, and whoever waits
//   for
//     it should not be who has something else to do.
//   - So have matrix products that one thread issues.
//   - Everything else is done by threads, which are busy while they do it. An agent has no more to do than an interval
//     holds. Operations of one part of the data are one program, whose instructions may overlap; two operations of
//     different parts that overlap in the steady state cannot be one agent's. Nor can operations whose values exceed
//     the registers of its threads. A part stays together where it can, and an operation of no part goes where most of
//     its values are.
//
// Which agents a schedule needs follows from it: attention on Hopper comes out with two agents that compute, each with
// a part of the rows (ping-pong); on Blackwell with two for the exponentials and one that rescales.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_AGENTPARTITION_H
#define TILEIRAS_SCHEDULE_AGENTPARTITION_H

#include "tileiras/Schedule/Schedule.h"

namespace tileiras::schedule {

struct Agent {
  Role role = Role::Simt;
  std::vector<int> nodes;    ///< in order of the steady state
  int busy = 0;              ///< cycles of an interval
  int64_t registerBytes = 0; ///< of all values its operations make, with their copies
  int firstStage = 0;        ///< its operations' stages count from here
};

struct PartitionOptions {
  int64_t registerBytesPerAgent = 4 * 32 * 232 * 4; ///< four warps of 232 registers
  int maxAgents = 16;
};

/// Copies first, then products, then what threads compute. Empty if some operation fits into no agent.
std::vector<Agent> partition(const DependenceGraph &graph, const Schedule &schedule,
                             const PartitionOptions &options = {});

} // namespace tileiras::schedule

#endif // TILEIRAS_SCHEDULE_AGENTPARTITION_H
