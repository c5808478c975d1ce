//===- WriterAttributes.cpp - Attributes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Layouts.h"
#include "tileiras/Bytecode/WriterImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

LogicalResult FieldWriter::code(const EnumInfo &info, Attribute value, StringRef name) {
  if (name.empty())
    name = info.name;
  std::optional<uint32_t> number = info.getCode(value);
  if (!number || !info.hasCode(*number))
    return tables.error() << "attribute '" << name << "' is not a value of its enumeration";
  if (!info.isAvailable(*number, version()))
    return tables.error() << "enum value for attribute '" << name << "' is not available in bytecode version "
                          << version().str();
  return varint(*number);
}

LogicalResult FieldWriter::i32s(ArrayRef<int32_t> values) {
  sink.varint(values.size());
  for (int32_t value : values) {
    if (value == INT32_MIN || value == INT32_MAX) // readers refuse them
      return tables.error() << "array contains unsupported value " << value;
    sink.fixed(value);
  }
  return success();
}

LogicalResult FieldWriter::i64s(ArrayRef<int64_t> values, bool isAttribute) {
  sink.varint(values.size());
  for (int64_t value : values) {
    if (isAttribute && value == INT64_MAX)
      return tables.error() << "array contains unsupported value " << value;
    sink.fixed(value);
  }
  return success();
}

LogicalResult FieldWriter::attributes(ArrayRef<Attribute> values) {
  sink.varint(values.size());
  for (Attribute value : values)
    if (failed(attribute(value)))
      return failure();
  return success();
}

LogicalResult FieldWriter::dictionary(DictionaryAttr value) {
  sink.varint(value.size());
  for (NamedAttribute entry : value)
    if (failed(string(entry.getName())) || failed(attribute(entry.getValue())))
      return failure();
  return success();
}

LogicalResult FieldWriter::attribute(Attribute value) {
  auto tag = [&](AttrTag tag) { sink.varint(static_cast<uint64_t>(tag)); };
  return llvm::TypeSwitch<Attribute, LogicalResult>(value)
      .Case<IntegerAttr>([&](IntegerAttr integer) -> LogicalResult { // BoolAttr is one too
        tag(AttrTag::Integer);
        if (failed(type(integer.getType())))
          return failure();
        uint64_t bits = integer.getValue().getZExtValue();
        return codeIntegerBits(*this, integer.getValue().getBitWidth(), bits);
      })
      .Case<FloatAttr>([&](FloatAttr number) -> LogicalResult {
        tag(AttrTag::Float);
        if (failed(type(number.getType())))
          return failure();
        APInt pattern = number.getValue().bitcastToAPInt();
        uint64_t bits = pattern.getZExtValue();
        return codeFloatBits(*this, pattern.getBitWidth(), bits);
      })
      .Case<TypeAttr>([&](TypeAttr typeAttr) {
        tag(AttrTag::Type);
        return type(typeAttr.getValue());
      })
      .Case<StringAttr>([&](StringAttr text) {
        tag(AttrTag::String);
        return string(text);
      })
      .Case<ArrayAttr>([&](ArrayAttr array) {
        tag(AttrTag::Array);
        return attributes(array.getValue());
      })
      .Case<DenseIntOrFPElementsAttr>([&](DenseIntOrFPElementsAttr elements) -> LogicalResult {
        tag(AttrTag::DenseElements);
        if (failed(type(elements.getType())))
          return failure();
        return constant(elements);
      })
      .Case<DivByAttr>([&](DivByAttr divBy) {
        tag(AttrTag::DivBy);
        uint64_t divisor = divBy.getDivisor();
        std::optional<int64_t> every = divBy.getEvery(), along = divBy.getAlong();
        return codeDivBy(*this, divisor, every, along);
      })
      .Case<SameElementsAttr>([&](SameElementsAttr same) {
        tag(AttrTag::SameElements);
        return i64s(same.getValues(), /*isAttribute=*/true);
      })
      .Case<BoundedAttr>([&](BoundedAttr bounded) {
        tag(AttrTag::Bounded);
        std::optional<int64_t> lb = bounded.getLb(), ub = bounded.getUb();
        return codeTwoOptional(*this, lb, ub);
      })
      .Case<DictionaryAttr>([&](DictionaryAttr entries) {
        tag(AttrTag::Dictionary);
        return dictionary(entries);
      })
      .Case<OptimizationHintsAttr>([&](OptimizationHintsAttr hints) {
        tag(AttrTag::OptimizationHints);
        return dictionary(hints.getValue());
      })
      .Default([&](Attribute other) -> LogicalResult {
        return tables.error() << "attribute " << other << " is not self-contained: it cannot be written to bytecode";
      });
}
