//===- tileiras_emu.cpp - C interface of the PTX emulator -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/CAPI/tileiras_emu.h"

#include "tileiras/Emulator/Machine/Async/Tensormap.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Machine/Memory/DeviceHeap.h"
#include "tileiras/Emulator/Timing/Predict.h"

#include "tileiras/Emulator/Machine/Program.h"

#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <thread>

using namespace tileiras::emu;

struct tileiras_emu_module {
  std::unique_ptr<Module> module;
};
struct tileiras_emu_memory {
  Memory memory;
  /// Held by launches under way together, and alone by whoever changes the list of allocations or looks at their bytes.
  mutable std::shared_mutex mutex;
  std::mutex preparing;
  std::set<uint64_t> prepared; ///< modules whose variables are there; with `preparing`
  std::map<std::pair<uint64_t, std::string>, uint64_t> constants; ///< by module and name
};
struct tileiras_emu_result {
  bool ok;
  std::vector<std::string> texts;
  std::vector<Report> reports;
  std::string stats, output;
};

/// A launch in a thread of its own. Others that wait for it share `over`.
struct tileiras_emu_pending {
  std::thread thread;
  std::shared_future<void> over;
  tileiras_emu_result *result = nullptr;
};

struct tileiras_emu_prediction {
  timing::Prediction prediction;
  std::string text, json, html, trace;
};

/// Everything but the options, which a prediction does not have.
static LaunchConfig configOf(const tileiras_emu_launch &launch, const void *const *values, const size_t *sizes,
                             size_t count) {
  LaunchConfig config;
  config.kernel = launch.kernel ? launch.kernel : "";
  config.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  config.block = {launch.block[0], launch.block[1], launch.block[2]};
  config.cluster = {launch.cluster[0], launch.cluster[1], launch.cluster[2]};
  config.dynamicSharedBytes = launch.dynamic_shared_bytes;
  config.cooperative = launch.cooperative != 0;
  config.options.device = launch.device ? launch.device : "";
  config.options.multiprocessors = launch.multiprocessors;
  for (size_t i = 0; i != count; ++i)
    config.args.addBytes(values[i], sizes[i]);
  return config;
}

static char *copyText(const std::string &text) {
  char *s = static_cast<char *>(std::malloc(text.size() + 1));
  if (s)
    std::memcpy(s, text.c_str(), text.size() + 1);
  return s;
}

