//===- CudaTileLiterals.cpp - Dense literals ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// `<f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>`. The payload is written as in `dense<...>`: nested lists, one
// lone number for a splat, and a hexadecimal string of the raw data for large literals.
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {
class LiteralParser {
public:
  LiteralParser(AsmParser &parser, DenseLiteral &literal) : parser(parser), literal(literal) {}

  ParseResult parse() {
    literal.loc = parser.getCurrentLocation();
    std::string text;
    if (succeeded(parser.parseOptionalString(&text))) {
      StringRef digits(text);
      std::string bytes;
      if (!digits.consume_front("0x") || !llvm::tryGetFromHex(digits, bytes))
        return parser.emitError(literal.loc, "expected a string of hexadecimal digits starting with 0x");
      literal.hex = bytes;
      return success();
    }
    if (failed(parser.parseOptionalLSquare())) {
      literal.isSplat = true;
      return parseElement();
    }
    return parseList(literal.shape, /*depth=*/0);
  }

private:
  // The opening bracket is consumed. Returns the shape of the list.
  ParseResult parseList(SmallVectorImpl<int64_t> &shape, unsigned depth) {
    // Bounds the recursion on hostile input: no tile has more dimensions than log2 of its largest size.
    if (depth > 64)
      return parser.emitError(parser.getCurrentLocation(), "tensor literal is nested too deeply");
    SmallVector<int64_t> first;
    int64_t count = 0;
    if (failed(parser.parseOptionalRSquare())) {
      do {
        SmallVector<int64_t> inner;
        if (succeeded(parser.parseOptionalLSquare())) {
          if (parseList(inner, depth + 1))
            return failure();
        } else if (parseElement()) {
          return failure();
        }
        if (count++ == 0)
          first = inner;
        else if (first != inner)
          return parser.emitError(parser.getCurrentLocation(),
                                  "tensor literal is invalid; ranks are not consistent between elements");
      } while (succeeded(parser.parseOptionalComma()));
      if (parser.parseRSquare())
        return failure();
    }
    shape.assign(1, count);
    shape.append(first);
    return success();
  }

  ParseResult parseElement() {
    if (auto floatType = dyn_cast<FloatType>(literal.elementType)) {
      APFloat value(floatType.getFloatSemantics());
      if (parser.parseFloat(floatType.getFloatSemantics(), value))
        return failure();
      literal.floats.push_back(value);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    unsigned width = literal.elementType.getIntOrFloatBitWidth();
    StringRef keyword;
    if (succeeded(parser.parseOptionalKeyword(&keyword, {"true", "false"}))) {
      // MLIR would take them for numbers of any width.
      if (width != 1)
        return parser.emitError(loc, "expected integer value");
      literal.ints.push_back(APInt(1, keyword == "true"));
      return success();
    }
    APInt value;
    OptionalParseResult parsed = parser.parseOptionalInteger(value);
    if (!parsed.has_value())
      return parser.emitError(loc, "expected integer value");
    if (failed(*parsed))
      return failure();
    // Any value of the signed or of the unsigned range is good. The parsed number is signed and as wide as needed.
    bool fits = value.isNegative() ? value.isSignedIntN(width) : value.isIntN(width);
    if (!fits)
      return parser.emitError(loc, "integer constant out of range for type");
    literal.ints.push_back(value.sextOrTrunc(width));
    return success();
  }

  AsmParser &parser;
  DenseLiteral &literal;
};
} // namespace

ParseResult cuda_tile::parseDenseLiteral(AsmParser &parser, DenseLiteral &literal) {
  if (parser.parseLess())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, literal.elementType))
    return failure();
  if (!isNumber(literal.elementType))
    return parser.emitError(loc) << "expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or "
                                    "f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got "
                                 << literal.elementType;
  return failure(parser.parseColon() || LiteralParser(parser, literal).parse() || parser.parseGreater());
}

FailureOr<DenseIntOrFPElementsAttr> cuda_tile::buildDenseLiteral(AsmParser &parser, const DenseLiteral &literal,
                                                                 SMLoc typeLoc, Type type) {
  auto tile = dyn_cast<TileType>(type);
  if (!tile) {
    parser.emitError(typeLoc) << "result #0 must be tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 "
                                 "or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got "
                              << type;
    return failure();
  }
  if (tile.getElementType() != literal.elementType) {
    parser.emitError(typeLoc) << "mismatch between the element type: " << literal.elementType
                              << " and the tile element type " << tile.getElementType();
    return failure();
  }
  if (literal.hex) {
    ArrayRef<char> raw(literal.hex->data(), literal.hex->size());
    bool splat = false;
    if (!DenseElementsAttr::isValidRawBuffer(tile, raw, splat)) {
      parser.emitError(literal.loc) << "elements hex data size is invalid for provided type: " << type;
      return failure();
    }
    return cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::getFromRawBuffer(tile, raw));
  }
  if (!literal.isSplat && ArrayRef<int64_t>(literal.shape) != tile.getShape()) {
    parser.emitError(literal.loc) << "inferred shape of elements literal ([" << joinInts(literal.shape)
                                  << "]) does not match type ([" << joinInts(tile.getShape()) << "])";
    return failure();
  }
  DenseElementsAttr dense = isa<FloatType>(literal.elementType) ? DenseElementsAttr::get(tile, literal.floats)
                                                                : DenseElementsAttr::get(tile, literal.ints);
  return cast<DenseIntOrFPElementsAttr>(dense);
}

ParseResult cuda_tile::parseLiteralAndType(OpAsmParser &parser, OperationState &result, StringAttr name, Type &type) {
  DenseLiteral literal;
  if (parseDenseLiteral(parser, literal) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parseCudaTileType(parser, type))
    return failure();
  FailureOr<DenseIntOrFPElementsAttr> value = buildDenseLiteral(parser, literal, typeLoc, type);
  if (failed(value))
    return failure();
  result.addAttribute(name, *value);
  return success();
}

void cuda_tile::printDenseLiteral(AsmPrinter &printer, DenseIntOrFPElementsAttr attr) {
  // MLIR's own limit for printing `dense` attributes element by element.
  constexpr int64_t maxReadableElements = 100;
  auto type = cast<ShapedType>(attr.getType());
  Type element = type.getElementType();
  printer << '<';
  printCudaTileType(printer, element);
  printer << ": ";
  auto printOne = [&](int64_t index) {
    if (isa<FloatType>(element)) {
      printer.printFloat(attr.isSplat() ? attr.getSplatValue<APFloat>() : *(attr.value_begin<APFloat>() + index));
      return;
    }
    APInt value = attr.isSplat() ? attr.getSplatValue<APInt>() : *(attr.value_begin<APInt>() + index);
    if (isI1(element))
      printer << (value.isZero() ? "false" : "true");
    else
      value.print(printer.getStream(), /*isSigned=*/true);
  };
  if (attr.isSplat()) {
    printOne(0);
  } else if (type.getNumElements() > maxReadableElements) {
    printer << "\"0x" << llvm::toHex(StringRef(attr.getRawData().data(), attr.getRawData().size())) << '"';
  } else {
    int64_t next = 0;
    auto printLevel = [&](auto &self, unsigned dim) -> void {
      if (dim == static_cast<unsigned>(type.getRank()))
        return printOne(next++);
      printer << '[';
      for (int64_t i = 0, e = type.getDimSize(dim); i < e; ++i) {
        if (i)
          printer << ", ";
        self(self, dim + 1);
      }
      printer << ']';
    };
    printLevel(printLevel, 0);
  }
  printer << '>';
}
