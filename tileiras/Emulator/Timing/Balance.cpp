//===- Balance.cpp - Clusters that take different times ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Balance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>

using namespace tileiras::emu;
using namespace tileiras::emu::timing;

/// Times that are as good as equal.
static bool alike(double a, double b) { return std::fabs(a - b) <= 0.03 * std::max(a, b); }

uint64_t GridTimes::coordinate(uint64_t cluster, int axis) const {
  switch (axis) {
  case 0:
    return cluster % grid.x;
  case 1:
    return cluster / grid.x % grid.y;
  case 2:
    return cluster / (uint64_t(grid.x) * grid.y);
  default:
    return cluster;
  }
}

bool GridTimes::has(uint64_t cluster) const {
  return std::any_of(samples.begin(), samples.end(), [&](const Sample &s) { return s.cluster == cluster; });
}

bool GridTimes::works(uint64_t cluster) const {
  return working.empty() || std::binary_search(working.begin(), working.end(), cluster);
}

bool GridTimes::differ() const {
  auto [least, most] = std::minmax_element(samples.begin(), samples.end(),
                                           [](const Sample &a, const Sample &b) { return a.clocks < b.clocks; });
  return !samples.empty() && !alike(least->clocks, most->clocks);
}

static std::array<uint64_t, 3> stridesOf(const Dim3 &grid) { return {1, grid.x, uint64_t(grid.x) * grid.y}; }

std::vector<uint64_t> GridTimes::corners() const {
  std::vector<uint64_t> list;
  const uint32_t sizes[3] = {grid.x, grid.y, grid.z};
  if (!has(0) && works(0))
    list.push_back(0);
  for (unsigned a = 0; a != 3; ++a)
    if (const uint64_t corner = stridesOf(grid)[a] * (sizes[a] - 1); corner && !has(corner) && works(corner))
      list.push_back(corner);
  return list;
}

std::vector<uint64_t> GridTimes::along(unsigned points) {
  auto timeOf = [&](uint64_t cluster) {
    auto it = std::find_if(samples.begin(), samples.end(), [&](const Sample &s) { return s.cluster == cluster; });
    return it == samples.end() ? 0.0 : it->clocks;
  };
  const uint32_t sizes[3] = {grid.x, grid.y, grid.z};
  const std::array<uint64_t, 3> strides = stridesOf(grid);
  unsigned matter = 0;
  axis = -1;
  // An end of an axis where nothing works says nothing about it.
  for (unsigned a = 0; a != 3; ++a)
    if (!works(0) || !works(strides[a] * (sizes[a] - 1)))
      return {};
  for (unsigned a = 0; a != 3; ++a)
    if (sizes[a] > 1 && !alike(timeOf(0), timeOf(strides[a] * (sizes[a] - 1)))) {
      ++matter;
      axis = int(a);
    }
  if (matter != 1)
    axis = -1;
  // The others must not contradict it.
  std::map<uint64_t, double> by;
  for (const Sample &s : samples) {
    auto [it, isNew] = by.try_emplace(coordinate(s.cluster, axis), s.clocks);
    if (!isNew && !alike(it->second, s.clocks))
      axis = -1;
  }
  std::vector<uint64_t> list;
  if (axis < 0)
    return list;
  for (unsigned k = 1; k + 1 < points; ++k) {
    const uint64_t place = uint64_t(k) * (sizes[axis] - 1) / (points - 1), cluster = place * strides[size_t(axis)];
    if (!by.count(place) && works(cluster) && std::find(list.begin(), list.end(), cluster) == list.end())
      list.push_back(cluster);
  }
  return list;
}

double GridTimes::at(uint64_t cluster) const { return works(cluster) ? between(cluster, &Sample::clocks) : leaving; }

std::map<uint64_t, double> GridTimes::flopsOfSamples() const {
  std::map<uint64_t, double> known;
  for (const Sample &s : samples) {
    if (working.empty()) {
      known[s.cluster] = s.flops;
      continue;
    }
    auto next = std::lower_bound(working.begin(), working.end(), s.cluster);
    if (next != working.end() && *next == s.cluster)
      known[uint64_t(next - working.begin())] = s.flops;
    else
      known.try_emplace(uint64_t(next - working.begin()) - (next == working.end()), s.flops);
  }
  return known;
}

