//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the time of one compilation goes: wall milliseconds per phase, and per
// pass below its phase. Cheap enough to be always compiled in; a null report
// costs one test per phase.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_TIMEREPORT_H
#define TILEIRAS_CODEGEN_TIMEREPORT_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm
namespace mlir {
class PassManager;
} // namespace mlir

namespace tileiras {

class TimeReport {
public:
  /// Adds `milliseconds` to the row `name`; rows keep the order of first use. Indented rows are parts of the
  /// row above them and are not part of the total.
  void add(llvm::StringRef name, double milliseconds, bool part = false);
  /// Adds a row per pass that `manager` runs.
  void instrument(mlir::PassManager &manager);
  void print(llvm::raw_ostream &os) const;
  /// One JSON object {"row": ms, ...} on one line, for benchmarks.
  void printJson(llvm::raw_ostream &os) const;

  static double now();

private:
  struct Row {
    std::string name;
    double milliseconds;
    bool part;
    bool closed = false; ///< a part whose phase is complete
  };
  std::vector<Row> rows;
};

/// Times a scope; does nothing when `report` is null.
class TimePhase {
public:
  TimePhase(TimeReport *report, const char *name) : report(report), name(name), begin(report ? TimeReport::now() : 0) {}
  ~TimePhase() { stop(); }
  void stop() {
    if (report)
      report->add(name, TimeReport::now() - begin);
    report = nullptr;
  }

private:
  TimeReport *report;
  const char *name;
  double begin;
};

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_TIMEREPORT_H
