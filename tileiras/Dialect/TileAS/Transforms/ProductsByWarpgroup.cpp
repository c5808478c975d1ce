//===- ProductsByWarpgroup.cpp - Two halves of products -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All products in tensor memory of the function are divided, or none: which thread issues is a matter of the function.
// In loops that only do what each warpgroup can do for itself the warpgroups do not meet; before and behind such a loop
// the block does, because what is written before for the products of both, or again behind, is written by all threads.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ProductsByWarpgroup.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/ProductRing.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/Tcgen05.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
using nv_tileaa::getCountedLoops;
namespace remarks = tileiras::remarks;

namespace {

constexpr int32_t kWarps = 8;        ///< of both warpgroups
constexpr int32_t kRows = 128;       ///< of each
constexpr int kTopBit = 2;           ///< of a warp's number: its warpgroup
constexpr int64_t kLeastPowers = 32; ///< of a thread, that turns are worth

bool isProduct(DotOp dot) { return dot.getAtom() && dot.getAtom()->getCompletion() == Completion::Mbarrier; }

/// Whether each warpgroup has its own 128 of 256 rows of a tile in registers, and nothing of the others.
bool isByRows(RankedTensorType type) {
  tileiras::LinearLayout layout = getLinearLayout(type);
  if (type.getRank() == 0 || type.getShape()[0] != 2 * kRows || layout.inBits(tileiras::kWarp) != kTopBit + 1)
    return false;
  for (tileiras::DimName name : layout.inNames())
    for (int i = 0; i < layout.inBits(name); ++i) {
      const std::vector<int32_t> &basis = layout.basis(name, i);
      bool isTop = name == tileiras::kWarp && i == kTopBit;
      if (isTop != ((basis[0] & kRows) != 0) || (isTop && basis[0] != kRows))
        return false;
    }
  return true;
}

/// Why a product cannot be done in two halves by rows, or nothing.
StringRef whyNot(DotOp dot) {
  auto atom = dyn_cast_if_present<Sm100MmaAtomAttr>(dot.getAtomAttr());
  tileiras::DotShape shape = getDotShape(dot);
  if (!atom || dot.getSfa() || getTcgen05Tiling(atom).m != kRows || shape.m != 2 * kRows ||
      !isIn(dot.getC().getType(), MemoryKind::Tensor))
    return "a product in tensor memory does not have two times 128 rows";
  if (dot->hasAttr(kUnderWayAttr))
    return "nobody waits for a product in its loop";
  return {};
}

/// Why the warpgroups have to meet in the loop, or nothing.
StringRef whyTogether(CountedLoop loop) {
  StringRef why;
  loop->walk([&](Operation *op) {
    if (!why.empty() || op == loop || op->getParentOfType<ReduceOp>())
      return;
    if (auto pipeline = dyn_cast<ConsumerWaitOp>(op)) {
      auto ring = pipeline.getPipeline().getDefiningOp<CreatePipelineOp>();
      if (!ring || ring.getGroups())
        why = "threads of both copy into the stages of a ring and meet for it";
      return;
    }
    if (isa<DotOp, ConsumerReadOp, ConsumerReleaseOp, ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp, IncIterOp,
            PipelineYieldOp, AwaitProductOp, AllocTensorOp>(op))
      return;
    // What fills stages is ordered by the barriers of the ring.
    if (op->getParentOfType<ProducerWriteOp>())
      return;
    if (auto read = dyn_cast<ConvertLayoutOp>(op)) {
      if (!isIn(read.getSource().getType(), MemoryKind::Tensor) || !isByRows(read.getType()))
        why = "elements go from warp to warp";
      return;
    }
    if (auto copy = dyn_cast<CopyOp>(op)) {
      auto type = cast<RankedTensorType>(copy.getSource().getType());
      if (copy.getDest() && (!isIn(copy.getDest().getType(), MemoryKind::Tensor) || !isByRows(type)))
        why = "threads write to shared memory";
      return;
    }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (!reduce.getScratch().empty())
        why = "a reduction is across warps";
      return;
    }
    if (auto branch = dyn_cast<nv_tileaa::Branch>(op); branch || op->hasTrait<OpTrait::IsTerminator>())
      return;
    bool shared = llvm::any_of(op->getOperandTypes(),
                               [](Type type) { return isa<RankedTensorType>(type) && isIn(type, MemoryKind::Shared); });
    if ((shared && !isReshape(op)) || !isMemoryEffectFree(op) || op->getNumRegions() || isa<ScanOp>(op))
      why = "an operation is done by all warps together";
  });
  return why;
}

