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
// base (views).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LinearLayout.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ASSIGNLOADSTORELAYOUTSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::AxisInfo;
using nv_tileaa::MemoryAccessOpInterface;

namespace {

struct Access {
  SmallVector<int32_t> order; ///< fastest dimension first
  int64_t vec = 1;            ///< elements one access may move along order[0]
  int64_t uncut = 1;          ///< of these, those that the edge of the array is known not to cut
  std::string why;            ///< why not more

  void atMost(int64_t elements, const Twine &reason) {
    if (elements >= vec)
      return;
    vec = elements;
    why = reason.str();
  }
};

int64_t powerOfTwoDivisor(int64_t v) { return v == 0 ? int64_t(1) << 62 : v & -v; }

struct AssignLoadStoreLayoutsPass : nv_tileas::impl::AssignLoadStoreLayoutsPassBase<AssignLoadStoreLayoutsPass> {
  void runOnOperation() override {
    if (failed(checkTiles(getOperation(), /*needLayouts=*/true)))
      return signalPassFailure();
    nv_tileaa::AxisInfoAnalysisResult axis(getOperation());
    SmallVector<std::pair<MemoryAccessOpInterface, Access>> work;
    getOperation().walk([&](MemoryAccessOpInterface op) {
      if (getMemoryTile(op))
        work.emplace_back(op, op.isThroughView() ? analyzeView(op, axis) : analyzePointers(op, axis));
    });
    keepTogether(work);
    // Beside products registers are scarce: comparisons that live longer would take some.
    if (!getOperation().walk([](DotOp) { return WalkResult::interrupt(); }).wasInterrupted())
      getOperation().walk([&](arith::CmpIOp op) { markEqualBlocks(op, axis); });
    for (auto &[op, access] : work)
      rewrite(op, access, getNumWarps(op));
  }

