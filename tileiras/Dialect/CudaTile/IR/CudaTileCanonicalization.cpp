//===- CudaTileCanonicalization.cpp - Folds and canonicalisation patterns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"

using namespace mlir;
using namespace mlir::cuda_tile;

std::optional<bool> cuda_tile::getConstantBool(Value value) {
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || !attr.isSplat())
    return std::nullopt;
  return !attr.getSplatValue<APInt>().isZero();
}

//===----------------------------------------------------------------------===//
// addf, assume
//===----------------------------------------------------------------------===//

void AddFOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  // A product goes to the left, where fusion to fma looks for it.
  patterns.add(+[](AddFOp op, PatternRewriter &rewriter) -> LogicalResult {
    if (op.getLhs().getDefiningOp<MulFOp>() || !op.getRhs().getDefiningOp<MulFOp>())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      Value lhs = op.getLhs();
      op.getLhsMutable().assign(op.getRhs());
      op.getRhsMutable().assign(lhs);
    });
    return success();
  });
}

void AssumeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  // The same fact stated twice, possibly with others in between.
  patterns.add(+[](AssumeOp op, PatternRewriter &rewriter) -> LogicalResult {
    for (auto inner = op.getValue().getDefiningOp<AssumeOp>(); inner;
         inner = inner.getValue().getDefiningOp<AssumeOp>())
      if (inner.getPredicate() == op.getPredicate()) {
        rewriter.replaceOp(op, op.getValue());
        return success();
      }
    return failure();
  });
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

OpFoldResult SelectOp::fold(FoldAdaptor) {
  Value yes = getValIfTrue(), no = getValIfFalse();
  if (yes == no)
    return yes;
  if (std::optional<bool> condition = getConstantBool(getCond()))
    return *condition ? yes : no;
  if (isI1(getType().getElementType()) && getConstantBool(yes) == true && getConstantBool(no) == false)
    return getCond();
  // a == b ? a : b is b, a != b ? a : b is a: both arms agree where the choice would differ.
  if (auto cmp = getCond().getDefiningOp<CmpIOp>()) {
    bool same = (cmp.getLhs() == yes && cmp.getRhs() == no) || (cmp.getLhs() == no && cmp.getRhs() == yes);
    if (same && cmp.getComparisonPredicate() == ComparisonPredicate::Equal)
      return no;
    if (same && cmp.getComparisonPredicate() == ComparisonPredicate::NotEqual)
      return yes;
  }
  // The inner choice is already decided by the outer one.
  if (auto inner = yes.getDefiningOp<SelectOp>(); inner && inner.getCond() == getCond()) {
    getValIfTrueMutable().assign(inner.getValIfTrue());
    return getResult();
  }
  if (auto inner = no.getDefiningOp<SelectOp>(); inner && inner.getCond() == getCond()) {
    getValIfFalseMutable().assign(inner.getValIfFalse());
    return getResult();
  }
  return {};
}

Value cuda_tile::getNegated(Value value) {
  auto op = value.getDefiningOp<XOrIOp>();
  if (!op || !isTileOf(op.getType(), isI1))
    return {};
  if (getConstantBool(op.getRhs()) == true)
    return op.getLhs();
  return getConstantBool(op.getLhs()) == true ? Value(op.getRhs()) : Value();
}

static LogicalResult simplifySelect(SelectOp op, PatternRewriter &rewriter) {
  if (Value condition = getNegated(op.getCond())) {
    rewriter.modifyOpInPlace(op, [&] {
      Value yes = op.getValIfTrue();
      op.getCondMutable().assign(condition);
      op.getValIfTrueMutable().assign(op.getValIfFalse());
      op.getValIfFalseMutable().assign(yes);
    });
    return success();
  }
  Type element = op.getType().getElementType();
  if (!isInt(element))
    return failure();
  if (isI1(element)) {
    if (getConstantBool(op.getValIfTrue()) != false || getConstantBool(op.getValIfFalse()) != true)
      return failure();
    rewriter.replaceOpWithNewOp<XOrIOp>(op, op.getCond(), op.getValIfFalse());
    return success();
  }
  auto isSplat = [](Value value, uint64_t wanted) {
    DenseIntElementsAttr attr;
    return matchPattern(value, m_Constant(&attr)) && attr.isSplat() && attr.getSplatValue<APInt>() == wanted;
  };
  if (isSplat(op.getValIfTrue(), 1) && isSplat(op.getValIfFalse(), 0)) {
    rewriter.replaceOpWithNewOp<ExtIOp>(op, op.getType(), op.getCond(), Signedness::Unsigned);
    return success();
  }
  if (isSplat(op.getValIfTrue(), 0) && isSplat(op.getValIfFalse(), 1)) {
    auto type = cast<TileType>(op.getCond().getType());
    auto ones = DenseIntElementsAttr::get(type, APInt(1, 1));
    Value all = ConstantOp::create(rewriter, op.getLoc(), cast<DenseIntOrFPElementsAttr>(ones));
    Value negated = XOrIOp::create(rewriter, op.getLoc(), op.getCond(), all);
    rewriter.replaceOpWithNewOp<ExtIOp>(op, op.getType(), negated, Signedness::Unsigned);
    return success();
  }
  return failure();
}

/// All three operands constant, the condition not a splat.
static LogicalResult foldConstantSelect(SelectOp op, PatternRewriter &rewriter) {
  DenseElementsAttr condition, yes, no;
  if (!matchPattern(op.getCond(), m_Constant(&condition)) || !matchPattern(op.getValIfTrue(), m_Constant(&yes)) ||
      !matchPattern(op.getValIfFalse(), m_Constant(&no)))
    return failure();
  SmallVector<Attribute> values;
  values.reserve(condition.getNumElements());
  for (auto [c, y, n] :
       llvm::zip_equal(condition.getValues<bool>(), yes.getValues<Attribute>(), no.getValues<Attribute>()))
    values.push_back(c ? y : n);
  rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(),
                                          cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(op.getType(), values)));
  return success();
}

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(simplifySelect);
  patterns.add(foldConstantSelect);
}
