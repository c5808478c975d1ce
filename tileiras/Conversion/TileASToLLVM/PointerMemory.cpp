//===- PointerMemory.cpp - load and store through pointers ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A thread loads what it holds, copies included; it stores what it owns (LayoutMath.h, ownerPredicate).
//
// A tile block is one logical thread, so ordered accesses need more than their PTX qualifier:
//   * release: what other threads of the block wrote before must be ordered before the store: a barrier before it;
//   * acquire: what other threads do later must be ordered after the load: a barrier after it;
//   * two threads reading the same location with a relaxed or acquire load may see different values, which would let a
//     "scalar" differ between threads. So one thread reads each location and hands the value on.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/LaunchControl.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/NibbleMemory.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/ConvertPlan.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;
using nv_tileaa::MemSemantic;

static std::optional<LinearLayout> layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return std::nullopt;
  return nv_tileas::getLinearLayout(tensor);
}

/// True in the one thread that acts for the block (scalars) or for each element.
static Value owner(Emitter &e, const std::optional<LinearLayout> &layout) {
  if (layout)
    return ownerPredicate(e, *layout);
  return e.isFirstThread();
}

/// Large tiles are handed on in rounds.
static tileiras::LayoutRounds exchangeRounds(const LinearLayout &layout, int64_t bytesPerElement) {
  constexpr int64_t most = 16 * 1024;
  int wanted = 0;
  while ((bytesPerElement << layout.totalOutBits()) >> wanted > most)
    ++wanted;
  return tileiras::splitIntoRounds(layout, wanted);
}

int64_t tilellvm::exchangeBytes(Operation *op) {
  auto bytesFor = [op](Type type, MemSemantic semantic) -> int64_t {
    if (semantic == MemSemantic::Weak)
      return 0;
    std::optional<LinearLayout> layout = layoutOf(type);
    if (!layout)
      return 8;
    if (!isReplicated(*layout) && !warpsWithCopies(nv_tileas::ExecutionContext::of(op), *layout))
      return 0;
    int64_t bytes = nv_tileas::getStorageBytes(elementOf(type));
    return bytes << exchangeRounds(*layout, bytes).part.totalOutBits();
  };
  if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op)) {
    Value loaded = access.getLoaded();
    if (!loaded || (access.isAtomic() && loaded.use_empty()))
      return 0;
    return bytesFor(loaded.getType(), access.isAtomic() ? MemSemantic::Relaxed : access.getMemSemantic());
  }
  if (isa<nv_tileaa::AllocaOp>(op))
    return 8;
  if (isa<nv_tileas::MakeTiledTmaDescOp>(op))
    return kMostTensorMapsInRun * kTensorMapAddressBytes;
  if (isa<nv_tileaa::CancelNextProgramIdOp>(op))
    return kLaunchControlBytes;
  if (auto print = dyn_cast<nv_tileaa::PrintOp>(op))
    return printExchangeBytes(print);
  if (auto scan = dyn_cast<nv_tileas::ScanOp>(op))
    return scanExchangeBytes(scan);
  return 0;
}

Value tilellvm::exchangeAddress(Emitter &e, Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(nv_tileas::kScratchOffsetAttr);
  assert(offset && "checked before the conversion");
  return sharedAddress(e, offset.getInt());
}

SmallVector<Value> tilellvm::broadcastFromOwners(Emitter &e, Operation *op, const LinearLayout &layout,
                                                 ArrayRef<Value> values, Value owner) {
  Value base = exchangeAddress(e, op);
  Type element = values.front().getType();
  int64_t bytes = memoryBits(element) / 8;
  tileiras::LayoutRounds rounds = exchangeRounds(layout, bytes);
  TileAddresses where(e, rounds.part, base, bytes);
  unsigned count = where.layout().numRegisters();
  SmallVector<Value> addresses, results(values.size());
  for (unsigned r = 0; r < count; ++r)
    addresses.push_back(where.of(e, r));
  for (int round = 0; round < rounds.count(); ++round) {
    e.barrier(); // readers of the previous exchange are done
    e.onlyIf(owner, [&](Emitter &inner) {
      for (unsigned r = 0; r < count; ++r)
        storeShared(inner, addresses[r], values[rounds.registerOf(r, round)]);
    });
    e.barrier();
    for (unsigned r = 0; r < count; ++r)
      results[rounds.registerOf(r, round)] = loadShared(e, addresses[r], element, 1).front();
  }
  return results;
}

/// Of the types narrower than a byte i1 takes one, and pointers to f4E2M1FN say which half they mean.
static bool isAddressable(Type element) {
  return !element.isIntOrFloat() || element.isInteger(1) || isNibble(element) || element.getIntOrFloatBitWidth() >= 8;
}

