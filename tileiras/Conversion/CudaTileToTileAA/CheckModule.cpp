//===- CheckModule.cpp - What no kernel can be made of --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Modules that verify and still cannot become PTX: found here, where operations have their names and places, and not by
// the code generator or ptxas, which know neither.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;

/// PTX ISA "Identifiers": a letter and then letters, digits, _ and $; or one of _ $ % and then at least one of those.
static bool isPtxName(StringRef name) {
  auto follows = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  if (name.empty() || !llvm::all_of(name.drop_front(), follows))
    return false;
  return llvm::isAlpha(name.front()) || (name.size() > 1 && (name.front() == '_' || name.front() == '$'));
}

static LogicalResult checkName(Operation *op, StringRef name) {
  if (isPtxName(name))
    return success();
  return op->emitOpError("'") << name
                              << "' cannot be the name of a PTX symbol: letters, digits, _ and $, no digit first";
}

static LogicalResult checkEntry(ct::EntryOp entry) {
  if (failed(checkName(entry, entry.getSymName())))
    return failure();
  // PTX ISA "Kernel Function Parameter Attributes": 32,764 bytes from PTX 8.1 on.
  constexpr uint64_t mostBytes = 32764;
  uint64_t bytes = 0;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tile = dyn_cast<ct::TileType>(type);
    if (!tile || tile.getRank() != 0)
      return entry.emitOpError("argument ") << i << " is a " << type << "; a launch passes tiles of rank 0 only";
    Type element = tile.getElementType();
    unsigned bits = isa<ct::PointerType>(element) ? 64
                    : isa<FloatTF32Type>(element) ? 32
                                                  : element.getIntOrFloatBitWidth();
    uint64_t size = std::max(1u, bits / 8);
    bytes = llvm::alignTo(bytes, size) + size;
  }
  if (bytes > mostBytes)
    return entry.emitOpError("arguments take ") << bytes << " bytes; a launch passes at most " << mostBytes;
  return success();
}

static LogicalResult checkGlobal(ct::GlobalOp global) {
  constexpr uint64_t mostAligned = uint64_t(1) << 31; // a 32-bit number in PTX
  if (global.getAlignment() > mostAligned)
    return global.emitOpError("alignment of ")
           << global.getAlignment() << " bytes is more than the supported " << mostAligned;
  // Private ones are renamed where they must be.
  return global.getSymbolVisibility() == ct::SymbolVisibility::Private ? success()
                                                                       : checkName(global, global.getSymName());
}

LogicalResult cudatile_to_tileaa::checkModule(ct::ModuleOp module) {
  for (Operation &op : module.getBodyRegion().front()) {
    auto entry = dyn_cast<ct::EntryOp>(op);
    auto global = dyn_cast<ct::GlobalOp>(op);
    if ((entry && failed(checkEntry(entry))) || (global && failed(checkGlobal(global))))
      return failure();
  }
  return success();
}
