//===- SchedulerOps.cpp - Verifiers of tile schedulers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"

using namespace mlir;
using namespace mlir::cutlass;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static LogicalResult verifyKind(Operation *op, SchedulerParamsType type, SchedulerKind kind) {
  if (type.getKind() != kind)
    return op->emitOpError("expects parameters of kind '")
           << stringifySchedulerKind(kind) << "', got '" << stringifySchedulerKind(type.getKind()) << "'";
  return success();
}

static LogicalResult verifyUnits(Operation *op, SchedulerParamsType type, SchedulerKind kind, Value units) {
  if (failed(verifyKind(op, type, kind)))
    return failure();
  if (bool(units) == (kind == SchedulerKind::DP))
    return op->emitOpError("expects 'units', how many blocks there are, unless every tile has one");
  APInt number;
  if (units && matchPattern(units, m_ConstantInt(&number)) && number.getSExtValue() < 1)
    return op->emitOpError("expects at least one of 'units'");
  return success();
}

template <typename Op> static LogicalResult verifyMade(Op op, SchedulerKind kind) {
  ArrayRef<int32_t> tile = op.getTile();
  if (tile.size() != 3 || llvm::any_of(tile, [](int32_t extent) { return extent < 1; }))
    return op.emitOpError("expects three positive extents of a tile");
  return verifyUnits(op, op.getResult().getType(), kind, op.getUnits());
}
template <typename Op> static LogicalResult verifyCreated(Op op, SchedulerKind kind) {
  return verifyUnits(op, op.getResult().getType(), kind, op.getUnits());
}
LogicalResult MakeDPParamsOp::verify() { return verifyMade(*this, SchedulerKind::DP); }
LogicalResult MakeStaticPersistentParamsOp::verify() { return verifyMade(*this, SchedulerKind::StaticPersistent); }
LogicalResult MakeStreamKParamsOp::verify() { return verifyMade(*this, SchedulerKind::StreamK); }
LogicalResult CreateDPParamsOp::verify() { return verifyCreated(*this, SchedulerKind::DP); }
LogicalResult CreateStaticPersistentParamsOp::verify() { return verifyCreated(*this, SchedulerKind::StaticPersistent); }
LogicalResult CreateStreamKParamsOp::verify() { return verifyCreated(*this, SchedulerKind::StreamK); }

LogicalResult ParamsGetValueOp::verify() {
  if (!getParam(getName()))
    return emitOpError("knows tiles_m, tiles_n, tiles_l, k_tiles, units and streamk_tiles, got '") << getName() << "'";
  return success();
}

LogicalResult InitializeWorkspaceOp::verify() {
  if (getParams().getType().getKind() != SchedulerKind::StreamK)
    return emitOpError("expects parameters of kind 'streamk', which alone has a workspace");
  if (getThreads() < 1 || getThreads() > 1024)
    return emitOpError("expects the threads of a block, 1 to 1024, got ") << getThreads();
  return success();
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

LogicalResult CreateSM100SchedulerOp::verify() {
  if (getParams().getType().getKind() != SchedulerKind::DP)
    return emitOpError("expects parameters of kind 'dp': every tile has a block, which others may take over");
  return success();
}

template <typename Op> static LogicalResult verifyInfo(Op op, SchedulerKind kind) {
  return verifyKind(op, op.getParams().getType(), kind);
}
LogicalResult CreateDPInfoOp::verify() { return verifyInfo(*this, SchedulerKind::DP); }
LogicalResult CreateStaticPersistentInfoOp::verify() { return verifyInfo(*this, SchedulerKind::StaticPersistent); }
LogicalResult CreateStreamKInfoOp::verify() { return verifyInfo(*this, SchedulerKind::StreamK); }

static LogicalResult verifyNumber(Operation *op, StringRef name) {
  if (!getInfo(name))
    return op->emitOpError("knows m, n, l, k_start, k_count, valid and tile, got '") << name << "'";
  return success();
}
LogicalResult InfoGetValueOp::verify() { return verifyNumber(*this, getName()); }
LogicalResult InfoSetValueOp::verify() { return verifyNumber(*this, getName()); }

LogicalResult InfoToCtaCoordOp::verify() {
  ArrayRef<int32_t> cluster = getCluster();
  if (cluster.size() != 2 || cluster[0] < 1 || cluster[1] < 1 || int64_t(cluster[0]) * cluster[1] > 16)
    return emitOpError("expects a cluster of m x n blocks, at most 16");
  return success();
}

LogicalResult FixupWaitOp::verify() { return verifyGeneric(*this, getFlags(), getSyncId(), getSyncThreads()); }
LogicalResult FixupIncrementOp::verify() { return verifyGeneric(*this, getFlags(), getSyncId(), getSyncThreads()); }

LogicalResult FixupOp::verify() {
  if (getParams().getType().getKind() != SchedulerKind::StreamK)
    return emitOpError("expects parameters of kind 'streamk': otherwise a block computes all of a tile");
  auto sums = cast<VectorType>(getSums().getType());
  if (sums.getRank() != 1 || sums.isScalable() ||
      !(sums.getElementType().isF32() || sums.getElementType().isF64() || sums.getElementType().isInteger(32)))
    return emitOpError("expects sums in a vector of f32, f64 or i32, got ") << sums;
  if (getThreads() < 1 || getThreads() > 1024)
    return emitOpError("expects the threads that have sums, 1 to 1024, got ") << getThreads();
  if (failed(verifyNamed(*this, getSyncId(), getSyncThreads())))
    return failure();
  for (Value pointer : {getWorkspace(), getFlags()})
    if (unsigned space = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace(); space > 1)
      return emitOpError("expects a workspace in global memory, got address space ") << space;
  return success();
}