  /// What meets rows of the same length that must be narrower, as weights meet unaligned rows, is not made wider than
  /// they are at the price of an edge: the tiles would need a conversion where they meet.
  static void keepTogether(MutableArrayRef<std::pair<MemoryAccessOpInterface, Access>> work) {
    auto length = [](MemoryAccessOpInterface op, const Access &access) {
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
  // What the addresses allow
  //===--------------------------------------------------------------------===//

  /// Only plain accesses may be split and merged by the hardware as it likes; ordered ones and atomics stay element by
  /// element.
  static bool isPlain(MemoryAccessOpInterface op) { return op.isWeak() && !op.isAtomic(); }

  Access analyzePointers(MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis) {
    Value ptrs = op.getAddress();
    auto type = cast<RankedTensorType>(ptrs.getType());
    int64_t bytes = getStorageBytes(cast<nv_tileaa::PtrType>(type.getElementType()).getPointee());
    Access access;
    for (unsigned d : axis.getOrder(ptrs))
      access.order.push_back(d);
    access.vec = widestAccess(bytes);
    access.atMost(axis.maxVectorElements(ptrs, Value(), bytes),
                  "as far as is known, no more pointers are neighbours whose first is aligned to all of them");
    access.atMost(axis.maxVectorElements(ptrs, op.getAccessMask(), bytes), "the mask may differ between neighbours");
    if (!isPlain(op))
      access.atMost(1, "an ordered or atomic access moves one element");
    access.uncut = access.vec;
    return access;
  }

  /// Whether a pointer to elements of 4 bits is sure to mean the low half of a byte: an address, moved by whole bytes.
  static bool meansLowHalf(Value pointer, nv_tileaa::AxisInfoAnalysisResult &axis) {
    while (Operation *def = pointer.getDefiningOp()) {
      if (isa<nv_tileaa::GetGlobalOp, nv_tileaa::AllocaOp>(def))
        return true;
      if (auto cast = dyn_cast<nv_tileaa::BitcastOp>(def)) {
        auto from = dyn_cast<nv_tileaa::PtrType>(cast.getSource().getType());
        if (from && getMemoryBits(from.getPointee()) >= 8)
          return true; // a pointer of bytes has no halves
        pointer = cast.getSource();
      } else if (auto assume = dyn_cast<nv_tileaa::AssumeOp>(def)) {
        pointer = assume.getValue();
      } else if (auto add = dyn_cast<nv_tileaa::AddPtrOp>(def)) {
        const AxisInfo *offset = axis.get(add.getOffset());
        if (!offset || offset->getElementDivisibility() % 2)
          return false;
        pointer = add.getPtr();
      } else {
        return false;
      }
    }
    return isa<nv_tileaa::FuncOp>(cast<BlockArgument>(pointer).getOwner()->getParentOp());
  }

  Access analyzeView(MemoryAccessOpInterface op, nv_tileaa::AxisInfoAnalysisResult &axis) {
    Value view = op.getAddress();
    auto viewType = cast<nv_tileaa::TiledViewType>(view.getType());
    nv_tileaa::MemRefType memref = viewType.getSource();
    int64_t rank = viewType.getRank();
    int64_t bytes = getStorageBytes(memref.getElementType());

    auto block = view.getDefiningOp<nv_tileaa::BlockTileOp>();
    auto make = block ? block.getSource().getDefiningOp<nv_tileaa::MakeMemRefOp>() : nv_tileaa::MakeMemRefOp();
    auto operandOf = [](ArrayRef<int64_t> list, OperandRange dynamic, int64_t d) -> Value {
      unsigned index = 0;
      for (int64_t i = 0; i < d; ++i)
        index += ShapedType::isDynamic(list[i]);
      return dynamic[index];
    };
    auto divisor = [&](ArrayRef<int64_t> list, bool strides, int64_t d) -> int64_t {
      if (!ShapedType::isDynamic(list[d]))
        return powerOfTwoDivisor(list[d]);
      if (!make)
        return 1;
      const AxisInfo *info = axis.get(operandOf(list, strides ? make.getStrides() : make.getSizes(), d));
      return info ? info->getElementDivisibility() : 1;
    };

    // Tile dimensions by growing static stride; unknown strides count as large, and row-major order breaks ties.
    Access access;
    for (int64_t t = rank - 1; t >= 0; --t)
      access.order.push_back(t);
    auto strideOf = [&](int32_t t) {
      int64_t s = memref.getStrides()[viewType.getDimMap()[t]];
      return ShapedType::isDynamic(s) ? std::numeric_limits<int64_t>::max() : s;
    };
    std::stable_sort(access.order.begin(), access.order.end(),
                     [&](int32_t a, int32_t b) { return strideOf(a) < strideOf(b); });

    int32_t inner = access.order.front();
    // Neighbours along the axis of a gather lie anywhere.
    std::optional<unsigned> gathered = op.getCoordinateAxis();
    access.vec = widestAccess(bytes);
    if (strideOf(inner) != 1)
      access.atMost(1, "no stride of the view is known to be 1");
    if (!isPlain(op))
      access.atMost(1, "an ordered or atomic access moves one element");
    if (gathered && int32_t(*gathered) == inner)
      access.atMost(1, "neighbours along the axis of a gather lie anywhere");
    if (access.vec == 1)
      return access;
    // A run of v elements is one access if every run starts aligned. It may cross the tensor's edge: only the last tile
    // can have such runs, and tiles that do not go a way of their own (TileAccess::cutsNone). Elements of 4 bits are
    // stored as halves there, one by one, which is worth it only where it is the exception.
    const AxisInfo *base = make ? axis.get(make.getBase()) : nullptr;
    int64_t aligned = base ? std::max<int64_t>(1, base->getElementDivisibility() / bytes) : 1;
    if (getMemoryBits(memref.getElementType()) == 4)
      aligned = make && meansLowHalf(make.getBase(), axis) ? 2 * aligned : 1; // two elements to a byte
    access.atMost(aligned, "the base is not known to be better aligned");
    // The tile of a gather starts at any element.
    const AxisInfo *start = gathered ? axis.get(op.getCoordinate(inner)) : nullptr;
    int64_t startDivisor =
        start ? start->getElementDivisibility() : powerOfTwoDivisor(viewType.getTraversalStrides()[inner]);
    for (int64_t t = 0; t < rank; ++t) {
      int64_t d = viewType.getDimMap()[t];
      if (t == inner)
        access.atMost(startDivisor, "tiles are not known to begin at larger multiples");
      else
        access.atMost(divisor(memref.getStrides(), true, d),
                      "the stride of dimension " + Twine(d) + " is not known to be a larger multiple");
    }
    std::optional<ArrayRef<bool>> inBounds = op.getPromisedInBounds();
    bool inside = inBounds && (*inBounds)[inner];
    int64_t extentDivisor = inside ? access.vec : divisor(memref.getShape(), false, viewType.getDimMap()[inner]);
    if (getMemoryBits(memref.getElementType()) < 8)
      access.atMost(extentDivisor, "an access must not cross the edge, and the extent of dimension " +
                                       Twine(viewType.getDimMap()[inner]) + " is not known to be a larger multiple");
    access.atMost(viewType.getTileShape()[inner], "the tile has no more elements along the dimension");
    access.uncut = std::min(access.vec, extentDivisor);
    return access;
  }

  /// 16 bytes: ld.global.v4.b32 (PTX ISA "ld"); the 32-byte forms of sm_100 are left for later.
  static int64_t widestAccess(int64_t elementBytes) { return std::max<int64_t>(1, 16 / elementBytes); }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  void rewrite(MemoryAccessOpInterface op, const Access &access, int numWarps) {
    auto tensorType = [](Value v) { return dyn_cast<RankedTensorType>(v.getType()); };
    auto tile = cast<RankedTensorType>(getMemoryTile(op).getType());
    OpBuilder builder(op);
    Attribute chosen = getCoalescedLayout(op->getContext(), tile.getShape(), access.order, access.vec, numWarps);
    auto blocked = cast<BlockedAttr>(chosen);
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
    int64_t vec = blocked.getSizePerThread()[access.order.front()];
    op.setVectorWidth(vec);
    ++(vec > 1 ? numWide : numSingle);
    report(op, access, tile, vec);
  }

  /// The width of the access, and why it is not larger.
  static void report(Operation *op, const Access &access, RankedTensorType tile, int64_t vec) {
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
