//===- Cubin.cpp - Machine instructions by PTX line -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The assembler writes a DWARF 2 line table (`-lineinfo`). If the PTX names its own lines in `.loc` directives, the
// table says how many machine instructions, of sixteen bytes each, every line of PTX has become. Nothing of an
// instruction is read but whether it moves local memory, and how much: that is where spilled registers go.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Toolkit.h"

#include <algorithm>
#include <cstring>
#include <map>

using namespace tileiras::emu::timing;

namespace {

/// Reads little-endian values; past the end it gives zeros and `bad`.
class Reader {
public:
  Reader(std::string_view data) : data(data) {}
  template <typename T> T get() {
    T v = 0;
    if (at + sizeof(T) > data.size())
      bad = true;
    else
      std::memcpy(&v, data.data() + at, sizeof(T));
    at += sizeof(T);
    return v;
  }
  uint64_t leb(bool isSigned) {
    uint64_t v = 0;
    unsigned shift = 0;
    for (;;) {
      uint8_t byte = get<uint8_t>();
      if (shift < 64)
        v |= uint64_t(byte & 127) << shift;
      shift += 7;
      if (!(byte & 128) || bad) {
        if (isSigned && (byte & 64) && shift < 64)
          v |= ~uint64_t(0) << shift;
        return v;
      }
    }
  }
  std::string_view text() {
    size_t end = at < data.size() ? data.find('\0', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      bad = true;
      return {};
    }
    std::string_view s = data.substr(at, end - at);
    at = end + 1;
    return s;
  }
  std::string_view data;
  size_t at = 0;
  bool bad = false;
};

struct Section {
  std::string_view name, data;
  uint32_t link = 0;
};

bool readSections(std::string_view elf, std::vector<Section> &sections) {
  if (elf.size() < 64 || elf.substr(0, 4) != "\x7f"
                                             "ELF")
    return false;
  Reader r(elf);
  r.at = 0x28;
  const uint64_t table = r.get<uint64_t>();
  r.at = 0x3a;
  const uint16_t size = r.get<uint16_t>(), count = r.get<uint16_t>(), names = r.get<uint16_t>();
  std::vector<uint32_t> nameAt;
  for (unsigned i = 0; i != count; ++i) {
    r.at = table + uint64_t(i) * size;
    nameAt.push_back(r.get<uint32_t>());
    const uint32_t type = r.get<uint32_t>();
    r.at += 16;
    const uint64_t offset = r.get<uint64_t>(), bytes = r.get<uint64_t>();
    Section s;
    s.link = r.get<uint32_t>();
    if (r.bad)
      return false;
    if (type != 8 && offset <= elf.size() && bytes <= elf.size() - offset) // 8: no bits
      s.data = elf.substr(offset, bytes);
    sections.push_back(s);
  }
  if (names >= sections.size())
    return false;
  for (unsigned i = 0; i != count; ++i) {
    Reader n(sections[names].data);
    n.at = nameAt[i];
    sections[i].name = n.text();
  }
  return true;
}

/// Adds what the instructions at [from, to) move between registers and local memory. On sm_75 and later the opcode is
/// in the lowest twelve bits (LDL, STL), the width in bits 73 to 75; the sums are those of `ptxas -v`.
void addLocalMemory(std::string_view code, uint64_t from, uint64_t to, MachineCount &count) {
  constexpr uint32_t Widths[] = {1, 1, 2, 2, 4, 8, 16, 0};
  for (; from + 16 <= to && from + 16 <= code.size(); from += 16) {
    Reader r(code.substr(from, 16));
    const uint64_t low = r.get<uint64_t>(), high = r.get<uint64_t>();
    const bool load = (low & 0xfff) == 0x983, store = (low & 0xfff) == 0x387;
    count.local += load || store;
    (load ? count.localLoads : count.localStores) += load || store ? Widths[high >> 9 & 7] : 0;
  }
}

} // namespace

