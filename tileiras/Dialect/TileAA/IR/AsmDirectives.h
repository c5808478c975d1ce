//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Custom assembly directives shared by nv_tileaa and nv_tileas. Included only by
// the two files that include the generated operations.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_ASMDIRECTIVES_H
#define TILEIRAS_DIALECT_TILEAA_IR_ASMDIRECTIVES_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::nv_tileaa::detail {

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

/// The type of an optional operand that always equals the result's: nothing is written.
inline ParseResult parseSameTypeOptional(OpAsmParser &, OptionalOperand operand, Type result, Type &other) {
  if (operand)
    other = result;
  return success();
}
inline void printSameTypeOptional(OpAsmPrinter &, Operation *, Value, Type, Type) {}

/// An operand whose type is that of the result.
inline ParseResult parseSameType(OpAsmParser &, Type result, Type &other) {
  other = result;
  return success();
}
inline void printSameType(OpAsmPrinter &, Operation *, Type, Type) {}

/// `(i32, i32)`, also empty.
inline ParseResult parseTypeList(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                        [&]() { return parser.parseType(types.emplace_back()); });
}
inline void printTypeList(OpAsmPrinter &printer, Operation *, TypeRange types) {
  printer << '(';
  llvm::interleaveComma(types, printer);
  printer << ')';
}

/// `, mask %m`, `, other %o`, `, token %t`: each optional, in this order when printed, in any order when parsed.
inline ParseResult parseNamed(OpAsmParser &parser, ArrayRef<std::pair<StringRef, OptionalOperand *>> names) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    auto it = llvm::find_if(names, [&](auto &entry) { return entry.first == word && !*entry.second; });
    if (it == names.end())
      return parser.emitError(loc, "unexpected operand '") << word << "'";
    if (parser.parseOperand(it->second->emplace()))
      return failure();
  }
  return success();
}
inline ParseResult parseNamedOperands(OpAsmParser &parser, OptionalOperand &mask, OptionalOperand &other,
                                      OptionalOperand &token) {
  return parseNamed(parser, {{"mask", &mask}, {"other", &other}, {"token", &token}});
}
inline ParseResult parseNamedOperands(OpAsmParser &parser, OptionalOperand &mask, OptionalOperand &token) {
  return parseNamed(parser, {{"mask", &mask}, {"token", &token}});
}
inline void printNamed(OpAsmPrinter &printer, StringRef name, Value value) {
  if (value)
    printer << ", " << name << ' ' << value;
}
inline void printNamedOperands(OpAsmPrinter &printer, Operation *, Value mask, Value other, Value token) {
  printNamed(printer, "mask", mask);
  printNamed(printer, "other", other);
  printNamed(printer, "token", token);
}
inline void printNamedOperands(OpAsmPrinter &printer, Operation *op, Value mask, Value token) {
  printNamedOperands(printer, op, mask, Value(), token);
}

} // namespace mlir::nv_tileaa::detail

#endif // TILEIRAS_DIALECT_TILEAA_IR_ASMDIRECTIVES_H
