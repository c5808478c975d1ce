//===- ReaderTables.cpp - Strings, types and constants --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Layouts.h"
#include "tileiras/Bytecode/ReaderImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

// No legal type nests deeper than view -> tensor_view -> element.
static constexpr unsigned maxTypeDepth = 16;

ReaderTables::ReaderTables(MLIRContext *context, BytecodeVersion version, uint64_t fileSize)
    : context(context), fileVersion(version), constantBudget((uint64_t(64) << 20) + 8 * fileSize) {}

/// table := varint n, padding, n offsets, bytes. Gives the stretch of each entry: from its offset to the next.
template <typename OffsetT>
static LogicalResult readOffsetTable(Cursor section, StringRef what, function_ref<LogicalResult(Cursor)> addEntry) {
  uint64_t base = section.offset(), number;
  if (failed(section.count(number, sizeof(OffsetT), what)))
    return failure();
  if (number == 0)
    return success();
  if (failed(section.align(sizeof(OffsetT), base)))
    return failure();
  if (number > section.remaining() / sizeof(OffsetT))
    return section.error() << number << " " << what << " cannot fit in the remaining " << section.remaining()
                           << " bytes";
  SmallVector<uint64_t> offsets;
  offsets.reserve(number + 1);
  uint64_t size = section.remaining() - number * sizeof(OffsetT);
  for (uint64_t i = 0; i < number; ++i) {
    OffsetT offset;
    if (failed(section.fixed(offset)))
      return failure();
    if (offset > size || (i > 0 && offset < offsets.back()))
      return section.errorAt(section.offset() - sizeof(OffsetT))
             << "offset " << uint64_t(offset) << " of " << what << " entry " << i << " is out of bounds";
    offsets.push_back(offset);
  }
  offsets.push_back(size);
  for (uint64_t i = 0; i < number; ++i)
    if (failed(addEntry(section.slice(section.offset(), offsets[i], offsets[i + 1]))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

LogicalResult ReaderTables::loadStrings(Cursor section) {
  strings.clear();
  return readOffsetTable<uint32_t>(section, "strings", [&](Cursor entry) -> LogicalResult {
    ArrayRef<uint8_t> bytes;
    if (failed(entry.bytes(entry.remaining(), bytes)))
      return failure();
    strings.emplace_back(StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()), StringAttr());
    return success();
  });
}

LogicalResult ReaderTables::getString(const Cursor &at, uint64_t index, StringAttr &value) {
  if (index >= strings.size())
    return at.error() << "string index " << index << " out of bounds (size=" << strings.size() << ")";
  auto &[text, attr] = strings[index];
  if (!attr)
    attr = StringAttr::get(context, text);
  value = attr;
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult ReaderTables::loadTypes(Cursor section) {
  typeEntries.clear();
  LogicalResult result = readOffsetTable<uint32_t>(section, "types", [&](Cursor entry) {
    typeEntries.push_back(entry);
    return success();
  });
  types.assign(typeEntries.size(), Type());
  return result;
}

LogicalResult ReaderTables::getType(const Cursor &at, uint64_t index, Type &value) {
  if (index >= types.size())
    return at.error() << "type index " << index << " out of bounds (size=" << types.size() << ")";
  if (!types[index]) {
    // A cycle also ends here: it is infinitely deep.
    if (typeDepth == maxTypeDepth)
      return at.error() << "type " << index << " is nested too deeply or contains itself";
    ++typeDepth;
    FieldReader reader(typeEntries[index], *this);
    Type type;
    LogicalResult result = decodeType(reader, type);
    --typeDepth;
    if (failed(result))
      return failure();
    if (!reader.atEnd())
      return reader.error() << "type " << index << " has " << reader.remaining() << " bytes too many";
    types[index] = type;
  }
  value = types[index];
  return success();
}

template <typename TypeT, typename... Args>
static LogicalResult buildType(FieldReader &reader, Type &type, Args &&...args) {
  uint64_t where = reader.offset();
  type = TypeT::getChecked([&]() { return reader.errorAt(where); }, reader.getContext(), std::forward<Args>(args)...);
  return success(static_cast<bool>(type));
}

LogicalResult ReaderTables::decodeFunctionType(FieldReader &reader, Type &type) {
  SmallVector<Type> inputs, results;
  if (failed(codeFunctionType(reader, inputs, results)))
    return failure();
  type = FunctionType::get(context, inputs, results);
  return success();
}

static ArrayRef<int32_t> i32s(ArrayRef<int32_t> values) { return values; }

static LogicalResult toTensorView(FieldReader &reader, Type type, TensorViewType &view) {
  view = dyn_cast<TensorViewType>(type);
  if (!view)
    return reader.error() << "expected a tensor_view type, got " << type;
  return success();
}

LogicalResult ReaderTables::decodeType(FieldReader &reader, Type &type) {
  uint64_t where = reader.offset(), number;
  if (failed(reader.varint(number)))
    return failure();
  const TypeRow *row = findType(number);
  if (!row)
    return reader.errorAt(where) << "unknown type tag: " << number;
  if (fileVersion < row->since)
    return reader.errorAt(where) << "type '" << row->name << "' requires bytecode version " << row->since.str()
                                 << "+, file version is " << fileVersion.str();
  Type element;
  Attribute ptrAttr;
  SmallVector<int64_t> shape, strides;
  ViewFields view;
  TensorViewType tensorView;
  switch (row->tag) {
  case TypeTag::I1:
    type = IntegerType::get(context, 1);
    return success();
  case TypeTag::I4:
    type = IntegerType::get(context, 4);
    return success();
  case TypeTag::I8:
    type = IntegerType::get(context, 8);
    return success();
  case TypeTag::I16:
    type = IntegerType::get(context, 16);
    return success();
  case TypeTag::I32:
    type = IntegerType::get(context, 32);
    return success();
  case TypeTag::I64:
    type = IntegerType::get(context, 64);
    return success();
  case TypeTag::F16:
    type = Float16Type::get(context);
    return success();
  case TypeTag::BF16:
    type = BFloat16Type::get(context);
    return success();
  case TypeTag::F32:
    type = Float32Type::get(context);
    return success();
  case TypeTag::TF32:
    type = FloatTF32Type::get(context);
    return success();
  case TypeTag::F64:
    type = Float64Type::get(context);
    return success();
  case TypeTag::F8E4M3FN:
    type = Float8E4M3FNType::get(context);
    return success();
  case TypeTag::F8E5M2:
    type = Float8E5M2Type::get(context);
    return success();
  case TypeTag::F8E8M0FNU:
    type = Float8E8M0FNUType::get(context);
    return success();
  case TypeTag::F4E2M1FN:
    type = Float4E2M1FNType::get(context);
    return success();
  case TypeTag::Token:
    type = TokenType::get(context);
    return success();
  case TypeTag::F8E5M3FNU:
    // MLIR 22 has no such float format.
    return reader.errorAt(where) << "element type f8E5M3FNU (developer preview of 13.4) is not supported";
  case TypeTag::Function:
    return decodeFunctionType(reader, type);
  case TypeTag::Pointer:
    if (failed(codePointer(reader, element, ptrAttr)))
      return failure();
    return buildType<PointerType>(reader, type, element, cast_or_null<PtrAttrAttr>(ptrAttr));
  case TypeTag::Tile:
    if (failed(codeTile(reader, element, shape)))
      return failure();
    return buildType<TileType>(reader, type, ArrayRef<int64_t>(shape), element);
  case TypeTag::TensorView:
    if (failed(codeTensorView(reader, element, shape, strides, ptrAttr)))
      return failure();
    return buildType<TensorViewType>(reader, type, element, ArrayRef<int64_t>(shape), ArrayRef<int64_t>(strides),
                                     cast_or_null<PtrAttrAttr>(ptrAttr));
  case TypeTag::PartitionView:
    if (failed(codePartitionView(reader, view)) || failed(toTensorView(reader, view.tensorView, tensorView)))
      return failure();
    return buildType<PartitionViewType>(reader, type, i32s(view.tile), tensorView, i32s(view.dimMap),
                                        cast_or_null<PaddingValueAttr>(view.padding));
  case TypeTag::StridedView:
    if (failed(codeStridedView(reader, view)) || failed(toTensorView(reader, view.tensorView, tensorView)))
      return failure();
    return buildType<StridedViewType>(reader, type, i32s(view.tile), i32s(view.traversal), tensorView,
                                      i32s(view.dimMap), cast_or_null<PaddingValueAttr>(view.padding));
  case TypeTag::GatherScatterView:
    if (failed(codeGatherScatterView(reader, view)) || failed(toTensorView(reader, view.tensorView, tensorView)))
      return failure();
    if (view.sparseDim > static_cast<uint32_t>(INT32_MAX))
      return reader.error() << "sparse dimension " << view.sparseDim << " is too large";
    return buildType<GatherScatterViewType>(reader, type, i32s(view.tile), tensorView,
                                            static_cast<int32_t>(view.sparseDim),
                                            cast_or_null<PaddingValueAttr>(view.padding));
  }
  return reader.errorAt(where) << "unknown type tag: " << number;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult ReaderTables::loadConstants(Cursor section) {
  constants.clear();
  return readOffsetTable<uint64_t>(section, "constants", [&](Cursor entry) -> LogicalResult {
    uint64_t size;
    ArrayRef<uint8_t> bytes;
    if (failed(entry.varint(size)) || failed(entry.bytes(size, bytes)))
      return failure();
    constants.push_back(bytes);
    return success();
  });
}

LogicalResult ReaderTables::getConstant(const Cursor &at, uint64_t index, Type type, DenseIntOrFPElementsAttr &value) {
  if (index >= constants.size())
    return at.error() << "constant index " << index << " out of bounds (size=" << constants.size() << ")";
  DenseIntOrFPElementsAttr &known = typedConstants[{index, type}];
  if (!known && failed(makeConstant(at, type, constants[index], known)))
    return failure();
  value = known;
  return success();
}

/// i1 data comes in two forms: MLIR's old one (one bit per element, least significant first; splats are one byte 00
/// or FF) and the new one (one byte 0 or 1 per element). Returns nothing if it is neither.
static std::optional<SmallVector<bool, 0>> unpackBools(ArrayRef<uint8_t> raw, uint64_t number) {
  auto splat = [](bool value) { return SmallVector<bool, 0>(1, value); };
  if (raw.size() == 1) {
    if (number == 1 || raw[0] == 0x00 || raw[0] == 0xFF)
      return splat(raw[0] != 0);
    // Up to 8 elements one byte 01 is ambiguous; packed data has been there longer.
    if (raw[0] == 0x01 && number > 8)
      return splat(true);
  }
  bool packed = raw.size() == llvm::divideCeil(number, uint64_t(8));
  if (!packed && raw.size() != number)
    return std::nullopt;
  SmallVector<bool, 0> values(number);
  for (uint64_t i = 0; i < number; ++i)
    values[i] = packed ? (raw[i / 8] >> (i % 8)) & 1 : raw[i] != 0;
  return values;
}

LogicalResult ReaderTables::makeConstant(const Cursor &at, Type type, ArrayRef<uint8_t> raw,
                                         DenseIntOrFPElementsAttr &value) {
  auto tile = dyn_cast<TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return at.error() << "a constant must be a tile of integers or floats, got " << type;
  if (raw.size() > constantBudget)
    return at.error() << "the constants take too much memory";
  constantBudget -= raw.size();
  auto number = static_cast<uint64_t>(tile.getNumElements());
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  auto badSize = [&]() -> LogicalResult {
    return at.error() << "constant of " << raw.size() << " bytes does not match type " << type;
  };
  if (width == 1) {
    std::optional<SmallVector<bool, 0>> bools = unpackBools(raw, number);
    if (!bools)
      return badSize();
    value = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, ArrayRef<bool>(*bools)));
    return success();
  }
  unsigned elementSize = llvm::divideCeil(width, 8);
  if (raw.size() != elementSize && (raw.size() % elementSize != 0 || raw.size() / elementSize != number))
    return badSize();
  SmallVector<char, 0> clean;
  ArrayRef<char> data(reinterpret_cast<const char *>(raw.data()), raw.size());
  if (unsigned usedBits = width % 8) {
    // MLIR wants the bits beyond the width to be zero; writers may have sign-extended.
    clean.assign(data.begin(), data.end());
    for (size_t i = elementSize - 1; i < clean.size(); i += elementSize)
      clean[i] &= (1 << usedBits) - 1;
    data = clean;
  }
  value = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::getFromRawBuffer(tile, data));
  return success();
}

Attribute ReaderTables::getEnum(const EnumInfo &info, uint32_t code) {
  Attribute &attr = enumAttrs[{&info, code}];
  if (!attr)
    attr = info.build(context, code);
  return attr;
}
