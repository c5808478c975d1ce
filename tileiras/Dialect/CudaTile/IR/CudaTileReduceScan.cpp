//===- CudaTileReduceScan.cpp - reduce and scan ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Parse, print
//===----------------------------------------------------------------------===//

/// `%x, %y dim=0 [reverse=false] identities=[..] : A, B -> R, S (%e: T, %acc: T, ...) {...}`.
static ParseResult parseAggregate(OpAsmParser &parser, OperationState &result, bool isScan) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes, resultTypes;
  int32_t dim;
  ArrayAttr identities;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseKeyword("dim") || parser.parseEqual() ||
      parser.parseInteger(dim))
    return failure();
  result.addAttribute("dim", builder.getI32IntegerAttr(dim));
  if (isScan) {
    StringRef value;
    if (parser.parseKeyword("reverse") || parser.parseEqual())
      return failure();
    SMLoc valueLoc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeyword(&value, {"true", "false"})))
      return parser.emitError(valueLoc, "expected 'true' or 'false'");
    result.addAttribute("reverse", builder.getBoolAttr(value == "true"));
  }
  if (parser.parseKeyword("identities") || parser.parseEqual() ||
      parser.parseAttribute(identities, "identities", result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parseCudaTileTypes(parser, operandTypes) || parser.parseArrow() || parseCudaTileTypes(parser, resultTypes) ||
      parser.resolveOperands(operands, operandTypes, loc, result.operands))
    return failure();
  result.addTypes(resultTypes);
  SmallVector<OpAsmParser::Argument> args;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::Argument &arg = args.emplace_back();
        return failure(parser.parseArgument(arg) || parser.parseColon() || parseCudaTileType(parser, arg.type));
      }))
    return failure();
  return parser.parseRegion(*result.addRegion(), args);
}

template <typename OpT> static void printAggregate(OpAsmPrinter &printer, OpT op) {
  printer << ' ' << op.getOperands() << " dim=" << static_cast<int32_t>(op.getDim());
  if constexpr (std::is_same_v<OpT, ScanOp>)
    printer << " reverse=" << (op.getReverse() ? "true" : "false");
  printer << " identities=" << op.getIdentities();
  printer.printOptionalAttrDict(op->getAttrs(), {"dim", "reverse", "identities"});
  printer << " : ";
  printCudaTileTypes(printer, op, op.getOperandTypes());
  printer << " -> ";
  printCudaTileTypes(printer, op, op.getResultTypes());
  printer.printNewline();
  printer << '(';
  llvm::interleaveComma(op.getRegion().getArguments(), printer, [&](BlockArgument arg) {
    printer.printRegionArgument(arg, /*argAttrs=*/{}, /*omitType=*/true);
    printer << ": ";
    printCudaTileType(printer, arg.getType());
  });
  printer << ") ";
  printer.printRegion(op.getRegion(), /*printEntryBlockArgs=*/false);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAggregate(parser, result, /*isScan=*/false);
}
void ReduceOp::print(OpAsmPrinter &printer) { printAggregate(printer, *this); }
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseAggregate(parser, result, /*isScan=*/true);
}
void ScanOp::print(OpAsmPrinter &printer) { printAggregate(printer, *this); }

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults())
    setName(getResult(0), "reduce");
}
void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  bool many = region.getNumArguments() > 2;
  for (BlockArgument arg : region.getArguments()) {
    unsigned i = arg.getArgNumber();
    setName(arg, (i % 2 ? "reduce_rhs" : "reduce_lhs") + (many ? std::to_string(i / 2) : std::string()));
  }
}
void ScanOp::getAsmResultNames(OpAsmSetValueNameFn) {}
void ScanOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                         DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  IntegerAttr dimAttr = adaptor.getDimAttr();
  if (!dimAttr)
    return emitOptionalError(loc, "expected attribute 'dim'");
  int64_t dim = dimAttr.getValue().getSExtValue();
  for (Type type : operands.getTypes()) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return emitOptionalError(loc, "expected operands to be tiles");
    if (dim < 0 || dim >= tile.getRank())
      return failure(); // the verifier has said so
    SmallVector<int64_t> shape(tile.getShape());
    shape.erase(shape.begin() + dim);
    types.push_back(TileType::get(shape, tile.getElementType()));
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Verify
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult verifyAggregate(OpT op) {
  OperandRange operands = op.getOperands();
  if (operands.empty())
    return op.emitOpError("expect at least 1 operand");
  auto tileOf = [&](size_t i) { return cast<TileType>(operands[i].getType()); };
  for (size_t i = 1; i < operands.size(); ++i)
    if (tileOf(i).getShape() != tileOf(0).getShape())
      return op.emitOpError("requires the same shape for all operands");
  if (operands.size() != op->getNumResults())
    return op.emitOpError("expect same number of operands and results");
  ArrayAttr identities = op.getIdentities();
  if (identities.size() != operands.size())
    return op.emitOpError("expect identities to match the number of operands but got: ")
           << operands.size() << " operands and " << identities.size() << " identities";
  for (auto [i, identity] : llvm::enumerate(identities)) {
    Type expected = tileOf(i).getElementType();
    Type found;
    if (isa<IntegerAttr, FloatAttr>(identity))
      found = cast<TypedAttr>(identity).getType();
    // Front ends write bf16 identities as f16 and the other way round: both are exact for what identities hold.
    auto isHalf = [](Type type) { return isa_and_nonnull<Float16Type, BFloat16Type>(type); };
    if (found != expected && !(isHalf(found) && isHalf(expected))) {
      InFlightDiagnostic diag = op.emitOpError("expect same type for operand at index: ")
                                << i << " and identity at index: " << i << " but got: " << expected << " and ";
      if (found)
        diag << found;
      else
        diag << identity;
      return diag;
    }
  }
  int64_t dim = static_cast<int32_t>(op.getDim()), rank = tileOf(0).getRank();
  if (dim >= rank)
    return op.emitOpError("dimension (") << dim << ") is out of bound [0, " << rank << ")";
  if constexpr (std::is_same_v<OpT, ScanOp>)
    for (auto [i, result] : llvm::enumerate(op->getResultTypes()))
      if (result != operands[i].getType())
        return op.emitOpError("expect same type for operand at index: ") << i << " and result at index: " << i;
  return success();
}

