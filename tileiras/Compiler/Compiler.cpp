//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Register.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/CodeGen/HostEmission.h"
#include "tileiras/CodeGen/PTXEmission.h"
#include "tileiras/CodeGen/TimeReport.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Compiler/CubinSections.h"
#include "tileiras/Compiler/FewestRegisters.h"
#include "tileiras/Compiler/Pipelines.h"
#include "tileiras/Compiler/PtxasResources.h"
#include "tileiras/Compiler/RegisterLimit.h"
#include "tileiras/Compiler/StaticShared.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/Residency.h"
#include "tileiras/Support/TargetTable.h"
#include "tileiras/Support/TextFault.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tileiras {

//===----------------------------------------------------------------------===//
// Stages and options
//===----------------------------------------------------------------------===//

static constexpr std::pair<Stage, llvm::StringLiteral> stageTable[] = {
    {Stage::CudaTile, "cuda_tile"}, {Stage::TileAA, "tileaa"}, {Stage::TileAS, "tileas"}, {Stage::LLVM, "llvm"},
    {Stage::LLVMIR, "llvmir"},      {Stage::PTX, "ptx"},       {Stage::Cubin, "cubin"},   {Stage::Host, "host"}};

std::optional<Stage> parseStage(StringRef name) {
  for (auto [stage, text] : stageTable)
    if (text == name)
      return stage;
  return std::nullopt;
}

StringRef stringifyStage(Stage stage) {
  for (auto [known, text] : stageTable)
    if (known == stage)
      return text;
  return "unknown";
}

std::string stageNames() {
  std::string names;
  for (auto [stage, text] : stageTable)
    names += (names.empty() ? "" : ", ") + text.str();
  return names;
}

static bool isOneOf(StringRef value, std::initializer_list<StringRef> choices) {
  return llvm::is_contained(choices, value);
}

