//===- CudaTileTypes.cpp - Types: parse, print, verify --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#include "tileiras/Dialect/CudaTile/IR/CudaTileTypeInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/CudaTile/IR/CudaTileTypes.cpp.inc"

void CudaTileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/CudaTile/IR/CudaTileTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Element classes
//===----------------------------------------------------------------------===//

bool cuda_tile::isI1(Type type) { return type.isSignlessInteger(1); }
bool cuda_tile::isI8(Type type) { return type.isSignlessInteger(8); }
bool cuda_tile::isI32(Type type) { return type.isSignlessInteger(32); }
bool cuda_tile::isI64(Type type) { return type.isSignlessInteger(64); }
bool cuda_tile::isF32(Type type) { return type.isF32(); }
bool cuda_tile::isPointer(Type type) { return isa<PointerType>(type); }
bool cuda_tile::isIntUpTo32(Type type) { return isI1(type) || isI8(type) || type.isSignlessInteger(16) || isI32(type); }
bool cuda_tile::isInt(Type type) { return isIntUpTo32(type) || isI64(type); }
bool cuda_tile::isIntOrI4(Type type) { return isInt(type) || type.isSignlessInteger(4); }
bool cuda_tile::isBaseFloat(Type type) { return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type); }
bool cuda_tile::isFloat(Type type) {
  return isBaseFloat(type) ||
         isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType, Float4E2M1FNType>(type);
}
bool cuda_tile::isNumber(Type type) { return isInt(type) || isFloat(type); }
bool cuda_tile::isNumberOrI4(Type type) { return isNumber(type) || type.isSignlessInteger(4); }
bool cuda_tile::isMmaFOperand(Type type) {
  return isBaseFloat(type) || isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(type);
}
bool cuda_tile::isMmaFAcc(Type type) { return isa<Float16Type, Float32Type, Float64Type>(type); }
bool cuda_tile::isMmaFScaledOperand(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(type); }
bool cuda_tile::isMmaFScaledScale(Type type) { return isa<Float8E4M3FNType, Float8E8M0FNUType>(type); }

bool cuda_tile::isTileOf(Type type, bool (*element)(Type)) {
  auto tile = dyn_cast<TileType>(type);
  return tile && element(tile.getElementType());
}

bool cuda_tile::isScalarTileOf(Type type, bool (*element)(Type)) {
  return isTileOf(type, element) && cast<TileType>(type).getShape().empty();
}

unsigned cuda_tile::getStorageBits(Type type) {
  if (isPointer(type))
    return 64;
  if (isa<FloatTF32Type>(type))
    return 32;
  return isI1(type) ? 8 : type.getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// Short and long spellings
//===----------------------------------------------------------------------===//

ParseResult cuda_tile::parseCudaTileType(AsmParser &parser, Type &type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&keyword, {"tile", "ptr", "token", "tensor_view", "partition_view",
                                                    "strided_view", "gather_scatter_view", "f8E5M3FNU"}))) {
    OptionalParseResult other = parser.parseOptionalType(type);
    if (other.has_value())
      return *other;
    if (succeeded(parser.parseOptionalKeyword(&keyword)))
      return parser.emitError(loc, "unknown type: ") << keyword;
    return parser.emitError(loc, "expected valid keyword");
  }
  if (keyword == "tile")
    type = TileType::parse(parser);
  else if (keyword == "ptr")
    type = PointerType::parse(parser);
  else if (keyword == "token")
    type = TokenType::get(parser.getContext());
  else if (keyword == "tensor_view")
    type = TensorViewType::parse(parser);
  else if (keyword == "partition_view")
    type = PartitionViewType::parse(parser);
  else if (keyword == "strided_view")
    type = StridedViewType::parse(parser);
  else if (keyword == "gather_scatter_view")
    type = GatherScatterViewType::parse(parser);
  else
    return parser.emitError(loc, "element type f8E5M3FNU (developer preview of 13.4) is not supported");
  return success(static_cast<bool>(type));
}

void cuda_tile::printCudaTileType(AsmPrinter &printer, Type type) {
  llvm::TypeSwitch<Type>(type)
      .Case<TokenType>([&](auto) { printer << "token"; })
      .Case<TileType, PointerType, TensorViewType, PartitionViewType, StridedViewType, GatherScatterViewType>(
          [&](auto ours) {
            printer << ours.getMnemonic();
            ours.print(printer);
          })
      .Default([&](Type other) { printer << other; });
}

