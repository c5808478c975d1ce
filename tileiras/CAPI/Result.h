//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the functions of open_tileiras.h are made of.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CAPI_RESULT_H
#define TILEIRAS_CAPI_RESULT_H

#include "tileiras/CAPI/open_tileiras.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct tileiras_result {
  int status = 0;
  std::string output, messages, json = "{}";

  /// For `return result->fail(...)`.
  tileiras_result *fail(int code, std::string_view message) {
    status = code;
    messages += "error: ";
    messages += message;
    messages += "\n";
    return this;
  }
};

namespace tileiras::capi {

/// "name=value" pairs up to NULL.
class OptionList {
public:
  explicit OptionList(const char *const *options);
  /// The value, and the option is known from now on.
  std::optional<std::string> take(std::string_view name);
  /// A name that nobody took, or nothing.
  std::optional<std::string> unknown() const;

private:
  struct Option {
    std::string name, value;
    bool taken = false;
  };
  std::vector<Option> options;
};

/// Runs `work` on a stack of 64 MiB, whatever the caller's thread has: parsers and printers recurse over nested
/// regions.
void onLargeStack(const std::function<void()> &work);

} // namespace tileiras::capi

#endif // TILEIRAS_CAPI_RESULT_H
