//===- TensorMapCost.h - When tensor maps and agents pay --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel looks for its tensor maps before the first copy, some 1,000 to 1,500 cycles long. What a loop has to copy
// altogether to win them back, by the model of H200, B200 and RTX 5090 (docs/pipelines.md). Where products are of
// tensor memory they hide less of the instructions that copy otherwise; where threads multiply themselves (mma.sync),
// each instruction that they need not execute counts, if the copies are large enough to be few.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TENSORMAPCOST_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TENSORMAPCOST_H

#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {

/// `stage`: bytes that are copied in every round.
inline int64_t leastBytesForTensorMaps(Operation *op, int64_t stage) {
  constexpr int64_t largeStage = 32 << 10;
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  if (target && target->hasTcgen05())
    return 768 << 10;
  bool byThreads = target && !target->hasWgmma();
  return byThreads && stage >= largeStage ? 160 << 10 : 512 << 10;
}

/// What has to be under way for agents to pay while a stage is multiplied: three stages of 128x128x64 in 16 bits beside
/// that one. With two, one agent is faster, which leaves room for a second block (docs/scheduler.md). What is computed
/// with a stage beside products takes time, too: half as much is enough then, that stage included.
inline int64_t leastBytesUnderWay(bool moreThanProducts) {
  constexpr int64_t bytes = 96 << 10;
  return moreThanProducts ? bytes / 2 : bytes;
}
/// Smaller tiles lose by it if blocks divide the tile blocks (measured), and a tile block of so few rounds is done
/// before the next one's tensor maps are found (tileas-dynamic-persistent).
inline constexpr int64_t kLeastSumsOfPersistent = 128 * 128;
inline constexpr uint64_t kFewRounds = 8;

inline int64_t stagesUnderWay(int64_t stages, bool moreThanProducts) { return moreThanProducts ? stages : stages - 1; }

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_TENSORMAPCOST_H
