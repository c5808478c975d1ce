//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/PTXEmission.h"
#include "tileiras/CodeGen/CountRounds.h"
#include "tileiras/CodeGen/DeriveAddresses.h"
#include "tileiras/CodeGen/MathLibrary.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tileiras/CodeGen/PressureSchedule.h"
#include "tileiras/CodeGen/PtxNeeds.h"
#include "tileiras/CodeGen/ResidentBlocks.h"
#include "tileiras/CodeGen/TimeReport.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/TargetTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"
#include <mutex>

using namespace mlir;

// Declared here and not through llvm/Support/TargetSelect.h: that header names every target LLVM was built with, and
// we want to link one.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tileiras {

namespace {

constexpr const char *kTriple = "nvptx64-nvidia-cuda";

/// Turns what LLVM reports into diagnostics of the MLIR context, at the source line where LLVM knows one.
struct DiagnosticBridge {
  Location fallback;
  bool failed = false;
  bool verbose = false;

  static void handle(const llvm::DiagnosticInfo *info, void *self) {
    auto &bridge = *static_cast<DiagnosticBridge *>(self);
    llvm::DiagnosticSeverity severity = info->getSeverity();
    if (severity == llvm::DS_Remark || severity == llvm::DS_Note)
      return;
    std::string message;
    llvm::raw_string_ostream os(message);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info->print(printer);
    Location loc = bridge.fallback;
    if (auto *located = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(info);
        located && located->isLocationAvailable()) {
      StringRef file;
      unsigned line = 0, column = 0;
      located->getLocation(file, line, column);
      loc = FileLineColLoc::get(bridge.fallback->getContext(), file, line, column);
    }
    if (severity == llvm::DS_Error) {
      emitError(loc) << message;
      bridge.failed = true;
    } else if (bridge.verbose) {
      emitWarning(loc) << message;
    }
  }
};

void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// The passes of the code generator, without those that would undo our work. (There are options of the command line for
/// that, but they hold for the whole process, whose other users of LLVM may want something else.)
class CodegenPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    // Strength reduction makes one 64-bit pointer of every access of a loop and carries all of them; the other pass
    // prepares loops for it. Of invariants, what is in a loop by now was put there (SinkInvariants.h). Swizzled
    // addresses are no multiples of each other, so that strength reduction of straight lines and reassociation for it
    // ask after all pairs of them and find hardly one that is.
    static constexpr llvm::StringLiteral unwanted[] = {
        "Loop Strength Reduction", "Canonicalize Freeze Instructions in Loops",
        "Early Machine Loop Invariant Code Motion", "Straight line strength reduction", "Nary reassociation"};
    if (llvm::is_contained(unwanted, pass->getPassName())) {
      delete pass;
    } else if (pass->getPassName() == "Global Value Numbering") {
      // It is there for offsets that other passes have taken apart, which are the same expressions; but it also asks of
      // every load whether one of a hundred accesses before it is to the same place (see SkippedPasses).
      delete pass;
      unify(llvm::createEarlyCSEPass());
    } else if (pass->getPassName() == "Early CSE") {
      unify(pass);
    } else {
      llvm::legacy::PassManager::add(pass);
    }
  }

private:
  /// Once: the passes that stand between the places where the back end does so are those that are not wanted.
  void unify(llvm::Pass *pass) {
    if (unified)
      delete pass;
    else
      llvm::legacy::PassManager::add(pass);
    unified = true;
  }

  bool unified = false;
};

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const TargetInfo &target, int ptxVersion, int optLevel,
                                                         Location loc) {
  initializeTarget();
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *backEnd = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backEnd) {
    emitError(loc) << "no NVPTX back end in this LLVM: " << error;
    return nullptr;
  }
  llvm::TargetOptions options;
  // mulf followed by addf rounds twice: front ends write fma where they want it.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  static constexpr llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                                     llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  return std::unique_ptr<llvm::TargetMachine>(
      backEnd->createTargetMachine(triple, target.compiledAs, target.ptxFeature(ptxVersion), options, std::nullopt,
                                   std::nullopt, levels[std::clamp(optLevel, 0, 3)]));
}

