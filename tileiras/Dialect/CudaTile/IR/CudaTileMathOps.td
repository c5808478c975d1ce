//===- CudaTileMathOps.td - Roots, powers, logarithms, trigonometry ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_MATHOPS_TD
#define TILEIRAS_CUDATILE_MATHOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_FloatGroup in {

//===----------------------------------------------------------------------===//
// Trigonometric and hyperbolic functions
//===----------------------------------------------------------------------===//

def CudaTile_CosOp : UnaryOp<"cos", CudaTile_BaseFloat> {
  let summary = "Cosine";
  let description = [{
    The cosine of an angle in radians; NaN for infinities. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run cos.mlir
    // [1, 0.5, -1, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 1.04719755, 3.14159265, 0x7F800000]> : tile<4xf32>
        %r = cos %x : tile<4xf32>
        %t = print_tko "%.3g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_SinOp : UnaryOp<"sin", CudaTile_BaseFloat> {
  let summary = "Sine";
  let description = [{
    The sine of an angle in radians; -0 for -0, NaN for infinities. f16 and bf16 are computed in f32 and rounded
    once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run sin.mlir
    // [-0, 0.5, 1, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [-0.0, 0.52359878, 1.57079633, 0x7F800000]> : tile<4xf32>
        %r = sin %x : tile<4xf32>
        %t = print_tko "%.3g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_TanOp : UnaryOp<"tan", CudaTile_BaseFloat> {
  let summary = "Tangent";
  let description = [{
    The tangent of an angle in radians; -0 for -0, NaN for infinities. f16 and bf16 are computed in f32 and rounded
    once. No float is an odd multiple of pi/2, so the result is finite for finite angles.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run tan.mlir
    // [0, 1, -1, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 0.785398163, -0.785398163, 0x7F800000]> : tile<4xf32>
        %r = tan %x : tile<4xf32>
        %t = print_tko "%.3g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_CosHOp : UnaryOp<"cosh", CudaTile_BaseFloat> {
  let summary = "Hyperbolic cosine";
  let description = [{
    (e^x + e^-x) / 2; +inf for both infinities. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run cosh.mlir
    // [1, 1.543, 1.543, inf]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 1.0, -1.0, 0xFF800000]> : tile<4xf32>
        %r = cosh %x : tile<4xf32>
        %t = print_tko "%.4g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_SinHOp : UnaryOp<"sinh", CudaTile_BaseFloat> {
  let summary = "Hyperbolic sine";
  let description = [{
    (e^x - e^-x) / 2; infinities stay what they are. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run sinh.mlir
    // [0, 1.175, -1.175, -inf]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 1.0, -1.0, 0xFF800000]> : tile<4xf32>
        %r = sinh %x : tile<4xf32>
        %t = print_tko "%.4g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

class UnaryWithFullRounding<string mnemonic> : UnaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$source, DefaultRounding<"Full">:$rounding_mode);
  let assemblyFormat = [{
    $source `` custom<FullRounding>($rounding_mode) attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_TanHOp : UnaryWithFullRounding<"tanh"> {
  let summary = "Hyperbolic tangent";
  let description = [{
    sinh(x) / cosh(x), between -1 and 1. `rounding<approx>` asks for the hardware's approximation (relative error
    about 2^-11); without it, or with `rounding<full>`, the result is as accurate as the other functions.

    Element types: f16, bf16, f32, f64; any shape. The verifier refuses modes other than `approx` and `full`, and
    `approx` on anything but f32. Since 13.1, `rounding` since 13.2.

    ```mlir
    // $ tileiras-run tanh.mlir
    // [0, 0.762, -0.762, -1]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 1.0, -1.0, 0xFF800000]> : tile<4xf32>
        %r = tanh %x : tile<4xf32>
        %t = print_tko "%.3g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_Atan2Op : CudaTile_Op<"atan2", [Pure, Elementwise, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "Angle of a point";
  let description = [{
    The angle, in radians from -pi to pi, of the point with the *first* operand as ordinate and the *second* as
    abscissa: C's argument order, although the operands are called x and y. The signs choose the quadrant, those of
    zeros too. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. Since 13.2.

    ```mlir
    // $ tileiras-run atan2.mlir
    // [0, 1.571, 3.142, -2.356]
    cuda_tile.module @kernels {
      entry @example() {
        %ordinate = constant <f32: [0.0, 1.0, 0.0, -1.0]> : tile<4xf32>
        %abscissa = constant <f32: [1.0, 0.0, -1.0, -1.0]> : tile<4xf32>
        %r = atan2 %ordinate, %abscissa : tile<4xf32>
        %t = print_tko "%.4g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BaseFloat:$x, CudaTile_BaseFloat:$y);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
}

//===----------------------------------------------------------------------===//
// Exponentials, logarithms, powers
//===----------------------------------------------------------------------===//

def CudaTile_ExpOp : UnaryWithFullRounding<"exp"> {
  let summary = "Natural exponential";
  let description = [{
    e^x; overflow gives +inf, underflow 0. `rounding<approx>` allows a faster, less accurate result; `full`, the
    default, is as accurate as the other functions. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape. The verifier refuses modes other than `approx` and `full`, and
    `approx` on anything but f32. Since 13.1, `rounding` since 13.3.

    ```mlir
    // $ tileiras-run exp.mlir
    // [1, 2.718, inf, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [0.0, 1.0, 100.0, 0xFF800000]> : tile<4xf32>
        %r = exp %x : tile<4xf32>
        %t = print_tko "%.4g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

class UnaryWithFlush<string mnemonic> : UnaryOp<mnemonic, CudaTile_BaseFloat> {
  let arguments = (ins CudaTile_BaseFloat:$source, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_Exp2Op : UnaryWithFlush<"exp2"> {
  let summary = "Exponential with base 2";
  let description = [{
    2^x; overflow gives +inf, underflow a subnormal or 0. With `flush_to_zero` subnormal operands and results are
    zero. The cheapest exponential: softmax kernels scale by log2(e) and use it.

    Element types: f16, bf16, f32, f64; any shape. The verifier refuses `flush_to_zero` on anything but f32. Since
    13.1.

    ```mlir
    // $ tileiras-run exp2.mlir
    // kept [8, 0.5, 9.18355e-41, 1] flushed [8, 0.5, 0, 1]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [3.0, -1.0, -133.0, 0.0]> : tile<4xf32>
        %r = exp2 %x : tile<4xf32>
        %f = exp2 %x flush_to_zero : tile<4xf32>
        %t = print_tko "kept %g flushed %g\n", %r, %f : tile<4xf32>, tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_LogOp : UnaryOp<"log", CudaTile_BaseFloat> {
  let summary = "Natural logarithm";
  let description = [{
    The power of e that gives the element: -inf for both zeros, NaN for what is below zero. f16 and bf16 are
    computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run log.mlir
    // [0, 1, -inf, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, 2.71828183, 0.0, -1.0]> : tile<4xf32>
        %r = log %x : tile<4xf32>
        %t = print_tko "%.4g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_Log2Op : UnaryOp<"log2", CudaTile_BaseFloat> {
  let summary = "Logarithm with base 2";
  let description = [{
    The power of 2 that gives the element: exact for powers of two, -inf for both zeros, NaN for what is below zero.
    f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run log2.mlir
    // [3, -1, -inf, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [8.0, 0.5, 0.0, -1.0]> : tile<4xf32>
        %r = log2 %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_SqrtOp : UnaryOp<"sqrt", CudaTile_BaseFloat> {
  let summary = "Square root";
  let description = [{
    The square root, rounded once by `rounding` (`nearest_even` if it is left out): -0 for -0, NaN for what is below
    zero. `approx`, for f32 only, allows the hardware's approximation. `flush_to_zero` reads subnormal operands as
    zero.

    Element types: f16, bf16, f32, f64; any shape. The verifier refuses modes other than the four of IEEE 754 and
    `approx`, and `approx` and `flush_to_zero` on anything but f32. Since 13.1.

    ```mlir
    // $ tileiras-run sqrt.mlir
    // nearest [1.41421354, 3, -0, nan] up [1.41421366, 3, -0, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [2.0, 9.0, -0.0, -1.0]> : tile<4xf32>
        %n = sqrt %x : tile<4xf32>
        %u = sqrt %x rounding<positive_inf> : tile<4xf32>
        %t = print_tko "nearest %.9g up %.9g\n", %n, %u : tile<4xf32>, tile<4xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BaseFloat:$source, DefaultRounding<"NearestEven">:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source `` custom<SqrtRounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_RsqrtOp : UnaryWithFlush<"rsqrt"> {
  let summary = "Reciprocal of the square root";
  let description = [{
    1 / sqrt(x): +inf for +0, -inf for -0, 0 for +inf, NaN for what is below zero. An approximation of a few ulp is
    allowed: compare with a tolerance. `flush_to_zero` reads subnormal operands as zero.

    Element types: f16, bf16, f32, f64; any shape. The verifier refuses `flush_to_zero` on anything but f32. Since
    13.1.

    ```mlir
    // $ tileiras-run rsqrt.mlir
    // [0.5, inf, 0, nan]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [4.0, 0.0, 0x7F800000, -1.0]> : tile<4xf32>
        %r = rsqrt %x : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
}

def CudaTile_FPowFOp : CudaTile_Op<"fpowf", [Pure, Elementwise, AllTypesMatch<["result", "source", "exponent"]>]> {
  let summary = "Power with a float exponent";
  let description = [{
    source ^ exponent: 1 where the exponent is 0 or the source is 1, even beside a NaN; NaN for a negative source
    with an exponent that is no integer. f16 and bf16 are computed in f32 and rounded once.

    Element types: f16, bf16, f32, f64; both operands and the result have one type. Since 13.1; it was spelled `pow`
    before 13.4, which is still read.

    ```mlir
    // $ tileiras-run fpowf.mlir
    // [8, 3, nan, 1]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [2.0, 9.0, -8.0, 0x7FC00000]> : tile<4xf32>
        %y = constant <f32: [3.0, 0.5, 0.333, 0.0]> : tile<4xf32>
        %r = fpowf %x, %y : tile<4xf32>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BaseFloat:$source, CudaTile_BaseFloat:$exponent);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<CudaTileType>(type($result))";
}

def CudaTile_FPowIOp : CudaTile_Op<"fpowi", [Pure, Elementwise, AllShapesMatch<["source", "exponent"]>,
                                             AllTypesMatch<["source", "result"]>]> {
  let summary = "Power with a signed integer exponent";
  let description = [{
    source ^ exponent. The exponent is always signed: an i1 that is set means -1. x ^ 0 is 1, 0 ^ -n is an infinity.
    f16 and bf16 are computed in f32 and rounded once.

    Source: f16, bf16, f32, f64; exponent: i1, i8, i16 or i32 (i64 is refused) of the same shape; the result has the
    source's type. Since 13.4.

    ```mlir
    // $ tileiras-run fpowi.mlir
    // [8, 0.25, -27, inf]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [2.0, -2.0, -3.0, 0.0]> : tile<4xf32>
        %n = constant <i8: [3, -2, 3, -1]> : tile<4xi8>
        %r = fpowi %x, %n : tile<4xf32>, tile<4xi8>
        %t = print_tko "%g\n", %r : tile<4xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BaseFloat:$source, CudaTile_PowIExponent:$exponent);
  let results = (outs CudaTile_BaseFloat:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<CudaTileType>(type($source)) `,` custom<CudaTileType>(type($exponent))
  }];
}

} // opDocGroup

#endif
