//===- AsyncCopy.cpp - Copies past the registers --------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// async.tiled_load and async.load by cp.async (PTX ISA, "Non-bulk copy"): each thread names a run of 4, 8 or 16 bytes
// in global and in shared memory; bytes outside of the view, or where the mask is false, are not read, and zero in
// shared memory (the instruction's src-size). The copies of a thread are known to be done when it has waited for them,
// and to the others when they have met it then. What is rounded on its way goes through registers, and is there at
// once.
//
// Also what shape operations are on tiles in shared memory: other words for the same address.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/Mbarrier.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileas::MemoryKind;

namespace {

/// So many bytes where `inside`, or none. All or nothing is a predicate of the instruction, if ptxas sees one selection
/// by one predicate. LLVM would make one of every condition. Null: always all of them.
Value allOrNothing(Emitter &e, Value inside, unsigned bytes) {
  return inside ? inlinePtx(e, e.intTy(32), inside, "selp.b32 $0, " + Twine(bytes) + ", 0, $1;", "=r,b", Access::None)
                : Value();
}

/// How many of the bytes that begin with register r are inside; null: always all of them.
Value bytesInside(Emitter &e, TileAccess &access, unsigned r, unsigned bytes) {
  if (!access.uniform) {
    Value inside = access.elementsInside(r);
    return inside ? e.mul(inside, e.i32(bytes / access.groups.width)) : Value();
  }
  return allOrNothing(e, access.predicate(r), bytes);
}

void copyRun(Emitter &e, Value to, Value from, unsigned bytes, Value inside) {
  NVVM::CpAsyncOp::create(e.b, e.loc, to, from, bytes,
                          bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA, inside);
}

/// Whether the elements of every access lie next to each other in the destination, the first one aligned.
bool areRuns(const VectorGroups &groups, const FlatLayout &offsets) {
  if (offsets.threadBits() & (groups.width - 1))
    return false;
  for (ArrayRef<unsigned> group : groups.groups) {
    uint64_t first = offsets.ofRegister(group.front());
    for (auto [i, r] : llvm::enumerate(group))
      if (offsets.ofRegister(r) != first + i || first % groups.width)
        return false;
  }
  return true;
}

struct AsyncTiledLoad : TilePattern<nv_tileas::AsyncTiledLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncTiledLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto atom = dyn_cast<nv_tileas::SimtAsyncCopyAttr>(op.getAtom());
    if (!atom)
      return op.emitOpError("by ") << op.getAtom() << " is not lowered";
    auto dest = cast<RankedTensorType>(op.getDest().getType());
    Type element = types().convertElementType(dest.getElementType());
    unsigned bits = element ? memoryBits(element) : 0, bytes = atom.getBytes();
    if (!bits || nv_tileas::getMemoryBits(dest.getElementType()) != int64_t(bits))
      return op.emitOpError("of elements of ") << dest.getElementType() << " is not supported";
    LinearLayout layout = op.getCopies().toLinearLayout(dest.getShape());
    std::optional<LinearLayout> places = layout.invertAndCompose(nv_tileas::getLinearLayout(dest));
    if (!places)
      return op.emitOpError("destination does not hold every element that is copied");

