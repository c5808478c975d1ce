//===- PrefetchLoads.cpp - tileas-prefetch-loads --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a loop loads into registers is loaded an iteration ahead (docs/pipelines.md, "Loads ahead in registers").
//
//     for i { x = load i; use x }   ->   x = load lb, if there is a round
//                                        for i iter_args(x) { next = load i + 1, if there is a next round; use x; yield
//                                        next }
//
// That is for loops whose tiles no ring in shared memory can take: their operands come through registers because they
// are converted, not aligned, masked, or for multiply-adds; or they feed no product; or the ring has no room, and then
// copies past the registers become loads that are written to the shared tile where the copies were waited for.
//
// Where the products of a loop go on into the next iteration by themselves (wgmma), loads are under way with them
// anyway.
//
// A load may take part if its address can be computed ahead (LoadsAhead.h) and no token orders it after something that
// the loop writes. The tile lives for a whole iteration more, so a budget of registers decides how many loads do.
// Elements of less than 32 bits go round the loop in words, as registers have no halves that last.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/PrefetchLoads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_PREFETCHLOADSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;
using tileiras::LinearLayout;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// Operations that the address of a load may take to compute: they are there once more, before the loop.
constexpr size_t kMostOperations = 48;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The steps between a tile and a tile of 32-bit words, each of which holds neighbours that are in one thread.
class Packing {
public:
  explicit Packing(RankedTensorType tile) : tile(tile) {
    Type element = tile.getElementType();
    int64_t bytes = getStorageBytes(element);
    if (element.isInteger(1) || !element.isIntOrFloat() || bytes > 2 || getMemoryBits(element) != 8 * bytes)
      return;
    LinearLayout layout = getLinearLayout(tile);
    for (int d = 0; d < layout.numOuts() && dim < 0; ++d)
      if (llvm::all_of(ArrayRef<int>{1, 2}, [&](int step) { return step * bytes > 2 || hasStep(layout, d, step); }))
        dim = d;
    if (dim < 0)
      return;
    perWord = 4 / bytes;
    order.reserve(tile.getRank());
    for (int32_t d = 0; d < tile.getRank(); ++d)
      if (d != dim)
        order.push_back(d);
    order.push_back(dim);
  }

  Value pack(OpBuilder &b, Location loc, Value value) const {
    if (dim < 0)
      return value;
    Value flat = view(b, loc, permute(b, loc, value, order), tile.getNumElements());
    return reinterpret(b, loc, flat, tile.getNumElements() / perWord, b.getI32Type());
  }

  Value unpack(OpBuilder &b, Location loc, Value words) const {
    if (dim < 0)
      return words;
    Value flat = reinterpret(b, loc, words, tile.getNumElements(), tile.getElementType());
    SmallVector<int64_t> shape;
    SmallVector<int32_t> back(order.size());
    for (auto [i, d] : llvm::enumerate(order)) {
      shape.push_back(tile.getDimSize(d));
      back[d] = i;
    }
    Value value = permute(b, loc, view(b, loc, flat, shape), back);
    if (value.getType() == tile)
      return value;
    auto renamed = AtomPlanAttr::get(b.getContext(), /*tag=*/0, getStorageBytes(tile.getElementType()));
    return CopyOp::create(b, loc, tile, value, Value(), renamed, UnitAttr()).getResult();
  }

private:
  static bool hasStep(const LinearLayout &layout, int dim, int step) {
    std::vector<int32_t> wanted(layout.numOuts());
    wanted[dim] = step;
    for (int bit = 0; bit < layout.inBits(tileiras::kRegister); ++bit)
      if (layout.basis(tileiras::kRegister, bit) == wanted)
        return true;
    return false;
  }

