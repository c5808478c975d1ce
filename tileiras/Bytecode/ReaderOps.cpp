//===- ReaderOps.cpp - Function bodies ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/ReaderImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

// Nested regions recurse here, in the verifier and in the printer.
static constexpr unsigned maxRegionDepth = 256;

// What writers made for the developer preview of 13.4 put where the release has 121.
static constexpr uint64_t previewFPowI = 130;

OpReader::OpNames &OpReader::getNames(const OpRow &row) {
  OpNames &entry = names[row.opcode];
  if (entry.op)
    return entry;
  MLIRContext *context = tables.getContext();
  entry.op = RegisteredOperationName::lookup(("cuda_tile." + row.mnemonic).str(), context);
  for (const AttributeRow &attr : row.attributes)
    entry.attributes.push_back(StringAttr::get(context, attr.name));
  if (!segmentSizesName)
    segmentSizesName = StringAttr::get(context, "operandSegmentSizes");
  return entry;
}

LogicalResult OpReader::readBody(FieldReader reader, EntryOp entry, ReaderTables::LocationList functionLocations) {
  locations = functionLocations;
  Block &block = entry.getBody().front();
  values.assign(block.getArguments().begin(), block.getArguments().end());
  regionDepth = 0;
  while (!reader.atEnd())
    if (failed(readOp(reader, block)))
      return failure();
  return success();
}

LogicalResult OpReader::readOperand(FieldReader &reader, unsigned number, SmallVectorImpl<Value> &operands) {
  uint64_t where = reader.offset(), index;
  if (failed(reader.varint(index)))
    return failure();
  if (index >= values.size())
    return reader.errorAt(where) << "operand index " << index << " out of bounds (size=" << values.size()
                                 << ") for operand " << number;
  operands.push_back(values[index]);
  return success();
}

LogicalResult OpReader::readOperands(FieldReader &reader, const OpRow &row, uint64_t flags,
                                     SmallVectorImpl<Value> &operands, SmallVectorImpl<int32_t> &segments) {
  auto readMany = [&](uint64_t number) -> LogicalResult {
    for (uint64_t i = 0; i < number; ++i)
      if (failed(readOperand(reader, operands.size(), operands)))
        return failure();
    return success();
  };
  uint64_t where = reader.offset(), number;
  switch (row.style) {
  case OperandStyle::Plain:
    return readMany(row.operands.size());
  case OperandStyle::Counted: {
    if (failed(reader.count(number, 1, "operands")))
      return failure();
    uint64_t least = 0, most = 0;
    for (const OperandRow &operand : row.operands) {
      least += operand.kind == OperandRow::Required;
      most = operand.kind == OperandRow::Variadic ? UINT64_MAX : most + 1;
    }
    if (number < least || number > most)
      return reader.errorAt(where) << "operation 'cuda_tile." << row.mnemonic << "' cannot have " << number
                                   << " operands";
    return readMany(number);
  }
  case OperandStyle::Segmented:
    for (const OperandRow &operand : row.operands) {
      if (operand.kind == OperandRow::Variadic) {
        if (failed(reader.count(number, 1, "operands")))
          return failure();
      } else if (operand.kind == OperandRow::Optional) {
        number = operand.flagBit >= 0 && (flags >> operand.flagBit) & 1;
      } else {
        number = 1;
      }
      segments.push_back(static_cast<int32_t>(number));
      if (failed(readMany(number)))
        return failure();
    }
    return success();
  }
  return failure();
}

