//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/StaticShared.h"

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
  using support::endian::read16le;
  using support::endian::read32le;
  using support::endian::read64le;
  auto fail = [&](const Twine &why) {
    error = why.str();
    return false;
  };
  // Header and section header of a 64-bit ELF file (System V ABI); every offset is checked before it is used.
  if (cubin.size() < sizeof(ELF::Elf64_Ehdr) || !StringRef(cubin).starts_with("\177ELF") ||
      cubin[ELF::EI_CLASS] != ELF::ELFCLASS64 || cubin[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return fail("is no 64-bit ELF file");
  const char *data = cubin.data();
  if (read16le(data + offsetof(ELF::Elf64_Ehdr, e_machine)) != ELF::EM_CUDA)
    return fail("is not for a GPU");
  uint64_t table = read64le(data + offsetof(ELF::Elf64_Ehdr, e_shoff));
  uint64_t entry = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shentsize)),
           count = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shnum)),
           names = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shstrndx));
  if (entry < sizeof(ELF::Elf64_Shdr) || names >= count || table > cubin.size() || entry * count > cubin.size() - table)
    return fail("has no table of sections");
  auto field = [&](uint64_t section, size_t offset) { return table + section * entry + offset; };
  auto word = [&](uint64_t section, size_t offset) { return read64le(cubin.data() + field(section, offset)); };
  uint64_t strings = word(names, offsetof(ELF::Elf64_Shdr, sh_offset)),
           length = word(names, offsetof(ELF::Elf64_Shdr, sh_size));
  if (strings > cubin.size() || length > cubin.size() - strings)
    return fail("has no names of sections");
  std::vector<std::pair<uint64_t, uint64_t>> sizes; // where, how many
  for (const auto &[kernel, bytes] : needs) {
    bool found = false;
    for (uint64_t section = 0; section < count; ++section) {
      uint64_t at = read32le(cubin.data() + field(section, offsetof(ELF::Elf64_Shdr, sh_name)));
      if (at >= length)
        continue;
      StringRef name = StringRef(cubin).substr(strings + at, length - at).split('\0').first;
      if (name != ".nv.shared." + kernel)
        continue;
      if (read32le(cubin.data() + field(section, offsetof(ELF::Elf64_Shdr, sh_type))) != ELF::SHT_NOBITS)
        return fail("'" + name + "' has bytes in the file");
      if (word(section, offsetof(ELF::Elf64_Shdr, sh_size)) > bytes)
        return fail("'" + name + "' is larger than what the kernel needs");
      sizes.emplace_back(field(section, offsetof(ELF::Elf64_Shdr, sh_size)), bytes);
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
