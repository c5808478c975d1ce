//===- PointerOps.cpp - Loads and stores through tiles of pointers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

/// What the allocas of one tile block may take together.
static constexpr uint64_t kMaxAllocaBytes = uint64_t(1) << 28;

/// The address a pointer to `type` holds, and which half of the byte it means.
static std::pair<uint64_t, int64_t> placeOf(DType type, uint64_t pointer) {
  if (storageBits(type) != 4)
    return {pointer, 0};
  return {pointer & ~(uint64_t(1) << 63), int64_t(pointer >> 63)};
}

static LogicalResult loadThroughPointers(Evaluator &e, LoadPtrTkoOp op) {
  const Tile &pointers = e.tile(op.getSource());
  const Tile *mask = op.getMask() ? &e.tile(op.getMask()) : nullptr;
  const Tile *padding = op.getPaddingValue() ? &e.tile(op.getPaddingValue()) : nullptr;
  Tile result = makeTile(op.getResult().getType());
  for (int64_t i = 0; i < result.size(); ++i) {
    if (mask && !mask->data[size_t(i)]) {
      if (padding)
        result.data[size_t(i)] = padding->data[size_t(i)];
      continue;
    }
    auto [address, nibble] = placeOf(result.type, pointers.data[size_t(i)]);
    uint8_t *bytes = e.access(op, "load", result.type, address, false, result.shape, i);
    if (!bytes)
      return failure();
    result.data[size_t(i)] = loadElement(result.type, bytes, nibble);
  }
  e.set(op.getResult(), std::move(result));
  e.set(op.getResultToken(), Token());
  return success();
}

static LogicalResult storeThroughPointers(Evaluator &e, StorePtrTkoOp op) {
  const Tile &pointers = e.tile(op.getDestination());
  const Tile &value = e.tile(op.getValue());
  const Tile *mask = op.getMask() ? &e.tile(op.getMask()) : nullptr;
  for (int64_t i = 0; i < value.size(); ++i) {
    if (mask && !mask->data[size_t(i)])
      continue;
    auto [address, nibble] = placeOf(value.type, pointers.data[size_t(i)]);
    uint8_t *bytes = e.access(op, "store", value.type, address, true, value.shape, i);
    if (!bytes)
      return failure();
    storeElement(value.type, bytes, nibble, value.data[size_t(i)]);
  }
  e.set(op.getResultToken(), Token());
  return success();
}

void reference::addPointerHandlers(HandlerTable &table) {
  table.add<LoadPtrTkoOp>([](Evaluator &e, LoadPtrTkoOp op) { return loadThroughPointers(e, op); });
  table.add<StorePtrTkoOp>([](Evaluator &e, StorePtrTkoOp op) { return storeThroughPointers(e, op); });
  table.add<AllocaOp>([](Evaluator &e, AllocaOp op) -> LogicalResult {
    auto pointer = cast<PointerType>(op.getResult().getType().getElementType());
    uint64_t count = op.getNumElem();
    uint64_t bytes = count > kMaxAllocaBytes // also keeps the product below from wrapping
                         ? count
                         : uint64_t(storageBytes(dtypeOf(pointer.getPointeeType()), int64_t(count)));
    if (bytes > kMaxAllocaBytes || e.stackBytes + bytes > kMaxAllocaBytes)
      return op.emitError("allocation of ")
             << count << " elements: a tile block may allocate " << kMaxAllocaBytes << " bytes";
    e.stackBytes += bytes;
    uint64_t base =
        e.memory.allocate("alloca", std::vector<uint8_t>(size_t(bytes)), std::max<uint64_t>(op.getAlignment(), 1));
    e.stackMemory.push_back(base);
    e.setScalar(op.getResult(), base);
    return success();
  });

  // Order is program order: tokens carry nothing, fences have nothing to wait for.
  table.add<MakeTokenOp>([](Evaluator &e, MakeTokenOp op) {
    e.set(op.getResult(), Token());
    return success();
  });
  table.add<JoinTokensOp>([](Evaluator &e, JoinTokensOp op) {
    e.set(op.getResult(), Token());
    return success();
  });
  table.add<MemoryFenceAliasTkoOp>([](Evaluator &e, MemoryFenceAliasTkoOp op) {
    e.set(op.getResultToken(), Token());
    return success();
  });
  table.add<GdcLaunchDependentsTkoOp>([](Evaluator &e, GdcLaunchDependentsTkoOp op) {
    e.set(op.getResultToken(), Token());
    return success();
  });
  table.add<GdcWaitTkoOp>([](Evaluator &e, GdcWaitTkoOp op) {
    e.set(op.getResultToken(), Token());
    return success();
  });
}