  /// An operation that moves no data, with the layout that its result has for free.
  static Value inferred(OpBuilder &b, Operation *op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    LinearLayout source = getLinearLayout(cast<RankedTensorType>(op->getOperand(0).getType()));
    op->getResult(0).setType(withLayout(type, getLayoutAttr(b.getContext(), *inferResultLayout(op, 0, source))));
    return op->getResult(0);
  }
  static Value view(OpBuilder &b, Location loc, Value v, ArrayRef<int64_t> shape) {
    auto type = cast<RankedTensorType>(v.getType());
    return type.getShape() == shape
               ? v
               : inferred(b, ViewOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), v));
  }
  static Value permute(OpBuilder &b, Location loc, Value v, ArrayRef<int32_t> order) {
    if (llvm::is_sorted(order))
      return v;
    auto type = cast<RankedTensorType>(v.getType());
    SmallVector<int64_t> shape;
    for (int32_t d : order)
      shape.push_back(type.getDimSize(d));
    return inferred(b, aa::PermuteOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), v, order));
  }
  static Value reinterpret(OpBuilder &b, Location loc, Value v, int64_t elements, Type element) {
    return inferred(b, ReinterpretOp::create(b, loc, RankedTensorType::get({elements}, element), v));
  }

  RankedTensorType tile;
  int dim = -1; ///< along which neighbours share a word; less than zero: none do
  int64_t perWord = 1;
  SmallVector<int32_t> order; ///< of dimensions, `dim` last
};

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// A load that is made ahead.
struct Ahead {
  Operation *load;
  Type type;        ///< of what is loaded
  AsyncWaitOp wait; ///< of a copy past the registers

  /// Whether others come after it by its token: a store has to wait for all threads to have loaded.
  bool isFollowed() const { return !cast<aa::MemoryAccessOpInterface>(load).getResultToken().use_empty(); }

  Value pack(OpBuilder &b, Value value) const {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? Packing(tile).pack(b, load->getLoc(), value) : value;
  }
  Value unpack(OpBuilder &b, Value value) const {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? Packing(tile).unpack(b, load->getLoc(), value) : value;
  }
};

/// What `op` loads into registers, or could; none if it is no such load.
std::optional<Ahead> asLoad(CountedLoop loop, Operation &op) {
  auto access = dyn_cast<aa::MemoryAccessOpInterface>(op);
  if (!access || access.getMemSemantic() != aa::MemSemantic::Weak || access.isAtomic())
    return std::nullopt;
  if (Value loaded = access.getLoaded(); loaded && !loaded.use_empty())
    return Ahead{&op, loaded.getType(), AsyncWaitOp()};
  auto copy = dyn_cast<AsyncTiledLoadOp>(op);
  if (!copy || !isa<SimtAsyncCopyAttr>(copy.getAtom()) || !copy.getDone().hasOneUse())
    return std::nullopt;
  auto wait = dyn_cast<AsyncWaitOp>(*copy.getDone().user_begin());
  if (!wait || wait->getBlock() != loop.getBody())
    return std::nullopt;
  return Ahead{&op, withLayout(cast<RankedTensorType>(copy.getDest().getType()), copy.getCopies()), wait};
}

/// Registers of a thread that a load takes for an iteration: those of what it brings, and for each access an address
/// and whether it is inside, which ptxas has alive beside them; not less than twice the former. (Measured: with less, a
/// few modules of the corpus and products of unaligned arrays spilled.)
int64_t costOf(const Ahead &ahead) {
  int64_t words = wordsOf(ahead.type), accesses = 1;
  if (auto tile = dyn_cast<RankedTensorType>(ahead.type)) {
    int64_t width = 1;
    if (auto copy = dyn_cast<AsyncTiledLoadOp>(ahead.load))
      width = cast<SimtAsyncCopyAttr>(copy.getAtom()).getBytes() / getStorageBytes(tile.getElementType());
    else if (auto vec = ahead.load->getAttrOfType<IntegerAttr>("vec"))
      width = vec.getInt();
    accesses = (int64_t(1) << getLinearLayout(tile).inBits(tileiras::kRegister)) / std::max<int64_t>(width, 1);
  }
  return std::max(2 * words, words + 2 * accesses);
}

/// Whether the products of a loop go on into its next round, so that its loads are made meanwhile as they stand: their
/// unit works by itself, and the loop only adds up (tileas-overlap-products).
bool overlapsProducts(CountedLoop loop) {
  bool all = true, any = false;
  loop->walk([&](DotOp dot) {
    auto carried = dyn_cast<BlockArgument>(dot.getC());
    any = true;
    all &= dot->getParentOp() == loop && goesOn(dot) && isIn(dot.getA().getType(), MemoryKind::Shared) && carried &&
           carried.getOwner() == loop.getBody() && carried.hasOneUse() && dot.getResult().hasOneUse() &&
           loop.getTiedLoopYieldedValue(carried)->get() == dot.getResult();
  });
  return any && all;
}

