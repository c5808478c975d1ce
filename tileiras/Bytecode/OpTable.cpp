//===- OpTable.cpp - The table of ops -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// OpTable.def is text made for reading; here it becomes rows. A malformed row is a bug of this program, so it ends
// it: every use of the library, and so every test, reads the whole table.
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/OpTable.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

[[noreturn]] static void badRow(StringRef row, StringRef part) {
  llvm::reportFatalInternalError("OpTable.def: cannot understand '" + part + "' of '" + row + "'");
}

/// Cuts "@minor" off the end of a part.
static BytecodeVersion takeSince(StringRef &part, BytecodeVersion opSince) {
  auto [head, minor] = part.split('@');
  if (minor.empty())
    return opSince;
  part = head;
  return {13, static_cast<uint8_t>(minor[0] - '0')};
}

static ResultRow parseResult(StringRef part, BytecodeVersion opSince) {
  BytecodeVersion since = takeSince(part, opSince);
  bool variadic = part.consume_back("*");
  return {part, variadic, since};
}

static OperandRow parseOperand(StringRef part, BytecodeVersion opSince) {
  BytecodeVersion since = takeSince(part, opSince);
  auto kind = part.consume_back("*")   ? OperandRow::Variadic
              : part.consume_back("?") ? OperandRow::Optional
                                       : OperandRow::Required;
  return {part, kind, since};
}

static AttributeRow parseAttribute(StringRef mnemonic, StringRef part, BytecodeVersion opSince) {
  StringRef whole = part;
  AttributeRow row;
  auto [head, defaultCode] = part.split('=');
  if (!defaultCode.empty()) {
    unsigned code;
    if (defaultCode.getAsInteger(10, code))
      badRow(mnemonic, whole);
    row.defaultCode = code;
  }
  part = head;
  row.since = takeSince(part, opSince);
  auto [name, encoding] = part.split(':');
  row.optional = name.consume_back("?");
  row.name = name;
  row.enumInfo = findEnum(encoding);
  auto known = llvm::StringSwitch<std::optional<Encoding>>(encoding)
                   .Case("unit", Encoding::Unit)
                   .Case("bool", Encoding::Bool)
                   .Case("i32", Encoding::I32)
                   .Case("i64", Encoding::I64)
                   .Case("string", Encoding::String)
                   .Case("symbol", Encoding::Symbol)
                   .Case("constant", Encoding::Constant)
                   .Case("i32s", Encoding::I32Array)
                   .Case("bools", Encoding::BoolArray)
                   .Case("hints", Encoding::Hints)
                   .Case("self", Encoding::Self)
                   .Case("selfs", Encoding::SelfArray)
                   .Default(row.enumInfo ? std::optional(Encoding::Enum) : std::nullopt);
  if (!known)
    badRow(mnemonic, whole);
  row.encoding = *known;
  return row;
}

static SmallVector<StringRef> words(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return parts;
}

static OpRow makeRow(uint32_t opcode, StringRef mnemonic, uint8_t sinceMinor, StringRef results, StringRef attributes,
                     StringRef operands, uint8_t numRegions) {
  OpRow row(opcode, mnemonic, {13, sinceMinor});
  row.numRegions = numRegions;
  for (StringRef part : words(results))
    row.results.push_back(parseResult(part, row.since));
  for (StringRef part : words(attributes))
    row.attributes.push_back(parseAttribute(mnemonic, part, row.since));
  SmallVector<StringRef> operandParts = words(operands);
  if (!operandParts.empty() && operandParts.front() == "seg:") {
    row.style = OperandStyle::Segmented;
    operandParts.erase(operandParts.begin());
  }
  for (StringRef part : operandParts)
    row.operands.push_back(parseOperand(part, row.since));
  bool variadicOperand = llvm::any_of(row.operands, [](auto &o) { return o.kind == OperandRow::Variadic; });
  if (row.style == OperandStyle::Plain &&
      llvm::any_of(row.operands, [](auto &o) { return o.kind != OperandRow::Required; }))
    row.style = OperandStyle::Counted;
  row.countsResults = variadicOperand || llvm::any_of(row.results, [](auto &r) { return r.variadic; });

  // Number the flags.
  struct Flag {
    BytecodeVersion since;
    int *bit;
  };
  SmallVector<Flag> flags;
  for (AttributeRow &attr : row.attributes)
    if (attr.optional || attr.encoding == Encoding::Unit)
      flags.push_back({attr.since, &attr.flagBit});
  if (row.style == OperandStyle::Segmented)
    for (OperandRow &operand : row.operands)
      if (operand.kind == OperandRow::Optional)
        flags.push_back({operand.since, &operand.flagBit});
  llvm::stable_sort(flags, [](const Flag &a, const Flag &b) { return a.since < b.since; });
  for (auto [bit, flag] : llvm::enumerate(flags))
    *flag.bit = bit;
  if (!flags.empty())
    row.flagsSince = flags.front().since;
  return row;
}

static OpRow makeModuleLevelRow(uint32_t opcode, StringRef mnemonic) {
  OpRow row(opcode, mnemonic, v13_1);
  row.inStream = false;
  return row;
}

OpTable::OpTable() {
#define TILEIR_OP(opcode, mnemonic, since, results, attributes, operands, regions)                                     \
  table.push_back(makeRow(opcode, mnemonic, since, results, attributes, operands, regions));
#define TILEIR_MODULE_LEVEL_OP(opcode, mnemonic) table.push_back(makeModuleLevelRow(opcode, mnemonic));
#include "tileiras/Bytecode/OpTable.def"
  byOpcode.resize(table.back().opcode + 1);
  for (const OpRow &row : table) {
    if (row.opcode >= byOpcode.size() || byOpcode[row.opcode])
      badRow(row.mnemonic, "opcode");
    byOpcode[row.opcode] = &row;
  }
}

const OpTable &OpTable::get() {
  static const OpTable table;
  return table;
}

const OpRow *OpTable::find(StringRef mnemonic) const {
  static const llvm::StringMap<const OpRow *> byName = [] {
    llvm::StringMap<const OpRow *> map;
    for (const OpRow &row : OpTable::get().rows())
      map[row.mnemonic] = &row;
    return map;
  }();
  return byName.lookup(mnemonic);
}

uint64_t OpRow::knownFlags(BytecodeVersion version) const {
  uint64_t known = 0;
  auto add = [&](int bit, BytecodeVersion from) {
    if (bit >= 0 && version >= from)
      known |= uint64_t(1) << bit;
  };
  for (const AttributeRow &attr : attributes)
    add(attr.flagBit, attr.since);
  for (const OperandRow &operand : operands)
    add(operand.flagBit, operand.since);
  return known;
}
