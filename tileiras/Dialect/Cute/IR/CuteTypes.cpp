//===- CuteTypes.cpp - Types of cute and cute_nvgpu -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/Cute/IR/Cute.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cute;
using namespace mlir::cute_nvgpu;
namespace alg = tileiras::cute;

#include "tileiras/Dialect/Cute/IR/CuteDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteTypes.cpp.inc"

void CuteDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/Cute/IR/CuteTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/Cute/IR/CuteOps.cpp.inc"
      >();
}

using Emit = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Texts: types are equal if their texts are, so each has one spelling
//===----------------------------------------------------------------------===//

static LogicalResult expectSpelling(Emit emitError, StringRef text, const std::string &canonical) {
  if (text == canonical)
    return success();
  return emitError() << "'" << text << "' is written '" << canonical << "'";
}

static LogicalResult verifyTuple(Emit emitError, StringRef text, bool allowAny) {
  std::string error;
  std::optional<alg::IntTuple> tuple = alg::parseIntTuple(std::string_view(text), &error);
  if (!tuple)
    return emitError() << error;
  if (tuple->hasAny() && !allowAny)
    return emitError() << "'" << text << "': only coordinates have _";
  return expectSpelling(emitError, text, tuple->toString());
}

LogicalResult IntTupleType::verify(Emit emitError, StringRef text) { return verifyTuple(emitError, text, false); }
LogicalResult StrideType::verify(Emit emitError, StringRef text) { return verifyTuple(emitError, text, false); }
LogicalResult CoordType::verify(Emit emitError, StringRef text) { return verifyTuple(emitError, text, true); }

LogicalResult ShapeType::verify(Emit emitError, StringRef text) {
  if (failed(verifyTuple(emitError, text, false)))
    return failure();
  for (const alg::Int &extent : alg::parseIntTuple(std::string_view(text))->leaves())
    if (!extent.basis().empty() || (extent.isStatic() && extent.constant() < 1))
      return emitError() << "an extent is a positive number, not " << extent.toString();
  return success();
}

LogicalResult TileType::verify(Emit emitError, StringRef text) {
  std::string error;
  std::optional<alg::Tiler> tiler = alg::parseTiler(std::string_view(text), &error);
  if (!tiler)
    return emitError() << error;
  return expectSpelling(emitError, text, tiler->toString());
}

/// S<B,M,S>
static std::optional<tileiras::Swizzle> parseSwizzle(StringRef text) {
  std::optional<alg::ComposedLayout> layout = alg::parseLayout((text + " o 0 o 1:0").str());
  if (!layout || layout->swizzle.isNone())
    return std::nullopt;
  return layout->swizzle;
}

LogicalResult SwizzleType::verify(Emit emitError, StringRef text) {
  std::optional<tileiras::Swizzle> swizzle = parseSwizzle(text);
  if (!swizzle)
    return emitError() << "expects S<B,M,S> with B > 0, S >= B and B+M+S <= 31, got '" << text << "'";
  return expectSpelling(
      emitError, text,
      ("S<" + Twine(swizzle->bits) + "," + Twine(swizzle->base) + "," + Twine(swizzle->shift) + ">").str());
}

static LogicalResult verifyLayoutText(Emit emitError, StringRef text, std::optional<bool> plain) {
  std::string error;
  std::optional<alg::ComposedLayout> layout = alg::parseLayout(std::string_view(text), &error);
  if (!layout)
    return emitError() << error;
  if (!layout->offset.isLeaf() || !layout->offset.asInt().basis().empty())
    return emitError() << "an offset is a number, not " << layout->offset.toString();
  if (plain && layout->isPlain() != *plain)
    return emitError() << "'" << text << "' is "
                       << (*plain ? "composed: !cute.composed_layout" : "plain: !cute.layout");
  return expectSpelling(emitError, text, layout->toString());
}

LogicalResult LayoutType::verify(Emit emitError, StringRef text) { return verifyLayoutText(emitError, text, true); }
LogicalResult ComposedLayoutType::verify(Emit emitError, StringRef text) {
  return verifyLayoutText(emitError, text, false);
}

//===----------------------------------------------------------------------===//
// Addresses and tensors
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kSpaces[] = {"generic", "gmem", "smem", "rmem", "tmem"};

