//===- EmulatorEngine.h - Launching on the PTX emulator -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_EMULATORENGINE_H
#define TILEIRAS_RUNTIME_EMULATORENGINE_H

#include "tileiras/Emulator/Check/LineCoverage.h"
#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Emulator/Timing/Predict.h"
#include "tileiras/Runtime/Launch.h"

namespace tileiras {

/// Parses `ptx`, which `fileName` names in messages. Null with the located messages in `error`. The lines that threads
/// reach are counted in `coverage`, if there is one, which outlives the engine.
std::unique_ptr<Engine> makeEmulatorEngine(const std::string &ptx, const std::string &fileName,
                                           const emu::LaunchOptions &options, std::string &error,
                                           emu::LineCoverage *coverage = nullptr);

/// How long the launch would take on a GPU (Emulator/Timing/Predict.h). Only samples of the grid are run, and the
/// request's arrays keep their contents.
emu::timing::Prediction predictLaunch(const std::string &ptx, const std::string &fileName, LaunchRequest &request,
                                      const emu::timing::PredictOptions &options);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_EMULATORENGINE_H
