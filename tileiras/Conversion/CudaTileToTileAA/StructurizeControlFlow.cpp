//===- StructurizeControlFlow.cpp - Early exits to structured loops -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cuda_tile lets `break`, `continue` and `return` stand deep inside ifs. scf has single-exit regions, so an exit
// becomes a value.
//
// Every way out of the statements of a frame (a loop body or the kernel) ends in the same record:
//
//   kernel   nothing
//   for      the values carried into the next iteration
//   loop     go on?, the values carried into the next iteration, the values the loop returns[, return?]
//
// The body is rebuilt statement by statement. At an `if` that may leave:
//
//   one branch always leaves      the rest of the block moves into the other branch; no flag is needed
//   both branches may go on       the if returns (still here?, record, its results) and the rest is guarded
//
// Nothing is duplicated: each operation is moved to exactly one place. `loop` becomes a do-while (scf.while with the
// body in its first region): its body runs at least once. Slots that mean nothing on a path hold a value that
// is at hand, else a zero.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;

namespace {

/// The kernel or loop whose statements are being rebuilt.
struct Frame {
  enum class Kind { Kernel, For, Loop };
  Kind kind;
  SmallVector<Value> carried;    ///< this iteration's values, by which a meaningless slot can be filled
  SmallVector<Type> resultTypes; ///< loop: what break returns
  bool returns = false;          ///< loop: holds a return, so the record says whether it was taken
};

/// How control leaves a piece of code.
struct Completion {
  enum class Kind { Always, Never, Dynamic }; ///< does control reach the next statement?
  Kind kind = Kind::Always;
  Value live;                ///< Dynamic: i1
  SmallVector<Value> record; ///< not Always
  SmallVector<Value> yields; ///< not Never: results of the construct
};

class Structurizer {
public:
  explicit Structurizer(ct::EntryOp entry) : entry(entry) {}
  LogicalResult run();

private:
  Completion emit(Operation *op, OpBuilder &b, Frame &frame);
  void rebuildBody(Block &body);
  Completion emitIf(ct::IfOp op, Operation *rest, bool &tookRest, OpBuilder &b, Frame &frame);
  Completion emitFor(ct::ForOp op, OpBuilder &b);
  Completion emitLoop(ct::LoopOp op, OpBuilder &b, Frame &frame);
  Completion guard(Completion first, Operation *rest, OpBuilder &b, Location loc, Frame &frame);
  Completion merge(OpBuilder &b, Location loc, Value condition, Frame &frame,
                   function_ref<Completion(OpBuilder &)> thenBranch, function_ref<Completion(OpBuilder &)> elseBranch);

  SmallVector<Value> record(OpBuilder &b, Location loc, Frame &frame, Operation *exit);
  SmallVector<Value> fillerRecord(OpBuilder &b, Location loc, Frame &frame);
  Value filler(OpBuilder &b, Location loc, Type type, const Frame &frame);
  Value flag(OpBuilder &b, Location loc, bool value) {
    return note(arith::ConstantOp::create(b, loc, b.getBoolAttr(value)));
  }
  /// Blocks are filled before they have a parent to ask for the context.
  OpBuilder atEnd(Block *block) {
    OpBuilder b(entry.getContext());
    b.setInsertionPointToEnd(block);
    return b;
  }
  /// Remembers a value made to fill a slot; unused ones are erased in the end.
  Value note(Value filler) {
    fillers.push_back(filler.getDefiningOp());
    return filler;
  }
  static Value cast(OpBuilder &b, Location loc, Type type, Value value) {
    return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
  }

