//===- Stages.cpp - Barriers and tiles of a ring's stages -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/PipelineToNVVM/Stages.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileTypesToLLVM/TypeConverter.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using mlir::tilellvm::Emitter;

Value tileiras::sharedAddress(Emitter &e, RankedTensorType type, int64_t offset) {
  Value tile = AllocTensorOp::create(e.b, e.loc, type, e.b.getI64IntegerAttr(offset));
  unsigned space = isIn(type, MemoryKind::Tensor) ? tilellvm::kTensor : tilellvm::kShared;
  return UnrealizedConversionCastOp::create(e.b, e.loc, e.ptrTy(space), tile).getResult(0);
}

tileiras::Stage tileiras::stageOf(Emitter &e, ValueRange iterator, int64_t stages) {
  if (!countsFillings(stages))
    return Stage(iterator);
  Value filling = iterator.front(), number = e.andi(filling, e.i32(stages - 1));
  Value parity = e.andi(e.lshr(filling, llvm::Log2_64(stages)), e.i32(1));
  return Stage(SmallVector<Value>{number, parity});
}

/// What all warps of the kernel, or of the agent, run first.
static Block &entryOf(Emitter &e) {
  Region *region = e.b.getInsertionBlock()->getParent();
  while (!isa<FunctionOpInterface, AgentSwitchOp>(region->getParentOp()))
    region = region->getParentRegion();
  return region->front();
}

Value tileiras::holdBarriers(Emitter &e, const Ring &ring) {
  return tilellvm::inlinePtx(e, e.intTy(32), sharedAddress(e, ring.barriers, ring.barrierOffset), "mov.b32 $0, $1;",
                             "=r,r", tilellvm::Access::None);
}

static Value firstBarrier(Emitter &e, const tileiras::Ring &ring) {
  if (!getAgentSwitch(e.b.getInsertionBlock()->getParentOp()) && ring.barriersAt)
    return ring.barriersAt;
  return LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(32),
                                  tileiras::sharedAddress(e, ring.barriers, ring.barrierOffset));
}

Value tileiras::barriersOf(Emitter &e, const Ring &ring, Stage at) {
  return at.barriers ? at.barriers : e.add(firstBarrier(e, ring), e.mul(at.number, e.i32(2 * kBarrierBytes)));
}

tileiras::Barrier tileiras::barrierOf(Emitter &e, const Ring &ring, Stage at, bool full) {
  return {LLVM::IntToPtrOp::create(e.b, e.loc, e.ptrTy(3), barriersOf(e, ring, at)), full ? 0 : kBarrierBytes};
}

Value tileiras::stageTile(Emitter &e, const Ring &ring, unsigned number, Stage at) {
  auto type = cast<RankedTensorType>(ring.elements[number]);
  ArrayRef<int64_t> offsets = ring.tileOffsets[number];
  Value base = sharedAddress(e, type, offsets[0]), distance = e.i32(0);
  int64_t stride = offsets.size() > 1 ? offsets[1] - offsets[0] : 0;
  bool even = true;
  for (auto [i, offset] : llvm::enumerate(offsets))
    even &= offset == offsets[0] + int64_t(i) * stride;
  if (even) {
    distance = e.mul(at.number, e.i32(stride));
  } else {
    for (size_t i = 1; i < offsets.size(); ++i)
      distance =
          e.select(e.icmp(LLVM::ICmpPredicate::eq, at.number, e.i32(i)), e.i32(offsets[i] - offsets[0]), distance);
  }
  Value address = e.offsetBytes(base, distance);
  return UnrealizedConversionCastOp::create(e.b, e.loc, type, address).getResult(0);
}

tileiras::Stage tileiras::placeBefore(Emitter &e, const Ring &ring, Stage at, int32_t ago) {
  Value wraps = e.icmp(LLVM::ICmpPredicate::ult, at.number, e.i32(ago));
  int32_t stages = CreatePipelineOp(ring.op).getNumStages();
  at.number = e.add(at.number, e.select(wraps, e.i32(stages - ago), e.i32(-ago)));
  at.parity = e.xori(at.parity, e.resize(wraps, e.intTy(32)));
  at.barriers = Value();
  return at;
}

void tileiras::wait(Emitter &e, const Barrier &barrier, Value parity, bool ofCluster) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(e.b.getInsertionBlock()->getParentOp());
  spinOn(e, barrier, parity, /*canSleep=*/target && target->clusters, ofCluster);
}

void tileiras::waitUntilEmpty(Emitter &e, const Ring &ring, Stage at) {
  wait(e, barrierOf(e, ring, at, /*full=*/false), e.xori(at.parity, e.i32(1)), ring.blocks > 1);
}

Value tileiras::isFirstLane(Emitter &e) {
  constexpr llvm::StringLiteral mark = "nv_tileas.first_lane";
  Block &entry = entryOf(e);
  for (Operation &op : entry)
    if (op.hasAttr(mark))
      return op.getResult(0);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(&entry);
  // Of %laneid: LLVM would keep a lane that it computes from the thread's number for whoever needs that behind the
  // loop.
  Value lane = e.lane();
  Value first = tilellvm::inlinePtx(e, e.intTy(1), lane, "setp.eq.u32 $0, $1, 0;", "=b,r", tilellvm::Access::None);
  first.getDefiningOp()->setAttr(mark, e.b.getUnitAttr());
  return first;
}

void tileiras::meet(Emitter &e, const Ring &ring) {
  if (ring.blocks > 1)
    meetInCluster(e);
  else
    e.barrier();
}

void tileiras::meetBehindCopies(Emitter &e, int32_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(e.b, e.loc, pending);
  e.asyncProxyFence();
  e.barrier();
}
