//===- TileASTmaOps.cpp - Tensor copies (TMA) -----------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rules are those of tensor maps (CUDA driver API, cuTensorMapEncodeTiled; PTX ISA, "Tensors").
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::TiledViewType;
using tileiras::TmaTile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASTmaOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

static LogicalResult verifyTmaAtom(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> box,
                                   ArrayRef<int32_t> order, int32_t swizzle) {
  if (box.empty() || box.size() > size_t(TmaTile::maxRank))
    return emitError() << "expects a box of 1 to 5 dimensions, got " << box.size();
  if (box.size() != order.size())
    return emitError() << "tmaBoxDim and atomBoxDim length mismatch";
  for (int32_t extent : box)
    if (extent < 1 || extent > TmaTile::maxBox)
      return emitError() << "expects 1 to 256 elements along each dimension of the box, got " << extent;
  SmallVector<bool> seen(order.size());
  for (int32_t d : order) {
    if (d < 0 || d >= int32_t(order.size()) || seen[d])
      return emitError() << "expects each dimension once in the order";
    seen[d] = true;
  }
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expects a swizzle of 0, 32, 64 or 128 bytes, got " << swizzle;
  return success();
}

LogicalResult TmaLoadAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> box,
                                  ArrayRef<int32_t> order, int32_t swizzle) {
  return verifyTmaAtom(emitError, box, order, swizzle == TmaTile::kWideAtoms ? 128 : swizzle);
}
MemorySet TmaLoadAttr::getSources() const { return MemoryKind::Global; }
MemorySet TmaLoadAttr::getDestinations() const { return MemoryKind::Shared; }
int32_t TmaLoadAttr::getAccessBytes() const { return 16; }
Completion TmaLoadAttr::getCompletion() const { return Completion::Mbarrier; }
int64_t TmaLoadAttr::getCost(int64_t) const { return 1; }

LogicalResult TmaIm2colLoadAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> box,
                                        ArrayRef<int32_t> order, int32_t swizzle, ArrayRef<int32_t> lower,
                                        ArrayRef<int32_t> upper, ArrayRef<int32_t> steps) {
  if (failed(verifyTmaAtom(emitError, box, order, swizzle)))
    return failure();
  size_t rank = box.size();
  if (rank < 3)
    return emitError() << "im2col expects a box of 3 to 5 dimensions, got " << rank;
  for (size_t k = 0; k < rank; ++k)
    if (order[k] != int32_t(rank - 1 - k))
      return emitError() << "im2col expects the dimensions in order, channels first";
  if (llvm::any_of(box.drop_back(2), [](int32_t extent) { return extent != 1; }))
    return emitError() << "im2col expects a box of pixels along one dimension and channels";
  // CUDA Driver API, cuTensorMapEncodeIm2col: 16, 8 or 5 bits with sign.
  int32_t most = rank == 3 ? 32767 : rank == 4 ? 127 : 15;
  for (ArrayRef<int32_t> corner : {lower, upper}) {
    if (corner.size() != rank - 2)
      return emitError() << "im2col expects " << rank - 2 << " offsets of a corner, got " << corner.size();
    for (int32_t offset : corner)
      if (offset < -most - 1 || offset > most)
        return emitError() << "im2col expects offsets of corners from " << -most - 1 << " to " << most << ", got "
                           << offset;
  }
  if (steps.size() != rank)
    return emitError() << "im2col expects " << rank << " steps, got " << steps.size();
  for (int32_t step : steps)
    if (step < 1 || step > 8)
      return emitError() << "im2col expects steps from 1 to 8, got " << step;
  return success();
}
MemorySet TmaIm2colLoadAttr::getSources() const { return MemoryKind::Global; }
MemorySet TmaIm2colLoadAttr::getDestinations() const { return MemoryKind::Shared; }
int32_t TmaIm2colLoadAttr::getAccessBytes() const { return 16; }
Completion TmaIm2colLoadAttr::getCompletion() const { return Completion::Mbarrier; }
int64_t TmaIm2colLoadAttr::getCost(int64_t) const { return 1; }

LogicalResult TmaStoreAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> box,
                                   ArrayRef<int32_t> order, int32_t swizzle) {
  return verifyTmaAtom(emitError, box, order, swizzle);
}
MemorySet TmaStoreAttr::getSources() const { return MemoryKind::Shared; }
MemorySet TmaStoreAttr::getDestinations() const { return MemoryKind::Global; }
int32_t TmaStoreAttr::getAccessBytes() const { return 16; }
Completion TmaStoreAttr::getCompletion() const { return Completion::WaitGroup; }
int64_t TmaStoreAttr::getCost(int64_t) const { return 1; }

