//===- ModuloScheduler.cpp - Finding a schedule ---------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ModuloScheduler.h"
#include "tileiras/Schedule/ImproveSchedule.h"
#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tileiras::schedule {

const char *toString(Gate gate) {
  static constexpr const char *names[] = {"taken", "pending", "depth", "unit", "leader", "window"};
  return names[unsigned(gate)];
}

namespace {

/// A mark for operations without a seat.
constexpr int64_t kNowhere = 0x7FFFFFFF;

enum class Arm : uint8_t { Permute, Fuse, Retry, Cost };
constexpr const char *armNames[] = {"PERMUTE", "FUSE", "RETRY", "COST"};

/// One attempt at one interval.
class Placement {
public:
  Placement(const DependenceGraph &graph, const SchedulerOptions &options, int interval, Arm arm,
            const std::vector<int64_t> &release, const std::vector<int64_t> &height)
      : graph(graph), options(options), interval(interval), arm(arm), release(release), height(height), table(interval),
        empty(interval), cycle(graph.size(), kNowhere), previous(graph.size(), kNowhere), places(graph.size(), -1),
        depth(graph.size()), leader(graph.size(), -1) {
    for (int i = 0; i < graph.size(); ++i)
      depth[i] = options.maxDepth;
    for (const Constraint &constraint : options.constraints) {
      if (constraint.family == ConstraintFamily::MaxDepth)
        for (int node : constraint.nodes)
          depth[node] = constraint.value;
      if (constraint.family == ConstraintFamily::SameDepth)
        for (int node : constraint.nodes)
          leader[node] = constraint.nodes[0];
    }
  }

