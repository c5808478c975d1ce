//===- CudaTileTestingOps.cpp - testing$func ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"
#include "CudaTileInternal.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.cpp.inc"

void cuda_tile::addTestingOps(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *, CudaTileDialect *dialect) { RegisteredOperationName::insert<TestingFuncOp>(*dialect); });
}

/// `T`, or `(T {attributes}, U)`.
static ParseResult parseResults(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                                SmallVectorImpl<DictionaryAttr> &attributes) {
  if (failed(parser.parseOptionalLParen())) {
    attributes.push_back({});
    return parseCudaTileType(parser, types.emplace_back());
  }
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  auto parseResult = [&]() -> ParseResult {
    NamedAttrList attrs;
    if (parseCudaTileType(parser, types.emplace_back()) || parser.parseOptionalAttrDict(attrs))
      return failure();
    attributes.push_back(attrs.getDictionary(parser.getContext()));
    return success();
  };
  return failure(parser.parseCommaSeparatedList(parseResult) || parser.parseRParen());
}

ParseResult TestingFuncOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> args;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parseFunctionArguments(parser, args))
    return failure();
  SmallVector<Type> inputs, results;
  for (OpAsmParser::Argument &arg : args)
    inputs.push_back(arg.type);
  SmallVector<DictionaryAttr> resultAttributes;
  if (succeeded(parser.parseOptionalArrow()) && parseResults(parser, results, resultAttributes))
    return failure();
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, results)));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, args, resultAttributes,
                                            getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) || parseFunctionBody(parser, result, args));
}

void TestingFuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printFunctionArguments(printer, getBody(), getArgAttrsAttr());
  ArrayRef<Type> results = getResultTypes();
  ArrayAttr attributes = getResAttrsAttr();
  if (!results.empty()) {
    // A lone function type would take its own arrow for ours.
    bool parentheses = attributes || results.size() > 1 || isa<FunctionType>(results.front());
    printer << " -> " << (parentheses ? "(" : "");
    llvm::interleaveComma(llvm::enumerate(results), printer, [&](auto indexed) {
      printCudaTileType(printer, indexed.value());
      if (attributes && indexed.index() < attributes.size())
        printer.printOptionalAttrDict(cast<DictionaryAttr>(attributes[indexed.index()]).getValue());
    });
    printer << (parentheses ? ")" : "");
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(),
                                                                 getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

void TestingFuncOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}

LogicalResult TestingFuncOp::verify() { return verifyFunctionDebugInfo(cast<FunctionOpInterface>(getOperation())); }
