//===- CudaTileMiscOps.td - assume and print ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MISCOPS_TD
#define TILEIRAS_CUDATILE_MISCOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_MiscGroup in {

def CudaTile_AssumeOp : CudaTile_Op<"assume", [AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Passes a value on with a fact the compiler may rely on";
  let description = [{
    The result is the operand, of which the predicate is promised: `div_by<16>` (alignment of pointers and extents,
    what vector and bulk copies need), `same_elements<[1, 4]>`, `bounded<0, ?>`. The fact holds for the *result*
    only, so users must take that. A false promise is undefined; the reference reports it.

    Value: integer or pointer tiles, for `div_by` tensor views too. Errors: "unknown assume predicate attribute:
    ..", and what the predicate says about the type. Since 13.1.

    ```mlir
    // $ tileiras-run assume.mlir 'x:f32[1]=2.5' i32=48
    // 2.5 48
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f32>>, %n: tile<i32>) {
        %aligned = assume div_by<16>, %x : tile<ptr<f32>>
        %positive = assume bounded<1, ?>, %n : tile<i32>
        %many = assume div_by<8>, %positive : tile<i32>
        %v, %t0 = load_ptr_tko weak %aligned : tile<ptr<f32>> -> tile<f32>, token
        %t1 = print_tko "%g %d\n", %v, %many : tile<f32>, tile<i32> -> token
      }
    }
    ```
  }];
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
  let description = [{
    C's `printf` with one conversion per operand (`%%` is a percent sign); rank-0 tiles print as their element,
    others as nested lists. The output of tile blocks may be mixed, and that of two prints is ordered by tokens
    only. For debugging: it is slow, and how tiles are laid out in the text is the implementation's choice.

    Operands: tiles of numbers. Errors: "incorrect number of operands: expected .., found .."; "found unterminated
    format expression". Since 13.1, under the name `print`; as `print_tko` with tokens since 13.2.

    ```mlir
    // $ tileiras-run print_tko.mlir
    // [1, 2, 3, 4] is 100% ff
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
        %y = constant <i32: 255> : tile<i32>
        %t0 = print_tko "%d is ", %x : tile<4xi32> -> token
        %t1 = print_tko "100%% %x\n", %y token=%t0 : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_Tile>:$args, Optional<CudaTile_Token>:$token);
  let results = (outs CudaTile_Token:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

} // opDocGroup

#endif