std::optional<TmaAtom> nv_tileas::getTmaAtom(Attribute atom) {
  if (auto load = dyn_cast<TmaLoadAttr>(atom)) {
    TmaAtom said{load.getBox(), load.getOrder(), load.getSwizzle(), /*isLoad=*/true};
    if (said.swizzle == TmaTile::kWideAtoms)
      said.swizzle = 128, said.atomBytes = 32;
    return said;
  }
  if (auto load = dyn_cast<TmaIm2colLoadAttr>(atom))
    return TmaAtom{load.getBox(),     load.getOrder(), load.getSwizzle(), /*isLoad=*/true,
                   /*isIm2col=*/true, load.getLower(), load.getUpper(),   load.getSteps()};
  if (auto store = dyn_cast<TmaStoreAttr>(atom))
    return TmaAtom{store.getBox(), store.getOrder(), store.getSwizzle(), /*isLoad=*/false};
  return std::nullopt;
}

TmaLoadAttr nv_tileas::getTmaLoad(MLIRContext *context, const TmaTile &boxes) {
  return TmaLoadAttr::get(context, boxes.box, boxes.order, boxes.swizzleMode());
}

int64_t nv_tileas::getTmaAlignment(Attribute attribute) {
  std::optional<TmaAtom> atom = getTmaAtom(attribute);
  TmaTile tile;
  if (atom)
    tile.swizzleBytes = atom->swizzle, tile.atomBytes = atom->atomBytes;
  return tile.alignment();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::optional<int32_t> nv_tileas::getTmaElementCode(Type element, bool isSigned) {
  if (getMemoryBits(element) != 8 * getStorageBytes(element))
    return std::nullopt;
  if (element.isF16())
    return 6;
  if (element.isBF16())
    return 10;
  if (element.isF64())
    return 9;
  if (element.isF32() || isa<FloatTF32Type>(element))
    return 7; // tf32 as it is: the type of that name would round
  switch (getStorageBytes(element)) {
  case 1:
    return 0;
  case 2:
    return 1;
  case 4:
    return isa<IntegerType>(element) ? std::optional<int32_t>(isSigned ? 3 : 2) : std::nullopt;
  case 8:
    return isa<IntegerType>(element) ? std::optional<int32_t>(isSigned ? 5 : 4) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int32_t> nv_tileas::getTmaElementCode(TiledViewType view, bool isSigned) {
  if (view.getRounded())
    return 11; // CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
  return getTmaElementCode(view.getElementType(), isSigned);
}

TmaPreference nv_tileas::getTmaPreference() {
  std::optional<std::string> said = llvm::sys::Process::GetEnv("TILEIR_PREFER_TMA_FOR_LOAD_STORE");
  if (!said || said->empty()) // as shells write that there is none
    return TmaPreference::WherePays;
  return *said == "true" ? TmaPreference::Always : TmaPreference::Never;
}

int nv_tileas::getDenseDimension(TiledViewType view) {
  int dense = -1;
  for (int t = 0; t < int(view.getRank()); ++t)
    if (view.getSource().getStrides()[view.getDimMap()[t]] == 1)
      dense = t;
  return dense;
}

std::string nv_tileas::whyNoTma(TiledViewType view, bool isLoad) {
  nv_tileaa::MemRefType memref = view.getSource();
  if (!getTmaElementCode(memref.getElementType()))
    return "no tensor map has such elements";
  if (view.getRank() < 1 || view.getRank() > TmaTile::maxRank)
    return "a tensor map has from 1 to 5 dimensions";
  int dense = getDenseDimension(view);
  if (dense < 0)
    return "only support element_stride = 1 tma desc";
  int64_t bytes = getStorageBytes(memref.getElementType());
  for (int t = 0; t < int(view.getRank()); ++t) {
    int64_t extent = memref.getShape()[view.getDimMap()[t]], stride = memref.getStrides()[view.getDimMap()[t]];
    if (!ShapedType::isDynamic(extent) && (extent < 1 || extent > kMaxTmaExtent))
      return "an extent is 0, or too large for 32-bit coordinates";
    // One step along a dimension of one element is never made.
    if (t == dense || ShapedType::isDynamic(stride) || extent == 1)
      continue;
    if (stride < 1 || stride * bytes % 16)
      return "a stride is not a multiple of 16 bytes";
    if (stride * bytes >= int64_t(1) << 40)
      return "a stride is too large";
  }
  if (!isLoad && view.getRounded())
    return "tiles of the view are rounded, which is for loads";
  if (isLoad && view.getPadding() && *view.getPadding() != nv_tileaa::PaddingValue::Zero)
    return "TmaLoad only support zero padding now";
  return {};
}

std::optional<TmaTile> nv_tileas::describeTma(TiledViewType view, RankedTensorType tile, std::string *error,
                                              bool isLoad) {
  std::string reason = whyNoTma(view, isLoad);
  if (!reason.empty()) {
    if (error)
      *error = reason;
    return std::nullopt;
  }
  std::optional<tileiras::LinearLayout> part = partOfBlock(getLinearLayout(tile));
  if (!part) {
    if (error)
      *error = "smem layout is not TMA compatible";
    return std::nullopt;
  }
  std::optional<TmaTile> boxes =
      tileiras::describeTmaTile(*part, getDenseDimension(view), getStorageBytes(tile.getElementType()), error);
  // Products read tiles in that swizzle, and nobody stores any.
  if (boxes && !isLoad && boxes->atomBytes != 16) {
    if (error)
      *error = "smem layout is not TMA compatible";
    return std::nullopt;
  }
  return boxes;
}

bool nv_tileas::hasWideAtoms(const tileiras::TargetInfo &target) { return target.hasTcgen05(); }

std::optional<TmaTile> nv_tileas::describeTma(AsyncTiledLoadOp load, std::string *error) {
  auto tile = cast<RankedTensorType>(load.getDest().getType());
  std::optional<TmaTile> boxes = describeTma(load.getView().getType(), tile, error);
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(load);
  if (!boxes || boxes->atomBytes == 16 || !target || hasWideAtoms(*target))
    return boxes;
  if (error)
    *error = "tensor maps of the target have no swizzle with atoms of 32 bytes";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static LogicalResult verifyViewAndAtom(Operation *op, TiledViewType view, Attribute attribute,
                                       std::optional<bool> isLoad) {
  std::optional<TmaAtom> atom = getTmaAtom(attribute);
  if (!atom || (isLoad && atom->isLoad != *isLoad))
    return op->emitOpError("expects ") << (!isLoad   ? "an atom of tensor copies"
                                           : *isLoad ? "#nv_tileas.tma_load as atom"
                                                     : "#nv_tileas.tma_store as atom");
  if (std::string reason = whyNoTma(view, atom->isLoad); !reason.empty())
    return op->emitOpError() << reason;
  if (int64_t(atom->box.size()) != view.getRank())
    return op->emitOpError("tmaBoxDim and atomBoxDim length mismatch");
  int dense = atom->order.front();
  if (view.getSource().getStrides()[view.getDimMap()[dense]] != 1)
    return op->emitOpError("only support element_stride = 1 tma desc");
  int64_t row = atom->box[dense] * getStorageBytes(view.getElementType());
  if (row % 16)
    return op->emitOpError("tma boxDims[0] * elemTypeBitWidth is not a multiple of 16 bytes");
  if (atom->swizzle && row > atom->swizzle)
    return op->emitOpError("expects a row of the box, ") << row << " bytes, to be no longer than the swizzle";
  if (!atom->isIm2col)
    return success();
  for (int t = 0; t < int(view.getRank()); ++t) {
    if (view.getDimMap()[t] != t)
      return op->emitOpError("in im2col mode expects the dimensions of the view in the memref's order");
    if (t + 1 < int(view.getRank()) && view.getTraversalStrides()[t] != 1)
      return op->emitOpError("in im2col mode expects steps of 1 along images and pixels");
  }
  return success();
}

/// Whoever uses a tensor map knows which one: it is an argument or what an operation has made, and no branch or round
/// of a loop chooses it. The host makes maps before anything is run, and copies wait for those that the kernel makes.
static LogicalResult verifyDescriptor(Operation *op, Value desc) {
  while (auto argument = dyn_cast<BlockArgument>(desc)) {
    auto agents = dyn_cast<AgentSwitchOp>(argument.getOwner()->getParentOp());
    if (!agents || argument.getArgNumber() >= agents.getCaptures().size()) // verified behind its regions
      break;
    desc = agents.getCaptures()[argument.getArgNumber()];
  }
  auto argument = dyn_cast<BlockArgument>(desc);
  Operation *from = argument ? argument.getOwner()->getParentOp() : desc.getDefiningOp();
  if (isa<RegionBranchOpInterface>(from) && !isa<WithScratchOp>(from))
    return op->emitOpError("expects a descriptor that does not depend on control flow, but '")
           << from->getName() << "' chooses it";
  return success();
}

LogicalResult MakeTiledTmaDescOp::verify() {
  Type element = getView().getType().getElementType();
  if (getIsSigned() && !element.isInteger(32) && !element.isInteger(64))
    return emitOpError("expects i32 or i64 for numbers with sign, got ") << element;
  return verifyViewAndAtom(*this, getView().getType(), getAtom(), std::nullopt);
}

static LogicalResult verifyCopy(Operation *op, TiledViewType view, ValueRange indices, Type shared, Attribute attribute,
                                bool isLoad) {
  auto tile = cast<RankedTensorType>(shared);
  if (indices.size() != size_t(view.getRank()))
    return op->emitOpError("expects ") << view.getRank() << " coordinates, but got " << indices.size();
  if (auto inBounds = op->getAttrOfType<DenseBoolArrayAttr>("in_bounds");
      inBounds && inBounds.size() != int64_t(indices.size()))
    return op->emitOpError("expects 'in_bounds' to have one entry for each coordinate");
  if (!isIn(tile, MemoryKind::Shared))
    return op->emitOpError("expects a tile in shared memory");
  if (tile.getShape() != view.getTileShape() || tile.getElementType() != view.getElementType())
    return op->emitOpError("expects a tile of the shape and element type of the view's tiles");
  if (failed(verifyViewAndAtom(op, view, attribute, isLoad)))
    return failure();
  std::string error;
  std::optional<TmaTile> boxes = describeTma(view, tile, &error, isLoad);
  if (!boxes)
    return op->emitOpError() << error;
  if (int32_t blocks = getBlocksTogether(op); blocks > 1) {
    if (!llvm::isPowerOf2_32(blocks) || blocks > 16)
      return op->emitOpError("expects '") << kMulticastAttr << "' to be a power of two up to 16, got " << blocks;
    boxes = divideAmongBlocks(*boxes, blocks, int32_t(getStorageBytes(tile.getElementType())));
    if (!boxes)
      return op->emitOpError("cannot be divided among ") << blocks << " blocks";
  }
  TmaAtom atom = *getTmaAtom(attribute);
  if (atom.isIm2col) {
    // Dimensions of one element may stand anywhere. A run of pixels is one copy: the next one would not begin so many
    // pixels further, but where the walk has led.
    boxes->order.assign(atom.order.begin(), atom.order.end());
    int64_t rows = tile.getNumElements() / tile.getShape().back();
    if (boxes->box[atom.order[1]] != rows)
      return op->emitOpError("in im2col mode expects a tile of at most 256 pixels, side by side in shared memory");
  }
  if (atom.box != ArrayRef(boxes->box) || atom.order != ArrayRef(boxes->order) || atom.swizzle != boxes->swizzleBytes ||
      atom.atomBytes != boxes->atomBytes) {
    InFlightDiagnostic diagnostic = op->emitOpError("layout of the tile needs box = [");
    llvm::interleaveComma(boxes->box, diagnostic);
    diagnostic << "], order = [";
    llvm::interleaveComma(boxes->order, diagnostic);
    return diagnostic << "], swizzle = " << boxes->swizzleMode();
  }
  return success();
}

/// What a copy into shared memory completes on, and how.
template <typename Op> static LogicalResult verifyCompletion(Op op) {
  auto tile = cast<RankedTensorType>(op.getDest().getType());
  int64_t bytes = elementsOfBlock(tile) * getStorageBytes(tile.getElementType());
  if (op.getTxCount() != uint64_t(bytes))
    return op.emitOpError("expects 'tx_count' to be the ")
           << bytes << " bytes of the tile, got " << int32_t(op.getTxCount());
  if (!op.getBarrier()) {
    // It completes on the barrier of the stage that the producer around it owns, so there its bytes have to go.
    auto write = op->template getParentOfType<ProducerWriteOp>();
    Value root = op.getDest();
    while (Operation *def = root.getDefiningOp())
      if (isa<ViewOp, nv_tileaa::ViewOp, nv_tileaa::PermuteOp, ExtractSliceOp>(def))
        root = def->getOperand(0);
      else
        break;
    auto stage = dyn_cast<BlockArgument>(root);
    if (write && (!stage || stage.getOwner()->getParentOp() != write))
      return op.emitOpError(
          "in a producer_write expects a tile of the stage that this one fills, or a barrier of its own");
    return success();
  }
  auto barrier = cast<RankedTensorType>(op.getBarrier().getType());
  if (!isIn(barrier, MemoryKind::Shared) || !barrier.getElementType().isInteger(64) || barrier.getNumElements() != 1)
    return op.emitOpError("expects one i64 in shared memory as barrier, got ") << barrier;
  return success();
}

LogicalResult AsyncTiledTmaLoadOp::verify() {
  if (failed(verifyCopy(*this, getView().getType(), getIndices(), getDest().getType(), getAtom(), /*isLoad=*/true)) ||
      failed(verifyDescriptor(*this, getDesc())))
    return failure();
  TmaAtom atom = *getTmaAtom(getAtom());
  size_t offsets = atom.isIm2col ? atom.box.size() - 2 : 0;
  if (getOffsets().size() != offsets)
    return emitOpError("expects ") << offsets << " offsets, but got " << getOffsets().size();
  if (atom.isIm2col && getBlocksTogether(*this) > 1)
    return emitOpError("in im2col mode is not divided among blocks");
  return verifyCompletion(*this);
}

//===----------------------------------------------------------------------===//
// Rows that are chosen one by one
//===----------------------------------------------------------------------===//

/// Whether element i of a shared tile is the i-th word.
static bool liesInOrder(RankedTensorType tile) {
  tileiras::LinearLayout layout = getLinearLayout(tile);
  for (int b = 0; b < layout.inBits(tileiras::kOffset); ++b)
    if (layout.basis(tileiras::kOffset, b) != std::vector<int32_t>{1 << b})
      return false;
  return true;
}

static LogicalResult verifyRows(Operation *op, TiledViewType view, Type rowsType, Type shared, Attribute attribute,
                                bool isLoad) {
  auto tile = cast<RankedTensorType>(shared), rows = cast<RankedTensorType>(rowsType);
  if (view.getRank() != 2 || view.getDimMap() != ArrayRef<int64_t>{0, 1})
    return op->emitOpError("expects a view of two dimensions in the memref's order");
  if (!isIn(tile, MemoryKind::Shared))
    return op->emitOpError("expects a tile in shared memory");
  if (tile.getShape() != view.getTileShape() || tile.getElementType() != view.getElementType())
    return op->emitOpError("expects a tile of the shape and element type of the view's tiles");
  int64_t count = tile.getShape()[0];
  if (!isIn(rows, MemoryKind::Shared) || !rows.getElementType().isInteger(32) || rows.getRank() != 1 ||
      rows.getShape()[0] != count || !liesInOrder(rows))
    return op->emitOpError("expects ") << count << " numbers of rows, i32 side by side in shared memory, got " << rows;
  if (view.getPadding() && *view.getPadding() != nv_tileaa::PaddingValue::Zero)
    return op->emitOpError("GatherTmaLoad only support zero padding now");
  if (failed(verifyViewAndAtom(op, view, attribute, isLoad)))
    return failure();
  std::string error;
  std::optional<TmaTile> boxes = describeTma(view, tile, &error);
  if (!boxes)
    return op->emitOpError() << error;
  // Four rows are one copy, which begins at a multiple of 128 bytes.
  int64_t row = boxes->box[1] * getStorageBytes(tile.getElementType());
  if (boxes->order != std::vector<int32_t>{1, 0} || boxes->box[0] != count || count % 4 || 4 * row % 128)
    return op->emitOpError(
        "expects from 4 to 256 rows, one behind the other in shared memory, and parts of at least 32 "
        "bytes of each");
  TmaAtom atom = *getTmaAtom(attribute);
  if (atom.isIm2col || atom.box != ArrayRef<int32_t>{1, boxes->box[1]} || atom.order != ArrayRef<int32_t>{1, 0} ||
      atom.swizzle != boxes->swizzleBytes || atom.atomBytes != boxes->atomBytes)
    return op->emitOpError("layout of the tile needs box = [1, ")
           << boxes->box[1] << "], order = [1, 0], swizzle = " << boxes->swizzleMode();
  return success();
}

LogicalResult AsyncGatherTmaLoadOp::verify() {
  if (failed(verifyRows(*this, getView().getType(), getRows().getType(), getDest().getType(), getAtom(), true)) ||
      failed(verifyDescriptor(*this, getDesc())))
    return failure();
  if (getBlocksTogether(*this) > 1)
    return emitOpError("is not divided among blocks");
  return verifyCompletion(*this);
}

LogicalResult AsyncScatterTmaStoreOp::verify() {
  if (failed(verifyRows(*this, getView().getType(), getRows().getType(), getSrc().getType(), getAtom(), false)))
    return failure();
  return verifyDescriptor(*this, getDesc());
}

bool nv_tileas::isTensorLoad(Operation *op) { return isa<AsyncTiledTmaLoadOp, AsyncGatherTmaLoadOp>(op); }
bool nv_tileas::isTensorStore(Operation *op) { return isa<AsyncTiledTmaStoreOp, AsyncScatterTmaStoreOp>(op); }

bool nv_tileas::isTokenOfStore(Value token) {
  Operation *def = token.getDefiningOp();
  return def && isTensorStore(def);
}

bool nv_tileas::waitsForStores(AsyncWaitOp wait) {
  return wait->hasAttr(kWaitsForStoresAttr) || llvm::any_of(wait.getTokens(), isTokenOfStore);
}

int64_t nv_tileas::completeOn(Operation *load, Value barrier) {
  if (auto gather = dyn_cast<AsyncGatherTmaLoadOp>(load)) {
    gather.getBarrierMutable().assign(barrier);
    return gather.getTxCount();
  }
  auto tiled = cast<AsyncTiledTmaLoadOp>(load);
  tiled.getBarrierMutable().assign(barrier);
  return tiled.getTxCount();
}

LogicalResult AsyncTiledTmaStoreOp::verify() {
  if (failed(verifyCopy(*this, getView().getType(), getIndices(), getSrc().getType(), getAtom(), /*isLoad=*/false)) ||
      failed(verifyDescriptor(*this, getDesc())))
    return failure();
  if (!getRmwMode())
    return success();
  Type element = getView().getType().getElementType();
  if (!isTensorReduction(*getRmwMode(), element))
    return emitOpError("with '") << stringifyRMWMode(*getRmwMode()) << "' on " << element << " is no tensor copy";
  if (MakeTiledTmaDescOp make = getTensorMap(getDesc());
      make && comparesNumbers(*getRmwMode()) && make.getIsSigned() != needsSign(*getRmwMode()))
    return emitOpError("with '") << stringifyRMWMode(*getRmwMode()) << "' expects a tensor map of numbers "
                                 << (needsSign(*getRmwMode()) ? "with" : "without") << " sign";
  return success();
}

bool nv_tileas::isTensorReduction(nv_tileaa::RMWMode mode, Type element) {
  // PTX ISA, "cp.reduce.async.bulk.tensor".
  using nv_tileaa::RMWMode;
  bool isWord = element.isInteger(32) || element.isInteger(64);
  switch (mode) {
  case RMWMode::Add:
  case RMWMode::AddF:
    return isWord || element.isF16() || element.isBF16() || element.isF32();
  case RMWMode::And:
  case RMWMode::Or:
  case RMWMode::Xor:
  case RMWMode::Max:
  case RMWMode::Min:
  case RMWMode::UMax:
  case RMWMode::UMin:
    return isWord;
  case RMWMode::Xchg:
    return false;
  }
  return false;
}

bool nv_tileas::needsSign(nv_tileaa::RMWMode mode) {
  return mode == nv_tileaa::RMWMode::Max || mode == nv_tileaa::RMWMode::Min;
}

bool nv_tileas::comparesNumbers(nv_tileaa::RMWMode mode) {
  return needsSign(mode) || mode == nv_tileaa::RMWMode::UMax || mode == nv_tileaa::RMWMode::UMin;
}

LogicalResult PadOp::verify() {
  TiledViewType view = getView().getType();
  RankedTensorType tile = getTile().getType();
  if (!isIn(tile, MemoryKind::Registers))
    return emitOpError("expects a tile in registers");
  if (getIndices().size() != size_t(view.getRank()))
    return emitOpError("expects ") << view.getRank() << " coordinates, but got " << getIndices().size();
  if (tile.getShape() != view.getTileShape() || tile.getElementType() != view.getElementType())
    return emitOpError("expects a tile of the shape and element type of the view's tiles");
  if (getInBounds() && getInBounds()->size() != getIndices().size())
    return emitOpError("expects 'in_bounds' to have one entry for each coordinate");
  if (!view.getPadding() || *view.getPadding() == nv_tileaa::PaddingValue::Zero)
    return emitOpError("expects a view whose padding is not zero: copies leave zero by themselves");
  if (!isa<FloatType>(tile.getElementType()))
    return emitOpError("expects elements that have such a padding, got ") << tile.getElementType();
  return success();
}