std::string cuda_tile::joinInts(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os, [&](int64_t v) {
    if (ShapedType::isDynamic(v))
      os << '?';
    else
      os << v;
  });
  return text;
}

//===----------------------------------------------------------------------===//
// tile
//===----------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parseCudaTileType(parser, element) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape, element);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t dim : getShape())
    printer << dim << 'x';
  printCudaTileType(printer, getElementType());
  printer << '>';
}

static constexpr StringLiteral numberTypes =
    "f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64";

LogicalResult TileType::verify(EmitErrorFn emitError, ArrayRef<int64_t> shape, Type element) {
  if (!isNumberOrI4(element) && !isPointer(element))
    return emitError() << "failed to verify 'elementType': " << numberTypes << " or Pointer type or i4, but got "
                       << element;
  int64_t total = 1;
  for (int64_t dim : shape) {
    if (dim <= 0)
      return emitError() << "all dimensions must be positive constants, got " << joinInts(shape);
    if (!llvm::isPowerOf2_64(dim))
      return emitError() << "all dimensions must be powers of two, got " << joinInts(shape);
    // Both factors are at most 2^24 here, so the product does not overflow.
    if (dim > maxNumElements || (total *= dim) > maxNumElements)
      return emitError() << "tile would exceed the maximum of " << maxNumElements << " elements";
  }
  if (isa<Float4E2M1FNType>(element) && total < 2)
    return emitError() << "F4E2M1FN tiles must have an even number of elements";
  return success();
}

//===----------------------------------------------------------------------===//
// ptr
//===----------------------------------------------------------------------===//

static ParseResult parsePtrAttr(AsmParser &parser, PtrAttrAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute any;
  if (parser.parseAttribute(any))
    return failure();
  attr = dyn_cast<PtrAttrAttr>(any);
  return attr ? ParseResult(success()) : parser.emitError(loc, "expected a 'ptr_attr' attribute");
}

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type pointee;
  PtrAttrAttr ptrAttr;
  if (parser.parseLess() || parseCudaTileType(parser, pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parsePtrAttr(parser, ptrAttr))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointee, ptrAttr);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << '<';
  printCudaTileType(printer, getPointeeType());
  if (getPtrAttr())
    printer << ", " << Attribute(getPtrAttr());
  printer << '>';
}

LogicalResult PointerType::verify(EmitErrorFn emitError, Type pointee, PtrAttrAttr) {
  if (!isNumber(pointee))
    return emitError() << "failed to verify 'pointeeType': " << numberTypes << ", but got " << pointee;
  return success();
}

//===----------------------------------------------------------------------===//
// tensor_view
//===----------------------------------------------------------------------===//

/// A comma-separated list of integers or `?` in square brackets.
static ParseResult parseStrides(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalQuestion())) {
      values.push_back(ShapedType::kDynamic);
      return success();
    }
    int64_t value;
    OptionalParseResult parsed = parser.parseOptionalInteger(value);
    if (!parsed.has_value())
      return parser.emitError(loc, "expected either 64-bit integer or question mark");
    if (failed(*parsed))
      return failure();
    // Here and not in the verifier, for which the number of kDynamic is a question mark.
    if (value <= 0)
      return parser.emitError(loc, "expected strictly positive integer, got ") << value;
    values.push_back(value);
    return success();
  });
}

