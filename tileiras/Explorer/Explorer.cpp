//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Explorer/Explorer.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Compiler/Pipelines.h"
#include "tileiras/Compiler/PtxasResources.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Compiler/RegisterLimit.h"
#include "tileiras/Dialect/TileAS/IR/Atoms.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Explorer/RemarkCollector.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <map>
#include <set>

using namespace mlir;
namespace json = llvm::json;

namespace tileiras::explorer {

/// Of a location that many operations were fused into, so many positions are shown.
static constexpr unsigned kMaxPositions = 4;
/// Larger source files are not copied into the page.
static constexpr uint64_t kMaxSourceBytes = 1 << 20;

namespace {

struct Position {
  std::string file;
  unsigned line, column;
  bool operator==(const Position &) const = default;
};

void collectPositions(Location loc, SmallVectorImpl<Position> &positions) {
  if (positions.size() >= kMaxPositions)
    return;
  if (auto range = dyn_cast<FileLineColRange>(loc)) {
    Position position{utf8(range.getFilename().getValue()), range.getStartLine(), range.getStartColumn()};
    if (position.line && !llvm::is_contained(positions, position))
      positions.push_back(position);
  } else if (auto named = dyn_cast<NameLoc>(loc)) {
    collectPositions(named.getChildLoc(), positions);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectPositions(call.getCallee(), positions);
    collectPositions(call.getCaller(), positions);
  } else if (auto opaque = dyn_cast<OpaqueLoc>(loc)) {
    collectPositions(opaque.getFallbackLocation(), positions);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      collectPositions(part, positions);
  } else {
    // A dialect's own: cuda_tile.di_loc has a position and a scope in it.
    LocationAttr attribute = loc;
    attribute.walkImmediateSubElements(
        [&](Attribute part) {
          if (auto inner = dyn_cast<LocationAttr>(part))
            collectPositions(inner, positions);
        },
        [](Type) {});
  }
}

/// Whether any operation knows where it comes from.
bool hasLocations(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        SmallVector<Position> positions;
        collectPositions(op->getLoc(), positions);
        return positions.empty() ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

class Exploration {
public:
  explicit Exploration(const Request &request) : request(request), options(request.options) {}
  json::Object run();

private:
  LogicalResult compileStages(ModuleOp module);
  void addStage(StringRef name, ModuleOp module);
  void addPTX(StringRef text);
  void addLayouts(Operation *op, unsigned line);
  int fileNumber(StringRef name);
  void readFiles();

  const Request &request;
  CompileOptions options;
  std::string sourceText; ///< of the input, as locations count it
  json::Object facts;
  json::Array stages, layouts, layoutUses;
  std::vector<std::string> files;
  std::map<std::string, int> layoutNumbers; ///< by type
};

int Exploration::fileNumber(StringRef name) {
  auto at = llvm::find(files, name);
  if (at == files.end())
    at = files.insert(files.end(), name.str());
  return int(at - files.begin());
}

/// The bases of a layout's map, and where the tile is.
void Exploration::addLayouts(Operation *op, unsigned line) {
  std::set<int> seen; // an operation may have several results of one type
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto attribute = tensor ? dyn_cast_or_null<nv_tileas::LayoutAttrInterface>(tensor.getEncoding())
                            : nv_tileas::LayoutAttrInterface();
    if (!attribute)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    auto [at, fresh] = layoutNumbers.try_emplace(text, int(layouts.size()));
    if (seen.insert(at->second).second)
      layoutUses.push_back(json::Array{line, at->second});
    if (!fresh)
      continue;
    LinearLayout layout = attribute.toLinearLayout(tensor.getShape());
    json::Object bases;
    for (DimName in : layout.inNames()) {
      json::Array list;
      for (int bit = 0; bit != layout.inBits(in); ++bit)
        list.push_back(json::Array(layout.basis(in, bit)));
      bases[in.str()] = std::move(list);
    }
    static constexpr const char *memories[] = {"registers", "shared memory", "tensor memory", "global memory"};
    std::string element;
    llvm::raw_string_ostream(element) << tensor.getElementType();
    layouts.push_back(json::Object{{"type", utf8(text)},
                                   {"element", utf8(element)},
                                   {"shape", json::Array(tensor.getShape())},
                                   {"memory", memories[static_cast<int>(attribute.getMemory())]},
                                   {"bases", std::move(bases)}});
  }
}

void Exploration::addStage(StringRef name, ModuleOp module) {
  AsmState::LocationMap lines;
  AsmState state(module, OpPrintingFlags(), &lines);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, state);
  os << "\n";
  // Lines are counted from the module's first; aliases before it push it down.
  std::vector<std::tuple<unsigned, int, unsigned, unsigned>> found;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto at = lines.find(op);
    if (at == lines.end())
      return;
    unsigned line = at->second.first;
    if (name == "tileas")
      addLayouts(op, line);
    SmallVector<Position> positions;
    collectPositions(op->getLoc(), positions);
    for (const Position &p : positions)
      found.emplace_back(line, fileNumber(p.file), p.line, p.column);
  });
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  json::Array locations;
  for (auto [line, file, sourceLine, column] : found)
    locations.push_back(json::Array{line, file, sourceLine, column});
  stages.push_back(json::Object{{"name", name}, {"text", utf8(text)}, {"locations", std::move(locations)}});
}

