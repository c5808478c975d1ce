//===- ScheduleTest.cpp - Schedules of loops whose answers are known ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/AgentPartition.h"
#include "tileiras/Schedule/ImproveSchedule.h"
#include "tileiras/Schedule/ModuloScheduler.h"
#include "tileiras/Schedule/ReservationTable.h"
#include "tileiras/Schedule/Trace.h"
#include "gtest/gtest.h"
#include <ctime>
#include <random>

using namespace tileiras::schedule;

namespace {

Node unit(const std::string &name, Slot slot, int length = 1) {
  Node node;
  node.name = name;
  node.reservations = {{row(slot), length}};
  return node;
}

/// Loops of any size, nothing held back.
SchedulerOptions freely(Kind kind = Kind::CostBased) {
  SchedulerOptions options;
  options.kind = kind;
  options.serialThreshold = 0;
  options.maxDepth = -1;
  return options;
}
/// `hasAsync` decides between serial and the rest: one copy makes a loop worth scheduling.
void makeAsync(Node &node) { node.role = Role::AsyncCopy; }

Schedule expectSchedule(const DependenceGraph &graph, const SchedulerOptions &options) {
  Result result = findSchedule(graph, options);
  EXPECT_TRUE(result.schedule) << result.error;
  if (!result.schedule)
    return {};
  EXPECT_EQ(verify(graph, *result.schedule, options.constraints, options.caps), "");
  return *result.schedule;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

TEST(MachineModel, NamesAndNumbersOfTheSeed) {
  EXPECT_STREQ(info(Slot::Issue).name, "issue");
  EXPECT_STREQ(info(Slot::TpMma).name, "tp_mma");
  EXPECT_STREQ(info(Slot::TestDma).name, "test_dma");
  EXPECT_EQ(unsigned(Slot::TestDma), 24u);
  EXPECT_EQ(row(Slot::Issue), 1u);
  EXPECT_EQ(row(Slot::TestDma), 1u << 23);
  EXPECT_EQ(info(Slot::DualAlu).latency, 2);
  EXPECT_EQ(info(Slot::Alu).latency, 4);
  EXPECT_EQ(info(Slot::TpSmemRd).latency, 7);
  EXPECT_EQ(info(Slot::Tma).latency, 8);
  EXPECT_EQ(ByteCaps().shared, 232448);
  EXPECT_EQ(kPoolCapacity[kPoolTensorBanks], 4);
  EXPECT_EQ(kPoolCapacity[kPoolSharedLock], 1);
  EXPECT_EQ(kPoolCapacity[kPoolNamedBarriers], 3);
}

TEST(MachineModel, TargetsTakeTheRowBelowThem) {
  EXPECT_EQ(costsFor(75).computeCapability, 80);
  EXPECT_EQ(costsFor(86).computeCapability, 80);
  EXPECT_EQ(costsFor(103).computeCapability, 100);
  EXPECT_EQ(costsFor(121).computeCapability, 120);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Rau's inner product on a machine with one load unit and one adder: the sum keeps iterations 4 cycles apart.
DependenceGraph innerProduct() {
  DependenceGraph graph;
  Node a = unit("load a", Slot::Lsu);
  makeAsync(a);
  int la = graph.add(a), lb = graph.add(unit("load b", Slot::Lsu));
  int mul = graph.add(unit("multiply", Slot::AluOrFmaHeavy)), add = graph.add(unit("add", Slot::Alu));
  graph.connect(la, mul, 20);
  graph.connect(lb, mul, 20);
  graph.connect(mul, add, 4);
  graph.connect(add, add, 4, 1);
  return graph;
}

TEST(Bounds, InnerProduct) {
  DependenceGraph graph = innerProduct();
  EXPECT_EQ(graph.verify(), "");
  EXPECT_EQ(graph.resourceBound(), 2);
  EXPECT_EQ(graph.recurrenceBound(), 4);
  EXPECT_EQ(graph.minimumInterval(), 4);
}

TEST(Bounds, DistanceDividesTheLatencyOfACircle) {
  DependenceGraph graph;
  int a = graph.add(unit("a", Slot::Alu)), b = graph.add(unit("b", Slot::Lsu));
  graph.connect(a, b, 5);
  graph.connect(b, a, 6, 3); // 11 cycles in three iterations
  EXPECT_EQ(graph.recurrenceBound(), 4);
}

TEST(Bounds, PoolsAndLongOperations) {
  DependenceGraph graph;
  Node node;
  node.name = "holds two of four";
  node.pools = {{kPoolTensorBanks, 2, 10}};
  for (int i = 0; i < 3; ++i)
    graph.add(node);
  EXPECT_EQ(graph.resourceBound(), 15);
  graph.add(unit("long", Slot::Mma, 40));
  EXPECT_EQ(graph.densityBound(), 40);
}

TEST(Bounds, GraphsWithErrorsAreRefused) {
  DependenceGraph backwards;
  backwards.add(unit("a", Slot::Alu));
  backwards.add(unit("b", Slot::Alu));
  backwards.connect(1, 0, 1);
  EXPECT_NE(backwards.verify(), "");
  EXPECT_FALSE(findSchedule(backwards, freely()).schedule);
  DependenceGraph greedy;
  Node node;
  node.name = "too much";
  node.pools = {{kPoolSharedLock, 2, 1}};
  greedy.add(node);
  EXPECT_NE(greedy.verify(), "");
  // No cycle of any table has room for this one.
  DependenceGraph twice;
  Node both = unit("twice", Slot::Alu, 3);
  both.reservations.push_back({row(Slot::Alu), 1, 2});
  twice.add(both);
  EXPECT_EQ(twice.verify(), "'twice' reserves a unit twice at a time");
  EXPECT_FALSE(findSchedule(twice, freely()).schedule);
}

//===----------------------------------------------------------------------===//
// The table of units
//===----------------------------------------------------------------------===//

TEST(ReservationTable, AllOrNothingAndExactlyBack) {
  ReservationTable table(4);
  Node wide = unit("wide", Slot::Alu, 2);
  wide.reservations.push_back({row(Slot::Lsu), 1, 3});
  table.take(wide, 2); // alu in 2, 3; lsu in 5 = 1
  EXPECT_FALSE(table.isFree(unit("x", Slot::Alu), 6));
  EXPECT_FALSE(table.isFree(unit("x", Slot::Lsu), 1));
  EXPECT_TRUE(table.isFree(unit("x", Slot::Lsu), 2));
  EXPECT_TRUE(table.isFree(wide, 0));
  EXPECT_FALSE(table.isFree(wide, 3)) << "one of two units is taken";
  EXPECT_TRUE(table.isFree(unit("x", Slot::Alu), 0));
  table.giveBack(wide, 2);
  EXPECT_TRUE(table.isFree(wide, 2));
  EXPECT_FALSE(table.isFree(unit("longer than the interval", Slot::Alu, 5), 0));
}

TEST(ReservationTable, AnOperationMayMeetItself) {
  ReservationTable table(4);
  Node twice = unit("twice", Slot::Alu);
  twice.reservations.push_back({row(Slot::Alu), 1, 4});
  EXPECT_FALSE(table.isFree(twice, 1));
  twice.reservations[1].offset = 3;
  EXPECT_TRUE(table.isFree(twice, 1));
}

//===----------------------------------------------------------------------===//
// Textbook loops
//===----------------------------------------------------------------------===//

TEST(ModuloSchedule, InnerProduct) {
  for (Kind kind : {Kind::Fast, Kind::CostBased}) {
    Schedule schedule = expectSchedule(innerProduct(), freely(kind));
    EXPECT_EQ(schedule.interval, 4);
    EXPECT_EQ(schedule.stageCount, 24 / 4 + 1) << "the sum starts 24 cycles after the loads";
    EXPECT_EQ(schedule.kind, kind);
  }
}

/// y[i] = a * x[i] + y[i] (Lam's example of a loop without recurrences): bounded by three memory accesses on one unit.
TEST(ModuloSchedule, Axpy) {
  DependenceGraph graph;
  Node load = unit("load x", Slot::Lsu);
  makeAsync(load);
  int x = graph.add(load), y = graph.add(unit("load y", Slot::Lsu));
  int mul = graph.add(unit("multiply", Slot::Alu)), add = graph.add(unit("add", Slot::Alu));
  int store = graph.add(unit("store", Slot::Lsu));
  graph.connect(x, mul, 3);
  graph.connect(mul, add, 4);
  graph.connect(y, add, 3);
  graph.connect(add, store, 4);
  EXPECT_EQ(expectSchedule(graph, freely()).interval, 3);
}

/// A loop that list placement in order of height cannot do at its bound, and eviction can: the two operations of the
/// circle must sit in one row of the table, three apart, where the long operation leaves only just room.
TEST(ModuloSchedule, EvictionFindsWhatOrderDoesNot) {
  std::mt19937 random(7);
  int evicted = 0, loops = 0;
  for (int trial = 0; trial < 300; ++trial) {
    DependenceGraph graph;
    int n = 4 + int(random() % 5);
    for (int i = 0; i < n; ++i) {
      Node node = unit("n" + std::to_string(i), random() % 2 ? Slot::Alu : Slot::Lsu, 1 + int(random() % 3));
      if (i == 0)
        makeAsync(node);
      graph.add(node);
    }
    for (int i = 0; i < 2 * n; ++i) {
      int a = int(random() % n), b = int(random() % n);
      if (a < b)
        graph.connect(a, b, int(random() % 6));
      else
        graph.connect(a, b, 1 + int(random() % 5), 1 + int(random() % 2));
    }
    Schedule schedule = expectSchedule(graph, freely(Kind::Fast));
    EXPECT_GE(schedule.interval, schedule.minimumInterval);
    ++loops;
    evicted += std::string(schedule.arm) == "RETRY" || std::string(schedule.arm) == "COST";
  }
  EXPECT_EQ(loops, 300);
  EXPECT_GT(evicted, 5);
}

TEST(ModuloSchedule, CostBasedIsNoWorseThanFast) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 60; ++trial) {
    DependenceGraph graph;
    int n = 5 + int(random() % 6);
    for (int i = 0; i < n; ++i) {
      Node node = unit("n" + std::to_string(i), Slot(1 + random() % 4), 1 + int(random() % 2));
      if (i == 0)
        makeAsync(node);
      graph.add(node);
    }
    for (int i = 1; i < n; ++i)
      graph.connect(int(random() % i), i, 1 + int(random() % 9));
    Schedule fast = expectSchedule(graph, freely(Kind::Fast)), best = expectSchedule(graph, freely());
    EXPECT_EQ(best.interval, fast.interval);
    EXPECT_FALSE(costOf(graph, fast, {}) < costOf(graph, best, {}));
  }
}

TEST(ModuloSchedule, SameInputSameSchedule) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(expectSchedule(innerProduct(), freely()).cycle, expectSchedule(innerProduct(), freely()).cycle);
}

