//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/TimeReport.h"

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;

namespace tileiras {

double TimeReport::now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void TimeReport::add(StringRef name, double milliseconds, bool part) {
  // The parts of the phase that is going on are the rows at the end; the phase itself comes last and goes above them.
  auto parts = rows.end();
  while (parts != rows.begin() && std::prev(parts)->part && !std::prev(parts)->closed)
    --parts;
  for (auto row = part ? parts : rows.begin(); row != rows.end(); ++row) {
    if (row->name == name && row->part == part) {
      row->milliseconds += milliseconds;
      return;
    }
  }
  if (part) {
    rows.push_back({name.str(), milliseconds, part});
    return;
  }
  for (auto row = parts; row != rows.end(); ++row)
    row->closed = true;
  rows.insert(parts, {name.str(), milliseconds, part});
}

void TimeReport::print(llvm::raw_ostream &os) const {
  double total = 0;
  for (const Row &row : rows)
    total += row.part ? 0 : row.milliseconds;
  os << "time report (wall milliseconds)\n";
  for (const Row &row : rows)
    os << (row.part ? "    " : "  ") << llvm::left_justify(row.name, row.part ? 46 : 48)
       << llvm::format("%9.2f\n", row.milliseconds);
  os << "  " << llvm::left_justify("total", 48) << llvm::format("%9.2f\n", total);
}

void TimeReport::printJson(llvm::raw_ostream &os) const {
  os << "{";
  StringRef separator;
  for (const Row &row : rows) {
    os << separator << "\"" << (row.part ? "pass " : "") << row.name
       << "\": " << llvm::format("%.3f", row.milliseconds);
    separator = ", ";
  }
  os << "}\n";
}

namespace {
/// Passes nest (an adaptor runs the passes of its children), so only leaves are counted.
class PassTimes : public PassInstrumentation {
public:
  explicit PassTimes(TimeReport &report) : report(report) {}

  void runBeforePass(Pass *pass, Operation *) override { starts.push_back({TimeReport::now(), false}); }
  void runAfterPass(Pass *pass, Operation *) override { finish(pass); }
  void runAfterPassFailed(Pass *pass, Operation *) override { finish(pass); }

private:
  void finish(Pass *pass) {
    auto [begin, hasChildren] = starts.pop_back_val();
    if (!hasChildren)
      report.add(pass->getArgument().empty() ? pass->getName() : pass->getArgument(), TimeReport::now() - begin, true);
    if (!starts.empty())
      starts.back().second = true;
  }

  TimeReport &report;
  SmallVector<std::pair<double, bool>> starts;
};
} // namespace

void TimeReport::instrument(PassManager &manager) { manager.addInstrumentation(std::make_unique<PassTimes>(*this)); }

} // namespace tileiras
