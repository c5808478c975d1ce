//===- LoadsInRegisters.cpp - What waits a round in registers -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/LoadsInRegisters.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::LinearLayout;
namespace aa = mlir::nv_tileaa;

namespace {

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

} // namespace

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

bool LoadAhead::isFollowed() const { return !cast<aa::MemoryAccessOpInterface>(load).getResultToken().use_empty(); }

Value LoadAhead::pack(OpBuilder &b, Value value) const {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? Packing(tile).pack(b, load->getLoc(), value) : value;
}

Value LoadAhead::unpack(OpBuilder &b, Value value) const {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? Packing(tile).unpack(b, load->getLoc(), value) : value;
}

std::optional<LoadAhead> nv_tileas::asLoadAhead(Operation &op) {
  auto access = dyn_cast<aa::MemoryAccessOpInterface>(op);
  if (!access || access.getMemSemantic() != aa::MemSemantic::Weak || access.isAtomic())
    return std::nullopt;
  if (Value loaded = access.getLoaded(); loaded && !loaded.use_empty())
    return LoadAhead{&op, loaded.getType(), AsyncWaitOp()};
  auto copy = dyn_cast<AsyncCopyOpInterface>(op);
  if (!copy || !isa<SimtAsyncCopyAttr>(copy.getAtom()) || !copy.getDone().hasOneUse())
    return std::nullopt;
  auto wait = dyn_cast<AsyncWaitOp>(*copy.getDone().user_begin());
  if (!wait || wait->getBlock() != op.getBlock())
    return std::nullopt;
  auto tiled = dyn_cast<AsyncTiledLoadOp>(op);
  Attribute copies = tiled ? Attribute(tiled.getCopies())
                           : cast<RankedTensorType>(cast<AsyncLoadOp>(op).getPtrs().getType()).getEncoding();
  return LoadAhead{&op, withLayout(cast<RankedTensorType>(copy.getDest().getType()), copies), wait};
}

std::pair<Value, Value> nv_tileas::loadAgain(OpBuilder &b, const LoadAhead &ahead, IRMapping &map) {
  auto its = dyn_cast<AsyncCopyOpInterface>(ahead.load);
  if (!its) {
    Operation *load = b.clone(*ahead.load, map);
    return {load->getResult(0), load->getResult(1)};
  }
  auto mapped = [&](Value value) { return value ? map.lookupOrDefault(value) : Value(); };
  int64_t bytes = cast<SimtAsyncCopyAttr>(its.getAtom()).getBytes();
  int64_t width = bytes / getStorageBytes(cast<RankedTensorType>(ahead.type).getElementType());
  Value token = mapped(its.getToken());
  if (auto copy = dyn_cast<AsyncLoadOp>(ahead.load)) {
    auto load = LoadOp::create(b, copy.getLoc(), ahead.type, copy.getResultToken().getType(), mapped(copy.getPtrs()),
                               mapped(copy.getMask()), /*other=*/Value(), token, aa::MemSemantic::Weak,
                               aa::MemScopeAttr(), /*latency=*/IntegerAttr(), b.getI32IntegerAttr(width));
    return {load.getResult(), load.getResultToken()};
  }
  auto copy = cast<AsyncTiledLoadOp>(ahead.load);
  SmallVector<Value> indices;
  for (Value index : copy.getIndices())
    indices.push_back(mapped(index));
  Value valid = mapped(copy.getValid());
  auto load = TiledLoadOp::create(b, copy.getLoc(), ahead.type, copy.getResultToken().getType(),
                                  map.lookupOrDefault(copy.getView()), indices, token, valid, aa::MemSemantic::Weak,
                                  aa::MemScopeAttr(), copy.getInBoundsAttr(), IntegerAttr(), BoolAttr(),
                                  b.getI32IntegerAttr(width));
  return {load.getResult(), load.getResultToken()};
}