  std::optional<Schedule> run(bool &outOfBudget) {
    bool placed = arm == Arm::Retry || arm == Arm::Cost ? withEviction(outOfBudget) : inOrder();
    if (!placed)
      return std::nullopt;
    int64_t first = *std::min_element(cycle.begin(), cycle.end());
    if (first == kNowhere)
      first = 0;
    // Whole intervals that nothing happens in are cut off.
    first = first / interval * interval;
    Schedule schedule;
    schedule.kind = options.kind;
    schedule.interval = interval;
    schedule.arm = armNames[unsigned(arm)];
    for (int64_t at : cycle)
      schedule.cycle.push_back(int(at - first));
    schedule.complete(graph);
    return schedule;
  }

private:
  /// By the longest way to the end; ties in program order.
  std::vector<int> byPriority() const {
    std::vector<int> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return height[a] > height[b]; });
    return order;
  }

  int64_t earliest(int node) const {
    int64_t at = release[node];
    for (int number : graph.edgesTo(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.from != node && cycle[edge.from] != kNowhere)
        at = std::max(at, cycle[edge.from] + edge.latency - int64_t(interval) * edge.distance);
    }
    return std::max<int64_t>(at, 0);
  }
  int64_t latest(int node) const {
    int64_t at = kNowhere;
    for (int number : graph.edgesFrom(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.to != node && cycle[edge.to] != kNowhere)
        at = std::min(at, cycle[edge.to] - edge.latency + int64_t(interval) * edge.distance);
    }
    return at;
  }

  int64_t stageAt(int64_t at) const { return at / interval; }

  /// Whether a value would wait for too many stages, if the operation were in this one.
  bool isTooDeep(int node, int64_t stage) const {
    auto tooDeep = [&](int from, int64_t fromStage, int64_t toStage, const Edge &edge) {
      return edge.kind == EdgeKind::Value && depth[from] >= 0 && toStage + edge.distance - fromStage > depth[from];
    };
    for (int number : graph.edgesFrom(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.to != node && cycle[edge.to] != kNowhere && tooDeep(node, stage, stageAt(cycle[edge.to]), edge))
        return true;
    }
    for (int number : graph.edgesTo(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.from != node && cycle[edge.from] != kNowhere &&
          tooDeep(edge.from, stageAt(cycle[edge.from]), stage, edge))
        return true;
    }
    return false;
  }
  /// Whether others that have to be in the same stage are in another one.
  bool isAwayFromGroup(int node, int64_t stage) const {
    if (leader[node] >= 0)
      for (int other = 0; other < graph.size(); ++other)
        if (other != node && leader[other] == leader[node] && cycle[other] != kNowhere &&
            stageAt(cycle[other]) != stage)
          return true;
    return false;
  }

  Gate ask(int node, int64_t at) const {
    if (cycle[node] != kNowhere)
      return Gate::Pending;
    if (isTooDeep(node, stageAt(at)))
      return Gate::Depth;
    if (!table.isFree(graph[node], at))
      return Gate::Unit;
    return isAwayFromGroup(node, stageAt(at)) ? Gate::Leader : Gate::None;
  }

  void note(int node, int64_t at, Gate gate) const {
    if (options.trace)
      options.trace->push_back({interval, node, at, gate, armNames[unsigned(arm)]});
  }

  void seat(int node, int64_t at) {
    note(node, at, Gate::None);
    cycle[node] = previous[node] = at;
    places[node] = int(at % interval);
    table.take(graph[node], at);
  }
  void unseat(int node) {
    table.giveBack(graph[node], cycle[node]);
    cycle[node] = kNowhere;
    places[node] = -1;
    firstRank = std::min(firstRank, rank[node]);
  }

  /// The first legal seat of the window, or the cheapest. Of a stage, only the units are asked again. Seats that are
  /// known to be taken, or not cheaper, are passed over, unless a trace wants to know of each.
  int64_t findSeat(int node, int64_t from, int64_t to) {
    int64_t best = kNowhere, stage = -1, distance = 0;
    std::array<int64_t, 2> bestCost = {};
    bool tooDeep = false, away = false;
    if (arm == Arm::Cost && from <= to)
      sortPlaces(node);
    for (int64_t at = from; at <= to; ++at) {
      if (stage < 0 || at >= (stage + 1) * interval) {
        stage = stageAt(at);
        tooDeep = isTooDeep(node, stage);
        away = isAwayFromGroup(node, stage);
        distance = arm == Arm::Cost ? distanceCost(node, stage) : 0;
      }
      // No seat of this stage, or none that is cheaper: of interest to a trace only.
      bool noneCheaper = best != kNowhere && (distance > bestCost[0] || (distance == bestCost[0] && !bestCost[1]));
      if (!options.trace && (tooDeep || away || noneCheaper)) {
        at = (stage + 1) * interval - 1;
        continue;
      }
      int64_t busy = tooDeep ? 0 : table.busyFor(graph[node], at);
      Gate gate = tooDeep ? Gate::Depth : busy ? Gate::Unit : away ? Gate::Leader : Gate::None;
      if (gate != Gate::None) {
        note(node, at, gate);
        if (!options.trace)
          at += busy - 1;
        continue;
      }
      if (arm != Arm::Cost)
        return at;
      std::array<int64_t, 2> cost = {distance, disorderCost(at)};
      if (best == kNowhere || cost < bestCost) {
        best = at;
        bestCost = cost;
      }
      if (!options.trace)
        at += toNextPlace(at) - 1;
    }
    return best;
  }
  /// Stages between the operation and its neighbours that have seats.
  int64_t distanceCost(int node, int64_t stage) const {
    int64_t sum = 0;
    for (int number : graph.edgesTo(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.kind == EdgeKind::Value && cycle[edge.from] != kNowhere)
        sum += stage + edge.distance - stageAt(cycle[edge.from]);
    }
    for (int number : graph.edgesFrom(node)) {
      const Edge &edge = graph.edge(number);
      if (edge.kind == EdgeKind::Value && cycle[edge.to] != kNowhere)
        sum += stageAt(cycle[edge.to]) + edge.distance - stage;
    }
    return sum;
  }
  /// Pairs with this operation that stand in the kernel in another order than in the program.
  int64_t disorderCost(int64_t at) const {
    int place = int(at % interval);
    return (before.end() - std::upper_bound(before.begin(), before.end(), place)) +
           (std::upper_bound(behind.begin(), behind.end(), place) - behind.begin());
  }
  /// How far it is to the next seat in the stage where disorderCost may be less, or else to the next stage.
  int64_t toNextPlace(int64_t at) const {
    int place = int(at % interval);
    auto next = std::upper_bound(before.begin(), before.end(), place);
    return (next == before.end() ? interval : *next) - place;
  }
  /// Where what stands before the operation and behind it in the program has its seats, for disorderCost.
  void sortPlaces(int node) {
    before.clear();
    behind.clear();
    for (int other = 0; other < graph.size(); ++other)
      if (other != node && places[other] >= 0)
        (other < node ? before : behind).push_back(places[other]);
    std::sort(before.begin(), before.end());
    std::sort(behind.begin(), behind.end());
  }

  /// PERMUTE and FUSE.
  bool inOrder() {
    std::vector<std::vector<int>> groups;
    if (arm == Arm::Fuse)
      groups = fuse();
    else
      for (int node : byPriority())
        groups.push_back({node});
    for (const std::vector<int> &group : groups) {
      int64_t next = 0;
      for (int node : group) {
        int64_t from = std::max(next, earliest(node)), to = std::min(from + interval - 1, latest(node));
        int64_t at = findSeat(node, from, to);
        if (at == kNowhere)
          return false;
        seat(node, at);
        next = at;
      }
    }
    return true;
  }

  /// Operations with the same units, neither of which needs the other, as groups in order of priority.
  std::vector<std::vector<int>> fuse() const {
    // Sets as bits: what needs an operation in the same iteration, by way of others, too, and what it needs; of a
    // group, all of its members' together.
    int n = graph.size(), words = (n + 63) / 64;
    using Set = std::vector<uint64_t>;
    auto contains = [](const Set &set, int i) { return set[i / 64] >> (i % 64) & 1; };
    auto add = [](Set &set, int i) { set[i / 64] |= uint64_t(1) << (i % 64); };
    auto addAll = [&](Set &set, const Set &other) {
      for (int w = 0; w < words; ++w)
        set[w] |= other[w];
    };
    std::vector<Set> neededBy(n, Set(words)), needs(n, Set(words)), members(n, Set(words));
    for (const Edge &edge : graph.allEdges())
      if (edge.distance == 0)
        add(neededBy[edge.from], edge.to);
    for (int via = 0; via < n; ++via)
      for (int from = 0; from < n; ++from)
        if (contains(neededBy[from], via))
          addAll(neededBy[from], neededBy[via]);
    for (int from = 0; from < n; ++from) {
      add(members[from], from);
      for (int to = 0; to < n; ++to)
        if (contains(neededBy[from], to))
          add(needs[to], from);
    }
    std::vector<RowMask> units(n, 0);
    for (int node = 0; node < n; ++node)
      for (const Reservation &use : graph[node].reservations)
        units[node] |= use.rows;
    std::vector<int> group(n); // the first member of each one's group
    std::iota(group.begin(), group.end(), 0);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < a; ++b) {
        if (group[a] != a || group[b] != b || !units[a] || units[a] != units[b])
          continue;
        bool ordered = false;
        for (int w = 0; w < words; ++w)
          ordered |= (members[a][w] & (neededBy[b][w] | needs[b][w])) != 0;
        if (ordered)
          continue;
        for (int x = 0; x < n; ++x)
          if (contains(members[a], x))
            group[x] = b;
        addAll(members[b], members[a]);
        addAll(neededBy[b], neededBy[a]);
        addAll(needs[b], needs[a]);
      }
    std::vector<std::vector<int>> groups;
    for (int node : byPriority()) {
      auto known = std::find_if(groups.begin(), groups.end(), [&](auto &g) { return group[g[0]] == group[node]; });
      if (known != groups.end())
        known->push_back(node);
      else
        groups.push_back({node});
    }
    return groups;
  }

  /// RETRY and COST.
  bool withEviction(bool &outOfBudget) {
    std::vector<int> order = byPriority();
    // What an eviction costs grows with the loop, too; long loops that find their seats take few.
    constexpr int64_t few = 128, ratioOfRest = 2;
    int64_t budget = options.budgetRatio * std::min<int64_t>(graph.size(), few) +
                     std::min<int64_t>(options.budgetRatio, ratioOfRest) * std::max<int64_t>(0, graph.size() - few);
    rank.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i)
      rank[order[i]] = int(i);
    // Everything before `firstRank` has a seat.
    for (firstRank = 0;;) {
      while (firstRank < graph.size() && cycle[order[firstRank]] != kNowhere)
        ++firstRank;
      if (firstRank == graph.size())
        return true;
      int node = order[firstRank];
      if (budget-- <= 0) {
        outOfBudget = true;
        return false;
      }
      int64_t from = earliest(node), to = from + interval - 1;
      int64_t at = findSeat(node, from, arm == Arm::Cost ? std::min(to, std::max(from, latest(node))) : to);
      if (at == kNowhere)
        at = previous[node] == kNowhere || from > previous[node] ? from : previous[node] + 1;
      if (!force(node, at))
        return false;
    }
  }

  /// Gives the operation its seat; whoever is in the way loses his.
  bool force(int node, int64_t at) {
    if (!empty.isFree(graph[node], at))
      return false; // it is in its own way
    auto giveWay = [&](int other, bool inTheWay) {
      if (inTheWay && other != node && cycle[other] != kNowhere)
        unseat(other);
    };
    for (int number : graph.edgesFrom(node)) {
      const Edge &edge = graph.edge(number);
      giveWay(edge.to, cycle[edge.to] < at + edge.latency - int64_t(interval) * edge.distance);
    }
    for (int number : graph.edgesTo(node)) {
      const Edge &edge = graph.edge(number);
      giveWay(edge.from, at < cycle[edge.from] + edge.latency - int64_t(interval) * edge.distance);
    }
    // Where the units are free, nobody has them.
    if (!table.isFree(graph[node], at))
      for (int other = 0; other < graph.size(); ++other)
        giveWay(other, cycle[other] != kNowhere &&
                           ReservationTable::collide(graph[node], at, graph[other], cycle[other], interval));
    // What still refuses is depth, the stage of a group, or a pool that several fill together: the last in order of
    // priority gives way.
    for (Gate gate = ask(node, at); gate != Gate::None; gate = ask(node, at)) {
      note(node, at, gate);
      int victim = -1;
      for (int other = 0; other < graph.size(); ++other)
        if (cycle[other] != kNowhere && concerns(node, other, gate) && (victim < 0 || height[other] <= height[victim]))
          victim = other;
      if (victim < 0)
        return false;
      unseat(victim);
    }
    seat(node, at);
    return true;
  }
  bool concerns(int node, int other, Gate gate) const {
    if (gate == Gate::Leader)
      return leader[other] == leader[node];
    if (gate == Gate::Unit)
      return !graph[other].pools.empty();
    for (int number : graph.edgesFrom(node))
      if (graph.edge(number).to == other)
        return true;
    for (int number : graph.edgesTo(node))
      if (graph.edge(number).from == other)
        return true;
    return false;
  }

  const DependenceGraph &graph;
  const SchedulerOptions &options;
  const int interval;
  const Arm arm;
  const std::vector<int64_t> &release, &height;
  ReservationTable table, empty;
  std::vector<int64_t> cycle, previous;
  std::vector<int> places;         ///< cycles within the interval; -1: no seat yet
  std::vector<int> before, behind; ///< see sortPlaces
  std::vector<int> depth, leader;
  std::vector<int> rank; ///< where operations stand in the order of priority, for withEviction
  int firstRank = 0;
};