Type TensorViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, strides;
  Type element;
  PtrAttrAttr ptrAttr;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parseCudaTileType(parser, element))
    return {};
  bool comma = succeeded(parser.parseOptionalComma());
  if (!shape.empty()) {
    if (!comma) {
      parser.emitError(parser.getCurrentLocation(), "expected 'strides'");
      return {};
    }
    if (parser.parseKeyword("strides") || parser.parseEqual() || parseStrides(parser, strides))
      return {};
    comma = succeeded(parser.parseOptionalComma());
  } else if (comma && succeeded(parser.parseOptionalKeyword("strides"))) {
    parser.emitError(parser.getCurrentLocation(), "strides must not be provided for 0-d tiles");
    return {};
  }
  if (comma) {
    SMLoc attrLoc = parser.getCurrentLocation();
    Attribute any;
    OptionalParseResult parsed = parser.parseOptionalAttribute(any);
    if (!parsed.has_value() && shape.empty()) {
      parser.emitError(attrLoc, "unexpected token after element type in 0-d tensor_view");
      return {};
    }
    if (parsed.has_value() && failed(*parsed))
      return {};
    ptrAttr = dyn_cast_or_null<PtrAttrAttr>(any);
    if (!ptrAttr) {
      parser.emitError(attrLoc, "expected a 'ptr_attr' attribute");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorViewType>(loc, parser.getContext(), element, shape, strides, ptrAttr);
}

static void printDim(AsmPrinter &printer, int64_t dim) {
  if (ShapedType::isDynamic(dim))
    printer << '?';
  else
    printer << dim;
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t dim : getShape()) {
    printDim(printer, dim);
    printer << 'x';
  }
  printCudaTileType(printer, getElementType());
  if (!getStrides().empty()) {
    printer << ", strides=[";
    llvm::interleave(getStrides(), printer.getStream(), [&](int64_t s) { printDim(printer, s); }, ",");
    printer << ']';
  }
  if (getPtrAttr())
    printer << ", " << Attribute(getPtrAttr());
  printer << '>';
}

