//===- Report.cpp - What the emulator has to say about a run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/Report.h"

using namespace tileiras::emu;

const char *tileiras::emu::reportKindName(ReportKind kind) {
  switch (kind) {
  case ReportKind::OutOfBounds:
    return "out-of-bounds";
  case ReportKind::Misaligned:
    return "misaligned";
  case ReportKind::Uninitialized:
    return "uninitialized";
  case ReportKind::ReadOnlyWrite:
    return "read-only";
  case ReportKind::Barrier:
    return "barrier";
  case ReportKind::Deadlock:
    return "deadlock";
  case ReportKind::WarpSync:
    return "warp-sync";
  case ReportKind::Budget:
    return "budget";
  case ReportKind::Trap:
    return "trap";
  case ReportKind::InvalidOperation:
    return "invalid";
  case ReportKind::Launch:
    return "launch";
  case ReportKind::Race:
    return "race";
  case ReportKind::Mbarrier:
    return "mbarrier";
  case ReportKind::Proxy:
    return "proxy";
  case ReportKind::Async:
    return "async";
  case ReportKind::TensorMemory:
    return "tensor-memory";
  case ReportKind::Descriptor:
    return "descriptor";
  case ReportKind::Idiom:
    return "idiom";
  }
  return "?";
}

static std::string triple(const Dim3 &d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string Report::str() const {
  std::string s;
  if (line)
    s = file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
  s += std::string("error: [") + reportKindName(kind) + "] " + message;
  if (!line)
    return s;
  s += "\n    " + ptx;
  s += "\n    in " + kernel + ", block " + triple(block) + ", thread " + triple(thread);
  if (sourceLine)
    s += ", source " + sourceFile + ":" + std::to_string(sourceLine);
  if (callLine)
    s += ", called at " + callFile + ":" + std::to_string(callLine);
  if (count > 1)
    s += ", " + std::to_string(count) + " times";
  return s;
}
