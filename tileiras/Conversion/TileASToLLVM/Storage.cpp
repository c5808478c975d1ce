//===- Storage.cpp - Globals, scratch memory, fences, bytes ---------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scratch memory must be reachable by all threads of the block, like everything behind a pointer, and its size has no
// bound: the first thread takes it from the device's heap (malloc and free of the CUDA driver, CUDA C++ Programming
// Guide, "Dynamic Global Memory Allocation and Operations") and hands the address to the others. It is given back where
// the block of operations ends.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

struct Global : TilePattern<nv_tileaa::GlobalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GlobalOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getValue().getType());
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!type || !dense || !type.getElementType().isIntOrFloat())
      return op.emitOpError("value of this type is not supported");
    unsigned width = nv_tileas::getMemoryBits(type.getElementType());
    std::string bytes;
    if (width >= 8) {
      for (Attribute element : dense.getValues<Attribute>())
        if (failed(appendElement(bytes, element, width)))
          return op.emitOpError("value of this type is not supported");
    } else {
      // Element 2k in the low nibble, 2k+1 in the high one (spec cuda-tile 1.1).
      std::string nibbles;
      for (Attribute element : dense.getValues<Attribute>())
        if (width != 4 || failed(appendElement(nibbles, element, 8)))
          return op.emitOpError("value of this type is not supported");
      for (size_t i = 0; i < nibbles.size(); i += 2)
        bytes.push_back(char((nibbles[i] & 15) | (i + 1 < nibbles.size() ? (nibbles[i + 1] & 15) << 4 : 0)));
    }
    // Loads may be as wide as 16 bytes where the alignment is proven; the symbol says nothing by itself.
    int64_t alignment = std::max<int64_t>(16, op.getAlignment());
    bool isPrivate = op.getSymVisibility() == "private";
    Type array = LLVM::LLVMArrayType::get(rewriter.getI8Type(), bytes.size());
    rewriter.replaceOpWithNewOp<LLVM::GlobalOp>(op, array, op.getConstant(),
                                                isPrivate ? LLVM::Linkage::Internal : LLVM::Linkage::External,
                                                op.getSymName(), rewriter.getStringAttr(bytes), alignment, kGlobal);
    return success();
  }
};

struct GetGlobal : TilePattern<nv_tileaa::GetGlobalOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GetGlobalOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Operation *symbol = SymbolTable::lookupNearestSymbolFrom(op, op.getNameAttr());
    if (!isa_and_nonnull<nv_tileaa::GlobalOp, LLVM::GlobalOp>(symbol))
      return op.emitOpError("'") << op.getName() << "' does not reference a valid global";
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<LLVM::AddressOfOp>(op, e.ptrTy(kGlobal), op.getName());
    return success();
  }
};

struct Alloca : TilePattern<nv_tileaa::AllocaOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::AllocaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    Type pointee = op.getType().getPointee();
    int64_t bits = nv_tileas::getMemoryBits(pointee), count = op.getNumElem();
    if (count > (int64_t(1) << 50))
      return op.emitOpError("of ") << count << " elements is too large";
    // malloc aligns to 16 bytes.
    int64_t alignment = std::max<int64_t>(16, op.getAlignment());
    int64_t payload = llvm::alignTo(std::max<int64_t>(1, (count * bits + 7) / 8), bits < 8 ? 8 : 1);
    int64_t bytes = payload + (alignment > 16 ? alignment : 0);
    Emitter e(rewriter, op.getLoc());
    Value first = e.isFirstThread(), slot = exchangeAddress(e, op);
    e.barrier(); // readers of the previous exchange are done
    e.onlyIf(first, [&](Emitter &inner) {
      Value memory = inner.callExternal("malloc", inner.ptrTy(kGeneric), inner.i64(bytes));
      Value missing = inner.icmp(LLVM::ICmpPredicate::eq, memory, inner.zero(memory.getType()));
      inner.onlyIf(missing, [](Emitter &dead) { LLVM::Trap::create(dead.b, dead.loc); });
      storeShared(inner, slot, LLVM::PtrToIntOp::create(inner.b, inner.loc, inner.intTy(64), memory).getResult());
    });
    e.barrier();
    Value memory = loadShared(e, slot, e.intTy(64), 1).front(), address = memory;
    if (alignment > 16)
      address = e.andi(e.add(memory, e.i64(alignment - 1)), e.i64(-alignment));
    if (bits < 8) // a store of half a byte keeps the other half, which nobody may have written
      clear(e, LLVM::IntToPtrOp::create(e.b, e.loc, e.ptrTy(kGlobal), address), payload);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op->getBlock()->getTerminator());
      e.barrier(); // nobody uses it any more
      e.onlyIf(first, [&](Emitter &inner) {
        Value generic = LLVM::IntToPtrOp::create(inner.b, inner.loc, inner.ptrTy(kGeneric), memory);
        inner.callExternal("free", Type(), generic);
      });
    }
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, e.ptrTy(kGlobal), address);
    return success();
  }

private:
  /// Zeros, eight bytes at a time, by all threads.
  static void clear(Emitter &e, Value memory, int64_t bytes) {
    // The launch says how many threads there are, where the kernel does not.
    Value threads = e.threads().isDeclared ? e.i32(e.threads().numThreads())
                                           : e.intrinsic("llvm.nvvm.read.ptx.sreg.ntid.x", e.intTy(32), {});
    auto loop = scf::ForOp::create(e.b, e.loc, e.resize(e.threadId(), e.intTy(64)), e.i64(bytes / 8),
                                   e.resize(threads, e.intTy(64)));
    {
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPointToStart(loop.getBody());
      storeGlobal(e, e.offsetBytes(memory, e.shl(loop.getInductionVar(), 3)), e.i64(0), Value());
    }
    e.barrier();
  }
};

