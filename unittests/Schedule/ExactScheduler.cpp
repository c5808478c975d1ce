//===- ExactScheduler.cpp - The best schedule there is, by exhaustive search ===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactScheduler.h"
#include "tileiras/Schedule/ReservationTable.h"

#include <algorithm>
#include <numeric>

namespace tileiras::schedule {

namespace {

class Search {
public:
  Search(const DependenceGraph &graph, int interval, int64_t steps)
      : graph(graph), n(graph.size()), interval(interval), steps(steps), ways(graph.longestWays(interval)) {
    // What uses the scarcest units first, then what has the most to do with what is already there.
    std::vector<int64_t> work(n, 0);
    for (int node = 0; node < n; ++node)
      for (const Reservation &use : graph[node].reservations)
        work[node] = std::max<int64_t>(work[node], use.length);
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return work[a] > work[b]; });
  }

  enum class Answer { Yes, No, Unknown };
  /// Is there a schedule of at most `stages` stages (0: of any number)?
  Answer find(int stages) {
    if (!ways)
      return Answer::No;
    maxStages = stages;
    offset.assign(n, -1);
    // Row n stands for the start: every operation is in stage 0 or later.
    stage.assign(n + 1, std::vector<int64_t>(n + 1, DependenceGraph::kNoWay));
    for (int i = 0; i <= n; ++i)
      stage[i][i] = 0;
    for (int i = 0; i < n; ++i) {
      stage[n][i] = 0;
      if (stages)
        stage[i][n] = -(stages - 1);
    }
    close();
    left = steps;
    return descend(0);
  }
  std::vector<int> cycles() const { return result; }

private:
  bool close() {
    for (int via = 0; via <= n; ++via)
      for (int a = 0; a <= n; ++a)
        if (stage[a][via] != DependenceGraph::kNoWay)
          for (int b = 0; b <= n; ++b)
            if (stage[via][b] != DependenceGraph::kNoWay)
              stage[a][b] = std::max(stage[a][b], stage[a][via] + stage[via][b]);
    for (int a = 0; a <= n; ++a)
      if (stage[a][a] > 0)
        return false;
    return true;
  }
  /// One more difference; the matrix stays closed.
  bool relate(int a, int b, int64_t least) {
    if (stage[a][b] >= least)
      return true;
    if (stage[b][a] != DependenceGraph::kNoWay && stage[b][a] + least > 0)
      return false;
    for (int x = 0; x <= n; ++x)
      if (stage[x][a] != DependenceGraph::kNoWay)
        for (int y = 0; y <= n; ++y)
          if (stage[b][y] != DependenceGraph::kNoWay)
            stage[x][y] = std::max(stage[x][y], stage[x][a] + least + stage[b][y]);
    return true;
  }
  static int64_t ceilDiv(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -((-a) / b); }

  Answer descend(int depth) {
    if (depth == n) {
      // Operations as early as they can be.
      result.resize(n);
      for (int node = 0; node < n; ++node)
        result[node] = int(stage[n][node] * interval + offset[node]);
      return Answer::Yes;
    }
    int node = order[depth];
    Answer answer = Answer::No;
    // Without a limit on stages, turning a schedule around the interval is a schedule: the first operation stays where
    // it is.
    int choices = depth == 0 && !maxStages ? 1 : interval;
    for (int at = 0; at < choices; ++at) {
      if (--left < 0)
        return Answer::Unknown;
      ReservationTable alone(interval);
      bool fits = alone.isFree(graph[node], at);
      for (int i = 0; fits && i < depth; ++i)
        fits = !ReservationTable::collide(graph[node], at, graph[order[i]], offset[order[i]], interval);
      if (!fits)
        continue;
      std::vector<std::vector<int64_t>> saved = stage;
      offset[node] = at;
      for (int i = 0; fits && i < depth; ++i) {
        int other = order[i];
        if (int64_t way = (*ways)[other][node]; way != DependenceGraph::kNoWay)
          fits = relate(other, node, ceilDiv(way + offset[other] - at, interval));
        if (int64_t way = (*ways)[node][other]; fits && way != DependenceGraph::kNoWay)
          fits = relate(node, other, ceilDiv(way + at - offset[other], interval));
      }
      if (fits) {
        Answer below = descend(depth + 1);
        if (below == Answer::Yes)
          return below;
        if (below == Answer::Unknown)
          answer = Answer::Unknown;
      }
      offset[node] = -1;
      stage = std::move(saved);
      if (left < 0)
        return Answer::Unknown;
    }
    return answer;
  }

  const DependenceGraph &graph;
  const int n, interval;
  const int64_t steps;
  std::optional<std::vector<std::vector<int64_t>>> ways;
  int maxStages = 0;
  int64_t left = 0;
  std::vector<int> order, offset, result;
  std::vector<std::vector<int64_t>> stage;
};

} // namespace

Exact findExact(const DependenceGraph &graph, int64_t steps) {
  Exact exact;
  for (int interval = graph.minimumInterval();; ++interval) {
    Search search(graph, interval, steps);
    Search::Answer answer = search.find(0);
    if (answer == Search::Answer::Unknown)
      exact.intervalIsProven = false;
    if (answer != Search::Answer::Yes)
      continue;
    exact.interval = interval;
    exact.cycle = search.cycles();
    int first = *std::min_element(exact.cycle.begin(), exact.cycle.end()) / interval;
    int last = *std::max_element(exact.cycle.begin(), exact.cycle.end()) / interval;
    exact.stages = last - first + 1;
    for (int stages = 1; stages < exact.stages; ++stages) {
      answer = search.find(stages);
      if (answer == Search::Answer::Unknown)
        exact.stagesAreProven = false;
      if (answer == Search::Answer::Yes) {
        exact.stages = stages;
        exact.cycle = search.cycles();
        break;
      }
    }
    return exact;
  }
}

} // namespace tileiras::schedule
