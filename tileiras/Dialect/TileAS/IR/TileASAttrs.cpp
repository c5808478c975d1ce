//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layout attributes of nv_tileas: text, verification, linear layouts.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/ShapeLayoutInterface.h"
#include "tileiras/Dialect/TileAS/IR/ShapeLayouts.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASRegions.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::LinearLayout;

#include "tileiras/Dialect/TileAS/IR/TileASAttrInterfaces.cpp.inc"
#include "tileiras/Dialect/TileAS/IR/TileASDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASTypes.cpp.inc"

namespace {
/// Layouts are long; they print as #blocked, #linear1, ... with definitions at the top.
struct TileASAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    auto layout = dyn_cast<LayoutAttrInterface>(attr);
    if (!layout)
      return AliasResult::NoAlias;
    switch (layout.getMemory()) {
    case MemoryKind::Shared:
      os << "shared";
      break;
    case MemoryKind::Tensor:
      os << "tensor_memory";
      break;
    default:
      os << (isa<BlockedAttr>(attr) ? "blocked" : "linear");
    }
    return AliasResult::OverridableAlias;
  }
};
} // namespace

namespace {
/// Constants stay in their agent, whose threads they are spread over.
struct TileASFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final { return isa<AgentSwitchOp>(region->getParentOp()); }
};

struct TileASShapeLayouts : nv_tileaa::ShapeLayoutInterface {
  using ShapeLayoutInterface::ShapeLayoutInterface;
  LogicalResult verifyShapeLayouts(Operation *op) const final { return nv_tileas::verifyShapeLayouts(op); }
};
} // namespace

void TileASDialect::initialize() {
  addInterfaces<TileASAsmInterface, TileASFoldInterface, TileASShapeLayouts>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/TileAS/IR/TileASAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/TileAS/IR/TileASTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/IR/TileASOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/IR/TileASPipelineOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/IR/TileASRegionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/IR/TileASTmaOps.cpp.inc"
      >();
  attachKernelAgents(*getContext());
}

static std::vector<int32_t> toVector(ArrayRef<int64_t> v) { return std::vector<int32_t>(v.begin(), v.end()); }
static std::vector<int32_t> toVector(ArrayRef<int32_t> v) { return std::vector<int32_t>(v.begin(), v.end()); }

//===----------------------------------------------------------------------===//
// blocked
//===----------------------------------------------------------------------===//

LinearLayout BlockedAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return tileiras::blockedLayout(toVector(shape), toVector(getSizePerThread()), toVector(getThreadsPerWarp()),
                                 toVector(getWarpsPerCTA()), toVector(getOrder()));
}

LogicalResult BlockedAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> sizePerThread,
                                  ArrayRef<int32_t> threadsPerWarp, ArrayRef<int32_t> warpsPerCTA,
                                  ArrayRef<int32_t> order) {
  size_t rank = order.size();
  if (sizePerThread.size() != rank || threadsPerWarp.size() != rank || warpsPerCTA.size() != rank)
    return emitError() << "expects one entry per dimension in every list";
  int64_t threads = 1;
  for (ArrayRef<int32_t> list : {sizePerThread, threadsPerWarp, warpsPerCTA})
    for (int32_t v : list)
      if (v <= 0 || !llvm::isPowerOf2_32(v))
        return emitError() << "expects powers of two, got " << v;
  for (int32_t v : threadsPerWarp)
    threads *= v;
  if (threads != 32)
    return emitError() << "expects threads_per_warp to multiply to 32, got " << threads;
  SmallVector<bool> seen(rank);
  for (int32_t d : order) {
    if (d < 0 || d >= int32_t(rank) || seen[d])
      return emitError() << "expects order to be a permutation";
    seen[d] = true;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Lists of bases: [[0, 1], [0, 2]]
//===----------------------------------------------------------------------===//

static ParseResult parseBases(AsmParser &parser, int32_t rank, SmallVectorImpl<int32_t> &flat) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    size_t before = flat.size();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&]() -> ParseResult { return parser.parseInteger(flat.emplace_back()); }))
      return failure();
    if (flat.size() - before != size_t(rank))
      return parser.emitError(loc, "expects ") << rank << " coordinates per basis";
    return success();
  });
}

