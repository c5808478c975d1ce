//===- WriterTables.cpp - Strings, types, constants, debug records --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Bytecode/Layouts.h"
#include "tileiras/Bytecode/WriterImpl.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace mlir::cuda_tile::bytecode;

LogicalResult WriterTables::string(StringRef text, uint64_t &index) {
  index = stringIndex.insert({text, stringIndex.size()}).first->second;
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<TypeTag> getTag(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.isSignless()) {
    switch (integer.getWidth()) {
    case 1:
      return TypeTag::I1;
    case 4:
      return TypeTag::I4;
    case 8:
      return TypeTag::I8;
    case 16:
      return TypeTag::I16;
    case 32:
      return TypeTag::I32;
    case 64:
      return TypeTag::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<TypeTag>>(type)
      .Case<Float16Type>([](auto) { return TypeTag::F16; })
      .Case<BFloat16Type>([](auto) { return TypeTag::BF16; })
      .Case<Float32Type>([](auto) { return TypeTag::F32; })
      .Case<FloatTF32Type>([](auto) { return TypeTag::TF32; })
      .Case<Float64Type>([](auto) { return TypeTag::F64; })
      .Case<Float8E4M3FNType>([](auto) { return TypeTag::F8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return TypeTag::F8E5M2; })
      .Case<Float8E8M0FNUType>([](auto) { return TypeTag::F8E8M0FNU; })
      .Case<Float4E2M1FNType>([](auto) { return TypeTag::F4E2M1FN; })
      .Case<PointerType>([](auto) { return TypeTag::Pointer; })
      .Case<TileType>([](auto) { return TypeTag::Tile; })
      .Case<TensorViewType>([](auto) { return TypeTag::TensorView; })
      .Case<PartitionViewType>([](auto) { return TypeTag::PartitionView; })
      .Case<StridedViewType>([](auto) { return TypeTag::StridedView; })
      .Case<GatherScatterViewType>([](auto) { return TypeTag::GatherScatterView; })
      .Case<FunctionType>([](auto) { return TypeTag::Function; })
      .Case<TokenType>([](auto) { return TypeTag::Token; })
      .Default([](Type) { return std::nullopt; });
}

LogicalResult WriterTables::type(Type type, uint64_t &index) {
  if (auto known = typeIndex.find(type); known != typeIndex.end()) {
    index = known->second;
    return success();
  }
  // What the type is made of is numbered before the type itself.
  ByteSink sink;
  if (failed(encodeType(type, sink)))
    return failure();
  index = typeEntries.size();
  typeEntries.push_back(std::move(sink));
  typeIndex[type] = index;
  return success();
}

LogicalResult WriterTables::encodeType(Type type, ByteSink &sink) {
  std::optional<TypeTag> tag = getTag(type);
  if (!tag)
    return error() << "unsupported type in bytecode writer: " << type;
  const TypeRow &row = getTypeRow(*tag);
  if (version < row.since)
    return error() << "type '" << row.name << "' requires bytecode version " << row.since.str() << "+, targeting "
                   << version.str();
  sink.varint(static_cast<uint64_t>(*tag));
  FieldWriter writer(sink, *this);
  auto toVector = [](auto range) { return llvm::to_vector(range); };
  return llvm::TypeSwitch<Type, LogicalResult>(type)
      .Case<PointerType>([&](PointerType ptr) {
        Type pointee = ptr.getPointeeType();
        Attribute ptrAttr = ptr.getPtrAttr();
        return codePointer(writer, pointee, ptrAttr);
      })
      .Case<TileType>([&](TileType tile) {
        Type element = tile.getElementType();
        SmallVector<int64_t> shape = toVector(tile.getShape());
        return codeTile(writer, element, shape);
      })
      .Case<TensorViewType>([&](TensorViewType view) {
        Type element = view.getElementType();
        Attribute ptrAttr = view.getPtrAttr();
        SmallVector<int64_t> shape = toVector(view.getShape()), strides = toVector(view.getStrides());
        return codeTensorView(writer, element, shape, strides, ptrAttr);
      })
      .Case<PartitionViewType>([&](PartitionViewType view) {
        ViewFields fields{toVector(view.getTileShape()), {}, toVector(view.getDimMap()),
                          view.getTensorView(),          0,  view.getPaddingValue()};
        return codePartitionView(writer, fields);
      })
      .Case<StridedViewType>([&](StridedViewType view) {
        ViewFields fields{toVector(view.getTileShape()),
                          toVector(view.getTraversalStrides()),
                          toVector(view.getDimMap()),
                          view.getTensorView(),
                          0,
                          view.getPaddingValue()};
        return codeStridedView(writer, fields);
      })
      .Case<GatherScatterViewType>([&](GatherScatterViewType view) {
        ViewFields fields{
            toVector(view.getTileShape()), {}, {}, view.getTensorView(), static_cast<uint32_t>(view.getSparseDim()),
            view.getPaddingValue()};
        return codeGatherScatterView(writer, fields);
      })
      .Case<FunctionType>([&](FunctionType function) {
        SmallVector<Type> inputs = toVector(function.getInputs()), results = toVector(function.getResults());
        return codeFunctionType(writer, inputs, results);
      })
      .Default([](Type) { return success(); }); // the tag says it all
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult WriterTables::constant(DenseIntOrFPElementsAttr attr, uint64_t &index) {
  auto [entry, isNew] = constantIndex.insert({attr, constants.size()});
  if (isNew)
    constants.push_back(attr);
  index = entry->second;
  return success();
}

//===----------------------------------------------------------------------===//
// Debug records
//===----------------------------------------------------------------------===//

LogicalResult WriterTables::debug(Attribute attr, uint64_t &indexPlusOne) {
  indexPlusOne = 0;
  // Positions outside any scope are not worth a record: the format cannot express them.
  if (!attr || isa<UnknownLoc>(attr) || isa<FileLineColRange>(attr))
    return success();
  if (auto known = debugIndex.find(attr); known != debugIndex.end()) {
    indexPlusOne = known->second;
    return success();
  }
  ByteSink sink;
  if (failed(encodeDebug(attr, sink)))
    return failure();
  debugEntries.push_back(std::move(sink));
  indexPlusOne = debugEntries.size();
  debugIndex[attr] = indexPlusOne;
  return success();
}

static StringRef getLocationKind(Attribute attr) {
  return llvm::TypeSwitch<Attribute, StringRef>(attr)
      .Case<FusedLoc>([](auto) { return "FusedLoc"; })
      .Case<NameLoc>([](auto) { return "NameLoc"; })
      .Case<OpaqueLoc>([](auto) { return "OpaqueLoc"; })
      .Default([](Attribute other) { return other.getAbstractAttribute().getName(); });
}

LogicalResult WriterTables::encodeDebug(Attribute attr, ByteSink &sink) {
  FieldWriter writer(sink, *this);
  DebugFields f;
  DebugTag tag;
  if (auto file = dyn_cast<DIFileAttr>(attr)) {
    tag = DebugTag::File;
    f.name = file.getName();
    f.directory = file.getDirectory();
  } else if (auto unit = dyn_cast<DICompileUnitAttr>(attr)) {
    tag = DebugTag::CompileUnit;
    f.file = unit.getFile();
  } else if (auto block = dyn_cast<DILexicalBlockAttr>(attr)) {
    tag = DebugTag::LexicalBlock;
    f.scope = block.getScope();
    f.file = block.getFile();
    f.line = block.getLine();
    f.column = block.getColumn();
  } else if (auto di = dyn_cast<DILocAttr>(attr)) {
    tag = DebugTag::Location;
    f.scope = di.getScope();
    f.name = di.getSourceLoc().getFilename();
    f.line = di.getSourceLoc().getLine();
    f.column = di.getSourceLoc().getColumn();
  } else if (auto sub = dyn_cast<DISubprogramAttr>(attr)) {
    tag = DebugTag::Subprogram;
    f.file = sub.getFile();
    f.line = sub.getLine();
    f.name = sub.getName();
    f.linkageName = sub.getLinkageName();
    f.compileUnit = sub.getCompileUnit();
    f.scopeLine = sub.getScopeLine();
  } else if (auto call = dyn_cast<CallSiteLoc>(attr)) {
    tag = DebugTag::CallSite;
    f.callee = call.getCallee();
    f.caller = call.getCaller();
  } else {
    return error() << "unsupported location, got " << getLocationKind(attr) << ", expected DILocAttr or CallSiteLoc";
  }
  sink.varint(static_cast<uint64_t>(tag));
  return codeDebugRecord(writer, tag, f);
}

LogicalResult WriterTables::locations(ArrayRef<Location> list, uint64_t &indexPlusOne) {
  SmallVector<uint64_t> indices;
  Location outer = loc;
  for (Location one : list) {
    loc = one;
    if (failed(debug(one, indices.emplace_back())))
      return failure();
  }
  loc = outer;
  indexPlusOne = 0;
  if (llvm::all_of(indices, [](uint64_t index) { return index == 0; }))
    return success();
  listStarts.push_back(static_cast<uint32_t>(locationIndices.size()));
  llvm::append_range(locationIndices, indices);
  indexPlusOne = listStarts.size();
  return success();
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// varint n, padding, offsets, bytes; only the count if there are none.
template <typename OffsetT>
static void writeOffsetTable(ByteSink &sink, size_t number, function_ref<void(size_t, ByteSink &)> writeEntry) {
  sink.varint(number);
  if (number == 0)
    return;
  sink.align(sizeof(OffsetT));
  ByteSink entries;
  for (size_t i = 0; i < number; ++i) {
    sink.fixed<OffsetT>(static_cast<OffsetT>(entries.size()));
    writeEntry(i, entries);
  }
  sink.bytes(entries.contents());
}

void WriterTables::writeStrings(ByteSink &sink) const {
  writeOffsetTable<uint32_t>(sink, stringIndex.size(), [&](size_t i, ByteSink &entry) {
    StringRef text = (stringIndex.begin() + i)->first;
    entry.bytes(ArrayRef(text.data(), text.size()));
  });
}

void WriterTables::writeTypes(ByteSink &sink) const {
  writeOffsetTable<uint32_t>(sink, typeEntries.size(),
                             [&](size_t i, ByteSink &entry) { entry.bytes(typeEntries[i].contents()); });
}

void WriterTables::writeConstants(ByteSink &sink) const {
  writeOffsetTable<uint64_t>(sink, constants.size(), [&](size_t i, ByteSink &entry) {
    // MLIR 22's raw data is the format's: i1 packed by bit, splats as one element (00 or FF for i1).
    ArrayRef<char> raw = constants[i].getRawData();
    entry.varint(raw.size());
    entry.bytes(raw);
  });
}

void WriterTables::writeDebug(ByteSink &sink) const {
  auto writeArray = [&](auto &values) {
    sink.varint(values.size());
    sink.align(sizeof(values[0]));
    for (auto value : values)
      sink.fixed(value);
  };
  writeArray(listStarts);
  writeArray(locationIndices);
  writeOffsetTable<uint32_t>(sink, debugEntries.size(),
                             [&](size_t i, ByteSink &entry) { entry.bytes(debugEntries[i].contents()); });
}
