//===- TiledMemory.cpp - Views, tiled loads and stores --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the elements lie: TileAccess.h. A thread loads what it holds, copies included; it stores what it owns.
// Gathers and scatters differ only in the coordinates along one axis.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"
#include "tileiras/Support/TargetTable.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::MemSemantic;
using nv_tileaa::PaddingValue;

namespace {

/// The value elements outside the memref read as; null when the type does not have it.
Value paddingConstant(Emitter &e, PaddingValue padding, Type original, Type element) {
  auto fp = dyn_cast<FloatType>(original);
  if (!fp)
    return padding == PaddingValue::Zero ? e.zero(element) : Value();
  // A format without zero pads with its smallest number, whose code is zero.
  if (isa<Float8E8M0FNUType>(fp) && (padding == PaddingValue::Zero || padding == PaddingValue::NegZero))
    return e.zero(element);
  const llvm::fltSemantics &semantics = fp.getFloatSemantics();
  bool negative = padding == PaddingValue::NegZero || padding == PaddingValue::NegInf;
  // f4E2M1FN has neither infinities nor NaNs; its largest stands for them, as conversions have it (PTX ISA, cvt).
  if (isa<Float4E2M1FNType>(fp) && padding != PaddingValue::Zero && padding != PaddingValue::NegZero)
    return *scalarConstant(e, FloatAttr::get(fp, APFloat::getLargest(semantics, negative)), element);
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

/// Bits that elements of a type lie apart in memory; 0 if it cannot be accessed.
unsigned accessBits(Type original, Type element) {
  if (isNibble(original))
    return 4;
  bool whole = original.isInteger(1) || original.getIntOrFloatBitWidth() >= 8;
  return element && whole ? memoryBits(element) : 0;
}

template <typename Op>
constexpr bool isGather = llvm::is_one_of<Op, nv_tileas::GatherLoadOp, nv_tileas::ScatterStoreOp>::value;

/// The coordinates of gathers and scatters, nothing for the others.
template <typename Op>
FailureOr<SliceCoordinates> slicesOf(Emitter &e, Op op, typename Op::Adaptor adaptor, const LinearLayout &layout) {
  if constexpr (isGather<Op>) {
    int axis = op.getAxis();
    SliceCoordinates slices(e, axis, adaptor.getIndices()[axis],
                            cast<RankedTensorType>(op.getIndices()[axis].getType()), layout);
    if (slices.ofRegister.empty())
      return op.emitOpError("expects the coordinates in the layout of the tile's axis");
    return slices;
  } else {
    return SliceCoordinates();
  }
}

/// How the access compares; see kComparisonsAttr.
ArrayRef<int32_t> comparisonsOf(Operation *op) {
  auto comparisons = op->getAttrOfType<DenseI32ArrayAttr>(kComparisonsAttr);
  return comparisons ? comparisons.asArrayRef() : ArrayRef<int32_t>();
}

/// Whether all elements of a group that the edge may cut are inside; null where it cannot cut.
Value nibblePairs(TileAccess &access, unsigned r) {
  return access.uniform || !access.predicate(r) ? Value() : access.predicate(r, access.groups.width - 1);
}

/// A group of 4-bit elements: bytes where they come in pairs and the edge does not cut them, else one by one.
void loadNibbles(Emitter &e, TileAccess &access, ArrayRef<unsigned> group, Value owns, ArrayRef<Value> other,
                 AccessOrder order, MutableArrayRef<Value> values) {
  unsigned r = group.front(), width = access.groups.width;
  Value first = access.predicate(r), whole = nibblePairs(access, r);
  if (width > 1) {
    SmallVector<Value> loaded =
        loadNibblePairs(e, access.nibble(r).byte, width, e.both(whole ? whole : first, owns), other, order);
    for (auto [member, value] : llvm::zip_equal(group, loaded))
      values[member] = value;
    if (!whole)
      return;
  }
  for (auto [j, member] : llvm::enumerate(group)) {
    Value single = e.both(access.predicate(r, j), owns);
    if (whole && width > 1)
      single = e.both(e.xori(whole, e.i1(true)), single);
    values[member] = loadNibble(e, access.nibble(member), single, values[member] ? values[member] : other[j], order);
  }
}

/// The registers of a tile; what is outside is `padding`.
SmallVector<Value> loadGroups(Emitter &e, TileAccess &access, unsigned bits, Type element, size_t registers, Value owns,
                              Value padding, AccessOrder order) {
  unsigned width = access.groups.width;
  SmallVector<Value> values(registers), other(width, padding);
  for (ArrayRef<unsigned> group : access.groups.groups) {
    unsigned r = group.front();
    if (bits < 8) {
      loadNibbles(e, access, group, owns, other, order, values);
      continue;
    }
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
  return values;
}

template <typename Op> struct ViewLoad : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getResult().getType());
    Type result = this->types().convertType(tile), element = this->types().convertElementType(tile.getElementType());
    unsigned bits = accessBits(tile.getElementType(), element);
    if (!result || !bits)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    nv_tileaa::TiledViewType view = op.getView().getType();
    Emitter e(rewriter, op.getLoc());
    Value padding = e.zero(element);
    if (view.getPadding()) {
      padding = paddingConstant(e, *view.getPadding(), tile.getElementType(), element);
      if (!padding)
        return op.emitOpError(
            "special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types");
    }
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    if (op->hasAttr(kBarrierBeforeAttr))
      e.barrier();
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    FailureOr<SliceCoordinates> slices = slicesOf(e, op, adaptor, layout);
    if (failed(slices))
      return failure();
    TileAccess access(e, view, adaptor.getView(), op.getView(), adaptor.getIndices(), op.getInBounds(), layout, bits,
                      order.isWeak() ? op.getVec().value_or(1) : 1, *slices, comparisonsOf(op));
    access.near = nearOf(op);
    if constexpr (requires { adaptor.getValid(); })
      access.valid = adaptor.getValid();
    bool exchange = exchangeBytes(op) != 0;
    Value owns = exchange ? ownerPredicate(e, layout) : Value();
    ArrayRef<Type> fields = cast<LLVM::LLVMStructType>(result).getBody();
    auto load = [&](Emitter &in, TileAccess &access) {
      return loadGroups(in, access, bits, element, fields.size(), owns, padding, order);
    };
    SmallVector<Value> values = bits < 8 ? load(e, access) : whereCut(e, access, fields, load);
    if (view.getRounded()) {
      const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
      for (Value &value : values)
        value = roundToTF32(e, value, target && target->tf32RnCvt);
    }
    if (exchange)
      values = broadcastFromOwners(e, op, layout, values, owns);
    else if (order.semantic == MemSemantic::Acquire)
      e.barrier();
    rewriter.replaceOp(op, {e.pack(result, values), e.i32(0)});
    return success();
  }
};