namespace {

struct Load : TilePattern<nv_tileas::LoadOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type result = types().convertType(op.getResult().getType());
    Type element = types().convertElementType(elementOf(op.getResult().getType()));
    unsigned bits = element ? memoryBits(element) : 0;
    if (!result || !bits || !isAddressable(elementOf(op.getResult().getType())))
      return op.emitOpError("of elements of ") << elementOf(op.getResult().getType()) << " is not supported";
    Emitter e(rewriter, op.getLoc());
    std::optional<LinearLayout> layout = layoutOf(op.getResult().getType());
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    bool exchange = exchangeBytes(op) != 0;
    unsigned width = order.isWeak() && layout ? pointersTogether(*layout, op.getVec(), bits) : 1;

    if (op->hasAttr(kBarrierBeforeAttr))
      e.barrier();
    Value owns = exchange ? owner(e, layout) : Value();
    SmallVector<Value> pointers = e.unpack(adaptor.getPtrs()), masks, others, values;
    if (adaptor.getMask())
      masks = e.unpack(adaptor.getMask());
    if (adaptor.getOther())
      others = e.unpack(adaptor.getOther());
    bool nibbles = isNibble(elementOf(op.getResult().getType()));
    if (nibbles)
      width = 1;
    for (unsigned r = 0; r < pointers.size(); r += width) {
      Value predicate = e.both(masks.empty() ? Value() : masks[r], owns);
      ArrayRef<Value> other = others.empty() ? ArrayRef<Value>() : ArrayRef(others).slice(r, width);
      if (nibbles) {
        values.push_back(
            loadNibble(e, nibbleOf(e, pointers[r]), predicate, other.empty() ? Value() : other.front(), order));
        continue;
      }
      llvm::append_range(values, loadGlobal(e, pointers[r], element, width, predicate, other, order));
    }
    if (exchange)
      values = broadcastFromOwners(e, op, layout.value_or(LinearLayout()), values, owns);
    else if (order.semantic == MemSemantic::Acquire)
      e.barrier();
    rewriter.replaceOp(op, {e.pack(result, values), e.i32(0)});
    return success();
  }
};

struct Store : TilePattern<nv_tileas::StoreOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = types().convertElementType(elementOf(op.getValue().getType()));
    unsigned bits = element ? memoryBits(element) : 0;
    if (!bits || !isAddressable(elementOf(op.getValue().getType())))
      return op.emitOpError("of elements of ") << elementOf(op.getValue().getType()) << " is not supported";
    Emitter e(rewriter, op.getLoc());
    std::optional<LinearLayout> layout = layoutOf(op.getValue().getType());
    AccessOrder order{op.getMemSemantic(), op.getMemScope()};
    unsigned width = order.isWeak() && layout ? pointersTogether(*layout, op.getVec(), bits) : 1;

    if (op->hasAttr(kBarrierBeforeAttr) || order.semantic == MemSemantic::Release)
      e.barrier();
    Value owns = owner(e, layout);
    SmallVector<Value> pointers = e.unpack(adaptor.getPtrs()), values = e.unpack(adaptor.getValue()), masks;
    if (adaptor.getMask())
      masks = e.unpack(adaptor.getMask());
    if (isNibble(elementOf(op.getValue().getType()))) {
      int32_t copies = layout ? tileiras::ownerMask(*layout).registers : 0;
      SmallVector<NibbleStore> stores;
      for (auto [r, pointer] : llvm::enumerate(pointers))
        if (!(r & copies))
          stores.push_back({nibbleOf(e, pointer), values[r], e.both(masks.empty() ? Value() : masks[r], owns)});
      storeNibbles(e, stores, order);
      rewriter.replaceOp(op, e.i32(0));
      return success();
    }
    auto storeAll = [&](Emitter &inner, Value always) {
      for (unsigned r = 0; r < pointers.size(); r += width)
        storeGlobal(inner, pointers[r], ArrayRef(values).slice(r, width),
                    inner.both(masks.empty() ? Value() : masks[r], always), order);
    };
    // One branch around plain stores, predicates on the others.
    if (masks.empty())
      e.onlyIf(owns, [&](Emitter &inner) { storeAll(inner, Value()); });
    else
      storeAll(e, owns);
    rewriter.replaceOp(op, e.i32(0));
    return success();
  }
};

} // namespace

void tilellvm::populatePointerMemoryPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                             const LoweringOptions &options) {
  patterns.add<Load, Store>(converter, patterns.getContext(), options);
}
