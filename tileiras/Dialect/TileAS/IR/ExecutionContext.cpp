//===- ExecutionContext.cpp - Which threads run this code -----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/ExecutionContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.h"

using namespace mlir;
using namespace mlir::nv_tileas;

#include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.cpp.inc"

namespace {

int64_t product(Operation *op, StringRef name) {
  int64_t product = 1;
  if (auto dims = op->getAttrOfType<DenseI32ArrayAttr>(name))
    for (int32_t d : dims.asArrayRef())
      product *= d;
  return product;
}

/// A function by its kernel_spec, or, on the way to LLVM, by the block size it requires.
ExecutionContext ofKernel(Operation *op) {
  ExecutionContext context;
  if (auto spec = op->getAttrOfType<nv_tileaa::KernelSpecAttr>(nv_tileaa::kKernelSpecAttr)) {
    context.numWarps = spec.getNumWarps();
    context.numCtas = spec.getClusterDimX() * spec.getClusterDimY() * spec.getClusterDimZ();
    context.isDeclared = true;
  } else if (op->hasAttr("nvvm.reqntid")) {
    context.numWarps = std::max<int64_t>(product(op, "nvvm.reqntid") / 32, 1);
    context.numCtas = product(op, "nvvm.cluster_dim");
    context.isDeclared = true;
  }
  return context;
}

template <typename Op> struct Kernel : AgentLikeOpInterface::ExternalModel<Kernel<Op>, Op> {
  ExecutionContext getExecutionContext(Operation *op, Region &) const { return ofKernel(op); }
};

} // namespace

void nv_tileas::attachKernelAgents(MLIRContext &context) {
  context.loadDialect<func::FuncDialect>();
  nv_tileaa::FuncOp::attachInterface<Kernel<nv_tileaa::FuncOp>>(context);
  func::FuncOp::attachInterface<Kernel<func::FuncOp>>(context);
}

ExecutionContext ExecutionContext::of(Region *region) {
  for (; region; region = region->getParentRegion()) {
    if (auto agent = dyn_cast<AgentLikeOpInterface>(region->getParentOp()))
      return agent.getExecutionContext(*region);
    if (isa<FunctionOpInterface>(region->getParentOp())) // before there is anything of nv_tileas
      return ofKernel(region->getParentOp());
  }
  return {};
}

ExecutionContext ExecutionContext::of(Operation *op) {
  if (isa<FunctionOpInterface>(op) && op->getNumRegions())
    return of(&op->getRegion(0));
  return of(op->getParentRegion());
}
