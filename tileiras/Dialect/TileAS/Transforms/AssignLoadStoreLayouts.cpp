//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-assign-load-store-layouts (D14).
//
// A memory operation is fast when neighbouring lanes touch neighbouring
// addresses and each lane moves several elements at once. So the layout of a
// load or store follows its addresses: the dimension that is contiguous in memory runs
// fastest over registers (as many as one access may move), then over lanes.
// How many elements that is, is a matter of proof: contiguity and alignment
// come from the axis analysis (pointers) or from the view's strides, extents and
// base (views). Accesses whose tiles are computed from each other are given layouts together (AliasGroups.h).
// Names of the same stages of a pipeline (PipelineAliasGroups.h) have to be in one memory, or no access suits all of
// them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/AccessWidths.h"
#include "tileiras/Dialect/TileAS/Transforms/AliasGroups.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/PipelineAliasGroups.h"
#include "tileiras/Dialect/TileAS/Transforms/TurnedLoads.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNLOADSTORELAYOUTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::AxisInfo;
using nv_tileaa::MemoryAccessOpInterface;

namespace {

struct AssignLoadStoreLayoutsPass : nv_tileas::impl::AssignLoadStoreLayoutsPassBase<AssignLoadStoreLayoutsPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    FailureOr<SmallVector<PipelineAliasGroup>> stages = findPipelineAliasGroups(getOperation());
    if (failed(stages))
      return signalPassFailure();
    llvm::for_each(*stages, reportStages);
    nv_tileaa::AxisInfoAnalysisResult axis(getOperation());
    SmallVector<std::pair<MemoryAccessOpInterface, AccessWidth>> work;
    getOperation().walk([&](MemoryAccessOpInterface op) {
      if (getMemoryTile(op))
        work.emplace_back(op, analyzeAccess(op, axis));
    });
    keepTogether(work);
    // Beside products registers are scarce: comparisons that live longer would take some. Of selections each has as
    // many elements as the tile, and is one instruction only if its mask needs no other.
    bool multiplies = getOperation().walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
    getOperation().walk([&](arith::CmpIOp op) {
      if (!multiplies || selectsOnly(op))
        markEqualBlocks(op, axis);
    });
    SmallVector<GroupedAccess> accesses;
    for (auto &[op, access] : work) {
      auto tile = cast<RankedTensorType>(getMemoryTile(op).getType());
      // Sums on their way to a store go through shared memory in halves of rows then (ConversionHalves.h), not in every
      // other number, and what a store takes at once is in registers that were read at once.
      bool warpsApart = multiplies && !op.readsMemory();
      Attribute layout =
          getCoalescedLayout(op->getContext(), tile.getShape(), access.order, access.vec, getNumWarps(op), warpsApart);
      accesses.push_back({op, access, layout, cast<BlockedAttr>(layout).getSizePerThread()[access.order.front()]});
    }
    numGroups += AliasGroups(getOperation(), accesses).assign();
    for (GroupedAccess &access : accesses)
      if (auto load = dyn_cast<TiledLoadOp>(access.op.getOperation()))
        if (auto turned = getTurnedLayout(load, access.width.order, access.width.vec)) {
          access.layout = getLayoutAttr(&getContext(), *turned);
          access.vec = 4;
        }
    for (GroupedAccess &access : accesses)
      rewrite(access);
  }

  /// What meets rows of the same length that must be narrower, as weights meet unaligned rows, is not made wider than
  /// they are at the price of an edge: the tiles would need a conversion where they meet.
  static void keepTogether(MutableArrayRef<std::pair<MemoryAccessOpInterface, AccessWidth>> work) {
    auto length = [](MemoryAccessOpInterface op, const AccessWidth &access) {
      return cast<RankedTensorType>(getMemoryTile(op).getType()).getDimSize(access.order.front());
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[op, access] : work)
        for (auto &[other, narrow] : work)
          if (access.vec > access.uncut && narrow.vec < access.vec && isPlain(other) && !access.order.empty() &&
              !narrow.order.empty() && length(op, access) == length(other, narrow)) {
            access.atMost(std::max(narrow.vec, access.uncut),
                          "the edge may cut it, and rows of the same length have narrower accesses");
            changed = true;
          }
    }
  }

  /// Whether what is made of a mask are selections, and nothing that moves memory.
  static bool selectsOnly(arith::CmpIOp compare) {
    llvm::SetVector<Operation *> masks;
    masks.insert(compare);
    for (unsigned i = 0; i < masks.size(); ++i)
      for (Operation *user : masks[i]->getUsers()) {
        if (isa<arith::AndIOp, arith::OrIOp, ConvertLayoutOp, nv_tileaa::BroadcastOp>(user) || isReshape(user))
          masks.insert(user);
        else if (!isa<arith::SelectOp>(user))
          return false;
      }
    return true;
  }

  /// Says in which blocks a comparison has one result, where that does not follow from its operands alone.
  static void markEqualBlocks(arith::CmpIOp op, nv_tileaa::AxisInfoAnalysisResult &axis) {
    const AxisInfo *result = axis.get(op.getResult()), *lhs = axis.get(op.getLhs()), *rhs = axis.get(op.getRhs());
    if (!isa<RankedTensorType>(op.getType()) || !result || !lhs || !rhs)
      return;
    bool more = false;
    for (auto [whole, left, right] : llvm::zip_equal(result->constancy, lhs->constancy, rhs->constancy))
      more |= whole > std::min(left, right);
    if (more)
      op->setAttr(kEqualBlocksAttr, DenseI64ArrayAttr::get(op.getContext(), result->constancy));
  }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  void rewrite(GroupedAccess &access) {
    MemoryAccessOpInterface op = access.op;
    Attribute chosen = access.layout;
    auto tensorType = [](Value v) { return dyn_cast<RankedTensorType>(v.getType()); };
    auto tile = cast<RankedTensorType>(getMemoryTile(op).getType());
    OpBuilder builder(op);
    auto linear = cast<LayoutAttrInterface>(chosen).toLinearLayout(tile.getShape());
    auto layoutOf = [&](Value v) -> Attribute {
      auto layout = getMemoryOperandLayout(op, v, linear);
      return layout == linear ? chosen : getLayoutAttr(op->getContext(), layout);
    };
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = tensorType(operand.get());
      Attribute layout = type ? layoutOf(operand.get()) : Attribute();
      if (type && type.getEncoding() != layout)
        operand.set(ConvertLayoutOp::create(builder, op->getLoc(), withLayout(type, layout), operand.get()));
    }
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      auto type = tensorType(result);
      if (!type || type.getEncoding() == chosen)
        continue;
      result.setType(withLayout(type, chosen));
      auto back = ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(back, back);
    }
    op.setVectorWidth(access.vec);
    ++(access.vec > 1 ? numWide : numSingle);
    report(op, access.width, tile, access.vec);
  }

  static void reportStages(const PipelineAliasGroup &group) {
    namespace remarks = tileiras::remarks;
    if (remarks::enabled(group.pipeline->getContext()))
      remarks::passed(group.pipeline, remarks::kLayout, "PipelineAliasGroup")
          << remarks::figure("Names", group.names) << remarks::figure("Memory", toString(group.memory));
  }

  /// The width of the access, and why it is not larger.
  static void report(Operation *op, const AccessWidth &access, RankedTensorType tile, int64_t vec) {
    namespace remarks = tileiras::remarks;
    if (!remarks::enabled(op->getContext()))
      return;
    Type element = tile.getElementType();
    if (auto ptr = dyn_cast<nv_tileaa::PtrType>(element))
      element = ptr.getPointee();
    int64_t bytes = getStorageBytes(element), widest = widestAccess(bytes);
    auto remark = vec == widest ? remarks::passed(op, remarks::kVectorise, "AccessWidth")
                                : remarks::missed(op, remarks::kVectorise, "AccessWidth");
    remark << remarks::figure("Operation", op->getName().stripDialect()) << remarks::figure("Bytes", vec * bytes)
           << remarks::figure("Elements", vec) << remarks::figure("Widest", widest * bytes);
    if (vec < access.vec)
      remark << remarks::because("the tile has " + Twine(vec) + (vec == 1 ? " element" : " elements") +
                                 " for each thread");
    else if (vec < widest)
      remark << remarks::because(access.why);
    else
      remark << remarks::because("the widest access there is");
  }
};

} // namespace
