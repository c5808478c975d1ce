//===- TileAAMemoryFolds.cpp - Masks that are known, atomics that change nothing ---===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

/// The number that all elements are, if that is known.
std::optional<APInt> allElements(Value value) {
  if (!value)
    return std::nullopt;
  if (auto splat = value.getDefiningOp<SplatOp>())
    return allElements(splat.getSource());
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(constant))
    return integer.getValue();
  auto dense = dyn_cast<DenseIntElementsAttr>(constant);
  if (dense && dense.isSplat())
    return dense.getSplatValue<APInt>();
  return std::nullopt;
}

/// Zeros; null for types without constants here (pointers, tensors that have a layout).
Value zeros(PatternRewriter &rewriter, Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!nv_tileaa::getElementTypeOrSelf(type).isIntOrFloat() || (tensor && tensor.getEncoding()))
    return {};
  return arith::ConstantOp::create(rewriter, loc, cast<TypedAttr>(rewriter.getZeroAttr(type)));
}

/// The token of an operation that does nothing.
template <typename Op> Value passToken(PatternRewriter &rewriter, Op op) {
  if (op.getToken())
    return op.getToken();
  return CreateMemTokenOp::create(rewriter, op.getLoc(), op.getResultToken().getType());
}

/// What a masked-off element of the result is. Null: cannot be written down.
Value valueWhereOff(PatternRewriter &rewriter, LoadOp op) {
  return op.getOther() ? op.getOther() : zeros(rewriter, op.getLoc(), op.getResult().getType());
}
Value valueWhereOff(PatternRewriter &rewriter, AtomicRMWOp op) {
  return zeros(rewriter, op.getLoc(), op.getResult().getType());
}
Value valueWhereOff(PatternRewriter &, AtomicCASOp op) { return op.getCmp(); }

template <typename Op> struct KnownMask : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    std::optional<APInt> mask = allElements(op.getMask());
    if (!mask)
      return failure();
    if (!mask->isZero()) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        if constexpr (std::is_same_v<Op, LoadOp>)
          op.getOtherMutable().clear();
      });
      return success();
    }
    if constexpr (std::is_same_v<Op, StoreOp>) {
      rewriter.replaceOp(op, passToken(rewriter, op));
    } else {
      Value off = valueWhereOff(rewriter, op);
      if (!off)
        return failure();
      rewriter.replaceOp(op, {off, passToken(rewriter, op)});
    }
    return success();
  }
};

/// Whether x op value is x for every x.
bool changesNothing(RMWMode mode, const APInt &value) {
  switch (mode) {
  case RMWMode::Add:
  case RMWMode::Or:
  case RMWMode::Xor:
  case RMWMode::UMax:
    return value.isZero();
  case RMWMode::And:
  case RMWMode::UMin:
    return value.isAllOnes();
  case RMWMode::Max:
    return value.isMinSignedValue();
  case RMWMode::Min:
    return value.isMaxSignedValue();
  default: // addf: x + -0 makes a signalling NaN quiet
    return false;
  }
}

/// A strong load sees what the read-modify-write would have seen. Not for those that release: a load cannot.
template <typename Op> LogicalResult becomeLoad(PatternRewriter &rewriter, Op op, Value other) {
  if (op.getMemSemantic() != MemSemantic::Relaxed && op.getMemSemantic() != MemSemantic::Acquire)
    return failure();
  // Only as long as tiles have no layouts, which atomics keep but loads become nv_tileas.load for; a scalar does not
  // say.
  auto tile = dyn_cast<RankedTensorType>(op.getPtrs().getType());
  if (!tile || tile.getEncoding())
    return failure();
  rewriter.replaceOpWithNewOp<LoadOp>(op, op.getResult().getType(), op.getResultToken().getType(), op.getPtrs(),
                                      op.getMask(), op.getMask() ? other : Value(), op.getToken(),
                                      op.getMemSemanticAttr(), op.getMemScopeAttr(), IntegerAttr(), CacheModifierAttr(),
                                      EvictionPolicyAttr());
  return success();
}

struct IdentityRMW : OpRewritePattern<AtomicRMWOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtomicRMWOp op, PatternRewriter &rewriter) const override {
    std::optional<APInt> value = allElements(op.getValue());
    if (!value || !changesNothing(op.getRmwMode(), *value))
      return failure();
    return becomeLoad(rewriter, op, Value());
  }
};

struct IdentityCAS : OpRewritePattern<AtomicCASOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtomicCASOp op, PatternRewriter &rewriter) const override {
    if (op.getCmp() != op.getValue())
      return failure();
    return becomeLoad(rewriter, op, op.getCmp());
  }
};

/// p + a + b for constants; offsets are extended to 64 bits, so their sum must not wrap.
struct AddPtrChain : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getPtr().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getOffset().getType() != op.getOffset().getType())
      return failure();
    std::optional<APInt> a = allElements(inner.getOffset()), b = allElements(op.getOffset());
    auto tensor = dyn_cast<RankedTensorType>(op.getOffset().getType());
    if (!a || !b || (tensor && tensor.getEncoding()))
      return failure();
    bool overflow = false;
    APInt sum = a->sadd_ov(*b, overflow);
    if (overflow)
      return failure();
    Type element = nv_tileaa::getElementTypeOrSelf(op.getOffset().getType());
    TypedAttr value = IntegerAttr::get(element, sum);
    if (tensor)
      value = DenseElementsAttr::get(tensor, sum);
    Value offset = arith::ConstantOp::create(rewriter, op.getLoc(), value);
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getPtr(), offset);
    return success();
  }
};

/// Each token once, none that waits for nothing.
struct NeedlessTokens : OpRewritePattern<JoinMemTokenOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(JoinMemTokenOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> tokens;
    for (Value token : op.getTokens())
      if (!token.getDefiningOp<CreateMemTokenOp>() && !llvm::is_contained(tokens, token))
        tokens.push_back(token);
    if (tokens.empty())
      rewriter.replaceOpWithNewOp<CreateMemTokenOp>(op, op.getType());
    else if (tokens.size() != op.getTokens().size())
      rewriter.modifyOpInPlace(op, [&] { op.getTokensMutable().assign(tokens); });
    else
      return failure();
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<KnownMask<LoadOp>>(context);
}
void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<KnownMask<StoreOp>>(context);
}
void AtomicRMWOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<KnownMask<AtomicRMWOp>, IdentityRMW>(context);
}
void AtomicCASOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<KnownMask<AtomicCASOp>, IdentityCAS>(context);
}
void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddPtrChain>(context);
}
void JoinMemTokenOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<NeedlessTokens>(context);
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  std::optional<APInt> offset = allElements(getOffset());
  return offset && offset->isZero() ? getPtr() : Value();
}