extern "C" {

tileiras_emu_module *tileiras_emu_module_parse(const char *ptx, size_t length, const char *name, char **error) {
  if (error)
    *error = nullptr;
  std::vector<Diagnostic> errors;
  std::unique_ptr<Module> module =
      Module::parse(ptx ? std::string_view(ptx, length) : std::string_view(), name ? name : "ptx", errors);
  if (module)
    return new tileiras_emu_module{std::move(module)};
  std::string text;
  for (const Diagnostic &d : errors)
    text += (text.empty() ? "" : "\n") + d.str();
  if (error)
    *error = copyText(text);
  return nullptr;
}
void tileiras_emu_module_destroy(tileiras_emu_module *module) { delete module; }
size_t tileiras_emu_kernel_count(const tileiras_emu_module *module) {
  return module ? module->module->kernels().size() : 0;
}
const char *tileiras_emu_kernel_name(const tileiras_emu_module *module, size_t index) {
  return index < tileiras_emu_kernel_count(module) ? module->module->kernels()[index].name.c_str() : nullptr;
}

tileiras_emu_memory *tileiras_emu_memory_create(void) { return new tileiras_emu_memory; }
void tileiras_emu_memory_destroy(tileiras_emu_memory *memory) {
  if (memory)
    std::unique_lock lock(memory->mutex); // nobody is under way any more
  delete memory;
}
uint64_t tileiras_emu_alloc(tileiras_emu_memory *memory, size_t bytes, const char *name) {
  std::unique_lock lock(memory->mutex);
  return memory->memory.allocate(bytes, name ? name : "allocation");
}
int tileiras_emu_write(tileiras_emu_memory *memory, uint64_t address, const void *data, size_t bytes) {
  std::unique_lock lock(memory->mutex);
  return memory->memory.copyIn(address, data, bytes);
}
int tileiras_emu_read(const tileiras_emu_memory *memory, uint64_t address, void *data, size_t bytes) {
  std::unique_lock lock(memory->mutex);
  return memory->memory.copyOut(address, data, bytes);
}
int tileiras_emu_free(tileiras_emu_memory *memory, uint64_t address) {
  std::unique_lock lock(memory->mutex);
  return memory->memory.free(address);
}
uint64_t tileiras_emu_symbol(const tileiras_emu_module *module, tileiras_emu_memory *memory, const char *name,
                             size_t *bytes) {
  std::string error;
  if (!module || !memory || !name)
    return 0;
  std::unique_lock lock(memory->mutex);
  if (!memory->memory.load(*module->module, error))
    return 0;
  auto &program = const_cast<Program &>(module->module->program());
  for (const Variable &v : program.ast->variables) {
    if (v.name != name || v.isExtern || (v.space != Space::Global && v.space != Space::Const))
      continue;
    if (bytes)
      *bytes = v.size;
    if (v.space == Space::Global)
      return memory->memory.symbolAddress(*module->module, name);
    // The module's own bytes, as an allocation.
    uint64_t &address = memory->constants[{module->module->id(), name}];
    if (!address)
      address = memory->memory.adopt(program.constImage.data() + v.offset, v.size, name);
    return address;
  }
  return 0;
}

char *tileiras_emu_tensormap_tiled(void *map, unsigned type, unsigned rank, uint64_t address, const uint64_t *dims,
                                   const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides,
                                   unsigned interleave, unsigned swizzle, unsigned l2_promotion, unsigned fill) {
  TensorType elements;
  if (!tensorTypeOfDriver(type, elements) || interleave > unsigned(TensorInterleave::B32) ||
      swizzle > unsigned(TensorSwizzle::B128Atom64) || l2_promotion > unsigned(TensorL2Promotion::B256) || fill > 1)
    return copyText("no such element type, interleave layout, swizzle mode, promotion or fill mode");
  if (!map || !dims || (!strides && rank > 1) || !box || !element_strides)
    return copyText("a null pointer");
  uint8_t bytes[TensormapBytes];
  std::string error =
      encodeTiled(bytes, elements, rank, address, dims, strides, box, element_strides, TensorInterleave(interleave),
                  TensorSwizzle(swizzle), TensorL2Promotion(l2_promotion), TensorFill(fill));
  if (!error.empty())
    return copyText(error);
  std::memcpy(map, bytes, sizeof bytes);
  return nullptr;
}

char *tileiras_emu_tensormap_im2col(void *map, unsigned type, unsigned rank, uint64_t address, const uint64_t *dims,
                                    const uint64_t *strides, const int *lower, const int *upper, uint32_t channels,
                                    uint32_t pixels, const uint32_t *element_strides, unsigned interleave,
                                    unsigned swizzle, unsigned l2_promotion, unsigned fill) {
  TensorType elements;
  if (!tensorTypeOfDriver(type, elements) || interleave > unsigned(TensorInterleave::B32) ||
      swizzle > unsigned(TensorSwizzle::B128Atom64) || l2_promotion > unsigned(TensorL2Promotion::B256) || fill > 1)
    return copyText("no such element type, interleave layout, swizzle mode, promotion or fill mode");
  if (!map || !dims || !strides || !lower || !upper || !element_strides)
    return copyText("a null pointer");
  uint8_t bytes[TensormapBytes];
  std::string error = encodeIm2col(bytes, elements, rank, address, dims, strides, lower, upper, channels, pixels,
                                   element_strides, TensorInterleave(interleave), TensorSwizzle(swizzle),
                                   TensorL2Promotion(l2_promotion), TensorFill(fill));
  if (!error.empty())
    return copyText(error);
  std::memcpy(map, bytes, sizeof bytes);
  return nullptr;
}

tileiras_emu_launch tileiras_emu_launch_default(void) {
  tileiras_emu_launch l = {};
  for (int d = 0; d != 3; ++d)
    l.grid[d] = l.block[d] = l.cluster[d] = 1;
  l.async_timing = TILEIRAS_EMU_LATE;
  l.check_uninitialized = 1;
  return l;
}

} // extern "C"