  ct::EntryOp entry;
  SmallVector<Operation *> fillers;
  bool failed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where can control go?
//===----------------------------------------------------------------------===//

/// Whether some path through `block` leaves its frame.
static bool mayExit(Block &block) {
  for (Operation &op : block) {
    if (isa<ct::BreakOp, ct::ContinueOp, ct::ReturnOp>(op))
      return true;
    if (auto inner = dyn_cast<ct::IfOp>(op)) {
      if (mayExit(*inner.getThenBlock()) || (inner.getElseBlock() && mayExit(*inner.getElseBlock())))
        return true;
    } else if (isa<ct::LoopOp>(op)) {
      bool returns = false;
      op.walk([&](ct::ReturnOp) { returns = true; });
      if (returns)
        return true;
    }
  }
  return false;
}

/// Whether some path reaches the end of `block` (its yield).
static bool mayFallThrough(Block &block) {
  for (Operation &op : block) {
    if (auto inner = dyn_cast<ct::IfOp>(op))
      if (inner.getElseBlock() && !mayFallThrough(*inner.getThenBlock()) && !mayFallThrough(*inner.getElseBlock()))
        return false;
  }
  return isa<ct::YieldOp>(block.getTerminator());
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

Value Structurizer::filler(OpBuilder &b, Location loc, Type type, const Frame &frame) {
  for (Value value : frame.carried)
    if (value.getType() == type)
      return value;
  if (type.isInteger(1))
    return flag(b, loc, false);
  if (isa<ct::TokenType>(type))
    return note(ct::MakeTokenOp::create(b, loc, type));
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile) { // views are never carried (op verifiers)
    emitError(loc, "a value of type ") << type << " cannot leave a region";
    failed = true;
    return cast(b, loc, type, flag(b, loc, false));
  }
  auto zero = [&](ct::TileType t) -> Value {
    auto splat = DenseElementsAttr::get(t, b.getZeroAttr(t.getElementType()));
    return note(ct::ConstantOp::create(b, loc, t, llvm::cast<DenseIntOrFPElementsAttr>(splat)));
  };
  if (isa<ct::PointerType>(tile.getElementType()))
    return note(ct::IntToPtrOp::create(b, loc, tile, zero(tile.withElementType(b.getI64Type()))));
  if (tile.getElementType().isInteger(4)) // no i4 literals
    return note(ct::TruncIOp::create(b, loc, tile, zero(tile.withElementType(b.getI8Type())), ct::Overflow::None));
  return zero(tile);
}

SmallVector<Value> Structurizer::fillerRecord(OpBuilder &b, Location loc, Frame &frame) {
  switch (frame.kind) {
  case Frame::Kind::Kernel:
    return {};
  case Frame::Kind::For:
    return frame.carried;
  case Frame::Kind::Loop: {
    SmallVector<Value> values{flag(b, loc, false)};
    llvm::append_range(values, frame.carried);
    for (Type type : frame.resultTypes)
      values.push_back(filler(b, loc, type, frame));
    if (frame.returns)
      values.push_back(flag(b, loc, false));
    return values;
  }
  }
  llvm_unreachable("no such frame");
}

/// The record of `exit`, a break, continue or return of this frame (or a loop that was left by a return).
SmallVector<Value> Structurizer::record(OpBuilder &b, Location loc, Frame &frame, Operation *exit) {
  SmallVector<Value> values = fillerRecord(b, loc, frame);
  auto operands = exit->getOperands();
  if (frame.kind == Frame::Kind::For) {
    if (isa<ct::ContinueOp>(exit)) {
      values.assign(operands.begin(), operands.end());
    } else {
      exit->emitError("cannot leave a 'for' loop early");
      failed = true;
    }
  } else if (frame.kind == Frame::Kind::Loop) {
    unsigned carried = frame.carried.size();
    if (isa<ct::ContinueOp>(exit)) {
      values[0] = flag(b, loc, true);
      llvm::copy(operands, values.begin() + 1);
    } else if (isa<ct::BreakOp>(exit)) {
      llvm::copy(operands, values.begin() + 1 + carried);
    } else {
      values.back() = flag(b, loc, true);
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Drops `op` and everything after it in its block: control does not get there.
static void eraseFrom(Operation *op) {
  SmallVector<Operation *> dead;
  for (; op; op = op->getNextNode())
    dead.push_back(op);
  for (Operation *o : llvm::reverse(dead)) {
    o->dropAllReferences();
    o->dropAllDefinedValueUses();
    o->erase();
  }
}

/// Rebuilds the statements from `op` to the end of its block at `b`.
Completion Structurizer::emit(Operation *op, OpBuilder &b, Frame &frame) {
  while (op) {
    Operation *next = op->getNextNode();
    Location loc = op->getLoc();
    if (isa<ct::YieldOp>(op)) {
      Completion c;
      c.yields.assign(op->operand_begin(), op->operand_end());
      op->erase();
      return c;
    }
    if (isa<ct::BreakOp, ct::ContinueOp, ct::ReturnOp>(op)) {
      Completion c;
      c.kind = Completion::Kind::Never;
      c.record = record(b, loc, frame, op);
      op->erase();
      return c;
    }
    Completion c;
    bool tookRest = false;
    if (auto ifOp = dyn_cast<ct::IfOp>(op)) {
      c = emitIf(ifOp, next, tookRest, b, frame);
    } else if (auto forOp = dyn_cast<ct::ForOp>(op)) {
      c = emitFor(forOp, b);
    } else if (auto loop = dyn_cast<ct::LoopOp>(op)) {
      c = emitLoop(loop, b, frame);
    } else {
      op->remove();
      b.insert(op);
      if (isa<ct::ReduceOp, ct::ScanOp>(op))
        rebuildBody(op->getRegion(0).front());
      op = next;
      continue;
    }
    if (tookRest)
      return c;
    if (c.kind != Completion::Kind::Never)
      op->replaceAllUsesWith(c.yields);
    if (c.kind == Completion::Kind::Never) {
      eraseFrom(op);
      return c;
    }
    op->erase();
    if (c.kind == Completion::Kind::Dynamic)
      return guard(std::move(c), next, b, loc, frame);
    op = next;
  }
  // A block without terminator does not verify.
  return {};
}

/// The body of a reduction or scan: branches and loops without effects may stand in it, but no way out of it.
void Structurizer::rebuildBody(Block &body) {
  // Threads combine different elements: a tile that all of them compute together has no place there.
  body.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      auto tile = llvm::dyn_cast<ct::TileType>(type);
      if (!tile || tile.getRank() == 0)
        continue;
      op->emitOpError("gives a ") << type << " in the body of a '" << body.getParentOp()->getName()
                                  << "', where only tiles of rank 0 are supported";
      failed = true;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (llvm::none_of(body, [](Operation &op) { return op.getNumRegions() != 0; }))
    return;
  Frame frame{Frame::Kind::Kernel, {}, {}, false};
  Location loc = body.getTerminator()->getLoc();
  Block rebuilt;
  OpBuilder b = atEnd(&rebuilt);
  Completion c = emit(&body.front(), b, frame);
  ct::YieldOp::create(b, loc, c.yields);
  body.getOperations().splice(body.end(), rebuilt.getOperations());
}

/// Runs `rest` only where control is still here.
Completion Structurizer::guard(Completion first, Operation *rest, OpBuilder &b, Location loc, Frame &frame) {
  return merge(
      b, loc, first.live, frame, [&](OpBuilder &inner) { return emit(rest, inner, frame); },
      [&](OpBuilder &) {
        Completion left;
        left.kind = Completion::Kind::Never;
        left.record = first.record;
        return left;
      });
}

/// An scf.if over two pieces of code that complete in different ways.
Completion Structurizer::merge(OpBuilder &b, Location loc, Value condition, Frame &frame,
                               function_ref<Completion(OpBuilder &)> thenBranch,
                               function_ref<Completion(OpBuilder &)> elseBranch) {
  using Kind = Completion::Kind;
  Region regions[2];
  Completion parts[2];
  for (int i : {0, 1}) {
    Block *block = &regions[i].emplaceBlock();
    OpBuilder inner = atEnd(block);
    parts[i] = (i == 0 ? thenBranch : elseBranch)(inner);
  }
  Completion result;
  if (parts[0].kind == parts[1].kind && parts[0].kind != Kind::Dynamic)
    result.kind = parts[0].kind;
  else
    result.kind = Kind::Dynamic;

  // What the branches hand out, with fillers for what one of them does not have.
  const Completion &speaks = parts[0].kind != Kind::Never ? parts[0] : parts[1];
  SmallVector<Type> yieldTypes = llvm::map_to_vector(speaks.yields, [](Value v) { return v.getType(); });
  SmallVector<Type> types;
  for (int i : {0, 1}) {
    OpBuilder inner = atEnd(&regions[i].front());
    Completion &part = parts[i];
    SmallVector<Value> values;
    if (result.kind == Kind::Dynamic)
      values.push_back(part.kind == Kind::Dynamic ? part.live : flag(inner, loc, part.kind == Kind::Always));
    if (result.kind != Kind::Always)
      llvm::append_range(values, part.kind == Kind::Always ? fillerRecord(inner, loc, frame) : part.record);
    if (result.kind != Kind::Never) {
      if (part.kind != Kind::Never)
        llvm::append_range(values, part.yields);
      else
        for (Type type : yieldTypes)
          values.push_back(filler(inner, loc, type, frame));
    }
    types = llvm::map_to_vector(values, [](Value v) { return v.getType(); });
    scf::YieldOp::create(inner, loc, values);
  }

  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  for (Region &region : regions)
    state.addRegion()->takeBody(region);
  auto op = cast<scf::IfOp>(b.create(state));
  // An else branch that only yields nothing is noise.
  if (types.empty() && llvm::hasSingleElement(op.getElseRegion().front()))
    op.getElseRegion().front().erase();

  SmallVector<Value> results(op.getResults());
  ArrayRef<Value> left(results);
  if (result.kind == Kind::Dynamic)
    result.live = left.consume_front();
  if (result.kind != Kind::Never) {
    ArrayRef<Value> tail = left.take_back(yieldTypes.size());
    result.yields.assign(tail.begin(), tail.end());
    left = left.drop_back(yieldTypes.size());
  }
  if (result.kind != Kind::Always)
    result.record.assign(left.begin(), left.end());
  return result;
}

Completion Structurizer::emitIf(ct::IfOp op, Operation *rest, bool &tookRest, OpBuilder &b, Frame &frame) {
  Location loc = op.getLoc();
  Value condition = cast(b, loc, b.getI1Type(), op.getCondition());
  Block *blocks[2] = {op.getThenBlock(), op.getElseBlock()};
  bool falls[2], exits = false;
  for (int i : {0, 1}) {
    falls[i] = !blocks[i] || mayFallThrough(*blocks[i]);
    exits |= blocks[i] && mayExit(*blocks[i]);
  }
  // One side always leaves: the rest belongs to the other.
  bool sinks = exits && falls[0] != falls[1];
  auto branch = [&](int i, OpBuilder &inner) {
    Completion c;
    if (blocks[i])
      c = emit(&blocks[i]->front(), inner, frame);
    if (!sinks || !falls[i])
      return c;
    op->replaceAllUsesWith(c.yields);
    return c.kind == Completion::Kind::Always ? emit(rest, inner, frame) : guard(std::move(c), rest, inner, loc, frame);
  };
  Completion c = merge(
      b, loc, condition, frame, [&](OpBuilder &inner) { return branch(0, inner); },
      [&](OpBuilder &inner) { return branch(1, inner); });
  if (sinks) {
    tookRest = true;
    op->erase();
  }
  return c;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// How often a loop of constants runs, if its range or step does not fit a signed number: folding of scf.for takes
/// those for negative and the loop for one that never runs.
static std::optional<APInt> countBeyondSigned(ct::ForOp op) {
  SmallVector<APInt, 3> bounds;
  for (Value v : {op.getLowerBound(), op.getUpperBound(), op.getStep()}) {
    auto constant = v.getDefiningOp<ct::ConstantOp>();
    if (!constant)
      return std::nullopt;
    bounds.push_back(llvm::cast<DenseElementsAttr>(constant.getValue()).getSplatValue<APInt>());
  }
  const APInt &lower = bounds[0], &upper = bounds[1], &step = bounds[2];
  bool runs = op.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper);
  APInt distance = upper - lower;
  if (!runs || step.isZero() || !(distance.isNegative() || (op.getUnsignedCmp() && step.isNegative())))
    return std::nullopt;
  return (distance - 1).udiv(step) + 1;
}

Completion Structurizer::emitFor(ct::ForOp op, OpBuilder &b) {
  Location loc = op.getLoc();
  Type element = cast<ct::TileType>(op.getLowerBound().getType()).getElementType();
  // Counters of fewer than 32 bits are counted in 32: their range and step then are positive signed numbers, as folding
  // of scf.for wants them even where it sees only later that the bounds are constants. They fit registers as well.
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  auto bound = [&](Value v) -> Value {
    Value scalar = cast(b, loc, element, v);
    if (!isNarrow)
      return scalar;
    if (op.getUnsignedCmp())
      return arith::ExtUIOp::create(b, loc, b.getI32Type(), scalar);
    return arith::ExtSIOp::create(b, loc, b.getI32Type(), scalar);
  };
  Value lower = bound(op.getLowerBound()), upper = bound(op.getUpperBound()), step = bound(op.getStep());
  bool isUnsigned = op.getUnsignedCmp();
  Value first = lower, stride = step;
  std::optional<APInt> count = isNarrow ? std::nullopt : countBeyondSigned(op);
  if (count) { // 0, 1, ... count - 1, of which the counter is made
    auto constant = [&](const APInt &v) -> Value {
      return arith::ConstantOp::create(b, loc, b.getIntegerAttr(element, v));
    };
    lower = constant(APInt(count->getBitWidth(), 0));
    upper = constant(*count);
    step = constant(APInt(count->getBitWidth(), 1));
    isUnsigned = true;
  }
  auto loop = scf::ForOp::create(b, loc, lower, upper, step, op.getInitValues(), nullptr, isUnsigned);
  Block *body = loop.getBody();
  body->clear(); // the default terminator
  OpBuilder inner = atEnd(body);
  Value counter = loop.getInductionVar();
  if (isNarrow)
    counter = arith::TruncIOp::create(inner, loc, element, counter);
  if (count)
    counter = arith::AddIOp::create(inner, loc, first, arith::MulIOp::create(inner, loc, counter, stride));
  Value iv = cast(inner, loc, op.getInductionVar().getType(), counter);
  op.getInductionVar().replaceAllUsesWith(iv);
  Frame frame{Frame::Kind::For, {}, {}, false};
  for (auto [from, to] : llvm::zip_equal(op.getRegionIterValues(), loop.getRegionIterArgs())) {
    from.replaceAllUsesWith(to);
    frame.carried.push_back(to);
  }
  Completion c = emit(&op.getBody()->front(), inner, frame);
  scf::YieldOp::create(inner, loc, c.record);
  Completion result;
  result.yields.assign(loop.getResults().begin(), loop.getResults().end());
  return result;
}

Completion Structurizer::emitLoop(ct::LoopOp op, OpBuilder &b, Frame &outer) {
  Location loc = op.getLoc();
  Frame frame{Frame::Kind::Loop, {}, llvm::to_vector(op.getResultTypes()), false};
  op.walk([&](ct::ReturnOp) { frame.returns = true; });

  Region before, after;
  Block *body = &before.emplaceBlock(), *next = &after.emplaceBlock();
  for (BlockArgument from : op.getRegionIterValues()) {
    BlockArgument to = body->addArgument(from.getType(), from.getLoc());
    from.replaceAllUsesWith(to);
    frame.carried.push_back(to);
  }
  OpBuilder inner = atEnd(body);
  Completion c = emit(&op.getBody()->front(), inner, frame);
  ArrayRef<Value> state = ArrayRef<Value>(c.record).drop_front();
  scf::ConditionOp::create(inner, loc, c.record.front(), state);
  for (Value value : state)
    next->addArgument(value.getType(), loc);
  inner.setInsertionPointToEnd(next);
  scf::YieldOp::create(inner, loc, ValueRange(next->getArguments().take_front(frame.carried.size())));

  OperationState created(loc, scf::WhileOp::getOperationName());
  created.addOperands(op.getInitValues());
  created.addTypes(ValueRange(state).getTypes());
  created.addRegion()->takeBody(before);
  created.addRegion()->takeBody(after);
  Operation *loop = b.create(created);

  Completion result;
  auto results = loop->getResults().slice(frame.carried.size(), frame.resultTypes.size());
  result.yields.assign(results.begin(), results.end());
  if (!frame.returns)
    return result;
  // A return inside leaves the outer frame too.
  result.kind = Completion::Kind::Dynamic;
  Value returned = loop->getResults().back();
  result.live = arith::XOrIOp::create(b, loc, returned, flag(b, loc, true));
  result.record = fillerRecord(b, loc, outer);
  if (outer.kind == Frame::Kind::Loop)
    result.record.back() = flag(b, loc, true);
  if (outer.kind == Frame::Kind::For) {
    op->emitError("cannot leave a 'for' loop early");
    failed = true;
  }
  return result;
}

LogicalResult Structurizer::run() {
  Block &body = entry.getBody().front();
  Frame frame{Frame::Kind::Kernel, {}, {}, false};
  Block *rebuilt = new Block;
  auto cleanup = llvm::make_scope_exit([&] { delete rebuilt; });
  Location loc = body.getTerminator()->getLoc();
  OpBuilder b = atEnd(rebuilt);
  emit(&body.front(), b, frame);
  ct::ReturnOp::create(b, loc);
  body.getOperations().splice(body.end(), rebuilt->getOperations());
  for (Operation *op : llvm::reverse(fillers))
    if (op->use_empty())
      op->erase();
  return failure(failed);
}

LogicalResult cudatile_to_tileaa::structurizeControlFlow(ct::EntryOp entry) { return Structurizer(entry).run(); }
