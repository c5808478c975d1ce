//===- Launch.cpp - Running PTX kernels on the CPU --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"

#include "tileiras/Emulator/Machine/Compile.h"
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Occupancy.h"
#include "tileiras/Emulator/PTX/Parser.h"
#include "tileiras/Emulator/PTX/Verifier.h"

#include <algorithm>
#include <thread>

using namespace tileiras::emu;

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

Module::~Module() = default;

static Dim3 toDim(const Extent &e) { return {e.x, e.y, e.z}; }

std::unique_ptr<Module> Module::parse(std::string_view text, std::string fileName, std::vector<Diagnostic> &errors) {
  static std::atomic<uint64_t> counter{0};
  size_t before = errors.size();
  std::unique_ptr<ParsedModule> ast = parsePTX(text, std::move(fileName), errors);
  if (errors.size() != before || !verifyPTX(*ast, errors))
    return nullptr;
  std::unique_ptr<Module> module(new Module());
  module->moduleId = counter++;
  module->targetName = ast->target;
  module->code = compileProgram(std::move(ast), module->moduleId, errors);
  if (errors.size() != before)
    return nullptr;
  for (const FunctionCode &f : module->code->functions) {
    const Function &fn = *f.ast;
    if (!fn.isEntry || !fn.isDefined)
      continue;
    KernelInfo info;
    info.name = fn.name;
    for (const Variable &v : fn.params) {
      info.params.push_back({v.name, typeName(v.type), uint32_t(v.offset), uint32_t(v.size), v.align});
      info.paramBytes = std::max(info.paramBytes, uint32_t(v.offset + v.size));
    }
    info.staticSharedBytes = f.staticShared;
    info.hasReqntid = fn.reqntid.given;
    info.hasMaxntid = fn.maxntid.given;
    info.hasReqnctapercluster = fn.reqnctapercluster.given;
    info.blocksAreClusters = fn.blocksAreClusters;
    info.maxnreg = fn.maxnreg;
    info.minnctapersm = fn.minnctapersm;
    info.reqntid = toDim(fn.reqntid);
    info.maxntid = toDim(fn.maxntid);
    info.reqnctapercluster = toDim(fn.reqnctapercluster);
    module->kernelInfos.push_back(std::move(info));
  }
  return module;
}