SmallVector<Value> nv_tileas::addressOf(Operation &load) {
  auto access = cast<aa::MemoryAccessOpInterface>(load);
  SmallVector<Value> values;
  for (Value operand : load.getOperands())
    if (operand != access.getToken() && operand != access.getFilled())
      values.push_back(operand);
  return values;
}

void nv_tileas::replaceLoad(const LoadAhead &ahead, Value words, Value token) {
  OpBuilder builder(ahead.load);
  if (token)
    cast<aa::MemoryAccessOpInterface>(ahead.load).getResultToken().replaceAllUsesWith(token);
  auto copy = dyn_cast<AsyncCopyOpInterface>(ahead.load);
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

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

LoadBudget::LoadBudget(CountedLoop loop, int64_t products, bool sparing) : products(products), sparing(sparing) {
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
    inRanges |= dot.getAtom() && dot.getAtom()->getCompletion() == Completion::WaitGroup;
    more |= !dot.getAtom() || isa<FmaAtomAttr>(Attribute(*dot.getAtom()));
    if (dot.getAtom() && isa<MmaAtomAttr>(Attribute(*dot.getAtom())))
      more |= (isIn(dot.getA().getType(), MemoryKind::Shared) && !dot.getFetchAAttr()) ||
              (isIn(dot.getB().getType(), MemoryKind::Shared) && !dot.getFetchBAttr());
  });
  kind = more ? aa::Products::Widened : products ? aa::Products::Direct : aa::Products::None;
}

int64_t LoadBudget::room(int64_t blocks) const {
  int64_t words = target ? aa::roomForTiles(warps, blocks, kind, target->registersPerSm, target->maxRegistersPerThread)
                         : aa::roomForTiles(warps, blocks, kind);
  return words / (32 * warps) - (isNested ? kOfOuterLoop : 0);
}

int64_t LoadBudget::blocksWith(int64_t needed, int64_t more) const {
  int64_t spared = kind == aa::Products::Widened ? std::max<int64_t>(0, kMostOthers - kLeastOthers - needed) : 0;
  int64_t number = 1;
  while (number < mostBlocks && room(number + 1) + spared >= needed + more)
    ++number;
  return number;
}

// Those of what a load brings, and for each access an address and whether it is inside, which ptxas has alive beside
// them; not less than twice the former. Loads for products that go through registers as the loop stands need less: what
// the loop needs includes the tile of the round, and what products that widen their factors have beside their tiles
// includes addresses. (Measured: with less, loops without products and copies that become loads spill.)
int64_t LoadBudget::costOf(const LoadAhead &ahead) const {
  int64_t words = wordsOf(ahead.type), accesses = 1;
  auto copy = dyn_cast<AsyncCopyOpInterface>(ahead.load);
  if (auto tile = dyn_cast<RankedTensorType>(ahead.type)) {
    int64_t width = 1;
    if (copy)
      width = cast<SimtAsyncCopyAttr>(copy.getAtom()).getBytes() / getStorageBytes(tile.getElementType());
    else if (auto vec = ahead.load->getAttrOfType<IntegerAttr>("vec"))
      width = vec.getInt();
    accesses = (int64_t(1) << getLinearLayout(tile).inBits(tileiras::kRegister)) / std::max<int64_t>(width, 1);
  }
  if (!products || copy || sparing)
    return std::max(2 * words, words + 2 * accesses);
  // What is narrower than a word waits in a register of its own until its neighbours are there.
  constexpr int64_t ofAddresses = 16;
  int64_t apart = accesses > words ? accesses : 0;
  return words + std::max(apart, kind == aa::Products::Widened ? 0 : std::min(2 * accesses, ofAddresses));
}

bool LoadBudget::hasRoom(int64_t needed, int64_t cost, int64_t words) const {
  if (needed + cost <= room())
    return true;
  int64_t most = target ? target->maxRegistersPerThread : 255;
  return !sparing && !inRanges && kind == aa::Products::Direct && products <= 2 && blocks == 1 && warps <= 8 &&
         needed >= kManyWords && needed + words <= most - kAtLoads - (isNested ? kOfOuterLoop : 0);
}
