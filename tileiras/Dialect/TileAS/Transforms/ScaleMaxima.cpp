//===- ScaleMaxima.cpp - tileas-scale-maxima ------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Softmax scales its logits, takes the maximum of a row, and lowers them by it. Where scaling and lowering are one
// multiply-add, the scaled logits are computed for the maximum alone:
//
//     %y = mulf %x, splat(s)                              %m = reduce<max> %x
//     %n = reduce<max> %y                       ->        %n = mulf %m, splat(s)
//     %z = fma %x, splat(s), -%n                          %z = fma %x, splat(s), -%n
//
// No bit changes for s from the least normal number up to the largest one: x <= y says that s x <= s y, and whatever
// rounding mode, overflow and flushing make of both keeps that; infinities stay what they are, as masks need it (with 0
// they would be NaN); and NaN comes of NaN only. What a row of nothing gives, and what stands beside NaN where that
// loses, is the reduction's identity: it has to be what the factor does not change, minus infinity or NaN.
//
// A scale that is an argument of the kernel is compared once, before the loop. The loop has both forms then, on two
// sides of a branch that all threads take alike, and the one with the products never runs in practice. That is done in
// loops that add up in tensor memory: wgmma adds up in registers, around which the assembler wants no branch.
//
// This runs when layouts, products and barriers are final, so nobody before it has to look into the branch.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_SCALEMAXIMAPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;
namespace remarks = tileiras::remarks;

namespace {

/// Fewer elements of a thread are multiplied as fast as a branch is taken.
constexpr int64_t kLeastElements = 32;

/// A reduction of products of a tile with one number.
struct ScaledMaximum {
  ReduceOp reduce;
  arith::MulFOp product;
  Value tile;
  std::optional<APFloat> known; ///< the number
  Value scale;                  ///< where it is not known
};

/// Maxima whose identity the factor does not change.
bool isMaximum(ReduceOp op) {
  Block &body = op.getBody().front();
  if (op.getSources().size() != 1 || !llvm::hasNItems(body, 2))
    return false;
  Operation &only = body.front();
  auto identity = dyn_cast<FloatAttr>(op.getIdentities()[0]);
  if (!identity || !isa<arith::MaxNumFOp, arith::MaximumFOp>(only) || body.back().getOperand(0) != only.getResult(0) ||
      only.getOperand(0) == only.getOperand(1) ||
      !llvm::all_of(only.getOperands(), [&](Value v) { return v.getParentBlock() == &body; }))
    return false;
  APFloat value = identity.getValue();
  return value.isNaN() || (value.isInfinity() && value.isNegative());
}

/// A number that products keep the order of their factors by.
bool keepsOrder(const APFloat &scale) { return scale.isNormal() && !scale.isNegative(); }

std::optional<ScaledMaximum> find(ReduceOp reduce) {
  if (!isMaximum(reduce))
    return std::nullopt;
  ScaledMaximum found{reduce, reduce.getSources()[0].getDefiningOp<arith::MulFOp>(), {}, {}, {}};
  // Whoever else wants the products has them computed anyway.
  if (!found.product || !llvm::all_of(found.product->getUsers(), [](Operation *user) {
        auto other = dyn_cast<ReduceOp>(user);
        return other && isMaximum(other);
      }))
    return std::nullopt;
  for (auto [factor, tile] : {std::pair(found.product.getRhs(), found.product.getLhs()),
                              std::pair(found.product.getLhs(), found.product.getRhs())}) {
    found.tile = tile;
    DenseFPElementsAttr constant;
    FloatAttr number;
    if (matchPattern(factor, m_Constant(&constant)) && constant.isSplat()) {
      found.known = constant.getSplatValue<APFloat>();
      return found;
    }
    auto splat = factor.getDefiningOp<nv_tileaa::SplatOp>();
    if (!splat)
      continue;
    found.scale = splat->getOperand(0);
    if (matchPattern(found.scale, m_Constant(&number)))
      found.known = number.getValue();
    return found;
  }
  return std::nullopt;
}

struct ScaleMaximaPass : nv_tileas::impl::ScaleMaximaPassBase<ScaleMaximaPass> {
  void runOnOperation() override {
    SmallVector<ReduceOp> reductions;
    getOperation().walk([&](ReduceOp reduce) { reductions.push_back(reduce); });
    for (ReduceOp reduce : reductions) {
      std::optional<ScaledMaximum> found = find(reduce);
      if (!found)
        continue;
      StringRef why = whyNot(*found);
      auto remark = why.empty() ? remarks::passed(reduce, remarks::kSchedule, "Maxima")
                                : remarks::missed(reduce, remarks::kSchedule, "Maxima");
      if (remark)
        remark << remarks::because(!why.empty() ? why
                                   : found->known
                                       ? "the maximum is scaled, not the elements"
                                       : "the maximum is scaled, not the elements, where the scale is positive");
      if (!why.empty())
        continue;
      arith::MulFOp product = found->product;
      rewrite(*found);
      if (product->use_empty())
        product->erase();
      ++numMaxima;
    }
  }

private:
  static StringRef whyNot(ScaledMaximum &m) {
    if (m.known)
      return keepsOrder(*m.known) ? StringRef() : "the scale is not a positive number";
    auto loop = m.reduce->getParentOfType<CountedLoop>();
    bool addsUpInTensorMemory = loop && loop->walk([](DotOp dot) {
                                              return isIn(dot.getC().getType(), MemoryKind::Tensor)
                                                         ? WalkResult::interrupt()
                                                         : WalkResult::advance();
                                            })
                                            .wasInterrupted();
    if (!addsUpInTensorMemory)
      return "the scale is not known, and no product adds up in tensor memory";
    if (!loop.isDefinedOutsideOfLoop(m.scale))
      return "the scale is another one in each round";
    if (!m.reduce.getScratch().empty())
      return "threads meet for the maximum, and not in a branch";
    if (getLinearLayout(cast<RankedTensorType>(m.tile.getType())).inSize(tileiras::kRegister) < kLeastElements)
      return "a thread has few elements";
    return {};
  }