/// Splits off the next word.
StringRef takeWord(StringRef &text) {
  text = text.ltrim();
  StringRef word = text.take_until([](char c) { return c == ' ' || c == '\t' || c == ','; });
  text = text.drop_front(word.size());
  return word;
}

/// `.loc FILE LINE COLUMN` holds for the instructions that follow, to the next one or the end of the function.
void Exploration::addPTX(StringRef text) {
  std::map<unsigned, std::string> names;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    StringRef rest = line.trim();
    if (!rest.consume_front(".file"))
      continue;
    unsigned number;
    if (!takeWord(rest).getAsInteger(10, number))
      names[number] = rest.trim().trim('"').str();
  }
  json::Array locations;
  unsigned file = 0, sourceLine = 0, column = 0;
  for (auto [index, line] : llvm::enumerate(lines)) {
    StringRef rest = line.trim();
    if (rest.consume_front(".loc")) {
      if (takeWord(rest).getAsInteger(10, file) || takeWord(rest).getAsInteger(10, sourceLine) ||
          takeWord(rest).getAsInteger(10, column))
        sourceLine = 0;
      continue;
    }
    if (rest == "}" && line.starts_with("}"))
      sourceLine = 0;
    // Labels, comments and directives do no work.
    if (sourceLine == 0 || rest.empty() || rest.starts_with("//") || rest.starts_with(".") || rest.ends_with(":"))
      continue;
    auto name = names.find(file);
    if (name != names.end())
      locations.push_back(json::Array{unsigned(index + 1), fileNumber(name->second), sourceLine, column});
  }
  stages.push_back(json::Object{{"name", "ptx"}, {"text", utf8(text)}, {"locations", std::move(locations)}});
}

LogicalResult Exploration::compileStages(ModuleOp module) {
  bool tiles = !isGpuModuleInput(module);
  SmallVector<StringRef> names = {"input"};
  if (tiles && inputStage(module) == Stage::CudaTile)
    names = {"cuda_tile", "tileaa", "tileas"};
  else if (tiles)
    names = {"layouts", "tileas"};
  // A pass manager is configured at the beginning of each hop, when the one before it has ended.
  size_t hop = 0;
  options.configurePassManager = [&](PassManager &) {
    if (hop < names.size())
      addStage(names[hop++], module);
    return success();
  };
  if (failed(runUntil(module, Stage::LLVM, options)))
    return failure();
  addStage("llvm", module);
  std::string ptx;
  if (failed(emitPTX(module, emissionOptions(options, Stage::PTX), ptx)))
    return failure();
  bool assembles = request.assemble && !findPtxas(options.ptxasPath).empty();
  std::string cubin;
  AssemblyReport report;
  // The text may become another one, if this one spills.
  LogicalResult assembled = assembles ? assemblePTX(ptx, module.getLoc(), options, cubin, module, &report) : success();
  addPTX(ptx);
  if (!assembles || failed(assembled))
    return assembled;
  remarkReport(module, report);
  json::Array resources;
  for (const PtxasResources &r : parsePtxasResources(report.resources))
    resources.push_back(json::Object{{"function", r.function},
                                     {"registers", r.registers},
                                     {"barriers", r.barriers},
                                     {"shared", r.shared},
                                     {"stack", r.stack},
                                     {"spill_stores", r.spillStores},
                                     {"spill_loads", r.spillLoads}});
  facts["resources"] = std::move(resources);
  return success();
}