/// A tile that lies inside as a whole stays as it is, and one question, the same for all threads, says whether it does.
struct Pad : TilePattern<nv_tileas::PadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::PadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getTile().getType());
    Type result = types().convertType(tile), element = types().convertElementType(tile.getElementType());
    nv_tileaa::TiledViewType view = op.getView().getType();
    Emitter e(rewriter, op.getLoc());
    Value padding = element ? paddingConstant(e, *view.getPadding(), tile.getElementType(), element) : Value();
    if (!result || !padding)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    SmallVector<Value> values = e.unpack(adaptor.getTile());
    TileAccess access(e, view, adaptor.getView(), op.getView(), adaptor.getIndices(), op.getInBounds(),
                      nv_tileas::getLinearLayout(tile), std::max(8u, accessBits(tile.getElementType(), element)), 1);
    if (Value inside = access.isInside())
      values = e.mostly(
          inside, ValueRange(values).getTypes(), [&](Emitter &) { return values; },
          [&](Emitter &in) {
            SmallVector<Value> padded(values);
            for (auto [r, value] : llvm::enumerate(padded))
              if (Value predicate = access.predicate(r))
                value = in.select(predicate, value, padding);
            return padded;
          });
    rewriter.replaceOp(op, e.pack(result, values));
    return success();
  }
};

