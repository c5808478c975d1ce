//===- CudaTileFloatOps.td - Floating-point arithmetic and comparison ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_FLOATOPS_TD
#define TILEIRAS_CUDATILE_FLOATOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_FloatGroup in {

//===----------------------------------------------------------------------===//
// Sign and integral part
//===----------------------------------------------------------------------===//

def CudaTile_AbsFOp : UnaryOp<"absf", CudaTile_BaseFloat, [SameOperandsAndResultShape]> {
  let summary = "Absolute value of floats";
  let description = [{
    Clears the sign bit of every element: -0 becomes +0, -inf becomes +inf, a NaN stays a NaN. Exact.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run absf.mlir
    // [1, 2.5, 0, inf]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, -2.5, -0.0, 0xFF800000]> : tile<4xf32>
        %r = absf %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_NegFOp : UnaryOp<"negf", CudaTile_BaseFloat> {
  let summary = "Negation of floats";
  let description = [{
    Flips the sign bit of every element. Unlike `0 - x` it turns +0 into -0. Exact.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run negf.mlir
    // [-1, 2.5, -0, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, -2.5, 0.0, -0.0]> : tile<4xf32>
        %r = negf %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_CeilOp : UnaryOp<"ceil", CudaTile_BaseFloat> {
  let summary = "Rounds up to an integral value";
  let description = [{
    The smallest integral value that is not below the element, as a float. Infinities and NaNs stay what they are;
    values in (-1, 0) give -0.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run ceil.mlir
    // [2, -1, -0, 3]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.25, -1.75, -0.5, 3.0]> : tile<4xf32>
        %r = ceil %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_FloorOp : UnaryOp<"floor", CudaTile_BaseFloat> {
  let summary = "Rounds down to an integral value";
  let description = [{
    The largest integral value that is not above the element, as a float. Infinities and NaNs stay what they are; -0
    stays -0.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run floor.mlir
    // [1, -2, -1, 3]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.25, -1.75, -0.5, 3.0]> : tile<4xf32>
        %r = floor %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def CudaTile_AddFOp : RoundedBinaryOp<"addf"> {
  let summary = "Sum of floats";
  let description = [{
    lhs + rhs, rounded once by `rounding` (`nearest_even` if it is left out). `flush_to_zero` reads subnormal
    operands as zero and returns zero for a subnormal result, keeping the sign. A product and a sum are never
    contracted to a fused operation: that is what `fma` is for.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier refuses modes other
    than `nearest_even`, `zero`, `negative_inf`, `positive_inf`, and `flush_to_zero` on anything but f32. Since
    13.1.

    ```mlir
    // $ tileiras-run addf.mlir
    // nearest [1, 2] up [1.00000012, 2] flushed [0, 2]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, 0.5]> : tile<2xf32>
        %y = constant <f32: [1.0e-9, 1.5]> : tile<2xf32>
        %n = addf %x, %y : tile<2xf32>
        %u = addf %x, %y rounding<positive_inf> : tile<2xf32>
        %s = constant <f32: [1.0e-40, 2.0]> : tile<2xf32>
        %z = constant <f32: 0.0> : tile<2xf32>
        %f = addf %s, %z flush_to_zero : tile<2xf32>
        %t = print_tko "nearest %.9g up %.9g flushed %g\n", %n, %u, %f : tile<2xf32>, tile<2xf32>, tile<2xf32> -> token
      }
    }
    ```
  }];
  let hasCanonicalizer = 1;
}

def CudaTile_SubFOp : RoundedBinaryOp<"subf"> {
  let summary = "Difference of floats";
  let description = [{
    lhs - rhs, rounded once by `rounding` (`nearest_even` if it is left out). x - x is +0, except that it is -0
    under `negative_inf`; inf - inf is NaN. `flush_to_zero` as for `addf`.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier refuses modes other
    than `nearest_even`, `zero`, `negative_inf`, `positive_inf`, and `flush_to_zero` on anything but f32. Since
    13.1.

    ```mlir
    // $ tileiras-run subf.mlir
    // [0, -1.5] [-0, -1.5]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [3.0, 0.5]> : tile<2xf32>
        %y = constant <f32: [3.0, 2.0]> : tile<2xf32>
        %n = subf %x, %y : tile<2xf32>
        %d = subf %x, %y rounding<negative_inf> : tile<2xf32>
        %t = print_tko "%g %g\n", %n, %d : tile<2xf32>, tile<2xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MulFOp : RoundedBinaryOp<"mulf"> {
  let summary = "Product of floats";
  let description = [{
    lhs * rhs, rounded once by `rounding` (`nearest_even` if it is left out). 0 * inf is NaN. `flush_to_zero` as for
    `addf`.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier refuses modes other
    than `nearest_even`, `zero`, `negative_inf`, `positive_inf`, and `flush_to_zero` on anything but f32. Since
    13.1.

    ```mlir
    // $ tileiras-run mulf.mlir
    // nearest [inf, 0.0100000007] toward zero [3.40282347e+38, 0.00999999978]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [3.0e+38, 0.1]> : tile<2xf32>
        %y = constant <f32: [2.0, 0.1]> : tile<2xf32>
        %n = mulf %x, %y : tile<2xf32>
        %z = mulf %x, %y rounding<zero> : tile<2xf32>
        %t = print_tko "nearest %.9g toward zero %.9g\n", %n, %z : tile<2xf32>, tile<2xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_DivFOp : RoundedBinaryOp<"divf"> {
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<DivRounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let summary = "Quotient of floats";
  let description = [{
    lhs / rhs. Under an IEEE mode (`nearest_even` if it is left out) rounded once; x / 0 is an infinity, 0 / 0 a
    NaN. Two faster modes exist for f32 only: `approx` errs by at most 2 ulp where the magnitude of the divisor lies
    in [2^-126, 2^126], `full` by at most 2 ulp everywhere. `flush_to_zero` as for `addf`.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier names the modes it
    allows, and refuses `approx`, `full` and `flush_to_zero` on anything but f32. Since 13.1.

    ```mlir
    // $ tileiras-run divf.mlir
    // [0.333333343, -inf] [0.333333313, -inf]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, -1.0]> : tile<2xf32>
        %y = constant <f32: [3.0, 0.0]> : tile<2xf32>
        %n = divf %x, %y : tile<2xf32>
        %d = divf %x, %y rounding<negative_inf> : tile<2xf32>
        %t = print_tko "%.9g %.9g\n", %n, %d : tile<2xf32>, tile<2xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_RemFOp : BinaryOp<"remf", CudaTile_BaseFloat> {
  let summary = "Remainder of a division of floats";
  let description = [{
    lhs - rhs * n, where n is lhs / rhs without its fraction: the result is exact, smaller in magnitude than the
    divisor and has the sign of the dividend (C's `fmod`). x rem 0 and inf rem y are NaN, x rem inf is x.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run remf.mlir
    // [1.5, -1.5, 1.5, 5]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [5.5, -5.5, 5.5, 5.0]> : tile<4xf32>
        %y = constant <f32: [2.0, 2.0, -2.0, 0x7F800000]> : tile<4xf32>
        %r = remf %x, %y : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_FmaOp : CudaTile_Op<"fma", [Pure, Elementwise, AllTypesMatch<["lhs", "rhs", "acc", "result"]>]> {
  let summary = "Fused multiply and add";
  let description = [{
    lhs * rhs + acc with one rounding at the end, by `rounding` (`nearest_even` if it is left out): the product is
    not rounded. Front ends write it themselves; the compiler never makes it from `mulf` and `addf`. `flush_to_zero`
    as for `addf`.

    Element types: f16, bf16, f32, f64; operands and result have one type. The verifier refuses modes other than
    `nearest_even`, `zero`, `negative_inf`, `positive_inf`, and `flush_to_zero` on anything but f32. Since 13.1.

    ```mlir
    // $ tileiras-run fma.mlir
    // fused 5.96046448e-08 separate 0
    cuda_tile.module @kernels {
      entry @example() {
        // The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24, whose last term a rounding to f32 loses.
        %x = constant <f32: 1.000244140625> : tile<f32>
        %m = constant <f32: -1.00048828125> : tile<f32>
        %f = fma %x, %x, %m : tile<f32>
        %p = mulf %x, %x : tile<f32>
        %s = addf %p, %m : tile<f32>
        %t = print_tko "fused %.9g separate %.9g\n", %f, %s : tile<f32>, tile<f32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs, CudaTile_BaseFloat:$acc,
                       DefaultRounding<"NearestEven">:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `` custom<IEEERounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Extremes and comparison
//===----------------------------------------------------------------------===//

def CudaTile_MaxFOp : MinMaxFOp<"maxf"> {
  let summary = "Maximum of floats";
  let description = [{
    The larger of two elements; +0 is larger than -0. Where exactly one of them is a NaN the result is the other one
    (IEEE 754 maximumNumber); with `propagate_nan` it is a NaN (IEEE 754 maximum). `flush_to_zero` as for `addf`.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier refuses
    `flush_to_zero` on anything but f32. The two keywords may come in either order. Since 13.1.

    ```mlir
    // $ tileiras-run maxf.mlir
    // number [[2, 0], [1, 0]] propagate [[2, 0], [nan, 0]]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [[2.0, -0.0], [0x7FC00000, 0.0]]> : tile<2x2xf32>
        %y = constant <f32: [[-3.0, 0.0], [1.0, 0.0]]> : tile<2x2xf32>
        %n = maxf %x, %y : tile<2x2xf32>
        %p = maxf %x, %y propagate_nan : tile<2x2xf32>
        %t = print_tko "number %g propagate %g\n", %n, %p : tile<2x2xf32>, tile<2x2xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MinFOp : MinMaxFOp<"minf"> {
  let summary = "Minimum of floats";
  let description = [{
    The smaller of two elements; -0 is smaller than +0. Where exactly one of them is a NaN the result is the other
    one (IEEE 754 minimumNumber); with `propagate_nan` it is a NaN (IEEE 754 minimum). `flush_to_zero` as for
    `addf`.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. The verifier refuses
    `flush_to_zero` on anything but f32. The two keywords may come in either order. Since 13.1.

    ```mlir
    // $ tileiras-run minf.mlir
    // number [[-3, -0], [1, 0]] propagate [[-3, -0], [nan, 0]]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [[2.0, -0.0], [0x7FC00000, 0.0]]> : tile<2x2xf32>
        %y = constant <f32: [[-3.0, 0.0], [1.0, 0.0]]> : tile<2x2xf32>
        %n = minf %x, %y : tile<2x2xf32>
        %p = minf %x, %y propagate_nan : tile<2x2xf32>
        %t = print_tko "number %g propagate %g\n", %n, %p : tile<2x2xf32>, tile<2x2xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_CmpFOp : ComparisonOp<"cmpf"> {
  let summary = "Comparison of floats";
  let description = [{
    One i1 per element: whether the predicate (`equal`, `not_equal`, `less_than`, `less_than_or_equal`,
    `greater_than`, `greater_than_or_equal`) holds. Where an operand is a NaN the result is true if the ordering is
    `unordered` and false if it is `ordered`, whatever the predicate: `not_equal ordered` of two NaNs is false. +0
    and -0 are equal.

    Element types: f16, bf16, f32, f64. The result has the shape of the operands and the element type i1, otherwise
    "failed to verify that Result type has i1 element type and same shape as operands". Since 13.1.

    ```mlir
    // $ tileiras-run cmpf.mlir
    // ordered [1, 0, 0, 0] unordered [1, 0, 1, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, 2.0, 0x7FC00000, 0.0]> : tile<4xf32>
        %y = constant <f32: [2.0, 1.0, 1.0, -0.0]> : tile<4xf32>
        %o = cmpf less_than ordered %x, %y : tile<4xf32> -> tile<4xi1>
        %u = cmpf less_than unordered %x, %y : tile<4xf32> -> tile<4xi1>
        %t = print_tko "ordered %u unordered %u\n", %o, %u : tile<4xi1>, tile<4xi1> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
                       CudaTile_ComparisonOrderingAttr:$comparison_ordering,
                       CudaTile_BaseFloat:$lhs, CudaTile_BaseFloat:$rhs);
  let assemblyFormat = [{
    custom<ComparisonPredicate>($comparison_predicate) custom<ComparisonOrdering>($comparison_ordering)
    $lhs `,` $rhs attr-dict `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
}

} // opDocGroup

#endif
