//===- Module.cpp - Pictures of the layouts in a module -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "CuteValues.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tileiras;

namespace {
/// Keeps the module as it is when a pass is about to run on a part of it for the first time.
struct Snapshot : PassInstrumentation {
  Snapshot(StringRef pass, OwningOpRef<Operation *> &kept) : pass(pass), kept(kept) {}
  void runBeforePass(Pass *next, Operation *op) override {
    if (kept || next->getArgument() != pass)
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    kept = op->clone();
  }
  std::string pass;
  OwningOpRef<Operation *> &kept;
};

/// A value of an operation whose type has a layout.
struct Tile {
  std::string role;
  RankedTensorType type;
};
} // namespace

static SmallVector<Tile> tilesOf(Operation *op) {
  SmallVector<Tile> tiles;
  auto add = [&](const char *role, unsigned index, unsigned count, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && nv_tileas::getLayout(tensor))
      tiles.push_back({count == 1 ? role : (Twine(role) + " " + Twine(index)).str(), tensor});
  };
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    add("operand", i, op->getNumOperands(), operand.getType());
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    add("result", i, op->getNumResults(), result.getType());
  return tiles;
}

static std::string place(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto line = op->getLoc()->findInstanceOf<FileLineColLoc>())
    stream << line.getFilename().getValue() << ":" << line.getLine();
  return text;
}

static std::string summary(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : type.getShape())
    stream << extent << "x";
  stream << type.getElementType();
  std::optional<cute::ComposedLayout> layout = cute::fromLinear(nv_tileas::getLinearLayout(type));
  if (nv_tileas::isIn(type, nv_tileas::MemoryKind::Shared))
    stream << " shared";
  if (nv_tileas::isIn(type, nv_tileas::MemoryKind::Tensor))
    stream << " tensor memory";
  if (layout)
    stream << " " << layout->toString();
  return text;
}

static bool isRegisters(const Tile &tile) { return nv_tileas::isIn(tile.type, nv_tileas::MemoryKind::Registers); }

static bool fill(Operation *op, ArrayRef<Tile> tiles, const cute::ViewOptions &view, cute::Picture &picture) {
  auto fail = [&](const std::string &error) {
    op->emitError() << error;
    return false;
  };
  std::string error;
  cute::ViewOptions own = view;
  own.elementBits = int(8 * nv_tileas::getStorageBytes(tiles.front().type.getElementType()));
  if (isa<nv_tileas::ConvertLayoutOp>(op) && tiles.size() == 2 && isRegisters(tiles[0]) && isRegisters(tiles[1])) {
    std::optional<cute::Picture> conversion = cute::conversionPicture(
        nv_tileas::getLinearLayout(tiles[0].type), nv_tileas::getLinearLayout(tiles[1].type), own, &error);
    if (!conversion)
      return fail(error);
    picture = *conversion;
  } else {
    for (const Tile &tile : tiles) {
      own.elementBits = int(8 * nv_tileas::getStorageBytes(tile.type.getElementType()));
      cute::AnyLayout layout;
      bool shared = nv_tileas::isIn(tile.type, nv_tileas::MemoryKind::Shared);
      layout.kind = shared ? cute::AnyLayout::Kind::Shared : cute::AnyLayout::Kind::Distributed;
      layout.linear = nv_tileas::getLinearLayout(tile.type);
      std::string title = tile.role;
      if (!shared && !isRegisters(tile)) {
        // Rows of tensor memory are called lanes by the hardware, too.
        layout.linear = layout.linear.renameIn("row", kLane).renameIn("column", kRegister);
        title += " (tensor memory; T is the lane, r the column)";
      }
      std::optional<std::vector<cute::Panel>> panels = cute::panelsOf(layout, title, own, &error);
      if (!panels)
        return fail(error);
      picture.panels.insert(picture.panels.end(), panels->begin(), panels->end());
    }
  }
  picture.title = op->getName().getStringRef().str() + (place(op).empty() ? "" : " at " + place(op));
  return true;
}

bool tileiras::drawModule(const ModuleRequest &request, cute::Picture &picture) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(request.file);
  if (!buffer) {
    llvm::errs() << "tileiras-layout: cannot read '" << request.file << "': " << buffer.getError().message() << "\n";
    return false;
  }
  CompileOptions options;
  options.gpuName = request.gpuName;
  std::string error;
  if (checkOptions(options, error) != Status::Success) {
    llvm::errs() << "tileiras-layout: " << error << "\n";
    return false;
  }
  OwningOpRef<ModuleOp> module;
  if (parseInput((*buffer)->getMemBufferRef(), context, module, options) != Status::Success)
    return false;

  Operation *root = module->getOperation();
  OwningOpRef<Operation *> kept;
  bool tiles = false;
  module->walk([&](Operation *op) { tiles |= isa_and_present<cuda_tile::CudaTileDialect>(op->getDialect()); });
  if (tiles) {
    options.configurePassManager = [&](PassManager &manager) {
      manager.addInstrumentation(std::make_unique<Snapshot>(request.before, kept));
      return success();
    };
    if (failed(runUntil(*module, Stage::TileAS, options)))
      return false;
    if (!kept) {
      llvm::errs() << "tileiras-layout: no pass '" << request.before
                   << "' runs on this module before layouts are gone\n";
      return false;
    }
    root = kept.get();
  }

  struct Found {
    Operation *op;
    SmallVector<Tile> tiles;
    SmallVector<CuteValue> values;
  };
  std::vector<Found> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Found here{op, tilesOf(op), cuteValuesOf(op)};
    if (!here.tiles.empty() || !here.values.empty())
      found.push_back(std::move(here));
  });
  if (request.operation < 0) {
    for (auto [number, entry] : llvm::enumerate(found)) {
      llvm::outs() << "#" << number << " " << entry.op->getName();
      if (std::string where = place(entry.op); !where.empty())
        llvm::outs() << " at " << where;
      llvm::outs() << "\n";
      for (const Tile &tile : entry.tiles)
        llvm::outs() << "    " << tile.role << ": " << summary(tile.type) << "\n";
      for (const CuteValue &value : entry.values)
        llvm::outs() << "    " << value.role << ": " << summaryOf(value.type) << "\n";
    }
    if (found.empty())
      llvm::errs() << "tileiras-layout: no operation of this module has a layout\n";
    return !found.empty();
  }
  if (size_t(request.operation) >= found.size()) {
    llvm::errs() << "tileiras-layout: --op " << request.operation << ": the module has " << found.size()
                 << " operations with layouts\n";
    return false;
  }
  const Found &chosen = found[size_t(request.operation)];
  if (!chosen.tiles.empty())
    return fill(chosen.op, chosen.tiles, request.view, picture);
  for (const CuteValue &value : chosen.values) {
    std::optional<std::vector<cute::Panel>> panels = panelsOf(value, request.view, error);
    if (panels)
      picture.panels.insert(picture.panels.end(), panels->begin(), panels->end());
    else
      picture.notes.push_back(value.role + ": " + error);
  }
  if (picture.panels.empty()) {
    chosen.op->emitError() << error;
    return false;
  }
  picture.title =
      chosen.op->getName().getStringRef().str() + (place(chosen.op).empty() ? "" : " at " + place(chosen.op));
  return true;
}
