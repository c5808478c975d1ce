//===- ProducerKinds.cpp - How stages of pipelines are filled -------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/ProducerKinds.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::nv_tileas;

StringRef nv_tileas::getProducerKind(ProducerWriteOp write) {
  if (auto kind = write->getAttrOfType<StringAttr>(kProducerKindAttr))
    return kind;
  StringRef kind = "sync";
  write.walk([&](Operation *op) {
    if (isTensorLoad(op))
      kind = "tma";
    else if (isa<AsyncCopyOpInterface>(op) && kind != "tma")
      kind = "async_copy";
  });
  return kind;
}

/// The pipeline that a value stands for, through the captures of agents.
static Value pipelineOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto agents = dyn_cast<AgentSwitchOp>(argument.getOwner()->getParentOp());
    if (!agents)
      break;
    value = agents.getCaptures()[argument.getArgNumber()];
  }
  return value;
}

LogicalResult nv_tileas::checkProducers(Operation *func) {
  llvm::MapVector<Value, SmallVector<ProducerWriteOp>> writes;
  func->walk([&](ProducerWriteOp write) {
    // A stage that nobody copies into has no kind.
    if (write->hasAttr(kProducerKindAttr) || !write.getBody().front().without_terminator().empty())
      writes[pipelineOf(write.getPipeline())].push_back(write);
  });
  LogicalResult result = success();
  for (auto &[pipeline, producers] : writes)
    for (ProducerWriteOp other : ArrayRef(producers).drop_front())
      if (getProducerKind(other) != getProducerKind(producers.front())) {
        result =
            other.emitError("there are two `produce-one-like` operations using different instructions to generate data "
                            "into the same pipeline. It's a bug of MaterializeAsync Pass.");
        break;
      }
  return result;
}