  /// The maximum of the tile, scaled.
  static Value scaled(OpBuilder &builder, ScaledMaximum &m) {
    IRMapping map;
    map.map(m.reduce.getSources()[0], m.tile);
    Value maximum = builder.clone(*m.reduce, map)->getResult(0), scale = m.scale;
    Location loc = m.product.getLoc();
    auto type = dyn_cast<RankedTensorType>(maximum.getType());
    if (!scale)
      scale =
          arith::ConstantOp::create(builder, loc, FloatAttr::get(getElementTypeOrSelf(maximum.getType()), *m.known));
    if (type)
      scale = nv_tileaa::SplatOp::create(builder, loc, type, scale);
    Value product = arith::MulFOp::create(builder, loc, maximum, scale);
    product.getDefiningOp()->setAttrs(m.product->getAttrs());
    return product;
  }

  static void rewrite(ScaledMaximum &m) {
    OpBuilder builder(m.reduce);
    Location loc = m.reduce.getLoc();
    if (m.known) {
      m.reduce->getResult(0).replaceAllUsesWith(scaled(builder, m));
      m.reduce->erase();
      return;
    }
    // Before the loops: the number is the same in all rounds.
    Operation *outermost = m.reduce;
    for (auto loop = m.reduce->getParentOfType<CountedLoop>(); loop && loop.isDefinedOutsideOfLoop(m.scale);
         loop = loop->getParentOfType<CountedLoop>())
      outermost = loop;
    builder.setInsertionPoint(outermost);
    auto type = cast<FloatType>(m.scale.getType());
    auto bound = [&](bool least) -> Value {
      const llvm::fltSemantics &semantics = type.getFloatSemantics();
      APFloat value = least ? APFloat::getSmallestNormalized(semantics) : APFloat::getLargest(semantics);
      return arith::ConstantOp::create(builder, loc, FloatAttr::get(type, value));
    };
    Value positive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, m.scale, bound(true));
    Value finite = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, m.scale, bound(false));
    Value keepsOrder = arith::AndIOp::create(builder, loc, positive, finite);
    builder.setInsertionPoint(m.reduce);
    Value result = m.reduce->getResult(0);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(result.getType()), keepsOrder, /*withElseRegion=*/true);
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      block->clear();
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, scaled(builder, m));
    builder.setInsertionPointToEnd(branch.elseBlock());
    IRMapping map;
    builder.clone(*m.product, map);
    scf::YieldOp::create(builder, loc, builder.clone(*m.reduce, map)->getResult(0));
    result.replaceAllUsesWith(branch.getResult(0));
    m.reduce->erase();
  }
};

} // namespace
