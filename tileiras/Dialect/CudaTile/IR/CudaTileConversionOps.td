//===- CudaTileConversionOps.td - Conversions ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_CONVERSIONOPS_TD
#define TILEIRAS_CUDATILE_CONVERSIONOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_ConversionGroup in {

//===----------------------------------------------------------------------===//
// Casts: other types, same bits
//===----------------------------------------------------------------------===//

class CastOp<string mnemonic, TypeConstraint from, TypeConstraint to>
    : CudaTile_Op<mnemonic, [Pure, Elementwise, AllShapesMatch<["source", "result"]>]> {
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<CudaTileType>(type($source)) `->` custom<CudaTileType>(type($result))
  }];
}

def CudaTile_BitcastOp : CastOp<"bitcast", CudaTile_Number, CudaTile_Number> {
  let summary = "Same bits, another number type";
  let description = [{
    Reads the bits of every element as another integer or float type of the same width. No value is converted: use
    `ftoi` and `itof` for that, and `pack`/`unpack` to change the width.

    Element types: every integer and float type but i4; equal shapes. Types of different width are refused: "types
    must be equal width, cannot convert .. of width 32 to .. of width 16" (tf32 has 19 bits and casts to nothing
    else). Since 13.1.

    ```mlir
    // $ tileiras-run bitcast.mlir
    // [3f800000, 80000000]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, -0.0]> : tile<2xf32>
        %r = bitcast %x : tile<2xf32> -> tile<2xi32>
        %t = print_tko "%x\n", %r : tile<2xi32> -> token
      }
    }
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_IntToPtrOp : CastOp<"int_to_ptr", CudaTile_I64Tile, CudaTile_Ptr> {
  let summary = "Integers to pointers";
  let description = [{
    Reads 64-bit integers as addresses of global memory. An access through the pointer must lie inside one
    allocation and be aligned to the pointee.

    Operand: tile of i64; result: tile of pointers of the same shape. Since 13.1.

    ```mlir
    // $ tileiras-run int_to_ptr.mlir 'x:i32[4]=iota(lo=10)'
    // 12
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<i32>>) {
        %address = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>
        %eight = constant <i64: 8> : tile<i64>
        %third = addi %address, %eight : tile<i64>
        %p = int_to_ptr %third : tile<i64> -> tile<ptr<i32>>
        %v, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
        %t1 = print_tko "%d\n", %v : tile<i32> -> token
      }
    }
    ```
  }];
}

def CudaTile_PtrToIntOp : CastOp<"ptr_to_int", CudaTile_Ptr, CudaTile_I64Tile> {
  let summary = "Pointers to integers";
  let description = [{
    The addresses, in bytes, as 64-bit integers.

    Operand: tile of pointers; result: tile of i64 of the same shape. Since 13.1.

    ```mlir
    // $ tileiras-run ptr_to_int.mlir 'x:f64[4]=zeros'
    // 24 bytes apart
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f64>>) {
        %three = constant <i32: 3> : tile<i32>
        %q = offset %x, %three : tile<ptr<f64>>, tile<i32> -> tile<ptr<f64>>
        %a = ptr_to_int %x : tile<ptr<f64>> -> tile<i64>
        %b = ptr_to_int %q : tile<ptr<f64>> -> tile<i64>
        %d = subi %b, %a : tile<i64>
        %t = print_tko "%d bytes apart\n", %d : tile<i64> -> token
      }
    }
    ```
  }];
}

def CudaTile_PtrToPtrOp : CastOp<"ptr_to_ptr", CudaTile_Ptr, CudaTile_Ptr> {
  let summary = "Pointers to another element type";
  let description = [{
    The same addresses with another pointee. The pointee decides what `offset` counts in, how many bytes an access
    moves and how it must be aligned.

    Operand and result: tiles of pointers of the same shape. Since 13.1.

    ```mlir
    // $ tileiras-run ptr_to_ptr.mlir 'x:f32[2]=1'
    // 3f800000
    cuda_tile.module @kernels {
      entry @example(%x: tile<ptr<f32>>) {
        %p = ptr_to_ptr %x : tile<ptr<f32>> -> tile<ptr<i32>>
        %bits, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
        %t1 = print_tko "%x\n", %bits : tile<i32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Conversions of values
//===----------------------------------------------------------------------===//

class ConvertOp<string mnemonic, TypeConstraint toType>
    : CudaTile_Op<mnemonic, [Pure, Elementwise, AllShapesMatch<["from", "to"]>]> {
  let results = (outs toType:$to);
  let hasVerifier = 1;
}

def CudaTile_ExtIOp : ConvertOp<"exti", CudaTile_IntOrI4> {
  let summary = "Integers to a wider type";
  let description = [{
    `signed` fills the new bits with the sign bit, `unsigned` with zeros. A true i1 therefore becomes -1 or 1.

    Element types: i1, i4 (since 13.3), i8, i16, i32, i64; equal shapes. The result must be wider: "extending to
    smaller or identical integer". Since 13.1.

    ```mlir
    // $ tileiras-run exti.mlir
    // signed [-1, 1] unsigned [255, 1]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i8: [-1, 1]> : tile<2xi8>
        %s = exti %x signed : tile<2xi8> -> tile<2xi32>
        %u = exti %x unsigned : tile<2xi8> -> tile<2xi32>
        %t = print_tko "signed %d unsigned %d\n", %s, %u : tile<2xi32>, tile<2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_IntOrI4:$from, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

def CudaTile_TruncIOp : ConvertOp<"trunci", CudaTile_IntOrI4> {
  let summary = "Integers to a narrower type";
  let description = [{
    Keeps the low bits. `overflow` promises that extending the result again, by sign, by zeros or by both, gives the
    operand back; breaking the promise is undefined.

    Element types: i1, i4 (since 13.3), i8, i16, i32, i64; equal shapes. The result must be narrower: "truncating to
    larger or identical integer". Since 13.1.

    ```mlir
    // $ tileiras-run trunci.mlir
    // [44, -128]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [300, 128]> : tile<2xi32>
        %r = trunci %x : tile<2xi32> -> tile<2xi8>
        %t = print_tko "%d\n", %r : tile<2xi8> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_IntOrI4:$from, DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $from (`overflow` `` $overflow^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

def CudaTile_FToFOp : ConvertOp<"ftof", CudaTile_Float> {
  let summary = "Floats to another float type";
  let description = [{
    Converts every element, rounding by `rounding` (`nearest_even` if it is left out). A value beyond the range of
    the target becomes an infinity; to f8E4M3FN, f8E5M2 and f4E2M1FN it becomes the largest finite value.

    | conversion (first match) | modes |
    |---|---|
    | to f8E8M0FNU | `zero`, `positive_inf` |
    | to f8E4M3FN, f8E5M2, f4E2M1FN | `nearest_even` |
    | widening (the target holds every value of the source) | `nearest_even`, `zero`, `negative_inf`, `positive_inf`, `nearest_away` |
    | f64 to f32 | `nearest_even`, `zero`, `negative_inf`, `positive_inf` |
    | f32 to tf32 | `nearest_even`, `zero`, `nearest_away` |
    | other narrowing | `nearest_even`, `zero` |

    Element types: all floats; equal shapes. Errors: "converting tiles must not be a no-op", and the modes allowed
    for the pair. Since 13.1; until 13.3 only `nearest_even`, except to f8E8M0FNU.

    ```mlir
    // $ tileiras-run ftof.mlir
    // f16 [1, 2050, inf, -0] tf32 [1, 2048, 999936, -0] f8 [1, 448, 448, -0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [1.0, 2049.5, 1.0e+6, -0.0]> : tile<4xf32>
        %h = ftof %x : tile<4xf32> -> tile<4xf16>
        %z = ftof %x rounding<zero> : tile<4xf32> -> tile<4xtf32>
        %q = ftof %x : tile<4xf32> -> tile<4xf8E4M3FN>
        %t = print_tko "f16 %g tf32 %g f8 %g\n", %h, %z, %q : tile<4xf16>, tile<4xtf32>, tile<4xf8E4M3FN> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Float:$from, DefaultRounding<"NearestEven">:$rounding_mode);
  let assemblyFormat = [{
    $from `` custom<FToFRounding>($rounding_mode) attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

def CudaTile_FToIOp : ConvertOp<"ftoi", CudaTile_Int> {
  let summary = "Floats to integers";
  let description = [{
    Drops the fraction (toward zero) and gives the value as a `signed` or `unsigned` integer. A NaN, an infinity or
    a value out of range is undefined; with `saturating` it is clamped to the smallest or largest integer, and NaN
    gives 0.

    Operand: any float type; result: i1, i8, i16, i32, i64 of the same shape. `rounding` may be written, but
    `nearest_int_to_zero` is the only mode: "invalid rounding mode specified, expect one of [nearest_int_to_zero]".
    Since 13.1, `saturating` since 13.4.

    ```mlir
    // $ tileiras-run ftoi.mlir
    // [2, -2, 0, 0] saturating [127, -128, 0, 5]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <f32: [2.9, -2.9, 0.5, -0.5]> : tile<4xf32>
        %r = ftoi %x signed : tile<4xf32> -> tile<4xi32>
        %y = constant <f32: [300.0, 0xFF800000, 0x7FC00000, 5.0]> : tile<4xf32>
        %s = ftoi %y signed saturating : tile<4xf32> -> tile<4xi8>
        %t = print_tko "%d saturating %d\n", %r, %s : tile<4xi32>, tile<4xi8> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Float:$from, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"NearestIntToZero">:$rounding_mode, UnitAttr:$saturating);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) `` custom<FToIRounding>($rounding_mode) (`saturating` $saturating^)? attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

def CudaTile_IToFOp : ConvertOp<"itof", CudaTile_Float> {
  let summary = "Integers to floats";
  let description = [{
    The value of a `signed` or `unsigned` integer as a float, rounded to nearest even. Beyond the range of the
    target the result is an infinity, in types without infinities a NaN or the largest finite value. A true i1 is 1
    unsigned, -1 signed.

    Operand: i1, i8, i16, i32, i64; result: any float type of the same shape except f8E8M0FNU ("integer to f8E8M0FNU
    conversion is not supported, please first convert to another float type"). `nearest_even` is the only mode.
    Since 13.1.

    ```mlir
    // $ tileiras-run itof.mlir
    // signed [-1, 16777216] unsigned [4294967296, 16777216]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [-1, 16777217]> : tile<2xi32>
        %s = itof %x signed : tile<2xi32> -> tile<2xf32>
        %u = itof %x unsigned : tile<2xi32> -> tile<2xf32>
        %t = print_tko "signed %.10g unsigned %.10g\n", %s, %u : tile<2xf32>, tile<2xf32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Int:$from, CudaTile_SignednessAttr:$signedness,
                       DefaultRounding<"NearestEven">:$rounding_mode);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) `` custom<IEEERounding>($rounding_mode) attr-dict
    `:` custom<CudaTileType>(type($from)) `->` custom<CudaTileType>(type($to))
  }];
}

} // opDocGroup

#endif
