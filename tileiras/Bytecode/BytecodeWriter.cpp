//===- BytecodeWriter.cpp - Header, sections, globals, functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Bytecode/WriterImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

namespace {
class ModuleWriter {
public:
  ModuleWriter(cuda_tile::ModuleOp module, BytecodeVersion version)
      : module(module), version(version), tables(version, module.getLoc()) {}

  LogicalResult write(raw_ostream &os);

private:
  LogicalResult checkBody();
  LogicalResult writeGlobals(ByteSink &sink);
  LogicalResult writeGlobal(GlobalOp global, ByteSink &sink);
  LogicalResult writeFunctions(ByteSink &sink);
  LogicalResult writeFunction(EntryOp entry, ByteSink &sink);
  void addSection(Section id, const ByteSink &payload);

  cuda_tile::ModuleOp module;
  BytecodeVersion version;
  WriterTables tables;
  ByteSink file;
};
} // namespace

void ModuleWriter::addSection(Section id, const ByteSink &payload) {
  unsigned alignment = sectionAlignment[static_cast<unsigned>(id)];
  file.byte(static_cast<uint8_t>(id) | (alignment > 1 ? alignedFlag : 0));
  file.varint(payload.size());
  if (alignment > 1) {
    file.varint(alignment);
    file.align(alignment);
  }
  file.bytes(payload.contents());
}

LogicalResult ModuleWriter::checkBody() {
  for (Operation &op : module.getBodyRegion().front()) {
    if (isa<EntryOp, GlobalOp>(op))
      continue;
    InFlightDiagnostic diag = module.emitError("only function and global ops are allowed in the body");
    diag.attachNote(op.getLoc()) << "invalid op: " << op.getName();
    return diag;
  }
  return success();
}

LogicalResult ModuleWriter::write(raw_ostream &os) {
  if (!version.isSupported())
    return module.emitError() << "unsupported version requested " << version.str() << ", must be in range ["
                              << BytecodeVersion::oldest().str() << ", " << BytecodeVersion::latest().str() << "]";
  ByteSink globals, functions, constants, debug, types, producer, strings;
  if (failed(checkBody()) || failed(writeGlobals(globals)) || failed(writeFunctions(functions)))
    return failure();
  // Producers are a note for humans: older versions just do without.
  if (StringAttr name = module.getProducerAttr(); name && version >= v13_3)
    if (failed(FieldWriter(producer, tables).string(name)))
      return failure();
  tables.writeConstants(constants);
  tables.writeDebug(debug);
  tables.writeTypes(types);
  tables.writeStrings(strings);

  file.bytes(magic);
  file.byte(version.majorNumber);
  file.byte(version.minorNumber);
  file.fixed<uint16_t>(0);
  if (globals.size())
    addSection(Section::Global, globals);
  addSection(Section::Function, functions);
  if (tables.hasConstants())
    addSection(Section::Constant, constants);
  if (tables.hasDebug())
    addSection(Section::Debug, debug);
  if (tables.hasTypes())
    addSection(Section::Type, types);
  if (producer.size())
    addSection(Section::Producer, producer);
  addSection(Section::String, strings);
  file.byte(static_cast<uint8_t>(Section::End));
  os.write(file.contents().data(), file.size());
  return success();
}

LogicalResult ModuleWriter::writeGlobals(ByteSink &sink) {
  auto globals = module.getBodyRegion().getOps<GlobalOp>();
  if (globals.empty())
    return success();
  sink.varint(std::distance(globals.begin(), globals.end()));
  for (GlobalOp global : globals)
    if (failed(writeGlobal(global, sink)))
      return failure();
  return success();
}

LogicalResult ModuleWriter::writeGlobal(GlobalOp global, ByteSink &sink) {
  tables.loc = global.getLoc();
  if (version < v13_3) {
    if (global.getSymbolVisibility() != SymbolVisibility::Public)
      return global.emitError() << "global `" << global.getSymName()
                                << "` uses non-public symbol visibility, which cannot be encoded in bytecode version "
                                << version.str() << " (requires bytecode 13.3+)";
    if (global.getConstant())
      return global.emitError() << "constant global `" << global.getSymName()
                                << "` cannot be encoded in bytecode version " << version.str()
                                << " (the `constant` attribute requires bytecode 13.3+)";
  }
  FieldWriter writer(sink, tables);
  if (failed(writer.string(global.getSymNameAttr())) || failed(writer.type(global.getValue().getType())) ||
      failed(writer.constant(global.getValue())))
    return failure();
  sink.varint(static_cast<uint64_t>(global.getAlignment()));
  if (version < v13_3)
    return success();
  sink.varint(static_cast<uint64_t>(global.getSymbolVisibility()));
  sink.varint(global.getConstant());
  return success();
}

LogicalResult ModuleWriter::writeFunctions(ByteSink &sink) {
  auto entries = module.getBodyRegion().getOps<EntryOp>();
  sink.varint(std::distance(entries.begin(), entries.end()));
  for (EntryOp entry : entries)
    if (failed(writeFunction(entry, sink)))
      return failure();
  sink.align(sectionAlignment[static_cast<unsigned>(Section::Function)]);
  return success();
}

LogicalResult ModuleWriter::writeFunction(EntryOp entry, ByteSink &sink) {
  tables.loc = entry.getLoc();
  FieldWriter writer(sink, tables);
  if (failed(writer.string(entry.getSymNameAttr())) || failed(writer.type(entry.getFunctionType())))
    return failure();
  OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  bool hasHints = hints && !hints.getValue().empty();
  sink.byte(functionKernel | (hasHints ? functionHints : 0));

  ByteSink body;
  SmallVector<Location> locations = {entry.getLoc()};
  uint64_t listIndex;
  if (failed(OpWriter(tables).writeBody(entry, body, locations)) || failed(tables.locations(locations, listIndex)))
    return failure();
  sink.varint(listIndex);
  tables.loc = entry.getLoc();
  if (hasHints && failed(writer.attribute(hints)))
    return failure();
  sink.varint(body.size());
  sink.bytes(body.contents());
  return success();
}

LogicalResult cuda_tile::writeBytecode(raw_ostream &os, cuda_tile::ModuleOp module, BytecodeVersion version) {
  return ModuleWriter(module, version).write(os);
}
