//===- Device.cpp - The device that programs find ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Device.h"
#include "tileiras/Device/ReportFile.h"

#include "tileiras/Device/Image.h"
#include "tileiras/Device/Options.h"
#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"
#include "tileiras/Emulator/Machine/Occupancy.h"
#include "tileiras/Emulator/Machine/Program.h"
#include "tileiras/Emulator/Machine/Trace.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace tileiras;
using namespace tileiras::device;

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

Device &Device::get() {
  // Never destroyed: programs call the driver until the very end.
  static Device *device = new Device();
  return *device;
}

Device::Device() {
  legacyStream = std::make_unique<Stream>();
  legacyStream->agent = 1;
  std::atexit([] { Device::get().finish(); });
  if (!options().error.empty())
    std::fprintf(stderr, "tileiras: %s\n", options().error.c_str());
}

double tileiras::device::now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

std::vector<Context *> &tileiras::device::contextStack() {
  thread_local std::vector<Context *> stack;
  return stack;
}

CUresult Device::surface() {
  if (pending != CUDA_SUCCESS) {
    sticky = pending;
    pending = CUDA_SUCCESS;
  }
  return sticky;
}

void Device::complain(const char *kind, const std::string &message) {
  ++totals.reports;
  std::string text = std::string("error: [") + kind + "] " + message;
  complain(text);
  recordReport(kind, message, text);
}

void Device::complain(const std::string &message) { std::fprintf(stderr, "tileiras: %s\n", message.c_str()); }

static void writeFile(const std::string &name, const std::string &text) {
  FILE *file = std::fopen(name.c_str(), "w");
  if (!file) {
    std::fprintf(stderr, "tileiras: cannot write '%s'\n", name.c_str());
    return;
  }
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
}

void Device::finish() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  uint64_t reached = 0, lines = 0;
  coverage.totals(reached, lines);
  if (!options().coverage.empty()) {
    writeFile(options().coverage + "/coverage.info", coverage.lcov());
    writeFile(options().coverage + "/coverage.html", coverage.html());
    for (const std::string &place : coverage.unreachedSynchronisation())
      complain("note: no thread reached " + place);
  }
  if (std::string text = times.table(options().time); !text.empty())
    complain(text);
  if (options().summary.empty())
    return;
  FILE *file = std::fopen(options().summary.c_str(), "w");
  if (!file)
    return;
  std::fprintf(file,
               "device %s\nkernels %llu\nblocks %llu\ninstructions %llu\ncopies %llu\nreports %llu\nsuppressed %llu\n"
               "seconds %.3f\nlines %llu\nreached %llu\nerror %s\n",
               options().target.c_str(), static_cast<unsigned long long>(totals.kernels),
               static_cast<unsigned long long>(totals.blocks), static_cast<unsigned long long>(totals.instructions),
               static_cast<unsigned long long>(totals.copies), static_cast<unsigned long long>(totals.reports),
               static_cast<unsigned long long>(totals.suppressed), totals.seconds,
               static_cast<unsigned long long>(lines), static_cast<unsigned long long>(reached),
               resultName(pending != CUDA_SUCCESS ? pending : sticky));
  std::fclose(file);
}

