//===- AgentLikeOpInterface.td - Operations that say who runs their code -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_TD
#define TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TileAS_AgentLikeOpInterface : OpInterface<"AgentLikeOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    An operation whose regions are run by warps of its choosing: a kernel, whose body all warps of the block run, or
    `nv_tileas.async.pipeline.agent_switch`, where each region has warps of its own. Code that needs to know which
    threads run it does not ask this interface but `ExecutionContext::of` (ExecutionContext.h), which finds the
    enclosing agent.
  }];
  let methods = [
    InterfaceMethod<"the threads that run the code of one of the operation's regions",
                    "::mlir::nv_tileas::ExecutionContext", "getExecutionContext", (ins "::mlir::Region &":$region)>
  ];
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_AGENTLIKEOPINTERFACE_TD
