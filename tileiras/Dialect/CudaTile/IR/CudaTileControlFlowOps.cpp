//===- CudaTileControlFlowOps.cpp - for, loop, if ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

/// Views are no values that a loop could carry or a branch could choose.
static LogicalResult verifyNoView(Operation *op, StringRef what, size_t index, Type type) {
  if (isa<TensorViewType>(type))
    return op->emitOpError() << what << " " << index << " is a tensor_view, which is not supported";
  if (isa<TileView>(type))
    return op->emitOpError() << what << " " << index << " is a tile view, which is not supported";
  return success();
}

static LogicalResult verifyResultTypes(Operation *op) {
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(verifyNoView(op, "result type", i, type)))
      return failure();
  return success();
}

static LogicalResult verifyIterValues(Operation *op, ValueRange inits, Block::BlockArgListType args) {
  if (args.size() != inits.size())
    return op->emitOpError("mismatch in number of region iterator values and loop iterator inits: ")
           << args.size() << " vs " << inits.size();
  for (auto [i, init, arg] : llvm::enumerate(inits.getTypes(), args)) {
    if (failed(verifyNoView(op, "loop-carried value", i, arg.getType())))
      return failure();
    if (init != arg.getType())
      return op->emitOpError("init value ")
             << i << " and region iter_value " << i << " have different type: " << init << " != " << arg.getType();
  }
  return verifyResultTypes(op);
}

bool cuda_tile::hasPrintedTerminator(Block *block) {
  if (block->empty())
    return false;
  // Only what the parser would add back may be dropped.
  Operation &last = block->back();
  bool implicit = isa<IfOp>(block->getParentOp()) ? isa<YieldOp>(last) : isa<ContinueOp>(last);
  return !implicit || last.getNumOperands() != 0 || !last.getAttrs().empty();
}

/// `iter_values(%a = %x, %b = %y)`; the keyword is consumed.
static ParseResult parseIterValues(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args,
                                   SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inits) {
  return parser.parseAssignmentList(args, inits);
}

static void printIterValues(OpAsmPrinter &printer, ValueRange args, ValueRange inits) {
  printer << " iter_values(";
  llvm::interleaveComma(llvm::zip_equal(args, inits), printer,
                        [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ')';
}

static ParseResult resolveInits(OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> inits,
                                MutableArrayRef<OpAsmParser::Argument> args, ArrayRef<Type> types,
                                OperationState &result) {
  for (auto [init, arg, type] : llvm::zip_equal(inits, args, types)) {
    arg.type = type;
    if (parser.resolveOperand(init, type, result.operands))
      return failure();
  }
  return success();
}

/// The region of a loop with these arguments, which `{}` and a missing terminator leave to be completed, and the
/// attributes after it.
static ParseResult parseLoopBody(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> args, OperationState &result) {
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args))
    return failure();
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (const OpAsmParser::Argument &arg : args)
      block.addArgument(arg.type, result.location);
  }
  ensureBlockTerminator<ContinueOp>(*body, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value lowerBound, Value upperBound, Value step,
                  ValueRange initValues, llvm::function_ref<void(OpBuilder &, Location, Value, ValueRange)> bodyBuilder,
                  bool unsignedCmp) {
  state.addOperands({lowerBound, upperBound, step});
  state.addOperands(initValues);
  state.addTypes(initValues.getTypes());
  if (unsignedCmp)
    state.addAttribute(getUnsignedCmpAttrName(state.name), builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  body->addArgument(lowerBound.getType(), state.location);
  for (Value init : initValues)
    body->addArgument(init.getType(), init.getLoc());
  if (bodyBuilder)
    bodyBuilder(builder, state.location, body->getArgument(0), body->getArguments().drop_front());
  else if (initValues.empty())
    ContinueOp::create(builder, state.location);
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> args(1);
  OpAsmParser::UnresolvedOperand lb, ub, step;
  Type boundType;
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    result.addAttribute(getUnsignedCmpAttrName(result.name), parser.getBuilder().getUnitAttr());
  if (parser.parseArgument(args[0]) || parser.parseKeyword("in") || parser.parseLParen() || parser.parseOperand(lb) ||
      parser.parseKeyword("to") || parser.parseOperand(ub) || parser.parseComma() || parser.parseKeyword("step") ||
      parser.parseOperand(step) || parser.parseRParen() || parser.parseColon() || parseCudaTileType(parser, boundType))
    return failure();
  args[0].type = boundType;
  for (auto &bound : {lb, ub, step})
    if (parser.resolveOperand(bound, boundType, result.operands))
      return failure();
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    SmallVector<OpAsmParser::UnresolvedOperand> inits;
    SmallVector<OpAsmParser::Argument> iterArgs;
    SmallVector<Type> types;
    if (parseIterValues(parser, iterArgs, inits) || parser.parseArrow() || parser.parseLParen())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parseCudaTileTypes(parser, types) || parser.parseRParen())
      return failure();
    if (types.size() != inits.size())
      return parser.emitError(loc, "mismatch in number of loop-carried values and defined values");
    if (resolveInits(parser, inits, iterArgs, types, result))
      return failure();
    result.addTypes(types);
    llvm::append_range(args, iterArgs);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parseLoopBody(parser, args, result);
}

