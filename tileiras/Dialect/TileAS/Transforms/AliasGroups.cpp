//===- AliasGroups.cpp - Accesses whose tiles are one another's -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/AliasGroups.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/AccessRuns.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::MemoryAccessOpInterface;
using tileiras::LinearLayout;

static RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }
static bool isTile(Value v) { return isa<RankedTensorType>(v.getType()) && isIn(v.getType(), MemoryKind::Registers); }
static LinearLayout clean(const LinearLayout &layout) {
  return layout.removeRedundantBasesAlongDim(tileiras::kRegister);
}
static Value tileOf(const GroupedAccess &access) {
  MemoryAccessOpInterface op = access.op;
  return getMemoryTile(op);
}
static LinearLayout layoutOf(const GroupedAccess &access) {
  return clean(cast<LayoutAttrInterface>(access.layout).toLinearLayout(tensorOf(tileOf(access)).getShape()));
}

/// How many neighbours an access moves at once in a layout.
static int64_t widthIn(const GroupedAccess &access, const LinearLayout &layout) {
  if (access.width.order.empty())
    return 1;
  int64_t vec = llvm::bit_floor(uint64_t(std::max<int64_t>(1, access.width.vec)));
  while (vec > 1 && !hasRuns(layout, access.width.order.front(), vec))
    vec /= 2;
  return vec;
}

AliasGroups::AliasGroups(nv_tileaa::FuncOp func, SmallVectorImpl<GroupedAccess> &accesses)
    : func(func), accesses(accesses) {
  for (auto [i, access] : llvm::enumerate(accesses))
    tiles[tileOf(access)].push_back(i);
}

/// Only what is loaded, and what is computed from it, has a price to convert: indices and masks are computed again.
void AliasGroups::findComputed() {
  SmallVector<Value> work;
  auto add = [&](Value v) {
    if (isTile(v) && computed.insert(v).second)
      work.push_back(v);
  };
  for (GroupedAccess &access : accesses)
    if (Value loaded = access.op.getLoaded())
      add(loaded);
  func.walk([&](DotOp op) { add(op.getResult()); });
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      if (isa<MemoryAccessOpInterface>(use.getOwner()))
        continue;
      llvm::for_each(nv_tileaa::getDestinations(use), add);
      llvm::for_each(use.getOwner()->getResults(), add);
    }
}

/// Layouts of products' results come before all others (RemoveLayoutConversions.cpp).
void AliasGroups::findProducts() {
  SmallVector<Value> work;
  auto add = [&](Value v) {
    if (isTile(v) && computed.contains(v) && ofProduct.insert(v).second)
      work.push_back(v);
  };
  func.walk([&](DotOp op) {
    add(op.getResult());
    add(op.getC());
  });
  while (!work.empty()) {
    Value v = work.pop_back_val();
    LinearLayout layout = getLinearLayout(tensorOf(v));
    for (OpOperand &use : v.getUses()) {
      Operation *user = use.getOwner();
      if (isa<MemoryAccessOpInterface, DotOp>(user))
        continue;
      llvm::for_each(nv_tileaa::getDestinations(use), add);
      if (isa<ConvertLayoutOp>(user) || inferResultLayout(user, use.getOperandNumber(), layout))
        llvm::for_each(user->getResults(), add);
    }
    Operation *def = v.getDefiningOp();
    if (!def || nv_tileaa::passesThroughRegions(def)) {
      llvm::for_each(nv_tileaa::getTwins(v), add);
      for (OpOperand *source : nv_tileaa::getSources(v))
        add(source->get());
    } else if (!isa<MemoryAccessOpInterface, DotOp>(def)) {
      for (OpOperand &operand : def->getOpOperands())
        if (isTile(operand.get()) &&
            (isa<ConvertLayoutOp>(def) || inferOperandLayout(def, operand.getOperandNumber(), layout)))
          add(operand.get());
    }
  }
}

