//===- TileBlocks.cpp - Which block does which tile block -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;

/// PTX that names the block's own number.
static bool namesBlock(StringRef ptx) { return ptx.contains("ctaid") || ptx.contains("clusterid"); }

/// Whether an operation has its own idea of the block's number, or somebody else decides what it does.
static bool knowsBlock(Operation *op) {
  if (isa<NVVM::SmDimOp>(op)) // the same for all blocks
    return false;
  // Which block of its cluster it is, whatever tile block that has; and where its blocks meet.
  if (isa<NVVM::ClusterId, NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  if (llvm::is_contained({"nvvm", "gpu", "cutlass"}, dialect))
    return true;
  if (isa<nv_tileaa::CancelNextProgramIdOp>(op) || op->hasAttr(kPersistentAttr))
    return true;
  if (auto ptx = dyn_cast<nv_tileaa::ElementwiseInlineAsmOp>(op); ptx && namesBlock(ptx.getAsmString()))
    return true;
  auto ptx = dyn_cast<LLVM::InlineAsmOp>(op);
  return ptx && namesBlock(ptx.getAsmString());
}

/// Whether other blocks may notice what an operation does, and when.
static bool mayMeetOthers(Operation *op) {
  if (isa<AgentSwitchOp>(op))
    return true;
  if (isa<NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op)) // those of its own cluster, as often in every tile block
    return false;
  if (auto access = dyn_cast<nv_tileaa::MemoryAccessOpInterface>(op))
    return access.isAtomic() || access.getMemSemantic() != nv_tileaa::MemSemantic::Weak;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || op->hasTrait<OpTrait::IsTerminator>() ||
      isMemoryEffectFree(op))
    return false;
  // Tiles, rings and tokens of this block.
  if (isa_and_nonnull<TileASDialect>(op->getDialect()))
    return false;
  if (!isa_and_nonnull<nv_tileaa::TileAADialect>(op->getDialect()))
    return true;
  // Of nv_tileaa: what is ordered by tokens is an access, a fence of this block, or text for people, as assertions are.
  bool token = llvm::any_of(op->getResultTypes(), [](Type type) { return isa<nv_tileaa::MemTokenType>(type); });
  return !token && !isa<nv_tileaa::AssertOp, nv_tileaa::OptimizationBarrierOp>(op);
}

StringRef nv_tileas::whyTileBlocksStay(nv_tileaa::FuncOp func, bool clustersGo) {
  auto spec = func->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr);
  bool go = clustersGo && func->hasAttr(kDividedClusterAttr) &&
            spec.getNumCTAs() == spec.getClusterDimX() * spec.getClusterDimY() * spec.getClusterDimZ();
  if (go)
    ; // all blocks of a cluster have the same one
  else if (spec.getNumCTAs() > 1 || spec.getClusterDimX() * spec.getClusterDimY() * spec.getClusterDimZ() > 1)
    return "blocks of a cluster share a tile block";
  StringRef why;
  func.walk([&](Operation *op) {
    if (op == func)
      return WalkResult::advance();
    if (knowsBlock(op))
      why = "something else knows the number of the block";
    else if (mayMeetOthers(op))
      why = "blocks may synchronise through memory, or agents divide the warps";
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return why;
}

bool nv_tileas::shareMultiprocessor(nv_tileaa::FuncOp func) {
  auto occupancy = func->getAttrOfType<IntegerAttr>(nv_tileaa::kOccupancyAttr);
  return occupancy && occupancy.getInt() > 1;
}

bool nv_tileas::dependsOnTileBlock(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value one = needed[i];
    Operation *def = one.getDefiningOp();
    if (!def && isa<nv_tileaa::FuncOp>(one.getParentBlock()->getParentOp()))
      continue;
    if (!def || def->getNumRegions() || isa<nv_tileaa::GetProgramIdOp>(def))
      return true;
    needed.insert(def->operand_begin(), def->operand_end());
  }
  return false;
}

int64_t nv_tileas::multiprocessorsOfTarget(Operation *op) {
  const tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
  const tileiras::SmLimits *limits = target ? tileiras::lookupSmLimits(target->computeCapability) : nullptr;
  return limits ? limits->multiprocessors : 0;
}

Value nv_tileas::countMultiprocessors(OpBuilder &builder, Location loc, llvm::function_ref<void(Operation *)> made) {
  auto there = NVVM::SmDimOp::create(builder, loc, builder.getI32Type());
  auto wide = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), there);
  made(there);
  made(wide);
  return wide;
}

DividedGrid nv_tileas::divideGrid(OpBuilder &builder, Location loc, ValueRange id, ValueRange grid,
                                  ArrayRef<int64_t> staying, llvm::function_ref<void(Operation *)> made) {
  Type wide = builder.getI64Type();
  auto keep = [&](Operation *op) {
    made(op);
    return op->getResult(0);
  };
  auto number = [&](int64_t value) {
    return keep(arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)));
  };
  auto mul = [&](Value a, Value b) { return keep(arith::MulIOp::create(builder, loc, a, b)); };
  auto add = [&](Value a, Value b) { return keep(arith::AddIOp::create(builder, loc, a, b)); };
  SmallVector<Value> own, size;
  for (int axis = 0; axis < 3; ++axis) {
    own.push_back(keep(arith::ExtUIOp::create(builder, loc, wide, id[axis])));
    size.push_back(keep(arith::ExtUIOp::create(builder, loc, wide, grid[axis])));
  }
  DividedGrid divided;
  Value plane = mul(size[0], size[1]);
  divided.all = mul(plane, size[2]);
  divided.own = add(own[0], add(mul(size[0], own[1]), mul(plane, own[2])));
  divided.step = number(staying[0]);
  // Blocks beyond the multiprocessors of a smaller GPU would begin only when the others have ended.
  if (staying[1]) {
    Value there = mul(countMultiprocessors(builder, loc, made), number(staying[1]));
    if (staying.size() > 2) {
      there = keep(arith::DivUIOp::create(builder, loc, there, number(staying[2])));
      there = keep(arith::MaxSIOp::create(builder, loc, there, number(1)));
    }
    divided.step = keep(arith::MinSIOp::create(builder, loc, divided.step, there));
  }
  // More than this, and the sum of a counter and a step might leave a word.
  Value counted = keep(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, divided.all, number(1 << 30)));
  Value more = keep(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, divided.all, divided.step));
  divided.divide = keep(arith::AndIOp::create(builder, loc, counted, more));
  return divided;
}

SmallVector<Value> nv_tileas::programIdOfRound(OpBuilder &builder, Location loc, Value round, Value divided,
                                               ValueRange grid, ValueRange own) {
  SmallVector<Type> words(3, round.getType());
  auto where = scf::IfOp::create(builder, loc, words, divided, /*withElseRegion=*/true);
  OpBuilder inner = where.getThenBodyBuilder();
  SmallVector<Value> coordinates;
  Value rest = round;
  for (int axis = 0; axis < 2; ++axis) {
    Value quotient = arith::DivUIOp::create(inner, loc, rest, grid[axis]);
    Value whole = arith::MulIOp::create(inner, loc, quotient, grid[axis]);
    coordinates.push_back(arith::SubIOp::create(inner, loc, rest, whole));
    rest = quotient;
  }
  coordinates.push_back(rest);
  scf::YieldOp::create(inner, loc, coordinates);
  inner = where.getElseBodyBuilder();
  scf::YieldOp::create(inner, loc, own);
  return SmallVector<Value>(where.getResults());
}
