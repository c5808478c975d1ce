//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Types and attributes of nv_tileaa: parse, print, verify; dialect registration.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

#include "tileiras/Dialect/TileAA/IR/TileAADialect.cpp.inc"
#include "tileiras/Dialect/TileAA/IR/TileAAEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAAAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAA/IR/TileAATypes.cpp.inc"

void TileAADialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/TileAA/IR/TileAAAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/TileAA/IR/TileAATypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/IR/TileAAOps.cpp.inc"
      >();
}

FailureOr<int64_t> nv_tileaa::getComputeCapability(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto attr = op->getAttrOfType<IntegerAttr>(kComputeCapabilityAttr))
      return attr.getInt();
  return failure();
}

FailureOr<StringRef> nv_tileaa::getTargetSpec(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto attr = op->getAttrOfType<StringAttr>(kTargetSpecAttr))
      return attr.getValue();
  return failure();
}

//===----------------------------------------------------------------------===//
// Integer lists with '?' for dynamic
//===----------------------------------------------------------------------===//

static ParseResult parseDynamicList(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      values.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(values.emplace_back());
  });
}

static void printDynamicList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[';
  llvm::interleaveComma(values, printer, [&](int64_t v) {
    if (ShapedType::isDynamic(v))
      printer << '?';
    else
      printer << v;
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// memref
//===----------------------------------------------------------------------===//

Type nv_tileaa::MemRefType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) || parser.parseType(element))
    return {};
  if (!shape.empty() && (parser.parseComma() || parser.parseKeyword("strides") || parser.parseEqual() ||
                         parseDynamicList(parser, strides)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<nv_tileaa::MemRefType>(parser.getContext(), element, shape, strides);
}

void nv_tileaa::MemRefType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t d : getShape()) {
    if (ShapedType::isDynamic(d))
      printer << '?';
    else
      printer << d;
    printer << 'x';
  }
  printer << getElementType();
  if (!getShape().empty()) {
    printer << ", strides = ";
    printDynamicList(printer, getStrides());
  }
  printer << '>';
}

LogicalResult nv_tileaa::MemRefType::verify(function_ref<InFlightDiagnostic()> emitError, Type elementType,
                                            ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  if (!elementType.isIntOrFloat())
    return emitError() << "expects an integer or float element type, got " << elementType;
  if (shape.size() != strides.size())
    return emitError() << "expects as many strides as dimensions, got " << strides.size() << " and " << shape.size();
  return success();
}

//===----------------------------------------------------------------------===//
// tiled_view
//===----------------------------------------------------------------------===//

Type TiledViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> tile, dimMap, steps;
  std::optional<PaddingValue> padding;
  nv_tileaa::MemRefType source;
  if (parser.parseLess() || parseDynamicList(parser, tile) || parser.parseComma())
    return {};
  for (size_t i = 0; i < tile.size(); ++i)
    dimMap.push_back(i);
  steps = tile;
  auto list = [&](StringRef keyword, SmallVectorImpl<int64_t> &out) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(keyword)))
      return success();
    out.clear();
    return failure(parser.parseEqual() || parseDynamicList(parser, out) || parser.parseComma());
  };
  if (list("dim_map", dimMap) || list("steps", steps))
    return {};
  if (succeeded(parser.parseOptionalKeyword("padding"))) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseEqual() || parser.parseKeyword(&word) || parser.parseComma())
      return {};
    padding = symbolizePaddingValue(word);
    if (!padding) {
      parser.emitError(loc, "unknown padding value '") << word << "'";
      return {};
    }
  }
  Type rounded;
  if (succeeded(parser.parseOptionalKeyword("rounded")) &&
      (parser.parseEqual() || parser.parseType(rounded) || parser.parseComma()))
    return {};
  if (parser.parseType(source) || parser.parseGreater())
    return {};
  return parser.getChecked<TiledViewType>(parser.getContext(), tile, dimMap, steps, padding, source, rounded);
}