MachineCounts tileiras::emu::timing::readLineCounts(std::string_view cubin, const std::string &kernel) {
  std::vector<Section> sections;
  MachineCounts counts;
  if (!readSections(cubin, sections))
    return counts;
  auto find = [&](std::string_view name) -> const Section * {
    for (const Section &s : sections)
      if (s.name == name)
        return &s;
    return nullptr;
  };
  const Section *line = find(".debug_line"), *relocations = find(".rela.debug_line"), *symbols = find(".symtab");
  const Section *code = find(".text." + kernel);
  if (!line)
    return counts;
  // Which function the address at an offset of the table is that of.
  std::map<uint64_t, std::string_view> functionAt;
  if (relocations && symbols && symbols->link < sections.size()) {
    Reader r(relocations->data);
    while (r.at + 24 <= r.data.size()) {
      const uint64_t offset = r.get<uint64_t>(), info = r.get<uint64_t>();
      r.at += 8;
      Reader s(symbols->data);
      s.at = (info >> 32) * 24;
      Reader name(sections[symbols->link].data);
      name.at = s.get<uint32_t>();
      functionAt[offset] = name.text();
    }
  }
  Reader r(line->data);
  while (r.at + 10 < r.data.size() && !r.bad) {
    const uint32_t length = r.get<uint32_t>();
    const size_t end = r.at + length;
    const uint16_t version = r.get<uint16_t>();
    const uint32_t header = r.get<uint32_t>();
    const size_t program = r.at + header;
    if (version < 2 || version > 3 || end > r.data.size())
      return counts;
    const uint8_t unit = r.get<uint8_t>();
    r.get<uint8_t>();
    const int8_t lineBase = r.get<int8_t>();
    const uint8_t lineRange = r.get<uint8_t>(), opcodeBase = r.get<uint8_t>();
    std::vector<uint8_t> operands(opcodeBase, 0);
    for (unsigned i = 1; i < opcodeBase; ++i)
      operands[i] = r.get<uint8_t>();
    r.at = program;
    uint64_t address = 0, from = 0;
    int64_t number = 1, current = 0;
    bool mine = false;
    auto row = [&] { // instructions from here on belong to `number`
      if (mine && current > 0) {
        MachineCount &count = counts[uint32_t(current)];
        count.instructions += uint32_t((address - from) / 16);
        if (code)
          addLocalMemory(code->data, from, address, count);
      }
      from = address;
      current = number;
    };
    while (r.at < end && !r.bad) {
      const uint8_t opcode = r.get<uint8_t>();
      if (opcode >= opcodeBase && lineRange) {
        address += uint64_t((opcode - opcodeBase) / lineRange) * unit;
        number += lineBase + (opcode - opcodeBase) % lineRange;
        row();
        continue;
      }
      switch (opcode) {
      case 0: {
        const uint64_t size = r.leb(false);
        const size_t next = r.at + size;
        const uint8_t what = r.get<uint8_t>();
        if (what == 2) {
          auto it = functionAt.find(r.at);
          mine = it == functionAt.end() ? functionAt.empty() : it->second == kernel;
          address = from = r.get<uint64_t>();
          current = 0;
        } else if (what == 1) {
          // The end: what is after the last line is padding and subroutines.
          address = from = 0;
          number = 1;
          current = 0;
          mine = false;
        }
        r.at = next;
        break;
      }
      case 1:
        row();
        break;
      case 2:
        address += r.leb(false) * unit;
        break;
      case 3:
        number += int64_t(r.leb(true));
        break;
      case 8:
        if (lineRange)
          address += uint64_t((255 - opcodeBase) / lineRange) * unit;
        break;
      case 9:
        if (opcodeBase > 9 && operands[9] == 1)
          address += r.get<uint16_t>();
        break;
      default:
        for (unsigned k = 0; k != operands[opcode]; ++k)
          r.leb(false);
      }
    }
    r.at = end;
  }
  return counts;
}

std::string tileiras::emu::timing::withOwnLines(std::string_view ptx, const std::vector<uint32_t> &lines) {
  std::string out;
  uint32_t number = 0;
  size_t next = 0;
  bool file = false;
  while (!ptx.empty()) {
    ++number;
    size_t end = ptx.find('\n');
    std::string_view line = ptx.substr(0, end);
    ptx = end == std::string_view::npos ? std::string_view() : ptx.substr(end + 1);
    std::string_view word = line;
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t'))
      word.remove_prefix(1);
    if (word.substr(0, 8) == ".section")
      break; // debug information, which stands at the end
    while (next != lines.size() && lines[next] < number)
      ++next;
    if (word.substr(0, 5) == ".loc\t" || word.substr(0, 5) == ".loc " || word.substr(0, 5) == ".file")
      continue;
    if (next != lines.size() && lines[next] == number)
      out += ".loc 1 " + std::to_string(number) + " 0\n";
    out += line;
    out += '\n';
    if (!file && word.substr(0, 13) == ".address_size") {
      out += ".file 1 \"kernel.ptx\"\n";
      file = true;
    }
  }
  return out;
}