/// All arms at one interval, with rounds in which violated constraints say when operations may start.
std::optional<Schedule> tryInterval(const DependenceGraph &graph, const SchedulerOptions &options, int interval,
                                    bool best, bool &outOfBudget) {
  std::vector<int64_t> height = graph.heights(interval), release(graph.size(), 0);
  std::optional<Schedule> found;
  Cost cost;
  for (Arm arm : {Arm::Permute, Arm::Fuse, Arm::Retry, Arm::Cost}) {
    std::fill(release.begin(), release.end(), 0);
    for (int round = 0; round < std::max(1, options.maxConstraintIterations); ++round) {
      std::optional<Schedule> schedule = Placement(graph, options, interval, arm, release, height).run(outOfBudget);
      if (!schedule)
        break;
      // Groups that must share a stage start with the last of them.
      bool again = false;
      for (const Constraint &constraint : options.constraints) {
        if (constraint.family != ConstraintFamily::SameDepth)
          continue;
        int last = 0;
        for (int node : constraint.nodes)
          last = std::max(last, schedule->stage[node]);
        for (int node : constraint.nodes)
          if (schedule->stage[node] < last) {
            release[node] = std::max<int64_t>(release[node], int64_t(last) * interval);
            again = true;
          }
      }
      if (again) {
        outOfBudget |= round + 1 == std::max(1, options.maxConstraintIterations);
        continue;
      }
      if (best)
        improve(graph, options.constraints, options.caps, *schedule);
      if (!verify(graph, *schedule, options.constraints, options.caps).empty())
        break;
      Cost its = costOf(graph, *schedule, options.caps);
      if (!found || its < cost) {
        found = std::move(schedule);
        cost = its;
      }
      break;
    }
    if (found && !best)
      break;
  }
  return found;
}

} // namespace