void ForOp::print(OpAsmPrinter &printer) {
  if (getUnsignedCmp())
    printer << " unsigned";
  printer << ' ' << getInductionVar() << " in (" << getLowerBound() << " to " << getUpperBound() << ", step "
          << getStep() << ") : ";
  printCudaTileType(printer, getLowerBound().getType());
  if (!getInitValues().empty()) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << " -> (";
    printCudaTileTypes(printer, *this, getResultTypes());
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/hasPrintedTerminator(getBody()));
  printer.printOptionalAttrDict((*this)->getAttrs(), {getUnsignedCmpAttrName()});
}

void ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (region.empty() || region.getNumArguments() == 0)
    return;
  setName(region.getArgument(0), "loopIdx");
  for (auto [i, arg] : llvm::enumerate(region.getArguments().drop_front()))
    setName(arg, "iterArg" + std::to_string(i));
}

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "for");
}

SmallVector<Region *> ForOp::getLoopRegions() { return {&getRegion()}; }

LogicalResult ForOp::verify() {
  if (getResultTypes() != getInitValues().getTypes())
    return emitOpError("failed to verify that all of {initValues, resultValues} have same type");
  return success();
}

LogicalResult ForOp::verifyRegions() {
  if (getRegion().getNumArguments() == 0)
    return emitOpError("expected at least one block argument for induction variable");
  if (getInductionVar().getType() != getLowerBound().getType())
    return emitOpError("expected induction variable to be same type as bounds and step: ")
           << getInductionVar().getType() << " vs " << getLowerBound().getType();
  if (failed(verifyIterValues(*this, getInitValues(), getRegionIterValues())))
    return failure();
  // That its operands are right is the concern of `continue`.
  if (getBody()->empty() || !isa<ContinueOp>(getBody()->back()))
    return emitOpError("`for` is missing a valid terminator: expected `continue`");
  return success();
}

//===----------------------------------------------------------------------===//
// loop
//===----------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> initTypes, resultTypes;
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parseIterValues(parser, args, inits) || parser.parseColon())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parseCudaTileTypes(parser, initTypes))
      return failure();
    if (initTypes.size() != inits.size())
      return parser.emitError(loc, "found different number of iter_values and types");
    if (succeeded(parser.parseOptionalArrow()) && parseCudaTileTypes(parser, resultTypes))
      return failure();
  } else if (succeeded(parser.parseOptionalColon())) {
    if (parseCudaTileTypes(parser, resultTypes))
      return failure();
  }
  if (resolveInits(parser, inits, args, initTypes, result) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(resultTypes);
  return parseLoopBody(parser, args, result);
}

void LoopOp::print(OpAsmPrinter &printer) {
  if (!getInitValues().empty()) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << " : ";
    printCudaTileTypes(printer, *this, getInitValues().getTypes());
    if (getNumResults()) {
      printer << " -> ";
      printCudaTileTypes(printer, *this, getResultTypes());
    }
  } else if (getNumResults()) {
    printer << " : ";
    printCudaTileTypes(printer, *this, getResultTypes());
  }
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/hasPrintedTerminator(getBody()));
  printer.printOptionalAttrDict((*this)->getAttrs());
}

void LoopOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [i, arg] : llvm::enumerate(region.getArguments()))
    setName(arg, "iterArg" + std::to_string(i));
}

SmallVector<Region *> LoopOp::getLoopRegions() { return {&getRegion()}; }

LogicalResult LoopOp::verifyRegions() {
  if (failed(verifyIterValues(*this, getInitValues(), getRegionIterValues())))
    return failure();
  if (getBody()->empty() || !isa<ContinueOp, BreakOp, ReturnOp>(getBody()->back()))
    return emitOpError("`loop` is missing a valid terminator: expected `continue`, `break` or `return`");
  return success();
}

//===----------------------------------------------------------------------===//
// if
//===----------------------------------------------------------------------===//

void IfOp::build(OpBuilder &builder, OperationState &state, TypeRange resultTypes, Value condition, bool withElse) {
  state.addOperands(condition);
  state.addTypes(resultTypes);
  // Branches that yield nothing get their terminator here; others are for the caller to finish.
  OpBuilder::InsertionGuard guard(builder);
  Region *thenRegion = state.addRegion(), *elseRegion = state.addRegion();
  builder.createBlock(thenRegion);
  if (resultTypes.empty())
    YieldOp::create(builder, state.location);
  if (!withElse && resultTypes.empty())
    return;
  builder.createBlock(elseRegion);
  if (resultTypes.empty())
    YieldOp::create(builder, state.location);
}

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition;
  SmallVector<Type> types;
  Type conditionType = TileType::get({}, parser.getBuilder().getI1Type());
  if (parser.parseOperand(condition) || parser.resolveOperand(condition, conditionType, result.operands))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      (parser.parseLParen() || parseCudaTileTypes(parser, types) || parser.parseRParen()))
    return failure();
  result.addTypes(types);
  Region *thenRegion = result.addRegion(), *elseRegion = result.addRegion();
  if (parser.parseRegion(*thenRegion))
    return failure();
  ensureBlockTerminator<YieldOp>(*thenRegion, result.location);
  if (succeeded(parser.parseOptionalKeyword("else"))) {
    if (parser.parseRegion(*elseRegion))
      return failure();
    ensureBlockTerminator<YieldOp>(*elseRegion, result.location);
  }
  return parser.parseOptionalAttrDict(result.attributes);
}

void IfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition();
  if (getNumResults()) {
    printer << " -> (";
    printCudaTileTypes(printer, *this, getResultTypes());
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false, hasPrintedTerminator(getThenBlock()));
  if (Block *block = getElseBlock()) {
    printer << " else ";
    printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false, hasPrintedTerminator(block));
  }
  printer.printOptionalAttrDict((*this)->getAttrs());
}

void IfOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

/// What a branch yields; a branch that leaves the `if` for good yields nothing that matters. Branches without a
/// terminator are refused later.
static LogicalResult verifyYield(IfOp op, Block &block, StringRef branch) {
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return success();
  TypeRange found = yield.getOperandTypes(), expected = op.getResultTypes();
  if (found == expected)
    return success();
  if (found.empty())
    return op.emitOpError("has return type of ") << expected << " but " << branch << " branch does not yield anything";
  if (expected.empty())
    return op.emitOpError("does not return a value, but ") << branch << " branch yields " << found;
  return op.emitOpError("type does not match yield type, ")
         << branch << " branch yields " << found << " but op result type is " << expected;
}

LogicalResult IfOp::verify() {
  if (failed(verifyResultTypes(*this)) || failed(verifyYield(*this, *getThenBlock(), "then")))
    return failure();
  if (!getElseBlock())
    return getNumResults() ? emitOpError("has non-empty return type, must define else branch")
                           : LogicalResult(success());
  return verifyYield(*this, *getElseBlock(), "else");
}

LogicalResult IfOp::verifyRegions() {
  for (auto [block, branch] : {std::pair{getThenBlock(), "then"}, std::pair{getElseBlock(), "else"}})
    if (block && (block->empty() || !isa<YieldOp, ContinueOp, BreakOp, ReturnOp>(block->back())))
      return emitOpError() << branch << " branch is missing a valid terminator";
  return success();
}
