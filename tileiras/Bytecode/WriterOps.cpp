//===- WriterOps.cpp - Function bodies ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/WriterImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

LogicalResult OpWriter::writeBody(EntryOp entry, ByteSink &sink, SmallVectorImpl<Location> &opLocations) {
  locations = &opLocations;
  numbers.clear();
  nextNumber = 0;
  Block &block = entry.getBody().front();
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = nextNumber++;
  for (Operation &op : block)
    if (failed(writeOp(op, sink)))
      return failure();
  return success();
}

/// Whether an attribute of this value has nothing to say.
static bool isAbsent(const AttributeRow &attr, Attribute value) {
  if (!value)
    return true;
  if (auto bools = dyn_cast<DenseBoolArrayAttr>(value); bools && attr.encoding == Encoding::BoolArray)
    return !llvm::is_contained(bools.asArrayRef(), true);
  // "Hints empty" is written as no hints at all.
  if (auto hints = dyn_cast<OptimizationHintsAttr>(value))
    return attr.optional && hints.getValue().empty();
  return false;
}

/// An attribute that the version does not have must say what files without it mean.
LogicalResult OpWriter::checkMissing(Operation &op, const AttributeRow &attr, Attribute value) {
  if (isAbsent(attr, value))
    return success();
  if (attr.defaultCode && attr.enumInfo->getCode(value) == attr.defaultCode)
    return success();
  if (attr.flagBit >= 0)
    return op.emitError() << "optional attribute '" << attr.name << "' is provided but requires bytecode version "
                          << attr.since.str() << ", targeting " << tables.version.str();
  return op.emitError() << "attribute '" << attr.name << "' requires bytecode version " << attr.since.str()
                        << "+, but targeting " << tables.version.str();
}

LogicalResult OpWriter::writeAttribute(Operation &op, const OpRow &row, const AttributeRow &attr, Attribute value,
                                       FieldWriter &writer) {
  auto missing = [&]() -> LogicalResult {
    return op.emitError() << "attribute '" << attr.name << "' is missing or has the wrong kind";
  };
  auto integer = [&](unsigned width) -> LogicalResult {
    auto number = dyn_cast_or_null<IntegerAttr>(value);
    if (!number || number.getValue().getBitWidth() != width)
      return missing();
    return writer.varint(number.getValue().getZExtValue());
  };
  switch (attr.encoding) {
  case Encoding::Enum:
    return value ? writer.code(*attr.enumInfo, value, attr.name) : missing();
  case Encoding::Unit:
    return success(); // the flag says it
  case Encoding::Bool: {
    auto boolean = dyn_cast_or_null<BoolAttr>(value);
    return boolean ? writer.byte(boolean.getValue()) : missing();
  }
  case Encoding::I32:
    return integer(32);
  case Encoding::I64:
    return integer(64);
  case Encoding::String: {
    auto string = dyn_cast_or_null<StringAttr>(value);
    return string ? writer.string(string) : missing();
  }
  case Encoding::Symbol: {
    auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(value);
    return symbol ? writer.string(symbol.getAttr()) : missing();
  }
  case Encoding::Constant: {
    auto constant = dyn_cast_or_null<DenseIntOrFPElementsAttr>(value);
    return constant ? writer.constant(constant) : missing();
  }
  case Encoding::I32Array: {
    auto array = dyn_cast_or_null<DenseI32ArrayAttr>(value);
    return array ? writer.i32s(array.asArrayRef()) : missing();
  }
  case Encoding::BoolArray: {
    // One byte per operand of the variadic group, also when all are false.
    auto array = dyn_cast_or_null<DenseBoolArrayAttr>(value);
    size_t group =
        llvm::find_if(row.operands, [](auto &o) { return o.kind == OperandRow::Variadic; }) - row.operands.begin();
    auto segments = op.getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    if (!segments || group >= static_cast<size_t>(segments.size()))
      return missing();
    auto number = static_cast<size_t>(segments[group]);
    if (array && static_cast<size_t>(array.size()) != number)
      return missing();
    (void)writer.varint(number);
    for (size_t i = 0; i < number; ++i)
      (void)writer.byte(array && array[i]);
    return success();
  }
  case Encoding::Hints: {
    auto hints = dyn_cast_or_null<OptimizationHintsAttr>(value);
    return hints ? writer.dictionary(hints.getValue()) : missing();
  }
  case Encoding::Self:
    return value ? writer.attribute(value) : missing();
  case Encoding::SelfArray: {
    auto array = dyn_cast_or_null<ArrayAttr>(value);
    return array ? writer.attributes(array.getValue()) : missing();
  }
  }
  return failure();
}

