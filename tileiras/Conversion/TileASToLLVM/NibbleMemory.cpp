//===- NibbleMemory.cpp - Elements of four bits in memory -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/NibbleMemory.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tilellvm;

static constexpr int64_t kHighHalf = std::numeric_limits<int64_t>::min();

bool tilellvm::isNibble(Type original) { return isa<Float4E2M1FNType>(original); }

static Value lowBit(Emitter &e, Value v) { return e.resize(v, e.intTy(1)); }

Nibble tilellvm::nibbleAt(Emitter &e, Value base, Value element) {
  Value byte = LLVM::AShrOp::create(e.b, e.loc, element, e.i64(1));
  return {e.offsetBytes(base, byte), lowBit(e, element)};
}

Nibble tilellvm::nibbleOf(Emitter &e, Value pointer) {
  Value bits = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), pointer);
  Value address = e.andi(bits, e.i64(~kHighHalf));
  return {LLVM::IntToPtrOp::create(e.b, e.loc, pointer.getType(), address), lowBit(e, e.lshr(bits, 63))};
}

Value tilellvm::offsetNibbles(Emitter &e, Value pointer, Value count) {
  Value bits = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), pointer);
  Value elements = e.add(e.ori(e.shl(bits, 1), e.lshr(bits, 63)), count);
  Value moved = e.ori(e.lshr(elements, 1), e.shl(elements, 63));
  return LLVM::IntToPtrOp::create(e.b, e.loc, pointer.getType(), moved);
}

static Value lowHalf(Emitter &e, Value byte) { return e.andi(byte, e.constant(byte.getType(), 15)); }
static Value pairUp(Emitter &e, Value low, Value high) { return e.ori(lowHalf(e, low), e.shl(high, 4)); }

/// Whoever owns the other half of the byte may be any thread of the grid.
static AccessOrder amongHalves(AccessOrder order) {
  if (order.isWeak())
    return {nv_tileaa::MemSemantic::Relaxed, nv_tileaa::MemScope::Gpu};
  if (order.scope != nv_tileaa::MemScope::Sys)
    order.scope = nv_tileaa::MemScope::Gpu;
  return order;
}

/// Whether the kernel stores halves of bytes (planHalves).
static bool storesHalves(Emitter &e) {
  Operation *op = e.b.getInsertionBlock()->getParentOp();
  while (op && !op->hasAttr(kStoresHalvesAttr))
    op = op->getParentOp();
  return op;
}

void tilellvm::planHalves(Operation *func) {
  bool shared = false;
  func->walk([&](nv_tileaa::MemoryAccessOpInterface op) {
    shared |= op.writesMemory() && isNibble(elementOf(op.getStored().getType()));
  });
  if (shared)
    func->setAttr(kStoresHalvesAttr, UnitAttr::get(func->getContext()));
}

Value tilellvm::loadNibble(Emitter &e, const Nibble &place, Value predicate, Value other, AccessOrder order) {
  if (storesHalves(e))
    order = amongHalves(order);
  SmallVector<Value> initial;
  if (other)
    initial.push_back(pairUp(e, other, other)); // whichever half is looked at
  Value byte = loadGlobal(e, place.byte, e.intTy(8), 1, predicate, initial, order).front();
  return e.select(place.high, e.lshr(byte, 4), lowHalf(e, byte));
}

SmallVector<Value> tilellvm::loadNibblePairs(Emitter &e, Value address, unsigned count, Value predicate,
                                             ArrayRef<Value> other, AccessOrder order) {
  SmallVector<Value> initial, values;
  for (unsigned i = 0; i + 1 < other.size(); i += 2)
    initial.push_back(pairUp(e, other[i], other[i + 1]));
  for (Value byte : loadGlobal(e, address, e.intTy(8), count / 2, predicate, initial, order))
    values.append({lowHalf(e, byte), e.lshr(byte, 4)});
  return values;
}

/// Where half a byte lies in the aligned word around it.
namespace {
struct HalfInWord {
  Value word;        ///< its address
  Value ones, value; ///< i32: the bits of the half, and what they become
};
} // namespace

