//===- tileiras-run.cpp - Runs a Tile IR kernel and checks it -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads a kernel (cuda_tile text or bytecode, PTX, cubin), makes its arguments from a short
// description, runs it on one or more engines and compares what they computed.
// docs/tileiras-run.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/InitAll.h"
#include "tileiras/Runtime/EmulatorEngine.h"
#include "tileiras/Runtime/LaunchArgs.h"
#include "tileiras/Runtime/ReferenceEngine.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace tileiras;
using llvm::StringRef;

namespace {

enum ExitCode {
  kOk = 0,
  kUsage = 1,       ///< command line, unreadable file, no such entry, wrong arguments
  kParse = 3,       ///< the input is not a valid module or PTX text
  kCompile = 5,     ///< the module could not be lowered to PTX
  kRun = 6,         ///< the run failed or reported something
  kMismatch = 7,    ///< the run finished, with other results than expected
};

cl::OptionCategory category("tileiras-run options");
cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE (.mlir .tileirbc .ptx .cubin)"), cl::Required,
                               cl::cat(category));
cl::list<std::string> positionalArgs(cl::Positional, cl::desc("ARGUMENT..."), cl::cat(category));
cl::list<std::string> namedArgs("arg", cl::desc("kernel argument, as if given after FILE"), cl::cat(category));
cl::opt<std::string> entryName("entry", cl::desc("kernel to run; not needed if there is one"), cl::cat(category));
cl::opt<std::string> gridText("grid", cl::desc("tile blocks, X[,Y[,Z]]"), cl::init("1"), cl::cat(category));
cl::opt<std::string> blockText("block", cl::desc("threads per block, for PTX without .reqntid"), cl::init("1"),
                               cl::cat(category));
cl::list<std::string> engineNames("engine", cl::CommaSeparated, cl::cat(category),
                                  cl::desc("reference, emulator, cuda; several may be given"));
cl::opt<bool> check("check", cl::desc("compare the engines' results with the reference's"), cl::cat(category));
cl::opt<std::string> toleranceText("tolerance", cl::desc("exact, ulp:N, rel:X, abs:X or rel:X,abs:Y"),
                                   cl::init("exact"), cl::cat(category));
cl::opt<std::string> arraysText("arrays", cl::desc("how arrays are passed: ptr, array, array64"), cl::init("ptr"),
                                cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::desc("of random inputs"), cl::init(0), cl::cat(category));
cl::list<std::string> dumps("dump", cl::desc("NAME=FILE.npy: write an array after the run"), cl::cat(category));
cl::list<std::string> shows("show", cl::desc("NAME: print an array after the run"), cl::cat(category));
cl::opt<bool> stats("stats", cl::desc("print counters of each run"), cl::cat(category));
cl::opt<unsigned> schedules("schedules", cl::desc("emulator runs under different warp schedules"), cl::init(1),
                            cl::cat(category));
cl::opt<unsigned> hostThreads("threads", cl::desc("host threads of the emulator, 0: one per core"), cl::init(0),
                              cl::cat(category));
cl::opt<uint64_t> maxSteps("max-steps", cl::desc("operations (emulator: instructions per block) before a run is stopped"),
                           cl::init(uint64_t(1) << 32), cl::cat(category));
cl::opt<std::string> gpuName("gpu-name", cl::desc("target of the compiled kernel"), cl::init("sm_90"),
                             cl::cat(category));
cl::opt<unsigned> optLevel("opt-level", cl::desc("as of tileiras"), cl::init(3), cl::cat(category));
cl::opt<std::string> pipelineOptions("pipeline-options", cl::desc("passed to the compiler"), cl::cat(category));
cl::opt<std::string> savePTX("save-ptx", cl::desc("write the compiled PTX"), cl::cat(category));
cl::opt<uint32_t> dynamicShared("dynamic-shared", cl::desc("bytes of dynamic shared memory of the launch"), cl::init(0),
                                cl::cat(category));
cl::opt<int> device("device", cl::desc("CUDA device number"), cl::init(0), cl::cat(category));
cl::opt<std::string> libcuda("libcuda", cl::desc("driver library instead of libcuda.so.1"), cl::cat(category));

