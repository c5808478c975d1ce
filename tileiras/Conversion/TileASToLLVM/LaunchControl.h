//===- LaunchControl.h - Taking over tile blocks that have not started -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// Bytes of shared memory of a cancel_next_program_id: the answer, and an mbarrier.
inline constexpr int64_t kLaunchControlBytes = 32;

void populateLaunchControlPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                   const LoweringOptions &options);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
