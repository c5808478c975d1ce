//===- MemoryAccess.cpp - One load or store instruction -------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elements travel in words of 8 to 64 bits, up to four at once. Plain accesses are LLVM loads and stores of words.
// Accesses with a predicate or an ordering are inline PTX: LLVM has no predicated access (a branch per element would
// keep loads from being in flight together) and no vector access with .relaxed.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"

using namespace mlir;
using namespace mlir::tilellvm;

std::string AccessOrder::suffix() const {
  using nv_tileaa::MemScope;
  using nv_tileaa::MemSemantic;
  if (isWeak())
    return "";
  std::string text = semantic == MemSemantic::Acquire   ? ".acquire"
                     : semantic == MemSemantic::Release ? ".release"
                     : semantic == MemSemantic::AcqRel  ? ".acq_rel"
                                                        : ".relaxed";
  switch (scope.value_or(MemScope::Sys)) {
  case MemScope::TlBlk:
    return text + ".cta";
  case MemScope::Cluster:
    return text + ".cluster";
  case MemScope::Gpu:
    return text + ".gpu";
  case MemScope::Sys:
    return text + ".sys";
  }
  return text + ".sys";
}

unsigned tilellvm::memoryBits(Type element) {
  if (isa<LLVM::LLVMPointerType>(element))
    return 64;
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1 || width == 4)
    return 8;
  return width % 8 ? 0 : width;
}

namespace {

/// How elements are grouped into words.
struct Words {
  unsigned elementBits, count, wordBits, words;
  Words(Type element, unsigned count) : elementBits(memoryBits(element)), count(count) {
    unsigned total = elementBits * count;
    wordBits = elementBits >= 32 ? elementBits : std::min(32u, total);
    words = total / wordBits;
    assert(words <= 4 && total <= 128 && "an access moves at most 16 bytes");
  }
  unsigned perWord() const { return wordBits / elementBits; }
  unsigned bytes() const { return elementBits * count / 8; }
  StringRef constraint() const { return wordBits <= 16 ? "h" : wordBits == 32 ? "r" : "l"; }
  /// Width of the register that carries a word in PTX: b8 has none of its own.
  unsigned registerBits() const { return std::max(16u, wordBits); }
  std::string ptxType() const {
    return (words > 1 ? ".v" + std::to_string(words) : "") + ".b" + std::to_string(wordBits);
  }
};

} // namespace

static Value elementToBits(Emitter &e, Value value, unsigned bits) {
  Type type = e.intTy(bits);
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    return LLVM::PtrToIntOp::create(e.b, e.loc, type, value);
  if (value.getType().isInteger(1) || value.getType().isInteger(4))
    return e.resize(value, type);
  return e.bitcast(value, type);
}

static Value bitsToElement(Emitter &e, Value bits, Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVM::IntToPtrOp::create(e.b, e.loc, type, bits);
  if (type.isInteger(1))
    return e.icmp(LLVM::ICmpPredicate::ne, bits, e.zero(bits.getType()));
  if (type.isInteger(4))
    return e.resize(bits, type);
  return e.bitcast(bits, type);
}

static SmallVector<Value> toWords(Emitter &e, ArrayRef<Value> values, const Words &w) {
  SmallVector<Value> words;
  for (unsigned i = 0; i < w.words; ++i) {
    if (w.perWord() == 1) {
      words.push_back(elementToBits(e, values[i], w.wordBits));
      continue;
    }
    Value vector = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(w.perWord(), e.intTy(w.elementBits)));
    for (unsigned j = 0; j < w.perWord(); ++j)
      vector = LLVM::InsertElementOp::create(e.b, e.loc, vector,
                                             elementToBits(e, values[i * w.perWord() + j], w.elementBits), e.i32(j));
    words.push_back(e.bitcast(vector, e.intTy(w.wordBits)));
  }
  return words;
}

static SmallVector<Value> fromWords(Emitter &e, ArrayRef<Value> words, Type element, const Words &w) {
  SmallVector<Value> values;
  for (Value word : words) {
    if (w.perWord() == 1) {
      values.push_back(bitsToElement(e, word, element));
      continue;
    }
    Value vector = e.bitcast(word, VectorType::get(w.perWord(), e.intTy(w.elementBits)));
    for (unsigned j = 0; j < w.perWord(); ++j)
      values.push_back(bitsToElement(e, LLVM::ExtractElementOp::create(e.b, e.loc, vector, e.i32(j)), element));
  }
  return values;
}

/// A list of the words' operands: "$0" or "{$0, $1}".
static std::string wordList(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return count > 1 ? "{" + text + "}" : text;
}

