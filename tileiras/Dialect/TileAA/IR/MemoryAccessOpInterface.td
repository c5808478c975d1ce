//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes ask an access to global memory, in nv_tileaa and in nv_tileas.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_MEMORYACCESSOPINTERFACE_TD
#define TILEIRAS_DIALECT_TILEAA_IR_MEMORYACCESSOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def TileAA_MemoryAccessOpInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::mlir::nv_tileaa";
  let description = [{
    An operation that reads, writes or atomically changes a tile of elements in global memory, through a tile of pointers
    or a view. Its first operand is the address, its last result the token.

    Everything follows from the operation's operands and attributes, if they are called like those of the others, so an
    operation only names the interface:

    ```
    def Foo_LoadOp : Foo_Op<"load", [TileAA_MemoryAccessOpInterface, ...]> {
      let arguments = (ins AnyType:$ptrs, Optional<AnyType>:$mask, Optional<TileAA_MemTokenType>:$token,
                           TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
      let results = (outs AnyType:$result, TileAA_MemTokenType:$result_token);
    }
    ```
  }];
  let methods = [
    InterfaceMethod<"Pointers, or the view.", "::mlir::Value", "getAddress", (ins), [{}],
                    [{ return $_op->getOperand(0); }]>,
    InterfaceMethod<"Elements from memory, as they were before an atomic operation; null if there are none.",
                    "::mlir::Value", "getLoaded", (ins), [{}], [{
      ::mlir::Value first = $_op->getResult(0);
      return ::llvm::isa<::mlir::nv_tileaa::MemTokenType>(first.getType()) ? ::mlir::Value() : first;
    }]>,
    InterfaceMethod<"The tile of shared memory that elements go to past the registers; null: they do not.",
                    "::mlir::Value", "getFilled", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"Elements for memory, or the right operand of an atomic operation; null if there are none.",
                    "::mlir::Value", "getStored", (ins), [{}], [{
      if constexpr (requires { $_op.getValue(); })
        return $_op.getValue();
      else
        return {};
    }]>,
    InterfaceMethod<"Which of its elements are accessed; null: all that lie inside the view.", "::mlir::Value",
                    "getAccessMask", (ins), [{}], [{
      if constexpr (requires { $_op.getMask(); })
        return $_op.getMask();
      else
        return {};
    }]>,
    InterfaceMethod<"What must have happened before; null: nothing.", "::mlir::Value", "getToken", (ins)>,
    InterfaceMethod<"That this has happened.", "::mlir::Value", "getResultToken", (ins)>,
    InterfaceMethod<"Weak, or which order it imposes.", "::mlir::nv_tileaa::MemSemantic", "getMemSemantic", (ins)>,
    InterfaceMethod<"Among which threads; none for weak accesses.", "std::optional<::mlir::nv_tileaa::MemScope>",
                    "getMemScope", (ins)>,
    InterfaceMethod<"Whether reading and writing are one step.", "bool", "isAtomic", (ins), [{}],
                    [{ return requires { $_op.getRmwMode(); } || requires { $_op.getCmp(); }; }]>,
    InterfaceMethod<"The dimension of the tile along which coordinates are given one by one (gather, scatter).",
                    "std::optional<unsigned>", "getCoordinateAxis", (ins), [{}], [{
      if constexpr (requires { $_op.getAxis(); })
        return $_op.getAxis();
      else
        return std::nullopt;
    }]>,
    InterfaceMethod<"Per dimension of the view's tile, whether it is promised to lie inside; none: nothing is.",
                    "std::optional<::llvm::ArrayRef<bool>>", "getPromisedInBounds", (ins), [{}], [{
      if constexpr (requires { $_op.getInBounds(); })
        return $_op.getInBounds();
      else
        return std::nullopt;
    }]>,
    InterfaceMethod<"Changes the promise, of an operation that can carry one.", "void", "setPromisedInBounds",
                    (ins "::llvm::ArrayRef<bool>":$promised), [{}], [{
      if constexpr (requires { $_op.setInBounds(promised); })
        $_op.setInBounds(promised);
    }]>,
    InterfaceMethod<"Notes how many neighbouring elements one instruction may move. False if the operation moves them one by one.",
                    "bool", "setVectorWidth", (ins "int64_t":$width), [{}], [{
      if constexpr (requires { $_op.setVec(width); }) {
        $_op.setVec(width);
        return true;
      } else {
        return false;
      }
    }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// What it moves from or to registers: elements loaded, else stored; null if they go past them.
    ::mlir::Value getTile() {
      ::mlir::Value loaded = $_op.getLoaded();
      return loaded ? loaded : $_op.getStored();
    }
    bool readsMemory() { return bool($_op.getLoaded()) || bool($_op.getFilled()) || $_op.isAtomic(); }
    bool writesMemory() { return bool($_op.getStored()); }
    bool isWeak() { return $_op.getMemSemantic() == ::mlir::nv_tileaa::MemSemantic::Weak; }
    bool isThroughView() { return ::llvm::isa<::mlir::nv_tileaa::TiledViewType>($_op.getAddress().getType()); }
    /// Through a view: the index along dimension `d` of the tile, or the tile of coordinates along it.
    ::mlir::OpOperand &getCoordinateMutable(unsigned d) {
      // The operands begin with the view and, if there is one, the tile that is stored.
      return $_op->getOpOperand(d + ($_op.getStored() ? 2 : 1));
    }
    ::mlir::Value getCoordinate(unsigned d) { return $_op.getCoordinateMutable(d).get(); }
    /// The coordinates of a gather or scatter, a tile of rank 1; null for others.
    ::mlir::Value getCoordinates() {
      std::optional<unsigned> axis = $_op.getCoordinateAxis();
      return axis ? $_op.getCoordinate(*axis) : ::mlir::Value();
    }
  }];
}

#endif // TILEIRAS_DIALECT_TILEAA_IR_MEMORYACCESSOPINTERFACE_TD