    Emitter e(rewriter, op.getLoc());
    if (op->hasAttr(kBarrierBeforeAttr) || !op.getNoWarBarrier())
      e.barrier();
    unsigned width = bytes * 8 / bits;
    TileAccess access(e, op.getView().getType(), adaptor.getView(), op.getView(), adaptor.getIndices(),
                      op.getInBounds(), layout, bits, width);
    access.narrow = true;
    access.near = nearOf(op);
    access.valid = adaptor.getValid();
    TileAddresses addresses(e, places->sublayout(places->inNames(), {tileiras::kOffset}), adaptor.getDest(), bits / 8);
    if (access.groups.width != width || !areRuns(access.groups, addresses.layout().layout()))
      return op.emitOpError("cannot be copied ") << bytes << " bytes at a time";
    int32_t copies = tileiras::ownerMask(layout, /*withinCta=*/true).registers;
    struct Run {
      unsigned first; ///< register
      Value to, from;
    };
    SmallVector<Run> runs;
    for (ArrayRef<unsigned> group : access.groups.groups) {
      unsigned r = group.front();
      if (VectorGroups::commonBits(group) & copies)
        continue;
      runs.push_back({r, addresses.of(e, r), access.address(r)});
    }
    bool rounded = bool(op.getView().getType().getRounded()), agent = bool(nv_tileas::getAgentSwitch(op));
    const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    auto copy = [&](Emitter &inner, TileAccess &access) {
      if (rounded) {
        // Several are under way before the first is waited for; an agent that fills rings has few registers.
        const size_t together = agent ? 4 : 8;
        for (ArrayRef<Run> rest = runs; !rest.empty();) {
          ArrayRef<Run> some = rest.take_front(together);
          SmallVector<SmallVector<Value>> loaded;
          for (const Run &run : some)
            loaded.push_back(loadRun(inner, access, run.from, run.first, element));
          for (auto [run, values] : llvm::zip_equal(some, loaded)) {
            for (Value &value : values)
              value = roundToTF32(inner, value, target && target->tf32RnCvt);
            storeShared(inner, run.to, values);
          }
          rest = rest.drop_front(some.size());
        }
        return SmallVector<Value>();
      }
      for (const Run &run : runs)
        copyRun(inner, run.to, run.from, bytes, bytesInside(inner, access, run.first, bytes));
      return SmallVector<Value>();
    };
    e.onlyIf(ownerPredicate(e, layout), [&](Emitter &inner) {
      Value whole = access.cutsNone();
      TileAccess uncut = access.uncut();
      if (whole && runs.size() > 1)
        inner.mostly(
            whole, {}, [&](Emitter &in) { return copy(in, uncut); }, [&](Emitter &in) { return copy(in, access); });
      else
        copy(inner, access);
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }

  /// The elements of a run; zero outside.
  static SmallVector<Value> loadRun(Emitter &e, TileAccess &access, Value from, unsigned r, Type element) {
    unsigned width = access.groups.width;
    SmallVector<Value> zeros(width, e.zero(element));
    AccessOrder weak{nv_tileaa::MemSemantic::Weak, {}};
    if (access.uniform || !access.predicate(r))
      return loadGlobal(e, from, element, width, access.predicate(r), zeros, weak);
    SmallVector<Value> values;
    for (unsigned j = 0; j < width; ++j)
      values.append(loadGlobal(e, e.offsetBytes(from, j * memoryBits(element) / 8), element, 1, access.predicate(r, j),
                               zeros.front(), weak));
    return values;
  }
};

struct AsyncLoad : TilePattern<nv_tileas::AsyncLoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto atom = dyn_cast<nv_tileas::SimtAsyncCopyAttr>(op.getAtom());
    if (!atom)
      return op.emitOpError("by ") << op.getAtom() << " is not lowered";
    auto dest = cast<RankedTensorType>(op.getDest().getType());
    Type element = types().convertElementType(dest.getElementType());
    unsigned bits = element ? memoryBits(element) : 0, bytes = atom.getBytes();
    if (bits < 8 || nv_tileas::getMemoryBits(dest.getElementType()) != int64_t(bits) || bytes * 8 % bits)
      return op.emitOpError("of elements of ") << dest.getElementType() << " is not supported";
    LinearLayout layout = nv_tileas::getLinearLayout(cast<RankedTensorType>(op.getPtrs().getType()));
    std::optional<LinearLayout> places = layout.invertAndCompose(nv_tileas::getLinearLayout(dest));
    if (!places)
      return op.emitOpError("destination does not hold every element that is copied");
    Emitter e(rewriter, op.getLoc());
    if (op->hasAttr(kBarrierBeforeAttr) || !op.getNoWarBarrier())
      e.barrier();
    TileAddresses addresses(e, places->sublayout(places->inNames(), {tileiras::kOffset}), adaptor.getDest(), bits / 8);
    SmallVector<Value> pointers = e.unpack(adaptor.getPtrs()), masks;
    if (adaptor.getMask())
      masks = e.unpack(adaptor.getMask());
    VectorGroups runs;
    runs.width = bytes * 8 / bits;
    for (unsigned r = 0; r + runs.width <= pointers.size(); r += runs.width)
      runs.groups.push_back(llvm::to_vector_of<unsigned>(llvm::seq(r, r + runs.width)));
    if (pointers.size() % runs.width || !areRuns(runs, addresses.layout().layout()))
      return op.emitOpError("cannot be copied ") << bytes << " bytes at a time";
    int32_t copies = tileiras::ownerMask(layout, /*withinCta=*/true).registers;
    e.onlyIf(ownerPredicate(e, layout), [&](Emitter &inner) {
      for (ArrayRef<unsigned> group : runs.groups)
        if (unsigned r = group.front(); !(VectorGroups::commonBits(group) & copies))
          copyRun(inner, addresses.of(inner, r), pointers[r], bytes,
                  allOrNothing(inner, masks.empty() ? Value() : masks[r], bytes));
    });
    rewriter.replaceOp(op, {e.i32(0), e.i32(0)});
    return success();
  }
};

