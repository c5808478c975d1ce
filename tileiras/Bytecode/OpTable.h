//===- OpTable.h - The table of ops (internal) ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An op in the stream:
//
//   op       := varint opcode
//               [varint numResults]     if any operand group or result is variadic
//               type*                   results that exist in this version
//               [varint flags]          if any optional part exists in this version
//               attribute*              in declaration order; optional ones iff their flag is set
//               operands
//               [varint numRegions, region*]
//   operands := Plain:     index*
//               Counted:   varint count, index*
//               Segmented: per group: index | varint count, index* | [index iff its flag is set]
//   region   := varint numBlocks, block*
//   block    := varint numArguments, type*, varint numOps, op*
//
// Flag bits go to optional attributes, unit attributes and (in segmented ops) optional operands, ordered by the
// version that introduced them, then attributes before operands, then by declaration.
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_OPTABLE_H
#define TILEIRAS_BYTECODE_OPTABLE_H

#include "tileiras/Bytecode/Enums.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::cuda_tile::bytecode {

enum class Encoding : uint8_t {
  Enum, // varint code
  Unit, // a flag bit, nothing in the stream
  Bool, // byte
  I32,
  I64,       // varint of the zero-extended bits
  String,    // string index -> StringAttr
  Symbol,    // string index -> FlatSymbolRefAttr
  Constant,  // constant index; the type is that of the first result
  I32Array,  // varint count, i32*
  BoolArray, // varint count, byte*; absent means all false
  Hints,     // a dictionary without tag -> OptimizationHintsAttr
  Self,      // self-contained attribute
  SelfArray, // varint count, self-contained attribute*
};

struct AttributeRow {
  StringRef name;
  Encoding encoding;
  const EnumInfo *enumInfo = nullptr; // Encoding::Enum
  BytecodeVersion since;
  bool optional = false;
  /// What files older than `since` mean.
  std::optional<uint32_t> defaultCode;
  int flagBit = -1;
};

struct OperandRow {
  enum Kind : uint8_t { Required, Optional, Variadic };
  StringRef name;
  Kind kind;
  BytecodeVersion since;
  int flagBit = -1;
};

struct ResultRow {
  StringRef name;
  bool variadic;
  BytecodeVersion since;
};

enum class OperandStyle : uint8_t { Plain, Counted, Segmented };

struct OpRow {
  OpRow(uint32_t opcode, StringRef mnemonic, BytecodeVersion since)
      : opcode(opcode), mnemonic(mnemonic), since(since) {}

  uint32_t opcode;
  StringRef mnemonic;
  BytecodeVersion since;
  /// entry, module and global have numbers but never stand in an op stream.
  bool inStream = true;
  SmallVector<ResultRow, 2> results;
  SmallVector<AttributeRow, 4> attributes;
  SmallVector<OperandRow, 4> operands;
  OperandStyle style = OperandStyle::Plain;
  uint8_t numRegions = 0;
  /// Whether the number of results is written.
  bool countsResults = false;
  /// The first version in which the op has a flags field, if any has.
  std::optional<BytecodeVersion> flagsSince;

  bool hasFlags(BytecodeVersion version) const { return flagsSince && version >= *flagsSince; }
  bool hasVariadicResult() const { return !results.empty() && results.back().variadic; }
  /// How many results an op of the version has; the variadic one does not count.
  unsigned numFixedResults(BytecodeVersion version) const {
    return llvm::count_if(results, [&](const ResultRow &r) { return !r.variadic && version >= r.since; });
  }
  /// All flag bits that the version knows.
  uint64_t knownFlags(BytecodeVersion version) const;
};

class OpTable {
public:
  static const OpTable &get();
  /// Null if the number is not assigned.
  const OpRow *find(uint64_t opcode) const { return opcode < byOpcode.size() ? byOpcode[opcode] : nullptr; }
  const OpRow *find(StringRef mnemonic) const;
  ArrayRef<OpRow> rows() const { return table; }
  /// One past the largest opcode.
  size_t numOpcodes() const { return byOpcode.size(); }

private:
  OpTable();
  std::vector<OpRow> table; // sorted by opcode
  std::vector<const OpRow *> byOpcode;
};

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_OPTABLE_H
