//===- ExpandOps.cpp - Operations that others can express -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Before layouts are assigned. What remains is what the nv_tileas stage knows.
//
//   call                   the body of the callee
//   clampf                 arith.max*f, arith.min*f
//   generate               the body on whole tensors, its coordinates being ranges
//   histogram              compare with every value, count along the source
//   pragma                 its body, its directives as marks at both ends (tileas-insert-OCG-knobs)
//   optimization_barrier   the operand: from here on nothing looks across an operation at the nv_tileaa level
//   message                a remark
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/Directives.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAA/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nv_tileaa {
#define GEN_PASS_DEF_EXPANDOPSPASS
#include "tileiras/Dialect/TileAA/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileaa

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

/// 0, 1, ... along `dim` of `shape`, the same everywhere else.
Value coordinates(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, int64_t dim, Type integer) {
  Value range = MakeRangeOp::create(b, loc, RankedTensorType::get({shape[dim]}, integer), 0, shape[dim]);
  SmallVector<int64_t> line(shape.size(), 1);
  line[dim] = shape[dim];
  Value view = ViewOp::create(b, loc, RankedTensorType::get(line, integer), range);
  return BroadcastOp::create(b, loc, RankedTensorType::get(shape, integer), view);
}

LogicalResult expand(ClampFOp op, IRRewriter &b) {
  Value low, high;
  if (op.getPropagateNan() == PropagateNan::All) {
    low = arith::MaximumFOp::create(b, op.getLoc(), op.getSource(), op.getLow());
    high = arith::MinimumFOp::create(b, op.getLoc(), low, op.getHigh());
  } else {
    low = arith::MaxNumFOp::create(b, op.getLoc(), op.getSource(), op.getLow());
    high = arith::MinNumFOp::create(b, op.getLoc(), low, op.getHigh());
  }
  b.replaceOp(op, high);
  return success();
}

/// One result per element from scalars, without effects.
bool isElementwise(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumResults() == 1 && isMemoryEffectFree(op) &&
         (op->hasTrait<OpTrait::Elementwise>() || isa<math::MathDialect>(op->getDialect()) ||
          isa<nv_tileaa::AddFOp, nv_tileaa::SubFOp, nv_tileaa::MulFOp, nv_tileaa::DivFOp, FmaOp, nv_tileaa::SqrtOp,
              nv_tileaa::RsqrtOp, nv_tileaa::Exp2Op, MaxFOp, MinFOp, ClampFOp, FpToFpOp, MulhiUIOp>(op));
}

LogicalResult expand(GenerateOp op, IRRewriter &b) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  ArrayRef<int64_t> shape = type.getShape();
  Block &body = op.getBody().front();
  IRMapping tensors;
  auto onTensors = [&](Value value) -> Value {
    if (Value mapped = tensors.lookupOrNull(value))
      return mapped;
    Value splat = SplatOp::create(b, op.getLoc(), RankedTensorType::get(shape, value.getType()), value);
    tensors.map(value, splat);
    return splat;
  };
  for (BlockArgument argument : body.getArguments())
    tensors.map(argument, coordinates(b, op.getLoc(), shape, argument.getArgNumber(), argument.getType()));
  for (Operation &inner : body.without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      Operation *constant = b.clone(inner);
      tensors.map(inner.getResult(0),
                  SplatOp::create(b, inner.getLoc(), RankedTensorType::get(shape, inner.getResult(0).getType()),
                                  constant->getResult(0))
                      .getResult());
      continue;
    }
    if (!isElementwise(&inner))
      return inner.emitOpError("inside nv_tileaa.generate is not element-wise");
    SmallVector<Value> operands = llvm::map_to_vector(inner.getOperands(), onTensors);
    Operation *whole = Operation::create(
        inner.getLoc(), inner.getName(), TypeRange{RankedTensorType::get(shape, inner.getResult(0).getType())},
        operands, inner.getDiscardableAttrDictionary(), inner.getPropertiesStorage(), BlockRange(), 0);
    b.insert(whole);
    tensors.map(inner.getResult(0), whole->getResult(0));
  }
  b.replaceOp(op, onTensors(body.getTerminator()->getOperand(0)));
  return success();
}

LogicalResult expand(HistogramOp op, IRRewriter &b) {
  Location loc = op.getLoc();
  auto source = cast<RankedTensorType>(op.getSource().getType()),
       result = cast<RankedTensorType>(op.getResult().getType());
  int64_t count = source.getDimSize(0), bins = result.getDimSize(0);
  // Values are read as unsigned; narrow ones are widened so that every bin has a number.
  Type integer = source.getElementType();
  Value values = op.getSource();
  if (integer.getIntOrFloatBitWidth() < 32) {
    integer = b.getI32Type();
    values = arith::ExtUIOp::create(b, loc, RankedTensorType::get({count}, integer), values);
  }
  auto spread = [&](Value line, Type element) -> Value {
    Value view = ViewOp::create(b, loc, RankedTensorType::get({count, 1}, element), line);
    return BroadcastOp::create(b, loc, RankedTensorType::get({count, bins}, element), view);
  };
  Value hit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, spread(values, integer),
                                    coordinates(b, loc, {count, bins}, 1, integer));
  if (op.getMask())
    hit = arith::AndIOp::create(b, loc, hit, spread(op.getMask(), b.getI1Type()));
  Type i32 = b.getI32Type();
  Value ones = arith::ExtUIOp::create(b, loc, RankedTensorType::get({count, bins}, i32), hit);
  auto reduce =
      ReduceOp::create(b, loc, TypeRange{result}, ones, b.getI32IntegerAttr(0), b.getArrayAttr(b.getI32IntegerAttr(0)));
  {
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {i32, i32}, {loc, loc});
    Value sum = arith::AddIOp::create(b, loc, body->getArgument(0), body->getArgument(1));
    YieldOp::create(b, loc, ValueRange{sum});
  }
  b.replaceOp(op, reduce.getResults());
  return success();
}

