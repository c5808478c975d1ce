//===- BytecodeReader.cpp - Header, sections, globals, functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/IR/Verifier.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Bytecode/ReaderImpl.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

bool cuda_tile::isTileIRBytecode(StringRef bytes) { return bytes.starts_with(StringRef(magic, sizeof(magic))); }
bool cuda_tile::isMLIRBytecode(StringRef bytes) { return bytes.starts_with("ML\xEFR"); }

std::optional<BytecodeVersion> cuda_tile::peekBytecodeVersion(StringRef bytes) {
  if (!isTileIRBytecode(bytes) || bytes.size() < sizeof(magic) + 4)
    return std::nullopt;
  return BytecodeVersion{static_cast<uint8_t>(bytes[8]), static_cast<uint8_t>(bytes[9])};
}

namespace {
class ModuleReader {
public:
  ModuleReader(MLIRContext *context, ArrayRef<uint8_t> file) : context(context), file(context, file) {}

  OwningOpRef<cuda_tile::ModuleOp> read() {
    if (failed(readHeader()) || failed(readSections()))
      return {};
    tables.emplace(context, version, file.offset());
    Location loc = UnknownLoc::get(context);
    OpBuilder builder(context);
    OwningOpRef<cuda_tile::ModuleOp> module(cuda_tile::ModuleOp::create(builder, loc, moduleName));
    if (failed(loadTables(*module)) || failed(readGlobals(*module)) || failed(readFunctions(*module)))
      return {};
    // Every function has been verified by itself; what is left are symbols and their uses.
    if (failed(verify(*module, /*verifyRecursively=*/false)))
      return {};
    return module;
  }

private:
  LogicalResult readHeader();
  LogicalResult readSections();
  LogicalResult readSection(uint8_t id, bool isAligned);
  LogicalResult loadTables(cuda_tile::ModuleOp module);
  LogicalResult readGlobals(cuda_tile::ModuleOp module);
  LogicalResult readGlobal(FieldReader &reader, OpBuilder &builder);
  LogicalResult readFunctions(cuda_tile::ModuleOp module);
  LogicalResult readFunction(FieldReader &reader, uint64_t index, OpBuilder &builder, OpReader &ops);
  std::optional<Cursor> &section(Section id) { return sections[static_cast<unsigned>(id)]; }

  MLIRContext *context;
  Cursor file;
  BytecodeVersion version;
  std::optional<Cursor> sections[numSections];
  std::optional<ReaderTables> tables;
};
} // namespace

LogicalResult ModuleReader::readHeader() {
  for (unsigned i = 0; i < sizeof(magic); ++i) {
    uint8_t value;
    if (failed(file.byte(value)))
      return failure();
    if (value != static_cast<uint8_t>(magic[i]))
      return file.errorAt(i) << "invalid magic number at position " << i << ", got " << unsigned(value) << " expected "
                             << unsigned(static_cast<uint8_t>(magic[i]));
  }
  uint64_t where = file.offset();
  uint16_t tag;
  if (failed(file.byte(version.majorNumber)) || failed(file.byte(version.minorNumber)) || failed(file.fixed(tag)))
    return failure();
  if (!version.isSupported())
    return file.errorAt(where) << "unsupported Tile version " << version.str() << "." << tag
                               << ", this reader supports versions [" << BytecodeVersion::supportedRange() << "]";
  return success();
}

LogicalResult ModuleReader::readSections() {
  while (true) {
    uint64_t where = file.offset();
    uint8_t head;
    if (file.atEnd())
      return file.error() << "end section is missing";
    if (failed(file.byte(head)))
      return failure();
    uint8_t id = head & ~alignedFlag;
    if (id >= numSections)
      return file.errorAt(where) << "unknown section ID: " << unsigned(id);
    if (id != static_cast<uint8_t>(Section::End)) {
      if (failed(readSection(id, head & alignedFlag)))
        return failure();
      continue;
    }
    if (head & alignedFlag)
      return file.errorAt(where) << "end section should not have alignment flag set";
    if (!file.atEnd())
      return file.error() << "end section is not the last section";
    break;
  }
  if (!section(Section::String))
    return file.error() << "string section is mandatory";
  if (!section(Section::Function))
    return file.error() << "function section is mandatory";
  return success();
}