Kind resolveKind(const DependenceGraph &graph, const SchedulerOptions &options) {
  Kind kind = options.kind;
  if (kind == Kind::Default)
    kind = costsFor(options.computeCapability).tensorCopies ? Kind::CostBased : Kind::Serial;
  if (kind == Kind::None)
    return kind;
  bool forced = options.forceSerial || std::any_of(options.constraints.begin(), options.constraints.end(), [](auto &c) {
                  return c.family == ConstraintFamily::ForceSerialExecution;
                });
  if (forced || graph.size() < options.serialThreshold || !graph.hasAsync())
    return Kind::Serial;
  return kind;
}

Result findSchedule(const DependenceGraph &given, const SchedulerOptions &original) {
  if (std::string error = given.verify(); !error.empty())
    return {std::nullopt, error};
  SchedulerOptions options = original;
  options.kind = resolveKind(given, original);
  Schedule none;
  if (options.kind == Kind::None)
    return {none, ""};
  DependenceGraph graph = given;
  for (const Constraint &constraint : options.constraints)
    if (constraint.family == ConstraintFamily::Structural)
      for (size_t i = 1; i < constraint.nodes.size(); ++i) {
        if (constraint.nodes[i - 1] >= constraint.nodes[i])
          return {std::nullopt, "a structural constraint contradicts the order of the program"};
        graph.connect(constraint.nodes[i - 1], constraint.nodes[i], 0, 0, EdgeKind::Structural);
      }
  bool large = graph.size() > options.rrtSizeThreshold;
  Schedule serial = serialSchedule(graph, !large);
  if (options.kind == Kind::Serial || large || graph.size() == 0) {
    std::string error = verify(graph, serial, options.constraints, options.caps);
    serial.converged = error.empty();
    return error.empty() ? Result{serial, ""} : Result{std::nullopt, error};
  }
  int bound = graph.minimumInterval(), cap = std::max(serial.interval, bound);
  bool fast = options.kind == Kind::Fast, exceeded = false;
  SchedulerOptions first = options; // looking for the interval, the first schedule will do
  auto attempt = [&](int interval) { return tryInterval(graph, first, interval, /*best=*/false, exceeded); };
  std::optional<Schedule> found;
  int interval = bound, failed = bound - 1;
  // One after the other as long as that is cheap: an attempt takes time as the square of the operations.
  int closely = std::min(64, std::max(8, 4096 / graph.size()));
  for (int step = 1; interval <= cap;) {
    if ((found = attempt(interval)))
      break;
    failed = interval;
    if (interval - bound >= closely)
      step *= 2;
    if (interval == cap)
      break;
    interval = std::min(cap, interval + step);
  }
  if (found)
    for (int low = failed + 1, high = interval; low < high;) {
      int middle = low + (high - low) / 2;
      if (std::optional<Schedule> shorter = attempt(middle)) {
        found = shorter;
        high = interval = middle;
      } else {
        low = middle + 1;
      }
    }
  if (!found) {
    // One iteration after the other is always possible, unless constraints or memory forbid it.
    if (std::string error = verify(graph, serial, options.constraints, options.caps); !error.empty())
      return {std::nullopt, error};
    found = serial;
  } else if (!fast) {
    bool ignored = false;
    options.trace = nullptr;
    if (std::optional<Schedule> better = tryInterval(graph, options, interval, /*best=*/true, ignored))
      found = better;
  }
  found->kind = options.kind;
  found->minimumInterval = bound;
  found->budgetExceeded = exceeded;
  return {found, ""};
}

} // namespace tileiras::schedule
