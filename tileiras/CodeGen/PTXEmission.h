//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// llvm dialect -> LLVM IR -> PTX.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_PTXEMISSION_H
#define TILEIRAS_CODEGEN_PTXEMISSION_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace tileiras {

class TimeReport;

/// What the emission of code has to know of the request. It knows nothing of stages and drivers.
struct EmissionOptions {
  std::string gpuName = "sm_100";
  int optLevel = 3;
  /// Where functions (`__nv_*`) come from: this libdevice; empty: our own library.
  std::string libdevice;
  /// Stop at optimized LLVM IR, printed, instead of PTX.
  bool llvmIR = false;
  bool verbose = false;
  /// Of the registers that the order of instructions usually leaves to ptxas (PressureSchedule.h), how many it leaves.
  /// No remark tells about another order than the usual one.
  unsigned sparePercent = kUsualSpare;
  static constexpr unsigned kUsualSpare = 100;
  /// Filled with wall time per phase when set.
  TimeReport *timeReport = nullptr;
};

/// Translates the code of every gpu.module in `module` (in the llvm dialect), links what it needs of libdevice,
/// optimizes, and prints PTX. Every failure is a located diagnostic.
mlir::LogicalResult emitPTX(mlir::ModuleOp module, const EmissionOptions &options, std::string &text);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_PTXEMISSION_H