static SmallVector<Value> plainLoad(Emitter &e, Value address, const Words &w) {
  Type word = e.intTy(w.wordBits);
  if (w.words == 1)
    return {LLVM::LoadOp::create(e.b, e.loc, word, address, w.bytes())};
  Value vector = LLVM::LoadOp::create(e.b, e.loc, VectorType::get(w.words, word), address, w.bytes());
  SmallVector<Value> words;
  for (unsigned i = 0; i < w.words; ++i)
    words.push_back(LLVM::ExtractElementOp::create(e.b, e.loc, vector, e.i32(i)));
  return words;
}

static void plainStore(Emitter &e, Value address, ArrayRef<Value> words, const Words &w) {
  Value value = words.front();
  if (w.words > 1) {
    value = LLVM::PoisonOp::create(e.b, e.loc, VectorType::get(w.words, e.intTy(w.wordBits)));
    for (unsigned i = 0; i < w.words; ++i)
      value = LLVM::InsertElementOp::create(e.b, e.loc, value, words[i], e.i32(i));
  }
  LLVM::StoreOp::create(e.b, e.loc, value, address, w.bytes());
}

SmallVector<Value> tilellvm::loadGlobal(Emitter &e, Value address, Type element, unsigned count, Value predicate,
                                        ArrayRef<Value> other, AccessOrder order) {
  Words w(element, count);
  if (!predicate && order.isWeak())
    return fromWords(e, plainLoad(e, address, w), element, w);

  Type reg = e.intTy(w.registerBits());
  SmallVector<Value> operands;
  std::string constraints, text;
  for (unsigned i = 0; i < w.words; ++i)
    constraints += (i ? ",=" : "=") + w.constraint().str();
  if (predicate) {
    // The destination holds `other` before the predicated load overwrites it.
    SmallVector<Value> initial;
    if (other.empty())
      initial.assign(w.words, e.zero(e.intTy(w.wordBits)));
    else
      initial = toWords(e, other, w);
    for (unsigned i = 0; i < w.words; ++i) {
      operands.push_back(e.resize(initial[i], reg));
      constraints += "," + std::to_string(i);
    }
    text = "@$" + std::to_string(2 * w.words + 1) + " ";
  }
  text += "ld" + order.suffix() + ".global" + w.ptxType() + " " + wordList(0, w.words) + ", [$" +
          std::to_string(w.words + operands.size()) + "];";
  operands.push_back(address);
  constraints += ",l";
  if (predicate) {
    operands.push_back(predicate);
    constraints += ",b";
  }
  if (!order.isWeak())
    constraints += ",~{memory}";
  Type result = w.words == 1 ? reg : LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(w.words, reg));
  SmallVector<Value> words =
      e.unpack(inlinePtx(e, result, operands, text, constraints, order.isWeak() ? Access::ReadsGlobal : Access::Any));
  for (Value &word : words)
    word = e.resize(word, e.intTy(w.wordBits));
  return fromWords(e, words, element, w);
}

void tilellvm::storeGlobal(Emitter &e, Value address, ArrayRef<Value> values, Value predicate, AccessOrder order) {
  Words w(values.front().getType(), values.size());
  SmallVector<Value> words = toWords(e, values, w);
  if (!predicate && order.isWeak())
    return plainStore(e, address, words, w);
  SmallVector<Value> operands;
  std::string constraints, text;
  for (Value word : words) {
    operands.push_back(e.resize(word, e.intTy(w.registerBits())));
    constraints += w.constraint().str() + ",";
  }
  operands.push_back(address);
  constraints += "l";
  if (predicate) {
    operands.push_back(predicate);
    constraints += ",b";
    text = "@$" + std::to_string(w.words + 1) + " ";
  }
  if (!order.isWeak())
    constraints += ",~{memory}";
  text += "st" + order.suffix() + ".global" + w.ptxType() + " [$" + std::to_string(w.words) + "], " +
          wordList(0, w.words) + ";";
  inlinePtx(e, Type(), operands, text, constraints, order.isWeak() ? Access::WritesGlobal : Access::Any);
}

SmallVector<Value> tilellvm::loadShared(Emitter &e, Value address, Type element, unsigned count) {
  Words w(element, count);
  return fromWords(e, plainLoad(e, address, w), element, w);
}

void tilellvm::storeShared(Emitter &e, Value address, ArrayRef<Value> values) {
  Words w(values.front().getType(), values.size());
  plainStore(e, address, toWords(e, values, w), w);
}

SmallVector<Value> tilellvm::elementsOfWords(Emitter &e, ArrayRef<Value> words, Type element) {
  unsigned perWord = 32 / memoryBits(element);
  SmallVector<Value> elements;
  for (Value word : words)
    llvm::append_range(elements, fromWords(e, word, element, Words(element, perWord)));
  return elements;
}

SmallVector<Value> tilellvm::wordsOfElements(Emitter &e, ArrayRef<Value> elements) {
  return toWords(e, elements, Words(elements.front().getType(), elements.size()));
}
