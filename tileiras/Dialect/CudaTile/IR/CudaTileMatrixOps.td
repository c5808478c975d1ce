//===- CudaTileMatrixOps.td - Matrix multiply and accumulate ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MATRIXOPS_TD
#define TILEIRAS_CUDATILE_MATRIXOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_MatrixGroup in {

def CudaTile_MmaFOp : CudaTile_Op<"mmaf", MmaTraits<>.all> {
  let summary = "Matrix product of floats plus an accumulator";
  let description = [{
    lhs (MxK) * rhs (KxN) + acc (MxN), or a batch of such products with one more leading dimension. The order of the
    sum over K, and how often it is rounded on the way, are unspecified: compare with a tolerance. f32 operands are
    multiplied as f32, never as tf32. `fast_acc` lets f8 products be accumulated with fewer bits than the
    accumulator has.

    | operands | accumulator and result |
    |---|---|
    | f8E4M3FN, f8E5M2, f16 | f16 or f32 |
    | bf16, tf32, f32 | f32 |
    | f64 | f64 |

    Errors: ranks other than 2 and 3 ("operands must be 2D or 3D tiles"), K, M, N or batch that do not match ("shape
    error: dim 1 of lhs (..) and dim 0 of rhs (..) must match, .."), a pair not in the table ("unsupported
    combination of element types. .."). Since 13.1, `fast_acc` since 13.3.

    ```mlir
    // $ tileiras-run mmaf.mlir
    // [[20, 22], [43, 51]]
    cuda_tile.module @kernels {
      entry @example() {
        %a = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>
        %b = constant <f16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf16>
        %c = constant <f32: [[1.0, 0.0], [0.0, 1.0]]> : tile<2x2xf32>
        %d = mmaf %a, %b, %c : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf32>
        %t = print_tko "%g\n", %d : tile<2x2xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MmaFOperand:$lhs, CudaTile_MmaFOperand:$rhs, CudaTile_MmaFAcc:$acc, UnitAttr:$fast_acc);
  let results = (outs CudaTile_MmaFAcc:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc))
  }];
  let hasVerifier = 1;
}

def CudaTile_MmaFScaledOp : CudaTile_Op<"mmaf_scaled",
    MmaTraits<[SameElementTypeTrait<["lhs_scale", "rhs_scale"]>]>.all> {
  let summary = "Matrix product of block-scaled floats plus an accumulator";
  let description = [{
    Like `mmaf`, but V neighbouring elements along K share a scale: element lhs[m, k] counts lhs[m, k] *
    lhs_scale[m, k / V], and rhs[k, n] counts rhs[k, n] * rhs_scale[k / V, n]. So lhs_scale is MxK/V and rhs_scale
    K/VxN, each with the batch dimension where there is one. Accumulator and result are f32.

    | operands | scales | V |
    |---|---|---|
    | f8E4M3FN, f8E5M2 | f8E8M0FNU | 32 |
    | f4E2M1FN | f8E4M3FN | 16 |
    | f4E2M1FN | f8E8M0FNU | 16 or 32 |

    A negative f8E4M3FN scale is undefined. Errors: as for `mmaf`, and "shape error: f8 element type requires block
    scale factor of lhs_scale and rhs_scale to be 32, but got .." and its like. Since 13.3.

    ```mlir
    // $ tileiras-run mmaf_scaled.mlir
    // [[193, 193], [193, 193]]
    cuda_tile.module @kernels {
      entry @example() {
        %a = constant <f8E4M3FN: 1.5> : tile<2x32xf8E4M3FN>
        %b = constant <f8E4M3FN: 2.0> : tile<32x2xf8E4M3FN>
        %c = constant <f32: 1.0> : tile<2x2xf32>
        %sa = constant <f8E8M0FNU: 4.0> : tile<2x1xf8E8M0FNU>
        %sb = constant <f8E8M0FNU: 0.5> : tile<1x2xf8E8M0FNU>
        // 32 products of (1.5 * 4) * (2 * 0.5), plus 1
        %d = mmaf_scaled %a, %b, %c, %sa, %sb : tile<2x32xf8E4M3FN>, tile<32x2xf8E4M3FN>, tile<2x2xf32>,
                                                tile<2x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
        %t = print_tko "%g\n", %d : tile<2x2xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MmaFScaledOperand:$lhs, CudaTile_MmaFScaledOperand:$rhs,
                       CudaTile_MmaFScaledResult:$acc, CudaTile_MmaFScaledScale:$lhs_scale,
                       CudaTile_MmaFScaledScale:$rhs_scale);
  let results = (outs CudaTile_MmaFScaledResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` custom<CudaTileType>(type($lhs)) `,`
    custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc)) `,`
    custom<CudaTileType>(type($lhs_scale)) `,` custom<CudaTileType>(type($rhs_scale))
  }];
  let hasVerifier = 1;
}

def CudaTile_MmaIOp : CudaTile_Op<"mmai", MmaTraits<>.all> {
  let summary = "Matrix product of bytes plus a 32-bit accumulator";
  let description = [{
    lhs (MxK) * rhs (KxN) + acc (MxN), or a batch of such products with one more leading dimension. Operands are i8,
    each with its own signedness (the first keyword is lhs's); accumulator and result are i32 and wrap around.

    Errors: ranks other than 2 and 3 ("operands must be 2D or 3D tiles") and extents that do not match, as for
    `mmaf`. Since 13.1.

    ```mlir
    // $ tileiras-run mmai.mlir
    // signed [[-1, -2], [100, 100]] mixed [[255, 510], [100, 100]]
    cuda_tile.module @kernels {
      entry @example() {
        %a = constant <i8: [[-1, 0], [0, 1]]> : tile<2x2xi8>
        %b = constant <i8: [[1, 2], [100, 100]]> : tile<2x2xi8>
        %c = constant <i32: 0> : tile<2x2xi32>
        %s = mmai %a, %b, %c signed signed : tile<2x2xi8>, tile<2x2xi8>, tile<2x2xi32>
        %u = mmai %a, %b, %c unsigned signed : tile<2x2xi8>, tile<2x2xi8>, tile<2x2xi32>
        %t = print_tko "signed %d mixed %d\n", %s, %u : tile<2x2xi32>, tile<2x2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_MmaIOperand:$lhs, CudaTile_MmaIOperand:$rhs, CudaTile_MmaIAcc:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs, CudaTile_SignednessAttr:$signedness_rhs);
  let results = (outs CudaTile_MmaIResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs) custom<Signedness>($signedness_rhs) attr-dict
    `:` custom<CudaTileType>(type($lhs)) `,` custom<CudaTileType>(type($rhs)) `,` custom<CudaTileType>(type($acc))
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif
