//===- DynamicPersistent.cpp - tileas-dynamic-persistent ------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A block that has finished its tile block does the work of others.
//
//     by cluster launch control: it asks for a tile block that has not started yet, and that one never runs
//         tile block = own;  do { body } while (one was left: tile block = that)
//     static-stride: of the blocks of the grid only so many stay as the GPU has room for, and divide the tile blocks
//         for (t = own; t < all; t += blocks) { body of t }
//     both: agents divide loops that count, so the loop does until they have. Then tileas-take-over-blocks has it ask.
//
// The grid is launched as before in either case. What does not depend on the tile block (arithmetic on numbers, views)
// stays before the loop.
//
// Clusters whose blocks divide a tile block do the second, all blocks of one alike.
//
// Where blocks synchronise through memory nothing is done: a block that another waits for might be one that has not
// begun, and begins only when this one is done. Nor where the first block of a cluster does all of a tile block, or
// something else knows which block it is (TileBlocks.h).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/ScaleColumns.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/AlternateTiles.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Dialect/TileAS/Transforms/RingCandidate.h"
#include "tileiras/Dialect/TileAS/Transforms/TensorMapCost.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_DYNAMICPERSISTENTPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

struct DynamicPersistentPass : nv_tileas::impl::DynamicPersistentPassBase<DynamicPersistentPass> {
  using DynamicPersistentPassBase::DynamicPersistentPassBase;

  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    if (!func->hasAttr(nv_tileaa::kKernelSpecAttr))
      return;
    if (isPersistent(func)) {
      if (!onlyWhereFaster)
        func.emitWarning("Kernel is already dynamic persistent");
      return;
    }
    if (StringRef why = obstacle(); !why.empty()) {
      remarks::missed(func, remarks::kSchedule, "Persistent") << remarks::because(why);
      return;
    }
    if (StringRef why = onlyWhereFaster ? whyNotFaster() : ""; !why.empty()) {
      remarks::missed(func, remarks::kSchedule, "Persistent")
          << remarks::figure("Alternatives", "dynamic-persistent=true") << remarks::because(why);
      return;
    }
    if (!divides())
      takeOverBlocks();
    else
      stride();
    remarks::passed(func, remarks::kSchedule, "Persistent")
        << remarks::because(!divides()    ? "a block takes over tile blocks that have not started"
                            : takesOver() ? "blocks divide the tile blocks, until agents have divided the loop"
                            : blocksOfCluster() > 1 ? "clusters divide the tile blocks, one after the other"
                                                    : "blocks divide the tile blocks, one after the other");
  }