template <typename OpT> static LogicalResult verifyAggregateBody(OpT op) {
  Block &body = op.getRegion().front();
  unsigned operands = op->getNumOperands();
  if (body.getNumArguments() != 2 * operands)
    return op.emitOpError("expect ") << 2 * operands << " block arguments but got: " << body.getNumArguments();
  for (auto [i, type] : llvm::enumerate(body.getArgumentTypes()))
    if (auto tile = dyn_cast<TileType>(type); !tile || tile.getRank() != 0)
      return op.emitOpError("expect 0-rank tile type at index: ") << i << " but got: " << type;
  auto argument = [&](unsigned i) { return cast<TileType>(body.getArgument(i).getType()).getElementType(); };
  auto operand = [&](unsigned i) { return cast<TileType>(op->getOperand(i).getType()).getElementType(); };
  for (unsigned i = 0; i < 2 * operands; i += 2)
    if (argument(i) != argument(i + 1))
      return op.emitOpError("expect same element type for block argument at index: ")
             << i << " and " << i + 1 << " but got: " << argument(i) << " and " << argument(i + 1);
  for (unsigned i = 0; i < operands; ++i)
    if (operand(i) != argument(2 * i))
      return op.emitOpError("expect same type for operand at index: ")
             << i << " and block argument at index: " << 2 * i << " but got: " << operand(i) << " and "
             << argument(2 * i);
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op.emitOpError("expect the body to end with 'cuda_tile.yield'");
  if (yield.getNumOperands() != operands)
    return op.emitOpError("expect number of terminators operands (")
           << yield.getNumOperands() << ") to match number of operands (" << operands << ")";
  for (unsigned i = 0; i < operands; ++i) {
    auto tile = dyn_cast<TileType>(yield.getOperand(i).getType());
    if (!tile || tile.getRank() != 0)
      return op.emitOpError("expect 0-rank tile type for terminator argument at index: ")
             << i << " but got: " << yield.getOperand(i).getType();
    if (tile.getElementType() != operand(i))
      return op.emitOpError("expect same type for operand at index: ")
             << i << " and terminator argument at index: " << i << " but got: " << operand(i) << " and "
             << tile.getElementType();
  }
  // Elements are combined in an unspecified order and number of steps, so the body must not be seen to run.
  for (Operation &inner : body.without_terminator()) {
    WalkResult pure = inner.walk([](Operation *nested) {
      // Branches and loops do what their operations do, which the walk visits too.
      bool harmless = nested->hasTrait<OpTrait::IsTerminator>() ||
                      nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(nested);
      return harmless ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (pure.wasInterrupted())
      return inner.emitOpError() << "only pure operations are allowed inside '" << op->getName() << "'";
  }
  return success();
}

LogicalResult ReduceOp::verify() { return verifyAggregate(*this); }
LogicalResult ReduceOp::verifyRegions() { return verifyAggregateBody(*this); }
LogicalResult ScanOp::verify() { return verifyAggregate(*this); }
LogicalResult ScanOp::verifyRegions() { return verifyAggregateBody(*this); }