LogicalResult TensorViewType::verify(EmitErrorFn emitError, Type element, ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> strides, PtrAttrAttr) {
  if (!isNumber(element))
    return emitError() << "failed to verify 'elementType': " << numberTypes << ", but got " << element;
  if (shape.size() != strides.size())
    return emitError() << "expected shape and stride to be of same rank but got shape of rank " << shape.size()
                       << " and stride of rank " << strides.size();
  auto good = [](int64_t v) { return v > 0 || ShapedType::isDynamic(v); };
  if (!llvm::all_of(shape, good))
    return emitError() << "dimensions must have strictly positive constant sizes but got [" << joinInts(shape) << "]";
  if (!llvm::all_of(strides, good))
    return emitError() << "dimensions must have strictly positive constant strides but got [" << joinInts(strides)
                       << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// View types
//===----------------------------------------------------------------------===//

namespace {
/// What the three view types write between their angle brackets.
struct ViewParts {
  SmallVector<int32_t> tile, traversal, dimMap;
  TensorViewType tensorView;
  PaddingValueAttr padding;
  std::optional<int32_t> sparseDim;
};
} // namespace

static ParseResult parseInts(AsmParser &parser, StringRef keyword, SmallVectorImpl<int32_t> &values) {
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

static ParseResult parsePadding(AsmParser &parser, PaddingValueAttr &padding) {
  if (failed(parser.parseOptionalKeyword("padding_value")))
    return success();
  if (parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  std::string keyword;
  if (failed(parser.parseOptionalKeywordOrString(&keyword)))
    return parser.emitError(loc, "expected padding_value keyword");
  std::optional<PaddingValue> value = symbolizePaddingValue(keyword);
  if (!value)
    return parser.emitError(loc) << "invalid padding_value attribute specification. Got \"" << keyword
                                 << "\" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf";
  padding = PaddingValueAttr::get(parser.getContext(), *value);
  return parser.parseComma();
}

/// `<tile=(4x2), [traversal_strides=[..],] [padding_value = v,] tensor_view<..>[, dim_map=[..]][, sparse_dim=n]>`.
static ParseResult parseView(AsmParser &parser, bool traversal, bool sparse, ViewParts &parts) {
  SmallVector<int64_t> tile;
  if (parser.parseLess() || parser.parseKeyword("tile") || parser.parseEqual() || parser.parseLParen())
    return failure();
  SMLoc tileLoc = parser.getCurrentLocation();
  if (parser.parseDimensionList(tile, /*allowDynamic=*/false, /*withTrailingX=*/false) || parser.parseRParen() ||
      parser.parseComma())
    return failure();
  if (traversal && (parseInts(parser, "traversal_strides", parts.traversal) || parser.parseComma()))
    return failure();
  if (parsePadding(parser, parts.padding))
    return failure();
  SMLoc viewLoc = parser.getCurrentLocation();
  Type type;
  if (parseCudaTileType(parser, type))
    return failure();
  parts.tensorView = dyn_cast<TensorViewType>(type);
  if (!parts.tensorView)
    return parser.emitError(viewLoc) << "expected 'tensor_view' type, but got " << type;
  if (sparse) {
    int32_t dim;
    if (parser.parseComma() || parser.parseKeyword("sparse_dim") || parser.parseEqual() || parser.parseInteger(dim))
      return failure();
    parts.sparseDim = dim;
  } else if (succeeded(parser.parseOptionalComma())) {
    if (parseInts(parser, "dim_map", parts.dimMap))
      return failure();
  } else {
    // The identity, for every dimension of the tile.
    parts.dimMap = llvm::to_vector(llvm::seq<int32_t>(0, tile.size()));
  }
  if (parser.parseGreater())
    return failure();
  constexpr int64_t max = std::numeric_limits<int32_t>::max();
  for (auto [i, dim] : llvm::enumerate(tile)) {
    if (dim <= 0 || dim > max)
      return parser.emitError(tileLoc, "tile dimension ")
             << i << " exceeds i32 limitations (got " << dim
             << ", expected strictly positive and less than or equal to " << max << ")";
    parts.tile.push_back(dim);
  }
  return success();
}

static void printView(AsmPrinter &printer, const ViewParts &parts) {
  printer << "<tile=(";
  llvm::interleave(parts.tile, printer.getStream(), "x");
  printer << "), ";
  if (!parts.traversal.empty()) {
    printer << "traversal_strides=[";
    llvm::interleave(parts.traversal, printer.getStream(), ",");
    printer << "], ";
  }
  if (parts.padding)
    printer << "padding_value = " << stringifyPaddingValue(parts.padding.getValue()) << ", ";
  printCudaTileType(printer, parts.tensorView);
  bool identity = true;
  for (auto [i, dim] : llvm::enumerate(parts.dimMap))
    identity &= static_cast<int32_t>(i) == dim;
  if (!identity) {
    printer << ", dim_map=[";
    llvm::interleaveComma(parts.dimMap, printer.getStream());
    printer << ']';
  }
  if (parts.sparseDim)
    printer << ", sparse_dim=" << *parts.sparseDim;
  printer << '>';
}

static LogicalResult verifyViewRank(EmitErrorFn emitError, ArrayRef<int32_t> tile, TensorViewType tensorView) {
  if (!tensorView)
    return emitError() << "expected a tensor view";
  if (tile.empty())
    return emitError() << "0-dimension tile shape is not supported";
  if (static_cast<int64_t>(tile.size()) != tensorView.getRank())
    return emitError() << "expected tensor_view rank and tile rank to match, got tensor_view of rank "
                       << tensorView.getRank() << " and tiles of rank " << tile.size();
  return success();
}

static LogicalResult verifyViewShape(EmitErrorFn emitError, ArrayRef<int32_t> tile) {
  SmallVector<int64_t> shape(tile.begin(), tile.end());
  if (llvm::any_of(shape, [](int64_t dim) { return dim <= 0; }))
    return emitError() << "tile shape dimensions must have positive length but got [" << joinInts(shape) << "]";
  if (!llvm::all_of(shape, [](int64_t dim) { return llvm::isPowerOf2_64(dim); }))
    return emitError() << "tile shape dimensions must have power of two length but got [" << joinInts(shape) << "]";
  return success();
}

static LogicalResult verifyViewElements(EmitErrorFn emitError, ArrayRef<int32_t> tile, TensorViewType tensorView,
                                        PaddingValueAttr padding) {
  if (failed(TileType::verify(emitError, SmallVector<int64_t>(tile.begin(), tile.end()), tensorView.getElementType())))
    return failure();
  if (padding && padding.getValue() != PaddingValue::Zero && !isFloat(tensorView.getElementType()))
    return emitError() << "padding_value " << stringifyPaddingValue(padding.getValue())
                       << " can only be used with floating point element types, got " << tensorView.getElementType();
  return success();
}

static LogicalResult verifyDimMapSize(EmitErrorFn emitError, ArrayRef<int32_t> tile, ArrayRef<int32_t> dimMap) {
  if (dimMap.size() != tile.size())
    return emitError() << "expected dim_map to map exactly all " << tile.size() << " dimensions of the tile, got "
                       << dimMap.size() << " mappings";
  return success();
}

static LogicalResult verifyDimMap(EmitErrorFn emitError, ArrayRef<int32_t> tile, ArrayRef<int32_t> dimMap) {
  SmallVector<int64_t> source(dimMap.size(), -1);
  for (auto [i, dim] : llvm::enumerate(dimMap)) {
    if (dim < 0)
      return emitError() << "target dimension must not be negative, got " << dim;
    if (dim >= static_cast<int32_t>(tile.size()))
      return emitError() << "target dimension is outside of tensor view dimensions, expected strictly less than "
                         << tile.size() << ", got " << dim;
    if (source[dim] >= 0)
      return emitError() << "target dimension " << dim << " mapped at least twice (for tile dimensions " << source[dim]
                         << " and " << i << ")";
    source[dim] = i;
  }
  return success();
}

static TileType makeViewTile(ArrayRef<int32_t> tile, TensorViewType tensorView) {
  return TileType::get(SmallVector<int64_t>(tile.begin(), tile.end()), tensorView.getElementType());
}

static LogicalResult verifyScalarIndices(EmitErrorFn emitError, TypeRange indices) {
  for (Type type : indices) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return emitError() << "expected index type to be a tile type, got " << type;
    if (!tile.getShape().empty())
      return emitError() << "expected index type to be a scalar tile, got " << type;
    if (!isInt(tile.getElementType()))
      return emitError() << "expected index type to be a tile of integers, got " << type;
  }
  for (auto [i, type] : llvm::enumerate(indices))
    if (type != indices[0])
      return emitError() << "expected index type " << i << " to be the same as other index types (" << indices[0]
                         << "), got " << type;
  return success();
}

TileType TileView::getViewTileType() const { return cast<TileType>(viewTile()); }
TensorViewType TileView::getViewTensorView() const { return cast<TensorViewType>(viewTensor()); }

Type PartitionViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewParts parts;
  if (parseView(parser, /*traversal=*/false, /*sparse=*/false, parts))
    return {};
  return parser.getChecked<PartitionViewType>(loc, parser.getContext(), parts.tile, parts.tensorView, parts.dimMap,
                                              parts.padding);
}
void PartitionViewType::print(AsmPrinter &printer) const {
  printView(printer, {llvm::to_vector(getTileShape()),
                      {},
                      llvm::to_vector(getDimMap()),
                      getTensorView(),
                      getPaddingValue(),
                      std::nullopt});
}
LogicalResult PartitionViewType::verify(EmitErrorFn emitError, ArrayRef<int32_t> tile, TensorViewType tensorView,
                                        ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  return success(succeeded(verifyViewRank(emitError, tile, tensorView)) &&
                 succeeded(verifyDimMapSize(emitError, tile, dimMap)) && succeeded(verifyViewShape(emitError, tile)) &&
                 succeeded(verifyDimMap(emitError, tile, dimMap)) &&
                 succeeded(verifyViewElements(emitError, tile, tensorView, padding)));
}
unsigned PartitionViewType::getViewIndexRank() const { return getTileShape().size(); }
Type PartitionViewType::viewTile() const { return makeViewTile(getTileShape(), getTensorView()); }
Type PartitionViewType::viewTensor() const { return getTensorView(); }
PaddingValueAttr PartitionViewType::getViewPadding() const { return getPaddingValue(); }
LogicalResult PartitionViewType::verifyIndices(EmitErrorFn emitError, TypeRange indices) const {
  return verifyScalarIndices(emitError, indices);
}

Type StridedViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewParts parts;
  if (parseView(parser, /*traversal=*/true, /*sparse=*/false, parts))
    return {};
  return parser.getChecked<StridedViewType>(loc, parser.getContext(), parts.tile, parts.traversal, parts.tensorView,
                                            parts.dimMap, parts.padding);
}
void StridedViewType::print(AsmPrinter &printer) const {
  printView(printer, {llvm::to_vector(getTileShape()), llvm::to_vector(getTraversalStrides()),
                      llvm::to_vector(getDimMap()), getTensorView(), getPaddingValue(), std::nullopt});
}
LogicalResult StridedViewType::verify(EmitErrorFn emitError, ArrayRef<int32_t> tile, ArrayRef<int32_t> traversal,
                                      TensorViewType tensorView, ArrayRef<int32_t> dimMap, PaddingValueAttr padding) {
  if (failed(verifyViewRank(emitError, tile, tensorView)) || failed(verifyDimMapSize(emitError, tile, dimMap)))
    return failure();
  if (traversal.size() != tile.size())
    return emitError() << "expected " << tile.size() << " traversal strides, got " << traversal.size();
  if (failed(verifyViewShape(emitError, tile)))
    return failure();
  if (llvm::any_of(traversal, [](int32_t s) { return s <= 0; }))
    return emitError() << "traversal strides must be strictly positive but got ["
                       << joinInts(SmallVector<int64_t>(traversal.begin(), traversal.end())) << "]";
  return success(succeeded(verifyDimMap(emitError, tile, dimMap)) &&
                 succeeded(verifyViewElements(emitError, tile, tensorView, padding)));
}
unsigned StridedViewType::getViewIndexRank() const { return getTileShape().size(); }
Type StridedViewType::viewTile() const { return makeViewTile(getTileShape(), getTensorView()); }
Type StridedViewType::viewTensor() const { return getTensorView(); }
PaddingValueAttr StridedViewType::getViewPadding() const { return getPaddingValue(); }
LogicalResult StridedViewType::verifyIndices(EmitErrorFn emitError, TypeRange indices) const {
  return verifyScalarIndices(emitError, indices);
}

