//===- FakeCubin.h - ELF files with nothing but sections --------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_COMPILER_FAKECUBIN_H
#define TILEIRAS_UNITTESTS_COMPILER_FAKECUBIN_H

#include "llvm/BinaryFormat/ELF.h"
#include <cstring>
#include <string>
#include <vector>

namespace tileiras {

struct Section {
  std::string name;
  uint32_t type;
  uint64_t size;
};

inline std::string elf(std::vector<Section> sections, uint16_t machine = llvm::ELF::EM_CUDA) {
  sections.insert(sections.begin(), Section{"", llvm::ELF::SHT_NULL, 0});
  sections.push_back({".shstrtab", llvm::ELF::SHT_STRTAB, 0});
  std::string names;
  std::vector<uint32_t> at;
  for (const Section &s : sections) {
    at.push_back(uint32_t(names.size()));
    names += s.name + '\0';
  }
  llvm::ELF::Elf64_Ehdr header = {};
  memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_machine = machine;
  header.e_shoff = sizeof(header) + names.size();
  header.e_shentsize = sizeof(llvm::ELF::Elf64_Shdr);
  header.e_shnum = uint16_t(sections.size());
  header.e_shstrndx = uint16_t(sections.size() - 1);
  std::string file(reinterpret_cast<const char *>(&header), sizeof(header));
  file += names;
  for (size_t i = 0; i < sections.size(); ++i) {
    llvm::ELF::Elf64_Shdr section = {};
    section.sh_name = at[i];
    section.sh_type = sections[i].type;
    section.sh_size = sections[i].size;
    if (i + 1 == sections.size())
      section.sh_offset = sizeof(header), section.sh_size = names.size();
    file.append(reinterpret_cast<const char *>(&section), sizeof(section));
  }
  return file;
}

} // namespace tileiras

#endif // TILEIRAS_UNITTESTS_COMPILER_FAKECUBIN_H