private:
  /// Clusters divide the tile blocks in any case: launch control would have to tell all blocks of one.
  bool divides() { return staticStride || blocksOfCluster() > 1; }
  bool takesOver() { return takeOver && blocksOfCluster() == 1; }

  static bool isPersistent(nv_tileaa::FuncOp func) {
    return func
        .walk([](Operation *op) {
          return op->hasAttr(kPersistentAttr) || isa<nv_tileaa::CancelNextProgramIdOp>(op) ? WalkResult::interrupt()
                                                                                           : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Why a block for each tile block is expected to be as fast; nothing if it is not. What is gained is that an agent
  /// copies for the next products, and these begin, while the sums of the last ones are stored: by the model of H200, 3
  /// to 30 % of products of two warpgroups (docs/scheduler.md). Where blocks take over the work of others, or sums are
  /// in tensor memory, nothing is; where there are no agents, or tiles are small, the loop costs more than it gains.
  StringRef whyNotFaster() {
    nv_tileaa::FuncOp func = getOperation();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if (blocksOfCluster() > 1)
      return whyNotFasterInPairs();
    if (!staticStride || !target || !target->setMaxNReg || !target->hasTma() || !target->tensormapReplace ||
        getTmaPreference() == TmaPreference::Never)
      return "agents would not copy for the next tile block meanwhile";
    auto spec = func->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
    constexpr int32_t warps = 8, warpsOfTwo = 4; // two agents of as many have every other tile block
    if ((spec.getNumWarps() != warps &&
         !((alternate || func->hasAttr(kAlternatesAttr)) && spec.getNumWarps() == warpsOfTwo)) ||
        shareMultiprocessor(func))
      return "the blocks that share a multiprocessor store while others multiply";
    // One loop that adds up products by an asynchronous unit, and nothing else that takes time.
    StringRef why;
    int loops = 0, products = 0;
    DotOp product;
    func.walk([&](Operation *op) {
      if (auto dot = dyn_cast<DotOp>(op)) {
        ++products;
        product = dot;
        if (!dot.getAtom() || dot.getAtom()->getCompletion() != Completion::WaitGroup)
          why = "products are not those of an asynchronous unit that adds up in registers";
      } else if (isa<CountedLoop>(op)) {
        ++loops;
        CountedLoop loop(op);
        if (op->getParentOp() != func)
          why = "its loops have loops in them";
        else if (llvm::any_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                              dependsOnTileBlock))
          why = "tile blocks have different numbers of rounds: dividing them beforehand is no fair share";
        else if (std::optional<APInt> rounds = loop.getStaticTripCount(); rounds && rounds->ult(kFewRounds))
          why = "its loop has too few rounds";
      } else if (isa<nv_tileaa::Branch, RegionBranchOpInterface, ReduceOp, ScanOp>(op)) {
        why = "more than products are computed";
      }
    });
    if (!why.empty())
      return why;
    if (loops != 1 || products != 1)
      return "there is not one loop with one product";
    if (product.getResult().getType().getNumElements() < kLeastSumsOfPersistent)
      return "tiles of less than 128x128 sums are stored too soon to gain by it";
    return bytesUnderWay(product) < leastBytesUnderWay(/*moreThanProducts=*/false)
               ? "the stages of the rings hold too little for agents"
               : "";
  }

  /// Whether a factor is loaded with the same coordinates in all blocks of a cluster; nothing if it is not loaded for
  /// the product alone.
  static std::optional<bool> isLoadedAlike(Value factor) {
    while (Operation *def = factor.getDefiningOp()) {
      if (auto load = dyn_cast<TiledLoadOp>(def))
        return llvm::all_of(load.getIndices(), isSameInAllBlocks);
      if (!isReshape(def) && !isa<ConvertLayoutOp>(def))
        break;
      factor = def->getOperand(0);
    }
    return std::nullopt;
  }

  /// The same of clusters: those of two blocks gain that will multiply together (tileas-plan-cta), as an agent copies
  /// for the next tile block while the sums of the last one are read (docs/scheduler.md, by the model of B200). What
  /// else is loaded keeps the blocks together in the loop, and small tiles leave room for several blocks instead.
  StringRef whyNotFasterInPairs() {
    nv_tileaa::FuncOp func = getOperation();
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if (!target || !target->hasTcgen05() || blocksOfCluster() != 2 || getTmaPreference() == TmaPreference::Never ||
        shareMultiprocessor(func))
      return "clusters of two blocks gain that multiply together, alone on their multiprocessors";
    constexpr int64_t rows = 128, leastColumns = 128;
    int loops = 0, products = 0;
    bool pairs = true, others = false;
    func.walk([&](Operation *op) {
      if (auto dot = dyn_cast<DotOp>(op)) {
        ++products;
        ArrayRef<int64_t> sums = dot.getType().getShape();
        pairs &= isa_and_present<Sm100MmaAtomAttr>(dot.getAtomAttr()) && sums.size() == 2 && sums[0] == rows &&
                 sums[1] >= leastColumns && isLoadedAlike(dot.getA()) == false && isLoadedAlike(dot.getB()) == true &&
                 (!dot.getSfa() || getScaleTile(dot));
      } else if (CountedLoop loop = dyn_cast<CountedLoop>(op)) {
        ++loops;
        others |=
            op->getParentOp() != func ||
            llvm::any_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}, dependsOnTileBlock);
      } else if (isa<nv_tileaa::Branch, RegionBranchOpInterface, ReduceOp, ScanOp>(op)) {
        others = true;
      } else if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op); access && access.readsMemory()) {
        others |= op->getParentOp() == func;
      }
    });
    if (!pairs || products != 1)
      return "clusters gain whose blocks multiply 128 rows each by the same 128 columns or more";
    return others || loops != 1 ? "clusters gain that load factors, in one loop, and nothing else" : "";
  }

  /// What a ring of the factors of a product has under way: of as many stages as were asked for, or have room in a
  /// multiprocessor, of which a persistent block has all.
  int64_t bytesUnderWay(DotOp product) {
    int64_t stage = 0;
    for (Value factor : {product.getA(), product.getB()}) {
      auto tile = cast<RankedTensorType>(factor.getType());
      stage += tile.getNumElements() * getStorageBytes(tile.getElementType());
    }
    int64_t room = SharedMemory(getOperation()).room() / std::max<int64_t>(stage, 1);
    SmallVector<Operation *> loads;
    for (Operation &op : *product->getBlock())
      if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op); access && access.getLoaded())
        loads.push_back(&op);
    int64_t stages = stagesAskedFor(loads, numStages).first;
    return stage * stagesUnderWay(std::min(stages, room), /*moreThanProducts=*/false);
  }

  StringRef obstacle() {
    nv_tileaa::FuncOp func = getOperation();
    if (!llvm::hasSingleElement(func.getBody()) || func.getNumResults() != 0)
      return "it is no kernel of one block of operations";
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(func);
    if ((!divides() || takesOver()) && (!target || !target->launchControl))
      return "the target has no cluster launch control; there is static-stride";
    if (divides() && blocksThatStay() == 0)
      return "nobody knows how many multiprocessors the GPU has";
    return whyTileBlocksStay(func, /*clustersGo=*/true);
  }

  /// Operations that are the same for every tile block, and no tiles.
  llvm::SetVector<Operation *> invariants() {
    llvm::SetVector<Operation *> found;
    for (Operation &op : getOperation().getBody().front().without_terminator()) {
      bool number = op.getNumRegions() == 0 && isMemoryEffectFree(&op) && !isa<nv_tileaa::GetProgramIdOp>(op) &&
                    llvm::none_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
      if (number && llvm::all_of(op.getOperands(), [&](Value operand) {
            return !operand.getDefiningOp() || found.contains(operand.getDefiningOp());
          }))
        found.insert(&op);
    }
    return found;
  }

  /// Moves the body of the kernel behind the beginning of `to`; program ids become `ids`.
  void moveBody(const llvm::SetVector<Operation *> &stays, Operation *loop, Block *to, ValueRange ids) {
    Block &from = getOperation().getBody().front();
    Operation *first = to->empty() ? nullptr : &to->front();
    for (Operation &op : llvm::make_early_inc_range(from.without_terminator()))
      if (&op != loop && !stays.contains(&op)) {
        if (first)
          op.moveBefore(first);
        else
          op.moveBefore(to, to->end());
      }
    to->walk([&](nv_tileaa::GetProgramIdOp op) {
      op.replaceAllUsesWith(ids);
      op.erase();
    });
  }

  void takeOverBlocks() {
    nv_tileaa::FuncOp func = getOperation();
    llvm::SetVector<Operation *> stays = invariants();
    Location loc = func.getLoc();
    OpBuilder builder(func.getBody().front().getTerminator());
    auto own = nv_tileaa::GetProgramIdOp::create(builder, loc);
    stays.insert(own);
    auto go = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    stays.insert(go);
    SmallVector<Value> begin = llvm::to_vector_of<Value>(own.getResults());
    begin.push_back(go);
    SmallVector<Type> ids(3, builder.getI32Type()), all = ids;
    all.push_back(builder.getI1Type());
    auto loop = scf::WhileOp::create(builder, loc, ids, begin);
    loop->setAttr(kPersistentAttr, builder.getUnitAttr());
    Block *before = builder.createBlock(&loop.getBefore(), {}, all, SmallVector<Location>(4, loc));
    scf::ConditionOp::create(builder, loc, before->getArgument(3), before->getArguments().take_front(3));
    Block *body = builder.createBlock(&loop.getAfter(), {}, ids, SmallVector<Location>(3, loc));
    // The answer, and the barrier that says it is there.
    constexpr int64_t bytes = 32;
    Attribute layout = getSharedLayoutAttr(builder.getContext(), tileiras::sharedLayout({int32_t(bytes)}, {0}));
    Value memory =
        AllocTensorOp::create(builder, loc, RankedTensorType::get({bytes}, builder.getI8Type(), layout), IntegerAttr());
    auto scratch = WithScratchOp::create(builder, loc, all, memory);
    scf::YieldOp::create(builder, loc, scratch.getResults());
    builder.createBlock(&scratch.getBody());
    auto next =
        nv_tileaa::CancelNextProgramIdOp::create(builder, loc, nv_tileaa::ProgramIdType::get(builder.getContext()));
    auto valid = nv_tileaa::IsValidProgramIdOp::create(builder, loc, builder.getI1Type(), next);
    auto where = ProgramIdCoordinatesOp::create(builder, loc, ids, next);
    SmallVector<Value> values = llvm::to_vector_of<Value>(where.getResults());
    values.push_back(valid);
    YieldOp::create(builder, loc, values);
    moveBody(stays, loop, body, body->getArguments());
  }

  void stride() {
    nv_tileaa::FuncOp func = getOperation();
    llvm::SetVector<Operation *> stays = invariants();
    Location loc = func.getLoc();
    OpBuilder builder(func.getBody().front().getTerminator());
    auto keep = [&](Operation *op) {
      stays.insert(op);
      return op->getResult(0);
    };
    auto id = nv_tileaa::GetProgramIdOp::create(builder, loc);
    auto grid = nv_tileaa::GetNumProgramsOp::create(builder, loc);
    stays.insert(id);
    stays.insert(grid);
    SmallVector<int64_t> staying{blocksThatStay(), blocks ? 0 : blocksOfMultiprocessor()};
    if (int64_t together = blocksOfCluster(); together > 1) {
      staying[0] = std::max<int64_t>(1, staying[0] / together);
      staying.push_back(together);
    }
    func->setAttr(kStayingBlocksAttr, builder.getDenseI64ArrayAttr(staying));
    auto [first, all, step, divide] =
        divideGrid(builder, loc, id.getResults(), grid.getResults(), staying, [&](Operation *op) { stays.insert(op); });
    // A block that does not stay has no round. With one tile block for each, or more of them than words count, all stay
    // and do their own.
    Value stay = keep(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, first, step));
    Type word = builder.getI32Type();
    Value none = keep(arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)));
    Value one = keep(arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1)));
    auto inWords = [&, divide = divide](Value wide, Value otherwise) {
      Value narrow = keep(arith::TruncIOp::create(builder, loc, word, wide));
      return keep(arith::SelectOp::create(builder, loc, divide, narrow, otherwise));
    };
    Value begin = inWords(first, none), end = inWords(all, one);
    Value nothing = keep(arith::SelectOp::create(builder, loc, stay, end, begin));
    end = keep(arith::SelectOp::create(builder, loc, divide, nothing, one));
    auto loop = scf::ForOp::create(builder, loc, begin, end, inWords(step, one));
    loop->setAttr(kPersistentAttr, builder.getUnitAttr());
    // Which tile block it is follows from its number. Coordinates that agents carried from round to round would be
    // registers of every thread, where sums leave none; two divisions are nothing beside a tile block.
    Block *body = loop.getBody();
    builder.setInsertionPointToStart(body);
    SmallVector<Value> ids;
    if (takesOver()) {
      loop->setAttr(kTakesOverAttr, builder.getUnitAttr());
      SmallVector<Type> words(3, word);
      auto of = ProgramIdOfRoundOp::create(builder, loc, words, loop.getInductionVar(), divide);
      ids = SmallVector<Value>(of.getResults());
    } else {
      ids = programIdOfRound(builder, loc, loop.getInductionVar(), divide, grid->getResults(), id->getResults());
    }
    // Behind what makes the coordinates.
    Block &from = func.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(from.without_terminator()))
      if (&op != loop && !stays.contains(&op))
        op.moveBefore(body->getTerminator());
    body->walk([&](nv_tileaa::GetProgramIdOp op) {
      op.replaceAllUsesWith(ids);
      op.erase();
    });
  }

  int64_t blocksOfMultiprocessor() {
    auto occupancy = getOperation()->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr);
    return std::max<int64_t>(1, occupancy ? occupancy.getInt() : 1);
  }

  int64_t blocksOfCluster() { return ExecutionContext::of(getOperation().getOperation()).numCtas; }

  int64_t blocksThatStay() {
    if (blocks)
      return blocks;
    return multiprocessorsOfTarget(getOperation()) * blocksOfMultiprocessor();
  }
};

} // namespace
