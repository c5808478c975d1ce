//===- CudaTileDialect.td - The cuda_tile dialect ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_DIALECT_TD
#define TILEIRAS_CUDATILE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def CudaTile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::mlir::cuda_tile";
  let summary = "The public CUDA Tile IR";
  let description = [{
    Kernels written over tiles: immutable values of power-of-two shape that a whole tile block computes together.
    Memory is reached through tiles of pointers or through tensor views, ordered by tokens. The dialect says nothing
    about threads, shared memory or layouts; the compiler chooses those.

    Every operation below has an example: a complete module that starts with a command and what it prints. The
    command runs the reference evaluator (see tileiras-run.md); with `--check` it also compiles the module, runs the
    PTX on the emulator and compares arrays. coverage.md lists what can be compiled.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();

    /// What to do about an optimization hint that is unknown or out of range. Hints never change what a
    /// kernel computes, so they are dropped silently unless the user asks.
    enum class HintPolicy { Silent, Warn, Error };
    HintPolicy getHintPolicy() const { return hintPolicy; }
    void setHintPolicy(HintPolicy policy) { hintPolicy = policy; }

    /// Reads `pow`, the spelling of `fpowf` before 13.4.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;

  private:
    HintPolicy hintPolicy = HintPolicy::Silent;

  public:
  }];
}

#endif
