//===- TiledMemory.cpp - Views, tiled loads and stores --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The element at tile coordinate c of tile i lies, per tile dimension t with memref dimension d = dimMap[t], at
//
//     index_d = i_t * step_t + c_t          address = base + sum of index_d * stride_d
//
// The part that is the same for the whole tile (base, i, step) is computed in 64 bits once; per dimension
// limit_t = extent_d - i_t * step_t, cut to [0, tile extent], is what a coordinate is compared with, in 32 bits.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Support/ConvertPlan.h"
#include <map>

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::MemSemantic;
using nv_tileaa::PaddingValue;
using P = LLVM::ICmpPredicate;

namespace {

/// A memref at run time: the fields of its struct and the constants of its type.
struct MemRefParts {
  Value base;
  SmallVector<Value> sizes, strides; ///< i64; null where the type has the number
  nv_tileaa::MemRefType type;

  MemRefParts(Emitter &e, Value structure, nv_tileaa::MemRefType type) : type(type) {
    SmallVector<Value> fields = e.unpack(structure);
    base = fields.front();
    size_t next = 1;
    for (int64_t extent : type.getShape())
      sizes.push_back(ShapedType::isDynamic(extent) ? fields[next++] : Value());
    for (int64_t stride : type.getStrides())
      strides.push_back(ShapedType::isDynamic(stride) ? fields[next++] : Value());
  }
  Value size(Emitter &e, unsigned d) { return sizes[d] ? sizes[d] : e.i64(type.getShape()[d]); }
};

/// A power of two (at most 2^30) known to divide a run-time extent.
int64_t knownDivisor(Value value) {
  for (int depth = 0; value && depth < 16; ++depth) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isZero() ? int64_t(1) << 30
                               : int64_t(1) << std::min<unsigned>(30, constant.countr_zero());
    Operation *def = value.getDefiningOp();
    if (!def)
      return 1;
    if (auto assume = dyn_cast<nv_tileaa::AssumeOp>(def)) {
      auto div = dyn_cast<nv_tileaa::DivByAttr>(assume.getPredicate());
      if (div && !div.getEvery() && div.getDivisor() > 1)
        return int64_t(1) << std::min<unsigned>(30, llvm::countr_zero(div.getDivisor()));
      value = assume.getValue();
    } else if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(def)) {
      value = def->getOperand(0);
    } else {
      return 1;
    }
  }
  return 1;
}

/// What divides the extent of memref dimension `d` of a view.
int64_t extentDivisor(Value view, unsigned d, nv_tileaa::MemRefType type) {
  if (int64_t extent = type.getShape()[d]; !ShapedType::isDynamic(extent))
    return extent == 0 ? int64_t(1) << 30 : extent & -extent;
  auto tile = view.getDefiningOp<nv_tileaa::BlockTileOp>();
  auto make = tile ? tile.getSource().getDefiningOp<nv_tileaa::MakeMemRefOp>() : nullptr;
  if (!make)
    return 1;
  unsigned position = llvm::count_if(type.getShape().take_front(d), ShapedType::isDynamic);
  return knownDivisor(make.getSizes()[position]);
}

