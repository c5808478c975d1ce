//===- CudaTileCoreOps.td - Module, entry, globals, constants and shape ops ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_COREOPS_TD
#define TILEIRAS_CUDATILE_COREOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

def CudaTile_ModuleOp : CudaTile_Op<"module", [IsolatedFromAbove, SymbolTable, Symbol, SingleBlock, NoTerminator,
    NoRegionArguments, OpAsmOpInterface, RegionKindInterface]> {
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $bodyRegion";
  let extraClassDeclaration = scopeDeclaration # [{
    static ::mlir::RegionKind getRegionKind(unsigned) { return ::mlir::RegionKind::Graph; }
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
}

def CudaTile_EntryOp : CudaTile_Op<"entry", [IsolatedFromAbove, FunctionOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    SingleBlockImplicitTerminator<"::mlir::cuda_tile::ReturnOp">]> {
  let summary = "A kernel";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                                 CArg<"::mlir::cuda_tile::OptimizationHintsAttr", "{}">:$hints)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyType();
  }];
}

def CudaTile_GlobalOp : CudaTile_Op<"global", [Symbol, HasParent<"::mlir::cuda_tile::ModuleOp">]> {
  let summary = "Device memory that lives as long as the loaded module";
  let arguments = (ins SymbolNameAttr:$sym_name, CudaTile_DenseAttr:$value,
                       DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
                       DefaultValuedAttr<CudaTile_SymbolVisibilityAttr,
                                         "::mlir::cuda_tile::SymbolVisibility::Public">:$symbol_visibility);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::cuda_tile::TileType getType() { return ::llvm::cast<::mlir::cuda_tile::TileType>(getValue().getType()); }
  }];
}

def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_PtrScalar:$result);
  let assemblyFormat = "$name attr-dict `:` custom<CudaTileType>(type($result))";
}

class BlockCoordinatesOp<string mnemonic, string prefix> : CudaTile_Op<mnemonic, [Pure,
    AllTypesMatch<[prefix # "_x", prefix # "_y", prefix # "_z"]>]> {
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($" # prefix # "_x))";
}
def CudaTile_GetTileBlockIdOp : BlockCoordinatesOp<"get_tile_block_id", "blockId"> {
  let results = (outs CudaTile_I32Scalar:$blockId_x, CudaTile_I32Scalar:$blockId_y, CudaTile_I32Scalar:$blockId_z);
}
def CudaTile_GetNumTileBlocksOp : BlockCoordinatesOp<"get_num_tile_blocks", "gridSize"> {
  let results = (outs CudaTile_I32Scalar:$gridSize_x, CudaTile_I32Scalar:$gridSize_y, CudaTile_I32Scalar:$gridSize_z);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def CudaTile_ConstantOp : CudaTile_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins CudaTile_DenseAttr:$value);
  let results = (outs CudaTile_Number:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}
def CudaTile_IotaOp : CudaTile_Op<"iota", [Pure]> {
  let results = (outs CudaTile_Int:$result);
  let assemblyFormat = "attr-dict `:` custom<CudaTileType>(type($result))";
  let hasVerifier = 1;
}

class ShapeOp<string mnemonic, list<Trait> traits = []> : CudaTile_Op<mnemonic, [Pure] # traits> {
  let arguments = (ins CudaTile_Tile:$source);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_BroadcastOp : ShapeOp<"broadcast", [SameElementTypeTrait<["source", "result"]>,
    AllRanksMatch<["source", "result"]>, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;
def CudaTile_ReshapeOp : ShapeOp<"reshape", [SameOperandsAndResultElementType,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;
def CudaTile_PermuteOp : ShapeOp<"permute", [SameElementTypeTrait<["source", "result"]>,
    AllRanksMatch<["source", "result"]>]> {
  let summary = "Dimension i of the result is dimension permutation[i] of the source";
  let arguments = (ins CudaTile_Tile:$source, DenseI32ArrayAttr:$permutation);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
}
def CudaTile_CatOp : CudaTile_Op<"cat", [Pure, SameElementTypeTrait<["lhs", "rhs", "result"]>,
    AllRanksMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins CudaTile_Tile:$lhs, CudaTile_Tile:$rhs, I64Attr:$dim);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_ExtractOp : CudaTile_Op<"extract", [Pure, SameElementTypeTrait<["source", "result"]>,
    AllRanksMatch<["source", "result"]>]> {
  let summary = "One block of the source; indices count blocks of the result's shape";
  let arguments = (ins CudaTile_Tile:$source, Variadic<CudaTile_I32Scalar>:$indices);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source `` custom<BlockIndices>($indices, type($indices)) attr-dict `:` custom<CudaTileType>(type($source)) `->`
    custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_InsertOp : CudaTile_Op<"insert", [Pure, AllTypesMatch<["destination", "result"]>,
    SameElementTypeTrait<["source", "destination"]>, AllRanksMatch<["source", "destination"]>]> {
  let summary = "A copy of the destination with one block replaced; the inverse of extract";
  let arguments = (ins CudaTile_Tile:$source, CudaTile_Tile:$destination, Variadic<CudaTile_I32Scalar>:$indices);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $source `,` $destination `` custom<BlockIndices>($indices, type($indices)) attr-dict
    `:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($destination))
  }];
  let hasVerifier = 1;
}
def CudaTile_SelectOp : CudaTile_Op<"select", [Pure, Elementwise, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
    AllShapesMatch<["cond", "val_if_true", "val_if_false", "result"]>]> {
  let arguments = (ins CudaTile_Bool:$cond, CudaTile_Tile:$val_if_true, CudaTile_Tile:$val_if_false);
  let results = (outs CudaTile_Tile:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict `:` custom<CudaTileType>(type($cond)) `,`
    custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}
def CudaTile_OffsetOp : CudaTile_Op<"offset", [Pure, Elementwise, AllShapesMatch<["ptr", "offset", "result"]>,
    AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Pointer plus a signed offset counted in pointees";
  let arguments = (ins CudaTile_Ptr:$ptr, CudaTile_Int:$offset);
  let results = (outs CudaTile_Ptr:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<CudaTileType>(type($ptr)) `,` custom<CudaTileType>(type($offset)) `->`
    custom<CudaTileType>(type($result))
  }];
}
class PackBase<string mnemonic, TypeConstraint from, TypeConstraint to> : CudaTile_Op<mnemonic, [Pure]> {
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}
def CudaTile_PackOp : PackBase<"pack", CudaTile_NumberOrI4, CudaTile_I8>;
def CudaTile_UnpackOp : PackBase<"unpack", CudaTile_I8, CudaTile_NumberOrI4>;

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

class AggregateOp<string mnemonic> : CudaTile_Op<mnemonic, [NoMemoryEffect, RecursivelySpeculatable, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames", "getAsmResultNames"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let results = (outs Variadic<CudaTile_Tile>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = scopeDeclaration;
}
def CudaTile_ReduceOp : AggregateOp<"reduce"> {
  let summary = "Combines the elements along one dimension, in any order";
  let description = [{ Block arguments come in pairs (element, accumulator), one pair per operand. }];
  let arguments = (ins Variadic<CudaTile_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       ArrayAttr:$identities);
}
def CudaTile_ScanOp : AggregateOp<"scan"> {
  let summary = "Inclusive prefix combination along one dimension";
  let arguments = (ins Variadic<CudaTile_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       BoolAttr:$reverse, ArrayAttr:$identities);
}

#endif
