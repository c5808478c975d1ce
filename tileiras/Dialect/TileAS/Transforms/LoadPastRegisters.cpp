//===- LoadPastRegisters.cpp - Tiles from global to shared memory ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

std::optional<LoadForOne> LoadForOne::of(Value value) {
  LoadForOne found;
  for (;;) {
    Operation *def = value.getDefiningOp();
    if (!def || !value.hasOneUse())
      return std::nullopt;
    found.load = dyn_cast<TiledLoadOp>(def);
    if (found.load)
      return value == found.load.getResult() ? std::optional(std::move(found)) : std::nullopt;
    if (!isReshape(def))
      return std::nullopt;
    found.shapes.push_back(def);
    value = def->getOperand(0);
  }
}

bool LoadForOne::takesTurns(Value value) {
  std::optional<LoadForOne> found = of(value);
  return found && found->load->hasAttr(kTakesTurnsAttr);
}

bool LoadForOne::mayWaitUntil(Operation *op, bool anyPadding) {
  nv_tileaa::TiledViewType view = load.getView().getType();
  bool zero = anyPadding || !view.getPadding() || *view.getPadding() == nv_tileaa::PaddingValue::Zero;
  return zero && load.getMemSemantic() == nv_tileaa::MemSemantic::Weak && load->getBlock() == op->getBlock() &&
         llvm::all_of(load.getResultToken().getUsers(),
                      [&](Operation *user) { return user->getBlock() == op->getBlock() && op->isBeforeInBlock(user); });
}

bool LoadForOne::mayBeFetchedBy(Operation *op) {
  if (mayWaitUntil(op))
    return true;
  if (mayWaitUntil(op, /*anyPadding=*/true))
    remarks::missed(load, remarks::kMemory, "AsyncCopy")
        << remarks::because("its padding is not zero, which copies leave outside of the array: an operand goes through "
                            "registers");
  return false;
}

int64_t LoadForOne::runBytes(const LinearLayout &memory, int64_t most, int64_t bytes) {
  nv_tileaa::TiledViewType view = load.getView().getType();
  int contiguous = -1;
  for (int t = 0; t < int(view.getRank()); ++t)
    if (view.getSource().getStrides()[view.getDimMap()[t]] == 1)
      contiguous = t;
  LinearLayout copies = getLinearLayout(load.getResult().getType());
  int64_t run = 1;
  for (int bit = 0; contiguous >= 0 && run < most && bit < memory.inBits(tileiras::kOffset); ++bit, run *= 2) {
    std::vector<int32_t> next(memory.numOuts());
    next[contiguous] = 1 << bit;
    if (memory.basis(tileiras::kOffset, bit) != next)
      break;
    bool inRegisters = false;
    for (int r = 0; r < copies.inBits(tileiras::kRegister); ++r)
      inRegisters |= copies.basis(tileiras::kRegister, r) == next;
    if (!inRegisters)
      break;
  }
  return run * bytes;
}

Value LoadForOne::copyPastRegisters(OpBuilder &builder, const LinearLayout &memory, int64_t run, Operation *user,
                                    bool asyncProxy) {
  RankedTensorType tileType = load.getResult().getType();
  MLIRContext *context = builder.getContext();
  builder.setInsertionPoint(load);
  Location loc = load.getLoc();
  Value tile =
      AllocTensorOp::create(builder, loc, withLayout(tileType, getSharedLayoutAttr(context, memory)), IntegerAttr());
  auto copy = AsyncTiledLoadOp::create(builder, loc, load.getView(), load.getIndices(), tile, load.getToken(),
                                       load.getValid(), SimtAsyncCopyAttr::get(context, run), getLayout(tileType),
                                       load.getInBoundsAttr(), UnitAttr());
  if (IntegerAttr latency = load.getLatencyAttr())
    copy->setAttr("latency", latency);
  if (auto allowed = load.getAllowTmaAttr())
    copy->setAttr("allow_tma", allowed);
  if (load->hasAttr(kTakesTurnsAttr))
    copy->setAttr(kTakesTurnsAttr, builder.getUnitAttr());
  load.getResultToken().replaceAllUsesWith(copy.getResultToken());
  builder.setInsertionPoint(user);
  auto wait = AsyncWaitOp::create(builder, user->getLoc(), copy.getDone(), 0);
  if (asyncProxy)
    wait->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
  for (Operation *shape : llvm::reverse(shapes)) {
    auto result = cast<RankedTensorType>(shape->getResult(0).getType());
    LinearLayout layout = *inferResultLayout(shape, 0, getLinearLayout(cast<RankedTensorType>(tile.getType())));
    IRMapping map;
    map.map(shape->getOperand(0), tile);
    Operation *again = builder.clone(*shape, map);
    again->getResult(0).setType(withLayout(result, getSharedLayoutAttr(context, layout)));
    tile = again->getResult(0);
  }
  return tile;
}
