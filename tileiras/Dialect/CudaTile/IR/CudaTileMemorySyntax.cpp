//===- CudaTileMemorySyntax.cpp - Parse and print of load_ptr_tko, print_tko ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// load_ptr_tko
//===----------------------------------------------------------------------===//

/// A keyword (or string) of an enum, with the diagnostics of the declarative formats, which the other pointer ops use.
template <typename EnumT>
static std::optional<EnumT> parseEnum(OpAsmParser &parser, std::optional<EnumT> (*symbolize)(StringRef),
                                      StringRef attribute, StringRef choices, bool isOptional) {
  SMLoc loc = parser.getCurrentLocation();
  std::string keyword;
  if (failed(parser.parseOptionalKeywordOrString(&keyword))) {
    if (!isOptional)
      parser.emitError(loc) << "expected string or keyword containing one of the following enum values for attribute '"
                            << attribute << "' [" << choices << "]";
    return std::nullopt;
  }
  std::optional<EnumT> value = symbolize(keyword);
  if (!value)
    parser.emitError(loc) << "expected string or keyword containing one of the following enum values for attribute '"
                          << attribute << "' [" << choices << "]";
  return value;
}

/// `ORD [SCOPE] %p[, %mask][, %pad] [token=%t] [optimization_hints = <..>] : P[, M][, T] -> T, token`. One operand
/// after the pointers is a mask if its type can be one, else a padding value.
ParseResult LoadPtrTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  MLIRContext *context = parser.getContext();
  SmallVector<OpAsmParser::UnresolvedOperand> operands, token;
  SmallVector<Type> types, resultTypes;
  auto semantics =
      parseEnum<MemoryOrderingSemantics>(parser, symbolizeMemoryOrderingSemantics, "memory_ordering_semantics",
                                         "weak, relaxed, acquire, release, acq_rel", /*isOptional=*/false);
  if (!semantics)
    return failure();
  result.addAttribute("memory_ordering_semantics", MemoryOrderingSemanticsAttr::get(context, *semantics));
  SMLoc scopeLoc = parser.getCurrentLocation();
  if (auto scope = parseEnum<MemoryScope>(parser, symbolizeMemoryScope, "memory_scope", "tl_blk, device, sys",
                                          /*isOptional=*/true))
    result.addAttribute("memory_scope", MemoryScopeAttr::get(context, *scope));
  else if (scopeLoc != parser.getCurrentLocation())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands))
    return failure();
  if (operands.empty() || operands.size() > 3)
    return parser.emitError(loc, "expected pointers, an optional mask and an optional padding value");
  if (succeeded(parser.parseOptionalKeyword("token")) &&
      (parser.parseEqual() || parser.parseOperand(token.emplace_back())))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("optimization_hints")) && parseHintsClause(parser, result))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() || parseCudaTileTypes(parser, types) ||
      parser.parseArrow() || parseCudaTileTypes(parser, resultTypes) ||
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.resolveOperands(token, TokenType::get(context), result.operands))
    return failure();
  int32_t masks = operands.size() == 3, pads = masks;
  if (operands.size() == 2) {
    masks = isTileOf(types[1], isI1) || resultTypes.empty() || types[1] != resultTypes[0];
    pads = !masks;
  }
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, masks, pads, static_cast<int32_t>(token.size())};
  result.addTypes(resultTypes);
  return success();
}

void LoadPtrTkoOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyMemoryOrderingSemantics(getMemoryOrderingSemantics());
  if (std::optional<MemoryScope> scope = getMemoryScope())
    printer << ' ' << stringifyMemoryScope(*scope);
  OperandRange data = getOperands();
  if (getToken())
    data = data.drop_back();
  printer << ' ' << data;
  if (getToken())
    printer << " token=" << getToken();
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr(); hints && !hints.getValue().empty()) {
    printer << " optimization_hints = ";
    hints.print(printer);
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {"memory_ordering_semantics", "memory_scope", "optimization_hints", "operandSegmentSizes"});
  printer << " : ";
  printCudaTileTypes(printer, *this, data.getTypes());
  printer << " -> ";
  printCudaTileTypes(printer, *this, getResultTypes());
}

//===----------------------------------------------------------------------===//
// print_tko
//===----------------------------------------------------------------------===//

ParseResult PrintTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr text;
  SmallVector<OpAsmParser::UnresolvedOperand> args, token;
  SmallVector<Type> types;
  Type resultType;
  SMLoc loc = parser.getCurrentLocation();
  // Without a type of its own the string would take the `:` of the operand types.
  if (parser.parseAttribute(text, NoneType::get(parser.getContext()), getStrAttrName(result.name), result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalComma()) && parser.parseOperandList(args))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("token")) &&
      (parser.parseEqual() || parser.parseOperand(token.emplace_back())))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalColon()) && parseCudaTileTypes(parser, types))
    return failure();
  if (parser.parseArrow() || parseCudaTileType(parser, resultType) ||
      parser.resolveOperands(args, types, loc, result.operands) ||
      parser.resolveOperands(token, TokenType::get(parser.getContext()), result.operands))
    return failure();
  result.addTypes(resultType);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {static_cast<int32_t>(args.size()),
                                                                 static_cast<int32_t>(token.size())};
  return success();
}

void PrintTkoOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getStrAttr();
  if (!getArgs().empty())
    printer << ", " << getArgs();
  if (getToken())
    printer << " token=" << getToken();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getStrAttrName(), getOperandSegmentSizesAttrName()});
  if (!getArgs().empty()) {
    printer << " : ";
    printCudaTileTypes(printer, *this, getArgs().getTypes());
  }
  printer << " -> ";
  printCudaTileType(printer, getResultToken().getType());
}
