//===- CudaTileAttrs.cpp - Structured attributes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#include "tileiras/Dialect/CudaTile/IR/CudaTileAttrInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileAttrs.cpp.inc"

void CudaTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/CudaTile/IR/CudaTileAttrs.cpp.inc"
      >();
}

static bool isIntOrPointerTile(Type type) { return isTileOf(type, isIntOrI4) || isTileOf(type, isPointer); }

//===----------------------------------------------------------------------===//
// div_by
//===----------------------------------------------------------------------===//

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  uint64_t divisor = 0;
  std::optional<int64_t> every, along;
  if (parser.parseLess() || parser.parseInteger(divisor))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    int64_t group = 0, dim = 0;
    if (parser.parseKeyword("every") || parser.parseInteger(group) || parser.parseKeyword("along") ||
        parser.parseInteger(dim))
      return {};
    every = group;
    along = dim;
  }
  if (parser.parseGreater())
    return {};
  return DivByAttr::get(parser.getContext(), divisor, every, along);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << '<' << getDivisor();
  if (getEvery() && getAlong())
    printer << ", every " << *getEvery() << " along " << *getAlong();
  printer << '>';
}

LogicalResult DivByAttr::verifyForType(EmitErrorFn emitError, Type type) const {
  auto error = [&]() -> InFlightDiagnostic { return emitError() << "'cuda_tile.div_by' "; };
  if (!llvm::isPowerOf2_64(getDivisor()))
    return error() << "divisor must be a power of 2";
  if (getEvery().has_value() != getAlong().has_value())
    return error() << "'every'/'along' must be used in combination";
  if (getDivisor() > (uint64_t(1) << 62))
    return error() << "divisor is too large";
  bool grouped = getEvery().has_value();
  if (isa<TensorViewType>(type))
    return grouped ? LogicalResult(error() << "'every'/'along' cannot be used if the constrained value is a "
                                              "tensor_view")
                   : success();
  auto tile = dyn_cast<TileType>(type);
  if (tile && tile.getShape().empty() && grouped)
    return error() << "'every'/'along' cannot be used if the constrained value is a 0D tile";
  if (!isIntOrPointerTile(type))
    return error() << "is valid only for tile of integer/pointer or tensor_view values";
  if (!grouped)
    return success();
  if (*getAlong() < 0 || *getAlong() >= tile.getRank())
    return error() << "every_dim (" << *getAlong() << ") must be >= 0 and < tile rank (" << tile.getRank() << ")";
  int64_t size = tile.getShape()[*getAlong()];
  if (*getEvery() < 0 || *getEvery() > size)
    return emitError() << "expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective "
                          "dimension ("
                       << size << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// same_elements
//===----------------------------------------------------------------------===//

Attribute SameElementsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> values;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parser.parseInteger(values.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return SameElementsAttr::get(parser.getContext(), values);
}

void SameElementsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getValues(), printer.getStream());
  printer << "]>";
}

LogicalResult SameElementsAttr::verifyForType(EmitErrorFn emitError, Type type) const {
  if (!isIntOrPointerTile(type))
    return emitError() << "'cuda_tile.same_elements' is valid only for tile of integer/pointer values";
  auto tile = cast<TileType>(type);
  if (static_cast<int64_t>(getValues().size()) != tile.getRank())
    return emitError() << "expected number of values in 'cuda_tile.same_elements' (" << getValues().size()
                       << ") to match rank of constrained tile (" << tile.getRank() << ")";
  for (auto [i, value] : llvm::enumerate(getValues()))
    if (value < 0 || value > tile.getShape()[i])
      return emitError() << "expected 'cuda_tile.same_elements' value " << i
                         << " to be within 0 and the size of the respective dimension (" << tile.getShape()[i] << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// bounded
//===----------------------------------------------------------------------===//

static ParseResult parseBound(AsmParser &parser, std::optional<int64_t> &bound) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  bound = value;
  return success();
}

Attribute BoundedAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> lb, ub;
  if (parser.parseLess() || parseBound(parser, lb) || parser.parseComma() || parseBound(parser, ub) ||
      parser.parseGreater())
    return {};
  return BoundedAttr::get(parser.getContext(), lb, ub);
}

void BoundedAttr::print(AsmPrinter &printer) const {
  auto printBound = [&](std::optional<int64_t> bound) {
    if (bound)
      printer << *bound;
    else
      printer << '?';
  };
  printer << '<';
  printBound(getLb());
  printer << ", ";
  printBound(getUb());
  printer << '>';
}

LogicalResult BoundedAttr::verifyForType(EmitErrorFn emitError, Type type) const {
  auto error = [&]() -> InFlightDiagnostic { return emitError() << "'cuda_tile.bounded' "; };
  if (!isTileOf(type, isIntOrI4))
    return error() << "is valid only for tile of integer values";
  unsigned width = cast<TileType>(type).getElementType().getIntOrFloatBitWidth();
  int64_t min = llvm::minIntN(width), max = llvm::maxIntN(width);
  if (getLb() && (*getLb() < min || *getLb() > max))
    return error() << "expects lower bound to be within [" << min << ", " << max << "]";
  if (getUb() && (*getUb() < min || *getUb() > max))
    return error() << "expects upper bound to be within [" << min << ", " << max << "]";
  if (getLb() && getUb() && *getLb() > *getUb())
    return error() << "expects lower bound to be less than or equal to upper bound";
  return success();
}
