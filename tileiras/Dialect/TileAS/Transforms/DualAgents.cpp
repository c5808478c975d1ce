//===- DualAgents.cpp - One computing agent as two ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/DualAgents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/AgentSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Dialect/TileAS/Transforms/SharedPlan.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::Branch;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;

namespace {

constexpr int32_t kWarps = 4;        ///< of each agent
constexpr int kTopBit = 2;           ///< of the eight warps: which agent
constexpr int32_t kMeetBarrier = 15; ///< the highest there is; agents get the low ones

/// A bit of a tile's coordinates: dimension, and a power of two below its extent.
struct Bit {
  unsigned dim;
  int32_t value;
  bool operator==(const Bit &other) const { return dim == other.dim && value == other.value; }
};

Bit *isOnly(const std::vector<int32_t> &basis, std::optional<Bit> &bit) {
  bit.reset();
  for (auto [dim, value] : llvm::enumerate(basis)) {
    if (!value)
      continue;
    if (bit || !llvm::isPowerOf2_32(value))
      return bit.reset(), nullptr;
    bit = Bit{unsigned(dim), value};
  }
  return bit ? &*bit : nullptr;
}

/// The bit that says which half of the warps has an element; nothing if there is none, or none but with others.
std::optional<Bit> dividedBy(RankedTensorType type) {
  LinearLayout layout = getLinearLayout(type);
  std::optional<Bit> bit;
  if (layout.inBits(tileiras::kWarp) != kTopBit + 1 || !isOnly(layout.basis(tileiras::kWarp, kTopBit), bit))
    return std::nullopt;
  for (tileiras::DimName name : layout.inNames())
    for (int i = 0; i < layout.inBits(name); ++i)
      if (!(name == tileiras::kWarp && i == kTopBit) && (layout.basis(name, i)[bit->dim] & bit->value))
        return std::nullopt;
  return bit;
}

RankedTensorType tileType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isIn(type, MemoryKind::Registers) ? type : RankedTensorType();
}

/// The same elements' bit in another shape of the tile.
Bit reshaped(Bit bit, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  int64_t flat = bit.value;
  for (int64_t extent : from.drop_front(bit.dim + 1))
    flat *= extent;
  for (unsigned dim = to.size(); dim-- > 0;) {
    if (flat < to[dim])
      return {dim, int32_t(flat)};
    flat /= to[dim];
  }
  return {0, 0};
}

/// Gives tiles another layout, in which half the warps have half the tile by a given bit, and all tiles that are
/// computed from them, or they from, likewise.
class Turning {
public:
  /// Plans it; false if something stands in the way. `apply` does it.
  bool plan(Value value, Bit bit) {
    if (!add(value, bit))
      return false;
    for (size_t i = 0; i < bits.size(); ++i) {
      auto [at, itsBit] = bits.begin()[i];
      if (!at.getDefiningOp() || !follow(at.getDefiningOp(), at, itsBit))
        return false;
      for (Operation *user : at.getUsers())
        if (!follow(user, at, itsBit))
          return false;
    }
    return true;
  }

  void apply() {
    for (auto [value, type] : types)
      value.setType(type);
  }

private:
  bool add(Value value, Bit bit) {
    RankedTensorType type = tileType(value);
    if (!type)
      return true;
    auto [known, isNew] = bits.insert({value, bit});
    if (!isNew)
      return known->second == bit;
    std::optional<LinearLayout> turned = turn(getLinearLayout(type), bit);
    if (!turned)
      return false;
    types.push_back({value, withLayout(type, getLayoutAttr(type.getContext(), *turned))});
    return true;
  }

