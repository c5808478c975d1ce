//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Sections of shared memory are enlarged in ELF files made here, and in no others.
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/StaticShared.h"
#include "FakeCubin.h"
#include "llvm/BinaryFormat/ELF.h"
#include "gtest/gtest.h"
#include <cstring>
#include <vector>

using namespace tileiras;
using namespace llvm::ELF;

namespace {

uint64_t sizeOf(const std::string &file, size_t section) {
  Elf64_Ehdr header;
  memcpy(&header, file.data(), sizeof(header));
  Elf64_Shdr found;
  memcpy(&found, file.data() + header.e_shoff + (section + 1) * sizeof(found), sizeof(found));
  return found.sh_size;
}

} // namespace

TEST(StaticShared, NeedsAreReadFromComments) {
  auto needs = dynamicSharedNeeds(
      "// a needs 98304 bytes of dynamic shared memory\nret;\n"
      "// b needs x bytes of dynamic shared memory\n// c needs 65536 bytes of dynamic shared memory\n");
  EXPECT_EQ(needs, (std::map<std::string, uint64_t>{{"a", 98304}, {"c", 65536}}));
}

TEST(StaticShared, ArraysWithoutASizeGetOne) {
  EXPECT_EQ(
      withStaticArrays(".extern .shared .align 1024 .b8 global_smem[];\n.extern .func f;\n.shared .b8 s[16];\n", 49152),
      ".shared .align 1024 .b8 global_smem[49152];\n.extern .func f;\n.shared .b8 s[16];\n");
}

TEST(StaticShared, SectionsAreEnlarged) {
  std::string file =
      elf({{".text.a", SHT_PROGBITS, 8}, {".nv.shared.a", SHT_NOBITS, 49152}, {".nv.shared.ab", SHT_NOBITS, 16}});
  std::string before = file, error;
  ASSERT_TRUE(enlargeSharedSections(file, {{"a", 98304}}, error)) << error;
  EXPECT_EQ(sizeOf(file, 1), 98304u);
  EXPECT_EQ(sizeOf(file, 0), 8u);
  EXPECT_EQ(sizeOf(file, 2), 16u);
  size_t differing = 0;
  for (size_t i = 0; i < file.size(); ++i)
    differing += file[i] != before[i];
  EXPECT_LE(differing, 8u);
}

TEST(StaticShared, WhatCannotBeIsLeftAlone) {
  auto refused = [](std::string file, const char *why) {
    std::string before = file, error;
    EXPECT_FALSE(enlargeSharedSections(file, {{"a", 65536}}, error));
    EXPECT_NE(error.find(why), std::string::npos) << error;
    EXPECT_EQ(file, before);
  };
  refused("", "no 64-bit ELF file");
  refused(std::string(200, 'x'), "no 64-bit ELF file");
  refused(elf({{".nv.shared.a", SHT_NOBITS, 1}}, EM_X86_64), "not for a GPU");
  refused(elf({{".nv.shared.b", SHT_NOBITS, 1}}), "no section .nv.shared.a");
  refused(elf({{".nv.shared.a", SHT_PROGBITS, 1}}), "has bytes in the file");
  refused(elf({{".nv.shared.a", SHT_NOBITS, 70000}}), "larger than what the kernel needs");
  // Every shorter file, and every wrong offset: no access beyond the end.
  std::string whole = elf({{".nv.shared.a", SHT_NOBITS, 1}});
  for (size_t length = 0; length < whole.size(); ++length) {
    std::string part = whole.substr(0, length), error;
    EXPECT_FALSE(enlargeSharedSections(part, {{"a", 65536}}, error)) << length;
  }
  for (size_t i = 16; i < whole.size(); ++i) {
    std::string wrong = whole, error;
    wrong[i] = char(wrong[i] ^ 0x7f);
    enlargeSharedSections(wrong, {{"a", 65536}}, error);
  }
}