/// The configuration of a launch; false, with a report in `result`, if it is none.
static bool configure(const tileiras_emu_module *module, tileiras_emu_memory *memory, const tileiras_emu_launch *launch,
                      const void *const *values, const size_t *sizes, size_t count, LaunchConfig &config,
                      tileiras_emu_result *result) {
  auto refuse = [&](const char *text) {
    Report report;
    report.kind = ReportKind::Launch;
    report.message = text;
    result->texts.push_back(text);
    result->reports.push_back(std::move(report));
    return false;
  };
  if (!module || !memory || !launch || (count && (!values || !sizes)))
    return refuse("a module, a memory and a launch are needed");
  if (launch->schedule < TILEIRAS_EMU_ROUND_ROBIN || launch->schedule > TILEIRAS_EMU_RANDOM ||
      launch->async_timing < TILEIRAS_EMU_EARLY || launch->async_timing > TILEIRAS_EMU_ASYNC_RANDOM)
    return refuse("unknown schedule or timing");
  config = configOf(*launch, values, sizes, count);
  static constexpr Schedule schedules[] = {Schedule::RoundRobin, Schedule::Forward, Schedule::Reverse,
                                           Schedule::Random};
  static constexpr AsyncTiming timings[] = {AsyncTiming::Early, AsyncTiming::Late, AsyncTiming::Random};
  config.options.schedule = schedules[launch->schedule];
  config.options.asyncTiming = timings[launch->async_timing];
  config.options.seed = launch->seed;
  config.options.hostThreads = launch->host_threads;
  config.options.maxWarpInstructionsPerBlock = launch->max_warp_instructions;
  config.options.checkUninitialized = launch->check_uninitialized != 0;
  config.options.checkRaces = launch->check_races != 0;
  if (launch->capture_output)
    config.options.print = [result](std::string_view text) { result->output += text; };
  config.options.rules = launch->tensor_load_interlock ? Rules::Hardware : Rules::Isa;
  return true;
}

static void perform(const tileiras_emu_module &module, tileiras_emu_memory &memory, const LaunchConfig &config,
                    tileiras_emu_result *result) {
  LaunchResult run = tileiras::emu::launch(*module.module, memory.memory, config);
  result->ok = run.ok;
  for (const Report &report : run.reports)
    result->texts.push_back(report.str());
  result->reports = std::move(run.reports);
  result->stats = run.stats.str();
}

/// What a launch would change in the list of allocations is done before its first one.
static void prepare(const tileiras_emu_module &module, tileiras_emu_memory &memory) {
  std::lock_guard<std::mutex> once(memory.preparing);
  if (!memory.prepared.insert(module.module->id()).second)
    return;
  std::unique_lock lock(memory.mutex);
  std::string error;
  memory.memory.load(*module.module, error); // the launch says what is wrong
  for (const CallAux &call : module.module->program().callAux)
    if (usesHeap(call.builtin)) {
      memory.memory.heap().open();
      return;
    }
}

