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
    // A swizzle of single elements, in other rows.
    bool moved = false;
    for (int other = bit + 1; other < memory.inBits(tileiras::kOffset); ++other)
      moved |= (memory.basis(tileiras::kOffset, other)[contiguous] & (1 << bit)) != 0;
    if (moved)
      break;
    bool inRegisters = false;
    for (int r = 0; r < copies.inBits(tileiras::kRegister); ++r)
      inRegisters |= copies.basis(tileiras::kRegister, r) == next;
    if (!inRegisters)
      break;
  }
  return run * bytes;
}

/// Who copies which run, so that the threads whose copies of so many bytes are one access of all 32 banks meet in none
/// of them: lanes of a warp change places. Its runs stay the same, and so do the sectors that it reads. Tiles whose
/// rows lie apart (halves of a factor, for products of 64 rows) are written by neighbours along the next row.
static LinearLayout withoutConflicts(const LinearLayout &copies, const LinearLayout &memory, int64_t run,
                                     int64_t elementBytes) {
  constexpr int64_t bankBytes = 128;
  std::optional<LinearLayout> places = copies.invertAndCompose(memory);
  int lanes = copies.inBits(tileiras::kLane);
  int64_t together = llvm::Log2_64(bankBytes / run);
  if (!places || together >= lanes)
    return copies;
  SmallVector<int64_t> seen; // banks of lanes that have been taken, each with a highest bit of its own
  SmallVector<int> first, later;
  for (int lane = 0; lane < lanes; ++lane) {
    int64_t banks = places->basis(tileiras::kLane, lane, tileiras::kOffset) * elementBytes % bankBytes / run;
    for (int64_t other : seen)
      banks = std::min(banks, banks ^ other);
    bool isNew = banks != 0 && int64_t(first.size()) < together;
    (isNew ? first : later).push_back(lane);
    if (isNew)
      seen.push_back(banks);
  }
  std::vector<LinearLayout::InDim> ins;
  for (tileiras::DimName in : copies.inNames()) {
    ins.push_back({in, {}});
    if (in == tileiras::kLane)
      for (int lane : llvm::concat<int>(first, later))
        ins.back().bases.push_back(copies.basis(in, lane));
    else
      for (int bit = 0; bit < copies.inBits(in); ++bit)
        ins.back().bases.push_back(copies.basis(in, bit));
  }
  return LinearLayout(std::move(ins), copies.shape());
}

Value LoadForOne::copyPastRegisters(OpBuilder &builder, const LinearLayout &memory, int64_t run, Operation *user,
                                    bool asyncProxy) {
  RankedTensorType tileType = load.getResult().getType();
  MLIRContext *context = builder.getContext();
  builder.setInsertionPoint(load);
  Location loc = load.getLoc();
  Value tile =
      AllocTensorOp::create(builder, loc, withLayout(tileType, getSharedLayoutAttr(context, memory)), IntegerAttr());
  LinearLayout loaded = getLinearLayout(tileType);
  LinearLayout layout = withoutConflicts(loaded, memory, run, getStorageBytes(tileType.getElementType()));
  auto copies = layout == loaded ? getLayout(tileType) : cast<LayoutAttrInterface>(getLayoutAttr(context, layout));
  auto copy =
      AsyncTiledLoadOp::create(builder, loc, load.getView(), load.getIndices(), tile, load.getToken(), load.getValid(),
                               SimtAsyncCopyAttr::get(context, run), copies, load.getInBoundsAttr(), UnitAttr());
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
