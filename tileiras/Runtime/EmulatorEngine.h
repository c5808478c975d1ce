//===- EmulatorEngine.h - Launching on the PTX emulator -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_EMULATORENGINE_H
#define TILEIRAS_RUNTIME_EMULATORENGINE_H

#include "tileiras/Emulator/Machine/Launch.h"
#include "tileiras/Runtime/Launch.h"

namespace tileiras {

/// Parses `ptx`, which `fileName` names in messages. Null with the located messages in `error`.
std::unique_ptr<Engine> makeEmulatorEngine(const std::string &ptx, const std::string &fileName,
                                           const emu::LaunchOptions &options, std::string &error);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_EMULATORENGINE_H
