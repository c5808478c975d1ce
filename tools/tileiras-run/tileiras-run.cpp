//===- tileiras-run.cpp - Runs a Tile IR kernel and checks it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads a kernel (cuda_tile text or bytecode, PTX, cubin), makes its arguments from a short
// description, runs it on one or more engines and compares what they computed.
// docs/tileiras-run.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "../tileiras/Tools.h"
#include "Options.h"
#include "Progress.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/Pipelines.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Compiler/StaticShared.h"
#include "tileiras/Emulator/Machine/Trace.h"
#include "tileiras/Runtime/EmulatorEngine.h"
#include "tileiras/Runtime/LaunchArgs.h"
#include "tileiras/Runtime/ReferenceEngine.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace tileiras;
using llvm::StringRef;

namespace {

enum ExitCode {
  kOk = 0,
  kUsage = 1,    ///< command line, unreadable file, no such entry, wrong arguments
  kParse = 3,    ///< the input is not a valid module or PTX text
  kCompile = 5,  ///< the module could not be lowered to PTX
  kRun = 6,      ///< the run failed or reported something
  kMismatch = 7, ///< the run finished, with other results than expected
};

int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "tileiras-run: error: " << message << "\n";
  return code;
}

int write(const std::string &path, StringRef bytes) {
  if (llvm::Error error = writeOutputFile(path, bytes))
    return fail(kUsage, "cannot write '" + path + "': " + llvm::toString(std::move(error)));
  return kOk;
}

/// What was loaded: a module, PTX text, or a cubin.
struct Input {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string ptx, ptxName, cubin;
};

/// Name of the only `.entry` of a PTX text, or empty.
std::string onlyKernel(StringRef ptx) {
  std::string found;
  for (size_t at = ptx.find(".entry"); at != StringRef::npos; at = ptx.find(".entry", at + 6)) {
    StringRef name = ptx.substr(at + 6).ltrim();
    name = name.take_until([](char c) { return c == '(' || c == '{' || isspace((unsigned char)c); });
    if (!found.empty())
      return "";
    found = name.str();
  }
  return found;
}

class Runner {
public:
  explicit Runner(Options options) : options(std::move(options)) {}
  int main();

private:
  int load();
  int makeRequest();
  int compile();
  void takeSharedNeeds();
  int runEngine(StringRef name);
  int runEmulator();
  int runTiming();
  int runRanking();
  emu::timing::L2State l2State() const;
  emu::timing::PredictOptions predictOn(const std::string &machine) const;
  int writeText(const std::string &path, const std::string &text);
  int writeCoverage(const emu::LineCoverage &coverage);
  int runOnce(Engine &engine, const std::string &label);
  int compareResults();
  int writeResults();
  void printSummary(int verdict);

  struct Result {
    std::string label;
    LaunchRequest request;
    double seconds = 0;
    std::string work;     ///< instructions or operations executed, as the engine counts them
    double worstUlps = 0; ///< over all arrays, against what it was compared with
    bool compared = false;
  };

  Options options;
  mlir::MLIRContext context;
  Input input;
  LaunchRequest request; ///< before any run
  Tolerance tolerance;
  std::vector<Result> results;      ///< in the order of the runs
  std::vector<std::string> targets; ///< for each machine of --time
};

int Runner::load() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.inputFile);
  if (!buffer)
    return fail(kUsage, "cannot read '" + options.inputFile + "': " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.starts_with("\x7f"
                       "ELF")) {
    input.cubin = text.str();
    return kOk;
  }
  if (StringRef(options.inputFile).ends_with(".ptx")) {
    input.ptx = text.str();
    input.ptxName = options.inputFile;
    return kOk;
  }
  CompileOptions compilerOptions;
  Status status = parseInput((*buffer)->getMemBufferRef(), context, input.module, compilerOptions);
  if (status != Status::Success)
    return status == Status::ParseFailure ? kParse : kUsage;
  if (!isGpuModuleInput(*input.module) && inputStage(*input.module) == Stage::CudaTile)
    return kOk;
  // Its kernels are nothing the reference could evaluate: all that is left of it here is PTX.
  int code = compile();
  input.module = nullptr;
  return code;
}

