//===- CudaTileModuleOps.cpp - module, entry, global ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

void cuda_tile::ModuleOp::build(OpBuilder &builder, OperationState &state, StringRef name) {
  state.addRegion()->emplaceBlock();
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
}

LogicalResult cuda_tile::ModuleOp::verify() {
  for (Operation &op : getBodyRegion().getOps())
    if (!isa<FunctionOpInterface>(op) && failed(verifyNoDebugScope(&op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ParseResult cuda_tile::parseFunctionArguments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args) {
  auto parseArgument = [&]() -> ParseResult {
    OpAsmParser::Argument &arg = args.emplace_back();
    NamedAttrList attrs;
    if (parser.parseArgument(arg) || parser.parseColon() || parseCudaTileType(parser, arg.type) ||
        parser.parseOptionalAttrDict(attrs) || (!arg.sourceLoc && parser.parseOptionalLocationSpecifier(arg.sourceLoc)))
      return failure();
    arg.attrs = attrs.getDictionary(parser.getContext());
    return success();
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseArgument);
}

ParseResult cuda_tile::parseFunctionBody(OpAsmParser &parser, OperationState &result,
                                         ArrayRef<OpAsmParser::Argument> args) {
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args))
    return failure();
  // Arguments are declared in the signature, so an empty body has none of its own yet.
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (const OpAsmParser::Argument &arg : args)
      block.addArgument(arg.type, arg.sourceLoc ? *arg.sourceLoc : result.location);
  }
  ensureBlockTerminator<ReturnOp>(*body, result.location);
  return success();
}

void cuda_tile::printFunctionArguments(OpAsmPrinter &printer, Region &body, ArrayAttr attributes) {
  printer << '(';
  llvm::interleaveComma(llvm::enumerate(body.getArguments()), printer, [&](auto indexed) {
    printer.printRegionArgument(indexed.value(), /*argAttrs=*/{}, /*omitType=*/true);
    printer << ": ";
    printCudaTileType(printer, indexed.value().getType());
    if (attributes && indexed.index() < attributes.size())
      printer.printOptionalAttrDict(cast<DictionaryAttr>(attributes[indexed.index()]).getValue());
  });
  printer << ')';
}

//===----------------------------------------------------------------------===//
// entry
//===----------------------------------------------------------------------===//

void EntryOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                    OptimizationHintsAttr hints) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (hints)
    state.addAttribute(getOptimizationHintsAttrName(state.name), hints);
  Block &block = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes))
    return failure();
  SmallVector<OpAsmParser::Argument> args;
  if (parseFunctionArguments(parser, args))
    return failure();
  SmallVector<Type> inputs, results;
  for (OpAsmParser::Argument &arg : args)
    inputs.push_back(arg.type);
  // Results are never legal, but the verifier says so better than "expected '{'".
  if (succeeded(parser.parseOptionalArrow())) {
    bool paren = succeeded(parser.parseOptionalLParen());
    if (parseCudaTileTypes(parser, results) || (paren && parser.parseRParen()))
      return failure();
  }
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, results)));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, args, /*resultAttrs=*/{},
                                            getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  if (succeeded(parser.parseOptionalKeyword("optimization_hints")) && parseHintsClause(parser, result))
    return failure();
  // Attributes stand behind the body; before it they need the keyword.
  NamedAttrList before, behind;
  if (parser.parseOptionalAttrDictWithKeyword(before) || parseFunctionBody(parser, result, args))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(behind))
    return failure();
  for (const NamedAttrList &list : {before, behind})
    for (NamedAttribute attr : list) {
      if (result.attributes.get(attr.getName()))
        return parser.emitError(loc, "attribute '") << attr.getName().getValue() << "' occurs more than once";
      result.attributes.push_back(attr);
    }
  return success();
}

void EntryOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printFunctionArguments(printer, getBody(), getArgAttrsAttr());
  if (!getResultTypes().empty()) {
    printer << " -> (";
    printCudaTileTypes(printer, *this, getResultTypes());
    printer << ')';
  }
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr(); hints && !hints.getValue().empty()) {
    printer << " optimization_hints=";
    hints.print(printer);
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getSymNameAttrName(), getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                 getResAttrsAttrName(), getOptimizationHintsAttrName()});
}

void EntryOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

LogicalResult EntryOp::verifyType() { return success(); }

LogicalResult EntryOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("entry op must not return values");
  for (Type type : getArgumentTypes())
    if (auto tile = dyn_cast<TileType>(type); tile && tile.getRank() != 0)
      return emitOpError("entry op must have scalar types (rank 0 !cuda_tile.tile), but got ") << type;
  if (failed(verifyFunctionDebugInfo(cast<FunctionOpInterface>(getOperation()))))
    return failure();
  return verifyHints(*this, getOptimizationHintsAttr(), {"num_cta_in_cga", "num_worker_warps_per_cta", "occupancy"});
}

//===----------------------------------------------------------------------===//
// global, get_global
//===----------------------------------------------------------------------===//

ParseResult GlobalOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"public", "private"})))
    result.addAttribute(getSymbolVisibilityAttrName(result.name),
                        SymbolVisibilityAttr::get(parser.getContext(), *symbolizeSymbolVisibility(keyword)));
  if (succeeded(parser.parseOptionalKeyword("constant")))
    result.addAttribute(getConstantAttrName(result.name), builder.getUnitAttr());
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("alignment"))) {
    int64_t alignment;
    if (parser.parseEqual() || parser.parseInteger(alignment))
      return failure();
    result.addAttribute(getAlignmentAttrName(result.name), builder.getI64IntegerAttr(alignment));
  }
  Type type;
  return parseLiteralAndType(parser, result, getValueAttrName(result.name), type);
}

void GlobalOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getSymbolVisibility() != SymbolVisibility::Public)
    printer << stringifySymbolVisibility(getSymbolVisibility()) << ' ';
  if (getConstant())
    printer << "constant ";
  printer.printSymbolName(getSymName());
  if (getAlignment() != 0)
    printer << " alignment = " << static_cast<int64_t>(getAlignment());
  printer << ' ';
  printDenseLiteral(printer, getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getSymNameAttrName(), getValueAttrName(), getAlignmentAttrName(),
                                                      getConstantAttrName(), getSymbolVisibilityAttrName()});
  printer << " : ";
  printCudaTileType(printer, getValue().getType());
}

LogicalResult GlobalOp::verify() {
  auto type = dyn_cast<TileType>(getValue().getType());
  if (!type)
    return emitOpError("type must be a tile, but got ") << getValue().getType();
  if (type.getRank() != 1)
    return emitOpError("type must have rank 1");
  auto alignment = static_cast<int64_t>(getAlignment());
  if (alignment != 0 && (alignment < 0 || !llvm::isPowerOf2_64(alignment)))
    return emitOpError("alignment must be zero or a power of two, but got ") << alignment;
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("'") << getName() << "' does not reference a valid global";
  auto tile = dyn_cast<TileType>(global.getValue().getType());
  Type pointee = cast<PointerType>(cast<TileType>(getResult().getType()).getElementType()).getPointeeType();
  if (!tile || tile.getElementType() != pointee)
    return emitOpError("pointee type of result type ")
           << cast<TileType>(getResult().getType()).getElementType() << " does not match type "
           << getElementTypeOrSelf(global.getValue().getType()) << " of the global @" << getName();
  return success();
}