/// `<` element `,` space (`,` `align` `<` bytes `>`)? (`,` layout)? `>`
static LogicalResult parseAddress(AsmParser &parser, Type &element, AddressSpace &space, int64_t &alignment,
                                  std::string *layout) {
  StringRef keyword;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  const auto *found = llvm::find(kSpaces, keyword);
  if (found == std::end(kSpaces))
    return parser.emitError(loc, "expects generic, gmem, smem, rmem or tmem");
  space = AddressSpace(found - std::begin(kSpaces));
  if (!element.isIntOrFloat())
    return parser.emitError(loc, "elements are integers or floats");
  alignment = bytesOf(element);
  bool comma = succeeded(parser.parseOptionalComma());
  if (comma && succeeded(parser.parseOptionalKeyword("align"))) {
    if (parser.parseLess() || parser.parseInteger(alignment) || parser.parseGreater())
      return failure();
    comma = succeeded(parser.parseOptionalComma());
  }
  if (layout && (!comma || parser.parseString(layout)))
    return comma ? failure() : LogicalResult(parser.emitError(parser.getCurrentLocation(), "expects a layout"));
  return parser.parseGreater();
}

static void printAddress(AsmPrinter &printer, Type element, AddressSpace space, int64_t alignment,
                         std::optional<StringRef> layout) {
  printer << '<' << element << ", " << kSpaces[int(space)];
  if (alignment != bytesOf(element))
    printer << ", align<" << alignment << ">";
  if (layout) {
    printer << ", ";
    printer.printString(*layout);
  }
  printer << '>';
}

static LogicalResult verifyAddress(Emit emitError, Type element, AddressSpace space, int64_t alignment) {
  if (!element.isIntOrFloat())
    return emitError() << "elements are integers or floats, not " << element;
  if (element.getIntOrFloatBitWidth() % 8)
    return emitError() << "elements of " << element.getIntOrFloatBitWidth() << " bits have no address";
  if (space == AddressSpace::Tensor && element.getIntOrFloatBitWidth() != 32)
    return emitError() << "a column of tensor memory has 32 bits, not " << element.getIntOrFloatBitWidth();
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment) || alignment > 4096)
    return emitError() << "expects a power of two up to 4096 as alignment, got " << alignment;
  return success();
}

Type PtrType::parse(AsmParser &parser) {
  Type element;
  AddressSpace space;
  int64_t alignment;
  if (failed(parseAddress(parser, element, space, alignment, nullptr)))
    return {};
  return parser.getChecked<PtrType>(parser.getContext(), element, space, alignment);
}
void PtrType::print(AsmPrinter &printer) const {
  printAddress(printer, getElement(), getSpace(), getAlignment(), std::nullopt);
}
LogicalResult PtrType::verify(Emit emitError, Type element, AddressSpace space, int64_t alignment) {
  return verifyAddress(emitError, element, space, alignment);
}

Type CuteMemRefType::parse(AsmParser &parser) {
  Type element;
  AddressSpace space;
  int64_t alignment;
  std::string layout;
  if (failed(parseAddress(parser, element, space, alignment, &layout)))
    return {};
  return parser.getChecked<CuteMemRefType>(parser.getContext(), element, space, alignment, layout);
}
void CuteMemRefType::print(AsmPrinter &printer) const {
  printAddress(printer, getElement(), getSpace(), getAlignment(), getLayout());
}
LogicalResult CuteMemRefType::verify(Emit emitError, Type element, AddressSpace space, int64_t alignment,
                                     StringRef layout) {
  if (failed(verifyAddress(emitError, element, space, alignment)))
    return failure();
  return verifyLayoutText(emitError, layout, std::nullopt);
}

LogicalResult CoordTensorType::verify(Emit emitError, StringRef text) {
  std::string error;
  std::optional<alg::ComposedLayout> layout = alg::parseLayout(std::string_view(text), &error);
  if (!layout)
    return emitError() << error;
  if (!layout->swizzle.isNone() || layout->offset.isLeaf() || layout->offset.hasAny() || layout->offset.depth() != 1)
    return emitError() << "expects the coordinate of the first element and strides of coordinates, (0,0) o "
                          "(64,32):(1@0,1@1), got '"
                       << text << "'";
  for (const alg::Int &stride : layout->layout.stride.leaves())
    if (!stride.is(0) && (stride.basis().size() != 1 || stride.basis()[0] >= layout->offset.rank()))
      return emitError() << "a stride counts in one of the " << layout->offset.rank() << " components, not "
                         << stride.toString();
  return expectSpelling(emitError, text, layout->toString());
}