int Runner::makeRequest() {
  std::string error;
  ArgDefaults defaults;
  defaults.seed = options.seed;
  if (!parsePassMode(options.arrays, defaults.pass))
    return fail(kUsage, "--arrays must be ptr, array or array64");
  if (!parseGrid(options.grid, request.grid, error) || !parseGrid(options.block, request.block, error) ||
      !Tolerance::parse(options.tolerance, tolerance, error))
    return fail(kUsage, error);
  request.blocks = options.blocks;
  request.launches = std::max<uint64_t>(1, options.launches);
  for (const std::string &spec : options.arguments)
    if (!parseLaunchArg(spec, defaults, request, error))
      return fail(kUsage, error);
  auto known = [&](StringRef name) {
    return llvm::any_of(request.buffers, [&](const Buffer &b) { return name == b.name; });
  };
  for (StringRef dump : options.dumps)
    if (!dump.contains('=') || !known(dump.split('=').first))
      return fail(kUsage, "--dump=" + dump + ": expected NAME=FILE with the name of an array");
  for (StringRef show : options.shows)
    if (!known(show))
      return fail(kUsage, "--show=" + show + ": no such array");
  request.dynamicSharedBytes = uint32_t(options.dynamicShared);
  request.entry = options.entry;
  if (input.module) {
    mlir::cuda_tile::EntryOp entry = findEntry(*input.module, options.entry, error);
    if (entry)
      error = checkArguments(entry, request);
    if (!error.empty())
      return fail(kUsage, error);
    request.entry = entry.getSymName().str();
  } else if (request.entry.empty() && !input.ptx.empty()) {
    request.entry = onlyKernel(input.ptx);
  }
  return request.entry.empty() ? fail(kUsage, "--entry is needed") : int(kOk);
}

/// A launch gives a kernel of ours the dynamic shared memory that its PTX asks for, unless the user says how much.
void Runner::takeSharedNeeds() {
  auto needs = dynamicSharedNeeds(input.ptx);
  if (auto found = needs.find(request.entry); found != needs.end() && !request.dynamicSharedBytes)
    request.dynamicSharedBytes = uint32_t(found->second);
}

/// The compiler consumes its module, so it gets a copy.
int Runner::compile() {
  if (!input.ptx.empty()) {
    takeSharedNeeds();
    return kOk;
  }
  CompileOptions compilerOptions;
  compilerOptions.gpuName = options.gpuName.empty() ? "sm_90" : options.gpuName;
  compilerOptions.optLevel = int(options.optLevel);
  compilerOptions.lineInfo = options.lineInfo || !options.coverage.empty();
  compilerOptions.pipelineOptions = options.pipelineOptions;
  compilerOptions.staticShared = options.staticShared;
  compilerOptions.registerLimits = options.registerLimits;
  // The assembler that --time asks.
  const char *named = std::getenv("TILEIRAS_PTXAS");
  if (auto found = llvm::sys::findProgramByName(named && *named ? named : "ptxas"))
    compilerOptions.ptxasPath = *found;
  compilerOptions.emit = "ptx";
  std::string error;
  if (checkOptions(compilerOptions, error) != Status::Success)
    return fail(kUsage, error);
  mlir::OwningOpRef<mlir::ModuleOp> copy = input.module->clone();
  // What is predicted is the cubin.
  AssemblyReport report;
  bool asCubin = !options.time.empty() || options.registerLimits == "ptx" || options.registerLimits == "least";
  if (failed(asCubin ? compileAndAssemble(*copy, compilerOptions, input.ptx, /*cubin=*/nullptr, report)
                     : compileToPTX(*copy, compilerOptions, input.ptx)))
    return kCompile;
  takeSharedNeeds();
  const std::string &path = options.savePTX;
  input.ptxName = path.empty() ? options.inputFile + " (compiled PTX)" : path;
  if (path.empty())
    return kOk;
  return write(path, input.ptx);
}

