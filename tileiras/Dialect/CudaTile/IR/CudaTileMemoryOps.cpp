//===- CudaTileMemoryOps.cpp - Pointer memory ops, atomics, print ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Memory model
//===----------------------------------------------------------------------===//

LogicalResult cuda_tile::verifyAccessOrdering(Operation *op, bool isLoad, MemoryOrderingSemantics semantics,
                                              std::optional<MemoryScope> scope) {
  auto special = isLoad ? MemoryOrderingSemantics::Acquire : MemoryOrderingSemantics::Release;
  StringRef kind = isLoad ? "load" : "store";
  if (semantics != MemoryOrderingSemantics::Weak && semantics != MemoryOrderingSemantics::Relaxed &&
      semantics != special)
    return op->emitOpError("expect one of: weak, relaxed, or ")
           << stringifyMemoryOrderingSemantics(special) << ", but got: " << stringifyMemoryOrderingSemantics(semantics);
  if (semantics == MemoryOrderingSemantics::Weak)
    return scope ? op->emitOpError("weak ") << kind << " must not have memory scope" : LogicalResult(success());
  if (!scope)
    return op->emitOpError("memory scope is required for ")
           << stringifyMemoryOrderingSemantics(semantics) << " " << kind;
  return success();
}

void cuda_tile::getLoadEffects(MemoryOrderingSemantics semantics,
                               SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  // An ordered load synchronises with other threads: it may be neither dropped nor moved across other accesses.
  if (semantics != MemoryOrderingSemantics::Weak)
    effects.emplace_back(MemoryEffects::Write::get());
}

static LogicalResult verifyAtomicOrdering(Operation *op, MemoryOrderingSemantics semantics) {
  if (semantics == MemoryOrderingSemantics::Weak)
    return op->emitOpError("memory ordering semantics must be one of: relaxed, acquire, release, acq_rel");
  return success();
}

static Type pointeeOf(TileType pointers) { return cast<PointerType>(pointers.getElementType()).getPointeeType(); }

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() < 2)
    return emitOpError("expect two or more tokens");
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

void LoadPtrTkoOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  getLoadEffects(getMemoryOrderingSemantics(), effects);
}

LogicalResult LoadPtrTkoOp::verify() {
  TileType source = getSource().getType(), result = getResult().getType();
  if (source.getShape() != result.getShape() || pointeeOf(source) != result.getElementType())
    return emitOpError("failed to verify that `source` type is expected a pointer type of `result` type");
  if (getMask() && getMask().getType().getShape() != source.getShape())
    return emitOpError("failed to verify that shape of 'mask' must match the shape of 'source'");
  if (getPaddingValue() && getPaddingValue().getType() != result)
    return emitOpError("failed to verify that type of 'paddingValue' must match the type of 'result'");
  if (failed(verifyHints(*this, getOptimizationHintsAttr(), {"latency"})))
    return failure();
  return verifyAccessOrdering(*this, /*isLoad=*/true, getMemoryOrderingSemantics(), getMemoryScope());
}

LogicalResult StorePtrTkoOp::verify() {
  TileType destination = getDestination().getType(), value = getValue().getType();
  if (destination.getShape() != value.getShape() || pointeeOf(destination) != value.getElementType())
    return emitOpError("failed to verify that `destination` type is expected a pointer type of `value` type");
  if (getMask() && getMask().getType().getShape() != destination.getShape())
    return emitOpError("failed to verify that shape of 'destination' must match the shape of 'mask'");
  if (failed(verifyHints(*this, getOptimizationHintsAttr(), {"latency"})))
    return failure();
  return verifyAccessOrdering(*this, /*isLoad=*/false, getMemoryOrderingSemantics(), getMemoryScope());
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

LogicalResult cuda_tile::verifyAtomicMode(Operation *op, AtomicRMWMode mode, Type element) {
  StringRef name = stringifyAtomicRMWMode(mode);
  switch (mode) {
  case AtomicRMWMode::AddF:
    if (!isBaseFloat(element))
      return op->emitOpError("'") << name << "' works only with floats f16, bf16, f32, and f64";
    return success();
  case AtomicRMWMode::Xchg:
    if (!isI32(element) && !isI64(element) && !element.isF32() && !element.isF64())
      return op->emitOpError("'") << name << "' works only with integers or float of 32 or 64 bitwidth";
    return success();
  default:
    if (!isI32(element) && !isI64(element))
      return op->emitOpError("'") << name << "' works only with integers i32 and i64";
    return success();
  }
}

LogicalResult AtomicRMWTkoOp::verify() {
  TileType pointers = getPointers().getType(), arg = getArg().getType();
  if (pointeeOf(pointers) != arg.getElementType())
    return emitOpError("expected pointee type (")
           << pointeeOf(pointers) << ") to match element type of 'arg' (" << arg.getElementType() << ")";
  if (getMask() && getMask().getType().getShape() != arg.getShape())
    return emitOpError("failed to verify that all of {pointers, arg, mask} have same shape");
  if (failed(verifyAtomicMode(*this, getMode(), arg.getElementType())))
    return failure();
  return verifyAtomicOrdering(*this, getMemoryOrderingSemantics());
}

LogicalResult AtomicCASTkoOp::verify() {
  TileType pointers = getPointers().getType(), value = getVal().getType();
  Type element = value.getElementType();
  if (pointeeOf(pointers) != element)
    return emitOpError("expected pointee type (")
           << pointeeOf(pointers) << ") to match element type of 'val' (" << element << ")";
  if (!isI32(element) && !isI64(element) && !element.isF32() && !element.isF64())
    return emitOpError("expect only float or integer types with 32 or 64 bit");
  if (getMask() && getMask().getType().getShape() != value.getShape())
    return emitOpError("failed to verify that all of {pointers, val, cmp and mask} have same shape");
  return verifyAtomicOrdering(*this, getMemoryOrderingSemantics());
}

LogicalResult AllocaOp::verify() {
  auto alignment = static_cast<int64_t>(getAlignment());
  if (alignment <= 0 || !llvm::isPowerOf2_64(alignment))
    return emitOpError("'alignment' must be power of two");
  Type element = pointeeOf(getResult().getType());
  int64_t natural = llvm::divideCeil(getStorageBits(element), 8);
  if (alignment < natural)
    return emitOpError("'alignment' (") << alignment << ") must be at least the natural size (" << natural
                                        << " bytes) for element type " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyForType([&] { return emitOpError(); }, getValue().getType());
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "assume"); }

//===----------------------------------------------------------------------===//
// print_tko
//===----------------------------------------------------------------------===//

LogicalResult PrintTkoOp::verify() {
  StringRef text = getStr();
  unsigned expected = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%')
      continue;
    if (i + 1 < text.size() && text[i + 1] == '%') {
      ++i;
      continue;
    }
    i = text.find_first_of("diuoxXeEfFgGaAcsSpn", i + 1);
    if (i == StringRef::npos)
      return emitOpError("found unterminated format expression");
    ++expected;
  }
  if (expected != getArgs().size())
    return emitOpError("incorrect number of operands: expected ") << expected << ", found " << getArgs().size();
  return success();
}