LogicalResult ModuleReader::readSection(uint8_t id, bool isAligned) {
  uint64_t where = file.offset(), length, alignment = 1;
  if (failed(file.varint(length)))
    return failure();
  uint64_t needed = sectionAlignment[id];
  if (isAligned) {
    if (failed(file.varint(alignment)))
      return failure();
    if (!llvm::isPowerOf2_64(alignment))
      return file.errorAt(where) << "invalid alignment value: " << alignment;
    if (alignment % needed != 0)
      return file.errorAt(where) << "section " << unsigned(id) << " must have alignment that is a multiple of "
                                 << needed << " bytes, but has alignment of " << alignment;
    if (failed(file.align(alignment, 0)))
      return failure();
  } else if (needed != 1) {
    return file.errorAt(where) << "section " << unsigned(id) << " must have alignment that is a multiple of " << needed
                               << " bytes, but has no alignment flag set";
  }
  if (length > file.remaining())
    return file.errorAt(where) << "section length " << length << " exceeds remaining data size " << file.remaining();
  sections[id] = file.take(length);
  return success();
}

LogicalResult ModuleReader::loadTables(cuda_tile::ModuleOp module) {
  if (failed(tables->loadStrings(*section(Section::String))))
    return failure();
  // Older files have no producer, and their readers skip it.
  if (section(Section::Producer) && version >= v13_3) {
    FieldReader reader(*section(Section::Producer), *tables);
    StringAttr producer;
    if (failed(reader.string(producer)))
      return failure();
    module.setProducerAttr(producer);
  }
  if (section(Section::Type) && failed(tables->loadTypes(*section(Section::Type))))
    return failure();
  if (section(Section::Constant) && failed(tables->loadConstants(*section(Section::Constant))))
    return failure();
  if (section(Section::Debug) && failed(tables->loadDebug(*section(Section::Debug))))
    return failure();
  return success();
}

LogicalResult ModuleReader::readGlobals(cuda_tile::ModuleOp module) {
  if (!section(Section::Global))
    return success();
  FieldReader reader(*section(Section::Global), *tables);
  OpBuilder builder = OpBuilder::atBlockEnd(&module.getBodyRegion().front());
  uint64_t number;
  if (failed(reader.count(number, 4, "globals")))
    return failure();
  for (uint64_t i = 0; i < number; ++i)
    if (failed(readGlobal(reader, builder)))
      return failure();
  return success();
}

LogicalResult ModuleReader::readGlobal(FieldReader &reader, OpBuilder &builder) {
  uint64_t where = reader.offset(), alignment, isConstant = 0;
  StringAttr name;
  Type type;
  DenseIntOrFPElementsAttr value;
  Attribute visibility;
  if (failed(reader.string(name)) || failed(reader.type(type)) || failed(reader.constant(type, value)) ||
      failed(reader.varint(alignment)))
    return failure();
  if (version >= v13_3 && (failed(reader.code(visibilityEnum(), visibility)) || failed(reader.varint(isConstant))))
    return failure();
  OperationState state(UnknownLoc::get(context), GlobalOp::getOperationName());
  state.addAttribute("sym_name", name);
  state.addAttribute("value", value);
  state.addAttribute("alignment", builder.getI64IntegerAttr(static_cast<int64_t>(alignment)));
  if (isConstant)
    state.addAttribute("constant", builder.getUnitAttr());
  if (visibility)
    state.addAttribute("symbol_visibility", visibility);
  Operation *global = builder.create(state);
  if (failed(verify(global)))
    return reader.errorAt(where) << "failed to create global '" << name.getValue() << "' due to verification error.";
  return success();
}

