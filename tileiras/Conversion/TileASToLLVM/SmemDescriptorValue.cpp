//===- SmemDescriptorValue.cpp - Descriptors as values --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/SmemDescriptorValue.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"

using namespace mlir;
using namespace mlir::tilellvm;

namespace {

/// `index` / 16 if it is a constant times a value, and the constant a multiple of 16; null otherwise.
Value sixteenth(Emitter &e, Value index) {
  auto product = index.getDefiningOp<LLVM::MulOp>();
  APInt factor;
  if (!product || !index.getType().isInteger(32) || !matchPattern(product.getRhs(), m_ConstantInt(&factor)) ||
      factor.isNegative() || factor.urem(16) != 0)
    return {};
  return e.mul(product.getLhs(), e.i32(factor.getSExtValue() / 16));
}

/// What a pointer was before it became a tile.
Value withoutCasts(Value address) {
  Value found = address;
  while (auto cast = found.getDefiningOp<UnrealizedConversionCastOp>()) {
    if (cast.getInputs().size() != 1)
      return address;
    found = cast.getInputs().front();
  }
  return isa<LLVM::LLVMPointerType>(found.getType()) ? found : address;
}

} // namespace

Value tilellvm::descriptorOf(Emitter &e, Value address, Value offset, uint64_t fields) {
  // What moves is taken out of the address, as long as it moves by multiples of 16 bytes; no carry leaves the field,
  // because shared memory ends before it does.
  SmallVector<Value> moves;
  address = withoutCasts(address);
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!gep.getElemType().isInteger(8) || gep.getDynamicIndices().size() != 1)
      break;
    Value units = sixteenth(e, gep.getDynamicIndices().front());
    if (!units)
      break;
    moves.push_back(units);
    address = withoutCasts(gep.getBase());
  }
  Value start = LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32), address);
  if (offset)
    start = e.add(start, offset);
  // 18 bits of address, in units of 16 bytes.
  start = e.lshr(e.andi(start, e.i32(0x3FFFF)), 4);
  Value low = e.ori(start, e.i32(int32_t(fields)));
  for (Value move : moves)
    low = e.add(low, move);
  return inlinePtx(e, e.intTy(64), {low, e.i32(int32_t(fields >> 32))}, "mov.b64 $0, {$1, $2};", "=l,r,n",
                   Access::None);
}
