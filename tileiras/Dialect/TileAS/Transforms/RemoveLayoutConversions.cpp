//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-remove-layout-conversions.
//
// Before this pass only memory operations have a layout that was chosen for a
// reason; all other tensors sit in the default layout of their shape, with
// conversions in between. The pass forgets the defaults and the conversions and lets
// the chosen layouts spread: from a load forward through everything computed from it,
// from a store backward through its value, pointers and mask, each
// operation translating the layout as LayoutInference says. The first layout to
// reach a value stays. Results of matrix products come before all others: an
// accumulator that a loop carries must not change its layout in the loop. Where two fronts meet, a conversion remains;
// if the value is cheap to compute again (indices, masks, constants) it is computed a second time in the other layout
// instead. A conversion in the middle of such a computation moves to its beginning where that is cheaper by more than a
// quarter: before numbers are widened, before rows are spread. And it leaves a loop if what it converts is the same in
// every iteration. Small tiles are loaded by those who use their elements (SmallLoads.h), and sums are
// added to memory by those who have them (HeldReductions.h).
//
// Afterwards every layout is written as #nv_tileas.linear, so that equal layouts
// are equal attributes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/IR/RegionFlow.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/Transforms/HeldReductions.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/SmallLoads.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include <deque>

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_REMOVELAYOUTCONVERSIONSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

namespace {

/// In registers: where shared tiles lie is decided elsewhere (tileas-assign-pipeline-layouts).
bool isTensor(Value v) { return isa<RankedTensorType>(v.getType()) && !isIn(v.getType(), MemoryKind::Shared); }
RankedTensorType tensorOf(Value v) { return cast<RankedTensorType>(v.getType()); }

//===----------------------------------------------------------------------===//
// Spreading layouts
//===----------------------------------------------------------------------===//

class LayoutPropagation {
public:
  explicit LayoutPropagation(nv_tileaa::FuncOp func) : func(func) {}

  void run() {
    collectAnchors();
    dropConversions();
    llvm::stable_sort(dots, [](const Dot &a, const Dot &b) { return a.elements > b.elements; });
    for (Dot &dot : dots) {
      propose(dot.op.getResult(), *dot.layouts[2]);
      propose(dot.op.getC(), *dot.layouts[2]);
      spread();
    }
    // Loads first, the largest tile first: what was read fast should be used as it came.
    std::stable_sort(anchors.begin(), anchors.end(), [](const Anchor &a, const Anchor &b) {
      return std::make_pair(!a.isLoad, -a.bytes) < std::make_pair(!b.isLoad, -b.bytes);
    });
    for (Anchor &anchor : anchors) {
      for (Value v : anchor.op->getResults())
        propose(v, anchor.layout);
      spread();
      for (Value v : anchor.op->getOperands())
        propose(v, getMemoryOperandLayout(anchor.op, v, anchor.layout));
      spread();
    }
    for (Dot &dot : dots)
      for (auto [operand, layout] : llvm::zip_equal(dot.op->getOperands(), dot.layouts))
        if (layout) {
          propose(operand, *layout);
          spread();
        }
    // Whatever no memory operation reaches keeps the default of its shape.
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto fallback = [&](Value v) {
        if (!isTensor(v) || layouts.contains(v))
          return;
        auto type = tensorOf(v);
        int warps = ExecutionContext::of(v.getParentRegion()).numLayoutWarps();
        propose(v, cast<LayoutAttrInterface>(getDefaultLayout(op->getContext(), type.getShape(), warps))
                       .toLinearLayout(type.getShape()));
        spread();
      };
      llvm::for_each(op->getResults(), fallback);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), fallback);
    });
    rewrite();
  }