int Runner::runOnce(Engine &engine, const std::string &label) {
  Result result;
  result.label = label;
  result.request = request;
  Progress progress(label);
  result.request.progress = [&](uint64_t done, uint64_t total) { progress.update(done, total); };
  RunOutcome outcome = engine.run(result.request);
  result.request.progress = nullptr;
  llvm::outs() << outcome.output;
  llvm::outs().flush();
  for (const std::string &report : outcome.reports)
    llvm::errs() << report << "\n";
  if (options.stats) {
    llvm::outs() << label << ": " << llvm::format("%.3f", outcome.seconds) << " s\n";
    for (auto &[key, value] : outcome.stats)
      llvm::outs() << "  " << key << (key.empty() ? "" : ": ") << value << "\n";
  }
  result.seconds = outcome.seconds;
  for (auto &[key, value] : outcome.stats) {
    std::string text = key.empty() ? value : key + " " + value;
    StringRef line = StringRef(text).trim();
    for (StringRef counter : {"thread instructions", "operations"})
      if (line.consume_front(counter))
        result.work = (line.trim() + " " + counter).str();
  }
  results.push_back(std::move(result));
  if (outcome.ok)
    return kOk;
  if (outcome.reports.empty())
    llvm::errs() << label << ": the run failed\n";
  return kRun;
}

int Runner::runEngine(StringRef name) {
  std::string error;
  if (name == "reference") {
    if (!input.module)
      return fail(kUsage, "the reference engine needs a cuda_tile module, not PTX or a cubin");
    return runOnce(*makeReferenceEngine(*input.module, options.maxSteps, !options.ignoreAssumptions), "reference");
  }
  if (name == "emulator")
    return runEmulator();
  if (name == "cuda") {
    if (options.launches != 1)
      return fail(kUsage, "--launches: the emulator alone launches again in one memory");
    if (options.blocks)
      return fail(kUsage, "--blocks: a GPU runs every tile block of the grid");
    auto engine = makeCudaEngine(int(options.device), options.libcuda, error);
    if (!engine)
      return fail(kUsage, error);
    if (input.cubin.empty())
      if (int code = compile())
        return code;
    engine->setImage(input.cubin.empty() ? input.ptx : input.cubin);
    return runOnce(*engine, "cuda");
  }
  return fail(kUsage, "unknown engine '" + name + "' (known: reference emulator cuda)");
}

int Runner::runEmulator() {
  if (!input.cubin.empty())
    return fail(kUsage, "the emulator needs PTX or a cuda_tile module, not a cubin");
  if (int code = compile())
    return code;
  emu::AsyncTiming timing = emu::AsyncTiming::Late;
  if (options.timing == "early")
    timing = emu::AsyncTiming::Early;
  else if (options.timing == "random")
    timing = emu::AsyncTiming::Random;
  else if (!options.timing.empty() && options.timing != "late")
    return fail(kUsage, "--async must be early, late or random");
  if (options.rules != "isa" && options.rules != "hardware")
    return fail(kUsage, "--rules must be isa or hardware");
  auto suppressions = std::make_shared<emu::Suppressions>();
  if (std::string error; !options.suppressions.empty() && !suppressions->read(options.suppressions, error))
    return fail(kUsage, error);
  emu::LineCoverage coverage;
  int result = kOk;
  for (uint64_t i = 0; i < std::max<uint64_t>(1, options.schedules); ++i) {
    emu::LaunchOptions launch;
    emu::TraceRecorder trace;
    if (!options.trace.empty() && i == 0)
      launch.observers.push_back(trace.factory());
    // The three fixed orders first, then seeded random ones. Asynchronous operations take turns at being late, early
    // and anywhere between.
    launch.asyncTiming = i == 0 || !options.timing.empty() ? timing
                         : i == 1                          ? emu::AsyncTiming::Early
                         : i == 2                          ? emu::AsyncTiming::Late
                                                           : emu::AsyncTiming::Random;
    launch.schedule = i == 0   ? emu::Schedule::RoundRobin
                      : i == 1 ? emu::Schedule::Forward
                      : i == 2 ? emu::Schedule::Reverse
                               : emu::Schedule::Random;
    launch.checkRaces = options.checkRaces.value_or(options.check);
    launch.rules = options.tensorLoadInterlock || options.rules == "hardware" ? emu::Rules::Hardware : emu::Rules::Isa;
    launch.suppressions = suppressions;
    launch.seed = options.seed + i;
    launch.hostThreads = unsigned(options.threads);
    launch.multiprocessors = unsigned(options.multiprocessors);
    launch.maxWarpInstructionsPerBlock = options.maxSteps;
    std::string error;
    auto engine =
        makeEmulatorEngine(input.ptx, input.ptxName, launch, error, options.coverage.empty() ? nullptr : &coverage);
    if (!engine) {
      llvm::errs() << error << "\n";
      return input.module ? kCompile : kParse;
    }
    std::string label = "emulator";
    if (options.schedules > 1)
      label += std::string(" (") + emu::scheduleName(launch.schedule) +
               (i > 2 ? " seed " + std::to_string(launch.seed) : "") + ")";
    int code = runOnce(*engine, label);
    if (!options.trace.empty() && i == 0) {
      if (int failed = write(options.trace, trace.json()))
        return failed;
    }
    result = std::max(result, code);
    if (code)
      break;
  }
  // Of a run that failed, too: what it did not reach may be the reason.
  if (int code = options.coverage.empty() ? kOk : writeCoverage(coverage))
    return code;
  return result;
}