/// Addresses and bounds of one tile for the running thread.
class TileAccess {
public:
  TileAccess(Emitter &e, nv_tileaa::TiledViewType view, Value viewStruct, Value viewValue, ValueRange indices,
             std::optional<ArrayRef<bool>> inBounds, const LinearLayout &layout, unsigned elementBits, unsigned vec)
      : e(e), view(view), memref(e, viewStruct, view.getSource()), thread(e, layout), bytes(elementBits / 8) {
    unsigned rank = view.getRank();
    Value origin = memref.base;
    for (unsigned t = 0; t < rank; ++t) {
      unsigned d = view.getDimMap()[t];
      int64_t step = view.getTraversalStrides()[t], extent = view.getTileShape()[t];
      Value index = e.resize(indices[t], e.intTy(64));
      Value start = e.mul(index, e.i64(step));
      origin = e.offsetBytes(origin, e.mul(scaled(d), start));
      // A whole number of tiles: every tile inside the index space is inside the memref.
      int64_t divisor = extentDivisor(viewValue, d, view.getSource());
      bool whole = (inBounds && (*inBounds)[t]) || (step == extent && divisor % extent == 0);
      Value limit;
      if (!whole) {
        Value rest = e.sub(memref.size(e, d), start);
        rest = LLVM::SMaxOp::create(e.b, e.loc, rest, e.i64(0));
        rest = LLVM::SMinOp::create(e.b, e.loc, rest, e.i64(extent));
        limit = e.resize(rest, e.intTy(32));
      }
      limits.push_back(limit);
      divisors.push_back(std::min(divisor, step & -step));
    }
    // The thread's own part of the address, where it can be added.
    for (unsigned t = 0; t < rank; ++t)
      if (thread.isSum(t))
        origin = e.offsetBytes(origin, e.mul(scaled(view.getDimMap()[t]), e.resize(thread.threadPart(t), e.intTy(64))));
    base = origin;
    chooseVectors(vec);
  }

  VectorGroups groups;
  /// A group is inside or outside as a whole.
  bool uniform = true;

  Value address(unsigned r) {
    Value pointer = base;
    int64_t constant = 0;
    for (unsigned t = 0; t < limits.size(); ++t) {
      unsigned d = view.getDimMap()[t];
      if (!thread.isSum(t)) {
        pointer = e.offsetBytes(pointer, e.mul(scaled(d), e.resize(thread.coordinate(t, r), e.intTy(64))));
        continue;
      }
      uint64_t part = thread.registerPart(t, r);
      if (!memref.strides[d]) {
        constant += int64_t(part) * memref.type.getStrides()[d] * bytes;
      } else if (part) {
        Value &offset = offsets[{t, part}];
        if (!offset)
          offset = e.mul(scaled(d), e.i64(part));
        pointer = e.offsetBytes(pointer, offset);
      }
    }
    return e.offsetBytes(pointer, constant);
  }

  /// Whether register r is inside; null if it always is. `ahead` asks about the element that many places further along the
  /// contiguous dimension.
  Value predicate(unsigned r, unsigned ahead = 0) {
    Value all;
    for (unsigned t = 0; t < limits.size(); ++t) {
      if (!limits[t])
        continue;
      unsigned shift = int(t) == contiguous ? ahead : 0;
      uint64_t key = thread.registerPart(t, r) + (uint64_t(shift) << 32);
      Value &inside = insides[{t, key}];
      if (!inside) {
        Value coordinate = thread.coordinate(t, r);
        if (shift)
          coordinate = e.add(coordinate, e.i32(shift));
        inside = e.icmp(P::ult, coordinate, limits[t]);
      }
      all = e.both(all, inside);
    }
    return all;
  }

private:
  /// Stride of memref dimension d in bytes.
  Value scaled(unsigned d) {
    Value &value = byteStrides[d];
    if (!value)
      value = memref.strides[d] ? e.mul(memref.strides[d], e.i64(bytes)) : e.i64(memref.type.getStrides()[d] * bytes);
    return value;
  }

  /// Neighbouring elements lie in the tile dimension whose memref stride is 1.
  void chooseVectors(unsigned vec) {
    for (unsigned t = 0; t < limits.size(); ++t)
      if (memref.type.getStrides()[view.getDimMap()[t]] == 1)
        contiguous = t;
    unsigned width = contiguous < 0 ? 1 : std::min<unsigned>(vec, 16 / bytes);
    if (contiguous >= 0)
      width = std::min<int64_t>(llvm::bit_floor(width), view.getTraversalStrides()[contiguous] &
                                                            -view.getTraversalStrides()[contiguous]);
    FlatLayout::Field field = contiguous < 0 ? FlatLayout::Field{0, 0} : thread.layout().dims[contiguous];
    groups = vectorGroups(thread.layout(), field, std::max(width, 1u));
    if (groups.width > 1 && limits[contiguous])
      uniform = divisors[contiguous] % groups.width == 0;
  }