  /// The top bit of the warps, and the one that stands for `bit`, in each other's place.
  static std::optional<LinearLayout> turn(const LinearLayout &layout, Bit bit) {
    if (layout.inBits(tileiras::kWarp) != kTopBit + 1)
      return std::nullopt;
    std::vector<LinearLayout::InDim> dims;
    std::vector<int32_t> *place = nullptr, *top = nullptr;
    for (tileiras::DimName name : layout.inNames()) {
      LinearLayout::InDim &dim = dims.emplace_back(LinearLayout::InDim{name, {}});
      for (int i = 0; i < layout.inBits(name); ++i)
        dim.bases.push_back(layout.basis(name, i));
    }
    for (LinearLayout::InDim &dim : dims)
      for (auto [i, basis] : llvm::enumerate(dim.bases)) {
        std::optional<Bit> its;
        if (dim.name == tileiras::kWarp && i == kTopBit)
          top = &basis;
        if (isOnly(basis, its) && *its == bit && (dim.name == tileiras::kRegister || dim.name == tileiras::kWarp))
          place = &basis;
      }
    if (!place)
      return std::nullopt;
    std::swap(*place, *top);
    return LinearLayout(dims, layout.shape());
  }

  /// What an operation asks of its other tiles when that of `value` is divided by `bit`.
  bool follow(Operation *op, Value value, Bit bit) {
    auto all = [&](bool reshape) {
      ArrayRef<int64_t> from = cast<RankedTensorType>(value.getType()).getShape();
      for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
        for (Value other : values) {
          RankedTensorType type = tileType(other);
          if (!type)
            continue;
          Bit its = reshape ? reshaped(bit, from, type.getShape()) : bit;
          // Below the extent of a block it is the same bit in what the block is cut from, or others are put to.
          bool isBlock = isa<nv_tileaa::CatOp, ExtractSliceOp>(op) && bit.value < type.getShape()[bit.dim];
          if (!reshape && !isBlock && type.getShape()[bit.dim] != from[bit.dim])
            return false;
          if (!add(other, its))
            return false;
        }
      return true;
    };
    if (isElementwise(op) || isa<nv_tileaa::CatOp, ExtractSliceOp>(op))
      return all(false);
    if (isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::ExpandDimsOp>(op))
      return all(true);
    if (auto copy = dyn_cast<CopyOp>(op))
      return copy.getResult() ? all(false) : true;
    if (auto convert = dyn_cast<ConvertLayoutOp>(op))
      return isIn(convert.getSource().getType(), MemoryKind::Shared);
    return isa<TiledLoadOp, TiledStoreOp, nv_tileaa::SplatOp>(op);
  }

  llvm::MapVector<Value, Bit> bits;
  SmallVector<std::pair<Value, RankedTensorType>> types;
};

class Division {
public:
  explicit Division(AgentSwitchOp &agents) : agents(agents), agent(&agents->getRegion(0)) {}

