//===- CuteNvgpuOps.cpp - Operations of cute_nvgpu ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::cute_nvgpu;
using mlir::cute::AddressSpace;
using mlir::cute::bytesOf;
using mlir::cute::PtrType;

#define GET_OP_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuOps.cpp.inc"

static LogicalResult expectSpace(Operation *op, PtrType type, AddressSpace space, const char *name) {
  if (type.getSpace() != space)
    return op->emitOpError("expects an address in ") << name << ", got " << type;
  return success();
}

LogicalResult AllocRmemOp::verify() {
  if (int64_t(getElements()) > 4096 / bytesOf(getType().getElement()))
    return emitOpError() << getElements() << " elements are larger than 4096 bytes";
  return expectSpace(*this, getType(), AddressSpace::Register, "rmem");
}
LogicalResult AllocSmemOp::verify() {
  if (int64_t(getElements()) > 233472 / bytesOf(getType().getElement()))
    return emitOpError() << getElements() << " elements are larger than 233472 bytes";
  return expectSpace(*this, getType(), AddressSpace::Shared, "smem");
}
LogicalResult GetDynSmemOp::verify() { return expectSpace(*this, getType(), AddressSpace::Shared, "smem"); }

static LogicalResult verifyMatrices(Operation *op, PtrType rows, size_t words) {
  if (words != 1 && words != 2 && words != 4)
    return op->emitOpError("expects 1, 2 or 4 words, got ") << words;
  if (rows.getAlignment() % 16)
    return op->emitOpError("a row is aligned to 16 bytes, not ") << rows.getAlignment();
  return expectSpace(op, rows, AddressSpace::Shared, "smem");
}
LogicalResult ArchLdsmOp::verify() { return verifyMatrices(*this, getSource().getType(), getNumResults()); }
LogicalResult ArchStsmOp::verify() { return verifyMatrices(*this, getTarget().getType(), getWords().size()); }

LogicalResult ArchCpAsyncOp::verify() {
  int64_t bytes = int64_t(getBytes());
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return emitOpError("cp.async copies 4, 8 or 16 bytes, not ") << bytes;
  if (failed(expectSpace(*this, getTarget().getType(), AddressSpace::Shared, "smem")) ||
      failed(expectSpace(*this, getSource().getType(), AddressSpace::Global, "gmem")))
    return failure();
  for (PtrType side : {getTarget().getType(), getSource().getType()})
    if (side.getAlignment() % bytes)
      return emitOpError("copies of ") << bytes << " bytes are aligned to as many, not to " << side.getAlignment();
  return success();
}

LogicalResult AtomTmaLoadOp::verify() {
  auto barrier = getBarrier().getType();
  if (!barrier.getElement().isInteger(64))
    return emitOpError("an mbarrier is an i64, got ") << barrier.getElement();
  return expectSpace(*this, barrier, AddressSpace::Shared, "smem");
}
