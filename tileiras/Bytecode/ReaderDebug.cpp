//===- ReaderDebug.cpp - Debug section ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Debug := varint lists, padding, u32 start[lists]      where each function's locations start in `index`
//          varint number, padding, u64 index[number]    per location: number of its record plus one
//          varint records, padding, u32 offset[records], bytes
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Layouts.h"
#include "tileiras/Bytecode/ReaderImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

// Records form a graph whose tree may be exponentially large, and whoever walks or prints a location walks the tree.
// Real ones have a handful of nodes per inlined call.
static constexpr unsigned maxDebugDepth = 256, maxDebugSize = 4096;

/// A counted array of fixed-size numbers. Writers differ in whether a zero count is followed by padding: what
/// follows it (0xCB or the next count, which then is 0 as well or small) tells.
template <typename T>
static LogicalResult readArray(Cursor &section, uint64_t base, StringRef what, std::vector<T> &values) {
  uint64_t number;
  if (failed(section.count(number, sizeof(T), what)))
    return failure();
  if (number == 0) {
    // A zero count with padding after it is padded with 0xCB, which as a count would need a second byte and would
    // be padding itself.
    Cursor probe = section;
    uint8_t next;
    if (!probe.atEnd() && succeeded(probe.byte(next)) && next != paddingByte)
      return success();
    return section.atEnd() ? success() : section.align(sizeof(T), base);
  }
  if (failed(section.align(sizeof(T), base)))
    return failure();
  if (number > section.remaining() / sizeof(T))
    return section.error() << number << " " << what << " cannot fit in the remaining " << section.remaining()
                           << " bytes";
  values.resize(number);
  for (T &value : values)
    if (failed(section.fixed(value)))
      return failure();
  return success();
}

LogicalResult ReaderTables::loadDebug(Cursor section) {
  debugEntries.clear();
  listStarts.clear();
  locationIndices.clear();
  uint64_t base = section.offset();
  std::vector<uint32_t> offsets;
  if (failed(readArray(section, base, "location lists", listStarts)) ||
      failed(readArray(section, base, "locations", locationIndices)) ||
      failed(readArray(section, base, "debug records", offsets)))
    return failure();
  for (auto [i, start] : llvm::enumerate(listStarts))
    if (start > locationIndices.size() || (i > 0 && start < listStarts[i - 1]))
      return section.errorAt(base) << "start " << start << " of location list " << i
                                   << " is out of bounds (size=" << locationIndices.size() << ")";
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    uint64_t end = i + 1 < offsets.size() ? offsets[i + 1] : section.remaining();
    if (offset > end || end > section.remaining())
      return section.error() << "offset " << offset << " of debug record " << i << " is out of bounds";
    debugEntries.emplace_back(section.slice(section.offset(), offset, end));
  }
  return success();
}

LogicalResult ReaderTables::getDebug(const Cursor &at, uint64_t indexPlusOne, Attribute &value) {
  value = {};
  if (indexPlusOne == 0)
    return success();
  if (indexPlusOne > debugEntries.size())
    return at.error() << "debug record index " << indexPlusOne - 1 << " out of bounds (size=" << debugEntries.size()
                      << ")";
  DebugEntry &entry = debugEntries[indexPlusOne - 1];
  if (entry.state == DebugEntry::Reading || debugDepth == maxDebugDepth)
    return at.error() << "debug record " << indexPlusOne - 1 << " is nested too deeply or contains itself";
  if (entry.state == DebugEntry::NotRead) {
    entry.state = DebugEntry::Reading;
    unsigned outerSize = std::exchange(debugSize, 1);
    ++debugDepth;
    FieldReader reader(entry.record, *this);
    if (failed(decodeDebug(reader, entry.value)))
      return failure();
    --debugDepth;
    entry.size = std::exchange(debugSize, outerSize);
    entry.state = DebugEntry::Read;
    if (!reader.atEnd())
      return reader.error() << "debug record " << indexPlusOne - 1 << " has " << reader.remaining()
                            << " bytes too many";
    if (entry.size > maxDebugSize)
      return at.error() << "debug record " << indexPlusOne - 1 << " is too large";
  }
  debugSize += entry.size;
  value = entry.value;
  return success();
}

