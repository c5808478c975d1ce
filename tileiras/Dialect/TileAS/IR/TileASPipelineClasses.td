//===- TileASPipelineClasses.td - What operations of pipelines have in common -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINECLASSES_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINECLASSES_TD

include "tileiras/Dialect/TileAS/IR/AgentLikeOpInterface.td"
include "tileiras/Dialect/TileAS/IR/TileASOperands.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A function that uses a ring of two stages: what the examples of this file have in common.
class TileAS_RingExample<string body> {
  string text = [{

    ```mlir
    #shared = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
    #tile = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
    !stage = tensor<64xf32, #shared>
    !pipe = !nv_tileas.pipeline<2 x (!stage)>
    !iter = !nv_tileas.pipeline_iterator<2 x (!stage)>
    nv_tileaa.func @example(%a: !stage, %b: !stage, %p: !pipe, %i: !iter, %x: tensor<64xf32, #tile>) {}] # body # [{      nv_tileaa.return
    }
    ```
  }];
}

class TileAS_PipelineOp<string mnemonic, list<Trait> traits = []>
    : Op<TileAS_Dialect, "async.pipeline." # mnemonic, traits>;

def TileAS_MakesMbarriers : NativeOpTrait<"MakesMbarriers"> { let cppNamespace = "::mlir::nv_tileas"; }

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINECLASSES_TD