LogicalResult OpReader::readAttribute(FieldReader &reader, const AttributeRow &row, TypeRange resultTypes,
                                      Attribute &value) {
  MLIRContext *context = tables.getContext();
  auto integer = [&](unsigned width) -> LogicalResult {
    uint64_t where = reader.offset(), bits;
    if (failed(reader.varint(bits)))
      return failure();
    if (width < 64 && (bits >> width) != 0)
      return reader.errorAt(where) << "value " << bits << " does not fit in " << width << " bits";
    value = IntegerAttr::get(IntegerType::get(context, width), APInt(width, bits));
    return success();
  };
  switch (row.encoding) {
  case Encoding::Enum:
    return reader.code(*row.enumInfo, value, row.name);
  case Encoding::Unit:
    value = UnitAttr::get(context);
    return success();
  case Encoding::Bool: {
    uint8_t boolean;
    if (failed(reader.byte(boolean)))
      return failure();
    value = BoolAttr::get(context, boolean != 0);
    return success();
  }
  case Encoding::I32:
    return integer(32);
  case Encoding::I64:
    return integer(64);
  case Encoding::String:
  case Encoding::Symbol: {
    StringAttr string;
    if (failed(reader.string(string)))
      return failure();
    value = row.encoding == Encoding::Symbol ? Attribute(FlatSymbolRefAttr::get(string)) : string;
    return success();
  }
  case Encoding::Constant: {
    DenseIntOrFPElementsAttr constant;
    if (resultTypes.empty() || failed(reader.constant(resultTypes.front(), constant)))
      return failure();
    value = constant;
    return success();
  }
  case Encoding::I32Array: {
    SmallVector<int32_t> elements;
    if (failed(reader.i32s(elements)))
      return failure();
    value = DenseI32ArrayAttr::get(context, elements);
    return success();
  }
  case Encoding::BoolArray: {
    uint64_t number;
    if (failed(reader.count(number, 1, "booleans")))
      return failure();
    SmallVector<bool> elements;
    for (uint64_t i = 0; i < number; ++i) {
      uint8_t boolean;
      if (failed(reader.byte(boolean)))
        return failure();
      elements.push_back(boolean != 0);
    }
    // All false says no more than no attribute, which is how older files put it.
    if (llvm::is_contained(elements, true))
      value = DenseBoolArrayAttr::get(context, elements);
    return success();
  }
  case Encoding::Hints: {
    OptimizationHintsAttr hints;
    if (failed(reader.hints(hints)))
      return failure();
    value = hints;
    return success();
  }
  case Encoding::Self:
    return reader.attribute(value);
  case Encoding::SelfArray: {
    SmallVector<Attribute> elements;
    if (failed(reader.attributes(elements)))
      return failure();
    value = ArrayAttr::get(context, elements);
    return success();
  }
  }
  return failure();
}