AliasGroups::Arrivals AliasGroups::spread(unsigned from, const LinearLayout &layout) const {
  Arrivals arrivals;
  llvm::DenseMap<Value, LinearLayout> reached;
  SmallVector<Value> work;
  Operation *agents = getAgentSwitch(accesses[from].op);
  Region *agent = agents ? accesses[from].op->getParentRegion() : nullptr;
  auto add = [&](Value v, const LinearLayout &arriving) {
    if (!isTile(v) || !computed.contains(v) || ofProduct.contains(v) || reached.contains(v))
      return;
    // Warps of an agent are its own.
    if (agents && (!agent || !agent->isAncestor(v.getParentRegion())))
      return;
    reached.try_emplace(v, arriving);
    work.push_back(v);
    if (auto found = tiles.find(v); found != tiles.end())
      for (unsigned access : found->second)
        arrivals.try_emplace(access, arriving);
  };
  add(tileOf(accesses[from]), layout);
  for (size_t next = 0; next < work.size(); ++next) {
    Value v = work[next];
    LinearLayout here = reached.find(v)->second;
    for (OpOperand &use : v.getUses()) {
      Operation *user = use.getOwner();
      if (isa<MemoryAccessOpInterface, DotOp, ReduceOp>(user))
        continue;
      if (nv_tileaa::passesThroughRegions(user)) {
        for (Value to : nv_tileaa::getDestinations(use))
          add(to, here);
      } else if (isa<ConvertLayoutOp>(user)) {
        add(user->getResult(0), here);
      } else if (std::optional<LinearLayout> result = inferResultLayout(user, use.getOperandNumber(), here)) {
        for (Value r : user->getResults())
          add(r, *result);
      }
    }
    Operation *def = v.getDefiningOp();
    if (!def || nv_tileaa::passesThroughRegions(def)) {
      for (Value twin : nv_tileaa::getTwins(v))
        add(twin, here);
      for (OpOperand *source : nv_tileaa::getSources(v))
        add(source->get(), here);
    } else if (isa<ConvertLayoutOp>(def)) {
      add(def->getOperand(0), here);
    } else if (!isa<MemoryAccessOpInterface, DotOp>(def)) {
      for (OpOperand &operand : def->getOpOperands())
        if (isTile(operand.get()))
          if (std::optional<LinearLayout> needed = inferOperandLayout(def, operand.getOperandNumber(), here))
            add(operand.get(), *needed);
    }
  }
  return arrivals;
}

/// What stays in the layout of its own: ordered accesses and atomics, which move one element, or as many as atomics
/// can; gathers and scatters, whose coordinates come along; and those whose addresses or masks are computed from what
/// is loaded.
bool AliasGroups::isFixed(const GroupedAccess &access) const {
  MemoryAccessOpInterface op = access.op;
  if (!isPlain(op) || op.getCoordinateAxis())
    return true;
  Value tile = getMemoryTile(op);
  return llvm::any_of(op->getOperands(), [&](Value v) { return v != tile && computed.contains(v); });
}

int64_t AliasGroups::weightOf(Operation *op) const {
  constexpr int64_t rounds = 8, most = 512;
  int64_t weight = 1;
  for (Operation *at = op->getParentOp(); at && at != func.getOperation(); at = at->getParentOp())
    if (isa<LoopLikeOpInterface>(at))
      weight = std::min(most, weight * rounds);
  return weight;
}

/// Issue slots of a warp, the lines of memory, 128 bytes, that its lanes touch, and sectors, 32 bytes, of which they do
/// not take all.
int64_t AliasGroups::costOf(const GroupedAccess &access, const LinearLayout &layout) const {
  RankedTensorType type = tensorOf(tileOf(access));
  int64_t bytes = getStorageBytes(type.getElementType()), vec = widthIn(access, layout);
  int dense = access.width.order.empty() ? int(type.getRank()) - 1 : access.width.order.front();
  // How many runs of so many bytes the lanes are in.
  auto runsOf = [&](int64_t length) {
    int shift = llvm::Log2_64(std::max<int64_t>(1, length / bytes));
    SmallVector<uint64_t> known;
    for (int bit = 0; bit < layout.inBits(tileiras::kLane); ++bit) {
      std::vector<int32_t> point = layout.basis(tileiras::kLane, bit);
      point[dense] = point[dense] >> shift << shift;
      uint64_t run = layout.flattenOut(point);
      for (uint64_t other : known)
        run = std::min(run, run ^ other);
      if (run)
        known.push_back(run);
    }
    return int64_t(1) << known.size();
  };
  int64_t taken = runsOf(vec * bytes) * vec * bytes;
  int64_t waste = std::max<int64_t>(0, runsOf(32) - llvm::divideCeil(taken, 32));
  return layout.inSize(tileiras::kRegister) / vec * (1 + runsOf(128) + waste);
}

