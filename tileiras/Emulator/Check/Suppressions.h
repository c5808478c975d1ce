//===- Suppressions.h - Reports that nobody wants to see --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file with one rule per line; `#` begins a comment. A rule is a list of conditions, all of which a report must meet:
//
//   kind=race kernel=reduce*          # the last block reads what others wrote: ordered by threadfence()
//   file=*/threadFenceReduction.cu line=120
//
// `kind` is a report's name (Report.h), `kernel` the kernel's, `file` and `line` the source line's or, without line
// information, the PTX's. Values may contain `*`, which stands for any text.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_CHECK_SUPPRESSIONS_H
#define TILEIRAS_EMULATOR_CHECK_SUPPRESSIONS_H

#include "tileiras/Emulator/Check/Report.h"

#include <string_view>

namespace tileiras::emu {

class Suppressions {
public:
  /// Adds the rules of `text`. On a fault nothing is added and `error` says "line 3: ...".
  bool parse(std::string_view text, std::string &error);
  /// The same with the contents of a file.
  bool read(const std::string &path, std::string &error);
  bool covers(const Report &report) const;
  bool empty() const { return rules.empty(); }

private:
  struct Rule {
    std::string kind = "*", kernel = "*", file = "*";
    uint32_t line = 0; ///< 0: any
  };
  std::vector<Rule> rules;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_CHECK_SUPPRESSIONS_H