/// What takes the special functions of a warpgroup most of a round: powers of whole tiles.
bool isPower(Operation *op) {
  if (!isa<math::ExpOp, math::Exp2Op, nv_tileaa::Exp2Op>(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && getLinearLayout(type).inSize(tileiras::kRegister) >= kLeastPowers;
}

/// What all powers of the loop wait for, a number for each row, and the copy to tensor memory that needs all of them.
struct Turn {
  Value start;
  Operation *first = nullptr; ///< that uses it
  CopyOp end;
};

/// The operands that lead to `op`, through arithmetic and shapes, as far as they are small.
void collectSmall(Value value, Block *block, SmallVectorImpl<Value> &found, unsigned depth = 0) {
  Operation *def = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!def || def->getBlock() != block || !type || depth > 6)
    return;
  if (getLinearLayout(type).inSize(tileiras::kRegister) == 1 && type.getElementType().isF32()) {
    if (!llvm::is_contained(found, value))
      found.push_back(value);
    return;
  }
  if (isElementwise(def) || isReshape(def) || isa<nv_tileaa::BroadcastOp>(def))
    for (Value operand : def->getOperands())
      collectSmall(operand, block, found, depth + 1);
}

std::optional<Turn> findTurn(CountedLoop loop) {
  SmallVector<Operation *> powers;
  loop->walk([&](Operation *op) {
    if (isPower(op))
      powers.push_back(op);
  });
  if (powers.size() != 1)
    return std::nullopt;
  Turn turn;
  Block *block = powers.front()->getBlock();
  SmallVector<Value> small;
  collectSmall(powers.front()->getOperand(0), block, small);
  if (small.size() != 1)
    return std::nullopt;
  turn.start = small.front();
  for (Operation *op = powers.front()->getNextNode(); op && !turn.end; op = op->getNextNode())
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getDest() && isIn(copy.getDest().getType(), MemoryKind::Tensor))
      turn.end = copy;
  return turn.end ? std::optional<Turn>(turn) : std::nullopt;
}

/// Waits for the turn behind `start`. What is computed from that comes out of an instruction that no compiler moves
/// before the wait.
void takeTurn(Value start, IntegerAttr number) {
  OpBuilder builder(start.getContext());
  Location loc = start.getLoc();
  builder.setInsertionPointAfterValue(start);
  auto wait = AwaitProductOp::create(builder, loc, number, UnitAttr());
  auto same = nv_tileaa::ElementwiseInlineAsmOp::create(builder, loc, start.getType(), "mov.b32 $0, $1;", "=f,f",
                                                        /*pure=*/false, ValueRange{start});
  same->setAttr(kSameAttr, builder.getUnitAttr());
  start.replaceUsesWithIf(same->getResult(0),
                          [&](OpOperand &use) { return use.getOwner() != same && use.getOwner() != wait; });
}

