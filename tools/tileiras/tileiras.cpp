//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileiras: compiles one Tile IR module to a cubin. The flags, the form of the
// diagnostics and the exit codes are those that CUDA Tile front ends rely on;
// docs/tileiras.md describes them.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Remarks.h"
#include "Tools.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/CodeGen/TimeReport.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Diagnostics.h"
#include "tileiras/Compiler/ListTargets.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Explorer/Explorer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>

using namespace mlir;
using namespace tileiras;
namespace cl = llvm::cl;

namespace {

int fail(Status status, const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return static_cast<int>(status);
}

/// The flags. They exist only while the tool runs: other tools have some of the same names.
struct CommandLine {
  cl::OptionCategory category{"tileiras options"};

  cl::opt<std::string> inputFile{cl::Positional, cl::desc("<input file, or - for standard input>"), cl::Required,
                                 cl::cat(category)};
  cl::opt<std::string> outputFile{"o", cl::desc("Output file (elf.o; text stages go to standard output)"),
                                  cl::value_desc("file"), cl::cat(category)};
  cl::alias outputFileLong{"output-file", cl::desc("Alias for -o"), cl::aliasopt(outputFile), cl::cat(category)};
  cl::opt<std::string> gpuName{"gpu-name", cl::desc("GPU to compile for: sm_80 ... sm_121, with or without a/f suffix"),
                               cl::init("sm_100"), cl::value_desc("name"), cl::cat(category)};
  cl::alias gpuArch{"arch", cl::desc("Alias for --gpu-name"), cl::aliasopt(gpuName), cl::cat(category)};
  cl::opt<int> optLevel{"opt-level", cl::desc("Optimization level, 0 to 3"), cl::init(3), cl::value_desc("level"),
                        cl::cat(category)};
  cl::alias optLevelShort{"O", cl::desc("Alias for --opt-level"), cl::aliasopt(optLevel), cl::Prefix,
                          cl::cat(category)};
  cl::opt<bool> lineInfo{"lineinfo", cl::desc("Emit line tables"), cl::cat(category)};
  cl::opt<bool> deviceDebug{"device-debug", cl::desc("Emit full debug information; needs -O0"), cl::cat(category)};
  cl::alias deviceDebugShort{"g", cl::desc("Alias for --device-debug"), cl::aliasopt(deviceDebug), cl::cat(category)};
  cl::opt<std::string> emitStage{"emit",
                                 cl::desc("What to write: cuda_tile, tileaa, tileas, llvm, llvmir, ptx, cubin, host"),
                                 cl::init("cubin"), cl::value_desc("stage"), cl::cat(category)};
  cl::opt<std::string> ptxasPath{"ptxas-path", cl::desc("The assembler, or the folder it is in"),
                                 cl::value_desc("path"), cl::cat(category)};
  cl::opt<std::string> libdevicePath{"libdevice-path", cl::desc("libdevice.10.bc, its folder, or none"),
                                     cl::value_desc("path"), cl::cat(category)};
  cl::opt<int> numWarps{"num-warps", cl::desc("Warps per block (default: the kernel's hints)"), cl::init(0),
                        cl::cat(category)};
  cl::opt<int> numCtas{"num-ctas", cl::desc("Blocks per tile block (default: the kernel's hints)"), cl::init(0),
                       cl::cat(category)};
  cl::opt<bool> dynamicShared{"dynamic-shared",
                              cl::desc("Allow more shared memory than a static array; needs our own launcher"),
                              cl::cat(category)};
  cl::opt<std::string> staticShared{"static-shared",
                                    cl::desc("Most static shared memory of a kernel: 48k, or device (all of a block's; "
                                             "the section of the cubin is enlarged)"),
                                    cl::init("48k"), cl::cat(category)};
  cl::opt<std::string> registerLimits{
      "register-limits",
      cl::desc("Kernels that ptxas is to do with fewer registers, if that gives a "
               "multiprocessor one more block, or beside wgmma, and spills nothing, and those that spill and "
               "are tried in other orders: none, cubin (those of cubins), ptx (what is "
               "kept is written as PTX, too), or least (as ptx, all products in as few registers as there are)"),
      cl::init("cubin"), cl::value_desc("where"), cl::cat(category)};
  cl::opt<std::string> launchAbi{"launch-abi", cl::desc("reqntid, blocksareclusters or simt"), cl::init("reqntid"),
                                 cl::cat(category)};
  cl::opt<std::string> pipelineOptions{
      "pipeline-options", cl::desc("Options of the tileir pipeline: \"name=value ...\""), cl::cat(category)};
  cl::opt<std::string> hostArch{"host-arch", cl::desc("x86_64, aarch64 or arm64ec"), cl::init("x86_64"),
                                cl::cat(category)};
  cl::opt<std::string> hostOs{"host-os", cl::desc("linux or windows"), cl::init("linux"), cl::cat(category)};
  cl::opt<std::string> sanitize{"sanitize", cl::desc("memcheck"), cl::cat(category)};
  cl::opt<bool> verifyEach{"verify-each", cl::desc("Verify the module after every pass"), cl::cat(category)};
  cl::opt<bool> verbose{"v", cl::desc("Print remarks, and what ptxas says"), cl::cat(category)};
  cl::opt<bool> listTargets{"list-targets", cl::desc("Print the target table as JSON and exit"), cl::cat(category),
                            cl::callback([](const bool &wanted) {
                              if (!wanted)
                                return;
                              printTargets(llvm::outs());
                              llvm::outs().flush();
                              llvm::sys::Process::Exit(0, /*NoCleanup=*/true);
                            })};
  RemarkFlags remarkFlags{category};
  cl::opt<bool> timeReport{"time-report", cl::desc("Print where the time went"), cl::cat(category)};
  cl::opt<std::string> report{"report",
                              cl::desc("Write a page to look at: source, stages, PTX, remarks, layouts (HTML)"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> reportTiming{"report-timing",
                                    cl::desc("For --report: what tileiras-run --time-json has written"),
                                    cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> reportTrace{"report-trace",
                                   cl::desc("For --report: what tileiras-run --time --trace has written"),
                                   cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> timeReportJson{"time-report-json", cl::desc("Write the time report to a file as JSON"),
                                      cl::value_desc("file"), cl::Hidden, cl::cat(category)};

  std::string stageToEmit();
  CompileOptions options();
  int run(TimeReport *report);
  int writeReport(const llvm::MemoryBuffer &input, const CompileOptions &options, bool alone);
};

/// TILEIRAS_IMAGE=ptx: whoever wants a cubin gets PTX in its place. tileiras-emu sets it: its driver executes PTX, and
/// a front end loads whatever image it is given.
std::string CommandLine::stageToEmit() {
  const char *image = std::getenv("TILEIRAS_IMAGE");
  return !emitStage.getNumOccurrences() && image && llvm::StringRef(image) == "ptx" ? std::string("ptx") : emitStage;
}

CompileOptions CommandLine::options() {
  CompileOptions options;
  options.gpuName = gpuName;
  options.optLevel = optLevel;
  options.lineInfo = lineInfo;
  options.deviceDebug = deviceDebug;
  options.numWarps = numWarps;
  options.numCtas = numCtas;
  options.emit = stageToEmit();
  options.ptxasPath = ptxasPath;
  options.libdevicePath = libdevicePath;
  options.dynamicShared = dynamicShared;
  options.staticShared = staticShared;
  options.registerLimits = registerLimits;
  options.launchAbi = launchAbi;
  options.pipelineOptions = pipelineOptions;
  options.hostArch = hostArch;
  options.hostOs = hostOs;
  options.sanitize = sanitize;
  options.verifyEach = verifyEach;
  options.verbose = verbose;
  options.configurePassManager = [](PassManager &manager) { return applyPassManagerCLOptions(manager); };
  return options;
}

int CommandLine::run(TimeReport *times) {
  CompileOptions options = this->options();
  options.timeReport = times;
  std::string error;
  if (Status status = checkOptions(options, error); status != Status::Success)
    return fail(status, error);

  auto input = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!input)
    return fail(Status::AllocationFailure, "cannot read '" + inputFile + "': " + input.getError().message());

  TimePhase registration(times, "registration");
  registerCompilerPasses();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  // Never freed: the process ends first, and taking apart what dialects registered costs more than parsing did.
  MLIRContext &context = *new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  // The operation in its generic form, with everything in it, is for those who debug the compiler.
  context.printOpOnDiagnostic(verbose);
  registration.stop();

  DiagnosticPrinter printer(context, llvm::errs(), **input, verbose || remarkFlags.any());
  if (Status status = remarkFlags.enable(context, verbose, error); status != Status::Success)
    return fail(status, error);
  // A page alone needs no assembler.
  bool alone = !report.empty() && outputFile.empty() && !emitStage.getNumOccurrences();
  if (!report.empty() || std::getenv("TILEIRAS_REPORT"))
    if (int code = writeReport(**input, options, alone); alone || (code && !report.empty()))
      return code;
  OwningOpRef<ModuleOp> module;
  if (Status status = parseInput(**input, context, module, options); status != Status::Success)
    return static_cast<int>(status);
  std::string output;
  Status status = compile(*module, options, output);
  if (Status written = remarkFlags.write(error); written != Status::Success)
    return fail(written, error);
  (void)module.release();
  if (status != Status::Success)
    return fail(status, "failed to compile Tile IR program");

  TimePhase writing(times, "writing");
  std::string file = outputFile;
  if (file.empty())
    file = emitStage == "cubin" ? "elf.o" : "-";
  if (llvm::Error writeError = writeOutputFile(file, output))
    return fail(Status::AllocationFailure, "cannot write '" + file + "': " + llvm::toString(std::move(writeError)));
  return 0;
}

/// TILEIRAS_REPORT=FOLDER: whoever calls this compiler, a page of every kernel appears in the folder.
std::string pageInFolder(const llvm::json::Object &facts, llvm::StringRef input) {
  const char *folder = std::getenv("TILEIRAS_REPORT");
  llvm::StringRef name = "module";
  if (const llvm::json::Array *stages = facts.getArray("stages"); stages && !stages->empty())
    if (std::optional<llvm::StringRef> text = (*stages)[0].getAsObject()->getString("text"))
      if (llvm::StringRef rest = text->split("entry @").second; !rest.empty())
        name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  llvm::SmallString<128> path(folder);
  // Two kernels of one name are two pages, and one kernel compiled again is the same.
  llvm::sys::path::append(path, name + "-" + llvm::utohexstr(llvm::xxh3_64bits(input), /*LowerCase=*/true) + ".html");
  return std::string(path);
}

/// --report: the same input once more, with the text of every stage kept.
int CommandLine::writeReport(const llvm::MemoryBuffer &input, const CompileOptions &options, bool alone) {
  std::string timing, trace, error;
  for (auto [file, text] : {std::pair(&reportTiming, &timing), {&reportTrace, &trace}}) {
    if (file->empty())
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(*file);
    if (!buffer)
      return fail(Status::AllocationFailure, "cannot read '" + *file + "': " + buffer.getError().message());
    *text = (*buffer)->getBuffer().str();
  }
  explorer::Request request{input, options, /*assemble=*/true};
  llvm::json::Object facts = explorer::explore(request);
  std::string page = explorer::makePage(facts, timing, trace, error);
  if (!error.empty())
    return fail(Status::AllocationFailure, "--report-" + error);
  std::string file = report.empty() ? pageInFolder(facts, input.getBuffer()) : std::string(report);
  if (llvm::Error writeError = writeOutputFile(file, page))
    return fail(Status::AllocationFailure, "cannot write '" + file + "': " + llvm::toString(std::move(writeError)));
  // The page has the diagnostics; whoever does not look at it should hear of them too, if nothing else is compiled.
  int status = int(facts.getInteger("status").value_or(0));
  if (status && alone) {
    for (const llvm::json::Value &value : *facts.getArray("diagnostics"))
      if (const llvm::json::Object *diagnostic = value.getAsObject())
        llvm::errs() << diagnostic->getString("severity").value_or("error") << ": "
                     << diagnostic->getString("message").value_or("") << "\n";
    return fail(static_cast<Status>(status), "failed to compile Tile IR program; '" + file + "' shows how far it got");
  }
  return 0;
}

} // namespace

int tileiras::tileirasMain(int argc, char **argv) {
  double startup = processMilliseconds();
  installCrashHandlers();
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { printVersion(os, "tileiras", "optimizing assembler"); });
  registerMLIRContextCLOptions();
  registerAsmPrinterCLOptions();
  registerPassManagerCLOptions();
  cuda_tile::registerHintOptions();
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  double begin = TimeReport::now();
  if (!cl::ParseCommandLineOptions(argc, argv, "CUDA Tile IR optimizing assembler\n", &llvm::errs()))
    return static_cast<int>(Status::AllocationFailure);
  TimeReport times;
  times.add("loading and static initialization", startup);
  times.add("command line", TimeReport::now() - begin);
  bool timing = line.timeReport || !line.timeReportJson.empty();

  int code = line.run(timing ? &times : nullptr);

  if (line.timeReport)
    times.print(llvm::errs());
  if (!line.timeReportJson.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    times.printJson(os);
    if (llvm::Error error = writeOutputFile(line.timeReportJson, text))
      code = fail(Status::AllocationFailure,
                  "cannot write '" + line.timeReportJson + "': " + llvm::toString(std::move(error)));
  }
  llvm::outs().flush();
  llvm::errs().flush();
  llvm::sys::Process::Exit(code, /*NoCleanup=*/true);
}
