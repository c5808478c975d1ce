//===- ReaderAttributes.cpp - Attributes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Layouts.h"
#include "tileiras/Bytecode/ReaderImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

static constexpr unsigned maxAttributeDepth = 32;

LogicalResult FieldReader::code(const EnumInfo &info, Attribute &value, StringRef name) {
  uint64_t where = offset(), number;
  if (failed(varint(number)))
    return failure();
  if (name.empty())
    name = info.name;
  if (!info.hasCode(number))
    return errorAt(where) << "invalid enum value " << number << " for attribute '" << name << "'";
  if (!info.isAvailable(number, version()))
    return errorAt(where) << "enum value for attribute '" << name << "' is not available in bytecode version "
                          << version().str();
  value = tables.getEnum(info, static_cast<uint32_t>(number));
  return success();
}

LogicalResult FieldReader::i32s(SmallVectorImpl<int32_t> &values) {
  uint64_t number;
  if (failed(count(number, sizeof(int32_t), "array elements")))
    return failure();
  values.reserve(number);
  for (uint64_t i = 0; i < number; ++i) {
    int32_t value;
    if (failed(fixed(value)))
      return failure();
    if (value == INT32_MIN || value == INT32_MAX)
      return error() << "array contains unsupported value " << value;
    values.push_back(value);
  }
  return success();
}

LogicalResult FieldReader::i64s(SmallVectorImpl<int64_t> &values, bool isAttribute) {
  uint64_t number;
  if (failed(count(number, sizeof(int64_t), "array elements")))
    return failure();
  values.reserve(number);
  for (uint64_t i = 0; i < number; ++i) {
    int64_t value;
    if (failed(fixed(value)))
      return failure();
    if (isAttribute && value == INT64_MAX)
      return error() << "array contains unsupported value " << value;
    values.push_back(value);
  }
  return success();
}

LogicalResult FieldReader::attributes(SmallVectorImpl<Attribute> &values) {
  uint64_t number;
  if (failed(count(number, 1, "attributes")))
    return failure();
  for (uint64_t i = 0; i < number; ++i)
    if (failed(attribute(values.emplace_back())))
      return failure();
  return success();
}

LogicalResult FieldReader::dictionary(DictionaryAttr &value) {
  uint64_t number;
  if (failed(count(number, 2, "dictionary entries")))
    return failure();
  SmallVector<NamedAttribute> entries;
  llvm::SmallPtrSet<Attribute, 8> seen;
  for (uint64_t i = 0; i < number; ++i) {
    StringAttr name;
    Attribute entry;
    if (failed(string(name)))
      return failure();
    if (name.empty())
      return error() << "invalid empty attribute name for DictionaryAttr element " << i;
    if (!seen.insert(name).second)
      return error() << "duplicate attribute name '" << name.getValue() << "' in DictionaryAttr";
    if (failed(attribute(entry)))
      return failure();
    entries.emplace_back(name, entry);
  }
  value = DictionaryAttr::get(getContext(), entries);
  return success();
}

LogicalResult FieldReader::hints(OptimizationHintsAttr &value) {
  uint64_t where = offset();
  DictionaryAttr entries;
  if (failed(dictionary(entries)))
    return failure();
  value = OptimizationHintsAttr::getChecked([&]() { return errorAt(where); }, getContext(), entries);
  return success(static_cast<bool>(value));
}

LogicalResult FieldReader::attribute(Attribute &value) {
  uint64_t where = offset(), number;
  if (failed(varint(number)))
    return failure();
  if (attributeDepth == maxAttributeDepth)
    return errorAt(where) << "attributes are nested too deeply";
  ++attributeDepth;
  LogicalResult result = attributeFields(static_cast<AttrTag>(number), where, value);
  --attributeDepth;
  return result;
}

LogicalResult FieldReader::attributeFields(AttrTag tag, uint64_t where, Attribute &value) {
  Type type;
  uint64_t bits = 0;
  switch (tag) {
  case AttrTag::Integer: {
    if (failed(this->type(type)))
      return failure();
    auto integer = dyn_cast<IntegerType>(type);
    if (!integer)
      return errorAt(where) << "expected an integer type, got " << type;
    if (failed(codeIntegerBits(*this, integer.getWidth(), bits)))
      return failure();
    value = IntegerAttr::get(integer, APInt(integer.getWidth(), bits));
    return success();
  }
  case AttrTag::Float: {
    if (failed(this->type(type)))
      return failure();
    auto floatType = dyn_cast<FloatType>(type);
    if (!floatType)
      return errorAt(where) << "expected a float type, got " << type;
    if (failed(codeFloatBits(*this, floatType.getWidth(), bits)))
      return failure();
    value = FloatAttr::get(floatType, APFloat(floatType.getFloatSemantics(), APInt(floatType.getWidth(), bits)));
    return success();
  }
  case AttrTag::Bool: {
    uint8_t boolean;
    if (failed(byte(boolean)))
      return failure();
    value = BoolAttr::get(getContext(), boolean != 0);
    return success();
  }
  case AttrTag::Type:
    if (failed(this->type(type)))
      return failure();
    value = TypeAttr::get(type);
    return success();
  case AttrTag::String: {
    StringAttr string;
    if (failed(this->string(string)))
      return failure();
    value = string;
    return success();
  }
  case AttrTag::Array: {
    SmallVector<Attribute> elements;
    if (failed(attributes(elements)))
      return failure();
    value = ArrayAttr::get(getContext(), elements);
    return success();
  }
  case AttrTag::DenseElements: {
    DenseIntOrFPElementsAttr elements;
    if (failed(this->type(type)) || failed(constant(type, elements)))
      return failure();
    value = elements;
    return success();
  }
  case AttrTag::DivBy: {
    uint64_t divisor;
    std::optional<int64_t> every, along;
    if (failed(codeDivBy(*this, divisor, every, along)))
      return failure();
    value = DivByAttr::get(getContext(), divisor, every, along);
    return success(static_cast<bool>(value));
  }
  case AttrTag::SameElements: {
    SmallVector<int64_t> shape;
    if (failed(i64s(shape, /*isAttribute=*/true)))
      return failure();
    value = SameElementsAttr::get(getContext(), shape);
    return success();
  }
  case AttrTag::Bounded: {
    std::optional<int64_t> lb, ub;
    if (failed(codeTwoOptional(*this, lb, ub)))
      return failure();
    value = BoundedAttr::get(getContext(), lb, ub);
    return success();
  }
  case AttrTag::Dictionary: {
    DictionaryAttr entries;
    if (failed(dictionary(entries)))
      return failure();
    value = entries;
    return success();
  }
  case AttrTag::OptimizationHints: {
    OptimizationHintsAttr hints;
    if (failed(this->hints(hints)))
      return failure();
    value = hints;
    return success();
  }
  }
  return errorAt(where) << "unknown attribute tag: " << static_cast<uint64_t>(tag);
}
