//===- CudaTileInternal.h - Shared by the files of the dialect ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DIALECT_CUDATILE_IR_CUDATILEINTERNAL_H
#define TILEIRAS_DIALECT_CUDATILE_IR_CUDATILEINTERNAL_H

#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"

namespace mlir::cuda_tile {

using EmitErrorFn = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Directives of the declarative formats
//===----------------------------------------------------------------------===//

void printCudaTileType(OpAsmPrinter &printer, Operation *op, Type type);
ParseResult parseCudaTileTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types);
void printCudaTileTypes(OpAsmPrinter &printer, Operation *op, TypeRange types);
/// `, type` when an optional operand is there.
ParseResult parseCommaCudaTileType(OpAsmParser &parser, Type &type);
void printCommaCudaTileType(OpAsmPrinter &printer, Operation *op, Type type);
ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attr);
void printSignedness(OpAsmPrinter &printer, Operation *op, SignednessAttr attr);
ParseResult parseComparisonPredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr);
void printComparisonPredicate(OpAsmPrinter &printer, Operation *op, ComparisonPredicateAttr attr);
ParseResult parseComparisonOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr);
void printComparisonOrdering(OpAsmPrinter &printer, Operation *op, ComparisonOrderingAttr attr);
ParseResult parseIEEERounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printIEEERounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseDivRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printDivRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseSqrtRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printSqrtRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseFullRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printFullRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseFToFRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printFToFRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseFToIRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printFToIRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
ParseResult parseAssumePredicate(OpAsmParser &parser, AssumePredicate &attr);
void printAssumePredicate(OpAsmPrinter &printer, Operation *op, AssumePredicate attr);
/// `[%i, %j]`: one i32 scalar tile per dimension, so no types are written.
ParseResult parseBlockIndices(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                              SmallVectorImpl<Type> &types);
void printBlockIndices(OpAsmPrinter &printer, Operation *op, OperandRange indices, TypeRange types);

/// The pieces of a function: `(%a: T {attributes}, %b: U)` and the region.
ParseResult parseFunctionArguments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args);
ParseResult parseFunctionBody(OpAsmParser &parser, OperationState &result, ArrayRef<OpAsmParser::Argument> args);
void printFunctionArguments(OpAsmPrinter &printer, Region &body, ArrayAttr attributes);

//===----------------------------------------------------------------------===//
// Dense literals: `<f32: [1.0, 2.0]>`
//===----------------------------------------------------------------------===//

/// A literal whose tile type is not known yet (it follows in the text).
struct DenseLiteral {
  SMLoc loc;
  Type elementType;
  SmallVector<int64_t> shape; // as written by nesting
  bool isSplat = false;       // a lone number
  SmallVector<APInt> ints;
  SmallVector<APFloat> floats;
  std::optional<std::string> hex; // a raw buffer
};
ParseResult parseDenseLiteral(AsmParser &parser, DenseLiteral &literal);
/// Gives the literal its type, or reports why it cannot have it.
FailureOr<DenseIntOrFPElementsAttr> buildDenseLiteral(AsmParser &parser, const DenseLiteral &literal, SMLoc typeLoc,
                                                      Type type);
/// `literal attr-dict : type`; the attribute gets `name`.
ParseResult parseLiteralAndType(OpAsmParser &parser, OperationState &result, StringAttr name, Type &type);
void printDenseLiteral(AsmPrinter &printer, DenseIntOrFPElementsAttr attr);

//===----------------------------------------------------------------------===//
// Hints and checks
//===----------------------------------------------------------------------===//

CudaTileDialect::HintPolicy getHintPolicyFromOptions();
/// `= <...>` after the keyword `optimization_hints`; the attribute's full spelling is good as well.
ParseResult parseHintsClause(OpAsmParser &parser, OperationState &result);
/// Checks hints against the keys that `op` knows, as far as the dialect's policy asks for it.
LogicalResult verifyHints(Operation *op, OptimizationHintsAttr hints, ArrayRef<StringRef> knownKeys);

/// Legal orderings and scopes of loads and of stores.
LogicalResult verifyAccessOrdering(Operation *op, bool isLoad, MemoryOrderingSemantics semantics,
                                   std::optional<MemoryScope> scope);
void getLoadEffects(MemoryOrderingSemantics semantics,
                    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects);
LogicalResult verifyAtomicMode(Operation *op, AtomicRMWMode mode, Type element);

/// The rules that tie the debug-info scopes of a function and of its body together.
LogicalResult verifyFunctionDebugInfo(FunctionOpInterface function);
LogicalResult verifyNoDebugScope(Operation *op);

/// The text `a, b, c` of a list of integers.
std::string joinInts(ArrayRef<int64_t> values);

/// A terminator without operands, results of its own or attributes is left out of the text.
bool hasPrintedTerminator(Block *block);

/// The value of a splat i1 constant.
std::optional<bool> getConstantBool(Value value);
/// The x of `xori x, true`, or null.
Value getNegated(Value value);

/// Adds a terminator where the parser left it out.
template <typename TerminatorT> void ensureBlockTerminator(Region &region, Location loc) {
  if (region.empty())
    region.push_back(new Block);
  Block &block = region.front();
  if (!block.empty() && block.back().mightHaveTrait<OpTrait::IsTerminator>())
    return;
  OpBuilder builder(loc.getContext());
  builder.setInsertionPointToEnd(&block);
  TerminatorT::create(builder, loc);
}

} // namespace mlir::cuda_tile

#endif // TILEIRAS_DIALECT_CUDATILE_IR_CUDATILEINTERNAL_H
