//===- DotOperand.cpp - Where a product fetches what it multiplies --------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/DotOperand.h"
#include "tileiras/Conversion/TileASToLLVM/MemoryAccess.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;

LinearLayout tilellvm::withoutCopies(const LinearLayout &layout) {
  return layout.removeRedundantBasesAlongDim(tileiras::kRegister);
}

//===----------------------------------------------------------------------===//
// Fetching
//===----------------------------------------------------------------------===//

LogicalResult DotOperandTile::init(Emitter &e, Value value, RankedTensorType type, const LinearLayout &layout,
                                   Type element, std::optional<tileiras::MatrixFetch> fetch) {
  this->element = element;
  matrices = std::move(fetch);
  LinearLayout held = withoutCopies(layout), actual = nv_tileas::getLinearLayout(type);
  if (nv_tileas::isIn(type, nv_tileas::MemoryKind::Shared)) {
    std::optional<LinearLayout> offsets = (matrices ? matrices->rows : held).invertAndCompose(actual);
    if (!offsets || !memoryBits(element))
      return failure();
    LinearLayout places = offsets->sublayout(offsets->inNames(), {tileiras::kOffset});
    if (matrices && !matrices->readsFrom(places))
      return failure();
    unsigned bytes = memoryBits(element) / 8;
    addresses.emplace(e, places, value, bytes);
    values.resize(held.inSize(tileiras::kRegister));
    if (!matrices) {
      const FlatLayout &flat = addresses->layout().layout();
      groups = vectorGroups(flat, flat.dims[0], 16 / bytes);
      groupOf.resize(values.size());
      for (auto [i, group] : llvm::enumerate(groups.groups))
        for (unsigned r : group)
          groupOf[r] = i;
    }
  } else {
    if (withoutCopies(actual) != held)
      return failure();
    values = e.unpack(value);
  }
  std::optional<SmallVector<unsigned>> registers = mapRegisters(held, layout);
  if (!registers)
    return failure();
  map = std::move(*registers);
  return success();
}

Value DotOperandTile::get(Emitter &e, unsigned r) {
  if (!values[map[r]])
    fetch(e, map[r]);
  return values[map[r]];
}

void DotOperandTile::fetch(Emitter &e, unsigned r) {
  if (matrices)
    return fetchMatrices(e, matrices->instructionOf(r));
  ArrayRef<unsigned> group = groups.groups[groupOf[r]];
  for (auto [member, value] :
       llvm::zip_equal(group, loadShared(e, addresses->of(e, group.front()), element, groups.width)))
    values[member] = value;
}

void DotOperandTile::fetchMatrices(Emitter &e, int instruction) {
  Value address = addresses->of(e, unsigned(instruction) << matrices->rowBits);
  int count = matrices->matrices();
  bool bytes = matrices->transposed && memoryBits(element) == 8; // two registers of each matrix
  std::string name = "llvm.nvvm.ldmatrix.sync.aligned." +
                     (bytes ? "m16n16.x" + std::to_string(count / 2) : "m8n8.x" + std::to_string(count)) +
                     (matrices->transposed ? ".trans" : "") + (bytes ? ".b8.p3" : ".b16.p3");
  Type word = e.intTy(32);
  Type result = count == 1 ? word : LLVM::LLVMStructType::getLiteral(e.context(), SmallVector<Type>(count, word));
  Value loaded = e.intrinsic(name, result, address);
  SmallVector<Value> words = count == 1 ? SmallVector<Value>{loaded} : e.unpack(loaded);
  SmallVector<Value> elements = elementsOfWords(e, words, element);
  for (auto [i, value] : llvm::enumerate(elements))
    values[matrices->registerOf(instruction, i >> matrices->wordBits, i & ((1 << matrices->wordBits) - 1))] = value;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value tilellvm::toFactor(Emitter &e, Value v, Type from, Type to, bool isSigned) {
  if (from == to)
    return v;
  if (auto integer = dyn_cast<IntegerType>(to))
    return isa<IntegerType>(from) ? e.resize(v, integer, isSigned) : Value();
  if (isa<IntegerType>(from))
    return {};
  // Scales: an f16 or an f32 does not hold all products.
  if (isa<Float8E8M0FNUType>(from) && !to.isF64())
    return {};
  return widenFloat(e, v, from, to);
}
