//===- ReportFile.h - Reports for programs that wait for them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// TILEIRAS_REPORTS names a file that gets a line of JSON for every report, at once:
//
//   {"kind": "race", "message": "...", "file": "module.ptx", "line": 41, "column": 2, "ptx": "...", "source_file":
//   "k.py",
//    "source_line": 12, "call_file": "", "call_line": 0, "kernel": "...", "block": [0,0,0], "thread": [0,0,0],
//    "address": 0, "count": 3, "text": "..."}
//
// Numbers are 0 and texts empty where there is nothing to say; "text" is what stderr gets.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_REPORTFILE_H
#define TILEIRAS_DEVICE_REPORTFILE_H

#include "tileiras/Emulator/Check/Report.h"

namespace tileiras::device {

void recordReport(const emu::Report &report, const std::string &text);
/// Of something that no kernel did: copies, frees, the order of streams.
void recordReport(const std::string &kind, const std::string &message, const std::string &text);

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_REPORTFILE_H
