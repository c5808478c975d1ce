//===- NibbleMemory.cpp - Elements of four bits in memory -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/NibbleMemory.h"

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

Value tilellvm::loadNibble(Emitter &e, const Nibble &place, Value predicate, Value other, AccessOrder order) {
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

void tilellvm::storeNibbles(Emitter &e, ArrayRef<NibbleStore> stores, AccessOrder order) {
  if (stores.empty())
    return;
  for (bool high : {false, true}) {
    e.barrier(); // before the low halves: other threads may still be writing the same bytes for an earlier store
    for (const NibbleStore &store : stores) {
      Value mine = high ? store.place.high : e.xori(store.place.high, e.i1(true));
      mine = e.both(store.predicate, mine);
      Value old = loadGlobal(e, store.place.byte, e.intTy(8), 1, mine, {}).front();
      Value merged = high ? pairUp(e, old, store.value) : pairUp(e, store.value, e.lshr(old, 4));
      storeGlobal(e, store.place.byte, merged, mine, order);
    }
  }
}

void tilellvm::storeNibblePairs(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, AccessOrder order) {
  SmallVector<Value> bytes;
  for (unsigned i = 0; i < values.size(); i += 2)
    bytes.push_back(pairUp(e, values[i], values[i + 1]));
  storeGlobal(e, address, bytes, predicate, order);
}