void markDirectives(IRRewriter &b, Location loc, std::optional<ArrayAttr> directives) {
  if (directives)
    for (StringAttr text : directives->getAsRange<StringAttr>())
      MessageOp::create(b, loc, text)->setAttr(kOcgDirectiveAttr, b.getUnitAttr());
}

LogicalResult expand(PragmaOp op, IRRewriter &b) {
  Operation *yield = op.getBody().front().getTerminator();
  SmallVector<Value> values(yield->getOperands());
  b.eraseOp(yield);
  markDirectives(b, op.getLoc(), op.getOcgEnterDirectives());
  b.inlineBlockBefore(&op.getBody().front(), op);
  markDirectives(b, op.getLoc(), op.getOcgLeaveDirectives());
  b.replaceOp(op, values);
  return success();
}

LogicalResult expand(CallOp op, IRRewriter &b) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, op.getCalleeAttr());
  if (!callee || callee.getBody().empty())
    return op.emitOpError() << "'" << op.getCallee() << "' has no body";
  if (!callee.getBody().hasOneBlock())
    return op.emitOpError() << "'" << op.getCallee() << "' has more than one block";
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (parent == callee)
      return op.emitOpError() << "of '" << op.getCallee() << "' is recursive";
  IRMapping mapping;
  mapping.map(callee.getBody().getArguments(), op.getOperands());
  Block &body = callee.getBody().front();
  for (Operation &inner : body.without_terminator())
    b.clone(inner, mapping);
  b.replaceOp(op, llvm::map_to_vector(body.getTerminator()->getOperands(),
                                      [&](Value v) { return mapping.lookupOrDefault(v); }));
  return success();
}

struct ExpandOpsPass : nv_tileaa::impl::ExpandOpsPassBase<ExpandOpsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (fp8Sums != "promoted" && fp8Sums != "exact") {
      getOperation().emitError("expects fp8-sums to be promoted or exact, not '") << fp8Sums << "'";
      return signalPassFailure();
    }
    // Calls first: what they bring is expanded with the rest. Functions that call each other come to call themselves.
    llvm::SmallSetVector<StringAttr, 4> called;
    for (bool again = true; again;) {
      again = false;
      SmallVector<CallOp> work;
      getOperation().walk([&](CallOp op) { work.push_back(op); });
      for (CallOp op : work) {
        IRRewriter b(&getContext());
        b.setInsertionPoint(op);
        called.insert(op.getCalleeAttr().getAttr());
        if (failed(expand(op, b)))
          return signalPassFailure();
        ++numCalls;
        again = true;
      }
    }
    if (!called.empty())
      eraseHelpers(called);
    SmallVector<Operation *> work;
    // Inner ones first.
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<TileAADialect>(op->getDialect()))
        work.push_back(op);
    });
    for (Operation *op : work)
      if (failed(expandAny(op)))
        return signalPassFailure();
    if (fp8Sums == "exact")
      getOperation().walk([](FuncOp func) { func->setAttr(kExactSumsAttr, UnitAttr::get(func.getContext())); });
  }

  /// Private functions that only calls used.
  void eraseHelpers(const llvm::SmallSetVector<StringAttr, 4> &called) {
    SmallVector<FuncOp> unused;
    getOperation().walk([&](FuncOp func) {
      if (called.contains(func.getSymNameAttr()) && func.isPrivate() &&
          SymbolTable::symbolKnownUseEmpty(func, SymbolTable::getNearestSymbolTable(func)))
        unused.push_back(func);
    });
    for (FuncOp func : unused)
      func.erase();
  }

  LogicalResult expandAny(Operation *op) {
    IRRewriter b(op->getContext());
    b.setInsertionPoint(op);
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<ClampFOp, GenerateOp, HistogramOp, PragmaOp>([&](auto op) { return expand(op, b); })
        .Case([&](OptimizationBarrierOp op) {
          b.replaceOp(op, op.getSource());
          return success();
        })
        .Case<MessageOp>([&](MessageOp op) {
          if (op->hasAttr(kOcgDirectiveAttr))
            return success();
          op.emitRemark(op.getText());
          b.eraseOp(op);
          return success();
        })
        .Case<CancelNextProgramIdOp, IsValidProgramIdOp, ConvTileOp, ConvDotOp, InjectIROp, LaunchFuncOp>(
            [](Operation *op) { return op->emitOpError("has no lowering yet"); })
        .Default([](Operation *) { return success(); });
  }
};

} // namespace
