//===- ReferenceEngine.cpp - Launching on the reference evaluator ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/ReferenceEngine.h"
#include "tileiras/Reference/Evaluator.h"

#include <chrono>

using namespace mlir;
using namespace tileiras;

std::vector<cuda_tile::ModuleOp> tileiras::findTileModules(Operation *op) {
  std::vector<cuda_tile::ModuleOp> modules;
  op->walk<WalkOrder::PreOrder>([&](cuda_tile::ModuleOp module) { modules.push_back(module); });
  return modules;
}

cuda_tile::EntryOp tileiras::findEntry(Operation *op, StringRef name, std::string &error) {
  SmallVector<cuda_tile::EntryOp> entries;
  for (cuda_tile::ModuleOp module : findTileModules(op))
    llvm::append_range(entries, module.getOps<cuda_tile::EntryOp>());
  if (name.empty() && entries.size() == 1)
    return entries.front();
  for (cuda_tile::EntryOp entry : entries)
    if (!name.empty() && entry.getSymName() == name)
      return entry;
  error = name.empty() ? "--entry is needed: " : "no entry '" + name.str() + "': ";
  error += entries.empty() ? "the module has no entry" : "the module has";
  for (cuda_tile::EntryOp entry : entries)
    error += " '" + entry.getSymName().str() + "'";
  return nullptr;
}

static DType scalarType(Type type) { return reference::dtypeOf(cast<cuda_tile::TileType>(type).getElementType()); }

/// "tile<ptr<f32>>", as it is written inside an entry.
static void printShort(llvm::raw_ostream &os, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef view = text;
  view.consume_front("!cuda_tile.");
  os << view;
}

std::string tileiras::checkArguments(cuda_tile::EntryOp entry, const LaunchRequest &request) {
  ArrayRef<Type> types = entry.getArgumentTypes();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (types.size() != request.args.size()) {
    os << "entry '" << entry.getSymName() << "' takes " << types.size() << " arguments, got " << request.args.size()
       << "; its signature is (";
    llvm::interleaveComma(types, os, [&](Type type) { printShort(os, type); });
    os << ")";
    return text;
  }
  for (auto [i, type] : llvm::enumerate(types)) {
    const KernelArg &arg = request.args[i];
    if (arg.map >= 0) {
      os << "argument " << i << " is a tensor map, which entries of cuda_tile modules do not take";
      return text;
    }
    auto pointer = dyn_cast<cuda_tile::PointerType>(cast<cuda_tile::TileType>(type).getElementType());
    if (arg.buffer >= 0) {
      const Buffer &buffer = request.buffers[size_t(arg.buffer)];
      if (pointer && reference::dtypeOf(pointer.getPointeeType()) == buffer.array.type)
        continue;
      os << "argument " << i << ": array '" << buffer.name << "' holds " << std::string(dtypeName(buffer.array.type))
         << ", the entry takes ";
    } else {
      if (pointer ? arg.type == DType::I64 : arg.type == scalarType(type))
        continue;
      os << "argument " << i << " is a scalar of type " << std::string(dtypeName(arg.type)) << ", the entry takes ";
    }
    printShort(os, type);
    return text;
  }
  return text;
}

namespace {

class ReferenceEngine : public Engine {
public:
  ReferenceEngine(Operation *op, uint64_t maxSteps, bool checkAssumptions)
      : op(op), maxSteps(maxSteps), checkAssumptions(checkAssumptions) {}
  const char *name() const override { return "reference"; }
  RunOutcome run(LaunchRequest &request) override;

private:
  Operation *op;
  uint64_t maxSteps;
  bool checkAssumptions;
};

/// "file:line:col: error: text", and the notes below it.
std::string render(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](Diagnostic &d, StringRef kind) {
    std::string location;
    llvm::raw_string_ostream ls(location);
    d.getLocation().print(ls);
    StringRef place = location;
    if (place.consume_front("loc("))
      place.consume_back(")");
    // "file":line:col -> file:line:col
    std::string plain = place.str();
    if (isa<FileLineColLoc>(d.getLocation()))
      llvm::erase(plain, '"');
    os << plain << ": " << kind << ": " << d.str();
  };
  print(diagnostic, diagnostic.getSeverity() == DiagnosticSeverity::Warning ? "warning" : "error");
  for (Diagnostic &note : diagnostic.getNotes()) {
    if (StringRef(note.str()).starts_with("see current operation"))
      continue; // the location says it shorter
    os << "\n";
    print(note, "note");
  }
  return text;
}

RunOutcome ReferenceEngine::run(LaunchRequest &request) {
  RunOutcome outcome;
  std::string error;
  cuda_tile::EntryOp entry = findEntry(op, request.entry, error);
  if (entry)
    error = checkArguments(entry, request);
  if (!error.empty()) {
    outcome.reports.push_back(error);
    return outcome;
  }

  reference::DeviceMemory memory;
  std::vector<uint64_t> bases;
  for (Buffer &buffer : request.buffers)
    bases.push_back(memory.allocate(buffer.name, buffer.array.bytes, buffer.alignment));
  relocate(request.buffers, bases);
  for (auto [buffer, base] : llvm::zip(request.buffers, bases))
    if (!buffer.relocations.empty())
      llvm::copy(buffer.array.bytes, memory.resolve(base, buffer.array.bytes.size()));
  SmallVector<reference::RuntimeValue> arguments;
  for (auto [arg, type] : llvm::zip(request.args, entry.getArgumentTypes())) {
    uint64_t bits = arg.bits;
    if (arg.buffer >= 0)
      bits = bases[size_t(arg.buffer)] + uint64_t(request.buffers[size_t(arg.buffer)].array.byteOffset);
    arguments.push_back(std::make_shared<const reference::Tile>(reference::makeTile(type, bits)));
  }

  reference::EvaluatorOptions options;
  options.maxSteps = maxSteps;
  options.blocks = request.blocks;
  options.checkAssumptions = checkAssumptions;
  options.print = [&](StringRef text) { outcome.output += text; };
  options.progress = request.progress;
  reference::Evaluator evaluator(entry->getParentOfType<cuda_tile::ModuleOp>(), memory, options);
  auto start = std::chrono::steady_clock::now();
  {
    ScopedDiagnosticHandler collect(op->getContext(), [&](Diagnostic &diagnostic) {
      outcome.reports.push_back(render(diagnostic));
      return success();
    });
    outcome.ok = succeeded(evaluator.run(entry, {request.grid.x, request.grid.y, request.grid.z}, arguments));
  }
  outcome.ok &= evaluator.stats.failedAssertions == 0;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (auto [buffer, base] : llvm::zip(request.buffers, bases))
    if (!buffer.array.bytes.empty())
      std::memcpy(buffer.array.bytes.data(), memory.resolve(base, buffer.array.bytes.size()),
                  buffer.array.bytes.size());
  unrelocate(request.buffers, bases);
  const reference::EvaluatorStats &stats = evaluator.stats;
  outcome.stats = {{"operations", std::to_string(stats.operations)},
                   {"loaded bytes", std::to_string(stats.loadedBytes)},
                   {"stored bytes", std::to_string(stats.storedBytes)},
                   {"multiply-adds", std::to_string(stats.multiplyAdds)}};
  return outcome;
}

} // namespace

std::unique_ptr<Engine> tileiras::makeReferenceEngine(Operation *op, uint64_t maxSteps, bool checkAssumptions) {
  return std::make_unique<ReferenceEngine>(op, maxSteps, checkAssumptions);
}