/// The operations whose bodies become one LLVM module each: the gpu.modules, or the module itself when the llvm
/// dialect stands in it directly.
SmallVector<Operation *> translationUnits(ModuleOp module) {
  SmallVector<Operation *> units;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>())
    units.push_back(gpuModule);
  if (units.empty() && !module.getOps<LLVM::LLVMFuncOp>().empty())
    units.push_back(module);
  return units;
}

/// The name of a function of libdevice that is called but not there; empty if none is.
std::string missingMathFunction(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      return function.getName().str();
  return "";
}

/// Links what the module uses of a library; the rest of the bitcode is never materialized.
LogicalResult linkNeeded(llvm::Module &module, Location loc, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  std::string name = buffer->getBufferIdentifier().str();
  auto library = llvm::getOwningLazyBitcodeModule(std::move(buffer), module.getContext());
  if (!library)
    return emitError(loc) << "cannot read " << name << ": " << llvm::toString(library.takeError());
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool linkFailed = llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded,
                                              [](llvm::Module &linked, const llvm::StringSet<> &names) {
                                                llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
                                                  return !value.hasName() || !names.count(value.getName());
                                                });
                                              });
  if (linkFailed)
    return emitError(loc) << "cannot link " << name;
  return success();
}

/// Our own functions. They are linked part by part, and name none of each other's across parts.
LogicalResult linkMathLibrary(llvm::Module &module, Location loc) {
  for (llvm::StringRef part : mathLibrary()) {
    if (missingMathFunction(module).empty())
      break;
    if (failed(linkNeeded(module, loc, llvm::MemoryBuffer::getMemBuffer(part, "math library", false))))
      return failure();
  }
  std::string missing = missingMathFunction(module);
  if (missing.empty())
    return success();
  return emitError(loc) << "the kernel calls " << missing
                        << ", but libdevice.10.bc was not found; name it with --libdevice-path";
}

/// Links the functions of libdevice that are used (`__nv_*`), or ours.
LogicalResult linkLibdevice(llvm::Module &module, Location loc, const EmissionOptions &options) {
  if (missingMathFunction(module).empty())
    return success();
  const std::string &file = options.libdevice;
  if (file.empty())
    return linkMathLibrary(module, loc);
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return emitError(loc) << "cannot read " << file << ": " << buffer.getError().message();
  if (failed(linkNeeded(module, loc, std::move(*buffer))))
    return failure();
  if (std::string missing = missingMathFunction(module); !missing.empty())
    return emitError(loc) << "the kernel calls " << missing << ", which " << file << " does not have";
  // Read by LLVM's NVVMReflect pass: subnormals are kept, square roots are exact.
  module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", static_cast<uint32_t>(0));
  module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-prec-sqrt", static_cast<uint32_t>(1));
  return success();
}

/// Passes of the default pipeline that cost more than they find in kernels of tiles. Global value numbering compares
/// the swizzled addresses of every load from shared memory with those of the accesses before it, each pair by the known
/// bits of both: a tenth of the time of a matrix product, for loads that no two of are the same. Expressions are
/// unified by the passes before it, and once more before code generation. Stores that nobody reads are none: tiles have
/// left memory for registers before they come here.
///
/// Constants are propagated once the functions of the math library are part of the kernels, not between functions
/// before that; and nothing is called by address. Vectors of LLVM's are there to be loaded and stored, so that there is
/// nothing to combine in them; memory is not copied; and what a branch says of an inequality has been used where tiles
/// and their bounds were still known.
class SkippedPasses {
public:
  explicit SkippedPasses(const llvm::Module &module)
      : inlines(llvm::any_of(module, [](const llvm::Function &f) { return !f.isDeclaration() && !f.use_empty(); })) {}

