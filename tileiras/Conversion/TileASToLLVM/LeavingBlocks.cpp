//===- LeavingBlocks.cpp - Blocks that have nothing to do -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/LeavingBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/TileBlocks.h"
#include "tileiras/Support/LinearLayout.h"

using namespace mlir;
using namespace mlir::tilellvm;

bool tilellvm::isForOneBlockOfMany(func::FuncOp func) {
  auto dims = func->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim");
  if (!dims || func->hasAttr(nv_tileas::kDividedClusterAttr) || func.getNumResults() ||
      llvm::all_of(dims.asArrayRef(), [](int32_t d) { return d == 1; }))
    return false;
  auto spread = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && nv_tileas::isIn(type, nv_tileas::MemoryKind::Registers) &&
           nv_tileas::getLinearLayout(tile).inSize(::tileiras::kBlock) > 1;
  };
  return !func.walk([&](Operation *op) {
                return llvm::any_of(op->getResultTypes(), spread) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Blocks leave for which the condition, computed where the kernel begins, is false.
static void leaveUnless(func::FuncOp func, llvm::function_ref<Value(OpBuilder &)> condition) {
  Block *entry = &func.getBody().front();
  Block::iterator begin = entry->begin(); // after the buffers of the frame
  for (auto it = entry->begin(); it != entry->end(); ++it)
    if (isa<LLVM::AllocaOp>(*it))
      begin = std::next(it);
  Block *body = entry->splitBlock(begin);
  OpBuilder b = OpBuilder::atBlockEnd(entry);
  Value stays = condition(b);
  Block *done = b.createBlock(&func.getBody(), func.getBody().end());
  b.setInsertionPointToEnd(done);
  func::ReturnOp::create(b, func.getLoc());
  b.setInsertionPointToEnd(entry);
  cf::CondBranchOp::create(b, func.getLoc(), stays, body, ValueRange(), done, ValueRange());
}

void tilellvm::leaveToFirstBlock(func::FuncOp func) {
  leaveUnless(func, [&](OpBuilder &b) {
    Emitter e(b, func.getLoc());
    return e.icmp(LLVM::ICmpPredicate::eq, e.block(), e.i32(0));
  });
}

void tilellvm::leaveToStayingBlocks(func::FuncOp func) {
  auto staying = func->getAttrOfType<DenseI64ArrayAttr>(nv_tileas::kStayingBlocksAttr);
  func->removeAttr(nv_tileas::kStayingBlocksAttr);
  auto cluster = func->getAttrOfType<DenseI32ArrayAttr>("nvvm.cluster_dim");
  bool clusters = cluster && llvm::any_of(cluster.asArrayRef(), [](int32_t d) { return d != 1; });
  if (!staying || staying.size() != (clusters ? 3 : 2) || staying[0] < 1 || staying[1] < 0 ||
      (clusters && staying[2] < 1) || func.getNumResults())
    return;
  leaveUnless(func, [&](OpBuilder &b) -> Value {
    Location loc = func.getLoc();
    Type word = b.getI32Type();
    // All blocks of a cluster leave, or none.
    SmallVector<Value> id, grid;
    if (clusters) {
      id = {NVVM::ClusterIdXOp::create(b, loc, word), NVVM::ClusterIdYOp::create(b, loc, word),
            NVVM::ClusterIdZOp::create(b, loc, word)};
      grid = {NVVM::ClusterDimXOp::create(b, loc, word), NVVM::ClusterDimYOp::create(b, loc, word),
              NVVM::ClusterDimZOp::create(b, loc, word)};
    } else {
      id = {NVVM::BlockIdXOp::create(b, loc, word), NVVM::BlockIdYOp::create(b, loc, word),
            NVVM::BlockIdZOp::create(b, loc, word)};
      grid = {NVVM::GridDimXOp::create(b, loc, word), NVVM::GridDimYOp::create(b, loc, word),
              NVVM::GridDimZOp::create(b, loc, word)};
    }
    nv_tileas::DividedGrid divided = nv_tileas::divideGrid(b, loc, id, grid, staying, [](Operation *) {});
    Value own = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, divided.own, divided.step);
    Value theirs =
        arith::XOrIOp::create(b, loc, divided.divide, arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
    return arith::OrIOp::create(b, loc, own, theirs);
  });
}