private:
  struct Anchor {
    nv_tileaa::MemoryAccessOpInterface op;
    LinearLayout layout;
    bool isLoad;
    int64_t bytes;
  };

  /// A matrix product and the layouts its atom wants its operands in; nothing for what it reads from shared memory,
  /// which may arrive in any.
  struct Dot {
    DotOp op;
    SmallVector<std::optional<LinearLayout>> layouts;
    int64_t elements;
  };

  nv_tileaa::FuncOp func;
  SmallVector<Anchor> anchors;
  SmallVector<Dot> dots;
  DenseMap<Operation *, LinearLayout> anchorLayout;
  DenseMap<Value, LinearLayout> layouts;
  std::deque<Value> queue;

  void collectAnchors() {
    func.walk([&](Operation *op) {
      if (auto dot = dyn_cast<DotOp>(op)) {
        Dot &entry = dots.emplace_back(Dot{dot, {}, dot.getType().getNumElements()});
        for (OpOperand &operand : op->getOpOperands()) {
          bool free = dot.getAtom() && !getDotOperandLayout(dot, operand);
          LinearLayout layout = getLinearLayout(tensorOf(operand.get()));
          entry.layouts.push_back(free ? std::nullopt
                                       : std::optional(layout.removeRedundantBasesAlongDim(tileiras::kRegister)));
        }
        return;
      }
      auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op);
      Value tile = access ? getMemoryTile(access) : Value();
      if (!tile)
        return;
      auto type = tensorOf(tile);
      LinearLayout layout = getLinearLayout(type).removeRedundantBasesAlongDim(tileiras::kRegister);
      anchors.push_back(
          {access, layout, !access.writesMemory(), type.getNumElements() * getStorageBytes(type.getElementType())});
      anchorLayout.try_emplace(op, layout);
    });
  }

  void dropConversions() {
    func.walk([](ConvertLayoutOp op) {
      if (!isTensor(op.getSource())) // a read of a shared tile, which may come in any layout
        return;
      op.getResult().replaceAllUsesWith(op.getSource());
      op.erase();
    });
  }

  void propose(Value v, LinearLayout layout) {
    if (isTensor(v) && layouts.try_emplace(v, layout).second)
      queue.push_back(v);
  }

  void spread() {
    while (!queue.empty()) {
      Value v = queue.front();
      queue.pop_front();
      LinearLayout layout = layouts.find(v)->second;
      for (OpOperand &use : v.getUses())
        forward(use, layout);
      if (auto result = dyn_cast<OpResult>(v))
        backward(result, layout);
      else
        backwardRegions(v, layout);
    }
  }

  /// What the region of a consumer_read yields, and the result that it is: they are one.
  static Value readResult(OpOperand &use) {
    auto read = isa<PipelineYieldOp>(use.getOwner()) ? dyn_cast<ConsumerReadOp>(use.getOwner()->getParentOp())
                                                     : ConsumerReadOp();
    return read ? Value(read.getResults()[use.getOperandNumber()]) : Value();
  }
  static Value yieldedTo(OpResult result) {
    auto read = dyn_cast<ConsumerReadOp>(result.getOwner());
    if (!read || result.getResultNumber() == 0) // the token
      return {};
    return read.getBody().front().getTerminator()->getOperand(result.getResultNumber() - 1);
  }

  /// Proposes to what is computed from a use.
  void forward(OpOperand &use, const LinearLayout &layout) {
    Operation *op = use.getOwner();
    if (isa<nv_tileaa::MemoryAccessOpInterface>(op))
      return;
    if (Value result = readResult(use))
      return propose(result, layout);
    if (nv_tileaa::passesThroughRegions(op)) {
      // The first proposes to its twins.
      if (SmallVector<Value, 2> to = nv_tileaa::getDestinations(use); !to.empty())
        propose(to.front(), layout);
      return;
    }
    if (auto result = inferResultLayout(op, use.getOperandNumber(), layout))
      for (Value r : op->getResults())
        propose(r, *result);
    // Sources of one reduction share a layout.
    if (isa<ReduceOp, ScanOp>(op))
      for (Value v : op->getOperands())
        propose(v, layout);
  }

  /// Proposes to what a result is computed from.
  void backward(OpResult result, const LinearLayout &layout) {
    Operation *op = result.getOwner();
    if (Value yielded = yieldedTo(result))
      return propose(yielded, layout);
    if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op)) {
      for (Value v : op->getOperands())
        propose(v, getMemoryOperandLayout(access, v, anchorLayout.find(op)->second));
      return;
    }
    if (nv_tileaa::passesThroughRegions(op))
      return backwardRegions(result, layout);
    for (OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()))
        if (auto required = inferOperandLayout(op, operand.getOperandNumber(), layout))
          propose(operand.get(), *required);
  }

  /// Proposes to what passes on the same values, and to those.
  void backwardRegions(Value value, const LinearLayout &layout) {
    SmallVector<Value, 2> twins = nv_tileaa::getTwins(value);
    if (twins.front() != value)
      return propose(twins.front(), layout);
    for (Value twin : twins)
      propose(twin, layout);
    for (OpOperand *source : nv_tileaa::getSources(value))
      propose(source->get(), layout);
  }

  //===--------------------------------------------------------------------===//
  // Writing the layouts into the IR
  //===--------------------------------------------------------------------===//

  LinearLayout layoutOf(Value v) { return layouts.find(v)->second; }

  Attribute attrOf(const LinearLayout &layout) { return getLayoutAttr(func.getContext(), layout); }

  void setType(Value v, const LinearLayout &layout) { v.setType(withLayout(tensorOf(v), attrOf(layout))); }

  /// Makes `operand` arrive in `layout`.
  void require(OpOperand &operand, LinearLayout layout) {
    if (!isTensor(operand.get()) || layoutOf(operand.get()) == layout)
      return;
    OpBuilder builder(operand.getOwner());
    auto type = withLayout(tensorOf(operand.get()), attrOf(layout));
    auto convert = ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(), type, operand.get());
    layouts.try_emplace(convert.getResult(), layout);
    operand.set(convert);
  }

  void rewrite() {
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) { ops.push_back(op); });
    // Twins agree with each other by construction of the proposals, except where a result was reached first by its
    // users: the argument decides.
    for (Operation *op : ops)
      if (nv_tileaa::passesThroughRegions(op))
        for (Value result : op->getResults())
          if (isTensor(result))
            layouts.insert_or_assign(result, layoutOf(nv_tileaa::getTwins(result).front()));
    for (auto &[value, layout] : layouts)
      setType(value, layout);
    for (Operation *op : ops)
      rewriteOp(op);
    for (Dot &dot : dots) {
      for (auto [i, layout] : llvm::enumerate(dot.layouts))
        if (layout)
          require(dot.op->getOpOperand(i), *layout);
      computeIn(dot.op.getResult(), *dot.layouts[2]);
    }
  }

  void rewriteOp(Operation *op) {
    if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op)) {
      auto it = anchorLayout.find(op);
      if (it == anchorLayout.end())
        return;
      for (OpOperand &operand : op->getOpOperands())
        require(operand, getMemoryOperandLayout(access, operand.get(), it->second));
      for (Value v : op->getResults())
        if (isTensor(v))
          computeIn(v, it->second);
      return;
    }
    if (isa<PipelineYieldOp>(op))
      for (OpOperand &operand : op->getOpOperands())
        if (Value result = readResult(operand); result && isTensor(result))
          require(operand, layoutOf(result));
    if (nv_tileaa::passesThroughRegions(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (SmallVector<Value, 2> to = nv_tileaa::getDestinations(operand); !to.empty() && isTensor(operand.get()))
          require(operand, layoutOf(to.front()));
      return;
    }
    // Operations whose result cannot always be had in the layout it was given: the operand decides, the result is
    // converted.
    auto reinterpret = dyn_cast<ReinterpretOp>(op);
    bool splits = reinterpret && tensorOf(reinterpret.getResult()).getNumElements() >
                                     tensorOf(reinterpret.getSource()).getNumElements();
    if (splits || isa<ReduceOp, ScanOp, nv_tileaa::CatOp>(op)) {
      LinearLayout source = layoutOf(op->getOperand(0));
      for (OpOperand &operand : op->getOpOperands())
        require(operand, source);
      if (auto actual = inferResultLayout(op, 0, source))
        for (Value v : op->getResults())
          if (isTensor(v))
            computeIn(v, *actual);
      return;
    }
    Value tensorResult;
    for (Value v : op->getResults())
      if (isTensor(v))
        tensorResult = v;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      std::optional<LinearLayout> required;
      if (tensorResult) // without one (extract, print, assert) any layout will do
        required = inferOperandLayout(op, operand.getOperandNumber(), layoutOf(tensorResult));
      if (required)
        require(operand, *required);
    }
  }

  /// `v` comes out of its operation in `actual`; users keep seeing the layout they expect.
  void computeIn(Value v, const LinearLayout &actual) {
    LinearLayout wanted = layoutOf(v);
    if (actual == wanted)
      return;
    auto wantedType = tensorOf(v);
    v.setType(withLayout(wantedType, attrOf(actual)));
    OpBuilder builder(func.getContext());
    builder.setInsertionPointAfterValue(v);
    auto convert = ConvertLayoutOp::create(builder, v.getLoc(), wantedType, v);
    v.replaceAllUsesExcept(convert, convert);
    layouts.try_emplace(convert.getResult(), wanted);
    layouts.insert_or_assign(v, actual);
  }
};

