//===- TmaCopy.cpp - Tensor copies ----------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// async.tiled_tma_load and async.tiled_tma_store by cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: one thread,
// one instruction for each box of the tile (Support/TmaTile.h), of gather and scatter for each four rows of a box.
// Coordinates are elements, the tensor map's dimension 0 first, 32 bits with sign. An index that would lead beyond them
// is cut to one outside of every tensor: what a load finds there is zero, and what a store puts there goes nowhere.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/TensorMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Cluster.h"
#include "tileiras/Dialect/TileAS/IR/ProductsUnderWay.h"
#include "tileiras/Dialect/TileAS/IR/TensorCoordinates.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::tilellvm;
using tileiras::TmaTile;

Value tilellvm::uniformWarp(Emitter &e) {
  Region *region = e.b.getInsertionBlock()->getParent();
  while (!isa<FunctionOpInterface, nv_tileas::AgentSwitchOp>(region->getParentOp()))
    region = region->getParentRegion();
  for (Operation &op : region->front())
    if (op.hasAttr(nv_tileas::kUniformWarpAttr))
      return op.getResult(0);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(&region->front());
  Value warp = e.shuffleIndex(e.warp(), e.i32(0));
  warp.getDefiningOp()->setAttr(nv_tileas::kUniformWarpAttr, e.b.getUnitAttr());
  return warp;
}

Value tilellvm::firstWarp(Emitter &e) {
  if (!e.threads().isWholeBlock && e.threads().numWarps == 1)
    return {};
  return e.icmp(LLVM::ICmpPredicate::eq, uniformWarp(e), e.i32(e.threads().firstLayoutWarp));
}

Value tilellvm::fillingWarp(Emitter &e) {
  func::FuncOp func = functionAround(e);
  if (!func || !func->hasAttr(nv_tileas::kByWarpgroupAttr))
    return firstWarp(e);
  return e.icmp(LLVM::ICmpPredicate::eq, uniformWarp(e), e.i32(3));
}

Value tilellvm::electedLane(Emitter &e) { return NVVM::ElectSyncOp::create(e.b, e.loc, e.intTy(1), Value()); }

Value tilellvm::electedThread(Emitter &e) {
  Value first = firstWarp(e), elected = electedLane(e);
  return first ? e.andi(first, elected) : elected;
}

/// On a load with a barrier of its own: the threads have met before the one in front of it.
static constexpr llvm::StringLiteral kHasMetAttr = "nv_tileas.has_met";

/// Whether threads read or write shared memory in an operation, through scratch as well, which is no effect of it.
static bool usesSharedMemory(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool shared = llvm::any_of(inner->getOperands(), [](Value v) {
          return isa<RankedTensorType>(v.getType()) && nv_tileas::isIn(v.getType(), nv_tileas::MemoryKind::Shared);
        });
        return shared || inner->hasAttr(nv_tileas::kScratchOffsetAttr) ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The load in front of `load`, if nothing but arithmetic stands between, which then has a barrier of its own, too.
static bool followsAnother(Operation *load) {
  for (Operation *before = load->getPrevNode(); before; before = before->getPrevNode()) {
    if (nv_tileas::isTensorLoad(before))
      return !before->hasAttr(nv_tileas::kElectedAttr);
    if ((!isMemoryEffectFree(before) && !isa<nv_tileas::AllocTensorOp>(before)) || usesSharedMemory(before))
      return false;
  }
  return false;
}

void tilellvm::planWaits(Operation *func) {
  func->walk([](Operation *op) {
    if (nv_tileas::isTensorLoad(op) && !op->hasAttr(nv_tileas::kElectedAttr) && followsAnother(op))
      op->setAttr(kHasMetAttr, UnitAttr::get(op->getContext()));
  });
  func->walk([](nv_tileas::AsyncWaitOp wait) {
    if (wait.getBarrier())
      return;
    auto unit = UnitAttr::get(wait.getContext());
    // One without tokens may be for stores of an earlier round (tileas-defer-store-waits), else for all loads.
    bool forStores = nv_tileas::waitsForStores(wait);
    if (forStores)
      wait->setAttr(nv_tileas::kWaitsForStoresAttr, unit);
    if (wait.getTokens().empty() ? !forStores : !llvm::all_of(wait.getTokens(), nv_tileas::isTokenOfStore))
      wait->setAttr(nv_tileas::kWaitsForLoadsAttr, unit);
  });
}

namespace {

/// The coordinates of the tile's first element, by dimensions of the tile.
SmallVector<Value> firstElement(Emitter &e, nv_tileaa::TiledViewType view, ValueRange indices,
                                std::optional<ArrayRef<bool>> inBounds, DenseBoolArrayAttr inRange = {}) {
  SmallVector<Value> coords;
  for (auto [t, index] : llvm::enumerate(indices)) {
    int64_t step = view.getTraversalStrides()[t], most = nv_tileas::kMaxTmaExtent / step;
    Value v = index.getType().getIntOrFloatBitWidth() < 32 ? e.resize(index, e.intTy(32)) : index;
    if ((!inBounds || !(*inBounds)[t]) && !(inRange && inRange[t]))
      v = e.umin(v, e.constant(v.getType(), most));
    coords.push_back(e.mul(e.resize(v, e.intTy(32)), e.i32(step)));
  }
  return coords;
}

/// The operands of one instruction.
SmallVector<Value> boxCoordinates(Emitter &e, const TmaTile &tile, const TmaTile::Copy &copy, ArrayRef<Value> first) {
  SmallVector<Value> coords;
  for (int32_t d : tile.order)
    coords.push_back(copy.coords[d] ? e.add(first[d], e.i32(copy.coords[d])) : first[d]);
  return coords;
}

template <typename Op> LogicalResult checkTarget(Op op) {
  const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  if (target && target->hasTma())
    return success();
  return op.emitOpError("needs TMA, which begins with sm_90");
}

/// What else an instruction says: which pixels, by the innermost dimension first; i64, what L2 keeps.
struct LoadMode {
  bool isIm2col = false, isGather = false;
  SmallVector<Value> offsets;
  Value cacheHint;
};

/// NVVM's operation takes addresses of 64 bits, which ptxas puts together from two registers for every copy. Here they
/// have 32. The destination is the block's own memory and says so: for a block of the cluster, ptxas puts a call of the
/// system beside each copy on sm_120. With `blocks` it goes to the same place of them all.
/// With `pair` it completes on the mbarrier of another block, the even one of the two, wherever the bytes go.
/// PTX ISA, "cp.async.bulk.tensor": [dst], [map, {coords}], [mbar] {, im2colInfo} {, ctaMask} {, cache-policy}.
void load(Emitter &e, Value to, Value map, ArrayRef<Value> coords, Value barrier, int32_t blocks, bool pair,
          const LoadMode &mode = {}) {
  SmallVector<Value> operands = {to, map, barrier};
  std::string constraints = "r,l,r";
  auto vectorOf = [&](ArrayRef<Value> values, const char *constraint) {
    std::string list;
    for (Value v : values) {
      list += (list.empty() ? "$" : ", $") + std::to_string(operands.size());
      constraints += constraint;
      operands.push_back(v);
    }
    return "{" + list + "}";
  };
  std::string list = vectorOf(coords, ",r"), pixels = mode.isIm2col ? ", " + vectorOf(mode.offsets, ",h") : "";
  std::string where = blocks > 1 || pair ? "cluster" : "cta",
              multicast = std::string(blocks > 1 ? ".multicast::cluster" : "") + (pair ? ".cta_group::2" : ""), mask;
  if (blocks > 1) {
    mask = ", $" + std::to_string(operands.size());
    constraints += ",h";
    operands.push_back(e.constant(e.intTy(16), (1 << blocks) - 1));
  }
  std::string policy;
  if (mode.cacheHint) {
    policy = ", $" + std::to_string(operands.size());
    constraints += ",l";
    operands.push_back(mode.cacheHint);
  }
  // Four rows have a coordinate each.
  size_t rank = mode.isGather ? 2 : coords.size();
  std::string text = "cp.async.bulk.tensor." + std::to_string(rank) + "d.shared::" + where + ".global." +
                     (mode.isIm2col   ? "im2col"
                      : mode.isGather ? "tile::gather4"
                                      : "tile") +
                     ".mbarrier::complete_tx::bytes" + multicast + (mode.cacheHint ? ".L2::cache_hint" : "") +
                     " [$0], [$1, " + list + "], [$2]" + pixels + mask + policy + ";";
  auto op = LLVM::InlineAsmOp::create(e.b, e.loc, TypeRange(), operands, text, constraints + ",~{memory}",
                                      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(86));
}

/// In a ring convert-pipeline-to-nvvm has done what comes next, for whole stages.
bool isOfRing(Operation *load) { return load->hasAttr(nv_tileas::kElectedAttr); }

/// Who has used the bytes of the tile before, for this tile or another one that had its place, has done so, and what
/// was written there through the generic proxy does not come after the copy (PTX ISA, "membar/fence", .proxy.async).
void meetBefore(Emitter &e, Operation *load) {
  if (isOfRing(load) || load->hasAttr(kHasMetAttr))
    return;
  e.asyncProxyFence();
  e.barrier();
}

/// A load with a barrier of its own arrives there once, for its bytes, before the copies, so that the phase cannot end
/// without them (PTX ISA, "mbarrier.arrive", .expect_tx).
void announce(Emitter &one, Operation *op, Value barrier, int64_t bytes) {
  if (!isOfRing(op))
    inlinePtx(one, Type(), ValueRange{barrier, one.i32(bytes)}, "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;",
              "r,r,~{memory}", Access::Any);
}

/// Coordinates and destination of the first of the copies that this block makes. Copies are numbered by bits of their
/// place, the last ones of which say the block.
Value moveToPart(Emitter &e, const TmaTile &tile, int32_t blocks, MutableArrayRef<Value> first, Value to) {
  size_t each = tile.copies.size() / blocks;
  Value rank = e.block();
  for (int bit = 0; 1 << bit < blocks; ++bit) {
    const TmaTile::Copy &copy = tile.copies[each << bit];
    Value isSet = blocks == 2 ? rank : e.andi(e.lshr(rank, bit), e.i32(1));
    to = e.offsetBytes(to, e.mul(isSet, e.i32(copy.bytes)));
    for (auto [d, coordinate] : llvm::enumerate(copy.coords))
      if (coordinate)
        first[d] = e.add(first[d], e.mul(isSet, e.i32(coordinate)));
  }
  return to;
}

/// The coordinates of the half that this block has of a tile, if blocks divide it.
void moveToHalf(Emitter &e, RankedTensorType tile, MutableArrayRef<Value> first) {
  tileiras::LinearLayout layout = nv_tileas::getLinearLayout(tile);
  if (layout.inBits(::tileiras::kBlock))
    for (auto [d, coordinate] : llvm::enumerate(layout.basis(::tileiras::kBlock, 0)))
      if (coordinate)
        first[d] = e.add(first[d], e.mul(e.block(), e.i32(coordinate)));
}

struct AsyncTiledTmaLoad : TilePattern<nv_tileas::AsyncTiledTmaLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncTiledTmaLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    if (!adaptor.getBarrier())
      return op.emitOpError("failed to get MBarrier object: it is not in the region of a producer_write");
    std::optional<TmaTile> tile =
        nv_tileas::describeTma(op.getView().getType(), cast<RankedTensorType>(op.getDest().getType()));
    if (!tile)
      return failure();
    int32_t blocks = nv_tileas::getBlocksTogether(op);
    if (blocks != 1)
      tile = nv_tileas::divideAmongBlocks(
          *tile, blocks, nv_tileas::getStorageBytes(cast<RankedTensorType>(op.getDest().getType()).getElementType()));
    if (!tile)
      return op.emitOpError("cannot be divided among ") << blocks << " blocks";
    Emitter e(rewriter, op.getLoc());
    LoadMode mode;
    mode.cacheHint = adaptor.getCacheHint();
    mode.isIm2col = nv_tileas::getTmaAtom(op.getAtom())->isIm2col;
    if (mode.isIm2col)
      llvm::copy(nv_tileas::getTmaAtom(op.getAtom())->order, tile->order.begin());
    meetBefore(e, op);
    e.onlyIf(isOfRing(op) ? Value() : electedThread(e), [&](Emitter &one) {
      // A run of pixels may begin outside of the tensor.
      SmallVector<bool> anywhere(adaptor.getIndices().size(), true);
      SmallVector<Value> indices(adaptor.getIndices());
      for (Value &index : indices)
        if (mode.isIm2col && index.getType().getIntOrFloatBitWidth() < 32)
          index = LLVM::SExtOp::create(one.b, one.loc, one.intTy(32), index);
      SmallVector<Value> first =
          firstElement(one, op.getView().getType(), indices,
                       mode.isIm2col ? std::optional<ArrayRef<bool>>(anywhere) : op.getInBounds(),
                       op->getAttrOfType<DenseBoolArrayAttr>(nv_tileas::kInRangeAttr));
      for (Value offset : llvm::reverse(adaptor.getOffsets()))
        mode.offsets.push_back(one.resize(offset, one.intTy(16)));
      Value map = adaptor.getDesc();
      Value to = adaptor.getDest();
      Value barrier = adaptor.getBarrier();
      announce(one, op, barrier, op.getTxCount());
      bool pair = op->hasAttr(nv_tileas::kCtaPairAttr);
      if (blocks > 1)
        to = moveToPart(one, *tile, blocks, first, to);
      if (pair) {
        moveToHalf(one, cast<RankedTensorType>(op.getDest().getType()), first);
        barrier = inlinePtx(one, one.intTy(32), barrier, "mapa.shared::cluster.u32 $0, $1, 0;", "=r,r", Access::None);
      }
      for (const TmaTile::Copy &copy : ArrayRef(tile->copies).take_front(tile->copies.size() / blocks))
        load(one, one.offsetBytes(to, copy.bytes), map, boxCoordinates(one, *tile, copy, first), barrier, blocks, pair,
             mode);
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }
};

struct AsyncTiledTmaStore : TilePattern<nv_tileas::AsyncTiledTmaStoreOp> {
  using TilePattern::TilePattern;

  static std::optional<NVVM::TMAReduxKind> reductionOf(nv_tileaa::RMWMode mode) {
    switch (mode) {
    case nv_tileaa::RMWMode::Add:
    case nv_tileaa::RMWMode::AddF:
      return NVVM::TMAReduxKind::ADD;
    case nv_tileaa::RMWMode::And:
      return NVVM::TMAReduxKind::AND;
    case nv_tileaa::RMWMode::Or:
      return NVVM::TMAReduxKind::OR;
    case nv_tileaa::RMWMode::Xor:
      return NVVM::TMAReduxKind::XOR;
    case nv_tileaa::RMWMode::Max:
    case nv_tileaa::RMWMode::UMax:
      return NVVM::TMAReduxKind::MAX;
    case nv_tileaa::RMWMode::Min:
    case nv_tileaa::RMWMode::UMin:
      return NVVM::TMAReduxKind::MIN;
    default:
      return std::nullopt;
    }
  }

  LogicalResult matchAndRewrite(nv_tileas::AsyncTiledTmaStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(checkTarget(op)))
      return failure();
    std::optional<TmaTile> tile =
        nv_tileas::describeTma(op.getView().getType(), cast<RankedTensorType>(op.getSrc().getType()), /*error=*/nullptr,
                               /*isLoad=*/false);
    if (!tile)
      return failure();
    std::optional<NVVM::TMAReduxKind> reduction;
    if (op.getRmwMode() && !(reduction = reductionOf(*op.getRmwMode())))
      return op.emitOpError("does not combine by this operation");
    auto part = op->getAttrOfType<DenseI32ArrayAttr>(nv_tileas::kTeamPartAttr);
    Emitter e(rewriter, op.getLoc());
    // What threads have written to global memory before, by the generic proxy (PTX ISA, "membar/fence", .proxy.async).
    if (op.getToken())
      NVVM::FenceProxyOp::create(rewriter, op.getLoc(), NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
    e.barrier();
    e.onlyIf(electedThread(e), [&](Emitter &one) {
      SmallVector<Value> first = firstElement(one, op.getView().getType(), adaptor.getIndices(), op.getInBounds());
      Value map = adaptor.getDesc();
      for (const TmaTile::Copy &copy : tile->copies) {
        if (part && (copy.coords[part[0]] & part[1]) != part[2])
          continue;
        Value from = one.offsetBytes(adaptor.getSrc(), copy.bytes);
        SmallVector<Value> coords = boxCoordinates(one, *tile, copy, first);
        if (reduction)
          NVVM::CpAsyncBulkTensorReduceOp::create(one.b, one.loc, map, from, *reduction, NVVM::TMAStoreMode::TILE,
                                                  coords, /*l2CacheHint=*/Value());
        else
          NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(one.b, one.loc, map, from, coords, /*l2CacheHint=*/Value(),
                                                             NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
      }
      NVVM::CpAsyncBulkCommitGroupOp::create(one.b, one.loc);
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }
};

/// The columns where the copies of a tile begin that is made of chosen rows, and the rows, four by four: for each the
/// coordinates of the instruction and where it lies in the tile. Rows are cut as indices are (firstElement).
template <typename Op>
void forFourRows(Emitter &e, Op op, typename Op::Adaptor adaptor, const TmaTile &tile,
                 function_ref<void(ArrayRef<Value>, int32_t bytes)> copyRows) {
  nv_tileaa::TiledViewType view = op.getView().getType();
  auto rows = cast<RankedTensorType>(op.getRows().getType());
  Value column = adaptor.getColumn();
  if (column.getType().getIntOrFloatBitWidth() < 32)
    column = e.resize(column, e.intTy(32));
  int64_t step = view.getTraversalStrides()[1];
  column = e.umin(column, e.constant(column.getType(), nv_tileas::kMaxTmaExtent / step));
  column = e.mul(e.resize(column, e.intTy(32)), e.i32(step));
  int64_t rowBytes = tile.box[1] * nv_tileas::getStorageBytes(view.getElementType());
  auto four = VectorType::get({4}, e.intTy(32));
  for (int64_t row = 0; row < rows.getNumElements(); row += 4) {
    Value numbers = LLVM::LoadOp::create(e.b, e.loc, four, e.offsetBytes(adaptor.getRows(), 4 * row), 16);
    SmallVector<Value> chosen;
    for (int i = 0; i < 4; ++i) {
      Value number = LLVM::ExtractElementOp::create(e.b, e.loc, numbers, e.i32(i));
      chosen.push_back(e.umin(number, e.i32(nv_tileas::kMaxTmaExtent)));
    }
    for (const TmaTile::Copy &copy : tile.copies) {
      SmallVector<Value> coords = {copy.coords[1] ? e.add(column, e.i32(copy.coords[1])) : column};
      llvm::append_range(coords, chosen);
      copyRows(coords, copy.bytes + row * rowBytes);
    }
  }
}

struct AsyncGatherTmaLoad : TilePattern<nv_tileas::AsyncGatherTmaLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncGatherTmaLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // PTX ISA, "cp.async.bulk.tensor": .tile::gather4 into .shared::cta, sm_100 and later.
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!target || !target->hasTma() || target->computeCapability < 100)
      return op.emitOpError("needs tile::gather4, which begins with sm_100");
    if (!adaptor.getBarrier())
      return op.emitOpError("failed to get MBarrier object: it is not in the region of a producer_write");
    std::optional<TmaTile> tile =
        nv_tileas::describeTma(op.getView().getType(), cast<RankedTensorType>(op.getDest().getType()));
    if (!tile)
      return failure();
    Emitter e(rewriter, op.getLoc());
    LoadMode mode;
    mode.isGather = true;
    mode.cacheHint = adaptor.getCacheHint();
    meetBefore(e, op);
    e.onlyIf(isOfRing(op) ? Value() : electedThread(e), [&](Emitter &one) {
      announce(one, op, adaptor.getBarrier(), op.getTxCount());
      forFourRows(one, op, adaptor, *tile, [&](ArrayRef<Value> coords, int32_t bytes) {
        load(one, one.offsetBytes(adaptor.getDest(), bytes), adaptor.getDesc(), coords, adaptor.getBarrier(), 1, false,
             mode);
      });
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }
};

struct AsyncScatterTmaStore : TilePattern<nv_tileas::AsyncScatterTmaStoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncScatterTmaStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // PTX ISA, "cp.async.bulk.tensor": .tile::scatter4 is of the targets with tensor memory.
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!target || !target->hasTcgen05())
      return op.emitOpError("needs tile::scatter4, which this target does not have");
    std::optional<TmaTile> tile =
        nv_tileas::describeTma(op.getView().getType(), cast<RankedTensorType>(op.getSrc().getType()));
    if (!tile)
      return failure();
    Emitter e(rewriter, op.getLoc());
    // What other stores have written comes before this one's, which is of the async proxy.
    if (op.getToken())
      NVVM::FenceProxyOp::create(rewriter, op.getLoc(), NVVM::ProxyKind::async, NVVM::SharedSpaceAttr());
    e.barrier();
    e.onlyIf(electedThread(e), [&](Emitter &one) {
      forFourRows(one, op, adaptor, *tile, [&](ArrayRef<Value> coords, int32_t bytes) {
        SmallVector<Value> operands = {adaptor.getDesc(), one.offsetBytes(adaptor.getSrc(), bytes)};
        llvm::append_range(operands, coords);
        auto store = LLVM::InlineAsmOp::create(
            one.b, one.loc, TypeRange(), operands,
            "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [$0, {$2, $3, $4, $5, $6}], [$1];",
            "l,r,r,r,r,r,r,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
            LLVM::AsmDialectAttr(), ArrayAttr());
        store->setAttr(::tileiras::kPtxVersionAttr, one.b.getI32IntegerAttr(86));
      });
      NVVM::CpAsyncBulkCommitGroupOp::create(one.b, one.loc);
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }
};

} // namespace

void tilellvm::populateTmaCopyPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                       const LoweringOptions &options) {
  patterns.add<AsyncTiledTmaLoad, AsyncTiledTmaStore, AsyncGatherTmaLoad, AsyncScatterTmaStore>(
      converter, patterns.getContext(), options);
}
