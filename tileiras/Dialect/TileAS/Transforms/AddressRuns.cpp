//===- AddressRuns.cpp - Neighbours that share an address -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AddressRuns.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::AxisInfo;
using nv_tileaa::MemoryAccessOpInterface;

namespace {

/// Neighbours that one instruction moves, along the dimension that they lie side by side in.
struct Run {
  int64_t length;
  int32_t dimension;
};

using Runs = DenseMap<Operation *, Run>;

/// What all accesses have in common whose addresses or masks `tile` becomes, element by element; nothing if an element
/// is used for anything else.
std::optional<Run> commonRun(Value tile, const Runs &accesses) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  std::optional<Run> common;
  llvm::SmallSetVector<Value, 8> names;
  names.insert(tile);
  for (unsigned i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto access = dyn_cast<MemoryAccessOpInterface>(user)) {
        auto found = accesses.find(user);
        if (found == accesses.end() || (use.get() != access.getAddress() && use.get() != access.getAccessMask()) ||
            use.get() == access.getStored() || (common && common->dimension != found->second.dimension))
          return std::nullopt;
        common = {std::min(common ? common->length : found->second.length, found->second.length),
                  found->second.dimension};
        continue;
      }
      if (SmallVector<Value, 2> destinations = nv_tileaa::getDestinations(use); !destinations.empty()) {
        names.insert_range(destinations);
        continue;
      }
      auto result = user->getNumResults() == 1 ? dyn_cast<RankedTensorType>(user->getResult(0).getType()) : nullptr;
      if (!result || !isElementwise(user) || result.getShape() != shape)
        return std::nullopt;
      names.insert(user->getResult(0));
    }
  return common;
}

} // namespace

DenseMap<Value, int64_t> nv_tileas::findAddressRuns(nv_tileaa::FuncOp func) {
  SmallVector<MemoryAccessOpInterface> throughPointers;
  func.walk([&](MemoryAccessOpInterface op) {
    if (isa<RankedTensorType>(op.getAddress().getType()))
      throughPointers.push_back(op);
  });
  DenseMap<Value, int64_t> found;
  if (throughPointers.empty())
    return found;
  nv_tileaa::AxisInfoAnalysisResult axis(func);
  Runs accesses;
  for (MemoryAccessOpInterface op : throughPointers)
    if (AccessWidth width = analyzeAccess(op, axis); width.vec > 1)
      accesses[op] = {width.vec, width.order.front()};
  if (accesses.empty())
    return found;
  auto visit = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!type || !isa<IntegerType, nv_tileaa::PtrType>(type.getElementType()))
      return;
    std::optional<Run> run = commonRun(v, accesses);
    const AxisInfo *info = run ? axis.get(v) : nullptr;
    if (!info || info->isUninitialized())
      return;
    // Equal numbers are one, and of those that count up the first is enough.
    int64_t alike = std::max(info->constancy[run->dimension], info->contiguity[run->dimension]);
    if (int64_t length = std::min(run->length, alike); length > 1)
      found[v] = length;
  };
  func.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), visit);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), visit);
  });
  return found;
}