void TiledViewType::print(AsmPrinter &printer) const {
  printer << '<';
  printDynamicList(printer, getTileShape());
  bool identity = true;
  for (auto [i, d] : llvm::enumerate(getDimMap()))
    identity &= int64_t(i) == d;
  if (!identity) {
    printer << ", dim_map = ";
    printDynamicList(printer, getDimMap());
  }
  if (getTraversalStrides() != getTileShape()) {
    printer << ", steps = ";
    printDynamicList(printer, getTraversalStrides());
  }
  if (getPadding())
    printer << ", padding = " << stringifyPaddingValue(*getPadding());
  if (getRounded())
    printer << ", rounded = " << getRounded();
  printer << ", " << getSource() << '>';
}

LogicalResult TiledViewType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tileShape,
                                    ArrayRef<int64_t> dimMap, ArrayRef<int64_t> traversalStrides,
                                    std::optional<PaddingValue> padding, nv_tileaa::MemRefType source, Type rounded) {
  size_t rank = source.getRank();
  if (tileShape.size() != rank || dimMap.size() != rank || traversalStrides.size() != rank)
    return emitError() << "expects tile shape, dim_map and steps of the memref's rank " << rank;
  SmallVector<bool> seen(rank);
  for (int64_t d : dimMap) {
    if (d < 0 || d >= int64_t(rank) || seen[d])
      return emitError() << "expects dim_map to be a permutation";
    seen[d] = true;
  }
  int64_t elements = 1;
  for (int64_t d : tileShape) {
    if (d <= 0)
      return emitError() << "all dimensions must be positive constants, got " << d;
    if (!llvm::isPowerOf2_64(d))
      return emitError() << "all dimensions must be powers of two, got " << d;
    elements *= d;
    if (elements > 0x1000000)
      return emitError() << "tile would exceed the maximum of " << 0x1000000 << " elements";
  }
  for (int64_t s : traversalStrides)
    if (s <= 0)
      return emitError() << "steps must be positive, got " << s;
  if (padding && *padding != PaddingValue::Zero && !isa<FloatType>(source.getElementType()))
    return emitError() << "special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types";
  if (rounded && (!isa<FloatTF32Type>(rounded) || !source.getElementType().isF32()))
    return emitError() << "only f32 is rounded, to tf32, got " << source.getElementType() << " to " << rounded;
  return success();
}

LogicalResult KernelSpecAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t numWarps,
                                     int32_t clusterDimX, int32_t clusterDimY, int32_t clusterDimZ, int32_t numCTAs) {
  // 1,024 threads are the most a block has on any target.
  if (numWarps < 1 || numWarps > 32)
    return emitError() << "expects numWarps from 1 to 32, got " << numWarps;
  if (clusterDimX < 1 || clusterDimY < 1 || clusterDimZ < 1)
    return emitError() << "expects positive cluster dimensions";
  if (int64_t(clusterDimX) * clusterDimY * clusterDimZ != numCTAs)
    return emitError() << "expects numCTAs to be the product of clusterDim, got " << numCTAs;
  return success();
}

//===----------------------------------------------------------------------===//
// queue
//===----------------------------------------------------------------------===//

Type QueueType::parse(AsmParser &parser) {
  SmallVector<Type> types;
  bool isolated = false;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
        if (isolated)
          return parser.emitError(parser.getCurrentLocation(), "expects nothing after 'isolated'");
        if (succeeded(parser.parseOptionalKeyword("isolated"))) {
          isolated = true;
          return success();
        }
        return parser.parseType(types.emplace_back());
      }))
    return {};
  return parser.getChecked<QueueType>(parser.getContext(), types, isolated);
}

void QueueType::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getTypes(), printer);
  if (getIsolated())
    printer << ", isolated";
  printer << '>';
}

LogicalResult QueueType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Type> types, bool) {
  if (types.empty())
    return emitError() << "expects at least one type";
  for (Type type : types)
    if (!type || isa<QueueType>(type))
      return emitError() << "expects values in a queue, not queues";
  return success();
}