static HalfInWord halfInWord(Emitter &e, const NibbleStore &store) {
  Type i32 = e.intTy(32);
  Value bits = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), store.place.byte);
  Value word = LLVM::IntToPtrOp::create(e.b, e.loc, store.place.byte.getType(), e.andi(bits, e.i64(~int64_t(3))));
  Value shift = e.ori(e.shl(e.andi(e.resize(bits, i32), e.i32(3)), 3), e.shl(e.resize(store.place.high, i32), 2));
  Value value = e.resize(lowHalf(e, store.value), i32);
  return {word, LLVM::ShlOp::create(e.b, e.loc, e.i32(15), shift), LLVM::ShlOp::create(e.b, e.loc, value, shift)};
}

/// `red` changes the bits of this half alone, so it does not matter what becomes of the others in between. Nobody may
/// look at the half between the two: the store is weak.
static void mergeWeak(Emitter &e, const NibbleStore &store, const std::string &suffix) {
  HalfInWord half = halfInWord(e, store);
  auto reduce = [&](StringRef operation, Value operand) {
    SmallVector<Value> operands = {half.word, operand};
    if (store.predicate)
      operands.push_back(store.predicate);
    inlinePtx(e, Type(), operands,
              (store.predicate ? "@$2 red" : "red") + suffix + ".global." + operation + ".b32 [$0], $1;",
              store.predicate ? "l,r,b,~{memory}" : "l,r,~{memory}", Access::WritesGlobal);
  };
  reduce("and", e.xori(half.ones, e.i32(-1)));
  reduce("or", half.value);
}

/// By compare-and-swap, for the half must change at once. The first guess at the word is its byte alone, because the
/// others may lie outside the array; it is usually wrong, and then the answer is the word. Where the half is what it
/// shall be already, storing it again would change nothing for anybody.
static void mergeOrdered(Emitter &e, const NibbleStore &store, AccessOrder order) {
  HalfInWord half = halfInWord(e, store);
  AccessOrder first{nv_tileaa::MemSemantic::Relaxed, order.scope};
  std::string text = "{\n\t.reg .pred done;\n\t.reg .b32 seen, next, answer, place;\n\t.reg .b64 low;\n\t";
  if (store.predicate)
    text += "@!$4 bra LEAVE_${:uid};\n\t";
  text += "ld" + first.suffix() +
          ".global.b8 seen, [$3];\n\tand.b64 low, $3, 3;\n\tcvt.u32.u64 place, low;\n\t"
          "shl.b32 place, place, 3;\n\tshl.b32 seen, seen, place;\n";
  text += "AGAIN_${:uid}:\n\tnot.b32 next, $1;\n\tand.b32 next, next, seen;\n\tor.b32 next, next, $2;\n\t"
          "setp.eq.b32 done, next, seen;\n\t@done bra LEAVE_${:uid};\n\t"
          "atom" +
          order.suffix() +
          ".global.cas.b32 answer, [$0], seen, next;\n\tsetp.eq.b32 done, answer, seen;\n\t"
          "mov.b32 seen, answer;\n\t@!done bra AGAIN_${:uid};\nLEAVE_${:uid}:\n\t}";
  SmallVector<Value> operands = {half.word, half.ones, half.value, store.place.byte};
  if (store.predicate)
    operands.push_back(store.predicate);
  inlinePtx(e, Type(), operands, text, store.predicate ? "l,r,r,l,b,~{memory}" : "l,r,r,l,~{memory}", Access::Any);
}

void tilellvm::storeNibbles(Emitter &e, ArrayRef<NibbleStore> stores, AccessOrder order) {
  AccessOrder shared = amongHalves(order);
  for (const NibbleStore &store : stores) {
    if (order.isWeak())
      mergeWeak(e, store, shared.suffix());
    else
      mergeOrdered(e, store, shared);
  }
}

void tilellvm::storeNibblePairs(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, AccessOrder order) {
  SmallVector<Value> bytes;
  for (unsigned i = 0; i < values.size(); i += 2)
    bytes.push_back(pairUp(e, values[i], values[i + 1]));
  storeGlobal(e, address, bytes, predicate, order);
}
