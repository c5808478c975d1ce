// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix ops and conversions that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<4x8xf16>
    %C = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{ shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<4x8xf16>, tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f32: 1.0> : tile<8x4xf32>
    // expected-error @below {{ shape error: dim 0 of lhs (4) and dim 0 of acc (8) must match}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<8x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{ shape error: dim 1 of rhs (4) and dim 1 of acc (8) must match}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<4x8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<2x4x8xf16>
    %B = constant <f16: 1.0> : tile<4x8x4xf16>
    %C = constant <f32: 1.0> : tile<2x4x4xf32>
    // expected-error @below {{shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match}}
    %D = mmaf %A, %B, %C : tile<2x4x8xf16>, tile<4x8x4xf16>, tile<2x4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<8xf16>
    %B = constant <f16: 1.0> : tile<8xf16>
    %C = constant <f32: 1.0> : tile<8xf32>
    // expected-error @below {{operands must be 2D or 3D tiles}}
    %D = mmaf %A, %B, %C : tile<8xf16>, tile<8xf16>, tile<8xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <bf16: 1.0> : tile<4x8xbf16>
    %B = constant <bf16: 1.0> : tile<8x4xbf16>
    %C = constant <f16: 1.0> : tile<4x4xf16>
    // expected-error @below {{unsupported combination of element types. Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
    %D = mmaf %A, %B, %C : tile<4x8xbf16>, tile<8x4xbf16>, tile<4x4xf16>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <f16: 1.0> : tile<8x4xf16>
    %C = constant <f64: 1.0> : tile<4x4xf64>
    // expected-error @below {{unsupported combination of element types. Input type 'f16' expects accumulator/result type to be one of {'f16', 'f32'}, but got 'f64'}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xf16>, tile<4x4xf64>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %B = constant <bf16: 1.0> : tile<8x4xbf16>
    %C = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{failed to verify that all of {lhs, rhs} have the same element type}}
    %D = mmaf %A, %B, %C : tile<4x8xf16>, tile<8x4xbf16>, tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i32: 0> : tile<4x8xi32>
    %B = constant <i32: 0> : tile<8x4xi32>
    %C = constant <i32: 0> : tile<4x4xi32>
    // expected-error @below {{operand #0 must be mmai operand tile type of i8 values}}
    %D = mmai %A, %B, %C signed signed : tile<4x8xi32>, tile<8x4xi32>, tile<4x4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i8: 0> : tile<4x8xi8>
    %B = constant <i8: 0> : tile<8x4xi8>
    %C = constant <i32: 0> : tile<4x4xi32>
    // expected-error @+2 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    // expected-error @below {{expected valid keyword}}
    %D = mmai %A, %B, %C signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <i8: 0> : tile<4x8xi8>
    %B = constant <i8: 0> : tile<8x4xi8>
    %C = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values}}
    %D = mmaf %A, %B, %C : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %B = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<16x4xf8E8M0FNU>
    %R = constant <f8E8M0FNU: 1.0> : tile<4x16xf8E8M0FNU>
    // expected-error @below {{shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x4xf8E8M0FNU>, tile<4x16xf8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f4E2M1FN: 1.0> : tile<16x64xf4E2M1FN>
    %B = constant <f4E2M1FN: 1.0> : tile<64x16xf4E2M1FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E4M3FN: 1.0> : tile<16x2xf8E4M3FN>
    %R = constant <f8E4M3FN: 1.0> : tile<2x16xf8E4M3FN>
    // expected-error @below {{shape error: f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xf8E4M3FN>, tile<2x16xf8E4M3FN>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f4E2M1FN: 1.0> : tile<16x64xf4E2M1FN>
    %B = constant <f4E2M1FN: 1.0> : tile<64x16xf4E2M1FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<16x1xf8E8M0FNU>
    %R = constant <f8E8M0FNU: 1.0> : tile<1x16xf8E8M0FNU>
    // expected-error @below {{f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 64}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x1xf8E8M0FNU>, tile<1x16xf8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %B = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E4M3FN: 1.0> : tile<16x2xf8E4M3FN>
    %R = constant <f8E4M3FN: 1.0> : tile<2x16xf8E4M3FN>
    // expected-error @below {{unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be f4E2M1FN}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E4M3FN>, tile<2x16xf8E4M3FN>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<16x64xf16>
    %B = constant <f16: 1.0> : tile<64x16xf16>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %R = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    // expected-error @below {{operand #0 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf16>, tile<64x16xf16>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{types must be equal width, cannot convert '!cuda_tile.tile<f32>' of width 32 to type '!cuda_tile.tile<i16>' of width 16}}
    %x = bitcast %f : tile<f32> -> tile<i16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{extending to smaller or identical integer}}
    %x = exti %i signed : tile<i32> -> tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{truncating to larger or identical integer}}
    %x = trunci %i : tile<i32> -> tile<i64>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{converting tiles must not be a no-op}}
    %x = ftof %f : tile<f32> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [zero, positive_inf]}}
    %x = ftof %f : tile<f32> -> tile<f8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even]}}
    %x = ftof %f rounding<zero> : tile<f32> -> tile<f8E4M3FN>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero]}}
    %x = ftof %f rounding<positive_inf> : tile<f32> -> tile<f16>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero, nearest_away]}}
    %x = ftof %f rounding<positive_inf> : tile<f32> -> tile<tf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%d: tile<f64>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
    %x = ftof %d rounding<nearest_away> : tile<f64> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%d: tile<f8E8M0FNU>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even, zero]}}
    %x = ftof %d rounding<nearest_away> : tile<f8E8M0FNU> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expect one of [nearest_even, zero, negative_inf, positive_inf, nearest_away]}}
    %x = ftof %h rounding<approx> : tile<f16> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected rounding mode to be one of: 'nearest_int_to_zero', got: 'zero'}}
    %x = ftoi %f signed rounding<zero> : tile<f32> -> tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{invalid rounding mode specified, expect one of [nearest_even]}}
    %x = itof %i signed rounding<zero> : tile<i32> -> tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{integer to f8E8M0FNU conversion is not supported, please first convert to another float type}}
    %x = itof %i signed : tile<i32> -> tile<f8E8M0FNU>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values}}
    %x = ftoi %i signed : tile<i32> -> tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of i64 values}}
    %x = int_to_ptr %i : tile<i32> -> tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{result #0 must be tile of i64 values}}
    %x = ptr_to_int %p : tile<ptr<f32>> -> tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of Pointer type values}}
    %x = ptr_to_ptr %i : tile<i32> -> tile<ptr<f32>>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %h: tile<f16>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{failed to verify that all of {from, to} have same shape}}
    %x = itof %i signed : tile<i32> -> tile<4xf32>
  }
}

