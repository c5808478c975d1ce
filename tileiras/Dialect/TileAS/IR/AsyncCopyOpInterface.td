//===- AsyncCopyOpInterface.td - Copies of threads that go on -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_ASYNCCOPYOPINTERFACE_TD
#define TILEIRAS_DIALECT_TILEAS_IR_ASYNCCOPYOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TileAS_AsyncCopyOpInterface : OpInterface<"AsyncCopyOpInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    A copy of a tile from global to shared memory that threads issue, each its runs of bytes, and that goes on while they
    do something else: `async.tiled_load` through a view, `async.load` through pointers. Rings of stages are made of
    them, whatever says where the tile is. They are accesses to memory as well (MemoryAccessOpInterface), of which
    `getFilled` is the tile, too.

    ```
    def Foo_CopyOp : Foo_Op<"copy", [TileAA_MemoryAccessOpInterface, TileAS_AsyncCopyOpInterface, ...]> {
      let arguments = (ins ..., TileAS_Tile:$dest, Optional<TileAA_MemTokenType>:$token, TileAS_CopyAtomAttrInterface:$atom,
                           UnitAttr:$no_war_barrier);
      let results = (outs TileAS_AsyncTokenType:$done, TileAA_MemTokenType:$result_token);
    }
    ```
  }];
  let methods = [
    InterfaceMethod<"The tile in shared memory.", "::mlir::Value", "getDest", (ins)>,
    InterfaceMethod<"What a wait for the copy names.", "::mlir::Value", "getDone", (ins)>,
    InterfaceMethod<"What must have happened before; null: nothing.", "::mlir::Value", "getToken", (ins)>,
    InterfaceMethod<"That it is under way.", "::mlir::Value", "getResultToken", (ins)>,
    InterfaceMethod<"The instruction that copies a run.", "::mlir::nv_tileas::CopyAtomAttrInterface", "getAtom", (ins)>,
    InterfaceMethod<"Notes that no thread can still be reading what the tile held before.", "void", "markNoWarBarrier",
                    (ins), [{}], [{ $_op.setNoWarBarrierAttr(::mlir::UnitAttr::get($_op.getContext())); }]>,
    InterfaceMethod<"Whether what is copied is rounded on its way, and goes through registers.", "bool", "isRounded",
                    (ins), [{}], [{
      if constexpr (requires { $_op.getView(); })
        return bool($_op.getView().getType().getRounded());
      else
        return false;
    }]>
  ];
  let extraSharedClassDeclaration = [{
    /// The operands that say what is copied: all but the tile and the token.
    ::llvm::SmallVector<::mlir::Value> getPlace() {
      ::llvm::SmallVector<::mlir::Value> place;
      for (::mlir::Value operand : $_op->getOperands())
        if (operand != $_op.getDest() && operand != $_op.getToken())
          place.push_back(operand);
      return place;
    }
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_ASYNCCOPYOPINTERFACE_TD
