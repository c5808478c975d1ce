//===- WriterImpl.h - Parts of the bytecode writer (internal) -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_WRITERIMPL_H
#define TILEIRAS_BYTECODE_WRITERIMPL_H

#include "tileiras/Bytecode/Enums.h"
#include "tileiras/Bytecode/Format.h"
#include "tileiras/Bytecode/OpTable.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Endian.h"

namespace mlir::cuda_tile::bytecode {

/// A growing stretch of bytes.
class ByteSink {
public:
  void byte(uint8_t value) { data.push_back(static_cast<char>(value)); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      byte(static_cast<uint8_t>(value) | 0x80);
    byte(static_cast<uint8_t>(value));
  }
  void svarint(int64_t value) { varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
  template <typename T> void fixed(T value) {
    char raw[sizeof(T)];
    llvm::support::endian::write<T, llvm::endianness::little>(raw, value);
    data.append(raw, raw + sizeof(T));
  }
  void bytes(ArrayRef<char> raw) { data.append(raw.begin(), raw.end()); }
  void align(uint64_t alignment) {
    while (data.size() % alignment != 0)
      byte(paddingByte);
  }
  size_t size() const { return data.size(); }
  ArrayRef<char> contents() const { return data; }

private:
  SmallVector<char, 0> data;
};

/// Numbers strings, types, constants and debug records as they are first used. Errors go to the operation that is
/// being written.
class WriterTables {
public:
  WriterTables(BytecodeVersion version, Location loc) : version(version), loc(loc) {}

  LogicalResult string(StringRef text, uint64_t &index);
  LogicalResult type(Type type, uint64_t &index);
  LogicalResult constant(DenseIntOrFPElementsAttr attr, uint64_t &index);
  /// The number of a record plus one, 0 for nothing worth a record.
  LogicalResult debug(Attribute attr, uint64_t &indexPlusOne);
  /// The locations of a function and of its ops in pre-order; 0 if all are unknown.
  LogicalResult locations(ArrayRef<Location> list, uint64_t &indexPlusOne);

  void writeStrings(ByteSink &sink) const;
  void writeTypes(ByteSink &sink) const;
  void writeConstants(ByteSink &sink) const;
  void writeDebug(ByteSink &sink) const;
  bool hasTypes() const { return !typeIndex.empty(); }
  bool hasConstants() const { return !constantIndex.empty(); }
  bool hasDebug() const { return !listStarts.empty(); }

  InFlightDiagnostic error() const { return emitError(loc); }

  const BytecodeVersion version;
  /// Where errors are reported.
  Location loc;

private:
  LogicalResult encodeType(Type type, ByteSink &sink);
  LogicalResult encodeDebug(Attribute attr, ByteSink &sink);

  llvm::MapVector<StringRef, uint64_t> stringIndex;
  llvm::DenseMap<Type, uint64_t> typeIndex;
  llvm::DenseMap<Attribute, uint64_t> constantIndex, debugIndex;
  std::vector<ByteSink> typeEntries, debugEntries;
  std::vector<DenseIntOrFPElementsAttr> constants;
  std::vector<uint32_t> listStarts;
  std::vector<uint64_t> locationIndices;
};

/// Writes fields that refer to the tables. The codec of Layouts.h.
class FieldWriter {
public:
  FieldWriter(ByteSink &sink, WriterTables &tables) : sink(sink), tables(tables) {}

  BytecodeVersion version() const { return tables.version; }
  LogicalResult fail(const Twine &text) const { return tables.error() << text; }
  LogicalResult require(bool isUsed, BytecodeVersion since, StringRef what) {
    if (isUsed && version() < since)
      return tables.error() << what << " requires bytecode version " << since.str() << "+, targeting "
                            << version().str();
    return success();
  }
  LogicalResult byte(uint8_t value) { return sink.byte(value), success(); }
  LogicalResult varint(uint64_t value) { return sink.varint(value), success(); }
  LogicalResult svarint(int64_t value) { return sink.svarint(value), success(); }
  LogicalResult patternVarint(uint64_t value) { return sink.svarint(static_cast<int64_t>(value)), success(); }
  LogicalResult u32(uint32_t value, StringRef) { return varint(value); }
  LogicalResult flags(uint64_t value, uint64_t) { return varint(value); }
  LogicalResult string(StringAttr value) { return indexed(value.getValue(), &WriterTables::string); }
  LogicalResult type(Type value) { return indexed(value, &WriterTables::type); }
  LogicalResult types(TypeRange values) {
    sink.varint(values.size());
    for (Type value : values)
      if (failed(type(value)))
        return failure();
    return success();
  }
  LogicalResult constant(DenseIntOrFPElementsAttr value) { return indexed(value, &WriterTables::constant); }
  LogicalResult debug(Attribute value) { return indexed(value, &WriterTables::debug); }
  LogicalResult code(const EnumInfo &info, Attribute value, StringRef name = {});
  LogicalResult i32s(ArrayRef<int32_t> values);
  LogicalResult i64s(ArrayRef<int64_t> values, bool isAttribute = false);
  LogicalResult attribute(Attribute value);
  LogicalResult attributes(ArrayRef<Attribute> values);
  LogicalResult dictionary(DictionaryAttr value);

private:
  template <typename T> LogicalResult indexed(T value, LogicalResult (WriterTables::*intern)(T, uint64_t &)) {
    uint64_t index;
    if (failed((tables.*intern)(value, index)))
      return failure();
    sink.varint(index);
    return success();
  }

  ByteSink &sink;
  WriterTables &tables;
};

/// Writes function bodies.
class OpWriter {
public:
  OpWriter(WriterTables &tables) : tables(tables) {}

  /// Writes the ops of the entry's body, and lists their locations in pre-order.
  LogicalResult writeBody(EntryOp entry, ByteSink &sink, SmallVectorImpl<Location> &locations);

private:
  LogicalResult writeOp(Operation &op, ByteSink &sink);
  LogicalResult writeResults(Operation &op, const OpRow &row, ByteSink &sink);
  LogicalResult writeRegion(Region &region, ByteSink &sink);
  LogicalResult writeAttribute(Operation &op, const OpRow &row, const AttributeRow &attr, Attribute value,
                               FieldWriter &writer);
  LogicalResult checkMissing(Operation &op, const AttributeRow &attr, Attribute value);

  WriterTables &tables;
  llvm::DenseMap<Value, uint64_t> numbers;
  uint64_t nextNumber = 0;
  SmallVectorImpl<Location> *locations = nullptr;
};

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_WRITERIMPL_H