// -----

cuda_tile.module @m {
  entry @e() {
    %A = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %B = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %C = constant <f32: 0.0> : tile<16x16xf32>
    %S = constant <f8E8M0FNU: 1.0> : tile<1x16x2xf8E8M0FNU>
    %R = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    // expected-error @below {{scales must have the rank of the operands (2), but got ranks 3 and 2}}
    %D = mmaf_scaled %A, %B, %C, %S, %R : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<1x16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
  }
}

// -----

// Shapes come before element types.
cuda_tile.module @m {
  entry @e() {
    %A = constant <f16: 1.0> : tile<4x8xf16>
    %C = constant <f64: 1.0> : tile<4x4xf64>
    // expected-error @below {{ shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 8)}}
    %D = mmaf %A, %A, %C : tile<4x8xf16>, tile<4x8xf16>, tile<4x4xf64>
  }
}

// -----

// What the parser does not let through can still stand in the generic form and in bytecode.
%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{'cuda_tile.ftoi' op invalid rounding mode specified, expect one of [nearest_int_to_zero]}}
%x = "cuda_tile.ftoi"(%f) <{signedness = #cuda_tile.signedness<signed>, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>

// -----

%f = cuda_tile.constant <f32: 1.0> : tile<f32>
// expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'nearest_away'}}
%x = cuda_tile.ftof %f rounding<up> : tile<f32> -> tile<f16>

// -----

%i = cuda_tile.constant <i32: 1> : tile<i32>
// expected-error @below {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
%x = cuda_tile.itof %i signed rounding<approx> : tile<i32> -> tile<f32>