/// A stage is waited for where it is read, and the one of the round before is filled again behind that: the warpgroup
/// that fills it would wait for the other one at the start of each round otherwise, and both would compute at the same
/// time. (tileas-defer-products has done so with the rings that products release.)
void readApart(CountedLoop loop) {
  for (auto read : llvm::to_vector(loop.getBody()->getOps<ConsumerReadOp>())) {
    auto wait = read.getToken().getDefiningOp<ConsumerWaitOp>();
    auto release = read.getConsumed().hasOneUse() ? dyn_cast<ConsumerReleaseOp>(*read.getConsumed().user_begin())
                                                  : ConsumerReleaseOp();
    if (!wait || !release || release->hasAttr(kByProductsAttr) || wait->getBlock() != read->getBlock() ||
        release->getBlock() != read->getBlock())
      continue;
    wait->moveBefore(read);
    // Where nothing has been filled before the loop, a stage is filled in the round in which it is read.
    bool isFilledBefore = llvm::any_of(read.getPipeline().getUsers(), [&](Operation *user) {
      Operation *here = user->getBlock()->findAncestorOpInBlock(*loop.getOperation());
      return isa<ProducerCommitOp>(user) && here && user->isBeforeInBlock(here);
    });
    if (!isFilledBefore)
      continue;
    SmallVector<Operation *> producers;
    for (Operation *user : read.getPipeline().getUsers())
      if (isa<ProducerAcquireOp, ProducerWriteOp, ProducerCommitOp>(user) && user->getBlock() == loop.getBody() &&
          user->isBeforeInBlock(release))
        producers.push_back(user);
    llvm::sort(producers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    Operation *behind = release;
    for (Operation *op : producers) {
      op->moveAfter(behind);
      behind = op;
    }
  }
}

/// A product whose left factor has the columns of the sums that the next round begins with is waited for behind the
/// wait for that round's stage. Others are waited for where they stand.
void awaitInNextRound(CountedLoop loop, nv_tileaa::FuncOp func) {
  SmallVector<DotOp> dots;
  loop->walk([&](DotOp dot) { dots.push_back(dot); });
  if (dots.size() != 2 || llvm::any_of(dots, [](DotOp dot) { return dot->hasAttr(kAwaitedAsAttr); }))
    return;
  auto first = dyn_cast<ConsumerReadOp>(dots[0]->getParentOp()),
       last = dyn_cast<ConsumerReadOp>(dots[1]->getParentOp());
  if (!first || !last || first == last || first->getBlock() != loop.getBody() ||
      !isIn(dots[1].getA().getType(), MemoryKind::Tensor))
    return;
  // Nobody but the product reads the stage, and nobody touches what is in tensor memory between the two products.
  for (Operation *op = last->getNextNode(); op; op = op->getNextNode())
    if (isa<ConvertLayoutOp, CopyOp>(op))
      return;
  for (Operation &op : llvm::make_range(loop.getBody()->begin(), first->getIterator()))
    if (isa<ConvertLayoutOp, CopyOp>(op))
      return;
  ProductRing ring;
  ring.ring = last.getPipeline().getDefiningOp<CreatePipelineOp>();
  if (!ring.ring || !ring.find().empty() || ring.loop != loop || ring.release->hasAttr(kByProductsAttr) ||
      !llvm::all_of(last.getBody().front().without_terminator(),
                    [&](Operation &op) { return &op == dots[1] || isReshape(&op); }))
    return;
  ring.releaseByProducts();
  OpBuilder builder(first);
  auto number = builder.getI64IntegerAttr(countProductBarriers(func));
  dots[1]->setAttr(kAwaitedAsAttr, number);
  AwaitProductOp::create(builder, dots[1].getLoc(), number, UnitAttr());
  builder.setInsertionPointAfter(loop);
  AwaitProductOp::create(builder, dots[1].getLoc(), number, builder.getUnitAttr());
}

/// All threads meet, and with them what they did in tensor memory.
void meet(OpBuilder &builder, Location loc) { NVVM::Barrier0Op::create(builder, loc); }

} // namespace

