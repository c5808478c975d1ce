//===- Diagnostic.h - Located messages of the PTX front end -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_DIAGNOSTIC_H
#define TILEIRAS_EMULATOR_PTX_DIAGNOSTIC_H

#include <cstdint>
#include <string>

namespace tileiras::emu {

/// A located error message of the PTX front end.
struct Diagnostic {
  std::string file;
  uint32_t line = 0, column = 0; ///< 1-based
  std::string message;
  /// `file:line:col: error: message`
  std::string str() const {
    return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": error: " + message;
  }
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_DIAGNOSTIC_H