int fail(ExitCode code, const llvm::Twine &message) {
  llvm::errs() << "tileiras-run: error: " << message << "\n";
  return code;
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
  int main();

private:
  int load();
  int makeRequest();
  int compile();
  int runEngine(StringRef name);
  int runOnce(Engine &engine, const std::string &label);
  int compareResults();
  int writeResults();

  struct Result {
    std::string label;
    LaunchRequest request;
  };

  mlir::MLIRContext context;
  Input input;
  LaunchRequest request; ///< before any run
  Tolerance tolerance;
  std::vector<Result> results; ///< in the order of the runs
};

int Runner::load() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!buffer)
    return fail(kUsage, "cannot read '" + inputFile + "': " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.starts_with("\x7f" "ELF")) {
    input.cubin = text.str();
    return kOk;
  }
  if (StringRef(inputFile).ends_with(".ptx")) {
    input.ptx = text.str();
    input.ptxName = inputFile;
    return kOk;
  }
  CompileOptions options;
  Status status = parseInput((*buffer)->getMemBufferRef(), context, input.module, options);
  return status == Status::Success ? kOk : status == Status::ParseFailure ? kParse : kUsage;
}

int Runner::makeRequest() {
  std::string error;
  ArgDefaults defaults;
  defaults.seed = seed;
  if (!parsePassMode(arraysText, defaults.pass))
    return fail(kUsage, "--arrays must be ptr, array or array64");
  if (!parseGrid(gridText, request.grid, error) || !parseGrid(blockText, request.block, error) ||
      !Tolerance::parse(toleranceText, tolerance, error))
    return fail(kUsage, error);
  std::vector<std::string> specs(positionalArgs.begin(), positionalArgs.end());
  specs.insert(specs.end(), namedArgs.begin(), namedArgs.end());
  for (const std::string &spec : specs)
    if (!parseLaunchArg(spec, defaults, request, error))
      return fail(kUsage, error);
  auto known = [&](StringRef name) {
    return llvm::any_of(request.buffers, [&](const Buffer &b) { return name == b.name; });
  };
  for (StringRef dump : dumps)
    if (!dump.contains('=') || !known(dump.split('=').first))
      return fail(kUsage, "--dump=" + dump + ": expected NAME=FILE with the name of an array");
  for (StringRef show : shows)
    if (!known(show))
      return fail(kUsage, "--show=" + show + ": no such array");
  request.dynamicSharedBytes = dynamicShared;
  request.entry = entryName;
  if (input.module) {
    mlir::cuda_tile::EntryOp entry = findEntry(*input.module, entryName, error);
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

/// The compiler consumes its module, so it gets a copy.
int Runner::compile() {
  if (!input.ptx.empty())
    return kOk;
  CompileOptions options;
  options.gpuName = gpuName;
  options.optLevel = int(optLevel);
  options.pipelineOptions = pipelineOptions;
  options.emit = "ptx";
  std::string error;
  if (checkOptions(options, error) != Status::Success)
    return fail(kUsage, error);
  mlir::OwningOpRef<mlir::ModuleOp> copy = input.module->clone();
  if (failed(compileToPTX(*copy, options, input.ptx)))
    return kCompile;
  input.ptxName = savePTX.empty() ? inputFile + " (compiled PTX)" : savePTX.getValue();
  if (savePTX.empty())
    return kOk;
  std::error_code ec;
  llvm::raw_fd_ostream file(savePTX, ec);
  if (ec)
    return fail(kUsage, "cannot write '" + savePTX + "': " + ec.message());
  file << input.ptx;
  return kOk;
}

int Runner::runOnce(Engine &engine, const std::string &label) {
  Result result{label, request};
  Progress progress(label);
  result.request.progress = [&](uint64_t done, uint64_t total) { progress.update(done, total); };
  RunOutcome outcome = engine.run(result.request);
  result.request.progress = nullptr;
  llvm::outs() << outcome.output;
  llvm::outs().flush();
  for (const std::string &report : outcome.reports)
    llvm::errs() << report << "\n";
  if (stats) {
    llvm::outs() << label << ": " << llvm::format("%.3f", outcome.seconds) << " s\n";
    for (auto &[key, value] : outcome.stats)
      llvm::outs() << "  " << key << (key.empty() ? "" : ": ") << value << "\n";
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
    return runOnce(*makeReferenceEngine(*input.module, maxSteps), "reference");
  }
  if (name == "emulator") {
    if (!input.cubin.empty())
      return fail(kUsage, "the emulator needs PTX or a cuda_tile module, not a cubin");
    if (int code = compile())
      return code;
    for (unsigned i = 0; i < std::max(1u, unsigned(schedules)); ++i) {
      emu::LaunchOptions options;
      // The three fixed orders first, then seeded random ones.
      options.schedule = i == 0   ? emu::Schedule::RoundRobin
                         : i == 1 ? emu::Schedule::Forward
                         : i == 2 ? emu::Schedule::Reverse
                                  : emu::Schedule::Random;
      options.seed = seed + i;
      options.hostThreads = hostThreads;
      options.maxWarpInstructionsPerBlock = maxSteps;
      auto engine = makeEmulatorEngine(input.ptx, input.ptxName, options, error);
      if (!engine) {
        llvm::errs() << error << "\n";
        return input.module ? kCompile : kParse;
      }
      std::string label = "emulator";
      if (schedules > 1)
        label += std::string(" (") + emu::scheduleName(options.schedule) +
                 (i > 2 ? " seed " + std::to_string(options.seed) : "") + ")";
      if (int code = runOnce(*engine, label))
        return code;
    }
    return kOk;
  }
  if (name == "cuda") {
    if (input.cubin.empty())
      if (int code = compile())
        return code;
    auto engine = makeCudaEngine(input.cubin.empty() ? input.ptx : input.cubin, device, libcuda, error);
    if (!engine)
      return fail(kUsage, error);
    return runOnce(*engine, "cuda");
  }
  return fail(kUsage, "unknown engine '" + name + "' (known: reference emulator cuda)");
}

/// Against .npy files where they are given, and every run against the first.
int Runner::compareResults() {
  bool ok = true;
  auto report = [&](const std::string &label, const std::string &against,
                    const BufferComparison &comparison) {
    ok &= comparison.ok;
    if (!comparison.ok || check)
      (comparison.ok ? llvm::outs() : llvm::errs())
          << (comparison.ok ? "ok: " : "mismatch: ") << label << " against " << against << ": '"
          << comparison.name << "': " << comparison.text << "\n";
  };
  for (const Result &result : results)
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
      comparison.comparison =
          compare(buffer.array, expected, buffer.hasTolerance ? buffer.tolerance : tolerance);
      comparison.ok = comparison.comparison.ok();
      comparison.text = comparison.comparison.describe(buffer.array.type);
      report(result.label, buffer.expectFile, comparison);
    }
  for (size_t i = 1; check && i < results.size(); ++i)
    for (const BufferComparison &comparison :
         compareBuffers(results[i].request.buffers, results[0].request.buffers, tolerance))
      report(results[i].label, results[0].label, comparison);
  return ok ? kOk : kMismatch;
}

/// Of the last run: with --check that is the engine under test.
int Runner::writeResults() {
  const LaunchRequest &last = results.back().request;
  for (StringRef dump : dumps) {
    auto [name, path] = dump.split('=');
    for (const Buffer &buffer : last.buffers) {
      std::string error;
      if (buffer.name == name && !writeNpy(path.str(), buffer.array, error))
        return fail(kUsage, error);
    }
  }
  for (StringRef show : shows)
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
  registerAllTileirasDialects(registry);
  context.appendDialectRegistry(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler printDiagnostics(sources, &context, llvm::errs());

  if (int code = load())
    return code;
  if (int code = makeRequest())
    return code;
  std::vector<std::string> engines(engineNames.begin(), engineNames.end());
  if (engines.empty())
    engines.push_back(input.module && !check ? "reference" : input.cubin.empty() ? "emulator" : "cuda");
  // The reference is what the others are compared with.
  if (check && input.module && !llvm::is_contained(engines, "reference"))
    engines.insert(engines.begin(), "reference");
  for (const std::string &engine : engines)
    if (int code = runEngine(engine))
      return code;
  if (check && results.size() < 2 &&
      llvm::all_of(request.buffers, [](const Buffer &b) { return b.expectFile.empty(); }))
    return fail(kUsage, "--check has nothing to compare with: name two engines, or expect=FILE.npy");
  int verdict = compareResults();
  if (int code = writeResults())
    return code;
  return verdict;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs a CUDA Tile IR kernel\n\n"
                              "  An ARGUMENT is a scalar (i32=5, f32=1.5) or an array "
                              "([out:]NAME:TYPE[AxB]{options}=init); see docs/tileiras-run.md.\n"
                              "  Exit codes: 0 ok, 1 usage, 3 parse, 5 compile, 6 run, 7 mismatch.\n");
  return Runner().main();
}
