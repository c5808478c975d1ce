//===- CudaTileSyntax.cpp - Directives of the declarative formats ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

void cuda_tile::printCudaTileType(OpAsmPrinter &printer, Operation *, Type type) { printCudaTileType(printer, type); }

ParseResult cuda_tile::parseCudaTileTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList([&] { return parseCudaTileType(parser, types.emplace_back()); });
}

void cuda_tile::printCudaTileTypes(OpAsmPrinter &printer, Operation *, TypeRange types) {
  llvm::interleaveComma(types, printer, [&](Type type) { printCudaTileType(printer, type); });
}

ParseResult cuda_tile::parseCommaCudaTileType(OpAsmParser &parser, Type &type) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return parseCudaTileType(parser, type);
}

void cuda_tile::printCommaCudaTileType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!type)
    return;
  printer << ", ";
  printCudaTileType(printer, type);
}

/// A keyword that must be one of the values of an enum.
template <typename AttrT, typename EnumT>
static ParseResult parseEnum(OpAsmParser &parser, std::optional<EnumT> (*symbolize)(StringRef), StringRef expected,
                             AttrT &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  std::optional<EnumT> value;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    value = symbolize(keyword);
  if (!value)
    return parser.emitError(loc, expected);
  attr = AttrT::get(parser.getContext(), *value);
  return success();
}

ParseResult cuda_tile::parseSignedness(OpAsmParser &parser, SignednessAttr &attr) {
  return parseEnum<SignednessAttr, Signedness>(parser, symbolizeSignedness,
                                               "expected signedness to be one of: {'signed', 'unsigned'}", attr);
}

void cuda_tile::printSignedness(OpAsmPrinter &printer, Operation *, SignednessAttr attr) {
  printer << stringifySignedness(attr.getValue());
}

ParseResult cuda_tile::parseComparisonPredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr) {
  return parseEnum<ComparisonPredicateAttr, ComparisonPredicate>(
      parser, symbolizeComparisonPredicate,
      "expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', "
      "'greater_than', 'greater_than_or_equal'}",
      attr);
}

void cuda_tile::printComparisonPredicate(OpAsmPrinter &printer, Operation *, ComparisonPredicateAttr attr) {
  printer << stringifyComparisonPredicate(attr.getValue());
}

ParseResult cuda_tile::parseComparisonOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr) {
  return parseEnum<ComparisonOrderingAttr, ComparisonOrdering>(
      parser, symbolizeComparisonOrdering,
      "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}", attr);
}

void cuda_tile::printComparisonOrdering(OpAsmPrinter &printer, Operation *, ComparisonOrderingAttr attr) {
  printer << stringifyComparisonOrdering(attr.getValue());
}

ParseResult cuda_tile::parseAssumePredicate(OpAsmParser &parser, AssumePredicate &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  Attribute attr;
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    if (keyword == DivByAttr::getMnemonic())
      attr = DivByAttr::parse(parser, {});
    else if (keyword == SameElementsAttr::getMnemonic())
      attr = SameElementsAttr::parse(parser, {});
    else if (keyword == BoundedAttr::getMnemonic())
      attr = BoundedAttr::parse(parser, {});
    else
      return parser.emitError(loc) << "unknown assume predicate attribute: " << keyword
                                   << " (expected 'div_by', 'same_elements', or 'bounded')";
    if (!attr)
      return failure();
  } else {
    OptionalParseResult parsed = parser.parseOptionalAttribute(attr);
    if (parsed.has_value() && failed(*parsed))
      return failure();
  }
  result = dyn_cast_or_null<AssumePredicate>(attr);
  return result ? ParseResult(success()) : parser.emitError(loc, "expected assume predicate attribute");
}

void cuda_tile::printAssumePredicate(OpAsmPrinter &printer, Operation *, AssumePredicate attr) {
  llvm::TypeSwitch<Attribute>(attr)
      .Case<DivByAttr, SameElementsAttr, BoundedAttr>([&](auto predicate) {
        printer << predicate.getMnemonic();
        predicate.print(printer);
      })
      .Default([&](Attribute other) { printer << other; });
}

ParseResult cuda_tile::parseBlockIndices(OpAsmParser &parser,
                                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                                         SmallVectorImpl<Type> &types) {
  if (parser.parseOperandList(indices, OpAsmParser::Delimiter::Square))
    return failure();
  types.assign(indices.size(), TileType::get({}, parser.getBuilder().getI32Type()));
  return success();
}

void cuda_tile::printBlockIndices(OpAsmPrinter &printer, Operation *, OperandRange indices, TypeRange) {
  printer << '[' << indices << ']';
}