/// Locations come with the input and name any file; only what looks like source code is copied.
void Exploration::readFiles() {
  static constexpr StringLiteral suffixes[] = {".py", ".mlir", ".rs", ".jl",  ".cu",  ".cuh", ".cpp",
                                               ".cc", ".c",    ".h",  ".hpp", ".ptx", ".tile"};
  json::Array list;
  for (const std::string &name : files) {
    json::Object file{{"name", name}};
    if (name == request.input.getBufferIdentifier()) {
      file["text"] = utf8(sourceText);
    } else if (llvm::any_of(suffixes, [&](StringRef s) { return StringRef(name).ends_with(s); })) {
      if (auto buffer = llvm::MemoryBuffer::getFile(name); buffer && (*buffer)->getBufferSize() <= kMaxSourceBytes)
        file["text"] = utf8((*buffer)->getBuffer());
    }
    list.push_back(std::move(file));
  }
  facts["files"] = std::move(list);
}

json::Object Exploration::run() {
  facts["version"] = TILEIRAS_VERSION;
  options.lineInfo = !options.deviceDebug; // the same code, with .loc
  facts["options"] = json::Object{{"gpu-name", options.gpuName},
                                  {"opt-level", options.optLevel},
                                  {"num-warps", options.numWarps},
                                  {"num-ctas", options.numCtas},
                                  {"pipeline-options", utf8(options.pipelineOptions)}};
  std::string error;
  if (Status status = checkOptions(options, error); status != Status::Success) {
    facts["status"] = int(status);
    facts["diagnostics"] = json::Array{json::Object{{"severity", "error"}, {"message", utf8(error)}}};
    return std::move(facts);
  }
  const TargetInfo &target = *lookupTarget(options.gpuName);
  facts["target"] = json::Object{{"name", target.name},
                                 {"compiled_as", target.compiledAs},
                                 {"dynamic_shared_bytes", target.maxDynamicShared},
                                 {"static_shared_bytes", target.maxStaticShared},
                                 {"registers", target.registersPerSm},
                                 {"warps", target.maxWarpsPerSm},
                                 {"blocks", target.maxBlocksPerSm}};

  registerCompilerPasses();
  DialectRegistry registry;
  registerCompilerDialects(registry);
  json::Array remarks;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  // Nobody prints: what is collected is handed on to this handler.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  DiagnosticCollector collector(context);
  collectRemarks(context, "all", remarks, error);

  OwningOpRef<ModuleOp> module;
  Status status = parseInput(request.input, context, module, options);
  if (status == Status::Success) {
    sourceText = request.input.getBuffer().str();
    if (!hasLocations(*module)) {
      // Bytecode without debug information: its own text is the source.
      sourceText.clear();
      llvm::raw_string_ostream os(sourceText);
      for (Operation &op : *module->getBody())
        os << op << "\n";
      llvm::MemoryBufferRef text(sourceText, request.input.getBufferIdentifier());
      OwningOpRef<ModuleOp> again;
      if (parseInput(text, context, again, options) == Status::Success)
        module = std::move(again);
    }
    // Bytecode with debug information is no text to look at: its sources are.
    if (json::isUTF8(sourceText) && sourceText.find('\0') == sourceText.npos)
      fileNumber(request.input.getBufferIdentifier());
    if (failed(compileStages(*module)))
      status = Status::CompilationFailure;
  } else {
    sourceText = request.input.getBuffer().str();
    if (json::isUTF8(sourceText) && sourceText.find('\0') == sourceText.npos)
      fileNumber(request.input.getBufferIdentifier());
  }
  facts["status"] = int(status);
  facts["stages"] = std::move(stages);
  facts["layouts"] = std::move(layouts);
  facts["layout_uses"] = std::move(layoutUses);
  facts["diagnostics"] = collector.take();
  facts["remarks"] = std::move(remarks);
  readFiles();
  return std::move(facts);
}

} // namespace

json::Object explore(const Request &request) { return Exploration(request).run(); }

} // namespace tileiras::explorer