//===----------------------------------------------------------------------===//
// What a conversion costs
//===----------------------------------------------------------------------===//

int64_t registersOf(const LinearLayout &layout) { return layout.inSize(tileiras::kRegister); }

/// What the planner says of a tile of 32-bit words or less: issue slots of a warp. Elements share words.
int64_t conversionCost(const LinearLayout &from, const LinearLayout &to, Type element) {
  constexpr int64_t impossible = 1 << 20;
  tileiras::ConvertOptions options;
  options.elementBits = int(getStorageBytes(element) * 8);
  std::optional<tileiras::ConvertPlan> plan = tileiras::planConvert(from, to, options);
  return plan ? plan->cost : impossible;
}

/// Whether a conversion brings a factor of a product: such a tile stays in shared memory, and what is computed from it
/// would not.
bool bringsFactor(ConvertLayoutOp op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) { return isa<DotOp>(user); });
}

//===----------------------------------------------------------------------===//
// Computing cheap values again
//===----------------------------------------------------------------------===//

/// Computes `value` anew in `layout`, if it is made of few cheap operations that need no conversion themselves, or need
/// cheaper ones: of numbers before they are widened, of rows before they are spread.
class Rematerializer {
public:
  static constexpr unsigned kMaxOps = 24;

  static bool run(ConvertLayoutOp convert) {
    LinearLayout layout = getLinearLayout(convert.getType());
    Value source = convert.getSource();
    Rematerializer r;
    bool ok = r.collect(source, layout);
    int64_t before = 0;
    if (!ok && !bringsFactor(convert) && source.getDefiningOp() && isCheap(source.getDefiningOp())) {
      r = Rematerializer();
      r.mayConvert = true;
      before = conversionCost(getLinearLayout(tensorOf(source)), layout, tensorOf(source).getElementType());
      // What is won has to be worth the change.
      ok = r.collect(source, layout) && 4 * r.cost <= 3 * before;
    }
    if (!ok)
      return false;
    tileiras::remarks::passed(convert, tileiras::remarks::kLayout, r.leaves ? "ConvertedEarlier" : "ComputedAgain")
        << tileiras::remarks::figure("Operations", r.count) << tileiras::remarks::figure("CostBefore", before)
        << tileiras::remarks::figure("Cost", r.cost)
        << tileiras::remarks::because(r.leaves ? "what the value is computed from is cheaper to convert"
                                               : "a cheap value is computed in both layouts");
    OpBuilder builder(convert);
    convert.getResult().replaceAllUsesWith(r.build(builder, source, layout));
    convert.erase();
    return true;
  }

private:
  bool mayConvert = false;
  unsigned count = 0, leaves = 0;
  int64_t cost = 0; ///< issue slots of a warp, conversions included
  SmallVector<std::pair<std::pair<Value, LinearLayout>, Value>> made;

