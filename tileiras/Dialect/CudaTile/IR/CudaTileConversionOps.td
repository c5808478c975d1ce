//===- CudaTileConversionOps.td - Conversions ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_CONVERSIONOPS_TD
#define TILEIRAS_CUDATILE_CONVERSIONOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

class CastOp<string mnemonic, TypeConstraint from, TypeConstraint to>
    : CudaTile_Op<mnemonic, [Pure, Elementwise, AllShapesMatch<["source", "result"]>]> {
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
}
def CudaTile_BitcastOp : CastOp<"bitcast", CudaTile_Number, CudaTile_Number> { let hasVerifier = 1; }
def CudaTile_IntToPtrOp : CastOp<"int_to_ptr", CudaTile_I64Tile, CudaTile_Ptr>;
def CudaTile_PtrToIntOp : CastOp<"ptr_to_int", CudaTile_Ptr, CudaTile_I64Tile>;
def CudaTile_PtrToPtrOp : CastOp<"ptr_to_ptr", CudaTile_Ptr, CudaTile_Ptr>;

class ConvertOp<string mnemonic, TypeConstraint toType>
    : CudaTile_Op<mnemonic, [Pure, Elementwise, AllShapesMatch<["from", "to"]>]> {
  let results = (outs toType:$to);
  let hasVerifier = 1;
}
def CudaTile_ExtIOp : ConvertOp<"exti", CudaTile_IntOrI4> {
  let arguments = (ins CudaTile_IntOrI4:$from, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}
def CudaTile_TruncIOp : ConvertOp<"trunci", CudaTile_IntOrI4> {
  let arguments = (ins CudaTile_IntOrI4:$from, DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $from (`overflow` `` $overflow^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}
def CudaTile_FToFOp : ConvertOp<"ftof", CudaTile_Float> {
  let arguments = (ins CudaTile_Float:$from, DefaultRounding<"NearestEven">:$rounding_mode);
  let assemblyFormat = [{
    $from (`rounding` `` $rounding_mode^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}
def CudaTile_FToIOp : ConvertOp<"ftoi", CudaTile_Int> {
  let description = [{
    Toward zero. Without `saturating` an infinity, a NaN or a value out of range is undefined; with it the
    result is clamped and NaN gives 0.
  }];
  let arguments = (ins CudaTile_Float:$from, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"NearestIntToZero">:$rounding_mode, UnitAttr:$saturating);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) (`rounding` `` $rounding_mode^)? (`saturating` $saturating^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}
def CudaTile_IToFOp : ConvertOp<"itof", CudaTile_Float> {
  let arguments = (ins CudaTile_Int:$from, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"NearestEven">:$rounding_mode);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) (`rounding` `` $rounding_mode^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

#endif
