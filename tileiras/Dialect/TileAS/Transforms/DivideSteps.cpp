//===- DivideSteps.cpp - tileas-divide-steps ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop that adds up products of tiles is pipelined if shared memory has room for the tiles of two iterations. Where
// it has not, iterations are divided along k; and so are those of blocks that share a multiprocessor where three have
// no room, since half of what a ring of two has is on its way, and three quarters of a ring of four:
//
//     for i: a[m, i] (128 x 64), b[i, n] (64 x 256)   ->   for j = 2 lb to 2 ub: a[m, j] (128 x 32), b[j, n] (32 x 256)
//
// Tiles that are converted first need room as they are loaded and as they are multiplied; registers may do without a
// ring of those, so such iterations are divided only where the factors themselves would have no room, or registers no
// room for what is loaded.
//
// A tile may hang over the edge of the array; of its parts some then lie outside altogether, which no tile of a
// partition does, and the lowering counts on that where extents divide (TileAccess). Such parts are tiles of a view
// that lie half over each other, of which every second one is loaded.
//
// The sums are added up in the same order. Only where the counter is used for nothing but the place of these tiles.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/IR/Extents.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadSlices.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_DIVIDESTEPSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;
namespace aa = mlir::nv_tileaa;
namespace remarks = tileiras::remarks;

namespace {

/// A factor of a product, loaded in the same iteration for that alone.
struct Factor {
  aa::TiledLoadOp load;
  unsigned dim; ///< of the load's tile, that k is
  SmallVector<std::pair<Operation *, unsigned>>
      views;                    ///< between load and product, and which dimension k is behind each
  bool isConverted = false;     ///< one of them makes other elements of what is loaded
  int64_t perPart = 1;          ///< tiles of the view of parts between one part and the next
  Operation *widened = nullptr; ///< the counter in 64 bits, for the load; null: it takes the counter itself
};

std::optional<Factor> findFactor(CountedLoop loop, Value value, unsigned dim) {
  Factor factor;
  for (;;) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != loop.getBody() || !value.hasOneUse())
      return std::nullopt;
    if (auto load = dyn_cast<aa::TiledLoadOp>(def)) {
      aa::TiledViewType view = load.getView().getType();
      auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
      if (value != load.getResult() || load.getMemSemantic() != aa::MemSemantic::Weak ||
          view.getTraversalStrides()[dim] != view.getTileShape()[dim] || !block ||
          !loop.isDefinedOutsideOfLoop(block->getOperand(0)))
        return std::nullopt;
      Value place = load.getIndices()[dim];
      // Slices count in 64 bits.
      if (place.hasOneUse() && place.getDefiningOp<arith::ExtUIOp>()) {
        factor.widened = place.getDefiningOp();
        place = factor.widened->getOperand(0);
      }
      if (place != loop.getInductionVar())
        return std::nullopt;
      factor.load = load;
      factor.dim = dim;
      return factor;
    }
    if (!isa<aa::ViewOp, aa::PermuteOp, arith::ExtFOp, arith::TruncFOp, aa::FpToFpOp>(def))
      return std::nullopt;
    factor.views.emplace_back(def, dim);
    factor.isConverted |= !isa<aa::ViewOp, aa::PermuteOp>(def);
    std::optional<unsigned> source = throughShape(def, dim);
    if (!source)
      return std::nullopt;
    dim = *source;
    value = def->getOperand(0);
  }
}

struct DivideStepsPass : nv_tileas::impl::DivideStepsPassBase<DivideStepsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (numStages <= 1)
      return;
    for (CountedLoop loop : getCountedLoops(getOperation()))
      divide(loop);
  }

