//===- ScheduleOracleTest.cpp - How far schedules are from the best -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The scheduler against an exhaustive search, on random loops and on the inner loops of kernels. With
// TILEIRAS_SCHEDULE_TABLE=file the table of the kernel set and the pictures of its schedules are written there
// (scripts: `make docs`).
//
//===----------------------------------------------------------------------===//

#include "ExactScheduler.h"
#include "KernelLoops.h"
#include "tileiras/Schedule/AgentPartition.h"
#include "tileiras/Schedule/ModuloScheduler.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

using namespace tileiras::schedule;

namespace {

SchedulerOptions optionsFor(const KernelLoop &loop) {
  SchedulerOptions options;
  options.kind = Kind::CostBased;
  options.serialThreshold = 0;
  options.maxDepth = loop.maxDepth;
  options.computeCapability = loop.computeCapability;
  // What the copies of a ring take is the depth of the ring, which the passes choose; II and stages are compared here.
  options.caps = {INT64_MAX, INT64_MAX, INT64_MAX, 0};
  return options;
}

TEST(Oracle, KnowsItsTextbookLoops) {
  // The circle allows an interval of 3, with no slack: both operations of the first unit would meet in one row.
  DependenceGraph graph;
  auto add = [&](Slot slot, int length) {
    Node node;
    node.name = "n" + std::to_string(graph.size());
    node.reservations = {{row(slot), length}};
    return graph.add(node);
  };
  int a = add(Slot::Alu, 1), b = add(Slot::Lsu, 2), c = add(Slot::Alu, 1);
  graph.connect(a, b, 1);
  graph.connect(b, c, 2);
  graph.connect(c, a, 3, 2);
  Exact exact = findExact(graph);
  EXPECT_TRUE(exact.intervalIsProven);
  EXPECT_EQ(graph.minimumInterval(), 3);
  EXPECT_EQ(exact.interval, 4);
}

TEST(Oracle, RandomLoops) {
  std::mt19937 random(3);
  int worse = 0, proven = 0;
  for (int trial = 0; trial < 200; ++trial) {
    DependenceGraph graph;
    int n = 3 + int(random() % 5);
    for (int i = 0; i < n; ++i) {
      Node node;
      node.name = "n" + std::to_string(i);
      node.reservations = {{row(random() % 2 ? Slot::Alu : Slot::Lsu), 1 + int(random() % 3)}};
      node.role = i ? Role::Simt : Role::AsyncCopy;
      graph.add(node);
    }
    for (int i = 0; i < 2 * n; ++i) {
      int a = int(random() % n), b = int(random() % n);
      if (a < b)
        graph.connect(a, b, int(random() % 6));
      else
        graph.connect(a, b, 1 + int(random() % 5), 1 + int(random() % 2));
    }
    SchedulerOptions options;
    options.kind = Kind::CostBased;
    options.serialThreshold = 0;
    options.maxDepth = -1;
    Result result = findSchedule(graph, options);
    ASSERT_TRUE(result.schedule);
    Exact exact = findExact(graph, 200'000);
    Schedule best;
    best.cycle = exact.cycle;
    best.interval = exact.interval;
    best.complete(graph);
    EXPECT_EQ(verify(graph, best), "") << "the oracle is wrong";
    if (!exact.intervalIsProven)
      continue;
    ++proven;
    EXPECT_GE(result.schedule->interval, exact.interval) << "the oracle is wrong";
    worse += result.schedule->interval > exact.interval;
  }
  EXPECT_GT(proven, 180);
  EXPECT_LE(worse, proven / 20) << "more than 5 % of random loops miss the best interval";
  RecordProperty("worse", worse);
}

TEST(Oracle, KernelSet) {
  std::string table =
      "| loop | operations | bound | II | II, best | stages | stages, best |\n|---|---|---|---|---|---|---|\n";
  std::string pictures;
  for (const KernelLoop &loop : kernelLoops()) {
    ASSERT_EQ(loop.graph.verify(), "") << loop.name;
    Result result = findSchedule(loop.graph, optionsFor(loop));
    ASSERT_TRUE(result.schedule) << loop.name << ": " << result.error;
    const Schedule &schedule = *result.schedule;
    Exact exact = findExact(loop.graph, 400'000);
    // At most a tenth above the best interval, and never more than two stages beyond the fewest.
    EXPECT_LE(schedule.interval * 10, exact.interval * 11) << loop.name << "\n" << renderTimeline(loop.graph, schedule);
    EXPECT_GE(schedule.interval, loop.graph.minimumInterval()) << loop.name;
    auto cell = [](int value, bool proven) { return (proven ? "" : "<= ") + std::to_string(value); };
    table += "| " + loop.name + " | " + std::to_string(loop.graph.size()) + " | " +
             std::to_string(loop.graph.minimumInterval()) + " | " + std::to_string(schedule.interval) + " | " +
             cell(exact.interval, exact.intervalIsProven) + " | " + std::to_string(schedule.stageCount) + " | " +
             cell(exact.stages, exact.stagesAreProven) + " |\n";
    pictures += "\n" + loop.name + ":\n\n```\n" + renderTimeline(loop.graph, schedule) + "```\n";
  }
  if (const char *path = std::getenv("TILEIRAS_SCHEDULE_TABLE"))
    std::ofstream(path) << table << pictures;
}

//===----------------------------------------------------------------------===//
// Published schedules of attention
//===----------------------------------------------------------------------===//

std::vector<int> named(const DependenceGraph &graph, const std::vector<Agent> &agents, const std::string &prefix) {
  std::vector<int> result;
  for (int agent = 0; agent < int(agents.size()); ++agent)
    for (int node : agents[agent].nodes)
      if (graph[node].name.rfind(prefix, 0) == 0)
        result.push_back(agent);
  return result;
}

/// Hopper: the tensor core never idles, the exponentials of one half of the rows run under the products of the other
/// (ping-pong), and two agents compute.
TEST(Attention, HopperIsPingPong) {
  KernelLoop loop = hopperAttention();
  Result result = findSchedule(loop.graph, optionsFor(loop));
  ASSERT_TRUE(result.schedule);
  const Schedule &schedule = *result.schedule;
  int products = 0;
  for (int node = 0; node < loop.graph.size(); ++node)
    for (const Reservation &use : loop.graph[node].reservations)
      if (use.rows & row(Slot::TcAndMma))
        products += use.length;
  EXPECT_EQ(schedule.interval, products) << renderTimeline(loop.graph, schedule);
  std::vector<Agent> agents = partition(loop.graph, schedule);
  std::vector<int> qk = named(loop.graph, agents, "Q K"), pv = named(loop.graph, agents, "P V"),
                   exp = named(loop.graph, agents, "exp");
  ASSERT_EQ(qk.size(), 2u);
  ASSERT_EQ(pv.size(), 2u);
  EXPECT_EQ(agents.size(), 3u) << "one that copies, two that compute";
  EXPECT_NE(qk[0], qk[1]);
  std::sort(qk.begin(), qk.end());
  std::sort(pv.begin(), pv.end());
  std::sort(exp.begin(), exp.end());
  EXPECT_EQ(qk, pv);
  EXPECT_EQ(qk, exp);
}

/// Blackwell: two agents for the exponentials, one that rescales, one that issues products, one that copies.
TEST(Attention, BlackwellHasAnAgentThatRescales) {
  KernelLoop loop = blackwellAttention();
  Result result = findSchedule(loop.graph, optionsFor(loop));
  ASSERT_TRUE(result.schedule);
  const Schedule &schedule = *result.schedule;
  EXPECT_EQ(schedule.interval, loop.graph.resourceBound()) << renderTimeline(loop.graph, schedule);
  PartitionOptions limits;
  limits.registerBytesPerAgent =
      INT64_MAX; // values of the model are whole tiles, of which threads hold pieces at a time
  std::vector<Agent> agents = partition(loop.graph, schedule, limits);
  std::vector<int> exp = named(loop.graph, agents, "exp"), rescale = named(loop.graph, agents, "rescale");
  ASSERT_EQ(exp.size(), 2u);
  EXPECT_NE(exp[0], exp[1]);
  ASSERT_EQ(rescale.size(), 2u);
  EXPECT_EQ(rescale[0], rescale[1]);
  EXPECT_NE(rescale[0], exp[0]);
  EXPECT_NE(rescale[0], exp[1]);
  EXPECT_EQ(agents.size(), 5u);
  EXPECT_EQ(named(loop.graph, agents, "Q K"), named(loop.graph, agents, "P V")) << "one agent issues all products";
}

} // namespace