/// Of an access that keeps its own layout, with the conversion from or to the one that arrives. What is the same in
/// every iteration is converted once (RemoveLayoutConversions.cpp).
int64_t AliasGroups::costApart(const GroupedAccess &access, const LinearLayout &arriving) const {
  constexpr int64_t meeting = 16; // two barriers
  constexpr int64_t impossible = 1 << 20;
  LinearLayout own = layoutOf(access);
  MemoryAccessOpInterface op = access.op;
  int64_t cost = costOf(access, own) * weightOf(op);
  if (own == arriving)
    return cost;
  Value tile = tileOf(access);
  Operation *def = tile.getDefiningOp();
  tileiras::ConvertOptions options;
  options.elementBits = int(getStorageBytes(tensorOf(tile).getElementType()) * 8);
  std::optional<tileiras::ConvertPlan> plan = def == op.getOperation() ? tileiras::planConvert(own, arriving, options)
                                                                       : tileiras::planConvert(arriving, own, options);
  if (!plan)
    return cost + impossible;
  while (def && isa<nv_tileaa::PermuteOp, ViewOp, nv_tileaa::ExpandDimsOp, ConvertLayoutOp>(def)) {
    tile = def->getOperand(0); // which goes along
    def = tile.getDefiningOp();
  }
  int64_t conversion = plan->cost + (plan->kind == tileiras::ConvertKind::SharedMemory ? meeting : 0);
  return cost + conversion * weightOf(def ? def : &tile.getParentBlock()->front());
}

/// Of an access in the layout that arrives; registers in which a thread holds more of the tile than in its own layout
/// cost as much as instructions.
int64_t AliasGroups::costTogether(const GroupedAccess &access, const LinearLayout &arriving) const {
  int64_t more = arriving.inSize(tileiras::kRegister) - layoutOf(access).inSize(tileiras::kRegister);
  return (costOf(access, arriving) + std::max<int64_t>(0, more)) * weightOf(access.op);
}

/// The layouts that the leading access could have: blocked, of every width that one of the group has, and those that
/// others would bring. Groups may have hundreds of accesses of few kinds: each kind brings its layout once.
SmallVector<Attribute> AliasGroups::candidatesOf(unsigned lead, const Arrivals &members) const {
  const GroupedAccess &first = accesses[lead];
  MLIRContext *context = func.getContext();
  ArrayRef<int64_t> shape = tensorOf(tileOf(first)).getShape();
  SmallVector<Attribute> candidates = {first.layout};
  auto add = [&](Attribute candidate) {
    if (!llvm::is_contained(candidates, candidate))
      candidates.push_back(candidate);
  };
  constexpr size_t most = 8;
  SmallVector<std::pair<Attribute, LinearLayout>> kinds;
  for (auto &[i, arriving] : members) {
    const GroupedAccess &other = accesses[i];
    auto isKind = [&, &arriving = arriving](auto &kind) {
      return kind.first == other.layout && kind.second == arriving;
    };
    if (layoutOf(other) == arriving || llvm::any_of(kinds, isKind))
      continue;
    if (kinds.size() == most)
      break;
    kinds.emplace_back(other.layout, arriving);
    add(getCoalescedLayout(context, shape, first.width.order, other.vec, getNumWarps(first.op)));
    Arrivals back = spread(i, layoutOf(other));
    if (auto found = back.find(lead); found != back.end())
      add(getLayoutAttr(context, found->second));
  }
  return candidates;
}

/// Whether an access moves words of memory in a layout, or as much at once as in its own: narrower ones take several
/// times as many requests, which slots do not say.
bool AliasGroups::suits(const GroupedAccess &access, const LinearLayout &layout) const {
  constexpr int64_t word = 4;
  int64_t bytes = getStorageBytes(tensorOf(tileOf(access)).getElementType());
  return widthIn(access, layout) * bytes >= std::min(word, widthIn(access, layoutOf(access)) * bytes);
}