LogicalResult OpReader::readOp(FieldReader &reader, Block &block) {
  uint64_t start = reader.offset(), opcode;
  BytecodeVersion version = tables.version();
  if (failed(reader.varint(opcode)))
    return failure();
  const OpRow *found = OpTable::get().find(opcode);
  if (!found || !found->inStream || version < found->since) {
    InFlightDiagnostic diag = reader.errorAt(start);
    diag << "unsupported opcode " << opcode << " for bytecode version " << version.str();
    if (opcode == previewFPowI && version == v13_4)
      diag << " (fpowi of a 13.4 preview writer; the release has it at 121)";
    return diag;
  }
  const OpRow &row = *found;
  OpNames &opNames = getNames(row);
  if (!opNames.op)
    return reader.errorAt(start) << "operation 'cuda_tile." << row.mnemonic << "' is not supported";

  Location loc = UnknownLoc::get(tables.getContext());
  if (failed(tables.nextLocation(reader, locations, loc)))
    return failure();

  // Results.
  uint64_t numResults = row.numFixedResults(version);
  if (row.countsResults) {
    uint64_t written;
    if (failed(reader.count(written, 1, "results")))
      return failure();
    if (!row.hasVariadicResult() && written != numResults)
      return reader.errorAt(start) << "operation 'cuda_tile." << row.mnemonic << "' expected " << numResults
                                   << " results, got " << written;
    numResults = written;
  }
  SmallVector<Type, 4> resultTypes;
  for (uint64_t i = 0; i < numResults; ++i)
    if (failed(reader.valueType(resultTypes.emplace_back())))
      return failure();
  // Results that the file is too old for are made up here; nothing refers to them.
  SmallVector<bool, 4> isWritten(numResults, true);
  for (const ResultRow &result : row.results)
    if (!result.variadic && version < result.since) {
      resultTypes.push_back(TokenType::get(tables.getContext()));
      isWritten.push_back(false);
    }

  // Attributes.
  uint64_t flags = 0;
  if (row.hasFlags(version) && failed(reader.flags(flags, row.knownFlags(version))))
    return failure();
  SmallVector<Attribute, 8> attributes;
  for (const AttributeRow &attr : row.attributes) {
    Attribute &value = attributes.emplace_back();
    if (version < attr.since) {
      if (attr.defaultCode)
        value = tables.getEnum(*attr.enumInfo, *attr.defaultCode);
      continue;
    }
    if (attr.flagBit >= 0 && !((flags >> attr.flagBit) & 1))
      continue;
    if (failed(readAttribute(reader, attr, resultTypes, value)))
      return failure();
  }

  // Operands.
  SmallVector<Value, 8> operands;
  SmallVector<int32_t, 4> segments;
  if (failed(readOperands(reader, row, flags, operands, segments)))
    return failure();

  Operation *op = Operation::create(loc, *opNames.op, resultTypes, operands, noAttributes, /*properties=*/nullptr,
                                    /*successors=*/{}, row.numRegions);
  block.push_back(op);
  for (auto [name, value] : llvm::zip_equal(opNames.attributes, attributes))
    if (value)
      op->setInherentAttr(name, value);
  if (row.style == OperandStyle::Segmented)
    op->setInherentAttr(segmentSizesName, DenseI32ArrayAttr::get(tables.getContext(), segments));

  // Regions.
  if (row.numRegions) {
    uint64_t where = reader.offset(), number;
    if (failed(reader.varint(number)))
      return failure();
    if (number != row.numRegions)
      return reader.errorAt(where) << row.mnemonic << " op expected " << unsigned(row.numRegions)
                                   << (row.numRegions == 1 ? " region" : " regions") << ", got " << number;
    for (Region &region : op->getRegions())
      if (failed(readRegion(reader, op, region)))
        return failure();
  }
  // Results take their numbers after everything inside the op.
  for (auto [result, written] : llvm::zip_equal(op->getResults(), isWritten))
    if (written)
      values.push_back(result);
  return success();
}

LogicalResult OpReader::readRegion(FieldReader &reader, Operation *op, Region &region) {
  uint64_t where = reader.offset(), numBlocks, number;
  if (failed(reader.count(numBlocks, 2, "blocks")))
    return failure();
  if (numBlocks > 1)
    return reader.errorAt(where) << "invalid region structure: expected at most one block, got " << numBlocks;
  if (numBlocks == 0)
    return success();
  if (regionDepth == maxRegionDepth)
    return reader.errorAt(where) << "regions are nested too deeply";
  ++regionDepth;
  size_t outerValues = values.size();
  Block &block = region.emplaceBlock();
  if (failed(reader.count(number, 1, "block arguments")))
    return failure();
  for (uint64_t i = 0; i < number; ++i) {
    Type type;
    if (failed(reader.valueType(type)))
      return failure();
    values.push_back(block.addArgument(type, op->getLoc()));
  }
  if (failed(reader.count(number, 1, "operations")))
    return failure();
  for (uint64_t i = 0; i < number; ++i)
    if (failed(readOp(reader, block)))
      return failure();
  if (block.empty())
    return reader.error() << "invalid block structure: block is expected to have a terminator operation, but it is "
                             "empty";
  if (!block.back().hasTrait<OpTrait::IsTerminator>())
    return reader.error() << "invalid block structure: block is expected to have a terminator operation, but the "
                             "last operation '"
                          << block.back().getName() << "' is not a terminator.";
  values.resize(outerValues);
  --regionDepth;
  return success();
}