Type GatherScatterViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ViewParts parts;
  if (parseView(parser, /*traversal=*/false, /*sparse=*/true, parts))
    return {};
  return parser.getChecked<GatherScatterViewType>(loc, parser.getContext(), parts.tile, parts.tensorView,
                                                  *parts.sparseDim, parts.padding);
}
void GatherScatterViewType::print(AsmPrinter &printer) const {
  printView(printer, {llvm::to_vector(getTileShape()), {}, {}, getTensorView(), getPaddingValue(), getSparseDim()});
}
LogicalResult GatherScatterViewType::verify(EmitErrorFn emitError, ArrayRef<int32_t> tile, TensorViewType tensorView,
                                            int32_t sparseDim, PaddingValueAttr padding) {
  if (failed(verifyViewRank(emitError, tile, tensorView)) || failed(verifyViewShape(emitError, tile)))
    return failure();
  if (sparseDim < 0 || sparseDim >= tensorView.getRank())
    return emitError() << "gather dimension is outside of tensor view dimensions, expected strictly less than "
                       << tensorView.getRank() << ", got " << sparseDim;
  return verifyViewElements(emitError, tile, tensorView, padding);
}
unsigned GatherScatterViewType::getViewIndexRank() const { return getTileShape().size(); }
Type GatherScatterViewType::viewTile() const { return makeViewTile(getTileShape(), getTensorView()); }
Type GatherScatterViewType::viewTensor() const { return getTensorView(); }
PaddingValueAttr GatherScatterViewType::getViewPadding() const { return getPaddingValue(); }
LogicalResult GatherScatterViewType::verifyIndices(EmitErrorFn emitError, TypeRange indices) const {
  Type scalar;
  for (auto [i, type] : llvm::enumerate(indices)) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile || !isInt(tile.getElementType()))
      return emitError() << "expected index type to be a tile of integers, got " << type;
    if (static_cast<int32_t>(i) == getSparseDim()) {
      if (tile.getRank() != 1)
        return emitError() << "expected index at sparse_dim position " << i
                           << " to be a 1D tensor for GatherScatterView, got rank " << tile.getRank();
      if (tile.getShape()[0] != getTileShape()[i])
        return emitError() << "expected gather/scatter index size (" << tile.getShape()[0]
                           << ") to match tile shape at gather/scatter dimension " << i << " (" << getTileShape()[i]
                           << ")";
      continue;
    }
    if (!tile.getShape().empty())
      return emitError() << "expected index " << i << " to be a scalar tile for GatherScatterView";
    if (!scalar)
      scalar = type;
    if (type != scalar)
      return emitError() << "expected scalar index " << i << " to have the same type as other scalar indices ("
                         << scalar << "), got " << type;
  }
  return success();
}