/// With a trace every seat is asked; without one, those that are known not to be taken are passed over.
TEST(ModuloSchedule, SeatsThatArePassedOverWouldNotHaveBeenTaken) {
  std::mt19937 random(31);
  int found = 0, cheapest = 0, refused[6] = {};
  for (int trial = 0; trial < 400; ++trial) {
    DependenceGraph graph;
    int n = 4 + int(random() % 9);
    for (int i = 0; i < n; ++i) {
      Node node = unit("n" + std::to_string(i), Slot(1 + random() % 3), 1 + int(random() % 9));
      if (random() % 4 == 0)
        node.reservations.push_back({row(Slot(1 + random() % 3)), 1 + int(random() % 4), 9 + int(random() % 12)});
      if (random() % 5 == 0)
        node.pools = {{int(random() % kNumPools), 1, 1 + int(random() % 6), int(random() % 4)}};
      if (i == 0)
        makeAsync(node);
      graph.add(node);
    }
    for (int i = 0; i < 2 * n; ++i) {
      int a = int(random() % n), b = int(random() % n);
      graph.connect(a, b, 1 + int(random() % 20), a < b ? 0 : 1 + int(random() % 2));
    }
    SchedulerOptions options = freely(Kind::Fast);
    options.maxDepth = int(random() % 4);
    if (random() % 2)
      options.constraints.push_back({ConstraintFamily::SameDepth, {0, 1 + int(random() % (n - 1))}});
    Result plain = findSchedule(graph, options);
    std::vector<TraceEvent> trace;
    options.trace = &trace;
    Result traced = findSchedule(graph, options);
    ASSERT_EQ(plain.error, traced.error);
    if (!plain.schedule)
      continue;
    ++found;
    cheapest += std::string(plain.schedule->arm) == "COST";
    EXPECT_EQ(plain.schedule->interval, traced.schedule->interval);
    EXPECT_EQ(plain.schedule->cycle, traced.schedule->cycle);
    EXPECT_STREQ(plain.schedule->arm, traced.schedule->arm);
    for (const TraceEvent &event : trace)
      ++refused[unsigned(event.gate)];
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(cheapest, 3);
  EXPECT_GT(refused[unsigned(Gate::Unit)], 100);
  EXPECT_GT(refused[unsigned(Gate::Depth)], 100);
}

/// What the search counts after a move is what counting all of it anew gives, wherever the operation goes.
TEST(ModuloSchedule, CostOfAMoveIsThatOfTheScheduleAfterIt) {
  std::mt19937 random(23);
  for (int trial = 0; trial < 200; ++trial) {
    DependenceGraph graph;
    int n = 2 + int(random() % 9);
    for (int i = 0; i < n; ++i) {
      Node node = unit("n" + std::to_string(i), Slot::Alu);
      node.sharedBytes = random() % 3 * 100;
      node.tensorBytes = random() % 2 * 64;
      node.registerBytes = random() % 4 * 8;
      node.busy = 1 + int(random() % 5);
      graph.add(node);
    }
    for (int i = 0; i < 2 * n; ++i) {
      int a = int(random() % n), b = int(random() % n); // circles of one operation, too
      graph.connect(a, b, 1, a < b ? 0 : 1 + int(random() % 2), random() % 4 ? EdgeKind::Value : EdgeKind::Token);
    }
    ByteCaps caps{int64_t(random() % 1500), int64_t(random() % 500), int64_t(random() % 120), 0};
    Schedule schedule;
    schedule.interval = 1 + int(random() % 7);
    for (int i = 0; i < n; ++i)
      schedule.cycle.push_back(int(random() % 25));
    schedule.complete(graph);
    int node = int(random() % n);
    CostOfMove costIn(graph, schedule, caps, node, costOf(graph, schedule, caps));
    for (int at = 0; at < 30; ++at) {
      Schedule moved = schedule;
      moved.cycle[node] = at;
      moved.complete(graph);
      EXPECT_EQ(costIn(at).tuple(), costOf(graph, moved, caps).tuple()) << trial << ": " << node << " to " << at;
    }
  }
}

/// Sliced products of consumer Blackwell have 450 operations. Time of the processor, which does not depend on others.
TEST(ModuloSchedule, LongLoopsTakeABoundedTime) {
  std::mt19937 random(5);
  DependenceGraph graph;
  constexpr int n = 700;
  for (int i = 0; i < n; ++i) {
    Node node = unit("n" + std::to_string(i), Slot(1 + random() % 3), 1 + int(random() % 3));
    node.registerBytes = 32;
    if (i < 2)
      makeAsync(node);
    graph.add(node);
  }
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      graph.connect(std::max(0, i - 1 - int(random() % 40)), i, 1 + int(random() % 30));
  SchedulerOptions options = freely();
  options.maxDepth = 1; // most intervals are given up
  std::clock_t start = std::clock();
  Schedule schedule = expectSchedule(graph, options);
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 6) << "a tenth of that is expected";
  EXPECT_GE(schedule.interval, schedule.minimumInterval);
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

TEST(Kinds, NamesAndDefault) {
  EXPECT_EQ(parseKind("COST_BASED"), Kind::CostBased);
  EXPECT_FALSE(parseKind("BEST"));
  DependenceGraph graph = innerProduct();
  SchedulerOptions options = freely(Kind::Default);
  for (auto [capability, kind] : {std::pair(80, Kind::Serial),
                                  {89, Kind::Serial},
                                  {90, Kind::CostBased},
                                  {100, Kind::CostBased},
                                  {120, Kind::CostBased}}) {
    options.computeCapability = capability;
    EXPECT_EQ(resolveKind(graph, options), kind) << capability;
  }
}

TEST(Kinds, WhenALoopIsSerial) {
  DependenceGraph graph = innerProduct();
  SchedulerOptions options = freely();
  options.serialThreshold = 8;
  EXPECT_EQ(resolveKind(graph, options), Kind::Serial) << "few operations";
  options = freely();
  options.forceSerial = true;
  EXPECT_EQ(resolveKind(graph, options), Kind::Serial);
  options = freely();
  options.constraints = {{ConstraintFamily::ForceSerialExecution, {}, 0}};
  EXPECT_EQ(resolveKind(graph, options), Kind::Serial);
  DependenceGraph plain;
  plain.add(unit("a", Slot::Alu));
  EXPECT_EQ(resolveKind(plain, freely()), Kind::Serial) << "nothing asynchronous";
  EXPECT_EQ(resolveKind(graph, freely(Kind::None)), Kind::None);
}

TEST(DualSimt, IntegersAreDividedFirst) {
  EXPECT_TRUE(isDualSimtWorthIt(4, 26, 4));
  EXPECT_TRUE(isDualSimtWorthIt(4, 27, 4)) << "6.75 counts as 6";
  EXPECT_FALSE(isDualSimtWorthIt(4, 28, 4));
  EXPECT_TRUE(isDualSimtWorthIt(4, 6, 0)) << "no iterations count as one";
  EXPECT_FALSE(isDualSimtWorthIt(3, 6, -1));
}

TEST(Kinds, SerialIsOneStage) {
  DependenceGraph graph = innerProduct();
  Schedule schedule = expectSchedule(graph, freely(Kind::Serial));
  EXPECT_EQ(schedule.stageCount, 1);
  EXPECT_EQ(schedule.interval, schedule.length) << "an iteration begins when the one before is done";
  EXPECT_EQ(schedule.cycle, (std::vector<int>{0, 1, 21, 25}));
  EXPECT_EQ(findSchedule(graph, freely(Kind::None)).schedule->interval, 0);
}

TEST(Kinds, LongBodiesGetNoTable) {
  DependenceGraph graph = innerProduct();
  SchedulerOptions options = freely();
  options.rrtSizeThreshold = 3;
  Schedule schedule = expectSchedule(graph, options);
  EXPECT_STREQ(schedule.arm, "sequence");
  EXPECT_EQ(schedule.stageCount, 1);
  options.rrtSizeThreshold = 4;
  EXPECT_STRNE(expectSchedule(graph, options).arm, "sequence");
}

//===----------------------------------------------------------------------===//
// Constraints and gates
//===----------------------------------------------------------------------===//

TEST(Constraints, DepthIsHeld) {
  DependenceGraph graph = innerProduct();
  SchedulerOptions options = freely();
  options.maxDepth = 1; // a load's value may be used one stage later, not five
  Schedule schedule = expectSchedule(graph, options);
  for (const Edge &edge : graph.allEdges())
    EXPECT_LE(schedule.stage[edge.to] + edge.distance - schedule.stage[edge.from], 1);
  EXPECT_GT(schedule.interval, 4);
  options.constraints = {{ConstraintFamily::MaxDepth, {0, 1}, 9}};
  EXPECT_EQ(expectSchedule(graph, options).interval, 4) << "loads are allowed more";
}

TEST(Constraints, SameDepth) {
  DependenceGraph graph = innerProduct();
  SchedulerOptions options = freely();
  options.constraints = {{ConstraintFamily::SameDepth, {2, 3}, 0}};
  Schedule schedule = expectSchedule(graph, options);
  EXPECT_EQ(schedule.stage[2], schedule.stage[3]);
}

TEST(Constraints, Structural) {
  DependenceGraph graph;
  Node load = unit("load", Slot::Lsu);
  makeAsync(load);
  graph.add(load);
  graph.add(unit("late", Slot::Alu));
  graph.add(unit("early", Slot::Xu));
  graph.connect(0, 1, 30);
  SchedulerOptions options = freely();
  EXPECT_LT(expectSchedule(graph, options).cycle[2], 30);
  options.constraints = {{ConstraintFamily::Structural, {1, 2}, 0}};
  Schedule schedule = expectSchedule(graph, options);
  EXPECT_GE(schedule.cycle[2], schedule.cycle[1]);
  options.constraints = {{ConstraintFamily::Structural, {2, 1}, 0}};
  EXPECT_FALSE(findSchedule(graph, options).schedule) << "against the order of the program";
}

TEST(Constraints, BytesMakeTheIntervalLonger) {
  DependenceGraph graph;
  Node load = unit("load", Slot::Tma, 10);
  makeAsync(load);
  load.sharedBytes = 100;
  graph.add(load);
  graph.add(unit("use", Slot::Mma, 10));
  graph.connect(0, 1, 100);
  SchedulerOptions options = freely();
  Schedule schedule = expectSchedule(graph, options);
  EXPECT_EQ(schedule.interval, 10);
  EXPECT_EQ(copiesOf(graph, schedule, 0), 11);
  options.caps.shared = 350;
  schedule = expectSchedule(graph, options);
  EXPECT_LE(copiesOf(graph, schedule, 0), 3);
  EXPECT_GT(schedule.interval, 30);
  options.caps.shared = 50;
  EXPECT_FALSE(findSchedule(graph, options).schedule) << "not even one fits";
}

TEST(Verify, FindsWhatIsPlanted) {
  DependenceGraph graph = innerProduct();
  Schedule good = expectSchedule(graph, freely());
  Schedule early = good;
  early.cycle[3] = early.cycle[2];
  early.complete(graph);
  EXPECT_NE(verify(graph, early), "");
  Schedule taken = good;
  taken.cycle[1] = taken.cycle[0];
  taken.complete(graph);
  EXPECT_NE(verify(graph, taken), "");
  Schedule tight = good;
  tight.interval = 3;
  tight.complete(graph);
  EXPECT_NE(verify(graph, tight), "") << "the sum needs four cycles";
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

TEST(Trace, IsJsonWithSeatsAndGates) {
  DependenceGraph graph = innerProduct();
  std::vector<TraceEvent> events;
  SchedulerOptions options = freely();
  options.trace = &events;
  Schedule schedule = expectSchedule(graph, options);
  std::string text = chromeTrace({{"inner \"product\"", &graph, &schedule, &events}}, 2);
  EXPECT_NE(text.find("\"name\": \"inner \\\"product\\\": COST_BASED, II 4, 7 stages\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"name\": \"unit\", \"ph\": \"i\""), std::string::npos) << "a seat was refused by G3";
  EXPECT_NE(text.find("\"arm\": \"PERMUTE\""), std::string::npos);
  int depth = 0;
  for (char c : text)
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
  EXPECT_EQ(depth, 0);
}

TEST(Trace, SeatsInARowAreOneStretch) {
  DependenceGraph graph = innerProduct();
  Schedule schedule = expectSchedule(graph, freely());
  const char *arm = "RETRY", *other = "PERMUTE";
  std::vector<TraceEvent> events = {{4, 0, 7, Gate::Unit, arm},  {4, 0, 8, Gate::Unit, arm},
                                    {4, 0, 9, Gate::Unit, arm},  {4, 0, 10, Gate::None, arm},
                                    {4, 1, 11, Gate::Unit, arm}, {4, 1, 10, Gate::Unit, arm},
                                    {4, 1, 11, Gate::Unit, arm}, {4, 1, 12, Gate::Unit, other}};
  std::string text = chromeTrace({{"loop", &graph, &schedule, &events}});
  auto has = [&](const char *part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has("\"name\": \"unit\", \"ph\": \"X\", \"dur\": 3, \"pid\": 2, \"tid\": 1, \"ts\": 7,")) << text;
  EXPECT_TRUE(has("\"name\": \"taken\", \"ph\": \"i\", \"s\": \"t\", \"pid\": 2, \"tid\": 1, \"ts\": 10,")) << text;
  // Down and up again are two.
  EXPECT_TRUE(has("\"ph\": \"X\", \"dur\": 2, \"pid\": 2, \"tid\": 2, \"ts\": 10,")) << text;
  EXPECT_TRUE(has("\"ph\": \"i\", \"s\": \"t\", \"pid\": 2, \"tid\": 2, \"ts\": 11,")) << text;
  EXPECT_TRUE(has("\"ts\": 12, \"args\": {\"interval\": 4, \"arm\": \"PERMUTE\"}")) << text;
}

TEST(Timeline, InnerProduct) {
  DependenceGraph graph = innerProduct();
  Schedule schedule = expectSchedule(graph, freely());
  std::string text = renderTimeline(graph, schedule);
  EXPECT_NE(text.find("II = 4, 7 stages"), std::string::npos) << text;
  EXPECT_NE(text.find("lsu               |AB..|"), std::string::npos) << text;
}

} // namespace