/// `<` (`k` | `mn`) `,` swizzle `,` leading `,` stride `>`
Type DescIterType::parse(AsmParser &parser) {
  StringRef major;
  int64_t numbers[3];
  if (parser.parseLess() || parser.parseKeyword(&major))
    return {};
  for (int64_t &number : numbers)
    if (parser.parseComma() || parser.parseInteger(number))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<DescIterType>(parser.getContext(), major, numbers[0], numbers[1], numbers[2]);
}
void DescIterType::print(AsmPrinter &printer) const {
  printer << '<' << getMajor() << ", " << getSwizzle() << ", " << getLeading() << ", " << getStride() << '>';
}
LogicalResult DescIterType::verify(Emit emitError, StringRef major, int64_t swizzle, int64_t leading, int64_t stride) {
  if (major != "k" && major != "mn")
    return emitError() << "expects k or mn, got " << major;
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expects a swizzle of 0, 32, 64 or 128 bytes, got " << swizzle;
  for (int64_t offset : {leading, stride})
    if (offset < 0 || offset % 16 || offset >= 1 << 18)
      return emitError() << "expects byte offsets in units of 16 below 2^18, got " << offset;
  return success();
}

//===----------------------------------------------------------------------===//
// Tiled copies and products
//===----------------------------------------------------------------------===//

LogicalResult TiledCopyType::verify(Emit emitError, Type atom, StringRef layout, StringRef tile) {
  if (!isa<CopyAtomTypeInterface>(atom) || isa<TmaAtomTypeInterface, cute_nvgpu::S2tCopyType>(atom))
    return emitError() << "expects a copy atom of threads, got " << atom;
  if (failed(verifyLayoutText(emitError, layout, true)) || failed(verifyTuple(emitError, tile, false)))
    return failure();
  std::optional<alg::ComposedLayout> tv = alg::parseLayout(std::string_view(layout));
  alg::IntTuple extent = *alg::parseIntTuple(std::string_view(tile));
  if (!tv->layout.isStatic() || tv->layout.rank() != 2 || tv->layout.shape.isLeaf() || !extent.isStatic())
    return emitError() << "expects a static layout of two modes, (threads, values), and a static tile";
  if (!(alg::size(tv->layout) == alg::size(extent)) || !(alg::cosize(tv->layout) == alg::size(extent)))
    return emitError() << "the layout " << layout << " does not cover the tile " << tile;
  if (std::optional<Matrices> matrices = getMatrices(atom)) {
    int64_t threads = alg::size(tv->layout.mode(0)).constant(), values = alg::size(tv->layout.mode(1)).constant();
    if (matrices->count != 4)
      return emitError() << "of matrices, a tiled copy moves four at once: every lane has the address of a row";
    if (threads % 32 || values % 8)
      return emitError() << "expects whole warps, and rows of eight elements in each thread, got " << layout;
  }
  if (auto tensor = dyn_cast<TmemAtomTypeInterface>(atom)) {
    // Of a tile whose first mode are the rows.
    int64_t rows = alg::size(extent.mode(0)).constant();
    bool fits = alg::size(tv->layout.mode(0)).constant() % 128 == 0 && rows % 128 == 0 &&
                alg::size(tv->layout.mode(1)).constant() % tensor.getColumns() == 0;
    for (int64_t thread = 0; fits && thread < 128; ++thread)
      fits = alg::offsetOf(tv->layout.mode(0), thread) == thread;
    for (int64_t column = 0; fits && column < tensor.getColumns(); ++column)
      fits = alg::offsetOf(tv->layout.mode(1), column) == column * rows;
    if (!fits)
      return emitError() << "expects four warps or a multiple, of which each thread has a row, and "
                         << tensor.getColumns() << " columns of it as first values, got " << layout << " of " << tile;
  }
  return success();
}

LogicalResult TiledMmaType::verify(Emit emitError, Type atom, StringRef atoms) {
  if (!getMmaFragment(atom, 'A'))
    return emitError() << "expects an mma atom, got " << atom;
  if (failed(verifyTuple(emitError, atoms, false)))
    return failure();
  alg::IntTuple shape = *alg::parseIntTuple(std::string_view(atoms));
  if (shape.rank() != 3 || shape.depth() != 1 || !shape.isStatic() ||
      llvm::any_of(shape.leaves(), [](const alg::Int &extent) { return extent.constant() < 1; }))
    return emitError() << "expects how many atoms stand along (M,N,K), got " << atoms;
  return success();
}

//===----------------------------------------------------------------------===//
// What a type says of a value
//===----------------------------------------------------------------------===//

int64_t cute::bytesOf(Type element) {
  return element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 1;
}