struct AsyncWait : TilePattern<nv_tileas::AsyncWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::AsyncWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getPending() && op->hasAttr(nv_tileas::kWaitsForLoadsAttr))
      return op.emitOpError("with operations still under way is not lowered yet");
    Emitter e(rewriter, op.getLoc());
    if (adaptor.getBarrier()) {
      const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
      tileiras::spinOn(e, {adaptor.getBarrier(), 0}, adaptor.getPhase(), target && target->clusters);
      e.barrier();
      rewriter.eraseOp(op);
      return success();
    }
    // Tensor stores are groups of the thread that has issued them, and done when they have written (not `.read`): their
    // completion is a fence between the proxies as well (PTX ISA, "cp.async.bulk.tensor"). Where nothing comes after
    // them but other writes to the tile, having read it is enough.
    if (op->hasAttr(nv_tileas::kWaitsForStoresAttr))
      e.onlyIf(electedThread(e), [&](Emitter &one) {
        auto read = op->hasAttr(nv_tileas::kSourceReadAttr) ? one.b.getUnitAttr() : UnitAttr();
        NVVM::CpAsyncBulkWaitGroupOp::create(one.b, one.loc, one.b.getI32IntegerAttr(op.getPending()), read);
      });
    if (op->hasAttr(nv_tileas::kWaitsForLoadsAttr)) {
      NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
      NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), 0);
    }
    // cp.async writes by the generic proxy (PTX ISA, "cp.async").
    if (op->hasAttr(nv_tileas::kAsyncProxyAttr))
      e.asyncProxyFence();
    e.barrier();
    rewriter.eraseOp(op);
    return success();
  }
};

/// A tile in shared memory under another shape: its layout says the rest.
template <typename Op> struct SharedShape : TilePattern<Op> {
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!nv_tileas::isIn(op.getSource().getType(), MemoryKind::Shared))
      return failure();
    if (!nv_tileas::isIn(op.getType(), MemoryKind::Shared))
      return op.emitOpError("expects the result where the source is, in shared memory");
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

/// One of several tiles that lie one after the other, by a number known at run time.
struct SharedSlice : TilePattern<nv_tileas::ExtractSliceOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ExtractSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    if (!nv_tileas::isIn(source, MemoryKind::Shared))
      return failure();
    std::optional<LinearLayout> offsetOf = nv_tileas::getLinearLayout(source).pseudoInvert();
    if (!nv_tileas::isIn(result, MemoryKind::Shared) || !offsetOf)
      return op.emitOpError("expects the result where the source is, in shared memory");
    Emitter e(rewriter, op.getLoc());
    Value base = adaptor.getSource();
    int64_t size = result.getNumElements(), bytes = nv_tileas::getStorageBytes(source.getElementType());
    for (int d = 0; d < source.getRank(); ++d) {
      int64_t count = source.getDimSize(d) / result.getDimSize(d);
      if (count == 1)
        continue;
      int first = llvm::Log2_64(result.getDimSize(d));
      int64_t step = offsetOf->basis(tileiras::dimName(d), first)[0];
      for (int bit = first; (int64_t(1) << bit) < source.getDimSize(d); ++bit)
        if (offsetOf->basis(tileiras::dimName(d), bit)[0] != step << (bit - first) || step < size)
          return op.emitOpError("expects slices that lie one after the other in shared memory");
      base = e.offsetBytes(base, e.mul(adaptor.getIndices()[d], e.i32(step * bytes)));
    }
    rewriter.replaceOp(op, base);
    return success();
  }
};

} // namespace

void tilellvm::populateAsyncCopyPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                         const LoweringOptions &options) {
  patterns.add<AsyncTiledLoad, AsyncLoad, AsyncWait>(converter, patterns.getContext(), options);
  // Before the patterns for tiles in registers.
  patterns.add<SharedShape<nv_tileas::ViewOp>, SharedShape<nv_tileaa::ViewOp>, SharedShape<nv_tileaa::PermuteOp>,
               SharedSlice>(converter, patterns.getContext(), options, /*benefit=*/3);
}
