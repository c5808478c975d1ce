//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS

include "mlir/Pass/PassBase.td"

def ChooseTurnsPass : Pass<"tileas-choose-turns", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Have two agents of four warps compute every other tile block where that is faster";
  let description = [{
    Runs before tiles have layouts, as it changes how many warps a kernel has. A kernel that is to have two agents with
    every other tile block, so that one multiplies while the other one computes with its sums and stores them, gets four
    warps and the mark `nv_tileas.alternates`.
  }];
  let options = [Option<"fixedWarps", "fixed-warps", "bool", /*default=*/"false",
                        "The number of warps was asked for: do not change it">,
                 Option<"numStages", "num-stages", "unsigned", /*default=*/"4", "Stages that rings are to have">];
  let statistics = [Statistic<"numAlternating", "num-alternating", "Kernels with agents that have every other tile block">];
}

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_CHOOSETURNS
