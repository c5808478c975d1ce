//===- ReaderImpl.h - Parts of the bytecode reader (internal) -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_READERIMPL_H
#define TILEIRAS_BYTECODE_READERIMPL_H

#include "tileiras/Bytecode/Cursor.h"
#include "tileiras/Bytecode/Enums.h"
#include "tileiras/Bytecode/Format.h"
#include "tileiras/Bytecode/OpTable.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

namespace mlir::cuda_tile::bytecode {

class FieldReader;

/// The tables of a file, decoded entry by entry when first asked for. Lookups report a bad index at `at`.
class ReaderTables {
public:
  ReaderTables(MLIRContext *context, BytecodeVersion version, uint64_t fileSize);

  LogicalResult loadStrings(Cursor section);
  LogicalResult loadTypes(Cursor section);
  LogicalResult loadConstants(Cursor section);
  LogicalResult loadDebug(Cursor section);

  LogicalResult getString(const Cursor &at, uint64_t index, StringAttr &value);
  LogicalResult getType(const Cursor &at, uint64_t index, Type &value);
  /// A constant has no type of its own: it is raw data.
  LogicalResult getConstant(const Cursor &at, uint64_t index, Type type, DenseIntOrFPElementsAttr &value);
  /// A debug record by its number plus one; null for 0 and for an `unknown` record.
  LogicalResult getDebug(const Cursor &at, uint64_t indexPlusOne, Attribute &value);
  Attribute getEnum(const EnumInfo &info, uint32_t code);

  /// The locations of one function: its own and those of its ops in pre-order. A function without debug
  /// information has an inactive list.
  struct LocationList {
    bool active = false;
    uint64_t next = 0, end = 0;
  };
  LogicalResult getLocationList(const Cursor &at, uint64_t indexPlusOne, LocationList &list);
  LogicalResult nextLocation(const Cursor &at, LocationList &list, Location &loc);

  MLIRContext *getContext() const { return context; }
  BytecodeVersion version() const { return fileVersion; }

private:
  struct DebugEntry {
    explicit DebugEntry(Cursor record) : record(record) {}

    Cursor record;
    enum { NotRead, Reading, Read } state = NotRead;
    Attribute value;
    unsigned size = 1; // nodes if written out as a tree
  };

  LogicalResult decodeType(FieldReader &reader, Type &type);
  LogicalResult decodeFunctionType(FieldReader &reader, Type &type);
  LogicalResult decodeDebug(FieldReader &reader, Attribute &value);
  LogicalResult makeConstant(const Cursor &at, Type type, ArrayRef<uint8_t> raw, DenseIntOrFPElementsAttr &value);

  MLIRContext *context;
  BytecodeVersion fileVersion;
  std::vector<std::pair<StringRef, StringAttr>> strings;
  std::vector<Cursor> typeEntries;
  std::vector<Type> types;
  std::vector<ArrayRef<uint8_t>> constants;
  llvm::DenseMap<std::pair<uint64_t, Type>, DenseIntOrFPElementsAttr> typedConstants;
  /// One constant may be asked for with many types, and each makes a copy.
  uint64_t constantBudget;
  std::vector<DebugEntry> debugEntries;
  std::vector<uint32_t> listStarts;
  std::vector<uint64_t> locationIndices;
  unsigned typeDepth = 0, debugDepth = 0;
  unsigned debugSize = 0;
  llvm::DenseMap<std::pair<const EnumInfo *, uint32_t>, Attribute> enumAttrs;
};

/// Reads fields that refer to the tables. The codec of Layouts.h.
class FieldReader : public Cursor {
public:
  FieldReader(Cursor cursor, ReaderTables &tables) : Cursor(cursor), tables(tables) {}

  BytecodeVersion version() const { return tables.version(); }
  LogicalResult fail(const Twine &text) const { return error() << text; }
  LogicalResult require(bool, BytecodeVersion, StringRef) { return success(); }
  LogicalResult flags(uint64_t &value, uint64_t known) {
    uint64_t where = offset();
    if (failed(varint(value)))
      return failure();
    if (value & ~known)
      return errorAt(where) << "unknown flags " << value << " for bytecode version " << version().str();
    return success();
  }
  LogicalResult string(StringAttr &value) {
    uint64_t index;
    return success(succeeded(varint(index)) && succeeded(tables.getString(*this, index, value)));
  }
  LogicalResult type(Type &value) {
    uint64_t index;
    return success(succeeded(varint(index)) && succeeded(tables.getType(*this, index, value)));
  }
  /// The type of an SSA value.
  LogicalResult valueType(Type &value) {
    if (failed(type(value)))
      return failure();
    if (isa<FunctionType>(value))
      return error() << "a value cannot have the type " << value;
    return success();
  }
  LogicalResult types(SmallVectorImpl<Type> &values) {
    uint64_t number;
    if (failed(count(number, 1, "types")))
      return failure();
    for (uint64_t i = 0; i < number; ++i)
      if (failed(valueType(values.emplace_back())))
        return failure();
    return success();
  }
  LogicalResult constant(Type type, DenseIntOrFPElementsAttr &value) {
    uint64_t index;
    return success(succeeded(varint(index)) && succeeded(tables.getConstant(*this, index, type, value)));
  }
  LogicalResult debug(Attribute &value) {
    uint64_t index;
    return success(succeeded(varint(index)) && succeeded(tables.getDebug(*this, index, value)));
  }
  LogicalResult code(const EnumInfo &info, Attribute &value, StringRef name = {});
  LogicalResult i32s(SmallVectorImpl<int32_t> &values);
  /// In types INT64_MIN stands for "dynamic"; attributes may not hold INT64_MAX.
  LogicalResult i64s(SmallVectorImpl<int64_t> &values, bool isAttribute = false);
  LogicalResult attribute(Attribute &value);
  LogicalResult attributes(SmallVectorImpl<Attribute> &values);
  LogicalResult dictionary(DictionaryAttr &value);
  LogicalResult hints(OptimizationHintsAttr &value);

private:
  LogicalResult attributeFields(AttrTag tag, uint64_t where, Attribute &value);

  ReaderTables &tables;
  unsigned attributeDepth = 0;
};

/// Reads the ops of function bodies.
class OpReader {
public:
  explicit OpReader(ReaderTables &tables)
      : tables(tables), noAttributes(DictionaryAttr::get(tables.getContext())), names(OpTable::get().numOpcodes()) {}

  /// Fills the body of `entry`, whose block and arguments exist.
  LogicalResult readBody(FieldReader reader, EntryOp entry, ReaderTables::LocationList locations);

private:
  struct OpNames {
    std::optional<RegisteredOperationName> op;
    SmallVector<StringAttr, 4> attributes;
  };

  LogicalResult readOp(FieldReader &reader, Block &block);
  LogicalResult readRegion(FieldReader &reader, Operation *op, Region &region);
  LogicalResult readAttribute(FieldReader &reader, const AttributeRow &row, TypeRange resultTypes, Attribute &value);
  LogicalResult readOperands(FieldReader &reader, const OpRow &row, uint64_t flags, SmallVectorImpl<Value> &operands,
                             SmallVectorImpl<int32_t> &segments);
  LogicalResult readOperand(FieldReader &reader, unsigned number, SmallVectorImpl<Value> &operands);
  OpNames &getNames(const OpRow &row);

  ReaderTables &tables;
  DictionaryAttr noAttributes;
  std::vector<OpNames> names; // by opcode
  StringAttr segmentSizesName;
  std::vector<Value> values;
  ReaderTables::LocationList locations;
  unsigned regionDepth = 0;
};

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_READERIMPL_H
