//===- LoadPastRegisters.cpp - Tiles from global to shared memory ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedFactors.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;
namespace remarks = tileiras::remarks;

std::optional<LoadForOne> LoadForOne::of(Value value) {
  std::optional<LoadForOne> found = ofAny(value);
  return found && found->load ? std::move(found) : std::nullopt;
}

std::optional<LoadForOne> LoadForOne::ofAny(Value value, bool mayBeShared) {
  LoadForOne found;
  for (;; mayBeShared = false) {
    Operation *def = value.getDefiningOp();
    if (!def || (!mayBeShared && !value.hasOneUse()))
      return std::nullopt;
    found.load = dyn_cast<TiledLoadOp>(def);
    found.gather = dyn_cast<LoadOp>(def);
    if (found.load || found.gather)
      return value == def->getResult(0) ? std::optional(std::move(found)) : std::nullopt;
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

/// Whether pointers and mask of a load are known in earlier rounds of its loop.
static bool isKnownAhead(LoadOp gather) {
  RingCandidate ring;
  ring.loop = dyn_cast<nv_tileaa::CountedLoop>(gather->getParentOp());
  StringRef why;
  llvm::SetVector<Value> tokens;
  return ring.loop && isa<RankedTensorType>(gather.getPtrs().getType()) &&
         (!gather.getOther() || isZeroTile(gather.getOther())) && succeeded(ring.addAddress(gather.getPtrs(), why)) &&
         (!gather.getMask() || succeeded(ring.addAddress(gather.getMask(), why))) &&
         succeeded(collectTokens(ring.loop, gather.getToken(), tokens));
}

bool LoadForOne::mayWaitUntil(Operation *op, bool anyPadding) {
  nv_tileaa::MemoryAccessOpInterface its = access();
  if (!its.isWeak() || its->getBlock() != op->getBlock() ||
      !llvm::all_of(its.getResultToken().getUsers(),
                    [&](Operation *user) { return user->getBlock() == op->getBlock() && op->isBeforeInBlock(user); }))
    return false;
  if (gather)
    return isKnownAhead(gather);
  nv_tileaa::TiledViewType view = load.getView().getType();
  return anyPadding || !view.getPadding() || *view.getPadding() == nv_tileaa::PaddingValue::Zero;
}

bool LoadForOne::mayBeFetchedBy(Operation *op) {
  if (mayWaitUntil(op))
    return true;
  if (load && mayWaitUntil(op, /*anyPadding=*/true))
    remarks::missed(load, remarks::kMemory, "AsyncCopy")
        << remarks::because("its padding is not zero, which copies leave outside of the array: an operand goes through "
                            "registers");
  return false;
}

int64_t LoadForOne::runBytes(const LinearLayout &memory, int64_t most, int64_t bytes) {
  LinearLayout copies = getLinearLayout(getType());
  int contiguous = -1;
  if (gather) {
    // Neighbouring registers are what one access moves.
    for (int t = 0; most > 1 && copies.inBits(tileiras::kRegister) && t < copies.numOuts(); ++t)
      if (copies.basis(tileiras::kRegister, 0)[t])
        contiguous = t;
  } else {
    nv_tileaa::TiledViewType view = load.getView().getType();
    for (int t = 0; t < int(view.getRank()); ++t)
      if (view.getSource().getStrides()[view.getDimMap()[t]] == 1)
        contiguous = t;
  }
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
  RankedTensorType tileType = getType();
  MLIRContext *context = builder.getContext();
  nv_tileaa::MemoryAccessOpInterface its = access();
  builder.setInsertionPoint(its);
  Location loc = its.getLoc();
  Value tile =
      AllocTensorOp::create(builder, loc, withLayout(tileType, getSharedLayoutAttr(context, memory)), IntegerAttr());
  auto atom = SimtAsyncCopyAttr::get(context, run);
  AsyncCopyOpInterface copy;
  if (gather) {
    // Whoever holds a pointer copies what it names.
    copy = AsyncLoadOp::create(builder, loc, gather.getPtrs(), tile, gather.getMask(), gather.getToken(), atom,
                               UnitAttr());
  } else {
    LinearLayout loaded = getLinearLayout(tileType);
    LinearLayout layout = withoutConflicts(loaded, memory, run, getStorageBytes(tileType.getElementType()));
    auto copies = layout == loaded ? getLayout(tileType) : cast<LayoutAttrInterface>(getLayoutAttr(context, layout));
    copy = AsyncTiledLoadOp::create(builder, loc, load.getView(), load.getIndices(), tile, load.getToken(),
                                    load.getValid(), atom, copies, load.getInBoundsAttr(), UnitAttr());
  }
  for (StringRef name : {StringRef("latency"), StringRef("allow_tma"), StringRef(kTakesTurnsAttr)})
    if (Attribute attribute = its->getAttr(name))
      copy->setAttr(name, attribute);
  its.getResultToken().replaceAllUsesWith(copy.getResultToken());
  builder.setInsertionPoint(user);
  auto wait = AsyncWaitOp::create(builder, user->getLoc(), copy.getDone(), 0);
  if (asyncProxy)
    wait->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
  return reshapeShared(builder, tile, llvm::to_vector(llvm::reverse(shapes)));
}