/// Another load of the same elements into registers: they, and the token.
std::pair<Value, Value> loadAgain(OpBuilder &b, const Ahead &ahead, IRMapping &map) {
  auto copy = dyn_cast<AsyncTiledLoadOp>(ahead.load);
  if (!copy) {
    Operation *load = b.clone(*ahead.load, map);
    return {load->getResult(0), load->getResult(1)};
  }
  SmallVector<Value> indices;
  for (Value index : copy.getIndices())
    indices.push_back(map.lookupOrDefault(index));
  int64_t bytes = cast<SimtAsyncCopyAttr>(copy.getAtom()).getBytes();
  int64_t width = bytes / getStorageBytes(cast<RankedTensorType>(ahead.type).getElementType());
  Value token = copy.getToken() ? map.lookupOrDefault(copy.getToken()) : Value();
  auto load = TiledLoadOp::create(b, copy.getLoc(), ahead.type, copy.getResultToken().getType(),
                                  map.lookupOrDefault(copy.getView()), indices, token, aa::MemSemantic::Weak,
                                  aa::MemScopeAttr(), copy.getInBoundsAttr(), IntegerAttr(), BoolAttr(),
                                  b.getI32IntegerAttr(width));
  return {load.getResult(), load.getResultToken()};
}

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

/// What the tiles of a loop may take in a thread's registers.
class Budget {
public:
  Budget(CountedLoop loop, int64_t products) {
    auto func = loop->getParentOfType<aa::FuncOp>();
    target = aa::getTarget(func);
    isNested = bool(loop->getParentOfType<LoopLikeOpInterface>());
    auto occupancy = func->getAttrOfType<IntegerAttr>(aa::kOccupancyAttr);
    warps = getNumWarps(func);
    blocks = occupancy ? occupancy.getInt() : 1;
    // More warps than these on a multiprocessor hide no more.
    mostBlocks = std::max<int64_t>(1, 16 / warps);
    // As many more registers as products take that widen their factors: several products, multiply-adds, and factors
    // that are fetched element by element.
    bool more = products > 2;
    loop->walk([&](DotOp dot) {
      more |= !dot.getAtom() || isa<FmaAtomAttr>(Attribute(*dot.getAtom()));
      if (dot.getAtom() && isa<MmaAtomAttr>(Attribute(*dot.getAtom())))
        more |= (isIn(dot.getA().getType(), MemoryKind::Shared) && !dot.getFetchAAttr()) ||
                (isIn(dot.getB().getType(), MemoryKind::Shared) && !dot.getFetchBAttr());
    });
    kind = more ? aa::Products::Widened : products ? aa::Products::Direct : aa::Products::None;
  }

  /// Words that a thread may keep if so many blocks share a multiprocessor.
  int64_t room(int64_t blocks) const {
    int64_t words = target
                        ? aa::roomForTiles(warps, blocks, kind, target->registersPerSm, target->maxRegistersPerThread)
                        : aa::roomForTiles(warps, blocks, kind);
    return words / (32 * warps) - (isNested ? kOfOuterLoop : 0);
  }
  int64_t room() const { return room(blocks); }

  /// How many blocks a multiprocessor has registers for, of a loop that needs `needed` words as it stands and `more`
  /// for what is loaded ahead; more blocks than are of use do not count. What products have beside their tiles grows
  /// with these: small tiles have few fragments. (Measured on the corpus: 67 to 85 registers beside 7 to 11 words,
  /// 103 beside 64.)
  int64_t blocksWith(int64_t needed, int64_t more) const {
    int64_t spared = kind == aa::Products::Widened ? std::max<int64_t>(0, kMostOthers - kLeastOthers - needed) : 0;
    int64_t number = 1;
    while (number < mostBlocks && room(number + 1) + spared >= needed + more)
      ++number;
    return number;
  }

private:
  /// What a loop around this one has besides: its counter and bounds, the tile's place, offsets that hold for all of it
  /// (a persistent product of f32 on sm_80 spills without them).
  static constexpr int64_t kOfOuterLoop = 16;
  /// Registers of a thread beside the tiles of widened products: what roomForTiles leaves them, and what the smallest
  /// need.
  static constexpr int64_t kMostOthers = 128, kLeastOthers = 72;

  const tileiras::TargetInfo *target;
  aa::Products kind;
  int64_t warps, blocks, mostBlocks;
  bool isNested;
};

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// What the place of a load is computed from.
SmallVector<Value> addressOf(Operation &load) {
  auto access = cast<aa::MemoryAccessOpInterface>(load);
  SmallVector<Value> values;
  for (Value operand : load.getOperands())
    if (operand != access.getToken() && operand != access.getFilled())
      values.push_back(operand);
  return values;
}