static void printBases(AsmPrinter &printer, int32_t rank, ArrayRef<int32_t> flat) {
  printer << '[';
  for (size_t i = 0; i < flat.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(flat.slice(i, rank), printer);
    printer << ']';
  }
  printer << ']';
}

static std::vector<std::vector<int32_t>> unflatten(int32_t rank, ArrayRef<int32_t> flat) {
  std::vector<std::vector<int32_t>> bases;
  for (size_t i = 0; i < flat.size(); i += rank)
    bases.push_back(toVector(flat.slice(i, rank)));
  return bases;
}

static SmallVector<int32_t> flattenBases(const LinearLayout &layout, tileiras::DimName in) {
  SmallVector<int32_t> flat;
  for (int bit = 0; bit < layout.inBits(in); ++bit)
    for (int32_t c : layout.basis(in, bit))
      flat.push_back(c);
  return flat;
}

/// A layout written down by its bases must be a layout of this tile: every coordinate inside, every element reached.
static LogicalResult verifyBases(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape, int32_t rank,
                                 std::vector<LinearLayout::InDim> ins) {
  if (int64_t(shape.size()) != rank)
    return emitError() << "layout has rank " << rank << ", the tile " << shape.size();
  std::vector<LinearLayout::OutDim> outs;
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (extent <= 0 || extent > (1 << 30))
      return emitError() << "layout does not fit the tile: extent " << extent;
    outs.push_back({tileiras::dimName(d), int32_t(extent)});
  }
  std::string error;
  auto layout = LinearLayout::create(std::move(ins), std::move(outs), &error);
  if (!layout)
    return emitError() << "layout does not fit the tile: " << error;
  if (!layout->isSurjective())
    return emitError() << "layout does not cover the tile: " << layout->toString();
  return success();
}

LogicalResult BlockedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getOrder().size())
    return emitError() << "layout has rank " << getOrder().size() << ", the tile " << shape.size();
  for (int64_t d : shape)
    if (d <= 0 || !llvm::isPowerOf2_64(d))
      return emitError() << "all dimensions must be powers of two, got " << d;
  return success();
}

//===----------------------------------------------------------------------===//
// linear
//===----------------------------------------------------------------------===//

/// `<rank = 2`, and the rank.
static ParseResult parseRank(AsmParser &parser, int32_t &rank) {
  if (parser.parseLess() || parser.parseKeyword("rank") || parser.parseEqual() || parser.parseInteger(rank))
    return failure();
  if (rank < 1 || rank > 16)
    return parser.emitError(parser.getCurrentLocation(), "expects a rank of 1 to 16");
  return success();
}

/// `, word = [[...], ...]`.
static ParseResult parseInput(AsmParser &parser, int32_t rank, StringRef word, SmallVectorImpl<int32_t> &flat) {
  return failure(parser.parseComma() || parser.parseKeyword(word) || parser.parseEqual() ||
                 parseBases(parser, rank, flat));
}

/// The CTAs of a cluster, where they hold different parts, and the end.
static ParseResult parseBlocks(AsmParser &parser, int32_t rank, SmallVectorImpl<int32_t> &flat) {
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("block") || parser.parseEqual() || parseBases(parser, rank, flat)))
    return failure();
  return parser.parseGreater();
}

static void printInput(AsmPrinter &printer, int32_t rank, StringRef word, ArrayRef<int32_t> flat) {
  printer << ", " << word << " = ";
  printBases(printer, rank, flat);
}

static void printBlocks(AsmPrinter &printer, int32_t rank, ArrayRef<int32_t> flat) {
  if (!flat.empty())
    printInput(printer, rank, "block", flat);
  printer << '>';
}

Attribute LinearAttr::parse(AsmParser &parser, Type) {
  int32_t rank = 0;
  SmallVector<int32_t> registers, lanes, warps, blocks;
  if (parseRank(parser, rank) || parseInput(parser, rank, "register", registers) ||
      parseInput(parser, rank, "lane", lanes) || parseInput(parser, rank, "warp", warps) ||
      parseBlocks(parser, rank, blocks))
    return {};
  return parser.getChecked<LinearAttr>(parser.getContext(), rank, registers, lanes, warps, blocks);
}

void LinearAttr::print(AsmPrinter &printer) const {
  printer << "<rank = " << getRank();
  printInput(printer, getRank(), "register", getRegisters());
  printInput(printer, getRank(), "lane", getLanes());
  printInput(printer, getRank(), "warp", getWarps());
  printBlocks(printer, getRank(), getBlocks());
}