int Runner::writeCoverage(const emu::LineCoverage &coverage) {
  if (std::error_code ec = llvm::sys::fs::create_directories(options.coverage))
    return fail(kUsage, "cannot make the folder '" + options.coverage + "': " + ec.message());
  if (int code = writeText(options.coverage + "/coverage.info", coverage.lcov()))
    return code;
  if (int code = writeText(options.coverage + "/coverage.html", coverage.html()))
    return code;
  uint64_t reached = 0, all = 0;
  coverage.totals(reached, all);
  llvm::outs() << "coverage: " << reached << " of " << all << " lines\n";
  for (const std::string &place : coverage.unreachedSynchronisation())
    llvm::outs() << "no thread reached " << place << "\n";
  return kOk;
}

int Runner::writeText(const std::string &path, const std::string &text) {
  std::error_code ec;
  llvm::raw_fd_ostream file(path, ec);
  if (ec)
    return fail(kUsage, "cannot write '" + path + "': " + ec.message());
  file << text;
  return kOk;
}

/// --rank: the same kernel compiled in several ways, the fastest first by the model of each machine.
int Runner::runRanking() {
  if (!input.module)
    return fail(kUsage, "--rank compiles, so it needs a cuda_tile module");
  for (size_t m = 0; m != options.time.size(); ++m) {
    const std::string &machine = options.time[m];
    options.gpuName = targets[m];
    struct Alternative {
      std::string options;
      emu::timing::Prediction prediction;
    };
    std::vector<Alternative> alternatives;
    const std::string common = options.pipelineOptions;
    for (const std::string &text : options.rank) {
      options.pipelineOptions = common.empty() || text.empty() ? common + text : common + " " + text;
      input.ptx.clear();
      if (int code = compile())
        return code;
      alternatives.push_back({text, predictLaunch(input.ptx, input.ptxName, request, predictOn(machine))});
      if (!alternatives.back().prediction.ok)
        return fail(kRun, "'" + text + "': " + alternatives.back().prediction.error);
    }
    options.pipelineOptions = common;
    llvm::stable_sort(alternatives, [](const Alternative &a, const Alternative &b) {
      return a.prediction.seconds < b.prediction.seconds;
    });
    llvm::outs() << "rank on " << machine << "\n";
    for (size_t i = 0; i != alternatives.size(); ++i) {
      const emu::timing::Prediction &p = alternatives[i].prediction;
      llvm::outs() << llvm::format("%2zu  %12.2f us  +%5.1f %%  ", i + 1, p.seconds * 1e6,
                                   100 * (p.seconds / alternatives[0].prediction.seconds - 1))
                   << (alternatives[i].options.empty() ? "(as it is)" : alternatives[i].options) << ": " << p.limiter
                   << "\n";
    }
  }
  return kOk;
}

emu::timing::L2State Runner::l2State() const {
  return options.timeWarm    ? emu::timing::L2State::Warm
         : options.timeEmpty ? emu::timing::L2State::Empty
                             : emu::timing::L2State::Cold;
}

emu::timing::PredictOptions Runner::predictOn(const std::string &machine) const {
  emu::timing::PredictOptions predict;
  predict.machine = machine;
  predict.samples = unsigned(std::max<uint64_t>(1, options.timeSamples));
  predict.clockMhz = double(options.timeClock);
  predict.l2 = l2State();
  return predict;
}

