//===- CudaTileInterfaces.td - Attribute and type interfaces ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_INTERFACES_TD
#define TILEIRAS_CUDATILE_INTERFACES_TD

include "mlir/IR/Interfaces.td"

def CudaTile_TileViewInterface : TypeInterface<"TileView"> {
  let cppNamespace = "::mlir::cuda_tile";
  let description = [{ A way to cut a tensor view into tiles: what view loads, stores and atomics address. }];
  let methods = [
    InterfaceMethod<"Number of indices that select one tile.", "unsigned", "getViewIndexRank">,
    InterfaceMethod<"The tile that one access moves.", "::mlir::Type", "viewTile">,
    InterfaceMethod<"The tensor behind the view.", "::mlir::Type", "viewTensor">,
    InterfaceMethod<"The padding value, or null.", "::mlir::cuda_tile::PaddingValueAttr", "getViewPadding">,
    InterfaceMethod<"Checks the types of the index operands; the number is already right.",
      "::llvm::LogicalResult", "verifyIndices",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError, "::mlir::TypeRange":$indices)>
  ];
  // The classes of these types are complete only after this interface.
  let extraClassDeclaration = [{
    ::mlir::cuda_tile::TileType getViewTileType() const;
    ::mlir::cuda_tile::TensorViewType getViewTensorView() const;
  }];
}

def CudaTile_AssumePredicateInterface : AttrInterface<"AssumePredicate"> {
  let cppNamespace = "::mlir::cuda_tile";
  let description = [{ A fact about a value that `assume` states and the compiler may rely on. }];
  let methods = [InterfaceMethod<"Whether the predicate makes sense for a value of this type.",
    "::llvm::LogicalResult", "verifyForType",
    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError, "::mlir::Type":$type)>];
}

#endif