  Emitter &e;
  nv_tileaa::TiledViewType view;
  MemRefParts memref;
  ThreadLayout thread;
  int64_t bytes;
  int contiguous = -1;
  Value base;
  SmallVector<Value> limits;      ///< i32 per tile dimension; null: never outside
  SmallVector<int64_t> divisors; ///< of extent and tile origin
  std::map<unsigned, Value> byteStrides;
  std::map<std::pair<unsigned, uint64_t>, Value> offsets, insides;
};

/// The value elements outside the memref read as; null when the type does not have it.
Value paddingConstant(Emitter &e, PaddingValue padding, Type original, Type element) {
  auto fp = dyn_cast<FloatType>(original);
  if (!fp)
    return padding == PaddingValue::Zero ? e.zero(element) : Value();
  const llvm::fltSemantics &semantics = fp.getFloatSemantics();
  APFloat value = APFloat::getZero(semantics);
  switch (padding) {
  case PaddingValue::Zero:
    break;
  case PaddingValue::NegZero:
    value = APFloat::getZero(semantics, /*Negative=*/true);
    break;
  case PaddingValue::NaN:
    value = APFloat::getNaN(semantics);
    break;
  case PaddingValue::PosInf:
    value = APFloat::getInf(semantics);
    break;
  case PaddingValue::NegInf:
    value = APFloat::getInf(semantics, /*Negative=*/true);
    break;
  }
  FailureOr<Value> constant = scalarConstant(e, FloatAttr::get(fp, value), element);
  return succeeded(constant) ? *constant : Value();
}

struct TiledLoad : TilePattern<nv_tileas::TiledLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TiledLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getResult().getType());
    Type result = types().convertType(tile), element = types().convertElementType(tile.getElementType());
    unsigned bits = element ? memoryBits(element) : 0;
    if (!result || !bits || tile.getElementType().getIntOrFloatBitWidth() < 8)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    nv_tileaa::TiledViewType view = op.getView().getType();
    Emitter e(rewriter, op.getLoc());
    Value padding = e.zero(element);
    if (view.getPadding()) {
      padding = paddingConstant(e, *view.getPadding(), tile.getElementType(), element);
      if (!padding)
        return op.emitOpError("special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types");
    }
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    if (op->hasAttr(kBarrierBeforeAttr))
      e.barrier();
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    TileAccess access(e, view, adaptor.getView(), op.getView(), adaptor.getIndices(), op.getInBounds(), layout, bits,
                      order.isWeak() ? op.getVec().value_or(1) : 1);
    bool exchange = exchangeBytes(op) != 0;
    Value owns = exchange ? ownerPredicate(e, layout) : Value();
    unsigned width = access.groups.width;
    SmallVector<Value> values(cast<LLVM::LLVMStructType>(result).getBody().size());
    SmallVector<Value> other(width, padding);
    for (ArrayRef<unsigned> group : access.groups.groups) {
      unsigned r = group.front();
      Value address = access.address(r), first = access.predicate(r);
      if (access.uniform || !first) {
        SmallVector<Value> loaded = loadGlobal(e, address, element, width, e.both(first, owns), other, order);
        for (auto [member, value] : llvm::zip_equal(group, loaded))
          values[member] = value;
        continue;
      }
      // The edge may cut a vector: all at once where the last element is inside, else one by one.
      Value whole = access.predicate(r, width - 1);
      SmallVector<Value> loaded = loadGlobal(e, address, element, width, whole, other, order);
      Value cut = e.xori(whole, e.i1(true));
      for (unsigned j = 0; j < width; ++j)
        values[group[j]] = loadGlobal(e, e.offsetBytes(address, j * bits / 8), element, 1,
                                      e.andi(cut, access.predicate(r, j)), loaded[j], order)
                               .front();
    }
    if (exchange)
      values = broadcastFromOwners(e, layout, values, owns);
    else if (order.semantic == MemSemantic::Acquire)
      e.barrier();
    rewriter.replaceOp(op, {e.pack(result, values), e.i32(0)});
    return success();
  }
};

