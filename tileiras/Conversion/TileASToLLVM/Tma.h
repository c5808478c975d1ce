//===- Tma.h - What lowerings of tensor copies share ------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_TMA_H
#define TILEIRAS_CONVERSION_TILEASTOLLVM_TMA_H

#include "tileiras/Conversion/TileASToLLVM/Emitter.h"

namespace mlir::tilellvm {

/// True in one thread of those that run the code being built, always the same one: the lane of the first warp that
/// elect.sync names. Who branches on it directly lets ptxas see that a single thread runs what follows; on a comparison
/// with the thread's number it would put a loop around every tensor copy.
Value electedThread(Emitter &e);
/// The two halves of it: true in the first warp (null if no other runs the code), which is the same in all lanes; true
/// in one lane of each warp.
Value firstWarp(Emitter &e);
Value electedLane(Emitter &e);
/// True in the warp that fills rings, the first one, or the last of the first warpgroup where the first warp of each
/// issues products (ProductsUnderWay.h): who does both is what the others wait for.
Value fillingWarp(Emitter &e);

/// The number of the running thread's warp, counted from the first that runs the code, in a register that ptxas knows
/// to be the same in all lanes. It comes from a shuffle, which is done where the kernel or the agent begins: LLVM would
/// leave it in a loop, and all that is computed from it.
Value uniformWarp(Emitter &e);

/// Tensor maps that are made one after the other, with nothing but arithmetic between them, are looked up at the same
/// time, so many at most; the scratch memory of each make_tiled_tma_desc has room for the addresses of all.
inline constexpr int64_t kMostTensorMapsInRun = 8, kTensorMapAddressBytes = 8;
/// Finds these runs, after scratch memory has its place and before operations are converted.
void planTensorMaps(Operation *func);

} // namespace mlir::tilellvm

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_TMA_H