double GridTimes::between(uint64_t cluster, double Sample::*what) const {
  const uint64_t place = coordinate(cluster, axis);
  const Sample *below = nullptr, *above = nullptr;
  for (const Sample &s : samples) {
    const uint64_t c = coordinate(s.cluster, axis);
    if (c <= place && (!below || c > coordinate(below->cluster, axis)))
      below = &s;
    if (c >= place && (!above || c < coordinate(above->cluster, axis)))
      above = &s;
  }
  if (!below || !above)
    return below ? below->*what : above ? above->*what : 0;
  const double from = double(coordinate(below->cluster, axis)), to = double(coordinate(above->cluster, axis));
  return to > from ? below->*what + (above->*what - below->*what) * (double(place) - from) / (to - from) : below->*what;
}

size_t GridTimes::nearest(uint64_t cluster) const {
  const double clocks = at(cluster);
  size_t best = 0;
  for (size_t k = 1; k < samples.size(); ++k)
    if (std::fabs(samples[k].clocks - clocks) < std::fabs(samples[best].clocks - clocks))
      best = k;
  return best;
}

namespace {
/// Slots that take one cluster after another.
struct Slots {
  struct Slot {
    double free;
    uint64_t number;
    bool operator>(const Slot &o) const { return free != o.free ? free > o.free : number > o.number; }
  };
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> slots;
  double last = 0; ///< when everything is done

  explicit Slots(uint64_t count) {
    for (uint64_t k = 0; k != count; ++k)
      slots.push({0, k});
  }
  /// Takes the slot that is free first.
  Slot take(double clocks) {
    Slot s = slots.top();
    slots.pop();
    s.free += clocks;
    last = std::max(last, s.free);
    slots.push(s);
    return s;
  }
};
} // namespace

std::vector<uint64_t> tileiras::emu::timing::slowestShare(const GridTimes &times, uint64_t clusters, uint64_t groups,
                                                          uint32_t resident, double *late) {
  Slots grid(std::min(clusters, groups * resident));
  std::vector<uint64_t> slotOf(clusters);
  double last = 0;
  uint64_t slowest = 0;
  for (uint64_t k = 0; k != clusters; ++k) {
    const Slots::Slot s = grid.take(times.at(k));
    slotOf[k] = s.number;
    if (times.works(k) && s.free > last) {
      last = s.free;
      slowest = s.number;
    }
  }
  std::vector<uint64_t> share;
  Slots alone(resident);
  for (uint64_t k = 0; k != clusters; ++k)
    if (slotOf[k] % groups == slowest % groups && times.works(k)) {
      share.push_back(k);
      alone.take(times.at(k));
    }
  if (late)
    *late = grid.last - alone.last;
  return share;
}

double tileiras::emu::timing::sumOfSteps(std::map<uint64_t, double> known, uint64_t count, unsigned most,
                                         const std::function<double(uint64_t)> &ask) {
  if (known.empty() || !count)
    return 0;
  for (unsigned asked = 0;; ++asked) {
    // Outside of what is known it is as at the ends; between two that differ, the mean of both.
    double sum = known.begin()->second * double(known.begin()->first) +
                 known.rbegin()->second * double(count - 1 - known.rbegin()->first);
    double unsure = 0, worst = 0;
    uint64_t middle = 0;
    for (auto it = known.begin(); it != known.end(); ++it) {
      sum += it->second;
      auto next = std::next(it);
      if (next == known.end())
        break;
      const double inside = double(next->first - it->first - 1);
      const double mean = (it->second + next->second) / 2, off = inside * std::fabs(next->second - it->second) / 2;
      sum += inside * mean;
      unsure += off;
      if (off > worst)
        worst = off, middle = (it->first + next->first) / 2;
    }
    if (unsure <= 0.003 * sum || asked == most)
      return sum;
    known[middle] = ask(middle);
  }
}

std::vector<uint64_t> tileiras::emu::timing::someOf(const GridTimes &times, const std::vector<uint64_t> &clusters,
                                                    uint64_t wanted) {
  if (wanted >= clusters.size())
    return clusters;
  std::vector<std::pair<double, uint64_t>> byTime;
  for (uint64_t c : clusters)
    byTime.push_back({times.at(c), c});
  std::sort(byTime.begin(), byTime.end());
  std::vector<uint64_t> some;
  for (uint64_t k = 0; k != wanted; ++k)
    some.push_back(byTime[(2 * k + 1) * byTime.size() / (2 * wanted)].second);
  std::sort(some.begin(), some.end());
  return some;
}