  static bool isCheap(Operation *op) {
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::DivFOp, arith::RemFOp>(op))
      return false;
    return isa<nv_tileaa::AddPtrOp, nv_tileaa::BroadcastOp, ViewOp, nv_tileaa::ExpandDimsOp, nv_tileaa::PermuteOp,
               nv_tileaa::AssumeOp>(op) ||
           (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && isElementwise(op));
  }
  static bool isMadeOfNothing(Operation *op) {
    return isa<nv_tileaa::SplatOp, nv_tileaa::MakeRangeOp, nv_tileaa::ConstantTensorOp>(op);
  }

  bool collect(Value v, const LinearLayout &layout) {
    Operation *op = v.getDefiningOp();
    if (mayConvert && (!op || !(isCheap(op) || isMadeOfNothing(op)) || isMoved(op, layout))) {
      cost += conversionCost(getLinearLayout(tensorOf(v)), layout, tensorOf(v).getElementType());
      return ++leaves <= 2;
    }
    if (!op || ++count > kMaxOps)
      return false;
    if (isMadeOfNothing(op))
      return true;
    if (!isCheap(op))
      return false;
    if (isElementwise(op) && !op->hasOneUse())
      cost += registersOf(layout);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      auto required = inferOperandLayout(op, operand.getOperandNumber(), layout);
      if (!required)
        return false;
      if (getLinearLayout(tensorOf(operand.get())) != *required && !collect(operand.get(), *required))
        return false;
    }
    return true;
  }

  /// Whether an operation cannot be computed in `layout` without layouts that do not exist.
  static bool isMoved(Operation *op, const LinearLayout &layout) {
    return !isMadeOfNothing(op) && llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
      return isTensor(operand.get()) && !inferOperandLayout(op, operand.getOperandNumber(), layout);
    });
  }

  Value build(OpBuilder &builder, Value v, const LinearLayout &layout) {
    if (getLinearLayout(tensorOf(v)) == layout)
      return v;
    for (auto &[key, value] : made)
      if (key.first == v && key.second == layout)
        return value;
    Operation *op = v.getDefiningOp();
    auto type = withLayout(tensorOf(v), getLayoutAttr(builder.getContext(), layout));
    if (mayConvert && (!op || !(isCheap(op) || isMadeOfNothing(op)) || isMoved(op, layout))) {
      Value converted = ConvertLayoutOp::create(builder, v.getLoc(), type, v);
      made.push_back({{v, layout}, converted});
      return converted;
    }
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (isTensor(operand.get()))
        operands.push_back(build(builder, operand.get(), *inferOperandLayout(op, operand.getOperandNumber(), layout)));
      else
        operands.push_back(operand.get());
    }
    Operation *copy = builder.clone(*op);
    copy->setOperands(operands);
    copy->getResult(0).setType(type);
    made.push_back({{v, layout}, copy->getResult(0)});
    return copy->getResult(0);
  }
};

