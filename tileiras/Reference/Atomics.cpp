//===- Atomics.cpp - Atomic operations on memory -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tile blocks run one after the other, so every read-modify-write is atomic. Within one tile
// the elements are processed in row-major order.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/ViewAccess.h"
#include "tileiras/Support/FloatArithmetic.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

static uint64_t combine(AtomicRMWMode mode, DType type, uint64_t old, uint64_t value) {
  unsigned width = bitWidth(type);
  int64_t a = signExtend(old, width), b = signExtend(value, width);
  switch (mode) {
  case AtomicRMWMode::And:
    return old & value;
  case AtomicRMWMode::Or:
    return old | value;
  case AtomicRMWMode::Xor:
    return old ^ value;
  case AtomicRMWMode::Add:
    return maskBits(old + value, width);
  case AtomicRMWMode::AddF: // what the hardware does in global memory (PTX ISA, atom: .add of .f32 flushes subnormals)
    return addFloat(type, old, value, {Rounding::NearestEven, /*flushToZero=*/type == DType::F32});
  case AtomicRMWMode::Max:
    return a > b ? old : value;
  case AtomicRMWMode::Min:
    return a < b ? old : value;
  case AtomicRMWMode::UMax:
    return std::max(old, value);
  case AtomicRMWMode::UMin:
    return std::min(old, value);
  case AtomicRMWMode::Xchg:
    return value;
  }
  return old;
}

void reference::addAtomicHandlers(HandlerTable &table) {
  table.add<AtomicRMWTkoOp>([](Evaluator &e, AtomicRMWTkoOp op) -> LogicalResult {
    const Tile &pointers = e.tile(op.getPointers()), &value = e.tile(op.getArg());
    const Tile *mask = op.getMask() ? &e.tile(op.getMask()) : nullptr;
    Tile old = makeTile(op.getResult().getType());
    for (int64_t i = 0; i < value.size(); ++i) {
      if (mask && !mask->data[size_t(i)])
        continue;
      uint8_t *bytes = e.access(op, "atomic", value.type, pointers.data[size_t(i)], true, value.shape, i);
      if (!bytes)
        return failure();
      uint64_t before = loadElement(value.type, bytes, 0);
      old.data[size_t(i)] = before;
      storeElement(value.type, bytes, 0, combine(op.getMode(), value.type, before, value.data[size_t(i)]));
    }
    e.set(op.getResult(), std::move(old));
    e.set(op.getResultToken(), Token());
    return success();
  });
  table.add<AtomicCASTkoOp>([](Evaluator &e, AtomicCASTkoOp op) -> LogicalResult {
    const Tile &pointers = e.tile(op.getPointers());
    const Tile &expected = e.tile(op.getCmp()), &value = e.tile(op.getVal());
    const Tile *mask = op.getMask() ? &e.tile(op.getMask()) : nullptr;
    Tile old = expected; // what masked-off elements return
    for (int64_t i = 0; i < value.size(); ++i) {
      if (mask && !mask->data[size_t(i)])
        continue;
      uint8_t *bytes = e.access(op, "atomic", value.type, pointers.data[size_t(i)], true, value.shape, i);
      if (!bytes)
        return failure();
      uint64_t before = loadElement(value.type, bytes, 0);
      old.data[size_t(i)] = before;
      if (before == expected.data[size_t(i)]) // floats too compare as bits
        storeElement(value.type, bytes, 0, value.data[size_t(i)]);
    }
    e.set(op.getResult(), std::move(old));
    e.set(op.getResultToken(), Token());
    return success();
  });
  table.add<AtomicRedViewTkoOp>([](Evaluator &e, AtomicRedViewTkoOp op) -> LogicalResult {
    const View &view = *std::get<ViewRef>(e.lookup(op.getView()));
    const Tile &value = e.tile(op.getValue());
    e.set(op.getResultToken(), Token());
    return forEachViewElement(e, op, view, op.getIndex(), [&](const ViewElement &element) -> LogicalResult {
      if (!element.inside)
        return success();
      uint8_t *bytes = e.access(op, "atomic", value.type, element.address, true, value.shape, element.position);
      if (!bytes)
        return failure();
      uint64_t before = loadElement(value.type, bytes, 0);
      storeElement(value.type, bytes, 0,
                   combine(op.getMode(), value.type, before, value.data[size_t(element.position)]));
      return success();
    });
  });
}