/// --time: predictions, one for each machine, and with --compare of a second PTX file, too.
int Runner::runTiming() {
  if (options.launches != 1)
    return fail(kUsage, "--launches is for runs, --time predicts one launch");
  if (options.timeWarm && options.timeEmpty)
    return fail(kUsage, "--time-warm and --time-empty exclude each other");
  if (!input.cubin.empty())
    return fail(kUsage, "--time needs PTX or a cuda_tile module, not a cubin");
  if (!options.rank.empty())
    return runRanking();
  if ((!options.timeReport.empty() || !options.timeJson.empty() || !options.trace.empty()) && options.time.size() != 1)
    return fail(kUsage, "--time-report, --time-json and --trace take one machine");
  std::string other;
  if (!options.compare.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(options.compare);
    if (!buffer)
      return fail(kUsage, "cannot read '" + options.compare + "': " + buffer.getError().message());
    other = (*buffer)->getBuffer().str();
  }
  for (size_t m = 0; m != options.time.size(); ++m) {
    const std::string &machine = options.time[m];
    if (input.module && options.gpuName != targets[m]) {
      options.gpuName = targets[m];
      input.ptx.clear();
    }
    if (int code = compile())
      return code;
    emu::timing::PredictOptions predict = predictOn(machine);
    predict.timeline = !options.trace.empty();
    emu::timing::Prediction result = predictLaunch(input.ptx, input.ptxName, request, predict);
    if (!result.ok)
      return fail(kRun, result.error);
    llvm::outs() << result.text();
    if (!options.timeReport.empty())
      if (int code = writeText(options.timeReport, result.html()))
        return code;
    if (!options.timeJson.empty())
      if (int code = writeText(options.timeJson, result.json()))
        return code;
    if (!options.trace.empty())
      if (int code = writeText(options.trace, result.trace()))
        return code;
    if (options.compare.empty())
      continue;
    LaunchRequest second = request;
    std::string kernel = onlyKernel(other);
    if (!kernel.empty())
      second.entry = kernel;
    emu::timing::Prediction rival = predictLaunch(other, options.compare, second, predict);
    if (!rival.ok)
      return fail(kRun, options.compare + ": " + rival.error);
    llvm::outs() << rival.text() << "\n"
                 << emu::timing::compareText(result, llvm::sys::path::filename(input.ptxName).str(), rival,
                                             llvm::sys::path::filename(options.compare).str());
  }
  return kOk;
}

/// Against .npy files where they are given, and every run against the first.
int Runner::compareResults() {
  bool ok = true;
  auto report = [&](Result &result, const std::string &against, const BufferComparison &comparison) {
    const std::string &label = result.label;
    result.compared = true;
    result.worstUlps = std::max(result.worstUlps, comparison.comparison.worstUlps);
    ok &= comparison.ok;
    if (!comparison.ok || options.check)
      (comparison.ok ? llvm::outs() : llvm::errs())
          << (comparison.ok ? "ok: " : "mismatch: ") << label << " against " << against << ": '" << comparison.name
          << "': " << comparison.text << "\n";
  };
  for (Result &result : results)
    for (const Buffer &buffer : result.request.buffers) {
      if (buffer.expectFile.empty())
        continue;
      BufferComparison comparison;
      comparison.name = buffer.name;
      Array expected;
      if (!readNpy(buffer.expectFile, buffer.array.type, expected, comparison.text))
        return fail(kUsage, comparison.text);
      if (expected.shape != buffer.array.shape)
        return fail(kUsage, "'" + buffer.expectFile + "' has another shape than array '" + buffer.name + "'");
      comparison.comparison = compare(buffer.array, expected, buffer.hasTolerance ? buffer.tolerance : tolerance);
      comparison.ok = comparison.comparison.ok();
      comparison.text = comparison.comparison.describe(buffer.array.type);
      report(result, buffer.expectFile, comparison);
    }
  for (size_t i = 1; options.check && i < results.size(); ++i)
    for (const BufferComparison &comparison :
         compareBuffers(results[i].request.buffers, results[0].request.buffers, tolerance))
      report(results[i], results[0].label, comparison);
  return ok ? kOk : kMismatch;
}