LogicalResult LinearAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t rank,
                                 ArrayRef<int32_t> registers, ArrayRef<int32_t> lanes, ArrayRef<int32_t>,
                                 ArrayRef<int32_t>) {
  if (lanes.size() != size_t(5 * rank))
    return emitError() << "expects five lane bases, got " << lanes.size() / rank;
  for (size_t i = 0; i < registers.size(); i += rank)
    if (llvm::all_of(registers.slice(i, rank), [](int32_t v) { return v == 0; }))
      return emitError() << "register basis " << i / rank << " is zero";
  return success();
}

static std::vector<LinearLayout::InDim> inDims(LinearAttr attr) {
  int32_t rank = attr.getRank();
  return {{tileiras::kRegister, unflatten(rank, attr.getRegisters())},
          {tileiras::kLane, unflatten(rank, attr.getLanes())},
          {tileiras::kWarp, unflatten(rank, attr.getWarps())},
          {tileiras::kBlock, unflatten(rank, attr.getBlocks())}};
}

LogicalResult LinearAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  return verifyBases(emitError, shape, getRank(), inDims(*this));
}

LinearLayout LinearAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return LinearLayout(inDims(*this), toVector(shape));
}

//===----------------------------------------------------------------------===//
// shared
//===----------------------------------------------------------------------===//

/// In memory that threads share every place holds another element; CTAs of a cluster may hold copies.
static LogicalResult verifyPlaces(function_ref<InFlightDiagnostic()> emitError, const LinearLayout &layout) {
  for (auto [in, mask] : layout.freeVariableMasks())
    if (in != tileiras::kBlock && mask)
      return emitError() << "layout has two places for one element: basis " << llvm::countr_zero(uint32_t(mask))
                         << " of " << in.str() << " is zero or a sum of those before it";
  return success();
}

Attribute SharedAttr::parse(AsmParser &parser, Type) {
  int32_t rank = 0;
  SmallVector<int32_t> bases, blocks;
  if (parseRank(parser, rank) || parseInput(parser, rank, "offset", bases) || parseBlocks(parser, rank, blocks))
    return {};
  return SharedAttr::get(parser.getContext(), rank, bases, blocks);
}

void SharedAttr::print(AsmPrinter &printer) const {
  printer << "<rank = " << getRank();
  printInput(printer, getRank(), "offset", getBases());
  printBlocks(printer, getRank(), getBlocks());
}

MemoryKind SharedAttr::getMemory() const { return MemoryKind::Shared; }

static std::vector<LinearLayout::InDim> inDims(SharedAttr attr) {
  return {{tileiras::kOffset, unflatten(attr.getRank(), attr.getBases())},
          {tileiras::kBlock, unflatten(attr.getRank(), attr.getBlocks())}};
}

LogicalResult SharedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyBases(emitError, shape, getRank(), inDims(*this))))
    return failure();
  return verifyPlaces(emitError, toLinearLayout(shape));
}

LinearLayout SharedAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return LinearLayout(inDims(*this), toVector(shape));
}

//===----------------------------------------------------------------------===//
// tensor_memory
//===----------------------------------------------------------------------===//

Attribute TensorMemoryAttr::parse(AsmParser &parser, Type) {
  int32_t rank = 0;
  SmallVector<int32_t> rows, columns, blocks;
  if (parseRank(parser, rank) || parseInput(parser, rank, "row", rows) || parseInput(parser, rank, "column", columns) ||
      parseBlocks(parser, rank, blocks))
    return {};
  return TensorMemoryAttr::get(parser.getContext(), rank, rows, columns, blocks);
}

void TensorMemoryAttr::print(AsmPrinter &printer) const {
  printer << "<rank = " << getRank();
  printInput(printer, getRank(), "row", getRows());
  printInput(printer, getRank(), "column", getColumns());
  printBlocks(printer, getRank(), getBlocks());
}

MemoryKind TensorMemoryAttr::getMemory() const { return MemoryKind::Tensor; }

static std::vector<LinearLayout::InDim> inDims(TensorMemoryAttr attr) {
  return {{kRow, unflatten(attr.getRank(), attr.getRows())},
          {kColumn, unflatten(attr.getRank(), attr.getColumns())},
          {tileiras::kBlock, unflatten(attr.getRank(), attr.getBlocks())}};
}