/// The loads of a loop that are to be made ahead.
struct Choice {
  SmallVector<Ahead> ahead;
  llvm::SetVector<Value> tokens; ///< from outside of the loop, that they come after
  int64_t loads = 0;             ///< all that could be
  int64_t words = 0, room = 0;   ///< of a thread: what is needed, and what there is
  StringRef why;                 ///< of the last one that is not made ahead
};

Choice choose(CountedLoop loop) {
  Choice choice;
  // What is loaded is alive for a moment only as the loop stands.
  int64_t needed = -1, brought = 0, more = 0;
  for (Operation &op : *loop.getBody())
    if (std::optional<Ahead> load = asLoad(loop, op))
      brought += wordsOf(load->type);
  Budget budget(loop, countProducts(loop));
  choice.room = budget.room();
  for (Operation &op : *loop.getBody()) {
    std::optional<Ahead> load = asLoad(loop, op);
    if (!load)
      continue;
    ++choice.loads;
    if (needed < 0)
      needed = wordsIn(loop, wordsHeld);
    llvm::SetVector<Value> after = choice.tokens;
    if (failed(collectTokens(loop, cast<aa::MemoryAccessOpInterface>(op).getToken(), after))) {
      choice.why = "a token orders them after what the loop writes";
      continue;
    }
    OtherIteration probe(loop);
    if (!llvm::all_of(addressOf(op), [&](Value v) {
          return succeeded(probe.check(v, OtherIteration::First, choice.why)) &&
                 succeeded(probe.check(v, OtherIteration::Next, choice.why));
        }))
      continue;
    if (probe.numOperations() > kMostOperations) {
      choice.why = "their addresses take too long to compute";
      continue;
    }
    int64_t its = costOf(*load);
    if (needed + more + its > budget.room()) {
      choice.why = "there are no registers for them";
      continue;
    }
    // Other blocks hide what a load takes as well.
    if (budget.blocksWith(needed, more + its) < budget.blocksWith(needed - brought, 0)) {
      choice.why = "a multiprocessor would have registers for fewer blocks";
      continue;
    }
    more += its;
    choice.tokens = std::move(after);
    choice.ahead.push_back(*load);
  }
  choice.words = needed + more;
  return choice;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct PrefetchLoadsPass : nv_tileas::impl::PrefetchLoadsPassBase<PrefetchLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1 || getOperation().walk([](AgentSwitchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    for (CountedLoop loop : getCountedLoops(getOperation()))
      prefetch(loop);
  }

private:
  void prefetch(CountedLoop loop) {
    // A tile that is loaded ahead of a loop inside would occupy its registers through all of that.
    bool nested = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (nested || (trips && trips->ule(1)))
      return;
    int64_t products = countProducts(loop);
    if (overlapsProducts(loop)) {
      if (auto remark = remarks::passed(loop, remarks::kPipeline, "Prefetch"))
        remark << remarks::figure("Products", products)
               << remarks::because("its loads are made while the product of the iteration before goes on");
      return;
    }
    Choice choice = choose(loop);
    ArrayRef<Ahead> ahead = choice.ahead;
    bool all = int64_t(ahead.size()) == choice.loads;
    if (choice.loads && remarks::enabled(&getContext())) {
      auto remark = all ? remarks::passed(loop, remarks::kPipeline, "Prefetch")
                        : remarks::missed(loop, remarks::kPipeline, "Prefetch");
      if (remark)
        remark << remarks::figure("Products", products) << remarks::figure("Loads", choice.loads)
               << remarks::figure("Ahead", ahead.size()) << remarks::figure("Words", choice.words)
               << remarks::figure("Room", choice.room)
               << remarks::because(all ? Twine("loads of the next iteration are under way in registers")
                                       : "loads are not made ahead: " + choice.why);
    }
    if (ahead.empty())
      return;
    numAhead += ahead.size();
    rewrite(loop, ahead, choice.tokens.getArrayRef());
  }

  void rewrite(CountedLoop loop, ArrayRef<Ahead> ahead, ArrayRef<Value> tokens) {
    IRRewriter rewriter(loop);
    Location loc = loop.getLoc();
    bool ordered =
        llvm::any_of(ahead, [](const Ahead &a) { return bool(cast<aa::MemoryAccessOpInterface>(a.load).getToken()); });
    Value after = ordered ? joinTokens(rewriter, loop, tokens) : Value();

    // The loads of one iteration, as words, by `when`; behind them the tokens of those that others come after.
    auto emit = [&](OpBuilder &b, OtherIteration::When when) {
      OtherIteration iteration(loop);
      SmallVector<Value> loaded, done;
      for (const Ahead &a : ahead) {
        IRMapping map;
        for (Value operand : addressOf(*a.load))
          map.map(operand, iteration.compute(b, operand, when));
        if (Value token = cast<aa::MemoryAccessOpInterface>(a.load).getToken())
          map.map(token, after);
        auto [value, token] = loadAgain(b, a, map);
        loaded.push_back(a.pack(b, value));
        if (a.isFollowed())
          done.push_back(token);
      }
      loaded.append(done);
      return loaded;
    };
    // The same, where `condition` is true.
    auto emitIf = [&](OpBuilder &b, Value condition, OtherIteration::When when) -> SmallVector<Value> {
      Block scratch;
      OpBuilder inside(b.getContext());
      inside.setInsertionPointToEnd(&scratch);
      SmallVector<Value> loaded = emit(inside, when);
      auto branch = scf::IfOp::create(b, loc, ValueRange(loaded).getTypes(), condition, /*withElseRegion=*/true);
      branch.thenBlock()->getOperations().splice(branch.thenBlock()->begin(), scratch.getOperations());
      OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock()), otherwise = OpBuilder::atBlockEnd(branch.elseBlock());
      scf::YieldOp::create(then, loc, loaded);
      SmallVector<Value> none;
      for (Value value : loaded)
        none.push_back(isa<aa::MemTokenType>(value.getType())
                           ? aa::CreateMemTokenOp::create(otherwise, loc, value.getType()).getResult()
                           : ub::PoisonOp::create(otherwise, loc, value.getType()).getResult());
      scf::YieldOp::create(otherwise, loc, none);
      return branch.getResults();
    };

    SmallVector<Value> inits;
    if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && !trips->isZero()) {
      inits = emit(rewriter, OtherIteration::First);
    } else {
      inits = emitIf(rewriter, loop.hasRound(rewriter, loc), OtherIteration::First);
    }
    auto next = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
      OpBuilder top = OpBuilder::atBlockBegin(loop.getBody());
      return emitIf(top, loop.hasNext(top, loc), OtherIteration::Next);
    };
    CountedLoop replaced = *loop.replaceWithAdditionalYields(rewriter, inits, next);
    Block::BlockArgListType carried = replaced.getRegionIterArgs().take_back(inits.size());
    size_t token = ahead.size();
    for (auto [i, a] : llvm::enumerate(ahead))
      replace(a, carried[i], a.isFollowed() ? carried[token++] : BlockArgument());
  }

  /// What was loaded is what the iteration before has loaded.
  static void replace(const Ahead &ahead, Value words, Value token) {
    OpBuilder builder(ahead.load);
    if (token)
      cast<aa::MemoryAccessOpInterface>(ahead.load).getResultToken().replaceAllUsesWith(token);
    auto copy = dyn_cast<AsyncTiledLoadOp>(ahead.load);
    if (!copy) {
      ahead.load->getResult(0).replaceAllUsesWith(ahead.unpack(builder, words));
      ahead.load->erase();
      return;
    }
    AsyncWaitOp wait = ahead.wait;
    builder.setInsertionPoint(wait);
    auto plan = AtomPlanAttr::get(builder.getContext(), /*tag=*/1, cast<SimtAsyncCopyAttr>(copy.getAtom()).getBytes());
    auto write =
        CopyOp::create(builder, copy.getLoc(), Type(), ahead.unpack(builder, words), copy.getDest(), plan, UnitAttr());
    if (wait->hasAttr(kAsyncProxyAttr))
      write->setAttr(kAsyncProxyAttr, builder.getUnitAttr());
    SmallVector<Value> others;
    llvm::copy_if(wait.getTokens(), std::back_inserter(others), [&](Value t) { return t != copy.getDone(); });
    wait.getTokensMutable().assign(others);
    if (others.empty())
      wait.erase();
    copy.erase();
  }
};

} // namespace

bool nv_tileas::registersHoldLoads(CountedLoop loop) {
  Choice choice = choose(loop);
  return int64_t(choice.ahead.size()) == choice.loads;
}

bool nv_tileas::loadsDuringProducts(CountedLoop loop) { return overlapsProducts(loop); }
