//===- CudaTileViewSyntax.cpp - Parse and print of the view ops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using Operand = OpAsmParser::UnresolvedOperand;

//===----------------------------------------------------------------------===//
// make_tensor_view
//===----------------------------------------------------------------------===//

namespace {
/// One list of `shape = [%n, 32]`: static extents (kDynamic where an operand stands) and the operands.
struct ExtentList {
  SmallVector<int64_t> values;
  SmallVector<Operand> operands;
};
} // namespace

static ParseResult parseExtents(OpAsmParser &parser, StringRef keyword, ExtentList &list) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    Operand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (parsed.has_value()) {
      list.operands.push_back(operand);
      list.values.push_back(ShapedType::kDynamic);
      return *parsed;
    }
    int64_t value;
    OptionalParseResult integer = parser.parseOptionalInteger(value);
    if (!integer.has_value())
      return parser.emitError(loc, "expected either integer or SSA value");
    list.values.push_back(value);
    return *integer;
  });
}

static ParseResult checkExtents(OpAsmParser &parser, SMLoc loc, StringRef what, ArrayRef<int64_t> given,
                                ArrayRef<int64_t> expected) {
  if (given.size() != expected.size())
    return parser.emitError(loc) << "expected " << what << " declaration to contain " << expected.size()
                                 << " elements due to tensor_view type, but " << given.size() << " were provided";
  auto text = [](int64_t v) { return ShapedType::isDynamic(v) ? "dynamic" : std::to_string(v); };
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(given, expected)))
    if (auto [got, want] = pair; got != want)
      return parser.emitError(loc) << "input " << what << " dimension " << i
                                   << " does not match tensor_view type (expected " << text(want) << ", got "
                                   << text(got) << ")";
  return success();
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser, OperationState &result) {
  Operand base;
  ExtentList shape, strides;
  if (parser.parseOperand(base))
    return failure();
  SMLoc shapeLoc = parser.getCurrentLocation(), strideLoc = shapeLoc;
  // A tensor of rank 0 may leave both lists out.
  if (succeeded(parser.parseOptionalComma())) {
    shapeLoc = parser.getCurrentLocation();
    if (parseExtents(parser, "shape", shape) || parser.parseComma())
      return failure();
    strideLoc = parser.getCurrentLocation();
    if (parseExtents(parser, "strides", strides))
      return failure();
  }
  Type extentType, viewType;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  if ((!shape.operands.empty() || !strides.operands.empty()) &&
      (parseCudaTileType(parser, extentType) || parser.parseArrow()))
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, viewType))
    return failure();
  auto type = dyn_cast<TensorViewType>(viewType);
  if (!type)
    return parser.emitError(typeLoc) << "expected 'tensor_view' type, but got " << viewType;
  if (checkExtents(parser, shapeLoc, "shape", shape.values, type.getShape()) ||
      checkExtents(parser, strideLoc, "stride", strides.values, type.getStrides()))
    return failure();
  if (parser.resolveOperand(base, TileType::get({}, type.getPointerType()), result.operands) ||
      parser.resolveOperands(shape.operands, extentType, result.operands) ||
      parser.resolveOperands(strides.operands, extentType, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, static_cast<int32_t>(shape.operands.size()),
                                                                 static_cast<int32_t>(strides.operands.size())};
  result.addTypes(type);
  return success();
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  TensorViewType type = getResult().getType();
  auto printList = [&](StringRef keyword, ArrayRef<int64_t> values, OperandRange operands) {
    printer << ", " << keyword << " = [";
    unsigned next = 0;
    llvm::interleaveComma(values, printer, [&](int64_t value) {
      if (ShapedType::isDynamic(value))
        printer << operands[next++];
      else
        printer << value;
    });
    printer << ']';
  };
  printer << ' ' << getBase();
  printList("shape", type.getShape(), getDynamicShape());
  printList("strides", type.getStrides(), getDynamicStrides());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getOperandSegmentSizesAttrName()});
  printer << " : ";
  if (getNumOperands() > 1) {
    printCudaTileType(printer, getOperand(1).getType());
    printer << " -> ";
  }
  printCudaTileType(printer, type);
}

//===----------------------------------------------------------------------===//
// make_*_view and shape queries
//===----------------------------------------------------------------------===//