LogicalResult OpWriter::writeResults(Operation &op, const OpRow &row, ByteSink &sink) {
  FieldWriter writer(sink, tables);
  unsigned numWritten = op.getNumResults();
  if (!row.hasVariadicResult()) {
    numWritten = row.numFixedResults(tables.version);
    // Results that the version does not have come last.
    for (unsigned i = numWritten; i < op.getNumResults(); ++i)
      if (!op.getResult(i).use_empty())
        return op.emitError() << "result '" << row.results[i].name << "' requires bytecode version "
                              << row.results[i].since.str() << " but is being used and targeting "
                              << tables.version.str();
  }
  if (row.countsResults)
    sink.varint(numWritten);
  for (Type type : TypeRange(op.getResults().take_front(numWritten)))
    if (failed(writer.type(type)))
      return failure();
  return success();
}

LogicalResult OpWriter::writeOp(Operation &op, ByteSink &sink) {
  tables.loc = op.getLoc();
  if (!isa_and_nonnull<CudaTileDialect>(op.getDialect()))
    return op.emitError() << "only ops from the 'cuda_tile' dialect are allowed";
  const OpRow *found = OpTable::get().find(op.getName().stripDialect());
  if (!found || !found->inStream)
    return op.emitError() << "operation not supported in bytecode (missing from BytecodeOpcodes.td)";
  const OpRow &row = *found;
  BytecodeVersion version = tables.version;
  if (version < row.since)
    return op.emitError() << "operation '" << op.getName() << "' is not available in bytecode version "
                          << version.str();
  locations->push_back(op.getLoc());
  sink.varint(row.opcode);
  if (failed(writeResults(op, row, sink)))
    return failure();

  // Operand groups.
  SmallVector<unsigned> groupSizes;
  if (row.style == OperandStyle::Segmented) {
    auto segments = op.getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    if (!segments || static_cast<size_t>(segments.size()) != row.operands.size())
      return op.emitError() << "operand groups are missing";
    groupSizes.assign(segments.asArrayRef().begin(), segments.asArrayRef().end());
  }

  // Flags.
  uint64_t flags = 0;
  SmallVector<Attribute> attributes;
  for (const AttributeRow &attr : row.attributes) {
    Attribute value = op.getAttr(attr.name);
    if (version < attr.since && failed(checkMissing(op, attr, value)))
      return failure();
    if (version >= attr.since && attr.flagBit >= 0 && !isAbsent(attr, value))
      flags |= uint64_t(1) << attr.flagBit;
    attributes.push_back(value);
  }
  if (row.style == OperandStyle::Segmented)
    for (auto [operand, size] : llvm::zip_equal(row.operands, groupSizes)) {
      if (operand.kind != OperandRow::Optional || size == 0)
        continue;
      if (version < operand.since)
        return op.emitError() << "optional operand '" << operand.name << "' is provided but requires bytecode version "
                              << operand.since.str() << ", targeting " << version.str();
      flags |= uint64_t(1) << operand.flagBit;
    }
  if (row.hasFlags(version))
    sink.varint(flags);

  // Attributes.
  FieldWriter writer(sink, tables);
  for (auto [attr, value] : llvm::zip_equal(row.attributes, attributes)) {
    if (version < attr.since || (attr.flagBit >= 0 && !((flags >> attr.flagBit) & 1)))
      continue;
    if (failed(writeAttribute(op, row, attr, value, writer)))
      return failure();
  }

  // Operands.
  auto writeOperand = [&](Value operand) { sink.varint(numbers.lookup(operand)); };
  if (row.style == OperandStyle::Counted)
    sink.varint(op.getNumOperands());
  if (row.style != OperandStyle::Segmented) {
    llvm::for_each(op.getOperands(), writeOperand);
  } else {
    unsigned next = 0;
    for (auto [operand, size] : llvm::zip_equal(row.operands, groupSizes)) {
      if (operand.kind == OperandRow::Variadic)
        sink.varint(size);
      llvm::for_each(op.getOperands().slice(next, size), writeOperand);
      next += size;
    }
  }

  // Regions.
  if (row.numRegions) {
    sink.varint(op.getNumRegions());
    for (Region &region : op.getRegions())
      if (failed(writeRegion(region, sink)))
        return failure();
  }
  unsigned numVisible = row.hasVariadicResult() ? op.getNumResults() : row.numFixedResults(version);
  for (Value result : op.getResults().take_front(numVisible))
    numbers[result] = nextNumber++;
  return success();
}

LogicalResult OpWriter::writeRegion(Region &region, ByteSink &sink) {
  sink.varint(region.getBlocks().size());
  for (Block &block : region) {
    uint64_t outerNumber = nextNumber;
    for (BlockArgument argument : block.getArguments())
      numbers[argument] = nextNumber++;
    if (failed(FieldWriter(sink, tables).types(block.getArgumentTypes())))
      return failure();
    sink.varint(block.getOperations().size());
    for (Operation &op : block)
      if (failed(writeOp(op, sink)))
        return failure();
    nextNumber = outerNumber;
  }
  return success();
}
