//===- InstructionTable.cpp - The instruction set as data -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionTable.h"

#include "tileiras/Emulator/PTX/InstructionSource.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

using namespace tileiras::emu;

namespace {

const std::map<std::string_view, std::string_view> &groups() {
  static const std::map<std::string_view, std::string_view> map = {
      {"$rnd", "rn|rz|rm|rp"},
      {"$int", "u16|u32|u64|s16|s32|s64"},
      {"$xy32", "u32|s32"},
      {"$cc", "u32|s32|u64|s64"},
      {"$vop", "add|min|max"},
      {"$cmp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"},
      {"$bool", "and|or|xor"},
      {"$any", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
      {"$cvt", "u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64"},
      {"$mem", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f16|f16x2|bf16|bf16x2|f32|f64"},
      {"$scope", "cta|cluster|gpu|sys"},
      {"$space", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func"},
      {"$cop", "ca|cg|cs|lu|cv|wb|wt"},
      {"$level", "L1::*|L2::*"},
      {"$vec", "v2|v4|v8"},
      {"$spc", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry"},
      {"$f8f6f4", "e4m3|e5m2|e3m2|e2m3|e2m1"},
      {"$sp", "sp|sp::ordered_metadata"},
      {"$wmma16", "m16n16k16|m8n32k16|m32n8k16"},
      {"$wmmaspace", "global|shared|shared::cta|shared::cluster"},
      {"$dim", "1d|2d|3d|4d|5d"},
      {"$tmaload", "tile|tile::gather4|im2col|im2col::w|im2col::w::128"},
      {"$tma", "$tmaload|tile::scatter4|im2col_no_offs|global|shared::cta|shared::cluster|mbarrier::complete_tx::bytes|"
               "bulk_group|multicast::cluster|cta_group::1|cta_group::2|L2::cache_hint|add|min|max|inc|dec|and|or|xor"},
      {"$geom", "1d|2d|3d|a1d|a2d|cube|acube"},
      {"$sugeom", "1d|2d|3d|a1d|a2d"},
      {"$atomspace", "global|shared|shared::cta|shared::cluster"},
  };
  return map;
}

/// "$any|f16?" -> {b16, b32, ..., f16}, optional.
WordSpec parseWordSpec(std::string_view text) {
  WordSpec spec;
  if (!text.empty() && text.back() == '?') {
    spec.optional = true;
    text.remove_suffix(1);
  }
  while (!text.empty()) {
    size_t bar = text.find('|');
    std::string_view item = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    if (item[0] == '$') {
      WordSpec group = parseWordSpec(groups().at(item));
      spec.choices.insert(spec.choices.end(), group.choices.begin(), group.choices.end());
    } else {
      spec.choices.push_back(item);
    }
  }
  return spec;
}

OperandSpec parseOperandSpec(std::string_view text) {
  OperandSpec spec;
  spec.kind = text[0];
  text.remove_prefix(1);
  if (!text.empty() && text.back() == '?') {
    spec.optional = true;
    text.remove_suffix(1);
  }
  if (!text.empty() && text.back() == '~') {
    spec.relaxed = true;
    text.remove_suffix(1);
  }
  if (text == "w") {
    spec.typeIndex = -2;
  } else if (!text.empty() && text[0] == ':') {
    spec.typeIndex = -1;
    spec.fixedType = parseType(text.substr(1));
  } else if (!text.empty()) {
    spec.typeIndex = int8_t(text[0] - '0');
  }
  return spec;
}

struct Table {
  std::vector<InstructionRow> rows;
  std::unordered_map<std::string_view, std::vector<const InstructionRow *>> byOpcode;
  Table() {
    for (InstructionSources sources :
         {arithmeticInstructions(), memoryInstructions(), warpInstructions(), videoInstructions(), asyncInstructions(),
          tmaInstructions(), matrixInstructions(), wgmmaInstructions(), tcgen05Instructions(), textureInstructions()})
      for (const InstructionSource &s : sources)
        add(s);
    for (const InstructionRow &row : rows)
      byOpcode[row.opcode].push_back(&row);
  }

private:
  void add(const InstructionSource &s) {
    InstructionRow row{s.opcode, s.op, s.cls, s.words, s.operands, s.sm, false, {}, {}};
    for (std::string_view rest = row.words; !rest.empty();) {
      size_t blank = rest.find(' ');
      row.wordSpecs.push_back(parseWordSpec(rest.substr(0, blank)));
      rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
    }
    for (std::string_view rest = s.operands; !rest.empty();) {
      size_t comma = rest.find(',');
      row.operandSpecs.push_back(parseOperandSpec(rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    size_t typeWords = 0;
    for (const WordSpec &spec : row.wordSpecs)
      typeWords += parseType(spec.choices[0]) != Type::None;
    row.anyOrder = typeWords == 1;
    rows.push_back(std::move(row));
  }
};

const Table &table() {
  static const Table t;
  return t;
}

bool choiceMatches(std::string_view choice, std::string_view word) {
  if (!choice.empty() && choice.back() == '*')
    return word.substr(0, choice.size() - 1) == choice.substr(0, choice.size() - 1);
  return choice == word;
}

/// Optional components make the match ambiguous in principle, hence the backtracking.
bool matchFrom(const InstructionRow &row, size_t component, const std::vector<std::string_view> &words, size_t word) {
  if (component == row.wordSpecs.size())
    return word == words.size();
  const WordSpec &spec = row.wordSpecs[component];
  if (word < words.size())
    for (std::string_view choice : spec.choices)
      if (choiceMatches(choice, words[word]) && matchFrom(row, component + 1, words, word + 1))
        return true;
  return spec.optional && matchFrom(row, component + 1, words, word);
}

bool matchAnyOrder(const InstructionRow &row, const std::vector<std::string_view> &words) {
  if (words.size() > row.wordSpecs.size())
    return false;
  std::vector<bool> used(row.wordSpecs.size());
  for (std::string_view word : words) {
    bool found = false;
    for (size_t c = 0; c != used.size() && !found; ++c)
      for (std::string_view choice : row.wordSpecs[c].choices)
        if (!used[c] && choiceMatches(choice, word))
          used[c] = found = true;
    if (!found)
      return false;
  }
  for (size_t c = 0; c != used.size(); ++c)
    if (!used[c] && !row.wordSpecs[c].optional)
      return false;
  return true;
}

} // namespace

const std::vector<InstructionRow> &tileiras::emu::instructionTable() { return table().rows; }

const std::vector<const InstructionRow *> &tileiras::emu::rowsOf(std::string_view opcode) {
  static const std::vector<const InstructionRow *> none;
  auto it = table().byOpcode.find(opcode);
  return it == table().byOpcode.end() ? none : it->second;
}

bool tileiras::emu::matchWords(const InstructionRow &row, const std::vector<std::string_view> &words,
                               std::vector<Type> &types, std::vector<std::string_view> &mods) {
  if (!matchFrom(row, 0, words, 0) && !(row.anyOrder && matchAnyOrder(row, words)))
    return false;
  types.clear();
  mods.clear();
  for (std::string_view word : words) {
    Type t = parseType(word);
    if (t != Type::None)
      types.push_back(t);
    else
      mods.push_back(word);
  }
  return true;
}

const char *tileiras::emu::instClassName(InstClass c) {
  static const char *const names[] = {"integer", "logic",   "float32", "float64", "half",   "convert", "compare",
                                      "move",    "special", "load",    "store",   "atomic", "branch",  "call",
                                      "barrier", "warp",    "fence",   "async",   "matrix", "other"};
  static_assert(sizeof(names) / sizeof(names[0]) == NumInstClasses);
  return names[unsigned(c)];
}
