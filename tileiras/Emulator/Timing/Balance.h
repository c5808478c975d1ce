//===- Balance.h - Clusters that take different times -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How long each cluster of a grid takes, by those of it that were run, and which of them an SM gets that is done last.
// The rules are those of "The grid" in docs/timing.md.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_BALANCE_H
#define TILEIRAS_EMULATOR_TIMING_BALANCE_H

#include "tileiras/Emulator/Machine/Launch.h"

#include <array>
#include <functional>
#include <map>
#include <vector>

namespace tileiras::emu::timing {

/// The times of a grid of clusters.
class GridTimes {
public:
  explicit GridTimes(Dim3 clusters) : grid(clusters) {}
  /// `flops`: of its matrix products.
  void add(uint64_t cluster, double clocks, double flops = 0) { samples.push_back({cluster, clocks, flops}); }
  /// All but these, which are in order, leave at once and hold their slot for so long. Samples are of these.
  void onlyWorking(std::vector<uint64_t> clusters, double others) { working = std::move(clusters), leaving = others; }
  bool works(uint64_t cluster) const;

  /// Clusters that tell along which axis of the grid the time differs.
  std::vector<uint64_t> corners() const;
  /// After those: finds that axis. The clusters to run for `points` times along it.
  std::vector<uint64_t> along(unsigned points);
  /// After those: what the others take lies between what their neighbours along the axis take.
  double at(uint64_t cluster) const;
  /// The same of its products; none of those that leave.
  double flopsAt(uint64_t cluster) const { return works(cluster) ? between(cluster, &Sample::flops) : 0; }
  /// What the samples' products are, by place among the clusters that work: a sample that is not in that list stands at
  /// the place next to it, unless another one is there.
  std::map<uint64_t, double> flopsOfSamples() const;
  /// The sample that takes most nearly as long as the cluster.
  size_t nearest(uint64_t cluster) const;
  double ofSample(size_t number) const { return samples[number].clocks; }
  bool differ() const;

private:
  uint64_t coordinate(uint64_t cluster, int axis) const;
  bool has(uint64_t cluster) const;

  struct Sample {
    uint64_t cluster = 0;
    double clocks = 0, flops = 0;
  };
  double between(uint64_t cluster, double Sample::*what) const;
  Dim3 grid;
  std::vector<Sample> samples;
  std::vector<uint64_t> working; ///< empty: all
  double leaving = 0;
  int axis = -1; ///< -1: none alone, the place in the grid's order
};

/// Clusters go to `groups` SMs (or as many as a cluster has blocks) of `resident` slots each, in the order of the grid,
/// each to the slot that is free first: those of the SM that is done last, in order. Those that leave at once take
/// slots and are not in the list; `late`: by how much the grid lasts longer than the list takes there by itself.
std::vector<uint64_t> slowestShare(const GridTimes &times, uint64_t clusters, uint64_t groups, uint32_t resident,
                                   double *late = nullptr);

/// The sum over clusters 0 to count - 1, of which some are `known`. Where two neighbours differ, it changes somewhere
/// in between, all at once (persistent blocks, of which the first have a tile more): the cluster in the middle of those
/// that may matter most is asked, until they matter for less than three in a thousand, or `most` have been asked.
double sumOfSteps(std::map<uint64_t, double> known, uint64_t count, unsigned most,
                  const std::function<double(uint64_t)> &ask);

/// `wanted` of the clusters, in order, with as many long and short ones as all of them have.
std::vector<uint64_t> someOf(const GridTimes &times, const std::vector<uint64_t> &clusters, uint64_t wanted);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_BALANCE_H