  StringRef run() {
    if (agents.getNumWarps()->front() != 2 * kWarps)
      return "two agents that compute have four warps each";
    if (StringRef why = checkOperations(); !why.empty())
      return why;
    SmallVector<AllocTensorOp> tiles;
    agent->walk([&](AllocTensorOp tile) { tiles.push_back(tile); });
    for (AllocTensorOp tile : tiles)
      turnToHalves(tile);
    meetBehindLoops();
    for (AllocTensorOp tile : tiles) {
      bool halves = isExchangedInHalves(tile);
      Operation *written = halves ? nullptr : writtenForBoth(tile);
      if (!halves && !written)
        return "warps of one agent would need what those of another one have";
      if (written)
        meet(written->getNextNode());
      if (written || llvm::any_of(tile->getUsers(), [](Operation *user) { return isa<DotOp>(user); }))
        tile->moveBefore(agents);
    }
    build();
    return {};
  }

private:
  /// Each operation is done by every warp for itself, as far as no shared tile is concerned.
  StringRef checkOperations() {
    StringRef why;
    bool products = false;
    agent->walk([&](Operation *op) {
      if (auto dot = dyn_cast<DotOp>(op)) {
        products = true;
        if (dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier)
          why = "products in tensor memory are issued by one thread";
        return;
      }
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        if (!reduce.getScratch().empty())
          why = "a reduction is across warps";
        return;
      }
      if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op)) {
        if (access.getToken() || access.isAtomic() || access.getMemSemantic() != nv_tileaa::MemSemantic::Weak)
          why = "accesses to memory are ordered, which is a matter of all warps";
        return;
      }
      auto copy = dyn_cast<CopyOp>(op);
      auto read = op->getParentOfType<ConsumerReadOp>();
      if (copy && copy.getDest() && read && isOfStage(copy.getDest(), &read.getBody().front())) {
        why = "a factor is written to its place in a stage, which both agents would read and write";
        return;
      }
      if (isa<CountedLoop, Branch, ConsumerWaitOp, ConsumerReadOp, ConsumerReleaseOp, PipelineYieldOp, AllocTensorOp,
              CopyOp, ConvertLayoutOp, CreateIteratorOp, IncIterOp>(op))
        return;
      // Each agent stores its half of a tile, and looks for the tensor map itself.
      if (isa<MakeTiledTmaDescOp, AsyncTiledTmaStoreOp>(op))
        return;
      if (auto wait = dyn_cast<AsyncWaitOp>(op);
          wait && (op->getBlock() == &agent->front() || llvm::all_of(wait.getTokens(), isStore)))
        return;
      if (isMemoryEffectFree(op) && op->getNumRegions() == 0 && !isa<ScanOp>(op))
        return;
      why = "an operation is done by all warps together";
    });
    return !why.empty() ? why : products ? "" : "there is no matrix product for two agents";
  }

  //===--------------------------------------------------------------------===//
  // Tiles that go through shared memory
  //===--------------------------------------------------------------------===//

  /// Where a product reads its left operand: the rows of the sums.
  static std::optional<Bit> rowsOf(DotOp dot) {
    std::optional<Bit> bit = dividedBy(dot.getType());
    return bit && bit->dim == 0 ? bit : std::nullopt;
  }

  /// Where a tile that both agents read whole has been written, by each of them a part: once, outside of loops. Null if
  /// that cannot be said.
  Operation *writtenForBoth(AllocTensorOp tile) {
    Block *body = &agent->front();
    Operation *written = nullptr;
    SmallVector<Operation *> users = usersOfSharedTile(tile);
    for (Operation *user : users) {
      bool copies = isa<AsyncCopyOpInterface>(user) || (isa<CopyOp>(user) && !user->getNumResults());
      if (!copies)
        continue;
      if (written || user->getBlock() != body)
        return nullptr;
      written = user;
    }
    if (!written)
      return nullptr;
    if (auto load = dyn_cast<AsyncCopyOpInterface>(written)) {
      auto waits = body->getOps<AsyncWaitOp>();
      auto wait =
          llvm::find_if(waits, [&](AsyncWaitOp wait) { return llvm::is_contained(wait.getTokens(), load.getDone()); });
      if (wait == waits.end())
        return nullptr;
      written = *wait;
    }
    bool all = llvm::all_of(users, [&](Operation *user) {
      Operation *at = body->findAncestorOpInBlock(*user);
      return at && (at == written || isMemoryEffectFree(user) || isa<AsyncCopyOpInterface>(user) ||
                    written->isBeforeInBlock(at));
    });
    return all ? written : nullptr;
  }

  /// Turns what is written to a tile, or read from it, where half the warps would hand elements to the other half.
  static void turnToHalves(AllocTensorOp tile) {
    std::optional<Bit> wanted;
    for (Operation *user : tile->getUsers()) {
      if (auto dot = dyn_cast<DotOp>(user))
        wanted = rowsOf(dot);
      else if (auto copy = dyn_cast<CopyOp>(user); copy && !wanted)
        wanted = dividedBy(cast<RankedTensorType>(copy.getSource().getType()));
    }
    if (!wanted)
      return;
    for (Operation *user : tile->getUsers()) {
      Value held;
      if (auto copy = dyn_cast<CopyOp>(user))
        held = copy.getSource();
      else if (auto convert = dyn_cast<ConvertLayoutOp>(user))
        held = convert.getResult();
      if (!held || dividedBy(cast<RankedTensorType>(held.getType())) == wanted)
        continue;
      Turning turning;
      if (turning.plan(held, *wanted))
        turning.apply();
    }
  }

  static bool isStore(Value token) { return isa_and_nonnull<AsyncTiledTmaStoreOp>(token.getDefiningOp()); }

  /// Which half of the warps writes what a tensor store copies, if each box is of one half.
  static std::optional<Bit> halvesOf(AsyncTiledTmaStoreOp store) {
    for (Operation *user : store.getSrc().getUsers())
      if (auto copy = dyn_cast<CopyOp>(user); copy && copy.getDest() == store.getSrc()) {
        std::optional<Bit> bit = dividedBy(cast<RankedTensorType>(copy.getSource().getType()));
        std::optional<TmaAtom> atom = getTmaAtom(store.getAtom());
        return bit && atom->box[bit->dim] <= bit->value ? bit : std::nullopt;
      }
    return std::nullopt;
  }

  static bool isExchangedInHalves(AllocTensorOp tile) {
    std::optional<Bit> common;
    return llvm::all_of(tile->getUsers(), [&](Operation *user) {
      std::optional<Bit> its;
      if (auto dot = dyn_cast<DotOp>(user))
        its = dot.getA() == tile.getResult() ? rowsOf(dot) : std::nullopt;
      else if (auto copy = dyn_cast<CopyOp>(user); copy && copy.getDest() == tile.getResult())
        its = dividedBy(cast<RankedTensorType>(copy.getSource().getType()));
      else if (auto convert = dyn_cast<ConvertLayoutOp>(user))
        its = dividedBy(cast<RankedTensorType>(convert.getResult().getType()));
      else if (auto store = dyn_cast<AsyncTiledTmaStoreOp>(user))
        its = halvesOf(store);
      bool agrees = its && (!common || *common == *its);
      common = its;
      return agrees;
    });
  }

  //===--------------------------------------------------------------------===//
  // The two
  //===--------------------------------------------------------------------===//

  /// What is allocated behind the loops may have the bytes of the rings, when nobody reads these any more.
  void meetBehindLoops() {
    Operation *last = nullptr, *next = nullptr;
    for (Operation &op : agent->front()) {
      if (op.walk([](ConsumerReleaseOp) { return WalkResult::interrupt(); }).wasInterrupted())
        last = &op, next = nullptr;
      else if (last && !next && op.walk([](AllocTensorOp) { return WalkResult::interrupt(); }).wasInterrupted())
        next = &op;
    }
    if (next)
      meet(next)->setAttr(kDrainedAttr, UnitAttr::get(agents.getContext()));
  }

  /// Both agents wait for each other before `next`.
  static Operation *meet(Operation *next) {
    OpBuilder builder(next);
    auto number = [&](int32_t value) -> Value {
      return arith::ConstantOp::create(builder, next->getLoc(), builder.getI32IntegerAttr(value));
    };
    return NVVM::BarrierOp::create(builder, next->getLoc(), TypeRange(), number(kMeetBarrier), number(2 * kWarps * 32),
                                   NVVM::BarrierReductionAttr(), Value());
  }

  void build() {
    IRMapping map;
    agents = makeTwoOfFirst(agents, map);
    OpBuilder builder(agents);
    for (unsigned number : {0u, 1u})
      agents->getRegion(number).walk([&](AsyncTiledTmaStoreOp store) {
        Bit bit = *halvesOf(store);
        store->setAttr(kTeamPartAttr,
                       builder.getDenseI32ArrayAttr({int32_t(bit.dim), bit.value, number ? bit.value : 0}));
      });
    SmallVector<int32_t> warps(*agents.getNumWarps()), team(warps.size());
    warps[0] = warps[1] = team[1] = kWarps;
    agents.setNumWarps(warps);
    agents->setAttr(kTeamAttr, builder.getDenseI32ArrayAttr(team));
  }

  AgentSwitchOp &agents;
  Region *agent;
};

} // namespace

StringRef nv_tileas::divideComputing(AgentSwitchOp &agents) { return Division(agents).run(); }
