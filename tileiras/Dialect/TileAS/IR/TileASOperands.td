//===- TileASOperands.td - Types of operands and results -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What operations of nv_tileas take and give. Layouts are the verifiers' business: there is a stage at which tiles have
// none.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASOPERANDS_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASOPERANDS_TD

include "tileiras/Dialect/TileAS/IR/TileAS.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineTypes.td"
include "tileiras/Dialect/TileAA/IR/TileAA.td"

defvar TileAS_Elements = [AnySignlessInteger, Index, AnyFloat, TileAA_PtrType];
def TileAS_Tile : RankedTensorOf<TileAS_Elements, [], "tile of numbers or pointers">;
def TileAS_Value : AnyTypeOf<!listconcat(TileAS_Elements, [TileAS_Tile]), "number, pointer or tile">;
def TileAS_Pointers : AnyTypeOf<[TileAA_PtrType, RankedTensorOf<[TileAA_PtrType]>], "pointer or tile of pointers">;
def TileAS_Mask : AnyTypeOf<[I1, RankedTensorOf<[I1]>], "i1 or tile of i1">;
def TileAS_Coordinate : AnyTypeOf<[AnySignlessInteger, RankedTensorOf<[AnySignlessInteger]>],
                                  "tile index, or tile of coordinates along the axis">;
def TileAS_PendingType : TypeDef<TileAS_Dialect, "Pending"> {
  let mnemonic = "pending";
  let summary = "the sums of a product under way";
  let description = [{
    Of a tile in registers that nobody may read, write or move before a wait has made a tile of it again. Text:
    `!nv_tileas.pending<tensor<64x8xf32, #linear>>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

/// What the code of a region gives to what comes after it.
def TileAS_Yielded : AnyTypeOf<[TileAS_Value, TileAA_MemTokenType, TileAS_TmaDescriptorIterType, TileAS_PendingType],
                               "number, pointer, tile, token, tensor map or sums under way">;

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASOPERANDS_TD