unsigned nv_tileas::divideByWarpgroup(nv_tileaa::FuncOp func) {
  ExecutionContext threads = ExecutionContext::of(func);
  SmallVector<DotOp> dots;
  func.walk([&](DotOp dot) {
    if (isProduct(dot))
      dots.push_back(dot);
  });
  // Where nothing is computed beside the products of the same rows, something may be beside those of the others.
  auto gains = [](DotOp dot) {
    return dot->hasAttr(kAwaitedAsAttr) ||
           (isIn(dot.getA().getType(), MemoryKind::Tensor) && dot->getParentOfType<CountedLoop>());
  };
  if (threads.numWarps != kWarps || threads.numCtas != 1 || llvm::none_of(dots, gains))
    return 0;
  // Loops that products are issued in: those around them hold operations of both.
  SmallVector<CountedLoop> loops, others;
  StringRef why, whyNoLoop;
  for (DotOp dot : dots)
    if (why.empty())
      why = whyNot(dot);
  if (func.walk([](NVVM::BarrierOp) { return WalkResult::interrupt(); }).wasInterrupted())
    why = "named barriers are in use";
  for (CountedLoop loop : getCountedLoops(func)) {
    auto ofLoop = [&](DotOp dot) { return dot->getParentOfType<CountedLoop>() == loop; };
    if (!why.empty() || llvm::none_of(dots, ofLoop))
      continue;
    if (StringRef together = whyTogether(loop); !together.empty()) {
      whyNoLoop = together;
      // What a warpgroup waits for may be read by the other one's products as long as they have not met.
      if (loop->walk([](CopyOp copy) {
                return copy.getDest() && isIn(copy.getDest().getType(), MemoryKind::Shared) ? WalkResult::interrupt()
                                                                                            : WalkResult::advance();
              })
              .wasInterrupted())
        why = together;
      others.push_back(loop);
      continue;
    }
    loops.push_back(loop);
  }
  if (why.empty() && loops.empty())
    why = whyNoLoop;
  if (!why.empty() || loops.empty()) {
    remarks::missed(dots.front(), remarks::kProduct, "Warpgroups") << remarks::because(why);
    return 0;
  }
  OpBuilder builder(func.getContext());
  // One of several loops may have turns: where they end, the next turn is that of the first warpgroup again.
  for (CountedLoop loop : loops) {
    readApart(loop);
    awaitInNextRound(loop, func);
  }
  int64_t each = countProductBarriers(func);
  for (CountedLoop loop : loops) {
    std::optional<Turn> turn = findTurn(loop);
    if (!turn)
      continue;
    auto number = builder.getI64IntegerAttr(each);
    func->setAttr(kTurnNumberAttr, number);
    turn->end->setAttr(kEndsTurnAttr, builder.getUnitAttr());
    takeTurn(turn->start, number);
  }
  each += func->hasAttr(kTurnNumberAttr);
  func->setAttr(kByWarpgroupAttr, builder.getI64IntegerAttr(each));
  unsigned divided = 0;
  for (CountedLoop loop : loops) {
    for (DotOp dot : dots)
      if (dot->getParentOfType<CountedLoop>() == loop) {
        dot->setAttr(kMeetsByWarpgroupAttr, builder.getUnitAttr());
        remarks::passed(dot, remarks::kProduct, "Warpgroups")
            << remarks::because("two warpgroups issue the products of their rows, and do not wait for each other");
        ++divided;
      }
    // A row in tensor memory is one thread's, whether it reads or writes it, and products of the row are waited for by
    // that thread, too.
    loop->walk([&](CopyOp copy) {
      if (copy.getDest())
        copy.setNoWarBarrierAttr(builder.getUnitAttr());
    });
    builder.setInsertionPoint(loop);
    meet(builder, loop.getLoc());
  }
  llvm::append_range(others, loops);
  for (CountedLoop loop : others) {
    Operation *last = loop;
    while (auto wait = dyn_cast_or_null<AwaitProductOp>(last->getNextNode()))
      last = wait;
    builder.setInsertionPointAfter(last);
    meet(builder, loop.getLoc());
  }
  return divided;
}