  bool operator()(llvm::StringRef name, llvm::Any ir) {
    auto *function = llvm::any_cast<const llvm::Function *>(&ir);
    if (function && name == "InstCombinePass")
      return !isCombinationNeeded(combinations[*function]++);
    // Expressions are unified when functions have been inlined, and not before instructions are combined for the first
    // time: what is the same then is often better computed twice (1.4 % fewer machine instructions and 1.3 % fewer
    // registers in 74 modules, docs/performance.md). Agents have been given just the registers that they need, which
    // longer code may exceed: theirs are unified first thing, and not again.
    if (function && name == "EarlyCSEPass")
      return (unifications[*function]++ == 0) != movesRegisters(**function);
    // Ranges that are known from branches: once, before loops are unrolled.
    if (function && name == "CorrelatedValuePropagationPass")
      return ranges[*function]++ > 0;
    static constexpr llvm::StringLiteral unwanted[] = {
        "IPSCCPPass",    "CalledValuePropagationPass", "GVNPass", "DSEPass", "VectorCombinePass",
        "MemCpyOptPass", "ConstraintEliminationPass"};
    return llvm::is_contained(unwanted, name);
  }

private:
  /// Each combination of instructions asks for the known bits of every address, whether or not something has changed:
  /// a fiftieth of the time of a product. LLVM 22 combines eight times from level 1 on. What the third and the last
  /// find in kernels of tiles is what all of those around them would.
  bool isCombinationNeeded(int number) const {
    switch (number) {
    case 1: // when functions have been inlined
      return inlines;
    case 3: // behind bits that nobody asks for (value numbering would have stood before them)
    case 4: // behind the last simplification of loops
    case 5: // loads of loops that have been vectorized
    case 6: // vectorized straight lines; the next one follows
      return false;
    default: // 0: as translated; 2: unrolled loops; 7: loops unrolled in part, at the end
      return true;
    }
  }

  bool inlines;
  llvm::DenseMap<const llvm::Function *, int> combinations, unifications, ranges; ///< how many there have been
};

void optimize(llvm::Module &module, llvm::TargetMachine &machine, int optLevel) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  SkippedPasses skipped(module);
  callbacks.registerShouldRunOptionalPassCallback(
      [&skipped](llvm::StringRef name, llvm::Any ir) { return !skipped(name, ir); });
  llvm::PipelineTuningOptions tuning;
  // To keep what a loop loads from and stores to one place in a register, every access is compared with every other;
  // tiles that a loop carries are values.
  tuning.LicmMssaNoAccForPromotionCap = 0;
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                            llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::clamp(optLevel, 0, 3)];
  llvm::ModulePassManager passes = level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                                        : builder.buildPerModuleDefaultPipeline(level);
  // The optimizer takes vector loads apart where their elements are used one by one. They come together again before
  // instructions are put in order, since afterwards there may be writes between them.
  if (optLevel >= 1)
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::LoadStoreVectorizerPass()));
  passes.run(module, modules);
}

/// LLVM 22's NVPTX back end makes "n < 64 ? x << n : 0" one PTX shift, which clamps its amount. But that has 32 bits,
/// so of a 64-bit n the upper half is forgotten: 2^32 shifts by nothing. It does not recognise a shift by n & 63, which
/// is the same where the shift counts.
void maskGuardedShifts(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      bool isShift =
          instruction.getOpcode() == llvm::Instruction::Shl || instruction.getOpcode() == llvm::Instruction::LShr;
      if (!isShift || instruction.getType()->getScalarSizeInBits() != 64 ||
          isa<llvm::Constant>(instruction.getOperand(1)) ||
          llvm::none_of(instruction.users(), [](llvm::User *user) { return isa<llvm::SelectInst>(user); }))
        continue;
      llvm::Value *amount = instruction.getOperand(1);
      auto *mask = llvm::ConstantInt::get(amount->getType(), 63);
      instruction.setOperand(1, llvm::BinaryOperator::CreateAnd(amount, mask, "", instruction.getIterator()));
    }
}

/// Two values rounded into one register, as the instruction that does it (PTX ISA, "cvt": .f16x2, .bf16x2, sm_80). The
/// back end would find it, too, but put it where the pair is used, and until then there are two registers instead of
/// one.
void pairRoundings(llvm::Module &module) {
  auto roundedOnlyFor = [](llvm::Value *value) -> llvm::Value * {
    auto *rounding = dyn_cast<llvm::FPTruncInst>(value);
    return rounding && rounding->hasOneUse() && rounding->getOperand(0)->getType()->isFloatTy()
               ? rounding->getOperand(0)
               : nullptr;
  };
  llvm::SmallVector<llvm::WeakTrackingVH> dead;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *high = dyn_cast<llvm::InsertElementInst>(&instruction);
      auto *low = high ? dyn_cast<llvm::InsertElementInst>(high->getOperand(0)) : nullptr;
      if (!low || !low->hasOneUse() || !isa<llvm::PoisonValue, llvm::UndefValue>(low->getOperand(0)))
        continue;
      auto *type = dyn_cast<llvm::FixedVectorType>(high->getType());
      auto *first = dyn_cast<llvm::ConstantInt>(low->getOperand(2)),
           *second = dyn_cast<llvm::ConstantInt>(high->getOperand(2));
      if (type->getNumElements() != 2 || !first || !first->isZero() || !second || !second->isOne())
        continue;
      llvm::Value *a = roundedOnlyFor(low->getOperand(1)), *b = roundedOnlyFor(high->getOperand(1));
      bool half = type->getElementType()->isHalfTy(), brain = type->getElementType()->isBFloatTy();
      if (!a || !b || !(half || brain))
        continue;
      llvm::IRBuilder<> builder(high);
      auto id = half ? llvm::Intrinsic::nvvm_ff2f16x2_rn : llvm::Intrinsic::nvvm_ff2bf16x2_rn;
      high->replaceAllUsesWith(builder.CreateIntrinsic(id, {}, {b, a}));
      dead.push_back(high);
    }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// The code generator copies all registers of a struct for each field that is taken from it, where the struct comes
/// from another block or is a PHI. Taken from a copy of its own, the registers are copied once for a block, and the
/// copy is coalesced. (128 sums of a product: a fourteenth of the time of compiling it.)
void readStructsOnce(llvm::Module &module) {
  constexpr size_t few = 4;
  for (llvm::Function &function : module) {
    llvm::MapVector<std::pair<llvm::Value *, llvm::BasicBlock *>, llvm::SmallVector<llvm::ExtractValueInst *>> reads;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *extract = dyn_cast<llvm::ExtractValueInst>(&instruction))
        if (auto *whole = dyn_cast<llvm::Instruction>(extract->getAggregateOperand());
            whole && (isa<llvm::PHINode>(whole) || whole->getParent() != extract->getParent()))
          reads[{whole, extract->getParent()}].push_back(extract);
    for (auto &[where, extracts] : reads) {
      if (extracts.size() < few)
        continue;
      auto *copy = new llvm::FreezeInst(where.first, "", extracts.front()->getIterator());
      for (llvm::ExtractValueInst *extract : extracts)
        extract->setOperand(0, copy);
    }
  }
}

/// What a loop of one block has loaded for its next round, while it still has to use what it loaded for this one, the
/// code generator would load into the register of that and copy the older value before, which waits for it: nothing
/// would be under way meanwhile. Copied where the round ends, it waits there.
void carryLoadsLate(llvm::Module &module) {
  llvm::Type *word = llvm::Type::getInt32Ty(module.getContext());
  auto *text = llvm::InlineAsm::get(llvm::FunctionType::get(word, {word}, false), "mov.b32 $0, $1;", "=r,r",
                                    /*hasSideEffects=*/true);
  auto isWord = [&](llvm::Type *type) { return type == word || type->isFloatTy(); };
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::PHINode &phi : block.phis()) {
        int latch = phi.getBasicBlockIndex(&block);
        llvm::Value *next = latch < 0 ? nullptr : phi.getIncomingValue(latch);
        auto *words = dyn_cast<llvm::StructType>(phi.getType());
        if (!next || !(words ? llvm::all_of(words->elements(), isWord) : isWord(phi.getType())))
          continue;
        llvm::Value *from = next;
        if (auto *cast = dyn_cast<llvm::BitCastInst>(from))
          from = cast->getOperand(0);
        if (auto *field = dyn_cast<llvm::ExtractValueInst>(from))
          from = field->getAggregateOperand();
        auto *load = dyn_cast<llvm::CallInst>(from);
        auto *assembly = load ? dyn_cast<llvm::InlineAsm>(load->getCalledOperand()) : nullptr;
        if (!assembly || load->getParent() != &block ||
            !llvm::StringRef(assembly->getAsmString()).contains("ld.global"))
          continue;
        llvm::IRBuilder<> builder(block.getTerminator());
        auto copy = [&](llvm::Value *value) {
          llvm::Type *type = value->getType();
          return builder.CreateBitCast(builder.CreateCall(text, builder.CreateBitCast(value, word)), type);
        };
        llvm::Value *copies = words ? llvm::PoisonValue::get(words) : copy(next);
        for (unsigned i = 0; words && i < words->getNumElements(); ++i)
          copies = builder.CreateInsertValue(copies, copy(builder.CreateExtractValue(next, i)), i);
        phi.setIncomingValue(latch, copies);
      }
}

/// Assembly with effects may be an instruction that a whole warp executes together (PTX ISA, ".aligned"), and MLIR
/// cannot say so: it must not be moved into a branch, nor be duplicated into two.
void markConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()); text && text->hasSideEffects())
          call->setConvergent();
}

} // namespace

/// Puts instructions in order, has ptxas leave registers for a second block where that is worth it or find out
/// how many have room, and tells the listeners of remarks what that gave.
static void scheduleAndReport(ModuleOp module, llvm::Module &llvmModule, const TargetInfo &target,
                              unsigned sparePercent) {
  bool tell = remarks::enabled(module.getContext()) && sparePercent == EmissionOptions::kUsualSpare;
  llvm::StringMap<Operation *> functions;
  if (tell)
    module->walk([&](LLVM::LLVMFuncOp function) { functions[function.getName()] = function; });
  scheduleForPressure(
      llvmModule, tell,
      [&](llvm::Function &function, const ScheduleSummary &summary) {
        unsigned blocks = moreResidentBlocks(function, summary.registers, target);
        if (blocks)
          function.addFnAttr("nvvm.minctasm", std::to_string(blocks));
        else if (leavesBlocksToAssembler(function, summary.registers, target))
          function.removeFnAttr("nvvm.minctasm");
        Operation *op = functions.lookup(function.getName());
        if (!op)
          return; // of libdevice, or nobody listens
        bool fits = summary.registers <= summary.available;
        (fits ? remarks::passed(op, remarks::kSchedule, "InstructionOrder")
              : remarks::missed(op, remarks::kSchedule, "InstructionOrder"))
            << remarks::figure("Registers", summary.registers) << remarks::figure("RegistersBefore", summary.before)
            << remarks::figure("Available", summary.available)
            << remarks::figure("LoopsWithSunkInvariants", summary.sunk)
            << remarks::because(fits ? "live values fit in registers, as estimated"
                                     : "no order and no invariant computed again makes all live values fit");
        if (blocks)
          remarks::passed(op, remarks::kResources, "ResidentBlocks")
              << remarks::figure("Blocks", blocks) << remarks::figure("Registers", summary.registers)
              << remarks::because("while the warps of a block wait for each other, another one multiplies");
      },
      sparePercent);
}

/// Erases structs that registers of a tile were packed into and nobody reads. Canonicalization does, but there is none
/// at -O0; and the translation unifies, and keeps, a constant as large as the tile for each constant that is put in.
static void eraseUnreadStructs(Operation *unit) {
  unit->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<LLVM::InsertValueOp>(op) && op->use_empty())
      op->erase();
  });
}

LogicalResult emitPTX(ModuleOp module, const EmissionOptions &options, std::string &text) {
  Location loc = module.getLoc();
  std::string error;
  const TargetInfo *target = lookupTarget(options.gpuName, &error);
  if (!target)
    return emitError(loc) << "unsupported GPU target: " << error;

  PtxNeeds needs = findPtxNeeds(module);
  TimePhase setUp(options.timeReport, "target set-up");
  // Without optimisation LLVM takes sums apart and moves them between registers before anybody has waited for the
  // wgmma, which the PTX ISA forbids ("wgmma.mma_async"). From level 1 on they stay where they are.
  int level = needs.asynchronousProducts ? std::max(options.optLevel, 1) : options.optLevel;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(*target, needs.version, level, loc);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  DiagnosticBridge bridge{loc};
  bridge.verbose = options.verbose;
  context.setDiagnosticHandlerCallBack(&DiagnosticBridge::handle, &bridge, /*RespectFilters=*/true);
  setUp.stop();

  TimePhase translation(options.timeReport, "translation to LLVM IR");
  std::unique_ptr<llvm::Module> llvmModule;
  for (Operation *unit : translationUnits(module)) {
    // Foreign code that passes have let through for somebody else to lower.
    WalkResult foreign = unit->walk([](Operation *op) {
      if (op->getName().getStringRef() != "nv_tileaa.plugin")
        return WalkResult::advance();
      op->emitOpError("is not lowered: no pattern has taken the plugin ") << op->getAttr("name");
      return WalkResult::interrupt();
    });
    if (foreign.wasInterrupted())
      return failure();
    eraseUnreadStructs(unit);
    std::unique_ptr<llvm::Module> part = translateModuleToLLVMIR(unit, context, module.getName().value_or("kernels"));
    if (!part)
      return failure(); // reported by the translation
    if (!llvmModule)
      llvmModule = std::move(part);
    else if (llvm::Linker::linkModules(*llvmModule, std::move(part)))
      return emitError(loc) << "cannot link the GPU modules into one";
  }
  // A module without a kernel is how front ends ask which versions are understood: the answer is a PTX header.
  if (!llvmModule)
    llvmModule = std::make_unique<llvm::Module>("kernels", context);
  markConvergent(*llvmModule);
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  translation.stop();

  TimePhase linking(options.timeReport, "libdevice");
  if (failed(linkLibdevice(*llvmModule, loc, options)))
    return failure();
  linking.stop();

  TimePhase optimization(options.timeReport, "LLVM optimization");
  optimize(*llvmModule, *machine, level);
  maskGuardedShifts(*llvmModule);
  if (level >= 1) {
    pairRoundings(*llvmModule);
    for (llvm::Function &function : *llvmModule) {
      countRounds(function);
      if (!target->uniformAddresses)
        deriveAddresses(function);
    }
    scheduleAndReport(module, *llvmModule, *target, options.sparePercent);
    carryLoadsLate(*llvmModule);
    readStructsOnce(*llvmModule);
  }
  optimization.stop();

  llvm::raw_string_ostream os(text);
  if (options.llvmIR) {
    llvmModule->print(os, nullptr);
    return failure(bridge.failed);
  }

  TimePhase generation(options.timeReport, "NVPTX code generation");
  llvm::SmallString<0> assembly;
  llvm::raw_svector_ostream assemblyStream(assembly);
  CodegenPasses codegen;
  if (machine->addPassesToEmitFile(codegen, assemblyStream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                   /*DisableVerify=*/true))
    return emitError(loc) << "this LLVM cannot print PTX";
  codegen.run(*llvmModule);
  if (bridge.failed)
    return failure();
  os << assembly;
  module->walk([&](LLVM::LLVMFuncOp function) {
    if (auto bytes = function->getAttrOfType<IntegerAttr>(kDynamicSharedBytesAttr))
      os << "// " << function.getName() << " needs " << bytes.getInt() << " bytes of dynamic shared memory\n";
  });
  return success();
}

} // namespace tileiras
