//===- Loops.cpp - Loops that count, and branches -------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/IR/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// CountedLoop
//===----------------------------------------------------------------------===//

bool CountedLoop::classof(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return false;
  auto isValue = [](std::optional<OpFoldResult> bound) { return bound && isa<Value>(*bound); };
  if (!isValue(loop.getSingleLowerBound()) || !isValue(loop.getSingleUpperBound()) || !isValue(loop.getSingleStep()))
    return false;
  Block &body = op->getRegion(0).front();
  if (body.empty() || !body.back().hasTrait<OpTrait::IsTerminator>()) // somebody is making it
    return false;
  std::optional<Value> counter = loop.getSingleInductionVar();
  std::optional<MutableArrayRef<OpOperand>> yielded = loop.getYieldedValuesMutable();
  std::optional<ResultRange> results = loop.getLoopResults();
  if (!counter || !yielded || !results || body.getNumArguments() == 0 || *counter != body.getArgument(0))
    return false;
  size_t carried = body.getNumArguments() - 1;
  return loop.getRegionIterArgs().size() == carried && loop.getInitsMutable().size() == carried &&
         results->size() == carried && op->getNumResults() == carried && yielded->size() == carried &&
         body.getTerminator()->getNumOperands() == carried;
}

bool CountedLoop::getUnsignedCmp() const {
  auto loop = dyn_cast<scf::ForOp>(state());
  return loop && loop.getUnsignedCmp();
}

std::optional<unsigned> CountedLoop::getCarriedNumber(Value argument) const {
  auto own = dyn_cast<BlockArgument>(argument);
  if (!own || own.getOwner() != getBody() || own.getArgNumber() == 0)
    return std::nullopt;
  return own.getArgNumber() - 1;
}

std::optional<unsigned> CountedLoop::getCarriedNumber(OpOperand &init) const {
  MutableArrayRef<OpOperand> inits = getInitsMutable();
  if (init.getOwner() != state() || &init < inits.begin() || &init >= inits.end())
    return std::nullopt;
  return &init - inits.begin();
}

FailureOr<CountedLoop> CountedLoop::replaceWithAdditionalYields(RewriterBase &rewriter, ValueRange inits,
                                                                const NewYieldValuesFn &yielded) const {
  FailureOr<LoopLikeOpInterface> wider =
      interface().replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yielded);
  if (failed(wider))
    return failure();
  return cast<CountedLoop>(wider->getOperation());
}

LogicalResult CountedLoop::setCounts(Value lower, Value step) const {
  auto loop = dyn_cast<scf::ForOp>(state());
  if (!loop)
    return failure();
  loop.setLowerBound(lower);
  loop.setStep(step);
  return success();
}

Value CountedLoop::isBelow(OpBuilder &builder, Location loc, Value a, Value b) const {
  auto below = getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(builder, loc, below, a, b);
}

Value CountedLoop::isNotFirst(OpBuilder &builder, Location loc) const {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, getInductionVar(), getLowerBound());
}

Value CountedLoop::hasNext(OpBuilder &builder, Location loc) const {
  Value left = arith::SubIOp::create(builder, loc, getUpperBound(), getInductionVar());
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left, getStep());
}

SmallVector<CountedLoop> nv_tileaa::getCountedLoops(Operation *root) {
  SmallVector<CountedLoop> loops;
  root->walk([&](CountedLoop loop) { loops.push_back(loop); });
  return loops;
}

//===----------------------------------------------------------------------===//
// Branch
//===----------------------------------------------------------------------===//

bool Branch::classof(Operation *op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch || op->getNumRegions() != 2 || op->getNumOperands() != 1 || !op->getOperand(0).getType().isInteger(1) ||
      !op->getRegion(0).hasOneBlock() || !(op->getRegion(1).empty() || op->getRegion(1).hasOneBlock()) ||
      isa<LoopLikeOpInterface>(op))
    return false;
  SmallVector<RegionSuccessor> first;
  branch.getEntrySuccessorRegions({BoolAttr::get(op->getContext(), true)}, first);
  return first.size() == 1 && first.front().getSuccessor() == &op->getRegion(0);
}

//===----------------------------------------------------------------------===//
// What passes through
//===----------------------------------------------------------------------===//

/// Has a block that an operation of scf has got end as those do.
static void endWithYield(RewriterBase &rewriter, Block &block) {
  if (Operation *end = block.getTerminator(); !isa<scf::YieldOp>(end)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(end);
    rewriter.replaceOpWithNewOp<scf::YieldOp>(end, end->getOperands());
  }
}

CountedLoop nv_tileaa::eraseCarried(RewriterBase &rewriter, CountedLoop loop, const llvm::BitVector &dead) {
  SmallVector<Value> inits;
  for (auto [i, init] : llvm::enumerate(loop.getInits()))
    if (!dead[i])
      inits.push_back(init);
  rewriter.setInsertionPoint(loop);
  auto fresh = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
                                  inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  loop.getBody()->getTerminator()->eraseOperands(dead);
  SmallVector<Value> arguments = {fresh.getInductionVar()}, results;
  for (unsigned i = 0, next = 0; i < dead.size(); ++i) {
    arguments.push_back(dead[i] ? loop.getInits()[i] : Value(fresh.getRegionIterArg(next)));
    results.push_back(dead[i] ? loop.getInits()[i] : Value(fresh.getResult(next)));
    next += !dead[i];
  }
  fresh->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (!fresh.getBody()->empty())
    rewriter.eraseOp(fresh.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), fresh.getBody(), arguments);
  endWithYield(rewriter, *fresh.getBody());
  rewriter.replaceOp(loop, results);
  return CountedLoop(fresh);
}

/// A branch on the same condition that has the regions of `branch` and results of `types`, which its blocks do not hand
/// on yet. A second region that there was none of hands on nothing.
static scf::IfOp withResults(RewriterBase &rewriter, Branch branch, TypeRange types) {
  rewriter.setInsertionPoint(branch);
  auto fresh = scf::IfOp::create(rewriter, branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
  fresh->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip_equal(branch->getRegions(), fresh->getRegions()))
    if (!from.empty()) {
      to.takeBody(from);
      endWithYield(rewriter, to.front());
    } else if (to.front().empty()) {
      rewriter.setInsertionPointToEnd(&to.front());
      scf::YieldOp::create(rewriter, branch.getLoc());
    }
  return fresh;
}

Branch nv_tileaa::eraseResults(RewriterBase &rewriter, Branch branch, const llvm::BitVector &dead) {
  SmallVector<Type> types;
  for (OpResult result : branch.getResults())
    if (!dead[result.getResultNumber()])
      types.push_back(result.getType());
  scf::IfOp fresh = withResults(rewriter, branch, types);
  for (Region &region : fresh->getRegions())
    region.front().getTerminator()->eraseOperands(dead);
  for (unsigned i = 0, next = 0; i < dead.size(); ++i)
    if (!dead[i])
      rewriter.replaceAllUsesWith(branch.getResult(i), fresh.getResult(next++));
  rewriter.eraseOp(branch);
  return Branch(fresh);
}

static void append(Operation *terminator, Value value) {
  terminator->insertOperands(terminator->getNumOperands(), value);
}

static SmallVector<Type> withOneMore(TypeRange types, Type type) {
  SmallVector<Type> more(types);
  more.push_back(type);
  return more;
}

FailureOr<Value> nv_tileaa::passThrough(RewriterBase &rewriter, Operation *op, Value value,
                                        function_ref<LogicalResult(Block &, Value &)> through) {
  rewriter.setInsertionPoint(op);
  if (auto counted = dyn_cast<CountedLoop>(op)) {
    auto same = [](OpBuilder &, Location, ArrayRef<BlockArgument> args) { return SmallVector<Value>{args.back()}; };
    FailureOr<CountedLoop> loop = counted.replaceWithAdditionalYields(rewriter, value, same);
    if (failed(loop))
      return op->emitOpError("cannot carry one more value");
    Value inside = loop->getRegionIterArgs().back();
    if (failed(through(*loop->getBody(), inside)))
      return failure();
    loop->getBody()->getTerminator()->setOperand(loop->getNumRegionIterArgs() - 1, inside);
    return Value(loop->getResults().back());
  }
  if (auto branch = dyn_cast<Branch>(op)) {
    scf::IfOp fresh = withResults(rewriter, branch, withOneMore(branch.getResultTypes(), value.getType()));
    for (Region &region : fresh->getRegions()) {
      Value inside = value;
      if (failed(through(region.front(), inside)))
        return failure();
      append(region.front().getTerminator(), inside);
    }
    rewriter.replaceOp(branch, fresh.getResults().drop_back());
    return Value(fresh.getResults().back());
  }
  // MLIR has no replaceWithAdditionalYields for it.
  if (auto old = dyn_cast<scf::WhileOp>(op)) {
    SmallVector<Value> inits(old.getInits());
    inits.push_back(value);
    auto loop = scf::WhileOp::create(rewriter, old.getLoc(), withOneMore(old.getResultTypes(), value.getType()), inits);
    loop->setDiscardableAttrs(old->getDiscardableAttrDictionary());
    for (auto [from, to] : llvm::zip_equal(old->getRegions(), loop->getRegions())) {
      to.takeBody(from);
      Value inside = to.addArgument(value.getType(), old.getLoc());
      if (failed(through(to.front(), inside)))
        return failure();
      append(to.front().getTerminator(), inside);
    }
    rewriter.replaceOp(old, loop.getResults().drop_back());
    return Value(loop.getResults().back());
  }
  return op->emitOpError("has no way for one more value through its regions");
}
