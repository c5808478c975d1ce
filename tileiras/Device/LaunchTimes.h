//===- LaunchTimes.h - How long kernels would take --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// TILEIRAS_TIME=h200: the first launch of a kernel with a grid, a block and so much shared memory is predicted on the
// machine's model (docs/timing.md), before it runs. The sample that this takes changes memory, which is put back.
// Later launches of the same shape count with the same time.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_LAUNCHTIMES_H
#define TILEIRAS_DEVICE_LAUNCHTIMES_H

#include "tileiras/Emulator/Machine/Launch.h"

#include <map>
#include <string>

namespace tileiras::device {

class LaunchTimes {
public:
  /// Counts a launch that is about to be made. `ptx` is the module's text. Returns its seconds.
  double add(const emu::Module &module, const std::string &ptx, emu::Memory &memory, const emu::LaunchConfig &config,
             const std::string &machine);
  /// One line for each shape, the longest in all first, and the sum; empty without launches.
  std::string table(const std::string &machine) const;

private:
  struct Shape {
    uint64_t launches = 0;
    double seconds = 0; ///< of one launch
    std::string limiter, error;
  };
  std::map<std::pair<std::string, uint64_t>, Shape> shapes; ///< by what the table calls them, and module
};

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_LAUNCHTIMES_H