LogicalResult ModuleReader::readFunctions(cuda_tile::ModuleOp module) {
  FieldReader reader(*section(Section::Function), *tables);
  OpBuilder builder = OpBuilder::atBlockEnd(&module.getBodyRegion().front());
  OpReader ops(*tables);
  uint64_t number;
  if (failed(reader.count(number, 5, "functions")))
    return failure();
  for (uint64_t i = 0; i < number; ++i)
    if (failed(readFunction(reader, i, builder, ops)))
      return failure();
  return success();
}

/// The operation below `entry` whose own verifier fails, inner ones before those around them; null if it is the entry.
static Operation *findInvalid(EntryOp entry) {
  ScopedDiagnosticHandler quiet(entry.getContext(), [](Diagnostic &) { return success(); });
  Operation *culprit = nullptr;
  entry->walk([&](Operation *op) {
    if (op == entry || succeeded(verify(op, /*verifyRecursively=*/false)))
      return WalkResult::advance();
    culprit = op;
    return WalkResult::interrupt();
  });
  return culprit;
}

LogicalResult ModuleReader::readFunction(FieldReader &reader, uint64_t index, OpBuilder &builder, OpReader &ops) {
  uint64_t where = reader.offset(), listIndex, bodyLength;
  StringAttr name;
  Type type;
  uint8_t flags;
  Attribute hints;
  if (failed(reader.string(name)))
    return failure();
  if (name.empty())
    return reader.errorAt(where) << "function name at index " << index << " is empty";
  if (failed(reader.type(type)))
    return failure();
  auto signature = dyn_cast<FunctionType>(type);
  if (!signature)
    return reader.errorAt(where) << "expected a function type for function '" << name.getValue() << "', got " << type;
  if (failed(reader.byte(flags)))
    return failure();
  if (!(flags & functionKernel))
    return reader.errorAt(where) << "un-expected non-entry function '" << name.getValue() << "'";
  if (failed(reader.varint(listIndex)))
    return failure();
  if (flags & functionHints) {
    if (failed(reader.attribute(hints)))
      return failure();
    if (!isa<OptimizationHintsAttr>(hints))
      return reader.error() << "expected optimization hints for function '" << name.getValue() << "'";
  }
  if (failed(reader.count(bodyLength, 1, "bytes of a function body")))
    return failure();
  FieldReader body(reader.take(bodyLength), *tables);

  ReaderTables::LocationList locations;
  Location loc = UnknownLoc::get(context);
  if (failed(tables->getLocationList(reader, listIndex, locations)) ||
      failed(tables->nextLocation(reader, locations, loc)))
    return failure();
  auto entry = EntryOp::create(builder, loc, name.getValue(), signature, cast_or_null<OptimizationHintsAttr>(hints));
  bool isRead = succeeded(ops.readBody(body, entry, locations));
  if (isRead && succeeded(verify(entry)))
    return success();
  // The public reader verifies each operation as it makes it; ours verifies the function once, and says afterwards
  // whose error it was.
  if (isRead)
    if (Operation *culprit = findInvalid(entry))
      (void)(reader.errorAt(where) << "failed to create operation '" << culprit->getName()
                                   << "'due to verification error.");
  return reader.errorAt(where) << "failed to parse function body for function '" << name.getValue() << "'";
}

OwningOpRef<cuda_tile::ModuleOp> cuda_tile::readBytecode(ArrayRef<char> bytes, MLIRContext *context) {
  context->getOrLoadDialect<CudaTileDialect>();
  return ModuleReader(context, ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size())).read();
}

OwningOpRef<cuda_tile::ModuleOp> cuda_tile::readBytecode(llvm::MemoryBufferRef buffer, MLIRContext *context) {
  return readBytecode(ArrayRef(buffer.getBufferStart(), buffer.getBufferSize()), context);
}