LogicalResult TensorMemoryAttr::verifyEncoding(ArrayRef<int64_t> shape, Type element,
                                               function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != 2)
    return emitError() << "expects a tile of two dimensions in tensor memory, got " << shape.size();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
    return emitError() << "expects elements of at least 8 bits in tensor memory, got " << element;
  if (failed(verifyBases(emitError, shape, getRank(), inDims(*this))))
    return failure();
  // PTX ISA, "Tensor Memory": 128 lanes of 512 columns of 32 bits.
  LinearLayout layout = toLinearLayout(shape);
  if (layout.inSize(kRow) > 128)
    return emitError() << "expects at most 128 rows in tensor memory, got " << layout.inSize(kRow);
  if (int64_t bits = int64_t(layout.inSize(kColumn)) * getStorageBytes(element) * 8; bits > 512 * 32)
    return emitError() << "expects at most 512 columns of 32 bits in tensor memory, got " << bits / 32;
  // A bit of the column without coordinates leaves columns free, for tiles of narrow elements in the columns of wide
  // ones.
  for (auto [in, mask] : layout.freeVariableMasks())
    for (int bit = 0; bit < layout.inBits(in); ++bit)
      if (in != tileiras::kBlock && (mask >> bit & 1) &&
          (in != kColumn || llvm::any_of(layout.basis(in, bit), [](int32_t c) { return c != 0; })))
        return verifyPlaces(emitError, layout);
  return success();
}

LinearLayout TensorMemoryAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return LinearLayout(inDims(*this), toVector(shape));
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

LayoutAttrInterface nv_tileas::getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttrInterface>(tensor.getEncoding()) : LayoutAttrInterface();
}

std::optional<MemoryKind> nv_tileas::getMemory(Type type) {
  if (LayoutAttrInterface layout = getLayout(type))
    return layout.getMemory();
  return std::nullopt;
}

llvm::StringRef nv_tileas::toString(MemoryKind memory) {
  switch (memory) {
  case MemoryKind::Registers:
    return "registers";
  case MemoryKind::Shared:
    return "shared memory";
  case MemoryKind::Tensor:
    return "tensor memory";
  case MemoryKind::Global:
    return "global memory";
  }
  return "";
}

LinearLayout nv_tileas::getLinearLayout(RankedTensorType type) {
  return cast<LayoutAttrInterface>(type.getEncoding()).toLinearLayout(type.getShape());
}

Attribute nv_tileas::getLayoutAttr(MLIRContext *context, const LinearLayout &layout) {
  LinearLayout clean = layout.removeRedundantBasesAlongDim(tileiras::kRegister);
  return LinearAttr::get(context, clean.numOuts(), flattenBases(clean, tileiras::kRegister),
                         flattenBases(clean, tileiras::kLane), flattenBases(clean, tileiras::kWarp),
                         flattenBases(clean, tileiras::kBlock));
}

Attribute nv_tileas::getSharedLayoutAttr(MLIRContext *context, const LinearLayout &layout) {
  return SharedAttr::get(context, layout.numOuts(), flattenBases(layout, tileiras::kOffset),
                         flattenBases(layout, tileiras::kBlock));
}

Attribute nv_tileas::getTensorMemoryLayoutAttr(MLIRContext *context, const LinearLayout &layout) {
  return TensorMemoryAttr::get(context, layout.numOuts(), flattenBases(layout, kRow), flattenBases(layout, kColumn),
                               flattenBases(layout, tileiras::kBlock));
}

RankedTensorType nv_tileas::withLayout(RankedTensorType type, Attribute layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

int64_t nv_tileas::getStorageBytes(Type elementType) {
  if (isa<nv_tileaa::PtrType>(elementType))
    return 8;
  if (isa<FloatTF32Type>(elementType))
    return 4;
  return std::max<int64_t>(1, (elementType.getIntOrFloatBitWidth() + 7) / 8);
}

int64_t nv_tileas::getMemoryBits(Type elementType) {
  if (isa<nv_tileaa::PtrType>(elementType))
    return 64;
  if (elementType.isInteger(1))
    return 8;
  return isa<FloatTF32Type>(elementType) ? 32 : elementType.getIntOrFloatBitWidth();
}