private:
  static int64_t bytesOf(RankedTensorType tile) {
    return tile.getNumElements() * getStorageBytes(tile.getElementType());
  }

  /// Words of a thread that tiles of the next iteration may take beside the sums, if they are to wait in registers.
  static constexpr int64_t kMostWords = 48;

  int64_t loadedWords(Factor &a, Factor &b) {
    int64_t bytes = bytesOf(a.load.getResult().getType()) + bytesOf(b.load.getResult().getType());
    return llvm::divideCeil(bytes, 4 * 32 * getNumWarps(getOperation()));
  }

  /// Whether more of the ring under way is worth another barrier. Blocks that have a multiprocessor to themselves wait
  /// at twice as many barriers for it, and gain nothing; where there are few products between two barriers their number
  /// counts for more (by the models -3 to 6 % with 64 x 128 sums, up to 23 % with 128 x 128).
  bool gainsByHalves(aa::DotOp dot, int64_t bytesAlongK, const SharedMemory &memory) {
    constexpr int64_t bytesOfHalf = 64, sums = 128 * 128;
    const tileiras::TargetInfo *target = aa::getTarget(getOperation());
    return numStages > 2 && memory.roomToKeep() < memory.room() && target &&
           target->mmaFamily == tileiras::MmaFamily::MmaSync && bytesAlongK % (2 * bytesOfHalf) == 0 &&
           cast<RankedTensorType>(dot.getType()).getNumElements() >= sums;
  }

  void divide(CountedLoop loop) {
    auto dots = llvm::to_vector(loop.getBody()->getOps<aa::DotOp>());
    if (dots.size() != 1 || loop.getUnsignedCmp() || getConstantIntValue(loop.getStep()) != 1 ||
        !loop.getInductionVar().getType().isInteger() || getConstantIntValue(loop.getLowerBound()).value_or(-1) < 0)
      return;
    aa::DotOp dot = dots.front();
    auto carried = dyn_cast<BlockArgument>(dot.getC());
    if (!carried || carried.getOwner() != loop.getBody() || !carried.hasOneUse() || !dot.getResult().hasOneUse() ||
        loop.getTiedLoopYieldedValue(carried)->get() != dot.getResult())
      return;
    auto a = cast<RankedTensorType>(dot.getA().getType()), b = cast<RankedTensorType>(dot.getB().getType());
    Type element = a.getElementType();
    int64_t width = getStorageBytes(element), k = a.getShape().back();
    const tileiras::TargetInfo *target = aa::getTarget(getOperation());
    // What is multiplied as something else goes through registers.
    bool widened = isa<FloatType>(element) && width == 1 && !(target && target->fp8MmaSync);
    if (widened || getMemoryBits(element) != 8 * width)
      return;
    SharedMemory memory(getOperation());
    int64_t room = memory.roomToKeep(), factors = bytesOf(a) + bytesOf(b), parts = 1;
    bool halves = 2 * factors <= room && 3 * factors > room && gainsByHalves(dot, k * width, memory);
    if (2 * factors <= room && !halves)
      return;
    std::optional<Factor> factorA = findFactor(loop, dot.getA(), a.getRank() - 1),
                          factorB = findFactor(loop, dot.getB(), b.getRank() - 2);
    if (!factorA || !factorB || factorA->load == factorB->load ||
        llvm::range_size(loop.getInductionVar().getUses()) != 2)
      return;
    // Two stages of what is loaded, and what is converted once more as it is multiplied.
    int64_t bytes = 0;
    for (auto [factor, tile] : {std::pair(&*factorA, a), std::pair(&*factorB, b)})
      bytes += 2 * bytesOf(factor->load.getResult().getType()) + (factor->isConverted ? bytesOf(tile) : 0);
    bool isConverted = factorA->isConverted || factorB->isConverted, mayWait = isConverted && factors <= room;
    if (mayWait && loadedWords(*factorA, *factorB) <= kMostWords)
      return;
    if (halves && isConverted)
      return;
    if (halves)
      parts = 2;
    while (bytes > room * parts)
      parts *= 2;
    // By the model of RTX 5090 quarters of f32, multiplied as tf32, cost more than waiting for what is loaded, and so
    // do halves in a loop over slices.
    if (mayWait && (parts > 2 || loop->getParentOfType<LoopLikeOpInterface>()))
      return;
    // An instruction takes 32 bytes along k.
    if (parts == 1 || k % parts || k / parts * width < 32)
      return;
    Factor both[] = {*factorA, *factorB};
    rewrite(loop, both, parts, halves);
    ++numDivided;
  }

  /// A bound of the loop, counted in parts, as 64 bits: it may have no room in the counter's type.
  static Value scaled(OpBuilder &builder, Location loc, Value bound, int64_t parts) {
    Type wide = builder.getI64Type();
    if (std::optional<int64_t> value = getConstantIntValue(bound))
      return arith::ConstantIntOp::create(builder, loc, wide, *value * parts);
    if (bound.getType() != wide)
      bound = arith::ExtSIOp::create(builder, loc, wide, bound);
    return arith::MulIOp::create(builder, loc, bound, arith::ConstantIntOp::create(builder, loc, wide, parts));
  }

  /// Places of tiles have one type, and no sign.
  static void placeOfPart(aa::TiledLoadOp load, const Factor &factor) {
    OpBuilder builder(load);
    for (OpOperand &index : load.getIndicesMutable())
      if (Type wide = builder.getI64Type(); index.get().getType() != wide)
        index.set(arith::ExtUIOp::create(builder, load.getLoc(), wide, index.get()));
    if (factor.perPart == 1)
      return;
    OpOperand &place = load.getIndicesMutable()[factor.dim];
    Value step = arith::ConstantIntOp::create(builder, load.getLoc(), builder.getI64Type(), factor.perPart);
    place.set(arith::MulIOp::create(builder, load.getLoc(), place.get(), step));
  }

  /// Whether parts would lie outside of the array that the lowering takes for inside.
  static bool mayBeOutside(const Factor &factor, int64_t parts) {
    aa::TiledLoadOp load = factor.load;
    std::optional<ArrayRef<bool>> inside = load.getInBounds();
    int64_t extent = load.getView().getType().getTileShape()[factor.dim],
            divisor = aa::getExtentDivisor(load.getView(), factor.dim);
    return !(inside && (*inside)[factor.dim]) && divisor % extent && divisor % (extent / parts) == 0;
  }

  void rewrite(CountedLoop loop, MutableArrayRef<Factor> factors, int64_t parts, bool halves) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value lower = scaled(builder, loc, loop.getLowerBound(), parts),
          upper = scaled(builder, loc, loop.getUpperBound(), parts);
    Value one = arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 1);
    auto divided = scf::ForOp::create(builder, loc, lower, upper, one, loop.getInits());
    divided->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    if (!divided.getBody()->empty())
      divided.getBody()->back().erase();

    DenseMap<Operation *, unsigned> shorter; ///< operations whose result is shorter, and along which dimension
    IRMapping map;
    DenseMap<Operation *, const Factor *> loads;
    for (Factor &factor : factors) {
      aa::TiledLoadOp load = factor.load;
      factor.perPart = mayBeOutside(factor, parts) ? 2 : 1;
      loads[load] = &factor;
      shorter[load] = factor.dim;
      shorter.insert(factor.views.begin(), factor.views.end());
      aa::TiledViewType view = load.getView().getType();
      SmallVector<int64_t> shape(view.getTileShape()), strides(view.getTraversalStrides());
      shape[factor.dim] /= parts;
      strides[factor.dim] /= parts * factor.perPart;
      aa::TiledViewType type = view.withTiles(shape, strides);
      // Beside the view that it replaces, outside of loops where that is: tensor maps are made where views are.
      auto block = load.getView().getDefiningOp<aa::BlockTileOp>();
      builder.setInsertionPoint(loop->isAncestor(block) ? divided.getOperation() : block.getOperation());
      map.map(load.getView(), aa::BlockTileOp::create(builder, block.getLoc(), type, block->getOperand(0)).getResult());
    }
    map.map(loop.getInductionVar(), divided.getInductionVar());
    map.map(loop.getRegionIterArgs(), divided.getRegionIterArgs());
    builder.setInsertionPointToEnd(divided.getBody());
    for (Operation &op : *loop.getBody()) {
      if (llvm::any_of(factors, [&](const Factor &factor) { return factor.widened == &op; })) {
        map.map(op.getResult(0), divided.getInductionVar());
        continue;
      }
      if (isa<aa::BlockTileOp>(op) && map.contains(op.getResult(0)))
        continue;
      Operation *again = builder.clone(op, map);
      auto found = shorter.find(&op);
      if (found == shorter.end())
        continue;
      if (auto load = dyn_cast<aa::TiledLoadOp>(again))
        placeOfPart(load, *loads[&op]);
      auto type = cast<RankedTensorType>(again->getResult(0).getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[found->second] /= parts;
      again->getResult(0).setType(type.clone(shape));
    }
    if (auto remark = remarks::passed(divided, remarks::kPipeline, "Divided"))
      remark << remarks::figure("Parts", parts)
             << remarks::because(halves
                                     ? "shared memory has room for two iterations, and not for three: each is divided "
                                       "along k, and more of the ring is on its way"
                                     : "shared memory has no room for two iterations: each is divided along k");
    loop->replaceAllUsesWith(divided.getResults());
    loop->erase();
  }
};

} // namespace
