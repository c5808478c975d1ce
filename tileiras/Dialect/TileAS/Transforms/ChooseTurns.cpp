//===- ChooseTurns.cpp - tileas-choose-turns ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two ways for two warpgroups to go through the tile blocks of a persistent product:
//
//     shared:       both have half of every tile block.  products | epilogue | products | epilogue ...
//     alternating:  each has every other one.            products | epilogue            | products ...
//                                                                 | products            | epilogue ...
//
// (AlternateTiles.h; CUTLASS's cooperative and pingpong schedules). An epilogue is what is computed with the sums
// before they are stored; the stores themselves are those of a unit of its own (tileas-stage-stores) in both.
// Alternating hides the epilogue of one agent behind the products of the other one. It costs that the turn is handed
// over: there and back by a barrier between agents, and until the last product is done that the next one waits for.
// While warps that share have their epilogue copies go on and fill the ring, and products catch up: what is hidden has
// to be more than a stage of them, too. So an epilogue has to take longer than
//
//     2 * hand-over + the tail of products + the products of a stage
//
// which are figures of the machine model (Schedule/MachineModel.h), as is what the epilogue takes: its arithmetic, one
// operation after the other on the unit that does it, and loads behind the loop, which nothing else hides.
//
// Agents that have a tile block each have four warps. That decides how tiles are sliced, which layouts they have and
// whether the kernel becomes persistent, all of it before there are agents. Therefore the choice is made here, from
// what is there before tiles have layouts, and marked (kAlternatesAttr). It is made where everything that is asked
// later is expected to be answered with yes; a kernel that later turns out to be no loop of agents is as right, and
// slower.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ChooseTurns.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAA/IR/Dot.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAA/IR/WarpHints.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "tileiras/Dialect/TileAS/Transforms/ElementwiseCost.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Dialect/TileAS/Transforms/TensorMapCost.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_CHOOSETURNSPASS
#include "tileiras/Dialect/TileAS/Transforms/ChooseTurns.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using tileiras::schedule::TargetCosts;
namespace remarks = tileiras::remarks;
namespace aa = mlir::nv_tileaa;

namespace {

constexpr int32_t kWarps = 4; ///< of each agent
/// Sums that four warps can hold beside what they compute of them.
constexpr int64_t kMostSums = 128 * 128;

/// Of a tile that has no layout yet.
int64_t bytesOf(RankedTensorType tile) { return tile.getNumElements() * getStorageBytes(tile.getElementType()); }

/// Its extents but those of 1.
SmallVector<int64_t> extentsOf(Value tile) {
  SmallVector<int64_t> extents(cast<RankedTensorType>(tile.getType()).getShape());
  llvm::erase(extents, 1);
  return extents;
}

/// The load of a factor, behind changes of its shape that leave its extents whole; null if it is computed.
aa::TiledLoadOp loadOf(Value factor) {
  Operation *def = factor.getDefiningOp();
  while (isa_and_nonnull<aa::PermuteOp, aa::ExpandDimsOp>(def) ||
         (isa_and_nonnull<aa::ViewOp>(def) && extentsOf(def->getOperand(0)) == extentsOf(def->getResult(0))))
    def = def->getOperand(0).getDefiningOp();
  return dyn_cast_if_present<aa::TiledLoadOp>(def);
}

/// A kernel whose agents might have every other tile block.
class Candidate {
public:
  Candidate(aa::FuncOp func, const tileiras::TargetInfo &target, unsigned numStages)
      : func(func), target(target), costs(tileiras::schedule::costsFor(target.computeCapability)),
        numStages(numStages) {}

  /// Why its agents cannot have every other tile block, or would not be expected to by what decides later; nothing if
  /// they can.
  std::string whyNot() {
    if (!target.setMaxNReg || !target.hasTma() || !target.tensormapReplace || !target.hasWgmma() ||
        getTmaPreference() == TmaPreference::Never)
      return "agents of warpgroups would not multiply what TMA copies";
    if (shareMultiprocessor(func))
      return "the blocks that share a multiprocessor store while others multiply";
    if (StringRef why = whyTileBlocksStay(func); !why.empty())
      return why.str();
    if (StringRef why = findLoop(); !why.empty())
      return why.str();
    if (StringRef why = checkLoop(); !why.empty())
      return why.str();
    std::optional<int64_t> words = wordsOfSumsInPlace(func);
    if (!words || *words > ResourceModel(func, &target).room(kWarps, 1))
      return "what is done with the sums needs more registers than theirs";
    if (areReplaced())
      return "tiles take the place of the sums before the last step, for which there are no registers";
    if (StringRef why = checkEnd(); !why.empty())
      return why.str();
    if (int64_t known = tileBlocks(); known && known <= multiprocessorsOfTarget(func))
      return "no multiprocessor has a second tile block";
    return whyNotTma();
  }

