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
  // What is no keyword at all gets two errors, as in the public parser.
  if (succeeded(parser.parseKeyword(&keyword)))
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
      parser, symbolizeComparisonOrdering, "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}",
      attr);
}

void cuda_tile::printComparisonOrdering(OpAsmPrinter &printer, Operation *, ComparisonOrderingAttr attr) {
  printer << stringifyComparisonOrdering(attr.getValue());
}

//===----------------------------------------------------------------------===//
// rounding<mode>
//===----------------------------------------------------------------------===//
// The parser refuses the modes that no type of the op has; the verifier refuses the others (and what the generic form
// lets through).

namespace {
struct RoundingRule {
  RoundingMode byDefault;
  ArrayRef<RoundingMode> modes;
  /// Whether any rounding mode may be written here, to be refused by the verifier.
  bool anyMode = false;
};
} // namespace

static ParseResult parseRounding(OpAsmParser &parser, RoundingModeAttr &attr, const RoundingRule &rule) {
  if (failed(parser.parseOptionalKeyword("rounding")))
    return success();
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword(&keyword) || parser.parseGreater())
    return failure();
  std::optional<RoundingMode> mode = symbolizeRoundingMode(keyword);
  if (mode && (rule.anyMode || llvm::is_contained(rule.modes, *mode))) {
    attr = RoundingModeAttr::get(parser.getContext(), *mode);
    return success();
  }
  InFlightDiagnostic diag = parser.emitError(parser.getCurrentLocation(), "expected rounding mode to be one of: ");
  llvm::interleaveComma(rule.modes, diag, [&](RoundingMode m) { diag << "'" << stringifyRoundingMode(m) << "'"; });
  if (!rule.anyMode)
    diag << ", got: '" << keyword << "'";
  return diag;
}

static void printRounding(OpAsmPrinter &printer, RoundingModeAttr attr, const RoundingRule &rule) {
  if (attr && attr.getValue() != rule.byDefault)
    printer << " rounding<" << stringifyRoundingMode(attr.getValue()) << '>';
}

using RM = RoundingMode;
static constexpr RM ieeeModes[] = {RM::NearestEven, RM::Zero, RM::NegativeInf, RM::PositiveInf};
static constexpr RM divModes[] = {RM::NearestEven, RM::Zero, RM::NegativeInf, RM::PositiveInf, RM::Approx, RM::Full};
static constexpr RM sqrtModes[] = {RM::NearestEven, RM::Zero, RM::NegativeInf, RM::PositiveInf, RM::Approx};
static constexpr RM fullModes[] = {RM::Approx, RM::Full};
static constexpr RM ftofModes[] = {RM::NearestEven, RM::Zero, RM::NegativeInf, RM::PositiveInf, RM::NearestAway};
static constexpr RM ftoiModes[] = {RM::NearestIntToZero};

#define TILEIRAS_ROUNDING(NAME, DEFAULT, MODES, ANY)                                                                   \
  ParseResult cuda_tile::parse##NAME##Rounding(OpAsmParser &parser, RoundingModeAttr &attr) {                          \
    return parseRounding(parser, attr, {RM::DEFAULT, MODES, ANY});                                                     \
  }                                                                                                                    \
  void cuda_tile::print##NAME##Rounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {                   \
    printRounding(printer, attr, {RM::DEFAULT, MODES, ANY});                                                           \
  }
TILEIRAS_ROUNDING(IEEE, NearestEven, ieeeModes, false)
TILEIRAS_ROUNDING(Div, NearestEven, divModes, true)
TILEIRAS_ROUNDING(Sqrt, NearestEven, sqrtModes, true)
TILEIRAS_ROUNDING(Full, Full, fullModes, true)
TILEIRAS_ROUNDING(FToF, NearestEven, ftofModes, true)
TILEIRAS_ROUNDING(FToI, NearestIntToZero, ftoiModes, false)
#undef TILEIRAS_ROUNDING

//===----------------------------------------------------------------------===//
// Predicates, indices
//===----------------------------------------------------------------------===//

ParseResult cuda_tile::parseAssumePredicate(OpAsmParser &parser, AssumePredicate &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  Attribute attr;
  OptionalParseResult parsed = parser.parseOptionalAttribute(attr);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
  } else if (failed(parser.parseKeyword(&keyword))) {
    return parser.emitError(loc, "expected attribute name");
  } else {
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

ParseResult cuda_tile::parseBlockIndices(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                                         SmallVectorImpl<Type> &types) {
  if (parser.parseOperandList(indices, OpAsmParser::Delimiter::Square))
    return failure();
  types.assign(indices.size(), TileType::get({}, parser.getBuilder().getI32Type()));
  return success();
}

void cuda_tile::printBlockIndices(OpAsmPrinter &printer, Operation *, OperandRange indices, TypeRange) {
  printer << '[' << indices << ']';
}