/// One line per run, and the verdict.
void Runner::printSummary(int verdict) {
  auto row = [](StringRef engine, StringRef error, StringRef work, StringRef time) {
    llvm::outs() << llvm::left_justify(engine, 28) << llvm::left_justify(error, 14) << llvm::right_justify(work, 32)
                 << llvm::right_justify(time, 12) << "\n";
  };
  llvm::outs() << "\n";
  row("engine", "max error", "executed", "time");
  for (const Result &result : results) {
    std::string error = "-", time;
    if (result.compared)
      llvm::raw_string_ostream(error = "") << llvm::format("%g ulp", result.worstUlps);
    llvm::raw_string_ostream(time) << llvm::format("%.4f s", result.seconds);
    row(result.label, error, result.work, time);
  }
  llvm::outs() << (verdict == kOk ? "PASS" : "FAIL") << "\n";
}

/// Of the last run: with --check that is the engine under test.
int Runner::writeResults() {
  const LaunchRequest &last = results.back().request;
  for (StringRef dump : options.dumps) {
    auto [name, path] = dump.split('=');
    for (const Buffer &buffer : last.buffers) {
      std::string error;
      if (buffer.name == name && !writeNpy(path.str(), buffer.array, error))
        return fail(kUsage, error);
    }
  }
  for (StringRef show : options.shows)
    for (const Buffer &buffer : last.buffers) {
      if (buffer.name != show)
        continue;
      llvm::outs() << buffer.name << ":";
      Array dense = buffer.array.toDense();
      int64_t row = dense.shape.empty() ? 1 : dense.shape.back();
      for (int64_t i = 0; i < dense.numElements(); ++i)
        llvm::outs() << (row > 0 && i % row == 0 && dense.rank() > 1 ? "\n  " : " ")
                     << formatElement(dense.type, dense.getAtOffset(i));
      llvm::outs() << "\n";
    }
  return kOk;
}

int Runner::main() {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  context.appendDialectRegistry(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler printDiagnostics(sources, &context, llvm::errs());
  // A diagnostic at a function would print all of it.
  context.printOpOnDiagnostic(false);

  if (!options.time.empty()) {
    std::string error;
    for (const std::string &name : options.time) {
      auto machine = emu::timing::findMachine(name, error);
      if (!machine)
        return fail(kUsage, "--time: " + error);
      // Its own instructions are there to be used: the machine is known to the letter.
      targets.push_back("sm_" + std::to_string(int(machine->sm)) + (machine->sm >= 90 ? "a" : ""));
    }
    if (options.gpuName.empty())
      options.gpuName = targets.front();
    else
      targets.assign(targets.size(), options.gpuName);
  } else if (!options.compare.empty() || !options.rank.empty() || !options.timeReport.empty() ||
             !options.timeJson.empty()) {
    return fail(kUsage, "--compare, --rank, --time-report and --time-json need --time");
  }
  if (int code = load())
    return code;
  if (int code = makeRequest())
    return code;
  std::vector<std::string> engines = options.engines;
  // A prediction runs samples of the grid; the whole of it only if somebody wants to see results.
  const bool onlyTime = !options.time.empty() && engines.empty() && !options.check && options.dumps.empty() &&
                        options.shows.empty() && !options.stats && !options.summary;
  if (onlyTime)
    return runTiming();
  if (engines.empty())
    engines.push_back(input.module && !options.check ? "reference" : input.cubin.empty() ? "emulator" : "cuda");
  // The reference is what the others are compared with.
  if (options.check && input.module && !llvm::is_contained(engines, "reference"))
    engines.insert(engines.begin(), "reference");
  for (const std::string &engine : engines)
    if (int code = runEngine(engine))
      return code;
  if (options.check && results.size() < 2 &&
      llvm::all_of(request.buffers, [](const Buffer &b) { return b.expectFile.empty(); }))
    llvm::errs() << "tileiras-run: note: no results to compare with (name two engines, or expect=FILE.npy); "
                    "only the engine's own checks apply\n";
  if (!options.time.empty())
    if (int code = runTiming())
      return code;
  int verdict = compareResults();
  if (options.summary)
    printSummary(verdict);
  if (int code = writeResults())
    return code;
  return verdict;
}

} // namespace

int tileiras::tileirasRunMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  std::string error;
  if (!parseOptions(argc, argv, options, error))
    return fail(kUsage, error);
  if (options.help) {
    llvm::outs() << helpText();
    return kOk;
  }
  return Runner(std::move(options)).main();
}
