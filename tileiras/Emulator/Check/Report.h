//===- Report.h - What the emulator has to say about a run ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A run ends with a list of reports. Each names the fault, the PTX line it happened on (and the source line behind
// it when the PTX carries `.loc`), the block and thread, and for memory faults the address with the nearest
// allocation or symbol. Equal faults of one PTX line are folded into one report with a count, so that a wrong index
// in a kernel of a million threads is one line of text.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_REPORT_H
#define TILEIRAS_EMULATOR_CHECK_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace tileiras::emu {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

enum class ReportKind {
  OutOfBounds,      ///< access outside every allocation (or the window of its state space)
  Misaligned,       ///< address not a multiple of the access size
  Uninitialized,    ///< load of bytes nobody has written
  ReadOnlyWrite,    ///< store to .const or to kernel parameters
  Barrier,          ///< wrong use of a barrier (divergent .aligned, bad thread count, bad barrier number)
  Deadlock,         ///< nothing can run any more, and threads still wait
  WarpSync,         ///< membermask rules of shfl/vote/match/redux/bar.warp broken
  Budget,           ///< instruction budget used up
  Trap,             ///< trap instruction or failed device assertion
  InvalidOperation, ///< anything else the PTX ISA leaves undefined (unknown call target, bad operand value, ...)
  Launch,           ///< the launch itself is not possible
  Race,             ///< two conflicting accesses without order between them
  Mbarrier,         ///< wrong use of an mbarrier object (arrive count, transaction bytes, life time)
  Proxy,            ///< a proxy fence is missing between generic and asynchronous accesses
  Async,            ///< data or registers of a pending asynchronous operation are touched
  TensorMemory,     ///< tensor memory: allocation rules, leaks, accesses outside
  Descriptor,       ///< a matrix descriptor or tensor map that the hardware would not accept
  Idiom,            ///< wrong by the PTX ISA, and written everywhere because it works (Check/Idioms.h)
};

/// Printable, stable name: "out-of-bounds", "misaligned", ...
const char *reportKindName(ReportKind kind);

struct Report {
  ReportKind kind = ReportKind::InvalidOperation;
  std::string message;    ///< one sentence, without location
  std::string file;       ///< name of the PTX text
  uint32_t line = 0;      ///< 1-based PTX line, 0 if none
  uint32_t column = 0;    ///< 1-based
  std::string ptx;        ///< the instruction's text
  std::string sourceFile; ///< from `.loc`, empty if none
  uint32_t sourceLine = 0;
  std::string callFile; ///< where the function of that line was called, if it was inlined
  uint32_t callLine = 0;
  std::string kernel;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uint64_t address = 0; ///< of the first faulting lane, for memory faults
  uint64_t count = 1;   ///< how many lanes/executions met the same fault on this line

  /// `file:line:col: error: [kind] message ...` with block, thread and source line.
  std::string str() const;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_REPORT_H