static alg::IntTuple number(const alg::IntTuple &tuple, unsigned &next) {
  return tuple.map([&](const alg::Int &leaf) {
    return leaf.isDynamic() ? alg::Int::dynamic(next++, leaf.divisor(), leaf.width()).withBasis(leaf.basis()) : leaf;
  });
}

static alg::ComposedLayout number(const alg::ComposedLayout &layout, unsigned &next) {
  alg::IntTuple offset = number(layout.offset, next), shape = number(layout.layout.shape, next);
  return {layout.swizzle, offset, alg::Layout(shape, number(layout.layout.stride, next))};
}

static alg::Tiler number(const alg::Tiler &tiler, unsigned &next) {
  alg::Tiler result = tiler;
  if (result.layout) {
    alg::IntTuple shape = number(result.layout->shape, next);
    result.layout = alg::Layout(shape, number(result.layout->stride, next));
  }
  for (alg::Tiler &mode : result.modes)
    mode = number(mode, next);
  return result;
}

static void collect(const alg::IntTuple &tuple, SmallVectorImpl<alg::Int> &leaves) {
  for (const alg::Int &leaf : tuple.leaves())
    if (leaf.isDynamic())
      leaves.push_back(leaf);
}

static void collect(const alg::Tiler &tiler, SmallVectorImpl<alg::Int> &leaves) {
  if (tiler.layout) {
    collect(tiler.layout->shape, leaves);
    collect(tiler.layout->stride, leaves);
  }
  for (const alg::Tiler &mode : tiler.modes)
    collect(mode, leaves);
}

SmallVector<alg::Int> Meaning::leaves() const {
  SmallVector<alg::Int> result;
  if (kind == Kind::Tuple || kind == Kind::Divisor)
    collect(tuple, result);
  if (kind == Kind::Layout || kind == Kind::Tensor || kind == Kind::Coords) {
    collect(layout.offset, result);
    collect(layout.layout.shape, result);
    collect(layout.layout.stride, result);
  }
  if (kind == Kind::Tiler && tiler)
    collect(*tiler, result);
  return result;
}

std::vector<alg::Int> Meaning::everyNumber() const {
  std::vector<alg::Int> result = tuple.leaves();
  if (kind == Kind::Tuple || kind == Kind::Divisor)
    return result;
  for (const alg::IntTuple &part : {layout.offset, layout.layout.shape, layout.layout.stride})
    for (const alg::Int &number : part.leaves())
      result.push_back(number);
  return result;
}

Meaning cute::describe(Type type, unsigned &next) {
  Meaning result;
  result.type = type;
  auto text = [](StringRef part) { return std::string_view(part); };
  auto tuple = [&](StringRef part) {
    result.kind = Meaning::Kind::Tuple;
    result.tuple = number(*alg::parseIntTuple(text(part)), next);
  };
  auto layout = [&](StringRef part) {
    result.kind = Meaning::Kind::Layout;
    result.layout = number(*alg::parseLayout(text(part)), next);
  };
  llvm::TypeSwitch<Type>(type)
      .Case<IntTupleType, ShapeType, StrideType, CoordType>([&](auto t) { tuple(t.getText()); })
      .Case<LayoutType, ComposedLayoutType>([&](auto t) { layout(t.getText()); })
      .Case([&](TileType t) {
        result.kind = Meaning::Kind::Tiler;
        result.tiler = number(*alg::parseTiler(text(t.getText())), next);
      })
      .Case([&](SwizzleType t) {
        result.kind = Meaning::Kind::Swizzle;
        result.swizzle = *parseSwizzle(t.getText());
      })
      .Case([&](IntegerType t) {
        if (t.getWidth() != 32 && t.getWidth() != 64)
          return;
        result.kind = Meaning::Kind::Tuple;
        result.tuple = alg::IntTuple(alg::Int::dynamic(next++, 1, int(t.getWidth())));
      })
      .Case([&](CoordTensorType t) {
        layout(t.getText());
        result.kind = Meaning::Kind::Coords;
      })
      .Case([&](FastDivmodDivisorType) {
        tuple("(?,?,?,?)"); // divisor, multiplier, two shifts
        result.kind = Meaning::Kind::Divisor;
      })
      .Case([&](PtrType t) {
        result.kind = Meaning::Kind::Pointer;
        result.element = t.getElement();
        result.space = t.getSpace();
        result.alignment = t.getAlignment();
      })
      .Case([&](CuteMemRefType t) {
        layout(t.getLayout());
        result.kind = Meaning::Kind::Tensor;
        result.element = t.getElement();
        result.space = t.getSpace();
        result.alignment = t.getAlignment();
      });
  return result;
}