  /// Cycles of what is computed with the sums.
  int64_t epilogue() {
    double cycles = 0;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      cycles += cyclesOf(op);
    return int64_t(cycles);
  }

  /// Cycles of the products of a round.
  int64_t round() {
    tileiras::DotShape shape = MmaProblem::of(product)->shape;
    double bits = 8.0 * getStorageBytes(cast<RankedTensorType>(product.getA().getType()).getElementType());
    return int64_t(double(shape.m) * shape.n * shape.k * shape.batch * bits / 16 / costs.f16MultiplyAdds);
  }

  /// Cycles that handing the turn over costs, and that warps which share a tile block make good.
  int64_t turns() { return 2 * costs.handOver + costs.productTail + round(); }

private:
  StringRef findLoop() {
    int loops = 0;
    StringRef why;
    int products = 0;
    func.walk([&](Operation *op) {
      products += isa<aa::DotOp, aa::MmaBlockScaleOp>(op);
      if (auto dot = dyn_cast<aa::DotOp>(op))
        product = dot;
      else if (auto counted = dyn_cast<CountedLoop>(op)) {
        ++loops;
        loop = counted;
      } else if (op != func && op->getNumRegions())
        why = "more than products is computed";
    });
    if (!why.empty())
      return why;
    if (loops != 1 || products != 1 || !product || loop->getParentOp() != func || product->getParentOp() != loop)
      return "there is not one loop with one product";
    return "";
  }

  /// One that tileas-dynamic-persistent and tileas-materialize-schedule take.
  StringRef checkLoop() {
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (dependsOnTileBlock(bound) || !bound.getType().isInteger(32))
        return "tile blocks have different numbers of rounds";
    if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && rounds->ult(kFewRounds))
      return "its loop has too few rounds";
    int64_t elements = cast<RankedTensorType>(product.getType()).getNumElements();
    if (elements < kLeastSumsOfPersistent)
      return "tiles of less than 128x128 sums are stored too soon to gain by it";
    if (elements > kMostSums)
      return "four warps cannot hold the sums of a tile block";
    auto sums = dyn_cast<BlockArgument>(product.getC());
    if (!sums || sums.getOwner() != loop.getBody() || loop.getTiedLoopYieldedValue(sums)->get() != product.getResult())
      return "its sums are not those of one product in each round";
    std::optional<MmaProblem> problem = MmaProblem::of(product);
    if (!problem)
      return "nobody knows what it multiplies";
    MmaAtomAttrInterface atom = selectMmaAtom(*problem, target, kWarps);
    auto wgmma = dyn_cast_if_present<WgmmaAtomAttr>(Attribute(atom));
    if (!wgmma)
      return "products are not those of an asynchronous unit that adds up in registers";
    if (wgmma.getSpan())
      return "sums of 8-bit floats are added up by the threads, too, and take their registers twice";
    if (wgmma.getElement() != problem->element)
      return "factors are multiplied as another type, and widened by the threads";
    if (problem->across && getStorageBytes(problem->element) != 2)
      return "factors lie across, and have to be turned on their way";
    loads = {loadOf(product.getA()), loadOf(product.getB())};
    if (!loads[0] || !loads[1] || loads[0] == loads[1])
      return "factors are computed, not copied, or one load is both";
    if (isAfterMemory())
      return "what is copied, or how often, depends on what the kernel has loaded or stored";
    for (Operation &op : *loop.getBody()) {
      bool tiles = llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
      bool known =
          &op == product || &op == loads[0] || &op == loads[1] || isa<aa::PermuteOp, aa::ViewOp, aa::ExpandDimsOp>(op);
      if (!known && (tiles || !isMemoryEffectFree(&op)))
        return "more than products is computed in its loop";
    }
    int64_t stage = 0;
    for (Value factor : {product.getA(), product.getB()})
      stage += bytesOf(cast<RankedTensorType>(factor.getType()));
    // Each agent has a place of its own for what it stores.
    int64_t room = (target.maxDynamicShared - 2 * bytesToStore()) / std::max<int64_t>(stage, 1);
    int64_t stages = stagesAskedFor({loads[0], loads[1]}, numStages).first;
    if (stage * stagesUnderWay(std::min(stages, room), /*moreThanProducts=*/false) <
        leastBytesUnderWay(/*moreThanProducts=*/false))
      return "the stages of the rings hold too little for agents";
    return "";
  }

