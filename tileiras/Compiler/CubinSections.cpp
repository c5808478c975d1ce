//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/CubinSections.h"

#include "llvm/ADT/Twine.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

namespace tileiras {

std::optional<CubinSections> CubinSections::of(StringRef cubin, std::string &error) {
  auto fail = [&](const Twine &why) {
    error = why.str();
    return std::nullopt;
  };
  if (cubin.size() < sizeof(ELF::Elf64_Ehdr) || !cubin.starts_with("\177ELF") ||
      cubin[ELF::EI_CLASS] != ELF::ELFCLASS64 || cubin[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return fail("is no 64-bit ELF file");
  const char *data = cubin.data();
  if (read16le(data + offsetof(ELF::Elf64_Ehdr, e_machine)) != ELF::EM_CUDA)
    return fail("is not for a GPU");
  CubinSections found;
  found.file = cubin;
  found.table = read64le(data + offsetof(ELF::Elf64_Ehdr, e_shoff));
  found.entry = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shentsize));
  found.number = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shnum));
  uint64_t names = read16le(data + offsetof(ELF::Elf64_Ehdr, e_shstrndx));
  if (found.entry < sizeof(ELF::Elf64_Shdr) || names >= found.number || found.table > cubin.size() ||
      found.entry * found.number > cubin.size() - found.table)
    return fail("has no table of sections");
  const char *header = data + found.table + names * found.entry;
  found.strings = read64le(header + offsetof(ELF::Elf64_Shdr, sh_offset));
  found.length = read64le(header + offsetof(ELF::Elf64_Shdr, sh_size));
  if (found.strings > cubin.size() || found.length > cubin.size() - found.strings)
    return fail("has no names of sections");
  return found;
}

StringRef CubinSections::name(uint64_t section) const {
  uint64_t at = read32le(file.data() + table + section * entry + offsetof(ELF::Elf64_Shdr, sh_name));
  return at < length ? file.substr(strings + at, length - at).split('\0').first : StringRef();
}

uint32_t CubinSections::type(uint64_t section) const {
  return read32le(file.data() + table + section * entry + offsetof(ELF::Elf64_Shdr, sh_type));
}

uint64_t CubinSections::placeOfSize(uint64_t section) const {
  return table + section * entry + offsetof(ELF::Elf64_Shdr, sh_size);
}

uint64_t CubinSections::size(uint64_t section) const { return read64le(file.data() + placeOfSize(section)); }

uint64_t codeBytes(StringRef cubin, StringRef kernel) {
  std::string ignored;
  if (std::optional<CubinSections> sections = CubinSections::of(cubin, ignored))
    for (uint64_t section = 0; section < sections->count(); ++section)
      if (StringRef name = sections->name(section); name.consume_front(".text.") && name == kernel)
        return sections->size(section);
  return 0;
}

} // namespace tileiras
