//===- Predict.h - How long a launch would take -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   PredictOptions options;
//   options.machine = "h200";
//   Prediction p = predict(module, memory, config, options);
//   if (p.ok) puts(p.text().c_str()); else puts(p.error.c_str());
//
// A few clusters of the grid are run by the functional engine; their traces are replayed on the machine's model; the
// rest of the grid is extrapolated (docs/timing.md states the rules). The sampled blocks do run, so memory changes as
// they change it.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_PREDICT_H
#define TILEIRAS_EMULATOR_TIMING_PREDICT_H

#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Timing/Engine.h"

#include <string>
#include <vector>

namespace tileiras::emu::timing {

/// What L2 holds when the kernel starts.
enum class L2State {
  Cold,  ///< what others wrote: it has to leave before anything else can stay
  Warm,  ///< the arrays of this launch, if they fit
  Empty, ///< nothing, as after the cache control of a profiler: results that fit stay there
};

struct PredictOptions {
  std::string machine = "h200"; ///< a name, or a file *.gpu
  unsigned samples = 4;         ///< clusters run at most, spread over the grid
  double clockMhz = 0;          ///< instead of the clock model
  L2State l2 = L2State::Cold;
  bool useAssembler = true; ///< ask ptxas for registers and machine instructions, where there is one
  std::string ptx;          ///< the module's text, for that
  bool timeline = false;
  uint64_t maxWork = 30'000'000; ///< instructions replayed, about
  double limiterWork = 400'000;  ///< the same for each thing that may be the limiter
};

struct UnitUse {
  std::string name;
  double share = 0; ///< of the kernel's cycles
};

/// How much of the kernel's time hangs on a unit or a latency (Limiter.h).
struct Dependence {
  std::string name;
  double points = 0; ///< 100: the kernel is slower by as much as it is; 0: it does not matter
  bool isUnit = false;
};

struct StallRow {
  std::string role; ///< "warps 0-3"
  std::array<double, NumStalls> share{};
};

struct StallLine {
  uint32_t line = 0, sourceLine = 0;
  std::string ptx, sourceFile;
  uint64_t executed = 0;
  double clocks = 0; ///< issue and stalls of all warps
  std::array<double, NumStalls> byReason{};
};

struct Prediction {
  bool ok = false;
  std::string error;

  std::string machine, kernel;
  double cycles = 0; ///< from the first block's start to the last one's end
  double clockMhz = 0;
  std::string clockReason;
  double launchSeconds = 0;
  double seconds = 0; ///< cycles at that clock and the launch
  double flops = 0;   ///< of matrix instructions, or of fma where there are none
  bool matrixFlops = false;
  double tflops = 0, peakTflops = 0;
  double l2Bytes = 0, dramBytes = 0, gbs = 0, peakGbs = 0;
  unsigned bits = 16;
  double errorPercent = 0; ///< expected, of `cycles`
  double timeErrorPercent = 0;
  std::vector<std::string> errorReasons;

  std::vector<UnitUse> units;          ///< busiest first
  std::vector<Dependence> dependences; ///< most first
  std::string limiter, second;
  double slackPercent = 0; ///< points between the two
  std::vector<StallRow> stalls;
  std::vector<StallLine> lines; ///< most clocks first

  uint32_t registers = 0, spillBytes = 0;
  bool registersExact = false;
  bool machineCode = false; ///< issue slots are the assembler's
  uint32_t blocksPerSm = 0;
  std::string occupancyLimit;
  uint64_t clusters = 0, simulatedClusters = 0, replayedClusters = 0;
  double waves = 0;
  std::string extrapolation; ///< the rule that was applied
  std::vector<std::string> unmodelled;
  double missRatio = 0, footprint = 0;

  struct TimelineEvent {
    uint64_t process, track;
    double begin, end;
    std::string name, category;
    uint32_t line = 0;
  };
  std::vector<TimelineEvent> timeline;

  /// The report for a terminal.
  std::string text() const;
  /// One page without further files: roofline, units, stacked stalls, lines.
  std::string html() const;
  /// Trace events in model cycles (Perfetto, chrome://tracing).
  std::string trace() const;
  /// {"cycles": ...}: everything but the timeline.
  std::string json() const;
};

Prediction predict(const Module &module, Memory &memory, const LaunchConfig &config, const PredictOptions &options);

/// Roles: warps of a block that go through the same blocks of code, and what they wait for.
std::vector<StallRow> rolesOf(const Engine &engine, const ClusterTrace &trace);

/// Two predictions side by side, and which is faster by how much, with a word on the error bars.
std::string compareText(const Prediction &a, const std::string &nameA, const Prediction &b, const std::string &nameB);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_PREDICT_H