  /// Whether bounds of the loop, or what its loads read, come from memory, or after something else that the kernel does
  /// to it: an agent that only copies does not have it.
  bool isAfterMemory() {
    SmallVector<Value> open{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
    for (aa::TiledLoadOp load : loads)
      llvm::append_range(open, load->getOperands());
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!open.empty()) {
      Value value = open.pop_back_val();
      Operation *def = value.getDefiningOp();
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == loop.getBody())
        if (OpOperand *initial = loop.getTiedLoopInit(argument))
          open.push_back(initial->get());
      if (!def || !seen.insert(def).second)
        continue;
      if (!isa<aa::MakeMemRefOp>(def) && !isMemoryEffectFree(def) && !isa<aa::GetProgramIdOp>(def))
        return true;
      llvm::append_range(open, def->getOperands());
    }
    return false;
  }

  /// What else there is no room for beside 128 sums of a thread: addresses of single elements, coordinates of more than
  /// two dimensions, results that are stored twice or computed from several tiles of memory.
  StringRef checkEnd() {
    bool hasThird = func.walk([](aa::GetProgramIdOp id) {
                          return id.getResults().back().use_empty() ? WalkResult::advance() : WalkResult::interrupt();
                        })
                        .wasInterrupted();
    if (hasThird) // one more division for each tile block
      return "the third coordinate of a tile block needs registers, too";
    int loadsBehind = 0, stores = 0;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
      auto access = dyn_cast<aa::MemoryAccessOpInterface>(op);
      if (access && access.getLoaded())
        ++loadsBehind;
      auto store = dyn_cast<aa::TiledStoreOp>(op);
      if (access && !access.getLoaded() && !store)
        return "elements are stored one by one";
      if (store && ++stores && cast<aa::TiledViewType>(store.getView().getType()).getTileShape().size() > 2)
        return "a tile of more than two dimensions is stored";
      auto tile =
          op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
      if (tile && isElementwise(op) && !op->getResult(0).use_empty() && !op->getResult(0).hasOneUse() &&
          tile.getNumElements() == cast<RankedTensorType>(product.getType()).getNumElements() && !isNarrow(tile))
        return "what is computed with the sums is needed twice";
    }
    return loadsBehind > 1 || stores > 1 ? "several tiles are loaded or stored behind the loop" : "";
  }

  static bool isNarrow(RankedTensorType tile) {
    return tile && tile.getElementType().isIntOrFloat() && tile.getElementTypeBitWidth() <= 16;
  }

  /// Bytes of the tile that is stored in shared memory; more than that go through two halves of it in slices
  /// (tileas-stage-stores).
  int64_t bytesToStore() {
    constexpr int64_t most = 64 << 10;
    int64_t bytes = 0;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (auto store = dyn_cast<aa::TiledStoreOp>(op))
        if (auto tile = dyn_cast<RankedTensorType>(store.getValue().getType()))
          bytes = std::max(bytes, std::min(bytesOf(tile), most));
    return bytes;
  }

  /// How many tile blocks there are, as far as the extents of what is stored say; 0 if they do not.
  int64_t tileBlocks() {
    int64_t most = 0;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
      auto store = dyn_cast<aa::TiledStoreOp>(op);
      if (!store)
        continue;
      auto view = cast<aa::TiledViewType>(store.getView().getType());
      int64_t count = 1;
      for (auto [d, extent] : llvm::enumerate(view.getTileShape())) {
        int64_t whole = view.getSource().getShape()[view.getDimMap()[d]];
        count *= ShapedType::isDynamic(whole) ? 0 : llvm::divideCeil(whole, extent);
      }
      if (!count)
        return 0;
      most = std::max(most, count);
    }
    return most;
  }

  /// Whether copies are sure to be those of TMA: base and strides are known to be multiples of 16 bytes. Otherwise the
  /// agent that copies has a second way, by its threads, and where it takes that the turns wait for them.
  std::string whyNotTma() {
    constexpr int64_t bytes = 16;
    aa::AxisInfoAnalysisResult axis(func);
    for (aa::TiledLoadOp load : loads) {
      auto view = cast<aa::TiledViewType>(load.getView().getType());
      if (BoolAttr allowed = load.getAllowTmaAttr(); allowed && !allowed.getValue())
        return "a hint keeps TMA from copying";
      if (std::string why = whyNoTma(view); !why.empty())
        return "TMA does not copy its factors: " + why;
      AccessWidth width = analyzeAccess(load, axis);
      if (width.vec * getStorageBytes(view.getSource().getElementType()) < bytes)
        return "TMA may not be able to copy its factors: " + width.why;
    }
    return "";
  }

  /// Whether other tiles take the place of the sums before the last step. What is computed while the sums are alive is
  /// done element by element (CodeGen/PressureSchedule.h). A tile that the sums end with, and that is not rounded to
  /// fewer bits at once, is there as a whole first; with 128 sums of a thread ptxas 13.0 then has too few registers and
  /// spills (docs/scheduler.md).
  bool areReplaced() {
    auto isNarrower = [](Operation *user) {
      auto tile =
          user->getNumResults() == 1 ? dyn_cast<RankedTensorType>(user->getResult(0).getType()) : RankedTensorType();
      return isa<aa::TiledStoreOp>(user) || (isElementwise(user) && isNarrow(tile));
    };
    return llvm::any_of(loop->getUsers(), [&](Operation *op) {
      // The last one that uses them: nothing else to do with the sums is alive behind it.
      bool isLast = llvm::none_of(loop->getUsers(), [&](Operation *other) { return op->isBeforeInBlock(other); });
      return isLast && !isNarrower(op) && !llvm::all_of(op->getUsers(), isNarrower);
    });
  }

  double cyclesOf(Operation *op) {
    if (auto access = dyn_cast<aa::MemoryAccessOpInterface>(op); access && access.getLoaded()) {
      auto tile = dyn_cast<RankedTensorType>(access.getLoaded().getType());
      return tile ? costs.memoryLatency + bytesOf(tile) / costs.memoryBytes : 0;
    }
    auto tile = op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
    if (!tile || !isElementwise(op))
      return 0;
    // What is computed of a number for all elements is computed once.
    bool once = llvm::all_of(op->getOperands(), [](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && (isa<aa::SplatOp>(def) || def->hasTrait<OpTrait::ConstantLike>());
    });
    return once ? 0 : getElementwiseCost(op, tile.getNumElements(), costs).cycles;
  }

  aa::FuncOp func;
  const tileiras::TargetInfo &target;
  const TargetCosts &costs;
  unsigned numStages;
  CountedLoop loop;
  aa::DotOp product;
  std::array<aa::TiledLoadOp, 2> loads;
};