extern "C" {

tileiras_emu_result *tileiras_emu_run(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                      const tileiras_emu_launch *launch, const void *const *values, const size_t *sizes,
                                      size_t count) {
  auto *result = new tileiras_emu_result{};
  LaunchConfig config;
  if (configure(module, memory, launch, values, sizes, count, config, result)) {
    std::unique_lock lock(memory->mutex);
    perform(*module, *memory, config, result);
  }
  return result;
}

tileiras_emu_pending *tileiras_emu_start(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                         const tileiras_emu_launch *launch, const void *const *values,
                                         const size_t *sizes, size_t count, tileiras_emu_pending *const *after,
                                         size_t after_count) {
  auto *pending = new tileiras_emu_pending;
  pending->result = new tileiras_emu_result{};
  std::promise<void> promise;
  pending->over = promise.get_future().share();
  LaunchConfig config;
  if (!configure(module, memory, launch, values, sizes, count, config, pending->result)) {
    promise.set_value();
    return pending;
  }
  config.options.othersChangeMemory = true;
  std::vector<std::shared_future<void>> before;
  for (size_t k = 0; after && k != after_count; ++k)
    if (after[k])
      before.push_back(after[k]->over);
  pending->thread = std::thread([=, config = std::move(config), before = std::move(before),
                                 promise = std::move(promise), result = pending->result]() mutable {
    for (auto &over : before)
      over.wait();
    if (config.cooperative) { // needs a workspace, which is an allocation
      std::unique_lock lock(memory->mutex);
      perform(*module, *memory, config, result);
    } else {
      prepare(*module, *memory);
      std::shared_lock lock(memory->mutex);
      perform(*module, *memory, config, result);
    }
    promise.set_value();
  });
  return pending;
}
int tileiras_emu_pending_done(const tileiras_emu_pending *pending) {
  return pending->over.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}
tileiras_emu_result *tileiras_emu_wait(tileiras_emu_pending *pending) {
  if (pending->thread.joinable())
    pending->thread.join();
  tileiras_emu_result *result = pending->result;
  delete pending;
  return result;
}

int tileiras_emu_result_ok(const tileiras_emu_result *result) { return result->ok; }
size_t tileiras_emu_result_report_count(const tileiras_emu_result *result) { return result->texts.size(); }
const char *tileiras_emu_result_report(const tileiras_emu_result *result, size_t index) {
  return index < result->texts.size() ? result->texts[index].c_str() : nullptr;
}
const char *tileiras_emu_result_report_kind(const tileiras_emu_result *result, size_t index) {
  return index < result->reports.size() ? reportKindName(result->reports[index].kind) : nullptr;
}
int tileiras_emu_result_report_fields(const tileiras_emu_result *result, size_t index, tileiras_emu_report *fields) {
  if (index >= result->reports.size() || !fields)
    return 0;
  const Report &r = result->reports[index];
  *fields = {.kind = reportKindName(r.kind),
             .message = r.message.c_str(),
             .file = r.file.c_str(),
             .ptx = r.ptx.c_str(),
             .source_file = r.sourceFile.c_str(),
             .kernel = r.kernel.c_str(),
             .line = r.line,
             .column = r.column,
             .source_line = r.sourceLine,
             .block = {r.block.x, r.block.y, r.block.z},
             .thread = {r.thread.x, r.thread.y, r.thread.z},
             .address = r.address,
             .count = r.count};
  return 1;
}
const char *tileiras_emu_result_output(const tileiras_emu_result *result) { return result->output.c_str(); }
const char *tileiras_emu_result_stats(const tileiras_emu_result *result) { return result->stats.c_str(); }
void tileiras_emu_result_destroy(tileiras_emu_result *result) { delete result; }

tileiras_emu_timing tileiras_emu_timing_default(void) {
  tileiras_emu_timing t = {};
  t.machine = "h200";
  t.samples = 4;
  return t;
}
tileiras_emu_prediction *tileiras_emu_predict(const tileiras_emu_module *module, tileiras_emu_memory *memory,
                                              const tileiras_emu_launch *launch, const void *const *values,
                                              const size_t *sizes, size_t count, const tileiras_emu_timing *timing) {
  auto *result = new tileiras_emu_prediction{};
  if (!module || !memory || !launch || !timing || !timing->machine || (count && (!values || !sizes))) {
    result->prediction.error = "a module, a memory, a launch and a machine are needed";
    return result;
  }
  timing::PredictOptions options;
  options.machine = timing->machine;
  options.samples = std::max(1u, timing->samples);
  options.clockMhz = timing->clock_mhz;
  options.l2 = timing->l2_state == 1   ? timing::L2State::Warm
               : timing->l2_state == 2 ? timing::L2State::Empty
                                       : timing::L2State::Cold;
  options.timeline = timing->timeline != 0;
  options.ptx = timing->ptx ? timing->ptx : "";
  LaunchConfig config = configOf(*launch, values, sizes, count);
  config.options.print = [](std::string_view) {};
  config.options.rules = launch->tensor_load_interlock ? Rules::Hardware : Rules::Isa;
  std::unique_lock lock(memory->mutex);
  result->prediction = timing::predict(*module->module, memory->memory, config, options);
  const timing::Prediction &p = result->prediction;
  if (p.ok) {
    result->text = p.text();
    result->json = p.json();
    result->html = p.html();
    result->trace = p.trace();
  }
  return result;
}
const char *tileiras_emu_prediction_error(const tileiras_emu_prediction *p) {
  return p->prediction.ok ? nullptr : p->prediction.error.c_str();
}
double tileiras_emu_prediction_cycles(const tileiras_emu_prediction *p) { return p->prediction.cycles; }
double tileiras_emu_prediction_seconds(const tileiras_emu_prediction *p) { return p->prediction.seconds; }
const char *tileiras_emu_prediction_text(const tileiras_emu_prediction *p) { return p->text.c_str(); }
const char *tileiras_emu_prediction_json(const tileiras_emu_prediction *p) { return p->json.c_str(); }
const char *tileiras_emu_prediction_html(const tileiras_emu_prediction *p) { return p->html.c_str(); }
const char *tileiras_emu_prediction_trace(const tileiras_emu_prediction *p) { return p->trace.c_str(); }
void tileiras_emu_prediction_destroy(tileiras_emu_prediction *p) { delete p; }

void tileiras_emu_free_string(char *text) { std::free(text); }

} // extern "C"
