//===- CudaTileMiscOps.td - assume and print ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MISCOPS_TD
#define TILEIRAS_CUDATILE_MISCOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

def CudaTile_AssumeOp : CudaTile_Op<"assume", [AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Passes a value on with a fact the compiler may rely on";
  let arguments = (ins CudaTile_AssumePredicateInterface:$predicate, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<AssumePredicate>($predicate) `,` $value attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def CudaTile_PrintTkoOp : CudaTile_Op<"print_tko", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "Formatted output, once per tile block";
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_Tile>:$args, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif
