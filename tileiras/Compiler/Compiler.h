//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From a module of cuda_tile to PTX or a cubin.
//
//   parseInput        bytes -> module (MLIR text or Tile IR bytecode)
//   runUntil          module -> the same module, lowered up to a stage
//   compileToPTX      module -> PTX text
//   assemblePTX       PTX text -> cubin (calls ptxas)
//   compile           all of it, as the options say
//
// Every failure is reported as a located diagnostic through the module's
// context before the function returns; the Status says which kind it was, and
// is the exit code of the tool and the return value of the C API.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_COMPILER_H
#define TILEIRAS_COMPILER_COMPILER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tileiras/CodeGen/PTXEmission.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <functional>
#include <optional>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileiras {

class TimeReport;

/// Result codes of the driver and of the C API (docs/tileiras.md lists them).
enum class Status {
  Success = 0,
  AllocationFailure = 1, ///< out of memory; in the tool also: bad command line, unreadable input, unwritable output
  InvalidConfiguration = 2,
  ParseFailure = 3,
  NullHandle = 4,
  CompilationFailure = 5,
};

/// Where the compiler may stop, and Host, which is code beside that of the kernels. The names are those of --emit.
/// Layouts, which has none, is inside the nv_tileas stage: tiles have their layouts, nothing is in shared memory yet. A
/// module of nv_tileas written by hand enters there.
enum class Stage { CudaTile, TileAA, Layouts, TileAS, LLVM, LLVMIR, PTX, Cubin, Host };
std::optional<Stage> parseStage(llvm::StringRef name);
llvm::StringRef stringifyStage(Stage stage);
/// "cuda_tile, tileaa, ..." for messages.
std::string stageNames();

struct CompileOptions {
  std::string gpuName = "sm_100";
  int optLevel = 3;
  bool lineInfo = false;
  bool deviceDebug = false;
  /// Warps per block; 0 lets the entry's optimization hints, then the compiler, decide.
  int numWarps = 0;
  /// Blocks per tile block; 0 as above.
  int numCtas = 0;
  std::string emit = "cubin";
  std::string ptxasPath;     ///< empty: search
  std::string libdevicePath; ///< empty: search; "none": do without
  /// Shared memory may exceed what a static array can be; only our own launcher can run the result.
  bool dynamicShared = false;
  /// "48k", or "device": a kernel may have as much static shared memory as the device gives a block, also where the
  /// assembler refuses more than 48 KiB (StaticShared.h).
  std::string staticShared = "48k";
  /// Where kernels are assembled once more, in another order if they spill, with fewer registers for one more block
  /// (RegisterLimit.h) or beside wgmma (FewestRegisters.h): "none", "cubin", "ptx", which also writes what is kept as
  /// PTX, or "least": the same, all kernels that multiply in as few registers as there are for hardly longer code.
  std::string registerLimits = "cubin";
  /// How thread count and cluster size are told to the driver: "reqntid", "blocksareclusters" or "simt".
  std::string launchAbi = "reqntid";
  /// Further text for the passes: "name=value name=value", as in --pass-pipeline='tileir{...}'.
  std::string pipelineOptions;
  /// Verify the module after each pass, not only after each hop.
  bool verifyEach = false;
  bool verbose = false;
  /// Accepted for the host wrapper of the reference tool; a cubin has none, so they are only checked.
  std::string hostArch = "x86_64";
  std::string hostOs = "linux";
  std::string sanitize;
  /// Called on every pass manager before it runs (IR printing, timing).
  std::function<mlir::LogicalResult(mlir::PassManager &)> configurePassManager;
  /// Filled with wall time per phase and pass when set.
  TimeReport *timeReport = nullptr;
};

/// Checks the options against each other and against the target table. On failure `error` says what is wrong.
Status checkOptions(const CompileOptions &options, std::string &error);

/// Reads MLIR text or Tile IR bytecode, told apart by the first bytes.
Status parseInput(llvm::MemoryBufferRef input, mlir::MLIRContext &context, mlir::OwningOpRef<mlir::ModuleOp> &module,
                  const CompileOptions &options);

/// Whether functions come from CUDA's libdevice: it was found, and the pipeline options do not say libdevice=false.
/// Else they are ours.
bool usesLibdevice(const CompileOptions &options);

/// What the emission of code needs of these options, stopping at `stage` (LLVMIR or PTX).
EmissionOptions emissionOptions(const CompileOptions &options, Stage stage);

/// Lowers `module` in place up to and including `stage`, at most to Stage::LLVM.
mlir::LogicalResult runUntil(mlir::ModuleOp module, Stage stage, const CompileOptions &options);

/// The whole way to PTX text. `module` is consumed: it holds the llvm dialect afterwards.
mlir::LogicalResult compileToPTX(mlir::ModuleOp module, const CompileOptions &options, std::string &ptx);

struct RegisterTrial;

/// What other orders of instructions gave kernels of which ptxas kept values in memory.
struct OrderTrial {
  std::string kernel;                          ///< the first that spilled
  unsigned attempts = 0;                       ///< other orders that were assembled
  unsigned spilledBefore = 0, spilledKept = 0; ///< bytes of spill stores, of all kernels
};

/// Tiles that were left whole although they were estimated to exceed the register file, and spilled.
struct TightTrial {
  std::string kernel;   ///< empty: none was
  unsigned spilled = 0; ///< bytes of spill stores
};

/// What ptxas said of the cubin, as `-v` has it, and what it was asked for once more.
struct AssemblyReport {
  AssemblyReport();
  AssemblyReport(AssemblyReport &&);
  AssemblyReport &operator=(AssemblyReport &&);
  ~AssemblyReport();
  std::string resources;
  std::optional<unsigned> spilled; ///< bytes of spill stores of all kernels, where ptxas has been looked at
  OrderTrial order;
  TightTrial tight;
  std::vector<RegisterTrial> trials;
};

/// Assembles with ptxas; its standard error becomes part of the diagnostic at `loc`. If it spills, what `source` gives
/// in other orders of instructions is assembled, too, and kept if that spills less; `ptx` is the text that was kept
/// then. Kernels of which registers alone keep a block out, or that multiply by wgmma, are assembled with fewer. Both
/// as options.registerLimits says. `source`: what `ptx` was emitted from (in the llvm dialect), or null. `report` may
/// be null.
mlir::LogicalResult assemblePTX(std::string &ptx, mlir::Location loc, const CompileOptions &options, std::string &cubin,
                                mlir::ModuleOp source, AssemblyReport *report = nullptr);

/// Makes `ptx` what a cubin made of it would come from: in the order that spills least, with the limits on registers.
/// Where there is no ptxas, or it refuses the text, that is an error if options.registerLimits is "ptx"; else it stays
/// as it is.
mlir::LogicalResult limitRegisters(std::string &ptx, mlir::Location loc, const CompileOptions &options,
                                   mlir::ModuleOp source, AssemblyReport *report = nullptr);

/// The whole way to what ptxas makes of `module`, which is consumed: it holds the llvm dialect afterwards. Where tiles
/// that were estimated to exceed the register file turn out to have room in it, they stay whole: that is tried first
/// (tileas-slice-tiles, `tight`), if options.registerLimits allows to ask ptxas more than once. `cubin`: as
/// assemblePTX; null: `ptx` alone, as limitRegisters.
mlir::LogicalResult compileAndAssemble(mlir::ModuleOp module, const CompileOptions &options, std::string &ptx,
                                       std::string *cubin, AssemblyReport &report);

/// Remarks in the category `resources` about what ptxas was asked for once more, at the kernels in `module` (in the
/// llvm dialect).
void remarkReport(mlir::ModuleOp module, const AssemblyReport &report);

/// Runs to the stage options.emit names and gives its text or bytes.
Status compile(mlir::ModuleOp module, const CompileOptions &options, std::string &output);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_COMPILER_H
