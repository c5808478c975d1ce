//===- SmallLoads.cpp - Small tiles are loaded where they are used --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SmallLoads.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/DirectedConversions.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

/// Accesses that are still less than a trip through shared memory.
static constexpr int kMostAccesses = 4;

/// Whether each thread has one element at most.
static bool isSmall(const LinearLayout &held) {
  int bits = 0;
  for (int bit = 0; bit < held.inBits(tileiras::kRegister); ++bit)
    bits += held.flatBases(tileiras::kRegister)[bit] != 0;
  return bits == 0;
}

static bool needsSharedMemory(const LinearLayout &from, const LinearLayout &to, Type element) {
  tileiras::ConvertOptions options;
  options.elementBits = int(getStorageBytes(element) * 8);
  options.allowSharedMemory = false;
  return !tileiras::planConvert(from, to, options);
}

/// The load that a tile comes from, under other shapes or with another sign, if nobody else has it on the way; null if
/// there is none.
static nv_tileaa::MemoryAccessOpInterface loadOf(Value tile) {
  for (Operation *def; (def = tile.getDefiningOp()) && tile.hasOneUse(); tile = def->getOperand(0)) {
    if (isa<TiledLoadOp, LoadOp>(def))
      return cast<nv_tileaa::MemoryAccessOpInterface>(def);
    if (!isReshape(def) && !(isElementwise(def) && def->getNumOperands() == 1))
      return {};
  }
  return {};
}

int64_t nv_tileas::loadSmallTilesAsUsed(nv_tileaa::FuncOp func) {
  SmallVector<ConvertLayoutOp> found;
  func.walk([&](ConvertLayoutOp convert) {
    nv_tileaa::MemoryAccessOpInterface access = loadOf(convert.getSource());
    if (!access || !access.isWeak() || convert->getBlock() != access->getBlock() ||
        !isIn(convert.getSource().getType(), MemoryKind::Registers) || !isIn(convert.getType(), MemoryKind::Registers))
      return;
    LinearLayout from = getLinearLayout(cast<RankedTensorType>(convert.getSource().getType())),
                 to = getLinearLayout(convert.getType());
    if (isSmall(from) && to.inSize(tileiras::kRegister) <= kMostAccesses &&
        needsSharedMemory(from, to, convert.getType().getElementType()))
      found.push_back(convert);
  });
  if (found.empty())
    return 0;
  for (ConvertLayoutOp convert : found) {
    remarks::passed(loadOf(convert.getSource()), remarks::kLayout, "SmallLoad")
        << remarks::because("those who use its elements load them, instead of a thread for each");
    convert->setAttr(kDirectionAttr, StringAttr::get(convert.getContext(), "backward"));
  }
  int64_t moved = 0;
  // The only failure is a direction that is none.
  (void)moveDirectedConversions(func, moved);
  return found.size();
}
