//===- CudaTileIntegerOps.td - Integer and bitwise arithmetic ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_INTEGEROPS_TD
#define TILEIRAS_CUDATILE_INTEGEROPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_IntegerGroup in {

//===----------------------------------------------------------------------===//
// Wrap-around arithmetic
//===----------------------------------------------------------------------===//

def CudaTile_AbsIOp : UnaryOp<"absi", CudaTile_Int> {
  let summary = "Absolute value of signed integers";
  let description = [{
    The operand is signed, the result is to be read as unsigned: the smallest value, which has no positive
    counterpart, gives itself (-128 as i8 gives the bits of 128).

    Element types: i1, i8, i16, i32, i64; any shape; the result has the type of the operand. Since 13.1.

    ```mlir
    // $ tileiras-run absi.mlir
    // [5, 7, 0, 128]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [-5, 7, 0, -128]> : tile<4xi8>
        %r = absi %x : tile<4xi8>
        %t = print_tko "%u\n", %r : tile<4xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_NegIOp : UnaryOp<"negi", CudaTile_Int> {
  let summary = "Negation of integers";
  let description = [{
    0 - x modulo 2^width, so the smallest signed value gives itself. `overflow<no_signed_wrap>` promises that it
    does not occur; breaking the promise is undefined.

    Element types: i1, i8, i16, i32, i64. The verifier refuses the other two overflow flags: "'no_unsigned_wrap'
    overflow flag is not supported". Since 13.1, `overflow` since 13.2.

    ```mlir
    // $ tileiras-run negi.mlir
    // [5, -7, 0, -128]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [-5, 7, 0, -128]> : tile<4xi8>
        %r = negi %x : tile<4xi8>
        %t = print_tko "%d\n", %r : tile<4xi8> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Int:$source, DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $source (`overflow` `` $overflow^)? attr-dict `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_AddIOp : OverflowBinaryOp<"addi"> {
  let summary = "Sum of integers";
  let description = [{
    lhs + rhs modulo 2^width. `overflow<no_signed_wrap>`, `<no_unsigned_wrap>` or `<no_wrap>` (both) promises that
    the exact sum fits; breaking the promise is undefined.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run addi.mlir
    // [3, -56, 0, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [1, 100, -1, 0]> : tile<4xi8>
        %y = constant <i8: [2, 100, 1, 0]> : tile<4xi8>
        %r = addi %x, %y : tile<4xi8>
        %t = print_tko "%d\n", %r : tile<4xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_SubIOp : OverflowBinaryOp<"subi"> {
  let summary = "Difference of integers";
  let description = [{
    lhs - rhs modulo 2^width. `overflow` promises, as for `addi`, that the exact difference fits; breaking the
    promise is undefined.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run subi.mlir
    // signed [-1, 127] unsigned [255, 127]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [1, -128]> : tile<2xi8>
        %y = constant <i8: [2, 1]> : tile<2xi8>
        %r = subi %x, %y : tile<2xi8>
        %t = print_tko "signed %d unsigned %u\n", %r, %r : tile<2xi8>, tile<2xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_MulIOp : OverflowBinaryOp<"muli"> {
  let summary = "Product of integers, low half";
  let description = [{
    lhs * rhs modulo 2^width, the same for signed and unsigned values. `overflow` promises, as for `addi`, that the
    exact product fits; breaking the promise is undefined. `mulhii` gives the other half.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run muli.mlir
    // [-6, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [-2, 65536]> : tile<2xi32>
        %y = constant <i32: [3, 65536]> : tile<2xi32>
        %r = muli %x, %y : tile<2xi32>
        %t = print_tko "%d\n", %r : tile<2xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MulhiIOp : CudaTile_Op<"mulhii", [Pure, Elementwise, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "Product of unsigned integers, high half";
  let description = [{
    The upper `width` bits of the product of twice that width. Both operands are *unsigned*: -1 stands for 2^width -
    1.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run mulhii.mlir
    // [1, 4294967294]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [65536, -1]> : tile<2xi32>
        %y = constant <i32: [65536, -1]> : tile<2xi32>
        %r = mulhii %x, %y : tile<2xi32>
        %t = print_tko "%u\n", %r : tile<2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Int:$x, CudaTile_Int:$y);
  let results = (outs CudaTile_Int:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<CudaTileType>(type($result))";
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

// Division by zero is undefined, so it must not be hoisted: no speculation.
def CudaTile_DivIOp : BinaryOp<"divi", CudaTile_Int, [NoMemoryEffect]> {
  let summary = "Quotient of integers";
  let description = [{
    lhs / rhs, read as `signed` or `unsigned`, rounded toward zero; `rounding<positive_inf>` rounds up (ceil), and
    for signed values `rounding<negative_inf>` rounds down (floor). Division by zero is undefined, and so is the
    smallest signed value divided by -1; for that reason the operation is not speculated.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. The verifier refuses other
    modes, and "rounding mode 'negative_inf' is not allowed with 'unsigned' flag". Since 13.1.

    ```mlir
    // $ tileiras-run divi.mlir
    // zero [3, -3] floor [3, -4] ceil [4, -3] unsigned [3, 2147483644]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [7, -7]> : tile<2xi32>
        %y = constant <i32: [2, 2]> : tile<2xi32>
        %z = divi %x, %y signed : tile<2xi32>
        %f = divi %x, %y signed rounding<negative_inf> : tile<2xi32>
        %c = divi %x, %y signed rounding<positive_inf> : tile<2xi32>
        %u = divi %x, %y unsigned : tile<2xi32>
        %t = print_tko "zero %d floor %d ceil %d unsigned %u\n", %z, %f, %c, %u
            : tile<2xi32>, tile<2xi32>, tile<2xi32>, tile<2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Int:$lhs, CudaTile_Int:$rhs, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"Zero">:$rounding);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) (`rounding` `` $rounding^)? attr-dict
    `:` custom<CudaTileType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_RemIOp : SignedBinaryOp<"remi", ["result", "lhs", "rhs"]> {
  let summary = "Remainder of a division of integers";
  let description = [{
    What `divi` toward zero leaves: lhs - (lhs / rhs) * rhs. A signed remainder has the sign of the dividend, so it
    is no modulo. A divisor of zero is undefined.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run remi.mlir
    // signed [1, -1, 1, 0] unsigned [1, 1, 7, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [7, -7, 7, 0]> : tile<4xi32>
        %y = constant <i32: [2, 2, -2, 1]> : tile<4xi32>
        %s = remi %x, %y signed : tile<4xi32>
        %u = remi %x, %y unsigned : tile<4xi32>
        %t = print_tko "signed %d unsigned %u\n", %s, %u : tile<4xi32>, tile<4xi32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Extremes and comparison
//===----------------------------------------------------------------------===//

def CudaTile_MaxIOp : SignedBinaryOp<"maxi"> {
  let summary = "Maximum of integers";
  let description = [{
    The larger of two elements, read as `signed` or `unsigned`.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run maxi.mlir
    // signed [1, 5] unsigned [-1, 5]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [-1, 5]> : tile<2xi32>
        %y = constant <i32: [1, 3]> : tile<2xi32>
        %s = maxi %x, %y signed : tile<2xi32>
        %u = maxi %x, %y unsigned : tile<2xi32>
        %t = print_tko "signed %d unsigned %d\n", %s, %u : tile<2xi32>, tile<2xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_MinIOp : SignedBinaryOp<"mini"> {
  let summary = "Minimum of integers";
  let description = [{
    The smaller of two elements, read as `signed` or `unsigned`.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run mini.mlir
    // signed [-1, 3] unsigned [1, 3]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [-1, 5]> : tile<2xi32>
        %y = constant <i32: [1, 3]> : tile<2xi32>
        %s = mini %x, %y signed : tile<2xi32>
        %u = mini %x, %y unsigned : tile<2xi32>
        %t = print_tko "signed %d unsigned %d\n", %s, %u : tile<2xi32>, tile<2xi32> -> token
      }
    }
    ```
  }];
}

def CudaTile_CmpIOp : ComparisonOp<"cmpi"> {
  let summary = "Comparison of integers";
  let description = [{
    One i1 per element: whether the predicate (`equal`, `not_equal`, `less_than`, `less_than_or_equal`,
    `greater_than`, `greater_than_or_equal`) holds for the values read as `signed` or `unsigned`. Signed i1 values
    are 0 and -1. Mind the comma before the signedness.

    Element types: i1, i8, i16, i32, i64. The result has the shape of the operands and the element type i1,
    otherwise "failed to verify that Result type has i1 element type and same shape as operands". Since 13.1.

    ```mlir
    // $ tileiras-run cmpi.mlir
    // signed [1, 0] unsigned [0, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [-1, 5]> : tile<2xi32>
        %y = constant <i32: [1, 5]> : tile<2xi32>
        %s = cmpi less_than %x, %y, signed : tile<2xi32> -> tile<2xi1>
        %u = cmpi less_than %x, %y, unsigned : tile<2xi32> -> tile<2xi1>
        %t = print_tko "signed %u unsigned %u\n", %s, %u : tile<2xi1>, tile<2xi1> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate, CudaTile_Int:$lhs, CudaTile_Int:$rhs,
                       CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    custom<ComparisonPredicate>($comparison_predicate) $lhs `,` $rhs `,` custom<Signedness>($signedness)
    attr-dict `:` custom<CudaTileType>(type($lhs)) `->` custom<CudaTileType>(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

def CudaTile_ShLIOp : OverflowBinaryOp<"shli"> {
  let summary = "Shift to the left";
  let description = [{
    lhs * 2^rhs modulo 2^width. The amount is unsigned; an amount of `width` or more is undefined (the reference
    shifts everything out). `overflow` promises, as for `addi`, that the exact lhs * 2^rhs fits.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run shli.mlir
    // [24, -128]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [3, 3]> : tile<2xi8>
        %n = constant <i8: [3, 7]> : tile<2xi8>
        %r = shli %x, %n : tile<2xi8>
        %t = print_tko "%d\n", %r : tile<2xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_ShRIOp : SignedBinaryOp<"shri"> {
  let summary = "Shift to the right";
  let description = [{
    lhs / 2^rhs, rounded down: `signed` fills with copies of the sign bit (arithmetic shift), `unsigned` with zeros
    (logical shift). The amount is unsigned in both cases; an amount of `width` or more is undefined (the reference
    shifts everything out).

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run shri.mlir
    // signed [-2, 2] unsigned [62, 2]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [-7, 9]> : tile<2xi8>
        %n = constant <i8: [2, 2]> : tile<2xi8>
        %s = shri %x, %n signed : tile<2xi8>
        %u = shri %x, %n unsigned : tile<2xi8>
        %t = print_tko "signed %d unsigned %u\n", %s, %u : tile<2xi8>, tile<2xi8> -> token
      }
    }
    ```
  }];
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Bitwise
//===----------------------------------------------------------------------===//

let opDocGroup = CudaTile_BitwiseGroup in {

def CudaTile_AndIOp : BinaryOp<"andi", CudaTile_Int> {
  let summary = "Bitwise and";
  let description = [{
    A bit is set where it is set in both operands. On i1 the logical conjunction.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run andi.mlir
    // [8, f0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [0x0C, 0xFF]> : tile<2xi8>
        %y = constant <i8: [0x0A, 0xF0]> : tile<2xi8>
        %r = andi %x, %y : tile<2xi8>
        %t = print_tko "%x\n", %r : tile<2xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_OrIOp : BinaryOp<"ori", CudaTile_Int> {
  let summary = "Bitwise or";
  let description = [{
    A bit is set where it is set in at least one operand. On i1 the logical disjunction.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run ori.mlir
    // [e, ff]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [0x0C, 0xFF]> : tile<2xi8>
        %y = constant <i8: [0x0A, 0xF0]> : tile<2xi8>
        %r = ori %x, %y : tile<2xi8>
        %t = print_tko "%x\n", %r : tile<2xi8> -> token
      }
    }
    ```
  }];
}

def CudaTile_XOrIOp : BinaryOp<"xori", CudaTile_Int> {
  let summary = "Bitwise exclusive or";
  let description = [{
    A bit is set where exactly one operand has it. With an operand of all ones (-1; `true` on i1) the complement.

    Element types: i1, i8, i16, i32, i64; both operands and the result have one type. Since 13.1.

    ```mlir
    // $ tileiras-run xori.mlir
    // [6, f]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [0x0C, 0xFF]> : tile<2xi8>
        %y = constant <i8: [0x0A, 0xF0]> : tile<2xi8>
        %r = xori %x, %y : tile<2xi8>
        %t = print_tko "%x\n", %r : tile<2xi8> -> token
      }
    }
    ```
  }];
}

} // opDocGroup

#endif