//===----------------------------------------------------------------------===//
// Out of loops
//===----------------------------------------------------------------------===//

/// What is the same in every iteration is converted once, if the result, which is alive for all of the loop then, is
/// small, or takes the place of its source. (Factors of products: tileas-keep-invariant-tiles.)
bool hoistInvariant(ConvertLayoutOp op) {
  constexpr int64_t smallTile = 16; // registers
  if (bringsFactor(op) || (registersOf(getLinearLayout(op.getType())) > smallTile && !op.getSource().hasOneUse()))
    return false;
  bool moved = false;
  while (auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp())) {
    // What only gives elements other places goes along.
    SmallVector<Operation *> chain = {op};
    Value from = op.getSource();
    while (!loop.isDefinedOutsideOfLoop(from) && from.getDefiningOp() &&
           isa<nv_tileaa::PermuteOp, ViewOp, nv_tileaa::ExpandDimsOp>(from.getDefiningOp())) {
      chain.push_back(from.getDefiningOp());
      from = chain.back()->getOperand(0);
    }
    if (!loop.isDefinedOutsideOfLoop(from))
      break;
    for (Operation *link : llvm::reverse(chain))
      link->moveBefore(loop);
    moved = true;
  }
  return moved;
}

struct RemoveLayoutConversionsPass : nv_tileas::impl::RemoveLayoutConversionsPassBase<RemoveLayoutConversionsPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    int64_t before = conversions().size();
    LayoutPropagation(getOperation()).run();
    int64_t again = 0;
    for (ConvertLayoutOp op : conversions())
      again += Rematerializer::run(op);
    for (ConvertLayoutOp op : conversions())
      numHoisted += hoistInvariant(op);
    loadSmallTilesAsUsed(getOperation());
    reduceAsHeld(getOperation());
    int64_t left = conversions().size();
    numRemoved += before - left;
    numComputedAgain += again;
    numLeft += left;
    namespace remarks = tileiras::remarks;
    (left ? remarks::missed(getOperation(), remarks::kLayout, "Conversions")
          : remarks::passed(getOperation(), remarks::kLayout, "Conversions"))
        << remarks::figure("Removed", before - left) << remarks::figure("ComputedAgain", again)
        << remarks::figure("Left", left)
        << remarks::because(left ? "layouts that loads, stores, reductions and products need meet at these values"
                                 : "the layouts of loads, stores and products spread to all values");
  }

private:
  SmallVector<ConvertLayoutOp> conversions() {
    SmallVector<ConvertLayoutOp> found;
    getOperation().walk([&](ConvertLayoutOp op) { found.push_back(op); });
    return found;
  }
};

} // namespace