/// Whether an access of a group takes the layout that arrives from the leading one, which takes it itself.
bool AliasGroups::joins(unsigned member, unsigned lead, const LinearLayout &arriving) const {
  const GroupedAccess &access = accesses[member];
  return member == lead ||
         (!isFixed(access) && suits(access, arriving) && costTogether(access, arriving) <= costApart(access, arriving));
}

bool AliasGroups::assignGroup(unsigned lead, const Arrivals &members) {
  auto arrivalsOf = [&](Attribute candidate) {
    GroupedAccess first = accesses[lead];
    first.layout = candidate;
    Arrivals arrivals = spread(lead, layoutOf(first));
    arrivals.remove_if([&](auto &arrival) { return !members.contains(arrival.first); });
    return arrivals;
  };
  int64_t apart = 0;
  for (auto &[i, arriving] : members)
    apart += costApart(accesses[i], arriving);
  int64_t best = apart;
  Arrivals chosen;
  Attribute layout;
  for (Attribute candidate : candidatesOf(lead, members)) {
    int64_t cost = 0;
    Arrivals arrivals = arrivalsOf(candidate);
    for (auto &[i, arriving] : arrivals)
      cost += joins(i, lead, arriving) ? costTogether(accesses[i], arriving) : costApart(accesses[i], arriving);
    if (cost < best && arrivals.size() == members.size() && suits(accesses[lead], arrivals.find(lead)->second)) {
      best = cost;
      chosen = std::move(arrivals);
      layout = candidate;
    }
  }
  report(lead, members.size(), apart, best, bool(layout));
  // First who joins, as that is a question to layouts that are about to change.
  SmallVector<unsigned> joining;
  for (auto &[i, arriving] : chosen)
    if (joins(i, lead, arriving))
      joining.push_back(i);
  for (unsigned i : joining) {
    LinearLayout arriving = chosen.find(i)->second;
    accesses[i].layout = i == lead ? layout : getLayoutAttr(func.getContext(), arriving);
    accesses[i].vec = widthIn(accesses[i], arriving);
  }
  return bool(layout);
}

void AliasGroups::report(unsigned lead, size_t members, int64_t apart, int64_t together, bool taken) const {
  namespace remarks = tileiras::remarks;
  if (!remarks::enabled(func.getContext()))
    return;
  Operation *op = accesses[lead].op;
  auto remark =
      taken ? remarks::passed(op, remarks::kLayout, "AliasGroup") : remarks::missed(op, remarks::kLayout, "AliasGroup");
  remark << remarks::figure("Accesses", int64_t(members)) << remarks::figure("Apart", apart)
         << remarks::figure("Together", together)
         << remarks::because(taken ? "one layout for all costs less than the conversions between theirs"
                                   : "the conversions between their layouts cost less than one layout for all");
}

int64_t AliasGroups::assign() {
  findComputed();
  findProducts();
  SmallVector<unsigned> leads = llvm::to_vector(llvm::seq<unsigned>(0, accesses.size()));
  llvm::stable_sort(leads, [&](unsigned a, unsigned b) {
    auto rank = [&](unsigned i) {
      RankedTensorType type = tensorOf(tileOf(accesses[i]));
      return std::make_pair(bool(accesses[i].op.writesMemory()),
                            -type.getNumElements() * getStorageBytes(type.getElementType()));
    };
    return rank(a) < rank(b);
  });
  int64_t groups = 0;
  llvm::DenseSet<unsigned> done;
  for (unsigned lead : leads) {
    if (isFixed(accesses[lead]) || !done.insert(lead).second)
      continue;
    Arrivals members = spread(lead, layoutOf(accesses[lead]));
    members.remove_if([&](auto &member) { return member.first != lead && !done.insert(member.first).second; });
    bool differ =
        llvm::any_of(members, [&](auto &member) { return layoutOf(accesses[member.first]) != member.second; });
    if (differ && assignGroup(lead, members))
      ++groups;
  }
  return groups;
}