struct TiledStore : TilePattern<nv_tileas::TiledStoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::TiledStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    Type element = types().convertElementType(tile.getElementType());
    unsigned bits = element ? memoryBits(element) : 0;
    if (!bits || tile.getElementType().getIntOrFloatBitWidth() < 8)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    Emitter e(rewriter, op.getLoc());
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    if (op->hasAttr(kBarrierBeforeAttr) || order.semantic == MemSemantic::Release)
      e.barrier();
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    TileAccess access(e, op.getView().getType(), adaptor.getView(), op.getView(), adaptor.getIndices(),
                      op.getInBounds(), layout, bits, order.isWeak() ? op.getVec().value_or(1) : 1);
    Value owns = ownerPredicate(e, layout);
    int32_t copies = tileiras::ownerMask(layout).registers;
    SmallVector<Value> fields = e.unpack(adaptor.getValue());
    unsigned width = access.groups.width;
    struct Piece {
      Value address, predicate;
      SmallVector<Value> values;
    };
    SmallVector<Piece> pieces;
    for (ArrayRef<unsigned> group : access.groups.groups) {
      unsigned r = group.front();
      if (r & copies)
        continue;
      SmallVector<Value> values;
      for (unsigned member : group)
        values.push_back(fields[member]);
      Value address = access.address(r), first = access.predicate(r);
      if (access.uniform || !first) {
        pieces.push_back({address, first, values});
        continue;
      }
      Value whole = access.predicate(r, width - 1);
      pieces.push_back({address, whole, values});
      Value cut = e.xori(whole, e.i1(true));
      for (unsigned j = 0; j < width; ++j)
        pieces.push_back({e.offsetBytes(address, j * bits / 8), e.andi(cut, access.predicate(r, j)), {values[j]}});
    }
    if (llvm::all_of(pieces, [](const Piece &piece) { return !piece.predicate; })) {
      e.onlyIf(owns, [&](Emitter &inner) {
        for (const Piece &piece : pieces)
          storeGlobal(inner, piece.address, piece.values, Value(), order);
      });
    } else {
      for (const Piece &piece : pieces)
        storeGlobal(e, piece.address, piece.values, e.both(piece.predicate, owns), order);
    }
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

struct MakeMemRef : TilePattern<nv_tileaa::MakeMemRefOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::MakeMemRefOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> fields = {adaptor.getBase()};
    for (ValueRange list : {adaptor.getSizes(), adaptor.getStrides()})
      for (Value v : list)
        fields.push_back(e.resize(v, e.intTy(64), /*isSigned=*/true));
    rewriter.replaceOp(op, e.pack(types().convertType(op.getType()), fields));
    return success();
  }
};

struct BlockTile : TilePattern<nv_tileaa::BlockTileOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::BlockTileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

/// Elements of a memref, tiles (the last one may overhang) of a view.
struct GetDimSize : TilePattern<nv_tileaa::GetDimSizeOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GetDimSizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Type type = types().convertType(op.getType());
    auto view = dyn_cast<nv_tileaa::TiledViewType>(op.getSource().getType());
    auto memref = view ? view.getSource() : cast<nv_tileaa::MemRefType>(op.getSource().getType());
    MemRefParts parts(e, adaptor.getSource(), memref);
    Value size = parts.size(e, view ? view.getDimMap()[op.getAxis()] : op.getAxis());
    if (view) {
      int64_t step = view.getTraversalStrides()[op.getAxis()];
      size = LLVM::UDivOp::create(e.b, e.loc, e.add(size, e.i64(step - 1)), e.i64(step));
    }
    rewriter.replaceOp(op, e.resize(size, type));
    return success();
  }
};

} // namespace

void tilellvm::populateTiledMemoryPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                           const LoweringOptions &options) {
  patterns.add<TiledLoad, TiledStore, MakeMemRef, BlockTile, GetDimSize>(converter, patterns.getContext(), options);
}