const KernelInfo *Module::kernel(std::string_view name) const {
  for (const KernelInfo &k : kernelInfos)
    if (k.name == name)
      return &k;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// launch
//===----------------------------------------------------------------------===//

namespace {

std::string text(const Dim3 &d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}
bool isOne(const Dim3 &d) { return d.x == 1 && d.y == 1 && d.z == 1; }
bool same(const Dim3 &a, const Dim3 &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Fills grid, block, cluster and parameters of the context; an error text if the launch is not possible.
std::string prepare(LaunchContext &context, const LaunchConfig &config, const KernelInfo &kernel) {
  context.grid = config.grid;
  context.block = config.block;
  if (config.grid.count() == 0 || config.block.count() == 0)
    return "grid and block must not be empty";
  if (kernel.hasReqntid) {
    // Front ends of Tile IR launch with a block of one thread; the kernel brings its size along.
    if (isOne(config.block))
      context.block = kernel.reqntid;
    else if (!same(config.block, kernel.reqntid))
      return "the kernel requires a block of " + text(kernel.reqntid) + " threads, not " + text(config.block);
  } else if (kernel.hasMaxntid && config.block.count() > kernel.maxntid.count()) {
    return "the kernel allows at most " + std::to_string(kernel.maxntid.count()) + " threads, not " +
           std::to_string(config.block.count());
  }
  if (context.block.count() > 1024 || context.block.x > 1024 || context.block.y > 1024 || context.block.z > 64)
    return "a block has at most 1024 threads (1024 x 1024 x 64), not " + text(context.block);
  context.cluster = config.cluster;
  context.explicitCluster = kernel.hasReqnctapercluster || !isOne(config.cluster);
  if (kernel.hasReqnctapercluster) {
    if (!isOne(config.cluster) && !same(config.cluster, kernel.reqnctapercluster))
      return "the kernel requires a cluster of " + text(kernel.reqnctapercluster) + ", not " + text(config.cluster);
    context.cluster = kernel.reqnctapercluster;
  }
  Dim3 &c = context.cluster;
  if (c.count() == 0 || c.count() > 16)
    return "a cluster has 1 to 16 blocks, not " + std::to_string(c.count());
  if (kernel.blocksAreClusters) {
    if (!kernel.hasReqntid || !kernel.hasReqnctapercluster)
      return ".blocksareclusters needs .reqntid and .reqnctapercluster";
    // The grid counts clusters.
    context.grid = {config.grid.x * c.x, config.grid.y * c.y, config.grid.z * c.z};
  }
  if (context.grid.x % c.x || context.grid.y % c.y || context.grid.z % c.z)
    return "the grid " + text(context.grid) + " is not a multiple of the cluster " + text(c);
  // Dynamic shared memory follows the static part.
  context.dynamicShared = config.dynamicSharedBytes;
  context.sharedBytes = config.dynamicSharedBytes ? context.kernel->dynamicStart + config.dynamicSharedBytes
                                                  : context.kernel->staticShared;
  const std::string &device = config.options.device.empty() ? context.module->target() : config.options.device;
  if (context.sharedBytes > sharedBytesPerBlock(device))
    return "the block needs " + std::to_string(context.sharedBytes) + " bytes of shared memory; " +
           std::to_string(sharedBytesPerBlock(device)) + " is the most that " + device + " has";
  context.params.assign(kernel.paramBytes, 0);
  if (!config.packedParams.empty()) {
    if (config.packedParams.size() != kernel.paramBytes)
      return "the kernel has " + std::to_string(kernel.paramBytes) + " parameter bytes, not " +
             std::to_string(config.packedParams.size());
    context.params = config.packedParams;
    return "";
  }
  const auto &args = config.args.list();
  if (args.size() != kernel.params.size())
    return "the kernel has " + std::to_string(kernel.params.size()) + " parameters, not " + std::to_string(args.size());
  for (size_t i = 0; i != args.size(); ++i) {
    const KernelParam &p = kernel.params[i];
    if (args[i].size() != p.size)
      return "parameter " + std::to_string(i) + " ('" + p.name + "') has " + std::to_string(p.size) + " bytes, not " +
             std::to_string(args[i].size());
    std::memcpy(&context.params[p.offset], args[i].data(), p.size);
  }
  return "";
}

/// Registers per thread at the start, which setmaxnreg changes: .maxnreg, or what launch bounds leave room for; 0:
/// unknown. The file has 65536, given out in eights.
uint32_t registersAtLaunch(const KernelInfo &kernel, bool &exact) {
  exact = kernel.maxnreg != 0;
  if (exact)
    return (kernel.maxnreg + 7) / 8 * 8;
  if (!kernel.hasReqntid && !kernel.hasMaxntid)
    return 0;
  const uint64_t threads =
      (kernel.hasReqntid ? kernel.reqntid : kernel.maxntid).count() * std::max(1u, kernel.minnctapersm);
  return threads ? uint32_t(std::min<uint64_t>(256, 65536 / threads / 8 * 8)) : 0;
}

/// What the caller says, else what the best-known device of the target has.
unsigned multiprocessorsOf(const Occupancy &occupancy, unsigned wanted) {
  const SmLimits *limits = limitsOf(occupancy.target);
  return wanted ? wanted : limits && limits->multiprocessors ? limits->multiprocessors : 132;
}

/// Clusters that the device would hold at the same time.
uint64_t residentClusters(const Occupancy &occupancy, unsigned multiprocessors, uint64_t blocksOfCluster) {
  uint64_t blocks = occupancy.targetKnown ? std::max<uint64_t>(1, occupancy.blocks) : 32;
  return std::max<uint64_t>(1, multiprocessors * blocks / blocksOfCluster);
}

} // namespace

LaunchResult tileiras::emu::launch(const Module &module, Memory &memory, const LaunchConfig &config) {
  LaunchResult result;
  auto refuse = [&](std::string why) {
    Report r;
    r.kind = ReportKind::Launch;
    r.message = std::move(why);
    r.kernel = config.kernel;
    result.reports.push_back(std::move(r));
    return result;
  };
  const KernelInfo *kernel =
      config.kernel.empty() && module.kernels().size() == 1 ? &module.kernels().front() : module.kernel(config.kernel);
  if (!kernel)
    return refuse(config.kernel.empty() ? "the module does not have exactly one kernel, so a name is needed"
                                        : "the module has no kernel '" + config.kernel + "'");
  LaunchContext context;
  context.module = &module;
  context.program = &module.program();
  context.memory = &memory;
  context.options = &config.options;
  for (const FunctionCode &f : context.program->functions)
    if (f.ast->name == kernel->name)
      context.kernel = &f;
  std::string error = prepare(context, config, *kernel);
  if (error.empty())
    context.registers = registersAtLaunch(*kernel, context.registersExact);
  if (error.empty())
    memory.load(module, error);
  if (!error.empty())
    return refuse("kernel '" + kernel->name + "': " + error);

  for (const CallAux &call : context.program->callAux)
    if (usesHeap(call.builtin)) {
      context.heap = &memory.heap();
      context.heap->open();
      break;
    }

  uint64_t total = context.grid.count() / context.cluster.count();
  if (config.firstClusters)
    total = std::min(total, config.firstClusters);
  if (!config.onlyClusters.empty()) {
    for (uint64_t index : config.onlyClusters)
      if (index >= total)
        return refuse("kernel '" + kernel->name + "': the grid has no cluster " + std::to_string(index));
    context.only = &config.onlyClusters;
    total = config.onlyClusters.size();
  }
  context.clusters = total;
  unsigned threads = config.options.hostThreads ? config.options.hostThreads : std::thread::hardware_concurrency();
  threads = unsigned(std::min<uint64_t>(std::max(threads, 1u), total));
  if (config.options.checkRaces)
    threads = 1; // the race checker sees all blocks
  Occupancy occupancy =
      occupancyOf(module, *kernel, uint32_t(context.block.count()), context.sharedBytes, config.options.device);
  context.multiprocessors = multiprocessorsOf(occupancy, config.options.multiprocessors);
  context.residentLimit = residentClusters(occupancy, context.multiprocessors, context.cluster.count());
  if (config.cooperative && total > context.residentLimit)
    return refuse("kernel '" + kernel->name + "': a cooperative launch of " + std::to_string(total) +
                  (context.cluster.count() > 1 ? " clusters" : " blocks") + ", but the device holds " +
                  std::to_string(context.residentLimit) + " at a time");
  if (config.cooperative) {
    const uint32_t words[2] = {sizeof words, 0};
    context.workspace = memory.allocate(sizeof words, "grid workspace");
    memory.copyIn(context.workspace, words, sizeof words);
  }
  threads = unsigned(std::min<uint64_t>(threads, context.residentLimit));
  context.runners = threads;
  std::mutex progressMutex, statsMutex;
  auto work = [&] {
    Runner runner(context);
    runner.run([&] {
      uint64_t finished = ++context.done;
      if (config.options.progress) {
        std::lock_guard<std::mutex> lock(progressMutex);
        config.options.progress(finished, total);
      }
    });
    Stats stats = runner.takeStats();
    std::lock_guard<std::mutex> lock(statsMutex);
    result.stats += stats;
  };
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &t : pool)
    t.join();
  if (context.workspace)
    memory.free(context.workspace);
  result.stats.occupancy = occupancy.str();
  result.stats.utilisation = utilisationOf(module, result.stats);
  result.reports = std::move(context.reports);
  result.suppressed = context.suppressed;
  std::stable_sort(result.reports.begin(), result.reports.end(), [](const Report &a, const Report &b) {
    auto key = [](const Report &r) { return std::make_tuple(r.block.z, r.block.y, r.block.x, r.line, r.column); };
    return key(a) < key(b);
  });
  result.ok = result.reports.empty() && context.done == total;
  return result;
}