/// `%tv attr-dict : view`: the operand's type is inside the view's.
template <typename ViewT> static ParseResult parseMakeView(OpAsmParser &parser, OperationState &result) {
  Operand operand;
  Type type;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, type))
    return failure();
  auto view = dyn_cast<ViewT>(type);
  if (!view)
    return parser.emitError(loc) << "expected '" << ViewT::getMnemonic() << "' type, but got " << type;
  result.addTypes(type);
  return parser.resolveOperand(operand, view.getTensorView(), result.operands);
}

static void printMakeView(OpAsmPrinter &printer, Operation *op) {
  printer << ' ' << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printCudaTileType(printer, op->getResult(0).getType());
}

ParseResult MakePartitionViewOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMakeView<PartitionViewType>(parser, result);
}
void MakePartitionViewOp::print(OpAsmPrinter &printer) { printMakeView(printer, *this); }
ParseResult MakeStridedViewOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMakeView<StridedViewType>(parser, result);
}
void MakeStridedViewOp::print(OpAsmPrinter &printer) { printMakeView(printer, *this); }
ParseResult MakeGatherScatterViewOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMakeView<GatherScatterViewType>(parser, result);
}
void MakeGatherScatterViewOp::print(OpAsmPrinter &printer) { printMakeView(printer, *this); }

/// `%src attr-dict : type -> result`; the one result type stands for as many results as there are dimensions.
static ParseResult parseShapeQuery(OpAsmParser &parser, OperationState &result, bool ofTensor) {
  Operand operand;
  Type type, resultType;
  if (parser.parseOperand(operand) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, type))
    return failure();
  int64_t rank;
  if (auto tensor = dyn_cast<TensorViewType>(type); tensor && ofTensor)
    rank = tensor.getRank();
  else if (auto view = dyn_cast<TileView>(type); view && !ofTensor)
    rank = view.getViewIndexRank();
  else
    return parser.emitError(loc) << "expected " << (ofTensor ? "tensor_view" : "tile view") << ", got " << type;
  if (parser.parseArrow() || parseCudaTileType(parser, resultType) ||
      parser.resolveOperand(operand, type, result.operands))
    return failure();
  result.types.append(rank, resultType);
  return success();
}

static void printShapeQuery(OpAsmPrinter &printer, Operation *op) {
  printer << ' ' << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printCudaTileType(printer, op->getOperand(0).getType());
  printer << " -> ";
  // A tensor of rank 0 has no results whose type could be printed; any type reads back as none.
  Type type =
      op->getNumResults() ? op->getResult(0).getType() : TileType::get({}, IntegerType::get(op->getContext(), 64));
  printCudaTileType(printer, type);
}

ParseResult GetTensorShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseShapeQuery(parser, result, /*ofTensor=*/true);
}
void GetTensorShapeOp::print(OpAsmPrinter &printer) { printShapeQuery(printer, *this); }
ParseResult GetIndexSpaceShapeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseShapeQuery(parser, result, /*ofTensor=*/false);
}
void GetIndexSpaceShapeOp::print(OpAsmPrinter &printer) { printShapeQuery(printer, *this); }

//===----------------------------------------------------------------------===//
// load_view_tko, store_view_tko, atomic_red_view_tko
//===----------------------------------------------------------------------===//

namespace {
/// The parts of a view access in the order of the text.
struct ViewAccess {
  SmallVector<Operand, 1> tile; // of a store
  Operand view;
  SmallVector<Operand> index;
  SmallVector<Operand, 1> value; // of a reduction
  SmallVector<Operand, 1> token;
  Type tileType, viewType;
  SmallVector<Type> indexTypes;
  SMLoc loc;
};
} // namespace

/// `ORD [SCOPE]`.
static ParseResult parseOrdering(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  MLIRContext *context = builder.getContext();
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  // What is no keyword at all gets two errors, as in the public parser.
  (void)parser.parseKeyword(&keyword);
  std::optional<MemoryOrderingSemantics> semantics = symbolizeMemoryOrderingSemantics(keyword);
  if (!semantics)
    return parser.emitError(loc) << "invalid memory_ordering_semantics attribute specification. Got \"" << keyword
                                 << "\" but expect one of: weak, relaxed, acquire, release, acq_rel";
  result.addAttribute("memory_ordering_semantics", MemoryOrderingSemanticsAttr::get(context, *semantics));
  loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return success();
  if (*semantics == MemoryOrderingSemantics::Weak)
    return parser.emitError(loc) << "operation specifies weak memory ordering semantics, but then provides \""
                                 << keyword << "\" scope, expected no memory scope.";
  std::optional<MemoryScope> scope = symbolizeMemoryScope(keyword);
  if (!scope)
    return parser.emitError(loc) << "invalid memory_scope attribute specification. Got \"" << keyword
                                 << "\" but expect one of: tl_blk, device, sys";
  result.addAttribute("memory_scope", MemoryScopeAttr::get(context, *scope));
  return success();
}

