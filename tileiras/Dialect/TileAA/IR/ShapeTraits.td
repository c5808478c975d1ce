//===- ShapeTraits.td - What an operation does to a shape -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// See ShapeTraits.h.

#ifndef TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_TD
#define TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_TD

include "mlir/IR/OpBase.td"

class TileAA_ShapeTrait<string name> : NativeOpTrait<name> { let cppNamespace = "::mlir::nv_tileaa"; }
def TileAA_ReshapesRowMajor : TileAA_ShapeTrait<"ReshapesRowMajor">;
def TileAA_TakesBlock : TileAA_ShapeTrait<"TakesBlock">;
def TileAA_KeepsElements : TileAA_ShapeTrait<"KeepsElements">;

#endif // TILEIRAS_DIALECT_TILEAA_IR_SHAPETRAITS_TD