Stream *Device::stream(CUstream handle) {
  if (!handle || handle == LegacyStream || handle == PerThreadStream)
    return legacy();
  auto found = streams.find(handle);
  return found == streams.end() ? nullptr : found->second.get();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static FILE *logFile() {
  static FILE *file = [] {
    const std::string &name = options().log;
    return name.empty() ? nullptr : name == "-" || name == "1" ? stderr : std::fopen(name.c_str(), "w");
  }();
  return file;
}

Call::Call(const char *name, Needs needs) : name(name), lock(Device::get().mutex) {
  Device &device = Device::get();
  if (!options().error.empty())
    result = CUDA_ERROR_NO_DEVICE;
  else if (needs >= Init && !device.initialised)
    result = CUDA_ERROR_NOT_INITIALIZED;
  else if (needs == Work && device.sticky != CUDA_SUCCESS)
    result = device.sticky;
}

Call::~Call() {
  if (FILE *file = logFile()) {
    std::fprintf(file, "%s: %s\n", name, resultName(result));
    std::fflush(file);
  }
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Function *Module::find(const std::string &name) const {
  for (auto &f : functions)
    if (f->info->name == name)
      return f.get();
  return nullptr;
}

Module *Device::load(const void *image, size_t size, CUresult &error, std::string *log) {
  error = CUDA_SUCCESS;
  auto fail = [&](CUresult code, std::string text) {
    error = code;
    complain(text);
    if (log)
      *log = text;
    return nullptr;
  };
  Image found = ptxOfImage(image, options().sm, size);
  if (!found.error.empty())
    return fail(image ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE, found.error);
  std::vector<emu::Diagnostic> diagnostics;
  auto module = std::make_unique<Module>();
  module->code = emu::Module::parse(found.ptx, "module.ptx", diagnostics);
  if (!module->code) {
    std::string text = "the PTX of a module cannot be used:";
    for (size_t k = 0; k != diagnostics.size() && k != 8; ++k)
      text += "\n  " + diagnostics[k].str();
    return fail(CUDA_ERROR_INVALID_PTX, text);
  }
  if (!options().time.empty())
    module->ptx = found.ptx;
  // PTX runs on its target and on later ones; with a suffix on that one alone.
  const std::string &target = module->code->target();
  const unsigned sm = unsigned(std::atoi(target.c_str() + 3));
  if (sm > options().sm || (target.back() == 'a' && sm != options().sm))
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU, "PTX for " + target + " does not run on " + options().target);
  std::string why;
  if (!memory.load(*module->code, why))
    return fail(CUDA_ERROR_INVALID_IMAGE, why);
  auto &program = const_cast<emu::Program &>(module->code->program());
  for (const emu::Variable &v : program.ast->variables)
    if (v.space == emu::Space::Const && v.size)
      module->constants[v.name] = memory.adopt(program.constImage.data() + v.offset, v.size, v.name);
  for (const emu::KernelInfo &info : module->code->kernels()) {
    auto f = std::make_unique<Function>();
    f->module = module.get();
    f->info = &info;
    f->cluster = info.hasReqnctapercluster ? info.reqnctapercluster : emu::Dim3();
    functions.insert(f.get());
    module->functions.push_back(std::move(f));
  }
  Module *result = module.get();
  modules.emplace(result, std::move(module));
  return result;
}

void Device::unload(Module *module) {
  for (auto &f : module->functions)
    functions.erase(f.get());
  for (auto *map : {&module->constants, &module->managed})
    for (auto &[name, address] : *map)
      memory.free(address);
  for (const emu::Variable &v : module->code->program().ast->variables)
    if (v.space == emu::Space::Global && !v.isExtern)
      memory.free(v.offset);
  modules.erase(module);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

CUresult Device::submit(Stream &stream, Work work) {
  if (stream.capture) {
    if (stream.capture->invalid)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    stream.front = {stream.capture->graph->add(std::move(work), stream.front)};
    return CUDA_SUCCESS;
  }
  return perform(stream, work);
}

CUresult Device::perform(Stream &stream, Work &work) {
  if (work.disabled)
    return CUDA_SUCCESS;
  if (work.child) {
    for (Node *node : work.child->order())
      if (CUresult r = perform(stream, node->work); r != CUDA_SUCCESS)
        return r;
    return CUDA_SUCCESS;
  }
  if (work.kernel.function)
    return launch(stream, work.kernel);
  return work.run ? work.run(stream) : CUDA_SUCCESS;
}

CUresult Device::synchronize(Stream *stream) {
  if (stream)
    order.hostWaits(stream->agent);
  else
    order.hostWaitsForAll();
  return surface();
}

/// The error that a report becomes; CUDA_SUCCESS for those of checks that hardware does not make.
static CUresult resultOf(const emu::Report &r) {
  switch (r.kind) {
  case emu::ReportKind::OutOfBounds:
  case emu::ReportKind::ReadOnlyWrite:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case emu::ReportKind::Misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case emu::ReportKind::Trap:
    return r.message.find("Assertion") != r.message.npos ? CUDA_ERROR_ASSERT : CUDA_ERROR_LAUNCH_FAILED;
  case emu::ReportKind::Deadlock:
  case emu::ReportKind::Budget:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case emu::ReportKind::Barrier:
  case emu::ReportKind::Descriptor:
  case emu::ReportKind::InvalidOperation:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case emu::ReportKind::Launch:
    return CUDA_ERROR_INVALID_VALUE;
  default:
    return CUDA_SUCCESS;
  }
}

void Device::report(const emu::LaunchResult &result) {
  totals.reports += result.reports.size();
  totals.suppressed += result.suppressed;
  for (const emu::Report &r : result.reports) {
    complain(r.str());
    recordReport(r, r.str());
  }
}

CUresult Device::launch(Stream &stream, const KernelCall &call) {
  const Function &f = *call.function;
  const Options &o = options();
  emu::LaunchConfig config;
  config.kernel = f.info->name;
  config.grid = call.grid;
  config.block = call.block;
  config.cluster = call.cluster;
  config.dynamicSharedBytes = call.shared;
  config.packedParams = call.params;
  config.cooperative = call.cooperative;
  config.options.device = o.target;
  config.options.checkRaces = o.checkRaces;
  config.options.checkUninitialized = o.checkUninitialized;
  config.options.rules = o.rules;
  config.options.checkIdioms = o.checkIdioms;
  config.options.suppressions = o.suppressions;
  config.options.hostThreads = o.threads;
  config.options.maxWarpInstructionsPerBlock = o.maxSteps;
  config.options.memoryStats = false;
  if (!o.coverage.empty())
    config.options.observers.push_back(coverage.watch(*f.module->code));
  emu::TraceRecorder trace;
  if (!o.trace.empty())
    config.options.observers.push_back(trace.factory());
  std::shared_ptr<AccessSet> touched;
  if (o.checkRaces && order.several()) {
    touched = std::make_shared<AccessSet>();
    auto guard = std::make_shared<std::mutex>();
    config.options.observers.push_back([=] { return makeAccessCollector(touched, guard); });
  }
  if (!o.time.empty())
    predicted += 1000 * times.add(*f.module->code, f.module->ptx, memory, config, o.time);
  order.begin(stream.agent, !(stream.flags & 1));
  const double start = now();
  emu::LaunchResult result = emu::launch(*f.module->code, memory, config);
  totals.seconds += (now() - start) / 1000;
  ++totals.kernels;
  totals.blocks += call.grid.count();
  totals.instructions += result.stats.threadInstructions;
  report(result);
  if (!o.trace.empty()) {
    writeFile(o.trace + "/" + std::to_string(traces++) + "-" + f.info->name.substr(0, 80) + ".json", trace.json());
  }
  if (touched)
    if (std::string text = order.end(stream.agent, "kernel '" + f.info->name + "'", touched); !text.empty()) {
      complain("stream-order", text);
    }
  std::fflush(stdout);
  for (const emu::Report &r : result.reports) {
    if (r.kind == emu::ReportKind::Launch)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult code = resultOf(r); code != CUDA_SUCCESS && pending == CUDA_SUCCESS)
      pending = code;
  }
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Arguments, occupancy
//===----------------------------------------------------------------------===//

bool tileiras::device::packArguments(const Function &function, void **arguments, void **extra,
                                     std::vector<uint8_t> &packed) {
  packed.assign(function.info->paramBytes, 0);
  if (extra) {
    // Pairs of a key and a value: 1 the buffer, 2 a pointer to its size, 0 the end.
    const void *buffer = nullptr;
    size_t size = 0;
    for (void **p = extra; *p; p += 2)
      if (uintptr_t(*p) == 1)
        buffer = p[1];
      else if (uintptr_t(*p) == 2)
        size = *static_cast<size_t *>(p[1]);
      else
        return false;
    if (!buffer || size < packed.size())
      return packed.empty();
    std::memcpy(packed.data(), buffer, packed.size());
    return true;
  }
  if (!arguments)
    return packed.empty();
  for (size_t k = 0; k != function.info->params.size(); ++k) {
    const emu::KernelParam &p = function.info->params[k];
    if (!arguments[k])
      return false;
    std::memcpy(packed.data() + p.offset, arguments[k], p.size);
  }
  return true;
}

emu::Dim3 tileiras::device::clusterOf(const CUlaunchConfig &config, bool &cooperative) {
  emu::Dim3 cluster;
  for (unsigned k = 0; k != config.numAttrs; ++k) {
    const CUlaunchAttribute &a = config.attrs[k];
    // CU_LAUNCH_ATTRIBUTE_COOPERATIVE, _CLUSTER_DIMENSION. The others are about speed, or true of work that is done
    // when it is submitted.
    if (a.id == 2)
      cooperative = a.value.cooperative != 0;
    else if (a.id == 4)
      cluster = {a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z};
  }
  return cluster;
}

int tileiras::device::blocksPerMultiprocessor(const Function &f, int threads, size_t dynamicShared) {
  if (threads <= 0 || threads > 1024 || dynamicShared > 256 * 1024)
    return 0;
  return int(emu::occupancyOf(*f.module->code, *f.info, uint32_t(threads),
                              f.info->staticSharedBytes + uint32_t(dynamicShared), options().target)
                 .blocks);
}