struct ChooseTurnsPass : nv_tileas::impl::ChooseTurnsPassBase<ChooseTurnsPass> {
  using Base::Base;

  void runOnOperation() override {
    aa::FuncOp func = getOperation();
    auto spec = func->getAttrOfType<aa::KernelSpecAttr>(aa::kKernelSpecAttr);
    const tileiras::TargetInfo *target = aa::getTarget(func);
    if (!spec || func.isDeclaration() || !llvm::hasSingleElement(func.getBody()))
      return;
    if (!target || !target->hasWgmma() || !multiplies(func))
      return;
    if (fixedWarps || func->hasAttr(aa::kHintedWarpsAttr))
      return missed("so many warps were asked for");
    Candidate candidate(func, *target, numStages);
    if (std::string why = candidate.whyNot(); !why.empty())
      return missed(why);
    int64_t epilogue = candidate.epilogue(), cost = candidate.turns();
    if (epilogue <= cost)
      return missed(
          "what is computed with the sums takes no longer than handing over the turn, and products of a stage",
          epilogue, cost);
    remarks::passed(func, remarks::kSchedule, "TileTurns")
        << remarks::figure("Epilogue", epilogue) << remarks::figure("Turns", cost)
        << remarks::figure("Round", candidate.round()) << remarks::figure("Warps", kWarps)
        << remarks::figure("Alternatives", "turns=never")
        << remarks::because("an agent computes with the sums of a tile block while the other one multiplies");
    ++numAlternating;
    func->setAttr(kAlternatesAttr, UnitAttr::get(func.getContext()));
    aa::setNumWarps(func, kWarps);
  }

private:
  static bool multiplies(aa::FuncOp func) {
    return func
        .walk([](Operation *op) {
          return isa<aa::DotOp, aa::MmaBlockScaleOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void missed(const Twine &why, int64_t epilogue = -1, int64_t cost = -1) {
    auto remark = remarks::missed(getOperation(), remarks::kSchedule, "TileTurns");
    if (!remark)
      return;
    if (epilogue >= 0)
      remark << remarks::figure("Epilogue", epilogue) << remarks::figure("Turns", cost);
    remark << remarks::figure("Alternatives", "turns=tile-blocks") << remarks::because(why);
  }
};

} // namespace