/// What any thread did before is ordered before the fence of every thread, and that before what any thread does later.
struct FenceAlias : TilePattern<nv_tileaa::FenceAliasOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::FenceAliasOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    e.barrier();
    NVVM::FenceProxyOp::create(rewriter, op.getLoc(),
                               NVVM::ProxyKindAttr::get(rewriter.getContext(), NVVM::ProxyKind::alias),
                               NVVM::SharedSpaceAttr());
    e.barrier();
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

/// Every thread waits, so every thread sees the prerequisite grid's stores (PTX ISA "griddepcontrol").
struct GdcWait : TilePattern<nv_tileaa::GdcWaitOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GdcWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    if (op.getToken()) // what it is ordered after may have been done by other threads
      e.barrier();
    NVVM::GriddepcontrolOp::create(
        rewriter, op.getLoc(), NVVM::GridDepActionKindAttr::get(rewriter.getContext(), NVVM::GridDepActionKind::wait));
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

/// Several threads of a block issuing it count as one. It orders nothing: dependent grids see what was stored before it
/// only behind their own griddepcontrol.wait, which waits for the end of this grid (PTX ISA "griddepcontrol").
struct GdcLaunchDependents : TilePattern<nv_tileaa::GdcLaunchDependentsOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileaa::GdcLaunchDependentsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    NVVM::GriddepcontrolOp::create(
        rewriter, op.getLoc(),
        NVVM::GridDepActionKindAttr::get(rewriter.getContext(), NVVM::GridDepActionKind::launch_dependents));
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

/// Neighbours along the only dimension: those that make one wider element are in one thread on both sides.
struct Reinterpret : TilePattern<nv_tileas::ReinterpretOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::ReinterpretOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Type type = types().convertType(result), element = types().convertElementType(result.getElementType());
    // A boolean is one bit here, unlike in memory.
    auto widthOf = [](Type element) -> unsigned {
      return element.isInteger(1) ? 1 : nv_tileas::getMemoryBits(element);
    };
    unsigned from = widthOf(source.getElementType()), to = widthOf(result.getElementType());
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> pieces;
    for (Value v : e.unpack(adaptor.getSource()))
      pieces.push_back(toBits(e, v, from));

    // The bytes as if both sides were cut into elements of the narrower width.
    unsigned narrow = std::min(from, to), wide = std::max(from, to), ratio = wide / narrow;
    int shift = llvm::Log2_32(ratio);
    LinearLayout wideLayout = nv_tileas::getLinearLayout(from >= to ? source : result);
    LinearLayout narrowLayout = nv_tileas::getLinearLayout(from >= to ? result : source);
    // For each narrow register: which wide register, which place in it.
    std::optional<SmallVector<std::pair<unsigned, unsigned>>> places = placesOf(narrowLayout, wideLayout, shift);
    if (!places)
      return op.emitOpError("expects the bytes of each element in one thread");
    SmallVector<Value> values;
    if (from >= to) {
      for (auto [r, place] : *places) {
        Value bits = e.lshr(pieces[r], place * narrow);
        values.push_back(fromBits(e, e.resize(bits, e.intTy(to)), element));
      }
    } else {
      values.resize(1u << wideLayout.inBits(tileiras::kRegister));
      for (auto [i, where] : llvm::enumerate(*places)) {
        Value &value = values[where.first];
        Value part = e.shl(e.resize(pieces[i], e.intTy(to)), where.second * narrow);
        value = value ? e.ori(value, part) : part;
      }
      for (Value &value : values)
        value = fromBits(e, value, element);
    }
    rewriter.replaceOp(op, e.pack(type, values));
    return success();
  }

private:
  static Value toBits(Emitter &e, Value v, unsigned width) {
    if (v.getType().isInteger())
      return e.resize(v, e.intTy(width)); // also the i8 of an f4 to its nibble
    return e.bitcast(v, e.intTy(width));
  }
  static Value fromBits(Emitter &e, Value bits, Type element) {
    if (element.isInteger())
      return e.resize(bits, element);
    return e.bitcast(bits, element);
  }

  static std::optional<SmallVector<std::pair<unsigned, unsigned>>> placesOf(const LinearLayout &narrow,
                                                                            const LinearLayout &wide, int shift) {
    FlatLayout n(narrow), w(wide);
    // The thread's part of the narrow layout must be that of the wide one, moved up.
    auto agree = [&](ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
      for (size_t i = 0, end = std::max(a.size(), b.size()); i < end; ++i)
        if ((i < a.size() ? a[i] : 0) != (i < b.size() ? b[i] << shift : 0))
          return false;
      return true;
    };
    if (!agree(n.lane, w.lane) || !agree(n.warp, w.warp) || !agree(n.block, w.block) ||
        n.numRegisters() != w.numRegisters() << shift)
      return std::nullopt;
    llvm::DenseMap<uint64_t, unsigned> registerAt;
    for (unsigned r = 0; r < w.numRegisters(); ++r)
      registerAt.try_emplace(w.ofRegister(r), r);
    SmallVector<std::pair<unsigned, unsigned>> places;
    for (unsigned r = 0; r < n.numRegisters(); ++r) {
      uint64_t flat = n.ofRegister(r);
      auto found = registerAt.find(flat >> shift);
      if (found == registerAt.end())
        return std::nullopt;
      places.push_back({found->second, unsigned(flat & ((uint64_t(1) << shift) - 1))});
    }
    return places;
  }
};

} // namespace

void tilellvm::populateStoragePatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                       const LoweringOptions &options) {
  patterns.add<Global, GetGlobal, Alloca, FenceAlias, GdcWait, GdcLaunchDependents, Reinterpret>(
      converter, patterns.getContext(), options);
}
