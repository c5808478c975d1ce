//===- Launch.h - Running PTX kernels on the CPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The emulator's front door. It takes PTX text from anyone (this compiler, nvcc, Triton), needs no GPU and no CUDA,
// and knows no MLIR.
//
//   std::vector<Diagnostic> errors;
//   std::unique_ptr<Module> module = Module::parse(ptxText, "kernel.ptx", errors);
//   if (!module) ... every Diagnostic::str() is `file:line:col: error: ...`
//
//   Memory memory;
//   uint64_t x = memory.allocate(n * 4, "x");
//   memory.copyIn(x, host.data(), n * 4);
//
//   LaunchConfig config;
//   config.kernel = "saxpy";
//   config.grid = {blocks};
//   config.block = {256};                        // or leave {1,1,1} when the kernel has .reqntid
//   config.args.add(x).add(2.0f).add(uint32_t(n));
//   LaunchResult result = launch(*module, memory, config);
//   if (!result.ok) ... for (Report &r : result.reports) r.str()
//
// What a run checks is described at LaunchOptions; bounds are always checked. A run never hangs on a barrier that
// cannot complete: that is a report too.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_LAUNCH_H
#define TILEIRAS_EMULATOR_MACHINE_LAUNCH_H

#include "tileiras/Emulator/Check/Report.h"
#include "tileiras/Emulator/Check/Suppressions.h"
#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Memory/Memory.h"
#include "tileiras/Emulator/Machine/Observer.h"
#include "tileiras/Emulator/Machine/Scheduler.h"
#include "tileiras/Emulator/Machine/Stats.h"
#include "tileiras/Emulator/PTX/Diagnostic.h"

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tileiras::emu {

struct Program;

struct KernelParam {
  std::string name;
  std::string type; ///< PTX type without the dot: "u64", "f32", "b8" (byte array)
  uint32_t offset = 0, size = 0, align = 1;
};

/// What the PTX says about one `.entry`.
struct KernelInfo {
  std::string name;
  std::vector<KernelParam> params;
  uint32_t paramBytes = 0;
  uint32_t staticSharedBytes = 0;
  bool hasReqntid = false, hasMaxntid = false, hasReqnctapercluster = false, blocksAreClusters = false;
  Dim3 reqntid, maxntid, reqnctapercluster;
  uint32_t maxnreg = 0, minnctapersm = 0; ///< 0: not given
};

/// A parsed, verified and decoded PTX module. Immutable; one module may be launched from several host threads.
class Module {
public:
  ~Module();
  /// Returns null when there are errors. `fileName` only names the text in diagnostics and reports.
  static std::unique_ptr<Module> parse(std::string_view text, std::string fileName, std::vector<Diagnostic> &errors);

  const std::vector<KernelInfo> &kernels() const { return kernelInfos; }
  const KernelInfo *kernel(std::string_view name) const;
  /// Target of the module, "sm_90a".
  const std::string &target() const { return targetName; }
  uint64_t id() const { return moduleId; }
  const Program &program() const { return *code; }

private:
  Module() = default;
  std::vector<KernelInfo> kernelInfos;
  std::string targetName;
  uint64_t moduleId = 0;
  std::unique_ptr<Program> code;
};

/// Kernel arguments, in order. Values are placed by the kernel's own parameter layout; a wrong count or size is a
/// Launch report, not undefined behaviour.
class Args {
public:
  template <typename T> Args &add(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return addBytes(&value, sizeof(T));
  }
  Args &addBytes(const void *data, size_t size) {
    const uint8_t *bytes = static_cast<const uint8_t *>(data);
    values.emplace_back(bytes, bytes + size);
    return *this;
  }
  void clear() { values.clear(); }
  const std::vector<std::vector<uint8_t>> &list() const { return values; }

private:
  std::vector<std::vector<uint8_t>> values;
};

enum class Rules {
  Isa, ///< what the PTX ISA promises: every wait and fence that it asks for
  /// What today's assemblers and hardware do without: registers wait for their tcgen05.ld, wait::ld or not; order
  /// between threads needs no pair of tcgen05.fence; tensor copies see mbarriers that are initialised and ordered, but
  /// not fenced.
  Hardware
};

struct LaunchOptions {
  /// Uninitialised loads (shared, local, and global allocations made with Init::Uninitialized). Out-of-bounds and
  /// misaligned accesses are checked always.
  bool checkUninitialized = true;
  /// Data races, missing waits and fences (Check/RaceChecker.h). Blocks run on one host thread then.
  bool checkRaces = false;
  /// What counts as missing.
  Rules rules = Rules::Isa;
  /// Rules::Hardware leaves out what is wrong by the letter and written everywhere (Check/Idioms.h); this reports it as
  /// Idiom. Rules::Isa makes no difference: a race is a race.
  bool checkIdioms = false;
  /// Reports that nobody wants to see (Check/Suppressions.h). They are counted, and the run goes on as without.
  std::shared_ptr<const Suppressions> suppressions;
  /// The device ("sm_90"), which says how much shared memory a block may have and how many blocks run at the same
  /// time; empty: what the module was compiled for.
  std::string device;
  /// Multiprocessors of the device; 0: as many as the best-known one of that target has.
  unsigned multiprocessors = 0;
  /// The host or other launches write to memory while this one runs: blocks that only poll may be waiting for them, so
  /// that is no deadlock.
  bool othersChangeMemory = false;
  /// clusterlaunchcontrol.try_cancel always fails, as it may: every cluster does its own work and no other's.
  bool refuseCancels = false;
  /// Sector and bank-conflict statistics of memory instructions; instruction counts are always kept.
  bool memoryStats = true;
  /// When asynchronous operations do their work (Async.h): at the last moment allowed, which shows missing waits; at
  /// the first, which shows buffers that are overwritten too early; or at seeded random moments between.
  AsyncTiming asyncTiming = AsyncTiming::Late;
  /// Order in which the warps of a block run.
  Schedule schedule = Schedule::RoundRobin;
  uint64_t seed = 0; ///< of all random choices: same seed, same run
  /// Each makes an observer (Observer.h); called by every host thread of the launch, once, and once more for each
  /// further cluster that the thread has under way at the same time.
  std::vector<std::function<std::unique_ptr<Observer>()>> observers;
  /// Host threads over which blocks are spread; 0 = one per core. Results of one block never depend on it,
  /// except that it decides which blocks are left for clusterlaunchcontrol.try_cancel.
  unsigned hostThreads = 0;
  /// Warp instructions after which a block is stopped with a Budget report; 0 = no limit.
  uint64_t maxWarpInstructionsPerBlock = 0;
  /// Stop the launch after this many different reports.
  unsigned maxReports = 16;
  /// Receives device printf output and assertion messages, whole calls at a time; default: stdout.
  std::function<void(std::string_view)> print;
  /// Called after blocks finished, from any host thread but never concurrently: (done, total).
  std::function<void(uint64_t, uint64_t)> progress;
};

struct LaunchConfig {
  std::string kernel; ///< may be empty if the module has exactly one kernel
  Dim3 grid, block;
  /// Only so many clusters are run, the first ones; 0: all.
  uint64_t firstClusters = 0;
  /// Only these clusters are run, in this order, if not empty: samples of a large grid.
  std::vector<uint64_t> onlyClusters;
  /// Cluster size given by the launch; {1,1,1} means "what the kernel says".
  Dim3 cluster;
  uint32_t dynamicSharedBytes = 0;
  /// All blocks must run at the same time; the kernel finds a grid barrier (cooperative groups' grid.sync()).
  bool cooperative = false;
  Args args;
  /// Used instead of `args` when not empty: the packed parameter buffer.
  std::vector<uint8_t> packedParams;
  LaunchOptions options;
};

struct LaunchResult {
  bool ok = false; ///< every block ran to its end and there is no report
  std::vector<Report> reports;
  uint64_t suppressed = 0; ///< reports that LaunchOptions::suppressions has swallowed
  Stats stats;
};

/// Runs a kernel to completion.
LaunchResult launch(const Module &module, Memory &memory, const LaunchConfig &config);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_LAUNCH_H