template <typename AttrT>
static LogicalResult expect(FieldReader &reader, Attribute attr, StringRef what, AttrT &typed) {
  typed = dyn_cast_or_null<AttrT>(attr);
  if (!typed)
    return reader.error() << "expected a debug record of a " << what;
  return success();
}

static Location toLocation(Attribute attr, MLIRContext *context) {
  auto loc = dyn_cast_or_null<LocationAttr>(attr);
  return loc ? Location(loc) : Location(UnknownLoc::get(context));
}

LogicalResult ReaderTables::decodeDebug(FieldReader &reader, Attribute &value) {
  uint64_t where = reader.offset(), number;
  if (failed(reader.varint(number)))
    return failure();
  if (number > static_cast<uint64_t>(DebugTag::CallSite))
    return reader.errorAt(where) << "unknown debug record tag: " << number;
  auto tag = static_cast<DebugTag>(number);
  DebugFields f;
  if (failed(codeDebugRecord(reader, tag, f)))
    return failure();
  auto emitError = [&]() { return reader.errorAt(where); };
  DIFileAttr file;
  DICompileUnitAttr unit;
  switch (tag) {
  case DebugTag::Unknown:
    return success();
  case DebugTag::CompileUnit:
    if (failed(expect(reader, f.file, "file", file)))
      return failure();
    value = DICompileUnitAttr::get(context, file);
    return success();
  case DebugTag::File:
    value = DIFileAttr::get(context, f.name, f.directory);
    return success();
  case DebugTag::LexicalBlock:
    if (failed(expect(reader, f.file, "file", file)))
      return failure();
    value = DILexicalBlockAttr::getChecked(emitError, context, f.scope, file, f.line, f.column);
    return success(static_cast<bool>(value));
  case DebugTag::Location:
    value = DILocAttr::getChecked(emitError, context, FileLineColLoc::get(f.name, f.line, f.column), f.scope);
    return success(static_cast<bool>(value));
  case DebugTag::Subprogram:
    if (failed(expect(reader, f.file, "file", file)) || failed(expect(reader, f.compileUnit, "compile unit", unit)))
      return failure();
    value = DISubprogramAttr::get(context, file, f.line, f.name, f.linkageName, unit, f.scopeLine);
    return success();
  case DebugTag::CallSite:
    value = CallSiteLoc::get(toLocation(f.callee, context), toLocation(f.caller, context));
    return success();
  }
  return reader.errorAt(where) << "unknown debug record tag: " << number;
}

LogicalResult ReaderTables::getLocationList(const Cursor &at, uint64_t indexPlusOne, LocationList &list) {
  list = {};
  if (indexPlusOne == 0)
    return success();
  if (indexPlusOne > listStarts.size())
    return at.error() << "location list index " << indexPlusOne - 1 << " out of bounds (size=" << listStarts.size()
                      << ")";
  list.active = true;
  list.next = listStarts[indexPlusOne - 1];
  list.end = indexPlusOne < listStarts.size() ? listStarts[indexPlusOne] : locationIndices.size();
  return success();
}

LogicalResult ReaderTables::nextLocation(const Cursor &at, LocationList &list, Location &loc) {
  loc = UnknownLoc::get(context);
  if (!list.active)
    return success();
  if (list.next == list.end)
    return at.error() << "the list of locations is shorter than the function";
  Attribute value;
  if (failed(getDebug(at, locationIndices[list.next++], value)))
    return failure();
  if (value && !isa<LocationAttr>(value))
    return at.error() << "the debug record of an operation is not a location";
  loc = toLocation(value, context);
  return success();
}
