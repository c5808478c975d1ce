//===- LaunchControl.h - Taking over tile blocks that have not started -*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"

namespace mlir::tilellvm {

/// What the hardware answers.
inline constexpr int64_t kAnswerBytes = 16;
/// Bytes of shared memory of a cancel_next_program_id: the answer, and an mbarrier.
inline constexpr int64_t kLaunchControlBytes = 32;

/// One thread asks for a block that has not started; the answer arrives at `answer` as a transaction of `barrier`.
void askForBlock(Emitter &one, Value answer, Value barrier);
/// What has arrived, which only the next two understand.
Value readAnswer(Emitter &e, Value answer);
Value isBlock(Emitter &e, Value id);
/// Its x, y, z. Asked only where the answer tells of a block; 0 otherwise (PTX ISA,
/// "clusterlaunchcontrol.query_cancel").
SmallVector<Value> blockCoordinates(Emitter &e, Value id);

void populateLaunchControlPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                   const LoweringOptions &options);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
