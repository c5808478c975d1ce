//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CAPI/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/thread.h"

namespace tileiras::capi {

OptionList::OptionList(const char *const *list) {
  for (; list && *list; ++list) {
    std::string_view text = *list;
    size_t equal = text.find('=');
    options.push_back({std::string(text.substr(0, equal)),
                       equal == text.npos ? std::string("1") : std::string(text.substr(equal + 1))});
  }
}

std::optional<std::string> OptionList::take(std::string_view name) {
  std::optional<std::string> value; // the last one counts
  for (Option &option : options)
    if (option.name == name) {
      option.taken = true;
      value = option.value;
    }
  return value;
}

std::optional<std::string> OptionList::unknown() const {
  for (const Option &option : options)
    if (!option.taken)
      return option.name;
  return std::nullopt;
}

void onLargeStack(const std::function<void()> &work) {
  llvm::thread thread(std::optional<unsigned>(64u << 20), work);
  thread.join();
}

} // namespace tileiras::capi

extern "C" {

int tileiras_result_status(const tileiras_result *result) { return result->status; }
const void *tileiras_result_output(const tileiras_result *result, size_t *size) {
  if (size)
    *size = result->output.size();
  return result->output.c_str();
}
const char *tileiras_result_messages(const tileiras_result *result) { return result->messages.c_str(); }
const char *tileiras_result_json(const tileiras_result *result) { return result->json.c_str(); }
void tileiras_result_destroy(tileiras_result *result) { delete result; }
const char *tileiras_version(void) { return TILEIRAS_VERSION; }

} // extern "C"