/// What is inside of `fields`, the registers of a tile; those with a bit of `copies` are stored by others.
void storeGroups(Emitter &e, TileAccess &access, ArrayRef<Value> fields, int32_t copies, Value owns,
                 AccessOrder order) {
  SmallVector<TileAccess::Piece> pieces = access.pieces(copies);
  auto store = [&](Emitter &in, const TileAccess::Piece &piece, Value predicate) {
    SmallVector<Value> values;
    for (unsigned r : piece.registers)
      values.push_back(fields[r]);
    storeGlobal(in, piece.address, values, predicate, order);
  };
  if (llvm::all_of(pieces, [](const TileAccess::Piece &piece) { return !piece.predicate; })) {
    e.onlyIf(owns, [&](Emitter &inner) {
      for (const TileAccess::Piece &piece : pieces)
        store(inner, piece, Value());
    });
  } else {
    for (const TileAccess::Piece &piece : pieces)
      store(e, piece, e.both(piece.predicate, owns));
  }
}

/// The same of elements of 4 bits.
void storeHalves(Emitter &e, TileAccess &access, ArrayRef<Value> fields, int32_t copies, Value owns,
                 AccessOrder order) {
  unsigned width = access.groups.width;
  SmallVector<NibbleStore> halves;
  for (ArrayRef<unsigned> group : access.groups.groups) {
    unsigned r = group.front();
    if (VectorGroups::commonBits(group) & copies)
      continue;
    SmallVector<Value> values;
    for (unsigned member : group)
      values.push_back(fields[member]);
    Value first = access.predicate(r), whole = nibblePairs(access, r);
    if (width > 1)
      storeNibblePairs(e, access.nibble(r).byte, values, e.both(whole ? whole : first, owns), order);
    if (width > 1 && !whole)
      continue;
    for (auto [j, member] : llvm::enumerate(group)) {
      Value single = e.both(access.predicate(r, j), owns);
      halves.push_back({access.nibble(member), values[j], whole ? e.both(e.xori(whole, e.i1(true)), single) : single});
    }
  }
  storeNibbles(e, halves, order);
}

template <typename Op> struct ViewStore : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    Type element = this->types().convertElementType(tile.getElementType());
    unsigned bits = accessBits(tile.getElementType(), element);
    if (!bits)
      return op.emitOpError("of elements of ") << tile.getElementType() << " is not supported";
    Emitter e(rewriter, op.getLoc());
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    if (op->hasAttr(kBarrierBeforeAttr) || order.semantic == MemSemantic::Release)
      e.barrier();
    LinearLayout layout = nv_tileas::getLinearLayout(tile);
    FailureOr<SliceCoordinates> slices = slicesOf(e, op, adaptor, layout);
    if (failed(slices))
      return failure();
    TileAccess access(e, op.getView().getType(), adaptor.getView(), op.getView(), adaptor.getIndices(),
                      op.getInBounds(), layout, bits, order.isWeak() ? op.getVec().value_or(1) : 1, *slices,
                      comparisonsOf(op));
    access.near = nearOf(op);
    Value owns = ownerPredicate(e, layout);
    SmallVector<Value> fields = e.unpack(adaptor.getValue());
    int32_t copies = tileiras::ownerMask(layout).registers;
    if (bits < 8)
      storeHalves(e, access, fields, copies, owns, order);
    else
      whereCut(e, access, {}, [&](Emitter &in, TileAccess &access) {
        storeGroups(in, access, fields, copies, owns, order);
        return SmallVector<Value>();
      });
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
  patterns.add<ViewLoad<nv_tileas::TiledLoadOp>, ViewLoad<nv_tileas::GatherLoadOp>, ViewStore<nv_tileas::TiledStoreOp>,
               ViewStore<nv_tileas::ScatterStoreOp>, Pad, MakeMemRef, BlockTile, GetDimSize>(
      converter, patterns.getContext(), options);
}
