//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/StaticShared.h"
#include "tileiras/Compiler/CubinSections.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <vector>

using namespace llvm;

namespace tileiras {

std::map<std::string, uint64_t> dynamicSharedNeeds(StringRef ptx) {
  std::map<std::string, uint64_t> needs;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.consume_front("// ") || !line.consume_back(" bytes of dynamic shared memory"))
      continue;
    auto [kernel, bytes] = line.split(" needs ");
    uint64_t count = 0;
    if (!bytes.getAsInteger(10, count))
      needs[kernel.str()] = count;
  }
  return needs;
}

std::string withStaticArrays(StringRef ptx, uint64_t bytes) {
  std::string result;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (auto [i, line] : enumerate(lines)) {
    StringRef text = line;
    if (i)
      result += '\n';
    if (text.consume_front(".extern ") && text.starts_with(".shared") && text.consume_back("[];"))
      result += (text + "[" + Twine(bytes) + "];").str();
    else
      result += line;
  }
  return result;
}

bool enlargeSharedSections(std::string &cubin, const std::map<std::string, uint64_t> &needs, std::string &error) {
  std::optional<CubinSections> sections = CubinSections::of(cubin, error);
  if (!sections)
    return false;
  auto fail = [&](const Twine &why) {
    error = why.str();
    return false;
  };
  std::vector<std::pair<uint64_t, uint64_t>> sizes; // where, how many
  for (const auto &[kernel, bytes] : needs) {
    bool found = false;
    for (uint64_t section = 0; section < sections->count(); ++section) {
      StringRef name = sections->name(section);
      if (name != ".nv.shared." + kernel)
        continue;
      if (sections->type(section) != ELF::SHT_NOBITS)
        return fail("'" + name + "' has bytes in the file");
      if (sections->size(section) > bytes)
        return fail("'" + name + "' is larger than what the kernel needs");
      sizes.emplace_back(sections->placeOfSize(section), bytes);
      found = true;
    }
    if (!found)
      return fail("has no section .nv.shared." + kernel);
  }
  for (auto [where, bytes] : sizes)
    support::endian::write64le(cubin.data() + where, bytes);
  return true;
}

} // namespace tileiras