Status checkOptions(const CompileOptions &options, std::string &error) {
  auto fail = [&](const Twine &text) {
    error = text.str();
    return Status::InvalidConfiguration;
  };
  std::string why;
  if (!lookupTarget(options.gpuName, &why))
    return fail("unsupported GPU target: " + why);
  if (options.optLevel < 0 || options.optLevel > 3)
    return fail("invalid optimization level: " + Twine(options.optLevel) + " is not 0, 1, 2 or 3");
  if (options.deviceDebug && options.optLevel != 0)
    return fail("optimized debugging is not supported, change optimization level to 0 or disable full debug info");
  if (!isOneOf(options.hostArch, {"x86_64", "aarch64", "arm64ec"}))
    return fail("unsupported host architecture: '" + options.hostArch + "' is not x86_64, aarch64 or arm64ec");
  if (!isOneOf(options.hostOs, {"linux", "windows"}))
    return fail("unsupported host operating system: '" + options.hostOs + "' is not linux or windows");
  if (!isOneOf(options.sanitize, {"", "memcheck"}))
    return fail("unsupported sanitizer: '" + options.sanitize + "' is not memcheck");
  if (!isOneOf(options.launchAbi, {"reqntid", "blocksareclusters", "simt"}))
    return fail("unsupported launch ABI: '" + options.launchAbi + "' is not reqntid, blocksareclusters or simt");
  if (!isOneOf(options.staticShared, {"48k", "device"}))
    return fail("invalid static shared memory: '" + options.staticShared + "' is not 48k or device");
  if (!isOneOf(options.registerLimits, {"none", "cubin", "ptx", "least"}))
    return fail("invalid register limits: '" + options.registerLimits + "' is not none, cubin, ptx or least");
  if (options.numWarps != 0 &&
      (options.numWarps < 1 || options.numWarps > 32 || !llvm::isPowerOf2_32(options.numWarps)))
    return fail("invalid number of warps: " + Twine(options.numWarps) + " is not a power of two up to 32");
  if (options.numCtas != 0 && (options.numCtas < 1 || options.numCtas > 16 || !llvm::isPowerOf2_32(options.numCtas)))
    return fail("invalid number of blocks in a cluster: " + Twine(options.numCtas) + " is not a power of two up to 16");
  if (!parseStage(options.emit))
    return fail("invalid --emit: '" + options.emit + "' is not one of " + stageNames());
  return Status::Success;
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

/// What crashes verifiers of MLIR. nvgpu.device_async_copy asks its elements for their width, which index and vectors
/// do not have; nothing is known of the operation here but its name.
static LogicalResult checkBeforeVerifiers(ModuleOp module) {
  return failure(module
                     .walk([](Operation *op) {
                       if (op->getName().getStringRef() != "nvgpu.device_async_copy")
                         return WalkResult::advance();
                       for (Type type : op->getOperandTypes())
                         if (auto memref = dyn_cast<MemRefType>(type);
                             memref && !memref.getElementType().isIntOrFloat()) {
                           op->emitOpError() << "cannot copy elements of " << memref.getElementType();
                           return WalkResult::interrupt();
                         }
                       return WalkResult::advance();
                     })
                     .wasInterrupted());
}

Status parseInput(llvm::MemoryBufferRef input, MLIRContext &context, OwningOpRef<ModuleOp> &module,
                  const CompileOptions &options) {
  TimePhase phase(options.timeReport, "parsing");
  StringRef bytes = input.getBuffer();
  Location unlocated = UnknownLoc::get(&context);
  if (cuda_tile::isMLIRBytecode(bytes)) {
    emitError(unlocated) << input.getBufferIdentifier()
                         << ": failed to parse IR bytecode (it looks like MLIR bytecode instead)";
    return Status::ParseFailure;
  }
  if (cuda_tile::isTileIRBytecode(bytes)) {
    OwningOpRef<cuda_tile::ModuleOp> kernels = cuda_tile::readBytecode(input, &context);
    if (!kernels)
      return Status::ParseFailure;
    module = ModuleOp::create(unlocated);
    module->push_back(kernels.release());
    return Status::Success;
  }
  // What is neither of the two formats must be text.
  if (bytes.empty() || bytes.contains('\0') || !llvm::json::isUTF8(bytes)) {
    emitError(unlocated) << input.getBufferIdentifier() << ": input does not correspond to Tile IR bytecode";
    return Status::ParseFailure;
  }
  if (std::optional<TextFault> fault = findTextFault(bytes)) {
    emitError(FileLineColLoc::get(&context, input.getBufferIdentifier(), fault->line, fault->column)) << fault->message;
    return Status::ParseFailure;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input, /*RequiresNullTerminator=*/false), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module || failed(checkBeforeVerifiers(*module)) || failed(verify(*module))) {
    module = nullptr;
    return Status::ParseFailure;
  }
  return Status::Success;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static LogicalResult setPipelineOptions(TileIRPipelineOptions &pipeline, const CompileOptions &options, Location loc) {
  pipeline.computeCapability = options.gpuName;
  pipeline.optLevel = 3; // the driver always goes to the end; how hard it tries is v2-opt-level
  pipeline.v2OptLevel = options.optLevel;
  pipeline.cleanUp = options.optLevel > 0;
  if (options.numWarps)
    pipeline.numWarps = options.numWarps;
  if (options.numCtas)
    pipeline.numCtas = options.numCtas;
  pipeline.emitLineInfo = std::string(options.lineInfo ? "FromInput" : "none");
  pipeline.deviceDebug = options.deviceDebug;
  pipeline.dynamicShared = options.dynamicShared;
  pipeline.pipelineStrategy = std::string(options.optLevel >= 2 ? "auto" : "none");
  pipeline.launchAbi = options.launchAbi;
  pipeline.libdevice = !findLibdevice(options.libdevicePath).empty();
  std::string message;
  llvm::raw_string_ostream os(message);
  if (!options.pipelineOptions.empty() && failed(pipeline.parseFromString(options.pipelineOptions, os)))
    return emitError(loc) << "invalid pipeline options: " << StringRef(message).trim();
  // The host's part is of kernels that want one.
  if (parseStage(options.emit) == Stage::Host)
    pipeline.tmaDescriptors = std::string("host");
  return success();
}

EmissionOptions emissionOptions(const CompileOptions &options, Stage stage) {
  EmissionOptions emission;
  emission.gpuName = options.gpuName;
  emission.optLevel = options.optLevel;
  emission.libdevice = usesLibdevice(options) ? findLibdevice(options.libdevicePath) : "";
  emission.llvmIR = stage == Stage::LLVMIR;
  emission.verbose = options.verbose;
  emission.timeReport = options.timeReport;
  return emission;
}

bool usesLibdevice(const CompileOptions &options) {
  TileIRPipelineOptions pipeline;
  pipeline.libdevice = true;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (!options.pipelineOptions.empty() && failed(pipeline.parseFromString(options.pipelineOptions, os)))
    return true; // diagnosed where the passes are built
  return pipeline.libdevice && !findLibdevice(options.libdevicePath).empty();
}

/// One pass manager, verified at its end; `build` adds its passes.
static LogicalResult runHop(ModuleOp module, const char *title, const CompileOptions &options,
                            function_ref<LogicalResult(PassManager &)> build) {
  TimePhase phase(options.timeReport, title);
  PassManager manager(module->getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(options.verifyEach);
  if (failed(build(manager)))
    return failure();
  if (options.configurePassManager && failed(options.configurePassManager(manager)))
    return failure();
  if (options.timeReport)
    options.timeReport->instrument(manager);
  return failure(failed(manager.run(module)) || (!options.verifyEach && failed(verify(module))));
}

/// A module that begins with nv_tileas need not say for which target it is; one that does is for no other.
static LogicalResult setTarget(ModuleOp module, const CompileOptions &options, Stage from) {
  const TargetInfo *target = lookupTarget(options.gpuName);
  Builder builder(module.getContext());
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    // Before layouts nothing has been chosen for a target.
    FailureOr<StringRef> spec = nv_tileaa::getTargetSpec(kernels);
    if (from != Stage::TileAA && succeeded(spec)) {
      if (const TargetInfo *own = lookupTarget(spec->str()); own != target)
        return kernels.emitError("is for ") << *spec << ", not for " << options.gpuName;
      continue;
    }
    kernels->setAttr(nv_tileaa::kComputeCapabilityAttr, builder.getI32IntegerAttr(target->computeCapability));
    kernels->setAttr(nv_tileaa::kTargetSpecAttr, builder.getStringAttr(target->compiledAs));
  }
  return success();
}

LogicalResult runUntil(ModuleOp module, Stage stage, const CompileOptions &options) {
  registerCompilerPasses(); // the pipeline finds its passes by name; callers need not know
  TileIRPipelineOptions pipeline;
  if (failed(setPipelineOptions(pipeline, options, module.getLoc())))
    return failure();
  auto onError = [&](const Twine &message) -> LogicalResult { return emitError(module.getLoc()) << message; };
  if (isGpuModuleInput(module)) {
    if (stage != Stage::LLVM)
      return onError("the module holds no tiles, so it has no stage '" + stringifyStage(stage) + "'");
    // The name the code is compiled for: sm_90 is sm_90a.
    if (const TargetInfo *target = lookupTarget(options.gpuName))
      pipeline.computeCapability = std::string(target->compiledAs);
    return runHop(module, "nvgpu to llvm", options,
                  [&](PassManager &manager) { return buildNVGPUPipeline(manager, pipeline, onError); });
  }
  // Functions are calls of libdevice, whichever is linked: CUDA's or ours (MathLibrary.h).
  pipeline.libdevice = true;
  // One pass manager per hop: the module is verified where the dialect changes, which is where mistakes show, and not
  // after each of some twenty passes.
  static constexpr std::pair<Stage, const char *> hops[] = {{Stage::TileAA, "cuda_tile to nv_tileaa"},
                                                            {Stage::TileAS, "nv_tileaa to nv_tileas"},
                                                            {Stage::LLVM, "nv_tileas to llvm"}};
  Stage from = inputStage(module);
  if (from != Stage::CudaTile && failed(setTarget(module, options, from)))
    return failure();
  for (auto [to, title] : hops) {
    if (stage < to)
      break;
    if (to <= from)
      continue;
    if (failed(runHop(module, title, options,
                      [&](PassManager &manager) { return buildTileIRPipeline(manager, pipeline, from, to, onError); })))
      return failure();
    from = to;
    if (to == Stage::TileAA && options.staticShared == "device")
      for (auto kernels : module.getOps<gpu::GPUModuleOp>())
        kernels->setAttr(kStaticSharedAttr, StringAttr::get(module.getContext(), "device"));
  }
  return success();
}

LogicalResult compileToPTX(ModuleOp module, const CompileOptions &options, std::string &ptx) {
  if (failed(runUntil(module, Stage::LLVM, options)))
    return failure();
  return emitPTX(module, emissionOptions(options, Stage::PTX), ptx);
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

AssemblyReport::AssemblyReport() = default;
AssemblyReport::AssemblyReport(AssemblyReport &&) = default;
AssemblyReport &AssemblyReport::operator=(AssemblyReport &&) = default;
AssemblyReport::~AssemblyReport() = default;

namespace {
/// One run of ptxas.
struct Assembler {
  explicit Assembler(const CompileOptions &options) : options(options) {}
  const CompileOptions &options;
  const TargetInfo *target = nullptr;
  std::string program;
  std::map<std::string, uint64_t> beyond; ///< shared memory of kernels that have more than the assembler takes

  std::string cubin, said;

  /// Runs it; what went wrong, or empty.
  std::string run(StringRef ptx, bool verbose) {
    RunningTool running = begin(ptx, verbose);
    return end(running);
  }
  RunningTool begin(StringRef ptx, bool verbose) const;
  std::string end(RunningTool &running);
};
} // namespace

RunningTool Assembler::begin(StringRef ptx, bool verbose) const {
  std::vector<std::string> arguments = {std::string("-arch=") + target->compiledAs,
                                        "-O" + std::to_string(options.optLevel),
                                        "--fmad=false", // see TargetOptions::AllowFPOpFusion in PTXEmission.cpp
                                        "{in}",
                                        "-o",
                                        "{out}"};
  if (options.deviceDebug)
    arguments.push_back("-g");
  else if (options.lineInfo)
    arguments.push_back("-lineinfo");
  if (verbose)
    arguments.push_back("-v");
  if (options.sanitize == "memcheck")
    arguments.push_back("-sanitize=memcheck");

  // Arrays beyond what the assembler takes are assembled as large as it takes them.
  std::string shortened;
  if (!beyond.empty()) {
    shortened = withStaticArrays(ptx, target->maxStaticShared);
    ptx = shortened;
  }
  return RunningTool(program, arguments, ptx);
}

std::string Assembler::end(RunningTool &running) {
  ProcessResult result = running.wait(cubin);
  // Verbatim: front ends look for ptxas's own words, as "uses too much shared data (0x... bytes, 0x... max)".
  said = StringRef(result.standardError).rtrim().str();
  std::string words = (said.empty() ? "" : "\n") + said;
  if (!result.failure.empty())
    return program + ": " + result.failure + words;
  if (result.exitCode != 0)
    return program + " exited with status " + std::to_string(result.exitCode) + words;
  if (cubin.empty())
    return program + " wrote no cubin" + words;
  if (std::string why; !beyond.empty() && !enlargeSharedSections(cubin, beyond, why))
    return "static shared memory cannot be enlarged: what " + program + " wrote " + why;
  return "";
}

/// The code of what is kept may be longer by a tenth.
static constexpr unsigned kLonger = 10;

/// Bytes that the kernels keep in memory, and those of their code.
static std::pair<unsigned, uint64_t> spillsAndCode(const Assembler &assembler) {
  unsigned spilled = 0;
  uint64_t code = 0;
  for (const PtxasResources &resources : parsePtxasResources(assembler.said)) {
    spilled += resources.spillStores;
    code += codeBytes(assembler.cubin, resources.function);
  }
  return {spilled, code};
}

/// Other orders of instructions, where ptxas spills: those that leave it fewer registers, and more. No estimate tells
/// which one it needs none in, since it moves instructions itself. `assembler` has assembled `ptx`; both have what is
/// kept in the end.
static OrderTrial tryOtherOrders(Assembler &assembler, std::string &ptx, ModuleOp source) {
  OrderTrial trial;
  for (const PtxasResources &resources : parsePtxasResources(assembler.said))
    if (resources.spillStores && trial.kernel.empty())
      trial.kernel = resources.function;
  auto [spilled, code] = spillsAndCode(assembler);
  trial.spilledBefore = trial.spilledKept = spilled;
  for (unsigned percent : {50, 200}) {
    if (!trial.spilledKept)
      break;
    EmissionOptions emission = emissionOptions(assembler.options, Stage::PTX);
    emission.sparePercent = percent;
    std::string text;
    Assembler other = assembler;
    if (failed(emitPTX(source, emission, text)) || text == ptx || !other.run(text, /*verbose=*/true).empty())
      continue;
    ++trial.attempts;
    auto [itsSpilled, itsCode] = spillsAndCode(other);
    if (itsSpilled >= trial.spilledKept || itsCode > code + code / kLonger)
      continue;
    trial.spilledKept = itsSpilled;
    ptx = std::move(text);
    assembler.cubin = std::move(other.cubin);
    assembler.said = std::move(other.said);
  }
  return trial;
}

/// Fewer registers, where that lets one more block in: `assembler` has assembled `ptx`, and has what is kept in the
/// end.
static std::vector<RegisterTrial> tryRegisterLimits(Assembler &assembler, StringRef ptx, ArrayRef<PtxKernel> kernels) {
  std::vector<PtxasResources> before = parsePtxasResources(assembler.said);
  std::map<std::string, uint64_t> shared = dynamicSharedNeeds(ptx);
  std::vector<RegisterTrial> trials = planRegisterTrials(kernels, before, shared, *assembler.target);
  if (trials.empty())
    return trials;
  Assembler second = assembler;
  auto find = [](ArrayRef<PtxasResources> resources, StringRef name) -> const PtxasResources * {
    auto found = llvm::find_if(resources, [&](const PtxasResources &r) { return r.function == name; });
    return found == resources.end() ? nullptr : &*found;
  };
  // Whether the assembler takes the limits of `these`, which are judged then.
  auto attempt = [&](MutableArrayRef<RegisterTrial> these) {
    std::string refusal = second.run(withRegisterLimits(ptx, kernels, these, /*onlyKept=*/false), /*verbose=*/true);
    std::vector<PtxasResources> after = parsePtxasResources(second.said);
    for (RegisterTrial &trial : these) {
      trial.codeBefore = codeBytes(assembler.cubin, trial.kernel);
      const PtxasResources *found = find(after, trial.kernel);
      if (!refusal.empty() || !found) {
        trial.reason = "ptxas refuses the limit";
        continue;
      }
      trial.codeAfter = codeBytes(second.cubin, trial.kernel);
      judge(trial, *find(before, trial.kernel), *found);
    }
    return refusal.empty();
  };
  // Of several kernels it may be one whose limit is refused.
  bool areTogether = attempt(trials);
  if (!areTogether && trials.size() > 1)
    for (RegisterTrial &trial : trials)
      attempt(trial);
  auto kept = [](const RegisterTrial &trial) { return trial.kept; };
  if (llvm::none_of(trials, kept))
    return trials;
  // Kernels of one module do not depend on each other, but a cubin holds all of them.
  std::string refusal;
  if (!areTogether || !llvm::all_of(trials, kept))
    refusal = second.run(withRegisterLimits(ptx, kernels, trials, /*onlyKept=*/true), /*verbose=*/true);
  if (refusal.empty()) {
    assembler.cubin = std::move(second.cubin);
    assembler.said = std::move(second.said);
    return trials;
  }
  for (RegisterTrial &trial : trials)
    trial.kept = false, trial.reason = "ptxas refuses the limit";
  return trials;
}

/// Whether limits on registers are written as PTX, too.
static bool limitsInPTX(const CompileOptions &options) {
  return options.registerLimits == "ptx" || options.registerLimits == "least";
}

/// The kernels that may get a limit; none without optimisation.
static std::vector<PtxKernel> kernelsToLimit(StringRef ptx, const CompileOptions &options) {
  if (options.registerLimits == "none" || options.optLevel == 0)
    return {};
  std::vector<PtxKernel> kernels = findPtxKernels(ptx);
  llvm::erase_if(kernels, [](const PtxKernel &kernel) { return !mayLimitRegisters(kernel); });
  return kernels;
}

/// Whether ptxas may be asked more than once.
static bool mayAskAgain(StringRef ptx, const CompileOptions &options, ModuleOp source) {
  return options.registerLimits != "none" && options.optLevel != 0 && (source || !kernelsToLimit(ptx, options).empty());
}

static std::string noAssembler(const CompileOptions &options) {
  if (!options.ptxasPath.empty())
    return "no ptxas at '" + options.ptxasPath + "' (--ptxas-path)";
  return "ptxas was not found: install a CUDA toolkit, name the assembler with --ptxas-path, or stop at PTX with "
         "--emit=ptx";
}

/// What ptxas is asked for when `assembler` has assembled `ptx`; both have what is kept in the end.
static AssemblyReport askAgain(Assembler &assembler, std::string &ptx, ModuleOp source) {
  AssemblyReport report;
  if (source && spillsAndCode(assembler).first) {
    TimePhase phase(assembler.options.timeReport, "ptxas again, for fewer spills");
    report.order = tryOtherOrders(assembler, ptx, source);
  }
  std::vector<PtxKernel> kernels = kernelsToLimit(ptx, assembler.options);
  if (!kernels.empty()) {
    TimePhase phase(assembler.options.timeReport, "ptxas again, for more blocks");
    report.trials = tryRegisterLimits(assembler, ptx, kernels);
    const bool all = assembler.options.registerLimits == "least";
    llvm::erase_if(kernels, [&](const PtxKernel &kernel) { return !all && !kernel.byWgmma; });
    Assembled kept{std::move(assembler.cubin), std::move(assembler.said)};
    // Three limits, at most four, where nobody has asked for the least: as long as one more run takes where there are
    // processors enough.
    const Reach reach = all ? Reach{3, 4} : Reach{7, 8};
    tryFewestRegisters(kept, ptx, kernels, *assembler.target, reach, report.trials, [&](ArrayRef<std::string> texts) {
      std::vector<RunningTool> running;
      for (const std::string &text : texts)
        running.push_back(assembler.begin(text, /*verbose=*/true));
      std::vector<std::optional<Assembled>> assembled;
      for (RunningTool &one : running)
        assembled.push_back(assembler.end(one).empty() ? std::optional(Assembled{assembler.cubin, assembler.said})
                                                       : std::nullopt);
      return assembled;
    });
    assembler.cubin = std::move(kept.cubin);
    assembler.said = std::move(kept.said);
  }
  report.spilled = spillsAndCode(assembler).first;
  return report;
}

LogicalResult assemblePTX(std::string &ptx, Location loc, const CompileOptions &options, std::string &cubin,
                          ModuleOp source, AssemblyReport *report) {
  TimePhase phase(options.timeReport, "ptxas");
  std::string error;
  Assembler assembler(options);
  assembler.target = lookupTarget(options.gpuName, &error);
  if (!assembler.target)
    return emitError(loc) << "unsupported GPU target: " << error;
  assembler.program = findPtxas(options.ptxasPath);
  if (assembler.program.empty())
    return emitError(loc) << noAssembler(options);
  if (options.staticShared == "device")
    assembler.beyond = dynamicSharedNeeds(ptx);
  bool again = mayAskAgain(ptx, options, source);
  if (std::string wrong = assembler.run(ptx, options.verbose || report || again); !wrong.empty())
    return emitError(loc) << wrong;
  phase.stop();
  AssemblyReport found;
  if (again)
    found = askAgain(assembler, ptx, source);
  if (options.verbose && !assembler.said.empty())
    emitRemark(loc) << "ptxas:\n" << assembler.said;
  cubin = std::move(assembler.cubin);
  if (report) {
    *report = std::move(found);
    report->resources = std::move(assembler.said);
  }
  return success();
}

void remarkReport(ModuleOp module, const AssemblyReport &report) {
  if (const TightTrial &tight = report.tight; !tight.kernel.empty())
    module->walk([&](LLVM::LLVMFuncOp function) {
      if (function.getName() == tight.kernel)
        remarks::missed(function, remarks::kSlice, "Whole")
            << remarks::figure("SpillStoreBytes", tight.spilled)
            << remarks::because("whole tiles would be spilled, so the kernel is computed in slices");
    });
  const OrderTrial &order = report.order;
  if (order.attempts)
    module->walk([&](LLVM::LLVMFuncOp function) {
      if (function.getName() != order.kernel)
        return;
      bool kept = order.spilledKept < order.spilledBefore;
      (kept ? remarks::passed(function, remarks::kResources, "OtherOrder")
            : remarks::missed(function, remarks::kResources, "OtherOrder"))
          << remarks::figure("Attempts", order.attempts) << remarks::figure("SpillStoreBytes", order.spilledKept)
          << remarks::figure("SpillStoreBytesUsually", order.spilledBefore)
          << remarks::because(kept ? "the instructions in another order spill less"
                                   : "the instructions spill no less in another order");
    });
  remarkTrials(module, report.trials);
}

LogicalResult limitRegisters(std::string &ptx, Location loc, const CompileOptions &options, ModuleOp source,
                             AssemblyReport *report) {
  Assembler assembler(options);
  assembler.target = lookupTarget(options.gpuName);
  if (!assembler.target || !mayAskAgain(ptx, options, source))
    return success();
  // Who asks for limits in PTX shall know that there are none.
  auto without = [&](const std::string &why) {
    return limitsInPTX(options) ? LogicalResult(emitError(loc) << why) : success();
  };
  assembler.program = findPtxas(options.ptxasPath);
  if (assembler.program.empty())
    return without("limits on registers need ptxas (--register-limits=ptx): " + noAssembler(options));
  if (options.staticShared == "device")
    assembler.beyond = dynamicSharedNeeds(ptx);
  TimePhase phase(options.timeReport, "ptxas");
  if (std::string wrong = assembler.run(ptx, /*verbose=*/true); !wrong.empty())
    return without(wrong);
  phase.stop();
  AssemblyReport found = askAgain(assembler, ptx, source);
  ptx = withRegisterLimits(ptx, findPtxKernels(ptx), found.trials, /*onlyKept=*/true);
  if (report)
    *report = std::move(found);
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Whether tiles may be left whole, for ptxas to tell if they have room.
static bool mayTryTight(ModuleOp module, const CompileOptions &options) {
  const TargetInfo *target = lookupTarget(options.gpuName);
  return target && target->mmaFamily == MmaFamily::MmaSync && options.registerLimits != "none" &&
         options.optLevel >= 2 && !isGpuModuleInput(module) && inputStage(module) <= Stage::TileAA &&
         !StringRef(options.pipelineOptions).contains("tight-tiles") && !findPtxas(options.ptxasPath).empty();
}

/// The first kernel with tiles that were left whole; empty if there is none.
static std::string findTightKernel(ModuleOp module) {
  std::string name;
  module->walk<WalkOrder::PreOrder>([&](nv_tileaa::FuncOp function) {
    if (name.empty() && function->hasAttr(nv_tileas::kTightAttr))
      name = function.getName().str();
    return WalkResult::skip();
  });
  return name;
}

/// `module` becomes what `other` is.
static void replaceModule(ModuleOp module, ModuleOp other) {
  module->setAttrs(other->getAttrDictionary());
  module.getBodyRegion().takeBody(other.getBodyRegion());
}

LogicalResult compileAndAssemble(ModuleOp module, const CompileOptions &options, std::string &ptx, std::string *cubin,
                                 AssemblyReport &report) {
  auto compileOne = [&](ModuleOp one, const CompileOptions &how) {
    ptx.clear();
    report = AssemblyReport();
    if (failed(compileToPTX(one, how, ptx)))
      return failure();
    return cubin ? assemblePTX(ptx, one.getLoc(), how, *cubin, one, &report)
                 : limitRegisters(ptx, one.getLoc(), how, one, &report);
  };
  if (!mayTryTight(module, options))
    return compileOne(module, options);
  OwningOpRef<ModuleOp> attempt = module.clone();
  TightTrial trial;
  CompileOptions tight = options;
  tight.pipelineOptions += " tight-tiles=true";
  // Where the last hop begins, kernels still say how they were made.
  tight.configurePassManager = [&](PassManager &manager) {
    trial.kernel = findTightKernel(*attempt);
    return options.configurePassManager ? options.configurePassManager(manager) : success();
  };
  // What is said of an attempt that is given up is of no use: what is kept says its own.
  SmallVector<Diagnostic> held;
  bool kept = false;
  {
    ScopedDiagnosticHandler hold(module.getContext(), [&](Diagnostic &said) { held.push_back(std::move(said)); });
    kept = succeeded(compileOne(*attempt, tight)) && (trial.kernel.empty() || report.spilled == 0u);
  }
  if (kept) {
    for (Diagnostic &said : held)
      module.getContext()->getDiagEngine().emit(std::move(said));
    replaceModule(module, *attempt);
    return success();
  }
  trial.spilled = report.spilled.value_or(0);
  LogicalResult result = compileOne(module, options);
  report.tight = std::move(trial);
  return result;
}

Status compile(ModuleOp module, const CompileOptions &options, std::string &output) {
  std::string error;
  if (Status status = checkOptions(options, error); status != Status::Success) {
    emitError(UnknownLoc::get(module->getContext())) << error;
    return status;
  }
  Stage stage = *parseStage(options.emit);
  if (stage == Stage::Host) {
    if (isGpuModuleInput(module)) {
      emitError(module.getLoc()) << "the module holds no tiles, so it has no stage 'host'";
      return Status::CompilationFailure;
    }
    if (failed(runUntil(module, Stage::TileAS, options)) ||
        failed(emitHostCode(module, hostTriple(options.hostArch, options.hostOs), output)))
      return Status::CompilationFailure;
    return Status::Success;
  }
  AssemblyReport report;
  bool tell = remarks::enabled(module.getContext());
  // Who asks for limits in PTX asks for what a cubin has.
  if (stage == Stage::Cubin || (stage == Stage::PTX && limitsInPTX(options))) {
    std::string ptx;
    if (failed(compileAndAssemble(module, options, ptx, stage == Stage::Cubin ? &output : nullptr, report)))
      return Status::CompilationFailure;
    if (stage == Stage::PTX)
      output = std::move(ptx);
    if (tell) {
      remarkReport(module, report);
      if (stage == Stage::Cubin)
        remarkResources(module, report.resources);
    }
    return Status::Success;
  }
  if (failed(runUntil(module, std::min(stage, Stage::LLVM), options)))
    return Status::CompilationFailure;
  if (stage <= Stage::LLVM) {
    llvm::raw_string_ostream os(output);
    module->print(os);
    os << "\n";
    return Status::Success;
  }
  return failed(emitPTX(module, emissionOptions(options, stage), output)) ? Status::CompilationFailure
                                                                          : Status::Success;
}

} // namespace tileiras