/// `[token = %t] [inbounds = [..]] [optimization_hints = <..>] [attributes {..}] [{..}] :`.
static ParseResult parseClauses(OpAsmParser &parser, OperationState &result, SmallVectorImpl<Operand> &token,
                                bool isReduction) {
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    if (token.empty() && succeeded(parser.parseOptionalKeyword("token"))) {
      if (parser.parseEqual() || parser.parseOperand(token.emplace_back()))
        return failure();
    } else if (!isReduction && succeeded(parser.parseOptionalKeyword("inbounds"))) {
      SmallVector<bool> values;
      if (parser.parseEqual() || parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
            StringRef keyword;
            if (failed(parser.parseOptionalKeyword(&keyword, {"true", "false"})))
              return parser.emitError(parser.getCurrentLocation(), "expected 'true' or 'false'");
            values.push_back(keyword == "true");
            return success();
          }))
        return failure();
      if (result.attributes.get("inbounds"))
        return parser.emitError(loc, "inbounds given twice");
      result.addAttribute("inbounds", parser.getBuilder().getDenseBoolArrayAttr(values));
    } else if (!isReduction && succeeded(parser.parseOptionalKeyword("optimization_hints"))) {
      if (parseHintsClause(parser, result))
        return failure();
    } else {
      break;
    }
  }
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseOptionalAttrDict(result.attributes) || parser.parseColon());
}

/// `, IDX` or one type per index.
static ParseResult parseIndexTypes(OpAsmParser &parser, ViewAccess &access) {
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalComma()))
    if (parseCudaTileType(parser, access.indexTypes.emplace_back()))
      return failure();
  size_t count = access.index.size();
  if (access.indexTypes.size() == 1 && count != 1)
    access.indexTypes.assign(count, Type(access.indexTypes[0]));
  if (access.indexTypes.size() != count)
    return parser.emitError(loc) << "expected one index type or one for each of the " << count << " indices, got "
                                 << access.indexTypes.size();
  return success();
}

/// Prints everything after the op's own operands: clauses, then `: `.
static void printClauses(OpAsmPrinter &printer, Operation *op, Value token, std::optional<ArrayRef<bool>> inbounds,
                         OptimizationHintsAttr hints) {
  if (token)
    printer << " token = " << token;
  if (inbounds && llvm::is_contained(*inbounds, true)) {
    printer << " inbounds = [";
    llvm::interleaveComma(*inbounds, printer, [&](bool b) { printer << (b ? "true" : "false"); });
    printer << ']';
  }
  if (hints && !hints.getValue().empty()) {
    printer << " optimization_hints = ";
    hints.print(printer);
  }
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), {"memory_ordering_semantics", "memory_scope", "inbounds",
                                                            "mode", "optimization_hints", "operandSegmentSizes"});
  printer << " : ";
}

static void printOrdering(OpAsmPrinter &printer, MemoryOrderingSemantics semantics, std::optional<MemoryScope> scope) {
  printer << ' ' << stringifyMemoryOrderingSemantics(semantics);
  if (scope)
    printer << ' ' << stringifyMemoryScope(*scope);
  printer << ' ';
}

static void printIndexTypes(OpAsmPrinter &printer, OperandRange index) {
  if (index.empty())
    return;
  if (llvm::all_equal(index.getTypes())) {
    printer << ", ";
    printCudaTileType(printer, index[0].getType());
    return;
  }
  for (Type type : index.getTypes()) {
    printer << ", ";
    printCudaTileType(printer, type);
  }
}

ParseResult LoadViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccess a;
  Type tokenType;
  if (parseOrdering(parser, result) || parser.parseOperand(a.view) ||
      parser.parseOperandList(a.index, OpAsmParser::Delimiter::Square) ||
      parseClauses(parser, result, a.token, /*isReduction=*/false) || parseCudaTileType(parser, a.viewType) ||
      parseIndexTypes(parser, a) || parser.parseArrow() || parseCudaTileType(parser, a.tileType) ||
      parser.parseComma() || parseCudaTileType(parser, tokenType))
    return failure();
  if (parser.resolveOperand(a.view, a.viewType, result.operands) ||
      parser.resolveOperands(a.index, a.indexTypes, a.loc, result.operands) ||
      parser.resolveOperands(a.token, TokenType::get(parser.getContext()), result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, static_cast<int32_t>(a.index.size()),
                                                                 static_cast<int32_t>(a.token.size())};
  result.addTypes({a.tileType, tokenType});
  return success();
}

void LoadViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(printer, getMemoryOrderingSemantics(), getMemoryScope());
  printer << getView() << '[' << getIndex() << ']';
  printClauses(printer, *this, getToken(), getInbounds(), getOptimizationHintsAttr());
  printCudaTileType(printer, getView().getType());
  printIndexTypes(printer, getIndex());
  printer << " -> ";
  printCudaTileTypes(printer, *this, getResultTypes());
}

ParseResult StoreViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccess a;
  Type tokenType;
  if (parseOrdering(parser, result) || parser.parseOperand(a.tile.emplace_back()) || parser.parseComma() ||
      parser.parseOperand(a.view) || parser.parseOperandList(a.index, OpAsmParser::Delimiter::Square) ||
      parseClauses(parser, result, a.token, /*isReduction=*/false) || parseCudaTileType(parser, a.tileType) ||
      parser.parseComma() || parseCudaTileType(parser, a.viewType) || parseIndexTypes(parser, a) ||
      parser.parseArrow() || parseCudaTileType(parser, tokenType))
    return failure();
  if (parser.resolveOperand(a.tile[0], a.tileType, result.operands) ||
      parser.resolveOperand(a.view, a.viewType, result.operands) ||
      parser.resolveOperands(a.index, a.indexTypes, a.loc, result.operands) ||
      parser.resolveOperands(a.token, TokenType::get(parser.getContext()), result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, 1, static_cast<int32_t>(a.index.size()),
                                                                 static_cast<int32_t>(a.token.size())};
  result.addTypes(tokenType);
  return success();
}

void StoreViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(printer, getMemoryOrderingSemantics(), getMemoryScope());
  printer << getTile() << ", " << getView() << '[' << getIndex() << ']';
  printClauses(printer, *this, getToken(), getInbounds(), getOptimizationHintsAttr());
  printCudaTileType(printer, getTile().getType());
  printer << ", ";
  printCudaTileType(printer, getView().getType());
  printIndexTypes(printer, getIndex());
  printer << " -> ";
  printCudaTileType(printer, getResultToken().getType());
}

ParseResult AtomicRedViewTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  ViewAccess a;
  Type tokenType;
  if (parseOrdering(parser, result) || parser.parseOperand(a.view) ||
      parser.parseOperandList(a.index, OpAsmParser::Delimiter::Square) || parser.parseComma())
    return failure();
  SMLoc modeLoc = parser.getCurrentLocation();
  StringRef keyword;
  std::optional<AtomicRMWMode> mode;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    mode = symbolizeAtomicRMWMode(keyword);
  if (!mode)
    return parser.emitError(modeLoc, "expected an atomic operation: and, or, xor, add, addf, max, min, umax, umin");
  result.addAttribute(getModeAttrName(result.name), AtomicRMWModeAttr::get(parser.getContext(), *mode));
  if (parser.parseComma() || parser.parseOperand(a.value.emplace_back()) ||
      parseClauses(parser, result, a.token, /*isReduction=*/true) || parseCudaTileType(parser, a.tileType) ||
      parser.parseComma() || parseCudaTileType(parser, a.viewType) || parseIndexTypes(parser, a) ||
      parser.parseArrow() || parseCudaTileType(parser, tokenType))
    return failure();
  if (parser.resolveOperand(a.view, a.viewType, result.operands) ||
      parser.resolveOperands(a.index, a.indexTypes, a.loc, result.operands) ||
      parser.resolveOperand(a.value[0], a.tileType, result.operands) ||
      parser.resolveOperands(a.token, TokenType::get(parser.getContext()), result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, static_cast<int32_t>(a.index.size()), 1,
                                                                 static_cast<int32_t>(a.token.size())};
  result.addTypes(tokenType);
  return success();
}

void AtomicRedViewTkoOp::print(OpAsmPrinter &printer) {
  printOrdering(printer, getMemoryOrderingSemantics(), getMemoryScope());
  printer << getView() << '[' << getIndex() << "], " << stringifyAtomicRMWMode(getMode()) << ", " << getValue();
  printClauses(printer, *this, getToken(), std::nullopt, {});
  printCudaTileType(printer, getValue().getType());
  printer << ", ";
  printCudaTileType(printer, getView().getType());
  printIndexTypes(printer, getIndex());
  printer << " -> ";
  printCudaTileType(printer, getResultToken().getType());
}
