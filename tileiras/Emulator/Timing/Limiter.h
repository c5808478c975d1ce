//===- Limiter.h - What a kernel's time hangs on ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The limiter of a kernel is what its time hangs on: the traces are replayed with one unit, or one latency, slower by a
// fifth, and the kernel gets slower by some part of that. 100 points: it is as much slower as the unit; 0: the unit
// does not matter. Utilisation alone cannot tell a unit that everybody waits for from one that is busy because
// everybody waits, and how long warps wait for something does not say whose fault it is.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_TIMING_LIMITER_H
#define TILEIRAS_EMULATOR_TIMING_LIMITER_H

#include "tileiras/Emulator/Timing/Predict.h"

#include <vector>

namespace tileiras::emu::timing {

/// What `ran` found to be in use, tried one by one on `clusters` (the first of which are replayed, as many as are
/// there at a time and as many again, until about `work` instructions have been issued).
std::vector<Dependence> dependencesOf(const Costs &costs, EngineConfig config,
                                      const std::vector<const ClusterTrace *> &clusters, const Engine &ran,
                                      double work);

/// Fills limiter, second and slackPercent of a prediction by its dependences, units and launch time.
void nameLimiter(Prediction &p);

} // namespace tileiras::emu::timing

#endif // TILEIRAS_EMULATOR_TIMING_LIMITER_H
