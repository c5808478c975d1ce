//===- DimName.cpp - Names of dimensions of layouts -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Support/DimName.h"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace tileiras {

namespace {
/// Every name by its number. Names are never removed, and a deque never moves them.
class Table {
public:
  Table() {
    for (std::string_view name : {"register", "lane", "warp", "block", "offset", "row", "column"})
      add(name);
    for (uint32_t i = 0; i < DimName::kTileDims; ++i)
      add("dim" + std::to_string(i));
  }

  uint32_t number(std::string_view text) {
    std::lock_guard lock(mutex);
    auto found = numbers.find(text);
    return found != numbers.end() ? found->second : add(text);
  }
  std::string_view text(uint32_t number) {
    std::lock_guard lock(mutex);
    return names[number];
  }

private:
  uint32_t add(std::string_view text) {
    uint32_t number = uint32_t(names.size());
    numbers.emplace(names.emplace_back(text), number);
    return number;
  }

  std::mutex mutex;
  std::deque<std::string> names;
  std::unordered_map<std::string_view, uint32_t> numbers;
};
} // namespace

/// Never destroyed: names may be used by what the process destroys last.
static Table &table() {
  static Table &table = *new Table;
  return table;
}

uint32_t DimName::intern(std::string_view text) { return table().number(text); }
std::string_view DimName::view() const { return table().text(id); }
DimName DimName::moreTileDim(int index) { return DimName("dim" + std::to_string(index)); }

} // namespace tileiras
